/*
 * No byte that could do something to a terminal comes out of text_clean, and
 * all that comes out can be measured.
 */
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "base/text.h"
#include "tap.h"

static void decodes(const char *bytes, size_t n, size_t used, uint32_t cp)
{
	uint32_t got;
	size_t len = text_decode(bytes, n, &got);

	tap_ok(len == used && got == cp, "%02x of %zu is U+%04X in %zu",
	       (unsigned char)bytes[0], n, cp, used);
}

static void test_decode(void)
{
	decodes("a", 1, 1, 'a');
	decodes("\xC2\x80", 2, 2, 0x80);
	decodes("\xE4\xB8\xAD", 3, 3, 0x4E2D);
	decodes("\xF4\x8F\xBF\xBF", 4, 4, 0x10FFFF);
	decodes("\xEF\xBF\xBD", 3, 3, 0xFFFD);
	/* cut off, overlong, surrogate, too large, stray */
	decodes("\xE4\xB8\xAD", 2, 1, 0xFFFD);
	decodes("\xC2", 1, 1, 0xFFFD);
	decodes("\xE4\xB8x", 3, 1, 0xFFFD);
	decodes("\xC0\xAF", 2, 1, 0xFFFD);
	decodes("\xC1\xBF", 2, 1, 0xFFFD);
	decodes("\xE0\x9F\xBF", 3, 1, 0xFFFD);
	decodes("\xF0\x8F\xBF\xBF", 4, 1, 0xFFFD);
	decodes("\xED\x9F\xBF", 3, 3, 0xD7FF);
	decodes("\xED\xA0\x80", 3, 1, 0xFFFD);
	decodes("\xED\xBF\xBF", 3, 1, 0xFFFD);
	decodes("\xEE\x80\x80", 3, 3, 0xE000);
	decodes("\xF4\x90\x80\x80", 4, 1, 0xFFFD);
	decodes("\xF5\x80\x80\x80", 4, 1, 0xFFFD);
	decodes("\x80", 1, 1, 0xFFFD);
	decodes("\xFF", 1, 1, 0xFFFD);
}

static void test_encode(void)
{
	bool same = true;

	for (uint32_t cp = 1; cp <= 0x10FFFF; cp++) {
		uint32_t back;
		char bytes[4];
		size_t n;

		if (cp >= 0xD800 && cp <= 0xDFFF)
			continue;
		n = text_encode(cp, bytes);
		same = same && text_decode(bytes, n, &back) == n && back == cp;
	}
	tap_ok(same, "every character is encoded and decoded");
}

/* Checks the bytes of a character. */
static void check_encoded(uint32_t cp, const char *want)
{
	char bytes[5] = { 0 };
	size_t n = text_encode(cp, bytes);

	tap_ok(n == strlen(want) && !strcmp(bytes, want), "U+%04X encoded", cp);
}

static void test_encoded(void)
{
	check_encoded(0x7F, "\x7F");
	check_encoded(0x80, "\xC2\x80");
	check_encoded(0x7FF, "\xDF\xBF");
	check_encoded(0x800, "\xE0\xA0\x80");
	check_encoded(0xD7FF, "\xED\x9F\xBF");
	check_encoded(0xD800, "\xEF\xBF\xBD");
	check_encoded(0xDFFF, "\xEF\xBF\xBD");
	check_encoded(0xFFFF, "\xEF\xBF\xBF");
	check_encoded(0x10000, "\xF0\x90\x80\x80");
	check_encoded(0x10FFFF, "\xF4\x8F\xBF\xBF");
	check_encoded(0x110000, "\xEF\xBF\xBD");
}

static void cleans(const char *s, unsigned flags, const char *want)
{
	static int number;
	char *got = text_clean(s, strlen(s), flags);

	tap_str(got, want, "clean %d", ++number);
	free(got);
}

static void test_clean(void)
{
	cleans("plain", 0, "plain");
	cleans("\xE4\xB8\xAD\xE6\x96\x87", 0, "\xE4\xB8\xAD\xE6\x96\x87");
	cleans("a\x1B[2Jb", 0, "a\xE2\x90\x9B[2Jb");
	cleans("a\x7F", 0, "a\xE2\x90\xA1");
	cleans("a\nb", 0, "a\xE2\x90\x8A" "b");
	cleans("a\nb", TEXT_LINES, "a\nb");
	cleans("a\tb", 0, "a       b");
	cleans("\xE4\xB8\xAD\tb", 0, "\xE4\xB8\xAD      b");
	cleans("x\na\tb", TEXT_LINES, "x\na       b");
	cleans("a\tb", TEXT_TABS, "a\tb");
	cleans("a\xC2\x9B" "b", 0, "a\xEF\xBF\xBD" "b");	/* CSI of C1 */
	cleans("a\xE2\x80\xAE" "b", 0, "a\xEF\xBF\xBD" "b");	/* override */
	cleans("a\xE2\x81\xA6" "b", 0, "a\xEF\xBF\xBD" "b");	/* isolate */
	cleans("a\xE2\x80\x8B" "b", 0, "a\xEF\xBF\xBD" "b");	/* no width */
	cleans("a\xE2\x80\xA8" "b", 0, "a\xEF\xBF\xBD" "b");	/* separator */
	cleans("a\xEF\xBB\xBF" "b", 0, "a\xEF\xBF\xBD" "b");	/* mark */
	cleans("a\xEF\xBF\xBE" "b", 0, "a\xEF\xBF\xBD" "b");	/* noncharacter */
	cleans("a\xFF\xFE" "b", 0, "a\xEF\xBF\xBD\xEF\xBF\xBD" "b");
	cleans("e\xCC\x81", 0, "e\xCC\x81");	/* a mark on its letter */
	cleans("\xCC\x81" "e", 0, "\xEF\xBF\xBD" "e");	/* on nothing */
	cleans("a\n\xCC\x81", TEXT_LINES, "a\n\xEF\xBF\xBD");
	cleans("e\xCC\x81\xCC\x81\xCC\x81\xCC\x81\xCC\x81", 0,
	       "e\xCC\x81\xCC\x81\xCC\x81\xCC\x81\xEF\xBF\xBD");
	cleans("a\xE4\xB8\xAD\x1B", TEXT_ASCII, "a??");
}

/* Every character there is, and every pair of bytes. */
static bool is_clean(const char *s, bool ascii)
{
	size_t n = strlen(s);

	for (size_t i = 0; i < n;) {
		uint32_t cp;
		size_t bytes = text_decode(s + i, n - i, &cp);

		if (cp < 0x20 || (cp >= 0x7F && cp < 0xA0) ||
		    (cp >= 0x2028 && cp <= 0x202E) ||
		    (cp >= 0x2060 && cp <= 0x206F) ||
		    (ascii && cp >= 0x7F) || (bytes == 1 && cp >= 0x80))
			return false;
		i += bytes;
	}
	return true;
}

static void test_all(void)
{
	bool clean = true, ascii = true, width = true;

	for (uint32_t i = 0; i <= 0x10FFFF + 0x10000; i++) {
		char s[5] = { 0 };
		char *got;
		size_t n = 2;

		if (i <= 0x10FFFF) {
			n = text_encode(i, s);
		} else {
			s[0] = (char)(i & 0xFF);
			s[1] = (char)(i >> 8 & 0xFF);
		}
		got = text_clean(s, n, 0);
		clean = clean && is_clean(got, false);
		width = width && text_width(got) >= 1;
		free(got);
		got = text_clean(s, n, TEXT_ASCII);
		ascii = ascii && is_clean(got, true);
		free(got);
	}
	tap_ok(clean, "no character and no bytes come through unclean");
	tap_ok(width, "each takes a column at least");
	tap_ok(ascii, "nor anything but ASCII, where that is asked for");
}

static void fits(const char *s, int columns, size_t bytes, int used)
{
	int got;

	tap_is(text_fit(s, columns, &got), bytes, "'%s' in %d: bytes", s,
	       columns);
	tap_is(got, used, "and columns");
}

static void test_width(void)
{
	tap_is(text_width("abc"), 3, "three letters");
	tap_is(text_width("\xE4\xB8\xAD\xE6\x96\x87"), 4, "two wide ones");
	tap_is(text_width("e\xCC\x81"), 1, "a mark has no width");
	tap_is(text_char_width(0x2588), 1, "a block has one column");
	fits("abc", 2, 2, 2);
	fits("abc", 9, 3, 3);
	fits("a\xE4\xB8\xAD", 2, 1, 1);
	fits("a\xE4\xB8\xAD", 3, 4, 3);
	fits("e\xCC\x81x", 1, 3, 1);
	fits("abc", 0, 0, 0);
	fits("abc", -1, 0, 0);
}

static void test_decoded(void)
{
	static const struct { const char *from, *to; bool other; } texts[] = {
		{ "a\n\xE7\x9F\xA9", "a\n\xE7\x9F\xA9", false },
		{ "// \xBE\xD8\xD5\xF3\n\tx", "// \xE7\x9F\xA9\xE9\x98\xB5\n\tx",
		  true },
		/* a second byte that is a backslash, four bytes for one */
		{ "\x81\x5C\n", "\xE4\xB9\x97\n", true },
		{ "\x81\x30\x81\x31", "\xC2\x81", true },
		{ "\xFF", NULL, true }, { "a\xE9 b", NULL, true },
		{ "\xBE", NULL, true }, { "", "", false },
	};

	for (size_t i = 0; i < LENGTH(texts); i++) {
		bool other;
		char *got = text_decoded(texts[i].from, &other);

		tap_str(got, texts[i].to, "decoded text %zu", i);
		tap_is(other, texts[i].other, "... is said to be");
		free(got);
	}
}

static void test_show(void)
{
	char long_name[1001];
	const char *first = text_show("one"), *second = text_show("t\x1Bo");

	tap_str(first, "one", "shown");
	tap_str(second, "t\xE2\x90\x9Bo", "shown clean");
	for (int i = 0; i < 6; i++)
		text_show("more");
	tap_str(first, "one", "eight can be used at a time");
	memset(long_name, 'x', sizeof(long_name) - 1);
	long_name[1000] = '\0';
	tap_is(text_width(text_show(long_name)), 201, "a long one is cut");
	setlocale(LC_CTYPE, "C");
	tap_str(text_show("a\xC3\xA9"), "a?", "ASCII in an ASCII locale");
}

int main(void)
{
	setlocale(LC_CTYPE, "C.UTF-8");
	test_decode();
	test_encoded();
	test_encode();
	test_clean();
	test_all();
	test_width();
	test_decoded();
	test_show();
	return tap_done();
}
