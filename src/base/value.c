/*
 * value: see value.h.
 */
#include "base/value.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"

struct value value_int(int64_t i)
{
	return (struct value){ .kind = VALUE_INT, .i = i };
}

struct value value_real(double r)
{
	return (struct value){ .kind = VALUE_REAL, .r = r };
}

struct value value_text(const char *text)
{
	struct value v = { .kind = VALUE_TEXT };
	size_t n = strnlen(text, sizeof(v.text));

	/* Cut before a character, not inside one. */
	if (n == sizeof(v.text))
		for (n--; n > 0 && ((unsigned char)text[n] & 0xc0) == 0x80; )
			n--;
	memcpy(v.text, text, n);
	return v;
}

bool value_true(const struct value *v)
{
	switch (v->kind) {
	case VALUE_INT:
		return v->i != 0;
	case VALUE_REAL:
		return v->r != 0;
	case VALUE_TEXT:
		return v->text[0] != '\0';
	default:
		return false;
	}
}

/* Formats r with the fewest digits that read back as the same number. */
static void print_real(double r, char *buf, size_t size)
{
	char digits[40];
	int n = 0, exponent;

	if (!isfinite(r)) {
		snprintf(buf, size, "%g", r);
		return;
	}
	do
		snprintf(digits, sizeof(digits), "%.*e", n, r);
	while (strtod(digits, NULL) != r && ++n < 17);
	exponent = atoi(strchr(digits, 'e') + 1);
	if (exponent < -5 || exponent > 15)
		snprintf(buf, size, "%.*g", n + 1, r);
	else
		snprintf(buf, size, "%.*f", MAX(n - exponent, 0), r);
}

void value_print(const struct value *v, char *buf, size_t size)
{
	switch (v->kind) {
	case VALUE_INT:
		snprintf(buf, size, "%" PRId64, v->i);
		break;
	case VALUE_REAL:
		print_real(v->r, buf, size);
		break;
	case VALUE_TEXT:
		snprintf(buf, size, "%s", v->text);
		break;
	default:
		snprintf(buf, size, "none");
	}
}
