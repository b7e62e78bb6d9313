/* Draws what a drill's question is about: a fragment, an SM, lines of code. */
#include "viz/view_drill_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "viz/sm_resource.h"

/* ---- a fragment ---- */

#define RULER 3		/* columns at the left, for the rows' numbers */

static struct ink cell_ink(const struct frame_model *s, int row, int col, int lane)
{
	const struct drill_question *q = s->drill->question;
	const struct fragment_place *p = &q->place;
	bool asked = row == p->row && col == p->col;

	if (asked && (q->by_place || !s->quiet))
		return (struct ink){ ROLE_ON_HUE, ROLE_CURSOR, ATTR_BOLD };
	if (s->quiet)
		return INK_ON(ROLE_DIM, ROLE_FIELD);
	return INK_ON(ROLE_ON_HUE, lane == p->lane ? ROLE_HUE(lane) :
		      ROLE_FADE0 + (enum role)(lane / 8 % 4));
}

/* The rows of the operand that fit. */
struct operand_part {
	struct kit_size k;
	int first, rows;
};

static struct operand_part choose_rows_of_operand(struct rect r,
						  const struct frame_model *s)
{
	const struct drill_question *q = s->drill->question;
	const struct fragment *f = &q->fragment;
	struct operand_part p = { .rows = f->rows };

	do
		p.k = kit_fit(r.w - RULER, r.h - 2, (uint32_t)p.rows,
			      (uint32_t)f->cols);
	while (!p.k.w && (p.rows /= 2) > 1);
	/* The rows with the answer are not chosen before it is known. */
	if (p.rows && (q->by_place || !s->quiet))
		p.first = q->place.row / p.rows * p.rows;
	return p;
}

static void draw_operand_rulers(struct canvas *c, struct rect r,
				struct operand_part p, const struct fragment *f)
{
	struct kit_size k = p.k;

	for (int col = 0; col < f->cols; col += k.w < 3 ? 4 : 1)
		canvas_textf(c, r.x + RULER + col * k.w, r.y, 3,
			     INK(ROLE_FAINT), "%d", col);
	for (int row = 0; row < p.rows; row += k.half ? 8 : 1)
		canvas_textf(c, r.x, r.y + 1 + (k.half ? row / 2 :
						row * k.h + (k.h - 1) / 2),
			     RULER, INK(ROLE_FAINT), "%2d", p.first + row);
}

void drill_fragment(struct canvas *c, struct rect r, const struct frame_model *s)
{
	const struct drill_question *q = s->drill->question;
	const struct fragment *f = &q->fragment;
	struct operand_part p = choose_rows_of_operand(r, s);
	char text[16];

	if (!p.k.w)
		return;
	draw_operand_rulers(c, r, p, f);
	for (int row = 0; row < p.rows; row++)
		for (int col = 0; col < f->cols; col++) {
			int lane = drill_holder(q, p.first + row, col);

			snprintf(text, sizeof(text), "%d", lane);
			kit_element(c, r.x + RULER, r.y + 1, p.k,
				    (uint32_t)row, (uint32_t)col,
				    s->quiet ? NULL : text,
				    cell_ink(s, p.first + row, col, lane));
		}
	canvas_text(c, r.x, r.y + 1 + kit_height(p.k, (uint32_t)p.rows), r.w,
		    s->quiet ? q->by_place ? _("bright: the element") :
			       _("rows and columns of the operand") :
			       _("in each element the lane that holds it; "
				 "bright: the one in question"),
		    INK(ROLE_DIM));
}

/* ---- an SM ---- */

/* Draws a resource of the SM, filled by one block, or by as many as have
 * dropped in so far. */
static void draw_resource(struct canvas *c, struct rect r, const struct frame_model *s,
			  enum occupancy_resource resource)
{
	const struct drill_question *q = s->drill->question;
	const struct occupancy *o = &q->occupancy;
	int all = sm_resource_has(&q->arch, resource), takes = o->takes[resource];
	int n = s->quiet ? 1 : MAX(1, (int)(s->t * o->active_blocks + 0.5));
	bool full = !s->quiet && s->t >= 1 && o->limits[resource];

	canvas_fill(c, r, ' ', INK_ON(ROLE_DIM, full ? ROLE_WASTE :
						       ROLE_FIELD));
	for (int i = 0; i < n && takes > 0; i++) {
		int x0 = (int)((int64_t)i * takes * r.w / all);
		int x1 = (int)((int64_t)(i + 1) * takes * r.w / all);

		canvas_fill(c, (struct rect){ r.x + x0, r.y,
					      MAX(x1 - x0, 1), r.h }, ' ',
			    INK_ON(ROLE_ON_HUE, i % 2 ? ROLE_TRAIL0 :
							ROLE_HUE0));
	}
}

void drill_occupancy_bars(struct canvas *c, struct rect r,
			  const struct frame_model *s)
{
	const struct drill_question *q = s->drill->question;
	const struct occupancy *o = &q->occupancy;
	int each = MIN(8, r.h / (int)SM_RESOURCES);
	int rows = MAX(1, each - (each > 2) - 1);

	for (size_t i = 0; i < SM_RESOURCES && each > 0; i++) {
		enum occupancy_resource resource = sm_resources[i].resource;
		int y = r.y + (int)i * each;
		bool limit = o->limits[resource] && !s->quiet;

		if (each > 1)
			canvas_textf(c, r.x, y, r.w, limit ?
				     INK_BOLD(ROLE_BAD) : INK(ROLE_TEXT),
				     limit ? _("%s: %d of %d for a block; "
					       "this is the limit") :
				     _("%s: %d of %d for a block"),
				     _(sm_resources[i].name), o->takes[resource],
				     sm_resource_has(&q->arch, resource));
		draw_resource(c,
			      (struct rect){ r.x, y + (each > 1), r.w, rows },
			      s, resource);
	}
}

/* ---- code ---- */

static bool is_wait_line(const char *line)
{
	return strstr(line, "__sync") || strstr(line, "wait_group");
}

static struct ink line_ink(const struct frame_model *s, const char *line, int at)
{
	const struct drill_question *q = s->drill->question;
	bool arrived = q->committed && at < q->committed - q->pending;

	if (line[0] == '+')
		return (struct ink){ ROLE_GOOD, ROLE_LINE, ATTR_BOLD };
	if (is_wait_line(line))
		return INK_BOLD(ROLE_ACCENT);
	if (q->committed && !s->quiet)
		return INK(arrived ? ROLE_GOOD : ROLE_DIM);
	return INK(ROLE_CODE_WORD);
}

void drill_code(struct canvas *c, struct rect r, const struct frame_model *s)
{
	const struct drill_question *q = s->drill->question;
	const char *code = !s->quiet && q->mended ? q->mended : q->code;
	char *text = xstrdup(code), *save, *line;
	int at = 0, apart = 1;

	for (const char *p = code; *p; p++)
		apart += *p == '\n';
	apart = r.h >= 2 * apart ? 2 : 1;
	for (line = strtok_r(text, "\n", &save); line && at * apart < r.h;
	     line = strtok_r(NULL, "\n", &save), at++)
		canvas_text(c, r.x + 1, r.y + at * apart, r.w - 1, line,
			    line_ink(s, line, at));
	free(text);
}
