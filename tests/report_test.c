/* A trace counted: against sums over its requests, and in both its outputs. */
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/lang.h"
#include "analysis/pattern.h"
#include "analysis/report.h"
#include "trace/finding.h"
#include "tap.h"
#include "base/text.h"

enum { A, B, C, AS, ACC, HUGE_ARRAY };

static struct trace_array arrays[] = {
	[A] = { .name = "A", .space = SPACE_GLOBAL, .elem = ELEM_F32,
		.elem_bytes = 4, .rank = 2, .dims = { 64, 64 }, .base = 4096 },
	[B] = { .name = "B", .space = SPACE_GLOBAL, .elem = ELEM_F32,
		.elem_bytes = 4, .rank = 2, .dims = { 64, 64 },
		.base = 65536 },
	[C] = { .name = "C", .space = SPACE_GLOBAL, .elem = ELEM_F32,
		.elem_bytes = 4, .rank = 2, .dims = { 64, 64 },
		.base = 131072 },
	[AS] = { .name = "As", .space = SPACE_SHARED, .elem = ELEM_F32,
		 .elem_bytes = 4, .rank = 2, .dims = { 32, 32 }, .base = 16 },
	[ACC] = { .name = "acc", .space = SPACE_REGISTER, .elem = ELEM_F32,
		  .elem_bytes = 4, .rank = 1, .dims = { 4 } },
	[HUGE_ARRAY] = { .name = "huge", .space = SPACE_GLOBAL,
			 .elem = ELEM_F32, .elem_bytes = 4, .rank = 1,
			 .dims = { UINT64_C(1) << 36 } },
};

/* Not in the order of lines; 4 and 5 are one place in the source. */
enum { STORE_C, LOAD_B, LOAD_A, BARRIER, LOAD_AS, LOAD_AS_AGAIN, STORE_AS,
       LOAD_WIDE, ADD, LOAD_FAR, STORE_FAR, SITES };

static struct trace_site sites[SITES] = {
	[STORE_C] = { 30, 5, OP_ST, C, 4, false, { 0 } },
	[LOAD_B] = { 12, 20, OP_LD, B, 4, false, { 0 } },
	[LOAD_A] = { 12, 9, OP_LD, A, 4, false, { 0 } },
	[BARRIER] = { 14, 0, OP_BARRIER, TRACE_NO_ARRAY, 0, false, { 0 } },
	[LOAD_AS] = { 16, 3, OP_LD, AS, 4, false, { 0 } },
	[LOAD_AS_AGAIN] = { 16, 3, OP_LD, AS, 4, false, { 0 } },
	[STORE_AS] = { 13, 3, OP_ST, AS, 4, false, { 0 } },
	[LOAD_WIDE] = { 17, 3, OP_LD, AS, 16, false, { 0 } },
	[ADD] = { 20, 0, OP_ST, ACC, 4, false, { 0 } },
	[LOAD_FAR] = { 40, 1, OP_LD, HUGE_ARRAY, 4, false, { 0 } },
	[STORE_FAR] = { 41, 1, OP_ST, HUGE_ARRAY, 4, false, { 0 } },
};

static struct trace_info launch(void)
{
	return (struct trace_info){
		.kernel = "naive", .file = "naive.cu", .text = "", .on = "cpu",
		.device = "", .m = 64, .n = 64, .k = 64,
		.grid = { 4, 4, 1 }, .block = { 16, 16, 1 },
		.spaces = 1 << SPACE_GLOBAL | 1 << SPACE_SHARED |
			  1 << SPACE_REGISTER,
		.arrays = arrays, .array_count = LENGTH(arrays),
		.sites = sites, .site_count = SITES,
	};
}

/* ---- traces ---- */

struct making {
	struct trace_info *info;
	struct trace_writer *writer;
	int fd;
};

static void making_start(struct making *m, struct trace_info *info)
{
	m->info = info;
	m->fd = temporary_file(NULL);
	m->writer = trace_writer_new(m->fd, false);
}

static void add(struct making *m, uint32_t site, uint32_t mask,
		uint64_t (*element)(uint64_t lane, uint64_t p), uint64_t p)
{
	struct trace_request r = { .site = site, .mask = mask };

	for (uint64_t lane = 0; lane < 32; lane++)
		if (mask >> lane & 1 && element)
			r.offset[lane] = element(lane, p) * 4;
	if (trace_writer_add(m->writer, m->info, &r, NULL) < 0)
		tap_ok(false, "a request can be written");
}

static struct trace *making_end(struct making *m)
{
	struct error e = { 0 };
	struct trace *t;

	if (trace_writer_finish(m->writer, m->info, &e) < 0)
		tap_ok(false, "finished: %s", e.text);
	lseek(m->fd, 0, SEEK_SET);
	t = trace_open_fd(m->fd, "test", &e);
	if (!t)
		tap_ok(false, "opened: %s", e.text);
	return t;
}

static const struct report_site *row(const struct report *r, uint32_t line,
				     const char *array)
{
	static const struct report_site none;

	for (size_t i = 0; i < r->site_count; i++)
		if (r->sites[i].line == line &&
		    !strcmp(r->sites[i].array, array))
			return &r->sites[i];
	return &none;
}

static const struct report_finding *finding(const struct report *r,
					    const char *kind, uint32_t line)
{
	static const struct report_finding none = { .kind = "", .text = "" };

	for (size_t i = 0; i < r->finding_count; i++)
		if (!strcmp(r->findings[i].kind, kind) &&
		    r->findings[i].line == line)
			return &r->findings[i];
	return &none;
}

/* ---- the naive kernel, 16 x 16 blocks, 64 x 64 x 64 ---- */

static uint64_t naive_a(uint64_t lane, uint64_t p)
{
	return (p / 64 + lane / 16) * 64 + p % 64;
}

static uint64_t naive_b(uint64_t lane, uint64_t p)
{
	return p * 64 + lane % 16;
}

static uint64_t naive_c(uint64_t lane, uint64_t p)
{
	return (p / 64 + lane / 16) * 64 + p % 64 + lane % 16;
}

/* The blocks below `blocks`, as many as there are or fewer. */
static struct trace *naive(struct trace_info *info, uint32_t blocks)
{
	struct making m;

	making_start(&m, info);
	for (uint32_t b = 0; b < blocks; b++)
		for (uint32_t w = 0; w < 8; w++) {
			uint64_t y = b / 4 * 16 + w * 2, x = b % 4 * 16;

			trace_writer_warp(m.writer, b, w, NULL);
			for (uint64_t k = 0; k < 64; k++) {
				add(&m, LOAD_A, UINT32_MAX, naive_a,
				    y * 64 + k);
				add(&m, LOAD_B, UINT32_MAX, naive_b, k);
				add(&m, ADD, UINT32_MAX, NULL, 0);
			}
			add(&m, STORE_C, UINT32_MAX, naive_c, y * 64 + x);
		}
	return making_end(&m);
}

static void test_naive(void)
{
	struct trace_info info = launch();
	struct trace *t = naive(&info, 16);
	struct report r;

	tap_is(report_build(t, &r, NULL), 0, "the naive kernel is counted");
	tap_is(r.site_count, SITES - 2, "a row a place, barriers left out");
	tap_is(row(&r, 12, "A")->requests, 128 * 64, "requests of A");
	tap_is(row(&r, 12, "A")->sectors, 128 * 64 * 2, "sectors of A");
	tap_is(row(&r, 12, "A")->ideal_sectors, 128 * 64, "ideal of A");
	tap_is(row(&r, 12, "A")->wavefronts, NA, "no wavefronts of A");
	tap_is(row(&r, 12, "B")->sectors, 128 * 64 * 2, "sectors of B");
	tap_is(row(&r, 12, "B")->ideal_sectors, 128 * 64 * 2, "ideal of B");
	tap_is(row(&r, 30, "C")->sectors, 128 * 4, "sectors of C");
	tap_is(row(&r, 20, "acc")->requests, 128 * 64, "registers: requests");
	tap_is(row(&r, 20, "acc")->sectors, NA, "registers: no sectors");
	tap_is(r.global_load_requests, 128 * 128, "global loads");
	tap_is(r.global_load_sectors, 128 * 64 * 4, "their sectors");
	tap_is(r.global_store_requests, 128, "global stores");
	tap_is(r.global_store_sectors, 512, "their sectors");
	tap_is(r.shared_load_wavefronts, 0, "no shared loads");
	tap_is(r.flops, 2 * 64 * 64 * 64, "2 M N K");
	tap_is(r.bytes_global, 32 * (128 * 64 * 4 + 512), "bytes");
	tap_ok(r.intensity == (double)r.flops / (double)r.bytes_global,
	       "intensity %g", r.intensity);
	tap_is(r.finding_count, 0, "a broadcast of A is no fault");
	report_done(&r);
	trace_close(t);
}

/* ---- blocks that do the same ---- */

static uint64_t along(uint64_t lane, uint64_t p)
{
	return p + lane;
}

/* Of a block that loads A from element `from` on, and As from `shared` on. */
static void add_block(struct making *m, uint32_t block, uint64_t from,
		      uint64_t shared)
{
	trace_writer_warp(m->writer, block, 0, NULL);
	add(m, LOAD_A, UINT32_MAX, along, from);
	add(m, LOAD_A, UINT32_MAX, along, from + 4);
	add(m, LOAD_AS, UINT32_MAX, along, shared);
}

static void test_kinds(void)
{
	struct trace_info info = launch();
	struct making m;
	struct trace *t;
	const struct trace_kind *k;
	struct report r;
	size_t count;

	making_start(&m, &info);
	add_block(&m, 0, 80, 0);
	add_block(&m, 1, 16, 0);
	add_block(&m, 2, 20, 0);
	add_block(&m, 3, 16, 1);
	add_block(&m, 4, 4000, 0);
	t = making_end(&m);
	k = trace_kinds(t, &count);
	tap_is(count, 3, "a block is of another kind that begins within a "
	       "sector, or elsewhere in shared memory");
	tap_ok(k[0].times == 3 && k[1].times == 1 && k[2].times == 1,
	       "the others are of one");
	tap_ok(k[0].shifts[A].least == -256 && k[0].shifts[A].most == 15680,
	       "so far from the first");
	tap_ok(k[1].warp == 2 && k[2].warp == 3 && !k[1].shifts, "in order");
	report_build(t, &r, NULL);
	tap_is(row(&r, 12, "A")->requests, 10, "counted as often as they are");
	tap_is(row(&r, 12, "A")->sectors, 5 * (4 + 5), "their sectors");
	tap_is(row(&r, 16, "As")->wavefronts, 5, "their wavefronts");
	tap_ok(r.ranges[A].first == 16 && r.ranges[A].end == 4036,
	       "from the first element to the last");
	report_done(&r);
	trace_close(t);
}

static void test_order(void)
{
	static const char *const want[] = { "A", "B", "As", "As", "As", "acc",
					    "C", "huge", "huge" };
	struct trace_info info = launch();
	struct trace *t = naive(&info, 1);
	struct report r;
	bool sorted = true;

	report_build(t, &r, NULL);
	for (size_t i = 0; i < r.site_count; i++)
		sorted = sorted && !strcmp(r.sites[i].array, want[i]);
	tap_ok(sorted, "rows are sorted by line, column, operation, array");
	report_done(&r);
	trace_close(t);
}

static void test_partial(void)
{
	struct trace_info info = launch();
	struct trace *t;
	struct report r;

	info.partial = true;
	t = naive(&info, 3);
	report_build(t, &r, NULL);
	tap_is(r.flops, 2 * 64 * 3 * 256, "three blocks: 2 K an element");
	report_done(&r);
	trace_close(t);
	info.spaces = 1 << SPACE_SHARED;
	t = naive(&info, 1);
	report_build(t, &r, NULL);
	tap_is(r.flops, NA, "stores unseen: not available");
	tap_is(r.global_load_sectors, NA, "nor are sectors");
	tap_is(r.bytes_global, NA, "nor bytes");
	tap_ok(r.intensity < 0, "nor the intensity");
	tap_is(r.shared_load_wavefronts, 0, "but wavefronts are");
	report_done(&r);
	trace_close(t);
	info = launch();
	info.m = info.n = info.k = 0;
	t = naive(&info, 1);
	report_build(t, &r, NULL);
	tap_is(r.flops, NA, "no sizes, no FLOP");
	report_done(&r);
	trace_close(t);
}

/* ---- findings ---- */

static uint64_t row_of(uint64_t lane, uint64_t p) { return lane + p; }
static uint64_t column_of(uint64_t lane, uint64_t p) { return lane * p + 3; }

static struct trace *troubled(struct trace_info *info)
{
	struct making m;

	making_start(&m, info);
	trace_writer_warp(m.writer, 0, 0, NULL);
	add(&m, LOAD_A, UINT32_MAX, row_of, 0);
	add(&m, LOAD_A, 0x000fffff, row_of, 0);
	add(&m, LOAD_A, 0x0000ffff, row_of, 0);
	add(&m, LOAD_B, UINT32_MAX, row_of, 0);
	add(&m, LOAD_B, UINT32_MAX, column_of, 64);
	add(&m, STORE_AS, UINT32_MAX, row_of, 0);
	add(&m, BARRIER, UINT32_MAX, NULL, 0);
	add(&m, LOAD_AS, UINT32_MAX, column_of, 2);
	add(&m, LOAD_AS_AGAIN, UINT32_MAX, column_of, 32);
	add(&m, LOAD_WIDE, UINT32_MAX, row_of, 0);
	trace_writer_warp(m.writer, 0, 1, NULL);
	add(&m, LOAD_A, 0x000fffff, row_of, 0);
	add(&m, LOAD_WIDE, 0x1, row_of, 4);
	return making_end(&m);
}

static void test_findings(void)
{
	struct trace_finding race = {
		.kind = FINDING_RACE, .access = { .line = 13 }, .count = 1,
		.array = TRACE_NO_ARRAY, .text = "two at once\033[2J",
	};
	struct trace_info info = launch();
	struct trace *t;
	struct report r;

	info.block = (struct trace_dim){ 52, 1, 1 };
	info.findings = &race;
	info.finding_count = 1;
	t = troubled(&info);
	report_build(t, &r, NULL);
	tap_str(r.findings[0].kind, "race", "the recorder's come first");
	tap_ok(!strchr(r.findings[0].text, '\033'), "made safe");
	tap_is(row(&r, 16, "As")->requests, 2, "two sites, one place");
	tap_is(row(&r, 16, "As")->wavefronts, 2 + 32, "added up");
	tap_is(row(&r, 16, "As")->max_way, 32, "the worst of both");
	tap_str(finding(&r, "bank-conflict", 16)->text,
		"Loading from As takes 34 wavefronts where 2 would do: at "
		"worst, lanes 0-31 access 32 different words of bank 7 "
		"(As[0][3], As[1][3], As[2][3], ...), a 32-way conflict.",
		"bank conflict");
	tap_str(finding(&r, "bank-conflict", 13)->text, "",
		"none where there is none");
	tap_str(finding(&r, "uncoalesced", 12)->text,
		"Loading from B takes 36 sectors where 8 would do, 4.5 times "
		"as many: at worst, lanes 0-31 read B[0][3] to B[31][3], down "
		"a column, in steps of 64 elements (256 bytes).",
		"uncoalesced");
	tap_str(finding(&r, "divergent", 12)->text,
		"In 2 of 4 loads from A, some lanes are inactive (at most "
		"lanes 16-31).", "lanes that have no thread do not sit out");
	tap_str(finding(&r, "misaligned", 17)->text,
		"1 of 2 accesses to As have an address that is not a multiple "
		"of 16: an error on a GPU.", "misaligned");
	report_done(&r);
	trace_close(t);
}

static void test_eight_ways(void)
{
	struct trace_info info = launch();
	struct making m;
	struct trace *t;
	struct report r;

	making_start(&m, &info);
	trace_writer_warp(m.writer, 0, 0, NULL);
	add(&m, LOAD_AS_AGAIN, UINT32_MAX, column_of, 8);
	t = making_end(&m);
	report_build(t, &r, NULL);
	tap_str(finding(&r, "bank-conflict", 16)->text,
		"Loading from As takes 8 wavefronts where 1 would do: at "
		"worst, lanes 0, 4, 8, ..., 28 access 8 different words of "
		"bank 7 (As[0][3], As[1][3], As[2][3], ...), an 8-way "
		"conflict.", "an 8-way conflict");
	report_done(&r);
	trace_close(t);
}

/* ---- costs that are remembered are those that are computed ---- */

static uint64_t seed = 3;

static uint32_t draw(uint32_t below)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(seed >> 33) % below;
}

static uint64_t drawn;	/* what the elements of a request are made from */

static uint64_t some_element(uint64_t lane, uint64_t p)
{
	uint64_t width = drawn % 4 == 0 ? 4 : 1;

	switch (drawn % 5) {
	case 0:
		return p % 64 * width + lane * 4;
	case 1:
		return (p + lane * (drawn % 9)) % 1000 / 4 * 4;
	case 2:
		return (p % 512 / 4 + lane / (1 + drawn % 16)) * 4;
	case 3:
		return draw(256) * 4;
	default:
		return p % 256 / 4 * 4 + (lane ^ drawn % 32) % 16 * 4;
	}
}

static struct trace *any(struct trace_info *info)
{
	static const uint32_t kinds[] = { LOAD_A, LOAD_B, STORE_C, STORE_AS,
					  LOAD_AS, LOAD_WIDE };
	struct making m;

	making_start(&m, info);
	trace_writer_warp(m.writer, 0, 0, NULL);
	for (int i = 0; i < 20000; i++) {
		uint32_t mask = draw(3) ? UINT32_MAX :
				draw(65535) + 1 + (uint32_t)(draw(2) << 31);

		drawn = draw(200);
		add(&m, kinds[draw(LENGTH(kinds))], mask, some_element,
		    draw(64));
	}
	return making_end(&m);
}

static void sum(struct trace *t, struct report_site rows[SITES])
{
	struct trace_request r;
	struct access_cost cost;
	struct access a;

	memset(rows, 0, SITES * sizeof(*rows));
	for (uint32_t i = 0; i < trace_warp(t, 0)->requests; i++) {
		struct report_site *s;

		trace_get(t, 0, i, &r, NULL);
		s = &rows[r.site];
		s->requests++;
		if (!access_of(trace_info(t), &r, &a) ||
		    access_cost(&a, &cost, NULL) < 0)
			continue;
		s->sectors += cost.sectors;
		s->ideal_sectors += cost.ideal_sectors;
		s->wavefronts += cost.wavefronts;
		s->ideal_wavefronts += cost.ideal_wavefronts;
		s->max_way = MAX(s->max_way, cost.max_way);
	}
}

static void test_memory(void)
{
	struct trace_info info = launch();
	struct report_site rows[SITES];
	struct trace *t = any(&info);
	struct report r;

	report_build(t, &r, NULL);
	sum(t, rows);
	for (size_t i = 0; i < SITES; i++) {
		const struct report_site *s;

		if (!rows[i].requests)
			continue;
		s = row(&r, sites[i].line, arrays[sites[i].array].name);
		tap_is(s->requests, rows[i].requests, "requests of site %zu",
		       i);
		if (s->space == SPACE_GLOBAL)
			tap_ok(s->sectors == rows[i].sectors &&
			       s->ideal_sectors == rows[i].ideal_sectors,
			       "sectors of site %zu", i);
		else
			tap_ok(s->wavefronts == rows[i].wavefronts &&
			       s->ideal_wavefronts ==
			       rows[i].ideal_wavefronts &&
			       s->max_way == rows[i].max_way,
			       "wavefronts of site %zu", i);
	}
	report_done(&r);
	trace_close(t);
}

static uint64_t far_runs(uint64_t lane, uint64_t p)
{
	return lane % 8 + (lane / p << 30);
}

/* Distances that are alike in their lower 32 bits are not alike. */
static void test_far(void)
{
	struct trace_info info = launch();
	struct making m;
	struct trace *t;
	struct report r;

	info.partial = true;
	making_start(&m, &info);
	trace_writer_warp(m.writer, 0, 0, NULL);
	add(&m, LOAD_FAR, UINT32_MAX, far_runs, 32);
	add(&m, LOAD_FAR, UINT32_MAX, far_runs, 16);
	add(&m, LOAD_FAR, UINT32_MAX, far_runs, 8);
	add(&m, STORE_FAR, UINT32_MAX, far_runs, 32);
	t = making_end(&m);
	report_build(t, &r, NULL);
	tap_is(row(&r, 40, "huge")->sectors, 1 + 2 + 4, "far apart");
	tap_is(r.flops, NA, "too many elements to tell apart");
	report_done(&r);
	trace_close(t);
}

/* ---- output ---- */

static void test_json(void)
{
	struct trace_info info = launch();
	struct trace *t = naive(&info, 1);
	struct report r;
	json_t *j;
	char *text;

	report_build(t, &r, NULL);
	j = report_json(&r);
	text = json_dumps(j, JSON_COMPACT);
	tap_ok(text && strstr(text, "{\"kernel\":\"naive\",\"m\":64,\"n\":64,"
	       "\"k\":64,\"grid\":[4,4,1],\"block\":[16,16,1],\"on\":\"cpu\","
	       "\"sites\":[{\"line\":12,\"column\":9,\"array\":\"A\","
	       "\"space\":\"global\",\"op\":\"ld\",\"bytes\":4,"
	       "\"requests\":512,\"sectors\":1024,\"ideal_sectors\":512,"
	       "\"wavefronts\":null,\"ideal_wavefronts\":null,"
	       "\"max_way\":null},") == text, "head and first site");
	tap_ok(text && strstr(text, ",\"totals\":{\"global_load_requests\":"
	       "1024,\"global_load_sectors\":2048,\"global_store_requests\":8,"
	       "\"global_store_sectors\":32,\"shared_load_wavefronts\":0,"
	       "\"shared_store_wavefronts\":0,\"flops\":524288,"
	       "\"bytes_global\":66560,\"intensity\":7.87"), "totals");
	tap_ok(text && strstr(text, "},\"findings\":[]}"), "findings");
	tap_ok(text && strstr(text, "{\"line\":20,\"column\":null,"),
	       "an unknown column is null");
	free(text);
	json_decref(j);
	report_done(&r);
	trace_close(t);
}

/* What is and what would do are told apart. */
static void test_json_ideal(void)
{
	struct trace_info info = launch();
	struct trace *t = troubled(&info);
	struct report r;
	json_t *j;
	char *text;

	report_build(t, &r, NULL);
	j = report_json(&r);
	text = json_dumps(j, JSON_COMPACT);
	tap_ok(strstr(text, "\"wavefronts\":34,\"ideal_wavefronts\":2,"
	       "\"max_way\":32}"), "wavefronts, and the fewest");
	tap_ok(strstr(text, "\"sectors\":36,\"ideal_sectors\":8,"),
	       "sectors, and the fewest");
	free(text);
	json_decref(j);
	report_done(&r);
	trace_close(t);
}

static bool within_page(const char *text)
{
	while (*text) {
		size_t n = strcspn(text, "\n");
		char *line = xstrndup(text, n);
		int width = text_width(line);

		if (width > 80 || strchr(line, '\033'))
			printf("# %d: %s\n", width, line);
		free(line);
		if (width > 80)
			return false;
		text += n + (text[n] != '\0');
	}
	return true;
}

static char *printed(const struct report *r)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	report_print(r, out);
	fclose(out);
	return text;
}

static void test_print(void)
{
	struct trace_info info = launch();
	struct trace *t = troubled(&info);
	struct report r;
	char *text;

	report_build(t, &r, NULL);
	text = printed(&r);
	tap_ok(within_page(text), "fits 80 columns");
	tap_ok(strstr(text, "naive, m 64, n 64, k 64, grid 4 x 4 x 1, block 16 "
		      "x 16 x 1, recorded on cpu\n"), "says what it is of");
	tap_ok(strstr(text, "\nGlobal memory\n"
	"   line  array  op  bytes  requests  sectors  ideal\n"
	"   12:9  A      ld      4         4       12     12\n"),
	       "an aligned table");
	tap_ok(!strstr(text, " \n"), "no spaces at the ends of lines");
	tap_ok(strstr(text, "\n  line 12, uncoalesced, ") &&
	       strstr(text, " of the cost: Loading from B takes"),
	       "and its findings");
	free(text);
	report_done(&r);
	trace_close(t);
}

static void test_hostile(void)
{
	static char long_name[300];
	struct trace_finding f = { .kind = FINDING_CRASH, .count = 1,
		.array = TRACE_NO_ARRAY, .text = "\344\270\255\345\215\216"
		"\344\270\255\345\215\216\344\270\255\345\215\216\344\270\255"
		"\345\215\216\344\270\255\345\215\216\344\270\255\345\215\216"
		"\344\270\255\345\215\216\344\270\255\345\215\216\344\270\255"
		"\345\215\216\344\270\255\345\215\216\344\270\255\345\215\216"
		"\344\270\255\345\215\216\344\270\255\345\215\216\344\270\255"
		"\345\215\216\344\270\255\345\215\216\344\270\255\345\215\216"
		"\344\270\255\345\215\216\344\270\255\345\215\216\344\270\255"
		"\345\215\216\344\270\255\345\215\216" };
	struct trace_info info = launch();
	struct trace *t;
	struct report r;
	json_t *j;
	char *text;

	memset(long_name, 'x', sizeof(long_name) - 1);
	memcpy(long_name, "\033]0;\377\302\233", 7);
	arrays[B].name = long_name;
	info.kernel = "k\033\377";
	info.findings = &f;
	info.finding_count = 1;
	t = troubled(&info);
	report_build(t, &r, NULL);
	text = printed(&r);
	tap_ok(within_page(text), "hostile text fits 80 columns");
	tap_ok(!strchr(text, '\033') && !strchr(text, '\377') &&
	       !strstr(text, "\302\233"), "and is made safe");
	j = report_json(&r);
	tap_ok(j != NULL, "also as JSON");
	json_decref(j);
	free(text);
	report_done(&r);
	trace_close(t);
	arrays[B].name = "B";
}

int main(void)
{
	lang_init("en");
	test_naive();
	test_kinds();
	test_order();
	test_partial();
	test_findings();
	test_eight_ways();
	test_memory();
	test_far();
	test_json();
	test_json_ideal();
	test_print();
	test_hostile();
	return tap_done();
}
