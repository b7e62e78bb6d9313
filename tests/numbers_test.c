/*
 * Text and picture of a step agree: where both give a number of the same
 * quantity (the sectors or wavefronts of the request that the step stands at,
 * the blocks, warps or registers of its launch on an SM, the GB that its kernel
 * was counted to move), it is the same. The quantity is known from the
 * expression in the lesson's text, and from the word after a number in the
 * picture.
 */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/reader.h"
#include "base/lang.h"
#include "tap.h"

static const struct quantity {
	const char *function, *view, *unit;
} quantities[] = {
	{ "sectors", "sectors", " sector" },
	{ "ideal_sectors", "sectors", " would do" },
	{ "ideal_sectors", "sectors", " sector would do" },
	{ "ideal_sectors", "sectors", " sectors would do" },
	{ "lanes", "sectors", " lanes" },
	{ "wavefronts", "banks", " wavefront" },
	{ "ideal_wavefronts", "banks", " wavefront" },
	{ "ways", "banks", "-way" },
	{ "occupancy_blocks", "occupancy", " block" },
	{ "occupancy_warps", "occupancy", " warp" },
	{ "race_registers", "occupancy", " register" },
	{ "threads", "occupancy", " threads" },
	{ "round", "memory", " GB" },
};

static int compared;

/* ---- what the text says ---- */

/* Returns the step's kernel as races name it: "tiled:TILE=16"; the caller frees
 * it. */
static char *race_name(const struct reader *r)
{
	const struct lesson_record *k = &r->lesson->records[r->recording];
	struct str name = { 0 };

	str_add(&name, k->kernel);
	for (size_t i = 0; i < k->define_count; i++)
		str_addf(&name, "%c%s=%s", i ? ',' : ':', k->defines[i].name,
			 k->defines[i].value);
	return str_take(&name);
}

/* Tells whether an expression is what counters say of the step's kernel in GB,
 * and of no other. */
static bool is_counted(const struct reader *r, const char *expr)
{
	char *name = race_name(r);
	size_t n = strlen(name);
	bool own = strstr(expr, "/ 1e9, ") &&
		   (strstr(expr, "_bytes\")") || strstr(expr, " * 128 / "));
	int calls = 0;

	for (const char *p = expr; (p = strstr(p, "race_counter(")) != NULL;) {
		p += strlen("race_counter(");
		p += *p == '"';
		own = own && !strncmp(p, name, n) && strchr("\",", p[n]);
		calls++;
	}
	free(name);
	return own && calls;
}

/* Tells whether an expression is one call of a function. */
static bool is_call(const char *expr, const char *function)
{
	size_t n = strlen(function);
	int depth = 0;

	if (strncmp(expr, function, n) || expr[n] != '(')
		return false;
	for (const char *p = expr + n; *p; p++) {
		depth += (*p == '(') - (*p == ')');
		if (!depth && p[1])
			return false;
	}
	return true;
}

/* Tells whether an expression is the quantity of the step's own request, launch
 * or kernel. */
static bool is_own(const struct reader *r, const struct quantity *q,
		   const char *expr)
{
	const struct lesson_step *s = &r->lesson->steps[r->step];
	const char *array = s->stand.array;
	const char *arguments = expr + strlen(q->function) + 1;

	if (!is_call(expr, q->function))
		return false;
	if (!strcmp(q->unit, " GB"))
		return is_counted(r, expr);
	if (!strcmp(q->function, "threads"))
		return *arguments == ')';
	if (!strcmp(q->function, "race_registers"))
		return !strncmp(arguments,
				r->lesson->records[r->recording].kernel,
				strcspn(arguments, ",:"));
	if (!strncmp(q->function, "occupancy", 9))
		return !strncmp(arguments, "\"sm_90\", threads(),", 19);
	return array && !strncmp(arguments, array, strlen(array)) &&
	       strchr(",)", arguments[strlen(array)]) &&
	       (!strchr(arguments, ',') == (s->stand.op != OP_ST));
}

/* ---- what the picture says ---- */

/* Returns where a number begins that ends at `end`. */
static const char *number_begin(const char *row, const char *end)
{
	while (end > row && (isdigit((unsigned char)end[-1]) ||
			     (end[-1] == '.' && isdigit((unsigned char)*end))))
		end--;
	return end;
}

/* Collects the numbers before a unit in a row: of "4 of 64 warps" the first. */
static int find_numbers(const char *row, const char *unit, double *numbers,
			int count, int room)
{
	for (const char *p = row; (p = strstr(p, unit)) != NULL; p++) {
		const char *from = number_begin(row, p), *end = from - 4;

		if (from == p || count == room)
			continue;
		if (from - row > 4 && !strncmp(end, " of ", 4) &&
		    number_begin(row, end) < end)
			from = number_begin(row, end);
		numbers[count++] = strtod(from, NULL);
	}
	return count;
}

static int read_rows(const struct canvas *c, struct rect r, const char *unit,
		     double *numbers, int count, int room)
{
	for (int y = r.y; y < r.y + r.h; y++) {
		struct str row = { 0 };

		for (int x = r.x; x < r.x + r.w; x++) {
			uint32_t ch = canvas_at(c, x, y)->ch;

			str_addc(&row, ch < 128 && ch >= ' ' ? (char)ch : ' ');
		}
		count = find_numbers(row.data ? row.data : "", unit, numbers,
				     count, room);
		str_done(&row);
	}
	return count;
}

/* Collects what the picture of a settled frame, its verdict and its caption say
 * of a unit. */
static int read_picture(struct reader *r, const char *unit, double *numbers,
			int room)
{
	struct screen_layout layout;
	struct canvas c;
	int count;

	reader_settle(r, 120, 36);
	layout_make(&layout, 120, 36, &r->show);
	canvas_init(&c, 120, 36);
	frame_draw(&c, &r->show);
	count = read_rows(&c, layout.picture, unit, numbers, 0, room);
	count = read_rows(&c, layout.verdict, unit, numbers, count, room);
	count = read_rows(&c, layout.caption, unit, numbers, count, room);
	canvas_done(&c);
	return count;
}

/* ---- both ---- */

/* Tells whether two numbers are the same to the digits that either has: three
 * in a picture, and one after the point at least. */
static bool same_number(double text, double picture)
{
	return fabs(text - picture) <= 0.005 * fabs(picture) + 1e-9 ||
	       fabs(text - picture) < 0.051;
}

static void compare(struct reader *r, const struct quantity *q,
		    const char *expr)
{
	double numbers[16], text;
	struct value v;
	struct error e;
	bool same = false;
	int count;

	if (lesson_eval(&r->traces, r->step, expr, &v, &e) < 0)
		return;
	text = v.kind == VALUE_INT ? (double)v.i : v.r;
	count = read_picture(r, q->unit, numbers, LENGTH(numbers));
	for (int i = 0; i < count; i++)
		same |= same_number(text, numbers[i]);
	compared += count > 0;
	if (!count || same)
		return;
	tap_ok(false, "%s %zu: %s is %g in the text", r->lesson->name,
	       r->step + 1, expr, text);
	for (int i = 0; i < count; i++)
		printf("# the picture says %g%s\n", numbers[i], q->unit);
}

/* Compares each number that words give of a quantity of the picture. */
static void compare_words(struct reader *r, const char *view, const char *words)
{
	for (const char *p = words; (p = strchr(p, '{')) != NULL; p++) {
		char *expr = xstrndup(p + 1, strcspn(p + 1, "}"));

		for (size_t i = 0; i < LENGTH(quantities); i++)
			if (!strcmp(quantities[i].view, view) &&
			    is_own(r, &quantities[i], expr))
				compare(r, &quantities[i], expr);
		free(expr);
	}
}

/* Compares a step whose first question is answered. Where the picture is drawn
 * for the question's own numbers, or was turned, it is of something else. */
static void compare_step(struct reader *r)
{
	const struct lesson_step *s = &r->lesson->steps[r->step];
	const char *view;

	reader_settle(r, 120, 36);
	if (s->question_count)
		reader_reveal(r);
	view = view_picture(reader_settle(r, 120, 36))->name;
	if (r->asked_stage || r->show.turns.launch.threads || s->beside ||
	    memcmp(&s->turns, &(struct turns){ .zoom = s->turns.zoom },
		   sizeof(s->turns)))
		return;
	for (size_t i = 0; i < s->prose_count; i++)
		for (size_t k = 0; k < s->prose[i].span_count; k++)
			compare_words(r, view, s->prose[i].spans[k].text);
	if (!s->question_count)
		return;
	for (size_t i = 0; i < s->question_count; i++) {
		compare_words(r, view, s->questions[i].words);
		compare_words(r, view, s->questions[i].right);
	}
}

static void compare_lesson(const char *lesson)
{
	struct reader_options o = { .lang = "en", .still = true };
	struct reader r;
	struct error e;

	reader_init(&r, &o);
	if (reader_open_lesson(&r, lesson, &e))
		fatal("%s", e.text);
	for (size_t i = 0; i < r.lesson->step_count; i++) {
		reader_settle(&r, 120, 36);
		reader_go_step(&r, i);
		compare_step(&r);
	}
	reader_done(&r);
}

static void test_find_numbers(void)
{
	double n[4];

	tap_is(find_numbers("4 blocks, 32 of 64 warps", " warp", n, 0, 4), 1,
	       "a row says how many warps there are");
	tap_is((int)n[0], 32, "... of all");
	tap_is(find_numbers("a 2-way conflict", "-way", n, 0, 4), 1,
	       "a row says of how many ways a conflict is");
	tap_is(find_numbers("no wavefronts, sector 3", " wavefront", n, 0, 4),
	       0, "a word without a number says none");
}

int main(void)
{
	lang_init("en");
	test_find_numbers();
	for (const char *const *n = lesson_names(); *n; n++)
		compare_lesson(*n);
	tap_ok(compared >= 12, "%d numbers are compared", compared);
	return tap_done();
}
