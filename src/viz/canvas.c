/* canvas: cells, clipping, wide characters, and the replacement of characters
 * that ASCII lacks. */
#include "viz/canvas.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

#define UPPER_HALF 0x2580	/* the half block that canvas_pixel draws */
#define LOWER_HALF 0x2584
#define ELLIPSIS 0x2026

/* ---- the canvas ---- */

static const struct cell blank = { .ch = ' ' };

static struct rect whole_rect(const struct canvas *c)
{
	return (struct rect){ 0, 0, c->w, c->h };
}

/* Returns the intersection; its size is never negative. The far corners may
 * overflow int. */
static struct rect intersect_rects(struct rect a, struct rect b)
{
	long x = MAX(a.x, b.x), y = MAX(a.y, b.y);
	long right = MIN((long)a.x + a.w, (long)b.x + b.w);
	long bottom = MIN((long)a.y + a.h, (long)b.y + b.h);

	return (struct rect){ x, y, MAX(right - x, 0), MAX(bottom - y, 0) };
}

void canvas_init(struct canvas *c, int w, int h)
{
	*c = (struct canvas){ 0 };
	canvas_resize(c, w, h);
}

void canvas_done(struct canvas *c)
{
	free(c->cells);
	*c = (struct canvas){ 0 };
}

void canvas_resize(struct canvas *c, int w, int h)
{
	c->w = MAX(w, 0);
	c->h = MAX(h, 0);
	c->cells = xrealloc(c->cells, (size_t)c->w * c->h + 1,
			    sizeof(*c->cells));
	canvas_clear(c);
}

void canvas_clear(struct canvas *c)
{
	for (size_t i = 0; i < (size_t)c->w * c->h; i++)
		c->cells[i] = blank;
	c->clip = whole_rect(c);
	c->named = 0;
}

struct rect canvas_clip(struct canvas *c, struct rect r)
{
	struct rect old = c->clip;

	c->clip = intersect_rects(r, whole_rect(c));
	return old;
}

const struct cell *canvas_at(const struct canvas *c, int x, int y)
{
	if (x < 0 || y < 0 || x >= c->w || y >= c->h)
		return &blank;
	return &c->cells[(size_t)y * c->w + x];
}

bool rect_has(struct rect r, int x, int y)
{
	return x >= r.x && x - r.x < r.w && y >= r.y && y - r.y < r.h;
}

/* Returns the cell for writing; erases the other half of a wide character. */
static struct cell *open_cell(struct canvas *c, int x, int y)
{
	struct cell *cell = &c->cells[(size_t)y * c->w + x];

	if (cell->ch == 0 && x > 0)
		cell[-1].ch = ' ';
	if (x + 1 < c->w && cell[1].ch == 0)
		cell[1].ch = ' ';
	return cell;
}

void canvas_erase(struct canvas *c, struct rect r)
{
	r = intersect_rects(r, c->clip);
	for (int y = r.y; y < r.y + r.h; y++)
		for (int x = r.x; x < r.x + r.w; x++)
			*open_cell(c, x, y) = blank;
}

/* ---- glyphs ---- */

static char ascii_box(uint32_t ch)
{
	switch (ch) {
	case 0x2500: case 0x2501: case 0x2504: case 0x2505: case 0x2508:
	case 0x2509: case 0x254c: case 0x254d: case 0x2574: case 0x2576:
	case 0x2578: case 0x257a: case 0x257c: case 0x257e:
		return '-';
	case 0x2502: case 0x2503: case 0x2506: case 0x2507: case 0x250a:
	case 0x250b: case 0x254e: case 0x254f: case 0x2551: case 0x2575:
	case 0x2577: case 0x2579: case 0x257b: case 0x257d: case 0x257f:
		return '|';
	case 0x2550:
		return '=';
	case 0x2571:
		return '/';
	case 0x2572:
		return '\\';
	case 0x2573:
		return 'X';
	default:
		return '+';
	}
}

static char ascii_block(uint32_t ch)
{
	/* U+2580 to U+259F: halves, eighths, shades, quadrants. */
	return "\"____#######[[[[].:%\"]..\"[\\[]\"/["[ch - 0x2580];
}

static char ascii_braille(uint32_t ch)
{
	return " .:::%%##"[__builtin_popcount(ch & 0xff)];
}

/* Returns the ASCII character that looks most like `ch`. */
static char ascii_glyph(uint32_t ch)
{
	static const struct { uint32_t ch; char ascii; } like[] = {
		{ 0x00a0, ' ' }, { 0x00b0, 'o' }, { 0x00b1, '~' },
		{ 0x00b2, '2' }, { 0x00b3, '3' }, { 0x00b5, 'u' },
		{ 0x00b7, '.' }, { 0x00b9, '1' }, { 0x00d7, 'x' },
		{ 0x00f7, '/' }, { 0x03a3, 'S' }, { 0x03bc, 'u' }, { 0x2013, '-' },
		{ 0x2014, '-' }, { 0x2018, '\'' }, { 0x2019, '\'' },
		{ 0x201c, '"' }, { 0x201d, '"' }, { 0x2022, '*' },
		{ 0x2026, '~' }, { 0x2190, '<' }, { 0x2191, '^' },
		{ 0x2192, '>' }, { 0x2193, 'v' }, { 0x2194, '-' },
		{ 0x2195, '|' }, { 0x2212, '-' }, { 0x2219, '.' },
		{ 0x2248, '~' }, { 0x2264, '<' }, { 0x2265, '>' },
		{ 0x22c5, '.' }, { 0x22ee, ':' }, { 0x25a0, '#' }, { 0x25a1, 'o' },
		{ 0x25aa, '*' }, { 0x25b2, '^' }, { 0x25b4, '^' },
		{ 0x25b6, '>' }, { 0x25b8, '>' }, { 0x25ba, '>' },
		{ 0x25bc, 'v' }, { 0x25be, 'v' }, { 0x25c0, '<' },
		{ 0x25c2, '<' }, { 0x25c4, '<' }, { 0x25c6, '*' },
		{ 0x25c7, 'o' }, { 0x25cb, 'o' }, { 0x25cf, '*' },
		{ 0x2713, '+' }, { 0x2717, 'x' },
	};

	if (ch >= 0x2500 && ch < 0x2580)
		return ascii_box(ch);
	if (ch >= 0x2580 && ch < 0x25a0)
		return ascii_block(ch);
	if (ch >= 0x2800 && ch < 0x2900)
		return ascii_braille(ch);
	if (ch == 0x2070 || (ch >= 0x2074 && ch <= 0x2079))
		return '0' + (ch - 0x2070);
	if (ch >= 0x2080 && ch <= 0x2089)
		return '0' + (ch - 0x2080);
	for (size_t i = 0; i < LENGTH(like); i++)
		if (like[i].ch == ch)
			return like[i].ascii;
	return '?';
}

static bool is_power(uint32_t ch)
{
	return ch == 0xb2 || ch == 0xb3 || ch == 0x2070 ||
	       (ch >= 0x2074 && ch <= 0x2079);
}

/* How a role is shown without colour; a sign of higher rank hides one of lower
 * rank. */
struct mono_sign {
	char glyph;
	uint8_t rank;
};

static struct mono_sign role_sign(enum role role)
{
	if (role >= ROLE_HUE0 && role <= ROLE_HUE3)
		return (struct mono_sign){ "0123"[role - ROLE_HUE0], 8 };
	if (role >= ROLE_TRAIL0 && role <= ROLE_TRAIL3)
		return (struct mono_sign){ "ABCD"[role - ROLE_TRAIL0], 6 };
	if (role >= ROLE_FADE0 && role <= ROLE_FADE3)
		return (struct mono_sign){ "abcd"[role - ROLE_FADE0], 5 };
	if (role >= ROLE_CHUNK0 && role <= ROLE_CHUNK7)
		return (struct mono_sign){ "mnopqrst"[role - ROLE_CHUNK0], 5 };
	switch (role) {
	case ROLE_CURSOR:
		return (struct mono_sign){ '@', 9 };
	case ROLE_OWN:
		return (struct mono_sign){ '+', 4 };
	case ROLE_WASTE:
		return (struct mono_sign){ 'x', 4 };
	case ROLE_SEEN:
		return (struct mono_sign){ ',', 3 };
	case ROLE_TILE:
		return (struct mono_sign){ ':', 2 };
	case ROLE_FIELD:
		return (struct mono_sign){ '.', 1 };
	case ROLE_GOOD:
		return (struct mono_sign){ '=', 0 };
	case ROLE_BAD:
		return (struct mono_sign){ '#', 7 };
	case ROLE_WARN:
		return (struct mono_sign){ '%', 0 };
	case ROLE_ACCENT:
		return (struct mono_sign){ '*', 0 };
	case ROLE_BEFORE:
		return (struct mono_sign){ '-', 1 };
	case ROLE_NOW:
		return (struct mono_sign){ '/', 2 };
	default:
		return (struct mono_sign){ ' ', 0 };
	}
}

/* ---- drawing ---- */

/* Tells whether a block character fills more than half of its cell. */
static bool is_mostly_filled(uint32_t ch)
{
	return (ch > LOWER_HALF && ch < 0x258c) || ch == 0x2599 ||
	       ch == 0x259b || ch == 0x259c || ch == 0x259f;
}

/* Returns the background that text on the cell gets. */
static uint8_t kept_background(const struct canvas *c, const struct cell *cell,
			       struct ink ink)
{
	if (ink.bg)
		return ink.bg;
	return !c->mono && is_mostly_filled(cell->ch) ? cell->fg : cell->bg;
}

/* Writes a character of known width, or the part of it inside the clip. */
static void put_clipped(struct canvas *c, int x, int y, uint32_t ch, int width,
			struct ink ink)
{
	struct cell *cell;
	bool left = rect_has(c->clip, x, y);
	bool right = width == 2 && rect_has(c->clip, x + 1, y);
	bool cut = width == 2 && !(left && right);

	if (left) {
		cell = open_cell(c, x, y);
		*cell = (struct cell){ cut ? ' ' : ch, ink.fg,
				       kept_background(c, cell, ink),
				       ink.attr };
	}
	if (right) {
		cell = open_cell(c, x + 1, y);
		*cell = (struct cell){ cut ? ' ' : 0, ink.fg,
				       kept_background(c, cell, ink),
				       ink.attr };
	}
}

/* Writes one cleaned character. Returns its columns. */
static int put_clean_char(struct canvas *c, int x, int y, uint32_t ch,
			  struct ink ink)
{
	int width = text_char_width(ch);

	if (width > 0)
		put_clipped(c, x, y, ch, width, ink);
	return width;
}

/* Writes the first n bytes of clean text. Returns the column after them. */
static int put_clean_bytes(struct canvas *c, int x, int y, const char *s,
			   size_t n, struct ink ink)
{
	uint32_t ch;

	for (size_t i = 0; i < n; ) {
		i += text_decode(s + i, n - i, &ch);
		x += put_clean_char(c, x, y, ch, ink);
	}
	return x;
}

/*
 * Converts text to what the canvas can show; the caller frees it. The
 * conversion to ASCII comes before cleaning, which in a locale of ASCII alone
 * would find no width in other characters.
 */
static char *convert_text(const struct canvas *c, const char *s, size_t n)
{
	struct str out = { 0 };
	char *clean;
	uint32_t ch, before = 0;

	if (!c->ascii)
		return text_clean(s, n, 0);
	for (size_t i = 0; i < n; ) {
		i += text_decode(s + i, n - i, &ch);
		/* 4096 to the power of 3 is no 40963. */
		if (is_power(ch) && before >= '0' && before <= '9')
			str_addc(&out, '^');
		/* The arrow keys are not < and >. */
		if (ch == ' ' && before == 0x2190 && i < n &&
		    !strncmp(s + i, "\xe2\x86\x92", 3))
			ch = '-';
		before = ch;
		for (int w = text_char_width(ch); w > 0; w--)
			str_addc(&out, ch < 0x80 ? (char)ch : ascii_glyph(ch));
	}
	clean = text_clean(out.data ? out.data : "", out.len, TEXT_ASCII);
	str_done(&out);
	return clean;
}

void canvas_set(struct canvas *c, int x, int y, struct cell cell)
{
	if (rect_has(c->clip, x, y))
		*open_cell(c, x, y) = cell;
}

void canvas_put(struct canvas *c, int x, int y, uint32_t ch, struct ink ink)
{
	uint8_t bg = ink.bg ? ink.bg : canvas_at(c, x, y)->bg;
	char bytes[4], *shown;

	if (ch == ' ' && c->mono) {
		ch = role_sign(bg).glyph;
		ink.attr |= ch != ' ' ? ATTR_SIGN : 0;
	}
	if (ch >= 0x20 && ch < 0x7f) {
		put_clipped(c, x, y, ch, 1, ink);
		return;
	}
	shown = convert_text(c, bytes, text_encode(ch, bytes));
	put_clean_bytes(c, x, y, shown, strlen(shown), ink);
	free(shown);
}

static bool printable_ascii(const char *s)
{
	for (; *s; s++)
		if (*s < 0x20 || *s > 0x7e)
			return false;
	return true;
}

bool canvas_is_sign(const struct cell *cell)
{
	return cell->attr & ATTR_SIGN ||
	       (cell->fg == cell->bg && cell->bg >= ROLE_FIELD);
}

/* Removes, without colour, the signs that adjoin text, from x on in direction
 * `by` (-1 or 1). */
static void erase_signs(struct canvas *c, int x, int y, int by)
{
	uint8_t bg = rect_has(c->clip, x - by, y) ?
		     canvas_at(c, x - by, y)->bg : ROLE_NONE;
	bool all = bg >= ROLE_CURSOR && bg <= ROLE_HUE3;

	for (int n = 0; (all || n < 1) && rect_has(c->clip, x, y); n++) {
		struct cell *cell = &c->cells[(size_t)y * c->w + x];

		if (!canvas_is_sign(cell) || cell->bg != bg)
			return;
		cell->ch = ' ';
		cell->attr &= (uint8_t)~ATTR_SIGN;
		x += by;
	}
}

/* Writes clean text in w columns, with an ellipsis if it is cut. Returns the
 * columns used. */
static int put_clean_line(struct canvas *c, int x, int y, int w, const char *s,
			  struct ink ink)
{
	long right = (long)c->clip.x + c->clip.w;
	long room = w < 0 ? right - x : MIN((long)w, right - x);
	size_t n = strlen(s);
	int end, used;

	if (room <= 0)
		return 0;
	if (text_width(s) <= room)
		return put_clean_bytes(c, x, y, s, n, ink) - x;
	n = text_fit(s, room - 1, &used);
	end = put_clean_bytes(c, x, y, s, n, ink);
	return end - x +
	       put_clean_char(c, end, y, c->ascii ? '~' : ELLIPSIS, ink);
}

static int put_clean_text(struct canvas *c, int x, int y, int w, const char *s,
			  struct ink ink)
{
	int used = put_clean_line(c, x, y, w, s, ink);

	if (c->mono && used > 0) {
		erase_signs(c, x - 1, y, -1);
		erase_signs(c, x + used, y, 1);
	}
	return used;
}

int canvas_text(struct canvas *c, int x, int y, int w, const char *s,
		struct ink ink)
{
	char *clean;
	int used;

	if (printable_ascii(s))
		return put_clean_text(c, x, y, w, s, ink);
	clean = convert_text(c, s, strlen(s));
	used = put_clean_text(c, x, y, w, clean, ink);
	free(clean);
	return used;
}

int canvas_textf(struct canvas *c, int x, int y, int w, struct ink ink,
		 const char *fmt, ...)
{
	char small[256], *big = NULL;
	va_list ap;
	int n, used;

	va_start(ap, fmt);
	n = vsnprintf(small, sizeof(small), fmt, ap);
	va_end(ap);
	if (n >= (int)sizeof(small)) {
		big = xmalloc((size_t)n + 1);
		va_start(ap, fmt);
		vsnprintf(big, (size_t)n + 1, fmt, ap);
		va_end(ap);
	}
	used = n < 0 ? 0 : canvas_text(c, x, y, w, big ? big : small, ink);
	free(big);
	return used;
}

int canvas_right(struct canvas *c, int x, int y, int w, const char *s,
		 struct ink ink)
{
	char *clean = convert_text(c, s, strlen(s));
	int width = text_width(clean), start = x + w - MIN(width, MAX(w, 0));

	put_clean_text(c, start, y, MAX(w, 0), clean, ink);
	free(clean);
	return start;
}

void canvas_fill(struct canvas *c, struct rect r, uint32_t ch,
		 struct ink ink)
{
	struct rect part = intersect_rects(r, c->clip), old = c->clip;
	int step = ch < 0x7f ? 1 : MAX(text_char_width(ch), 1);

	c->clip = part;
	for (int y = part.y; y < part.y + part.h; y++)
		for (int x = part.x; x < part.x + part.w; x += step)
			canvas_put(c, x, y, ch, ink);
	c->clip = old;
}

static void frame_lines(struct canvas *c, struct rect r, struct ink ink)
{
	int right = r.x + r.w - 1, bottom = r.y + r.h - 1;

	canvas_fill(c, (struct rect){ r.x, r.y, r.w, 1 }, 0x2500, ink);
	canvas_fill(c, (struct rect){ r.x, bottom, r.w, 1 }, 0x2500, ink);
	canvas_fill(c, (struct rect){ r.x, r.y, 1, r.h }, 0x2502, ink);
	canvas_fill(c, (struct rect){ right, r.y, 1, r.h }, 0x2502, ink);
	canvas_put(c, r.x, r.y, 0x250c, ink);
	canvas_put(c, right, r.y, 0x2510, ink);
	canvas_put(c, r.x, bottom, 0x2514, ink);
	canvas_put(c, right, bottom, 0x2518, ink);
}

struct rect canvas_frame(struct canvas *c, struct rect r, const char *title,
			 const char *note, bool focus)
{
	struct ink line = INK(focus ? ROLE_ACCENT : ROLE_BORDER);
	/* "┌─ title " and " note ─┐" each take 3 columns of the border. */
	int from = r.x + 3, to = r.x + r.w - 3, used;

	if (r.w < 2 || r.h < 2)
		return (struct rect){ r.x, r.y, 0, 0 };
	frame_lines(c, r, line);
	if (title && to - from > 1) {
		canvas_put(c, from - 1, r.y, ' ', line);
		used = canvas_text(c, from, r.y, to - from, title,
				   INK_BOLD(ROLE_TITLE));
		canvas_put(c, from + used, r.y, ' ', line);
		from += used + 3;
	}
	/* A note that would be cut tells nothing. */
	if (note && text_width(note) <= to - from) {
		from = canvas_right(c, from, r.y, to - from, note,
				    INK(ROLE_DIM));
		canvas_put(c, from - 1, r.y, ' ', line);
		canvas_put(c, to, r.y, ' ', line);
	}
	return (struct rect){ r.x + 1, r.y + 1, r.w - 2, r.h - 2 };
}

/* ---- pixels ---- */

/* Gets the roles of the cell's two halves. */
static void get_halves(const struct canvas *c, const struct cell *cell,
		       uint8_t *upper, uint8_t *lower)
{
	bool pixel = c->mono ? cell->ch != ' ' &&
			       (cell->fg >= ROLE_FIELD || cell->fg == 0 ||
				(cell->fg == ROLE_BAD &&
				 cell->attr & ATTR_SIGN))
			     : cell->ch == UPPER_HALF ||
			       cell->attr & ATTR_LOWER;

	*upper = pixel ? cell->fg : cell->bg;
	*lower = cell->bg;
	if (!c->mono && (cell->ch == LOWER_HALF || cell->attr & ATTR_UPPER))
		*lower = cell->fg;
}

/* Tells whether a cell's character is a part of it in its foreground. */
static bool is_partly_filled(const struct cell *cell)
{
	return (cell->ch >= UPPER_HALF && cell->ch < 0x25a0) ||
	       cell->attr & (ATTR_UPPER | ATTR_LOWER) || canvas_is_sign(cell);
}

uint64_t canvas_roles(const struct canvas *c, struct rect r)
{
	uint64_t roles = 0;

	r = intersect_rects(r, whole_rect(c));
	for (int y = r.y; y < r.y + r.h; y++)
		for (int x = r.x; x < r.x + r.w; x++) {
			const struct cell *cell = canvas_at(c, x, y);

			roles |= UINT64_C(1) << cell->bg;
			if (is_partly_filled(cell))
				roles |= UINT64_C(1) << cell->fg;
		}
	return roles;
}

static struct cell mono_pixel(uint8_t upper, uint8_t lower)
{
	struct mono_sign u = role_sign(upper), l = role_sign(lower);
	struct cell cell = { u.glyph, upper, lower, 0 };

	/* A reversed background shows the role by itself. */
	if (u.rank >= 8)
		cell.attr = ATTR_REVERSE;
	if (l.rank > u.rank) {
		cell.ch = l.glyph;
		cell.attr = ATTR_UNDERLINE;
	} else if (u.rank == 8 && l.rank == 8 && upper != lower) {
		int a = upper - ROLE_HUE0, b = lower - ROLE_HUE0;

		cell.ch = 'E' + 3 * a + (b > a ? b - 1 : b);
	}
	cell.attr |= cell.ch != ' ' ? ATTR_SIGN : 0;
	return cell;
}

static struct cell ascii_pixel(uint8_t upper, uint8_t lower)
{
	bool up = lower == ROLE_NONE ||
		  (upper && role_sign(upper).rank >= role_sign(lower).rank);

	return up ? (struct cell){ ' ', lower, upper, ATTR_UPPER } :
		    (struct cell){ ' ', upper, lower, ATTR_LOWER };
}

static struct cell colour_pixel(const struct canvas *c, uint8_t upper,
				uint8_t lower)
{
	if (upper == lower)
		return (struct cell){ ' ', 0, lower, 0 };
	if (c->ascii)
		return ascii_pixel(upper, lower);
	/* Nothing can be drawn in the colour of the screen itself. */
	if (upper == ROLE_NONE)
		return (struct cell){ LOWER_HALF, lower, 0, 0 };
	return (struct cell){ UPPER_HALF, upper, lower, 0 };
}

void canvas_pixel(struct canvas *c, int x, int y2, enum role role)
{
	int y = y2 < 0 ? -1 : y2 / 2;
	uint8_t upper, lower;
	struct cell *cell;

	if (!rect_has(c->clip, x, y))
		return;
	cell = open_cell(c, x, y);
	get_halves(c, cell, &upper, &lower);
	*(y2 % 2 ? &lower : &upper) = role;
	*cell = c->mono ? mono_pixel(upper, lower)
			: colour_pixel(c, upper, lower);
}
