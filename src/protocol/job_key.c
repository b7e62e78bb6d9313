/* job_key: see job.h. */
#include <stdlib.h>
#include <string.h>

#include "protocol/job.h"

void job_key(const struct job *job, char key[JOB_KEY])
{
	json_t *message = job_message(job);
	char *text = json_dumps(message, JSON_COMPACT | JSON_SORT_KEYS);

	if (!text)
		fatal("out of memory");
	snprintf(key, JOB_KEY, "%016llx",
		 (unsigned long long)hash_bytes(text, strlen(text)));
	free(text);
	json_decref(message);
}
