/* view_devices: draws each device's turns as lanes, and their totals. */
#include <stdio.h>

#include "base/text.h"
#include "viz/legend.h"
#include "viz/pictures/devices/view_devices.h"

/* Lanes: two bands for each device if they fit, copies above what runs; else
 * one band, with signs for copies. */
struct device_lanes {
	const struct scene_devices *d;
	struct rect label, axis;
	int each, band, step;	/* rows of a device, of a band, columns of a turn */
	uint32_t first;			/* the turn in the first column */
};

#define METER_ROWS 5

static struct device_lanes layout_lanes(struct rect r,
					const struct scene_devices *d)
{
	struct device_lanes l = { .d = d };
	int count = (int)d->count, rows = r.h - 1 - METER_ROWS;
	int across;

	l.each = MAX(1, MIN(rows / count, 9));
	l.band = MAX(1, (l.each - 1) / 2);
	l.label = (struct rect){ r.x, r.y + 1, 7, l.each * count };
	l.axis = (struct rect){ r.x + 7, r.y + 1, r.w - 7, l.each * count };
	l.step = MAX(1, MIN(l.axis.w / (int)MAX(d->turns, 1u), 4));
	across = MAX(l.axis.w / l.step, 1);
	l.first = 1;
	if (d->turns > (uint32_t)across && d->turn > (uint32_t)across * 2 / 3)
		l.first = MIN(d->turn - (uint32_t)across * 2 / 3,
			      d->turns - (uint32_t)across + 1);
	return l;
}

/* Returns the colour of what runs on a device in a turn; idle turns between the
 * first product and the last are waste. */
static enum role runs_role(const struct device_lanes *l, uint32_t turn,
			   uint32_t device)
{
	const struct devices_turn *t = &l->d->at[turn];
	bool later = turn > l->d->turn;

	if (t->products >> device & 1)
		return later ? ROLE_FADE0 : DEVICES_RUNS;
	if (t->others >> device & 1)
		return later ? ROLE_FADE0 : ROLE_TRAIL0;
	return turn >= l->d->first && turn <= l->d->last ? ROLE_WASTE :
							   ROLE_FIELD;
}

/* Returns the colour of what is copied to a device in a turn; ROLE_NONE:
 * nothing is. */
static enum role copies_role(const struct device_lanes *l, uint32_t turn,
			     uint32_t device)
{
	const struct devices_turn *t = &l->d->at[turn];
	bool later = turn > l->d->turn;

	if (t->along_row >> device & 1)
		return later ? ROLE_FADE1 : DEVICES_ALONG_ROW;
	if (t->other_rows >> device & 1)
		return later ? ROLE_FADE2 : DEVICES_ALONG_COLUMN;
	if (t->loads >> device & 1)
		return later ? ROLE_FADE3 : DEVICES_HOST;
	if (t->copies >> device & 1)
		return later ? ROLE_FADE1 : ROLE_TRAIL1;
	return ROLE_NONE;
}

static void draw_device_turn(struct canvas *c, const struct device_lanes *l,
			     uint32_t turn, uint32_t device)
{
	struct rect r = { l->axis.x + (int)(turn - l->first) * l->step,
			  l->axis.y + (int)device * l->each, l->step, l->band };
	enum role runs = runs_role(l, turn, device);
	enum role copies = copies_role(l, turn, device);

	if (l->each > 1) {
		canvas_fill(c, r, ' ', INK_ON(ROLE_ON_HUE, copies == ROLE_NONE ?
					      ROLE_FIELD : copies));
		r.y += l->band;
		canvas_fill(c, r, ' ', INK_ON(ROLE_ON_HUE, runs));
	} else {
		canvas_fill(c, r, copies == ROLE_NONE ? ' ' : '/',
			    INK_ON(runs == ROLE_FIELD || runs == ROLE_WASTE ?
				   ROLE_STRONG : ROLE_ON_HUE, runs));
	}
}

static void draw_device_names(struct canvas *c, const struct device_lanes *l)
{
	for (uint32_t i = 0; i < l->d->count; i++) {
		int y = l->label.y + (int)i * l->each;
		char name[16];

		snprintf(name, sizeof(name), "GPU %u", i);
		canvas_text(c, l->label.x, y, l->label.w - 1, name,
			    INK_BOLD(ROLE_STRONG));
	}
}

/* Writes above the lanes which turn it is, and at the right what the axis
 * counts. */
static void draw_turn_axis(struct canvas *c, const struct device_lanes *l)
{
	const char *words = _("turns, not time \xe2\x86\x92");
	int x = l->axis.x + (int)(l->d->turn - l->first) * l->step;
	int y = l->axis.y - 1, end = l->axis.x + l->axis.w;

	canvas_text(c, l->label.x, y, l->label.w, _("turn"),
		    INK(ROLE_FAINT));
	canvas_put(c, x, y, 0x25bc, INK_BOLD(ROLE_STRONG));
	canvas_textf(c, x + 2, y, 8, INK_BOLD(ROLE_STRONG), "%u", l->d->turn);
	if (x + 12 < end - text_width(words))
		canvas_right(c, l->axis.x, y, l->axis.w, words,
			     INK(ROLE_DIM));
}

/* ---- legend and meter ---- */

/* Draws a legend of the lanes and the devices: bright up to now, faded after
 * it. */
static void draw_lanes_legend(struct canvas *c, struct rect r)
{
	const struct legend_entry e[] = {
		{ { DEVICES_ALONG_ROW, ROLE_FADE1 }, _("rows") },
		{ { DEVICES_ALONG_COLUMN, ROLE_FADE2 }, _("columns") },
		{ { DEVICES_RUNS, ROLE_FADE0 }, _("product") },
		{ { ROLE_WASTE }, _("idle") },
		{ { ROLE_TRAIL0, ROLE_TRAIL1 }, _("other") },
		{ { DEVICES_HOST, ROLE_FADE3 }, _("host") },
	};

	legend_rows(c, r, c->clip, e, LENGTH(e));
}

/* Draws a bar of how many of all bytes have come, with both figures. */
static void draw_bytes_meter(struct canvas *c, struct rect r, const char *words,
			     double now, double most, double all,
			     enum role role)
{
	int label = MIN(18, r.w / 2), bar = r.w - label - 20;
	char a[24], b[24], text[64];

	devices_bytes(a, sizeof(a), now);
	devices_bytes(b, sizeof(b), all);
	canvas_text(c, r.x, r.y, label - 1, words, INK(ROLE_TEXT));
	if (bar >= 6 && most > 0)
		kit_bar(c, r.x + label, r.y, bar, now / most, role,
			ROLE_FIELD);
	snprintf(text, sizeof(text), _("%s of %s"), a, b);
	canvas_right(c, r.x + label, r.y, r.w - label, text,
		     INK_BOLD(ROLE_STRONG));
}

static void draw_totals(struct canvas *c, struct rect r, const struct frame_model *s)
{
	const struct scene_devices *d = s->scene->devices;
	double most = MAX(d->all.links, d->all.memory);
	char text[96];

	draw_lanes_legend(c, r);
	if (s->quiet)
		return;
	r.y++;
	draw_bytes_meter(c, r, _("between GPUs"), d->so_far.links, most,
			 d->all.links, DEVICES_ALONG_ROW);
	r.y++;
	draw_bytes_meter(c, r, _("memory, at least"), d->so_far.memory, most,
			 d->all.memory, DEVICES_RUNS);
	r.y++;
	if (d->all.links <= 0 || d->all.memory <= 0)
		return;
	snprintf(text, sizeof(text), _("%.3g FLOP a byte between GPUs, %.3g of "
				       "memory"),
		 d->all.flops / d->all.links, d->all.flops / d->all.memory);
	if (text_width(text) > r.w)
		snprintf(text, sizeof(text), _("%.3g FLOP a byte between GPUs"),
			 d->all.flops / d->all.links);
	canvas_text(c, r.x, r.y, r.w, text, INK(ROLE_TEXT));
}

void devices_lanes(struct canvas *c, struct rect r, const struct frame_model *s)
{
	struct device_lanes l = layout_lanes(r, s->scene->devices);
	uint32_t end = l.first + (uint32_t)(l.axis.w / l.step);

	draw_device_names(c, &l);
	draw_turn_axis(c, &l);
	for (uint32_t turn = l.first; turn <= l.d->turns && turn < end; turn++)
		for (uint32_t i = 0; i < l.d->count; i++)
			draw_device_turn(c, &l, turn, i);
	draw_totals(c,
		    (struct rect){ r.x, l.axis.y + l.axis.h, r.w, METER_ROWS },
		    s);
}
