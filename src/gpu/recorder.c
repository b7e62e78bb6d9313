/*
 * recorder: makes recordings of jobs. See recorder.h.
 */
#include <signal.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "record/serve.h"
#include "gpu/calibrate/calibrate.h"
#include "gpu/race/counters.h"
#include "gpu/race/launches.h"
#include "gpu/device/queue.h"
#include "gpu/recorder.h"
#include "gpu/record/recording.h"

#define QUEUE_NAP 200000000	/* ns */

static struct device device;

/* Waits for its turn: what is timed on the GPU has it to itself. The client
 * hears that we are there; one that hears no more ends it. */
static struct queue *turn_wait(struct error *e)
{
	struct queue *q = queue_enter(NULL, device.uuid, e);

	while (q && queue_place(q) > 0) {
		const struct timespec nap = { 0, QUEUE_NAP };

		if (!serve_progress(0, 0, 0)) {
			queue_leave(q);
			error_set(e, EXIT_RUNNER, "cancelled");
			return NULL;
		}
		nanosleep(&nap, NULL);
	}
	return q;
}

/* Ends a process that has lost the GPU, so that another can replace it. */
static void exit_if_lost(bool lost, int rc, const struct error *e)
{
	if (!lost)
		return;
	if (rc < 0)
		serve_error(e);
	_exit(EXIT_RUNNER);
}

static int do_record(struct job *job, struct error *e)
{
	bool lost = false;
	struct queue *turn;
	int fd, rc;

	if (device_open(&device, e) < 0 || device_begin(&device, e) < 0)
		return -1;
	fd = temporary_file(e);
	if (fd < 0)
		return -1;
	turn = turn_wait(e);
	rc = turn ? recording_make(job, &device, fd, &lost, e) : -1;
	queue_leave(turn);
	if (rc == 0)
		rc = serve_trace(fd, 0, e);
	close(fd);
	exit_if_lost(lost, rc, e);
	return rc;
}

static bool step_said(uint64_t done, uint64_t of)
{
	return serve_progress(0, done, of);
}

static int do_calibrate(const struct job *job, struct error *e)
{
	struct queue *turn;
	json_t *o;

	if (device_open(&device, e) < 0 || device_begin(&device, e) < 0)
		return -1;
	turn = turn_wait(e);
	o = turn ? calibrate_run(job, &device, step_said, e) : NULL;
	queue_leave(turn);
	exit_if_lost(!o && cuda_sticky(cuda_last()), -1, e);
	if (!o)
		return -1;
	serve_answer("calibration", o);
	return 0;
}

static int do_launches(const struct job *job, struct error *e)
{
	struct queue *turn;
	json_t *o;
	int fd, rc = -1;

	if (device_open(&device, e) < 0)
		return -1;
	o = launches_prepare(job, &fd, step_said, e);
	if (!o)
		return -1;
	turn = turn_wait(e);
	if (turn)
		rc = launches_measure(o, job, fd, step_said, e);
	queue_leave(turn);
	close(fd);
	if (rc < 0) {
		json_decref(o);
		return -1;
	}
	json_object_set_new(o, "machine", device_machine(&device));
	serve_answer("launches", o);
	return 0;
}

static int do_counters(const struct job *job, struct error *e)
{
	struct queue *turn;
	json_t *counters;

	if (device_open(&device, e) < 0)
		return -1;
	turn = turn_wait(e);
	counters = turn ? counters_read(job, e) : NULL;
	queue_leave(turn);
	if (!counters)
		return -1;
	serve_answer("counters", json_pack("{so}", "counters", counters));
	return 0;
}

static int do_job(struct job *job, struct error *e)
{
	switch (job->kind) {
	case JOB_RECORD:
		return do_record(job, e);
	case JOB_COUNTERS:
		return do_counters(job, e);
	case JOB_CALIBRATE:
		return do_calibrate(job, e);
	case JOB_LAUNCHES:
		return do_launches(job, e);
	default:
		return error_set(e, EXIT_RUNNER, "variables of threads on the "
				 "GPU are not available");
	}
}

int recorder_main(void)
{
	static const struct service service = { "gemmviz-gpu", "gpu",
						do_job };

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	serve(&service);
	return EXIT_DONE;
}
