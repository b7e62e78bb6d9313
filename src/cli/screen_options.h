/* screen_options: the options of commands that open a screen. */
#ifndef CLI_SCREEN_OPTIONS_H
#define CLI_SCREEN_OPTIONS_H

#include "cli/command.h"
#include "app/ui.h"

/* A command's own ids begin at OPT_SCREEN_END. */
enum { OPT_LESSON = OPTION_OWN, OPT_THEME, OPT_PLAIN,
       OPT_PRESENTER, OPT_MOTION, OPT_AUTO, OPT_NOTES, OPT_CLASS,
       OPT_CLASS_FOLDER, OPT_LEAD, OPT_FOLLOW, OPT_ASCII,
       OPT_NO_MOUSE, OPT_SCREEN_END };

extern const struct option_def screen_options[];

struct screen {
	struct ui_options ui;
	struct reader_options reader;
	const char *lesson;
	bool plain;
	bool by_itself;		/* --auto */
	bool notes;		/* --notes */
	const char *class, *class_folder;	/* NULL: not said */
	const char *lead, *follow;		/* likewise: classes */
};

bool screen_option_is(int id);
/* Takes an option; -1 with e for a value that it does not have. */
int screen_option(struct screen *s, int option, const char *value,
		  struct error *e);
/* Sets the defaults from the reader's settings and the environment, to be read
 * before the options. Returns -1 with e. */
int screen_defaults(struct screen *s, struct error *e);
/* Prints that a command with a screen cannot read a text from the standard
 * input. Returns EXIT_USAGE. */
int screen_refuse_input(const char *command);

#endif
