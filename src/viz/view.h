/*
 * view: the table of a step's views.
 *
 * A view is a file view_NAME.c that ends in its struct view, and a line in
 * scene/view_list.h. Tab, the help, the words that a lesson's `show` accepts
 * and the choice of the picture all walk that list.
 */
#ifndef VIZ_VIEW_H
#define VIZ_VIEW_H

#include "scene/scene.h"
#include "scene/turns.h"
#include "viz/canvas.h"

struct frame_model;

/* What can fill the middle of the screen: a picture, the source, or the
 * lesson's full text. */
enum pane { PANE_PICTURE, PANE_SOURCE, PANE_LESSON, PANE_COUNT };

/* How strongly a step calls for a picture. */
enum view_rank { RANK_NONE, RANK_ALWAYS, RANK_BESIDE, RANK_STEP };

/* A key that works in one picture only. */
struct view_key {
	uint32_t keys[2];
	/* the key's name and its label in the footer (NULL: left out), and the
	 * help's sentence (NULL: left out) */
	const char *key, *word, *help;
	/* Whether it does something here; NULL: always. */
	bool (*has)(const struct scene *sc);
	void (*turn)(struct turns *t, const struct scene *sc, int by);
	bool moves;	/* a turn starts the picture's motion */
	/* or moves the reader; false: it cannot. Neither: the step has this
	 * key, which only comes first in the footer. */
	bool (*move)(const struct scene *sc, struct cursor *p, int by);
	int by;
};

struct hit;

struct view {
	const char *name;	/* the word after `show` in a lesson */
	/* shown on the screen; translated there */
	const char *title, *help;
	enum pane pane;
	/* The picture is wider than high: source and text stand above and below
	 * it, not at its side. */
	bool wide;
	/* It shows measurements and nothing of the recording: the source leaves
	 * its rows to it, and a pair has one of it. */
	bool measured;
	/* The most lines of source next to a wide picture; 0: as many as there
	 * is room for, -1: none. */
	int lines;
	/* The picture tells what the trace's verdict does. */
	bool judges;
	/* Whether it is so for this kernel, with a line of source; NULL: as
	 * `wide` says. */
	bool (*spreads)(const struct frame_model *s);
	/* Whether the picture fills the screen here, and writes its sentences
	 * itself; NULL: never. */
	bool (*fills)(const struct frame_model *s);
	/* The columns that the picture needs: a pair of them that would have
	 * fewer stands one above the other. */
	int least;
	/* Whether the view can be shown at this step; NULL: always. A
	 * picture must be able to draw any step at which it can. */
	bool (*available)(const struct frame_model *s);
	/* Whether Tab leads to it here: it has something to say; NULL: always. A
	 * lesson may show it all the same; then it says which key leads on. */
	bool (*offered)(const struct frame_model *s);
	/* The rank of a picture; called only if the scene has a site. */
	enum view_rank (*rank)(const struct scene *sc);
	/* Computes what only this picture shows of the scene at the stage's
	 * cursor; NULL: nothing. Called when the picture is on the screen. */
	void (*prepare)(struct stage *s, const struct turns *t);
	/* Draws a scene that has a site. */
	void (*draw)(struct canvas *c, struct rect r, const struct frame_model *s);
	/* Draws two recordings, s->scene and s->beside, as one picture, with
	 * their names; false: it cannot, and draw() draws each. NULL: never. */
	bool (*draw_pair)(struct canvas *c, struct rect r,
			  const struct frame_model *s, char *const names[2]);
	/* Adds the sentences that tell what the picture shows beyond the step's
	 * own; NULL: nothing. Not called while a question is open. They stand
	 * under the picture, unless it is one of the request, whose sentence
	 * does. */
	void (*words)(struct str *out, const struct frame_model *s);
	bool of_request;
	/* Finds what lies under the cell (x, y) of a picture drawn in r; NULL:
	 * nothing can be clicked. */
	void (*hit)(const struct frame_model *s, struct rect r, int x, int y,
		    struct hit *hit);
	/* Moves the cursor by a number of the picture's own steps, such as
	 * turns of several devices; false: there is no such step. NULL: its
	 * steps are those of the trace. */
	bool (*step)(const struct scene *sc, struct cursor *p, int by);
	/* The picture runs by itself, as long as this in seconds, when it comes
	 * on the screen and when its question is answered. NULL: it moves with
	 * the steps. */
	double (*seconds)(const struct scene *sc);
	const struct view_key *keys;	/* its own; NULL: none */
	size_t key_count;
};

/* In the order of the Tab key; NULL-terminated. */
extern const struct view *const views[];

const struct view *view_find(const char *name);
/* Returns the picture on the screen: the one that the reader holds, while it
 * can be shown, else the one of the highest rank; of equals the earlier in
 * views[]. */
const struct view *view_picture(const struct frame_model *s);

/* ---- what several views have in common ---- */

/* Returns the rank of a picture that no step calls for: only a lesson or Tab
 * shows it. */
enum view_rank view_never(const struct scene *sc);
/* Tells whether the ladder's figures are known for the kernel on stage;
 * view_turn_rung() is the key that turns to another rung. */
bool view_on_ladder(const struct frame_model *s);
void view_turn_rung(struct turns *t, const struct scene *sc, int by);

/* A stop of the Tab key: a pane, and the picture that is held (NULL: none). */
struct view_stop { enum pane pane; const struct view *held; };
/* Returns the stop `by` stops after the current one. */
struct view_stop view_turn(const struct frame_model *s, int by);
/* Returns the stop at which a lesson's step begins, given the views that it
 * names. */
struct view_stop view_begin(char *const *names, size_t count);

#endif
