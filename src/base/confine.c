#include "base/confine.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/lang.h"

/* What later kernels know, and older headers do not: Landlock's interface 4
 * restricts TCP, 6 abstract sockets and signals. */
#define NET_BIND_CONNECT 3ull
#define SCOPE_SOCKET_SIGNAL 3ull
struct ruleset { uint64_t fs, net, scoped; };

/* The rights over files that each interface brought, from 1 on. */
static const uint64_t rights_until[] = { 0, 0x1fff, 0x3fff, 0x7fff, 0x7fff,
					 0xffff };

#define RIGHTS_FILE (LANDLOCK_ACCESS_FS_EXECUTE | \
		     LANDLOCK_ACCESS_FS_WRITE_FILE | \
		     LANDLOCK_ACCESS_FS_READ_FILE | 0x4000 | 0x8000)
#define RIGHTS_READ (LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR)
#define RIGHTS_RUN (RIGHTS_READ | LANDLOCK_ACCESS_FS_EXECUTE)

/* Returns the version of Landlock's interface; 0 with errno if there is
 * none. */
static int landlock_version(void)
{
	long v = syscall(SYS_landlock_create_ruleset, NULL, 0,
			 LANDLOCK_CREATE_RULESET_VERSION);

	return v < 0 ? 0 : (int)v;
}

const char *confine_words(struct error *e)
{
	static char words[64];
	uint32_t trap = SECCOMP_RET_TRAP;
	int version = landlock_version();

	if (!version) {
		error_set(e, EXIT_REFUSED, _("this system cannot confine a "
					     "file (Landlock: %s)"),
			  strerror(errno));
		return NULL;
	}
	if (syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &trap) < 0) {
		error_set(e, EXIT_REFUSED, _("this system cannot confine a "
					     "file (seccomp: %s)"),
			  strerror(errno));
		return NULL;
	}
	snprintf(words, sizeof(words), "Landlock %d, seccomp", version);
	return words;
}

static uint64_t rights_known(int version)
{
	return rights_until[MIN((size_t)version, LENGTH(rights_until) - 1)];
}

static int allow_folder(int ruleset, const struct confine_folder *f,
			uint64_t known)
{
	static const uint64_t rights[] = { [CONFINE_READ] = RIGHTS_READ,
					   [CONFINE_RUN] = RIGHTS_RUN,
					   [CONFINE_WRITE] = UINT64_MAX };
	struct landlock_path_beneath_attr rule = {
		.allowed_access = rights[f->right] & known,
	};
	struct stat st;
	int rc, fd = open(f->path, O_PATH | O_CLOEXEC);

	if (fd < 0)
		return 0;
	if (fstat(fd, &st) == 0 && !S_ISDIR(st.st_mode))
		rule.allowed_access &= RIGHTS_FILE;
	rule.parent_fd = fd;
	rc = (int)syscall(SYS_landlock_add_rule, ruleset,
			  LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
	close(fd);
	return rc;
}

int confine_files(const struct confine_folder *folders, size_t count)
{
	int version = landlock_version(), rc = 0;
	struct ruleset attributes = {
		.fs = rights_known(version),
		.net = version >= 4 ? NET_BIND_CONNECT : 0,
		.scoped = version >= 6 ? SCOPE_SOCKET_SIGNAL : 0,
	};
	size_t bytes = version >= 6 ? sizeof(attributes) :
		       version >= 4 ? 2 * sizeof(uint64_t) : sizeof(uint64_t);
	int ruleset = (int)syscall(SYS_landlock_create_ruleset, &attributes,
				   bytes, 0);

	if (ruleset < 0)
		return -1;
	for (size_t i = 0; i < count && !rc; i++)
		rc = allow_folder(ruleset, &folders[i], attributes.fs);
	if (!rc)
		rc = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	if (!rc)
		rc = (int)syscall(SYS_landlock_restrict_self, ruleset, 0);
	close(ruleset);
	return rc;
}

/* Returns `most`, or the limit in force if that is less. */
static uint64_t least_limit(int what, uint64_t most)
{
	struct rlimit now;

	return getrlimit(what, &now) < 0 ? most : MIN(most, now.rlim_cur);
}

uint64_t confine_memory(uint64_t most)
{
	return least_limit(RLIMIT_RSS, most);
}

uint64_t confine_file(uint64_t most)
{
	return least_limit(RLIMIT_FSIZE, most);
}

uint64_t confine_addresses(uint64_t most)
{
	return least_limit(RLIMIT_DATA, least_limit(RLIMIT_AS, most));
}

uint64_t confine_seconds(uint64_t most)
{
	return least_limit(RLIMIT_CPU, most);
}

static void limit_resource(int what, uint64_t most)
{
	struct rlimit now;

	if (!most || getrlimit(what, &now) < 0)
		return;
	now.rlim_cur = now.rlim_max = MIN(now.rlim_max, most);
	setrlimit(what, &now);
}

void confine_limit(const struct confine_limits *l)
{
	limit_resource(RLIMIT_AS, l->memory);
	limit_resource(RLIMIT_FSIZE, l->file_bytes);
	limit_resource(RLIMIT_CPU, l->cpu_seconds);
	limit_resource(RLIMIT_NOFILE, l->files);
	setrlimit(RLIMIT_CORE, &(struct rlimit){ 0, 0 });
}
