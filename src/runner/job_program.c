/*
 * job_program: what a job says of a program that is to be run. See job.h.
 */
#include <stdlib.h>
#include <string.h>

#include "base/cpp_words.h"
#include "base/text.h"
#include "runner/headers.h"
#include "runner/job.h"

#define ARGUMENTS_MAX 1024
#define WORD_MAX 65536

void job_program_argument(struct job_program *p, const char *argument)
{
	p->arguments = xrealloc(p->arguments, p->argument_count + 1,
				sizeof(*p->arguments));
	p->arguments[p->argument_count++] = (struct trace_define) {
		xstrdup(argument), NULL,
	};
}

struct job_program job_program_copy(const struct job_program *p)
{
	struct job_program c = *p;

	c.arguments = NULL;
	c.argument_count = 0;
	for (size_t i = 0; i < p->argument_count; i++)
		job_program_argument(&c, p->arguments[i].name);
	c.files = job_defines_copy(&p->files);
	c.readable = job_defines_copy(&p->readable);
	c.writable = job_defines_copy(&p->writable);
	c.folder = p->folder ? xstrdup(p->folder) : NULL;
	c.standard = p->standard ? xstrdup(p->standard) : NULL;
	return c;
}

void job_program_done(struct job_program *p)
{
	for (size_t i = 0; i < p->argument_count; i++)
		free(p->arguments[i].name);
	free(p->arguments);
	job_defines_done(&p->files);
	job_defines_done(&p->readable);
	job_defines_done(&p->writable);
	free(p->folder);
	free(p->standard);
	*p = (struct job_program){ 0 };
}

bool job_program_main(const char *text)
{
	struct cpp_text t = { text, strchr(text, '\0'), true, false };
	struct cpp_word before = { 0 }, w;

	for (w = cpp_next_code(&t); w.kind; w = cpp_next_code(&t)) {
		struct cpp_text after = t;
		struct cpp_word open = cpp_next_code(&after);

		if (cpp_is(&w, "main") && open.kind == '(' &&
		    (cpp_is(&before, "int") || cpp_is(&before, "void") ||
		     cpp_is(&before, "auto") || cpp_is(&before, "signed")))
			return true;
		before = w;
	}
	return false;
}

/* ---- messages ---- */

static json_t *names_member(const struct job_defines *d)
{
	json_t *list = json_array();

	for (size_t i = 0; i < d->count; i++)
		json_array_append_new(list, json_string(d->list[i].name));
	return list;
}

json_t *job_program_member(const struct job_program *p)
{
	json_t *arguments = json_array();

	for (size_t i = 0; i < p->argument_count; i++)
		json_array_append_new(arguments,
				      json_string(p->arguments[i].name));
	return json_pack("{so so so so ss* ss* sI sI sI so*}", "arguments", arguments,
			 "files", names_member(&p->files),
			 "readable", names_member(&p->readable),
			 "writable", names_member(&p->writable),
			 "folder", p->folder, "standard", p->standard,
			 "launch", (json_int_t)p->launch,
			 "arch", (json_int_t)p->arch,
			 "devices", (json_int_t)p->devices,
			 "images", p->images ? json_true() : NULL);
}

static int wrong(const char *key, struct error *e)
{
	return error_set(e, EXIT_USAGE, "bad request: \"program\" has a wrong "
			 "\"%s\"", text_show(key));
}

/* A word without NUL; NULL: it is none. */
static const char *word_of(const json_t *v)
{
	const char *s = json_string_value(v);

	return s && strlen(s) == json_string_length(v) &&
	       strlen(s) < WORD_MAX ? s : NULL;
}

static int arguments_read(struct job_program *p, const json_t *v,
			  const char *key, struct error *e)
{
	size_t count = json_array_size(v);

	for (size_t i = 0; i < count; i++) {
		const char *word = word_of(json_array_get(v, i));

		if (!word || count > ARGUMENTS_MAX)
			return wrong(key, e);
		job_program_argument(p, word);
	}
	return 0;
}

static int names_read(struct job_defines *to, const json_t *v, const char *key,
		      struct error *e)
{
	size_t count = json_array_size(v);

	for (size_t i = 0; i < count; i++) {
		const char *word = word_of(json_array_get(v, i));

		if (!word || !*word || count > PROGRAM_PATHS_MOST)
			return wrong(key, e);
		job_define(to, word, "");
	}
	return 0;
}

static int word_read(char **to, const json_t *v, const char *key,
		     struct error *e)
{
	const char *word = word_of(v);

	if (!word || *to)
		return wrong(key, e);
	*to = xstrdup(word);
	return 0;
}

static int number_read(uint32_t *to, const json_t *v, const char *key,
		       struct error *e)
{
	json_int_t n = json_integer_value(v);

	if (!json_is_integer(v) || n < 0 || n > INT32_MAX)
		return wrong(key, e);
	*to = (uint32_t)n;
	return 0;
}

static int member_read(struct job_program *p, const json_t *v, const char *key,
		       struct error *e)
{
	if (!strcmp(key, "arguments"))
		return arguments_read(p, v, key, e);
	if (!strcmp(key, "files"))
		return names_read(&p->files, v, key, e);
	if (!strcmp(key, "readable"))
		return names_read(&p->readable, v, key, e);
	if (!strcmp(key, "writable"))
		return names_read(&p->writable, v, key, e);
	if (!strcmp(key, "folder"))
		return word_read(&p->folder, v, key, e);
	if (!strcmp(key, "standard"))
		return word_read(&p->standard, v, key, e);
	if (!strcmp(key, "launch"))
		return number_read(&p->launch, v, key, e);
	if (!strcmp(key, "arch"))
		return number_read(&p->arch, v, key, e);
	if (!strcmp(key, "images")) {
		p->images = json_is_true(v);
		return json_is_boolean(v) ? 0 : wrong(key, e);
	}
	if (!strcmp(key, "devices") && json_is_integer(v) &&
	    json_integer_value(v) <= DEVICES_MOST)
		return number_read(&p->devices, v, key, e);
	return wrong(key, e);
}

int job_program_read(struct job_program *p, const json_t *v, struct error *e)
{
	const char *key;
	json_t *item;

	if (!json_is_object(v) || p->run)
		return wrong("", e);
	p->run = true;
	json_object_foreach((json_t *)v, key, item)
		if (member_read(p, item, key, e) < 0)
			return -1;
	return 0;
}
