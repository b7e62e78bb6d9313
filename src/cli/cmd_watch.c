/* gemmviz watch: records a kernel's file again whenever it is saved. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "base/lang.h"
#include "base/text.h"
#include "cli/check.h"
#include "cli/commands.h"
#include "app/file_watch.h"
#include "cli/program_options.h"
#include "cli/program_verdict.h"
#include "cli/recorded.h"
#include "kernels/kernels.h"
#include "term/guard.h"

enum { OPT_WATCH_PLAIN = OPTION_OWN };

#define FILE_MOST (1u << 26)

struct watch {
	struct launch_given given;
	bool json, plain;
	/* The file, and more of a program. */
	char **arguments;
	int argument_count;
	struct file_watch changes;
	bool keys;		/* somebody is at a terminal */
	struct recorded last;
};

/* ---- set up the terminal ---- */

/* Ends the program when the key q has sent its signal. */
static void end_by_key(int signal_number)
{
	(void)signal_number;
	guard_restore();
	_exit(EXIT_DONE);
}

/* Handles keys that were typed before the terminal sent signals for them. */
static void handle_early_keys(void)
{
	struct pollfd p = { .fd = STDIN_FILENO, .events = POLLIN };
	char key;

	while (poll(&p, 1, 0) > 0 && read(STDIN_FILENO, &key, 1) == 1)
		if (key == 'q')
			end_by_key(0);
}

/* Reads keys without Enter, and makes the terminal send a signal for q, which
 * ends the program whatever it does. The terminal is restored at any end.
 * Returns false if there is no terminal. */
static bool enable_keys(void)
{
	struct termios t;

	if (!isatty(STDIN_FILENO) || tcgetattr(STDIN_FILENO, &t))
		return false;
	guard_enter(STDIN_FILENO, "", 0);
	t.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
	t.c_lflag |= ISIG;
	t.c_cc[VQUIT] = 'q';
	signal(SIGQUIT, end_by_key);
	if (tcsetattr(STDIN_FILENO, TCSANOW, &t))
		return false;
	handle_early_keys();
	return true;
}

/* ---- recordings ---- */

/* Records the file with the given options. Returns -1 with e. */
static int record_file(const struct watch *w, struct recorded *out,
		       struct error *e)
{
	struct launch_options *l = &out->launch;

	launch_options_init(l);
	l->taken_out = w->json ? NULL : stdout;
	return launch_given_apply(&w->given, l, e) ||
	       program_arguments(l, w->argument_count, w->arguments, e) ||
	       recorded_make(out, w->arguments[0], e) ? -1 : 0;
}

static void failed_tell(const struct watch *w, const struct error *e)
{
	char *clean = text_clean(e->text, strlen(e->text), 0);

	if (w->json)
		command_json(json_pack("{s{si ss}}", "error", "status",
				       (int)e->status, "text", clean), stdout);
	else
		command_failed(e);
	free(clean);
}

static void changes_tell(const struct watch *w, const struct recorded *now)
{
	if (w->json) {
		command_json(verdict_json_add(
			json_pack("{so}", "diff",
				  recorded_diff_json(&w->last, now)),
			&now->verdict), stdout);
		return;
	}
	printf("\n%s\n", _("Saved:"));
	report_verdict_print(&now->verdict, stdout);
	recorded_diff_print(&w->last, now, stdout);
}

static void first_tell(const struct watch *w, struct recorded *now)
{
	if (w->json)
		command_json(recorded_json(now), stdout);
	else
		recorded_print(now, w->arguments[0], stdout);
}

/* Records the file and prints what changed; a text that does not compile leaves
 * the last recording as it is. Returns an exit status. */
static int record_again(struct watch *w)
{
	struct recorded now = { .trace = NULL };
	struct error e = { .status = EXIT_DONE };
	bool first = !w->last.trace;

	if (record_file(w, &now, &e)) {
		failed_tell(w, &e);
		recorded_done(&now);
	} else {
		if (first)
			first_tell(w, &now);
		else
			changes_tell(w, &now);
		file_watch_more(&w->changes, w->arguments[0],
				&now.launch.job.kernel);
		recorded_done(&w->last);
		w->last = now;
	}
	if (fflush(stdout) || ferror(stdout))
		return command_flush(EXIT_DONE);
	return e.status == EXIT_USAGE && first ? EXIT_USAGE : EXIT_DONE;
}

/* Adds the headers of the file to what is watched. */
static void watch_headers(struct watch *w)
{
	struct launch_options l;
	struct trace *t;
	struct error e;

	launch_options_init(&l);
	l.on_screen = true;	/* checking it says the same */
	if (!launch_given_apply(&w->given, &l, &e) &&
	    !program_arguments(&l, w->argument_count, w->arguments, &e) &&
	    !launch_prepare(&l, w->arguments[0], &t, &e))
		file_watch_more(&w->changes, w->arguments[0], &l.job.kernel);
	launch_options_done(&l);
}

/* Prints what check prints, between two lines that editors look for: they are
 * the same in every language. Returns an exit status. */
static int check_again(struct watch *w)
{
	printf("gemmviz watch: begin %s\n", text_show(w->arguments[0]));
	check_program(&w->given, w->argument_count, w->arguments);
	printf("gemmviz watch: end %s\n", text_show(w->arguments[0]));
	watch_headers(w);
	return command_flush(EXIT_DONE);
}

/* Returns an exit status. */
static int do_round(struct watch *w)
{
	return w->plain ? check_again(w) : record_again(w);
}

/* ---- changes ---- */

/* Waits until something is saved; false: the terminal is gone. */
static bool wait_for_change(const struct watch *w)
{
	struct pollfd fds[2] = {
		{ .fd = w->changes.fd, .events = POLLIN },
		{ .fd = w->keys ? STDIN_FILENO : -1, .events = POLLIN },
	};

	for (;;) {
		char key;

		if (poll(fds, 2, -1) < 0 && errno != EINTR)
			return false;
		if (fds[1].revents && read(STDIN_FILENO, &key, 1) != 1)
			return false;
		if (file_watch_saved(&w->changes))
			return true;
	}
}

/* ---- all of it ---- */

static int read_watch_arguments(struct watch *w, const struct command *c,
				int argc, char **argv)
{
	struct options o;
	int id;

	options_init(&o, c, argc, argv);
	while ((id = options_next(&o)) >= 0) {
		if (id == OPTION_JSON) {
			w->json = true;
			continue;
		}
		if (id == OPT_WATCH_PLAIN) {
			w->plain = true;
			continue;
		}
		launch_given_add(&w->given, id, o.value);
	}
	if (id == OPTIONS_STOP)
		return o.status;
	if (argc == optind || !kernel_is_file(argv[optind]) ||
	    kernel_is_input(argv[optind]))
		return command_usage(c->name, "give one FILE.cu");
	if (w->json && w->plain)
		return command_usage(c->name, "%s", _("--json and --plain "
						      "cannot be combined"));
	w->arguments = argv + optind;
	w->argument_count = argc - optind;
	return -1;
}

/* Starts watching the file, which must exist: its name may be wrong. Returns -1
 * with e. */
static int begin_watching(struct watch *w, struct error *e)
{
	size_t length;
	char *text;

	if (file_watch_open(&w->changes, w->arguments[0], e))
		return -1;
	text = file_read(w->arguments[0], FILE_MOST, &length, e);
	free(text);
	return text ? 0 : -1;
}

static int run(const struct command *c, int argc, char **argv)
{
	struct watch w = { .changes.fd = -1 };
	struct error e;
	int status = read_watch_arguments(&w, c, argc, argv);

	if (status < 0 && begin_watching(&w, &e)) {
		status = command_failed(&e);
	} else if (status < 0) {
		w.keys = enable_keys();
		status = do_round(&w);
		while (!status && wait_for_change(&w))
			status = do_round(&w);
		if (w.keys)
			guard_restore();
	}
	recorded_done(&w.last);
	file_watch_close(&w.changes);
	launch_given_done(&w.given);
	return status;
}

static const struct option_def watch_options[] = {
	{ "plain", OPT_WATCH_PLAIN, NULL,
	  N_("print lines as gemmviz check does, for editors") },
	{0}
};

const struct command command_watch = {
	.name = "watch",
	.arguments = "FILE.cu [OPTIONS] [FILE.cu...] [ARGUMENTS OF A PROGRAM]",
	.summary = N_("record a file again whenever it is saved"),
	.about = N_("Prints the report of a kernel. Whenever its file or one "
		    "of its headers is saved, records it again and shows what "
		    "has changed since the last time; for a program, in all "
		    "recorded launches. q ends the command. With --json, each "
		    "report is a line: \"reports\", \"diff\" or \"error\". With "
		    "--plain, each time prints what gemmviz check prints, "
		    "between a line \"gemmviz watch: begin FILE\" and a line "
		    "\"gemmviz watch: end FILE\"."),
	.examples = "my.cu --block 16x16 --grid 4x4\nprog.cu 512 --json",
	.options = { watch_options, option_json, launch_option_defs, program_option_defs },
	.recording = "block grid launch",
	.run = run,
};
