#include "app/progress.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/lang.h"
#include "base/text.h"

#define VERSION 1
#define SIZE_MOST (1u << 20)
#define STEPS_MOST 1000

static char *find_path(void)
{
	const char *keep = getenv("GEMMVIZ_PROGRESS");
	const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");

	if (keep && !strcmp(keep, "off"))
		return NULL;
	if (state && *state)
		return xasprintf("%s/gemmviz/progress.json", state);
	return home && *home ?
	       xasprintf("%s/.local/state/gemmviz/progress.json", home) : NULL;
}

static struct progress_lesson *find_lesson(const struct progress *p,
					   const char *name)
{
	for (size_t i = 0; i < p->count; i++)
		if (!strcmp(p->lessons[i].name, name))
			return &p->lessons[i];
	return NULL;
}

static struct progress_lesson *add_lesson_progress(struct progress *p,
						   const char *name)
{
	struct progress_lesson *l = find_lesson(p, name);

	if (l)
		return l;
	grow(&p->lessons, &p->capacity, p->count + 1, sizeof(*p->lessons));
	l = &p->lessons[p->count++];
	*l = (struct progress_lesson){ .name = xstrdup(name),
				       .answers = xstrdup("") };
	return l;
}

/* Makes room for at least that many answers. */
static void fit_answers(struct progress_lesson *l, size_t questions)
{
	size_t n = strlen(l->answers);

	if (n >= questions)
		return;
	l->answers = xrealloc(l->answers, questions + 1, 1);
	memset(l->answers + n, '-', questions - n);
	l->answers[questions] = 0;
}

/* Adds what the file says to what is known. */
static bool take_lesson(struct progress *p, const char *name, json_t *of)
{
	const char *answers;
	int step;
	struct progress_lesson *l;

	if (json_unpack(of, "{si ss}", "step", &step, "answers", &answers) ||
	    step < 0 || step > STEPS_MOST ||
	    answers[strspn(answers, "rw-")])
		return false;
	l = add_lesson_progress(p, name);
	l->step = MAX(l->step, step);
	fit_answers(l, strlen(answers));
	for (size_t i = 0; answers[i]; i++)
		if (answers[i] != '-')
			l->answers[i] = answers[i];
	return true;
}

/* Reads progress from a text. Returns false if it is none of this version. */
static bool read_progress_text(struct progress *p, const char *text, size_t len)
{
	json_t *whole = json_loadb(text, len, JSON_REJECT_DUPLICATES, NULL);
	json_t *lessons, *of;
	const char *name;
	int version;
	bool sound = whole && !json_unpack(whole, "{si so}", "version",
					   &version, "lessons", &lessons) &&
		     version == VERSION && json_is_object(lessons);

	if (sound)
		json_object_foreach(lessons, name, of)
			sound &= take_lesson(p, name, of);
	if (sound) {
		json_decref(p->others);
		p->others = json_incref(whole);
		json_object_del(whole, "lessons");
	}
	json_decref(whole);
	return sound;
}

/* Reads the file; a missing one is empty. Returns false if it is damaged. */
static bool read_progress_file(struct progress *p)
{
	struct error e;
	size_t len;
	char *text;
	bool sound;

	if (access(p->path, F_OK))
		return true;
	text = file_read(p->path, SIZE_MOST, &len, &e);
	sound = text && read_progress_text(p, text, len);
	free(text);
	return sound;
}

static void forget_lessons(struct progress *p)
{
	for (size_t i = 0; i < p->count; i++) {
		free(p->lessons[i].name);
		free(p->lessons[i].answers);
	}
	p->count = 0;
}

static int put_aside(struct progress *p, struct error *e)
{
	char *aside = xasprintf("%s.damaged", p->path);

	forget_lessons(p);
	if (rename(p->path, aside))
		error_set(e, EXIT_INPUT, _("%s is damaged: %m"),
			  text_show(p->path));
	else
		error_set(e, EXIT_INPUT,
			  _("your progress could not be read; it was moved to "
			    "%s"), text_show(aside));
	free(aside);
	return -1;
}

int progress_open(struct progress *p, struct error *e)
{
	*p = (struct progress){ .path = find_path() };
	return !p->path || read_progress_file(p) ? 0 : put_aside(p, e);
}

void progress_done(struct progress *p)
{
	forget_lessons(p);
	json_decref(p->others);
	free(p->lessons);
	free(p->path);
	*p = (struct progress){0};
}

struct progress_lesson progress_of(const struct progress *p, const char *name)
{
	const struct progress_lesson *l = find_lesson(p, name);

	return l ? *l : (struct progress_lesson){ .answers = (char *)"" };
}

static int write_progress(const struct progress *p, struct error *e)
{
	json_t *lessons = json_object(), *whole;
	char *text;
	int status;

	if (!p->path) {
		json_decref(lessons);
		return 0;
	}
	for (size_t i = 0; i < p->count; i++)
		json_object_set_new(lessons, p->lessons[i].name,
			json_pack("{si ss}", "step", p->lessons[i].step,
				  "answers", p->lessons[i].answers));
	whole = json_pack("{si so}", "version", VERSION, "lessons", lessons);
	json_object_update_missing(whole, p->others);
	text = json_dumps(whole, JSON_INDENT(1) | JSON_SORT_KEYS);
	json_decref(whole);
	if (!text)
		fatal("out of memory");
	status = file_write(p->path, text, e);
	free(text);
	return status;
}

/* Adds to the file, which another program of this reader may have changed, and
 * writes it. Returns -1 with e. */
static int add_to_file(struct progress *p, struct error *e)
{
	if (p->path)
		read_progress_file(p);
	return write_progress(p, e);
}

int progress_step(struct progress *p, const char *name, int step,
		  struct error *e)
{
	struct progress_lesson *l = add_lesson_progress(p, name);

	if (step <= l->step)
		return 0;
	l->step = step;
	return add_to_file(p, e);
}

int progress_answer(struct progress *p, const char *name, size_t question,
		    size_t questions, bool right, struct error *e)
{
	struct progress_lesson *l = add_lesson_progress(p, name);

	fit_answers(l, questions);	/* the lesson may have grown */
	if (l->answers[question] != '-')
		return 0;	/* it was asked again */
	l->answers[question] = right ? 'r' : 'w';
	return add_to_file(p, e);
}

/* ---- rungs ---- */

struct progress_rung progress_rung_of(const struct progress *p,
				      const char *name,
				      const char *const *costs)
{
	const json_t *of = json_object_get(json_object_get(p->others,
							   "practice"), name);
	const char *hash = json_string_value(json_object_get(of, "hash"));
	const char *skeleton = json_string_value(json_object_get(of,
								 "skeleton"));
	const char *passed = json_string_value(json_object_get(of, "passed"));
	const char *stage = json_string_value(json_object_get(of, "stage"));
	struct progress_rung r = {
		.tries = (int)json_integer_value(json_object_get(of, "tries")),
		.hints = (int)json_integer_value(json_object_get(of, "hints")),
		.hash = hash ? strtoull(hash, NULL, 16) : 0,
		.skeleton = skeleton ? strtoull(skeleton, NULL, 16) : 0,
	};

	snprintf(r.passed, sizeof(r.passed), "%s", passed ? passed : "");
	snprintf(r.stage, sizeof(r.stage), "%s", stage ? stage : "");
	for (size_t i = 0; costs[i] && i < PROGRESS_COSTS; i++) {
		const json_t *v = json_object_get(json_object_get(of, "costs"),
						  costs[i]);

		r.costs[i] = json_is_integer(v) ? json_integer_value(v) : NA;
	}
	return r;
}

static json_t *rung_json(const struct progress_rung *r,
			 const char *const *costs)
{
	json_t *list = json_object();
	char hash[24], skeleton[24];

	snprintf(hash, sizeof(hash), "%016llx", (unsigned long long)r->hash);
	snprintf(skeleton, sizeof(skeleton), "%016llx",
		 (unsigned long long)r->skeleton);
	for (size_t i = 0; costs[i] && i < PROGRESS_COSTS; i++)
		if (r->costs[i] >= 0)
			json_object_set_new(list, costs[i],
					    json_integer(r->costs[i]));
	return json_pack("{si si ss ss ss ss so}", "tries", r->tries, "hints",
			 r->hints, "passed", r->passed, "stage", r->stage,
			 "hash", hash, "skeleton", skeleton, "costs", list);
}

int progress_rung_set(struct progress *p, const char *name,
		      const struct progress_rung *r, const char *const *costs,
		      struct error *e)
{
	json_t *rungs;

	if (p->path)
		read_progress_file(p);
	if (!p->others)
		p->others = json_object();
	rungs = json_object_get(p->others, "practice");
	if (!json_is_object(rungs)) {
		rungs = json_object();
		json_object_set_new(p->others, "practice", rungs);
	}
	json_object_set_new(rungs, name, rung_json(r, costs));
	return write_progress(p, e);
}

int progress_forget(struct progress *p, struct error *e)
{
	forget_lessons(p);
	json_decref(p->others);
	p->others = NULL;
	return write_progress(p, e);
}
