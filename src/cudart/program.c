/*
 * program: compiles and loads a program, runs its main(), and reports how it
 * ended. See program.h.
 */
#include <locale.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/lang.h"
#include "base/cpp_words.h"
#include "base/resource.h"
#include "base/text.h"
#include "emu/module/compile_said.h"
#include "cudart/devices.h"
#include "cudart/host_thread.h"
#include "cudart/pending_launch.h"
#include "cudart/part_written.h"
#include "cudart/program.h"
#include "cudart/program_failing.h"
#include "cudart/program_image.h"
#include "cudart/program_judge.h"
#include "cudart/program_output.h"
#include "cudart/program_work.h"
#include "cudart/runtime.h"
#include "record/serve.h"
#include "protocol/headers.h"

/* Seconds for the rest of a loop's body, when the program's time is over. */
#define WHILE_SECONDS 0.5
/* How often a program that is late may be found where it must not be left. */
#define LATE_TIMES 500

struct program program;

/* How the program's own code is left, from any place. */
static struct {
	sigjmp_buf out;
	bool running;
	/* "exit", "signal", "seconds", "unplayed", "deadlock", "waiting" */
	const char *how;
	int status;		/* or the signal */
	struct place at;
	char what[256];
	void (**last)(void *);	/* what is to be called at its end */
	void **last_with;
	uintptr_t stack_end;
	int byte;		/* a file of just one */
	size_t last_count, last_capacity, last_with_capacity;
} own;

/* ---- places ---- */

const char *program_file(const char *file)
{
	char *name;
	const char *found = file;

	if (!file)
		return NULL;
	name = headers_name(file);
	if (!strcmp(name, OWN_NAME))
		found = program.file;
	free(name);
	return found;
}

struct place program_place(const char *file, int line)
{
	return (struct place) { program_file(file), (uint32_t)line };
}

/* Finds the text of a file of the program; NULL: it is none. */
static const char *source_text(const char *file)
{
	if (!file)
		return NULL;
	if (!strcmp(file, program.file))
		return program.job.kernel.text;
	return job_defined(&program.job.kernel.headers, file);
}

/* Returns, for code in one of our headers, the line that calls it: the last one
 * of the program's own before it. */
struct place program_line(uintptr_t address)
{
	const struct module *m = program.host;
	const struct debug_line *l;

	if (m && address - m->text >= m->text_bytes)
		m = program.recorder;
	if (!m || address - m->text >= m->text_bytes)
		return (struct place) { NULL, 0 };
	l = debug_line_at(m->debug, address - m->load - 1);
	for (; l && l >= m->debug->lines; l--)
		if (l->file && l->line && source_text(program_file(l->file)))
			return program_place(l->file, (int)l->line);
	return (struct place) { NULL, 0 };
}

/* Finds the line of a text in which the word comes first; 0: it does not. */
static uint32_t find_word_line(const char *text, const char *word,
			       size_t length)
{
	struct cpp_text t = { text, strchr(text, '\0'), false, false };
	struct cpp_word w = { .kind = CPP_BLANK };
	uint32_t line = 1;

	for (w = cpp_next_code(&t); w.kind; w = cpp_next_code(&t))
		if (w.kind == CPP_WORD && w.length == length &&
		    !memcmp(w.at, word, length))
			break;
	for (; w.kind && text < w.at; text++)
		line += *text == '\n';
	return w.kind ? line : 0;
}

struct place program_word(const char *word, size_t length)
{
	const struct job_defines *more = &program.job.kernel.headers;
	struct place at = { program.file,
			    find_word_line(program.job.kernel.text, word,
					   length) };

	for (size_t i = 0; !at.line && i < more->count; i++)
		at = (struct place){ more->list[i].name,
				     find_word_line(more->list[i].value, word,
						    length) };
	return at;
}

static bool is_allocation_word(const struct cpp_word *w)
{
	return w->kind == CPP_WORD &&
	       (memmem(w->at, w->length, "Malloc", 6) ||
		(memmem(w->at, w->length, "Alloc", 5) &&
		 !memmem(w->at, w->length, "AllocNode", 9)));
}

/* Counts the allocations that the same line made before this one. */
static size_t count_made_before(const struct allocation *a)
{
	size_t n = 0;

	for (size_t i = 0; i < device_memory.count &&
			   device_memory.list[i] != a; i++)
		n += device_memory.list[i]->made.line == a->made.line &&
		     device_memory.list[i]->made.file == a->made.file;
	return n;
}

/* Returns where the name of the function is that made an allocation in the line at
 * s: the line's calls make one each, and again in turn. */
static const char *find_allocating_call(const char *s,
					const struct allocation *a)
{
	const char *starts[16], *end = strchrnul(s, '\n'), *begin = NULL;
	struct cpp_text t = { s, end, false, false };
	struct cpp_word w;
	size_t count = 0;
	int depth = 0, call = 0;	/* call: the depth of one's arguments */

	for (w = cpp_next_code(&t); w.kind; w = cpp_next_code(&t)) {
		depth += (w.kind == '(') - (w.kind == ')');
		call = depth < call ? 0 : call;
		/* CHECK_ALLOC(cudaMalloc(...)) is one. */
		if (begin && w.kind == '(' && !call && count < LENGTH(starts)) {
			starts[count++] = begin;
			call = depth;
		}
		begin = is_allocation_word(&w) ? w.at : NULL;
	}
	return count ? starts[count_made_before(a) % count] : s;
}

void program_name(const struct allocation *a, char *to, size_t bytes)
{
	const struct place at = a->made;
	const char *s = source_text(at.file);
	struct cpp_text t;
	struct cpp_word w, last = { 0 };
	int depth = 0, within = 0;

	snprintf(to, bytes, "%s", a->name ? a->name : a->heap ? "heap" : "");
	for (uint32_t l = 1; s && l < at.line; l++) {
		s = strchr(s, '\n');
		s += s != NULL;
	}
	if (!s || a->heap || a->name)
		return;
	s = find_allocating_call(s, a);
	t = (struct cpp_text) { s, strchrnul(s, ';'), false, false };
	do
		w = cpp_next_code(&t);
	while (w.kind && !is_allocation_word(&w));
	for (w = cpp_next_code(&t); w.kind; w = cpp_next_code(&t)) {
		depth += (w.kind == '(') - (w.kind == ')');
		within += (w.kind == '[') - (w.kind == ']');
		if (depth <= 0 || (w.kind == ',' && depth == 1))
			break;
		if (w.kind == CPP_WORD && !within)
			last = w;
	}
	if (last.length)
		snprintf(to, bytes, "%.*s", (int)last.length, last.at);
}

static bool text_uses_status(const char *what, const char *file, int line)
{
	const char *text = source_text(program_place(file, line).file), *from;
	struct cpp_word *w;
	size_t count;
	bool uses = false, macro = true;
	int at = 1;

	if (!text)
		return false;
	w = cpp_code(text, strlen(text), true, &count);
	from = text;
	for (size_t i = 0; i < count; i++) {
		for (; from < w[i].at; from++)
			at += *from == '\n';
		if (at != line || !cpp_is(&w[i], what))
			continue;
		macro = false;
		uses = uses || (i > 0 && !strchr(";{})", w[i - 1].kind));
	}
	free(w);
	return uses && !macro;
}

bool program_uses_status(const char *what, const char *file, int line)
{
	static struct {
		const char *what, *file;
		int line;
		bool uses;
	} known[64];
	size_t n = (size_t)line % LENGTH(known);

	/* A call in a loop may fail often. */
	if (known[n].file != file || known[n].line != line ||
	    strcmp(known[n].what, what) != 0) {
		known[n].what = what;
		known[n].file = file;
		known[n].line = line;
		known[n].uses = text_uses_status(what, file, line);
	}
	return known[n].uses;
}

int program_fail(int error, struct place at, const char *what)
{
	program.failed = program.failed || error;
	if (error && !program.error) {
		program.error = error;
		program.error_at = at;
		program.error_word = what;
	}
	return error;
}

/* ---- how it ends ---- */

static _Noreturn void leave_program(const char *how, int status)
{
	own.how = how;
	own.status = status;
	siglongjmp(own.out, 1);
}

void program_stop(struct place at, const char *why)
{
	own.at = at;
	snprintf(own.what, sizeof(own.what), "%s", _(why));
	leave_program("unplayed", 0);
}

void program_unplayed(struct place at, const char *what)
{
	own.at = at;
	snprintf(own.what, sizeof(own.what),
		 _("gemmviz does not support %s on the CPU"), _(what));
	leave_program("unplayed", 0);
}

struct place program_here(uintptr_t sp)
{
	return program_stack_line(sp, own.stack_end);
}

void program_deadlock(uintptr_t sp)
{
	own.at = program_here(sp);
	leave_program("deadlock", 0);
}

void program_waiting(struct place at)
{
	own.at = at;
	leave_program("waiting", 0);
}

void program_exit(int status)
{
	pending_await_all();
	leave_program("exit", status & 255);
}

void program_killed(int signal_number)
{
	leave_program("signal", signal_number);
}

/* Reports a device's address that the host uses, if it is one. */
static void report_stray(uintptr_t address, struct place at, bool writes)
{
	const struct allocation *a = device_at(address);
	struct program_fault p = program_fault("host-access", at,
					       writes ? "write" : "read");

	if (!a && program_variable_hidden(address)) {
		p.kind = "host-variable";
		program_problem(p);
	}
	if (!a)
		return;
	program_fault_about(&p, a);
	p.bytes = address - a->lo;
	p.room = a->bytes;
	program_problem(p);
}

void program_stray(uintptr_t address, struct place at, bool writes)
{
	report_stray(address, at, writes);
	own.at = at;
	program_killed(SIGSEGV);
}

/* Returns whether the address can be read, which the system knows. */
static bool is_readable(uintptr_t address)
{
	return pwrite(own.byte, (const void *)address, 1, 0) == 1;
}

void program_wild(uintptr_t address, struct trace_finding *f)
{
	const struct allocation *a;

	if (!program.host)
		return;
	a = device_at(address);
	if (a && a->live && !device_may_use(devices.current, a)) {
		f->cause = CAUSE_OTHER_DEVICE;
		f->number[0] = a->device;
		f->number[1] = devices.current;
		f->number[2] = a->made.line;
	} else if (a && !a->live && a->freed.file) {
		f->cause = CAUSE_AFTER_FREE;
		f->number[0] = a->made.line;
		f->number[1] = a->freed.line;
	} else if (!a && is_readable(address)) {
		f->cause = CAUSE_HOST_MEMORY;
	}
}

/* Returns whether the code before this address is a call (e8, ff 15, ff). */
static bool is_return(uintptr_t address)
{
	const unsigned char *code = (const unsigned char *)address;
	const struct module *m = program.host;

	if (!m || address - m->text - 8 >= m->text_bytes - 8)
		return false;
	return code[-5] == 0xe8 || code[-6] == 0xff || code[-2] == 0xff ||
	       code[-3] == 0xff;
}

/* Scans the stack, also what lies between variables. */
__attribute__((no_sanitize("address")))
struct place program_stack_line(uintptr_t from, uintptr_t until)
{
	struct place at = { NULL, 0 };

	until = host_stack_end(from, until);
	for (; !at.line && from + sizeof(from) <= until; from += sizeof(from)) {
		uintptr_t address = *(const uintptr_t *)from;

		if (is_return(address))
			at = program_line(address);
	}
	return at;
}

enum emu_fault program_crash(int signal_number, uintptr_t pc, uintptr_t sp,
			     uintptr_t address, bool writes)
{
	enum emu_fault found = EMU_FAULT_OTHER;
	struct place at;

	if (!own.running)
		return EMU_FAULT_OTHER;
	at = program_line(pc + 1);
	if (!at.line)
		at = program_here(sp);
	if (signal_number == SIGSEGV)
		found = host_race_fault(address, writes, at);
	if (found != EMU_FAULT_OTHER)
		return found;
	own.at = at;
	if (signal_number == SIGSEGV)
		report_stray(address, at, writes);
	program_killed(signal_number);
}

/* Returns whether the program's time is over. A while node of a graph that goes
 * on checks this itself, at the end of its body. */
static bool is_late(void)
{
	return own.running && !program.launching && seconds_now() >=
	       program.deadline + (program.whiles ? WHILE_SECONDS : 0);
}

static uint32_t late_times;

/* Handles SIGALRM: leaves a program that is late. Where that would leave
 * something half done, as malloc() is, it tries again soon, but not for long,
 * as what it called may not come back. */
static void late(int signal_number, siginfo_t *info, void *context)
{
	static const struct itimerval soon = { .it_value.tv_usec = 2000,
					       .it_interval.tv_sec = 1 };

	(void)signal_number;
	(void)info;
	if (!is_late())
		return;
	if (!host_is_between(context) && late_times++ < LATE_TIMES) {
		setitimer(ITIMER_REAL, &soon, NULL);
		return;
	}
	own.at = program_line(crash_pc(context) + 1);
	leave_program("seconds", 0);
}

void program_due(void)
{
	if (is_late())
		leave_program("seconds", 0);
}

/* ---- what the program calls of the C library ---- */

_Noreturn void __wrap_exit(int status);
_Noreturn void __wrap__exit(int status);
_Noreturn void __wrap__Exit(int status);
_Noreturn void __wrap_quick_exit(int status);
_Noreturn void __wrap_abort(void);
int __wrap___cxa_atexit(void (*f)(void *), void *with, void *module);
int __wrap_atexit(void (*f)(void));

void __wrap_exit(int status)
{
	program_exit(status);
}

void __wrap__exit(int status)
{
	program_exit(status);
}

void __wrap__Exit(int status)
{
	program_exit(status);
}

void __wrap_quick_exit(int status)
{
	program_exit(status);
}

void __wrap_abort(void)
{
	own.at = program_line((uintptr_t)__builtin_return_address(0));
	program_killed(SIGABRT);
}

int __wrap___cxa_atexit(void (*f)(void *), void *with, void *module)
{
	(void)module;
	grow(&own.last, &own.last_capacity, own.last_count + 1,
	     sizeof(*own.last));
	grow(&own.last_with, &own.last_with_capacity, own.last_count + 1,
	     sizeof(*own.last_with));
	own.last[own.last_count] = f;
	own.last_with[own.last_count++] = with;
	return 0;
}

int __wrap_atexit(void (*f)(void))
{
	return __wrap___cxa_atexit((void (*)(void *))f, NULL, NULL);
}

/* ---- running it ---- */

static char **arguments_make(int *count)
{
	const struct job_program *p = &program.job.kernel.program;
	char **argv = xcalloc(p->argument_count + 2, sizeof(*argv));
	char *name = xstrdup(program.file), *dot = strrchr(name, '.');

	if (dot)
		*dot = '\0';
	argv[0] = xasprintf("./%s", name);
	free(name);
	for (size_t i = 0; i < p->argument_count; i++)
		argv[i + 1] = xstrdup(p->arguments[i].name);
	*count = (int)p->argument_count + 1;
	return argv;
}

static void main_call(void)
{
	typedef int main_function(int, char **, char **);
	main_function *its = (main_function *)program_function("main");
	static char *no_environment[] = { NULL };
	int argc;
	char **argv = arguments_make(&argc);

	module_initialize(program.host);
	program_variables_keep();
	device_variables_keep();
	if (judge_is_on())
		program_exit(judge_run());
	program_exit(its(argc, argv, no_environment));
}

static void last_call(void)
{
	while (own.last_count > 0) {
		size_t i = --own.last_count;

		own.last[i](own.last_with[i]);
	}
}

static void timer_set(double seconds)
{
	struct itimerval every = { .it_value.tv_sec = (time_t)seconds,
				   .it_interval.tv_sec = 1 };
	struct sigaction a = { .sa_sigaction = late,
			       .sa_flags = SA_SIGINFO | SA_NODEFER };

	late_times = 0;
	sigaction(SIGALRM, &a, NULL);
	setitimer(ITIMER_REAL, &every, NULL);
}

static void run_main(void)
{
	const char *how;
	int status;
	locale_t messages = uselocale(LC_GLOBAL_LOCALE);

	own.running = true;
	host_threads_begin();
	own.stack_end = (uintptr_t)__builtin_frame_address(0);
	if (sigsetjmp(own.out, 0) == 0)
		main_call();
	emu_leave_kernel();
	host_threads_end();
	/* What is called at the end may end it again. */
	how = own.how;
	status = own.status;
	if (!strcmp(how, "exit") && sigsetjmp(own.out, 0) == 0) {
		host_thread_ending();
		last_call();
	}
	own.how = how;
	own.status = status;
	own.running = false;
	uselocale(messages);
	timer_set(0);
}

/* ---- what is left ---- */

/* Returns whether the program has ended in its own way after a failure, which
 * it has seen in what a later call returned, and left the rest as it was. */
static bool gave_up(void)
{
	return program.failed && (!strcmp(own.how, "signal") ||
				  (!strcmp(own.how, "exit") && own.status));
}

static void leaks_note(void)
{
	if (strcmp(own.how, "exit") != 0 || gave_up())
		return;
	for (size_t i = 0; i < device_memory.count; i++) {
		const struct allocation *a = device_memory.list[i];
		struct program_fault p = { .kind = "leak", .at = a->made,
				     .bytes = a->bytes };

		if (!a->live || a->heap)
			continue;
		program_name(a, p.name, sizeof(p.name));
		program_problem(p);
	}
}

static void error_note(void)
{
	struct program_fault p;

	/* That a CPU was too slow is no fault of the program's. */
	if (!program.error || !program.error_word || gave_up() ||
	    program.error == CUDA_ERROR_TIMEOUT)
		return;
	p = program_fault("unchecked", program.error_at, program.error_word);
	snprintf(p.name, sizeof(p.name), "%s",
		 runtime_error_name(program.error));
	program_problem(p);
}

static json_t *summary_make(void)
{
	json_t *o;

	if (!strcmp(own.how, "exit") && stream_library.program_ends)
		stream_library.program_ends();
	part_written_end();
	leaks_note();
	error_note();
	o = json_pack("{ss si sf so ss so sI so so}", "how", own.how, "status",
		      own.status, "seconds", program.job.seconds -
		      (program.deadline - seconds_now()), "at",
		      program_place_json(own.at), "what", own.what,
		      "launches", program.launch_list, "launch_count",
		      (json_int_t)program.launches, "traces", program.traces,
		      "problems", program_faults_json());
	if (program.job.kernel.program.images)
		json_object_set_new(o, "images", image_list());
	json_object_set_new(o, "failing", failing_json());
	if (judge_is_on())
		json_object_set_new(o, "judged", judge_list());
	work_summary(o);
	return o;
}

/* ---- all of it ---- */

/* Opens files before the program is confined: a byte, of which no more can be
 * made, and where the traces of launches are written. */
static int prepare_files(struct error *e)
{
	for (size_t i = 0; i < (devices.count > 1 ? LENGTH(program.parts) : 1);
	     i++) {
		program.parts[i] = temporary_file(e);
		if (program.parts[i] < 0)
			return -1;
	}
	own.byte = memfd_create("byte", MFD_ALLOW_SEALING | MFD_CLOEXEC);
	if (own.byte >= 0 && ftruncate(own.byte, 1) == 0 &&
	    fcntl(own.byte, F_ADD_SEALS, F_SEAL_GROW) == 0)
		return 0;
	return error_resource(e, errno, EXIT_RUNNER, "a program's files");
}

int program_record(struct job *job, int trace, int output, json_t **summary,
		   int (*confine)(const struct launch *l,
				  enum launch_stage stage, struct error *e),
		   struct error *e)
{
	struct launch as = { .plan.job = *job };

	program.job = *job;
	memset(job, 0, sizeof(*job));
	program.file = program.job.kernel.file;
	program.trace = trace;
	devices.count = MAX(program.job.kernel.program.devices, 1);
	device_memory.most = DEVICE_BYTES(program.job.memory);
	program.launch_list = json_array();
	program.traces = json_array();
	if (program_load(e) < 0 || prepare_files(e) < 0)
		return -1;
	program_output_begin(output);
	if (confine(&as, STAGE_RUN, e) < 0)
		return -1;
	serve_progress(0, 0, 0);
	program.deadline = seconds_now() + program.job.seconds;
	timer_set(program.job.seconds);
	budget_due(program.deadline);
	run_main();
	budget_due(0);
	if (program_traces_end(e) < 0)
		return -1;
	*summary = summary_make();
	program_output_end(output, *summary);
	return 0;
}
