#include "emu/compile_said.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef HAVE_CONFIG_H
#include "config.h"
#endif
#include "base/confine.h"
#include "base/text.h"
#include "runner/headers.h"

bool said_message(const char *line, char file[256], unsigned *number,
		  const char **rest)
{
	int end = 0;

	if (sscanf(line, "%255[^:\n]:%u:%*u: %n", file, number, &end) != 2 ||
	    !end)
		return false;
	*rest = line + end;
	return true;
}

char *said_left_out(char *said, struct job_defines *left_out)
{
	char *behind = said;

	for (char *l = strstr(said, LEFT_OUT); l; l = strstr(l, LEFT_OUT)) {
		char *why, *name, *line;
		size_t n;

		l += strlen(LEFT_OUT);
		n = strcspn(l, "\n");
		line = xstrndup(l, n);
		behind = l + n;
		name = line + strcspn(line, " ");
		*name++ = '\0';
		why = behind + (*behind == '\n');
		if (*line == '!' &&
		    !strncmp(why, LEFT_OUT_WHY, strlen(LEFT_OUT_WHY))) {
			why += strlen(LEFT_OUT_WHY);
			n = strcspn(why, "\n");
			behind = why + n;
			why = xasprintf("!%.*s", (int)n, why);
		} else {
			why = xstrdup(line);
		}
		job_define(left_out, name, why);
		free(why);
		free(line);
	}
	return behind;
}

/* " (helper.h, which line 3 includes, is not here; ...)" */
static char *lacks_words(const struct job_defines *left_out)
{
	struct str s = { 0 };

	for (size_t i = 0; i < left_out->count; i++) {
		const struct trace_define *h = &left_out->list[i];

		str_add(&s, i ? "; " : " (");
		if (h->value[0] == '!')
			str_add(&s, text_show(h->value + 1));
		else
			str_addf(&s, "%s, which line %s includes, is not here",
				 text_show(h->name), h->value);
	}
	str_add(&s, left_out->count ? ")" : "");
	return str_take(&s);
}

/* The reader's name of a file; NULL: it is none of the reader's. */
static const char *file_shown(const struct compile_job *job, const char *file)
{
	char *name = headers_name(file);
	bool header = job_defined(job->headers, name);

	free(name);
	return header ? file : !strcmp(file, OWN_NAME) ? job->name : NULL;
}

static bool ends_in(const char *text, const char *end)
{
	size_t n = strlen(text), k = strlen(end);

	return n >= k && !strcmp(text + n - k, end);
}

/* "'cudaFoo' was not declared in this scope": a name of CUDA's libraries, or a
 * header of theirs that is missing. */
static bool unplayed(const char *reason, char word[128])
{
	static const char *const begin[] = { "cu", "CU", "texture", "tex",
		"surf", "nccl", "NV", "nv", "thrust", "cg", "npp" };
	const char *none = strstr(reason, ": No such file or directory");

	if (none && sscanf(reason, "%127[^:]", word) == 1)
		return strstr(word, "cu") || !strncmp(word, "thrust", 6) ||
		       !strncmp(word, "nv", 2) || !strncmp(word, "npp", 3);
	if (sscanf(reason, "'%127[A-Za-z0-9_]'", word) != 1 ||
	    (!strstr(reason, "not declared") &&
	     !strstr(reason, "not been declared") &&
	     !strstr(reason, "does not name a type")))
		return false;
	for (size_t i = 0; i < LENGTH(begin); i++)
		if (!strncmp(word, begin[i], strlen(begin[i])))
			return true;
	return false;
}

/*
 * ".gemmviz.cu:12:5: error: expected ..." becomes "x.cu:12: expected ...". What
 * the linker says has no line; its first line with a reason is taken. Headers
 * that were left out are named with it.
 */
static void compile_said(const struct compile_job *job, char *said,
			 const struct job_defines *left_out, struct error *e)
{
	static const char undefined[] = "undefined reference to ";
	const char *reason = NULL, *rest, *at = NULL;
	char *lacks = lacks_words(left_out), file[256], word[128];
	unsigned line = 0;

	for (char *l = strtok(said, "\n"); l && !reason;
	     l = strtok(NULL, "\n")) {
		char *error = strstr(l, "rror: ");	/* the assembler's: Error */
		char *symbol = strstr(l, undefined);

		at = said_message(l, file, &line, &rest) ?
		     file_shown(job, file) : NULL;
		if (error || symbol)
			reason = symbol ? symbol : error + strlen("rror: ");
	}
	if (at && reason && job->how != COMPILE_KERNEL &&
	    unplayed(reason, word))
		error_set(e, EXIT_INPUT, "%s:%u: %s is not played by the "
			  "recorder", text_show(at), line, word);
	else if (at && reason && ends_in(reason, ": Permission denied"))
		error_set(e, EXIT_REFUSED, "%s:%u: refused: it tried to read "
			  "%.*s", text_show(at), line,
			  (int)(strlen(reason) - strlen(": Permission denied")),
			  text_show(reason));
	else if (at)
		error_set(e, EXIT_INPUT, "%s:%u: %s%s", text_show(at), line,
			  text_show(reason), lacks);
	else
		error_set(e, EXIT_INPUT, "%s does not compile: %s%s",
			  text_show(job->name), reason ? text_show(reason) :
			  "the compiler gave no reason", lacks);
	free(lacks);
}

static void crash_said(const char *name, struct error *e)
{
	error_set(e, EXIT_REFUSED, "%s: the compiler crashes on it",
		  text_show(name));
}

/* The compiler itself says that it has crashed, or its driver does, which says
 * the same of one that was killed. */
static bool is_crash(const char *said)
{
	static const char words[] = ": internal compiler error: ";

	for (const char *l = said; l; l = strchr(l, '\n')) {
		const char *at;

		l += *l == '\n';
		at = strstr(l, ": ");
		if (at && !strncmp(at, words, strlen(words)) &&
		    at < strchrnul(l, '\n') &&
		    !memmem(at, strcspn(at, "\n"), "terminated", 10))
			return true;
	}
	return strstr(said, "Segmentation fault signal");
}

void said_failed(const struct compile_job *job, int status, char *said,
		 const struct job_defines *left_out, struct error *e)
{
	const char *name = job->name;

	switch (status) {
	case 127:
		error_set(e, EXIT_RUNNER, "%s is not installed: without it "
			  "only the kernels built beforehand can be recorded",
			  KERNEL_CXX);
		return;
	case STATUS_LATE:
		error_set(e, EXIT_REFUSED, "compiling %s took more than %d "
			  "seconds", text_show(name), COMPILE_SECONDS);
		return;
	case STATUS_CRASH:
		crash_said(name, e);
		return;
	case 125:
	case 126:
		error_set(e, EXIT_RUNNER, "%s cannot be compiled: no "
			  "temporary folder, or %s cannot be started",
			  text_show(name), KERNEL_CXX);
		return;
	case EXIT_BUG:
		error_set(e, EXIT_RUNNER, "%s cannot be compiled: out of "
			  "memory", text_show(name));
		return;
	default:
		if (strstr(said, ": out of memory") ||
		    strstr(said, "memory exhausted"))
			error_set(e, EXIT_REFUSED, "compiling %s took more "
				  "than %llu MB of memory", text_show(name),
				  (unsigned long long)
				  (confine_memory(COMPILE_MEMORY) >> 20));
		else if (strstr(said, "File size limit exceeded"))
			error_set(e, EXIT_REFUSED, "compiling %s made a file "
				  "of more than %llu MB", text_show(name),
				  COMPILE_FILE >> 20);
		else if (is_crash(said))
			crash_said(name, e);
		else if (strstr(said, "signal terminated program"))
			error_set(e, EXIT_REFUSED, "compiling %s took more "
				  "than %d seconds", text_show(name),
				  COMPILE_SECONDS);
		else
			compile_said(job, said, left_out, e);
	}
}
