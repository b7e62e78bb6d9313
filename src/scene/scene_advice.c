#include "scene/scene_advice.h"

#include <stdlib.h>

int scene_advice_make(struct scene_advice *a, struct trace *t,
		      struct error *e)
{
	struct advice_machine machine = { .arch = NULL };
	struct advice_list list;

	*a = (struct scene_advice){ .count = 0 };
	if (advice_find(t, &machine, &list, e))
		return -1;
	for (; a->count < list.count; a->count++) {
		a->pieces[a->count].line = list.list[a->count].line;
		a->pieces[a->count].text = advice_text(trace_info(t),
						       &list.list[a->count]);
	}
	return 0;
}

void scene_advice_done(struct scene_advice *a)
{
	for (size_t i = 0; i < a->count; i++)
		free(a->pieces[i].text);
	a->count = 0;
}
