/*
 * asm_test: PTX in a reader's kernel: what its registers hold, and what the
 * recorder refuses.
 */
#include "emu_ask.h"

/* UNKNOWN: an instruction of %0 = f(%1, %2), or NULL. */
static struct reply registers(const char *unknown)
{
	json_t *o = file_request("asm_registers", "32x1x1 1x1x1");
	char *text = unknown ? xasprintf("\"%s\"", unknown) : NULL;
	struct reply r;

	if (text)
		with(o, "defines", json_pack("{s:s}", "UNKNOWN", text));
	r = ask(o);
	free(text);
	return r;
}

/* The lines of copied(). */
#define COPIED_FIRST 101
#define COPIED_LAST 110

static void count_loads(void *ctx, const struct trace_info *info,
			const struct trace_warp *w,
			const struct trace_request *r)
{
	const struct trace_site *s = &info->sites[r->site];
	int *lanes = ctx;

	(void)w;
	if (s->op == OP_LD && s->array != TRACE_NO_ARRAY &&
	    !strcmp(info->arrays[s->array].name, "A") &&
	    s->line >= COPIED_FIRST && s->line <= COPIED_LAST)
		*lanes += __builtin_popcount(r->mask);
}

static void test_registers(void)
{
	struct reply r = registers(NULL);
	const struct trace_info *i = r.trace ? trace_info(r.trace) : NULL;
	int lanes = 0;

	if (!tap_ok(i && i->finding_count == 0, "every assert() holds"))
		printf("# %s\n", i ? i->findings[0].text : r.error);
	if (i && each_request(r.trace, count_loads, &lanes))
		tap_is(lanes, 8, "a lane whose predicate is true "
		       "reads nothing");
	reply_done(&r);
}

/* An instruction that is refused, in one line with its name. */
static void test_refused(void)
{
	static const char *const unknown[] = {
		"ex2.approx.f32 %0, %1",
		"setp.eq.and.s32 %0, %1, %2",
		"mov.u32 %0, %%clock",
		"mov.u32 %0, nowhere",
		"add.s32 %0, %1, 1.5",
		"add.cc.u32 %0, %1, %2",
		"add.u32 %0, %1",
		"add.u32 {%0, %0}, %1, %2",
		"ld.shared::cluster.u32 %0, [%1]",
		"cp.async.ca.shared.global [%1], [%2]",
		"shfl.sync.by.b32 %0, %1, 1, 0x1f, 0xffffffff",
		"vote.sync.none.pred %0, %1, 0xffffffff",
		"match.any.sync.b16 %0, %1, 0xffffffff",
		"redux.sync.min.f32 %0, %1, 0xffffffff",
		"{ .reg .pred p; setp.eq.s32 p|q, %1, %2; }",
	};

	for (size_t i = 0; i < LENGTH(unknown); i++) {
		struct reply r = registers(unknown[i]);
		const char *name = strchr(unknown[i], '|') ?
			"setp.eq.s32 p|q, %1, %2" : unknown[i];
		char *want = xasprintf("asm_registers.cu:128: the CPU cannot "
				       "record this PTX: %s (--on gpu can)",
				       name);

		tap_str(r.error, want, "%s is refused", unknown[i]);
		tap_is(r.status, EXIT_INPUT, "as bad input");
		free(want);
		reply_done(&r);
	}
}

int main(void)
{
	test_registers();
	test_refused();
	return tap_done();
}
