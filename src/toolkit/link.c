/* link: see link.h. */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "toolkit/link.h"
#include "toolkit/tools.h"

#define INPUT_PTX 2
#define OPTIONS 3

typedef struct link_handle *link_handle;

/* Functions that never changed; their names carry the version that they are
 * of. */
#define LINK_FUNCTIONS(F) \
	F(Create, (link_handle *, uint32_t, const char **)) \
	F(Destroy, (link_handle *)) \
	F(AddData, (link_handle, int, const void *, size_t, const char *)) \
	F(Complete, (link_handle)) \
	F(GetLinkedCubinSize, (link_handle, size_t *)) \
	F(GetLinkedCubin, (link_handle, void *)) \
	F(GetErrorLogSize, (link_handle, size_t *)) \
	F(GetErrorLog, (link_handle, char *))
#define LINK_MEMBER(name, arguments) int (*name) arguments;
static struct { LINK_FUNCTIONS(LINK_MEMBER) } jit;

#define LINK_WANTED(name, arguments) { #name, &jit.name },

/* Finds all functions of one version, newest first; 0: there is none. */
static int find_version(void *handle, int *minor)
{
	static const struct { const char *name; void *to; } wanted[] = {
		LINK_FUNCTIONS(LINK_WANTED)
	};

	for (*minor = 9; *minor >= 0; --*minor) {
		size_t n = 0;

		for (; n < LENGTH(wanted); n++) {
			char *symbol = xasprintf("__nvJitLink%s_13_%d",
						 wanted[n].name, *minor);
			void *p = dlsym(handle, symbol);

			free(symbol);
			if (!p)
				break;
			memcpy(wanted[n].to, &p, sizeof(p));
		}
		if (n == LENGTH(wanted))
			return 0;
	}
	return -1;
}

static bool is_ptx(const char *code)
{
	return code[strspn(code, "0123456789abcdef")] != '\0';
}

int link_open(const char *code, char **compiler, struct error *e)
{
	struct tool_paths p;
	int rc = -1, minor = 0;

	*compiler = NULL;
	if (!is_ptx(code))
		return 0;
	p = tools_nvjitlink();
	for (size_t i = 0; i < p.count && rc < 0; i++) {
		void *handle = dlopen(p.list[i], RTLD_NOW | RTLD_LOCAL);

		if (handle)
			rc = find_version(handle, &minor);
	}
	tool_paths_done(&p);
	if (rc < 0)
		return error_set(e, EXIT_RUNNER, "nvJitLink, which makes "
				 "machine code of PTX, is not installed (pip "
				 "install nvidia-nvjitlink)");
	*compiler = xasprintf("nvJitLink 13.%d", minor);
	return 0;
}

/* Sets e to the first line of what it says. */
static int say_log(link_handle h, struct error *e)
{
	size_t n = 0;
	char *log, *at;

	jit.GetErrorLogSize(h, &n);
	log = xcalloc(n + 1, 1);
	if (n)
		jit.GetErrorLog(h, log);
	at = strstr(log, "line ");
	at = at ? at : log;
	at[strcspn(at, "\n")] = '\0';
	error_set(e, EXIT_INPUT, "the PTX is not valid: %s",
		  *at ? text_show(at) : "?");
	free(log);
	return -1;
}

int link_ptx(struct compiled *to, const char *ptx, uint32_t arch,
	     struct error *e)
{
	char *target = xasprintf("-arch=sm_%u%s", arch, arch == 90 ? "a" : "");
	const char *options[OPTIONS] = { target, "-lineinfo", "-O3" };
	link_handle h = NULL;
	int r = jit.Create(&h, OPTIONS, options);

	free(target);
	if (r)
		return error_set(e, EXIT_RUNNER, "nvJitLink: error %d", r);
	if (jit.AddData(h, INPUT_PTX, ptx, strlen(ptx) + 1, "kernel.ptx") ||
	    jit.Complete(h) || jit.GetLinkedCubinSize(h, &to->length)) {
		r = say_log(h, e);
	} else {
		to->code = xcalloc(to->length + 1, 1);
		jit.GetLinkedCubin(h, to->code);
	}
	jit.Destroy(&h);
	return r;
}
