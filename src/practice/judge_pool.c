/* judge_pool: see judge_pool.h. */
#include "practice/judge_pool.h"

#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

#define POOL_MOST 64

struct judge_pool {
	struct judge_task *tasks;
	struct judging **running;	/* of each task; NULL: not begun, done */
	bool *ended;
	size_t count, begun, told;
};

/* Starts tasks while fewer than `most` are under way; -1 with e. */
static int begin_tasks(struct judge_pool *p, size_t most, struct error *e)
{
	size_t under_way = 0;

	for (size_t i = 0; i < p->begun; i++)
		under_way += p->running[i] != NULL;
	for (; p->begun < p->count && under_way < most; under_way++) {
		struct judge_task *t = &p->tasks[p->begun];

		p->running[p->begun] = judge_start(t->rung, t->path,
						   &t->options, e);
		if (!p->running[p->begun++])
			return -1;
	}
	return 0;
}

/* Ends the tasks whose judgement is done; returns whether some were. */
static bool end_tasks(struct judge_pool *p)
{
	bool any = false;

	for (size_t i = 0; i < p->begun; i++) {
		if (!p->running[i] || !judge_step(p->running[i]))
			continue;
		p->tasks[i].out = judge_finish(p->running[i]);
		p->running[i] = NULL;
		p->ended[i] = any = true;
	}
	return any;
}

/* Waits until a runner is ready. */
static void wait_tasks(const struct judge_pool *p)
{
	struct pollfd fds[2 * POOL_MOST];
	nfds_t n = 0;

	for (size_t i = 0; i < p->begun && n + 2 <= LENGTH(fds); i++) {
		const struct runner *r =
			p->running[i] ? judge_runner(p->running[i]) : NULL;

		if (!r)
			continue;
		fds[n++] = (struct pollfd) { runner_read_fd(r), POLLIN, 0 };
		fds[n++] = (struct pollfd) { runner_write_fd(r), POLLOUT, 0 };
	}
	poll(fds, n, 1000);
}

int judge_all(struct judge_task *tasks, size_t count,
	      void (*done)(void *ctx, struct judge_task *task), void *ctx,
	      struct error *e)
{
	long cores = sysconf(_SC_NPROCESSORS_ONLN);
	size_t most = (size_t)MIN(MAX(cores, 1), POOL_MOST);
	struct judge_pool p = { .tasks = tasks, .count = count };
	int rc = 0;

	p.running = xcalloc(count + 1, sizeof(struct judging *));
	p.ended = xcalloc(count + 1, sizeof(*p.ended));
	while (rc == 0 && p.told < count) {
		rc = begin_tasks(&p, most, e);
		if (rc == 0 && !end_tasks(&p))
			wait_tasks(&p);
		for (; p.told < count && p.ended[p.told]; p.told++)
			if (done)
				done(ctx, &tasks[p.told]);
	}
	for (size_t i = 0; i < p.begun; i++)
		if (p.running[i])
			tasks[i].out = judge_finish(p.running[i]);
	free(p.running);
	free(p.ended);
	return rc;
}
