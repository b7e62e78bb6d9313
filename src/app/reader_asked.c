/* reader_asked: the picture of a question with numbers of its own. Where its
 * answer is the model's of one request or one launch, that is what is drawn. */
#include <stdio.h>
#include <string.h>

#include "app/reader.h"
#include "scene/stage.h"

void reader_forget_asked(struct reader *r)
{
	stage_free(r->asked_stage);
	trace_close(r->asked_trace);
	r->asked_stage = NULL;
	r->asked_trace = NULL;
	r->show.lesson.other_numbers = false;
}

static const struct lesson_question *asked_question(const struct reader *r)
{
	const struct lesson_step *s = &r->lesson->steps[r->step];

	return r->question < s->question_count ? &s->questions[r->question] :
						 NULL;
}

/* Returns the picture that shows such a request. */
static const struct view *access_view(const struct access *a)
{
	return view_find(a->space == ACCESS_GLOBAL ? "sectors" : "banks");
}

/* Makes a trace of the request alone, with its line of source. */
static bool stage_access(struct reader *r, const struct lesson_model *m)
{
	static const char *const types[] = { "char", "half", "float", "float2",
					     "float4" };
	const char *array = m->access.space == ACCESS_GLOBAL ? "A" : "As";
	struct drill_question q = { .access = m->access, .name = "question" };
	struct error e;
	int type = 0;

	while (type < 4 && 1u << type < m->access.bytes)
		type++;
	q.code = xasprintf(m->access.op == OP_ST ? "%s[%s] = v;  // %s" :
						   "v = %s[%s];  // %s",
			   array, m->index, types[type]);
	r->asked_trace = drill_trace(&q, &e);
	free(q.code);
	if (!r->asked_trace) {
		reader_say(r, true, "%s", e.text);
		return false;
	}
	r->asked_stage = stage_new(r->asked_trace);
	r->asked_at = *reader_cursor(r);
	return true;
}

/* Shows the launch that the answer is about. */
static void show_launch(struct reader *r, const struct occupancy_launch *l)
{
	r->show.turns.launch.threads = l->threads;
	r->show.turns.launch.registers = l->registers;
	r->show.turns.launch.shared = l->shared;
}

/* Shows the costs of the two kernels that the answer compares. */
static void show_race(struct reader *r, const struct lesson_model *m)
{
	for (int i = 0; i < 2; i++)
		snprintf(r->show.turns.race[i], sizeof(r->show.turns.race[i]),
			 "%s", m->race[i]);
}

void reader_take_asked(struct reader *r)
{
	const struct lesson_question *q = r->lesson ? asked_question(r) : NULL;
	struct lesson_model m;

	reader_forget_asked(r);
	memset(&r->show.turns.launch, 0, sizeof(r->show.turns.launch));
	memset(r->show.turns.race, 0, sizeof(r->show.turns.race));
	if (!q || !reader_recording(r)->trace ||
	    !lesson_find_model(&r->traces, r->step, q, &m))
		return;
	r->show.lesson.other_numbers = q->draw_count;
	if (m.accesses == 1 && r->show.held == access_view(&m.access)) {
		if (stage_access(r, &m))
			r->show.lesson.other_numbers = false;
	} else if (m.launches == 1 && q->draw_count &&
		   r->show.held == view_find("occupancy")) {
		show_launch(r, &m.launch);
		r->show.lesson.other_numbers = false;
	} else if (m.races && (r->show.held == view_find("cost") ||
			       r->show.held == view_find("faster"))) {
		show_race(r, &m);
	}
}

struct stage *reader_asked_stage(struct reader *r, struct cursor *at)
{
	const struct cursor *p = reader_cursor(r);

	if (!r->asked_stage || p->warp != r->asked_at.warp ||
	    p->request != r->asked_at.request ||
	    r->show.held != access_view(&(struct access){ .space =
			trace_info(r->asked_trace)->arrays[0].space ==
			SPACE_GLOBAL ? ACCESS_GLOBAL : ACCESS_SHARED }))
		return NULL;
	*at = (struct cursor){ .lane = p->lane, .focus = p->focus,
			       .focus_index = p->focus_index };
	return r->asked_stage;
}
