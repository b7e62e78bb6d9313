/*
 * bind: allocates a kernel's arrays in the recorder's memory, sets its
 * arguments and calls it.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/lang.h"
#include "base/text.h"
#include "emu/hooks.h"
#include "emu/launch.h"
#include "record/contents.h"

/* ---- arrays ---- */

/* Allocates and fills the array of argument a, and points the argument to
 * it. */
static int array_make(struct launch *l, struct argument *a, struct error *e)
{
	struct debug_type t = a->var->type;
	struct trace_array as;
	struct array *made;

	if (contents_array(&l->plan, a, &as, e) < 0)
		return -1;
	t.rank = as.rank;
	memcpy(t.dims, as.dims, sizeof(t.dims));
	made = memory_global(&rec.memory, as.name, &t, e);
	if (!made)
		return -1;
	contents_fill(&l->plan, a, &as, (void *)made->lo);
	contents_range(&l->plan, a, &as, (void *)made->lo);
	made->parameter = (uint32_t)(a - l->arguments);
	l->array[a->array] = made;
	a->value[0] = made->lo + a->before * as.elem_bytes;
	return 0;
}

/* Compares variables by their position in the text, which is the order of
 * shared variables in a block's window. */
static int by_declaration(const struct debug_var *x, const struct debug_var *y)
{
	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	return x->column < y->column ? -1 : x->column > y->column;
}

static int by_declaration_of(const void *a, const void *b)
{
	return by_declaration(*(const struct debug_var *const *)a,
			      *(const struct debug_var *const *)b);
}

#define SHARED_ALIGN 16

static uint64_t align_shared(uint64_t base, const struct debug_var *v)
{
	uint64_t align = MAX(v->align, SHARED_ALIGN);

	return (base + align - 1) / align * align;
}

/* Returns whether a dynamic shared array is declared in the kernel `entry` or
 * at file scope. */
static bool is_dynamic_visible(const struct debug_function *entry,
			       const struct debug_var *v)
{
	return v->high == UINT64_MAX ||
	       (v->low >= entry->low && v->high <= entry->high);
}

/* Compares dynamic shared arrays: those that the kernel sees first, each by
 * position in the text. */
static bool is_dynamic_before(const struct debug_function *entry,
			      const struct debug_var *x,
			      const struct debug_var *y)
{
	bool seen = is_dynamic_visible(entry, x);

	return seen != is_dynamic_visible(entry, y) ? seen :
						      by_declaration(x, y) < 0;
}

/* Returns whether the kernel `entry` sees dynamic shared arrays of several
 * names. */
static bool has_several_dynamic(const struct debug *d,
				const struct debug_function *entry)
{
	const char *name = NULL;

	for (size_t i = 0; i < d->var_count; i++) {
		const struct debug_var *v = &d->vars[i];

		if (v->home != DEBUG_LAUNCH || !is_dynamic_visible(entry, v))
			continue;
		if (name && strcmp(name, v->name) != 0)
			return true;
		name = v->name;
	}
	return false;
}

/*
 * Creates dynamic shared memory, whose size the launch gives, after the static
 * arrays (`base`: their bytes). All arrays that are declared without a size
 * begin there; it is named after the first. If the launch gives no size, a
 * kernel that uses it is refused; in a program it may take the address but not
 * use it.
 */
static int dynamic_shared_make(struct launch *l, uint64_t base, struct error *e)
{
	const struct debug *d = l->module->debug;
	const struct debug_var *first = NULL;
	uint32_t bytes = plan_shared(&l->plan);
	struct array *a;

	rec.dynamic_shared = 0;
	rec.dynamic_shared_missed = false;
	rec.dynamic_shared_none = NULL;
	rec.dynamic_shared_several = has_several_dynamic(d, l->entry);
	for (size_t i = 0; i < d->var_count; i++)
		if (d->vars[i].home == DEBUG_LAUNCH &&
		    (!first || is_dynamic_before(l->entry, &d->vars[i], first)))
			first = &d->vars[i];
	if (!first)
		return 0;
	l->dynamic_shared = *first;
	if (bytes == 0) {
		if (l->call) {
			rec.dynamic_shared_none = first->name;
			rec.dynamic_shared = memory_nobodys();
		}
		return 0;
	}
	l->dynamic_shared.type = debug_sized(&first->type, bytes);
	a = memory_shared(&rec.memory, &l->dynamic_shared,
			  align_shared(base, first), e);
	if (!a)
		return -1;
	rec.dynamic_shared = a->lo;
	return memory_parts(&rec.memory, a, e);
}

int launch_shared_make(struct launch *l, struct error *e)
{
	const struct debug *d = l->module->debug;
	const struct debug_var **vars = xcalloc(d->var_count + 1,
						sizeof(*vars));
	size_t n = 0;
	uint64_t base = 0;
	int rc = 0;

	rec.tls_bytes = 0;
	rec.tls_module = l->module->tls;
	for (size_t i = 0; i < d->var_count; i++)
		if (d->vars[i].home == DEBUG_TLS) {
			vars[n++] = &d->vars[i];
			rec.tls_bytes = MAX(rec.tls_bytes,
					    (size_t)d->vars[i].at + 1);
		}
	qsort(vars, n, sizeof(*vars), by_declaration_of);
	free(rec.tls);
	rec.tls = xcalloc(rec.tls_bytes + 1, sizeof(*rec.tls));
	for (size_t i = 0; i < n && rc == 0; i++) {
		struct array *a;

		base = align_shared(base, vars[i]);
		a = memory_shared(&rec.memory, vars[i], base, e);
		if (!a) {
			rc = -1;
			break;
		}
		rc = memory_parts(&rec.memory, a, e);
		rec.tls[vars[i]->at] = a->lo;
		base += a->bytes;
	}
	free(vars);
	return rc ? rc : dynamic_shared_make(l, base, e);
}

/* Returns whether an array is a __shared__ array of fixed size, as a whole. */
static bool is_static_shared(const struct array *a)
{
	return a->var && a->var->home == DEBUG_TLS && !a->whole;
}

static uint64_t declared_bytes(void)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < rec.memory.count; i++)
		if (is_static_shared(rec.memory.arrays[i]))
			bytes += rec.memory.arrays[i]->bytes;
	return bytes;
}

/* Returns whether an instruction has accessed the array or a part of it. */
static bool is_array_accessed(const struct array *a)
{
	for (size_t i = 0; i < rec.slot_count; i++) {
		const struct array *of = rec.slot[i]->array;

		if (of && (of == a || of->whole == a))
			return true;
	}
	return false;
}

/* Checks the limits of static shared memory, and of static and dynamic
 * together. Counts only arrays that this kernel uses: others may belong to
 * other kernels of the module. */
static int declared_check(const struct launch *l, struct error *e)
{
	uint64_t bytes = declared_bytes(), given = plan_shared(&l->plan);
	struct str names = { 0 };
	int rc = 0;

	/* This is asked after each cluster. */
	if (bytes <= SHARED_USUAL && bytes + given <= SHARED_MOST)
		return 0;
	bytes = 0;
	for (size_t i = 0; i < rec.memory.count; i++) {
		const struct array *a = rec.memory.arrays[i];

		if (!is_static_shared(a) || !is_array_accessed(a))
			continue;
		str_addf(&names, "%s%s", names.len ? ", " : "",
			 text_show(a->info.name));
		bytes += a->bytes;
	}
	if (bytes > SHARED_USUAL)
		rc = error_set(e, EXIT_INPUT, "%s has %" PRIu64 " bytes of "
			       "static shared memory, but a kernel has %u at "
			       "most: use extern __shared__ for more",
			       names.data, bytes, SHARED_USUAL);
	else if (bytes && bytes + given > SHARED_MOST)
		rc = error_set(e, EXIT_USAGE, "%s and its launch need "
			       "%" PRIu64 " bytes of shared memory, but a "
			       "block has %u at most",
			       names.data, bytes + given,
			       SHARED_MOST);
	str_done(&names);
	return rc;
}

int launch_shared_check(const struct launch *l, struct error *e)
{
	if (!rec.dynamic_shared_missed)
		return declared_check(l, e);
	return plan_shared_missing(l->dynamic_shared.name, e);
}

/* ---- tensor maps ---- */

#define BOX_MOST 256		/* rows, columns */
#define BOX_CHUNK 16		/* bytes */

/* Checks what cuTensorMapEncodeTiled() would refuse: the box, its swizzle and
 * the matrix's rows. -1 with e (EXIT_USAGE). */
static int tensor_check(const struct debug_var *v, const struct array *a,
			struct error *e)
{
	const struct debug_type *t = &v->type;
	uint64_t line = t->dims[1] * t->elem_bytes;
	const char *wrong = NULL;

	if (t->dims[0] == 0 || t->dims[0] > BOX_MOST || t->dims[1] == 0 ||
	    t->dims[1] > BOX_MOST)
		wrong = _("a box must have 1 to 256 rows and columns");
	else if (line % BOX_CHUNK)
		wrong = _("a row of a box must have a multiple of 16 bytes");
	else if (t->swizzle && (t->swizzle & (t->swizzle - 1) ||
				t->swizzle < 32 || t->swizzle > 128))
		wrong = _("the swizzle must be 0, 32, 64 or 128 bytes");
	else if (t->swizzle && line > t->swizzle)
		wrong = _("a row of a box must not be longer than the swizzle");
	else if (a->info.dims[1] * t->elem_bytes % BOX_CHUNK)
		wrong = _(
			"a row of the matrix must have a multiple of 16 bytes");
	if (!wrong)
		return 0;
	return error_set(e, EXIT_USAGE, "%s cannot be a tensor map: %s",
			 text_show(v->name), wrong);
}

/* ---- clusters ---- */

/* Sets rec.cluster from the kernel's attribute or the launch. -1 with e if the
 * grid has no whole clusters of that size. */
static int cluster_choose(struct launch *l, struct error *e)
{
	const struct trace_dim *grid = &l->plan.grid;

	rec.cluster = module_cluster(l->entry, e);
	if (rec.cluster == 0)
		return -1;
	if (rec.cluster == 1)
		rec.cluster = plan_cluster(&l->plan);
	if (rec.cluster > CLUSTER_MOST)
		return error_set(e, EXIT_USAGE, "clusters of %u blocks cannot "
				 "be recorded: the limit is 8, which every GPU "
				 "supports",
				 rec.cluster);
	if (grid->x % rec.cluster)
		return error_set(e, EXIT_USAGE, "a grid of %u blocks along x "
				 "is not a multiple of the cluster size, %u",
				 grid->x,
				 rec.cluster);
	rec.memory.ranks = rec.cluster;
	return 0;
}

int launch_bind(struct launch *l, struct error *e)
{
	int n = arguments_find(&l->plan, l->entry, l->arguments, e);

	if (n < 0 || cluster_choose(l, e) < 0)
		return -1;
	module_renew(l->module);
	inferred_apply(&l->assumed, l->arguments, n);
	rec.assumed = &l->assumed;
	l->argument_count = (size_t)n;
	memset(l->array, 0, sizeof(l->array));
	for (size_t i = 0; i < l->argument_count; i++) {
		struct argument *a = &l->arguments[i];

		if (a->array < 0)
			continue;
		if (array_make(l, a, e) < 0)
			return -1;
		if (a->var->type.kind != DEBUG_TENSOR_MAP)
			continue;
		if (tensor_check(a->var, l->array[a->array], e) < 0)
			return -1;
		l->tensors[i].matrix = l->array[a->array];
		a->value[0] = (uintptr_t)&l->tensors[i];
	}
	return launch_shared_make(l, e);
}

/* ---- the call ---- */

#if defined(__aarch64__)
#define INTEGERS 8
#else
#define INTEGERS 6
#endif
#define REALS 8
#define STACK 10

/*
 * Arguments as they are passed. Both calling conventions fill registers for
 * whole numbers and for reals separately, and put the rest on the stack, eight
 * bytes each. So one call with all registers full serves every signature.
 */
struct call_registers {
	uint64_t integer[INTEGERS], real[REALS], stack[STACK];
	size_t integers, reals, stacked;
};

static void stack_put(struct call_registers *to, const uint64_t *words,
		      size_t count)
{
	for (size_t i = 0; i < count && to->stacked < STACK; i++)
		to->stack[to->stacked++] = words[i];
}

/* Puts words into floating-point registers; returns false if too few are
 * left. */
static bool reals_put(struct call_registers *to, const uint64_t *words,
		      size_t count)
{
	if (to->reals + count > REALS) {
		to->reals = REALS;
		return false;
	}
	memcpy(&to->real[to->reals], words, count * sizeof(*words));
	to->reals += count;
	return true;
}

/* Passes a real or a vector of reals: in floating-point registers (x86-64:
 * eight bytes each, AArch64: an element each), or else on the stack. */
static void value_put(struct call_registers *to, const struct debug_type *t,
		      const uint64_t *value)
{
	size_t words = (t->bytes + 7) / 8;
#if defined(__aarch64__)
	size_t count = t->bytes / t->elem_bytes;
	uint64_t each[REALS] = { 0 };

	for (size_t i = 0; i < count && i < REALS; i++)
		memcpy(&each[i], (const char *)value + i * t->elem_bytes,
		       t->elem_bytes);
	if (reals_put(to, each, count))
		return;
#else
	if (words <= 2 && reals_put(to, value, words))
		return;
#endif
	stack_put(to, value, words);
}

/* Passes argument a. `copy`: its value on the thread's own stack. */
static void argument_put(struct call_registers *to, const struct argument *a,
			 const uint64_t *copy)
{
	const struct debug_type *t = &a->var->type;
	uint64_t at = (uintptr_t)copy;
	/* Reals of 16 bits have a constructor, and go by their address. */
	bool by_address = t->elem_bytes == 2 && elem_is_real(t->elem) &&
			  a->array < 0;

	if (!by_address && (t->kind == DEBUG_REAL ||
			    t->kind == DEBUG_AGGREGATE))
		value_put(to, t, copy);
	else if (to->integers < INTEGERS)
		to->integer[to->integers++] = by_address ? at : *copy;
	else
		stack_put(to, by_address ? &at : copy, 1);
}

static void function_call(uintptr_t at, const struct call_registers *r)
{
	typedef void function(uint64_t, uint64_t, uint64_t, uint64_t,
			      uint64_t, uint64_t,
#if INTEGERS == 8
			      uint64_t, uint64_t,
#endif
			      double, double, double, double, double, double,
			      double, double, uint64_t, uint64_t, uint64_t,
			      uint64_t, uint64_t, uint64_t, uint64_t,
			      uint64_t, uint64_t, uint64_t);
	const uint64_t *i = r->integer, *s = r->stack;
	double d[REALS];

	memcpy(d, r->real, sizeof(d));
	((function *)at)(i[0], i[1], i[2], i[3], i[4], i[5],
#if INTEGERS == 8
			 i[6], i[7],
#endif
			 d[0], d[1], d[2], d[3], d[4], d[5], d[6], d[7],
			 s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7], s[8],
			 s[9]);
}

void launch_call(const struct launch *l)
{
	uint64_t copies[ARGUMENTS_MOST][ARGUMENT_WORDS];
	struct call_registers r = { .integers = 0 };
	const struct stub_call *c = rec.fast ? l->fast_call : l->call;

	if (c) {
		stub_run(c, (const void *)c->stack, l->stack_words,
			  rec.fast ? l->fast_code : l->code);
		return;
	}
	for (size_t i = 0; i < l->argument_count; i++) {
		memcpy(copies[i], l->arguments[i].value, sizeof(copies[i]));
		argument_put(&r, &l->arguments[i], copies[i]);
	}
	function_call(l->module->load + l->entry->low, &r);
}

void launch_registers(const struct argument *arguments, size_t count,
		      struct stub_call *c, uint64_t *stack)
{
	struct call_registers r = { .integers = 0 };

	for (size_t i = 0; i < count; i++)
		argument_put(&r, &arguments[i], arguments[i].value);
	memcpy(c->integer, r.integer, sizeof(c->integer));
	for (size_t i = 0; i < REALS; i++)
		memcpy(c->real[i], &r.real[i], sizeof(r.real[i]));
	memcpy(stack, r.stack, sizeof(r.stack));
}

/* ---- results ---- */

void *launch_fetch(void *launch, int argument, struct error *e)
{
	const struct launch *l = launch;
	const struct array *a = l->array[l->arguments[argument].array];
	void *copy = xmalloc(a->bytes);

	(void)e;
	return memcpy(copy, (const void *)a->lo, a->bytes);
}
