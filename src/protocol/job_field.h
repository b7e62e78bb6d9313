/*
 * job_field: the members of a job's JSON, as tables.
 *
 * One entry says everything about a member: where it stands in the struct, which
 * values it may have, which jobs have it, and what it means. Both ends of the
 * pipe write and read members by these tables, and gemmviz-protocol(7) is made
 * of them.
 */
#ifndef PROTOCOL_JOB_FIELD_H
#define PROTOCOL_JOB_FIELD_H

#include "protocol/job.h"

enum job_field_type {
	FIELD_FLAG,	/* bool: true or false */
	FIELD_INT, FIELD_LONG, FIELD_U32, FIELD_U64,	/* a whole number */
	FIELD_SECONDS,	/* double: a number above 0 */
	FIELD_TEXT,	/* char *: heap; at most `highest` bytes, no NUL */
	FIELD_PAIRS,	/* struct job_defines: an object of names and texts */
	FIELD_NAMES,	/* struct job_defines: a list of texts, with values "" */
	FIELD_OWN,	/* `codec` knows */
};

struct job_field;
/* How a member with a form of its own is written and read. */
struct job_codec {
	const char *form;	/* as people read it: "[X,Y,Z]" */
	/* Returns the member's value, or NULL if it is left out. `from` is the
	 * whole struct of the table. */
	json_t *(*write)(const void *from);
	/* Reads the value into the whole struct; -1 with e. */
	int (*read)(void *to, const json_t *v, const struct job_field *f,
		    struct error *e);
};

/* Which jobs have a member, a bit each. */
#define IN(kind) (1u << (kind))

struct job_field {
	const char *name;
	enum job_field_type type;
	size_t at;		/* offset in the struct of the table */
	long long lowest, highest;	/* of a number; of a text, its bytes */
	unsigned jobs;
	bool always;		/* written even if it has its usual value */
	const struct job_codec *codec;
	const char *about;	/* a phrase for people, with its unit */
};

struct job_fields {
	const char *name;	/* of the object, for people */
	const struct job_field *list;
	size_t count;
};
/* The members of a job itself, of its kernel (which stand among them), and of
 * the objects "source" and "program". */
extern const struct job_fields job_fields, job_kernel_fields,
	job_program_fields;

/* Returns the field of a name in jobs of this kind, or NULL. */
const struct job_field *job_field_find(const struct job_fields *fields,
				       const char *name, enum job_kind kind);
/* Sets the members that differ from those of `usual`, or are always written. */
void job_fields_write(const struct job_fields *fields, enum job_kind kind,
		      const void *from, const void *usual, json_t *o);
/* Reads one member; -1 with e (EXIT_USAGE) if its value is not allowed. */
int job_field_read(const struct job_field *f, void *to, const json_t *v,
		   struct error *e);

/* Sets the error for a member that has a wrong value. Returns -1. */
int job_field_wrong(const char *name, const char *expected, struct error *e);
/* Reads a whole number within these bounds, inclusive. */
int job_field_number(const json_t *v, const char *name, long long lowest,
		     long long highest, long long *to, struct error *e);
/* Reads a text without NUL, of at most `most` bytes, in place of *to. */
int job_field_text(const json_t *v, const char *name, size_t most, char **to,
		   struct error *e);

#endif
