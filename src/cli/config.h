/*
 * config: a reader's settings, from $XDG_CONFIG_HOME/gemmviz/config, else
 * ~/.config/gemmviz/config. Lines are
 *
 *	NAME = VALUE
 *	key KEY = KEY
 *
 * blank, or comments that begin with #; the names are those of settings[]
 * (config.c). Options of the command line and gemmviz's environment variables
 * override them.
 */
#ifndef CLI_CONFIG_H
#define CLI_CONFIG_H

#include "base/base.h"
#include "viz/keys.h"
#include "viz/theme.h"

struct config {
	char *path;		/* NULL: there is no place for it */
	bool there;
	/* It cannot be read; then error says why, and nothing is set. */
	bool bad;
	struct error error;
	/* Lines that are wrong and set nothing: why, with file and line. */
	struct error *ignored;
	size_t ignored_count, ignored_capacity;
	/* The settings; NULL, false or 0 where nothing is set. */
	const struct theme *theme;
	char *lang;
	bool still;		/* motion = off */
	char **runner;		/* where --on gpu records, and races are run */
	char *gpu;		/* of several, whose recorded times are shown */
	char *cuda;	/* folder of the toolkit that gemmviz-machine uses */
	struct key_pair *keys;
	size_t key_count, key_capacity;
	struct str set;		/* the names that are, between ", " */
};

/* Returns the reader's settings, which are read at the first call. */
const struct config *config(void);

#endif
