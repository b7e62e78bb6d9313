/* triton_folder: see triton_folder.h. */
#include <dirent.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/lang.h"
#include "base/text.h"
#include "cli/triton_folder.h"
#include "protocol/job.h"

#define JSON_MOST (8u << 20)
#define WARPS_MOST 32

void triton_kernel_done(struct triton_kernel *k)
{
	free(k->path);
	free(k->name);
	*k = (struct triton_kernel){ 0 };
}

/* Tests for a kernel's JSON; those of groups list files. */
static int is_kernel_json(const struct dirent *d)
{
	return text_ends(d->d_name, ".json") &&
	       strncmp(d->d_name, "__grp__", 7) != 0;
}

/* Reads a JSON and finds its cubin; false: it describes no kernel. */
static bool read_kernel(struct triton_kernel *k, const char *folder,
			const char *json)
{
	char *path = xasprintf("%s/%s", folder, json);
	struct error ignored;
	size_t length;
	char *text = file_read(path, JSON_MOST, &length, &ignored);
	json_t *o = text ? json_loadb(text, length, 0, NULL) : NULL;
	const char *name = json_string_value(json_object_get(o, "name"));
	json_int_t warps = json_integer_value(json_object_get(o, "num_warps"));
	json_int_t shared = json_integer_value(json_object_get(o, "shared"));
	bool is;

	free(path);
	free(text);
	*k = (struct triton_kernel){
		.path = xasprintf("%s/%.*s.cubin", folder,
				  (int)strlen(json) - 5, json),
	};
	is = name && warps >= 0 && warps <= WARPS_MOST && shared >= 0 &&
	     shared <= SHARED_MOST && access(k->path, F_OK) == 0;
	if (is) {
		k->name = xstrdup(name);
		k->warps = (uint32_t)warps;
		k->shared = (uint32_t)shared;
	}
	json_decref(o);
	if (!is)
		triton_kernel_done(k);
	return is;
}

/* Chooses among the JSONs of a folder; names all kernels in `all`. Returns how
 * many are meant. */
static int choose_kernel(struct triton_kernel *k, const char *folder,
			 struct dirent **list, int count, const char *entry,
			 struct str *all)
{
	int found = 0;

	for (int i = 0; i < count; i++) {
		struct triton_kernel one;

		if (!read_kernel(&one, folder, list[i]->d_name))
			continue;
		str_addf(all, "%s%s", all->len ? ", " : "",
			 text_show(one.name));
		if ((entry && strcmp(one.name, entry) != 0) || found++)
			triton_kernel_done(&one);
		else
			*k = one;
	}
	return found;
}

int triton_folder_read(struct triton_kernel *k, const char *folder,
		       const char *entry, struct error *e)
{
	struct dirent **list = NULL;
	struct str all = { 0 };
	int count = scandir(folder, &list, is_kernel_json, alphasort);
	int found, rc = 0;

	*k = (struct triton_kernel){ 0 };
	found = choose_kernel(k, folder, list, count, entry, &all);
	if (!all.len)
		rc = error_set(e, EXIT_INPUT, _("%s is no folder of Triton's "
						"cache: no .json in it names "
						"a kernel that has a .cubin"),
			       text_show(folder));
	else if (!found)
		rc = error_set(e, EXIT_USAGE, _("%s has no kernel %s; it has "
						"%s"), text_show(folder),
			       text_show(entry), all.data);
	else if (found > 1)
		rc = error_set(e, EXIT_USAGE, _("%s has several kernels: name "
						"one with --entry (%s)"),
			       text_show(folder), all.data);
	if (rc < 0)
		triton_kernel_done(k);
	str_done(&all);
	while (count-- > 0)
		free(list[count]);
	free(list);
	return rc;
}
