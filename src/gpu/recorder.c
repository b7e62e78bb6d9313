/*
 * recorder: requests to recordings. See recorder.h.
 */
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "../record/serve.h"
#include "counters.h"
#include "recorder.h"
#include "recording.h"

static struct device device;

/* A process that has lost the GPU makes room for another. */
static int do_record(struct request *r, struct error *e)
{
	bool lost = false;
	int fd, rc;

	if (device_open(&device, e) < 0 || device_begin(&device, e) < 0)
		return -1;
	fd = temporary_file(e);
	if (fd < 0)
		return -1;
	rc = recording_make(r, &device, fd, &lost, e);
	if (rc == 0)
		rc = serve_trace(fd, e);
	close(fd);
	if (!lost)
		return rc;
	if (rc < 0)
		serve_error(e);
	_exit(EXIT_RUNNER);
}

static int do_counters(const struct request *r, struct error *e)
{
	json_t *counters = counters_read(r, e);

	if (!counters)
		return -1;
	serve_answer("counters", json_pack("{so}", "counters", counters));
	return 0;
}

static int do_request(struct request *r, struct error *e)
{
	switch (r->kind) {
	case REQUEST_RECORD:
		return do_record(r, e);
	case REQUEST_COUNTERS:
		return do_counters(r, e);
	default:
		return error_set(e, EXIT_RUNNER, "the variables of threads on "
				 "the GPU are not known");
	}
}

int recorder_main(void)
{
	static const struct service service = { "gemmviz-gpu", "gpu",
						do_request };

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	serve(&service);
	return EXIT_DONE;
}
