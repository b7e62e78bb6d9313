/*
 * Every cause that a recorder can find has its sentence, in English and in
 * Chinese; and what a trace from before causes says is said as it stands.
 */
#include <string.h>

#include "analysis/finding_json.h"
#include "analysis/finding_text.h"
#include "base/lang.h"
#include "tap.h"
#include "trace_gen.h"

/* Of each kind of array, none where the cause needs none. */
static void each_array(const struct trace_info *info, enum finding_cause c,
		       void (*visit)(const struct trace_info *info,
				     const struct trace_finding *f))
{
	struct trace_finding f = info->findings[c];

	for (f.array = 0; f.array < info->array_count; f.array++)
		visit(info, &f);
	f.array = TRACE_NO_ARRAY;
	if (!(finding_cause(c)->has & FINDING_ARRAY))
		visit(info, &f);
}

static bool is_chinese(const char *text)
{
	for (; *text; text++)
		if (*text & 0x80)
			return true;
	return false;
}

static bool told;

static void tell(const struct trace_info *info, const struct trace_finding *f)
{
	char *text = finding_text(info, f);
	bool chinese = !strcmp(lang_name(), "zh");

	told = told && strlen(text) > 10 && !strpbrk(text, "{}\n\033") &&
	       is_chinese(text) >= chinese;
	if (!told)
		printf("# %s\n", text);
	free(text);
}

static void test_sentences(const char *language)
{
	struct gen g = { .state = 1 };

	lang_init(language);
	tap_str(lang_name(), language, "the language is %s", language);
	gen_info(&g, false);
	for (int c = CAUSE_TOLD + 1; c < CAUSE_COUNT; c++) {
		told = true;
		each_array(&g.info, c, tell);
		tap_ok(told, "%s has its sentence in %s",
		       finding_cause(c)->word, language);
	}
	tap_is(findings_before_notes(&g.info), CAUSE_DIVISION_BY_ZERO,
	       "notes are told from faults");
	gen_done(&g);
}

/* Written before a finding had a cause. */
static void test_old(void)
{
	char *path = xasprintf("%s/tests/old_findings.gvt",
			       getenv("srcdir"));
	struct error e = { 0 };
	struct trace *t = trace_open(path, &e);
	const struct trace_info *i = t ? trace_info(t) : NULL;

	if (tap_ok(i && i->finding_count == 7, "an old trace is read %s",
		   e.text)) {
		char *text = finding_text(i, &i->findings[6]);
		json_t *o = json_object();

		tap_is(i->findings[6].kind, FINDING_RESULT, "with kinds");
		tap_str(text, "C[0][0] was never written or is NaN, but must "
			"be -22; 255 of 256 elements of C are wrong",
			"in its own words");
		finding_json_add(o, i, &i->findings[6]);
		tap_is((long long)json_object_size(o), 0,
		       "of which nothing else is known");
		json_decref(o);
		free(text);
	}
	trace_close(t);
	free(path);
}

static void test_json(void)
{
	static const struct trace_finding race = {
		.kind = FINDING_RACE, .cause = CAUSE_UNORDERED,
		.access = { 1, 12, 7, 3, OP_ST, 4 },
		.other = { 1, 2, 5, 9, OP_LD, 4 },
		.array = 1, .offset = 4 * (64 * 3 + 5), .count = 6,
	};
	struct gen g = { .state = 1 };
	json_t *o = json_object();
	char *text;

	gen_info(&g, false);
	finding_json_add(o, &g.info, &race);
	text = json_dumps(o, JSON_COMPACT);
	tap_str(text, "{\"cause\":\"unordered\",\"column\":3,\"count\":6,"
		"\"array\":\"As\",\"element\":[3,5],\"access\":{\"op\":\"st\","
		"\"bytes\":4,\"line\":7,\"column\":3,\"block\":[1,0,0],"
		"\"thread\":[2,1,0]},\"other\":{\"op\":\"ld\",\"bytes\":4,"
		"\"line\":5,\"column\":9,\"block\":[1,0,0],"
		"\"thread\":[2,0,0]},\"word\":null,\"other_word\":null,"
		"\"numbers\":{},\"expected\":null,\"got\":null}",
		"a finding for programs");
	free(text);
	json_decref(o);
	gen_done(&g);
}

int main(void)
{
	test_sentences("en");
	test_sentences("zh");
	test_old();
	test_json();
	return tap_done();
}
