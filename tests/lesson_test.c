/* The lesson engine: what it reads, what it refuses, what it works out. */
#include <stdlib.h>
#include <unistd.h>

#include "lang.h"
#include "lesson.h"
#include "tap.h"

#define HEAD "# Title\n\n```gemmviz\nrecord tiled TILE=16 as t\n```\n\n" \
	     "## Step\n\n"
#define BLOCK(lines) "```gemmviz\n" lines "\n```\n"

static struct lesson *parse(const char *text, struct error *e)
{
	return lesson_parse("x", text, strlen(text), e);
}

/* The text is refused, in this line, for this reason. */
static void refuses(const char *text, int line, const char *reason)
{
	char place[40];
	struct error e = { .text = "" };
	struct lesson *l = parse(text, &e);
	bool good;

	snprintf(place, sizeof(place), "lessons/x.md:%d: ", line);
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
	REFUSES("\nshow", "expected a view behind 'show'");
	REFUSES("\nrecord", "expected a kernel behind 'record'");
	REFUSES("\nrecord tilde", "expected a kernel, got 'tilde'; did you "
		"mean 'tiled'?");
	REFUSES("\nrecord naive m=0", "expected m of 1 to 4096, got '0'");
	REFUSES("\nrecord naive m", "expected NAME=VALUE, got 'm'");
	REFUSES("\nrecord naive TILE=16", "expected m, n, k or a parameter of "
		"naive, got 'TILE'");
	REFUSES("\nrecord tiled TILE=33", "expected TILE of 1 to 32");
	REFUSES("\nrecord tiled TILE=8 TILE=8", "expected TILE only once");
	REFUSES("\nrecord float4", "float4 cannot take this size");
	REFUSES("\nrecord naive as t", "another alias than 't'");
	REFUSES("\nrecord naive as 7", "one name behind 'as'");
	REFUSES("\nrecord naive as a b", "one name behind 'as'");
	REFUSES("\nuse u", "expected the alias of a record, got 'u'");
	REFUSES("\nuse", "expected one alias behind 'use'");
	REFUSES("use t\nuse t", "expected one 'use' in a step");
	REFUSES("\nstand", "expected a place behind 'stand'");
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
	REFUSES("\nanswer 1", "expected one 'answer' behind an 'ask'");
	REFUSES("\nwrong 1 no", "expected 'wrong' behind an 'ask'");
	REFUSES("ask a?\nwrong 2 * 3 No.", "needs brackets around it");
	REFUSES("\nright yes", "expected one 'right' behind an 'ask'");
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
	"record naive\n```\n\n## First *one*\n\n"
	"Some **strong** words\nand `code {M}` here.\n\n"
	"1. one\n2. two\n\n```\nas is\n  {{\n```\n\n"
	"```gemmviz\nuse naive\nstand block=1,2 warp=3 lane=4 array=B op=ld "
	"nth=5 phase=6\nshow matrices source\nshow banks\n\n"
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
	tap_ok(s->show_count == 3 && !strcmp(s->shows[2], "banks"), "shows");
	tap_is(q->wrong_count, 2, "two wrong answers");
	tap_str(q->wrongs[0].expr, "(1 + 1)", "an expression in brackets");
	tap_str(q->wrongs[1].expr, "sectors(A, \"st\")*2", "one with a call");
	tap_str(q->wrongs[1].words, "Nor this.", "and its words");
	tap_str(q->answer, "sectors(B, ld)", "the answer");
	tap_is(s->expects[0].line, 32, "an expectation's line");
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

int main(void)
{
	lang_init("en");
	test_structure_errors();
	test_directive_errors();
	test_good();
	test_hostile();
	return tap_done();
}
