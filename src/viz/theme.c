/* theme: the three themes. tests/theme_test.c checks their contrasts. */
#include "viz/theme.h"

#include <math.h>
#include <string.h>

/* A role with one colour for both uses, and one with two. */
#define ONE(c256, c16) { c256, c256, c16, c16 }
#define TWO(t256, p256, t16, p16) { t256, p256, t16, p16 }

/*
 * Hues are Okabe and Ito's orange, sky blue, bluish green and reddish
 * purple. A trail goes from its hue towards the background, through two
 * steps that stay apart from the neutral greys of the matrices. 16 colours
 * have no room for both: there, a trail keeps its first step to the end.
 */
static const struct theme dark = {
	.name = "dark",
	.role = {
		[ROLE_NONE] = ONE(233, 0),
		[ROLE_TEXT] = ONE(253, 7),
		[ROLE_DIM] = ONE(249, 7),
		[ROLE_FAINT] = ONE(245, 7),
		[ROLE_STRONG] = ONE(231, 15),
		[ROLE_ACCENT] = ONE(214, 11),
		[ROLE_BORDER] = ONE(240, 8),
		[ROLE_TITLE] = ONE(255, 15),
		[ROLE_BAR] = ONE(236, 4),
		[ROLE_KEY] = ONE(240, 8),
		[ROLE_LINE] = ONE(236, 4),
		[ROLE_SELECT] = ONE(238, 4),
		[ROLE_GOOD] = ONE(113, 10),
		[ROLE_BAD] = TWO(210, 203, 9, 9),
		[ROLE_WARN] = ONE(227, 11),
		[ROLE_CODE_WORD] = ONE(110, 14),
		[ROLE_CODE_COMMENT] = ONE(247, 7),
		[ROLE_CODE_NUMBER] = ONE(180, 11),
		[ROLE_FIELD] = ONE(235, 8),
		[ROLE_TILE] = ONE(237, 4),
		[ROLE_OWN] = ONE(240, 7),
		[ROLE_SEEN] = ONE(243, 12),
		[ROLE_CURSOR] = ONE(231, 15),
		[ROLE_HUE0] = ONE(214, 11),
		[ROLE_HUE1] = ONE(74, 14),
		[ROLE_HUE2] = ONE(36, 10),
		[ROLE_HUE3] = ONE(175, 13),
		[ROLE_TRAIL0] = ONE(136, 3),
		[ROLE_TRAIL1] = ONE(67, 6),
		[ROLE_TRAIL2] = ONE(29, 2),
		[ROLE_TRAIL3] = ONE(132, 5),
		[ROLE_FADE0] = ONE(94, 3),
		[ROLE_FADE1] = ONE(24, 6),
		[ROLE_FADE2] = ONE(22, 2),
		[ROLE_FADE3] = ONE(53, 5),
		[ROLE_ON_HUE] = ONE(16, 0),
		[ROLE_WASTE] = TWO(217, 88, 9, 1),
		[ROLE_CHUNK0 + 0] = ONE(214, 3),
		[ROLE_CHUNK0 + 1] = ONE(228, 11),
		[ROLE_CHUNK0 + 2] = ONE(107, 10),
		[ROLE_CHUNK0 + 3] = ONE(36, 2),
		[ROLE_CHUNK0 + 4] = ONE(74, 14),
		[ROLE_CHUNK0 + 5] = ONE(63, 12),
		[ROLE_CHUNK0 + 6] = ONE(133, 13),
		[ROLE_CHUNK0 + 7] = ONE(181, 7),
		[ROLE_RIBBON0] = ONE(94, 3),
		[ROLE_RIBBON1] = ONE(24, 6),
		[ROLE_RIBBON2] = ONE(23, 2),
		[ROLE_RIBBON3] = ONE(96, 5),
		[ROLE_RIBBON] = ONE(238, 8),
		[ROLE_RIBBON_FOCUS] = ONE(250, 7),
		[ROLE_BEFORE] = ONE(243, 8),
		[ROLE_NOW] = ONE(252, 7),
	},
};

/* Text in a hue is darker: on white the hue is too pale. */
static const struct theme light = {
	.name = "light",
	.role = {
		[ROLE_NONE] = ONE(231, 15),
		[ROLE_TEXT] = ONE(234, 0),
		[ROLE_DIM] = ONE(239, 8),
		[ROLE_FAINT] = ONE(242, 8),
		[ROLE_STRONG] = ONE(16, 0),
		[ROLE_ACCENT] = TWO(94, 214, 4, 11),
		[ROLE_BORDER] = ONE(248, 8),
		[ROLE_TITLE] = ONE(16, 0),
		[ROLE_BAR] = ONE(254, 7),
		[ROLE_KEY] = ONE(252, 7),
		[ROLE_LINE] = ONE(254, 7),
		[ROLE_SELECT] = ONE(254, 7),
		[ROLE_GOOD] = TWO(22, 113, 0, 10),
		[ROLE_BAD] = TWO(124, 203, 1, 1),
		[ROLE_WARN] = TWO(58, 227, 5, 11),
		[ROLE_CODE_WORD] = ONE(25, 4),
		[ROLE_CODE_COMMENT] = ONE(240, 8),
		[ROLE_CODE_NUMBER] = ONE(88, 5),
		[ROLE_FIELD] = ONE(254, 7),
		[ROLE_TILE] = ONE(251, 8),
		[ROLE_OWN] = ONE(248, 9),
		[ROLE_SEEN] = ONE(245, 1),
		[ROLE_CURSOR] = TWO(57, 99, 12, 12),
		[ROLE_HUE0] = TWO(94, 214, 0, 11),
		[ROLE_HUE1] = TWO(24, 74, 4, 14),
		[ROLE_HUE2] = TWO(23, 36, 0, 10),
		[ROLE_HUE3] = TWO(89, 175, 5, 13),
		[ROLE_TRAIL0] = TWO(94, 221, 0, 3),
		[ROLE_TRAIL1] = TWO(24, 111, 4, 6),
		[ROLE_TRAIL2] = TWO(22, 79, 0, 2),
		[ROLE_TRAIL3] = TWO(89, 182, 5, 5),
		[ROLE_FADE0] = TWO(94, 229, 0, 3),
		[ROLE_FADE1] = TWO(24, 117, 4, 6),
		[ROLE_FADE2] = TWO(22, 158, 0, 2),
		[ROLE_FADE3] = TWO(89, 225, 5, 5),
		[ROLE_ON_HUE] = ONE(16, 0),
		[ROLE_WASTE] = TWO(88, 217, 1, 9),
		[ROLE_CHUNK0 + 0] = ONE(214, 3),
		[ROLE_CHUNK0 + 1] = ONE(228, 11),
		[ROLE_CHUNK0 + 2] = ONE(107, 10),
		[ROLE_CHUNK0 + 3] = ONE(36, 2),
		[ROLE_CHUNK0 + 4] = ONE(74, 14),
		[ROLE_CHUNK0 + 5] = ONE(63, 12),
		[ROLE_CHUNK0 + 6] = ONE(133, 13),
		[ROLE_CHUNK0 + 7] = ONE(181, 7),
		[ROLE_RIBBON0] = TWO(94, 223, 0, 3),
		[ROLE_RIBBON1] = TWO(24, 153, 4, 6),
		[ROLE_RIBBON2] = TWO(22, 151, 0, 2),
		[ROLE_RIBBON3] = TWO(89, 225, 5, 5),
		[ROLE_RIBBON] = TWO(240, 252, 8, 8),
		[ROLE_RIBBON_FOCUS] = TWO(57, 141, 12, 12),
		[ROLE_BEFORE] = TWO(242, 247, 8, 8),
		[ROLE_NOW] = TWO(238, 240, 0, 0),
	},
};

static const struct theme mono = {
	.name = "mono",
	.mono = true,
	.role = {
		[ROLE_NONE ... ROLE_COUNT - 1] =
			ONE(THEME_DEFAULT, THEME_DEFAULT),
	},
};

/* The attributes that replace a role's colour where it has none. */
static const uint8_t attributes[ROLE_COUNT] = {
	[ROLE_STRONG] = ATTR_BOLD,
	[ROLE_ACCENT] = ATTR_BOLD,
	[ROLE_TITLE] = ATTR_BOLD,
	[ROLE_BAR] = ATTR_REVERSE,
	[ROLE_KEY] = ATTR_REVERSE,
	[ROLE_LINE] = ATTR_REVERSE,
	[ROLE_SELECT] = ATTR_REVERSE,
	[ROLE_BAD] = ATTR_BOLD,
	[ROLE_WARN] = ATTR_BOLD,
	[ROLE_CODE_WORD] = ATTR_BOLD,
	[ROLE_CURSOR] = ATTR_REVERSE | ATTR_BOLD,
	[ROLE_HUE0 ... ROLE_HUE3] = ATTR_REVERSE,
	[ROLE_TRAIL0 ... ROLE_TRAIL3] = ATTR_BOLD,
	[ROLE_CHUNK0 ... ROLE_CHUNK7] = ATTR_BOLD,
};

static const struct theme *const themes[] = { &dark, &light, &mono };

const struct theme *theme_find(const char *name)
{
	for (size_t i = 0; i < LENGTH(themes); i++)
		if (!strcmp(themes[i]->name, name))
			return themes[i];
	return NULL;
}

const char *const *theme_names(void)
{
	static const char *names[LENGTH(themes) + 1];

	for (size_t i = 0; i < LENGTH(themes); i++)
		names[i] = themes[i]->name;
	return names;
}

/* Tells whether a role has no background with fewer than 16 colours, which
 * cannot tell it from others like it: there a character tells which it is. */
static bool needs_16_colours(uint8_t role)
{
	return (role >= ROLE_FIELD && role <= ROLE_SEEN) ||
	       (role >= ROLE_TRAIL0 && role <= ROLE_FADE3) ||
	       (role >= ROLE_CHUNK0 && role <= ROLE_BEFORE);
}

/* Returns a role's attributes. Text in a hue is not reversed: that would look
 * like text on the hue. */
static uint8_t attributes_of(uint8_t role, bool back)
{
	return attributes[role] & (back ? 0xff : (uint8_t)~ATTR_REVERSE);
}

/* Finds a role's colour; adds the attributes that replace or complete it to
 * *attr. */
static int16_t find_colour(const struct theme *t, uint8_t role, bool paint,
			   bool back, int colours, uint8_t *attr)
{
	const struct theme_role *r = &t->role[role];
	int16_t found;

	if (colours >= 256)
		found = paint ? r->paint256 : r->text256;
	else
		found = paint ? r->paint16 : r->text16;
	if (colours < 8 || found == THEME_DEFAULT) {
		*attr |= attributes_of(role, back);
		return THEME_DEFAULT;
	}
	if (colours >= 16)
		return found;
	if (back && needs_16_colours(role)) {
		*attr |= attributes_of(role, back);
		return find_colour(t, ROLE_NONE, paint, back, colours, attr);
	}
	/* A bright text colour is the plain one in bold. */
	if (found >= 8 && !paint)
		*attr |= ATTR_BOLD;
	return found % 8;
}

/* Computes WCAG's relative luminance, 0 to 1. */
static double relative_luminance(int colour)
{
	static const double weight[3] = { 0.0722, 0.7152, 0.2126 };
	static double known[256];
	uint32_t rgb = theme_rgb(colour);
	double sum = 0;

	if (known[colour] > 0)
		return known[colour];
	for (int i = 0; i < 3; i++) {
		double v = (rgb >> 8 * i & 255) / 255.0;

		sum += weight[i] * (v <= 0.04045 ? v / 12.92 :
				    pow((v + 0.055) / 1.055, 2.4));
	}
	return known[colour] = sum;
}

/* Returns black or white, whichever reads better on the fill. */
static int16_t ink_on_fill(int fill, int colours)
{
	double b = relative_luminance(fill) + 0.05;
	bool black = b * b > 1.05 * 0.05;

	if (colours >= 256)
		return black ? 16 : 231;
	return black ? 0 : colours >= 16 ? 15 : 7;
}

/* Returns the colour of text on a fill: its own if its contrast is at least 4.5
 * to 1, else black or white. */
static int16_t text_on_fill(int text, int fill, int colours)
{
	double a = relative_luminance(text) + 0.05,
	       b = relative_luminance(fill) + 0.05;

	if (a > 4.5 * b || b > 4.5 * a)
		return text;
	return ink_on_fill(fill, colours);
}

/* Tells whether a character is a line, a block or braille dots. */
static bool is_drawing(uint32_t ch)
{
	return (ch >= 0x2500 && ch <= 0x259f) || (ch >= 0x2800 && ch <= 0x28ff);
}

/* Returns the role that a sign stands for, which may be one of its cell's two
 * halves; see canvas_pixel(). */
static uint8_t find_sign_role(const struct cell *cell)
{
	uint32_t ch = cell->ch;

	if (ch >= '0' && ch <= '3')
		return (uint8_t)(ROLE_HUE0 + ch - '0');
	if (ch >= 'E' && ch <= 'P')
		return (uint8_t)(ROLE_HUE0 + (ch - 'E') / 3);
	if (ch >= 'A' && ch <= 'D')
		return (uint8_t)(ROLE_TRAIL0 + ch - 'A');
	if (ch >= 'a' && ch <= 'd')
		return (uint8_t)(ROLE_FADE0 + ch - 'a');
	if (ch >= 'm' && ch <= 't')
		return (uint8_t)(ROLE_CHUNK0 + ch - 'm');
	return ch == '@' ? ROLE_CURSOR :
	       ch == '#' ? ROLE_BAD :
	       ch == 'x' ? ROLE_WASTE :
	       needs_16_colours(cell->bg) || cell->bg < ROLE_FIELD ||
			       cell->bg == ROLE_NOW ?
	       cell->bg : ROLE_FIELD;
}

/* Removes what a terminal of few colours would make grey: black in bold. */
static struct theme_look without_grey(struct theme_look look, int colours)
{
	if (colours >= 8 && colours < 16 && look.fg == 0)
		look.attr &= (uint8_t)~ATTR_BOLD;
	return look;
}

/* Returns the look of a sign where there are 8 to 15 colours: the colour of
 * what it stands for, which the sign itself tells. */
static struct theme_look sign_look(const struct theme *t,
				   const struct cell *cell, int colours)
{
	struct theme_look look = { .attr = cell->attr & ATTR_SHOWN &
					   (uint8_t)~ATTR_REVERSE };
	uint8_t role = find_sign_role(cell);
	bool trail = role >= ROLE_TRAIL0 && role <= ROLE_FADE3;

	look.bg = find_colour(t, role, true, true, colours, &look.attr);
	look.fg = find_colour(t, trail ? role : ROLE_TEXT, false, false,
			      colours, &look.attr);
	look.fg = text_on_fill(look.fg, look.bg, colours);
	return without_grey(look, colours);
}

/* Returns the colour of a block glyph on a part of another role that has the
 * same colour: a trail becomes its hue, others black or white. */
static int16_t block_apart(const struct theme *t, const struct cell *cell,
			   int16_t on, int colours)
{
	uint8_t attr = 0;
	int16_t found = on;

	if (cell->fg >= ROLE_TRAIL0 && cell->fg <= ROLE_FADE3)
		found = find_colour(t, ROLE_HUE0 + (cell->fg - ROLE_HUE0) % 4,
				    true, false, colours, &attr);
	return found != on ? found : ink_on_fill(on, colours);
}

/* Keeps what a cell shows apart from what is under it. */
static int16_t keep_apart(const struct theme *t, const struct cell *cell,
			  struct theme_look look, int colours)
{
	bool block = cell->ch >= 0x2580 && cell->ch <= 0x259f;

	if (!is_drawing(cell->ch))
		return cell->bg || look.fg == look.bg ?
		       text_on_fill(look.fg, look.bg, colours) : look.fg;
	if (look.fg != look.bg || (block && cell->fg == cell->bg))
		return look.fg;
	return block ? block_apart(t, cell, look.bg, colours) :
		       ink_on_fill(look.bg, colours);
}

struct theme_look theme_look(const struct theme *t, const struct cell *cell,
			     int colours)
{
	/* Block glyphs are painting, too. */
	bool block = cell->ch >= 0x2580 && cell->ch <= 0x259f;
	struct theme_look look = { .attr = cell->attr & ATTR_SHOWN };

	if (t->mono)
		colours = 0;
	if (colours >= 8 && colours < 16 && cell->attr & ATTR_SIGN)
		return sign_look(t, cell, colours);
	look.fg = find_colour(t, cell->fg, block, false, colours, &look.attr);
	look.bg = find_colour(t, cell->bg, true, true, colours, &look.attr);
	if (colours >= 8 && cell->ch > ' ')
		look.fg = keep_apart(t, cell, look, colours);
	return without_grey(look, colours);
}

uint32_t theme_rgb(int colour)
{
	static const uint32_t basic[16] = {
		0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd,
		0x00cdcd, 0xe5e5e5, 0x7f7f7f, 0xff0000, 0x00ff00, 0xffff00,
		0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff,
	};
	static const uint8_t level[6] = { 0, 95, 135, 175, 215, 255 };
	uint32_t grey = 8 + 10 * (colour - 232), cube = colour - 16;

	if (colour < 0 || colour > 255)
		return 0;
	if (colour < 16)
		return basic[colour];
	if (colour >= 232)
		return grey << 16 | grey << 8 | grey;
	return (uint32_t)level[cube / 36] << 16 |
	       (uint32_t)level[cube / 6 % 6] << 8 | level[cube % 6];
}
