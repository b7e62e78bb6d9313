/*
 * launch_given: options of a launch that is recorded again and again. See
 * launch_options.h.
 */
#include <stdlib.h>

#include "cli/launch_options.h"

void launch_given_add(struct launch_given *g, int id, const char *value)
{
	grow(&g->list, &g->capacity, g->count + 1, sizeof(*g->list));
	g->list[g->count++] = (struct launch_option_given) { id, value };
}

int launch_given_apply(const struct launch_given *g, struct launch_options *l,
		       struct error *e)
{
	for (size_t i = 0; i < g->count; i++)
		if (launch_option(l, g->list[i].id, g->list[i].value, e))
			return -1;
	return 0;
}

void launch_given_done(struct launch_given *g)
{
	free(g->list);
	*g = (struct launch_given) { .count = 0 };
}
