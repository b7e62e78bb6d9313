/*
 * emu: gemmviz-emu, the recorder on the CPU.
 */
#include <signal.h>
#include <sys/prctl.h>

#include "base/lang.h"
#include "base/resource.h"
#include "record/serve.h"
#include "worker/worker.h"

static int do_job(struct job *job, struct error *e)
{
	switch (job->kind) {
	case JOB_RECORD:
		return worker_record(job, e);
	case JOB_LOCALS:
		return worker_locals(job, e);
	default:
		return error_set(e, EXIT_GPU, "gemmviz-emu runs on the CPU: it "
				 "has no times and no counters");
	}
}

int main(void)
{
	static const struct service service = {
		"gemmviz-emu", "cpu", do_job,
	};

	process_prepare();
	lang_follow();
	/* When its parent is gone, this process ends all that it has started at
	 * once. If each were killed only by its own parent's end, a process
	 * with much memory would take long to end. */
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	serve(&service);
	worker_end();
	return EXIT_DONE;
}
