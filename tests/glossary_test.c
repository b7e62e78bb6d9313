/* The glossary: what it reads, what it finds in words, and that its terms are
 * the same in all languages. */
#include <stdlib.h>

#include "base/lang.h"
#include "lesson/glossary.h"
#include "tap.h"

/* The words of the field that the program uses. */
static const char *const field[] = {
	"thread", "warp", "lane", "block", "grid", "SM", "sector",
	"cache line", "coalesced", "request", "wavefront", "bank",
	"bank conflict", "barrier", "race", "shared memory", "register",
	"occupancy", "latency", "bandwidth", "FLOP", "roofline", "tile",
	"phase", "pass", "fragment", "ldmatrix", "mma", "wmma", "wgmma",
	"TMA", "mbarrier", "swizzle", "multicast", "cluster", "persistent",
	"cp.async", "double buffering", "stage", "split-K", "outer product",
	"float4", "vector clock", "acquire", "release", "shadow memory",
	"async proxy", "benchmark", "baseline", "job", "finding",
	"named barrier", "data flow", "value flow", "schedule",
	"dynamic shared memory", "host code", "kernel",
};

static struct glossary *load(const char *lang)
{
	struct error e = { .text = "" };
	struct glossary *g = glossary_load(lang, &e);

	if (!g)
		fatal("%s", e.text);
	return g;
}

static int sentences(const char *words)
{
	int n = 0;

	for (const char *p = words; *p; p++)
		n += (*p == '.' && (p[1] == ' ' || !p[1])) ||
		     !strncmp(p, "\xe3\x80\x82", 3);
	return n;
}

/* Each term once, with one or two sentences. */
static void check_words(const struct glossary *g, const char *lang)
{
	for (size_t i = 0; i < g->count; i++) {
		const struct glossary_term *t = &g->terms[i];
		int n = sentences(t->words);

		if (n < 1 || n > 2 || glossary_find(g, t->forms[0]) != (long)i)
			tap_ok(false, "%s: %s has %d sentences, once", lang,
			       t->forms[0], n);
	}
	tap_ok(g->count >= LENGTH(field), "%s: %zu terms", lang, g->count);
}

static void check_same(const struct glossary *en, const struct glossary *g,
		       const char *lang)
{
	tap_is(g->count, en->count, "%s: as many terms", lang);
	for (size_t i = 0; i < en->count; i++)
		if (glossary_find(g, en->terms[i].forms[0]) < 0)
			tap_ok(false, "%s: %s is there", lang,
			       en->terms[i].forms[0]);
}

/* The text uses just these terms, named in order. */
static void uses(const struct glossary *g, const char *text, const char *want)
{
	bool *used = xcalloc(g->count, sizeof(*used));
	struct str got = { 0 };

	glossary_mark(g, text, used);
	for (size_t i = 0; i < g->count; i++)
		if (used[i])
			str_addf(&got, "%s%s", got.len ? ", " : "",
				 g->terms[i].forms[0]);
	tap_str(got.data ? got.data : "", want, "terms of: %s", text);
	str_done(&got);
	free(used);
}

int main(void)
{
	struct glossary *en, *other;

	lang_init("en");
	en = load("en");
	check_words(en, "en");
	for (size_t i = 0; i < LENGTH(field); i++)
		if (glossary_find(en, field[i]) < 0)
			tap_ok(false, "%s is there", field[i]);
	tap_ok(glossary_find(en, "Bank Conflict") >= 0, "whatever its case");
	tap_is(glossary_find(en, "nonsense"), -1, "not everything is a term");
	uses(en, "Warps meet in a bank conflict; blockade and sm_90.",
	     "bank conflict, warp");
	uses(en, "THREADS of a thread block", "block, thread");
	uses(en, "threadIdx", "");
	for (size_t i = 0; lang_code(i); i++) {
		if (!strcmp(lang_code(i), "en"))
			continue;
		other = load(lang_code(i));
		check_words(other, lang_code(i));
		check_same(en, other, lang_code(i));
		if (!strcmp(lang_code(i), "zh"))
			uses(other, "\xe7\xba\xbf\xe7\xa8\x8b\xe6\x9d\x9f"
			     "\xe5\x86\x99 sector", "\xe6\x89\x87\xe5\x8c\xba, "
			     "\xe7\xba\xbf\xe7\xa8\x8b\xe6\x9d\x9f");
		glossary_free(other);
	}
	glossary_free(en);
	return tap_done();
}
