/* The lesson engine: what it reads, what it refuses, what it works out. */
#include <stdlib.h>
#include <unistd.h>

#include "base/lang.h"
#include "lesson/lesson.h"
#include "tap.h"

#define HEAD "# Title\n\n```gemmviz\nrecord tiled TILE=16 as t\n```\n\n" \
	     "## Step\n\n"
#define BLOCK(lines) "```gemmviz\n" lines "\n```\n"

static struct lesson *parse(const char *text, struct error *e)
{
	return lesson_parse("x.md", text, strlen(text), e);
}

/* The text is refused, in this line, for this reason. */
static void refuses(const char *text, int line, const char *reason)
{
	char place[40];
	struct error e = { .text = "" };
	struct lesson *l = parse(text, &e);
	bool good;

	snprintf(place, sizeof(place), "x.md:%d: ", line);
	good = !l && e.status == EXIT_INPUT &&
	       !strncmp(e.text, place, strlen(place)) &&
	       strstr(e.text, reason);
	tap_ok(good, "refuses: %s", reason);
	if (!good)
		printf("#   wanted %s, got %s\n", place, e.text);
	lesson_free(l);
}

/* Two lines of a block in the step; the second is at fault. */
#define REFUSES(lines, reason) refuses(HEAD BLOCK(lines), 11, reason)

static void test_structure_errors(void)
{
	refuses("", 1, "expected a level-1 heading");
	refuses("words\n", 1, "expected a level-1 heading first");
	refuses("## a\n", 1, "expected a level-1 heading first");
	refuses("# a\n", 1, "expected a step");
	refuses("# a\n\nwords\n", 3, "expected a level-2 heading before prose");
	refuses("# a\n\n- words\n", 3, "expected a level-2 heading before");
	refuses("# a\n\n## b\n", 3, "expected a 'record'");
	refuses("# a\n\n# b\n", 3, "expected one level-1 heading");
	refuses("# a\n\n## b\n\n### c\n", 5, "level 1 or 2");
	refuses("# a\n\n##\n", 1, "expected words in a heading");
	refuses(HEAD "> quote\n", 9, "expected a paragraph, a list");
	refuses(HEAD "- a\n  - b\n", 10, "a list without lists");
	refuses(HEAD "- a\n- ## b\n", 10, "a paragraph, a list");
	refuses(HEAD "[a](b)\n", 9, "expected plain words");
	refuses(HEAD "![a](b)\n", 9, "expected plain words");
	refuses(HEAD "a &lt; b\n", 9, "expected the character itself, got "
		"'&lt;'");
	refuses("# a\n\n```gemmviz\nshow banks\n```\n", 4,
		"expected a step (a level-2 heading) before 'show'");
	refuses("# a\n\n```\nx\n```\n", 4, "heading before prose");
}

static void test_directive_errors(void)
{
	REFUSES("\nshwo banks", "did you mean 'show'?");
	REFUSES("\nfrobnicate", "expected a directive, got 'frobnicate'");
	REFUSES("\nshow bank", "expected a view, got 'bank'; did you mean "
		"'banks'?");
	REFUSES("\nshow", "expected a view after 'show'");
	REFUSES("\nshow words", "expected a view, got 'words'");
	REFUSES("\nzoom", "expected one level of zoom");
	REFUSES("\nzoom wrap", "expected a level of zoom, got 'wrap'; did "
		"you mean 'warp'?");
	REFUSES("\nturn pitch", "expected what to turn, and how many steps");
	REFUSES("\nturn pitch many", "expected what to turn, and how many");
	REFUSES("\nturn patch 1", "expected something to turn, got 'patch'; "
		"did you mean 'pitch'?");
	REFUSES("\nshow source", "expected a view, got 'source'");
	REFUSES("\nshow matrices grid tiles",
		"expected at most two views");
	REFUSES("\nrace", "expected a kernel after 'race'");
	REFUSES("\nrace tield", "did you mean tiled?");
	REFUSES("\nrace naive size 1", "expected a size");
	REFUSES("\nrecord", "expected a kernel after 'record'");
	REFUSES("\nrecord tilde", "expected a kernel, got 'tilde'; did you "
		"mean 'tiled'?");
	REFUSES("\nrecord naive m=0", "expected m of 1 to 4096, got '0'");
	REFUSES("\nrecord naive m", "expected NAME=VALUE, got 'm'");
	REFUSES("\nrecord naive TILE=16", "expected m, n, k or a parameter of "
		"naive, got 'TILE'");
	REFUSES("\nrecord tiled TILE=33", "expected TILE of 1 to 32");
	REFUSES("\nrecord tiled TILE=8 TILE=8", "expected TILE only once");
	REFUSES("\nrecord naive spaces=global,local", "expected "
		"spaces=global,shared or similar, got 'global,local'");
	REFUSES("\nrecord naive values=yes", "expected values=no, got 'yes'");
	REFUSES("\nrecord float4", "float4 does not support this size");
	REFUSES("\nrecord naive as t", "an alias other than 't'");
	REFUSES("\nrecord naive as 7", "one name after 'as'");
	REFUSES("\nrecord naive as a b", "one name after 'as'");
	REFUSES("\nuse u", "expected the alias of a record, got 'u'");
	REFUSES("\nuse", "expected one alias after 'use'");
	REFUSES("use t\nuse t", "expected one 'use' in a step");
	REFUSES("\nstand", "expected a position after 'stand'");
	REFUSES("stand lane=1\nstand lane=1", "expected one 'stand'");
	REFUSES("\nstand lane=32", "expected lane of 0 to 31, got '32'");
	REFUSES("\nstand lane=1 lane=1", "expected lane only once");
	REFUSES("\nstand block=1", "expected block=X,Y");
	REFUSES("\nstand block=1,-1", "expected block of 0 to 65535");
	REFUSES("\nstand op=load", "op=ld, op=st or op=barrier, got 'load'");
	REFUSES("\nstand lnae=1", "did you mean 'lane'?");
	REFUSES("\nstand array=A[0]", "expected an array's name");
	REFUSES("\nask", "expected words");
	REFUSES("\nask why?", "expected an 'answer' to this question");
	refuses(HEAD BLOCK("ask a?\nask b?\nanswer 1"), 10,
		"expected an 'answer' to this question");
	REFUSES("\nanswer 1", "expected one 'answer' after an 'ask'");
	REFUSES("\nwrong 1 no", "expected 'wrong' after an 'ask'");
	REFUSES("ask a?\nwrong 2 * 3 No.", "must be in parentheses");
	REFUSES("\nright yes", "expected one 'right' after an 'ask'");
	REFUSES("\ndraw S 1..2", "expected 'draw' after an 'ask'");
	REFUSES("ask a?\ndraw lane 1..2", "expected a name after 'draw'");
	REFUSES("ask a?\ndraw S 2..1", "the lower one first");
	REFUSES("ask a?\ndraw S 2", "expected LOW..HIGH or numbers");
	REFUSES("ask a?\ndraw S 2, x", "expected an integer, got 'x'");
	REFUSES("ask a?\ndraw S 2,", "expected two numbers or more");
	REFUSES("\nnote", "expected words");
	REFUSES("learned 1 a\nlearned 1 a", "expected one 'learned'");
	REFUSES("\nlearned 1 * 2 a", "must be in parentheses");
	refuses(HEAD BLOCK("learned 1 a") "\n## Next\n", 10,
		"expected 'learned' in the last step");
	REFUSES("\nexpect", "expected an expression");
	REFUSES("\nexpect 1 +", "expected");
	REFUSES("\nexpect sectros(A) == 1", "no function 'sectros'; did you "
		"mean 'sectors'?");
	REFUSES("\nask how {1 +} many?", "expected");
	REFUSES("\nask how {1 many?", "expected a '}'");
	refuses(HEAD "It is {1 +}.\n", 9, "expected");
	refuses(HEAD "It is *{1* }.\n", 9, "expected a '}'");
	refuses(HEAD "```\n{nothing(1)}\n```\n", 10, "no function 'nothing'");
	refuses(HEAD BLOCK("ask a?\nwrong 1 b\n") "\n## Next\n", 10,
		"expected an 'answer'");
}

static const char good[] =
	"# Title\n\n```gemmviz\nrecord tiled m=48 TILE=8 as small\n"
	"record naive spaces=global,shared values=no\n```\n\n## First *one*\n\n"
	"Some **strong** words\nand `code {M}` here.\n\n"
	"1. one\n2. two\n\n```\nas is\n  {{\n```\n\n"
	"```gemmviz\nuse naive\nstand block=1,2 warp=3 lane=4 array=B op=ld "
	"nth=5 phase=6\nshow matrices\nshow grid\nturn pitch -2\nturn arch 3\n\n"
	"ask How many?\nanswer sectors(B, ld)\n"
	"wrong (1 + 1) Not {1 + 1}.\nwrong sectors(A, \"st\")*2 Nor this.\n"
	"right Yes.\nexpect 1 == 1\n```\n\n## Second\n\n"
	"\xe4\xb8\xad\n\xe6\x96\x87\n";

static void test_good_step(const struct lesson_step *s)
{
	const struct lesson_paragraph *p = s->prose;
	const struct lesson_question *q = s->questions;

	tap_str(s->title, "First one", "a step's title is plain");
	tap_is(s->prose_count, 4, "four paragraphs");
	tap_is(p[0].span_count, 5, "five spans");
	tap_str(p[0].spans[2].text, " words and ", "a line's end is a space");
	tap_is(p[0].spans[1].style, SPAN_STRONG, "strong");
	tap_is(p[0].spans[3].style, SPAN_CODE, "code");
	tap_ok(p[1].kind == PARAGRAPH_ITEM && p[2].number == 2, "items");
	tap_ok(p[3].kind == PARAGRAPH_CODE, "a block of code");
	tap_str(p[3].spans[0].text, "as is\n  {{\n", "as it is");
	tap_str(s->use, "naive", "use");
	tap_ok(s->has_stand && s->stand.block_x == 1 && s->stand.block_y == 2 &&
	       s->stand.warp == 3 && s->stand.lane == 4 &&
	       s->stand.op == OP_LD && s->stand.nth == 5 &&
	       s->stand.phase == 6 && !strcmp(s->stand.array, "B"), "stand");
	tap_ok(s->show_count == 2 && !strcmp(s->shows[1], "grid"), "shows");
	tap_ok(s->turns.pitch == -2 && s->turns.arch == 3 && !s->turns.tile,
	       "turns");
	tap_is(q->wrong_count, 2, "two wrong answers");
	tap_str(q->wrongs[0].expr, "(1 + 1)", "an expression in brackets");
	tap_str(q->wrongs[1].expr, "sectors(A, \"st\")*2", "one with a call");
	tap_str(q->wrongs[1].words, "Nor this.", "and its words");
	tap_str(q->answer, "sectors(B, ld)", "the answer");
	tap_is(s->expects[0].line, 34, "an expectation's line");
}

static void test_good(void)
{
	struct error e = { .text = "" };
	struct lesson *l = parse(good, &e);

	tap_ok(l, "a good lesson is read");
	if (!l) {
		printf("#   %s\n", e.text);
		return;
	}
	tap_str(l->title, "Title", "title");
	tap_str(l->lang, "en", "language");
	tap_is(l->record_count, 2, "two records");
	tap_ok(l->records[0].m == 48 && l->records[0].n == 32, "sizes");
	tap_str(l->records[0].alias, "small", "alias");
	tap_ok(!l->records[0].spaces && !l->records[0].no_values &&
	       l->records[1].spaces == (1u << SPACE_GLOBAL |
					1u << SPACE_SHARED) &&
	       l->records[1].no_values, "what is recorded");
	tap_str(l->records[1].alias, "naive", "the kernel's name as alias");
	tap_is(l->step_count, 2, "two steps");
	tap_is(lesson_step_record(l, 1), 1, "a step uses what the one before "
	       "did");
	test_good_step(&l->steps[0]);
	tap_str(l->steps[1].prose[0].spans[0].text, "\xe4\xb8\xad\xe6\x96\x87",
		"a line's end in Chinese is no space");
	lesson_free(l);
}

static void test_hostile(void)
{
	struct error e;
	struct lesson *l = parse(HEAD "a\033[2Jb\xff" "c\xe2\x80\xae" "d\n", &e);

	tap_str(l ? l->steps[0].prose[0].spans[0].text : NULL,
		"a\xe2\x90\x9b[2Jb\xef\xbf\xbd" "c\xef\xbf\xbd" "d",
		"words are made safe");
	lesson_free(l);
	refuses(HEAD BLOCK("\nshow \033[2J"), 11, "got '\xe2\x90\x9b[2J'");
	l = lesson_load("coalescnig", "en", &e);
	tap_ok(!l && e.status == EXIT_USAGE && strstr(e.text, "'coalescing'"),
	       "an unknown lesson gets the nearest name");
}

/*
 * Two warps of one block, one of two others; A is 8x8 at 0x1000, As 8x8. Warp 0
 * loads A's first 32 elements, stores them, passes a barrier, reads column 0
 * of As (its last lane: column 1) and then, with two lanes, two words of one bank. Warp 1 goes on to
 * store and load V, four elements a lane, and stores As[0][0] once more.
 */
static const char trace_text[] =
	"gemmviz trace 1\nkernel \"tiled\"\nfile \"tiled.cu\"\non \"cpu\"\n"
	"device \"\"\nsize 8 16 32\ngrid 2 2 1\nblock 8 8 1\nseed 1\n"
	"values yes\npartial no\nspaces global shared register\ntext\n|x\n"
	"define \"TILE\" \"16\"\n"
	"array 0 \"A\" global f32 4 [8][8] at 0x1000\n"
	"array 1 \"As\" shared f32 4 [8][8] at 0x0\n"
	"array 2 \"V\" global f32 4 [64] at 0x2000\n"
	"site 0 1:1 ld 4 array 0\nsite 1 2:1 st 4 array 1\n"
	"site 2 3:1 barrier\nsite 3 4:1 ld 4 array 1\n"
	"site 4 5:1 st 16 array 2\nsite 5 6:1 ld 16 array 2\n"
	"warp 0 0\n0 ffffffff 0+4*32 = 1.5*32\n1 ffffffff 0+4*32 = 0*32\n"
	"2 ffffffff\n3 ffffffff 0*8 32*8 64*8 96*7 100 = 0*32\n"
	"3 00000003 0 128 = 0*2\n"
	"warp 0 1\n0 ffffffff 128+4*32 = 2.5*32\n"
	"1 ffffffff 128+4*32 = 0*32\n2 ffffffff\n3 ffffffff 0*32 = 0*32\n"
	"4 0000ffff 0+16*16 = 0,0,0,0*16\n"
	"5 0000ffff 0+16*16 = 0,0,0,0*16\n1 00000001 0 = 0\n"
	"5 00000001 0 = 0,0,0,0\n"
	"warp 1 0\n0 ffffffff 4*32 = 0*32\n"
	"warp 2 0\n4 00000001 0 = 0,0,0,0\nend\n";

static struct trace *open_trace(void)
{
	struct error e = { .text = "" };
	int fd = temporary_file(&e);
	struct trace *t = NULL;

	if (trace_parse(trace_text, strlen(trace_text), fd, &e) == 0)
		t = trace_open_fd(fd, "test", &e);
	if (!t)
		fatal("%s", e.text);
	return t;
}

/* A lesson of one step that stands there, over two copies of the trace. */
static void opens(struct lesson_traces *t, struct lesson **l, const char *stand)
{
	char *text = xasprintf("# T\n\n```gemmviz\nrecord tiled as t\n"
			       "record tiled as other\n```\n\n## S\n\n"
			       "```gemmviz\nstand %s\n```\n", stand);
	struct error e;

	*l = parse(text, &e);
	if (!*l)
		fatal("%s", e.text);
	*t = (struct lesson_traces){ .lesson = *l };
	t->trace[0] = open_trace();
	free(text);
}

static void closes(struct lesson_traces *t, struct lesson *l)
{
	lesson_traces_forget(t);
	for (size_t i = 0; i < LESSON_MAX_RECORDS; i++)
		trace_close(t->trace[i]);
	lesson_free(l);
}

/* The expression's value, or its error. */
static void is(const char *stand, const char *expr, const char *want)
{
	struct lesson_traces t;
	struct lesson *l;
	struct value v;
	struct error e;
	char got[sizeof(e.text)];

	opens(&t, &l, stand);
	for (int twice = 0; twice < 2; twice++) {
		if (lesson_eval(&t, 0, expr, &v, &e) == 0)
			value_print(&v, got, sizeof(got));
		else
			snprintf(got, sizeof(got), "%s", e.text);
	}
	tap_str(got, want, "%s at %s", expr, stand);
	closes(&t, l);
}

#define AT_A "block=0,0 warp=1 lane=5 array=A"
#define AT_AS "block=0,0 warp=0 lane=5 array=As op=ld phase=1"

static void test_names(void)
{
	is(AT_A, "M * 10000 + N * 100 + K", "81632");
	is(AT_A, "tx * 10 + ty", "54");
	is(AT_A, "block_x * 100 + block_y * 10 + grid_x", "882");
	is("block=1,0 lane=0", "bx * 10 + by", "10");
	is("block=0,1 lane=0", "bx * 10 + by", "1");
	is(AT_AS, "warp * 100 + lane * 10 + phase", "51");
	is(AT_A, "TILE", "16");
	is(AT_A, "tile", "no name 'tile'");
}

static void test_one_request(void)
{
	is(AT_A, "sectors(A)", "4");
	is(AT_A, "ideal_sectors(A)", "4");
	is(AT_A, "lines(A)", "1");
	is(AT_A, "lanes(V)", "16");
	is(AT_A, "addresses(A)", "32");
	is(AT_A, "pattern(A)", "contiguous");
	is(AT_A, "bytes(V)", "16");
	is(AT_A, "first(A) * 100 + last(A)", "3263");
	is(AT_A, "row(A) * 10 + col(A)", "45");
	is(AT_A, "index(A)", "37");
	is(AT_A, "address(A)", "4244");
	is(AT_A, "value(A)", "2.5");
	is(AT_A, "stride(A)", "1");
	is(AT_A, "stride(V)", "4");
	is(AT_A, "row(V)", "none");
	is(AT_A, "index_at(A, 31)", "63");
	is(AT_A, "index_at(V, 16)", "none");
	is(AT_A, "sectors(As)", "none");
	is(AT_A, "wavefronts(As, st)", "1");
	is(AT_AS, "wavefronts(As)", "1");
	is(AT_AS " nth=1", "wavefronts(As)", "2");
	is(AT_AS " nth=1", "ideal_wavefronts(As)", "1");
	is(AT_AS " nth=1", "ways(As)", "2");
	is(AT_AS " nth=1", "row(As)", "none");
	is("block=0,0 warp=1 array=V phase=1", "addresses(As)", "1");
	is("block=0,0 warp=1 array=V op=ld phase=1 nth=1", "addresses(As)",
	   "1");
	is("block=0,0 warp=0 lane=31 array=As op=ld phase=1", "stride(As)",
	   "1");
	is(AT_AS, "bank(As)", "0");
	is(AT_AS, "bank_at(As, 8)", "8");
	is(AT_AS, "value(A)", "1.5");
}

static void test_many_requests(void)
{
	is(AT_A, "total_requests(As)", "6");
	is(AT_A, "warp_requests(As)", "3");
	is(AT_AS, "phase_requests(As)", "2");
	is(AT_A, "total_events(A)", "96");
	is(AT_A, "block_events(A)", "64");
	is(AT_AS, "phase_events(As, ld)", "66");
	is(AT_A, "thread_events(As)", "2");
	is(AT_A, "thread_phase_events(As)", "1");
	is(AT_A, "distinct(V)", "64");
	is("block=1,0", "block_distinct(A)", "1");
	is(AT_AS, "phase_distinct(As)", "6");
	is(AT_A, "thread_distinct(As)", "2");
	is(AT_A, "reuse(A)", "1.5");
	is(AT_A, "reuse(V)", "1.0625");
	is(AT_A, "block_reuse(A)", "1");
	is(AT_AS, "phase_reuse(As)", "11");
	is(AT_A, "loads_of(As, 0, 0)", "41");
	is(AT_A, "phase_loads_of(As, 0, 0)", "0");
	is(AT_A, "loads_of(A, 0, 8)", "A has no element [0][8]");
	is(AT_AS, "loader_tx(As, 5, 3) * 10 + loader_ty(As, 5, 3)", "35");
	is(AT_A, "loader_ty(As, 0, 0)", "0");
	is(AT_AS, "loader_ty(As, 0, 0)", "4");
	is("block=1,0", "loader_tx(As, 0, 0)", "none");
	is(AT_A, "total_sectors(A)", "9");
	is(AT_A, "total_wavefronts(As, ld)", "4");
	is(AT_A, "total_wavefronts(A)", "none");
}

static void test_launch(void)
{
	is(AT_A, "phases() * 10 + barriers()", "21");
	is(AT_A, "threads() * 100 + warps() * 10 + blocks()", "6424");
	is(AT_A, "shared_bytes()", "256");
	is(AT_A, "rows(V) * 100 + cols(V)", "164");
	is(AT_A, "round(2.0 / 3, 2)", "0.67");
	is(AT_A, "load_sectors() * 100 + load_requests()", "1805");
	is(AT_A, "bytes_global()", "864");
}

static void test_refused(void)
{
	is("block=2,0", "1", "the grid has no block 2,0");
	is("block=1,0 warp=1", "1", "the trace has no warp 1");
	is("block=1,0 phase=1", "1", "the trace has no phase 1");
	is("array=V", "1", "the trace has no such request");
	is(AT_A, "sectors(X)", "tiled has no array 'X'");
	is(AT_A, "sectors()", "expected sectors(A[, op])");
	is(AT_A, "sectors(A, ld, 3)", "expected sectors(A[, op])");
	is(AT_A, "sectors(A, load)", "expected \"ld\" or \"st\"");
	is(AT_A, "sectors(A, st)", "this warp has no st of A");
	is(AT_A, "sectors(other, A)", "other has not been recorded yet");
	is(AT_A, "sectors(t, A)", "4");
	is(AT_A, "threads(other)", "other has not been recorded yet");
	is(AT_A, "round(1.5, 10)", "round() takes 0 to 9 digits");
	is(AT_A, "round(7 / 2, 0)", "3");
	is(AT_A, "round(7 / 2, 1)", "round() of an integer has no digits to "
	   "keep: for a fraction, divide 1.0 * x");
}

static void test_words(void)
{
	struct lesson_traces t;
	struct lesson *l;
	struct error e;
	char *words;

	opens(&t, &l, AT_A);
	words = lesson_words(&t, 0, "{{x} {M * 2}, {\"}\"} {row(V)}", &e);
	tap_str(words, "{x} 16, } n/a", "words get their numbers");
	free(words);
	words = lesson_words(&t, 0, "a {nothing} b", &e);
	tap_ok(!words && strstr(e.text, "nothing"), "or an error");
	free(words);
	t.trace[1] = open_trace();
	words = lesson_words(&t, 0, "{sectors(other, A)}", &e);
	tap_str(words, "4", "a trace that arrives later is used");
	free(words);
	closes(&t, l);
}

static void test_model(void)
{
	is(AT_A, "model_sectors(\"lane * 8\", 4)", "32");
	is(AT_A, "model_sectors(\"lane * 3\", 4)", "12");
	is(AT_A, "model_sectors(\"lane < 4 ? lane * M : none\", 4)", "4");
	is(AT_A, "model_ideal_sectors(\"lane * 8\", 4)", "4");
	is(AT_A, "model_lines(\"lane\", 16)", "4");
	is(AT_A, "model_wavefronts(\"lane * 32\", 4)", "32");
	is(AT_A, "model_wavefronts(\"lane * 33\", 4)", "1");
	is(AT_A, "model_wavefronts(\"lane / 2\", 8, st)", "2");
	is(AT_A, "model_ideal_wavefronts(\"lane\", 16)", "4");
	is(AT_A, "model_ways(\"lane * 6\", 4)", "2");
	is(AT_A, "model_sectors(\"lane - 1\", 4)", "the index of lane 0 is not "
	   "an integer from 0 up");
	is(AT_A, "model_sectors(\"row(A)\", 4)", "an index calls no function "
	   "such as 'row'");
	is(AT_A, "model_sectors(1, 4)", "expected a text in quotes");
	is(AT_A, "fragment_lane(\"m16n8k16.f16\", \"A\", 9, 3)", "5");
	is(AT_A, "fragment_element(\"m16n8k16.f16\", \"A\", 9, 3)", "3");
	is(AT_A, "fragment_register(\"m16n8k16.f16\", \"A\", 9, 3)", "1");
	is(AT_A, "fragment_lane(\"m16n8k16.f16\", \"A\", 16, 0)",
	   "A has no element [16][0]");
	is(AT_A, "occupancy_blocks(\"sm_90\", 256, 64, 8192)", "4");
	is(AT_A, "occupancy_warps(\"sm_90\", 256, 64, 8192)", "32");
	is(AT_A, "occupancy_share(\"sm_90\", 256, 64, 8192)", "0.5");
	is(AT_A, "occupancy_blocks(\"sm_90\", 256, 64, 100000)", "2");
	is(AT_A, "memory_cycles(\"l1\") > memory_cycles(\"shared\")", "1");
	is(AT_A, "memory_bytes(\"registers\")", "262144");
	is(AT_A, "memory_bytes_per_second(\"l2\") > "
	   "memory_bytes_per_second(\"dram\")", "1");
	is(AT_A, "streams_ms(\"small_one_stream\") > "
	   "streams_ms(\"small_streams\")", "1");
	is(AT_A, "streams_ms(\"x\")", "no time of streams 'x' was "
	   "measured");
	is(AT_A, "across_ms(\"sgemm\", 1, 4096) > "
	   "across_ms(\"across\", 2, 4096)", "1");
	is(AT_A, "across_ms(\"products\", 2, 4096) + "
	   "across_ms(\"panels\", 2, 4096) > across_limit_ms(2, 4096)", "1");
	is(AT_A, "across_panel(2, 4096) <= 4096 / 2 && "
	   "across_spread(\"across\", 2, 4096) < 1", "1");
	is(AT_A, "link_bytes_per_second(\"copied\") > 1e11", "1");
	is(AT_A, "link_bytes_per_second(\"x\") == none", "1");
	is(AT_A, "across_gpu() == \"NVIDIA H200\"", "1");
	is(AT_A, "across_ms(\"magic\", 2, 4096)", "no time of 'magic' on 2 "
	   "GPUs at 4096 was measured");
	is(AT_A, "across_ms(\"across\", 3, 4096)", "no time of 'across' on 3 "
	   "GPUs at 4096 was measured");
	is(AT_A, "devices()", "0");
	is(AT_A, "link_bytes() + turn_bytes() + turn_links()", "0");
	is(AT_A, "link_bytes_to(1)", "there is no device 1");
	is(AT_A " turn=1", "devices()", "the trace has no turn 1");
	is(AT_A, "memory_cycles(\"l3\")", "no level 'l3' (registers, shared, "
	   "l1, l2 or dram)");
	is(AT_A, "findings()", "0");
	is(AT_A, "finds(t, \"read-early\")", "0");
	is(AT_A, "finds(\"nonsense\")", "no cause 'nonsense'");
	is(AT_A, "finding_line(0)", "there is no finding 0");
	is(AT_A, "race_shared_bytes(\"tiled:TILE=32\", 4096)", "8192");
	is(AT_A, "race_registers(naive, 4096) > 8", "1");
	is(AT_A, "race_counter(naive, 4096, \"shared_load_wavefronts\")", "0");
	is(AT_A, "race_counter(naive, 4096, \"x\")", "no counter 'x'");
	is(AT_A, "race_spread(naive, 4096) > 0", "1");
	is(AT_A, "race_tflops(naive, 4096) * 1e12 < "
	   "race_peak_flops(naive, 4096)", "1");
	is(AT_A, "race_counter(naive, 4096, \"dram_bytes\") / "
	   "race_counter(naive, 4096, \"seconds\") < "
	   "race_peak_bytes(naive, 4096)", "1");
}

#define ASK(lines) BLOCK("stand lane=0\nask {S}?\n" lines)

/* How many checks of the lesson's question fail, and the last reason. */
struct verdicts { int bad; char why[200]; };

static void note_verdict(void *ctx, int line, const char *what,
			 const char *why)
{
	struct verdicts *v = ctx;

	(void)line, (void)what;
	if (!why)
		return;
	v->bad++;
	snprintf(v->why, sizeof(v->why), "%s", why);
}

static void asks(const char *text, const char *want)
{
	struct verdicts v = { 0 };
	struct error e = { .text = "" };
	struct lesson *l = parse(text, &e);
	struct lesson_traces t = { .lesson = l };

	if (!l)
		fatal("%s", e.text);
	t.trace[0] = open_trace();
	lesson_check(&t, note_verdict, &v);
	if (want)
		tap_ok(v.bad && strstr(v.why, want), "a question is refused: "
		       "%s (%s)", want, v.why);
	else
		tap_is(v.bad, 0, "a question is sound %s", v.why);
	closes(&t, l);
}

static int find_right(const struct lesson_choice *c)
{
	int i = 0;

	while (c[i].wrong >= 0)
		i++;
	return i;
}

static void test_draws(void)
{
	const char *good_one = HEAD ASK(
		"draw S 2..31\ndraw T 8, 16\nanswer S * T\nwrong S No {S}.\n"
		"wrong 16 N.\nwrong T N.\nwrong (S + T) N.\nright {T} yes.");
	struct lesson_choice c[LESSON_CHOICES];
	struct lesson_traces t;
	struct error e;
	struct lesson *l = parse(good_one, &e);
	struct lesson_question *q = l->steps[0].questions;
	bool in_range = true, both[2] = { false, false };
	int at, places[LESSON_CHOICES] = {0};
	char *words;

	asks(good_one, NULL);
	asks(HEAD ASK("draw S 2..31\nanswer S\nwrong 5 N.\nwrong 9 N."),
	     "fewer than two wrong answers are left; S = ");
	asks(HEAD ASK("draw S 0..31\nanswer 32 / S\nwrong -1 N.\n"
		      "wrong -2 N."), "division by zero; S = 0");
	asks(HEAD BLOCK("stand lane=0\nask a?\nanswer 1\nwrong 1 N.\n"
			"wrong 2 N."), "1 has the same value as another answer");
	asks(HEAD BLOCK("stand lane=0\nask a?\nanswer 1\nwrong 2 N.\n"
			"wrong 3 N.\nwrong 4 N."), NULL);
	asks(HEAD BLOCK("stand lane=0\nask a?\nanswer 1\nwrong 2 N.\n"
			"wrong 3 N.\nwrong 4 N.\nwrong 5 N."),
	     "at most three can be shown");
	asks(HEAD BLOCK("stand lane=0\nlearned \"a\" words"),
	     "is no number");
	t = (struct lesson_traces){ .lesson = l };
	t.trace[0] = open_trace();
	for (uint64_t seed = 0; seed < 200; seed++) {
		lesson_draw(&t, q, seed);
		in_range &= t.drawn.value[0] >= 2 && t.drawn.value[0] <= 31;
		both[t.drawn.value[1] == 16] = true;
	}
	tap_ok(in_range && both[0] && both[1], "draws are in their range");
	t.drawn.value[0] = 2, t.drawn.value[1] = 8;
	tap_is(lesson_choices(&t, 0, q, c, &e), 4,
	       "a wrong answer that is right is left out");
	at = find_right(c);
	tap_ok(!strcmp(c[(at + 1) % 4].text, "2") && c[(at + 2) % 4].wrong == 2
	       && c[(at + 3) % 4].wrong == 3,
	       "choices are in order of value, which begins anywhere");
	t.drawn.value[0] = 3;
	lesson_choices(&t, 0, q, c, &e);
	at = find_right(c);
	tap_ok(c[(at + 1) % 4].wrong == 0 && c[(at + 2) % 4].wrong == 2 &&
	       c[(at + 3) % 4].wrong == 1,
	       "three wrong ones are shown, the first");
	for (int64_t s = 2; s < 32; s++) {
		t.drawn.value[0] = s;
		lesson_choices(&t, 0, q, c, &e);
		places[find_right(c)]++;
	}
	tap_ok(places[0] > 3 && places[1] > 3 && places[2] > 3 && places[3] > 3,
	       "the right one, always the largest, is in each place");
	t.drawn.value[0] = 3;
	words = lesson_words(&t, 0, "{S} {S * T}", &e);
	tap_str(words, "3 24", "words have the drawn numbers");
	free(words);
	lesson_draw(&t, NULL, 0);
	tap_ok(lesson_eval(&t, 0, "S", &c[0].value, &e) < 0,
	       "nothing is drawn, nothing is known");
	closes(&t, l);
}

/* No two functions share a name, and each says what it means. */
static void test_table(void)
{
	const struct lesson_function *f;
	bool good = true;
	size_t n;

	f = lesson_functions(&n);
	for (size_t i = 0; i < n; i++) {
		good = good && *f[i].meaning;
		for (size_t j = 0; j < i; j++)
			good = good && strcmp(f[i].name, f[j].name);
	}
	tap_ok(good && n > 40, "the table of functions");
}

int main(void)
{
	lang_init("en");
	test_names();
	test_one_request();
	test_many_requests();
	test_launch();
	test_refused();
	test_words();
	test_model();
	test_draws();
	test_table();
	test_structure_errors();
	test_directive_errors();
	test_good();
	test_hostile();
	return tap_done();
}
