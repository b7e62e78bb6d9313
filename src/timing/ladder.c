/* Reads the model's counts for the ladder, and the measured figures of
 * memory. */
#include "timing/ladder.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jansson.h>

#include "base/lang.h"
#include "timing/calibrated.h"
#include "timing/calibration.h"
#include "timing/timing_members.h"

#define FILE_LIMIT (8u << 20)

static double number_or_na(const json_t *o, const char *name)
{
	const json_t *v = json_object_get(o, name);

	return json_is_number(v) ? json_number_value(v) : NA;
}

static const char *word_of(const json_t *o, const char *name)
{
	const char *s = json_string_value(json_object_get(o, name));

	return s ? s : "";
}

/* ---- the ladder ---- */

static double zero_if_na(double v)
{
	return v == NA ? 0 : v;
}

/* Returns the elements that the lanes of a load site ask for; 0 for other
 * sites. */
static double values_of(const json_t *site, int element)
{
	if (strcmp(word_of(site, "op"), "ld"))
		return 0;
	return zero_if_na(number_or_na(site, "requests")) * WARP_LANES *
	       zero_if_na(number_or_na(site, "bytes")) / element;
}

static void take_global(struct ladder_rung *r, const json_t *site,
			int element)
{
	double requests = number_or_na(site, "requests");
	double sectors = number_or_na(site, "sectors");

	r->global_values += values_of(site, element);
	if (strcmp(word_of(site, "op"), "ld") || sectors == NA ||
	    !(requests > 0) || sectors / requests <= r->sectors)
		return;
	r->sectors = sectors / requests;
	r->ideal_sectors = number_or_na(site, "ideal_sectors") / requests;
	snprintf(r->sector_array, sizeof(r->sector_array), "%s",
		 word_of(site, "array"));
}

static void take_shared(struct ladder_rung *r, const json_t *site,
			int element)
{
	double way = number_or_na(site, "max_way");

	r->shared_values += values_of(site, element);
	r->shared_wavefronts += zero_if_na(number_or_na(site, "wavefronts"));
	if (strcmp(word_of(site, "op"), "ld"))
		return;
	r->shared_load_wavefronts +=
		zero_if_na(number_or_na(site, "wavefronts"));
	r->shared_load_ideal +=
		zero_if_na(number_or_na(site, "ideal_wavefronts"));
	if (way <= r->way)
		return;
	r->way = way;
	snprintf(r->way_array, sizeof(r->way_array), "%s",
		 word_of(site, "array"));
}

static const char *rung_define(const void *from, const char *name)
{
	return json_string_value(json_object_get(from, name));
}

static bool take_rung(struct ladder_rung *r, const json_t *o)
{
	const json_t *totals = json_object_get(o, "totals"), *site;
	size_t i;
	int element;

	*r = (struct ladder_rung){
		.kernel = kernel_find(word_of(o, "kernel")),
		.size = { (int)number_or_na(o, "m"), (int)number_or_na(o, "n"),
			  (int)number_or_na(o, "k") },
		.products = number_or_na(totals, "flops") / 2,
		.load_requests = number_or_na(totals, "global_load_requests"),
		.load_sectors = number_or_na(totals, "global_load_sectors"),
		.store_sectors = number_or_na(totals, "global_store_sectors"),
	};
	if (!r->kernel || !totals || !(r->products > 0))
		return false;
	snprintf(r->text_hash, sizeof(r->text_hash), "%s",
		 word_of(o, "text_hash"));
	kernel_values(r->kernel, r->values, rung_define,
		      json_object_get(o, "defines"));
	element = r->kernel->baseline ? 2 : 4;
	json_array_foreach(json_object_get(o, "sites"), i, site)
		if (!strcmp(word_of(site, "space"), "global"))
			take_global(r, site, element);
		else if (!strcmp(word_of(site, "space"), "shared"))
			take_shared(r, site, element);
	return true;
}

struct ladder { struct ladder_rung *rungs; size_t count, capacity; };

static void read_rungs(struct ladder *l, char *text)
{
	char *save = NULL;

	for (char *line = strtok_r(text, "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save)) {
		json_t *o = json_loads(line, 0, NULL);

		grow(&l->rungs, &l->capacity, l->count + 1,
		     sizeof(*l->rungs));
		l->count += take_rung(&l->rungs[l->count], o);
		json_decref(o);
	}
}

/* Reads the ladder once; it is empty without the file. */
static const struct ladder *read_ladder(void)
{
	static struct ladder all;
	static bool read;
	char *path, *text;
	size_t len;

	if (read)
		return &all;
	read = true;
	path = xasprintf("%s/ladder.jsonl", paths()->data);
	text = file_read(path, FILE_LIMIT, &len, NULL);
	if (text)
		read_rungs(&all, text);
	free(text);
	free(path);
	return &all;
}

const struct ladder_rung *ladder_find(const struct timing_case *n)
{
	const struct kernel *k = n->what.name ? kernel_find(n->what.name) :
						NULL;
	const struct ladder *l = read_ladder();
	int values[KERNEL_PARAMS];

	if (!k)
		return NULL;
	kernel_values(k, values, job_defined, &n->what.defines);
	for (size_t i = 0; i < l->count; i++)
		if (l->rungs[i].kernel == k &&
		    !memcmp(l->rungs[i].values, values,
			    kernel_params(k) * sizeof(*values)))
			return &l->rungs[i];
	return NULL;
}

double ladder_loads(const struct ladder_rung *r, double count,
		    const struct problem_sizes *size)
{
	return count == NA ? NA : count * size->m * size->n * size->k /
					  r->products;
}

double ladder_stores(const struct ladder_rung *r, double count,
		     const struct problem_sizes *size)
{
	return count == NA ? NA : count * size->m * size->n / r->size.m /
					  r->size.n;
}

/* ---- memory ---- */

static struct memory_figures memory_figures_of(const json_t *o)
{
	return (struct memory_figures){
		.bytes = number_or_na(o, "bytes"),
		.each = !strcmp(word_of(o, "of"), "sm"),
		.cycles = number_or_na(o, "cycles"),
		.ns = number_or_na(o, "ns"),
		.bandwidth = MAX(number_or_na(o, "bytes_per_second"),
				 number_or_na(o, "bulk_bytes_per_second")),
	};
}

static bool take_levels(struct memory_measured *m, const json_t *levels)
{
	static const char *const names[] = { "registers", "shared", "l2",
					     "dram" };
	bool found[MEMORY_LEVELS] = { false }, all = true;
	const json_t *o;
	size_t i;

	json_array_foreach(levels, i, o) {
		for (int k = 0; k < MEMORY_LEVELS; k++) {
			if (strcmp(word_of(o, "name"), names[k]))
				continue;
			m->level[k] = memory_figures_of(o);
			found[k] = true;
		}
		if (!strcmp(word_of(o, "name"), "l1"))
			m->cache = memory_figures_of(o);
	}
	for (int k = 0; k < MEMORY_LEVELS; k++)
		all &= found[k] && m->level[k].bandwidth > 0;
	return all;
}

/* Reads one file; false when it is not of this GPU. */
static bool read_memory(struct memory_measured *m, const char *path,
			const char *gpu)
{
	size_t len;
	char *text = file_read(path, FILE_LIMIT, &len, NULL);
	json_t *o = text ? json_loadb(text, len, 0, NULL) : NULL;
	const json_t *machine = json_object_get(o, "machine");
	bool ok;

	*m = (struct memory_measured){0};
	ok = !member_text(machine, "gpu", &m->gpu, NULL) &&
	     !member_text(o, "date", &m->date, NULL) && m->gpu && m->date &&
	     !strcmp(m->gpu, gpu) &&
	     take_levels(m, json_object_get(o, "levels"));
	json_decref(o);
	free(text);
	if (!ok) {
		free(m->gpu);
		free(m->date);
	}
	return ok;
}

/* Reads the user's own calibration. */
static bool read_own(struct memory_measured *m, const char *gpu)
{
	char *path = calibration_path(gpu, NULL);
	bool found = path && !access(path, R_OK) && read_memory(m, path, gpu);

	free(path);
	m->own = found;
	return found;
}

static bool read_any(struct memory_measured *m, const char *gpu)
{
	char *pattern = xasprintf("%s/memory-*.json", paths()->data);
	bool found = read_own(m, gpu);
	glob_t g;

	if (!found && !glob(pattern, 0, NULL, &g)) {
		for (size_t i = 0; i < g.gl_pathc && !found; i++)
			found = read_memory(m, g.gl_pathv[i], gpu);
		globfree(&g);
	}
	free(pattern);
	return found;
}

const struct memory_measured *memory_measured(const char *gpu)
{
	/* Of the race, and of the reader's own calibration. */
	static struct memory_measured found[2];
	static size_t count;

	for (size_t i = 0; gpu && i < count; i++)
		if (!strcmp(found[i].gpu, gpu))
			return &found[i];
	if (!gpu || count == LENGTH(found) || !read_any(&found[count], gpu))
		return NULL;
	return &found[count++];
}

const struct memory_measured *memory_shown(const char *gpu)
{
	const struct calibrated *own = calibrated_last();
	const struct memory_measured *m =
		memory_measured(own ? own->gpu : NULL);

	return m ? m : memory_measured(gpu);
}
