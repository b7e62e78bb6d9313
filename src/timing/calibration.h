/*
 * calibration: the measurements of `gemmviz calibrate`, compared with the
 *model, and the file that stores them, from which pictures and lessons take
 *figures of that GPU (calibrated.h). A file is the runner's answer (protocol.h,
 * "calibrate") without the patterns; "gemmviz", "date", "rules" and
 * "deviations" are added:
 *
 *   "rules":[{"space":"shared","op":"ld","size":8,"trans":false,
 *	"unit":"wavefronts","patterns":721,"warps":16,"chained":false,
 *	"base":0.1,"each":1.0,"floor":null,"hidden":0,"worst":0.08,
 *	"deviating":0},...]
 *
 * By the rule an access takes base + each * units cycles. Units are the cycles
 * of the model (struct access_cost), named by what causes most of them. `each`
 * is common to all kinds that use the same part of the machine (loads of shared
 * memory, stores to global memory, ...), so that a kind that is wrong as a
 *whole deviates; so is `base`, where accesses do not wait for one another.
 *Outliers move neither. Loads of global memory take at least `floor` cycles,
 *whatever they load: those that the model predicts to take less, or little
 *more, are `hidden` and not judged. `worst` is the distance of the farthest of
 *the others from the rule, in units. A pattern deviates if it is farther than
 *half a unit (in global memory, half a unit and a quarter of its units, since
 *L1 and L2 add time of their own); "deviations" lists these:
 *
 *   {"space","op","size","addresses", as gemmviz access --stdin reads them,
 *    "trans", "cycles":9.1, "model":4, "measured":9.0}	units
 */
#ifndef TIMING_CALIBRATION_H
#define TIMING_CALIBRATION_H

#include <jansson.h>

#include "hardware/access.h"
#include "timing/timing.h"

/* Of repeated samples; NA: not measured. */
struct calibration_figure { double median, low, high; };

/* A figure, and what the model says of it, NA: nothing. */
struct calibration_row {
	const char *name, *unit;	/* name: N_() */
	struct calibration_figure measured;
	double model;
	bool exact;			/* other than the model is wrong */
};
#define CALIBRATION_ROWS 40

struct calibration_rule {
	enum access_space space;
	enum op op;
	uint32_t bytes;
	bool trans;
	int warps;			/* that took turns, or */
	bool chained;			/* one access waited for the other */
	size_t patterns, deviating, hidden;
	double base, each, floor, worst;	/* floor: NA: none */
};
#define CALIBRATION_RULES 32
/* The accesses of a warp keep waiting for the data path when as many warps as
 * these take turns, each without waiting for what it loads. */
#define CALIBRATION_WARPS 16

struct calibration_deviation {
	struct access access;
	bool trans;
	double cycles, measured;	/* units */
	int model;
};

struct calibration {
	char *date;
	struct timing_machine machine;
	struct calibration_row rows[CALIBRATION_ROWS];
	size_t row_count;
	struct calibration_rule rules[CALIBRATION_RULES];
	size_t rule_count;
	struct calibration_deviation *deviations;	/* the worst first */
	size_t deviation_count;
	json_t *file;
};

/* Reads patterns, as gemmviz access --stdin does and as data/access-*.jsonl
 * has them, a line each; a list of objects, NULL with e. */
json_t *calibration_patterns(const char *path, struct error *e);
/* Returns the ways in which a calibration measures patterns, for a job. */
json_t *calibration_ways(void);

/* Puts a second answer's samples to those of the first: what differs between
 * two runs is in the spread. */
void calibration_again(json_t *answer, const json_t *again);
/* Evaluates an answer to these patterns; NULL with e (EXIT_RUNNER) when it is
 * not valid. */
struct calibration *calibration_new(const json_t *answer,
				    const json_t *patterns, struct error *e);
void calibration_free(struct calibration *c);
/* Counts the rows and patterns that differ from the model. */
size_t calibration_deviating(const struct calibration *c);
bool calibration_row_deviates(const struct calibration_row *r);

/* Returns the path of the calibration of a GPU, or with NULL a glob pattern for
 * all; the caller frees it. NULL with e when no folder can be found. */
char *calibration_path(const char *gpu, struct error *e);

/* ---- calibration_rules.c ---- */

/* Returns a rule's units: "wavefronts", "lines" or "sectors". N_() */
const char *calibration_unit(const struct calibration_rule *r);
/* Fills rules and deviations from how many cycles each pattern took, each by
 * the way of calibration_ways() that tells the most. -1 with e. */
int calibration_rules(struct calibration *c, const json_t *answer,
		      const json_t *patterns, struct error *e);

#endif
