/*
 * Compares what an architecture lacks with what nvcc -arch refuses: one PTX file
 * for each architecture, in which each instruction is a line.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hardware/arch.h"
#include "tests/tap.h"

static const uint32_t archs[] = { 75, 80, 86, 89, 90, 100 };

/* Instructions with their operands. */
static const char *const lines[] = {
	"cp.async.ca.shared.global [%rd0], [%rd1], 4;",
	"cp.async.commit_group;", "cp.async.wait_group 0;",
	"cp.async.mbarrier.arrive.shared.b64 [%rd0];",
	"cp.async.bulk.commit_group;", "cp.async.bulk.wait_group 0;",
	"mbarrier.init.shared.b64 [%rd0], 1;",
	"mbarrier.arrive.shared.b64 %rd2, [%rd0];",
	"mbarrier.arrive.expect_tx.shared.b64 %rd2, [%rd0], 4;",
	"mbarrier.test_wait.shared.b64 %p0, [%rd0], %rd2;",
	"mbarrier.try_wait.shared.b64 %p0, [%rd0], %rd2;",
	"fence.proxy.async;", "fence.mbarrier_init.release.cluster;",
	"fence.acq_rel.cluster;", "fence.acq_rel.gpu;",
	"barrier.cluster.arrive;", "barrier.cluster.wait;",
	"ld.shared::cluster.u32 %r0, [%rd0];",
	"mapa.shared::cluster.u64 %rd0, %rd1, %r0;",
	"elect.sync %r0|%p0, %r1;", "griddepcontrol.wait;",
	"griddepcontrol.launch_dependents;",
	"stmatrix.sync.aligned.m8n8.x1.shared.b16 [%rd0], {%r0};",
	"ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r0}, [%rd0];",
	"movmatrix.sync.aligned.m8n8.trans.b16 %r0, %r1;",
	"redux.sync.add.s32 %r0, %r1, %r2;",
	"match.any.sync.b32 %r0, %r1, %r2;",
	"mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%d0,%d1}, {%d2}, {%d3}, {%d0,%d1};",
	"mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%d0,%d1,%d2,%d3}, {%d2,%d3}, {%d3}, {%d0,%d1,%d2,%d3};",
	"mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f0,%f1,%f2,%f3}, {%r0,%r1}, {%r2}, {%f0,%f1,%f2,%f3};",
	"mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 {%f0,%f1,%f2,%f3}, {%r0,%r1}, {%r2}, {%f0,%f1,%f2,%f3};",
	"mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 {%f0,%f1,%f2,%f3}, {%r0,%r1}, {%r2}, {%f0,%f1,%f2,%f3};",
	"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f0,%f1,%f2,%f3}, {%r0,%r1,%r2,%r3}, {%r4,%r5}, {%f0,%f1,%f2,%f3};",
	"mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%r6,%r7}, {%r0,%r1,%r2,%r3}, {%r4,%r5}, {%r6,%r7};",
	"mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%r6,%r7}, {%r0}, {%r1}, {%r6,%r7};",
	"mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%r6,%r7,%r8,%r9}, {%r0,%r1,%r2,%r3}, {%r4,%r5}, {%r6,%r7,%r8,%r9};",
	"mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32 {%f0,%f1,%f2,%f3}, {%r0,%r1,%r2,%r3}, {%r4,%r5}, {%f0,%f1,%f2,%f3};",
	"wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 {%r0,%r1,%r2,%r3,%r4,%r5,%r6,%r7}, [%rd0];",
	"wmma.load.a.sync.aligned.row.m16n16k16.shared.bf16 {%r0,%r1,%r2,%r3}, [%rd0];",
	"wmma.load.a.sync.aligned.row.m16n16k16.shared.s8 {%r0,%r1}, [%rd0];",
	"wmma.load.a.sync.aligned.row.m16n16k8.shared.tf32 {%r0,%r1,%r2,%r3}, [%rd0];",
	"wmma.load.a.sync.aligned.row.m8n8k4.shared.f64 {%d0}, [%rd0];",
	"cvt.rn.satfinite.e4m3x2.f32 %h0, %f0, %f1;",
	"cvt.rn.bf16.f32 %h0, %f0;", "cvt.rn.bf16x2.f32 %r0, %f0, %f1;",
	"cvt.rna.tf32.f32 %r0, %f0;", "cvt.rn.relu.f16.f32 %h0, %f0;",
	"cvt.rn.f16.f32 %h0, %f0;",
	"fma.rn.relu.f16 %h0, %h1, %h2, %h3;",
	"fma.rn.f16 %h0, %h1, %h2, %h3;",
	"fma.rn.bf16 %h0, %h1, %h2, %h3;", "add.bf16 %h0, %h1, %h2;",
	"min.bf16 %h0, %h1, %h2;", "max.f16 %h0, %h1, %h2;",
	"max.f32 %f0, %f1, %f2;", "max.NaN.f32 %f0, %f1, %f2;",
	"max.xorsign.abs.f32 %f0, %f1, %f2;",
	"max.s16x2 %r0, %r1, %r2;", "max.relu.s32 %r0, %r1, %r2;",
	"tanh.approx.f32 %f0, %f1;", "tanh.approx.bf16 %h0, %h1;",
	"ex2.approx.f16 %h0, %h1;", "ex2.approx.f32 %f0, %f1;",
	"ex2.approx.ftz.bf16 %h0, %h1;",
	"createpolicy.fractional.L2::evict_last.b64 %rd0, 1.0;",
	"ld.global.L2::cache_hint.u32 %r0, [%rd0], %rd1;",
	"ld.global.L2::128B.u32 %r0, [%rd0];",
	"ld.global.L2::256B.u32 %r0, [%rd0];",
	"discard.global.L2 [%rd0], 128;",
	"atom.global.add.f64 %d0, [%rd0], %d1;",
	"atom.global.v4.f32.add {%f0,%f1,%f2,%f3}, [%rd0], {%f0,%f1,%f2,%f3};",
	"red.global.add.noftz.bf16 [%rd0], %h0;",
	"atom.global.add.noftz.f16 %h0, [%rd0], %h1;",
	"ld.acquire.gpu.global.u32 %r0, [%rd0];",
	"st.release.sys.global.u32 [%rd0], %r0;",
	"wgmma.fence.sync.aligned;", "setmaxnreg.inc.sync.aligned.u32 64;",
	"shfl.sync.bfly.b32 %r0, %r1, 1, 31, %r2;",
	"vote.sync.any.pred %p0, %p1, %r0;", "bar.sync 1, 64;",
	"prefetch.global.L2 [%rd0];",
};

/* Where the first instruction is, in lines from 1, and between them. */
#define FIRST_LINE 8

static void write_ptx(FILE *f, uint32_t arch)
{
	fprintf(f, ".version 8.7\n.target sm_%u%s\n.address_size 64\n", arch,
		arch >= 90 ? "a" : "");
	fputs(".visible .entry k()\n{\n.reg .pred %p<2>; .reg .b16 %h<4>; "
	      ".reg .b32 %r<10>; .reg .b64 %rd<3>;\n"
	      ".reg .f32 %f<4>; .reg .f64 %d<4>;\n", f);
	for (size_t i = 0; i < LENGTH(lines); i++)
		fprintf(f, "%s\n", lines[i]);
	fputs("ret;\n}\n", f);
}

/* Sets refused[i] for each instruction that nvcc refuses. Returns whether it
 * ran. */
static bool ask_nvcc(const char *nvcc, const char *folder, uint32_t arch,
		     bool *refused)
{
	char *path = xasprintf("%s/%u.ptx", folder, arch);
	char *command = xasprintf("%s -arch=sm_%u%s -cubin -o %s/out %s 2>&1",
				  nvcc, arch, arch >= 90 ? "a" : "", folder,
				  path);
	char said[1024];
	bool any = false;
	FILE *f = fopen(path, "w");

	if (f) {
		write_ptx(f, arch);
		fclose(f);
	}
	f = popen(command, "r");
	while (f && fgets(said, sizeof(said), f)) {
		const char *at = strstr(said, ", line ");
		size_t line = at && strstr(said, "error") ?
				strtoul(at + strlen(", line "), NULL, 10) : 0;

		any = true;
		if (line >= FIRST_LINE && line - FIRST_LINE < LENGTH(lines))
			refused[line - FIRST_LINE] = true;
		else if (line)
			printf("# %s", said);
	}
	if (f)
		any = pclose(f) == 0 || any;
	unlink(path);
	free(path);
	free(command);
	return any;
}

static void compare_arch(uint32_t arch, const bool *refused)
{
	size_t wrong = 0;

	for (size_t i = 0; i < LENGTH(lines); i++) {
		char *name = xstrndup(lines[i], strcspn(lines[i], " ;"));
		bool lacks = arch_lacks(arch, name);

		if (lacks != refused[i])
			printf("# sm_%u: %s: %s, nvcc: %s\n", arch, name,
			     lacks ? "lacks" : "has",
			     refused[i] ? "refuses" : "takes");
		wrong += lacks != refused[i];
		free(name);
	}
	tap_ok(wrong == 0, "sm_%u lacks what nvcc -arch refuses", arch);
}

static void test_cards(void)
{
	const struct arch_card *a = arch_card_named("a100");

	tap_ok(a && a->arch == 80 && a->sms == 108, "a card by its name");
	tap_ok(!arch_card_named("A101"), "no other");
	a = arch_card_usual(75);
	tap_ok(a && !strcmp(a->name, "T4") && a->sms == 40,
	   "the usual card of an architecture");
}

int main(void)
{
	const char *nvcc = "/usr/local/cuda/bin/nvcc";
	char folder[] = "/tmp/archXXXXXX";
	char *out;

	test_cards();
	tap_ok(!arch_lacks(90, "wgmma.fence.sync.aligned") &&
	   arch_lacks(100, "wgmma.fence.sync.aligned"),
	   "what only one architecture has");
	if (access(nvcc, X_OK) != 0 || !mkdtemp(folder)) {
		tap_skip("nvcc -arch", "there is no nvcc");
		return tap_done();
	}
	for (size_t i = 0; i < LENGTH(archs); i++) {
		bool refused[LENGTH(lines)] = { false };

		if (ask_nvcc(nvcc, folder, archs[i], refused))
			compare_arch(archs[i], refused);
		else
			tap_ok(false, "nvcc runs");
	}
	out = xasprintf("%s/out", folder);
	unlink(out);
	free(out);
	rmdir(folder);
	return tap_done();
}
