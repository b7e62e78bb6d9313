#include "cli/fragment_out.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/lang.h"

#define COLUMNS 80
#define LINES_SHOWN 80		/* of a picture */

/* ---- a part of a register, and an element's name ---- */

/* Writes an element's name: "a3" as in the ISA, "x[3]" as in wmma, "3" for
 * matrices. */
static const char *element_name(const struct fragment *f, int element,
				char buf[16])
{
	if (f->family == FRAGMENT_WMMA)
		snprintf(buf, 16, "x[%d]", element);
	else if (f->operand == 'R')
		snprintf(buf, 16, "%d", element);
	else
		snprintf(buf, 16, "%c%d", tolower(f->operand), element);
	return buf;
}

/* Returns the part of a register that an element is in, such as "register 1,
 * the upper half"; the caller frees it. */
static char *name_register_part(const struct fragment *f, int element)
{
	int parts = MAX(32 / f->bits, 1);
	int reg = element * f->bits / 32, part = element % parts;

	if (f->bits > 32)
		return xasprintf(_("registers %1$d and %2$d"), reg, reg + 1);
	if (parts == 32)
		return xasprintf(_("register %1$d, bit %2$d"), reg, part);
	if (parts == 8)
		return xasprintf(_("register %1$d, bits %2$d to %3$d"), reg,
				 part * 4, part * 4 + 3);
	if (parts == 4)
		return xasprintf(_("register %1$d, byte %2$d"), reg, part);
	if (parts == 1)
		return xasprintf(_("register %d"), reg);
	return xasprintf(part ? _("register %d, upper half") :
			 _("register %d, lower half"), reg);
}

/* ---- all places, one after another ---- */

static bool is_asked(const struct fragment_question *q,
		     const struct fragment_place *p)
{
	return (q->lane == NA || p->lane == q->lane) &&
	       (q->row == NA || (p->row == q->row && p->col == q->col));
}

/* Moves *p to the next place, by lane and element, that the question is about.
 * Returns false if there is none. */
static bool find_next_place(const struct fragment *f,
			    const struct fragment_question *q,
			    struct fragment_place *p)
{
	for (; p->lane < f->lanes; p->lane++, p->element = 0)
		for (; p->element < f->elements; p->element++) {
			fragment_element(f, p);
			if (is_asked(q, p))
				return true;
		}
	return false;
}

static void print_fragment_json(const struct fragment *f,
				const struct fragment_question *q)
{
	struct fragment_place p = { 0 };
	json_t *all = json_array();

	for (; find_next_place(f, q, &p); p.element++) {
		json_t *one = json_pack("{s:i, s:i}", "lane", p.lane,
					"register", p.element);

		if (f->matrices > 1)
			json_object_set_new(one, "matrix",
					    json_integer(p.matrix));
		json_object_set_new(one, "row", json_integer(p.row));
		json_object_set_new(one, "col", json_integer(p.col));
		json_array_append_new(all, one);
	}
	command_json_lines(all);
}

/* ---- sentences ---- */

static char *place_words(const struct fragment *f,
			 const struct fragment_place *p)
{
	if (f->matrices > 1)
		return xasprintf(_("%1$c[%2$d][%3$d] of matrix %4$d"),
				 f->operand, p->row, p->col, p->matrix);
	return xasprintf("%c[%d][%d]", f->operand, p->row, p->col);
}

static void print_lane(const struct fragment *f,
		       const struct fragment_question *q)
{
	struct fragment_place p = { 0 };
	char name[16];

	printf(_("Lane %1$d of %2$s holds of %3$c:\n"), q->lane, f->name,
	       f->operand);
	for (; find_next_place(f, q, &p); p.element++) {
		char *what = place_words(f, &p);
		char *part = name_register_part(f, p.element);

		printf("  %-5s  %s (%s)\n", element_name(f, p.element, name),
		       what, part);
		free(part);
		free(what);
	}
}

static void print_element(const struct fragment *f,
			  const struct fragment_question *q)
{
	struct fragment_place p = { 0 };
	bool found = false;
	char name[16];

	for (; find_next_place(f, q, &p); p.element++, found = true) {
		char *what = place_words(f, &p);
		char *part = name_register_part(f, p.element);

		printf(f->operand == 'R' ?
		       _("%1$s is element %2$s of lane %3$d (%4$s).\n") :
		       _("%1$s is %2$s of lane %3$d (%4$s).\n"), what,
		       element_name(f, p.element, name), p.lane, part);
		free(part);
		free(what);
	}
	if (!found)
		printf(_("Lane %1$d does not hold %2$c[%3$d][%4$d].\n"),
		       q->lane, f->operand, q->row, q->col);
}

/* ---- the picture ---- */

/* Counts the elements at the start of a row that one lane holds in order: they
 * share a cell. */
static int count_run(const struct fragment *f)
{
	struct fragment_place p = { 0 };
	int n = 1;

	for (; n < f->elements; n++) {
		p.element = n;
		fragment_element(f, &p);
		if (p.col != n || p.row || p.matrix || p.copy)
			break;
	}
	return n;
}

int fragment_out_range(char *buf, size_t size, int first, int run)
{
	if (run == 1)
		return snprintf(buf, size, "%d", first);
	return snprintf(buf, size, "%d-%d", first, first + run - 1);
}

static int format_cell(const struct fragment *f, struct fragment_place p,
		       int run, char buf[24])
{
	int n;

	fragment_holder(f, &p);
	n = snprintf(buf, 24, "%d:", p.lane);
	return n + fragment_out_range(buf + n, 24 - (size_t)n, p.element, run);
}

static int cell_width(const struct fragment *f, int run)
{
	struct fragment_place p = { .lane = f->lanes - 1,
				    .element = f->elements - run };
	char buf[24];

	fragment_element(f, &p);
	return MAX(format_cell(f, p, run, buf), 6);
}

/* Returns how many cells of a row fit next to each other: all, or a power of
 * two. */
static int count_fitting_cells(int cells, int width)
{
	int fit = (COLUMNS - 6) / (width + 1), n = 1;

	if (cells <= fit)
		return cells;
	while (n * 2 <= fit)
		n *= 2;
	return n;
}

static void print_panel(const struct fragment *f, int matrix, int from,
			int to, int run)
{
	int width = cell_width(f, run);
	char buf[24];

	printf("%5s", "");
	for (int col = from; col < to; col += run) {
		fragment_out_range(buf, sizeof(buf), col, run);
		printf(" %*s", width, buf);
	}
	putchar('\n');
	for (int row = 0; row < f->rows; row++) {
		printf("%5d", row);
		for (int col = from; col < to; col += run) {
			struct fragment_place p = { .matrix = matrix,
						    .row = row, .col = col };

			format_cell(f, p, run, buf);
			printf(" %*s", width, buf);
		}
		putchar('\n');
	}
}

static void print_matrix(const struct fragment *f, int matrix)
{
	int run = count_run(f), width = cell_width(f, run);
	int step = count_fitting_cells(f->cols / run, width) * run;
	int lines = 0;

	if (f->matrices > 1)
		printf(_("\nmatrix %d\n"), matrix);
	else
		putchar('\n');
	for (int from = 0; from < f->cols; from += step) {
		if (lines && lines + f->rows > LINES_SHOWN) {
			printf(_("... columns %1$d to %2$d are not shown; "
				 "--json has them\n"), from, f->cols - 1);
			return;
		}
		if (lines)
			putchar('\n');
		print_panel(f, matrix, from, from + step, run);
		lines += f->rows;
	}
}

static void print_fragment_head(const struct fragment *f)
{
	char first[16], last[16];

	printf("%s %c", f->name, f->operand);
	if (f->layout)
		printf(f->layout == 'r' ? _(", by rows") : _(", by columns"));
	printf(_(": %1$d x %2$d elements of %3$s, %4$d per lane\n"), f->rows,
	       f->cols, f->type, f->elements);
	if (f->lanes > 32)
		printf(_("Lanes are those of the warpgroup: 32 w + l is lane l "
			 "of warp w.\n"));
	printf(_("Each cell is LANE:ELEMENTS; a lane's elements are numbered "
		 "%1$s to %2$s.\n"), element_name(f, 0, first),
	       element_name(f, f->elements - 1, last));
	if (f->bits < 32)
		printf(_("%d of them share a 32-bit register, the first in "
			 "its lowest bits.\n"), 32 / f->bits);
	if (f->copies > 1)
		printf(_("Each element is held in %d places; the first is "
			 "shown.\n"),
		       f->copies);
	if (f->source == FRAGMENT_MEASURED)
		printf(_("The layout was measured on a GPU; the PTX ISA does "
			 "not specify it for wmma.\n"));
	if (f->source == FRAGMENT_INFERRED)
		printf(_("The layout was not measured: the PTX ISA does not "
			 "specify it for wmma. This one\n"
			 "is derived from that of mma.\n"));
}

void fragment_out(const struct fragment *f, const struct fragment_question *q)
{
	if (q->json) {
		print_fragment_json(f, q);
	} else if (q->row != NA) {
		print_element(f, q);
	} else if (q->lane != NA) {
		print_lane(f, q);
	} else {
		print_fragment_head(f);
		for (int m = 0; m < f->matrices; m++)
			print_matrix(f, m);
	}
}

int fragment_out_outside(const char *what, int rows, int cols,
			 struct error *e)
{
	return error_set(e, EXIT_USAGE,
			 "no such element: %s has %d rows and "
			 "%d columns",
			 _(what), rows, cols);
}
