/*
 * recording: see recording.h.
 */
#include <stdlib.h>

#include "gpu/record/recording.h"
#include "gpu/record/recording_parts.h"
#include "gpu/device/embedded.h"
#include "gpu/device/signature.h"

static int record_launch(struct gpu_recording *r, int fd, struct error *e)
{
	/* Recording code is not worth the driver's optimizing. */
	if (device_suits(r->device, r->plan.kernel, e) < 0 ||
	    recording_code(r, e) < 0 || recording_units_check(r, e) < 0 ||
	    recording_names(r, e) < 0 || recording_entry(r, e) < 0 ||
	    recording_load(r, r->ptx->text, 1, e) < 0 ||
	    recording_matrices(r, e) < 0 || recording_replay(r, fd, e) < 0)
		return -1;
	r->chosen = plan_chosen(&r->plan, &r->chosen_count);
	if (recording_state(r, e) < 0 || recording_count(r, e) < 0 ||
	    recording_room(r, e) < 0)
		return -1;
	return recording_blocks(r, e);
}

static void recording_done(struct gpu_recording *r)
{
	const CUdeviceptr memory[] = { r->slots, r->counts, r->first, r->room,
				       r->events };

	for (size_t i = 0; i < LENGTH(memory) && !r->lost; i++)
		if (memory[i])
			cuda.MemFree(memory[i]);
	for (int m = 0; m < ARGUMENT_ARRAYS; m++) {
		if (r->memory[m] && !r->lost)
			cuda.MemFree(r->memory[m]);
		free(r->contents[m]);
	}
	if (r->module && !r->lost)
		cuda.ModuleUnload(r->module);
	replay_free(r->replay);
	if (r->ptx != r->debug_ptx)
		ptx_free(r->ptx);
	ptx_free(r->debug_ptx);
	ptx_free(r->shared_ptx);
	signature_free(r->signature);
	dwarf_done(&r->names);
	dwarf_done(&r->shared_names);
	for (size_t i = 0; i < LENGTH(r->compiled); i++)
		compiled_done(&r->compiled[i]);
	for (size_t i = 0; i < r->global_count; i++)
		free(r->globals[i].was);
	free(r->globals);
	free(r->chosen);
	free(r->count);
}

int recording_make(struct job *job, const struct device *d, int fd,
		   bool *lost, struct error *e)
{
	struct gpu_recording r = { .device = d };
	int rc = plan_make(&r.plan, job, embedded_text, e);

	if (rc == 0)
		rc = plan_fits(&r.plan, e);
	while (rc == 0) {
		struct inferred_sizes assumed;

		rc = record_launch(&r, fd, e);
		recording_done(&r);
		if (rc == 0)
			rc = inferred_again(&r.assumed, fd, 0, e);
		if (rc <= 0)
			break;
		assumed = r.assumed;
		r = (struct gpu_recording){ .device = d,
					    .plan = r.plan,
					    .assumed = assumed };
		rc = 0;
	}
	*lost = r.lost;
	plan_done(&r.plan);
	return rc;
}

/* Reads the kernel's signature from its text, since nvcc's debug information
 * does not describe tensor maps. Leaves it unset for a text that cannot be
 * read. */
static void signature_take(struct gpu_recording *r)
{
	struct error unread;

	r->signature = signature_read(r->plan.text, r->entry->name, &unread);
	if (r->signature)
		signature_resolve(r->signature, r->entry->linkage);
}

int recording_plain(struct job *job, const struct device *d,
		    struct error *e)
{
	struct gpu_recording r = { .device = d };
	int rc = -1;

	if (plan_make(&r.plan, job, embedded_text, e) == 0 &&
	    device_suits(d, r.plan.kernel, e) == 0 &&
	    recording_code(&r, e) == 0 &&
	    recording_names(&r, e) == 0 && recording_entry(&r, e) == 0 &&
	    recording_load_plain(&r, e) == 0) {
		signature_take(&r);
		if (recording_matrices(&r, e) == 0 &&
		    launch_shared(&r.plan, r.function, e) == 0 &&
		    launch_spread(&r.plan, d, r.function, e) == 0)
			rc = recording_launch(&r, e);
	}
	recording_done(&r);
	plan_done(&r.plan);
	return rc;
}
