/*
 * headers: the user's own headers that a kernel's file includes. The interface
 * finds them in the file's folder and below and in the folders of -I, and sends
 * them with the job, so that a recorder on another machine has them as well. A
 * file that is elsewhere after all symbolic links are resolved is not read: its
 * name, and the -I that would allow it, are sent instead of its text.
 *
 * A header's name is its path from the folder of the kernel's file, such as
 * "inc/tile.h" or "../common/tile.h": ".." occurs only at its beginning.
 */
#ifndef PROTOCOL_HEADERS_H
#define PROTOCOL_HEADERS_H

#include "protocol/job.h"

#define HEADERS_COUNT_MAX 1024
#define HEADER_TEXT_MAX (1u << 18)
#define HEADERS_TEXT_MAX (4u << 20)	/* all of them */
#define HEADERS_UP_MAX 16		/* how far a name goes up */
/* The value of a program's file that the reader has not named. */
#define HEADERS_FOUND "found"
/* The value of a file that is named as outside because of a limit begins with
 * this; what the limit is follows, as "has 300000 bytes, ...". */
#define HEADERS_LARGE "!"

/* Finds the headers of the kernel's text, which is the file at `path`, and makes
 * the names of its folders relative. What is not there is left to the
 * compiler; what is too large counts as not there. A text from the standard
 * input ("-") has headers of -I only. */
void headers_find(struct job_kernel *k, const char *path);

/* Calls `each` with what the text includes, and whether in quotes. */
void headers_includes(const char *text,
		      void (*each)(void *ctx, const char *name, bool quoted),
		      void *ctx);
/* Returns the folder of a name, "" for the kernel's own; heap. */
char *headers_folder(const char *name);
/* Returns the text of the header that a file in this folder includes by a name;
 * NULL when it is not one of the kernel's. */
const char *headers_text(const struct job_kernel *k, const char *folder,
			 const char *name, bool quoted);

/* Counts the ".." at the beginning of a name; -1 when it is not a valid
 * name. */
int headers_up(const char *name);
/* Returns the path `to` as seen from the folder `from`; both are absolute;
 * heap. */
char *headers_relative(const char *from, const char *to);
/* The name without "." and ".." but at the beginning; heap. */
char *headers_name(const char *path);

/* Writes the members "headers", "folders" and "outside" of a source. The second
 * function reads them: -1 with e (EXIT_USAGE). */
void headers_members(json_t *source, const struct job_kernel *k);
int headers_read(struct job_kernel *k, const char *key, const json_t *v,
		 struct error *e);

#endif
