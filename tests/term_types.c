/*
 * What the terminal program makes of a terminal: its type, its colours, the
 * locale's characters, and no terminal at all.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pty.h"
#include "tap.h"

#define DEMO ABS_BUILDDIR "/tests/term_demo"

/* The demo, drawn once and ended with q; its output stays in p->out. */
static int run(struct pty *p, const char *const env[], const char *option)
{
	const char *const argv[] = { DEMO, option, NULL };
	struct pty_report r;

	pty_start(p, argv, env, 80, 24);
	pty_wait_for(p, 0, "corner");
	pty_send(p, "q");
	if (!pty_wait(p, &r))
		return -1;
	return WIFEXITED(r.status) ? WEXITSTATUS(r.status) : -1;
}

/* An SGR sequence that sets a colour, of 8, 16 or 256. */
static bool has_colour(const struct pty *p)
{
	const char *s = p->out.data ? p->out.data : "";

	while ((s = strstr(s, "\033["))) {
		const char *n = s += 2;

		s += strspn(s, "0123456789;");
		if (*s != 'm')
			continue;
		for (; n < s; n += strcspn(n, ";m") + 1) {
			int v = atoi(n);

			if ((v >= 30 && v <= 38) || (v >= 40 && v <= 48) ||
			    (v >= 90 && v <= 107))
				return true;
		}
	}
	return false;
}

static bool has_high_bytes(const struct pty *p)
{
	for (size_t i = 0; i < p->out.len; i++)
		if (p->out.data[i] & 0x80)
			return true;
	return false;
}

static void drawn(const char *env, const char *option, bool colour, bool ascii,
		  const char *word)
{
	const char *const environment[] = { env, NULL };
	struct pty p;
	int status = run(&p, environment, option);

	tap_is(status, 0, "%s %s: runs and ends", env, option ? option : "");
	tap_ok(pty_saw(&p, 0, "corner"), "... draws");
	tap_is(has_colour(&p), colour, "... colour");
	tap_is(!has_high_bytes(&p), ascii, "... ASCII only");
	tap_ok(pty_modes_same(&p), "... restores the modes of the line");
	if (word)
		tap_ok(pty_saw(&p, 0, word), "... says '%s'", word);
	else
		tap_ok(!pty_saw(&p, 0, "taken for") &&
		       !pty_saw(&p, 0, "ASCII"), "... has nothing to say");
	pty_done(&p);
}

/* Ends with status 4 and one line, and touches nothing. */
static void refused(const char *env, const char *word)
{
	const char *const environment[] = { env, NULL };
	const char *const argv[] = { DEMO, NULL };
	struct pty_report r;
	struct pty p;
	const char *end;

	pty_start(&p, argv, environment, 80, 24);
	tap_ok(pty_wait(&p, &r) && WIFEXITED(r.status) &&
	       WEXITSTATUS(r.status) == EXIT_TERMINAL, "%s: status 4", env);
	end = p.out.data ? strchr(p.out.data, '\n') : NULL;
	tap_ok(end && !end[1], "... one line");
	tap_ok(pty_saw(&p, 0, word), "... that says '%s'", word);
	tap_ok(!pty_saw(&p, 0, "\033"), "... and no control sequence");
	pty_done(&p);
}

static void not_a_terminal(const char *command, const char *word)
{
	char *line = xasprintf("%s " DEMO " %s", "exec", command);
	const char *const argv[] = { "sh", "-c", line, NULL };
	struct pty_report r;
	struct pty p;

	pty_start(&p, argv, NULL, 80, 24);
	tap_ok(pty_wait(&p, &r) && WIFEXITED(r.status) &&
	       WEXITSTATUS(r.status) == EXIT_TERMINAL, "demo %s: status 4",
	       command);
	tap_ok(pty_saw(&p, 0, word), "... says '%s'", word);
	tap_ok(!pty_saw(&p, 0, "\033"), "... and no control sequence");
	pty_done(&p);
	free(line);
}

static void painted(const char *env, const char *option, const char *bytes,
		    const char *what)
{
	const char *const environment[] = { env, NULL };
	struct pty p;

	run(&p, environment, option);
	tap_ok(pty_saw(&p, 0, bytes), "%s", what);
	pty_done(&p);
}

/*
 * Terminals that are not in every database: with 16 colours, and with so
 * many that a colour's number is the colour itself.
 */
static void make_types(const char *folder)
{
	static const char source[] =
		"test-16|16 colours, colors#16, pairs#256, "
		"use=xterm-256color,\n"
		"test-direct|direct colours, RGB, colors#0x1000000, "
		"pairs#0x10000, "
		"setab=\\E[48;2;%p1%{65536}%/%d;%p1%{256}%/%{255}%&%d;"
		"%p1%{255}%&%dm, "
		"setaf=\\E[38;2;%p1%{65536}%/%d;%p1%{256}%/%{255}%&%d;"
		"%p1%{255}%&%dm, use=xterm-256color,\n";
	char *tic = xasprintf("tic -x -o %s -", folder);
	FILE *f;

	setenv("TERMINFO", folder, 1);
	setenv("TERMINFO_DIRS", "", 1);
	f = popen(tic, "w");
	if (!f || fputs(source, f) < 0 || pclose(f) != 0)
		fatal("tic failed");
	free(tic);
}

int main(void)
{
	char folder[] = "/tmp/term_types.XXXXXX", *clean;

	if (!mkdtemp(folder))
		fatal("no folder for terminal types");
	make_types(folder);
	drawn("TERM=xterm-256color", NULL, true, false, NULL);
	drawn("TERM=test-16", NULL, true, false, NULL);
	drawn("TERM=linux", NULL, true, false, NULL);
	drawn("TERM=screen", NULL, true, false, NULL);
	drawn("TERM=test-direct", NULL, true, false, NULL);
	drawn("TERM=vt100", NULL, false, false, NULL);
	drawn("TERM=xterm-mono", NULL, false, false, NULL);
	drawn("TERM", NULL, true, false, "TERM is not set");
	drawn("TERM=", NULL, true, false, "TERM is not set");
	drawn("TERM=no-such-terminal", NULL, true, false,
	      "'no-such-terminal' is unknown");
	drawn("TERM=\033[31mred", NULL, true, false, "is unknown");
	drawn("NO_COLOR=1", NULL, false, false, NULL);
	drawn("NO_COLOR=", NULL, true, false, NULL);
	drawn("NO_COLOR", "--mono", false, false, NULL);
	drawn("NO_COLOR", "--theme=mono", false, false, NULL);
	drawn("NO_COLOR", "--ascii", true, true, NULL);
	drawn("LC_ALL=POSIX", NULL, true, true, "locale is not UTF-8");
	drawn("LC_ALL=no_SUCH.UTF-8", NULL, true, false, NULL);

	refused("TERM=dumb", "cannot draw on a terminal of type 'dumb'");
	not_a_terminal(">/dev/null", "standard output is not a terminal");
	not_a_terminal("</dev/null", "standard input is not a terminal");
	not_a_terminal("<&-", "standard input is not a terminal");

	painted("NO_COLOR", NULL, "48;5;233", "dark by itself");
	painted("COLORFGBG=0;15", NULL, "48;5;231",
		"light where the terminal says it is");
	painted("COLORFGBG=0;15", "--theme=dark", "48;5;233",
		"what is asked for is done");
	painted("TERM=test-16", NULL, "100m", "16 colours: their own");
	painted("TERM=test-direct", NULL, "48;2;18;18;18",
		"direct colours: red, green and blue");

	clean = xasprintf("rm -r %s", folder);
	tap_is(system(clean), 0, "cleaned up");
	free(clean);
	return tap_done();
}
