/*
 * What was written is what is read, in any order; and a file that is damaged
 * or lies gives an error, or what is in bounds, and nothing else.
 */
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <sys/stat.h>

#include "fuzz/forge.h"
#include "tap.h"
#include "trace_gen.h"

static bool finding_same(const struct trace_finding *a,
			 const struct trace_finding *b)
{
	if (a->text || b->text)
		return a->text && b->text && !strcmp(a->text, b->text) &&
		       a->kind == b->kind && a->access.line == b->access.line;
	return a->kind == b->kind && a->cause == b->cause &&
	       !memcmp(&a->access, &b->access, sizeof(a->access)) &&
	       !memcmp(&a->other, &b->other, sizeof(a->other)) &&
	       a->array == b->array && a->offset == b->offset &&
	       !strcmp(a->word, b->word) &&
	       !strcmp(a->other_word, b->other_word) &&
	       !memcmp(a->number, b->number, sizeof(a->number)) &&
	       a->expected == b->expected && a->got == b->got &&
	       a->count == b->count;
}

static bool argument_same(const struct trace_argument *a,
			  const struct trace_argument *b)
{
	return !strcmp(a->name, b->name) && !strcmp(a->type, b->type) &&
	       !strcmp(a->value, b->value) && a->array == b->array &&
	       a->decided == b->decided && a->size == b->size &&
	       a->before == b->before && a->filled == b->filled &&
	       !memcmp(&a->low, &b->low, sizeof(a->low)) &&
	       !memcmp(&a->high, &b->high, sizeof(a->high));
}

static bool work_same(const struct trace_work *a, const struct trace_work *b)
{
	return a->kind == b->kind && a->device == b->device &&
	       a->from == b->from && a->stream == b->stream &&
	       a->turn == b->turn && a->group == b->group &&
	       a->line == b->line && a->m == b->m && a->n == b->n &&
	       a->k == b->k && a->bytes == b->bytes &&
	       !strcmp(a->what, b->what) && !strcmp(a->name, b->name);
}

static bool info_same(const struct trace_info *a, const struct trace_info *b)
{
	bool same = strcmp(a->kernel, b->kernel) == 0 &&
		strcmp(a->file, b->file) == 0 &&
		strcmp(a->text, b->text) == 0 && strcmp(a->on, b->on) == 0 &&
		strcmp(a->device, b->device) == 0 && a->m == b->m &&
		a->n == b->n && a->k == b->k && a->seed == b->seed &&
		memcmp(&a->grid, &b->grid, sizeof(a->grid)) == 0 &&
		memcmp(&a->block, &b->block, sizeof(a->block)) == 0 &&
		a->values == b->values && a->partial == b->partial &&
		a->spaces == b->spaces && a->define_count == b->define_count &&
		a->array_count == b->array_count &&
		a->site_count == b->site_count &&
		a->argument_count == b->argument_count &&
		a->devices == b->devices && a->own == b->own &&
		a->work_count == b->work_count &&
		a->finding_count == b->finding_count;

	for (size_t i = 0; same && i < a->define_count; i++)
		same = !strcmp(a->defines[i].name, b->defines[i].name) &&
		       !strcmp(a->defines[i].value, b->defines[i].value);
	for (size_t i = 0; same && i < a->array_count; i++) {
		const struct trace_array *x = &a->arrays[i];
		const struct trace_array *y = &b->arrays[i];

		same = !strcmp(x->name, y->name) && x->space == y->space &&
		       x->elem == y->elem && x->elem_bytes == y->elem_bytes &&
		       x->rank == y->rank && x->base == y->base &&
		       !memcmp(x->dims, y->dims, sizeof(x->dims));
	}
	for (size_t i = 0; same && i < a->argument_count; i++)
		same = argument_same(&a->arguments[i], &b->arguments[i]);
	for (size_t i = 0; same && i < a->work_count; i++)
		same = work_same(&a->works[i], &b->works[i]);
	for (size_t i = 0; same && i < a->site_count; i++)
		same = trace_site_same(&a->sites[i], &b->sites[i]);
	for (size_t i = 0; same && i < a->finding_count; i++)
		same = finding_same(&a->findings[i], &b->findings[i]);
	return same;
}

static bool request_same(struct trace *t, const struct gen *g, size_t warp,
			 uint32_t i)
{
	struct trace_request r, lanes;
	struct error e;
	uint32_t site;

	/* What was in it before must not shine through. */
	memset(&r, 0xA5, sizeof(r));
	memset(&lanes, 0xA5, sizeof(lanes));
	return trace_get(t, warp, i, &r, &e) == 0 &&
	       memcmp(&r, &g->warps[warp].requests[i], sizeof(r)) == 0 &&
	       trace_get_lanes(t, warp, i, &lanes, &e) == 0 &&
	       memcmp(&r, &lanes, offsetof(struct trace_request, value)) == 0 &&
	       trace_get_site(t, warp, i, &site, &e) == 0 && site == r.site;
}

static bool phases_same(struct trace *t, const struct gen *g, size_t warp)
{
	const struct gen_warp *w = &g->warps[warp];
	uint32_t phase = 0, start = 0;

	for (uint32_t i = 0; i < w->count; i++) {
		if (trace_phase_of(t, warp, i) != phase ||
		    trace_phase_start(t, warp, phase) != start)
			return false;
		if (g->info.sites[w->requests[i].site].op == OP_BARRIER) {
			phase++;
			start = i + 1;
		}
	}
	return trace_phase_start(t, warp, phase) == start &&
	       trace_warp(t, warp)->phases == phase + 1;
}

static void check_counts(struct trace *t, const struct gen *g)
{
	uint64_t requests = 0, events = 0;
	bool warps = true;

	for (size_t i = 0; i < g->warp_count; i++) {
		const struct gen_warp *from = &g->warps[i];
		const struct trace_warp *w = trace_warp(t, i);
		uint64_t sum = 0;

		for (uint32_t j = 0; j < from->count; j++)
			sum += __builtin_popcount(from->requests[j].mask);
		warps = warps && w->block == from->block && w->events == sum &&
			w->warp == from->warp && w->requests == from->count &&
			trace_find_warp(t, w->block, w->warp) == (long)i;
		requests += from->count;
		events += sum;
	}
	tap_is(trace_warp_count(t), g->warp_count, "as many warps");
	tap_ok(warps, "each with its numbers");
	tap_is(trace_find_warp(t, 1, 7), -1, "no warp that was not written");
	tap_is(trace_request_count(t), requests, "as many requests");
	tap_is(trace_event_count(t), events, "as many events");
}

static void check_orders(struct trace *t, struct gen *g)
{
	bool forward = true, backward = true, any = true, phases = true;

	for (size_t w = 0; w < g->warp_count; w++) {
		for (uint32_t i = 0; i < g->warps[w].count; i++)
			forward = forward && request_same(t, g, w, i);
		for (uint32_t i = g->warps[w].count; i-- > 0;)
			backward = backward && request_same(t, g, w, i);
		phases = phases && phases_same(t, g, w);
	}
	for (int i = 0; i < 2000; i++) {
		size_t w = gen_random(g, (uint32_t)g->warp_count);

		if (g->warps[w].count)
			any = any && request_same(t, g, w, gen_random(g,
						g->warps[w].count));
	}
	tap_ok(forward, "requests in their order are what was written");
	tap_ok(backward, "backwards too");
	tap_ok(any, "and in any order");
	tap_ok(phases, "phases begin and end at the barriers");
}

static uint32_t next_of(const struct gen_warp *w, uint32_t from, uint32_t end,
			const uint8_t *kinds, uint8_t kind)
{
	while (from < end && !(kinds[w->requests[from].site] & kind))
		from++;
	return from;
}

/* The request behind each, the first of the next chunk, too: of all sites its
 * own alone is of the kind. */
static bool next_is_found(struct trace *t, const struct gen *g, size_t warp,
			  uint8_t *kinds)
{
	const struct gen_warp *w = &g->warps[warp];
	bool found = true;

	for (uint32_t i = 1; i < w->count; i++) {
		uint32_t site = w->requests[i].site;

		kinds[site] = 1;
		found = found && (w->requests[i - 1].site == site ||
				  trace_next(t, warp, i - 1, w->count, kinds,
					     1) == i);
		kinds[site] = 0;
	}
	return found;
}

/* From everywhere, over several chunks: each kind has some sites, one has none
 * and one has a single site. */
static void check_next(struct trace *t, struct gen *g)
{
	uint8_t *kinds = xcalloc(g->info.site_count, 1);
	bool right = true, none = true, behind = true;

	for (size_t w = 0; w < g->warp_count; w++)
		behind = behind && next_is_found(t, g, w, kinds);
	tap_ok(behind, "the next request of a site is the one behind");
	for (size_t i = 0; i < g->info.site_count; i++)
		kinds[i] = (uint8_t)(gen_random(g, 8) | (i == 3) << 4);
	for (size_t w = 0; w < g->warp_count; w++) {
		const struct gen_warp *from = &g->warps[w];

		for (int n = 0; n < 500; n++) {
			uint32_t end = gen_random(g, from->count + 1);
			uint32_t at = gen_random(g, end + 1);
			uint8_t kind = (uint8_t)(1 << gen_random(g, 5));

			right = right &&
				trace_next(t, w, at, end, kinds, kind) ==
				next_of(from, at, end, kinds, kind);
		}
		right = right && trace_next(t, w, 0, from->count, kinds, 16) ==
				 next_of(from, 0, from->count, kinds, 16);
		none = none &&
		       trace_next(t, w, 0, from->count, kinds, 128) ==
			       from->count &&
		       trace_next(t, w, from->count, from->count + 7, kinds,
				  255) == from->count + 7;
	}
	tap_ok(right, "the next request of a kind is the first of it");
	tap_ok(none, "or there is none before the end");
	free(kinds);
}

/* Behind the last request of a warp, and behind the last warp. */
static void check_ends(struct trace *t)
{
	struct trace_request r;
	struct error e = { 0 };
	bool none = true;

	for (size_t w = 0; w < trace_warp_count(t); w++)
		none = none && trace_get(t, w, trace_warp(t, w)->requests, &r,
					 &e) < 0 &&
		       strstr(e.text, "there is no request");
	tap_ok(none, "there is no request behind the last of a warp");
	tap_ok(trace_get(t, trace_warp_count(t), 0, &r, &e) < 0,
	       "... nor of a warp behind the last");
}

static void make(struct gen *g, uint64_t seed, bool values)
{
	*g = (struct gen){ .state = seed };
	gen_info(g, values);
	gen_warp(g, 0, 0, 9000);
	gen_warp(g, 0, 2, 300);
	gen_warp(g, 5, 1, 0);
	gen_warp(g, 11, 0, 4096);
	gen_warp(g, 11, 2, 1);
}

static void make_small(struct gen *g)
{
	*g = (struct gen){ .state = 5 };
	gen_info(g, true);
	gen_warp(g, 0, 0, 20);
	gen_warp(g, 1, 2, 5);
}

static void test_round_trip(bool values)
{
	struct error e = { 0 };
	struct trace *t;
	struct gen g;
	int fd = gen_file("", 0);

	make(&g, 1, values);
	tap_is(gen_write(&g, fd, &e), 0, "%s values: written %s",
	       values ? "with" : "without", e.text);
	t = trace_open_fd(fd, "t", &e);
	if (tap_ok(t, "opened %s", t ? "" : e.text)) {
		tap_ok(info_same(trace_info(t), &g.info), "tables are equal");
		check_counts(t, &g);
		check_orders(t, &g);
		check_next(t, &g);
		check_ends(t);
		trace_close(t);
	}
	gen_done(&g);
}

/* One element of a lane's register array, in all lanes. */
static struct trace_request *add_register(struct gen_warp *w, uint32_t site,
					  uint32_t mask, uint32_t element,
					  const float *values)
{
	struct trace_request *r = &w->requests[w->count++];

	r->site = site;
	r->mask = mask;
	for (int l = 0; l < WARP_LANES; l++)
		if (mask >> l & 1) {
			r->offset[l] = element * 4;
			memcpy(&r->value[l * 4], &values[l], 4);
		}
	return r;
}

/* accum += a * b, the three loads in any order. */
static void add_multiply(struct gen *g, struct gen_warp *w, uint32_t step,
			 float accum[16][WARP_LANES])
{
	/* Of array 2, which is accum: see gen_sites. */
	const uint32_t load = 24, store = 25;
	uint32_t element = step % 14, order = step / 14 % 3;
	uint32_t mask = step % 5 ? UINT32_MAX : gen_random(g, 1u << 31) | 1;
	float a[WARP_LANES], b[WARP_LANES];

	for (int l = 0; l < WARP_LANES; l++) {
		a[l] = (float)gen_random(g, 19) - 9;
		b[l] = (float)gen_random(g, 19) - 9;
		if (step == 1000)
			a[l] = (float)(1e30 * 1e30), b[l] = 0;
	}
	if (order == 0)
		add_register(w, load, mask, element, accum[element]);
	add_register(w, load, mask, 14, a);
	if (order == 1)
		add_register(w, load, mask, element, accum[element]);
	add_register(w, load, mask, 15, b);
	if (order == 2)
		add_register(w, load, mask, element, accum[element]);
	for (int l = 0; l < WARP_LANES; l++)
		if (mask >> l & 1)
			accum[element][l] += a[l] * b[l];
	add_register(w, store, mask, element, accum[element]);
}

/* The sums of an outer product are foretold; sums that are not numbers come
 * back too. */
static void test_sums(void)
{
	float accum[16][WARP_LANES] = { 0 };
	struct error e = { 0 };
	struct trace *t;
	struct gen_warp *w;
	struct gen g = { .state = 11 };
	uint64_t events;
	size_t len;
	int fd = gen_file("", 0);

	gen_info(&g, true);
	gen_warp(&g, 0, 0, 8000);
	w = &g.warps[0];
	memset(w->requests, 0, 8000 * sizeof(*w->requests));
	w->count = 0;
	for (uint32_t i = 0; i < 2000; i++)
		add_multiply(&g, w, i, accum);
	tap_is(gen_write(&g, fd, &e), 0, "an outer product %s", e.text);
	free(gen_bytes(fd, &len));
	t = trace_open_fd(fd, "t", &e);
	events = trace_event_count(t);
	tap_ok(len * 10 < events * 6, "takes %zu bytes for %llu events, "
	       "half of them random", len, (unsigned long long)events);
	check_orders(t, &g);
	trace_close(t);
	gen_done(&g);
}

/* What is written to a pipe, in two halves of its life, is the same. */
static void test_stream(void)
{
	struct error e;
	struct gen g;
	uint8_t *file, *stream;
	size_t len, got = 0;
	int fd = gen_file("", 0), ends[2];
	ssize_t n;
	pid_t pid;

	make(&g, 2, true);
	gen_write(&g, fd, &e);
	file = gen_bytes(fd, &len);
	stream = xmalloc(len + 1);
	if (pipe(ends) < 0 || (pid = fork()) < 0)
		fatal("pipe");
	if (pid == 0) {
		close(ends[0]);
		_exit(gen_write(&g, ends[1], &e) < 0);
	}
	close(ends[1]);
	while ((n = read(ends[0], stream + got, len + 1 - got)) > 0)
		got += n;
	tap_ok(got == len && memcmp(file, stream, len) == 0,
	       "a pipe gets the bytes that a file gets");
	close(ends[0]);
	close(fd);
	free(file);
	free(stream);
	gen_done(&g);
}

static char *dump(int fd, size_t *len)
{
	struct error e;
	struct trace *t = trace_open_fd(dup(fd), "t", &e);
	char *text = NULL;
	FILE *out = open_memstream(&text, len);

	if (!t || trace_dump(t, out, &e) < 0)
		tap_ok(false, "dump: %s", e.text);
	fclose(out);
	trace_close(t);
	return text;
}

static void test_text(uint64_t seed, bool values)
{
	int fd = gen_file("", 0), back = gen_file("", 0);
	struct error e = { 0 };
	size_t len, text_len, back_len;
	uint8_t *bytes, *again;
	struct gen g;
	char *text;

	make(&g, seed, values);
	gen_write(&g, fd, &e);
	text = dump(fd, &text_len);
	tap_is(trace_parse(text, text_len, back, &e), 0, "text is parsed %s",
	       e.text);
	bytes = gen_bytes(fd, &len);
	again = gen_bytes(back, &back_len);
	tap_ok(len == back_len && memcmp(bytes, again, len) == 0,
	       "and gives the bytes it came from");
	for (size_t i = 0; i < text_len; i++)
		if (text[i] != '\n' && (text[i] < 0x20 || text[i] > 0x7E))
			text_len = 0;
	tap_ok(text_len, "the text is printable ASCII");
	free(text);
	free(bytes);
	free(again);
	close(fd);
	close(back);
	gen_done(&g);
}

static const char small_text[] =
	"gemmviz trace 1\n"		/* 1 */
	"kernel \"k\"\n"
	"file \"k.cu\"\n"
	"on \"cpu\"\n"
	"device \"\"\n"		/* 5 */
	"size 2 2 2\n"
	"grid 1 1 1\n"
	"block 4 1 1\n"
	"seed 1\n"
	"values yes\n"			/* 10 */
	"partial no\n"
	"spaces global\n"
	"text\n"
	"|a\\\\b\n"
	"!c\n"				/* 15 */
	"define \"T\" \"1\"\n"
	"array 0 \"A\" global f32 4 [2][2] at 0x100\n"
	"site 0 3:4 ld 4 array 0\n"
	"site 1 5:6 barrier\n"
	"finding race 3 \"f\"\n"	/* 20 */
	"finding lanes-missing ld 0 3:4 by 0 1 other ld 4 5:0 by 0 3"
	" array 0 at -4 words \"w\" \"\" numbers 7"
	" expected 0x0 got 0x3ff0000000000000 count 2\n"
	"warp 0 0\n"
	"0 0000000f 0+4*4 = 1 2.5*2 0x7f800000\n"
	"1 0000000f\n"
	"0 00000003 12*2 = -0 1e+30\n"
	"end\n";

static void test_text_stable(void)
{
	int fd = gen_file("", 0);
	struct error e = { 0 };
	size_t len = 0;
	char *text;

	tap_is(trace_parse(small_text, strlen(small_text), fd, &e), 0,
	       "a small text %s", e.text);
	text = dump(fd, &len);
	tap_str(text, small_text, "is dumped as it was");
	free(text);
	close(fd);
}

/* Replaces the first `from` in the small text. */
static void parse_error(const char *from, const char *to, const char *want)
{
	const char *at = strstr(small_text, from);
	char *text = xasprintf("%.*s%s%s", (int)(at - small_text), small_text,
			       to, at + strlen(from));
	struct error e = { 0 };
	int fd = gen_file("", 0);
	int rc = trace_parse(text, strlen(text), fd, &e);

	tap_ok(rc < 0 && strncmp(e.text, want, strlen(want)) == 0,
	       "%.*s: %s", (int)strcspn(from, "\n"), from, e.text);
	free(text);
	close(fd);
}

static void test_text_errors(void)
{
	static const struct { const char *from, *to, *want; } cases[] = {
		{ "trace 1", "trace 2", "line 1, column 1: expected 'gemmviz" },
		{ "kernel", "Kernel", "line 2, column 1: expected 'kernel'" },
		{ "\"k\"", "\"k", "line 2, column 10: expected '\"'" },
		{ "\"k.cu\"", "\"\\q\"", "line 3, column 8: expected an esc" },
		{ "\"k.cu\"", "\"\\x00\"", "line 3, column 9: expected two" },
		{ "\"k.cu\"", "\"\xC3\xA9\"", "line 3, column 7: expected pri" },
		{ "size 2", "size 02", "line 6, column 6: expected a number" },
		{ "grid 1", "grid 0", "line 8, column 12: expected a grid" },
		{ "block 4 1", "block 4 1025",
		  "line 8, column 15: expected a block of 1 to 1024" },
		{ "seed 1", "seed 18446744073709551616", "line 9, column 6" },
		{ "values yes", "values maybe", "line 10, column 8" },
		{ "spaces global", "spaces global globe", "line 12, column 15" },
		{ "spaces global", "spaces shared global", "line 12" },
		{ "spaces global", "spaces global global", "line 12" },
		{ "\"k.cu\"", "\"\\u{d800}\"", "line 3, column" },
		{ "\"k.cu\"", "\"\\u{dfff}\"", "line 3, column" },
		{ "!c", "!", "line 15, column 2" },
		{ "array 0", "array 1", "line 17" },
		{ "[2][2]", "[2][0]", "line 17, column 41: expected dim" },
		{ "[2][2]", "[4294967296][4294967296]", "line 17" },
		{ "f32 4", "f32 8", "line 17" },
		{ "ld 4 array 0", "ld 4 array 1", "line 18" },
		{ "ld 4 array 0", "ld 3 array 0", "line 18" },
		{ "lanes-missing", "lanes", "line 21, column 9: expected a kind" },
		{ "by 0 1 other", "by 0 4 other",
		  "line 21, column 141: expected findings of threads" },
		{ "by 0 3 array", "by 1 3 array",
		  "line 21, column 141: expected findings of threads" },
		{ "array 0 at", "array 1 at",
		  "line 21, column 141: expected findings in an array" },
		{ "at -4", "at -1152921504606846977", "line 21, column 73: " },
		{ "numbers 7", "numbers", "line 21, column 96: expected a number" },
		{ "count 2", "count 0",
		  "line 21, column 141: expected findings that" },
		{ "race 3", "rage 3", "line 20, column 9: expected a kind" },
		{ "warp 0 0", "warp 1 0", "line 22" },
		{ "warp 0 0", "warp 0 1", "line 22" },
		{ "warp 0 0\n", "", "line 22, column 1: expected 'warp'" },
		{ "0 0000000f", "2 0000000f", "line 23, column 2: expected a s" },
		{ "0 0000000f", "0 0000001f", "line 23, column 3: expected a m" },
		{ "0 0000000f", "0 00000000", "line 23, column 3: expected a m" },
		{ "0+4*4", "0+4*5", "line 23, column 16: expected a run" },
		{ "0+4*4", "0+4*0", "line 23, column 17: expected a run" },
		{ "0+4*4", "0+4*3", "line 23, column 18: expected an offset" },
		{ "0+4*4", "4+4*4", "line 23, column 17: expected offsets" },
		{ "0+4*4", "8-4*4", "line 23, column 17: expected offsets" },
		{ "2.5*2", "nan*2", "line 23" },
		{ "2.5*2", "2.5*1", "line 23" },
		{ "1 0000000f\n", "1 0000000f 0*4\n", "line 24, column 11" },
		{ "1 2.5", "0x100000000 2.5", "line 23" },
		{ "end\n", "", "line 26, column 1" },
		{ "end\n", "end", "line 26, column 1: expected a line that" },
		{ "end\n", "end\n\n", "line 27, column 1: expected nothing" },
	};

	for (size_t i = 0; i < LENGTH(cases); i++)
		parse_error(cases[i].from, cases[i].to, cases[i].want);
}

/* ---- damage ---- */

/*
 * Reads all of a trace; 0 when it is read to the end, -1 for an error. What
 * it gives must be in bounds, whatever the file holds; hash gets what it was.
 */
static int read_all(int fd, struct error *e, uint64_t *hash, bool *inside)
{
	struct trace *t = trace_open_fd(fd, "t", e);
	const struct trace_info *info;
	struct trace_request r;
	int rc = 0;

	if (!t)
		return -1;
	info = trace_info(t);
	*hash = hash_bytes(info->text, strlen(info->text));
	for (size_t w = 0; w < trace_warp_count(t) && !rc; w++) {
		uint32_t lanes = trace_warp_lanes(info, trace_warp(t, w)->warp);

		for (uint32_t i = 0; i < trace_warp(t, w)->requests; i++) {
			const struct trace_site *s;

			rc = trace_get(t, w, i, &r, e);
			if (rc)
				break;
			*hash = *hash * 31 + hash_bytes(&r, sizeof(r));
			*inside = *inside && r.site < info->site_count &&
				  r.mask && !(r.mask & ~lanes);
			s = &info->sites[r.site];
			for (int l = 0; *inside && l < WARP_LANES; l++)
				*inside = !op_has_array(s->op) ?
					  r.offset[l] == 0 :
					  r.offset[l] +
					  trace_site_reach(info, s) <=
					  trace_array_bytes(
						&info->arrays[s->array]);
		}
	}
	trace_close(t);
	return rc;
}

static bool names_byte(const struct error *e)
{
	return e->status == EXIT_INPUT && strstr(e->text, "t: byte ") &&
	       strstr(e->text, ": expected ");
}

static void test_damage(void)
{
	struct error e = { 0 };
	struct gen g;
	uint8_t *bytes;
	uint64_t good = 0, hash;
	size_t len;
	bool inside = true, told = true, known = true;
	int fd = gen_file("", 0);

	make_small(&g);
	gen_write(&g, fd, &e);
	bytes = gen_bytes(fd, &len);
	tap_is(read_all(fd, &e, &good, &inside), 0, "a small trace");
	for (size_t at = 0; at < len; at++) {
		bool frame = at >= 80 && at < len - 80;

		for (int bit = 0; bit < 9; bit += frame ? 4 : 1) {
			uint8_t was = bytes[at];

			bytes[at] ^= bit < 8 ? 1 << bit : 0xFF;
			if (read_all(gen_file(bytes, len), &e, &hash,
				     &inside) < 0)
				told = told && names_byte(&e);
			else
				known = known && hash == good;
			bytes[at] = was;
		}
	}
	tap_ok(known, "a changed byte is noticed, or changes nothing");
	tap_ok(told, "and the error names a byte and what was expected");
	tap_ok(inside, "and nothing is out of bounds");
	for (size_t n = 0; n < len; n++)
		told = told &&
		       read_all(gen_file(bytes, n), &e, &hash, &inside) < 0 &&
		       (n == 0 || names_byte(&e));
	tap_ok(told, "a file cut off anywhere is an error that says where");
	bytes = xrealloc(bytes, len + 1, 1);
	bytes[len] = 0;
	tap_ok(read_all(gen_file(bytes, len + 1), &e, &hash, &inside) < 0,
	       "one byte more is an error: %s", e.text);
	free(bytes);
	gen_done(&g);
}

/* The same with right checksums: what the file says, is lies. */
/* A block whose tag is another's is not read as what is looked for there. */
static void test_tags(void)
{
	static const uint32_t tags[] = { GVT_CHUNK, GVT_TABLES, GVT_INDEX };
	struct error e = { 0 };
	struct gen g;
	uint8_t *bytes;
	uint64_t hash;
	size_t len;
	bool inside = true;
	int fd = gen_file("", 0);

	make_small(&g);
	gen_write(&g, fd, &e);
	bytes = gen_bytes(fd, &len);
	for (size_t i = 0; i < LENGTH(tags); i++) {
		size_t at = 0;

		while (memcmp(bytes + at, &tags[i], 4))
			at++;
		memcpy(bytes + at, &tags[(i + 1) % LENGTH(tags)], 4);
		tap_ok(read_all(gen_file(bytes, len), &e, &hash, &inside) < 0,
		       "another tag: %s", e.text);
		memcpy(bytes + at, &tags[i], 4);
	}
	free(bytes);
	gen_done(&g);
}

static void test_forged(void)
{
	struct error e = { 0 };
	struct gen g;
	struct str parts = { 0 }, file = { 0 };
	uint8_t *bytes;
	uint64_t hash;
	size_t len;
	bool inside = true, told = true;
	int fd = gen_file("", 0), bad = 0;

	make_small(&g);
	gen_write(&g, fd, &e);
	bytes = gen_bytes(fd, &len);
	close(fd);
	forge_unpack(&parts, bytes, len);
	forge_pack(&file, true, (uint8_t *)parts.data, parts.len);
	tap_is(read_all(gen_file(file.data, file.len), &e, &hash, &inside), 0,
	       "a trace packed again %s", e.text);
	for (size_t at = 0; at < parts.len; at++)
		for (int how = 0; how < 2; how++) {
			static const uint8_t change[] = { 1, 0x84 };
			char was = parts.data[at];

			parts.data[at] ^= change[how];
			str_clear(&file);
			forge_pack(&file, true, (uint8_t *)parts.data,
				   parts.len);
			if (read_all(gen_file(file.data, file.len), &e, &hash,
				     &inside) < 0) {
				told = told && names_byte(&e);
				bad++;
			}
			parts.data[at] = was;
		}
	tap_ok(inside, "a trace that lies gives nothing out of bounds");
	tap_ok(told, "its errors name a byte");
	tap_ok(bad > 100, "and some lies are errors (%d)", bad);
	str_done(&parts);
	str_done(&file);
	free(bytes);
	gen_done(&g);
}

/* ---- what is no trace ---- */

static void open_error(const char *path, const char *want)
{
	struct error e = { 0 };
	struct trace *t = trace_open(path, &e);

	tap_ok(!t && e.status == EXIT_INPUT && strstr(e.text, want),
	       "%s: %s", path, e.text);
	trace_close(t);
}

static void test_foreign(void)
{
	char path[] = "/tmp/trace_test-XXXXXX", *inner;
	FILE *f;

	if (!mkdtemp(path))
		fatal("mkdtemp");
	open_error(path, "is a directory");
	inner = xasprintf("%s/fifo", path);
	if (mkfifo(inner, 0600) < 0)
		fatal("mkfifo");
	open_error(inner, "not a regular file");
	unlink(inner);
	open_error(inner, "No such file");
	f = fopen(inner, "w");
	fclose(f);
	open_error(inner, "byte 0: expected a trace");
	f = fopen(inner, "w");
	fputs("GIF89a and more than sixteen bytes\n", f);
	fclose(f);
	open_error(inner, "byte 0: expected a trace");
	chmod(inner, 0);
	if (geteuid() != 0)
		open_error(inner, "Permission denied");
	else
		tap_skip("a file that may not be read", "root reads all");
	unlink(inner);
	rmdir(path);
	free(inner);
	open_error("/dev/zero", "not a regular file");
}

/* Two requests of four lanes, a load and a barrier. Unpacked:
 *
 * C  0 warp, 1 first, 2 count, 3 patterns, 4-11 lengths of columns,
 *    12-15 mask, 16 run, 17 step, 18-21 mask, 22 run, 23 step, 24-25 sites,
 *    26-27 patterns, 28 base
 * I  0 warps, 1 block, 2 warp, 3 chunks, 4 barriers, 5 length, 6 requests,
 *    7 events, 8 barrier
 */
static const char two_requests[] =
	"gemmviz trace 1\nkernel \"k\"\nfile \"k.cu\"\non \"cpu\"\n"
	"device \"\"\nsize 2 2 2\ngrid 1 1 1\nblock 4 1 1\nseed 1\n"
	"values no\npartial no\nspaces global\ntext\n"
	"array 0 \"A\" global f32 4 [4] at 0x100\n"
	"site 0 3:4 ld 4 array 0\nsite 1 5:6 barrier\n"
	"warp 0 0\n0 0000000f 0+4*4\n1 0000000f\nend\n";

/* Sets bytes `at` and `at2` (if not 0) of the part and reads the trace. */
static void lie(const struct str *parts, char kind, size_t at, int byte,
		size_t at2, int byte2, const char *want)
{
	struct str lies = { 0 }, file = { 0 };
	const uint8_t *p;
	struct error e = { 0 };
	uint64_t hash;
	bool inside = true;
	size_t start = 0;

	str_addn(&lies, parts->data, parts->len);
	p = (const uint8_t *)lies.data;
	while (p[start] != kind)
		start += 4 + (p[start + 1] | p[start + 2] << 8);
	lies.data[start + 4 + at] = (char)byte;
	if (at2)
		lies.data[start + 4 + at2] = (char)byte2;
	forge_pack(&file, false, p, lies.len);
	tap_ok(read_all(gen_file(file.data, file.len), &e, &hash,
			&inside) < 0 && names_byte(&e) && strstr(e.text, want),
	       "%c %zu: %s", kind, at, e.text);
	str_done(&lies);
	str_done(&file);
}

static void test_lies(void)
{
	static const struct {
		char kind;
		uint8_t at, byte, at2, byte2;
		const char *want;
	} lies[] = {
		{ 'C', 0, 1, 0, 0, "warp and requests that the index says" },
		{ 'C', 1, 1, 0, 0, "warp and requests that the index says" },
		{ 'C', 2, 3, 0, 0, "warp and requests that the index says" },
		{ 'C', 3, 3, 0, 0, "at most a pattern a request" },
		{ 'C', 4, 120, 0, 0, "columns as long as they say" },
		{ 'C', 4, 11, 0, 0, "an end of the columns" },
		{ 'C', 8, 1, 7, 0, "columns as long as their requests" },
		{ 'C', 4, 8, 5, 6, "a mask of 4 bytes" },
		{ 'C', 12, 0, 0, 0, "patterns with lanes" },
		{ 'C', 12, 0x1f, 16, 4, "lanes that the warp has" },
		{ 'C', 16, 0, 0, 0, "runs of lanes" },
		{ 'C', 16, 4, 0, 0, "runs of the active lanes only" },
		{ 'C', 17, 10, 0, 0, "offsets inside the array" },
		{ 'C', 24, 2, 0, 0, "sites of the table" },
		{ 'C', 24, 1, 25, 0, "barriers where the index has them" },
		{ 'C', 26, 0, 0, 0, "patterns of the chunk" },
		{ 'C', 26, 3, 0, 0, "patterns of the chunk" },
		{ 'C', 28, 8, 0, 0, "offsets inside the array" },
		{ 'C', 28, 1, 0, 0, "offsets inside the array" },
		{ 'I', 0, 2, 0, 0, "more numbers" },
		{ 'I', 0, 0, 0, 0, "an end" },
		{ 'I', 1, 1, 0, 0, "warps of the launch" },
		{ 'I', 2, 1, 0, 0, "warps of the launch" },
		{ 'I', 3, 9, 0, 0, "a count of what follows" },
		{ 'I', 4, 9, 0, 0, "a count of what follows" },
		{ 'I', 6, 0, 7, 0, "chunks that are not empty" },
		{ 'I', 6, 3, 0, 0, "warp and requests that the index says" },
		{ 'I', 7, 7, 0, 0, "the events that the index says" },
		{ 'I', 7, 65, 0, 0, "at most 32 events a request" },
		{ 'I', 8, 0, 0, 0, "barriers where the index has them" },
		{ 'I', 8, 2, 0, 0, "barriers among the requests" },
	};
	struct str parts = { 0 };
	struct error e;
	uint8_t *bytes;
	size_t len;
	int fd = gen_file("", 0);

	if (trace_parse(two_requests, strlen(two_requests), fd, &e) < 0)
		fatal("%s", e.text);
	bytes = gen_bytes(fd, &len);
	forge_unpack(&parts, bytes, len);
	for (size_t i = 0; i < LENGTH(lies); i++)
		lie(&parts, lies[i].kind, lies[i].at, lies[i].byte,
		    lies[i].at2, lies[i].byte2, lies[i].want);
	str_done(&parts);
	free(bytes);
	close(fd);
}

/* Small files that claim to hold much: a letter's block is `n` zeros, or one
 * number that counts what is not there. */
static void bomb(const char *parts, size_t parts_len, char kind, size_t n,
		 const char *want)
{
	static const char many[] = "\xFF\xFF\xFF\xFF\x0F";
	const uint8_t *p = (const uint8_t *)parts;
	char *zeros = xcalloc(1, n + 1);
	uint8_t trailer[GVT_TRAILER] = { 0 }, header[GVT_HEADER] = GVT_MAGIC;
	struct str file = { 0 };
	struct error e;
	uint64_t hash;
	bool inside;

	header[8] = GVT_VERSION;
	str_addn(&file, (char *)header, sizeof(header));
	for (size_t at = 0; at < parts_len;) {
		size_t len = p[at + 1] | p[at + 2] << 8 | p[at + 3] << 16;
		uint32_t tag = p[at] == 'T' ? GVT_TABLES : GVT_INDEX;

		put_u64(trailer + (p[at] == 'I') * 8, file.len);
		if (p[at] == kind)
			forge_block(&file, tag, n ? zeros : many, n ? n : 5);
		else if (p[at] != 'C')
			forge_block(&file, tag, p + at + 4, len);
		at += 4 + len;
	}
	put_u64(trailer + 16, file.len + GVT_TRAILER);
	memcpy(trailer + 24, GVT_END, 8);
	str_addn(&file, (char *)trailer, sizeof(trailer));
	tap_ok(read_all(gen_file(file.data, file.len), &e, &hash,
			&inside) < 0 && strstr(e.text, want),
	       "a file of %zu bytes: %s", file.len, e.text);
	str_done(&file);
	free(zeros);
}

static void test_bombs(void)
{
	struct str parts = { 0 };
	struct error e;
	struct gen g;
	uint8_t *bytes;
	size_t len;
	int fd = gen_file("", 0);

	make_small(&g);
	gen_write(&g, fd, &e);
	bytes = gen_bytes(fd, &len);
	forge_unpack(&parts, bytes, len);
	bomb(parts.data, parts.len, 'T', 0, "a string");
	bomb(parts.data, parts.len, 'T', TABLES_RAW_MAX + 1, "bytes unpacked");
	bomb(parts.data, parts.len, 'I', 0, "a count of what follows");
	bomb(parts.data, parts.len, 'I', INDEX_RAW_MAX + 1, "bytes unpacked");
	str_done(&parts);
	free(bytes);
	close(fd);
	gen_done(&g);
}

/* ---- what may not be written ---- */

static void write_error(struct gen *g, uint32_t site, uint32_t mask,
			uint64_t offset, const char *want)
{
	struct trace_request r = { .site = site, .mask = mask };
	struct trace_writer *w = trace_writer_new(gen_file("", 0), false);
	struct error e = { 0 };

	for (int l = 0; l < WARP_LANES; l++)
		r.offset[l] = offset;
	trace_writer_warp(w, 0, 2, &e);
	tap_ok(trace_writer_add(w, &g->info, &r, &e) < 0 &&
	       e.status == EXIT_BUG && strstr(e.text, want), "writer: %s",
	       e.text);
	tap_ok(trace_writer_finish(w, &g->info, &e) < 0,
	       "and then there is no trace");
}

/* The second warp must not begin behind the first. */
static void warps_refused(uint32_t block, uint32_t warp, uint32_t next_block,
			  uint32_t next)
{
	struct trace_writer *w = trace_writer_new(gen_file("", 0), false);
	struct error e = { 0 };

	trace_writer_warp(w, block, warp, &e);
	tap_ok(trace_writer_warp(w, next_block, next, &e) < 0,
	       "warps begin in order: %s", e.text);
	trace_writer_free(w);
}

static void test_writer_errors(void)
{
	struct error e = { 0 };
	struct gen g;
	int full = open("/dev/full", O_WRONLY), rc;

	make(&g, 3, false);
	write_error(&g, 999, 1, 0, "a site of the table");
	write_error(&g, 0, 0, 0, "lanes of the warp");
	write_error(&g, 0, 1u << 16, 0, "lanes of the warp");
	write_error(&g, 0, 1, 64 * 64 * 4, "offsets inside the array");
	write_error(&g, 0, 1, UINT64_MAX, "offsets inside the array");
	rc = gen_write(&g, full, &e);
	tap_ok(rc < 0 && e.status == EXIT_OUTPUT &&
	       strstr(e.text, "No space left"), "a full disk: %s", e.text);
	close(full);
	warps_refused(3, 1, 3, 0);
	warps_refused(3, 1, 2, 5);
	gen_done(&g);
}

/* The warps of a block in turn, a request of each: the same bytes. */
static int write_in_turn(const struct gen *g, int fd, struct error *e)
{
	struct trace_writer *w = trace_writer_new(fd, g->info.values);

	for (size_t first = 0, end; first < g->warp_count; first = end) {
		uint32_t block = g->warps[first].block, left = 1;

		for (end = first; end < g->warp_count &&
				  g->warps[end].block == block; end++)
			trace_writer_warp(w, block, g->warps[end].warp, e);
		for (uint32_t j = 0; left; j++) {
			left = 0;
			for (size_t i = first; i < end; i++) {
				const struct gen_warp *from = &g->warps[i];

				if (j >= from->count)
					continue;
				left++;
				trace_writer_warp(w, block, from->warp, e);
				trace_writer_add(w, &g->info,
						 &from->requests[j], e);
			}
		}
	}
	return trace_writer_finish(w, &g->info, e);
}

static void test_in_turn(void)
{
	int one = gen_file("", 0), other = gen_file("", 0);
	struct error e = { 0 };
	size_t lengths[2];
	uint8_t *bytes[2];
	struct gen g;

	make(&g, 11, true);
	gen_write(&g, one, &e);
	tap_is(write_in_turn(&g, other, &e), 0, "warps in turn %s", e.text);
	bytes[0] = gen_bytes(one, &lengths[0]);
	bytes[1] = gen_bytes(other, &lengths[1]);
	tap_ok(g.warp_count > 2 && g.warps[0].block == g.warps[1].block,
	       "a block has some");
	tap_ok(lengths[0] == lengths[1] &&
	       !memcmp(bytes[0], bytes[1], lengths[0]), "the same bytes");
	free(bytes[0]);
	free(bytes[1]);
	close(one);
	close(other);
	gen_done(&g);
}

static void test_names(void)
{
	bool all = true;

	for (int i = 0; i < SPACE_COUNT; i++)
		all = all && space_from(space_name(i)) == i;
	for (int i = 0; i < OP_COUNT; i++)
		all = all && op_from(op_name(i)) == i;
	for (int i = 0; i < ELEM_COUNT; i++)
		all = all && elem_from(elem_name(i)) == i;
	for (int i = 0; i < FINDING_COUNT; i++)
		all = all && finding_from(finding_name(i)) == i;
	for (int i = CAUSE_TOLD + 1; i < CAUSE_COUNT; i++)
		all = all && finding_cause_from(finding_cause(i)->word) == i &&
		      finding_from(finding_cause(i)->word) < 0;
	for (int i = 0; i < OP_COUNT + 2; i++) {
		int code = i < OP_COUNT ? i : GVT_MATRIX + i - OP_COUNT;
		struct trace_site s = { .bytes = 0 };

		trace_site_decode(&s, (uint32_t)code);
		all = all && trace_site_code(&s) == (uint32_t)code &&
		      trace_site_code_from(trace_site_word(&s)) == code;
	}
	tap_ok(all, "every word gives back what it stands for");
	for (uint32_t bytes = 1; bytes <= 16; bytes *= 2)
		tap_is(trace_value_words(&(struct trace_site){
			       .op = OP_LD, .bytes = bytes }),
		       bytes < 4 ? 1 : bytes / 4, "words of %u bytes", bytes);
	tap_ok(trace_finding_wrong(&(struct trace_info){ .kernel = NULL },
				   &(struct trace_finding){
					   .kind = FINDING_COUNT,
					   .cause = CAUSE_TOLD,
					   .array = TRACE_NO_ARRAY }) &&
	       !strcmp(trace_finding_wrong(
			       &(struct trace_info){ .kernel = NULL },
			       &(struct trace_finding){
				       .kind = FINDING_COUNT,
				       .cause = CAUSE_TOLD }),
		       "a known finding"), "a finding is of a known kind");
	tap_is(op_from("ldmatrix"), -1, "ldmatrix is a kind of load");
	tap_is(space_from("local"), -1, "and others nothing");
}

/* Whether the walk through a tile meets just the elements that are inside. */
static bool walk_same(const struct trace_info *info,
		      const struct trace_site *s, uint64_t offset)
{
	struct trace_tile_walk w;
	uint64_t e;

	trace_tile_begin(&w, info, s, offset);
	for (uint32_t n = 0; n < trace_tile_elements(s); n++)
		if (trace_tile_at(info, s, offset, n, &e) &&
		    (!trace_tile_next(&w) || w.nth != n || w.at != e))
			return false;
	return !trace_tile_next(&w) && !trace_tile_next(&w);
}

/* The element of As[4][64], halves at 0 in shared memory, or -1. */
static int64_t tile_place(const struct trace_tile *tile, enum space space,
			  uint64_t offset, uint32_t nth)
{
	struct trace_array a = { NULL, space, ELEM_F16, 2, 2, { 32, 64 }, 0 };
	struct trace_info info = { .arrays = &a, .array_count = 1 };
	struct trace_site s = { .op = OP_TMA_LD, .bytes = 1, .tile = *tile };
	uint64_t e;

	if (!walk_same(&info, &s, offset))
		return -2;
	return trace_tile_at(&info, &s, offset, nth, &e) ?
	       (int64_t)e / 2 : -1;
}

static void test_tile(void)
{
	struct trace_tile t = { 2, 3, 16, 2, 2048, 128, 128, 0 };

	tap_is(tile_place(&t, SPACE_SHARED, 32, 0), 16, "a tile's first");
	tap_is(tile_place(&t, SPACE_SHARED, 32, 16), 64 + 16 + 8,
	       "a chunk of its second row, which row 1 moves by one");
	tap_is(tile_place(&t, SPACE_SHARED, 32, 2 * 16 + 8 + 1), 128 + 8 + 1,
	       "and row 2 by two");
	tap_is(tile_place(&t, SPACE_SHARED, 32, 3 * 16), 1024 + 16,
	       "its second part");
	tap_is(tile_place(&t, SPACE_SHARED, 2080, 5 * 16), -1,
	       "what is past the array is outside");
	t = (struct trace_tile){ 1, 2, 16, 2, 0, 128, 0, 0 };
	tap_is(tile_place(&t, SPACE_GLOBAL, 96, 15), 63, "a matrix's last "
	       "column");
	tap_is(tile_place(&t, SPACE_GLOBAL, 98, 15), -1, "past it is outside");
	tap_is(tile_place(&t, SPACE_GLOBAL, 31 * 128, 16), -1,
	       "and so is what is below its last row");
	t.rows = 0;
	tap_is(tile_place(&t, SPACE_GLOBAL, 98, 0), 49,
	       "of what is not known, the first");
}

/* An access of another block's shared memory has a tile of one element. */
static void test_remote(void)
{
	struct trace_site s = { .op = OP_ST, .bytes = 16,
				.tile = trace_tile_remote(16, 3) };

	tap_ok(!trace_site_wrong(&s, 1), "a store may go to another block");
	s.op = OP_LD;
	tap_ok(!trace_site_wrong(&s, 1), "a load may come from one");
	s.op = OP_MBAR_WAIT;
	s.bytes = 8;
	tap_ok(trace_site_wrong(&s, 1) != NULL, "nothing else may");
	s.op = OP_ST;
	s.bytes = 16;
	s.tile.blocks = 6;
	tap_ok(trace_site_wrong(&s, 1) != NULL, "nor a store to two");
	s.tile = trace_tile_remote(16, 3);
	s.tile.rows = 2;
	tap_ok(trace_site_wrong(&s, 1) != NULL, "nor one of two rows");
}

/* A reader's kernel that takes no M, N or K has none, whatever was asked for. */
static void test_size(void)
{
	struct trace_argument passed[] = {
		{ .name = (char *)"n", .array = TRACE_NO_ARRAY },
		{ .name = (char *)"K", .array = TRACE_NO_ARRAY },
	};
	struct trace_info info = { .m = 64, .n = 64, .k = 64 };

	tap_ok(trace_has_size(&info), "arguments unknown: M, N, K are told");
	info.arguments = passed;
	info.argument_count = LENGTH(passed);
	info.problem = (char *)"unknown";
	tap_ok(!trace_has_size(&info), "no argument is one of them");
	passed[1].size = 'k';
	tap_ok(trace_has_size(&info), "one is");
	passed[1].size = 0;
	info.problem = (char *)"gemm";
	tap_ok(trace_has_size(&info), "what is computed is stated");
	info.m = info.n = info.k = 0;
	tap_ok(!trace_has_size(&info), "a program's launch has none");
}

int main(void)
{
	setlocale(LC_CTYPE, "C.UTF-8");
	test_remote();
	test_names();
	test_tile();
	test_size();
	test_round_trip(true);
	test_round_trip(false);
	test_sums();
	test_stream();
	test_text(7, true);
	test_text(8, false);
	test_text_stable();
	test_text_errors();
	test_damage();
	test_tags();
	test_forged();
	test_lies();
	test_bombs();
	test_foreign();
	test_writer_errors();
	test_in_turn();
	return tap_done();
}
