#include <config.h>

#include "timing/tuned.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "kernels/kernels.h"
#include "base/text.h"

#define TABLE_MOST (16u << 20)

/* ---- reading ---- */

char *tuned_path(struct error *e)
{
	const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");

	if (data && *data == '/')
		return xasprintf("%s/gemmviz/tuned.json", data);
	if (home && *home)
		return xasprintf("%s/.local/share/gemmviz/tuned.json", home);
	error_set(e, EXIT_OUTPUT, "neither XDG_DATA_HOME nor HOME says where "
		  "your files are");
	return NULL;
}

/* Reads a file's list of entries; NULL with e. */
static json_t *table_read(const char *path, struct error *e)
{
	json_error_t why;
	size_t n;
	char *text = file_read(path, TABLE_MOST, &n, e);
	json_t *whole, *list;

	if (!text)
		return NULL;
	whole = json_loadb(text, n, JSON_REJECT_DUPLICATES, &why);
	free(text);
	list = json_incref(json_object_get(whole, "tuned"));
	if (!whole)
		error_set(e, EXIT_INPUT, "%s:%d: not JSON: %s",
			  text_show(path), why.line, text_show(why.text));
	else if (!json_is_array(list))
		error_set(e, EXIT_INPUT, "%s is no table that gemmviz time "
			  "--tune has written", text_show(path));
	json_decref(whole);
	if (json_is_array(list))
		return list;
	json_decref(list);
	return NULL;
}

/* Reads the user's own table; a missing file is an empty one. */
static json_t *own_read(struct error *e)
{
	char *path = tuned_path(NULL);
	struct stat s;
	json_t *list;

	if (!path || stat(path, &s) < 0)
		list = json_array();
	else
		list = table_read(path, e);
	free(path);
	return list;
}

int tuned_add(struct job_time *job, struct error *e)
{
	char *shipped = xasprintf("%s/tuned/h200.json", paths()->data);
	json_t *own = own_read(e);
	json_t *ours = own ? table_read(shipped, e) : NULL;

	free(shipped);
	if (ours && json_array_size(own) + json_array_size(ours))
		job->tuned = json_pack("[O O]", own, ours);
	json_decref(own);
	json_decref(ours);
	return ours ? 0 : -1;
}

/* ---- finding ---- */

static const char *entry_text(const json_t *entry, const char *name)
{
	const char *s = json_string_value(json_object_get(entry, name));

	return s ? s : "";
}

/* Returns the distance of an entry's size from `size`: the sum of log2 of the
 * ratios of M, N and K. */
static double size_distance(const json_t *entry, const int size[3])
{
	const json_t *its = json_object_get(entry, "size");
	double sum = 0;

	for (size_t i = 0; i < 3; i++) {
		double v = json_number_value(json_array_get(its, i));

		sum += v > 0 ? fabs(log2(v / size[i])) : INFINITY;
	}
	return sum;
}

/* Tests whether the kernel still has the entry's parameters; a table may be
 * older than the kernel. */
static bool fits_kernel(const json_t *entry, const struct kernel *k)
{
	const char *name;
	json_t *v;
	long n;

	json_object_foreach(json_object_get(entry, "defines"), name, v) {
		const struct kernel_param *p = kernel_param(k, name);

		if (!p || !json_is_string(v) ||
		    !parse_int(json_string_value(v), p->lowest, p->highest, &n))
			return false;
	}
	return true;
}

static const json_t *nearest_entry(const json_t *table, const char *gpu,
				   const char *kernel, const int size[3],
				   bool exact)
{
	const struct kernel *k = kernel_find(kernel);
	const json_t *found = NULL;
	double best = INFINITY;

	for (size_t i = 0; i < json_array_size(table) && k; i++) {
		const json_t *entry = json_array_get(table, i);

		if (!strcmp(entry_text(entry, "gpu"), gpu) &&
		    !strcmp(entry_text(entry, "kernel"), kernel) &&
		    fits_kernel(entry, k) &&
		    size_distance(entry, size) < best &&
		    (!exact || !(size_distance(entry, size) > 0))) {
			best = size_distance(entry, size);
			found = entry;
		}
	}
	return found;
}

const json_t *tuned_find(const json_t *tables, const char *gpu,
			 const char *kernel, const json_t *defines,
			 const int size[3], bool exact)
{
	const json_t *entry = NULL;
	const char *name;
	json_t *values, *v;

	for (size_t i = 0; !entry && i < json_array_size(tables); i++)
		entry = nearest_entry(json_array_get(tables, i), gpu, kernel,
				      size, exact);
	values = json_object_get(entry, "defines");
	json_object_foreach(values, name, v)
		if (json_object_get(defines, name))
			return NULL;
	return values;
}

/* ---- keeping ---- */

static bool same_entry(const json_t *a, const json_t *b)
{
	return !strcmp(entry_text(a, "gpu"), entry_text(b, "gpu")) &&
	       !strcmp(entry_text(a, "kernel"), entry_text(b, "kernel")) &&
	       json_equal(json_object_get(a, "size"),
			  json_object_get(b, "size"));
}

static void put_entry(json_t *list, json_t *entry)
{
	for (size_t i = json_array_size(list); i-- > 0;)
		if (same_entry(json_array_get(list, i), entry))
			json_array_remove(list, i);
	json_array_append(list, entry);
}

/* Formats the table, an entry a line; heap. */
static char *table_text(const json_t *list)
{
	struct str s = { 0 };

	str_addf(&s, "{\"gemmviz\":\"%s\",\"tuned\":[", PACKAGE_VERSION);
	for (size_t i = 0; i < json_array_size(list); i++) {
		char *line = json_dumps(json_array_get(list, i),
					JSON_COMPACT | JSON_REAL_PRECISION(5));

		str_addf(&s, "%s\n%s", i ? "," : "", line);
		free(line);
	}
	str_add(&s, "\n]}\n");
	return str_take(&s);
}

static int table_write(const char *path, const json_t *list, struct error *e)
{
	char *text = table_text(list);
	int status = file_write(path, text, e);

	free(text);
	return status;
}

static json_t *entry_json(const struct tuned_entry *n)
{
	return json_pack("{ss ss s[iii] so sf so ss}", "gpu", n->gpu, "kernel",
			 n->kernel, "size", n->size.m, n->size.n, n->size.k,
			 "defines", job_defines_members(&n->defines),
			 "tflops", n->tflops, "share", n->share == NA ?
			 json_null() : json_real(n->share), "date", n->date);
}

int tuned_keep(const struct tuned_list *l, struct error *e)
{
	char *path = tuned_path(e);
	json_t *list = path ? own_read(e) : NULL, *entry;
	int status = -1;

	if (list) {
		for (size_t i = 0; i < l->count; i++) {
			entry = entry_json(&l->entries[i]);
			put_entry(list, entry);
			json_decref(entry);
		}
		status = table_write(path, list, e);
	}
	json_decref(list);
	free(path);
	return status;
}

void tuned_list_done(struct tuned_list *l)
{
	for (size_t i = 0; i < l->count; i++)
		job_defines_done(&l->entries[i].defines);
	free(l->entries);
	*l = (struct tuned_list){ 0 };
}
