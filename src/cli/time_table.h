/* time_table: prints a race as a table for the terminal: the time of each
 * kernel at each size, with notes. */
#ifndef CLI_TIME_TABLE_H
#define CLI_TIME_TABLE_H

#include "timing/timing.h"

/* Prints the table; `range`: with the fastest and the slowest sample of each
 * case. */
void time_table(const struct timing *t, bool range);

#endif
