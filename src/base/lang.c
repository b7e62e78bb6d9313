/*
 * lang: locale and language. See lang.h.
 */
#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/base.h"
#include "base/catalogue.h"
#include "base/lang.h"
#include "base/text.h"

static const char *language = "en";
static struct catalogue catalogue;
static char *notice;

static const char *environment_value(const char *name)
{
	const char *value = getenv(name);

	return value && *value ? value : NULL;
}

/* The languages: what po/CODE.po and lessons/CODE are in. A locale is in one of
 * them when its name is the code, or one of the others here. */
static const struct language {
	const char *code, *name;
	const char *locales[3];
	/* Which of its forms a plural has for n, as po/CODE.po says in C; NULL:
	 * there is one. */
	unsigned (*plural)(unsigned long n);
	const char *joint;		/* see lang_joint() */
} languages[] = {
	{ "en", "English", { "C", "POSIX" }, NULL, " " },
	{ "zh", "Chinese", { NULL }, NULL, "" },
};

static bool same_code(const char *code, const char *name, size_t n)
{
	return name && strlen(name) == n && !strncasecmp(code, name, n);
}

/* Returns the language of the first n bytes of a code such as zh_CN.UTF-8. */
static const char *lang_of(const char *code, size_t n)
{
	size_t len = strcspn(code, "_.@-:");

	len = MIN(len, n);
	for (size_t i = 0; i < LENGTH(languages); i++) {
		const struct language *l = &languages[i];

		if (same_code(code, l->code, len))
			return l->code;
		for (size_t k = 0; k < LENGTH(l->locales); k++)
			if (same_code(code, l->locales[k], len))
				return l->code;
	}
	return NULL;
}

const char *lang_code(size_t i)
{
	return i < LENGTH(languages) ? languages[i].code : NULL;
}

const char *lang_folder(const char *name, size_t n)
{
	for (size_t i = 0; i < LENGTH(languages); i++)
		if (strlen(languages[i].code) == n &&
		    !strncmp(name, languages[i].code, n))
			return languages[i].code;
	return NULL;
}

const char *lang_list(void)
{
	static char list[200];
	size_t n = 0;

	for (size_t i = 0; i < LENGTH(languages); i++)
		n += (size_t)snprintf(list + n, sizeof(list) - n,
				      "%s%s (%s)", i ? ", " : "",
				      languages[i].code, languages[i].name);
	return list;
}

bool lang_known(const char *code)
{
	return lang_of(code, strlen(code)) != NULL;
}

/* Finds the first available language of a list such as zh_CN:en, or NULL. */
static const char *lang_of_list(const char *list)
{
	while (*list) {
		size_t len = strcspn(list, ":");
		const char *name = lang_of(list, len);

		if (name)
			return name;
		list += len + (list[len] == ':');
	}
	return NULL;
}

/* Returns the language that the user asked for; the first variable that is set
 * decides. */
static const char *lang_wanted(const char *wanted, char **unknown)
{
	static const char *const variables[] = {
		"LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG",
	};
	const char *asked[] = { wanted, environment_value("GEMMVIZ_LANG") };

	for (size_t i = 0; i < LENGTH(asked); i++) {
		if (!asked[i])
			continue;
		if (lang_known(asked[i]))
			return lang_of(asked[i], strlen(asked[i]));
		if (!*unknown)
			*unknown = xstrdup(asked[i]);
	}
	for (size_t i = 0; i < LENGTH(variables); i++) {
		const char *value = environment_value(variables[i]);

		if (value) {
			const char *name = lang_of_list(value);

			return name ? name : "en";
		}
	}
	return "en";
}

/* Tests whether a locale's name asks for a character set other than UTF-8. */
static bool names_other_charset(const char *locale)
{
	const char *charset = strchr(locale, '.');

	return charset && strncasecmp(charset, ".UTF-8", 6) != 0 &&
	       strncasecmp(charset, ".UTF8", 5) != 0;
}

/* Sets LC_CTYPE and LC_MESSAGES; all else stays "C". */
static void lang_set_locale(void)
{
	const char *all = environment_value("LC_ALL");
	const char *name = all ? all : environment_value("LC_CTYPE");
	bool plain;

	if (!name)
		name = environment_value("LANG");
	plain = !name || strcmp(name, "C") == 0 || strcmp(name, "POSIX") == 0;
	setlocale(LC_ALL, "C");
	if (plain && all)
		return;
	if (plain || (!setlocale(LC_CTYPE, "") && !names_other_charset(name)))
		setlocale(LC_CTYPE, "C.UTF-8");
	setlocale(LC_MESSAGES, setlocale(LC_CTYPE, NULL));
}

static void open_catalogue(void)
{
	char *path = xasprintf("%s/%s/LC_MESSAGES/gemmviz.mo", paths()->locale,
			       language);

	catalogue_close(&catalogue);
	if (strcmp(language, "en"))
		catalogue_open(&catalogue, path);
	free(path);
}

const char *lang_text(const char *s)
{
	const char *found = catalogue_find(&catalogue, s, 0);

	return found ? found : s;
}

/* Returns the language in use. */
static const struct language *get_language(void)
{
	const struct language *l = languages;

	while (strcmp(l->code, language))
		l++;
	return l;
}

const char *lang_joint(void)
{
	return get_language()->joint;
}

const char *lang_plural(const char *one, const char *many, unsigned long n)
{
	const struct language *l = get_language();
	const char *found;

	found = catalogue_find(&catalogue, one, l->plural ? l->plural(n) : 0);
	return found ? found : n == 1 ? one : many;
}

void lang_init(const char *wanted)
{
	char *unknown = NULL;

	language = lang_wanted(wanted, &unknown);
	lang_set_locale();
	if (!lang_utf8())
		language = "en";
	/* For lang_follow(), and for the compiler of readers' files. */
	setenv("LANGUAGE", language, 1);
	open_catalogue();
	free(notice);
	notice = NULL;
	if (!lang_utf8())
		notice = xstrdup(_("this terminal's character set is not "
				   "UTF-8: using English, in ASCII"));
	else if (unknown)
		notice = xasprintf(_("no language '%s' (available: %s)"),
				   text_show(unknown), lang_list());
	free(unknown);
}

void lang_follow(void)
{
	const char *code = environment_value("LANGUAGE");

	uselocale(newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0));
	if (code && lang_of_list(code))
		language = lang_of_list(code);
	open_catalogue();
}

const char *lang_name(void)
{
	return language;
}

bool lang_utf8(void)
{
	return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

const char *lang_notice(void)
{
	return notice;
}
