/*
 * program_judge: see program_judge.h.
 */
#include "cudart/program_judge.h"

#include <stdlib.h>
#include <string.h>

#include "base/encode.h"
#include "base/text.h"
#include "cudart/devices.h"
#include "cudart/pending_launch.h"
#include "cudart/runtime.h"
#include "emu/uninit.h"

#define FUNCTION_REFERENCE "reference"
/* How its name for the linker begins: it is in a namespace of the judge's. */
#define LINKAGE_REFERENCE "_ZN13gemmviz_judge9reference"
#define LINKAGE_NESTED "_ZN"

/* An array of the call that is made. */
struct judged_array {
	struct allocation *memory;
	const json_t *as;	/* the argument */
	double *real;		/* its contents, for the reference */
	size_t count;
};

static struct {
	uintptr_t function, reference;	/* reference 0: there is none */
	bool calling;
	size_t call;			/* its number, from 0 */
	struct judged_array arrays[JUDGED_ARGUMENTS_MOST];
	size_t array_count;
	json_t *list;
} judge;

bool judge_is_on(void)
{
	return program.job.kernel.program.judge != NULL;
}

bool judge_is_calling(void)
{
	return judge.calling;
}

bool judge_counts(void)
{
	return judge.call == 0;
}

json_t *judge_list(void)
{
	return judge.list ? json_incref(judge.list) : json_array();
}

static const json_t *get_calls(void)
{
	return json_object_get(program.job.kernel.program.judge, "calls");
}

static enum elem get_elem(const json_t *argument)
{
	const char *word =
		json_string_value(json_object_get(argument, "elem"));
	int elem = word ? elem_from(word) : -1;

	return elem < 0 ? ELEM_RAW : (enum elem)elem;
}

/* ---- the function ---- */

/* Returns whether a parameter takes the argument; `real`: arrays are of
 * double. */
static bool takes_judged_argument(const struct debug_var *v, const json_t *argument,
			   bool real)
{
	enum elem elem = real ? ELEM_F64 : get_elem(argument);

	if (json_object_get(argument, "value"))
		return v->type.kind == DEBUG_INTEGER;
	return v->type.kind == DEBUG_POINTER && !v->type.to_pointer &&
	       (v->type.elem == elem || elem == ELEM_RAW);
}

static bool takes_arguments(const struct debug_function *f, const json_t *call,
			    bool real)
{
	size_t i = 0;

	for (; i < f->var_count && f->vars[i].parameter; i++)
		if (i >= json_array_size(call) ||
		    !takes_judged_argument(&f->vars[i], json_array_get(call, i),
				    real))
			return false;
	return i == json_array_size(call);
}

/* Returns whether the linker's name is one that the judge calls: the reference's
 * (`real`), or that of a function in no namespace. */
static bool is_called_name(const char *linkage, bool real)
{
	if (real)
		return linkage && !strncmp(linkage, LINKAGE_REFERENCE,
					   strlen(LINKAGE_REFERENCE));
	return !linkage ||
	       strncmp(linkage, LINKAGE_NESTED, strlen(LINKAGE_NESTED)) != 0;
}

/* Finds the function of this name that takes the arguments; 0: there is none.
 * *line is that of one of the name. */
static uintptr_t find_judged(const char *name, bool real, uint32_t *line)
{
	const struct debug *d = program.host->debug;
	const json_t *call = json_array_get(get_calls(), 0);

	*line = 0;
	for (size_t i = 0; i < d->function_count; i++) {
		const struct debug_function *f = &d->functions[i];
		uintptr_t at = program.host->load + f->low;

		if (!f->external || f->member || strcmp(f->name, name) != 0 ||
		    !is_called_name(f->linkage, real))
			continue;
		if (!*line)
			*line = program_line(at + 1).line;
		if (takes_arguments(f, call, real))
			return at;
	}
	return 0;
}

/* Writes how the function must be declared, such as "launch(float *, int)". */
static void write_declaration(struct str *s, const char *name)
{
	static const char *const words[ELEM_COUNT] = {
		[ELEM_RAW] = "char", [ELEM_F32] = "float", [ELEM_F64] = "double",
		[ELEM_F16] = "half", [ELEM_BF16] = "__nv_bfloat16",
		[ELEM_I32] = "int", [ELEM_U32] = "unsigned",
	};
	const json_t *call = json_array_get(get_calls(), 0), *a;
	size_t i;

	str_addf(s, "void %s(", name);
	json_array_foreach(call, i, a) {
		enum elem elem = get_elem(a);

		if (json_object_get(a, "value"))
			str_addf(s, "%sint %s", i ? ", " : "",
				 json_string_value(json_object_get(a, "name")));
		else
			str_addf(s, "%s%s%s *%s", i ? ", " : "",
				 json_object_get(a, "hex") ? "const " : "",
				 words[elem] ? words[elem] : elem_name(elem),
				 json_string_value(json_object_get(a, "name")));
	}
	str_add(s, ")");
}

int judge_prepare(struct error *e)
{
	const char *name = json_string_value(json_object_get(
		program.job.kernel.program.judge, "function"));
	struct str s = { 0 };
	uint32_t line;

	judge.function = find_judged(name, false, &line);
	if (!judge.function) {
		write_declaration(&s, name);
		if (line)
			error_set(e, EXIT_INPUT, "%s:%u: %s() must take other "
				  "arguments: %s", text_show(program.file),
				  line, text_show(name), text_show(s.data));
		else
			error_set(e, EXIT_INPUT, "%s has no function %s",
				  text_show(program.file),
				  text_show(s.data));
		str_done(&s);
		return -1;
	}
	judge.reference = find_judged(FUNCTION_REFERENCE, true, &line);
	return 0;
}

/* ---- a call ---- */

static char *encode_bytes(const void *from, size_t n)
{
	struct str hex = { 0 };

	str_add_hex(&hex, from, n);
	return str_take(&hex);
}

/* Makes an array of the call, with its contents. */
static void make_judged_array(struct judged_array *a, const json_t *argument)
{
	size_t bytes =
		(size_t)json_integer_value(json_object_get(argument, "bytes"));
	const char *hex =
		json_string_value(json_object_get(argument, "hex"));
	enum elem elem = get_elem(argument);
	unsigned char *from = xcalloc(bytes + 8, 1);
	struct place nowhere = { NULL, 0 };

	*a = (struct judged_array) {
		.as = argument,
		.memory = device_allocate(ALLOCATION_DEVICE, bytes, nowhere),
		.count = elem_size(elem) ? bytes / elem_size(elem) : 0,
	};
	if (!a->memory)
		program_unplayed(nowhere, "so much memory");
	a->memory->name = json_string_value(json_object_get(argument, "name"));
	a->real = xcalloc(a->count + 1, sizeof(*a->real));
	if (hex) {
		hex_decode(hex, from, bytes);
		runtime_copy((void *)a->memory->lo, bytes, from, bytes, bytes,
			     1, cudaMemcpyHostToDevice, "", nowhere);
	}
	for (size_t i = 0; hex && i < a->count; i++) {
		uint32_t words[4] = { 0 };

		memcpy(words, from + i * elem_size(elem), elem_size(elem));
		element_value(elem, words, 0, &a->real[i]);
	}
	free(from);
}

/* Calls a function: what it does not take of these is left where it is (System
 * V ABI, x86-64: parameter passing). */
static void call_judged(uintptr_t function, const uint64_t *v)
{
	typedef void judged_function(uint64_t, uint64_t, uint64_t, uint64_t,
				     uint64_t, uint64_t, uint64_t, uint64_t,
				     uint64_t, uint64_t, uint64_t, uint64_t);

	((judged_function *)function)(v[0], v[1], v[2], v[3], v[4], v[5], v[6],
				      v[7], v[8], v[9], v[10], v[11]);
}

/* Makes the arguments of the function, or of the reference. */
static void make_call_arguments(const json_t *call, bool of_reference,
			   uint64_t values[JUDGED_ARGUMENTS_MOST])
{
	size_t array = 0, i;
	const json_t *argument, *value;

	json_array_foreach(call, i, argument) {
		value = json_object_get(argument, "value");
		if (value)
			values[i] = (uint64_t)json_integer_value(value);
		else if (of_reference)
			values[i] = (uintptr_t)judge.arrays[array++].real;
		else
			values[i] = judge.arrays[array++].memory->lo;
	}
}

/* Returns what an array holds after the call. */
static json_t *judged_output(const struct judged_array *a)
{
	size_t bytes = a->memory->bytes, words = (bytes + 3) / 4;
	uint32_t *now = xcalloc(words, 4);
	unsigned char *bits = xcalloc(words / 8 + 1, 1);
	char *hex, *unwritten, *reference = NULL;
	json_t *o;

	device_open_told();
	memcpy(now, (const void *)a->memory->lo, bytes);
	device_close();
	for (size_t i = 0; i < words; i++)
		if (now[i] == uninit_word(a->memory->lo + 4 * i))
			bits[i / 8] |= (unsigned char)(1u << i % 8);
	hex = encode_bytes(now, bytes);
	unwritten = encode_bytes(bits, words / 8 + 1);
	if (judge.reference)
		reference = encode_bytes(a->real,
					 a->count * sizeof(*a->real));
	o = json_pack("{ss ss ss*}", "hex", hex, "unwritten", unwritten,
		      "reference", reference);
	free(reference);
	free(unwritten);
	free(hex);
	free(bits);
	free(now);
	return o;
}

/* Keeps what the call did, and frees its arrays. */
static void end_call(double began, bool good)
{
	json_t *outputs = json_array();

	for (size_t i = 0; i < judge.array_count; i++) {
		struct judged_array *a = &judge.arrays[i];

		if (!json_object_get(a->as, "hex"))
			json_array_append_new(outputs, judged_output(a));
		if (a->memory->live)
			runtime_release(a->memory, a->memory->made);
		free(a->real);
	}
	json_array_append_new(judge.list, json_pack(
		"{sf sI sb so}", "seconds", seconds_now() - began, "launches",
		(json_int_t)program.launches, "good", good, "outputs",
		outputs));
}

/* Makes a call; returns whether the device is as good as before. */
static bool make_call(const json_t *call)
{
	uint64_t values[JUDGED_ARGUMENTS_MOST] = { 0 };
	double began = seconds_now();
	const json_t *argument;
	size_t i;

	judge.array_count = 0;
	json_array_foreach(call, i, argument)
		if (!json_object_get(argument, "value"))
			make_judged_array(&judge.arrays[judge.array_count++],
					  argument);
	if (judge.reference) {
		make_call_arguments(call, true, values);
		call_judged(judge.reference, values);
	}
	make_call_arguments(call, false, values);
	judge.calling = true;
	call_judged(judge.function, values);
	stream_finish_all();
	judge.calling = false;
	end_call(began, !program.sticky);
	return !program.sticky;
}

int judge_run(void)
{
	const json_t *calls = get_calls();

	judge.list = json_array();
	for (; judge.call < json_array_size(calls); judge.call++)
		if (!make_call(json_array_get(calls, judge.call)))
			return EXIT_CHECK;
	return EXIT_DONE;
}

/* ---- what a call may not do ---- */

/* Returns whether memory is the host's own. */
static bool is_host_memory(const void *p)
{
	return !device_at((uintptr_t)p) && !runtime_in_module(p);
}

/* Returns whether memory holds what a call was given, or what copies brought. */
static bool is_carried(const struct allocation *a)
{
	for (size_t i = 0; i < judge.array_count; i++)
		if (judge.arrays[i].memory == a)
			return json_object_get(judge.arrays[i].as, "hex");
	return a->carried;
}

void judge_copy(const void *to, const void *from, enum cudaMemcpyKind kind,
		const char *what, struct place at)
{
	struct allocation *a = device_at((uintptr_t)to);
	const struct allocation *b = device_at((uintptr_t)from);

	if (!judge.calling)
		return;
	if (is_host_memory(to) || kind == cudaMemcpyDeviceToHost)
		runtime_failed("host-copy", what, at, b, 0);
	else if (a && a->name && !b)
		runtime_failed("host-copy", what, at, a, 0);
	else if (a && a->name && is_carried(b))
		runtime_failed("carried", what, at, b, 0);
	if (a && b)
		a->carried |= is_carried(b);
}

void judge_library(const char *what, struct place at)
{
	if (judge.calling)
		runtime_failed("library", what, at, NULL, 0);
}

void judge_host_memory(const char *what, struct place at)
{
	if (judge.calling)
		runtime_failed("host-memory", what, at, NULL, 0);
}
