/* What the judge says of wrong outputs: the pattern in which they are wrong. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "practice/judge_pattern.h"
#include "tap.h"

#define N 32
#define K 24

static double a[N * K], b[K * N], want[N * N], got[N * N], off[N * N];
static bool unwritten[N * N];

static struct pattern_output make_output(void)
{
	for (int i = 0; i < N * K; i++) {
		a[i] = (double)(random_at(1, (uint64_t)i) % 255) / 32 - 4;
		b[i] = (double)(random_at(2, (uint64_t)i) % 255) / 32 - 4;
	}
	for (int i = 0; i < N * N; i++) {
		want[i] = 0;
		for (int k = 0; k < K; k++)
			want[i] += a[i / N * K + k] * b[k * N + i % N];
		got[i] = want[i];
		off[i] = 1e-4;
		unwritten[i] = false;
	}
	return (struct pattern_output) {
		.name = "C", .rows = N, .columns = N, .want = want,
		.got = got, .off = off, .unwritten = unwritten, .a = a,
		.b = b, .k = K,
	};
}

static void says(const struct pattern_output *o, const char *words)
{
	char *said = pattern_describe(o);

	if (!tap_ok(strstr(said, words) != NULL, "%s", words))
		printf("# %s\n", said);
	free(said);
}

/* Spoils the elements for which `wrong` holds. */
static void spoil(bool (*wrong)(int row, int column), bool unwrites)
{
	for (int i = 0; i < N * N; i++) {
		if (!wrong(i / N, i % N))
			continue;
		if (unwrites)
			unwritten[i] = true;
		else
			got[i] += 1 + i % 7;
	}
}

static bool from_column(int row, int column)
{
	(void)row;
	return column >= 20;
}

static bool from_row(int row, int column)
{
	(void)column;
	return row >= 7;
}

static bool off_diagonal(int row, int column)
{
	return row != column;
}

static bool off_tile_diagonals(int row, int column)
{
	return row % 8 != column % 8;
}

static bool odd_column(int row, int column)
{
	(void)row;
	return column % 4 != 0;
}

static void test_where(void)
{
	static const struct {
		bool (*wrong)(int row, int column);
		const char *words;
	} cases[] = {
		{ from_column, "wrong from column 20 on" },
		{ from_row, "wrong from row 7 on" },
		{ off_diagonal, "only where row = column" },
		{ off_tile_diagonals, "in each 8 x 8 tile of C only the "
				      "diagonal" },
		{ odd_column, "columns that are multiples of 4" },
	};

	for (size_t i = 0; i < LENGTH(cases); i++) {
		struct pattern_output o = make_output();

		spoil(cases[i].wrong, false);
		says(&o, cases[i].words);
		tap_ok(pattern_count_wrong(&o) > 0, "... and it is wrong");
	}
}

static void test_unwritten(void)
{
	struct pattern_output o = make_output();

	spoil(from_column, true);
	says(&o, "no kernel writes C from column 20 on");
	o = make_output();
	spoil(from_row, true);
	says(&o, "no kernel writes C from row 7 on");
	spoil(from_column, true);
	says(&o, "from row 7 and from column 20 on: the grid covers neither");
	o = make_output();
	spoil(off_diagonal, true);
	says(&o, "C[0][1] was never written: 992 of 1024");
	tap_is(pattern_count_wrong(&o), 992,
	       "what is right and not written is wrong");
	memset(unwritten, true, sizeof(unwritten));
	says(&o, "no kernel writes C");
}

static void test_instead(void)
{
	struct pattern_output o = make_output();

	tap_is(pattern_count_wrong(&o), 0, "what is right is right");
	for (int i = 0; i < N * N; i++)
		got[i] = want[i % N * N + i / N];
	says(&o, "rows and columns of C are exchanged");
	o = make_output();
	for (int i = 0; i < N * N; i++)
		got[i] = 2 * want[i];
	says(&o, "2 times");
	for (int i = 0; i < N * N; i++)
		got[i] = 3;
	says(&o, "every element of C is 3");
	o = make_output();
	got[5] = NAN;
	says(&o, "C[0][5] is");
	o = make_output();
	got[1] = want[17];
	got[17] = want[1];
	says(&o, "C[0][1] holds what belongs to C[0][17]");
}

static void test_sums(void)
{
	struct pattern_output o = make_output();

	for (int part = 0; part < 2; part++) {
		o = make_output();
		for (int i = 0; i < N * N; i++) {
			got[i] = 0;
			for (int k = part ? 8 : 0; k < (part ? K : 16); k++)
				got[i] += a[i / N * K + k] *
					  b[k * N + i % N];
		}
		says(&o, part ? "only k >= 8 of 24" : "only k < 16 of 24");
	}
}

int main(void)
{
	test_where();
	test_unwritten();
	test_instead();
	test_sums();
	return tap_done();
}
