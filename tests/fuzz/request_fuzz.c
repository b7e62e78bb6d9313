/*
 * Any line is what the interface asks of the recorder: it is refused with a
 * reason, or what it asks for is within its bounds.
 */
#define REPLAY_CORPUS "request"
#include "replay.h"

#include "record/request.c"

static bool in_bounds(const struct request *r)
{
	if (r->kind == REQUEST_TIME || r->kind == REQUEST_PAUSE ||
	    r->kind == REQUEST_CANCEL)
		return json_is_object(r->message);
	if (r->kind == REQUEST_LOCALS)
		return r->count <= LOCALS_MAX;
	return r->size.m >= 1 && r->size.n >= 1 && r->size.k >= 1 &&
	       !r->kernel != !r->text &&
	       r->spaces != 0 && r->max_events > 0 && r->seconds > 0 &&
	       (!r->has_block ||
		(uint64_t)r->block.x * r->block.y * r->block.z <= 1024);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct request r;
	struct error e = { 0 };

	if (request_parse(&r, (const char *)data, size, &e) < 0) {
		if (!e.text[0] || e.status != EXIT_USAGE)
			fatal("refused without a reason");
	} else if (!in_bounds(&r)) {
		fatal("accepted what is out of bounds");
	}
	request_done(&r);
	return 0;
}
