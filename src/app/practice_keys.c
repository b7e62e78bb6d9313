/* practice_keys: what the keys of a practice do. See reader_practice.h. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/practice_diff.h"
#include "app/reader_practice.h"
#include "base/lang.h"
#include "base/text.h"
#include "practice/learner_file.h"

void practice_choose(struct reader *r, int by)
{
	struct reader_practice *p = r->practice;
	long at = (long)p->show.chosen + by;

	p->show.chosen = (size_t)MAX(0, MIN(at, (long)p->track.count - 1));
}

void practice_enter(struct reader *r)
{
	practice_open_rung(r, r->practice->track.rungs[r->practice->show.chosen]);
}

void practice_hint(struct reader *r)
{
	struct reader_practice *p = r->practice;

	if (p->hints == HINTS_MOST || !p->judged)
		return;
	p->hints++;
	p->progress.hints++;
	if (p->hints == HINTS_MOST)
		p->advice = practice_hint_advice(p);
	practice_save(r);
}

/* Moves from the first finding to that of the verdict, if it has one. */
static void go_to_finding(struct reader *r)
{
	const struct judgement *v = &r->practice->verdict;
	struct stage *s = reader_recording(r)->stage;
	size_t at = v->finding ?
		(size_t)(v->finding - trace_info(v->trace)->findings) : 0;

	if (at < findings_before_notes(trace_info(stage_trace(s))))
		while (at--)
			cursor_defect(s, reader_cursor(r), 1);
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

/* Shows a recording that is there without the learner's: of the kernel that the
 * lesson's step shows. */
static void show_lesson_kernel(struct reader *r)
{
	const struct rung *of = r->practice->rung;
	struct error e;
	struct lesson *l = of->lesson_name ?
			   lesson_load(of->lesson_name, r->options.lang, &e) :
			   NULL;
	size_t step = (size_t)MAX(1, of->lesson_step) - 1;
	const struct lesson_record *rec = l && step < l->step_count ?
		&l->records[lesson_step_record(l, step)] : NULL;

	if (!rec || rec->file || rec->program)
		practice_lesson(r);
	else if (reader_open_file(r, rec->kernel, &e))
		reader_say(r, true, "%s", e.text);
	lesson_free(l);
}

void practice_picture(struct reader *r)
{
	struct reader_practice *p = r->practice;
	struct error e;
	struct trace *t;

	if (p->unjudged) {
		show_lesson_kernel(r);
		return;
	}
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
	go_to_finding(r);
	r->must_record = false;
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
		practice_show_file(p);
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
	       practice_read_file(p->rung->solution) : NULL;
	if (page == PRACTICE_CHANGES)
		practice_set_source(p, practice_diff(p->previous_text,
					    p->text ? p->text : ""));
	else if (ours)
		practice_set_source(p, practice_diff(p->text ? p->text : "", ours));
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
	int rc = p->gone ? 0 : learner_file_keep(p->path, &kept, &e);

	rc = rc < 0 ? rc : practice_make_file(r, &e);
	if (rc < 0)
		reader_say(r, true, "%s", e.text);
	p->progress.skeleton = rc > 0 ? p->rung->hash : p->progress.skeleton;
	practice_save(r);
	if (rc >= 0 && kept)
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
	practice_close_rung(p);
	return true;
}
