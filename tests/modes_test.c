/*
 * Modes: no key has two meanings at a time, the footer and the help show the
 * keys of the screen that they stand on, and keys do what people expect: q goes
 * back, Esc gives no answer away, a letter pressed twice does nothing more, /
 * searches, and d asks for a topic.
 */
#include <stdlib.h>
#include <string.h>

#include "app/mode.h"
#include "base/lang.h"
#include "tap.h"

static const struct frame_model *press(struct reader *r, uint32_t key)
{
	struct event ev = { .key = key };

	reader_event(r, &ev);
	return reader_settle(r, 120, 36);
}

static void open_map(struct reader *r)
{
	struct reader_options o = { .lang = "en" };

	reader_init(r, &o);
	reader_open_list(r, LIST_COURSE);
	reader_settle(r, 120, 36);
}

/* ---- the tables ---- */

static bool has_key(const struct action *a, uint32_t key)
{
	for (size_t i = 0; i < LENGTH(a->keys); i++)
		if (key && a->keys[i] == key)
			return true;
	return false;
}

/* Enter, Esc and backspace go on and back from whatever is innermost. */
static bool goes_in_or_out(uint32_t key)
{
	return key == K_ENTER || key == K_ESCAPE || key == K_BACKSPACE;
}

/* Returns how many of the mode's actions, and of those of the modes below it,
 * give the key another meaning than the action has. */
static int count_others(const struct mode *m, const struct action *of,
			uint32_t key)
{
	int n = 0;

	for (; m; m = m->below)
		for (size_t i = 0; i < m->action_count; i++) {
			const struct action *a = &m->actions[i];

			n += has_key(a, key) &&
			     (a->run != of->run || a->arg != of->arg);
		}
	return n;
}

static void test_modes(void)
{
	int twice = 0, named = 0;

	for (size_t i = 0; i < mode_count; i++)
		for (size_t k = 0; k < modes[i]->action_count; k++) {
			const struct action *a = &modes[i]->actions[k];

			named += a->word || a->help;
			for (size_t n = 0; n < LENGTH(a->keys); n++) {
				uint32_t key = a->keys[n];

				if (!key || goes_in_or_out(key) ||
				    !count_others(modes[i], a, key))
					continue;
				printf("# mode %zu: key %c (%x)\n", i,
				       key < 127 ? (char)key : ' ', key);
				twice++;
			}
		}
	tap_is(twice, 0, "no mode gives a key two meanings");
	tap_ok(named > 50, "%d actions are named", named);
}

/* A picture's key may refine one of the step's, under the same name. */
static bool refines(const struct view_key *k, uint32_t key)
{
	for (size_t i = 0; i < mode_step.action_count; i++) {
		const struct action *a = &mode_step.actions[i];

		if (has_key(a, key))
			return k->word && a->help &&
			       !strncmp(a->help, k->word, strlen(k->word));
	}
	return false;
}

static void test_pictures(void)
{
	int twice = 0, count = 0;

	for (size_t i = 0; views[i]; i++)
		for (size_t k = 0; k < views[i]->key_count; k++)
			for (size_t n = 0; n < 2; n++) {
				const struct view_key *at =
					&views[i]->keys[k];
				struct action none = { .run = NULL };

				count++;
				/* Without an act it only orders the footer. */
				if (!at->keys[n] || (!at->turn && !at->move) ||
				    !count_others(&mode_step, &none,
						  at->keys[n]) ||
				    refines(at, at->keys[n]))
					continue;
				printf("# %s: key %c\n", views[i]->name,
				       (char)at->keys[n]);
				twice++;
			}
	tap_is(twice, 0, "nor does a picture");
	tap_ok(count > 10, "%d keys of pictures", count);
}

/* ---- footers and the help ---- */

static bool has_word(const struct show_key *keys, size_t n, const char *word)
{
	for (size_t i = 0; i < n; i++)
		if (strstr(keys[i].word, word))
			return true;
	return false;
}

/* The footer has all of these words, separated by '|'. */
static void is_footer(const struct frame_model *s, const char *words,
		      const char *where)
{
	char *all = xstrdup(words), *save = NULL;
	bool good = true;

	for (char *w = strtok_r(all, "|", &save); w;
	     w = strtok_r(NULL, "|", &save))
		if (!has_word(s->keys, s->key_count, w)) {
			printf("# no %s\n", w);
			good = false;
		}
	tap_ok(good, "%s: the footer has %s", where, words);
	free(all);
}

static void test_footers(void)
{
	const struct frame_model *s;
	struct reader r;

	open_map(&r);
	s = reader_show(&r);
	is_footer(s, "choose|open|kernels|drill|help|quit", "the map");
	tap_ok(has_word(s->help_keys, s->help_count, "the list of kernels"),
	       "the map's help has the map's keys");
	tap_ok(!has_word(s->help_keys, s->help_count, "play"),
	       "... and no others");
	s = press(&r, K_ENTER);
	is_footer(s, "answer|view|show the answer|help|to the list",
		  "a question");
	s = press(&r, '!');
	is_footer(s, "next|view|play|step|help|to the list", "a step");
	s = press(&r, '?');
	is_footer(s, "scroll|page|close", "the help");
	tap_ok(!has_word(s->keys, s->key_count, "view") &&
		       has_word(s->help_keys, s->help_count, "view"),
	       "... and not the step's, which it explains");
	press(&r, K_ESCAPE);
	s = press(&r, 'i');
	is_footer(s, "scroll|search|close", "the glossary");
	reader_done(&r);
}

/* ---- what keys do ---- */

static void test_back(void)
{
	const struct frame_model *s;
	struct reader r;
	int chosen;

	open_map(&r);
	press(&r, K_DOWN);
	s = press(&r, K_DOWN);
	chosen = s->list->chosen;
	s = press(&r, K_ENTER);
	tap_ok(!s->list && r.lesson, "enter opens the lesson");
	s = press(&r, '?');
	tap_ok(s->over, "? opens the help");
	s = press(&r, 'q');
	tap_ok(!s->over && r.lesson && !r.quit, "q closes it, and no more");
	press(&r, 'i');
	s = press(&r, 'q');
	tap_ok(!s->over && r.lesson && !r.quit, "... and the glossary");
	s = press(&r, 'q');
	tap_ok(s->list && !r.quit, "q goes back to the map");
	tap_is(s->list->chosen, chosen, "... to that lesson");
	press(&r, 'q');
	tap_ok(r.quit, "q on the map quits");
	reader_done(&r);

	open_map(&r);
	press(&r, 'k');
	s = press(&r, K_DOWN);
	chosen = s->list->chosen;
	press(&r, K_ENTER);
	s = press(&r, 'q');
	tap_ok(s->list && s->list->kind == LIST_KERNELS &&
	       s->list->chosen == chosen && !r.quit,
	       "from a kernel q goes back to the kernels");
	press(&r, 'Q');
	tap_ok(r.quit, "Q quits at once");
	reader_done(&r);
}

/* Opens a lesson and tries letters. Returns the right one of its first question;
 * 0 if its answer is typed. */
static uint32_t find_right_letter(const char *lesson)
{
	struct reader_options o = { .lang = "en" };
	struct reader r;
	struct error e;
	uint32_t right;

	reader_init(&r, &o);
	if (reader_open_lesson(&r, lesson, &e))
		fatal("%s", e.text);
	reader_settle(&r, 120, 36);
	for (right = 'd'; right >= 'a'; right--)
		if (press(&r, right)->lesson.answered)
			break;
	reader_done(&r);
	return right >= 'a' ? right : 0;
}

/* Returns a lesson whose first answer is b, a key that otherwise changes the
 * beat. */
static const char *find_lesson_of_b(void)
{
	const char *const *names = lesson_names();

	while (*names && find_right_letter(*names) != 'b')
		names++;
	return *names ? *names : "tiling";
}

static void test_letters(void)
{
	struct reader_options o = { .lang = "en" };
	const struct frame_model *s;
	struct reader r;
	struct error e;
	uint32_t right;

	reader_init(&r, &o);
	if (reader_open_lesson(&r, find_lesson_of_b(), &e))
		fatal("%s", e.text);
	reader_settle(&r, 120, 36);
	s = press(&r, K_ESCAPE);
	tap_ok(!s->lesson.answered, "Esc does not show the answer");
	press(&r, '7');
	s = press(&r, K_ESCAPE);
	tap_ok(!s->lesson.answered && !*s->lesson.typed,
	       "... it erases what was typed");
	press(&r, '7');
	s = press(&r, 'b');
	tap_ok(!s->lesson.answered && r.beat == BEAT_REQUEST,
	       "a letter in a number is nothing");
	press(&r, K_ESCAPE);
	for (right = 'a'; right <= 'd'; right++)
		if (press(&r, right)->lesson.answered)
			break;
	tap_is(right, 'b', "the right answer");
	s = press(&r, right);
	tap_is(r.beat, BEAT_REQUEST, "pressed twice it changes no beat");
	press(&r, 'l');
	press(&r, right);
	tap_is(r.beat, BEAT_ROW, "... but after another key it does");
	reader_done(&r);
}

static void type(struct reader *r, const char *text)
{
	for (; *text; text++)
		press(r, (unsigned char)*text);
}

static void test_search(void)
{
	const struct frame_model *s;
	struct reader r;
	int skip;

	open_map(&r);
	press(&r, '/');
	type(&r, "Swizzle");
	tap_ok(reader_show(&r)->search_text &&
	       strstr(reader_show(&r)->search_found, "not found") == NULL,
	       "/ on the map: %s", reader_show(&r)->search_found);
	s = press(&r, K_ESCAPE);
	tap_is(s->list->chosen, 0, "Esc goes back");
	press(&r, '/');
	type(&r, "tiling");
	s = press(&r, K_ENTER);
	tap_ok(!s->search_text && strstr(s->list->entries[s->list->chosen].name,
					 "tiling"),
	       "a lesson is found by its name: %s",
	       s->list->entries[s->list->chosen].name);
	s = press(&r, K_ENTER);
	tap_ok(r.lesson, "... and opened");

	press(&r, 'i');
	press(&r, '/');
	type(&r, "WAVEFRONT");
	s = reader_show(&r);
	skip = s->over_skip;
	tap_ok(skip > 0, "/ in the glossary: row %d", skip);
	tap_ok(strcasestr(s->search_found, "wavefront"), "... %s",
	       s->search_found);
	press(&r, K_DOWN);
	tap_ok(strcmp(reader_show(&r)->search_found, "not found") != 0,
	       "down: the next one");
	type(&r, "xyz");
	tap_ok(!strcmp(reader_show(&r)->search_found, "not found"),
	       "what is not there is not found");
	s = press(&r, K_ESCAPE);
	tap_ok(s->over && !s->search_text, "the glossary stays open");
	press(&r, 'q');

	press(&r, '/');
	type(&r, "float sum");
	s = press(&r, K_ENTER);
	tap_ok(s->source_scroll < 0 && s->message &&
	       strstr(s->message, "line "), "/ in the source: %s",
	       s->message ? s->message : "nothing");
	reader_done(&r);
}

static bool shown_here;

static bool key_is_shown(const struct scene *sc)
{
	(void)sc;
	return shown_here;
}

static void turn_wave_on(struct turns *t, const struct scene *sc, int by)
{
	(void)sc;
	t->wave += by;
}

/* A picture's key that the key bar leaves out does nothing in the picture. */
static void test_hidden_keys(void)
{
	static const struct view_key key = { .keys = { '>' }, .by = 1,
		.has = key_is_shown, .turn = turn_wave_on };
	const struct view own = { .name = "own", .pane = PANE_PICTURE,
		.keys = &key, .key_count = 1 };
	struct reader_options o = { .lang = "en" };
	struct scene sc = { .site = NULL };
	struct reader r;

	reader_init(&r, &o);
	r.show.scene = &sc;
	r.show.held = &own;
	tap_ok(!mode_picture.rest(&r, '>') && !r.show.turns.wave,
	       "a hidden key turns nothing");
	shown_here = true;
	tap_ok(mode_picture.rest(&r, '>') && r.show.turns.wave == 1,
	       "... one that is shown does");
	r.show.scene = NULL;
	r.show.held = NULL;
	reader_done(&r);
}

static void test_topics(void)
{
	const struct frame_model *s;
	struct reader r;

	open_map(&r);
	press(&r, K_DOWN);
	s = press(&r, 'd');
	tap_ok(s->over == &overlay_topics, "d asks which topic");
	s = press(&r, K_ESCAPE);
	tap_ok(!s->over && s->list, "Esc asks no more");
	press(&r, 'd');
	s = press(&r, '2');
	tap_ok(s->drill && s->drill->question->topic == drill_topics[1],
	       "a digit opens the topic");
	s = press(&r, 'q');
	tap_ok(s->list && s->list->chosen == 1, "q goes back to the map");
	press(&r, 'd');
	s = press(&r, 'd');
	tap_ok(s->drill, "d once more: all topics");
	reader_done(&r);
}

int main(void)
{
	lang_init("en");
	test_modes();
	test_pictures();
	test_footers();
	test_back();
	test_letters();
	test_search();
	test_hidden_keys();
	test_topics();
	return tap_done();
}
