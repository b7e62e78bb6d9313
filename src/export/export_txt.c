/* Writes the frames at rest as plain text. */
#include "base/lang.h"
#include "export/export.h"

static void frame(struct export *x, const struct export_frame *f)
{
	if (x->frames)
		str_addc(&x->out, '\f');
	canvas_print(f->canvas, false, &x->out);
}

const struct exporter exporter_txt = {
	.name = "txt", .suffix = ".txt",
	.help = N_("plain text, with a form feed between steps"),
	.frame = frame,
};
