/*
 * frame_model: everything that a frame is drawn from, and the views that draw it.
 *
 * The reader fills a show; views read it and draw on a canvas. A frame is a
 * pure function of a show and a size, so it can be drawn, tested and exported
 * without a terminal.
 */
#ifndef VIZ_FRAME_MODEL_H
#define VIZ_FRAME_MODEL_H

#include "base/lang.h"
#include "drill/drill.h"
#include "lesson/glossary.h"
#include "lesson/lesson.h"
#include "scene/benchmark_scene.h"
#include "scene/scene.h"
#include "viz/kit.h"
#include "viz/overlay.h"
#include "viz/show_practice.h"
#include "viz/view.h"

/* A step of a lesson; its text is in the reader's language, with its numbers
 * filled in. */
#define SHOW_CHOICES 4
/* A question of the step with all that may be said to it: rows are kept free for
 * the longest, so that nothing moves when it is answered. */
#define SHOW_REPLIES 16
struct show_text {
	char *question, *choices[SHOW_CHOICES], *replies[SHOW_REPLIES];
	int choice_count, reply_count;
};
struct show_lesson {
	const char *title;	/* the lesson's; NULL: only a trace is open */
	int step, steps;	/* from 0 */
	const char *step_title;
	const struct lesson_paragraph *prose;
	size_t prose_count;
	/* All questions of the step, in order. */
	const struct show_text *texts;
	size_t text_count;
	/* The question that is open or was answered; NULL: none. */
	const char *question;
	/* It has numbers of its own, for which the picture is not drawn. */
	bool other_numbers;
	const char *choices[SHOW_CHOICES];
	int choice_count;
	bool tried[SHOW_CHOICES];	/* chosen, and wrong */
	int chosen;		/* -1: none yet */
	bool answered;		/* the right answer is known now */
	const char *typed;	/* the number being typed, or "" */
	const char *reply;	/* to the last answer, or NULL */
	bool reply_good;
	int scroll;		/* rows scrolled from the pane's own position */
	/* What was learned, shown instead of the step: a number and a sentence;
	 * NULL: not yet. */
	const char *learned, *learned_words;
	const char *learned_rung;	/* what to write next, or NULL */
};

/* press: the key that a click on the left or on the right half presses; 0:
 * none. */
struct show_key { const char *key, *word; uint32_t press[2]; };

/*
 * The opening screen: the map of the course, or a list of kernels. An entry is
 * a lesson or a kernel. A lesson has steps, of which `reached` were reached
 * (all: it is finished), and questions, which have a letter each in answers
 * (progress.h). A kernel has no steps.
 */
enum list_kind { LIST_COURSE, LIST_KERNELS, LIST_BUGS };
/* A kernel that the entry records, with those parameters that are not its
 * defaults, and its FLOP/s as measured. */
struct show_speed { const char *label; double flops; };
#define LIST_SPEEDS LESSON_MAX_RECORDS
struct show_entry {
	const char *name, *title, *about;
	const char *kernels;		/* that a lesson records: "naive, ..." */
	struct show_speed speeds[LIST_SPEEDS];	/* slowest first */
	int speed_count;
	const char *plan;		/* the titles of its steps, or NULL */
	const char *rungs;		/* marks of those it teaches, or NULL */
	int steps, reached, questions;
	const char *answers;
};
#define LIST_MOST 48
/* A part of the course, a column of the map: the lessons from `first` on; the
 * FLOP/s of the kernel that it starts from, and of its fastest; NA: not
 * measured. */
struct show_part { const char *name; int first, count; double low, high; };
#define LIST_PARTS 4
struct show_list {
	enum list_kind kind;
	struct show_entry entries[LIST_MOST];
	int count, chosen;
	int next;	/* the first lesson that is not finished, or count */
	int kernels, bugs;		/* how many there are */
	struct show_part parts[LIST_PARTS];
	int part_count;			/* 0: a list without parts */
	bool unmeasured;	/* the speeds are still to be read */
	char measured[96];	/* the size and the GPU that they are of */
};
/* Returns the entry under the cell (x, y) of a screen of w x h cells, or -1. */
int list_hit(const struct show_list *l, int w, int h, int x, int y);
/* Returns the entry `by` columns to the right of the chosen one (negative: to
 * the left). */
int list_beside(const struct show_list *l, int w, int h, int by);

/* A question of a drill and the score so far. Its words and answers are in
 * show.lesson; show.scene is the request that it is about, if any. */
struct show_drill {
	const struct drill_question *question;
	struct drill_score score;
};

/* A class on its teacher's screen. */
struct show_class_step { const char *lesson; int step, steps, count;
			 char *names; /* NULL: not asked for */ };
struct show_class_answer { const char *text; int count; bool right; };
/* A rung of practice: how many have passed it, are at it and are stuck, and the
 * stage at which the last of these is. */
struct show_class_rung { const char *name, *stage;
			 int place, passed, at, stuck; };
#define SHOW_CLASS_RUNGS 32
#define SHOW_CLASS_STEPS 64
#define SHOW_CLASS_ANSWERS 8
struct show_class {
	const char *name;
	int people;
	struct show_class_step steps[SHOW_CLASS_STEPS];	/* where they are */
	int step_count;
	const char *question;	/* which one the answers are to, or NULL */
	const char *words;	/* and what it asks, or "" */
	struct show_class_answer answers[SHOW_CLASS_ANSWERS];
	int answer_count;
	bool reveal;		/* the right one is marked */
	struct show_class_rung rungs[SHOW_CLASS_RUNGS];
	int rung_count;
	bool practice;		/* rungs are shown in place of steps and answers */
};

/* What overlay_glossary shows, and which of its terms occur here. */
struct show_glossary {
	const struct glossary *of;
	const bool *here;
};

struct scene_advice;

struct frame_model {
	const struct scene *scene;	/* NULL: nothing recorded yet */
	/* Another recording's scene at the same point, drawn next to it; NULL:
	 * none. */
	const struct scene *beside;
	/* While one of the two is drawn: the other one, which has the same
	 * scale. */
	const struct scene *twin;
	bool second;			/* ... and this one stands behind it */
	const char *waiting;		/* why scene is NULL, as a sentence */
	const struct scene_advice *advice;	/* of overlay_advice */
	struct show_lesson lesson;
	const struct show_list *list;	/* shown instead, if not NULL */
	const struct benchmark_scene *benchmark;	/* likewise: a race */
	const struct show_drill *drill;			/* likewise */
	const struct show_class *class;			/* likewise */
	const struct show_practice *practice;		/* likewise */
	struct show_glossary glossary;
	const struct overlay *over;	/* NULL: none */
	int over_skip;			/* its rows above the screen's */
	bool quiet;	/* a question is open: hide the costs */
	/* How much of this step is over, 0 to 1: at 0 what it moves is where it
	 * comes from, at 1 it has arrived. */
	double t;
	const struct view *held;	/* NULL: the picture goes by rank */
	struct turns turns;
	enum pane pane;
	bool zoom;			/* two cells for each element */
	bool presenter;
	bool playing;
	double speed;			/* beats a second */
	int source_scroll;	/* lines scrolled from the current one */
	const char *goto_text;	/* the request number being typed, or NULL */
	const char *file_text;	/* the path being typed, or NULL */
	/* the words looked for, or NULL, and what was found, or "" */
	const char *search_text, *search_found;
	const char *message;	/* shown instead of the keys, on one line */
	bool message_bad;
	/* the footer's, most important first */
	const struct show_key *keys;
	size_t key_count;
	const struct show_key *help_keys;	/* of the help: all */
	size_t help_count;
};

/*
 * Where the parts of the screen are: a pure function of the screen's size and
 * of what is shown. The picture gets the space that the source, the caption and
 * the lesson's text leave: between them (strips), or at their right (beside). A
 * small screen has one pane at a time.
 */
enum layout_kind { LAYOUT_TOO_SMALL, LAYOUT_SINGLE, LAYOUT_STRIPS,
		   LAYOUT_BESIDE };
struct screen_layout {
	enum layout_kind kind;
	struct rect header, verdict, source, picture, caption, lesson,
		    timeline, keys;
};
#define LAYOUT_MIN_W 40
#define LAYOUT_MIN_H 12
void layout_make(struct screen_layout *l, int w, int h, const struct frame_model *s);

/* Returns the rows that the lesson's text needs at this width, frame included;
 * `brief`: of the step's text only the first sentence. */
int lesson_rows(const struct show_lesson *l, int width, bool brief);
/* Draws the picture in r, two of them when there are two scenes. */
void pair_draw(struct canvas *c, struct rect r, const struct frame_model *s);
/* Draws the source of one recording, or of both if r is wide enough. */
void pair_source(struct canvas *c, struct rect r, const struct frame_model *s);
/* Writes in a line how the two scenes differ; false: there is only one. */
bool pair_words(char *buf, size_t size, const struct frame_model *s);
/* Returns the choice under the cell (x, y) of a screen of h rows whose lesson
 * pane is r, or -1. */
int lesson_choice_at(const struct frame_model *s, struct rect r, int h, int x, int y);
void view_header(struct canvas *c, struct rect r, const struct frame_model *s);
void view_timeline(struct canvas *c, struct rect r, const struct frame_model *s);
void view_keys(struct canvas *c, struct rect r, const struct frame_model *s);
void view_list(struct canvas *c, const struct frame_model *s);
void view_learned(struct canvas *c, const struct frame_model *s);
/* Returns the number of what was learned if it begins the sentence, which then
 * does not state it; otherwise "". Where the number is not drawn by itself, the
 * two are one sentence. */
const char *learned_opening(const struct show_lesson *l);
void view_benchmark(struct canvas *c, const struct frame_model *s);
void view_roofline(struct canvas *c, struct rect r,
		   const struct benchmark_scene *s);
/* Tells whether this page of the race differs from its main page on a screen of
 * w x h cells. */
bool benchmark_has_page(const struct benchmark_scene *s, int w, int h,
		   enum benchmark_page page);
/* Returns the race's row under the cell (x, y), or -1. */
int benchmark_hit(const struct benchmark_scene *s, int w, int h, int x, int y);
void view_drill(struct canvas *c, const struct frame_model *s);
void view_class(struct canvas *c, const struct frame_model *s);
void view_practice(struct canvas *c, const struct frame_model *s);
/* Returns the rung under the cell (x, y) of the map on a screen of w x h cells,
 * or -1. */
int practice_hit(const struct show_practice *p, int w, int h, int x, int y);
/* Returns the choice under the cell (x, y) of a drill on a screen of w x h
 * cells, or -1. */
int drill_hit(const struct frame_model *s, int w, int h, int x, int y);

/* Draws the whole frame. */
void frame_draw(struct canvas *c, const struct frame_model *s);
/* Returns the frame as sentences, for readers who do not use pictures. The
 * caller frees it, as with the functions below. */
char *frame_words(const struct frame_model *s);
/* Returns those of frame_words() that an open question hides. */
char *told_words(const struct frame_model *s);
/* Returns the race as sentences. */
char *benchmark_words(const struct benchmark_scene *s);
/* Returns the open or answered question, with its choices and the reply. */
char *question_words(const struct frame_model *s);
/* Returns a teacher's note, wrapped. */
char *note_words(const char *note);

/* What lies under a cell of the screen, for the mouse. */
enum hit_kind { HIT_NOTHING, HIT_ELEMENT, HIT_TIMELINE, HIT_LESSON,
		HIT_SOURCE, HIT_PANEL, HIT_LIST, HIT_KEY, HIT_CHOICE,
		HIT_LANE };
struct hit {
	enum hit_kind kind;
	int array;		/* index in scene.arrays */
	/* the cell's first element, and the numbers of rows and columns */
	uint32_t row, col, rows, cols;
	double part;		/* position in the timeline, 0..1 */
	int index;		/* entry of the list; choice; lane */
	uint32_t press;		/* the key's */
};
void frame_hit(const struct frame_model *s, int w, int h, int x, int y,
	       struct hit *hit);
/* Fills in what lies under all w x h cells, row by row. */
void frame_hits(const struct frame_model *s, int w, int h, struct hit *hits);

/* ---- shared by the views ---- */

/*
 * How an array is drawn: with one element to a size (half: half blocks, one or
 * two columns wide); or, where across or down is above 1, with marks of that
 * size that stand for across x down elements and show a mixture of them. An
 * element's role comes from the array's marks and boxes.
 */
struct picture_form { struct kit_size size; int across, down; };
void picture_draw(struct canvas *c, struct rect r, const struct frame_model *s,
		  const struct stage_array *a, struct picture_form f);
/* Returns the elements that picture_draw() shows of an array that does not
 * fit. */
struct box picture_part(struct rect r, const struct frame_model *s,
			const struct stage_array *a, struct picture_form f);
/* Return the columns and the rows that a whole picture takes. */
int picture_width(const struct stage_array *a, struct picture_form f);
int picture_height(const struct stage_array *a, struct picture_form f);
/* Gets where picture_draw() draws an element: its first column and row; the row
 * is counted in half rows if size.half is set. False: it is not in view. */
bool picture_at(struct rect r, const struct box *part, struct picture_form f,
		uint32_t row, uint32_t col, int *x, int *y);

/* Wraps text into r, leaving out its first `skip` rows; returns how many rows
 * all of it takes. CJK text may break between any two characters. */
int prose_text(struct canvas *c, struct rect r, int skip, const char *text,
	       struct ink ink);
/* Returns the bytes of the text's first sentence, its end included. A point in a
 * number ends none. */
size_t sentence_bytes(const char *text);
/* Writes text from its beginning. If it does not fit in r, writes as many of
 * its clauses as do, as a sentence; if not even one does, what fits, with an
 * ellipsis. */
void prose_fit(struct canvas *c, struct rect r, const char *text,
	       struct ink ink);
int prose_draw(struct canvas *c, struct rect r, int skip,
	       const struct lesson_paragraph *p, size_t count);

/* Writes what the request does: "load A", "store C", "ldmatrix As". */
void request_words(char *buf, size_t size, const struct scene *sc);
/* Writes "blockIdx.y * blockDim.y + threadIdx.y = 2 * 8 + 5 = 21" or, where a
 * thread has several elements, "blockIdx.y * 64 + threadIdx.y * 4 = ..."; for
 * the block's first element if `thread` is not set. */
void sum_words(char *buf, size_t size, const struct frame_model *s,
	       const struct home_sum *n, bool thread);
/* Writes which thread stored the shared element that the focused lane accesses;
 * false: no thread did. */
bool owner_words(char *buf, size_t size, const struct scene *sc);
/* Writes a value in at most `width` columns: 12, -3, 0.25, 1.5e9. */
void number_fit(char *buf, size_t size, double v, int width);

#endif
