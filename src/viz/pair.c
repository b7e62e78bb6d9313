/* pair: draws the same picture of two recordings, and how they differ. */
#include <stdio.h>
#include <string.h>

#include "viz/kit.h"
#include "viz/frame_model.h"

/* Tells whether both recordings have the same kernel and the same defines. */
static bool have_same_name(const struct trace_info *a,
			   const struct trace_info *b)
{
	if (strcmp(a->kernel, b->kernel) || a->define_count != b->define_count)
		return false;
	for (size_t i = 0; i < a->define_count; i++)
		if (strcmp(a->defines[i].name, b->defines[i].name) ||
		    strcmp(a->defines[i].value, b->defines[i].value))
			return false;
	return true;
}

/* Writes a recording's kernel with its defines; where the other one has the
 * same, also the sizes that differ. */
static void name_recording(struct str *out, const struct trace_info *i,
			   const struct trace_info *other)
{
	bool same = have_same_name(i, other);

	str_add(out, i->kernel);
	for (size_t d = 0; d < i->define_count; d++)
		str_addf(out, " %s=%s", i->defines[d].name,
			 i->defines[d].value);
	if (same && i->m != other->m)
		str_addf(out, " M=%u", i->m);
	if (same && i->n != other->n)
		str_addf(out, " N=%u", i->n);
	if (same && i->k != other->k)
		str_addf(out, " K=%u", i->k);
	if (same && i->block.x * i->block.y !=
		    other->block.x * other->block.y)
		str_addf(out, " %u\xc3\x97%u", i->block.x, i->block.y);
}

/* Draws the picture of one of the two, below a line that names it. */
static void draw_recording(struct canvas *c, struct rect r,
			   const struct frame_model *s, const struct scene *sc,
			   const struct scene *twin)
{
	struct frame_model one = *s;
	struct rect old = canvas_clip(c, r);
	struct str name = {0};

	one.scene = sc;
	one.beside = NULL;
	one.twin = twin;
	one.second = sc == s->beside;
	name_recording(&name, sc->info, twin->info);
	canvas_text(c, r.x + 1, r.y, r.w - 2, name.data,
		    INK_BOLD(ROLE_STRONG));
	str_done(&name);
	r.y++;
	r.h--;
	view_picture(s)->draw(c, r, &one);
	canvas_clip(c, old);
}

/* Divides r in two: side by side if `aside`, else one above the other. */
static void split_rect(struct rect r, bool aside, struct rect *a,
		       struct rect *b)
{
	*a = *b = r;
	if (aside) {
		a->w = (r.w - 1) / 2;
		b->x += a->w + 1;
		b->w -= a->w + 1;
	} else {
		a->h = r.h / 2;
		b->y += a->h;
		b->h -= a->h;
	}
}

/* Draws both in one picture, if there is one of them. */
static bool draw_together(struct canvas *c, struct rect r,
			  const struct frame_model *s)
{
	struct str first = {0}, second = {0};
	char *names[2];
	bool drawn;

	if (!view_picture(s)->draw_pair)
		return false;
	name_recording(&first, s->scene->info, s->beside->info);
	name_recording(&second, s->beside->info, s->scene->info);
	names[0] = first.data;
	names[1] = second.data;
	drawn = view_picture(s)->draw_pair(c, r, s, names);
	str_done(&first);
	str_done(&second);
	return drawn;
}

void pair_draw(struct canvas *c, struct rect r, const struct frame_model *s)
{
	struct rect a, b;

	if (!scene_shown(s->scene)) {
		const char *why = s->scene && s->scene->sentence ?
				  s->scene->sentence : s->waiting;

		if (why)
			prose_text(c, r, 0, why, INK(ROLE_DIM));
		return;
	}
	if (!s->beside || view_picture(s)->measured) {
		view_picture(s)->draw(c, r, s);
		return;
	}
	if (draw_together(c, r, s))
		return;
	split_rect(r, r.w >= 2 * r.h && (r.w - 1) / 2 >= view_picture(s)->least,
		   &a, &b);
	draw_recording(c, a, s, s->scene, s->beside);
	draw_recording(c, b, s, s->beside, s->scene);
}

void pair_source(struct canvas *c, struct rect r, const struct frame_model *s)
{
	struct frame_model other = *s;
	struct rect a, b;

	if (!s->beside || r.w < 100) {
		view_find("source")->draw(c, r, s);
		return;
	}
	split_rect(r, true, &a, &b);
	other.scene = s->beside;
	view_find("source")->draw(c, a, s);
	view_find("source")->draw(c, b, &other);
}

/* Adds a figure of both recordings, such as "4 : 32 sectors". */
static void add_pair(struct str *out, const char *what, int a, int b)
{
	if (a < 0 || b < 0)
		return;
	if (out->len)
		str_add(out, "  \xc2\xb7  ");
	str_addf(out, "%d : %d %s", a, b, what);
}

/* Adds what two pipelines differ in: stages and idle steps. */
static void add_pipelines(struct str *out, const struct pipeline *a,
			  const struct pipeline *b)
{
	add_pair(out, _("stages"), (int)a->stages, (int)b->stages);
	add_pair(out, _("steps in which nobody computes"),
		 (int)(a->ends + 1 - a->computes),
		 (int)(b->ends + 1 - b->computes));
}

bool pair_words(char *buf, size_t size, const struct frame_model *s)
{
	const struct scene *a = s->scene, *b = s->beside;
	bool pipelines = view_picture(s) == view_find("pipeline");
	char first[24], second[24];
	struct str out = {0};

	if (!a || !b || !a->site || !b->site || view_picture(s)->measured)
		return false;
	if (pipelines && a->pipeline && b->pipeline && !s->quiet) {
		add_pipelines(&out, a->pipeline, b->pipeline);
	} else if (a->costs && b->costs && !s->quiet) {
		add_pair(&out, _("sectors"), a->cost.sectors, b->cost.sectors);
		if (a->cost.sectors >= 0 && b->cost.sectors >= 0)
			add_pair(&out, _("bytes moved"),
				 a->cost.sectors * SECTOR_BYTES,
				 b->cost.sectors * SECTOR_BYTES);
		add_pair(&out, _("wavefronts"), a->cost.wavefronts,
			 b->cost.wavefronts);
	}
	if (a->order && b->order && view_picture(s) == view_find("order") &&
	    !s->quiet) {
		str_add(&out, out.len ? "  \xc2\xb7  " : "");
		kit_bytes(first, sizeof(first), a->order->strips.bytes);
		kit_bytes(second, sizeof(second), b->order->strips.bytes);
		str_addf(&out, _("%s : %s of A and B read by a wave"), first,
			 second);
	}
	if (!out.len)
		str_addf(&out, _("%s next to %s, at the same point"),
			 a->info->kernel, b->info->kernel);
	snprintf(buf, size, "%s", out.data);
	str_done(&out);
	return true;
}
