#include "lesson/lesson_functions.h"

#include <stdlib.h>
#include <string.h>

#include "base/lang.h"
#include "base/text.h"
#include "lesson/lesson_query.h"

static int query_round(struct query *q, struct value *out, struct error *e)
{
	char digits[400];

	if (q->i[0] < 0 || q->i[0] > 9)
		return error_set(e, EXIT_INPUT,
				 _("round() takes 0 to 9 digits"));
	/* An integer here is mostly a division that dropped its fraction. */
	if (q->whole && q->i[0] > 0)
		return error_set(e, EXIT_INPUT,
				 _("round() of an integer has no digits to "
				   "keep: for a fraction, divide 1.0 * x"));
	snprintf(digits, sizeof(digits), "%.*f", (int)q->i[0], q->x);
	*out = value_real(strtod(digits, NULL));
	return 0;
}

/* ---- the table ---- */

/*
 * takes: A an array of the trace, t a text, o an optional "ld" or "st", i an
 * integer, x a number, r a kernel of a race.
 */
static const struct function {
	const char *name, *takes, *args, *meaning;
	query_function *run;
	int which;
} functions[] = {
	/* One request: see find_request(). */
	{ "sectors", "Ao", "A[, op]", N_("32-byte sectors a request touches"),
	  query_cost, COST_SECTORS },
	{ "ideal_sectors", "Ao", "A[, op]",
	  N_("sectors that its distinct bytes would fill"),
	  query_cost, COST_IDEAL_SECTORS },
	{ "lines", "Ao", "A[, op]", N_("128-byte lines it touches"),
	  query_cost, COST_LINES },
	{ "wavefronts", "Ao", "As[, op]", N_("wavefronts it takes"),
	  query_cost, COST_WAVEFRONTS },
	{ "ideal_wavefronts", "Ao", "As[, op]",
	  N_("wavefronts without bank conflicts"),
	  query_cost, COST_IDEAL_WAVEFRONTS },
	{ "ways", "Ao", "As[, op]", N_("most distinct words in one bank"),
	  query_cost, COST_WAYS },
	{ "lanes", "Ao", "A[, op]", N_("active lanes"),
	  query_shape, SHAPE_LANES },
	{ "addresses", "Ao", "A[, op]", N_("distinct addresses"),
	  query_shape, SHAPE_ADDRESSES },
	{ "pattern", "Ao", "A[, op]", N_("its pattern's name"),
	  query_shape, SHAPE_PATTERN },
	{ "first", "Ao", "A[, op]", N_("lowest element that a lane accesses"),
	  query_shape, SHAPE_FIRST },
	{ "last", "Ao", "A[, op]", N_("highest element that a lane accesses"),
	  query_shape, SHAPE_LAST },
	{ "bytes", "Ao", "A[, op]", N_("bytes per lane"),
	  query_shape, SHAPE_BYTES },
	/* The focused lane's part of it; none when it takes no part. */
	{ "row", "Ao", "A[, op]", N_("row of the lane's element"),
	  query_part, PART_ROW },
	{ "col", "Ao", "A[, op]", N_("column of the lane's element"),
	  query_part, PART_COL },
	{ "index", "Ao", "A[, op]", N_("the lane's element, counted from 0"),
	  query_part, PART_INDEX },
	{ "address", "Ao", "A[, op]", N_("byte address of the lane's element"),
	  query_part, PART_ADDRESS },
	{ "bank", "Ao", "As[, op]", N_("bank of the lane's element"),
	  query_part, PART_BANK },
	{ "value", "Ao", "A[, op]", N_("the number that the lane moves"),
	  query_part, PART_VALUE },
	{ "stride", "Ao", "A[, op]",
	  N_("elements from the lane's to the next lane's"),
	  query_part, PART_STRIDE },
	{ "row_at", "Aio", "A, lane[, op]", N_("row of another lane's element"),
	  query_part_at, PART_ROW },
	{ "col_at", "Aio", "A, lane[, op]",
	  N_("column of another lane's element"), query_part_at, PART_COL },
	{ "index_at", "Aio", "A, lane[, op]", N_("another lane's element"),
	  query_part_at, PART_INDEX },
	{ "bank_at", "Aio", "As, lane[, op]",
	  N_("bank of another lane's element"), query_part_at, PART_BANK },
	/* Counts. A phase is the stand's. */
	{ "total_requests", "Ao", "A[, op]", N_("requests of the launch"),
	  query_requests, SCOPE_LAUNCH },
	{ "warp_requests", "Ao", "A[, op]", N_("requests of the warp"),
	  query_requests, SCOPE_WARP },
	{ "phase_requests", "Ao", "A[, op]",
	  N_("requests of the warp in the phase"),
	  query_requests, SCOPE_WARP_PHASE },
	{ "total_events", "Ao", "A[, op]",
	  N_("accesses of all threads of the launch"),
	  query_events, SCOPE_LAUNCH },
	{ "block_events", "Ao", "A[, op]", N_("accesses of the block"),
	  query_events, SCOPE_BLOCK },
	{ "phase_events", "Ao", "A[, op]",
	  N_("accesses of the block in the phase"),
	  query_events, SCOPE_BLOCK_PHASE },
	{ "thread_events", "Ao", "A[, op]", N_("accesses of the thread"),
	  query_events, SCOPE_THREAD },
	{ "thread_phase_events", "Ao", "A[, op]",
	  N_("accesses of the thread in the phase"),
	  query_events, SCOPE_THREAD_PHASE },
	{ "distinct", "Ao", "A[, op]", N_("distinct elements of the launch"),
	  query_distinct, SCOPE_LAUNCH },
	{ "block_distinct", "Ao", "A[, op]", N_("distinct elements of the "
						"block"),
	  query_distinct, SCOPE_BLOCK },
	{ "phase_distinct", "Ao", "A[, op]",
	  N_("distinct elements of the block in the phase"),
	  query_distinct, SCOPE_BLOCK_PHASE },
	{ "thread_distinct", "Ao", "A[, op]",
	  N_("distinct elements of the thread"), query_distinct, SCOPE_THREAD },
	{ "reuse", "A", "A", N_("elements read by the launch / distinct ones"),
	  query_reuse, SCOPE_LAUNCH },
	{ "block_reuse", "A", "A",
	  N_("elements read by the block / distinct ones"),
	  query_reuse, SCOPE_BLOCK },
	{ "phase_reuse", "A", "A",
	  N_("elements read by the block in the phase / distinct ones"),
	  query_reuse, SCOPE_BLOCK_PHASE },
	{ "loads_of", "Aii", "A, row, col",
	  N_("how often the block reads the element"),
	  query_loads_of, SCOPE_BLOCK },
	{ "phase_loads_of", "Aii", "A, row, col",
	  N_("how often the block reads the element in the phase"),
	  query_loads_of, SCOPE_BLOCK_PHASE },
	{ "loader_tx", "Aii", "As, row, col",
	  N_("threadIdx.x of the thread that stores the element"),
	  query_loader, 0 },
	{ "loader_ty", "Aii", "As, row, col",
	  N_("threadIdx.y of the thread that stores the element"),
	  query_loader, 1 },
	{ "total_sectors", "Ao", "A[, op]", N_("sectors of the launch"),
	  query_total, TOTAL_SECTORS },
	{ "total_wavefronts", "Ao", "As[, op]", N_("wavefronts of the launch"),
	  query_total, TOTAL_WAVEFRONTS },
	/* As compiled, in a recording of a compiler's work (compiled.h). */
	{ "compiled_bytes", "Ao", "As[, op]",
	  N_("bytes for each lane of the machine's widest access"),
	  query_compiled, COMPILED_BYTES },
	{ "compiled_requests", "Ao", "As[, op]",
	  N_("requests of the launch, as compiled"),
	  query_compiled, COMPILED_REQUESTS },
	{ "compiled_wavefronts", "Ao", "As[, op]",
	  N_("wavefronts of the launch, as compiled"),
	  query_compiled, COMPILED_WAVEFRONTS },
	{ "compiled_by", "Ao", "As[, op]",
	  N_("the compiler and the architecture"),
	  query_compiled, COMPILED_BY },
	/* The launch. */
	{ "flops", "", "", N_("floating-point operations"),
	  query_sum, SUM_FLOPS },
	{ "bytes_global", "", "", N_("bytes of all sectors"),
	  query_sum, SUM_BYTES },
	{ "load_sectors", "", "", N_("sectors of all loads"),
	  query_sum, SUM_LOAD_SECTORS },
	{ "load_requests", "", "", N_("requests of all global loads"),
	  query_sum, SUM_LOAD_REQUESTS },
	{ "intensity", "", "", N_("operations per byte"),
	  query_sum, SUM_INTENSITY },
	{ "phases", "", "", N_("phases of the warp"),
	  query_launch, LAUNCH_PHASES },
	{ "barriers", "", "", N_("barriers that the warp passes"),
	  query_launch, LAUNCH_BARRIERS },
	{ "threads", "", "", N_("threads a block"),
	  query_launch, LAUNCH_THREADS },
	{ "warps", "", "", N_("warps a block"), query_launch, LAUNCH_WARPS },
	{ "blocks", "", "", N_("blocks of the grid"),
	  query_launch, LAUNCH_BLOCKS },
	{ "shared_bytes", "", "", N_("bytes of shared memory per block"),
	  query_launch, LAUNCH_SHARED_BYTES },
	{ "rows", "A", "A", N_("rows of the array"), query_dims, 0 },
	{ "cols", "A", "A", N_("columns of the array"), query_dims, 1 },
	/* The newest recorded race; a kernel's parameters in quotes:
	 * "tiled:TILE=32". */
	{ "race_tflops", "ri", "kernel, N",
	  N_("TFLOP/s of the kernel, as recorded"),
	  query_race, RACE_TFLOPS },
	{ "race_share", "ri", "kernel, N",
	  N_("its FLOP/s divided by those of cuBLAS for the same types"),
	  query_race,
	  RACE_SHARE },
	{ "race_ratio", "rri", "kernel, other, N",
	  N_("its FLOP/s divided by those of the other kernel"),
	  query_race, RACE_RATIO },
	{ "race_registers", "ri", "kernel, N",
	  N_("registers of a thread, as compiled for the race"),
	  query_race_used, RACE_REGISTERS },
	{ "race_shared_bytes", "ri", "kernel, N",
	  N_("shared memory of a block in the race, in bytes"),
	  query_race_used, RACE_SHARED_BYTES },
	{ "race_counter", "rit", "kernel, N, \"name\"",
	  N_("what the hardware counted, by its name in data/README.md"),
	  query_race_used, RACE_COUNTER },
	{ "race_spread", "ri", "kernel, N",
	  N_("time of its slowest sample / that of its fastest, less 1"),
	  query_race_used, RACE_SPREAD },
	{ "race_peak_flops", "ri", "kernel, N",
	  N_("FLOP/s that the CUDA cores of the race's GPU can do"),
	  query_race_used, RACE_PEAK_FLOPS },
	{ "race_peak_bytes", "ri", "kernel, N",
	  N_("bytes/s that the DRAM of the race's GPU can do"),
	  query_race_used, RACE_PEAK_BYTES },
	{ "round", "xi", "x, digits", N_("a number with fewer digits"),
	  query_round, 0 },
	/* The machine. An index is an expression of `lane` and of the names
	 * around it, in quotes: "lane * STRIDE"; a lane without one, none. */
	{ "model_sectors", "tio", "\"index\", element bytes[, op]",
	  N_("sectors of a request with these elements"),
	  query_model, COST_SECTORS },
	{ "model_ideal_sectors", "tio", "\"index\", element bytes[, op]",
	  N_("sectors that its distinct bytes would fill"),
	  query_model, COST_IDEAL_SECTORS },
	{ "model_lines", "tio", "\"index\", element bytes[, op]",
	  N_("128-byte lines of a request with these elements"),
	  query_model, COST_LINES },
	{ "model_wavefronts", "tio", "\"index\", element bytes[, op]",
	  N_("wavefronts of a request with these elements"),
	  query_model, COST_WAVEFRONTS },
	{ "model_ideal_wavefronts", "tio", "\"index\", element bytes[, op]",
	  N_("its wavefronts without bank conflicts"),
	  query_model, COST_IDEAL_WAVEFRONTS },
	{ "model_ways", "tio", "\"index\", element bytes[, op]",
	  N_("most distinct words in one bank"), query_model, COST_WAYS },
	{ "fragment_lane", "ttii", "\"instruction\", \"A\", row, col",
	  N_("lane that holds the element"), query_fragment, HOLDER_LANE },
	{ "fragment_element", "ttii", "\"instruction\", \"A\", row, col",
	  N_("which of the lane's elements it is, from 0"),
	  query_fragment, HOLDER_ELEMENT },
	{ "fragment_register", "ttii", "\"instruction\", \"A\", row, col",
	  N_("32-bit register of the lane that holds the element"),
	  query_fragment, HOLDER_REGISTER },
	{ "occupancy_blocks", "tiii",
	  "\"sm_90\", threads, registers, shared bytes",
	  N_("blocks that are resident on an SM"),
	  query_occupancy, FILL_BLOCKS },
	{ "occupancy_warps", "tiii",
	  "\"sm_90\", threads, registers, shared bytes",
	  N_("warps that are resident on an SM"),
	  query_occupancy, FILL_WARPS },
	{ "occupancy_share", "tiii",
	  "\"sm_90\", threads, registers, shared bytes",
	  N_("occupancy, from 0 to 1"), query_occupancy, FILL_SHARE },
	{ "memory_cycles", "t", "\"l2\"",
	  N_("measured cycles of a load: registers, shared, l1, l2, dram"),
	  query_memory, LEVEL_CYCLES },
	{ "memory_bytes_per_second", "t", "\"l2\"",
	  N_("measured bandwidth of the whole GPU"),
	  query_memory, LEVEL_BANDWIDTH },
	{ "memory_bytes", "t", "\"l2\"",
	  N_("size in bytes: of an SM, or of L2 and DRAM"),
	  query_memory, LEVEL_BYTES },
	{ "memory_gpu", "", "",
	  N_("the GPU of these: the one that the reader has calibrated last, "
	     "or that of the races"),
	  query_memory, LEVEL_GPU },
	{ "streams_ms", "t", "\"small_streams\"",
	  N_("measured milliseconds of several streams or GPUs, under this "
	     "name of data/streams-*.json"),
	  query_streams, 0 },
	/* Several GPUs: what a program had them do; a turn is the stand's. */
	{ "devices", "", "", N_("GPUs that the program sees"),
	  query_devices, DEVICES_COUNT },
	{ "link_bytes", "", "", N_("bytes that cross between GPUs"),
	  query_devices, DEVICES_BYTES },
	{ "link_bytes_to", "i", "device",
	  N_("bytes that come to a GPU from others"),
	  query_devices, DEVICES_BYTES_TO },
	{ "turn_bytes", "", "", N_("bytes that cross in the turn"),
	  query_devices, DEVICES_TURN_BYTES },
	{ "turn_links", "", "", N_("links that they cross"),
	  query_devices, DEVICES_TURN_LINKS },
	{ "turn_products", "", "", N_("GPUs that multiply in the turn"),
	  query_devices, DEVICES_TURN_PRODUCTS },
	{ "idle_turns", "i", "device",
	  N_("turns between a GPU's products in which nothing runs on it"),
	  query_devices, DEVICES_IDLE },
	{ "devices_flops", "", "",
	  N_("floating-point operations of all GPUs"),
	  query_devices, DEVICES_FLOPS },
	/* And what was measured (data/across-*.json), of the panels with which
	 * both together are the fastest. */
	{ "across_ms", "tii", "\"across\", GPUs, n",
	  N_("measured milliseconds of a product by cublas, sgemm, across or "
	     "first, or of its products or panels"),
	  query_across, ACROSS_MS },
	{ "across_spread", "tii", "\"across\", GPUs, n",
	  N_("by how much of their median its samples differ"),
	  query_across, ACROSS_SPREAD },
	{ "across_panel", "ii", "GPUs, n", N_("the columns of its panels"),
	  query_across, ACROSS_PANEL },
	{ "across_limit_ms", "ii", "GPUs, n",
	  N_("milliseconds that a copy takes for what each GPU must get"),
	  query_across, ACROSS_LIMIT },
	{ "link_bytes_per_second", "t", "\"copied\"",
	  N_("measured bandwidth from one GPU to another: copied or broadcast"),
	  query_across, ACROSS_LINK },
	{ "across_gpu", "", "", N_("the GPU of these"),
	  query_across, ACROSS_GPU },
	/* The findings of recorders. */
	{ "findings", "", "", N_("findings of the recording"),
	  query_found, FOUND_ALL },
	{ "finds", "t", "\"cause\"", N_("findings with this cause"),
	  query_found, FOUND_CAUSE },
	{ "finding_line", "i", "finding", N_("line of a finding, from 0"),
	  query_found, FOUND_LINE },
};

const struct lesson_function *lesson_functions(size_t *count)
{
	static struct lesson_function list[LENGTH(functions)];

	for (size_t i = 0; i < LENGTH(functions); i++)
		list[i] = (struct lesson_function){
			functions[i].name, functions[i].args,
			functions[i].meaning };
	*count = LENGTH(functions);
	return list;
}

int lesson_function_find(const char *name, struct error *e)
{
	const char *names[LENGTH(functions)], *near;

	for (size_t i = 0; i < LENGTH(functions); i++) {
		names[i] = functions[i].name;
		if (!strcmp(name, names[i]))
			return i;
	}
	near = nearest_name(name, names, LENGTH(names));
	if (near)
		return error_set(e, EXIT_INPUT, _("no function '%s'; did you "
						  "mean '%s'?"),
				 text_show(name), near);
	return error_set(e, EXIT_INPUT, _("no function '%s'"),
			 text_show(name));
}

bool lesson_function_traced(int function)
{
	const struct function *f = &functions[function];

	return f->run == query_found || !strchr("rt", f->takes[0]) ||
	       !f->takes[0];
}

/* ---- arguments ---- */

static int take_array_argument(struct query *q, const struct value *v,
			       struct error *e)
{
	if (v->kind != VALUE_TEXT)
		return error_set(e, EXIT_INPUT, _("expected an array"));
	q->array = v->text;
	if (!query_find_array(q))
		return error_set(e, EXIT_INPUT, _("%s has no array '%s'"),
				 text_show(q->s->info->kernel),
				 text_show(v->text));
	return 0;
}

static int take_op(struct query *q, const struct value *v, struct error *e)
{
	q->op = v->kind == VALUE_TEXT ? op_from(v->text) : -1;
	if (q->op == OP_LD || q->op == OP_ST)
		return 0;
	return error_set(e, EXIT_INPUT, _("expected \"ld\" or \"st\""));
}

static int take_int_argument(int64_t *i, const struct value *v, struct error *e)
{
	*i = v->i;
	return v->kind == VALUE_INT ? 0 :
	       error_set(e, EXIT_INPUT, _("expected an integer"));
}

static int take_text_argument(const char **text, const struct value *v,
			      struct error *e)
{
	*text = v->text;
	return v->kind == VALUE_TEXT ? 0 :
	       error_set(e, EXIT_INPUT, _("expected a text in quotes"));
}

static int take_number_argument(struct query *q, const struct value *v,
				struct error *e)
{
	q->whole = v->kind == VALUE_INT;
	q->x = q->whole ? (double)v->i : v->r;
	return v->kind == VALUE_INT || v->kind == VALUE_REAL ? 0 :
	       error_set(e, EXIT_INPUT, _("expected a number"));
}

static int take_kernel(const char **kernel, const struct value *v,
		       struct error *e)
{
	*kernel = v->text;
	return v->kind == VALUE_TEXT ? 0 :
	       error_set(e, EXIT_INPUT, _("expected a kernel"));
}

static int take_args(struct query *q, const char *takes,
		     const struct value *args, size_t count, struct error *e)
{
	const char **kernel = q->kernel, **text = q->text;
	int64_t *i = q->i;
	int status = 0;

	for (; *takes && count; takes++, args++, count--) {
		if (*takes == 'A')
			status = take_array_argument(q, args, e);
		else if (*takes == 'o')
			status = take_op(q, args, e);
		else if (*takes == 'i')
			status = take_int_argument(i++, args, e);
		else if (*takes == 't')
			status = take_text_argument(text++, args, e);
		else if (*takes == 'r')
			status = take_kernel(kernel++, args, e);
		else
			status = take_number_argument(q, args, e);
		if (status < 0)
			return -1;
	}
	return count || (*takes && *takes != 'o') ? 1 : 0;
}

int lesson_function_call(int function, struct standing *s,
			 const struct value *args, size_t count,
			 struct value *out, struct error *e)
{
	const struct function *f = &functions[function];
	struct query q = { .s = s, .op = -1, .which = f->which };
	int status = take_args(&q, f->takes, args, count, e);

	if (status > 0)
		return error_set(e, EXIT_INPUT, _("expected %s(%s)"), f->name,
				 f->args);
	return status < 0 ? -1 : f->run(&q, out, e);
}
