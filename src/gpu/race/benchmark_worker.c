/* benchmark_worker: prepares, tries, checks and times cases. See
 * benchmark_parts.h. */
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "gpu/race/benchmark_parts.h"
#include "gpu/race/benchmark_worker.h"

struct benchmark_worker worker;

/* ---- a size ---- */

static void prepare_all(void)
{
	struct error e;

	for (int i = 0; i < case_count(); i++) {
		if (!is_waiting(i) || !may_continue())
			continue;
		say_preparing(i);
		cuda_check(NULL, "", CUDA_SUCCESS);
		if (benchmark_case_prepare(&worker.cases[i], &worker.device,
					   &worker.request.sizes[worker.size],
					   &e) < 0)
			drop_case(i, &e);
	}
}

/* Returns a bit for each type of the matrices that waiting cases use. */
static unsigned waiting_types(void)
{
	unsigned reals = 0;

	for (int i = 0; i < case_count(); i++)
		if (is_waiting(i))
			reals |= 1u << worker.cases[i].in |
				 1u << worker.cases[i].out;
	return reals;
}

static void size_do(void)
{
	const struct problem_sizes *s = &worker.request.sizes[worker.size];
	struct error e;
	unsigned reals;

	prepare_all();
	reals = waiting_types();
	if (!reals || worker.cancelled)
		return;
	say_doing(NOBODY);
	if (matrices_make(&worker.matrices, s, reals,
			  worker.request.seed, &e) < 0) {
		if (cuda_sticky(cuda_last()))
			say_broken(NOBODY, &e);
		for (int i = 0; i < case_count(); i++)
			if (is_waiting(i))
				drop_case(i, &e);
	} else {
		try_all();
		check_cases();
		time_all();
	}
	for (int i = 0; i < case_count(); i++)
		benchmark_case_release(&worker.cases[i]);
	matrices_done(&worker.matrices);
}

/* It ends with what there is. */
static void cancel_rest(void)
{
	for (worker.size = 0; worker.size < worker.request.size_count;
	     worker.size++)
		for (int i = 0; i < case_count(); i++)
			if (is_waiting(i) && result_of(i)->samples > 0)
				worker_say_state(i, BENCHMARK_TIMED, NULL,
						 clock_of(i));
			else if (is_waiting(i))
				worker_say_state(i, BENCHMARK_SKIPPED,
						 "cancelled", NULL);
}

/* ---- a race ---- */

static int begin_benchmark(json_t *request, struct error *e)
{
	struct benchmark_request *r = &worker.request;

	if (benchmark_request_read(r, request, e) < 0 ||
	    device_open(&worker.device, e) < 0 ||
	    device_begin(&worker.device, e) < 0)
		return -1;
	/* More than malloc() does: tensor maps are aligned. */
	worker.cases = aligned_alloc(_Alignof(struct benchmark_case),
				     r->case_count * sizeof(*worker.cases));
	if (!worker.cases)
		fatal("out of memory");
	worker.launch = xcalloc(r->case_count, sizeof(*worker.launch));
	for (size_t i = 0; i < r->case_count; i++)
		benchmark_case_init(&worker.cases[i],
				    json_array_get(r->cases, i), r->tuned);
	if (CUDA_TRY(e, EventCreate, &worker.start, CU_EVENT_DEFAULT) < 0)
		return -1;
	return CUDA_TRY(e, EventCreate, &worker.stop, CU_EVENT_DEFAULT);
}

static void say_error(const struct error *e)
{
	worker_say("error", json_pack("{si ss}", "status", (int)e->status,
				      "message", e->text));
}

static void do_time(json_t *request)
{
	struct error e;

	if (begin_benchmark(request, &e) < 0) {
		say_error(&e);
		return;
	}
	while (worker.size < worker.request.size_count && !worker.cancelled) {
		size_do();
		worker.size++;
	}
	if (worker.cancelled)
		cancel_rest();
	worker_say("timed", json_object());
}

static void do_machine(void)
{
	struct error e;

	if (device_open(&worker.device, &e) < 0)
		say_error(&e);
	else
		worker_say("machine", device_machine(&worker.device));
}

int benchmark_worker_main(void)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	/* Standard output may be a kernel's: what it prints goes elsewhere. */
	worker.out = fcntl(1, F_DUPFD_CLOEXEC, 3);
	dup2(2, 1);
	for (;;) {
		json_t *o = message_wait();
		const char *type = message_type(o);

		if (!strcmp(type, "machine"))
			do_machine();
		else if (!strcmp(type, "time"))
			do_time(o);
		json_decref(o);
	}
}
