/*
 * own_test: readers' own files: what of a text is the host's, which of its
 * kernels is meant, what its parameters stand for, CUDA's C++ and PTX in it.
 */
#include <stdlib.h>
#include <string.h>

#include "emu_ask.h"
#include "kernels/kernels.h"
#include "record/strip_host.h"

/* ---- what is the host's ---- */

/* Each text, and what is left of it. */
static const char *const texts[][2] = {
	{ "__global__ void k() {}\nint main() { k<<<1, 1>>>(); }",
	  "__global__ void k() {}\n                             " },
	{ "__global__ void k() {}int f(){\n#if 1\n{'}';/*}*/}\n#endif\n}int a;",
	  "__global__ void k() {}        \n#if 1\n     /*}*/ \n#endif\n int a;" },
	{ "extern \"C\" {void f() {} __global__ void k() {}}",
	  "extern \"C\" {            __global__ void k() {}}" },
	{ "struct a{a():b{1}{} __device__ a(int):b{1}{} int b;};"
	  "__global__ void k() {}",
	  "struct a{           __device__ a(int):b{1}{} int b;};"
	  "__global__ void k() {}" },
	{ "const int n = f(2); int t[] = {1, 2}; __global__ void k() {}",
	  "const int n = f(2); int t[] = {1, 2}; __global__ void k() {}" },
	{ "#define D __device__\nD int f() {} template <int N = (3 > 2)> "
	  "D void g() {} __global__ void k() {}",
	  "#define D __device__\nD int f() {} template <int N = (3 > 2)> "
	  "D void g() {} __global__ void k() {}" },
	{ "void f() {u8R\"(\")})\";}__global__ void k() {}",
	  "                      __global__ void k() {}" },
	{ "//\\\nvoid f() {\nvoid g() {}__global__ void k() {}",
	  "//\\\nvoid f() {\n           __global__ void k() {}" },
	/* Without a kernel there is no telling. */
	{ "void f() {}", "void f() {}" },
	{ "__global__ void k() {", "__global__ void k() {" },
	{ "}}__global__ void k() {}void f(){}",
	  "}}__global__ void k() {}          " },
};

static void test_host(void)
{
	for (size_t i = 0; i < LENGTH(texts); i++) {
		struct strip_host_text h;

		strip_host_read(&h, texts[i][0], strlen(texts[i][0]), NULL,
				NULL);
		tap_str(h.text, texts[i][1], "the host's functions are "
			"blank: text %zu", i);
		strip_host_done(&h);
	}
}

/* Of the others an entry leaves nothing, but what they share. */
static void test_entry(void)
{
	static const char text[] = "__device__ int f();"
		"template <int N> __global__ void k() {}"
		"__global__ void no() {}template __global__ void k<2>();"
		"template __global__ void no<2>();";
	static const struct {
		const char *entry, *left;
	} cases[] = {
		{ "k<4>", "__device__ int f();"
		  "template <int N> __global__ void k() {}"
		  "                       template __global__ void k<2>();"
		  "                                 " },
		{ "other", text },
		{ "ns::no", "__device__ int f();"
		  "                                       "
		  "__global__ void no() {}                                "
		  "template __global__ void no<2>();" },
	};

	for (size_t i = 0; i < LENGTH(cases); i++) {
		struct strip_host_text h;

		strip_host_read(&h, text, strlen(text), NULL, cases[i].entry);
		tap_str(h.text, cases[i].left, "with the entry %s",
			cases[i].entry);
		strip_host_done(&h);
	}
}

/* The table's kernels are for the GPU, every line. */
static void test_table(void)
{
	for (size_t i = 0; i < kernel_count; i++) {
		char *path = xasprintf("%s/%s.cu", paths()->kernels,
				       kernels[i].name);
		struct strip_host_text h;
		struct error e;
		size_t length;
		char *text = file_read(path, 1 << 20, &length, &e);

		strip_host_read(&h, text ? text : "", text ? length : 0,
				NULL, NULL);
		tap_ok(text && !strcmp(h.text, text) && h.kernel_count > 0,
		       "%s: nothing of it is the host's", kernels[i].name);
		strip_host_done(&h);
		free(text);
		free(path);
	}
}

/* ---- which kernel, and its parameters ---- */

static json_t *own(const char *entry, const char *shape)
{
	json_t *o = file_request("own", shape), *source;

	source = json_object_get(o, "source");
	json_object_del(source, "entry");
	if (entry)
		json_object_set_new(source, "entry", json_string(entry));
	with(o, "m", json_integer(32));
	with(o, "n", json_integer(48));
	return with(o, "k", json_integer(16));
}

/* What is said besides is that a header was left out. */
static size_t faults(const struct trace_info *i)
{
	size_t n = 0;

	for (size_t f = 0; f < i->finding_count; f++)
		n += i->findings[f].cause != CAUSE_HEADER_MISSING;
	return n;
}

static void check_recorded(const char *entry, const char *shape,
			   const char *kernel)
{
	struct reply r = ask(own(entry, shape));
	const struct trace_info *i = r.trace ? trace_info(r.trace) : NULL;

	if (!tap_ok(i != NULL, "%s is recorded", entry))
		printf("# %s\n", r.error);
	if (i) {
		tap_str(i->kernel, kernel, "under its name");
		tap_is((long long)faults(i), 0, "nothing to find");
		tap_is((long long)i->finding_count, 1,
		       "but a header is missing");
	}
	reply_done(&r);
}

static void test_entries(void)
{
	json_t *r;

	check_recorded("tiled<float, 16>", "16x16x1 3x2x1",
		       "tiled<float, 16>");
	check_recorded("tiled<double,8>", "8x8x1 6x4x1", "tiled<double, 8>");
	check_recorded("course", "16x16x1 3x2x1", "course");
	check_recorded("split", "16x16x1 3x2x4", "split");
	check_recorded("added", "16x16x1 3x2x1", "added");
	check_recorded("columns", "16x16x1 2x3x1", "columns");
	check_refused(own(NULL, "1x1x1 1x1x1"), EXIT_USAGE,
		      "the file has several kernels: choose one with --entry: "
		      "tiled, course, split, added, columns");
	check_refused(own("tiled", "1x1x1 1x1x1"), EXIT_USAGE,
		      "tiled is a template: give its arguments, such as "
		      "--entry 'tiled<T, 16>'");
	r = own("course", "1x1x1 1x1x1");
	json_object_del(r, "grid");
	check_refused(r, EXIT_USAGE, "own.cu needs a block and a grid, such as "
		      "--block 16x16 --grid 4x4");
	check_refused(own("cours", "1x1x1 1x1x1"), EXIT_USAGE,
		      "the file has no kernel cours; did you mean course?");
	check_refused(own("nowhere<3>", "1x1x1 1x1x1"), EXIT_INPUT,
		      "own.cu does not compile: 'nowhere' was not declared in "
		      "this scope (cuda_timer.h, included in line 8, was not "
		      "found)");
	check_refused(with(own("wrong", "1x1x1 1x1x1"), "defines",
			   json_pack("{s:s}", "WRONG", "1")), EXIT_INPUT,
		      "own.cu:107: 'nothing_known' was not declared in this "
		      "scope (cuda_timer.h, included in line 8, was not "
		      "found)");
}

/* ---- cooperative groups, pipelines, pointers, PTX ---- */

/* A kernel of one of the files, with definitions "NAME=VALUE ..". */
static struct reply of_file(const char *file, const char *entry,
			    const char *shape, const char *defines)
{
	json_t *o = file_request(file, shape);

	json_object_set_new(json_object_get(o, "source"), "entry",
			    json_string(entry));
	with(o, "m", json_integer(32));
	with(o, "n", json_integer(48));
	with(o, "k", json_integer(32));
	return ask(with(o, "defines", defines_of(defines)));
}

static void test_answers(void)
{
	static const char *const right[][4] = {
		{ "own", "tiled<float, 16>", "16x16x1 3x2x1", "" },
		{ "own", "course", "16x16x1 3x2x1", "" },
		{ "own", "added", "16x16x1 3x2x1", "" },
		{ "groups", "lanes", "64x1x1 192x1x1", "LIMIT=1e9f" },
		{ "groups", "lanes", "64x1x1 192x1x1", "LIMIT=1 REDUCE=1" },
		{ "groups", "copies", "16x16x1 3x2x1", "LIMIT=1e9f" },
		{ "groups", "stages", "16x16x1 3x2x1", "LIMIT=1e9f" },
		{ "groups", "pointers", "16x16x1 3x2x1", "LIMIT=1e9f" },
		{ "asm", "halves", "32x1x1 6x2x1", "" },
		{ "asm", "floats", "32x1x1 6x2x1", "" },
	};

	for (size_t i = 0; i < LENGTH(right); i++) {
		const char *const *k = right[i];
		struct reply r = of_file(k[0], k[1], k[2], k[3]);

		if (!tap_ok(r.trace && answer_is_right(r.trace),
			    "%s %s: C is A B", k[1], k[3]))
			printf("# %s\n", r.error);
		tap_ok(r.trace && faults(trace_info(r.trace)) == 0,
		       "nothing to find");
		reply_done(&r);
	}
}

static void check_found(const char *file, const char *entry,
			const char *shape, const char *defines,
			enum finding_kind kind, const char *text)
{
	struct reply r = of_file(file, entry, shape, defines);
	const struct trace_info *i = r.trace ? trace_info(r.trace) : NULL;

	if (!tap_ok(i && i->finding_count > 0, "%s, %s: a finding", entry,
		    defines))
		printf("# %s\n", r.error);
	if (i && i->finding_count > 0) {
		tap_is(i->findings[0].kind, kind, "of its kind");
		tap_ok(!strncmp(finding_words(i, 0), text, strlen(text)),
		       "in words: %s", text);
	}
	reply_done(&r);
}

static void test_faults(void)
{
	struct reply r;

	check_found("groups", "copies", "16x16x1 3x2x1", "LIMIT=1 NO_WAIT=1",
		    FINDING_READ_BEFORE_WRITE, "thread (0,0) of block (0,0) "
		    "reads a[0][0] in line 55, while the asynchronous copy "
		    "that thread (0,0) started in line 46 may still write it");
	check_found("groups", "pointers", "16x16x1 3x2x1", "LIMIT=0",
		    FINDING_CRASH, "thread (0,0) of block (0,0) fails in "
		    "assert(sum < LIMIT): a GPU stops here; line 107");
	check_found("asm", "halves", "32x1x1 6x2x1", "NO_WAIT=1",
		    FINDING_READ_BEFORE_WRITE, "thread 0 of block (0,0) reads "
		    "a[0][0] in line 46, while the asynchronous copy that "
		    "thread 0 started in line 36 may still write it");
	check_found("own", "columns", "16x16x1 2x3x1", "WRONG_INDEX=1",
		    FINDING_RESULT, "C[0][0] is ");
	check_found("own", "added", "16x16x1 3x2x1", "TURNED=1",
		    FINDING_RESULT, "d[0][1] is ");
	r = of_file("asm", "floats", "32x1x1 6x2x1", "UNKNOWN=1");
	tap_str(r.error, "asm.cu:107: the CPU cannot record this PTX: "
		"wgmma.fence.sync.aligned (--on gpu can)", "PTX that is not "
		"known is said, with its line");
	tap_is(r.status, EXIT_INPUT, "as for a text that does not compile");
	reply_done(&r);
}

struct counts { bool matrices; uint64_t requests, lanes; };

static void counts_visit(void *ctx, const struct trace_info *info,
			 const struct trace_warp *w,
			 const struct trace_request *r)
{
	const struct trace_site *s = &info->sites[r->site];
	struct counts *c = ctx;

	(void)w;
	if (c->matrices && !s->matrix)
		return;
	c->requests++;
	c->lanes += (uint64_t)__builtin_popcount(r->mask);
}

/* 12 warps, 2 steps each: an ldmatrix of 32 rows, and one of 16. */
static void test_ldmatrix(void)
{
	struct reply r = of_file("asm", "halves", "32x1x1 6x2x1", "");
	struct counts c = { .matrices = true };

	if (tap_ok(r.trace && each_request(r.trace, counts_visit, &c),
		   "halves is read")) {
		tap_is((long long)c.requests, 12 * 2 * 2, "each ldmatrix is "
		       "a request");
		tap_is((long long)c.lanes, 12 * 2 * (32 + 16), "of the lanes "
		       "that give a row");
	}
	reply_done(&r);
}

/* Lane 0 is alone in a branch, which calls it, and not behind that. */
static void test_unhooked(void)
{
	struct reply r = of_file("quiet", "k", "32x1x1 1x1x1", "");
	struct counts c = { .matrices = false };

	if (tap_ok(r.trace && each_request(r.trace, counts_visit, &c),
		   "quiet is read")) {
		tap_is((long long)c.requests, 2, "a function without hooks "
		       "keeps no lane from its warp");
		tap_is((long long)c.lanes, 1 + 32, "which are all there again");
	}
	reply_done(&r);
}

int main(void)
{
	test_host();
	test_entry();
	test_table();
	test_entries();
	test_answers();
	test_faults();
	test_ldmatrix();
	test_unhooked();
	if (runner)
		runner_free(runner);
	return tap_done();
}
