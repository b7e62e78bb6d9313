/* gemmviz occupancy, gemmviz table: what an SM holds, and what limits it. */
#include <getopt.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/columns.h"
#include "cli/commands.h"
#include "base/lang.h"
#include "hardware/occupancy.h"
#include "timing/kernel_resources.h"
#include "base/text.h"

enum { OPT_ARCH = 1, OPT_THREADS, OPT_REGISTERS, OPT_SHARED, OPT_DYNAMIC,
       OPT_CONFIG, OPT_JSON, OPT_LANG, OPT_HELP };

#define COMMON_OPTIONS \
	{ "arch", required_argument, NULL, OPT_ARCH }, \
	{ "config", required_argument, NULL, OPT_CONFIG }, \
	{ "registers", required_argument, NULL, OPT_REGISTERS }, \
	{ "json", no_argument, NULL, OPT_JSON }, \
	{ "lang", required_argument, NULL, OPT_LANG }, \
	{ "help", no_argument, NULL, OPT_HELP }, {0}

/* What was asked for; NA: not said. */
struct wish {
	const char *arch;
	long config, threads, registers, shared;
	bool dynamic, json;
	struct str defines;		/* "TILE=16,..." */
};

#define WISH_NONE { .config = NA, .threads = NA, .registers = NA, .shared = NA }

static int take_number(const char *name, const char *value, long lowest,
		       long highest, long *n, struct error *e)
{
	if (parse_int(value, lowest, highest, n))
		return 0;
	return error_set(e, EXIT_USAGE, "--%s wants a whole number from %ld to "
			 "%ld, not '%s'", name, lowest, highest,
			 text_show(value));
}

static int take_option(struct wish *w, int option, const char *value,
		       struct error *e)
{
	switch (option) {
	case OPT_ARCH:
		w->arch = value;
		return 0;
	case OPT_THREADS:
		return take_number("threads", value, 1, OCCUPANCY_MOST_THREADS,
				   &w->threads, e);
	case OPT_REGISTERS:
		return take_number("registers", value, 1,
				   OCCUPANCY_MOST_REGISTERS, &w->registers, e);
	case OPT_SHARED:
		return take_number("shared", value, 0, OCCUPANCY_MOST_SHARED,
				   &w->shared, e);
	case OPT_CONFIG:
		return take_number("config", value, 1, 1024, &w->config, e);
	case 'D':
		str_addf(&w->defines, ",%s", value);
		return 0;
	}
	w->dynamic |= option == OPT_DYNAMIC;
	w->json |= option == OPT_JSON;
	return 0;
}

/* Reads the options; the status to end with, or -1 to go on. */
static int read_options(struct wish *w, int argc, char **argv,
			const char *letters, const struct option *options,
			int (*usage)(void))
{
	struct error e;
	int o;

	while ((o = getopt_long(argc, argv, letters, options, NULL)) != -1) {
		if (o == '?')
			return command_option(argv[0], argv, options);
		if (o == OPT_HELP)
			return usage();
		if (take_option(w, o, optarg, &e) < 0)
			return command_failed(&e);
	}
	return -1;
}

static int get_arch(const struct wish *w, struct occupancy_arch *arch,
		    struct error *e)
{
	return occupancy_arch_get(arch, w->arch, MAX(w->config, 0), e);
}

/* ---- words and numbers ---- */

static const char *resource_words(int r)
{
	static const char *const words[] = {
		[OCCUPANCY_BLOCKS] = N_("blocks"),
		[OCCUPANCY_WARPS] = N_("warps"),
		[OCCUPANCY_THREADS] = N_("threads"),
		[OCCUPANCY_REGISTERS] = N_("registers"),
		[OCCUPANCY_SHARED] = N_("shared memory"),
	};

	return _(words[r]);
}

static char *number_cell(int n)
{
	return n == NA ? xstrdup(_("n/a")) : xasprintf("%d", n);
}

/* Of a block that is too large, threads say what warps would. */
static bool told(const struct occupancy *o, int r)
{
	return o->limits[r] &&
	       !(r == OCCUPANCY_WARPS && o->limits[OCCUPANCY_THREADS]);
}

static char *limiters_cell(const struct occupancy *o)
{
	struct str s = { 0 };

	for (int r = 0; r < OCCUPANCY_RESOURCES; r++)
		if (told(o, r))
			str_addf(&s, "%s%s", s.len ? _(", ") : "",
				 resource_words(r));
	return str_take(&s);
}

static json_t *count_json(int n)
{
	return n == NA ? json_null() : json_integer(n);
}

/* What each calculation ends with. */
static void add_result(json_t *to, const struct occupancy *o)
{
	json_t *limiters = json_array();

	for (int r = 0; r < OCCUPANCY_RESOURCES; r++)
		if (o->limits[r])
			json_array_append_new(limiters, json_string(
				occupancy_resource_name(r)));
	json_object_set_new(to, "active_blocks",
			    json_integer(o->active_blocks));
	json_object_set_new(to, "active_warps", json_integer(o->active_warps));
	json_object_set_new(to, "occupancy", json_real(o->occupancy));
	json_object_set_new(to, "limiters", limiters);
}

static json_t *launch_json(const struct occupancy_launch *l)
{
	return json_pack("{s:i, s:o, s:i, s:b}", "threads", l->threads,
			 "registers", count_json(l->registers ? l->registers :
						 NA),
			 "shared", l->shared, "dynamic", l->dynamic);
}

static int print_json(json_t *j)
{
	command_json(j, stdout);
	return command_flush(EXIT_DONE);
}

/* ---- gemmviz occupancy ---- */

/* Fills in what was not said. */
static int complete(struct wish *w, const char *kernel,
		    struct kernel_resources *from, struct error *e)
{
	char *word = xasprintf("%s%s%s", kernel, w->defines.len ? ":" : "",
			       w->defines.len ? w->defines.data + 1 : "");
	int status = kernel_resources_find(from, word, e);

	free(word);
	if (status < 0)
		return -1;
	if (!w->arch)
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
						   number_cell(n);
}

static void resource_row(struct columns *t, int r, const struct occupancy *o,
			 int has)
{
	char **row;

	if (r == OCCUPANCY_THREADS && o->blocks[r] == NA)
		return;
	row = columns_row(t);
	row[0] = xstrdup(resource_words(r));
	row[1] = amount_cell(r, o->blocks[r] == NA ? NA : o->takes[r]);
	row[2] = amount_cell(r, has);
	row[3] = number_cell(o->blocks[r]);
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

/* Why not even one block fits, where the SM as a whole is not the reason. */
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
		printf(_("With dynamic shared memory, opted in (--dynamic), it "
			 "has %1$d.\n"), a->optin_shared);
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
		printf(_("With %1$d registers a thread instead of %2$d: "),
		       l->registers, now->registers);
	else if (r == OCCUPANCY_SHARED)
		printf(_("With %1$d bytes of shared memory instead of %2$d: "),
		       l->shared, now->shared);
	else
		printf(_("With %1$d threads a block instead of %2$d: "),
		       l->threads, now->threads);
	print_blocks(o);
	printf(_(", %1$d warps, %2$.3g %%\n"), o->active_warps,
	       100 * o->occupancy);
}

/* The next better launch for a limiter; false where it can win no warp. */
static bool advice(const struct occupancy_arch *a,
		   const struct occupancy_launch *l, const struct occupancy *o,
		   enum occupancy_resource r, struct occupancy_launch *better,
		   struct occupancy *gives)
{
	return told(o, r) && occupancy_better(a, l, r, better, gives);
}

static void print_advice(const struct occupancy_arch *a,
			 const struct occupancy_launch *l,
			 const struct occupancy *o)
{
	char *limiters = limiters_cell(o);
	int said = 0;

	printf(_("Limited by: %1$s\n"), limiters);
	free(limiters);
	if (!o->active_blocks)
		print_refusal(a, l, o);
	for (int r = 0; r < OCCUPANCY_RESOURCES; r++) {
		struct occupancy_launch better;
		struct occupancy gives;

		if (!advice(a, l, o, r, &better, &gives))
			continue;
		print_better(r, l, &better, &gives);
		said++;
	}
	if (o->active_warps == a->warps)
		printf("%s\n", _("All places for warps are taken."));
	else if (!said)
		printf("%s\n", _("No single change among these gives more "
				 "warps."));
}

static void print_people(const struct occupancy_arch *a,
			 const struct occupancy_launch *l,
			 const struct kernel_resources *from)
{
	struct occupancy o;

	occupancy_of(a, l, &o);
	if (from->label)
		printf(_("%1$s as it was compiled for %2$s and raced on "
			 "%3$s\n"), from->label, from->arch, from->date);
	if (from->label && strcmp(from->arch, a->name))
		printf(_("(compiled for %1$s it may take other registers)\n"),
		       a->name);
	if (l->registers)
		printf(_("%1$s (%2$s), %3$d threads, %4$d registers each, "
			 "%5$d bytes shared\n\n"), a->name, a->family,
		       l->threads, l->registers, l->shared);
	else
		printf(_("%1$s (%2$s), %3$d threads, registers not counted, "
			 "%4$d bytes shared\n\n"), a->name, a->family,
		       l->threads, l->shared);
	print_resources(a, &o);
	putchar('\n');
	print_blocks(&o);
	printf(_(", %1$d of %2$d warps: occupancy %3$.3g %%\n"),
	       o.active_warps, a->warps, 100 * o.occupancy);
	print_advice(a, l, &o);
}

static json_t *occupancy_json(const struct occupancy_arch *a,
			      const struct occupancy_launch *l)
{
	json_t *j = json_object(), *limits = json_object();
	json_t *better = json_array();
	struct occupancy o;

	occupancy_of(a, l, &o);
	json_object_set_new(j, "arch", json_string(a->name));
	json_object_update_new(j, launch_json(l));
	add_result(j, &o);
	for (int r = 0; r < OCCUPANCY_RESOURCES; r++) {
		struct occupancy_launch to;
		struct occupancy gives;
		json_t *one;

		json_object_set_new(limits, occupancy_resource_name(r),
				    count_json(o.blocks[r]));
		if (!advice(a, l, &o, r, &to, &gives))
			continue;
		one = launch_json(&to);
		add_result(one, &gives);
		json_array_append_new(better, one);
	}
	json_object_set_new(j, "limits", limits);
	json_object_set_new(j, "better", better);
	return j;
}

static int occupancy_usage(void)
{
	printf(_("usage: gemmviz occupancy --arch A --threads T "
		 "[--registers R] [--shared BYTES]\n"
		 "       gemmviz occupancy KERNEL [-D NAME=VALUE] "
		 "[OPTIONS]\n\n"
		 "How many blocks an SM holds, what limits it and what would "
		 "help. A kernel's\nthreads, registers and shared memory are "
		 "those of its recorded race.\n\n"
		 "  --arch sm_90     the architecture, sm_20 to sm_121\n"
		 "  --threads T      of a block\n"
		 "  --registers R    of a thread; not counted without\n"
		 "  --shared BYTES   of a block\n"
		 "  --dynamic        shared memory is dynamic: more than 48 "
		 "KiB since sm_70\n"
		 "  --config 16|48   KiB of shared memory of an SM, sm_20 "
		 "only\n"
		 "  --json           data for programs\n"));
	return command_flush(EXIT_DONE);
}

static const struct option occupancy_options[] = {
	{ "threads", required_argument, NULL, OPT_THREADS },
	{ "shared", required_argument, NULL, OPT_SHARED },
	{ "dynamic", no_argument, NULL, OPT_DYNAMIC },
	COMMON_OPTIONS
};

static int calculate(struct wish *w, const char *kernel)
{
	struct kernel_resources from = { 0 };
	struct occupancy_launch l;
	struct occupancy_arch a;
	struct error e;
	int status;

	if ((kernel && complete(w, kernel, &from, &e) < 0) ||
	    get_arch(w, &a, &e) < 0) {
		status = command_failed(&e);
	} else {
		l = (struct occupancy_launch){
			.threads = (int)w->threads,
			.registers = (int)MAX(w->registers, 0),
			.shared = (int)MAX(w->shared, 0),
			/* What ran with more than 48 KiB had opted in. */
			.dynamic = w->dynamic || from.shared > a.block_shared,
		};
		if (!w->json)
			print_people(&a, &l, &from);
		status = w->json ? print_json(occupancy_json(&a, &l)) :
				   command_flush(EXIT_DONE);
	}
	kernel_resources_done(&from);
	return status;
}

static int occupancy(struct wish *w, char *const *words, int count)
{
	if (count > 1 || (!count && w->defines.len))
		return command_usage("occupancy", "wants one kernel, or none "
				     "and no -D");
	if (!count && (!w->arch || w->threads == NA))
		return command_usage("occupancy", "wants --arch and --threads, "
				     "or a kernel");
	return calculate(w, count ? words[0] : NULL);
}

int cmd_occupancy(int argc, char **argv)
{
	struct wish w = WISH_NONE;
	int status = read_options(&w, argc, argv, "D:", occupancy_options,
				  occupancy_usage);

	if (status < 0)
		status = occupancy(&w, argv + optind, argc - optind);
	str_done(&w.defines);
	return status;
}

/* ---- gemmviz table ---- */

static const int tiles[] = { 8, 16, 32, 64 };

static struct occupancy_tile tile_of(const struct occupancy_arch *a, int tile,
				     int registers, struct occupancy *o)
{
	struct occupancy_tile t = occupancy_tile(tile);
	struct occupancy_launch l = {
		.threads = t.threads, .registers = registers,
		.shared = t.shared,
	};

	occupancy_of(a, &l, o);
	return t;
}

static json_t *tiles_json(const struct occupancy_arch *a, int registers)
{
	json_t *rows = json_array();

	for (size_t i = 0; i < LENGTH(tiles); i++) {
		struct occupancy o;
		struct occupancy_tile t = tile_of(a, tiles[i], registers, &o);
		json_t *row = json_pack("{s:i, s:i, s:i, s:f, s:f, s:f}",
			"tile", tiles[i], "threads", t.threads,
			"shared", t.shared, "flop", t.flop, "bytes", t.bytes,
			"intensity", t.flop / t.bytes);

		add_result(row, &o);
		json_array_append_new(rows, row);
	}
	return json_pack("{s:s, s:i, s:o, s:o}", "arch", a->name,
			 "shared_per_sm", a->shared, "registers",
			 count_json(registers ? registers : NA),
			 "rows", rows);
}

static void tile_row(struct columns *t, const struct occupancy_arch *a,
		     int tile, int registers)
{
	struct occupancy o;
	struct occupancy_tile is = tile_of(a, tile, registers, &o);
	char **row = columns_row(t);

	row[0] = number_cell(tile);
	row[1] = number_cell(is.threads);
	row[2] = xasprintf("%d B", is.shared);
	row[3] = xasprintf("%.4g", is.flop / is.bytes);
	row[4] = number_cell(o.active_blocks);
	row[5] = xasprintf("%.3g %%", 100 * o.occupancy);
	row[6] = limiters_cell(&o);
}

static void print_tiles(const struct occupancy_arch *a, int registers)
{
	struct columns t = { .left = 1 << 6 };
	char **row = columns_row(&t);

	row[0] = xstrdup("TILE");
	row[1] = xstrdup(_("threads"));
	row[2] = xstrdup(_("shared"));
	row[3] = xstrdup(_("FLOP/B"));
	row[4] = xstrdup(_("blocks/SM"));
	row[5] = xstrdup(_("occupancy"));
	row[6] = xstrdup(_("limited by"));
	for (size_t i = 0; i < LENGTH(tiles); i++)
		tile_row(&t, a, tiles[i], registers);
	if (registers)
		printf(_("%1$s (%2$s), %3$d KiB of shared memory an SM, "
			 "%4$d registers a thread\n\n"), a->name, a->family,
		       a->shared / 1024, registers);
	else
		printf(_("%1$s (%2$s), %3$d KiB of shared memory an SM, "
			 "registers not counted\n\n"), a->name, a->family,
		       a->shared / 1024);
	columns_print(&t, stdout);
	columns_done(&t);
	printf("%s", _("\nA phase loads 2 TILE^2 floats of 4 bytes and does 2 "
		       "TILE^3 FLOP with them.\n"));
}

static int table_usage(void)
{
	printf(_("usage: gemmviz table tile-size --arch sm_90 "
		 "[--registers R] [OPTIONS]\n\n"
		 "What the size of a tile does: threads, shared memory and "
		 "FLOP/byte of a block,\nblocks an SM holds, and what limits "
		 "it.\n\n"
		 "  --arch sm_90     the architecture, sm_20 to sm_121\n"
		 "  --registers R    of a thread; not counted without\n"
		 "  --config 16|48   KiB of shared memory of an SM, sm_20 "
		 "only\n"
		 "  --json           data for programs\n"));
	return command_flush(EXIT_DONE);
}

static const struct option table_options[] = { COMMON_OPTIONS };

static int tile_size(const struct wish *w)
{
	int registers = (int)MAX(w->registers, 0);
	struct occupancy_arch a;
	struct error e;

	if (get_arch(w, &a, &e) < 0)
		return command_failed(&e);
	if (w->json)
		return print_json(tiles_json(&a, registers));
	print_tiles(&a, registers);
	return command_flush(EXIT_DONE);
}

int cmd_table(int argc, char **argv)
{
	static const char *const names[] = { "tile-size" };
	struct wish w = WISH_NONE;
	int status = read_options(&w, argc, argv, "", table_options,
				  table_usage);

	if (status >= 0)
		return status;
	if (argc - optind != 1)
		return command_usage(argv[0], "wants the name of a table, %s",
				     names[0]);
	if (strcmp(argv[optind], names[0]))
		return command_usage(argv[0], nearest_name(argv[optind], names,
				     LENGTH(names)) ?
				     "no table '%s'; did you mean %s?" :
				     "no table '%s' (%s)",
				     text_show(argv[optind]), names[0]);
	if (!w.arch)
		return command_usage(argv[0], "wants --arch");
	return tile_size(&w);
}
