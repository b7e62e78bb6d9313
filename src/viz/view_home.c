/* The opening screen: the map of the course, or a list of kernels. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "viz/kit.h"
#include "viz/show.h"

#define COLUMN 40	/* the least columns of a column of entries */
#define DETAILS 8	/* rows of the box about the chosen entry */

/* Where the entries stand: `per` of them in a column, `rows` high each. */
struct places { struct rect r; int per, rows, width; };

static struct places places_of(const struct show_list *l, int w, int h)
{
	struct places p = { .r = { 1, 2, w - 2, h - 5 } };
	int columns;

	if (h >= 22)
		p.r.h -= DETAILS;
	columns = MAX(1, p.r.w / COLUMN);
	for (p.rows = 3; p.rows > 1; p.rows--)
		if (columns * (p.r.h / p.rows) >= l->count)
			break;
	p.per = MAX(1, p.r.h / p.rows);
	columns = MAX(1, MIN(columns, (l->count + p.per - 1) / p.per));
	/* As even as they can be. */
	p.per = MIN(p.per, MAX(1, (l->count + columns - 1) / columns));
	p.width = MIN(p.r.w / columns, 76);
	return p;
}

/* The first entry on the screen: the chosen one's page. */
static int first_of(const struct places *p, const struct show_list *l)
{
	int all = p->per * MAX(1, p->r.w / p->width);

	return l->chosen / all * all;
}

static struct rect place_of(const struct places *p, int at)
{
	return (struct rect){ p->r.x + at / p->per * p->width,
			      p->r.y + at % p->per * p->rows, p->width - 2,
			      p->rows };
}

int list_hit(const struct show_list *l, int w, int h, int x, int y)
{
	struct places p = places_of(l, w, h);
	int first = first_of(&p, l);

	for (int i = first; i < l->count; i++) {
		struct rect r = place_of(&p, i - first);

		if (r.x + r.w <= p.r.x + p.r.w && x >= r.x &&
		    x < r.x + r.w && y >= r.y && y < r.y + r.h)
			return i;
	}
	return -1;
}

int list_column(const struct show_list *l, int w, int h)
{
	return places_of(l, w, h).per;
}

/* ---- an entry ---- */

static bool finished(const struct show_entry *e)
{
	return e->steps && e->reached >= e->steps;
}

static void draw_answers(struct canvas *c, struct rect r,
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
	if (finished(&l->entries[at]))
		return (struct ink){ ROLE_ON_HUE, ROLE_HUE2, ATTR_BOLD };
	return INK_ON(ROLE_STRONG, ROLE_KEY);
}

/* The way from a lesson to the next, below its badge. */
static void draw_way(struct canvas *c, struct rect r, const struct show_list *l,
		     int at)
{
	bool done = finished(&l->entries[at]);

	for (int y = r.y + 1; y < r.y + r.h; y++)
		canvas_put(c, r.x + 3, y, done ? 0x2503 : 0x2502,
			   INK(done ? ROLE_HUE2 : ROLE_BORDER));
}

static void draw_entry(struct canvas *c, struct rect r,
		       const struct show_list *l, int at, bool way)
{
	const struct show_entry *e = &l->entries[at];
	bool on = at == l->chosen;
	int x = r.x + 7, room = r.w - 7 - (e->questions + 1);

	if (on)
		canvas_fill(c, (struct rect){ r.x, r.y, r.w,
					      MIN(r.h, 2) }, ' ',
			    INK_ON(ROLE_TEXT, ROLE_SELECT));
	canvas_textf(c, r.x, r.y, 5, badge_ink(l, at), " %s%2d ",
		     finished(e) ? "\xe2\x9c\x93" : on ? "\xe2\x96\xb8" : " ",
		     at + 1);
	if (way && r.h > 1)
		draw_way(c, r, l, at);
	x += canvas_text(c, x, r.y, room, e->name,
			 INK_BOLD(on ? ROLE_ACCENT : ROLE_STRONG)) + 2;
	if (l->kind == LIST_COURSE && at == l->next)
		canvas_text(c, x, r.y, room - (x - r.x - 7), _("next"),
			    INK(ROLE_ACCENT));
	draw_answers(c, (struct rect){ r.x, r.y, r.w - 1, 1 }, e);
	if (r.h > 1)
		canvas_text(c, r.x + 7, r.y + 1, r.w - 7, e->about,
			    INK(on ? ROLE_TEXT : ROLE_DIM));
}

/* ---- around them ---- */

static void draw_details(struct canvas *c, struct rect r,
			 const struct show_list *l)
{
	const struct show_entry *e = &l->entries[l->chosen];
	char title[128], note[160] = "";
	int y;

	snprintf(title, sizeof(title), "%d  %s", l->chosen + 1, e->title);
	if (e->steps)
		snprintf(note, sizeof(note), _("%d steps, %d questions: %s"),
			 e->steps, e->questions, e->kernels);
	r = canvas_frame(c, r, title, note, true);
	r.x += 2;
	r.w -= 4;
	y = r.y;
	y += prose_text(c, (struct rect){ r.x, y, r.w, r.h - 1 }, 0, e->about,
			INK(ROLE_TEXT));
	if (e->plan)
		prose_fit(c, (struct rect){ r.x, y, r.w, r.y + r.h - 1 - y },
			  e->plan, INK(ROLE_DIM));
	canvas_text(c, r.x, r.y + r.h - 1, 7, " enter ",
		    (struct ink){ ROLE_ON_HUE, ROLE_HUE0, ATTR_BOLD });
	if (e->reached && !finished(e))
		canvas_textf(c, r.x + 8, r.y + r.h - 1, r.w - 8,
			     INK_BOLD(ROLE_STRONG),
			     _("go on with step %d of %d"), e->reached,
			     e->steps);
	else
		canvas_text(c, r.x + 8, r.y + r.h - 1, r.w - 8, e->steps ?
			    _("begin") : _("record it and look"),
			    INK_BOLD(ROLE_STRONG));
}

static void draw_header(struct canvas *c, const struct show_list *l)
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
		lessons += finished(&l->entries[i]);
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

void view_list(struct canvas *c, const struct show *s)
{
	const struct show_list *l = s->list;
	struct places p = places_of(l, c->w, c->h);
	int first = first_of(&p, l);

	draw_header(c, l);
	for (int i = first; i < l->count; i++) {
		struct rect r = place_of(&p, i - first);

		if (r.x + r.w > p.r.x + p.r.w)
			break;
		draw_entry(c, r, l, i, l->kind == LIST_COURSE &&
			   i + 1 < l->count);
	}
	if (c->h >= 22 && l->count)
		draw_details(c, (struct rect){ 1, c->h - 3 - DETAILS,
					       c->w - 2, DETAILS }, l);
	view_keys(c, (struct rect){ 0, c->h - 1, c->w, 1 }, s);
}
