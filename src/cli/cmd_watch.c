/* gemmviz watch: a kernel's file, recorded again whenever it is saved. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <termios.h>
#include <unistd.h>

#include "analysis/report_diff.h"
#include "base/lang.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/program_options.h"
#include "kernels/kernels.h"

/* Milliseconds without another change until a file counts as saved: editors
 * write, rename and remove. */
#define QUIET_MS 60

/* An option of a launch as it was given: each recording has its own. */
struct given { int id; const char *value; };

struct recorded {
	struct trace *trace;	/* NULL: none yet */
	struct report report;
};

struct watch {
	struct given *given;
	size_t given_count, given_capacity;
	const char *file;
	int changes;		/* inotify */
	bool keys;		/* somebody is at a terminal */
	struct recorded last;
};

/* ---- the terminal ---- */

static struct termios before;

/* May run in a signal handler. */
static void restore(void)
{
	tcsetattr(STDIN_FILENO, TCSANOW, &before);
}

static void end_by(int signal_number)
{
	restore();
	signal(signal_number, SIG_DFL);
	raise(signal_number);
}

/* Keys without Enter; whoever ends this ends it with the terminal as it was. */
static bool take_keys(void)
{
	static const int ends[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
	struct termios t;

	if (!isatty(STDIN_FILENO) || tcgetattr(STDIN_FILENO, &before))
		return false;
	t = before;
	t.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
	for (size_t i = 0; i < LENGTH(ends); i++)
		signal(ends[i], end_by);
	return !tcsetattr(STDIN_FILENO, TCSANOW, &t);
}

/* ---- recordings ---- */

static void recorded_done(struct recorded *r)
{
	if (r->trace)
		report_done(&r->report);
	trace_close(r->trace);
	r->trace = NULL;
}

static int record(const struct watch *w, struct recorded *out,
		  struct launch_options *l, struct error *e)
{
	launch_options_init(l);
	for (size_t i = 0; i < w->given_count; i++)
		if (launch_option(l, w->given[i].id, w->given[i].value, e))
			return -1;
	l->job.values = false;
	out->trace = launch_trace(l, w->file, e);
	if (!out->trace)
		return -1;
	if (!report_build(out->trace, &out->report, e))
		return 0;
	trace_close(out->trace);
	out->trace = NULL;
	return -1;
}

static void print_first(struct launch_options *l, struct recorded *r)
{
	struct advice_list advice;

	if (!launch_advice(l, r->trace, &advice, NULL))
		r->report.advice = &advice;
	report_print(&r->report, stdout);
	r->report.advice = NULL;
}

/* Records, and shows what changed; a text that does not compile leaves the last
 * recording as it is. */
static int again(struct watch *w)
{
	struct recorded now = {0};
	struct launch_options l;
	struct error e = { .status = EXIT_DONE };
	struct report_diff d;

	if (record(w, &now, &l, &e)) {
		command_failed(&e);
	} else {
		if (w->last.trace) {
			report_diff_make(&d, &w->last.report, &now.report);
			printf("\n%s\n", _("Saved:"));
			report_diff_print(&d, stdout);
			report_diff_done(&d);
		} else {
			print_first(&l, &now);
		}
		recorded_done(&w->last);
		w->last = now;
	}
	launch_options_done(&l);
	if (fflush(stdout) || ferror(stdout))
		return command_flush(EXIT_DONE);
	return e.status == EXIT_USAGE && !w->last.trace ? EXIT_USAGE :
							   EXIT_DONE;
}

/* ---- changes ---- */

/* The folder is watched, not the file: an editor may put another file in its
 * place. */
static int watch_folder(struct watch *w, struct error *e)
{
	const char *slash = strrchr(w->file, '/');
	char *folder = slash ? xstrndup(w->file, (size_t)(slash - w->file) +
					1) : xstrdup(".");
	int status = 0;

	w->changes = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	if (w->changes < 0 ||
	    inotify_add_watch(w->changes, folder, IN_CLOSE_WRITE |
			      IN_MOVED_TO | IN_ONLYDIR) < 0)
		status = error_set(e, EXIT_INPUT, "cannot watch %s: %m",
				   text_show(folder));
	free(folder);
	return status;
}

/* The file itself, or a header beside it. */
static bool matters(const struct watch *w, const char *name)
{
	const char *slash = strrchr(w->file, '/');
	const char *dot = strrchr(name, '.');

	return !strcmp(name, slash ? slash + 1 : w->file) ||
	       (dot && (!strcmp(dot, ".h") || !strcmp(dot, ".cuh") ||
			!strcmp(dot, ".hpp")));
}

/* Takes what has happened; whether it matters. */
static bool take_changes(const struct watch *w)
{
	_Alignas(struct inotify_event) char buf[4096];
	bool any = false;
	ssize_t n;

	while ((n = read(w->changes, buf, sizeof(buf))) > 0)
		for (char *p = buf; p < buf + n; ) {
			struct inotify_event *ev = (void *)p;

			any |= ev->len && matters(w, ev->name);
			any |= (ev->mask & IN_Q_OVERFLOW) != 0;
			p += sizeof(*ev) + ev->len;
		}
	return any;
}

/* Waits for a change and the quiet after it; false: the reader quits. */
static bool wait_for_change(const struct watch *w)
{
	struct pollfd fds[2] = {
		{ .fd = w->changes, .events = POLLIN },
		{ .fd = w->keys ? STDIN_FILENO : -1, .events = POLLIN },
	};
	bool changed = false;

	for (;;) {
		int n = poll(fds, 2, changed ? QUIET_MS : -1);
		char key = 0;

		if (n < 0 && errno != EINTR)
			return false;
		if (n == 0)
			return true;
		if (n > 0 && fds[1].revents &&
		    (read(STDIN_FILENO, &key, 1) != 1 || key == 'q'))
			return false;
		changed |= take_changes(w);
	}
}

/* ---- all of it ---- */

static int read_arguments(struct watch *w, const struct command *c, int argc,
			  char **argv)
{
	struct options o;
	int id;

	options_init(&o, c, argc, argv);
	while ((id = options_next(&o)) >= 0) {
		grow(&w->given, &w->given_capacity, w->given_count + 1,
		     sizeof(*w->given));
		w->given[w->given_count++] = (struct given){ id, o.value };
	}
	if (id == OPTIONS_STOP)
		return o.status;
	if (argc != optind + 1 || !kernel_is_file(argv[optind]))
		return command_usage(c->name, "give one FILE.cu");
	w->file = argv[optind];
	return -1;
}

static int run(const struct command *c, int argc, char **argv)
{
	struct watch w = { .changes = -1 };
	struct error e;
	int status = read_arguments(&w, c, argc, argv);

	if (status < 0 && watch_folder(&w, &e)) {
		status = command_failed(&e);
	} else if (status < 0) {
		status = again(&w);
		w.keys = !status && take_keys();
		while (!status && wait_for_change(&w))
			status = again(&w);
		if (w.keys)
			restore();
	}
	recorded_done(&w.last);
	if (w.changes >= 0)
		close(w.changes);
	free(w.given);
	return status;
}

const struct command command_watch = {
	.name = "watch",
	.arguments = "FILE.cu [OPTIONS]",
	.summary = N_("record a file again whenever it is saved"),
	.about = N_("Prints the report of a kernel, then waits: whenever its "
		    "file, or a header beside it, is saved, records it again "
		    "and shows what has changed since the last time. q ends "
		    "it."),
	.examples = "my.cu --block 16x16 --grid 4x4",
	.options = { launch_option_defs, program_option_defs },
	.run = run,
};
