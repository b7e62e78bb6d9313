/* What is done in a class, as lines of JSON. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "reader/class.h"

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
	text = json_dumps(j, JSON_COMPACT);
	json_decref(j);
	if (!text)
		fatal("out of memory");
	line = xasprintf("%s\n", text);
	free(text);
	return line;
}

static bool copy(char *to, size_t size, const char *from)
{
	return (size_t)snprintf(to, size, "%s", from) < size;
}

static bool take(json_t *j, struct class_event *ev)
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
	ev->right = right;
	return copy(ev->who, sizeof(ev->who), who) &&
	       copy(ev->lesson, sizeof(ev->lesson), lesson) &&
	       copy(ev->answer, sizeof(ev->answer), answer ? answer : "");
}

bool class_event_read(const char *line, size_t len, struct class_event *ev)
{
	json_t *j = json_loadb(line, len, JSON_REJECT_DUPLICATES, NULL);
	bool sound;

	*ev = (struct class_event){0};
	sound = j && take(j, ev);
	json_decref(j);
	return sound;
}
