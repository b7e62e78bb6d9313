/*
 * address_owner: see address_owner.h.
 */
#include "emu/address_owner.h"

#include <dlfcn.h>
#include <string.h>

#include "emu/fibre.h"
#include "emu/place_name.h"
#include "emu/scheduler.h"

uint64_t owner_frame(const struct thread *t, size_t depth, uint32_t pc)
{
	uint32_t at = depth + 1 == t->depth ? pc : t->frames[depth + 1].call;

	return at + rec.text - rec.load - 1;
}

/* Finds the address of a variable in a frame; returns false if the frame does
 * not determine it. */
static bool find_var_address(const struct frame *f, const struct debug_var *v,
			     uintptr_t *lo)
{
	*lo = f->cfa + (uintptr_t)v->at;
	if (v->home == DEBUG_FRAME_ADDRESS)
		memcpy(lo, (const void *)*lo, sizeof(*lo));
	return v->home == DEBUG_FRAME || v->home == DEBUG_FRAME_ADDRESS;
}

/* Finds the variable of a frame that contains the address; `at`: the code's
 * address. Scopes are ignored when the frame's function has ended, for what
 * wgmma still writes. */
static const struct debug_var *find_frame_var(const struct frame *f,
					      uint64_t at, uintptr_t address,
					      uintptr_t *lo)
{
	const struct debug_function *in = f->function;

	for (size_t i = in ? in->var_count : 0; i-- > 0;) {
		const struct debug_var *v = &in->vars[i];

		if ((at < in->low || at >= in->high || debug_in_scope(v, at)) &&
		    find_var_address(f, v, lo) && address - *lo < v->type.bytes)
			return v;
	}
	return NULL;
}

void owner_stack(const struct thread *t, uint32_t pc, uintptr_t address,
		struct address_owner *h)
{
	const struct debug_var *v = NULL;
	uintptr_t lo = 0;

	h->stack = true;
	h->lo = address - t->stack;
	for (size_t d = t->depth; !v && d-- > 0;)
		v = find_frame_var(&t->frames[d], owner_frame(t, d, pc), address,
				   &lo);
	if (!v)
		return;
	h->var = v;
	h->lo = lo - t->stack;
	h->bytes = v->type.bytes;
	if (v->type.kind == DEBUG_AGGREGATE)
		h->array = memory_variable(&rec.memory, v, 0);
}

/* Finds the __device__ variable that contains the address; returns false if the
 * address is not in the module. */
static bool owner_module(uintptr_t address, struct address_owner *h)
{
	Dl_info info;

	if (!dladdr((void *)address, &info) ||
	    (uintptr_t)info.dli_fbase != rec.load)
		return false;
	h->module = true;
	h->lo = address;
	for (size_t i = 0; i < rec.debug->var_count; i++) {
		const struct debug_var *v = &rec.debug->vars[i];
		uintptr_t lo = rec.load + (uintptr_t)v->at;

		if (v->home != DEBUG_DATA || address - lo >= v->type.bytes)
			continue;
		h->var = v;
		h->lo = lo;
		h->bytes = v->type.bytes;
		h->array = memory_variable(&rec.memory, v, lo);
		if (place_is_constant(v->name))
			h->array->info.space = SPACE_CONSTANT;
	}
	return true;
}

/* Finds the argument, passed by its address, that contains the address. */
static bool owner_passed(uintptr_t address, struct address_owner *h)
{
	for (size_t i = 0; i < rec.passed_count; i++) {
		h->lo = rec.passed[i].lo;
		h->bytes = rec.passed[i].bytes;
		if (address - h->lo < h->bytes)
			return true;
	}
	return false;
}

/* Finds an array in the shared memory of another block of the cluster. See
 * cluster_shared.h. */
static bool owner_remote(uintptr_t address, uint64_t bytes, struct address_owner *h)
{
	uint32_t rank;
	uintptr_t own;

	h->array = memory_of_rank(&rec.memory, address, bytes, &rank, &own);
	if (!h->array)
		return false;
	h->lo = address - (own - h->array->lo);
	h->bytes = h->array->bytes;
	h->remote = rank + 1;
	return true;
}

bool owner_find(const struct thread *t, uint32_t pc, uintptr_t address,
	       uint64_t bytes, struct address_owner *h)
{
	struct array *a;

	memset(h, 0, sizeof(*h));
	h->bytes = bytes;	/* if nothing more is known of the place */
	if (address - t->stack < FIBRE_STACK) {
		owner_stack(t, pc, address, h);
		return true;
	}
	h->lo = address;
	if (is_index_word(address))
		return true;
	a = memory_at(&rec.memory, address, bytes);
	if (!a && (owner_passed(address, h) || owner_remote(address, bytes, h)))
		return true;
	if (!a)
		return owner_module(address, h);
	h->array = a;
	h->lo = a->lo;
	h->bytes = a->bytes;
	return true;
}
