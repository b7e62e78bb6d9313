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
	"wave", "stream-K", "panel", "SUMMA", "NVLink",
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

/* Words of other Chinese courses, each with the term that it is here. */
static const char *const usual[][2] = {
	{ "平铺", "瓦片" }, { "寄存器分块", "瓦片" }, { "线程粗化", "瓦片" },
	{ "合并访存", "合并访问" }, { "内存合并", "合并访问" },
	{ "计算密度", "算术强度" }, { "计算访存比", "算术强度" },
	{ "银行冲突", "存储体冲突" }, { "bank 冲突", "存储体冲突" },
	{ "内核", "核函数" }, { "线程束分化", "线程束分化" },
	{ "向量化", "float4" }, { "同步", "屏障" }, { "换位", "swizzle" },
};

static void check_usual(const struct glossary *g)
{
	for (size_t i = 0; i < LENGTH(usual); i++) {
		long at = glossary_find(g, usual[i][0]);

		tap_str(at < 0 ? "" : g->terms[at].forms[0], usual[i][1],
			"%s is found", usual[i][0]);
	}
}

/* No form is of two terms. */
static void check_forms(const struct glossary *g, const char *lang)
{
	int twice = 0;

	for (size_t i = 0; i < g->count; i++)
		for (size_t k = 0; k < g->terms[i].form_count; k++)
			twice += glossary_find(g, g->terms[i].forms[k]) !=
				 (long)i;
	tap_is(twice, 0, "%s: no form is of two terms", lang);
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
	check_forms(en, "en");
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
		check_forms(other, lang_code(i));
		if (!strcmp(lang_code(i), "zh"))
			check_usual(other);
		if (!strcmp(lang_code(i), "zh"))
			uses(other, "\xe7\xba\xbf\xe7\xa8\x8b\xe6\x9d\x9f"
			     "\xe5\x86\x99 sector", "\xe6\x89\x87\xe5\x8c\xba, "
			     "\xe7\xba\xbf\xe7\xa8\x8b\xe6\x9d\x9f");
		glossary_free(other);
	}
	glossary_free(en);
	return tap_done();
}
