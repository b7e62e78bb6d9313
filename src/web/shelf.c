#include "web/shelf.h"

#include <stdlib.h>
#include <string.h>

#include "base/lang.h"
#include "web/page.h"

#define LIST_MOST (1u << 20)

static struct shelf_order orders[SHELF_ORDERS];
static int order_count;

/* Finds the file of a key, and its bytes. Returns false if there is none. */
static bool find_on_shelf(const char *key, struct shelf_order *o)
{
	char *path = xasprintf("%s/" SHELF_LIST, paths()->data), *line, *save;
	size_t len;
	char *list = file_read(path, LIST_MOST, &len, NULL);
	bool found = false;

	for (line = list ? strtok_r(list, "\n", &save) : NULL; line && !found;
	     line = strtok_r(NULL, "\n", &save))
		found = !strncmp(line, key, JOB_KEY - 1) &&
			sscanf(line + JOB_KEY, "%63s %lf", o->file,
			       &o->bytes) == 2;
	free(list);
	free(path);
	return found;
}

int shelf_order(const struct job *job, struct error *e)
{
	int at = order_count++ % SHELF_ORDERS;
	struct shelf_order *o = &orders[at];
	char key[JOB_KEY];

	*o = (struct shelf_order){ .come = false };
	job_key(job, key);
	if (!find_on_shelf(key, o))
		return error_set(e, EXIT_INPUT,
				 _("A browser records nothing, and this page "
				   "has no recording of that; gemmviz on your "
				   "computer makes one."));
	snprintf(o->path, sizeof(o->path), "/shelf/%s", o->file);
	page_fetch(at, o->file);
	return at;
}

const struct shelf_order *shelf_look(int order)
{
	return &orders[order];
}

KEEP void web_fetched(int order, double got)
{
	orders[order].got = got;
}

/* Takes the file, which is at its path now, or why it is not; NULL: it is. */
KEEP void web_arrived(int order, const char *why)
{
	struct shelf_order *o = &orders[order];

	o->come = true;
	if (why)
		error_set(&o->error, EXIT_INPUT,
			  _("The recording %s did not arrive (%s); reload the "
			    "page to try again."), o->file, why);
}
