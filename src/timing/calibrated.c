#include <config.h>

#include "timing/calibrated.h"

#include <glob.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "timing/calibration.h"
#include "timing/timing_members.h"

#define FILE_LIMIT (8u << 20)

/* Stores a limit that the GPU's driver reported, in the table's units. */
static void take_limit(const json_t *limits, const char *name, int unit,
		       int *to)
{
	double v = NA;

	if (!member_number(limits, name, unit, &v, NULL) && v != NA &&
	    v <= INT_MAX)
		*to = (int)v / unit;
}

static bool take_arch(struct calibrated *c, const char *compute,
		      const json_t *limits)
{
	struct occupancy_arch *a = &c->arch;
	int major, minor;
	char name[32];

	if (!compute || sscanf(compute, "%d.%d", &major, &minor) != 2)
		return false;
	snprintf(name, sizeof(name), "sm_%d%d", major, minor);
	if (occupancy_arch_get(a, name, 0, NULL))
		return false;
	take_limit(limits, "threads", OCCUPANCY_WARP, &a->warps);
	take_limit(limits, "blocks", 1, &a->blocks);
	take_limit(limits, "registers", 1, &a->registers);
	take_limit(limits, "block_registers", 1, &a->block_registers);
	take_limit(limits, "shared", 1, &a->shared);
	take_limit(limits, "block_shared", 1, &a->block_shared);
	take_limit(limits, "optin_shared", 1, &a->optin_shared);
	take_limit(limits, "shared_reserved", 1, &a->shared_reserved);
	return true;
}

static void calibrated_done(struct calibrated *c)
{
	free(c->gpu);
	free(c->date);
	*c = (struct calibrated){0};
}

/* Reads a calibration; false when the file is none, or of a GPU that the table
 * does not have. */
static bool read_calibrated(struct calibrated *c, const char *path)
{
	size_t len;
	char *text = file_read(path, FILE_LIMIT, &len, NULL), *compute = NULL;
	json_t *o = text ? json_loadb(text, len, 0, NULL) : NULL;
	const json_t *machine = json_object_get(o, "machine");
	bool ok;

	*c = (struct calibrated){0};
	ok = !member_text(machine, "gpu", &c->gpu, NULL) &&
	     !member_text(machine, "compute", &compute, NULL) &&
	     !member_text(o, "date", &c->date, NULL) && c->gpu && c->date &&
	     take_arch(c, compute, json_object_get(o, "limits"));
	free(compute);
	json_decref(o);
	free(text);
	if (!ok)
		calibrated_done(c);
	return ok;
}

static void find_last(struct calibrated *last, const char *pattern)
{
	glob_t g;

	if (glob(pattern, 0, NULL, &g))
		return;
	for (size_t i = 0; i < g.gl_pathc; i++) {
		struct calibrated c;

		if (!read_calibrated(&c, g.gl_pathv[i]))
			continue;
		if (!last->gpu || strcmp(c.date, last->date) > 0) {
			calibrated_done(last);
			*last = c;
		} else {
			calibrated_done(&c);
		}
	}
	globfree(&g);
}

const struct calibrated *calibrated_last(void)
{
	static struct calibrated last;
	static bool looked;
	char *pattern = looked ? NULL : calibration_path(NULL, NULL);

	looked = true;
	if (pattern)
		find_last(&last, pattern);
	free(pattern);
	return last.gpu ? &last : NULL;
}

const struct calibrated *calibrated_arch(struct occupancy_arch *a)
{
	const struct calibrated *c = calibrated_last();

	if (!c || strcmp(c->arch.name, a->name))
		return NULL;
	*a = c->arch;
	return c;
}
