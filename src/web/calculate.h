/* calculate: the calculators' line. */
#ifndef WEB_CALCULATE_H
#define WEB_CALCULATE_H

/* Runs one of the calculators, "occupancy --arch sm_90 --threads 256"; a line
 * that names none lists them. What they print goes to the page. */
void web_calculate(const char *typed);

#endif
