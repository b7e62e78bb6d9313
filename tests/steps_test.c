/*
 * All steps of all lessons. A picture belongs to its question: nothing in it
 * changes its place when the question is answered or the next one is asked;
 * where the question has numbers of its own, the picture is drawn for them, or
 * says that it is not; and where a race follows, the picture is one of time.
 * The sign that more text is below covers nothing of it.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "app/reader.h"
#include "base/lang.h"
#include "tap.h"

#define WORDS 400

/* A word that stands once in the picture, and where. */
struct place {
	char word[24];
	int x, y;
	bool twice;
};

struct looks {
	struct screen_layout frame;
	struct place place[WORDS];
	int count;
};

static void add_word(struct looks *l, const char *word, int x, int y)
{
	for (int i = 0; i < l->count; i++)
		if (!strcmp(l->place[i].word, word)) {
			l->place[i].twice = true;
			return;
		}
	if (l->count == WORDS)
		return;
	snprintf(l->place[l->count].word, sizeof(l->place[0].word), "%s", word);
	l->place[l->count].x = x;
	l->place[l->count].y = y;
	l->place[l->count++].twice = false;
}

/* Finds the words of four letters or more in the picture. */
static void find_places(struct looks *l, const struct canvas *c)
{
	struct rect r = l->frame.picture;
	char word[24];
	size_t n = 0;

	for (int y = r.y; y < r.y + r.h; y++)
		for (int x = r.x; x <= r.x + r.w; x++) {
			const struct cell *cell = canvas_at(c, x, y);

			if (x < r.x + r.w && cell->ch < 128 &&
			    isalpha((int)cell->ch) && n + 1 < sizeof(word)) {
				word[n++] = (char)cell->ch;
				continue;
			}
			word[n] = 0;
			if (n >= 4)
				add_word(l, word, x - (int)n, y);
			n = 0;
		}
}

/* Looks at the picture when nothing moves yet. */
static void look(struct looks *l, struct reader *r, int w, int h)
{
	struct canvas c;

	reader_settle(r, w, h);
	r->show.t = 0;
	l->count = 0;
	layout_make(&l->frame, w, h, &r->show);
	canvas_init(&c, w, h);
	frame_draw(&c, &r->show);
	find_places(l, &c);
	canvas_done(&c);
	r->show.t = 1;
}

/* Returns how many panes and words stand elsewhere than before. */
static int count_moved(const struct looks *a, const struct looks *b,
		       const char *what, size_t step)
{
	int moved = !!memcmp(&a->frame, &b->frame, sizeof(a->frame));

	if (moved)
		printf("# %s %zu: a pane moves\n", what, step + 1);
	for (int i = 0; i < a->count; i++)
		for (int k = 0; k < b->count; k++) {
			const struct place *p = &a->place[i];
			const struct place *q = &b->place[k];

			if (strcmp(p->word, q->word) || p->twice || q->twice ||
			    (p->x == q->x && p->y == q->y))
				continue;
			printf("# %s %zu: '%s' moves from %d,%d to %d,%d\n",
			       what, step + 1, p->word, p->x, p->y, q->x, q->y);
			moved++;
		}
	return moved;
}

/* Tells whether the picture is drawn for the question's numbers, or the screen
 * says that it is not. */
static bool is_of_question(struct reader *r, const struct lesson_question *q,
			   int w, int h)
{
	struct str text = {0};
	struct canvas c;
	bool says;

	if (!q->draw_count || r->asked_stage || r->show.turns.launch.threads)
		return true;
	canvas_init(&c, w, h);
	frame_draw(&c, reader_settle(r, w, h));
	canvas_print(&c, false, &text);
	says = text.data && strstr(text.data, "numbers of its own");
	canvas_done(&c);
	str_done(&text);
	return says;
}

/* Tells whether the picture of a question's own request counts what the answer
 * says. */
static bool agrees_with_answer(struct reader *r)
{
	const struct show_lesson *l = &r->show.lesson;
	const struct access_cost *k = &r->show.scene->cost;
	const struct lesson_question *q =
		&r->lesson->steps[r->step].questions[r->question];
	int count = k->sectors >= 0 ? k->sectors : k->wavefronts;

	if (!r->asked_stage || l->chosen < 0)
		return true;
	if (!strncmp(q->answer, "model_lines(", 12))
		count = k->lines;
	return atoi(l->choices[l->chosen]) == count;
}

/* What is wrong in a lesson's steps, by kind. */
struct faults { int moved, strange, timeless; };

/* Tells whether the step's race is announced by a picture of time. */
static bool shows_time(const struct reader *r)
{
	const char *name = view_picture(&r->show)->name;

	return !strcmp(name, "faster") || !strcmp(name, "cost") ||
	       !strcmp(name, "scaling");
}

static void walk_step(struct faults *f, struct reader *r, const char *lesson,
		      size_t step, int w, int h)
{
	const struct lesson_step *s = &r->lesson->steps[step];
	struct looks before, after;
	bool more = true;

	if (s->race && !shows_time(r)) {
		printf("# %s %zu: a race, and %s\n", lesson, step + 1,
		       view_picture(&r->show)->name);
		f->timeless++;
	}
	while (more && s->question_count) {
		look(&before, r, w, h);
		if (!is_of_question(r, &s->questions[r->question], w, h)) {
			printf("# %s %zu: not for what was drawn\n", lesson,
			       step + 1);
			f->strange++;
		}
		reader_reveal(r);
		look(&after, r, w, h);
		f->moved += count_moved(&before, &after, lesson, step);
		if (!agrees_with_answer(r)) {
			printf("# %s %zu: the picture says something else\n",
			       lesson, step + 1);
			f->strange++;
		}
		more = reader_asks_more(r);
		if (!more)
			break;
		reader_ask_next(r);
		look(&before, r, w, h);
		f->moved += memcmp(&before.frame, &after.frame,
				   sizeof(before.frame)) != 0;
	}
}

static void walk_lesson(const char *lesson, const char *lang, int w, int h)
{
	struct reader_options o = { .lang = lang, .still = true };
	struct faults f = { 0, 0, 0 };
	struct reader r;
	struct error e;

	reader_init(&r, &o);
	if (reader_open_lesson(&r, lesson, &e))
		fatal("%s", e.text);
	reader_settle(&r, w, h);
	for (size_t i = 0; i < r.lesson->step_count; i++) {
		reader_go_step(&r, i);
		reader_settle(&r, w, h);
		walk_step(&f, &r, lesson, i, w, h);
	}
	tap_is(f.moved, 0, "%s, %dx%d: nothing moves when it is answered",
	       lesson, w, h);
	tap_is(f.strange, 0, "... each picture is of its question");
	tap_is(f.timeless, 0, "... and before a race, of time");
	reader_done(&r);
}

#define MORE 0x25bc	/* the sign that more text is below */

/* Finds the sign in the lesson's pane; false without one. */
static bool find_sign(const struct canvas *c, struct rect r, int *x, int *y)
{
	for (*y = r.y + 1; *y < r.y + r.h; ++*y)
		for (*x = r.x + r.w / 2; *x < r.x + r.w; ++*x)
			if (canvas_at(c, *x, *y)->ch == MORE)
				return true;
	return false;
}

/* Returns the rows of text that reach into the sign's column. */
static int count_covered(const struct canvas *c, struct rect r)
{
	int x, y, covered = 0;

	if (!find_sign(c, r, &x, &y))
		return 0;
	for (int row = r.y + 1; row < y; row++)
		covered += canvas_at(c, x, row)->ch > ' ';
	return covered;
}

/* Steps that were opened, and those whose text did not fit. */
struct opened { int steps, cut; };

/* Scrolls through the text of each step: no sign covers a character. */
static void walk_signs(const char *lesson, const char *lang, int w, int h,
		       struct opened *opened)
{
	struct reader_options o = { .lang = lang, .still = true };
	struct reader r;
	struct error e;
	struct screen_layout frame;
	struct canvas c;
	int covered = 0;

	reader_init(&r, &o);
	if (reader_open_lesson(&r, lesson, &e))
		fatal("%s", e.text);
	canvas_init(&c, w, h);
	for (size_t i = 0; i < r.lesson->step_count; i++) {
		reader_go_step(&r, i);
		for (int skip = 0; skip < 3; skip++) {
			int n, x, y;

			reader_settle(&r, w, h);
			r.show.lesson.scroll = skip;
			layout_make(&frame, w, h, &r.show);
			frame_draw(&c, &r.show);
			n = count_covered(&c, frame.lesson);
			opened->steps += !skip;
			opened->cut += !skip && find_sign(&c, frame.lesson,
							  &x, &y);
			if (n)
				printf("# %s %zu, line %d: the sign is in the "
				       "text\n", lesson, i + 1, skip + 1);
			covered += n;
		}
	}
	canvas_done(&c);
	reader_done(&r);
	tap_is(covered, 0, "%s (%s), %dx%d: the sign of more text is beside it",
	       lesson, lang, w, h);
}

int main(void)
{
	static const int sizes[][2] = { { 80, 24 }, { 120, 36 } };
	struct opened opened = { 0, 0 };

	lang_init("en");
	for (const char *const *n = lesson_names(); *n; n++)
		for (size_t i = 0; i < LENGTH(sizes); i++)
			walk_lesson(*n, "en", sizes[i][0], sizes[i][1]);
	for (const char *const *n = lesson_names(); *n; n++) {
		walk_signs(*n, "en", 80, 24, &opened);
		walk_signs(*n, "zh", 80, 24, &opened);
	}
	printf("# the text of %d of %d steps does not fit\n", opened.cut,
	       opened.steps);
	tap_ok(10 * opened.cut <= opened.steps,
	       "at 80x24, nine of ten texts can be read before the question is "
	       "answered");
	return tap_done();
}
