/* reader_practice: see reader_practice.h. */
#include "app/reader_practice.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

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

void practice_close_rung(struct reader_practice *p)
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
	practice_close_rung(p);
	rung_track_done(&p->track);
	free(p->folder);
	free(p->rungs);
	free(p->places);
	free(p->show.summary);
	free(p);
	r->practice = NULL;
	r->show.practice = NULL;
}

char *practice_read_file(const char *path)
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

void practice_set_source(struct reader_practice *p, char *text)
{
	free(p->show.source);
	p->show.source = text;
	p->show.scroll = 0;
}

void practice_show_file(struct reader_practice *p)
{
	practice_set_source(p, xstrdup(p->text ? p->text : ""));
	p->show.page = PRACTICE_SOURCE;
	p->show.line = p->judged ? p->verdict.line : 0;
}

void practice_judge(struct reader *r)
{
	struct reader_practice *p = r->practice;
	struct judge_options o = p->options;
	struct error e;
	char *text = practice_read_file(p->path);

	drop_judging(&p->judging);
	p->gone = access(p->path, F_OK) != 0;
	if (p->gone)
		return;
	free(p->text);
	p->text = text;
	practice_show_file(p);
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

void practice_save(struct reader *r)
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
	practice_save(r);
	reader_class_verdict(r, p->rung->name, (int)p->show.chosen + 1,
			     (int)p->track.count, to,
			     v->result == JUDGED_PASS);
}

/* Judges our solution, to show what it costs. */
static void begin_ours(struct reader_practice *p)
{
	struct judge_options o = p->options;
	struct error e;

	if (p->our_counted || p->judging_ours || !p->rung->solution ||
	    !p->rung->limit_count || access(p->rung->solution, R_OK))
		return;
	o.costs_only = true;
	p->judging_ours = judge_start(p->rung, p->rung->solution, &o, &e);
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

/* Returns the learner's text of the rung that this one begins with, if it is the
 * one that passed; the caller frees it. */
static char *read_earlier(const struct reader *r)
{
	const struct reader_practice *p = r->practice;
	struct progress_rung earlier;
	const struct rung *of;
	struct error e;
	char *path, *text;
	size_t length;

	of = p->rung->begins ?
	     rung_track_find(&p->track, p->rung->begins, &e) : NULL;
	if (!of)
		return NULL;
	earlier = progress_rung_of(&r->progress, of->name, p->cost_words);
	path = learner_file_path(p->folder, of);
	text = file_read_text(path, RUNG_FILE_MOST, &length, &e);
	free(path);
	if (text && earlier.passed[0] &&
	    hash_bytes(text, strlen(text)) == earlier.hash)
		return text;
	free(text);
	return NULL;
}

int practice_make_file(struct reader *r, struct error *e)
{
	const struct reader_practice *p = r->practice;
	char *earlier = read_earlier(r);
	int made = learner_file_make(p->rung, p->path, earlier, e);

	free(earlier);
	return made;
}

/* Makes a rung the open one, without its file. */
static void set_rung(struct reader *r, const struct rung *of)
{
	struct reader_practice *p = r->practice;

	practice_close_rung(p);
	p->rung = of;
	p->path = learner_file_path(p->folder, of);
	p->progress = progress_rung_of(&r->progress, of->name, p->cost_words);
	if (!p->progress.tries)
		for (int i = 0; i < COST_COUNT; i++)
			p->progress.costs[i] = NA;
}

int practice_begin_rung(struct reader *r, const struct rung *of,
			struct error *e)
{
	struct reader_practice *p = r->practice;
	int made;

	set_rung(r, of);
	made = practice_make_file(r, e);
	if (made > 0) {
		p->progress.skeleton = of->hash;
		practice_save(r);
	}
	return made;
}

void practice_open_rung(struct reader *r, const struct rung *of)
{
	struct reader_practice *p = r->practice;
	struct error e;
	int made;

	if (p->unjudged) {
		set_rung(r, of);
		p->text = xstrdup(of->skeleton);
		practice_show_file(p);
		return;
	}
	made = practice_begin_rung(r, of, &e);
	if (made < 0) {
		reader_say(r, true, "%s", e.text);
	} else if (file_watch_open(&p->watch, p->path, &e) < 0) {
		reader_say(r, true, "%s", e.text);
		file_watch_close(&p->watch);
	}
	if (made > 0)
		reader_say(r, false, _("made %s"), text_show(p->path));
	else if (!made && p->progress.skeleton &&
		 p->progress.skeleton != of->hash)
		reader_say(r, false, _("the skeleton has changed since your "
				       "file was made: r begins anew, and "
				       "keeps your file"));
	practice_judge(r);
}

void reader_open_practice(struct reader *r, struct practice_start *wish)
{
	struct reader_practice *p = xcalloc(1, sizeof(*p));

	reader_end_practice(r);
	reader_close(r);
	reader_forget_list(r);
	r->practice = p;
	p->track = wish->track;
	p->folder = wish->folder;
	p->options = wish->options;
	p->unjudged = wish->unjudged;
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
		practice_open_rung(r, wish->open);
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

	if (!p || !p->rung || p->unjudged)
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

	if (!p || !p->rung || p->unjudged)
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
