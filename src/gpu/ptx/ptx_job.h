/* ptx_job: a module while recording code is put into it; shared by ptx*.c. */
#ifndef GPU_PTX_PTX_JOB_H
#define GPU_PTX_PTX_JOB_H

#include "gpu/ptx/ptx_flow.h"
#include "gpu/ptx/ptx_text.h"

struct ptx_place {
	uint32_t file, line, column;
};

/* What the last call returned: the registers that hold its members, in order,
 * each of `bytes` bytes; a load reads `together` of them, 0: not all as many. */
#define PTX_MEMBERS 8
struct ptx_returned {
	struct ptx_register member[PTX_MEMBERS];
	size_t count, together;
	int bytes;
	bool open;			/* more members may follow */
};

/* What a struct ptx keeps of the text: the names that it points to. */
struct ptx_own {
	struct map names;
	char **paths;
	size_t path_count, path_capacity;
};

struct ptx_job {
	struct ptx_text *t;
	struct ptx *p;
	bool plain;			/* nothing is recorded */
	struct ptx_registers r;
	struct ptx_flow flow;		/* of the current function */
	uint32_t function;
	struct ptx_place place;
	uint32_t file;	/* the function's file; 0: not known yet */
	uint32_t order;
	/* Places where code was inlined, and by the number of each the
	 * outermost place that it was inlined into. */
	struct map inlined;
	struct ptx_place *outer;
	size_t outer_capacity;
	size_t site_capacity, symbol_capacity, function_capacity,
	       file_capacity;
	/* The new text; the first `copied` bytes of the old one have been
	 * copied to it. `after` is appended once the instruction has been
	 * copied. */
	struct str out, after;
	size_t copied;
	struct ptx_returned returned;
	/* Stores before this statement have been recorded. */
	const struct ptx_statement *stored;
	/* By statement: index + 1 of the call statement whose PTX_CALL is
	 * recorded before it, or whose PTX_RETURN is recorded after it. */
	uint32_t *call_before, *call_after;
};

/* ptx_copy.c: the new text. */

/* Returns the offset of the statement's first byte in the old text; the second
 * function, of the byte after its last. */
size_t ptx_start_of(const struct ptx_text *t, const struct ptx_statement *s);
size_t ptx_end_of(const struct ptx_text *t, const struct ptx_statement *s);
/* Copies the text before `at` that has not been copied yet. */
void ptx_copy_to(struct ptx_job *j, size_t at);
/* Copies the text before the statement, and skips the statement. */
void ptx_leave_out(struct ptx_job *j, const struct ptx_statement *s);
bool ptx_unwanted(const struct ptx_text *t, const struct ptx_statement *s);
/* Copies all of j->t but its head and unwanted statements. */
void ptx_body_copy(struct ptx_job *j);

struct ptx_head {
	const struct ptx_text *t;
	const struct ptx_statement *version, *target;
	bool wide;			/* .address_size 64 */
};

/* Finds a text's head; -1 with the text's e: it has none. */
int ptx_head_find(struct ptx_head *h, const struct ptx_text *t);
/* Writes a head that suits both texts; recorder may be NULL. */
void ptx_head_write(struct ptx_job *j, const struct ptx_head *h,
		    const struct ptx_head *recorder);

/* ptx_declare.c */

/* Finds all declarations, before names are used. -1 with e. */
int ptx_declarations(struct ptx_job *j, struct ptx_own *own);
/* Finds the token of the function's name. */
uint32_t ptx_function_name(const struct ptx_text *t,
			   const struct ptx_statement *s, bool *entry);

/* ptx_call.c; for the statements of a function from head to end. */

/* Finds the labels that are jump targets, and where calls begin and end. */
void ptx_targets(struct ptx_job *j, uint32_t head, uint32_t end);
bool ptx_is_target(const struct ptx_job *j, const struct ptx_statement *s);
/* Records PTX_CALL or PTX_RETURN of the call statement. */
void ptx_call_record(struct ptx_job *j, uint32_t call, enum ptx_event event);

/* Handles a statement of a function that is not recorded (ptx_plain.c). */
int ptx_plain_statement(struct ptx_job *j, const struct ptx_statement *s);

/* ptx_debug.c */
int ptx_debug_sections(struct ptx_text *t, struct ptx *p);

/* ptx_site.c: sites, and the code that records them. */

/* Adds a site; its symbol and param are derived from `address`, if not NULL. */
uint32_t ptx_site(struct ptx_job *j, enum ptx_event event,
		  enum ptx_space space, uint32_t bytes,
		  const struct ptx_operand *address);
/* Adds code that puts `what` into %gemmviz_s, or ~0 in a thread whose guard
 * disables `in`. */
void ptx_pass(const struct ptx_job *j, struct str *out, uint32_t what,
	      const struct ptx_instruction *in);
/* Records an event without an address, under the guard of `in`, which may be
 * NULL. */
void ptx_mark(struct ptx_job *j, uint32_t site,
	      const struct ptx_instruction *in);
/* Records where a variable begins, in the site's memory space. */
void ptx_begin(struct ptx_job *j, uint32_t site, const char *symbol);
/* Records bar.warp.sync and its lane mask. -1 with e. */
int ptx_sync(struct ptx_job *j, const struct ptx_instruction *in);

/* ptx_whole.c */

/* Updates what the last call returned; to be called with each statement of a
 * function. */
void ptx_returned_step(struct ptx_job *j, const struct ptx_statement *s);
/* Counts the statements from s on that store the members of what a call
 * returned, in the members' order, and nothing else; 0 when there are none. */
size_t ptx_whole(const struct ptx_job *j, const struct ptx_statement *s,
		 struct ptx_instruction stores[PTX_MEMBERS]);

/* Records the stores of a structure's members as one store for as many of them
 * as one load has read of the result (ptx_access.c). */
int ptx_access_whole(struct ptx_job *j, const struct ptx_instruction *stores,
		     size_t count);

/* Records the memory accesses of the instruction (ptx_access.c). -1 with e. */
int ptx_access(struct ptx_job *j, const struct ptx_instruction *in);

#endif
