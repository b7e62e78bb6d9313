/*
 * scene_advice: what to change in a recorded kernel, in words.
 */
#ifndef SCENE_SCENE_ADVICE_H
#define SCENE_SCENE_ADVICE_H

#include "analysis/advice.h"

struct scene_advice {
	size_t count;
	struct { uint32_t line; char *text; } pieces[ADVICE_MOST];
};

/* Reads the whole trace. -1 with e: it is damaged. */
int scene_advice_make(struct scene_advice *a, struct trace *t,
		      struct error *e);
void scene_advice_done(struct scene_advice *a);

#endif
