/* machine_alone: a launch of anybody's machine code. See machine.h. */
#include <stdlib.h>
#include <string.h>

#include "base/lang.h"
#include "machine/machine_parts.h"

#define FIRST_ADDRESS (UINT64_C(0x7f) << 40)
#define APART (UINT64_C(1) << 36)
#define BYTES_MOST (UINT64_C(128) << 20)

struct alone {
	struct run_memory memory[MACHINE_PARAMETERS];
	size_t count;
	uint8_t parameters[4096];
};

/* Puts the arguments where the code reads them, and makes the arrays. */
static char *make_arguments(struct alone *a, const struct machine_code *c,
			    const struct machine_argument *arguments)
{
	uint64_t total = 0;

	for (uint32_t i = 0; i < c->parameter_count; i++) {
		uint32_t at = c->parameters[i].offset;
		uint32_t size = c->parameters[i].size;
		uint64_t value = arguments[i].value;

		if (at + size > sizeof(a->parameters))
			return xstrdup(_("its parameters are damaged"));
		if (arguments[i].is_array) {
			total += arguments[i].bytes;
			if (total > BYTES_MOST)
				return xasprintf(_("its arrays take more than "
						   "%d MB"),
						 (int)(BYTES_MOST >> 20));
			value = FIRST_ADDRESS + i * APART;
			a->memory[a->count++] = (struct run_memory){
				value, arguments[i].bytes,
				xcalloc(arguments[i].bytes + 1, 1),
			};
		}
		memcpy(a->parameters + at, &value, MIN(size, sizeof(value)));
	}
	return NULL;
}

static char *run_launch(struct machine_launch *m, struct alone *a,
			struct trace_dim grid, struct trace_dim block,
			uint32_t shared)
{
	struct machine_code *c = &m->code;
	struct run_launch l = {
		.sass = c->sass, .arch = c->arch, .grid = grid, .block = block,
		.shared_bytes = c->shared + shared,
		.local_bytes = MIN(c->stack, LOCAL_MOST),
		.parameters = a->parameters,
		.parameter_bytes = MIN(c->parameter_bytes,
				       (uint32_t)sizeof(a->parameters)),
		.memory = a->memory, .memory_count = a->count,
		.steps_most = STEPS_MOST,
	};
	uint64_t blocks = (uint64_t)grid.x * grid.y * grid.z;
	char *why = NULL;
	struct error e;
	struct machine_run *r;

	memcpy(l.banks, c->banks, sizeof(l.banks));
	r = run_new(&l, &e);
	if (!r)
		return xstrdup(e.text);
	for (uint64_t b = 0; b < blocks && !why; b++)
		if (run_block(r, (uint32_t)b, NULL, NULL, &e) < 0)
			why = xstrdup(e.text);
	m->steps = run_steps(r);
	if (!why)
		machine_take(m, r, NULL);
	run_free(r);
	return why;
}

void machine_alone(struct machine_launch *m, struct machine_code *code,
		   struct trace_dim grid, struct trace_dim block,
		   uint32_t shared, const struct machine_argument *arguments)
{
	struct alone a = { .count = 0 };

	*m = (struct machine_launch){ .code = *code };
	*code = (struct machine_code){ .registers = NA };
	machine_begin(m);
	m->why = machine_unknown(m->code.sass);
	if (!m->why)
		m->why = make_arguments(&a, &m->code, arguments);
	if (!m->why)
		m->why = run_launch(m, &a, grid, block, shared);
	if (!m->why)
		m->held = MACHINE_ALONE;
	while (a.count)
		free(a.memory[--a.count].data);
}
