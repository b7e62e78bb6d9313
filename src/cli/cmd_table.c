/* gemmviz table: shows how a tile's size changes what an SM holds. */
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "base/columns.h"
#include "base/lang.h"
#include "base/text.h"
#include "cli/occupancy_options.h"

static const int tiles[] = { 8, 16, 32, 64 };

static struct occupancy_tile compute_tile(const struct occupancy_arch *a,
					  int tile, int registers,
					  struct occupancy *o)
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
		struct occupancy_tile t =
			compute_tile(a, tiles[i], registers, &o);
		json_t *row = json_pack("{s:i, s:i, s:i, s:f, s:f, s:f}",
			"tile", tiles[i], "threads", t.threads,
			"shared", t.shared, "flop", t.flop, "bytes", t.bytes,
			"intensity", t.flop / t.bytes);

		occupancy_add_result(row, &o);
		json_array_append_new(rows, row);
	}
	return json_pack("{s:s, s:i, s:o, s:o}", "arch", a->name,
			 "shared_per_sm", a->shared, "registers",
			 occupancy_count_json(registers ? registers : NA),
			 "rows", rows);
}

static void tile_row(struct columns *t, const struct occupancy_arch *a,
		     int tile, int registers)
{
	struct occupancy o;
	struct occupancy_tile is = compute_tile(a, tile, registers, &o);
	char **row = columns_row(t);

	row[0] = occupancy_number(tile);
	row[1] = occupancy_number(is.threads);
	row[2] = xasprintf("%d B", is.shared);
	row[3] = xasprintf("%.4g", is.flop / is.bytes);
	row[4] = occupancy_number(o.active_blocks);
	row[5] = xasprintf("%.3g %%", 100 * o.occupancy);
	row[6] = occupancy_limiters(&o);
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
		printf(_("%1$s (%2$s), %3$d KiB of shared memory per SM, %4$d "
			 "registers per thread\n"
			 "\n"), a->name, a->family,
		       a->shared / 1024, registers);
	else
		printf(_("%1$s (%2$s), %3$d KiB of shared memory per SM, "
			 "registers not counted\n"
			 "\n"), a->name, a->family,
		       a->shared / 1024);
	columns_print(&t, stdout);
	columns_done(&t);
	printf("%s", _("\n"
		       "A phase loads 2 TILE^2 floats of 4 bytes and performs "
		       "2 TILE^3 FLOP on them.\n"));
}

static int tile_size(const struct occupancy_wish *w)
{
	int registers = (int)MAX(w->registers, 0);
	const struct calibrated *by;
	struct occupancy_arch a;
	struct error e;

	if (occupancy_options_arch(w, &a, &by, &e) < 0)
		return command_failed(&e);
	if (by && !w->json)
		printf(_("limits of an SM of %1$s, calibrated on %2$s\n"),
		       by->gpu, by->date);
	if (w->json)
		command_json(tiles_json(&a, registers), stdout);
	else
		print_tiles(&a, registers);
	return command_flush(EXIT_DONE);
}

static int run(const struct command *c, int argc, char **argv)
{
	static const char *const names[] = { "tile-size" };
	struct occupancy_wish w = OCCUPANCY_WISH_NONE;
	int status = occupancy_options(&w, c, argc, argv);

	if (status >= 0)
		return status;
	if (argc - optind != 1)
		return command_usage(argv[0], "give the name of a table: %s",
				     names[0]);
	if (strcmp(argv[optind], names[0]))
		return command_usage(
			argv[0],
			nearest_name(argv[optind], names, LENGTH(names)) ?
				N_("no table '%s'; did you mean %s?") :
				N_("no table '%s' (%s)"),
			text_show(argv[optind]), names[0]);
	if (!w.arch)
		return command_usage(argv[0], "give --arch");
	return tile_size(&w);
}

const struct command command_table = {
	.name = "table",
	.arguments = "tile-size --arch sm_90 [OPTIONS]",
	.summary = N_("compare tile sizes"),
	.about = N_("Shows for each tile size the threads, shared memory and "
		    "FLOP/byte of a block, how many blocks an SM holds, and "
		    "what limits that number."),
	.examples = "tile-size --arch sm_90 --registers 40",
	.options = { occupancy_option_defs, option_json },
	.run = run,
};
