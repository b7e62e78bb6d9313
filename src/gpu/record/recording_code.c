/*
 * recording_code: makes the machine code that runs, and finds the names in it.
 * See recording_parts.h.
 */
#include <stdlib.h>
#include <string.h>

#include "base/lang.h"
#include "base/text.h"
#include "gpu/device/embedded.h"
#include "gpu/record/recording_parts.h"
#include "gpu/device/signature.h"

/* Finds the entry of a text that contains only one kernel. */
static int entry_name(struct plan *p, struct error *e)
{
	struct debug_function *f;

	if (p->kernel || p->job.kernel.entry)
		return 0;
	f = signature_read(p->text, NULL, e);
	if (!f)
		return -1;
	p->job.kernel.entry = xstrdup(f->name);
	signature_free(f);
	return 0;
}

static int code_compile(const struct gpu_recording *r, enum compile_for what,
			struct compiled *to, struct error *e)
{
	const struct job_kernel *k = &r->plan.job.kernel;

	return nvrtc_compile(to, what, k, r->plan.text,
			     r->plan.kernel ? r->plan.kernel->entry : k->entry,
			     r->device->major, r->device->minor, e);
}

int recording_code(struct gpu_recording *r, struct error *e)
{
	const struct embedded *s = embedded_find(&r->plan);
	bool optimized = r->plan.job.optimized;
	struct error no_names;

	if (s) {
		r->debug = s->ptx_debug;
		r->optimized = optimized ? s->ptx_optimized : NULL;
		return 0;
	}
	if (entry_name(&r->plan, e) < 0 ||
	    code_compile(r, COMPILE_DEBUG, &r->compiled[0], e) < 0 ||
	    (optimized &&
	     code_compile(r, COMPILE_OPTIMIZED, &r->compiled[2], e) < 0))
		return -1;
	/* A text that cannot do without the word __shared__ goes without. */
	code_compile(r, COMPILE_NAMES, &r->compiled[1], &no_names);
	r->debug = r->compiled[0].code;
	r->shared = r->compiled[1].code;
	r->optimized = r->compiled[2].code;
	return 0;
}

/* Refuses code that uses units whose accesses are not instructions of a
 * thread. */
int recording_units_check(const struct gpu_recording *r, struct error *e)
{
	static const struct { const char *start, *what;
	} units[] = {
		{ "cp.async.bulk", "TMA" },
		{ "wgmma.", "wgmma" },
		{ "mbarrier.", "mbarriers" },
		{ "mapa.", N_("shared memory of other blocks") },
	};

	for (size_t i = 0; i < LENGTH(units); i++)
		if (strstr(r->debug, units[i].start))
			return error_set(e, EXIT_USAGE,
					 "%s uses %s, which "
					 "cannot be recorded on the GPU; it "
					 "can be recorded on the CPU",
					 text_show(r->plan.job.kernel.file),
					 _(units[i].what));
	return 0;
}

static struct ptx *instrument_code(const char *code, struct error *e)
{
	return ptx_instrument(code, strlen(code), embedded_record_ptx, e);
}

int recording_names(struct gpu_recording *r, struct error *e)
{
	r->debug_ptx = instrument_code(r->debug, e);
	if (!r->debug_ptx || dwarf_read(&r->names, r->debug_ptx, e) < 0)
		return -1;
	if (r->shared) {
		r->shared_ptx = instrument_code(r->shared, e);
		if (!r->shared_ptx ||
		    dwarf_read(&r->shared_names, r->shared_ptx, e) < 0)
			return -1;
	}
	r->ptx = r->optimized ? instrument_code(r->optimized, e) : r->debug_ptx;
	return r->ptx ? 0 : -1;
}

static bool is_entry(const struct ptx *p, const char *linkage)
{
	for (size_t i = 0; i < p->function_count; i++)
		if (p->functions[i].entry &&
		    !strcmp(p->functions[i].name, linkage))
			return true;
	return false;
}

int recording_entry(struct gpu_recording *r, struct error *e)
{
	const struct debug *d = r->names.debug;
	const char *wanted = r->plan.kernel ? r->plan.kernel->entry :
			     r->plan.job.kernel.entry;
	const char *linkage = r->compiled[0].entry;

	for (size_t i = 0; i < d->function_count && !r->entry; i++)
		if (is_entry(r->debug_ptx, d->functions[i].linkage) &&
		    (linkage ? !strcmp(linkage, d->functions[i].linkage) :
			       !strcmp(wanted, d->functions[i].name)))
			r->entry = &d->functions[i];
	if (r->entry)
		return 0;
	return error_set(e, EXIT_USAGE, "there is no kernel %s in %s",
			 text_show(wanted), text_show(r->plan.job.kernel.file));
}

int recording_load(struct gpu_recording *r, const char *code, int level,
		   struct error *e)
{
	char log[1024] = "";
	CUjit_option options[] = { CU_JIT_ERROR_LOG_BUFFER,
				   CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES,
				   CU_JIT_OPTIMIZATION_LEVEL };
	void *values[] = { log, (void *)(uintptr_t)sizeof(log),
			   (void *)(uintptr_t)level };
	CUresult c = cuda.ModuleLoadDataEx(&r->module, code, LENGTH(options),
					   options, values);

	if (c != CUDA_SUCCESS) {
		cuda_check(e, "cuModuleLoadDataEx", c);
		log[strcspn(log, "\n")] = '\0';
		return log[0] ? error_set(e, EXIT_RUNNER, "the driver rejects "
					  "the code of %s: %s", text_show(
						  r->plan.job.kernel.file),
					  text_show(log)) : -1;
	}
	return CUDA_TRY(e, ModuleGetFunction, &r->function, r->module,
			r->entry->linkage);
}

/* Loads the code without recording: with accesses as in the source, or the
 * build that is timed. */
int recording_load_plain(struct gpu_recording *r, struct error *e)
{
	const struct embedded *s = embedded_find(&r->plan);
	struct compiled timed = { 0 };
	char *plain;
	int rc;

	if (!r->plan.job.optimized) {
		plain = ptx_plain(r->debug, strlen(r->debug), e);
		rc = plain ? recording_load(r, plain, 0, e) : -1;
		free(plain);
		return rc;
	}
	if (s)
		return recording_load(r, s->fatbin, 4, e);
	rc = code_compile(r, COMPILE_TIMED, &timed, e);
	if (rc == 0)
		rc = recording_load(r, timed.code, 4, e);
	compiled_done(&timed);
	return rc;
}
