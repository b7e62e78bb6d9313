/* gemmviz doctor: checks what works on this machine, and suggests fixes. */
#include <config.h>

#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/confine.h"
#include "base/lang.h"
#include "base/store.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/config.h"
#include "cli/doctor.h"
#include "cli/launch_options.h"
#include "runner/runner.h"
#include "timing/benchmark.h"
#include "term/term.h"

#define TRY_SECONDS 60
#define TEXT_COLUMN 20

enum { OPT_RUNNER = OPTION_OWN };

static char *copy_shown(const char *text)
{
	return xstrdup(text_show(text));
}

/* ---- check the terminal ---- */

/* Checks TERM and the terminal's size. */
static struct doctor_check check_terminal(void)
{
	struct doctor_check c = { N_("terminal"), DOCTOR_WORKS, NULL, NULL };
	struct term_facts f;
	struct error e;

	if (term_probe(&f, &e) < 0) {
		c.state = DOCTOR_FAILS;
		c.text = copy_shown(e.text);
		c.advice = N_("Set TERM to the terminal's type, such as "
			      "xterm-256color; --plain needs none.");
	} else if (f.w == 0) {
		c.state = DOCTOR_ABSENT;
		c.text = xasprintf(_("%s; the output is not a terminal"),
				   text_show(f.type));
	} else {
		c.text = xasprintf(_("%s, %dx%d"), text_show(f.type), f.w,
				   f.h);
		if (f.w < 80 || f.h < 24)
			c.advice = N_("gemmviz needs at least 80x24.");
	}
	return c;
}

static struct doctor_check check_colours(void)
{
	struct doctor_check c = { N_("colours"), DOCTOR_WORKS, NULL, NULL };
	const char *no_color = getenv("NO_COLOR");
	struct term_facts f;
	struct error e;
	int n = term_probe(&f, &e) < 0 ? 0 : f.colours;

	if (no_color && *no_color)
		c.text = xstrdup(_("none: NO_COLOR is set"));
	else if (n < 8)
		c.text = xstrdup(_("none: bold, underline and reverse replace "
				   "them"));
	else
		c.text = xasprintf("%d", n);
	if (n >= 8 && n < 256)
		c.advice = N_("If the terminal has 256 colours, set TERM to a "
			      "type such as xterm-256color.");
	return c;
}

static struct doctor_check check_locale(void)
{
	struct doctor_check c = { N_("locale"), DOCTOR_WORKS, NULL, NULL };

	c.text = xasprintf(lang_utf8() ? _("UTF-8, language %s") :
			   _("not UTF-8: text is ASCII, language %s"),
			     lang_name());
	if (!lang_utf8())
		c.advice = N_("Set LC_ALL to C.UTF-8 to get line drawing and "
			      "other languages.");
	return c;
}

/* Returns whether no recorded times fit the GPU that is set. */
static bool gpu_is_unknown(const char *wanted)
{
	const char *gpu = wanted ? benchmark_gpu() : NULL;

	return wanted && !(gpu && strcasestr(gpu, wanted));
}

static struct doctor_check check_settings(void)
{
	struct doctor_check c = { N_("settings"), DOCTOR_ABSENT, NULL, NULL };
	const struct config *s = config();

	if (s->bad) {
		c.state = DOCTOR_FAILS;
		c.text = copy_shown(s->error.text);
		c.advice = N_("Correct this file; until then, only gemmviz "
			      "doctor runs.");
	} else if (s->ignored_count) {
		c.state = DOCTOR_FAILS;
		c.text = copy_shown(s->ignored[0].text);
		c.advice = N_("Correct this line; until then, it is ignored.");
	} else if (s->there) {
		c.state = DOCTOR_WORKS;
		c.text = xasprintf("%s: %s", text_show(s->path), s->set.len ?
				   s->set.data : _("no settings"));
		if (gpu_is_unknown(s->gpu))
			c.advice = N_("There are no recorded times of the GPU "
				      "that the setting gpu names.");
	} else {
		c.text = s->path ? xasprintf(_("%s does not exist"),
					     text_show(s->path)) :
			 xstrdup(_("neither XDG_CONFIG_HOME nor HOME is set"));
	}
	return c;
}

/* ---- recorders ---- */

static const char kernel_text[] =
	"__global__ void doctor(float *A)\n"
	"{\n"
	"    A[threadIdx.x] = 1;\n"
	"}\n";

static struct job try_job(bool own)
{
	struct job job;

	job_launch(&job, JOB_RECORD, own ? NULL : "naive", 16, 16, 16, NULL, 0);
	if (own) {
		job.kernel.file = xstrdup("doctor.cu");
		job.kernel.text = xstrdup(kernel_text);
		job.kernel.text_length = strlen(kernel_text);
		job.kernel.has_block = job.kernel.has_grid = true;
		job.kernel.block = (struct trace_dim){ 32, 1, 1 };
		job.kernel.grid = (struct trace_dim){ 1, 1, 1 };
		job.no_store = true;
	}
	return job;
}

/* Records a small kernel, of the table or a text, and reads what comes of it;
 * "cpu" or "gpu", NULL with e. */
static const char *try_record(char *const *argv, bool own, struct error *e)
{
	struct runner *r = runner_start(argv, e);
	struct job job = try_job(own);
	const char *on = NULL;
	struct runner_event ev;
	struct trace *t;

	if (!r) {
		job_done(&job);
		return NULL;
	}
	if (runner_wait(r, runner_send(r, &job), TRY_SECONDS, &ev) < 0) {
		*e = ev.error;
	} else if (!runner_refused(&ev, e)) {
		t = runner_trace(r, ev.fd, e);
		on = t ? runner_on(r) : NULL;
		trace_close(t);
	}
	runner_event_done(&ev);
	runner_free(r);
	job_done(&job);
	return on;
}

static void set_record_result(struct doctor_check *c, const char *on,
			      double begin, const struct error *e)
{
	c->state = on ? DOCTOR_WORKS : DOCTOR_FAILS;
	c->text = on ? xasprintf(_("recorded a kernel on the %s in %.0f ms"),
				 *on == 'c' ? "CPU" : "GPU",
				 (seconds_now() - begin) * 1000) :
		       copy_shown(e->text);
}

static struct doctor_check check_recorder(void)
{
	struct doctor_check c = { N_("recorder"), DOCTOR_FAILS, NULL, NULL };
	double begin = seconds_now();
	struct error e;
	const char *on = try_record(NULL, false, &e);

	set_record_result(&c, on, begin, &e);
	if (!on)
		c.advice = N_("The installation is incomplete: gemmviz-emu or "
			      "its kernels are missing.");
	return c;
}

static struct doctor_check check_compiler(void)
{
	struct doctor_check c = { N_("compiler"), DOCTOR_FAILS, NULL, NULL };
	double begin = seconds_now();
	struct error e;
	const char *on = try_record(NULL, true, &e);

	set_record_result(&c, on, begin, &e);
	if (on) {
		free(c.text);
		c.text = xasprintf(_("%s compiled a kernel, which then ran, in "
				     "%.0f ms"),
				   KERNEL_CXX, (seconds_now() - begin) * 1000);
	} else if (e.status == EXIT_REFUSED) {
		c.advice = N_("On this machine, files of your own need "
			      "--unconfined; see confinement.");
	} else {
		c.advice = N_("To record files of your own, install a C++ "
			      "compiler such as g++.");
	}
	return c;
}

/* Looks at the store of compiled kernels. */
static struct doctor_check check_store(void)
{
	struct doctor_check c = { N_("kernel cache"), DOCTOR_ABSENT, NULL,
				  NULL };
	struct store_size size;
	struct store s;
	struct error e;
	char *path = store_path(STORE_KERNELS, &e);

	if (path && store_open(&s, STORE_KERNELS, STORE_KERNELS_BYTES, false,
			       &e) == 0) {
		size = store_measure(&s);
		store_close(&s);
		c.state = DOCTOR_WORKS;
		c.text = xasprintf(_("%zu files, %.1f of %llu MB, in %s"),
				   size.files, (double)size.bytes / (1 << 20),
				   STORE_KERNELS_BYTES >> 20, text_show(path));
	} else {
		c.text = copy_shown(e.text);
	}
	free(path);
	return c;
}

static struct doctor_check check_confinement(void)
{
	struct doctor_check c = { N_("confinement"), DOCTOR_WORKS, NULL, NULL };
	struct utsname system;
	struct error e;
	const char *in_force = confine_words(&e);

	if (in_force) {
		uname(&system);
		c.text = xasprintf(_("%s (Linux %s)"), in_force,
				   text_show(system.release));
		return c;
	}
	c.state = DOCTOR_FAILS;
	c.text = copy_shown(e.text);
	c.advice = N_("Landlock needs Linux 5.13 or newer, and a container "
		      "must permit it. Do not run untrusted files on this "
		      "machine.");
	return c;
}

static struct doctor_check check_cuda(bool driver)
{
	struct doctor_check c = { N_("CUDA"), DOCTOR_ABSENT, NULL, NULL };
	char *argv[] = { paths()->gpu, NULL };
	double begin = seconds_now();
	struct error e;
	const char *on;

	if (access(paths()->gpu, X_OK) != 0) {
		c.text = xstrdup(_("gemmviz-gpu was not built"));
		if (driver)
			c.advice = N_("Build with nvcc in PATH, or give "
				      "--runner 'ssh HOST gemmviz-gpu'.");
		return c;
	}
	on = try_record(argv, false, &e);
	set_record_result(&c, on, begin, &e);
	if (!on && !driver)
		c.state = DOCTOR_ABSENT;
	return c;
}

static struct doctor_check check_runner(char **argv)
{
	struct doctor_check c = { N_("runner"), DOCTOR_ABSENT, NULL, NULL };
	double begin = seconds_now();
	struct error e;
	const char *on;

	if (!argv) {
		c.text = xstrdup(_("none was named (--runner, or a setting)"));
		return c;
	}
	on = try_record(argv, false, &e);
	set_record_result(&c, on, begin, &e);
	if (!on)
		c.advice = N_("Run the same command by hand: it must print "
			      "exactly one line, its hello message.");
	return c;
}

/* ---- what is said ---- */

#define CHECKS 14

static void run_checks(struct doctor_check *c, char **runner)
{
	size_t n = 0;

	c[n++] = check_terminal();
	c[n++] = check_colours();
	c[n++] = check_locale();
	c[n++] = check_settings();
	c[n++] = check_recorder();
	c[n++] = check_compiler();
	c[n++] = check_store();
	c[n++] = check_confinement();
	c[n++] = doctor_machine();
	doctor_driver("/proc/driver", &c[n], &c[n + 1], &c[n + 3]);
	c[n + 2] = check_cuda(c[n].state == DOCTOR_WORKS);
	n += 4;
	c[n++] = check_runner(runner);
	if (n != CHECKS)
		fatal("%zu checks", n);
}

static void print_checks_text(const struct doctor_check *checks)
{
	static const char *const signs[] = { "+", "-", "!" };

	printf("gemmviz %s\n", PACKAGE_VERSION);
	for (size_t i = 0; i < CHECKS; i++) {
		const struct doctor_check *c = &checks[i];
		const char *name = _(c->name);

		printf("  %s %s%*s", signs[c->state], name,
		       MAX(1, TEXT_COLUMN - 4 - text_width(name)), "");
		command_print_words(c->text, TEXT_COLUMN);
		if (!c->advice)
			continue;
		printf("%*s", TEXT_COLUMN, "");
		command_print_words(_(c->advice), TEXT_COLUMN);
	}
	printf("%s\n", _("+ works   - not available, not required   ! fails"));
}

static void print_checks_json(const struct doctor_check *checks)
{
	static const char *const states[] = { "works", "absent", "fails" };
	json_t *list = json_array();

	for (size_t i = 0; i < CHECKS; i++)
		json_array_append_new(list, json_pack(
			"{s:s, s:s, s:s, s:s?}", "name", checks[i].name,
			"state", states[checks[i].state], "text",
			checks[i].text, "advice", checks[i].advice ?
			_(checks[i].advice) : NULL));
	command_json(json_pack("{s:s, s:o}", "version", PACKAGE_VERSION,
			       "checks", list), stdout);
}

static int run(const struct command *c, int argc, char **argv)
{
	struct doctor_check checks[CHECKS];
	char **runner = NULL;
	int id, status = EXIT_DONE;
	bool json = false;
	struct options o;
	struct error e;

	options_init(&o, c, argc, argv);
	while ((id = options_next(&o)) >= 0) {
		json |= id == OPTION_JSON;
		if (id != OPT_RUNNER)
			continue;
		launch_runner_free(runner);
		runner = launch_runner(o.value, &e);
		if (!runner)
			return command_failed(&e);
	}
	if (id == OPTIONS_STOP)
		return o.status;
	if (optind < argc)
		return command_usage("doctor", "takes no names");
	if (!runner)
		runner = launch_runner_copy(config()->runner);
	run_checks(checks, runner);
	launch_runner_free(runner);
	if (json)
		print_checks_json(checks);
	else
		print_checks_text(checks);
	for (size_t i = 0; i < CHECKS; i++) {
		if (checks[i].state == DOCTOR_FAILS)
			status = EXIT_CHECK;
		free(checks[i].text);
	}
	return command_flush(status);
}

static const struct option_def options[] = {
	{ "runner", OPT_RUNNER, "COMMAND",
	  N_("also test this runner, such as 'ssh HOST gemmviz-gpu'") },
	{0}
};

const struct command command_doctor = {
	.name = "doctor",
	.arguments = "[--runner COMMAND] [--json]",
	.summary = N_("check this machine and say how to fix what does not "
		      "work"),
	.about = N_("Checks the terminal, the settings, each recorder (with a "
		    "small kernel), the sandbox, the GPU and its driver. Where "
		    "something does not work, it says how to fix it. Paste its "
		    "output into bug reports. Exits with 1 if something "
		    "required fails."),
	.examples = "\n--runner 'ssh lab gemmviz-gpu'",
	.options = { options, option_json },
	.run = run,
};
