/* job_program: the part of a job that is about a program. See job.h. */
#include <stdlib.h>
#include <string.h>

#include "base/cpp_words.h"
#include "protocol/job.h"

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
	json_incref(c.judge);
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
	json_decref(p->judge);
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
