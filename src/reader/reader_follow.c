/* A teacher leads, and others go along. */
#include <string.h>
#include <unistd.h>

#include "base/lang.h"
#include "reader/reader.h"

/* Of a look at the teacher's place. */
#define PERIOD 1.0

static struct class_place here(struct reader *r)
{
	const struct cursor *p = reader_cursor(r);
	struct class_place place = { .step = (int)r->step + 1,
				     .question = (int)r->question + 1,
				     .answered = r->show.lesson.answered,
				     .warp = (int)p->warp,
				     .request = (int)p->request,
				     .lane = (int)p->lane };

	snprintf(place.lesson, sizeof(place.lesson), "%s", r->lesson->name);
	return place;
}

static bool same(const struct class_place *a, const struct class_place *b)
{
	return !strcmp(a->lesson, b->lesson) && a->step == b->step &&
	       a->question == b->question && a->answered == b->answered &&
	       a->warp == b->warp && a->request == b->request &&
	       a->lane == b->lane;
}

void reader_lead(struct reader *r)
{
	struct class_place place;
	struct error e;

	if (!r->lead || !r->lesson || r->motion.on)
		return;
	place = here(r);
	if (same(&place, &r->place))
		return;
	r->place = place;
	if (class_place_write(r->lead, &place, &e))
		reader_say(r, true, "%s", e.text);
}

/* Goes to the teacher's place; -1 with e. */
static int go_along(struct reader *r, const struct class_place *to,
		    struct error *e)
{
	struct cursor *p;

	if (!r->lesson || strcmp(r->lesson->name, to->lesson)) {
		if (reader_open_lesson(r, to->lesson, e))
			return -1;
	}
	if ((size_t)to->step - 1 != r->step)
		reader_go_step(r, (size_t)to->step - 1);
	while ((int)r->question + 1 < to->question && reader_asks_more(r))
		reader_ask_next(r);
	if (to->answered && (int)r->question + 1 == to->question)
		reader_reveal(r);
	/* Where there is no recording yet, the next look goes there. */
	p = reader_cursor(r);
	p->warp = (size_t)to->warp;
	p->request = (uint32_t)to->request;
	p->lane = (uint32_t)to->lane % WARP_LANES;
	return 0;
}

bool reader_follow_poll(struct reader *r)
{
	struct class_place place;
	struct error e;
	bool ready;

	if (!r->follow || !r->following ||
	    seconds_now() - r->looked < PERIOD)
		return false;
	r->looked = seconds_now();
	if (access(r->follow, F_OK)) {
		reader_say(r, false, "%s",
			   _("The teacher has not opened a lesson yet."));
		return true;
	}
	if (class_place_read(r->follow, &place, &e)) {
		reader_say(r, true, "%s", e.text);
		return true;
	}
	ready = r->lesson && reader_recording(r)->trace;
	if (same(&place, &r->place) && r->placed)
		return false;
	r->place = place;
	r->placed = ready && !strcmp(r->lesson->name, place.lesson);
	if (go_along(r, &place, &e))
		reader_say(r, true, "%s", e.text);
	return true;
}

int reader_follow_patience(const struct reader *r)
{
	double left = r->looked + PERIOD - seconds_now();

	if (!r->follow || !r->following)
		return -1;
	return left <= 0 ? 0 : (int)(left * 1000) + 1;
}

void reader_follow_key(struct reader *r, uint32_t key)
{
	bool answers = reader_asking(r) && key >= 'a' && key <= 'd';

	if (!r->follow || !r->following || key == 'f' || answers)
		return;
	r->following = false;
	reader_say(r, false, "%s", _("You read on your own now; f goes along "
				     "again."));
}

void reader_follow_again(struct reader *r)
{
	r->following = true;
	r->placed = false;
	r->looked = 0;
	reader_say(r, false, "%s", _("You go along with the teacher; any key "
				     "lets go."));
}
