/* practice_open: `gemmviz practice`: the map of rungs, and one rung. */
#include <stdlib.h>
#include <unistd.h>

#include "app/reader_practice.h"
#include "base/lang.h"
#include "base/text.h"
#include "cli/practice.h"
#include "cli/screen_class.h"
#include "cli/screen_run.h"

/* ---- as text ---- */

static void print_map(const struct reader *r)
{
	const struct show_practice *s = &r->practice->show;

	puts(s->summary);
	for (size_t i = 0; i < s->rung_count; i++) {
		static const char *const marks[] = {
			[RUNG_OPEN] = N_("open"), [RUNG_BEGUN] = N_("begun"),
			[RUNG_NEXT] = N_("next"), [RUNG_DONE] = N_("done"),
		};
		const struct show_rung *of = &s->rungs[i];

		if (of->group)
			printf("\n%s\n", of->group);
		printf("%4s  %-12s %-6s %s", of->place, of->name,
		       _(marks[of->mark]), of->title);
		if (of->tries)
			printf(_("  (tries %d, hints %d)"), of->tries,
			       of->hints);
		if (of->lesson)
			printf(_("  (lesson %s)"), of->lesson);
		putchar('\n');
	}
}

static void print_task(const struct rung *r)
{
	const struct lesson_step *s = &r->task->steps[0];

	printf("%s\n\n", r->task->title);
	for (size_t i = 0; i < s->prose_count; i++) {
		struct str words = { 0 };

		for (size_t k = 0; k < s->prose[i].span_count; k++)
			str_add(&words, s->prose[i].spans[k].text);
		command_print_words(words.data ? words.data : "", 0);
		putchar('\n');
		str_done(&words);
	}
	fputs(r->skeleton, stdout);
}

/* ---- open ---- */

static int run_practice_screen(const struct practice_wish *w,
			       struct reader *r, struct practice_start *start)
{
	struct class_member member = { .n = 0 };
	struct class_link link = { .fd = -1 };
	struct screen s = w->screen;
	struct class_task task;
	struct error e, lost;
	bool damaged = reader_keep_progress(r, &lost);
	int status;

	if (screen_class_join(&s, r, &member, &task, &link, &e)) {
		class_leave(&member);
		rung_track_done(&start->track);
		free(start->folder);
		reader_done(r);
		return command_failed(&e);
	}
	reader_open_practice(r, start);
	if (damaged)
		reader_say(r, true, "%s", lost.text);
	status = screen_run(&s, r);
	screen_class_leave(&member, &task, &link);
	return status;
}

/* Makes the rung's file if it is missing, and says where it is and what judges
 * it; -1 with e. */
static int print_file(const struct practice_wish *w, struct reader *r,
		      const struct rung *of, struct error *e)
{
	int made = practice_begin_rung(r, of, e);
	char *command = practice_command(w, "check ", of);

	if (made >= 0)
		printf(made ? _("\nmade %1$s: write the kernel there; %2$s "
				"judges it\n") :
			      _("\nyour file is %1$s; %2$s judges it\n"),
		       text_show(r->practice->path), command);
	free(command);
	return MIN(made, 0);
}

/* Prints the map, or a rung, whose file is made; nothing is judged. */
static int print_practice(const struct practice_wish *w, struct reader *r,
			  struct practice_start *start)
{
	const struct rung *open = start->open;
	struct error lost, e;
	int rc = 0;

	start->open = NULL;
	if (reader_keep_progress(r, &lost))
		fprintf(stderr, "gemmviz: %s\n", lost.text);
	reader_open_practice(r, start);
	if (open) {
		print_task(open);
		rc = print_file(w, r, open, &e);
	} else {
		print_map(r);
	}
	reader_done(r);
	return rc < 0 ? command_failed(&e) : command_flush(EXIT_DONE);
}

int practice_open(const struct practice_wish *w, const char *what)
{
	struct practice_start start = { .folder = NULL };
	struct reader r;
	struct error e;
	bool plain = w->screen.plain || !isatty(STDOUT_FILENO);
	int rc = practice_load(&start.track, what, &e);

	if (rc == 0 && what && !practice_is_path(what)) {
		start.open = rung_track_find(&start.track, what, &e);
		rc = start.open ? 0 : -1;
	} else if (rc == 0 && what && start.track.count == 1) {
		start.open = start.track.rungs[0];
	}
	if (rc < 0) {
		rung_track_done(&start.track);
		return command_failed(&e);
	}
	start.folder = xstrdup(w->folder);
	start.options = practice_judge_options(w);
	reader_init(&r, &w->screen.reader);
	return plain ? print_practice(w, &r, &start) :
		       run_practice_screen(w, &r, &start);
}
