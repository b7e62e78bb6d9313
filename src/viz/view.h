/*
 * view: the views of a step, as one table.
 *
 * A view is a file view_NAME.c that ends in its entry, and a line in
 * scene/view_list.h. Tab, the help, the words that a lesson's `show` may use
 * and the choice of what the panel shows all walk that list.
 */
#ifndef VIZ_VIEW_H
#define VIZ_VIEW_H

#include "scene/scene.h"
#include "viz/canvas.h"

struct show;

/* The panes of a screen; on a small one they take turns. */
enum pane { PANE_STAGE, PANE_PANEL, PANE_SOURCE, PANE_LESSON, PANE_COUNT };

/* How much a step calls for a view in the panel. */
enum view_rank { RANK_NONE, RANK_ALWAYS, RANK_BESIDE, RANK_STEP };

struct view {
	const char *name;	/* as lessons' `show` says it */
	const char *title, *help;	/* on the screen; not yet translated */
	enum pane pane;
	/* It is about the request, comes and goes with the step, and is never
	 * kept in the panel. */
	bool follows;
	/* NULL: always. */
	bool (*available)(const struct show *s);
	/* For views of the panel; the scene has a site. */
	enum view_rank (*rank)(const struct scene *sc);
	void (*draw)(struct canvas *c, struct rect r, const struct show *s);
};

/* In the order in which Tab goes through them; NULL-terminated. */
extern const struct view *const views[];

const struct view *view_find(const char *name);
/* What the panel and, where there is room, a second one show: what the reader
 * has chosen, then what the step calls for most; of equals the earlier. */
void view_panels(const struct show *s, const struct view *panels[2]);

/* Where Tab stops: a pane, and what is kept in the panel (NULL: nothing). */
struct view_stop { enum pane pane; const struct view *panel; };
/* So many stops on from where the show is, on a screen of w x h. */
struct view_stop view_turn(const struct show *s, int w, int h, int by);
/* Where a lesson's step begins, by the names that it says to show. */
struct view_stop view_begin(char *const *names, size_t count);

#endif
