/*
 * lang: locale and language. Needs no installed locale: the C library's
 * C.UTF-8 carries the characters, gettext's LANGUAGE the words.
 */
#ifndef BASE_LANG_H
#define BASE_LANG_H

#include <stdbool.h>
#include <stddef.h>

#include <libintl.h>
#define _(s) gettext(s)
#define N_(s) (s)

/*
 * Called once, first of all. wanted is --lang's argument or NULL; then
 * GEMMVIZ_LANG, LANGUAGE, LC_ALL, LC_MESSAGES, LANG are read as text.
 *
 * Characters are those of the locale that LC_ALL, LC_CTYPE or LANG name.
 * C.UTF-8 is taken when none is set; when the locale is not installed (but
 * not when its name asks for another character set, as de_DE.ISO-8859-1
 * does); and when LC_CTYPE or LANG is C or POSIX, which is what machines
 * say that were never asked. LC_ALL=C is meant, and gives ASCII. Numbers,
 * times and order stay those of the C locale.
 */
void lang_init(const char *wanted);
/* The code of a language, such as "zh". */
const char *lang_name(void);
/* The locale's characters are UTF-8; false: ASCII and English. */
bool lang_utf8(void);
/* A sentence when the language that was asked for could not be had, or NULL. */
const char *lang_notice(void);
/* True when `code` ("zh_CN.UTF-8", "en") asks for a language that we have. */
bool lang_known(const char *code);
/* All of them; NULL behind the last. */
const char *lang_code(size_t i);
/* The code when these n bytes are just one, as folders' names are; or NULL. */
const char *lang_folder(const char *name, size_t n);
/* "en (English), zh (Chinese)"; static. */
const char *lang_list(void);

#endif
