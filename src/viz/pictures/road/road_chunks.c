/* road_chunks: where the chunks of eight rows of a box lie, and in how many
 * turns a column of them is read. */
#include <string.h>

#include "viz/pictures/road/view_road.h"

static const int swizzles[] = { 0, 32, 64, 128 };

bool road_can_swizzle(const struct road_box *b)
{
	return b && b->to->tile.pitch == 128;
}

/* Returns the swizzle after so many turns of the key; none: as recorded. */
static int turn_road_swizzle(const struct road_box *b, int turns)
{
	int at = 0;

	if (!turns || !road_can_swizzle(b))
		return -1;
	for (int i = 0; i < (int)LENGTH(swizzles); i++)
		if (swizzles[i] == (int)b->to->tile.swizzle)
			at = i;
	at = ((at + turns) % 4 + 4) % 4;
	return swizzles[at];
}

/* Returns the row in focus, or the next one in which the swizzle moves the chunk
 * in focus, if there is one: XOR 0 shows nothing. */
static uint32_t find_moved_row(const struct road_part *p)
{
	uint32_t rows = MIN(ROAD_ROWS, p->v->box->to->tile.rows - p->first);

	for (uint32_t i = 0; i < rows; i++) {
		uint32_t row = (p->row + i) % rows;

		if (road_find_place(p, p->swizzle, row, p->chunk).at !=
		    p->chunk)
			return row;
	}
	return p->row;
}

struct road_part road_choose_part(const struct road_view *v)
{
	const struct scene *sc = v->s->scene;
	const struct road_look *l = &sc->road_now.looks[0];
	int turns = v->s->turns.swizzle;
	struct road_part p = { .v = v, .chunks = road_chunks(v->box) };

	p.first = MIN(l->reads ? l->row0 : 0, v->box->to->tile.rows - 1) /
		  ROAD_ROWS * ROAD_ROWS;
	p.row = sc->cursor.lane % ROAD_ROWS;
	p.chunk = l->reads ? l->col0 * v->box->to->tile.bytes / 16 : 0;
	p.chunk = (p.chunk + (uint32_t)(v->s->turns.chunk % (int)p.chunks +
					(int)p.chunks)) % p.chunks;
	p.swizzle = turn_road_swizzle(v->box, turns);
	p.before = turn_road_swizzle(v->box, turns - 1);
	p.row = find_moved_row(&p);
	return p;
}

struct road_place road_find_place(const struct road_part *p, int swizzle,
				  uint32_t row, uint32_t chunk)
{
	struct road_place to = { row, chunk };

	if (swizzle < 0)
		road_place(p->v->s->scene->info, p->v->box, p->first + row,
			   chunk, &to.row, &to.at);
	else if (swizzle)
		to.at = chunk ^ (row & ((uint32_t)swizzle / 16 - 1));
	if (swizzle < 0)
		to.row -= p->first;
	return to;
}

int road_turns(const struct road_part *p, bool swizzled, int stack[8])
{
	uint32_t pitch = p->v->box->to->tile.pitch;
	int most = 0;

	memset(stack, 0, 8 * sizeof(*stack));
	for (uint32_t row = 0; row < ROAD_ROWS; row++) {
		struct road_place to = swizzled ?
			road_find_place(p, p->swizzle, row, p->chunk) :
			(struct road_place){ row, p->chunk };
		uint32_t at = (to.row * pitch / 16 + to.at) % 8;

		stack[at]++;
		most = MAX(most, stack[at]);
	}
	return most;
}

bool road_reads(const struct road_part *p, uint32_t row, uint32_t chunk,
		bool *all)
{
	const struct road_look *l = &p->v->s->scene->road_now.looks[0];
	struct road_place to = road_find_place(p, -1, row, chunk);
	uint32_t across = MAX(p->v->box->to->tile.pitch / 16, 1);

	*all = !l->reads;
	return l->reads && to.row + p->first < p->v->box->to->tile.rows &&
	       l->reads[(to.row + p->first) * across + to.at];
}
