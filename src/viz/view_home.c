/* The opening screen: the map of the course, or a list of kernels. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "viz/kit.h"
#include "viz/frame_model.h"

#define COLUMN 39	/* the least columns of a column of entries */
#define PART_COLUMN 25	/* of a part of the course */
#define LINE 90		/* columns of an entry's name and what it is about */
#define NAME 20		/* of its name */

/*
 * Where the entries stand: in `columns`, `width` wide, `rows` high each. With
 * `parts` each part has a column, under a heading of `head` rows; otherwise
 * `per` of them stand in a column, and as many columns as fit are a page.
 */
struct list_places {
	struct rect r;
	bool parts;
	int columns, width, per, rows, head;
};

/* Returns the rows of the box about the chosen entry; 0: there is no room. */
static int details_rows(int h)
{
	return h < 22 ? 0 : h < 30 ? 6 : h < 50 ? 8 : 11;
}

/* Returns the rows that an entry can have, 1 to 4, so that n stand in h
 * rows. */
static int entry_rows(int n, int h)
{
	return MAX(1, MIN(4, (h + 1) / MAX(1, n)));
}

static bool layout_parts(struct list_places *p, const struct show_list *l)
{
	int most = 0;

	for (int i = 0; i < l->part_count; i++)
		most = MAX(most, l->parts[i].count);
	p->columns = l->part_count;
	p->head = p->r.h >= 2 * most + 2 ? 2 : 1;
	if (!most || p->r.w / p->columns < PART_COLUMN ||
	    most + p->head > p->r.h)
		return false;
	p->parts = true;
	p->per = most;
	p->rows = entry_rows(most, p->r.h - p->head);
	p->width = p->r.w / p->columns;
	return true;
}

static struct list_places layout_list(const struct show_list *l, int w, int h)
{
	struct list_places p = { .r = { 1, 2, w - 2,
					h - 5 - details_rows(h) } };
	int columns = MAX(1, p.r.w / COLUMN);

	if (l->part_count && layout_parts(&p, l))
		return p;
	/* What a kernel does stands next to its name, as it is long. */
	if (l->kind != LIST_COURSE && p.r.w >= LINE && l->count <= p.r.h)
		columns = 1;
	p.rows = entry_rows((l->count + columns - 1) / columns, p.r.h);
	p.per = MAX(1, (p.r.h + 1) / p.rows);
	p.columns = MAX(1, MIN(columns, (l->count + p.per - 1) / p.per));
	/* Columns are filled as evenly as possible. */
	p.per = MIN(p.per, MAX(1, (l->count + p.columns - 1) / p.columns));
	p.width = columns > 1 ? MIN(p.r.w / p.columns, 76) : p.r.w + 2;
	p.head = 0;
	return p;
}

static int entry_column(const struct show_list *l, const struct list_places *p,
			int at)
{
	int column = 0;

	if (!p->parts)
		return at / p->per;
	while (column + 1 < l->part_count && l->parts[column + 1].first <= at)
		column++;
	return column;
}

/* Returns the first entry of a column, and sets *count to the number of its
 * entries. */
static int first_in_column(const struct show_list *l,
			   const struct list_places *p, int column, int *count)
{
	int first = p->parts ? l->parts[column].first : column * p->per;

	*count = p->parts ? l->parts[column].count :
			    MAX(0, MIN(p->per, l->count - first));
	return first;
}

/* Gets where an entry stands; false: on another page. */
static bool entry_place(const struct show_list *l, const struct list_places *p,
			int at, struct rect *r)
{
	int count, column = entry_column(l, p, at);
	int row = at - first_in_column(l, p, column, &count);
	int page = p->parts ? 0 : entry_column(l, p, l->chosen) / p->columns;

	column -= page * p->columns;
	*r = (struct rect){ p->r.x + column * p->width,
			    p->r.y + p->head + row * p->rows, p->width - 2,
			    p->rows };
	return column >= 0 && column < p->columns;
}

int list_hit(const struct show_list *l, int w, int h, int x, int y)
{
	struct list_places p = layout_list(l, w, h);
	struct rect r;

	for (int i = 0; i < l->count; i++)
		if (entry_place(l, &p, i, &r) && x >= r.x && x < r.x + r.w &&
		    y >= r.y && y < r.y + r.h)
			return i;
	return -1;
}

int list_beside(const struct show_list *l, int w, int h, int by)
{
	struct list_places p = layout_list(l, w, h);
	int columns = p.parts ? p.columns : (l->count + p.per - 1) / p.per;
	int from = entry_column(l, &p, l->chosen), count;
	int row = l->chosen - first_in_column(l, &p, from, &count);
	int to = MAX(0, MIN(columns - 1, from + by)), first;

	first = first_in_column(l, &p, to, &count);
	return first + MIN(row, count - 1);
}

/* ---- an entry ---- */

static bool is_finished(const struct show_entry *e)
{
	return e->steps && e->reached >= e->steps;
}

static void draw_answer_marks(struct canvas *c, struct rect r,
			      const struct show_entry *e)
{
	int x = r.x + r.w - e->questions;

	for (int i = 0; i < e->questions; i++) {
		char how = i < (int)strlen(e->answers) ? e->answers[i] : '-';

		canvas_put(c, x + i, r.y, how == '-' ? 0xb7 : 0x25aa,
			   INK(how == 'r' ? ROLE_GOOD : how == 'w' ?
			       ROLE_BAD : ROLE_FAINT));
	}
}

static struct ink badge_ink(const struct show_list *l, int at)
{
	if (at == l->chosen)
		return (struct ink){ ROLE_ON_HUE, ROLE_HUE0, ATTR_BOLD };
	if (is_finished(&l->entries[at]))
		return (struct ink){ ROLE_ON_HUE, ROLE_HUE2, ATTR_BOLD };
	return INK_ON(ROLE_STRONG, ROLE_KEY);
}

/* Draws the line from a lesson's badge down to the next lesson. */
static void draw_lesson_link(struct canvas *c, struct rect r,
			     const struct show_list *l, int at)
{
	bool done = is_finished(&l->entries[at]);

	for (int y = r.y + 1; y < r.y + r.h; y++)
		canvas_put(c, r.x + 3, y, done ? 0x2503 : 0x2502,
			   INK(done ? ROLE_HUE2 : ROLE_BORDER));
}

/* Writes from which kernel to which a lesson goes, and their speeds in
 * TFLOP/s. */
static void draw_reach(struct canvas *c, struct rect r,
		       const struct show_entry *e)
{
	const struct show_speed *from = &e->speeds[0];
	const struct show_speed *to = &e->speeds[e->speed_count - 1];
	struct str text = {0};

	if (from != to)
		str_addf(&text, "%s %.3g \xe2\x86\x92 ", from->label,
			 from->flops / 1e12);
	str_addf(&text, "%s %.3g TFLOP/s", to->label, to->flops / 1e12);
	if (text_width(text.data) > r.w) {	/* its goal alone */
		str_clear(&text);
		str_addf(&text, "%s %.3g TFLOP/s", to->label, to->flops / 1e12);
	}
	canvas_text(c, r.x, r.y, r.w, text.data, INK(ROLE_FAINT));
	str_done(&text);
}

/* Writes what a lesson is about in a row; cut between words if it does not
 * fit. */
static void draw_about(struct canvas *c, struct rect r, const char *about,
		       struct ink ink)
{
	int used, room = r.w - 2;
	size_t n = room > 0 ? text_fit(about, room, &used) : 0;

	while (n && about[n] != ' ')
		n--;
	if (text_width(about) <= r.w || !n)	/* Chinese has no spaces */
		canvas_text(c, r.x, r.y, r.w, about, ink);
	else
		canvas_textf(c, r.x, r.y, r.w, ink, "%.*s \xe2\x80\xa6",
			     (int)n, about);
}

static void draw_entry(struct canvas *c, struct rect r,
		       const struct show_list *l, int at, bool way)
{
	const struct show_entry *e = &l->entries[at];
	bool on = at == l->chosen;
	int x = r.x + 7, room = r.w - 7, name;

	if (on)
		canvas_fill(c, (struct rect){ r.x, r.y, r.w,
					      MIN(r.h, 2) }, ' ',
			    INK_ON(ROLE_TEXT, ROLE_SELECT));
	canvas_textf(c, r.x, r.y, 5, badge_ink(l, at), " %s%2d ",
		     is_finished(e) ? "\xe2\x9c\x93" :
		     on		    ? "\xe2\x96\xb8" :
				      " ",
		     at + 1);
	if (way && r.h > 1)
		draw_lesson_link(c, r, l, at);
	name = canvas_text(c, x, r.y, room, e->name,
			   INK_BOLD(on ? ROLE_ACCENT : ROLE_STRONG));
	room -= name + 2;
	x += name + 2;
	if (room > e->questions) {
		draw_answer_marks(c, (struct rect){ r.x, r.y, r.w - 1, 1 }, e);
		room -= e->questions + 2;
	}
	if (e->rungs && text_width(e->rungs) <= room) {
		name = canvas_text(c, x, r.y, room, e->rungs,
				   INK(ROLE_GOOD)) + 2;
		x += name;
		room -= name;
	}
	if (l->kind == LIST_COURSE && at == l->next &&
	    text_width(_("next")) <= room)
		canvas_text(c, x, r.y, room, _("next"), INK(ROLE_ACCENT));
	if (r.w >= LINE)
		prose_fit(c, (struct rect){ r.x + 7 + NAME, r.y,
					    r.w - 7 - NAME, 1 }, e->about,
			  INK(on ? ROLE_TEXT : ROLE_DIM));
	else if (r.h > 1)
		draw_about(c, (struct rect){ r.x + 7, r.y + 1, r.w - 7, 1 },
			   e->about, INK(on ? ROLE_TEXT : ROLE_DIM));
	if (r.h > 3 && e->speed_count)
		draw_reach(c, (struct rect){ r.x + 7, r.y + 2, r.w - 7, 1 }, e);
}

/* Draws a part's heading: its name, the speeds of its first and fastest kernel,
 * and how much of it is done. */
static void draw_part(struct canvas *c, const struct list_places *p,
		      const struct show_list *l, int at)
{
	const struct show_part *part = &l->parts[at];
	int x = p->r.x + at * p->width, w = p->width - 2, done = 0;
	int used = canvas_text(c, x, p->r.y, w, part->name,
			       INK_BOLD(ROLE_STRONG));
	char speed[64];

	for (int i = 0; i < part->count; i++)
		done += is_finished(&l->entries[part->first + i]);
	snprintf(speed, sizeof(speed), "%.3g \xe2\x86\x92 %.3g TFLOP/s",
		 part->low / 1e12, part->high / 1e12);
	if (part->low != NA && used + 2 + text_width(speed) <= w)
		canvas_right(c, x, p->r.y, w, speed, INK(ROLE_DIM));
	for (int i = 0; i < w && p->head > 1; i++) {
		bool on = done * w > i * part->count;

		canvas_put(c, x + i, p->r.y + 1, on ? 0x2501 : 0x2500,
			   INK(on ? ROLE_HUE2 : ROLE_BORDER));
	}
}

/* ---- headings and details ---- */

#define SPEED_WIDTH 50	/* columns that the bars of kernels take */

/* Draws the speeds of the entry's kernels as bars. Returns the columns left. */
static int draw_speeds(struct canvas *c, struct rect r,
		       const struct show_entry *e)
{
	int x = r.x + r.w - SPEED_WIDTH, n = e->speed_count;
	int first = MAX(0, n - r.h), name = 0;

	if (!n || r.w < 2 * SPEED_WIDTH)
		return r.w;
	for (int i = first; i < n; i++)
		name = MAX(name, text_width(e->speeds[i].label));
	for (int i = first; i < n; i++) {
		double flops = e->speeds[i].flops;
		int y = r.y + i - first;

		canvas_text(c, x, y, name, e->speeds[i].label, INK(ROLE_TEXT));
		kit_bar(c, x + name + 1, y, SPEED_WIDTH - name - 15,
			flops / e->speeds[n - 1].flops, ROLE_HUE0, ROLE_NONE);
		canvas_textf(c, x + SPEED_WIDTH - 13, y, 13, INK(ROLE_STRONG),
			     "%5.3g TFLOP/s", flops / 1e12);
	}
	return r.w - SPEED_WIDTH - 3;
}

/* Writes of which size and GPU the speeds are, at the right of the row. */
static void draw_measured(struct canvas *c, struct rect r,
			  const struct show_list *l)
{
	char words[128];

	snprintf(words, sizeof(words), _("TFLOP/s: %s"), l->measured);
	if (text_width(words) + 40 <= r.w)
		canvas_right(c, r.x, r.y, r.w, words, INK(ROLE_DIM));
}

static void draw_entry_details(struct canvas *c, struct rect r,
			       const struct show_list *l)
{
	const struct show_entry *e = &l->entries[l->chosen];
	char title[128], note[160] = "";
	struct rect all;
	int y;

	snprintf(title, sizeof(title), "%d  %s", l->chosen + 1, e->title);
	if (e->steps)
		snprintf(note, sizeof(note), _("%d steps, %d questions: %s"),
			 e->steps, e->questions, e->kernels);
	r = canvas_frame(c, r, title, note, true);
	r.x += 2;
	r.w -= 4;
	all = r;
	r.w = draw_speeds(c, (struct rect){ r.x, r.y, r.w, r.h - 1 }, e);
	y = r.y;
	y += prose_text(c, (struct rect){ r.x, y, r.w, r.h - 1 }, 0, e->about,
			INK(ROLE_TEXT));
	if (e->plan)
		prose_fit(c, (struct rect){ r.x, y, r.w, r.y + r.h - 1 - y },
			  e->plan, INK(ROLE_DIM));
	if (e->speed_count)
		draw_measured(c, (struct rect){ all.x, r.y + r.h - 1, all.w,
						1 }, l);
	canvas_text(c, r.x, r.y + r.h - 1, 7, " enter ",
		    (struct ink){ ROLE_ON_HUE, ROLE_HUE0, ATTR_BOLD });
	if (e->reached && !is_finished(e))
		canvas_textf(c, r.x + 8, r.y + r.h - 1, r.w - 8,
			     INK_BOLD(ROLE_STRONG),
			     _("go on with step %d of %d"), e->reached,
			     e->steps);
	else
		canvas_text(c, r.x + 8, r.y + r.h - 1, r.w - 8, e->steps ?
			    _("begin") : _("record it and look"),
			    INK_BOLD(ROLE_STRONG));
}

static void draw_list_header(struct canvas *c, const struct show_list *l)
{
	static const char *const titles[] = {
		[LIST_COURSE] = N_("How a GPU multiplies matrices"),
		[LIST_KERNELS] = N_("The ladder of kernels"),
		[LIST_BUGS] = N_("Kernels with a bug each: what is wrong?"),
	};
	int x = 1, lessons = 0, right = 0, answered = 0;
	char done[128];

	canvas_fill(c, (struct rect){ 0, 0, c->w, 1 }, ' ',
		    INK_ON(ROLE_TEXT, ROLE_BAR));
	x += canvas_text(c, x, 0, c->w - x, "gemmviz",
			 (struct ink){ ROLE_ACCENT, ROLE_BAR, ATTR_BOLD }) + 2;
	x += canvas_text(c, x, 0, c->w - x, _(titles[l->kind]),
			 (struct ink){ ROLE_STRONG, ROLE_BAR, ATTR_BOLD }) + 2;
	if (l->kind != LIST_COURSE)
		return;
	for (int i = 0; i < l->count; i++) {
		lessons += is_finished(&l->entries[i]);
		for (const char *p = l->entries[i].answers; *p; p++) {
			right += *p == 'r';
			answered += *p != '-';
		}
	}
	snprintf(done, sizeof(done),
		 _("%d of %d lessons, %d of %d answers right"), lessons,
		 l->count, right, answered);
	if (x + text_width(done) < c->w)
		canvas_right(c, x, 0, c->w - x - 1, done,
			     INK_ON(ROLE_TEXT, ROLE_BAR));
}

void view_list(struct canvas *c, const struct frame_model *s)
{
	const struct show_list *l = s->list;
	struct list_places p = layout_list(l, c->w, c->h);
	int details = details_rows(c->h), count, column;
	struct rect r;

	draw_list_header(c, l);
	for (int i = 0; p.parts && i < l->part_count; i++)
		draw_part(c, &p, l, i);
	for (int i = 0; i < l->count; i++) {
		if (!entry_place(l, &p, i, &r))
			continue;
		column = entry_column(l, &p, i);
		draw_entry(
			c, r, l, i,
			l->kind == LIST_COURSE &&
				i + 1 < first_in_column(l, &p, column, &count) +
						count);
	}
	if (details && l->count)
		draw_entry_details(c,
				   (struct rect){ 1, c->h - 3 - details,
						  c->w - 2, details },
				   l);
	view_keys(c, (struct rect){ 0, c->h - 1, c->w, 1 }, s);
}
