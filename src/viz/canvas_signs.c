/* canvas: without colour, separates signs from the text among them. */
#include "viz/canvas.h"

/* Tells whether a cell is on a hue, its trail or the cursor, whose signs are
 * digits and letters. */
static bool is_on_hue(const struct cell *cell)
{
	return cell->bg >= ROLE_CURSOR && cell->bg <= ROLE_FADE3;
}

static bool is_text(const struct cell *cell)
{
	return cell->ch > ' ' && cell->ch < 0x2500 && !canvas_is_sign(cell);
}

/* Tells whether a trail continues above or below, and text is near. */
static bool is_near_text(const struct canvas *c, int x, int y)
{
	uint8_t bg = canvas_at(c, x, y)->bg;
	bool near = false;

	for (int i = x - 3; i <= x + 3; i++)
		near |= canvas_at(c, i, y)->bg == bg &&
			is_text(canvas_at(c, i, y));
	return near && (canvas_at(c, x, y - 1)->bg == bg ||
			canvas_at(c, x, y + 1)->bg == bg);
}

/* Tells whether a sign hides the text in its row. On a hue, which is reversed,
 * any does; on a trail, which has no other mark, only one near the text. */
static bool hides_text(const struct canvas *c, int x, int y)
{
	const struct cell *cell = canvas_at(c, x, y);

	return canvas_is_sign(cell) &&
	       (cell->bg <= ROLE_HUE3 || is_near_text(c, x, y));
}

/* Removes signs of the ground that adjoin text. */
static void part_ground(struct canvas *c, int y)
{
	struct cell *row = &c->cells[(size_t)y * c->w];

	for (int x = 0; x < c->w; x++)
		if (row[x].bg >= ROLE_FIELD && canvas_is_sign(&row[x]) &&
		    (is_text(canvas_at(c, x - 1, y)) ||
		     is_text(canvas_at(c, x + 1, y))))
			row[x].ch = ' ';
}

void canvas_part_signs(struct canvas *c)
{
	for (int y = 0; c->mono && y < c->h; y++) {
		struct cell *row = &c->cells[(size_t)y * c->w];

		for (int x = 0, end; x < c->w; x = end + 1) {
			bool text = false;

			for (end = x; end < c->w && is_on_hue(&row[end]); end++)
				text |= row[end].ch != ' ' &&
					!canvas_is_sign(&row[end]);
			for (int i = x; text && i < end; i++)
				if (hides_text(c, i, y))
					row[i].ch = ' ';
		}
		part_ground(c, y);
	}
}
