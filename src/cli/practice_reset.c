/* practice_reset: `gemmviz practice reset`: a rung's file begins anew, and what
 * was there is kept. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

static int reset_rung(const struct practice_wish *w, const struct rung *r,
		      struct error *e)
{
	char *path = practice_path(w, r), *kept = NULL;
	int rc = 0;

	if (access(path, F_OK) == 0) {
		rc = learner_file_keep(path, &kept, e);
		if (rc == 0)
			rc = MIN(learner_file_make(r, path, NULL, e), 0);
		if (rc == 0)
			printf(_("%1$s is now %2$s; %1$s begins anew\n"),
			       text_show(path), text_show(kept));
	}
	free(kept);
	free(path);
	return rc;
}

int practice_reset(const struct practice_wish *w, const char *what)
{
	bool all = what && !strcmp(what, "all");
	struct rung *only = NULL;
	struct rung_track t;
	struct error e;
	int rc;

	if (!what)
		return command_usage("practice", "reset needs a rung, or "
				     "all");
	rc = practice_load(&t, all ? NULL : what, &e);
	if (rc == 0 && !all && !practice_is_path(what)) {
		only = rung_track_find(&t, what, &e);
		rc = only ? 0 : -1;
	}
	if (rc == 0 && !w->yes &&
	    !ask_yes(all ? _("Begin all rungs anew?") :
			   _("Begin this rung anew?"))) {
		rung_track_done(&t);
		return command_flush(EXIT_DONE);
	}
	for (size_t i = 0; i < t.count && rc == 0; i++)
		if (!only || only == t.rungs[i])
			rc = reset_rung(w, t.rungs[i], &e);
	rung_track_done(&t);
	return rc < 0 ? command_failed(&e) : command_flush(EXIT_DONE);
}
