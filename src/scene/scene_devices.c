/* scene_devices: see scene_devices.h. */
#include "scene/scene_devices.h"

#include <stdlib.h>
#include <string.h>

#include "scene/stage.h"

/* Computed once for the trace; the rest depends on the turn. */
struct stage_devices {
	struct scene_devices scene;
	struct devices_turn *at;
};

uint32_t devices_turns(const struct trace_info *info)
{
	uint32_t last = 0;

	for (size_t i = 0; i < info->work_count; i++)
		last = MAX(last, info->works[i].turn);
	return last;
}

uint32_t devices_turn(const struct trace_info *info, uint32_t turn)
{
	if (turn)
		return MIN(turn, devices_turns(info));
	return info->own ? info->works[info->own - 1].turn : 1;
}

bool cursor_turn(const struct trace_info *info, struct cursor *p, int by)
{
	uint32_t now = devices_turn(info, p->turn), last = devices_turns(info);
	int64_t to = (int64_t)now + by;

	p->turn = (uint32_t)MAX(1, MIN(to, (int64_t)last));
	return p->turn != now;
}

/* ---- how they stand ---- */

/* Returns the devices that take part in a collective, as a mask. */
static uint32_t find_members(const struct trace_info *info, uint32_t group)
{
	uint32_t of = 0;

	for (size_t i = 0; i < info->work_count; i++) {
		const struct trace_work *w = &info->works[i];

		if (w->group == group && w->from < DEVICES_MOST &&
		    w->device < DEVICES_MOST)
			of |= 1u << w->from | 1u << w->device;
	}
	return of;
}

/* Returns the number of devices in a row of the grid: the most that share a
 * collective with device 0 and follow it, unless all do. */
static uint32_t count_columns(const struct trace_info *info)
{
	uint32_t all = (1u << info->devices) - 1, best = 0, other = 0;

	for (size_t i = 0; i < info->work_count; i++) {
		uint32_t of = info->works[i].group ?
				      find_members(info, info->works[i].group) :
				      0;
		uint32_t n = (uint32_t)__builtin_popcount(of);

		if ((of & 1) && of == (1u << n) - 1 && of != all)
			best = MAX(best, n);
		else if ((of & 1) && of != all)
			other = n;
	}
	if (best && info->devices % best == 0)
		return best;
	return other ? 1 : info->devices;
}

/* Places the devices in rows and columns; as square as possible if no
 * collective groups them. */
static void arrange_devices(struct scene_devices *d,
			    const struct trace_info *info)
{
	bool grouped = false;

	for (size_t i = 0; i < info->work_count; i++)
		grouped |= info->works[i].group > 0;
	d->columns = count_columns(info);
	for (uint32_t n = 2; !grouped && n * n <= info->devices; n++)
		if (info->devices % n == 0)
			d->columns = info->devices / n;
	d->rows = info->devices / d->columns;
}

bool devices_same_row(const struct scene_devices *d,
		      const struct trace_work *w)
{
	return w->from / d->columns == w->device / d->columns;
}

bool devices_same_column(const struct scene_devices *d,
			 const struct trace_work *w)
{
	return w->from % d->columns == w->device % d->columns;
}

/* ---- turns ---- */

static uint32_t device_bit(uint32_t device)
{
	return device < DEVICES_MOST ? 1u << device : 0;
}

static void note_launch(struct scene_devices *d, struct devices_turn *t,
			const struct trace_work *w, double bytes)
{
	struct devices_one *one = &d->one[w->device];

	if (!w->k) {
		t->others |= device_bit(w->device);
		return;
	}
	t->products |= device_bit(w->device);
	t->sums.flops += trace_work_flops(w);
	t->sums.memory += bytes * ((double)w->m * w->k + (double)w->k * w->n +
				   (double)w->m * w->n);
	one->m = MAX(one->m, w->m);
	one->n = MAX(one->n, w->n);
	one->products_all++;
	d->first = d->first ? MIN(d->first, w->turn) : w->turn;
	d->last = MAX(d->last, w->turn);
}

static void note_transfer(const struct scene_devices *d,
			  struct devices_turn *t, const struct trace_work *w)
{
	if (w->from == w->device) {
		t->copies |= device_bit(w->device);
	} else if (trace_work_at_host(w)) {
		t->loads |= device_bit(w->device) | device_bit(w->from);
		t->sums.host += (double)w->bytes;
	} else {
		if (devices_same_row(d, w))
			t->along_row |= device_bit(w->device);
		else
			t->other_rows |= device_bit(w->device);
		t->sums.links += (double)w->bytes;
	}
}

static void add_sums(struct devices_sums *to, const struct devices_sums *s)
{
	to->links += s->links;
	to->host += s->host;
	to->memory += s->memory;
	to->flops += s->flops;
}

static struct stage_devices *devices_new(const struct stage *s)
{
	const struct trace_info *info = s->info;
	struct stage_devices *sd = xcalloc(1, sizeof(*sd));
	struct scene_devices *d = &sd->scene;
	double bytes = s->scene.a < 0 ? 4 :
		       s->scene.arrays[s->scene.a].array->elem_bytes;

	d->count = info->devices;
	d->turns = devices_turns(info);
	d->works = info->works;
	d->work_count = info->work_count;
	sd->at = xcalloc((size_t)d->turns + 1, sizeof(*sd->at));
	d->at = sd->at;
	arrange_devices(d, info);
	for (size_t i = 0; i < info->work_count; i++) {
		const struct trace_work *w = &info->works[i];
		struct devices_turn *t = &sd->at[w->turn];

		if (w->kind == WORK_LAUNCH)
			note_launch(d, t, w, bytes);
		else
			note_transfer(d, t, w);
	}
	for (uint32_t t = 1; t <= d->turns; t++)
		add_sums(&d->all, &sd->at[t].sums);
	return sd;
}

/* ---- the cursor's turn ---- */

/* Records that a panel has come to a device along its row or column. */
static void record_panel(struct scene_devices *d, const struct trace_work *w)
{
	struct devices_one *one = &d->one[w->device];

	if (devices_same_row(d, w))
		one->along_row = w->turn;
	else if (devices_same_column(d, w))
		one->along_column = w->turn;
}

static void count_until_now(struct scene_devices *d)
{
	for (uint32_t i = 0; i < d->count; i++)
		d->one[i].products = d->one[i].along_row =
			d->one[i].along_column = 0;
	for (size_t i = 0; i < d->work_count; i++) {
		const struct trace_work *w = &d->works[i];

		if (w->turn > d->turn)
			continue;
		if (w->kind == WORK_LAUNCH)
			d->one[w->device].products += w->k > 0;
		else if (w->device < DEVICES_MOST && w->from < DEVICES_MOST)
			record_panel(d, w);
	}
	memset(&d->so_far, 0, sizeof(d->so_far));
	for (uint32_t t = 1; t <= d->turn; t++)
		add_sums(&d->so_far, &d->at[t].sums);
}

void scene_devices(struct stage *s)
{
	struct scene *sc = &s->scene;

	sc->devices = NULL;
	if (s->info->devices < 2 || !s->info->work_count)
		return;
	if (!s->devices)
		s->devices = devices_new(s);
	s->devices->scene.turn = devices_turn(s->info, sc->cursor.turn);
	count_until_now(&s->devices->scene);
	sc->devices = &s->devices->scene;
}

void scene_devices_done(struct stage *s)
{
	if (s->devices)
		free(s->devices->at);
	free(s->devices);
}
