/* calculate: what the page has besides the terminal's keys. */
#ifndef WEB_CALCULATE_H
#define WEB_CALCULATE_H

#include "app/mode.h"

/* The page's own keys (reader_options.also). */
extern const struct mode mode_web;

/* Runs one of the calculators, "occupancy --arch sm_90 --threads 256"; a line
 * that names none lists them. What they print goes to the page. */
void web_calculate(const char *typed);

#endif
