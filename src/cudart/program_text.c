/*
 * program_text: see program_text.h.
 */
#include "cudart/program_text.h"

#include <stdlib.h>
#include <string.h>

#include "base/cpp_launch.h"
#include "emu/module/asm_text.h"
#include "emu/module/scalar_text.h"

/* Copies the text between two places as it is. */
static void copy_text(struct str *to, const char *from, const char *until)
{
	if (until > from)
		str_addn(to, from, (size_t)(until - from));
}

static void words_write(struct str *to, const struct cpp_word *w, size_t count,
			size_t from, size_t until);

/* Writes a launch as a call; its arguments may contain another launch. */
static void launch_write(struct str *to, const struct cpp_word *w,
			 size_t count, const struct cpp_launch *l)
{
	const char *open = w[l->open].at, *close = w[l->close].at;

	str_add(to, "(gemmviz_configure(__FILE__, __LINE__, ");
	copy_text(to, w[l->open + 2].at + 1, close);
	str_add(to, "), ");
	copy_text(to, w[l->name].at, open);
	/* What was written of the configuration's lines is not again. */
	words_write(to, w, count, l->close + 3, l->end + 1);
	str_addc(to, ')');
}

/* Finds the end of "__launch_bounds__(...)" at a word, the index behind it; 0:
 * it is not there. */
static size_t bounds_end(const struct cpp_word *w, size_t i, size_t until)
{
	int depth = 0;

	if (!cpp_is(&w[i], "__launch_bounds__"))
		return 0;
	for (i++; i < until; i++) {
		depth += (w[i].kind == '(') - (w[i].kind == ')');
		if (depth == 0)
			return i + 1;
	}
	return 0;
}

/*
 * Writes what g++ needs of a kernel's declaration: __launch_bounds__ comes after
 * __global__, for the last of two attributes counts; and an instance of a
 * template that is asked for has none of its own. Returns the index of the last
 * word that was read; the first if there is nothing to write.
 */
static size_t declaration_write(struct str *to, const struct cpp_word *w,
				size_t i, size_t until, const char **at)
{
	size_t end = bounds_end(w, i, until);

	if (end && end < until && cpp_is(&w[end], "__global__")) {
		copy_text(to, *at, w[i].at);
		str_add(to, "__global__ ");
		copy_text(to, w[i].at, w[end].at);
		*at = w[end].at + w[end].length;
		return end;
	}
	if (cpp_is(&w[i], "template") && i + 1 < until &&
	    cpp_is(&w[i + 1], "__global__")) {
		copy_text(to, *at, w[i + 1].at);
		str_add(to, "          ");
		*at = w[i + 1].at + w[i + 1].length;
		return i + 1;
	}
	return i;
}

/* Writes the words from..until, with what is between them. */
static void words_write(struct str *to, const struct cpp_word *w, size_t count,
			size_t from, size_t until)
{
	const char *at = w[from].at;

	for (size_t i = from; i < until; i++) {
		struct cpp_launch l;
		size_t name = declaration_write(to, w, i, until, &at);

		if (name != i) {
			i = name;
			continue;
		}
		if (w[i].kind != CPP_WORD && w[i].kind != '(' &&
		    w[i].kind != ':')
			continue;
		/* The launch that begins here, if one does. */
		for (name = i + 1; name < until; name++)
			if (cpp_three(w, count, name, '<') ||
			    w[name].kind == ';' || w[name].kind == '{' ||
			    w[name].kind == '}')
				break;
		if (name >= until || !cpp_launch_read(w, count, name, &l) ||
		    l.name != i)
			continue;
		copy_text(to, at, w[i].at);
		launch_write(to, w, count, &l);
		at = w[l.end].at + w[l.end].length;
		i = l.end;
	}
	copy_text(to, at, w[until - 1].at + w[until - 1].length);
}

char *program_text(const char *text)
{
	char *calls = hook_scalars(asm_calls(text));
	size_t count;
	struct cpp_word *w = cpp_code(calls, strlen(calls), false, &count);
	struct str to = { 0 };

	if (count) {
		copy_text(&to, calls, w[0].at);
		words_write(&to, w, count, 0, count);
		copy_text(&to, w[count - 1].at + w[count - 1].length,
			  strchr(calls, '\0'));
	}
	str_add(&to, "");
	free(w);
	free(calls);
	return str_take(&to);
}
