/* sectors_axis: see sectors_axis.h. */
#include "viz/pictures/sectors/sectors_axis.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/text.h"
#include "viz/kit.h"

#define AROUND 6	/* neighbours at each end that nobody asks for */

static int64_t sector_offset(const struct scene *sc, int i)
{
	return (int64_t)(sc->sectors[i].address - sc->array->base);
}

static void add_sectors(struct sectors_axis *a, const struct scene *sc)
{
	for (int i = 0; sc && i < (int)sc->sector_count; i++) {
		int64_t at = sector_offset(sc, i);
		int k = 0;

		while (k < a->count && a->at[k] != at)
			k++;
		if (k == a->count && a->count < AXIS_SECTORS)
			a->at[a->count++] = at;
	}
}

static int compare_offsets(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

static void measure_gaps(struct sectors_axis *a)
{
	a->gaps = 0;
	qsort(a->at, (size_t)a->count, sizeof(a->at[0]), compare_offsets);
	for (int i = 1; i < a->count; i++) {
		a->skipped[i] = a->at[i] - a->at[i - 1] - SECTOR_BYTES;
		a->gaps += a->skipped[i] > 0;
	}
}

/* Adds neighbours at both ends, as far as the array reaches and columns do. */
static void add_neighbours(struct sectors_axis *a, int w, const struct scene *sc)
{
	int64_t end = (int64_t)trace_array_bytes(sc->array);

	for (int n = 0; n < AROUND; n++) {
		int64_t first = a->at[0] - SECTOR_BYTES;
		int64_t last = a->at[a->count - 1] + SECTOR_BYTES;

		if (first >= 0 && (a->count + 1) * a->pitch + a->gaps <= w)
			a->at[a->count++] = first;
		if (last < end && (a->count + 1) * a->pitch + a->gaps <= w)
			a->at[a->count++] = last;
		measure_gaps(a);
	}
}

void sectors_axis(struct sectors_axis *a, struct rect r, const struct scene *sc,
		  const struct scene *other)
{
	int gap, x = r.x;

	*a = (struct sectors_axis){ .count = 0 };
	add_sectors(a, sc);
	add_sectors(a, other);
	if (!a->count)
		return;
	measure_gaps(a);
	a->pitch = MAX(1, MIN((r.w - a->gaps) / a->count, r.w / 4));
	/* Few sectors leave room for what is around them. */
	a->pitch = MIN(a->pitch, MAX(2, r.w * 3 / 5 / a->count));
	gap = a->count * a->pitch + a->gaps <= r.w;
	if (!a->gaps)
		add_neighbours(a, r.w, sc);
	a->width = a->pitch > 3 ? a->pitch - 1 : a->pitch;
	x += MAX(0, (r.w - a->count * a->pitch - gap * a->gaps) / 2);
	a->left = x;
	for (int i = 0; i < a->count; i++) {
		x += gap && a->skipped[i] > 0;
		a->x[i] = x;
		x += a->pitch;
	}
	a->right = x - a->pitch + a->width;
}

int sectors_find(const struct sectors_axis *a, int i, const struct scene *sc)
{
	for (int k = 0; k < (int)sc->sector_count; k++)
		if (sector_offset(sc, k) == a->at[i])
			return k;
	return -1;
}

/* Writes how many bytes the gaps leave out. */
static void gap_words(const struct sectors_axis *a, char *buf, size_t size)
{
	int64_t least = INT64_MAX, most = 0;

	for (int i = 1; i < a->count; i++)
		if (a->skipped[i] > 0) {
			least = MIN(least, a->skipped[i]);
			most = MAX(most, a->skipped[i]);
		}
	if (least == most)
		snprintf(buf, size, _("\xe2\x95\xb1 %lld bytes left out"),
			 (long long)most);
	else
		snprintf(buf, size,
			 _("\xe2\x95\xb1 %lld to %lld bytes left out"),
			 (long long)least, (long long)most);
}

/* Writes the name of the element that sector i of the axis begins with. */
static void name_sector(const struct sectors_axis *a, int i,
			const struct scene *sc, char *buf, size_t size)
{
	array_element(sc->array, (uint64_t)MAX(a->at[i], 0),
		      sc->array->elem_bytes, buf, size);
}

/* Draws a line along the axis, broken where bytes are left out, and says how
 * many. */
static void draw_broken_axis(struct canvas *c, const struct sectors_axis *a,
			     const struct scene *sc, struct rect r, int y)
{
	char text[96];

	for (int x = a->left; x < a->right; x++)
		canvas_put(c, x, y, 0x2500, INK(ROLE_FAINT));
	for (int i = 1; i < a->count; i++)
		if (a->x[i] > a->x[i - 1] + a->pitch)
			canvas_put(c, a->x[i] - 1, y, 0x2571, INK(ROLE_DIM));
	name_sector(a, 0, sc, text, sizeof(text));
	kit_whole(c, r.x, y, a->left - r.x - 1, text, INK(ROLE_DIM));
	gap_words(a, text, sizeof(text));
	canvas_right(c, r.x, y, r.w, text, INK(ROLE_DIM));
}

void sectors_axis_draw(struct canvas *c, const struct sectors_axis *a,
		       const struct scene *sc, struct rect r, int y)
{
	int x = a->left;
	char text[96];

	if (y >= 0 && a->gaps)
		draw_broken_axis(c, a, sc, r, y);
	if (y < 0 || a->gaps)
		return;
	/* Each name that fits. */
	for (int i = 0; i < a->count; i++) {
		if (a->x[i] < x)
			continue;
		name_sector(a, i, sc, text, sizeof(text));
		if (a->x[i] + text_width(text) > r.x + r.w)
			return;
		x = a->x[i] + canvas_text(c, a->x[i], y, -1, text,
					  INK(ROLE_FAINT)) + 2;
	}
}
