#include "timing/across.h"

#include <glob.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/lang.h"

#define FILE_LIMIT (1u << 20)
#define MOST (1 << 20)		/* of n, and of a panel */
#define GPUS_MOST 64

int across_by_from(const char *word)
{
	static const char *const words[ACROSS_BYS] = {
		"cublas", "sgemm", "across", "first", "products", "panels",
	};

	for (int i = 0; word && i < ACROSS_BYS; i++)
		if (!strcmp(word, words[i]))
			return i;
	return -1;
}

/* ---- a file ---- */

static bool member_int(const json_t *o, const char *name, int most, int *to)
{
	const json_t *v = json_object_get(o, name);
	json_int_t i = json_integer_value(v);

	if (!json_is_integer(v) || i < 1 || i > most)
		return false;
	*to = (int)i;
	return true;
}

static bool member_nonnegative(const json_t *o, const char *name, double *to)
{
	const json_t *v = json_object_get(o, name);

	*to = json_number_value(v);
	return json_is_number(v) && isfinite(*to) && *to >= 0;
}

static bool take_grid(const json_t *o, struct across_run *r)
{
	return member_int(o, "P", GPUS_MOST, &r->rows) &&
	       member_int(o, "Q", GPUS_MOST, &r->columns) &&
	       r->rows * r->columns == r->gpus &&
	       member_int(o, "panel", MOST, &r->panel);
}

static bool take_run(struct across *a, const json_t *o, int by)
{
	struct across_run r = { .by = (enum across_by)by, .rows = 1,
				.columns = 1 };

	if (!member_int(o, "n", MOST, &r.n) ||
	    !member_int(o, "gpus", GPUS_MOST, &r.gpus) ||
	    !member_nonnegative(o, "seconds", &r.seconds) || !(r.seconds > 0) ||
	    !member_nonnegative(o, "spread", &r.spread))
		return false;
	if (by > ACROSS_SGEMM ? !take_grid(o, &r) : r.gpus != 1)
		return false;
	grow(&a->runs, &a->capacity, a->count + 1, sizeof(r));
	a->runs[a->count++] = r;
	return true;
}

/* Reads the speed of the link. `most` is the largest transfer so far; the
 * largest one gives the speed. */
static bool take_link(double *speed, double *most, const json_t *o)
{
	double bytes, seconds;

	if (!member_nonnegative(o, "bytes", &bytes) ||
	    !member_nonnegative(o, "seconds", &seconds) || !(seconds > 0))
		return false;
	if (bytes > *most) {
		*most = bytes;
		*speed = bytes / seconds;
	}
	return true;
}

static bool take_measured(struct across *a, const json_t *list)
{
	double copied = 0, broadcast = 0;
	const json_t *o;
	size_t i;

	json_array_foreach(list, i, o) {
		const char *word = json_string_value(json_object_get(o, "by"));
		int by = across_by_from(word);
		bool ok = by >= 0 ? take_run(a, o, by) :
			  !word ? false :
			  !strcmp(word, "copied") ?
			  take_link(&a->copied, &copied, o) :
			  !strcmp(word, "broadcast") &&
			  take_link(&a->broadcast, &broadcast, o);

		if (!ok)
			return false;
	}
	return a->count > 0;
}

static char *member_copy(const json_t *o, const char *name)
{
	const char *s = json_string_value(json_object_get(o, name));

	return s && *s ? xstrdup(s) : NULL;
}

struct across *across_parse(const char *text, size_t len, struct error *e)
{
	struct across *a = xcalloc(1, sizeof(*a));
	json_t *o = json_loadb(text, len, 0, NULL);

	a->copied = a->broadcast = NA;
	a->gpu = member_copy(json_object_get(o, "machine"), "gpu");
	a->date = member_copy(o, "date");
	if (!a->gpu || !a->date ||
	    !take_measured(a, json_object_get(o, "measured"))) {
		error_set(e, EXIT_INPUT, _("no times of several GPUs"));
		across_free(a);
		a = NULL;
	}
	json_decref(o);
	return a;
}

void across_free(struct across *a)
{
	if (!a)
		return;
	free(a->gpu);
	free(a->date);
	free(a->runs);
	free(a);
}

/* ---- all files ---- */

struct files { struct across **at; size_t count, capacity; };

static void files_read(struct files *f)
{
	char *pattern = xasprintf("%s/across-*.json", paths()->data);
	struct error e;
	glob_t g;

	if (!glob(pattern, 0, NULL, &g)) {
		for (size_t i = 0; i < g.gl_pathc; i++) {
			size_t len;
			char *text = file_read(g.gl_pathv[i], FILE_LIMIT, &len,
					       NULL);
			struct across *a = text ? across_parse(text, len, &e) :
						  NULL;

			free(text);
			if (!a)
				continue;
			grow(&f->at, &f->capacity, f->count + 1,
			     sizeof(struct across *));
			f->at[f->count++] = a;
		}
		globfree(&g);
	}
	free(pattern);
}

const struct across *across_measured(const char *gpu)
{
	static struct files files;
	static bool looked;
	const struct across *best = NULL;
	bool own = false;

	if (!looked)
		files_read(&files);
	looked = true;
	for (size_t i = 0; i < files.count; i++) {
		const struct across *a = files.at[i];
		bool same = gpu && !strcmp(a->gpu, gpu);

		if (best && (own > same ||
			     (own == same && strcmp(a->date, best->date) < 0)))
			continue;
		best = a;
		own = same;
	}
	return best;
}

/* ---- what it says ---- */

/* Finds the fastest run of this kind, size and number of GPUs. */
const struct across_run *across_find(const struct across *a, enum across_by by,
				     int n, int gpus)
{
	const struct across_run *best = NULL, *whole = NULL;

	if (by == ACROSS_PRODUCTS || by == ACROSS_PANELS) {
		whole = across_find(a, ACROSS_ALL, n, gpus);
		if (!whole)
			return NULL;
	}
	for (size_t i = 0; i < a->count; i++) {
		const struct across_run *r = &a->runs[i];

		if (r->by != by || r->n != n || r->gpus != gpus ||
		    (whole && r->panel != whole->panel))
			continue;
		if (!best || r->seconds < best->seconds)
			best = r;
	}
	return best;
}

double across_limit(const struct across *a, const struct across_run *r)
{
	/* Elements that a GPU has of A and of B, and those it needs. */
	double all = (double)r->n * r->n, has = all / r->gpus;
	double needs = all / r->rows + all / r->columns;

	return a->copied > 0 ? 4 * (needs - 2 * has) / a->copied : NA;
}
