/*
 * show: all that a frame is drawn from, and the views that draw it.
 *
 * The reader fills a show; views read it and draw on a canvas.
 * A frame is a pure function of a show and a size, so it can be drawn,
 * tested and exported without a terminal.
 */
#ifndef VIZ_SHOW_H
#define VIZ_SHOW_H

#include "base/lang.h"
#include "lesson/lesson.h"
#include "scene/benchmark_scene.h"
#include "scene/scene.h"
#include "viz/view.h"

/* A step of a lesson, its words already filled in and in the language. */
#define SHOW_CHOICES 4
struct show_lesson {
	const char *title;	/* of the lesson; NULL: no lesson, only a trace */
	int step, steps;	/* from 0 */
	const char *step_title;
	const struct lesson_paragraph *prose;
	size_t prose_count;
	/* The question that is open or was answered; NULL: none. */
	const char *question;
	const char *choices[SHOW_CHOICES];
	int choice_count;
	bool tried[SHOW_CHOICES];	/* and found wrong */
	int chosen;		/* -1: none yet */
	bool answered;		/* the right answer is known now */
	const char *typed;	/* a number being typed, "" */
	const char *reply;	/* to the last answer, or NULL */
	bool reply_good;
	int scroll;		/* rows from where the pane begins by itself */
};

struct show_key { const char *key, *word; };

struct show_list {		/* the opening screen */
	struct { const char *name, *title, *about; } entries[32];
	int count, chosen;
};

struct show {
	const struct scene *scene;	/* NULL: nothing recorded yet */
	const char *waiting;		/* why, in words */
	struct show_lesson lesson;
	const struct show_list *list;	/* not NULL: the opening screen */
	const struct benchmark_scene *benchmark;	/* not NULL: the race */
	bool help;
	int help_scroll;
	bool quiet;	/* a question is open: costs are not given away */
	const struct view *panel;	/* kept there; NULL: as the step goes */
	enum pane pane;			/* what a small screen shows first */
	bool zoom;			/* two cells an element */
	bool presenter;
	bool playing;
	double speed;			/* requests a second */
	int source_scroll;		/* lines off the current one */
	const char *goto_text;		/* being typed, or NULL */
	const char *message;		/* one line instead of the keys */
	bool message_bad;
	const struct show_key *keys;	/* the footer, in order of importance */
	size_t key_count;
	const struct show_key *help_keys;	/* all of them */
	size_t help_count;
};

/* Where things are: a pure function of the size and what is to be shown. */
enum layout_kind { LAYOUT_TOO_SMALL, LAYOUT_SINGLE, LAYOUT_HALVES,
		   LAYOUT_FULL };
struct layout {
	enum layout_kind kind;
	struct rect header, source, lesson, panel, second, stage, timeline,
		keys;
	/* Within the stage: the pictures, without their title rows. */
	struct rect a, b, c;
	int scale;		/* elements a pixel, each way */
	int cells;		/* 1: half-block pixels; 2: cells an element */
};
#define LAYOUT_MIN_W 40
#define LAYOUT_MIN_H 12
void layout_make(struct layout *l, int w, int h, const struct show *s);

/* The rows that the lesson's pane would take at this width, with its frame. */
int lesson_rows(const struct show_lesson *l, int width);
void view_header(struct canvas *c, struct rect r, const struct show *s);
void view_timeline(struct canvas *c, struct rect r, const struct show *s);
void view_keys(struct canvas *c, struct rect r, const struct show *s);
void view_list(struct canvas *c, const struct show *s);
void view_benchmark(struct canvas *c, const struct show *s);
void view_roofline(struct canvas *c, struct rect r,
		   const struct benchmark_scene *s);
/* Whether the race has this page of its own on a screen of w x h. */
bool benchmark_has_page(const struct benchmark_scene *s, int w, int h,
		   enum benchmark_page page);
/* The row of the race under a cell, or -1. */
int benchmark_hit(const struct benchmark_scene *s, int w, int h, int x, int y);
void view_help(struct canvas *c, const struct show *s);
/* The rows that the help can be scrolled by on a screen of w x h. */
int help_most(const struct show *s, int w, int h);

/* The whole frame. */
void frame_draw(struct canvas *c, const struct show *s);
/* The same as sentences, for people who do not look at pictures. */
char *frame_words(const struct show *s);
/* The race in sentences. */
char *benchmark_words(const struct benchmark_scene *s);
/* The open or answered question, with its choices and the reply. */
char *question_words(const struct show *s);

/* What lies under a cell, for the mouse. */
enum hit_kind { HIT_NOTHING, HIT_ELEMENT, HIT_TIMELINE, HIT_LESSON,
		HIT_SOURCE, HIT_PANEL, HIT_LIST };
struct hit {
	enum hit_kind kind;
	int array;		/* index in scene.arrays */
	uint32_t row, col, rows, cols;	/* the cell's first, and how many */
	double part;		/* of the timeline, 0..1 */
	int index;		/* of the list */
};
void frame_hit(const struct show *s, int w, int h, int x, int y,
	       struct hit *hit);

/* ---- shared by the views ---- */

/*
 * A stage array as pixels: role of element (row, col), from its marks and
 * boxes. roles has rows * cols entries, filled for the part from row0, col0.
 */
void picture_draw(struct canvas *c, struct rect r, const struct show *s,
		  const struct stage_array *a, int scale, int cells);
/* The elements that it shows of an array that does not fit. */
struct box picture_part(struct rect r, const struct show *s,
			const struct stage_array *a, int scale, int cells);
/* Rows a picture takes at this scale. */
int picture_width(const struct stage_array *a, int scale, int cells);
int picture_height(const struct stage_array *a, int scale, int cells);

/* Wraps words into r from `skip` rows on; returns all rows it would take.
 * CJK text may break between any two characters. */
int prose_text(struct canvas *c, struct rect r, int skip, const char *text,
	       struct ink ink);
/* From the top, with an ellipsis in the corner when it does not fit. */
void prose_fit(struct canvas *c, struct rect r, const char *text,
	       struct ink ink);
int prose_draw(struct canvas *c, struct rect r, int skip,
	       const struct lesson_paragraph *p, size_t count);

/* What the request is: load A, store C, ldmatrix As. */
void request_words(char *buf, size_t size, const struct scene *sc);
/* Which thread stored the shared element that the focused lane touches; false:
 * there is nothing to say. */
bool owner_words(char *buf, size_t size, const struct scene *sc);
/* A value in at most `width` columns: 12, -3, 0.25, 1.5e9. */
void number_fit(char *buf, size_t size, double v, int width);

#endif
