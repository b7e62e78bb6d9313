#include <config.h>

#include "cli/version.h"

#include "base/confine.h"
#include "base/lang.h"
#include "cli/command.h"

/* Parts that configure may leave out. */
static const struct {
	const char *name;	/* N_() */
	bool built;
} parts[] = {
#ifdef HAVE_GIF
	{ N_("GIF (giflib, FreeType)"), true },
#else
	{ N_("GIF (giflib, FreeType)"), false },
#endif
#ifdef HAVE_MSGFMT
	{ N_("translations"), true },
#else
	{ N_("translations"), false },
#endif
#ifdef HAVE_NVCC
	{ N_("gemmviz-gpu (CUDA)"), true },
#else
	{ N_("gemmviz-gpu (CUDA)"), false },
#endif
#ifdef SANITIZED
	{ N_("sanitizers"), true },
#endif
};

static void print_parts(const char *words, bool built)
{
	const char *before = words;

	for (size_t i = 0; i < LENGTH(parts); i++)
		if (parts[i].built == built) {
			printf("%s%s", before, _(parts[i].name));
			before = ", ";
		}
	if (before != words)
		putchar('\n');
}

int version_print(void)
{
	struct error e;
	const char *words = confine_words(&e);

	printf("gemmviz %s\n", PACKAGE_VERSION);
	print_parts(_("built with: "), true);
	print_parts(_("built without: "), false);
	printf(_("kernels are compiled by: %s\n"), KERNEL_CXX);
	if (words)
		printf(_("A reader's file is confined by %s.\n"), words);
	else
		printf("%s\n", e.text);
	return command_flush(EXIT_DONE);
}
