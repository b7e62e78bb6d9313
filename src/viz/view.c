#include "viz/view.h"

#include <string.h>

#include "scene/view_list.h"
#include "viz/frame_model.h"

#define DECLARATION(name) extern const struct view view_##name;
#define ADDRESS(name) &view_##name,

VIEW_LIST(DECLARATION)
extern const struct view view_source, view_lesson;

/* Source and lesson text have panes of their own; no step calls for them. */
const struct view *const views[] = {
	VIEW_LIST(ADDRESS) &view_source, &view_lesson, NULL
};

const struct view *view_find(const char *name)
{
	name = view_name(name);
	for (size_t i = 0; views[i]; i++)
		if (!strcmp(views[i]->name, name))
			return views[i];
	return NULL;
}

static bool is_available(const struct view *v, const struct frame_model *s)
{
	return !v->available || v->available(s);
}

/* Tells whether Tab leads to a view: not to one that is empty here, unless it
 * is on the screen. */
static bool is_offered(const struct view *v, const struct frame_model *s)
{
	return !v->offered || v->offered(s) || v == s->held;
}

/* Returns the picture of the highest rank at this step. */
static const struct view *best_picture(const struct frame_model *s)
{
	const struct view *best = views[0];
	enum view_rank most = RANK_NONE;

	for (size_t i = 0; s->scene && s->scene->site && views[i]; i++) {
		const struct view *v = views[i];
		enum view_rank rank;

		if (v->pane != PANE_PICTURE || !is_available(v, s))
			continue;
		rank = v->rank(s->scene);
		if (rank <= most)
			continue;
		best = v;
		most = rank;
	}
	return best;
}

const struct view *view_picture(const struct frame_model *s)
{
	/* Without a request there is nothing else to show. */
	if (s->scene && !s->scene->site && s->scene->finding)
		return view_find("defect");
	return s->held && is_available(s->held, s) ? s->held : best_picture(s);
}

#define STOPS 32

/* Lists all stops of the Tab key, in order. Returns their number. */
static size_t find_stops(const struct frame_model *s, struct view_stop stops[STOPS])
{
	const struct view *by_step = best_picture(s);
	size_t n = 0;

	for (size_t i = 0; views[i] && n < STOPS; i++)
		if (is_available(views[i], s) && is_offered(views[i], s))
			stops[n++] = (struct view_stop){ views[i]->pane,
				views[i]->pane != PANE_PICTURE ||
				views[i] == by_step ? NULL : views[i] };
	return n;
}

struct view_stop view_turn(const struct frame_model *s, int by)
{
	struct view_stop stops[STOPS];
	const struct view *held =
		view_picture(s) == best_picture(s) ? NULL : s->held;
	int n = (int)find_stops(s, stops), at = 0;

	for (int i = 0; i < n; i++)
		if (stops[i].pane == s->pane &&
		    (s->pane != PANE_PICTURE || stops[i].held == held))
			at = i;
	return stops[(at + n + by) % n];
}

struct view_stop view_begin(char *const *names, size_t count)
{
	struct view_stop begin = { PANE_PICTURE, NULL };

	for (size_t i = 0; i < count; i++) {
		const struct view *v = view_find(names[i]);

		if (v && v->pane == PANE_PICTURE)
			begin.held = v;
		else if (v && !i)
			begin.pane = v->pane;
	}
	return begin;
}

enum view_rank view_never(const struct scene *sc)
{
	(void)sc;
	return RANK_NONE;
}

bool view_on_ladder(const struct frame_model *s)
{
	return s->scene && s->scene->ladder;
}

void view_turn_rung(struct turns *t, const struct scene *sc, int by)
{
	(void)sc;
	t->rung += by;
}
