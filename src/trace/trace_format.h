/*
 * trace_format: the .gvt file format, and what its writer and its reader share.
 *
 * All numbers are little-endian. A varint is LEB128, 64 bits at most; a signed
 * varint is zigzag-encoded first. A string is a varint length and its bytes,
 * none of which is NUL. The parts of the file are adjacent:
 *
 *   header	8 bytes magic 89 47 56 54 0D 0A 1A 0A (".GVT", line ends and
 *		ctrl-Z, which text conversions change), u16 version (1), u16
 *		feature bits (1: values), u32 zero
 *   chunks	any number of blocks CHNK
 *   tables	one block TABL
 *   index	one block INDX
 *   trailer	u64 offset of the tables, u64 offset of the index, u64 size
 *		of the file, 8 bytes "gvt-end\n"
 *
 * A block is a u32 tag, a u32 length, and that many bytes: one zstd frame with
 * content size and checksum. The contents of the blocks are:
 *
 * TABL: strings kernel, file, text, on, device; varints m, n, k, grid x, y, z,
 * block x, y, z, seed, partial, spaces; then four lists, each a varint count
 * and its entries: defines (name, value), arrays (name, space, elem,
 * elem_bytes, rank, dims, base), sites (line, column, op, array + 1 or 0,
 * bytes), findings. An op is an enum op, plus GVT_MATRIX for ldmatrix and
 * stmatrix, plus GVT_TILE where a tile follows, of a bulk operation or of a
 * store to another block's shared memory: varints parts, rows, columns,
 * bytes, next, pitch, swizzle, blocks. A reader that does not know tiles sees
 * an unknown op. A finding whose cause is not known is kind, line, text. In
 * other findings the cause, plus GVT_CAUSE, takes the place of the kind,
 * followed by two accesses, each line, column, op, bytes, block, thread; then
 * array + 1 or 0, signed offset, strings word and other word, as many numbers
 * as the cause has, the bits of the doubles expected and got, count. After the
 * lists come, where they are known, the strings problem and check (see struct
 * trace_info), and behind these a list of arguments: strings name and type,
 * array + 1 or 0, decided, string value, size, before, the bits of the doubles
 * low and high, filled. Behind these comes of a program with several devices
 * their number, that of the launch's own work, and a list of all work: kind,
 * device + 1 or 0, from + 1 or 0, stream, turn, group, line, m, n, k, bytes,
 * strings what and name.
 *
 * INDX: varint count of warps, ascending by block and warp; for each warp the
 * block (as the difference from the previous one), the warp, the number of
 * chunks and the number of barriers; then for each chunk its bytes in the file,
 * requests and events; then for each barrier the number of requests since the
 * previous barrier. The offset of a chunk, its first request and its first
 * phase are sums of these.
 *
 * CHNK: up to 4096 requests of one warp; a chunk is decoded without any other
 * chunk. Varints: the warp's position in the index, first request, count of
 * requests, count of patterns; then the lengths of columns 0 to 7; then the
 * columns:
 *
 *   0 patterns	each a u32 mask, then the steps of the offset from one active
 *		lane to the next as runs: varint length, signed step
 *   1 site	a varint for each request
 *   2 pattern	a varint for each request: 0 for the previous pattern at this
 *		site, else number + 1
 *   3 base	the lowest active lane's offset, as a signed difference from
 *		the previous one at this site (absent where the site has no
 *		array)
 *   4 tag	with values, a byte for each request that has any: enum tag
 *   5 bits	for the tags that need them, a bit for each word, first word
 *		lowest: 1, the word was predicted wrongly; padded to a byte
 *   6 codes	a byte for each word not predicted: 0, the word is in the next
 *		column; else its place in struct dictionary
 *   7 words	all lowest bytes, then all second bytes, third, highest
 *
 * The words of a request are those of its active lanes in ascending order. They
 * are predicted from earlier requests of the chunk, see struct predictor.
 */
#ifndef TRACE_TRACE_FORMAT_H
#define TRACE_TRACE_FORMAT_H

#include <string.h>

#include "trace/trace.h"

#define GVT_MAGIC "\x89GVT\r\n\x1a\n"
#define GVT_END "gvt-end\n"
#define GVT_VERSION 1
#define GVT_VALUES 1		/* feature bit */
#define GVT_MATRIX 64		/* greater than any enum op */
#define GVT_TILE 128
#define GVT_CAUSE 64		/* greater than any finding_kind */
#define GVT_HEADER 16
#define GVT_TRAILER 32
#define GVT_BLOCK 8		/* tag and length */

#define GVT_TAG(a, b, c, d) \
	((uint32_t)(a) | (b) << 8 | (c) << 16 | (uint32_t)(d) << 24)
#define GVT_CHUNK GVT_TAG('C', 'H', 'N', 'K')
#define GVT_TABLES GVT_TAG('T', 'A', 'B', 'L')
#define GVT_INDEX GVT_TAG('I', 'N', 'D', 'X')

/* A chunk ends with the request that reaches one of these limits. */
#define CHUNK_REQUESTS 4096
#define CHUNK_WORDS (1u << 16)
#define CHUNK_PATTERN_LANES (1u << 15)

/* The unpacked sizes that no block exceeds, in bytes. */
#define CHUNK_RAW_MAX (1u << 20)
#define TABLES_RAW_MAX (1u << 26)
#define INDEX_RAW_MAX (1u << 25)

#define TRACE_MAX_WARPS (1u << 21)
#define TRACE_MAX_ARRAYS (1u << 16)
#define TRACE_MAX_SITES (1u << 20)
#define TRACE_MAX_FINDINGS (1u << 16)
#define TRACE_MAX_DEFINES (1u << 12)
#define TRACE_MAX_WORKS (1u << 16)
#define TRACE_MAX_ARRAY_BYTES (1ull << 56)
#define TRACE_MAX_THREADS 1024

enum column { COLUMN_PATTERNS, COLUMN_SITE, COLUMN_PATTERN, COLUMN_BASE,
	      COLUMN_TAG, COLUMN_BITS, COLUMN_CODES, COLUMN_WORDS,
	      COLUMN_COUNT };

/*
 * The active lanes of a request and their relative offsets: rel is relative to
 * the lowest active lane, and 0 for inactive lanes; lowest <= 0 <= highest are
 * its bounds. The writer notes in `row` that all lanes are active, each 4 bytes
 * behind the lane before.
 */
struct pattern_lanes {
	uint32_t mask, count;
	bool row;
	int64_t lowest, highest;
	uint64_t rel[WARP_LANES];
};

/* The last pattern and base of a site in the chunk whose number is epoch. */
struct site_last {
	uint32_t epoch, pattern;
	uint64_t base;
};

/*
 * What is needed to code the requests of a site: the highest offset that an
 * access may have, the words of a value, the bits of a word that may be set,
 * and the place of its words in the shadow memory.
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

static inline uint64_t zigzag_encode(uint64_t difference)
{
	return difference << 1 ^ (0 - (difference >> 63));
}

static inline uint64_t zigzag_decode(uint64_t v)
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

/* Each check returns NULL, or words that complete "expected ...". */
const char *trace_array_wrong(const struct trace_array *a);
const char *trace_site_wrong(const struct trace_site *s, size_t array_count);
const char *trace_launch_wrong(const struct trace_info *info);
const char *trace_argument_wrong(const struct trace_argument *a,
				 size_t array_count);
const char *trace_works_wrong(const struct trace_info *info);

/* Returns the code of a site's op in the file. trace_site_decode() does the
 * reverse; an invalid code gives an invalid op. */
uint32_t trace_site_code(const struct trace_site *s);
void trace_site_decode(struct trace_site *s, uint32_t code);
/* Returns the code of a word from trace_site_word(), or -1. */
int trace_site_code_from(const char *word);

/*
 * Returns the bytes that must lie within the array from a request's offset on:
 * all bytes of an access, the first element of a bulk operation, or 1 for raw
 * bytes.
 */
uint32_t trace_site_reach(const struct trace_info *info,
			  const struct trace_site *s);
/* Returns the mask of the lanes that exist in a warp of this launch; 0 for a
 * warp past the block's threads. */
uint32_t trace_warp_lanes(const struct trace_info *info, uint32_t warp);
uint64_t trace_blocks(const struct trace_info *info);

/* Tests whether all lanes of a pattern at `base` stay within `limit`, the
 * highest offset that an access may have. */
static inline bool trace_within(const struct pattern_lanes *p, uint64_t base,
				uint64_t limit)
{
	return base <= limit && (uint64_t)p->highest <= limit - base &&
	       0 - (uint64_t)p->lowest <= base;
}

#endif
