/* shelf_key: see shelf.h; for the page and for what fills the shelf. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "web/shelf.h"

void shelf_key(const struct job *job, char key[SHELF_KEY])
{
	json_t *message = job_message(job);
	char *text = json_dumps(message, JSON_COMPACT | JSON_SORT_KEYS);

	if (!text)
		fatal("out of memory");
	snprintf(key, SHELF_KEY, "%016llx",
		 (unsigned long long)hash_bytes(text, strlen(text)));
	free(text);
	json_decref(message);
}
