/* home: the opening screen: the course with the reader's progress, and the
 * kernels. */
#include <stdlib.h>
#include <string.h>

#include "base/lang.h"
#include "base/text.h"
#include "kernels/kernels.h"
#include "app/reader.h"
#include "scene/rungs.h"

/* Frees what this file has put into the entries. */
static void free_entries(struct show_list *l)
{
	for (int i = 0; i < l->count; i++) {
		free((char *)(uintptr_t)l->entries[i].title);
		free((char *)(uintptr_t)l->entries[i].about);
		free((char *)(uintptr_t)l->entries[i].kernels);
		free((char *)(uintptr_t)l->entries[i].plan);
		free((char *)(uintptr_t)l->entries[i].answers);
		free((char *)(uintptr_t)l->entries[i].rungs);
	}
	for (int i = 0; i < l->part_count; i++)
		free((char *)(uintptr_t)l->parts[i].name);
	*l = (struct show_list){0};
}

/* Splits a title such as "Tiling: read once, use many times" into a name and a
 * subject; the caller frees both. */
static void split_title(const char *title, const char **name,
			const char **about)
{
	const char *colon = strstr(title, ": "), *wide = strstr(title,
							  "\xef\xbc\x9a");

	if (!colon)
		colon = wide;
	*name = xstrndup(title, colon ? (size_t)(colon - title) :
				strlen(title));
	*about = xstrdup(!colon ? "" : colon + (colon == wide ? 3 : 2));
}

static char *kernel_words(const struct lesson *l)
{
	struct str words = {0};

	for (size_t i = 0; i < l->record_count; i++) {
		const char *name = l->records[i].kernel;
		bool before = false;

		for (size_t k = 0; k < i; k++)
			before |= !strcmp(l->records[k].kernel, name);
		if (!before)
			str_addf(&words, "%s%s", words.len ? ", " : "", name);
	}
	str_add(&words, "");
	return str_take(&words);
}

/* Adds the measured speed of what a lesson records, once. */
static void add_speed(struct show_entry *e, const struct lesson_record *record)
{
	struct job_kernel what = { .name = record->kernel };
	struct rungs_speed speed = { .label = NULL, .flops = NA };
	int at = e->speed_count;
	bool known = at == LIST_SPEEDS;

	for (size_t i = 0; i < record->define_count; i++)
		job_define(&what.defines, record->defines[i].name,
			   record->defines[i].value);
	if (!record->file && kernel_find(record->kernel))
		speed = rungs_speed(&what);
	job_defines_done(&what.defines);
	for (int i = 0; speed.label && i < e->speed_count; i++)
		known |= e->speeds[i].label == speed.label;
	if (!speed.label || known)
		return;
	for (; at && e->speeds[at - 1].flops > speed.flops; at--)
		e->speeds[at] = e->speeds[at - 1];
	e->speeds[at] = (struct show_speed){ speed.label, speed.flops };
	e->speed_count++;
}

/* Fills in the measured speeds of what the lesson records. */
static void fill_speeds(struct reader *r, struct show_entry *e)
{
	struct lesson *l = lesson_load(e->name, r->options.lang, NULL);

	for (size_t i = 0; l && i < l->record_count; i++)
		add_speed(e, &l->records[i]);
	if (l)
		lesson_free(l);
}

static void fill_range(struct show_list *list, struct show_part *part)
{
	for (int i = part->first; i < part->first + part->count; i++) {
		const struct show_entry *e = &list->entries[i];

		if (!e->speed_count)
			continue;
		if (part->low == NA)
			part->low = e->speeds[0].flops;
		part->high = MAX(part->high,
				 e->speeds[e->speed_count - 1].flops);
	}
}

bool reader_measure(struct reader *r)
{
	struct show_list *list = &r->list;

	if (r->show.list != list || !list->unmeasured)
		return false;
	list->unmeasured = false;
	rungs_measured(list->measured, sizeof(list->measured));
	for (int i = 0; i < list->count; i++)
		fill_speeds(r, &list->entries[i]);
	for (int i = 0; i < list->part_count; i++)
		fill_range(list, &list->parts[i]);
	return true;
}

/* Joins the titles of the steps; the caller frees the text. */
static char *join_step_titles(const struct lesson *l)
{
	struct str words = {0};

	for (size_t i = 0; i < l->step_count; i++)
		str_addf(&words, "%s%s", i ? "  \xc2\xb7  " : "",
			 l->steps[i].title);
	return str_take(&words);
}

/* Adds the lesson at this entry to the last part, or begins a new part. */
static void fill_part(struct show_list *list, int at, const char *name)
{
	struct show_part *part;

	if (name && list->part_count < LIST_PARTS)
		list->parts[list->part_count++] = (struct show_part){
			.name = xstrdup(name), .low = NA, .high = NA,
			.first = list->part_count ? at : 0 };
	if (!list->part_count)
		return;
	part = &list->parts[list->part_count - 1];
	part->count = at + 1 - part->first;
}

/* Adds the lesson of that name, if it can be read. */
static void fill_entry(struct reader *r, const char *name,
		      struct show_list *list)
{
	struct show_entry *e = &list->entries[list->count];
	struct lesson *l = lesson_load(name, r->options.lang, NULL);
	struct progress_lesson done = progress_of(&r->progress, name);

	if (!l)
		return;
	*e = (struct show_entry){ .name = name, .reached = done.step,
				  .steps = (int)l->step_count,
				  .answers = xstrdup(done.answers),
				  .kernels = kernel_words(l),
				  .plan = join_step_titles(l) };
	split_title(l->title, &e->title, &e->about);
	for (size_t i = 0; i < l->step_count; i++)
		e->questions += (int)l->steps[i].question_count;
	fill_part(list, list->count++, l->part);
	lesson_free(l);
}

static void fill_course(struct reader *r, struct show_list *list)
{
	const char *const *names = lesson_names();

	list->unmeasured = true;
	for (int i = 0; names[i] && list->count < LIST_MOST; i++)
		fill_entry(r, names[i], list);
	reader_mark_rungs(r);
	while (list->next < list->count &&
	       list->entries[list->next].reached >=
	       list->entries[list->next].steps)
		list->next++;
	list->chosen = list->next < list->count ? list->next : 0;
}

static void fill_kernels(struct show_list *list, bool bugs)
{
	for (size_t i = 0; i < kernel_count && list->count < LIST_MOST; i++) {
		const struct kernel *k = &kernels[i];

		if (!k->bug == bugs)
			continue;
		list->entries[list->count++] = (struct show_entry){
			.name = k->name, .title = xstrdup(k->name),
			/* The bug is for the reader to find. */
			.about = xstrdup(bugs ? _("What is wrong or missing "
						  "here?") : _(k->idea)),
			.kernels = xstrdup(k->name), .answers = xstrdup(""),
		};
	}
}

void reader_open_list(struct reader *r, enum list_kind kind)
{
	reader_close(r);
	free_entries(&r->list);
	r->list.kind = kind;
	for (size_t i = 0; i < kernel_count; i++)
		*(kernels[i].bug ? &r->list.bugs : &r->list.kernels) += 1;
	if (kind == LIST_COURSE)
		fill_course(r, &r->list);
	else
		fill_kernels(&r->list, kind == LIST_BUGS);
	r->show.list = &r->list;
}

void reader_forget_list(struct reader *r)
{
	free_entries(&r->list);
}

int reader_open_entry(struct reader *r, struct error *e)
{
	const struct show_entry *of = &r->list.entries[r->list.chosen];
	int reached = of->reached < of->steps ? of->reached : 0;

	if (r->list.kind != LIST_COURSE)
		return reader_open_file(r, of->name, e);
	if (reader_open_lesson(r, of->name, e))
		return -1;
	if (reached > 1)
		reader_go_step(r, (size_t)reached - 1);
	return 0;
}

void reader_came_from(struct reader *r, enum list_kind kind, int chosen)
{
	r->origin.is = true;
	r->origin.kind = kind;
	r->origin.chosen = chosen;
}

bool reader_leave(struct reader *r)
{
	int chosen = r->origin.chosen;

	if (r->benchmark && (r->lesson || r->show.list)) {
		reader_close_benchmark(r);
		return true;
	}
	if (reader_back_to_practice(r))
		return true;
	if (!r->origin.is)
		return false;
	reader_open_list(r, r->origin.kind);
	r->list.chosen = MAX(0, MIN(chosen, r->list.count - 1));
	return true;
}

int reader_open_file(struct reader *r, const char *what, struct error *e)
{
	struct trace *t;
	struct job job;

	if (text_ends(what, ".md"))
		return reader_open_lesson(r, what, e);
	if (text_ends(what, ".gvt")) {
		t = trace_open(what, e);
		if (t)
			reader_open_trace(r, t);
		return t ? 0 : -1;
	}
	if (session_job(&job, what, e)) {
		job_done(&job);
		return -1;
	}
	reader_close(r);
	session_launch(&r->session, &job, r->options.runner, r->options.on);
	if (job.kernel.decoded)
		reader_say(r, false, _("%s is not UTF-8; reading it as GB18030 "
				       "(GBK)"), text_show(what));
	job_done(&job);
	return 0;
}
