/*
 * Any bytes are PTX. They are refused with a reason, or what comes of them
 * keeps the contract, and is PTX again.
 */
#define REPLAY_CORPUS "ptx"
#include "replay.h"

#include <stdlib.h>
#include <string.h>

#include "gpu/ptx/ptx.h"

static const char recorder[] =
	".version 8.0\n.target sm_75\n.address_size 64\n"
	".visible .func gemmviz_mark(.param .b32 a) { ret; }\n";

static void refused(const struct error *e)
{
	if (!e->text[0] || (e->status != EXIT_INPUT &&
			    e->status != EXIT_RUNNER))
		abort();
}

static void sites_check(const struct ptx *p)
{
	for (size_t i = 0; i < p->site_count; i++) {
		const struct ptx_site *s = &p->sites[i];
		bool access = s->event <= PTX_STORE;

		if (s->function >= p->function_count ||
		    (s->called != UINT32_MAX &&
		     s->called >= p->function_count) ||
		    access != (s->bytes > 0) || s->bytes > 16 ||
		    (i && s->order <= p->sites[i - 1].order))
			abort();
	}
	for (size_t i = 0; i < p->symbol_count; i++)
		if (!p->symbols[i].name[0] ||
		    (p->symbols[i].function != UINT32_MAX &&
		     p->symbols[i].function >= p->function_count))
			abort();
}

static void sections_check(const struct ptx *p)
{
	for (size_t i = 0; i < p->section_count; i++) {
		const struct ptx_section *s = &p->sections[i];

		for (size_t r = 0; r < s->reference_count; r++)
			if (s->references[r].at + (s->references[r].wide ?
						   8 : 4) > s->length ||
			    !s->references[r].symbol[0])
				abort();
	}
}

/* Once it is plain, it stays as it is. */
static void plain_check(const char *text, size_t length)
{
	struct error e = { 0 };
	char *once = ptx_plain(text, length, &e), *twice;

	if (!once) {
		refused(&e);
		return;
	}
	twice = ptx_plain(once, strlen(once), &e);
	if (!twice)
		abort();
	free(once);
	free(twice);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct error e = { 0 };
	struct ptx *p = ptx_instrument((const char *)data, size, recorder,
				       &e);

	plain_check((const char *)data, size);
	if (!p) {
		refused(&e);
		return 0;
	}
	sites_check(p);
	sections_check(p);
	free(ptx_plain(p->text, strlen(p->text), &e));
	ptx_free(p);
	return 0;
}
