/*
 * Any bytes are what a recorder says. The protocol's reader is taken whole
 * and fed directly, without a child.
 */
#define REPLAY_CORPUS "protocol"
#include "replay.h"

#include "runner/runner.c"

static struct runner *listener(void)
{
	struct runner *r = xcalloc(1, sizeof(*r));

	r->trace_fd = -1;
	r->child = (struct child){ .name = xstrdup("fuzz"), .in = -1,
				   .out = -1, .err = -1, .events = -1 };
	runner_send_message(r, json_pack("{ss}", "type", "record"));
	runner_send_message(r, json_pack("{ss}", "type", "locals"));
	return r;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct runner *r = listener();
	struct runner_event event;
	size_t half = size / 2;

	str_addn(&r->in, (const char *)data, half);
	for (int part = 0; part < 2; part++) {
		do {
			event = (struct runner_event){ .fd = -1 };
			if (!handle_input(r, &event))
				break;
			discard_event(&event);
		} while (!r->lost);
		if (part == 0 && !r->lost)
			str_addn(&r->in, (const char *)data + half,
				 size - half);
	}
	if (r->lost && !r->reason.text[0])
		fatal("lost without a reason");
	runner_free(r);
	return 0;
}
