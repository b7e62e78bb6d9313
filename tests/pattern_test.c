/* Shapes of requests, and the sentences that tell them. */
#include <stdlib.h>
#include <string.h>

#include "base/expr.h"
#include "base/lang.h"
#include "analysis/pattern.h"
#include "tap.h"

static struct trace_array arrays[] = {
	{ .name = "A", .space = SPACE_GLOBAL, .elem_bytes = 4, .rank = 2,
	  .dims = { 64, 64 } },
	{ .name = "As", .space = SPACE_SHARED, .elem_bytes = 4, .rank = 2,
	  .dims = { 32, 32 } },
	{ .name = "accum", .space = SPACE_REGISTER, .elem_bytes = 4, .rank = 2,
	  .dims = { 4, 4 } },
	{ .name = "v", .space = SPACE_GLOBAL, .elem_bytes = 4, .rank = 1,
	  .dims = { 4096 } },
	{ .name = "pad", .space = SPACE_SHARED, .elem_bytes = 4, .rank = 2,
	  .dims = { 32, 33 } },
	{ .name = "box", .space = SPACE_GLOBAL, .elem_bytes = 8, .rank = 3,
	  .dims = { 2, 3, 5 } },
};
enum { A, AS, ACCUM, V, PAD, BOX };

static struct trace_site site;
static bool matrix;
static struct trace_info info = {
	.arrays = arrays, .array_count = LENGTH(arrays), .sites = &site,
	.site_count = 1, .block = { 256, 1, 1 },
};

static int lane_name(void *ctx, const char *word, struct value *out,
		     struct error *e)
{
	if (strcmp(word, "lane"))
		return error_set(e, EXIT_INPUT, "unknown name '%s'", word);
	*out = value_int(*(int *)ctx);
	return 0;
}

/* The request in which each lane asks for the element that text says. */
static struct trace_request request(int array, enum op op, uint32_t bytes,
				    const char *text)
{
	struct trace_request r = { 0 };

	site = (struct trace_site){ .op = op, .array = (uint32_t)array,
				    .bytes = bytes, .matrix = matrix };
	for (int lane = 0; lane < 32; lane++) {
		struct expr_env env = { .name = lane_name, .ctx = &lane };
		struct value v;

		if (expr_value(text, &env, &v, NULL) < 0)
			tap_ok(false, "%s is an expression", text);
		if (v.kind != VALUE_INT)
			continue;
		r.mask |= 1u << lane;
		r.offset[lane] = (uint64_t)v.i * arrays[array].elem_bytes;
	}
	return r;
}

static void shape(uint32_t bytes, const char *text, const char *want)
{
	struct trace_request r = request(A, OP_LD, bytes, text);
	struct pattern p;
	char got[120];

	pattern_find(&info, &r, &p);
	snprintf(got, sizeof(got), "%s %d/%d %dx%d +%lld +%lld",
		 pattern_name(p.kind), p.addresses, p.lanes, p.groups, p.group,
		 (long long)p.inner, (long long)p.outer);
	tap_str(got, want, "%s, %u bytes", text, bytes);
}

static void test_shapes(void)
{
	shape(4, "5", "broadcast 1/32 1x32 +0 +0");
	shape(4, "lane/16*64", "broadcast 2/32 2x16 +0 +256");
	shape(4, "lane < 12 ? 3 : 64", "broadcast 2/32 2x20 +0 +0");
	shape(4, "lane/4 % 2", "broadcast 2/32 8x4 +0 +0");
	shape(4, "lane", "contiguous 32/32 1x32 +4 +0");
	shape(16, "lane*4", "contiguous 32/32 1x32 +16 +0");
	shape(4, "lane == 9 ? 3 : none", "contiguous 1/1 1x1 +4 +0");
	shape(4, "lane < 20 ? lane : none", "contiguous 20/20 1x20 +4 +0");
	shape(4, "lane*2", "strided 32/32 1x32 +8 +0");
	shape(4, "lane*64", "strided 32/32 1x32 +256 +0");
	shape(4, "62 - lane*2", "strided 32/32 1x32 +-8 +0");
	shape(4, "lane % 2 ? none : lane", "strided 16/16 1x16 +8 +0");
	shape(4, "31 - lane", "permuted 32/32 1x32 +-4 +0");
	shape(4, "lane ^ 1", "permuted 32/32 1x32 +4 +0");
	shape(4, "lane % 8 * 4 + lane / 8", "permuted 32/32 1x32 +4 +0");
	shape(4, "lane/16*64 + lane%16", "block 32/32 2x16 +4 +256");
	shape(16, "lane/4*64 + lane%4*4", "block 32/32 8x4 +16 +256");
	shape(4, "lane % 16", "block 16/32 2x16 +4 +0");
	shape(4, "lane % 2", "block 2/32 16x2 +4 +0");
	shape(4, "lane < 20 ? lane/8*64 + lane%8 : none",
	      "block 20/20 3x8 +4 +256");
	shape(4, "lane*lane*7 % 97", "irregular 32/32 32x1 +0 +0");
}

static void says(int array, enum op op, uint32_t bytes, const char *text,
		 const char *want)
{
	struct trace_request r = request(array, op, bytes, text);
	char *got = pattern_sentence(&info, &r);

	tap_str(got, want, "%s[%s]", arrays[array].name, text);
	free(got);
}

static void test_global(void)
{
	says(A, OP_LD, 4, "lane/16*64 + 5",
	     "Lanes 0-15 read A[0][5], lanes 16-31 read A[1][5]: two "
	     "addresses shared by lanes, two sectors.");
	says(A, OP_LD, 4, "lane == 3 ? 7 : none",
	     "Lane 3 reads A[0][7]: four bytes in one sector. Lanes "
	     "0-2, 4-31 are inactive.");
	says(A, OP_LD, 4, "lane < 2 ? lane : none",
	     "Lanes 0-1 read A[0][0] to A[0][1] in order: eight bytes in one "
	     "sector, the fewest possible. Lanes 2-31 are inactive.");
	says(A, OP_LD, 4, "lane/12*64",
	     "Lanes 0-11 read A[0][0], lanes 12-23 read A[1][0], lanes 24-31 "
	     "read A[2][0]: three addresses shared by lanes, three sectors.");
	says(A, OP_LD, 4, "5*64 + lane",
	     "Lanes 0-31 read A[5][0] to A[5][31] in order: 128 bytes in four "
	     "sectors, nothing wasted.");
	says(A, OP_LD, 4, "lane*64 + 5",
	     "Lanes 0-31 read A[0][5] to A[31][5], down a column, in steps of "
	     "64 elements (256 bytes): 128 bytes in 32 sectors where four "
	     "would do, each used for only four of its 32 bytes.");
	says(A, OP_LD, 16, "lane/4*64 + lane%4*4",
	     "Lanes 0-31 read a block of eight rows x 16 columns, from "
	     "A[0][0] to A[7][15]: 512 bytes in 16 sectors, nothing wasted. "
	     "Each lane reads four elements at once.");
	says(A, OP_LD, 4, "lane < 20 ? lane : none",
	     "Lanes 0-19 read A[0][0] to A[0][19] in order: 80 bytes in three "
	     "sectors, the fewest possible. Lanes 20-31 are inactive.");
	says(A, OP_ST, 4, "7",
	     "Lanes 0-31 write A[0][7]: one address, one sector, and only one "
	     "lane's value is kept.");
	says(A, OP_LD, 4, "lane + 1",
	     "Lanes 0-31 read A[0][1] to A[0][32] in order: 128 bytes in five "
	     "sectors where four would do.");
	says(A, OP_LD, 4, "lane == 31 ? none : 31 - lane",
	     "Lanes 0-30 read A[0][31] to A[0][1] in reverse order: 124 bytes "
	     "in four sectors, the fewest possible. Lane 31 is inactive.");
	says(A, OP_LD, 4, "lane == 5 ? 3 : none",
	     "Lane 5 reads A[0][3]: four bytes in one sector. Lanes 0-4, 6-31 "
	     "are inactive.");
	says(A, OP_LD, 4, "lane / 4 * 64",
	     "Lanes 0-31 read eight places from A[0][0] to A[7][0], each for "
	     "up to four neighbouring lanes: eight addresses shared by lanes, "
	     "eight sectors.");
	says(A, OP_ST, 4, "lane % 8 * 64 + lane / 8",
	     "Lanes 0-31 write a block of eight rows x four columns from "
	     "A[0][0] to A[7][3], column by column: 128 bytes in eight sectors "
	     "where four would do, each used for only 16 of its 32 bytes.");
	says(V, OP_LD, 4, "lane % 16",
	     "Lanes 0-31 read v[0] to v[15], and the same again every 16 "
	     "lanes: 64 bytes in two sectors, nothing wasted.");
	says(V, OP_LD, 16, "lane",
	     "Lanes 0-31 read v[0..3] to v[31..34], in steps of one element "
	     "(four bytes): not a multiple of 16 bytes, an error on a GPU. "
	     "Each lane reads four elements at once.");
	says(V, OP_LD, 4, "lane * lane * 7 % 97",
	     "Lanes 0-31 read 32 different places between v[0] and v[92], in "
	     "no simple order: 128 bytes in twelve sectors where four would "
	     "do.");
}

static void test_shared(void)
{
	says(AS, OP_LD, 4, "lane*32 + 3",
	     "Lanes 0-31 read As[0][3] to As[31][3], down a column, in steps "
	     "of 32 elements (128 bytes): 32 wavefronts where one would do. "
	     "Bank 3 must deliver 32 different words in turn.");
	says(AS, OP_ST, 4, "lane*32 + 3",
	     "Lanes 0-31 write As[0][3] to As[31][3], down a column, in steps "
	     "of 32 elements (128 bytes): 32 wavefronts where one would do. "
	     "Bank 3 must take 32 different words in turn.");
	says(AS, OP_ST, 4, "lane",
	     "Lanes 0-31 write As[0][0] to As[0][31] in order: all in "
	     "different banks, one wavefront.");
	says(AS, OP_LD, 4, "5",
	     "Lanes 0-31 read As[0][5]: one address, a broadcast, one "
	     "wavefront.");
	says(AS, OP_LD, 4, "lane % 16",
	     "Lanes 0-31 read As[0][0] to As[0][15], and the same again every "
	     "16 lanes: all in different banks or the same word, one "
	     "wavefront.");
	says(AS, OP_LD, 16, "lane*4",
	     "Lanes 0-31 read As[0][0] to As[3][31] in order: four wavefronts, "
	     "in each of them all lanes in different banks. Each lane reads "
	     "four elements at once.");
	says(AS, OP_LD, 16, "lane*32",
	     "Lanes 0-31 read As[0][0..3] to As[31][0..3], down a column, in "
	     "steps of 32 elements (128 bytes): 32 wavefronts where four would "
	     "do. For lanes 0-7, four banks, including bank 0, must each "
	     "deliver eight different words in turn. Each lane reads four "
	     "elements at once.");
	matrix = true;
	says(AS, OP_LD, 16, "lane % 8 * 4",
	     "Lanes 0-31 read As[0][0] to As[0][31], and the same again every "
	     "eight lanes: four wavefronts, in each of them all lanes in "
	     "different banks. Every 8 lanes give the row addresses of an 8x8 "
	     "matrix, which all 32 lanes receive.");
	matrix = false;
	says(PAD, OP_LD, 4, "lane*33",
	     "Lanes 0-31 read pad[0][0] to pad[31][0], down a column, in steps "
	     "of 33 elements (132 bytes): all in different banks, one "
	     "wavefront.");
}

static void test_registers(void)
{
	says(ACCUM, OP_ST, 4, "5",
	     "Lanes 0-31 write accum[1][1], each in its own registers.");
	says(ACCUM, OP_LD, 4, "lane % 16",
	     "Lanes 0-31 read different elements, accum[0][0] to accum[3][3], "
	     "each in its own registers. Registers cannot be indexed, so an "
	     "array used like this moves to slower local memory.");
}

static void test_barrier(void)
{
	struct trace_request r = { .mask = UINT32_MAX };
	struct pattern p;
	char *got;

	site = (struct trace_site){ .op = OP_BARRIER,
				    .array = TRACE_NO_ARRAY };
	pattern_find(&info, &r, &p);
	tap_is(p.kind, PATTERN_NONE, "a barrier has no shape");
	got = pattern_sentence(&info, &r);
	tap_str(got, "Lanes 0-31 wait at the barrier for all threads of the "
		"block.", "but a sentence");
	free(got);
	got = pattern_clause(&info, &r);
	tap_str(got, "", "and no clause");
	free(got);
}

/* What is no load or store: by one lane, or by all. */
static void test_deeds(void)
{
	static const struct {
		enum op op;
		uint32_t array, mask, words[2];
		bool values;
		const char *want;
		struct trace_tile tile;
	} deeds[] = {
		{ OP_SYNC, TRACE_NO_ARRAY, 1, { 0 }, true, "Lane 0 waits for "
		  "its own operations, or for threads to synchronize "
		  "with.", { 0 } },
		{ OP_MBAR_ARRIVE, BOX, 1, { 3, 512 }, true, "Lane 0 arrives at "
		  "box[0][0][2], whose phase 3 then waits for 512 bytes as "
		  "well.", { 0 } },
		{ OP_MBAR_ARRIVE, BOX, UINT32_MAX, { 3, 0 }, true, "Lanes 0-31 "
		  "arrive at box[0][0][2], in its phase 3.", { 0 } },
		{ OP_MBAR_ARRIVE, BOX, 2, { 0 }, false, "Lane 1 arrives at "
		  "box[0][0][2].", { 0 } },
		{ OP_MBAR_WAIT, BOX, UINT32_MAX, { 4, 0 }, true, "Lanes 0-31 "
		  "wait until phase 4 of box[0][0][2] has completed.", { 0 } },
		{ OP_MBAR_WAIT, BOX, 1, { UINT32_MAX, 0 }, true, "Lane 0 "
		  "passes: no phase of box[0][0][2] has completed yet.", { 0 } },
		{ OP_MBAR_WAIT, BOX, 1, { 0 }, false, "Lane 0 waits for "
		  "box[0][0][2].", { 0 } },
		{ OP_TMA_LD, A, 1, { 0 }, true, "Lane 0 starts a TMA copy that "
		  "reads a box of 512 bytes, beginning at A[0][4].", { 0 } },
		{ OP_TMA_LD, AS, 1, { 0 }, true, "Lane 0 starts a TMA copy "
		  "that writes a box of 512 bytes, beginning at "
		  "As[0][4].", { 0 } },
		{ OP_TMA_ST, AS, 1, { 0 }, true, "Lane 0 starts a TMA copy "
		  "that reads a box of 512 bytes, beginning at "
		  "As[0][4].", { 0 } },
		{ OP_TMA_ST, A, 1, { 0 }, true, "Lane 0 starts a TMA copy that "
		  "writes a box of 512 bytes, beginning at A[0][4].", { 0 } },
		{ OP_WGMMA, AS, UINT32_MAX, { 0 }, true, "Lanes 0-31 and their "
		  "warpgroup start a product with a tile of 512 bytes, "
		  "beginning at As[0][4].", { 0 } },
		{ OP_TMA_LD, AS, 1, { 0 }, true, "Lane 0 starts a TMA copy "
		  "that writes a box of 16×8 elements, beginning at As[0][4]. "
		  "Its 16-byte chunks are swizzled within 64 bytes. It goes to "
		  "2 blocks of the cluster.", { 1, 16, 8, 4, 0, 32, 64, 5 } },
		{ OP_WGMMA, AS, UINT32_MAX, { 0 }, true, "Lanes 0-31 and their "
		  "warpgroup start a product with a tile of 16×128 elements, "
		  "beginning at As[0][4].", { 2, 16, 64, 2, 99, 128, 0, 0 } },
	};

	for (size_t i = 0; i < LENGTH(deeds); i++) {
		struct trace_request r = { .mask = deeds[i].mask };
		char *got;

		site = (struct trace_site){ .op = deeds[i].op, .bytes = 512,
					    .array = deeds[i].array,
					    .tile = deeds[i].tile };
		info.values = deeds[i].values;
		for (uint32_t l = 0; l < WARP_LANES; l++) {
			r.offset[l] = r.mask >> l & 1 ? 16 : 0;
			r.value[4 * l] = deeds[i].words[0];
			r.value[4 * l + 1] = deeds[i].words[1];
		}
		got = pattern_sentence(&info, &r);
		tap_str(got, deeds[i].want, "%s", op_name(deeds[i].op));
		free(got);
	}
	info.values = false;
}

/* Lanes that the block has no threads for do not sit out. */
static void test_small_block(void)
{
	struct trace_dim block = info.block;

	info.block = (struct trace_dim){ 4, 5, 1 };
	says(A, OP_LD, 4, "lane < 20 ? lane : none",
	     "Lanes 0-19 read A[0][0] to A[0][19] in order: 80 bytes in three "
	     "sectors, the fewest possible.");
	info.block = block;
}

static void element(int array, uint64_t offset, uint32_t bytes,
		    const char *want)
{
	char buf[100];

	array_element(&arrays[array], offset, bytes, buf, sizeof(buf));
	tap_str(buf, want, "%u bytes at %llu", bytes,
		(unsigned long long)offset);
}

static void test_elements(void)
{
	uint64_t index[TRACE_MAX_RANK];
	struct trace_array odd = { .name = "\033[31m\302\233", .elem_bytes = 4,
				   .rank = 1, .dims = { 4 } };
	char buf[100];

	element(A, (3 * 64 + 5) * 4, 4, "A[3][5]");
	element(A, (3 * 64 + 4) * 4, 16, "A[3][4..7]");
	element(A, 63 * 4, 8, "A[0][63]..A[1][0]");
	element(V, 401, 1, "v[100]");
	element(BOX, (1 * 15 + 2 * 5 + 4) * 8, 8, "box[1][2][4]");
	element(BOX, 240, 8, "box + 240 bytes");
	element(V, 4096 * 4 - 4, 8, "v + 16380 bytes");
	tap_ok(!array_coords(&arrays[BOX], 240, index), "outside");
	tap_ok(array_coords(&arrays[BOX], 239, index) && index[0] == 1 &&
	       index[1] == 2 && index[2] == 4, "the last element");
	array_element(&odd, 0, 4, buf, sizeof(buf));
	tap_ok(!strchr(buf, '\033') && !strstr(buf, "\302\233"),
	       "a hostile name is made safe");
	array_element(&arrays[A], 0, 4, buf, 4);
	tap_str(buf, "A[0", "cut to fit");
}

static void lane_list(uint32_t mask, const char *want)
{
	char buf[100];

	pattern_lanes(mask, buf, sizeof(buf));
	tap_str(buf, want, "lanes of %08x", mask);
}

static void test_lanes(void)
{
	lane_list(0, "");
	lane_list(UINT32_MAX, "0-31");
	lane_list(0x80000000, "31");
	lane_list(0xc0000001, "0, 30-31");
	lane_list(0x0f0f0f0f, "0-3, 8-11, 16-19, 24-27");
	lane_list(0x55555555, "0, 2, 4, ..., 30");
	lane_list(0xf1111117, "0-2, 4, 8, ..., 31");
}

static uint64_t seed = 7;

static uint32_t draw(uint32_t below)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(seed >> 33) % below;
}

/* Whatever the request, the numbers found describe it. */
static bool describes(const struct pattern *p, const struct trace_request *r)
{
	uint64_t at[32];
	int n = 0;

	for (int lane = 0; lane < 32; lane++)
		if (r->mask >> lane & 1)
			at[n++] = r->offset[lane];
	if (p->lanes != n || p->groups < 1 || p->group < 1 ||
	    p->groups * p->group < n)
		return false;
	if (p->kind == PATTERN_IRREGULAR || p->kind == PATTERN_PERMUTED ||
	    (p->kind == PATTERN_BROADCAST && p->outer == 0))
		return true;
	for (int i = 0; i < n; i++)
		if (at[i] - at[0] !=
		    (uint64_t)(i % p->group) * (uint64_t)p->inner +
		    (uint64_t)(i / p->group) * (uint64_t)p->outer)
			return false;
	return true;
}

static bool sentence_sound(const struct trace_request *r)
{
	char *s = pattern_sentence(&info, r);
	size_t n = strlen(s);
	bool sound = n > 20 && s[n - 1] == '.' && s[0] >= 'A' &&
		     s[0] <= 'Z' && !strchr(s, '%') && !strstr(s, "  ");

	if (!sound)
		printf("# %s\n", s);
	free(s);
	return sound;
}

static void test_random(void)
{
	static const uint32_t widths[] = { 1, 2, 4, 8, 16 };
	int kinds[PATTERN_IRREGULAR + 1] = { 0 }, bad = 0, unsound = 0;

	for (int i = 0; i < 20000; i++) {
		struct trace_request r = { .mask = draw(3) ? UINT32_MAX :
					   draw(1u << 30) + 1 };
		uint32_t p[4] = { 1 + draw(64), draw(300),
				  draw(3) ? draw(300) : 1, draw(8) };
		struct pattern got;

		site = (struct trace_site){ .op = draw(2) ? OP_LD : OP_ST,
			.array = draw(LENGTH(arrays)),
			.bytes = widths[draw(5)] };
		for (uint32_t i = 0; i < 32; i++) {
			uint32_t lane = p[3] == 5 ? i ^ p[1] % 32 : i;

			r.offset[i] = (lane / p[0] * p[1] +
				lane % p[0] * p[2] * (p[3] > 1) +
				(p[3] == 7 ? draw(9) : 0)) *
				(p[3] == 6 ? 1 : site.bytes);
		}
		pattern_find(&info, &r, &got);
		kinds[got.kind]++;
		bad += !describes(&got, &r);
		unsound += !sentence_sound(&r);
	}
	tap_is(bad, 0, "20000 random requests are as their shape says");
	tap_is(unsound, 0, "and every one has a sentence");
	for (int k = PATTERN_BROADCAST; k <= PATTERN_IRREGULAR; k++)
		tap_ok(kinds[k] > 20, "%d were %s", kinds[k], pattern_name(k));
}

int main(void)
{
	lang_init("en");
	test_shapes();
	test_global();
	test_shared();
	test_registers();
	test_barrier();
	test_deeds();
	test_small_block();
	test_elements();
	test_lanes();
	test_random();
	return tap_done();
}
