/* reader_follow: a teacher leads, and others follow. */
#include <string.h>

#include "base/lang.h"
#include "app/reader.h"

static struct class_place get_place(struct reader *r)
{
	const struct cursor *p = reader_cursor(r);
	struct class_place place = { .step = (int)r->step + 1,
				     .question = (int)r->question + 1,
				     .answered = r->show.lesson.answered,
				     .warp = (int)p->warp,
				     .request = (int)p->request,
				     .lane = (int)p->lane,
				     .pane = (int)r->show.pane,
				     .turns = r->show.turns };

	snprintf(place.lesson, sizeof(place.lesson), "%s", r->lesson->name);
	if (r->show.held)
		snprintf(place.view, sizeof(place.view), "%s",
			 r->show.held->name);
	return place;
}

void reader_lead(struct reader *r)
{
	struct class_place place;

	if (!r->lead || !r->lesson || r->motion.on ||
	    !class_name_valid(r->lesson->name))
		return;
	place = get_place(r);
	if (class_place_same(&place, &r->place))
		return;
	r->place = place;
	class_link_lead(r->link, &place);
}

static void take_picture(struct reader *r, const struct class_place *to)
{
	r->show.held = view_find(to->view);
	r->show.pane = to->pane >= 0 && to->pane < PANE_COUNT ?
		       (enum pane)to->pane : PANE_PICTURE;
	r->show.turns = to->turns;
}

/* Shows the answer, which the teacher has given: the class is not told that it
 * is this reader's. */
static void reveal_for_teacher(struct reader *r)
{
	struct class_member *member = r->member;

	r->member = NULL;
	reader_reveal(r);
	r->member = member;
}

/* Moves to the teacher's place. Returns -1 with e. */
static int go_to_place(struct reader *r, const struct class_place *to,
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
		reveal_for_teacher(r);
	take_picture(r, to);
	/* Where there is no recording yet, it goes there once more. */
	p = reader_cursor(r);
	p->warp = (size_t)to->warp;
	p->request = (uint32_t)to->request;
	p->lane = (uint32_t)to->lane % WARP_LANES;
	return 0;
}

bool reader_follow_poll(struct reader *r)
{
	struct error e;
	bool ready = r->lesson && reader_recording(r)->trace;

	if (!r->follow || !r->following || r->placed || !r->place.step)
		return false;
	r->placed = ready && !strcmp(r->lesson->name, r->place.lesson);
	if (go_to_place(r, &r->place, &e)) {
		reader_say(r, true, "%s", e.text);
		r->placed = true;
	}
	return true;
}

void reader_follow_key(struct reader *r, uint32_t key)
{
	bool answers = reader_asking(r) && key >= 'a' && key <= 'd';

	if (!r->follow || !r->following || key == 'f' || answers)
		return;
	r->following = false;
	reader_say(r, false, "%s", _("You read on your own now; press f to "
				     "follow again."));
}

void reader_follow_again(struct reader *r)
{
	r->following = true;
	r->placed = false;
	reader_say(r, false, "%s", _("You follow the teacher; any key stops "
				     "following."));
}
