/*
 * film: the frames of a lesson or a kernel, one after another, for an export.
 * They are what a reader sees who opens it and proceeds without a wrong answer:
 * the same show, drawn on the same canvas, at computed times.
 *
 * For a lesson: each step as it opens, its questions and their answers, the
 * motion that follows an answer, the next few beats, and the recorded race at
 * its end. For a kernel: some beats.
 */
#ifndef APP_FILM_H
#define APP_FILM_H

#include "export/export.h"
#include "app/reader.h"

#define FILM_BEATS 20		/* of a kernel, unless steps are given */

struct film {
	int from, to;		/* steps, from 1 on; from 0: as many as usual */
	int beat;		/* enum beat; -1: the step's own */
	const struct view *view;	/* of a kernel; NULL: each step's own */
	double fps;		/* frames a second */
	double rest;		/* the most seconds that nothing moves; 0: any */
	bool ascii;		/* ASCII characters only */
	bool moves;		/* with the frames between steps */
	bool still;		/* the end of its only step, and no more */
};

/* Adds the frames of what the reader has open, from its beginning, to x.
 * Returns -1 with e if there is no such step, or no recording. */
int film_make(struct reader *r, const struct film *f, struct export *x,
	      struct error *e);

#endif
