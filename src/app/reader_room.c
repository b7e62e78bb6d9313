/* reader_room: a class on its teacher's screen. */
#include <stdlib.h>
#include <string.h>

#include "base/lang.h"
#include "base/text.h"
#include "app/reader_room.h"
#include "lesson/lesson.h"

#define NAMES_MOST 400	/* bytes; more than a line of the screen shows */

static void clear_room(struct reader_room *m)
{
	for (int i = 0; i < m->show.step_count; i++)
		free(m->show.steps[i].names);
	m->show.step_count = m->show.answer_count = 0;
}

void reader_close_room(struct reader *r)
{
	if (!r->room)
		return;
	clear_room(r->room);
	class_room_done(&r->room->room);
	class_room_done(&r->room->coming);
	class_rungs_done(&r->room->rungs);
	lesson_free(r->room->lesson);
	free(r->room->words);
	free(r->room);
	r->room = NULL;
	r->show.class = NULL;
}

static struct show_class_step *step_at(struct show_class *k,
				       const struct class_person *p)
{
	for (int i = 0; i < k->step_count; i++)
		if (k->steps[i].step == p->step &&
		    !strcmp(k->steps[i].lesson, p->lesson))
			return &k->steps[i];
	if (k->step_count == SHOW_CLASS_STEPS)
		return NULL;
	k->steps[k->step_count] = (struct show_class_step){
		.lesson = p->lesson, .step = p->step, .steps = p->steps };
	return &k->steps[k->step_count++];
}

static int by_step(const void *a, const void *b)
{
	const struct show_class_step *x = a, *y = b;
	int names = strcmp(x->lesson, y->lesson);

	return names ? names : x->step - y->step;
}

static void fill_steps(struct reader_room *m)
{
	for (size_t i = 0; i < m->room.person_count; i++) {
		struct class_person *p = &m->room.people[i];
		struct show_class_step *s = step_at(&m->show, p);
		char *before;

		if (!s)
			continue;
		s->count++;
		if (!m->names || (s->names && strlen(s->names) > NAMES_MOST))
			continue;
		before = s->names;
		s->names = before ? xasprintf("%s, %s", before, p->who) :
				    xstrdup(p->who);
		free(before);
	}
	qsort(m->show.steps, (size_t)m->show.step_count,
	      sizeof(m->show.steps[0]), by_step);
}

static void fill_answers(struct reader_room *m)
{
	class_poll(&m->room, &m->poll);
	for (int i = 0; i < m->poll.answer_count && i < SHOW_CLASS_ANSWERS;
	     i++)
		m->show.answers[m->show.answer_count++] =
			(struct show_class_answer){
				.text = m->poll.answers[i].text,
				.count = m->poll.answers[i].count,
				.right = m->poll.answers[i].right };
	snprintf(m->question, sizeof(m->question),
		 _("%s, step %d, question %d"), m->poll.lesson, m->poll.step,
		 m->poll.question);
	m->show.question = m->show.answer_count ? m->question : NULL;
	free(m->words);
	m->words = class_question(&m->lesson, m->poll.lesson, m->poll.step,
				  m->poll.question);
	m->show.words = m->words;
}

static void fill_rung_marks(struct reader_room *m)
{
	class_rungs_done(&m->rungs);
	class_rungs_read(&m->room, &m->rungs);
	m->show.rung_count = (int)MIN(m->rungs.count, SHOW_CLASS_RUNGS);
	for (int i = 0; i < m->show.rung_count; i++) {
		const struct class_rung *of = &m->rungs.list[i];

		m->show.rungs[i] = (struct show_class_rung){
			of->name, of->stage, of->place, of->passed, of->at,
			of->stuck };
	}
}

static void fill_room(struct reader_room *m)
{
	fill_rung_marks(m);
	m->show.people = (int)m->room.person_count;
	fill_steps(m);
	fill_answers(m);
}

/* Shows the class as it has arrived; until then the last state stays on the
 * screen. */
static bool take_room(struct reader *r)
{
	struct reader_room *m = r->room;

	clear_room(m);
	class_room_done(&m->room);
	m->room = m->coming;
	m->coming = (struct class_room){0};
	fill_room(m);
	r->show.message = NULL;
	if (m->room.unread)
		reader_say(r, true, ngettext("%d more file not yet read",
					     "%d more files not yet read",
					     (unsigned)m->room.unread),
			   m->room.unread);
	else if (m->room.damaged)
		reader_say(r, true, _("Lines and files that could not be "
				      "read: %d"), m->room.damaged);
	return true;
}

bool reader_room_hear(struct reader *r, const struct class_news *news)
{
	struct class_room *coming = &r->room->coming;

	if (news->kind == CLASS_ROOM) {
		class_room_done(coming);
		coming->damaged = news->damaged;
		coming->unread = news->unread;
	} else if (news->kind == CLASS_EVENT) {
		class_room_add(coming, &news->event);
	} else {
		return take_room(r);
	}
	return false;
}

void reader_open_room(struct reader *r, const char *name, bool names)
{
	reader_close(r);
	r->room = xcalloc(1, sizeof(*r->room));
	r->room->show.name = name;
	r->room->names = names;
	r->show.class = &r->room->show;
}

void reader_room_names(struct reader *r)
{
	r->room->names = !r->room->names;
	clear_room(r->room);
	fill_room(r->room);
}
