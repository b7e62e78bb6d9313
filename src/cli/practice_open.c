/* practice_open: `gemmviz practice`: the map of rungs, and one rung. */
#include <stdlib.h>

#include "base/lang.h"
#include "base/text.h"
#include "cli/practice.h"

static void print_map(const struct rung_track *t)
{
	for (size_t i = 0; i < t->count; i++) {
		const struct rung *r = t->rungs[i];

		if (r->group)
			printf("%s%s\n", i ? "\n" : "", r->group);
		printf("%4g  %-12s %s\n", r->place, r->name, r->task->title);
	}
}

int practice_open(const struct practice_wish *w, const char *what)
{
	struct rung_track t;
	struct error e;

	(void)w;
	if (practice_load(&t, what, &e) < 0) {
		rung_track_done(&t);
		return command_failed(&e);
	}
	print_map(&t);
	rung_track_done(&t);
	return command_flush(EXIT_DONE);
}
