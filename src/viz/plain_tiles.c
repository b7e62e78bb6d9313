/* plain_tiles: tiles, carriers and outer products as sentences. */
#include "viz/plain_tiles.h"

#include "scene/scene_outer.h"
#include "scene/scene_tiles.h"

void tiles_words(struct str *out, const struct show *s)
{
	const struct scene *sc = s->scene;
	const struct tiles *t = sc->tiles;

	for (size_t i = 0; i < sc->array_count; i++) {
		const struct stage_array *a = &sc->arrays[i];

		if (t->cell[i])
			str_addf(out, _("%s holds %u of its %u elements, and %u "
					"are on their way. "),
				 a->array->name, a->stored, a->rows * a->cols,
				 a->on_the_way);
	}
	if (t->at_barrier)
		str_addf(out, ngettext("The barrier opens when the block's %u "
				       "warp is there. ",
				       "The barrier opens when all %u warps of "
				       "the block are there. ", t->warps),
			 t->warps);
	str_addf(out, _("So far, the block has read %llu elements from "
			"global memory and %llu from shared memory."),
		 (unsigned long long)t->global.sure,
		 (unsigned long long)t->shared.sure);
}

void outer_words(struct str *out, const struct show *s)
{
	const struct outer *o = s->scene->outer;
	char line[160];

	if (o->square < 0)
		return;
	str_addf(out, _("k = %u of %u: each of %u values in %s is multiplied by "
			"each of %u in %s, and the products are added to %s. "),
		 o->k, o->count, o->rows,
		 s->scene->arrays[o->column].array->name, o->cols,
		 s->scene->arrays[o->row].array->name,
		 s->scene->arrays[o->square].array->name);
	if (outer_line(line, sizeof(line), s))
		str_addf(out, "%s.", line);
}

void carriers_words(struct str *out, const struct show *s)
{
	char carrier[256], worker[256];

	carriers_roles(carrier, worker, sizeof(carrier), s);
	str_addf(out, "%s%s%s%s", carrier, worker[0] ? "; " : "", worker,
		 _("."));
}
