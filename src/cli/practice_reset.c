/* practice_reset: `gemmviz practice reset`: a rung's file begins anew, and what
 * was there is kept. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/reader_practice.h"
#include "base/lang.h"
#include "base/text.h"
#include "cli/practice.h"
#include "practice/learner_file.h"

/* Asks a question; returns whether the answer is yes. */
static bool ask_yes(const char *question)
{
	char line[16];

	printf(_("%s [y/N] "), question);
	fflush(stdout);
	return fgets(line, sizeof(line), stdin) &&
	       (line[0] == 'y' || line[0] == 'Y');
}

/* Returns whether the rung has a file. */
static bool has_learner_file(const struct practice_wish *w, const struct rung *r)
{
	char *path = practice_path(w, r);
	bool there = access(path, F_OK) == 0;

	free(path);
	return there;
}

/* Keeps a rung's file, and begins it as the screen does. */
static int reset_rung(const struct practice_wish *w, struct reader *r,
		      const struct rung *of, struct error *e)
{
	char *path = practice_path(w, of), *kept = NULL;
	int rc = learner_file_keep(path, &kept, e);

	if (rc == 0)
		rc = MIN(practice_begin_rung(r, of, e), 0);
	if (rc == 0)
		printf(_("%1$s is now %2$s; %1$s begins anew\n"),
		       text_show(path), text_show(kept));
	free(kept);
	free(path);
	return rc;
}

/* Asks whether these rungs, or the only one, are to begin anew. */
static bool ask_reset(const struct practice_wish *w, const struct rung *only)
{
	char *path = only ? practice_path(w, only) : xstrdup(w->folder);
	char *question = only ?
		xasprintf(_("Begin the rung %1$s anew? %2$s is kept under "
			    "another name."), only->name, text_show(path)) :
		xasprintf(_("Begin all rungs in %s anew? Your files are kept "
			    "under other names."), text_show(path));
	bool yes = ask_yes(question);

	free(question);
	free(path);
	return yes;
}

/* Resets the rungs, or the only one, that have a file, and says so. */
static int reset_rungs(const struct practice_wish *w, struct reader *r,
		       const struct rung *only, struct error *e)
{
	const struct rung_track *t = &r->practice->track;
	size_t there = 0;
	int rc = 0;

	for (size_t i = 0; i < t->count; i++)
		there += (!only || only == t->rungs[i]) &&
			 has_learner_file(w, t->rungs[i]);
	if (!there) {
		char *path = only ? practice_path(w, only) :
				    xstrdup(w->folder);

		printf(only ? _("nothing to reset: there is no %s\n") :
			      _("nothing to reset: %s has no file of a "
				"rung\n"), text_show(path));
		free(path);
		return 0;
	}
	if (!w->yes && !ask_reset(w, only)) {
		puts(_("nothing was changed"));
		return 0;
	}
	for (size_t i = 0; i < t->count && rc == 0; i++)
		if ((!only || only == t->rungs[i]) && has_learner_file(w, t->rungs[i]))
			rc = reset_rung(w, r, t->rungs[i], e);
	return rc;
}

int practice_reset(const struct practice_wish *w, const char *what)
{
	bool all = what && !strcmp(what, "all");
	struct practice_start start = { .folder = NULL };
	const struct rung *only = NULL;
	struct error e, lost;
	struct reader r;
	int rc;

	if (!what)
		return command_usage("practice", "reset needs a rung, or "
				     "all");
	rc = practice_load(&start.track, all ? NULL : what, &e);
	if (rc == 0 && !all && !w->own) {
		only = rung_track_find(&start.track, what, &e);
		rc = only ? 0 : -1;
	} else if (rc == 0 && start.track.count == 1) {
		only = start.track.rungs[0];
	}
	if (rc < 0) {
		rung_track_done(&start.track);
		return command_failed(&e);
	}
	start.folder = xstrdup(w->folder);
	reader_init(&r, &w->screen.reader);
	if (reader_keep_progress(&r, &lost))
		fprintf(stderr, "gemmviz: %s\n", lost.text);
	reader_open_practice(&r, &start);
	rc = reset_rungs(w, &r, only, &e);
	reader_done(&r);
	return rc < 0 ? command_failed(&e) : command_flush(EXIT_DONE);
}
