/* program_failing: see program_failing.h. */
#include "cudart/program_failing.h"

#include "cudart/runtime.h"

const char *cudaGetErrorString(cudaError_t error);

static struct {
	uint32_t calls;
	struct program_fault failed;	/* count 0: none has */
	const char *reason;
} failing;

bool failing_call(const char *what, struct place at, int error)
{
	failing.calls++;
	if (failing.calls != program.job.kernel.program.fail)
		return false;
	failing.failed = program_fault("failing", at, what);
	failing.failed.count = 1;
	failing.reason = cudaGetErrorString((cudaError_t)error);
	return true;
}

json_t *failing_json(void)
{
	bool any = failing.failed.count;

	return json_pack("{si ss* ss* so*}", "calls", (int)failing.calls,
			 "what", any ? failing.failed.word : NULL, "reason",
			 any ? failing.reason : NULL, "at", any ?
			 program_place_json(failing.failed.at) : NULL);
}
