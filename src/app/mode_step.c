/* mode_step: the keys of the steps of a lesson, or of a trace: where to go and
 * what to see. */
#include "app/mode.h"

#include <stdlib.h>
#include <string.h>

#include "base/lang.h"

#define SPEED_LOWEST 0.5
#define SPEED_HIGHEST 512
#define SCROLL 40		/* rows; no step has more */

static struct stage *get_stage(struct reader *r)
{
	return reader_recording(r)->stage;
}

/* Tells the reader to answer first, if a question is open: the picture stands
 * still until then. */
static bool held_by_question(struct reader *r)
{
	if (!reader_asking(r))
		return false;
	reader_say(r, false, "%s", _("Answer first: a letter, a number, or "
				     "! to see the answer."));
	return true;
}

static bool may_move(struct reader *r)
{
	return !held_by_question(r) && get_stage(r);
}

/* Starts or stops playing; without a trace it begins when the trace arrives. */
static void act_play(struct reader *r, int arg)
{
	(void)arg;
	if (held_by_question(r) || reader_recording(r)->error.text[0])
		return;
	r->show.playing = !r->show.playing;
	r->credit = 1;	/* the first beat begins at once */
}

static void act_step(struct reader *r, int arg)
{
	r->show.playing = false;
	if (may_move(r))
		motion_beat(r, arg, r->beat > BEAT_ROW ||
			    view_picture(&r->show)->step ? 2 * MOTION_SECONDS :
							   MOTION_SECONDS);
}

/* Selects the next size of beat; a row also shows the other warps. */
static void act_beat(struct reader *r, int arg)
{
	r->beat = (enum beat)((r->beat + BEAT_COUNT + arg) % BEAT_COUNT);
	reader_cursor(r)->all_warps = r->beat == BEAT_ROW;
}

static const char *beat_word(const struct reader *r)
{
	static const char *const words[BEAT_COUNT] = {
		[BEAT_REQUEST] = N_("by request"), [BEAT_ROW] = N_("by row"),
		[BEAT_K] = N_("by k"), [BEAT_PHASE] = N_("by phase"),
		[BEAT_TILE] = N_("by tile"),
	};

	return words[r->beat];
}

static void act_phase(struct reader *r, int arg)
{
	if (may_move(r))
		cursor_phase(get_stage(r), reader_cursor(r), arg);
}

static void act_end(struct reader *r, int arg)
{
	if (may_move(r))
		cursor_go(get_stage(r), reader_cursor(r),
			  arg < 0 ? 0 : UINT32_MAX);
}

static void act_speed(struct reader *r, int arg)
{
	double s = arg > 0 ? r->speed * 2 : r->speed / 2;

	if (s >= SPEED_LOWEST && s <= SPEED_HIGHEST)
		r->speed = r->show.speed = s;
}

static void act_goto(struct reader *r, int arg)
{
	(void)arg;
	if (!may_move(r))
		return;
	r->goto_text[0] = 0;
	r->show.goto_text = r->goto_text;
}

static void act_warp(struct reader *r, int arg)
{
	if (get_stage(r))
		cursor_warp(get_stage(r), reader_cursor(r), arg);
}

void act_lane(struct reader *r, int arg)
{
	if (get_stage(r))
		cursor_lane(get_stage(r), reader_cursor(r), arg);
}

static void act_block_x(struct reader *r, int arg)
{
	if (get_stage(r))
		cursor_block(get_stage(r), reader_cursor(r), arg, 0);
}

static void act_block_y(struct reader *r, int arg)
{
	if (get_stage(r))
		cursor_block(get_stage(r), reader_cursor(r), 0, arg);
}

static void focus(struct reader *r, enum focus_kind kind, int by)
{
	if (r->show.scene)
		cursor_focus(r->show.scene, reader_cursor(r), kind, by);
}

static void act_sector(struct reader *r, int arg)
{
	const struct scene *sc = r->show.scene;

	focus(r, sc && sc->word_count ? FOCUS_BANK : FOCUS_SECTOR, arg);
}

static void act_element(struct reader *r, int arg)
{
	focus(r, FOCUS_ELEMENT, arg);
}

static void act_defect(struct reader *r, int arg)
{
	if (may_move(r))
		cursor_defect(get_stage(r), reader_cursor(r), arg);
}

static bool has_defect(const struct reader *r)
{
	return r->show.scene && r->show.scene->defect.count > 0;
}

static void act_all_warps(struct reader *r, int arg)
{
	(void)arg;
	reader_cursor(r)->all_warps = !reader_cursor(r)->all_warps;
}

void act_tab(struct reader *r, int arg)
{
	struct view_stop to = view_turn(&r->show, arg);

	r->show.pane = to.pane;
	r->show.held = to.held;
}

static void act_zoom(struct reader *r, int arg)
{
	(void)arg;
	r->show.zoom = !r->show.zoom;
}

static void act_scroll(struct reader *r, int arg)
{
	if (r->lesson)
		r->show.lesson.scroll = MAX(-SCROLL, MIN(SCROLL,
			r->show.lesson.scroll + arg));
	else
		r->show.source_scroll += arg;
}

/* Returns whether the next step is in another lesson. */
static bool at_end(const struct reader *r)
{
	return !reader_asks_more(r) && r->step + 1 == r->lesson->step_count;
}

/* The step ends in a race that was not seen yet. */
static bool race_next(const struct reader *r)
{
	return r->lesson->steps[r->step].race && !reader_asks_more(r) &&
	       r->raced != r->step + 1;
}

/* Opens the map of the course, at the next lesson. */
void act_lessons(struct reader *r, int arg)
{
	char *name = xstrdup(r->lesson->name);

	(void)arg;
	reader_reach(r, r->lesson->step_count);
	reader_open_list(r, LIST_COURSE);
	for (int i = 0; i < r->list.count; i++)
		if (!strcmp(r->list.entries[i].name, name))
			r->list.chosen = MIN(i + 1, r->list.count - 1);
	free(name);
}

static bool has_lesson(const struct reader *r)
{
	return r->lesson;
}

static const char *next_word(const struct reader *r)
{
	return race_next(r) ? N_("to the race") :
	       !at_end(r) ? N_("next") :
	       r->lesson->steps[r->step].learned ? N_("sum up") :
						   N_("to the lessons");
}

static void act_next(struct reader *r, int arg)
{
	(void)arg;
	if (r->typed[0])
		reader_submit(r);
	else if (held_by_question(r))
		return;
	else if (race_next(r))
		reader_open_step_benchmark(r);
	else if (at_end(r)) {
		if (!reader_learned(r))
			act_lessons(r, 0);
	} else if (reader_asks_more(r)) {
		reader_ask_next(r);
	} else {
		reader_go_step(r, r->step + 1);
		if (r->step + 1 < r->lesson->step_count)
			reader_reach(r, r->step + 1);
	}
}

static void act_again(struct reader *r, int arg)
{
	(void)arg;
	reader_ask_again(r);
}

static void act_back(struct reader *r, int arg)
{
	size_t n = strlen(r->typed);

	(void)arg;
	if (n)
		r->typed[n - 1] = 0;
	else if (r->step)
		reader_go_step(r, r->step - 1);
}

static void act_race(struct reader *r, int arg)
{
	(void)arg;
	if (!held_by_question(r))
		reader_open_step_benchmark(r);
}

static void act_escape(struct reader *r, int arg)
{
	(void)arg;
	r->show.held = NULL;
	r->show.turns = (struct turns){0};
	reader_cursor(r)->focus = FOCUS_LANE;
}

/* Selects the first lane that accesses the clicked element. */
static void click_element(struct reader *r, const struct hit *hit)
{
	const struct stage_array *a = &r->show.scene->arrays[hit->array];
	struct cursor *p = reader_cursor(r);

	for (size_t i = a->mark_count; i-- > 0;) {
		const struct mark *m = &a->marks[i];

		if (m->age || m->other || m->col - hit->col >= hit->cols ||
		    m->row - hit->row >= hit->rows)
			continue;
		p->focus = FOCUS_LANE;
		p->lane = m->lane;
		return;
	}
	reader_say(r, false, "%s[%u][%u]", a->array->name, hit->row,
		   hit->col);
}

static void move_to_part(struct reader *r, double part)
{
	uint32_t last = r->show.scene->warp.requests - 1;

	if (may_move(r))
		cursor_go(get_stage(r), reader_cursor(r),
			  (uint32_t)(part * last + 0.5));
}

static void turn_wheel(struct reader *r, enum hit_kind over, int by)
{
	if (over == HIT_SOURCE)
		r->show.source_scroll += by;
	else if (over == HIT_LESSON)
		act_scroll(r, by);
	else
		act_step(r, by);
}

static void mouse(struct reader *r, const struct event *ev)
{
	struct hit hit;

	frame_hit(&r->show, r->w, r->h, ev->x, ev->y, &hit);
	if (mode_wheel(ev))
		turn_wheel(r, hit.kind, mode_wheel(ev));
	else if (hit.kind == HIT_TIMELINE && ev->mouse != MOUSE_RELEASE)
		move_to_part(r, hit.part);
	else if (hit.kind == HIT_LANE && ev->mouse == MOUSE_PRESS)
		act_lane(r, hit.index - (int)reader_cursor(r)->lane);
	else if (hit.kind == HIT_CHOICE && ev->mouse == MOUSE_PRESS)
		reader_choose(r, hit.index);
	else if (hit.kind == HIT_ELEMENT && ev->mouse == MOUSE_PRESS)
		click_element(r, &hit);
}

/* Returns whether there is advice: not in a lesson, where it would answer
 * questions. */
static bool has_advice(const struct reader *r)
{
	return !r->lesson && r->session.recordings[r->recording].trace;
}

static const struct action actions[] = {
	{ .keys = { K_ENTER, 'n' }, .key = "enter", .word = N_("next"),
	  .word_now = next_word, .help = N_("next step of the lesson"),
	  .run = act_next, .has = has_lesson },
	{ .keys = { K_BACKSPACE, 'p' }, .key = "backspace p",
	  .help = N_("previous step of the lesson"), .run = act_back,
	  .has = has_lesson },
	{ .keys = { 'o' }, .key = "o", .word = N_("once more"),
	  .help = N_("ask the question again, with other numbers"),
	  .run = act_again, .has = reader_draws },
	{ .keys = { K_TAB }, .key = "tab", .word = N_("view"),
	  .help = N_("next view (shift-tab: previous)"), .run = act_tab,
	  .arg = 1 },
	{ .keys = { K_BACK_TAB }, .run = act_tab, .arg = -1 },
	{ .keys = { ' ' }, .key = "space", .word = N_("play"),
	  .help = N_("play and pause"), .run = act_play },
	{ .keys = { K_LEFT }, .key = "\xe2\x86\x90 \xe2\x86\x92",
	  .word = N_("step"), .help = N_("one beat back or forward"),
	  .run = act_step, .arg = -1 },
	{ .keys = { K_RIGHT }, .run = act_step, .arg = 1 },
	{ .keys = { 'b' }, .key = "b B", .word = N_("by request"),
	  .word_now = beat_word,
	  .help = N_("the size of a beat: a request, a row of warps, an "
		     "iteration over k, a phase, a tile"),
	  .run = act_beat, .arg = 1 },
	{ .keys = { 'B' }, .run = act_beat, .arg = -1 },
	{ .keys = { '[' }, .key = "[ ]", .word = N_("phase"),
	  .help = N_("to the phase before or after: phases end at barriers"),
	  .run = act_phase, .arg = -1 },
	{ .keys = { ']' }, .run = act_phase, .arg = 1 },
	{ .keys = { 'l' }, .key = "l L", .word = N_("lane"),
	  .help = N_("next, previous lane, highlighted in every view"),
	  .run = act_lane, .arg = 1 },
	{ .keys = { 'L' }, .run = act_lane, .arg = -1 },
	{ .keys = { 'w' }, .key = "w W", .word = N_("warp"),
	  .help = N_("next, previous warp of the block"), .run = act_warp,
	  .arg = 1 },
	{ .keys = { 'W' }, .run = act_warp, .arg = -1 },
	{ .keys = { 'x' }, .key = "x X", .word = N_("block"),
	  .help = N_("next, previous block along the grid's x"),
	  .run = act_block_x,
	  .arg = 1 },
	{ .keys = { 'X' }, .run = act_block_x, .arg = -1 },
	{ .keys = { 'y' }, .key = "y Y",
	  .help = N_("next, previous block along the grid's y"),
	  .run = act_block_y,
	  .arg = 1 },
	{ .keys = { 'Y' }, .run = act_block_y, .arg = -1 },
	{ .keys = { 's' }, .key = "s S",
	  .help = N_("next sector or bank of this request, and its lanes"),
	  .run = act_sector, .arg = 1 },
	{ .keys = { 'S' }, .run = act_sector, .arg = -1 },
	{ .keys = { 'e' }, .key = "e E",
	  .help = N_("next element of this request, and its lanes"),
	  .run = act_element, .arg = 1 },
	{ .keys = { 'E' }, .run = act_element, .arg = -1 },
	{ .keys = { 'd' }, .key = "d D", .word = N_("defect"),
	  .help = N_("next, previous defect that was found"),
	  .run = act_defect, .arg = 1, .has = has_defect },
	{ .keys = { 'D' }, .run = act_defect, .arg = -1, .has = has_defect },
	{ .keys = { 'A' }, .key = "A", .word = N_("advice"),
	  .help = N_("what to change in this kernel, and what it would do"),
	  .run = act_advice, .has = has_advice },
	{ .keys = { 'v' }, .key = "v",
	  .help = N_("show the block's other warps at the same step"),
	  .run = act_all_warps },
	{ .keys = { 'z' }, .key = "z",
	  .help = N_("zoom: two cells per element"), .run = act_zoom },
	{ .keys = { K_HOME }, .key = "home end",
	  .help = N_("first and last request"), .run = act_end, .arg = -1 },
	{ .keys = { K_END }, .run = act_end, .arg = 1 },
	{ .keys = { 'g' }, .key = "g",
	  .help = N_("go to a step by its number"), .run = act_goto },
	{ .keys = { '+', '=' }, .key = "+ -",
	  .help = N_("play faster, slower"), .run = act_speed, .arg = 1 },
	{ .keys = { '-' }, .run = act_speed, .arg = -1 },
	{ .keys = { K_DOWN, 'j' }, .key = "\xe2\x86\x91 \xe2\x86\x93",
	  .help = N_("scroll the words (or the source, without a lesson)"),
	  .run = act_scroll, .arg = 1 },
	{ .keys = { K_UP, 'k' }, .run = act_scroll, .arg = -1 },
	{ .keys = { K_PAGE_DOWN }, .run = act_scroll, .arg = 8 },
	{ .keys = { K_PAGE_UP }, .run = act_scroll, .arg = -8 },
	{ .key = "!", .help = N_("show the answer"), .has = has_lesson },
	{ .keys = { K_ESCAPE }, .key = "esc",
	  .help = N_("leave a focus, a held picture and its turns"),
	  .run = act_escape },
	{ .keys = { 'r' }, .key = "r",
	  .help = N_("start the step's race of kernels, if it has one"),
	  .run = act_race },
};

/* Returns that the mode is on; it gets the keys if no other mode does. */
static bool on(const struct reader *r)
{
	(void)r;
	return true;
}

const struct mode mode_step = {
	.on = on,
	.actions = actions,
	.action_count = LENGTH(actions),
	.mouse = mouse,
	.below = &mode_common,
};
