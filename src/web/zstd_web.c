/* zstd_web: zstd's compression without compressing, in place of a third of its
 * code: a page writes few traces, and keeps none. Its frames are of raw blocks,
 * as RFC 8878 has them, which every zstd reads. */
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "base/base.h"

#define BLOCK_HEADER 3
#define BLOCK_MOST (1u << 17)

struct ZSTD_CCtx_s { char unused; };

ZSTD_CCtx *ZSTD_createCCtx(void)
{
	return xcalloc(1, sizeof(ZSTD_CCtx));
}

size_t ZSTD_freeCCtx(ZSTD_CCtx *c)
{
	free(c);
	return 0;
}

size_t ZSTD_CCtx_setParameter(ZSTD_CCtx *c, ZSTD_cParameter name, int value)
{
	(void)c, (void)name, (void)value;
	return 0;
}

size_t ZSTD_compressBound(size_t size)
{
	return ZSTD_COMPRESSBOUND(size);
}

/* Writes the `bytes` lowest bytes of a number. Returns where the next go. */
static uint8_t *put_low_bytes(uint8_t *to, uint32_t number, int bytes)
{
	for (int i = 0; i < bytes; i++)
		*to++ = (uint8_t)(number >> 8 * i);
	return to;
}

size_t ZSTD_compress2(ZSTD_CCtx *c, void *to, size_t room, const void *from,
		      size_t size)
{
	uint8_t *at = put_low_bytes(to, ZSTD_MAGICNUMBER, 4);
	const uint8_t *in = from;
	size_t left = size, n;

	(void)c, (void)room;
	*at++ = 0xa0;		/* one segment; its size has 4 bytes */
	at = put_low_bytes(at, (uint32_t)size, 4);
	do {
		n = MIN(left, BLOCK_MOST);
		at = put_low_bytes(at, (uint32_t)n << 3 | (n == left),
				   BLOCK_HEADER);
		if (n)
			memcpy(at, in, n);
		at += n;
		in += n;
		left -= n;
	} while (left);
	return (size_t)(at - (uint8_t *)to);
}
