/* practice_words: what the screen of a practice says. See reader_practice.h. */
#include <stdlib.h>
#include <string.h>

#include "app/reader_practice.h"
#include "base/lang.h"
#include "base/text.h"
#include "scene/rungs.h"

/* ---- the map ---- */

static enum rung_mark mark_rung(const struct progress_rung *p, bool next)
{
	return p->passed[0] ? RUNG_DONE : next ? RUNG_NEXT :
	       p->tries ? RUNG_BEGUN : RUNG_OPEN;
}

void practice_show_map(struct reader *r)
{
	struct reader_practice *p = r->practice;
	size_t done = 0, next = SIZE_MAX;

	for (size_t i = 0; i < p->track.count; i++) {
		const struct rung *of = p->track.rungs[i];
		struct progress_rung at = progress_rung_of(&r->progress,
							   of->name,
							   p->cost_words);

		done += at.passed[0] != '\0';
		if (!at.passed[0] && next == SIZE_MAX)
			next = i;
		snprintf(p->places[i], sizeof(p->places[i]), "%g",
			 of->place < 0 ? (double)(i + 1) : of->place);
		p->rungs[i] = (struct show_rung) {
			.place = p->places[i], .name = of->name,
			.title = of->task->title, .lesson = of->lesson_name,
			.group = of->group, .tries = at.tries,
			.hints = at.hints, .mark = mark_rung(&at, next == i),
		};
	}
	p->show.rungs = p->rungs;
	p->show.rung_count = p->track.count;
	free(p->show.summary);
	p->show.summary = next == SIZE_MAX ?
		xasprintf(_("%1$zu of %2$zu, all done"), done,
			  p->track.count) :
		xasprintf(_("%1$zu of %2$zu, next: %3$s %4$s"), done,
			  p->track.count, p->places[next],
			  p->rungs[next].name);
}

/* ---- lines of a verdict ---- */

void practice_clear_stages(struct show_practice *s)
{
	for (size_t i = 0; i < s->stage_count; i++) {
		free(s->stages[i].name);
		free(s->stages[i].words);
	}
	s->stage_count = 0;
}

/* Adds a stage, or a line (name NULL); takes `words`. */
static void add_stage(struct show_practice *s, enum stage_sign sign,
		      const char *name, char *words)
{
	if (s->stage_count == SHOW_STAGES) {
		free(words);
		return;
	}
	s->stages[s->stage_count++] = (struct show_stage) {
		sign, name ? xstrdup(name) : NULL,
		words ? words : xstrdup(""),
	};
}

/* Returns the sign of a stage of a verdict. */
static enum stage_sign sign_of(const struct judgement *v, enum judge_stage s)
{
	if (v->result != JUDGED_PASS && v->result != JUDGED_FAIL)
		return STAGE_LATER;
	if (v->result == JUDGED_PASS || s < v->stage)
		return STAGE_GOOD;
	return s == v->stage ? STAGE_BAD : STAGE_LATER;
}

/* Returns the sizes that were tried, "64x64x64, 20x70x29" or "n = 1000, 1". */
static char *join_sizes(const struct judgement *v)
{
	struct str s = { 0 };

	for (size_t i = 0; i < v->size_count; i++) {
		const char *size = v->sizes[i].text;
		const char *number = strrchr(size, ' ');

		str_addf(&s, "%s%s", i ? ", " : "",
			 i && number ? number + 1 : size);
	}
	return str_take(&s);
}

/* Describes a cost: the learner's, the most it may be, the try before and
 * ours. */
static char *describe_cost(const struct reader_practice *p,
			   const struct judged_cost *c)
{
	enum cost_kind k = c->cost;
	struct str s = { 0 };

	if (k == COST_COUNT)
		return NULL;
	str_addf(&s, "%s%s", cost_phrase(k), _(": "));
	if (p->counted_before && p->costs_before[k] != c->value)
		str_addf(&s, "%lld → ", (long long)p->costs_before[k]);
	str_addf(&s, _("%1$lld, at most %2$lld"), (long long)c->value,
		 (long long)c->limit->most);
	if (p->our_counted)
		str_addf(&s, _("  (ours: %lld)"), (long long)p->our_costs[k]);
	return str_take(&s);
}

static void add_cost_lines(struct reader_practice *p, bool all)
{
	const struct judgement *v = &p->verdict;

	for (size_t i = 0; i < v->limit_count; i++) {
		const struct judged_cost *c = &v->limits[i];

		if (c->cost != COST_COUNT && (all || !c->good))
			add_stage(&p->show, STAGE_NOTE, NULL,
				  describe_cost(p, c));
	}
}

/* Adds a stage of the verdict, unless there are hints to be read and it is no
 * trouble; takes `words`. Where it fails, the size is named. */
static void add_judged_stage(struct reader_practice *p, enum judge_stage stage,
			     const char *name, char *words)
{
	const struct judgement *v = &p->verdict;
	enum stage_sign sign = sign_of(v, stage);

	if (sign == STAGE_BAD && v->at < v->size_count) {
		free(words);
		words = xstrdup(v->sizes[v->at].text);
	}
	if (p->hints && sign != STAGE_BAD)
		free(words);
	else
		add_stage(&p->show, sign, name, words);
}

static void add_stages(struct reader_practice *p)
{
	const struct judgement *v = &p->verdict;

	add_judged_stage(p, JUDGE_COMPILE, _("compiles"),
			 sign_of(v, JUDGE_COMPILE) == STAGE_LATER ? NULL :
			 xasprintf(_("%.1f s in all"), v->seconds));
	if (sign_of(v, JUDGE_LAUNCH) == STAGE_BAD)
		add_judged_stage(p, JUDGE_LAUNCH, _("launches"), NULL);
	add_judged_stage(p, JUDGE_FAULTS, _("no faults"), join_sizes(v));
	add_judged_stage(p, JUDGE_ANSWER, _("right"), v->size_count ?
		xasprintf(ngettext("%zu size, fresh inputs",
				   "%zu sizes, fresh inputs",
				   v->size_count), v->size_count) : NULL);
	if (p->rung->kind == RUNG_PROGRAM)
		add_judged_stage(p, JUDGE_ERRORS, _("notices failing calls"),
				 NULL);
	if (p->rung->limit_count)
		add_judged_stage(p, JUDGE_COSTS, _("costs"),
				 xstrdup(v->sizes[0].text));
}

/* ---- hints ---- */

/* Adds a hint; takes `words`. */
static void add_hint(struct show_practice *s, int number, char *words)
{
	add_stage(s, STAGE_NOTE, NULL,
		  xasprintf(_("hint %1$d: %2$s"), number, words));
	free(words);
}

static void add_hints(struct reader_practice *p)
{
	if (p->hints > 0)
		add_hint(&p->show, 1, practice_hint_lesson(p->rung));
	if (p->hints > 1)
		add_hint(&p->show, 2, practice_hint_place(p));
	if (p->hints > 2)
		add_hint(&p->show, 3, xstrdup(p->advice ? p->advice : ""));
}

/* Returns the recorded speeds of the kernels that a rung is compared with, such as
 * "float4 25.1, sgemm 40.2"; heap; NULL: there are none. */
static char *list_recorded_speeds(const char *kernels)
{
	char *copy = xstrdup(kernels);
	struct str words = { 0 };

	for (char *w = strtok(copy, " "); w; w = strtok(NULL, " ")) {
		struct job_kernel what = { .name = w };
		struct rungs_speed speed = rungs_speed(&what);

		if (speed.label)
			str_addf(&words, "%s%s %.3g", words.len ? ", " : "",
				 speed.label, speed.flops / 1e12);
	}
	free(copy);
	return words.len ? str_take(&words) : NULL;
}

/* Adds what a thousand multiply-adds take: sectors of loads, and wavefronts of
 * shared reads. */
static void add_counts_per_thousand(struct str *to, const char *name,
				    double sectors, double wavefronts,
				    double products)
{
	str_addf(to, "%s%s %.3g + %.3g", to->len ? ", " : "", name,
		 1000 * sectors / products, 1000 * wavefronts / products);
}

/* Returns the counts of the kernels that a rung is compared with, as the hardware
 * has recorded them; heap; NULL: there are none. */
static char *list_recorded_counts(const char *kernels)
{
	char *copy = xstrdup(kernels);
	struct str words = { 0 };

	for (char *w = strtok(copy, " "); w; w = strtok(NULL, " ")) {
		struct job_kernel what = { .name = w };
		struct rungs_speed of = rungs_speed(&what);

		if (of.label && of.counts->global_load_sectors != NA &&
		    of.counts->shared_load_wavefronts != NA)
			add_counts_per_thousand(&words, of.label,
				of.counts->global_load_sectors,
				of.counts->shared_load_wavefronts,
				of.products);
	}
	free(copy);
	return words.len ? str_take(&words) : NULL;
}

/* Tells what the learner's kernel and the rung's others take for as many
 * multiply-adds: the sizes differ. */
static void add_counts(struct reader_practice *p)
{
	const struct judgement *v = &p->verdict;
	const struct problem_sizes *n = &p->rung->sizes[0];
	char *others = list_recorded_counts(p->rung->compare);
	struct str own = { 0 };

	if (others && v->counted) {
		add_counts_per_thousand(&own, _("yours"),
			(double)v->costs[COST_LOAD_SECTORS],
			(double)v->costs[COST_SHARED_READS],
			(double)n->m * n->n * n->k);
		add_stage(&p->show, STAGE_NOTE, NULL,
			  xasprintf(_("1000 multiply-adds take, in sectors of "
				      "loads + wavefronts of shared reads: "
				      "%1$s at %2$s; %3$s"), own.data,
				    v->sizes[0].text, others));
	}
	str_done(&own);
	free(others);
}

/* Tells how fast the rung's other kernels were where they were recorded; no word
 * about the learner's, which nobody has timed. */
static void add_recorded(struct reader_practice *p)
{
	char *speeds = list_recorded_speeds(p->rung->compare);
	char where[128];

	rungs_measured(where, sizeof(where));
	if (speeds)
		add_stage(&p->show, STAGE_NOTE, NULL,
			  xasprintf(_("recorded at %1$s, in TFLOP/s: %2$s. "
				      "Yours has not been timed: gemmviz time "
				      "does that on a GPU."), where, speeds));
	free(speeds);
}

/* ---- a rung ---- */

static void add_verdict(struct reader_practice *p)
{
	const struct judgement *v = &p->verdict;
	struct show_practice *s = &p->show;
	bool pass = v->result == JUDGED_PASS;

	if (v->result != JUDGED_PASS && v->result != JUDGED_FAIL) {
		add_stage(s, STAGE_NOTE, NULL, v->result == JUDGED_UNTOUCHED ?
			  xasprintf(_("not begun: %s"), v->message) :
			  xstrdup(v->message ? v->message : ""));
		add_stages(p);
		return;
	}
	s->passed = pass;
	add_stages(p);
	if (!pass && v->message)
		add_stage(s, STAGE_NOTE, NULL, xstrdup(v->message));
	if (pass)
		add_stage(s, STAGE_GOOD, _("rung passed"),
			  xstrdup(_("n next, c compare with ours")));
	if (pass || v->stage == JUDGE_COSTS)
		add_cost_lines(p, pass);
	if (pass && p->rung->learned)
		add_stage(s, STAGE_NOTE, NULL, xstrdup(p->rung->learned));
	if (pass && p->rung->compare) {
		add_counts(p);
		add_recorded(p);
	}
}

static void show_head(struct reader *r)
{
	struct reader_practice *p = r->practice;
	const struct rung *of = p->rung;
	struct show_practice *s = &p->show;
	size_t place = 0;

	while (place + 1 < p->track.count && p->track.rungs[place] != of)
		place++;
	free(s->head);
	free(s->lesson);
	s->head = p->unjudged ?
		  xasprintf(_("%1$s %2$s   map %3$zu/%4$zu"), p->places[place],
			    of->name, place + 1, p->track.count) :
		  xasprintf(_("%1$s %2$s   map %3$zu/%4$zu   try %5$d   hints "
			      "%6$d"), p->places[place], of->name, place + 1,
			    p->track.count, p->progress.tries,
			    p->progress.hints);
	s->lesson = of->lesson_name ?
		    xasprintf(_("lesson: %s"), of->lesson_name) : NULL;
	free(s->path);
	s->path = text_clean(p->path, strlen(p->path), 0);
}

void practice_show_rung(struct reader *r)
{
	struct reader_practice *p = r->practice;
	struct show_practice *s = &p->show;

	s->open = p->rung != NULL;
	if (!s->open)
		return;
	show_head(r);
	s->task = p->rung->task->steps[0].prose;
	s->task_count = p->rung->task->steps[0].prose_count;
	s->judging = p->judging != NULL;
	s->seconds = p->judging ? (int)(seconds_now() - p->since) : 0;
	s->marked = p->hints > 1 && s->page == PRACTICE_SOURCE;
	practice_clear_stages(s);
	s->passed = false;
	if (p->unjudged) {
		add_stage(s, STAGE_NOTE, NULL, xstrdup(p->unjudged));
		add_stage(s, STAGE_NOTE, NULL,
			  xasprintf("gemmviz practice %s", p->rung->name));
	} else if (p->gone) {
		add_stage(s, STAGE_NOTE, NULL,
			  xstrdup(_("the file is gone: save it again, or r "
				    "begins it anew")));
	} else if (p->judged) {
		add_verdict(p);
	} else if (s->page != PRACTICE_TASK) {
		add_stage(s, STAGE_NOTE, NULL,
			  xstrdup(_("t shows the task; save the file and it "
				    "is judged")));
	}
	add_hints(p);
}
