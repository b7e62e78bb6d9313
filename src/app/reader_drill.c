/* reader_drill: a drill: which question is open, and the answer to it. */
#include "app/reader_drill.h"

#include <stdlib.h>

#include "scene/stage.h"

static void forget_question(struct reader *r)
{
	struct reader_drill *d = r->drill;

	r->show.scene = NULL;
	r->show.lesson = (struct show_lesson){ .typed = r->typed,
					       .chosen = -1 };
	stage_free(d->stage);
	trace_close(d->trace);
	d->stage = NULL;
	d->trace = NULL;
	drill_done(&d->question);
}

void reader_close_drill(struct reader *r)
{
	if (!r->drill)
		return;
	forget_question(r);
	free(r->drill);
	r->drill = NULL;
	r->show.drill = NULL;
	r->show.held = NULL;
}

/* Shows the question in the lesson's pane. */
static void show_question(struct reader *r)
{
	struct reader_drill *d = r->drill;
	const struct drill_question *q = &d->question;
	struct show_lesson *l = &r->show.lesson;

	l->title = _("Drill");
	l->step_title = _("question");
	l->question = q->words;
	for (int i = 0; i < q->choice_count; i++)
		l->choices[i] = q->choices[i].text;
	l->choice_count = q->choice_count;
	d->span = (struct lesson_span){ .text = q->code };
	d->code = (struct lesson_paragraph){ .kind = PARAGRAPH_CODE,
					     .spans = &d->span,
					     .span_count = 1 };
	/* Where code is all there is, it is the picture. */
	if (q->code && q->about != DRILL_CODE) {
		l->prose = &d->code;
		l->prose_count = 1;
	}
}

static void ask_question(struct reader *r)
{
	struct reader_drill *d = r->drill;
	struct error e;

	forget_question(r);
	motion_end(r);
	drill_make(&d->question, d->topic, d->show.score.level,
		   drill_seed(d->seed, d->n));
	d->show.question = &d->question;
	if (d->question.about == DRILL_ACCESS) {
		d->trace = drill_trace(&d->question, &e);
		if (d->trace)
			d->stage = stage_new(d->trace);
		else
			reader_say(r, true, "%s", e.text);
	}
	show_question(r);
}

void reader_open_drill(struct reader *r, const struct drill_topic *topic,
		       int level, uint64_t seed)
{
	reader_close(r);
	reader_forget_list(r);
	r->drill = xcalloc(1, sizeof(*r->drill));
	r->drill->topic = topic;
	r->drill->seed = seed;
	r->drill->show.score.level = level;
	r->show.drill = &r->drill->show;
	ask_question(r);
}

void reader_drill_next(struct reader *r)
{
	if (!r->show.lesson.answered)
		return;
	r->drill->n++;
	ask_question(r);
}

/* Shows the answer, and lets the picture move. */
static void show_answer(struct reader *r, bool right)
{
	struct show_lesson *l = &r->show.lesson;
	const struct drill_question *q = &r->drill->question;
	struct drill_score *score = &r->drill->show.score;
	int before = score->level;
	bool first = true;

	for (int i = 0; i < q->choice_count; i++)
		first &= !l->tried[i];
	if (first)
		drill_score(score, right);
	if (score->level != before)
		reader_say(r, false, _("level %d from here on: %s"),
			   score->level,
			   drill_level_words(q->topic, score->level));
	l->answered = true;
	l->chosen = q->right;
	l->reply = q->choices[q->right].why;
	l->reply_good = true;
	r->show.quiet = false;
	motion_step(r, 4 * MOTION_SECONDS);
}

void reader_drill_choose(struct reader *r, int choice)
{
	struct show_lesson *l = &r->show.lesson;
	const struct drill_question *q = &r->drill->question;
	bool first = true;

	if (l->answered || choice >= q->choice_count)
		return;
	if (choice == q->right) {
		show_answer(r, true);
		return;
	}
	for (int i = 0; i < q->choice_count; i++)
		first &= !l->tried[i];
	if (first)
		drill_score(&r->drill->show.score, false);
	l->tried[choice] = true;
	l->chosen = choice;
	l->reply = q->choices[choice].why;
	l->reply_good = false;
}

void reader_drill_reveal(struct reader *r)
{
	if (!r->show.lesson.answered)
		show_answer(r, false);
}

void reader_drill_topic(struct reader *r, int by)
{
	struct reader_drill *d = r->drill;
	int n = (int)drill_topic_count + 1, at = n - 1;

	for (int i = 0; i + 1 < n; i++)
		if (drill_topics[i] == d->topic)
			at = i;
	at = (at + by + n) % n;
	d->topic = at + 1 < n ? drill_topics[at] : NULL;
	d->n++;
	ask_question(r);
	reader_say(r, false, "%s", d->topic ? _(d->topic->title) :
					      _("questions of all kinds"));
}

void reader_drill_level(struct reader *r, int by)
{
	struct drill_score *score = &r->drill->show.score;
	int to = score->level + by;

	if (to < 1 || to > DRILL_LEVELS)
		return;
	score->level = to;
	score->streak = score->misses = 0;
	r->drill->n++;
	ask_question(r);
}

void reader_drill_update(struct reader *r)
{
	struct reader_drill *d = r->drill;
	struct cursor start = { .focus = FOCUS_LANE };
	const struct view *v = view_find(d->question.access.space ==
					 ACCESS_GLOBAL ? "sectors" : "banks");

	r->show.quiet = !r->show.lesson.answered;
	if (r->show.quiet)
		r->show.t = 0;
	r->show.scene = NULL;
	if (!d->stage)
		return;
	r->show.scene = stage_scene(d->stage, &start);
	/* What its words are of, too. */
	r->show.held = v;
	v = view_picture(&r->show);
	if (v->prepare)
		v->prepare(d->stage, &r->show.turns);
}
