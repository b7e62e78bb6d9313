/*
 * program_variables: what a program's two modules have twice. A kernel that is
 * recorded uses the recorder's variables; the host's are copied there before,
 * and what the kernel has changed is copied back. See program.h.
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

/*
 * One that the host has not changed keeps what the recorder's module begins
 * with: addresses in it are that module's own.
 */
void program_variables_in(void)
{
	for (size_t i = 0; i < pair_count; i++) {
		struct pair *p = &pairs[i];

		if (memcmp(p->host, p->was, p->bytes) != 0)
			memcpy(p->recorder, p->host, p->bytes);
		memcpy(p->was, p->recorder, p->bytes);
	}
}

uintptr_t program_variable_host(uintptr_t address)
{
	for (size_t i = 0; i < pair_count; i++)
		if ((uintptr_t)pairs[i].recorder == address)
			return (uintptr_t)pairs[i].host;
	return 0;
}

void program_variables_out(void)
{
	for (size_t i = 0; i < pair_count; i++) {
		struct pair *p = &pairs[i];

		if (memcmp(p->recorder, p->was, p->bytes) != 0)
			memcpy(p->host, p->recorder, p->bytes);
		memcpy(p->was, p->host, p->bytes);
	}
}
