/* launch_suggest: takes what the options leave open of a FILE.cu's launch from
 * a launch in its text, and prints that. See launch_options.h. */
#include <stdlib.h>
#include <string.h>

#include "base/lang.h"
#include "base/text.h"
#include "cli/launch_options.h"
#include "protocol/shown_launch.h"

static void dims_add(struct str *s, const char *option,
		     const struct trace_dim *d)
{
	str_addf(s, " %s %u", option, d->x);
	if (d->y != 1 || d->z != 1)
		str_addf(s, "x%u", d->y);
	if (d->z != 1)
		str_addf(s, "x%u", d->z);
}

static void print_taken(const struct shown_launch *shown, const char *taken)
{
	fprintf(stderr, "gemmviz: ");
	fprintf(stderr, shown->sized ?
		_("taken from the launch at %s:%u, with M, N and K from -m, -n "
		  "and -k:%s") :
		_("taken from the launch at %s:%u:%s"), text_show(shown->file),
		shown->line, taken);
	putc('\n', stderr);
}

/* Takes the values that are open and shown in the text. */
static void take_shown(struct job_kernel *k, const struct shown_launch *shown,
		       bool quiet)
{
	struct str taken = { 0 };

	k->shown |= SHOWN_ARGUMENTS;
	if (shown->entry && strchr(shown->entry, '<') &&
	    !(k->entry && strchr(k->entry, '<'))) {
		free(k->entry);
		k->entry = xstrdup(shown->entry);
		str_addf(&taken, " --entry '%s'", text_show(k->entry));
	}
	if (!k->has_block && shown->has_block) {
		k->shown |= SHOWN_BLOCK;
		k->has_block = true;
		k->block = shown->block;
		dims_add(&taken, "--block", &k->block);
	}
	if (!k->has_grid && shown->has_grid) {
		k->shown |= SHOWN_GRID;
		k->has_grid = true;
		k->grid = shown->grid;
		dims_add(&taken, "--grid", &k->grid);
	}
	if (!k->shared_bytes && shown->has_shared && shown->shared) {
		k->shown |= SHOWN_SHARED;
		k->shared_bytes = shown->shared;
		str_addf(&taken, " --shared %u", k->shared_bytes);
	}
	if (taken.len && !quiet)
		print_taken(shown, taken.data);
	str_done(&taken);
}

static int still_open(const struct job_kernel *k,
		      const struct problem_sizes *size,
		      const struct shown_launch *shown, struct error *e)
{
	const char *what = k->has_block ? "--grid 4x4" : k->has_grid ?
			   "--block 16x16" : "--block 16x16 --grid 4x4";

	if (k->has_block && k->has_grid)
		return 0;
	if (shown->several)
		return error_set(e, EXIT_USAGE, N_("%s launches several "
				 "kernels: name one with --entry"),
				 text_show(k->file));
	if (!shown->file)
		return 0;
	if (shown->none)
		return error_set(e, EXIT_USAGE, N_("the launch at %s:%u has a "
				 "0 in its grid or its block at %dx%dx%d: it "
				 "launches nothing"), text_show(shown->file),
				 shown->line, size->m, size->n, size->k);
	return error_set(
		e, EXIT_USAGE,
		*shown->unknown ?
			N_("the launch at %s:%u does not show the value of %s: "
			   "give %s, for example") :
			N_("the launch at %s:%u does not show its grid and "
			   "block%s: give %s, for example"),
		text_show(shown->file), shown->line, text_show(shown->unknown),
		what);
}

/* The most threads of a launch whose own M, N and K are kept: of one along x,
 * and of others, whose threads may each add up a row; and the largest product of
 * the variables that it passes. */
#define THREADS_ALONG_X 8192.0
#define THREADS_MOST 4096.0
#define PRODUCT_MOST (64.0 * 64 * 64)

static bool is_small(const struct shown_launch *s)
{
	double threads = (double)s->grid.x * s->grid.y * s->grid.z *
			 s->block.x * s->block.y * s->block.z;
	bool along_x = s->grid.y * s->grid.z * s->block.y * s->block.z == 1;
	double product = 1;

	for (size_t i = 0; i < s->passed_count; i++)
		if (s->passed[i].known && *s->passed[i].name)
			product *= MAX(s->passed[i].value, 1);
	return s->has_grid && s->has_block && product <= PRODUCT_MOST &&
	       threads <= (along_x ? THREADS_ALONG_X : THREADS_MOST);
}

/* Finds the launch, with the text's own M, N and K if it is small. */
static void find_launch(struct shown_launch *shown, struct job *job)
{
	if (job->open) {
		shown_launch_find(shown, job, NULL, job->open);
		if (is_small(shown)) {
			job->kernel.shown |= SHOWN_LITERAL;
			return;
		}
		shown_launch_done(shown);
	}
	shown_launch_find(shown, job, NULL, 0);
}

int launch_suggest(struct launch_options *l, struct error *e)
{
	struct job_kernel *k = &l->job.kernel;
	struct shown_launch shown;
	int rc;

	if (!k->text || k->program.run)
		return 0;
	find_launch(&shown, &l->job);
	if (shown.file)
		take_shown(k, &shown, l->on_screen);
	rc = still_open(k, &l->job.size, &shown, e);
	shown_launch_done(&shown);
	return rc;
}
