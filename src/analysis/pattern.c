#include "analysis/pattern.h"

#include <inttypes.h>
#include <string.h>

#include "base/lang.h"
#include "analysis/pattern_lanes.h"
#include "base/text.h"

const char *pattern_name(enum pattern_kind k)
{
	static const char *const names[] = {
		[PATTERN_NONE] = "none",
		[PATTERN_BROADCAST] = "broadcast",
		[PATTERN_CONTIGUOUS] = "contiguous",
		[PATTERN_STRIDED] = "strided",
		[PATTERN_BLOCK] = "block",
		[PATTERN_PERMUTED] = "permuted",
		[PATTERN_IRREGULAR] = "irregular",
	};

	return names[k];
}

/* ---- the shape ---- */

static void sort_in(struct lane_offsets *l, uint64_t at)
{
	int i = l->distinct;

	while (i > 0 && l->sorted[i - 1] > at)
		i--;
	if (i > 0 && l->sorted[i - 1] == at)
		return;
	memmove(&l->sorted[i + 1], &l->sorted[i],
		(size_t)(l->distinct - i) * sizeof(*l->sorted));
	l->sorted[i] = at;
	l->distinct++;
}

void find_lane_offsets(const struct trace_info *info,
		       const struct trace_request *r, struct lane_offsets *l)
{
	*l = (struct lane_offsets){ .r = r };
	if (r->site >= info->site_count)
		return;
	l->site = &info->sites[r->site];
	if (!op_is_access(l->site->op) || l->site->array >= info->array_count) {
		l->site = NULL;
		return;
	}
	l->array = &info->arrays[l->site->array];
	for (int lane = 0; lane < WARP_LANES; lane++) {
		if (!(r->mask >> lane & 1))
			continue;
		l->lane[l->count] = (uint8_t)lane;
		l->at[l->count++] = r->offset[lane];
		sort_in(l, r->offset[lane]);
	}
}

static int64_t step_after(const struct lane_offsets *l, int i)
{
	return (int64_t)(l->at[i + 1] - l->at[i]);
}

/* Runs of the same step whose starts are all as far apart. */
static bool two_levels(const struct lane_offsets *l, struct pattern *p)
{
	int64_t inner = step_after(l, 0), outer = 0;
	int group = 1;

	while (group < l->count && step_after(l, group - 1) == inner)
		if (++group == l->count)
			break;
	if (group < l->count)
		outer = (int64_t)(l->at[group] - l->at[0]);
	for (int i = 0; i < l->count; i++)
		if (l->at[i] != l->at[0] +
		    (uint64_t)(i % group) * (uint64_t)inner +
		    (uint64_t)(i / group) * (uint64_t)outer)
			return false;
	p->group = group;
	p->groups = (l->count + group - 1) / group;
	p->inner = inner;
	p->outer = outer;
	return true;
}

/* Runs of lanes at one address, each at least two long. */
static bool same_runs(const struct lane_offsets *l, struct pattern *p)
{
	int length = 1, shortest = WARP_LANES;

	p->groups = p->group = 0;
	for (int i = 1; i <= l->count; i++, length++) {
		if (i < l->count && l->at[i] == l->at[i - 1])
			continue;
		p->groups++;
		p->group = MAX(p->group, length);
		shortest = MIN(shortest, length);
		length = 0;
	}
	p->inner = p->outer = 0;
	return shortest >= 2;
}

static bool is_permuted(const struct lane_offsets *l)
{
	uint64_t last = l->sorted[l->distinct - 1];

	if (l->distinct != l->count || l->count < 2)
		return false;
	for (int i = 1; i < l->count; i++)
		if (l->sorted[i] - l->sorted[i - 1] != l->site->bytes)
			return false;
	return last > l->sorted[0];
}

static enum pattern_kind one_run_kind(const struct pattern *p, int64_t width)
{
	if (p->inner == width)
		return PATTERN_CONTIGUOUS;
	if (p->inner == 0)
		return PATTERN_BROADCAST;
	return p->inner == -width ? PATTERN_PERMUTED : PATTERN_STRIDED;
}

static void one_run(const struct lane_offsets *l, struct pattern *p,
		    int64_t inner)
{
	p->groups = 1;
	p->group = l->count;
	p->inner = inner;
	p->outer = 0;
}

/* Finds the kind of a pattern and fills in its runs and strides. */
static enum pattern_kind find_shape(const struct lane_offsets *l,
				    struct pattern *p)
{
	int64_t width = l->site->bytes;
	bool regular;

	if (l->count < 2) {
		one_run(l, p, width);
		return PATTERN_CONTIGUOUS;
	}
	regular = two_levels(l, p);
	if (regular && p->groups == 1)
		return one_run_kind(p, width);
	if (regular && p->inner == 0)
		return PATTERN_BROADCAST;
	if (is_permuted(l)) {
		one_run(l, p, width);
		return PATTERN_PERMUTED;
	}
	if (regular)
		return PATTERN_BLOCK;
	if (same_runs(l, p))
		return PATTERN_BROADCAST;
	p->groups = l->count;
	p->group = 1;
	return PATTERN_IRREGULAR;
}

void lanes_find(const struct lane_offsets *l, struct pattern *p)
{
	*p = (struct pattern){ .kind = PATTERN_NONE, .lanes = l->count,
			       .addresses = l->distinct };
	if (l->site && l->count)
		p->kind = find_shape(l, p);
}

void pattern_find(const struct trace_info *info,
		  const struct trace_request *r, struct pattern *p)
{
	struct lane_offsets l;

	find_lane_offsets(info, r, &l);
	lanes_find(&l, p);
	p->lanes = __builtin_popcount(r->mask);
}

/* ---- elements ---- */

bool array_coords(const struct trace_array *a, uint64_t offset,
		  uint64_t index[TRACE_MAX_RANK])
{
	uint64_t e;

	if (!a->rank || a->rank > TRACE_MAX_RANK || !a->elem_bytes)
		return false;
	e = offset / a->elem_bytes;
	for (uint32_t d = a->rank - 1; d > 0; d--) {
		if (!a->dims[d])
			return false;
		index[d] = e % a->dims[d];
		e /= a->dims[d];
	}
	index[0] = e;
	return e < a->dims[0];
}

/* Adds the array's name, safe to show and short enough for a sentence. */
static void add_name(struct str *s, const struct trace_array *a)
{
	const char *name = text_show(a->name ? a->name : "?");
	size_t fit = text_fit(name, 32, NULL);

	str_addn(s, name, fit);
	if (name[fit])
		str_add(s, lang_utf8() ? "\xE2\x80\xA6" : "...");
}

static void add_coords(struct str *s, const struct trace_array *a,
		       const uint64_t *index, uint32_t rank)
{
	add_name(s, a);
	for (uint32_t d = 0; d < rank; d++)
		str_addf(s, "[%" PRIu64 "]", index[d]);
}

static void add_element_range(struct str *s, const struct trace_array *a,
			      uint64_t offset, uint32_t bytes)
{
	uint64_t from[TRACE_MAX_RANK], to[TRACE_MAX_RANK];
	uint64_t end = offset + (bytes ? bytes - 1 : 0);
	uint32_t last = a->rank - 1;

	if (!array_coords(a, offset, from) || !array_coords(a, end, to)) {
		add_name(s, a);
		str_addf(s, " + %" PRIu64 " bytes", offset);
		return;
	}
	if (memcmp(from, to, last * sizeof(*from))) {
		add_coords(s, a, from, a->rank);
		str_add(s, "..");
		add_coords(s, a, to, a->rank);
		return;
	}
	add_coords(s, a, from, last);
	str_addf(s, "[%" PRIu64, from[last]);
	if (from[last] != to[last])
		str_addf(s, "..%" PRIu64, to[last]);
	str_addc(s, ']');
}

/* Copies a text, cut to `size` bytes at a character boundary. */
static void copy_cut(char *buf, size_t size, const char *s)
{
	size_t n = strlen(s);

	if (n >= size)
		for (n = size - 1; n && ((unsigned char)s[n] & 0xc0) == 0x80; )
			n--;
	memcpy(buf, s, n);
	buf[n] = '\0';
}

void array_element(const struct trace_array *a, uint64_t offset,
		   uint32_t bytes, char *buf, size_t size)
{
	struct str s = { 0 };

	add_element_range(&s, a, offset, bytes);
	copy_cut(buf, size, s.data);
	str_done(&s);
}
