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

/* A tool: the folders of a toolkit that may have it, and its names; each list
 * ends with NULL. */
struct tool {
	const char *const *below, *const *names;
};

/* Adds the tool below the folders of a toolkit, such as
 * lib64/libnvrtc.so.13. */
static void add_toolkit(struct tool_paths *p, const char *home,
			const struct tool *t)
{
	for (const char *const *n = t->names; home && *home && *n; n++)
		for (const char *const *b = t->below; *b; b++)
			add_matches(p, xasprintf("%s/%s/%s", home, *b, *n));
}

/* Adds the tool where the packages of a site-packages have it. */
static void add_site(struct tool_paths *p, const char *site,
		     const struct tool *t)
{
	static const char *const packages[] = {
		"nvidia/cu13", "nvidia/cu12", "nvidia/*",
		"triton/backends/nvidia",
	};

	for (size_t i = 0; i < LENGTH(packages); i++) {
		char *home = xasprintf("%s/%s", site, packages[i]);

		add_toolkit(p, home, t);
		free(home);
	}
}

/* Calls a function for each part of a list like PATH. */
static void each_part(const char *list, struct tool_paths *p,
		      const struct tool *t,
		      void (*add)(struct tool_paths *p, const char *part,
				  const struct tool *t))
{
	char *copy = xstrdup(list ? list : ""), *rest;

	for (char *f = strtok_r(copy, ":", &rest); f;
	     f = strtok_r(NULL, ":", &rest))
		add(p, f, t);
	free(copy);
}

static void add_prefix(struct tool_paths *p, const char *prefix,
		       const struct tool *t)
{
	static const char *const sites[] = {
		"lib/python3*/site-packages", "lib/python3*/dist-packages",
		"local/lib/python3*/dist-packages",
	};

	for (size_t i = 0; prefix && i < LENGTH(sites); i++) {
		char *site = xasprintf("%s/%s", prefix, sites[i]);

		add_site(p, site, t);
		free(site);
	}
}

/* Adds the packages of the python3 of a folder of PATH. */
static void add_python(struct tool_paths *p, const char *folder,
		       const struct tool *t)
{
	char *python = xasprintf("%s/python3", folder);
	char *prefix = xasprintf("%s/..", folder);

	if (access(python, X_OK) == 0)
		add_prefix(p, prefix, t);
	free(prefix);
	free(python);
}

/* Adds a program next to the NVRTC that was loaded, and in PATH. */
static void add_program(struct tool_paths *p, const struct tool *t)
{
	const struct tool here = { (const char *const[]){ ".", NULL },
				   t->names };
	const char *beside = nvrtc_folder();

	if (beside) {
		add_matches(p, xasprintf("%s/../bin/%s", beside, *t->names));
		add_matches(p, xasprintf("%s/../../../bin/%s", beside,
					 *t->names));
	}
	each_part(getenv("PATH"), p, &here, add_toolkit);
}

/* Lists where a tool is, in the order of tools.h. */
static struct tool_paths find_places(const struct tool *t, bool is_program)
{
	static const char *const usual[] = {
		"/usr/local/cuda", "/opt/cuda", "/usr/local/nvidia",
		"/usr/lib/nvidia-cuda-toolkit",
	};
	struct tool_paths p = { 0 };
	const char *home = getenv("HOME");
	char *local;

	add_toolkit(&p, getenv("CUDA_HOME"), t);
	if (is_program)
		add_program(&p, t);
	/* The loader finds a library by its name. */
	for (size_t i = 0; !is_program && t->names[i]; i++)
		add_path(&p, xstrdup(t->names[i]));
	for (size_t i = 0; i < LENGTH(usual); i++)
		add_toolkit(&p, usual[i], t);
	each_part(getenv("PYTHONPATH"), &p, t, add_site);
	add_prefix(&p, getenv("VIRTUAL_ENV"), t);
	each_part(getenv("PATH"), &p, t, add_python);
	local = xasprintf("%s/.local", home ? home : "");
	add_prefix(&p, local, t);
	free(local);
	return p;
}

static const char *const libraries[] = {
	"lib64", "lib", "targets/x86_64-linux/lib", NULL,
};

struct tool_paths tools_nvrtc(void)
{
	static const char *const names[] = { "libnvrtc.so.13",
					     "libnvrtc.so.12", NULL };

	return find_places(&(struct tool){ libraries, names }, false);
}

struct tool_paths tools_nvjitlink(void)
{
	static const char *const names[] = { "libnvJitLink.so.13", NULL };

	return find_places(&(struct tool){ libraries, names }, false);
}

char *tools_nvdisasm(void)
{
	static const char *const programs[] = { "bin", NULL };
	static const char *const names[] = { "nvdisasm", NULL };
	struct tool_paths p = find_places(&(struct tool){ programs, names },
					  true);
	char *found = NULL;

	for (size_t i = 0; i < p.count && !found; i++)
		if (access(p.list[i], X_OK) == 0)
			found = realpath(p.list[i], NULL);
	tool_paths_done(&p);
	return found;
}
