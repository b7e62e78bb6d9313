/*
 * The reader, driven by keys without a terminal: where it goes, what it
 * keeps from you until you answer, what lights up, and that no key, mouse or
 * size can hurt it.
 * sanitized: nightly
 */
#include <config.h>

#include <stdlib.h>

#include "base/lang.h"
#include "app/reader.h"
#include "recorded.h"
#include "tap.h"

static const struct frame_model *shown(struct reader *r, int w, int h)
{
	reader_update(r, w, h);
	return reader_show(r);
}

static const struct frame_model *press(struct reader *r, uint32_t key)
{
	struct event ev = { .key = key };

	reader_event(r, &ev);
	return reader_settle(r, 120, 36);
}

static void open_lesson(struct reader *r, const char *name, const char *lang)
{
	struct reader_options o = { .lang = lang };
	struct error e;

	reader_init(r, &o);
	if (reader_open_lesson(r, name, &e))
		fatal("%s: %s", name, e.text);
	reader_settle(r, 120, 36);
}

static uint32_t at(const struct frame_model *s)
{
	return s->scene->cursor.request;
}

static void test_moving(void)
{
	struct reader r;
	const struct frame_model *s;
	uint32_t here, last;

	open_lesson(&r, "tiling", "en");
	here = at(reader_settle(&r, 120, 36));
	tap_is(at(press(&r, K_RIGHT)), here, "a question holds the picture");
	tap_ok(r.show.message != NULL, "... and says so");
	tap_ok(r.show.quiet, "... and keeps the costs to itself");
	s = press(&r, '!');
	tap_ok(s->lesson.answered && !s->quiet, "! shows the answer");
	tap_is(at(press(&r, K_RIGHT)), here + 1, "right: the next request");
	tap_is(at(press(&r, K_LEFT)), here, "left: the one before");
	tap_is(at(press(&r, K_HOME)), 0, "home: the first");
	tap_is(at(press(&r, K_LEFT)), 0, "nothing is before it");
	s = press(&r, K_END);
	last = s->scene->warp.requests - 1;
	tap_is(at(s), last, "end: the last");
	tap_is(at(press(&r, K_RIGHT)), last, "nothing is behind it");
	press(&r, 'g');
	press(&r, '1');
	press(&r, '2');
	tap_is(at(press(&r, K_ENTER)), 11, "g 12: the twelfth");
	press(&r, 'g');
	for (int i = 0; i < 9; i++)
		press(&r, '9');
	tap_is(at(press(&r, K_ENTER)), last, "g 999999999: the last");
	reader_done(&r);
}

static void test_phases(void)
{
	struct reader r;
	const struct frame_model *s;

	open_lesson(&r, "tiling", "en");
	press(&r, '!');
	press(&r, K_ENTER);
	press(&r, '!');
	s = press(&r, K_HOME);
	for (uint32_t p = 1; p < s->scene->phases; p++) {
		uint32_t start = s->scene->phase_starts[p];

		if (at(press(&r, ']')) != start)
			tap_ok(false, "phase %u begins at %u", p, start);
	}
	tap_is(r.show.scene->phase, r.show.scene->phases - 1,
	       "] goes through all phases");
	press(&r, K_RIGHT);
	press(&r, '[');
	tap_is(at(&r.show), r.show.scene->phase_first,
	       "[ goes to the start of this one first");
	reader_done(&r);
}

/* The first choice that is, or is not, the right one. */
static int choice(const struct reader *r, bool right)
{
	for (int i = 0; i < r->show.lesson.choice_count; i++)
		if ((r->choice_wrong[i] < 0) == right)
			return i;
	return -1;
}

/* The words that the lesson keeps for this misconception. */
static bool own_reply(struct reader *r, int i)
{
	const struct lesson_question *q =
		&r->lesson->steps[r->step].questions[r->question];
	char *words = lesson_words(&r->traces, r->step,
				   q->wrongs[r->choice_wrong[i]].words, NULL);
	bool same = words && r->show.lesson.reply &&
		    !strcmp(words, r->show.lesson.reply);

	free(words);
	return same;
}

/* The choices that are marked as tried, a bit each. */
static unsigned marked(const struct reader *r)
{
	unsigned bits = 0;

	for (int i = 0; i < r->show.lesson.choice_count; i++)
		bits |= (unsigned)r->show.lesson.tried[i] << i;
	return bits;
}

static bool at_last(const struct reader *r)
{
	return r->step + 1 == r->lesson->step_count && !reader_asks_more(r);
}

/* Every lesson from its first step to its last: each wrong answer gets its
 * reply, the right one is taken, and Enter goes on. */
static void test_answers(const char *lang)
{
	for (const char *const *n = lesson_names(); *n; n++) {
		struct reader r;
		int questions = 0, wrong = 0, bad = 0;
		unsigned tried = 0;

		open_lesson(&r, *n, lang);
		for (;;) {
			bad += reader_asking(&r) && marked(&r) != 0;
			while (reader_asking(&r)) {
				for (int i = 0; i < r.show.lesson.choice_count;
				     i++) {
					if (r.choice_wrong[i] < 0)
						continue;
					press(&r, 'a' + (uint32_t)i);
					wrong++;
					bad += !own_reply(&r, i);
					bad += !reader_asking(&r) ||
					       !r.show.lesson.reply ||
					       r.show.lesson.reply_good;
					tried |= 1u << i;
					bad += marked(&r) != tried;
				}
				tried = 0;
				press(&r, 'a' + (uint32_t)choice(&r, true));
				questions++;
				bad += reader_asking(&r) ||
				       !r.show.lesson.reply_good;
			}
			if (at_last(&r))
				break;
			press(&r, K_ENTER);
		}
		tap_ok(!bad, "%s, %s: %d questions, %d wrong answers", *n,
		       lang, questions, wrong);
		while (r.step) {
			size_t step = r.step;

			press(&r, K_BACKSPACE);
			if (r.step != step - 1)
				break;
		}
		tap_is(r.step, 0, "... and all the way back");
		tap_ok(!reader_asking(&r), "... where it is answered still");
		while (!at_last(&r))
			press(&r, K_ENTER);
		press(&r, K_ENTER);
		if (r.benchmark) {
			tap_ok(r.lesson->steps[r.step].race, "... its race");
			press(&r, K_ESCAPE);
			press(&r, K_ENTER);
		}
		if (r.show.lesson.learned) {
			press(&r, K_BACKSPACE);
			tap_ok(!r.show.lesson.learned && at_last(&r),
			       "... and back from what was learned");
			press(&r, K_ENTER);
			press(&r, K_ENTER);
			if (r.benchmark) {
				press(&r, K_ESCAPE);
				press(&r, K_ENTER);
			}
		}
		tap_ok(r.show.list && r.list.chosen == (n[1] ?
		       (int)(n - lesson_names()) + 1 : r.list.count - 1),
		       "... and behind its last step the list, at the next");
		reader_done(&r);
	}
}

/* The question of the step with its choices; heap. */
static char *question_now(struct reader *r)
{
	return question_words(reader_settle(r, 120, 36));
}

static void test_draws(void)
{
	struct reader r;
	char *first, *second, *back;
	bool fresh = false;

	open_lesson(&r, "tiling", "en");
	while (!r.lesson->steps[r.step].questions[r.question].draw_count) {
		press(&r, '!');
		press(&r, K_ENTER);
	}
	first = question_now(&r);
	press(&r, 'a' + (uint32_t)choice(&r, false));
	second = question_now(&r);
	tap_ok(!strncmp(first, second, strlen(first)),
	       "a wrong answer leaves the question's numbers");
	free(second);
	press(&r, '!');
	tap_ok(reader_draws(&r) && !reader_asking(&r), "it is answered");
	for (int i = 0; i < 8; i++) {
		press(&r, 'o');
		if (i == 0)
			tap_ok(reader_asking(&r) && reader_show(&r)->quiet &&
			       !reader_show(&r)->lesson.reply,
			       "o asks it again");
		second = question_now(&r);
		fresh |= strcmp(first, second) != 0;
		free(second);
		press(&r, '!');
	}
	tap_ok(fresh, "with fresh numbers");
	free(first);
	press(&r, K_BACKSPACE);
	first = question_now(&r);
	press(&r, 'o');
	back = question_now(&r);
	tap_str(back, first, "a question without draws is not asked again");
	free(first);
	free(back);
	reader_done(&r);
}

/* Whether the open glossary has the term among those used here. */
static bool used_here(const struct frame_model *s, const char *form)
{
	long i = s->over == &overlay_glossary ?
		 glossary_find(s->glossary.of, form) : -1;

	return i >= 0 && s->glossary.here[i];
}

static void test_glossary(void)
{
	const struct frame_model *s;
	struct reader r;

	open_lesson(&r, "coalescing", "en");
	s = press(&r, 'i');
	tap_ok(used_here(s, "sector") && used_here(s, "lane") &&
	       !used_here(s, "wgmma"), "i: the step's terms");
	s = press(&r, K_DOWN);
	tap_is(s->over_skip, 1, "it can be scrolled");
	s = press(&r, 'a');
	tap_ok(!s->over && reader_asking(&r) && !s->lesson.reply,
	       "another key closes it, and answers nothing");
	press(&r, 'm');
	s = press(&r, 'i');
	tap_ok(s->over && !used_here(s, "sector"),
	       "it is on every screen");
	reader_done(&r);
	open_lesson(&r, "coalescing", "zh");
	tap_ok(used_here(press(&r, 'i'), "warp"), "in Chinese, too");
	reader_done(&r);
}

static struct trace *must_record(const char *what)
{
	struct trace *t = recorded(what);

	if (!t)
		fatal("no trace of %s", what);
	return t;
}

/* Two kernels in lock-step: the same load of the same iteration, and how they
 * differ in it. */
static void test_pair(void)
{
	struct reader_options o = { .lang = "en" };
	const struct reader_source of[] = {
		{ must_record("naive -D BLOCK=32 -m 32 -n 32 -k 32"), NULL },
		{ must_record("naive_swapped -D BLOCK=32 -m 32 -n 32 -k 32"),
		  NULL },
	};
	const struct frame_model *s;
	struct reader r;
	char words[256];
	int steps = 0, apart = 0;

	reader_init(&r, &o);
	reader_open_sources(&r, of, 2);
	reader_settle(&r, 120, 36);
	s = press(&r, K_HOME);
	while (s->scene->cursor.request + 1 < s->scene->warp.requests) {
		apart += !s->beside || strcmp(s->scene->array->name,
					      s->beside->array->name) ||
			 s->scene->site->op != s->beside->site->op;
		steps++;
		s = press(&r, K_RIGHT);
	}
	tap_ok(steps > 60 && !apart, "%d steps beside each other", steps);
	press(&r, K_HOME);
	s = press(&r, K_RIGHT);
	while (strcmp(s->scene->array->name, "A"))
		s = press(&r, K_RIGHT);
	tap_ok(pair_words(words, sizeof(words), s), "they differ");
	tap_str(words, "1 : 32 sectors  \xc2\xb7  32 : 1024 bytes moved",
		"... by this");
	tap_ok(s->beside->numbers, "both have their numbers");
	reader_done(&r);
}

/* A kernel that is wrong opens on what is wrong. */
static void test_opening(void)
{
	struct reader_options o = { .lang = "en" };
	const struct frame_model *s;
	struct reader r;

	reader_init(&r, &o);
	reader_open_trace(&r, must_record("bug_first_barrier"));
	s = reader_settle(&r, 120, 36);
	tap_ok(s->scene->finding && s->scene->defect.here,
	       "a defect is on stage");
	tap_str(view_picture(s)->name, "defect", "... in its picture");
	reader_done(&r);
}

/* Presses the mouse on the first cell of the screen that is such a hit. */
static bool click(struct reader *r, int w, int h, enum hit_kind kind,
		  uint32_t what)
{
	for (int y = 0; y < h; y++)
		for (int x = 0; x < w; x++) {
			struct event ev = { .key = K_MOUSE, .x = x, .y = y,
					    .mouse = MOUSE_PRESS };
			struct hit hit;

			frame_hit(&r->show, w, h, x, y, &hit);
			if (hit.kind != kind || what != (kind == HIT_KEY ?
			    hit.press : (uint32_t)hit.index))
				continue;
			reader_event(r, &ev);
			reader_settle(r, w, h);
			return true;
		}
	return false;
}

/* A row of 1000 elements in a pane that has no room for it is drawn at once. */
static void test_long_row(void)
{
	struct canvas c = { 0 };
	struct reader r;

	open_lesson(&r, "first-kernel", "en");
	reader_go_step(&r, 9);
	canvas_init(&c, 71, 22);
	frame_draw(&c, reader_settle(&r, 71, 22));
	tap_ok(r.step == 9, "a long row in a small pane");
	canvas_done(&c);
	reader_done(&r);
}

/* Answers and the keys in the footer can be clicked, at every size. */
static void test_clicks(int w, int h)
{
	struct reader r;
	uint32_t lane;
	int right = 0;

	open_lesson(&r, "coalescing", "en");
	reader_settle(&r, w, h);
	r.show.pane = PANE_PICTURE;
	reader_settle(&r, w, h);
	while (r.choice_wrong[right] >= 0)
		right++;
	tap_ok(click(&r, w, h, HIT_CHOICE, (uint32_t)right) &&
	       r.show.lesson.answered, "%dx%d: an answer is clicked", w, h);
	lane = r.cursor[0].lane;
	for (int x = 0; x < w; x++) {
		reader_say(&r, false, "a message");
		reader_event(&r, &(struct event){
			.key = K_MOUSE, .x = x, .y = h - 1,
			.mouse = MOUSE_PRESS });
	}
	tap_ok(!r.show.playing && !r.show.over && r.lesson &&
	       !r.show.message, "... a message, which only goes");
	tap_ok(click(&r, w, h, HIT_KEY, ' ') && r.show.playing,
	       "... a key");
	reader_event(&r, &(struct event){ .key = ' ' });
	reader_settle(&r, w, h);
	tap_ok(click(&r, w, h, HIT_LANE, 21) && r.cursor[0].lane == 21,
	       "... a lane");
	tap_ok(click(&r, w, h, HIT_LANE, lane) && r.cursor[0].lane == lane,
	       "... and the one before");
	if (w >= 100)
		tap_ok(click(&r, w, h, HIT_KEY, 'L') &&
		       r.cursor[0].lane == lane - 1,
		       "... the other half of a pair");
	reader_done(&r);
}

/* Our rungs are parsed once, for the map and for each lesson's last page. */
static void test_rungs(void)
{
	struct reader_options o = { .lang = "en" };
	const struct rung_track *t;
	struct reader r;
	char *words;

	reader_init(&r, &o);
	reader_open_list(&r, LIST_COURSE);
	t = reader_rungs(&r);
	tap_ok(t && t == reader_rungs(&r), "rungs are parsed once");
	if (reader_open_lesson(&r, "tiling", NULL))
		fatal("no lesson tiling");
	words = reader_offer_rung(&r);
	tap_str(words, "write it yourself: gemmviz practice tiled",
		"... for the rung that a lesson offers, too");
	free(words);
	tap_ok(t == reader_rungs(&r), "... and kept");
	reader_done(&r);
}

/* The map of the course leads to lessons, kernels and files. */
static void test_home(void)
{
	struct reader_options o = { .lang = "en" };
	struct reader r;

	reader_init(&r, &o);
	reader_open_list(&r, LIST_COURSE);
	press(&r, K_DOWN);
	tap_is(r.list.chosen, 1, "down");
	press(&r, 'b');
	tap_ok(r.list.kind == LIST_BUGS && r.list.count == r.list.bugs,
	       "the bugs, all of them");
	press(&r, K_ESCAPE);
	tap_ok(r.list.kind == LIST_COURSE, "... and back");
	press(&r, 'k');
	press(&r, K_DOWN);
	press(&r, K_ENTER);
	tap_ok(!r.show.list && r.show.scene && r.show.scene->site &&
	       !strcmp(r.show.scene->info->kernel, "naive_swapped"),
	       "a kernel is recorded");
	press(&r, 'm');
	press(&r, 'o');
	for (const char *p = "nothing.gvtt"; *p; p++)
		press(&r, (unsigned char)*p);
	press(&r, K_BACKSPACE);
	tap_str(r.show.file_text, "nothing.gvt", "a path is typed");
	press(&r, K_ENTER);
	tap_ok(r.show.list && r.show.message_bad &&
	       strstr(r.show.message, "nothing.gvt"), "... there is none");
	reader_done(&r);
}

static void test_typing(void)
{
	struct reader r;
	const char *right;

	open_lesson(&r, "coalescing", "en");
	right = r.show.lesson.choices[choice(&r, true)];
	press(&r, '9');
	press(&r, '9');
	press(&r, K_ENTER);
	tap_ok(reader_asking(&r) && r.show.lesson.reply,
	       "a number that is wrong gets a reply");
	for (const char *p = right; *p; p++)
		press(&r, (unsigned char)*p);
	press(&r, K_BACKSPACE);
	tap_is(strlen(r.typed), strlen(right) - 1, "backspace takes one off");
	press(&r, (unsigned char)right[strlen(right) - 1]);
	press(&r, K_ENTER);
	tap_ok(!reader_asking(&r), "the right number is right");
	reader_done(&r);
}

static void test_tab(int w, int h)
{
	struct reader r;
	int seen = 0;
	enum pane pane;
	const struct view *held;

	open_lesson(&r, "float4", "en");
	reader_settle(&r, w, h);
	reader_go_step(&r, 0);
	press(&r, '!');
	for (int i = 0; i < 2; i++) {	/* into the ring */
		struct event tab = { .key = K_TAB };

		reader_settle(&r, w, h);
		reader_event(&r, &tab);
	}
	pane = r.show.pane;
	held = r.show.held;
	do {
		struct event tab = { .key = K_TAB };

		reader_settle(&r, w, h);
		reader_event(&r, &tab);
		seen++;
	} while (seen < 20 && (r.show.pane != pane || r.show.held != held));
	tap_ok(seen >= 4 && seen < 20, "%dx%d: tab comes back after %d", w, h,
	       seen);
	reader_done(&r);
}

static void test_focus(void)
{
	struct reader r;
	const struct frame_model *s;
	bool right = true;

	open_lesson(&r, "coalescing", "en");
	press(&r, '!');
	s = press(&r, 'l');
	tap_is(s->scene->focus_lanes, 1u << s->scene->cursor.lane,
	       "l: one lane");
	for (size_t i = 0; i < s->scene->sector_count; i++) {
		s = press(&r, 's');
		right &= s->scene->focus_lanes ==
			 s->scene->sectors[s->scene->cursor.focus_index].lanes;
	}
	tap_ok(right, "s: the lanes of each sector");
	s = press(&r, 'e');
	tap_is(s->scene->focus_lanes, s->scene->elements[0].lanes,
	       "e: the lanes of an element");
	s = press(&r, K_ESCAPE);
	tap_is(s->scene->cursor.focus, FOCUS_LANE, "Esc: the lane again");
	reader_done(&r);

	open_lesson(&r, "float4", "en");
	reader_go_step(&r, 4);
	press(&r, '!');
	s = press(&r, 's');
	right = s->scene->word_count > 0;
	for (size_t i = 0; i < s->scene->word_count; i++)
		right &= (s->scene->words[i].bank ==
			  s->scene->cursor.focus_index) ==
			 !!(s->scene->words[i].lanes & s->scene->focus_lanes);
	tap_ok(right, "s: the lanes that want words of a bank");
	reader_done(&r);
}

/* Registers on stage are what the trace's own accesses say. */
static void test_state(void)
{
	struct reader r;
	const struct scene *sc;
	struct trace *t;
	int wrong = 0, known = 0;

	open_lesson(&r, "outer-product", "en");
	press(&r, '!');
	press(&r, K_ENTER);
	press(&r, '!');
	sc = press(&r, K_END)->scene;
	t = r.session.recordings[r.recording].trace;
	for (size_t i = 0; i < sc->array_count; i++) {
		const struct stage_array *a = &sc->arrays[i];
		struct trace_request q;
		bool seen[64] = {0};	/* the newest of an element counts */

		if (!a->value || a->rows * a->cols > LENGTH(seen))
			continue;
		for (uint32_t k = sc->warp.requests; k-- > 0;) {
			const struct trace_site *site;
			uint64_t e;
			double v;

			if (trace_get(t, sc->cursor.warp, k, &q, NULL))
				break;
			site = &sc->info->sites[q.site];
			if (site->array != a->id || site->bytes != 4 ||
			    !(q.mask >> sc->cursor.lane & 1))
				continue;
			e = q.offset[sc->cursor.lane] / 4;
			element_value(ELEM_F32, &q.value[sc->cursor.lane * 4],
				      0, &v);
			if (seen[e])
				continue;
			seen[e] = true;
			known++;
			wrong += !a->value[e].known || a->value[e].v != v;
		}
	}
	tap_ok(known > 10 && !wrong, "%d register values as recorded", known);
	sc = press(&r, K_HOME)->scene;
	known = 0;
	for (size_t i = 0; i < sc->array_count; i++)
		for (size_t e = 0; sc->arrays[i].value && e < (size_t)
		     sc->arrays[i].rows * sc->arrays[i].cols; e++)
			known += sc->arrays[i].value[e].known;
	tap_ok(known <= 4, "none of them before they are there");
	reader_done(&r);
}

/* The stores to an array by one warp, requests first to end. */
static void replay(const struct reader *r, const struct stage_array *a,
		   size_t warp, uint32_t first, uint32_t end, int32_t *owner)
{
	struct trace *t = r->session.recordings[r->recording].trace;
	struct trace_request q;

	for (uint32_t k = first; k < end; k++) {
		const struct trace_site *site;

		if (trace_get(t, warp, k, &q, NULL))
			break;
		site = &trace_info(t)->sites[q.site];
		for (uint32_t lane = 0; lane < WARP_LANES; lane++)
			for (uint32_t b = 0; site->op == OP_ST &&
			     site->array == a->id && q.mask >> lane & 1 &&
			     b < site->bytes; b += a->array->elem_bytes)
				owner[(q.offset[lane] + b) /
				      a->array->elem_bytes] = (int32_t)(
					trace_warp(t, warp)->warp *
					WARP_LANES + lane);
	}
}

/* Elements whose owner is not the one that a replay of the block's stores
 * from the start gives: all phases before this one, and of this one what the
 * focused warp has done, for only barriers order the others. */
static int wrong_owners(const struct reader *r, const struct stage_array *a,
			int *owned)
{
	const struct scene *sc = r->show.scene;
	struct trace *t = r->session.recordings[r->recording].trace;
	size_t n = (size_t)a->rows * a->cols;
	int32_t *owner = xcalloc(n, sizeof(*owner));
	int wrong = 0;

	memset(owner, -1, n * sizeof(*owner));
	for (uint32_t p = 0; p <= sc->phase; p++)
		for (size_t w = 0; w < trace_warp_count(t); w++) {
			const struct trace_warp *tw = trace_warp(t, w);
			uint32_t first = trace_phase_start(t, w, p), end;

			if (tw->block != sc->warp.block ||
			    (p == sc->phase && w != sc->cursor.warp))
				continue;
			end = p + 1 < tw->phases ?
			      trace_phase_start(t, w, p + 1) : tw->requests;
			if (p == sc->phase)
				end = MIN(end, first + sc->cursor.request + 1 -
					       sc->phase_first);
			replay(r, a, w, first, end, owner);
		}
	for (size_t i = 0; i < n; i++) {
		wrong += owner[i] != a->owner[i];
		*owned += owner[i] >= 0;
	}
	free(owner);
	return wrong;
}

/* Shared memory, from the first request on until well after a barrier. */
static void test_owners(const char *lesson)
{
	struct reader r;
	int wrong = 0, owned = 0, bare = 0;
	char *words;

	open_lesson(&r, lesson, "en");
	while (reader_asking(&r) || r.show.scene->phases < 2) {
		press(&r, '!');
		if (r.show.scene->phases < 2)
			press(&r, K_ENTER);
	}
	press(&r, K_HOME);
	press(&r, 'x');
	for (int i = 0; i < 120; i++) {
		const struct scene *sc = press(&r, K_RIGHT)->scene;

		for (size_t k = 0; k < sc->array_count; k++)
			if (sc->arrays[k].owner) {
				int before = owned;

				wrong += wrong_owners(&r, &sc->arrays[k],
						      &owned);
				bare += owned == before;
			}
	}
	words = frame_words(reader_show(&r));
	tap_ok(r.show.scene->stored_by < 0 || r.show.quiet ||
	       !r.show.scene->costs ||
	       strstr(words, " was stored by thread ("),
	       "who stored what is read is said in words, too");
	free(words);
	tap_ok(!wrong && owned && bare, "%s: %d owners as a replay has them",
	       lesson, owned);
	reader_done(&r);
}

/* What a step moves starts where it comes from, arrives, and rests; no key
 * waits for it. */
static void test_motion(void)
{
	struct reader r;
	uint32_t here;
	int frames = 0;

	open_lesson(&r, "coalescing", "en");
	reader_settle(&r, 120, 36);
	tap_ok(r.show.t == 0, "while a question is open nothing has moved");
	press(&r, '!');
	tap_ok(r.show.t == 1, "answered and settled: it has");
	here = at(&r.show);
	reader_event(&r, &(struct event){ .key = K_RIGHT });
	reader_update(&r, 120, 36);
	tap_ok(at(&r.show) == here + 1 && r.show.t == 0 && reader_playing(&r),
	       "a step begins to move");
	reader_tick(&r, MOTION_SECONDS / 2);
	tap_ok(r.show.t > 0.49 && r.show.t < 0.51, "... is half way");
	reader_event(&r, &(struct event){ .key = K_RIGHT });
	reader_update(&r, 120, 36);
	tap_ok(at(&r.show) == here + 2 && r.show.t == 0,
	       "... and ends when the next begins");
	while (reader_playing(&r) && frames++ < 99)
		reader_tick(&r, 1.0 / 30);
	tap_ok(r.show.t == 1 && frames < 10, "it rests after %d frames",
	       frames);
	reader_event(&r, &(struct event){ .key = K_LEFT });
	tap_ok(r.show.t == 1 && !reader_playing(&r), "back is at once");
	r.motion.off = true;
	reader_event(&r, &(struct event){ .key = K_RIGHT });
	tap_ok(r.show.t == 1 && !reader_playing(&r), "so is all without motion");
	reader_done(&r);
}

/* The lesson behind this one in the course. */
static const char *lesson_behind(const char *name)
{
	const char *const *names = lesson_names();

	while (*names && strcmp(*names, name))
		names++;
	return *names ? names[1] : NULL;
}

/* A lesson goes through its steps and on to the next one, by itself, until
 * somebody presses a key. */
static void test_auto(void)
{
	struct reader r;
	size_t steps = 0, last = 0, steps_wanted;
	double seconds = 0;

	open_lesson(&r, "coalescing", "en");
	reader_settle(&r, 120, 36);
	steps_wanted = r.lesson->step_count - 1;
	auto_begin(&r);
	while (!strcmp(r.lesson->name, "coalescing") && seconds < 3600) {
		double next = reader_interval(&r);

		steps += r.step != last;
		last = r.step;
		reader_tick(&r, next);
		reader_update(&r, 120, 36);
		seconds += next;
	}
	tap_is(steps, steps_wanted, "every step");
	tap_ok(seconds > 60 && seconds < 1800, "... in %.0f s", seconds);
	tap_str(r.lesson->name, lesson_behind("coalescing"),
		"... and the next lesson");
	reader_settle(&r, 120, 36);
	press(&r, 'l');
	tap_ok(!r.autoplay.on && !reader_playing(&r), "a key ends it");
	reader_done(&r);
}

/* From end to end in a minute, at some size of beat. */
static void test_beats(void)
{
	struct reader r;
	uint32_t last;

	open_lesson(&r, "float4", "en");
	press(&r, '!');
	press(&r, K_HOME);
	press(&r, 'b');
	tap_ok(r.show.scene->cursor.all_warps, "by rows: with other warps");
	press(&r, 'b');
	tap_str(beat_name(r.beat), "k", "by iterations");
	press(&r, 'b');
	press(&r, 'b');
	tap_str(beat_name(r.beat), "tile", "by tiles");
	press(&r, K_RIGHT);	/* behind what is before the loop */
	press(&r, K_RIGHT);
	tap_ok(at(&r.show) > 100, "a tile is many requests");
	reader_event(&r, &(struct event){ .key = K_LEFT });
	reader_update(&r, 120, 36);
	last = at(&r.show);
	reader_tick(&r, MOTION_SECONDS);
	reader_update(&r, 120, 36);
	tap_ok(at(&r.show) < last && at(&r.show) > 0, "on the way back");
	reader_done(&r);
}

static void test_play(void)
{
	struct reader r;
	uint32_t here;
	int ticks = 0;

	open_lesson(&r, "coalescing", "en");
	press(&r, ' ');
	tap_ok(!reader_playing(&r), "nothing plays before the answer");
	press(&r, '!');
	here = at(press(&r, K_HOME));
	press(&r, ' ');
	tap_ok(reader_playing(&r), "space plays");
	reader_tick(&r, 1);
	tap_is(at(reader_settle(&r, 120, 36)), here + 1 + (uint32_t)r.speed,
	       "the first at once, and a second at this speed");
	press(&r, '+');
	here = at(&r.show);
	reader_tick(&r, 0.5);
	tap_is(at(reader_settle(&r, 120, 36)), here + (uint32_t)(r.speed / 2),
	       "half a second at twice the speed");
	while (reader_playing(&r) && ticks++ < 1000)
		reader_tick(&r, 1);
	tap_ok(ticks < 1000, "it stops at the end");
	reader_done(&r);
}

/* What of an array can be clicked on the screen. */
struct clicks { uint32_t row0, row1, col0, col1; bool any; };

static void add_click(struct clicks *k, const struct hit *hit)
{
	uint32_t row1 = hit->row + hit->rows - 1;
	uint32_t col1 = hit->col + hit->cols - 1;

	k->row0 = k->any ? MIN(k->row0, hit->row) : hit->row;
	k->col0 = k->any ? MIN(k->col0, hit->col) : hit->col;
	k->row1 = k->any ? MAX(k->row1, row1) : row1;
	k->col1 = k->any ? MAX(k->col1, col1) : col1;
	k->any = true;
}

static void find_clicks(const struct frame_model *s, struct clicks k[3])
{
	static struct hit hits[120 * 36];
	const struct scene *sc = s->scene;

	memset(k, 0, 3 * sizeof(*k));
	frame_hits(s, 120, 36, hits);
	for (const struct hit *hit = hits; hit < hits + LENGTH(hits); hit++)
		if (hit->kind == HIT_ELEMENT)
			add_click(&k[hit->array == sc->a ? 0 :
				     hit->array == sc->b ? 1 : 2], hit);
}

/* Tests whether the focused lane's row of A (column of B, element of C) is in
 * view, and with it what the lane accesses of it now. What it fetches for other
 * lanes, like a box in bulk, may be elsewhere. A lane without an element: what it
 * accesses. */
static bool in_view(const struct clicks *k, const struct scene *sc, int index)
{
	const struct stage_array *a = &sc->arrays[index];
	const struct box *home = &sc->home[sc->cursor.lane];
	bool of_row = home->known && index != sc->b;
	bool of_col = home->known && index != sc->a;
	bool asked = false, seen = false;

	if (!k->any ||
	    (of_row && (home->row0 < k->row0 || home->row0 > k->row1)) ||
	    (of_col && (home->col0 < k->col0 || home->col0 > k->col1)))
		return false;
	for (size_t i = 0; i < a->mark_count; i++) {
		const struct mark *m = &a->marks[i];

		if (m->age || m->other || m->lane != sc->cursor.lane ||
		    (of_row && m->row != home->row0) ||
		    (of_col && m->col != home->col0))
			continue;
		asked = true;
		seen |= m->row >= k->row0 && m->row <= k->row1 &&
			m->col >= k->col0 && m->col <= k->col1;
	}
	return seen || !asked || (home->known && op_is_bulk(sc->site->op));
}

/* A step begins where it says, however the recordings came in. */
static bool stands(struct reader *r)
{
	const struct lesson_step *s = &r->lesson->steps[r->step];
	const struct cursor *at = reader_cursor(r);
	struct error e;
	uint32_t request;
	size_t warp;

	return lesson_stand_find(reader_recording(r)->trace, &s->stand, &warp,
				 &request, &e) < 0 ||
	       (at->warp == warp && at->request == request &&
		at->lane == s->stand.lane);
}

/* Tests whether the scene's arrays have the sizes of A, B and C = A B. */
static bool is_product(const struct scene *sc)
{
	const struct stage_array *a, *b, *c;

	if (sc->a < 0 || sc->b < 0 || sc->c < 0)
		return false;
	a = &sc->arrays[sc->a];
	b = &sc->arrays[sc->b];
	c = &sc->arrays[sc->c];
	return a->rows == c->rows && a->cols == b->rows && b->cols == c->cols;
}

/* Zoomed in: a row of A meets its row of C, a column of B its column, those of
 * the focused lane are in view, and a click finds them. */
static bool fits(struct reader *r)
{
	const struct scene *sc;
	struct clicks k[3];

	r->beside = -1;		/* of two nothing can be clicked */
	r->show.pane = PANE_PICTURE;
	r->show.held = view_find("matrices");
	sc = reader_settle(r, 120, 36)->scene;
	if (!is_product(sc))
		return true;
	find_clicks(&r->show, k);
	return k[0].row0 == k[2].row0 && k[1].col0 == k[2].col0 &&
	       in_view(&k[0], sc, sc->a) && in_view(&k[1], sc, sc->b) &&
	       in_view(&k[2], sc, sc->c);
}

static void test_steps(void)
{
	int steps = 0, stand = 0, astray = 0, apart = 0;

	for (const char *const *n = lesson_names(); *n; n++) {
		struct reader r;

		open_lesson(&r, *n, "en");
		press(&r, 'z');
		for (size_t i = 0; i < r.lesson->step_count; i++) {
			reader_go_step(&r, i);
			reader_settle(&r, 120, 36);
			stand += r.lesson->steps[i].has_stand;
			astray += !stands(&r);
			if (!fits(&r)) {
				printf("# %s, step %zu\n", *n, i + 1);
				apart++;
			}
			steps++;
		}
		reader_done(&r);
	}
	tap_ok(stand && !astray, "%d steps begin where they say", stand);
	tap_ok(steps && !apart, "zoomed pictures of %d steps fit together",
	       steps);
}

/* The help scrolls to its end and no further, in pages and in lines. */
static void test_help(void)
{
	struct reader r;
	int most, lines = 0, pages = 0;

	open_lesson(&r, "coalescing", "en");
	reader_update(&r, 80, 24);
	press(&r, '?');
	reader_update(&r, 80, 24);
	most = overlay_most(&r.show, 80, 24);
	tap_ok(most > 0, "80x24 holds %d rows less than the help has", most);
	while (r.show.over_skip < most && pages++ < 9)
		reader_event(&r, &(struct event){ .key = ' ' });
	tap_ok(pages > 1 && r.show.over_skip == most, "%d pages", pages);
	while (r.show.over_skip && lines++ < 99)
		reader_event(&r, &(struct event){ .key = K_UP });
	tap_is(lines, most, "and a line at a time back");
	tap_ok(!overlay_most(&r.show, 120, 80), "120x80 holds all of it");
	reader_done(&r);
}

static bool in_footer(const struct frame_model *s, const char *word)
{
	for (size_t i = 0; i < s->key_count; i++)
		if (!strcmp(s->keys[i].word, word))
			return true;
	return false;
}

/* The footer names what can be pressed: no answers before they are there. */
static void test_footer(void)
{
	struct reader_options o = { .lang = "en" };
	struct reader r;
	struct error e;

	reader_init(&r, &o);
	if (reader_open_lesson(&r, "coalescing", &e))
		fatal("%s", e.text);
	reader_update(&r, 120, 36);
	tap_ok(!in_footer(&r.show, "answer") &&
	       !in_footer(&r.show, "show the answer") &&
	       !in_footer(&r.show, "type it"),
	       "while the kernel is recorded nothing can be answered");
	reader_settle(&r, 120, 36);
	tap_ok(in_footer(&r.show, "answer") &&
	       in_footer(&r.show, "show the answer") &&
	       in_footer(&r.show, "type it"),
	       "then a number is chosen, typed or shown");
	for (size_t i = 0; i < r.show.key_count; i++)
		if (!strcmp(r.show.keys[i].word, "answer"))
			tap_ok(r.show.keys[i].key[2] - 'a' ==
			       r.show.lesson.choice_count - 1,
			       "... the letters are those of the choices: %s",
			       r.show.keys[i].key);
	reader_done(&r);
}

/* Space while the recorder works is not lost. */
static void test_early_play(void)
{
	struct reader_options o = { .lang = "en" };
	struct event space = { .key = ' ' };
	struct reader r;
	struct error e;

	reader_init(&r, &o);
	if (reader_open_lesson(&r, "coalescing", &e))
		fatal("%s", e.text);
	r.done[0] = true;	/* a step that asks nothing */
	reader_go_step(&r, 0);
	reader_update(&r, 80, 24);
	reader_event(&r, &space);
	tap_ok(!reader_playing(&r) && !reader_tick(&r, 1),
	       "there is nothing to play yet");
	reader_settle(&r, 80, 24);
	tap_ok(reader_playing(&r), "it plays when it is there");
	reader_done(&r);
}

static void test_lost(const char *runner)
{
	char *argv[] = { (char *)"/bin/sh", (char *)"-c", (char *)runner,
			 NULL };
	struct reader_options o = { .lang = "en", .runner = argv };
	struct reader r;
	struct error e;
	struct canvas c;

	reader_init(&r, &o);
	tap_ok(!reader_open_lesson(&r, "coalescing", &e), "sh -c '%s'",
	       runner);
	reader_settle(&r, 80, 24);
	canvas_init(&c, 80, 24);
	frame_draw(&c, shown(&r, 80, 24));
	canvas_done(&c);
	tap_ok(r.session.recordings[0].error.text[0],
	       "... is lost: %s", r.session.recordings[0].error.text);
	press(&r, '!');
	press(&r, ' ');
	press(&r, K_ENTER);
	tap_ok(!r.quit, "... and the reader lives");
	reader_done(&r);
}

/* Everything at random, at every size. */
static void test_monkey(unsigned events)
{
	static const uint32_t keys[] = {
		K_UP, K_DOWN, K_LEFT, K_RIGHT, K_HOME, K_END, K_PAGE_UP,
		K_PAGE_DOWN, K_TAB, K_BACK_TAB, K_ENTER, K_ESCAPE,
		K_BACKSPACE, K_DELETE, K_F1, K_MOUSE, K_MOUSE, K_MOUSE,
		' ', '[', ']', 'a', 'b', 'c', 'd', '1', '9', 'l', 'L', 'w',
		'W', 'x', 'X', 'y', 'Y', 's', 'S', 'e', 'E', 'v', 'z', 'g',
		'+', '-', 't', '?', 'n', 'p', 'j', 'k', 0x10ffff, 0x4e00, 1,
	};
	struct reader r;
	struct canvas c;
	int w = 80, h = 24;
	size_t lesson = 0, lessons = 0;

	while (lesson_names()[lessons])
		lessons++;
	srand(7);
	open_lesson(&r, "tiling", "zh");
	canvas_init(&c, w, h);
	for (unsigned i = 0; i < events; i++) {
		struct event ev = {
			.key = keys[(unsigned)rand() % LENGTH(keys)],
			.mouse = (enum mouse_kind)(rand() % 5),
			.x = rand() % (w + 4) - 2, .y = rand() % (h + 4) - 2,
		};

		if (rand() % 50 == 0) {
			w = 1 + rand() % 200;
			h = 1 + rand() % 60;
			canvas_resize(&c, w, h);
		}
		if (rand() % 1000 == 0)
			reader_open_list(&r, LIST_COURSE);
		if (rand() % 1000 == 0)
			reader_open_lesson(&r, lesson_names()[lesson++ %
					   lessons], NULL);
		if (rand() % 20 == 0)
			reader_tick(&r, 0.3);
		c.mono = rand() % 9 == 0;
		c.ascii = rand() % 9 == 0;
		reader_poll(&r);
		reader_update(&r, w, h);
		reader_event(&r, &ev);
		frame_draw(&c, shown(&r, w, h));
	}
	canvas_done(&c);
	reader_done(&r);
	tap_ok(true, "%u events at random", events);
}

int main(void)
{
	lang_init("en");
	test_moving();
	test_draws();
	test_glossary();
	test_phases();
#ifndef SANITIZED	/* which is slow: test_steps() goes through them */
	test_answers("en");
#endif
	test_answers("zh");
	test_pair();
	test_opening();
	test_long_row();
	test_clicks(80, 24);
	test_clicks(120, 36);
	test_clicks(200, 60);
	test_home();
	test_rungs();
	test_typing();
	test_tab(80, 24);
	test_tab(120, 36);
	test_tab(50, 14);
	test_focus();
	test_state();
	test_owners("tiling");
	test_owners("float4");
	test_motion();
	test_auto();
	test_beats();
	test_play();
	test_footer();
	test_early_play();
	test_help();
	test_steps();
	test_lost("exit 3");
	test_lost("echo '{\"type\":\"hello\",\"protocol\":1,\"program\":\"x\","
		  "\"version\":\"" PACKAGE_VERSION "\",\"on\":\"cpu\"}'; kill -9 $$");
	test_lost("echo nonsense; sleep 9");
	test_monkey(20000);
	return tap_done();
}
