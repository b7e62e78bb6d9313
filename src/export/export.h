/*
 * export: writes frames to files. The frames are those that the screen shows,
 * drawn without a terminal. Each format is a file export_NAME.c that ends in
 * its const struct exporter, and a word in EXPORTERS.
 *
 * The output depends on the frames alone: it is the same each time, byte for
 * byte. Times are in seconds from the first frame on.
 */
#ifndef EXPORT_EXPORT_H
#define EXPORT_EXPORT_H

#include "viz/frame_model.h"
#include "viz/theme.h"

#define EXPORTERS(X) X(txt) X(ansi) X(svg) X(gif) X(page) X(html) X(cast) X(md)

/* An answer to a question, and the reply to it. */
struct export_choice { char *text, *reply; bool right; };

/* A frame. Its texts are clean (base/text.h); the exporter borrows it for as
 * long as frame() runs. */
struct export_frame {
	const struct canvas *canvas;
	const struct frame_model *show;
	/* What it was drawn from: show, or a copy without the lesson's words if
	 * the format is `bare`. */
	const struct frame_model *drawn;
	double at, seconds;	/* when it comes, and how long it stays */
	bool moving;		/* on the way from a step to the next */
	/* The title of the lesson's step (or of the kernel) that begins with
	 * this frame; else NULL. */
	const char *chapter;
	const char *words;	/* a frame at rest as sentences; else NULL */
	/* The open question's answers, in the order of show.lesson.choices;
	 * count 0: no question is open. */
	const struct export_choice *choices;
	int choice_count;
};

struct exporter;

/* An export under way. */
struct export {
	const struct exporter *format;
	const struct theme *theme;
	int w, h;		/* of every frame, in cells */
	const char *title;	/* the lesson's or the kernel's */
	const char *lang;	/* of the words, such as "en" */
	/* The file's name without folder and suffix: the names of additional
	 * files begin with it. */
	const char *name;
	double seconds;		/* of all frames so far */
	size_t frames;		/* likewise: how many */
	struct str out;		/* the file */
	struct export_file { char *name; struct str data; } *beside;
	size_t beside_count, beside_capacity;
	void *own;		/* the format's */
};

struct exporter {
	const char *name, *suffix;	/* "svg", ".svg" */
	const char *help;		/* N_() */
	bool moves;	/* has frames between steps, too; but ... */
	bool still;	/* ... a single step is its end alone */
	/* Leaves the lesson's words out of the pictures: they are text next to
	 * them. */
	bool bare;
	bool program;	/* this program, which draws the frames itself */
	bool beside;	/* has files beside the main one */
	/* Why this build lacks the format, in a sentence; NULL: it has it. */
	const char *missing;
	/* NULL: nothing to begin. Returns -1 with e if it cannot begin. */
	int (*begin)(struct export *x, struct error *e);
	void (*frame)(struct export *x, const struct export_frame *f);
	void (*end)(struct export *x);			/* or NULL */
};

/* NULL-terminated. */
extern const struct exporter *const exporters[];
const struct exporter *export_find(const char *name);

/* Begins an export whose format, theme, size, title, lang and name are set.
 * Returns -1 with e if it cannot; then there is nothing to end. */
int export_begin(struct export *x, struct error *e);
/* Adds a frame and sets its `at`: it begins when the frame before it is
 * over. */
void export_frame(struct export *x, struct export_frame *f);
void export_end(struct export *x);
void export_done(struct export *x);
/* Adds a file that is written next to the main one. Takes over name; the caller
 * appends to the data returned. */
struct str *export_beside(struct export *x, char *name);

/* ---- what formats have in common ---- */

/* Adds text with the characters escaped that XML and HTML reserve, for use in
 * text and in attributes. */
void export_escape(struct str *out, const char *text, size_t n);
/* Adds a number of seconds, rounded to milliseconds, without trailing zeros. */
void export_seconds(struct str *out, double seconds);

#endif
