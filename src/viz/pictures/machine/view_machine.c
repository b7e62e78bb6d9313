/*
 * view_machine: the machine's instructions of the current line, and below them
 * the access that serves the request: the words of shared memory, a row for each
 * wavefront, or the words of global memory, a row for each line of 128 bytes.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "scene/stage.h"
#include "viz/frame_model.h"
#include "viz/kit.h"
#include "scene/scene_machine.h"

#define ADDRESS_COLUMNS 7
#define COUNT_COLUMNS 11
#define COST_COLUMNS 16
/* Columns of a row's name, and the least of a word. */
#define NAME_COLUMNS 6
#define LINE_WORDS (LINE_BYTES / BANK_BYTES)

static bool available(const struct frame_model *s)
{
	return s->scene && s->scene->compiled;
}

static void prepare(struct stage *s, const struct turns *t)
{
	(void)t;
	scene_machine(s);
}

/* ---- the instructions ---- */

/* Writes what all executions of an instruction cost. */
static void cost_text(char *buf, size_t size, const struct machine_access *a)
{
	if (!a || a->space == RUN_LOCAL)
		*buf = '\0';
	else if (a->space == RUN_SHARED)
		snprintf(buf, size, ngettext("%llu wavefront", "%llu wavefronts",
					     a->count.wavefronts),
			 (unsigned long long)a->count.wavefronts);
	else
		snprintf(buf, size, ngettext("%llu sector", "%llu sectors",
					     a->count.sectors),
			 (unsigned long long)a->count.sectors);
}

/* Writes "@!P0 ", or "" if an instruction is always executed. */
static struct guard_text { char text[8]; }
guard_text(const struct sass_instruction *i)
{
	struct guard_text t = { "" };
	bool uniform = i->guard > SASS_PT;

	if (i->guard != SASS_PT || i->guard_inverted)
		snprintf(t.text, sizeof(t.text), "@%s%sP%u ",
			 i->guard_inverted ? "!" : "", uniform ? "U" : "",
			 i->guard % (SASS_PT + 1));
	return t;
}

static void draw_instruction(struct canvas *c, struct rect r,
			     const struct frame_model *s, uint32_t n)
{
	const struct scene *sc = s->scene;
	const struct machine_launch *m = sc->compiled;
	const struct sass_instruction *i = &m->code.sass->code[n];
	const struct machine_access *a = machine_access_of(m, n);
	bool now = sc->machine->now && sc->machine->now->instruction == n;
	struct ink ink = now ? INK_FOCUS : a ? INK_BOLD(ROLE_STRONG) :
					       INK(ROLE_TEXT);
	int behind = s->quiet || !m->executed ? 0 :
		     r.w >= 70 ? COUNT_COLUMNS + COST_COLUMNS : COUNT_COLUMNS;
	char text[64];

	if (now)
		canvas_fill(c, (struct rect){ r.x, r.y, r.w, 1 }, ' ', ink);
	canvas_textf(c, r.x, r.y, ADDRESS_COLUMNS, now ? ink : INK(ROLE_DIM),
		     "0x%04x", i->address);
	canvas_textf(c, r.x + ADDRESS_COLUMNS, r.y,
		     r.w - ADDRESS_COLUMNS - behind, ink, "%s%s",
		     guard_text(i).text, i->text);
	if (!behind)
		return;
	snprintf(text, sizeof(text), "%" PRIu64, m->executed[n]);
	canvas_right(c, r.x + r.w - behind, r.y, COUNT_COLUMNS - 1, text,
		     now ? ink : INK(ROLE_TEXT));
	if (behind == COUNT_COLUMNS)
		return;
	cost_text(text, sizeof(text), a);
	canvas_right(c, r.x + r.w - COST_COLUMNS, r.y, COST_COLUMNS, text,
		     now ? ink : INK(ROLE_TEXT));
}

/* Draws the line's instructions, around the one at the cursor. Returns the rows
 * used. */
static int draw_line(struct canvas *c, struct rect r,
		     const struct frame_model *s)
{
	const struct scene *sc = s->scene;
	const struct scene_machine *m = sc->machine;
	int count = (int)m->line_count, rows = MIN(count, r.h - 1), at = 0;

	if (!s->quiet && sc->compiled->executed && r.w > 40)
		canvas_right(c, r.x, r.y, r.w - (r.w >= 70 ? COST_COLUMNS : 0) -
			     1, _("executed"), INK(ROLE_DIM));
	if (!s->quiet && sc->compiled->executed && r.w >= 70)
		canvas_right(c, r.x, r.y, r.w, _("in all"), INK(ROLE_DIM));
	canvas_textf(c, r.x, r.y, r.w / 2, INK(ROLE_DIM),
		     ngettext("line %u: %d instruction",
			      "line %u: %d instructions", (unsigned)count),
		     sc->line, count);
	while (at < count && (!m->now || m->line[at] != m->now->instruction))
		at++;
	at = at == count ? 0 : MAX(0, MIN(at - rows / 2, count - rows));
	for (int i = 0; i < rows; i++)
		draw_instruction(c, (struct rect){ r.x, r.y + 1 + i, r.w, 1 }, s,
				 m->line[at + i]);
	return rows + 1;
}

/* ---- the access ---- */

/* Draws a word with the lowest lane that moves it; `same`: those of the word
 * before it do. */
static void draw_machine_word(struct canvas *c, int x, int y, int w,
		      const struct scene *sc, uint32_t lanes, bool same)
{
	uint32_t lane = (uint32_t)__builtin_ctz(lanes);
	bool focus = lanes >> sc->cursor.lane & 1;
	char text[8];

	snprintf(text, sizeof(text), "%u", focus ? sc->cursor.lane : lane);
	kit_box(c, (struct rect){ x, y, w, 1 },
		w >= 2 && !same ? text : NULL,
		focus ? INK_FOCUS : (struct ink){ ROLE_ON_HUE, ROLE_HUE(lane),
						  ATTR_BOLD });
}

static void draw_ground(struct canvas *c, int x, int y, int w)
{
	for (int i = 0; i < LINE_WORDS; i++)
		canvas_fill(c, (struct rect){ x + i * w, y, w, 1 }, ' ',
			    INK_ON(ROLE_TEXT, i / 8 % 2 ? ROLE_FIELD :
							  ROLE_TILE));
}

static int draw_wavefronts(struct canvas *c, struct rect r, int w,
			   const struct scene *sc)
{
	const struct scene_machine *m = sc->machine;
	int rows = MIN(m->cost.wavefronts, r.h);
	uint32_t last = 0;

	for (int y = 0; y < rows; y++) {
		canvas_textf(c, r.x, r.y + y, NAME_COLUMNS, INK(ROLE_DIM), "%d",
			     y + 1);
		draw_ground(c, r.x + NAME_COLUMNS, r.y + y, w);
	}
	for (size_t i = 0; i < m->word_count; i++) {
		const struct access_word *k = &m->words[i];

		if (k->wavefront < rows)
			draw_machine_word(c, r.x + NAME_COLUMNS + k->bank * w,
				  r.y + k->wavefront, w, sc, k->lanes,
				  k->bank && k->lanes == last);
		last = k->lanes;
	}
	return rows;
}

/* Finds the lanes that move the word at an address. */
static uint32_t lanes_of_address(const struct access *a, uint64_t address)
{
	uint32_t lanes = 0;

	for (uint32_t l = 0; l < WARP_LANES; l++)
		if (a->mask >> l & 1 && address + BANK_BYTES > a->address[l] &&
		    address < a->address[l] + a->bytes)
			lanes |= (uint32_t)1 << l;
	return lanes;
}

static int draw_lines(struct canvas *c, struct rect r, int w,
		      const struct scene *sc)
{
	const struct scene_machine *m = sc->machine;
	uint64_t line = UINT64_MAX;
	uint32_t last = 0;
	int rows = 0;

	for (size_t i = 0; i < m->sector_count; i++) {
		uint64_t at = m->sectors[i].address;

		if (at / LINE_BYTES != line && rows == r.h)
			break;
		if (at / LINE_BYTES != line) {
			line = at / LINE_BYTES;
			canvas_textf(c, r.x, r.y + rows, NAME_COLUMNS,
				     INK(ROLE_DIM), "+%" PRIu64,
				     (line - m->sectors[0].address /
						LINE_BYTES) * LINE_BYTES);
			draw_ground(c, r.x + NAME_COLUMNS, r.y + rows++, w);
		}
		for (uint64_t n = 0; n < SECTOR_BYTES / BANK_BYTES; n++) {
			uint64_t word = at + n * BANK_BYTES;
			uint32_t lanes = lanes_of_address(&m->access, word);

			if (lanes)
				draw_machine_word(c, r.x + NAME_COLUMNS +
					  (int)(word % LINE_BYTES /
						BANK_BYTES) * w,
					  r.y + rows - 1, w, sc, lanes,
					  word % LINE_BYTES && lanes == last);
			last = lanes;
		}
	}
	return rows;
}

static void draw_access(struct canvas *c, struct rect r,
			const struct frame_model *s)
{
	const struct scene *sc = s->scene;
	const struct scene_machine *m = sc->machine;
	int w = (r.w - NAME_COLUMNS) / LINE_WORDS;
	bool shared = m->now->space == RUN_SHARED;
	int rows;

	if (r.h < 2 || w < 1 || s->quiet)
		return;
	canvas_text(c, r.x, r.y, r.w, shared ?
		    _("A row is a wavefront, a column a bank, a number a lane.") :
		    _("A row is a line of 128 bytes, a number a lane."),
		    INK(ROLE_DIM));
	r = (struct rect){ r.x, r.y + 1, r.w, r.h - 1 };
	w = MIN(w, 4);
	rows = shared ? draw_wavefronts(c, r, w, sc) : draw_lines(c, r, w, sc);
	if (rows < r.h && w == 1)
		canvas_textf(c, r.x, r.y + rows, r.w, INK(ROLE_DIM),
			     _("lane %u is marked"), sc->cursor.lane);
}

/* ---- the picture ---- */

/* Writes which compiler it was, and what the code needs. */
static void note_text(char *buf, size_t size, const struct machine_code *c)
{
	int n = snprintf(buf, size, "%s%ssm_%u", c->compiler ? c->compiler : "",
			 c->compiler ? ", " : "", c->arch);

	if (c->registers >= 0 && n > 0 && (size_t)n < size)
		snprintf(buf + n, size - (size_t)n,
			 ngettext(", %d register", ", %d registers",
				  (unsigned)c->registers), c->registers);
}

static void draw(struct canvas *c, struct rect r, const struct frame_model *s)
{
	const struct scene *sc = s->scene;
	const struct scene_machine *m = sc->machine;
	char note[96], *words;
	int used;

	note_text(note, sizeof(note), &sc->compiled->code);
	r = canvas_frame(c, r, _("machine code"), note, false);
	if (!m || r.h < 2)
		return;
	r.x++;
	r.w -= 2;
	used = draw_line(c, (struct rect){ r.x, r.y, r.w,
					   MAX(2, m->now ? r.h / 2 : r.h - 3) },
			 s) + 1;
	r.y += used;
	r.h -= used;
	words = m->why ? xasprintf(_("Its accesses are not known: %s."),
				   m->why) : scene_machine_words(sc);
	if (!words)
		words = xstrdup(op_is_access(sc->site->op) ?
			_("No access of the machine serves this request.") :
			_("This is no access to memory."));
	if (r.h > 0 && (!s->quiet || !m->now)) {
		used = prose_text(c, r, 0, words, INK(ROLE_TEXT));
		r.y += used;
		r.h -= used;
	}
	free(words);
	if (m->now)
		draw_access(c, r, s);
}

/* Moves to the first request of another access. */
static bool move_access(const struct scene *sc, struct cursor *p, int by)
{
	const struct scene_machine *m = sc->machine;
	long at;

	if (!m || !m->steps)
		return false;
	at = m->now ? m->now - m->steps->list : by > 0 ? -1 :
						(long)m->steps->count;
	do
		at += by;
	while (at >= 0 && (size_t)at < m->steps->count &&
	       !m->steps->list[at].requests);
	if (at < 0 || (size_t)at >= m->steps->count)
		return false;
	p->request = m->steps->list[at].first;
	return true;
}

static void add_words(struct str *out, const struct frame_model *s)
{
	char *words = scene_machine_words(s->scene);

	if (words)
		str_add(out, words);
	free(words);
}

static const struct view_key keys[] = {
	{ .keys = { '.' }, .key = ". ,", .word = N_("access"),
	  .help = N_("the next and the last access of the machine"),
	  .move = move_access, .by = 1 },
	{ .keys = { ',' }, .move = move_access, .by = -1 },
};

const struct view view_machine = {
	.name = "machine",
	.title = N_("machine code"),
	.help = N_("what the compiler made of the line, and the machine's "
		   "access"),
	.pane = PANE_PICTURE,
	.least = NAME_COLUMNS + LINE_WORDS + 4,
	.available = available,
	.rank = view_never,
	.prepare = prepare,
	.draw = draw,
	.words = add_words,
	.of_request = true,
	.keys = keys,
	.key_count = LENGTH(keys),
};
