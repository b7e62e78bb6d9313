/*
 * view: the views of a step, as one table.
 *
 * A view is a file view_NAME.c that ends in its struct view, and a line in
 * scene/view_list.h. Tab, the help, the words that a lesson's `show` accepts
 * and the choice of the panel's view all walk that list.
 */
#ifndef VIZ_VIEW_H
#define VIZ_VIEW_H

#include "scene/scene.h"
#include "viz/canvas.h"

struct show;

/* The panes of a screen; a small screen shows one at a time. */
enum pane { PANE_STAGE, PANE_PANEL, PANE_SOURCE, PANE_LESSON, PANE_COUNT };

/* How strongly a step calls for a view in the panel. */
enum view_rank { RANK_NONE, RANK_ALWAYS, RANK_BESIDE, RANK_STEP };

struct view {
	const char *name;	/* the word after `show` in a lesson */
	/* shown on the screen; translated there */
	const char *title, *help;
	enum pane pane;
	/* The view is about the request: it comes and goes with the step and is
	 * never kept in the panel. */
	bool follows;
	/* Whether the view can be shown; NULL: always. */
	bool (*available)(const struct show *s);
	/* The view's rank, for views of the panel; called only if the scene has
	 * a site. */
	enum view_rank (*rank)(const struct scene *sc);
	void (*draw)(struct canvas *c, struct rect r, const struct show *s);
};

/* In the order in which Tab goes through them; NULL-terminated. */
extern const struct view *const views[];

const struct view *view_find(const char *name);
/* The views in the panel and, where there is room, in a second one: first the
 * view that the reader chose, then those of the highest rank; of equals the
 * earlier in views[]. */
void view_panels(const struct show *s, const struct view *panels[2]);

/* A stop of the Tab key: a pane, and the view kept in the panel (NULL:
 * none). */
struct view_stop { enum pane pane; const struct view *panel; };
/* The stop `by` stops after the current one, on a screen of w x h cells. */
struct view_stop view_turn(const struct show *s, int w, int h, int by);
/* The stop at which a lesson's step begins, given the views that it names. */
struct view_stop view_begin(char *const *names, size_t count);

#endif
