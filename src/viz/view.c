#include "viz/view.h"

#include <string.h>

#include "scene/view_list.h"
#include "viz/show.h"

#define DECLARATION(name) extern const struct view view_##name;
#define ADDRESS(name) &view_##name,

VIEW_LIST(DECLARATION)
extern const struct view view_source, view_lesson;

/* Source and words have panes of their own, which no step has to show. */
const struct view *const views[] = {
	VIEW_LIST(ADDRESS) &view_source, &view_lesson, NULL
};

const struct view *view_find(const char *name)
{
	for (size_t i = 0; views[i]; i++)
		if (!strcmp(views[i]->name, name))
			return views[i];
	return NULL;
}

static bool available(const struct view *v, const struct show *s)
{
	return !v->available || v->available(s);
}

/* The panel's view that the step calls for most, but for `other`. */
static const struct view *most_wanted(const struct show *s,
				      const struct view *other)
{
	const struct view *best = NULL;
	enum view_rank most = RANK_NONE;

	for (size_t i = 0; views[i]; i++) {
		const struct view *v = views[i];

		if (v->pane != PANE_PANEL || v == other ||
		    !available(v, s) || v->rank(s->scene) <= most)
			continue;
		best = v;
		most = v->rank(s->scene);
	}
	return best;
}

void view_panels(const struct show *s, const struct view *panels[2])
{
	panels[0] = s->panel ? s->panel : most_wanted(s, NULL);
	panels[1] = most_wanted(s, panels[0]);
}

/* Whether a pane takes turns with others in this layout. */
static bool takes_turns(enum layout_kind kind, enum pane pane)
{
	return pane == PANE_PANEL || kind == LAYOUT_SINGLE ||
	       (pane == PANE_STAGE && kind != LAYOUT_FULL);
}

static struct view_stop stop_of(const struct view *v)
{
	return (struct view_stop){ v->pane, v->pane == PANE_PANEL &&
				   !v->follows ? v : NULL };
}

#define STOPS 16

/* All stops in this layout, in order; returns how many. */
static size_t find_stops(const struct show *s, enum layout_kind kind,
			 struct view_stop stops[STOPS])
{
	size_t n = 0;

	for (size_t i = 0; views[i] && n < STOPS; i++) {
		struct view_stop stop = stop_of(views[i]);

		if (!takes_turns(kind, stop.pane) ||
		    !available(views[i], s))
			continue;
		/* Those that follow the step are one stop. */
		if (n && stops[n - 1].pane == stop.pane &&
		    stops[n - 1].panel == stop.panel)
			continue;
		stops[n++] = stop;
	}
	return n;
}

struct view_stop view_turn(const struct show *s, int w, int h, int by)
{
	struct view_stop stops[STOPS];
	struct layout l;
	int n, at = -1;

	layout_make(&l, w, h, s);
	n = (int)find_stops(s, l.kind, stops);
	for (int i = 0; i < n; i++)
		if ((l.kind == LAYOUT_FULL || stops[i].pane == s->pane) &&
		    (stops[i].pane != PANE_PANEL ||
		     stops[i].panel == s->panel))
			at = i;
	return stops[at < 0 ? 0 : (at + n + by) % n];
}

struct view_stop view_begin(char *const *names, size_t count)
{
	struct view_stop begin = { PANE_STAGE, NULL };

	for (size_t i = 0; i < count; i++) {
		const struct view *v = view_find(names[i]);

		if (v && !i)
			begin.pane = v->pane;
		if (v && !begin.panel)
			begin.panel = stop_of(v).panel;
	}
	return begin;
}
