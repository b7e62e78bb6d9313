/*
 * nccl_do: a collective or a message, once all its ranks have called it: what
 * it does to memory, after which work of other streams each rank's comes, and
 * which bytes cross which link. NCCL passes data on in rings or in trees, as it
 * likes; here it goes in a ring, in the order of ranks, which needs no more
 * bytes on any link than another way does. Sums are made in the order of ranks.
 * See nccl.h.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cudart/devices.h"
#include "cudart/libs/nccl.h"
#include "cudart/program_work.h"
#include "cudart/runtime.h"
#include "cudart/stream_race.h"
#include "record/contents.h"

/* real: of numbers that a double holds; 8-bit reals are only moved. */
static const struct { uint32_t bytes; enum elem elem; bool real; } types[] = {
	[ncclInt8] = { 1, ELEM_I8, false },
	[ncclUint8] = { 1, ELEM_U8, false },
	[ncclInt32] = { 4, ELEM_I32, false },
	[ncclUint32] = { 4, ELEM_U32, false },
	[ncclInt64] = { 8, ELEM_I64, false },
	[ncclUint64] = { 8, ELEM_U64, false },
	[ncclFloat16] = { 2, ELEM_F16, true },
	[ncclFloat32] = { 4, ELEM_F32, true },
	[ncclFloat64] = { 8, ELEM_F64, true },
	[ncclBfloat16] = { 2, ELEM_BF16, true },
	[ncclFloat8e4m3] = { 1, ELEM_RAW, false },
	[ncclFloat8e5m2] = { 1, ELEM_RAW, false },
};

/* ---- reductions that programs make: each rank's input times a scalar ---- */

static struct multiplied {
	const struct ncclComm *comm;
	int op, type;
	unsigned char scalar[8];
	const void *there;	/* read when it is done; NULL: was at once */
} *ops;
static size_t op_count, op_capacity;

int gemmviz_nccl_op(ncclRedOp_t *op, const void *scalar, int type, int now,
		    ncclComm_t comm)
{
	int next = ncclNumOps;
	struct multiplied *m;

	if (!op || !scalar || type < 0 || type >= ncclNumTypes)
		return ncclInvalidArgument;
	for (size_t i = 0; i < op_count; i++)
		next += ops[i].comm == comm;
	grow(&ops, &op_capacity, op_count + 1, sizeof(*ops));
	m = &ops[op_count++];
	*m = (struct multiplied) { .comm = comm, .op = next, .type = type,
				   .there = now ? NULL : scalar };
	if (now)
		memcpy(m->scalar, scalar, types[type].bytes);
	*op = (ncclRedOp_t)next;
	return ncclSuccess;
}

static struct multiplied *find_user_op(int op, const struct ncclComm *comm)
{
	for (size_t i = 0; i < op_count; i++)
		if (ops[i].op == op && ops[i].comm == comm)
			return &ops[i];
	return NULL;
}

bool nccl_op_known(int op, const struct ncclComm *comm)
{
	return (op >= 0 && op < ncclNumOps) || find_user_op(op, comm);
}

/* ---- elements ---- */

static double real_combined(int op, double a, double b)
{
	switch (op) {
	case ncclProd: return a * b;
	case ncclMax: return fmax(a, b);
	case ncclMin: return fmin(a, b);
	default: return a + b;
	}
}

/* Of whole numbers, which wrap. */
#define WHOLE_COMBINE(name, T, wide) \
	static void name##_combine(int op, T *to, const T *from, size_t n) \
	{ \
		for (size_t i = 0; i < n; i++) { \
			T a = to[i], b = from[i]; \
	\
			to[i] = op == ncclProd ? (T)((wide)a * (wide)b) : \
				op == ncclMax ? MAX(a, b) : \
				op == ncclMin ? MIN(a, b) : \
				(T)((wide)a + (wide)b); \
		} \
	} \
	static void name##_divide(T *to, size_t n, T by) \
	{ \
		for (size_t i = 0; i < n; i++) \
			to[i] = (T)(to[i] / by); \
	}
WHOLE_COMBINE(i8, int8_t, uint32_t)
WHOLE_COMBINE(u8, uint8_t, uint32_t)
WHOLE_COMBINE(i32, int32_t, uint32_t)
WHOLE_COMBINE(u32, uint32_t, uint32_t)
WHOLE_COMBINE(i64, int64_t, uint64_t)
WHOLE_COMBINE(u64, uint64_t, uint64_t)

#define WHOLE_TYPES(X) \
	X(ncclInt8, i8) X(ncclUint8, u8) X(ncclInt32, i32) \
	X(ncclUint32, u32) X(ncclInt64, i64) X(ncclUint64, u64)

static void combine(int type, int op, void *to, const void *from, size_t n)
{
	enum elem e = types[type].elem;

	for (size_t i = 0; i < n && types[type].real; i++) {
		double a = 0, b = 0;

		contents_value(e, to, i, &a);
		contents_value(e, from, i, &b);
		contents_set(e, types[type].bytes, to, i,
			     real_combined(op, a, b));
	}
	switch (type) {
#define COMBINE(number, name) \
	case number: name##_combine(op, to, from, n); break;
	WHOLE_TYPES(COMBINE)
#undef COMBINE
	default: break;
	}
}

static void divide_elements(int type, void *to, size_t n, uint32_t by)
{
	switch (type) {
#define DIVIDE(number, name) case number: name##_divide(to, n, by); break;
	WHOLE_TYPES(DIVIDE)
#undef DIVIDE
	default: break;
	}
}

/* Computes each element times a scalar, which is of the same type. */
static void scale_elements(int type, void *to, const void *scalar, size_t n)
{
	for (size_t i = 0; i < n; i++)
		combine(type, ncclProd, (char *)to + i * types[type].bytes,
			scalar, 1);
}

/* Changes a copy of a rank's input to what goes into the sum. */
static void scale_input(const struct nccl_posted *p, uint32_t ranks,
			void *input, size_t n)
{
	const struct multiplied *m = find_user_op(p->as.op, p->as.comm);
	int type = p->as.type;
	double part = 1.0 / ranks;
	unsigned char scalar[8];

	if (m)
		scale_elements(type, input, m->there ? m->there : m->scalar, n);
	if (p->as.op != ncclAvg || !types[type].real)
		return;
	contents_set(types[type].elem, types[type].bytes, scalar, 0, part);
	scale_elements(type, input, scalar, n);
}

/* Computes the reduction of the ranks' inputs, `bytes` each. The caller frees
 * it. */
static char *reduce_inputs(struct nccl_posted *const *ranks, uint32_t count,
			   size_t bytes)
{
	int type = ranks[0]->as.type, op = ranks[0]->as.op;
	size_t n = bytes / types[type].bytes;
	char *sum = xmalloc(bytes), *next = xmalloc(bytes);

	if (types[type].elem == ELEM_RAW)
		program_unplayed(ranks[0]->at, "NCCL reductions of 8-bit "
				 "floats");
	for (uint32_t r = 0; r < count; r++) {
		char *to = r ? next : sum;

		memcpy(to, ranks[r]->as.send, bytes);
		scale_input(ranks[r], count, to, n);
		if (r)
			combine(type, op < ncclNumOps ? op : ncclSum, sum,
				next, n);
	}
	if (op == ncclAvg)
		divide_elements(type, sum, n, count);
	free(next);
	return sum;
}

/* ---- buffers ---- */

static bool is_root(const struct nccl_posted *p)
{
	return (uint32_t)p->as.peer == p->as.comm->rank;
}

/* Returns how many bytes a rank reads at its send buffer, or writes at its recv
 * buffer; 0: it does not use it. */
static uint64_t span_of(const struct nccl_posted *p, uint32_t ranks,
			bool written)
{
	uint64_t one = p->as.count * types[p->as.type].bytes;
	uint64_t all = one * ranks;

	switch (p->as.call) {
	case GEMMVIZ_NCCL_BROADCAST: return written || is_root(p) ? one : 0;
	case GEMMVIZ_NCCL_REDUCE: return !written || is_root(p) ? one : 0;
	case GEMMVIZ_NCCL_ALL_GATHER: return written ? all : one;
	case GEMMVIZ_NCCL_REDUCE_SCATTER: return written ? one : all;
	case GEMMVIZ_NCCL_ALL_TO_ALL: return all;
	case GEMMVIZ_NCCL_GATHER:
		return !written ? one : is_root(p) ? all : 0;
	case GEMMVIZ_NCCL_SCATTER:
		return written ? one : is_root(p) ? all : 0;
	case GEMMVIZ_NCCL_SEND: return written ? 0 : one;
	case GEMMVIZ_NCCL_RECV: return written ? one : 0;
	default: return one;
	}
}

/* Checks that the rank's device can use these bytes: 0, or a cudaError_t. */
static int bytes_check(const struct nccl_posted *p, const void *from,
		       uint64_t bytes)
{
	const struct allocation *a = device_at((uintptr_t)from);
	const char *what = nccl_call_name(p->as.call);
	uint32_t device = p->as.comm->device;

	if (!a && !device_has_variable(from)) {
		nccl_problem("nccl-host", p->at, what, "", 0, 0);
		return cudaErrorIllegalAddress;
	}
	if (!a || !a->live || device_may_use(device, a))
		return runtime_span(from, bytes, what, p->at);
	runtime_foreign(a, device, what, p->at);
	return cudaErrorIllegalAddress;
}

/* Returns whether both buffers are one as NCCL allows it (documentation,
 * "In-place Operations"). */
static bool is_in_place(const struct nccl_posted *p)
{
	const struct gemmviz_nccl *c = &p->as;
	size_t before = c->comm->rank * c->count * types[c->type].bytes;
	const char *from = c->send, *to = c->recv;

	switch (c->call) {
	case GEMMVIZ_NCCL_ALL_GATHER:
	case GEMMVIZ_NCCL_GATHER: return from == to + before;
	case GEMMVIZ_NCCL_REDUCE_SCATTER:
	case GEMMVIZ_NCCL_SCATTER: return to == from + before;
	case GEMMVIZ_NCCL_ALL_TO_ALL: return false;
	default: return from == to;
	}
}

static int rank_check(const struct nccl_posted *p, uint32_t ranks)
{
	uint64_t in = span_of(p, ranks, false), out = span_of(p, ranks, true);
	uintptr_t from = (uintptr_t)p->as.send, to = (uintptr_t)p->as.recv;
	int error = in ? bytes_check(p, p->as.send, in) : 0;

	if (!error && out)
		error = bytes_check(p, p->as.recv, out);
	if (in && out && from < to + out && to < from + in && !is_in_place(p))
		nccl_problem("nccl-overlap", p->at,
			     nccl_call_name(p->as.call), "", 0, 0);
	return error;
}

/* ---- order ---- */

/* Returns whether rank `to` gets anything from rank `from`. */
static bool needs_rank(struct nccl_posted *const *ranks, uint32_t to,
		       uint32_t from)
{
	switch (ranks[to]->as.call) {
	case GEMMVIZ_NCCL_BROADCAST:
	case GEMMVIZ_NCCL_SCATTER: return is_root(ranks[from]);
	case GEMMVIZ_NCCL_REDUCE:
	case GEMMVIZ_NCCL_GATHER: return is_root(ranks[to]);
	case GEMMVIZ_NCCL_SEND: return false;
	default: return true;
	}
}

static void wait_in_stream(const struct nccl_posted *p,
			   const struct stream_clock *clock)
{
	devices.current = p->as.comm->device;
	stream_wait(p->as.stream, clock);
}

/* Orders the streams: each rank's work comes after what the ranks that it needs
 * had before theirs, and what follows it comes after the work that it
 * needed. */
static void order_work(struct nccl_posted *const *ranks, uint32_t count)
{
	struct stream_clock before[DEVICES_MOST];

	for (uint32_t r = 0; r < count; r++) {
		devices.current = ranks[r]->as.comm->device;
		stream_mark(ranks[r]->as.stream, &before[r]);
	}
	for (uint32_t r = 0; r < count; r++) {
		for (uint32_t s = 0; s < count; s++)
			if (s != r && needs_rank(ranks, r, s))
				wait_in_stream(ranks[r], &before[s]);
		devices.current = ranks[r]->as.comm->device;
		if (!ranks[r]->begun)
			ranks[r]->work = stream_begin(ranks[r]->as.stream);
		ranks[r]->begun = true;
	}
	for (uint32_t r = 0; r < count; r++)
		for (uint32_t s = 0; s < count; s++) {
			struct stream_clock only = { .turn = 0 };

			only.done[ranks[s]->work.stream] =
				ranks[s]->work.number;
			if (s != r && needs_rank(ranks, r, s))
				wait_in_stream(ranks[r], &only);
		}
}

static void races_note(const struct nccl_posted *p, uint32_t ranks)
{
	const char *what = nccl_call_name(p->as.call);
	uint64_t in = span_of(p, ranks, false), out = span_of(p, ranks, true);

	stream_race_begin(p->work, p->at, what);
	if (out)
		stream_race_rows(p->as.recv, out, out, 1, RACE_WRITES);
	if (in)
		stream_race_rows(p->as.send, in, in, 1, RACE_READS);
	stream_race_end();
	if (out)
		host_race_work(p->work, p->at, what, p->as.recv, out, out, 1,
			       true);
	if (in)
		host_race_work(p->work, p->at, what, p->as.send, in, in, 1,
			       false);
}

/* ---- links ---- */

static void add_hop(struct nccl_posted *const *ranks, uint32_t from,
		    uint32_t to, uint64_t bytes, uint32_t group)
{
	const struct nccl_posted *p = ranks[to];

	if (bytes)
		work_transfer(p->work, p->as.stream, p->at,
			      nccl_call_name(p->as.call),
			      ranks[from]->as.comm->device, p->as.comm->device,
			      bytes, p->as.recv ? p->as.recv : p->as.send,
			      group);
}

/* Returns the bytes of one of the parts in which a ring sums up p's
 * elements. */
static uint64_t part_bytes(const struct nccl_posted *p, uint32_t ranks,
			   uint32_t part)
{
	return (p->as.count / ranks + (part % ranks < p->as.count % ranks)) *
	       types[p->as.type].bytes;
}

/* Returns the bytes that a rank gives to the next one in a ring; 0: none. */
static uint64_t ring_bytes(const struct nccl_posted *p, uint32_t n)
{
	uint64_t one = p->as.count * types[p->as.type].bytes;
	uint32_t r = p->as.comm->rank, root = (uint32_t)p->as.peer;

	switch (p->as.call) {
	case GEMMVIZ_NCCL_ALL_REDUCE:	/* all parts but one, twice */
		return 2 * one - part_bytes(p, n, r + 1) -
		       part_bytes(p, n, r + 2);
	case GEMMVIZ_NCCL_BROADCAST:
		return (r + 1) % n == root ? 0 : one;
	case GEMMVIZ_NCCL_REDUCE:
		return r == root ? 0 : one;
	default:			/* everybody's but the next one's */
		return (n - 1) * one;
	}
}

static void links_note(struct nccl_posted *const *ranks, uint32_t n)
{
	const struct nccl_posted *p = ranks[0];
	uint64_t one = p->as.count * types[p->as.type].bytes;
	bool message = p->as.call == GEMMVIZ_NCCL_SEND;
	uint32_t group = n > 1 && !message ? work_group() : 0;
	uint32_t root = (uint32_t)p->as.peer;

	switch (p->as.call) {
	case GEMMVIZ_NCCL_SEND:
		add_hop(ranks, 0, 1, one, 0);
		break;
	case GEMMVIZ_NCCL_ALL_TO_ALL:
	case GEMMVIZ_NCCL_GATHER:
	case GEMMVIZ_NCCL_SCATTER:
		for (uint32_t from = 0; from < n; from++)
			for (uint32_t to = 0; to < n; to++)
				if (from != to && needs_rank(ranks, to, from))
					add_hop(ranks, from, to, one, group);
		break;
	default:
		for (uint32_t i = 0; i < n && n > 1; i++) {
			uint32_t from = (root == UINT32_MAX ? i : root + i) % n;

			add_hop(ranks, from, (from + 1) % n,
				ring_bytes(ranks[from], n), group);
		}
	}
	if (n == 1 && p->as.send != p->as.recv)
		add_hop(ranks, 0, 0, one, 0);
}

/* ---- memory ---- */

/* Copies all ranks' inputs, one after the other, each with the room of the
 * largest. The caller frees it. */
static char *copy_inputs(struct nccl_posted *const *ranks, uint32_t n)
{
	uint64_t most = 0;
	char *all;

	for (uint32_t r = 0; r < n; r++)
		most = MAX(most, span_of(ranks[r], n, false));
	all = xcalloc(n, most + 1);
	for (uint32_t r = 0; r < n; r++)
		memcpy(all + r * most, ranks[r]->as.send ? ranks[r]->as.send :
		       all, span_of(ranks[r], n, false));
	return all;
}

static void move_data(struct nccl_posted *const *ranks, uint32_t n,
		      uint64_t one)
{
	uint32_t root = (uint32_t)ranks[0]->as.peer;
	char *all = copy_inputs(ranks, n);

	for (uint32_t r = 0; r < n; r++) {
		char *to = ranks[r]->as.recv;

		switch (ranks[r]->as.call) {
		case GEMMVIZ_NCCL_BROADCAST:
			memcpy(to, all + root * one, one);
			break;
		case GEMMVIZ_NCCL_GATHER:
		case GEMMVIZ_NCCL_ALL_GATHER:
			if (span_of(ranks[r], n, true))
				memcpy(to, all, n * one);
			break;
		case GEMMVIZ_NCCL_SCATTER:
			memcpy(to, all + (root * n + r) * one, one);
			break;
		case GEMMVIZ_NCCL_RECV:
			memcpy(to, all, one);
			break;
		case GEMMVIZ_NCCL_ALL_TO_ALL:
			for (uint32_t s = 0; s < n; s++)
				memcpy(to + s * one, all + (s * n + r) * one,
				       one);
			break;
		default:
			break;
		}
	}
	free(all);
}

static void write_sums(struct nccl_posted *const *ranks, uint32_t n,
		       uint64_t one)
{
	bool scattered = ranks[0]->as.call == GEMMVIZ_NCCL_REDUCE_SCATTER;
	char *sum = reduce_inputs(ranks, n, scattered ? n * one : one);

	for (uint32_t r = 0; r < n; r++)
		if (span_of(ranks[r], n, true))
			memcpy(ranks[r]->as.recv,
			       sum + (scattered ? r * one : 0), one);
	free(sum);
}

void nccl_do(struct nccl_posted *const *ranks, uint32_t n)
{
	enum gemmviz_nccl_call call = ranks[0]->as.call;
	uint64_t one = ranks[0]->as.count * types[ranks[0]->as.type].bytes;
	uint32_t was = devices.current;
	int error = 0;

	for (uint32_t r = 0; r < n; r++)
		error = error | rank_check(ranks[r], n);
	order_work(ranks, n);
	devices.current = was;
	if (error) {		/* as any access that is not allowed */
		program.sticky = cudaErrorIllegalAddress;
		return;
	}
	device_open_all();
	if (call == GEMMVIZ_NCCL_ALL_REDUCE || call == GEMMVIZ_NCCL_REDUCE ||
	    call == GEMMVIZ_NCCL_REDUCE_SCATTER)
		write_sums(ranks, n, one);
	else
		move_data(ranks, n, one);
	device_close();
	for (uint32_t r = 0; r < n; r++)
		races_note(ranks[r], n);
	links_note(ranks, n);
}
