/*
 * store: finding. See store.h.
 */
#include <string.h>

#include "store.h"

const struct stored *store_find(const char *name, const char *text,
				size_t length)
{
	for (size_t i = 0; i < store_count; i++) {
		const struct stored *s = &store_table[i];

		if (!strcmp(s->name, name) && s->text_length == length &&
		    !memcmp(s->text, text, length))
			return s;
	}
	return NULL;
}
