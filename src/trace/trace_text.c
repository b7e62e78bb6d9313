/*
 * trace_text: a trace as text, which trace_parse.c turns back into the same
 * bytes. One space stands between words; every line ends with a newline.
 *
 *   gemmviz trace 1
 *   kernel "naive"                     strings: see below
 *   file "naive.cu"
 *   on "cpu"
 *   device ""
 *   size 64 64 64                      m n k
 *   grid 4 4 1
 *   block 16 16 1
 *   seed 1
 *   values yes                         or no
 *   partial no
 *   problem "gemm" "rows"              its name and how the answer was checked,
 *                                      or why not; where that is known
 *   spaces global shared register constant
 *                                      those that were recorded
 *   text                               the kernel's text follows:
 *   |__global__ void naive(...)        a line of it
 *   !}                                 a last line without a newline
 *   define "TILE" "16"                 any number of these
 *   array 0 "A" global f32 4 [64][64] at 0x1000      numbered from 0;
 *                                      4: bytes an element
 *   site 0 19:7 ld 4 array 0           line:column, bytes a lane;
 *                                      st, ldmatrix, stmatrix alike
 *   site 1 20:9 barrier
 *   site 2 21:9 tma-ld 8192 array 0    bytes of all that is moved; for other
 *                                      kinds see enum op
 *        ... tile 1 64 64 of 2 next 0 pitch 128 swizzle 128 blocks 0
 *                                      behind it: parts, rows, columns, bytes
 *                                      of an element; see struct trace_tile
 *   argument "A" "const float *" array 0 by assumed value "" size none
 *       before 0 holds 0x0 0x0 by assumed
 *                                      on one line; name, type, array or none,
 *                                      who decided; size m, n, k or none;
 *                                      doubles' bits; see struct trace_argument
 *   devices 4 own 9                    of a program's launch: how many, and
 *                                      which work it is, or 0
 *   work transfer to 1 from host stream 2 turn 3 group 0 line 88
 *       size 0 0 0 bytes 4096 "cudaMemcpyAsync" "A"
 *                                      on one line; see struct trace_work
 *   finding race 19 "words"            kind, line: the cause is not known
 *   finding unordered ld 4 19:7 by 0 3 other st 4 20:9 by 0 5 ...
 *                                      cause; op, bytes, line:column, block,
 *                                      thread of both accesses
 *        ... array 2 at -16 words "" "" numbers 1 2 expected 0x0 got 0x0
 *            count 1                   behind it; or array none; as many
 *                                      numbers as the cause has; doubles' bits
 *   warp 0 3                           block, warp; its requests follow:
 *   0 ffffffff 0+4*16 256*16 = 1 2*31  site, mask, offsets = values
 *   1 ffffffff                         a barrier
 *   end
 *
 * Offsets are those of the active lanes in ascending order, as runs:
 * START+STEP*COUNT (or START-STEP*COUNT), START*COUNT where all are the same,
 * START alone. Values likewise, V*COUNT or V; the words of a wide value are
 * joined by commas. A word is 0x and hexadecimal digits; in arrays of f32
 * also a decimal number that gives exactly these bits, in arrays of i32 a
 * decimal integer. Without values, " = ..." is absent.
 *
 * Strings stand in quotes. What is not printable ASCII is escaped, there and
 * in the kernel's text: \t \r \n, \u{4e2d} for a character, \xff for a byte
 * that belongs to none; and so are \\ and, in strings, \".
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/lang.h"
#include "base/text.h"
#include "trace/finding.h"
#include "trace/trace_format.h"

/* Writes one character or stray byte; returns the bytes that it took. */
static size_t dump_char(FILE *out, const char *s, size_t n, bool quoted)
{
	uint32_t cp;
	size_t bytes = text_decode(s, n, &cp);
	unsigned char c = (unsigned char)*s;

	if (bytes > 1)
		fprintf(out, "\\u{%" PRIx32 "}", cp);
	else if (c == '\\' || (c == '"' && quoted))
		fprintf(out, "\\%c", c);
	else if (c >= 0x20 && c < 0x7F)
		fputc(c, out);
	else if (c == '\t' || c == '\r' || c == '\n')
		fprintf(out, "\\%c", c == '\t' ? 't' : c == '\r' ? 'r' : 'n');
	else
		fprintf(out, "\\x%02x", c);
	return bytes;
}

static void dump_string(FILE *out, const char *s)
{
	size_t n = strlen(s);

	fputc('"', out);
	while (n) {
		size_t bytes = dump_char(out, s, n, true);

		s += bytes;
		n -= bytes;
	}
	fputc('"', out);
}

static void dump_named(FILE *out, const char *name, const char *s)
{
	fprintf(out, "%s ", name);
	dump_string(out, s);
	fputc('\n', out);
}

static void dump_text(FILE *out, const char *s)
{
	fputs("text\n", out);
	while (*s) {
		size_t n = strcspn(s, "\n");
		const char *end = s + n;

		fputc(*end ? '|' : '!', out);
		while (s < end)
			s += dump_char(out, s, end - s, false);
		fputc('\n', out);
		s += *end == '\n';
	}
}

static void dump_head(FILE *out, const struct trace_info *info)
{
	fprintf(out, "gemmviz trace %d\n", GVT_VERSION);
	dump_named(out, "kernel", info->kernel);
	dump_named(out, "file", info->file);
	dump_named(out, "on", info->on);
	dump_named(out, "device", info->device);
	fprintf(out, "size %" PRIu32 " %" PRIu32 " %" PRIu32 "\n", info->m,
		info->n, info->k);
	fprintf(out, "grid %" PRIu32 " %" PRIu32 " %" PRIu32 "\n",
		info->grid.x, info->grid.y, info->grid.z);
	fprintf(out, "block %" PRIu32 " %" PRIu32 " %" PRIu32 "\n",
		info->block.x, info->block.y, info->block.z);
	fprintf(out, "seed %" PRIu64 "\n", info->seed);
	fprintf(out, "values %s\n", info->values ? "yes" : "no");
	fprintf(out, "partial %s\n", info->partial ? "yes" : "no");
	if (info->problem && info->check) {
		fputs("problem ", out);
		dump_string(out, info->problem);
		fputc(' ', out);
		dump_string(out, info->check);
		fputc('\n', out);
	}
	fputs("spaces", out);
	for (int s = 0; s < SPACE_COUNT; s++)
		if (info->spaces >> s & 1)
			fprintf(out, " %s", space_name(s));
	fputc('\n', out);
	dump_text(out, info->text);
}

static void dump_array(FILE *out, size_t i, const struct trace_array *a)
{
	fprintf(out, "array %zu ", i);
	dump_string(out, a->name);
	fprintf(out, " %s %s %" PRIu32 " ", space_name(a->space),
		elem_name(a->elem), a->elem_bytes);
	for (uint32_t d = 0; d < a->rank; d++)
		fprintf(out, "[%" PRIu64 "]", a->dims[d]);
	fprintf(out, " at 0x%" PRIx64 "\n", a->base);
}

static void dump_tile(FILE *out, const struct trace_tile *t)
{
	fprintf(out, " tile %" PRIu32 " %" PRIu32 " %" PRIu32 " of %" PRIu32
		" next %" PRIu32 " pitch %" PRIu32 " swizzle %" PRIu32
		" blocks %" PRIu32, t->parts, t->rows, t->columns, t->bytes,
		t->next, t->pitch, t->swizzle, t->blocks);
}

static void dump_access(FILE *out, const struct finding_access *a)
{
	fprintf(out, " %s %" PRIu32 " %" PRIu32 ":%" PRIu32 " by %" PRIu32
		" %" PRIu32, op_name(a->op), a->bytes, a->line, a->column,
		a->block, a->thread);
}

static uint64_t double_bits(double v)
{
	uint64_t bits;

	memcpy(&bits, &v, sizeof(bits));
	return bits;
}

static void dump_cause(FILE *out, const struct trace_finding *f)
{
	fprintf(out, "finding %s", finding_cause(f->cause)->word);
	dump_access(out, &f->access);
	fputs(" other", out);
	dump_access(out, &f->other);
	if (f->array == TRACE_NO_ARRAY)
		fputs(" array none", out);
	else
		fprintf(out, " array %" PRIu32, f->array);
	fprintf(out, " at %" PRId64 " words ", f->offset);
	dump_string(out, f->word);
	fputc(' ', out);
	dump_string(out, f->other_word);
	fputs(" numbers", out);
	for (size_t i = 0; i < finding_numbers(f->cause); i++)
		fprintf(out, " %" PRIu64, f->number[i]);
	fprintf(out, " expected 0x%" PRIx64 " got 0x%" PRIx64 " count %"
		PRIu64 "\n", double_bits(f->expected), double_bits(f->got),
		f->count);
}

static void dump_finding(FILE *out, const struct trace_finding *f)
{
	if (f->cause != CAUSE_TOLD) {
		dump_cause(out, f);
		return;
	}
	fprintf(out, "finding %s %" PRIu32 " ", finding_name(f->kind),
		f->access.line);
	dump_string(out, f->text);
	fputc('\n', out);
}

static void dump_argument(FILE *out, const struct trace_argument *a)
{
	fputs("argument ", out);
	dump_string(out, a->name);
	fputc(' ', out);
	dump_string(out, a->type);
	if (a->array == TRACE_NO_ARRAY)
		fputs(" array none", out);
	else
		fprintf(out, " array %" PRIu32, a->array);
	fprintf(out, " by %s value ", decided_name(a->decided));
	dump_string(out, a->value);
	fprintf(out, " size %s before %" PRIu64 " holds 0x%" PRIx64
		" 0x%" PRIx64 " by %s\n",
		a->size == 'm' ? "m" : a->size == 'n' ? "n" :
		a->size == 'k' ? "k" : "none", a->before,
		double_bits(a->low), double_bits(a->high),
		decided_name(a->filled));
}

static void dump_side(FILE *out, const char *word, uint32_t device)
{
	if (device == WORK_HOST)
		fprintf(out, " %s host", word);
	else
		fprintf(out, " %s %" PRIu32, word, device);
}

static void dump_work(FILE *out, const struct trace_work *w)
{
	fprintf(out, "work %s", work_kind_name(w->kind));
	dump_side(out, "to", w->device);
	dump_side(out, "from", w->from);
	fprintf(out, " stream %" PRIu32 " turn %" PRIu32 " group %" PRIu32
		" line %" PRIu32 " size %" PRIu32 " %" PRIu32 " %" PRIu32
		" bytes %" PRIu64 " ", w->stream, w->turn, w->group, w->line,
		w->m, w->n, w->k, w->bytes);
	dump_string(out, w->what);
	fputc(' ', out);
	dump_string(out, w->name);
	fputc('\n', out);
}

static void dump_tables(FILE *out, const struct trace_info *info)
{
	for (size_t i = 0; i < info->define_count; i++) {
		fputs("define ", out);
		dump_string(out, info->defines[i].name);
		fputc(' ', out);
		dump_string(out, info->defines[i].value);
		fputc('\n', out);
	}
	for (size_t i = 0; i < info->array_count; i++)
		dump_array(out, i, &info->arrays[i]);
	for (size_t i = 0; i < info->site_count; i++) {
		const struct trace_site *s = &info->sites[i];

		fprintf(out, "site %zu %" PRIu32 ":%" PRIu32 " %s", i, s->line,
			s->column, trace_site_word(s));
		if (op_has_array(s->op))
			fprintf(out, " %" PRIu32 " array %" PRIu32, s->bytes,
				s->array);
		if (s->tile.rows)
			dump_tile(out, &s->tile);
		fputc('\n', out);
	}
	for (size_t i = 0; i < info->argument_count; i++)
		dump_argument(out, &info->arguments[i]);
	if (info->devices)
		fprintf(out, "devices %" PRIu32 " own %" PRIu32 "\n",
			info->devices, info->own);
	for (size_t i = 0; i < info->work_count; i++)
		dump_work(out, &info->works[i]);
	for (size_t i = 0; i < info->finding_count; i++)
		dump_finding(out, &info->findings[i]);
}

/* ---- requests ---- */

/* Counts how many of v[0..n) form one run: equal steps, at least three values
 * unless the step is 0. */
static uint32_t offsets_run_length(const uint64_t *v, uint32_t n)
{
	uint32_t run = 1;

	while (run < n && v[run] - v[run - 1] == v[1] - v[0])
		run++;
	return run == 2 && v[1] != v[0] ? 1 : run;
}

static void dump_offsets(FILE *out, const struct trace_request *r)
{
	uint64_t v[WARP_LANES];
	uint32_t n = 0, run;

	for (uint32_t m = r->mask; m; m &= m - 1)
		v[n++] = r->offset[__builtin_ctz(m)];
	for (uint32_t i = 0; i < n; i += run) {
		run = offsets_run_length(v + i, n - i);
		fprintf(out, " %" PRIu64, v[i]);
		if (run > 1 && v[i + 1] > v[i])
			fprintf(out, "+%" PRIu64, v[i + 1] - v[i]);
		if (run > 1 && v[i + 1] < v[i])
			fprintf(out, "-%" PRIu64, v[i] - v[i + 1]);
		if (run > 1)
			fprintf(out, "*%" PRIu32, run);
	}
}

/* Formats the shortest decimal number that reads back as the same bits; false
 * when there is none. */
static bool float_text(uint32_t word, char *buf, size_t size)
{
	float f, back;

	memcpy(&f, &word, sizeof(f));
	if (!(f - f == 0))
		return false;
	for (int precision = 6; precision <= 9; precision++) {
		snprintf(buf, size, "%.*g", precision, f);
		back = strtof(buf, NULL);
		if (memcmp(&back, &f, sizeof(f)) == 0)
			return true;
	}
	return false;
}

static void dump_word(FILE *out, uint32_t word, enum elem elem, uint32_t bytes)
{
	char buf[40];

	if (bytes >= 4 && elem == ELEM_I32)
		fprintf(out, "%" PRId32, (int32_t)word);
	else if (bytes >= 4 && elem == ELEM_F32 &&
		 float_text(word, buf, sizeof(buf)))
		fputs(buf, out);
	else
		fprintf(out, "0x%" PRIx32, word);
}

static void dump_values(FILE *out, const struct trace_info *info,
			const struct trace_request *r)
{
	const struct trace_site *s = &info->sites[r->site];
	size_t words = trace_value_words(s);
	uint32_t left = r->mask;

	fputs(" =", out);
	while (left) {
		const uint32_t *v = r->value + __builtin_ctz(left) * 4;
		uint32_t run = 0;

		for (; left; left &= left - 1, run++)
			if (memcmp(r->value + __builtin_ctz(left) * 4, v,
				   words * sizeof(*v)) != 0)
				break;
		for (size_t i = 0; i < words; i++) {
			fputc(i ? ',' : ' ', out);
			dump_word(out, v[i], info->arrays[s->array].elem,
				  s->bytes);
		}
		if (run > 1)
			fprintf(out, "*%" PRIu32, run);
	}
}

static int dump_warp(FILE *out, struct trace *t, size_t warp, struct error *e)
{
	const struct trace_info *info = trace_info(t);
	const struct trace_warp *w = trace_warp(t, warp);
	struct trace_request r;

	fprintf(out, "warp %" PRIu32 " %" PRIu32 "\n", w->block, w->warp);
	for (uint32_t i = 0; i < w->requests; i++) {
		if (trace_get(t, warp, i, &r, e) < 0)
			return -1;
		fprintf(out, "%" PRIu32 " %08" PRIx32, r.site, r.mask);
		if (op_has_array(info->sites[r.site].op)) {
			dump_offsets(out, &r);
			if (info->values &&
			    trace_value_words(&info->sites[r.site]))
				dump_values(out, info, &r);
		}
		if (fputc('\n', out) == EOF)
			break;
	}
	return 0;
}

int trace_dump(struct trace *t, FILE *out, struct error *e)
{
	dump_head(out, trace_info(t));
	dump_tables(out, trace_info(t));
	for (size_t i = 0; i < trace_warp_count(t) && !ferror(out); i++)
		if (dump_warp(out, t, i, e) < 0)
			return -1;
	fputs("end\n", out);
	if (fflush(out) == EOF || ferror(out))
		return error_set(e, EXIT_OUTPUT,
				 _("the text could not be written: %s"),
				 strerror(errno));
	return 0;
}
