/*
 * reader: somebody reading a lesson or a trace: where they are, what they
 * have answered, and the actions that change it. Knows no terminal, so that
 * it can be driven by tests and exported from; ui.c gives it keys.
 */
#ifndef READER_READER_H
#define READER_READER_H

#include "reader/session.h"
#include "viz/event.h"
#include "viz/show.h"

struct reader_options {
	const char *lang;
	char *const *runner;	/* NULL: gemmviz-emu */
	const char *on;		/* where it is to work; NULL: anywhere */
	bool presenter;
};

struct reader {
	struct reader_options options;
	struct show show;
	struct show_list list;
	struct session session;
	struct lesson *lesson;		/* NULL: only a trace, or the list */
	struct lesson_traces traces;
	size_t step, recording, question;
	struct cursor cursor[LESSON_MAX_RECORDS];
	bool stood;			/* the step's stand was taken */
	/* The step's words with their numbers in, owned. */
	struct lesson_paragraph *prose;
	char *question_words, *reply;
	char *choices[SHOW_CHOICES];
	int choice_wrong[SHOW_CHOICES];	/* index into wrongs; -1: right */
	uint64_t tried;			/* a bit for each of the wrongs */
	bool *done;			/* per step: its questions answered */
	char typed[24], goto_text[12];
	char message[256], waiting[600];
	struct show_key footer[24], help[48];	/* of the mode that is on */
	struct reader_benchmark *benchmark;	/* on the screen; NULL: none */
	size_t raced;			/* the step whose race was seen, + 1 */
	double speed, credit;		/* requests a second; a step's part */
	const struct theme *theme;	/* as chosen; NULL: the terminal's */
	bool want_redraw, want_suspend, quit;
	int w, h;			/* of the screen, for pages */
};

void reader_init(struct reader *r, const struct reader_options *o);
void reader_done(struct reader *r);
/* One of them opens what is read; -1 with e. */
void reader_open_list(struct reader *r);
int reader_open_lesson(struct reader *r, const char *name, struct error *e);
void reader_open_trace(struct reader *r, struct trace *t);

/* Live, or as it was recorded: in the file `from` if given; on top of the
 * lesson that is open. */
int reader_open_benchmark(struct reader *r, const struct benchmark_plan *plan,
		     const char *from, struct error *e);

/* A key or the mouse; acts on what reader_update() brought last. */
void reader_event(struct reader *r, const struct event *ev);
/* Recorders had something to say; true: draw again. */
bool reader_poll(struct reader *r);
/* Playing: seconds went by; true: draw again. */
bool reader_tick(struct reader *r, double seconds);
bool reader_playing(const struct reader *r);
/* For poll(): at most READER_FDS descriptors; how many were filled. */
#define READER_FDS (2 * LESSON_MAX_RECORDS + 2)
size_t reader_fds(const struct reader *r, struct pollfd *fds);
/* Milliseconds after which reader_poll() is due without any; -1: none. */
int reader_patience(const struct reader *r);
/* Seconds between the frames of what plays, at the least. */
double reader_interval(const struct reader *r);
/*
 * Brings what is to be shown up to date, once behind each event or when
 * something came, for a screen of w x h: the scene where the reader stands,
 * which clamps the cursor and may ask a recorder for more.
 */
void reader_update(struct reader *r, int w, int h);
/* What it brought; to be drawn. */
const struct show *reader_show(const struct reader *r);
/* The same, once all that recorders were asked for has come; waits. */
const struct show *reader_settle(struct reader *r, int w, int h);

/* ---- reader_lesson.c ---- */
void reader_go_step(struct reader *r, size_t step);
bool reader_asking(const struct reader *r);
/* The step has another question, behind the one that was answered. */
bool reader_asks_more(const struct reader *r);
void reader_ask_next(struct reader *r);
/* The words again, when a trace has arrived or the question moved on. */
void reader_words(struct reader *r);
bool reader_choose(struct reader *r, int choice);
bool reader_submit(struct reader *r);
bool reader_reveal(struct reader *r);
void reader_say(struct reader *r, bool bad, const char *fmt, ...)
	PRINTF(3, 4);

/* ---- reader_benchmark.c; from _playing() on there must be one ---- */
void reader_close_benchmark(struct reader *r);
/* The race of the lesson's step, if it has one. */
bool reader_open_step_benchmark(struct reader *r);
bool reader_benchmark_poll(struct reader *r);
size_t reader_benchmark_fds(const struct reader *r, struct pollfd *fds);
int reader_benchmark_patience(const struct reader *r);
bool reader_benchmark_playing(const struct reader *r);
bool reader_benchmark_tick(struct reader *r, double seconds);
void reader_benchmark_update(struct reader *r);
/* To its end; waits. */
void reader_benchmark_finish(struct reader *r);

static inline struct recording *reader_recording(struct reader *r)
{
	return &r->session.recordings[r->recording];
}

/* Where the reader stands in it. */
static inline struct cursor *reader_cursor(struct reader *r)
{
	return &r->cursor[r->recording];
}

#endif
