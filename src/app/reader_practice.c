/* reader_practice: see reader_practice.h. */
#include "app/reader_practice.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "analysis/advice.h"
#include "app/practice_diff.h"
#include "base/lang.h"
#include "base/text.h"
#include "practice/learner_file.h"

/* Milliseconds between looks at whether the file is still there. */
#define LOOK_MS 1000

/* ---- what is judged ---- */

static void drop_judging(struct judging **j)
{
	struct judgement out;

	if (!*j)
		return;
	out = judge_finish(*j);
	judgement_done(&out);
	*j = NULL;
}

static void close_rung(struct reader_practice *p)
{
	drop_judging(&p->judging);
	drop_judging(&p->judging_ours);
	judgement_done(&p->verdict);
	file_watch_close(&p->watch);
	practice_clear_stages(&p->show);
	free(p->path);
	free(p->text);
	free(p->judged_text);
	free(p->previous_text);
	free(p->advice);
	free(p->show.head);
	free(p->show.lesson);
	free(p->show.path);
	free(p->show.source);
	p->path = p->text = p->judged_text = p->previous_text = NULL;
	p->advice = p->show.head = p->show.lesson = p->show.path = NULL;
	p->show.source = NULL;
	p->rung = NULL;
	p->judged = p->gone = p->counted_before = p->our_counted = false;
	p->hints = 0;
}

void reader_end_practice(struct reader *r)
{
	struct reader_practice *p = r->practice;

	if (!p)
		return;
	close_rung(p);
	rung_track_done(&p->track);
	free(p->folder);
	free(p->rungs);
	free(p->places);
	free(p->show.summary);
	free(p);
	r->practice = NULL;
	r->show.practice = NULL;
}

/* Reads the file as it is shown; NULL: it is not there, or no text. */
static char *read_shown_file(const char *path)
{
	struct error e;
	size_t length;
	char *text = file_read_text(path, RUNG_FILE_MOST, &length, &e), *clean;

	if (!text)
		return NULL;
	clean = text_clean(text, strlen(text), TEXT_LINES | TEXT_TABS);
	free(text);
	return clean;
}

/* Sets the text of the page that is shown. */
static void set_source(struct reader_practice *p, char *text)
{
	free(p->show.source);
	p->show.source = text;
	p->show.scroll = 0;
}

static void show_file(struct reader_practice *p)
{
	set_source(p, xstrdup(p->text ? p->text : ""));
	p->show.page = PRACTICE_SOURCE;
	p->show.line = p->judged ? p->verdict.line : 0;
}

void practice_judge(struct reader *r)
{
	struct reader_practice *p = r->practice;
	struct judge_options o = p->options;
	struct error e;
	char *text = read_shown_file(p->path);

	drop_judging(&p->judging);
	p->gone = access(p->path, F_OK) != 0;
	if (p->gone)
		return;
	free(p->text);
	p->text = text;
	show_file(p);
	o.seed += (uint64_t)p->progress.tries * 7919 + hash_bytes(
		text ? text : "", text ? strlen(text) : 0) % INT32_MAX;
	o.twice = !p->progress.passed[0];
	p->judging = judge_start(p->rung, p->path, &o, &e);
	p->since = seconds_now();
	if (!p->judging)
		reader_say(r, true, "%s", e.text);
}

/* ---- the verdict ---- */

/* Keeps what the try before cost. */
static void keep_before(struct reader_practice *p)
{
	p->counted_before = p->judged && p->verdict.counted;
	memcpy(p->costs_before, p->verdict.costs, sizeof(p->costs_before));
	free(p->previous_text);
	p->previous_text = p->judged_text;
	p->judged_text = p->text ? xstrdup(p->text) : NULL;
}

static void save_progress(struct reader *r)
{
	struct reader_practice *p = r->practice;
	struct error e;

	if (progress_rung_set(&r->progress, p->rung->name, &p->progress,
			      p->cost_words, &e))
		reader_say(r, true, "%s", e.text);
}

/* Notes a try in the progress. */
static void note_try(struct reader *r)
{
	struct reader_practice *p = r->practice;
	const struct judgement *v = &p->verdict;
	struct progress_rung *to = &p->progress;
	time_t now = time(NULL);
	struct tm tm;

	if (v->result != JUDGED_PASS && v->result != JUDGED_FAIL)
		return;
	to->tries++;
	snprintf(to->stage, sizeof(to->stage), "%s",
		 v->result == JUDGED_PASS ? "" : judge_stage_name(v->stage));
	if (v->result == JUDGED_PASS) {
		if (!to->passed[0] && localtime_r(&now, &tm))
			strftime(to->passed, sizeof(to->passed), "%Y-%m-%d",
				 &tm);
		to->hash = v->text_hash;
		for (int i = 0; i < COST_COUNT; i++)
			if (to->costs[i] < 0 || v->costs[i] < to->costs[i])
				to->costs[i] = v->costs[i];
	}
	save_progress(r);
	reader_class_verdict(r, p->rung->name, (int)p->show.chosen + 1,
			     (int)p->track.count,
			     judge_stage_name(v->result == JUDGED_PASS ?
					      JUDGE_PASSED : v->stage),
			     v->result == JUDGED_PASS);
}

/* Judges our solution, to show what it costs. */
static void begin_ours(struct reader_practice *p)
{
	struct error e;

	if (p->our_counted || p->judging_ours || !p->rung->solution ||
	    !p->rung->limit_count || access(p->rung->solution, R_OK))
		return;
	p->judging_ours = judge_start(p->rung, p->rung->solution, &p->options,
				      &e);
}

static void take_verdict(struct reader *r)
{
	struct reader_practice *p = r->practice;
	struct judgement now = judge_finish(p->judging);
	bool same = p->judged && now.text_hash == p->verdict.text_hash &&
		    now.result == p->verdict.result;

	p->judging = NULL;
	if (!same)
		keep_before(p);
	judgement_done(&p->verdict);
	p->verdict = now;
	p->judged = true;
	if (!same) {
		p->hints = 0;
		free(p->advice);
		p->advice = NULL;
		note_try(r);
	}
	p->show.line = now.line;
	p->show.scroll = 0;
	begin_ours(p);
}

static void take_ours(struct reader_practice *p)
{
	struct judgement ours = judge_finish(p->judging_ours);

	p->judging_ours = NULL;
	p->our_counted = ours.counted;
	memcpy(p->our_costs, ours.costs, sizeof(p->our_costs));
	judgement_done(&ours);
}

/* ---- what opens ---- */

/* Opens a rung, whose file is made if it is missing. */
static void open_rung(struct reader *r, const struct rung *of)
{
	struct reader_practice *p = r->practice;
	struct error e;
	int made;

	close_rung(p);
	p->rung = of;
	p->path = xasprintf("%s/%s.cu", p->folder, of->stem);
	p->progress = progress_rung_of(&r->progress, of->name, p->cost_words);
	if (!p->progress.tries)
		for (int i = 0; i < COST_COUNT; i++)
			p->progress.costs[i] = NA;
	made = learner_file_make(of, p->path, &e);
	if (made < 0) {
		reader_say(r, true, "%s", e.text);
	} else if (file_watch_open(&p->watch, p->path, &e) < 0) {
		reader_say(r, true, "%s", e.text);
		file_watch_close(&p->watch);
	}
	if (made > 0)
		reader_say(r, false, _("made %s"), text_show(p->path));
	practice_judge(r);
}

void reader_open_practice(struct reader *r, struct practice_start *wish)
{
	struct reader_practice *p = xcalloc(1, sizeof(*p));

	reader_close(r);
	reader_forget_list(r);
	r->practice = p;
	p->track = wish->track;
	p->folder = wish->folder;
	p->options = wish->options;
	p->watch.fd = -1;
	p->rungs = xcalloc(p->track.count + 1, sizeof(*p->rungs));
	p->places = xcalloc(p->track.count + 1, sizeof(*p->places));
	for (int i = 0; i < COST_COUNT; i++)
		p->cost_words[i] = cost_word((enum cost_kind)i);
	r->show.practice = &p->show;
	practice_show_map(r);
	for (size_t i = 0; i < p->track.count; i++) {
		if (p->rungs[i].mark == RUNG_NEXT && !p->show.chosen)
			p->show.chosen = i;
		if (p->track.rungs[i] == wish->open)
			p->show.chosen = i;
	}
	if (wish->open)
		open_rung(r, wish->open);
}

bool reader_back_to_practice(struct reader *r)
{
	if (!r->practice || r->show.practice)
		return false;
	reader_close(r);
	r->show.practice = &r->practice->show;
	return true;
}

/* ---- time and recorders ---- */

static size_t runner_fds(const struct judging *j, struct pollfd *fds)
{
	const struct runner *runner = j ? judge_runner(j) : NULL;

	if (!runner)
		return 0;
	fds[0] = (struct pollfd) { runner_read_fd(runner), POLLIN, 0 };
	fds[1] = (struct pollfd) { runner_write_fd(runner), POLLOUT, 0 };
	return 2;
}

size_t reader_practice_fds(const struct reader *r, struct pollfd *fds)
{
	const struct reader_practice *p = r->practice;
	size_t n = 0;

	if (!p || !p->rung)
		return 0;
	if (p->watch.fd >= 0)
		fds[n++] = (struct pollfd) { p->watch.fd, POLLIN, 0 };
	n += runner_fds(p->judging, fds + n);
	return n + runner_fds(p->judging_ours, fds + n);
}

int reader_practice_patience(const struct reader *r)
{
	const struct reader_practice *p = r->practice;

	if (!p || !p->rung)
		return -1;
	return (p->judging && !judge_runner(p->judging)) ||
	       (p->judging_ours && !judge_runner(p->judging_ours)) ?
	       0 : LOOK_MS;
}

bool reader_practice_poll(struct reader *r)
{
	struct reader_practice *p = r->practice;
	bool any = false, gone;
	int seconds;

	if (!p || !p->rung)
		return false;
	if (p->watch.fd >= 0 && file_watch_saved(&p->watch)) {
		practice_judge(r);
		any = true;
	}
	gone = access(p->path, F_OK) != 0;
	any |= gone != p->gone;
	p->gone = gone;
	if (p->judging && judge_step(p->judging)) {
		take_verdict(r);
		any = true;
	}
	if (p->judging_ours && judge_step(p->judging_ours)) {
		take_ours(p);
		any = true;
	}
	seconds = p->judging ? (int)(seconds_now() - p->since) : -1;
	any |= seconds != p->said;
	p->said = seconds;
	return any;
}

void reader_practice_update(struct reader *r)
{
	if (!r->practice || !r->show.practice)
		return;
	if (!r->practice->rung)
		practice_show_map(r);
	practice_show_rung(r);
}

/* ---- what keys do ---- */

void practice_choose(struct reader *r, int by)
{
	struct reader_practice *p = r->practice;
	long at = (long)p->show.chosen + by;

	p->show.chosen = (size_t)MAX(0, MIN(at, (long)p->track.count - 1));
}

void practice_enter(struct reader *r)
{
	open_rung(r, r->practice->track.rungs[r->practice->show.chosen]);
}

/* Returns the advice that changes least: its kinds are in that order. */
static const struct advice *choose_advice(const struct advice_list *l)
{
	const struct advice *best = &l->list[0];

	for (size_t i = 1; i < l->count; i++)
		if (l->list[i].kind < best->kind)
			best = &l->list[i];
	return best;
}

/* Returns the third hint: what the model would change, and its counts; else what
 * ours costs. */
static char *make_advice(struct reader_practice *p)
{
	const struct judgement *v = &p->verdict;
	struct advice_list list = { .count = 0 };
	struct advice_machine machine = { NULL, 0 };
	struct error e;

	if (v->trace && v->stage == JUDGE_COSTS &&
	    advice_find(v->trace, &machine, &list, &e) == 0 && list.count)
		return advice_text(trace_info(v->trace),
				   choose_advice(&list));
	return xstrdup(v->message ? v->message :
				    _("the lesson shows the way"));
}

void practice_hint(struct reader *r)
{
	struct reader_practice *p = r->practice;

	if (p->hints == HINTS_MOST || !p->judged)
		return;
	p->hints++;
	p->progress.hints++;
	if (p->hints == HINTS_MOST)
		p->advice = make_advice(p);
	save_progress(r);
}

void practice_picture(struct reader *r)
{
	struct reader_practice *p = r->practice;
	struct error e;
	struct trace *t;

	if (!p->verdict.trace) {
		reader_say(r, false, _("there is no recording yet"));
		return;
	}
	t = trace_open_fd(dup(trace_fd(p->verdict.trace)), p->path, &e);
	if (!t) {
		reader_say(r, true, "%s", e.text);
		return;
	}
	reader_open_trace(r, t);
	r->must_record = false;
}

void practice_lesson(struct reader *r)
{
	struct reader_practice *p = r->practice;
	const struct rung *of = p->rung ? p->rung :
			       p->track.rungs[p->show.chosen];
	struct error e;

	if (!of->lesson_name ||
	    reader_open_lesson(r, of->lesson_name, &e)) {
		reader_say(r, true, "%s", of->lesson_name ? e.text :
			   _("no lesson teaches this"));
		return;
	}
	if (of->lesson_step > 0 &&
	    (size_t)of->lesson_step <= r->lesson->step_count)
		reader_go_step(r, (size_t)of->lesson_step - 1);
}

void practice_edit(struct reader *r)
{
	free(r->want_editor);
	r->want_editor = xstrdup(r->practice->path);
}

/* Returns the number of the first line of a comparison that has changed; 0: none
 * has. */
static uint32_t find_first_change(const char *text)
{
	for (uint32_t line = 1; *text; line++) {
		if (*text == '+' || *text == '-')
			return line;
		text += strcspn(text, "\n");
		text += *text == '\n';
	}
	return 0;
}

void practice_page(struct reader *r, enum practice_page page)
{
	struct reader_practice *p = r->practice;
	struct show_practice *s = &p->show;
	char *ours;

	if (page == s->page || page == PRACTICE_SOURCE) {
		show_file(p);
		return;
	}
	if (page == PRACTICE_OURS && !p->progress.passed[0]) {
		reader_say(r, false, _("ours is shown after your first "
				       "pass"));
		return;
	}
	if (page == PRACTICE_CHANGES && !p->previous_text) {
		reader_say(r, false, _("this is your first try"));
		return;
	}
	ours = page == PRACTICE_OURS && p->rung->solution ?
	       read_shown_file(p->rung->solution) : NULL;
	if (page == PRACTICE_CHANGES)
		set_source(p, practice_diff(p->previous_text,
					    p->text ? p->text : ""));
	else if (ours)
		set_source(p, practice_diff(p->text ? p->text : "", ours));
	else if (page == PRACTICE_OURS)
		reader_say(r, false, _("there is no solution of ours"));
	free(ours);
	s->line = s->source ? find_first_change(s->source) : 0;
	s->page = page == PRACTICE_OURS ? PRACTICE_CHANGES : page;
}

void practice_reset_file(struct reader *r)
{
	struct reader_practice *p = r->practice;
	char *kept = NULL;
	struct error e;
	int rc = p->gone ? learner_file_make(p->rung, p->path, &e) :
			   learner_file_reset(p->rung, p->path, &kept, &e);

	if (rc < 0)
		reader_say(r, true, "%s", e.text);
	else if (kept)
		reader_say(r, false, _("your file is now %s"),
			   text_show(kept));
	free(kept);
	practice_judge(r);
}

void practice_next(struct reader *r)
{
	struct reader_practice *p = r->practice;

	for (size_t i = 0; i + 1 < p->track.count; i++)
		if (p->track.rungs[i] == p->rung) {
			p->show.chosen = i + 1;
			practice_enter(r);
			return;
		}
	practice_leave(r);
}

void practice_scroll(struct reader *r, int by)
{
	r->practice->show.scroll += by;
}

bool practice_leave(struct reader *r)
{
	struct reader_practice *p = r->practice;

	if (!p->rung)
		return false;
	close_rung(p);
	return true;
}
