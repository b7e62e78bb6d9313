/* drill: topics, random numbers, and the answers to choose from. */
#include "drill/drill_topic.h"

#include <stdlib.h>
#include <string.h>

#include "base/lang.h"

#define DECLARATION(name) extern const struct drill_topic drill_##name;
#define ADDRESS(name) &drill_##name,

DRILL_TOPICS(DECLARATION)
const struct drill_topic *const drill_topics[] = { DRILL_TOPICS(ADDRESS) };
const size_t drill_topic_count = LENGTH(drill_topics);

const struct drill_topic *drill_topic_find(const char *name)
{
	for (size_t i = 0; i < drill_topic_count; i++)
		if (!strcmp(drill_topics[i]->name, name))
			return drill_topics[i];
	return NULL;
}

/* ---- chance ---- */

/* Returns the next random number: splitmix64 (Steele, Lea, Flood: Fast
 * splittable pseudorandom number generators, 2014), in which adjacent seeds
 * give unrelated numbers. */
static uint64_t next_random(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

uint32_t drill_below(struct drill_random *r, uint32_t n)
{
	return (uint32_t)(next_random(&r->state) % n);
}

int drill_from(struct drill_random *r, int from, int to)
{
	return from + (int)drill_below(r, (uint32_t)(to - from + 1));
}

uint64_t drill_seed(uint64_t seed, uint32_t n)
{
	uint64_t state = seed;

	state = next_random(&state) + n;
	return next_random(&state);
}

/* ---- answers ---- */

static void add_choice(struct drill_question *q, const char *text,
		       const char *fmt, va_list ap)
{
	struct drill_choice *c = &q->choices[q->choice_count];
	char why[1000];

	if (q->choice_count == DRILL_CANDIDATES)
		return;
	for (int i = 0; i < q->choice_count; i++)
		if (!strcmp(q->choices[i].text, text))
			return;
	vsnprintf(why, sizeof(why), fmt, ap);
	snprintf(c->text, sizeof(c->text), "%s", text);
	c->why = xstrdup(why);
	q->choice_count++;
}

void drill_right(struct drill_question *q, const char *text, const char *fmt,
		 ...)
{
	va_list ap;

	va_start(ap, fmt);
	add_choice(q, text, fmt, ap);
	va_end(ap);
}

void drill_wrong(struct drill_question *q, const char *text, const char *fmt,
		 ...)
{
	va_list ap;

	va_start(ap, fmt);
	add_choice(q, text, fmt, ap);
	va_end(ap);
}

bool drill_wants_more(const struct drill_question *q)
{
	return q->choice_count < 3;
}

const char *drill_number(int n)
{
	static char text[16];

	snprintf(text, sizeof(text), "%d", n);
	return text;
}

/* Compares two answers by their numbers (lanes by theirs); words have no
 * order. */
static int compare_choices(const struct drill_choice *a,
			   const struct drill_choice *b)
{
	const char *p = a->text + strcspn(a->text, "0123456789");
	const char *q = b->text + strcspn(b->text, "0123456789");
	long m = strtol(p, NULL, 10), n = strtol(q, NULL, 10);

	return m != n ? (m > n) - (m < n) : strcmp(a->text, b->text);
}

static void swap_choices(struct drill_question *q, int i, int k)
{
	struct drill_choice c = q->choices[i];
	struct drill_loop l = q->loops[i];

	q->choices[i] = q->choices[k];
	q->choices[k] = c;
	q->loops[i] = q->loops[k];
	q->loops[k] = l;
	q->right = q->right == i ? k : q->right == k ? i : q->right;
}

static void sort_choices(struct drill_question *q)
{
	for (int i = 1; i < q->choice_count; i++)
		for (int k = i; k > 0 && compare_choices(&q->choices[k],
						 &q->choices[k - 1]) < 0; k--)
			swap_choices(q, k, k - 1);
}

/* Returns whether a choice sorts after the right answer, which is the first. */
static bool exceeds_right(const struct drill_question *q, int i)
{
	return compare_choices(&q->choices[i], &q->choices[0]) > 0;
}

/* Chooses some of the wrong answers, which follow the right one, and drops the
 * others. Draws first how many of them are larger than the right one, so that
 * its rank among the choices reveals as little as possible. */
static void choose_wrongs(struct drill_question *q, struct drill_random *r)
{
	int wrongs = q->choice_count - 1, keep = 1, larger = 0, smaller;

	for (int i = 1; i <= wrongs; i++) {
		swap_choices(q, i, drill_from(r, i, wrongs));
		larger += exceeds_right(q, i);
	}
	smaller = wrongs - larger;
	larger = drill_from(r, MAX(0, 2 - smaller),
			    MIN(larger, DRILL_CHOICES - 1));
	smaller = DRILL_CHOICES - 1 - larger;
	for (int i = 1; i <= wrongs; i++)
		if ((exceeds_right(q, i) ? larger-- : smaller--) > 0)
			swap_choices(q, keep++, i);
	while (q->choice_count > keep)
		free(q->choices[--q->choice_count].why);
}

static void free_question_texts(struct drill_question *q)
{
	for (int i = 0; i < q->choice_count; i++)
		free(q->choices[i].why);
	free(q->words);
	free(q->code);
	free(q->mended);
}

void drill_make(struct drill_question *q, const struct drill_topic *topic,
		int level, uint64_t seed)
{
	struct drill_random r = { seed };
	bool drawn = false;

	if (!topic)
		topic = drill_topics[drill_below(&r, drill_topic_count)];
	while (!drawn) {
		*q = (struct drill_question){ .topic = topic, .level = level,
					      .seed = seed };
		drawn = topic->draw(q, &r) && !drill_wants_more(q);
		if (!drawn)
			free_question_texts(q);
	}
	choose_wrongs(q, &r);
	sort_choices(q);
}

void drill_done(struct drill_question *q)
{
	free_question_texts(q);
	*q = (struct drill_question){0};
}

/* ---- levels ---- */

const char *drill_level_words(const struct drill_topic *t, int level)
{
	return _(t->levels[level - 1]);
}

int drill_quiz_level(uint32_t n, uint32_t count)
{
	return 1 + (int)(n * DRILL_LEVELS / count);
}

void drill_score(struct drill_score *s, bool right)
{
	s->asked++;
	s->right += right;
	s->streak = right ? s->streak + 1 : 0;
	s->misses = right ? 0 : s->misses + 1;
	if (s->streak == DRILL_UP && s->level < DRILL_LEVELS) {
		s->level++;
		s->streak = 0;
	} else if (s->misses == DRILL_DOWN) {
		s->level -= s->level > 1;
		s->misses = 0;
	}
}
