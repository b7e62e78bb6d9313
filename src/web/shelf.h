/*
 * shelf: the recordings that a site has. A browser cannot record: what a lesson
 * or a kernel needs was recorded when the site was made, each in a file that is
 * named by its content, and is fetched when it is asked for.
 *
 * The list of them, SHELF_LIST, has a line for each, "KEY FILE BYTES", with
 * the key of the job that asked for it (protocol/job.h).
 */
#ifndef WEB_SHELF_H
#define WEB_SHELF_H

#include "protocol/job.h"

#define SHELF_LIST "shelf.txt"
#define SHELF_ORDERS 32		/* that are kept in mind */

/* Where an order is: of bytes that have come, and of how many. `path` is where
 * the file is once all have; `error` is not empty if they will not. */
struct shelf_order {
	char file[64], path[96];
	double got, bytes;
	bool come;
	struct error error;
};
/* Asks for the job's recording. Returns the order's number, or -1 with e if the
 * site has none. */
int shelf_order(const struct job *job, struct error *e);
const struct shelf_order *shelf_look(int order);

#endif
