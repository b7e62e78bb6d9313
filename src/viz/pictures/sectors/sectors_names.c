/* Labels next to and below a ribbon of sectors. */
#include <stdio.h>

#include "base/text.h"
#include "viz/pictures/sectors/view_sectors.h"

/* Tells whether each sector is in a row of its own, all beginning in one column
 * of a matrix; sets *column. */
static bool are_in_rows(const struct ribbon *k, uint64_t *column)
{
	const struct scene *sc = k->sc;
	uint64_t index[TRACE_MAX_RANK];

	for (size_t i = 0; i < sc->sector_count; i++) {
		if (sc->array->rank != 2 ||
		    sc->sectors[i].address < sc->array->base ||
		    !array_coords(sc->array, sc->sectors[i].address -
				  sc->array->base, index) ||
		    (i && index[1] != *column))
			return false;
		*column = index[1];
	}
	return sc->array->elem_bytes == BANK_BYTES;
}

/* Returns the bytes from sector i on that its name stands for: one element if
 * words stand above each other, else all bytes up to the next name. */
static uint32_t named_bytes(const struct ribbon *k, size_t i, size_t step)
{
	const struct scene *sc = k->sc;
	uint32_t n = 1;

	while (n < step && i + n < sc->sector_count &&
	       sc->sectors[i + n].address ==
	       sc->sectors[i].address + n * SECTOR_BYTES)
		n++;
	return k->flat ? sc->array->elem_bytes : n * SECTOR_BYTES;
}

static void sector_name(const struct ribbon *k, size_t i, size_t step,
			bool rows, char *buf, size_t size)
{
	const struct scene *sc = k->sc;
	uint64_t at = sc->sectors[i].address, base = sc->array->base;
	uint64_t index[TRACE_MAX_RANK];

	at = at > base ? at - base : 0;
	if (rows && array_coords(sc->array, at, index))
		snprintf(buf, size, "%llu", (unsigned long long)index[0]);
	else
		array_element(sc->array, at, named_bytes(k, i, step), buf,
			      size);
}

/* Tells whether the name of each `step`th sector fits. */
static bool names_fit(const struct ribbon *k, bool rows, size_t step)
{
	int next = 0;

	for (size_t i = 0; i < k->sc->sector_count; i += step) {
		int x = sectors_word(k, (int)i, 0).x;
		char name[96];

		if (x < next)
			return false;
		sector_name(k, i, step, rows, name, sizeof(name));
		next = x + 1 + text_width(name);
	}
	return true;
}

uint64_t sectors_skipped(const struct ribbon *k, int i)
{
	const struct scene *sc = k->sc;
	uint64_t end = sc->sectors[i - 1].address + SECTOR_BYTES;

	return sc->sectors[i].address > end ? sc->sectors[i].address - end : 0;
}

/* Writes, between the names of two sectors that are not neighbours in memory,
 * how many bytes of it are left out. */
static void draw_skipped_bytes(struct canvas *c, const struct ribbon *k, int i,
			       int from)
{
	int to = sectors_word(k, i, 0).x - 2;
	char words[32];

	if (!k->flat || !i || !sectors_skipped(k, i))
		return;
	snprintf(words, sizeof(words), "\xe2\x95\xb1 %llu B",
		 (unsigned long long)sectors_skipped(k, i));
	if (text_width(words) < to - from)
		canvas_right(c, from, k->name_y, to - from, words,
			     INK(ROLE_DIM));
}

/* Draws below the sectors the element that each begins with: for all, or for
 * each second, fourth ... */
static void draw_sector_names(struct canvas *c, const struct ribbon *k,
			      bool rows)
{
	size_t step = 1;
	int end = 0;

	while (step < k->sc->sector_count && !names_fit(k, rows, step))
		step *= 2;
	for (size_t i = 0; k->name_h && i < k->sc->sector_count; i += step) {
		bool focus = k->sc->sectors[i].lanes & k->sc->focus_lanes;
		char name[96];

		sector_name(k, i, step, rows, name, sizeof(name));
		draw_skipped_bytes(c, k, (int)i, end);
		end = sectors_word(k, (int)i, 0).x;
		end += canvas_text(c, end, k->name_y, -1, name,
				   focus ? INK_BOLD(ROLE_STRONG) :
					   INK(ROLE_FAINT));
	}
}

/* Draws a label at the left of rows y to y + h. */
void sectors_label(struct canvas *c, const struct ribbon *k, int y, int h,
		   const char *words)
{
	int w = MIN(k->lanes.x, k->words.x) - k->left - 1;

	if (h > 0 && w > 3)
		canvas_text(c, k->left, y + (h - 1) / 2, w, words,
			    INK(ROLE_DIM));
}

void sectors_names(struct canvas *c, const struct ribbon *k)
{
	int focus = k->sc->in_sectors.lane[k->sc->cursor.lane].sector < 0 ?
		    -1 : k->sc->in_sectors.lane[k->sc->cursor.lane].word;
	int w = MIN(k->lanes.x, k->words.x) - k->left - 1;
	uint64_t column = 0;
	bool rows = !k->flat && are_in_rows(k, &column);

	draw_sector_names(c, k, rows);
	for (int i = 0; rows && k->high && w > 3 && i < SECTOR_WORDS; i++)
		canvas_textf(c, k->left, k->memory_y + i * k->high +
			     (k->high - 1) / 2, w,
			     i == focus ? INK_BOLD(ROLE_STRONG) :
					  INK(ROLE_FAINT),
			     _("col %llu"), (unsigned long long)column +
			     (unsigned)i);
	if (rows)
		sectors_label(c, k, k->name_y, k->name_h, _("row"));
	if (k->flat && k->memory_h > 1)
		sectors_label(c, k, k->memory_y, k->memory_h, _("memory"));
	sectors_label(c, k, k->got_y, k->got_h,
		      k->store ? _("stores") : _("gets"));
}
