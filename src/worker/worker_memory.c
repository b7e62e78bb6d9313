/* worker_memory: see worker_memory.h. */
#include "worker/worker_memory.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/resource.h"
#include "emu/memory.h"

/* The most that all processes together take of memory in a millisecond: eight
 * cores that clear huge pages. */
#define BYTES_PER_MS (16ull << 20)

/* ---- files ---- */

void worker_memory_close(struct worker_memory *m)
{
	for (int i = -1; i < PARTS_MOST; i++) {
		int *fd = i < 0 ? &m->shared : &m->part[i];

		if (*fd >= 0)
			close(*fd);
		*fd = -1;
	}
}

int worker_memory_open(struct worker_memory *m, struct error *e)
{
	bool good;

	memset(m, -1, sizeof(*m));
	m->shared = memfd_create("shared", MFD_CLOEXEC);
	/* `ulimit -f` may be less. Then there are no clusters. */
	if (m->shared >= 0 &&
	    ftruncate(m->shared, PARTS_MOST * MEMORY_SHARED) < 0) {
		close(m->shared);
		m->shared = -1;
	}
	good = m->shared >= 0 || errno == EFBIG;
	for (int i = 1; i < PARTS_MOST && good; i++) {
		m->part[i] = memfd_create("part", MFD_CLOEXEC);
		good = m->part[i] >= 0;
	}
	if (good)
		return 0;
	error_resource(e, errno, EXIT_RUNNER, "cannot make a file in memory");
	worker_memory_close(m);
	return -1;
}

/* Returns the bytes of memory in a file. */
static uint64_t file_bytes(int fd)
{
	struct stat st;

	return fd < 0 || fstat(fd, &st) < 0 ? 0 : (uint64_t)st.st_blocks * 512;
}

/* ---- processes ---- */

/* Returns the bytes that a process takes besides files in memory; 0 when it has
 * ended. */
static uint64_t process_bytes(long pid)
{
	static const char *const fields[] = { "RssAnon:", "RssFile:", "VmPTE:",
					      "VmSwap:", "HugetlbPages:" };
	unsigned long long kb, sum = 0;
	char line[256], name[32];
	FILE *f;

	snprintf(line, sizeof(line), "/proc/%ld/status", pid);
	f = fopen(line, "re");
	while (f && fgets(line, sizeof(line), f))
		for (size_t i = 0; i < LENGTH(fields); i++)
			if (sscanf(line, "%31s %llu kB", name, &kb) == 2 &&
			    !strcmp(name, fields[i]))
				sum += kb;
	if (f)
		fclose(f);
	return sum << 10;
}

uint64_t worker_memory_bytes(const struct worker_memory *m, pid_t worker)
{
	uint64_t sum = file_bytes(m->shared) + process_bytes(worker);
	char path[64];
	long child;
	FILE *f;

	for (int i = 0; i < PARTS_MOST; i++)
		sum += file_bytes(m->part[i]);
	snprintf(path, sizeof(path), "/proc/%ld/task/%ld/children",
		 (long)worker, (long)worker);
	f = fopen(path, "re");
	while (f && fscanf(f, "%ld", &child) == 1)
		sum += process_bytes(child);
	if (f)
		fclose(f);
	return sum;
}

int worker_memory_pause(uint64_t left, int most)
{
	return MAX(1, (int)MIN(left / BYTES_PER_MS, (uint64_t)most));
}
