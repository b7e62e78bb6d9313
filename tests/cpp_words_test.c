/*
 * C++ text is read word by word as its grammar has it, and no byte is lost.
 */
#include <stdlib.h>
#include <time.h>

#include "base/base.h"
#include "base/cpp_launch.h"
#include "base/cpp_words.h"
#include "tap.h"

/* "w:int b: w:x" and so on: the kind of each word and its text. */
static char *said(const char *text, size_t length, bool directives)
{
	struct cpp_text t = { text, text + length, directives, false };
	struct str s = { 0 };
	struct cpp_word w;

	for (w = cpp_next(&t); w.kind; w = cpp_next(&t)) {
		if (w.kind == CPP_BLANK)
			continue;
		str_addf(&s, "%s%c:%.*s", s.len ? " " : "", w.kind,
			 (int)w.length, w.at);
	}
	return str_take(&s);
}

static void reads(const char *text, const char *want)
{
	char *got = said(text, strlen(text), true);

	tap_str(got, want, "%s", want);
	free(got);
}

static void test_words(void)
{
	reads("", "");
	reads(" \t\r\n\v\f", "");
	reads("int x1;", "w:int w:x1 ;:;");
	reads("__global__ void k$()", "w:__global__ w:void w:k$ (:( ):)");
	reads("gr\xc3\xb6\xc3\x9f" "e=1", "w:gr\xc3\xb6\xc3\x9f" "e =:= 0:1");
	reads("a->b::c<<<1", "w:a -:- >:> w:b ::: ::: w:c <:< <:< <:< 0:1");
	reads("in\\\nt", "w:in w:t");
	reads("a\\b", "w:a \\:\\ w:b");
}

static void test_numbers(void)
{
	reads("16u 1.5f .5 1.", "0:16u 0:1.5f 0:.5 0:1.");
	reads("1e+5 0x1p-3f 1E-2", "0:1e+5 0:0x1p-3f 0:1E-2");
	reads("1+2 1-x", "0:1 +:+ 0:2 0:1 -:- w:x");
	reads("1'000'000 1'a'", "0:1'000'000 0:1'a ':'");
	reads("a.x a.5 ...", "w:a .:. w:x w:a 0:.5 .:. .:. .:.");
}

static void test_literals(void)
{
	reads("\"a b\"c", "\":\"a b\" w:c");
	reads("\"\\\"\" '\\'' '\"'", "\":\"\\\"\" ':'\\'' ':'\"'");
	reads("\"\\\\\"x", "\":\"\\\\\" w:x");
	reads("\"// /*\" x", "\":\"// /*\" w:x");
	reads("u8\"a\" u'b' U\"c\" L'd'",
	      "\":u8\"a\" ':u'b' \":U\"c\" ':L'd'");
	reads("xu\"a\"", "w:xu \":\"a\"");
	reads("\"open\nnext", "\":\"open w:next");
	reads("'open\nnext'", "':'open w:next ':'");
	reads("\"a\\\nb\" c", "\":\"a\\\nb\" w:c");
	reads("\"a\\\r\nb\" c", "\":\"a\\\r\nb\" w:c");
	reads("\"open\\", "\":\"open\\");
}

static void test_raw(void)
{
	reads("R\"(a\"b\n)\" x", "\":R\"(a\"b\n)\" w:x");
	reads("R\"x( )\" )x\" y", "\":R\"x( )\" )x\" w:y");
	reads("u8R\"(\\)\" LR\"(/*)\"", "\":u8R\"(\\)\" \":LR\"(/*)\"");
	reads("R\"(open\n\n", "\":R\"(open\n\n");
	reads("R\"( x)y\" z", "\":R\"( x)y\" z");
	/* No delimiters: a word's own R, and a string as any other. */
	reads("R\"a b(\" c", "\":R\"a b(\" w:c");
	reads("R\"12345678901234567(\" c", "\":R\"12345678901234567(\" w:c");
	reads("R\"1234567890123456(\")1234567890123456\" c",
	      "\":R\"1234567890123456(\")1234567890123456\" w:c");
	reads("R\"1234567890123456()1234567890123456\" c",
	      "\":R\"1234567890123456()1234567890123456\" w:c");
	reads("FOR\"(\" R", "w:FOR \":\"(\" w:R");
	reads("R\"", "\":R\"");
}

static void test_comments(void)
{
	reads("a/b", "w:a /:/ w:b");
	reads("a//b\nc", "w:a c://b w:c");
	reads("a//b\\\nb\nc", "w:a c://b\\\nb w:c");
	reads("a/*b\n*/c", "w:a c:/*b\n*/ w:c");
	reads("/*/ a */b", "c:/*/ a */ w:b");
	reads("/**/b", "c:/**/ w:b");
	reads("/* \" ' */b", "c:/* \" ' */ w:b");
	reads("// don't\nb", "c:// don't w:b");
	reads("/* open", "c:/* open");
	reads("/", "/:/");
}

static void test_directives(void)
{
	char *got;

	reads("#if 1\na", "d:#if 1 w:a");
	reads("  # define X 1 \\\n 2\na", "d:# define X 1 \\\n 2 w:a");
	reads("#define X \\\r\n 2\na", "d:#define X \\\r\n 2 w:a");
	reads("a #b", "w:a #:# w:b");
	reads("a\\\n#b", "w:a #:# w:b");
	reads("/* a\n */ #b\nc", "c:/* a\n */ d:#b w:c");
	reads("#a /* b\n c */ d\ne", "d:#a /* b\n c */ d w:e");
	reads("#a \"/*\"\ne", "d:#a \"/*\" w:e");
	reads("#error don't /* a\n */ b\nc", "d:#error don't /* a\n */ b w:c");
	reads("#a R\"(\n)\" b\nc", "d:#a R\"(\n)\" b w:c");
	reads("#a // b\nc", "d:#a // b w:c");
	reads("#", "d:#");
	got = said("#if 1", 5, false);
	tap_str(got, "#:# w:if 0:1", "as signs and words, when so asked");
	free(got);
}

/* Words end with the text, though what is behind it would go on. */
static void test_ends(void)
{
	static const char *const texts[] = { "int", "12", "\"a\"", "/* a */",
		"R\"(a)\"", "#a\\\nb", "// a\\\nb", "u8\"a\"", ".5", "1e+5" };
	long wrong = 0;

	for (size_t i = 0; i < LENGTH(texts); i++)
		for (size_t n = 0; n <= strlen(texts[i]); n++) {
			char *cut = xstrndup(texts[i], n);
			char *a = said(texts[i], n, true);
			char *b = said(cut, n, true);

			wrong += strcmp(a, b) != 0;
			free(cut);
			free(a);
			free(b);
		}
	tap_is(wrong, 0, "nothing behind the end is read");
}

static void test_help(void)
{
	static const char nul_a[] = "\0a";
	static const char text[] = "/* a */ x // b\n y";
	struct cpp_text t = { text, text + strlen(text), false, false };
	struct cpp_word w = cpp_next_code(&t), zero;

	tap_ok(cpp_is(&w, "x") && !cpp_is(&w, "xy") && !cpp_is(&w, ""),
	       "the first that is code");
	w = cpp_next_code(&t);
	tap_ok(cpp_is(&w, "y"), "and the next");
	w = cpp_next_code(&t);
	tap_ok(w.kind == CPP_END && w.length == 0 && w.at == t.end, "the end");
	w = cpp_next(&t);
	tap_is(w.kind, CPP_END, "stays the end");
	t = (struct cpp_text) { nul_a, nul_a + 2, false, false };
	zero = cpp_next(&t);
	w = cpp_next(&t);
	tap_ok(zero.kind == CPP_BLANK && cpp_is(&w, "a"),
	       "a zero byte is blank");
}

/* Launches are read in at most so many times the time that the words take;
 * who looks for the end of each anew takes ten times that and more. */
static void reads_soon(const char *part, size_t times, int most)
{
	struct str text = {0};
	struct cpp_launch l;
	struct cpp_word *w;
	size_t count, found = 0;
	clock_t began, words;

	for (size_t i = 0; i < times; i++)
		str_add(&text, part);
	began = clock();
	w = cpp_code(text.data, text.len, true, &count);
	words = clock() - began;
	began = clock();
	for (size_t i = 0; i < count; i++)
		found += cpp_launch_read(w, count, i, &l);
	tap_ok(clock() - began < most * words,
	       "%zu times '%s' are read soon (%zu launches)", times, part,
	       found);
	free(w);
	str_done(&text);
}

static void test_long(void)
{
	reads_soon("<<<", 60000, 700);
	reads_soon("f<<<(", 40000, 100);
	reads_soon("f<<<1>>>(", 20000, 100);
	reads_soon(")<<<1>>>(1)", 20000, 100);
	reads_soon(">><<<1>>>(1)", 20000, 100);
}

int main(void)
{
	test_words();
	test_numbers();
	test_literals();
	test_raw();
	test_comments();
	test_directives();
	test_ends();
	test_help();
	test_long();
	return tap_done();
}
