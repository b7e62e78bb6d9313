/* The focused thread's register arrays, with their values. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "scene/scene_outer.h"
#include "viz/frame_model.h"

/* Returns the first element that the lane accesses now, or -1. */
static int64_t accessed_element(const struct scene *sc,
				const struct stage_array *a)
{
	if (!sc->array || sc->array != a->array || !sc->lane_active)
		return -1;
	return (int64_t)(sc->request.offset[sc->cursor.lane] /
			 a->array->elem_bytes * a->packed);
}

/* Returns the length of the longest number in the array. */
static int longest_number(const struct stage_array *a, int room)
{
	char text[32];
	int most = 1;

	for (uint32_t e = 0; e < a->rows * a->cols; e++) {
		if (!a->value[e].known)
			continue;
		number_fit(text, sizeof(text), a->value[e].v, room);
		most = MAX(most, (int)strlen(text));
	}
	return most;
}

/* Returns the rows of the largest digits in which numbers of this length
 * fit. */
static int digit_rows(struct rect r, int characters)
{
	char zeros[32];
	int rows;

	snprintf(zeros, sizeof(zeros), "%0*d", characters, 0);
	kit_digits(r, zeros, &rows);
	return rows;
}

/* Draws a cell: its number in digits as large as fit, and its index if that
 * fits at the left or above. */
static void draw_register(struct canvas *c, struct rect r,
			  const struct scene *sc, const struct stage_array *a,
			  uint32_t e, int characters)
{
	char text[32] = "\xc2\xb7", index[32];
	int64_t first = accessed_element(sc, a);
	bool now = first >= 0 && e - (uint64_t)first < a->packed;
	struct ink ink = now ? (struct ink){ ROLE_ON_HUE,
					     ROLE_HUE(sc->cursor.lane),
					     ATTR_BOLD } :
		      INK_ON(ROLE_TEXT, ROLE_FIELD);
	int w, rows, margin;

	if (!a->value[e].known && !now)
		ink.fg = ROLE_FAINT;
	if (a->value[e].known)
		number_fit(text, sizeof(text), a->value[e].v, r.w - 1);
	if (strchr(text, '#'))
		strcpy(text, "\xe2\x80\xa6");
	if (a->rows > 1)
		snprintf(index, sizeof(index), "[%u][%u]", e / a->cols,
			 e % a->cols);
	else
		snprintf(index, sizeof(index), "[%u]", e);
	r.w--;
	r.h -= r.h > 2;
	canvas_fill(c, r, ' ', ink);
	/* A margin, if the number leaves room for one. */
	margin = r.w > 2 && text_width(text) + 2 <= r.w;
	r.x += margin;
	r.w -= 2 * margin;
	rows = digit_rows(r, characters);
	w = kit_digits((struct rect){ r.x, r.y, r.w, rows }, text, &rows);
	if (rows < r.h || w + 1 + text_width(index) <= r.w)
		kit_whole(c, r.x, r.y, r.w, index, now ? INK(ROLE_ON_HUE) :
							 INK(ROLE_DIM));
	/* Without colour, digits on a hue's signs would not stand out. */
	if (rows < 2 || !a->value[e].known || (c->mono && now))
		canvas_right(c, r.x, r.y + r.h / 2, r.w, text, ink);
	else
		kit_number(c, (struct rect){ r.x + r.w - w,
					     r.y + r.h - rows, w, rows },
			   text, ink.fg);
}

static bool is_register(const struct stage_array *a)
{
	return a->array->space == SPACE_REGISTER && a->value;
}

/* Tells whether there is something to show: a value, or the access of this
 * step. */
static bool has_content(const struct stage_array *a)
{
	bool any = a->now;

	for (uint32_t e = 0; e < a->rows * a->cols; e++)
		any |= a->value[e].known;
	return any;
}

/* Which arrays are shown (with `all` also those without a value), how large a
 * cell is, whether several rows of an array may stand side by side, and the
 * rows left over. */
struct registers_plan {
	bool all, join;
	int w, h, spare;
};

/* Returns the next array after `last`, or NULL: those with fewest rows first,
 * so that large arrays, such as sums, are the ones cut. */
static const struct stage_array *next_array(const struct scene *sc,
					    const struct registers_plan *p,
					    const struct stage_array *last)
{
	const struct stage_array *best = NULL;

	for (size_t i = 0; i < sc->array_count; i++) {
		const struct stage_array *a = &sc->arrays[i];

		if (!is_register(a) || (!p->all && !has_content(a)) ||
		    (last && (a->rows < last->rows ||
			      (a->rows == last->rows && a <= last))))
			continue;
		if (!best || a->rows < best->rows)
			best = a;
	}
	return best;
}

/* Returns how many elements stand side by side: a part of the array's row, or
 * several rows. */
static uint32_t elements_across(const struct stage_array *a, int width,
				const struct registers_plan *p)
{
	uint32_t n = a->cols, most = (uint32_t)MAX(width / p->w, 1);

	while (n % 2 == 0 && n > most)
		n /= 2;
	while (p->join && n >= a->cols && n * 2 <= most &&
	       a->rows * a->cols % (n * 2) == 0)
		n *= 2;
	return n;
}

static int register_rows(const struct stage_array *a, int width,
			 const struct registers_plan *p)
{
	return (int)(a->rows * a->cols / elements_across(a, width, p));
}

/* Tells whether everything fits with cells of this width; sets their height. */
static bool fits_registers(struct registers_plan *p, struct rect r,
			   const struct scene *sc)
{
	const struct stage_array *a = NULL;
	int rows = 0, names = 0;

	while ((a = next_array(sc, p, a)) != NULL) {
		if ((int)elements_across(a, r.w, p) * p->w > r.w)
			return false;
		rows += register_rows(a, r.w, p);
		names++;
	}
	p->h = MIN((r.h - names) / MAX(rows, 1), MAX(p->w / 3, 4));
	p->spare = r.h - names - rows * p->h;
	return rows && p->h >= MAX(p->w / 6, 1);
}

/* Chooses the largest cells that fit. */
static struct registers_plan plan_registers(struct rect r,
					    const struct scene *sc)
{
	static const int widths[] = { 40, 32, 24, 16, 12, 8, 6, 4, 3 };
	struct registers_plan p;

	for (int content = 0; content < 2; content++)
		for (size_t i = 0; i < 2 * LENGTH(widths); i++) {
			p = (struct registers_plan){ .all = !content,
						     .join = i % 2,
						     .w = widths[i / 2] };
			if (fits_registers(&p, r, sc))
				return p;
		}
	p.h = 1;
	p.spare = 0;
	return p;
}

/* Draws as many rows of an array as fit, among them the one accessed now. */
static void draw_array(struct canvas *c, struct rect r, const struct scene *sc,
		       const struct stage_array *a,
		       const struct registers_plan *p)
{
	uint32_t n = elements_across(a, r.w, p);
	int64_t now = accessed_element(sc, a) / (int64_t)n;
	int rows = r.h / p->h, w = r.w / (int)n;
	int skip = now >= rows ? (int)now - rows + 1 : 0;
	int characters = longest_number(a, w > 3 ? w - 2 : w - 1);

	for (uint32_t e = 0; e < a->rows * a->cols; e++) {
		int row = (int)(e / n) - skip;

		if (row >= 0 && row < rows)
			draw_register(c,
				      (struct rect){ r.x + (int)(e % n) * w,
						     r.y + row * p->h, w,
						     p->h },
				      sc, a, e, characters);
	}
}

/* Returns the plan with higher cells for this array, taken from the rows left
 * over. Low cells stay: else only this array would have large digits. */
static struct registers_plan make_cells_higher(struct registers_plan *p,
					       const struct stage_array *a,
					       int width)
{
	int most = MAX(width / (int)elements_across(a, width, p) / 3, 4) - p->h;
	int rows = register_rows(a, width, p);
	struct registers_plan own = *p;
	int more = p->h < 3 ? 0 : MAX(MIN(p->spare / rows, most), 0);

	own.h += more;
	p->spare -= more * rows;
	return own;
}

/* Tells whether any register has a value, or gets one. */
static bool offered(const struct frame_model *s)
{
	for (size_t i = 0; i < s->scene->array_count; i++)
		if (is_register(&s->scene->arrays[i]) &&
		    has_content(&s->scene->arrays[i]))
			return true;
	return false;
}

static void draw(struct canvas *c, struct rect r, const struct frame_model *s)
{
	const struct scene *sc = s->scene;
	const struct stage_array *a = NULL;
	struct registers_plan all, p;

	canvas_textf(c, r.x, r.y, r.w, INK_BOLD(ROLE_HUE(sc->cursor.lane)),
		     _("registers of lane %u"), sc->cursor.lane);
	r.y++;
	r.h--;
	if (!offered(s)) {
		prose_text(c, r, 0, _("No register holds a value yet: → goes "
				      "on."), INK(ROLE_DIM));
		return;
	}
	all = plan_registers(r, sc);
	while ((a = next_array(sc, &all, a)) != NULL) {
		int fit;

		p = make_cells_higher(&all, a, r.w);
		fit = MIN(register_rows(a, r.w, &p), (r.h - 1) / p.h);
		if (fit < 1) {
			canvas_textf(c, r.x, r.y + r.h - 1, r.w,
				     INK(ROLE_WARN), _("… %s does not fit"),
				     a->array->name);
			return;
		}
		canvas_text(c, r.x, r.y, r.w, a->array->name,
			    a->now ? INK_BOLD(ROLE_ACCENT) : INK(ROLE_DIM));
		draw_array(c, (struct rect){ r.x, r.y + 1, r.w, fit * p.h },
			   sc, a, &p);
		r.y += fit * p.h + 1;
		r.h -= fit * p.h + 1;
	}
}

/* Tells whether there are registers; those of an outer product are in the
 * picture of block, warp and lane. */
static bool available(const struct frame_model *s)
{
	int square, column, row;

	return s->scene && scene_has(s->scene, SPACE_REGISTER) &&
	       !outer_find(s->scene, &square, &column, &row);
}

static enum view_rank rank(const struct scene *sc)
{
	return sc->array && sc->array->space == SPACE_REGISTER ? RANK_STEP :
								 RANK_NONE;
}

/* Counts the registers that hold a value. */
static void registers_words(struct str *out, const struct frame_model *s)
{
	const struct scene *sc = s->scene;
	unsigned known = 0, all = 0;

	for (size_t i = 0; i < sc->array_count; i++)
		for (uint32_t e = 0; is_register(&sc->arrays[i]) &&
		     e < sc->arrays[i].rows * sc->arrays[i].cols; e++) {
			known += sc->arrays[i].value[e].known;
			all++;
		}
	str_addf(out, _("%u of the %u elements that lane %u keeps in registers "
			"have a value."), known, all, sc->cursor.lane);
}

const struct view view_registers = {
	.name = "registers",
	.title = N_("registers"),
	.help = N_("what the focused thread's registers hold"),
	.pane = PANE_PICTURE,
	.available = available,
	.offered = offered,
	.rank = rank,
	.draw = draw,
	.words = registers_words,
};
