#include "emu/filter.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* Allows a call where one argument has one of these values, in all of its 64
 * bits. */
static int allow_values(scmp_filter_ctx f, int call, unsigned argument,
			const scmp_datum_t *values, size_t count)
{
	int rc = 0;

	for (size_t i = 0; i < count && rc == 0; i++)
		rc = seccomp_rule_add(f, SCMP_ACT_ALLOW, call, 1,
				      SCMP_CMP64(argument, SCMP_CMP_EQ,
						 values[i], 0));
	return rc;
}

/* ---- the compiler ---- */

/* What g++, as and ld call, and newer versions of them. */
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

/* Calls that succeed without effect: ld makes its output executable. What is left
 * behind has nobody else's rights, and files keep theirs. */
static const char *const compiler_void[] = {
	"chmod", "fchmod", "fchmodat", "fchmodat2", "chown", "fchown",
	"lchown", "fchownat", "utime", "utimes", "futimesat", "utimensat",
	"setxattr", "lsetxattr", "fsetxattr", "setxattrat", "removexattr",
	"lremovexattr", "fremovexattr", "removexattrat",
};

/* Newer calls whose arguments a filter cannot see: the C library has others for
 * systems without them. */
static const char *const compiler_unknown[] = { "clone3", "openat2" };

static int add_all(scmp_filter_ctx f, uint32_t action,
		   const char *const *names, size_t count)
{
	int rc = 0;

	for (size_t i = 0; i < count && rc == 0; i++) {
		int call = seccomp_syscall_resolve_name(names[i]);

		if (call != __NR_SCMP_ERROR)
			rc = seccomp_rule_add(f, action, call, 0);
	}
	return rc;
}

/* Allows a call to make files, but none that runs with somebody else's rights.
 * The flags and the mode are these arguments. */
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

/* Allows what depends on an argument. Limits are asked for; that of the stack is
 * raised by g++. */
static int allow_compiler_parts(scmp_filter_ctx f)
{
	static const scmp_datum_t terminal = TCGETS, name = PR_SET_NAME;
	static const scmp_datum_t fcntls[] = {
		F_GETFL, F_SETFL, F_GETFD, F_SETFD, F_DUPFD, F_DUPFD_CLOEXEC,
	};
	int rc = allow_values(f, SCMP_SYS(fcntl), 1, fcntls, LENGTH(fcntls));

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

int filter_compiler(int sends)
{
	scmp_filter_ctx f = seccomp_init(SCMP_ACT_NOTIFY);
	int rc = f ? 0 : -ENOMEM, fd = -1;

	if (rc == 0)
		rc = add_all(f, SCMP_ACT_ALLOW, compiler_allowed,
			     LENGTH(compiler_allowed));
	if (rc == 0)
		rc = add_all(f, SCMP_ACT_ERRNO(0), compiler_void,
			     LENGTH(compiler_void));
	if (rc == 0)
		rc = add_all(f, SCMP_ACT_ERRNO(ENOSYS), compiler_unknown,
			     LENGTH(compiler_unknown));
	if (rc == 0)
		rc = allow_compiler_parts(f);
	/* Nothing that is started later can open a socket of this number. */
	if (rc == 0)
		rc = seccomp_rule_add(f, SCMP_ACT_ALLOW, SCMP_SYS(sendmsg), 1,
				      SCMP_A0(SCMP_CMP_EQ,
					      (scmp_datum_t)sends, 0));
	if (rc == 0)
		rc = seccomp_load(f);
	if (rc == 0)
		fd = seccomp_notify_fd(f);
	seccomp_release(f);
	return fd;
}

/* Returns whether a call starts a process of the usual kind: in the namespaces of
 * its parent, which waits for it. */
static bool is_start(const struct seccomp_notif *call)
{
	static const uint64_t refused = CLONE_NEWNS | CLONE_NEWCGROUP |
		CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID |
		CLONE_NEWNET | CLONE_PTRACE | CLONE_UNTRACED | CLONE_PARENT;

	return call->data.nr == SCMP_SYS(fork) ||
	       call->data.nr == SCMP_SYS(vfork) ||
	       (call->data.nr == SCMP_SYS(clone) &&
		!(call->data.args[0] & refused));
}

/* Returns whether a process signals itself, as abort() does. */
static bool is_own_signal(const struct seccomp_notif *call)
{
	return (call->data.nr == SCMP_SYS(kill) ||
		call->data.nr == SCMP_SYS(tgkill)) &&
	       call->data.args[0] == call->pid;
}

char *filter_judge(int notify, unsigned *starts, unsigned most)
{
	struct seccomp_notif *call = NULL;
	struct seccomp_notif_resp *answer = NULL;
	char *refused = NULL;

	if (seccomp_notify_alloc(&call, &answer) < 0)
		return xstrdup("call the system");
	if (seccomp_notify_receive(notify, call) == 0) {
		answer->id = call->id;
		answer->flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
		if (is_start(call) && (*starts)++ >= most)
			refused = xasprintf("start more than %u processes",
					    most);
		else if (!is_start(call) && !is_own_signal(call))
			refused = filter_words(call->data.nr);
		else
			seccomp_notify_respond(notify, answer);
	}
	seccomp_notify_free(call, answer);
	return refused;
}

/* ---- the recorder ---- */

static const char *const recorder_allowed[] = {
	"read", "write", "writev", "pread64", "pwrite64", "lseek", "close",
	"fstat", "ftruncate", "fallocate", "munmap", "mremap", "madvise", "brk",
	"rt_sigreturn", "sigaltstack", "setitimer", "clock_gettime",
	"clock_getres", "gettimeofday", "time", "futex", "sched_yield",
	"getpid", "gettid", "getrandom", "restart_syscall", "sysinfo", "exit",
	"exit_group",
};

/* SIGSYS keeps its handler, and is not blocked, as posix_spawn() would: to
 * block signals succeeds, and does nothing. The others are named one by one:
 * of a number of 64 bits that is not SIGSYS the kernel takes 32, which may
 * be. */
static int keep_sigsys(scmp_filter_ctx f)
{
	int rc = seccomp_rule_add(f, SCMP_ACT_ERRNO(0),
				  SCMP_SYS(rt_sigprocmask), 0);

	for (scmp_datum_t n = 1; n < NSIG && rc == 0; n++)
		if (n != SIGSYS)
			rc = allow_values(f, SCMP_SYS(rt_sigaction), 0, &n, 1);
	return rc;
}

/* Memory that can be executed is not made any more, nor such as outlives its
 * last address, which no limit counts. */
static int allow_data(scmp_filter_ctx f)
{
	int rc = seccomp_rule_add(f, SCMP_ACT_ALLOW, SCMP_SYS(mprotect), 1,
				  SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0));

	return rc ? rc : seccomp_rule_add(
				 f, SCMP_ACT_ALLOW, SCMP_SYS(mmap), 2,
				 SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0),
				 SCMP_A3(SCMP_CMP_MASKED_EQ, MAP_TYPE,
					 MAP_PRIVATE));
}

/* What the loader of a module does besides, and what takes its rights away
 * after that. */
static const char *const loader_allowed[] = {
	"openat", "open", "readlink", "readlinkat", "access", "faccessat",
	"faccessat2", "newfstatat", "getcwd", "memfd_create", "mmap", "mprotect", "seccomp",
	"landlock_create_ruleset", "landlock_add_rule",
	"landlock_restrict_self", "setrlimit", "getrlimit", "uname", "stat",
	"lstat", "statx", "sched_getaffinity",
};

static int allow_all(scmp_filter_ctx f, const char *const *names,
		     size_t count)
{
	int rc = f ? 0 : -ENOMEM;

	for (size_t i = 0; i < count && rc == 0; i++) {
		int call = seccomp_syscall_resolve_name(names[i]);

		if (call != __NR_SCMP_ERROR)
			rc = seccomp_rule_add(f, SCMP_ACT_ALLOW, call, 0);
	}
	return rc;
}

/* Allows a call that makes a file or folder only with permissions for users,
 * which are in this argument. With a set-user-ID, set-group-ID or sticky bit it
 * fails (EPERM). `flags` may hold one more condition. */
static int allow_making(scmp_filter_ctx f, int call, unsigned mode,
			const struct scmp_arg_cmp *flags)
{
	static const scmp_datum_t bits[] = { S_ISUID, S_ISGID, S_ISVTX };
	struct scmp_arg_cmp with[2] = {
		SCMP_CMP64(mode, SCMP_CMP_MASKED_EQ, S_ISUID | S_ISGID |
			   S_ISVTX, 0),
		flags ? *flags : (struct scmp_arg_cmp) { .arg = 0 },
	};
	unsigned count = flags ? 2 : 1;
	int rc = seccomp_rule_add_array(f, SCMP_ACT_ALLOW, call, count, with);

	for (size_t i = 0; i < LENGTH(bits) && rc == 0; i++) {
		with[0] = SCMP_CMP64(mode, SCMP_CMP_MASKED_EQ, bits[i],
				     bits[i]);
		rc = seccomp_rule_add_array(f, SCMP_ACT_ERRNO(EPERM), call,
					    count, with);
	}
	return rc;
}

/* Allows to open files, whose flags are in this argument: to read only, a file is
 * not made or emptied, which older Landlocks do not keep from; Landlock must let
 * it be written. */
static int allow_open(scmp_filter_ctx f, int call, unsigned argument,
		      bool writes)
{
	static const scmp_datum_t ways[] = { O_RDONLY, O_WRONLY, O_RDWR };
	const scmp_datum_t makes = O_CREAT | (O_TMPFILE & ~O_DIRECTORY);
	struct scmp_arg_cmp flags;
	int rc = writes ? 0 :
		 seccomp_rule_add(f, SCMP_ACT_ALLOW, call, 1,
				  SCMP_CMP64(argument, SCMP_CMP_MASKED_EQ,
					     O_ACCMODE | O_TRUNC | makes,
					     O_RDONLY));

	for (size_t i = 0; writes && i < LENGTH(ways) && rc == 0; i++) {
		rc = seccomp_rule_add(f, SCMP_ACT_ALLOW, call, 1,
				      SCMP_CMP64(argument, SCMP_CMP_MASKED_EQ,
						 O_ACCMODE | makes |
						 (i ? 0 : O_TRUNC), ways[i]));
		flags = SCMP_CMP64(argument, SCMP_CMP_MASKED_EQ, O_ACCMODE |
				   O_CREAT, ways[i] | O_CREAT);
		if (rc == 0)
			rc = allow_making(f, call, argument + 1, &flags);
	}
	return rc;
}

/* A program waits, reads files, and writes some if it may; which ones, Landlock
 * says, which does not keep it from asking whether others are there. */
static int allow_files(scmp_filter_ctx f, bool writes)
{
	static const char *const reads[] = {
		"poll", "ppoll", "clock_nanosleep", "nanosleep", "stat",
		"lstat", "newfstatat", "statx", "access", "faccessat",
		"faccessat2", "readlink", "readlinkat", "getcwd", "getdents64",
		"fstatfs", "statfs", "sysinfo", "uname",
		"getrusage", "times", "sched_getaffinity", "getuid", "geteuid",
		"getgid", "getegid", "getrlimit", "fadvise64",
		"dup", "readv", "preadv", "umask", "sched_getcpu", "getcpu",
	};
	static const char *const changes[] = {
		"unlink", "unlinkat", "rename", "renameat", "renameat2", "fsync",
		"fdatasync", "pwritev", "rmdir",
	};
	int rc = allow_all(f, reads, LENGTH(reads));

	if (rc == 0 && writes)
		rc = allow_all(f, changes, LENGTH(changes));
	if (rc == 0 && writes)
		rc = allow_making(f, SCMP_SYS(creat), 1, NULL);
	if (rc == 0 && writes)
		rc = allow_making(f, SCMP_SYS(mkdir), 1, NULL);
	if (rc == 0 && writes)
		rc = allow_making(f, SCMP_SYS(mkdirat), 2, NULL);
	if (rc == 0)
		rc = allow_open(f, SCMP_SYS(openat), 2, writes);
	return rc ? rc : allow_open(f, SCMP_SYS(open), 1, writes);
}

/* What a program asks of its descriptors and limits. It may not say who is
 * signalled when a descriptor is ready (F_SETOWN), put words into a terminal
 * (TIOCSTI), or set limits, be they its own, which root could raise. */
static int allow_asking(scmp_filter_ctx f)
{
	static const scmp_datum_t fcntls[] = {
		F_GETFL, F_GETFD, F_SETFL, F_SETFD, F_DUPFD, F_DUPFD_CLOEXEC,
	};
	static const scmp_datum_t ioctls[] = { TCGETS, TIOCGWINSZ, FIONREAD };
	int rc = allow_values(f, SCMP_SYS(fcntl), 1, fcntls, LENGTH(fcntls));

	if (rc == 0)
		rc = allow_values(f, SCMP_SYS(ioctl), 1, ioctls,
				  LENGTH(ioctls));
	return rc ? rc : seccomp_rule_add(f, SCMP_ACT_ALLOW,
					  SCMP_SYS(prlimit64), 2,
					  SCMP_A0(SCMP_CMP_EQ, 0, 0),
					  SCMP_A2(SCMP_CMP_EQ, 0, 0));
}

/* prctl() only to take rights away, fcntl() to ask and to copy. */
static int allow_parts(scmp_filter_ctx f)
{
	static const scmp_datum_t takes[] = { PR_SET_NO_NEW_PRIVS,
					      PR_GET_NO_NEW_PRIVS,
					      PR_SET_SECCOMP };
	static const scmp_datum_t asks[] = { F_GETFL, F_GETFD,
					     F_DUPFD_CLOEXEC };
	int rc = allow_values(f, SCMP_SYS(prctl), 0, takes, LENGTH(takes));

	return rc ? rc : allow_values(f, SCMP_SYS(fcntl), 1, asks,
				      LENGTH(asks));
}

/* As older C libraries ask for a descriptor's, which then fails: a path may
 * stand there all the same, which a filter cannot see. */
static int refuse_empty_path(scmp_filter_ctx f)
{
	return seccomp_rule_add(f, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(newfstatat),
				1, SCMP_A3(SCMP_CMP_MASKED_EQ, AT_EMPTY_PATH,
					   AT_EMPTY_PATH));
}

/* What both may do. */
static int allow_common(scmp_filter_ctx f)
{
	int rc = allow_all(f, recorder_allowed, LENGTH(recorder_allowed));

	if (rc == 0)
		rc = keep_sigsys(f);
	/* abort() */
	if (rc == 0)
		rc = seccomp_rule_add(f, SCMP_ACT_ALLOW, SCMP_SYS(tgkill), 1,
				      SCMP_A0(SCMP_CMP_EQ,
					      (scmp_datum_t)getpid(), 0));
	return rc;
}

static int load_filter(scmp_filter_ctx f, int rc)
{
	if (rc == 0)
		rc = seccomp_load(f);
	seccomp_release(f);
	return rc < 0 ? -1 : 0;
}

int filter_loader(void)
{
	const scmp_datum_t own = 0;
	scmp_filter_ctx f = seccomp_init(SCMP_ACT_TRAP);
	int rc = allow_common(f);

	if (rc == 0)
		rc = allow_all(f, loader_allowed, LENGTH(loader_allowed));
	if (rc == 0)
		rc = allow_parts(f);
	/* Its own limits. */
	if (rc == 0)
		rc = allow_values(f, SCMP_SYS(prlimit64), 0, &own, 1);
	return load_filter(f, rc);
}

int filter_recorder(void)
{
	scmp_filter_ctx f = seccomp_init(SCMP_ACT_TRAP);
	int rc = allow_common(f);

	if (rc == 0)
		rc = allow_data(f);
	return load_filter(f, rc ? rc : refuse_empty_path(f));
}

int filter_program(bool writes)
{
	scmp_filter_ctx f = seccomp_init(SCMP_ACT_TRAP);
	int rc = allow_common(f);

	if (rc == 0)
		rc = allow_data(f);
	/* A file's pages. */
	if (rc == 0)
		rc = seccomp_rule_add(f, SCMP_ACT_ALLOW, SCMP_SYS(mmap), 2,
				      SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0),
				      SCMP_A3(SCMP_CMP_MASKED_EQ, MAP_TYPE |
					      MAP_ANONYMOUS, MAP_SHARED));
	if (rc == 0)
		rc = allow_asking(f);
	return load_filter(f, rc ? rc : allow_files(f, writes));
}

/* ---- what was tried ---- */

static const struct { const char *what, *calls; } tried[] = {
	{ "start a process", " clone clone3 fork vfork execve execveat " },
	{ "use the network", " socket socketpair connect bind listen accept "
			     "accept4 sendto recvfrom sendmsg recvmsg " },
	{ "open a file", " open openat openat2 creat access faccessat "
			 "faccessat2 stat lstat newfstatat statx readlink "
			 "readlinkat "
			 "getdents64 getcwd chdir " },
	{ "change files", " unlink unlinkat rename renameat renameat2 mkdir "
			  "mkdirat rmdir link linkat symlink symlinkat chmod "
			  "fchmod fchmodat chown truncate mknod mknodat " },
	{ "send a signal", " kill tkill tgkill rt_sigqueueinfo "
			   "rt_tgsigqueueinfo pidfd_open pidfd_send_signal " },
	{ "reach another process", " ptrace process_vm_readv "
				   "process_vm_writev prctl pidfd_getfd " },
	{ "wait", " nanosleep clock_nanosleep poll ppoll select pselect6 "
		  "pause epoll_wait rt_sigtimedwait rt_sigsuspend " },
	{ "make memory executable", " mmap mprotect pkey_mprotect " },
	{ "take memory that no limit counts", " memfd_create " },
};

bool filter_opens(int number)
{
	return number == SCMP_SYS(openat) || number == SCMP_SYS(open) ||
	       number == SCMP_SYS(creat);
}

char *filter_words(int number)
{
	char *name = seccomp_syscall_resolve_num_arch(SCMP_ARCH_NATIVE, number);
	char *with = xasprintf(" %s ", name ? name : "?"), *words = NULL;

	for (size_t i = 0; i < LENGTH(tried) && !words; i++)
		if (name && strstr(tried[i].calls, with))
			words = xasprintf("%s (%s)", tried[i].what, name);
	if (!words && name)
		words = xasprintf("call the system (%s)", name);
	if (!words)
		words = xasprintf("call the system (number %d)", number);
	free(name);
	free(with);
	return words;
}
