/* Draws gemmviz practice: the map of rungs, or a rung's file with the verdict. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "viz/frame_model.h"

/* Rows of the source that the verdict leaves, and at most takes. */
#define SOURCE_LEAST 6
#define VERDICT_MOST 9
/* From this size on the task stands beside the source. */
#define BESIDE_W 110
#define BESIDE_H 30

static void draw_bar(struct canvas *c, const char *head, const char *right)
{
	int x = 1;

	canvas_fill(c, (struct rect){ 0, 0, c->w, 1 }, ' ',
		    INK_ON(ROLE_TEXT, ROLE_BAR));
	x += canvas_text(c, x, 0, c->w - 2, head,
			 (struct ink){ ROLE_STRONG, ROLE_BAR, ATTR_BOLD });
	if (right && x + 3 + text_width(right) < c->w)
		canvas_right(c, x, 0, c->w - x - 1, right,
			     INK_ON(ROLE_DIM, ROLE_BAR));
}

/* ---- the map ---- */

static const char *mark_sign(enum rung_mark m)
{
	static const char *const signs[] = {
		[RUNG_OPEN] = "\xe2\x97\x8b", [RUNG_BEGUN] = "\xe2\x97\x90",
		[RUNG_NEXT] = "\xe2\x96\xb6", [RUNG_DONE] = "\xe2\x97\x8f",
	};

	return signs[m];
}

static enum role rung_mark_role(enum rung_mark m)
{
	return m == RUNG_DONE ? ROLE_GOOD : m == RUNG_NEXT ? ROLE_ACCENT :
	       m == RUNG_BEGUN ? ROLE_WARN : ROLE_DIM;
}

static void draw_map_rung(struct canvas *c, int y, const struct show_rung *r,
		      bool chosen)
{
	enum role back = chosen ? ROLE_SELECT : ROLE_NONE;
	int x = 2, end = c->w - 2;
	char tries[48];

	if (chosen)
		canvas_fill(c, (struct rect){ 1, y, c->w - 2, 1 }, ' ',
			    INK_ON(ROLE_TEXT, ROLE_SELECT));
	canvas_text(c, x, y, 2, mark_sign(r->mark),
		    INK_ON(rung_mark_role(r->mark), back));
	canvas_right(c, x + 2, y, 3, r->place, INK_ON(ROLE_DIM, back));
	x += 6;
	canvas_text(c, x, y, 12, r->name,
		    (struct ink){ ROLE_STRONG, back, ATTR_BOLD });
	if (r->tries) {
		snprintf(tries, sizeof(tries), _("tries %d, hints %d"),
			 r->tries, r->hints);
		end = canvas_right(c, x, y, end - x, tries,
				   INK_ON(ROLE_DIM, back)) - 2;
	}
	canvas_text(c, x + 13, y, end - x - 13, r->title,
		    INK_ON(ROLE_TEXT, back));
}

/* Where the map's rows are: whether groups have rows of their own, and the first
 * rung that is shown. */
struct map_layout { bool groups; size_t first; };

static struct map_layout layout_map(const struct show_practice *p, int h)
{
	struct map_layout l = { true, 0 };
	int rows = (int)p->rung_count;

	for (size_t i = 0; i < p->rung_count; i++)
		rows += p->rungs[i].group != NULL;
	l.groups = rows <= h - 3;
	if (!l.groups)
		l.first = (size_t)MAX(0, (int)p->chosen - (h - 4));
	return l;
}

static void draw_map(struct canvas *c, const struct show_practice *p)
{
	struct map_layout l = layout_map(p, c->h);
	int y = 2;

	draw_bar(c, p->summary, _("practice"));
	for (size_t i = l.first; i < p->rung_count && y < c->h - 1; i++) {
		if (l.groups && p->rungs[i].group)
			canvas_text(c, 1, y++, c->w - 2, p->rungs[i].group,
				    INK(ROLE_TITLE));
		draw_map_rung(c, y++, &p->rungs[i], i == p->chosen);
	}
}

int practice_hit(const struct show_practice *p, int w, int h, int x, int y)
{
	struct map_layout l = layout_map(p, h);
	int row = 2;

	for (size_t i = l.first; !p->open && i < p->rung_count && row < h - 1;
	     i++) {
		row += l.groups && p->rungs[i].group;
		if (row++ == y && x >= 0 && x < w)
			return (int)i;
	}
	return -1;
}

/* ---- the text of a page ---- */

/* Finds where a line, from 1, begins. */
static const char *find_source_line(const char *text, int line)
{
	while (text && line-- > 1) {
		text = strchr(text, '\n');
		text += text != NULL;
	}
	return text;
}

static int count_source_lines(const char *text)
{
	int n = 0;

	for (; text && *text; text++)
		n += *text == '\n';
	return n;
}

static enum role line_role(const struct show_practice *p, const char *line)
{
	if (p->page == PRACTICE_CHANGES)
		return *line == '+' ? ROLE_GOOD : *line == '-' ? ROLE_BAD :
		       ROLE_TEXT;
	line += strspn(line, " \t");
	return !strncmp(line, "//", 2) ? ROLE_CODE_COMMENT : ROLE_TEXT;
}

static void draw_page_line(struct canvas *c, struct rect r,
			     const struct show_practice *p, const char *from,
			     int number)
{
	bool marked = p->marked && number == (int)p->line;
	enum role back = marked ? ROLE_LINE : ROLE_NONE;
	size_t n = strcspn(from, "\n");
	char *line = text_clean(from, n, 0), digits[16];

	if (marked)
		canvas_fill(c, r, ' ', INK_ON(ROLE_TEXT, ROLE_LINE));
	snprintf(digits, sizeof(digits), "%d", number);
	canvas_right(c, r.x, r.y, 4, digits, INK_ON(ROLE_FAINT, back));
	canvas_text(c, r.x + 6, r.y, r.w - 6, line,
		    INK_ON(line_role(p, line), back));
	free(line);
}

static void draw_page(struct canvas *c, struct rect r,
		      const struct show_practice *p)
{
	int lines = count_source_lines(p->source);
	int first = p->line ? (int)p->line - r.h / 2 : 1;
	const char *from;

	first = MAX(1, MIN(first + p->scroll, lines - r.h + 1));
	from = find_source_line(p->source, first);
	for (int y = 0; y < r.h && from && *from; y++) {
		draw_page_line(c, (struct rect){ r.x, r.y + y, r.w, 1 }, p,
				 from, first + y);
		from = find_source_line(from, 2);
	}
}

static void draw_task(struct canvas *c, struct rect r,
		      const struct show_practice *p)
{
	struct rect old = canvas_clip(c, r);

	prose_draw(c, (struct rect){ r.x + 1, r.y, r.w - 2, r.h }, 0, p->task,
		   p->task_count);
	canvas_clip(c, old);
}

/* ---- the verdict ---- */

static struct ink stage_ink(const struct show_practice *p,
			    const struct show_stage *s)
{
	if (p->judging || s->sign == STAGE_LATER)
		return INK(ROLE_DIM);
	return s->sign == STAGE_GOOD ? INK(ROLE_GOOD) :
	       s->sign == STAGE_BAD ? INK_BOLD(ROLE_BAD) : INK(ROLE_TEXT);
}

static const char *stage_sign_text(const struct show_stage *s)
{
	return s->sign == STAGE_GOOD ? "\xe2\x9c\x93" :
	       s->sign == STAGE_BAD ? "\xe2\x9c\x97" : "\xc2\xb7";
}

/* Draws a stage or a line from row y on; returns the rows that it takes. With a
 * clip of no rows it only measures. */
static int draw_verdict_stage(struct canvas *c, struct rect r,
		      const struct show_practice *p,
		      const struct show_stage *s)
{
	struct ink ink = stage_ink(p, s);

	if (!s->name)
		return prose_text(c, (struct rect){ r.x + 2, r.y, r.w - 4,
						    r.h }, 0, s->words, ink);
	canvas_text(c, r.x, r.y, 2, stage_sign_text(s), ink);
	canvas_text(c, r.x + 2, r.y, 20, s->name, ink);
	canvas_text(c, r.x + 24, r.y, r.w - 24, s->words ? s->words : "",
		    p->judging ? INK(ROLE_DIM) : INK(ROLE_TEXT));
	return 1;
}

/* Draws the verdict, or, in a rectangle of no rows, measures it. Leaves out its
 * first `skip` stages that are good. */
static int draw_rung_verdict(struct canvas *c, struct rect r,
			const struct show_practice *p, int skip)
{
	struct rect old = canvas_clip(c, r);
	int y = 0;

	for (size_t i = 0; i < p->stage_count; i++) {
		const struct show_stage *s = &p->stages[i];

		if (s->name && s->sign == STAGE_GOOD && skip-- > 0)
			continue;
		y += draw_verdict_stage(c, (struct rect){ r.x, r.y + y, r.w,
						  r.h - y }, p, s);
	}
	canvas_clip(c, old);
	return y;
}

/* Returns how many good stages to leave out of a verdict of `rows` rows so that
 * `most` are enough: never the last one, which may say that the rung passed. */
static int count_skipped_stages(const struct show_practice *p, int rows,
				int most)
{
	int good = 0;

	for (size_t i = 0; i < p->stage_count; i++)
		good += p->stages[i].name && p->stages[i].sign == STAGE_GOOD;
	return MAX(MIN(rows - most, good - 1), 0);
}

/* ---- a rung ---- */

static void draw_clock(struct canvas *c, const struct show_practice *p)
{
	char clock[64];

	if (!p->judging)
		return;
	snprintf(clock, sizeof(clock), _("judging … %d s"), p->seconds);
	canvas_right(c, c->w / 2, 1, c->w - c->w / 2 - 1, clock,
		     INK(ROLE_ACCENT));
}

static void draw_open_rung(struct canvas *c, const struct show_practice *p)
{
	struct rect body = { 0, 3, c->w, c->h - 4 }, verdict = body, task;
	bool beside = c->w >= BESIDE_W && c->h >= BESIDE_H;
	int most = p->passed ? c->h : MAX(VERDICT_MOST, c->h / 3);
	int rows = draw_rung_verdict(c, (struct rect){ 1, 0, c->w - 2, 0 }, p,
				     0), skip;

	draw_bar(c, p->head, p->lesson);
	canvas_text(c, 1, 1, c->w - 2, p->path, INK(ROLE_DIM));
	draw_clock(c, p);
	canvas_fill(c, (struct rect){ 0, 2, c->w, 1 }, 0x2500,
		    INK(ROLE_BORDER));
	most = MIN(most, body.h - SOURCE_LEAST);
	skip = count_skipped_stages(p, rows, most);
	rows = MIN(rows, most);
	verdict.h = rows;
	body.h -= rows;
	verdict.y = body.y + body.h;
	verdict.x = 1;
	verdict.w -= 2;
	draw_rung_verdict(c, verdict, p, skip);
	task = body;
	if (beside) {
		task.w = c->w * 2 / 5;
		task.x = c->w - task.w;
		body.w -= task.w;
		draw_task(c, task, p);
	}
	if (p->page == PRACTICE_TASK && !beside)
		draw_task(c, body, p);
	else
		draw_page(c, body, p);
}

void view_practice(struct canvas *c, const struct frame_model *s)
{
	if (s->practice->open)
		draw_open_rung(c, s->practice);
	else
		draw_map(c, s->practice);
	view_keys(c, (struct rect){ 0, c->h - 1, c->w, 1 }, s);
}
