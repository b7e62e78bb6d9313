/*
 * trace_bytes: bytes of a block, read up to an end, and written.
 */
#ifndef TRACE_TRACE_BYTES_H
#define TRACE_TRACE_BYTES_H

#include "base/base.h"

/* ---- reading ---- */

/* The first thing that is wrong stays in `wrong`; what is read after it is
 * 0. Places are told as the block's offset in the file. */
struct in {
	const uint8_t *p, *end;
	const char *wrong;
};

/* Returns 0. */
uint64_t in_wrong(struct in *in, const char *expected);
uint64_t in_varint_slow(struct in *in);
uint64_t in_limited(struct in *in, uint64_t highest, const char *expected);
uint32_t in_u32(struct in *in);
/* A count of things that take at least `bytes` each. */
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

/* Room for n more bytes; never NULL. */
uint8_t *bytes_room(struct bytes *b, size_t n);
void put_bytes(struct bytes *b, const void *data, size_t n);
void put_varint(struct bytes *b, uint64_t v);
void put_string(struct bytes *b, const char *s);

#endif
