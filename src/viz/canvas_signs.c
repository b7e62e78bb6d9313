/* canvas: without colour, signs keep away from what is written among them. */
#include "viz/canvas.h"

/* On a hue, its trail or the cursor, signs are digits and letters. */
static bool on_hue(const struct cell *cell)
{
	return cell->bg >= ROLE_CURSOR && cell->bg <= ROLE_FADE3;
}

static bool is_text(const struct cell *cell)
{
	return cell->ch > ' ' && cell->ch < 0x2500 && !canvas_is_sign(cell);
}

/* A sign that is in the way of text in its row: on a hue, which is reversed, any;
 * on a trail one that stands above or below as well. */
static bool in_the_way(const struct canvas *c, int x, int y)
{
	const struct cell *cell = canvas_at(c, x, y);
	const struct cell *by[] = { canvas_at(c, x, y - 1),
				    canvas_at(c, x, y + 1) };
	bool way = cell->bg <= ROLE_HUE3;

	for (int i = 0; i < 2; i++)
		way |= by[i]->bg == cell->bg && canvas_is_sign(by[i]);
	return canvas_is_sign(cell) && way;
}

/* Signs of the ground that touch a number. */
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

			for (end = x; end < c->w && on_hue(&row[end]); end++)
				text |= row[end].ch != ' ' &&
					!canvas_is_sign(&row[end]);
			for (int i = x; text && i < end; i++)
				if (in_the_way(c, i, y))
					row[i].ch = ' ';
		}
		part_ground(c, y);
	}
}
