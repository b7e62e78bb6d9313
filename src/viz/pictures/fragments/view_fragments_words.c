/* Writes the legend and the sentences of the picture of fragments. */
#include <stdio.h>
#include <stdlib.h>

#include "base/lang.h"
#include "base/text.h"
#include "viz/kit.h"
#include "viz/legend.h"
#include "viz/pictures/fragments/view_fragments.h"

int fragments_legend(struct canvas *c, struct rect r, struct rect picture,
		     const struct board *b, bool list)
{
	char own[32], lanes[4][32];
	struct legend_entry e[5] = { { { ROLE_CURSOR }, own } };
	int rows = list ? 5 : 1, width = 4, widest = 0;

	snprintf(own, sizeof(own), _("lane %u"), b->s->scene->cursor.lane);
	for (int i = 0; i < 4; i++) {
		snprintf(lanes[i], sizeof(lanes[i]), _("lanes %d-%d"), 8 * i,
			 8 * i + 7);
		e[i + 1] = (struct legend_entry){
			{ (uint8_t)(ROLE_HUE0 + i), (uint8_t)(ROLE_TRAIL0 + i),
			  (uint8_t)(ROLE_FADE0 + i) }, lanes[i] };
		width += text_width(lanes[i]) + 6;
		widest = MAX(widest, 4 + text_width(lanes[i]));
	}
	width += text_width(own);
	if (rows > r.h || (list ? widest : width) > r.w)
		return 0;
	return list ? legend_list(c, r, picture, e, LENGTH(e)) :
		      legend_rows(c, r, picture, e, LENGTH(e));
}

/* ---- sentences ---- */

/* Writes how many steps the instruction is away from the cursor. */
static void write_away(char *buf, size_t size, const struct fragments *f)
{
	unsigned n = (unsigned)abs(f->away);

	if (f->away > 0)
		snprintf(buf, size, ngettext("Not at this step: this comes in "
					     "%u step.", "Not at this step: "
					     "this comes in %u steps.", n), n);
	else
		snprintf(buf, size, ngettext("Not at this step: this was %u "
					     "step ago.", "Not at this step: "
					     "this was %u steps ago.", n), n);
}

/* Returns how many elements of row `at` (of B: column) of an operand the lane
 * has; notes in *lanes which lanes have some. */
static int count_held(const struct board_operand *o, int at, int lane,
		      uint32_t *lanes)
{
	bool down = o->name == 'B';
	int n = 0;

	for (int k = 0; k < (down ? o->rows : o->cols); k++) {
		int holder = board_holder(o, down ? k : at, down ? at : k).lane;

		*lanes |= UINT32_C(1) << holder;
		n += holder == lane;
	}
	return n;
}

/* Lists the lanes of a set: "8, 10 and 11". */
static void list_lanes(struct str *out, uint32_t lanes)
{
	int left = __builtin_popcount(lanes);

	for (int lane = 0; lane < WARP_LANES; lane++) {
		if (!(lanes >> lane & 1))
			continue;
		str_addf(out, "%d", lane);
		left--;
		str_add(out, left > 1 ? _(", ") : left ? _(" and ") : "");
	}
}

/* Tells whether a lane has all of row `at` (of B: column). */
static bool is_one_lane(const struct board_operand *o, int at)
{
	uint32_t lanes = 0;

	count_held(o, at, 0, &lanes);
	return !(lanes & (lanes - 1));
}

/* Returns the sentence that the picture is about; "" if it is not so. */
static const char *point_words(const struct board *b)
{
	for (int row = 0; row < b->a.rows; row++)
		if (is_one_lane(&b->a, row))
			return "";
	for (int col = 0; col < b->b.cols; col++)
		if (is_one_lane(&b->b, col))
			return "";
	return _("No lane has a whole row or a whole column: so the warp "
		 "multiplies, not a lane.");
}

/* Tells how little of a row and of a column the lane has. */
static void add_share(struct str *out, const struct frame_model *s)
{
	uint32_t lane = s->scene->cursor.lane, lanes = 0;
	struct str others = {0};
	struct board b;
	int of_a, of_b;

	board_init(&b, s);
	of_a = count_held(&b.a, b.focus.row, b.lane, &lanes);
	of_b = count_held(&b.b, b.focus.col, b.lane, &lanes);
	str_addf(out, _("Lane %u has %d of %d numbers in row %d of A, %d of %d "
			"in column %d of B."), lane, of_a, b.a.cols,
		 b.focus.row, of_b, b.b.rows, b.focus.col);
	lanes &= ~(UINT32_C(1) << lane);
	if (!lanes)
		return;
	list_lanes(&others, lanes);
	str_addf(out, _(" The others are with lanes %s."), others.data);
	str_done(&others);
}

bool fragments_fill(const struct frame_model *s)
{
	return s->scene && s->scene->fragments && !s->lesson.title &&
	       !s->beside && s->scene->fragments->kind == FRAGMENTS_MMA;
}

#define NARROWEST 24	/* columns of sentences */

int fragments_tell(struct canvas *c, struct rect r, const struct board *b)
{
	const struct fragments *f = b->s->scene->fragments;
	struct str share = {0};
	const char *point = point_words(b);
	int y = r.y, x = r.x, gap = r.h >= 12;
	char products[96];

	if (r.w < NARROWEST || r.h < 1)
		return 0;
	x += kit_whole(c, x, y, r.w, f->name, INK_BOLD(ROLE_STRONG)) + 2;
	snprintf(products, sizeof(products), _("one instruction, %d products"),
		 f->m * f->n * f->k);
	kit_whole(c, x, y++, r.x + r.w - x, products, INK(ROLE_DIM));
	add_share(&share, b->s);
	for (int i = 0; i < 2; i++) {
		const char *text = i ? point : share.data;
		struct rect at = { r.x, y + gap, r.w, r.y + r.h - y - gap };
		int rows = prose_text(NULL, at, 0, text, INK(ROLE_TEXT));

		if (rows > at.h || !*text)
			continue;
		prose_text(c, at, 0, text, i ? INK_BOLD(ROLE_STRONG) :
					       INK(ROLE_TEXT));
		y += rows + gap;
	}
	str_done(&share);
	return y - r.y;
}

static void add_wgmma(struct str *out, const struct frame_model *s)
{
	const struct fragments *f = s->scene->fragments;
	int rows = f->m / 4;

	str_addf(out, _("Of %d rows of the product warp %d of the four holds "
			"%d, rows %d to %d; A and B are in shared memory."),
		 f->m, f->quarter, rows, f->quarter * rows,
		 f->quarter * rows + rows - 1);
}

static void add_row_words(struct str *out, const struct frame_model *s)
{
	const struct fragments *f = s->scene->fragments;

	str_add(out, f->stores ?
		_("A lane names a row; a number is the lane that gives the "
		  "element.") :
		_("A lane names a row; a number is the lane that gets the "
		  "element."));
	if (!s->quiet && f->wavefronts >= 0)
		str_addf(out, ngettext(" %d wavefront.", " %d wavefronts.",
				       (unsigned)f->wavefronts),
			 f->wavefronts);
	if (!s->quiet && f->plain_wavefronts > f->wavefronts)
		str_addf(out, _(" Without the swizzle it would be %d."),
			 f->plain_wavefronts);
}

void fragments_sentences(struct str *out, const struct frame_model *s)
{
	const struct fragments *f = s->scene->fragments;
	char away[128], caveat[64];
	struct board b;

	if (!f)
		return;
	if (f->away) {
		write_away(away, sizeof(away), f);
		str_addf(out, "%s%s", away, lang_joint());
	}
	if (f->kind == FRAGMENTS_MATRIX) {
		add_row_words(out, s);
		return;
	}
	fragments_caveat(caveat, sizeof(caveat), &f->d.layout);
	if (!s->quiet && f->kind == FRAGMENTS_MMA) {
		board_init(&b, s);
		str_addf(out, "%s%s", point_words(&b),
			 *point_words(&b) ? lang_joint() : "");
		add_share(out, s);
	} else if (!s->quiet)
		add_wgmma(out, s);
	str_add(out, s->quiet ? "" : lang_joint());
	str_addf(out, f->kind == FRAGMENTS_WGMMA ?
		 _("Four warps multiply %d \xc3\x97 %d by %d \xc3\x97 %d: "
		   "%d products.") :
		 _("The warp multiplies %d \xc3\x97 %d by %d \xc3\x97 %d: "
		   "%d products."), f->m, f->k, f->k, f->n,
		 f->m * f->n * f->k);
	if (caveat[0])
		str_addf(out, _(" Where the elements are: %s."), caveat);
}
