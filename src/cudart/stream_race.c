/*
 * stream_race: see stream_race.h.
 */
#include "cudart/stream_race.h"

#include <stdlib.h>
#include <string.h>

#include "cudart/program.h"

#define USES_MOST 128		/* the last ones are kept */
#define SPANS_MOST (1u << 18)	/* of a piece of work that is kept */

/* Neighbouring bytes that are touched alike. */
struct span {
	uintptr_t from, to;
	int how;
};

/* What one piece of work has touched, by address. */
struct race_use {
	struct stream_work work;
	struct place at;
	char what[96];
	struct span *spans;
	size_t count, capacity;
};

static struct race_use list[USES_MOST], now;
static size_t count;
static bool begun;

static void use_done(struct race_use *u)
{
	free(u->spans);
	*u = (struct race_use){ .count = 0 };
}

static void drop_use(size_t i)
{
	use_done(&list[i]);
	memmove(&list[i], &list[i + 1], (--count - i) * sizeof(*list));
	list[count] = (struct race_use){ .count = 0 };
}

/* ---- spans ---- */

static void span_add(uintptr_t from, uint64_t bytes, int how)
{
	struct span *last = now.count ? &now.spans[now.count - 1] : NULL;

	if (last && last->to == from && last->how == how) {
		last->to += bytes;
		return;
	}
	if (now.count == SPANS_MOST)
		return;
	grow(&now.spans, &now.capacity, now.count + 1, sizeof(*now.spans));
	now.spans[now.count++] = (struct span) { from, from + bytes, how };
}

void stream_race_begin(struct stream_work w, struct place at, const char *what)
{
	begun = stream_several();
	now.work = w;
	now.at = at;
	snprintf(now.what, sizeof(now.what), "%s", what);
}

void stream_race_rows(const void *p, size_t pitch, size_t width,
		      size_t height, int how)
{
	if (!begun || !device_at((uintptr_t)p))
		return;
	for (size_t i = 0; i < height; i++)
		span_add((uintptr_t)p + i * pitch, width, how);
}

/* ---- compare ---- */

static int by_address(const void *a, const void *b)
{
	const struct span *x = a, *y = b;

	return x->from < y->from ? -1 : x->from > y->from;
}

/* Returns whether two kinds of access conflict: reads do not with each other,
 * and neither do atomics. */
static bool how_conflicts(int a, int b)
{
	return ((a | b) & RACE_WRITES) ||
	       ((a | b) & RACE_ATOMICS && (a | b) & RACE_READS);
}

/* Finds an address at which the two conflict; 0: there is none. */
static uintptr_t find_overlap(const struct race_use *a,
			      const struct race_use *b)
{
	size_t i = 0, k = 0;

	while (i < a->count && k < b->count) {
		const struct span *x = &a->spans[i], *y = &b->spans[k];

		if (x->from < y->to && y->from < x->to &&
		    how_conflicts(x->how, y->how))
			return MAX(x->from, y->from);
		if (x->to <= y->to)
			i++;
		else
			k++;
	}
	return 0;
}

/* Writes the array's name in the host's code, where it allocates it by a
 * name. */
static void name_at(uintptr_t address, char *to, size_t bytes)
{
	const struct allocation *a = device_at(address);

	*to = '\0';
	if (a)
		program_name(a, to, bytes);
	for (struct emu_array v = { .next = 0 }; !a && emu_array_next(&v);)
		if (address - v.lo < v.bytes)
			snprintf(to, bytes, "%s", v.name);
}

static void report_stream_race(const struct race_use *other, uintptr_t address)
{
	struct program_fault p = program_fault("streams", now.at, other->what);

	p.other = other->at;
	name_at(address, p.name, sizeof(p.name));
	program_problem(p);
}

void stream_race_end(void)
{
	if (begun && now.count && now.count < SPANS_MOST) {
		qsort(now.spans, now.count, sizeof(*now.spans), by_address);
		for (size_t i = count; i-- > 0;) {
			uintptr_t at = stream_ordered(list[i].work, now.work) ?
					       0 :
					       find_overlap(&list[i], &now);

			if (at) {
				report_stream_race(&list[i], at);
				break;
			}
		}
		if (count == USES_MOST)
			drop_use(0);
		list[count++] = now;
		now = (struct race_use){ .count = 0 };
	}
	use_done(&now);
	begun = false;
}

/* ---- a launch ---- */

_Static_assert(RACE_READS == (int)EMU_READS && RACE_WRITES == (int)EMU_WRITES &&
	       RACE_ATOMICS == (int)EMU_ATOMICS, "both have the same bits");

/* Adds a span of the array `ctx`. */
static void span_used(void *ctx, uint64_t off, uint64_t bytes, int how)
{
	const struct emu_array *a = ctx;

	span_add(a->lo + off, bytes, how);
}

void stream_race_launch(struct stream_work w, struct place at,
			const char *what)
{
	stream_race_begin(w, at, what);
	for (struct emu_array a = { .next = 0 };
	     begun && !emu_launch_tells() && emu_array_next(&a);)
		if (a.checked && a.global)
			emu_array_ordered(&a, span_used, &a);
	stream_race_end();
}

/* ---- drop ---- */

void stream_race_waited(void)
{
	for (size_t i = count; i-- > 0;)
		if (stream_finished(list[i].work))
			drop_use(i);
}

void stream_race_freed(const struct allocation *a)
{
	for (size_t i = 0; i < count; i++) {
		size_t n = 0;

		for (size_t k = 0; k < list[i].count; k++)
			if (list[i].spans[k].from - a->slot >= a->slot_bytes)
				list[i].spans[n++] = list[i].spans[k];
		list[i].count = n;
	}
}
