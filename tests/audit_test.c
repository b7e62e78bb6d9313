/*
 * audit_test: a trace that claims to be without faults is held to its events:
 * true ones pass, and those of which a finding was taken away do not.
 * sanitized: never (it takes findings out of traces, whose words leak)
 */
#include "emu_ask.h"
#include "runner/audit.h"

static struct trace_info *info_of(struct trace *t)
{
	return (struct trace_info *)(uintptr_t)trace_info(t);
}

/* Records a request; takes it. */
static struct trace *record_request(json_t *request)
{
	struct reply r = ask(request);
	struct trace *t = r.trace;

	if (!t)
		fatal("%s", r.error);
	r.trace = NULL;
	reply_done(&r);
	return t;
}

static struct trace *record_text(const char *text, const char *entry,
				 const char *shape)
{
	return record_request(text_request("own.cu", text, entry, shape));
}

static void passes(struct trace *t, const char *what)
{
	struct error e = { .text = "" };

	tap_ok(t && audit_trace(t, &e) == 0, "%s: passes", what);
	if (e.text[0])
		printf("#   %s\n", e.text);
}

/* As if nothing had been found. */
static void is_doubted(struct trace *t, const char *words, const char *what)
{
	struct trace_info *in = info_of(t);
	size_t findings = in->finding_count;
	struct error e = { .text = "" };
	int rc;

	in->finding_count = 0;
	rc = audit_trace(t, &e);
	in->finding_count = findings;
	tap_ok(rc < 0 && e.status == EXIT_REFUSED && strstr(e.text, words),
	       "%s: not trusted", what);
	if (!strstr(e.text, words))
		printf("#   got '%s'\n", e.text);
}

/* ---- what is so ---- */

static const struct { const char *name; int m, n, k; } kernels_of[] = {
	{ "naive", 32, 48, 16 }, { "naive_swapped", 32, 32, 16 },
	{ "tiled", 64, 48, 40 }, { "padded", 64, 64, 64 },
	{ "tiled_bt", 64, 64, 64 }, { "tiled_bt_pad", 64, 64, 64 },
	{ "register_tiled", 64, 64, 64 }, { "double_buffered", 64, 64, 64 },
	{ "float4", 64, 64, 64 }, { "warptile", 128, 128, 64 },
	{ "sgemm_pipelined", 128, 128, 64 }, { "sgemm", 128, 128, 64 },
	{ "wmma", 64, 64, 64 }, { "mma", 128, 128, 64 },
	{ "mma_multistage", 128, 256, 64 }, { "wgmma_basic", 64, 128, 64 },
	{ "tma_pipeline", 128, 128, 128 }, { "hgemm", 256, 128, 128 },
};

static void test_ladder(void)
{
	for (size_t i = 0; i < LENGTH(kernels_of); i++) {
		struct trace *t = recorded(kernels_of[i].name, "",
					   kernels_of[i].m, kernels_of[i].n,
					   kernels_of[i].k);

		passes(t, kernels_of[i].name);
		trace_close(t);
	}
}

/* Warps that meet in shared memory otherwise than at a barrier, or in one warp
 * alone. */
static const char several[] =
	"__global__ void one_warp(float *C) {\n"
	"    __shared__ float s[32];\n"
	"    s[threadIdx.x] = threadIdx.x;\n"
	"    __syncwarp();\n"
	"    C[threadIdx.x] = s[31 - threadIdx.x];\n"
	"}\n"
	"__global__ void parts(float *C) {\n"
	"    __shared__ float s[64];\n"
	"    for (int i = 0; i < 3; i++) {\n"
	"        s[threadIdx.x] = i;\n"
	"        __syncthreads();\n"
	"        C[threadIdx.x] = s[63 - threadIdx.x];\n"
	"        __syncthreads();\n"
	"    }\n"
	"}\n"
	"__global__ void bytes(char *C) {\n"
	"    __shared__ char s[64];\n"
	"    s[threadIdx.x] = 1;\n"
	"    C[threadIdx.x] = s[threadIdx.x];\n"
	"}\n"
	"__global__ void words(char *C) {\n"
	"    __shared__ int s[16];\n"
	"    char *at = (char *)s + (threadIdx.x + 2) % 64;\n"
	"    *at = 1;\n"
	"    C[threadIdx.x] = *at;\n"
	"}\n"
	"__global__ void leaves(float *C) {\n"
	"    __shared__ float s[64];\n"
	"    if (threadIdx.x < 32) s[threadIdx.x] = 1;\n"
	"    if (threadIdx.x == 63) return;\n"
	"    C[threadIdx.x] = threadIdx.x < 32 ? s[threadIdx.x] : 0;\n"
	"}\n";

/* Warps that meet in shared memory without a barrier between them. Where two
 * store, and where the last of two that load stores, a barrier comes before
 * anything else happens. */
static const char meeting[] =
	"__global__ void two_store(int *C) {\n"
	"    __shared__ int s[32];\n"
	"    s[threadIdx.x % 32] = threadIdx.x;\n"
	"    __syncthreads();\n"
	"    C[threadIdx.x] = s[threadIdx.x % 32];\n"
	"}\n"
	"__global__ void two_load(int *C) {\n"
	"    __shared__ int s[32];\n"
	"    if (threadIdx.x < 32) s[threadIdx.x] = 1;\n"
	"    __syncthreads();\n"
	"    int x = s[threadIdx.x % 32];\n"
	"    if (threadIdx.x >= 32) s[threadIdx.x % 32] = 1;\n"
	"    C[threadIdx.x] = x;\n"
	"}\n"
	"__global__ void store_then_load(int *C) {\n"
	"    __shared__ int s[64];\n"
	"    if (threadIdx.x < 32) s[threadIdx.x] = 1;\n"
	"    C[threadIdx.x] = threadIdx.x < 32 ? 0 : s[threadIdx.x - 32];\n"
	"}\n"
	"__global__ void load_then_store(int *C) {\n"
	"    __shared__ int s[64];\n"
	"    s[threadIdx.x] = 1;\n"
	"    __syncthreads();\n"
	"    C[threadIdx.x] = threadIdx.x < 32 ? s[threadIdx.x] : 0;\n"
	"    if (threadIdx.x >= 32) s[threadIdx.x - 32] = 1;\n"
	"}\n"
	"__global__ void wide_and_narrow(char *C) {\n"
	"    __shared__ int s[64];\n"
	"    if (threadIdx.x < 32) s[threadIdx.x] = 1;\n"
	"    else ((char *)s)[4 * (threadIdx.x - 32) + 3] = 1;\n"
	"    __syncthreads();\n"
	"    C[threadIdx.x] = s[threadIdx.x];\n"
	"}\n"
	"__global__ void later_block(int *C) {\n"
	"    __shared__ int s[64];\n"
	"    s[threadIdx.x] = 1;\n"
	"    __syncthreads();\n"
	"    int at = blockIdx.x == 1 ? 63 - threadIdx.x : threadIdx.x;\n"
	"    s[at] = s[threadIdx.x];\n"
	"    __syncthreads();\n"
	"    C[threadIdx.x] = s[threadIdx.x];\n"
	"}\n";

/* What orders threads besides barriers is not looked into, wherever in the
 * text it stands: so this is a text of its own. */
static const char counts[] =
	"__global__ void counts(int *C) {\n"
	"    __shared__ int n;\n"
	"    if (threadIdx.x == 0) n = 0;\n"
	"    __syncthreads();\n"
	"    atomicAdd(&n, 1);\n"
	"    __syncthreads();\n"
	"    C[threadIdx.x] = n;\n"
	"}\n";

static void test_several(void)
{
	static const char *const names[] = { "one_warp", "parts", "bytes",
					     "words", "leaves", "counts" };

	for (size_t i = 0; i < LENGTH(names); i++) {
		bool last = i + 1 == LENGTH(names);
		struct trace *t = record_text(last ? counts : several, names[i],
					      i ? "64x1x1 1x1x1" :
						  "32x1x1 1x1x1");

		tap_is(trace_info(t)->finding_count, 0, "%s: has no fault",
		       names[i]);
		passes(t, names[i]);
		trace_close(t);
	}
}

/* Blocks share no memory, whatever their warps access. */
static void test_blocks(void)
{
	static const char text[] =
		"__global__ void blocks(float *C) {\n"
		"    __shared__ float s[64];\n"
		"    int t = threadIdx.x, at = blockIdx.x == 1 ? 63 - t : t;\n"
		"    s[at] = 1;\n"
		"    C[blockIdx.x * 64 + t] = s[at];\n"
		"}\n";
	struct trace *t = record_text(text, "blocks", "64x1x1 3x1x1");

	tap_is(trace_info(t)->finding_count, 0, "blocks: has no fault");
	passes(t, "blocks");
	trace_close(t);
}

/* ---- what is not ---- */

static const char product[] =
	"#define T 16\n"
	"__global__ void racy(const float *A, const float *B, float *C,\n"
	"                     int M, int N, int K) {\n"
	"    __shared__ float As[T][T], Bs[T][T];\n"
	"    int x = threadIdx.x, y = threadIdx.y;\n"
	"    int row = blockIdx.y * T + y, col = blockIdx.x * T + x;\n"
	"    float sum = 0;\n"
	"    for (int k0 = 0; k0 < K; k0 += T) {\n"
	"        As[y][x] = row < M && k0 + x < K ? A[row * K + k0 + x] : 0;\n"
	"        Bs[y][x] = col < N && k0 + y < K ? B[(k0 + y) * N + col] : 0;\n"
	"        __syncthreads();\n"
	"        for (int k = 0; k < T; k++) sum += As[y][k] * Bs[k][x];\n"
	"        RACE\n"
	"    }\n"
	"    if (row < M && col < N) C[row * N + col] = sum + WRONG;\n"
	"}\n";

static struct trace *record_product(const char *race, const char *wrong)
{
	struct str text = {0};
	struct trace *t;

	str_addf(&text, "#define RACE %s\n#define WRONG %s\n%s", race, wrong,
		 product);
	t = record_text(text.data, "racy", "16x16x1 2x2x1");
	str_done(&text);
	return t;
}

static void test_product(void)
{
	struct trace *t = record_product("__syncthreads();", "0");

	tap_is(trace_info(t)->finding_count, 0, "a product without a fault");
	passes(t, "a product");
	for (size_t i = 0; i < trace_info(t)->site_count; i++) {
		struct trace_site *s = &info_of(t)->sites[i];

		if (s->op == OP_ST && s->array != TRACE_NO_ARRAY &&
		    trace_info(t)->arrays[s->array].space == SPACE_GLOBAL)
			s->op = OP_LD;
	}
	is_doubted(t, "no store of it was recorded", "right without a store");
	trace_close(t);
}

/* Sums beyond 2048 are rounded where they are stored; that is right, too. */
static const char halves[] =
	"#include <cuda_fp16.h>\n"
	"__global__ void halves(const float *A, const float *B, half *C,\n"
	"                       int M, int N, int K) {\n"
	"    int row = blockIdx.y * 16 + threadIdx.y;\n"
	"    int col = blockIdx.x * 16 + threadIdx.x;\n"
	"    float sum = 0;\n"
	"    if (row >= M || col >= N) return;\n"
	"    for (int k = 0; k < K; k++)\n"
	"        sum += A[row * K + k] * B[k * N + col];\n"
	"    C[row * N + col] = __float2half(sum);\n"
	"}\n";

static void test_rounded(void)
{
	json_t *request = text_request("own.cu", halves, "halves",
				       "16x16x1 2x2x1");
	const struct trace_info *in;
	struct trace *t;

	json_object_set_new(request, "k", json_integer(1000));
	t = record_request(request);
	in = trace_info(t);
	tap_is(in->finding_count, 0, "sums as halves have no fault");
	tap_ok(in->check && strcmp(in->check, "") != 0, "... and are checked");
	passes(t, "sums as halves");
	trace_close(t);
}

static void test_race_hidden(void)
{
	struct trace *t = record_product("", "0");

	tap_ok(trace_info(t)->finding_count > 0, "a barrier is missing");
	passes(t, "with its finding");
	is_doubted(t, "two warps access", "without it");
	trace_close(t);
}

static void test_meeting_hidden(void)
{
	static const char *const names[] = {
		"two_store", "two_load", "store_then_load", "load_then_store",
		"wide_and_narrow", "later_block",
	};

	for (size_t i = 0; i < LENGTH(names); i++) {
		struct trace *t = record_text(meeting, names[i],
					      "64x1x1 2x1x1");

		tap_ok(trace_info(t)->finding_count > 0, "%s: has a fault",
		       names[i]);
		passes(t, "with its finding");
		is_doubted(t, "two warps access", names[i]);
		trace_close(t);
	}
}

/* A warp that has not all lanes passes its barriers as a whole, too. */
static void test_half_warp_hidden(void)
{
	struct trace *t = record_text(meeting, "two_store", "48x1x1 1x1x1");

	tap_ok(trace_info(t)->finding_count > 0, "48 threads: a fault");
	is_doubted(t, "two warps access", "48 threads");
	trace_close(t);
}

/* Whole numbers wrap: a sum in 8 bits is right if its remainder is. */
static const char bytes[] =
	"__global__ void bytes(const int *A, const int *B, signed char *C,\n"
	"                      int M, int N, int K) {\n"
	"    int row = blockIdx.y * 16 + threadIdx.y;\n"
	"    int col = blockIdx.x * 16 + threadIdx.x;\n"
	"    int sum = WRONG;\n"
	"    if (row >= M || col >= N) return;\n"
	"    for (int k = 0; k < K; k++)\n"
	"        sum += A[row * K + k] * B[k * N + col];\n"
	"    C[row * N + col] = sum;\n"
	"}\n";

static void test_wrapped(void)
{
	for (int wrong = 0; wrong < 2; wrong++) {
		char *text = xasprintf("#define WRONG %d\n%s", wrong, bytes);
		struct trace *t = record_text(text, "bytes", "16x16x1 2x2x1");

		tap_is(trace_info(t)->finding_count, wrong,
		       "sums in bytes, wrong by %d", wrong);
		passes(t, "sums in bytes");
		if (wrong)
			is_doubted(t, "no store of the correct value", "bytes");
		trace_close(t);
		free(text);
	}
}

/* What the recorder did not put into the inputs has another answer, which the
 * audit does not know. */
static void test_other_inputs(void)
{
	static const double lows[] = { 0, -10 };

	for (size_t i = 0; i < LENGTH(lows); i++) {
		struct trace *t = record_product("__syncthreads();", "1");
		struct trace_info *in = info_of(t);

		for (size_t n = 0; n < in->argument_count; n++)
			in->arguments[n].low = lows[i];
		in->finding_count = 0;
		passes(t, "other inputs");
		trace_close(t);
	}
}

/* Rows whose inputs changed places are wrong, though each row by itself is the
 * answer to some order of the inputs. */
static void test_swapped_hidden(void)
{
	static const char text[] =
		"__global__ void swapped(const float *A, const float *B,\n"
		"                        float *C, int M, int N, int K) {\n"
		"    int row = blockIdx.y * 16 + threadIdx.y;\n"
		"    int col = blockIdx.x * 16 + threadIdx.x;\n"
		"    const float *a = row < 10 ? A : B;\n"
		"    const float *b = row < 10 ? B : A;\n"
		"    float sum = 0;\n"
		"    if (row >= M || col >= N) return;\n"
		"    for (int k = 0; k < K; k++)\n"
		"        sum += a[row * K + k] * b[k * N + col];\n"
		"    C[row * N + col] = sum;\n"
		"}\n";
	struct trace *t = record_text(text, "swapped", "16x16x1 2x2x1");

	tap_is(trace_info(t)->finding_count, 1, "swapped inputs: a fault");
	is_doubted(t, "no store of the correct value", "swapped inputs");
	trace_close(t);
}

static void test_answer_hidden(void)
{
	static const char *const wrongs[] = {
		"1", "(row == 19 && col == 19)", "(row == 0 && col == 0) * 0.5f",
	};

	for (size_t i = 0; i < LENGTH(wrongs); i++) {
		struct trace *t = record_product("__syncthreads();",
						 wrongs[i]);
		struct trace_info *in = info_of(t);

		tap_is(in->finding_count, 1, "wrong by %s", wrongs[i]);
		passes(t, "with its finding");
		is_doubted(t, "no store of the correct value", wrongs[i]);
		trace_close(t);
	}
}

static void test_stop_hidden(void)
{
	struct trace *t = record_product("__syncthreads();",
					 "A[row * K + (row == 9) * 9999]");

	tap_ok(trace_info(t)->finding_count > 0, "out of bounds");
	passes(t, "with its finding");
	is_doubted(t, "no finding gives the reason", "without it");
	trace_close(t);
}

int main(void)
{
	test_ladder();
	test_several();
	test_blocks();
	test_product();
	test_rounded();
	test_race_hidden();
	test_meeting_hidden();
	test_half_warp_hidden();
	test_wrapped();
	test_other_inputs();
	test_swapped_hidden();
	test_answer_hidden();
	test_stop_hidden();
	runner_free(runner);
	return tap_done();
}
