/* A rung's file: what its directives mean, and what is wrong in a bad one. */
#include <stdlib.h>
#include <string.h>

#include "practice/judge_input.h"
#include "practice/rung.h"
#include "tap.h"

#define HEAD "# Title\n\n```gemmviz\n"
#define TASK "```\n\nThe *task*.\n\n"
#define SKELETON "```cuda skeleton\nvoid launch(const float *A, const float *B, " \
	"float *C, int M, int N, int K)\n{\n\t// TODO\n}\n```\n"
#define GOOD "place 5\nproblem gemm\nsize m=64 n=32 k=16\nsize m=20 n=70 k=29\n"

static struct rung *parse(const char *directives, const char *rest,
			  struct error *e)
{
	char *text = xasprintf(HEAD "%s" TASK "%s", directives, rest);
	struct rung *r = rung_parse("here/05-name.md", text, e);

	free(text);
	return r;
}

/* Checks that a rung is refused with these words. */
static void refuses(const char *directives, const char *rest, const char *why)
{
	struct error e = { .text = "" };
	struct rung *r = parse(directives, rest, &e);

	if (!tap_ok(!r && strstr(e.text, why), "refused: %s", why))
		printf("# %s\n", r ? "it was parsed" : e.text);
	rung_free(r);
}

static void test_rung(void)
{
	struct error e;
	struct rung *r = parse(GOOD "limit load-sectors 100\n"
			       "words load-sectors It is {load_sectors}.\n"
			       "limit (mma == M * N) Not so.\n"
			       "lesson tiling 3\nlearned So.\n"
			       "solution 05/s.cu\nright 05/r_*.cu\n"
			       "wrong 05/w.cu costs load-sectors\n",
			       SKELETON, &e);

	tap_ok(r != NULL, "a rung");
	if (!r)
		return;
	tap_str(r->name, "name", "its name");
	tap_str(r->stem, "05-name", "... and with its number");
	tap_is(r->argument_count, 6, "launch() has six parameters");
	tap_ok(r->arguments[2].output && !r->arguments[1].output,
	   "... of which C is the output");
	tap_ok(r->arguments[4].size == 'n', "... and N is n");
	tap_is(rung_elements(r, &r->arguments[1], &r->sizes[1], &e), 29 * 70,
	       "B has K N elements");
	tap_is(r->limit_count, 2, "two limits");
	tap_str(r->limits[1].expr, "(mma == M * N)", "... one is a condition");
	tap_str(r->limits[1].words, "Not so.", "... with its words");
	tap_is(r->trial_count, 2, "files that are right and wrong");
	tap_str(r->trials[1].path, "here/05/w.cu", "... from the rung's folder");
	tap_str(r->task->title, "Title", "a title");
	tap_is(r->task->steps[0].prose_count, 1, "a paragraph");
	tap_ok(rung_is_untouched(r, "a // TODO"), "TODO: not begun");
	tap_ok(!rung_is_untouched(r, "done"), "... and begun");
	rung_free(r);
}

static void test_reference(void)
{
	struct error e;
	struct rung *r = parse("problem reference\nsize n=10\ntolerance 0\n"
			       "array c n + 1\narray a 2 * n\n",
			       "```cuda reference\nvoid reference(const double "
			       "*a, double *c, int n)\n{\n}\n```\n" SKELETON,
			       &e);

	if (!tap_ok(r != NULL, "a rung with a reference")) {
		printf("# %s\n", e.text);
		return;
	}
	tap_is(rung_elements(r, &r->arguments[0], &r->sizes[0], &e), 20,
	       "a has 2 n elements");
	tap_is(rung_elements(r, &r->arguments[1], &r->sizes[0], &e), 11,
	       "c has n + 1");
	tap_ok(r->arguments[1].output && !r->arguments[0].output,
	   "what is const is an input");
	rung_free(r);
}

static void test_bad(void)
{
	refuses("place x\n" GOOD, SKELETON, "5-name.md:4: expected a number");
	refuses(GOOD "limt load-sectors 3\n", SKELETON,
		"did you mean 'limit'");
	refuses(GOOD "limit load-sector 3\n", SKELETON, "did you mean 'load-sectors'");
	refuses(GOOD "words load-sectors X\n", SKELETON,
		"that a limit before it names");
	refuses(GOOD "wrong a.cu cost\n", SKELETON, "a stage");
	refuses(GOOD "size m=0\n", SKELETON, "from 1 to 4096");
	refuses(GOOD "values 4..-4\n", SKELETON, "LOW..HIGH");
	refuses("problem gem\nsize m=1\n", SKELETON, "expected gemm");
	refuses("problem gemm\n", SKELETON, "expected a size");
	refuses(GOOD, "", "cuda skeleton");
	refuses(GOOD, "```cuda skeleton\nint main() { }\n```\n",
		"expected a function launch()");
	refuses("problem reference\nsize n=1\n",
		"```cuda reference\nvoid reference(double *c)\n{\n}\n```\n"
		SKELETON, "expected: array c");
	refuses("problem program\n", SKELETON, "expected a run");
	refuses(GOOD, "## A step\n\n" SKELETON, "no heading of level 2");
}

/* Inputs differ by seed, call and argument, and are exact in their type. */
static void test_inputs(void)
{
	struct error e;
	struct rung *r = parse(GOOD "arrays half half float\n", SKELETON, &e);
	size_t same[3] = { 0, 0, 0 }, fractions = 0, exact = 0;

	if (!r) {
		tap_ok(false, "%s", e.text);
		return;
	}
	for (uint64_t n = 0; n < 1000; n++) {
		double v = judge_input(r, 1, 0, 0, n), back;
		uint32_t word = 0;

		same[0] += v == judge_input(r, 2, 0, 0, n);
		same[1] += v == judge_input(r, 1, 1, 0, n);
		same[2] += v == judge_input(r, 1, 0, 1, n);
		fractions += v != (int)v;
		judge_encode(ELEM_F16, v, (unsigned char *)&word);
		exact += element_value(ELEM_F16, &word, 0, &back) && back == v;
	}
	tap_ok(same[0] < 50, "another seed: %zu of 1000 are the same", same[0]);
	tap_ok(same[1] < 50, "another call: %zu", same[1]);
	tap_ok(same[2] < 50, "another array: %zu", same[2]);
	tap_ok(fractions > 800, "%zu are no whole numbers", fractions);
	tap_is(exact, 1000, "a half holds each of them");
	rung_free(r);
}

int main(void)
{
	test_rung();
	test_reference();
	test_bad();
	test_inputs();
	return tap_done();
}
