/*
 * control: records basic blocks, calls and barriers, for which the compiler
 * inserts calls. See hooks.h.
 */
#include "emu/hang_check.h"
#include "emu/fibre.h"
#include "emu/recording.h"

static __attribute__((noinline)) void end_tick(void)
{
	rec.ticks = TICK;
	rec.tick();
	if (rec.stop)
		thread_stop();
}

static uint32_t text_offset(const void *here)
{
	return (uint32_t)((uintptr_t)here - rec.text);
}

/* Returns the slot of the hook at pc; creates it at its first call. */
static ALWAYS_INLINE struct access_site *control_slot(uintptr_t pc,
					       enum warp_event_kind kind)
{
	struct access_site *s = rec.slots[pc - rec.text];

	return likely(s) ? s : resolve_control((uint32_t)(pc - rec.text), kind);
}

/* Returns the slot for a thread's place in code without hooks: unknown. */
static const struct access_site *fast_slot(void)
{
	static const struct access_site nowhere = { .op = OP_SYNC, .silent = true };

	return &nowhere;
}

void thread_at(struct thread *t, void *here)
{
	settle_store(t);
	hang_unsure();
	t->at = rec.fast ? fast_slot() :
			   resolve_control(text_offset(here), WARP_BLOCK);
}

/* Keeps the basic block that a thread enters whose events are not. */
static ALWAYS_INLINE void keep_block(struct thread *t,
				     const struct access_site *s)
{
	t->blocks[t->block_count++ % BLOCKS_KEPT] = s;
}

static __attribute__((noinline)) void record_basic_block(uintptr_t pc)
{
	struct thread *t = rec.thread;
	struct access_site *s;

	settle_store(t);
	s = control_slot(pc, WARP_BLOCK);
	t->at = s;
	if (--rec.ticks == 0)
		end_tick();
	if (!t->record)
		keep_block(t, s);
	else if (s->id != NO_EVENT)
		push_control(t, s->id);
}

void __sanitizer_cov_trace_pc(void);
void __sanitizer_cov_trace_pc(void)
{
	struct thread *t = rec.thread;
	struct access_site *s;

	if (unlikely(!t))
		return;
	s = rec.slots[CALLER - rec.text];
	if (unlikely(!s || !settle_plain(t) || rec.ticks == 1 ||
		     (t->count >= t->full && (t->record || rec.proving)))) {
		record_basic_block(CALLER);
		if (unlikely(rec.proving))
			hang_block();
		return;
	}
	rec.ticks--;
	t->at = s;
	if (!t->record) {
		keep_block(t, s);
		return;
	}
	if (s->id == NO_EVENT ||
	    (t->controls && control_again(t, s->id)))
		return;
	t->id[t->count++] = s->id;
	t->controls++;
}

/* Returns whether the call that returns to `from` is made by a CUDA builtin,
 * which has no hooks, and not by the function that the thread was in. */
static bool is_called_by_builtin(const struct thread *t, uintptr_t from)
{
	const struct debug_function *in =
		debug_function_at(rec.debug, from - rec.load - 1);

	return in && in != t->frames[t->depth - 2].function;
}

/*
 * Returns the slot whose event stands for a call. If a CUDA builtin calls
 * (cub::BlockReduce its operator, say), the call is placed right before the
 * builtin's own events, so that lanes that do not call wait there for those
 * that do.
 */
static const struct access_site *call_slot(const struct thread *t, uintptr_t from)
{
	struct access_site *s = control_slot(from, WARP_ENTER);

	if (!s->caller)
		s->caller = is_called_by_builtin(t, from) ? CALLER_WORD :
							    CALLER_TEXT;
	if (s->caller == CALLER_TEXT || !t->at || t->at->pc < 2)
		return s;
	return resolve_control(t->at->pc - 2, WARP_ENTER);
}

/* Records a call. `call`: the return address into the caller; the frame is
 * found from this function's own. */
void __tsan_func_entry(void *call);
void __tsan_func_entry(void *call)
{
	struct thread *t = rec.thread;
	uintptr_t fp = *(uintptr_t *)__builtin_frame_address(0);
	uintptr_t from = (uintptr_t)call;

	if (!t)
		return;
	settle_store(t);
	/* What a library calls, qsort() say, is called from nowhere. */
	if (unlikely(from - rec.text >= rec.text_bytes))
		from = CALLER;
	if (!resolve_enter(t, CALLER, from, fp))
		return;
	if (unlikely(rec.peek != NULL)) {
		rec.peek(t);
		t->state = THREAD_STOPPED;
		fibre_yield();
	}
	if (t->depth > 1 && t->record) {
		add_thread_event(t, call_slot(t, from)->id, 0);
		t->controls = 0;
	}
}

void __tsan_func_exit(void);
void __tsan_func_exit(void)
{
	struct thread *t = rec.thread;

	if (!t || t->depth == 0)
		return;
	settle_store(t);
	t->left = (uint32_t)(CALLER - rec.text);
	if (resolve_leave(t) && t->depth > 0 && t->record) {
		add_thread_event(t, control_slot(CALLER, WARP_LEAVE)->id, 0);
		t->controls = 0;
	}
}

static void record_sync(struct thread *t, struct access_site *s)
{
	t->at = s;
	hang_unsure();
	if (!t->record || !count_event(t))
		return;
	if (unlikely(rec.watched != NULL))
		call_watch(t, s);
	add_thread_event(t, s->id, 0);
}

void gemmviz_syncthreads(void *here);
void gemmviz_syncthreads(void *here)
{
	struct thread *t = rec.thread;

	if (!t)
		return;
	if (rec.fast) {
		t->at = fast_slot();
	} else {
		settle_store(t);
		record_sync(t, resolve_control(text_offset(here), WARP_ACCESS));
	}
	t->state = THREAD_AT_BARRIER;
	fibre_yield();
}

void __syncthreads(void);
void __syncthreads(void)
{
	gemmviz_syncthreads(__builtin_return_address(0));
}

void thread_sync(void *here)
{
	struct thread *t = rec.thread;

	if (rec.fast) {
		t->at = fast_slot();
		return;
	}
	settle_store(t);
	record_sync(t, resolve_sync(text_offset(here)));
}

void thread_wait(struct wait *w)
{
	struct thread *t = rec.thread;

	if (w->over(t, w->on))
		return;
	t->wait = w;
	t->state = THREAD_AT_WAIT;
	fibre_yield();
}

/*
 * Returns the address of a __shared__ variable: modules are linked so that they
 * call this in place of __tls_get_addr(). An offset that is no variable of the
 * text is the guard of a variable with a constructor, which the compiler wants
 * to run once: it gets the first byte of the module, which is not 0, so that
 * the constructor counts as done.
 */
struct tls_index { unsigned long module, offset; };
void *__tls_get_addr(const struct tls_index *i);
void *__wrap___tls_get_addr(const struct tls_index *i);
void *__wrap___tls_get_addr(const struct tls_index *i)
{
	uintptr_t at = i->offset < rec.tls_bytes ? rec.tls[i->offset] : 0;

	if (likely(i->module && i->module == rec.tls_module))
		return (void *)(at ? at : rec.load);
	/* A program's code without hooks has all of it in one piece. */
	if (rec.host_tls.module && i->module == rec.host_tls.module)
		return (char *)(rec.thread ? rec.host_tls.shared :
				rec.host_tls.own) + i->offset;
	/* A variable of the C++ library or of another library. */
	if (i->module)
		return __tls_get_addr(i);
	if (rec.fast)
		return rec.host_tls.dynamic;
	/* Not in this module or any other: see module.c. */
	if (!rec.dynamic_shared && rec.thread) {
		rec.dynamic_shared_missed = true;
		rec.stop = true;
		thread_stop();
	}
	return (void *)rec.dynamic_shared;
}
