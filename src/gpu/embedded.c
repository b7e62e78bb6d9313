/*
 * embedded: finding. See embedded.h.
 */
#include <string.h>

#include "gpu/embedded.h"

const struct embedded *embedded_find(const char *name, const char *text,
				     size_t length)
{
	for (size_t i = 0; i < embedded_count; i++) {
		const struct embedded *s = &embedded_table[i];

		if (!strcmp(s->name, name) && s->text_length == length &&
		    !memcmp(s->text, text, length))
			return s;
	}
	return NULL;
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
