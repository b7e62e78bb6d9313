/*
 * lang: locale and language. No locale needs to be installed: the C library's
 * C.UTF-8 provides the characters, and the messages are looked up here.
 */
#ifndef BASE_LANG_H
#define BASE_LANG_H

#include <stdbool.h>
#include <stddef.h>

/* The names are those that xgettext knows. */
#define _(s) lang_text(s)
#define N_(s) (s)
#define ngettext(one, many, n) lang_plural(one, many, n)

/* Returns a text in the language in use; the text itself where it has no
 * translation. */
const char *lang_text(const char *s) __attribute__((format_arg(1)));
/* Returns the translation for a count of n; `one` or `many` where it has
 * none. */
const char *lang_plural(const char *one, const char *many, unsigned long n)
	__attribute__((format_arg(1), format_arg(2)));

/*
 * Sets the language; called once, before anything else. `wanted` is the
 * argument of --lang, or NULL; then GEMMVIZ_LANG, LANGUAGE, LC_ALL, LC_MESSAGES
 * and LANG are read as text.
 *
 * The character set is that of the locale named by LC_ALL, LC_CTYPE or LANG.
 * C.UTF-8 is used when none of them is set; when the locale is not installed
 * (unless its name asks for another character set, as de_DE.ISO-8859-1 does);
 * and when LC_CTYPE or LANG is C or POSIX, which is what unconfigured machines
 * have. LC_ALL=C is taken to be deliberate, and gives ASCII. Numbers, times and
 * collation stay those of the C locale.
 */
void lang_init(const char *wanted);
/* Takes the language that the program that started this one has in use. Texts
 * and messages of this thread are UTF-8; the process's locale stays the C
 * locale, as for the programs that it becomes. */
void lang_follow(void);
/* Returns the code of the language in use, such as "zh". */
const char *lang_name(void);
/* Returns what stands between two sentences: a space, or "" after the full stop
 * of a language written without spaces. */
const char *lang_joint(void);
/* Tests whether the locale's characters are UTF-8; if not, output is ASCII and
 * English. */
bool lang_utf8(void);
/* Returns a sentence when the requested language is not available, or NULL. */
const char *lang_notice(void);
/* Tests whether `code` ("zh_CN.UTF-8", "en") is a language that is
 * available. */
bool lang_known(const char *code);
/* Returns the code of the ith language; NULL past the last. */
const char *lang_code(size_t i);
/* Returns the code that equals these n bytes, as in the names of folders; NULL
 * when none does. */
const char *lang_folder(const char *name, size_t n);
/* The list of languages, "en (English), zh (Chinese)"; static. */
const char *lang_list(void);

#endif
