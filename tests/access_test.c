/* The cost of an access, against a slow count of single bytes and words. */
#include <string.h>

#include "hardware/access.h"
#include "tap.h"

/* ---- the oracle ---- */

#define WINDOW 32768	/* all generated addresses are below it */

static uint8_t touched[WINDOW];

static int windows_touched(int size)
{
	int count = 0;

	for (int start = 0; start < WINDOW; start += size)
		count += memchr(touched + start, 1, (size_t)size) != NULL;
	return count;
}

static void oracle_global(const struct access *a, struct access_cost *cost)
{
	int bytes = 0;

	memset(touched, 0, sizeof(touched));
	for (int lane = 0; lane < 32; lane++)
		if (a->mask & (1u << lane))
			memset(touched + a->address[lane], 1, a->bytes);
	for (int i = 0; i < WINDOW; i++)
		bytes += touched[i];
	cost->bytes = bytes;
	cost->sectors = windows_touched(32);
	cost->lines = windows_touched(128);
	cost->ideal_sectors = bytes / 32 + (bytes % 32 != 0);
}

/* Every two active lanes whose numbers differ in just this bit agree. */
static bool agree(const struct access *a, int bit)
{
	for (int i = 0; i < 32; i++)
		for (int j = 0; j < i; j++)
			if ((i ^ j) == bit && (a->mask & (1u << i)) &&
			    (a->mask & (1u << j)) &&
			    a->address[i] != a->address[j])
				return false;
	return true;
}

static int oracle_merged;	/* how often the rule took effect */

/* Serves lanes from..to-1: as many wavefronts as the worst bank has words. */
static void oracle_pass(const struct access *a, int from, int to,
			 struct access_cost *cost)
{
	int words[32] = { 0 }, worst = 0;

	memset(touched, 0, sizeof(touched));
	for (int lane = from; lane < to; lane++)
		if (a->mask & (1u << lane))
			for (uint32_t b = 0; b < a->bytes; b++)
				touched[(a->address[lane] + b) / 4] = 1;
	for (int w = 0; w < WINDOW / 4; w++)
		words[w % 32] += touched[w];
	for (int b = 0; b < 32; b++)
		if (words[b] > worst)
			worst = words[b];
	cost->wavefronts += worst;
	cost->ideal_wavefronts += worst > 0;
	if (worst > cost->max_way)
		cost->max_way = worst;
}

static void oracle_shared(const struct access *a, struct access_cost *cost)
{
	int lanes = 32;

	if (a->bytes > 4)
		lanes = a->bytes == 16 ? 8 : 16;
	if (a->space == ACCESS_SHARED && a->op == OP_LD && lanes < 32 &&
	    (agree(a, 1) || agree(a, 2))) {
		lanes *= 2;
		oracle_merged++;
	}
	cost->wavefronts = cost->ideal_wavefronts = cost->max_way = 0;
	for (int from = 0; from < 32; from += lanes)
		oracle_pass(a, from, from + lanes, cost);
}

static struct access_cost oracle(const struct access *a)
{
	struct access_cost cost = { a->mask ? 1 : 0, NA, NA, NA, NA, NA, NA,
				    NA, NA, NA };

	if (a->space == ACCESS_GLOBAL)
		oracle_global(a, &cost);
	else
		oracle_shared(a, &cost);
	return cost;
}

/* ---- patterns ---- */

static uint64_t seed = 1;

static uint32_t draw(uint32_t below)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(seed >> 33) % below;
}

static uint32_t draw_mask(void)
{
	switch (draw(8)) {
	case 0:
		return draw(65536) | (uint32_t)draw(65536) << 16;
	case 1:
		return (1u << draw(32)) - 1;
	case 2:
		return 0x55555555u << draw(2);
	case 3:
		return 0x33333333u << draw(3);
	case 4:
		return 0xffu << 8 * draw(4);
	case 5:
		return ~(1u << draw(32));
	default:
		return UINT32_MAX;
	}
}

/* The element that lane i of a pattern of some structure asks for. */
static uint32_t draw_element(int kind, uint32_t i, const uint32_t *p)
{
	switch (kind) {
	case 0:
		return draw(1 + p[0]);
	case 1:
		return i * (p[0] % 40);
	case 2:
		return i / (1 + p[0] % 16) * (p[1] % 128) +
		       i % (1 + p[0] % 16) * (p[2] % 4);
	case 3:
		return p[(i >> 1) % 16];
	case 4:
		return p[((i >> 2) * 2 + (i & 1)) % 16];
	case 5:
		return p[i / 8];
	case 6:
		return i ^ p[0] % 32;
	case 7:
		return i * 8 + (i / 4 ^ p[0] % 8);
	case 8:
		return p[i & 3];
	case 9:
		return (i >> p[0] % 5) * 4;
	default:
		return p[0];
	}
}

static void draw_access(struct access *a)
{
	uint32_t p[16], range = WINDOW / a->bytes / (1 + draw(20));
	int kind = (int)draw(11);

	for (size_t i = 0; i < LENGTH(p); i++)
		p[i] = draw(range);
	a->mask = draw_mask();
	for (uint32_t lane = 0; lane < 32; lane++) {
		uint32_t e = draw_element(kind, lane, p);

		a->address[lane] = (uint64_t)(e * a->bytes % WINDOW);
	}
	/* One lane out of step is what breaks a rule about all. */
	if (draw(4) == 0)
		a->address[draw(32)] = draw(range) * (uint64_t)a->bytes;
}

/* ---- checks ---- */

static bool same(const struct access_cost *a, const struct access_cost *b)
{
	return a->requests == b->requests && a->sectors == b->sectors &&
	       a->bytes == b->bytes &&
	       a->ideal_sectors == b->ideal_sectors && a->lines == b->lines &&
	       a->wavefronts == b->wavefronts && a->max_way == b->max_way &&
	       a->ideal_wavefronts == b->ideal_wavefronts;
}

static bool sectors_hold(const struct access *a, const struct access_cost *c)
{
	struct access_sector s[2 * WARP_LANES];
	size_t count = access_sectors(a, s);
	uint32_t lanes = 0;

	for (size_t i = 0; i < count; i++) {
		if (i && s[i].address <= s[i - 1].address)
			return false;
		for (uint32_t b = 0; b < 32; b++)
			if ((s[i].bytes >> b & 1) !=
			    touched[s[i].address + b])
				return false;
		for (int lane = 0; lane < 32; lane++)
			if ((s[i].lanes >> lane & 1) &&
			    a->address[lane] / 32 * 32 != s[i].address)
				return false;
		lanes |= s[i].lanes;
	}
	return (int)count == c->sectors && lanes == a->mask;
}

static bool word_sorted(const struct access_word *a,
			const struct access_word *b)
{
	if (a->pass != b->pass)
		return a->pass < b->pass;
	return a->bank != b->bank ? a->bank < b->bank : a->word < b->word;
}

/* No bank gives two words in a wavefront, and no two passes share one. */
static bool wavefronts_hold(const struct access_word *w, size_t count,
			    const struct access_cost *c)
{
	int pass_of[4 * WARP_LANES], last = -1;
	bool gives[4 * WARP_LANES][32] = {{ false }};

	for (int i = 0; i < 4 * WARP_LANES; i++)
		pass_of[i] = -1;
	for (size_t i = 0; i < count; i++) {
		int at = w[i].wavefront;

		if (gives[at][w[i].bank] ||
		    (pass_of[at] >= 0 && pass_of[at] != w[i].pass))
			return false;
		gives[at][w[i].bank] = true;
		pass_of[at] = w[i].pass;
		last = MAX(last, at);
	}
	return last + 1 == c->wavefronts;
}

static bool words_hold(const struct access *a, const struct access_cost *c)
{
	struct access_word w[4 * WARP_LANES];
	int passes, asked[32] = { 0 };
	size_t count = access_words(a, w, &passes);

	for (size_t i = 0; i < count; i++) {
		if ((i && !word_sorted(&w[i - 1], &w[i])) ||
		    w[i].bank != w[i].word % 32 || w[i].pass >= passes)
			return false;
		for (int lane = 0; lane < 32; lane++) {
			if (!(w[i].lanes >> lane & 1))
				continue;
			asked[lane]++;
			if (w[i].word < a->address[lane] / 4 ||
			    w[i].word > (a->address[lane] + a->bytes - 1) / 4)
				return false;
		}
	}
	for (int lane = 0; lane < 32; lane++)
		if (asked[lane] != (a->mask >> lane & 1 ?
				    (int)(a->bytes + 3) / 4 : 0))
			return false;
	return passes == c->ideal_wavefronts && wavefronts_hold(w, count, c);
}

static void show(const struct access *a, const struct access_cost *got,
		 const struct access_cost *want)
{
	printf("# space %d bytes %u mask %08x:", a->space, a->bytes, a->mask);
	for (int lane = 0; lane < 32; lane++)
		printf(" %llu", (unsigned long long)a->address[lane]);
	printf("\n# sectors %d/%d ideal %d/%d lines %d/%d wavefronts %d/%d "
	       "ideal %d/%d way %d/%d\n", got->sectors, want->sectors,
	       got->ideal_sectors, want->ideal_sectors, got->lines,
	       want->lines, got->wavefronts, want->wavefronts,
	       got->ideal_wavefronts, want->ideal_wavefronts, got->max_way,
	       want->max_way);
}

/* The same far up in the address space, where sums could overflow. */
static bool moved_same(struct access a, const struct access_cost *cost)
{
	uint64_t base = draw(2) ? UINT64_MAX - WINDOW + 1 :
				  (uint64_t)INT64_MAX - 2 * WINDOW + 1;
	struct access_cost moved;

	for (int lane = 0; lane < 32; lane++)
		a.address[lane] += base;
	return access_cost(&a, &moved, NULL) == 0 && same(&moved, cost);
}

static bool one_pattern(struct access *a)
{
	struct access_cost got, want;

	draw_access(a);
	want = oracle(a);
	if (access_cost(a, &got, NULL) < 0 || !same(&got, &want)) {
		show(a, &got, &want);
		return false;
	}
	if (a->space == ACCESS_GLOBAL ? !sectors_hold(a, &got) :
					!words_hold(a, &got))
		return false;
	return moved_same(*a, &got);
}

static void many_patterns(enum access_space space, enum op op, uint32_t bytes,
			  int count)
{
	static const char *const spaces[] = { "global", "shared", "ldmatrix" };
	struct access a = { .space = space, .op = op, .bytes = bytes };
	int bad = 0;

	oracle_merged = 0;
	for (int i = 0; i < count && bad < 3; i++)
		bad += !one_pattern(&a);
	tap_is(bad, 0, "%d patterns, %s, %s, %u bytes", count, spaces[space],
	       op_name(op), bytes);
	if (space == ACCESS_SHARED && op == OP_LD && bytes > 4)
		tap_ok(oracle_merged > count / 10 &&
		       oracle_merged < count * 9 / 10,
		       "merging was met both ways (%d of %d)", oracle_merged,
		       count);
}

static void test_oracle(void)
{
	static const uint32_t widths[] = { 1, 2, 4, 8, 16 };

	for (size_t i = 0; i < LENGTH(widths); i++) {
		many_patterns(ACCESS_GLOBAL, OP_LD, widths[i], 4000);
		many_patterns(ACCESS_SHARED, OP_LD, widths[i], 4000);
		many_patterns(ACCESS_SHARED, OP_ST, widths[i], 2000);
	}
	many_patterns(ACCESS_GLOBAL, OP_ST, 4, 1000);
	many_patterns(ACCESS_LDMATRIX, OP_LD, 16, 4000);
}

/* ---- known answers ---- */

static struct access_cost cost_of(enum access_space space, uint32_t bytes,
				  uint32_t mask, uint64_t (*at)(uint64_t lane))
{
	struct access a = { .space = space, .op = OP_LD, .bytes = bytes,
			    .mask = mask };
	struct access_cost cost = { 0 };

	for (uint64_t lane = 0; lane < 32; lane++)
		a.address[lane] = at(lane);
	tap_ok(access_cost(&a, &cost, NULL) == 0, "can be counted");
	return cost;
}

static int fronts(uint32_t bytes, uint64_t (*at)(uint64_t lane))
{
	return cost_of(ACCESS_SHARED, bytes, UINT32_MAX, at).wavefronts;
}

static int sectors(uint32_t bytes, uint64_t (*at)(uint64_t lane))
{
	return cost_of(ACCESS_GLOBAL, bytes, UINT32_MAX, at).sectors;
}

static int store_fronts(uint32_t bytes, uint64_t (*at)(uint64_t lane))
{
	struct access a = { .space = ACCESS_SHARED, .op = OP_ST,
			    .bytes = bytes, .mask = UINT32_MAX };
	struct access_cost cost = { 0 };

	for (uint64_t lane = 0; lane < 32; lane++)
		a.address[lane] = at(lane);
	tap_ok(access_cost(&a, &cost, NULL) == 0, "can be counted");
	return cost.wavefronts;
}

static uint64_t nowhere(uint64_t lane) { return lane * 0; }
static uint64_t row4(uint64_t lane) { return lane * 4; }
static uint64_t row8(uint64_t lane) { return lane * 8; }
static uint64_t row16(uint64_t lane) { return lane * 16; }
static uint64_t half_rows(uint64_t lane) { return lane % 16 * 4; }
static uint64_t two_rows(uint64_t lane) { return lane / 16 * 2048; }
static uint64_t rows_of_16(uint64_t lane) { return lane % 16 * 16; }
static uint64_t two_vectors(uint64_t lane) { return lane / 16 * 16; }
static uint64_t column(uint64_t lane) { return lane * 2048; }
static uint64_t column32(uint64_t lane) { return lane * 128; }
static uint64_t column33(uint64_t lane) { return lane * 132; }
static uint64_t pairs(uint64_t lane) { return lane / 2 * 16; }
static uint64_t pairs8(uint64_t lane) { return lane / 2 * 8; }
static uint64_t other_pairs(uint64_t lane)
{
	return (lane / 4 * 2 + lane % 2) * 16;
}
static uint64_t broken_pair(uint64_t lane)
{
	return lane == 31 ? 4096 : lane / 2 * 16;
}
static uint64_t one_each_pass(uint64_t lane) { return lane / 8 * 16; }
static uint64_t quads(uint64_t lane) { return lane / 4 * 16; }

static void test_passes(void)
{
	struct access_cost c;

	tap_is(fronts(16, nowhere), 2, "16 bytes at one address cost 2");
	c = cost_of(ACCESS_SHARED, 16, UINT32_MAX, row16);
	tap_is(c.wavefronts, 4, "32 different vectors cost 4");
	tap_is(c.ideal_wavefronts, 4, "which is their optimum");
	tap_is(c.max_way, 1, "and not a conflict");
	tap_is(fronts(8, row8), 2, "32 different 8-byte words cost 2");
	tap_is(fronts(8, nowhere), 1, "8 bytes at one address cost 1");
	tap_is(fronts(8, pairs8), 1, "8 bytes, pairs of lanes alike: 1");
	tap_is(fronts(4, row4), 1, "a row costs 1");
	tap_is(fronts(4, nowhere), 1, "a broadcast costs 1");
	tap_is(fronts(4, column32), 32, "a column costs 32");
	tap_is(fronts(4, column33), 1, "a padded column costs 1");
	tap_is(fronts(16, pairs), 2, "pairs of neighbours merge passes");
	tap_is(fronts(16, other_pairs), 2, "so do lanes i and i + 2");
	tap_is(fronts(16, quads), 2, "and four alike");
	tap_is(fronts(16, broken_pair), 4,
	       "one pair that differs keeps all passes apart");
	tap_is(fronts(16, one_each_pass), 2, "one vector a pass: 2");
	tap_is(store_fronts(16, nowhere), 4, "a store's passes never merge");
	tap_is(store_fronts(8, pairs8), 2, "nor those of 8 bytes");
	c = cost_of(ACCESS_SHARED, 16, 0x55555555, row16);
	tap_is(c.wavefronts, 4, "every other lane: pairs agree, but the "
	       "merged passes are two-way");
	tap_is(c.ideal_wavefronts, 2, "where two passes are left");
	c = cost_of(ACCESS_SHARED, 16, 0x000000ff, row16);
	tap_is(c.wavefronts, 1, "eight lanes: one pass, one wavefront");
	c = cost_of(ACCESS_SHARED, 4, 0, row4);
	tap_is(c.wavefronts, 0, "no lane, no wavefront");
	tap_is(c.requests, 0, "and no request");
	c = cost_of(ACCESS_LDMATRIX, 16, UINT32_MAX, nowhere);
	tap_is(c.wavefronts, 4, "ldmatrix's passes never merge");
	c = cost_of(ACCESS_LDMATRIX, 16, 0xffff, column32);
	tap_is(c.wavefronts, 16, "rows 128 bytes apart are eight-way");
	tap_is(c.sectors, NA, "shared memory has no sectors");
	c = cost_of(ACCESS_GLOBAL, 4, UINT32_MAX, row4);
	tap_is(c.wavefronts, NA, "global memory has no wavefronts");
}

/* What hardware counted for whole launches at n = 512, without its noise. */
static void test_counters(void)
{
	long warps = 512 * 512 / 32;

	tap_is(warps * 512 * (sectors(4, two_rows) + sectors(4, half_rows)),
	       16777216, "naive, blocks of 16 x 16: sectors");
	tap_is(warps * 512 * (sectors(4, nowhere) + sectors(4, row4)),
	       20971520, "naive, blocks of 32 x 32: sectors");
	tap_is(warps * 512 * (sectors(4, column) + sectors(4, nowhere)),
	       138412032, "naive swapped: sectors");
	tap_is(warps * 16 * 2 * sectors(4, row4), 1048576,
	       "tiled 32: sectors");
	tap_is(warps * 16 * (8 * fronts(16, nowhere) + 32 * fronts(4, row4)),
	       6291456, "tiled 32: wavefronts of loads");
	tap_is(warps * 16 * 8 * (fronts(16, nowhere) + fronts(16, column32)),
	       35651584, "tiled 32, B transposed: wavefronts of loads");
	tap_is(warps * 16 * (fronts(4, row4) + fronts(4, column32)), 4325376,
	       "tiled 32, B transposed: wavefronts of stores");
	tap_is(64L * 8 * 32 * 16 * (fronts(16, two_vectors) +
				    fronts(16, rows_of_16)), 1572864,
	       "float4: wavefronts of loads");
	tap_is(64L * 8 * 32 * 2 * store_fronts(16, row16), 131072,
	       "float4: wavefronts of stores");
}

static void refused(const struct access *a, const char *says)
{
	struct access_cost cost;
	struct error e = { 0 };

	tap_is(access_cost(a, &cost, &e), -1, "refused: %s", says);
	tap_is(e.status, EXIT_INPUT, "as bad input");
	tap_ok(strstr(e.text, says), "with the reason: %s", e.text);
}

static void test_refused(void)
{
	struct access a = { .bytes = 3, .mask = 1 };
	struct access_cost cost;

	refused(&a, "cannot access 3 bytes");
	a.bytes = 0;
	refused(&a, "cannot access 0 bytes");
	a.bytes = 32;
	refused(&a, "cannot access 32 bytes");
	a.bytes = 8;
	a.mask = 0x6;
	a.address[2] = 12;
	refused(&a, "lane 2: address 12 is not a multiple of 8");
	a.mask = 0x2;
	tap_is(access_cost(&a, &cost, NULL), 0,
	       "where an inactive lane points does not matter");
	a.space = ACCESS_LDMATRIX;
	refused(&a, "rows of 16 bytes");
}

static void test_requests(void)
{
	struct trace_array arrays[] = {
		{ .name = "A", .space = SPACE_GLOBAL, .base = 256 },
		{ .name = "As", .space = SPACE_SHARED, .base = 64 },
		{ .name = "r", .space = SPACE_REGISTER },
	};
	struct trace_site sites[] = {
		{ .op = OP_LD, .array = 0, .bytes = 4 },
		{ .op = OP_ST, .array = 1, .bytes = 8 },
		{ .op = OP_LD, .array = 2, .bytes = 4 },
		{ .op = OP_BARRIER, .array = TRACE_NO_ARRAY },
		{ .op = OP_LD, .array = 1, .bytes = 16, .matrix = true },
	};
	struct trace_info info = { .arrays = arrays, .array_count = 3,
				   .sites = sites, .site_count = 5 };
	struct trace_request r = { .mask = 0x3, .offset = { 8, 16 } };
	struct access a;

	tap_ok(access_of(&info, &r, &a), "a global request is an access");
	tap_ok(a.space == ACCESS_GLOBAL && a.op == OP_LD && a.bytes == 4 &&
	       a.mask == 0x3, "of the site's kind");
	tap_is(a.address[1], 272, "from the array's base");
	r.site = 1;
	tap_ok(access_of(&info, &r, &a) && a.space == ACCESS_SHARED &&
	       a.op == OP_ST && a.address[0] == 72, "so is a shared one");
	r.site = 4;
	tap_ok(access_of(&info, &r, &a) && a.space == ACCESS_LDMATRIX &&
	       a.bytes == 16, "and one of matrices, which has its own rules");
	r.site = 2;
	tap_ok(!access_of(&info, &r, &a), "a register access is none");
	r.site = 3;
	tap_ok(!access_of(&info, &r, &a), "a barrier is none");
	r.site = 5;
	tap_ok(!access_of(&info, &r, &a), "a site that is none is none");
}

int main(void)
{
	test_passes();
	test_counters();
	test_oracle();
	test_refused();
	test_requests();
	return tap_done();
}
