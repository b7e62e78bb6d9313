/* nvrtc: see nvrtc.h. */
#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

#include "base/lang.h"
#include "base/text.h"
#include "toolkit/nvrtc.h"
#include "toolkit/tools.h"

struct nvrtc nvrtc;

/* Where NVRTC was found; empty: not known. Compilers on several threads read
 * it. */
static char nvrtc_place[4096];

static void find_nvrtc(void *handle)
{
	struct link_map *map;
	char *slash;

	if (dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0)
		return;
	snprintf(nvrtc_place, sizeof(nvrtc_place), "%s", map->l_name);
	slash = strrchr(nvrtc_place, '/');
	*(slash ? slash : nvrtc_place) = '\0';
}

#define NVRTC_WANTED(name, type, arguments) \
	{ "nvrtc" #name, &nvrtc.name },

static int find_functions(void *handle, const char *path, struct error *e)
{
	static const struct { const char *symbol; void *to; } wanted[] = {
		NVRTC_FUNCTIONS(NVRTC_WANTED)
	};

	for (size_t i = 0; i < LENGTH(wanted); i++) {
		void *p = dlsym(handle, wanted[i].symbol);

		if (!p)
			return error_set(e, EXIT_RUNNER, "%s is too old: it "
					 "has no %s", text_show(path),
					 wanted[i].symbol);
		memcpy(wanted[i].to, &p, sizeof(p));
	}
	find_nvrtc(handle);
	return 0;
}

/* Tries each place in turn; the first that loads is used. */
static int open_first(struct error *e)
{
	struct tool_paths p = tools_nvrtc();
	const char *why = NULL;
	int rc = -1;

	error_set(e, EXIT_RUNNER, N_("NVRTC, which compiles this, is not "
				     "installed"));
	for (size_t i = 0; i < p.count && rc < 0; i++) {
		void *handle = dlopen(p.list[i], RTLD_NOW | RTLD_LOCAL);

		if (!handle && !why && strchr(p.list[i], '/'))
			why = dlerror();
		if (handle)
			rc = find_functions(handle, p.list[i], e);
		else if (why)
			error_set(e, EXIT_RUNNER, "NVRTC, which compiles "
				  "this, cannot be loaded (%s)",
				  text_show(why));
	}
	tool_paths_done(&p);
	return rc;
}

int nvrtc_open(struct error *e)
{
	static struct error failure;
	static bool tried;
	static int rc;

	if (!tried) {
		tried = true;
		rc = open_first(&failure);
	}
	if (rc < 0 && e)
		*e = failure;
	return rc;
}

const char *nvrtc_folder(void)
{
	return *nvrtc_place ? nvrtc_place : NULL;
}
