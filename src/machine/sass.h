/*
 * sass: the machine code of one kernel as plain data, read from the text that
 * `nvdisasm -gi -c` prints. What the instructions mean is known in run.h alone.
 */
#ifndef MACHINE_SASS_H
#define MACHINE_SASS_H

#include "base/base.h"

#define SASS_OPERANDS 10
#define SASS_MODIFIERS 8
#define SASS_WORD 24

/* Numbers of registers: R0 to R254, RZ, then UR0 to UR62 and URZ. */
#define SASS_RZ 255
#define SASS_UNIFORM 256
#define SASS_URZ 319
/* Numbers of predicates: P0 to P6, PT, then UP0 to UP6 and UPT. */
#define SASS_PT 7
#define SASS_UPT 15

enum sass_kind {
	SASS_NOTHING,		/* left out */
	SASS_REGISTER,
	SASS_PREDICATE,
	SASS_WHOLE,		/* a number written as 0x10 */
	SASS_REAL,		/* a number written as 1.5 or as 2 */
	SASS_CONSTANT,		/* c[bank][offset], also with a register */
	SASS_ADDRESS,		/* [register+uniform+offset] */
	SASS_LABEL,		/* where a branch leads */
	SASS_OTHER,		/* SR_TID.X, B0, SB0: see `word` */
};

struct sass_operand {
	enum sass_kind kind;
	bool minus, inverted, absolute;	/* "-", "~" or "!", "|x|" */
	uint16_t reg;	/* of a register, predicate or address; an address
			   without one has RZ */
	uint16_t uniform;	/* of an address; URZ: none */
	uint8_t scale;	/* of an address's register: 1, 2, 4, 8, 16 */
	bool wide;	/* ".64": the address's register is a pair */
	bool uniform_wide;
	bool is_unsigned;	/* ".U32": it is extended without sign */
	uint32_t bank;		/* of a constant */
	/* The number, the offset of a constant or an address in bytes, or the
	 * instruction that a label stands before; -1: an unknown label. */
	int64_t offset;
	double real;
	char word[SASS_WORD];	/* a suffix such as "H0_H0", or the name */
};

/* A place in a source text: the file's name without folder. */
struct sass_place {
	const char *file;
	uint32_t line;
};

struct sass_instruction {
	uint32_t address;	/* bytes from the kernel's start */
	uint32_t guard;		/* predicate; PT: always executed */
	bool guard_inverted;
	char opcode[SASS_WORD];	/* "LDS" */
	char modifiers[SASS_MODIFIERS][SASS_WORD];	/* "U", "128" */
	uint32_t modifier_count;
	struct sass_operand operands[SASS_OPERANDS];
	uint32_t operand_count;
	/* Where it comes from, from innermost out: places[place] and the next. */
	uint32_t place, place_count;
	uint32_t loops;		/* loops that it is in */
	bool spill;		/* the text says that it spills or refills */
	char *text;		/* as nvdisasm wrote it, without its guard */
};

struct sass {
	char *entry;		/* the kernel's mangled name */
	uint32_t arch;		/* 90; 0: the text does not say it */
	struct sass_instruction *code;
	uint32_t count;
	struct sass_place *places;
	size_t place_count, place_capacity;
	char **files;		/* what places point to */
	size_t file_count, file_capacity;
};

/*
 * Reads the code of `entry`, or of the first kernel if it is NULL. NULL with e
 * (EXIT_USAGE): the text has no such kernel; (EXIT_INPUT): a line is not what
 * nvdisasm prints.
 */
struct sass *sass_parse(const char *text, const char *entry, struct error *e);
void sass_free(struct sass *s);

/* Tests whether an instruction has this modifier. */
bool sass_has(const struct sass_instruction *i, const char *modifier);
/* Tests whether an instruction is an atomic or a reduction. */
bool sass_is_atomic(const struct sass_instruction *i);
/* Returns opcode and modifiers as "LDS.U.128"; heap. */
char *sass_name(const struct sass_instruction *i);
/* Returns the bytes that an instruction moves for each lane. */
uint32_t sass_bytes(const struct sass_instruction *i);
/* Returns the line of `file`, or of any file if that is "", that the instruction
 * comes from, the outermost of those that were inlined; 0: none. */
uint32_t sass_line(const struct sass *s, const struct sass_instruction *i,
		   const char *file);
/* Tests whether an instruction comes from a line of `file`, or of a function
 * that is inlined there. */
bool sass_is_of(const struct sass *s, const struct sass_instruction *i,
		const char *file, uint32_t line);

/* Reads one operand; -1: it is none that is known. Labels keep their name in
 * `label`, heap, until all of them are known. For sass_parse.c. */
int sass_operand_read(struct sass_operand *o, const char *text, size_t n,
		      char **label);

#endif
