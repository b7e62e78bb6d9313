/* judge: see judge.h. */
#include "practice/judge.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/finding_text.h"
#include "base/lang.h"
#include "base/text.h"
#include "practice/judge_parts.h"
#include "trace/finding.h"

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

void judge_fail(struct judging *j, enum judge_stage stage, size_t size,
		const char *word, uint32_t line, char *message)
{
	struct judgement *o = &j->out;

	if (o->result != JUDGED_PASS) {
		free(message);
		return;
	}
	o->result = JUDGED_FAIL;
	o->stage = stage;
	o->message = message;
	o->word = word ? xstrdup(word) : NULL;
	o->line = line;
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

/* ---- judging it ---- */

/* Returns the call that a launch belongs to; the number of calls that came
 * back, if it belongs to a later one. */
static size_t call_of(const struct judging *j, uint64_t launch)
{
	const json_t *list = json_object_get(j->program, "judged"), *of;
	size_t i;

	json_array_foreach(list, i, of)
		if ((json_int_t)launch <= json_integer_value(
			json_object_get(of, "launches")))
			return i;
	return MIN(json_array_size(list), judge_calls(j->rung) - 1);
}

/* Marks a size as wrong. */
static void mark_size(struct judging *j, size_t size, const char *why,
		      const char *word, uint32_t line)
{
	struct judged_size *s = &j->out.sizes[size];

	if (size >= RUNG_SIZES || s->verdict == VERDICT_WRONG)
		return;
	s->verdict = VERDICT_WRONG;
	s->why = xstrdup(why);
	s->word = word ? xstrdup(word) : NULL;
	s->line = line;
}

/* Makes the judgement a failure at a call, whose size is marked; takes `message`. */
static void fail_call(struct judging *j, enum judge_stage stage, size_t call,
		    const char *word, uint32_t line, char *message)
{
	size_t size = judge_size_of(j->rung, call);

	mark_size(j, size, message, word, line);
	judge_fail(j, stage, size, word, line, message);
}

static char *too_long_words(const struct judging *j, size_t call,
			    uint32_t line)
{
	const char *size =
		j->out.sizes[judge_size_of(j->rung, call)].text;

	return line ? xasprintf(_("it takes too long at %1$s: is there an end "
				  "to the loop in line %2$u?"), size, line) :
		      xasprintf(_("it takes too long at %s"), size);
}

/* Returns whether a finding is a fault of a rung's: also sums that begin with what
 * nothing has set; but not a wrong result, which is compared here. */
static bool is_judged_fault(const struct trace_finding *f)
{
	if (f->kind == FINDING_RESULT)
		return false;
	return finding_is_fault(f) || f->kind == FINDING_CAP ||
	       f->cause == CAUSE_NEVER_SET;
}

/* Returns a fault's rank: what may be the cause of others comes first. */
static int rank_fault(const struct trace_finding *f)
{
	static const int ranks[FINDING_COUNT] = {
		[FINDING_BARRIER] = 1, [FINDING_OUT_OF_BOUNDS] = 2,
		[FINDING_CRASH] = 3, [FINDING_RACE] = 4,
		[FINDING_READ_BEFORE_WRITE] = 5, [FINDING_NOTE] = 6,
		[FINDING_ENDLESS] = 7, [FINDING_CAP] = 8,
	};

	return ranks[f->kind];
}

const struct trace_finding *judge_find_fault(const struct trace_info *info)
{
	const struct trace_finding *worst = NULL;

	for (size_t i = 0; i < info->finding_count; i++) {
		const struct trace_finding *f = &info->findings[i];

		if (is_judged_fault(f) &&
		    (!worst || rank_fault(f) < rank_fault(worst)))
			worst = f;
	}
	return worst;
}

/* Makes the judgement a failure of the trace's launch. */
static void fail_for_finding(struct judging *j, size_t trace,
			     const struct trace_finding *f)
{
	size_t call = call_of(j, j->launches[trace]);
	bool endless = f->kind == FINDING_CAP || f->kind == FINDING_ENDLESS;

	fail_call(j, JUDGE_FAULTS, call, finding_name(f->kind), f->access.line,
		endless ? too_long_words(j, call, f->access.line) :
			  finding_text(trace_info(j->traces[trace]), f));
}

/* Judges what was found in launches: the fault that comes first speaks. */
static void judge_findings(struct judging *j)
{
	const struct trace_finding *first = NULL;
	size_t at = 0;

	for (size_t i = 0; i < j->trace_count; i++) {
		const struct trace_finding *f =
			judge_find_fault(trace_info(j->traces[i]));

		if (f && (!first || rank_fault(f) < rank_fault(first))) {
			first = f;
			at = i;
		}
	}
	if (first && j->out.result == JUDGED_PASS) {
		j->out.trace = j->traces[at];
		j->out.finding = first;
	}
	if (first)
		fail_for_finding(j, at, first);
	for (size_t i = 0; i < j->trace_count; i++) {
		const struct trace_finding *f =
			judge_find_fault(trace_info(j->traces[i]));

		if (f)
			fail_for_finding(j, i, f);
	}
}

static const char *get_summary_text(const json_t *o, const char *member)
{
	const char *s = json_string_value(json_object_get(o, member));

	return s ? s : "";
}

static uint32_t get_line(const json_t *o)
{
	return (uint32_t)json_integer_value(json_object_get(
		json_object_get(o, "at"), "line"));
}

/* Returns whether a launch() of a rung may do what this problem is about: its
 * arrays are freed by the judge, and errors are the judge's, too. */
static bool is_ours(const char *kind)
{
	return !strcmp(kind, "unchecked");
}

/* Judges what the host did; of this stage alone. A problem does not say at which
 * size it was, unless it ended the calls. */
static void judge_problems(struct judging *j, enum judge_stage stage)
{
	const json_t *list = json_object_get(j->program, "problems"), *p;
	size_t done = json_array_size(json_object_get(j->program, "judged"));
	size_t call = MIN(done ? done - 1 : 0, judge_calls(j->rung) - 1), i;

	json_array_foreach(list, i, p) {
		const char *kind = get_summary_text(p, "kind");
		bool limit = !strcmp(kind, "launch-limit");

		if (!strcmp(kind, "cut") && stage == JUDGE_FAULTS)
			fail_call(j, stage, call, "endless", get_line(p),
				too_long_words(j, call, 0));
		else if (limit ? stage == JUDGE_LAUNCH :
			 stage == JUDGE_FAULTS && !is_ours(kind) &&
			 j->options.is_fault(p))
			judge_fail(j, stage, SIZE_MAX, kind, get_line(p),
				   j->options.problem_words(p));
	}
}

/* Returns the number of launches that were made until the end of a call. */
static json_int_t launches_until(const struct judging *j, size_t call)
{
	return json_integer_value(json_object_get(json_array_get(
		json_object_get(j->program, "judged"), call), "launches"));
}

/* Judges whether each call came back and launched something. */
static void judge_launches(struct judging *j)
{
	size_t done = json_array_size(json_object_get(j->program, "judged"));
	json_int_t before = 0;

	judge_problems(j, JUDGE_LAUNCH);
	for (size_t call = 0; call < done; call++) {
		json_int_t now = launches_until(j, call);

		if (now == before)
			fail_call(j, JUDGE_LAUNCH, call, "none", 0,
				xasprintf(_("launch() launches no kernel at "
					    "%s"), j->out.sizes[judge_size_of(
						   j->rung, call)].text));
		before = now;
	}
}

/* Judges how the program ended. */
static void judge_end(struct judging *j)
{
	size_t done = json_array_size(json_object_get(j->program, "judged"));
	const char *how = get_summary_text(j->program, "how");
	int status = (int)json_integer_value(
		json_object_get(j->program, "status"));

	if (!strcmp(how, "seconds"))
		fail_call(j, JUDGE_FAULTS, done, "endless",
			get_line(j->program),
			too_long_words(j, done, get_line(j->program)));
	else if (!strcmp(how, "signal"))
		fail_call(j, JUDGE_FAULTS, done, "crash", get_line(j->program),
			xasprintf(_("launch() was ended by signal %1$d (%2$s)"),
				  status, strsignal(status)));
	else if (strcmp(how, "exit") != 0)
		fail_call(j, JUDGE_FAULTS, done, how, get_line(j->program),
			text_clean(get_summary_text(j->program, "what"),
				   strlen(get_summary_text(j->program, "what")), 0));
	else if (done < judge_calls(j->rung))
		fail_call(j, JUDGE_LAUNCH, done, "exit", get_line(j->program),
			xasprintf(_("launch() did not come back at %s"),
				  j->out.sizes[judge_size_of(j->rung, done)]
					  .text));
}

static void judge_answers(struct judging *j)
{
	for (size_t call = 0; call < judge_calls(j->rung); call++) {
		char *words = judge_answer(j, j->out.seed, call);
		size_t size = judge_size_of(j->rung, call);

		if (words)
			fail_call(j, JUDGE_ANSWER, call, "wrong-result", 0,
				words);
		else if (j->out.sizes[size].verdict != VERDICT_WRONG)
			j->out.sizes[size].verdict = VERDICT_RIGHT;
	}
}

/* Notes how long each size took. */
static void note_seconds(struct judging *j)
{
	const json_t *list = json_object_get(j->program, "judged"), *of;
	size_t i;

	json_array_foreach(list, i, of)
		if (i < j->rung->size_count)
			j->out.sizes[i].seconds = json_number_value(
				json_object_get(of, "seconds"));
}

/* Finds the line that a compiler's message names: FILE:LINE: ... */
static uint32_t message_line(const char *text)
{
	const char *at = strchr(text, ':');
	unsigned long line = at ? strtoul(at + 1, NULL, 10) : 0;

	return line > UINT32_MAX ? 0 : (uint32_t)line;
}

/* Judges by an error in place of a recording. */
static void judge_job_error(struct judging *j)
{
	const struct error *e = &j->error;
	/* Without the option that a command would have. */
	const char *option = strstr(e->text, " (--");
	char *words = xstrndup(e->text, option ? (size_t)(option - e->text) :
						 strlen(e->text));

	if (e->status == EXIT_INPUT || e->status == EXIT_USAGE) {
		judge_fail(j, JUDGE_COMPILE, SIZE_MAX, "compile",
			   message_line(e->text), words);
		return;
	}
	judge_fail(j, JUDGE_FAULTS, SIZE_MAX,
		   e->status == EXIT_REFUSED ? "refused" : "recorder",
		   message_line(e->text), words);
	j->out.status = (int)e->status;
	if (e->status != EXIT_REFUSED && e->status != EXIT_CHECK)
		j->out.result = JUDGED_BROKEN;
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

/* Judges the calls of a recording; the stages in their order. */
static void judge_recording(struct judging *j)
{
	note_seconds(j);
	judge_launches(j);
	judge_findings(j);
	judge_problems(j, JUDGE_FAULTS);
	judge_end(j);
	if (j->out.result == JUDGED_PASS)
		judge_answers(j);
	if (j->out.result == JUDGED_PASS)
		judge_costs(j);
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
			      xstrdup(_("not begun: the line TODO is still "
					"there")));
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
