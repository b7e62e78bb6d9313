/*
 * program_verdict: see program_verdict.h.
 */
#include "cli/program_verdict.h"

#include <stdlib.h>
#include <string.h>

#include "base/lang.h"
#include "cli/program_out.h"

/* Describes the first fault of the host's code, or NULL; the caller frees
 * it. */
static char *describe_host_fault(const json_t *summary)
{
	const json_t *list = json_object_get(summary, "problems");

	for (size_t i = 0; i < json_array_size(list); i++)
		if (program_is_fault(json_array_get(list, i)))
			return program_problem_words(json_array_get(list, i));
	return NULL;
}

/* Describes the first launch that a limit of the GPU kept from running, or NULL;
 * the caller frees it. */
static char *describe_refused_launch(const json_t *summary)
{
	const json_t *list = json_object_get(summary, "problems");

	for (size_t i = 0; i < json_array_size(list); i++) {
		const json_t *p = json_array_get(list, i);
		const char *kind =
			json_string_value(json_object_get(p, "kind"));

		if (kind && !strcmp(kind, "launch-limit"))
			return program_problem_words(p);
	}
	return NULL;
}

/* Returns whether the recorder ended the program, as it lacks something. */
static bool program_was_refused(const json_t *summary)
{
	const char *how = json_string_value(json_object_get(summary, "how"));

	return how && !strcmp(how, "unplayed");
}

struct verdict program_host_verdict(const json_t *summary)
{
	char *fault = describe_host_fault(summary);

	if (fault)
		return (struct verdict){ VERDICT_WRONG, fault };
	if (program_was_cut(summary))
		return verdict_say(VERDICT_NOT_JUDGED, _("the program was cut "
				   "short: it, or a launch of it, was stopped "
				   "at a limit of the recorder"));
	if (program_was_refused(summary))
		return (struct verdict){ VERDICT_NOT_JUDGED,
					 program_end_words(summary) };
	if (!program_succeeded(summary))
		return (struct verdict){ VERDICT_WRONG,
					 program_end_words(summary) };
	return (struct verdict){ VERDICT_RIGHT, NULL };
}

struct verdict program_verdict(const json_t *summary,
			       struct trace *const *traces, size_t count)
{
	struct verdict_part *parts = xcalloc(count + 1, sizeof(*parts));
	char *refused = count ? NULL : describe_refused_launch(summary);
	struct verdict v;

	for (size_t i = 0; i < count; i++)
		parts[i] = (struct verdict_part){
			verdict_make(trace_info(traces[i]), traces[i]),
			trace_info(traces[i])->kernel };
	parts[count].verdict = program_host_verdict(summary);
	/* A launch may be tried and another one made; here none was. */
	if (refused && parts[count].verdict.kind == VERDICT_RIGHT)
		parts[count].verdict.kind = VERDICT_WRONG;
	if (refused && !parts[count].verdict.why)
		parts[count].verdict.why = refused;
	else
		free(refused);
	v = verdict_join(parts, count + 1);
	for (size_t i = 0; i <= count; i++)
		verdict_done(&parts[i].verdict);
	free(parts);
	return v;
}

int verdict_status(const struct verdict *v, bool required)
{
	if (v->kind == VERDICT_WRONG)
		return EXIT_CHECK;
	return required && v->kind != VERDICT_RIGHT ? EXIT_CHECK : EXIT_DONE;
}

json_t *verdict_json_add(json_t *o, const struct verdict *v)
{
	json_object_set_new(o, "verdict",
			    json_string(verdict_word(v->kind)));
	json_object_set_new(o, "verdict_why", json_string(v->why));
	return o;
}
