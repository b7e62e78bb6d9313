#include "export/paint.h"

/* What a theme without colours is exported in: black ink on white paper. */
#define INK_COLOUR 16
#define PAPER_COLOUR 231

struct paint paint_cell(const struct theme *t, const struct cell *cell)
{
	struct theme_look look = theme_look(t, cell, 256);
	struct paint p = {
		.fg = look.fg == THEME_DEFAULT ? INK_COLOUR : look.fg,
		.bg = look.bg == THEME_DEFAULT ? PAPER_COLOUR : look.bg,
		.attr = look.attr & ~ATTR_REVERSE,
	};

	if (look.attr & ATTR_REVERSE)
		return (struct paint){ p.bg, p.fg, p.attr };
	return p;
}

uint8_t paint_ground(const struct theme *t)
{
	return paint_cell(t, &(struct cell){ .ch = ' ' }).bg;
}

void paint_colours(const struct theme *t, bool used[256])
{
	static const uint32_t kinds[] = { 'x', 0x2500, 0x2588 };

	for (int fg = 0; fg < ROLE_COUNT; fg++)
		for (int bg = 0; bg < ROLE_COUNT; bg++)
			for (size_t k = 0; k < LENGTH(kinds); k++) {
				struct paint p = paint_cell(t, &(struct cell){
					.ch = kinds[k], .fg = (uint8_t)fg,
					.bg = (uint8_t)bg });

				used[p.fg] = used[p.bg] = true;
			}
}

bool paint_same(const struct cell *a, const struct cell *b)
{
	return a->ch == b->ch && a->fg == b->fg && a->bg == b->bg &&
	       a->attr == b->attr;
}
