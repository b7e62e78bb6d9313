/* A GPU's queue: several processes, some of them killed, some hostile. */
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gpu/device/queue.h"
#include "tap.h"

#define RUNS 6

static char folder[] = "/tmp/gemmviz-queue-XXXXXX";

static struct queue *enter(const char *uuid)
{
	struct error e;
	struct queue *q = queue_enter(folder, uuid, &e);

	if (!q)
		fatal("%s", e.text);
	return q;
}

static void test_order(void)
{
	struct queue *q[RUNS], *other = enter("GPU-other");
	bool good = true;

	for (int i = 0; i < RUNS; i++)
		q[i] = enter("GPU-a");
	for (int i = RUNS - 1; i >= 0; i--)
		good = good && queue_place(q[i]) == i;
	tap_ok(good, "each knows how many are before it");
	tap_is(queue_place(other), 0, "another GPU has a queue of its own");
	queue_leave(q[2]);
	tap_is(queue_place(q[4]), 3, "one that gives up is before nobody");
	queue_leave(q[0]);
	tap_is(queue_place(q[3]), 1, "the next is not yet at its turn");
	tap_is(queue_place(q[1]), 0, "the first that is left has its turn");
	tap_is(queue_place(q[1]), 0, "and keeps it");
	q[0] = enter("GPU-a");
	tap_is(queue_place(q[0]), 4, "who comes again stands at the end");
	for (int i = 0; i < RUNS; i++)
		if (i != 2)
			queue_leave(q[i]);
	queue_leave(other);
}

/* A process that stands in the queue until it is killed. */
static pid_t stand(void)
{
	int ready[2];
	char c;
	pid_t pid;

	if (pipe(ready) < 0 || (pid = fork()) < 0)
		fatal("no process");
	if (!pid) {
		queue_place(enter("GPU-b"));
		(void)!write(ready[1], "x", 1);
		for (;;)
			pause();
	}
	(void)!read(ready[0], &c, 1);
	close(ready[0]);
	close(ready[1]);
	return pid;
}

static void end(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static void test_death(void)
{
	pid_t first = stand(), second = stand();
	struct queue *q = enter("GPU-b");

	tap_is(queue_place(q), 2, "two processes are before us");
	end(first);
	tap_is(queue_place(q), 1, "one that is killed has left");
	end(second);
	tap_is(queue_place(q), 0, "killed all, it is our turn");
	queue_leave(q);
}

/* One at a time: a shared file holds who it is. */
static void run_once(int i, const char *path)
{
	struct queue *q = enter("GPU-c");
	int fd;

	while (queue_place(q))
		usleep(1000);
	fd = open(path, O_CREAT | O_EXCL | O_WRONLY, 0600);
	if (fd < 0)
		_exit(1);
	usleep(3000 + (i * 7919) % 3000);
	close(fd);
	unlink(path);
	queue_leave(q);
	_exit(0);
}

static void test_exclusion(void)
{
	char path[300];
	int failed = 0, status;

	snprintf(path, sizeof(path), "%s/busy", folder);
	for (int i = 0; i < 40; i++) {
		pid_t pid = fork();

		if (!pid)
			run_once(i, path);
		usleep(500);
	}
	while (wait(&status) > 0)
		failed += status != 0;
	tap_is(failed, 0, "of 40 processes never two have their turn");
}

static void test_hostile(void)
{
	static const char *const names[] = {
		"t000000000001", "t000000000002", "t000000000003", "tttt",
		"t00000000000g", "tffffffffffff", "new-1",
	};
	char *queue = xasprintf("%s/gemmviz-GPU-d", folder), *path, *target;
	struct queue *q;
	struct error e;
	struct stat st;

	target = xasprintf("%s/target", folder);
	queue_leave(enter("GPU-d"));
	for (size_t i = 0; i < LENGTH(names); i++) {
		path = xasprintf("%s/%s", queue, names[i]);
		if (i == 0)
			(void)!symlink(target, path);
		else if (i == 1)
			mkfifo(path, 0666);
		else if (i == 2)
			mkdir(path, 0777);
		else
			close(open(path, O_CREAT | O_WRONLY, 0666));
		free(path);
	}
	q = enter("GPU-d");
	tap_is(queue_place(q), 0, "links, pipes, folders and the dead are "
	       "before nobody");
	tap_ok(lstat(target, &st) < 0, "and nothing is made through a link");
	queue_leave(q);
	tap_ok(stat(queue, &st) == 0 && (st.st_mode & 07777) == 01777,
	       "the folder is everybody's");
	free(queue);
	queue = xasprintf("%s/gemmviz-GPU-e", folder);
	(void)!symlink("/tmp", queue);
	q = queue_enter(folder, "GPU-e", &e);
	tap_ok(!q && strstr(e.text, "GPU-e"),
	       "a folder that is a link is refused in a sentence");
	free(queue);
	free(target);
}

int main(void)
{
	char *rm;

	if (!mkdtemp(folder))
		fatal("no folder");
	test_order();
	test_death();
	test_exclusion();
	test_hostile();
	rm = xasprintf("rm -rf %s", folder);
	tap_is(system(rm), 0, "nothing stands in the way of tidying up");
	free(rm);
	return tap_done();
}
