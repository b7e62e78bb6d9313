/*
 * Jobs and their messages: runners elsewhere may be older or newer, so that
 * the names of members are held here, letter by letter.
 */
#include <stdlib.h>

#include "protocol/job.h"
#include "tap.h"

/* A message as it goes over the pipe; takes it. */
static char *line_of(json_t *message)
{
	char *line;

	json_object_set_new(message, "id", json_integer(7));
	line = json_dumps(message, JSON_COMPACT | JSON_SORT_KEYS);
	json_decref(message);
	return line;
}

/* It is written as `want`, which is read as the same job. */
static void there_and_back(const struct job *job, const char *want)
{
	char *line = line_of(job_message(job)), *again = NULL;
	struct job back;
	struct error e;

	tap_str(line, want, "its members");
	if (!job_parse(&back, line, strlen(line), &e)) {
		tap_is(back.id, 7, "its id is read");
		again = line_of(job_message(&back));
	}
	tap_str(again ? again : e.text, want, "and it is read as it was");
	job_done(&back);
	free(again);
	free(line);
}

static void test_record(void)
{
	struct trace_define define = { (char *)"TILE", (char *)"32" };
	struct job job;

	job_launch(&job, JOB_RECORD, "tiled", 64, 128, 32, &define, 1);
	there_and_back(&job, "{\"defines\":{\"TILE\":\"32\"},\"id\":7,"
		       "\"k\":32,\"kernel\":\"tiled\",\"m\":64,\"n\":128,"
		       "\"type\":\"record\"}");
	job.sample = 5;
	there_and_back(&job, "{\"blocks\":5,\"defines\":{\"TILE\":\"32\"},"
		       "\"id\":7,\"k\":32,\"kernel\":\"tiled\",\"m\":64,"
		       "\"n\":128,\"type\":\"record\"}");
	job_block(&job, (struct trace_dim){ 1, 2, 0 });
	job.warps = 5;
	job.spaces = 1u << SPACE_SHARED;
	job.values = false;
	job.max_events = 1000;
	job.seconds = 2.5;
	job.order = ORDER_SHUFFLE;
	job.seed = 3;
	job.optimized = true;
	job.problem = xstrdup("gemm");
	job_define(&job.args, "alpha", "0.5");
	job_define(&job.arrays, "A", "64x32");
	job_define(&job.contents, "B", "0..63");
	there_and_back(&job, "{\"args\":{\"alpha\":\"0.5\"},"
		       "\"arrays\":{\"A\":\"64x32\"},"
		       "\"blocks\":[[1,2,0]],"
		       "\"contents\":{\"B\":\"0..63\"},\"defines\":"
		       "{\"TILE\":\"32\"},\"id\":7,\"k\":32,"
		       "\"kernel\":\"tiled\",\"m\":64,\"max_events\":1000,"
		       "\"n\":128,\"optimized\":true,\"order\":\"shuffle\","
		       "\"problem\":\"gemm\","
		       "\"seconds\":2.5,\"seed\":3,\"spaces\":[\"shared\"],"
		       "\"type\":\"record\",\"values\":false,"
		       "\"warps\":[0,2]}");
	job_done(&job);
}

/* A reader's text, which brings its launch along. */
static struct job_kernel own(void)
{
	return (struct job_kernel){
		.file = xstrdup("x.cu"), .text = xstrdup("text"),
		.text_length = 4, .entry = xstrdup("f"), .has_block = true,
		.block = { 16, 16, 1 }, .has_grid = true,
		.grid = { 4, 2, 1 }, .shared_bytes = 256,
	};
}

static void test_source(void)
{
	struct job job;

	job_launch(&job, JOB_COUNTERS, NULL, 64, 64, 64, NULL, 0);
	job.kernel = own();
	there_and_back(&job, "{\"block\":[16,16,1],\"defines\":{},"
		       "\"grid\":[4,2,1],\"id\":7,\"k\":64,\"m\":64,"
		       "\"n\":64,\"shared_bytes\":256,\"source\":"
		       "{\"entry\":\"f\",\"file\":\"x.cu\","
		       "\"text\":\"text\"},\"type\":\"counters\"}");
	job_done(&job);
}

static void test_locals(void)
{
	struct job job;

	job_init(&job, JOB_LOCALS);
	job.locals_block = 2;
	job.locals_thread = 33;
	job.first = 4;
	job.count = 5;
	there_and_back(&job, "{\"block\":2,\"count\":5,\"first\":4,\"id\":7,"
		       "\"thread\":33,\"type\":\"locals\"}");
}

static void written(json_t *message, const char *want)
{
	char *line = line_of(message);

	tap_str(line, want, "its members");
	free(line);
}

static void test_time(void)
{
	struct job_kernel tiled = { .name = xstrdup("tiled") };
	struct job_kernel cublas = { .baseline = xstrdup("cublas-fp16") };
	struct job_kernel text = own();
	struct job_time t;
	struct job job;

	job_time_init(&t);
	job_define(&tiled.defines, "TILE", "8");
	job_time_case(&t, &tiled);
	job_time_case(&t, &cublas);
	job_time_case(&t, &text);
	job_time_size(&t, (struct problem_sizes){ 64, 128, 256 });
	written(job_time_message(&t), "{\"entrants\":[{\"defines\":"
		"{\"TILE\":\"8\"},\"kernel\":\"tiled\"},"
		"{\"rival\":\"cublas-fp16\"},{\"block\":[16,16,1],"
		"\"defines\":{},\"grid\":[4,2,1],\"shared_bytes\":256,"
		"\"source\":{\"entry\":\"f\",\"file\":\"x.cu\","
		"\"text\":\"text\"}}],\"id\":7,\"patience\":20.0,"
		"\"repeat\":15,\"seconds\":1.0,\"seed\":1,"
		"\"sizes\":[[64,128,256]],\"type\":\"time\"}");
	job_time_done(&t);
	job_init(&job, JOB_PAUSE);
	job.paused = true;
	written(job_message(&job), "{\"id\":7,\"paused\":true,"
		"\"type\":\"pause\"}");
	job_init(&job, JOB_CANCEL);
	written(job_message(&job), "{\"id\":7,\"type\":\"cancel\"}");
}

/* What is the same is there once, whatever the order of its defines. */
static void test_twice(void)
{
	struct job_kernel a = { .name = xstrdup("sgemm") };
	struct job_kernel b = { .name = xstrdup("sgemm") };
	struct job_kernel c;
	struct job_time t;

	job_define(&a.defines, "BM", "128");
	job_define(&a.defines, "BN", "64");
	job_define(&b.defines, "BN", "64");
	job_define(&b.defines, "BM", "128");
	c = job_kernel_copy(&a);
	job_define(&c.defines, "BM", "256");
	tap_ok(job_kernel_equal(&a, &b) && !job_kernel_equal(&a, &c),
	       "the order of defines is nothing, a value is");
	a.has_block = true;
	tap_ok(!job_kernel_equal(&a, &b) && !job_kernel_equal(&b, &a),
	       "with a block, and without one");
	a.has_block = false;
	job_time_init(&t);
	job_time_case(&t, &a);
	job_time_case(&t, &b);
	job_time_case(&t, &c);
	tap_is(t.case_count, 2, "the same kernel is there once");
	job_time_drop(&t, 0);
	tap_str(job_defined(&t.cases[0].defines, "BM"), "256",
		"one is dropped");
	job_time_done(&t);
}

/* A request with one text of that many bytes, all 'x'. */
static bool takes(const char *member, size_t bytes)
{
	char *x = xmalloc(bytes + 1);
	json_t *o, *source;
	struct error e = { 0 };
	struct job job;
	bool taken;

	memset(x, 'x', bytes);
	x[bytes] = '\0';
	o = json_pack("{s:s, s:i, s:{s:s}}", "type", "record", "id", 1,
		      "source", "text", "x");
	source = json_object_get(o, "source");
	if (!strcmp(member, "kernel")) {
		json_object_del(o, "source");
		source = o;
	}
	json_object_set_new(source, member, json_string(x));
	taken = job_object(&job, o, &e) == 0 || !strstr(e.text, "too long");
	job_done(&job);
	json_decref(o);
	free(x);
	return taken;
}

static void test_lengths(void)
{
	static const struct { const char *member; size_t most; } is[] = {
		{ "kernel", 255 }, { "file", 4096 }, { "entry", 255 },
	};

	for (size_t i = 0; i < LENGTH(is); i++)
		tap_ok(takes(is[i].member, is[i].most) &&
		       !takes(is[i].member, is[i].most + 1),
		       "\"%s\" has at most %zu bytes", is[i].member,
		       is[i].most);
}

/* Returns whether a request is read; takes it. */
static bool is_read(json_t *request)
{
	struct error e = { 0 };
	struct job job;
	bool good = job_object(&job, request, &e) == 0;

	job_done(&job);
	json_decref(request);
	return good;
}

/* Returns a request of that type that is complete. */
static json_t *request_of(const char *type)
{
	if (!strcmp(type, "locals"))
		return json_pack("{s:s,s:i,s:i,s:i,s:i,s:i}", "type", type,
				 "id", 1, "block", 0, "thread", 0, "first", 0,
				 "count", 1);
	return json_pack("{s:s,s:i,s:s,s:i,s:i,s:i}", "type", type, "id", 1,
			 "kernel", "tiled", "m", 64, "n", 64, "k", 64);
}

/* Returns whether that type's request is read with this value; takes it. */
static bool reads_member(const char *type, const char *member, json_t *value)
{
	json_t *request = request_of(type);

	json_object_set_new(request, member, value);
	return is_read(request);
}

static void test_bounds(void)
{
	static const struct {
		const char *type, *member;
		json_int_t lowest, highest;
	} of[] = {
		{ "record", "m", 1, SIZE_MAX_MNK },
		{ "record", "n", 1, SIZE_MAX_MNK },
		{ "record", "k", 1, SIZE_MAX_MNK },
		{ "record", "memory", 1, MEMORY_MAX },
		{ "record", "max_events", 1, 1ll << 40 },
		{ "record", "shared_bytes", 0, SHARED_MOST },
		{ "record", "blocks", 1, INT32_MAX },
		{ "locals", "block", 0, INT32_MAX },
		{ "locals", "thread", 0, INT32_MAX },
		{ "locals", "first", 0, INT64_MAX / 2 },
		{ "locals", "count", 0, 1000000 },
	};

	for (size_t i = 0; i < LENGTH(of); i++) {
		const char *type = of[i].type, *member = of[i].member;

		tap_ok(reads_member(type, member, json_integer(of[i].lowest)) &&
		       reads_member(type, member, json_integer(of[i].highest)),
		       "%s: from %lld to %lld", member, (long long)of[i].lowest,
		       (long long)of[i].highest);
		tap_ok(!reads_member(type, member,
				     json_integer(of[i].lowest - 1)) &&
		       !reads_member(type, member,
				     json_integer(of[i].highest + 1)),
		       "%s: not below, not above", member);
		tap_ok(!reads_member(type, member, json_real(2)) &&
		       !reads_member(type, member, json_string("2")) &&
		       !reads_member(type, member, json_true()),
		       "%s: a whole number", member);
	}
}

static void test_lists(void)
{
	tap_ok(reads_member("record", "warps", json_pack("[ii]", 0, 31)),
	       "the first and the last warp");
	tap_ok(!reads_member("record", "warps", json_pack("[i]", 32)) &&
	       !reads_member("record", "warps", json_pack("[i]", -1)) &&
	       !reads_member("record", "warps", json_integer(1)),
	       "none beyond, and a list");
	tap_ok(reads_member("record", "seconds", json_real(86400)) &&
	       reads_member("record", "seconds", json_real(1e-3)) &&
	       !reads_member("record", "seconds", json_real(86400.5)) &&
	       !reads_member("record", "seconds", json_real(0)) &&
	       !reads_member("record", "seconds", json_string("1")),
	       "seconds: above 0, at most a day");
	tap_ok(reads_member("record", "values", json_false()) &&
	       !reads_member("record", "values", json_integer(0)),
	       "a flag is true or false");
	tap_ok(reads_member("record", "blocks",
			    json_pack("[[iii]]", 0, 0, 0)) &&
	       !reads_member("record", "blocks",
			     json_pack("[[iii]]", 0, -1, 0)) &&
	       !reads_member("record", "blocks", json_pack("[[ii]]", 0, 0)) &&
	       !reads_member("record", "blocks", json_string("x")),
	       "blocks are three whole numbers each");
	tap_ok(!reads_member("record", "surprise", json_true()),
	       "no unknown member");
	tap_ok(!reads_member("record", "order", json_string("none")),
	       "no unknown order");
}

/* A request lacks one of its members, or has one too many. */
static void test_needed(void)
{
	static const char *const needed[] = { "m", "n", "k", "kernel", "type" };
	static const char text[] = "{\"type\":\"record\",\"id\":1,\"m\":64,"
		"\"n\":64,\"k\":64,\"block\":[8,8,1],\"grid\":[1,1,1],"
		"\"source\":{\"file\":\"x.cu\",\"text\":\"t\"}}";

	for (size_t i = 0; i < LENGTH(needed); i++) {
		json_t *request = request_of("record");

		json_object_del(request, needed[i]);
		tap_ok(!is_read(request), "\"%s\" is needed", needed[i]);
	}
	tap_ok(is_read(request_of("record")), "that is all");
	tap_ok(is_read(json_loads(text, 0, NULL)), "so is a text's request");
	for (int i = 0; i < 3; i++) {
		json_t *request = json_loads(text, 0, NULL);

		if (i == 2)
			json_object_set_new(request, "kernel",
					    json_string("tiled"));
		else
			json_object_del(request, i ? "grid" : "block");
		tap_ok(!is_read(request), i == 2 ? "not with a kernel, too" :
		       "not without %s", i ? "grid" : "block");
	}
}

/* Returns whether a program with this member is read; takes it. */
static bool reads_program(const char *member, json_t *value)
{
	json_t *request = json_loads("{\"type\":\"record\",\"id\":1,"
				     "\"m\":1,\"n\":1,\"k\":1,\"source\":"
				     "{\"file\":\"x.cu\",\"text\":\"t\"},"
				     "\"program\":{}}", 0, NULL);

	json_object_set_new(json_object_get(request, "program"), member, value);
	return is_read(request);
}

/* Returns a list of so many words of so many bytes. */
static json_t *words_of(size_t count, size_t bytes)
{
	json_t *list = json_array();
	char *word = xmalloc(bytes + 1);

	memset(word, 'a', bytes);
	word[bytes] = '\0';
	for (size_t i = 0; i < count; i++)
		json_array_append_new(list, json_string(word));
	free(word);
	return list;
}

static void test_program(void)
{
	static const char *const names[] = { "files", "readable", "writable" };
	static const char *const numbers[] = { "launch", "devices" };

	tap_ok(reads_program("arguments", words_of(1024, 1)) &&
	       !reads_program("arguments", words_of(1025, 1)),
	       "1024 arguments at most");
	tap_ok(reads_program("arguments", words_of(1, 65535)) &&
	       !reads_program("arguments", words_of(1, 65536)) &&
	       reads_program("arguments", words_of(1, 0)) &&
	       !reads_program("arguments", json_pack("[i]", 1)),
	       "of less than 65536 bytes each");
	for (size_t i = 0; i < LENGTH(names); i++)
		tap_ok(reads_program(names[i], words_of(2, 3)) &&
		       !reads_program(names[i], words_of(1, 0)) &&
		       !reads_program(names[i], words_of(9999, 1)) &&
		       !reads_program(names[i], json_pack("[i]", 1)),
		       "%s are words", names[i]);
	for (size_t i = 0; i < LENGTH(numbers); i++)
		tap_ok(reads_program(numbers[i], json_integer(1)) &&
		       !reads_program(numbers[i], json_integer(-1)) &&
		       !reads_program(numbers[i], json_integer(1ll << 31)) &&
		       !reads_program(numbers[i], json_string("1")),
		       "%s is a number", numbers[i]);
	tap_ok(reads_program("folder", json_string("/a")) &&
	       !reads_program("folder", json_integer(1)) &&
	       reads_program("standard", json_string("c++17")) &&
	       !reads_program("standard", json_true()),
	       "a folder and a standard are words");
	tap_ok(reads_program("images", json_true()) &&
	       !reads_program("images", json_integer(1)),
	       "images: true or false");
	tap_ok(!reads_program("surprise", json_true()), "nothing else");
}

static void test_defines(void)
{
	static const struct { const char *name; bool good; } of[] = {
		{ "TILE", true }, { "_t9", true }, { "9t", false },
		{ "", false }, { "a-b", false }, { "a b", false },
		{ "a\nb", false },
		{ "a23456789012345678901234567890123456789012345678901234567890"
		  "123", true },
		{ "a23456789012345678901234567890123456789012345678901234567890"
		  "1234", false },
	};

	for (size_t i = 0; i < LENGTH(of); i++)
		tap_is(reads_member("record", "defines",
				    json_pack("{ss}", of[i].name, "1")),
		       of[i].good, "a define's name: '%zu'", i);
}

/* The key is of what is asked for, wherever the files are. */
static void test_key(void)
{
	struct job job;
	char before[JOB_KEY], key[JOB_KEY];

	job_launch(&job, JOB_RECORD, NULL, 8, 8, 8, NULL, 0);
	job.kernel.file = xstrdup("a.cu");
	job.kernel.text = xstrdup("x");
	job.kernel.text_length = 1;
	job.kernel.program.run = true;
	job_key(&job, before);
	job_define(&job.kernel.headers, "a.h", "y");
	free(job.kernel.program.folder);
	job.kernel.program.folder = xstrdup("/elsewhere");
	job_key(&job, key);
	tap_str(key, before, "a key knows no place");
	job.size.k = 16;
	job_key(&job, key);
	tap_ok(strcmp(key, before), "but the size");
	job_done(&job);
}

int main(void)
{
	test_key();
	test_record();
	test_source();
	test_locals();
	test_time();
	test_twice();
	test_bounds();
	test_lists();
	test_needed();
	test_program();
	test_defines();
	test_lengths();
	return tap_done();
}
