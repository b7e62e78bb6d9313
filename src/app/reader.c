/* reader: what is open, and how it proceeds in time. */
#include "app/mode.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/lang.h"
#include "base/text.h"
#include "app/scene_opening.h"

/* Milliseconds after which a compiler is asked again. */
#define COMPILING_MS 50
#define FRAME_SECONDS (1.0 / 30)

void reader_init(struct reader *r, const struct reader_options *o)
{
	*r = (struct reader){ .options = *o, .speed = 4, .beside = -1,
			      .waited = -1, .motion.off = o->still };
	r->show.lesson.typed = r->typed;
	r->show.presenter = r->show.zoom = o->presenter;
	r->show.speed = r->speed;
	r->show.t = 1;
}

void reader_close(struct reader *r)
{
	struct reader keep = *r;

	reader_close_benchmark(r);
	reader_close_drill(r);
	reader_close_room(r);
	reader_forget_asked(r);
	/* The words of the step go first: they belong to the lesson. */
	r->lesson = NULL;
	reader_words(r);
	session_done(&r->session);
	lesson_traces_forget(&r->traces);
	lesson_free(keep.lesson);
	free(r->done);
	free(r->reply);
	reader_forget_learned(r);
	scene_advice_done(&r->advice);
	glossary_free(r->glossary);
	free(r->here);
	reader_init(r, &keep.options);
	r->asked = keep.asked;
	r->theme = keep.theme;
	r->speed = r->show.speed = keep.speed;
	r->w = keep.w;
	r->h = keep.h;
	r->list = keep.list;
	r->progress = keep.progress;
	r->member = keep.member;
	r->link = keep.link;
	r->away = keep.away;
	r->silent = keep.silent;
	r->lead = keep.lead;
	r->follow = keep.follow;
	r->place = keep.place;
	r->following = keep.following;
	r->autoplay = keep.autoplay;
	r->practice = keep.practice;
	r->rungs = keep.rungs;
}

void reader_done(struct reader *r)
{
	reader_close(r);
	reader_end_practice(r);
	reader_forget_list(r);
	reader_forget_rungs(r);
	progress_done(&r->progress);
	free(r->copied);
	r->copied = NULL;
}

int reader_keep_progress(struct reader *r, struct error *e)
{
	return progress_open(&r->progress, e);
}

int reader_open_lesson(struct reader *r, const char *name, struct error *e)
{
	struct lesson *l = lesson_load(name, r->options.lang, e);

	if (!l)
		return -1;
	reader_close(r);
	r->lesson = l;
	r->done = xcalloc(l->step_count + 1, sizeof(*r->done));
	r->traces = (struct lesson_traces){ .lesson = l };
	session_lesson(&r->session, l, r->options.runner, r->options.on);
	reader_go_step(r, 0);
	return 0;
}

/* Moves to where the kernel's idea shows, or to its first finding, if no step
 * was chosen. For several devices the picture of their work is shown. */
static void open_at(struct reader *r)
{
	struct stage *s = reader_recording(r)->stage;
	const struct trace_info *info = trace_info(stage_trace(s));
	struct cursor *p = reader_cursor(r);

	if (!cursor_defect(s, p, 1)) {
		stage_opening(s, p);
		if (info->devices > 1 && info->work_count)
			r->show.held = view_find("devices");
	}
	r->stood = true;
}

void reader_open_sources(struct reader *r, const struct reader_source *of,
			 size_t count)
{
	reader_close(r);
	for (size_t i = 0; i < count; i++) {
		if (of[i].trace)
			session_trace_add(&r->session, of[i].trace,
					  r->options.runner);
		else
			session_launch(&r->session, of[i].job,
				       r->options.runner, r->options.on);
		r->traces.trace[i] = of[i].trace;
	}
	r->must_record = true;
	r->beside = count > 1 ? 1 : -1;
	if (of[0].trace)
		open_at(r);
}

void reader_open_trace(struct reader *r, struct trace *t)
{
	reader_open_sources(r, &(struct reader_source){ .trace = t }, 1);
}

void reader_go_on(struct reader *r, struct recording *now)
{
	bool stands = r->traces.trace[0] != NULL;
	struct cursor here = *reader_cursor(r);

	reader_close(r);
	r->session.recordings[r->session.count++] = *now;
	*now = (struct recording){ .runner = NULL };
	r->traces.trace[0] = reader_recording(r)->trace;
	r->must_record = true;
	open_at(r);
	if (stands)
		*reader_cursor(r) = here;
}

void reader_event(struct reader *r, const struct event *ev)
{
	/* A click on a message, which covers the keys, only removes it. */
	bool covered = r->show.message && ev->key == K_MOUSE &&
		       ev->y == r->h - 1;

	r->show.message = NULL;
	r->only_time = false;
	auto_end(r);
	motion_end(r);
	reader_follow_key(r, ev->key);
	if (ev->key == K_EOF)
		r->quit = true;
	else if (ev->key == K_MOUSE && !covered)
		mode_mouse(r, ev);
	else if (ev->key != K_MOUSE)
		mode_key(r, ev->key);
}

/* ---- handle time and recorders ---- */

/* Returns whether time changes what is on the screen. */
bool reader_playing(const struct reader *r)
{
	if (r->benchmark)
		return reader_benchmark_playing(r);
	if (r->drill)
		return r->motion.on;
	return r->session.recordings[r->recording].stage &&
	       (r->show.playing || r->motion.on || r->autoplay.on);
}

/* Moves on by so many beats. Returns false at the end. */
static bool play_beats(struct reader *r, long beats)
{
	motion_end(r);
	return motion_beat(r, beats, r->speed <= MOTION_FASTEST ||
				     r->beat > BEAT_ROW ? 1 / r->speed : 0);
}

/* Moves what moves, and plays. Returns whether to draw again. */
static bool advance_step(struct reader *r, double seconds)
{
	bool moved = r->motion.on;
	long beats;

	if (r->motion.on) {
		r->only_time = r->motion.from == r->motion.to;
		motion_tick(r, seconds);
	}
	if (!r->show.playing)
		return moved;
	r->credit += seconds * r->speed;
	beats = (long)r->credit;
	r->credit -= (double)beats;
	if (beats)
		r->only_time = false;
	if (beats && !play_beats(r, beats))
		r->show.playing = false;	/* the end */
	return beats || moved;
}

bool reader_tick(struct reader *r, double seconds)
{
	bool changed;

	if (!reader_playing(r))
		return false;
	if (r->benchmark)
		return reader_benchmark_tick(r, seconds);
	changed = advance_step(r, seconds);
	return auto_tick(r, seconds) || changed;
}

double reader_interval(const struct reader *r)
{
	double frame = r->options.frame > 0 ? r->options.frame : FRAME_SECONDS;

	if (r->benchmark || r->motion.on)
		return frame;
	/* At rest, a lesson that plays by itself waits for its next turn. */
	return MAX(frame, r->show.playing ?
				  (1 - r->credit) / r->speed :
				  r->autoplay.left);
}

size_t reader_fds(const struct reader *r, struct pollfd *fds)
{
	size_t n = session_fds(&r->session, fds);

	if (r->link && r->link->fd >= 0)
		fds[n++] = (struct pollfd){ .fd = r->link->fd,
					    .events = POLLIN };
	n += reader_practice_fds(r, fds + n);
	return n + reader_benchmark_fds(r, fds + n);
}

/* Returns the sooner of two times; negative: never. */
static int get_sooner(int a, int b)
{
	return a < 0 || (b >= 0 && b < a) ? b : a;
}

int reader_patience(const struct reader *r)
{
	const struct recording *rec = &r->session.recordings[r->recording];
	double waited = recording_seconds(rec);
	int other = get_sooner(reader_benchmark_patience(r),
			       reader_class_patience(r));

	if (r->show.list && r->list.unmeasured)
		return 0;
	other = get_sooner(other, reader_practice_patience(r));
	if (r->compiling)
		other = get_sooner(other, COMPILING_MS);
	/* The seconds on the screen go on. */
	return waited < 0 ? other :
			    get_sooner(other,
				       (int)((1 - fmod(waited, 1)) * 1000) + 1);
}

/* Starts the step when its trace has arrived, playing if that was asked for. */
static void start_arrived_step(struct reader *r)
{
	bool playing = r->show.playing;

	reader_go_step(r, r->step);
	r->show.playing = playing;
}

/* Reports why a trace is missing; if it is required, the reader quits. */
static void take_error(struct reader *r, const struct error *e)
{
	reader_say(r, true, "%s", e->text);
	if (!r->must_record)
		return;
	r->failed = *e;
	r->quit = true;
}

/* Updates the seconds on the screen. Returns whether they have changed. */
static bool take_second(struct reader *r)
{
	int waited = (int)floor(recording_seconds(reader_recording(r)));
	bool changed = waited != r->waited;

	r->waited = waited;
	return changed;
}

/* Takes the answer of a compilation, which shows its picture unless the reader
 * holds another; without the tools the trace stays as it is. */
static void take_compiled(struct reader *r, struct recording *rec, int rc,
			  struct machine_launch *m, const struct error *e)
{
	rec->compiled = true;
	if (rc < 0) {
		reader_say(r, true, "%s", e->text);
		return;
	}
	stage_machine(rec->stage, m);
	if (!r->show.held)
		r->show.held = view_find("machine");
}

/* Adds the machine code of what has been recorded as soon as it is there.
 * Returns whether any has come, or has failed to. */
static bool compile_recordings(struct reader *r)
{
	bool waits = false, any = false;

	for (size_t i = 0; r->options.compile && i < r->session.count; i++) {
		struct recording *rec = &r->session.recordings[i];
		struct machine_launch m;
		struct error e;
		int rc;

		if (!rec->stage || rec->compiled)
			continue;
		rc = r->options.compile(r->options.compile_ctx, i, rec->trace,
					&m, &e);
		waits |= rc > 0;
		if (rc > 0)
			continue;
		if (r->compiling_said)
			r->show.message = NULL;
		take_compiled(r, rec, rc, &m, &e);
		any = true;
	}
	any |= waits != r->compiling;
	r->compiling = waits;
	return any;
}

/* Shows that a recording is being compiled, where no other message is. */
static void say_compiling(struct reader *r)
{
	const struct trace *t = reader_recording(r)->trace;

	if (!r->compiling || r->show.message || !t)
		return;
	reader_say(r, false, _("Compiling %s …"),
		   text_show(trace_info(t)->kernel));
	r->compiling_said = true;
}

void reader_wait_compiled(struct reader *r)
{
	while (r->compiling) {
		poll(NULL, 0, COMPILING_MS);
		reader_poll(r);
	}
}

bool reader_poll(struct reader *r)
{
	bool any = session_step(&r->session), more = false;
	const struct error *e = session_error(&r->session);

	for (size_t i = 0; i < r->session.count; i++) {
		struct recording *rec = &r->session.recordings[i];

		more |= rec->trace && !r->traces.trace[i];
		r->traces.trace[i] = rec->trace;
		if (rec->gone.text[0]) {
			reader_say(r, true, _("No more variables: %s"),
				   rec->gone.text);
			r->gone = rec->gone;
		}
		rec->gone.text[0] = 0;
	}
	if (!r->lesson && !r->stood && reader_recording(r)->stage)
		open_at(r);
	else if (r->lesson && !r->stood && reader_recording(r)->trace)
		start_arrived_step(r);
	else if (r->lesson && more)
		reader_words(r);
	if (any && e)
		take_error(r, e);
	any |= compile_recordings(r);
	any |= take_second(r);
	any |= reader_benchmark_poll(r) || more;
	any |= reader_class_poll(r);
	any |= reader_practice_poll(r);
	any |= reader_follow_poll(r);
	r->only_time &= !any;
	return any;
}

/* Describes what our recorder does; the caller frees it. */
static char *describe_own_work(const struct recording_work *w)
{
	if (w->file && !w->compiled)
		return xasprintf(_("Compiling %s …"), text_show(w->name));
	if (w->program)
		return xasprintf(_("Running %s on the CPU …"),
				 text_show(w->name));
	if (w->of)
		return xasprintf(_("Recording %s on the CPU, block %lld of "
				   "%lld …"), text_show(w->name),
				 (long long)MIN(w->blocks + 1, w->of),
				 (long long)w->of);
	return xasprintf(_("Recording %s on the CPU …"), text_show(w->name));
}

/* Describes what another recorder does, with its own words; the caller frees
 * it. */
static char *describe_other_work(const struct runner *r)
{
	const char *on = runner_on(r);
	char *said = runner_words(r);
	char *words = xasprintf(
		!on ? _("Waiting for %s … %s") :
		*on == 'c' ? _("%s is recording on the CPU … %s") :
			     _("%s is recording on the GPU … %s"),
		runner_name(r), said ? said : "");

	free(said);
	return words;
}

char *reader_waiting(const struct reader *r, const struct recording *rec)
{
	char *does = r->options.runner ? describe_other_work(rec->runner) :
					 describe_own_work(&rec->work);
	char *words = xasprintf(_("%s (%d s)"), does,
				MAX(0, (int)recording_seconds(rec)));

	free(does);
	return words;
}

/* Returns the words on the screen until a trace is there. */
static const char *write_waiting(struct reader *r, const struct recording *rec)
{
	char *words;

	if (rec->error.text[0] || !rec->runner)
		return rec->error.text;
	words = reader_waiting(r, rec);
	snprintf(r->waiting, sizeof(r->waiting), "%s", words);
	free(words);
	return r->waiting;
}

/* Prepares what only the picture on the screen shows. */
static void prepare_picture(struct reader *r, struct stage *s)
{
	const struct view *v = view_picture(&r->show);

	if (scene_shown(r->show.scene) && v->prepare)
		v->prepare(s, &r->show.turns);
}

/* Updates the other recording's scene, at the corresponding point. */
static void update_beside(struct reader *r, struct stage *s)
{
	struct recording *other;
	struct cursor p;

	r->show.beside = NULL;
	if (r->beside < 0 || r->beside == (long)r->recording)
		return;
	other = &r->session.recordings[r->beside];
	if (!other->stage)
		return;
	p = stage_match(s, reader_cursor(r), other->stage);
	session_want_locals(other, &p);
	r->show.beside = stage_scene(other->stage, &p);
	prepare_picture(r, other->stage);
}

/* Updates the scene at the cursor, which is clamped to the trace. */
static void update_scene(struct reader *r, struct recording *rec)
{
	struct stage *asked;
	struct cursor at;

	r->show.scene = r->show.beside = NULL;
	if (!rec->stage)
		return;
	session_want_locals(rec, reader_cursor(r));
	r->show.scene = stage_scene(rec->stage, reader_cursor(r));
	*reader_cursor(r) = r->show.scene->cursor;
	if (r->show.scene->error.text[0])
		reader_say(r, true, "%s", r->show.scene->error.text);
	asked = reader_asked_stage(r, &at);
	if (asked) {
		r->show.scene = stage_scene(asked, &at);
		prepare_picture(r, asked);
		return;
	}
	prepare_picture(r, rec->stage);
	if (r->show.scene->site)
		update_beside(r, rec->stage);
}

/* Returns the picture on the screen, if it runs by itself; else NULL. */
static const struct view *running_picture(const struct reader *r)
{
	const struct view *v;

	if (!r->show.scene || !r->show.scene->site || r->benchmark ||
	    r->show.pane != PANE_PICTURE)
		return NULL;
	v = view_picture(&r->show);
	return v->seconds ? v : NULL;
}

/* Starts a picture that runs by itself once it is on the screen. */
static void start_picture(struct reader *r, const struct view *v)
{
	bool before = v == r->ran.view && r->ran.step == r->step &&
		      r->ran.question == r->question;

	r->ran.view = v;
	r->ran.step = r->step;
	r->ran.question = r->question;
	if (v && !before)
		motion_step(r, v->seconds(r->show.scene));
}

/* Updates whether the picture stands still: it does while a question is open,
 * unless it runs by itself; the answer starts it. */
static void update_quiet(struct reader *r)
{
	const struct view *runs = running_picture(r);
	bool quiet = r->show.quiet;

	r->show.quiet = reader_asking(r);
	start_picture(r, runs);
	if (r->show.quiet && !runs)
		r->show.t = 0;
	else if (quiet && !r->show.quiet && r->show.scene)
		motion_step(r, runs ? runs->seconds(r->show.scene) :
				      2 * MOTION_SECONDS);
}

void reader_update(struct reader *r, int w, int h)
{
	struct recording *rec = reader_recording(r);
	bool same = r->only_time && r->w == w && r->h == h;

	r->only_time = false;
	if (same)
		return;
	r->w = w;
	r->h = h;
	say_compiling(r);
	r->show.waiting = write_waiting(r, rec);
	if (rec->error.text[0])	/* nothing is asked without it */
		r->show.lesson.question = NULL;
	if (r->drill) {
		reader_drill_update(r);
	} else {
		r->show.turns.field = r->lesson ?
				      r->lesson->steps[r->step].race : NULL;
		update_scene(r, rec);
		update_quiet(r);
	}
	if (r->benchmark)
		reader_benchmark_update(r);
	reader_practice_update(r);
	mode_show(r);
	reader_lead(r);
}

const struct frame_model *reader_show(const struct reader *r)
{
	return &r->show;
}

const struct frame_model *reader_wait(struct reader *r, int w, int h)
{
	reader_measure(r);
	do {
		session_wait(&r->session);
		reader_poll(r);
		reader_wait_compiled(r);
		reader_update(r, w, h);	/* may ask for more */
	} while (reader_recording(r)->locals_id ||
		 (r->show.beside &&
		  r->session.recordings[r->beside].locals_id));
	return reader_show(r);
}

const struct frame_model *reader_settle(struct reader *r, int w, int h)
{
	reader_wait(r, w, h);
	if (r->motion.on) {
		motion_end(r);
		reader_update(r, w, h);
	}
	return reader_show(r);
}
