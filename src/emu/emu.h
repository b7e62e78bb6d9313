/*
 * emu: what the CUDA runtime, which runs a program, uses of the recorder, and
 * what the recorder calls of a program. The runtime includes no other header of
 * the recorder.
 */
#ifndef EMU_EMU_H
#define EMU_EMU_H

#include "emu/launch_stub.h"
#include "emu/launch.h"

/* ---- what the recorder calls ---- */

/* What becomes of memory that a kernel frees: it is freed; it is none of the
 * heap's; it was freed before. */
enum emu_free { EMU_FREE_DONE, EMU_FREE_OTHER, EMU_FREE_TWICE };

/* What becomes of a signal in the host's code: it is none of a program's; the
 * code goes on; the code goes on for one instruction, after which
 * host_stepped() is called. */
enum emu_fault { EMU_FAULT_OTHER, EMU_FAULT_AGAIN, EMU_FAULT_STEP };

/* `who` is a thread of the running launch: its block's number << 32 | its own
 * number. */
struct emu_program {
	/* ---- set by runtime_begin(), before any launch ---- */

	/* Returns how many blocks of `threads` threads, with `shared` bytes of
	 * shared memory each, the GPU has at the same time. */
	uint32_t (*parked_blocks)(uint32_t threads, uint64_t shared);
	/* Allocates memory of the device's heap for malloc(), whose return
	 * address is `here`; NULL: the heap's limit is reached. */
	void *(*heap_take)(size_t bytes, uint64_t who, void *here);
	/* Frees memory of the heap. EMU_FREE_TWICE: *freed is the line in which
	 * it was freed before. */
	enum emu_free (*heap_free)(uintptr_t address, uint64_t who, void *here,
				   uint64_t *freed);
	/* Finds the lines in which the heap's memory at an address was
	 * allocated and freed; *freed 0: it is not freed. False: there is no
	 * such memory. */
	bool (*heap_overrun)(uintptr_t address, uint64_t bytes, uint64_t *past,
			     uint64_t *room, uint64_t *made);
	bool (*heap_lines)(uintptr_t address, uint64_t *made, uint64_t *freed);
	/* Prepares the heap for a new launch. */
	void (*launch_begin)(void);
	/* Returns whether no word of the allocation at an address has been
	 * written. */
	bool (*is_unwritten)(uintptr_t address);
	/* Clear all unwritten words of the allocation at an address, or of all
	 * allocations, before accesses that nobody reports. */
	void (*end_unwritten)(uintptr_t address);
	void (*end_all_unwritten)(void);

	/* ---- set by program_load(); NULL for a kernel without a program ---- */

	/* Sets a more exact cause of an access to an address in no array. */
	void (*explain_wild)(uintptr_t address, struct trace_finding *f);
	/* Lets the host go on until can_go(), while its launch waits. False: the
	 * host waits for the launch, in *line (0: not known). */
	bool (*launch_waits)(bool (*can_go)(void), uint32_t *line);
	/* Copies the host's variables to the recorder's module, and back. */
	void (*variables_in)(void);
	void (*variables_out)(void);
	/* Adds the memory that a launch may use, by emu_array_add(). */
	void (*arrays_add)(void);
	/* Returns until which moment of seconds_now() blocks that are not
	 * recorded run with the recorder's hooks. */
	double (*hooks_until)(void);
	/* Handles a signal at pc in the host's code, which reads or writes the
	 * address. */
	enum emu_fault (*host_fault)(int signal_number, uintptr_t pc,
				     uintptr_t sp, uintptr_t address,
				     bool writes);
	/* Notes that the host's single instruction is done; false: there was
	 * none. */
	bool (*host_stepped)(void);
};
extern struct emu_program emu_program;

/* ---- launches; see also launch_record_call() ---- */

/* Runs a launch without the recorder's hooks; -1 with e. */
int emu_run_fast(struct launch *l, struct error *e);
/* Starts the launch's first thread, calls look() in the kernel's body with the
 * address of its frame (DWARF's CFA), and stops it; -1 with e. */
int emu_look_at_arguments(struct launch *l, void (*look)(uintptr_t frame),
			  struct error *e);
/* Returns how the last launch ended: by itself, at a limit, or by a kernel's
 * fault. */
enum emu_end { EMU_END_GOOD, EMU_END_STOPPED, EMU_END_FAULT };
enum emu_end emu_launch_end(void);
/* Returns whether blocks of the last launch have waited for others. */
bool emu_blocks_waited(void);

/* ---- the running thread ---- */

/* Returns whether a kernel's thread runs, not the host. */
bool emu_in_kernel(void);
/* Makes the host run, wherever the kernel's thread was left. */
void emu_leave_kernel(void);
/* Sets threadIdx and the like to those of the only thread of one block. */
void emu_index_alone(void);
/* Notes that the running thread does what depends on the order of blocks. */
void emu_in_order(void);
/* Records a load of the running thread, whose code calls from `here`. */
void gemmviz_load(const void *from, size_t bytes, void *here);
/* Stops the running thread with a finding, as __trap() does. */
void gemmviz_trap(void *here);
/* Returns the address of the code that a signal came in; `context`: of its
 * handler. */
uintptr_t crash_pc(const void *context);

/* ---- the program's host ---- */

/* Sets the number of the host's module for __tls_get_addr(), and the
 * thread-local variables of its running thread. */
void emu_host_tls_begin(unsigned long module, void *own);
/* Return and set the thread-local variables of the host's running thread. */
void *emu_host_tls(void);
void emu_host_tls_use(void *own);
/* Finds the host's new and delete, in the libraries that its module is linked
 * with. */
void emu_host_heap(void *module);

/* ---- memory ---- */

/* Memory of a program that a launch may use. */
struct emu_memory {
	const char *name;
	uintptr_t lo, slot;
	uint64_t bytes, slot_bytes;
	uint64_t base;		/* its address in the trace */
	uint64_t unwritten;	/* bytes that may be unwritten; see uninit.h */
	uint64_t pitch, width;	/* bytes of its rows with padding; or 0 */
	uint32_t made;		/* the line in which it was allocated */
	uint32_t copy;		/* that of the copy that wrote its first */
	uint64_t copied;	/* bytes, so many and not all; 0: none did */
	bool heap;		/* kernels allocate and free parts of it */
};
/* Adds an array to the running launch, unless that runs without hooks. */
void emu_array_add(const struct emu_memory *m);
/* Returns the address in the trace of the running launch's next array. */
uint64_t emu_next_base(void);
/* Marks whole words as never written. */
void emu_mark_unwritten(uintptr_t from, uint64_t bytes);
/* Clears the unwritten words there. Returns their bytes, in runs of at least
 * `least` bytes. */
uint64_t emu_clear_unwritten(uintptr_t from, uint64_t bytes, uint64_t least);
/* Counts the bytes of unwritten words before the first written one. */
uint64_t emu_count_unwritten(uintptr_t from, uint64_t bytes);

/* ---- use of arrays by the last launch ---- */

struct emu_array {
	const char *name;
	uintptr_t lo;
	uint64_t bytes;
	bool global;
	bool allocated;		/* made by emu_array_add() */
	bool variable;		/* of the module */
	bool checked;		/* its use is known */
	/* For the functions below. */
	const struct array *array;
	size_t next;
};
/* Steps to the next array, from one that is all 0; false: there is none. */
bool emu_array_next(struct emu_array *a);

enum { EMU_READS = 1, EMU_WRITES = 2, EMU_ATOMICS = 4 };
/* Called for bytes that were used, in order; `off`: in the array. */
typedef void emu_used(void *ctx, uint64_t off, uint64_t bytes, int how);
/* Reports reads and writes of the first `most` bytes, except volatile accesses,
 * which tell a host how far a kernel is. */
void emu_array_shared(const struct emu_array *a, uint64_t most,
		      emu_used *used, void *ctx);
/* Reports reads, writes and atomics. */
void emu_array_ordered(const struct emu_array *a, emu_used *used, void *ctx);
/* Counts the bytes that were written, or else read. */
uint64_t emu_array_bytes(const struct emu_array *a, bool written);
/* Returns whether the launch may have told others than its threads how far it
 * is, by fences, volatile accesses or the system's scope. */
bool emu_launch_tells(void);
/* Returns whether the launch has told the host so by the system's scope, and
 * forgets it. */
bool emu_launch_tells_host(void);

#endif
