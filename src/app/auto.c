#include "app/auto.h"

#include <string.h>

#include "base/text.h"
#include "app/reader.h"

#define COLUMNS_A_SECOND 18	/* that one reads: some 200 words a minute */
#define LEAST 3			/* seconds */

static double reading_time(const char *words)
{
	return words ? (double)text_width(words) / COLUMNS_A_SECOND : 0;
}

/* The step's words and its question, or what came of the answer. */
double auto_reading(const struct reader *r)
{
	const struct show_lesson *l = &r->show.lesson;
	double t = reading_time(l->reply);

	if (l->learned)
		return LEAST + reading_time(l->learned_words);
	if (l->reply)
		return LEAST + t;
	t = reading_time(l->question);
	for (size_t i = 0; i < l->prose_count; i++)
		for (size_t k = 0; k < l->prose[i].span_count; k++)
			t += reading_time(l->prose[i].spans[k].text);
	return LEAST + t;
}

void auto_begin(struct reader *r)
{
	r->autoplay = (struct autoplay){ .on = true, .left = auto_reading(r) };
}

void auto_end(struct reader *r)
{
	r->autoplay.on = false;
}

/* Returns the name of the next lesson of the course; after the last one, of the
 * first. */
static const char *next_lesson(const struct reader *r)
{
	const char *const *names = lesson_names();

	for (size_t i = 0; names[i]; i++)
		if (!strcmp(names[i], r->lesson->name) && names[i + 1])
			return names[i + 1];
	return names[0];
}

static void show_next(struct reader *r)
{
	struct error e;

	if (reader_reveal(r)) {
		r->show.playing = true;
	} else if (reader_asks_more(r)) {
		reader_ask_next(r);
	} else if (r->step + 1 < r->lesson->step_count) {
		reader_go_step(r, r->step + 1);
	} else if (reader_learned(r)) {
		return;
	} else if (reader_open_lesson(r, next_lesson(r), &e)) {
		reader_say(r, true, "%s", e.text);
		auto_end(r);
	}
}

bool auto_tick(struct reader *r, double seconds)
{
	if (!r->autoplay.on || !r->lesson)
		return false;
	/* Until there is a recording there is nothing to read about. */
	if (!reader_recording(r)->trace)
		return false;
	r->autoplay.left -= seconds;
	if (r->autoplay.left > 0)
		return false;
	r->only_time = false;
	show_next(r);
	r->autoplay.left = auto_reading(r);
	return true;
}
