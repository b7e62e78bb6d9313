/* The program itself in a page, which has no frames: cli/export_page.h makes
 * it. */
#include "base/lang.h"
#include "export/export.h"

static void ignore_frame(struct export *x, const struct export_frame *f)
{
	(void)x, (void)f;
}

const struct exporter exporter_page = {
	.name = "page", .suffix = ".page.html",
	.help = N_("this program in one file, for any browser"),
	.program = true, .frame = ignore_frame,
};
