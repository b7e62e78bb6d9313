/* calls: see calls.h. */
#include <errno.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include "base/base.h"
#include "record/calls.h"

int calls_values(scmp_filter_ctx f, int call, unsigned argument,
			const scmp_datum_t *values, size_t count)
{
	int rc = 0;

	for (size_t i = 0; i < count && rc == 0; i++)
		rc = seccomp_rule_add(f, SCMP_ACT_ALLOW, call, 1,
				      SCMP_CMP64(argument, SCMP_CMP_EQ,
						 values[i], 0));
	return rc;
}

/* Calls of g++, as and ld, and of newer versions of them. */
static const char *const compiler_allowed[] = {
	"access", "arch_prctl", "brk", "clock_getres", "clock_gettime",
	"close", "close_range", "dup", "dup2", "dup3", "execve", "exit",
	"exit_group", "faccessat", "faccessat2", "fadvise64", "fallocate",
	"fstat", "fstatfs", "ftruncate", "futex", "getcwd",
	"getdents64", "getegid", "geteuid", "getgid", "getpid", "getppid",
	"getrandom", "getrlimit", "getrusage", "gettid", "gettimeofday",
	"getuid", "lseek", "lstat", "madvise", "mmap", "mprotect", "mremap",
	"munmap", "newfstatat", "pipe", "pipe2", "pread64", "pwrite64", "read",
	"readlink", "readlinkat", "readv", "restart_syscall", "rseq",
	"rt_sigaction", "rt_sigprocmask", "rt_sigreturn", "sched_getaffinity",
	"sched_yield", "set_robust_list", "set_tid_address", "sigaltstack",
	"stat", "statfs", "statx", "sysinfo", "time", "times", "umask", "uname",
	"unlink", "unlinkat", "wait4", "waitid", "write", "writev",
};

/* Calls that succeed without effect: ld makes its output executable. No file
 * that remains has another user's rights. */
static const char *const compiler_void[] = {
	"chmod", "fchmod", "fchmodat", "fchmodat2", "chown", "fchown",
	"lchown", "fchownat", "utime", "utimes", "futimesat", "utimensat",
	"setxattr", "lsetxattr", "fsetxattr", "setxattrat", "removexattr",
	"lremovexattr", "fremovexattr", "removexattrat",
};

/* Newer calls whose arguments a filter cannot see. They fail with ENOSYS, and
 * the C library falls back to older ones. */
static const char *const compiler_unknown[] = { "clone3", "openat2" };

int calls_all(scmp_filter_ctx f, uint32_t action, const char *const *names,
	      size_t count)
{
	int rc = f ? 0 : -ENOMEM;

	for (size_t i = 0; i < count && rc == 0; i++) {
		int call = seccomp_syscall_resolve_name(names[i]);

		if (call != __NR_SCMP_ERROR)
			rc = seccomp_rule_add(f, action, call, 0);
	}
	return rc;
}

/* Lets a call create files, but none with set-user-ID, set-group-ID or sticky
 * bits. `flags` and `mode` are the numbers of these arguments. */
static int allow_plain_files(scmp_filter_ctx f, int call, unsigned flags,
			unsigned mode)
{
	static const scmp_datum_t makes = O_CREAT | (O_TMPFILE & ~O_DIRECTORY);
	int rc = seccomp_rule_add(f, SCMP_ACT_ALLOW, call, 1,
				  SCMP_CMP64(flags, SCMP_CMP_MASKED_EQ, makes,
					     0));

	return rc ? rc : seccomp_rule_add(f, SCMP_ACT_ALLOW, call, 1,
					  SCMP_CMP64(mode, SCMP_CMP_MASKED_EQ,
						     07000, 0));
}

/* Lets the calls pass that depend on an argument: fcntl(), opening files,
 * terminals, limits. Limits may be read; g++ also sets that of the stack. */
static int allow_compiler_parts(scmp_filter_ctx f)
{
	static const scmp_datum_t terminal = TCGETS, name = PR_SET_NAME;
	static const scmp_datum_t fcntls[] = {
		F_GETFL, F_SETFL, F_GETFD, F_SETFD, F_DUPFD, F_DUPFD_CLOEXEC,
	};
	int rc = calls_values(f, SCMP_SYS(fcntl), 1, fcntls, LENGTH(fcntls));

	if (rc == 0)
		rc = allow_plain_files(f, SCMP_SYS(openat), 2, 3);
	if (rc == 0)
		rc = allow_plain_files(f, SCMP_SYS(open), 1, 2);
	if (rc == 0)
		rc = seccomp_rule_add(f, SCMP_ACT_ALLOW, SCMP_SYS(creat), 1,
				      SCMP_A1(SCMP_CMP_MASKED_EQ, 07000, 0));
	if (rc == 0)
		rc = seccomp_rule_add(f, SCMP_ACT_ALLOW, SCMP_SYS(ioctl), 1,
				      SCMP_A1(SCMP_CMP_EQ, terminal, 0));
	if (rc == 0)
		rc = seccomp_rule_add(f, SCMP_ACT_ALLOW, SCMP_SYS(prctl), 1,
				      SCMP_A0(SCMP_CMP_EQ, name, 0));
	if (rc == 0)
		rc = seccomp_rule_add(f, SCMP_ACT_ALLOW, SCMP_SYS(prlimit64),
				      2, SCMP_A0(SCMP_CMP_EQ, 0, 0),
				      SCMP_A2(SCMP_CMP_EQ, 0, 0));
	if (rc == 0)
		rc = seccomp_rule_add(f, SCMP_ACT_ALLOW, SCMP_SYS(prlimit64),
				      2, SCMP_A0(SCMP_CMP_EQ, 0, 0),
				      SCMP_A1(SCMP_CMP_EQ, RLIMIT_STACK, 0));
	return rc ? rc : seccomp_rule_add(f, SCMP_ACT_ALLOW,
					  SCMP_SYS(setrlimit), 1,
					  SCMP_A0(SCMP_CMP_EQ, RLIMIT_STACK,
						  0));
}

int calls_compiler(scmp_filter_ctx f)
{
	int rc = calls_all(f, SCMP_ACT_ALLOW, compiler_allowed,
			   LENGTH(compiler_allowed));

	if (rc == 0)
		rc = calls_all(f, SCMP_ACT_ERRNO(0), compiler_void,
			       LENGTH(compiler_void));
	if (rc == 0)
		rc = calls_all(f, SCMP_ACT_ERRNO(ENOSYS), compiler_unknown,
			       LENGTH(compiler_unknown));
	return rc ? rc : allow_compiler_parts(f);
}
