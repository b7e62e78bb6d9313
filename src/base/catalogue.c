/*
 * catalogue: see catalogue.h. The format: seven numbers of 32 bits, of which
 * the third is the count of texts, the fourth and fifth the offsets of two
 * tables of (length, offset), of the texts in the order of their bytes and of
 * their translations. A text ends in a zero byte; so do the forms of its plural.
 */
#include "base/catalogue.h"

#include <stdlib.h>
#include <string.h>

#include "base/base.h"

#define MAGIC 0x950412deu
#define MOST (16u << 20)

static uint32_t read_word(const struct catalogue *c, size_t at)
{
	uint32_t v;

	memcpy(&v, c->data + at, sizeof(v));
	return c->swapped ? __builtin_bswap32(v) : v;
}

/* Returns the ith text of the table at offset `table`; sets *n to its
 * length. */
static const char *catalogue_text_at(const struct catalogue *c, uint32_t table,
				     uint32_t i, uint32_t *n)
{
	*n = read_word(c, table + 8 * (size_t)i);
	return c->data + read_word(c, table + 8 * (size_t)i + 4);
}

/* Checks that a table and all its texts are inside the file. */
static bool table_valid(const struct catalogue *c, uint32_t table)
{
	if (table > c->len || (c->len - table) / 8 < c->count)
		return false;
	for (uint32_t i = 0; i < c->count; i++) {
		uint32_t n = read_word(c, table + 8 * (size_t)i);
		uint32_t at = read_word(c, table + 8 * (size_t)i + 4);

		if (at >= c->len || c->len - at <= n || c->data[at + n])
			return false;
	}
	return true;
}

/* Reads the header of the catalogue, and checks both tables. */
static bool read_catalogue_head(struct catalogue *c)
{
	if (c->len < 28)
		return false;
	c->swapped = read_word(c, 0) != MAGIC;
	if (read_word(c, 0) != MAGIC)
		return false;
	c->count = read_word(c, 8);
	c->originals = read_word(c, 12);
	c->translations = read_word(c, 16);
	return table_valid(c, c->originals) && table_valid(c, c->translations);
}

void catalogue_open(struct catalogue *c, const char *path)
{
	struct error e;

	*c = (struct catalogue){ .data = NULL };
	c->data = file_read(path, MOST, &c->len, &e);
	if (!c->data || !read_catalogue_head(c))
		catalogue_close(c);
}

void catalogue_close(struct catalogue *c)
{
	free(c->data);
	*c = (struct catalogue){ .data = NULL };
}

const char *catalogue_find(const struct catalogue *c, const char *text,
			   unsigned form)
{
	uint32_t low = 0, high = c->count, n;
	const char *found = NULL, *end;

	/* The first text is empty, and its translation about the file. */
	while (low < high && !found && *text) {
		uint32_t middle = low + (high - low) / 2;
		int order = strcmp(
			text, catalogue_text_at(c, c->originals, middle, &n));

		if (!order)
			found = catalogue_text_at(c, c->translations, middle,
						  &n);
		else if (order < 0)
			high = middle;
		else
			low = middle + 1;
	}
	if (!found)
		return NULL;
	for (end = found + n; form && found < end; form--)
		found += strlen(found) + 1;
	return found < end ? found : NULL;
}
