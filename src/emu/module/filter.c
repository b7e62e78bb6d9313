#include "base/lang.h"
#include "emu/module/filter.h"
#include "record/calls.h"

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

/* ---- the compiler ---- */

int filter_compiler(int sends)
{
	scmp_filter_ctx f = seccomp_init(SCMP_ACT_NOTIFY);
	int rc = f ? 0 : -ENOMEM, fd = -1;

	if (rc == 0)
		rc = calls_compiler(f);
	/* No process that it starts can open a socket with this number. */
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
		return xstrdup(_("call the system"));
	if (seccomp_notify_receive(notify, call) == 0) {
		answer->id = call->id;
		answer->flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
		if (is_start(call) && (*starts)++ >= most)
			refused = xasprintf(_("start more than %u processes"),
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

/* Keeps SIGSYS handled and unblocked: blocking signals, as posix_spawn() does,
 * succeeds without effect. The other signals are listed one by one: of a 64-bit
 * number that is not SIGSYS the kernel uses 32 bits, which may be. */
static int keep_sigsys(scmp_filter_ctx f)
{
	int rc = seccomp_rule_add(f, SCMP_ACT_ERRNO(0),
				  SCMP_SYS(rt_sigprocmask), 0);

	for (scmp_datum_t n = 1; n < NSIG && rc == 0; n++)
		if (n != SIGSYS)
			rc = calls_values(f, SCMP_SYS(rt_sigaction), 0, &n, 1);
	return rc;
}

/* Lets memory be mapped that is neither executable, nor shared: shared memory
 * could outlive its last address, and no limit counts it. */
static int allow_data_pages(scmp_filter_ctx f)
{
	int rc = seccomp_rule_add(f, SCMP_ACT_ALLOW, SCMP_SYS(mprotect), 1,
				  SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0));

	return rc ? rc : seccomp_rule_add(
				 f, SCMP_ACT_ALLOW, SCMP_SYS(mmap), 2,
				 SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0),
				 SCMP_A3(SCMP_CMP_MASKED_EQ, MAP_TYPE,
					 MAP_PRIVATE));
}

/* Further calls of the loader of modules, and those by which it restricts
 * itself afterwards. */
static const char *const loader_allowed[] = {
	"openat", "open", "readlink", "readlinkat", "access", "faccessat",
	"faccessat2", "newfstatat", "getcwd", "memfd_create", "mmap", "mprotect", "seccomp",
	"landlock_create_ruleset", "landlock_add_rule",
	"landlock_restrict_self", "setrlimit", "getrlimit", "uname", "stat",
	"lstat", "statx", "sched_getaffinity",
};

/* Lets a call create a file or folder if argument `mode` has only permission
 * bits. With a set-user-ID, set-group-ID or sticky bit it fails (EPERM).
 * `flags` may hold one more condition. */
static int allow_creation(scmp_filter_ctx f, int call, unsigned mode,
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

/* Lets a call open files; argument `argument` has the flags, the next one the
 * mode. Without `writes` it may neither create nor truncate files, which older
 * Landlocks do not prevent. With it, Landlock decides which files may be
 * written. */
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
			rc = allow_creation(f, call, argument + 1, &flags);
	}
	return rc;
}

/* Lets a program wait, read files, and change them if `writes`. Landlock
 * restricts which ones, but not asking whether a file exists. */
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
	int rc = calls_all(f, SCMP_ACT_ALLOW, reads, LENGTH(reads));

	if (rc == 0 && writes)
		rc = calls_all(f, SCMP_ACT_ALLOW, changes, LENGTH(changes));
	if (rc == 0 && writes)
		rc = allow_creation(f, SCMP_SYS(creat), 1, NULL);
	if (rc == 0 && writes)
		rc = allow_creation(f, SCMP_SYS(mkdir), 1, NULL);
	if (rc == 0 && writes)
		rc = allow_creation(f, SCMP_SYS(mkdirat), 2, NULL);
	if (rc == 0)
		rc = allow_open(f, SCMP_SYS(openat), 2, writes);
	return rc ? rc : allow_open(f, SCMP_SYS(open), 1, writes);
}

/* Lets a program query its descriptors and limits. It may not choose who is
 * signalled when a descriptor is ready (F_SETOWN), put input into a terminal
 * (TIOCSTI), or set limits, which root could raise. */
static int allow_queries(scmp_filter_ctx f)
{
	static const scmp_datum_t fcntls[] = {
		F_GETFL, F_GETFD, F_SETFL, F_SETFD, F_DUPFD, F_DUPFD_CLOEXEC,
	};
	static const scmp_datum_t ioctls[] = { TCGETS, TIOCGWINSZ, FIONREAD };
	int rc = calls_values(f, SCMP_SYS(fcntl), 1, fcntls, LENGTH(fcntls));

	if (rc == 0)
		rc = calls_values(f, SCMP_SYS(ioctl), 1, ioctls,
				  LENGTH(ioctls));
	return rc ? rc : seccomp_rule_add(f, SCMP_ACT_ALLOW,
					  SCMP_SYS(prlimit64), 2,
					  SCMP_A0(SCMP_CMP_EQ, 0, 0),
					  SCMP_A2(SCMP_CMP_EQ, 0, 0));
}

/* Lets prctl() drop rights, and fcntl() query and duplicate. */
static int allow_loader_parts(scmp_filter_ctx f)
{
	static const scmp_datum_t takes[] = { PR_SET_NO_NEW_PRIVS,
					      PR_GET_NO_NEW_PRIVS,
					      PR_SET_SECCOMP };
	static const scmp_datum_t asks[] = { F_GETFL, F_GETFD,
					     F_DUPFD_CLOEXEC };
	int rc = calls_values(f, SCMP_SYS(prctl), 0, takes, LENGTH(takes));

	return rc ? rc : calls_values(f, SCMP_SYS(fcntl), 1, asks,
				      LENGTH(asks));
}

/* Makes newfstatat() with AT_EMPTY_PATH fail (EPERM). Older C libraries use it
 * for fstat(), but a path may be given with it, which a filter cannot see. */
static int refuse_empty_path(scmp_filter_ctx f)
{
	return seccomp_rule_add(f, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(newfstatat),
				1, SCMP_A3(SCMP_CMP_MASKED_EQ, AT_EMPTY_PATH,
					   AT_EMPTY_PATH));
}

/* Lets the calls pass that the recorder, the loader and programs may make. */
static int allow_common(scmp_filter_ctx f)
{
	int rc = calls_all(f, SCMP_ACT_ALLOW, recorder_allowed, LENGTH(recorder_allowed));

	if (rc == 0)
		rc = keep_sigsys(f);
	/* abort() */
	if (rc == 0)
		rc = seccomp_rule_add(f, SCMP_ACT_ALLOW, SCMP_SYS(tgkill), 1,
				      SCMP_A0(SCMP_CMP_EQ,
					      (scmp_datum_t)getpid(), 0));
	return rc;
}

/* Loads a filter unless rc is an error, and frees it. Returns 0 or -1. */
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
		rc = calls_all(f, SCMP_ACT_ALLOW, loader_allowed, LENGTH(loader_allowed));
	if (rc == 0)
		rc = allow_loader_parts(f);
	/* Its own limits. */
	if (rc == 0)
		rc = calls_values(f, SCMP_SYS(prlimit64), 0, &own, 1);
	return load_filter(f, rc);
}

int filter_recorder(void)
{
	scmp_filter_ctx f = seccomp_init(SCMP_ACT_TRAP);
	int rc = allow_common(f);

	if (rc == 0)
		rc = allow_data_pages(f);
	return load_filter(f, rc ? rc : refuse_empty_path(f));
}

int filter_program(bool writes)
{
	scmp_filter_ctx f = seccomp_init(SCMP_ACT_TRAP);
	int rc = allow_common(f);

	if (rc == 0)
		rc = allow_data_pages(f);
	/* A file's pages. */
	if (rc == 0)
		rc = seccomp_rule_add(f, SCMP_ACT_ALLOW, SCMP_SYS(mmap), 2,
				      SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0),
				      SCMP_A3(SCMP_CMP_MASKED_EQ, MAP_TYPE |
					      MAP_ANONYMOUS, MAP_SHARED));
	if (rc == 0)
		rc = allow_queries(f);
	return load_filter(f, rc ? rc : allow_files(f, writes));
}

/* ---- descriptions of refused calls ---- */

static const struct { const char *what, *calls;
} tried[] = {
	{ N_("start a process"), " clone clone3 fork vfork execve execveat " },
	{ N_("use the network"),
	  " socket socketpair connect bind listen accept "
	  "accept4 sendto recvfrom sendmsg recvmsg " },
	{ N_("open a file"), " open openat openat2 creat access faccessat "
			     "faccessat2 stat lstat newfstatat statx readlink "
			     "readlinkat "
			     "getdents64 getcwd chdir " },
	{ N_("change files"),
	  " unlink unlinkat rename renameat renameat2 mkdir "
	  "mkdirat rmdir link linkat symlink symlinkat chmod "
	  "fchmod fchmodat chown truncate mknod mknodat " },
	{ N_("send a signal"),
	  " kill tkill tgkill rt_sigqueueinfo "
	  "rt_tgsigqueueinfo pidfd_open pidfd_send_signal " },
	{ N_("reach another process"), " ptrace process_vm_readv "
				       "process_vm_writev prctl pidfd_getfd " },
	{ N_("wait"), " nanosleep clock_nanosleep poll ppoll select pselect6 "
		      "pause epoll_wait rt_sigtimedwait rt_sigsuspend " },
	{ N_("make memory executable"), " mmap mprotect pkey_mprotect " },
	{ N_("allocate memory that no limit counts"), " memfd_create " },
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
			words = xasprintf("%s (%s)", _(tried[i].what), name);
	if (!words && name)
		words = xasprintf(_("call the system (%s)"), name);
	if (!words)
		words = xasprintf(_("call the system (number %d)"), number);
	free(name);
	free(with);
	return words;
}
