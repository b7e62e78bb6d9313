/* plain: a frame as sentences, for people who do not use pictures. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/lang.h"
#include "base/text.h"
#include "viz/frame_model.h"

#define WIDTH 78

/* Adds words wrapped at WIDTH columns; each line begins with the prefix. */
static void add_wrapped(struct str *out, const char *prefix, const char *words)
{
	int rows = prose_text(NULL, (struct rect){ 0, 0, WIDTH, 0 }, 0, words,
			      INK(ROLE_TEXT));
	struct canvas c;
	struct str text = {0};

	canvas_init(&c, WIDTH, rows);
	c.ascii = !lang_utf8();
	prose_text(&c, (struct rect){ 0, 0, WIDTH, rows }, 0, words,
		   INK(ROLE_TEXT));
	canvas_print(&c, false, &text);
	for (char *p = text.data; p && *p;) {
		size_t n = strcspn(p, "\n");

		str_add(out, prefix);
		str_addn(out, p, n);
		str_addc(out, '\n');
		p += n + (p[n] == '\n');
	}
	str_done(&text);
	canvas_done(&c);
}

static void add_plain_paragraph(struct str *out,
				const struct lesson_paragraph *p)
{
	struct str words = {0};

	if (p->kind == PARAGRAPH_ITEM && p->number)
		str_addf(&words, "%d. ", p->number);
	else if (p->kind == PARAGRAPH_ITEM)
		str_add(&words, "- ");
	for (size_t i = 0; i < p->span_count; i++)
		str_add(&words, p->spans[i].text);
	if (words.data)
		add_wrapped(out, p->kind == PARAGRAPH_CODE ? "    " : "",
			    words.data);
	str_done(&words);
}

static void add_lesson(struct str *out, const struct show_lesson *l)
{
	str_addf(out, "%d/%d  %s\n\n", l->step + 1, l->steps,
		 l->step_title ? l->step_title : "");
	for (size_t i = 0; i < l->prose_count; i++) {
		add_plain_paragraph(out, &l->prose[i]);
		str_addc(out, '\n');
	}
}

/* Tells whether the words state this number, and not as a part of another. */
static bool states_number(const char *words, const char *number)
{
	for (const char *p = words; (p = strstr(p, number)); p++) {
		const char *end = p + strlen(number);

		if ((p == words || !strchr("0123456789.", p[-1])) &&
		    !isdigit((unsigned char)end[*end == '.']))
			return true;
	}
	return false;
}

const char *learned_opening(const struct show_lesson *l)
{
	return states_number(l->learned_words, l->learned) ? "" : l->learned;
}

static void add_learned(struct str *out, const struct show_lesson *l)
{
	const char *opening = learned_opening(l);
	char *line = xasprintf("%s%s%s", opening, *opening ? " " : "",
			       l->learned_words);

	str_addf(out, "%s\n\n", _("What you learned"));
	add_wrapped(out, "", line);
	free(line);
}

static void add_plain_question(struct str *out, const struct show_lesson *l)
{
	struct str line = {0};

	if (!l->question)
		return;
	str_addf(&line, "? %s", l->question);
	add_wrapped(out, "", line.data);
	str_done(&line);
	for (int i = 0; i < l->choice_count; i++)
		str_addf(out, "  %c) %s\n", 'a' + i, l->choices[i]);
	if (l->reply) {
		if (l->answered && l->chosen >= 0)
			str_addf(&line, _("= %1$s. %2$s"),
				 l->choices[l->chosen], l->reply);
		else
			str_addf(&line, _("= %s"), l->reply);
		add_wrapped(out, "", line.data);
		str_done(&line);
	}
}

static void add_request_place(struct str *out, const struct scene *sc)
{
	str_addf(out, _("Request %u of %u of warp %u in block (%u,%u), phase "
			"%u of %u. The focus is lane %u, thread (%u,%u)."),
		 sc->cursor.request + 1, sc->warp.requests, sc->warp.warp,
		 sc->block.x, sc->block.y, sc->phase + 1, sc->phases,
		 sc->cursor.lane, sc->thread.x, sc->thread.y);
}

/* Adds the source line, and the focused lane's index with its numbers filled
 * in. */
static void add_source(struct str *out, const struct scene *sc)
{
	uint32_t line = sc->site->line;
	const char *text;

	if (!line || line > sc->source->count)
		return;
	text = sc->source->lines[line - 1].text;
	str_addf(out, "%s:%u: %s\n", sc->info->file, line,
		 text + strspn(text, " "));
	if (sc->numbers && sc->numbers_agree && sc->flat)
		str_addf(out, _("  %s = %s[%llu] = row %llu, column %llu\n"),
			 sc->numbers, sc->array->name,
			 (unsigned long long)sc->index,
			 (unsigned long long)sc->row,
			 (unsigned long long)sc->col);
	else if (sc->numbers && sc->numbers_agree &&
		 strcmp(sc->numbers, sc->element))
		str_addf(out, "  %s = %s\n", sc->numbers, sc->element);
	else if (sc->element[0])
		str_addf(out, "  %s\n", sc->element);
	if (sc->fragment[0])
		str_addf(out, "  %s = %s\n", sc->element, sc->fragment);
}

static void add_cost(struct str *out, const struct access_cost *k)
{
	if (k->sectors >= 0)
		str_addf(out, ngettext("It costs %d sector of 32 bytes; the "
				       "bytes needed would fit in %d.",
				       "It costs %d sectors of 32 bytes; the "
				       "bytes needed would fit in %d.",
				       (unsigned)k->sectors),
			 k->sectors, k->ideal_sectors);
	else
		str_addf(out, ngettext("It costs %d wavefront, %d without "
				       "bank conflicts.",
				       "It costs %d wavefronts, %d without "
				       "bank conflicts.",
				       (unsigned)k->wavefronts),
			 k->wavefronts, k->ideal_wavefronts);
}

/* Adds how many bytes the sectors move and how many were asked for. */
static void add_waste(struct str *out, const struct scene *sc)
{
	int moved = sc->cost.sectors * SECTOR_BYTES;

	if (sc->sector_count && moved > sc->cost.bytes)
		str_addf(out, _(" %d bytes are moved, %d asked for."), moved,
			 sc->cost.bytes);
}

/* Adds how many threads do not come to a barrier. */
static void add_gate(struct str *out, const struct scene *sc)
{
	const struct scene_barrier *g = &sc->gate;

	if (g->warps && g->missing)
		str_addf(out, ngettext(" %u of the block's %u threads does not "
				       "come to it.",
				       " %u of the block's %u threads do not "
				       "come to it.", g->missing),
			 g->missing, g->threads);
}

/* Adds how the thread computes its row and column of C, which the picture
 * `grid` shows. */
static void add_grid(struct str *out, const struct frame_model *s)
{
	const struct scene *sc = s->scene;
	char row[160], col[160];

	if (!sc->row_sum.by || !sc->col_sum.by)
		return;
	sum_words(row, sizeof(row), s, &sc->row_sum, true);
	sum_words(col, sizeof(col), s, &sc->col_sum, true);
	str_addf(out, _(" Its row of C is %s, its column %s."), row, col);
}

/* Adds the request, its place in the program, and the line of source. */
static void add_request(struct str *out, const struct frame_model *s)
{
	const struct scene *sc = s->scene;
	struct str words = {0};

	if (!sc || !sc->site) {
		const char *why = !sc ? s->waiting :
				  sc->error.text[0] ? sc->error.text :
						      sc->sentence;

		if (why)
			add_wrapped(out, "", why);
		return;
	}
	add_request_place(&words, sc);
	add_wrapped(out, "", words.data);
	str_done(&words);
	add_source(out, sc);
}

/* Adds what the request does and what it costs. */
static void add_costs(struct str *out, const struct scene *sc)
{
	struct str words = {0};
	char owner[256];

	if (sc->sentence)
		str_add(&words, sc->sentence);
	if (sc->costs) {
		str_add(&words, lang_joint());
		add_cost(&words, &sc->cost);
		add_waste(&words, sc);
		if (owner_words(owner, sizeof(owner), sc))
			str_addf(&words, "%s%s%s", lang_joint(), owner, _("."));
	}
	add_gate(&words, sc);
	if (words.len)
		add_wrapped(out, "", words.data);
	str_done(&words);
}

/* Adds what an open question hides: costs, and what the picture shows. */
static void add_told(struct str *out, const struct frame_model *s)
{
	const struct scene *sc = s->scene;
	const struct view *picture;
	struct str words = {0};

	if (!sc || !sc->site || s->quiet)
		return;
	picture = view_picture(s);
	if (picture == view_find("grid"))
		add_grid(&words, s);
	if (words.len)
		add_wrapped(out, "", words.data);
	str_clear(&words);
	add_costs(out, sc);
	if (picture && picture->words)
		picture->words(&words, s);
	if (words.len)
		add_wrapped(out, "", words.data);
	str_done(&words);
}

char *frame_words(const struct frame_model *s)
{
	struct str out = {0};

	if (s->benchmark)
		return benchmark_words(s->benchmark);
	if (s->lesson.learned) {
		add_learned(&out, &s->lesson);
		return str_take(&out);
	}
	if (s->lesson.title)
		add_lesson(&out, &s->lesson);
	add_request(&out, s);
	add_told(&out, s);
	str_addc(&out, '\n');
	return str_take(&out);
}

char *told_words(const struct frame_model *s)
{
	struct str out = {0};

	add_told(&out, s);
	return str_take(&out);
}

char *note_words(const char *note)
{
	char *line = xasprintf(_("Note: %s"), note);
	struct str out = {0};

	add_wrapped(&out, "", line);
	free(line);
	return str_take(&out);
}

char *question_words(const struct frame_model *s)
{
	struct str out = {0};

	add_plain_question(&out, &s->lesson);
	return str_take(&out);
}
