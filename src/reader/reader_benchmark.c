/* The race's side of a reader: what runs, what is chosen, and its keys. */
#include "reader/reader.h"

#include <stdlib.h>
#include <string.h>

#include "base/lang.h"

struct reader_race {
	struct benchmark_plan plan;
	/* All there is to choose from; recorded: with its results. */
	struct timing *all;
	bool recorded;
	struct benchmark_shelf shelf;	/* beside a live one */
	struct benchmark *race;
	struct benchmark_choice choice;
	struct benchmark_scene scene;
	bool follow;		/* the size that runs, until one is chosen */
	bool judged;		/* whose texts have changed is known */
};

/* ---- beginning and end ---- */

static struct timing *find_recording(const struct benchmark_plan *p,
				     struct error *e)
{
	char *folder = xasprintf("%s/races", paths()->data);
	struct timing *t = benchmark_find(folder, p, e);

	free(folder);
	return t;
}

static void read_shelf(struct reader_race *x)
{
	char *folder = xasprintf("%s/races", paths()->data);

	x->shelf = benchmark_shelf_read(folder, NULL);
	free(folder);
}

static void judge_texts(struct reader_race *x)
{
	const struct timing *t = x->recorded ? x->all : x->race->timing;

	for (size_t i = 0; i < x->all->entrant_count; i++) {
		long at = x->recorded ? (long)i : x->choice.at[i];

		if (at >= 0)
			x->choice.earlier[i] =
				benchmark_text_changed(&t->entrants[at]);
	}
	x->judged = true;
}

static void use_all(struct reader_race *x, struct timing *all, bool recorded)
{
	timing_free(x->all);
	x->all = all;
	x->recorded = recorded;
	x->judged = false;
	x->choice = (struct benchmark_choice){ .all = all };
	for (size_t i = 0; i < all->entrant_count; i++)
		x->choice.on[i] = true;
}

static struct benchmark *run_live(const struct reader_race *x,
				  char *const *argv, struct error *e)
{
	json_t *request = json_deep_copy(x->plan.request);
	json_t *entrants = json_object_get(request, "entrants");
	struct benchmark *race;

	for (size_t i = x->all->entrant_count; i-- > 0;)
		if (!x->choice.on[i])
			json_array_remove(entrants, i);
	race = benchmark_start(request, argv, e);
	json_decref(request);
	if (race)
		race->counters = true;
	return race;
}

static struct benchmark *run_recorded(const struct reader_race *x)
{
	bool sizes[TIMING_MAX_SIZES];

	memset(sizes, true, sizeof(sizes));
	return benchmark_play(timing_select(x->all, x->choice.on, sizes));
}

/* Those that are on race, from the start. */
static int start(struct reader *r, struct error *e)
{
	struct reader_race *x = r->race;
	struct benchmark *race = x->recorded ?
					 run_recorded(x) :
					 run_live(x, r->options.runner, e);
	long n = 0;

	if (!race)
		return -1;
	benchmark_free(x->race);
	x->race = race;
	x->follow = true;
	x->choice.shelf = x->recorded ? NULL : &x->shelf;
	for (size_t i = 0; i < x->all->entrant_count; i++)
		x->choice.at[i] = x->choice.on[i] ? n++ : -1;
	if (x->recorded && !x->judged)
		judge_texts(x);
	return 0;
}

void reader_close_race(struct reader *r)
{
	struct reader_race *x = r->race;

	if (!x)
		return;
	benchmark_free(x->race);
	timing_free(x->all);
	benchmark_shelf_done(&x->shelf);
	benchmark_plan_done(&x->plan);
	free(x);
	r->race = NULL;
	r->show.race = NULL;
}

static int open_recorded(struct reader *r, struct timing *t, struct error *e)
{
	if (!t)
		return -1;
	use_all(r->race, t, true);
	return start(r, e);
}

/* Here and now where there is a runner, else as it was recorded. */
static int open_live(struct reader *r, struct error *e)
{
	struct reader_race *x = r->race;
	struct benchmark_plan named = benchmark_plan_copy(&x->plan);
	int status;

	benchmark_plan_complete(&x->plan);
	use_all(x, timing_new(x->plan.request), false);
	status = start(r, e);
	if (status && !r->options.runner)
		status = open_recorded(r, find_recording(&named, NULL), e);
	if (!x->recorded)
		read_shelf(x);
	benchmark_plan_done(&named);
	return status;
}

int reader_open_race(struct reader *r, const struct benchmark_plan *plan,
		     const char *from, struct error *e)
{
	struct timing *t;
	int status;

	reader_close_race(r);
	r->race = xcalloc(1, sizeof(*r->race));
	r->race->plan = benchmark_plan_copy(plan);
	if (from) {
		t = timing_read(from, e);
		status = open_recorded(r, t ? benchmark_fit(t, plan, e) : NULL,
				       e);
	} else {
		status = open_live(r, e);
	}
	if (status)
		reader_close_race(r);
	return status;
}

bool reader_open_step_race(struct reader *r)
{
	const struct lesson_step *s = r->lesson ? &r->lesson->steps[r->step] :
						  NULL;
	struct error e;

	if (!s || !s->race)
		return false;
	r->raced = r->step + 1;
	if (reader_open_race(r, s->race, NULL, &e))
		reader_say(r, true, "%s", e.text);
	return true;
}

/* ---- keys ---- */

static bool act_pause(struct reader *r, int arg)
{
	(void)arg;
	benchmark_pause(r->race->race, !r->race->race->paused);
	return true;
}

static bool act_size(struct reader *r, int arg)
{
	struct reader_race *x = r->race;
	long to = (long)x->choice.size + arg;

	x->follow = false;
	x->choice.size = (size_t)MAX(0, MIN(to,
					    (long)x->all->size_count - 1));
	return true;
}

static bool act_kernel(struct reader *r, int arg)
{
	struct reader_race *x = r->race;
	long to = (long)x->choice.chosen + arg;

	x->choice.chosen = (size_t)MAX(0, MIN(to,
				(long)x->all->entrant_count - 1));
	return true;
}

static bool act_toggle(struct reader *r, int arg)
{
	struct benchmark_choice *c = &r->race->choice;
	size_t left = 0;

	(void)arg;
	for (size_t i = 0; i < c->all->entrant_count; i++)
		left += c->on[i];
	if (left == 1 && c->on[c->chosen])
		reader_say(r, false, "%s", _("A race needs one at the least."));
	else
		c->on[c->chosen] = !c->on[c->chosen];
	return true;
}

static bool act_page(struct reader *r, int arg)
{
	struct benchmark_choice *c = &r->race->choice;

	do
		c->page = (enum benchmark_page)(
			(c->page + BENCHMARK_PAGES + arg) % BENCHMARK_PAGES);
	while (!race_has_page(&r->race->scene, r->w, r->h, c->page));
	return true;
}

static bool act_again(struct reader *r, int arg)
{
	struct error e;

	(void)arg;
	if (start(r, &e))
		reader_say(r, true, "%s", e.text);
	return true;
}

static bool act_to_end(struct reader *r, int arg)
{
	struct benchmark *race = r->race->race;

	(void)arg;
	race->paused = false;
	return benchmark_tick(race, 1e9);
}

static bool act_leave(struct reader *r, int arg)
{
	(void)arg;
	if (r->lesson)
		reader_close_race(r);
	return true;
}

static const struct race_action {
	uint32_t keys[3];
	const char *key, *word, *help;
	bool (*run)(struct reader *r, int arg);
	int arg;
} actions[] = {
	{ { K_ESCAPE, K_BACKSPACE, 'p' }, "esc", N_("to the lesson"),
	  N_("back to the lesson"), act_leave, 0 },
	{ { ' ' }, "space", N_("pause"), N_("pause and go on"), act_pause, 0 },
	{ { K_TAB }, "tab", N_("view"),
	  N_("next view: bars, roofline (shift-tab: the one before)"),
	  act_page, 1 },
	{ { K_BACK_TAB }, NULL, NULL, NULL, act_page, -1 },
	{ { K_LEFT, 'h' }, "\xe2\x86\x90 \xe2\x86\x92", N_("size"),
	  N_("smaller or larger matrices"), act_size, -1 },
	{ { K_RIGHT, 'l' }, NULL, NULL, NULL, act_size, 1 },
	{ { K_UP, 'k' }, "\xe2\x86\x91 \xe2\x86\x93", N_("kernel"),
	  N_("choose a kernel"), act_kernel, -1 },
	{ { K_DOWN, 'j' }, NULL, NULL, NULL, act_kernel, 1 },
	{ { K_ENTER, 'x' }, "enter", N_("in, out"),
	  N_("take the kernel out of the race, or in"), act_toggle, 0 },
	{ { 'r' }, "r", N_("again"), N_("start again"), act_again, 0 },
	{ { K_END }, "end", N_("to the end"),
	  N_("a recording: to its end at once"), act_to_end, 0 },
};

/* Keys that mean the same on every screen. */
static bool is_common(uint32_t key)
{
	return key == 't' || key == 'm' || key == '?' || key == K_F1 ||
	       key == 'q' || key == ('l' & 31) || key == ('z' & 31);
}

bool reader_race_key(struct reader *r, uint32_t key)
{
	for (size_t i = 0; i < LENGTH(actions); i++)
		for (size_t k = 0; k < LENGTH(actions[i].keys); k++)
			if (actions[i].keys[k] == key && key)
				return actions[i].run(r, actions[i].arg), true;
	return !is_common(key);
}

bool reader_race_mouse(struct reader *r, const struct term_event *ev)
{
	struct benchmark_choice *c = &r->race->choice;
	int row = race_hit(&r->race->scene, r->w, r->h, ev->x, ev->y);

	if (ev->mouse == MOUSE_WHEEL_UP || ev->mouse == MOUSE_WHEEL_DOWN)
		return act_kernel(r, ev->mouse == MOUSE_WHEEL_UP ? -1 : 1);
	if (ev->mouse != MOUSE_PRESS || row < 0)
		return false;
	if ((size_t)row == c->chosen)
		return act_toggle(r, 0);
	c->chosen = (size_t)row;
	return true;
}

static void fill_keys(struct reader *r)
{
	static struct show_key keys[LENGTH(actions) + 2];
	static struct show_key help[LENGTH(actions) + 5];
	static const struct show_key common[] = {
		{ "t", N_("theme: dark, light, without colour") },
		{ "m", N_("the list of lessons") },
		{ "?", N_("keys and signs") }, { "ctrl-z", N_("suspend") },
		{ "q", N_("quit") },
	};
	size_t n = 0, h = 0;

	for (size_t i = 0; i < LENGTH(actions); i++) {
		const struct race_action *a = &actions[i];
		bool has = a->key && (a->run != act_leave || r->lesson) &&
			   (a->run != act_to_end || r->race->recorded);

		if (!has)
			continue;
		keys[n++] = (struct show_key){ a->key,
			a->run == act_pause && r->race->race->paused ?
			N_("go on") : a->word };
		help[h++] = (struct show_key){ a->key, a->help };
	}
	keys[n++] = (struct show_key){ "?", N_("help") };
	keys[n++] = (struct show_key){ "q", N_("quit") };
	for (size_t i = 0; i < LENGTH(common); i++)
		help[h++] = common[i];
	r->show.keys = keys;
	r->show.key_count = n;
	r->show.help_keys = help;
	r->show.help_count = h;
}

/* ---- time and runners ---- */

/* A runner that never began leaves the place to a recording, if there is
 * one; what was wrong is said. */
static bool fall_back(struct reader *r)
{
	struct reader_race *x = r->race;
	struct benchmark_plan named = benchmark_plan_copy(&x->plan);
	struct error why = x->race->error;
	struct timing *t;

	/* What the plan was completed with need not be there. */
	if (!named.kernels)
		json_array_clear(json_object_get(named.request, "entrants"));
	if (!named.sizes)
		json_array_clear(json_object_get(named.request, "sizes"));
	t = find_recording(&named, NULL);
	benchmark_plan_done(&named);
	if (!t)
		return false;
	open_recorded(r, t, NULL);
	reader_say(r, true, "%s", why.text);
	return true;
}

bool reader_race_poll(struct reader *r)
{
	struct reader_race *x = r->race;
	bool any;

	if (!x)
		return false;
	any = benchmark_step(x->race);
	if (any && x->race->error.text[0] && !x->race->timing->order_count &&
	    !x->recorded)
		fall_back(r);
	if (any && (x->race->timing->done || benchmark_over(x->race)) &&
	    !x->judged)
		judge_texts(x);
	return any;
}

bool reader_race_playing(const struct reader *r)
{
	const struct benchmark *race = r->race->race;

	return race->whole && !race->paused && !benchmark_over(race);
}

bool reader_race_tick(struct reader *r, double seconds)
{
	return benchmark_tick(r->race->race, seconds);
}

size_t reader_race_fds(const struct reader *r, struct pollfd *fds)
{
	return r->race ? benchmark_fds(r->race->race, fds) : 0;
}

int reader_race_patience(const struct reader *r)
{
	return r->race ? benchmark_patience(r->race->race) : -1;
}

void reader_race_finish(struct reader *r)
{
	struct pollfd fds[2];

	while (!benchmark_over(r->race->race)) {
		if (r->race->race->whole)
			act_to_end(r, 0);
		else
			poll(fds, reader_race_fds(r, fds),
			     reader_race_patience(r));
		reader_race_poll(r);
	}
}

void reader_race_show(struct reader *r)
{
	struct reader_race *x = r->race;

	if (x->follow)
		x->choice.size = benchmark_running_size(x->race);
	benchmark_scene_fill(&x->scene, x->race, &x->choice);
	r->show.race = &x->scene;
	fill_keys(r);
}
