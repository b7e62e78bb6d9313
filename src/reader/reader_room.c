/* A class on its teacher's screen. */
#include <stdlib.h>
#include <string.h>

#include "base/lang.h"
#include "base/text.h"
#include "reader/reader_room.h"

/* Files may be on another machine, of whose changes nobody tells us. */
#define PERIOD 2.0

static void forget(struct reader_room *m)
{
	for (int i = 0; i < m->show.step_count; i++)
		free(m->show.steps[i].names);
	m->show.step_count = m->show.answer_count = 0;
	class_room_done(&m->room);
}

void reader_close_room(struct reader *r)
{
	if (!r->room)
		return;
	forget(r->room);
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
		if (!m->names)
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
}

/* What was seen last stays on the screen while the folder is away. */
static void look(struct reader *r)
{
	struct reader_room *m = r->room;
	struct class_room room;
	struct error e;

	m->looked = seconds_now();
	if (class_read(&room, m->folder, m->name, &e)) {
		reader_say(r, true, "%s", e.text);
		return;
	}
	forget(m);
	m->room = room;
	m->show.people = (int)room.person_count;
	fill_steps(m);
	fill_answers(m);
	if (room.damaged)
		reader_say(r, true, _("Lines that could not be read: %d"),
			   room.damaged);
}

int reader_open_room(struct reader *r, const char *folder, const char *name,
		     bool names, struct error *e)
{
	struct class_room room;

	if (class_read(&room, folder, name, e))
		return -1;
	class_room_done(&room);
	reader_close(r);
	r->room = xcalloc(1, sizeof(*r->room));
	r->room->folder = folder;
	r->room->name = r->room->show.name = name;
	r->room->names = names;
	r->show.class = &r->room->show;
	look(r);
	return 0;
}

bool reader_room_poll(struct reader *r)
{
	if (!r->room || seconds_now() - r->room->looked < PERIOD)
		return false;
	r->show.message = NULL;
	look(r);
	return true;
}

int reader_room_patience(const struct reader *r)
{
	double left = r->room->looked + PERIOD - seconds_now();

	return left <= 0 ? 0 : (int)(left * 1000) + 1;
}

void reader_room_names(struct reader *r)
{
	r->room->names = !r->room->names;
	look(r);
}
