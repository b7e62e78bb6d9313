/* judge_program: judges a program with a main(): what it prints with each list of
 * arguments, and whether it notices each call that fails. See judge_parts.h. */
#include <stdlib.h>
#include <string.h>

#include "analysis/finding_text.h"
#include "base/lang.h"
#include "base/text.h"
#include "practice/judge_parts.h"

/* Calls that are made to fail, at most. */
#define CALLS_MOST 40

static const char *get_member(const json_t *o, const char *member)
{
	const char *s = json_string_value(json_object_get(o, member));

	return s ? s : "";
}

/* Returns the program's output without what ends its last line; heap. */
static char *copy_output(const struct judging *j)
{
	const char *text = get_member(j->program, "output");
	size_t n = strlen(text);

	while (n && strchr("\r\n ", text[n - 1]))
		n--;
	return xstrndup(text, n);
}

/* Returns how a run is called, "with 1000"; heap. */
static char *describe_run(const struct rung_run *run)
{
	return *run->arguments ? xasprintf(_("with %s"),
					   text_show(run->arguments)) :
				 xstrdup(_("without arguments"));
}

/* Returns whether a problem of the host's code is a fault here: also memory that
 * is not freed, and copies of what nobody has written. */
static bool is_host_fault(const struct judging *j, const json_t *p)
{
	const char *kind = get_member(p, "kind");

	return !strcmp(kind, "leak") || !strcmp(kind, "unwritten") ||
	       (strcmp(kind, "launch-limit") != 0 && j->options.is_fault(p));
}

static void judge_host(struct judging *j)
{
	const json_t *list = json_object_get(j->program, "problems"), *p;
	size_t i;

	json_array_foreach(list, i, p)
		if (!strcmp(get_member(p, "kind"), "launch-limit"))
			judge_fail(j, JUDGE_LAUNCH, SIZE_MAX, "launch-limit",
				   judge_place_of(p), j->options.problem_words(p));
	for (i = 0; i < j->trace_count; i++) {
		const struct trace_info *info = trace_info(j->traces[i]);
		const struct trace_finding *f = judge_find_fault(info);

		if (f)
			judge_fail(j, JUDGE_FAULTS, SIZE_MAX,
				   finding_name(f->kind),
				   (struct judge_place) { info->file,
							  f->access.line },
				   finding_text(info, f));
	}
	json_array_foreach(list, i, p)
		if (is_host_fault(j, p))
			judge_fail(j, JUDGE_FAULTS, SIZE_MAX,
				   get_member(p, "kind"), judge_place_of(p),
				   j->options.problem_words(p));
}

/* Judges what a run has printed, and its status. */
static void judge_output(struct judging *j, const struct rung_run *run)
{
	int status = (int)json_integer_value(
		json_object_get(j->program, "status"));
	bool exits = !strcmp(get_member(j->program, "how"), "exit");
	char *output = copy_output(j), *how = describe_run(run), *clean;

	clean = text_clean(output, strlen(output), 0);
	if (!exits)
		judge_fail(j, JUDGE_FAULTS, SIZE_MAX,
			   get_member(j->program, "how"),
			   judge_place_of(j->program),
			   xasprintf(_("%s the program does not come to an "
				       "end by itself"), how));
	else if (json_integer_value(json_object_get(j->program,
						    "launch_count")) == 0)
		judge_fail(j, JUDGE_ANSWER, SIZE_MAX, "none", JUDGE_NOWHERE,
			   xasprintf(_("%s the program launches no kernel"),
				     how));
	else if (strcmp(output, run->prints) != 0)
		judge_fail(j, JUDGE_ANSWER, SIZE_MAX, "output", JUDGE_NOWHERE,
			   xasprintf(_("%1$s it prints \"%2$s\" and should "
				       "print \"%3$s\""), how, clean,
				     run->prints));
	else if (status)
		judge_fail(j, JUDGE_ANSWER, SIZE_MAX, "status", JUDGE_NOWHERE,
			   xasprintf(_("%1$s it returns %2$d and should "
				       "return 0"), how, status));
	free(clean);
	free(output);
	free(how);
}

/* Judges a run in which a call has failed. */
static void judge_failed_call(struct judging *j)
{
	const json_t *of = json_object_get(j->program, "failing");
	const char *reason = get_member(of, "reason"),
		   *what = get_member(of, "what");
	int status = (int)json_integer_value(
		json_object_get(j->program, "status"));
	bool exits = !strcmp(get_member(j->program, "how"), "exit");

	if (!*reason)
		return;		/* the call was not made */
	if (!exits || !status)
		judge_fail(j, JUDGE_ERRORS, SIZE_MAX, "unchecked",
			   judge_place_of(of),
			   xasprintf(_("where %1$s fails in line %2$u (%3$s), "
				       "the program goes on: it must print why "
				       "and return 1"), text_show(what),
				     judge_place_of(of).line, reason));
	else if (!strstr(get_member(j->program, "output"), reason))
		judge_fail(j, JUDGE_ERRORS, SIZE_MAX, "silent",
			   judge_place_of(of),
			   xasprintf(_("where %1$s fails in line %2$u, the "
				       "program does not say why: print "
				       "cudaGetErrorString()"),
				     text_show(what), judge_place_of(of).line));
}

/* Judges a run in which kernels did nothing: the output must not be right. */
static void judge_muted(struct judging *j)
{
	char *output = copy_output(j);

	if (!strcmp(output, j->rung->runs[0].prints))
		judge_fail(j, JUDGE_ANSWER, SIZE_MAX, "mute", JUDGE_NOWHERE,
			   xstrdup(_("it prints the same if its kernel does "
				     "nothing: print what the kernel "
				     "computes")));
	free(output);
}

void judge_program(struct judging *j)
{
	const struct rung *r = j->rung;

	if (j->round == r->run_count) {
		judge_muted(j);
		return;
	}
	if (j->round > r->run_count) {
		judge_failed_call(j);
		return;
	}
	if (j->round == 0)
		j->calls = (size_t)json_integer_value(json_object_get(
			json_object_get(j->program, "failing"), "calls"));
	judge_host(j);
	judge_output(j, &r->runs[j->round]);
}

bool judge_program_goes_on(const struct judging *j)
{
	return j->out.result == JUDGED_PASS &&
	       j->round < j->rung->run_count + MIN(j->calls, CALLS_MOST);
}
