/* lesson_load: finds and loads lessons by name, and frees them. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/lang.h"
#include "lesson/lesson_parse.h"
#include "timing/benchmark.h"

/* ---- the course ---- */

struct entry { char *name; double place; };

static int by_place(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	if (x->place != y->place)
		return x->place < y->place ? -1 : 1;
	return strcmp(x->name, y->name);
}

/* Returns the number of the lesson's `place`, or NA. The rest of the text may
 * be wrong: opening the lesson then shows the error. */
static double parse_place_directive(const char *text)
{
	bool inside = false;
	double place;

	while (text && strncmp(text, "## ", 3)) {
		if (!strncmp(text, "```", 3))
			inside = !strncmp(text + 3, "gemmviz\n", 8);
		else if (inside && sscanf(text, "place %lf", &place) == 1)
			return place;
		text = strchr(text, '\n');
		if (text)
			text++;
	}
	return NA;
}

static double read_place(const char *file)
{
	char *path = xasprintf("%s/%s", paths()->lessons, file);
	struct error e;
	size_t len;
	char *text = file_read(path, LESSON_MAX_BYTES, &len, &e);
	double place = text ? parse_place_directive(text) : NA;

	free(text);
	free(path);
	return place;
}

static bool ends_in_md(const char *name)
{
	size_t n = strlen(name);

	return n > 3 && !strcmp(name + n - 3, ".md");
}

/* Reads the names of the folder's lessons that have a place, in order. */
static struct entry *read_course(size_t *count)
{
	struct entry *entries = NULL;
	DIR *d = xopendir(paths()->lessons);
	size_t capacity = 0;
	struct dirent *f;

	*count = 0;
	while (d && (f = readdir(d))) {
		double place =
			ends_in_md(f->d_name) ? read_place(f->d_name) : NA;

		if (!(place >= 0))
			continue;
		grow(&entries, &capacity, *count + 1, sizeof(*entries));
		entries[(*count)++] = (struct entry){
			xstrndup(f->d_name, strlen(f->d_name) - 3), place };
	}
	if (d)
		closedir(d);
	if (*count)
		qsort(entries, *count, sizeof(*entries), by_place);
	return entries;
}

const char *const *lesson_names(void)
{
	static const char **names;
	struct entry *entries;
	size_t count;

	if (names)
		return names;
	entries = read_course(&count);
	names = xcalloc(count + 1, sizeof(*names));
	for (size_t i = 0; i < count; i++)
		names[i] = entries[i].name;
	free(entries);
	return names;
}

/* ---- one of them ---- */

static int check_name(const char *name, struct error *e)
{
	const char *const *names = lesson_names();
	const char *near;
	size_t n;

	for (n = 0; names[n]; n++)
		if (!strcmp(name, names[n]))
			return 0;
	near = nearest_name(name, names, n);
	if (near)
		return error_set(e, EXIT_USAGE, _("no lesson '%s'; did you "
						  "mean '%s'?"),
				 text_show(name), near);
	return error_set(e, EXIT_USAGE, _("no lesson '%s'; gemmviz list shows "
					  "all"), text_show(name));
}

/* Returns the folder with its slash, or ""; the caller frees it. */
static char *copy_folder(const char *path)
{
	return xstrndup(path, (size_t)(file_base(path) - path));
}

/* Returns a path's language, that of its folder; sets *folder to the folder of
 * all languages, which the caller frees. */
const char *lesson_path_lang(const char *path, char **folder)
{
	char *name = copy_folder(path), *at;
	size_t n = strlen(name);
	const char *lang = NULL;

	for (at = name + n - (n > 0); at > name && at[-1] != '/';)
		at--;
	if (n)
		lang = lang_folder(at, strlen(at) - 1);
	if (lang)
		*at = '\0';
	*folder = name;
	return lang ? lang : "en";
}

static struct lesson *load_file(const char *path, struct error *e)
{
	size_t len;
	char *text = file_read_text(path, LESSON_MAX_BYTES, &len, e);
	struct lesson *l = text ? lesson_parse(path, text, len, e) : NULL;

	free(text);
	return l;
}

struct lesson *lesson_load(const char *name, const char *lang, struct error *e)
{
	bool is_path = strchr(name, '/') || ends_in_md(name);
	char *path, *folder, *translated;
	struct lesson *l;

	if (!is_path && check_name(name, e) < 0)
		return NULL;
	path = is_path ? xstrdup(name) :
			 xasprintf("%s/%s.md", paths()->lessons, name);
	folder = copy_folder(path);
	translated = xasprintf("%s%s/%s", folder, lang, path + strlen(folder));
	l = load_file(access(translated, F_OK) ? path : translated, e);
	free(translated);
	free(folder);
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
	free(r->entry);
	free(r->file);
	free(r->folder);
}

static void free_question(struct lesson_question *q)
{
	for (size_t i = 0; i < q->wrong_count; i++) {
		free(q->wrongs[i].expr);
		free(q->wrongs[i].words);
	}
	for (size_t i = 0; i < q->draw_count; i++) {
		free(q->draws[i].name);
		free(q->draws[i].values);
	}
	free(q->draws);
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
	for (size_t i = 0; i < s->note_count; i++)
		free(s->notes[i].words);
	free(s->notes);
	free(s->learned);
	free(s->learned_words);
	free(s->prose);
	free(s->shows);
	free(s->beside);
	free(s->beat);
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
	free(l->path);
	free(l->name);
	free(l->title);
	free(l->part);
	free(l->lang);
	free(l);
}
