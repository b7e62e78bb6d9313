/* mode_practice: the keys of a practice: of its map, and of a rung. */
#include "app/mode.h"

#include "app/reader_practice.h"
#include "base/lang.h"

static bool on(const struct reader *r)
{
	return r->show.practice;
}

static bool on_map(const struct reader *r)
{
	return !r->practice->rung;
}

static bool on_rung(const struct reader *r)
{
	return r->practice->rung && r->show.practice->page != PRACTICE_ASK_RESET;
}

/* Tests whether the rung has a file, which is judged. */
static bool is_judged(const struct reader *r)
{
	return on_rung(r) && !r->practice->unjudged;
}

static bool asks_reset(const struct reader *r)
{
	return r->show.practice->page == PRACTICE_ASK_RESET;
}

static bool has_verdict(const struct reader *r)
{
	return on_rung(r) && r->practice->judged;
}

static bool has_picture(const struct reader *r)
{
	return has_verdict(r) || (on_rung(r) && r->practice->unjudged);
}

static bool has_passed(const struct reader *r)
{
	return on_rung(r) && r->practice->progress.passed[0];
}

static bool can_move(const struct reader *r)
{
	return on_map(r) || on_rung(r);
}

static bool has_editor(const struct reader *r)
{
	return is_judged(r) && !r->practice->gone;
}

static void act_move(struct reader *r, int by)
{
	if (on_map(r))
		practice_choose(r, by);
	else
		practice_scroll(r, by);
}

static void act_enter(struct reader *r, int arg)
{
	(void)arg;
	practice_enter(r);
}

static void act_hint(struct reader *r, int arg)
{
	(void)arg;
	practice_hint(r);
}

static void act_edit(struct reader *r, int arg)
{
	(void)arg;
	practice_edit(r);
}

static void act_picture(struct reader *r, int arg)
{
	(void)arg;
	practice_picture(r);
}

static void act_lesson(struct reader *r, int arg)
{
	(void)arg;
	practice_lesson(r);
}

static void act_page(struct reader *r, int page)
{
	practice_page(r, (enum practice_page)page);
}

static void act_reset(struct reader *r, int arg)
{
	(void)arg;
	r->practice->show.page = PRACTICE_ASK_RESET;
	reader_say(r, false, _("Begin this rung anew? Your file is kept under "
			       "another name. y n"));
}

static void answer_reset(struct reader *r, bool yes)
{
	practice_page(r, PRACTICE_SOURCE);
	if (yes)
		practice_reset_file(r);
}

static void act_next(struct reader *r, int arg)
{
	(void)arg;
	practice_next(r);
}

static bool on_any_rung(const struct reader *r)
{
	return r->practice->rung;
}

/* Takes the keys that mean something else elsewhere. */
static bool take_rest(struct reader *r, uint32_t key)
{
	bool leaves = key == 'q' || key == K_ESCAPE;

	if (on_map(r))
		return false;
	if (asks_reset(r))
		answer_reset(r, key == 'y' || key == 'Y');
	else if (key == 't')
		practice_page(r, PRACTICE_TASK);
	else if (leaves && r->practice->show.page != PRACTICE_SOURCE)
		practice_page(r, PRACTICE_SOURCE);
	else if (leaves)
		practice_leave(r);
	else
		return false;
	return true;
}

static const struct action actions[] = {
	{ .keys = { K_ENTER, ' ' }, .key = "enter", .word = N_("open"),
	  .help = N_("open the rung"), .run = act_enter, .has = on_map },
	{ .keys = { 'H' }, .key = "H", .word = N_("hint"),
	  .help = N_("a hint; each press gives one more"), .run = act_hint,
	  .has = has_verdict },
	{ .keys = { 'e' }, .key = "e", .word = N_("editor"),
	  .help = N_("open the file in $VISUAL or $EDITOR"),
	  .run = act_edit, .has = has_editor },
	{ .keys = { 'v' }, .key = "v", .word = N_("picture"),
	  .help = N_("the picture of the launch"), .run = act_picture,
	  .has = has_picture },
	{ .keys = { 'l' }, .key = "l", .word = N_("lesson"),
	  .help = N_("the lesson that teaches it"), .run = act_lesson,
	  .has = can_move },
	{ .key = "t", .word = N_("task"), .help = N_("the task"),
	  .has = on_rung },
	{ .keys = { 'd' }, .key = "d", .word = N_("what changed"),
	  .help = N_("what changed since the try before"), .run = act_page,
	  .arg = PRACTICE_CHANGES, .has = is_judged },
	{ .keys = { 'c' }, .key = "c", .word = N_("compare"),
	  .help = N_("compare with ours, after a pass"), .run = act_page,
	  .arg = PRACTICE_OURS, .has = is_judged },
	{ .keys = { 'r' }, .key = "r", .word = N_("reset"),
	  .help = N_("begin the rung anew, and keep the file"),
	  .run = act_reset, .has = is_judged },
	{ .keys = { 'n' }, .key = "n", .word = N_("next"),
	  .help = N_("the next rung"), .run = act_next, .has = has_passed },
	{ .keys = { K_DOWN, 'j' }, .key = "\xe2\x86\x91 \xe2\x86\x93",
	  .help = N_("choose a rung, or scroll the file"), .run = act_move,
	  .arg = 1, .has = can_move },
	{ .keys = { K_UP, 'k' }, .run = act_move, .arg = -1,
	  .has = can_move },
	{ .keys = { K_PAGE_DOWN }, .run = act_move, .arg = 10,
	  .has = can_move },
	{ .keys = { K_PAGE_UP }, .run = act_move, .arg = -10,
	  .has = can_move },
	{ .key = "q", .help = N_("back to the map"), .has = on_any_rung },
};

static void mouse(struct reader *r, const struct event *ev)
{
	struct hit hit;
	int wheel = mode_wheel(ev);

	frame_hit(&r->show, r->w, r->h, ev->x, ev->y, &hit);
	if (wheel)
		act_move(r, 3 * wheel);
	else if (ev->mouse == MOUSE_PRESS && hit.kind == HIT_LIST &&
		 hit.index >= 0) {
		bool again = r->practice->show.chosen == (size_t)hit.index;

		r->practice->show.chosen = (size_t)hit.index;
		if (again)
			practice_enter(r);
	}
}

const struct mode mode_practice = {
	.on = on,
	.actions = actions,
	.action_count = LENGTH(actions),
	.rest = take_rest,
	.mouse = mouse,
	.below = &mode_common,
};
