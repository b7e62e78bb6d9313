/* lesson_load: lessons by name, and what becomes of them. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/lang.h"
#include "lesson/lesson_parse.h"
#include "timing/benchmark.h"

static const char *const teaching_order[] = {
	"indexing", "coalescing", "tiling", "float4", "outer-product", NULL,
};

const char *const *lesson_names(void)
{
	return teaching_order;
}

static int check_name(const char *name, struct error *e)
{
	const size_t count = LENGTH(teaching_order) - 1;
	const char *near;

	for (size_t i = 0; i < count; i++)
		if (!strcmp(name, teaching_order[i]))
			return 0;
	near = nearest_name(name, teaching_order, count);
	if (near)
		return error_set(e, EXIT_USAGE, _("no lesson '%s'; did you "
						  "mean '%s'?"),
				 text_show(name), near);
	return error_set(e, EXIT_USAGE, _("no lesson '%s'"), text_show(name));
}

struct lesson *lesson_load(const char *name, const char *lang, struct error *e)
{
	char *qualified, *path, *text;
	struct lesson *l = NULL;
	size_t len;

	if (check_name(name, e) < 0)
		return NULL;
	qualified = !strcmp(lang, "en") ? xstrdup(name) :
		    xasprintf("%s/%s", lang, name);
	path = xasprintf("%s/%s.md", paths()->lessons, qualified);
	if (strcmp(lang, "en") && access(path, F_OK) < 0) {
		l = lesson_load(name, "en", e);
	} else {
		text = file_read(path, LESSON_MAX_BYTES, &len, e);
		if (text)
			l = lesson_parse(qualified, text, len, e);
		free(text);
	}
	free(qualified);
	free(path);
	return l;
}

long lesson_record_find(const struct lesson *l, const char *alias)
{
	for (size_t i = 0; i < l->record_count; i++)
		if (!strcmp(l->records[i].alias, alias))
			return i;
	return -1;
}

/* ---- freeing ---- */

static void free_record(struct lesson_record *r)
{
	for (size_t i = 0; i < r->define_count; i++) {
		free(r->defines[i].name);
		free(r->defines[i].value);
	}
	free(r->defines);
	free(r->kernel);
	free(r->alias);
}

static void free_question(struct lesson_question *q)
{
	for (size_t i = 0; i < q->wrong_count; i++) {
		free(q->wrongs[i].expr);
		free(q->wrongs[i].words);
	}
	free(q->wrongs);
	free(q->words);
	free(q->answer);
	free(q->right);
}

static void free_paragraph(struct lesson_paragraph *para)
{
	for (size_t i = 0; i < para->span_count; i++)
		free(para->spans[i].text);
	free(para->spans);
}

static void free_step(struct lesson_step *s)
{
	for (size_t i = 0; i < s->prose_count; i++)
		free_paragraph(&s->prose[i]);
	for (size_t i = 0; i < s->show_count; i++)
		free(s->shows[i]);
	for (size_t i = 0; i < s->question_count; i++)
		free_question(&s->questions[i]);
	for (size_t i = 0; i < s->expect_count; i++)
		free(s->expects[i].expr);
	free(s->prose);
	free(s->shows);
	free(s->questions);
	free(s->expects);
	if (s->race)
		benchmark_plan_done(s->race);
	free(s->race);
	free(s->stand.array);
	free(s->title);
	free(s->use);
}

void lesson_free(struct lesson *l)
{
	if (!l)
		return;
	for (size_t i = 0; i < l->record_count; i++)
		free_record(&l->records[i]);
	for (size_t i = 0; i < l->step_count; i++)
		free_step(&l->steps[i]);
	free(l->steps);
	free(l->name);
	free(l->title);
	free(l->lang);
	free(l);
}
