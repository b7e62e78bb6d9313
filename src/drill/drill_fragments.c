/* drill_fragments: questions on which lane holds an element of a matrix, and in
 * which register. */
#include <string.h>

#include "base/lang.h"
#include "drill/drill_topic.h"

struct matrix_instruction { const char *name, *operands; };

static const struct matrix_instruction sums[] = {
	{ "m16n8k16.f16", "D" }, { "m16n8k8.tf32", "D" },
	{ "wmma.m16n16k16.f16", "C" },
};
static const struct matrix_instruction inputs[] = {
	{ "m16n8k16.f16", "AB" }, { "m16n8k8.tf32", "AB" },
	{ "m16n8k8.f16", "AB" },
};
static const struct matrix_instruction others[] = {
	{ "m16n8k32.s8", "ABD" }, { "wmma.m16n16k16.f16", "AB" },
	{ "m16n8k16.bf16", "AB" }, { "wgmma.m64n16k16.f16", "D" },
	{ "ldmatrix.x1", "R" }, { "ldmatrix.x1.trans", "R" },
	{ "m8n8k4.f64", "ABC" },
};

static void choose_fragment(struct drill_question *q, struct drill_random *r)
{
	const struct matrix_instruction *i =
		q->level == 1 ? &drill_of(r, sums) :
		q->level == 4 ? &drill_of(r, others) :
				&drill_of(r, inputs);
	struct fragment_wish wish = { .name = i->name };
	struct error e;

	wish.operand = i->operands[drill_below(r,
					(uint32_t)strlen(i->operands))];
	if (fragment_find(&wish, &q->fragment, &e))
		fatal("drill: %s %c: %s", i->name, wish.operand, e.text);
}

int drill_holder(const struct drill_question *q, int row, int col)
{
	struct fragment_place p = { .row = row, .col = col };

	fragment_holder(&q->fragment, &p);
	return p.lane;
}

/* "D(3, 4)" */
static void name_place(char *buf, size_t size, const struct fragment *f,
		       const struct fragment_place *p)
{
	snprintf(buf, size, "%c(%d, %d)", f->operand, p->row, p->col);
}

/* Writes what a lane holds, element by element: "A(0, 2), A(0, 3)". */
static void write_holdings(char *buf, size_t size, const struct fragment *f,
			   int lane)
{
	size_t n = 0;

	for (int i = 0; i < f->elements && i < 8 && n < size; i++) {
		struct fragment_place p = { .lane = lane, .element = i };
		char name[32];

		fragment_element(f, &p);
		name_place(name, sizeof(name), f, &p);
		n += (size_t)snprintf(buf + n, size - n, "%s%s", i ? ", " : "",
				      name);
	}
	if (f->elements > 8 && n < size)
		snprintf(buf + n, size - n, ", \xe2\x80\xa6");
}

/* ---- which lane? ---- */

/* Adds a lane as a wrong answer, unless it holds the element after all. */
static void wrong_lane(struct drill_question *q, int lane, const char *belief)
{
	const struct fragment *f = &q->fragment;
	char held[300], text[32];

	lane %= f->lanes;
	for (int i = 0; i < f->elements; i++) {
		struct fragment_place p = { .lane = lane, .element = i };

		fragment_element(f, &p);	/* a copy may be there, too */
		if (p.row == q->place.row && p.col == q->place.col)
			return;
	}
	write_holdings(held, sizeof(held), f, lane);
	snprintf(text, sizeof(text), _("lane %d"), lane);
	drill_wrong(q, text, _("%s Lane %d holds %s."), belief, lane, held);
}

static void ask_lane(struct drill_question *q)
{
	const struct fragment *f = &q->fragment;
	const struct fragment_place *p = &q->place;
	char name[32], held[300], text[32];

	q->by_place = true;
	name_place(name, sizeof(name), f, p);
	q->words = xasprintf(_("%s, operand %c of %d x %d elements: which lane "
			       "holds %s?"), f->name, f->operand, f->rows,
			     f->cols, name);
	write_holdings(held, sizeof(held), f, p->lane);
	snprintf(text, sizeof(text), _("lane %d"), p->lane);
	drill_right(q, text, _("Lane %d holds %s; %s is its %c%d."), p->lane,
		    held, name, f->operand | 32, p->element);
	wrong_lane(q, p->row * f->cols + p->col,
		   _("Elements are not dealt out to lanes row by row, one "
		     "each."));
	wrong_lane(q, drill_holder(q, p->col % f->rows, p->row % f->cols),
		   _("Row and column have changed places."));
	wrong_lane(q, p->row * 4 + p->col % 4,
		   _("A lane may hold neighbours, so that four lanes hold more "
		     "than four columns of a row."));
	wrong_lane(q, p->row, _("A row is not one lane's."));
	wrong_lane(q, p->col * f->rows + p->row,
		   _("Elements are not dealt out column by column."));
	if (drill_wants_more(q))
		wrong_lane(q, p->lane + 1, _("One too many."));
}

/* ---- which element? ---- */

/* Adds a place as a wrong answer, unless it is outside or the right one. */
static void wrong_place(struct drill_question *q, int row, int col,
			const char *belief)
{
	const struct fragment *f = &q->fragment;
	struct fragment_place p = { .row = row, .col = col };
	char name[32];

	if (row < 0 || col < 0 || row >= f->rows || col >= f->cols ||
	    (row == q->place.row && col == q->place.col))
		return;
	fragment_holder(f, &p);
	name_place(name, sizeof(name), f, &p);
	drill_wrong(q, name, _("%s %s is with lane %d, as its %c%d."), belief,
		    name, p.lane, f->operand | 32, p.element);
}

static void ask_place(struct drill_question *q)
{
	const struct fragment *f = &q->fragment;
	const struct fragment_place *p = &q->place;
	struct fragment_place other = *p;
	char name[32], held[300];
	int at = p->lane * f->elements + p->element;

	name_place(name, sizeof(name), f, p);
	q->words = xasprintf(_("%s, operand %c of %d x %d elements: what does "
			       "lane %d hold as its %c%d?"), f->name,
			     f->operand, f->rows, f->cols, p->lane,
			     f->operand | 32, p->element);
	write_holdings(held, sizeof(held), f, p->lane);
	drill_right(q, name, _("Lane %d holds %s, in this order from %c0 on."),
		    p->lane, held, f->operand | 32);
	wrong_place(q, at / f->cols, at % f->cols,
		    _("A lane's elements do not stand in one run of a row."));
	wrong_place(q, p->col, p->row, _("Row and column have changed "
					 "places."));
	other.element = (p->element + f->elements / 2) % f->elements;
	fragment_element(f, &other);
	wrong_place(q, other.row, other.col, _("That is another of this lane's "
					       "elements, or its copy."));
	wrong_place(q, p->lane / 4, p->lane % 4 * 2,
		    _("That is where the lane's first pair often is, but not "
		      "this element."));
	if (drill_wants_more(q))
		wrong_place(q, p->row, p->col + 1, _("One column too far."));
}

static bool draw(struct drill_question *q, struct drill_random *r)
{
	const struct fragment *f = &q->fragment;
	struct fragment_place *p = &q->place;

	q->about = DRILL_FRAGMENT;
	choose_fragment(q, r);
	p->lane = drill_from(r, 0, f->lanes - 1);
	p->element = drill_from(r, 0, f->elements - 1);
	fragment_element(f, p);
	if (p->copy)		/* the first of several is the one asked for */
		return false;
	if (q->level < 3 || (q->level == 4 && drill_below(r, 2)))
		ask_lane(q);
	else
		ask_place(q);
	return true;
}

const struct drill_topic drill_fragments = {
	.name = "fragments",
	.title = N_("Which lane holds which element"),
	.levels = {
		N_("sums of a matrix instruction: which lane?"),
		N_("its inputs: which lane?"),
		N_("a lane's register: which element?"),
		N_("other types, wgmma and ldmatrix"),
	},
	.draw = draw,
};
