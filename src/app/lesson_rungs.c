/* lesson_rungs: the rungs of practice that lessons teach, as the course shows
 * them. See reader.h. */
#include <stdlib.h>
#include <string.h>

#include "app/reader.h"
#include "base/lang.h"
#include "practice/rung.h"

/* Returns how far the reader is with a rung. */
static struct progress_rung rung_progress(const struct reader *r,
					  const struct rung *of)
{
	static const char *const no_costs[] = { NULL };

	return progress_rung_of(&r->progress, of->name, no_costs);
}

static bool teaches_rung(const struct rung *of, const char *lesson)
{
	return of->lesson_name && !strcmp(of->lesson_name, lesson);
}

/* Returns the marks of the rungs that a lesson teaches and that are begun, such as
 * "● 6  ◐ 15"; NULL: none is. */
static char *mark_lesson_rungs(const struct reader *r,
			       const struct rung_track *t, const char *lesson)
{
	struct str words = { 0 };

	for (size_t i = 0; i < t->count; i++) {
		struct progress_rung now = rung_progress(r, t->rungs[i]);

		if (teaches_rung(t->rungs[i], lesson) && now.tries)
			str_addf(&words, "%s%s %g", words.len ? "  " : "",
				 now.passed[0] ? "\xe2\x97\x8f" :
						 "\xe2\x97\x90",
				 t->rungs[i]->place);
	}
	return words.len ? str_take(&words) : NULL;
}

const struct rung_track *reader_rungs(struct reader *r)
{
	struct rung_track t;
	struct error e;

	if (r->rungs)
		return r->rungs;
	if (rung_track_load(&t, NULL, r->options.lang, &e) < 0) {
		rung_track_done(&t);
		return NULL;
	}
	r->rungs = xmalloc(sizeof(*r->rungs));
	*r->rungs = t;
	return r->rungs;
}

void reader_forget_rungs(struct reader *r)
{
	if (r->rungs)
		rung_track_done(r->rungs);
	free(r->rungs);
	r->rungs = NULL;
}

void reader_mark_rungs(struct reader *r)
{
	const struct rung_track *t = reader_rungs(r);

	for (int i = 0; t && i < r->list.count; i++)
		r->list.entries[i].rungs = mark_lesson_rungs(
			r, t, r->list.entries[i].name);
}

char *reader_offer_rung(struct reader *r)
{
	const struct rung_track *t = reader_rungs(r);

	for (size_t i = 0; t && i < t->count; i++)
		if (teaches_rung(t->rungs[i], r->lesson->name) &&
		    !rung_progress(r, t->rungs[i]).passed[0])
			return xasprintf(_("write it yourself: gemmviz "
					   "practice %s"), t->rungs[i]->name);
	return NULL;
}
