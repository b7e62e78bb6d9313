/* ptx_text: PTX split into tokens and statements, as ptx*.c read it. */
#ifndef GPU_PTX_PTX_TEXT_H
#define GPU_PTX_PTX_TEXT_H

#include "base/map.h"
#include "gpu/ptx/ptx.h"

#define PTX_NONE UINT32_MAX
/* The largest text accepted, in bytes: a token takes about twenty times its
 * size in memory. */
#define PTX_TEXT_MAX (32u << 20)

/* A word that is not a number, and what it currently names; PTX_NONE: none of
 * that kind. target and param are valid in the function that target_function or
 * param_function names. */
struct ptx_name {
	const char *text;
	uint32_t symbol;		/* of struct ptx */
	uint32_t function;		/* of struct ptx, with a body */
	uint32_t target_function;	/* function with a jump to this label */
	uint32_t param_function, param;	/* a parameter of an entry */
	/* function that records where this variable begins */
	uint32_t place_function;
	uint32_t decl;			/* newest register declaration */
	uint32_t section;		/* a label in a debug section */
	uint64_t offset;
};

struct ptx_token {
	uint32_t at, length;		/* in the text */
	uint32_t line;
	uint32_t name;			/* PTX_NONE: a number, or no word */
	char kind;			/* 'w' word or number, '"' string, or
					   the character itself */
};

enum ptx_statement_kind {
	PTX_HEAD,		/* .version, .target, .address_size */
	PTX_FILE, PTX_SECTION, PTX_LOC,
	PTX_DECLARE,		/* .reg, .param, or a variable */
	PTX_DIRECTIVE,		/* any other */
	PTX_FUNCTION,		/* its head, up to the brace */
	PTX_PROTOTYPE,
	PTX_OPEN, PTX_CLOSE,	/* braces */
	PTX_LABELLED,		/* label and colon */
	PTX_INSTRUCTION,
};

struct ptx_statement {
	enum ptx_statement_kind kind;
	uint32_t first, last;		/* tokens, both included */
};

struct ptx_text {
	const char *text;
	size_t length;
	struct error *e;
	struct ptx_token *tokens;	/* followed by one of kind 0 */
	size_t token_count, token_capacity;
	struct ptx_statement *statements;
	size_t statement_count, statement_capacity;
	struct ptx_name *names;		/* by number in names_by_text */
	size_t name_capacity;
	struct map names_by_text;
};

/* Splits a text; -1 with e if it is not PTX. ptx_text_done() is due in either
 * case. */
int ptx_text_init(struct ptx_text *t, const char *text, size_t length,
		  struct error *e);
void ptx_text_done(struct ptx_text *t);

/* Fills in e: the token's line, the token, and why; -1. */
int ptx_text_fail(const struct ptx_text *t, uint32_t token,
		  enum exit_status status, const char *why);

bool ptx_is(const struct ptx_text *t, uint32_t token, const char *word);
bool ptx_starts(const struct ptx_text *t, uint32_t token, const char *word);
/* The name with this text, or PTX_NONE. */
uint32_t ptx_find(const struct ptx_text *t, const char *text, size_t length);
/* Reads an integer in one of C's notations, with an optional minus; false: it
 * is none. */
bool ptx_number(const struct ptx_text *t, uint32_t token, uint64_t *value);
/* Finds the token that closes the bracket `open`, up to `last`. */
uint32_t ptx_closing(const struct ptx_text *t, uint32_t open, uint32_t last);

/* A piece of an opcode between dots. */
struct ptx_part {
	const char *text;
	size_t length;
};

struct ptx_operand {
	uint32_t first, last;		/* tokens, both included */
};

/* An instruction, @guard opcode operand, operand; parts and operands that do
 * not fit are left out. */
struct ptx_instruction {
	uint32_t first, last;		/* tokens; last: the semicolon */
	uint32_t guard;			/* the guard's predicate, or PTX_NONE */
	bool negated;
	uint32_t opcode;
	struct ptx_part parts[16];
	size_t part_count;
	struct ptx_operand operands[8];
	size_t operand_count;
};

/* Reads a statement as an instruction; false: it has no opcode. */
bool ptx_instruction(const struct ptx_text *t, const struct ptx_statement *s,
		     struct ptx_instruction *in);
bool ptx_part_is(struct ptx_part p, const char *word);
bool ptx_opcode(const struct ptx_instruction *in, const char *first);
/* Tests whether the opcode has this part after its first. */
bool ptx_has(const struct ptx_instruction *in, const char *part);
/* Tests for ld.param and st.param. */
bool ptx_on_param(const struct ptx_instruction *in);
/* Returns a type's bytes; 0 for a predicate, NA if it is no type. */
int ptx_type_bytes(struct ptx_part p);

#endif
