/* Fragment layouts, against what a GPU said of them
 * (bench/fragments_hardware.sh). */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "hardware/fragment.h"
#include "tap.h"

#define DATA "data/fragments-h200.jsonl"

struct tally {
	int lines, bad, unmarked;
};
static struct tally tallies[FRAGMENT_STMATRIX + 1], swizzles;
static int broken;		/* lines that are no layout */

static int number(const json_t *list, int i)
{
	const json_t *v = json_array_get(list, (size_t)i);

	return json_is_integer(v) ? (int)json_integer_value(v) : -1;
}

/* What a line says of a lane's element. */
static struct fragment_place said(const json_t *line, int elements, int lane,
				  int element)
{
	const json_t *matrix = json_object_get(line, "matrix");
	int at = lane * elements + element;

	return (struct fragment_place){
		.lane = lane, .element = element,
		.matrix = matrix ? number(matrix, at) : 0,
		.row = number(json_object_get(line, "row"), at),
		.col = number(json_object_get(line, "col"), at),
	};
}

/* The line as fragment.c would have it: what each bit of a number does. */
static void print_bits(const json_t *line, int elements, int count,
		       bool lanes)
{
	struct fragment_place zero = said(line, elements, 0, 0);

	for (int n = 1; n < count; n *= 2) {
		struct fragment_place p = said(line, elements, lanes ? n : 0,
					       lanes ? 0 : n);
		int row = p.row - zero.row, col = p.col - zero.col;
		int matrix = p.matrix - zero.matrix;

		if (row > 0 && !col && !matrix)
			printf("r%d", __builtin_ctz((unsigned)row));
		else if (col > 0 && !row && !matrix)
			printf("c%d", __builtin_ctz((unsigned)col));
		else if (matrix > 0 && !row && !col)
			printf("m%d", __builtin_ctz((unsigned)matrix));
		else
			printf(row || col || matrix ? "??" : "x_");
	}
}

static void show_difference(const json_t *line, const struct fragment *f,
			    int elements)
{
	printf("# %s %c %s: measured lanes ", f->name, f->operand,
	       json_string_value(json_object_get(line, "layout")));
	print_bits(line, elements, f->lanes, true);
	printf(" elements ");
	print_bits(line, elements, elements, false);
	printf(", model %s %s\n", f->lane_bits, f->element_bits);
}

static bool layout_agrees(const json_t *line, const struct fragment *f,
			  int elements)
{
	size_t all = (size_t)(f->lanes * f->elements);

	if (elements != f->elements ||
	    json_array_size(json_object_get(line, "row")) != all ||
	    json_array_size(json_object_get(line, "col")) != all)
		return false;
	for (int i = 0; i < f->lanes * f->elements; i++) {
		struct fragment_place p = { .lane = i / elements,
					    .element = i % elements }, s;

		fragment_element(f, &p);
		s = said(line, elements, p.lane, p.element);
		if (s.matrix != p.matrix || s.row != p.row || s.col != p.col)
			return false;
	}
	return true;
}

static void check_layout(const json_t *line)
{
	struct fragment_wish w = { 0 };
	struct fragment f;
	struct error e;
	const char *operand, *layout;
	int elements;
	struct tally *t;

	if (json_unpack((json_t *)line, "{s:s, s:s, s:s, s:s, s:i, s:i}",
			"name", &w.name, "operand", &operand, "layout",
			&layout, "accumulator", &w.accumulator, "arch",
			&w.arch, "elements", &elements) < 0) {
		broken++;
		return;
	}
	w.operand = *operand;
	w.layout = *layout;
	if (fragment_find(&w, &f, &e) < 0) {
		printf("# %s\n", e.text);
		broken++;
		return;
	}
	t = &tallies[f.family];
	t->lines++;
	if (f.source == FRAGMENT_INFERRED && t->unmarked++ < 3)
		printf("# %s %s %s is measured now\n", w.name, operand, layout);
	if (layout_agrees(line, &f, elements))
		return;
	t->bad++;
	show_difference(line, &f, elements);
}

static void check_swizzle(const json_t *line, int span)
{
	const json_t *rows = json_object_get(line, "row");
	const json_t *bytes = json_object_get(line, "byte");
	int wrong = json_array_size(rows) < (size_t)(8 * span / 2);

	for (size_t i = 0; i < json_array_size(rows); i++)
		wrong += fragment_swizzle(span, number(rows, (int)i),
					  number(bytes, (int)i)) != 2 * (int)i;
	swizzles.lines++;
	swizzles.bad += wrong > 0;
	if (wrong)
		printf("# swizzle of %d bytes: %d addresses differ\n", span,
		       wrong);
}

static void check_line(const char *text)
{
	json_t *line = json_loads(text, 0, NULL);
	const json_t *span = json_object_get(line, "swizzle");

	if (!json_is_object(line))
		broken++;
	else if (span)
		check_swizzle(line, (int)json_integer_value(span));
	else
		check_layout(line);
	json_decref(line);
}

static bool read_data(void)
{
	const char *srcdir = getenv("srcdir");
	char path[4096], *line = NULL;
	size_t size = 0;
	FILE *f;

	snprintf(path, sizeof(path), "%s/" DATA, srcdir ? srcdir : ABS_SRCDIR);
	f = fopen(path, "r");
	if (!f)
		return false;
	while (getline(&line, &size, f) > 0)
		check_line(line);
	free(line);
	fclose(f);
	return true;
}

static void judge(const struct tally *t, int least, const char *what)
{
	tap_ok(t->lines >= least, "%d layouts of %s were measured", t->lines,
	       what);
	tap_is(t->bad, 0, "the model agrees with all of them");
}

int main(void)
{
	if (!read_data()) {
		tap_skip("what the hardware says of fragments",
			 "there is no " DATA);
		return tap_done();
	}
	tap_is(broken, 0, "each line is a layout that the model knows");
	judge(&tallies[FRAGMENT_MMA], 88, "mma");
	judge(&tallies[FRAGMENT_WMMA], 90, "wmma");
	judge(&tallies[FRAGMENT_WGMMA], 5, "wgmma");
	judge(&tallies[FRAGMENT_LDMATRIX], 6, "ldmatrix");
	judge(&tallies[FRAGMENT_STMATRIX], 6, "stmatrix");
	judge(&swizzles, 3, "tiles in shared memory");
	tap_is(tallies[FRAGMENT_WMMA].unmarked, 0,
	       "what was measured is marked as measured");
	return tap_done();
}
