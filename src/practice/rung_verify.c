/* rung_verify: see rung_verify.h. */
#include "practice/rung_verify.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>

#include "base/lang.h"
#include "base/text.h"
#include "practice/judge_pool.h"

/* Seconds that all calls of a right file may take. */
#define CALLS_MOST 2.0

/* The files that are judged, and what is promised of each. */
struct promises {
	const struct rung *rung;
	struct judge_task *tasks;
	const struct rung_trial **trials;
	size_t count, capacity, trial_capacity;
	const struct judgement *solution;
	bool *needed;		/* limits that some wrong file passes */
	rung_verdict *tell;
	void *ctx;
	int broken;
};

static void tell_promise(struct promises *p, int line, const char *what,
			 const char *why)
{
	p->broken += why != NULL;
	p->tell(p->ctx, p->rung, line, what, why);
}

static struct judge_task *add_task(struct promises *p, const char *path,
				   const struct rung_trial *trial,
				   const struct judge_options *o)
{
	grow(&p->tasks, &p->capacity, p->count + 1, sizeof(*p->tasks));
	grow(&p->trials, &p->trial_capacity, p->count + 1,
	     sizeof(*p->trials));
	p->trials[p->count] = trial;
	p->tasks[p->count] = (struct judge_task) {
		.rung = p->rung, .path = xstrdup(path), .options = *o,
	};
	return &p->tasks[p->count++];
}

/* Adds the files of a trial. */
static void add_trial_files(struct promises *p, const struct rung_trial *t,
			    const struct judge_options *o)
{
	glob_t found;

	if (glob(t->path, GLOB_NOSORT, NULL, &found)) {
		tell_promise(p, t->line, file_base(t->path),
			     _("there is no such file"));
		return;
	}
	for (size_t i = 0; i < found.gl_pathc; i++)
		add_task(p, found.gl_pathv[i], t, o);
	globfree(&found);
}

/* Describes a judgement in one line; heap. */
static char *describe_judgement(const struct judgement *j)
{
	return xasprintf("%s%s%s%s%s: %s", judge_result_name(j->result),
			 j->result == JUDGED_FAIL ? " " : "",
			 j->result == JUDGED_FAIL ?
				 judge_stage_name(j->stage) : "",
			 j->word ? " " : "", j->word ? j->word : "",
			 j->message ? j->message : "");
}

/* Returns whether a limit that was passed is about this cost. */
static bool is_about(const struct judged_cost *c, const char *word)
{
	char name[32];

	if (c->good)
		return false;
	if (c->cost != COST_COUNT)
		return !strcmp(cost_word(c->cost), word);
	snprintf(name, sizeof(name), "%s", word);
	for (char *s = name; *s; s++)
		*s = *s == '-' ? '_' : *s;
	return strstr(c->limit->expr, name) != NULL;
}

/* Returns whether a wrong file fails as it says. */
static bool fails_so(const struct judgement *j, const struct rung_trial *t)
{
	bool found = false;

	if (j->result != JUDGED_FAIL || j->stage != t->stage)
		return false;
	if (!t->word || (j->word && !strcmp(j->word, t->word)))
		return true;
	for (size_t i = 0; i < j->limit_count; i++)
		found |= is_about(&j->limits[i], t->word);
	for (size_t i = 0; i < j->size_count; i++)
		found |= j->sizes[i].word &&
			 !strcmp(j->sizes[i].word, t->word);
	return found;
}

static void check_right(struct promises *p, const struct judge_task *t,
			int line)
{
	const struct judgement *j = &t->out;
	const char *name = file_base(t->path);
	double seconds = 0;
	char *why = NULL, *what;

	for (size_t i = 0; i < j->size_count; i++)
		seconds += MAX(j->sizes[i].seconds, 0);
	what = xasprintf("%s: pass (%.2f s)", name, j->seconds);
	if (j->result != JUDGED_PASS)
		why = describe_judgement(j);
	else if (seconds > CALLS_MOST)
		why = xasprintf(_("the calls take %.1f s, at most %g"), seconds,
				CALLS_MOST);
	tell_promise(p, line, what, why);
	free(why);
	free(what);
}

static void check_wrong(struct promises *p, const struct judge_task *t,
			const struct rung_trial *trial)
{
	const struct judgement *j = &t->out;
	char *now = describe_judgement(j);
	char *what = xasprintf("%s: %s%s%s: %s", file_base(t->path),
			       judge_stage_name(trial->stage),
			       trial->word ? " " : "",
			       trial->word ? trial->word : "",
			       j->message ? j->message : "");

	tell_promise(p, trial->line, what, fails_so(j, trial) ? NULL : now);
	for (size_t i = 0; i < j->limit_count; i++)
		p->needed[i] |= !j->limits[i].good;
	free(what);
	free(now);
}

static void check_task(void *ctx, struct judge_task *t)
{
	struct promises *p = ctx;
	const struct rung_trial *trial = p->trials[t - p->tasks];
	const struct judgement *j = &t->out;

	if (t->options.untouched) {
		char *now = describe_judgement(j);
		bool compiles = j->result == JUDGED_FAIL &&
				j->stage != JUDGE_COMPILE;

		tell_promise(p, 0, _("the skeleton compiles and does not "
				     "pass"), compiles ? NULL : now);
		free(now);
	} else if (!trial) {
		check_right(p, t, 0);
		p->solution = j;
	} else if (trial->stage == JUDGE_PASSED) {
		check_right(p, t, trial->line);
	} else {
		check_wrong(p, t, trial);
	}
}

/* Checks that each limit fails a wrong file, and that the solution equals it or
 * leaves a tenth. */
static void check_limits(struct promises *p)
{
	for (size_t i = 0; i < p->rung->limit_count; i++) {
		const struct rung_limit *l = &p->rung->limits[i];
		const char *name = l->cost == COST_COUNT ? l->expr :
							   cost_word(l->cost);
		char *what = xasprintf(_("limit %s"), name), *why = NULL;

		if (!p->needed[i])
			why = xstrdup(_("no wrong file passes it"));
		else if (l->cost != COST_COUNT && p->solution &&
			 p->solution->counted &&
			 p->solution->costs[l->cost] != l->most &&
			 p->solution->costs[l->cost] * 11 > l->most * 10)
			why = xasprintf(_("ours is %lld, and leaves less than a "
					  "tenth"), (long long)
					p->solution->costs[l->cost]);
		tell_promise(p, l->line, what, why);
		free(why);
		free(what);
	}
}

/* Checks that the sizes have one that is no multiple of 16 unless the task says
 * so. */
static void check_sizes(struct promises *p)
{
	const struct rung *r = p->rung;
	bool odd = r->kind == RUNG_PROGRAM, fits = true;

	for (size_t i = 0; i < r->size_count; i++)
		for (size_t a = 0; a < r->argument_count; a++) {
			int v = r->arguments[a].size ?
				problem_size(&r->sizes[i],
					     r->arguments[a].size) : 0;

			odd |= v % 16 != 0;
			fits = fits && (!r->multiples || v % r->multiples == 0);
		}
	tell_promise(p, 0, _("sizes"), r->multiples && !fits ?
		     _("they are not multiples of what the task says") :
		     !odd && !r->multiples ?
		     _("all are multiples of 16") : NULL);
}

static void free_promises(struct promises *p)
{
	for (size_t i = 0; i < p->count; i++) {
		judgement_done(&p->tasks[i].out);
		free(p->tasks[i].path);
	}
	free(p->tasks);
	free(p->trials);
	free(p->needed);
}

int rung_verify(const struct rung *r, const struct judge_options *o,
		rung_verdict *tell, void *ctx, struct error *e)
{
	struct promises p = { .rung = r, .tell = tell, .ctx = ctx };
	struct judge_options of_skeleton = *o;
	char *name = xasprintf("%s%s.cu", r->folder, r->stem);
	int rc;

	p.needed = xcalloc(r->limit_count + 1, sizeof(*p.needed));
	check_sizes(&p);
	of_skeleton.untouched = true;
	of_skeleton.text = r->skeleton;
	add_task(&p, name, NULL, &of_skeleton);
	free(name);
	if (r->solution)
		add_task(&p, r->solution, NULL, o);
	else
		tell_promise(&p, 0, _("solution"), _("there is none"));
	for (size_t i = 0; i < r->trial_count; i++)
		add_trial_files(&p, &r->trials[i], o);
	rc = judge_all(p.tasks, p.count, check_task, &p, e);
	if (rc == 0)
		check_limits(&p);
	free_promises(&p);
	return rc < 0 ? -1 : p.broken;
}

/* ---- translations ---- */

static bool same_text(const char *a, const char *b)
{
	return (!a && !b) || (a && b && !strcmp(a, b));
}

static bool same_limits(const struct rung *a, const struct rung *b)
{
	bool same = a->limit_count == b->limit_count;

	for (size_t i = 0; same && i < a->limit_count; i++)
		same = a->limits[i].cost == b->limits[i].cost &&
		       a->limits[i].most == b->limits[i].most &&
		       same_text(a->limits[i].expr, b->limits[i].expr) &&
		       !a->limits[i].words == !b->limits[i].words;
	return same;
}

static bool same_trials(const struct rung *a, const struct rung *b)
{
	bool same = a->trial_count == b->trial_count &&
		    same_text(a->solution, b->solution);

	for (size_t i = 0; same && i < a->trial_count; i++)
		same = same_text(a->trials[i].path, b->trials[i].path) &&
		       same_text(a->trials[i].word, b->trials[i].word) &&
		       a->trials[i].stage == b->trials[i].stage;
	return same;
}

static bool same_calls(const struct rung *a, const struct rung *b)
{
	bool same = a->kind == b->kind && a->problem == b->problem &&
		    a->argument_count == b->argument_count &&
		    a->size_count == b->size_count &&
		    a->run_count == b->run_count &&
		    a->multiples == b->multiples &&
		    same_text(a->reference, b->reference);

	for (size_t i = 0; same && i < a->size_count; i++)
		same = !memcmp(&a->sizes[i], &b->sizes[i],
			       sizeof(a->sizes[i]));
	for (size_t i = 0; same && i < a->argument_count; i++)
		same = same_text(a->arguments[i].name, b->arguments[i].name) &&
		       same_text(a->arguments[i].count,
				 b->arguments[i].count) &&
		       a->arguments[i].elem == b->arguments[i].elem;
	return same && a->has_values == b->has_values && a->low == b->low &&
	       a->high == b->high && a->step == b->step &&
	       a->tolerance == b->tolerance;
}

int rung_verify_same(const struct rung *r, const struct rung *other,
		     rung_verdict *tell, void *ctx)
{
	const char *differ = NULL;
	char *what = xasprintf(_("%s has the same directives"),
			       text_show(other->path));

	if (r->place != other->place ||
	    !same_text(r->lesson_name, other->lesson_name) ||
	    !same_text(r->begins, other->begins) ||
	    !same_text(r->compare, other->compare) ||
	    r->lesson_step != other->lesson_step)
		differ = _("its place or its lesson differs");
	else if (!same_calls(r, other))
		differ = _("its problem, sizes or values differ");
	else if (!same_limits(r, other))
		differ = _("its limits differ");
	else if (!same_trials(r, other))
		differ = _("its files differ");
	tell(ctx, r, 0, what, differ);
	free(what);
	return differ != NULL;
}
