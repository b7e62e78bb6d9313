/* reader_class: reports a reader's work to the class, and takes news of it. */
#include <string.h>

#include "base/lang.h"
#include "practice/stage.h"
#include "app/reader.h"

static void report_event(struct reader *r, struct class_event *ev)
{
	struct error e;

	snprintf(ev->lesson, sizeof(ev->lesson), "%s", r->lesson->name);
	ev->step = (int)r->step + 1;
	ev->steps = (int)r->lesson->step_count;
	if (class_note(r->member, ev, &e))
		reader_say(r, true, "%s", e.text);
	else
		class_link_send(r->link);
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
	report_event(r, &ev);
}

void reader_class_answer(struct reader *r, const char *answer, bool right)
{
	struct class_event ev = { .answered = true, .right = right,
				  .question = (int)r->question + 1 };

	if (!r->member || !class_name_valid(r->lesson->name))
		return;
	snprintf(ev.answer, sizeof(ev.answer), "%s", answer);
	report_event(r, &ev);
}

void reader_class_verdict(struct reader *r, const char *rung, int place, int of,
			  const struct progress_rung *now, bool right)
{
	const char *stage = right ? judge_stage_name(JUDGE_PASSED) : now->stage;
	struct class_event ev = { .answered = true, .right = right,
				  .question = 1, .step = place, .steps = of,
				  .tries = now->tries, .hints = now->hints };
	struct error e;

	if (!r->member)
		return;
	snprintf(ev.lesson, sizeof(ev.lesson), CLASS_PRACTICE "%s", rung);
	snprintf(ev.answer, sizeof(ev.answer), "%s", stage);
	if (!class_name_valid(ev.lesson))
		return;
	if (class_note(r->member, &ev, &e))
		reader_say(r, true, "%s", e.text);
	else
		class_link_send(r->link);
}

/* ---- what comes from there ---- */

/* Takes the result of sending: the class has it, or why not. */
static bool take_done(struct reader *r, const char *why)
{
	bool waited = r->away;

	r->away = *why;
	if (*why)
		reader_say(r, true, "%s", why);
	else if (waited && r->member)
		reader_say(r, false, "%s",
			   _("The class has all of your answers again."));
	return *why || waited;
}

static bool take_news(struct reader *r, const struct class_news *news)
{
	switch (news->kind) {
	case CLASS_DONE:
		return take_done(r, news->text);
	case CLASS_PLACE:
		r->place = news->place;
		r->placed = false;
		return false;
	case CLASS_NO_PLACE:
		reader_say(r, false, "%s",
			   _("The teacher has not opened a lesson yet."));
		return true;
	case CLASS_ABSENT:
	case CLASS_FAILED:
		reader_say(r, true, "%s", news->text);
		return true;
	case CLASS_FOUND:
	case CLASS_LOOKED:
		return false;
	default:
		return r->room && reader_room_hear(r, news);
	}
}

/* Reports that the class is silent, once for each silence. */
static bool report_silence(struct reader *r)
{
	bool silent = class_link_patience(r->link) == 0;

	if (silent == r->silent)
		return false;
	r->silent = silent;
	if (!silent) {	/* a member gets a longer message */
		if (!r->member)
			r->show.message = NULL;
		return true;
	}
	r->away = true;
	reader_say(r, true, "%s", r->member ?
		   _("The class does not answer. Your answers are kept, and "
		     "sent later.") : _("The class does not answer."));
	return true;
}

bool reader_class_poll(struct reader *r)
{
	struct class_news news;
	bool any = false;

	if (!r->link)
		return false;
	while (class_link_take(r->link, &news))
		any |= take_news(r, &news);
	return report_silence(r) || any;
}

int reader_class_patience(const struct reader *r)
{
	double left = r->link ? class_link_patience(r->link) : NA;

	return left == NA || r->silent ? -1 : (int)(left * 1000) + 1;
}
