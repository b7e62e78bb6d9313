/*
 * Stands for an nvdisasm that a cubin has taken over: it tries what a confined
 * process may not do, by HOSTILE: "rights" (files, network, signals, other
 * programs), "loop", "memory" or "text". Exits with 127 if something was
 * allowed, else with 1.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define MEMORY_MOST (16ull << 30)
#define PART (64u << 20)

/* Tests whether a program of the system can be started. */
static int starts_program(void)
{
	int status = -1;
	pid_t pid = fork();

	if (pid == 0) {
		execl("/bin/true", "true", NULL);
		_exit(126);
	}
	return pid > 0 && waitpid(pid, &status, 0) == pid && status == 0;
}

/* Tests each right; returns whether there is one. */
static int has_rights(void)
{
	return open("/etc/passwd", O_RDONLY) >= 0 ||
	       open("/tmp/gemmviz-hostile", O_WRONLY | O_CREAT, 0600) >= 0 ||
	       socket(AF_INET, SOCK_STREAM, 0) >= 0 ||
	       socket(AF_UNIX, SOCK_STREAM, 0) >= 0 ||
	       kill(getppid(), 0) == 0 || setsid() >= 0 ||
	       setpgid(0, 0) == 0 || starts_program();
}

/* Takes memory until there is none; returns whether there always was. */
static int takes_memory(void)
{
	unsigned long long all = 0;
	char *p;

	while (all < MEMORY_MOST && (p = malloc(PART))) {
		p[0] = 1;
		all += PART;
	}
	return all >= MEMORY_MOST;
}

int main(void)
{
	const char *what = getenv("HOSTILE");

	if (!what)
		return 1;
	if (!strcmp(what, "loop"))
		for (;;)
			;
	if (!strcmp(what, "text"))
		while (puts("text without an end") >= 0)
			;
	return (strcmp(what, "memory") ? has_rights() : takes_memory()) ?
	       127 : 1;
}
