/*
 * launches: see launches.h.
 */
#include "gpu/race/launches.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/child.h"
#include "runner/runner.h"

/* Seconds for compiling a kernel, its first launches and its arrays' copies,
 * besides its samples. */
#define WORK_SECONDS 90.0
#define LOOK_MS 500
#define ANSWER_MOST (4u << 20)

/* ---- the program, on the CPU ---- */

/* Handles one event of the recorder: returns 1 at the last one, which is the
 * file of images, 0 before, -1 with e. */
static int take_program_event(struct runner_event *ev, json_t **program,
			      int *fd, struct error *e)
{
	int rc = 0;

	if (ev->kind == RUNNER_LOST) {
		*e = ev->error;
		return -1;
	}
	if (ev->kind == RUNNER_TRACE) {
		*fd = ev->fd;
		return 1;
	}
	if (runner_refused(ev, e)) {
		rc = -1;
	} else if (!strcmp(runner_event_type(ev), "program")) {
		json_decref(*program);
		*program = json_incref(ev->message);
	}
	runner_event_done(ev);
	return rc;
}

static int run_recorded_program(struct runner *r, json_t **program, int *fd,
				bool (*heard)(uint64_t done, uint64_t of),
				struct error *e)
{
	struct runner_event ev;
	int rc = 0;

	while (rc == 0) {
		struct pollfd p[2] = {
			{ .fd = runner_read_fd(r), .events = POLLIN },
			{ .fd = runner_write_fd(r), .events = POLLOUT },
		};

		runner_step(r, &ev);
		if (ev.kind != RUNNER_NOTHING)
			rc = take_program_event(&ev, program, fd, e);
		else if (!heard(0, 0))
			rc = error_set(e, EXIT_RUNNER, "cancelled");
		else
			poll(p, 2, LOOK_MS);
	}
	return rc < 0 ? -1 : 0;
}

json_t *launches_prepare(const struct job *job, int *fd,
			 bool (*heard)(uint64_t done, uint64_t of),
			 struct error *e)
{
	struct runner *r = runner_start(NULL, e);
	struct job wanted;
	json_t *program = NULL, *answer, *images;
	int rc;

	if (!r)
		return NULL;
	job_init(&wanted, JOB_RECORD);
	wanted.kernel = job_kernel_copy(&job->kernel);
	wanted.kernel.program.images = true;
	wanted.size = job->size;
	wanted.seconds = job->seconds;
	wanted.timeout = job->timeout;
	wanted.unconfined = job->unconfined;
	wanted.values = false;
	runner_send(r, &wanted);
	rc = run_recorded_program(r, &program, fd, heard, e);
	job_done(&wanted);
	runner_free(r);
	if (rc < 0 || !program) {
		json_decref(program);
		return NULL;
	}
	images = json_incref(json_object_get(program, "images"));
	json_object_del(program, "images");
	json_object_del(program, "traces");
	json_object_del(program, "type");
	json_object_del(program, "id");
	answer = json_pack("{so so}", "program", program, "launches",
			   json_is_array(images) ? images : json_array());
	return answer;
}

/* ---- one launch ---- */

/* Reads what the child writes until it ends; NULL with e. */
static json_t *child_answer(struct child *c, double patience, struct error *e)
{
	struct str text = { 0 };
	double end = seconds_now() + patience;
	json_t *o = NULL;

	while (seconds_now() < end && text.len < ANSWER_MOST) {
		struct pollfd p = { .fd = c->events, .events = POLLIN };
		char buffer[65536];
		ssize_t n;

		poll(&p, 1, LOOK_MS);
		n = child_read(c, buffer, sizeof(buffer));
		if (n > 0)
			str_addn(&text, buffer, (size_t)n);
		else if (n == 0 || (errno != EAGAIN && errno != EINTR))
			break;
	}
	if (seconds_now() >= end)
		error_set(e, EXIT_RUNNER, "the kernel hangs: it was ended "
			  "after %g seconds", patience);
	else if (!(o = json_loadb(text.data ? text.data : "", text.len, 0,
				  NULL)))
		child_epitaph(c, e);
	str_done(&text);
	return o;
}

static void child_ask(struct child *c, json_t *request)
{
	char *text = json_dumps(request, JSON_COMPACT);
	size_t n = strlen(text), done = 0;

	json_decref(request);
	while (done < n) {
		struct pollfd p = { .fd = c->in, .events = POLLOUT };
		ssize_t put = child_write(c, text + done, n - done);

		if (put < 0 && errno != EAGAIN && errno != EINTR)
			break;
		done += put > 0 ? (size_t)put : 0;
		if (put < 0 && poll(&p, 1, LOOK_MS) < 0 && errno != EINTR)
			break;
	}
	free(text);
}

static json_t *launch_time(const json_t *image, const struct job *job, int fd,
			   struct error *e)
{
	char self[] = "/proc/self/exe", real[4096];
	ssize_t n = readlink(self, real, sizeof(real) - 1);
	char *argv[] = { real, (char *)"--time-launch", NULL };
	json_t *request = job_kernel_members(&job->kernel), *o = NULL;
	char *path = xasprintf("/proc/%ld/fd/%d", (long)getpid(), fd);
	struct child c;

	real[n > 0 ? n : 0] = '\0';
	json_object_del(request, "program");
	json_object_update_new(request, json_pack("{sO ss sI sf}", "image",
		image, "file", path, "repeat", (json_int_t)job->repeat,
		"seconds", job->sample_seconds));
	free(path);
	if (child_start(&c, argv, e) < 0) {
		json_decref(request);
		return NULL;
	}
	child_ask(&c, request);
	o = child_answer(&c, WORK_SECONDS + 4 * job->sample_seconds, e);
	child_done(&c);
	return o;
}

/* Drops the members of an image that the client does not need. */
static void snapshot_forget(json_t *image)
{
	static const char *const names[] = { "arrays", "pointers", "parameters",
		"variables", "textures", "addresses", "begin", "end",
		"text" };

	for (size_t i = 0; i < LENGTH(names); i++)
		json_object_del(image, names[i]);
}

int launches_measure(json_t *answer, const struct job *job, int fd,
		  bool (*heard)(uint64_t done, uint64_t of), struct error *e)
{
	json_t *list = json_object_get(answer, "launches"), *image;
	size_t i;

	json_array_foreach(list, i, image) {
		struct error why;
		json_t *figures;

		if (!heard(i, json_array_size(list)))
			return error_set(e, EXIT_RUNNER, "cancelled");
		figures = launch_time(image, job, fd, &why);
		if (!figures)
			figures = json_pack("{ss}", "why", why.text);
		snapshot_forget(image);
		json_object_update(image, figures);
		json_decref(figures);
	}
	return 0;
}
