/* export_page: the program itself in one file that any browser opens, with the
 * recordings that it shows inside. */
#ifndef CLI_EXPORT_PAGE_H
#define CLI_EXPORT_PAGE_H

#include "app/reader.h"
#include "export/export.h"

/* Writes the page of what the reader has open, a lesson of the course or a
 * trace, to x. Returns -1 with e. */
int export_page(struct reader *r, struct export *x, struct error *e);

#endif
