/* gemmviz fragment: shows which lane holds which element, and the reverse. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "base/lang.h"
#include "base/text.h"
#include "cli/fragment_out.h"
#include "hardware/occupancy.h"

enum { OPT_LANE = OPTION_OWN, OPT_ELEMENT, OPT_LAYOUT, OPT_ACCUMULATOR,
       OPT_ARCH, OPT_SWIZZLE };

/* Parses "R,C". */
static bool parse_fragment_element(const char *text,
				   struct fragment_question *q)
{
	const char *comma = strchr(text, ',');
	char *row = comma ? xstrndup(text, (size_t)(comma - text)) : NULL;
	long r, c;
	bool good = row && parse_int(row, 0, 9999, &r) &&
		    parse_int(comma + 1, 0, 9999, &c);

	free(row);
	if (!good)
		return false;
	q->row = (int)r;
	q->col = (int)c;
	return true;
}

static int parse_arch(const char *text, int *number, struct error *e)
{
	struct occupancy_arch arch;

	if (occupancy_arch_get(&arch, text, 0, e) < 0)
		return -1;
	*number = atoi(arch.name + strlen("sm_"));
	if (*number < 70)
		return error_set(e, EXIT_USAGE, "%s has no tensor cores: these "
				 "exist since sm_70", arch.name);
	return 0;
}

static bool parse_layout(const char *text, char *layout)
{
	*layout = *text;
	return !strcmp(text, "row") || !strcmp(text, "col");
}

static bool parse_fragment_number(const char *text, int highest, int *to)
{
	long n;

	if (!parse_int(text, 0, highest, &n))
		return false;
	*to = (int)n;
	return true;
}

/* Takes an option. Returns NULL, or what the option needs instead. */
static const char *take_fragment_option(int id, const char *arg,
					struct fragment_wish *w,
					struct fragment_question *q)
{
	switch (id) {
	case OPT_LANE:
		return parse_fragment_number(arg, 9999, &q->lane) ?
			       NULL :
			       _("--lane needs a number of at least 0");
	case OPT_ELEMENT:
		return parse_fragment_element(arg, q) ?
			       NULL :
			       _("--element needs ROW,COLUMN, counted from 0");
	case OPT_LAYOUT:
		return parse_layout(arg, &w->layout) ?
			       NULL :
			       _("--layout needs row or col");
	case OPT_ARCH:
		q->arch = arg;
		return NULL;
	case OPT_SWIZZLE:
		return parse_fragment_number(arg, 128, &q->swizzle) &&
				       (q->swizzle == 32 || q->swizzle == 64 ||
					q->swizzle == 128) ?
			       NULL :
			       _("--swizzle needs 32, 64 or 128");
	}
	if (id == OPT_ACCUMULATOR)
		w->accumulator = arg;
	q->json |= id == OPTION_JSON;
	return NULL;
}

/* Takes the words NAME and OPERAND; ldmatrix and stmatrix have one operand
 * only. Returns an exit status. */
static int take_name_and_operand(int count, char **words,
				 struct fragment_wish *w)
{
	if (count < 1 || count > 2 ||
	    (count == 1 && !strstr(words[0], "matrix")))
		return command_usage("fragment", "give SHAPE.TYPE and an "
				     "operand");
	w->name = words[0];
	w->operand = 'R';
	if (count == 2 && (!words[1][0] || words[1][1]))
		return command_usage("fragment", "no operand '%s' (A, B, C or "
				     "D)", text_show(words[1]));
	if (count == 2)
		w->operand = (char)toupper((unsigned char)words[1][0]);
	return 0;
}

static int answer_question(const struct fragment_wish *w,
			   struct fragment_question *q, struct error *e)
{
	struct fragment f;

	if (!q->swizzle && !strncmp(w->name, "wgmma.", 6) && w->operand == 'B')
		q->swizzle = 128;
	if (q->swizzle)
		return fragment_tile(w, q, e);
	if (fragment_find(w, &f, e) < 0)
		return -1;
	if (q->lane >= f.lanes)
		return error_set(e, EXIT_USAGE, "%2$s has no lane %1$d: its "
				 "lanes are 0 to %3$d",
				 q->lane, f.name, f.lanes - 1);
	if (q->row >= f.rows || q->col >= f.cols)
		return fragment_out_outside((char[]){ f.operand, 0 }, f.rows,
					    f.cols, e);
	fragment_out(&f, q);
	return 0;
}

static int run(const struct command *c, int argc, char **argv)
{
	struct fragment_question q = { .lane = NA, .row = NA, .col = NA };
	struct fragment_wish w = { 0 };
	struct fragment_spelling spelling;
	struct options o;
	struct error e;
	int id, status;

	options_init(&o, c, argc, argv);
	while ((id = options_next(&o)) >= 0) {
		const char *needs = take_fragment_option(id, o.value, &w, &q);

		if (needs)
			return command_usage("fragment", "%s", needs);
	}
	status = id == OPTIONS_STOP ? o.status :
				      take_name_and_operand(argc - optind,
							    argv + optind, &w);
	if (status || id == OPTIONS_STOP)
		return status;
	fragment_spelled(w.name, &w, &spelling);
	if ((q.arch && parse_arch(q.arch, &w.arch, &e) < 0) ||
	    answer_question(&w, &q, &e) < 0)
		return command_failed(&e);
	return command_flush(EXIT_DONE);
}

static const struct option_def options[] = {
	{ "lane", OPT_LANE, "L", N_("show the elements that lane L holds") },
	{ "element", OPT_ELEMENT, "R,C",
	  N_("show which lane holds row R, column C") },
	{ "layout", OPT_LAYOUT, "row|col",
	  N_("layout of the matrix in memory (wmma)") },
	{ "accumulator", OPT_ACCUMULATOR, "f16|f32|s32",
	  N_("type of C and D") },
	{ "arch", OPT_ARCH, "sm_80",
	  N_("architecture, sm_70 or later (default sm_90)") },
	{ "swizzle", OPT_SWIZZLE, "32|64|128",
	  N_("show the layout of wgmma's A or B in shared memory") },
	{0}
};

const struct command command_fragment = {
	.name = "fragment",
	.arguments = "SHAPE.TYPE OPERAND [OPTIONS]",
	.summary = N_("show which lane holds which element"),
	.about = N_("SHAPE.TYPE is an instruction, such as m16n8k16.f16 for "
		    "mma, wmma.m16n16k16.f16, wgmma.m64n128k16.f16, "
		    "ldmatrix.x4, ldmatrix.x4.trans or stmatrix.x4, or its "
		    "name in PTX, such as "
		    "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32. "
		    "OPERAND is A, B, C or D; ldmatrix and stmatrix need none. "
		    "In JSON, \"register\" is the number of the element in the "
		    "lane's fragment: 3 is a3 in the PTX ISA and x[3] in "
		    "wmma."),
	.examples = "m16n8k16.f16 A --element 9,3\n"
		    "wgmma.m64n128k16.f16 D --lane 70",
	.options = { options, option_json },
	.run = run,
};
