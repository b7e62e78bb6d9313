/*
 * check: what `gemmviz check` found, for the files that write it.
 */
#ifndef CLI_CHECK_H
#define CLI_CHECK_H

#include <jansson.h>
#include <stdio.h>

#include "analysis/verdict.h"
#include "cli/check_rules.h"

/* ERROR: the kernel is wrong, or could not be recorded. WARNING: it is over a
 * limit. NOTE: advice, and what else to know; it fails no check. */
enum check_level { CHECK_ERROR, CHECK_WARNING, CHECK_NOTE };
/* Returns the level's name, which is also SARIF's: "error", "warning",
 * "note". */
const char *check_level_name(enum check_level l);

struct check_issue {
	enum check_level level;
	char *rule;		/* "race", "bank-conflict", "advice-pitch" */
	char *file;		/* as it was given */
	uint32_t line, column;	/* 0: unknown */
	char *text;		/* one line in the reader's language */
	char *accepted;		/* the reason, or NULL */
	bool by_default;	/* over a limit that nobody gave */
	bool unrecorded;	/* there is nothing to check */
	bool unjudged;		/* says that the launch is not judged */
	size_t launch;		/* index */
};

/* A launch that was checked. */
struct check_launch {
	char *file;		/* as it was given */
	char *name;		/* the kernel and how it was launched */
	struct verdict verdict;
};

struct check {
	struct check_issue *issues;
	size_t issue_count, issue_capacity;
	struct check_launch *launches;
	size_t launch_count, launch_capacity;
	/* A launch that is not judged fails the check. */
	bool require_verdict;
};

/* Counts the issues of a level that are not accepted, of one launch or
 * (SIZE_MAX) of all. */
size_t check_count(const struct check *c, enum check_level level,
		   size_t launch);
size_t check_accepted(const struct check *c);

/* Returns whether an issue fails the check. */
bool check_fails(const struct check_issue *i);

/* Checks a file as `gemmviz check` does, with these options: words[0], and of a
 * program what follows it on a command line. Returns an exit status. */
struct launch_given;
int check_program(const struct launch_given *given, int count, char **words);

/* SARIF 2.1.0: a run with a result for each issue; accepted ones are suppressed
 * with their reasons. */
json_t *check_sarif(const struct check *c);
/* Returns JUnit's XML: a test case for each launch. The caller frees it. */
char *check_junit(const struct check *c);

#endif
