/*
 * gpu: gemmviz-gpu, which records and times on an NVIDIA GPU. It reads jobs
 * from standard input and writes answers to standard output, as protocol.h
 * says. The process that was started supervises; its workers are the same
 * program.
 */
#include <string.h>
#include <unistd.h>

#include "base/lang.h"
#include "base/resource.h"
#include "gpu/race/counters.h"
#include "gpu/race/benchmark_worker.h"
#include "gpu/race/snapshot_time.h"
#include "gpu/recorder.h"
#include "gpu/supervisor.h"

static char self[4096];

static int run_supervisor(void)
{
	char *const benchmark[] = { self, "--race", NULL };
	char *const recorder[] = { self, "--record", NULL };
	const struct workers w = { .benchmark = benchmark,
				   .recorder = recorder };
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);

	if (n < 0)
		fatal("cannot find the program itself");
	self[n] = '\0';
	return supervisor_main(&w);
}

int main(int argc, char **argv)
{
	process_prepare();
	lang_follow();
	if (argc == 1)
		return run_supervisor();
	if (argc == 2 && !strcmp(argv[1], "--race"))
		return benchmark_worker_main();
	if (argc == 2 && !strcmp(argv[1], "--record"))
		return recorder_main();
	if (argc == 2 && !strcmp(argv[1], "--time-launch"))
		return snapshot_time_main();
	if (argc == 3 && !strcmp(argv[1], "--launch"))
		return counters_launch(argv[2]);
	fputs(_("gemmviz-gpu is started by gemmviz, and has no options\n"),
	      stderr);
	return EXIT_USAGE;
}
