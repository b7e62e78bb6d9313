/*
 * check_launch: records one launch and adds what is wrong with it to a check.
 */
#ifndef CLI_CHECK_LAUNCH_H
#define CLI_CHECK_LAUNCH_H

#include "cli/check.h"
#include "cli/launch_options.h"

/* Takes the launch's options over. `rules` may be NULL. Returns EXIT_DONE, or
 * the status of what kept it from being recorded. */
int check_launch(struct check *c, struct launch_options *l, const char *file,
		 const char *name, struct check_rules *rules,
		 const struct check_limits *limits);

/* Adds an issue; takes `text`. */
struct check_issue *check_add(struct check *c, enum check_level level,
			      const char *rule, const char *file,
			      uint32_t line, char *text);

#endif
