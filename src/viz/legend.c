/* legend: see legend.h. */
#include "viz/legend.h"

#include "base/text.h"

/* Keeps the entry's roles that are in the set. Returns their number. */
static int keep_roles(struct legend_entry *e, uint64_t roles)
{
	int n = 0;

	for (int i = 0; i < LEGEND_ROLES && e->role[i]; i++)
		if (roles >> e->role[i] & 1)
			e->role[n++] = e->role[i];
	for (int i = n; i < LEGEND_ROLES; i++)
		e->role[i] = ROLE_NONE;
	return n;
}

/* Draws the entry's roles that are in the set, and its words, if w columns are
 * enough. Returns the columns used. */
static int draw_legend_entry(struct canvas *c, int x, int y, int w,
			     uint64_t roles, struct legend_entry e)
{
	int n = keep_roles(&e, roles), marks = MAX(n, 2);
	int width = marks + 1 + text_width(e.words);

	if (!n || width > w)
		return 0;
	for (int i = 0; i < marks; i++) {
		uint8_t role = e.role[MIN(i, n - 1)];

		canvas_put(c, x + i, y, ' ', INK_ON(ROLE_ON_HUE, role));
		c->named |= UINT64_C(1) << role;
	}
	canvas_text(c, x + marks + 1, y, -1, e.words, INK(ROLE_DIM));
	return width;
}

int legend_rows(struct canvas *c, struct rect r, struct rect picture,
		const struct legend_entry *e, size_t count)
{
	uint64_t roles = canvas_roles(c, picture);
	int x = r.x, y = r.y;

	for (size_t i = 0; i < count && y < r.y + r.h; i++) {
		int room = r.x + r.w - x;
		int used = draw_legend_entry(c, x, y, room, roles, e[i]);

		if (!used && x > r.x && y + 1 < r.y + r.h &&
		    (used = draw_legend_entry(c, r.x, y + 1, r.w, roles,
					      e[i]))) {
			x = r.x;
			y++;
		}
		x += used ? used + 2 : 0;
	}
	return y - r.y + (x > r.x);
}

int legend_list(struct canvas *c, struct rect r, struct rect picture,
		const struct legend_entry *e, size_t count)
{
	uint64_t roles = canvas_roles(c, picture);
	int y = r.y;

	for (size_t i = 0; i < count && y < r.y + r.h; i++)
		y += draw_legend_entry(c, r.x, y, r.w, roles, e[i]) > 0;
	return y - r.y;
}
