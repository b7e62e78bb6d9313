/*
 * devices: see devices.h.
 */
#include "cudart/devices.h"

#include "cudart/runtime.h"

struct devices devices = { .count = 1 };

void device_use(uint32_t device)
{
	if (device != devices.current)
		device_variables_swap(devices.current, device);
	devices.current = device;
}

bool device_may_use(uint32_t device, const struct allocation *a)
{
	if (a->kind != ALLOCATION_DEVICE || a->device == device)
		return true;
	return a->pool ? runtime_pool_access(a, device) :
			 devices.enabled[device][a->device];
}

bool device_is(int device)
{
	return device >= 0 && (uint32_t)device < devices.count;
}

bool device_has_peers(uint32_t device)
{
	for (uint32_t i = 0; i < devices.count; i++)
		if (devices.enabled[device][i])
			return true;
	return runtime_pool_shared(device);
}
