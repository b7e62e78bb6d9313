/*
 * Recording code in PTX: which sites there are, that the kernel's own
 * statements stand as they were, and, where CUDA's tools are, that they
 * take the result. The recording code's own is made by nvcc; without nvcc,
 * functions that do nothing stand in for it.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gpu/ptx/ptx.h"
#include "tap.h"

#define STUB(name, parameters) \
	".visible .func " name "(" parameters ") { ret; }\n"
static const char stub[] =
	".version 8.0\n.target sm_75\n.address_size 64\n"
	".visible .global .align 8 .b8 gemmviz_state[8];\n"
	STUB("gemmviz_access", ".param .b32 a, .param .b64 b, .param .b32 c")
	STUB("gemmviz_value", ".param .b32 a, .param .b32 b, .param .b32 c,"
	     ".param .b32 d, .param .b32 e, .param .b32 f")
	STUB("gemmviz_rule", ".param .b32 a, .param .b64 b, .param .b32 c")
	STUB("gemmviz_mark", ".param .b32 a")
	STUB("gemmviz_begin", ".param .b32 a, .param .b64 b");

/* The newest PTX that is made here: CUDA 12.3's. */
#define VERSION ".version 8.3\n"
#define HEAD VERSION ".target sm_90, debug\n.address_size 64\n"

static const char *recorder = stub;
static char *folder;
static bool has_ptxas, has_nvcc;

/* ---- CUDA's tools ---- */

static int tool(const char *command)
{
	int status = system(command);

	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static char *slurp(const char *path)
{
	struct error e;
	size_t length;

	return file_read(path, 64 << 20, &length, &e);
}

static void tools_find(void)
{
	char *path = xasprintf("%s:/usr/local/cuda/bin", getenv("PATH"));
	char *command;

	setenv("PATH", path, 1);
	command = xasprintf("printf '%%b' '%s' >%s/empty.ptx && ptxas "
			    "-arch=sm_90 -c -o /dev/null %s/empty.ptx "
			    ">/dev/null 2>&1", VERSION ".target sm_90\n",
			    folder, folder);
	has_ptxas = tool(command) == 0;
	free(command);
	has_nvcc = tool("nvcc --version >/dev/null 2>&1") == 0;
	free(path);
	if (!has_nvcc)
		return;
	command = xasprintf("nvcc -O3 -rdc=true -ptx -arch=compute_75 -o "
			    "%s/record.ptx %s/src/gpu/ptx/record.cu", folder,
			    getenv("srcdir"));
	path = xasprintf("%s/record.ptx", folder);
	if (tap_ok(tool(command) == 0, "nvcc takes record.cu"))
		recorder = slurp(path);
	free(command);
	free(path);
}

static void assembles(const char *text, const char *what)
{
	char *path = xasprintf("%s/out.ptx", folder);
	char *command = xasprintf("ptxas -arch=sm_90 -c -o /dev/null %s", path);
	FILE *f = fopen(path, "w");

	if (!has_ptxas) {
		tap_skip(what, "there is no ptxas that knows this PTX");
	} else {
		fputs(text, f);
		fflush(f);
		tap_ok(tool(command) == 0, "ptxas takes %s", what);
	}
	fclose(f);
	free(path);
	free(command);
}

/* ---- small modules ---- */

/* The statements stand on line 20 and below. */
static char *module(const char *statements)
{
	return xasprintf(HEAD
		".const .align 4 .b8 fixed[16];\n"
		".global .align 4 .u32 counter;\n"
		".extern .shared .align 16 .b8 dyn[];\n"
		".visible .entry k(.param .u64 k_param_0,\n"
		"\t.param .u64 k_param_1, .param .u32 k_param_2)\n"
		"{\n"
		".reg .pred %%p<9>; .reg .b16 %%rs<9>;\n"
		".reg .b32 %%r<29>; .reg .b64 %%rd<19>;\n"
		".reg .f32 %%f<19>; .reg .f64 %%fd<9>; .reg .b128 %%q;\n"
		".shared .align 16 .b8 tile[1024];\n"
		"ld.param.u64 %%rd1, [k_param_0];\n"
		"ld.param.u64 %%rd2, [k_param_1];\n"
		"ld.param.u32 %%r1, [k_param_2];\n"
		"mov.u32 %%r2, tile; mov.u32 %%r3, dyn;\n"
		"setp.eq.u32 %%p1, %%r1, 0;\n"
		".loc 1 7 3\n"
		"%s\n"
		"ret;\n"
		"}\n"
		".file 1 \"/where/k.cu\"\n", statements);
}

static struct ptx *instrument(const char *statements)
{
	char *text = module(statements);
	struct error e;
	struct ptx *p = ptx_instrument(text, strlen(text), recorder, &e);

	if (!p)
		printf("# %s\n", e.text);
	free(text);
	return p;
}

/* From the kernel's first own instruction on. */
static const char *kernel_text(const struct ptx *p)
{
	const char *s = strstr(p->text, ".entry k(");

	return s ? s : "";
}

static size_t times(const char *text, const char *what)
{
	size_t n = 0;

	for (; (text = strstr(text, what)); text++)
		n++;
	return n;
}

/* ---- one statement ---- */

#define L(space, bytes) { PTX_LOAD, PTX_##space, bytes }
#define S(space, bytes) { PTX_STORE, PTX_##space, bytes }
#define E(event) { PTX_##event, PTX_GENERIC, 0 }
#define R(space) { PTX_RULE, PTX_##space, 0 }

struct want {
	enum ptx_event event;
	enum ptx_space space;
	uint32_t bytes;
};

static const struct form {
	const char *statement;
	size_t values;			/* how many values are handed in */
	size_t count;
	struct want sites[10];
} forms[] = {
	{ "ld.global.f32 %f1, [%rd1];", 1, 1, { L(GLOBAL, 4) } },
	{ "ld.f32 %f1, [%rd1+-128];", 1, 1, { L(GENERIC, 4) } },
	{ "ld.global.nc.L1::no_allocate.L2::256B.v4.f32 {%f1,%f2,%f3,%f4}, "
	  "[%rd1 + 16];", 1, 1, { L(GLOBAL, 16) } },
	{ "ld.volatile.global.u8 %r5, [%rd1];", 1, 1, { L(GLOBAL, 1) } },
	{ "ld.u32 %r4, [counter];", 1, 1, { L(GLOBAL, 4) } },
	{ "ld.relaxed.gpu.global.s16 %rd5, [%rd1];", 1, 1, { L(GLOBAL, 2) } },
	{ "ld.global.v2.u16 {%rs1,\n\t%rs2}, [%rd1];", 1, 1,
	  { L(GLOBAL, 4) } },
	{ "ld.global.v4.u8 {%rs1, %rs2, %rs3, %rs4}, [%rd1];", 1, 1,
	  { L(GLOBAL, 4) } },
	{ "ld.global.f64 %fd1, [%rd1];", 1, 1, { L(GLOBAL, 8) } },
	{ "ld.global.v2.b64 {%rd5, %fd1}, [%rd1];", 1, 1, { L(GLOBAL, 16) } },
	{ "ld.relaxed.sys.global.b128 %q, [%rd1];", 1, 1, { L(GLOBAL, 16) } },
	{ "ld.global.v2.u32 {%r4, _}, [%rd1];", 0, 1, { L(GLOBAL, 8) } },
	{ "ld.global.u64 %rd1, [%rd1];", 1, 1, { L(GLOBAL, 8) } },
	{ "ld.shared.u32 %r2, [%r2+4];", 1, 1, { L(SHARED, 4) } },
	{ "ld.shared::cta.u32 %r4, [tile+8];", 1, 1, { L(SHARED, 4) } },
	{ "ld.local.u32 %r4, [16];", 1, 1, { L(LOCAL, 4) } },
	{ "ld.global.u32 %r4, [counter];", 1, 1, { L(GLOBAL, 4) } },
	{ "ld.param.u32 %r4, [k_param_2];", 0, 0, { { 0 } } },
	{ "ld.const.f32 %f1, [fixed+4];", 0, 0, { { 0 } } },
	{ "st.global.f32 [%rd1], %f1;", 1, 1, { S(GLOBAL, 4) } },
	{ "st.shared.u8 [%r2], %r5;", 1, 1, { S(SHARED, 1) } },
	{ "st.shared.u16 [%r2], 7;", 1, 1, { S(SHARED, 2) } },
	{ "st.global.f32 [%rd1], 0f3F800000;", 1, 1, { S(GLOBAL, 4) } },
	{ "st.global.f64 [%rd1], 0d3FF0000000000000;", 1, 1,
	  { S(GLOBAL, 8) } },
	{ "st.global.s64 [%rd1], -2;", 1, 1, { S(GLOBAL, 8) } },
	{ "st.global.v4.f32 [%rd1], {%f1, 0f00000000, %f3, %f4};", 1, 1,
	  { S(GLOBAL, 16) } },
	{ "st.v2.f32 [%rd1+8], {%f1, %f2};", 1, 1, { S(GENERIC, 8) } },
	{ "@%p1 ld.global.f32 %f1, [%rd1];", 1, 1, { L(GLOBAL, 4) } },
	{ "@!%p1 st.global.f32 [%rd1], %f1;", 1, 1, { S(GLOBAL, 4) } },
	{ "atom.global.add.f32 %f1, [%rd1], %f2;", 1, 2,
	  { L(GLOBAL, 4), S(GLOBAL, 4) } },
	{ "atom.shared.cas.b64 %rd4, [%r2], %rd5, %rd6;", 1, 2,
	  { L(SHARED, 8), S(SHARED, 8) } },
	{ "atom.add.u32 _, [%rd1], 1;", 0, 2,
	  { L(GENERIC, 4), S(GENERIC, 4) } },
	{ "red.global.add.u32 [%rd1], 1;", 0, 2,
	  { L(GLOBAL, 4), S(GLOBAL, 4) } },
	{ "red.relaxed.gpu.global.add.v4.f32 [%rd1], {%f1,%f2,%f3,%f4};", 0,
	  2, { L(GLOBAL, 16), S(GLOBAL, 16) } },
	{ "cp.async.cg.shared.global [%r2], [%rd1], 16;", 0, 2,
	  { L(GLOBAL, 16), S(SHARED, 16) } },
	{ "cp.async.ca.shared.global.L2::128B [%r2+4], [%rd1], 4, %r4;", 0, 2,
	  { L(GLOBAL, 4), S(SHARED, 4) } },
	{ "cp.async.ca.shared.global [%r2], [%rd1], 8, 0;", 0, 2,
	  { L(GLOBAL, 8), S(SHARED, 8) } },
	{ "cp.async.ca.shared::cta.global [%r2], [%rd1], 8, %p1;", 0, 2,
	  { L(GLOBAL, 8), S(SHARED, 8) } },
	{ "cp.async.commit_group;", 0, 0, { { 0 } } },
	{ "cp.async.wait_group 0;", 0, 0, { { 0 } } },
	{ "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r4}, [%r2];", 0, 1,
	  { L(SHARED, 16) } },
	{ "ldmatrix.sync.aligned.m8n8.x2.trans.b16 {%r4, %r5}, [%rd1];", 0, 1,
	  { L(GENERIC, 16) } },
	{ "ldmatrix.sync.aligned.m8n8.x4.shared::cta.b16 "
	  "{%r4, %r5, %r6, %r7}, [%r2];", 0, 1, { L(SHARED, 16) } },
	{ "stmatrix.sync.aligned.m8n8.x2.shared.b16 [%r2], {%r4, %r5};", 1, 2,
	  { E(ROWS), S(SHARED, 16) } },
	{ "@%p1 stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%r2], "
	  "{%r4, %r5, %r6, %r7};", 1, 2, { E(ROWS), S(SHARED, 16) } },
	{ "wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 {%r10, %r11, "
	  "%r12, %r13, %r14, %r15, %r16, %r17}, [%r2], %r1;", 4, 5,
	  { R(SHARED), L(SHARED, 4), L(SHARED, 4), L(SHARED, 4), L(SHARED, 4) } },
	{ "wmma.load.b.sync.aligned.row.m16n16k16.global.bf16 {%r10, %r11, "
	  "%r12, %r13}, [%rd1];", 8, 9,
	  { R(GLOBAL), L(GLOBAL, 2), L(GLOBAL, 2), L(GLOBAL, 2), L(GLOBAL, 2),
	    L(GLOBAL, 2), L(GLOBAL, 2), L(GLOBAL, 2), L(GLOBAL, 2) } },
	{ "wmma.load.b.sync.aligned.col.m32n8k16.f16 {%r10, %r11, %r12, %r13,"
	  " %r14, %r15, %r16, %r17}, [%rd1], 24;", 2, 3,
	  { R(GENERIC), L(GENERIC, 4), L(GENERIC, 4) } },
	{ "wmma.load.a.sync.aligned.row.m16n16k8.shared.tf32 {%r10, %r11, "
	  "%r12, %r13}, [%r2];", 4, 5,
	  { R(SHARED), L(SHARED, 4), L(SHARED, 4), L(SHARED, 4), L(SHARED, 4) } },
	{ "wmma.load.c.sync.aligned.row.m16n16k16.shared.f16 {%r10, %r11, "
	  "%r12, %r13}, [%r2];", 4, 5,
	  { R(SHARED), L(SHARED, 4), L(SHARED, 4), L(SHARED, 4), L(SHARED, 4) } },
	{ "wmma.store.d.sync.aligned.row.m16n16k16.global.f32 [%rd1], {%f1, "
	  "%f2, %f3, %f4, %f5, %f6, %f7, %f8}, %r1;", 4, 5,
	  { R(GLOBAL), S(GLOBAL, 8), S(GLOBAL, 8), S(GLOBAL, 8), S(GLOBAL, 8) } },
	{ "wmma.store.d.sync.aligned.col.m16n16k16.shared.f32 [%r2], {%f1, "
	  "%f2, %f3, %f4, %f5, %f6, %f7, %f8};", 8, 9,
	  { R(SHARED), S(SHARED, 4), S(SHARED, 4), S(SHARED, 4), S(SHARED, 4),
	    S(SHARED, 4), S(SHARED, 4), S(SHARED, 4), S(SHARED, 4) } },
	{ "wmma.load.a.sync.aligned.row.m16n16k16.global.s8 {%r10, %r11}, "
	  "[%rd1];", 2, 3, { R(GLOBAL), L(GLOBAL, 4), L(GLOBAL, 4) } },
	{ "wmma.load.b.sync.aligned.row.m32n8k16.shared.u8 {%r10}, [%r2];",
	  4, 5, { R(SHARED), L(SHARED, 1), L(SHARED, 1), L(SHARED, 1),
		  L(SHARED, 1) } },
	{ "wmma.load.a.sync.aligned.row.m8n8k4.global.f64 {%fd1}, [%rd1];", 1,
	  2, { R(GLOBAL), L(GLOBAL, 8) } },
	{ "wmma.store.d.sync.aligned.row.m8n8k4.global.f64 [%rd1], "
	  "{%fd1, %fd2};", 1, 2, { R(GLOBAL), S(GLOBAL, 16) } },
	{ "wmma.store.d.sync.aligned.row.m8n32k16.shared.s32 [%r2], {%r10, "
	  "%r11, %r12, %r13, %r14, %r15, %r16, %r17}, %r1;", 8, 9,
	  { R(SHARED), S(SHARED, 4), S(SHARED, 4), S(SHARED, 4),
	    S(SHARED, 4), S(SHARED, 4), S(SHARED, 4), S(SHARED, 4),
	    S(SHARED, 4) } },
	{ "bar.sync 0;", 0, 1, { E(BARRIER) } },
	{ "barrier.sync.aligned %r1;", 0, 1, { E(BARRIER) } },
	{ "barrier.cta.red.or.pred %p2, 1, %p1;", 0, 1, { E(BARRIER) } },
	{ "bar.sync 1, 64;", 0, 0, { { 0 } } },
	{ "bar.arrive 1, 64;", 0, 0, { { 0 } } },
	{ "bar.warp.sync -1;", 0, 1, { E(SYNC) } },
	{ "bar.warp.sync %r1;", 0, 1, { E(SYNC) } },
	{ "@!%p1 bar.warp.sync 65535;", 0, 1, { E(SYNC) } },
	{ "ld.shared::cluster.u32 %r4, [%r2];", 0, 1, { E(UNSEEN) } },
	{ "cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%r2], 16;",
	  0, 1, { E(UNSEEN) } },
	{ "cp.async.bulk.commit_group;", 0, 0, { { 0 } } },
	{ "mov.u32 %r4, %tid.x;", 0, 0, { { 0 } } },
	{ "{ .reg .b32 %r4; ld.global.u32 %r4, [%rd1]; }", 1, 1,
	  { L(GLOBAL, 4) } },
};

/* The sites behind the two variables' places, which begin the kernel. */
static bool sites_match(const struct ptx *p, const struct form *f)
{
	size_t n = 0;

	if (p->site_count != f->count + 2)
		return false;
	for (; n < f->count; n++) {
		const struct ptx_site *s = &p->sites[n + 2];

		if (s->event != f->sites[n].event ||
		    s->space != f->sites[n].space ||
		    s->bytes != f->sites[n].bytes || s->line != 7 ||
		    s->column != 3 || s->file != 1 || s->function != 0 ||
		    s->order <= p->sites[n + 1].order)
			return false;
	}
	return true;
}

static size_t sites_of(const struct form *f, enum ptx_event event)
{
	size_t n = 0;

	for (size_t i = 0; i < f->count; i++)
		n += f->sites[i].event == event;
	return n;
}

static void form_check(const struct form *f)
{
	struct ptx *p = instrument(f->statement);
	const char *text, *at, *value, *access = "call.uni gemmviz_access";
	size_t loads = sites_of(f, PTX_LOAD), stores = sites_of(f, PTX_STORE);

	if (!tap_ok(p != NULL, "%s", f->statement))
		return;
	text = kernel_text(p);
	tap_ok(sites_match(p, f), "its sites");
	/* Inside braces of its own, code stands inside them. */
	if (f->statement[0] != '{') {
		at = strstr(text, f->statement);
		tap_is(times(text, f->statement), 1, "it stands as it was");
		tap_ok(!at || (times(at, access) == 0 &&
			       times(text, access) == loads + stores),
		       "its accesses are before it");
		value = strstr(text, "call.uni gemmviz_value");
		tap_ok(!at || !value || (value > at) == (loads > 0),
		       "what was loaded is known behind it");
	}
	tap_is(times(text, "call.uni gemmviz_value"), f->values, "its values");
	assembles(p->text, "it");
	ptx_free(p);
}

/* ---- more than a statement ---- */

static void predicates(void)
{
	struct ptx *p = instrument("@%p1 ld.global.f32 %f1, [%rd1];\n"
				   "@!%p1 st.global.f32 [%rd1], %f1;\n"
				   "@%p1 bar.sync 0;");
	const char *text = kernel_text(p);
	unsigned int space = PTX_GLOBAL;
	char *load = xasprintf("selp.b32 %%gemmviz_s, %u, -1, %%p1;",
			       2 | space << 30);
	char *store = xasprintf("selp.b32 %%gemmviz_s, -1, %u, %%p1;",
				3 | space << 30);

	tap_ok(strstr(text, load), "a load is recorded where it is done");
	tap_ok(strstr(text, store), "a store is recorded where it is done");
	tap_ok(strstr(text, "selp.b32 %gemmviz_s, 4, -1, %p1;"),
	       "so is a barrier");
	tap_is(times(text, "selp.b32"), 5, "and the values");
	free(load);
	free(store);
	ptx_free(p);
}

static size_t event_count(const struct ptx *p, enum ptx_event event)
{
	size_t n = 0;

	for (size_t i = 0; p && i < p->site_count; i++)
		n += p->sites[i].event == event;
	return n;
}

static void labels(void)
{
	struct ptx *p = instrument(
		"$L__tmp1:\n"
		"$L__BB0_1:\n.pragma \"nounroll\";\n"
		"add.u32 %r1, %r1, 1;\n"
		"setp.lt.u32 %p1, %r1, 9;\n"
		"@%p1 bra $L__BB0_1;\n"
		"$L__tmp2: st.global.u32 [%rd1], %r1;\n"
		"bra.uni $L__BB0_2;\n"
		"$L__BB0_2:");
	const char *text = kernel_text(p);

	tap_is(event_count(p, PTX_LABEL), 2, "labels that are jumped to");
	tap_ok(strstr(text, "gemmviz_mark") > strstr(text, "$L__BB0_1:") &&
	       strstr(text, "gemmviz_mark") < strstr(text, "add.u32 %r1"),
	       "the event is behind the label");
	assembles(p->text, "a loop");
	ptx_free(p);
}

static const char calls_text[] = HEAD
	".func (.param .b32 func_retval0) callee(.param .b32 callee_param_0)\n"
	"{\n"
	".local .align 16 .b8 __local_depot7[48];\n"
	".reg .b64 %SP; .reg .b64 %SPL; .reg .f32 %f<3>; .reg .b32 %r<3>;\n"
	"mov.u64 %SPL, __local_depot7;\n"
	"cvta.local.u64 %SP, %SPL;\n"
	"ld.param.u32 %r1, [callee_param_0];\n"
	"st.u32 [%SP+0], %r1;\n"
	"ld.f32 %f1, [%SP+0];\n"
	"st.param.b32 [func_retval0], %f1;\n"
	"ret;\n}\n"
	".extern .func away(.param .b32 away_param_0);\n"
	".visible .entry k(.param .u64 k_param_0)\n"
	"{\n.reg .f32 %f<3>; .reg .b32 %r<3>; .reg .b64 %rd<4>;\n"
	"mov.u32 %r1, 5;\n"
	"{ // callseq 0, 0\n"
	".reg .b32 temp_param_reg;\n"
	".param .b32 param0;\n"
	"st.param.b32 [param0+0], %r1;\n"
	".param .b32 retval0;\n"
	"call.uni (retval0),\ncallee,\n(\nparam0\n);\n"
	"ld.param.f32 %f1, [retval0+0];\n"
	"} // callseq 0\n"
	"mov.u64 %rd1, callee;\n"
	"{\n.param .b32 param0;\n.param .b32 retval0;\n"
	"st.param.b32 [param0], %r1;\n"
	"proto: .callprototype (.param .b32 _) _ (.param .b32 _);\n"
	"call (retval0), %rd1, (param0), proto;\n"
	"ld.param.f32 %f2, [retval0];\n"
	"}\n"
	"st.global.b32 [%rd1], %r1;\n"
	"{\n.param .b32 param0;\nst.param.b32 [param0], %r1;\n"
	"call.uni away, (param0);\n}\n"
	"ld.global.b32 %r2, [%rd1];\n"
	"ret;\n}\n";

static void calls(void)
{
	struct error e;
	struct ptx *p = ptx_instrument(calls_text, strlen(calls_text),
				       recorder, &e);
	const char *text, *mark;
	static const enum ptx_event events[] = {
		PTX_FRAME, PTX_STORE, PTX_LOAD, PTX_CALL, PTX_RETURN,
		PTX_CALL, PTX_RETURN, PTX_STORE, PTX_CALL, PTX_RETURN,
		PTX_LOAD,
	};
	size_t n = 0;

	if (!tap_ok(p != NULL, "calls"))
		return;
	while (n < LENGTH(events) && n < p->site_count &&
	       p->sites[n].event == events[n])
		n++;
	tap_ok(n == LENGTH(events) && n == p->site_count, "their sites, each where it stands");
	tap_is(p->sites[3].called, 0, "the function called is known");
	tap_is(p->sites[5].called, UINT32_MAX, "but not through a pointer");
	tap_is(p->sites[8].called, UINT32_MAX, "nor outside the module");
	tap_is(p->sites[3].function, 1, "and which one calls");
	text = kernel_text(p);
	mark = strstr(text, "gemmviz_mark");
	tap_ok(mark < strstr(text, "{ // callseq 0"),
	       "the call's event is before its parameters");
	mark = strstr(mark + 1, "gemmviz_mark");
	tap_ok(mark > strstr(text, "} // callseq 0"),
	       "and its return's behind its results");
	tap_str(p->functions[0].depot, "__local_depot7", "local variables");
	tap_is(p->functions[0].depot_bytes, 48, "their bytes");
	tap_ok(!p->functions[0].entry && p->functions[1].entry, "entries");
	tap_str(p->functions[1].name, "k", "names of functions");
	/* What is outside is not linked here. */
	mark = strstr(p->text, ".extern .func away");
	tap_ok(mark != NULL, "a prototype stays");
	ptx_free(p);
}

static void origins(void)
{
	struct ptx *p = instrument(
		"mov.u32 %r5, tile;\n"
		"{ .reg .b64 %tmp;\n"
		"  cvt.u64.u32 %tmp, %r5;\n"
		"  cvta.shared.u64 %rd4, %tmp; }\n"
		"shl.b64 %rd6, %rd9, 2;\n"
		"add.s64 %rd5, %rd4, %rd6;\n"
		"ld.f32 %f1, [%rd5];\n"
		"{ .reg .b64 %tmp;\n"
		"  mov.u64 %tmp, %rd2;\n"
		"  add.s64 %rd7, %tmp, %rd6; }\n"
		"loop:\n"
		"st.f32 [%rd7+4], %f1;\n"
		"add.s64 %rd7, %rd7, 64;\n"
		"@%p1 bra loop;\n"
		"mov.u64 %rd8, %rd1; @%p1 mov.u64 %rd8, %rd2;\n"
		"ld.f32 %f1, [%rd8];\n"
		"selp.b64 %rd10, %rd1, %rd2, %p1;\n"
		"ld.f32 %f1, [%rd10];\n"
		"add.s64 %rd11, %rd1, 8; selp.b64 %rd11, %rd1, %rd11, %p1;\n"
		"ld.f32 %f1, [%rd11];\n"
		"ld.global.u32 %r4, [counter+0];");
	struct ptx_site *s = p->sites + 2;

	tap_str(s[0].symbol, "tile", "an array is found through its address");
	tap_is(s[0].param, NA, "and is no parameter");
	tap_is(s[2].event, PTX_STORE, "a store in a loop");
	tap_is(s[2].param, 1, "to what a parameter points to");
	tap_ok(!s[2].symbol, "which is no array's");
	tap_ok(!s[3].symbol && s[3].param == NA, "one of two: neither");
	tap_is(s[4].param, NA, "a choice of two: neither");
	tap_is(s[5].param, 0, "a choice within one: that");
	tap_str(s[6].symbol, "counter", "a variable by its name");
	tap_str(p->sites[0].symbol, "tile", "where an array begins is told");
	tap_str(p->sites[1].symbol, "dyn", "of each");
	tap_is(p->sites[0].event, PTX_PLACE, "by an event");
	tap_is(p->symbol_count, 3, "the arrays");
	tap_is(p->symbols[0].bytes, 4, "bytes of a variable");
	tap_ok(strstr(p->text, ".visible .global .align 4 .u32 counter;"),
	       "which is visible");
	tap_is(p->symbols[1].bytes, 0, "none are known of an extern one");
	tap_is(p->symbols[2].bytes, 1024, "bytes of an array");
	tap_is(p->symbols[2].function, 0, "and whose it is");
	tap_is(p->symbols[1].function, UINT32_MAX, "or nobody's");
	ptx_free(p);
}

static void lines(void)
{
	struct ptx *p = instrument(
		".loc 1 20 5\n"
		".loc 2 69 9, function_name $L__info_string0, "
		"inlined_at 1 20 5\n"
		".loc 3 7 7, function_name $L__info_string1+4, "
		"inlined_at 2 69 9\n"
		"ld.f32 %f1, [%rd1];\n"
		".loc 1 0 5\n"
		"ld.f32 %f2, [%rd1];\n"
		".loc 2 71 9\n"
		"ld.f32 %f3, [%rd1];\n"
		".loc 1 21 3\n"
		"ld.f32 %f4, [%rd1];");
	struct ptx_site *s = p->sites + 2;

	tap_ok(s[0].file == 1 && s[0].line == 20 && s[0].column == 5,
	       "what is inlined has its caller's line");
	tap_is(s[1].line, 20, "what has no line has the one before it");
	tap_ok(s[2].file == 1 && s[2].line == 20,
	       "of another file is what -G has inlined without saying so");
	tap_is(s[3].line, 21, "until the function goes on");
	tap_is(p->file_count, 1, "files");
	tap_str(p->files[0].path, "/where/k.cu", "a file's path");
	tap_ok(!strstr(p->text, "inlined_at") && !strstr(p->text, ".file"),
	       "nothing of it is left");
	ptx_free(p);
}

static const char debug_text[] = HEAD
	".global .align 4 .u32 counter;\n"
	".visible .entry k() {\n$L__func_begin0: ret;\n$L__func_end0:\n}\n"
	".section .debug_info\n{\n"
	".b32 5\n.b8 1,255\n.b8 -1\n.b16 258\n"
	".b32 .debug_abbrev\n"
	".b64 counter\n.b64 $L__func_end0+2\n"
	".b32 $L__s1\n.b32 $L__s1-$L__s0\n"
	".b64 $L__func_end0-$L__func_begin0\n}\n"
	".section .debug_str {\n$L__s0:\n.b8 97,0\n$L__s1:\n.b8 98,0\n}\n"
	".section .debug_abbrev { .b8 0 }\n";

static bool reference_is(const struct ptx_reference *r, size_t at, bool wide,
			 const char *symbol, uint64_t add)
{
	return r->at == at && r->wide == wide && !strcmp(r->symbol, symbol) &&
	       r->add == add;
}

static void debug_sections(void)
{
	static const uint8_t bytes[] = {
		5, 0, 0, 0, 1, 255, 255, 2, 1, 0, 0, 0, 0,
		0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
		0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
	};
	struct error e;
	struct ptx *p = ptx_instrument(debug_text, strlen(debug_text),
				       recorder, &e);
	const struct ptx_section *s;

	if (!tap_ok(p != NULL, "debug sections"))
		return;
	s = p->sections;
	tap_is(p->section_count, 3, "their number");
	tap_str(s[0].name, ".debug_info", "a name");
	tap_ok(s[0].length == sizeof(bytes) &&
	       memcmp(s[0].bytes, bytes, sizeof(bytes)) == 0, "bytes");
	tap_ok(s[0].reference_count == 4 &&
	       reference_is(&s[0].references[0], 9, false, ".debug_abbrev", 0)
	       && reference_is(&s[0].references[1], 13, true, "counter", 0) &&
	       reference_is(&s[0].references[2], 21, true, "$L__func_end0", 2)
	       && reference_is(&s[0].references[3], 29, false, ".debug_str",
			       2), "references");
	tap_ok(!strstr(p->text, ".section"), "nothing of them is left");
	assembles(p->text, "what had debug sections");
	ptx_free(p);
}

/* From sm_100 on. */
static void wide(void)
{
	struct ptx *p = instrument("ld.global.v4.b64 {%rd4, %rd5, %rd6, %rd7},"
				   " [%rd1];\n"
				   "st.global.v8.f32 [%rd1], {%f1, %f2, %f3, "
				   "%f4, %f5, %f6, %f7, %f8};");

	tap_is(p->site_count, 2 + 4, "32 bytes are two accesses");
	for (size_t i = 2; i < p->site_count; i++)
		tap_is(p->sites[i].bytes, 16, "of 16");
	tap_is(times(kernel_text(p), "call.uni gemmviz_value"), 4,
	       "each with its value");
	ptx_free(p);
}

static void heads(void)
{
	static const char old[] = ".version 6.4\n.target sm_52\n"
		".address_size 64\n.visible .entry k() { ret; }\n";
	static const char special[] = ".version 99.1\n"
		".target sm_90a, texmode_independent, debug\n"
		".address_size 64\n.visible .entry k() { ret; }\n";
	struct error e;
	struct ptx *p = ptx_instrument(old, strlen(old), stub, &e);

	tap_ok(p && strstr(p->text, ".version 8.0\n.target sm_75\n"),
	       "never less than the recording code needs");
	ptx_free(p);
	p = ptx_instrument(special, strlen(special), stub, &e);
	tap_ok(p && strstr(p->text, ".version 99.1\n"
			   ".target sm_90a,texmode_independent\n"),
	       "never less than the kernel needs");
	tap_is(p ? times(p->text, ".version") : 0, 1, "and said once");
	ptx_free(p);
}

static void plain(void)
{
	struct error e;
	char *module_text = module("ld.global.f32 %f1, [%rd1];");
	char *text = ptx_plain(module_text, strlen(module_text), &e);
	char *debug = ptx_plain(debug_text, strlen(debug_text), &e);

	tap_ok(text && strstr(text, "ld.global.f32 %f1, [%rd1];") &&
	       !strstr(text, "gemmviz") && !strstr(text, "debug"),
	       "plain text is the kernel alone");
	tap_ok(debug && !strstr(debug, ".section"), "without debug sections");
	assembles(text, "plain text");
	assembles(debug, "plain text that had debug sections");
	free(debug);
	free(module_text);
	module_text = module(
		"mov.u32 %r4, tile;\ncvt.u64.u32 %rd6, %r4;\n"
		"cvta.shared.u64 %rd5, %rd6;\nadd.s64 %rd5, %rd5, 16;\n"
		"ld.v4.f32 {%f1, %f2, %f3, %f4}, [%rd5+16];\n"
		"@%p1 st.volatile.f32 [%rd5], %f1;\n"
		"add.s64 %rd7, %rd1, 4;\nst.f32 [%rd7], %f2;\n"
		"ld.f32 %f1, [%rd9];\n");
	debug = ptx_plain(module_text, strlen(module_text), &e);
	tap_ok(debug &&
	       strstr(debug, "ld.shared.v4.f32 {%f1, %f2, %f3, %f4}, "
		      "[%specific+16];") &&
	       strstr(debug, "@%p1 st.volatile.shared.f32 [%specific]"),
	       "a generic access to a shared array says so");
	tap_ok(debug && strstr(debug, "st.global.f32 [%specific], %f2;"),
	       "and one through a parameter is global");
	tap_ok(debug && strstr(debug, "ld.f32 %f1, [%rd9];"),
	       "what is not known stays generic");
	assembles(debug, "text that says its spaces");
	free(module_text);
	free(text);
	free(debug);
}

/* ---- what the inserted code computes ---- */

#define LANES 32
#define STRIDE 40			/* in %r1, for all that reads it */

/* The registers of one inserted block, by the letters of their names. */
struct machine {
	uint64_t t, a, b, v[4];
	unsigned int lane;
};

static uint64_t *machine_register(struct machine *m, const char *name)
{
	static uint64_t other;

	switch (name[sizeof("%gemmviz_") - 1]) {
	case 't':
		return &m->t;
	case 'a':
		return &m->a;
	case 'b':
		return &m->b;
	case 'v':
		return &m->v[name[sizeof("%gemmviz_v") - 1] - '0'];
	default:
		return &other;
	}
}

static uint64_t machine_value(struct machine *m, const char *operand)
{
	if (strncmp(operand, "%gemmviz_", 9) == 0)
		return *machine_register(m, operand);
	if (strcmp(operand, "%laneid") == 0)
		return m->lane;
	if (strcmp(operand, "%r1") == 0)
		return STRIDE;
	return strtoull(operand, NULL, 0);
}

/* One of the instructions that addresses are made with; others do nothing
 * to them. */
static void machine_step(struct machine *m, const char *line)
{
	char op[32], to[32], x[32] = "", y[32] = "", z[32] = "";
	uint64_t a, b, *d;

	if (sscanf(line, "%31s %31[^,;], %31[^,;], %31[^,;], %31[^,;];", op,
		   to, x, y, z) < 3 || strncmp(to, "%gemmviz_", 9) != 0)
		return;
	d = machine_register(m, to);
	a = machine_value(m, x);
	b = machine_value(m, y);
	if (strncmp(op, "mov", 3) == 0 || strncmp(op, "cvt", 3) == 0)
		*d = a;
	else if (strncmp(op, "add", 3) == 0)
		*d = a + b;
	else if (strncmp(op, "shr", 3) == 0)
		*d = a >> b;
	else if (strncmp(op, "and", 3) == 0)
		*d = a & b;
	else if (strncmp(op, "mul.wide", 8) == 0)
		*d = a * b;
	else if (strncmp(op, "mad.lo", 6) == 0)
		*d = (uint32_t)(a * b + machine_value(m, z));
}

/* The address that one block hands to gemmviz_access(); *text goes behind
 * it. False: there is no other. */
static bool machine_run(const char **text, unsigned int lane, uint64_t *at)
{
	const char *line = strstr(*text, "{ .reg .pred %gemmviz_p;");
	const char *call = "call.uni gemmviz_access";
	struct machine m = { .lane = lane };

	while (line && strncmp(line, call, strlen(call)) != 0) {
		if (strncmp(line, "call.uni", 8) == 0)
			m = (struct machine) { .lane = lane };
		machine_step(&m, line);
		line = strchr(line, '\n');
		line += line != NULL;
	}
	*at = m.a;
	*text = line;
	return line != NULL;
}

static const struct tile {
	const char *statement;
	unsigned int major, minor, stride, bytes;	/* of an element */
	/* Lane 5's second access: its first element. */
	unsigned int lane5_major, lane5_minor;
} tiles[] = {
	{ "wmma.load.a.sync.aligned.row.m16n16k16.f16 {%r4}, [0], %r1;",
	  16, 16, STRIDE, 2, 9, 2 },
	{ "wmma.load.a.sync.aligned.col.m16n16k16.f16 {%r4}, [0];",
	  16, 16, 16, 2, 3, 1 },
	{ "wmma.load.a.sync.aligned.row.m32n8k16.bf16 {%r4}, [0];",
	  32, 16, 16, 2, 9, 2 },
	{ "wmma.load.b.sync.aligned.row.m16n16k16.f16 {%r4}, [0];",
	  16, 16, 16, 2, 3, 1 },
	{ "wmma.load.b.sync.aligned.col.m16n16k16.f16 {%r4}, [0], %r1;",
	  16, 16, STRIDE, 2, 1, 10 },
	{ "wmma.load.b.sync.aligned.row.m32n8k16.f16 {%r4}, [0];",
	  16, 8, 8, 2, 3, 1 },
	{ "wmma.load.a.sync.aligned.row.m16n16k8.tf32 {%r4}, [0];",
	  16, 8, 8, 4, 9, 1 },
	{ "wmma.load.b.sync.aligned.col.m16n16k8.tf32 {%r4}, [0];",
	  16, 8, 8, 4, 1, 5 },
	{ "wmma.load.c.sync.aligned.row.m16n16k16.f16 {%r4}, [0], 24;",
	  16, 16, 24, 2, 9, 2 },
	{ "wmma.store.d.sync.aligned.row.m16n16k16.f32 [0], {%f1};",
	  16, 16, 16, 4, 9, 2 },
	{ "wmma.store.d.sync.aligned.col.m32n8k16.f32 [0], {%f1}, %r1;",
	  8, 32, STRIDE, 4, 3, 1 },
	{ "wmma.load.a.sync.aligned.row.m8n32k16.f16 {%r4}, [0];",
	  8, 16, 16, 2, 1, 10 },
	{ "wmma.load.b.sync.aligned.col.m8n32k16.bf16 {%r4}, [0], %r1;",
	  32, 16, STRIDE, 2, 9, 2 },
	{ "wmma.store.d.sync.aligned.row.m8n32k16.f32 [0], {%f1};",
	  8, 32, 32, 4, 3, 1 },
	{ "wmma.load.a.sync.aligned.row.m16n16k16.s8 {%r4}, [0];",
	  16, 16, 16, 1, 9, 4 },
	{ "wmma.load.b.sync.aligned.row.m32n8k16.u8 {%r4}, [0];",
	  16, 8, 8, 1, 5, 1 },
	{ "wmma.store.d.sync.aligned.col.m16n16k16.s32 [0], {%r4};",
	  16, 16, 16, 4, 3, 1 },
	{ "wmma.load.b.sync.aligned.row.m8n8k4.f64 {%fd1}, [0];",
	  4, 8, 8, 8, 0, 0 },
	{ "wmma.store.d.sync.aligned.col.m8n8k4.f64 [0], {%fd1}, %r1;",
	  8, 8, STRIDE, 8, 3, 1 },
};

/* All lanes' accesses together are the tile, each element once. */
static void tile_check(const struct tile *w)
{
	struct ptx *p = instrument(w->statement);
	unsigned int touched[32 * STRIDE] = { 0 }, wrong = 0;

	if (!tap_ok(p != NULL, "%s", w->statement))
		return;
	for (unsigned int lane = 0; lane < LANES; lane++) {
		const char *text = kernel_text(p);
		uint64_t at;

		for (size_t i = 3; machine_run(&text, lane, &at); i++) {
			uint64_t first = at / w->bytes;
			uint64_t want = (uint64_t)w->lane5_major * w->stride +
					w->lane5_minor;

			if (lane == 5 && i == 4)
				tap_is(first, want, "lane 5's second place");
			for (size_t b = 0; b < p->sites[i].bytes;
			     b += w->bytes)
				if (first < LENGTH(touched))
					touched[first++]++;
		}
	}
	for (unsigned int i = 0; i < LENGTH(touched); i++)
		wrong += touched[i] != (i / w->stride < w->major &&
					i % w->stride < w->minor);
	tap_is(wrong, 0, "each element once, and no other");
	ptx_free(p);
}

static void returned_structures(void)
{
	static const char call[] =
		"{ .param .b32 p; st.param.b32 [p], %r1;\n"
		".param .align 16 .b8 q[16]; call.uni (q), k_callee, (p);\n";
	static const char fours[] =
		"ld.param.v4.f32 {%f1, %f2, %f3, %f4}, [q+0]; }\n"
		"add.s64 %rd5, %rd1, 16;\n";
	static const char twos[] =
		"ld.param.v2.f32 {%f1, %f2}, [q+0];\n"
		"ld.param.v2.f32 {%f3, %f4}, [q+8]; }\n"
		"add.s64 %rd5, %rd1, 16;\n";
	static const char ones[] =
		"ld.param.f32 %f1, [q+0]; ld.param.f32 %f2, [q+4];\n"
		"ld.param.f32 %f3, [q+8]; ld.param.f32 %f4, [q+12]; }\n"
		"add.s64 %rd5, %rd1, 16;\n";
	static const struct {
		const char *stores, *what;
		uint32_t bytes[4];
		const char *loads;
	} all[] = {
		{ "st.f32 [%rd5+12], %f4; st.f32 [%rd5+8], %f3;"
		  " st.f32 [%rd5+4], %f2; st.f32 [%rd5], %f1;",
		  "a structure stored at once", { 16 }, fours },
		{ "st.f32 [%rd5+12], %f4; st.f32 [%rd5+8], %f3;"
		  " st.f32 [%rd5+4], %f2;", "three of its members",
		  { 4, 4, 4 }, fours },
		{ "st.f32 [%rd5], %f4; st.f32 [%rd5+4], %f3;"
		  " st.f32 [%rd5+8], %f2; st.f32 [%rd5+12], %f1;",
		  "the other way round", { 4, 4, 4, 4 }, fours },
		{ "st.f32 [%rd5+12], %f4; st.f32 [%rd1+8], %f3;"
		  " st.f32 [%rd5+4], %f2; st.f32 [%rd5], %f1;",
		  "elsewhere", { 4, 4, 4, 4 }, fours },
		{ "st.f32 [%rd5+12], %f4; st.f32 [%rd5+8], %f3;"
		  " add.s64 %rd5, %rd5, 4;"
		  " st.f32 [%rd5+4], %f2; st.f32 [%rd5], %f1;",
		  "with something between", { 4, 4, 4, 4 }, fours },
		{ "st.f32 [%rd5+12], %f4; st.f32 [%rd5+8], %f3;"
		  " st.f32 [%rd5+4], %f2; st.f32 [%rd5], %f1;",
		  "of which a load reads half", { 8, 8 }, twos },
		{ "st.f32 [%rd5+12], %f4; st.f32 [%rd5+8], %f3;"
		  " st.f32 [%rd5+4], %f2; st.f32 [%rd5], %f1;",
		  "of which a load reads one member", { 4, 4, 4, 4 }, ones },
	};

	for (size_t i = 0; i < LENGTH(all); i++) {
		char *text = xasprintf("%s%s%s", call, all[i].loads,
				       all[i].stores);
		struct ptx *p = instrument(text);
		size_t n = 0, right = 0;

		for (size_t k = 0; p && k < p->site_count; k++) {
			if (p->sites[k].event != PTX_STORE)
				continue;
			right += n < 4 && p->sites[k].bytes == all[i].bytes[n];
			n++;
		}
		tap_ok(right == n && n && (n == 4 || !all[i].bytes[n]), "%s",
		       all[i].what);
		if (i == 0)
			tap_is(p ? times(kernel_text(p), "call.uni "
					 "gemmviz_value") : 0, 1,
			       "with one value");
		ptx_free(p);
		free(text);
	}
}

/* What is known of a fragment's place before it is touched. */
static void fragment_rules(void)
{
	struct ptx *p = instrument("wmma.load.a.sync.aligned.row.m16n16k16."
				   "shared.f16 {%r4}, [%r2], %r1;");
	const char *text = kernel_text(p);
	const char *rule = strstr(text, "call.uni gemmviz_rule");

	tap_ok(rule && rule < strstr(text, "call.uni gemmviz_access"),
	       "a fragment's rules come before its accesses");
	tap_ok(strstr(text, "mul.lo.u32 %gemmviz_v2, %gemmviz_v2, 2;\n"
		      "and.b32 %gemmviz_v2, %gemmviz_v2, 15;") &&
	       strstr(text, "and.b64 %gemmviz_b, %gemmviz_a, 31;"),
	       "they are of the distance between rows, and of the address");
	ptx_free(p);
}

static void rows(void)
{
	struct ptx *p = instrument(
		"ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r4}, [%r2];\n"
		"ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r4,%r5}, [%r2];");
	const char *text = kernel_text(p);

	tap_ok(p->sites[2].matrix && p->sites[2].bytes == 16 &&
	       p->sites[2].space == PTX_SHARED, "a row of a matrix is loaded");
	tap_ok(strstr(text, "setp.ge.u32 %gemmviz_p, %gemmviz_t, 8;") &&
	       strstr(text, "setp.ge.u32 %gemmviz_p, %gemmviz_t, 16;"),
	       "lanes without a row's address record none");
	ptx_free(p);
	p = instrument("cp.async.ca.shared.global [%r2], [%rd1], 16, %r4;");
	tap_ok(strstr(kernel_text(p), "mov.b32 %gemmviz_t, %r4;\n"
		      "setp.eq.u32 %gemmviz_p, %gemmviz_t, 0;\n"
		      "@%gemmviz_p mov.b32 %gemmviz_s, -1;") &&
	       strstr(kernel_text(p), "[gemmviz_2], %gemmviz_t;"),
	       "what is copied is as much as is read");
	ptx_free(p);
}

static void warp_barriers(void)
{
	struct ptx *p = instrument("bar.warp.sync %r1;\n"
				   "@%p1 bar.warp.sync -1;");
	const char *text = kernel_text(p);

	tap_ok(strstr(text, "mov.b32 %gemmviz_s, 2;\n"
		      "cvt.u64.u32 %gemmviz_a, %r1;"),
	       "a warp's barrier says whom it waits for");
	tap_ok(strstr(text, "selp.b32 %gemmviz_s, 3, -1, %p1;\n"
		      "mov.u64 %gemmviz_a, -1;"),
	       "where it is come to, a constant, too");
	ptx_free(p);
}

/* ---- what is wrong ---- */

static const struct wrong {
	const char *text;
	enum exit_status status;
	const char *says;		/* line and word */
} wrongs[] = {
	{ "", EXIT_INPUT, "line 1," },
	{ "hello", EXIT_INPUT, "line 1, at \"hello\"" },
	{ ".version 8.0\n.target sm_75", EXIT_RUNNER, "line 1," },
	{ ".version 8.0\n.target\n", EXIT_INPUT, "line 3," },
	{ ".target sm_75\n.address_size 64\n", EXIT_INPUT, "line 1," },
	{ HEAD "}", EXIT_INPUT, "line 4, at \"}\"" },
	{ HEAD ".entry k() {\nret", EXIT_INPUT, "line 5," },
	{ HEAD ".entry k() {\nret;\n", EXIT_INPUT, "line 6," },
	{ HEAD ".entry k() { [ }", EXIT_INPUT, "line 4, at \"[\"" },
	{ HEAD ".entry k() { \n@%p; }", EXIT_INPUT, "line 5, at \"@\"" },
	{ HEAD ".entry k() {\n\nld.global.f32 %f1, [%rd1]; }", EXIT_INPUT,
	  "line 6, at \"%rd1\"" },
	{ HEAD ".entry k() {\nld.global.f32 %f1; }", EXIT_INPUT,
	  "line 5, at \"ld.global.f32\"" },
	{ HEAD ".entry k() {\nbar.warp.sync; }", EXIT_INPUT,
	  "line 5, at \"bar.warp.sync\"" },
	{ HEAD ".entry k() {\nbar.warp.sync [8]; }", EXIT_INPUT, "line 5," },
	{ HEAD ".entry k() {\nld.global.f33 %f1, [8]; }", EXIT_INPUT,
	  "line 5," },
	{ HEAD ".entry k() {\nst.global.f32 [8+x], 1; }", EXIT_INPUT,
	  "line 5," },
	{ HEAD ".func (", EXIT_INPUT, "line 4," },
	{ HEAD ".func ;\n.entry () { ret; }", EXIT_INPUT, "line 5," },
	{ HEAD ".section .debug_str\n{ .b8 1", EXIT_INPUT, "line 5," },
	{ HEAD ".section .debug_str\n{ .b99 1 }", EXIT_INPUT,
	  "line 5, at \".b99\"" },
	{ HEAD ".section .debug_str\n{ .b8 , }", EXIT_INPUT, "line 5," },
	{ HEAD ".entry k() { .loc 1 2; }", EXIT_INPUT, "line 4, at \";\"" },
	{ HEAD ".global .u32 gemmviz_state;", EXIT_INPUT,
	  "line 4, at \"gemmviz_state\"" },
	{ HEAD ".entry k() {\nwmma.load.a.sync.aligned.row.m8n8k32.s4 {%r1},"
	  " [8], 32; }", EXIT_RUNNER, "line 5, at \"wmma.load.a" },
	{ HEAD ".entry k() {\nstmatrix.sync.aligned.m8n8.x1.shared.b16 [8]; }",
	  EXIT_INPUT, "line 5, at \"stmatrix" },
	{ HEAD ".entry k() {\nldmatrix.sync.aligned.m16n16.x1.trans.shared.b8"
	  " {%r1,%r2}, [8]; }", EXIT_RUNNER, "line 5, at \"ldmatrix" },
};

static void wrong_check(const struct wrong *w)
{
	struct error e = { 0 };
	struct ptx *p = ptx_instrument(w->text, strlen(w->text), stub, &e);
	bool good = !p && e.status == w->status && strstr(e.text, w->says);

	if (!tap_ok(good, "refused: %s", w->says))
		printf("# %d %s\n", e.status, e.text);
	ptx_free(p);
}

static void zero_byte(void)
{
	static const char text[] = HEAD "\0";
	struct error e;

	tap_ok(!ptx_instrument(text, sizeof(text), stub, &e) &&
	       e.status == EXIT_INPUT && strstr(e.text, "line 4"),
	       "refused: a zero byte");
}

/* ---- kernels ---- */

static const struct kernel {
	const char *name;
	int arch;
	size_t shared, barriers;	/* unoptimized: sites */
	bool locals;			/* it has variables in local memory */
	size_t matrices;
} kernels[] = {
	{ "naive", 75, 0, 0, false, 0 }, { "naive_swapped", 75, 0, 0, false, 0 },
	{ "tiled", 75, 6, 2, false, 0 }, { "float4", 75, 10, 2, true, 0 },
	{ "mma", 80, 0, 2, true, 2 }, { "mma_multistage", 80, 0, 2, true, 2 },
};

static struct ptx *kernel_ptx(const char *name, const char *options)
{
	char *out = xasprintf("%s/kernel.ptx", folder), *text = NULL;
	char *command = xasprintf("nvcc %s -ptx -I%s/src/kernels -o %s "
				  "%s/src/kernels/%s.cu", options,
				  getenv("srcdir"), out, getenv("srcdir"),
				  name);
	struct ptx *p = NULL;
	struct error e;

	if (tool(command) == 0)
		text = slurp(out);
	if (text)
		p = ptx_instrument(text, strlen(text), recorder, &e);
	if (text && !p)
		printf("# %s\n", e.text);
	free(text);
	free(out);
	free(command);
	return p;
}

/* Sites of loads and stores that are known to be of a shared array, and
 * those of which nothing is known. */
static void count_sites(const struct ptx *p, size_t *shared, size_t *unknown)
{
	*shared = *unknown = 0;
	for (size_t i = 0; i < p->site_count; i++) {
		const struct ptx_site *s = &p->sites[i];

		if (s->event > PTX_STORE)
			continue;
		*shared += s->symbol != NULL;
		*unknown += !s->symbol && s->param == NA;
	}
}

/* Those of ptx.h are inlined. */
static size_t matrices(const struct ptx *p)
{
	size_t count = 0;

	for (size_t i = 0; i < p->site_count; i++)
		for (size_t f = 0; f < p->file_count; f++)
			count += p->sites[i].matrix &&
				 p->files[f].index == p->sites[i].file &&
				 !strstr(p->files[f].path, "ptx.h");
	return count;
}

static void kernel_check(const struct kernel *k)
{
	char *options = xasprintf("-G -arch=compute_%d", k->arch);
	struct ptx *p = kernel_ptx(k->name, options);
	size_t shared, unknown;

	free(options);
	if (!tap_ok(p != NULL, "%s, unoptimized", k->name))
		return;
	count_sites(p, &shared, &unknown);
	tap_is(shared, k->shared, "accesses of shared arrays");
	tap_ok(k->locals || !unknown, "none of nobody knows what");
	tap_is(event_count(p, PTX_FRAME) != 0, k->locals, "frames");
	tap_is(event_count(p, PTX_BARRIER), k->barriers, "barriers");
	tap_is(matrices(p), k->matrices, "matrices, in the kernel's own text");
	tap_ok(p->section_count >= 3 && p->sections[0].length, "debug bytes");
	assembles(p->text, k->name);
	ptx_free(p);
	p = kernel_ptx(k->name, "-lineinfo -arch=compute_90");
	if (!tap_ok(p && event_count(p, PTX_STORE), "%s, optimized", k->name))
		return;
	assembles(p->text, k->name);
	ptx_free(p);
}

int main(void)
{
	char *command;

	folder = xstrdup("/tmp/gemmviz-ptx-XXXXXX");
	if (!mkdtemp(folder))
		return 1;
	tools_find();
	for (size_t i = 0; i < LENGTH(forms); i++)
		form_check(&forms[i]);
	predicates();
	labels();
	calls();
	origins();
	lines();
	debug_sections();
	wide();
	heads();
	plain();
	for (size_t i = 0; i < LENGTH(tiles); i++)
		tile_check(&tiles[i]);
	rows();
	returned_structures();
	fragment_rules();
	warp_barriers();
	for (size_t i = 0; i < LENGTH(wrongs); i++)
		wrong_check(&wrongs[i]);
	zero_byte();
	for (size_t i = 0; i < LENGTH(kernels); i++) {
		if (has_nvcc)
			kernel_check(&kernels[i]);
		else
			tap_skip(kernels[i].name, "nvcc is not there");
	}
	command = xasprintf("rm -rf %s", folder);
	tool(command);
	free(command);
	free(folder);
	if (recorder != stub)
		free((char *)recorder);
	return tap_done();
}
