/*
 * export: frames as files. The frames are those that the screen shows, drawn
 * without a terminal; each format is a file export_NAME.c that ends in its const
 * struct exporter, and a word in EXPORTERS.
 *
 * What is written depends on the frames alone, so that it is the same each
 * time, byte for byte. Times are in seconds from the first frame on.
 */
#ifndef EXPORT_EXPORT_H
#define EXPORT_EXPORT_H

#include "viz/show.h"
#include "viz/theme.h"

#define EXPORTERS(X) X(txt) X(ansi) X(svg) X(gif) X(html) X(cast) X(md)

/* What was answered to a question, and what came of it. */
struct export_choice { char *text, *reply; bool right; };

/* A frame, whose texts are clean (base/text.h), which the exporter borrows for as long as it is called with it. */
struct export_frame {
	const struct canvas *canvas;
	const struct show *show;
	/* What it was drawn from: show, or what bare leaves of it. */
	const struct show *drawn;
	double at, seconds;	/* when it comes, and how long it stays */
	bool moving;		/* on the way from a step to the next */
	/* The first frame of a step of the lesson, or of a kernel's first: its
	 * title; else NULL. */
	const char *chapter;
	const char *words;	/* a frame at rest as sentences; else NULL */
	/* The open question's answers, in the order of show.lesson.choices;
	 * count 0: none is open. */
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
	/* The name of the file without folder and suffix, for files that stand
	 * beside it. */
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
	/* The lesson's words are text beside the pictures, in which they are
	 * left out. */
	bool bare;
	bool beside;	/* has files beside the main one */
	/* Why this program does not have it, in a sentence; NULL: it does. */
	const char *missing;
	/* NULL: nothing to begin; -1 with e: it cannot. */
	int (*begin)(struct export *x, struct error *e);
	void (*frame)(struct export *x, const struct export_frame *f);
	void (*end)(struct export *x);			/* or NULL */
};

/* NULL-terminated. */
extern const struct exporter *const exporters[];
const struct exporter *export_find(const char *name);

/* Begins an export whose format, theme, size, title, lang and name are set; -1
 * with e: it cannot, and there is nothing to end. */
int export_begin(struct export *x, struct error *e);
/* at is set here: a frame comes when the one before it is over. */
void export_frame(struct export *x, struct export_frame *f);
void export_end(struct export *x);
void export_done(struct export *x);
/* A file that stands beside the main one; its data is to be added to. */
struct str *export_beside(struct export *x, char *name);

/* ---- what formats have in common ---- */

/* Adds text as XML or HTML has it in text and in attributes. */
void export_escape(struct str *out, const char *text, size_t n);
/* Adds a number of seconds, in milliseconds without zeros at the end. */
void export_seconds(struct str *out, double seconds);

#endif
