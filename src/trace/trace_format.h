/*
 * trace_format: the .gvt file, and what its writer and its reader share.
 *
 * All numbers are little-endian. A varint is LEB128, 64 bits at most; a
 * signed one is zigzag first. A string is a varint length and its bytes, of
 * which none is NUL. The parts stand one behind the other without gaps:
 *
 *   header	8 bytes magic 89 47 56 54 0D 0A 1A 0A (".GVT", line ends and
 *		ctrl-Z, which mangling changes), u16 version (1), u16 feature
 *		bits (1: values), u32 zero
 *   chunks	any number of blocks CHNK
 *   tables	one block TABL
 *   index	one block INDX
 *   trailer	u64 offset of the tables, u64 offset of the index, u64 size
 *		of the file, 8 bytes "gvt-end\n"
 *
 * A block is a u32 tag, a u32 length, and that many bytes: one zstd frame
 * with content size and checksum. Inside:
 *
 * TABL: strings kernel, file, text, on, device; varints m, n, k, grid x, y,
 * z, block x, y, z, seed, partial, spaces; then four lists, each a varint
 * count and its entries: defines (name, value), arrays (name, space, elem,
 * elem_bytes, rank, dims, base), sites (line, column, op, array + 1 or 0,
 * bytes), findings. An op is enum op, and GVT_MATRIX more
 * for ldmatrix and stmatrix; GVT_TILE more where a tile follows: varints parts,
 * rows, columns, bytes, next, pitch, swizzle, blocks. A reader that knows no
 * tiles takes it for an unknown op. A finding whose cause is not known is kind,
 * line, text. Of others the cause, GVT_CAUSE more, stands for the kind, and is
 * followed by two accesses, each line, column, op, bytes, block, thread; then
 * array + 1 or 0, signed offset, strings word and other word, as many numbers
 * as the cause has, the bits of the doubles expected and got, count.
 * Behind the lists, where they are known, strings problem and check (see struct
 * trace_info).
 *
 * INDX: varint count of warps, ascending by block and warp; for each the
 * block (less the one before), the warp, the number of chunks and the number
 * of barriers; then for each chunk its bytes in the file, requests and
 * events; then for each barrier the number of requests since the barrier
 * before. Where a chunk stands, its first request and its first phase are
 * sums of these.
 *
 * CHNK: up to 4096 requests of one warp, which need no other chunk. Varints:
 * place of its warp in the index, first request, count of requests, count of
 * patterns; then the lengths of columns 0 to 7; then the columns:
 *
 *   0 patterns	each a u32 mask, then the steps of the offset from one active
 *		lane to the next as runs: varint length, signed step
 *   1 site	varint a request
 *   2 pattern	varint a request: 0 as at this site before, else number + 1
 *   3 base	the lowest active lane's offset, as a signed difference from
 *		this site's last one (not where there is no array)
 *   4 tag	with values, a byte a request that has any: enum tag
 *   5 bits	for the tags that say so, a bit a word, first word lowest: 1,
 *		the word was predicted wrongly; padded to a byte
 *   6 codes	a byte a word not predicted: 0, it is in the next column, or
 *		where in struct dictionary it is
 *   7 words	all lowest bytes, then all second bytes, third, highest
 *
 * A request's words are those of its active lanes in ascending order. They
 * are predicted from what the chunk has shown before, see struct predictor.
 */
#ifndef TRACE_TRACE_FORMAT_H
#define TRACE_TRACE_FORMAT_H

#include <string.h>

#include "trace/trace.h"

#define GVT_MAGIC "\x89GVT\r\n\x1a\n"
#define GVT_END "gvt-end\n"
#define GVT_VERSION 1
#define GVT_VALUES 1		/* feature bit */
#define GVT_MATRIX 64		/* more than there are kinds of op */
#define GVT_TILE 128
#define GVT_CAUSE 64		/* more than there are kinds of finding */
#define GVT_HEADER 16
#define GVT_TRAILER 32
#define GVT_BLOCK 8		/* tag and length */

#define GVT_TAG(a, b, c, d) \
	((uint32_t)(a) | (b) << 8 | (c) << 16 | (uint32_t)(d) << 24)
#define GVT_CHUNK GVT_TAG('C', 'H', 'N', 'K')
#define GVT_TABLES GVT_TAG('T', 'A', 'B', 'L')
#define GVT_INDEX GVT_TAG('I', 'N', 'D', 'X')

/* A chunk ends with the request that reaches one of these. */
#define CHUNK_REQUESTS 4096
#define CHUNK_WORDS (1u << 16)
#define CHUNK_PATTERN_LANES (1u << 15)

/* No block unpacks to more. */
#define CHUNK_RAW_MAX (1u << 20)
#define TABLES_RAW_MAX (1u << 26)
#define INDEX_RAW_MAX (1u << 25)

#define TRACE_MAX_WARPS (1u << 21)
#define TRACE_MAX_ARRAYS (1u << 16)
#define TRACE_MAX_SITES (1u << 20)
#define TRACE_MAX_FINDINGS (1u << 16)
#define TRACE_MAX_DEFINES (1u << 12)
#define TRACE_MAX_ARRAY_BYTES (1ull << 56)
#define TRACE_MAX_THREADS 1024

enum column { COLUMN_PATTERNS, COLUMN_SITE, COLUMN_PATTERN, COLUMN_BASE,
	      COLUMN_TAG, COLUMN_BITS, COLUMN_CODES, COLUMN_WORDS,
	      COLUMN_COUNT };

/* The lanes that took part and where they stood; rel is relative to the
 * lowest of them and 0 in others; lowest <= 0 <= highest bound it. */
struct pattern_lanes {
	uint32_t mask, count;
	int64_t lowest, highest;
	uint64_t rel[WARP_LANES];
};

/* A site's last pattern and base in the chunk whose number is epoch. */
struct site_last {
	uint32_t epoch, pattern;
	uint64_t base;
};

/*
 * What coding a site's requests takes: the highest offset that an access
 * may have, the words of a value and the bits of a word that may be set,
 * and where its words are in the shadow memory.
 */
struct site_plan {
	uint64_t limit;
	enum op op;
	bool too_wide;		/* wider than its array: never fits */
	bool registers, floats;	/* floats: may be predicted as a sum */
	uint32_t words, bits;
	uint32_t seed, shift;	/* seed: a multiple of WARP_LANES */
};
struct site_plan trace_site_plan(const struct trace_info *info, uint32_t site);

static inline uint64_t zigzag(uint64_t difference)
{
	return difference << 1 ^ (0 - (difference >> 63));
}

static inline uint64_t unzigzag(uint64_t v)
{
	return v >> 1 ^ (0 - (v & 1));
}

static inline uint32_t get_u32(const uint8_t *p)
{
	return p[0] | p[1] << 8 | p[2] << 16 | (uint32_t)p[3] << 24;
}

static inline uint64_t get_u64(const uint8_t *p)
{
	return get_u32(p) | (uint64_t)get_u32(p + 4) << 32;
}

static inline void put_u32(uint8_t *p, uint32_t v)
{
	for (int i = 0; i < 4; i++)
		p[i] = (uint8_t)(v >> 8 * i);
}

static inline void put_u64(uint8_t *p, uint64_t v)
{
	put_u32(p, (uint32_t)v);
	put_u32(p + 4, (uint32_t)(v >> 32));
}

/* ---- what must be so, for writer, reader and text alike ---- */

/* Each gives NULL, or words that fit behind "expected". */
const char *trace_array_wrong(const struct trace_array *a);
const char *trace_site_wrong(const struct trace_site *s, size_t array_count);
const char *trace_launch_wrong(const struct trace_info *info);

/* A site's op as it is written, and the other way; what is no code gives an
 * op that is wrong. */
uint32_t trace_site_code(const struct trace_site *s);
void trace_site_decode(struct trace_site *s, uint32_t code);
/* The code of trace_site_word(), or -1. */
int trace_site_code_from(const char *word);

/* Bytes from its offset on that are an access's within its array: all, or of
 * what is moved in bulk the first element; of raw bytes one. */
uint32_t trace_site_reach(const struct trace_info *info,
			  const struct trace_site *s);
/* Bytes of the whole array; it is known not to be wrong. */
uint64_t trace_array_bytes(const struct trace_array *a);
/* The lanes that exist in a warp of this launch; 0 for a warp past the
 * block's threads. */
uint32_t trace_warp_lanes(const struct trace_info *info, uint32_t warp);
uint64_t trace_blocks(const struct trace_info *info);

/* Do all lanes of a pattern at base stay within limit, the highest offset
 * that an access may have? */
static inline bool trace_within(const struct pattern_lanes *p, uint64_t base,
				uint64_t limit)
{
	return base <= limit && (uint64_t)p->highest <= limit - base &&
	       0 - (uint64_t)p->lowest <= base;
}

#endif
