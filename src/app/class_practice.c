/* class_practice: what the members of a class have done in gemmviz practice. See
 * class.h. */
#include <stdlib.h>
#include <string.h>

#include "app/class.h"

/* Tries that fail at one stage before somebody counts as stuck there. */
#define TRIES_STUCK 5

/* Returns the rung that a verdict is about, or NULL: it is another event. */
static const char *event_rung(const struct class_event *ev)
{
	size_t n = strlen(CLASS_PRACTICE);

	return ev->answered && !strncmp(ev->lesson, CLASS_PRACTICE, n) ?
	       ev->lesson + n : NULL;
}

static struct class_rung *add_class_rung(struct class_rungs *to,
					 const char *name, int place)
{
	struct class_rung *r;

	for (size_t i = 0; i < to->count; i++)
		if (!strcmp(to->list[i].name, name))
			return &to->list[i];
	grow(&to->list, &to->capacity, to->count + 1, sizeof(*to->list));
	r = &to->list[to->count++];
	memset(r, 0, sizeof(*r));
	snprintf(r->name, sizeof(r->name), "%s", name);
	r->place = place;
	return r;
}

/* Counts one person's verdicts on a rung, from the event `at` on, their first. */
static void count_person(const struct class_room *room, size_t at,
			 struct class_rung *to)
{
	const struct class_event *first = &room->events[at], *last = first;
	int failed = 0;
	bool passed = false;

	for (size_t i = at; i < room->event_count; i++) {
		const struct class_event *ev = &room->events[i];

		if (strcmp(ev->who, first->who) != 0 ||
		    strcmp(ev->lesson, first->lesson) != 0 || !ev->answered)
			continue;
		failed = strcmp(ev->answer, last->answer) ? 1 : failed + 1;
		passed |= ev->right;
		last = ev;
	}
	to->passed += passed;
	to->at += !passed;
	if (passed || failed < TRIES_STUCK)
		return;
	to->stuck++;
	snprintf(to->stage, sizeof(to->stage), "%s", last->answer);
}

/* Returns whether the event is the person's first verdict on its rung. */
static bool is_first_verdict(const struct class_room *room, size_t at)
{
	const struct class_event *ev = &room->events[at];

	for (size_t i = 0; i < at; i++)
		if (room->events[i].answered &&
		    !strcmp(room->events[i].who, ev->who) &&
		    !strcmp(room->events[i].lesson, ev->lesson))
			return false;
	return true;
}

static int by_rung_place(const void *a, const void *b)
{
	const struct class_rung *x = a, *y = b;

	return x->place - y->place;
}

void class_rungs_read(const struct class_room *room, struct class_rungs *to)
{
	*to = (struct class_rungs){ NULL, 0, 0 };
	for (size_t i = 0; i < room->event_count; i++) {
		const char *name = event_rung(&room->events[i]);

		if (name && is_first_verdict(room, i))
			count_person(room, i, add_class_rung(to, name,
				room->events[i].step));
	}
	if (to->count)
		qsort(to->list, to->count, sizeof(*to->list), by_rung_place);
}

void class_rungs_done(struct class_rungs *r)
{
	free(r->list);
}
