/*
 * symbols: the symbol table of a module: its functions and variables, by
 * address and by name, and where its kernels begin.
 */
#ifndef EMU_MODULE_SYMBOLS_H
#define EMU_MODULE_SYMBOLS_H

#include "base/base.h"

struct symbol {
	char *name;
	uint64_t at, bytes;	/* the module's own address */
	bool function;
	bool variable;		/* one that can be written */
	uint32_t nth;		/* of several local ones with one name */
};

struct symbols {
	struct symbol *list;	/* by address */
	struct symbol **named;	/* the same by name, then nth */
	size_t count, capacity;
	char **wanted;		/* the names of what it does not define */
	size_t wanted_count, wanted_capacity;
};

void symbols_read(struct symbols *s, int fd);
void symbols_done(struct symbols *s);
/* Finds the function or variable that begins at an address of the module; NULL:
 * there is none. */
const struct symbol *symbols_at(const struct symbols *s, uint64_t at);
/* Finds the nth one of this name; NULL: there is none. */
const struct symbol *symbols_named(const struct symbols *s, const char *name,
				   uint32_t nth);

#endif
