/* view_road: writes the sentences about a tile's road, on the screen and
 * without one. */
#include <stdio.h>

#include "viz/pictures/road/view_road.h"

/* Says what the swizzle does to the reads. */
static void read_words(char *buf, size_t size, const struct road_view *v)
{
	struct road_part part = road_choose_part(v);
	int stack[8], turns, places = 0;

	turns = road_turns(&part, true, stack);
	for (int i = 0; i < 8; i++)
		places += stack[i] > 0;
	if (part.swizzle < 0 ? v->box->to->tile.swizzle != 0 :
			       part.swizzle > 0)
		snprintf(buf, size,
			 ngettext("The XOR sends a column of chunks to %d "
				  "places: 8 rows are read in %d turn, not "
				  "in 8.",
				  "The XOR sends a column of chunks to %d "
				  "places: 8 rows are read in %d turns, not "
				  "in 8.", (unsigned)turns), places, turns);
	else
		snprintf(buf, size,
			 ngettext("Without a swizzle 8 rows of a chunk are read "
				  "in %d turn.",
				  "Without a swizzle 8 rows of a chunk are read "
				  "in %d turns.", (unsigned)turns), turns);
}

/* Says that a tile is done with, and whether its stage may be filled again. */
static void release_words(char *buf, size_t size, const struct road_view *v)
{
	const struct road *r = v->road;
	uint32_t all = MAX(road_released(r, v->use, UINT64_MAX), v->use->needs);

	if (road_released(r, v->use, v->s->scene->road_now.when) < all)
		snprintf(buf, size, _("Done with the tile. When all %u are, its "
				      "stage may be filled again."), all);
	else
		snprintf(buf, size, "%s", _("All are done with the tile: its "
					    "stage may be filled again."));
}

void road_sentence(char *buf, size_t size, const struct road_view *v)
{
	char full[64];
	const struct trace_tile *t = v->box ? &v->box->to->tile : NULL;

	road_name(full, sizeof(full), v->s->scene->info, v->use->full,
		  v->use->full_at);
	if (v->kind == ROAD_FREE && v->use->before == ROAD_NONE)
		snprintf(buf, size, "%s", _("The stage is new: the first tile "
					    "may come at once."));
	else if (v->kind == ROAD_FREE)
		snprintf(buf, size, "%s", _("The stage is filled again only "
					    "when all its readers are done."));
	else if (v->kind == ROAD_EXPECT)
		snprintf(buf, size, _("One thread tells %s how many bytes to "
				      "wait for: %llu."), full,
			 (unsigned long long)v->use->expected);
	else if (v->kind == ROAD_ORDER && t)
		snprintf(buf, size, _("One thread orders %u \xc3\x97 %u "
				      "elements at once: %u bytes."), t->rows,
			 t->columns, v->box->to->bytes);
	else if (v->kind == ROAD_LAND && v->box &&
		 __builtin_popcount(v->box->blocks) > 1)
		snprintf(buf, size, _("One read of global memory brings the box "
				      "to %d blocks at once."),
			 __builtin_popcount(v->box->blocks));
	else if (v->kind == ROAD_LAND)
		snprintf(buf, size, "%s", _("The hardware brings the box: no "
					    "thread copies anything."));
	else if (v->kind == ROAD_WAIT)
		snprintf(buf, size, _("When all %llu bytes are there, %s lets "
				      "its waiters go on."),
			 (unsigned long long)v->use->expected, full);
	else if (v->kind == ROAD_READ && v->at && v->box &&
		 v->s->scene->site->op == OP_WGMMA)
		read_words(buf, size, v);
	else if (v->kind == ROAD_READ)
		snprintf(buf, size, "%s",
			 !v->at ?
			 _("The tensor cores read the tile straight from "
			   "shared memory.") :
			 _("Threads read the tile from shared memory."));
	else
		release_words(buf, size, v);
}

void road_count_releases(const struct road_view *v, uint32_t *done,
			 uint32_t *all)
{
	*done = *all = 0;
	for (uint32_t i = v->use->first; i < v->use->end; i++) {
		const struct road_event *e = &v->road->events[i];

		if (e->kind != ROAD_RELEASE)
			continue;
		(*all)++;
		*done += road_over(v, e->when);
	}
	*all = MAX(*all, v->use->needs);
}

/* Adds everything that the picture shows, in sentences. */
void road_words(struct str *out, const struct frame_model *s)
{
	struct road_view v;
	uint32_t done, all;
	char text[256];

	if (!s->scene->road)
		return;
	v = road_view(s);
	road_sentence(text, sizeof(text), &v);
	str_addf(out, "%s%s", text, lang_joint());
	if (v.box && v.kind <= ROAD_LAND) {
		const struct trace_tile *t = &v.box->to->tile;
		const struct trace_array *a =
			&s->scene->info->arrays[v.box->from->array];

		str_addf(out, _("The box is rows %u to %u and columns %u to %u "
				"of %s."), v.box->row,
			 v.box->row + v.box->rows - 1, v.box->col,
			 v.box->col + v.box->cols - 1, a->name);
		str_add(out, lang_joint());
		if (t->swizzle)
			str_addf(out, _("In shared memory its 16-byte "
					"chunks change places within %u "
					"bytes."), t->swizzle);
		str_add(out, lang_joint());
	}
	road_name(text, sizeof(text), s->scene->info, v.use->full,
		  v.use->full_at);
	str_addf(out, _("%s, phase %u, parity %u: %.0f of %llu bytes have "
			"come."), text, v.use->phase, v.use->phase & 1,
		 road_bytes(&v), (unsigned long long)v.use->expected);
	if (v.kind == ROAD_LAND || v.kind == ROAD_WAIT)
		str_addf(out, "%s%s", lang_joint(),
			 _("In which order boxes land is not known."));
	road_count_releases(&v, &done, &all);
	if (all)
		str_addf(out, _(" %u of %u are done with the tile."), done,
			 all);
}
