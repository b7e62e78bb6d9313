/*
 * leading: see leading.h.
 */
#include "record/leading.h"

#include <string.h>
#include <strings.h>

#define MATRICES 3

static const char rows[] = "mkm", columns[] = "knn";

int leading_matrix(const char *name)
{
	static const char *const names[MATRICES] = { "lda", "ldb", "ldc" };

	for (int i = 0; i < MATRICES; i++)
		if (!strcasecmp(name, names[i]))
			return i;
	return -1;
}

char leading_size(int matrix, unsigned by_columns)
{
	return by_columns >> matrix & 1 ? rows[matrix] : columns[matrix];
}

static int64_t *said_size(struct said_sizes *s, char size)
{
	return &s->of[strchr("mnk", size) - "mnk"];
}

void said_note(struct said_sizes *s, char known, const char *name, int64_t value)
{
	int matrix = leading_matrix(name);
	int64_t *of = said_size(s, known);

	if (matrix >= 0) {
		s->leading[matrix] = value;
		return;
	}
	s->contrary = s->contrary || (*of && *of != value);
	*of = value;
}

bool said_are_whole(struct said_sizes *s)
{
	for (int i = 0; i < MATRICES; i++) {
		int64_t *m = said_size(s, rows[i]), *n = said_size(s, columns[i]);

		if (!s->leading[i])
			continue;
		if (!*n)
			*n = s->leading[i];
		if (s->leading[i] != *n && s->leading[i] != *m)
			return false;
	}
	return !s->contrary;
}
