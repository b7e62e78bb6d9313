/*
 * Any line is what the interface asks of the recorder: it is refused with a
 * reason, or what it asks for is within its bounds.
 */
#define REPLAY_CORPUS "job"
#include "replay.h"

#include "protocol/job_read.c"

static bool in_bounds(const struct job *job)
{
	if (job->kind == JOB_TIME || job->kind == JOB_PAUSE ||
	    job->kind == JOB_CANCEL)
		return true;
	if (job->kind == JOB_LOCALS)
		return job->count <= LOCALS_MAX;
	return job->size.m >= 1 && job->size.n >= 1 && job->size.k >= 1 &&
	       !job->kernel.name != !job->kernel.text && job->spaces != 0 &&
	       job->max_events > 0 && job->seconds > 0 &&
	       (!job->kernel.has_block || (uint64_t)job->kernel.block.x *
							  job->kernel.block.y *
							  job->kernel.block.z <=
						  1024);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct job job;
	struct error e = { 0 };

	if (job_parse(&job, (const char *)data, size, &e) < 0) {
		if (!e.text[0] || e.status != EXIT_USAGE)
			fatal("refused without a reason");
	} else if (!in_bounds(&job)) {
		fatal("accepted what is out of bounds");
	}
	job_done(&job);
	return 0;
}
