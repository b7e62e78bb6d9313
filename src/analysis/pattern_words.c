/* pattern_words: numbers and places in words. See pattern_words.h. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/lang.h"
#include "analysis/pattern_words.h"

/* Writes a number; in English, up to twelve it is a word. */
struct sentence_part words_number(int64_t n)
{
	static const char *const small[] = {
		N_("zero"), N_("one"), N_("two"), N_("three"), N_("four"),
		N_("five"), N_("six"), N_("seven"), N_("eight"), N_("nine"),
		N_("ten"), N_("eleven"), N_("twelve"),
	};
	struct sentence_part w;

	if (n >= 0 && n < (int64_t)LENGTH(small))
		snprintf(w.text, sizeof(w.text), "%s", _(small[n]));
	else
		snprintf(w.text, sizeof(w.text), "%" PRId64, n);
	return w;
}

/* Writes a count; fmt, from ngettext, has one %1$s. */
static struct sentence_part write_count(const char *fmt, int64_t n)
{
	struct sentence_part w;

	snprintf(w.text, sizeof(w.text), fmt, words_number(n).text);
	return w;
}

struct sentence_part words_addresses(int n)
{
	return write_count(
		ngettext("%1$s address", "%1$s addresses", (unsigned long)n),
		n);
}

struct sentence_part words_sectors(int n)
{
	return write_count(
		ngettext("%1$s sector", "%1$s sectors", (unsigned long)n), n);
}

struct sentence_part words_wavefronts(int n)
{
	return write_count(
		ngettext("%1$s wavefront", "%1$s wavefronts", (unsigned long)n),
		n);
}

struct sentence_part words_bytes(int64_t n)
{
	return write_count(
		ngettext("%1$s byte", "%1$s bytes", (unsigned long)llabs(n)),
		n);
}

struct sentence_part words_elements(int64_t n)
{
	return write_count(ngettext("%1$s element", "%1$s elements",
				    (unsigned long)llabs(n)),
			   n);
}

/* Writes a stride, such as "64 elements (256 bytes)". */
struct sentence_part words_step(const struct lane_offsets *l, int64_t bytes)
{
	struct sentence_part w;
	int64_t n = bytes / l->array->elem_bytes;

	if (bytes % l->array->elem_bytes)
		return words_bytes(bytes);
	snprintf(w.text, sizeof(w.text),
		 ngettext("%1$s element (%2$s bytes)",
			  "%1$s elements (%2$s bytes)",
			  (unsigned long)llabs(n)),
		 words_number(n).text, words_number(bytes).text);
	return w;
}

uint32_t lanes_mask(int first, int count)
{
	uint32_t all = count >= 32 ? UINT32_MAX : (UINT32_C(1) << count) - 1;

	return all << first;
}

void pattern_lanes(uint32_t mask, char *buf, size_t size)
{
	int runs = 0, total = __builtin_popcount(mask & ~(mask << 1));
	int highest = mask ? 31 - __builtin_clz(mask) : 0;
	size_t n = 0;

	buf[0] = '\0';
	while (mask && n < size) {
		int from = __builtin_ctz(mask);
		int count = ~(mask >> from) ?
			    __builtin_ctz(~(mask >> from)) : 32;

		count = MIN(count, 32 - from);
		mask &= ~lanes_mask(from, count);
		if (total > 4 && runs == 3) {
			snprintf(buf + n, size - n, ", ..., %d", highest);
			return;
		}
		n += (size_t)snprintf(buf + n, size - n, count > 1 ?
				      "%s%d-%d" : "%s%d", runs ? ", " : "",
				      from, from + count - 1);
		runs++;
	}
}

struct sentence_part words_lanes(uint32_t mask)
{
	struct sentence_part w;

	pattern_lanes(mask, w.text, sizeof(w.text));
	return w;
}

uint32_t lanes_run(const struct lane_offsets *l, int from, int count)
{
	uint32_t mask = 0;

	for (int i = from; i < from + count && i < l->count; i++)
		mask |= UINT32_C(1) << l->lane[i];
	return mask;
}

/* Writes the name of the element that holds a byte; of all elements of an
 * access if `bytes` > 1. */
struct sentence_part words_element(const struct lane_offsets *l,
				   uint64_t offset, uint32_t bytes)
{
	struct sentence_part w;

	array_element(l->array, offset, bytes, w.text, sizeof(w.text));
	return w;
}

/* Write the name of the elements that hold the request's lowest and highest
 * bytes. */
struct sentence_part words_low_end(const struct lane_offsets *l)
{
	return words_element(l, l->sorted[0], 1);
}

struct sentence_part words_high_end(const struct lane_offsets *l)
{
	return words_element(l, l->sorted[l->distinct - 1] + l->site->bytes - 1,
			     1);
}
