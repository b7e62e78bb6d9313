/* What keys do. An action is one entry of the table below. */
#include "reader/reader.h"

#include <stdlib.h>
#include <string.h>

#include "base/lang.h"

#define SPEED_LOWEST 0.5
#define SPEED_HIGHEST 512
#define FRAME_SECONDS (1.0 / 30)
#define SCROLL 40		/* rows; no step has more */
#define CTRL(c) ((c) & 31)

void reader_init(struct reader *r, const struct reader_options *o)
{
	*r = (struct reader){ .options = *o, .speed = 4 };
	r->show.lesson.typed = r->typed;
	r->show.presenter = r->show.zoom = o->presenter;
	r->show.speed = r->speed;
}

static void close_reading(struct reader *r)
{
	struct reader keep = *r;

	reader_close_race(r);
	/* The words of the step go first: they belong to the lesson. */
	r->lesson = NULL;
	reader_words(r);
	session_done(&r->session);
	lesson_traces_forget(&r->traces);
	lesson_free(keep.lesson);
	free(r->done);
	free(r->reply);
	reader_init(r, &keep.options);
	r->theme = keep.theme;
	r->speed = r->show.speed = keep.speed;
	r->w = keep.w;
	r->h = keep.h;
	r->list = keep.list;
}

void reader_done(struct reader *r)
{
	close_reading(r);
	for (int i = 0; i < r->list.count; i++) {
		free((char *)(uintptr_t)r->list.entries[i].title);
		free((char *)(uintptr_t)r->list.entries[i].about);
	}
}

/* "Tiling: read once, use many times" is a name and what it is about. */
static void split_title(const char *title, const char **name,
			const char **about)
{
	const char *colon = strstr(title, ": "), *wide = strstr(title,
							  "\xef\xbc\x9a");

	if (!colon)
		colon = wide;
	*name = xstrndup(title, colon ? (size_t)(colon - title) :
				strlen(title));
	*about = xstrdup(!colon ? "" : colon + (colon == wide ? 3 : 2));
}

static void fill_list(struct reader *r, struct show_list *list)
{
	const char *const *names = lesson_names();

	for (int i = 0; names[i] && list->count < 32; i++) {
		struct lesson *l = lesson_load(names[i], r->options.lang,
					       NULL);

		if (!l)
			continue;
		list->entries[list->count].name = names[i];
		split_title(l->title, &list->entries[list->count].title,
			    &list->entries[list->count].about);
		list->count++;
		lesson_free(l);
	}
}

void reader_open_list(struct reader *r)
{
	close_reading(r);
	if (!r->list.count)
		fill_list(r, &r->list);
	r->show.list = &r->list;
}

int reader_open_lesson(struct reader *r, const char *name, struct error *e)
{
	struct lesson *l = lesson_load(name, r->options.lang, e);

	if (!l)
		return -1;
	close_reading(r);
	r->lesson = l;
	r->done = xcalloc(l->step_count + 1, sizeof(*r->done));
	r->traces = (struct lesson_traces){ .lesson = l };
	session_lesson(&r->session, l, r->options.runner, r->options.on);
	reader_go_step(r, 0);
	return 0;
}

void reader_open_trace(struct reader *r, struct trace *t)
{
	close_reading(r);
	session_trace(&r->session, t, r->options.runner);
	r->stood = true;
}

/* ---- actions ---- */

static struct stage *stage_of(struct reader *r)
{
	return reader_recording(r)->stage;
}

static struct place *place_of(struct reader *r)
{
	return &r->place[r->recording];
}

/* The picture stands still until the question is answered. */
static bool held_by_question(struct reader *r)
{
	if (!reader_asking(r))
		return false;
	reader_say(r, false, "%s", _("Answer first: a letter, a number, or "
				     "Esc to see the answer."));
	return true;
}

static bool may_move(struct reader *r)
{
	return !held_by_question(r) && stage_of(r);
}

/* Before the trace is there it plays from when it comes. */
static bool act_play(struct reader *r, int arg)
{
	(void)arg;
	if (held_by_question(r) || reader_recording(r)->error.text[0])
		return true;
	r->show.playing = !r->show.playing;
	r->credit = 0;
	return true;
}

static bool act_step(struct reader *r, int arg)
{
	r->show.playing = false;
	return may_move(r) ? place_step(stage_of(r), place_of(r), arg) : true;
}

static bool act_phase(struct reader *r, int arg)
{
	return may_move(r) ? place_phase(stage_of(r), place_of(r), arg) : true;
}

static bool act_end(struct reader *r, int arg)
{
	return may_move(r) ? place_go(stage_of(r), place_of(r),
				      arg < 0 ? 0 : UINT32_MAX) : true;
}

static bool act_speed(struct reader *r, int arg)
{
	double s = arg > 0 ? r->speed * 2 : r->speed / 2;

	if (s >= SPEED_LOWEST && s <= SPEED_HIGHEST)
		r->speed = r->show.speed = s;
	return true;
}

static bool act_goto(struct reader *r, int arg)
{
	(void)arg;
	if (!may_move(r))
		return true;
	r->goto_text[0] = 0;
	r->show.goto_text = r->goto_text;
	return true;
}

static bool act_warp(struct reader *r, int arg)
{
	return stage_of(r) && place_warp(stage_of(r), place_of(r), arg);
}

static bool act_lane(struct reader *r, int arg)
{
	return stage_of(r) && place_lane(stage_of(r), place_of(r), arg);
}

static bool act_block_x(struct reader *r, int arg)
{
	return stage_of(r) && place_block(stage_of(r), place_of(r), arg, 0);
}

static bool act_block_y(struct reader *r, int arg)
{
	return stage_of(r) && place_block(stage_of(r), place_of(r), 0, arg);
}

static bool act_sector(struct reader *r, int arg)
{
	const struct scene *sc = r->show.scene;

	if (!stage_of(r) || !sc)
		return false;
	return place_focus(sc, place_of(r), sc->word_count ? FOCUS_BANK :
			   FOCUS_SECTOR, arg);
}

static bool act_element(struct reader *r, int arg)
{
	return stage_of(r) && r->show.scene &&
	       place_focus(r->show.scene, place_of(r), FOCUS_ELEMENT, arg);
}

static bool act_all_warps(struct reader *r, int arg)
{
	(void)arg;
	place_of(r)->all_warps = !place_of(r)->all_warps;
	return true;
}

static bool act_tab(struct reader *r, int arg)
{
	struct view_stop to = view_turn(&r->show, r->w, r->h, arg);

	r->show.pane = to.pane;
	r->show.panel = to.panel;
	return true;
}

static bool act_zoom(struct reader *r, int arg)
{
	(void)arg;
	r->show.zoom = !r->show.zoom;
	return true;
}

static bool act_scroll(struct reader *r, int arg)
{
	if (r->lesson)
		r->show.lesson.scroll = MAX(-SCROLL, MIN(SCROLL,
			r->show.lesson.scroll + arg));
	else
		r->show.source_scroll += arg;
	return true;
}

/* What comes next is no step of this lesson any more. */
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

/* The list, at the lesson behind this one. */
static void open_next_lessons(struct reader *r)
{
	char *name = xstrdup(r->lesson->name);

	reader_open_list(r);
	for (int i = 0; i < r->list.count; i++)
		if (!strcmp(r->list.entries[i].name, name))
			r->list.chosen = MIN(i + 1, r->list.count - 1);
	free(name);
}

static bool act_next(struct reader *r, int arg)
{
	(void)arg;
	if (!r->lesson)
		return false;
	if (r->typed[0])
		return reader_submit(r);
	if (held_by_question(r))
		return true;
	if (race_next(r))
		return reader_open_step_race(r);
	if (at_end(r))
		open_next_lessons(r);
	else if (reader_asks_more(r))
		reader_ask_next(r);
	else
		reader_go_step(r, r->step + 1);
	return true;
}

static bool act_back(struct reader *r, int arg)
{
	size_t n = strlen(r->typed);

	(void)arg;
	if (n) {
		r->typed[n - 1] = 0;
		return true;
	}
	if (r->lesson && r->step)
		reader_go_step(r, r->step - 1);
	return true;
}

static bool act_race(struct reader *r, int arg)
{
	(void)arg;
	if (!held_by_question(r))
		reader_open_step_race(r);
	return true;
}

static bool act_theme(struct reader *r, int arg)
{
	const char *const *names = theme_names();
	int i = 0, n = 0;

	(void)arg;
	while (names[n])
		n++;
	while (r->theme && names[i] && strcmp(names[i], r->theme->name))
		i++;
	r->theme = theme_find(names[r->theme ? (i + 1) % n : 1 % n]);
	return true;
}

static bool act_help(struct reader *r, int arg)
{
	(void)arg;
	r->show.help = !r->show.help;
	r->show.help_scroll = 0;
	return true;
}

static bool act_menu(struct reader *r, int arg)
{
	(void)arg;
	reader_open_list(r);
	return true;
}

static bool act_redraw(struct reader *r, int arg)
{
	(void)arg;
	r->want_redraw = true;
	return true;
}

static bool act_suspend(struct reader *r, int arg)
{
	(void)arg;
	r->want_suspend = true;
	return true;
}

static bool act_escape(struct reader *r, int arg)
{
	(void)arg;
	if (r->typed[0]) {
		r->typed[0] = 0;
		return true;
	}
	if (reader_reveal(r))
		return true;
	place_of(r)->focus = FOCUS_LANE;
	return true;
}

static bool act_quit(struct reader *r, int arg)
{
	(void)arg;
	r->quit = true;
	return false;
}

/*
 * All actions: keys, how the footer and the help name them, what they do.
 * `word` is the footer's (NULL: not there); `help` the whole sentence.
 */
static const struct action {
	uint32_t keys[3];
	const char *key, *word, *help;
	bool (*run)(struct reader *r, int arg);
	int arg;
} actions[] = {
	{ { K_ENTER, 'n' }, "enter", N_("next"),
	  N_("next step of the lesson"), act_next, 0 },
	{ { K_BACKSPACE, 'p' }, "backspace p", NULL,
	  N_("step of the lesson before"), act_back, 0 },
	{ { K_TAB }, "tab", N_("view"),
	  N_("next view (shift-tab: the one before)"), act_tab, 1 },
	{ { K_BACK_TAB }, NULL, NULL, NULL, act_tab, -1 },
	{ { ' ' }, "space", N_("play"),
	  N_("play and pause"), act_play, 0 },
	{ { K_LEFT }, "\xe2\x86\x90 \xe2\x86\x92", N_("step"),
	  N_("one request back or forward"), act_step, -1 },
	{ { K_RIGHT }, NULL, NULL, NULL, act_step, 1 },
	{ { '[' }, "[ ]", N_("phase"),
	  N_("to the phase before or after: phases end at barriers"),
	  act_phase, -1 },
	{ { ']' }, NULL, NULL, NULL, act_phase, 1 },
	{ { 'l' }, "l L", N_("lane"),
	  N_("next lane, lane before: everything of it lights up"),
	  act_lane, 1 },
	{ { 'L' }, NULL, NULL, NULL, act_lane, -1 },
	{ { 'w' }, "w W", N_("warp"),
	  N_("next warp of the block, warp before"), act_warp, 1 },
	{ { 'W' }, NULL, NULL, NULL, act_warp, -1 },
	{ { 'x' }, "x X", N_("block"),
	  N_("block beside it in the grid's x"), act_block_x, 1 },
	{ { 'X' }, NULL, NULL, NULL, act_block_x, -1 },
	{ { 'y' }, "y Y", NULL,
	  N_("block beside it in the grid's y"), act_block_y, 1 },
	{ { 'Y' }, NULL, NULL, NULL, act_block_y, -1 },
	{ { 's' }, "s S", NULL,
	  N_("next sector or bank of this request, and its lanes"),
	  act_sector, 1 },
	{ { 'S' }, NULL, NULL, NULL, act_sector, -1 },
	{ { 'e' }, "e E", NULL,
	  N_("next element of this request, and its lanes"),
	  act_element, 1 },
	{ { 'E' }, NULL, NULL, NULL, act_element, -1 },
	{ { 'v' }, "v", NULL,
	  N_("show the block's other warps at the same step"),
	  act_all_warps, 0 },
	{ { 'z' }, "z", NULL, N_("zoom: two cells an element"),
	  act_zoom, 0 },
	{ { K_HOME }, "home end", NULL, N_("first and last request"),
	  act_end, -1 },
	{ { K_END }, NULL, NULL, NULL, act_end, 1 },
	{ { 'g' }, "g", NULL, N_("go to a step by its number"), act_goto, 0 },
	{ { '+', '=' }, "+ -", NULL, N_("play faster, slower"),
	  act_speed, 1 },
	{ { '-' }, NULL, NULL, NULL, act_speed, -1 },
	{ { K_DOWN, 'j' }, "\xe2\x86\x91 \xe2\x86\x93", NULL,
	  N_("scroll the words (or the source, without a lesson)"),
	  act_scroll, 1 },
	{ { K_UP, 'k' }, NULL, NULL, NULL, act_scroll, -1 },
	{ { K_PAGE_DOWN }, NULL, NULL, NULL, act_scroll, 8 },
	{ { K_PAGE_UP }, NULL, NULL, NULL, act_scroll, -8 },
	{ { K_ESCAPE }, "esc", NULL,
	  N_("show the answer; leave a focus"), act_escape, 0 },
	{ { 'r' }, "r", NULL,
	  N_("the step's race of kernels on a GPU, where there is one"),
	  act_race, 0 },
	{ { 't' }, "t", NULL, N_("theme: dark, light, without colour"),
	  act_theme, 0 },
	{ { 'm' }, "m", NULL, N_("the list of lessons"), act_menu, 0 },
	{ { '?', K_F1 }, "?", N_("help"), N_("keys and signs"), act_help, 0 },
	{ { CTRL('l') }, "ctrl-l", NULL, N_("draw everything anew"),
	  act_redraw, 0 },
	{ { CTRL('z') }, "ctrl-z", NULL, N_("suspend"), act_suspend, 0 },
	{ { 'q' }, "q", N_("quit"), N_("quit"), act_quit, 0 },
};

const struct show_key *reader_keys(size_t *count)
{
	static struct show_key keys[LENGTH(actions)];
	size_t n = 0;

	for (size_t i = 0; i < LENGTH(actions); i++)
		if (actions[i].help)
			keys[n++] = (struct show_key){ actions[i].key,
						       actions[i].help };
	*count = n;
	return keys;
}

static bool has_key(const struct action *a, uint32_t key)
{
	for (size_t i = 0; i < LENGTH(a->keys); i++)
		if (a->keys[i] && a->keys[i] == key)
			return true;
	return false;
}

/* ---- keys that mean something else for a while ---- */

static bool goto_key(struct reader *r, uint32_t key)
{
	size_t n = strlen(r->goto_text);
	long to;

	if (key >= '0' && key <= '9' && n < sizeof(r->goto_text) - 1) {
		r->goto_text[n] = (char)key;
		r->goto_text[n + 1] = 0;
	} else if (key == K_BACKSPACE && n) {
		r->goto_text[n - 1] = 0;
	} else {
		r->show.goto_text = NULL;
		if (key == K_ENTER && parse_int(r->goto_text, 1, INT32_MAX,
						&to) && stage_of(r))
			place_go(stage_of(r), place_of(r), (uint32_t)to - 1);
	}
	return true;
}

static bool answer_key(struct reader *r, uint32_t key)
{
	size_t n = strlen(r->typed);

	if (key >= 'a' && key < 'a' + (uint32_t)r->show.lesson.choice_count &&
	    !n)
		return reader_choose(r, (int)(key - 'a'));
	if (((key >= '0' && key <= '9') || key == '.' ||
	     (key == '-' && !n)) && n < sizeof(r->typed) - 1) {
		r->typed[n] = (char)key;
		r->typed[n + 1] = 0;
		return true;
	}
	return false;
}

static bool list_key(struct reader *r, uint32_t key)
{
	struct error e;
	int *at = &r->list.chosen;

	if (key == K_DOWN || key == 'j' || key == K_TAB)
		*at = MIN(*at + 1, r->list.count - 1);
	else if (key == K_UP || key == 'k' || key == K_BACK_TAB)
		*at = MAX(*at - 1, 0);
	else if (key == K_HOME || key == K_PAGE_UP)
		*at = 0;
	else if (key == K_END || key == K_PAGE_DOWN)
		*at = r->list.count - 1;
	else if ((key == K_ENTER || key == ' ' || key == K_RIGHT) &&
		 r->list.count) {
		if (reader_open_lesson(r, r->list.entries[*at].name, &e))
			reader_say(r, true, "%s", e.text);
	} else {
		return false;
	}
	return true;
}

static bool help_key(struct reader *r, uint32_t key)
{
	int *at = &r->show.help_scroll, page = MAX(1, r->h - 4);

	if (key == K_DOWN || key == 'j')
		++*at;
	else if (key == K_UP || key == 'k')
		--*at;
	else if (key == K_PAGE_DOWN || key == ' ')
		*at += page;
	else if (key == K_PAGE_UP)
		*at -= page;
	else if (key == 'q')
		r->quit = true;
	else
		r->show.help = false;
	*at = MAX(0, MIN(*at, help_most(&r->show, r->w, r->h)));
	return true;
}

/* A click lights the element and takes the first lane that touches it. */
static bool click_element(struct reader *r, const struct hit *hit)
{
	const struct stage_array *a = &r->show.scene->arrays[hit->array];
	struct place *p = place_of(r);

	for (size_t i = a->mark_count; i-- > 0;) {
		const struct mark *m = &a->marks[i];

		if (m->age || m->other || m->col - hit->col >= hit->cols ||
		    m->row - hit->row >= hit->rows)
			continue;
		p->focus = FOCUS_LANE;
		p->lane = m->lane;
		return true;
	}
	reader_say(r, false, "%s[%u][%u]", a->array->name, hit->row,
		   hit->col);
	return true;
}

static bool mouse_event(struct reader *r, const struct term_event *ev)
{
	int wheel = ev->mouse == MOUSE_WHEEL_UP ? -1 :
		    ev->mouse == MOUSE_WHEEL_DOWN ? 1 : 0;
	struct hit hit;

	frame_hit(&r->show, r->w, r->h, ev->x, ev->y, &hit);
	if (r->show.help)
		return wheel ? help_key(r, wheel > 0 ? K_DOWN : K_UP) : false;
	if (r->race)
		return reader_race_mouse(r, ev);
	if (hit.kind == HIT_LIST) {
		if (wheel)
			return list_key(r, wheel > 0 ? K_DOWN : K_UP);
		if (ev->mouse != MOUSE_PRESS || hit.index < 0 ||
		    hit.index >= r->list.count)
			return false;
		r->list.chosen = hit.index;
		return list_key(r, K_ENTER);
	}
	if (wheel && hit.kind == HIT_SOURCE) {
		r->show.source_scroll += wheel;
		return true;
	}
	if (wheel)
		return hit.kind == HIT_LESSON ? act_scroll(r, wheel) :
						act_step(r, wheel);
	if (ev->mouse == MOUSE_RELEASE)
		return false;
	if (hit.kind == HIT_TIMELINE && may_move(r) && r->show.scene) {
		uint32_t last = r->show.scene->warp.requests - 1;

		return place_go(stage_of(r), place_of(r),
				(uint32_t)(hit.part * last + 0.5));
	}
	if (hit.kind == HIT_ELEMENT && ev->mouse == MOUSE_PRESS)
		return click_element(r, &hit);
	return false;
}

bool reader_event(struct reader *r, const struct term_event *ev)
{
	if (ev->key == K_EOF) {
		r->quit = true;
		return false;
	}
	r->show.message = NULL;
	if (ev->key == K_MOUSE)
		return mouse_event(r, ev);
	if (r->show.goto_text)
		return goto_key(r, ev->key);
	if (r->show.help)
		return help_key(r, ev->key);
	if (r->race && reader_race_key(r, ev->key))
		return true;
	if (!r->race && r->show.list && list_key(r, ev->key))
		return true;
	if (!r->race && reader_asking(r) && answer_key(r, ev->key))
		return true;
	for (size_t i = 0; i < LENGTH(actions); i++)
		if (has_key(&actions[i], ev->key)) {
			actions[i].run(r, actions[i].arg);
			return true;
		}
	return true;		/* the message went */
}

/* ---- time and recorders ---- */

bool reader_playing(const struct reader *r)
{
	if (r->race)
		return reader_race_playing(r);
	return r->show.playing && r->session.recordings[r->recording].stage;
}

bool reader_tick(struct reader *r, double seconds)
{
	long steps;

	if (!reader_playing(r))
		return false;
	if (r->race)
		return reader_race_tick(r, seconds);
	r->credit += seconds * r->speed;
	steps = (long)r->credit;
	if (!steps)
		return false;
	r->credit -= (double)steps;
	if (!place_step(stage_of(r), place_of(r), steps))
		r->show.playing = false;	/* the end */
	return true;
}

double reader_interval(const struct reader *r)
{
	return r->race ? FRAME_SECONDS : MAX(FRAME_SECONDS, 1 / r->speed);
}

size_t reader_fds(const struct reader *r, struct pollfd *fds)
{
	size_t n = session_fds(&r->session, fds);

	return n + reader_race_fds(r, fds + n);
}

int reader_patience(const struct reader *r)
{
	return reader_race_patience(r);
}

/* The step's trace is there: the step begins, and plays if that was asked. */
static void arrive(struct reader *r)
{
	bool playing = r->show.playing;

	reader_go_step(r, r->step);
	r->show.playing = playing;
}

bool reader_poll(struct reader *r)
{
	bool any = session_step(&r->session), more = false;
	const struct error *e = session_error(&r->session);

	for (size_t i = 0; i < r->session.count; i++) {
		struct recording *rec = &r->session.recordings[i];

		more |= rec->trace && !r->traces.trace[i];
		r->traces.trace[i] = rec->trace;
		if (rec->gone.text[0])
			reader_say(r, true, _("No more variables: %s"),
				   rec->gone.text);
		rec->gone.text[0] = 0;
	}
	if (r->lesson && !r->stood && reader_recording(r)->trace)
		arrive(r);
	else if (r->lesson && more)
		reader_words(r);
	if (any && e)
		reader_say(r, true, "%s", e->text);
	return reader_race_poll(r) || any || more;
}

static void fill_keys(struct reader *r)
{
	static struct show_key keys[LENGTH(actions)];
	static const struct show_key list[] = {
		{ "\xe2\x86\x91 \xe2\x86\x93", N_("choose") },
		{ "enter", N_("open") }, { "?", N_("help") },
		{ "q", N_("quit") },
	};
	static char letters[] = "a-d";
	static const struct show_key asking[] = {
		{ letters, N_("answer") }, { "tab", N_("view") },
		{ "esc", N_("show the answer") }, { "0-9", N_("type it") },
		{ "l L", N_("lane") }, { "?", N_("help") },
		{ "q", N_("quit") },
	};
	size_t n = 0;

	r->show.help_keys = reader_keys(&r->show.help_count);
	r->show.keys = list;
	r->show.key_count = LENGTH(list);
	if (r->show.list)
		return;
	letters[2] = (char)('a' + MAX(1, r->show.lesson.choice_count) - 1);
	r->show.keys = asking;
	r->show.key_count = LENGTH(asking);
	if (reader_asking(r))
		return;
	for (size_t i = 0; i < LENGTH(actions); i++) {
		bool next = actions[i].run == act_next;

		if (actions[i].word && (r->lesson || !next))
			keys[n++] = (struct show_key){
				actions[i].key, next && race_next(r) ?
				N_("to the race") : next && at_end(r) ?
				N_("to the lessons") : actions[i].word };
	}
	r->show.keys = keys;
	r->show.key_count = n;
}

/* What the screen says until a trace is there. */
static const char *waiting_words(struct reader *r, const struct recording *rec)
{
	const char *on;
	char *words;

	if (rec->error.text[0] || !rec->runner)
		return rec->error.text;
	if (!r->options.runner)
		return _("Recording on the CPU …");
	on = runner_on(rec->runner);
	words = runner_words(rec->runner);
	snprintf(r->waiting, sizeof(r->waiting),
		 !on ? _("Waiting for %s … %s") :
		 *on == 'c' ? _("%s is recording on the CPU … %s") :
			      _("%s is recording on the GPU … %s"),
		 runner_name(rec->runner), words ? words : "");
	free(words);
	return r->waiting;
}

const struct show *reader_show(struct reader *r, int w, int h)
{
	struct recording *rec = reader_recording(r);

	r->w = w;
	r->h = h;
	r->show.scene = NULL;
	r->show.waiting = waiting_words(r, rec);
	if (rec->error.text[0])	/* nothing is asked without it */
		r->show.lesson.question = NULL;
	if (rec->stage) {
		session_want_locals(rec, place_of(r));
		r->show.scene = stage_scene(rec->stage, place_of(r));
		*place_of(r) = r->show.scene->place;
		if (r->show.scene->error.text[0])
			reader_say(r, true, "%s", r->show.scene->error.text);
	}
	r->show.quiet = reader_asking(r);
	if (r->race)
		reader_race_show(r);
	else
		fill_keys(r);
	return &r->show;
}

const struct show *reader_settle(struct reader *r, int w, int h)
{
	reader_show(r, w, h);
	do {
		session_wait(&r->session);
		reader_poll(r);
		reader_show(r, w, h);	/* may ask for more */
	} while (reader_recording(r)->locals_id);
	return reader_show(r, w, h);
}
