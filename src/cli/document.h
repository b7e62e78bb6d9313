/*
 * document: what is made of the commands' tables when the program is built:
 * manual pages, and what shells complete. All in English, on standard output.
 */
#ifndef CLI_DOCUMENT_H
#define CLI_DOCUMENT_H

#include "cli/commands.h"

/* Prints a command's manual page. `prose` is man(7)'s text: the part before its
 * first .SH goes to the end of DESCRIPTION, the rest after OPTIONS. */
void document_manual(const struct command *c, const char *prose);

/* Prints gemmviz-protocol(7): `prose` is its NAME and DESCRIPTION, and the
 * members of jobs follow. */
void document_protocol(const char *prose);

/* Prints the tables that a shell's completion (doc/complete.*) works with. */
void document_bash(void);
void document_zsh(void);
void document_fish(void);

#define DOCUMENT_ARGUMENTS 8

/* The arguments at each position of a command, by the names in its synopsis:
 * "KERNEL|FILE.cu". */
struct document_arguments {
	char *at[DOCUMENT_ARGUMENTS];
	size_t count;
	bool repeated;		/* the last may come again */
};
void document_arguments(const struct command *c, struct document_arguments *a);
void document_arguments_done(struct document_arguments *a);

/* Names in the synopsis that mean one of a list, and the list. */
struct document_list {
	const char *name;
	const char *(*word)(size_t i);	/* NULL past the last */
};
extern const struct document_list document_lists[];
extern const size_t document_list_count;

#endif
