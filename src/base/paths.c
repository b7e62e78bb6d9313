/*
 * paths: where the program's files are. See struct paths in base.h.
 *
 * In the build tree both programs stand in its top folder. Installed, gemmviz
 * is in bindir and gemmviz-emu in pkglibexecdir; every other folder is found
 * by its way from there, so that a tree that was moved as a whole works.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/base.h"

/* Returns the running program's folder, without a slash at the end; heap. */
static char *paths_exe_dir(void)
{
	char buf[4096];
	ssize_t n = readlink("/proc/self/exe", buf, sizeof(buf) - 1);
	char *slash;

	if (n < 0)
		return xstrdup(BINDIR);
	buf[n] = '\0';
	slash = strrchr(buf, '/');
	if (slash == buf)
		slash++;
	if (slash)
		*slash = '\0';
	return xstrdup(buf);
}

/* Tests whether `dir` ends in the folders of `tail` ("/bin"), and cuts them
 * off. */
static bool paths_cut(char *dir, const char *tail)
{
	size_t n = strlen(dir), t = strlen(tail);

	if (t == 0 || n < t || strcmp(dir + n - t, tail) != 0)
		return false;
	dir[n - t] = '\0';
	return true;
}

/* Returns the length of the common beginning of both, whole folders only. */
static size_t paths_common(const char *a, const char *b)
{
	size_t common = 0;

	for (size_t i = 0;; i++) {
		bool end_a = a[i] == '/' || a[i] == '\0';
		bool end_b = b[i] == '/' || b[i] == '\0';

		if (end_a && end_b)
			common = i;
		if (a[i] != b[i] || a[i] == '\0')
			return common;
	}
}

/* Returns the installation prefix now. The configured prefix is the common
 * beginning of bindir and pkglibexecdir; `dir` is where one of them is now.
 * Sets *from to the prefix's length in the configured paths. NULL when the
 * executable is elsewhere. */
static char *paths_prefix(const char *dir, size_t *from)
{
	char *now = xstrdup(dir);

	*from = paths_common(BINDIR, PKGLIBEXECDIR);
	if (paths_cut(now, &BINDIR[*from]) ||
	    paths_cut(now, &PKGLIBEXECDIR[*from]))
		return now;
	free(now);
	return NULL;
}

static char *paths_installed(const char *now, size_t from,
			     const char *configured)
{
	if (now && paths_common(BINDIR, configured) >= from)
		return xasprintf("%s%s", now, configured + from);
	return xstrdup(configured);
}

static void paths_build_tree(struct paths *p)
{
	p->lessons = xstrdup(ABS_SRCDIR "/lessons");
	p->kernels = xstrdup(ABS_SRCDIR "/src/kernels");
	p->modules = xstrdup(ABS_BUILDDIR "/modules");
	p->cuda = xstrdup(ABS_SRCDIR "/src/cuda-headers");
	p->locale = xstrdup(ABS_BUILDDIR "/locale");
	p->data = xstrdup(ABS_SRCDIR "/data");
	p->terminfo = xstrdup(ABS_BUILDDIR "/terminfo");
	p->web = xstrdup(ABS_BUILDDIR "/web");
	p->emu = xstrdup(ABS_BUILDDIR "/gemmviz-emu");
	p->assembler = xstrdup(ABS_BUILDDIR "/gemmviz-as");
	p->gpu = xstrdup(ABS_BUILDDIR "/gemmviz-gpu");
	p->machine = xstrdup(ABS_BUILDDIR "/gemmviz-machine");
}

static void paths_install_tree(struct paths *p, const char *dir)
{
	size_t from;
	char *now = paths_prefix(dir, &from);

	p->lessons = paths_installed(now, from, PKGDATADIR "/lessons");
	p->kernels = paths_installed(now, from, PKGDATADIR "/kernels");
	p->modules = paths_installed(now, from, PKGLIBDIR "/modules");
	p->cuda = paths_installed(now, from, PKGDATADIR "/cuda");
	p->locale = paths_installed(now, from, LOCALEDIR);
	p->data = paths_installed(now, from, PKGDATADIR "/data");
	p->terminfo = paths_installed(now, from, PKGDATADIR "/terminfo");
	p->web = paths_installed(now, from, PKGDATADIR "/web");
	p->emu = paths_installed(now, from, PKGLIBEXECDIR "/gemmviz-emu");
	p->assembler = paths_installed(now, from, PKGLIBEXECDIR "/gemmviz-as");
	p->gpu = paths_installed(now, from, BINDIR "/gemmviz-gpu");
	p->machine = paths_installed(now, from,
				     PKGLIBEXECDIR "/gemmviz-machine");
	free(now);
}

/* The build tree: its top folder, and tests/ and bench/ below. */
static bool paths_in_build_tree(const char *dir)
{
	size_t n = strlen(ABS_BUILDDIR);

	return !strncmp(dir, ABS_BUILDDIR, n) &&
	       (dir[n] == '\0' || !strcmp(dir + n, "/tests") ||
		!strcmp(dir + n, "/bench"));
}

const struct paths *paths(void)
{
	static struct paths p;
	char *dir;

	if (p.emu)
		return &p;
	dir = paths_exe_dir();
	if (paths_in_build_tree(dir))
		paths_build_tree(&p);
	else
		paths_install_tree(&p, dir);
	free(dir);
	return &p;
}
