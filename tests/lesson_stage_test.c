/*
 * What lessons show, and when: in those that are restaged each step opens with
 * a picture that the step before did not have, and no screen has the answer of
 * a question that is still to come, or is open, but for its choices.
 */
#include <ctype.h>

#include "base/lang.h"
#include "stage.h"
#include "tap.h"

#define SCREENS 100

/* The picture alone, its colours as well. */
static char *picture(struct reader *r, int w, int h)
{
	struct str out = { 0 };
	struct screen_layout l;
	struct canvas c;

	canvas_init(&c, w, h);
	frame_draw(&c, reader_settle(r, w, h));
	layout_make(&l, w, h, &r->show);
	for (int i = 0; i < w * h; i++)
		if (rect_has(l.picture, i % w, i / w))
			str_addf(&out, "%x %d %d ", c.cells[i].ch,
				 c.cells[i].fg, c.cells[i].bg);
	canvas_done(&c);
	return str_take(&out);
}

static bool in_number(char c)
{
	return isalnum((unsigned char)c) || c == '.';
}

/* How often a number stands in a text by itself. */
static int times(const char *text, const char *number)
{
	size_t n = strlen(number);
	int found = 0;

	for (const char *p = text; (p = strstr(p, number)); p += n)
		found += (p == text || !in_number(p[-1])) &&
			 !(isalnum((unsigned char)p[n]) ||
			   (p[n] == '.' && isdigit((unsigned char)p[n + 1])));
	return found;
}

/* The open question's answer, or NULL: short ones stand everywhere. */
static const char *answer_of(struct reader *r)
{
	const struct show_lesson *l = &r->show.lesson;
	bool right;

	for (int i = 0; i < l->choice_count && reader_asking(r); i++) {
		free(reader_reply(r, i, &right));
		if (right)
			return strlen(l->choices[i]) > 2 ? l->choices[i] :
							   NULL;
	}
	return NULL;
}

struct told { char *screen[SCREENS]; int count, early, open; };

static void look(struct told *t, struct reader *r, const char *lesson,
		 size_t step)
{
	char *now = screen(r, 200, 60);
	const char *answer = answer_of(r);

	for (int i = 0; answer && i < t->count; i++)
		if (times(t->screen[i], answer)) {
			printf("# %s, step %zu: %s is on screen %d\n", lesson,
			       step + 1, answer, i);
			t->early++;
		}
	if (answer && times(now, answer) > 1) {
		printf("# %s, step %zu shows %s\n", lesson, step + 1, answer);
		t->open++;
	}
	if (t->count == SCREENS)
		fatal("%s has too many screens", lesson);
	t->screen[t->count++] = now;
}

/* All questions of a step, each open and answered. */
static void look_at_step(struct told *t, struct reader *r, const char *lesson,
			 size_t step)
{
	bool more = true;

	while (more) {
		look(t, r, lesson, step);
		if (reader_reveal(r))
			look(t, r, lesson, step);
		more = reader_asks_more(r);
		if (more)
			reader_ask_next(r);
		reader_settle(r, 200, 60);
	}
}

static void test_lesson(const char *lesson, bool restaged)
{
	struct reader_options o = { .lang = "en", .still = true };
	struct told t = { .count = 0 };
	char *before = NULL;
	struct reader r;
	struct error e;
	int same = 0;

	reader_init(&r, &o);
	if (reader_open_lesson(&r, lesson, &e))
		fatal("%s", e.text);
	for (size_t i = 0; i < r.lesson->step_count; i++) {
		char *now;

		reader_go_step(&r, i);
		now = picture(&r, 200, 60);
		if (before && !strcmp(before, now)) {
			printf("# %s, step %zu\n", lesson, i + 1);
			same++;
		}
		free(before);
		before = now;
		look_at_step(&t, &r, lesson, i);
	}
	if (restaged)
		tap_is(same, 0, "%s: a new picture for every step", lesson);
	tap_is(t.early, 0, "%s: no answer is told before it is asked for",
	       lesson);
	tap_is(t.open, 0, "... nor while it is");
	for (int i = 0; i < t.count; i++)
		free(t.screen[i]);
	free(before);
	reader_done(&r);
}

int main(void)
{
	static const char *const restaged[] = {
		"indexing", "coalescing", "tiling", "float4", "outer-product",
	};
	/* Others have numbers that are an answer's by chance. */
	static const char *const others[] = {
		"register-tiling", "tma-wgmma", "warp-tiling",
	};

	lang_init("en");
	for (size_t i = 0; i < LENGTH(restaged); i++)
		test_lesson(restaged[i], true);
	for (size_t i = 0; i < LENGTH(others); i++)
		test_lesson(others[i], false);
	return tap_done();
}
