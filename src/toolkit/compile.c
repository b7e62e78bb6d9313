/*
 * compile: compiles with NVRTC. See compile.h.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cpp_words.h"
#include "base/text.h"
#include "record/kernel_text.h"
#include "protocol/headers.h"
#include "toolkit/compile.h"
#include "toolkit/nvrtc.h"

#define OPTIONS_MAX 64
/* Headers that may be missing. */
#define HEADERS_MAX 32

struct compiler_options {
	char *list[OPTIONS_MAX];
	int count;
};

PRINTF(2, 3)
static void add_option(struct compiler_options *o, const char *fmt, ...)
{
	va_list ap;
	char *text;

	va_start(ap, fmt);
	if (vasprintf(&text, fmt, ap) < 0)
		fatal("out of memory");
	va_end(ap);
	if (o->count == OPTIONS_MAX)
		fatal("too many options for the compiler");
	o->list[o->count++] = text;
}

static void options_done(struct compiler_options *o)
{
	while (o->count)
		free(o->list[--o->count]);
}

/* ---- where the toolkit's headers are ---- */

/* Tests whether a folder has the toolkit's headers. */
static bool folder_has(const char *folder)
{
	char *path = xasprintf("%s/cuda_fp16.h", folder);
	bool has = access(path, R_OK) == 0;

	free(path);
	return has;
}

/* Adds the folders of headers that NVRTC does not contain, such as
 * <cuda_fp16.h> and <mma.h>. */
static void include_folders(struct compiler_options *o)
{
	const char *home = getenv("CUDA_HOME"), *beside = nvrtc_folder();
	char *tried[] = {
		xasprintf("%s/include", home ? home : "/usr/local/cuda"),
		xasprintf("%s/../include", beside ? beside : "."),
		xasprintf("%s/../../../include", beside ? beside : "."),
		xstrdup("/usr/local/cuda/include"),
		xstrdup("/usr/include"),
	};
	bool found = false;

	for (size_t i = 0; i < LENGTH(tried); i++) {
		if (!found && folder_has(tried[i])) {
			found = true;
			add_option(o, "--include-path=%s", tried[i]);
			add_option(o, "--include-path=%s/cccl", tried[i]);
		}
		free(tried[i]);
	}
}

/* ---- the architecture ---- */

/* Returns the newest architecture that the compiler supports and the GPU runs,
 * as 90. */
static int arch_best(int major, int minor)
{
	int count = 0, best = 0, *archs;

	if (nvrtc.GetNumSupportedArchs(&count) != NVRTC_SUCCESS || count <= 0)
		return major * 10 + minor;
	archs = xcalloc((size_t)count, sizeof(*archs));
	if (nvrtc.GetSupportedArchs(archs) == NVRTC_SUCCESS)
		for (int i = 0; i < count; i++)
			if (archs[i] <= major * 10 + minor && archs[i] > best)
				best = archs[i];
	free(archs);
	return best ? best : major * 10 + minor;
}

static void arch_option(struct compiler_options *o, enum compile_for what,
			int major, int minor)
{
	int gpu = major * 10 + minor, arch = arch_best(major, minor);

	/* Machine code runs on newer GPUs of the same major number only; and
	 * Hopper's own instructions have an architecture of their own. */
	if (what != COMPILE_TIMED || arch / 10 != major)
		add_option(o, "--gpu-architecture=compute_%d", arch);
	else
		add_option(o, "--gpu-architecture=sm_%d%s", arch,
			   gpu == 90 ? "a" : "");
}

static void options_make(struct compiler_options *o, enum compile_for what,
			 bool hosted, const struct trace_define *defines,
			 size_t count, int major, int minor)
{
	arch_option(o, what, major, minor);
	add_option(o, "--std=c++17");
	add_option(o, what == COMPILE_DEBUG || what == COMPILE_NAMES ?
			      "--device-debug" :
			      "--generate-line-info");
	/* Without its __shared__, what stands outside functions is the host's,
	 * and so is what the host's functions have left behind. */
	if (what == COMPILE_NAMES || hosted)
		add_option(o, "--device-as-default-execution-space");
	/* What ptxas says of registers and spills is in the log. */
	if (what == COMPILE_TIMED)
		add_option(o, "--ptxas-options=-v");
	include_folders(o);
	for (size_t i = 0; i < count; i++)
		add_option(o, "--define-macro=%s=%s", defines[i].name,
			   defines[i].value);
}

/* ---- messages ---- */

/*
 * Sets e to the first error of the compiler's log. NVRTC writes "x.cu(7):
 * error: identifier "f" is undefined", then shows the line; the message may
 * continue on the next.
 */
static int log_error(nvrtcProgram program, const char *file, nvrtcResult r,
		     struct error *e)
{
	size_t n = 0;
	char *log, *at, *start;

	if (nvrtc.GetProgramLogSize(program, &n) != NVRTC_SUCCESS || n < 2)
		return error_set(e, EXIT_INPUT, "%s: %s", text_show(file),
				 nvrtc.GetErrorString(r));
	log = xcalloc(n + 1, 1);
	nvrtc.GetProgramLog(program, log);
	at = strstr(log, "error");
	start = at ? at : log;
	while (start > log && start[-1] != '\n')
		start--;
	start[strcspn(start, "\n")] = '\0';
	error_set(e, EXIT_INPUT, "%s", text_show(start));
	free(log);
	return -1;
}

/* ---- headers ---- */

/* C++'s, of which NVRTC has none, but CUDA the same under cuda/std. */
static const struct { const char *name, *cuda; } standard[] = {
	{ "array", "array" }, { "cfloat", "cfloat" }, { "climits", "climits" },
	{ "cmath", "cmath" }, { "cstddef", "cstddef" },
	{ "cstdint", "cstdint" }, { "float.h", "cfloat" },
	{ "limits", "limits" }, { "limits.h", "climits" },
	{ "stdint.h", "cstdint" }, { "type_traits", "type_traits" },
	{ "utility", "utility" },
};

/* What the host's functions need, which are blank, is not here: such a header
 * is empty. If the kernel needs it, the compiler says what it lacks. */
struct headers {
	const char **names;
	char **texts;
	int count;
	size_t name_capacity, text_capacity;
	char **own;		/* names that are allocated */
	size_t own_count, own_capacity;
	struct job_defines missing;
};

/* Adds a header; of several with one name the first is used. Takes over the
 * text. */
static void header_add(struct headers *h, const char *name, char *text)
{
	size_t n = (size_t)h->count;

	for (int i = 0; i < h->count; i++)
		if (!strcmp(h->names[i], name)) {
			free(text);
			return;
		}
	grow(&h->names, &h->name_capacity, n + 1, sizeof(*h->names));
	grow(&h->texts, &h->text_capacity, n + 1, sizeof(*h->texts));
	grow(&h->own, &h->own_capacity, h->own_count + 1, sizeof(*h->own));
	h->own[h->own_count] = xstrdup(name);
	h->names[n] = h->own[h->own_count++];
	h->texts[n] = text;
	h->count++;
}

struct including {
	struct headers *to;
	const struct job_kernel *k;
	const char *folder;
};

static void header_name_add(void *ctx, const char *name, bool quoted)
{
	const struct including *in = ctx;
	const char *text = headers_text(in->k, in->folder, name, quoted);

	if (text)
		header_add(in->to, name, xstrdup(text));
}

/* Adds the user's headers under each name by which they are included, since
 * NVRTC finds a header only by the words of the include. */
static void headers_user(struct headers *h, const struct kernel_text *t,
			 const struct job_defines *folders)
{
	const struct job_kernel k = { .headers = t->headers,
				      .folders = *folders };
	struct including in = { h, &k, "" };

	headers_includes(t->own.text, header_name_add, &in);
	for (size_t i = 0; i < k.headers.count; i++) {
		char *folder = headers_folder(k.headers.list[i].name);

		in.folder = folder;
		headers_includes(k.headers.list[i].value, header_name_add,
				 &in);
		free(folder);
	}
}

static void headers_make(struct headers *h)
{
	*h = (struct headers) { .count = 0 };
	header_add(h, "ptx.h", xstrdup(toolkit_ptx_header));
	for (size_t i = 0; i < LENGTH(standard); i++)
		header_add(h, standard[i].name, xasprintf(
			"#include <cuda/std/%s>\n"
			"namespace std { using namespace cuda::std; }\n",
			standard[i].cuda));
}

static void headers_done(struct headers *h)
{
	while (h->count)
		free(h->texts[--h->count]);
	while (h->own_count)
		free(h->own[--h->own_count]);
	free(h->names);
	free(h->texts);
	free(h->own);
	job_defines_done(&h->missing);
}

/* Returns the header that the message says is not there; heap, or NULL. */
static char *find_missing_header(const char *said)
{
	static const char words[] = "cannot open source file \"";
	const char *name = strstr(said, words);

	name += name ? strlen(words) : 0;
	return name ? xstrndup(name, strcspn(name, "\"")) : NULL;
}

/* Sets the error of a header from outside the file's folder, with what would
 * allow it; returns false if the message complains of something else. */
static bool refuse_outside(const struct job_kernel *k, const char *file,
			 struct error *e)
{
	char *name = find_missing_header(e->text);
	const char *folder = name ? job_defined(&k->outside, name) : NULL;
	unsigned line = 0;

	sscanf(e->text, "%*[^(](%u)", &line);
	if (folder)
		error_set(e, EXIT_REFUSED, "%s:%u: \"%s\" is outside the "
			  "file's folder%s%s", text_show(file), line,
			  text_show(name), *folder ? "; allow it with -I " : "",
			  text_show(folder));
	free(name);
	return folder;
}

/* Adds an empty header in place of the one that the message reports as missing;
 * false for other messages. */
static bool stub_missing_header(struct headers *h, const char *said)
{
	char *missing = find_missing_header(said);

	if (!missing || h->missing.count == HEADERS_MAX) {
		free(missing);
		return false;
	}
	job_define(&h->missing, missing, "0");
	header_add(h, missing, xstrdup(""));
	free(missing);
	return true;
}

/* Adds the names of missing headers to an error that may be caused by them.
 * Returns -1. */
static int headers_said(const struct headers *h, struct error *e)
{
	struct str names = { 0 };
	struct error own = *e;

	for (size_t i = 0; i < h->missing.count; i++)
		str_addf(&names, "%s%s", i ? ", " : "",
			 h->missing.list[i].name);
	if (names.len && e->status == EXIT_INPUT)
		error_set(e, EXIT_INPUT, "%s (not here, so left out: %s)",
			  own.text, text_show(names.data));
	str_done(&names);
	return -1;
}

/* ---- compiling ---- */

static int take_code(struct compiled *to, nvrtcProgram program, bool machine,
		     struct error *e)
{
	nvrtcResult r = machine ?
		nvrtc.GetCUBINSize(program, &to->length) :
		nvrtc.GetPTXSize(program, &to->length);

	if (r == NVRTC_SUCCESS && machine && to->length == 0)
		return take_code(to, program, false, e);
	if (r == NVRTC_SUCCESS) {
		to->code = xcalloc(to->length + 1, 1);
		r = machine ? nvrtc.GetCUBIN(program, to->code) :
			      nvrtc.GetPTX(program, to->code);
	}
	if (r == NVRTC_SUCCESS)
		return 0;
	return error_set(e, EXIT_RUNNER, "NVRTC: %s",
			 nvrtc.GetErrorString(r));
}

static void take_log(struct compiled *to, nvrtcProgram program)
{
	size_t n = 0;

	if (nvrtc.GetProgramLogSize(program, &n) != NVRTC_SUCCESS || n < 2)
		return;
	to->log = xcalloc(n + 1, 1);
	nvrtc.GetProgramLog(program, to->log);
}

static int compile_program(struct compiled *to, nvrtcProgram program,
			   const struct compiler_options *o, bool machine,
			   const char *file, const char *entry, struct error *e)
{
	const char *lowered = NULL;
	nvrtcResult r = nvrtc.AddNameExpression(program, entry);

	if (r == NVRTC_SUCCESS)
		r = nvrtc.CompileProgram(program, o->count,
					 (const char *const *)o->list);
	if (r != NVRTC_SUCCESS)
		return log_error(program, file, r, e);
	r = nvrtc.GetLoweredName(program, entry, &lowered);
	if (r != NVRTC_SUCCESS)
		return error_set(e, EXIT_INPUT, "%s: %s: %s", text_show(file),
				 text_show(entry), nvrtc.GetErrorString(r));
	to->entry = xstrdup(lowered);
	take_log(to, program);
	return take_code(to, program, machine, e);
}

/* nvcc has them from the C library. */
static const char c_types[] =
	"typedef unsigned short ushort;\n"
	"typedef unsigned int uint;\n"
	"typedef unsigned long ulong;\n";
static const char without_shared[] =
	"#undef __shared__\n"
	"#define __shared__\n";

static int compile_with_headers(struct compiled *to, enum compile_for what,
				const char *file, const char *text,
				const char *entry,
				const struct compiler_options *o,
				const struct headers *h, struct error *e)
{
	nvrtcProgram program;
	nvrtcResult r;
	int rc;

	r = nvrtc.CreateProgram(&program, text, file, h->count,
				(const char *const *)h->texts, h->names);
	if (r != NVRTC_SUCCESS)
		return error_set(e, EXIT_RUNNER, "NVRTC: %s",
				 nvrtc.GetErrorString(r));
	rc = compile_program(to, program, o, what == COMPILE_TIMED, file, entry,
			     e);
	nvrtc.DestroyProgram(&program);
	if (rc < 0)
		compiled_done(to);
	return rc;
}

int nvrtc_compile(struct compiled *to, enum compile_for what,
		  const struct job_kernel *k, const char *text,
		  const char *entry, int major, int minor, struct error *e)
{
	/* A name that may be an option is not passed on. */
	const char *file = k->file && !strchr("-@", *k->file) ? k->file :
							       "kernel.cu";
	struct compiler_options o = { .count = 0 };
	struct kernel_text made;
	struct headers h;
	char *whole;
	int rc;

	memset(to, 0, sizeof(*to));
	if (nvrtc_open(e) < 0)
		return -1;
	if (kernel_text_make(&made, k, text, strlen(text), e) < 0) {
		kernel_text_done(&made);
		return -1;
	}
	whole = xasprintf("%s%s#line 1\n%s", c_types, what == COMPILE_NAMES ?
			  without_shared : "", made.own.text);
	options_make(&o, what, strcmp(made.own.text, text) != 0,
		     k->defines.list, k->defines.count, major, minor);
	headers_make(&h);
	headers_user(&h, &made, &k->folders);
	kernel_text_done(&made);
	do
		rc = compile_with_headers(to, what, file, whole, entry, &o, &h,
					  e);
	while (rc < 0 && !refuse_outside(k, file, e) &&
	       stub_missing_header(&h, e->text));
	if (rc < 0)
		rc = headers_said(&h, e);
	else
		to->left_out = job_defines_copy(&h.missing);
	headers_done(&h);
	options_done(&o);
	free(whole);
	return rc;
}

void compiled_done(struct compiled *c)
{
	free(c->code);
	free(c->entry);
	free(c->log);
	job_defines_done(&c->left_out);
	memset(c, 0, sizeof(*c));
}

/* ---- names ---- */

/* Tests for a mangled name of the function: "_Z5tiledPKf" is tiled's. */
static bool is_mangled(const char *name, size_t n, const char *entry)
{
	char start[300];
	int length = snprintf(start, sizeof(start), "_Z%zu%s", strlen(entry),
			      entry);

	return length < (int)sizeof(start) && (size_t)length <= n &&
	       !strncmp(name, start, (size_t)length);
}

char *compile_entry(const char *ptx, const char *entry)
{
	static const char word[] = ".entry";

	for (const char *s = strstr(ptx, word); s; s = strstr(s, word)) {
		size_t n = 0;

		s += strlen(word);
		s += strspn(s, " \t\r\n");
		while (cpp_word_char(s[n]))
			n++;
		if ((n == strlen(entry) && !strncmp(s, entry, n)) ||
		    is_mangled(s, n, entry))
			return xstrndup(s, n);
	}
	return NULL;
}
