/*
 * program_variables: the variables that both modules of a program have. A
 * kernel that is recorded uses the recorder's; the host's are copied there
 * before, and what the kernel has changed is copied back. Addresses of
 * variables in what is copied become those of the other module's. While the
 * host of a judged function runs, it does not have what kernels have stored: as
 * on a GPU, where a variable of the device is elsewhere. See program.h.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cudart/program.h"
#include "cudart/program_judge.h"

/* What the host has in place of each byte. */
#define HIDDEN_BYTE 0xff

enum side { HOST, RECORDER };

static struct pair {
	unsigned char *at[2];
	unsigned char *was;	/* what the host's was, then the recorder's */
	size_t bytes;
	bool stored;		/* a kernel has stored to it: the device's */
	unsigned char *hidden;	/* what the host may not see; or NULL */
} *pairs;
static size_t pair_count, pair_capacity;
/* All variables of a module are from here to there. */
static struct range {
	uintptr_t from, to;
} ranges[] = { { UINTPTR_MAX, 0 }, { UINTPTR_MAX, 0 } };

static void pair_add(const struct symbol *s, const struct symbol *of)
{
	struct pair *p;

	grow(&pairs, &pair_capacity, pair_count + 1, sizeof(*pairs));
	p = &pairs[pair_count++];
	*p = (struct pair) {
		.at = { (void *)(program.host->load + s->at),
			(void *)(program.recorder->load + of->at) },
		.was = xmalloc(s->bytes), .bytes = s->bytes,
	};
	memcpy(p->was, p->at[HOST], p->bytes);
	for (int side = 0; side < 2; side++) {
		uintptr_t at = (uintptr_t)p->at[side];

		ranges[side].from = MIN(ranges[side].from, at);
		ranges[side].to = MAX(ranges[side].to, at + p->bytes);
	}
}

void program_variables_keep(void)
{
	for (size_t i = 0; i < program.host_symbols.count; i++) {
		const struct symbol *s = &program.host_symbols.list[i];
		const struct symbol *of;

		if (!s->variable || !s->bytes)
			continue;
		of = symbols_named(&program.recorder_symbols, s->name, s->nth);
		if (of && of->variable && of->bytes == s->bytes)
			pair_add(s, of);
	}
}

/* Finds where the other module has the variable that one has at an address; 0:
 * nowhere. */
static uintptr_t find_counterpart(uintptr_t address, enum side its)
{
	const struct range *r = &ranges[its];

	if (address - r->from >= r->to - r->from)
		return 0;
	for (size_t i = 0; i < pair_count; i++) {
		uintptr_t at = (uintptr_t)pairs[i].at[its];

		if (address - at < pairs[i].bytes)
			return (uintptr_t)pairs[i].at[!its] + (address - at);
	}
	return 0;
}

uintptr_t program_variable_host(uintptr_t recorder)
{
	return find_counterpart(recorder, RECORDER);
}

bool program_variable_at(uintptr_t address)
{
	return find_counterpart(address, HOST) ||
	       find_counterpart(address, RECORDER);
}

static void addresses_move(uint64_t *words, size_t count, enum side from)
{
	for (size_t i = 0; i < count; i++) {
		uintptr_t there = find_counterpart(words[i], from);

		if (there)
			words[i] = there;
	}
}

void program_variable_addresses(uint64_t *words, size_t count)
{
	addresses_move(words, count, HOST);
}

static void copy_variable(struct pair *p, enum side from)
{
	unsigned char *to = p->at[!from];

	memcpy(to, p->at[from], p->bytes);
	if ((uintptr_t)to % sizeof(uint64_t) == 0)
		addresses_move((uint64_t *)to, p->bytes / sizeof(uint64_t),
			       from);
}

/* Sets whether the host may touch the pages that hold nothing else. */
static void protect_pages(const struct pair *p, int protection)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	uintptr_t from = ((uintptr_t)p->at[HOST] + page - 1) / page * page;
	uintptr_t to = ((uintptr_t)p->at[HOST] + p->bytes) / page * page;

	if (from < to)
		mprotect((void *)from, to - from, protection);
}

static void hide_variable(struct pair *p)
{
	p->hidden = xmalloc(p->bytes);
	memcpy(p->hidden, p->at[HOST], p->bytes);
	memset(p->at[HOST], HIDDEN_BYTE, p->bytes);
	protect_pages(p, PROT_NONE);
}

/* Gives a variable what it holds, but where the host has written. */
static void show_variable(struct pair *p)
{
	protect_pages(p, PROT_READ | PROT_WRITE);
	for (size_t i = 0; i < p->bytes; i++)
		if (p->at[HOST][i] == HIDDEN_BYTE)
			p->at[HOST][i] = p->hidden[i];
	free(p->hidden);
	p->hidden = NULL;
}

void program_variables_close(void)
{
	for (size_t i = 0; i < pair_count; i++)
		if (pairs[i].hidden)
			protect_pages(&pairs[i], PROT_NONE);
}

void program_variables_hide(void)
{
	for (size_t i = 0; judge_is_on() && i < pair_count; i++)
		if (pairs[i].stored && !pairs[i].hidden)
			hide_variable(&pairs[i]);
}

void program_variables_show(void)
{
	for (size_t i = 0; judge_is_on() && i < pair_count; i++)
		if (pairs[i].hidden)
			show_variable(&pairs[i]);
}

bool program_variable_hidden(uintptr_t address)
{
	for (size_t i = 0; i < pair_count; i++)
		if (pairs[i].hidden &&
		    address - (uintptr_t)pairs[i].at[HOST] < pairs[i].bytes)
			return true;
	return false;
}

/*
 * Copies the host's variables that have changed to the recorder's module. One
 * that the host has not changed keeps what the recorder's module begins with:
 * addresses in it are that module's own.
 */
void program_variables_in(void)
{
	for (size_t i = 0; i < pair_count; i++) {
		struct pair *p = &pairs[i];

		if (memcmp(p->at[HOST], p->was, p->bytes) != 0)
			copy_variable(p, HOST);
		memcpy(p->was, p->at[RECORDER], p->bytes);
	}
}

void program_variables_out(void)
{
	for (size_t i = 0; i < pair_count; i++) {
		struct pair *p = &pairs[i];

		if (memcmp(p->at[RECORDER], p->was, p->bytes) != 0) {
			copy_variable(p, RECORDER);
			p->stored = true;
		}
		memcpy(p->was, p->at[HOST], p->bytes);
	}
}
