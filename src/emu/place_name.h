/*
 * place_name: what stands in the kernel's text at the line and column that the
 * compiler gives an access.
 */
#ifndef EMU_PLACE_NAME_H
#define EMU_PLACE_NAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The first name of the expression that an access's line and column speak
 * of: g++ gives the last character of a subscript, a member's name, or an
 * assignment's operator. False when there is none before it.
 */
bool place_name(uint32_t line, uint32_t column, const char **name,
		size_t *length, uint32_t *start);

/* Likewise, where the expression is that name and subscripts of it alone. */
bool place_subscripts(uint32_t line, uint32_t column, const char **name,
		      size_t *length);

/* Column of a whole word in a line, or 0. */
uint32_t place_word(uint32_t line, const char *word);

/*
 * The column that a trace gives an access is where its array's name begins:
 * that of the expression, if it is the array's, else the name's first place
 * in the line, else where the expression begins.
 */
uint32_t place_column(uint32_t line, uint32_t raw, const char *array);

#endif
