/* drill_sectors: questions on how many sectors a request to global memory
 * takes. */
#include "base/lang.h"
#include "drill/drill_access.h"

static void index_simple(struct drill_question *q, struct drill_random *r)
{
	int stride = 1 << drill_below(r, 6);

	switch (drill_below(r, 6)) {
	case 0:
		snprintf(q->index, sizeof(q->index), "31 - lane");
		break;
	case 1:
		snprintf(q->index, sizeof(q->index), "lane / %d",
			 2 << drill_below(r, 3));
		break;
	case 2:
		snprintf(q->index, sizeof(q->index), "%d",
			 drill_from(r, 0, 99));
		break;
	default:
		if (stride > 1)
			snprintf(q->index, sizeof(q->index), "lane * %d",
				 stride);
		else
			snprintf(q->index, sizeof(q->index), "lane");
	}
}

static void index_shifted(struct drill_question *q, struct drill_random *r)
{
	int stride = drill_from(r, 1, 5), by = drill_from(r, 1, 9);

	if (stride == 1)
		snprintf(q->index, sizeof(q->index), "lane + %d", by);
	else
		snprintf(q->index, sizeof(q->index), "lane * %d + %d", stride,
			 by);
}

static void index_rows(struct drill_question *q, struct drill_random *r)
{
	static const int groups[] = { 4, 8, 16 };
	int group = drill_of(r, groups), pitch = drill_from(r, 17, 128);

	snprintf(q->index, sizeof(q->index), "lane / %d * %d + lane %% %d",
		 group, pitch, group);
}

static void index_mixed(struct drill_question *q, struct drill_random *r)
{
	static const int groups[] = { 2, 4, 8 };
	int group = drill_of(r, groups), n = drill_from(r, 2, 7);

	switch (drill_below(r, 3)) {
	case 0:		/* columns */
		snprintf(q->index, sizeof(q->index),
			 "lane %% %d * %d + lane / %d", group,
			 drill_from(r, 9, 70), group);
		break;
	case 1:
		snprintf(q->index, sizeof(q->index), "(lane ^ %d) * %d",
			 drill_from(r, 1, 31), n);
		break;
	default:
		snprintf(q->index, sizeof(q->index), "lane * %d %% %d", n,
			 8 << drill_below(r, 3));
	}
}

/* The request's sectors, if its first byte began a sector; and if its elements
 * were 1 byte: who forgets one or the other. */
static int sectors_of(struct access a, uint64_t less, uint32_t bytes)
{
	struct access_cost cost;

	for (int lane = 0; lane < WARP_LANES; lane++)
		if (a.mask >> lane & 1)
			a.address[lane] = (a.address[lane] - less) /
					  a.bytes * bytes;
	a.bytes = bytes;
	return access_cost(&a, &cost, NULL) ? NA : cost.sectors;
}

/* Returns how many aligned pieces of so many bytes the request touches, at most
 * one for each lane: elements are aligned, and not larger. */
static int count_touched(const struct access *a, uint64_t bytes)
{
	int n = 0;

	for (int lane = 0; lane < WARP_LANES; lane++) {
		bool is_new = a->mask >> lane & 1;

		for (int i = 0; i < lane && is_new; i++)
			is_new = a->address[i] / bytes !=
				 a->address[lane] / bytes;
		n += is_new;
	}
	return n;
}

static void add_wrong_sectors(struct drill_question *q,
			      const struct access_cost *cost, uint64_t first,
			      uint64_t last)
{
	int lanes = __builtin_popcount(q->access.mask), n;
	int bytes = (int)q->access.bytes;

	n = sectors_of(q->access, first, q->access.bytes);
	drill_wrong(q, drill_number(n), _("As many as if the first byte, %llu, "
		    "began a sector. Sectors begin at multiples of 32."),
		    (unsigned long long)first);
	drill_wrong(q, drill_number(lanes), _("That is one for each lane. "
		    "Lanes whose bytes lie in the same sector share it."));
	drill_wrong(q, drill_number(cost->ideal_sectors),
		    _("That would be enough if the %d requested bytes were "
		      "adjacent. They are spread over bytes %llu to %llu."),
		      cost->bytes, (unsigned long long)first,
		    (unsigned long long)last);
	drill_wrong(q, drill_number((lanes * bytes + 31) / 32),
		    _("%d lanes times %d bytes, divided by 32: that is right "
		      "only if no two lanes want the same bytes and no gaps "
		      "are between them."), lanes, bytes);
	drill_wrong(q, drill_number(cost->lines),
		    _("That is the number of lines of 128 bytes. Of a line "
		      "only the sectors of 32 bytes that are touched are "
		      "moved."));
	drill_wrong(q, drill_number((int)(last / 32 - first / 32) + 1),
		    _("That counts all sectors from byte %llu to byte %llu. "
		      "Those that no lane touches are not moved."),
		    (unsigned long long)first, (unsigned long long)last);
	drill_wrong(q, drill_number(cost->lines * 4),
		    _("That counts all four sectors of each line of 128 bytes. "
		      "Those that no lane touches are not moved."));
	drill_wrong(q, drill_number(count_touched(&q->access, 16)),
		    _("That counts pieces of %d bytes. A sector has 32."), 16);
	drill_wrong(q, drill_number(count_touched(&q->access, 64)),
		    _("That counts pieces of %d bytes. A sector has 32."), 64);
	n = sectors_of(q->access, 0, 1);
	drill_wrong(q, drill_number(n), _("That takes the index for the byte. "
		    "An element has %d bytes."), bytes);
}

static bool draw(struct drill_question *q, struct drill_random *r)
{
	static void (*const index[DRILL_LEVELS])(struct drill_question *,
						 struct drill_random *) = {
		index_simple, index_shifted, index_rows, index_mixed,
	};
	static const uint32_t sizes[] = { 2, 4, 8, 16 };
	uint32_t bytes = q->level % 2 ? 4 : drill_of(r, sizes);
	int lanes = WARP_LANES;
	struct access_sector s[2 * WARP_LANES];
	struct access_cost cost;
	uint64_t first, last = 0;

	index[q->level - 1](q, r);
	if (q->level == 4 && drill_below(r, 2))
		lanes = drill_from(r, 5, 31);
	drill_request(q, ACCESS_GLOBAL, OP_LD, bytes, lanes, &cost);
	q->code = lanes < WARP_LANES ?
		  xasprintf("if (lane < %d)\n    %s v = A[%s];", lanes,
			    drill_type(bytes), q->index) :
		  xasprintf("%s v = A[%s];", drill_type(bytes), q->index);
	q->words = xstrdup(_("A begins at a multiple of 128 bytes. How many "
			     "sectors of 32 bytes does a warp's request "
			     "touch?"));
	access_sectors(&q->access, s);
	first = s[0].address + (uint64_t)__builtin_ctz(s[0].bytes);
	for (int lane = 0; lane < lanes; lane++)
		last = MAX(last, q->access.address[lane] + bytes - 1);
	drill_right(q, drill_number(cost.sectors),
		    _("Lane 0 asks for %u bytes from byte %llu on, lane 1 "
		      "from byte %llu, lane %d from byte %llu. By 32, these "
		      "fall into this many sectors: %d. So %d bytes are moved, "
		      "of which %d were asked for."),
		    bytes, (unsigned long long)q->access.address[0],
		    (unsigned long long)q->access.address[1], lanes - 1,
		    (unsigned long long)q->access.address[lanes - 1],
		    cost.sectors, cost.sectors * SECTOR_BYTES, cost.bytes);
	add_wrong_sectors(q, &cost, first, last);
	return true;
}

const struct drill_topic drill_sectors = {
	.name = "sectors",
	.title = N_("Sectors of global memory"),
	.levels = {
		N_("floats with strides of powers of two"),
		N_("other sizes and strides, and a shifted start"),
		N_("lanes in rows of a matrix"),
		N_("columns, exchanged lanes, and part of a warp"),
	},
	.draw = draw,
};
