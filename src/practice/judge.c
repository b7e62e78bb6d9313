/* judge: see judge.h. */
#include "practice/judge.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/lang.h"
#include "base/text.h"
#include "practice/judge_parts.h"

/* Seconds of silence after which a recorder is given up. */
#define PATIENCE 60.0

const char *judge_result_name(enum judge_result r)
{
	static const char *const names[] = {
		[JUDGED_PASS] = "pass", [JUDGED_FAIL] = "fail",
		[JUDGED_UNTOUCHED] = "untouched", [JUDGED_MISSING] = "missing",
		[JUDGED_BROKEN] = "error",
	};

	return names[r];
}

struct judge_place judge_place_of(const json_t *o)
{
	const json_t *at = json_object_get(o, "at");

	return (struct judge_place) {
		json_string_value(json_object_get(at, "file")),
		(uint32_t)json_integer_value(json_object_get(at, "line")),
	};
}

uint32_t judge_own_line(const struct judging *j, struct judge_place at,
			char **message)
{
	char *words = *message;

	if (!at.line || !at.file || !strcmp(at.file, file_base(j->path)))
		return at.line;
	*message = xasprintf("%s:%u: %s", text_show(at.file), at.line, words);
	free(words);
	return 0;
}

void judge_fail(struct judging *j, enum judge_stage stage, size_t size,
		const char *word, struct judge_place at, char *message)
{
	struct judgement *o = &j->out;

	if (o->result != JUDGED_PASS) {
		free(message);
		return;
	}
	o->result = JUDGED_FAIL;
	o->stage = stage;
	o->line = judge_own_line(j, at, &message);
	o->message = message;
	o->word = word ? xstrdup(word) : NULL;
	o->at = size;
	o->status = EXIT_CHECK;
}

void judgement_done(struct judgement *o)
{
	for (size_t i = 0; i < RUNG_SIZES; i++) {
		free(o->sizes[i].text);
		free(o->sizes[i].why);
		free(o->sizes[i].word);
	}
	free(o->message);
	free(o->word);
	free(o->limits);
	free(o->compiler_line);
	trace_close(o->trace);
	memset(o, 0, sizeof(*o));
}

/* ---- what the recorder answers ---- */

static void drop_answer(struct judging *j)
{
	for (size_t i = 0; i < j->trace_count; i++)
		trace_close(j->traces[i]);
	free(j->traces);
	free(j->launches);
	json_decref(j->program);
	j->traces = NULL;
	j->launches = NULL;
	j->trace_count = 0;
	j->program = NULL;
	j->error = (struct error){ .status = EXIT_DONE };
}

/* Copies a part of a file into one of its own; -1 with e. */
static int copy_part(int from, off_t at, int64_t bytes, struct error *e)
{
	int fd = temporary_file(e);
	char buffer[65536];

	while (fd >= 0 && bytes > 0) {
		ssize_t n = pread(from, buffer, (size_t)MIN(bytes,
			(int64_t)sizeof(buffer)), at);

		if (n <= 0 || write_all(fd, buffer, (size_t)n) < 0) {
			close(fd);
			return error_set(e, EXIT_RUNNER, "the trace is "
					 "incomplete");
		}
		at += n;
		bytes -= n;
	}
	if (fd >= 0)
		lseek(fd, 0, SEEK_SET);
	return fd;
}

/* Opens the traces that arrived in fd, one behind the other. */
static void take_traces(struct judging *j, int fd)
{
	const json_t *list = json_object_get(j->program, "traces"), *of;
	size_t count = json_array_size(list), i;
	off_t at = 0;

	j->traces = xcalloc(count + 1, sizeof(*j->traces));
	j->launches = xcalloc(count + 1, sizeof(*j->launches));
	json_array_foreach(list, i, of) {
		json_int_t bytes =
			json_integer_value(json_object_get(of, "bytes"));
		int own = copy_part(fd, at, bytes, &j->error);

		j->traces[i] = own < 0 ? NULL :
			       runner_trace(j->runner, own, &j->error);
		if (!j->traces[i])
			break;
		j->launches[i] = (uint64_t)json_integer_value(
			json_object_get(of, "launch"));
		j->trace_count++;
		at += bytes;
	}
	close(fd);
}

/* Gives the judgement the trace that failed, or else the first. */
static void keep_trace(struct judging *j)
{
	if (!j->out.trace && j->trace_count)
		j->out.trace = j->traces[0];
	for (size_t i = 0; i < j->trace_count; i++)
		if (j->traces[i] == j->out.trace)
			j->traces[i] = NULL;
}

/* ---- the job's way ---- */

static int send_job(struct judging *j, struct error *e)
{
	struct job job;
	int rc = judge_job_make(j, j->out.seed, &job, e);

	if (rc == 0 && !j->runner) {
		j->runner = runner_start(j->options.runner, e);
		rc = j->runner ? 0 : -1;
	}
	if (rc == 0) {
		runner_want(j->runner, "cpu");
		j->compiled = false;
		j->id = runner_send(j->runner, &job);
	}
	job_done(&job);
	return rc;
}

static void end_judging(struct judging *j)
{
	runner_free(j->runner);
	j->runner = NULL;
	j->out.seconds = seconds_now() - j->began;
}

/* Drops a round, whose result is the next one's to confirm. */
static void forget_round(struct judging *j)
{
	j->round++;
	drop_answer(j);
	trace_close(j->out.trace);
	j->out.trace = NULL;
	free(j->out.limits);
	j->out.limits = NULL;
	j->out.limit_count = 0;
	memset(j->out.costs, 0, sizeof(j->out.costs));
}

/* Returns whether another job follows one that went well. */
static bool goes_on(const struct judging *j)
{
	if (j->rung->kind == RUNG_PROGRAM)
		return judge_program_goes_on(j);
	return j->out.result == JUDGED_PASS && j->options.twice && !j->round;
}

/* Takes a job's answer: to the verdict, or to the next job. */
static void end_job(struct judging *j)
{
	struct error e;

	if (j->error.status != EXIT_DONE &&
	    !(j->program && j->error.status == EXIT_CHECK))
		judge_job_error(j);
	else if (j->rung->kind == RUNG_PROGRAM)
		judge_program(j);
	else
		judge_recording(j);
	keep_trace(j);
	if (goes_on(j)) {
		forget_round(j);
		j->out.seed += j->rung->kind != RUNG_PROGRAM;
		if (send_job(j, &e) == 0)
			return;
		j->error = e;
		judge_job_error(j);
	}
	if (j->out.result == JUDGED_PASS)
		j->out.stage = JUDGE_PASSED;
	end_judging(j);
}

bool judge_step(struct judging *j)
{
	while (j->runner) {
		struct runner_event ev;
		const char *type;

		runner_step(j->runner, &ev);
		type = runner_event_type(&ev);
		if (ev.kind == RUNNER_NOTHING)
			return false;
		if (ev.kind == RUNNER_LOST) {
			j->error = ev.error;
			end_job(j);
		} else if (ev.kind == RUNNER_TRACE) {
			take_traces(j, ev.fd);
			end_job(j);
		} else if (!strcmp(type, "progress")) {
			j->compiled = true;
		} else if (!strcmp(type, "program")) {
			json_decref(j->program);
			j->program = json_incref(ev.message);
		} else if (runner_refused(&ev, &j->error)) {
			end_job(j);
		}
		runner_event_done(&ev);
	}
	return true;
}

struct runner *judge_runner(const struct judging *j)
{
	return j->runner;
}

/* Waits until the runner is ready, at most so many seconds. */
static void wait_runner(const struct runner *r, double seconds)
{
	struct pollfd p[2] = {
		{ .fd = runner_read_fd(r), .events = POLLIN },
		{ .fd = runner_write_fd(r), .events = POLLOUT },
	};

	poll(p, 2, (int)(1000 * seconds) + 1);
}

void judge_wait(struct judging *j)
{
	double limit = seconds_now() + runner_patience(PATIENCE);
	uint64_t signs = 0;

	while (!judge_step(j)) {
		if (runner_signs(j->runner) != signs)
			limit = seconds_now() + runner_patience(PATIENCE);
		signs = runner_signs(j->runner);
		if (seconds_now() < limit) {
			wait_runner(j->runner, 1);
			continue;
		}
		runner_silent(j->runner, runner_patience(PATIENCE),
			      &j->error);
		end_job(j);
		end_judging(j);
	}
}

struct judgement judge_finish(struct judging *j)
{
	struct judgement out;

	if (j->runner)
		end_judging(j);
	out = j->out;
	drop_answer(j);
	free(j->path);
	free(j->text);
	free(j);
	return out;
}

/* ---- the file ---- */

/* Ends a judgement that needs no recording; takes `message`. */
static bool decide_early(struct judging *j, enum judge_result result, int status,
		   char *message)
{
	j->out.result = result;
	j->out.status = status;
	j->out.message = message;
	return false;
}

/* Reads the learner's file; false: that is the judgement. */
static bool read_learner_file(struct judging *j)
{
	struct error e;
	size_t length;

	if (access(j->path, F_OK) < 0 && errno == ENOENT)
		return decide_early(j, JUDGED_MISSING, EXIT_INPUT,
			      xasprintf(_("%s is missing"),
					text_show(j->path)));
	j->text = file_read_text(j->path, RUNG_FILE_MOST, &length, &e);
	if (!j->text)
		return decide_early(j, JUDGED_BROKEN, EXIT_INPUT, xstrdup(e.text));
	if (strlen(j->text) < length || !text_is_utf8(j->text))
		return decide_early(j, JUDGED_BROKEN, EXIT_INPUT,
			      xasprintf(_("%s: it is not UTF-8"),
					text_show(j->path)));
	return true;
}

/* Judges what the text alone decides; returns whether it is to be recorded. */
static bool judge_text(struct judging *j)
{
	if (!j->text && !read_learner_file(j))
		return false;
	j->out.text_hash = hash_bytes(j->text, strlen(j->text));
	if (!j->options.untouched && rung_is_untouched(j->rung, j->text))
		return decide_early(j, JUDGED_UNTOUCHED, EXIT_CHECK,
			      xstrdup(_("the line TODO is still there")));
	return true;
}

static struct judging *judging_new(const struct rung *r, const char *path,
				   const struct judge_options *o)
{
	struct judging *j = xcalloc(1, sizeof(*j));

	j->rung = r;
	j->options = *o;
	j->path = xstrdup(path);
	j->text = o->text ? xstrdup(o->text) : NULL;
	j->began = seconds_now();
	j->error.status = EXIT_DONE;
	j->out.seed = o->seed;
	j->out.at = SIZE_MAX;
	j->out.size_count = r->size_count;
	for (size_t i = 0; i < r->size_count; i++) {
		j->out.sizes[i].text = rung_size_text(r, &r->sizes[i]);
		j->out.sizes[i].seconds = NA;
		j->out.sizes[i].verdict = VERDICT_NOT_JUDGED;
	}
	return j;
}

struct judging *judge_start(const struct rung *r, const char *path,
			    const struct judge_options *o, struct error *e)
{
	struct judging *j = judging_new(r, path, o);
	struct judgement out;

	if (!judge_text(j) || send_job(j, e) == 0)
		return j;
	out = judge_finish(j);
	judgement_done(&out);
	return NULL;
}
