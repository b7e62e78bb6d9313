/*
 * Devices in a grid, as blocks are, one level up: each has a tile of C. Panels
 * of A travel along rows of devices, panels of B along columns, and running
 * products light up. At the right each device's turns are lanes.
 */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "scene/stage.h"
#include "viz/pictures/devices/view_devices.h"

#define LANES_FROM 78	/* columns of a picture that has lanes, too */

/* Where the devices stand. A device has its panel of A at its left, that of B
 * above it, its tile of C between them, and a title if it fits. */
struct device_board {
	const struct scene_devices *d;
	struct rect r;
	int w, h, gap_x, gap_y;		/* of a device, and between two */
	int title, left;		/* rows, columns of its edges */
};

static struct device_board layout_devices(struct rect r,
					  const struct scene_devices *d)
{
	struct device_board b = {
		.d = d, .r = r, .gap_x = 3, .gap_y = 1, .left = 2
	};
	int columns = (int)d->columns, rows = (int)d->rows;

	if (r.w / columns < 12) {
		b.gap_x = 1;
		b.left = 1;
	}
	if (r.h / rows < 4)
		b.gap_y = 0;
	else if (r.h / rows >= 9)
		b.gap_y = 2;
	b.w = MAX((r.w - b.gap_x * (columns - 1)) / columns, 3);
	b.h = MAX((r.h - b.gap_y * (rows - 1)) / rows, 1);
	b.w = MIN(b.w, 3 * b.h + 10);
	b.title = b.h >= 5;
	return b;
}

static struct rect device_rect(const struct device_board *b, uint32_t i)
{
	return (struct rect){
		b->r.x + (int)(i % b->d->columns) * (b->w + b->gap_x),
		b->r.y + (int)(i / b->d->columns) * (b->h + b->gap_y), b->w,
		b->h };
}

static struct rect tile_rect(const struct device_board *b, uint32_t i)
{
	struct rect r = device_rect(b, i);
	int top = b->title + (b->h > 1);

	return (struct rect){ r.x + b->left, r.y + top, r.w - b->left,
			      r.h - top };
}

static struct rect panel_rect(const struct device_board *b, uint32_t i,
			      bool of_row)
{
	struct rect t = tile_rect(b, i);

	return of_row ? (struct rect){ t.x - b->left, t.y, b->left, t.h } :
			(struct rect){ t.x, t.y - 1, t.w, b->h > 1 };
}

static struct rect centre_of(struct rect r, int w, int h)
{
	w = MIN(w, r.w);
	h = MIN(h, r.h);
	return (struct rect){ r.x + (r.w - w) / 2, r.y + (r.h - h) / 2, w, h };
}

static double copy_time(const struct frame_model *s)
{
	return s->quiet ? 0 : s->t;
}

/* ---- a device ---- */

/* Draws a panel: in its colour if it has arrived in this turn, faded if before,
 * else empty. */
static void draw_panel(struct canvas *c, const struct device_board *b,
		       const struct frame_model *s, uint32_t i, bool of_row)
{
	const struct devices_one *one = &b->d->one[i];
	uint32_t turn = of_row ? one->along_row : one->along_column;
	enum role hue = of_row ? DEVICES_ALONG_ROW : DEVICES_ALONG_COLUMN;
	enum role fade = of_row ? ROLE_FADE1 : ROLE_FADE2;
	bool now = turn == b->d->turn && turn, here = copy_time(s) >= 1;

	canvas_fill(c, panel_rect(b, i, of_row), ' ', INK_ON(
		ROLE_ON_HUE, now && here ? hue : turn && !now ? fade :
					   ROLE_FIELD));
}

/* Returns the launch that runs on a device in this turn, preferably a product;
 * NULL: none does. */
static const struct trace_work *running_launch(const struct scene_devices *d,
					       uint32_t device)
{
	const struct trace_work *found = NULL;

	for (size_t i = 0; i < d->work_count; i++) {
		const struct trace_work *w = &d->works[i];

		if (w->kind == WORK_LAUNCH && w->turn == d->turn &&
		    w->device == device && (!found || w->k))
			found = w;
	}
	return found;
}

static void write_in_middle(struct canvas *c, struct rect r, int y,
			    const char *text, struct ink ink)
{
	kit_whole(c, r.x + MAX((r.w - text_width(text)) / 2, 0), y, r.w, text,
		  ink);
}

static void draw_device_tile(struct canvas *c, const struct device_board *b,
			     const struct frame_model *s, uint32_t i)
{
	const struct devices_one *one = &b->d->one[i];
	const struct trace_work *w = running_launch(b->d, i);
	struct rect t = tile_rect(b, i);
	char text[48];
	struct ink ink = w && w->k ? INK_ON(ROLE_ON_HUE, DEVICES_RUNS) :
			 w ? INK_ON(ROLE_TEXT, ROLE_TRAIL0) :
			 one->products ? INK_ON(ROLE_TEXT, ROLE_FADE0) :
					 INK_ON(ROLE_DIM, ROLE_FIELD);
	int y = t.y + (t.h - (t.h >= 3) - (t.h >= 2)) / 2;

	canvas_fill(c, t, ' ', ink);
	ink.bg = ROLE_NONE;
	if (one->m)
		snprintf(text, sizeof(text), "C %u x %u", one->m, one->n);
	else
		snprintf(text, sizeof(text), "%s", "C");
	if (!b->title)
		snprintf(text, sizeof(text), "%u", i);
	write_in_middle(c, t, y++, text, ink);
	if (t.h < 2)
		return;
	text[0] = '\0';
	if (w)
		snprintf(text, sizeof(text), "%s", w->what);
	ink.attr = ATTR_BOLD;
	write_in_middle(c, t, y++, text, ink);
	if (t.h < 3 || s->quiet || !one->products_all)
		return;
	ink.attr = 0;
	snprintf(text, sizeof(text), _("%u of %u"), one->products,
		 one->products_all);
	write_in_middle(c, t, y, text, ink);
}

/* Writes a device's number, and whether it copies from or to the host, or
 * within itself. */
static void draw_device_title(struct canvas *c, const struct device_board *b,
			      uint32_t i)
{
	const struct devices_turn *t = &b->d->at[b->d->turn];
	struct rect r = device_rect(b, i);
	bool loads = t->loads >> i & 1, copies = t->copies >> i & 1;
	const char *words = loads ? _("host") : copies ? _("packs") : "";
	char name[16];
	int used;

	if (!b->title)
		return;
	snprintf(name, sizeof(name), "GPU %u", i);
	used = canvas_text(c, r.x, r.y, r.w, name, INK_BOLD(ROLE_STRONG));
	kit_whole(c, r.x + used + 2, r.y, r.w - used - 2, words,
		  INK_BOLD(loads ? DEVICES_HOST : DEVICES_ALONG_ROW));
}

/* ---- copies ---- */

/* Draws an arrow at the edge of the panel that a copy goes to, on the side it
 * comes from. */
static void draw_arrow(struct canvas *c, const struct device_board *b,
		       const struct trace_work *w, bool of_row)
{
	struct rect from = device_rect(b, w->from);
	struct rect to = device_rect(b, w->device);
	struct rect p = panel_rect(b, w->device, of_row);
	uint32_t sign = of_row ? from.x < to.x ? 0x25b6 : 0x25c0 :
			from.y < to.y ? 0x25bc : 0x25b2;

	if (of_row)
		canvas_put(c, from.x < to.x ? p.x - 1 : to.x + to.w,
			   p.y + p.h / 2, sign, INK_BOLD(DEVICES_ALONG_ROW));
	else
		canvas_put(c, p.x + p.w / 2, from.y < to.y ? to.y - 1 :
			   to.y + to.h, sign, INK_BOLD(DEVICES_ALONG_COLUMN));
}

static void draw_copy(struct canvas *c, const struct device_board *b,
		      const struct frame_model *s, const struct trace_work *w)
{
	bool of_row = devices_same_row(b->d, w);
	bool of_column = devices_same_column(b->d, w);
	double t = copy_time(s);
	struct rect from, to;

	if (!of_row && !of_column) {
		from = centre_of(device_rect(b, w->from), 1, 1);
		to = centre_of(device_rect(b, w->device), 1, 1);
		kit_ray(c, from.x, from.y, to.x, to.y, 0, MAX(t, 0.1),
			INK(ROLE_ACCENT));
		return;
	}
	from = panel_rect(b, w->from, of_row);
	to = panel_rect(b, w->device, of_row);
	if (b->gap_x > 1)
		draw_arrow(c, b, w, of_row);
	if (t < 1)
		canvas_fill(
			c,
			kit_rect_between(centre_of(from, of_row ? from.w : 6,
						   of_row ? 3 : 1),
					 centre_of(to, of_row ? to.w : 6,
						   of_row ? 3 : 1),
					 t),
			' ',
			INK_ON(ROLE_ON_HUE, of_row ? DEVICES_ALONG_ROW :
						     DEVICES_ALONG_COLUMN));
}

static void draw_devices(struct canvas *c, const struct device_board *b,
			 const struct frame_model *s)
{
	const struct scene_devices *d = b->d;

	for (uint32_t i = 0; i < d->count; i++) {
		draw_device_title(c, b, i);
		draw_device_tile(c, b, s, i);
		draw_panel(c, b, s, i, true);
		draw_panel(c, b, s, i, false);
	}
	for (size_t i = 0; i < d->work_count; i++) {
		const struct trace_work *w = &d->works[i];

		if (w->turn == d->turn && w->kind != WORK_LAUNCH &&
		    w->from != w->device && w->from < d->count &&
		    w->device < d->count)
			draw_copy(c, b, s, w);
	}
}

/* ---- words ---- */

void devices_bytes(char *buf, size_t size, double bytes)
{
	if (bytes < 1000)
		snprintf(buf, size, _("%.0f bytes"), bytes);
	else
		kit_bytes(buf, size, bytes);
}

/* Tells whether one sentence can describe two works of a turn. */
static bool is_alike(const struct trace_work *a, const struct trace_work *b)
{
	if (a->kind != b->kind || strcmp(a->what, b->what))
		return false;
	if (a->kind == WORK_LAUNCH)
		return a->m == b->m && a->n == b->n && a->k == b->k;
	return a->bytes == b->bytes && !strcmp(a->name, b->name) &&
	       (a->from == WORK_HOST) == (b->from == WORK_HOST) &&
	       (a->device == WORK_HOST) == (b->device == WORK_HOST) &&
	       (a->from == a->device) == (b->from == b->device);
}

static void add_work(struct str *out, const struct trace_work *w, int times)
{
	char bytes[32];

	devices_bytes(bytes, sizeof(bytes), (double)w->bytes);
	if (w->kind == WORK_LAUNCH && w->k)
		str_addf(out, ngettext("%2$s multiplies %3$u x %4$u x %5$u on "
				       "%1$d GPU. ", "%2$s multiplies %3$u x "
				       "%4$u x %5$u on %1$d GPUs. ",
				       (unsigned long)times), times, w->what,
			 w->m, w->n, w->k);
	else if (w->kind == WORK_LAUNCH)
		str_addf(out, ngettext("%2$s runs on %1$d GPU. ",
				       "%2$s runs on %1$d GPUs. ",
				       (unsigned long)times), times, w->what);
	else if (w->from == w->device)
		str_addf(out, ngettext("%2$s copies %3$s within %1$d GPU. ",
				       "%2$s copies %3$s within each of %1$d "
				       "GPUs. ", (unsigned long)times), times,
			 w->what, bytes);
	else if (trace_work_at_host(w))
		str_addf(out, w->from == WORK_HOST ?
			 ngettext("%3$s come from the host to %1$d GPU "
				  "(%2$s). ", "%3$s come from the host to each "
				  "of %1$d GPUs (%2$s). ",
				  (unsigned long)times) :
			 ngettext("%3$s go from %1$d GPU to the host (%2$s). ",
				  "%3$s go from each of %1$d GPUs to the host "
				  "(%2$s). ", (unsigned long)times), times,
			 w->what, bytes);
	else
		str_addf(out, ngettext("%2$s: %3$s cross %1$d link%4$s%5$s. ",
				       "%2$s: %3$s cross each of %1$d "
				       "links%4$s%5$s. ",
				       (unsigned long)times), times, w->what,
			 bytes, *w->name ? ", " : "", w->name);
}

void devices_words(struct str *out, const struct scene_devices *d)
{
	for (size_t i = 0; i < d->work_count; i++) {
		const struct trace_work *w = &d->works[i];
		bool told = false;
		int times = 0;

		if (w->turn != d->turn)
			continue;
		for (size_t k = 0; k < d->work_count; k++) {
			bool alike = d->works[k].turn == d->turn &&
				     is_alike(&d->works[k], w);

			told |= alike && k < i;
			times += alike;
		}
		if (!told)
			add_work(out, w, times);
	}
}

/* Writes the turn and what it does; while a question is open, only the turn. */
static void draw_turn_headline(struct canvas *c, struct rect r,
			       const struct frame_model *s)
{
	const struct scene_devices *d = s->scene->devices;
	struct str words = { 0 };

	str_addf(&words, _("Turn %u of %u. "), d->turn, d->turns);
	if (!s->quiet)
		devices_words(&words, d);
	prose_fit(c, r, words.data, INK(ROLE_TEXT));
	str_done(&words);
}

/* ---- the picture ---- */

static bool available(const struct frame_model *s)
{
	return s->scene && s->scene->info && s->scene->info->devices > 1 &&
	       s->scene->info->work_count;
}

static void draw(struct canvas *c, struct rect r, const struct frame_model *s)
{
	const struct scene_devices *d = s->scene ? s->scene->devices : NULL;
	struct rect clip = canvas_clip(c, r);
	int head = r.h >= 30 ? 2 : 1, left;
	struct device_board b;

	if (!d) {
		prose_text(c, r, 0, _("This program has one device."),
			   INK(ROLE_DIM));
		canvas_clip(c, clip);
		return;
	}
	left = r.w < LANES_FROM ? r.w : r.w * 45 / 100;
	draw_turn_headline(c, (struct rect){ r.x, r.y, r.w, head }, s);
	r.y += head;
	r.h -= head;
	b = layout_devices((struct rect){ r.x, r.y, left, r.h }, d);
	draw_devices(c, &b, s);
	if (left < r.w)
		devices_lanes(c, (struct rect){ r.x + left + 2, r.y,
						r.w - left - 2, r.h }, s);
	canvas_clip(c, clip);
}

static void words(struct str *out, const struct frame_model *s)
{
	const struct scene_devices *d = s->scene->devices;
	char now[32], all[32];

	if (!d)
		return;
	devices_bytes(now, sizeof(now), d->so_far.links);
	devices_bytes(all, sizeof(all), d->all.links);
	str_addf(out, _("%u devices, %u x %u. Turn %u of %u. "),
		 d->count, d->rows, d->columns, d->turn, d->turns);
	devices_words(out, d);
	str_addf(out, _("So far %s of %s have crossed between devices. "), now,
		 all);
	if (d->all.links > 0 && d->all.flops > 0)
		str_addf(out, _("In all there are %.3g FLOP per byte between "
				"devices. "),
			 d->all.flops / d->all.links);
}

static void prepare(struct stage *s, const struct turns *t)
{
	(void)t;
	scene_devices(s);
}

static bool move_turn(const struct scene *sc, struct cursor *p, int by)
{
	return cursor_turn(sc->info, p, by);
}

static const struct view_key keys[] = {
	{ .keys = { '.' }, .key = ", .", .word = N_("turn"),
	  .help = N_("devices: to the next, the previous turn of their work"),
	  .move = move_turn, .by = 1 },
	{ .keys = { ',' }, .move = move_turn, .by = -1 },
};

const struct view view_devices = {
	.name = "devices",
	.title = N_("devices"),
	.help = N_("what several GPUs do, and give each other, turn by turn"),
	.pane = PANE_PICTURE,
	.wide = true,
	.available = available,
	.rank = view_never,
	.prepare = prepare,
	.draw = draw,
	.words = words,
	.step = move_turn,
	.keys = keys,
	.key_count = LENGTH(keys),
};
