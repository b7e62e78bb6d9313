/*
 * trace_gen: random traces that exercise every part of the format, the same
 * for the same seed.
 */
#ifndef TRACE_GEN_H
#define TRACE_GEN_H

#include <math.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "trace/finding.h"
#include "trace/trace_format.h"

struct gen_warp {
	uint32_t block, warp, count;
	struct trace_request *requests;
};

/* What was written: the info and the requests. */
struct gen {
	uint64_t state;
	struct trace_info info;
	struct gen_warp *warps;
	size_t warp_count;
};

static inline uint32_t gen_random(struct gen *g, uint32_t below)
{
	g->state = g->state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)((g->state >> 33) % below);
}

static inline void gen_arrays(struct gen *g)
{
	struct trace_info *info = &g->info;

	info->array_count = 5;
	info->arrays = xcalloc(info->array_count, sizeof(*info->arrays));
	info->arrays[0] = (struct trace_array){
		xstrdup("A"), SPACE_GLOBAL, ELEM_F32, 4, 2, { 64, 64 }, 4096 };
	info->arrays[1] = (struct trace_array){
		xstrdup("As"), SPACE_SHARED, ELEM_F32, 4, 2, { 16, 64 }, 0 };
	info->arrays[2] = (struct trace_array){
		xstrdup("accum"), SPACE_REGISTER, ELEM_F32, 4, 2, { 4, 4 }, 0 };
	info->arrays[3] = (struct trace_array){
		xstrdup("h"), SPACE_GLOBAL, ELEM_F16, 2, 3, { 3, 5, 128 },
		UINT64_C(1) << 40 };
	info->arrays[4] = (struct trace_array){
		xstrdup("odd \"\\\t\xE4\xB8\xAD\xFF"), SPACE_SHARED, ELEM_I32,
		4, 1, { 100 }, 64 };
}

/* Each array, read and written in each width, as matrices and otherwise, and
 * in each other way there is; and two barriers. */
static inline void gen_sites(struct gen *g)
{
	struct trace_info *info = &g->info;

	info->sites = xcalloc(64, sizeof(*info->sites));
	for (uint32_t a = 0; a < info->array_count; a++)
		for (uint32_t bytes = 1; bytes <= 16; bytes *= 2)
			for (int op = OP_LD; op <= OP_ST; op++)
				info->sites[info->site_count++] =
					(struct trace_site){
						bytes, a, op, a, bytes,
						bytes == 16 && a % 2, { 0 } };
	for (int op = OP_SYNC; op < OP_COUNT; op++)
		info->sites[info->site_count++] = (struct trace_site){
			20, (uint32_t)op, op,
			op_has_array(op) ? (uint32_t)op % 5 : TRACE_NO_ARRAY,
			op_is_bulk(op) ? 8190 : op_has_array(op) ? 8 : 0,
			false, op_is_bulk(op) && op != OP_WGMMA ?
			       (struct trace_tile){ 2, 3, 5, 2, 4096, 130, 64, 3 } :
			       (struct trace_tile){ 0 } };
	for (int i = 0; i < 2; i++)
		info->sites[info->site_count++] = (struct trace_site){
			9 + i, 1, OP_BARRIER, TRACE_NO_ARRAY, 0, false,
			{ 0 } };
}

/* One whose words alone are known, and one of each cause. */
static inline void gen_findings(struct gen *g)
{
	struct trace_info *info = &g->info;

	info->finding_count = CAUSE_COUNT;
	info->findings = xcalloc(CAUSE_COUNT, sizeof(*info->findings));
	info->findings[0] = (struct trace_finding){
		.kind = FINDING_RACE, .access = { .line = 7 }, .count = 1,
		.array = TRACE_NO_ARRAY,
		.text = xstrdup("two threads write As[3]") };
	for (int c = CAUSE_TOLD + 1; c < CAUSE_COUNT; c++) {
		struct trace_finding *f = &info->findings[c];

		*f = (struct trace_finding){
			.kind = finding_cause(c)->kind, .cause = c,
			.access = { 11, 79, 7, 8, OP_ST, 16 },
			.other = { (uint32_t)c % 12, 0, 0, 0, OP_LD, 4 },
			.array = c % 2 || finding_cause(c)->has &
				 FINDING_ARRAY ? (uint32_t)c % 5 :
				 TRACE_NO_ARRAY,
			.offset = (c - 40) * 1000,
			.word = xstrdup(c % 3 ? "" : "__syncwarp"),
			.other_word = xstrdup(c % 4 ? "" : "\"\033"),
			.expected = c, .got = -c / 3.0, .count = (uint64_t)c,
		};
		for (size_t i = 0; i < finding_numbers(c); i++)
			f->number[i] = UINT64_MAX >> i * 20 % 64;
	}
}

/* A value and an array; what traces say only of a problem that they know. */
static inline void gen_arguments(struct gen *g)
{
	struct trace_info *info = &g->info;

	info->problem = xstrdup("unknown");
	info->check = xstrdup("unknown");
	info->argument_count = 2;
	info->arguments = xcalloc(2, sizeof(*info->arguments));
	info->arguments[0] = (struct trace_argument) {
		.name = xstrdup("N"), .type = xstrdup("int"),
		.array = TRACE_NO_ARRAY, .decided = DECIDED_NAME,
		.value = xstrdup("48"), .size = 'n',
		.filled = DECIDED_ASSUMED,
	};
	info->arguments[1] = (struct trace_argument) {
		.name = xstrdup("A"), .type = xstrdup("const float *"),
		.array = 0, .decided = DECIDED_GROWN, .value = xstrdup(""),
		.before = 3, .low = -9, .high = NAN, .filled = DECIDED_GIVEN,
	};
}

/* Work of each kind, to and from the host, too; in every other trace. */
static inline void gen_works(struct gen *g)
{
	struct trace_info *info = &g->info;

	if (gen_random(g, 2))
		return;
	info->devices = 3;
	info->own = 4;
	info->work_count = 9;
	info->works = xcalloc(info->work_count, sizeof(*info->works));
	for (uint32_t i = 0; i < info->work_count; i++)
		info->works[i] = (struct trace_work) {
			.kind = i % WORK_KINDS,
			.device = i % 4 == 1 ? WORK_HOST : i % 3,
			.from = i % 5 == 2 ? WORK_HOST : (i + 1) % 3,
			.stream = i, .turn = 1 + i / 2, .group = i % 4,
			.line = 80 + i, .m = i % 3 ? 0 : 64, .n = 32, .k = 16,
			.bytes = UINT64_MAX >> i * 7,
			.what = xstrdup(i % 2 ? "ncclBroadcast" : "tiled"),
			.name = xstrdup(i % 3 ? "" : "A \"panel\""),
		};
	for (uint32_t i = 0; i < info->work_count; i++)
		if (info->works[i].kind == WORK_LAUNCH)
			info->works[i].device = i / 3;
}

static inline void gen_info(struct gen *g, bool values)
{
	struct trace_info *info = &g->info;

	info->kernel = xstrdup("made");
	info->file = xstrdup("made.cu");
	info->text = xstrdup("a \"line\"\n\n\tback\\slash \xE4\xB8\xAD\x01\n}");
	info->on = xstrdup("cpu");
	info->device = xstrdup("");
	info->m = 64;
	info->n = 48;
	info->k = 16;
	info->grid = (struct trace_dim){ 3, 2, 2 };
	info->block = (struct trace_dim){ 10, 4, 2 };	/* 80: 2.5 warps */
	info->seed = UINT64_MAX;
	info->values = values;
	info->partial = true;
	info->spaces = (1u << SPACE_COUNT) - 1;
	info->define_count = 1;
	info->defines = xcalloc(1, sizeof(*info->defines));
	info->defines[0].name = xstrdup("TILE");
	info->defines[0].value = xstrdup("16");
	gen_arrays(g);
	gen_sites(g);
	gen_findings(g);
	gen_arguments(g);
	gen_works(g);
}

static inline void gen_offsets(struct gen *g, struct trace_request *r)
{
	const struct trace_site *s = &g->info.sites[r->site];
	uint64_t limit = trace_array_bytes(&g->info.arrays[s->array]) -
			 trace_site_reach(&g->info, s);
	uint64_t base = gen_random(g, (uint32_t)limit + 1);
	uint32_t kind = gen_random(g, 5), step = gen_random(g, 3);

	if (gen_random(g, 3))
		base -= base % trace_site_reach(&g->info, s);
	for (uint32_t l = 0; l < WARP_LANES; l++) {
		uint64_t at = base;

		if (kind == 0)
			at = base + (uint64_t)l * s->bytes;
		else if (kind == 1)
			at = base + l / 16 * 64 + l % 16 * step * s->bytes;
		else if (kind == 2)
			at = gen_random(g, (uint32_t)limit + 1);
		else if (kind == 3)
			at = base + (31 - l) * s->bytes;
		if (r->mask >> l & 1)
			r->offset[l] = MIN(at, limit);
	}
}

static inline void gen_values(struct gen *g, struct trace_request *r)
{
	const struct trace_site *s = &g->info.sites[r->site];
	uint32_t bits = s->bytes >= 4 ? UINT32_MAX : (1u << 8 * s->bytes) - 1;
	uint32_t kind = gen_random(g, 4);

	for (uint32_t l = 0; l < WARP_LANES; l++)
		for (uint32_t i = 0; i < trace_value_words(s); i++) {
			float f = (float)gen_random(g, 19) - 9;
			uint32_t v;

			memcpy(&v, &f, sizeof(v));
			if (kind == 0)
				v = gen_random(g, UINT32_MAX) << 1;
			else if (kind == 1)
				v = 7;
			if (r->mask >> l & 1)
				r->value[l * 4 + i] = v & bits;
		}
}

static inline void gen_warp(struct gen *g, uint32_t block, uint32_t warp,
			    uint32_t count)
{
	uint32_t lanes = trace_warp_lanes(&g->info, warp);
	struct gen_warp *w;

	g->warps = xrealloc(g->warps, g->warp_count + 1, sizeof(*g->warps));
	w = &g->warps[g->warp_count++];
	*w = (struct gen_warp){ block, warp, count,
				xcalloc(count, sizeof(*w->requests)) };
	for (uint32_t i = 0; i < count; i++) {
		struct trace_request *r = &w->requests[i];

		r->site = gen_random(g, (uint32_t)g->info.site_count);
		if (gen_random(g, 4) && i)
			r->site = w->requests[i - 1].site;
		r->mask = lanes;
		if (gen_random(g, 3) == 0)
			r->mask &= gen_random(g, UINT32_MAX);
		if (!r->mask)
			r->mask = lanes & -lanes;
		if (!op_has_array(g->info.sites[r->site].op))
			continue;
		gen_offsets(g, r);
		if (g->info.values)
			gen_values(g, r);
	}
}

/* Writes it to fd. */
static inline int gen_write(const struct gen *g, int fd, struct error *e)
{
	struct trace_writer *w = trace_writer_new(fd, g->info.values);

	for (size_t i = 0; i < g->warp_count; i++) {
		const struct gen_warp *from = &g->warps[i];

		if (trace_writer_warp(w, from->block, from->warp, e) < 0)
			break;
		for (uint32_t j = 0; j < from->count; j++)
			if (trace_writer_add(w, &g->info, &from->requests[j],
					     e) < 0)
				break;
	}
	return trace_writer_finish(w, &g->info, e);
}

static inline void gen_done(struct gen *g)
{
	for (size_t i = 0; i < g->warp_count; i++)
		free(g->warps[i].requests);
	free(g->warps);
	trace_info_done(&g->info);
}

/* All bytes of an open file. */
static inline uint8_t *gen_bytes(int fd, size_t *len)
{
	uint8_t *data;

	*len = (size_t)lseek(fd, 0, SEEK_END);
	data = xmalloc(*len + 1);
	if (pread(fd, data, *len, 0) != (ssize_t)*len)
		fatal("pread");
	return data;
}

/* A file in memory with these bytes. */
static inline int gen_file(const void *data, size_t len)
{
	int fd = memfd_create("trace", MFD_CLOEXEC);

	if (fd < 0 || write_all(fd, data, len) < 0)
		fatal("memfd");
	return fd;
}

#endif
