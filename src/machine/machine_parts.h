/*
 * machine_parts: what the files that hold a run to a recording share.
 */
#ifndef MACHINE_MACHINE_PARTS_H
#define MACHINE_MACHINE_PARTS_H

#include "machine/machine.h"

/* Warp instructions that are run at most; local memory of a thread. */
#define STEPS_MOST 60000000
#define LOCAL_MOST (16u << 10)

/* Finds an instruction that is not interpreted; says so (heap, translated), or
 * returns NULL. */
char *machine_unknown(const struct sass *s);
/* Counts what is known without a run. */
void machine_begin(struct machine_launch *m);
/* Takes a run's counts, and the sites of a cover, which may be NULL. */
struct cover;
void machine_take(struct machine_launch *m, const struct machine_run *r,
		  const struct cover *c);

/* Where the code sees the launch's arrays: arrays of global memory lie far
 * apart, each aligned as in the recording. */
struct image {
	const struct trace_info *info;
	uint64_t *base;			/* by array of the trace */
	struct run_memory *memory;	/* of the code */
	size_t count;
	uint8_t **expected;		/* what the recording leaves in it */
	uint8_t **known;		/* 1: a byte was read or stored */
	uint8_t **stored;		/* 1: a byte was stored */
};

/* Makes the arrays, with what the recording read from them first. -1 with e:
 * the trace is damaged; 1: `why` is set, for there is no such image. */
int image_make(struct image *m, struct trace *t, char **why, struct error *e);
void image_done(struct image *m);
/* Compares what the code left with what the recording did; NULL, or the
 * difference (heap, translated). */
char *image_compare(const struct image *m);
/* Fills in the parameters; NULL, or why it cannot (heap, translated). */
char *image_parameters(const struct image *m, const struct machine_code *c,
		       uint8_t *to);

/* Returns where an array of shared memory begins in the code's. That is as
 * recorded, unless what is declared has less room there: then those arrays lie one
 * after the other, and the one whose size the launch gives comes last. */
uint64_t image_shared_base(const struct image *m, const struct machine_code *c,
			   uint32_t array);

/* A run of the code with a recording's inputs. */
struct running {
	struct machine_code *code;	/* to be set first */
	struct image image;
	struct machine_run *run;
	uint8_t parameters[4096];
};
/* Makes image and run. Returns why it cannot (heap, translated), or NULL; *rc
 * -1 with e: the trace is damaged. */
char *running_begin(struct running *g, struct trace *t, int *rc,
		    struct error *e);
void running_done(struct running *g);

/* Makes what keeps the bytes that threads of a block access, as written and as
 * compiled. */
struct cover *cover_new(const struct image *m, const struct machine_code *c);
void cover_free(struct cover *c);
/* Takes the recording's accesses of a block whose first warp is `warp`, of so
 * many. */
int cover_block(struct cover *c, struct trace *t, size_t warp, size_t warps,
		struct error *e);
/* Takes an access of the code; a run_seen. */
void cover_seen(void *ctx, const struct run_event *event);
/* Ends the block; adds up what disagrees. */
void cover_end(struct cover *c);
/* Describes bytes that only one of both read or stored; NULL: none (heap,
 * translated). */
char *cover_difference(const struct cover *c);
/* Fills in the sites of an access: [1] of what LDGSTS stores. */
void cover_sites(const struct cover *c, struct machine_access *a);

#endif
