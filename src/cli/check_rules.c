#include "base/lang.h"
#include "cli/check_rules.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cli/launch_options.h"

#define RULES_MAX (1u << 20)

static double *limit_of(struct check_limits *l, const char *name)
{
	if (!strcmp(name, "max-sectors-ratio"))
		return &l->sectors_ratio;
	if (!strcmp(name, "max-wavefronts-ratio"))
		return &l->wavefronts_ratio;
	if (!strcmp(name, "max-registers"))
		return &l->registers;
	if (!strcmp(name, "max-spills"))
		return &l->spills;
	if (!strcmp(name, "max-compiled-ratio"))
		return &l->compiled_ratio;
	return !strcmp(name, "max-way") ? &l->way : NULL;
}

int check_limit_set(struct check_limits *l, const char *name,
		    const char *value, struct error *e)
{
	double *limit = limit_of(l, name);
	char *end;
	double v = strtod(value, &end);
	int least = limit == &l->spills ? 0 : 1;

	if (!limit)
		return error_set(e, EXIT_USAGE, "no limit '%s'",
				 text_show(name));
	if (end == value || *end || !(v >= least && v <= 1e9))
		return error_set(e, EXIT_USAGE, "%s needs a number of at least "
				 "%d, not '%s'", name, least, text_show(value));
	*limit = v + 1 - least;
	return 0;
}

struct check_limits check_limits_over(struct check_limits below,
				      struct check_limits over)
{
	return (struct check_limits){
		.sectors_ratio = over.sectors_ratio > 0 ? over.sectors_ratio :
							  below.sectors_ratio,
		.wavefronts_ratio = over.wavefronts_ratio > 0 ?
				    over.wavefronts_ratio :
				    below.wavefronts_ratio,
		.way = over.way > 0 ? over.way : below.way,
		.registers = over.registers > 0 ? over.registers :
						  below.registers,
		.spills = over.spills > 0 ? over.spills : below.spills,
		.compiled_ratio = over.compiled_ratio > 0 ?
				  over.compiled_ratio : below.compiled_ratio,
	};
}

/* ---- a line ---- */

static struct check_section *get_last_section(struct check_rules *r)
{
	return &r->sections[r->section_count - 1];
}

static void begin_section(struct check_rules *r, const char *file)
{
	grow(&r->sections, &r->section_capacity, r->section_count + 1,
	     sizeof(*r->sections));
	r->sections[r->section_count++] = (struct check_section){
		.file = file ? xstrdup(file) : NULL };
}

static void add_rule_line(struct check_rules *r, struct check_line l)
{
	grow(&r->lines, &r->line_capacity, r->line_count + 1,
	     sizeof(*r->lines));
	l.file = get_last_section(r)->file;
	r->lines[r->line_count++] = l;
}

static int set_line_error(const struct check_rules *r, uint32_t line,
			  struct error *e, const char *what)
{
	return error_set(e, EXIT_INPUT, "%s:%u: %s", text_show(r->path), line,
			 _(what));
}

/* Reads the rest of a line "accept KIND [ARRAY]: REASON". */
static int read_accept(struct check_rules *r, uint32_t line, char *rest,
		       struct error *e)
{
	char *reason = strchr(rest, ':'), *save, *kind, *array;

	if (!reason || !reason[1 + strspn(reason + 1, " \t")])
		return set_line_error(r, line, e,
				      "expected a reason: accept KIND "
				      "[ARRAY]: REASON");
	*reason++ = '\0';
	reason += strspn(reason, " \t");
	kind = strtok_r(rest, " \t", &save);
	array = kind ? strtok_r(NULL, " \t", &save) : NULL;
	if (!kind || (array && strtok_r(NULL, " \t", &save)))
		return set_line_error(r, line, e,
				      "expected accept KIND [ARRAY]: "
				      "REASON");
	add_rule_line(
		r, (struct check_line){ .line = line,
					.kind = xstrdup(kind),
					.array = array ? xstrdup(array) : NULL,
					.reason = xstrdup(reason) });
	return 0;
}

static int read_launch(struct check_rules *r, uint32_t line, const char *rest,
		       struct error *e)
{
	struct error why;
	char **words;

	if (!get_last_section(r)->file)
		return set_line_error(r, line, e,
				      "expected 'file NAME' before the first "
				      "launch");
	words = launch_runner(rest, &why);
	if (!words)
		return set_line_error(r, line, e,
				      "expected options such as --block 16x16 "
				      "--grid 4x4");
	add_rule_line(r, (struct check_line){ .line = line, .words = words });
	return 0;
}

static int read_limit(struct check_rules *r, uint32_t line, const char *word,
		      const char *rest, struct error *e)
{
	struct error why;

	if (!check_limit_set(&get_last_section(r)->limits, word, rest, &why))
		return 0;
	return set_line_error(r, line, e, why.text);
}

static int read_sizes(struct check_rules *r, uint32_t line, const char *word,
		      struct error *e)
{
	struct check_section *s = get_last_section(r);

	if (strcmp(word, "multiples") != 0 && strcmp(word, "all") != 0)
		return set_line_error(r, line, e,
				      "expected sizes multiples or sizes all");
	free(s->sizes);
	s->sizes = xstrdup(word);
	return 0;
}

static int read_rule_line(struct check_rules *r, uint32_t line, char *text,
			  struct error *e)
{
	size_t n;
	char *rest;

	text += strspn(text, " \t");
	n = strlen(text);
	while (n && strchr(" \t", text[n - 1]))
		text[--n] = '\0';
	if (!*text || *text == '#')
		return 0;
	rest = text + strcspn(text, " \t");
	if (*rest)
		*rest++ = '\0';
	rest += strspn(rest, " \t");
	if (!strcmp(text, "file") && *rest && !strchr(rest, '/')) {
		begin_section(r, rest);
		return 0;
	}
	if (!strcmp(text, "file"))
		return set_line_error(r, line, e,
				      "expected the name of a file in this "
				      "folder");
	if (!strcmp(text, "accept"))
		return read_accept(r, line, rest, e);
	if (!strcmp(text, "launch"))
		return read_launch(r, line, rest, e);
	if (!strcmp(text, "sizes"))
		return read_sizes(r, line, rest, e);
	if (limit_of(&get_last_section(r)->limits, text))
		return read_limit(r, line, text, rest, e);
	return set_line_error(r, line, e, "expected max-sectors-ratio, "
		     "max-wavefronts-ratio, max-way, max-registers, max-spills, "
		     "max-compiled-ratio, sizes, file, launch or "
		     "accept");
}

/* ---- the file ---- */

int check_rules_read(struct check_rules *r, const char *path, struct error *e)
{
	size_t len;
	char *text = file_read_text(path, RULES_MAX, &len, e), *p = text;
	int status = 0;

	*r = (struct check_rules){ .path = xstrdup(path) };
	begin_section(r, NULL);
	if (!text) {
		check_rules_done(r);
		return -1;
	}
	for (uint32_t line = 1; p && !status; line++) {
		char *end = strchr(p, '\n');

		if (end)
			*end++ = '\0';
		status = read_rule_line(r, line, p, e);
		p = end;
	}
	free(text);
	if (status)
		check_rules_done(r);
	return status;
}

void check_rules_done(struct check_rules *r)
{
	for (size_t i = 0; i < r->line_count; i++) {
		free(r->lines[i].kind);
		free(r->lines[i].array);
		free(r->lines[i].reason);
		launch_runner_free(r->lines[i].words);
	}
	for (size_t i = 0; i < r->section_count; i++) {
		free(r->sections[i].file);
		free(r->sections[i].sizes);
	}
	free(r->lines);
	free(r->sections);
	free(r->path);
	*r = (struct check_rules){ .path = NULL };
}

static bool same_file(const char *of, const char *file)
{
	return !of || !strcmp(of, file);
}

struct check_limits check_rules_limits(const struct check_rules *r,
				       const char *file)
{
	struct check_limits l = { 0 };

	for (size_t i = 0; i < r->section_count; i++)
		if (same_file(r->sections[i].file, file))
			l = check_limits_over(l, r->sections[i].limits);
	return l;
}

const char *check_rules_sizes(const struct check_rules *r, const char *file)
{
	const char *sizes = NULL;

	for (size_t i = 0; i < r->section_count; i++)
		if (r->sections[i].sizes &&
		    same_file(r->sections[i].file, file))
			sizes = r->sections[i].sizes;
	return sizes;
}

struct check_line *check_rules_accept(struct check_rules *r, const char *file,
				      const char *kind, const char *array)
{
	for (size_t i = 0; i < r->line_count; i++) {
		struct check_line *l = &r->lines[i];

		if (l->kind && same_file(l->file, file) &&
		    !strcmp(l->kind, kind) &&
		    (!l->array || !strcmp(l->array, array))) {
			l->used = true;
			return l;
		}
	}
	return NULL;
}

const struct check_line *check_rules_launch(const struct check_rules *r,
					    const char *file, size_t nth)
{
	for (size_t i = 0; i < r->line_count; i++)
		if (r->lines[i].words && same_file(r->lines[i].file, file) &&
		    !nth--)
			return &r->lines[i];
	return NULL;
}
