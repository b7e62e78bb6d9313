/*
 * user_defines: see user_defines.h.
 */
#include <stdlib.h>
#include <string.h>

#include "base/cpp_words.h"
#include "record/user_defines.h"

struct text {
	char *at;
	const char *file;
	const struct trace_define *define;
};

static unsigned text_line_at(const struct text *t, const char *at)
{
	unsigned line = 1;

	for (const char *s = t->at; s < at; s++)
		line += *s == '\n';
	return line;
}

static int refuse_define(const struct text *t, const char *at, const char *why,
			 struct error *e)
{
	return error_set(e, EXIT_USAGE, why, t->define->name, t->define->value,
			 t->file, text_line_at(t, at));
}

/* Tests whether the directive defines the name; sets *parameters when the macro
 * has parameters. */
static bool defines_macro(const struct cpp_word *directive, const char *name,
			  bool *parameters)
{
	struct cpp_text t = { directive->at,
			      directive->at + directive->length, false, true };
	struct cpp_word w = cpp_next_code(&t);

	if (w.kind != '#')
		return false;
	w = cpp_next_code(&t);
	if (!cpp_is(&w, "define"))
		return false;
	w = cpp_next_code(&t);
	*parameters = t.at < t.end && *t.at == '(';
	return cpp_is(&w, name);
}

static void blank_bytes(char *from, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (from[i] != '\n')
			from[i] = ' ';
}

/* Tests whether w[i], the name, is declared as const or constexpr. */
static bool is_constant(const struct cpp_word *w, size_t i)
{
	if (w[i + 1].kind != '=' || w[i + 2].kind == '=')
		return false;
	while (i-- > 0 && (w[i].kind == CPP_WORD || w[i].kind == ':'))
		if (cpp_is(&w[i], "const") || cpp_is(&w[i], "constexpr"))
			return true;
	return false;
}

/* Tests whether a remaining directive contains the name as a word. */
static bool mentions_name(const struct cpp_word *directive, const char *name)
{
	struct cpp_text t = { directive->at,
			      directive->at + directive->length, false, true };
	struct cpp_word w;

	do
		w = cpp_next_code(&t);
	while (w.kind != CPP_END && !cpp_is(&w, name));
	return w.kind != CPP_END;
}

/* Blanks the macro in one text, or finds its name there. Returns 1 when the
 * text has the name, 0 when it does not, -1 with e. */
static int apply_to_text(const struct text *t, const struct cpp_word *w,
			 size_t count, struct error *e)
{
	const char *name = t->define->name;
	bool found = false, parameters;

	for (size_t i = 0; i < count; i++) {
		if (w[i].kind == CPP_DIRECTIVE &&
		    defines_macro(&w[i], name, &parameters)) {
			if (parameters)
				return refuse_define(
					t, w[i].at,
					"-D %s=%s: %s:%u defines it as a macro "
					"with parameters",
					e);
			blank_bytes(t->at + (w[i].at - t->at), w[i].length);
			found = true;
		} else if (w[i].kind == CPP_DIRECTIVE) {
			found |= mentions_name(&w[i], name);
		} else if (w[i].kind == CPP_WORD && cpp_is(&w[i], name)) {
			if (is_constant(w, i))
				return refuse_define(
					t, w[i].at,
					"-D %s=%s: %s:%u declares it as a "
					"constant; -D defines only macros",
					e);
			found = true;
		}
	}
	return found;
}

/* Applies one define to all texts; -1 with e when none has its name. */
static int apply_define(const struct user_text *texts, size_t text_count,
			const struct trace_define *define, struct error *e)
{
	int found = 0, rc = 0;

	for (size_t i = 0; i < text_count && rc >= 0; i++) {
		struct text t = { texts[i].text, texts[i].file, define };
		size_t words;
		struct cpp_word *w = cpp_code(t.at, strlen(t.at), true,
					      &words);

		rc = apply_to_text(&t, w, words, e);
		found |= rc;
		free(w);
	}
	if (rc < 0 || found)
		return rc < 0 ? -1 : 0;
	return error_set(e, EXIT_USAGE, "-D %s=%s: %s does not contain this "
			 "name",
			 define->name, define->value, texts[0].file);
}

int user_defines_apply(const struct user_text *texts, size_t text_count,
		       const struct trace_define *defines_given, size_t count,
		       struct error *e)
{
	int rc = 0;

	for (size_t i = 0; i < count && rc == 0; i++)
		rc = apply_define(texts, text_count, &defines_given[i], e);
	return rc;
}
