/*
 * value: the operands and results of expressions: a 64-bit integer, a real, a
 * text, or nothing.
 */
#ifndef BASE_VALUE_H
#define BASE_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum value_kind { VALUE_NONE, VALUE_INT, VALUE_REAL, VALUE_TEXT };

#define VALUE_TEXT_BYTES 160
struct value {
	enum value_kind kind;
	int64_t i;
	double r;
	char text[VALUE_TEXT_BYTES];	/* cut to fit */
};

struct value value_int(int64_t i);
struct value value_real(double r);
struct value value_text(const char *text);
/* Tests a value as a condition: false for none, 0, 0.0 and "". */
bool value_true(const struct value *v);
/* Writes a value in its shortest decimal form: 12, 0.25, text without quotes,
 * "none". */
void value_print(const struct value *v, char *buf, size_t size);

#endif
