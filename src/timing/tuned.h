/*
 * tuned: the parameter values with which a kernel was fastest on a GPU, by
 * size. `gemmviz time --tune` finds them and keeps them in the user's table,
 * $XDG_DATA_HOME/gemmviz/tuned.json; the program's own tables are
 * data/tuned/NAME.json:
 *
 *   {"gemmviz":"0.9.0","tuned":[
 *   {"gpu":"NVIDIA H200","kernel":"sgemm","size":[4096,4096,4096],
 *    "defines":{"BM":"128","BN":"256"},"tflops":52.1,"share":1.03,
 *    "date":"2026-11-21"},
 *   ...]}
 *
 * "share" is relative to the FLOP/s of cuBLAS in the same benchmark, or null.
 */
#ifndef TIMING_TUNED_H
#define TIMING_TUNED_H

#include <jansson.h>

#include "base/base.h"
#include "protocol/job.h"

/* Returns the path of the user's table; the caller frees it. NULL with e when
 * no folder can be found. */
char *tuned_path(struct error *e);
/* Adds all tables to a job (protocol.h), the user's first. -1 with e
 * (EXIT_INPUT): one of the files is not a valid table. */
int tuned_add(struct job_time *job, struct error *e);

struct tuned_entry {
	const char *gpu, *kernel, *date;	/* borrowed */
	struct problem_sizes size;
	struct job_defines defines;
	double tflops, share;			/* share: NA when not known */
};
struct tuned_list {
	struct tuned_entry *entries;
	size_t count, capacity;
};
void tuned_list_done(struct tuned_list *l);
/* Puts entries into the user's table, replacing those for the same GPU, kernel
 * and size. */
int tuned_keep(const struct tuned_list *l, struct error *e);
/*
 * Finds the defines for a kernel at a size, borrowed: those of the nearest size
 * in the first table that has this GPU and kernel; with `exact`, of this size
 * only. NULL when none are known, or `defines` (which may be NULL) already sets
 * one of these parameters.
 */
const json_t *tuned_find(const json_t *tables, const char *gpu,
			 const char *kernel, const json_t *defines,
			 const int size[3], bool exact);

#endif
