/* rung: see rung.h. */
#include "practice/rung.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/expr.h"
#include "base/lang.h"
#include "base/text.h"
#include "lesson/lesson_parse.h"
#include "practice/rung_parse.h"

int rung_fail(struct rung_parser *p, const char *fmt, ...)
{
	char what[400];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	return error_set(p->error, EXIT_INPUT, "%s:%d: %s",
			 text_show(p->rung->path), p->line, what);
}

/* ---- the blocks of the text ---- */

enum block { BLOCK_NONE, BLOCK_DIRECTIVES, BLOCK_SKELETON, BLOCK_REFERENCE,
	     BLOCK_OTHER };

static enum block block_kind(const char *line)
{
	static const struct { const char *info; enum block block; } blocks[] = {
		{ "```gemmviz", BLOCK_DIRECTIVES },
		{ "```cuda skeleton", BLOCK_SKELETON },
		{ "```cuda reference", BLOCK_REFERENCE },
	};

	for (size_t i = 0; i < LENGTH(blocks); i++)
		if (!strcmp(line, blocks[i].info))
			return blocks[i].block;
	return BLOCK_OTHER;
}

/* The text of a rung in parts: what is left of it is a lesson's. */
struct rung_text {
	struct str lesson, skeleton, reference;
	enum block in;
	bool titled;
	int task_lines;
};

/* Adds a line to the lesson, whose only step begins after the title: where a
 * lesson's heading of level 2 is, here is an empty line. */
static int add_lesson_line(struct rung_parser *p, struct rung_text *t,
			   const char *line)
{
	bool blank = line[strspn(line, " \t")] == '\0';

	if (blank && t->titled) {
		str_add(&t->lesson, "## task");
		t->titled = false;
	} else if (!strncmp(line, "## ", 3)) {
		return rung_fail(p, _("expected no heading of level 2"));
	}
	t->titled |= !strncmp(line, "# ", 2);
	t->task_lines += !blank && strncmp(line, "# ", 2) != 0;
	if (strncmp(line, "# ", 2) != 0 &&
	    text_width(line) > RUNG_TASK_COLUMNS)
		return rung_fail(p, _("expected at most %d columns"),
				 RUNG_TASK_COLUMNS);
	str_addf(&t->lesson, "%s\n", line);
	return 0;
}

static int take_line(struct rung_parser *p, struct rung_text *t, char *line)
{
	if (!strncmp(line, "```", 3)) {
		enum block was = t->in;

		t->in = was == BLOCK_NONE ? block_kind(line) : BLOCK_NONE;
		/* A block of the task's own stays there. */
		str_addf(&t->lesson, "%s\n", was == BLOCK_OTHER ||
			 t->in == BLOCK_OTHER ? line : "");
		return 0;
	}
	switch (t->in) {
	case BLOCK_DIRECTIVES:
		str_addc(&t->lesson, '\n');
		return rung_directive(p, line);
	case BLOCK_SKELETON:
		str_addf(&t->skeleton, "%s\n", line);
		break;
	case BLOCK_REFERENCE:
		str_addf(&t->reference, "%s\n", line);
		break;
	default:
		return add_lesson_line(p, t, line);
	}
	str_addc(&t->lesson, '\n');
	return 0;
}

static int take_rung_lines(struct rung_parser *p, struct rung_text *t,
		      const char *text)
{
	int rc = 0;

	while (*text && rc == 0) {
		size_t n = strcspn(text, "\n");
		char *line = text_clean(text, n, TEXT_TABS);

		p->line++;
		rc = take_line(p, t, line);
		free(line);
		text += n + (text[n] == '\n');
	}
	return rc;
}

/* ---- what must be there ---- */

/* Sets the rung's name, stem and folder by its path. */
static void set_rung_names(struct rung *r, const char *path)
{
	const char *base = file_base(path), *name = base;
	size_t n = strlen(base);

	n -= n > 3 && !strcmp(base + n - 3, ".md") ? 3 : 0;
	r->path = xstrdup(path);
	r->stem = xstrndup(base, n);
	while (isdigit((unsigned char)*name))
		name++;
	name = name > base && *name == '-' ? name + 1 : base;
	r->name = xstrndup(name, n - (size_t)(name - base));
	r->lang = lesson_path_lang(path, &r->folder);
}

/* Checks what a rung needs besides what its lines say. */
static int check_rung(struct rung_parser *p)
{
	struct rung *r = p->rung;

	if (!r->skeleton || !*r->skeleton)
		return rung_fail(p, _("expected a block `cuda skeleton`"));
	if (r->kind == RUNG_PROBLEM && !r->problem)
		return rung_fail(p, _("expected a problem"));
	if (r->kind == RUNG_REFERENCE && !r->reference)
		return rung_fail(p, _("expected a block `cuda reference`"));
	if (r->kind == RUNG_PROGRAM ? !r->run_count : !r->size_count)
		return rung_fail(p, r->kind == RUNG_PROGRAM ?
				 _("expected a run") : _("expected a size"));
	return 0;
}

static int finish_rung(struct rung_parser *p, struct rung_text *t)
{
	struct rung *r = p->rung;
	char *text;
	int rc;

	r->skeleton = str_take(&t->skeleton);
	if (t->reference.len)
		r->reference = str_take(&t->reference);
	r->hash = hash_bytes(r->skeleton, strlen(r->skeleton));
	if (t->task_lines > RUNG_TASK_LINES)
		return rung_fail(p, _("expected a task of at most %d lines"),
				 RUNG_TASK_LINES);
	rc = check_rung(p);
	if (rc == 0)
		rc = rung_signature(p);
	if (rc < 0)
		return rc;
	text = str_take(&t->lesson);
	r->task = lesson_parse_words(r->path, text, strlen(text), p->error);
	free(text);
	return r->task ? 0 : -1;
}

struct rung *rung_parse(const char *path, const char *text, struct error *e)
{
	struct rung *r = xcalloc(1, sizeof(*r));
	struct rung_parser p = { r, e, 0 };
	struct rung_text t = { .in = BLOCK_NONE };

	r->place = NA;
	r->tolerance = NA;
	set_rung_names(r, path);
	if (take_rung_lines(&p, &t, text) < 0 || finish_rung(&p, &t) < 0) {
		rung_free(r);
		r = NULL;
	}
	str_done(&t.lesson);
	str_done(&t.skeleton);
	str_done(&t.reference);
	return r;
}

struct rung *rung_load(const char *path, const char *lang, struct error *e)
{
	const char *base = file_base(path);
	char *other = xasprintf("%.*s%s/%s", (int)(base - path), path, lang,
				base);
	const char *from = !*lang || access(other, F_OK) ? path : other;
	struct rung *r = NULL;
	size_t length;
	char *text = file_read_text(from, RUNG_MAX_BYTES, &length, e);

	if (text && !text_is_utf8(text))
		error_set(e, EXIT_INPUT, _("%s: it is not UTF-8"),
			  text_show(from));
	else if (text)
		r = rung_parse(from, text, e);
	free(text);
	free(other);
	return r;
}

/* ---- freeing ---- */

static void free_lists(struct rung *r)
{
	for (size_t i = 0; i < r->limit_count; i++) {
		free(r->limits[i].expr);
		free(r->limits[i].words);
	}
	for (size_t i = 0; i < r->run_count; i++) {
		free(r->runs[i].arguments);
		free(r->runs[i].prints);
	}
	for (size_t i = 0; i < r->trial_count; i++) {
		free(r->trials[i].path);
		free(r->trials[i].word);
	}
	for (size_t i = 0; i < RUNG_ARGUMENTS; i++) {
		free(r->arguments[i].name);
		free(r->arguments[i].count);
	}
	free(r->limits);
	free(r->runs);
	free(r->trials);
}

void rung_free(struct rung *r)
{
	if (!r)
		return;
	free_lists(r);
	free(r->path);
	free(r->name);
	free(r->stem);
	free(r->folder);
	free(r->group);
	free(r->lesson_name);
	free(r->reference);
	free(r->learned);
	free(r->begins);
	free(r->compare);
	free(r->solution);
	free(r->skeleton);
	lesson_free(r->task);
	free(r);
}

/* ---- what it says ---- */

static int size_name(void *ctx, const char *name, struct value *out,
		     struct error *e)
{
	char c = (char)tolower((unsigned char)*name);

	if (!size_bit(c) || name[1])
		return error_set(e, EXIT_INPUT, _("no name '%s'"),
				 text_show(name));
	*out = value_int(problem_size(ctx, c));
	return 0;
}

static int no_call(void *ctx, const char *name, const struct value *args,
		   size_t count, struct value *out, struct error *e)
{
	(void)ctx;
	(void)args;
	(void)count;
	(void)out;
	return error_set(e, EXIT_INPUT, _("no function '%s'"),
			 text_show(name));
}

int64_t rung_elements(const struct rung *r, const struct rung_argument *a,
		      const struct problem_sizes *size, struct error *e)
{
	struct problem_sizes s = *size;
	const struct expr_env env = { size_name, no_call, &s };
	const struct problem_array *of;
	struct value v;

	if (!a->count) {
		of = &r->problem->arrays[a->array];
		return (int64_t)problem_size(size, of->rows) *
		       problem_size(size, of->columns);
	}
	if (expr_value(a->count, &env, &v, e) < 0)
		return -1;
	if (v.kind != VALUE_INT || v.i < 1)
		return error_set(e, EXIT_INPUT, _("%s: %s is no number of "
						  "elements"),
				 text_show(r->path), text_show(a->count));
	return v.i;
}

char *rung_size_text(const struct rung *r, const struct problem_sizes *size)
{
	struct str s = { 0 };
	char names[4] = "";

	for (const char *c = "mnk"; *c; c++)
		for (size_t i = 0; i < r->argument_count; i++)
			if (r->arguments[i].size == *c) {
				names[strlen(names)] = *c;
				break;
			}
	if (strlen(names) == 1)
		str_addf(&s, "%s = ", names);
	for (const char *c = names; *c; c++)
		str_addf(&s, "%s%d", c > names ? "x" : "",
			 problem_size(size, *c));
	return str_take(&s);
}

bool rung_is_untouched(const struct rung *r, const char *text)
{
	return strstr(r->skeleton, "TODO") && strstr(text, "TODO");
}
