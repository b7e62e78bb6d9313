/*
 * ladder_test: what makes each kernel of the table what it is: right answers
 * at every edge, the counts that its idea is about, and of the museum of bugs
 * just the findings that each piece stands there for.
 * sanitized: nightly
 */
#include <stdlib.h>
#include <string.h>

#ifdef HAVE_CONFIG_H
#include "config.h"
#endif
#include "emu_ask.h"
#include "kernels/kernels.h"
#include "analysis/report.h"

/* ---- right answers ---- */

/* The recorder multiplies in float64 itself, and says what differs. */
static bool is_right(const char *kernel, const char *defines, const int *size)
{
	struct trace *t = recorded(kernel, defines, size[0], size[1], size[2]);
	const struct trace_info *i = t ? trace_info(t) : NULL;
	bool right = t && i->finding_count == 0 && !i->partial;

	if (!right)
		printf("# %s %dx%dx%d %s: %s\n", kernel, size[0], size[1],
		       size[2], defines,
		       t && i->finding_count ? finding_words(i, 0) : "");
	if (t)
		trace_close(t);
	return right;
}

/* Primes, and a tile's sides plus and minus one; whole tiles; multiples of 8
 * that are none of anything else. */
static const int sizes[][3] = {
	{ 15, 17, 31 }, { 33, 31, 15 }, { 65, 63, 17 }, { 63, 65, 33 },
	{ 37, 53, 41 }, { 13, 11, 7 }, { 1, 67, 1 }, { 64, 64, 64 },
	{ 64, 128, 16 }, { 128, 64, 48 }, { 32, 32, 32 }, { 16, 32, 48 },
	{ 192, 256, 80 }, { 128, 128, 32 },
	{ 33, 40, 72 }, { 129, 136, 24 }, { 1, 8, 8 }, { 127, 248, 136 },
	{ 129, 127, 19 }, { 257, 120, 56 },
};

static void try_size(const struct kernel *k, const int *size, int *right,
		     int *all)
{
	int p[KERNEL_PARAMS];

	kernel_defaults(k, p);
	if (k->refuses && k->refuses(p, size[0], size[1], size[2]))
		return;
	++*all;
	*right += is_right(k->name, "", size);
}

static void test_answers(void)
{
	for (size_t i = 0; i < kernel_count; i++) {
		int right = 0, all = 0;

		if (kernels[i].bug)
			continue;
		/* A third of 1 to 33 as M, as N and as K; with TEST_ALL each. */
		for (int s = 1; s <= 33; s++)
			if (tap_in_turn(3))
				try_size(&kernels[i], (int[]){ s, s * 7 % 34,
							       s * 13 % 34 },
					 &right, &all);
		for (size_t s = 0; s < LENGTH(sizes); s++)
			try_size(&kernels[i], sizes[s], &right, &all);
		tap_ok(all >= 3 && right == all,
		       "%s: C is A B, and nothing is found, at %d sizes",
		       kernels[i].name, all);
	}
}

/* "BM=64 BN=128" */
static char *defines_text(const struct kernel *k, const int *values)
{
	struct str s = { 0 };

	str_add(&s, "");
	for (size_t i = 0; i < kernel_params(k); i++)
		str_addf(&s, "%s%s=%d", i ? " " : "", k->params[i].name,
			 values[i]);
	return str_take(&s);
}

/* All that the tuner tries: more than a tile of C, and edges. */
static void test_tuned(void)
{
	static const int size[] = { 136, 264, 72 };

	for (size_t i = 0; i < kernel_count; i++) {
		size_t right = 0;

		for (size_t t = 0; t < kernels[i].tune_count; t++) {
			char *defines = defines_text(&kernels[i],
						     kernels[i].tune[t]);

			right += is_right(kernels[i].name, defines, size);
			free(defines);
		}
		if (kernels[i].tune_count)
			tap_is((long)right, (long)kernels[i].tune_count,
			       "%s: C is A B as whatever is tried",
			       kernels[i].name);
	}
}

/* ---- sizes that are refused ---- */

static const struct {
	const char *kernel, *defines;
	int m, n, k;
	const char *says;
} refusals[] = {
	{ "float4", "", 64, 96, 16, "M and N must be multiples of 64" },
	{ "float4_at", "", 64, 64, 24, "K must be a multiple of 16" },
	{ "warptile", "", 96, 128, 16, "M must be a multiple of 64" },
	{ "warptile", "", 64, 192, 16, "and N of 128" },
	{ "sgemm_pipelined", "", 64, 128, 24, "K must be a multiple of 16" },
	{ "wmma", "", 16, 24, 16, "must be multiples of 16" },
	{ "mma", "", 16, 12, 16, "N and K must be multiples of 8" },
	{ "mma_multistage", "", 16, 16, 12, "must be multiples of 8" },
	{ "wgmma_basic", "", 64, 12, 64, "TMA needs rows that start at" },
	{ "tma_pipeline", "", 64, 64, 12, "TMA needs rows that start at" },
	{ "hgemm", "EXPONENT=8", 64, 4, 64, "TMA needs rows that start at" },
	{ "hgemm", "BM=100", 64, 64, 64, "BM must be a multiple of 8" },
	{ "hgemm", "SLABS=3 BM=200", 64, 64, 64, "of 8 * CONSUMERS" },
	{ "hgemm", "SLABS=1 BM=48", 64, 64, 64, "BM is too small" },
	{ "hgemm", "DEEP=3", 64, 64, 256, "BM / DEEP must be a multiple" },
	{ "hgemm", "DEEP=8", 64, 64, 512, "CLUSTER * BESIDE * DEEP" },
	{ "hgemm", "DEEP=4", 64, 64, 192, "K must be large enough for each" },
	{ "hgemm", "WIDTH=48", 64, 64, 64, "WIDTH must be one of these" },
	{ "hgemm", "SLABS=5", 64, 64, 64, "SLABS * WIDTH must not be more" },
	{ "hgemm", "WIDTH=32 BM=192", 64, 64, 64, "of 64 * CONSUMERS" },
	{ "hgemm", "WIDTH=32 DEEP=2", 64, 64, 256, "and DEEP 1" },
	{ "hgemm", "CLUSTER=3", 64, 64, 64, "CLUSTER and BESIDE must be 1" },
	{ "hgemm", "BESIDE=3", 64, 64, 64, "CLUSTER and BESIDE must be 1" },
};

static void test_refusals(void)
{
	for (size_t i = 0; i < LENGTH(refusals); i++) {
		struct reply r = ask(with(kernel_request(refusals[i].kernel,
							 refusals[i].m,
							 refusals[i].n,
							 refusals[i].k),
					  "defines",
					  defines_of(refusals[i].defines)));

		if (!tap_ok(r.status == 2 && strstr(r.error, refusals[i].says),
			    "%s %s: %s", refusals[i].kernel,
			    refusals[i].defines, refusals[i].says))
			printf("# %d: %s\n", r.status, r.error);
		reply_done(&r);
	}
}

/* ---- padding ---- */

/* The m x n elements of C that were asked for, as they were stored. */
static float *answer(const char *kernel, int m, int n, int k)
{
	struct trace *t = recorded(kernel, "", m, n, k);
	float *c = xcalloc((size_t)m * n, sizeof(*c));
	struct trace_request r;
	struct error e;

	for (size_t w = 0; t && w < trace_warp_count(t); w++)
		for (uint32_t i = 0; i < trace_warp(t, w)->requests &&
				     trace_get(t, w, i, &r, &e) == 0; i++) {
			const struct trace_info *info = trace_info(t);
			const struct trace_site *s = &info->sites[r.site];
			const struct trace_array *a = &info->arrays[s->array];

			for (int l = 0; s->op == OP_ST && l < WARP_LANES &&
					!strcmp(a->name, "C"); l++) {
				uint64_t row = r.offset[l] / 4 / a->dims[1];
				uint64_t col = r.offset[l] / 4 % a->dims[1];

				if (r.mask >> l & 1 && row < (uint64_t)m &&
				    col < (uint64_t)n)
					memcpy(&c[row * n + col],
					       &r.value[l * 4], 4);
			}
		}
	if (t)
		trace_close(t);
	return c;
}

static void test_padding(void)
{
	float *want = answer("tiled", 33, 17, 41);
	float *got = answer("padded", 33, 17, 41);
	struct trace *t = recorded("padded", "", 33, 17, 41);
	const struct trace_info *i = t ? trace_info(t) : NULL;

	tap_ok(want[0] && !memcmp(want, got, 33 * 17 * sizeof(*want)),
	       "padded: the part of C that was asked for is tiled's");
	tap_ok(t && i->m == 33 && i->n == 17 && i->k == 41 &&
	       i->arrays[0].dims[0] == 48 && i->arrays[0].dims[1] == 48 &&
	       i->arrays[1].dims[1] == 32,
	       "padded: its matrices are whole tiles, its size is the asked");
	if (t)
		trace_close(t);
	free(want);
	free(got);
}

/* ---- the counts ---- */

/* The accesses of one kind to one array. */
struct fact {
	const char *kernel, *defines;
	const char *array;
	enum op op;
	int64_t requests;
	int64_t cost, ideal;	/* sectors of A, B and C, else wavefronts */
	int way;
};

/* M, N and K are 64. */
static const struct fact facts[] = {
	/* (64/32)^3 phases of 32 warps; each of 32 reads. */
	{ "tiled", "TILE=32", "Bs", OP_ST, 256, 256, 256, 1 },
	{ "tiled", "TILE=32", "Bs", OP_LD, 8192, 8192, 8192, 1 },
	{ "tiled_bt", "", "Bs", OP_ST, 256, 256 * 32, 256, 32 },
	{ "tiled_bt", "", "Bs", OP_LD, 8192, 8192 * 32, 8192, 32 },
	{ "tiled_bt", "", "As", OP_LD, 8192, 8192, 8192, 1 },
	{ "tiled_bt_pad", "", "Bs", OP_ST, 256, 256, 256, 1 },
	{ "tiled_bt_pad", "", "Bs", OP_LD, 8192, 8192, 8192, 1 },
	/* Rows of 16 words begin in two banks, 8 rows in each. */
	{ "tiled_bt", "TILE=16", "Bs", OP_ST, 512, 512 * 8, 512, 8 },
	{ "tiled_bt", "TILE=16", "Bs", OP_LD, 8192, 8192 * 8, 8192, 8 },
	/* 17 words apart: the 16 of one row, beside those of the next. */
	{ "tiled_bt_pad", "TILE=16", "Bs", OP_LD, 8192, 8192, 8192, 1 },
	/* 16 sectors a request where 4 would do; 262144 requests and 4194304
	 * sectors of A and B at n = 512, 512 times as many as here. */
	{ "register_tiled", "", "A", OP_LD, 256, 4096, 1024, NA },
	{ "register_tiled", "", "B", OP_LD, 256, 4096, 1024, NA },
	{ "register_tiled", "", "C", OP_ST, 128, 2048, 512, NA },
	{ "register_tiled", "", "As", OP_LD, 2048, 2048 * 4, 2048, 4 },
	{ "register_tiled", "", "Bs", OP_LD, 2048, 2048 * 8, 2048, 8 },
	{ "register_tiled", "", "As", OP_ST, 256, 256 * 4, 256, 4 },
	{ "register_tiled", "", "Bs", OP_ST, 256, 256 * 8, 256, 8 },
	{ "register_tiled_fast", "", "A", OP_LD, 128, 512, 512, NA },
	{ "register_tiled_fast", "", "B", OP_LD, 128, 512, 512, NA },
	{ "register_tiled_fast", "", "C", OP_ST, 128, 512, 512, NA },
	{ "register_tiled_fast", "", "As", OP_LD, 2048, 2048, 2048, 1 },
	{ "register_tiled_fast", "", "Bs", OP_LD, 2048, 2048, 2048, 1 },
	{ "register_tiled_fast", "", "As", OP_ST, 128, 128, 128, 1 },
	{ "register_tiled_fast", "", "Bs", OP_ST, 128, 128, 128, 1 },
	/* 16-byte accesses: 4 wavefronts, 2 where neighbours want the same. */
	{ "float4", "", "As", OP_LD, 2048, 2048 * 2, 2048, 2 },
	{ "float4", "", "Bs", OP_ST, 128, 128 * 4, 128, 4 },
	{ "float4_at", "", "A", OP_LD, 32, 512, 512, NA },
	{ "float4_at", "", "As", OP_ST, 128, 128, 128, 1 },
	{ "float4_at", "", "Bs", OP_ST, 32, 32 * 4, 32 * 4, 1 },
	{ "float4_at", "", "As", OP_LD, 512, 512 * 2, 512 * 2, 1 },
	{ "float4_at", "", "Bs", OP_LD, 512, 512 * 4, 512 * 4, 1 },
	/* What an asynchronous copy reads and stores is tiled's. */
	{ "double_buffered", "TILE=32", "A", OP_LD, 256, 1024, 1024, NA },
	{ "double_buffered", "TILE=32", "As", OP_ST, 256, 256, 256, 1 },
	{ "double_buffered", "TILE=32", "Bs", OP_LD, 8192, 8192, 8192, 1 },
	/* 8 warps, 4 steps of 16, each 2 fragments of A in 4 pieces and 4 of
	 * B, whose columns are not together, in 8. */
	{ "wmma", "", "As", OP_LD, 8 * 4 * 2 * 4, 256, 256, 1 },
	{ "wmma", "", "Bs", OP_LD, 8 * 4 * 4 * 8, 1024, 1024, 1 },
	/* Two of the 8 warps are inside C. */
	{ "wmma", "", "C", OP_ST, 2 * 8 * 4, 512, 512, NA },
	/* The same in 16-byte rows: an eighth and a sixteenth of the requests
	 * for as many bytes, without padding. */
	{ "mma", "", "As", OP_ST, 32, 32 * 4, 32 * 4, 1 },
	{ "mma", "", "Bs", OP_ST, 32, 32 * 4, 32 * 4, 1 },
	{ "mma", "", "As", OP_LD, 8 * 4 * 2, 256, 256, 1 },
	{ "mma", "", "Bs", OP_LD, 8 * 4 * 4, 512, 512, 1 },
	{ "mma", "", "C", OP_ST, 2 * 2 * 8 * 2, 512, 512, NA },
	/* 8 warps, 4 steps and one that is read ahead, 4 fragments of A and 4
	 * of B; 2 phases and 4 that are copied ahead, of 24 kB. A row of B is
	 * a warp's, and ends inside its tile: with zeros and without, there
	 * are two instructions. */
	{ "mma_multistage", "", "tiles", OP_LD, 8 * 5 * 8, 1280, 1280, 1 },
	{ "mma_multistage", "", "tiles", OP_ST, 6 * 48 + 2 * 32, 6 * 192,
	  6 * 192, 1 },
	{ "mma_multistage", "", "C", OP_ST, 4 * 8 * 2, 512, 512, NA },
};

/* N is 128. */
static const struct fact wide[] = {
	/* 4 tiles, 4 warps: 16-byte reads of a warp's 64 rows and 32 columns,
	 * twice for each k, that take what 8 of 32 lanes want, twice. */
	{ "warptile", "", "A", OP_LD, 32, 512, 512, NA },
	{ "warptile", "", "B", OP_LD, 64, 1024, 1024, NA },
	{ "warptile", "", "As", OP_ST, 128, 128, 128, 1 },
	{ "warptile", "", "Bs", OP_ST, 64, 256, 256, 1 },
	{ "warptile", "", "As", OP_LD, 512, 1024, 1024, 1 },
	{ "warptile", "", "Bs", OP_LD, 512, 1024, 1024, 1 },
	{ "warptile", "", "C", OP_ST, 64, 1024, 1024, NA },
	/* The same, at other times. */
	{ "sgemm_pipelined", "", "A", OP_LD, 32, 512, 512, NA },
	{ "sgemm_pipelined", "", "B", OP_LD, 64, 1024, 1024, NA },
	{ "sgemm_pipelined", "", "As", OP_ST, 128, 128, 128, 1 },
	{ "sgemm_pipelined", "", "Bs", OP_ST, 64, 256, 256, 1 },
	{ "sgemm_pipelined", "", "As", OP_LD, 512, 1024, 1024, 1 },
	{ "sgemm_pipelined", "", "Bs", OP_LD, 512, 1024, 1024, 1 },
	{ "sgemm_pipelined", "", "C", OP_ST, 64, 1024, 1024, NA },
	/* Whole rows, through shared memory. */
	{ "sgemm", "", "C", OP_ST, 64, 1024, 1024, NA },
};

static struct report_site sum(const struct report *r, const struct fact *f)
{
	struct report_site all = { .max_way = NA };

	for (size_t i = 0; i < r->site_count; i++) {
		const struct report_site *s = &r->sites[i];
		bool global = s->space == SPACE_GLOBAL;

		if (strcmp(s->array, f->array) || s->op != f->op)
			continue;
		all.requests += s->requests;
		all.sectors += global ? s->sectors : s->wavefronts;
		all.ideal_sectors += global ? s->ideal_sectors :
					      s->ideal_wavefronts;
		all.max_way = MAX(all.max_way, s->max_way);
	}
	return all;
}

static void check_fact(const struct fact *f, int n)
{
	struct trace *t = recorded(f->kernel, f->defines, 64, n, 64);
	struct report_site got = { 0 };
	struct report r;
	struct error e;

	if (t && report_build(t, &r, &e) == 0) {
		got = sum(&r, f);
		report_done(&r);
	}
	if (t)
		trace_close(t);
	if (!tap_ok(got.requests == f->requests && got.sectors == f->cost &&
		    got.ideal_sectors == f->ideal && got.max_way == f->way,
		    "%s %s: %s %s", f->kernel, f->defines,
		    f->op == OP_LD ? "loads from" : "stores to", f->array))
		printf("# %lld requests, %lld, ideally %lld, %d-way\n",
		       (long long)got.requests, (long long)got.sectors,
		       (long long)got.ideal_sectors, got.max_way);
}

/* ---- the museum ---- */

/* What is said of a launch: kinds, and words that stand for lines. */
struct piece {
	const char *kernel;
	int m, n, k;
	const char *findings;
};

static const struct piece museum[] = {
	{ "bug_first_barrier", 32, 32, 32,
	  "read-before-write sum As; read-before-write sum Bs; "
	  "race As sum As; race sum As As; race Bs sum Bs; race sum Bs Bs; "
	  "wrong-result; " },
	{ "bug_second_barrier", 32, 32, 32,
	  "race sum As As; race As sum As; race sum Bs Bs; race Bs sum Bs; "
	  "wrong-result; " },
	{ "bug_second_barrier", 33, 35, 16, "" },
	{ "bug_edge", 32, 32, 32, "" },
	{ "bug_edge", 33, 17, 48, "" },
	{ "bug_edge", 32, 32, 40, "out-of-bounds Bs B; out-of-bounds As A; " },
	{ "bug_early_return", 32, 48, 20, "" },
	{ "bug_early_return", 20, 20, 16,
	  "barrier barrier; read-before-write sum As; barrier barrier; "
	  "read-before-write sum Bs; wrong-result; " },
};

/* Which array's tile a line stores, or that it reads both. */
static const char *line_word(const char *text, uint32_t line)
{
	static const struct { const char *has, *word; } words[] = {
		{ "As[ty][tx] = A", "As" }, { "Bs[ty][tx] = B", "Bs" },
		{ "sum += As[ty][k] * Bs[k][tx];", "sum" },
		{ "__syncthreads();", "barrier" },
	};
	size_t length;

	for (; line > 1 && *text; line--)
		text = strchrnul(text, '\n') + 1;
	length = strcspn(text, "\n");
	for (size_t i = 0; i < LENGTH(words); i++)
		if (memmem(text, length, words[i].has, strlen(words[i].has)))
			return words[i].word;
	return "?";
}

/* "race As sum As": the kind, the finding's line, that of the other access,
 * and the array. */
static void add_finding(struct str *s, const struct trace_info *i,
			const struct trace_finding *f)
{
	str_add(s, finding_name(f->kind));
	if (f->access.line)
		str_addf(s, " %s", line_word(i->text, f->access.line));
	if (f->kind == FINDING_RACE)
		str_addf(s, " %s", line_word(i->text, f->other.line));
	if (f->access.line && f->array != TRACE_NO_ARRAY)
		str_addf(s, " %s", i->arrays[f->array].name);
	str_add(s, "; ");
}

static void check_piece(const struct piece *p)
{
	struct trace *t = recorded(p->kernel, "", p->m, p->n, p->k);
	const struct trace_info *i = t ? trace_info(t) : NULL;
	struct str s = { 0 };
	char *got;

	str_add(&s, "");
	for (size_t f = 0; t && f < i->finding_count; f++)
		add_finding(&s, i, &i->findings[f]);
	got = str_take(&s);
	tap_ok(kernel_find(p->kernel)->bug, "%s is in the museum",
	       p->kernel);
	tap_str(got, p->findings, "%s %dx%dx%d: what is found", p->kernel,
		p->m, p->n, p->k);
	free(got);
	if (t)
		trace_close(t);
}

static void test_museum(void)
{
	for (size_t i = 0; i < LENGTH(museum); i++)
		check_piece(&museum[i]);
}

int main(void)
{
	test_answers();
	test_tuned();
	test_refusals();
	test_padding();
	for (size_t i = 0; i < LENGTH(facts); i++)
		if (tap_in_turn(2))
			check_fact(&facts[i], 64);
	for (size_t i = 0; i < LENGTH(wide); i++)
		if (tap_in_turn(2))
			check_fact(&wide[i], 128);
	test_museum();
	if (runner)
		runner_free(runner);
	return tap_done();
}
