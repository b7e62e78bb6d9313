/*
 * nccl_post: the calls of ranks, until all that belong together have come: the
 * nth collective of each rank of a communicator, the nth message from one rank
 * to another. See nccl.h.
 */
#include <stdlib.h>
#include <string.h>

#include "cudart/devices.h"
#include "cudart/libs/nccl.h"
#include "cudart/runtime.h"

/* Calls in the order in which they came; those in an open group are the
 * last. */
static struct nccl_posted *list;
static size_t count, capacity;
static uint32_t depth;		/* groups that are open */
static size_t outside;		/* those that are in no open group */
static struct place opened;
static int failed;		/* what a call in the open group gave, if it did */

void nccl_problem(const char *kind, struct place at, const char *word,
		  const char *name, uint64_t a, uint64_t b)
{
	struct program_fault p = program_fault(kind, at, word);

	p.bytes = a;
	p.room = b;
	snprintf(p.name, sizeof(p.name), "%s", name);
	program_problem(p);
}

bool nccl_in_group(void)
{
	return depth > 0;
}

static bool is_message(const struct nccl_posted *p)
{
	return p->as.call == GEMMVIZ_NCCL_SEND ||
	       p->as.call == GEMMVIZ_NCCL_RECV;
}

static const struct nccl_clique *clique_of(const struct nccl_posted *p)
{
	return p->as.comm->of;
}

/* ---- match calls ---- */

static void report_mismatch(const struct nccl_posted *p,
			    const struct nccl_posted *o, const char *what,
			    uint64_t a, uint64_t b)
{
	struct program_fault f = program_fault("nccl-mismatch", p->at,
					       nccl_call_name(p->as.call));

	f.other = o->at;
	f.bytes = a;
	f.room = b;
	snprintf(f.name, sizeof(f.name), "%s", what);
	program_problem(f);
}

/* Checks that two ranks ask for the same; the first difference is reported. */
static bool check_agreement(const struct nccl_posted *p,
			    const struct nccl_posted *o)
{
	const struct gemmviz_nccl *a = &p->as, *b = &o->as;
	bool message = is_message(p);

	if (!message && a->call != b->call)
		report_mismatch(p, o, nccl_call_name(b->call), a->comm->rank,
				b->comm->rank);
	else if (a->count != b->count)
		report_mismatch(p, o, "count", a->count, b->count);
	else if (a->type != b->type)
		report_mismatch(p, o, "type", 0, 0);
	else if (!message && a->op != b->op)
		report_mismatch(p, o, "operation", 0, 0);
	else if (!message && a->peer != b->peer)
		report_mismatch(p, o, "root", (uint64_t)a->peer,
				(uint64_t)b->peer);
	else
		return true;
	return false;
}

/* Finds the first of a rank's collectives that wait; SIZE_MAX: it has none. */
static size_t collective_of(const struct nccl_clique *q, uint32_t rank)
{
	for (size_t i = 0; i < outside; i++)
		if (!is_message(&list[i]) && clique_of(&list[i]) == q &&
		    list[i].as.comm->rank == rank)
			return i;
	return SIZE_MAX;
}

/* Finds the first message from a rank to another that one of the two waits for;
 * SIZE_MAX: there is none. */
static size_t message_of(const struct nccl_clique *q, uint32_t from,
			 uint32_t to, bool sent)
{
	for (size_t i = 0; i < outside; i++) {
		const struct gemmviz_nccl *c = &list[i].as;
		uint32_t rank = sent ? from : to, peer = sent ? to : from;

		if (c->call == (sent ? GEMMVIZ_NCCL_SEND :
				       GEMMVIZ_NCCL_RECV) &&
		    c->comm->of == q && c->comm->rank == rank &&
		    (uint32_t)c->peer == peer)
			return i;
	}
	return SIZE_MAX;
}

/* Finds the calls that belong to list[at]: their places in the list. Returns
 * how many; 0: some have not come. */
static uint32_t find_partners(size_t at, size_t of[DEVICES_MOST])
{
	const struct nccl_posted *p = &list[at];
	const struct nccl_clique *q = clique_of(p);
	uint32_t rank = p->as.comm->rank, peer = (uint32_t)p->as.peer;
	uint32_t n = is_message(p) ? 2 : q->count;

	for (uint32_t i = 0; i < n; i++) {
		bool sends = p->as.call == GEMMVIZ_NCCL_SEND;

		of[i] = is_message(p) ?
			message_of(q, sends ? rank : peer,
				   sends ? peer : rank, i == 0) :
			collective_of(q, i);
		if (of[i] == SIZE_MAX)
			return 0;
	}
	return n;
}

static int by_place(const void *a, const void *b)
{
	const size_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

static void take_out(size_t of[DEVICES_MOST], uint32_t n)
{
	qsort(of, n, sizeof(*of), by_place);
	while (n-- > 0) {
		memmove(&list[of[n]], &list[of[n] + 1],
			(count - of[n] - 1) * sizeof(*list));
		count--;
		outside--;
	}
}

static void report_call(const char *kind, const struct nccl_posted *p)
{
	nccl_problem(kind, p->at, nccl_call_name(p->as.call), p->waited,
		     p->as.comm->rank, 0);
}

/* Performs the first calls that are complete and agree; those that disagree
 * stay for ever. Reports a call that came later than its thread could wait.
 * False: there are none. */
static bool do_next(void)
{
	size_t of[DEVICES_MOST];

	for (size_t i = 0; i < outside; i++) {
		struct nccl_posted *ranks[DEVICES_MOST];
		uint32_t n = list[i].stuck ? 0 : find_partners(i, of);
		bool good = true;

		for (uint32_t k = 0; k < n; k++)
			ranks[k] = &list[of[k]];
		for (uint32_t k = 1; k < n && good; k++)
			good = check_agreement(ranks[k], ranks[0]);
		for (uint32_t k = 0; k < n; k++)
			ranks[k]->stuck = !good;
		if (!n || !good)
			continue;
		for (uint32_t k = 0; k < n; k++)
			if (*ranks[k]->waited)
				report_call("nccl-alone", ranks[k]);
		nccl_do(ranks, n);
		take_out(of, n);
		return true;
	}
	return false;
}

/* ---- calls that wait ---- */

/* Lists the ranks that have not called what p waits for: "1, 3". */
static void missing_find(struct nccl_posted *p)
{
	const struct nccl_clique *q = clique_of(p);
	char *to = p->waited;

	*to = '\0';
	for (uint32_t i = 0; i < q->count; i++) {
		bool here = is_message(p) ? i != (uint32_t)p->as.peer :
					    collective_of(q, i) != SIZE_MAX;
		size_t n = strlen(to);

		if (!here)
			snprintf(to + n, sizeof(p->waited) - n, "%s%u",
				 n ? ", " : "", i);
	}
}

/* Starts p's work in its stream, on the rank's device. */
static void begin_work(struct nccl_posted *p)
{
	uint32_t was = devices.current;

	devices.current = p->as.comm->device;
	p->work = stream_begin(p->as.stream);
	p->begun = true;
	devices.current = was;
}

/* Performs all calls that are complete, when a group has ended or after a call
 * outside of one; what is left may never return to its thread. */
static void settle_calls(void)
{
	while (do_next())
		;
	for (size_t i = 0; i < outside; i++) {
		if (list[i].begun)
			continue;
		begin_work(&list[i]);
		missing_find(&list[i]);
	}
}

/* Checks the calls that the host waits for, up to a clock: ends the program if
 * one is never done. */
static void host_waits(const struct stream_clock *until)
{
	for (size_t i = 0; i < count; i++) {
		const struct nccl_posted *p = &list[i];

		if (i >= outside) {
			nccl_problem("nccl-open", opened,
				     nccl_call_name(p->as.call), "", 0, 0);
			return;
		}
		if (!p->begun || until->done[p->work.stream] < p->work.number)
			continue;
		if (!p->stuck)
			report_call("nccl-missing", p);
		program_waiting(p->at);
	}
}

void nccl_comm_ends(const struct ncclComm *c)
{
	for (size_t i = 0; i < outside; i++)
		if (list[i].as.comm == c) {
			if (!list[i].stuck)
				report_call("nccl-missing", &list[i]);
			program_waiting(list[i].at);
		}
}

/* Reports the calls that are never done, when the program ends. */
static void program_ends(void)
{
	for (size_t i = 0; i < count; i++)
		if (i < outside && !list[i].stuck)
			report_call("nccl-missing", &list[i]);
	if (count > outside)
		nccl_problem("nccl-open", opened, "", "", 0, 0);
	count = outside = 0;
}

/* ---- calls ---- */

int gemmviz_nccl_group(int end, const char *file, int line)
{
	struct place at = program_place(file, line);

	if (!end) {
		if (!depth++)
			opened = at;
		return ncclSuccess;
	}
	if (!depth)
		return ncclInvalidUsage;
	if (--depth)
		return ncclSuccess;
	if (failed) {		/* nothing of it is done */
		int status = failed;

		count = outside;
		failed = 0;
		return status;
	}
	if (!nccl_comms_complete()) {
		nccl_problem("nccl-init", at, "ncclGroupEnd", "", 0, 0);
		program_waiting(at);
	}
	outside = count;
	settle_calls();
	return ncclSuccess;
}

/* Reports a stream of another device, which fails as a launch in it would. */
static bool is_astray(const struct gemmviz_nccl *c, struct place at)
{
	uint32_t device = c->comm->device;

	if (!stream_number(c->stream) || stream_device(c->stream) == device)
		return false;
	nccl_problem("nccl-stream", at, nccl_call_name(c->call), "",
		     stream_device(c->stream), device);
	return true;
}

/* Checks the arguments of a call; its buffers are checked when they are
 * used. */
static bool is_valid(const struct gemmviz_nccl *c)
{
	bool among_all = c->call == GEMMVIZ_NCCL_ALL_REDUCE ||
			 c->call == GEMMVIZ_NCCL_ALL_GATHER ||
			 c->call == GEMMVIZ_NCCL_REDUCE_SCATTER ||
			 c->call == GEMMVIZ_NCCL_ALL_TO_ALL;

	return c->type >= 0 && c->type < ncclNumTypes &&
	       nccl_op_known(c->op, c->comm) &&
	       (among_all || (c->peer >= 0 &&
			      (uint32_t)c->peer < c->comm->of->count));
}

static int call_post(const struct gemmviz_nccl *c, struct place at)
{
	if (!c->comm->of)
		return ncclInvalidUsage;
	if (!is_valid(c))
		return ncclInvalidArgument;
	if (!c->count)
		return ncclSuccess;
	if (is_astray(c, at))
		return ncclUnhandledCudaError;
	if (graph_captures(c->stream))
		program_unplayed(at, "NCCL calls in a captured stream");
	stream_library = (struct stream_library) { host_waits, program_ends };
	grow(&list, &capacity, count + 1, sizeof(*list));
	list[count++] = (struct nccl_posted) { .as = *c, .at = at };
	if (!depth) {
		outside = count;
		settle_calls();
	}
	return ncclSuccess;
}

int gemmviz_nccl_call(const struct gemmviz_nccl *c, const char *file, int line)
{
	struct place at = program_place(file, line);
	int status;

	if (!nccl_comm(c->comm, nccl_call_name(c->call), at))
		return ncclInvalidArgument;	/* and no group hears of it */
	status = call_post(c, at);
	if (depth && !failed)
		failed = status;
	return status;
}
