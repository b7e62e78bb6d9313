/*
 * host_race: see host_race.h.
 */
#include "cudart/host_race.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cudart/program.h"

#define TOUCHED_MOST 32		/* the first ones are kept */
#define BYTES_MOST (32u << 20)	/* checked of one array */
#define WORD 4u
#define STEPS_MOST 20000	/* between two waits of the host */

enum { READS = EMU_READS, WRITES = EMU_WRITES };

/* The accesses of one launch or copy to one array. */
struct touched {
	struct stream_work work;
	struct place at;
	char what[96], name[64];
	uintptr_t lo;		/* a whole page's */
	uint64_t bytes, room;
	unsigned char *words;	/* READS | WRITES, of each word */
	unsigned char *pages;	/* and of each page */
};

static struct touched *list[TOUCHED_MOST];
static size_t count;
static uint32_t steps;
static uintptr_t stepping[4];
static size_t stepping_count;

static uint64_t host_page_bytes(void)
{
	return (uint64_t)sysconf(_SC_PAGESIZE);
}

static uint64_t touched_page_count(const struct touched *t)
{
	return (t->bytes + host_page_bytes() - 1) / host_page_bytes();
}

static void touched_free(struct touched *t)
{
	free(t->words);
	free(t->pages);
	free(t);
}

static void drop_touched(size_t i)
{
	touched_free(list[i]);
	list[i] = list[--count];
}

/* ---- protection ---- */

static void open_pages(const struct touched *t)
{
	mprotect((void *)t->lo, touched_page_count(t) * host_page_bytes(),
		 PROT_READ | PROT_WRITE);
}

void host_race_open(void)
{
	for (size_t i = 0; i < count; i++)
		open_pages(list[i]);
}

/* Protects the pages that the device has written (no access) or only read
 * (read-only), run by run. */
static void close_pages(const struct touched *t, bool written)
{
	uint64_t pages = touched_page_count(t), page = host_page_bytes();

	for (uint64_t i = 0; i < pages; i++) {
		uint64_t from = i;

		while (i < pages && t->pages[i] &&
		       !!(t->pages[i] & WRITES) == written)
			i++;
		if (i > from)
			mprotect((void *)(t->lo + from * page),
				 (i - from) * page,
				 written ? PROT_NONE : PROT_READ);
	}
}

void host_race_close(void)
{
	for (int written = 0; written < 2; written++)
		for (size_t i = 0; i < count; i++)
			close_pages(list[i], written);
	program_variables_close();
}

/* Removes the entries that which(entry, with) selects, and protects the pages
 * of the others again. */
static void forget_touched(bool (*which)(const struct touched *t,
					 const void *with),
			   const void *with)
{
	if (!count)
		return;
	host_race_open();
	for (size_t i = count; i-- > 0;)
		if (which(list[i], with))
			drop_touched(i);
	if (!device_memory.open)
		host_race_close();
}

static bool is_finished(const struct touched *t, const void *with)
{
	(void)with;
	return stream_finished(t->work);
}

static bool is_in(const struct touched *t, const void *with)
{
	const struct allocation *a = with;

	return t->lo - a->slot < a->slot_bytes;
}

static bool is_this(const struct touched *t, const void *with)
{
	return t == with;
}

static bool is_any(const struct touched *t, const void *with)
{
	(void)t;
	(void)with;
	return true;
}

void host_race_waited(void)
{
	steps = 0;
	forget_touched(is_finished, NULL);
}

void host_race_freed(const struct allocation *a)
{
	forget_touched(is_in, a);
}

/* ---- recording accesses ---- */

static struct touched *touched_new(uintptr_t lo, uint64_t bytes)
{
	struct touched *t = xcalloc(1, sizeof(*t));

	t->lo = lo / host_page_bytes() * host_page_bytes();
	t->bytes = MIN(lo + bytes - t->lo, BYTES_MOST);
	t->room = bytes;
	t->words = xcalloc(t->bytes / WORD + 1, 1);
	t->pages = xcalloc(touched_page_count(t) + 1, 1);
	return t;
}

/* Marks a range of an array as read or written (`how`). */
static void mark_touched(struct touched *t, uintptr_t from, uint64_t bytes,
			 int how)
{
	const uint64_t page = host_page_bytes();
	uint64_t i = (from - t->lo) / WORD;
	uint64_t end = (from - t->lo + bytes + WORD - 1) / WORD;

	for (; i < end && i * WORD < t->bytes; i++) {
		t->words[i] |= how;
		t->pages[i * WORD / page] |= how;
	}
}

/* Returns whether two pieces of work in one stream touched the same words: a
 * host that has waited for the later has waited for both. */
static bool is_same_work(const struct touched *a, const struct touched *b)
{
	return a->work.stream == b->work.stream && a->lo == b->lo &&
	       a->bytes == b->bytes &&
	       !memcmp(a->words, b->words, a->bytes / WORD + 1);
}

/* Adds t to the list in place of earlier work that did the same; frees it if it
 * touched nothing or the list is full. */
static void keep_touched(struct touched *t)
{
	bool any = false;

	for (uint64_t i = 0; i < touched_page_count(t) && !any; i++)
		any = t->pages[i];
	for (size_t i = count; i-- > 0;)
		if (is_same_work(list[i], t))
			drop_touched(i);
	if (any && count < TOUCHED_MOST)
		list[count++] = t;
	else
		touched_free(t);
}

/* Returns the host's address of an array that the host can access, too; 0: it
 * cannot. */
static uintptr_t host_address(const struct emu_array *a)
{
	const struct allocation *of;
	uintptr_t at;

	if (a->allocated) {
		of = device_at(a->lo);
		return of && of->kind != ALLOCATION_DEVICE &&
		       !of->registered ? a->lo : 0;
	}
	if (!a->variable)
		return 0;
	/* Managed variables begin at a page. */
	at = program_variable_host(a->lo);
	return at % host_page_bytes() ? 0 : at;
}

/* Sets the array's name: of its allocation in the host's code, else
 * `otherwise`. */
static void set_array_name(struct touched *t, const struct allocation *a,
			   const char *otherwise)
{
	if (a)
		program_name(a, t->name, sizeof(t->name));
	if (!*t->name)
		snprintf(t->name, sizeof(t->name), "%s", otherwise);
}

/* A piece of the launch's work and where its array is. */
struct used_array {
	struct touched *touched;
	uintptr_t lo;
};

/* Adds what the launch did in an array to what it has touched. */
static void touch_used(void *ctx, uint64_t off, uint64_t bytes, int how)
{
	const struct used_array *u = ctx;

	mark_touched(u->touched, u->lo + off, bytes, how);
}

void host_race_launch(struct stream_work w, struct place at, const char *what)
{
	bool tells = emu_launch_tells_host();

	for (struct emu_array a = { .next = 0 };
	     !tells && emu_array_next(&a);) {
		uintptr_t lo = a.checked ? host_address(&a) : 0;
		struct touched *t;

		if (!lo)
			continue;
		t = touched_new(lo, a.bytes);
		t->work = w;
		t->at = at;
		snprintf(t->what, sizeof(t->what), "%s", what);
		set_array_name(t, a.allocated ? device_at(lo) : NULL, a.name);
		emu_array_shared(&a, t->lo + t->bytes - lo, touch_used,
				 &(struct used_array) { t, lo });
		keep_touched(t);
	}
}

void host_race_work(struct stream_work w, struct place at, const char *what,
		    const void *p, size_t pitch, size_t width, size_t height,
		    bool writes)
{
	const struct allocation *a = device_at((uintptr_t)p);
	struct touched *t;

	if (!a || a->kind == ALLOCATION_DEVICE || a->registered)
		return;
	t = touched_new(a->lo, a->bytes);
	t->work = w;
	t->at = at;
	snprintf(t->what, sizeof(t->what), "%s", what);
	set_array_name(t, a, "");
	for (size_t i = 0; i < height; i++)
		mark_touched(t, (uintptr_t)p + i * pitch, width,
			     writes ? WRITES : READS);
	keep_touched(t);
	host_race_close();
}

/* ---- accesses by the host ---- */

/* Finds unfinished work that conflicts with the host's read or write of an
 * address; NULL: none. */
static struct touched *find_touched(uintptr_t address, bool writes)
{
	for (size_t i = 0; i < count; i++) {
		uint64_t off = address - list[i]->lo;

		if (off < list[i]->bytes && list[i]->words[off / WORD] &
					    (writes ? READS | WRITES : WRITES))
			return list[i];
	}
	return NULL;
}

static bool is_page(uintptr_t address)
{
	for (size_t i = 0; i < count; i++)
		if (address - list[i]->lo <
		    touched_page_count(list[i]) * host_page_bytes())
			return true;
	return false;
}

/* Adds the program's finding that the host accesses memory at `at` before it
 * has waited for work t. */
static void report_early(const struct touched *t, bool writes, struct place at)
{
	struct program_fault p = program_fault(
		writes ? "early-write" : "early-read", at, t->what);

	p.other = t->at;
	p.room = t->room;
	snprintf(p.name, sizeof(p.name), "%s", t->name);
	program_problem(p);
}

/* Lets one instruction at the page; too many cost too much. */
static enum emu_fault let_step(uintptr_t address)
{
	uintptr_t page = address / host_page_bytes() * host_page_bytes();

	if (++steps > STEPS_MOST || stepping_count == LENGTH(stepping)) {
		forget_touched(is_any, NULL);
		return EMU_FAULT_AGAIN;
	}
	mprotect((void *)page, host_page_bytes(), PROT_READ | PROT_WRITE);
	stepping[stepping_count++] = page;
	return EMU_FAULT_STEP;
}

enum emu_fault host_race_fault(uintptr_t address, bool writes,
			       struct place at)
{
	struct touched *t = find_touched(address, writes);

	if (t) {
		report_early(t, writes, at);
		forget_touched(is_this, t);
		return EMU_FAULT_AGAIN;
	}
	return is_page(address) && !program_variable_hidden(address) ?
	       let_step(address) : EMU_FAULT_OTHER;
}

static int page_protection(uintptr_t page)
{
	int how = 0;

	for (size_t i = 0; i < count; i++) {
		uint64_t n = (page - list[i]->lo) / host_page_bytes();

		if (page >= list[i]->lo && n < touched_page_count(list[i]))
			how |= list[i]->pages[n];
	}
	return how & WRITES ? PROT_NONE : how ? PROT_READ :
	       PROT_READ | PROT_WRITE;
}

bool host_race_stepped(void)
{
	bool any = stepping_count > 0;

	while (stepping_count > 0) {
		uintptr_t page = stepping[--stepping_count];

		mprotect((void *)page, host_page_bytes(),
			 page_protection(page));
	}
	return any;
}

/* ---- system calls, whose accesses raise no signal ---- */

/* Checks a range that a system call will access for the host, and opens all
 * pages for it: the kernel's accesses raise no signal. */
static void begin_system_call(const void *p, uint64_t bytes, bool writes,
			      void *caller)
{
	for (uint64_t off = 0; count > 0 && off < bytes; off += WORD) {
		struct touched *t = find_touched((uintptr_t)p + off, writes);

		if (t) {
			report_early(t, writes,
				     program_line((uintptr_t)caller));
			forget_touched(is_this, t);
		}
	}
	host_race_open();
}

ssize_t __wrap_read(int fd, void *to, size_t bytes);
ssize_t __wrap_write(int fd, const void *from, size_t bytes);
size_t __wrap_fread(void *to, size_t bytes, size_t n, FILE *in);
size_t __wrap_fwrite(const void *from, size_t bytes, size_t n, FILE *out);

ssize_t __wrap_read(int fd, void *to, size_t bytes)
{
	ssize_t rc;

	begin_system_call(to, bytes, true, __builtin_return_address(0));
	rc = read(fd, to, bytes);
	host_race_close();
	return rc;
}

ssize_t __wrap_write(int fd, const void *from, size_t bytes)
{
	ssize_t rc;

	begin_system_call(from, bytes, false, __builtin_return_address(0));
	rc = write(fd, from, bytes);
	host_race_close();
	return rc;
}

size_t __wrap_fread(void *to, size_t bytes, size_t n, FILE *in)
{
	size_t rc;

	begin_system_call(to, bytes * n, true, __builtin_return_address(0));
	rc = fread(to, bytes, n, in);
	host_race_close();
	return rc;
}

size_t __wrap_fwrite(const void *from, size_t bytes, size_t n, FILE *out)
{
	size_t rc;

	begin_system_call(from, bytes * n, false, __builtin_return_address(0));
	rc = fwrite(from, bytes, n, out);
	host_race_close();
	return rc;
}
