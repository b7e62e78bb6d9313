/*
 * program_variables: what a program's two modules have twice. A kernel that is
 * recorded uses the recorder's variables; the host's are copied there before,
 * and what the kernel has changed is copied back. Addresses of variables in what
 * is copied become those of the other module's. See program.h.
 */
#include <stdlib.h>
#include <string.h>

#include "emu/program.h"

static struct pair {
	unsigned char *host, *recorder;
	unsigned char *was;	/* what the host's was, then the recorder's */
	size_t bytes;
} *pairs;
static size_t pair_count, pair_capacity;
/* All of a module's are from here to there. */
static struct range {
	uintptr_t from, to;
} of_host = { UINTPTR_MAX, 0 }, of_recorder = { UINTPTR_MAX, 0 };

static void range_add(struct range *r, const unsigned char *at, size_t bytes)
{
	r->from = MIN(r->from, (uintptr_t)at);
	r->to = MAX(r->to, (uintptr_t)at + bytes);
}

static void pair_add(const struct symbol *s, const struct symbol *of)
{
	struct pair *p;

	grow(&pairs, &pair_capacity, pair_count + 1, sizeof(*pairs));
	p = &pairs[pair_count++];
	*p = (struct pair) {
		.host = (void *)(program.host->load + s->at),
		.recorder = (void *)(program.recorder->load + of->at),
		.was = xmalloc(s->bytes), .bytes = s->bytes,
	};
	memcpy(p->was, p->host, p->bytes);
	range_add(&of_host, p->host, p->bytes);
	range_add(&of_recorder, p->recorder, p->bytes);
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

uintptr_t program_variable_recorder(uintptr_t host)
{
	for (size_t i = 0; i < pair_count && host - of_host.from <
					     of_host.to - of_host.from; i++)
		if (host - (uintptr_t)pairs[i].host < pairs[i].bytes)
			return (uintptr_t)pairs[i].recorder +
			       (host - (uintptr_t)pairs[i].host);
	return 0;
}

uintptr_t program_variable_host(uintptr_t recorder)
{
	for (size_t i = 0; i < pair_count && recorder - of_recorder.from <
					     of_recorder.to - of_recorder.from;
	     i++)
		if (recorder - (uintptr_t)pairs[i].recorder < pairs[i].bytes)
			return (uintptr_t)pairs[i].host +
			       (recorder - (uintptr_t)pairs[i].recorder);
	return 0;
}

void program_variable_addresses(uint64_t *words, size_t count,
				uintptr_t (*other)(uintptr_t address))
{
	for (size_t i = 0; i < count; i++) {
		uintptr_t there = other(words[i]);

		if (there)
			words[i] = there;
	}
}

static void copy(unsigned char *to, const unsigned char *from, size_t bytes,
		 uintptr_t (*other)(uintptr_t address))
{
	memcpy(to, from, bytes);
	if ((uintptr_t)to % sizeof(uint64_t) == 0)
		program_variable_addresses((uint64_t *)to,
					   bytes / sizeof(uint64_t), other);
}

/*
 * One that the host has not changed keeps what the recorder's module begins
 * with: addresses in it are that module's own.
 */
void program_variables_in(void)
{
	for (size_t i = 0; i < pair_count; i++) {
		struct pair *p = &pairs[i];

		if (memcmp(p->host, p->was, p->bytes) != 0)
			copy(p->recorder, p->host, p->bytes,
			     program_variable_recorder);
		memcpy(p->was, p->recorder, p->bytes);
	}
}

void program_variables_out(void)
{
	for (size_t i = 0; i < pair_count; i++) {
		struct pair *p = &pairs[i];

		if (memcmp(p->recorder, p->was, p->bytes) != 0)
			copy(p->host, p->recorder, p->bytes,
			     program_variable_host);
		memcpy(p->was, p->host, p->bytes);
	}
}
