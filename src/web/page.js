// The page around the program: it draws the program's cells, passes it keys and
// the mouse, and fetches what it asks for. It knows nothing of kernels: every
// picture, word and key is the program's own (src/web/page.h).
"use strict";
(() => {

// Names of keys that are no characters (src/viz/keys.h).
const KEYS = {
	ArrowUp: "up", ArrowDown: "down", ArrowLeft: "left",
	ArrowRight: "right", Home: "home", End: "end", PageUp: "page-up",
	PageDown: "page-down", Tab: "tab", Enter: "enter", Escape: "escape",
	Backspace: "backspace", Delete: "delete", F1: "f1", " ": "space",
};
const PRESS = 0, RELEASE = 1, WHEEL_UP = 3, WHEEL_DOWN = 4; // viz/event.h
const BOLD = 1, UNDERLINE = 2, LINES = 0; // page.h, export/glyph.h
const GLYPH_W = 8, GLYPH_H = 16, PARTS = 16;
const PROGRESS = "/home/web_user/.local/state/gemmviz/progress.json";
const FONT = 'ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, ' +
	'"Noto Sans Mono CJK SC", "Noto Sans Mono", monospace';
const LEAST_COLUMNS = 40, LEAST_ROWS = 12; // viz/frame_model.h

const at = (id) => document.getElementById(id);
const canvas = at("cells"), layer = at("text"), words = at("words");
const notice = at("notice");
const pen = canvas.getContext("2d", { alpha: false });
const in_one_file = document.querySelector("script[data-file]") !== null;
let it = null;			// the program, once it runs
let cell = { w: 8, h: 16 }, screen = { w: 0, h: 0 };
let size = 15;			// of the font, in CSS pixels
let ready = false;		// all its files are there
let timer = 0, frame = 0, spoken = 0;
let printed = [];		// by a calculator

// ---- messages ----

// What is said before the program, which has its own words, runs.
const SAID = {
	ended: ["gemmviz ended: $. Reload the page to go on.",
		"gemmviz 意外结束：$。请重新载入网页。"],
	unstarted: ["gemmviz did not start: $. Reload the page to try again.",
		"gemmviz 没有启动：$。请重新载入网页再试。"],
	unkept: ["This browser keeps no progress: $",
		"这个浏览器不保存学习进度：$"],
	loading: ["Loading …", "正在载入……"],
	disk: ["A browser fetches nothing from a disk. In this folder's parent run " +
		"python3 -m http.server and open http://localhost:8000/web/, or " +
		"make one file: gemmviz export KERNEL --format page.",
	"浏览器不能从磁盘取文件。请在上一级文件夹运行 python3 -m http.server，再打开 " +
		"http://localhost:8000/web/；或者用 gemmviz export KERNEL " +
		"--format page 生成一个文件。"],
	old: ["This browser is too old for gemmviz: it needs WebAssembly and " +
		"DecompressionStream (browsers since 2023).",
	"这个浏览器太旧：gemmviz 需要 WebAssembly 和 DecompressionStream" +
		"（2023 年以后的浏览器）。"],
};
const said = (what, why = "") =>
	SAID[what][lang === "zh" ? 1 : 0].replace("$", why);

function tell(text) {
	notice.textContent = text;
	notice.hidden = !text;
}

// Calls a function of the program; if that ends, the page says so and stays.
function call(name, ...given) {
	try {
		return it ? it.ccall(name, null, given.map((x) => typeof x), given) :
			undefined;
	} catch (e) {
		it = null;
		tell(said("ended", printed.pop() || e.message || e));
		return undefined;
	}
}

// Has the program do something, and then take its turn.
function act(name, ...given) {
	call(name, ...given);
	wake();
}

// ---- files ----

async function gunzip(bytes) {
	const stream = new Blob([bytes]).stream()
		.pipeThrough(new DecompressionStream("gzip"));

	return new Uint8Array(await new Response(stream).arrayBuffer());
}

// Fetches a file beside the page; `heard` is told of the bytes so far. A page
// of one file has it inside.
async function get(name, heard = () => {}) {
	const inside = document.querySelector(`script[data-file="${name}"]`);

	if (inside)
		return Uint8Array.from(atob(inside.textContent.trim()),
			(c) => c.charCodeAt(0));
	const answer = await fetch(name);

	if (!answer.ok)
		throw new Error(`${name}: ${answer.status}`);
	let n = 0;
	const counted = answer.body.pipeThrough(new TransformStream({
		transform(part, to) {
			heard(n += part.length);
			to.enqueue(part);
		} }));

	return new Uint8Array(await new Response(counted).arrayBuffer());
}

// Puts the files of a pack (src/web/build.sh) where the program looks for them.
function unpack(pack) {
	let from = 0;
	while (pack[from] !== 10 || pack[from + 1] !== 10)
		from++;
	const list = new TextDecoder().decode(pack.subarray(0, from));

	from += 2;
	for (const line of list.split("\n")) {
		const [bytes, name] = line.split(" ");
		const path = `/gemmviz/${name}`, to = from + Number(bytes);

		it.FS.mkdirTree(path.slice(0, path.lastIndexOf("/")));
		it.FS.writeFile(path, pack.subarray(from, to));
		from = to;
	}
}

// What the program calls to have a recording.
async function fetched(order, file) {
	let why = 0;

	try {
		const bytes = await get(`shelf/${file}`,
			(n) => act("web_fetched", order, n));

		it.FS.writeFile(`/shelf/${file}`, bytes);
		keep(`shelf/${file}`, bytes);
	} catch (e) {
		why = String(e.message || e);
	}
	act("web_arrived", order, why);
}

// Keeps a recording for a visit without a network (offline.js).
async function keep(name, bytes) {
	if (navigator.serviceWorker && !in_one_file)
		(await caches.open("gemmviz")).put(name, new Response(bytes));
}

// ---- progress ----

let kept = 0;
function load_progress() {
	try {
		const text = localStorage.getItem("gemmviz-progress");

		if (!text)
			return "";
		it.FS.mkdirTree(PROGRESS.slice(0, PROGRESS.lastIndexOf("/")));
		it.FS.writeFile(PROGRESS, text);
		kept = it.FS.stat(PROGRESS).mtime.getTime();
		return "";
	} catch (e) {
		return said("unkept", e.message);
	}
}

function save_progress() {
	const there = it && it.FS.analyzePath(PROGRESS);
	const time = there && there.exists ? there.object.timestamp : 0;

	if (!time || time === kept)
		return;
	kept = time;
	try {
		localStorage.setItem("gemmviz-progress",
			it.FS.readFile(PROGRESS, { encoding: "utf8" }));
	} catch (e) {
		act("web_say", said("unkept", e.message));
	}
}

// ---- cells ----

const colours = new Map(), glyphs = new Map();
function colour(rgb) {
	let s = colours.get(rgb);

	if (!s)
		colours.set(rgb, s = "#" + rgb.toString(16).padStart(6, "0"));
	return s;
}

// The rectangles of a character that must join with its neighbours; null: the
// font draws it.
function glyph(ch) {
	let g = glyphs.get(ch);

	if (g !== undefined)
		return g;
	const p = it._malloc(PARTS * 4 + 4);
	const n = it._web_glyph(ch, p, p + PARTS * 4);

	g = null;
	if (n) {
		g = { parts: [], quarters: it.HEAP32[(p >> 2) + PARTS] };
		for (let i = 0; i < n; i++)
			g.parts.push(it.HEAP8.slice(p + 4 * i, p + 4 * i + 4));
	}
	it._free(p);
	glyphs.set(ch, g);
	return g;
}

function draw_glyph(g, x, y, w, h) {
	pen.globalAlpha = g.quarters === LINES ? 1 : g.quarters / 4;
	for (const [px, py, pw, ph] of g.parts) {
		const x0 = Math.round(px * w / GLYPH_W);
		const y0 = Math.round(py * h / GLYPH_H);
		const x1 = Math.round((px + pw) * w / GLYPH_W);
		const y1 = Math.round((py + ph) * h / GLYPH_H);

		pen.fillRect(x + x0, y + y0, Math.max(1, x1 - x0),
			Math.max(1, y1 - y0));
	}
	pen.globalAlpha = 1;
}

function draw_cell(cells, i, w, wide) {
	const ch = cells[4 * i], attr = cells[4 * i + 3];
	const x = i % w * cell.dw, y = Math.floor(i / w) * cell.dh;
	const width = wide ? 2 * cell.dw : cell.dw;

	pen.fillStyle = colour(cells[4 * i + 2]);
	pen.fillRect(x, y, width, cell.dh);
	if (ch <= 32)
		return;
	pen.fillStyle = colour(cells[4 * i + 1]);
	const g = glyph(ch);

	if (g) {
		draw_glyph(g, x, y, width, cell.dh);
	} else {
		const font = attr & BOLD ? cell.bold : cell.font;

		if (pen.font !== font)
			pen.font = font;
		pen.fillText(String.fromCodePoint(ch), x, y + cell.base,
			width);
	}
	if (attr & UNDERLINE)
		pen.fillRect(x, y + cell.dh - cell.line, width, cell.line);
}

// A row's text, for selecting; wide characters get the room of two cells.
function set_row(row, cells, y, w) {
	const parts = [];
	let wide = null, text = "";

	for (let x = 0; x < w; x++) {
		const ch = cells[4 * (y * w + x)];

		if (!ch)
			continue;
		const two = x + 1 < w && !cells[4 * (y * w + x + 1)];

		if (two !== wide && text) {
			parts.push([wide, text]);
			text = "";
		}
		wide = two;
		text += String.fromCodePoint(ch);
	}
	if (!wide)
		text = text.trimEnd();
	parts.push([wide, text]);
	row.replaceChildren(...parts.map(([two, s]) => {
		const span = document.createElement("span");

		span.textContent = s;
		if (two)
			span.className = "wide";
		return span;
	}));
}

// What the program calls to show its cells.
function shown(at_cells, at_changed, count, w, h, ground) {
	const cells = it.HEAPU32.subarray(at_cells >> 2,
		(at_cells >> 2) + 4 * w * h);
	const rows = new Set();

	document.documentElement.style.background = colour(ground);
	for (let n = 0; n < count; n++) {
		let i = it.HEAPU32[(at_changed >> 2) + n];

		rows.add(Math.floor(i / w));
		if (!cells[4 * i] && i % w && cells[4 * i - 4])
			i--;
		draw_cell(cells, i, w, i % w + 1 < w && !cells[4 * i + 4]);
	}
	while (layer.children.length < h)
		layer.append(document.createElement("div"));
	while (layer.children.length > h)
		layer.lastChild.remove();
	for (const y of rows)
		set_row(layer.children[y], cells, y, w);
	spoken = spoken || setTimeout(speak, 400);
}

// Tells a screen reader the frame, as sentences.
function speak() {
	spoken = 0;
	const text = it && it.UTF8ToString(call("web_words"));

	if (text && text !== words.textContent)
		words.textContent = text;
}

// ---- time and events ----

function turn() {
	frame = timer = 0;
	const wait = call("web_turn");

	if (wait === undefined)
		return;
	save_progress();
	show_place();
	if (wait >= 0 && wait < 20)
		wake();
	else if (wait > 0)
		timer = setTimeout(wake, wait);
}

// Has the program take its turn, at the next frame.
function wake() {
	if (!ready || frame)
		return;
	clearTimeout(timer);
	frame = requestAnimationFrame(turn);
}

const press = (name) => act("web_key", name);

function mouse(kind, e) {
	const x = Math.floor(e.clientX / cell.w), y = Math.floor(e.clientY / cell.h);

	if (x < screen.w && y < screen.h)
		act("web_mouse", kind, x, y);
}

addEventListener("keydown", (e) => {
	const name = e.key === "Tab" && e.shiftKey ? "back-tab" :
		KEYS[e.key] || ([...e.key].length === 1 ? e.key : "");

	if (!calculator.hidden || !name || e.ctrlKey || e.metaKey || e.altKey || e.isComposing)
		return;
	e.preventDefault();
	press(name);
});
layer.addEventListener("click", (e) => {
	if (String(getSelection()))	// it was to select
		return;
	mouse(PRESS, e);
	mouse(RELEASE, e);
});
layer.addEventListener("wheel", (e) => {
	if (e.ctrlKey)
		return;
	e.preventDefault();
	mouse(e.deltaY < 0 ? WHEEL_UP : WHEEL_DOWN, e);
}, { passive: false });

// ---- fingers: a tap is a click, a swipe a step, two make it larger ----

for (const button of document.querySelectorAll("#keys button"))
	button.addEventListener("click", () => press(KEYS[button.dataset.key] ||
		button.dataset.key));

let touch = null;
const spread = (t) => Math.hypot(t[0].clientX - t[1].clientX,
	t[0].clientY - t[1].clientY);
layer.addEventListener("touchstart", (e) => {
	const t = e.touches;

	touch = { x: t[0].clientX, y: t[0].clientY, size,
		spread: t.length === 2 ? spread(t) : 0 };
}, { passive: true });
layer.addEventListener("touchmove", (e) => {
	e.preventDefault();
	if (!touch || !touch.spread || e.touches.length !== 2)
		return;
	size = Math.min(40, Math.max(6,
		touch.size * spread(e.touches) / touch.spread));
	fit();
}, { passive: false });
layer.addEventListener("touchend", (e) => {
	const t = e.changedTouches[0], from = touch;

	if (!from || from.spread || e.touches.length)
		return;
	touch = null;
	const dx = t.clientX - from.x, dy = t.clientY - from.y;

	if (Math.abs(dx) > 40 && Math.abs(dx) > 2 * Math.abs(dy))
		press(dx < 0 ? "right" : "left");
	else if (Math.abs(dy) > 40)
		mouse(dy < 0 ? WHEEL_DOWN : WHEEL_UP, t);
});

// ---- size and colours ----

// Measures a cell of the font, whole device pixels wide, and how many fit.
function measure() {
	const scale = devicePixelRatio || 1;
	const room = innerHeight - at("keys").offsetHeight;
	const small = Math.min(size, innerWidth / LEAST_COLUMNS / 0.62,
		room / LEAST_ROWS / 1.2);
	const px = Math.max(4, Math.round(small * scale));

	pen.font = `${px}px ${FONT}`;
	const m = pen.measureText("M");
	const dw = Math.max(2, Math.round(m.width));
	const dh = Math.max(4, Math.round(px * 1.2));

	cell = { dw, dh, w: dw / scale, h: dh / scale, px, scale,
		line: Math.max(1, Math.round(scale)),
		base: Math.round(px * 0.95),
		font: pen.font, bold: `bold ${pen.font}` };
	screen = { w: Math.max(1, Math.floor(innerWidth / cell.w)),
		h: Math.max(1, Math.floor(room / cell.h)) };
	canvas.width = screen.w * dw;
	canvas.height = screen.h * dh;
	canvas.style.width = `${canvas.width / scale}px`;
	canvas.style.height = `${canvas.height / scale}px`;
	pen.font = cell.font;
	pen.textBaseline = "alphabetic";
	layer.style.font = `${px / scale}px/${cell.h}px ${FONT}`;
	layer.style.letterSpacing = `${(dw - m.width) / scale}px`;
	layer.style.setProperty("--wide", `${2 * cell.w - px / scale}px`);
	layer.style.setProperty("--row", `${cell.h}px`);
}

let later = 0;
function fit() {
	clearTimeout(later);
	later = setTimeout(() => {
		measure();
		act("web_resize", screen.w, screen.h);
	}, 50);
}
addEventListener("resize", fit);

const light = matchMedia("(prefers-color-scheme: light)");
light.addEventListener("change", () => act("web_theme", theme()));
const theme = () => light.matches ? "light" : "dark";

// ---- where the reader is ----

const value = (name) => new URLSearchParams(location.hash.slice(1)).get(name);
const lang = value("lang") === "zh" || (!value("lang") &&
	(document.documentElement.lang === "zh" ||
		/^zh/.test(navigator.language))) ? "zh" : "en";

function show_place() {
	const here = it && it.UTF8ToString(call("web_here"));
	const hash = here && value("lang") ? `${here}&lang=${lang}` :
		here || (value("lang") ? `lang=${lang}` : "");

	if (it && hash !== location.hash.slice(1))
		history.replaceState(null, "",
			hash ? `#${hash}` : location.pathname + location.search);
}

function plain(text) {
	try {
		return decodeURIComponent(text);
	} catch (e) {
		return text;
	}
}

function go() {
	if ((value("lang") || lang) !== lang) {
		location.reload();
		return;
	}
	act("web_go", plain(location.hash.slice(1)));
}
addEventListener("hashchange", go);

// ---- a recording of the reader's own ----

addEventListener("dragover", (e) => e.preventDefault());
addEventListener("drop", (e) => {
	e.preventDefault();
	take(e.dataTransfer.files[0]);
});
const chooser = at("file");
chooser.addEventListener("change", () => take(chooser.files[0]));

async function take(file) {
	if (file && ready)
		open(file.name, new Uint8Array(await file.arrayBuffer()));
}

function open(name, bytes) {
	const path = `/shelf/${name.replace(/\//g, "_")}`;

	it.FS.writeFile(path, bytes);
	act("web_open", path);
}

// ---- calculators ----

const calculator = at("calculator"), [line, answer] = calculator.querySelectorAll(
	"input, pre");

function calculate() {
	printed = [];
	call("web_calculate", line.value);
	answer.textContent = printed.join("\n");
}

function open_calculator(open) {
	calculator.hidden = !open;
	if (open) {
		calculate();
		line.focus();
	}
}
calculator.addEventListener("submit", (e) => {
	e.preventDefault();
	calculate();
});
calculator.addEventListener("reset", () => open_calculator(false));
calculator.addEventListener("keydown", (e) =>
	e.key === "Escape" && open_calculator(false));

// Lists the recordings that a page of one file has inside.
function take_inside() {
	const path = "/gemmviz/data/shelf.txt";
	let list = it.FS.readFile(path, { encoding: "utf8" });

	for (const part of document.querySelectorAll("script[data-key]"))
		list = `${part.dataset.key} ${part.dataset.key}.gvt ` +
			`${part.textContent.length * 3 / 4}\n${list}`;
	it.FS.writeFile(path, list);
}

// ---- start ----

async function start() {
	const packs = lang === "zh" ? ["en", "zh"] : ["en"];
	const rest = get("rest.pack.gz");

	rest.catch(() => {});
	tell(said("loading"));
	measure();
	const [binary, ...texts] = await Promise.all(
		["gemmviz.wasm.gz", ...packs.map((name) => `${name}.pack.gz`)]
			.map(async (name) => gunzip(await get(name))));

	it = await gemmvizProgram({ wasmBinary: binary, fetched, shown,
		calculate: () => open_calculator(true),
		choose: () => chooser.click(),
		copied: (text) => navigator.clipboard.writeText(text)
			.catch((e) => act("web_say", String(e.message))),
		print: (line) => printed.push(line),
		printErr: (line) => printed.push(line) });
	texts.forEach(unpack);
	let why = load_progress();

	call("web_start", lang, theme(), screen.w, screen.h,
		Date.now() % 4294967296);
	performance.mark("picture");
	tell("");
	try {
		unpack(await gunzip(await rest));
	} catch (e) {
		why = String(e.message || e);
	}
	take_inside();
	ready = true;
	const inside = document.querySelector("script[data-open]");
	const to = document.querySelector("script[data-go]");

	if (inside)
		open(inside.dataset.open, await get(inside.dataset.file));
	if (to && !location.hash)
		history.replaceState(null, "", `#${to.dataset.go}`);
	if (location.hash)
		go();
	if (why)
		call("web_say", why);
	wake();
	if (navigator.serviceWorker && !in_one_file)
		navigator.serviceWorker.register("offline.js").catch(() => {});
}

document.documentElement.lang = lang;
if (location.protocol === "file:" && !in_one_file)
	tell(said("disk"));
else if (typeof WebAssembly !== "object" ||
		typeof DecompressionStream !== "function")
	tell(said("old"));
else
	start().catch((e) => tell(said("unstarted", e.message || e)));
})();
