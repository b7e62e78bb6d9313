/*
 * machine_bench: warp instructions that the interpreter of machine code runs in
 * a second of processor time, accesses costed and logged, for kernels of
 * tests/machine. Lines are for bench/run.
 */
#include <stdlib.h>
#include <time.h>

#include "machine/run.h"

#define SIDE 64
#define BASE 0x700000000000u
#define APART 0x10000
#define SECONDS 0.5

static const struct {
	const char *file;
	struct trace_dim grid, block;
} kernels[] = {
	{ "tiled.90", { 4, 4, 1 }, { 16, 16, 1 } },
	{ "tiled_bt.90", { 4, 4, 1 }, { 16, 16, 1 } },
	{ "float4.90", { 1, 1, 1 }, { 16, 16, 1 } },
	{ "register_tiled.90", { 2, 2, 1 }, { 8, 8, 1 } },
	{ "double_buffered.80", { 4, 4, 1 }, { 16, 16, 1 } },
	{ "wmma.80", { 1, 1, 1 }, { 256, 1, 1 } },
	{ "mma.80", { 1, 1, 1 }, { 256, 1, 1 } },
};

/* What stands in a loop between the loop's beginning and its end. */
static const struct { const char *name, *code[6]; } loops[] = {
	{ "half_accesses", { "LDS R5, [R2+0x400]", "LDG.E R6, [R8.64]",
			     "LDS R7, [R2+0x800]", "STS [R2+0xc00], R6",
			     "FFMA R6, R5, R6, R7" } },
	{ "products", { "HMMA.16816.F32 R24, R12, R16, R24",
			"HMMA.16816.F32 R28, R12, R18, R28",
			"HMMA.16816.F32 R32, R12, R20, R32",
			"HMMA.16816.F32 R36, R12, R22, R36" } },
	{ "halves", { "HFMA2 R12, R13, R14, R12", "HADD2 R15, R13, R14",
		      "HFMA2 R16, R13, R14, R16", "HMUL2 R17, R13, R14" } },
};

static uint64_t told;

static void count_event(void *ctx, const struct run_event *event)
{
	(void)ctx;
	told += event->mask != 0;
}

static double processor_seconds(void)
{
	return (double)clock() / CLOCKS_PER_SEC;
}

/* Runs blocks for SECONDS; returns warp instructions a second. */
static double measure_launch(const struct run_launch *l)
{
	struct error e;
	struct machine_run *r = run_new(l, &e);
	double begun = processor_seconds(), took, steps;

	if (!r)
		fatal("%s", e.text);
	do {
		for (uint32_t n = 0; n < l->grid.x * l->grid.y; n++)
			if (run_block(r, n, count_event, NULL, &e) < 0)
				fatal("%s", e.text);
		took = processor_seconds() - begun;
	} while (took < SECONDS);
	steps = (double)run_steps(r);
	run_free(r);
	return steps / took;
}

static void measure_text(const char *name, const char *text,
			 struct trace_dim grid, struct trace_dim block)
{
	static uint8_t data[3][SIDE * SIDE * 4];
	struct run_memory m[3];
	uint64_t parameters[5] = { 0 };
	struct run_launch l = {
		.grid = grid, .block = block, .shared_bytes = 48 << 10,
		.memory = m, .memory_count = 3,
		.parameters = (uint8_t *)parameters, .parameter_bytes = 36,
		.steps_most = UINT64_MAX,
	};
	struct error e;
	struct sass *s = sass_parse(text, NULL, &e);

	if (!s)
		fatal("%s", e.text);
	for (int i = 0; i < 3; i++) {
		m[i] = (struct run_memory){ BASE + (uint64_t)i * APART,
					    sizeof(data[i]), data[i] };
		parameters[i] = m[i].base;
		((uint32_t *)(parameters + 3))[i] = SIDE;
	}
	l.sass = s;
	l.arch = s->arch;
	printf("machine_%s %.2f M/s\n", name, measure_launch(&l) / 1e6);
	sass_free(s);
}

static void add_line(struct str *s, unsigned *address, const char *code)
{
	str_addf(s, "\t/*%04x*/  %s ;\n", 16 * (*address)++, code);
}

static void measure_loop(size_t n)
{
	static const char *const before[] = {
		"S2R R3, SR_TID.X", "LDC.64 R8, c[0x0][0x210]",
		"IMAD.WIDE.U32 R8, R3, 0x4, R8", "SHF.L.U32 R2, R3, 0x2, RZ",
		"MOV R4, 0x400",
	}, *const behind[] = {
		"IADD3 R4, R4, -0x1, RZ", "ISETP.NE.AND P0, PT, R4, RZ, PT",
		"@P0 BRA `(.L_1)", "EXIT",
	};
	struct str s = { 0 };
	unsigned address = 0;
	char *text;

	str_add(&s, "\t.target\tsm_90\n.text.k:\n");
	for (size_t i = 0; i < LENGTH(before); i++)
		add_line(&s, &address, before[i]);
	str_add(&s, ".L_1:\n");
	for (const char *const *c = loops[n].code; *c; c++)
		add_line(&s, &address, *c);
	for (size_t i = 0; i < LENGTH(behind); i++)
		add_line(&s, &address, behind[i]);
	text = str_take(&s);
	measure_text(loops[n].name, text, (struct trace_dim){ 1, 1, 1 },
		     (struct trace_dim){ 256, 1, 1 });
	free(text);
}

int main(void)
{

	for (size_t n = 0; n < LENGTH(kernels); n++) {
		char *path = xasprintf("%s/tests/machine/%s.sass", ABS_SRCDIR,
				       kernels[n].file);
		struct error e;
		size_t length;
		char *text = file_read(path, 1 << 24, &length, &e);

		if (!text)
			fatal("%s", e.text);
		measure_text(kernels[n].file, text, kernels[n].grid,
			     kernels[n].block);
		free(text);
		free(path);
	}
	for (size_t n = 0; n < LENGTH(loops); n++)
		measure_loop(n);
	return 0;
}
