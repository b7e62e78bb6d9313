/* A class: what all of its people have done. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/lang.h"
#include "base/text.h"
#include "reader/class.h"

#define FILE_MOST (16u << 20)

int class_start(const char *folder, const char *name, struct error *e)
{
	char *path;
	int failed;

	if (!class_name_valid(name))
		return error_set(e, EXIT_USAGE, "'%s' cannot name a class: "
				 "letters, digits, - and _", text_show(name));
	path = xasprintf("%s/%s", folder, name);
	/* Everybody may add a file, and nobody take away another's. */
	if (!mkdir(folder, 0777))
		chmod(folder, 01777);
	failed = mkdir(path, 0777) ? errno : chmod(path, 01777) ? errno : 0;
	free(path);
	if (failed == EEXIST)
		return error_set(e, EXIT_USAGE, "there is a class '%s' already",
				 name);
	return failed ? error_set(e, EXIT_OUTPUT, "%s: %s", text_show(folder),
				  strerror(failed)) : 0;
}

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

static void add_text(struct class_room *room, const char *text,
		     const char *who)
{
	int n = 0;

	for (size_t len; *text; text += len + (text[len] == '\n')) {
		struct class_event ev;

		len = strcspn(text, "\n");
		/* One that is being written is not damaged. */
		if (!text[len])
			break;
		if (!class_event_read(text, len, &ev) || strcmp(ev.who, who)) {
			room->damaged++;
		} else if (ev.n > n) {
			n = ev.n;
			class_room_add(room, &ev);
		}
	}
}

static void add_file(struct class_room *room, const char *path,
		     const char *who)
{
	struct error e;
	size_t len;
	char *text = file_read(path, FILE_MOST, &len, &e);

	if (text)
		add_text(room, text, who);
	else
		room->damaged++;
	free(text);
}

int class_read(struct class_room *room, const char *folder, const char *name,
	       struct error *e)
{
	char *path = xasprintf("%s/%s", folder, name);
	struct dirent **list;
	int n = scandir(path, &list, NULL, alphasort), failed = errno;

	*room = (struct class_room){0};
	for (int i = 0; i < n; i++) {
		size_t len = strlen(list[i]->d_name);
		char *who = xstrndup(list[i]->d_name, len > 6 ? len - 6 : 0);
		char *file = xasprintf("%s/%s", path, list[i]->d_name);

		if (class_name_valid(who) &&
		    !strcmp(list[i]->d_name + len - 6, ".jsonl"))
			add_file(room, file, who);
		free(file);
		free(who);
		free(list[i]);
	}
	if (n >= 0)
		free(list);
	free(path);
	return n >= 0 ? 0 : error_set(e, EXIT_INPUT, _("class %s in %s: %s"),
				      text_show(name), text_show(folder),
				      strerror(failed));
}

void class_room_done(struct class_room *room)
{
	free(room->events);
	free(room->people);
	*room = (struct class_room){0};
}

int class_collect(const char *folder, const char *name,
		  const struct class_event *ev, struct error *e)
{
	char *path = xasprintf("%s/%s/%s.jsonl", folder, name, ev->who);
	char *line = class_event_line(ev);
	struct class_room before = {0};
	int fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC |
		      O_NOFOLLOW, 0644), failed = fd < 0 ? errno : 0;

	if (!failed) {
		add_file(&before, path, ev->who);
		if ((!before.event_count ||
		     before.events[before.event_count - 1].n < ev->n) &&
		    (write_all(fd, line, strlen(line)) || fsync(fd)))
			failed = errno;
		close(fd);
	}
	class_room_done(&before);
	free(line);
	if (failed)
		error_set(e, EXIT_OUTPUT, "%s: %s", text_show(path),
			  strerror(failed));
	free(path);
	return failed ? -1 : 0;
}

/* ---- what it comes to ---- */

int class_at(const struct class_room *room, const char *lesson, int step)
{
	int n = 0;

	for (size_t i = 0; i < room->person_count; i++)
		n += room->people[i].step == step &&
		     !strcmp(room->people[i].lesson, lesson);
	return n;
}

/* Whether somebody has answered this question before the event. */
static bool answered_before(const struct class_room *room, size_t at)
{
	const struct class_event *ev = &room->events[at];

	while (at-- > 0) {
		const struct class_event *b = &room->events[at];

		if (strcmp(b->who, ev->who))
			return false;
		if (b->answered && b->step == ev->step &&
		    b->question == ev->question &&
		    !strcmp(b->lesson, ev->lesson))
			return true;
	}
	return false;
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

void class_poll(const struct class_room *room, struct class_poll *poll)
{
	int most = 0;

	*poll = (struct class_poll){0};
	for (size_t i = 0; i < room->event_count; i++) {
		const struct class_event *ev = &room->events[i];
		int n = ev->answered ? 1 + class_at(room, ev->lesson,
						    ev->step) : 0;
		bool here = !strcmp(poll->lesson, ev->lesson) &&
			    poll->step == ev->step;

		if (n > most || (n && here && ev->question > poll->question)) {
			most = n;
			memcpy(poll->lesson, ev->lesson, sizeof(ev->lesson));
			poll->step = ev->step;
			poll->question = ev->question;
		}
	}
	for (size_t i = 0; i < room->event_count; i++) {
		const struct class_event *ev = &room->events[i];

		if (ev->answered && ev->step == poll->step &&
		    ev->question == poll->question &&
		    !strcmp(ev->lesson, poll->lesson) &&
		    !answered_before(room, i))
			add_answer(poll, ev);
	}
}
