/* drill_occupancy: questions on how many blocks an SM holds, and what limits
 * them. */
#include <string.h>

#include "base/lang.h"
#include "drill/drill_topic.h"

static const char *const resources[OCCUPANCY_RESOURCES] = {
	[OCCUPANCY_BLOCKS] = N_("block slots"),
	[OCCUPANCY_WARPS] = N_("warp slots"),
	[OCCUPANCY_THREADS] = N_("threads of a block"),
	[OCCUPANCY_REGISTERS] = N_("registers"),
	[OCCUPANCY_SHARED] = N_("shared memory"),
};

static void draw_occupancy_launch(struct drill_question *q,
				  struct drill_random *r)
{
	static const int threads[] = { 32, 64, 96, 128, 192, 256, 384, 512,
				       640, 768, 1024 };
	static const int kib[] = { 2, 4, 8, 12, 16, 20, 24, 32, 40, 48 };
	struct occupancy_launch *l = &q->launch;

	l->threads = drill_of(r, threads);
	l->registers = q->level == 1 ? drill_from(r, 2, 4) * 8 :
		       q->level == 2 ? drill_from(r, 4, 21) * 8 :
				       drill_from(r, 24, 168);
	if (q->level > 2)
		l->shared = q->level == 3 ? drill_of(r, kib) * 1024 :
					    drill_from(r, 8, 384) * 128;
}

static bool draw_occupancy_arch(struct drill_question *q,
				struct drill_random *r)
{
	const char *name = "sm_90";

	if (q->level == 4)
		name = occupancy_archs[drill_below(r,
			(uint32_t)occupancy_arch_count)].name;
	return !occupancy_arch_get(&q->arch, name, 0, NULL);
}

/* Writes the blocks that each resource allows, such as "warps 8, registers 5,
 * shared memory 7, block slots 32". */
static void write_allowed(char *buf, size_t size, const struct occupancy *o)
{
	size_t n = 0;

	buf[0] = 0;
	for (int i = 0; i < OCCUPANCY_RESOURCES; i++)
		if (o->blocks[i] != NA && n < size)
			n += (size_t)snprintf(buf + n, size - n, "%s%s %d",
					      n ? ", " : "", _(resources[i]),
					      o->blocks[i]);
}

static void ask_blocks(struct drill_question *q)
{
	const struct occupancy *o = &q->occupancy;
	const struct occupancy_launch *l = &q->launch;
	const struct occupancy_arch *a = &q->arch;
	char each[300];

	write_allowed(each, sizeof(each), o);
	drill_right(q, drill_number(o->active_blocks),
		    _("Each resource allows a number of blocks: %s. The least "
		      "counts."), each);
	drill_wrong(q, drill_number(a->registers / (l->threads * l->registers)),
		    _("%d registers divided by %d x %d: registers are given "
		      "out in whole units, a warp at a time, and other "
		      "resources may run out first."), a->registers,
		    l->threads, l->registers);
	for (int i = 0; i < OCCUPANCY_RESOURCES; i++)
		if (o->blocks[i] != NA)
			drill_wrong(q, drill_number(o->blocks[i]),
				    _("That would be the number if this were "
				      "the only limit: %s. Something else runs "
				      "out first."), _(resources[i]));
	if (l->shared)
		drill_wrong(q, drill_number(a->shared / l->shared),
			    _("%d bytes divided by %d: the system keeps some "
			      "shared memory in each block, and the rest is "
			      "given out in units."), a->shared, l->shared);
	drill_wrong(q, drill_number(o->active_warps),
		    _("That is the number of resident warps, not blocks."));
	drill_wrong(q, drill_number(1), _("An SM holds as many blocks as have "
		    "room, not one."));
	drill_wrong(q, drill_number(o->active_blocks + 1),
		    _("The last of these does not fit: a part of a block is "
		      "never resident."));
	for (int part = 2; part <= 4 && o->active_blocks / part; part++)
		drill_wrong(q, drill_number(o->active_blocks / part),
			    _("There is room for more blocks than %d: %s."),
			    o->active_blocks / part, each);
}

static bool ask_limiter(struct drill_question *q)
{
	const struct occupancy *o = &q->occupancy;
	char each[300];
	int limit = -1;

	write_allowed(each, sizeof(each), o);
	for (int i = 0; i < OCCUPANCY_RESOURCES; i++) {
		if (o->limits[i] && limit >= 0)
			return false;	/* there is no one limit */
		limit = o->limits[i] ? i : limit;
	}
	if (limit < 0)
		return false;
	q->limiter = true;
	drill_right(q, _(resources[limit]),
		    _("The number of blocks that each resource allows: %s."),
		    each);
	for (int i = 0; i < OCCUPANCY_RESOURCES; i++)
		if (i != limit && o->blocks[i] != NA)
			drill_wrong(q, _(resources[i]),
				    _("Alone, this would allow more blocks: %s "
				      "%d. The limit, %s, allows %d."),
				    _(resources[i]), o->blocks[i],
				    _(resources[limit]), o->blocks[limit]);
	return true;
}

static void write_launch(struct drill_question *q)
{
	const struct occupancy_launch *l = &q->launch;
	struct str s = {0};

	str_addf(&s, _("On %s (%s), a block has %d threads of %d registers "
		       "each"), q->arch.name, q->arch.family, l->threads,
		 l->registers);
	if (l->shared)
		str_addf(&s, _(" and %d bytes of shared memory"), l->shared);
	str_add(&s, q->limiter ? _(". What limits how many blocks are "
				   "resident on an SM?") :
				 _(". How many blocks are resident on an "
				   "SM?"));
	q->words = str_take(&s);
}

static bool draw(struct drill_question *q, struct drill_random *r)
{
	bool fits;

	q->about = DRILL_OCCUPANCY;
	draw_occupancy_launch(q, r);
	if (!draw_occupancy_arch(q, r))
		return false;
	occupancy_of(&q->arch, &q->launch, &q->occupancy);
	fits = q->occupancy.active_blocks > 0;
	if (fits && q->level > 2 && drill_below(r, 3) == 0)
		fits = ask_limiter(q);
	else if (fits)
		ask_blocks(q);
	if (fits)
		write_launch(q);
	return fits;
}

const struct drill_topic drill_occupancy = {
	.name = "occupancy",
	.title = N_("What an SM holds"),
	.levels = {
		N_("few registers, no shared memory"),
		N_("as many registers as it takes"),
		N_("registers and shared memory"),
		N_("other architectures, and odd numbers"),
	},
	.draw = draw,
};
