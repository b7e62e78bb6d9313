/*
 * agree A.gvt B.gvt: whether two recordings of one launch say the same: for
 * every thread the sequence of (operation, bytes, array, offset, value) on
 * global and shared memory, and the barriers. Says the first difference.
 * Register arrays are left out: what is in registers, each compiler decides
 * for itself, as it does in which order it stores a structure's members.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "trace/trace.h"

struct access {
	enum op op;
	uint32_t line;		/* shown, not compared */
	const char *array;
	uint32_t bytes;
	uint64_t offset;
	uint32_t value[4];
};

struct sequence {
	struct access *list;
	size_t count, capacity;
};

static void add(struct sequence *s, const struct trace_info *i,
		const struct trace_request *r, uint32_t lane)
{
	const struct trace_site *site = &i->sites[r->site];
	struct access *a;

	if (site->op != OP_BARRIER &&
	    i->arrays[site->array].space == SPACE_REGISTER)
		return;
	grow(&s->list, &s->capacity, s->count + 1, sizeof(*s->list));
	a = &s->list[s->count++];
	*a = (struct access) { .op = site->op, .line = site->line,
			       .bytes = site->bytes,
			       .offset = r->offset[lane] };
	if (site->op != OP_BARRIER)
		a->array = i->arrays[site->array].name;
	memcpy(a->value, r->value + 4 * lane, sizeof(a->value));
}

static void read_warp(struct trace *t, size_t warp, struct sequence *lanes)
{
	const struct trace_warp *w = trace_warp(t, warp);
	struct trace_request r;
	struct error e;

	for (uint32_t i = 0; i < w->requests; i++) {
		if (trace_get(t, warp, i, &r, &e))
			fatal("%s", e.text);
		for (uint32_t l = 0; l < WARP_LANES; l++)
			if (r.mask >> l & 1)
				add(&lanes[l], trace_info(t), &r, l);
	}
}

static bool same(const struct access *a, const struct access *b)
{
	return a->op == b->op && a->bytes == b->bytes &&
	       a->offset == b->offset && !a->array == !b->array &&
	       (!a->array || !strcmp(a->array, b->array)) &&
	       !memcmp(a->value, b->value, sizeof(a->value));
}

/* Members that the assignment at I stores, one after the other: how many. */
static size_t members(const struct sequence *s, size_t i)
{
	const struct access *a = s->list;
	size_t n = i;

	while (n < s->count && a[n].op == OP_ST && a[n].array &&
	       a[n].line == a[i].line && !strcmp(a[n].array, a[i].array))
		n++;
	return n - i;
}

static int by_offset(const void *a, const void *b)
{
	const struct access *x = a, *y = b;

	return (x->offset > y->offset) - (x->offset < y->offset);
}

/* From I on, where an assignment begins or goes on: how many are the same. */
static size_t same_members(struct sequence *x, struct sequence *y, size_t i)
{
	size_t n = members(x, i), k = 0;

	if (n != members(y, i))
		return 0;
	qsort(x->list + i, n, sizeof(*x->list), by_offset);
	qsort(y->list + i, n, sizeof(*y->list), by_offset);
	while (k < n && same(&x->list[i + k], &y->list[i + k]))
		k++;
	return k;
}

static void say(const char *of, const struct sequence *s, size_t i)
{
	const struct access *a = &s->list[i];

	if (i >= s->count)
		printf("  %s: has only %zu\n", of, s->count);
	else
		printf("  %s: line %" PRIu32 ": %s %s +%" PRIu64 ", %" PRIu32
		       " bytes, %08" PRIx32 "\n", of, a->line, op_name(a->op),
		       a->array ? a->array : "", a->offset, a->bytes,
		       a->value[0]);
}

/* Compares a warp in both; the number of accesses, or -1. */
static long compare(struct trace *a, struct trace *b, size_t warp)
{
	const struct trace_warp *wa = trace_warp(a, warp);
	const struct trace_warp *wb = trace_warp(b, warp);
	struct sequence x[WARP_LANES] = { { 0 } }, y[WARP_LANES] = { { 0 } };
	long n = 0;

	if (wa->block != wb->block || wa->warp != wb->warp) {
		printf("warp %zu is another\n", warp);
		return -1;
	}
	read_warp(a, warp, x);
	read_warp(b, warp, y);
	for (uint32_t l = 0; l < WARP_LANES && n >= 0; l++) {
		size_t most = MAX(x[l].count, y[l].count), i = 0;

		while (i < x[l].count && i < y[l].count) {
			size_t alike = same(&x[l].list[i], &y[l].list[i]) ?
				1 : same_members(&x[l], &y[l], i);

			if (!alike)
				break;
			i += alike;
		}
		n += (long)i;
		if (i == most)
			continue;
		printf("block %" PRIu32 ", thread %" PRIu32 ", access %zu:\n",
		       wa->block, wa->warp * WARP_LANES + l, i);
		say("first", &x[l], i);
		say("second", &y[l], i);
		n = -1;
	}
	for (uint32_t l = 0; l < WARP_LANES; l++) {
		free(x[l].list);
		free(y[l].list);
	}
	return n;
}

int main(int argc, char **argv)
{
	struct trace *t[2];
	struct error e;
	long sum = 0, n;

	if (argc != 3)
		return EXIT_USAGE;
	for (int i = 0; i < 2; i++) {
		t[i] = trace_open(argv[i + 1], &e);
		if (!t[i])
			fatal("%s", e.text);
	}
	if (trace_warp_count(t[0]) != trace_warp_count(t[1])) {
		printf("%zu warps, and %zu\n", trace_warp_count(t[0]),
		       trace_warp_count(t[1]));
		return EXIT_CHECK;
	}
	for (size_t w = 0; w < trace_warp_count(t[0]); w++) {
		n = compare(t[0], t[1], w);
		if (n < 0)
			return EXIT_CHECK;
		sum += n;
	}
	printf("%ld accesses alike\n", sum);
	trace_close(t[0]);
	trace_close(t[1]);
	return EXIT_DONE;
}
