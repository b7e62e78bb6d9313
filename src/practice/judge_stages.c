/* judge_stages: judges what a recorder has answered, stage by stage. See
 * judge_parts.h. */
#include <stdlib.h>
#include <string.h>

#include "analysis/finding_text.h"
#include "base/lang.h"
#include "base/text.h"
#include "practice/judge_parts.h"
#include "trace/finding.h"

/* Returns the call that a launch belongs to; the number of calls that came
 * back, if it belongs to a later one. */
static size_t call_of(const struct judging *j, uint64_t launch)
{
	const json_t *list = json_object_get(j->program, "judged"), *of;
	size_t i;

	json_array_foreach(list, i, of)
		if ((json_int_t)launch <= json_integer_value(
			json_object_get(of, "launches")))
			return i;
	return MIN(json_array_size(list), judge_calls(j) - 1);
}

/* Marks a size as wrong. */
static void mark_size(struct judging *j, size_t size, const char *why,
		      const char *word, uint32_t line)
{
	struct judged_size *s = &j->out.sizes[size];

	if (size >= RUNG_SIZES || s->verdict == VERDICT_WRONG)
		return;
	s->verdict = VERDICT_WRONG;
	s->why = xstrdup(why);
	s->word = word ? xstrdup(word) : NULL;
	s->line = line;
}

/* Makes the judgement a failure at a call, whose size is marked; takes `message`. */
static void fail_call(struct judging *j, enum judge_stage stage, size_t call,
		    const char *word, struct judge_place at, char *message)
{
	size_t size = judge_size_of(j->rung, call);
	uint32_t line = judge_own_line(j, at, &message);

	mark_size(j, size, message, word, line);
	judge_fail(j, stage, size, word, (struct judge_place) { NULL, line },
		   message);
}

static char *too_long_words(const struct judging *j, size_t call,
			    uint32_t line)
{
	const char *size =
		j->out.sizes[judge_size_of(j->rung, call)].text;

	return line ? xasprintf(_("it takes too long at %1$s: is there an end "
				  "to the loop in line %2$u?"), size, line) :
		      xasprintf(_("it takes too long at %s"), size);
}

/* Returns whether a finding is a fault of a rung's: also sums that begin with what
 * nothing has set; but not a wrong result, which is compared here. */
static bool is_judged_fault(const struct trace_finding *f)
{
	if (f->kind == FINDING_RESULT)
		return false;
	return finding_is_fault(f) || f->kind == FINDING_CAP ||
	       f->cause == CAUSE_NEVER_SET;
}

/* Returns a fault's rank: what may be the cause of others comes first. */
static int rank_fault(const struct trace_finding *f)
{
	static const int ranks[FINDING_COUNT] = {
		[FINDING_BARRIER] = 1, [FINDING_OUT_OF_BOUNDS] = 2,
		[FINDING_CRASH] = 3, [FINDING_RACE] = 4,
		[FINDING_READ_BEFORE_WRITE] = 5, [FINDING_NOTE] = 6,
		[FINDING_ENDLESS] = 7, [FINDING_CAP] = 8,
	};

	return ranks[f->kind];
}

const struct trace_finding *judge_find_fault(const struct trace_info *info)
{
	const struct trace_finding *worst = NULL;

	for (size_t i = 0; i < info->finding_count; i++) {
		const struct trace_finding *f = &info->findings[i];

		if (is_judged_fault(f) &&
		    (!worst || rank_fault(f) < rank_fault(worst)))
			worst = f;
	}
	return worst;
}

/* Makes the judgement a failure of the trace's launch. */
static void fail_for_finding(struct judging *j, size_t trace,
			     const struct trace_finding *f)
{
	size_t call = call_of(j, j->launches[trace]);
	bool endless = f->kind == FINDING_CAP || f->kind == FINDING_ENDLESS;
	const struct trace_info *info = trace_info(j->traces[trace]);

	fail_call(j, JUDGE_FAULTS, call, finding_name(f->kind),
		  (struct judge_place) { info->file, f->access.line },
		  endless ? too_long_words(j, call, f->access.line) :
			    finding_text(info, f));
}

/* Judges what was found in launches: the fault that comes first speaks. */
static void judge_findings(struct judging *j)
{
	const struct trace_finding *first = NULL;
	size_t at = 0;

	for (size_t i = 0; i < j->trace_count; i++) {
		const struct trace_finding *f =
			judge_find_fault(trace_info(j->traces[i]));

		if (f && (!first || rank_fault(f) < rank_fault(first))) {
			first = f;
			at = i;
		}
	}
	if (first && j->out.result == JUDGED_PASS) {
		j->out.trace = j->traces[at];
		j->out.finding = first;
	}
	if (first)
		fail_for_finding(j, at, first);
	for (size_t i = 0; i < j->trace_count; i++) {
		const struct trace_finding *f =
			judge_find_fault(trace_info(j->traces[i]));

		if (f)
			fail_for_finding(j, i, f);
	}
}

static const char *get_summary_text(const json_t *o, const char *member)
{
	const char *s = json_string_value(json_object_get(o, member));

	return s ? s : "";
}

/* Returns whether a launch() of a rung may do what this problem is about: its
 * arrays are freed by the judge, and errors are the judge's, too. */
static bool is_ours(const char *kind)
{
	return !strcmp(kind, "unchecked");
}

/* Judges what the host did; of this stage alone. A problem does not say at which
 * size it was, unless it ended the calls. */
static void judge_problems(struct judging *j, enum judge_stage stage)
{
	const json_t *list = json_object_get(j->program, "problems"), *p;
	size_t done = json_array_size(json_object_get(j->program, "judged"));
	size_t call = MIN(done ? done - 1 : 0, judge_calls(j) - 1), i;

	json_array_foreach(list, i, p) {
		const char *kind = get_summary_text(p, "kind");
		bool limit = !strcmp(kind, "launch-limit");

		if (!strcmp(kind, "cut") && stage == JUDGE_FAULTS)
			fail_call(j, stage, call, "endless", judge_place_of(p),
				too_long_words(j, call, 0));
		else if (limit ? stage == JUDGE_LAUNCH :
			 stage == JUDGE_FAULTS && !is_ours(kind) &&
			 j->options.is_fault(p))
			judge_fail(j, stage, SIZE_MAX, kind, judge_place_of(p),
				   j->options.problem_words(p));
	}
}

/* Returns the number of launches that were made until the end of a call. */
static json_int_t launches_until(const struct judging *j, size_t call)
{
	return json_integer_value(json_object_get(json_array_get(
		json_object_get(j->program, "judged"), call), "launches"));
}

/* Judges whether each call came back and launched something. */
static void judge_launches(struct judging *j)
{
	size_t done = json_array_size(json_object_get(j->program, "judged"));
	json_int_t before = 0;

	judge_problems(j, JUDGE_LAUNCH);
	for (size_t call = 0; call < done; call++) {
		json_int_t now = launches_until(j, call);

		if (now == before)
			fail_call(j, JUDGE_LAUNCH, call, "none", JUDGE_NOWHERE,
				xasprintf(_("launch() launches no kernel at "
					    "%s"), j->out.sizes[judge_size_of(
						   j->rung, call)].text));
		before = now;
	}
}

/* Judges how the program ended. No call follows one that has spoiled the device,
 * whose fault is told. */
static void judge_end(struct judging *j)
{
	size_t done = json_array_size(json_object_get(j->program, "judged"));
	const char *how = get_summary_text(j->program, "how");
	bool spoiled = done && !json_is_true(json_object_get(json_array_get(
		json_object_get(j->program, "judged"), done - 1), "good"));
	struct judge_place at = judge_place_of(j->program);
	int status = (int)json_integer_value(
		json_object_get(j->program, "status"));

	if (!strcmp(how, "seconds"))
		fail_call(j, JUDGE_FAULTS, done, "endless",
			at, too_long_words(j, done, at.line));
	else if (!strcmp(how, "signal"))
		fail_call(j, JUDGE_FAULTS, done, "crash", at,
			xasprintf(_("launch() was ended by signal %1$d (%2$s)"),
				  status, strsignal(status)));
	else if (strcmp(how, "exit") != 0)
		fail_call(j, JUDGE_FAULTS, done, how, at,
			text_clean(get_summary_text(j->program, "what"),
				   strlen(get_summary_text(j->program, "what")), 0));
	else if (done < judge_calls(j) && !spoiled)
		fail_call(j, JUDGE_LAUNCH, done, "exit", at,
			xasprintf(_("launch() did not come back at %s"),
				  j->out.sizes[judge_size_of(j->rung, done)]
					  .text));
}

static void judge_answers(struct judging *j)
{
	for (size_t call = 0; call < judge_calls(j); call++) {
		char *words = judge_answer(j, j->out.seed, call);
		size_t size = judge_size_of(j->rung, call);

		if (words)
			fail_call(j, JUDGE_ANSWER, call, "wrong-result",
				JUDGE_NOWHERE,
				words);
		else if (j->out.sizes[size].verdict != VERDICT_WRONG)
			j->out.sizes[size].verdict = VERDICT_RIGHT;
	}
}

/* Notes how long each size took. */
static void note_seconds(struct judging *j)
{
	const json_t *list = json_object_get(j->program, "judged"), *of;
	size_t i;

	json_array_foreach(list, i, of)
		if (i < j->rung->size_count)
			j->out.sizes[i].seconds = json_number_value(
				json_object_get(of, "seconds"));
}

/* Finds the line of the learner's file that a compiler's message names:
 * FILE:LINE: ... */
static struct judge_place place_in_message(const struct judging *j,
					   const char *text)
{
	const char *own = text_show(file_base(j->path));
	size_t n = strlen(own);
	unsigned long line = !strncmp(text, own, n) && text[n] == ':' ?
			     strtoul(text + n + 1, NULL, 10) : 0;

	return (struct judge_place) { NULL, line > UINT32_MAX ? 0 :
						   (uint32_t)line };
}

void judge_job_error(struct judging *j)
{
	const struct error *e = &j->error;
	/* Without the option that a command would have. */
	const char *option = strstr(e->text, " (--");
	char *words = xstrndup(e->text, option ? (size_t)(option - e->text) :
						 strlen(e->text));
	bool text = e->status == EXIT_INPUT || e->status == EXIT_USAGE;
	bool compiling = text || (e->status == EXIT_REFUSED && !j->compiled);

	judge_fail(j, compiling ? JUDGE_COMPILE : JUDGE_FAULTS, SIZE_MAX,
		   compiling ? "compile" :
		   e->status == EXIT_REFUSED ? "refused" : "recorder",
		   place_in_message(j, e->text), words);
	if (text)
		return;
	j->out.status = (int)e->status;
	if (e->status != EXIT_REFUSED && e->status != EXIT_CHECK)
		j->out.result = JUDGED_BROKEN;
}

void judge_recording(struct judging *j)
{
	note_seconds(j);
	judge_launches(j);
	judge_findings(j);
	judge_problems(j, JUDGE_FAULTS);
	judge_end(j);
	if (j->out.result == JUDGED_PASS)
		judge_answers(j);
	if (j->out.result == JUDGED_PASS)
		judge_costs(j);
}
