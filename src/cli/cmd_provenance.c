/* gemmviz provenance: shows how one element of C was computed. */
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "base/lang.h"
#include "cli/launch_options.h"
#include "provenance/provenance.h"
#include "base/text.h"

enum { OPT_ALL = OPTION_OWN };

struct provenance_question {
	struct launch_options launch;
	const char *what;	/* KERNEL, FILE.cu or F.gvt */
	uint32_t i, j;
	bool json, all;
	bool likely;		/* only likely blocks were recorded */
};

static int parse_c_element(struct provenance_question *q, const char *text)
{
	const char *comma = strchr(text, ',');
	char *row = xstrndup(text, comma ? (size_t)(comma - text) : 0);
	long i = 0, j = 0;
	bool good = comma && parse_int(row, 0, INT32_MAX, &i) &&
		    parse_int(comma + 1, 0, INT32_MAX, &j);

	free(row);
	if (!good)
		return command_usage("provenance", "give an element of C, such "
				     "as 5,7, not '%s'", text_show(text));
	q->i = (uint32_t)i;
	q->j = (uint32_t)j;
	return -1;
}

static int take_option(void *own, int id, const char *value,
		       struct error *e)
{
	struct provenance_question *q = own;

	q->json |= id == OPTION_JSON;
	q->all |= id == OPT_ALL;
	return id == OPTION_JSON || id == OPT_ALL ? 0 :
	       launch_option(&q->launch, id, value, e);
}

/* Reads the options. Returns the status to end with, or -1 to go on. */
static int read_provenance_arguments(struct provenance_question *q,
				     const struct command *c, int argc,
				     char **argv)
{
	int status = command_options(c, argc, argv, take_option, q);

	if (status >= 0)
		return status;
	if (argc != optind + 2)
		return command_usage(argv[0], "give a kernel and an element of "
				     "C, such as tiled 5,7");
	q->what = argv[optind];
	return parse_c_element(q, argv[optind + 1]);
}

/* ---- which block ---- */

static void add_block(struct provenance_question *q, uint64_t x, uint64_t y)
{
	struct job *job = &q->launch.job;

	for (size_t i = 0; i < job->block_count; i++)
		if (job->blocks[i].x == x && job->blocks[i].y == y)
			return;
	job_block(job, (struct trace_dim){ (uint32_t)x, (uint32_t)y, 0 });
}

/* Returns which of `parts` equal parts of `size` elements contains the element
 * `at`. */
static uint64_t find_part(uint64_t at, uint64_t size, uint64_t parts)
{
	return at * parts / size;
}

/* Adds the blocks that may compute C[i][j], if each has a rectangle of C, with
 * x along the columns or along the rows. The last blocks may reach beyond C, so
 * that n blocks are at least as wide as C / n, but narrower than C / (n -
 * 1). */
static void add_likely_blocks(struct provenance_question *q,
			      const struct trace_info *info)
{
	struct trace_dim g = info->grid;

	q->launch.job.block_count = 0;
	for (int less = 0; less < 4; less++) {
		uint32_t x = g.x - (less & 1), y = g.y - (less >> 1);

		add_block(q, find_part(q->j, info->n, x),
			  find_part(q->i, info->m, y));
		add_block(q, find_part(q->i, info->m, x),
			  find_part(q->j, info->n, y));
	}
}

/* Records the job's blocks; all blocks if there are none. Returns NULL with
 * e. */
static struct trace *record_blocks(struct provenance_question *q,
				   struct error *e)
{
	q->likely = q->launch.job.block_count > 0;
	return launch_trace(&q->launch, q->what, e);
}

static struct trace *record_all(struct provenance_question *q, struct error *e)
{
	q->launch.job.block_count = 0;
	return record_blocks(q, e);
}

/* Takes the blocks of the same cluster, which may have multicast tiles to this
 * one, as the job's. */
static void set_cluster_blocks(struct provenance_question *q,
			       const struct trace_info *info, uint32_t block)
{
	uint32_t cluster = provenance_cluster(info);

	q->launch.job.block_count = 0;
	for (uint32_t i = 0; i < cluster; i++) {
		struct trace_dim b = dim_of(info->grid, block / cluster *
						       cluster + i);

		add_block(q, b.x, b.y);
	}
}

/* A trace that holds the block that stores C[i][j]: a first block tells the
 * shape of the launch, then those that are likely are recorded, else all. */
static struct trace *record_block(struct provenance_question *q,
				  struct error *e)
{
	struct trace *t;
	uint32_t block;
	int stored;

	add_block(q, 0, 0);
	t = record_blocks(q, e);
	stored = t ? provenance_stored(t, q->i, q->j, &block, e) : -1;
	if (stored == 0 && trace_info(t)->m && trace_info(t)->n) {
		add_likely_blocks(q, trace_info(t));
		trace_close(t);
		t = record_blocks(q, e);
		stored = t ? provenance_stored(t, q->i, q->j, &block, e) : -1;
	}
	if (stored > 0 && provenance_cluster(trace_info(t)) > 1) {
		set_cluster_blocks(q, trace_info(t), block);
		trace_close(t);
		t = record_blocks(q, e);
	} else if (stored == 0) {
		trace_close(t);
		t = record_all(q, e);
	} else if (stored < 0) {
		trace_close(t);
		t = NULL;
	}
	return t;
}

static struct trace *find_trace(struct provenance_question *q, struct error *e)
{
	bool file = strlen(q->what) > 4 &&
		    !strcmp(q->what + strlen(q->what) - 4, ".gvt");

	if (file || q->launch.job.block_count)
		return launch_trace(&q->launch, q->what, e);
	return record_block(q, e);
}

/* ---- the answer ---- */

static int build_provenance(const struct provenance_question *q,
			    struct trace *t, struct provenance *p,
			    struct error *e)
{
	return t ? provenance_build(t, q->i, q->j, p, e) : -1;
}

static int print_element_provenance(struct provenance_question *q,
				    struct error *e)
{
	struct trace *t = find_trace(q, e);
	struct provenance p;
	int status = build_provenance(q, t, &p, e);

	/* Where C is stored by columns the element is another block's. */
	if (!status && !p.adds_up && q->likely) {
		provenance_done(&p);
		trace_close(t);
		t = record_all(q, e);
		status = build_provenance(q, t, &p, e);
	}
	if (status) {
		trace_close(t);
		return command_failed(e);
	}
	if (q->json)
		command_json(launch_taken_json(&q->launch, provenance_json(&p)),
			     stdout);
	else
		provenance_print(&p, q->all, stdout);
	status = p.finding_count ? EXIT_CHECK : EXIT_DONE;
	provenance_done(&p);
	trace_close(t);
	return command_flush(status);
}

static int run(const struct command *c, int argc, char **argv)
{
	struct provenance_question q = {0};
	struct error e;
	int status;

	launch_options_init(&q.launch);
	status = read_provenance_arguments(&q, c, argc, argv);
	q.launch.taken_out = q.json ? NULL : stdout;
	if (status < 0)
		status = print_element_provenance(&q, &e);
	launch_options_done(&q.launch);
	return status;
}

static const struct option_def options[] = {
	{ "all", OPT_ALL, NULL, N_("print all steps") },
	{0}
};

const struct command command_provenance = {
	.name = "provenance",
	.arguments = "KERNEL|FILE.cu|F.gvt I,J [OPTIONS]",
	.summary = N_("show how an element of C was computed"),
	.about = N_("Shows how C[I][J] was computed: for each k, the elements "
		    "of A and B, the thread that loaded each from global "
		    "memory, its place in shared memory, the source lines, the "
		    "product and the sum so far, in the order of the thread "
		    "that stored C[I][J]. Exits with 1 if the result differs "
		    "from the value that was stored."),
	.examples = "tiled 5,7\nmy.cu 5,7 --block 16x16 --grid 4x4 --all",
	.options = { options, option_json, launch_option_defs },
	.recording = "D block grid",
	.run = run,
};
