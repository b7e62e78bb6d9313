/* practice: see practice.h. */
#include "cli/practice.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/lang.h"
#include "base/text.h"
#include "cli/program_out.h"
#include "practice/learner_file.h"

struct judge_options practice_judge_options(const struct practice_wish *w)
{
	return (struct judge_options) {
		.seed = w->seed, .is_fault = program_is_fault,
		.problem_words = program_problem_words,
	};
}

char *practice_path(const struct practice_wish *w, const struct rung *r)
{
	return learner_file_path(w->folder, r);
}

char *practice_command(const struct practice_wish *w, const char *action,
		       const struct rung *r)
{
	bool elsewhere = strcmp(w->folder, PRACTICE_FOLDER) != 0;

	return xasprintf("gemmviz practice %s%s%s%s", action,
			 text_show(w->own ? r->path : r->name),
			 elsewhere ? " --folder " : "",
			 elsewhere ? text_show(w->folder) : "");
}

bool practice_is_path(const char *word)
{
	size_t n = strlen(word);
	struct stat st;

	return (stat(word, &st) == 0 && S_ISDIR(st.st_mode)) || strchr(word, '/') || (n > 3 && !strcmp(word + n - 3, ".md"));
}

int practice_load(struct rung_track *t, const char *what, struct error *e)
{
	const char *lang = lang_name();
	struct stat st;
	struct rung *r;

	if (!what || !practice_is_path(what))
		return rung_track_load(t, NULL, lang, e);
	if (stat(what, &st) == 0 && S_ISDIR(st.st_mode))
		return rung_track_load(t, what, lang, e);
	*t = (struct rung_track){ NULL, NULL, 0, 0 };
	r = rung_load(what, lang, e);
	if (!r)
		return -1;
	grow(&t->rungs, &t->capacity, 1, sizeof(*t->rungs));
	t->rungs[t->count++] = r;
	return 0;
}
