/*
 * ptx_text: splits PTX into words and statements. See ptx_text.h.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "gpu/ptx/ptx_text.h"

static const struct ptx_token *token_or_last(const struct ptx_text *t, size_t i)
{
	return &t->tokens[MIN(i, t->token_count - 1)];
}

int ptx_text_fail(const struct ptx_text *t, uint32_t token,
		  enum exit_status status, const char *why)
{
	const struct ptx_token *k = token_or_last(t, token);
	char *word = xstrndup(t->text + k->at, MIN(k->length, 80));

	error_set(t->e, status, "PTX, line %u, at \"%s\": %s", k->line,
		  text_show(word), why);
	free(word);
	return -1;
}

bool ptx_is(const struct ptx_text *t, uint32_t token, const char *word)
{
	const struct ptx_token *k = token_or_last(t, token);

	return k->kind == 'w' && strlen(word) == k->length &&
	       memcmp(t->text + k->at, word, k->length) == 0;
}

bool ptx_starts(const struct ptx_text *t, uint32_t token, const char *word)
{
	const struct ptx_token *k = token_or_last(t, token);

	return k->kind == 'w' && strlen(word) <= k->length &&
	       memcmp(t->text + k->at, word, strlen(word)) == 0;
}

bool ptx_number(const struct ptx_text *t, uint32_t token, uint64_t *value)
{
	const struct ptx_token *k = token_or_last(t, token);
	bool minus = k->kind == '-';
	char digits[32], *end;

	if (minus)
		k++;
	if (k->kind != 'w' || k->length >= sizeof(digits) ||
	    !isdigit((unsigned char)t->text[k->at]))
		return false;
	memcpy(digits, t->text + k->at, k->length);
	digits[k->length] = '\0';
	*value = strtoull(digits, &end, 0);
	if (minus)
		*value = -*value;
	return !*end || strcmp(end, "U") == 0;
}

uint32_t ptx_closing(const struct ptx_text *t, uint32_t open, uint32_t last)
{
	unsigned int depth = 0;
	uint32_t i;

	for (i = open; i < last; i++) {
		char c = t->tokens[i].kind;

		if (c == '(' || c == '[' || c == '{')
			depth++;
		else if ((c == ')' || c == ']' || c == '}') && --depth == 0)
			break;
	}
	return i;
}

/* ---- names ---- */

uint32_t ptx_find(const struct ptx_text *t, const char *text, size_t length)
{
	return map_find(&t->names_by_text, text, length);
}

static uint32_t name_add(struct ptx_text *t, const char *text, size_t length)
{
	size_t known = t->names_by_text.count;
	uint32_t name = map_add(&t->names_by_text, text, length);

	if (name < known)
		return name;
	grow(&t->names, &t->name_capacity, known + 1, sizeof(*t->names));
	t->names[name] = (struct ptx_name) {
		.text = map_key(&t->names_by_text, name), .symbol = PTX_NONE,
		.function = PTX_NONE, .target_function = PTX_NONE,
		.param_function = PTX_NONE, .place_function = PTX_NONE,
		.decl = PTX_NONE, .section = PTX_NONE,
	};
	return name;
}

/* ---- words ---- */

static bool is_ptx_char(const struct ptx_text *t, size_t i)
{
	unsigned char c = i < t->length ? t->text[i] : 0;

	return isalnum(c) || c == '_' || c == '$' || c == '%' || c == '.';
}

static size_t ptx_word_end(const struct ptx_text *t, size_t i)
{
	for (;;) {
		if (is_ptx_char(t, i))
			i++;
		else if (i + 2 < t->length && t->text[i] == ':' &&
			 t->text[i + 1] == ':' && is_ptx_char(t, i + 2))
			i += 2;
		else
			return i;
	}
}

/* Returns the offset after the comment that begins at i, or i where none
 * does. */
static size_t comment_end(const struct ptx_text *t, size_t i)
{
	const char *end;

	if (i + 1 >= t->length || t->text[i] != '/')
		return i;
	if (t->text[i + 1] == '/') {
		end = memchr(t->text + i, '\n', t->length - i);
		return end ? (size_t)(end - t->text) : t->length;
	}
	if (t->text[i + 1] != '*')
		return i;
	end = memmem(t->text + i + 2, t->length - i - 2, "*/", 2);
	return end ? (size_t)(end - t->text) + 2 : t->length;
}

static size_t string_end(const struct ptx_text *t, size_t i)
{
	for (i++; i < t->length && t->text[i] != '\n'; i++) {
		if (t->text[i] == '\\')
			i++;
		else if (t->text[i] == '"')
			return i + 1;
	}
	return MIN(i, t->length);
}

static struct ptx_token *token_add(struct ptx_text *t, size_t at, size_t end,
				   uint32_t line, char kind)
{
	struct ptx_token *k;

	grow(&t->tokens, &t->token_capacity, t->token_count + 1,
	     sizeof(*t->tokens));
	k = &t->tokens[t->token_count++];
	*k = (struct ptx_token) { at, end - at, line, PTX_NONE, kind };
	return k;
}

static void token_next(struct ptx_text *t, size_t *i, uint32_t line)
{
	unsigned char c = t->text[*i];
	size_t end = *i + 1;
	char kind = c;
	struct ptx_token *k;

	if (is_ptx_char(t, *i)) {
		end = ptx_word_end(t, *i);
		kind = 'w';
	} else if (c == '"') {
		end = string_end(t, *i);
	}
	k = token_add(t, *i, end, line, kind);
	if (kind == 'w' && !isdigit(c))
		k->name = name_add(t, t->text + *i, end - *i);
	*i = end;
}

/* Returns the line of the byte at `at`, counted from *counted, whose line is
 * known. */
static uint32_t advance_line(const struct ptx_text *t, size_t at,
			     size_t *counted, uint32_t line)
{
	for (; *counted < at; ++*counted)
		line += t->text[*counted] == '\n';
	return line;
}

static int zero_byte(struct ptx_text *t, const char *zero)
{
	size_t at = zero - t->text, counted = 0;

	token_add(t, at, at, advance_line(t, at, &counted, 1), 0);
	return ptx_text_fail(t, 0, EXIT_INPUT, "a zero byte");
}

static int split_tokens(struct ptx_text *t)
{
	const char *zero = memchr(t->text, 0, t->length);
	size_t i = 0, counted = 0;
	uint32_t line = 1;

	if (zero)
		return zero_byte(t, zero);
	while (i < t->length) {
		size_t end = comment_end(t, i);

		line = advance_line(t, i, &counted, line);
		if (end > i)
			i = end;
		else if (isspace((unsigned char)t->text[i]))
			i++;
		else
			token_next(t, &i, line);
	}
	token_add(t, i, i, advance_line(t, i, &counted, line), 0);
	return 0;
}

/* ---- statements ---- */

static void statement_add(struct ptx_text *t, enum ptx_statement_kind kind,
			  uint32_t first, uint32_t last)
{
	grow(&t->statements, &t->statement_capacity, t->statement_count + 1,
	     sizeof(*t->statements));
	t->statements[t->statement_count++] =
		(struct ptx_statement) { kind, first, last };
}

static int fail_unexpected(const struct ptx_text *t, uint32_t token)
{
	return ptx_text_fail(t, token, EXIT_INPUT,
			     token_or_last(t, token)->kind ?
				     "not expected here" :
				     "the text ends in a statement");
}

static char kind_at(const struct ptx_text *t, size_t token)
{
	return token_or_last(t, token)->kind;
}

/* Tests whether `count` words follow i, and moves i to the last one. */
static bool words_follow(const struct ptx_text *t, uint32_t *i,
			 unsigned int count)
{
	for (; count; count--) {
		if (kind_at(t, *i + 1) != 'w')
			return false;
		++*i;
	}
	return true;
}

/* Finds the end of .loc F L C [, function_name LABEL [+ N] , inlined_at F L
 * C] */
static bool loc_end(const struct ptx_text *t, uint32_t *i)
{
	if (!words_follow(t, i, 3))
		return false;
	if (kind_at(t, *i + 1) != ',' ||
	    !ptx_is(t, *i + 2, "function_name"))
		return true;
	*i += 2;
	if (!words_follow(t, i, 1))
		return false;
	if (kind_at(t, *i + 1) == '+') {
		++*i;
		if (!words_follow(t, i, 1))
			return false;
	}
	if (kind_at(t, *i + 1) != ',')
		return false;
	++*i;
	return words_follow(t, i, 1) && ptx_is(t, *i, "inlined_at") &&
	       words_follow(t, i, 3);
}

static bool list_end(const struct ptx_text *t, uint32_t *i)
{
	while (kind_at(t, *i + 1) == ',') {
		++*i;
		if (!words_follow(t, i, 1))
			return false;
	}
	return true;
}

static bool file_end(const struct ptx_text *t, uint32_t *i)
{
	if (!words_follow(t, i, 1) || kind_at(t, *i + 1) != '"')
		return false;
	++*i;
	return list_end(t, i);
}

static bool section_end(const struct ptx_text *t, uint32_t *i)
{
	if (!words_follow(t, i, 1) || kind_at(t, *i + 1) != '{')
		return false;
	*i = ptx_closing(t, *i + 1, t->token_count - 1);
	return kind_at(t, *i) == '}';
}

/* Finds the end of a directive without a semicolon. Returns 1 when i is its
 * last token, 0 for other directives, -1 with an error. */
static int bare_directive(struct ptx_text *t, uint32_t *i)
{
	enum ptx_statement_kind kind = PTX_HEAD;
	uint32_t first = *i;
	bool good;

	if (ptx_is(t, first, ".version") || ptx_is(t, first, ".address_size")) {
		good = words_follow(t, i, 1);
	} else if (ptx_is(t, first, ".target")) {
		good = words_follow(t, i, 1) && list_end(t, i);
	} else if (ptx_is(t, first, ".file")) {
		kind = PTX_FILE;
		good = file_end(t, i);
	} else if (ptx_is(t, first, ".section")) {
		kind = PTX_SECTION;
		good = section_end(t, i);
	} else if (ptx_is(t, first, ".loc")) {
		kind = PTX_LOC;
		good = loc_end(t, i);
	} else {
		return 0;
	}
	if (!good)
		return fail_unexpected(t, MIN(*i + 1, t->token_count - 1));
	statement_add(t, kind, first, *i);
	return 1;
}

static bool is_declaration(const struct ptx_text *t, uint32_t i)
{
	static const char *const words[] = {
		".reg", ".param", ".local", ".shared", ".global", ".const",
		".extern", ".visible", ".weak", ".common",
	};

	for (size_t n = 0; n < LENGTH(words); n++)
		if (ptx_is(t, i, words[n]))
			return true;
	return false;
}

/* Finds the next semicolon. */
static int find_semicolon(const struct ptx_text *t, uint32_t *i)
{
	while (kind_at(t, *i) && kind_at(t, *i) != ';')
		++*i;
	return kind_at(t, *i) ? 0 : fail_unexpected(t, *i);
}

static int statement_in_body(struct ptx_text *t, uint32_t *i)
{
	uint32_t first = *i;
	char kind = kind_at(t, first);
	int bare = bare_directive(t, i);

	if (bare)
		return bare < 0 ? -1 : 0;
	if (kind == '{' || kind == '}') {
		statement_add(t, kind == '{' ? PTX_OPEN : PTX_CLOSE, first,
			      first);
		return 0;
	}
	if (kind == 'w' && kind_at(t, first + 1) == ':') {
		statement_add(t, PTX_LABELLED, first, ++*i);
		return 0;
	}
	if (kind != 'w' && kind != '@' && kind != ';')
		return fail_unexpected(t, first);
	if (find_semicolon(t, i) < 0)
		return -1;
	statement_add(t,
		      is_declaration(t, first) ? PTX_DECLARE :
		      kind == ';' || ptx_starts(t, first, ".") ?
						 PTX_DIRECTIVE :
						 PTX_INSTRUCTION,
		      first, *i);
	return 0;
}

/* Splits a body, from the opening brace to the last; i becomes the next
 * token. */
static int split_body(struct ptx_text *t, uint32_t *i)
{
	size_t depth = 0;

	do {
		char kind = kind_at(t, *i);

		if (statement_in_body(t, i) < 0)
			return -1;
		depth += kind == '{';
		depth -= kind == '}';
		++*i;
	} while (depth);
	return 0;
}

/* Splits a declaration, a function or its prototype, or another directive. */
static int module_statement(struct ptx_text *t, uint32_t *i)
{
	uint32_t first = *i;
	bool function = false;
	char kind;

	for (;; ++*i) {
		kind = kind_at(t, *i);
		function |= ptx_is(t, *i, ".func") || ptx_is(t, *i, ".entry");
		if (!kind)
			return fail_unexpected(t, *i);
		if (kind == ';' || (kind == '{' && function))
			break;
		if (kind == '{' || kind == '(' || kind == '[')
			*i = ptx_closing(t, *i, t->token_count - 1);
	}
	if (kind == '{') {
		statement_add(t, PTX_FUNCTION, first, *i - 1);
		return split_body(t, i);
	}
	statement_add(t,
		      function		       ? PTX_PROTOTYPE :
		      is_declaration(t, first) ? PTX_DECLARE :
						 PTX_DIRECTIVE,
		      first, *i);
	++*i;
	return 0;
}

static int split_statements(struct ptx_text *t)
{
	uint32_t i = 0;

	while (kind_at(t, i)) {
		int bare = bare_directive(t, &i);

		if (bare < 0)
			return -1;
		if (bare) {
			i++;
			continue;
		}
		if (kind_at(t, i) != ';' && !ptx_starts(t, i, "."))
			return fail_unexpected(t, i);
		if (module_statement(t, &i) < 0)
			return -1;
	}
	return 0;
}

int ptx_text_init(struct ptx_text *t, const char *text, size_t length,
		  struct error *e)
{
	*t = (struct ptx_text) { .text = text, .length = length, .e = e };
	if (length > PTX_TEXT_MAX)
		return error_set(e, EXIT_INPUT,
				 "the PTX is larger than %u bytes",
				 PTX_TEXT_MAX);
	return split_tokens(t) < 0 ? -1 : split_statements(t);
}

void ptx_text_done(struct ptx_text *t)
{
	map_done(&t->names_by_text);
	free(t->names);
	free(t->tokens);
	free(t->statements);
}

/* ---- instructions ---- */

/* Splits an opcode at its dots. */
static void opcode_split(const struct ptx_text *t, struct ptx_instruction *in)
{
	const struct ptx_token *k = &t->tokens[in->opcode];
	const char *s = t->text + k->at, *end = s + k->length;

	while (s < end && in->part_count < LENGTH(in->parts)) {
		const char *dot = memchr(s, '.', end - s);

		dot = dot ? dot : end;
		in->parts[in->part_count++] = (struct ptx_part) { s, dot - s };
		s = dot + 1;
	}
}

static void operands_split(const struct ptx_text *t,
			   struct ptx_instruction *in)
{
	uint32_t first = in->opcode + 1;

	for (uint32_t i = first; i <= in->last; i++) {
		char kind = t->tokens[i].kind;

		if (kind == '(' || kind == '[' || kind == '{')
			i = ptx_closing(t, i, in->last - 1);
		if (kind != ',' && i < in->last)
			continue;
		if (i > first && in->operand_count < LENGTH(in->operands))
			in->operands[in->operand_count++] =
				(struct ptx_operand) { first, i - 1 };
		first = i + 1;
	}
}

bool ptx_instruction(const struct ptx_text *t, const struct ptx_statement *s,
		     struct ptx_instruction *in)
{
	*in = (struct ptx_instruction) { .first = s->first, .last = s->last,
					 .opcode = s->first,
					 .guard = PTX_NONE };
	if (t->tokens[in->opcode].kind == '@') {
		in->negated = t->tokens[++in->opcode].kind == '!';
		in->guard = in->opcode + in->negated;
		in->opcode = in->guard + 1;
	}
	if (in->opcode >= in->last || t->tokens[in->opcode].kind != 'w')
		return false;
	opcode_split(t, in);
	operands_split(t, in);
	return in->part_count > 0;
}

bool ptx_has(const struct ptx_instruction *in, const char *part)
{
	for (size_t i = 1; i < in->part_count; i++)
		if (ptx_part_is(in->parts[i], part))
			return true;
	return false;
}

bool ptx_part_is(struct ptx_part p, const char *word)
{
	return strlen(word) == p.length && memcmp(p.text, word, p.length) == 0;
}

bool ptx_opcode(const struct ptx_instruction *in, const char *first)
{
	return ptx_part_is(in->parts[0], first);
}

bool ptx_on_param(const struct ptx_instruction *in)
{
	return in->part_count > 1 &&
	       (ptx_part_is(in->parts[1], "param") ||
		ptx_part_is(in->parts[1], "param::entry") ||
		ptx_part_is(in->parts[1], "param::func"));
}

int ptx_type_bytes(struct ptx_part p)
{
	static const struct { const char *name; int bytes; } types[] = {
		{ "pred", 0 },
		{ "b8", 1 }, { "u8", 1 }, { "s8", 1 },
		{ "b16", 2 }, { "u16", 2 }, { "s16", 2 }, { "f16", 2 },
		{ "bf16", 2 },
		{ "b32", 4 }, { "u32", 4 }, { "s32", 4 }, { "f32", 4 },
		{ "f16x2", 4 }, { "bf16x2", 4 }, { "tf32", 4 },
		{ "b64", 8 }, { "u64", 8 }, { "s64", 8 }, { "f64", 8 },
		{ "b128", 16 },
	};

	for (size_t i = 0; i < LENGTH(types); i++)
		if (ptx_part_is(p, types[i].name))
			return types[i].bytes;
	return NA;
}
