/*
 * parallel_record: see parallel_record.h.
 */
#include "emu/parallel_record.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "emu/launch.h"
#include "emu/scheduler.h"

/* The least that a launch must have for helpers to be worth their while:
 * threads, before it is known what they do, and events. */
#define THREADS_LEAST 4097
#define EVENTS_LEAST 4000000
/* The memory that all processes may take together, and what they take for each
 * byte of the arrays. */
#define MEMORY_MOST (1ull << 30)
#define ARRAY_COPIES 8

/* The state of a helper's part. Its file has the chunks, the index, the new
 * sites and, of each array, which cells it has read or written and what is in
 * it. */
struct helper_part {
	bool good;
	uint64_t events, steps, blocks;
	uint64_t chunk_bytes, index_bytes;
	uint32_t warps;
	size_t sites, arrays, named;	/* new sites; arrays, and in the table */
};

static struct {
	uint32_t rank;			/* 0: the worker */
	/* In shared memory; NULL: there are no helpers. How many processes
	 * there are, 0: not known yet; and the state of each. */
	struct shared {
		uint32_t count;
		bool over;	/* no helper is needed any more */
		struct helper_part part[PARTS_MOST];
	} *shared;
	int file[PARTS_MOST], done[PARTS_MOST];
	bool in_order;
	uint32_t count;			/* of processes that have a part */
	size_t sites;			/* that the first cluster has */
	uint64_t events, steps;
	uint32_t epoch;			/* its last */
	char *before;			/* the arrays' contents after it */
} parts;

uint32_t parallel_rank(void)
{
	return parts.rank;
}

bool parallel_is_helper(void)
{
	return parts.rank > 0;
}

void parallel_in_order(void)
{
	parts.in_order = true;
}

void parallel_alone(void)
{
	if (parallel_is_helper())
		_exit(EXIT_DONE);
	parallel_in_order();
}

void parallel_progress(uint64_t blocks)
{
	parts.shared->part[parts.rank].blocks = blocks;
	if (parts.shared->over)
		_exit(EXIT_DONE);
}

bool parallel_divided(void)
{
	return parts.before;
}

uint64_t parallel_blocks(void)
{
	uint64_t sum = 0;

	for (uint32_t i = 1; parts.shared && i < parts.count; i++)
		sum += parts.shared->part[i].blocks;
	return sum;
}

/* ---- the processes ---- */

static uint32_t count_cores(void)
{
	cpu_set_t set;

	return sched_getaffinity(0, sizeof(set), &set) < 0 ? 1 :
	       (uint32_t)CPU_COUNT(&set);
}

/* Returns how many processes a launch can make use of: each runs the first
 * cluster. */
static uint32_t count_useful(const struct plan *p)
{
	uint64_t count;

	free(plan_chosen(p, &count));
	if (p->job.order != ORDER_FORWARD || p->job.kernel.program.run ||
	    count * plan_threads(p) < THREADS_LEAST ||
	    strstr(p->text, "printf"))
		return 1;
	return (uint32_t)MIN(count / (2 * plan_cluster(p)), PARTS_MOST);
}

void parallel_files(const int file[PARTS_MOST])
{
	memcpy(parts.file, file, sizeof(parts.file));
}

/* Starts a helper; returns 0 in the worker and in the helper, -1 if it
 * fails. */
static int helper_start(uint32_t rank)
{
	pid_t worker = getpid(), pid;
	int done[2];

	if (pipe2(done, O_CLOEXEC) < 0)
		return -1;
	parts.done[rank] = done[0];
	pid = fork();
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() != worker)
			_exit(EXIT_DONE);
		parts.rank = rank;
		parts.done[rank] = done[1];
		return 0;
	}
	close(done[1]);
	return pid < 0 ? -1 : 0;
}

void parallel_begin(const struct plan *p)
{
	uint32_t most = MIN(count_cores(), count_useful(p)), count = 1;

	/* Without this list a helper's memory would not be measured. */
	if (parts.shared || most < 2 ||
	    access("/proc/thread-self/children", R_OK) < 0)
		return;
	parts.shared = mmap(NULL, sizeof(*parts.shared),
			    PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
			    -1, 0);
	if (parts.shared == MAP_FAILED) {
		parts.shared = NULL;
		return;
	}
	while (count < most && helper_start(count) == 0) {
		if (parts.rank)
			return;
		count++;
	}
	budget_processes(count);
	__atomic_store_n(&parts.shared->count, count, __ATOMIC_RELEASE);
}

/* Waits until it is known how many processes there are, and returns it. */
static uint32_t count_wait(void)
{
	const struct timespec moment = { .tv_nsec = 100000 };
	uint32_t count;

	while (!(count = __atomic_load_n(&parts.shared->count,
					 __ATOMIC_ACQUIRE)))
		nanosleep(&moment, NULL);
	return count;
}

void parallel_done(void)
{
	if (parts.shared)
		parts.shared->over = true;
	budget_processes(1);
	parts.shared = NULL;
	free(parts.before);
	parts.before = NULL;
}

/* ---- arrays ---- */

static bool is_handed_over(const struct array *a)
{
	return a->info.space == SPACE_GLOBAL;
}

/* Returns the bytes of all arrays that are handed over, and how many these
 * are. */
static uint64_t arrays_bytes(size_t *count)
{
	uint64_t sum = 0;

	*count = 0;
	for (size_t i = 0; i < rec.memory.count; i++) {
		const struct array *a = rec.memory.arrays[i];

		if (is_handed_over(a)) {
			sum += a->bytes;
			++*count;
		}
	}
	return sum;
}

static void arrays_keep(void)
{
	size_t count;
	char *to = parts.before = xmalloc(arrays_bytes(&count) + 1);

	for (size_t i = 0; i < rec.memory.count; i++) {
		const struct array *a = rec.memory.arrays[i];

		if (!is_handed_over(a))
			continue;
		memcpy(to, (const void *)a->lo, a->bytes);
		to += a->bytes;
	}
}

/* Which accesses a cell has had since an epoch. */
enum { READ = 1, WRITTEN = 2 };

static uint8_t cell_had(const struct array *a, size_t i, uint32_t since)
{
	const struct shadow *c = &a->shadow[i];
	uint8_t had = c->write.epoch > since ? WRITTEN : 0;

	if (c->read.epoch > since || c->other.epoch > since)
		had |= READ;
	return had;
}

/* Checks that hooks have seen all that was written: other changes are not
 * known. */
static bool array_told(const struct array *a, const char *before)
{
	const char *now = (const char *)a->lo;
	uint64_t cell = a->shadow ? UINT64_C(1) << a->shadow_shift : 0;

	if (!a->shadow)
		return !memcmp(now, before, a->bytes);
	for (uint64_t at = 0; at < a->bytes; at += cell)
		if (memcmp(now + at, before + at, MIN(cell, a->bytes - at)) &&
		    !(cell_had(a, at / cell, parts.epoch) & WRITTEN))
			return false;
	return true;
}

static bool arrays_told(void)
{
	const char *before = parts.before;

	for (size_t i = 0; i < rec.memory.count; i++) {
		const struct array *a = rec.memory.arrays[i];

		if (!is_handed_over(a))
			continue;
		if (!array_told(a, before))
			return false;
		before += a->bytes;
	}
	return true;
}

/* Checks that shadow memory knows of all accesses. */
static bool slots_told(void)
{
	for (size_t i = 0; i < rec.slot_count; i++) {
		const struct access_site *s = rec.slot[i];
		const struct array *a = s->array;

		if (s->atomic && a && is_handed_over(a))
			return false;
		if (a && is_handed_over(a) && !s->shadow &&
		    (a->shadow ? !op_is_bulk(s->op) : s->op != OP_LD &&
						      !op_is_bulk(s->op)))
			return false;
	}
	return true;
}

/* ---- dividing ---- */

static bool worth_dividing(const struct launch *l, uint64_t at, uint64_t blocks)
{
	uint64_t events = events_done() / at * blocks;

	return !parts.in_order && !rec.stop && !rec.findings.count &&
	       !l->assumed.again && events >= EVENTS_LEAST &&
	       events + events / 4 < l->plan.job.max_events;
}

/* Returns for how many of the processes there is memory. */
static uint32_t with_room(uint32_t count)
{
	size_t arrays;
	uint64_t each = arrays_bytes(&arrays) * ARRAY_COPIES +
			BLOCK_MEMORY_MOST - rec.memory_left;

	return (uint32_t)MIN(count, MEMORY_MOST / MAX(each, 1));
}

/* Returns where part number `rank` begins: at a cluster's first block. */
static uint64_t part_begin(const uint32_t *chosen, uint64_t at, uint64_t end,
			   uint32_t rank, uint32_t count)
{
	uint64_t i = at + (end - at) * rank / count;

	for (; i > at && i < end; i++) {
		uint32_t b = chosen ? chosen[i] : (uint32_t)i;
		uint32_t last = chosen ? chosen[i - 1] : (uint32_t)i - 1;

		if (b / rec.cluster != last / rec.cluster)
			break;
	}
	return i;
}

void parallel_divide(const struct launch *l, const struct trace_info *info,
		  const uint32_t *chosen, uint64_t *at, uint64_t *end)
{
	uint32_t count = parts.shared ? with_room(count_wait()) : 1;
	uint64_t first = *at;

	if (parts.rank < count && count > 1 && worth_dividing(l, *at, *end)) {
		parts.count = count;
		*at = part_begin(chosen, first, *end, parts.rank, count);
		*end = part_begin(chosen, first, *end, parts.rank + 1, count);
		parts.sites = info->site_count;
		parts.events = events_done();
		parts.steps = run.steps - run.steps_left;
		parts.epoch = rec.epoch;
		arrays_keep();
	} else if (parts.rank) {
		_exit(EXIT_DONE);
	} else {
		parallel_done();
	}
}

/* ---- hand over ---- */

struct trace_writer *parallel_writer(const struct launch *l,
				  const uint32_t *chosen, uint64_t at)
{
	uint32_t warps = 0;

	for (uint32_t w = 0; w * WARP_LANES < rec.thread_count; w++)
		warps += l->plan.job.warps >> w & 1;
	return trace_writer_part(parts.file[parts.rank], l->plan.job.values,
				 (uint32_t)at * warps,
				 chosen ? chosen[at - 1] : (uint32_t)at - 1);
}

static int array_write(int fd, const struct array *a)
{
	size_t cells = a->shadow ? shadow_count(a->bytes, a->shadow_shift) : 0;
	uint8_t *had = xcalloc(cells + 1, 1);
	int rc;

	for (size_t i = 0; i < cells; i++)
		had[i] = cell_had(a, i, parts.epoch);
	rc = write_all(fd, had, cells);
	free(had);
	return rc < 0 || !cells ? rc :
	       write_all(fd, (const void *)a->lo, a->bytes);
}

static int write_arrays(int fd)
{
	for (size_t i = 0; i < rec.memory.count; i++)
		if (is_handed_over(rec.memory.arrays[i]) &&
		    array_write(fd, rec.memory.arrays[i]) < 0)
			return -1;
	return 0;
}

/* Writes the part's new sites; the bytes between a structure's members are
 * 0. */
static int sites_write(int fd, const struct trace_info *info)
{
	int rc = 0;

	for (size_t i = parts.sites; i < info->site_count && rc == 0; i++) {
		const struct trace_site *from = &info->sites[i];
		struct trace_site s;

		memset(&s, 0, sizeof(s));
		s.line = from->line;
		s.column = from->column;
		s.op = from->op;
		s.array = from->array;
		s.bytes = from->bytes;
		s.matrix = from->matrix;
		s.tile = from->tile;
		rc = write_all(fd, &s, sizeof(s));
	}
	return rc;
}

void parallel_hand_over(struct trace_writer *w, const struct trace_info *info)
{
	struct helper_part *p = &parts.shared->part[parts.rank];
	int fd = parts.file[parts.rank];

	p->events = events_done() - parts.events;
	p->steps = run.steps - run.steps_left - parts.steps;
	p->sites = info->site_count - parts.sites;
	p->named = info->array_count;
	arrays_bytes(&p->arrays);
	p->good = !rec.stop && !rec.findings.count && !parts.in_order &&
		  slots_told() && arrays_told() &&
		  trace_writer_part_end(w, &p->chunk_bytes, &p->index_bytes,
					&p->warps) == 0 &&
		  sites_write(fd, info) == 0 && write_arrays(fd) == 0;
	(void)!write(parts.done[parts.rank], "", 1);
	_exit(EXIT_DONE);
}

/* ---- joining ---- */

static bool read_at(int fd, uint64_t *at, void *to, size_t n)
{
	char *p = to;

	while (n) {
		ssize_t got = pread(fd, p, n, (off_t)*at);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return false;
		p += got;
		*at += (uint64_t)got;
		n -= (size_t)got;
	}
	return true;
}

/* Waits for a helper; returns whether it has done its part. */
static bool helper_wait(uint32_t rank)
{
	char byte;
	ssize_t n;

	do
		n = read(parts.done[rank], &byte, 1);
	while (n < 0 && errno == EINTR);
	close(parts.done[rank]);
	return n == 1 && parts.shared->part[rank].good;
}

/* Adds the part's new sites; false if one gets another number in our table than
 * it has in the helper's. */
static bool sites_join(int fd, uint64_t *at, const struct helper_part *p,
		       uint32_t (*site)(void *ctx, const struct trace_site *s),
		       void *ctx)
{
	for (size_t i = 0; i < p->sites; i++) {
		struct trace_site s;

		if (!read_at(fd, at, &s, sizeof(s)) ||
		    site(ctx, &s) != parts.sites + i)
			return false;
	}
	return true;
}

/* Takes over what the helper has written; false if both processes have used a
 * cell and one has written it. */
static bool cells_join(struct array *a, const uint8_t *had, const char *now)
{
	uint64_t cell = UINT64_C(1) << a->shadow_shift;

	for (uint64_t i = 0, at = 0; at < a->bytes; i++, at += cell) {
		uint8_t ours = cell_had(a, i, 0);

		if ((had[i] & WRITTEN && ours) || (had[i] && ours & WRITTEN))
			return false;
		if (had[i] & READ)
			a->shadow[i].read.epoch = 1;
		if (!(had[i] & WRITTEN))
			continue;
		a->shadow[i].write.epoch = 1;
		memcpy((char *)a->lo + at, now + at, MIN(cell, a->bytes - at));
	}
	return true;
}

static bool arrays_join(int fd, uint64_t *at)
{
	bool good = true;

	for (size_t i = 0; i < rec.memory.count && good; i++) {
		struct array *a = rec.memory.arrays[i];
		size_t cells;
		uint8_t *had;

		if (!is_handed_over(a) || !a->shadow)
			continue;
		cells = shadow_count(a->bytes, a->shadow_shift);
		had = xmalloc(cells + a->bytes);
		good = read_at(fd, at, had, cells + a->bytes) &&
		       cells_join(a, had, (const char *)had + cells);
		free(had);
	}
	return good;
}

static bool part_fits(const struct helper_part *p,
		      const struct trace_info *info, uint64_t *events,
		      uint64_t *steps)
{
	size_t arrays;

	arrays_bytes(&arrays);
	*events += p->events;
	*steps += p->steps;
	return p->named == info->array_count && p->arrays == arrays &&
	       *events <= run.launch->plan.job.max_events &&
	       *steps <= run.steps;
}

static bool part_take(const struct helper_part *p, int fd,
		      uint32_t (*site)(void *ctx, const struct trace_site *s),
		      void *ctx)
{
	uint64_t at = p->chunk_bytes + p->index_bytes;

	return sites_join(fd, &at, p, site, ctx) && arrays_join(fd, &at);
}

int parallel_join(struct trace_writer *w, const struct trace_info *info,
	       uint32_t (*site)(void *ctx, const struct trace_site *s),
	       void *ctx, struct error *e)
{
	uint64_t events = events_done(), steps = run.steps - run.steps_left;
	bool good = !parts.in_order && slots_told() && arrays_told();
	int rc = 0;

	for (uint32_t i = 1; i < parts.count && rc == 0; i++) {
		const struct helper_part *p = &parts.shared->part[i];

		good = good && helper_wait(i) &&
		       part_fits(p, info, &events, &steps) &&
		       part_take(p, parts.file[i], site, ctx);
		if (good)
			rc = trace_writer_join(w, parts.file[i],
					       p->chunk_bytes, p->index_bytes,
					       p->warps, e);
		close(parts.file[i]);
	}
	parallel_done();
	return rc < 0 ? -1 : !good;
}
