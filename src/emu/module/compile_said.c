#include "base/lang.h"
#include "emu/module/compile_said.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef HAVE_CONFIG_H
#include "config.h"
#endif
#include "base/confine.h"
#include "base/resource.h"
#include "base/text.h"
#include "protocol/headers.h"

bool said_message(const char *line, char file[256], unsigned *number,
		  const char **rest)
{
	int end = 0;

	if (sscanf(line, "%255[^:\n]:%u:%*u: %n", file, number, &end) != 2 ||
	    !end)
		return false;
	if (!strncmp(file, "./", 2))
		memmove(file, file + 2, strlen(file + 2) + 1);
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

/* Describes the headers that were left out, as " (helper.h, which line 3
 * includes, is not here; ...)", or as "" if there are none; heap. */
static char *describe_left_out(const struct job_defines *left_out)
{
	struct str s = { 0 };

	for (size_t i = 0; i < left_out->count; i++) {
		const struct trace_define *h = &left_out->list[i];

		str_add(&s, i ? _("; ") : _(" ("));
		if (h->value[0] == '!')
			str_add(&s, text_show(h->value + 1));
		else
			str_addf(&s,
				 _("%s, included in line %s, was not found"),
				 text_show(h->name), h->value);
	}
	str_add(&s, left_out->count ? _(")") : "");
	return str_take(&s);
}

/* Returns the user's name of a file that a message names; NULL: it is no file
 * of the user's. */
static const char *find_user_file(const struct compile_job *job,
				  const char *file)
{
	char *name = headers_name(file);
	bool header = job_defined(job->headers, name);
	bool own = !strcmp(name, OWN_NAME);

	free(name);
	file += !strncmp(file, "./", 2) ? 2 : 0;
	return header ? file : own ? job->name : NULL;
}

static bool text_ends_in(const char *text, const char *end)
{
	size_t n = strlen(text), k = strlen(end);

	return n >= k && !strcmp(text + n - k, end);
}

/* Headers of CUDA's libraries, and of others that come with CUDA. A kernel can
 * be recorded without those that are for the host alone. */
static const struct {
	const char *pattern;
	bool host;
} libraries[] = {
	{ "cublas*.h", true }, { "cusparse*.h", true },
	{ "cusolver*.h", true }, { "cudnn*.h", true }, { "cufft*.h", true },
	{ "curand*.h", true }, { "nccl*.h", true }, { "nvml.h", true },
	{ "nvrtc.h", true }, { "npp*.h", true }, { "nvjpeg*.h", true },
	{ "cutensor*.h", true }, { "cudss.h", true }, { "cufile.h", true },
	{ "nvshmem*.h", true }, { "cupti*.h", true },
	{ "cuda*_interop.h", true }, { "cudaGL.h", true },
	{ "cudaEGL*.h", true }, { "cudaProfiler.h", true },
	{ "cuda*Typedefs.h", true },
	{ "thrust/*", true }, { "cub/*", false }, { "cuda/*", false },
	{ "cutlass/*", false }, { "cute/*", false },
	{ "cooperative_groups/*", false }, { "cuda_fp[0-9]*.h", false },
	{ "cuda_awbarrier*.h", false },
};

/* A header or function that the recorder does not support. */
struct unplayed {
	char word[128];
	bool host;		/* a kernel can be recorded without it */
};

/* Finds a library's header by the name in the #include. */
static bool find_library_header(const char *name, struct unplayed *u)
{
	for (size_t i = 0; i < LENGTH(libraries); i++) {
		if (fnmatch(libraries[i].pattern, name, 0) != 0)
			continue;
		u->host = libraries[i].host;
		snprintf(u->word, sizeof(u->word), "%s", name);
		return true;
	}
	return false;
}

/* Recognises "cusparse.h: No such file or directory". */
static bool is_missing_library(const char *reason, struct unplayed *u)
{
	char name[128];

	return strstr(reason, ": No such file or directory") &&
	       sscanf(reason, "%127[^:]", name) == 1 &&
	       find_library_header(name, u);
}

/* Recognises the path of a CUDA header that is installed where the compiler
 * searches. */
static bool is_installed_library(const char *path, struct unplayed *u)
{
	const char *name = path;

	while ((name = strchr(name, '/')))
		if (find_library_header(++name, u))
			return true;
	return false;
}

/* Recognises a name of CUDA's libraries: "'cudaFoo' was not declared in this
 * scope", "'scan' is not a member of 'cg'". */
static bool is_unsupported_name(const char *reason, struct unplayed *u)
{
	static const char *const begin[] = { "cu", "CU", "texture", "tex",
		"surf", "nccl", "NV", "nv", "thrust", "cg", "npp",
		"cooperative_groups" };
	char member[60], of[60];

	if (sscanf(reason, "'%59[^'<]%*[^ ] is not a member of '%59[^']'",
		   member, of) == 2)
		snprintf(u->word, sizeof(u->word), "%s::%s", of, member);
	else if (sscanf(reason, "'%59[^'<]' in namespace '%59[^']' does not "
			"name", member, of) == 2)
		snprintf(u->word, sizeof(u->word), "%s::%s", of, member);
	else if (sscanf(reason, "'%127[A-Za-z0-9_:]'", u->word) != 1 ||
		 (!strstr(reason, "not declared") &&
		  !strstr(reason, "not been declared") &&
		  !strstr(reason, "does not name a type")))
		return false;
	u->host = *u->word != 't' && *u->word != 's' &&
		  !strstr(u->word, "::");
	for (size_t i = 0; i < LENGTH(begin); i++)
		if (!strncmp(u->word, begin[i], strlen(begin[i])))
			return true;
	return false;
}

/* The compiler's first error, as far as it is reported. */
struct compiler_error {
	const char *at, *reason;	/* at: the reader's name of the file */
	char file[256];		/* where the error is: if that is no file of the
				   reader's, in what line `line` includes, */
	char header[256];	/* which is this one */
	unsigned line;
	bool foreign;
};

/* Shortens what g++ says of an undeclared name in a template to what it says of
 * any other. The caller frees it; NULL: there is no reason. */
static char *simplify_reason(const char *reason)
{
	char name[128];

	if (!reason)
		return NULL;
	return sscanf(reason, "there are no arguments to '%127[^']' that "
		      "depend on a template parameter", name) == 1 ?
	       xasprintf("'%s' was not declared in this scope", name) :
	       xstrdup(reason);
}

/* Returns whether a file is a header of the system's, not one that replaces
 * CUDA's. What the recorder itself adds to a text has a name without a
 * folder. */
static bool is_system_header(const char *file)
{
	return *file == '/' && strncmp(file, paths()->cuda,
				       strlen(paths()->cuda)) != 0;
}

/* Parses a line of the include chain, "In file included from x.h:3," or " from
 * .gemmviz.cu:2:", and keeps the innermost that is the user's. */
static void parse_include_chain(const struct compile_job *job, const char *l,
				struct compiler_error *s)
{
	static const char first[] = "In file included from ";
	const char *from = l + strspn(l, " ");
	bool begins = !strncmp(l, first, strlen(first));
	unsigned line;

	if (begins) {
		s->at = NULL;
		*s->header = '\0';
	} else if (strncmp(from, "from ", 5) != 0 || s->at) {
		return;
	}
	from += begins ? strlen(first) : 5;
	if (sscanf(from, "%255[^:\n]:%u", s->file, &line) != 2)
		return;
	s->at = find_user_file(job, s->file);
	s->line = line;
	if (!s->at)
		memcpy(s->header, s->file, sizeof(s->header));
}

/* Finds the first error in the messages, which it changes. Linker errors have
 * no line: the first one with a reason is taken. */
static void find_first_error(const struct compile_job *job, char *said,
			     struct compiler_error *s)
{
	static const char undefined[] = "undefined reference to ",
			  several[] = "multiple definition of ";
	const char *rest, *at;
	unsigned line;

	*s = (struct compiler_error){ .line = 0 };
	for (char *l = strtok(said, "\n"); l && !s->reason;
	     l = strtok(NULL, "\n")) {
		char *error = strstr(l, "rror: ");	/* the assembler's: Error */
		char *symbol = strstr(l, undefined);

		symbol = symbol ? symbol : strstr(l, several);
		parse_include_chain(job, l, s);
		if (!error && !symbol)
			continue;
		s->reason = symbol ? symbol : error + strlen("rror: ");
		/* Where the linker has seen it before is an object file. */
		if (symbol)
			symbol[strcspn(symbol, ";")] = '\0';
		if (!said_message(l, s->file, &line, &rest)) {
			s->at = NULL;
			continue;
		}
		at = find_user_file(job, s->file);
		s->foreign = !at && is_system_header(s->file);
		if (at) {
			s->at = at;
			s->line = line;
		}
	}
}

/* Returns a hint at what replaced a warp function without a mask, as in ";
 * since CUDA 9 it is __shfl_sync(mask, ...)"; "" for others. The caller frees
 * it. */
static char *find_successor_hint(const char *reason)
{
	static const char *const gone[] = { "__shfl", "__shfl_up",
		"__shfl_down", "__shfl_xor", "__any", "__all", "__ballot" };
	size_t n;

	reason += *reason == '\'';
	n = strcspn(reason, "'");
	for (size_t i = 0; i < LENGTH(gone); i++)
		if (strlen(gone[i]) == n && !strncmp(reason, gone[i], n))
			return xasprintf(_("; since CUDA 9 it is "
					   "%s_sync(mask, ...)"),
					 gone[i]);
	return xstrdup("");
}

/* Finds the file outside the text's folder that a reason says cannot be opened,
 * by a path that ends in its name in the include; NULL: none. */
static const struct trace_define *find_outside(const struct compile_job *job,
					       const char *reason)
{
	static const char *const ends[] = {
		": Permission denied", ": No such file or directory",
	};

	for (size_t i = 0; i < job->outside->count; i++)
		for (size_t k = 0; k < LENGTH(ends); k++) {
			const struct trace_define *o = &job->outside->list[i];
			char *end = xasprintf("%s%s", o->name, ends[k]);
			size_t before = strlen(reason) - strlen(end);
			bool is = text_ends_in(reason, end) &&
				  (!before || reason[before - 1] == '/');

			free(end);
			if (is)
				return o;
		}
	return NULL;
}

/* Sets e if the error is that the text includes a file outside its folder, with
 * the option that would allow it; returns false if it is not. */
static bool report_outside_include(const struct compile_job *job,
				   const struct compiler_error *s,
				   struct error *e)
{
	const struct trace_define *o = find_outside(job, s->reason);

	if (!o)
		return false;
	if (!strncmp(o->value, HEADERS_LARGE, strlen(HEADERS_LARGE)))
		error_set(e, EXIT_INPUT, "%s:%u: %s %s", text_show(s->at),
			  s->line, text_show(o->name),
			  text_show(o->value + strlen(HEADERS_LARGE)));
	else if (*o->name == '/')
		error_set(e, EXIT_REFUSED, "%s:%u: refused: it tried to read "
			  "%s; include it as \"%s\", with -I %s",
			  text_show(s->at), s->line, text_show(o->name),
			  text_show(file_base(o->name)), text_show(o->value));
	else
		error_set(e, EXIT_REFUSED,
			  "%s:%u: \"%s\" is outside the "
			  "file's folder%s%s",
			  text_show(s->at), s->line, text_show(o->name),
			  *o->value ? _("; allow it with -I ") : "",
			  text_show(o->value));
	return true;
}

/* Sets e to an error in the kernel's own text. `lacks`: see
 * describe_left_out(). */
static void report_own_error(const struct compiler_error *s, const char *lacks,
			     struct error *e)
{
	char *more = find_successor_hint(s->reason);
	char word[128];
	/* Without the compiler's own guess. */
	size_t n = *more ? strcspn(s->reason, ";") : strlen(s->reason);
	char *reason = xstrndup(s->reason, n);

	/* Another function of CUDA is none to suggest. */
	if (!*more && sscanf(reason, "'%127[A-Za-z0-9_]' was not declared",
			     word) == 1 && !strncmp(word, "__", 2))
		error_set(e, EXIT_INPUT, "%s:%u: %s is not played by the "
			  "recorder%s", text_show(s->at), s->line,
			  text_show(word), lacks);
	else
		error_set(e, EXIT_INPUT, "%s:%u: %s%s%s", text_show(s->at),
			  s->line, text_show(reason), more, lacks);
	free(reason);
	free(more);
}

/*
 * Sets e to the first error in the messages: ".gemmviz.cu:12:5: error: expected
 * ..." becomes "x.cu:12: expected ...", with the headers that were left out.
 */
static void report_first_error(const struct compile_job *job, char *said,
			       const struct job_defines *left_out,
			       struct error *e)
{
	char *lacks = describe_left_out(left_out);
	struct unplayed u;
	struct compiler_error s;
	char *reason;

	find_first_error(job, said, &s);
	s.reason = reason = simplify_reason(s.reason);
	if (s.at && s.reason && report_outside_include(job, &s, e))
		;
	else if (s.at && job->how != COMPILE_KERNEL &&
		 (is_missing_library(s.reason, &u) ||
		  ((s.foreign || is_system_header(s.header)) &&
		   is_installed_library(*s.header ? s.header : s.file, &u)) ||
		  is_unsupported_name(s.reason, &u)))
		error_set(e, EXIT_INPUT,
			  "%s:%u: gemmviz does not support %s "
			  "on the CPU%s",
			  text_show(s.at), s.line, text_show(u.word),
			  u.host ? _("; --kernel-only records a kernel without "
				     "the "
				     "program") :
				   "");
	else if (s.at && text_ends_in(s.reason, ": Permission denied"))
		error_set(e, EXIT_REFUSED, "%s:%u: refused: it tried to read "
			  "%.*s", text_show(s.at), s.line,
			  (int)(strlen(s.reason) -
				strlen(": Permission denied")),
			  text_show(s.reason));
	else if (s.at && s.foreign)
		error_set(e, EXIT_INPUT, "%s:%u: its header %s does not "
			  "compile here: %s%s", text_show(s.at), s.line,
			  text_show(file_base(s.file)), text_show(s.reason),
			  lacks);
	else if (s.foreign)
		error_set(e, EXIT_INPUT, "%s: the included file %s does not "
			  "compile here: %s%s", text_show(job->name),
			  text_show(file_base(s.file)), text_show(s.reason),
			  lacks);
	else if (s.at)
		report_own_error(&s, lacks, e);
	else
		error_set(e, EXIT_INPUT, "%s does not compile: %s%s",
			  text_show(job->name),
			  s.reason ? text_show(s.reason) :
				     _("the compiler gave no reason"),
			  lacks);
	free(reason);
	free(lacks);
}

static void say_crash(const char *name, struct error *e)
{
	error_set(e, EXIT_REFUSED, "%s: the compiler crashed",
		  text_show(name));
}

/* Returns whether the messages say that the compiler crashed. Its driver says
 * the same of one that was killed, which does not count. */
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

/* Returns the errno whose words end a line of what the compiler, the assembler or
 * the linker printed, as they print why they cannot write; 0: there is none. */
static int find_problem(const char *said)
{
	static const int problems[] = { ENOSPC, EDQUOT, EMFILE, ENFILE,
					EAGAIN };

	for (size_t i = 0; i < LENGTH(problems); i++) {
		const char *words = strerror(problems[i]);

		for (const char *at = said; (at = strstr(at, words));) {
			at += strlen(words);
			if (!*at || *at == '\n')
				return problems[i];
		}
	}
	return 0;
}

/* Sets e to a system error; names the temporary folder if that is full. */
static void say_problem(const char *name, int problem, struct error *e)
{
	const char *folder = getenv("TMPDIR");
	char *in = resource_status(problem, EXIT_RUNNER) == EXIT_OUTPUT ?
		   xasprintf(" in %s", text_show(folder && *folder ? folder :
						 "/tmp")) : xstrdup("");

	error_resource(e, problem, EXIT_RUNNER, "%s cannot be compiled%s",
		       text_show(name), in);
	free(in);
}

static bool is_memory(const char *said)
{
	static const char *const words[] = { ": out of memory",
		"memory exhausted", "Cannot allocate memory",
		"failed to map segment", "cannot create shared object" };

	for (size_t i = 0; i < LENGTH(words); i++)
		if (strstr(said, words[i]))
			return true;
	return false;
}

static void say_memory(const char *name, struct error *e)
{
	uint64_t most = confine_memory(COMPILE_MEMORY);

	error_set(e, EXIT_REFUSED, "compiling %s took more than %llu MB of "
		  "memory%s", text_show(name), (unsigned long long)
		  (confine_addresses(most) >> 20), resource_memory());
}

static void say_late(const char *name, struct error *e)
{
	error_set(e, EXIT_REFUSED, "compiling %s took more than %llu seconds",
		  text_show(name), (unsigned long long)
		  confine_seconds(COMPILE_SECONDS));
}

static void say_large(const char *name, struct error *e)
{
	error_set(e, EXIT_REFUSED, "compiling %s made a file of more than %llu "
		  "kB", text_show(name), (unsigned long long)
		  confine_file(COMPILE_FILE) >> 10);
}

/* Names the program in "cannot execute 'cc1plus': execvp: No such file". */
static void say_incomplete(const char *said, struct error *e)
{
	const char *name = strchr(said, '\'') + 1;

	error_set(e, EXIT_RUNNER, "%s cannot start %.*s: it is not installed, "
		  "or not in a folder that the sandbox allows",
		  KERNEL_CXX, (int)strcspn(name, "'\n"), text_show(name));
}

/* Sets e where the compiler lacked a resource; false: it did not. */
static bool report_lack(const char *name, const char *said, struct error *e)
{
	const char *tool = strstr(said, "cannot execute '");
	int problem = find_problem(said);

	if (is_memory(said))
		say_memory(name, e);
	else if (problem)
		say_problem(name, problem, e);
	else if (strstr(said, "File size limit exceeded"))
		say_large(name, e);
	else if (tool)
		say_incomplete(tool, e);
	else
		return false;
	return true;
}

/* Returns whether the compiler had less memory than it gets without a ulimit. */
static bool is_short(void)
{
	return confine_addresses(COMPILE_MEMORY) < COMPILE_MEMORY;
}

/* Sets e to the forbidden call that the last TRIED line names. */
static void say_refused(const char *name, const char *said, struct error *e)
{
	const char *tried = NULL;

	for (const char *at = said; (at = strstr(at, TRIED)); at++)
		tried = at + strlen(TRIED);
	error_set(e, EXIT_REFUSED, "%s: refused: compiling it tried to %.*s",
		  text_show(name), (int)strcspn(tried ? tried : "", "\n"),
		  tried ? tried : "");
}

void said_no_compiler(const char *name, struct error *e)
{
	error_set(e, EXIT_RUNNER, "%s is not installed: without it, only "
		  "built-in kernels can be recorded (Debian, Ubuntu: apt-get "
		  "install g++; Fedora: dnf install gcc-c++)",
		  text_show(name));
}

void said_failed(const struct compile_job *job, struct compile_end end,
		 char *said, const struct job_defines *left_out,
		 struct error *e)
{
	const char *name = job->name;

	if (end.status == STATUS_REFUSED)
		say_refused(name, said, e);
	else if (end.status == 127)
		said_no_compiler(KERNEL_CXX, e);
	else if (end.status == 126)
		error_set(e, EXIT_RUNNER, "%s cannot be compiled: %s cannot be "
			  "started", text_show(name), KERNEL_CXX);
	else if (end.status == 125)
		say_problem(name, end.problem ? end.problem : ENOMEM, e);
	else if (end.status == EXIT_BUG)
		error_resource(e, ENOMEM, EXIT_BUG, "%s cannot be compiled",
			       text_show(name));
	else if (end.status == STATUS_LATE)
		say_late(name, e);
	else if (report_lack(name, said, e))
		return;
	else if ((end.status == STATUS_CRASH || is_crash(said) ||
		  !strstr(said, "rror: ")) && is_short())
		say_memory(name, e);
	else if (end.status == STATUS_CRASH || is_crash(said))
		say_crash(name, e);
	else if (strstr(said, "signal terminated program"))
		say_late(name, e);
	else
		report_first_error(job, said, left_out, e);
}
