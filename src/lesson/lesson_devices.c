/* lesson_devices: functions of expressions on several GPUs: on a program's work
 * on them, and on what was measured. */
#include "lesson/lesson_query.h"

#include <string.h>

#include "base/lang.h"
#include "base/text.h"
#include "scene/scene_devices.h"
#include "timing/across.h"
#include "timing/benchmark.h"

/* ---- devices of a program ---- */

/* Returns whether the work is a transfer between two devices. */
static bool between_devices(const struct trace_work *w)
{
	return w->kind != WORK_LAUNCH && w->from != w->device &&
	       !trace_work_at_host(w);
}

/* Returns the bytes that come to a device from others. device -1: to any; turn
 * 0: in all turns. *links counts the transfers. */
static int64_t link_bytes(const struct trace_info *info, int64_t device,
			  uint32_t turn, int64_t *links)
{
	int64_t bytes = 0;

	for (size_t i = 0; i < info->work_count; i++) {
		const struct trace_work *w = &info->works[i];

		if (!between_devices(w) || (turn && w->turn != turn) ||
		    (device >= 0 && w->device != device))
			continue;
		bytes += (int64_t)w->bytes;
		++*links;
	}
	return bytes;
}

static bool runs_in(const struct trace_info *info, int64_t device,
		    uint32_t turn, bool product)
{
	for (size_t i = 0; i < info->work_count; i++) {
		const struct trace_work *w = &info->works[i];

		if (w->kind == WORK_LAUNCH && w->turn == turn &&
		    w->device == device && (w->k || !product))
			return true;
	}
	return false;
}

/* Counts the turns between a device's first and last product in which nothing
 * runs on it. */
static int64_t idle_turns(const struct trace_info *info, int64_t device)
{
	int64_t idle = 0, since = 0;
	bool begun = false;

	for (uint32_t turn = 1; turn <= devices_turns(info); turn++) {
		if (runs_in(info, device, turn, true)) {
			idle += begun ? since : 0;
			begun = true;
			since = 0;
		} else if (!runs_in(info, device, turn, false)) {
			since++;
		}
	}
	return idle;
}

static int64_t products_in(const struct trace_info *info, uint32_t turn)
{
	int64_t n = 0;

	for (uint32_t i = 0; i < info->devices; i++)
		n += runs_in(info, i, turn, true);
	return n;
}

static int64_t flops_of(const struct trace_info *info)
{
	double flops = 0;

	for (size_t i = 0; i < info->work_count; i++)
		flops += trace_work_flops(&info->works[i]);
	return (int64_t)flops;
}

int query_devices(struct query *q, struct value *out, struct error *e)
{
	const struct trace_info *info = q->s->info;
	int64_t links = 0, v;

	if (q->i[0] < 0 || q->i[0] >= MAX((int64_t)info->devices, 1))
		return error_set(e, EXIT_INPUT, _("there is no device %lld"),
				 (long long)q->i[0]);
	switch (q->which) {
	case DEVICES_COUNT:
		v = info->devices;
		break;
	case DEVICES_BYTES:
		v = link_bytes(info, -1, 0, &links);
		break;
	case DEVICES_BYTES_TO:
		v = link_bytes(info, q->i[0], 0, &links);
		break;
	case DEVICES_TURN_BYTES:
		v = link_bytes(info, -1, q->s->turn, &links);
		break;
	case DEVICES_TURN_LINKS:
		link_bytes(info, -1, q->s->turn, &links);
		v = links;
		break;
	case DEVICES_TURN_PRODUCTS:
		v = products_in(info, q->s->turn);
		break;
	case DEVICES_IDLE:
		v = idle_turns(info, q->i[0]);
		break;
	default:
		v = flops_of(info);
	}
	*out = value_int(v);
	return 0;
}

/* ---- what was measured ---- */

static const struct across_run *
find_across_run(const struct query *q, const struct across *a, struct error *e)
{
	int by = q->text[0] ? across_by_from(q->text[0]) : ACROSS_ALL;
	const struct across_run *r = NULL;

	if (by >= 0)
		r = across_find(a, (enum across_by)by, (int)MIN(q->i[1],
			INT32_MAX), (int)MIN(q->i[0], INT32_MAX));
	if (!r)
		error_set(e, EXIT_INPUT, _("no time of '%s' on %lld GPUs at "
					   "%lld was measured"),
			  q->text[0] ? text_show(q->text[0]) : "across",
			  (long long)q->i[0], (long long)q->i[1]);
	return r;
}

static double link_of(const struct across *a, const char *name)
{
	return !strcmp(name, "copied") ? a->copied :
	       !strcmp(name, "broadcast") ? a->broadcast : NA;
}

int query_across(struct query *q, struct value *out, struct error *e)
{
	const struct across *a = across_measured(benchmark_gpu());
	const struct across_run *r;
	double v;

	if (!a)
		return error_set(e, EXIT_INPUT, _("several GPUs were not "
						  "measured"));
	if (q->which == ACROSS_GPU) {
		*out = value_text(a->gpu);
		return 0;
	}
	if (q->which == ACROSS_LINK) {
		v = link_of(a, q->text[0]);
	} else {
		r = find_across_run(q, a, e);
		if (!r)
			return -1;
		v = q->which == ACROSS_MS ? r->seconds * 1e3 :
		    q->which == ACROSS_SPREAD ? r->spread :
		    q->which == ACROSS_PANEL ? r->panel :
					       across_limit(a, r) * 1e3;
	}
	*out = v < 0 ? (struct value){ .kind = VALUE_NONE } : value_real(v);
	return 0;
}
