#include "base/lang.h"
#include "trace/device_work.h"

#include <stdlib.h>
#include <string.h>


static const char *const names[WORK_KINDS] = {
	[WORK_LAUNCH] = "launch", [WORK_TRANSFER] = "transfer",
	[WORK_ACCESS] = "access",
};

const char *work_kind_name(enum work_kind k)
{
	return names[k];
}

int work_kind_from(const char *word)
{
	for (int k = 0; k < WORK_KINDS; k++)
		if (!strcmp(names[k], word))
			return k;
	return -1;
}

static bool is_side(uint32_t device, uint32_t devices)
{
	return device == WORK_HOST || device < devices;
}

const char *trace_work_wrong(const struct trace_work *w, uint32_t devices)
{
	if ((unsigned)w->kind >= WORK_KINDS)
		return _("a known kind of work");
	if (w->kind == WORK_LAUNCH ? w->device >= devices :
				     !is_side(w->device, devices))
		return _("work of one of the devices");
	if (w->kind != WORK_LAUNCH && !is_side(w->from, devices))
		return _("a transfer from one of the devices");
	return w->turn ? NULL : _("turns from 1 on");
}

void trace_work_done(struct trace_work *w)
{
	free(w->what);
	free(w->name);
}

bool trace_work_at_host(const struct trace_work *w)
{
	return w->from == WORK_HOST || w->device == WORK_HOST;
}

double trace_work_flops(const struct trace_work *w)
{
	return w->kind == WORK_LAUNCH ? 2.0 * w->m * w->n * w->k : 0;
}
