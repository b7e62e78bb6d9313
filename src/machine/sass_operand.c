/* sass_operand: reads one operand of an instruction. See sass.h. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "machine/sass.h"

/* Reads "R12", "RZ", "UR4" or "URZ"; returns the characters, 0: none. */
static size_t read_register(const char *s, uint16_t *reg)
{
	bool uniform = s[0] == 'U';
	const char *at = s + uniform;
	unsigned long n;
	char *end;

	if (*at++ != 'R')
		return 0;
	if (*at == 'Z') {
		*reg = uniform ? SASS_URZ : SASS_RZ;
		return (size_t)(at + 1 - s);
	}
	if (!isdigit((unsigned char)*at))
		return 0;
	n = strtoul(at, &end, 10);
	if (n >= (uniform ? SASS_URZ - SASS_UNIFORM : SASS_RZ))
		return 0;
	*reg = (uint16_t)(n + (uniform ? SASS_UNIFORM : 0));
	return (size_t)(end - s);
}

/* Reads "P3", "PT", "UP0" or "UPT"; returns the characters, 0: none. */
static size_t read_predicate_text(const char *s, uint16_t *p)
{
	bool uniform = s[0] == 'U';
	const char *at = s + uniform;

	if (*at++ != 'P')
		return 0;
	if (*at == 'T')
		*p = uniform ? SASS_UPT : SASS_PT;
	else if (*at >= '0' && *at <= '6')
		*p = (uint16_t)(*at - '0' + (uniform ? SASS_PT + 1 : 0));
	else
		return 0;
	return (size_t)(at + 1 - s);
}

static int read_suffix(struct sass_operand *o, const char *s)
{
	while (*s == '.') {
		size_t n = strcspn(s + 1, ".|");

		if (n >= SASS_WORD)
			return -1;
		if (strncmp(s + 1, "reuse", n) != 0) {
			memcpy(o->word, s + 1, n);
			o->word[n] = '\0';
		}
		s += n + 1;
	}
	return *s == '\0' || *s == '|' ? 0 : -1;
}

/* Reads one term of an address: "R4.64", "UR6", "R2.X4", "0x10", "-0x4". */
static int read_term(struct sass_operand *o, const char *s, size_t n)
{
	bool minus = *s == '-';
	char word[40];
	uint16_t reg;
	size_t used;
	char *suffix;

	s += minus;
	n -= minus;
	if (n == 0 || n >= sizeof(word))
		return -1;
	memcpy(word, s, n);
	word[n] = '\0';
	used = read_register(word, &reg);
	if (!used) {
		long long v = strtoll(word, &suffix, 0);

		o->offset += minus ? -v : v;
		return *suffix ? -1 : 0;
	}
	if (minus)
		return -1;
	suffix = word + used;
	if (reg >= SASS_UNIFORM) {
		o->uniform = reg;
		o->uniform_wide = strstr(suffix, ".64");
		return 0;
	}
	o->reg = reg;
	o->wide = strstr(suffix, ".64");
	o->is_unsigned = strstr(suffix, ".U32");
	if (strstr(suffix, ".X"))
		o->scale = (uint8_t)atoi(strstr(suffix, ".X") + 2);
	return o->scale ? 0 : -1;
}

/* Reads what stands in brackets, from behind the first one on. */
static int read_sum(struct sass_operand *o, const char *s, const char **end)
{
	o->reg = SASS_RZ;
	o->uniform = SASS_URZ;
	o->scale = 1;
	while (*s != ']') {
		size_t n;

		s += *s == '+';
		n = *s == '-' ? 1 : 0;
		n += strcspn(s + n, "+-]");
		if (!s[n] || read_term(o, s, n) < 0)
			return -1;
		s += n;
	}
	*end = s + 1;
	return 0;
}

/* Reads c[0x0][0x210]. */
static int read_constant_text(struct sass_operand *o, const char *s)
{
	char *end;

	o->kind = SASS_CONSTANT;
	o->bank = (uint32_t)strtoul(s + 2, &end, 0);
	if (end[0] != ']' || end[1] != '[' || read_sum(o, end + 2, &s) < 0)
		return -1;
	return read_suffix(o, s);
}

/* Reads [R4+0x10], desc[UR8][R4.64]. */
static int read_address(struct sass_operand *o, const char *s)
{
	const char *end;

	if (!strncmp(s, "desc[", 5)) {
		s = strstr(s, "][");
		if (!s)
			return -1;
		s++;
	}
	o->kind = SASS_ADDRESS;
	if (*s != '[' || read_sum(o, s + 1, &end) < 0)
		return -1;
	return read_suffix(o, end);
}

static int read_number_text(struct sass_operand *o, const char *s)
{
	static const struct { const char *word; double value; } words[] = {
		{ "+INF", INFINITY }, { "INF", INFINITY },
		{ "+QNAN", NAN }, { "QNAN", NAN }, { "+SNAN", NAN },
		{ "SNAN", NAN },
	};
	const char *digits = s + (*s == '+');
	char *end;

	for (size_t i = 0; i < LENGTH(words); i++)
		if (!strcmp(s, words[i].word)) {
			o->kind = SASS_REAL;
			o->real = words[i].value;
			return 0;
		}
	if (!isdigit((unsigned char)*digits))
		return -1;
	if (!strncmp(digits, "0x", 2)) {
		o->kind = SASS_WHOLE;
		o->offset = (int64_t)strtoull(digits, &end, 16);
	} else {
		o->kind = SASS_REAL;
		o->real = strtod(digits, &end);
		o->offset = (int64_t)strtoll(digits, NULL, 10);
	}
	return read_suffix(o, end);
}

static int read_label(struct sass_operand *o, const char *s, char **label)
{
	const char *open = strchr(s, '('), *close = strrchr(s, ')');

	if (!open || !close || close < open)
		return -1;
	o->kind = SASS_LABEL;
	o->offset = -1;
	*label = xstrndup(open + 1, (size_t)(close - open - 1));
	return 0;
}

static int read_plain(struct sass_operand *o, const char *s, char **label)
{
	size_t n;

	if (*s == '`')
		return read_label(o, s, label);
	if (!strncmp(s, "c[", 2))
		return read_constant_text(o, s);
	if (*s == '[' || !strncmp(s, "desc[", 5))
		return read_address(o, s);
	if (read_number_text(o, s) == 0)
		return 0;
	n = read_register(s, &o->reg);
	if (n && (!s[n] || strchr(".|", s[n]))) {
		o->kind = SASS_REGISTER;
		return read_suffix(o, s + n);
	}
	n = read_predicate_text(s, &o->reg);
	if (n && !s[n]) {
		o->kind = SASS_PREDICATE;
		return 0;
	}
	o->kind = SASS_OTHER;
	snprintf(o->word, sizeof(o->word), "%s", s);
	return 0;
}

int sass_operand_read(struct sass_operand *o, const char *text, size_t n,
		      char **label)
{
	char *copy = xstrndup(text, n), *s = copy;
	int rc;

	memset(o, 0, sizeof(*o));
	for (; *s && strchr("-~!|", *s); s++) {
		o->minus ^= *s == '-';
		o->inverted ^= *s == '~' || *s == '!';
		o->absolute |= *s == '|';
	}
	rc = *s ? read_plain(o, s, label) : -1;
	/* A number's sign is part of it. */
	if (rc == 0 && o->minus &&
	    (o->kind == SASS_WHOLE || o->kind == SASS_REAL)) {
		o->offset = (int64_t)-(uint64_t)o->offset;
		o->real = -o->real;
		o->minus = false;
	}
	free(copy);
	return rc;
}
