/* practice_diff: the lines in which two texts differ. */
#ifndef APP_PRACTICE_DIFF_H
#define APP_PRACTICE_DIFF_H

/* Returns all lines of both texts, each with "+", "-" or " " and a blank before
 * it; heap. Texts of many lines are not compared: those of `now`. */
char *practice_diff(const char *before, const char *now);

#endif
