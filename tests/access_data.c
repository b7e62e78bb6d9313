/* The cost of an access, against what a GPU counted (data/README.md). */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "hardware/access.h"
#include "tap.h"

#define DATA "/data/access-h200.jsonl"

static enum access_space space_of(const char *word)
{
	if (!strcmp(word, "global"))
		return ACCESS_GLOBAL;
	return !strcmp(word, "shared") ? ACCESS_SHARED : ACCESS_LDMATRIX;
}

static bool access_from(const json_t *row, struct access *a)
{
	const char *space = json_string_value(json_object_get(row, "space"));
	const char *op = json_string_value(json_object_get(row, "op"));
	const json_t *list = json_object_get(row, "addresses");

	if (!space || !op || json_array_size(list) != WARP_LANES)
		return false;
	*a = (struct access){
		.space = space_of(space),
		.op = !strcmp(op, "st") ? OP_ST : OP_LD,
		.bytes = (uint32_t)
			json_integer_value(json_object_get(row, "size")),
	};
	for (size_t lane = 0; lane < WARP_LANES; lane++) {
		const json_t *v = json_array_get(list, lane);

		if (json_is_null(v))
			continue;
		a->mask |= UINT32_C(1) << lane;
		a->address[lane] = (uint64_t)json_integer_value(v);
	}
	return true;
}

static bool counted(const json_t *row, const char *name, int model)
{
	const json_t *v = json_object_get(row, name);

	if (json_is_integer(v) && json_integer_value(v) == model)
		return true;
	printf("# %s: counted %lld, model %d\n", name,
	       (long long)json_integer_value(v), model);
	return false;
}

static bool row_agrees(const json_t *row, const struct access *a)
{
	struct access_cost cost;

	if (access_cost(a, &cost, NULL) < 0)
		return false;
	if (a->space != ACCESS_GLOBAL)
		return counted(row, "wavefronts", cost.wavefronts);
	return counted(row, "requests", cost.requests) &&
	       counted(row, "sectors", cost.sectors) &&
	       counted(row, "lines", cost.lines);
}

/* What the file had of one space and operation. */
struct tally {
	int rows, bad;
};
static struct tally tallies[ACCESS_LDMATRIX + 1][2];
static int broken;		/* lines that are no pattern */

static void check_line(const char *line)
{
	json_t *row = json_loads(line, 0, NULL);
	struct tally *t;
	struct access a;

	if (!row || !access_from(row, &a)) {
		broken++;
		json_decref(row);
		return;
	}
	t = &tallies[a.space][a.op == OP_ST];
	t->rows++;
	if (!row_agrees(row, &a) && t->bad++ < 3)
		printf("# %s", line);
	json_decref(row);
}

static bool read_data(void)
{
	const char *srcdir = getenv("srcdir");
	char path[4096], *line = NULL;
	size_t size = 0;
	FILE *f;

	snprintf(path, sizeof(path), "%s" DATA, srcdir ? srcdir : ABS_SRCDIR);
	f = fopen(path, "r");
	if (!f)
		return false;
	while (getline(&line, &size, f) > 0)
		check_line(line);
	free(line);
	fclose(f);
	return true;
}

/* `least`: fewer rows would leave rules of the model undecided. */
static void judge(enum access_space space, enum op op, int least,
		  const char *what)
{
	const struct tally *t = &tallies[space][op == OP_ST];

	tap_ok(t->rows >= least, "%d %s were measured", t->rows, what);
	tap_is(t->bad, 0, "the model agrees with all of them");
}

int main(void)
{
	tap_ok(read_data(), "the measurements can be read");
	tap_is(broken, 0, "each line is a pattern");
	judge(ACCESS_GLOBAL, OP_LD, 200, "loads of global memory");
	judge(ACCESS_GLOBAL, OP_ST, 150, "stores to global memory");
	judge(ACCESS_SHARED, OP_LD, 1500, "loads of shared memory");
	judge(ACCESS_SHARED, OP_ST, 600, "stores to shared memory");
	judge(ACCESS_LDMATRIX, OP_LD, 100, "loads of matrices");
	return tap_done();
}
