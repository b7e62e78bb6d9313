/* What was measured of several GPUs: what a file may say, which of its runs are
 * meant, and the least that the link takes. */
#include <stdlib.h>

#include "base/lang.h"
#include "tap.h"
#include "timing/across.h"

#define HEAD "{\"date\":\"2026-01-02\",\"machine\":{\"gpu\":\"G\"}," \
	     "\"measured\":["
#define ONE "{\"by\":\"sgemm\",\"n\":8,\"gpus\":1,\"seconds\":10,\"spread\":0}"
#define ON(by, panel, seconds) "{\"by\":\"" by "\",\"n\":8,\"gpus\":4," \
	"\"P\":2,\"Q\":2,\"panel\":" panel ",\"seconds\":" seconds "," \
	"\"spread\":0.5}"
#define LINK(by, bytes, seconds) "{\"by\":\"" by "\",\"bytes\":" bytes "," \
	"\"seconds\":" seconds ",\"spread\":0}"

static struct across *parse(const char *text)
{
	struct error e;

	return across_parse(text, strlen(text), &e);
}

static void refused(const char *text, const char *why)
{
	struct across *a = parse(text);

	tap_ok(!a, "refused: %s", why);
	across_free(a);
}

static double seconds(const struct across *a, enum across_by by, int n,
		      int gpus)
{
	const struct across_run *r = across_find(a, by, n, gpus);

	return r ? r->seconds : NA;
}

static void test_good(void)
{
	struct across *a = parse(HEAD
		LINK("copied", "100", "4") "," LINK("copied", "1000", "2") ","
		LINK("broadcast", "10", "2") "," ONE ","
		ON("across", "2", "7") "," ON("across", "4", "6") ","
		ON("first", "2", "5") "," ON("first", "4", "8") ","
		ON("products", "2", "3") "," ON("products", "4", "4") ","
		ON("panels", "2", "1") "," ON("panels", "4", "2") "]}");

	if (!a)
		fatal("a good file is refused");
	tap_ok(!strcmp(a->gpu, "G") && !strcmp(a->date, "2026-01-02"),
	       "the machine and the day");
	tap_ok(a->copied == 500 && a->broadcast == 5,
	       "a link's bandwidth is that of the most bytes");
	tap_ok(seconds(a, ACROSS_SGEMM, 8, 1) == 10 &&
	       seconds(a, ACROSS_ALL, 8, 4) == 6 &&
	       seconds(a, ACROSS_FIRST, 8, 4) == 5, "the fastest of each kind");
	tap_ok(seconds(a, ACROSS_PRODUCTS, 8, 4) == 4 &&
	       seconds(a, ACROSS_PANELS, 8, 4) == 2,
	       "products and panels alone: of the panels of the fastest whole");
	tap_ok(seconds(a, ACROSS_ALL, 8, 2) == NA &&
	       seconds(a, ACROSS_ALL, 9, 4) == NA &&
	       seconds(a, ACROSS_CUBLAS, 8, 1) == NA, "others are none");
	/* Of 64 elements of A and of B each a GPU needs 32 and has 16. */
	tap_ok(across_limit(a, across_find(a, ACROSS_ALL, 8, 4)) ==
	       4 * (32 + 32 - 16 - 16) / 500.0, "what each must get, copied");
	a->copied = NA;
	tap_ok(across_limit(a, across_find(a, ACROSS_ALL, 8, 4)) == NA,
	       "no limit where no copy was timed");
	across_free(a);
}

static void test_bad(void)
{
	refused("", "nothing");
	refused("[]", "a list");
	refused(HEAD "]}", "no times");
	refused("{\"date\":\"d\",\"measured\":[" ONE "]}", "no machine");
	refused("{\"machine\":{\"gpu\":\"G\"},\"measured\":[" ONE "]}",
		"no date");
	refused(HEAD ONE ",{\"by\":\"magic\",\"n\":8,\"gpus\":1,\"seconds\":1,"
		"\"spread\":0}]}", "a kind that there is not");
	refused(HEAD ONE ",7]}", "a number among the objects");
	refused(HEAD ON("across", "0", "1") "]}", "panels of no columns");
	refused(HEAD ON("across", "2", "0") "]}", "no time at all");
	refused(HEAD ON("across", "2", "-1") "]}", "less than that");
	refused(HEAD ON("across", "2", "null") "]}", "a time that is none");
	refused(HEAD ON("across", "2.5", "1") "]}", "half a column");
	refused(HEAD "{\"by\":\"across\",\"n\":8,\"gpus\":4,\"P\":2,\"Q\":3,"
		"\"panel\":2,\"seconds\":1,\"spread\":0}]}",
		"a grid of more GPUs than there are");
	refused(HEAD "{\"by\":\"sgemm\",\"n\":8,\"gpus\":2,\"seconds\":1,"
		"\"spread\":0}]}", "one GPU that is two");
	refused(HEAD ONE "," LINK("copied", "8", "0") "]}",
		"a copy in no time");
}

/* The file of the H100s is a good one, and there for every GPU. */
static void test_data(void)
{
	const struct across *a = across_measured("NVIDIA H100 80GB HBM3");

	tap_ok(a && across_find(a, ACROSS_ALL, 4096, 2) &&
	       across_find(a, ACROSS_PANELS, 16384, 2),
	       "two H100s were measured");
	tap_ok(across_measured(NULL) && across_measured("another"),
	       "for a GPU without a file there is another's");
}

int main(void)
{
	lang_init("en");
	test_good();
	test_bad();
	test_data();
	return tap_done();
}
