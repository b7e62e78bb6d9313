/* reader_benchmark: the race that a reader has on the screen. */
#ifndef READER_READER_BENCHMARK_H
#define READER_READER_BENCHMARK_H

#include "reader/reader.h"

struct reader_benchmark {
	struct benchmark_plan plan;
	/* All there is to choose from; recorded: with its results. */
	struct timing *all;
	bool recorded;
	struct benchmark_shelf shelf;	/* beside a live one */
	struct benchmark *run;
	struct benchmark_choice choice;
	struct benchmark_scene scene;
	bool follow;		/* the size that runs, until one is chosen */
	bool judged;		/* whose texts have changed is known */
};

/* Runs those that are on, from the start; -1 with e. */
int reader_benchmark_start(struct reader *r, struct error *e);
/* A recording's end at once. */
void reader_benchmark_to_end(struct reader *r);

#endif
