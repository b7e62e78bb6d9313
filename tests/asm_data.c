/* What PTX instructions compute, against what a GPU said of them
 * (bench/asm_values.sh). */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "emu/warp/asm_alu.h"
#include "tap.h"

#define DATA "data/asm-h200.jsonl"
#define VALUES 64
#define TYPES 20

/* The edge values of a type. */
struct type {
	char name[8];
	uint64_t values[VALUES];
	size_t count;
};
static struct type types[TYPES];
static size_t type_count;
static int broken;		/* lines that make no sense */
static bool *measured;		/* of each line of asm_alu.def */

static const struct type *type_find(const char *name)
{
	for (size_t i = 0; i < type_count; i++)
		if (!strcmp(types[i].name, name))
			return &types[i];
	return NULL;
}

static void type_read(const char *name, const char *values)
{
	struct type *t = &types[type_count];
	char *end;

	if (type_count == TYPES) {
		broken++;
		return;
	}
	type_count++;
	snprintf(t->name, sizeof(t->name), "%s", name);
	for (; *values && t->count < VALUES; values = end) {
		t->values[t->count++] = strtoull(values, &end, 16);
		if (end == values)
			break;
	}
}

/* ---- results ---- */

static unsigned bits_of(const char *type)
{
	if (strstr(type, "x2"))
		return 32;
	return asm_alu_is_predicate(type) ? 1 :
		(unsigned)strtoul(type + strcspn(type, "0123456789"), NULL, 10);
}

static bool is_nan16(uint64_t v, bool bf16)
{
	uint64_t infinity = bf16 ? 0x7f80 : 0x7c00;

	return (v & 0x7fff) > infinity;
}

/* PTX leaves open which NaN a computation gives, but not what is moved. */
static bool is_nan(const char *type, uint64_t v)
{
	if (!strcmp(type, "f64"))
		return (v << 1) > 0xffe0000000000000;
	if (!strcmp(type, "f32") || !strcmp(type, "tf32"))
		return (v & 0x7fffffff) > 0x7f800000;
	if (!strcmp(type, "f16") || !strcmp(type, "bf16"))
		return is_nan16(v, *type == 'b');
	return false;
}

static bool same(const struct asm_alu *alu, uint64_t got, uint64_t want)
{
	unsigned bits = bits_of(alu->result);
	uint64_t mask = bits == 64 ? UINT64_MAX : (1ull << bits) - 1;
	bool moves = !strncmp(alu->name, "mov", 3) ||
		     !strncmp(alu->name, "selp", 4);
	const char *half = *alu->result == 'b' ? "bf16" : "f16";

	if (strstr(alu->result, "f16x2")) {
		for (int i = 0; i < 32; i += 16) {
			uint64_t g = got >> i & 0xffff, w = want >> i & 0xffff;

			if (g != w && !(is_nan(half, g) && is_nan(half, w)))
				return false;
		}
		return true;
	}
	got &= mask;
	want &= mask;
	return got == want || (!moves && is_nan(alu->result, got) &&
			       is_nan(alu->result, want));
}

/* ---- a line ---- */

static const struct asm_alu *alu_of(const json_t *line)
{
	const char *name = json_string_value(json_object_get(line,
							     "instruction"));
	json_int_t table = json_integer_value(json_object_get(line, "table"));

	for (size_t i = 0; name && i < asm_alu_count; i++)
		if (!strcmp(asm_alus[i].name, name) &&
		    asm_alus[i].table == table) {
			measured[i] = true;
			return &asm_alus[i];
		}
	return NULL;
}

/* The i-th combination of the operands' first values; false after the last. */
static bool combination(const struct asm_alu *alu, size_t each, size_t i,
			uint64_t in[ASM_ALU_OPERANDS])
{
	for (size_t o = 0; o < alu->count; o++) {
		const struct type *t = type_find(alu->operands[o]);
		size_t count = t ? MIN(each, t->count) : 0;

		if (count == 0)
			return false;
		in[o] = t->values[i % count];
		i /= count;
	}
	return i == 0;
}

static void show(const struct asm_alu *alu, const uint64_t *in, uint64_t got,
		 uint64_t want)
{
	printf("# %s", alu->name);
	for (size_t i = 0; i < alu->count; i++)
		printf(" %llx", (unsigned long long)in[i]);
	printf(" is %llx on a GPU, %llx here\n", (unsigned long long)want,
	       (unsigned long long)got);
}

static void line_check(const json_t *line)
{
	const struct asm_alu *alu = alu_of(line);
	const char *out = json_string_value(json_object_get(line, "out"));
	json_int_t each = json_integer_value(json_object_get(line, "each"));
	uint64_t in[ASM_ALU_OPERANDS] = { 0 };
	int wrong = 0;
	size_t i = 0;

	if (!alu || !out) {
		broken++;
		return;
	}
	for (; combination(alu, (size_t)each, i, in); i++) {
		char *end;
		uint64_t want = strtoull(out, &end, 16);
		uint64_t got = asm_alu_do(alu, in, alu->table);

		if (end == out)
			break;
		out = end;
		if (!same(alu, got, want) && wrong++ < 5)
			show(alu, in, got, want);
	}
	tap_ok(i > 0 && *out == '\0' && !combination(alu, (size_t)each, i, in),
	       "%s was asked for %zu results", alu->name, i);
	tap_is(wrong, 0, "%s computes as a GPU does", alu->name);
}

static void read_line(const char *text)
{
	json_t *line = json_loads(text, 0, NULL);
	const char *type, *values;

	if (!json_is_object(line))
		broken++;
	else if (!json_unpack(line, "{s:s, s:s}", "type", &type, "values",
			      &values))
		type_read(type, values);
	else
		line_check(line);
	json_decref(line);
}

static bool read_data(void)
{
	const char *srcdir = getenv("srcdir");
	char *path = xasprintf("%s/" DATA, srcdir ? srcdir : ABS_SRCDIR);
	char *line = NULL;
	size_t size = 0;
	FILE *f = fopen(path, "r");

	free(path);
	if (!f)
		return false;
	while (getline(&line, &size, f) > 0)
		read_line(line);
	free(line);
	fclose(f);
	return true;
}

int main(void)
{
	measured = xcalloc(asm_alu_count, sizeof(*measured));
	if (read_data()) {
		tap_is(broken, 0, "each line is a type or an instruction that "
		       "the recorder has");
		for (size_t i = 0; i < asm_alu_count; i++)
			tap_ok(measured[i], "%s was measured",
			       asm_alus[i].name);
	} else {
		tap_skip("what a GPU says of PTX instructions",
			 "there is no " DATA);
	}
	free(measured);
	return tap_done();
}
