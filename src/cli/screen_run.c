/*
 * screen_run: see screen_run.h.
 */
#include "cli/screen_run.h"

#include <stdlib.h>

#include "base/lang.h"
#include "cli/command.h"
#include "scene/scene_machine.h"

static void print_and_free(char *words)
{
	printf("\n%s", words);
	free(words);
}

static void plain_notes(struct reader *r, size_t step)
{
	const struct lesson_step *s = &r->lesson->steps[step];
	struct error e;

	for (size_t i = 0; i < s->note_count; i++) {
		char *words = lesson_words(&r->traces, step, s->notes[i].words,
					   &e);

		if (words)
			print_and_free(note_words(words));
		free(words);
	}
}

/* Prints a step with its answers, for no one can be asked; words that would
 * give them away come after them. */
static void plain_step(struct reader *r, size_t step)
{
	const struct lesson_step *s = &r->lesson->steps[step];
	struct event next = { .key = K_ENTER };

	reader_go_step(r, step);
	print_and_free(frame_words(reader_settle(r, 120, 36)));
	if (reader_recording(r)->error.text[0])
		return;		/* the words were why there is no trace */
	for (size_t q = 0; q < s->question_count; q++) {
		reader_reveal(r);
		print_and_free(question_words(reader_show(r)));
		if (q + 1 < s->question_count)
			reader_event(r, &next);
	}
	if (s->question_count)
		print_and_free(told_words(reader_settle(r, 120, 36)));
}

static void plain_lesson(struct reader *r, bool notes)
{
	printf("%s\n", r->lesson->title);
	for (size_t i = 0; i < r->lesson->step_count; i++) {
		plain_step(r, i);
		if (notes)
			plain_notes(r, i);
	}
	if (reader_learned(r))
		print_and_free(frame_words(reader_show(r)));
}

/* Adds the machine's access that begins with this request. */
static void print_machine_access(struct stage *s, const struct scene *sc)
{
	char *words;

	scene_machine(s);
	if (!sc->machine->now ||
	    sc->machine->now->first != sc->cursor.request)
		return;
	words = scene_machine_words(sc);
	printf("   %s\n", words);
	free(words);
}

static void plain_trace(struct reader *r)
{
	struct stage *s = reader_recording(r)->stage;
	struct cursor *p = &r->cursor[0];

	*p = (struct cursor){0};	/* all of the first warp */
	if (stage_scene(s, p)->verdict)
		printf("%s\n\n", stage_scene(s, p)->verdict);
	do {
		const struct scene *sc = stage_scene(s, p);

		if (!sc->site) {
			if (sc->sentence)
				printf("%s\n", sc->sentence);
			break;
		}
		printf("%u. ", sc->cursor.request + 1);
		if (sc->site->line)
			printf(_("line %u"), sc->site->line);
		printf(": %s\n", sc->sentence ? sc->sentence : "");
		if (sc->compiled)
			print_machine_access(s, sc);
	} while (cursor_step(s, p, 1));
}

/* Waits for the race and prints it at every size. Returns an exit status. */
static int print_race(struct reader *r)
{
	const struct event smaller = { .key = K_LEFT };
	const struct event larger = { .key = K_RIGHT };
	const struct benchmark_scene *s;

	reader_benchmark_finish(r);
	if (r->show.message)	/* why it is a recording */
		fprintf(stderr, "gemmviz: %s\n", r->show.message);
	reader_update(r, 120, 36);
	s = reader_show(r)->benchmark;
	for (size_t i = s->size_index; i > 0; i--)
		reader_event(r, &smaller);
	for (size_t i = 0; i < s->size_count; i++) {
		reader_update(r, 120, 36);
		print_and_free(frame_words(reader_show(r)));
		reader_event(r, &larger);
	}
	if (s->error)
		fprintf(stderr, "gemmviz: %s\n", s->error);
	return s->status;
}

static int print_reader_text(struct reader *r, bool notes)
{
	const struct error *e;

	if (r->benchmark)
		return print_race(r);

	if (r->show.list) {
		for (int i = 0; i < r->list.count; i++)
			printf("%-14s %s\n", r->list.entries[i].name,
			       r->list.entries[i].title);
		return EXIT_DONE;
	}
	session_wait(&r->session);
	reader_poll(r);
	reader_wait_compiled(r);
	if (r->options.compile && r->show.message)	/* why it is not */
		fprintf(stderr, "gemmviz: %s\n", r->show.message);
	e = r->lesson ? session_lesson_error(&r->session) :
			session_error(&r->session);
	if (e)
		return command_failed(e);
	if (r->lesson)
		plain_lesson(r, notes);
	else
		plain_trace(r);
	/* The lines were printed without them. */
	return r->gone.text[0] ? command_failed(&r->gone) : EXIT_DONE;
}

int screen_run(struct screen *s, struct reader *r)
{
	int status = s->plain ? command_flush(print_reader_text(r, s->notes)) :
				ui_run(r, &s->ui);

	reader_done(r);
	return status;
}
