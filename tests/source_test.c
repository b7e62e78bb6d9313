/* Index expressions: found in the text, and with numbers put in. */
#include <stdlib.h>

#include "scene/source.h"
#include "tap.h"

static const char text[] =
	"#define TS 64 // tile\n"						/* 1 */
	"const int WPT = 4;\n"							/* 2 */
	"sum += A[row * K + k] * B[k * N + col];\n"				/* 3 */
	"As[ty][tx] = A[(by*TS + ty) * K + t * TS + tx];\n"			/* 4 */
	"acc[i][j] += ra[i] * rb[j];\n"						/* 5 */
	"reinterpret_cast<float4 *>(&C[row * N])[0] = tmp; // C[0]\n"		/* 6 */
	"float4 v = *reinterpret_cast<const float4 *>(\n"			/* 7 */
	"    &A[idx[2] + threadIdx.x]);\n"					/* 8 */
	"x = As[As[1][2]][k] + v.A;\n"						/* 9 */
	"#define ODD TS + 1\n"							/* 10 */
	"y = As[WPT * 2 + 1][k];\n";						/* 11 */

static struct trace_array arrays[] = {
	{ .name = (char *)"A" }, { .name = (char *)"B" },
	{ .name = (char *)"C" }, { .name = (char *)"As" },
	{ .name = (char *)"acc" }, { .name = (char *)"tmp" },
};
static struct trace_define defines[] = { { (char *)"K", (char *)"100" } };
static struct trace_info info = {
	.text = (char *)text, .arrays = arrays, .array_count = 6,
	.defines = defines, .define_count = 1,
};

static bool lookup(void *ctx, const char *name, int64_t *v)
{
	static const struct { const char *name; int64_t v; } known[] = {
		{ "row", 9 }, { "k", 3 }, { "by", 2 }, { "ty", 5 },
		{ "t", 1 }, { "tx", 7 }, { "threadIdx.x", 11 }, { "N", -2 },
	};

	(void)ctx;
	for (size_t i = 0; i < LENGTH(known); i++)
		if (!strcmp(known[i].name, name)) {
			*v = known[i].v;
			return true;
		}
	return false;
}

static char *found(struct source *s, uint32_t line, uint32_t column,
		   uint32_t array, enum op op, struct source_span *span)
{
	struct trace_site site = { .line = line, .column = column,
				   .array = array, .op = op };

	if (!source_subscript(s, &info, &site, span))
		return xstrdup("(none)");
	return xstrndup(s->lines[span->line - 1].text + span->start,
			span->len);
}

static void finds(struct source *s, uint32_t line, uint32_t column,
		  uint32_t array, enum op op, const char *want)
{
	struct source_span span;
	char *got = found(s, line, column, array, op, &span);

	tap_str(got, want, "line %u: %s of %s", line, op_name(op),
		arrays[array].name);
	free(got);
}

static void numbers(struct source *s, uint32_t line, uint32_t array,
		    enum op op, const char *want, size_t count, int64_t first)
{
	struct source_span span;
	int64_t values[TRACE_MAX_RANK] = {0};
	char *expr = found(s, line, 0, array, op, &span), *got;
	size_t n;

	got = source_numbers(s, &span, lookup, NULL, values, &n);
	tap_str(got, want, "%s with numbers", expr);
	tap_is(n, count, "its subscripts are worked out");
	if (count)
		tap_is(values[0], first, "the first of them");
	free(got);
	free(expr);
}

int main(void)
{
	struct source *s = source_new(&info);

	tap_is(s->count, 11, "lines");
	finds(s, 3, 0, 0, OP_LD, "A[row * K + k]");
	finds(s, 3, 38, 1, OP_LD, "B[k * N + col]");
	finds(s, 4, 0, 0, OP_LD, "A[(by*TS + ty) * K + t * TS + tx]");
	finds(s, 4, 0, 3, OP_ST, "As[ty][tx]");
	finds(s, 5, 0, 4, OP_LD, "acc[i][j]");
	finds(s, 5, 0, 4, OP_ST, "acc[i][j]");
	finds(s, 6, 0, 2, OP_ST, "C[row * N]");
	finds(s, 6, 0, 5, OP_LD, "tmp");
	finds(s, 7, 0, 0, OP_LD, "A[idx[2] + threadIdx.x]");
	finds(s, 9, 0, 3, OP_LD, "As[As[1][2]][k]");
	finds(s, 9, 0, 0, OP_LD, "A[idx[2] + threadIdx.x]");
	finds(s, 9, 0, 1, OP_LD, "(none)");
	finds(s, 2, 0, 1, OP_LD, "B[k * N + col]");
	finds(s, 99, 0, 0, OP_LD, "(none)");
	numbers(s, 3, 0, OP_LD, "A[9 * 100 + 3]", 1, 903);
	numbers(s, 3, 1, OP_LD, "B[3 * (-2) + col]", 0, 0);
	numbers(s, 4, 0, OP_LD, "A[(2*64 + 5) * 100 + 1 * 64 + 7]", 1, 13371);
	numbers(s, 4, 3, OP_ST, "As[5][7]", 2, 5);
	numbers(s, 11, 3, OP_LD, "As[4 * 2 + 1][3]", 2, 9);
	numbers(s, 7, 0, OP_LD, "A[idx[2] + 11]", 0, 0);
	tap_is(s->lines[0].token[0], TOKEN_WORD, "#define is a word");
	tap_is(s->lines[0].token[16], TOKEN_COMMENT, "a comment is one");
	tap_is(s->lines[2].token[0], TOKEN_PLAIN, "a name is plain");
	source_free(s);
	s = source_new(&(struct trace_info){ .text = (char *)"" });
	tap_is(s->count, 1, "a text of nothing has a line");
	tap_str(s->lines[0].text, "", "which is empty");
	source_free(s);
	return tap_done();
}
