/* class_room: what all members of a class have done. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/class_folder.h"
#include "app/class_reading.h"

/* ---- reading ---- */

void class_room_add(struct class_room *room, const struct class_event *ev)
{
	struct class_person *p = room->person_count ?
				 &room->people[room->person_count - 1] : NULL;

	grow(&room->events, &room->event_capacity, room->event_count + 1,
	     sizeof(*ev));
	room->events[room->event_count++] = *ev;
	if (!p || strcmp(p->who, ev->who)) {
		grow(&room->people, &room->person_capacity,
		     room->person_count + 1, sizeof(*p));
		p = &room->people[room->person_count++];
	}
	*p = (struct class_person){ .step = ev->step, .steps = ev->steps };
	memcpy(p->who, ev->who, sizeof(p->who));
	memcpy(p->lesson, ev->lesson, sizeof(p->lesson));
}

int class_read(struct class_room *room, const char *folder, const char *name,
	       struct error *e)
{
	struct class_reading all = { .files = NULL };
	int status = class_reading_look(&all, folder, name, HUGE_VAL, e);

	class_reading_room(&all, room);
	class_reading_done(&all);
	return status;
}

void class_room_done(struct class_room *room)
{
	free(room->events);
	free(room->people);
	*room = (struct class_room){0};
}

/* Appends the event to the open file unless it is there; returns 0 or an
 * errno. */
static int append_event(int dir, const char *file,
			const struct class_event *ev)
{
	struct class_file before = { .events = NULL };
	char *line = class_event_line(ev);
	int fd = class_file_append(dir, file), failed = fd < 0 ? errno : 0;

	if (!failed) {
		memcpy(before.who, ev->who, sizeof(before.who));
		class_file_read(dir, &before);
		if ((!before.count ||
		     before.events[before.count - 1].n < ev->n) &&
		    (write_all(fd, line, strlen(line)) || fsync(fd)))
			failed = errno;
		close(fd);
	}
	free(before.events);
	free(line);
	return failed;
}

int class_collect(const char *folder, const char *name,
		  const struct class_event *ev, struct error *e)
{
	int dir = class_folder_open(folder, name, e), failed;
	char *file;

	if (dir < 0)
		return -1;
	file = xasprintf("%s.jsonl", ev->who);
	failed = append_event(dir, file, ev);
	close(dir);
	if (failed)
		error_set(e, EXIT_OUTPUT, "%s: %s", file, strerror(failed));
	free(file);
	return failed ? -1 : 0;
}

/* ---- count people and answers ---- */

/* Counts the people at a step of a lesson. */
int class_at(const struct class_room *room, const char *lesson, int step)
{
	int n = 0;

	for (size_t i = 0; i < room->person_count; i++)
		n += room->people[i].step == step &&
		     !strcmp(room->people[i].lesson, lesson);
	return n;
}

static int compare_steps(const void *a, const void *b)
{
	const struct class_person *x = *(const struct class_person *const *)a;
	const struct class_person *y = *(const struct class_person *const *)b;
	int names = strcmp(x->lesson, y->lesson);

	if (names || x->step != y->step)
		return names ? names : x->step < y->step ? -1 : 1;
	return x < y ? -1 : x > y;
}

struct class_group *class_groups(const struct class_room *room, size_t *count)
{
	size_t n = room->person_count;
	const struct class_person **p = xcalloc(n + 1, sizeof(*p));
	struct class_group *g = xcalloc(n + 1, sizeof(*g)), *last = NULL;

	for (size_t i = 0; i < n; i++)
		p[i] = &room->people[i];
	qsort(p, n, sizeof(*p), compare_steps);
	*count = 0;
	for (size_t i = 0; i < n; i++) {
		if (!last || p[i]->step != last->people[0]->step ||
		    strcmp(p[i]->lesson, last->people[0]->lesson)) {
			last = &g[(*count)++];
			last->people = p + i;
		}
		last->count++;
	}
	/* The groups share one array, which the first begins. */
	g[0].people = p;
	return g;
}

void class_groups_done(struct class_group *groups)
{
	free(groups[0].people);
	free(groups);
}

/* Returns how many people are at the event's step. */
static int count_at(const struct class_group *groups, size_t count,
		    const struct class_event *ev)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = (low + high) / 2;
		const struct class_person *p = groups[middle].people[0];
		int names = strcmp(p->lesson, ev->lesson);

		if (!names && p->step == ev->step)
			return (int)groups[middle].count;
		if (names < 0 || (!names && p->step < ev->step))
			low = middle + 1;
		else
			high = middle;
	}
	return 0;
}

/* Finds the question of the poll. */
static void choose_question(const struct class_room *room,
			    struct class_poll *poll)
{
	size_t count;
	struct class_group *groups = class_groups(room, &count);
	int most = 0;

	for (size_t i = 0; i < room->event_count; i++) {
		const struct class_event *ev = &room->events[i];
		int n = ev->answered ? 1 + count_at(groups, count, ev) : 0;
		bool here = poll->step == ev->step &&
			    !strcmp(poll->lesson, ev->lesson);

		if (n > most || (n && here && ev->question > poll->question)) {
			most = n;
			memcpy(poll->lesson, ev->lesson, sizeof(ev->lesson));
			poll->step = ev->step;
			poll->question = ev->question;
		}
	}
	class_groups_done(groups);
}

static void add_answer(struct class_poll *poll, const struct class_event *ev)
{
	int i = 0;

	while (i < poll->answer_count &&
	       strcmp(poll->answers[i].text, ev->answer))
		i++;
	if (i == CLASS_ANSWERS)
		return;
	if (i == poll->answer_count) {
		memcpy(poll->answers[i].text, ev->answer,
		       sizeof(poll->answers[i].text));
		poll->answers[i].right = ev->right;
		poll->answer_count++;
	}
	poll->answers[i].count++;
}

/* Finds the question of the poll and counts its answers, the first of each
 * person: the events of a person are adjacent. */
void class_poll(const struct class_room *room, struct class_poll *poll)
{
	const char *last = "";

	*poll = (struct class_poll){0};
	choose_question(room, poll);
	for (size_t i = 0; i < room->event_count; i++) {
		const struct class_event *ev = &room->events[i];

		if (!ev->answered || ev->step != poll->step ||
		    ev->question != poll->question ||
		    strcmp(ev->lesson, poll->lesson) || !strcmp(ev->who, last))
			continue;
		last = ev->who;
		add_answer(poll, ev);
	}
}
