/* defect_words: a defect's threads and what they do, in words. */
#ifndef VIZ_DEFECT_WORDS_H
#define VIZ_DEFECT_WORDS_H

#include "scene/scene.h"

/* Returns the kind of a defect in a few words. */
const char *defect_words(const struct trace_finding *f);
/* Writes an actor's name, such as "thread (0,1)". */
void defect_thread(char *buf, size_t size, const struct scene *sc,
		   const struct defect_actor *a);
/* Writes what an actor did: "reads NaN", "waits"; with `judged` also what is
 * wrong: "reads NaN, too early". */
void defect_deed(char *buf, size_t size, const struct defect *d,
		 const struct defect_actor *a, bool judged);

#endif
