/* worker: the end that compiles, loads and records. See worker.h. */
#include <config.h>

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "base/lang.h"
#include "base/confine.h"
#include "base/text.h"
#include "emu/fibre.h"
#include "emu/module/filter.h"
#include "emu/parallel_record.h"
#include "cudart/program.h"
#include "emu/resolve.h"
#include "cudart/runtime.h"
#include "emu/scheduler.h"
#include "worker/worker.h"
#include "record/serve.h"

/* What a recording may take of addresses (most of them never used; the address
 * sanitizer's own are more), what a program may, and what a recording may take
 * of processor time beyond the launch's own limit. Their page tables, which are
 * counted as memory, take a 512th of this at most, however late they are
 * measured. */
#ifdef SANITIZED
#define ADDRESSES_MOST 0
#define PROGRAM_ADDRESSES 0
/* Its runtime opens files when it likes. */
#define FILTERED false
#else
#define ADDRESSES_MOST (256ull << 30)
#define PROGRAM_ADDRESSES (2ull << 40)
#define FILTERED true
#endif
#define CPU_SECONDS_MORE 30
/* Bytes of a trace. */
#define FILE_MOST (4ull << 30)
/* Open files, each of which takes memory of the system. */
#define FILES_MOST 1024

static struct {
	int socket;
	unsigned char token[TOKEN_BYTES];
	const char *file;	/* what is recorded, for messages */
	uintptr_t stack_end;	/* of the stack that the worker began with */
	bool catches, confined;
	int nowhere;		/* of /dev/null */
	struct worker_memory memory;
} own;

static void put(const char *text, size_t n)
{
	struct answer_head head = { .bytes = (uint32_t)n };

	if (parallel_is_helper())
		_exit(EXIT_DONE);
	memcpy(head.token, own.token, TOKEN_BYTES);
	if (write_all(own.socket, (const char *)&head, sizeof(head)) < 0 ||
	    write_all(own.socket, text, n) < 0)
		_exit(EXIT_DONE);
}

/* ---- what is refused ---- */

/* Finds the innermost line of the file that is on the stack from `sp` on; 0:
 * there is none. */
static uint32_t line_on(uintptr_t sp)
{
	uintptr_t end = own.stack_end;

	if (rec.thread) {
		uintptr_t low = fibre_stack(fibre_of(rec.thread));

		if (sp >= low && sp < low + FIBRE_STACK)
			end = low + FIBRE_STACK;
	}
	for (; sp + sizeof(sp) <= end; sp += sizeof(sp)) {
		uintptr_t at = *(const uintptr_t *)sp;
		uint32_t line = at - rec.text < rec.text_bytes ?
				resolve_line(at) : 0;

		if (line)
			return line;
	}
	return 0;
}

/* Sets the error for a call that is refused in the host's code of a program. */
static void program_refused(uintptr_t sp, const char *what, struct error *e)
{
	struct place at = program_stack_line(sp, own.stack_end);
	/* It may read files; what is refused is to write. */
	bool writes = strstr(what, _("open a file")) ||
		      strstr(what, _("change files"));
	const char *more =
		writes ? _(" (--allow-write FOLDER allows it)") : "";

	if (writes)
		what = _("write a file");
	if (at.line)
		error_set(e, EXIT_REFUSED, "%s:%u: refused: it tried to %s%s",
			  at.file, at.line, what, more);
	else
		error_set(e, EXIT_REFUSED, "%s: refused: it tried to %s%s",
			  own.file, what, more);
}

/* Sets what the system call that was stopped returns; false: it is not known
 * here how. */
static bool call_gives(ucontext_t *c, int value)
{
#if defined(__x86_64__)
	c->uc_mcontext.gregs[REG_RAX] = value;
	return true;
#elif defined(__aarch64__)
	c->uc_mcontext.regs[0] = (unsigned long long)value;
	return true;
#else
	(void)c;
	(void)value;
	return false;
#endif
}

/* Opens /dev/null in place of what a program's host opens for writing and may
 * not: the call gives another descriptor of it, which is reported. False: it
 * did not do that. A thread that opens a file is not in the allocator, so that
 * this may allocate. */
static bool open_nowhere(int call, uintptr_t sp, ucontext_t *c)
{
	int fd;

	if (!program.host || rec.thread || own.nowhere < 0 ||
	    !filter_opens(call))
		return false;
	fd = dup(own.nowhere);
	program_problem(program_fault("discarded", program_stack_line(
		sp, own.stack_end), ""));
	return call_gives(c, fd < 0 ? -errno : fd);
}

/*
 * Handles SIGSYS: reports what was tried, and ends, unless it can be ignored.
 * The process has done what it may not do: that this handler allocates, which
 * it must not in general, changes nothing for the better or worse.
 */
static void refuse(int signal_number, siginfo_t *info, void *context)
{
	ucontext_t *c = context;
	uintptr_t sp = 0, pc = (uintptr_t)info->si_call_addr;
	char *what;
	struct error e;
	uint32_t line;

	(void)signal_number;
#if defined(__x86_64__)
	sp = (uintptr_t)c->uc_mcontext.gregs[REG_RSP];
#elif defined(__aarch64__)
	sp = (uintptr_t)c->uc_mcontext.sp;
#endif
	sp &= ~(uintptr_t)(sizeof(sp) - 1);
	if (open_nowhere(info->si_syscall, sp, c))
		return;
	what = filter_words(info->si_syscall);
	if (program.host && !rec.thread) {
		program_refused(sp, what, &e);
		serve_error(&e);
		_exit(EXIT_REFUSED);
	}
	line = pc - rec.text < rec.text_bytes ? resolve_line(pc) : 0;
	if (!line && sp)
		line = line_on(sp);
	if (line)
		error_set(&e, EXIT_REFUSED, "%s:%u: refused: it tried to %s",
			  own.file, line, what);
	else
		error_set(&e, EXIT_REFUSED, "%s: refused: it tried to %s",
			  own.file, what);
	serve_error(&e);
	_exit(EXIT_REFUSED);
}

/* Lets a program read its own folder and what its arguments name, and write
 * where it may, and nothing else; 0, or -1. */
static int program_confine(const struct job *job)
{
	const struct job_program *p = &job->kernel.program;
	struct confine_folder folders[3 + 2 * 16] = {
		{ "/dev/null", CONFINE_READ },
		{ "/usr/lib/locale", CONFINE_READ },
	};
	size_t n = 2;

	if (p->folder)
		folders[n++] = (struct confine_folder) { p->folder,
							 CONFINE_READ };
	for (size_t i = 0; i < p->readable.count && i < 16; i++)
		folders[n++] = (struct confine_folder) {
			p->readable.list[i].name, CONFINE_READ };
	for (size_t i = 0; i < p->writable.count && i < 16; i++)
		folders[n++] = (struct confine_folder) {
			p->writable.list[i].name, CONFINE_WRITE };
	return confine_files(folders, n) < 0 ||
	       filter_program(p->writable.count > 0) < 0 ? -1 : 0;
}

/* The folders that a module is loaded from. */
static const struct confine_folder libraries[] = {
	{ "/usr", CONFINE_READ }, { "/lib", CONFINE_READ },
	{ "/lib64", CONFINE_READ }, { "/opt", CONFINE_READ },
	{ "/etc/ld.so.cache", CONFINE_READ },
};

/* Clears the environment, which may hold secrets of the user: nothing of it is
 * left, not even where its strings were. */
static void environment_forget(void)
{
	for (char **s = environ; s && *s; s++)
		explicit_bzero(*s, strlen(*s));
	clearenv();
}

/* Lets only what loading or recording needs be done from now on; a system call
 * beyond that ends the worker with an answer that names it. */
static int worker_confine(const struct launch *l, enum launch_stage stage,
			  struct error *e)
{
	struct sigaction a = { .sa_sigaction = refuse,
			       .sa_flags = SA_SIGINFO | SA_ONSTACK };
	const struct job *job = &l->plan.job;
	bool good;

	if (own.confined || job->unconfined)
		return 0;
	sigemptyset(&a.sa_mask);
	if (!own.catches) {	/* and never again */
		sigaction(SIGSYS, &a, NULL);
		own.nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
	}
	own.catches = true;
	environment_forget();
	memory_reserve(own.memory.shared, parallel_rank() * MEMORY_SHARED);
	confine_limit(&(struct confine_limits) {
		.memory = job->kernel.program.run ? PROGRAM_ADDRESSES :
						    ADDRESSES_MOST,
		.file_bytes = FILE_MOST,
		.cpu_seconds = (uint64_t)(job->seconds + job->timeout) +
			       CPU_SECONDS_MORE,
		.files = FILES_MOST });
	if (!FILTERED)
		good = true;
	else if (stage == STAGE_LOAD)
		good = confine_files(libraries, LENGTH(libraries)) == 0 &&
		       filter_loader() == 0;
	else if (job->kernel.program.run)
		good = program_confine(job) == 0;
	else
		good = confine_files(NULL, 0) == 0 && filter_recorder() == 0;
	if (!good)
		return error_set(e, EXIT_REFUSED, "%s cannot be confined here "
				 "(%s)", own.file, strerror(errno));
	own.confined = stage == STAGE_RUN;
	return 0;
}

/* ---- the work ---- */

/* Refuses to run a user's file where nothing can be confined. */
static int may_run(struct job *job, struct error *e)
{
	struct error why;

	if (job->unconfined || confine_words(&why))
		return 0;
	job->unconfined = true;
	if (!job->kernel.text)
		return 0;
	return error_set(e, EXIT_REFUSED, "%s: --unconfined runs it with your "
			 "rights", why.text);
}

/* Bytes of a line printed by a program that are shown. */
#define PRINTED_MOST 100

/* Sets the error of a program that launched no kernel, with the last line that
 * it printed, which often tells why (how it is used, say). */
static int launched_none(const char *file, const json_t *summary,
			 struct error *e)
{
	const char *text = json_string_value(json_object_get(summary, "output"));
	size_t n = text ? strlen(text) : 0, from;
	char *line;

	while (n && isspace((unsigned char)text[n - 1]))
		n--;
	for (from = n; from && text[from - 1] != '\n'; from--)
		;
	n = MIN(n, from + PRINTED_MOST);
	/* Not in the middle of a character. */
	while (text && n > from && n < strlen(text) &&
	       ((unsigned char)text[n] & 0xc0) == 0x80)
		n--;
	line = xstrndup(text ? text + from : "", n - from);
	error_set(e, EXIT_CHECK,
		  "%s launched no kernel that could be recorded"
		  "%s%s",
		  file, *line ? _("; it printed last: ") : "", line);
	free(line);
	return -1;
}

/* Records a program, and sends what it did before its traces are sent. */
static int program_answer(struct job *job, const struct worker_files *files,
			  struct error *e)
{
	json_t *summary;
	char *name = xstrdup(own.file);
	bool images = job->kernel.program.images;
	int rc = program_record(job, files->trace, files->output, &summary,
				worker_confine, e);

	if (rc == 0) {
		bool none = json_array_size(json_object_get(summary, images ?
					    "images" : "traces")) == 0;

		if (none)
			rc = launched_none(name, summary, e);
		serve_answer("program", summary);
	}
	free(name);
	return rc;
}

static int record_worker_job(struct launch *l, struct job *job,
			     const struct worker_files *files, struct error *e)
{
	if (may_run(job, e) < 0)
		return -1;
	if (job->kernel.program.run)
		return program_answer(job, files, e);
	if (launch_from_job(l, job, e) < 0)
		return -1;
	return launch_record(l, files->trace, e);
}

static void answer_locals(struct launch *l, const struct locals_request *of)
{
	struct job job = {
		.kind = JOB_LOCALS, .id = of->id, .locals_block = of->block,
		.locals_thread = of->thread, .first = of->first,
		.count = of->count,
	};
	struct error e;
	json_t *o = launch_locals(l, &job, &e);

	if (o)
		serve_answer("locals", o);
	else
		serve_error(&e);
}

_Noreturn void worker_main(struct job *job, int socket,
			   const struct worker_files *files,
			   const unsigned char token[TOKEN_BYTES])
{
	static struct launch launch = { .confine = worker_confine };
	struct locals_request request;
	struct error e;

	runtime_begin();
	own.socket = socket;
	memcpy(own.token, token, TOKEN_BYTES);
	own.stack_end = (uintptr_t)__builtin_frame_address(0);
	own.file = xstrdup(worker_file(job));
	serve_through(put);
	own.memory = files->memory;
	parallel_files(files->memory.part);
	budget_watch(files->due);
	block_signals();
	if (record_worker_job(&launch, job, files, &e) < 0)
		serve_error(&e);
	else
		serve_answer("trace", json_pack("{sI}", "first",
						(json_int_t)launch.first_bytes));
	/* One request at a time is under way, and it is written at once. */
	while (read(socket, &request, sizeof(request)) == sizeof(request))
		answer_locals(&launch, &request);
	_exit(EXIT_DONE);
}
