/* job_key: see job.h. */
#include <stdlib.h>
#include <string.h>

#include "protocol/job.h"

/* Removes what depends on the machine: how a text's headers are found, and where
 * a program runs. */
static void drop_places(json_t *message)
{
	static const char *const names[] = { "headers", "folders", "outside",
					     "files", "folder", "readable",
					     "writable" };
	json_t *of[] = { json_object_get(message, "source"),
			 json_object_get(message, "program") };

	for (size_t i = 0; i < LENGTH(of) * LENGTH(names); i++)
		if (of[i % LENGTH(of)])
			json_object_del(of[i % LENGTH(of)],
					names[i / LENGTH(of)]);
}

void job_key(const struct job *job, char key[JOB_KEY])
{
	json_t *message = job_message(job);
	char *text;

	drop_places(message);
	text = json_dumps(message, JSON_COMPACT | JSON_SORT_KEYS);
	if (!text)
		fatal("out of memory");
	snprintf(key, JOB_KEY, "%016llx",
		 (unsigned long long)hash_bytes(text, strlen(text)));
	free(text);
	json_decref(message);
}
