/* Draws the speeds that races measured of this kernel and those around it on
 * the ladder, as bars. */
#include "viz/pictures/pipeline/view_pipeline.h"

#include <string.h>

#include "base/text.h"
#include "viz/kit.h"

#define MEASURED_BAR 5

static int measured_width(const struct pipeline_measured *m, int i)
{
	return m->flops[i] > 0 ?
	       text_width(m->kernel[i]) + MEASURED_BAR + 8 : 0;
}

/* Returns the first kernel shown: the last ones that fit are, and this one. */
static int measured_first(const struct pipeline_measured *m, int mine, int w)
{
	int i = m->count;

	while (i > 0 && measured_width(m, i - 1) <= w)
		w -= measured_width(m, --i);
	return mine >= 0 ? MIN(i, mine) : i;
}

void pipeline_measured(struct canvas *c, struct rect label, struct rect r,
		       const struct frame_model *s)
{
	const struct pipeline_measured *m = &s->scene->pipeline->measured;
	int x = r.x, y = r.y, end = r.x + r.w, mine = -1;
	bool older = false;
	double most = 0;

	for (int i = 0; i < m->count; i++) {
		most = m->flops[i] > most ? m->flops[i] : most;
		if (!strcmp(m->kernel[i], s->scene->info->kernel))
			mine = i;
	}
	if (!(most > 0))
		return;
	canvas_textf(c, label.x, y, label.w, INK(ROLE_DIM),
		     _("TFLOP/s, %d\xc2\xb3"), m->n);
	for (int i = measured_first(m, mine, r.w); i < m->count; i++) {
		struct ink ink = i == mine ? INK_BOLD(ROLE_STRONG) :
					     INK(ROLE_DIM);
		int w = text_width(m->kernel[i]);

		if (!(m->flops[i] > 0) || x + measured_width(m, i) > end)
			continue;
		canvas_text(c, x, y, w, m->kernel[i], ink);
		kit_bar(c, x + w + 1, y, MEASURED_BAR, m->flops[i] / most,
			i == mine ? ROLE_ACCENT : ROLE_OWN, ROLE_FIELD);
		canvas_textf(c, x + w + MEASURED_BAR + 2, y, 5, ink, "%.3g%s",
			     m->flops[i] / 1e12, m->older[i] ? "*" : "");
		older |= m->older[i];
		x += measured_width(m, i);
	}
	if (older)
		x += kit_whole(c, x, y, end - x, _("* of an older source"),
			       INK(ROLE_DIM)) + 2;
	if (x + 9 + text_width(m->gpu) < end)
		canvas_text(c, x, y, end - x, m->gpu, INK(ROLE_DIM));
}
