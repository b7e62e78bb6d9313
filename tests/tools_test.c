/* The places where NVIDIA's tools are looked for, and their order. */
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tap.h"
#include "toolkit/tools.h"

#define SITE "lib/python3.11/site-packages"

static char folder[] = "/tmp/tools_test_XXXXXX";

/* Makes a file that can be executed, and the folders above it. */
static void make_file(const char *name)
{
	char *path = xasprintf("%s/%s", folder, name);
	FILE *f;

	for (char *s = path + 1; (s = strchr(s, '/')); s++) {
		*s = '\0';
		mkdir(path, 0700);
		*s = '/';
	}
	f = fopen(path, "w");
	if (!f || fclose(f) != 0 || chmod(path, 0700) < 0)
		fatal("%s cannot be written", path);
	free(path);
}

static void set_folder(const char *variable, const char *below)
{
	char *value = xasprintf("%s/%s", folder, below);

	setenv(variable, value, 1);
	free(value);
}

/* Returns where the list has a path, of our folder unless it is absolute or only
 * a name; -1: nowhere. */
static int find_place(const struct tool_paths *p, const char *name)
{
	char *path = strncmp(name, "lib", 3) && *name != '/' ?
		     xasprintf("%s/%s", folder, name) : xstrdup(name);
	int at = -1;

	for (size_t i = 0; i < p->count && at < 0; i++)
		if (!strcmp(p->list[i], path))
			at = (int)i;
	free(path);
	return at;
}

static void try_libraries(void)
{
	static const char *const order[] = {
		"home/lib64/libnvrtc.so.13", "home/lib64/libnvrtc.so.12",
		"libnvrtc.so.13", "/usr/local/cuda/lib64/libnvrtc.so.13",
		"path/nvidia/cu12/lib/libnvrtc.so.12",
		"venv/" SITE "/nvidia/cu13/lib/libnvrtc.so.13",
		"python/bin/../" SITE "/nvidia/cu13/lib/libnvrtc.so.13",
		"user/.local/" SITE "/nvidia/cu13/lib/libnvrtc.so.13",
	};
	struct tool_paths p;
	int last = -1;

	for (size_t i = 0; i < LENGTH(order); i++)
		if (strncmp(order[i], "lib", 3) && *order[i] != '/')
			make_file(order[i]);
	p = tools_nvrtc();
	for (size_t i = 0; i < LENGTH(order); i++) {
		int at = find_place(&p, order[i]);

		/* A machine need not have a toolkit. */
		if (*order[i] == '/' && access(order[i], R_OK) != 0)
			continue;
		tap_ok(at > last, "%s is next", order[i]);
		last = at;
	}
	tool_paths_done(&p);
}

static void try_programs(void)
{
	static const char *const order[] = {
		"home/bin/nvdisasm", "python/bin/nvdisasm",
		"path/nvidia/cu13/bin/nvdisasm",
		"venv/" SITE "/triton/backends/nvidia/bin/nvdisasm",
		"python/" SITE "/nvidia/cu13/bin/nvdisasm",
	};

	for (size_t i = 0; i < LENGTH(order); i++)
		make_file(order[i]);
	for (size_t i = 0; i < LENGTH(order); i++) {
		char *want = xasprintf("%s/%s", folder, order[i]);
		char *found = tools_nvdisasm();

		if (i >= 2 && found && strncmp(found, folder,
					       strlen(folder)) != 0)
			printf("ok %d - %s # SKIP a toolkit has nvdisasm\n",
			       ++tap_count, order[i]);
		else
			tap_str(found, want, "%s is next", order[i]);
		unlink(want);
		free(found);
		free(want);
	}
}

int main(void)
{
	char *command;
	int rc;

	if (!mkdtemp(folder))
		fatal("mkdtemp");
	set_folder("CUDA_HOME", "home");
	set_folder("PYTHONPATH", "path");
	set_folder("VIRTUAL_ENV", "venv");
	set_folder("PATH", "python/bin");
	set_folder("HOME", "user");
	make_file("python/bin/python3");
	try_libraries();
	try_programs();
	setenv("PATH", "/usr/bin:/bin", 1);
	command = xasprintf("rm -r %s", folder);
	rc = system(command);
	tap_is(rc, 0, "its files are removed");
	free(command);
	return tap_done();
}
