/*
 * emu: what the CUDA runtime that plays a program uses of the recorder, and what
 * the recorder asks of a program. The runtime includes no other header of the
 * recorder's.
 */
#ifndef EMU_EMU_H
#define EMU_EMU_H

#include "emu/entry.h"
#include "emu/launch.h"

/* ---- what the recorder asks ---- */

/* What becomes of a piece of the device's heap that a kernel frees. */
enum emu_free { EMU_FREE_DONE, EMU_FREE_OTHER, EMU_FREE_TWICE };

/* What becomes of a signal in the host's code: it is none of a program's; the
 * code goes on; or it does so for one instruction, and host_stepped() is called
 * then. */
enum emu_fault { EMU_FAULT_OTHER, EMU_FAULT_AGAIN, EMU_FAULT_STEP };

/* The recorder calls these. `who` is a thread of the running launch: its block's
 * number << 32 | its own. */
struct emu_program {
	/* ---- set before any launch; see runtime_begin() ---- */

	/* How many blocks of so many threads, with so many bytes of shared
	 * memory each, the GPU has at the same time. */
	uint32_t (*resident_blocks)(uint32_t threads, uint64_t shared);
	/* Memory of the device for malloc() at `here`; NULL: there is none. */
	void *(*heap_take)(size_t bytes, uint64_t who, void *here);
	/* Frees it. EMU_FREE_OTHER: it is no such memory. EMU_FREE_TWICE: it was
	 * freed in line *freed. */
	enum emu_free (*heap_free)(uintptr_t address, uint64_t who, void *here,
				   uint64_t *freed);
	/* The lines in which the heap's memory at an address was allocated and
	 * freed; 0: it is not freed. False: there is none. */
	bool (*heap_lines)(uintptr_t address, uint64_t *made, uint64_t *freed);
	/* A launch begins. */
	void (*launch_begin)(void);
	/* Whether nobody has written any word of the allocation at an address
	 * that may be unwritten; asked at the first read of one. */
	bool (*is_unwritten)(uintptr_t address);
	/* From now on all words of the allocation at an address count as
	 * written; all words of all allocations do. */
	void (*end_unwritten)(uintptr_t address);
	void (*end_all_unwritten)(void);

	/* ---- set by a program; NULL when a kernel is recorded alone ---- */

	/* Says more of an access to an address in no array. */
	void (*explain_wild)(uintptr_t address, struct trace_finding *f);
	/* Has the host go on until its launch can_go(). False: it does not; it
	 * waits for the launch in *line (0: not known). */
	bool (*launch_waits)(bool (*can_go)(void), uint32_t *line);
	/* Copies the host's variables to the recorder's module, and back. */
	void (*variables_in)(void);
	void (*variables_out)(void);
	/* Adds what kernels may use by emu_array_add(). */
	void (*arrays_add)(void);
	/* Until which moment of seconds_now() blocks that are not recorded run
	 * with the recorder's hooks. */
	double (*hooks_until)(void);
	/* A signal came in the host's code, at an address that it reads or
	 * writes. */
	enum emu_fault (*host_fault)(int signal_number, uintptr_t pc,
				     uintptr_t sp, uintptr_t address,
				     bool writes);
	/* The host's instruction is done. False: nobody waits for that. */
	bool (*host_stepped)(void);
};
extern struct emu_program emu_program;

/* ---- launches; see launch_record_call() ---- */

/* Runs a launch without the recorder's hooks; -1 with e. */
int emu_run_fast(struct launch *l, struct error *e);
/* Has the launch's first thread enter the kernel, calls `look` with the address
 * of its frame (DWARF's CFA), and goes no further; -1 with e. */
int emu_look_at_arguments(struct launch *l, void (*look)(uintptr_t frame),
			  struct error *e);
/* How the launch that has just run ended. */
enum emu_end { EMU_END_GOOD, EMU_END_STOPPED, EMU_END_FAULT };
enum emu_end emu_launch_end(void);
/* Whether some of its blocks have waited for others. */
bool emu_blocks_waited(void);

/* ---- the thread that runs ---- */

/* Whether a kernel's thread runs now, not the host. */
bool emu_in_kernel(void);
/* The host runs again, wherever the kernel's thread was. */
void emu_leave_kernel(void);
/* Makes threadIdx and the like those of the only thread of one block. */
void emu_index_alone(void);
/* The running thread does something whose outcome depends on the order of the
 * blocks. */
void emu_in_order(void);
/* The running thread loads bytes, in the code that `here` returns to. */
void gemmviz_load(const void *from, size_t bytes, void *here);
/* It stops with a finding, as by __trap(). */
void gemmviz_trap(void *here);

/* Where a signal came, of its context (crash.c). */
uintptr_t crash_pc(const void *context);

/* ---- thread-local variables of the program's host ---- */

/* The number of its module for __tls_get_addr(), and the variables of the
 * thread that runs. */
void emu_host_tls_begin(unsigned long module, void *own);
/* Those of the thread that runs; from now on they are these. */
void *emu_host_tls(void);
void emu_host_tls_use(void *own);
/* Finds what the host's new and delete are, which its module is linked with. */
void emu_host_heap(void *module);

/* ---- memory ---- */

/* Memory of a program that a launch may use. */
struct emu_memory {
	const char *name;
	uintptr_t lo, slot;
	uint64_t bytes, slot_bytes;
	uint64_t base;		/* its address in the trace */
	uint64_t unwritten;	/* bytes that may be unwritten; see fresh.h */
	uint64_t pitch, width;	/* bytes of its rows with padding; or 0 */
	uint32_t made;		/* the line in which it was allocated */
	bool heap;		/* kernels allocate and free parts of it */
};
/* Makes it an array of the running launch, unless that has no hooks. */
void emu_array_add(const struct emu_memory *m);
/* The address in the trace of the running launch's next array. */
uint64_t emu_next_base(void);
/* Marks whole words from an address on as never written. */
void emu_mark_unwritten(uintptr_t from, uint64_t bytes);
/* Has the words there that nobody has written hold 0. How many bytes these are,
 * of runs of `least` bytes or more. */
uint64_t emu_clear_unwritten(uintptr_t from, uint64_t bytes, uint64_t least);
/* Counts the bytes of whole words from an address on, up to the first one that
 * somebody has written. */
uint64_t emu_count_unwritten(uintptr_t from, uint64_t bytes);

/* ---- what the launch that has just run has used ---- */

/* An array of its. */
struct emu_array {
	const char *name;
	uintptr_t lo;
	uint64_t bytes;
	bool global;
	bool allocated;		/* made by emu_array_add() */
	bool variable;		/* of the module */
	bool checked;		/* what was used of it is known */
	/* For the functions below. */
	const struct array *array;
	size_t next;
};
/* The next array, after one that is all 0; false: there is none. */
bool emu_array_next(struct emu_array *a);

enum { EMU_READS = 1, EMU_WRITES = 2, EMU_ATOMICS = 4 };
/* Called for bytes from `off` in the array on that were used, in order. */
typedef void emu_used(void *ctx, uint64_t off, uint64_t bytes, int how);
/* Tells which of the first `most` bytes were read and written, but for volatile
 * accesses, by which kernels tell a host how far they are. */
void emu_array_shared(const struct emu_array *a, uint64_t most,
		      emu_used *used, void *ctx);
/* Tells what was read, written, and accessed by atomics. */
void emu_array_ordered(const struct emu_array *a, emu_used *used, void *ctx);
/* Bytes that were written, or else read. */
uint64_t emu_array_bytes(const struct emu_array *a, bool written);
/* Whether the launch may have told others than its threads how far it is, by
 * fences, volatile accesses or the system's scope. */
bool emu_launch_tells(void);
/* Whether it did by the system's scope; forgets that. */
bool emu_launch_tells_host(void);

#endif
