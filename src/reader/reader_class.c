/* What a reader does, as their class is told. */
#include <string.h>

#include "base/lang.h"
#include "reader/reader.h"

static void tell(struct reader *r, struct class_event *ev)
{
	struct class_member *m = r->member;
	bool waited = m->waiting;
	struct error e;

	snprintf(ev->lesson, sizeof(ev->lesson), "%s", r->lesson->name);
	ev->step = (int)r->step + 1;
	ev->steps = (int)r->lesson->step_count;
	if (class_tell(m, ev, &e))
		reader_say(r, true, "%s", e.text);
	else if (waited)
		reader_say(r, false, "%s",
			   _("The class has all of your answers again."));
}

void reader_class_at(struct reader *r)
{
	struct class_event ev = { .answered = false };
	struct class_member *m = r->member;

	/* A lesson of one's own may have a name that no class can read. */
	if (!m || !class_name_valid(r->lesson->name) ||
	    (m->step == r->step + 1 && !strcmp(m->lesson, r->lesson->name)))
		return;
	snprintf(m->lesson, sizeof(m->lesson), "%s", r->lesson->name);
	m->step = r->step + 1;
	tell(r, &ev);
}

void reader_class_answer(struct reader *r, const char *answer, bool right)
{
	struct class_event ev = { .answered = true, .right = right,
				  .question = (int)r->question + 1 };

	if (!r->member || !class_name_valid(r->lesson->name))
		return;
	snprintf(ev.answer, sizeof(ev.answer), "%s", answer);
	tell(r, &ev);
}
