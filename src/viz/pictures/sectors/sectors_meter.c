/* Draws what a request costs: its sectors, and the bytes moved against those
 * asked for. */
#include <stdio.h>
#include <string.h>

#include "viz/kit.h"
#include "viz/pictures/sectors/view_sectors.h"

/* Of bars of several lines: columns of the recording's name, of a line's, and the
 * least of all. */
#define LINES_LEFT 24
#define LINE_NAME 10
#define LINES_LEAST 100

/* Draws a bar of bytes with its label. Of bytes moved, the part not asked for
 * is drawn as waste. The full width is a sector for each lane, so that requests
 * can be compared. */
static void draw_bytes_bar(struct canvas *c, struct rect r, const char *words,
			   double bytes, double used, const struct scene *sc)
{
	double most = MAX(WARP_LANES, (int)sc->sector_count) *
		      (double)SECTOR_BYTES;
	int x = r.x + (*words ? 12 : 0), w = r.x + r.w - x - 8;
	int asked = (int)(w * used / most + 0.999);

	canvas_text(c, r.x, r.y, 11, words, INK(ROLE_DIM));
	if (bytes > used)
		kit_bar(c, x, r.y, w, bytes / most, ROLE_WASTE, ROLE_NONE);
	kit_bar(c, x, r.y, w, used / most, ROLE_GOOD, ROLE_NONE);
	kit_whole(c, x + asked + 1, r.y, (int)(w * bytes / most) - asked - 2,
		  _("not asked for"), INK(ROLE_WASTE));
	x += (int)(w * MAX(bytes, used) / most + 0.999) + 1;
	canvas_textf(c, x, r.y, r.x + r.w - x,
		     INK_BOLD(bytes > used && sc->cost.sectors >
			      sc->cost.ideal_sectors ? ROLE_BAD :
							  ROLE_STRONG),
		     "%.0f B", bytes);
}

void sectors_meter(struct canvas *c, const struct scene *sc, double lit,
		   struct rect r)
{
	const struct access_cost *cost = &sc->cost;
	int moved = (int)(lit * cost->sectors + 0.5), rows, w;
	bool bad = cost->sectors > cost->ideal_sectors || sc->finding;
	struct rect big = { r.x, r.y, 30, r.w < SECTORS_NARROW ? 1 : MIN(r.h, 5) };
	char text[16], words[160];

	snprintf(text, sizeof(text), "%d", moved);
	w = kit_digits(big, "32", &rows) + 1;
	big.x += w - 1 - kit_digits(big, text, &rows);
	kit_number(c, big, text, bad ? ROLE_BAD : ROLE_GOOD);
	canvas_text(c, r.x + w, r.y + rows - 1, 19,
		    ngettext("sector of 32 bytes", "sectors of 32 bytes",
			     (unsigned)moved),
		    INK_BOLD(bad ? ROLE_BAD : ROLE_GOOD));
	if (r.w < SECTORS_NARROW) {
		r.y++;
		draw_bytes_bar(c, r, "", moved * SECTOR_BYTES,
			       MIN(moved * SECTOR_BYTES, cost->bytes), sc);
		return;
	}
	if (r.h == 2)
		canvas_textf(c, r.x, r.y + 1, w + 19, INK(ROLE_DIM),
			     _("%d would do"), cost->ideal_sectors);
	r.x += w + 21;
	r.w -= w + 21;
	r.y += r.h > 3;
	draw_bytes_bar(c, r, _("asked for"), cost->bytes, cost->bytes, sc);
	r.y++;
	draw_bytes_bar(c, r, _("moved"), moved * SECTOR_BYTES,
		       MIN(moved * SECTOR_BYTES, cost->bytes), sc);
	r.y++;
	if (r.h < 3 || lit < 1)
		return;
	if (bad)
		snprintf(words, sizeof(words),
			 ngettext("%d of %d bytes are wasted; %d sector would "
				  "do",
				  "%d of %d bytes are wasted; %d sectors would "
				  "do", (unsigned)cost->ideal_sectors),
			 cost->sectors * SECTOR_BYTES - cost->bytes,
			 cost->sectors * SECTOR_BYTES, cost->ideal_sectors);
	else
		snprintf(words, sizeof(words), "%s",
			 _("no fewer sectors could hold these bytes"));
	prose_fit(c, (struct rect){ r.x, r.y, r.w, 1 }, words,
		  INK(bad ? ROLE_BAD : ROLE_DIM));
}

void sectors_bar(struct canvas *c, struct rect r, const char *name,
		 const struct scene *sc, double lit, int most)
{
	int n = lit > 0 ? sc->cost.sectors : 0, left = MIN(28, r.w / 3);
	int w = r.w - left - 14;
	bool bad = sc->cost.sectors > sc->cost.ideal_sectors || sc->finding;
	char text[48];

	kit_label(c, r.x, r.y, left - 1, name, false, INK(ROLE_TEXT));
	kit_bar(c, r.x + left, r.y, w, (double)n / MAX(most, 1),
		bad ? ROLE_BAD : ROLE_NOW, ROLE_NONE);
	snprintf(text, sizeof(text), ngettext("%d sector", "%d sectors",
					      (unsigned)n), n);
	canvas_right(c, r.x + left + w, r.y, 14, text,
		     INK_BOLD(bad ? ROLE_BAD : ROLE_STRONG));
}

/* Returns the other recording's line with the same array and operation, or
 * NULL. */
static const struct sector_line *find_meter_line(const struct scene *sc,
					   const struct scene *of,
					   const struct sector_line *l)
{
	const char *name = of->info->arrays[l->site->array].name;

	for (int i = 0; i < sc->line_sectors->count; i++) {
		const struct sector_line *o = &sc->line_sectors->line[i];

		if (o->site->op == l->site->op &&
		    !strcmp(sc->info->arrays[o->site->array].name, name))
			return o;
	}
	return NULL;
}

/* Draws a line's bar, its name before it and its sectors after it. */
static void draw_meter_line(struct canvas *c, struct rect r, const struct scene *sc,
		      const struct sector_line *l, int most)
{
	bool now = sc->site == l->site, bad = l->sectors > l->ideal;
	int w = r.w - LINE_NAME - 5;
	char text[64];

	snprintf(text, sizeof(text), l->site->op == OP_ST ? _("store %s") :
		 _("load %s"), sc->info->arrays[l->site->array].name);
	canvas_text(c, r.x, r.y, LINE_NAME - 1, text,
		    now ? INK_BOLD(ROLE_STRONG) : INK(ROLE_DIM));
	kit_bar(c, r.x + LINE_NAME, r.y, w, (double)l->sectors / most,
		bad ? ROLE_BAD : ROLE_NOW, ROLE_NONE);
	snprintf(text, sizeof(text), "%d", l->sectors);
	canvas_right(c, r.x + LINE_NAME + w, r.y, 3, text,
		     INK_BOLD(bad ? ROLE_BAD : ROLE_STRONG));
}

bool sectors_lines(struct canvas *c, struct rect r, const char *name,
		   const struct scene *sc, const struct scene *other,
		   double lit)
{
	const struct sector_lines *l = sc->line_sectors;
	int n = 0, most = 1, left = LINES_LEFT, w;
	struct rect at;

	if (!l || !other->line_sectors || r.w < LINES_LEAST || lit <= 0)
		return false;
	for (int i = 0; i < l->count; i++) {
		const struct sector_line *o = find_meter_line(other, sc,
							&l->line[i]);

		n += o != NULL;
		most = o ? MAX(most, MAX(o->sectors, l->line[i].sectors)) :
			   most;
	}
	if (n < 2)
		return false;
	w = (r.w - left) / n;
	at = (struct rect){ r.x + left, r.y, w, 1 };
	kit_label(c, r.x, r.y, left - 1, name, false, INK(ROLE_TEXT));
	for (int i = 0; i < l->count; i++) {
		if (!find_meter_line(other, sc, &l->line[i]))
			continue;
		draw_meter_line(c, at, sc, &l->line[i], most);
		at.x += w;
	}
	return true;
}
