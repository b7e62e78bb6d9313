/* tile_marks: see tile_marks.h. */
#include "viz/pictures/tiles/tile_marks.h"

#include <stdlib.h>

#include "viz/kit.h"

double tiles_time(const struct frame_model *s)
{
	return s->quiet ? 0 : s->t;
}

/* Returns the rank of a role: of the elements that share a mark, the one of the
 * highest rank is shown. */
int mark_strength(uint8_t r)
{
	return r == ROLE_CURSOR ? 9 : r == ROLE_NONE ? 0 :
	       r >= ROLE_HUE0 && r <= ROLE_HUE3 ? 8 :
	       r >= ROLE_TRAIL0 && r <= ROLE_TRAIL3 ? 7 :
	       r >= ROLE_FADE0 && r <= ROLE_FADE3 ? 6 :
	       r == ROLE_OWN ? 5 : r == ROLE_SEEN ? 4 : r == ROLE_TILE ? 3 : 1;
}

struct marks marks_of(const struct tile_layout *l,
		      const struct tile_plane *p)
{
	struct marks m = { .l = l, .p = p };
	uint32_t scale = (uint32_t)l->size.scale;

	while (1u << m.shift < scale)
		m.shift++;
	m.w = (int)((p->cols + scale - 1) / scale);
	m.h = (int)((p->rows + scale - 1) / scale);
	m.role = xcalloc((size_t)m.w * (size_t)m.h, 1);
	return m;
}

void mark_set(struct marks *m, uint32_t row, uint32_t col, enum role role)
{
	uint32_t last = (1u << m->shift) - 1;
	uint32_t y = row - m->p->row0, x = col - m->p->col0;
	uint8_t *at;
	int more;

	if (row < m->p->row0 || col < m->p->col0 || y >= m->p->rows ||
	    x >= m->p->cols)
		return;
	at = &m->role[(y >> m->shift) * (uint32_t)m->w + (x >> m->shift)];
	if (*at == (uint8_t)role)
		return;
	more = mark_strength((uint8_t)role) - mark_strength(*at);
	if (more > 0 || (!more && (y & last) == ((x + y) >> m->shift & last) &&
			 (x & last) == (y >> m->shift & last)))
		*at = (uint8_t)role;
}

/* Draws a mark at a column and a half row. */
void mark_paint(struct canvas *c, const struct tile_size *z, int x, int y2,
		enum role role)
{
	if (z->half)
		for (int i = 0; i < z->w; i++)
			canvas_pixel(c, x + i, y2, role);
	else
		canvas_fill(c, (struct rect){ x, y2 / 2, z->w, z->h }, ' ',
			    INK_ON(ROLE_ON_HUE, role));
}

int mark_half_rows(const struct tile_size *z)
{
	return z->half ? 1 : 2 * z->h;
}

void marks_draw(struct canvas *c, struct marks *m)
{
	const struct tile_size *z = &m->l->size;

	for (int y = 0; y < m->h; y++)
		for (int x = 0; x < m->w; x++)
			if (m->role[y * m->w + x])
				mark_paint(c, z, m->p->x + x * z->w,
				      2 * m->p->y + y * mark_half_rows(z),
				      m->role[y * m->w + x]);
	free(m->role);
}

bool mark_spot(const struct tile_layout *l, const struct tile_plane *p,
	       uint32_t row, uint32_t col, struct mark_spot *at)
{
	int scale = l->size.scale;

	if (!p->a || row < p->row0 || col < p->col0 ||
	    row >= p->row0 + p->rows || col >= p->col0 + p->cols)
		return false;
	at->x = p->x + (int)(col - p->col0) / scale * l->size.w;
	at->y = 2 * p->y +
		(int)(row - p->row0) / scale * mark_half_rows(&l->size);
	return true;
}
