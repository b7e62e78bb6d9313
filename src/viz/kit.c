/* kit: large digits, bars, cells, lines, and values in flight. */
#include "viz/kit.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

/* ---- large digits ---- */

#define FONT_ROWS 5

/* Rows of three pixels, the top one first; the highest bit is on the left. */
static const struct glyph { char ch; uint8_t row[FONT_ROWS]; } font[] = {
	{ '0', { 7, 5, 5, 5, 7 } }, { '1', { 2, 6, 2, 2, 7 } },
	{ '2', { 7, 1, 7, 4, 7 } }, { '3', { 7, 1, 7, 1, 7 } },
	{ '4', { 5, 5, 7, 1, 1 } }, { '5', { 7, 4, 7, 1, 7 } },
	{ '6', { 7, 4, 7, 5, 7 } }, { '7', { 7, 1, 2, 2, 2 } },
	{ '8', { 7, 5, 7, 5, 7 } }, { '9', { 7, 5, 7, 1, 7 } },
	{ '.', { 0, 0, 0, 0, 2 } }, { '-', { 0, 0, 7, 0, 0 } },
	{ ':', { 0, 2, 0, 2, 0 } }, { '/', { 1, 1, 2, 4, 4 } },
	{ 'x', { 0, 5, 2, 5, 0 } }, { ' ', { 0, 0, 0, 0, 0 } },
};

static const struct glyph *glyph_of(char ch)
{
	for (size_t i = 0; i < LENGTH(font); i++)
		if (font[i].ch == ch)
			return &font[i];
	return NULL;
}

/* Returns how many cells wide a pixel of a digit is: 4, 2, 1 (then half a cell
 * high), or 0: only plain text fits. */
static int pixel_width(struct rect r, const char *text)
{
	int columns = (int)strlen(text) * 4 - 1;

	for (const char *p = text; *p; p++)
		if (!glyph_of(*p))
			return 0;
	for (int w = 4; w; w /= 2)
		if (columns * w <= r.w &&
		    (w > 1 ? FONT_ROWS * w / 2 : (FONT_ROWS + 1) / 2) <= r.h)
			return w;
	return 0;
}

int kit_digits(struct rect r, const char *text, int *rows)
{
	int w = pixel_width(r, text);

	*rows = !w ? 1 : w > 1 ? FONT_ROWS * w / 2 : (FONT_ROWS + 1) / 2;
	return w ? ((int)strlen(text) * 4 - 1) * w : text_width(text);
}

static void draw_pixel(struct canvas *c, struct rect r, int x, int y, int w,
		       enum role role)
{
	if (c->mono && w > 1)
		canvas_fill(c, (struct rect){ r.x + x * w, r.y + y * (w / 2),
					      w, w / 2 }, '#', INK(ROLE_TEXT));
	else if (w == 1)
		canvas_pixel(c, r.x + x, 2 * r.y + y, role);
	else
		canvas_fill(c, (struct rect){ r.x + x * w, r.y + y * (w / 2),
					      w, w / 2 }, ' ',
			    INK_ON(ROLE_ON_HUE, role));
}

int kit_number(struct canvas *c, struct rect r, const char *text,
	       enum role role)
{
	int w = pixel_width(r, text), rows;

	if (!w)
		return canvas_text(c, r.x, r.y, r.w, text, INK_BOLD(role));
	/* Half a cell has no character that reads as a digit's part. */
	if ((c->mono || c->ascii) && w == 1)
		return canvas_text(c, r.x, r.y + 1, r.w, text, INK_BOLD(role));
	for (int i = 0; text[i]; i++)
		for (int y = 0; y < FONT_ROWS; y++)
			for (int x = 0; x < 3; x++)
				if (glyph_of(text[i])->row[y] >> (2 - x) & 1)
					draw_pixel(c, r, 4 * i + x, y, w,
						   role);
	return kit_digits(r, text, &rows);
}

int kit_decimals(double v)
{
	return v < 9.995 ? 2 : v < 99.95 ? 1 : 0;
}

void kit_bytes(char *buf, size_t size, double bytes)
{
	static const char *const units[] = { "kB", "MB", "GB", "TB" };
	double v = bytes / 1e3;
	size_t i = 0;

	while (v >= 999.5 && i + 1 < LENGTH(units)) {
		v /= 1e3;
		i++;
	}
	snprintf(buf, size, "%.*f %s", kit_decimals(v), v, units[i]);
}

/* ---- bars ---- */

void kit_bar(struct canvas *c, int x, int y, int w, double part,
	     enum role role, enum role rest)
{
	int eighths, full;

	if (!(part > 0))
		part = 0;
	eighths = (int)lround(MIN(part, 1) * w * 8);
	eighths = part > 0 ? MAX(eighths, 1) : 0;
	full = eighths / 8;
	if (rest)
		canvas_fill(c, (struct rect){ x, y, w, 1 }, ' ',
			    INK_ON(ROLE_TEXT, rest));
	canvas_fill(c, (struct rect){ x, y, full, 1 }, ' ',
		    INK_ON(ROLE_ON_HUE, role));
	/* U+2588 is a full block, U+258f its left eighth. */
	if (eighths % 8)
		canvas_put(c, x + full, y, 0x2590 - (uint32_t)(eighths % 8),
			   INK_ON(role, canvas_at(c, x + full, y)->bg));
}

/* ---- axes ---- */

/* Writes the number of an element, and sets *end to the column after it.
 * Returns its column. */
static int axis_number(const struct kit_axis *a, int64_t n, char text[24],
		       int *end)
{
	int x = a->x + (int)((double)(n - a->first) * a->each);

	*end = x + snprintf(text, 24, "%" PRId64, n * a->times);
	return x;
}

/* Returns the distance, 1, 2, 4, 8 ..., at which numbers do not touch. */
static uint32_t axis_step(const struct kit_axis *a)
{
	uint32_t step = 1;
	int x, end;
	char text[24];

	if (!a->count)
		return step;
	x = axis_number(a, (int64_t)a->first + a->count - 1, text, &end);
	while (step < a->count && step * a->each < end - x + 1)
		step *= 2;
	return step;
}

void kit_axis(struct canvas *c, const struct kit_axis *a)
{
	int64_t last = (int64_t)a->first + a->count;
	bool focused = a->focus >= a->first && a->focus < last;
	uint32_t step = axis_step(a);
	int x, end, at = 0, to = 0;
	char text[24], focus[24];

	if (focused)
		at = axis_number(a, a->focus, focus, &to);
	for (int64_t n = a->first; n < last; n += step) {
		x = axis_number(a, n, text, &end);
		if (!focused || x > to || end < at)
			canvas_text(c, x, a->y, -1, text, INK(ROLE_FAINT));
	}
	if (focused)
		canvas_text(c, at, a->y, -1, focus, INK_FOCUS);
}

/* ---- elements ---- */

struct kit_size kit_fit(int w, int h, uint32_t rows, uint32_t cols)
{
	static const struct kit_size sizes[] = {
		{ 16, 8, false }, { 12, 6, false }, { 8, 4, false },
		{ 6, 3, false }, { 4, 2, false }, { 3, 1, false },
		{ 2, 1, false }, { 1, 1, true },
	};

	for (size_t i = 0; i < LENGTH(sizes); i++)
		if ((int64_t)cols * sizes[i].w <= w &&
		    (sizes[i].half ? ((int64_t)rows + 1) / 2 :
				     (int64_t)rows * sizes[i].h) <= h)
			return sizes[i];
	return (struct kit_size){ 0, 0, false };
}

int kit_width(struct kit_size k, uint32_t cols)
{
	return (int)cols * k.w;
}

int kit_height(struct kit_size k, uint32_t rows)
{
	return k.half ? ((int)rows + 1) / 2 : (int)rows * k.h;
}

void kit_box(struct canvas *c, struct rect r, const char *text,
	     struct ink ink)
{
	int w;

	canvas_fill(c, r, ' ', ink);
	if (!text || r.w < 1 || r.h < 1)
		return;
	w = MIN(text_width(text), r.w);
	canvas_text(c, r.x + (r.w - w) / 2, r.y + (r.h - 1) / 2, w, text, ink);
}

void kit_element(struct canvas *c, int x, int y, struct kit_size k,
		 uint32_t row, uint32_t col, const char *text,
		 struct ink ink)
{
	struct rect r = { x + (int)col * k.w, y + (int)row * k.h, k.w, k.h };

	for (int i = 0; k.half && i < k.w; i++)
		canvas_pixel(c, r.x + i, 2 * y + (int)row, ink.bg);
	if (!k.half)
		kit_box(c, r, text && text_width(text) <= k.w ? text : NULL,
			ink);
}

/* ---- words ---- */

int kit_whole(struct canvas *c, int x, int y, int w, const char *text,
	      struct ink ink)
{
	w = MIN(w, c->clip.x + c->clip.w - x);
	return text_width(text) <= w ? canvas_text(c, x, y, w, text, ink) : 0;
}

int kit_aside(struct canvas *c, int x, int y, int w, const char *text,
	      struct ink ink)
{
	for (int i = MAX(x - 1, c->clip.x); i < x + text_width(text); i++)
		if (i >= c->w || canvas_at(c, i, y)->ch != ' ' ||
		    canvas_at(c, i, y)->bg)
			return 0;
	return kit_whole(c, x, y, w, text, ink);
}

char *kit_label_text(const char *label, int w)
{
	return xstrndup(label, text_width(label) <= w ? strlen(label) :
			       strcspn(label, " "));
}

void kit_label(struct canvas *c, int x, int y, int w, const char *label,
	       bool right, struct ink ink)
{
	char *text = kit_label_text(label, w);

	if (right)
		canvas_right(c, x, y, w, text, ink);
	else
		canvas_text(c, x, y, w, text, ink);
	free(text);
}

/* ---- lines ---- */

static void line_down(struct canvas *c, int x, int y0, int y1, struct ink ink)
{
	for (int y = MIN(y0, y1); y <= MAX(y0, y1); y++)
		canvas_put(c, x, y, 0x2502, ink);
}

void kit_line(struct canvas *c, int x0, int y0, int x1, int y1, int bend,
	      struct ink ink)
{
	if (x0 == x1) {
		line_down(c, x0, y0, y1, ink);
		return;
	}
	line_down(c, x0, y0, bend, ink);
	line_down(c, x1, bend, y1, ink);
	for (int x = MIN(x0, x1) + 1; x < MAX(x0, x1); x++)
		canvas_put(c, x, bend, 0x2500, ink);
	if (y0 != y1) {
		bool down = y1 > y0, right = x1 > x0;

		canvas_put(c, x0, bend, down ? (right ? 0x2514 : 0x2518) :
				(right ? 0x250c : 0x2510), ink);
		canvas_put(c, x1, bend, down ? (right ? 0x2510 : 0x250c) :
				(right ? 0x2518 : 0x2514), ink);
	} else {
		canvas_put(c, x0, bend, 0x2500, ink);
		canvas_put(c, x1, bend, 0x2500, ink);
	}
}

static bool is_dots(uint32_t ch)
{
	return ch >= 0x2800 && ch <= 0x28ff;
}

/* Puts a character over dots and blanks, but not over text. */
static void ray_put(struct canvas *c, int x, int y, uint32_t ch, struct ink ink)
{
	const struct cell *at = canvas_at(c, x, y);

	if (!at->bg || at->ch == ' ' || is_dots(at->ch)) {
		ink.bg = at->bg;
		canvas_put(c, x, y, ch, ink);
	}
}

/* Adds a dot to a cell's 2 x 4, keeping those that are there. x and y count
 * dots. */
static void ray_dot(struct canvas *c, int x, int y, struct ink ink)
{
	static const uint8_t dots[4][2] = {
		{ 0x01, 0x08 }, { 0x02, 0x10 }, { 0x04, 0x20 }, { 0x40, 0x80 },
	};
	uint32_t ch = canvas_at(c, x / 2, y / 4)->ch;

	if (!is_dots(ch))
		ch = 0x2800;
	ray_put(c, x / 2, y / 4, ch | dots[y % 4][x % 2], ink);
}

void kit_ray(struct canvas *c, int x0, int y0, int x1, int y1, double from,
	     double to, struct ink ink)
{
	int nx = c->ascii ? 1 : 2, ny = c->ascii ? 1 : 4;
	int dx = (x1 - x0) * nx, dy = (y1 - y0) * ny;
	int n = MAX(MAX(abs(dx), abs(dy)), 1);

	for (int i = (int)lround(from * n); to > from && i <= lround(to * n);
	     i++) {
		double x = x0 * nx + nx / 2 + (double)dx * i / n;
		double y = y0 * ny + ny / 2 + (double)dy * i / n;

		if (!dx)
			canvas_put(c, x0, (int)y / ny, 0x2502, ink);
		else if (c->ascii)
			ray_put(c, (int)lround(x), (int)lround(y),
				   abs(dx) > 2 * abs(dy) ? '-' :
				   2 * abs(dx) < abs(dy) ? '|' :
				   (dx > 0) == (dy > 0) ? '\\' : '/', ink);
		else if (x >= 0 && y >= 0)
			ray_dot(c, (int)x, (int)y, ink);
	}
}

/* ---- motion ---- */

double kit_between(double a, double b, double t)
{
	t = t < 0 ? 0 : t > 1 ? 1 : t;
	return a + (b - a) * t * t * (3 - 2 * t);
}

struct rect kit_rect_between(struct rect a, struct rect b, double t)
{
	return (struct rect){
		(int)(kit_between(a.x, b.x, t) + 0.5),
		(int)(kit_between(a.y, b.y, t) + 0.5),
		(int)(kit_between(a.w, b.w, t) + 0.5),
		(int)(kit_between(a.h, b.h, t) + 0.5),
	};
}

double kit_act(double t, double from, double to)
{
	t = (t - from) / (to - from);
	return t < 0 ? 0 : t > 1 ? 1 : t;
}
