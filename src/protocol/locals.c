#include "protocol/locals.h"

#include <stdlib.h>

#include "base/base.h"

struct locals *locals_new(size_t name_count, size_t row_count)
{
	struct locals *l = xcalloc(1, sizeof(*l));

	l->names = xcalloc(name_count + 1, sizeof(*l->names));
	l->name_count = name_count;
	l->row_count = row_count;
	l->values = xcalloc(row_count * name_count + 1, sizeof(*l->values));
	return l;
}

void locals_free(struct locals *l)
{
	if (!l)
		return;
	for (size_t i = 0; i < l->name_count; i++)
		free(l->names[i]);
	free(l->names);
	free(l->values);
	free(l);
}
