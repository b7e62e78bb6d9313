/* job_key: see job.h. */
#include <stdlib.h>
#include <string.h>

#include "protocol/job.h"

void job_key(const struct job *job, char key[JOB_KEY])
{
	/* How a text's headers are found depends on the machine. */
	static const char *const found[] = { "headers", "folders", "outside" };
	json_t *message = job_message(job);
	json_t *source = json_object_get(message, "source");
	char *text;

	for (size_t i = 0; source && i < LENGTH(found); i++)
		json_object_del(source, found[i]);
	text = json_dumps(message, JSON_COMPACT | JSON_SORT_KEYS);
	if (!text)
		fatal("out of memory");
	snprintf(key, JOB_KEY, "%016llx",
		 (unsigned long long)hash_bytes(text, strlen(text)));
	free(text);
	json_decref(message);
}
