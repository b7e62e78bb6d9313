/* gemmviz occupancy: shows how many warps an SM holds, and what limits them. */
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "base/columns.h"
#include "base/lang.h"
#include "base/text.h"
#include "cli/occupancy_options.h"
#include "timing/kernel_resources.h"

static json_t *launch_json(const struct occupancy_launch *l)
{
	return json_pack("{s:i, s:o, s:i, s:b}", "threads", l->threads,
			 "registers",
			 occupancy_count_json(l->registers ? l->registers : NA),
			 "shared", l->shared, "dynamic", l->dynamic);
}

/* Takes the values that were not given from a kernel's resources. Returns -1
 * with e. */
static int complete_wish(struct occupancy_wish *w, const char *kernel,
			 struct kernel_resources *from, struct error *e)
{
	char *word = xasprintf("%s%s%s", kernel, w->defines.len ? ":" : "",
			       w->defines.len ? w->defines.data + 1 : "");
	int status = kernel_resources_find(from, word, e);

	free(word);
	if (status < 0)
		return -1;
	if (!w->arch && !calibrated_last())
		w->arch = from->arch;
	if (w->threads == NA)
		w->threads = from->threads;
	if (w->registers == NA)
		w->registers = from->registers;
	if (w->shared == NA)
		w->shared = from->shared;
	return 0;
}

static char *amount_cell(int r, int n)
{
	return n != NA && r == OCCUPANCY_SHARED ? xasprintf("%d B", n) :
						   occupancy_number(n);
}

static void resource_row(struct columns *t, int r, const struct occupancy *o,
			 int has)
{
	char **row;

	if (r == OCCUPANCY_THREADS && o->blocks[r] == NA)
		return;
	row = columns_row(t);
	row[0] = xstrdup(occupancy_resource_words(r));
	row[1] = amount_cell(r, o->blocks[r] == NA ? NA : o->takes[r]);
	row[2] = amount_cell(r, has);
	row[3] = occupancy_number(o->blocks[r]);
	row[4] = xstrdup(o->limits[r] ? _("limit") : "");
}

static void print_resources(const struct occupancy_arch *a,
			    const struct occupancy *o)
{
	const int has[] = {
		[OCCUPANCY_BLOCKS] = a->blocks,
		[OCCUPANCY_WARPS] = a->warps,
		[OCCUPANCY_THREADS] = OCCUPANCY_BLOCK_THREADS,
		[OCCUPANCY_REGISTERS] = a->registers,
		[OCCUPANCY_SHARED] = a->shared,
	};
	struct columns t = { .left = 1 | 1 << 4 };
	char **row = columns_row(&t);

	row[0] = xstrdup("");
	row[1] = xstrdup(_("a block takes"));
	row[2] = xstrdup(_("there are"));
	row[3] = xstrdup(_("blocks/SM"));
	for (int r = 0; r < OCCUPANCY_RESOURCES; r++)
		resource_row(&t, r, o, has[r]);
	columns_print(&t, stdout);
	columns_done(&t);
}

/* Prints why not even one block fits, if a limit of a block or thread is the
 * reason. */
static void print_refusal(const struct occupancy_arch *a,
			  const struct occupancy_launch *l,
			  const struct occupancy *o)
{
	int shared = l->dynamic ? a->optin_shared : a->block_shared;

	if (o->limits[OCCUPANCY_REGISTERS] &&
	    l->registers > a->thread_registers)
		printf(_("A thread has at most %1$d registers.\n"),
		       a->thread_registers);
	else if (o->limits[OCCUPANCY_REGISTERS])
		printf(_("A block has at most %1$d registers.\n"),
		       a->block_registers);
	if (!o->limits[OCCUPANCY_SHARED])
		return;
	printf(_("A block has at most %1$d bytes of shared memory.\n"), shared);
	if (a->optin_shared > shared)
		printf(_("With dynamic shared memory, after opting in "
			 "(--dynamic), the limit is %1$d.\n"), a->optin_shared);
}

static void print_blocks(const struct occupancy *o)
{
	printf(ngettext("%1$d block", "%1$d blocks",
			(unsigned)o->active_blocks), o->active_blocks);
}

static void print_better(enum occupancy_resource r,
			 const struct occupancy_launch *now,
			 const struct occupancy_launch *l,
			 const struct occupancy *o)
{
	if (r == OCCUPANCY_REGISTERS)
		printf(_("With %1$d registers per thread instead of %2$d: "),
		       l->registers, now->registers);
	else if (r == OCCUPANCY_SHARED)
		printf(_("With %1$d bytes of shared memory instead of %2$d: "),
		       l->shared, now->shared);
	else
		printf(_("With %1$d threads per block instead of %2$d: "),
		       l->threads, now->threads);
	print_blocks(o);
	printf(_(", %1$d warps, %2$.3g %%\n"), o->active_warps,
	       100 * o->occupancy);
}

/* Finds the next better launch for a limiter. Returns false if no change of it
 * allows more warps. */
static bool find_better_launch(const struct occupancy_arch *a,
		   const struct occupancy_launch *l, const struct occupancy *o,
		   enum occupancy_resource r, struct occupancy_launch *better,
		   struct occupancy *gives)
{
	return occupancy_told(o, r) && occupancy_better(a, l, r, better, gives);
}

static void print_occupancy_advice(const struct occupancy_arch *a,
				   const struct occupancy_launch *l,
				   const struct occupancy *o)
{
	char *limiters = occupancy_limiters(o);
	int said = 0;

	printf(_("Limited by: %1$s\n"), limiters);
	free(limiters);
	if (!o->active_blocks)
		print_refusal(a, l, o);
	for (int r = 0; r < OCCUPANCY_RESOURCES; r++) {
		struct occupancy_launch better;
		struct occupancy gives;

		if (!find_better_launch(a, l, o, r, &better, &gives))
			continue;
		print_better(r, l, &better, &gives);
		said++;
	}
	if (o->active_warps == a->warps)
		printf("%s\n", _("Every warp slot is used."));
	else if (!said)
		printf("%s\n", _("No single change to these allows more "
				 "warps."));
}

static void print_occupancy_text(const struct occupancy_arch *a,
				 const struct calibrated *by,
				 const struct occupancy_launch *l,
				 const struct kernel_resources *from)
{
	struct occupancy o;

	occupancy_of(a, l, &o);
	if (by)
		printf(_("limits of an SM of %1$s, calibrated on %2$s\n"),
		       by->gpu, by->date);
	if (from->label)
		printf(_("%1$s as compiled for %2$s and timed on %3$s\n"),
		       from->label, from->arch, from->date);
	if (from->label && strcmp(from->arch, a->name))
		printf(_("(compiled for %1$s, it may need a different number "
			 "of registers)\n"),
		       a->name);
	if (l->registers)
		printf(_("%1$s (%2$s), %3$d threads, %4$d registers each, %5$d "
			 "B of shared memory\n"
			 "\n"), a->name, a->family,
		       l->threads, l->registers, l->shared);
	else
		printf(_("%1$s (%2$s), %3$d threads, registers not counted, "
			 "%4$d B of shared memory\n"
			 "\n"), a->name, a->family,
		       l->threads, l->shared);
	print_resources(a, &o);
	putchar('\n');
	print_blocks(&o);
	printf(_(", %1$d of %2$d warps: occupancy %3$.3g %%\n"),
	       o.active_warps, a->warps, 100 * o.occupancy);
	print_occupancy_advice(a, l, &o);
}

static json_t *occupancy_json(const struct occupancy_arch *a,
			      const struct calibrated *by,
			      const struct occupancy_launch *l)
{
	json_t *j = json_object(), *limits = json_object();
	json_t *better = json_array();
	struct occupancy o;

	occupancy_of(a, l, &o);
	json_object_set_new(j, "arch", json_string(a->name));
	if (by)
		json_object_set_new(j, "calibrated", json_string(by->gpu));
	json_object_update_new(j, launch_json(l));
	occupancy_add_result(j, &o);
	for (int r = 0; r < OCCUPANCY_RESOURCES; r++) {
		struct occupancy_launch to;
		struct occupancy gives;
		json_t *one;

		json_object_set_new(limits, occupancy_resource_name(r),
				    occupancy_count_json(o.blocks[r]));
		if (!find_better_launch(a, l, &o, r, &to, &gives))
			continue;
		one = launch_json(&to);
		occupancy_add_result(one, &gives);
		json_array_append_new(better, one);
	}
	json_object_set_new(j, "limits", limits);
	json_object_set_new(j, "better", better);
	return j;
}

static int run_occupancy(struct occupancy_wish *w, const char *kernel)
{
	struct kernel_resources from = { 0 };
	const struct calibrated *by;
	struct occupancy_launch l;
	struct occupancy_arch a;
	struct error e;
	int status;

	if ((kernel && complete_wish(w, kernel, &from, &e) < 0) ||
	    occupancy_options_arch(w, &a, &by, &e) < 0) {
		status = command_failed(&e);
	} else {
		l = (struct occupancy_launch){
			.threads = (int)w->threads,
			.registers = (int)MAX(w->registers, 0),
			.shared = (int)MAX(w->shared, 0),
			/* A kernel that ran with more than 48 KiB had opted
			 * in. */
			.dynamic = w->dynamic || from.shared > a.block_shared,
		};
		if (!w->json)
			print_occupancy_text(&a, by, &l, &from);
		else
			command_json(occupancy_json(&a, by, &l), stdout);
		status = command_flush(EXIT_DONE);
	}
	kernel_resources_done(&from);
	return status;
}

static int occupancy(struct occupancy_wish *w, char *const *words, int count)
{
	if (count > 1 || (!count && w->defines.len))
		return command_usage("occupancy", "give at most one kernel; -D "
				     "needs a kernel");
	if (!count && ((!w->arch && !calibrated_last()) || w->threads == NA))
		return command_usage("occupancy", "give --arch and --threads, "
				     "or a kernel");
	return run_occupancy(w, count ? words[0] : NULL);
}

static int run(const struct command *c, int argc, char **argv)
{
	struct occupancy_wish w = OCCUPANCY_WISH_NONE;
	int status = occupancy_options(&w, c, argc, argv);

	if (status < 0)
		status = occupancy(&w, argv + optind, argc - optind);
	str_done(&w.defines);
	return status;
}

static const struct option_def options[] = {
	{ "threads", OPT_THREADS, "T", N_("threads per block") },
	{ "shared", OPT_SHARED, "BYTES", N_("shared memory per block") },
	{ "dynamic", OPT_DYNAMIC, NULL,
	  N_("shared memory is dynamic: from sm_70 on, more than 48 KiB are "
	     "allowed") },
	{ NULL, 'D', "MACRO=VALUE",
	  N_("set a parameter of the kernel, such as TILE=16") },
	{0}
};

const struct command command_occupancy = {
	.name = "occupancy",
	.arguments = "--arch sm_90 --threads T [OPTIONS]\nKERNEL [OPTIONS]",
	.summary = N_("show how many blocks an SM holds, and what limits them"),
	.about = N_("Shows how many blocks an SM holds, what limits that "
		    "number and what would raise it. For a KERNEL, the "
		    "threads, registers and shared memory are those of its "
		    "recorded benchmark. Without --arch, the SM is that of the "
		    "GPU that gemmviz calibrate measured last, or that of the "
		    "benchmark."),
	.examples = "--arch sm_90 --threads 256 --registers 64 --shared 8192\n"
		    "tiled -D TILE=32 --arch sm_80",
	.options = { options, occupancy_option_defs, option_json },
	.run = run,
};
