/*
 * race: kernels timed against each other and against cuBLAS: what is to run,
 * and the run itself, by a runner or played from a recording, as a timing
 * that fills. Knows no screen.
 */
#ifndef RACE_H
#define RACE_H

#include <poll.h>

#include "runner/runner.h"
#include "timing/timing.h"

/* What is to run: a "time" request. */
struct race_plan {
	json_t *request;
	/* Named by the user: a recording must have them. */
	bool kernels, sizes;
};
void race_plan_init(struct race_plan *p);
void race_plan_done(struct race_plan *p);
/* A copy, from a lesson's to a reader's. */
struct race_plan race_plan_copy(const struct race_plan *p);
/* "tiled", "tiled:TILE=32", "cublas-tf32"; -1 with e (EXIT_USAGE). */
int race_add(struct race_plan *p, const char *word, struct error *e);
/* An entrant as a request has it; `what` is taken. */
int race_add_entrant(struct race_plan *p, json_t *what, struct error *e);
/* "4096" or "4096x64x128". */
int race_add_size(struct race_plan *p, const char *word, struct error *e);
/*
 * Whatever was not named: all kernels of the table with their default
 * parameters (a tile's sizes all of them) and all rivals, or behind named
 * kernels cuBLAS fp32 and those that they are held to; 1024, 2048 and 4096.
 */
void race_plan_complete(struct race_plan *p);

/*
 * The newest race in a folder's files that has what the plan names, cut down
 * to that; the plan need not be complete. NULL with e when none does.
 */
struct timing *race_find(const char *folder, const struct race_plan *p,
			 struct error *e);
/* The same of one file's; t is taken. */
struct timing *race_fit(struct timing *t, const struct race_plan *p,
			struct error *e);
/* Recorded races, newest first; of the same day, last name first. */
struct race_shelf {
	struct timing **races;
	size_t count;
};
/* What a folder has; e tells of the last file that is none. */
struct race_shelf race_shelf_read(const char *folder, struct error *e);
void race_shelf_done(struct race_shelf *s);
/*
 * FLOP a byte of DRAM traffic, from the newest that has it of the same GPU,
 * kernel text, parameters and size, and when that was, borrowed; NA: none.
 */
double race_shelf_intensity(const struct race_shelf *s, const struct timing *t,
			    size_t size, size_t entrant, const char **date);
/* The index of one of the plan's entrants, or -1. */
long race_entrant(const struct timing *t, const json_t *what);
/* The texts of today's kernels are other than those that were timed. */
bool race_text_changed(const struct timing_entrant *n);

/* A run. */
struct race {
	struct timing *timing;	/* so far */
	struct error error;	/* text not empty: how it ended early */
	bool paused;
	double silence;		/* seconds without a word: it hangs */
	size_t repeat;		/* samples of each that were asked for */
	/* When the timing is done the DRAM traffic of each kernel is asked
	 * for, too: set before the first step. Why there is none, or no
	 * text; the times stand: */
	bool counters;
	struct error counters_error;

	struct timing *whole;	/* played from here; NULL: a runner's */
	double pace, credit;	/* samples a second; a sample's part */
	struct runner *runner;	/* NULL: played, ended or lost */
	long counters_id;	/* asked for now; 0: paused, or not yet */
	size_t counted;		/* results that were looked at */
	double heard;
	bool more;		/* what it said is not all looked at yet */
};

/* argv as runner_start; NULL: gemmviz-gpu beside us, EXIT_GPU when there is
 * none. The request is borrowed. */
struct race *race_start(const json_t *request, char *const *argv,
			struct error *e);
struct race *race_play(struct timing *whole);	/* taken */
void race_free(struct race *r);			/* kills its runner */

bool race_over(const struct race *r);
/* The timing is done, the counting is not. */
bool race_counting(const struct race *r);
void race_pause(struct race *r, bool paused);
/* Asks it to end with what there is. */
void race_cancel(struct race *r);
/* For poll(): at most two descriptors; how many were filled. */
size_t race_fds(const struct race *r, struct pollfd *fds);
/* Milliseconds after which race_step() has something to say even if nothing
 * arrives; -1: none. */
int race_patience(const struct race *r);
/* Does what can be done without waiting; true when something changed. */
bool race_step(struct race *r);
/* A recording goes on for so many seconds; true when something changed. */
bool race_tick(struct race *r, double seconds);

#endif
