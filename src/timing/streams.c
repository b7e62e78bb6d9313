#include "timing/streams.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#define FILE_LIMIT (1u << 20)

static const char *gpu_of(const json_t *o)
{
	const char *gpu = json_string_value(json_object_get(
		json_object_get(o, "machine"), "gpu"));

	return gpu ? gpu : "";
}

/* Returns all files, read once. */
static const json_t *streams_files(void)
{
	static json_t *all;
	char *pattern;
	glob_t g;

	if (all)
		return all;
	all = json_array();
	pattern = xasprintf("%s/streams-*.json", paths()->data);
	if (!glob(pattern, 0, NULL, &g))
		for (size_t i = 0; i < g.gl_pathc; i++) {
			size_t len;
			char *text = file_read(g.gl_pathv[i], FILE_LIMIT,
					       &len, NULL);

			if (text)
				json_array_append_new(all,
					json_loadb(text, len, 0, NULL));
			free(text);
		}
	globfree(&g);
	free(pattern);
	return all;
}

double streams_seconds(const char *gpu, const char *name)
{
	const json_t *o, *v;
	size_t i;

	json_array_foreach(streams_files(), i, o)
	{
		v = json_object_get(o, name);
		if (gpu && !strcmp(gpu_of(o), gpu) && json_is_number(v))
			return json_number_value(v);
	}
	return NA;
}
