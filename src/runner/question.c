#include "runner/question.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/cpp_words.h"
#include "base/lang.h"
#include "base/text.h"
#include "kernels/kernels.h"
#include "protocol/headers.h"
#include "protocol/protocol.h"
#include "runner/runner.h"
#include "protocol/missing_files.h"

/* What an event takes at most, uncompressed: an offset, a value, its share of
 * the request; and everything else. */
#define EVENT_BYTES 32
#define OTHER_BYTES (64ull << 20)
#define TEXT_MAX (1u << 20)
/* For connections and busy machines: times, and seconds more (unless
 * GEMMVIZ_PATIENCE says how many). */
#define SECONDS_TIMES 2
#define SECONDS_MORE 60

struct question {
	struct job_kernel kernel;
	struct problem_sizes size;
	char *problem;
	uint64_t max_events, seed, first, count;
	uint32_t spaces, open;
	bool values;
	double seconds;
};

struct question *question_new(const struct job *job)
{
	struct question *q = xcalloc(1, sizeof(*q));

	*q = (struct question){
		.kernel = job_kernel_copy(&job->kernel), .size = job->size,
		.problem = job->problem ? xstrdup(job->problem) : NULL,
		.max_events = job->max_events, .seed = job->seed,
		.first = job->first, .count = job->count,
		.spaces = job->spaces, .open = job->open, .values = job->values,
		.seconds = job->seconds + job->timeout,
	};
	return q;
}

void question_free(struct question *q)
{
	if (!q)
		return;
	job_kernel_done(&q->kernel);
	free(q->problem);
	free(q);
}

uint64_t question_bytes(const struct question *q)
{
	if (q->max_events > (PROTOCOL_TRACE_MAX - OTHER_BYTES) / EVENT_BYTES)
		return PROTOCOL_TRACE_MAX;
	return OTHER_BYTES + q->max_events * EVENT_BYTES;
}

double question_seconds(const struct question *q)
{
	return SECONDS_TIMES * q->seconds + runner_patience(SECONDS_MORE);
}

bool question_of_program(const struct question *q)
{
	return q && q->kernel.program.run;
}

bool question_of_reader(const struct question *q)
{
	return !q->kernel.name;
}

bool question_locals(const struct question *q, uint64_t first, size_t rows)
{
	return first == q->first && rows <= q->count;
}

/* ---- an error ---- */

/* Returns what follows the last `mark` before `end`; NULL without one. */
static const char *after_last(const char *words, const char *end,
			      const char *mark)
{
	const char *last = NULL;

	for (const char *at = words; (at = strstr(at, mark)) && at < end; at++)
		last = at + strlen(mark);
	return last;
}

/* Returns the header that an error reports as missing, heap; NULL when it
 * reports something else. */
static char *missing_header(const char *words, bool *first)
{
	const char *end = strstr(words, ": No such file or directory");
	const char *from = words;
	int n = 0;

	*first = end != NULL;
	if (end && sscanf(words, "%*[^:]:%*u: %n", &n) == 0 && n)
		from += n;
	else
		end = strstr(words, _(", included in line "));
	if (end && !*first)
		from = after_last(words, end, _(" ("));
	return end && from && from > words && from < end ?
	       xstrndup(from, (size_t)(end - from)) : NULL;
}

/* Adds to the message what would help: the folder or source that has the
 * missing name. */
static void adds_set(json_t *message, const char *kind, const char *path,
		     const char *name)
{
	json_t *adds = json_pack("{ss ss}", kind, path, "for", name);

	if (adds)
		json_object_set_new(message, "adds", adds);
}

/* Returns the error with what is known of a missing header added, heap; NULL
 * when nothing is known. */
static char *header_words(const char *base, const char *words, json_t *message)
{
	char *folder, *more = NULL, *name, *word;
	bool first, own;

	name = missing_header(words, &first);
	if (!name)
		return NULL;
	folder = seek_header(base, name, &own);
	if (folder && own)
		adds_set(message, "folder", folder, name);
	word = folder ? text_shell_word(folder) : NULL;
	if (folder)
		more = xasprintf(_("%s; -I %s finds %s"), words, word,
				 text_show(name));
	else if (first)
		more = xasprintf(_("%s; give its folder with -I FOLDER"),
				   words);
	free(word);
	free(folder);
	free(name);
	return more;
}

/* Returns the error with the file of the program that defines the missing name
 * added; heap. "main.cu:4: scan is not defined in the program's files, ...".
 * NULL for other errors. */
static char *source_words(const struct question *q, const char *words,
			  json_t *message)
{
	const char *end = strstr(words, _(" is not defined in the program's "
					  "files"));
	const char *from = end;
	char *name, *file, *word, *more = NULL;
	bool own;

	while (from && from > words && cpp_word_char(from[-1]))
		from--;
	if (!from || from == end)
		return NULL;
	name = xstrndup(from, (size_t)(end - from));
	file = seek_source(q->kernel.program.folder, name, &own);
	if (file && own)
		adds_set(message, "source", file, name);
	word = file ? text_shell_word(file) : NULL;
	if (file)
		more = xasprintf(_("%.*s is not defined in the program's "
				   "files; %s defines it: add it after %s"),
				 (int)(end - words), words, word,
				 text_show(q->kernel.file));
	free(word);
	free(file);
	free(name);
	return more;
}

void question_explain(const struct question *q, json_t *message)
{
	const char *base = q->kernel.program.folder;
	const char *words = json_string_value(json_object_get(message,
							      "message"));
	char *more;

	/* A runner's own is not to be heard. */
	json_object_del(message, "adds");
	more = base ? header_words(base, words, message) : NULL;
	if (base && !more)
		more = source_words(q, words, message);
	if (more)
		json_object_set_new(message, "message", json_string(more));
	free(more);
}

/* ---- a trace ---- */

struct answer_check {
	const struct question *q;
	const struct trace_info *i;
	const char *name;
	struct error *e;
};

/* Sets the error for an answer to another question: asked for one thing, sent
 * another. Returns -1. */
static int fail_other(const struct answer_check *c, const char *asked,
		      const char *sent)
{
	char *a = text_clean(asked, MIN(strlen(asked), 80), 0);
	char *s = text_clean(sent, MIN(strlen(sent), 80), 0);

	error_set(c->e, EXIT_RUNNER, _("%s sent a wrong answer: it was asked "
				       "for %s and sent %s"), c->name, a, s);
	free(a);
	free(s);
	return -1;
}

static int same_number(const struct answer_check *c, const char *what,
		       uint64_t asked, uint64_t sent)
{
	char a[64], s[64];

	if (asked == sent)
		return 0;
	snprintf(a, sizeof(a), "%s %" PRIu64, what, asked);
	snprintf(s, sizeof(s), "%" PRIu64, sent);
	return fail_other(c, a, s);
}

static int check_dim(const struct answer_check *c, const char *what,
		     struct trace_dim asked, struct trace_dim sent)
{
	char a[64], s[64];

	if (asked.x == sent.x && asked.y == sent.y && asked.z == sent.z)
		return 0;
	snprintf(a, sizeof(a), "%s %ux%ux%u", what, asked.x, asked.y, asked.z);
	snprintf(s, sizeof(s), "%ux%ux%u", sent.x, sent.y, sent.z);
	return fail_other(c, a, s);
}

/* Checks the kernel's name. A user's kernel may be an instance of the template
 * that was named. */
static int same_kernel(const struct answer_check *c)
{
	const struct job_kernel *k = &c->q->kernel;
	const char *asked = k->name ? k->name : k->entry;
	size_t n = asked ? strcspn(asked, k->name ? "" : "<") : 0;

	if (!asked || (!strncmp(asked, c->i->kernel, n) &&
		       (!c->i->kernel[n] ||
			(!k->name && c->i->kernel[n] == '<'))))
		return 0;
	return fail_other(c, asked, c->i->kernel);
}

static int check_text(const struct answer_check *c)
{
	const struct job_kernel *k = &c->q->kernel;
	char *path, *text, a[64], s[64];
	size_t length;
	int rc = 0;

	if (k->name) {
		path = xasprintf("%s/%s.cu", paths()->kernels, k->name);
		text = file_read(path, TEXT_MAX, &length, c->e);
		free(path);
	} else {
		text = xstrdup(k->text);
	}
	if (!text)
		return -1;
	if (strcmp(text, c->i->text)) {
		snprintf(a, sizeof(a), _("the text with the hash %016llx"),
			 (unsigned long long)hash_bytes(text, strlen(text)));
		snprintf(s, sizeof(s), "%016" PRIx64,
			 hash_bytes(c->i->text, strlen(c->i->text)));
		rc = fail_other(c, a, s);
	}
	free(text);
	return rc;
}

static int check_defines(const struct answer_check *c)
{
	const struct job_defines *d = &c->q->kernel.defines;
	const struct job_defines sent = { c->i->defines, c->i->define_count };

	if (same_number(c, _("definitions:"), d->count, sent.count))
		return -1;
	for (size_t n = 0; n < d->count; n++) {
		const char *v = job_defined(&sent, d->list[n].name);
		char *asked;

		if (v && !strcmp(v, d->list[n].value))
			continue;
		asked = xasprintf("%s=%s", d->list[n].name, d->list[n].value);
		fail_other(c, asked, v ? v : _("none"));
		free(asked);
		return -1;
	}
	return 0;
}

/* Checks a size, unless the recorder may change it. */
static int check_size(const struct answer_check *c, const char *what, int asked,
		      uint32_t sent)
{
	return c->q->open & size_bit(*what) ?
		       0 :
		       same_number(c, what, (uint64_t)asked, sent);
}

/* Checks the launch's shape. The recorder decides how many blocks of a
 * persistent kernel run, and on the shape where it decides on the sizes. */
static int same_launch(const struct answer_check *c)
{
	const struct job_kernel *j = &c->q->kernel;
	const struct kernel *k = j->name ? kernel_find(j->name) : NULL;
	struct trace_dim block = j->block, grid = j->grid;
	int p[KERNEL_PARAMS];
	uint32_t cluster = 1;

	if (k) {
		kernel_defaults(k, p);
		kernel_values(k, p, job_defined, &j->defines);
		if (!j->has_block)
			block = k->block(p);
		if (k->cluster)
			cluster = k->cluster(p);
	}
	if (k && !j->has_grid) {
		grid = k->grid(p, (int)c->i->m, (int)c->i->n, (int)c->i->k);
		grid.x = (grid.x + cluster - 1) / cluster * cluster;
		if (k->persistent)
			grid.x = MIN(grid.x, c->i->grid.x);
	}
	if (!(c->q->open && j->shown & SHOWN_BLOCK) &&
	    check_dim(c, _("blocks of"), block, c->i->block))
		return -1;
	if (c->q->open && j->shown & SHOWN_GRID)
		return 0;
	return check_dim(c, _("a grid of"), grid, c->i->grid);
}

static int same_problem(const struct answer_check *c)
{
	const char *name = c->q->kernel.name, *asked = c->q->problem;
	const char *sent = c->i->problem ? c->i->problem : _("none");

	if (name && kernel_find(name))
		asked = kernel_find(name)->problem->name;
	return !asked || !strcmp(asked, sent) ? 0 : fail_other(c, asked, sent);
}

/* Checks a program's text and definitions. A program decides on its launches
 * itself, and their kernels may be in any of its files. */
static int same_program(const struct answer_check *c)
{
	const struct job_defines *files = &c->q->kernel.headers;

	for (size_t n = 0; n < files->count; n++)
		if (!strcmp(files->list[n].value, c->i->text))
			return check_defines(c);
	return check_text(c) || check_defines(c) ? -1 : 0;
}

static int same_question(const struct answer_check *c)
{
	const struct question *q = c->q;

	if (q->kernel.program.run)
		return same_program(c);
	return same_kernel(c) || check_text(c) || check_defines(c) ||
			       check_size(c, "M", q->size.m, c->i->m) ||
			       check_size(c, "N", q->size.n, c->i->n) ||
			       check_size(c, "K", q->size.k, c->i->k) ||
			       same_launch(c) || same_problem(c) ?
		       -1 :
		       0;
}

int question_answered(const struct question *q, const struct trace_info *i,
		      const char *on, const char *name, struct error *e)
{
	const struct answer_check c = { q, i, name, e };

	if (strcmp(on, i->on))
		return fail_other(&c, on, i->on);
	if (same_question(&c) ||
	    same_number(&c, _("the seed"), q->seed, i->seed) ||
	    same_number(&c, _("values:"), q->values, i->values) ||
	    same_number(&c, _("memory spaces"), q->spaces,
			q->spaces | i->spaces))
		return -1;
	return 0;
}
