/* gemmviz view: shows a trace, or two, at a terminal. */
#include <stdlib.h>

#include "base/lang.h"
#include "cli/commands.h"
#include "cli/launch_machine.h"
#include "cli/launch_options.h"
#include "cli/program_options.h"
#include "cli/screen_run.h"
#include "cli/view_watch.h"
#include "kernels/kernels.h"

enum { OPT_WATCH = OPT_SCREEN_END, OPT_MACHINE };

/* What to show: a kernel or trace, or two side by side. */
struct viewed {
	struct launch_options launch[2];
	const char *what[2];
	int count;
	bool watch, machine;
	struct launch_given given;	/* for --watch */
};

/* Adds machine code to a recording; see struct reader_options. */
static int compile_recording(void *ctx, size_t recording, struct trace *t,
			     struct machine_launch *m, struct error *e)
{
	struct viewed *v = ctx;

	return launch_machine_poll(&v->launch[MIN(recording, 1u)], t, m, e);
}

static int open_traces(struct screen *s, struct viewed *v)
{
	struct reader_source of[2] = {0};
	struct view_watch watch;
	struct reader r;
	struct error e;
	int status;

	for (int i = 0; i < v->count; i++) {
		v->launch[i].shown = true;
		of[i].job = &v->launch[i].job;
		if (launch_prepare(&v->launch[i], v->what[i], &of[i].trace,
				   &e)) {
			trace_close(of[0].trace);
			return command_failed(&e);
		}
		if (v->machine)
			launch_machine_early(&v->launch[i]);
	}
	if (v->watch && view_watch_open(&watch, v->what[0], &v->given,
					&v->launch[0].job.kernel, &e)) {
		trace_close(of[0].trace);
		return command_failed(&e);
	}
	if (v->watch)
		s->ui.watch = &watch.ui;
	s->reader.runner = v->launch[0].runner;
	s->reader.on = v->launch[0].on;
	s->reader.compile = v->machine ? compile_recording : NULL;
	s->reader.compile_ctx = v;
	reader_init(&r, &s->reader);
	reader_open_sources(&r, of, (size_t)v->count);
	status = screen_run(s, &r);
	if (v->watch)
		view_watch_close(&watch);
	return status;
}

/* Takes an option: -D applies to the kernel before it, all others to both.
 * Returns -1 with e. */
static int take_view_option(struct screen *s, struct viewed *v, int id,
			    const char *value, struct error *e)
{
	if (id == OPT_WATCH) {
		v->watch = true;
		return 0;
	}
	if (id == OPT_MACHINE) {
		v->machine = true;
		return 0;
	}
	if (screen_option_is(id))
		return screen_option(s, id, value, e);
	launch_given_add(&v->given, id, value);
	for (int i = 0; i < 2; i++)
		if ((id != 'D' || !v->count || v->count - 1 == i) &&
		    launch_option(&v->launch[i], id, value, e))
			return -1;
	return 0;
}

/* Reads the options. Returns the status to end with, or -1 to go on. */
static int read_view_arguments(struct screen *s, struct viewed *v,
			       const struct command *c, int argc, char **argv)
{
	struct options o;
	struct error e;
	int id;

	options_init(&o, c, argc, argv);
	if (screen_defaults(s, &e))
		return command_failed(&e);
	while ((id = options_next(&o)) >= 0) {
		if (id != OPTIONS_ARGUMENT) {
			if (take_view_option(s, v, id, o.value, &e))
				return command_failed(&e);
		} else if (v->count == 2) {
			return command_usage("view", "give at most two kernels "
					     "or traces");
		} else {
			v->what[v->count++] = o.value;
		}
	}
	if (id == OPTIONS_STOP)
		return o.status;
	for (int i = 0; i < v->count && !s->plain; i++)
		if (kernel_is_input(v->what[i]))
			return screen_refuse_input("view");
	if (v->watch && (v->count != 1 || !kernel_is_file(v->what[0]) ||
			 s->plain))
		return command_usage("view", "--watch needs exactly one "
				     "FILE.cu and a screen");
	return v->count ? -1 :
	       command_usage("view", "give one or two kernels or traces");
}

static int view(const struct command *c, int argc, char **argv)
{
	struct screen s = { .reader.lang = lang_name() };
	struct viewed v = { .count = 0 };
	int status;

	launch_options_init(&v.launch[0]);
	launch_options_init(&v.launch[1]);
	status = read_view_arguments(&s, &v, c, argc, argv);
	if (status < 0)
		status = open_traces(&s, &v);
	launch_options_done(&v.launch[0]);
	launch_options_done(&v.launch[1]);
	launch_given_done(&v.given);
	return status;
}

static const struct option_def view_options[] = {
	{ "machine", OPT_MACHINE, NULL,
	  N_("also compile it, and show the machine's accesses (--arch)") },
	{ "watch", OPT_WATCH, NULL,
	  N_("record the FILE.cu again whenever it is saved") },
	{0}
};

const struct command command_view = {
	.name = "view",
	.arguments = "KERNEL|FILE.cu|F.gvt [OPTIONS]\n"
		     "KERNEL [-D MACRO=VALUE] KERNEL [-D MACRO=VALUE] [OPTIONS]",
	.summary = N_("step through a trace, or through two next to each "
		      "other"),
	.about = N_("Steps through a trace, one warp instruction at a time. A "
		    "KERNEL or FILE.cu is recorded first; q cancels the "
		    "recording. Two are shown side by side, at the same "
		    "iteration of the same tile; -D after a kernel applies to "
		    "that kernel."),
	.examples = "tiled -m 32 -n 32 -k 32\nnaive naive_swapped\n"
		    "tiled -D TILE=16 tiled -D TILE=32\ntiled.gvt",
	.options = { view_options, screen_options, launch_option_defs,
		     program_option_defs },
	.recording = "m n k D",
	.in_order = true,
	.run = view,
};
