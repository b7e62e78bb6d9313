/*
 * call_answer: see call_answer.h.
 */
#include "emu/call_answer.h"

#include <stdlib.h>
#include <string.h>

#include "emu/hooks.h"
#include "record/result_check.h"

/* Bytes that the copies of one launch's arrays may take. */
#define COPIES_MOST (UINT64_C(256) << 20)

/* The launch that is compared. */
static struct {
	bool begun;
	struct answer_call call;
	void *copies[PROBLEM_ARRAYS];
} comparing;

static void copies_drop(void)
{
	for (int i = 0; i < PROBLEM_ARRAYS; i++) {
		free(comparing.copies[i]);
		comparing.copies[i] = NULL;
	}
	comparing.begun = false;
}

/* Tests whether a matrix of so many bytes may be what the pointer points to: all
 * of an array, or, if the user named the problem, a part of one. */
static bool may_be_matrix(const struct launch *l, const struct array *a,
			  uintptr_t at, uint64_t bytes)
{
	if (!l->plan.job.problem)
		return at == a->lo && bytes == a->bytes;
	return at >= a->lo && bytes <= a->bytes &&
	       at - a->lo <= a->bytes - bytes;
}

/* Copies an array of the problem. False: the argument's array has another
 * size. */
static bool copy_array(const struct launch *l, int which, int argument,
		       uint64_t *room)
{
	const struct problem *p = l->plan.problem;
	const struct problem_array *of = &p->arrays[which];
	const struct argument *arg = &l->arguments[argument];
	const struct debug_type *t = &arg->var->type;
	const struct array *a = l->array[arg->array];
	uint64_t bytes =
		(uint64_t)problem_size(&l->plan.job.size, of->rows) *
		(uint64_t)problem_size(&l->plan.job.size, of->columns) *
		t->elem_bytes;

	if (!bytes || !may_be_matrix(l, a, arg->value[0], bytes) || bytes > *room ||
	    elem_size(t->elem) != t->elem_bytes)
		return false;
	*room -= bytes;
	comparing.copies[which] = xmalloc(bytes);
	memcpy(comparing.copies[which], (const void *)arg->value[0], bytes);
	comparing.call.arrays[which].name = arg->var->name;
	comparing.call.arrays[which].elem = t->elem;
	comparing.call.arrays[which].was = comparing.copies[which];
	comparing.call.arrays[which].now = (const void *)arg->value[0];
	return true;
}

/* Takes the problem that was asked for as the plan's, with the sizes that the
 * arguments say. */
static void take_asked(struct launch *l)
{
	struct plan *p = &l->plan;
	const struct problem *asked =
		p->job.problem ? problem_find(p->job.problem) : NULL;

	if (!asked || asked == p->problem)
		return;
	p->problem = asked;
	if (!arguments_sizes(asked, l->arguments, (int)l->argument_count,
			     &p->job.size))
		p->job.size = (struct problem_sizes){ 0, 0, 0 };
}

void call_answer_begin(struct launch *l)
{
	uint64_t room = COPIES_MOST;
	int argument[PROBLEM_ARRAYS];
	struct answer_call *c = &comparing.call;

	copies_drop();
	take_asked(l);
	if (!arguments_fit(l->plan.problem, l->arguments,
			   (int)l->argument_count, argument))
		return;
	*c = (struct answer_call){ .problem = l->plan.problem,
				   .size = l->plan.job.size, .alpha = 1,
				   .asked = l->plan.job.problem != NULL };
	for (int i = 0; i < PROBLEM_ARRAYS; i++)
		if (argument[i] >= 0 &&
		    !copy_array(l, i, argument[i], &room))
			return;
	for (size_t i = 0; i < l->argument_count; i++) {
		arguments_real(&l->arguments[i], "alpha", &c->alpha);
		arguments_real(&l->arguments[i], "beta", &c->beta);
	}
	comparing.begun = true;
}

void call_answer_end(struct launch *l, struct trace_info *info, bool whole)
{
	const char *why = NULL;

	if (rec.stop)
		why = l->stop == STOP_SECONDS ? UNCHECKED_CUT :
						UNCHECKED_STOPPED;
	else if (!whole)
		why = UNCHECKED_STOPPED;
	else if (comparing.begun)
		answer_of_call(&comparing.call, info, &rec.findings);
	else if (l->plan.job.problem)
		why = UNCHECKED_ARRAYS;
	if (why) {
		free(info->check);
		info->check = xstrdup(why);
	}
	copies_drop();
}
