/* Events that a GPU might have left: what becomes of them in a trace. */
#include <stdlib.h>
#include <unistd.h>

#include "gpu/record/replay.h"
#include "tap.h"
#include "trace/finding.h"

static const char recorder[] =
	".version 8.0\n.target sm_75\n.address_size 64\n"
	".visible .global .align 8 .b8 gemmviz_state[8];\n"
	".visible .func gemmviz_access(.param .b32 a, .param .b64 b,"
	" .param .b32 c) { ret; }\n"
	".visible .func gemmviz_value(.param .b32 a, .param .b32 b,"
	" .param .b32 c, .param .b32 d, .param .b32 e, .param .b32 f)"
	" { ret; }\n"
	".visible .func gemmviz_rule(.param .b32 a, .param .b64 b,"
	" .param .b32 c) { ret; }\n"
	".visible .func gemmviz_mark(.param .b32 a) { ret; }\n"
	".visible .func gemmviz_begin(.param .b32 a, .param .b64 b)"
	" { ret; }\n";

/* Lines 2 to 15 of text below. */
static const char ptx_text[] =
	".version 8.0\n.target sm_75\n.address_size 64\n"
	".visible .entry _Z1kPKfPf(.param .u64 k_0, .param .u64 k_1)\n{\n"
	".reg .f32 %f<4>; .reg .b32 %r<4>; .reg .b64 %rd<4>; .reg .f64 "
	"%fd<4>;\n"
	".shared .align 4 .b8 _ZZ1kPKfPfE2As[512];\n"
	".loc 1 1 1\n"
	"ld.param.u64 %rd1, [k_0];\nld.param.u64 %rd2, [k_1];\n"
	"mov.u32 %r1, _ZZ1kPKfPfE2As;\n"
	".loc 1 2 5\nld.global.f32 %f1, [%rd1];\n"
	".loc 1 3 5\nst.shared.f32 [%r1], %f1;\n"
	".loc 1 4 5\nbar.sync 0;\n"
	".loc 1 5 5\nld.shared.f32 %f2, [%r1];\n"
	".loc 1 6 5\nst.global.f32 [%rd2], %f2;\n"
	".loc 1 7 5\natom.global.add.f32 %f3, [%rd2], %f2;\n"
	".loc 1 8 5\nbar.warp.sync -1;\n"
	".loc 1 9 5\ncp.async.ca.shared.global [%r1], [%rd1], 16, %r1;\n"
	".loc 1 10 5\nwmma.load.a.sync.aligned.row.m8n8k4.shared.f64 {%fd1},"
	" [%r1];\n"
	".loc 1 11 5\nmembar.gl;\nmembar.cta;\nfence.proxy.async;\n"
	".loc 1 12 5\nld.volatile.global.f32 %f2, [%rd2];\n"
	"st.release.gpu.global.f32 [%rd2], %f2;\n"
	".loc 1 13 5\nstmatrix.sync.aligned.m8n8.x4.shared.b16 [%r1],"
	" {%r1, %r2, %r3, %r1};\n"
	".loc 1 14 5\nstmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%r1],"
	" {%r1, %r2, %r3, %r1};\n"
	".loc 1 15 5\natom.global.add.f32 %f3, [%rd2], %f2;\n"
	".loc 1 16 5\natom.global.cas.b32 %r1, [%rd2], %r1, %r2;\n"
	"ret;\n}\n.file 1 \"/where/k.cu\"\n";

static const char text[] =
	"__global__ void k(const float *A, float *C) {\n"
	"    float a = A[threadIdx.x];\n"
	"    As[threadIdx.x] = a;\n"
	"    __syncthreads();\n"
	"    float s = As[31 - threadIdx.x];\n"
	"    C[threadIdx.x] = s;\n"
	"    atomicAdd(C, s);\n"
	"    __syncwarp();\n"
	"    __pipeline_memcpy_async(As, A, 16, zeros);\n"
	"    load_matrix_sync(a, As, 17);\n"
	"    __threadfence();\n"
	"    flag.store(flag_before, memory_order_release);\n"
	"    stmatrix_x4(As, r);\n"
	"    stmatrix_x4_trans(As, r);\n"
	"    s = atomicAdd(C, s);\n"
	"    old = atomicCAS((int *)C, old, s); }\n";

#define THREADS 32
#define A_AT 0x10000
#define C_AT 0x20000
#define COUNTER (C_AT + 252)
#define RESERVED 1024
#define EVENTS 16

static struct ptx *ptx;
static struct plan plan;

/* One thread's events. */
struct lane {
	struct record_event e[EVENTS];
	uint32_t count;
};
static struct lane lanes[THREADS];
/* Of block 0, where `lanes` are of block 1. */
static struct lane before[THREADS];
static bool two_blocks;

/* The number of the site of this kind in this line. */
static uint32_t site_of(enum ptx_event event, uint32_t line)
{
	for (size_t i = 0; i < ptx->site_count; i++)
		if (ptx->sites[i].event == event &&
		    (!line || ptx->sites[i].line == line))
			return (uint32_t)i;
	fatal("no such site");
}

static struct record_event *event(struct lane *l, enum ptx_event what,
				  uint32_t line, enum record_space space,
				  uint64_t address)
{
	struct record_event *e = &l->e[l->count++];

	uint32_t site = site_of(what, line);

	*e = (struct record_event) {
		.site = site | (uint32_t)space << RECORD_SPACE_SHIFT,
		.address = address, .value = { line },
		.flags = ptx->sites[site].bytes << RECORD_WIDTH_SHIFT,
	};
	return e;
}

static void begin(void)
{
	for (int t = 0; t < THREADS; t++) {
		lanes[t].count = 0;
		event(&lanes[t], PTX_PLACE, 0, RECORD_SHARED, RESERVED);
	}
}

static void load(int t)
{
	event(&lanes[t], PTX_LOAD, 2, RECORD_GLOBAL,
	      A_AT + 4 * (uint64_t)t);
}

static void put(int t)
{
	event(&lanes[t], PTX_STORE, 3, RECORD_SHARED,
	      RESERVED + 4 * (uint64_t)t);
}

static void wait_all(int t)
{
	event(&lanes[t], PTX_BARRIER, 4, RECORD_NOWHERE, 0);
}

static void get(int t)
{
	event(&lanes[t], PTX_LOAD, 5, RECORD_SHARED,
	      RESERVED + 4 * (uint64_t)(31 - t));
}

static void store(int t)
{
	event(&lanes[t], PTX_STORE, 6, RECORD_GLOBAL,
	      C_AT + 4 * (uint64_t)t);
}

static int block_replayed(struct replay *r, uint32_t block,
			  const struct lane *of, struct error *e)
{
	static struct record_event events[THREADS * EVENTS];
	uint64_t first[THREADS];
	uint32_t count[THREADS];

	for (size_t i = 0; i < THREADS; i++) {
		first[i] = i * EVENTS;
		count[i] = of[i].count;
		memcpy(events + first[i], of[i].e, sizeof(of[i].e));
	}
	return replay_block(r, block, events, first, count, e);
}

/* What is known of the variables. */
static struct dwarf names;

/* Arrays whose size is assumed; NULL: all are known. */
static struct inferred_sizes *assumed;

/* What the lanes hold, as a trace; its findings are of the given kind alone,
 * or there are none (FINDING_COUNT). */
static struct trace *replayed(enum finding_kind kind, const char *what)
{
	struct trace_array a = { .name = "A", .elem = ELEM_F32,
				 .elem_bytes = 4, .rank = 2,
				 .dims = { 8, 8 } }, c = a;
	struct replay *r;
	struct trace *t;
	struct error e;
	bool as_wanted = true;
	int fd = temporary_file(&e), rc = 0;

	c.name = "C";
	r = replay_new(&plan, ptx, &names, NULL, ptx, "a GPU", "k", RESERVED,
		       dup(fd));
	replay_matrix(r, &a, 0, true, A_AT);
	replay_matrix(r, &c, 1, false, C_AT);
	if (assumed)
		replay_arguments(r, assumed);
	if (two_blocks)
		rc = block_replayed(r, 0, before, &e);
	if (rc == 0)
		rc = block_replayed(r, two_blocks, lanes, &e);
	if (rc == 0)
		rc = replay_finish(r, false, &e);
	replay_free(r);
	t = rc == 0 ? trace_open_fd(fd, "the trace", &e) : NULL;
	if (!t)
		fatal("%s", e.text);
	for (size_t i = 0; i < trace_info(t)->finding_count; i++) {
		printf("# %s\n", finding_cause(
			trace_info(t)->findings[i].cause)->word);
		as_wanted &= trace_info(t)->findings[i].kind == kind;
	}
	tap_ok(as_wanted && (trace_info(t)->finding_count > 0) ==
	       (kind != FINDING_COUNT), "%s", what);
	return t;
}

/* Of block 0, which `before` holds, and of block 1. */
static void blocks_replayed(enum finding_kind kind, const char *what)
{
	two_blocks = true;
	trace_close(replayed(kind, what));
	two_blocks = false;
}

static void request_is(struct trace *t, uint32_t i, const char *array,
		       enum op op, uint32_t line, uint32_t column,
		       uint64_t offset31)
{
	const struct trace_info *info = trace_info(t);
	const struct trace_site *s;
	struct trace_request r;
	struct error e;

	if (trace_get(t, 0, i, &r, &e))
		fatal("%s", e.text);
	s = &info->sites[r.site];
	tap_ok(r.mask == UINT32_MAX && s->op == op && s->line == line &&
	       s->column == column &&
	       (op == OP_BARRIER ||
		(!strcmp(info->arrays[s->array].name, array) &&
		 r.offset[31] == offset31 && r.value[4] == line)),
	       "request %u: %s %s, line %u", i, op_name(op), array, line);
}

static void whole(void)
{
	const struct trace_info *i;
	struct trace *t;

	begin();
	for (int l = 0; l < THREADS; l++) {
		load(l);
		put(l);
		wait_all(l);
		get(l);
		store(l);
	}
	t = replayed(FINDING_COUNT, "nothing is wrong with it");
	i = trace_info(t);
	tap_is(i->array_count, 3, "three arrays");
	tap_str(i->arrays[2].name, "As", "a shared one by its name");
	tap_is(i->arrays[2].base, 0, "at the start of what is the kernel's");
	tap_is(trace_request_count(t), 5, "32 lanes are one request");
	request_is(t, 0, "A", OP_LD, 2, 15, 4 * 31);
	request_is(t, 1, "As", OP_ST, 3, 5, 4 * 31);
	request_is(t, 2, "", OP_BARRIER, 4, 5, 0);
	request_is(t, 3, "As", OP_LD, 5, 15, 0);
	request_is(t, 4, "C", OP_ST, 6, 5, 4 * 31);
	tap_str(i->on, "gpu", "recorded on a GPU");
	trace_close(t);
}

static void faults(void)
{
	begin();
	for (int l = 0; l < THREADS; l++)
		event(&lanes[l], PTX_STORE, 3, RECORD_SHARED, RESERVED);
	trace_close(replayed(FINDING_RACE, "all store to As[0]: a race"));
	begin();
	for (int l = 0; l < THREADS; l++)
		get(l);
	trace_close(replayed(FINDING_READ_BEFORE_WRITE,
			     "what nobody wrote, is read"));
	begin();
	for (int l = 0; l < THREADS / 2; l++)
		wait_all(l);
	trace_close(replayed(FINDING_BARRIER, "half never come to a barrier"));
	begin();
	event(&lanes[3], PTX_LOAD, 2, RECORD_GLOBAL, A_AT + 256)->flags |=
		RECORD_OUTSIDE;
	trace_close(replayed(FINDING_OUT_OF_BOUNDS, "A has an end"));
	begin();
	event(&lanes[3], PTX_LOAD, 2, RECORD_GLOBAL, A_AT + 2)->flags |=
		RECORD_MISALIGNED;
	trace_close(replayed(FINDING_CRASH, "an address is aligned"));
	begin();
	event(&lanes[3], PTX_RULE, 10, RECORD_SHARED, RESERVED)->flags =
		RECORD_PITCH;
	trace_close(replayed(FINDING_CRASH, "wmma has rules"));
	begin();
	load(0);
	lanes[0].e[lanes[0].count - 1].flags |= RECORD_ENDED;
	trace_close(replayed(FINDING_CAP, "a thread that has too much to do is ended"));
}

/* In the first interval of block 1, which begins where it does. */
static void second_block(void)
{
	const struct trace_finding *f;
	struct trace *t;

	begin();
	memcpy(before, lanes, sizeof(before));
	for (int l = 0; l < THREADS; l++)
		event(&lanes[l], PTX_STORE, 3, RECORD_SHARED, RESERVED);
	two_blocks = true;
	t = replayed(FINDING_RACE, "all of block 1 store to As[0]");
	two_blocks = false;
	f = trace_info(t)->findings;
	tap_ok(f->access.block == 1 && f->other.block == 1,
	       "... and it is block 1's own race");
	trace_close(t);
}

static void inferred_sizes(void)
{
	const struct debug_type type = { .kind = DEBUG_POINTER,
					 .elem = ELEM_F32, .elem_bytes = 4 };
	const struct debug_var vars[] = { { .name = "A", .type = type },
					  { .name = "C", .type = type } };
	struct argument arguments[] = {
		{ .var = &vars[0], .array = 0, .decided = DECIDED_ASSUMED },
		{ .var = &vars[1], .array = 2, .decided = DECIDED_PROBLEM },
	};
	static struct inferred_sizes sizes;

	assumed = &sizes;
	inferred_apply(&sizes, arguments, 2);
	begin();
	event(&lanes[3], PTX_LOAD, 2, RECORD_GLOBAL, A_AT + 4 * 64)->flags |=
		RECORD_OUTSIDE;
	trace_close(replayed(FINDING_NOTE, "an assumed size is no limit"));
	tap_ok(sizes.again, "the launch is recorded again");
	sizes.again = false;
	inferred_apply(&sizes, arguments, 2);
	tap_is((long long)arguments[0].dims[0], 128, "with a larger array");
	sizes.arrays[0].note.count = 0;
	begin();
	event(&lanes[3], PTX_STORE, 6, RECORD_GLOBAL, C_AT + 4 * 64)->flags |=
		RECORD_OUTSIDE;
	trace_close(replayed(FINDING_OUT_OF_BOUNDS, "a known size is"));
	tap_ok(!sizes.again, "of which nothing is recorded again");
	assumed = NULL;
}

static void atomics(void)
{
	begin();
	for (int l = 0; l < THREADS; l++) {
		event(&lanes[l], PTX_LOAD, 7, RECORD_GLOBAL, C_AT);
		event(&lanes[l], PTX_STORE, 7, RECORD_GLOBAL, C_AT);
	}
	trace_close(replayed(FINDING_COUNT, "atomics are no race"));
	store(0);
	trace_close(replayed(FINDING_RACE, "but with a plain store they are"));
}

/* Each lane reads C[0], and has its turn there by this line's atomic. */
static void read_first(uint32_t line)
{
	begin();
	for (int l = 0; l < THREADS; l++) {
		event(&lanes[l], PTX_LOAD, 2, RECORD_GLOBAL, C_AT);
		event(&lanes[l], PTX_LOAD, line, RECORD_GLOBAL, C_AT);
		event(&lanes[l], PTX_STORE, line, RECORD_GLOBAL, C_AT);
	}
}

static void comparing(void)
{
	read_first(16);
	trace_close(replayed(FINDING_COUNT,
			     "what is read and then compared is no race"));
	store(0);
	trace_close(replayed(FINDING_RACE, "but with a plain store it is"));
	read_first(16);
	event(&lanes[3], PTX_LOAD, 12, RECORD_GLOBAL, C_AT);
	trace_close(replayed(FINDING_COUNT, "nor is a volatile read"));
	read_first(15);
	trace_close(replayed(FINDING_RACE, "it is before an atomicAdd()"));
}

/* Lanes hand over through As, which is put, read, and put again; between,
 * they wait for those of their mask. Lane `absent` ends before. */
static void hand_over(uint32_t (*mask)(int lane), int absent)
{
	begin();
	for (int l = 0; l < THREADS; l++) {
		put(l);
		if (l == absent)
			continue;
		event(&lanes[l], PTX_SYNC, 8, RECORD_NOWHERE, mask(l));
		get(l);
		event(&lanes[l], PTX_SYNC, 8, RECORD_NOWHERE, mask(l));
		put(l);
	}
}

static uint32_t everybody(int lane)
{
	(void)lane;
	return UINT32_MAX;
}

static uint32_t half(int lane)
{
	return lane < 16 ? 0xffff : 0xffff0000;
}

/* Lanes 0 and 31, 1 and 30, and so on: those who hand over. */
static uint32_t pair(int lane)
{
	return 1u << lane | 1u << (31 - lane);
}

static void warp_barriers(void)
{
	hand_over(everybody, -1);
	trace_close(replayed(FINDING_COUNT, "a warp's barrier orders lanes"));
	hand_over(pair, -1);
	trace_close(replayed(FINDING_COUNT, "so does one of two lanes"));
	hand_over(half, -1);
	trace_close(replayed(FINDING_RACE, "but not those of other halves"));
	hand_over(everybody, 5);
	trace_close(replayed(FINDING_RACE, "nor one that never came to it"));
}

/* Block 0 stores to C and hands it on, block 1 takes it over and does so, too:
 * in a flag behind it. Each can do without something. */
struct handing {
	bool fence, barrier, told, waits, barrier_behind, strong;
};

static void flag(int l, const struct handing *h)
{
	uint32_t line = h->strong ? 12 : 7;

	event(&lanes[l], PTX_LOAD, line, RECORD_GLOBAL, COUNTER);
	if (!h->strong)
		event(&lanes[l], PTX_STORE, line, RECORD_GLOBAL, COUNTER);
}

static void tell(int l, const struct handing *h)
{
	if (!h->strong) {
		flag(l, h);
		return;
	}
	event(&lanes[l], PTX_FENCE, 12, RECORD_NOWHERE, 0);
	event(&lanes[l], PTX_STORE, 12, RECORD_GLOBAL, COUNTER);
}

static void handed(struct handing h, enum finding_kind kind, const char *what)
{
	begin();
	for (int l = 0; l < THREADS; l++) {
		store(l);
		if (h.fence)
			event(&lanes[l], PTX_FENCE, 11, RECORD_NOWHERE, 0);
		if (h.barrier)
			wait_all(l);
		if (h.told && l == 0)
			tell(l, &h);
	}
	memcpy(before, lanes, sizeof(before));
	begin();
	for (int l = 0; l < THREADS; l++) {
		if (h.waits && l == 0)
			flag(l, &h);
		if (h.barrier_behind)
			wait_all(l);
		store(l);
	}
	blocks_replayed(kind, what);
}

/* Block 0 looks at the flag and then stores, as the last of two does that
 * adds up, and block 1 is the one that was before. */
static void handed_back(struct handing h, enum finding_kind kind,
			const char *what)
{
	begin();
	for (int l = 0; l < THREADS; l++) {
		if (!h.barrier_behind)
			store(l);
		if (h.waits && l == 0)
			flag(l, &h);
		if (h.barrier)
			wait_all(l);
		if (h.barrier_behind)
			store(l);
	}
	memcpy(before, lanes, sizeof(before));
	begin();
	for (int l = 0; l < THREADS; l++) {
		store(l);
		if (h.fence)
			event(&lanes[l], PTX_FENCE, 11, RECORD_NOWHERE, 0);
		wait_all(l);
		if (h.told && l == 0)
			tell(l, &h);
	}
	blocks_replayed(kind, what);
}

/* Lane 0 waits for lane 5 of its block. */
static void handed_within(bool fence, enum finding_kind kind, const char *what)
{
	struct handing h = { .fence = fence };

	begin();
	flag(0, &h);
	store(0);
	event(&lanes[5], PTX_STORE, 6, RECORD_GLOBAL, C_AT);
	if (fence)
		event(&lanes[5], PTX_FENCE, 11, RECORD_NOWHERE, 0);
	tell(5, &h);
	trace_close(replayed(kind, what));
}

static void blocks_back(void)
{
	struct handing h = { true, true, true, true, true, false };

	handed_back(h, FINDING_COUNT, "a block hands on to an earlier one");
	h.fence = false;
	handed_back(h, FINDING_RACE, "not without a fence either");
	h = (struct handing) { true, true, false, true, true, false };
	handed_back(h, FINDING_RACE, "nor without an atomic");
	h = (struct handing) { true, true, true, false, true, false };
	handed_back(h, FINDING_RACE, "nor to one who does not look");
	h = (struct handing) { true, true, true, true, false, false };
	handed_back(h, FINDING_RACE, "nor to one who has not looked yet");
	h = (struct handing) { true, false, true, true, true, false };
	handed_back(h, FINDING_RACE, "nor to those who have not met him");
}

/* Thread 0 of each block counts, in this line; whose block comes last, clears
 * the counter behind a barrier. `again`: all do so twice, and wait between. */
struct counting { int last; uint32_t line; bool again; };

static void count_at(int t, uint32_t line, uint64_t at)
{
	event(&lanes[t], PTX_LOAD, line, RECORD_GLOBAL, at);
	event(&lanes[t], PTX_STORE, line, RECORD_GLOBAL, at);
}

static void count(const struct counting *c, int block, int last)
{
	count_at(0, c->line, COUNTER);
	for (int l = 0; l < THREADS; l++)
		wait_all(l);
	if (block == last)
		event(&lanes[0], PTX_STORE, 6, RECORD_GLOBAL, COUNTER);
}

static void counted(const struct counting *c, int block)
{
	begin();
	event(&lanes[0], PTX_STORE, 6, RECORD_GLOBAL,
	      C_AT + 4 + 4 * (uint64_t)block);
	event(&lanes[0], PTX_FENCE, 11, RECORD_NOWHERE, 0);
	count(c, block, c->last);
	if (block == c->last) {
		event(&lanes[0], PTX_LOAD, 2, RECORD_GLOBAL, C_AT + 4);
		event(&lanes[0], PTX_LOAD, 2, RECORD_GLOBAL, C_AT + 8);
	}
	if (c->again) {
		event(&lanes[0], PTX_FENCE, 11, RECORD_NOWHERE, 0);
		count_at(0, 15, COUNTER - 4);
		count(c, block, !c->last);
	}
}

static void last_of_two(struct counting c, enum finding_kind kind,
			const char *what)
{
	counted(&c, 0);
	memcpy(before, lanes, sizeof(before));
	counted(&c, 1);
	blocks_replayed(kind, what);
}

static void last_blocks(void)
{
	last_of_two((struct counting) { 1, 15, false }, FINDING_COUNT,
		    "the last block clears a counter");
	last_of_two((struct counting) { 0, 15, false }, FINDING_COUNT,
		    "which may be any block");
	last_of_two((struct counting) { 1, 15, true }, FINDING_COUNT,
		    "and another one in the next round");
	last_of_two((struct counting) { 0, 15, true }, FINDING_COUNT,
		    "in any order");
	last_of_two((struct counting) { 1, 7, false }, FINDING_RACE,
		    "not if its atomic does not say that it is the last");
	last_of_two((struct counting) { 0, 7, false }, FINDING_RACE,
		    "whichever it is");
}

/* Block 0 counts here and then accesses the counter; block 1 counts, too, and
 * may store to it. */
static void beside(uint64_t here, enum ptx_event what, bool store,
		   enum finding_kind kind, const char *why)
{
	begin();
	count_at(0, 15, here);
	event(&lanes[0], what, what == PTX_LOAD ? 2 : 6, RECORD_GLOBAL,
	      COUNTER);
	memcpy(before, lanes, sizeof(before));
	begin();
	count_at(0, 15, COUNTER);
	if (store)
		event(&lanes[0], PTX_STORE, 6, RECORD_GLOBAL, COUNTER);
	blocks_replayed(kind, why);
}

static void counters(void)
{
	static const struct counting c = { 0, 15, false };

	beside(COUNTER, PTX_STORE, false, FINDING_COUNT,
	       "others may count before who counts and clears");
	beside(COUNTER, PTX_LOAD, false, FINDING_COUNT, "or reads");
	beside(COUNTER - 4, PTX_STORE, false, FINDING_RACE,
	       "not before who counts elsewhere and clears");
	beside(COUNTER - 4, PTX_LOAD, false, FINDING_RACE, "or reads");
	beside(COUNTER, PTX_STORE, true, FINDING_RACE, "nor may two clear");
	begin();
	count(&c, 0, 0);
	count_at(5, 15, COUNTER);
	trace_close(replayed(FINDING_RACE, "nor one count behind a barrier"));
}

static void blocks(void)
{
	struct handing h = { true, true, true, true, true, false };
	int fences = 0;

	handed(h, FINDING_COUNT, "a block hands on to the next");
	h.fence = false;
	handed(h, FINDING_RACE, "not without a fence");
	h.strong = true;
	handed(h, FINDING_COUNT, "unless it is a release by itself");
	h.barrier = false;
	handed(h, FINDING_RACE, "nor without a barrier");
	h = (struct handing) { true, true, false, true, true, false };
	handed(h, FINDING_RACE, "nor without an atomic");
	h = (struct handing) { true, true, true, false, true, false };
	handed(h, FINDING_RACE, "nor to one who does not look");
	h = (struct handing) { true, true, true, true, false, false };
	handed(h, FINDING_RACE, "nor without a barrier behind it");
	for (size_t i = 0; i < ptx->site_count; i++)
		fences += ptx->sites[i].event == PTX_FENCE;
	tap_is(fences, 2, "fences of a block or of TMA are none of these");
}

/* Lane 0 copies 16 bytes of which it reads so many; how they are read. */
static void copied(uint32_t bytes, uint32_t pieces, uint32_t of)
{
	struct record_event *e;
	struct trace_request q;
	struct trace *t;
	struct error error;

	begin();
	e = event(&lanes[0], PTX_LOAD, 9, RECORD_GLOBAL, A_AT + 16);
	e->flags = bytes << RECORD_WIDTH_SHIFT;
	memcpy(e->value, "0123456789abcde", 16);
	t = replayed(FINDING_COUNT, "a copy from A");
	tap_is(trace_request_count(t), pieces, "reads of what is not zeros");
	for (uint32_t i = 0; i < pieces; i++) {
		uint32_t want[4] = { 0 };

		if (trace_get(t, 0, i, &q, &error))
			fatal("%s", error.text);
		memcpy(want, (const char *)e->value + i * of, of);
		tap_ok(trace_info(t)->sites[q.site].bytes == of &&
		       q.offset[0] == 16 + i * of &&
		       !memcmp(q.value, want, sizeof(want)),
		       "%u bytes and their value", of);
	}
	trace_close(t);
}

static void copies(void)
{
	copied(16, 1, 16);
	copied(8, 1, 8);
	copied(12, 3, 4);
	copied(3, 3, 1);
	copied(0, 0, 0);
}

/* Half h of register i of a lane. */
static uint16_t half_of(int lane, int i, int h)
{
	return (uint16_t)(lane << 8 | i << 4 | h);
}

/* Lane l names row l % 8 of matrix l / 8. What is in row `down` and column
 * `along` of it has, says the PTX ISA, lane 4 * down + along / 2. */
static bool row_right(const struct trace_request *q, int l, bool transposed)
{
	uint16_t row[8];
	bool right = true;

	memcpy(row, &q->value[4 * l], sizeof(row));
	for (int c = 0; c < 8; c++) {
		int down = transposed ? c : l % 8;
		int along = transposed ? l % 8 : c;

		right = right && row[c] == half_of(4 * down + along / 2, l / 8,
						   along % 2);
	}
	return right;
}

static void stored(uint32_t line, bool transposed)
{
	struct trace_request q;
	struct trace *t;
	struct error e;
	int right = 0;

	begin();
	for (int l = 0; l < THREADS; l++) {
		struct record_event *given = event(&lanes[l], PTX_ROWS, line,
						   RECORD_NOWHERE, 0);

		for (int i = 0; i < 4; i++)
			given->value[i] = half_of(l, i, 0) |
					  (uint32_t)half_of(l, i, 1) << 16;
		event(&lanes[l], PTX_STORE, line, RECORD_SHARED,
		      RESERVED + 16 * (uint64_t)l)->value[0] = 0;
	}
	t = replayed(FINDING_COUNT, transposed ? "stmatrix.trans" : "stmatrix");
	tap_is(trace_request_count(t), 1, "its rows are one request");
	if (trace_get(t, 0, 0, &q, &e))
		fatal("%s", e.text);
	for (int l = 0; l < THREADS; l++)
		right += row_right(&q, l, transposed);
	tap_is(right, THREADS, "made of what all lanes gave");
	trace_close(t);
}

/* As is a structure of 8 numbers and 24 more. */
static void members(void)
{
	struct debug_type of = { .kind = DEBUG_AGGREGATE, .bytes = 32,
				 .elem = ELEM_F32, .elem_bytes = 4,
				 .rank = 1, .dims = { 8 } };
	struct debug_var m[] = { { .name = "As.few", .type = of },
				 { .name = "As.many", .type = of, .at = 32 } };
	struct debug_var v = { .name = "As", .home = DEBUG_DATA,
			       .members = m, .member_count = 2,
			       .type = { .kind = DEBUG_AGGREGATE, .bytes = 128,
					 .elem = ELEM_RAW, .elem_bytes = 128 },
			       .at = 1ll << 32 };
	struct debug d = { .vars = &v, .var_count = 1 };
	const char *symbol = "_ZZ1kPKfPfE2As";
	struct trace_request q;
	struct error e;
	struct trace *t;

	m[1].type.bytes = 96;
	m[1].type.dims[0] = 24;
	names = (struct dwarf) { .debug = &d, .symbols = &symbol,
				 .symbol_count = 1 };
	begin();
	for (int l = 0; l < THREADS; l++)
		put(l);
	t = replayed(FINDING_COUNT, "a structure in shared memory");
	tap_is(trace_request_count(t), 2, "its members are arrays");
	for (uint32_t i = 0; i < 2; i++) {
		const struct trace_info *info = trace_info(t);
		const struct trace_array *a;

		if (trace_get(t, 0, i, &q, &e))
			fatal("%s", e.text);
		a = &info->arrays[info->sites[q.site].array];
		tap_str(a->name, m[i].name, "by their names");
		tap_is(a->base, m[i].at, "where they are");
		tap_is(q.mask, i ? 0xffffff00 : 0xff, "each with its lanes");
		tap_is(q.offset[31], i ? 4 * 23 : 0, "and its places");
	}
	trace_close(t);
	begin();
	for (int l = 0; l < THREADS; l++)
		event(&lanes[l], PTX_STORE, 3, RECORD_SHARED, RESERVED + 40);
	trace_close(replayed(FINDING_RACE, "all store to As.many[2]: a race"));
	names = (struct dwarf) { 0 };
}

/* The members of a variable, as nvcc describes it: "out 0, wide 8". */
static void members_say(const struct debug *d, const char *name, struct str *s)
{
	for (size_t i = 0; i < d->var_count; i++) {
		const struct debug_var *v = &d->vars[i];

		if (strcmp(v->name, name) != 0)
			continue;
		for (size_t k = 0; k < v->member_count; k++) {
			const struct debug_var *m = &v->members[k];

			str_addf(s, "%s %d %s %u, ", m->name, (int)m->at,
				 elem_name(m->type.elem), m->type.rank);
		}
	}
}

static void described(void)
{
	char *command = xasprintf("PATH=$PATH:/usr/local/cuda/bin nvcc -G "
				  "-arch=compute_75 -ptx -o /dev/stdout "
				  "%s/tests/kernels/members.cu 2>/dev/null",
				  getenv("srcdir"));
	FILE *f = popen(command, "r");
	struct str code = { 0 }, said = { 0 };
	struct dwarf real;
	struct ptx *p;
	struct error e;
	char line[4096];

	while (f && fgets(line, sizeof(line), f))
		str_add(&code, line);
	free(command);
	if (!f || pclose(f) != 0) {
		tap_skip("members as nvcc describes them", "no nvcc");
		return;
	}
	p = ptx_instrument(code.data, code.len, recorder, &e);
	if (!p || dwarf_read(&real, p, &e) < 0)
		fatal("%s", e.text);
	members_say(real.debug, "s", &said);
	members_say(real.debug, "pairs", &said);
	tap_str(said.data, "s.out 0 f32 0, s.wide 8 f64 1, "
		"s.narrow 264 u16 2, ", "nvcc says where members are");
	dwarf_done(&real);
	ptx_free(p);
	str_done(&code);
	str_done(&said);
}

static void plan_read(void)
{
	struct job job;
	struct error e;
	json_t *o = json_pack("{s:s, s:i, s:{s:s, s:s, s:s}, s:i, s:i, s:i,"
			      " s:[i,i,i], s:[i,i,i]}", "type", "record",
			      "id", 1, "source", "file", "k.cu", "text", text,
			      "entry", "k", "m", 8, "n", 8, "k", 8, "block",
			      THREADS, 1, 1, "grid", 2, 1, 1);

	if (job_object(&job, o, &e) || plan_make(&plan, &job, NULL, &e))
		fatal("%s", e.text);
	job_done(&job);
	json_decref(o);
}

int main(void)
{
	struct error e;

	plan_read();
	ptx = ptx_instrument(ptx_text, strlen(ptx_text), recorder, &e);
	if (!ptx)
		fatal("%s", e.text);
	whole();
	faults();
	second_block();
	inferred_sizes();
	atomics();
	comparing();
	warp_barriers();
	blocks();
	blocks_back();
	last_blocks();
	counters();
	handed_within(true, FINDING_COUNT, "a thread hands on to another");
	handed_within(false, FINDING_RACE, "with a fence");
	copies();
	stored(13, false);
	stored(14, true);
	members();
	described();
	ptx_free(ptx);
	plan_done(&plan);
	return tap_done();
}
