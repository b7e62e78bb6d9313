/*
 * text: bytes become something safe to show. See text.h.
 */
#include <ctype.h>
#include <iconv.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "base/base.h"
#include "base/lang.h"
#include "base/text.h"

#define REPLACEMENT 0xFFFDu
/* More marks on one character than any language needs are an attack. */
#define MARKS_MAX 4
#define SHOWN_COLUMNS 200

size_t text_decode(const char *s, size_t n, uint32_t *cp)
{
	const unsigned char *p = (const unsigned char *)s;
	uint32_t c = p[0], lowest;
	size_t need;

	*cp = c;
	if (c < 0x80)
		return 1;
	*cp = REPLACEMENT;
	if (c >= 0xC2 && c <= 0xDF) {
		need = 2, lowest = 0x80, c &= 0x1F;
	} else if (c >= 0xE0 && c <= 0xEF) {
		need = 3, lowest = 0x800, c &= 0x0F;
	} else if (c >= 0xF0 && c <= 0xF4) {
		need = 4, lowest = 0x10000, c &= 0x07;
	} else {
		return 1;
	}
	if (n < need)
		return 1;
	for (size_t i = 1; i < need; i++) {
		if ((p[i] & 0xC0) != 0x80)
			return 1;
		c = c << 6 | (p[i] & 0x3F);
	}
	if (c < lowest || c > 0x10FFFF || (c >= 0xD800 && c <= 0xDFFF))
		return 1;
	*cp = c;
	return need;
}

size_t text_encode(uint32_t cp, char out[4])
{
	if (cp < 0x80) {
		out[0] = (char)cp;
		return 1;
	}
	if (cp < 0x800) {
		out[0] = (char)(0xC0 | cp >> 6);
		out[1] = (char)(0x80 | (cp & 0x3F));
		return 2;
	}
	if (cp > 0x10FFFF || (cp >= 0xD800 && cp <= 0xDFFF))
		cp = REPLACEMENT;
	if (cp < 0x10000) {
		out[0] = (char)(0xE0 | cp >> 12);
		out[1] = (char)(0x80 | (cp >> 6 & 0x3F));
		out[2] = (char)(0x80 | (cp & 0x3F));
		return 3;
	}
	out[0] = (char)(0xF0 | cp >> 18);
	out[1] = (char)(0x80 | (cp >> 12 & 0x3F));
	out[2] = (char)(0x80 | (cp >> 6 & 0x3F));
	out[3] = (char)(0x80 | (cp & 0x3F));
	return 4;
}

/*
 * Ranges that are shown as a stand-in though wcwidth() may give them a
 * width: direction, joining, filling, selecting, tagging and annotating
 * characters (Unicode's Default_Ignorable_Code_Point and Bidi_Control),
 * line and paragraph separators. Ascending.
 */
static const struct { uint32_t first, last; } invisible[] = {
	{ 0x00AD, 0x00AD },	/* soft hyphen */
	{ 0x034F, 0x034F },	/* combining grapheme joiner */
	{ 0x061C, 0x061C },	/* Arabic letter mark */
	{ 0x115F, 0x1160 },	/* Hangul fillers */
	{ 0x17B4, 0x17B5 },	/* Khmer inherent vowels */
	{ 0x180B, 0x180F },	/* Mongolian selectors */
	{ 0x200B, 0x200F },	/* zero width, direction marks */
	{ 0x2028, 0x202E },	/* separators, embeddings, overrides */
	{ 0x2060, 0x206F },	/* word joiner, isolates, shaping */
	{ 0x3164, 0x3164 },	/* Hangul filler */
	{ 0xFE00, 0xFE0F },	/* variation selectors */
	{ 0xFEFF, 0xFEFF },	/* byte order mark */
	{ 0xFFA0, 0xFFA0 },	/* half-width Hangul filler */
	{ 0xFFF0, 0xFFFB },	/* annotations */
	{ 0x1BCA0, 0x1BCA3 },	/* shorthand format controls */
	{ 0x1D173, 0x1D17A },	/* musical format controls */
	{ 0xE0000, 0xE0FFF },	/* tags, selectors */
};

static bool text_invisible(uint32_t cp)
{
	for (size_t i = 0; i < LENGTH(invisible); i++) {
		if (cp < invisible[i].first)
			return false;
		if (cp <= invisible[i].last)
			return true;
	}
	return false;
}

/* Returns cp itself, or the character shown in its place. */
static uint32_t text_stand_in(uint32_t cp)
{
	if (cp >= 0x20 && cp < 0x7F)
		return cp;
	if (cp < 0x20)
		return 0x2400 + cp;
	if (cp == 0x7F)
		return 0x2421;
	if (cp < 0xA0 || (cp & 0xFFFE) == 0xFFFE ||
	    (cp >= 0xFDD0 && cp <= 0xFDEF) || text_invisible(cp) ||
	    wcwidth((wchar_t)cp) < 0)
		return REPLACEMENT;
	return cp;
}

/* Where the cleaner stands in its line. */
struct clean_position {
	int column, marks;	/* marks: on the last character */
	bool based;		/* there is a character to put a mark on */
};

static void clean_tab(struct str *out, struct clean_position *at)
{
	do {
		str_addc(out, ' ');
		at->column++;
	} while (at->column % 8);
	*at = (struct clean_position){ .column = at->column };
}

static void clean_char(struct str *out, uint32_t cp, unsigned flags,
		       struct clean_position *at)
{
	uint32_t shown = text_stand_in(cp);
	char bytes[4];
	int width;

	if ((flags & TEXT_ASCII) && (cp < 0x20 || cp >= 0x7F))
		shown = '?';
	width = text_char_width(shown);
	if (width == 0 && (!at->based || ++at->marks > MARKS_MAX)) {
		shown = REPLACEMENT;
		width = 1;
	}
	if (width > 0) {
		at->marks = 0;
		at->based = true;
	}
	at->column += width;
	str_addn(out, bytes, text_encode(shown, bytes));
}

char *text_clean(const char *s, size_t n, unsigned flags)
{
	struct str out = { 0 };
	struct clean_position at = { 0 };
	uint32_t cp;

	grow(&out.data, &out.capacity, n + 1, 1);
	out.data[0] = '\0';
	for (size_t i = 0; i < n;) {
		i += text_decode(s + i, n - i, &cp);
		if (cp == '\n' && (flags & TEXT_LINES)) {
			str_addc(&out, '\n');
			at = (struct clean_position){ 0 };
		} else if (cp == '\t' && (flags & TEXT_TABS)) {
			str_addc(&out, '\t');
			at = (struct clean_position){
				.column = (at.column | 7) + 1
			};
		} else if (cp == '\t') {
			clean_tab(&out, &at);
		} else {
			clean_char(&out, cp, flags, &at);
		}
	}
	return str_take(&out);
}

char *text_utf8(const char *s)
{
	size_t n = strlen(s);
	struct str out = { 0 };
	char bytes[4];
	uint32_t cp;

	for (size_t i = 0; i < n;) {
		i += text_decode(s + i, n - i, &cp);
		str_addn(&out, bytes, text_encode(cp, bytes));
	}
	return str_take(&out);
}

bool text_is_utf8(const char *s)
{
	char *clean = text_utf8(s);
	bool is = !strcmp(clean, s);

	free(clean);
	return is;
}

/* Converts GB18030 text to UTF-8 on the heap; NULL when it is not valid. */
static char *from_gb18030(const char *s)
{
	size_t left = strlen(s), room = 2 * left;	/* no more than that */
	char *to, *at, *in = (char *)(uintptr_t)s;
	iconv_t from = iconv_open("UTF-8", "GB18030");

	if (from == (iconv_t)-1)
		return NULL;
	to = at = xcalloc(room + 1, 1);
	if (iconv(from, &in, &left, &at, &room) == (size_t)-1) {
		free(to);
		to = NULL;
	}
	iconv_close(from);
	return to;
}

char *text_decoded(const char *s, bool *other)
{
	*other = !text_is_utf8(s);
	return *other ? from_gb18030(s) : xstrdup(s);
}

const char *text_show(const char *s)
{
	static _Thread_local char *ring[8];
	static _Thread_local unsigned next;
	bool ascii = !lang_utf8();
	size_t len = strlen(s), fit;
	char *clean;

	/* No more is shown, so that no more is looked at. */
	clean = text_clean(s, MIN(len, SHOWN_COLUMNS * 4),
			   ascii ? TEXT_ASCII : 0);
	fit = text_fit(clean, SHOWN_COLUMNS, NULL);
	if (clean[fit] || len > SHOWN_COLUMNS * 4) {
		char *cut = xasprintf("%.*s%s", (int)fit, clean,
				      ascii ? "..." : "\xE2\x80\xA6");

		free(clean);
		clean = cut;
	}
	next = (next + 1) % LENGTH(ring);
	free(ring[next]);
	ring[next] = clean;
	return clean;
}

/* Returns whether a shell leaves a text as it is. */
static bool is_plain_word(const char *s)
{
	static const char plain[] = "/._-+,:@%=";

	for (const char *c = s; *c; c++)
		if (!isalnum((unsigned char)*c) && !strchr(plain, *c))
			return false;
	return *s != '\0';
}

char *text_shell_word(const char *s)
{
	char *clean = text_clean(s, strlen(s), 0);
	bool shown = !strcmp(clean, s);
	struct str w = { 0 };

	free(clean);
	if (is_plain_word(s)) {
		str_addf(&w, "%s%s", *s == '-' ? "./" : "", s);
		return str_take(&w);
	}
	str_addf(&w, "%s'%s", shown ? "" : "$", *s == '-' ? "./" : "");
	for (; *s; s++)
		if (shown && *s == '\'')
			str_add(&w, "'\\''");
		else if (!shown && !isalnum((unsigned char)*s) &&
			 !strchr("/._-", *s))
			str_addf(&w, "\\%03o", (unsigned char)*s);
		else
			str_addc(&w, *s);
	str_addc(&w, '\'');
	return str_take(&w);
}

int text_char_width(uint32_t cp)
{
	int width;

	if (cp >= 0x20 && cp < 0x7F)
		return 1;
	/* The replacement is a column even in a locale of ASCII alone. */
	width = wcwidth((wchar_t)cp);
	return width < 0 ? 1 : MIN(width, 2);
}

int text_width(const char *s)
{
	int width;

	text_fit(s, INT32_MAX, &width);
	return width;
}

size_t text_fit(const char *s, int columns, int *used)
{
	size_t n = strlen(s), i = 0;
	int column = 0;

	while (i < n) {
		uint32_t cp;
		size_t bytes = text_decode(s + i, n - i, &cp);
		int width = text_char_width(cp);

		if (width > columns - column)
			break;
		column += width;
		i += bytes;
	}
	if (used)
		*used = column;
	return i;
}

char *text_capital(char *s)
{
	if (*s >= 'a' && *s <= 'z')
		*s -= 'a' - 'A';
	return s;
}

bool text_ends(const char *s, const char *ending)
{
	size_t n = strlen(s), m = strlen(ending);

	return n > m && !strcmp(s + n - m, ending);
}
