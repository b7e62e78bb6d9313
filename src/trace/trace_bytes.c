/*
 * trace_bytes: see trace_bytes.h.
 */
#include <stdlib.h>
#include <string.h>

#include "base/lang.h"
#include "trace/trace_bytes.h"

/* ---- reading ---- */

uint64_t in_wrong(struct in *in, const char *expected)
{
	if (!in->wrong)
		in->wrong = expected;
	in->p = in->end;
	return 0;
}

uint64_t in_varint_slow(struct in *in)
{
	uint64_t v = 0;

	for (int shift = 0; shift < 64; shift += 7) {
		uint8_t byte;

		if (in->p == in->end)
			return in_wrong(in, _("more numbers"));
		byte = *in->p++;
		/* One form for each number: no 65th bit, no idle end. */
		if ((shift == 63 && byte > 1) || (shift && byte == 0))
			return in_wrong(in, _("a number of 64 bits"));
		v |= (uint64_t)(byte & 0x7F) << shift;
		if (!(byte & 0x80))
			return v;
	}
	return in_wrong(in, _("a number of 64 bits"));
}

uint64_t in_limited(struct in *in, uint64_t highest, const char *expected)
{
	uint64_t v = in_varint(in);

	return v > highest ? in_wrong(in, expected) : v;
}

uint32_t in_u32(struct in *in)
{
	return (uint32_t)in_limited(in, UINT32_MAX, _("a number of 32 bits"));
}

size_t in_count(struct in *in, size_t highest, size_t bytes)
{
	uint64_t n = in_varint(in);

	if (n > highest || n > in_left(in) / bytes)
		return in_wrong(in, _("a count of what follows"));
	return n;
}

char *in_string(struct in *in)
{
	uint64_t n = in_varint(in);
	char *s;

	if (n > in_left(in) || (n && memchr(in->p, 0, n))) {
		in_wrong(in, _("a string without NUL"));
		n = 0;
	}
	s = xmalloc(n + 1);
	if (n)
		memcpy(s, in->p, n);
	s[n] = '\0';
	in->p += n;
	return s;
}

/* ---- writing ---- */

uint8_t *bytes_room(struct bytes *b, size_t n)
{
	if (b->capacity - b->len <= n)
		grow(&b->data, &b->capacity, b->len + n + 1, 1);
	return b->data + b->len;
}

void put_bytes(struct bytes *b, const void *data, size_t n)
{
	uint8_t *room = bytes_room(b, n);

	if (n)
		memcpy(room, data, n);
	b->len += n;
}

void put_varint_slow(struct bytes *b, uint64_t v)
{
	uint8_t *p = bytes_room(b, VARINT_MAX);

	while (v >= 0x80) {
		*p++ = (uint8_t)(v | 0x80);
		v >>= 7;
	}
	*p++ = (uint8_t)v;
	b->len = p - b->data;
}

void put_string(struct bytes *b, const char *s)
{
	size_t n = s ? strlen(s) : 0;

	put_varint(b, n);
	put_bytes(b, s, n);
}
