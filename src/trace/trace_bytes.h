/*
 * trace_bytes: reads the bytes of a block up to an end, and writes them.
 */
#ifndef TRACE_TRACE_BYTES_H
#define TRACE_TRACE_BYTES_H

#include "base/base.h"

/* ---- reading ---- */

/* A reader. `wrong` keeps the first error; everything read after it is 0.
 * Errors are reported at the block's offset in the file. */
struct in {
	const uint8_t *p, *end;
	const char *wrong;
};

/* Records an error unless there is one; returns 0. */
uint64_t in_wrong(struct in *in, const char *expected);
uint64_t in_varint_slow(struct in *in);
uint64_t in_limited(struct in *in, uint64_t highest, const char *expected);
uint32_t in_u32(struct in *in);
/* Reads a count of items that take at least `bytes` bytes each. */
size_t in_count(struct in *in, size_t highest, size_t bytes);
char *in_string(struct in *in);

static inline size_t in_left(const struct in *in)
{
	return in->end - in->p;
}

static inline uint64_t in_varint(struct in *in)
{
	if (in->p != in->end && *in->p < 0x80)
		return *in->p++;
	return in_varint_slow(in);
}

/* ---- writing ---- */

#define VARINT_MAX 10

struct bytes {
	uint8_t *data;
	size_t len, capacity;
};

/* Makes room for n more bytes and returns it; never NULL. */
uint8_t *bytes_room(struct bytes *b, size_t n);
void put_bytes(struct bytes *b, const void *data, size_t n);
void put_varint_slow(struct bytes *b, uint64_t v);
void put_string(struct bytes *b, const char *s);

static inline void put_varint(struct bytes *b, uint64_t v)
{
	if (v < 0x80 && b->len < b->capacity)
		b->data[b->len++] = (uint8_t)v;
	else
		put_varint_slow(b, v);
}

#endif
