/*
 * command: what all commands share. A command is one const struct; its tables
 * of options are what is parsed and what --help prints, and manual pages and
 * the shells' completions are made from them (document.h).
 */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include <getopt.h>
#include <jansson.h>
#include <stdio.h>

#include "base/base.h"

/*
 * An option; a table of options ends in an empty one. Its argument is named as
 * in a command's synopsis, and the name says what completes it: words between
 * bars (on|off) are all there are, FILE.cu is a file with that suffix, FOLDER
 * any folder, KERNEL or THEME one of a list (document_words.c); sm_90 is an
 * example.
 */
struct option_def {
	const char *name;	/* --NAME; NULL: it has only a letter */
	int id;			/* its letter, or a number above all letters */
	const char *argument;	/* NULL: it takes none */
	const char *help;	/* N_() */
};

/* The id of an entry that is a heading, in its `help`, over the options that
 * follow. A table that begins with one holds recording options: gemmviz record
 * lists them all, other commands a few (struct command). */
enum { OPTION_GROUP = 399 };

/* Options that several commands have. A command's own ids start at OPTION_OWN;
 * those of launch_options.h and benchmark_options.h are above. */
enum { OPTION_JSON = 300, OPTION_FORCE, OPTION_LANG, OPTION_OWN = 400 };
extern const struct option_def option_json[], option_force[];
/* ... and that all have. */
extern const struct option_def option_common[];

#define COMMAND_GROUPS 5

struct command {
	const char *name;	/* "" for gemmviz without a command */
	const char *arguments;	/* ways to call it, one per line */
	const char *summary;	/* N_(): in the list of commands */
	const char *about;	/* N_(): more of it, for --help; or NULL */
	void (*more)(void);	/* prints more still, or NULL */
	const char *examples;	/* lines, without "gemmviz" */
	/* All commands also have option_common. */
	const struct option_def *options[COMMAND_GROUPS];
	/* The recording options that its --help and manual page list, such as
	 * "D block grid"; NULL: all. */
	const char *recording;
	bool in_order;	/* what an option means depends on what it follows */
	bool until_argument;	/* options end at the first argument */
	/* Runs the command with its own argv (argv[0] is its name); returns an
	 * exit status. */
	int (*run)(const struct command *c, int argc, char **argv);
};

#define OPTIONS_MOST 48

/* The state of reading a command's options, one after another. */
struct options {
	const struct command *command;
	char **argv;
	int argc;
	struct option longs[OPTIONS_MOST + 1];
	char letters[2 * OPTIONS_MOST + 2];
	const char *value;	/* of the last option */
	int status;		/* to end with: see options_next() */
};

/* What options_next() returns besides ids of options. */
enum { OPTIONS_END = -1, OPTIONS_STOP = -2, OPTIONS_ARGUMENT = 1 };

void options_init(struct options *o, const struct command *c, int argc,
		  char **argv);
/*
 * Returns the next option's id. OPTIONS_END: optind is at the first argument
 * that is not an option. OPTIONS_STOP: after --help, or after an error, which
 * has been reported. OPTIONS_ARGUMENT, for a command with in_order: `value` is
 * such an argument.
 */
int options_next(struct options *o);
/* Gives each option to `take`, which fails by an error. Returns the status to
 * end with, or -1 to go on: optind is at the first argument. */
int command_options(const struct command *c, int argc, char **argv,
		    int (*take)(void *own, int id, const char *value,
				struct error *e), void *own);

/* Prints a command's --help; returns an exit status. */
int command_print_help(const struct command *c);
/* Calls `list` for each option and heading that --help and the manual page
 * list, in their order. */
void command_list_options(const struct command *c,
			  void (*list)(const struct option_def *d));
/* Prints words in lines that start at this column; the first line starts at the
 * cursor. */
void command_print_words(const char *words, int column);

/* Prints an error on standard error; returns its exit status. */
int command_failed(const struct error *e);
/* Prints what is wrong with the usage of a command; returns EXIT_USAGE. */
int command_usage(const char *command, const char *fmt, ...) PRINTF(2, 3);
/* Ends a command's output. Returns status, or EXIT_OUTPUT if output could not
 * be written. */
int command_flush(int status);
/* Print a value on a line of its own, or an array with one element per line;
 * take the value. */
void command_json(json_t *j, FILE *out);
void command_json_lines(json_t *array);

#endif
