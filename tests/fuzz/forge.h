/*
 * forge: traces whose checksums are right and whose contents are not.
 *
 * A trace unpacked is a sequence of parts: a letter (C chunk, T tables,
 * I index), a length of 3 bytes, and the block's bytes before compression.
 * Packing it compresses the parts, and puts into the index how long the
 * chunks have become; so a changed byte reaches the code behind zstd.
 */
#ifndef FORGE_H
#define FORGE_H

#include <stdlib.h>
#include <zstd.h>

#include "trace/trace_format.h"

#define FORGE_MAX (1u << 20)

static inline void forge_varint(struct str *out, uint64_t v)
{
	for (; v >= 0x80; v >>= 7)
		str_addc(out, (char)(v | 0x80));
	str_addc(out, (char)v);
}

/* False at the end of the bytes. */
static inline bool forge_get(const uint8_t **p, const uint8_t *end,
			     uint64_t *v)
{
	*v = 0;
	for (int shift = 0; *p < end && shift < 64; shift += 7) {
		uint8_t byte = *(*p)++;

		*v |= (uint64_t)(byte & 0x7F) << shift;
		if (!(byte & 0x80))
			return true;
	}
	return false;
}

/* The index with the chunks' lengths as they are now. */
static inline void forge_index(struct str *out, const uint8_t *p, size_t n,
			       const uint32_t *lengths, size_t count)
{
	const uint8_t *end = p + n;
	uint64_t v, chunks, barriers;
	size_t at = 0;

	if (forge_get(&p, end, &v))
		forge_varint(out, v);
	while (p < end) {
		for (int i = 0; i < 2 && forge_get(&p, end, &v); i++)
			forge_varint(out, v);
		if (!forge_get(&p, end, &chunks) ||
		    !forge_get(&p, end, &barriers))
			break;
		forge_varint(out, chunks);
		forge_varint(out, barriers);
		while (chunks-- && forge_get(&p, end, &v)) {
			forge_varint(out, at < count ? lengths[at++] : v);
			for (int i = 0; i < 2 && forge_get(&p, end, &v); i++)
				forge_varint(out, v);
		}
		while (barriers-- && forge_get(&p, end, &v))
			forge_varint(out, v);
	}
}

static inline uint32_t forge_block(struct str *out, uint32_t tag,
				   const void *raw, size_t n)
{
	static ZSTD_CCtx *zstd;
	size_t bound = ZSTD_compressBound(n), packed;
	uint8_t head[GVT_BLOCK];
	char *buf = xmalloc(bound);

	if (!zstd)
		zstd = ZSTD_createCCtx();
	packed = ZSTD_compressCCtx(zstd, buf, bound, raw, n, 1);
	put_u32(head, tag);
	put_u32(head + 4, (uint32_t)packed);
	str_addn(out, (char *)head, sizeof(head));
	str_addn(out, buf, packed);
	free(buf);
	return (uint32_t)(packed + GVT_BLOCK);
}

/* Packs parts into a file's bytes. values: the header's feature bit. */
static inline void forge_pack(struct str *out, bool values, const uint8_t *p,
			      size_t n)
{
	uint8_t header[GVT_HEADER] = GVT_MAGIC, trailer[GVT_TRAILER] = { 0 };
	uint32_t lengths[256];
	size_t count = 0;
	struct str index = { 0 };

	memset(header + 8, 0, 8);
	put_u32(header + 8, GVT_VERSION | (values ? GVT_VALUES : 0) << 16);
	str_addn(out, (char *)header, sizeof(header));
	while (n >= 4) {
		size_t len = p[1] | p[2] << 8 | p[3] << 16;
		uint8_t kind = p[0];

		p += 4;
		n -= 4;
		len = MIN(len, n);
		if (kind == 'T') {
			put_u64(trailer, out->len);
			forge_block(out, GVT_TABLES, p, len);
		} else if (kind == 'I') {
			forge_index(&index, p, len, lengths, count);
			put_u64(trailer + 8, out->len);
			forge_block(out, GVT_INDEX, index.data, index.len);
			str_clear(&index);
		} else if (count < LENGTH(lengths)) {
			lengths[count++] = forge_block(out, GVT_CHUNK, p, len);
		}
		p += len;
		n -= len;
	}
	put_u64(trailer + 16, out->len + GVT_TRAILER);
	memcpy(trailer + 24, GVT_END, 8);
	str_addn(out, (char *)trailer, sizeof(trailer));
	str_done(&index);
}

/* The parts of a good file. */
static inline void forge_unpack(struct str *out, const uint8_t *file, size_t n)
{
	size_t at = GVT_HEADER;

	while (at + GVT_BLOCK + GVT_TRAILER < n) {
		uint32_t tag = get_u32(file + at);
		uint32_t len = get_u32(file + at + 4);
		const uint8_t *p = file + at + GVT_BLOCK;
		size_t raw = ZSTD_getFrameContentSize(p, len);
		char *buf = xmalloc(raw + 1);

		raw = ZSTD_decompress(buf, raw, p, len);
		str_addc(out, (char)tag);
		str_addc(out, (char)raw);
		str_addc(out, (char)(raw >> 8));
		str_addc(out, (char)(raw >> 16));
		str_addn(out, buf, raw);
		free(buf);
		at += GVT_BLOCK + len;
	}
}

#endif
