#include "hardware/access.h"

#include <inttypes.h>
#include <string.h>

static bool is_active_lane(const struct access *a, int lane)
{
	return a->mask >> lane & 1;
}

static int check_width(const struct access *a, struct error *e)
{
	bool power = a->bytes && !(a->bytes & (a->bytes - 1));

	if (!power || a->bytes > 16)
		return error_set(e, EXIT_INPUT, "a lane cannot access %" PRIu32
				 " bytes (1, 2, 4, 8 or 16)", a->bytes);
	if (a->space == ACCESS_LDMATRIX && a->bytes != 16)
		return error_set(e, EXIT_INPUT, "ldmatrix reads rows of 16 "
				 "bytes, not of %" PRIu32, a->bytes);
	return 0;
}

static int check_access(const struct access *a, struct error *e)
{
	if (check_width(a, e) < 0)
		return -1;
	for (int lane = 0; lane < WARP_LANES; lane++)
		if (is_active_lane(a, lane) && a->address[lane] % a->bytes)
			return error_set(e, EXIT_INPUT, "lane %d: address %"
					 PRIu64 " is not a multiple of %"
					 PRIu32, lane, a->address[lane],
					 a->bytes);
	return 0;
}

bool access_of(const struct trace_info *info, const struct trace_request *r,
	       struct access *a)
{
	const struct trace_site *site;
	const struct trace_array *array;

	if (r->site >= info->site_count)
		return false;
	site = &info->sites[r->site];
	if (!op_is_access(site->op) || site->array >= info->array_count)
		return false;
	array = &info->arrays[site->array];
	if (array->space != SPACE_GLOBAL && array->space != SPACE_SHARED)
		return false;
	a->space = array->space == SPACE_GLOBAL ? ACCESS_GLOBAL :
		   site->matrix ? ACCESS_LDMATRIX : ACCESS_SHARED;
	a->op = site->op;
	a->bytes = site->bytes;
	a->mask = r->mask;
	for (int lane = 0; lane < WARP_LANES; lane++)
		a->address[lane] = array->base + r->offset[lane];
	return true;
}

/* ---- global memory ---- */

/* Finds the sector at `address` in the sorted list, and inserts it if it is
 * missing. */
static struct access_sector *sector_at(struct access_sector *out,
				       size_t *count, uint64_t address)
{
	size_t i = *count;

	while (i > 0 && out[i - 1].address > address)
		i--;
	if (i > 0 && out[i - 1].address == address)
		return &out[i - 1];
	memmove(&out[i + 1], &out[i], (*count - i) * sizeof(*out));
	out[i] = (struct access_sector){ .address = address };
	++*count;
	return &out[i];
}

/* Lists the sectors that an access touches, ascending. An aligned lane of at
 * most 16 bytes lies in one sector. */
size_t access_sectors(const struct access *a,
		      struct access_sector out[2 * WARP_LANES])
{
	uint32_t bytes = (UINT32_C(1) << a->bytes) - 1;
	size_t count = 0;

	for (int lane = 0; lane < WARP_LANES; lane++) {
		struct access_sector *s;
		uint64_t in = a->address[lane] % SECTOR_BYTES;

		if (!is_active_lane(a, lane))
			continue;
		s = sector_at(out, &count, a->address[lane] - in);
		s->lanes |= UINT32_C(1) << lane;
		s->bytes |= bytes << in;
	}
	return count;
}

/* Counts the lines in which a store writes only part of a sector. */
static int lines_in_part(const struct access_sector *s, size_t count)
{
	uint64_t last = UINT64_MAX;
	int lines = 0;

	for (size_t i = 0; i < count; i++) {
		uint64_t line = s[i].address / LINE_BYTES;

		if (s[i].bytes == UINT32_MAX || line == last)
			continue;
		last = line;
		lines++;
	}
	return lines;
}

static int store_data_cycles(const struct access *a,
			     const struct access_sector *s, size_t count)
{
	int data = (__builtin_popcount(a->mask) * (int)a->bytes +
		    LINE_BYTES - 1) / LINE_BYTES;

	return MAX(data, (int)count + lines_in_part(s, count));
}

static void global_cost(const struct access *a, struct access_cost *cost)
{
	struct access_sector s[2 * WARP_LANES];
	size_t count = access_sectors(a, s);

	cost->sectors = (int)count;
	cost->lines = cost->bytes = 0;
	for (size_t i = 0; i < count; i++) {
		cost->bytes += __builtin_popcount(s[i].bytes);
		cost->lines += !i || s[i].address / LINE_BYTES !=
				     s[i - 1].address / LINE_BYTES;
	}
	cost->ideal_sectors = (cost->bytes + SECTOR_BYTES - 1) / SECTOR_BYTES;
	cost->cycles =
		a->op == OP_ST ? store_data_cycles(a, s, count) : cost->lines;
}

/* ---- shared memory ---- */

/* Returns the lanes that a pass serves when passes do not merge. */
static int pass_lanes(const struct access *a)
{
	if (a->bytes == 16)
		return 8;
	return a->bytes == 8 ? 16 : 32;
}

/* Tests whether lane i and lane i ^ distance access the same address wherever
 * both are active. */
static bool pairs_agree(const struct access *a, int distance)
{
	for (int lane = 0; lane < WARP_LANES; lane++)
		if (is_active_lane(a, lane) &&
		    is_active_lane(a, lane ^ distance) &&
		    a->address[lane] != a->address[lane ^ distance])
			return false;
	return true;
}

/* Tests whether adjacent passes merge. One pair of lanes that differs keeps all
 * passes of the warp apart, also those it is not in. */
static bool passes_merge(const struct access *a)
{
	return a->space == ACCESS_SHARED && a->op == OP_LD && a->bytes >= 8 &&
	       (pairs_agree(a, 1) || pairs_agree(a, 2));
}

/* Passes of a load, also those in which no lane is active; 0: of others. */
static int load_passes(const struct access *a)
{
	if (a->space != ACCESS_SHARED || a->op != OP_LD || !a->mask)
		return 0;
	return WARP_LANES / pass_lanes(a) / (passes_merge(a) ? 2 : 1);
}

/* Sets the pass of each active lane, numbered among the passes that have any.
 * Returns the number of passes. */
static int lane_passes(const struct access *a, uint8_t pass[WARP_LANES])
{
	int lanes = pass_lanes(a) * (passes_merge(a) ? 2 : 1);
	int count = 0, last = -1;

	for (int lane = 0; lane < WARP_LANES; lane++) {
		if (!is_active_lane(a, lane))
			continue;
		if (lane / lanes != last) {
			last = lane / lanes;
			count++;
		}
		pass[lane] = (uint8_t)(count - 1);
	}
	return count;
}

static int word_order(const struct access_word *a, const struct access_word *b)
{
	if (a->pass != b->pass)
		return a->pass < b->pass ? -1 : 1;
	if (a->bank != b->bank)
		return a->bank < b->bank ? -1 : 1;
	return (a->word > b->word) - (a->word < b->word);
}

static void word_add(struct access_word *out, size_t *count,
		     const struct access_word *w)
{
	size_t i = *count;
	int order = -1;

	while (i > 0 && (order = word_order(&out[i - 1], w)) > 0)
		i--;
	if (i > 0 && order == 0) {
		out[i - 1].lanes |= w->lanes;
		return;
	}
	memmove(&out[i + 1], &out[i], (*count - i) * sizeof(*out));
	out[i] = *w;
	++*count;
}

/* Numbers the wavefronts. A bank serves one word a wavefront; a pass takes as
 * many wavefronts as its worst bank has words, and begins after the previous
 * pass. */
static void number_wavefronts(struct access_word *w, size_t count)
{
	int first = 0, end = 0;

	for (size_t i = 0; i < count; i++) {
		bool same = i && w[i].pass == w[i - 1].pass;

		if (!same)
			first = end;
		same = same && w[i].bank == w[i - 1].bank;
		w[i].wavefront = (uint8_t)(same ? w[i - 1].wavefront + 1 :
						  first);
		end = MAX(end, w[i].wavefront + 1);
	}
}

size_t access_words(const struct access *a,
		    struct access_word out[4 * WARP_LANES], int *passes)
{
	uint8_t pass[WARP_LANES];
	size_t count = 0;
	uint32_t words = (a->bytes + BANK_BYTES - 1) / BANK_BYTES;

	*passes = lane_passes(a, pass);
	for (int lane = 0; lane < WARP_LANES; lane++) {
		if (!is_active_lane(a, lane))
			continue;
		for (uint32_t i = 0; i < words; i++) {
			uint64_t word = a->address[lane] / BANK_BYTES + i;

			word_add(out, &count, &(struct access_word){
				.pass = pass[lane],
				.bank = (uint8_t)(word % BANKS),
				.word = word,
				.lanes = UINT32_C(1) << lane,
			});
		}
	}
	number_wavefronts(out, count);
	return count;
}

static void shared_cost(const struct access *a, struct access_cost *cost)
{
	struct access_word w[4 * WARP_LANES];
	size_t count = access_words(a, w, &cost->ideal_wavefronts);
	int way = 0;

	cost->wavefronts = cost->max_way = 0;
	for (size_t i = 0; i < count; i++) {
		bool same = i && w[i].pass == w[i - 1].pass &&
			    w[i].bank == w[i - 1].bank;

		way = same ? way + 1 : 1;
		cost->max_way = MAX(cost->max_way, way);
		cost->wavefronts = MAX(cost->wavefronts, w[i].wavefront + 1);
	}
	cost->cycles = MAX(cost->wavefronts, load_passes(a));
}

/* ---- constant memory ---- */

/* Counts the different words of constant memory that active lanes read. */
static int distinct_words(uint32_t mask, const uint64_t address[WARP_LANES])
{
	int count = 0;

	for (int lane = 0; lane < WARP_LANES; lane++) {
		int before = 0;

		if (!(mask >> lane & 1))
			continue;
		while (before < lane && (!(mask >> before & 1) ||
					 address[before] / BANK_BYTES !=
					 address[lane] / BANK_BYTES))
			before++;
		count += before == lane;
	}
	return count;
}

int access_constant_passes(const struct trace_array *array,
			   const struct trace_request *r)
{
	uint64_t address[WARP_LANES];

	for (int lane = 0; lane < WARP_LANES; lane++)
		address[lane] = array->base + r->offset[lane];
	return distinct_words(r->mask, address);
}

/* ---- all of it ---- */

int access_cost(const struct access *a, struct access_cost *cost,
		struct error *e)
{
	if (check_access(a, e) < 0)
		return -1;
	*cost = (struct access_cost){
		.requests = a->mask != 0, .sectors = NA, .bytes = NA,
		.ideal_sectors = NA, .lines = NA, .wavefronts = NA,
		.ideal_wavefronts = NA, .max_way = NA, .passes = NA, .cycles = NA,
	};
	if (a->space == ACCESS_GLOBAL)
		global_cost(a, cost);
	else if (a->space == ACCESS_CONSTANT)
		cost->passes = distinct_words(a->mask, a->address);
	else
		shared_cost(a, cost);
	return 0;
}
