/* class_question: the words of a question that a class has answered. */
#include <stdlib.h>
#include <string.h>

#include "app/class.h"
#include "base/lang.h"
#include "lesson/lesson.h"

/* Tests whether the course has a lesson of this name. */
static bool is_course_lesson(const char *name)
{
	const char *const *n = lesson_names();

	while (*n && strcmp(*n, name))
		n++;
	return *n != NULL;
}

/* Returns the words with "…" for each {EXPR}, which has another value for each
 * person; heap. */
static char *blank_values(const char *words)
{
	struct str out = { 0 };

	while (*words) {
		size_t n = strcspn(words, "{");

		str_addn(&out, words, n);
		words += n;
		if (*words)
			str_add(&out, "\xe2\x80\xa6");
		words += strcspn(words, "}");
		words += *words == '}';
	}
	return str_take(&out);
}

char *class_question(struct lesson **loaded, const char *name, int step,
		     int question)
{
	const struct lesson_step *s;
	struct error e;

	if (*loaded && strcmp((*loaded)->name, name)) {
		lesson_free(*loaded);
		*loaded = NULL;
	}
	/* A name in a class's file may be a path. */
	if (!*loaded && is_course_lesson(name))
		*loaded = lesson_load(name, lang_name(), &e);
	if (!*loaded || step < 1 || (size_t)step > (*loaded)->step_count)
		return xstrdup("");
	s = &(*loaded)->steps[step - 1];
	if (question < 1 || (size_t)question > s->question_count)
		return xstrdup("");
	return blank_values(s->questions[question - 1].words);
}
