/* tools: see tools.h. */
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "toolkit/nvrtc.h"
#include "toolkit/tools.h"

void tool_paths_done(struct tool_paths *p)
{
	while (p->count)
		free(p->list[--p->count]);
	free(p->list);
	*p = (struct tool_paths){ 0 };
}

static void add_path(struct tool_paths *p, char *path)
{
	grow(&p->list, &p->capacity, p->count + 1, sizeof(*p->list));
	p->list[p->count++] = path;
}

/* Adds what matches a pattern, in order. */
static void add_matches(struct tool_paths *p, char *pattern)
{
	glob_t g;

	if (glob(pattern, 0, NULL, &g) == 0)
		for (size_t i = 0; i < g.gl_pathc; i++)
			add_path(p, xstrdup(g.gl_pathv[i]));
	globfree(&g);
	free(pattern);
}

/* Adds the file below the folders of a toolkit, such as lib64/libnvrtc.so. */
static void add_toolkit(struct tool_paths *p, const char *home,
			const char *const *below, const char *name)
{
	for (; home && *home && *below; below++)
		add_matches(p, xasprintf("%s/%s/%s", home, *below, name));
}

/* Adds the file where the packages of a site-packages have it. */
static void add_site(struct tool_paths *p, const char *site,
		     const char *const *below, const char *name)
{
	static const char *const packages[] = {
		"nvidia/cu13", "nvidia/cu12", "nvidia/*",
		"triton/backends/nvidia",
	};

	for (size_t i = 0; i < LENGTH(packages); i++) {
		char *home = xasprintf("%s/%s", site, packages[i]);

		add_toolkit(p, home, below, name);
		free(home);
	}
}

/* Calls a function for each part of a list like PATH. */
static void each_part(const char *list, struct tool_paths *p,
		      const char *const *below, const char *name,
		      void (*add)(struct tool_paths *p, const char *part,
				  const char *const *below, const char *name))
{
	char *copy = xstrdup(list ? list : ""), *rest;

	for (char *f = strtok_r(copy, ":", &rest); f;
	     f = strtok_r(NULL, ":", &rest))
		add(p, f, below, name);
	free(copy);
}

static void add_prefix(struct tool_paths *p, const char *prefix,
		       const char *const *below, const char *name)
{
	static const char *const sites[] = {
		"lib/python3*/site-packages", "lib/python3*/dist-packages",
		"local/lib/python3*/dist-packages",
	};

	for (size_t i = 0; prefix && i < LENGTH(sites); i++) {
		char *site = xasprintf("%s/%s", prefix, sites[i]);

		add_site(p, site, below, name);
		free(site);
	}
}

/* Adds the packages of the python3 of a folder of PATH. */
static void add_python(struct tool_paths *p, const char *folder,
		       const char *const *below, const char *name)
{
	char *python = xasprintf("%s/python3", folder);
	char *prefix = xasprintf("%s/..", folder);

	if (access(python, X_OK) == 0)
		add_prefix(p, prefix, below, name);
	free(prefix);
	free(python);
}

static void add_places(struct tool_paths *p, const char *const *below,
		    const char *name, bool in_path)
{
	static const char *const usual[] = {
		"/usr/local/cuda", "/opt/cuda", "/usr/local/nvidia",
		"/usr/lib/nvidia-cuda-toolkit",
	};
	const char *home = getenv("HOME");
	const char *beside = in_path ? nvrtc_folder() : NULL;
	char *local;

	add_toolkit(p, getenv("CUDA_HOME"), below, name);
	if (beside) {
		add_matches(p, xasprintf("%s/../bin/%s", beside, name));
		add_matches(p, xasprintf("%s/../../../bin/%s", beside, name));
	}
	if (in_path)
		each_part(getenv("PATH"), p, (const char *const[]){ ".", NULL },
			  name, add_toolkit);
	else
		add_path(p, xstrndup(name, strcspn(name, "*")));
	for (size_t i = 0; i < LENGTH(usual); i++)
		add_toolkit(p, usual[i], below, name);
	each_part(getenv("PYTHONPATH"), p, below, name, add_site);
	add_prefix(p, getenv("VIRTUAL_ENV"), below, name);
	each_part(getenv("PATH"), p, below, name, add_python);
	local = xasprintf("%s/.local", home ? home : "");
	add_prefix(p, local, below, name);
	free(local);
}

static const char *const libraries[] = {
	"lib64", "lib", "targets/x86_64-linux/lib", NULL,
};

struct tool_paths tools_nvrtc(void)
{
	struct tool_paths p = { 0 };

	add_places(&p, libraries, "libnvrtc.so.13", false);
	add_places(&p, libraries, "libnvrtc.so.12", false);
	return p;
}

struct tool_paths tools_nvjitlink(void)
{
	struct tool_paths p = { 0 };

	add_places(&p, libraries, "libnvJitLink.so.13", false);
	return p;
}

char *tools_nvdisasm(void)
{
	static const char *const programs[] = { "bin", NULL };
	struct tool_paths p = { 0 };
	char *found = NULL;

	add_places(&p, programs, "nvdisasm", true);
	for (size_t i = 0; i < p.count && !found; i++)
		if (access(p.list[i], X_OK) == 0)
			found = realpath(p.list[i], NULL);
	tool_paths_done(&p);
	return found;
}
