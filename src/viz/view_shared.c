/* The tiles in shared memory: what is there, who put it there. */
#include <stdio.h>
#include <stdlib.h>

#include "base/text.h"
#include "viz/show.h"

/* How the arrays are shown: where there is no room for all, `some`: those that
 * are touched now, and of a ring of stages the one. */
struct plan {
	int scale, cells;
	bool beside, some;
};

static bool touched(const struct scene *sc)
{
	for (size_t i = 0; i < sc->array_count; i++)
		if (sc->arrays[i].now &&
		    sc->arrays[i].array->space == SPACE_SHARED)
			return true;
	return false;
}

static bool shown(const struct scene *sc, const struct stage_array *a,
		  const struct plan *p)
{
	return a->array->space == SPACE_SHARED &&
	       (!p->some || a->now || !touched(sc));
}

static struct picture_form form_of(const struct plan *p)
{
	if (p->cells == 2)
		return (struct picture_form){ { 2, 1, false }, 1, 1 };
	if (p->scale == 1)
		return (struct picture_form){ { 1, 1, true }, 1, 1 };
	return (struct picture_form){ { 1, 1, false }, p->scale,
				      2 * p->scale };
}

/* Rows of it, and which of that many they are, or -1 for all. */
static uint32_t part_rows(const struct stage_array *a, const struct plan *p,
			  int *part)
{
	bool ring = p->some && a->array->rank > 2;
	uint32_t rows = ring ? a->rows / (uint32_t)a->array->dims[0] : a->rows;

	*part = ring ? 0 : -1;
	for (size_t i = 0; ring && i < a->mark_count; i++)
		if (!a->marks[i].age && !a->marks[i].other)
			*part = (int)(a->marks[i].row / rows);
	return rows;
}

static int title_words(char *buf, size_t size, const struct stage_array *a,
		       const struct plan *p)
{
	int part;
	uint32_t rows = part_rows(a, p, &part);

	if (part < 0)
		return snprintf(buf, size, " %u\xc3\x97%u", rows, a->cols) - 1;
	return snprintf(buf, size, "[%d] %u\xc3\x97%u", part, rows, a->cols) - 1;
}

static int part_height(const struct stage_array *a, const struct plan *p)
{
	int part;
	uint32_t down = p->cells > 1 ? 1 : 2 * (uint32_t)p->scale;

	return (int)((part_rows(a, p, &part) + down - 1) / down);
}

/* Of pictures beside each other: that of its title, where that is wider. */
static int width_beside(const struct stage_array *a, const struct plan *p)
{
	char words[64];
	int title = text_width(a->array->name) +
		    title_words(words, sizeof(words), a, p);

	return MAX(picture_width(a, form_of(p)), title);
}

/* Whether all that is shown fits beside or above each other. */
static bool fits(const struct scene *sc, struct rect r, const struct plan *p)
{
	int w = 0, h = 0, n = 0;

	for (size_t i = 0; i < sc->array_count; i++) {
		const struct stage_array *a = &sc->arrays[i];
		int aw, ah;

		if (!shown(sc, a, p))
			continue;
		aw = p->beside ? width_beside(a, p) :
				 picture_width(a, form_of(p));
		ah = part_height(a, p) + 1;
		w = p->beside ? w + aw + (n ? 2 : 0) : MAX(w, aw);
		h = p->beside ? MAX(h, ah) : h + ah;
		n++;
	}
	return w <= r.w && h <= r.h;
}

/* Larger scales than this do not show all arrays. */
#define SCALE_ALL 8

static struct plan plan_of(const struct scene *sc, struct rect r)
{
	struct plan p = { .scale = 1, .cells = 2 };

	while (!fits(sc, r, &p) && p.scale < 1 << 16) {
		p.beside = !p.beside;
		if (p.beside)
			continue;
		if (p.cells == 2)
			p.cells = 1;
		else if (p.scale < SCALE_ALL || p.some)
			p.scale *= 2;
		else
			p = (struct plan){ .scale = 1, .cells = 1,
					   .some = true };
	}
	return p;
}

static void draw_title(struct canvas *c, int x, int y, int width,
		       const struct stage_array *a, const struct plan *p)
{
	char words[64];
	int used = canvas_text(c, x, y, width, a->array->name,
			       a->now ? INK_BOLD(ROLE_ACCENT) :
					INK_BOLD(ROLE_STRONG));

	title_words(words, sizeof(words), a, p);
	if (p->beside || p->some)
		canvas_text(c, x + used, y, width - used, words,
			    INK(ROLE_DIM));
	else
		canvas_textf(c, x + used, y, width - used, INK(ROLE_DIM),
			     _(" %u × %u  %u of %u stored"), a->rows, a->cols,
			     a->stored, a->rows * a->cols);
}

static void draw_tiles(struct canvas *c, struct rect r, const struct show *s,
		       const struct plan *p)
{
	int x = r.x, y = r.y;

	for (size_t i = 0; i < s->scene->array_count; i++) {
		const struct stage_array *a = &s->scene->arrays[i];
		int w = MIN(picture_width(a, form_of(p)),
			    r.x + r.w - x);
		int h = MIN(part_height(a, p), r.y + r.h - y - 1);

		if (!shown(s->scene, a, p) || w < 1 || h < 1)
			continue;
		draw_title(c, x, y, r.x + r.w - x, a, p);
		picture_draw(c, (struct rect){ x, y + 1, w, h }, s, a,
			     form_of(p));
		if (p->beside)
			x += width_beside(a, p) + 2;
		else
			y += h + 1;
	}
}

static bool available(const struct show *s)
{
	return s->scene && scene_has(s->scene, SPACE_SHARED);
}

static void draw(struct canvas *c, struct rect r, const struct show *s)
{
	const struct scene *sc = s->scene;
	struct plan plan;
	char line[256];
	int words = 2;
	bool bulk = sc && sc->site && op_is_bulk(sc->site->op);

	r = canvas_frame(c, r, _("shared memory"), NULL, false);
	r.x++;
	r.w -= 2;
	if (!available(s)) {
		prose_text(c, r, 0, _("This kernel uses no shared memory."),
			   INK(ROLE_DIM));
		return;
	}
	if (bulk)
		words = MIN(prose_text(NULL, r, 0, sc->sentence,
				       INK(ROLE_TEXT)), r.h * 2 / 5);
	r.h -= words;
	plan = plan_of(sc, r);
	draw_tiles(c, r, s, &plan);
	r = (struct rect){ r.x, r.y + r.h, r.w, words };
	if (bulk)
		prose_fit(c, r, sc->sentence, INK(ROLE_TEXT));
	else if (owner_words(line, sizeof(line), sc))
		prose_text(c, r, 0, line, INK(ROLE_TEXT));
}

static enum view_rank rank(const struct scene *sc)
{
	return sc->array && sc->array->space == SPACE_SHARED &&
	       op_is_bulk(sc->site->op) ? RANK_STEP : RANK_BESIDE;
}

const struct view view_shared = {
	.name = "shared",
	.title = N_("shared memory"),
	.help = N_("the block's tiles, and who stored them"),
	.pane = PANE_PICTURE,
	.available = available,
	.rank = rank,
	.draw = draw,
};
