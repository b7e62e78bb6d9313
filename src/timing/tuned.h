/*
 * tuned: which values of its parameters made a kernel the fastest on a GPU,
 * by size. `gemmviz time --tune` finds them and keeps them in the user's
 * table, $XDG_DATA_HOME/gemmviz/tuned.json; the program's own are
 * data/tuned/NAME.json:
 *
 *   {"gemmviz":"0.1.0","tuned":[
 *   {"gpu":"NVIDIA H200","kernel":"sgemm","size":[4096,4096,4096],
 *    "defines":{"BM":"128","BN":"256"},"tflops":52.1,"share":1.03,
 *    "date":"2026-11-21"},
 *   ...]}
 *
 * "share" is of the FLOP/s of cuBLAS in the same race, or null.
 */
#ifndef TIMING_TUNED_H
#define TIMING_TUNED_H

#include <jansson.h>

#include "base/base.h"
#include "runner/job.h"

/* The user's file; heap. NULL with e: there is no place for it. */
char *tuned_path(struct error *e);
/* Adds all tables to a job, the user's first, as it has them (protocol.h).
 * -1 with e (EXIT_INPUT): one of them is none. */
int tuned_add(struct job_time *job, struct error *e);

struct tuned_entry {
	const char *gpu, *kernel, *date;	/* borrowed */
	struct problem_sizes size;
	struct job_defines defines;
	double tflops, share;			/* share: or NA */
};
struct tuned_list {
	struct tuned_entry *entries;
	size_t count, capacity;
};
void tuned_list_done(struct tuned_list *l);
/* Puts entries into the user's table, in the place of those for the same GPU,
 * kernel and size. */
int tuned_keep(const struct tuned_list *l, struct error *e);
/*
 * What a kernel is to be defined with, borrowed: of the first table that has
 * this GPU and kernel, the nearest size's. NULL: none is known, or `defines`
 * (or NULL) has one of these parameters itself.
 */
const json_t *tuned_find(const json_t *tables, const char *gpu,
			 const char *kernel, const json_t *defines,
			 const int size[3]);

#endif
