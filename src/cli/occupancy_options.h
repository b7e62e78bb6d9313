/* occupancy_options: the options, words and numbers that gemmviz occupancy and
 * gemmviz table share. */
#ifndef CLI_OCCUPANCY_OPTIONS_H
#define CLI_OCCUPANCY_OPTIONS_H

#include "cli/command.h"
#include "hardware/occupancy.h"
#include "timing/calibrated.h"

enum { OPT_ARCH = OPTION_OWN, OPT_THREADS, OPT_REGISTERS, OPT_SHARED,
       OPT_DYNAMIC, OPT_CONFIG };

/* --arch, --registers and --config. */
extern const struct option_def occupancy_option_defs[];

/* What was asked for; NA: not given. */
struct occupancy_wish {
	const char *arch;
	long config, threads, registers, shared;
	bool dynamic, json;
	struct str defines;		/* "TILE=16,..." */
};

#define OCCUPANCY_WISH_NONE \
	{ .config = NA, .threads = NA, .registers = NA, .shared = NA }

/* Reads the options; returns the exit status to end with, or -1 to go on. */
int occupancy_options(struct occupancy_wish *w, const struct command *c,
		      int argc, char **argv);
/* Gets the architecture; without --arch that of the GPU that was calibrated
 * last. If it is that GPU's, it has the calibrated limits, and *by is set; else
 * *by is NULL. Returns -1 with e. */
int occupancy_options_arch(const struct occupancy_wish *w,
			   struct occupancy_arch *arch,
			   const struct calibrated **by, struct error *e);

const char *occupancy_resource_words(int r);
/* Returns whether a resource is worth mentioning as a limit: for a block that
 * is too large, the threads already imply the warps. */
bool occupancy_told(const struct occupancy *o, int r);
/* Returns the number as text, "n/a" for NA; the caller frees it. */
char *occupancy_number(int n);
char *occupancy_limiters(const struct occupancy *o);
json_t *occupancy_count_json(int n);
/* Adds what every calculation ends with. */
void occupancy_add_result(json_t *to, const struct occupancy *o);

#endif
