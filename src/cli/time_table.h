/*
 * time_table: a race as a table for the terminal: what each kernel took at each
 * size, and what is to be known of that.
 */
#ifndef CLI_TIME_TABLE_H
#define CLI_TIME_TABLE_H

#include "timing/timing.h"

/* `range`: with the fastest and the slowest sample of each. */
void time_table(const struct timing *t, bool range);

#endif
