/*
 * emu: gemmviz-emu, the recorder on the CPU.
 */
#include <unistd.h>

#include "record/serve.h"
#include "emu/launch.h"

static struct launch launch;

static int do_record(struct job *job, struct error *e)
{
	int fd, rc;

	if (launch_prepare(&launch, job, e) < 0) {
		launch.entry = NULL;
		return -1;
	}
	fd = temporary_file(e);
	if (fd < 0)
		return -1;
	rc = launch_record(&launch, fd, e);
	if (rc == 0)
		rc = serve_trace(fd, e);
	close(fd);
	return rc;
}

static int do_locals(const struct job *job, struct error *e)
{
	json_t *o = launch_locals(&launch, job, e);

	if (!o)
		return -1;
	serve_answer("locals", o);
	return 0;
}

static int do_job(struct job *job, struct error *e)
{
	switch (job->kind) {
	case JOB_RECORD:
		return do_record(job, e);
	case JOB_LOCALS:
		return do_locals(job, e);
	default:
		return error_set(e, EXIT_GPU, "gemmviz-emu runs on the CPU: "
				 "timings and counters are the GPU's");
	}
}

int main(void)
{
	static const struct service service = {
		"gemmviz-emu", "cpu", do_job,
	};

	block_signals();
	serve(&service);
	launch_done(&launch);
	return EXIT_DONE;
}
