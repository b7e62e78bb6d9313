#include "export/glyph.h"

#include "base/base.h"

/* Where a thin line runs through a cell; a thick one begins a unit before. */
#define MIDDLE_X 4
#define MIDDLE_Y 8

#define PART(x, y, w, h) \
	(struct glyph_part){ (int8_t)(x), (int8_t)(y), (int8_t)(w), (int8_t)(h) }

/* ---- boxes ---- */

/*
 * U+2500 to U+257F: what each has at its left, top, right and bottom, a digit
 * each: 0 nothing, 1 a thin line, 2 a thick one. Double lines are thick ones
 * here, rounded corners plain ones; 0 is a dashed line or a diagonal.
 */
static const uint16_t sides[] = {
	0x1010, 0x2020, 0x0101, 0x0202, 0x0000, 0x0000, 0x0000, 0x0000,
	0x0000, 0x0000, 0x0000, 0x0000, 0x0011, 0x0021, 0x0012, 0x0022,
	0x1001, 0x2001, 0x1002, 0x2002, 0x0110, 0x0120, 0x0210, 0x0220,
	0x1100, 0x2100, 0x1200, 0x2200, 0x0111, 0x0121, 0x0211, 0x0112,
	0x0212, 0x0221, 0x0122, 0x0222, 0x1101, 0x2101, 0x1201, 0x1102,
	0x1202, 0x2201, 0x2102, 0x2202, 0x1011, 0x2011, 0x1021, 0x2021,
	0x1012, 0x2012, 0x1022, 0x2022, 0x1110, 0x2110, 0x1120, 0x2120,
	0x1210, 0x2210, 0x1220, 0x2220, 0x1111, 0x2111, 0x1121, 0x2121,
	0x1211, 0x1112, 0x1212, 0x2211, 0x1221, 0x2112, 0x1122, 0x2221,
	0x2122, 0x2212, 0x1222, 0x2222, 0x0000, 0x0000, 0x0000, 0x0000,
	0x2020, 0x0202, 0x0021, 0x0012, 0x0022, 0x2001, 0x1002, 0x2002,
	0x0120, 0x0210, 0x0220, 0x2100, 0x1200, 0x2200, 0x0121, 0x0212,
	0x0222, 0x2101, 0x1202, 0x2202, 0x2021, 0x1012, 0x2022, 0x2120,
	0x1210, 0x2220, 0x2121, 0x1212, 0x2222, 0x0011, 0x1001, 0x1100,
	0x0110, 0x0000, 0x0000, 0x0000, 0x1000, 0x0100, 0x0010, 0x0001,
	0x2000, 0x0200, 0x0020, 0x0002, 0x1020, 0x0102, 0x2010, 0x0201,
};

/* Writes the rectangles of a box character: the horizontal line first, then the
 * parts above and below. Returns their number. */
static size_t box_parts(unsigned digits, struct glyph_part *p)
{
	int left = digits >> 12, up = digits >> 8 & 15;
	int right = digits >> 4 & 15, down = digits & 15;
	/* the middle, as thick as the thickest line that meets there */
	int w = MAX(MAX(up, down), 1), h = MAX(MAX(left, right), 1);
	int x = MIDDLE_X + 1 - w, y = MIDDLE_Y + 1 - h;
	size_t n = 0;

	if (!up && !down && left == right)
		return *p = PART(0, y, GLYPH_W, h), 1;
	if (!left && !right && up == down)
		return *p = PART(x, 0, w, GLYPH_H), 1;
	p[n++] = PART(x, y, w, h);
	if (left)
		p[n++] = PART(0, MIDDLE_Y + 1 - left, x, left);
	if (right)
		p[n++] = PART(x + w, MIDDLE_Y + 1 - right, GLYPH_W - x - w,
			      right);
	if (up)
		p[n++] = PART(MIDDLE_X + 1 - up, 0, up, y);
	if (down)
		p[n++] = PART(MIDDLE_X + 1 - down, y + h, down,
			      GLYPH_H - y - h);
	return n;
}

/* Writes the dashes of a line: U+2504 to U+250B and U+254C to U+254F. */
static size_t dash_parts(uint32_t ch, struct glyph_part *p)
{
	int count = ch >= 0x254c ? 2 : ch < 0x2508 ? 3 : 4;
	int thick = ch % 2 ? 2 : 1;
	bool along = ch >= 0x254c ? ch >= 0x254e : ch % 4 > 1;

	for (int i = 0; i < count; i++) {
		int from = (along ? GLYPH_H : GLYPH_W) * i / count;
		int to = (along ? GLYPH_H : GLYPH_W) * (i + 1) / count;
		int gap = along ? MAX(1, (to - from) / 3) : 1;

		p[i] = along ? PART(MIDDLE_X + 1 - thick, from, thick,
				    to - from - gap) :
			       PART(from, MIDDLE_Y + 1 - thick, to - from - gap,
				    thick);
	}
	return (size_t)count;
}

/* Writes U+2571 or U+2572: from corner to corner, two units down for each unit
 * across. */
static size_t diagonal_parts(bool falls, struct glyph_part *p)
{
	for (int i = 0; i < GLYPH_W; i++)
		p[i] = PART(falls ? i : GLYPH_W - 1 - i, 2 * i, 1, 2);
	return GLYPH_W;
}

static size_t cross_parts(struct glyph_part *p)
{
	size_t n = diagonal_parts(false, p);

	return n + diagonal_parts(true, p + n);
}

/* ---- blocks ---- */

/* Writes U+2596 to U+259F. The bits of which[] are quadrants: 1 upper left, 2
 * upper right, 4 lower left, 8 lower right. */
static size_t quadrant_parts(uint32_t ch, struct glyph_part *p)
{
	static const uint8_t which[] = { 4, 8, 1, 13, 9, 7, 11, 2, 6, 14 };
	size_t n = 0;

	for (int i = 0; i < 4; i++)
		if (which[ch - 0x2596] >> i & 1)
			p[n++] = PART(i % 2 * 4, i / 2 * 8, 4, 8);
	return n;
}

static size_t block_parts(uint32_t ch, struct glyph_part *p, int *quarters)
{
	int n = (int)(ch - 0x2580);

	if (ch >= 0x2596)
		return quadrant_parts(ch, p);
	if (ch == 0x2580)
		*p = PART(0, 0, GLYPH_W, GLYPH_H / 2);
	else if (ch <= 0x2588)
		*p = PART(0, GLYPH_H - 2 * n, GLYPH_W, 2 * n);
	else if (ch <= 0x258f)
		*p = PART(0, 0, 0x2590 - (int)ch, GLYPH_H);
	else if (ch == 0x2590)
		*p = PART(GLYPH_W / 2, 0, GLYPH_W / 2, GLYPH_H);
	else if (ch == 0x2594)
		*p = PART(0, 0, GLYPH_W, 2);
	else if (ch == 0x2595)
		*p = PART(GLYPH_W - 1, 0, 1, GLYPH_H);
	else
		*p = PART(0, 0, GLYPH_W, GLYPH_H);
	if (ch >= 0x2591 && ch <= 0x2593)
		*quarters = (int)ch - 0x2590;
	return 1;
}

static size_t braille_parts(uint32_t ch, struct glyph_part *p)
{
	/* bit of each dot, a row after the other */
	static const uint8_t bit[4][2] = { { 0, 3 }, { 1, 4 }, { 2, 5 },
					   { 6, 7 } };
	size_t n = 0;

	for (int y = 0; y < 4; y++)
		for (int x = 0; x < 2; x++)
			if (ch >> bit[y][x] & 1)
				p[n++] = PART(4 * x + 1, 4 * y + 1, 2, 2);
	return n;
}

bool glyph_drawn(uint32_t ch)
{
	return (ch >= 0x2500 && ch < 0x25a0) || (ch >= 0x2800 && ch < 0x2900);
}

size_t glyph_parts(uint32_t ch, struct glyph_part parts[GLYPH_PARTS],
		   int *quarters)
{
	*quarters = 4;
	if (!glyph_drawn(ch))
		return 0;
	if (ch >= 0x2580 && ch < 0x25a0)
		return block_parts(ch, parts, quarters);
	*quarters = GLYPH_LINES;
	if (ch >= 0x2800)
		return braille_parts(ch, parts);
	if (ch == 0x2571 || ch == 0x2572)
		return diagonal_parts(ch == 0x2572, parts);
	if (ch == 0x2573)
		return cross_parts(parts);
	if ((ch >= 0x2504 && ch < 0x250c) || (ch >= 0x254c && ch < 0x2550))
		return dash_parts(ch, parts);
	return box_parts(sides[ch - 0x2500], parts);
}
