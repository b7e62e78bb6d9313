/* machine_confine: see machine_confine.h. */
#include <errno.h>
#include <sched.h>
#include <seccomp.h>
#include <stdlib.h>

#include "base/confine.h"
#include "record/calls.h"
#include "toolkit/machine_confine.h"
#include "toolkit/nvrtc.h"

/* Bytes of files that are written; open files; seconds of processor time. */
#define FILE_MOST (64u << 20)
#define FILES_MOST 64
#define SECONDS_MOST 120
#define RULES_MOST 32

static void add_confined(struct confine_folder *list, size_t *n, char *path,
		     enum confine_right right)
{
	if (path && *n < RULES_MOST)
		list[(*n)++] = (struct confine_folder){ path, right };
	else
		free(path);
}

/* Allows the system calls of compilers and the start of a process; all others
 * fail (EPERM). What it starts stays in its process group, so that it is ended
 * with it. */
static int filter_calls(void)
{
	static const scmp_datum_t namespaces = CLONE_NEWNS | CLONE_NEWCGROUP |
		CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID |
		CLONE_NEWNET | CLONE_PTRACE | CLONE_UNTRACED | CLONE_PARENT;
	static const char *const starts[] = { "fork", "vfork" };
	scmp_filter_ctx f = seccomp_init(SCMP_ACT_ERRNO(EPERM));
	int rc = f ? calls_compiler(f) : -ENOMEM;

	if (rc == 0)
		rc = calls_all(f, SCMP_ACT_ALLOW, starts, LENGTH(starts));
	if (rc == 0)
		rc = seccomp_rule_add(f, SCMP_ACT_ALLOW, SCMP_SYS(clone), 1,
				      SCMP_A0(SCMP_CMP_MASKED_EQ, namespaces,
					      0));
	if (rc == 0)
		rc = seccomp_load(f);
	seccomp_release(f);
	return rc;
}

int machine_confine(const struct machine_rights *m, struct error *e)
{
	static const char *const read[] = {
		"/usr/lib", "/usr/lib64", "/lib", "/lib64", "/usr/include",
		"/usr/local/cuda/include", "/etc/ld.so.cache",
	};
	struct confine_limits limits = {
		.memory = confine_addresses(m->memory),
		.file_bytes = FILE_MOST, .cpu_seconds = SECONDS_MOST,
		.files = FILES_MOST,
	};
	struct confine_folder list[RULES_MOST];
	const char *nvrtc = nvrtc_folder(), *home = getenv("CUDA_HOME");
	size_t n = 0;
	int rc;

	for (size_t i = 0; i < LENGTH(read); i++)
		add_confined(list, &n, realpath(read[i], NULL), CONFINE_READ);
	if (nvrtc) {
		char *headers = xasprintf("%s/../include", nvrtc);

		add_confined(list, &n, xstrdup(nvrtc), CONFINE_READ);
		add_confined(list, &n, realpath(headers, NULL), CONFINE_READ);
		free(headers);
	}
	add_confined(list, &n, home ? realpath(home, NULL) : NULL, CONFINE_READ);
	add_confined(list, &n, xstrdup(paths()->kernels), CONFINE_READ);
	add_confined(list, &n, xstrdup(m->nvdisasm), CONFINE_RUN);
	add_confined(list, &n, realpath("/lib64/ld-linux-x86-64.so.2", NULL),
		 CONFINE_RUN);
	add_confined(list, &n, realpath("/lib/ld-linux-aarch64.so.1", NULL),
		 CONFINE_RUN);
	add_confined(list, &n, xstrdup(m->folder), CONFINE_WRITE);
	add_confined(list, &n, xstrdup("/dev/null"), CONFINE_WRITE);
	rc = confine_files(list, n);
	while (n)
		free((char *)list[--n].path);
	confine_limit(&limits);
	if (rc < 0 || filter_calls() < 0)
		return error_set(e, EXIT_REFUSED, "this system cannot confine "
				 "the compiler (--unconfined does without)");
	return 0;
}
