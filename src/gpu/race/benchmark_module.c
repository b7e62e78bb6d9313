/*
 * benchmark_module: see benchmark_module.h.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gpu/race/benchmark_module.h"
#include "gpu/device/embedded.h"
#include "gpu/device/signature.h"
#include "toolkit/nvrtc.h"

/* At once: a compiler takes a few hundred megabytes. */
#define MOST_THREADS 8

/* One on its way. */
struct build {
	const struct plan *plan;
	const struct device *device;
	struct benchmark_module made;
	int rc;
	struct error e;
	pthread_t thread;
	bool threaded;
};

static void unload_module(struct benchmark_module *m)
{
	if (m->module)
		cuda.ModuleUnload(m->module);
	m->module = NULL;
}

static void drop_module(struct benchmark_module *m)
{
	unload_module(m);
	compiled_done(&m->compiled);
	free(m->key);
	signature_free(m->signature);
}

void benchmark_modules_unload(struct benchmark_modules *all)
{
	for (size_t i = 0; i < all->count; i++)
		unload_module(&all->list[i]);
}

void benchmark_modules_done(struct benchmark_modules *all)
{
	for (size_t i = 0; i < all->count; i++)
		drop_module(&all->list[i]);
	free(all->list);
}

/* ---- a build ---- */

static void build_begin(struct build *b, const struct plan *p,
			const struct device *d)
{
	const char *entry = p->kernel ? p->kernel->entry : p->job.kernel.entry;

	*b = (struct build) { .plan = p, .device = d,
			      .made = { .key = plan_key(p),
					.stored = embedded_find(p) } };
	b->made.signature = signature_read(p->text, entry, &b->e);
	b->rc = b->made.signature ? 0 : -1;
}

/* Compiles a module: the part that takes long and may run on any thread. */
static void *build_compile(void *of)
{
	struct build *b = of;
	const struct plan *p = b->plan;

	if (b->rc == 0 && !b->made.stored)
		b->rc = nvrtc_compile(&b->made.compiled, COMPILE_TIMED,
				      &p->job.kernel, p->text,
				      b->made.signature->name, b->device->major,
				      b->device->minor, &b->e);
	return NULL;
}

/* Adds the module to `all`; NULL when the build failed. */
static struct benchmark_module *build_end(struct build *b,
					  struct benchmark_modules *all)
{
	if (b->rc < 0) {
		drop_module(&b->made);
		return NULL;
	}
	grow(&all->list, &all->capacity, all->count + 1, sizeof(*all->list));
	all->list[all->count] = b->made;
	return &all->list[all->count++];
}

/* ---- on the GPU ---- */

static int code_load(struct benchmark_module *m, const char *code,
		     const char *entry, struct error *e)
{
	signature_resolve(m->signature, entry);
	if (CUDA_TRY(e, ModuleLoadDataEx, &m->module, code, 0, NULL,
		     NULL) < 0) {
		m->module = NULL;
		if (!cuda_sticky(cuda_last()))
			e->status = EXIT_USAGE;
		return -1;
	}
	return CUDA_TRY(e, ModuleGetFunction, &m->function, m->module, entry);
}

static int load_module(struct benchmark_module *m, struct error *e)
{
	char *entry;
	int rc;

	if (m->module)
		return 0;
	if (!m->stored)
		return code_load(m, m->compiled.code, m->compiled.entry, e);
	entry = compile_entry(m->stored->ptx_debug, m->signature->name);
	if (entry)
		rc = code_load(m, m->stored->fatbin, entry, e);
	else
		rc = error_set(e, EXIT_RUNNER, "%s has no entry %s",
			       m->stored->name, m->signature->name);
	free(entry);
	return rc;
}

/* ---- one, and several ---- */

/* Finds a plan's module; NULL when it was not made. */
static struct benchmark_module *module_find(const struct benchmark_modules *all,
					    const struct plan *p)
{
	struct benchmark_module *found = NULL;
	char *key = plan_key(p);

	for (size_t i = 0; i < all->count; i++)
		if (!strcmp(all->list[i].key, key))
			found = &all->list[i];
	free(key);
	return found;
}

const struct benchmark_module *
benchmark_module_make(struct benchmark_modules *all, const struct plan *p,
		      const struct device *d, struct error *e)
{
	struct benchmark_module *m = module_find(all, p);
	struct build b;

	if (!m) {
		build_begin(&b, p, d);
		build_compile(&b);
		m = build_end(&b, all);
		if (!m) {
			*e = b.e;
			return NULL;
		}
	}
	return load_module(m, e) < 0 ? NULL : m;
}

static void build_several(struct benchmark_modules *all, struct build *b,
			  size_t count)
{
	for (size_t i = 0; i < count; i++)
		b[i].threaded = pthread_create(&b[i].thread, NULL,
					       build_compile, &b[i]) == 0;
	for (size_t i = 0; i < count; i++) {
		if (b[i].threaded)
			pthread_join(b[i].thread, NULL);
		else
			build_compile(&b[i]);
		build_end(&b[i], all);
	}
}

void benchmark_modules_ahead(struct benchmark_modules *all,
			     const struct plan *plans, size_t count,
			     const struct device *d)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	size_t most = (size_t)MAX(MIN(processors, MOST_THREADS), 1), n = 0;
	struct build b[MOST_THREADS];
	struct error e;

	/* Which threads would open it at once. */
	if (nvrtc_open(&e) < 0)
		return;
	for (size_t i = 0; i < count; i++) {
		if (!module_find(all, &plans[i]))
			build_begin(&b[n++], &plans[i], d);
		if (n == most || i + 1 == count) {
			build_several(all, b, n);
			n = 0;
		}
	}
}
