/*
 * time_table: see time_table.h.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/lang.h"
#include "base/text.h"
#include "cli/time_table.h"
#include "cli/time_words.h"

static void print_machine(const struct timing *t)
{
	const struct timing_machine *m = &t->machine;

	printf("%s", m->gpu ? text_show(m->gpu) : _("n/a"));
	if (m->driver)
		printf(_(", driver %s"), m->driver);
	if (m->cuda)
		printf(", CUDA %s", m->cuda);
	if (m->cublas)
		printf(", cuBLAS %s", m->cublas);
	printf(", %s%s%s\n\n", t->date, t->from ? ", " : "",
	       t->from ? text_show(t->from) : "");
}

/* Prints words in so many columns, at the left, or (width < 0) at the right
 * after a gap. */
static void print_cell(const char *words, int width)
{
	int room = MAX(0, abs(width) - text_width(words));

	if (width < 0)
		printf("  %*s%s", room, "", words);
	else
		printf("%s%*s", words, room, "");
}

static void print_number(const char *format, double v, int width)
{
	char text[40];

	snprintf(text, sizeof(text), format, v);
	print_cell(v == NA ? _("n/a") : text, -width);
}

static void format_size(const struct problem_sizes *s, char *buf, size_t n)
{
	if (s->m == s->n && s->n == s->k)
		snprintf(buf, n, "%d", s->m);
	else
		snprintf(buf, n, "%dx%dx%d", s->m, s->n, s->k);
}

static bool has_clocks(const struct timing *t)
{
	for (size_t i = 0; i < t->size_count * t->case_count; i++)
		if (t->results[i].clock_mhz != NA)
			return true;
	return false;
}

/* Prints words, and frees them. */
static void print_words_right(char *words, int width)
{
	print_cell(words, -width);
	free(words);
}

/* Prints a case's figures. The sign for "about" depends on the locale. */
static void print_figures(const struct timing *t, size_t size, size_t i)
{
	struct timing_figures f = timing_figures(t, size, i);
	double share = timing_share(t, size, i);

	print_words_right(time_words(f.median), 12);
	print_words_right(time_spread_words(&f), 7);
	print_number(f.flops < 1e11 ? "%.4f" : "%.2f", f.flops / 1e12, 8);
	print_number(!timing_tied(t, size, i) ? "%.1f %%" : lang_utf8() ?
		     "\xe2\x89\x88%.1f %%" : "~%.1f %%",
		     share == NA ? NA : share * 100, 9);
	print_number("%.1e", timing_result(t, size, i)->error, 8);
	if (has_clocks(t))
		print_number("%.0f MHz", timing_result(t, size, i)->clock_mhz,
			     9);
}

/* Returns a word for what was not timed; a sentence elsewhere says why. */
static const char *name_state(enum timing_state s)
{
	return s == TIMING_SKIPPED ? _("skipped") :
	       s == TIMING_FAILED ? _("failed") : _("not timed");
}

/* Prints the parameters that a case was tuned to. */
static void print_defines(const struct job_defines *defines)
{
	char *words = timing_defines(defines);

	printf(" %s", words);
	free(words);
}

static void print_range(const struct timing_figures *f)
{
	printf("  ");
	printf(_("%.4g to %.4g ms"), f->fastest * 1e3, f->slowest * 1e3);
}

static void print_row(const struct timing *t, size_t size, size_t i,
		      const int *widths, bool range)
{
	const struct timing_figures f = timing_figures(t, size, i);
	const struct timing_result *r = timing_result(t, size, i);
	char words[48];

	format_size(&t->sizes[size], words, sizeof(words));
	print_cell(text_show(t->cases[i].label), widths[0]);
	print_cell(words, -widths[1]);
	if (f.median != NA)
		print_figures(t, size, i);
	else
		printf("  %s", name_state(r->state));
	if (range && f.median != NA)
		print_range(&f);
	if (r->why)
		printf("%s%s", r->sample_count ? "  " : ": ",
		       text_show(r->why));
	if (r->defines.count)
		print_defines(&r->defines);
	putchar('\n');
}

static void print_ties(const struct timing *t)
{
	bool tied = false;

	for (size_t s = 0; s < t->size_count; s++)
		for (size_t i = 0; i < t->case_count; i++)
			tied |= timing_tied(t, s, i);
	if (tied)
		printf(_("\n"
			 "%s: the samples overlap with those of cuBLAS; "
			 "neither is faster.\n"),
		       lang_utf8() ? "\xe2\x89\x88" : "~");
}

/* Returns of how many the fastest was taken, at most: tile shapes of kernels, or
 * algorithms of baselines. NA: nowhere was anything tried. */
static double tried_most(const struct timing *t, bool baseline)
{
	double most = NA;

	for (size_t i = 0; i < t->size_count * t->case_count; i++)
		if (t->cases[i % t->case_count].baseline == baseline)
			most = MAX(most, t->results[i].tried);
	return most;
}

static void print_tried(const struct timing *t)
{
	double most = tried_most(t, false), algorithms = tried_most(t, true);

	if (most != NA)
		printf(_("\n"
			 "The parameters shown for a kernel are the fastest of "
			 "up to %.0f tile shapes that\n"
			 "were tried before the race, unless a launch takes "
			 "too long for that.\n"), most);
	if (algorithms != NA)
		printf(_("\n"
			 "cublasLt uses the fastest of up to %.0f algorithms "
			 "that its heuristic ranks\n"
			 "first; they were tried in the same way.\n"),
		       algorithms);
}

static bool starts_early(const struct timing *t, size_t i)
{
	for (size_t s = 0; s < t->size_count; s++)
		if (timing_result(t, s, i)->early)
			return true;
	return false;
}

/* Returns whether a note on an earlier case of the same kernel already says
 * this. */
static bool is_noted_before(const struct timing *t, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (!strcmp(t->cases[k].name, t->cases[i].name) &&
		    starts_early(t, k))
			return true;
	return false;
}

static void print_early(const struct timing *t)
{
	struct str names = {0};

	for (size_t i = 0; i < t->case_count; i++)
		if (starts_early(t, i) && !is_noted_before(t, i))
			str_addf(&names, "%s%s", names.len ? ", " : "",
				 text_show(t->cases[i].name));
	if (names.len)
		printf(_("\n"
			 "Each launch of %s starts while the previous one ends "
			 "(programmatic\n"
			 "dependent launch).\n"), names.data);
	str_done(&names);
}

void time_table(const struct timing *t, bool range)
{
	static const int columns[] = { 12, 7, 8, 9, 8, 9 };
	const char *heads[] = { _("time"), _("spread"), "TFLOP/s",
				_("of cuBLAS"), _("error"), _("clock") };
	int widths[2] = { text_width(_("kernel")), text_width(_("size")) };
	char words[48];

	for (size_t i = 0; i < t->case_count; i++)
		widths[0] = MAX(widths[0], text_width(t->cases[i].label));
	for (size_t s = 0; s < t->size_count; s++) {
		format_size(&t->sizes[s], words, sizeof(words));
		widths[1] = MAX(widths[1], text_width(words));
	}
	print_machine(t);
	print_cell(_("kernel"), widths[0]);
	print_cell(_("size"), -widths[1]);
	for (size_t i = 0; i < LENGTH(heads) - !has_clocks(t); i++)
		print_cell(heads[i], -columns[i]);
	putchar('\n');
	for (size_t s = 0; s < t->size_count; s++)
		for (size_t i = 0; i < t->case_count; i++)
			print_row(t, s, i, widths, range);
	print_ties(t);
	print_tried(t);
	print_early(t);
}
