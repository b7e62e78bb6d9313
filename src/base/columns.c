#include "base/columns.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

char **columns_row(struct columns *t)
{
	grow(&t->rows, &t->capacity, t->count + 1, sizeof(*t->rows));
	memset(t->rows[t->count], 0, sizeof(*t->rows));
	return t->rows[t->count++];
}

void columns_print(const struct columns *t, FILE *out)
{
	int widths[COLUMNS_MOST] = { 0 };

	for (size_t i = 0; i < t->count; i++)
		for (int c = 0; c < COLUMNS_MOST && t->rows[i][c]; c++)
			widths[c] = MAX(widths[c], text_width(t->rows[i][c]));
	for (size_t i = 0; i < t->count; i++) {
		int gap = 0;	/* what is left of the cell before */

		for (int c = 0; c < COLUMNS_MOST && t->rows[i][c]; c++) {
			const char *cell = t->rows[i][c];
			int pad = widths[c] - text_width(cell);
			bool left = t->left >> c & 1;

			gap += 2 + (left ? 0 : pad);
			if (*cell)
				fprintf(out, "%*s%s", gap, "", cell);
			gap = (*cell ? 0 : gap) + (left ? pad : 0);
		}
		fputc('\n', out);
	}
}

void columns_done(struct columns *t)
{
	for (size_t i = 0; i < t->count; i++)
		for (int c = 0; c < COLUMNS_MOST; c++)
			free(t->rows[i][c]);
	free(t->rows);
}
