/* resource: see resource.h. */
#include "base/resource.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/lang.h"

/* The bytes of stack that the programs need, and those that they ask for. */
#define STACK_LEAST (1u << 20)
#define STACK_BYTES (8u << 20)

/* The limits, by the letter and the unit of bash's ulimit. */
static struct resource_limit {
	int limit;
	char letter;
	unsigned unit;
	unsigned long long most;	/* in units; 0: unlimited */
} limits[] = {
	{ RLIMIT_AS, 'v', 1024, 0 },
	{ RLIMIT_DATA, 'd', 1024, 0 },
	{ RLIMIT_FSIZE, 'f', 1024, 0 },
	{ RLIMIT_NOFILE, 'n', 1, 0 },
	{ RLIMIT_NPROC, 'u', 1, 0 },
	{ RLIMIT_CPU, 't', 1, 0 },
};

/* What a system call lacks; words NULL: as the C library says it. */
static const struct resource_lack {
	int problem;
	enum exit_status status;
	const char *words;
	const char *letters;	/* of the limits that may be the cause */
} lacks[] = {
	{ ENOMEM, EXIT_BUG, N_("out of memory"), "vd" },
	{ EMFILE, EXIT_REFUSED, N_("too many open files"), "n" },
	{ ENFILE, EXIT_REFUSED, N_("too many open files on this system"), "" },
	{ EAGAIN, EXIT_REFUSED, N_("too many processes"), "u" },
	{ EFBIG, EXIT_REFUSED, N_("the file grows too large"), "f" },
	{ ENOSPC, EXIT_OUTPUT, NULL, "" },
	{ EDQUOT, EXIT_OUTPUT, NULL, "" },
};

static const struct resource_lack *find_lack(int problem)
{
	for (size_t i = 0; i < LENGTH(lacks); i++)
		if (lacks[i].problem == problem)
			return &lacks[i];
	return NULL;
}

/* Returns " (ulimit -n is 16)" for those of the limits that are set, or "".
 * Static. */
static const char *limits_words(const char *letters)
{
	static char words[100];
	size_t n = 0;

	*words = '\0';
	for (size_t i = 0; i < LENGTH(limits); i++)
		if (limits[i].most && strchr(letters, limits[i].letter))
			n += (size_t)snprintf(words + n, sizeof(words) - n,
					      n ? ", ulimit -%c is %llu" :
						  " (ulimit -%c is %llu",
					      limits[i].letter,
					      limits[i].most);
	if (n)
		snprintf(words + n, sizeof(words) - n, ")");
	return words;
}

enum exit_status resource_status(int problem, enum exit_status otherwise)
{
	const struct resource_lack *lack = find_lack(problem);

	return lack ? lack->status : otherwise;
}

int error_resource(struct error *e, int problem, enum exit_status otherwise,
		   const char *fmt, ...)
{
	const struct resource_lack *lack = find_lack(problem);
	char text[400];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), _(fmt), ap);
	va_end(ap);
	if (!lack || !lack->words)
		return error_set(e, lack ? lack->status : otherwise,
				 _("%s: %s%s"), text, strerror(problem), "");
	return error_set(e, lack->status, _("%s: %s%s"), text, _(lack->words),
			 limits_words(lack->letters));
}

const char *resource_memory(void)
{
	return limits_words("vd");
}

const char *resource_time(void)
{
	return limits_words("t");
}

/* ---- a process begins ---- */

/* Keeps the limits that the user has set: later the process may lower them by
 * itself, and not be allowed to ask for them. */
static void keep_limits(void)
{
	for (size_t i = 0; i < LENGTH(limits); i++) {
		struct resource_limit *l = &limits[i];
		struct rlimit now;

		if (getrlimit(l->limit, &now) == 0 &&
		    now.rlim_cur != RLIM_INFINITY)
			l->most = MAX(now.rlim_cur / l->unit, 1);
	}
}

/* Raises a low soft limit on the stack, also for child processes. Ends the
 * program if the hard limit is too low. */
static void check_stack(void)
{
	struct rlimit now;

	if (getrlimit(RLIMIT_STACK, &now) < 0 || now.rlim_cur >= STACK_BYTES)
		return;
	now.rlim_cur = MIN(now.rlim_max, STACK_BYTES);
	setrlimit(RLIMIT_STACK, &now);
	if (now.rlim_cur >= STACK_LEAST)
		return;
	fprintf(stderr,
		_("gemmviz: the stack is too small: ulimit -s is %llu; "
		  "%u are needed\n"),
		(unsigned long long)now.rlim_cur / 1024, STACK_LEAST / 1024);
	exit(EXIT_REFUSED);
}

void process_prepare(void)
{
	standard_streams();
	signal(SIGXFSZ, SIG_IGN);
	keep_limits();
	check_stack();
}
