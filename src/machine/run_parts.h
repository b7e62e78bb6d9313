/*
 * run_parts: what the files that interpret machine code share. A step is an
 * instruction whose operands have been read; each is a function of the lanes in
 * a mask.
 */
#ifndef MACHINE_RUN_PARTS_H
#define MACHINE_RUN_PARTS_H

#include <string.h>

#include "machine/run.h"

/* With room behind the last, for pairs and fours that begin there. */
#define ROWS (SASS_URZ + 5)
#define BARRIERS 16
#define FULL 0xffffffffu
#define EACH_LANE(l) for (int l = 0; l < WARP_LANES; l++)

struct lanes { uint32_t v[WARP_LANES]; } __attribute__((aligned(64)));

/* The bit of each lane in a mask: from a table, so that compilers make vectors
 * of what is done in each lane. */
extern const struct lanes lane_bit;
#define IS_IN(mask, l) (((mask) & lane_bit.v[l]) != 0)
#define BIT_IF(condition, l) ((condition) ? lane_bit.v[l] : 0)

/* Sets the step's register to the value that an expression has in lane l. */
#define PUT_EACH(expression) \
	do { \
		struct lanes each; \
\
		EACH_LANE(l) \
			each.v[l] = (expression); \
		put_row(w, s->to, each.v, mask); \
	} while (0)

/* The upper halves of generic addresses of shared and of local memory. */
#define SHARED_WINDOW 0x800000u
#define LOCAL_WINDOW 0x900000u

/* What happens to an operand before it is used. */
enum { CHANGE_NOT = 1, CHANGE_NEGATE = 2, CHANGE_ABSOLUTE = 4,
       CHANGE_SIGN = 8 };

/* An operand: fixed[0] and, of a pair, fixed[1]; or registers. */
struct step_source {
	const struct lanes *fixed;
	uint16_t row;
	uint8_t change;
	bool low, high;		/* H0_H0, H1_H1: one half for both */
	bool is_float;		/* F32, where others are halves */
	const char *word;	/* its suffix */
};

struct predicate { uint8_t number; bool inverted; };

enum flow { FLOW_NONE, FLOW_EXIT, FLOW_BRANCH, FLOW_RETURN, FLOW_BARRIER,
	    FLOW_BSSY, FLOW_BSYNC, FLOW_BREAK, FLOW_WARPSYNC, FLOW_TRAP,
	    FLOW_UNKNOWN };

enum join { JOIN_AND, JOIN_OR, JOIN_XOR };

struct machine_run;
struct warp;
struct step;
typedef void step_run(struct machine_run *r, struct warp *w, const struct step *s,
		      uint32_t mask);

struct step {
	step_run *run;		/* NULL: it only matters to the hardware */
	const struct sass_instruction *of;
	uint32_t number;
	enum flow flow;
	struct predicate guard;
	uint16_t to;		/* register; RZ: none */
	uint8_t outs, ins, sources;	/* how many of these there are */
	uint8_t out[2];		/* predicates that it sets */
	struct predicate in[4];
	struct step_source source[5];
	const struct sass_operand *address[2];
	uint32_t kind, bytes;	/* for the function alone */
	int64_t target;		/* of a branch */
	bool is_signed, extended, wide, high;
	bool flushes, saturates;	/* FTZ, SAT */
	enum join join;		/* of a comparison with a predicate */
	bool accesses, generic;	/* an address tells of which memory it is */
};

/* Lanes that are at the same instruction. */
enum wait { WAIT_NOT, WAIT_BSYNC, WAIT_WARP, WAIT_BLOCK };
struct warp_part {
	uint32_t pc, mask;
	enum wait wait;
	uint32_t barrier, of;	/* barrier; the lanes that it waits for */
};

struct warp {
	struct lanes r[ROWS];
	struct lanes tid[3];
	uint32_t p[SASS_UPT + 1];
	uint32_t number, live;
	uint32_t phase;		/* barriers that it has met */
	uint32_t converge[BARRIERS];
	struct warp_part parts[WARP_LANES];
	uint32_t part_count;
	uint32_t red_count, red_all, red_any;	/* BAR.RED's results */
	uint8_t *local;		/* of all lanes, one after the other */
};

/* A barrier of the block. */
struct block_gate {
	uint32_t arrived, most;
	uint32_t votes, voters;
};

struct access_log;

struct machine_run {
	struct run_launch l;
	struct step *steps;
	struct run_count (*counts)[2];
	uint64_t *executed;
	uint64_t issued;
	bool left_out;		/* products of tensor cores */
	struct lanes *fixed;	/* the values of constants and numbers */
	size_t fixed_count, fixed_capacity;
	uint8_t constant[4096];		/* bank 0 */
	uint32_t shared_first;	/* address of shared memory's first byte */
	uint8_t *shared;
	uint32_t shared_size;
	struct warp *warps;
	uint8_t *local;
	uint32_t warp_count, threads;
	struct block_gate gates[BARRIERS];
	struct trace_dim at;	/* the block */
	const struct run_memory *last;	/* that was accessed */
	struct access_log *log;
	struct run_watch watch;		/* no function: nobody does */
	bool failed;
	struct error reason;
};

/* Stops the run; the first reason stays. */
void run_refuse(struct machine_run *r, const struct step *s, const char *fmt, ...)
	PRINTF(3, 4);

/* ---- operands ---- */

/* Returns changed values of a source. */
const uint32_t *source_change(const uint32_t *from, uint8_t change,
			      struct lanes *room);
/* Returns the lanes' values of a source: word 1 is the upper half of a pair. */
static inline const uint32_t *source_get(struct warp *w,
					 const struct step_source *s, int word,
					 struct lanes *room)
{
	bool is_pair = s->row != SASS_RZ && s->row != SASS_URZ;
	const uint32_t *from = s->fixed ? s->fixed[word].v :
			       w->r[s->row + (is_pair ? word : 0)].v;

	return s->change ? source_change(from, s->change, room) : from;
}

/* Gets the values of a source that is a pair. */
void source_get64(struct warp *w, const struct step_source *s,
		  uint64_t to[WARP_LANES]);
/* Sets a register, a pair, or a predicate in the lanes of the mask; all lanes
 * of a uniform one. */
void put_row(struct warp *w, uint32_t row, const uint32_t *from,
	     uint32_t mask);
void put_row64(struct warp *w, uint32_t row, const uint64_t *from,
	       uint32_t mask);
void put_predicate(struct warp *w, uint32_t p, uint32_t value, uint32_t mask);
/* Returns the lanes in which a predicate holds. */
static inline uint32_t get_predicate(const struct warp *w,
				     struct predicate p)
{
	return p.inverted ? ~w->p[p.number] : w->p[p.number];
}

/* Room for the sources that are changed, and source n of the step. */
#define ROOM struct lanes room[5]
#define SOURCE(n) source_get(w, &s->source[n], 0, &room[n])

/* ---- memory ---- */

/* Computes the addresses of an operand; `global`: 64 bits of registers. */
void address_get(struct warp *w, const struct sass_operand *o, bool global,
		 uint64_t to[WARP_LANES]);
/* Finds the bytes at an address; NULL: it is in no array, and the run stops. */
uint8_t *global_bytes(struct machine_run *r, const struct step *s, uint64_t address,
		   uint32_t bytes);
uint8_t *shared_place(struct machine_run *r, const struct step *s, uint64_t address,
		   uint64_t bytes);
/* Where the lanes of an access begin: the lowest, and how far from it the
 * highest does. */
struct access_span { uint64_t least; uint32_t extent; };
/* Counts an access and keeps it for run_seen; `second`: what LDGSTS stores. */
struct access_span access_count(struct machine_run *r, struct warp *w,
				const struct step *s, const struct run_event *e,
				const uint64_t *address, bool second);
struct access_log *access_log_new(void);
void access_log_free(struct access_log *l);
/* Tells and forgets what was kept. */
void access_log_tell(struct machine_run *r, run_seen *seen, void *ctx);
/* Returns whether the log should be told soon. */
bool access_log_full(const struct machine_run *r);

/* ---- instructions ---- */

/* How the operands of an opcode are read. */
enum { TAKES_INTEGER, TAKES_FLOAT, TAKES_DOUBLE, TAKES_HALF };
struct opcode {
	const char *name;
	step_run *run;
	enum flow flow;
	uint8_t type;
	bool no_register;	/* its first register is not what it sets */
	uint8_t outs;		/* predicates that it sets first; 0: those
				   before the first source */
	/* Reads the modifiers; false: one is not known. */
	bool (*prepare)(struct step *s);
};
const struct opcode *opcode_find(const char *name);

/* The order of a comparison, in a step's kind. */
enum { COMPARE_LT = 1, COMPARE_EQ = 2, COMPARE_GT = 4, COMPARE_NAN = 8 };
/* Reads LT, GEU, ... of the modifiers; -1: none of them. */
int compare_kind(const struct step *s);
/* Combines a comparison's result with the last predicate. */
uint32_t join_result(const struct warp *w, const struct step *s, uint32_t result);
/* Does so, and sets the predicates that it sets. */
void put_comparison(struct warp *w, const struct step *s, uint32_t result,
		    uint32_t mask);

/* Conversions of half precision and bfloat16. */
uint16_t half_of(double x);
uint16_t bfloat_of(double x);

static inline float as_float(uint32_t bits)
{
	float f;

	memcpy(&f, &bits, sizeof(f));
	return f;
}

static inline uint32_t float_bits(float f)
{
	uint32_t bits;

	memcpy(&bits, &f, sizeof(bits));
	return bits;
}

static inline float bfloat_real(uint16_t h)
{
	return as_float((uint32_t)h << 16);
}

static inline float half_real(uint16_t h)
{
	uint32_t rest = (uint32_t)(h & 0x7fff) << 13;
	uint32_t sign = (uint32_t)(h & 0x8000) << 16;
	/* Moves the exponent's bias from 15 to 127, of subnormal ones, too. */
	uint32_t finite = float_bits(as_float(rest) * 0x1p112f);
	bool is_finite = rest < 0x0f800000;

	return as_float(sign | (is_finite ? finite : rest | 0x7f800000));
}

static inline double as_double(uint64_t bits)
{
	double d;

	memcpy(&d, &bits, sizeof(d));
	return d;
}

static inline uint64_t bits_of_double(double d)
{
	uint64_t bits;

	memcpy(&bits, &d, sizeof(bits));
	return bits;
}

/* Returns how two reals compare. */
static inline uint32_t compare_reals(double a, double b)
{
	return a < b ? COMPARE_LT : a > b ? COMPARE_GT :
	       a == b ? COMPARE_EQ : COMPARE_NAN;
}

#define STEPS(F) \
	F(mov) F(ldc) F(imad) F(imad_wide) F(iadd3) F(viadd) F(lea) F(shf) \
	F(lop3) F(isetp) F(plop3) F(imnmx) F(viaddmnmx) F(sel) F(iabs) \
	F(prmt) F(popc) F(flo) F(brev) F(sgxt) F(bmsk) F(idp) F(s2r) F(cs2r) \
	F(p2r) F(r2p) F(shl) F(shr) \
	F(ffma) F(fadd) F(fmul) F(fsetp) F(fset) F(fmnmx) F(mufu) F(fchk) \
	F(dadd) F(dmul) F(dfma) F(dsetp) \
	F(i2f) F(f2i) F(f2f) F(f2fp) F(frnd) \
	F(hadd2) F(hmul2) F(hfma2) F(hsetp2) F(hmnmx2) \
	F(shfl) F(vote) F(match) F(redux) F(movm) F(b2r) F(bmov) F(r2ur) \
	F(load) F(store) F(ldgsts) F(ldsm) F(stsm) F(atom) \
	F(hmma) F(imma) F(tensor)
#define STEP_DECLARE(name) step_run step_##name;
STEPS(STEP_DECLARE)

bool prepare_imad(struct step *s);
bool prepare_shift(struct step *s);
bool prepare_compare(struct step *s);
bool prepare_signed(struct step *s);
bool prepare_mufu(struct step *s);
bool prepare_convert(struct step *s);
bool prepare_half(struct step *s);
bool prepare_lanes(struct step *s);
bool prepare_access(struct step *s);
bool prepare_atom(struct step *s);
bool prepare_tensor(struct step *s);
bool prepare_special(struct step *s);
bool prepare_lut(struct step *s);

/* Runs all warps of the block to their end. */
int warps_run(struct machine_run *r);

#endif
