/* Requests for questions. */
#include "drill/drill_access.h"

#include <string.h>

#include "base/expr.h"

const char *drill_type(uint32_t bytes)
{
	return bytes == 2 ? "half" : bytes == 4 ? "float" :
	       bytes == 8 ? "float2" : "float4";
}

static int lane_of(void *ctx, const char *name, struct value *out,
		   struct error *e)
{
	if (strcmp(name, "lane"))
		return error_set(e, EXIT_BUG, "no name %s", name);
	*out = value_int(*(int *)ctx);
	return 0;
}

void drill_request(struct drill_question *q, enum access_space space,
		   enum op op, uint32_t bytes, int lanes,
		   struct access_cost *cost)
{
	int lane;
	const struct expr_env env = { .name = lane_of, .ctx = &lane };
	struct value v;
	struct error e;

	q->about = DRILL_ACCESS;
	q->access = (struct access){ .space = space, .op = op, .bytes = bytes };
	for (lane = 0; lane < lanes; lane++) {
		if (expr_value(q->index, &env, &v, &e))
			fatal("drill: %s: %s", q->index, e.text);
		q->access.mask |= 1u << lane;
		q->access.address[lane] = (uint64_t)v.i * bytes;
	}
	if (access_cost(&q->access, cost, &e))
		fatal("drill: %s: %s", q->index, e.text);
}

void drill_lanes(char *buf, size_t size, uint32_t lanes)
{
	size_t n = 0;

	buf[0] = 0;
	for (int lane = 0; lane < WARP_LANES; lane++)
		if (lanes >> lane & 1 && n < size)
			n += (size_t)snprintf(buf + n, size - n, "%s%d",
					      n ? ", " : "", lane);
}
