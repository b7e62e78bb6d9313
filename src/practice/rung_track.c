/* rung_track: the rungs of a folder, in the order of their places. See
 * rung.h. */
#include "practice/rung.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/lang.h"
#include "base/text.h"

static int by_place(const void *a, const void *b)
{
	const struct rung *x = *(struct rung *const *)a;
	const struct rung *y = *(struct rung *const *)b;

	if (x->place != y->place)
		return x->place < y->place ? -1 : 1;
	return strcmp(x->name, y->name);
}

static bool is_rung_file(const char *name)
{
	return *name != '.' && text_ends(name, ".md");
}

static int add_rung(struct rung_track *t, const char *name, const char *lang,
		    struct error *e)
{
	char *path = xasprintf("%s/%s", t->folder, name);
	struct rung *r = rung_load(path, lang, e);

	free(path);
	if (!r)
		return -1;
	grow(&t->rungs, &t->capacity, t->count + 1, sizeof(*t->rungs));
	t->rungs[t->count++] = r;
	return 0;
}

int rung_track_load(struct rung_track *t, const char *folder,
		    const char *lang, struct error *e)
{
	struct dirent *f;
	int rc = 0;
	DIR *d;

	*t = (struct rung_track) {
		.folder = folder ? xstrdup(folder) :
				   xasprintf("%s/practice", paths()->lessons),
	};
	while (strlen(t->folder) > 1 &&
	       t->folder[strlen(t->folder) - 1] == '/')
		t->folder[strlen(t->folder) - 1] = '\0';
	d = xopendir(t->folder);
	if (!d)
		return error_set(e, EXIT_INPUT, "%s: %s",
				 text_show(t->folder), strerror(errno));
	while (rc == 0 && (f = readdir(d)))
		if (is_rung_file(f->d_name))
			rc = add_rung(t, f->d_name, lang, e);
	closedir(d);
	if (rc == 0 && !t->count)
		rc = error_set(e, EXIT_INPUT, _("%s has no rungs"),
			       text_show(t->folder));
	if (t->count)
		qsort(t->rungs, t->count, sizeof(*t->rungs), by_place);
	return rc;
}

void rung_track_done(struct rung_track *t)
{
	for (size_t i = 0; i < t->count; i++)
		rung_free(t->rungs[i]);
	free(t->rungs);
	free(t->folder);
	*t = (struct rung_track){ NULL, NULL, 0, 0 };
}

struct rung *rung_track_find(const struct rung_track *t, const char *word,
			     struct error *e)
{
	const char **names = xcalloc(t->count + 1, sizeof(*names)), *near;
	struct rung *found = NULL;
	char *end;
	double place = strtod(word, &end);
	bool number = end != word && !*end;

	for (size_t i = 0; i < t->count; i++) {
		struct rung *r = t->rungs[i];

		names[i] = r->name;
		if (!found && ((number && r->place == place) ||
			       !strcmp(r->name, word) ||
			       !strcmp(r->stem, word)))
			found = r;
	}
	near = nearest_name(word, names, t->count);
	if (!found && near)
		error_set(e, EXIT_USAGE, _("no rung '%s'; did you mean '%s'?"),
			  text_show(word), near);
	else if (!found)
		error_set(e, EXIT_USAGE, _("no rung '%s'; gemmviz practice "
					   "shows all"), text_show(word));
	free(names);
	return found;
}
