/*
 * pty_screen OUT KEYS COMMAND...: runs a command on a terminal of 120x44, waits
 * for a picture, sends the keys, each when nothing is drawn any more, then q. All
 * that was written stands in OUT, byte for byte but for NUL; the status is the
 * command's, 128 + n for a signal, 99 when it does not end.
 */
#include <fcntl.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pty.h"

/* A picture has lines that the start's few sequences have not. */
#define PICTURE_BYTES 1500
#define PICTURE_MS 15000
/* Nothing is drawn for so long: a picture stands. */
#define QUIET_MS 800

static void settle(struct pty *p)
{
	size_t before;
	int ms = 0;

	do {
		before = p->out.len;
		pty_read(p, QUIET_MS);
		ms += QUIET_MS;
	} while (p->out.len > before && ms < PICTURE_MS);
}

static int run(struct pty *p, const char *keys)
{
	struct pty_report r;

	for (int ms = 0; p->out.len < PICTURE_BYTES && ms < PICTURE_MS;
	     ms += 50)
		pty_read(p, 50);
	settle(p);
	for (const char *k = keys; *k; k++) {
		pty_send(p, (const char[]){ *k, '\0' });
		settle(p);
	}
	pty_send(p, "q");
	if (!pty_wait(p, &r))
		return 99;
	return WIFSIGNALED(r.status) ? 128 + WTERMSIG(r.status) :
				       WEXITSTATUS(r.status);
}

int main(int argc, char **argv)
{
	struct pty p;
	int fd, status;

	if (argc < 4)
		fatal("usage: pty_screen OUT KEYS COMMAND...");
	fd = open(argv[1], O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (fd < 0)
		fatal("%s: %m", argv[1]);
	pty_start(&p, (const char *const *)argv + 3, NULL, 120, 44);
	status = run(&p, argv[2]);
	write_all(fd, p.out.data ? p.out.data : "", p.out.len);
	pty_done(&p);
	return status;
}
