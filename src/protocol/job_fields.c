/*
 * job_fields: the tables of a job's members, and the functions that write and
 * read members with a form of their own. See job_field.h.
 */
#include <stddef.h>
#include <string.h>

#include "base/lang.h"
#include "base/text.h"
#include "protocol/headers.h"
#include "protocol/job_field.h"

#define TEXT_MAX (1u << 20)
#define CODE_MOST (16 << 20)
#define WORD_MAX 65535
#define ARGUMENTS_MAX 1024

/* ---- dimensions ---- */

static json_t *write_dim(struct trace_dim d)
{
	return json_pack("[I, I, I]", (json_int_t)d.x, (json_int_t)d.y,
			 (json_int_t)d.z);
}

static int read_dim(const json_t *v, const char *name, long long lowest,
		    long long highest, struct trace_dim *to, struct error *e)
{
	long long n[3];

	if (!json_is_array(v) || json_array_size(v) != 3)
		return job_field_wrong(name, "a list of three numbers, x, y "
				       "and z", e);
	for (size_t i = 0; i < 3; i++)
		if (job_field_number(json_array_get(v, i), name, lowest,
				     highest, &n[i], e) < 0)
			return -1;
	*to = (struct trace_dim) { (uint32_t)n[0], (uint32_t)n[1],
				   (uint32_t)n[2] };
	return 0;
}

static json_t *write_block(const void *from)
{
	const struct job_kernel *k = from;

	return k->has_block ? write_dim(k->block) : NULL;
}

static int read_block(void *to, const json_t *v, const struct job_field *f,
		      struct error *e)
{
	struct job_kernel *k = to;

	k->has_block = true;
	if (read_dim(v, f->name, 1, 1024, &k->block, e) < 0)
		return -1;
	if (k->block.z > 64 ||
	    (uint64_t)k->block.x * k->block.y * k->block.z > 1024)
		return error_set(e, EXIT_USAGE, "a block has at most 1024 "
				 "threads, and 64 in z");
	return 0;
}

static const struct job_codec block_codec = {
	"[X,Y,Z]", write_block, read_block,
};

static json_t *write_grid(const void *from)
{
	const struct job_kernel *k = from;

	return k->has_grid ? write_dim(k->grid) : NULL;
}

static int read_grid(void *to, const json_t *v, const struct job_field *f,
		     struct error *e)
{
	struct job_kernel *k = to;

	k->has_grid = true;
	if (read_dim(v, f->name, 1, INT32_MAX, &k->grid, e) < 0)
		return -1;
	if (k->grid.y > 65535 || k->grid.z > 65535 ||
	    (double)k->grid.x * k->grid.y * k->grid.z > INT32_MAX)
		return error_set(e, EXIT_USAGE, "a grid has at most 65535 "
				 "blocks in y and z, and 2147483647 in all");
	return 0;
}

static const struct job_codec grid_codec = {
	"[X,Y,Z]", write_grid, read_grid,
};

/* ---- a kernel ---- */

static json_t *write_source(const void *from)
{
	const struct job_kernel *k = from;
	json_t *source;

	if (!k->text)
		return NULL;
	source = json_pack("{ss ss ss*}", "file", k->file, "text", k->text,
			   "entry", k->entry);
	headers_members(source, k);
	return source;
}

static int read_source_member(struct job_kernel *k, const char *key,
			      const json_t *v, struct error *e)
{
	if (!strcmp(key, "file"))
		return job_field_text(v, key, 4096, &k->file, e);
	if (!strcmp(key, "text"))
		return job_field_text(v, key, TEXT_MAX, &k->text, e);
	if (!strcmp(key, "entry"))
		return json_is_null(v) ? 0 :
		       job_field_text(v, key, 255, &k->entry, e);
	if (!strcmp(key, "headers") || !strcmp(key, "folders") ||
	    !strcmp(key, "outside"))
		return headers_read(k, key, v, e);
	return error_set(e, EXIT_USAGE, "bad request: \"source\" has no \"%s\"",
			 text_show(key));
}

static int read_source(void *to, const json_t *v, const struct job_field *f,
		       struct error *e)
{
	struct job_kernel *k = to;
	const char *key;
	json_t *item;

	if (!json_is_object(v))
		return job_field_wrong(f->name, "an object", e);
	json_object_foreach((json_t *)v, key, item)
		if (read_source_member(k, key, item, e) < 0)
			return -1;
	if (!k->text)
		return job_field_wrong(f->name, "an object with \"text\"", e);
	k->text_length = strlen(k->text);
	if (!k->file)
		k->file = xstrdup("kernel.cu");
	return 0;
}

static const struct job_codec source_codec = {
	"{\"file\",\"text\",\"entry\",\"headers\",\"folders\",\"outside\"}",
	write_source, read_source,
};

static json_t *write_program(const void *from)
{
	static const struct job_program usual;
	const struct job_kernel *k = from;
	json_t *o;

	if (!k->program.run)
		return NULL;
	o = json_object();
	job_fields_write(&job_program_fields, JOB_RECORD, &k->program, &usual,
			 o);
	return o;
}

static int read_program(void *to, const json_t *v, const struct job_field *f,
			struct error *e)
{
	struct job_program *p = &((struct job_kernel *)to)->program;
	const char *key;
	json_t *item;

	if (!json_is_object(v))
		return job_field_wrong(f->name, "an object", e);
	p->run = true;
	json_object_foreach((json_t *)v, key, item) {
		const struct job_field *m =
			job_field_find(&job_program_fields, key, JOB_RECORD);

		if (!m)
			return error_set(e, EXIT_USAGE, "bad request: "
					 "\"program\" has no \"%s\"",
					 text_show(key));
		if (job_field_read(m, p, item, e) < 0)
			return -1;
	}
	return 0;
}

static const struct job_codec program_codec = {
	"an object, see below", write_program, read_program,
};

/* ---- a program's arguments ---- */

/* Writes a program's arguments. */
static json_t *write_arguments(const void *from)
{
	const struct job_program *p = from;
	json_t *list = p->argument_count ? json_array() : NULL;

	for (size_t i = 0; i < p->argument_count; i++)
		json_array_append_new(list, json_string(p->arguments[i].name));
	return list;
}

static int read_arguments(void *to, const json_t *v, const struct job_field *f,
			  struct error *e)
{
	size_t count = json_array_size(v);

	if (!json_is_array(v) || count > ARGUMENTS_MAX)
		return job_field_wrong(f->name, "a list of texts, and not too "
				       "long", e);
	for (size_t i = 0; i < count; i++) {
		char *word = NULL;

		if (job_field_text(json_array_get(v, i), f->name, WORD_MAX,
				   &word, e) < 0)
			return -1;
		job_program_argument(to, word);
		free(word);
	}
	return 0;
}

static const struct job_codec arguments_codec = {
	"[\"TEXT\",...]", write_arguments, read_arguments,
};

/* ---- what is called in place of main() ---- */

static json_t *write_judge(const void *from)
{
	const struct job_program *p = from;

	return json_incref(p->judge);
}

/* Returns whether an argument of a call is a number, or an array whose contents,
 * if they are given, are two digits a byte. */
static bool is_judged_argument(const json_t *a)
{
	const json_t *hex = json_object_get(a, "hex");
	json_int_t bytes =
		json_integer_value(json_object_get(a, "bytes"));

	if (json_is_integer(json_object_get(a, "value")))
		return true;
	return json_is_string(json_object_get(a, "name")) && bytes > 0 &&
	       bytes <= JUDGED_BYTES_MOST &&
	       (!hex || json_string_length(hex) == 2 * (size_t)bytes);
}

static bool is_judged_call(const json_t *call)
{
	const json_t *a;
	size_t i;

	if (!json_array_size(call) ||
	    json_array_size(call) > JUDGED_ARGUMENTS_MOST)
		return false;
	json_array_foreach(call, i, a)
		if (!is_judged_argument(a))
			return false;
	return true;
}

static int read_judge(void *to, const json_t *v, const struct job_field *f,
		      struct error *e)
{
	struct job_program *p = to;
	const json_t *calls = json_object_get(v, "calls"), *call;
	bool good = json_array_size(calls) > 0 &&
		    json_is_string(json_object_get(v, "function"));
	size_t i;

	json_array_foreach(calls, i, call)
		good = good && is_judged_call(call);
	if (!good)
		return job_field_wrong(f->name, "an object with \"function\" "
				       "and \"calls\"", e);
	p->judge = json_incref((json_t *)v);
	return 0;
}

static const struct job_codec judge_codec = {
	"{\"function\",\"calls\"}", write_judge, read_judge,
};

/* ---- what is recorded of a launch ---- */

/* Writes the blocks to record: their coordinates, or the size of a sample. */
static json_t *write_blocks(const void *from)
{
	const struct job *job = from;
	json_t *list;

	if (!job->block_count)
		return job->sample ? json_integer(job->sample) : NULL;
	list = json_array();
	for (size_t i = 0; i < job->block_count; i++)
		json_array_append_new(list, write_dim(job->blocks[i]));
	return list;
}

static int read_blocks(void *to, const json_t *v, const struct job_field *f,
		       struct error *e)
{
	struct job *job = to;

	if (json_is_integer(v))
		return job_field_number(v, f->name, 1, INT32_MAX, &job->sample,
					e);
	if (!json_is_array(v) || job->blocks)
		return job_field_wrong(f->name, "a list of blocks", e);
	job->blocks = xcalloc(json_array_size(v) + 1, sizeof(*job->blocks));
	for (size_t i = 0; i < json_array_size(v); i++) {
		if (read_dim(json_array_get(v, i), f->name, 0, INT32_MAX,
			     &job->blocks[i], e) < 0)
			return -1;
		job->block_count++;
	}
	return 0;
}

static const struct job_codec blocks_codec = {
	"[[X,Y,Z],...] or a number", write_blocks, read_blocks,
};

static json_t *write_warps(const void *from)
{
	const struct job *job = from;
	json_t *list;

	if (job->warps == UINT32_MAX)
		return NULL;
	list = json_array();
	for (int i = 0; i < 32; i++)
		if (job->warps >> i & 1)
			json_array_append_new(list, json_integer(i));
	return list;
}

static int read_warps(void *to, const json_t *v, const struct job_field *f,
		      struct error *e)
{
	struct job *job = to;
	long long n;

	if (!json_is_array(v))
		return job_field_wrong(f->name, "a list of numbers", e);
	if (json_array_size(v) > 0)
		job->warps = 0;
	for (size_t i = 0; i < json_array_size(v); i++) {
		if (job_field_number(json_array_get(v, i), f->name, 0, 31, &n,
				     e) < 0)
			return -1;
		job->warps |= 1u << n;
	}
	return 0;
}

static const struct job_codec warps_codec = {
	"[0,1,...]", write_warps, read_warps,
};

static json_t *write_spaces(const void *from)
{
	const struct job *job = from;
	json_t *list;

	if (job->spaces == (1u << SPACE_COUNT) - 1)
		return NULL;
	list = json_array();
	for (int i = 0; i < SPACE_COUNT; i++)
		if (job->spaces >> i & 1)
			json_array_append_new(list, json_string(
				space_name((enum space)i)));
	return list;
}

static int read_spaces(void *to, const json_t *v, const struct job_field *f,
		       struct error *e)
{
	static const char list[] = "a list of \"global\", \"shared\", "
				   "\"register\", \"constant\"";
	struct job *job = to;

	if (!json_is_array(v) || json_array_size(v) == 0)
		return job_field_wrong(f->name, list, e);
	job->spaces = 0;
	for (size_t i = 0; i < json_array_size(v); i++) {
		const char *word = json_string_value(json_array_get(v, i));
		int space = word ? space_from(word) : -1;

		if (space < 0)
			return job_field_wrong(f->name, list, e);
		job->spaces |= 1u << space;
	}
	return 0;
}

static const struct job_codec spaces_codec = {
	"[\"global\",\"shared\",...]", write_spaces, read_spaces,
};

static json_t *write_order(const void *from)
{
	const struct job *job = from;

	return job->order == ORDER_FORWARD ? NULL :
	       json_string(job_order_name(job->order));
}

static int read_order(void *to, const json_t *v, const struct job_field *f,
		      struct error *e)
{
	int order = job_order_from(json_string_value(v));

	if (order < 0)
		return job_field_wrong(f->name, "\"forward\", \"reverse\" or "
				       "\"shuffle\"", e);
	((struct job *)to)->order = (enum job_order)order;
	return 0;
}

static const struct job_codec order_codec = {
	"\"forward\", \"reverse\" or \"shuffle\"", write_order, read_order,
};

static json_t *write_problem(const void *from)
{
	const struct job *job = from;

	return job->problem ? json_string(job->problem) : NULL;
}

static int read_problem(void *to, const json_t *v, const struct job_field *f,
			struct error *e)
{
	struct job *job = to;
	const char *names[16], *near;
	size_t n = 0;
	char *all;

	if (job_field_text(v, f->name, 63, &job->problem, e) < 0)
		return -1;
	if (problem_find(job->problem))
		return 0;
	for (; n < problem_count && n < LENGTH(names); n++)
		names[n] = problems[n]->name;
	near = nearest_name(job->problem, names, n);
	all = join_names(names, n);
	error_set(e, EXIT_USAGE, near ?
		  "there is no problem %s; did you mean %s?" :
		  _("there is no problem %s (%s)"), text_show(job->problem),
		  near ? near : all);
	free(all);
	return -1;
}

static const struct job_codec problem_codec = {
	"text", write_problem, read_problem,
};

/* ---- the tables ---- */

#define RECORDS \
	(IN(JOB_RECORD) | IN(JOB_COUNTERS) | IN(JOB_LAUNCHES) | IN(JOB_MACHINE))
#define KERNELS (RECORDS | IN(JOB_TIME))

static const struct job_field program_list[] = {
	{ "arguments", FIELD_OWN, .jobs = RECORDS, .codec = &arguments_codec,
	  .about = "the program's own arguments, in order" },
	{ "files", FIELD_NAMES, offsetof(struct job_program, files),
	  .highest = WORD_MAX, .jobs = RECORDS,
	  .about = "its other source files, by their names in \"headers\"" },
	{ "folder", FIELD_TEXT, offsetof(struct job_program, folder),
	  .highest = WORD_MAX, .jobs = RECORDS,
	  .about = "the folder in which it runs" },
	{ "readable", FIELD_NAMES, offsetof(struct job_program, readable),
	  .highest = WORD_MAX, .jobs = RECORDS,
	  .about = "files and folders that it may read" },
	{ "writable", FIELD_NAMES, offsetof(struct job_program, writable),
	  .highest = WORD_MAX, .jobs = RECORDS,
	  .about = "folders that it may write to" },
	{ "standard", FIELD_TEXT, offsetof(struct job_program, standard),
	  .highest = WORD_MAX, .jobs = RECORDS,
	  .about = "its C++ standard, such as c++17" },
	{ "launch", FIELD_U32, offsetof(struct job_program, launch),
	  .highest = INT32_MAX, .jobs = RECORDS,
	  .about = "the launch to record, from 1; 0: the first of each kernel" },
	{ "devices", FIELD_U32, offsetof(struct job_program, devices),
	  .highest = DEVICES_MOST, .jobs = RECORDS,
	  .about = "the number of GPUs that it sees; 0 means one" },
	{ "images", FIELD_FLAG, offsetof(struct job_program, images),
	  .jobs = RECORDS,
	  .about = "return the memory of each launch, not its trace" },
	{ "fail", FIELD_U32, offsetof(struct job_program, fail),
	  .highest = INT32_MAX, .jobs = RECORDS,
	  .about = "the allocation, copy or launch that must fail, from 1" },
	{ "mute", FIELD_FLAG, offsetof(struct job_program, mute),
	  .jobs = RECORDS,
	  .about = "its launches succeed and do nothing" },
	{ "unread", FIELD_FLAG, offsetof(struct job_program, unread),
	  .jobs = RECORDS,
	  .about = "report what kernels store and nothing reads" },
	{ "judge", FIELD_OWN, .jobs = RECORDS, .codec = &judge_codec,
	  .about = "a function that is called in place of main(), and with "
		   "what" },
};
const struct job_fields job_program_fields = {
	"program", program_list, LENGTH(program_list),
};

static const struct job_field kernel_list[] = {
	{ "kernel", FIELD_TEXT, offsetof(struct job_kernel, name),
	  .highest = 255, .jobs = KERNELS,
	  .about = "a kernel of the table, or" },
	{ "source", FIELD_OWN, .jobs = KERNELS, .codec = &source_codec,
	  .about = "a user's file, or" },
	{ "rival", FIELD_TEXT, offsetof(struct job_kernel, baseline),
	  .highest = 64, .jobs = KERNELS & ~IN(JOB_RECORD),
	  .about = "a library's function, such as cublas-fp32" },
	{ "defines", FIELD_PAIRS, offsetof(struct job_kernel, defines),
	  .jobs = KERNELS, .always = true, .about = "macros" },
	{ "block", FIELD_OWN, .jobs = KERNELS, .codec = &block_codec,
	  .about = "threads of a block; needed with a source" },
	{ "grid", FIELD_OWN, .jobs = KERNELS, .codec = &grid_codec,
	  .about = "blocks of the grid; needed with a source" },
	{ "shared_bytes", FIELD_U32, offsetof(struct job_kernel, shared_bytes),
	  .highest = SHARED_MOST, .jobs = KERNELS,
	  .about = "bytes of dynamic shared memory of a source" },
	{ "shown", FIELD_U32, offsetof(struct job_kernel, shown), .highest = 31,
	  .jobs = KERNELS,
	  .about = "what a launch in the source gives: 1 the block, 2 the grid, "
		   "4 shared memory, 8 its own M, N and K, 16 arguments" },
	{ "arch", FIELD_U32, offsetof(struct job_kernel, arch),
	  .highest = INT32_MAX, .jobs = KERNELS,
	  .about = "the architecture of its GPU: 90 for sm_90" },
	{ "sms", FIELD_U32, offsetof(struct job_kernel, sms),
	  .highest = INT32_MAX, .jobs = KERNELS,
	  .about = "the SMs of its GPU; 0: as the architecture's usual card" },
	{ "program", FIELD_OWN, .jobs = KERNELS, .codec = &program_codec,
	  .about = "the source is run, and its launches are recorded" },
};
const struct job_fields job_kernel_fields = {
	"kernel", kernel_list, LENGTH(kernel_list),
};

#define OF_JOB(member) offsetof(struct job, member)

static const struct job_field job_list[] = {
	{ "m", FIELD_INT, OF_JOB(size.m), 1, SIZE_MAX_MNK, RECORDS, true, NULL,
	  "rows of C" },
	{ "n", FIELD_INT, OF_JOB(size.n), 1, SIZE_MAX_MNK, RECORDS, true, NULL,
	  "columns of C" },
	{ "k", FIELD_INT, OF_JOB(size.k), 1, SIZE_MAX_MNK, RECORDS, true, NULL,
	  "the inner dimension" },
	{ "open", FIELD_U32, OF_JOB(open), .highest = SIZE_ALL, .jobs = RECORDS,
	  .about = "sizes that the recorder may enlarge: 1 m, 2 n, 4 k" },
	{ "second", FIELD_FLAG, OF_JOB(second), .jobs = RECORDS,
	  .about = "also try a size that is no multiple of a tile" },
	{ "problem", FIELD_OWN, .jobs = RECORDS, .codec = &problem_codec,
	  .about = "what a source computes (default: guessed)" },
	{ "args", FIELD_PAIRS, OF_JOB(args), .jobs = RECORDS,
	  .about = "values of a source's parameters: {\"alpha\":\"0.5\"}" },
	{ "arrays", FIELD_PAIRS, OF_JOB(arrays), .jobs = RECORDS,
	  .about = "sizes of its arrays, in elements: {\"A\":\"64x32\"}" },
	{ "contents", FIELD_PAIRS, OF_JOB(contents), .jobs = RECORDS,
	  .about = "ranges of its arrays' contents: {\"index\":\"0..63\"}" },
	{ "blocks", FIELD_OWN, .jobs = RECORDS, .codec = &blocks_codec,
	  .about = "blocks to record, or their number, drawn by the seed" },
	{ "warps", FIELD_OWN, .jobs = RECORDS, .codec = &warps_codec,
	  .about = "warps of a block to record" },
	{ "spaces", FIELD_OWN, .jobs = RECORDS, .codec = &spaces_codec,
	  .about = "kinds of memory to record" },
	{ "values", FIELD_FLAG, OF_JOB(values), .jobs = RECORDS,
	  .about = "also record values" },
	{ "max_events", FIELD_U64, OF_JOB(max_events), 1, 1ll << 40, RECORDS,
	  .about = "accesses after which the recording ends" },
	{ "seconds", FIELD_SECONDS, OF_JOB(seconds), 0, 86400, RECORDS,
	  .about = "seconds after which the recording ends" },
	{ "timeout", FIELD_SECONDS, OF_JOB(timeout), 0, 86400, RECORDS,
	  .about = "seconds that compiling and loading may take" },
	{ "memory", FIELD_U64, OF_JOB(memory), 1, MEMORY_MAX, RECORDS,
	  .about = "megabytes of memory that a source may take" },
	{ "unconfined", FIELD_FLAG, OF_JOB(unconfined), .jobs = RECORDS,
	  .about = "compile and run a source without the sandbox" },
	{ "no_store", FIELD_FLAG, OF_JOB(no_store), .jobs = RECORDS,
	  .about = "compile a source even if its object is stored" },
	{ "order", FIELD_OWN, .jobs = RECORDS, .codec = &order_codec,
	  .about = "the order in which the CPU runs threads" },
	{ "seed", FIELD_U64, OF_JOB(seed), 0, INT64_MAX, RECORDS,
	  .about = "the seed of inputs, samples and shuffled orders" },
	{ "whole", FIELD_FLAG, OF_JOB(whole), .jobs = RECORDS,
	  .about = "a source's inputs are whole numbers, and its output zeros" },
	{ "optimized", FIELD_FLAG, OF_JOB(optimized), .jobs = RECORDS,
	  .about = "on a GPU: the optimized code that is timed" },
	{ "code", FIELD_TEXT, OF_JOB(code), .highest = CODE_MOST,
	  .jobs = IN(JOB_MACHINE),
	  .about = "a cubin in hexadecimal digits, or PTX, and no kernel" },
	{ "code_entry", FIELD_TEXT, OF_JOB(code_entry), .highest = 1024,
	  .jobs = IN(JOB_MACHINE), .about = "the kernel of \"code\"" },
	{ "repeat", FIELD_LONG, OF_JOB(repeat), 1, 1000000, IN(JOB_LAUNCHES),
	  true, NULL, "samples of each launch, or" },
	{ "sample_seconds", FIELD_SECONDS, OF_JOB(sample_seconds), 0, 3600,
	  IN(JOB_LAUNCHES), true, NULL, "seconds in which they are taken" },
	{ "block", FIELD_U32, OF_JOB(locals_block), 0, INT32_MAX,
	  IN(JOB_LOCALS), true, NULL, "a block, counted through the grid" },
	{ "thread", FIELD_U32, OF_JOB(locals_thread), 0, INT32_MAX,
	  IN(JOB_LOCALS), true, NULL, "a thread, counted through the block" },
	{ "first", FIELD_U64, OF_JOB(first), 0, INT64_MAX / 2,
	  IN(JOB_LOCALS), true, NULL, "the thread's first access, from 0" },
	{ "count", FIELD_U64, OF_JOB(count), 0, LOCALS_MAX, IN(JOB_LOCALS),
	  true, NULL, "how many accesses" },
	{ "paused", FIELD_FLAG, OF_JOB(paused), .jobs = IN(JOB_PAUSE),
	  .always = true, .about = "true pauses the sampling, false resumes it" },
};
const struct job_fields job_fields = { "job", job_list, LENGTH(job_list) };
