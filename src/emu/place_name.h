/*
 * place_name: finds what the kernel's text has at the line and column that the
 * compiler gives for an access.
 */
#ifndef EMU_PLACE_NAME_H
#define EMU_PLACE_NAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Finds the first name of the expression that an access's line and column refer
 * to: g++ gives the last character of a subscript, a member's name, or an
 * assignment's operator. False: there is no name before it. */
bool place_name(uint32_t line, uint32_t column, const char **name,
		size_t *length, uint32_t *start);

/* Returns whether an assignment's operator stands there, and this variable
 * after it: for the load of a variable alone g++ gives the operator, too. */
bool place_right_side(uint32_t line, uint32_t column, const char *variable);

/* Finds a name as place_name() does, but only if the expression consists of
 * that name and its subscripts. Returns how many these are, else 0. */
uint32_t place_subscripts(uint32_t line, uint32_t column, const char **name,
		      size_t *length);

/* Returns whether the text declares a __constant__ variable of this name. */
bool place_is_constant(const char *name);

/* Returns the column of a whole word in a line, from 1, or 0. */
uint32_t place_word(uint32_t line, const char *word);

/* Returns the column that a trace gives for an access, which is where its
 * array's name begins: in the expression, if that names the array; else at the
 * name's first occurrence in the line; else where the expression begins. */
uint32_t place_array_column(uint32_t line, uint32_t raw, const char *array);

#endif
