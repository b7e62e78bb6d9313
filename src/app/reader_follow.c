/* reader_follow: a teacher leads, and others follow. */
#include <string.h>

#include "base/lang.h"
#include "app/reader_practice.h"

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

/* Returns the rung on the screen, or NULL. */
static const struct rung *get_open_rung(const struct reader *r)
{
	return r->show.practice && r->practice ? r->practice->rung : NULL;
}

/* Returns the place of a rung: as that of a lesson with its name as verdicts have
 * it, at its first step. */
static struct class_place get_rung_place(const struct rung *of)
{
	struct class_place place = { .step = 1, .question = 1 };

	snprintf(place.lesson, sizeof(place.lesson), CLASS_PRACTICE "%s",
		 of->name);
	return place;
}

void reader_lead(struct reader *r)
{
	const struct rung *of = get_open_rung(r);
	struct class_place place;

	if (!r->lead || (!of && (!r->lesson || r->motion.on)))
		return;
	place = of ? get_rung_place(of) : get_place(r);
	if (!class_name_valid(place.lesson))
		return;
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

/* Returns whether the reader works at a rung: it is judged, or has failed. */
static bool works_at_rung(const struct reader *r)
{
	return r->practice && r->practice->rung &&
	       (r->practice->judging || (r->practice->judged &&
		r->practice->verdict.result == JUDGED_FAIL));
}

/* Moves to the teacher's rung, whose file is the reader's own; or says which
 * command does. Returns -1 with e. */
static int go_to_rung(struct reader *r, const char *name, struct error *e)
{
	const struct rung *of;

	if (!r->practice) {
		reader_say(r, false, _("The teacher is at the rung %1$s: "
				       "gemmviz practice %1$s opens it."),
			   name);
		return 0;
	}
	of = rung_track_find(&r->practice->track, name, e);
	if (!of)
		return -1;
	reader_back_to_practice(r);
	if (r->practice->rung != of)
		practice_open_rung(r, of);
	return 0;
}

/* Asks for a key before the reader is taken from a rung; returns whether it
 * asked. */
static bool ask_to_go(struct reader *r, const struct class_place *to)
{
	const char *name = to->lesson;
	bool called = r->called;

	r->called = false;
	if (!strncmp(name, CLASS_PRACTICE, strlen(CLASS_PRACTICE)))
		name += strlen(CLASS_PRACTICE);
	if (called || !works_at_rung(r) || !strcmp(name, r->practice->rung->name))
		return false;
	r->following = false;
	reader_say(r, false, _("The teacher is at %s: press f to go there. Your "
			       "file stays."), name);
	return true;
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
	if (ask_to_go(r, &r->place))
		return true;
	if (!strncmp(r->place.lesson, CLASS_PRACTICE, strlen(CLASS_PRACTICE))) {
		r->placed = true;
		if (go_to_rung(r, r->place.lesson + strlen(CLASS_PRACTICE), &e))
			reader_say(r, true, "%s", e.text);
		return true;
	}
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
	bool stays = get_open_rung(r) && key != 'q' && key != 'n' &&
		     key != K_ESCAPE;

	if (!r->follow || !r->following || key == 'f' || answers || stays)
		return;
	r->following = false;
	reader_say(r, false, "%s", _("You read on your own now; press f to "
				     "follow again."));
}

void reader_follow_again(struct reader *r)
{
	r->following = r->called = true;
	r->placed = false;
	reader_say(r, false, "%s", _("You follow the teacher; any key stops "
				     "following."));
}
