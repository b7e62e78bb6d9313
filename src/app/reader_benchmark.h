/* reader_benchmark: the race that a reader has on the screen. */
#ifndef APP_READER_BENCHMARK_H
#define APP_READER_BENCHMARK_H

#include "app/reader.h"

struct reader_benchmark {
	struct benchmark_plan plan;
	/* All cases to choose from; if recorded, with their results. */
	struct timing *all;
	bool recorded;
	/* earlier results, next to a live race */
	struct benchmark_shelf shelf;
	struct benchmark *run;
	struct benchmark_choice choice;
	struct benchmark_scene scene;
	bool follow;		/* show the running size, until one is chosen */
	bool started;
	bool judged;		/* it is known which texts have changed */
};

/* Runs the chosen cases, from the start; -1 with e. */
int reader_benchmark_start(struct reader *r, struct error *e);
/* Shows a recorded race's end at once. */
void reader_benchmark_to_end(struct reader *r);

#endif
