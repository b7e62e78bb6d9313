/* Where an element of C came from: small traces by hand, each with one thing
 * that can be mistaken. tests/provenance.sh asks the same of the kernels. */
#include <stdlib.h>
#include <unistd.h>

#include "provenance/provenance.h"
#include "tap.h"

/*
 * C[1][2] = A[1][2] B[2][2] in blocks of two warps, the second of one thread,
 * 32. A is 3 4, B is 3 5 and 6 7. Sites are called by the line they are in.
 */
#define HEAD(values, partial) \
	"gemmviz trace 1\nkernel \"hand\"\nfile \"hand.cu\"\non \"cpu\"\n" \
	"device \"\"\nsize 1 2 2\ngrid 1 1 1\nblock 33 1 1\nseed 1\n" \
	"values " values "\npartial " partial "\n" \
	"spaces global shared register\ntext\n|kernel\n" \
	"array 0 \"A\" global f32 4 [1][2] at 0x1000\n" \
	"array 1 \"B\" global f32 4 [2][2] at 0x2000\n" \
	"array 2 \"C\" global f32 4 [1][2] at 0x3000\n" \
	"array 3 \"S\" shared f32 4 [4] at 0x0\n" \
	"array 4 \"r\" register f32 4 [2] at 0x0\n" \
	"site 0 10:1 ld 4 array 0\n" \
	"site 1 11:1 ld 4 array 1\n" \
	"site 2 12:1 st 4 array 3\n" \
	"site 3 13:1 st 4 array 3\n" \
	"site 4 14:1 barrier\n" \
	"site 5 15:1 ld 4 array 3\n" \
	"site 6 15:9 ld 4 array 3\n" \
	"site 7 17:1 st 4 array 2\n" \
	"site 8 18:1 ld 4 array 0\n" \
	"site 9 18:9 ld 4 array 1\n" \
	"site 10 20:1 st 4 array 4\n" \
	"site 11 21:1 ld 4 array 4\n" \
	"site 12 22:1 ld 8 array 1\n" \
	"site 13 12:9 ld 4 array 0\n"

/* The requests of warps without the mask, which is lane 0 always. */
static char *with_masks(const char *warps)
{
	struct str s = { 0 };

	while (*warps) {
		size_t site = strcspn(warps, " \n");
		size_t line = strcspn(warps, "\n");

		str_addn(&s, warps, site);
		if (*warps != 'w')
			str_add(&s, " 00000001");
		str_addn(&s, warps + site, line - site + 1);
		warps += line + 1;
	}
	return str_take(&s);
}

static struct trace *trace_of(const char *head, const char *warps)
{
	struct error e = { 0 };
	char *masked = with_masks(warps);
	char *text = xasprintf("%s%send\n", head, masked);
	int fd = temporary_file(&e);
	struct trace *t = NULL;

	if (fd < 0 || trace_parse(text, strlen(text), fd, &e) ||
	    !(t = trace_open_fd(fd, "hand", &e))) {
		tap_ok(false, "a trace: %s", e.text);
		exit(1);
	}
	free(masked);
	free(text);
	return t;
}

/* What made C[0][j]; the trace goes along. */
static struct trace *build(const char *warps, uint32_t j,
			   struct provenance *p)
{
	struct trace *t = trace_of(HEAD("yes", "no"), warps);
	struct error e = { 0 };

	if (provenance_build(t, 0, j, p, &e)) {
		tap_ok(false, "built: %s", e.text);
		exit(1);
	}
	return t;
}

static void done(struct trace *t, struct provenance *p)
{
	provenance_done(p);
	trace_close(t);
}

static void is_made(const struct provenance *p, const char *what)
{
	tap_ok(p->adds_up && !p->finding_count && p->step_count == 2,
	       "%s: nothing is wrong%s%s", what, p->finding_count ? ": " : "",
	       p->finding_count ? p->findings[0] : "");
}

static void finds(const struct provenance *p, const char *text,
		  const char *what)
{
	bool found = false;

	for (size_t i = 0; i < p->finding_count; i++)
		found |= strstr(p->findings[i], text) != NULL;
	tap_ok(found, "%s: \"%s\" is found", what, text);
}

static void test_direct(void)
{
	/* A[0][1] comes before A[0][0]; each is read once for both columns,
	 * and again for the second. */
	static const char warps[] =
		"warp 0 0\n"
		"0 4 = 4\n1 8 = 6\n0 0 = 3\n1 0 = 3\n"
		"8 4 = 4\n9 12 = 7\n8 0 = 3\n9 4 = 5\n"
		"7 0 = 33\n7 4 = 43\n";
	struct provenance p;
	struct trace *t = build(warps, 0, &p);

	is_made(&p, "C[0][0]");
	tap_ok(p.steps[0].k == 1 && p.steps[1].k == 0 &&
	       p.steps[0].sum == 24 && p.steps[1].sum == 33,
	       "steps are in the order of the reads");
	tap_is(p.steps[0].a.read_line, 10, "A is read in line 10");
	tap_ok(p.line == 17 && p.request == 8 && p.value == 33, "the store");
	tap_ok(p.global_loads == 4 && !p.loads_by_others && !p.shared_reads,
	       "four loads, all its own");
	done(t, &p);
	t = build(warps, 1, &p);
	is_made(&p, "C[0][1]");
	tap_ok(p.steps[0].a.read_line == 18 && p.steps[1].a.read_line == 18,
	       "A is read where the second column's B is");
	tap_is(p.request, 9, "another store");
	done(t, &p);
}

static void test_pairs(void)
{
	/* Of three reads of A[0][0] the one goes with B[0][0] that is in its
	 * line, and the nearer of two of those. */
	struct provenance p;
	struct trace *t = build(
		"warp 0 0\n8 0 = 3\n8 0 = 3\n0 0 = 3\n9 0 = 3\n8 4 = 4\n"
		"9 8 = 6\n7 0 = 33\n", 0, &p);

	is_made(&p, "A[0][0] read three times");
	tap_is(p.steps[0].a.read_request, 1, "it is the second read");
	done(t, &p);
}

static void test_alike(void)
{
	/* Nothing tells A[0][0] from B[0][0] but where they were loaded: S[0]
	 * has what was loaded in its line, S[1] what was loaded last. */
	struct provenance p;
	struct trace *t = build(
		"warp 0 0\n13 0 = 3\n0 0 = 3\n1 0 = 3\n2 0 = 3\n3 4 = 3\n"
		"5 0 = 3\n6 4 = 3\n8 4 = 4\n9 8 = 6\n7 0 = 33\n", 0, &p);

	is_made(&p, "elements that are alike");
	tap_ok(p.steps[0].a.shared && p.steps[0].a.index == 0 &&
	       p.steps[0].a.load_line == 12, "A[0][0] is in S[0]");
	tap_ok(p.steps[0].b.shared && p.steps[0].b.index == 1,
	       "B[0][0] is in S[1]");
	done(t, &p);
}

static void test_carried(void)
{
	/* Thread 32 loads A and B, then stores both. That A[0][0] and
	 * B[0][0] are alike would hide which is which, but for k = 1. */
	struct provenance p;
	struct trace *t = build(
		"warp 0 0\n4\n4\n5 0 = 3\n6 4 = 3\n5 8 = 4\n"
		"6 12 = 6\n7 0 = 33\n"
		"warp 0 1\n0 0 = 3\n1 0 = 3\n2 0 = 3\n3 4 = 3\n4\n"
		"0 4 = 4\n1 8 = 6\n2 8 = 4\n3 12 = 6\n4\n", 0, &p);
	const struct provenance_operand *a = &p.steps[0].a;

	is_made(&p, "through shared memory");
	tap_ok(a->loaded_by == 32 && a->load_line == 10 &&
	       a->load_request == 0, "who loaded A[0][0]");
	tap_ok(a->shared && a->stored_by == 32 && a->store_line == 12 &&
	       a->index == 0 && a->store_request == 2, "where it was put");
	tap_ok(a->read_line == 15 && a->read_request == 2 &&
	       p.steps[0].phase == 2, "where it was read");
	tap_ok(p.steps[1].b.load_line == 11 && p.steps[1].b.index == 3,
	       "B[1][0] in the same way");
	tap_ok(p.loads_by_others == 4 && p.shared_reads == 4 &&
	       p.reads_from_others == 4, "all by the other thread");
	done(t, &p);
}

static void test_registers(void)
{
	/* What thread 0 loads for shared memory passes a register array, and
	 * its read of A[0][0] there is not taken for an operand. */
	struct provenance p;
	struct trace *t = build(
		"warp 0 0\n0 0 = 3\n10 4 = 3\n0 4 = 4\n10 0 = 4\n"
		"11 4 = 3\n2 0 = 3\n11 0 = 4\n2 4 = 4\n4\n"
		"5 0 = 3\n12 0 = 3,5\n5 4 = 4\n12 8 = 6,7\n"
		"7 0 = 33\n", 0, &p);

	is_made(&p, "through registers");
	tap_ok(p.steps[0].a.shared && p.steps[0].a.load_line == 10 &&
	       p.steps[0].a.load_request == 0 &&
	       p.steps[0].a.store_line == 12, "A[0][0] went all the way");
	tap_ok(!p.steps[0].b.shared && p.steps[0].b.read_line == 22,
	       "B[0][0] is one of two elements of a load");
	tap_ok(p.shared_reads == 2 && !p.reads_from_others,
	       "two shared reads of its own");
	done(t, &p);
}

static void test_order(void)
{
	/* Thread 0 replaces S[0] while thread 32 may still read it. */
	struct provenance p;
	struct trace *t = build(
		"warp 0 0\n0 0 = 3\n2 0 = 3\n4\n0 4 = 4\n2 0 = 4\n2 0 = 4\n4\n"
		"warp 0 1\n4\n5 0 = 3\n9 0 = 3\n4\n5 0 = 4\n9 8 = 6\n"
		"7 0 = 33\n", 0, &p);

	is_made(&p, "an early store that came late enough");
	tap_ok(p.steps[0].a.store_request == 1 &&
	       p.steps[1].a.store_request == 5, "each read has its store");
	done(t, &p);
}

static void test_wrong(void)
{
	struct provenance p;
	struct trace *t = build(
		"warp 0 0\n8 0 = 3\n9 0 = 3\n8 4 = 4\n9 8 = 6\n"
		"7 0 = 34\n", 0, &p);

	finds(&p, "add up to 33, but 34 was stored", "another sum");
	tap_ok(!p.adds_up, "it does not add up");
	done(t, &p);
	t = build("warp 0 0\n8 0 = 3\n9 0 = 3\n7 0 = 9\n", 0, &p);
	finds(&p, "products are missing, 1 of 2; the first is A[0][1] times "
	      "B[1][0]", "too few");
	tap_ok(!p.adds_up, "nor does this");
	done(t, &p);
	t = build("warp 0 0\n8 0 = 3\n9 0 = 3\n8 4 = 4\n9 8 = 6\n"
		  "7 0 = 33\nwarp 0 1\n7 0 = 33\n", 0, &p);
	finds(&p, "more than one thread stores C[0][0]", "two stores");
	done(t, &p);
	t = build("warp 0 0\n4\n5 0 = 4\n7 0 = 9\n"
		  "warp 0 1\n0 0 = 3\n2 0 = 3\n4\n0 4 = 4\n"
		  "2 0 = 4\n", 0, &p);
	finds(&p, "line 15 does not read from S[0] what the preceding store, "
	      "in line 12, put there", "an early store");
	done(t, &p);
	t = build("warp 0 0\n5 0 = 3\n7 0 = 9\n"
		  "warp 0 1\n0 0 = 3\n2 0 = 3\n", 0, &p);
	finds(&p, "products are missing, 2 of 2", "a store without barrier");
	done(t, &p);
	t = build("warp 0 0\n0 0 = 3\n2 0 = 3\n0 4 = 4\n2 4 = 4\n"
		  "9 0 = 3\n9 8 = 6\n7 0 = 33\n", 0, &p);
	finds(&p, "products are missing, 2 of 2",
	      "what was loaded for shared memory and not read there");
	done(t, &p);
}

static void refuses(const char *head, uint32_t i, uint32_t j, int status,
		    const char *text)
{
	struct trace *t = trace_of(head, strstr(head, "values no") ?
				   "warp 0 0\n7 0\n" :
				   "warp 0 0\n7 0 = 33\n");
	struct error e = { 0 };
	struct provenance p;

	tap_is(provenance_build(t, i, j, &p, &e), -1, "refused: %s", text);
	tap_ok(strstr(e.text, text) && (int)e.status == status,
	       "status %d: %s", (int)e.status, e.text);
	trace_close(t);
}

int main(void)
{
	test_direct();
	test_pairs();
	test_carried();
	test_alike();
	test_registers();
	test_order();
	test_wrong();
	refuses(HEAD("yes", "no"), 1, 0, EXIT_USAGE,
		"C has 1 x 2 elements: there is no C[1][0]");
	refuses(HEAD("yes", "no"), 0, 2, EXIT_USAGE, "there is no C[0][2]");
	refuses(HEAD("yes", "no"), 0, 1, EXIT_CHECK,
		"no thread of hand stores C[0][1]");
	refuses(HEAD("yes", "yes"), 0, 1, EXIT_INPUT,
		"no thread of the part of hand that was recorded");
	refuses(HEAD("no", "no"), 0, 0, EXIT_INPUT, "has no values");
	return tap_done();
}
