/*
 * reader: the state of someone who reads a lesson or a trace: the place, the
 * answers, and the actions that change them. The reader knows no terminal, so
 * that tests can drive it and frames can be exported from it; ui.c gives it
 * keys.
 */
#ifndef APP_READER_H
#define APP_READER_H

#include "app/auto.h"
#include "app/class_link.h"
#include "app/motion.h"
#include "app/progress.h"
#include "app/session.h"
#include "machine/machine.h"
#include "scene/beat.h"
#include "scene/scene_advice.h"
#include "viz/event.h"
#include "viz/keys.h"
#include "viz/frame_model.h"

struct mode;

struct reader_options {
	const char *lang;
	char *const *runner;	/* NULL: gemmviz-emu */
	const char *on;	/* "cpu" or "gpu", see runner_want(); NULL: any */
	/* Compiles a recording, by its number, as soon as it is there, for the
	 * picture "machine"; NULL: none is. Returns 0, 1 if it is not ready (it
	 * is called again), or -1 with e. */
	int (*compile)(void *ctx, size_t recording, struct trace *t,
		       struct machine_launch *m, struct error *e);
	void *compile_ctx;
	bool presenter;
	double frame;	/* seconds between frames at least; 0: a terminal's */
	bool still;	/* nothing moves: each step ends at once */
	uint64_t seed;	/* of the numbers drawn for questions */
	const struct key_pair *keys;	/* the reader's own */
	size_t key_count;
	const struct mode *also;	/* keys that come before others; NULL */
};

struct reader {
	struct reader_options options;
	struct frame_model show;
	struct show_list list;
	struct progress progress;
	struct class_member *member;	/* of a class; NULL: of none */
	struct class_link *link;	/* to a class's folder; NULL: none */
	bool away, silent;		/* it could not be reached; is silent */
	bool lead, follow;	/* as a class's teacher, or along with one */
	struct class_place place;	/* written or seen last */
	bool following, placed;		/* not let go; arrived there */
	bool called;		/* a key has said to go there */
	struct session session;
	/* NULL: a trace or the list of lessons is open */
	struct lesson *lesson;
	struct lesson_traces traces;
	size_t step, recording, question;
	struct cursor cursor[LESSON_MAX_RECORDS];
	bool stood;			/* the cursor is at the step's stand */
	/* The step's text with its numbers filled in; owned. */
	struct lesson_paragraph *prose;
	char *question_words, *reply;
	struct show_text *texts;	/* the step's questions; owned */
	/* The request that the question asks about, if no trace has it: a trace
	 * of its own, shown while the cursor is at this warp and request. */
	struct trace *asked_trace;
	struct stage *asked_stage;
	struct cursor asked_at;
	struct rung_track *rungs;	/* see reader_rungs(); NULL: not yet */
	char *learned, *learned_words, *learned_rung;
	uint64_t asked;		/* how often a question was, up to now */
	char *choices[SHOW_CHOICES];
	int choice_wrong[SHOW_CHOICES];	/* index into wrongs; -1: right */
	uint64_t tried;			/* bit i: wrongs[i] was chosen */
	bool *done;	/* by step: its questions are answered */
	char typed[24], goto_text[12], file_text[1024];
	/* The words looked for, what was found, the items of the search's
	 * beginning and of what was found, and what was on the screen. */
	struct {
		char text[64], found[128];
		size_t from, at;
		int over_skip, source_scroll, chosen;
		enum pane pane;
	} search;
	bool forgetting;	/* of what was done: once more and it is */
	char message[256], waiting[600];
	int waited;		/* seconds that it says; -1: it does not */
	/* The trace must be recorded; if `failed` is not empty, it says why it
	 * was not, and the reader quits. */
	bool must_record;
	struct error failed;
	struct error gone;	/* if not empty, why variables are missing */
	struct show_key footer[24], help[48];	/* of the mode that is on */
	struct scene_advice advice;	/* what A shows */
	struct glossary *glossary;	/* NULL: not read yet */
	bool *here;		/* by term: the words on the screen use it */
	/* the race on the screen; NULL: none */
	struct reader_benchmark *benchmark;
	struct reader_drill *drill;	/* likewise */
	struct reader_room *room;	/* likewise */
	/* The rungs that are practised; NULL: none. They stay while a lesson or a
	 * picture is looked at. */
	struct reader_practice *practice;
	/* A recording is being compiled; the message says so. */
	bool compiling, compiling_said;
	size_t raced;	/* the step whose race was seen, plus 1 */
	/* Beats a second; fraction of one that is due. */
	double speed, credit;
	enum beat beat;
	struct motion motion;
	struct autoplay autoplay;
	/* The picture that runs by itself, and for which question; view NULL: none
	 * does. */
	struct { const struct view *view; size_t step, question; } ran;
	/* Since the last update only the step's time has changed. */
	bool only_time;
	long beside;	/* the recording shown next to this one; -1: none */
	/* the chosen one; NULL: the terminal's */
	const struct theme *theme;
	bool want_redraw, want_suspend, quit;
	char *want_editor;	/* file to be opened in it; NULL: none */
	char *copied;	/* text for the terminal's clipboard; NULL: none */
	/* The letter that chose an answer, until another key is pressed; 0:
	 * none did. */
	uint32_t letter;
	/* The entry of the list from which this was opened. */
	struct { bool is; enum list_kind kind; int chosen; } origin;
	int w, h;			/* screen size in cells, for paging */
};

void reader_init(struct reader *r, const struct reader_options *o);
void reader_done(struct reader *r);
/* Reads the progress of earlier days, and keeps that of today. Returns -1 with
 * e if it could not be read. */
int reader_keep_progress(struct reader *r, struct error *e);
/* Closes what is read. */
void reader_close(struct reader *r);
/* Open what is read; exactly one of these is called. Those that return an int
 * return -1 with e. */
void reader_open_list(struct reader *r, enum list_kind kind);
/* Reads the measured speeds of a list that is open without them, which takes as
 * long as all the rest of it: after its first frame. true: draw it again. */
bool reader_measure(struct reader *r);
int reader_open_lesson(struct reader *r, const char *name, struct error *e);
void reader_open_trace(struct reader *r, struct trace *t);
/* Opens a trace, or two, the second shown next to the first in lock-step: each
 * is there and taken over, or is recorded while the reader waits. */
struct reader_source {
	struct trace *trace;
	const struct job *job;		/* where there is no trace */
};
void reader_open_sources(struct reader *r, const struct reader_source *of,
			 size_t count);

/* Shows a recording that was made again, where the reader stands; it is taken
 * over. */
void reader_go_on(struct reader *r, struct recording *now);

/* Opens what the path names: a lesson (.md), a trace (.gvt), or a kernel's file
 * or name, which is recorded. */
int reader_open_file(struct reader *r, const char *what, struct error *e);
/* Opens the chosen entry of the list; a lesson where the reader stopped. */
int reader_open_entry(struct reader *r, struct error *e);
void reader_forget_list(struct reader *r);
/* Notes that what is open was opened from this entry of a list. */
void reader_came_from(struct reader *r, enum list_kind kind, int chosen);
/* Leaves what is open for what it was opened from: the lesson under a race, or
 * the list, at the entry. Returns false if there is nothing to go back to. */
bool reader_leave(struct reader *r);

/* Opens a race on top of the open lesson: live, or as recorded in the file
 * `from`, if given. -1 with e. */
int reader_open_benchmark(struct reader *r, const struct benchmark_plan *plan,
		     const char *from, struct error *e);

/* Opens a drill; topic NULL: of all topics. */
void reader_open_drill(struct reader *r, const struct drill_topic *topic,
		       int level, uint64_t seed);

/* Opens the map of rungs, or one of them, if it is not NULL; see
 * reader_practice.h. Takes over *wish. */
struct practice_start;
void reader_open_practice(struct reader *r, struct practice_start *wish);

/* Handles a key or the mouse, in the state that reader_update() left. */
void reader_event(struct reader *r, const struct event *ev);
/* Takes what recorders have sent; true: draw again. */
bool reader_poll(struct reader *r);
/* Moves time on by so many seconds. Returns whether to draw again. */
bool reader_tick(struct reader *r, double seconds);
/* Returns whether time changes what is on the screen. */
bool reader_playing(const struct reader *r);
/* Fills in the descriptors to poll(), at most READER_FDS; returns how many. */
#define READER_FDS (2 * LESSON_MAX_RECORDS + 8)
size_t reader_fds(const struct reader *r, struct pollfd *fds);
/* Waits until all that has been recorded is compiled, too, or cannot be. */
void reader_wait_compiled(struct reader *r);
/* Returns the milliseconds until reader_poll() is due even if no descriptor is
 * ready; -1: never. */
int reader_patience(const struct reader *r);
/* Returns the least number of seconds between frames while playing. */
double reader_interval(const struct reader *r);
/* Describes what is done for a trace that is not there yet, and for how long;
 * the caller frees it. */
char *reader_waiting(const struct reader *r, const struct recording *rec);
/* Updates the show for a screen of w x h cells: the scene at the cursor, which
 * is clamped, and which may ask a recorder for more. Call it once after each
 * event and whenever something has arrived. */
void reader_update(struct reader *r, int w, int h);
/* The show as reader_update() left it, to be drawn. */
const struct frame_model *reader_show(const struct reader *r);
/* The show once everything that recorders were asked for has arrived, for which
 * it waits; with reader_settle() nothing moves any more. */
const struct frame_model *reader_wait(struct reader *r, int w, int h);
const struct frame_model *reader_settle(struct reader *r, int w, int h);

/* ---- reader_lesson.c ---- */
/* Opens a step of the lesson. */
void reader_go_step(struct reader *r, size_t step);
/* Records that so many steps of the lesson were reached. */
void reader_reach(struct reader *r, size_t steps);
bool reader_asking(const struct reader *r);
/* Returns whether the step has another question after the answered one. */
bool reader_asks_more(const struct reader *r);
void reader_ask_next(struct reader *r);
/* Returns whether the answered question can be asked with other numbers. */
bool reader_draws(const struct reader *r);
/* Asks the question once more, with fresh numbers. */
void reader_ask_again(struct reader *r);
/* Returns our rungs, which are parsed once; NULL: their files are not there (in a
 * page, until they have arrived). */
const struct rung_track *reader_rungs(struct reader *r);
void reader_forget_rungs(struct reader *r);
/* Sets the marks of rungs in the course's entries. */
void reader_mark_rungs(struct reader *r);
/* Returns what to write after the lesson that is open: its first rung that has not
 * passed; NULL: it has none. The caller frees it. */
char *reader_offer_rung(struct reader *r);
/* Shows what was learned; false: the last step does not say. */
bool reader_learned(struct reader *r);
void reader_forget_learned(struct reader *r);
/* Fills in the step's text again, after a trace has arrived or the question has
 * changed. */
void reader_words(struct reader *r);
bool reader_choose(struct reader *r, int choice);
bool reader_submit(struct reader *r);
bool reader_reveal(struct reader *r);
/* Returns the reply to an answer of the open question; the caller frees it. */
char *reader_reply(struct reader *r, int choice, bool *right);
void reader_say(struct reader *r, bool bad, const char *fmt, ...)
	PRINTF(3, 4);

/* ---- reader_asked.c ---- */
/* Makes the picture that of the question's own numbers, if its answer asks the
 * model of the machine; else says that it is not. */
void reader_take_asked(struct reader *r);
void reader_forget_asked(struct reader *r);
/* Returns the stage of the question's request, if that is to be seen, and where
 * to look at it; else NULL. */
struct stage *reader_asked_stage(struct reader *r, struct cursor *at);

/* ---- reader_benchmark.c; a race must be open from reader_benchmark_playing()
 * on ---- */
/* Closes the race. */
void reader_close_benchmark(struct reader *r);
/* Opens the race of the lesson's step, if it has one. */
bool reader_open_step_benchmark(struct reader *r);
/* Opens the step's race as it was recorded, whatever runs here. Returns false
 * if the step has none, or it was never recorded. */
bool reader_open_step_recorded(struct reader *r);
bool reader_benchmark_poll(struct reader *r);
size_t reader_benchmark_fds(const struct reader *r, struct pollfd *fds);
int reader_benchmark_patience(const struct reader *r);
bool reader_benchmark_playing(const struct reader *r);
bool reader_benchmark_tick(struct reader *r, double seconds);
void reader_benchmark_update(struct reader *r);
/* Runs the race to its end; waits for it. */
void reader_benchmark_finish(struct reader *r);

/* ---- reader_class.c: nothing without r->member, or r->link ---- */
/* Tells the class which step the reader is at. */
void reader_class_at(struct reader *r);
/* Sends an answer to the class; "": it was shown. */
void reader_class_answer(struct reader *r, const char *answer, bool right);
/* Tells the class the verdict on a try at a rung, after which its progress is
 * `now`; `place` of `of` is where the rung is on the map, from 1. */
void reader_class_verdict(struct reader *r, const char *rung, int place, int of,
			  const struct progress_rung *now, bool right);
/* Takes what came from the class's folder; true: draw again. */
bool reader_class_poll(struct reader *r);
int reader_class_patience(const struct reader *r);

/* ---- reader_follow.c: nothing without r->lead or r->follow ---- */
/* Writes down where the teacher is. */
void reader_lead(struct reader *r);
/* Follows the teacher's place. Returns whether to draw again. */
bool reader_follow_poll(struct reader *r);
/* Stop following at a key, unless it answers a question; and follow again. */
void reader_follow_key(struct reader *r, uint32_t key);
void reader_follow_again(struct reader *r);

/* ---- reader_room.c ---- */
/* Shows a class, of which r->link brings news, to its teacher. */
void reader_open_room(struct reader *r, const char *name, bool names);
void reader_close_room(struct reader *r);
/* Takes news of the room; true: draw again. */
bool reader_room_hear(struct reader *r, const struct class_news *news);

/* ---- save.c ---- */
/* Writes what is on the screen to gemmviz-N.svg and gemmviz-N.txt in the
 * current folder, N the first number for which neither is there; says so, or
 * why not. */
void reader_save(struct reader *r);
/* Sets r->copied to the screen's text. */
void reader_copy(struct reader *r);

/* ---- reader_practice.c; nothing without r->practice ---- */
/* Closes the practice for good. */
void reader_end_practice(struct reader *r);
/* Returns from a lesson or a picture. Returns false if there is no practice
 * to come back to. */
bool reader_back_to_practice(struct reader *r);
bool reader_practice_poll(struct reader *r);
size_t reader_practice_fds(const struct reader *r, struct pollfd *fds);
int reader_practice_patience(const struct reader *r);
void reader_practice_update(struct reader *r);

/* ---- reader_drill.c ---- */
/* Closes the drill; updates its show. */
void reader_close_drill(struct reader *r);
void reader_drill_update(struct reader *r);

static inline struct recording *reader_recording(struct reader *r)
{
	return &r->session.recordings[r->recording];
}

/* Returns the cursor in the current recording. */
static inline struct cursor *reader_cursor(struct reader *r)
{
	return &r->cursor[r->recording];
}

#endif
