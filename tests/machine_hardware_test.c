/*
 * What the interpreter counts of machine code is what an H200 counts of it:
 * eight counts of each kernel of bench/machine_hardware.cu.
 * covers: machine
 */
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "machine_counts.h"
#include "tap.h"

#define BASE 0x7000000000ull
#define ARRAY_BYTES (1u << 20)

static const char *const names[COUNTS] = {
	"global_load_requests", "global_load_sectors",
	"global_store_requests", "global_store_sectors",
	"shared_load_instructions", "shared_load_wavefronts",
	"shared_store_instructions", "shared_store_wavefronts",
};

/* Runs the kernel as it was launched there; returns NULL, or why it ended. */
static const char *run_kernel(const char *code, const char *name,
			      long got[COUNTS])
{
	static char why[600];
	struct run_memory m[3];
	uint8_t parameters[28];
	struct run_launch l = {
		.grid = { 16, 1, 1 }, .block = { 256, 1, 1 },
		.shared_bytes = 48 << 10, .local_bytes = 1024,
		.memory = m, .memory_count = 3,
		.parameters = parameters,
		.parameter_bytes = sizeof(parameters),
		.steps_most = 100000000,
	};
	const int n = 4096;
	struct error e = { .text = "" };
	struct sass *s = sass_parse(code, name, &e);
	struct machine_run *r;
	int rc = s ? 0 : -1;

	for (int i = 0; i < 3; i++) {
		m[i] = (struct run_memory){ BASE + (uint64_t)i * ARRAY_BYTES,
					    ARRAY_BYTES,
					    xcalloc(1, ARRAY_BYTES) };
		memcpy(parameters + 8 * i, &m[i].base, 8);
	}
	memcpy(parameters + 24, &n, sizeof(n));
	l.sass = s;
	l.arch = s ? s->arch : 0;
	r = s ? run_new(&l, &e) : NULL;
	for (uint32_t block = 0; r && rc == 0 && block < l.grid.x; block++)
		rc = run_block(r, block, NULL, NULL, &e);
	memset(got, 0, COUNTS * sizeof(*got));
	if (r && rc == 0)
		add_up(r, s, got);
	run_free(r);
	sass_free(s);
	for (int i = 0; i < 3; i++)
		free(m[i].data);
	snprintf(why, sizeof(why), "%s", e.text);
	return r && rc == 0 ? NULL : why;
}

static void try_line(const char *code, const char *line)
{
	json_t *o = json_loads(line, 0, NULL);
	const char *name = json_string_value(json_object_get(o, "kernel"));
	json_t *counted = json_object_get(o, "counters");
	long got[COUNTS];
	const char *why = name ? run_kernel(code, name, got) : "no kernel";

	tap_ok(!why, "%s runs to its end (%s)", name, why ? why : "");
	for (int i = 0; i < COUNTS; i++)
		tap_is(got[i], json_integer_value(
			       json_object_get(counted, names[i])),
		       "%s: %s", name, names[i]);
	json_decref(o);
}

int main(void)
{
	size_t length;
	struct error e;
	char *code = file_read(ABS_SRCDIR "/tests/machine/hardware.90.sass",
			       1 << 24, &length, &e);
	char *lines = file_read(ABS_SRCDIR "/data/machine-h200.jsonl", 1 << 20,
				&length, &e), *save, *line;
	int count = 0;

	if (!code || !lines)
		fatal("%s", e.text);
	for (line = strtok_r(lines, "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save), count++)
		try_line(code, line);
	tap_is(count, 24, "kernels");
	free(code);
	free(lines);
	return tap_done();
}
