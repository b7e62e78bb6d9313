'use strict';
(() => {
const $ = id => document.getElementById(id);
const film = JSON.parse($('film').textContent);
const { w: W, h: H, styles, glyphs, frames, questions, say } = film;
const CELL = [8, 16], BASELINE = 12;
const SVG = 'http://www.w3.org/2000/svg';
const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
const BOLD = 1, UNDERLINE = 2, CONTINUED = '\x7f';

/* ---- the screen: what each cell has, and the rows that are drawn anew ---- */

const screen = (() => {
	const chars = new Array(W * H), looks = new Uint16Array(W * H);
	const dirty = new Array(H);
	let at = -1;

	function clear() {
		chars.fill(' ');
		looks.fill(0);
		dirty.fill(true);
	}

	function apply(frame) {
		const d = frame.d;

		if ('c' in frame)
			clear();
		for (let i = 0; i < d.length; i += 3) {
			let p = d[i];

			for (const ch of d[i + 2]) {
				chars[p] = ch;
				looks[p] = d[i + 1];
				dirty[p / W | 0] = true;
				p++;
			}
		}
	}

	function seek(n) {
		let from = at + 1;

		if (at < 0 || n <= at)
			for (from = n; !('c' in frames[from]);)
				from--;
		for (; from <= n; from++)
			apply(frames[from]);
		at = n;
	}

	const escape = s => s.replace(/&/g, '&amp;').replace(/</g, '&lt;');
	const colour = (kind, look) =>
		look < styles.length ? styles[look][kind] : 0;

	/* The path of one drawn character in the cell at x, y. */
	function outline(parts, x, y) {
		let d = '';

		for (let i = 1; i < parts.length; i += 4)
			d += `M${x + parts[i]} ${y + parts[i + 1]}` +
				`h${parts[i + 2]}v${parts[i + 3]}` +
				`h-${parts[i + 2]}z`;
		return d;
	}

	/* Characters of one look, from column x on: what is drawn, and the
	 * words between. */
	function run(cells, look, x, y) {
		const [fg, , attr] = styles[look];
		const drawn = {};
		let out = '', text = '', start = 0;

		const flush = () => {
			const words = text.trimEnd();
			const lead = words.length - words.trimStart().length;
			const wide = text.includes(CONTINUED);
			let xs = (x + start + lead) * CELL[0];
			let shown = words.trimStart();

			text = '';
			if (!shown)
				return;
			if (wide)
				xs = [...shown].map((c, i) => c === CONTINUED ?
					'' : xs + i * CELL[0]).join(' ');
			shown = shown.split(CONTINUED).join('');
			out += `<text x="${xs}" y="${y * CELL[1] + BASELINE}"` +
				` class="c${fg}${attr & BOLD ? ' b' : ''}` +
				`${attr & UNDERLINE ? ' u' : ''}"` +
				(wide || shown.length < 3 ? '' :
				 ` textLength="${shown.length * CELL[0]}"`) +
				`>${escape(shown)}</text>`;
		};

		cells.forEach((ch, i) => {
			const parts = glyphs[ch];

			if (!parts) {
				if (!text)
					start = i;
				text += ch;
				return;
			}
			flush();
			drawn[parts[0]] = (drawn[parts[0]] || '') +
				outline(parts, (x + i) * CELL[0],
					y * CELL[1]);
		});
		flush();
		for (const quarters in drawn)	/* 0: lines */
			out += `<path class="c${fg}${+quarters ? ' s' : ''}" ` +
				`opacity="${+quarters ? quarters / 4 : 1}" ` +
				`d="${drawn[quarters]}"/>`;
		return out;
	}

	function row(y) {
		let grounds = '', out = '';

		for (let x = 0; x < W;) {
			const look = looks[y * W + x], from = x;

			while (x < W && looks[y * W + x] === look)
				x++;
			if (colour(1, look) !== colour(1, 0))
				grounds += `<rect class="c${colour(1, look)} s" ` +
					`x="${from * CELL[0]}" ` +
					`y="${y * CELL[1]}" ` +
					`width="${(x - from) * CELL[0]}" ` +
					`height="${CELL[1]}"/>`;
			out += run(chars.slice(y * W + from, y * W + x), look,
				from, y);
		}
		return grounds + out;
	}

	/* Draws frame n into an <svg>. */
	function draw(n, svg) {
		seek(n);
		while (svg.children.length < H)
			svg.append(document.createElementNS(SVG, 'g'));
		for (let y = 0; y < H; y++)
			if (dirty[y])
				svg.children[y].innerHTML = row(y);
		dirty.fill(false);
	}

	/* As draw(), into one that has nothing to do with the screen. */
	function print(n, svg) {
		const back = at;

		at = -1;
		draw(n, svg);
		at = -1;
		seek(back);
	}

	return { draw, print };
})();

/* ---- where the reader is ---- */

const chapters = [], chapterOf = [];
frames.forEach((f, i) => {
	if ('c' in f)
		chapters.push(i);
	chapterOf[i] = chapters.length - 1;
});
const articles = [...document.querySelectorAll('article')];
const answered = questions.map(() => false);
let now = 0, playing = 0, lanes = 0, held = false;

const atRest = n => 'w' in frames[n];
const asked = n => 'q' in frames[n] && !answered[frames[n].q];

function restAfter(n) {
	for (n++; n < frames.length && !atRest(n);)
		n++;
	return Math.min(n, frames.length - 1);
}

function restBefore(n) {
	for (n--; n > 0 && !atRest(n);)
		n--;
	return Math.max(n, 0);
}

function show(n) {
	const chapter = chapterOf[n], place =
		`${chapter + 1} / ${chapters.length}`;

	now = n;
	screen.draw(n, $('screen'));
	articles.forEach((a, i) => a.classList.toggle('now', i === chapter));
	$('scrub').value = n;
	$('scrub').setAttribute('aria-valuetext',
		`${say.step} ${place}: ${frames[chapters[chapter]].c}`);
	$('place').textContent = place;
	if (atRest(n))
		$('said').textContent = frames[n].w.trim();
	light(held ? lanes : 0);
}

function stop() {
	clearTimeout(playing);
	playing = 0;
	$('play').textContent = '▶';
	$('play').setAttribute('aria-label', say.play);
	$('play').title = say.play;
}

/* Goes on to the frame `to`; a question that is open, and the end of a step,
 * stop it. */
function play(to) {
	stop();
	if (now >= to || asked(now))
		return;
	$('play').textContent = '⏸';
	$('play').setAttribute('aria-label', say.pause);
	$('play').title = say.pause;
	const go = () => {
		const next = still ? restAfter(now) : now + 1;

		show(Math.min(next, to));
		if (now >= to || asked(now) || ('c' in (frames[now + 1] || {})))
			stop();
		else
			wait();
	};
	const wait = () => {
		const s = frames[now].s;

		playing = setTimeout(go, 1000 * (atRest(now) ?
			Math.min(s, 0.7) : s));
	};
	playing = setTimeout(go, 0);
}

function step(to) {
	stop();
	show(to);
}

/* At the beginning of a step, what moves there moves. */
function arrive(n) {
	step(n);
	if (!atRest(n))
		play(restAfter(n));
}

function turn(by) {
	const to = chapterOf[now] + by;

	if (to >= 0 && to < chapters.length)
		arrive(chapters[to]);
}

/* ---- lanes: the cells that belong to them light up ---- */

/* What stands at a cell: [lanes, name], or nothing. */
function markAt(cell) {
	const [names, runs] = frames[now].l || [[], []];
	let end = 0;

	for (let i = 0; i < runs.length; i += 2) {
		end += runs[i];
		if (cell < end)
			return names[runs[i + 1] - 1];
	}
}

function laneWords(mask, names) {
	const list = [];

	for (let i = 0; i < 32; i++)
		if (mask >>> i & 1)
			list.push(i);
	return `${list.length > 1 ? say.lanes : say.lane} ${list.join(', ')}` +
		(names.length ? ': ' + names.slice(0, 8).join(', ') +
		 (names.length > 8 ? ' …' : '') : '');
}

function light(mask) {
	const [names, runs] = frames[now].l || [[], []];
	const found = new Set();
	let group = $('screen').querySelector('.marks'), out = '', cell = 0;

	lanes = mask;
	if (!group) {
		group = document.createElementNS(SVG, 'g');
		group.setAttribute('class', 'marks');
		$('screen').append(group);
	}
	for (let i = 0; mask && i < runs.length; cell += runs[i], i += 2) {
		const mark = names[runs[i + 1] - 1];

		if (!mark || !(mark[0] & mask))
			continue;
		if (mark[1])
			found.add(mark[1]);
		out += `<rect class="lit" x="${cell % W * CELL[0] + 1}" ` +
			`y="${(cell / W | 0) * CELL[1] + 1}" ` +
			`width="${runs[i] * CELL[0] - 2}" ` +
			`height="${CELL[1] - 2}"/>`;
	}
	group.innerHTML = out;
	$('lit').textContent = mask ? laneWords(mask, [...found]) : '';
}

function cellOf(event) {
	const r = $('screen').getBoundingClientRect();
	const x = (event.clientX - r.left) / r.width * W | 0;
	const y = (event.clientY - r.top) / r.height * H | 0;

	return y * W + x;
}

function nextLane(by) {
	const from = lanes ? 31 - Math.clz32(lanes & -lanes) : by > 0 ? -1 : 32;
	const all = (frames[now].l || [[]])[0].reduce((m, n) => m | n[0], 0);

	for (let i = 1; i <= 32; i++) {
		const lane = (from + by * i + 96) % 32;

		if (all >>> lane & 1) {
			held = true;
			light(1 << lane);
			return;
		}
	}
}

$('screen').addEventListener('pointermove', e => {
	if (!held)
		light((markAt(cellOf(e)) || [0])[0]);
});
$('screen').addEventListener('pointerleave', () => {
	if (!held)
		light(0);
});
$('screen').addEventListener('click', e => {
	const mark = markAt(cellOf(e));

	held = Boolean(mark) && !(held && mark[0] === lanes);
	light(mark && held ? mark[0] : 0);
});

/* ---- questions ---- */

const fields = [...document.querySelectorAll('fieldset')];

function reply(q, good, words) {
	const line = fields[q].querySelector('.reply');

	line.textContent = words;
	line.className = 'reply ' + (good ? 'right' : 'wrong');
}

function answer(q, choice) {
	const { right, replies } = questions[q], field = fields[q];
	const open = frames.findIndex(f => f.q === q);

	if (answered[q])
		return;
	reply(q, choice === right, replies[choice]);
	field.querySelector(`[data-choice="${choice}"]`).classList.add(
		choice === right ? 'right' : 'wrong');
	if (choice !== right)
		return;
	answered[q] = true;
	for (const e of field.querySelectorAll('button, input'))
		e.disabled = true;
	show(open);
	play(restAfter(open));
}

const reveal = q => answer(q, questions[q].right);

/* As a number or as a word. */
function submit(q, typed) {
	const choice = questions[q].texts.findIndex(t =>
		t === typed || (typed && Number(t) === Number(typed)));

	if (choice >= 0)
		answer(q, choice);
	else if (typed)
		reply(q, false, say.wrong);
}

fields.forEach((field, q) => {
	field.addEventListener('click', e => {
		const b = e.target.closest('button[type=button]');

		if (b && b.classList.contains('reveal'))
			reveal(q);
		else if (b)
			answer(q, Number(b.dataset.choice));
	});
	field.querySelector('form').addEventListener('submit', e => {
		const input = field.querySelector('input');

		e.preventDefault();
		submit(q, input.value.trim());
		input.select();
	});
});

/* ---- keys, buttons, paper ---- */

const last = frames.length - 1;
const forward = () => asked(now) ?
	fields[frames[now].q].querySelector('button').focus() :
	step(restAfter(now));
const toggle = () => playing ? stop() : play(last);

function theme() {
	const root = document.documentElement;
	const dark = (root.dataset.theme || (matchMedia(
		'(prefers-color-scheme: dark)').matches ? 'dark' : 'light')) ===
		'dark';

	root.dataset.theme = dark ? 'light' : 'dark';
}

const keys = {
	' ': toggle, ArrowRight: forward, ArrowLeft: () =>
		step(restBefore(now)),
	PageDown: () => turn(1), PageUp: () => turn(-1), n: () => turn(1),
	p: () => turn(-1), Home: () => step(0), End: () => step(last),
	l: () => nextLane(1), L: () => nextLane(-1), t: theme,
	Enter: () => asked(now) ? forward() : play(restAfter(now)),
	'!': () => asked(now) && reveal(frames[now].q),
	Escape: () => {
		held = false;
		light(0);
	},
};

document.addEventListener('keydown', e => {
	const q = frames[now].q, choice = e.key.charCodeAt(0) - 97;

	if (e.ctrlKey || e.altKey || e.metaKey ||
	    (e.target.matches('input') && e.key !== 'Escape' && e.key !== '!') ||
	    ((e.key === ' ' || e.key === 'Enter') &&
	     e.target.matches('button, a, summary')))
		return;
	if (asked(now) && e.key.length === 1 && choice >= 0 &&
	    choice < questions[q].replies.length) {
		answer(q, choice);
	} else if (asked(now) && /^[-.0-9]$/.test(e.key)) {
		fields[q].querySelector('input').focus();	/* takes it */
	} else if (keys[e.key]) {
		keys[e.key]();
		e.preventDefault();
	}
});

$('before').addEventListener('click', () => turn(-1));
$('back').addEventListener('click', keys.ArrowLeft);
$('play').addEventListener('click', toggle);
$('on').addEventListener('click', forward);
$('next').addEventListener('click', () => turn(1));
$('theme').addEventListener('click', theme);
$('scrub').max = last;
$('scrub').addEventListener('input', e => step(Number(e.target.value)));

/* The picture of a step: where its open question is, or the last answer. */
function pictureOf(chapter) {
	let n = chapters[chapter];

	while ('q' in frames[n] && !asked(n))
		n = restAfter(n);
	return n;
}

/* On paper each step has its picture. */
addEventListener('beforeprint', () => {
	articles.forEach((a, i) => {
		const svg = document.createElementNS(SVG, 'svg');

		svg.setAttribute('viewBox', $('screen').getAttribute('viewBox'));
		svg.id = '';
		svg.classList.add('paper');
		screen.print(pictureOf(i), svg);
		a.append(svg);
	});
});
addEventListener('afterprint', () =>
	document.querySelectorAll('.paper').forEach(e => e.remove()));

if (articles.length)
	document.body.classList.add('plays');
arrive(0);
})();
