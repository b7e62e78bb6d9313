/*
 * check_rules: the limits that `gemmviz check` applies to kernels, read from a
 * file in their folder, .gemmviz-check. A line is a directive; # begins a
 * comment; lines before the first `file` hold for all files of the folder:
 *
 *	max-sectors-ratio 1.5	sectors of a site per ideal sector
 *	max-wavefronts-ratio 2	wavefronts of a site per ideal wavefront
 *	max-way 2		words of one bank that are accessed at once
 *	max-registers 64	of a thread, as compiled
 *	max-spills 0		bytes that the compiled code spills
 *	max-compiled-ratio 2	wavefronts of a site as compiled per ideal one
 *	sizes multiples		sizes are meant to be multiples of a tile
 *	file transpose.cu	what follows holds for this file
 *	launch --block 32x8 --grid 4x4 --entry naive
 *				how it is launched; may be repeated. Words
 *				after -- are the program's own arguments
 *	accept bank-conflict tile: it is read once
 *				findings of this kind, on this array, are
 *				known; without an array, on any. The reason is
 *				part of every output.
 */
#ifndef CLI_CHECK_RULES_H
#define CLI_CHECK_RULES_H

#include "base/base.h"

#define CHECK_RULES_FILE ".gemmviz-check"

/* Limits; 0: none. `spills` is one more than the bytes that may be spilled. The
 * last three are of the machine code. */
struct check_limits {
	double sectors_ratio, wavefronts_ratio, way;
	double registers, spills, compiled_ratio;
};
static inline bool check_limits_machine(const struct check_limits *l)
{
	return l->registers > 0 || l->spills > 0 || l->compiled_ratio > 0;
}

/* A line that accepts findings, or one with a launch. */
struct check_line {
	uint32_t line;
	const char *file;	/* NULL: of all */
	char *kind, *array, *reason;	/* array NULL: any */
	char **words;		/* of a launch, NULL-terminated */
	bool used;
};

struct check_section {
	char *file;		/* NULL: the part for all files */
	struct check_limits limits;
	char *sizes;		/* "multiples" or "all"; NULL: it does not say */
};

struct check_rules {
	char *path;
	struct check_section *sections;
	size_t section_count, section_capacity;
	struct check_line *lines;
	size_t line_count, line_capacity;
};

/* Reads a file of rules. -1 with e (EXIT_INPUT), which names the line. */
int check_rules_read(struct check_rules *r, const char *path, struct error *e);
void check_rules_done(struct check_rules *r);

/* Returns the limits for a file (its name without folder): its own, or those
 * for all. */
struct check_limits check_rules_limits(const struct check_rules *r,
				       const char *file);
/* Returns the value of --sizes for a file, or NULL. */
const char *check_rules_sizes(const struct check_rules *r, const char *file);
/* Sets the limit of this name, as an option or a directive has it; -1 with e
 * (EXIT_USAGE): it is no such name, or no number from 1 on. */
int check_limit_set(struct check_limits *l, const char *name,
		    const char *value, struct error *e);
/* Merges limits: those of `over` replace those of `below`. */
struct check_limits check_limits_over(struct check_limits below,
				      struct check_limits over);
/* Finds the line that accepts a finding, or NULL. */
struct check_line *check_rules_accept(struct check_rules *r, const char *file,
				      const char *kind, const char *array);
/* Finds the file's nth launch, or NULL. */
const struct check_line *check_rules_launch(const struct check_rules *r,
					    const char *file, size_t nth);

#endif
