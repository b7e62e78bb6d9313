#include "app/film.h"

#include <stdlib.h>
#include <string.h>

#include "base/lang.h"
#include "base/text.h"

#define LESSON_BEATS 4		/* after a step's last answer */
#define REST_SECONDS 0.5	/* between two beats */
#define LAST_SECONDS 2
#define RESULT_SECONDS 8	/* a race that is over */

struct camera {
	struct reader *r;
	const struct film *film;
	struct export *x;
	struct canvas canvas;
	const char *chapter;	/* of the next frame */
	struct export_choice choices[SHOW_CHOICES];
	int choice_count;	/* of the open question */
};

/* The show without the lesson's words and what is for keys only. */
static struct frame_model bare_show(const struct frame_model *s)
{
	struct frame_model bare = *s;

	bare.lesson = (struct show_lesson){ .chosen = -1 };
	bare.key_count = 0;
	bare.message = NULL;
	return bare;
}

/* Makes words safe that may contain names from a trace; frees the original. */
static char *clean_words(char *words)
{
	char *clean = text_clean(words, strlen(words), TEXT_LINES);

	free(words);
	return clean;
}

static void add_frame(struct camera *k, const struct frame_model *s, bool moving,
		      double seconds)
{
	struct frame_model bare = bare_show(s);
	const struct frame_model *drawn = k->x->format->bare ? &bare : s;
	char *words = moving ? NULL : clean_words(frame_words(drawn));
	struct export_frame f = {
		.canvas = &k->canvas, .show = s, .drawn = drawn,
		.seconds = seconds,
		.moving = moving, .chapter = k->chapter, .words = words,
		.choices = k->choices, .choice_count = k->choice_count,
	};

	frame_draw(&k->canvas, drawn);
	export_frame(k->x, &f);
	k->chapter = NULL;
	free(words);
}

/* Adds what moves, frame by frame, if that is wanted. */
static void shoot_motion(struct camera *k)
{
	struct reader *r = k->r;
	int w = k->x->w, h = k->x->h;

	reader_wait(r, w, h);
	while (k->film->moves && r->motion.on) {
		add_frame(k, reader_show(r), true, 1 / k->film->fps);
		reader_tick(r, 1 / k->film->fps);
		reader_wait(r, w, h);
	}
}

/* Adds a frame that stays for as long as its words take to read, or `seconds`
 * if that is not 0. */
static void add_still(struct camera *k, double seconds)
{
	const struct frame_model *s = reader_settle(k->r, k->x->w, k->x->h);

	seconds = seconds > 0 ? seconds : auto_reading(k->r);
	if (k->film->rest > 0)
		seconds = MIN(seconds, k->film->rest);
	add_frame(k, s, false, seconds);
}

static void shoot_beats(struct camera *k, int beats)
{
	struct reader *r = k->r;

	for (int i = 0; i < beats && motion_beat(r, 1, 2 * MOTION_SECONDS);
	     i++) {
		shoot_motion(k);
		add_still(k, i + 1 < beats ? REST_SECONDS : LAST_SECONDS);
	}
}

/* ---- a lesson ---- */

static void take_choices(struct camera *k)
{
	const struct show_lesson *l = &k->r->show.lesson;

	for (int i = 0; i < l->choice_count; i++) {
		struct export_choice *c = &k->choices[i];

		c->text = clean_words(xstrdup(l->choices[i]));
		c->reply = clean_words(reader_reply(k->r, i, &c->right));
	}
	k->choice_count = l->choice_count;
}

static void ask_no_more(struct camera *k)
{
	for (int i = 0; i < k->choice_count; i++) {
		free(k->choices[i].text);
		free(k->choices[i].reply);
	}
	k->choice_count = 0;
}

/* Adds the questions of a step, each first open and then answered. */
static void add_questions(struct camera *k)
{
	for (bool more = true; more;) {
		reader_settle(k->r, k->x->w, k->x->h);
		take_choices(k);
		add_still(k, 0);
		ask_no_more(k);
		reader_reveal(k->r);
		shoot_motion(k);
		add_still(k, 0);
		more = reader_asks_more(k->r);
		if (more)
			reader_ask_next(k->r);
	}
}

static void shoot_race(struct camera *k)
{
	struct reader *r = k->r;

	if (!reader_open_step_recorded(r))
		return;
	reader_wait(r, k->x->w, k->x->h);
	while (k->film->moves && reader_benchmark_playing(r)) {
		add_frame(k, reader_show(r), true, 1 / k->film->fps);
		reader_benchmark_tick(r, 1 / k->film->fps);
		reader_wait(r, k->x->w, k->x->h);
	}
	reader_benchmark_finish(r);
	add_still(k, RESULT_SECONDS);
	reader_close_benchmark(r);
}

static void shoot_step(struct camera *k, size_t step)
{
	struct reader *r = k->r;

	reader_go_step(r, step);
	k->chapter = r->lesson->steps[step].title;
	if (k->film->beat >= 0)
		r->beat = (enum beat)k->film->beat;
	reader_settle(r, k->x->w, k->x->h);
	if (reader_asking(r)) {
		add_questions(k);
	} else {
		motion_step(r, 2 * MOTION_SECONDS);
		shoot_motion(k);
		add_still(k, 0);
	}
	if (k->film->moves)
		shoot_beats(k, LESSON_BEATS);
	shoot_race(k);
}

/* A step when all was answered. */
static void shoot_answered(struct camera *k, size_t step)
{
	struct reader *r = k->r;

	reader_go_step(r, step);
	reader_settle(r, k->x->w, k->x->h);
	while (reader_reveal(r) && reader_asks_more(r))
		reader_ask_next(r);
	k->chapter = r->lesson->steps[step].title;
	add_still(k, 0);
}

static int film_lesson(struct camera *k, struct error *e)
{
	const struct film *f = k->film;
	int steps = (int)k->r->lesson->step_count;
	int from = f->from ? f->from : 1, to = f->from ? f->to : steps;

	if (to > steps)
		return error_set(e, EXIT_USAGE, "no step %d: the lesson has "
				 "%d", to, steps);
	if (f->still) {
		shoot_answered(k, (size_t)from - 1);
		return 0;
	}
	for (int i = from - 1; i < to; i++)
		shoot_step(k, (size_t)i);
	if (to == steps && reader_learned(k->r)) {
		k->chapter = _("What you learned");
		add_still(k, 0);
	}
	return 0;
}

/* ---- a kernel ---- */

/* Moves to the film's first step in a picture that has steps of its own.
 * Returns -1 with e. */
static int go_to_own_start(struct camera *k, const struct view *v,
			   struct error *e)
{
	const struct scene *sc = reader_show(k->r)->scene;
	struct cursor *p = reader_cursor(k->r), end;
	int to = MAX(k->film->to, 1), steps = 1;

	while (v->step(sc, p, -1))
		;
	for (end = *p; steps < to && v->step(sc, &end, 1); steps++)
		;
	if (steps < to)
		return error_set(e, EXIT_USAGE, "no step %d: the picture has "
				 "%d", to, steps);
	if (k->film->from > 1)
		v->step(sc, p, k->film->from - 1);
	return 0;
}

/* Moves to the step where the film begins. Returns -1 with e. */
static int go_to_start(struct camera *k, struct error *e)
{
	const struct view *v = view_picture(reader_show(k->r));
	struct stage *s = reader_recording(k->r)->stage;
	struct cursor *p = reader_cursor(k->r);
	const struct film *f = k->film;
	uint32_t beats;

	if (v->step)
		return go_to_own_start(k, v, e);
	if (f->beat >= 0)
		k->r->beat = (enum beat)f->beat;
	p->all_warps = k->r->beat == BEAT_ROW;
	if (!f->from)
		return 0;
	beats = stage_beats(s, p, k->r->beat);
	if ((uint32_t)f->to > beats)
		return error_set(e, EXIT_USAGE, "no step %d: the warp has %u "
				 "(--beat %s)", f->to, beats,
				 beat_name(k->r->beat));
	p->request = 0;
	p->request = stage_beat(s, p, k->r->beat, f->from - 1);
	return 0;
}

static int film_kernel(struct camera *k, struct error *e)
{
	const struct film *f = k->film;
	int beats = f->from ? f->to - f->from : FILM_BEATS - 1;
	const struct frame_model *s;

	if (f->view)
		k->r->show.held = f->view;
	s = reader_settle(k->r, k->x->w, k->x->h);
	if (!scene_shown(s->scene))
		return error_set(e, EXIT_INPUT, "nothing to show: the "
				 "recording has no requests");
	if (go_to_start(k, e))
		return -1;
	s = reader_settle(k->r, k->x->w, k->x->h);
	if (f->view && view_picture(s) != f->view)
		return error_set(e, EXIT_INPUT, "nothing to show: the first "
				 "step has no %s", f->view->name);
	k->chapter = k->x->title;
	if (!f->still) {
		motion_step(k->r, 2 * MOTION_SECONDS);
		shoot_motion(k);
	}
	add_still(k, beats ? REST_SECONDS : LAST_SECONDS);
	shoot_beats(k, beats);
	return 0;
}

int film_make(struct reader *r, const struct film *f, struct export *x,
	      struct error *e)
{
	struct camera k = { .r = r, .film = f, .x = x };
	const struct error *failed;
	int status;

	session_wait(&r->session);
	reader_poll(r);
	failed = session_error(&r->session);
	if (failed) {
		*e = *failed;
		return -1;
	}
	if (export_begin(x, e))
		return -1;
	canvas_init(&k.canvas, x->w, x->h);
	k.canvas.mono = x->theme->mono;
	k.canvas.ascii = f->ascii;
	status = r->lesson ? film_lesson(&k, e) : film_kernel(&k, e);
	export_end(x);
	canvas_done(&k.canvas);
	return status;
}
