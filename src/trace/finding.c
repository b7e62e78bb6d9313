/*
 * finding: the table of causes. See finding.h.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/lang.h"
#include "trace/finding.h"
#include "trace/trace_format.h"

static const char *const kinds[FINDING_COUNT] = {
	[FINDING_OUT_OF_BOUNDS] = "out-of-bounds",
	[FINDING_READ_BEFORE_WRITE] = "read-before-write",
	[FINDING_RACE] = "race", [FINDING_BARRIER] = "barrier",
	[FINDING_ENDLESS] = "endless", [FINDING_CAP] = "cap",
	[FINDING_CRASH] = "crash", [FINDING_RESULT] = "wrong-result",
	[FINDING_NOTE] = "note",
};

#define CAUSE(cause, kind, word, has, ...) \
	[CAUSE_##cause] = { word, FINDING_##kind, has, { __VA_ARGS__ } },
static const struct finding_cause_info causes[CAUSE_COUNT] = {
	FINDING_CAUSES(CAUSE)
};

const char *finding_name(enum finding_kind k)
{
	return kinds[k];
}

int finding_from(const char *word)
{
	for (int i = 0; i < FINDING_COUNT; i++)
		if (!strcmp(kinds[i], word))
			return i;
	return -1;
}

const struct finding_cause_info *finding_cause(enum finding_cause c)
{
	return &causes[c];
}

int finding_cause_from(const char *word)
{
	for (int i = CAUSE_TOLD + 1; i < CAUSE_COUNT; i++)
		if (!strcmp(causes[i].word, word))
			return i;
	return -1;
}

size_t finding_numbers(enum finding_cause c)
{
	size_t n = 0;

	while (n < FINDING_NUMBERS && causes[c].number[n])
		n++;
	return n;
}

static bool access_fits(const struct trace_info *info,
			const struct finding_access *a)
{
	uint64_t threads = (uint64_t)info->block.x * info->block.y *
			   info->block.z;

	return (unsigned)a->op < OP_COUNT && a->thread < threads &&
	       a->block < trace_blocks(info);
}

const char *trace_finding_wrong(const struct trace_info *info,
				const struct trace_finding *f)
{
	const struct finding_cause_info *c;

	if ((unsigned)f->cause >= CAUSE_COUNT)
		return _("a known cause");
	c = &causes[f->cause];
	if ((unsigned)f->kind >= FINDING_COUNT ||
	    (c->kind != FINDING_COUNT && c->kind != f->kind))
		return _("a known finding");
	if (!access_fits(info, &f->access) || !access_fits(info, &f->other))
		return _("findings of threads of the launch");
	if (f->array == TRACE_NO_ARRAY ? c->has & FINDING_ARRAY :
					 f->array >= info->array_count)
		return _("findings in an array of the table");
	if (f->offset > FINDING_MAX_OFFSET || f->offset < -FINDING_MAX_OFFSET)
		return _("findings less than 2^60 bytes from their arrays");
	return f->count ? NULL : _("findings that were found");
}

bool finding_is_fault(const struct trace_finding *f)
{
	return f->kind != FINDING_CAP && f->kind != FINDING_NOTE;
}

bool findings_stop_lanes(const struct trace_info *info)
{
	for (size_t i = 0; i < info->finding_count; i++)
		if (info->findings[i].kind == FINDING_OUT_OF_BOUNDS ||
		    info->findings[i].kind == FINDING_CRASH)
			return true;
	return false;
}

size_t findings_before_notes(const struct trace_info *info)
{
	size_t n = 0;

	while (n < info->finding_count &&
	       info->findings[n].kind != FINDING_NOTE)
		n++;
	return n;
}

void trace_finding_done(struct trace_finding *f)
{
	free((char *)f->word);
	free((char *)f->other_word);
	free(f->text);
}

const char *finding_index_text(uint32_t number, const struct trace_dim *of)
{
	static char ring[8][64];
	static unsigned next;
	struct trace_dim i = dim_of(*of, number);
	char *b = ring[next++ % LENGTH(ring)];
	size_t size = sizeof(ring[0]);

	if (of->z > 1)
		snprintf(b, size, "(%" PRIu32 ",%" PRIu32 ",%" PRIu32 ")",
			 i.x, i.y, i.z);
	else if (of->y > 1)
		snprintf(b, size, "(%" PRIu32 ",%" PRIu32 ")", i.x, i.y);
	else
		snprintf(b, size, "%" PRIu32, i.x);
	return b;
}
