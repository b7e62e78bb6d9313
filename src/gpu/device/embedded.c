/*
 * embedded: finds the code and text of a kernel. See embedded.h.
 */
#include <stdlib.h>
#include <string.h>

#include "gpu/device/embedded.h"

const struct embedded *embedded_find(const struct plan *p)
{
	char *build = p->kernel ? plan_build(p) : NULL;
	const struct embedded *found = NULL;

	for (size_t i = 0; build && i < embedded_count && !found; i++) {
		const struct embedded *s = &embedded_table[i];

		if (!strcmp(s->name, build) && s->text_length == p->length &&
		    !memcmp(s->text, p->text, p->length))
			found = s;
	}
	free(build);
	return found;
}

/* Its name, or its name and a parameter. */
static bool is_build_of(const char *name, const struct kernel *k)
{
	size_t n = strlen(k->name);

	return !strncmp(name, k->name, n) &&
	       (name[n] == '\0' || name[n] == '-');
}

char *embedded_text(const struct kernel *k, size_t *length, struct error *e)
{
	for (size_t i = 0; i < embedded_count; i++) {
		const struct embedded *s = &embedded_table[i];

		if (is_build_of(s->name, k)) {
			*length = s->text_length;
			return xstrndup(s->text, s->text_length);
		}
	}
	error_set(e, EXIT_RUNNER, "%s was not built for the GPU", k->name);
	return NULL;
}
