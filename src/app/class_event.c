/* class_event: the events of a class, and the teacher's place, as lines of
 * JSON. */
#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/lang.h"
#include "base/text.h"
#include "app/class.h"
#include "app/class_folder.h"

#define PLACE_FILE "place.json"
#define PLACE_MOST 16384	/* bytes */

bool class_name_valid(const char *name)
{
	size_t n = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789"
				"ABCDEFGHIJKLMNOPQRSTUVWXYZ-_");

	return n && n < CLASS_NAME && !name[n];
}

char *class_event_line(const struct class_event *ev)
{
	json_t *j = json_pack("{si ss si ss si si}", "v", 1, "who", ev->who,
			      "n", ev->n, "lesson", ev->lesson, "step",
			      ev->step, "steps", ev->steps);
	char *text, *line;

	if (ev->answered) {
		json_object_set_new(j, "question", json_integer(ev->question));
		json_object_set_new(j, "answer", json_string(ev->answer));
		json_object_set_new(j, "right", json_boolean(ev->right));
	}
	if (ev->tries) {
		json_object_set_new(j, "tries", json_integer(ev->tries));
		json_object_set_new(j, "hints", json_integer(ev->hints));
	}
	text = json_dumps(j, JSON_COMPACT);
	json_decref(j);
	if (!text)
		fatal("out of memory");
	line = xasprintf("%s\n", text);
	free(text);
	return line;
}

static bool copy_fitting(char *to, size_t size, const char *from)
{
	return (size_t)snprintf(to, size, "%s", from) < size;
}

static bool read_event(json_t *j, struct class_event *ev)
{
	const char *who, *lesson, *answer = NULL;
	int version, right = 0;

	if (json_unpack(j, "{si ss si ss si si}", "v", &version, "who", &who,
			"n", &ev->n, "lesson", &lesson, "step", &ev->step,
			"steps", &ev->steps) || version != 1 ||
	    !class_name_valid(who) || !class_name_valid(lesson) ||
	    ev->n < 1 || ev->step < 1 || ev->steps < 1)
		return false;
	ev->answered = json_object_get(j, "answer");
	if (ev->answered &&
	    (json_unpack(j, "{si ss sb}", "question", &ev->question, "answer",
			 &answer, "right", &right) || ev->question < 1))
		return false;
	if (json_unpack(j, "{s?i s?i}", "tries", &ev->tries, "hints",
			&ev->hints) || ev->tries < 0 || ev->hints < 0)
		return false;
	ev->right = right;
	return copy_fitting(ev->who, sizeof(ev->who), who) &&
	       copy_fitting(ev->lesson, sizeof(ev->lesson), lesson) &&
	       copy_fitting(ev->answer, sizeof(ev->answer),
			    answer ? answer : "");
}

bool class_event_read(const char *line, size_t len, struct class_event *ev)
{
	json_t *j = json_loadb(line, len, JSON_REJECT_DUPLICATES, NULL);
	bool sound;

	*ev = (struct class_event){0};
	sound = j && read_event(j, ev);
	json_decref(j);
	return sound;
}

/* ---- compare and read the teacher's place ---- */

bool class_place_same(const struct class_place *a, const struct class_place *b)
{
	bool same = a->turns.zoom == b->turns.zoom;

#define SAME(name) same &= a->turns.name == b->turns.name;
	TURN_LIST(SAME)
#undef SAME
	return same && !strcmp(a->lesson, b->lesson) &&
	       !strcmp(a->view, b->view) && a->pane == b->pane &&
	       a->step == b->step && a->question == b->question &&
	       a->answered == b->answered && a->warp == b->warp &&
	       a->request == b->request && a->lane == b->lane;
}

static json_t *turns_object(const struct turns *t)
{
	json_t *o = json_pack("{si}", "zoom", t->zoom);

#define ADD(name) json_object_set_new(o, #name, json_integer(t->name));
	TURN_LIST(ADD)
#undef ADD
	return o;
}

/* Reads what the teacher's keys changed; what is missing stays as recorded.
 * Returns false if a value is out of range. */
static bool read_turns(json_t *o, struct turns *t)
{
	bool sound = true;

#define TAKE(name) \
	sound &= !json_unpack(o, "{s?i}", #name, &t->name) && \
		 abs(t->name) <= CLASS_TURNS_MOST;
	TAKE(zoom)
	TURN_LIST(TAKE)
#undef TAKE
	return sound;
}

int class_place_write(const char *folder, const char *name,
		      const struct class_place *p, struct error *e)
{
	json_t *j = json_pack("{si ss si si sb si si si ss si so}", "v", 1,
			      "lesson", p->lesson, "step", p->step, "question",
			      p->question, "answered", p->answered, "warp",
			      p->warp, "request", p->request, "lane", p->lane,
			      "view", p->view, "pane", p->pane, "turns",
			      turns_object(&p->turns));
	char *text = json_dumps(j, JSON_COMPACT);
	int dir = class_folder_open(folder, name, e), failed;

	json_decref(j);
	if (!text)
		fatal("out of memory");
	failed = dir < 0 ? 0 : class_file_replace(dir, PLACE_FILE, text);
	free(text);
	if (dir < 0)
		return -1;
	close(dir);
	return failed ? error_set(e, EXIT_OUTPUT, "%s: %s", PLACE_FILE,
				  strerror(failed)) : 0;
}

/* Reads a place. Those without a picture are of earlier versions. Returns false
 * if it is none. */
static bool take_class_place(json_t *j, struct class_place *p)
{
	const char *lesson, *view = "";
	json_t *turns = NULL;
	int version, answered;

	if (!j || json_unpack(j, "{si ss si si sb si si si s?s s?i s?o}", "v",
			      &version, "lesson", &lesson, "step", &p->step,
			      "question", &p->question, "answered", &answered,
			      "warp", &p->warp, "request", &p->request, "lane",
			      &p->lane, "view", &view, "pane", &p->pane,
			      "turns", &turns) || version != 1 ||
	    !class_name_valid(lesson) || p->step < 1 || p->question < 1 ||
	    p->warp < 0 || p->request < 0 || p->lane < 0 ||
	    (turns && !read_turns(turns, &p->turns)))
		return false;
	p->answered = answered;
	return copy_fitting(p->lesson, sizeof(p->lesson), lesson) &&
	       copy_fitting(p->view, sizeof(p->view), view);
}

/* Returns 1 if the text is a place, and -1 otherwise. */
static int parse_place(const char *text, size_t len, struct class_place *p)
{
	json_t *j = json_loadb(text, len, JSON_REJECT_DUPLICATES, NULL);
	bool sound = take_class_place(j, p);

	json_decref(j);
	return sound ? 1 : -1;
}

int class_place_read(const char *folder, const char *name,
		     struct class_place *p, struct error *e)
{
	char text[PLACE_MOST + 1];
	int dir = class_folder_open(folder, name, e), fd, found = 0;
	ssize_t n;

	*p = (struct class_place){ .step = 0 };
	if (dir < 0)
		return -1;
	fd = class_file_open(dir, PLACE_FILE);
	if (fd >= 0) {
		n = read(fd, text, sizeof(text));
		found = n < 0 || n > PLACE_MOST ? -1 :
			parse_place(text, (size_t)n, p);
		close(fd);
	} else if (errno != ENOENT) {
		found = -1;
	}
	close(dir);
	return found < 0 ? error_set(e, EXIT_INPUT, _("%s is damaged"),
				     PLACE_FILE) : found;
}
