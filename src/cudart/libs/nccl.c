/*
 * nccl: communicators. See nccl.h.
 */
#include "cudart/libs/nccl.h"

#include <stdlib.h>
#include <string.h>

#include "cudart/devices.h"
#include "cudart/program_work.h"

static const char *const calls[] = {
#define CALL(name, words) words,
	GEMMVIZ_NCCL_CALLS(CALL)
#undef CALL
};

const char *nccl_call_name(enum gemmviz_nccl_call call)
{
	return calls[call];
}

const char *gemmviz_nccl_words(int result)
{
	switch (result) {
#define WORDS(name, number, words) case number: return words;
	GEMMVIZ_NCCL_RESULTS(WORDS)
#undef WORDS
	default: return "unknown result code";
	}
}

/* ---- communicators, which are never freed, so that their use after that is
 * seen ---- */

static struct ncclComm **comms;
static size_t comm_count, comm_capacity;
static struct nccl_clique **cliques;
static size_t clique_count, clique_capacity;
static uint64_t ids;

static struct nccl_clique *clique_new(uint32_t count, uint64_t id)
{
	struct nccl_clique *q = xcalloc(1, sizeof(*q));

	work_wanted();
	q->ranks = xcalloc(count, sizeof(struct ncclComm *));
	q->count = count;
	q->id = id;
	grow(&cliques, &clique_capacity, clique_count + 1, sizeof(*cliques));
	cliques[clique_count++] = q;
	return q;
}

static struct ncclComm *comm_new(struct nccl_clique *of, uint32_t rank,
				 uint32_t device, struct place at)
{
	struct ncclComm *c = xcalloc(1, sizeof(*c));

	*c = (struct ncclComm) { .of = of, .rank = rank, .device = device,
				 .live = true, .made = at };
	if (of) {
		of->ranks[rank] = c;
		of->there++;
	}
	grow(&comms, &comm_capacity, comm_count + 1, sizeof(*comms));
	comms[comm_count++] = c;
	return c;
}

struct ncclComm *nccl_comm(ncclComm_t handle, const char *what,
			   struct place at)
{
	for (size_t i = 0; i < comm_count; i++)
		if (comms[i] == handle && handle->live)
			return handle;
	nccl_problem("nccl-comm", at, what, "", 0, 0);
	return NULL;
}

/* ---- all at once ---- */

static int devices_check(const int *list, int count)
{
	uint32_t seen = 0;

	for (int i = 0; i < count; i++) {
		int device = list ? list[i] : i;

		if (!device_is(device))
			return list ? ncclInvalidArgument :
				      ncclUnhandledCudaError;
		if (seen >> device & 1)
			return ncclInvalidUsage;
		seen |= 1u << device;
	}
	return ncclSuccess;
}

int gemmviz_nccl_init_all(ncclComm_t *to, int count, const int *list,
			  const char *file, int line)
{
	struct place at = program_place(file, line);
	int result = !to || count < 1 ? ncclInvalidArgument :
					devices_check(list, count);
	struct nccl_clique *q;

	if (result != ncclSuccess) {
		if (!list && count > (int)devices.count &&
		    count <= DEVICES_MOST)
			nccl_problem("devices", at, "", "", (uint64_t)count,
				     devices.count);
		return result;
	}
	q = clique_new((uint32_t)count, 0);
	for (uint32_t i = 0; i < q->count; i++)
		to[i] = comm_new(q, i, list ? (uint32_t)list[i] : i, at);
	return ncclSuccess;
}

/* ---- one rank ---- */

int gemmviz_nccl_id(ncclUniqueId *to)
{
	*to = (ncclUniqueId) { .internal = "gemmviz" };
	ids++;
	memcpy(to->internal + 8, &ids, sizeof(ids));
	return ncclSuccess;
}

/* Finds the clique whose ranks have not all come yet, or makes it. */
static struct nccl_clique *clique_coming(uint64_t id, uint32_t count)
{
	for (size_t i = 0; i < clique_count; i++)
		if (cliques[i]->id == id && cliques[i]->count == count &&
		    cliques[i]->there < count)
			return cliques[i];
	return clique_new(count, id);
}

/* Ends the program if a call outside a group waits for other ranks: none of
 * them can come. */
static int alone_ends(struct place at, const char *what)
{
	if (!nccl_in_group() && !nccl_comms_complete()) {
		nccl_problem("nccl-init", at, what, "", 0, 0);
		program_waiting(at);
	}
	return ncclSuccess;
}

int gemmviz_nccl_init(ncclComm_t *to, int count, const ncclUniqueId *id,
		      int rank, const char *file, int line)
{
	struct place at = program_place(file, line);
	struct nccl_clique *q;
	uint64_t number;

	memcpy(&number, id->internal + 8, sizeof(number));
	if (!to || count < 1 || rank < 0 || rank >= count || number > ids ||
	    !number)
		return ncclInvalidArgument;
	q = clique_coming(number, (uint32_t)count);
	if (q->ranks[rank])
		return ncclInvalidUsage;
	for (uint32_t i = 0; i < q->count; i++)
		if (q->ranks[i] && q->ranks[i]->device == devices.current)
			return ncclInvalidUsage;
	*to = comm_new(q, (uint32_t)rank, devices.current, at);
	return alone_ends(at, "ncclCommInitRank");
}

/* ---- splitting ---- */

static int by_key(const void *a, const void *b)
{
	const struct ncclComm *x = *(struct ncclComm *const *)a;
	const struct ncclComm *y = *(struct ncclComm *const *)b;

	if (x->split.color != y->split.color)
		return x->split.color < y->split.color ? -1 : 1;
	if (x->split.key != y->split.key)
		return x->split.key < y->split.key ? -1 : 1;
	return x->rank < y->rank ? -1 : x->rank > y->rank;
}

/* Makes the new cliques, each of all ranks of one colour, in the order of their
 * keys. */
static void split_do(const struct nccl_clique *q)
{
	struct ncclComm **order = xcalloc(q->count, sizeof(struct ncclComm *));
	uint32_t from = 0, to;

	memcpy(order, q->ranks, q->count * sizeof(struct ncclComm *));
	qsort(order, q->count, sizeof(*order), by_key);
	for (; from < q->count; from = to) {
		struct nccl_clique *now;

		for (to = from; to < q->count && order[to]->split.color ==
						 order[from]->split.color;)
			to++;
		now = order[from]->split.to ? clique_new(to - from, 0) : NULL;
		for (uint32_t i = from; i < to; i++) {
			struct nccl_split *s = &order[i]->split;

			s->asked = false;
			if (!now)
				continue;
			s->to->of = now;
			s->to->rank = i - from;
			now->ranks[i - from] = s->to;
			now->there++;
		}
	}
	free(order);
}

int gemmviz_nccl_split(ncclComm_t comm, int color, int key, ncclComm_t *to,
		       const char *file, int line)
{
	struct place at = program_place(file, line);
	struct ncclComm *c = nccl_comm(comm, "ncclCommSplit", at);

	if (!c || !to || (color < 0 && color != NCCL_SPLIT_NOCOLOR))
		return ncclInvalidArgument;
	if (c->split.asked)
		return ncclInvalidUsage;
	c->split = (struct nccl_split) { .asked = true, .color = color,
					 .key = key };
	if (color != NCCL_SPLIT_NOCOLOR)
		c->split.to = comm_new(NULL, 0, c->device, at);
	*to = c->split.to;
	return alone_ends(at, "ncclCommSplit");
}

/* ---- finish splits ---- */

static bool split_complete(const struct nccl_clique *q)
{
	uint32_t asked = 0;

	for (uint32_t i = 0; i < q->count; i++)
		asked += q->ranks[i] && q->ranks[i]->split.asked;
	if (asked == q->count)
		split_do(q);
	return asked == 0 || asked == q->count;
}

bool nccl_comms_complete(void)
{
	bool all = true;

	for (size_t i = 0; i < clique_count; i++)
		all = cliques[i]->there == cliques[i]->count &&
		      split_complete(cliques[i]) && all;
	return all;
}

/* ---- ends, and questions ---- */

/* NCCL lets NULL be ended, as free() does. */
int gemmviz_nccl_end(ncclComm_t comm, const char *name, const char *file,
		     int line)
{
	struct ncclComm *c;

	if (!comm)
		return ncclSuccess;
	c = nccl_comm(comm, name, program_place(file, line));
	if (!c)
		return ncclInvalidArgument;
	if (strcmp(name, "ncclCommAbort") != 0)
		nccl_comm_ends(c);
	c->live = !strcmp(name, "ncclCommFinalize");
	return ncclSuccess;
}

int gemmviz_nccl_ask(ncclComm_t comm, char what, int *to, const char *file,
		     int line)
{
	const struct ncclComm *c = nccl_comm(
		comm, what == 'n' ? "ncclCommCount" : what == 'd' ?
		"ncclCommCuDevice" : "ncclCommUserRank",
		program_place(file, line));

	if (!c || !c->of || !to)
		return ncclInvalidArgument;
	*to = (int)(what == 'n' ? c->of->count :
		    what == 'd' ? c->device : c->rank);
	return ncclSuccess;
}
