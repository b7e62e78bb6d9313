/* Writes the frames at rest in colour, for cat and less -R. */
#include "base/lang.h"
#include "export/ansi.h"
#include "export/export.h"

static void frame(struct export *x, const struct export_frame *f)
{
	if (x->frames)
		str_addc(&x->out, '\f');
	for (int y = 0; y < f->canvas->h; y++) {
		ansi_row(&x->out, f->canvas, y, x->theme);
		str_addc(&x->out, '\n');
	}
}

const struct exporter exporter_ansi = {
	.name = "ansi", .suffix = ".ansi",
	.help = N_("the same in 256 colours, for less -R"),
	.frame = frame,
};
