/* gemmviz export: writes what the screen shows to a file. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/lang.h"
#include "base/resource.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/export_page.h"
#include "cli/launch_options.h"
#include "cli/program_options.h"
#include "app/film.h"

enum { OPT_OUTPUT = 'o', OPT_FORMAT = OPTION_OWN, OPT_LESSON, OPT_SIZE,
       OPT_THEME, OPT_ASCII, OPT_STEP, OPT_STEPS, OPT_BEAT, OPT_VIEW, OPT_FPS,
       OPT_REST };

#define FPS 15
/* Cells; the least is the program's own. */
#define MOST_W 400
#define MOST_H 200
#define MOST_STEPS 1000000

struct export_arguments {
	struct launch_options launch;
	const char *what, *lesson, *output;
	bool launched;		/* an option says how a kernel runs */
	const struct exporter *format;
	const struct theme *theme;
	struct film film;
	int w, h;
	bool force;
};

/* ---- options ---- */

static int take_format(struct export_arguments *a, const char *name,
		       struct error *e)
{
	const char *names[16], *near;
	size_t n = 0;
	char *all;

	a->format = export_find(name);
	if (a->format)
		return 0;
	for (; exporters[n]; n++)
		names[n] = exporters[n]->name;
	near = nearest_name(name, names, n);
	all = join_names(names, n);
	error_set(e, EXIT_USAGE, near ? "no format '%s'; did you mean %s?" :
		  _("no format '%s' (%s)"), text_show(name), near ? near : all);
	free(all);
	return -1;
}

/* Prints that the output's name has no format. Returns EXIT_USAGE. */
static int refuse_output_name(void)
{
	struct str all = { 0 };
	int status;

	for (size_t i = 0; exporters[i]; i++)
		str_addf(&all, "%s%s", i ? ", " : "", exporters[i]->suffix);
	status = command_usage("export", _("unknown format: give --format, or "
					   "an output file whose name ends in "
					   "one of %s"), all.data);
	str_done(&all);
	return status;
}

/* Parses "A-B", or "A" alone, into *from and *to. */
static bool parse_number_pair(const char *text, char between, long least,
			      long most, int *from, int *to)
{
	const char *middle = strchr(text, between);
	char *first = xstrndup(text, middle ? (size_t)(middle - text) :
					      strlen(text));
	long a, b;
	bool good = middle && parse_int(first, least, most, &a) &&
		    parse_int(middle + 1, least, most, &b);

	free(first);
	if (good) {
		*from = (int)a;
		*to = (int)b;
	}
	return good;
}

static int take_size(struct export_arguments *a, const char *value,
		     struct error *e)
{
	if (parse_number_pair(value, 'x', 1, MAX(MOST_W, MOST_H), &a->w,
			      &a->h) &&
	    a->w >= LAYOUT_MIN_W && a->w <= MOST_W && a->h >= LAYOUT_MIN_H &&
	    a->h <= MOST_H)
		return 0;
	return error_set(e, EXIT_USAGE, "--size needs columns and rows such as "
			 "120x36, from %dx%d to %dx%d, not '%s'", LAYOUT_MIN_W,
			 LAYOUT_MIN_H, MOST_W, MOST_H, text_show(value));
}

static int take_steps(struct export_arguments *a, const char *value,
		      struct error *e)
{
	if (parse_number_pair(value, '-', 1, MOST_STEPS, &a->film.from,
			      &a->film.to) &&
	    a->film.from <= a->film.to)
		return 0;
	return error_set(e, EXIT_USAGE, "--steps needs two numbers such as "
			 "2-4, not '%s'", text_show(value));
}

/* Parses an integer from 1 to `most`. Returns -1 with e. */
static int parse_option_number(const char *option, const char *value, long most,
			       long *to, struct error *e)
{
	return parse_int(value, 1, most, to) ? 0 :
	       error_set(e, EXIT_USAGE, "%s needs a number from 1 to %ld, not "
			 "'%s'", option, most, text_show(value));
}

static int take_beat(struct export_arguments *a, const char *value,
		     struct error *e)
{
	a->film.beat = beat_from(value);
	return a->film.beat >= 0 ? 0 :
	       error_set(e, EXIT_USAGE, "no beat '%s' (request, row, k, phase "
			 "or tile)", text_show(value));
}

static int take_view(struct export_arguments *a, const char *name,
		     struct error *e)
{
	struct str all = {0};
	int status;

	a->film.view = view_find(name);
	if (a->film.view && a->film.view->pane == PANE_PICTURE)
		return 0;
	for (size_t i = 0; views[i]; i++)
		if (views[i]->pane == PANE_PICTURE)
			str_addf(&all, "%s%s", i ? ", " : "", views[i]->name);
	status = error_set(e, EXIT_USAGE, "no view '%s' (%s)", text_show(name),
			   all.data);
	str_done(&all);
	return status;
}

static int take_theme(struct export_arguments *a, const char *value,
		      struct error *e)
{
	a->theme = theme_find(value);
	return a->theme ? 0 :
	       error_set(e, EXIT_USAGE, "no theme '%s' (dark, light or mono)",
			 text_show(value));
}

static int take_option(void *own, int id, const char *value,
		       struct error *e)
{
	struct export_arguments *a = own;
	long n = 0;
	int status;

	switch (id) {
	case OPT_OUTPUT:
		a->output = value;
		return 0;
	case OPT_LESSON:
		a->lesson = value;
		return 0;
	case OPTION_FORCE:
		a->force = true;
		return 0;
	case OPT_ASCII:
		a->film.ascii = true;
		return 0;
	case OPT_FORMAT:
		return take_format(a, value, e);
	case OPT_SIZE:
		return take_size(a, value, e);
	case OPT_THEME:
		return take_theme(a, value, e);
	case OPT_STEPS:
		return take_steps(a, value, e);
	case OPT_BEAT:
		return take_beat(a, value, e);
	case OPT_VIEW:
		return take_view(a, value, e);
	case OPT_STEP:
		status =
			parse_option_number("--step", value, MOST_STEPS, &n, e);
		a->film.from = a->film.to = (int)n;
		return status;
	case OPT_FPS:
		status = parse_option_number("--fps", value, 60, &n, e);
		a->film.fps = (double)n;
		return status;
	case OPT_REST:
		status = parse_option_number("--rest", value, 3600, &n, e);
		a->film.rest = (double)n;
		return status;
	}
	if (id != LAUNCH_ON && id != LAUNCH_RUNNER)
		a->launched = true;
	return launch_option(&a->launch, id, value, e);
}

/* Reads the options; the status to end with, or -1 to go on. */
static int read_options(struct export_arguments *a, const struct command *c,
			int argc, char **argv)
{
	int status = command_options(c, argc, argv, take_option, a);

	if (status >= 0)
		return status;
	if (argc - optind + (a->lesson != NULL) != 1)
		return command_usage(c->name, "give one lesson (--lesson), "
				     "kernel or file");
	if (a->lesson && (a->launched || a->film.view))
		return command_usage(c->name,
				     "%s is for kernels, not for "
				     "lessons",
				     a->launched ? _("a recording option") :
						   "--view");
	a->what = argv[optind];
	return -1;
}

/* The format that the output's name asks for; NULL: none. */
static const struct exporter *format_of(const char *path)
{
	for (size_t i = 0; exporters[i]; i++) {
		size_t n = strlen(exporters[i]->suffix), len = strlen(path);

		if (len > n && !strcmp(path + len - n, exporters[i]->suffix))
			return exporters[i];
	}
	return NULL;
}

/* Fills in what follows from the options. Returns the status to end with, or -1
 * to go on. */
static int complete_arguments(struct export_arguments *a)
{
	struct film *f = &a->film;

	if (!a->output)
		return command_usage("export", "no output file: give -o FILE");
	if (!a->format)
		a->format = format_of(a->output);
	if (!a->format)
		return refuse_output_name();
	if (a->format->missing)
		return command_usage("export", "%s", _(a->format->missing));
	f->still = f->from && f->from == f->to && a->format->still && !f->fps;
	f->moves = a->format->moves && !f->still;
	f->fps = f->fps ? f->fps : FPS;
	return -1;
}

/* ---- files ---- */

static int write_export_file(struct file_out *f, const char *name,
			     const struct str *data, struct error *e)
{
	if (!write_all(f->fd, data->data ? data->data : "", data->len))
		return 0;
	return error_resource(e, errno, EXIT_OUTPUT, "cannot write %s",
			      text_show(name));
}

/* Opens and writes the additional files, without committing them. Returns -1
 * with e. */
static int open_beside(const struct export *x, const char *output,
		       struct file_out *files, bool force, struct error *e)
{
	int folder = (int)(file_base(output) - output);

	for (size_t i = 0; i < x->beside_count; i++) {
		char *path = xasprintf("%.*s%s", folder, output,
				       x->beside[i].name);
		int status = file_out_open(&files[i], path, force, e) ||
			     write_export_file(&files[i], path,
					       &x->beside[i].data, e);

		free(path);
		if (status)
			return -1;
	}
	return 0;
}

/* Writes all files, or none; the main one is committed last. Returns -1 with
 * e. */
static int write_export_files(const struct export *x,
			      const struct export_arguments *a, struct error *e)
{
	size_t n = x->beside_count;
	struct file_out *files = xcalloc(n + 1, sizeof(*files));
	int status;

	for (size_t i = 0; i <= n; i++)
		files[i].fd = -1;
	status = open_beside(x, a->output, files, a->force, e) ||
		 file_out_open(&files[n], a->output, a->force, e) ||
		 write_export_file(&files[n], a->output, &x->out, e);
	for (size_t i = 0; i <= n && !status; i++)
		status = file_out_commit(&files[i], e);
	for (size_t i = 0; i <= n; i++)
		file_out_abandon(&files[i]);
	free(files);
	return status ? -1 : 0;
}

/* ---- the export ---- */

/* Opens the lesson, the kernel or the trace, and says what it is called. */
static char *open_what(struct export_arguments *a, struct reader *r,
		       struct error *e)
{
	const struct trace_info *i;
	struct trace *t;

	if (a->lesson)
		return reader_open_lesson(r, a->lesson, e) ? NULL :
		       xstrdup(r->lesson->title);
	a->launch.shown = true;
	a->launch.taken_out = strcmp(a->output, "-") ? stdout : stderr;
	t = launch_trace(&a->launch, a->what, e);
	if (!t)
		return NULL;
	reader_open_trace(r, t);
	i = trace_info(t);
	return trace_has_size(i) ?
		xasprintf("%s %u×%u×%u", text_show(i->kernel), i->m, i->n,
			  i->k) : xstrdup(text_show(i->kernel));
}

/* The output's name without its folder and suffix. */
static char *base_name(const struct export_arguments *a)
{
	const char *name = file_base(a->output);
	size_t n = strlen(name), suffix = strlen(a->format->suffix);

	if (n > suffix && !strcmp(name + n - suffix, a->format->suffix))
		n -= suffix;
	return xstrndup(name, n);
}

static int film_it(struct export_arguments *a, struct reader *r,
		   struct error *e)
{
	char *title = open_what(a, r, e), *name = base_name(a);
	struct export x = {
		.format = a->format, .theme = a->theme, .w = a->w, .h = a->h,
		.title = title, .lang = lang_name(), .name = name,
	};
	int status = !title ? -1 : a->format->program ?
		     export_page(r, &x, e) : film_make(r, &a->film, &x, e);

	if (!status)
		status = write_export_files(&x, a, e);
	export_done(&x);
	free(title);
	free(name);
	return status;
}

/* Checks that the output can be written, before it is made: an interrupted
 * export leaves nothing. Returns -1 with e. */
static int check_output(const struct export_arguments *a, struct error *e)
{
	struct file_out f;

	if (file_out_open(&f, a->output, a->force, e))
		return -1;
	file_out_abandon(&f);
	return 0;
}

static int export_it(struct export_arguments *a)
{
	struct reader r;
	struct error e;
	int status;

	if (!strcmp(a->output, "-") && a->format->beside)
		return command_usage("export", "%s cannot be written to "
				     "standard output: its pictures are files "
				     "next to it",
				     a->format->name);
	if (launch_runner_choose(&a->launch, &e) ||
	    check_output(a, &e))
		return command_failed(&e);
	reader_init(&r, &(struct reader_options){
		.lang = lang_name(), .runner = a->launch.runner,
		.on = a->launch.on });
	status = film_it(a, &r, &e);
	reader_done(&r);
	return status ? command_failed(&e) : command_flush(EXIT_DONE);
}

static int run(const struct command *c, int argc, char **argv)
{
	struct export_arguments a = {
		.theme = theme_find("dark"), .w = 120, .h = 36, .film.beat = -1
	};
	int status;

	launch_options_init(&a.launch);
	status = read_options(&a, c, argc, argv);
	if (status < 0)
		status = complete_arguments(&a);
	if (status < 0)
		status = export_it(&a);
	launch_options_done(&a.launch);
	return status;
}

static void print_formats(void)
{
	printf("\n%s\n", _("formats:"));
	for (size_t i = 0; exporters[i]; i++) {
		printf("  %-6s", exporters[i]->name);
		command_print_words(_(exporters[i]->help), 8);
	}
}

static const struct option_def options[] = {
	{ "output", OPT_OUTPUT, "FILE",
	  N_("the file to write; - is standard output") },
	{ "format", OPT_FORMAT, "FORMAT",
	  N_("one of the formats above (default: the suffix of the output "
	     "file)") },
	{ "lesson", OPT_LESSON, "LESSON|FILE.md", N_("export a lesson") },
	{ "size", OPT_SIZE, "WxH",
	  N_("columns and rows of the screen (default 120x36)") },
	{ "theme", OPT_THEME, "THEME", N_("colour theme: dark, light or mono") },
	{ "ascii", OPT_ASCII, NULL, N_("use ASCII characters only") },
	{ "step", OPT_STEP, "N",
	  N_("export only this step of the lesson or of the kernel, from 1") },
	{ "steps", OPT_STEPS, "A-B", N_("export only these steps") },
	{ "beat", OPT_BEAT, "BEAT",
	  N_("length of a step of a kernel: request, row, k, phase or tile") },
	{ "view", OPT_VIEW, "VIEW",
	  N_("picture of a kernel (default: the one that suits each step)") },
	{ "fps", OPT_FPS, "N",
	  N_("frames per second of animations (default 15)") },
	{ "rest", OPT_REST, "SECONDS",
	  N_("longest time that a frame stays (default: the time to read its "
	     "text)") },
	{0}
};

const struct command command_export = {
	.name = "export",
	.arguments = "--lesson LESSON|FILE.md [OPTIONS] -o FILE\n"
		     "KERNEL|FILE.cu|F.gvt [OPTIONS] -o FILE",
	.summary = N_("export a lesson or a kernel as pictures, text or an "
		      "HTML page"),
	.about = N_("Writes what the screen would show, without a terminal: a "
		    "lesson step by step, with its answers, or the first steps "
		    "of a kernel. The same command always writes the same "
		    "bytes."),
	.more = print_formats,
	.examples = "--lesson coalescing -o coalescing.cast\n"
		    "--lesson banks --step 2 --theme light -o banks.svg\n"
		    "tiled --steps 1-12 --beat phase -o tiled.svg\n"
		    "across_gpus --devices 4 --view devices --step 1 -o gpus.svg",
	.options = { options, option_force, launch_option_defs,
		     program_option_defs },
	.recording = "D devices launch",
	.run = run,
};
