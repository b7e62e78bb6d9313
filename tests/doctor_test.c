/* What NVIDIA's driver says of itself, from files as it has them. */
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "cli/doctor.h"
#include "tap.h"

static char folder[] = "/tmp/doctor_test-XXXXXX";

static void put(const char *name, const char *text)
{
	char *path = xasprintf("%s/%s", folder, name);
	struct error e;

	if (file_write(path, text, &e) < 0)
		fatal("%s", e.text);
	free(path);
}

static struct doctor_check driver, gpu, counters;

static void look(void)
{
	free(driver.text);
	free(gpu.text);
	free(counters.text);
	doctor_driver(folder, &driver, &gpu, &counters);
}

int main(void)
{
	setlocale(LC_CTYPE, "C.UTF-8");
	if (!mkdtemp(folder))
		fatal("mkdtemp");
	chmod(folder, 0755);
	look();
	tap_ok(driver.state == DOCTOR_ABSENT && driver.advice, "%s",
	       driver.text);
	put("nvidia/version", "NVRM version: NVIDIA UNIX x86_64 Kernel Module"
	    "  570.86.15\nGCC version:  gcc\n");
	look();
	tap_str(driver.text, "NVIDIA UNIX x86_64 Kernel Module  570.86.15",
		"the driver's own words");
	tap_ok(driver.state == DOCTOR_WORKS && gpu.state == DOCTOR_ABSENT &&
	       gpu.advice, "a driver without a GPU: %s", gpu.text);
	put("nvidia/gpus/0000:01:00.0/information",
	    "Model: \t\t NVIDIA H200\nIRQ:   \t\t 11\n");
	put("nvidia/gpus/0000:02:00.0/information", "Model: \t\t \033[2J\n");
	look();
	tap_str(gpu.text, "NVIDIA H200, \xe2\x90\x9b[2J",
		"its GPUs, whatever they are called");
	put("nvidia/params", "ResmanDebugLevel: 1\nRmProfilingAdminOnly: 1\n");
	setenv("PATH", folder, 1);
	put("ncu", "");
	if (geteuid() == 0 && seteuid(65534) < 0)
		fatal("seteuid");
	look();
	tap_ok(counters.state == DOCTOR_ABSENT && counters.advice,
	       "counters for root alone: %s", counters.text);
	(void)!seteuid(getuid());
	put("nvidia/params", "RmProfilingAdminOnly: 0\n");
	look();
	tap_ok(counters.state == DOCTOR_ABSENT && strstr(counters.text, "ncu"),
	       "counters without ncu: %s", counters.text);
	setenv("PATH", "/bin:/usr/bin", 1);
	{
		char *all = xasprintf("rm -r %s", folder);

		tap_is(system(all), 0, "tidied");
		free(all);
	}
	return tap_done();
}
