#include "cli/check_launch.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/report_machine.h"
#include "base/lang.h"
#include "base/text.h"
#include "cli/launch_machine.h"
#include "cli/program_options.h"
#include "cli/program_out.h"
#include "cli/program_verdict.h"
#include "kernels/kernels.h"
#include "trace/finding.h"

struct checking {
	struct check *check;
	/* As issues name it, with its folder and without; as rules do. */
	const char *file, *base, *rule_file;
	char *own;		/* heap; the name, where it is not as given */
	struct check_rules *rules;
	const struct check_limits *limits;
	struct verdict_part *parts;	/* one for each trace, one more */
	size_t part_count;
};

struct check_issue *check_add(struct check *c, enum check_level level,
			      const char *rule, const char *file,
			      uint32_t line, char *text)
{
	struct check_issue *i;

	grow(&c->issues, &c->issue_capacity, c->issue_count + 1,
	     sizeof(*c->issues));
	i = &c->issues[c->issue_count++];
	*i = (struct check_issue){
		.level = level, .rule = xstrdup(rule),
		.file = text_clean(file, strlen(file), 0), .line = line,
		.text = text,
		.launch = c->launch_count ? c->launch_count - 1 : 0 };
	return i;
}

/* Adds an issue of the launch, as accepted if a rule says so. */
static struct check_issue *add_launch_issue(struct checking *c,
					    enum check_level level,
					    const char *rule, const char *array,
					    uint32_t line, char *text)
{
	struct check_issue *i = check_add(c->check, level, rule, c->file, line,
					  text);
	struct check_line *l = !c->rules ? NULL :
			       check_rules_accept(c->rules, c->rule_file,
						  rule, array);

	if (l)
		i->accepted = text_utf8(l->reason);
	return i;
}

/* ---- add findings and exceeded limits ---- */

/* Adds a finding of the recorder. */
static void add_found(struct checking *c, const struct report *r,
		      const struct report_finding *f)
{
	const struct trace_info *i = f->second ? f->second : r->info;
	const char *array = f->of->array < i->array_count ?
			    i->arrays[f->of->array].name : "";

	add_launch_issue(c, finding_is_fault(f->of) && !f->not_meant ?
			 CHECK_ERROR : CHECK_NOTE,
			 f->kind, array, f->line, xstrdup(f->text))
		->column = f->of->access.column;
}

static double get_cost_ratio(int64_t is, int64_t ideal)
{
	return ideal > 0 ? (double)is / (double)ideal : 1;
}

/* Returns whether a finding of the cost model exceeds the limit. */
static bool exceeds_limit(const struct checking *c,
			  const struct report_finding *f)
{
	const struct check_limits *l = c->limits;
	const struct report_site *s = f->site;

	if (!strcmp(f->kind, "uncoalesced"))
		return l->sectors_ratio > 0 &&
		       get_cost_ratio(s->sectors, s->ideal_sectors) >
			       l->sectors_ratio;
	if (!strcmp(f->kind, "bank-conflict"))
		return (l->way > 0 && s->max_way > l->way) ||
		       (l->wavefronts_ratio > 0 &&
			get_cost_ratio(s->wavefronts, s->ideal_wavefronts) >
				l->wavefronts_ratio);
	return false;
}

/* Returns whether nobody gave a limit for conflicts, and a request's lanes all
 * want the same bank. */
static bool is_worst_conflict(const struct checking *c,
			      const struct report_finding *f)
{
	return !strcmp(f->kind, "bank-conflict") && c->limits->way <= 0 &&
	       c->limits->wavefronts_ratio <= 0 &&
	       f->site->max_way >= WARP_LANES;
}

static void add_findings(struct checking *c, const struct report *r)
{
	for (size_t n = 0; n < r->finding_count; n++) {
		const struct report_finding *f = &r->findings[n];
		bool wrong = !strcmp(f->kind, "misaligned");

		if (f->of)
			add_found(c, r, f);
		else if (wrong || exceeds_limit(c, f))
			add_launch_issue(c, wrong ? CHECK_ERROR : CHECK_WARNING,
					 f->kind, f->site->array, f->line,
					 xstrdup(f->text))
				->column = f->site->column;
		else if (is_worst_conflict(c, f)) {
			struct check_issue *i = add_launch_issue(
				c, CHECK_WARNING, f->kind, f->site->array,
				f->line, xstrdup(f->text));

			i->column = f->site->column;
			i->by_default = true;
		}
	}
}

static void add_advice(struct checking *c, struct launch_options *l,
		       struct trace *t)
{
	const struct trace_info *info = trace_info(t);
	struct advice_list all;
	struct error e;

	if (launch_advice(l, t, &all, &e))
		return;
	for (size_t i = 0; i < all.count; i++) {
		const struct advice *a = &all.list[i];
		char *rule = xasprintf("advice-%s",
				       advice_kind_name(a->kind));

		add_launch_issue(c, CHECK_NOTE, rule,
				 a->array < info->array_count ?
					 info->arrays[a->array].name :
					 "",
				 a->line, advice_text(info, a))
			->column = a->column;
		free(rule);
	}
}

/* ---- what could not be recorded ---- */

/* Adds an error that kept the launch from being recorded; "x.cu:12: expected
 * ';'" is reported for line 12. */
static void add_record_error(struct checking *c, const struct error *e)
{
	size_t n = strlen(c->base);
	const char *text = e->text;
	struct check_issue *i;
	uint32_t line = 0;

	if (!strncmp(text, c->base, n) && text[n] == ':') {
		char *end;
		unsigned long at = strtoul(text + n + 1, &end, 10);

		if (at && at < UINT32_MAX && *end == ':') {
			line = (uint32_t)at;
			text = end + 1 + strspn(end + 1, " ");
		}
	}
	i = check_add(c->check, CHECK_ERROR, "unrecorded", c->file, line,
		      text_utf8(text));
	i->unrecorded = true;
}

static void add_checked_launch(struct check *c, const char *file,
			       const char *name)
{
	grow(&c->launches, &c->launch_capacity, c->launch_count + 1,
	     sizeof(*c->launches));
	c->launches[c->launch_count++] = (struct check_launch){
		.file = text_clean(file, strlen(file), 0),
		.name = text_clean(name, strlen(name), 0) };
}

/* ---- a program ---- */

static void add_problem(struct checking *c, const json_t *p)
{
	const json_t *at = json_object_get(p, "at");
	const char *file = json_string_value(json_object_get(at, "file"));
	uint32_t line = (uint32_t)json_integer_value(
		json_object_get(at, "line"));

	/* A place in another of the program's files is part of the words. */
	if (file && strcmp(file, c->base))
		line = 0;
	add_launch_issue(c, program_is_fault(p) ? CHECK_ERROR : CHECK_NOTE,
			 json_string_value(json_object_get(p, "kind")), "",
			 line, program_problem_words(p));
}

/* Adds a program's problems and its bad end. The recorder makes a launch that
 * it cut short return an error: if the program fails then, that is only a
 * note. */
static void add_program_issues(struct checking *c, const json_t *summary)
{
	const json_t *list = json_object_get(summary, "problems");
	const char *how = json_string_value(json_object_get(summary, "how"));
	bool aborted = how && !strcmp(how, "signal") && json_integer_value(
		json_object_get(summary, "status")) == SIGABRT;
	for (size_t i = 0; i < json_array_size(list); i++) {
		add_problem(c, json_array_get(list, i));
	}
	if (!program_succeeded(summary))
		add_launch_issue(c, program_was_cut(summary) &&
				    (aborted || !strcmp(how, "exit")) ?
				    CHECK_NOTE : CHECK_ERROR,
				 "program", "", 0, program_end_words(summary));
}

/* ---- a launch ---- */

/* ---- the machine code ---- */

static void add_over(struct checking *c, const char *rule, const char *array,
		     uint32_t line, char *text)
{
	add_launch_issue(c, CHECK_WARNING, rule, array, line, text);
}

/* Adds the sites whose accesses take more wavefronts as compiled than the limit
 * allows. */
static void add_compiled(struct checking *c, const struct report *r)
{
	for (size_t i = 0; i < r->site_count; i++) {
		const struct report_site *s = &r->sites[i];
		struct machine_sum sum = report_machine_sum(r, s);
		double ratio = get_cost_ratio(
			(int64_t)sum.count.wavefronts,
			(int64_t)sum.count.ideal_wavefronts);

		if (sum.name && ratio > c->limits->compiled_ratio)
			add_over(c, "compiled-conflict", s->array, s->line,
				 xasprintf(_("%1$s of %2$s takes %3$.3g times "
					     "the wavefronts that it needs, "
					     "as compiled"), sum.name,
					   s->array, ratio));
		free(sum.name);
	}
}

/* Compiles the launch, if there are limits of its machine code, and adds what
 * is over them. */
static void add_machine_code(struct checking *c, const struct launch_options *l,
			struct trace *t, struct report *r)
{
	const struct check_limits *most = c->limits;
	struct machine_launch m;
	struct error e;
	int spilled;

	if (!check_limits_machine(most))
		return;
	if (launch_machine(l, t, &m, &e) < 0) {
		add_over(c, "machine-unknown", "", 0, xstrdup(e.text));
		return;
	}
	r->machine = &m;
	spilled = MAX(m.code.spill_stores, m.code.spill_loads);
	if (most->registers > 0 && m.code.registers > most->registers)
		add_over(c, "registers", "", 0,
			 xasprintf(_("%d registers a thread"),
				   m.code.registers));
	if (most->spills > 0 && spilled > most->spills - 1)
		add_over(c, "spills", "", 0,
			 xasprintf(_("the code spills %d bytes"), spilled));
	if (most->compiled_ratio > 0 && m.held == MACHINE_NO)
		add_over(c, "machine-unknown", "", 0, xstrdup(m.why));
	else if (most->compiled_ratio > 0)
		add_compiled(c, r);
	r->machine = NULL;
	machine_done(&m);
}

static int check_launch_trace(struct checking *c, struct launch_options *l,
			      struct trace *t, struct error *e)
{
	struct sizes_tried tried = launch_sizes_tried(l);
	struct report r;

	if (report_build_tried(t, &tried, &r, e))
		return -1;
	add_findings(c, &r);
	add_machine_code(c, l, t, &r);
	add_advice(c, l, t);
	c->parts[c->part_count++] = (struct verdict_part){
		verdict_say(r.verdict.kind, r.verdict.why),
		trace_info(t)->kernel };
	report_done(&r);
	return 0;
}

/* Adds a note for each file that was taken without being named. */
static void note_taken(struct checking *c, const json_t *taken)
{
	for (size_t i = 0; i < json_array_size(taken); i++)
		add_launch_issue(
			c, CHECK_NOTE, "taken", "", 0,
			xstrdup(json_string_value(json_array_get(taken, i))));
}

/* Checks a launch, or all launches that a program recorded. Returns -1 with
 * e. */
static int check_launch_traces(struct checking *c, struct launch_options *l,
			       struct trace *t, struct error *e)
{
	if (!l->program)
		return t ? check_launch_trace(c, l, t, e) : -1;
	add_program_issues(c, l->program);
	if (!t && program_launches_nothing(l->program))
		return 0;
	for (size_t i = 0; i < l->trace_count; i++) {
		l->at_launch = program_launch_of(l, i);
		if (check_launch_trace(c, l, l->traces[i], e))
			return -1;
	}
	return t ? 0 : -1;
}

/* Puts the issues from `first` on into the order of their levels. */
static void sort_issues(struct check *c, size_t first)
{
	for (size_t i = first + 1; i < c->issue_count; i++)
		for (size_t k = i; k > first && c->issues[k].level <
						c->issues[k - 1].level; k--) {
			struct check_issue was = c->issues[k];

			c->issues[k] = c->issues[k - 1];
			c->issues[k - 1] = was;
		}
}

/* ---- the verdict ---- */

static bool has_error(const struct check *c)
{
	return check_count(c, CHECK_ERROR, c->launch_count - 1) > 0;
}

/* Joins the verdicts of the launch's traces, and of the host's code; warns if
 * it was recorded and is not judged. */
static void judge_launch(struct checking *c, const struct launch_options *l,
			 bool recorded)
{
	struct verdict *v = &c->check->launches[c->check->launch_count - 1]
				.verdict;
	struct check_issue *i;

	if (l->program)
		c->parts[c->part_count++] = (struct verdict_part){
			program_host_verdict(l->program), NULL };
	*v = verdict_join(c->parts, c->part_count);
	if (v->kind == VERDICT_WRONG && !has_error(c->check)) {
		verdict_done(v);
		*v = verdict_say(VERDICT_NOT_JUDGED,
				 _("all that was found is accepted"));
	} else if (v->kind == VERDICT_NOT_JUDGED && recorded) {
		i = add_launch_issue(c, c->check->require_verdict ?
				     CHECK_ERROR : CHECK_WARNING, "not-judged",
				     "", 0, verdict_text(v));
		i->unjudged = true;
	}
	for (size_t n = 0; n < c->part_count; n++)
		verdict_done(&c->parts[n].verdict);
	free(c->parts);
}

/* Takes the name that the text got: of a cell of a notebook, or of the standard
 * input. */
static void take_text_name(struct checking *c, const struct job_kernel *k)
{
	int folder = (int)(c->base - c->file);

	if (!k->file || (!kernel_is_python(c->file) &&
			 !kernel_is_input(c->file)))
		return;
	c->own = xasprintf("%.*s%s", folder, c->file, k->file);
	c->file = c->own;
	c->base = c->own + folder;
}

int check_launch(struct check *c, struct launch_options *l, const char *file,
		 const char *name, struct check_rules *rules,
		 const struct check_limits *limits)
{
	struct checking now = { .check = c, .file = file,
				.base = file_base(file),
				.rule_file = file_base(file),
				.rules = rules, .limits = limits };
	int status = EXIT_DONE;
	size_t first = c->issue_count;
	struct trace *t;
	struct error e;

	add_checked_launch(c, file, name);
	/* What the machine leaves is compared with values. */
	l->figures = !check_limits_machine(limits);
	l->machine = check_limits_machine(limits);
	l->all_sizes = true;
	l->taken_out = NULL;
	t = launch_trace(l, file, &e);
	take_text_name(&now, &l->job.kernel);
	note_taken(&now, l->taken);
	now.parts = xcalloc(l->trace_count + 2, sizeof(*now.parts));
	if (check_launch_traces(&now, l, t, &e)) {
		add_record_error(&now, &e);
		status = (int)e.status;
		now.parts[now.part_count++].verdict =
			verdict_say(VERDICT_NOT_JUDGED,
				    c->issues[c->issue_count - 1].text);
	}
	judge_launch(&now, l, status == EXIT_DONE);
	sort_issues(c, first);
	trace_close(t);
	launch_options_done(l);
	free(now.own);
	return status;
}
