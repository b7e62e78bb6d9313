/*
 * program_options: see program_options.h.
 */
#include "cli/program_options.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/lang.h"
#include "base/text.h"
#include "hardware/arch.h"
#include "hardware/occupancy.h"
#include "kernels/kernels.h"
#include "protocol/headers.h"
#include "protocol/missing_files.h"

const struct option_def program_option_defs[] = {
	{ NULL, OPTION_GROUP, NULL, N_("programs (a FILE.cu with a main()):") },
	{ "launch", LAUNCH_NUMBER, "N",
	  N_("record launch number N of a program (default: the first launch "
	     "of each kernel)") },
	{ "kernel-only", LAUNCH_KERNEL_ONLY, NULL,
	  N_("record one kernel of a FILE.cu instead of running its main()") },
	{ "devices", LAUNCH_DEVICES, "N",
	  N_("number of GPUs that a program sees (default 1)") },
	{ "arch", LAUNCH_ARCH, "sm_90",
	  N_("architecture of the GPU, or a card such as A100 or T4; features "
	     "that it lacks are refused (default sm_90)") },
	{ "std", LAUNCH_STANDARD, "c++17",
	  N_("C++ standard that a program is compiled with") },
	{ "allow-write", LAUNCH_WRITE, "FOLDER",
	  N_("let a program write files in this folder") },
	{0}
};

static int arch_set(struct job_kernel *k, const char *value, struct error *e)
{
	const struct arch_card *card = arch_card_named(value);
	const char *number = value + strcspn(value, "0123456789");
	char *name = xasprintf("sm_%s", number);
	bool prefixed = number == value || !strncmp(value, "sm_", 3) ||
			!strncmp(value, "compute_", 8);
	struct occupancy_arch a;
	long n = card ? card->arch : strtol(number, NULL, 10);
	bool known = card || (prefixed && n >= 50 &&
			      occupancy_arch_get(&a, name, 0, NULL) == 0);

	free(name);
	if (!known)
		return error_set(e, EXIT_USAGE, "--arch needs an architecture "
				 "from sm_50 on, or a card, such as sm_90 or "
				 "A100, not '%s'", text_show(value));
	k->arch = (uint32_t)n;
	k->sms = card ? card->sms : 0;
	return 0;
}

int program_option(struct launch_options *l, int option, const char *value,
		   struct error *e)
{
	struct job_program *p = &l->job.kernel.program;
	char *folder;
	long n;

	switch (option) {
	case LAUNCH_NUMBER:
		if (!parse_int(value, 1, INT32_MAX, &n))
			return error_set(e, EXIT_USAGE, "--launch needs a "
					 "number of at least 1, not '%s'",
					 text_show(value));
		p->launch = (uint32_t)n;
		return 0;
	case LAUNCH_KERNEL_ONLY:
		l->kernel_only = true;
		return 0;
	case LAUNCH_WRITE:
		folder = realpath(value, NULL);
		if (!folder)
			return error_set(e, EXIT_USAGE, "--allow-write: %s: %m",
					 text_show(value));
		job_define(&p->writable, folder, "");
		free(folder);
		return 0;
	case LAUNCH_STANDARD:
		free(p->standard);
		p->standard = xstrdup(value);
		return 0;
	case LAUNCH_DEVICES:
		if (!parse_int(value, 1, DEVICES_MOST, &n))
			return error_set(e, EXIT_USAGE, "--devices needs a "
					 "number from 1 to %d, not '%s'",
					 DEVICES_MOST, text_show(value));
		p->devices = (uint32_t)n;
		return 0;
	default:
		return arch_set(&l->job.kernel, value, e);
	}
}

/* Puts a CUDA source first if the sources that begin the words have one after a
 * source of another language: the order in which a program's files are named
 * does not matter. */
static void put_cuda_first(int argc, char **argv)
{
	char *first = argv[0];

	if (kernel_is_file(first) || kernel_find(first))
		return;
	for (int i = 0; i < argc && seek_is_source(argv[i]) &&
	     access(argv[i], R_OK) == 0; i++)
		if (kernel_is_file(argv[i])) {
			argv[0] = argv[i];
			argv[i] = first;
			return;
		}
}

/* Prints a note for each option of gemmviz among the program's arguments. */
static void note_options(int argc, char **argv)
{
	for (int i = 0; i < argc; i++) {
		size_t n = strcspn(argv[i], "=");
		const struct option_def *d[] = { launch_option_defs,
						 program_option_defs };

		for (size_t k = 0; k < LENGTH(d); k++)
			for (; d[k]->help; d[k]++)
				if (d[k]->name && !strncmp(argv[i], "--", 2) &&
				    strlen(d[k]->name) == n - 2 &&
				    !strncmp(argv[i] + 2, d[k]->name, n - 2))
					fprintf(stderr, _("gemmviz: %s is "
						"given to the program: options "
						"of gemmviz come before the "
						"file\n"), text_show(argv[i]));
	}
}

int program_arguments(struct launch_options *l, int argc, char **argv,
		      struct error *e)
{
	struct job_program *p = &l->job.kernel.program;
	int i = 1;

	if (argc > 0)
		put_cuda_first(argc, argv);
	for (; i < argc && seek_is_source(argv[i]) &&
	       access(argv[i], R_OK) == 0; i++) {
		/* In g++ even as the name of what it makes of the file. */
		if (*file_base(argv[i]) == '@')
			return error_set(e, EXIT_USAGE, _("%s: g++ takes a "
					 "name that begins with @ for a list "
					 "of options; rename the file"),
					 text_show(argv[i]));
		job_define(&p->files, argv[i], "");
	}
	if (l->must_run)
		note_options(argc - i, argv + i);
	for (; i < argc; i++) {
		char *path = realpath(argv[i], NULL);

		job_program_argument(p, argv[i]);
		if (path)
			job_define(&p->readable, path, "");
		free(path);
	}
	if (MAX(p->files.count, p->readable.count) > PROGRAM_PATHS_MOST)
		return error_set(e, EXIT_USAGE, "a program has at most %d "
				 "files", PROGRAM_PATHS_MOST);
	return 0;
}

int program_choose(struct launch_options *l, struct error *e)
{
	struct job_kernel *k = &l->job.kernel;
	bool one = l->entry || k->has_block || k->has_grid || l->kernel_only ||
		   l->job.args.count || l->job.arrays.count ||
		   l->job.contents.count || (l->on && *l->on == 'g');

	k->program.run = !one && (job_program_main(k->text) ||
				  k->program.files.count);
	if (k->program.run || !k->program.argument_count)
		return 0;
	return error_set(e, EXIT_USAGE, "%s is not run as a program, so it "
			 "takes no arguments", text_show(k->file));
}

/* Names from the program's folder, as they are from here. */
static void names_whole(struct job_defines *d, const char *folder)
{
	struct job_defines given = *d;

	*d = (struct job_defines){ .count = 0 };
	for (size_t i = 0; i < given.count; i++) {
		char *path = *given.list[i].name == '/' ?
				     xstrdup(given.list[i].name) :
				     xasprintf("%s/%s", folder,
					       given.list[i].name);

		job_define(d, path, given.list[i].value);
		free(path);
	}
	job_defines_done(&given);
}

/* Lists what was taken without being named. */
static void list_taken(struct launch_options *l, const char *folder,
		      const char *source, const char *name)
{
	char *path = text_shell_word(folder ? folder : source);
	char *words = folder ?
		xasprintf(_("added -I %s, which contains %s"), path,
			  text_show(name)) :
		xasprintf(_("added %s, which defines %s()"), path,
			  text_show(name));

	if (!l->taken)
		l->taken = json_array();
	json_array_append_new(l->taken, json_string(words));
	if (!l->on_screen && l->taken_out)
		fprintf(l->taken_out, "gemmviz: %s\n", words);
	free(words);
	free(path);
}

bool program_complete(struct launch_options *l, const char *what)
{
	struct job_kernel *k = &l->job.kernel;
	const char *folder, *source, *name;
	json_t *adds = l->adds;

	l->adds = NULL;
	folder = json_string_value(json_object_get(adds, "folder"));
	source = json_string_value(json_object_get(adds, "source"));
	name = json_string_value(json_object_get(adds, "for"));
	if (!k->program.run || kernel_is_input(what) || (!folder && !source) ||
	    k->program.files.count == PROGRAM_PATHS_MOST) {
		json_decref(adds);
		return false;
	}
	names_whole(&k->folders, k->program.folder);
	names_whole(&k->program.files, k->program.folder);
	job_define(folder ? &k->folders : &k->program.files,
		   folder ? folder : source, HEADERS_FOUND);
	headers_find(k, what);
	list_taken(l, folder, source, name);
	json_decref(adds);
	return true;
}

struct trace *program_traces(struct launch_options *l, const struct runner *r,
			     int fd, struct error *e)
{
	const json_t *list = json_object_get(l->program, "traces");
	size_t count = json_array_size(list), capacity = 0;
	off_t at = 0;

	error_set(e, EXIT_RUNNER, "the program has no traces");
	for (size_t i = 0; i < count; i++) {
		json_int_t bytes = json_integer_value(json_object_get(
			json_array_get(list, i), "bytes"));
		int own = launch_copy_part(fd, at, bytes, e);
		struct trace *t = own < 0 ? NULL : runner_trace(r, own, e);

		if (!t)
			break;
		grow(&l->traces, &capacity, l->trace_count + 1,
		     sizeof(*l->traces));
		l->traces[l->trace_count++] = t;
		at += bytes;
	}
	close(fd);
	if (count && l->trace_count == count)
		return l->traces[0];
	while (l->trace_count)
		trace_close(l->traces[--l->trace_count]);
	return NULL;
}

/* A program that took longer is not run again for advice; seconds. */
#define AGAIN_MOST 5.0

uint32_t program_launch_of(const struct launch_options *l, size_t i)
{
	const json_t *of = json_array_get(json_object_get(l->program,
							  "traces"), i);

	if (json_number_value(json_object_get(l->program, "seconds")) >
	    AGAIN_MOST)
		return 0;
	return (uint32_t)json_integer_value(json_object_get(of, "launch"));
}
