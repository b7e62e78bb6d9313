/*
 * runtime_peer: which devices there are, which is the current one, whose memory
 * it may use, and copies from one to another, as the CUDA C++ Programming Guide
 * has it ("Multi-Device System") and the CUDA Runtime API ("Peer Device Memory
 * Access"). See runtime.h.
 */
#include <string.h>

#include "cudart/devices.h"
#include "cudart/program_work.h"
#include "cudart/runtime.h"
#include "cudart/stream_race.h"

static int device_error(int device)
{
	return device_is(device) ? 0 : cudaErrorInvalidDevice;
}

cudaError_t cudaGetDeviceCount(int *count, const char *file, int line);
cudaError_t cudaGetDeviceCount(int *count, const char *file, int line)
{
	*count = (int)devices.count;
	return runtime_done(0, "cudaGetDeviceCount", file, line);
}

cudaError_t cudaGetDevice(int *device, const char *file, int line);
cudaError_t cudaGetDevice(int *device, const char *file, int line)
{
	*device = (int)devices.current;
	return runtime_done(0, "cudaGetDevice", file, line);
}

/* Reports that there could be more devices. */
static void more_wanted(int device, struct place at)
{
	if (device >= 0 && device < DEVICES_MOST)
		program_problem((struct program_fault) {
			.kind = "devices", .at = at,
			.bytes = (uint64_t)device + 1, .room = devices.count });
}

cudaError_t cudaSetDevice(int device, const char *file, int line);
cudaError_t cudaSetDevice(int device, const char *file, int line)
{
	if (device_is(device))
		device_use((uint32_t)device);
	else
		more_wanted(device, program_place(file, line));
	return runtime_done(device_error(device), "cudaSetDevice", file, line);
}

cudaError_t cudaStreamGetDevice(cudaStream_t s, int *device, const char *file,
				int line);
cudaError_t cudaStreamGetDevice(cudaStream_t s, int *device, const char *file,
				int line)
{
	*device = (int)stream_device(s);
	return runtime_done(0, "cudaStreamGetDevice", file, line);
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *to, int device,
				    const char *file, int line);
cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *to, int device,
				    const char *file, int line)
{
	if (device_is(device)) {
		runtime_properties(to);
		to->pciBusID += device;
		to->uuid.bytes[15] = (char)device;
	}
	return runtime_done(device_error(device), "cudaGetDeviceProperties",
			    file, line);
}

cudaError_t cudaDeviceGetAttribute(int *to, enum cudaDeviceAttr which,
				   int device, const char *file, int line);
cudaError_t cudaDeviceGetAttribute(int *to, enum cudaDeviceAttr which,
				   int device, const char *file, int line)
{
	struct cudaDeviceProp p;
	int error = device_error(device);

	runtime_properties(&p);
	*to = 0;
	switch (which) {
#define ATTRIBUTE(name, number, value) \
	case cudaDevAttr##name: *to = value; break;
	GEMMVIZ_CUDA_ATTRIBUTES(ATTRIBUTE)
#undef ATTRIBUTE
	default:
		error = cudaErrorInvalidValue;
	}
	return runtime_done(error, "cudaDeviceGetAttribute", file, line);
}

/* ---- peers: each device may be let at each other's memory ---- */

cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer,
				    const char *file, int line);
cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer,
				    const char *file, int line)
{
	bool good = device_is(device) && device_is(peer);

	*can = good && device != peer;
	return runtime_done(good ? 0 : cudaErrorInvalidDevice,
			    "cudaDeviceCanAccessPeer", file, line);
}

cudaError_t gemmviz_peer_attribute(int *to, int which, int from, int peer,
				   const char *file, int line);
cudaError_t gemmviz_peer_attribute(int *to, int which, int from, int peer,
				   const char *file, int line)
{
	bool good = device_is(from) && device_is(peer) && from != peer;

	/* A rank of 0 is the best; the rest is supported. */
	*to = good && which > 1;
	return runtime_done(good ? 0 : cudaErrorInvalidDevice,
			    "cudaDeviceGetP2PAttribute", file, line);
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags,
				       const char *file, int line);
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags,
				       const char *file, int line)
{
	int error = !device_is(peer) || (uint32_t)peer == devices.current ?
		    cudaErrorInvalidDevice : flags ? cudaErrorInvalidValue : 0;
	bool *enabled = devices.enabled[devices.current];

	if (!error && enabled[peer])
		error = cudaErrorPeerAccessAlreadyEnabled;
	if (!error)
		enabled[peer] = true;
	return runtime_done(error, "cudaDeviceEnablePeerAccess", file, line);
}

cudaError_t cudaDeviceDisablePeerAccess(int peer, const char *file, int line);
cudaError_t cudaDeviceDisablePeerAccess(int peer, const char *file, int line)
{
	int error = device_is(peer) ? 0 : cudaErrorInvalidDevice;
	bool *enabled = devices.enabled[devices.current];

	if (!error && !enabled[peer])
		error = cudaErrorPeerAccessNotEnabled;
	if (!error)
		enabled[peer] = false;
	return runtime_done(error, "cudaDeviceDisablePeerAccess", file, line);
}

/* ---- copies ---- */

void runtime_peer_copy(uint32_t to, uint32_t from, struct place at)
{
	if (!devices.enabled[to][from] && !devices.enabled[from][to])
		program_problem((struct program_fault) {
			.kind = "staged", .at = at, .bytes = from,
			.room = to });
}

/* Reports a pointer to memory of another device than `device`; false: it is of
 * that device. */
static bool is_elsewhere(const void *p, int device, const char *what,
			 struct place at)
{
	const struct allocation *a = device_at((uintptr_t)p);
	struct program_fault f = program_fault("peer-device", at, what);

	if (a && (a->kind != ALLOCATION_DEVICE || !a->live ||
		  a->device == (uint32_t)device))
		return false;
	f.bytes = (uint64_t)device;
	f.room = a ? a->device : DEVICES_MOST;	/* none's */
	if (a)
		program_fault_about(&f, a);
	program_problem(f);
	return true;
}

/* Copies between two devices. Both functions are asynchronous for the host;
 * without a stream a copy waits for all work of the devices, and all their
 * later work waits for it. */
cudaError_t gemmviz_copy_peer(void *to, int device, const void *from,
			      int other, size_t bytes, cudaStream_t s,
			      int async, const char *file, int line);
cudaError_t gemmviz_copy_peer(void *to, int device, const void *from,
			      int other, size_t bytes, cudaStream_t s,
			      int async, const char *file, int line)
{
	const char *what = async ? "cudaMemcpyPeerAsync" : "cudaMemcpyPeer";
	struct place at = program_place(file, line);
	struct stream_work w;
	int error;

	graph_refuse(at, "copies between devices while a stream is captured");
	if (!device_is(device) || !device_is(other))
		return runtime_done(cudaErrorInvalidDevice, what, file, line);
	if (!bytes)
		return runtime_done(0, what, file, line);
	error = is_elsewhere(to, device, what, at) ||
		is_elsewhere(from, other, what, at) ? cudaErrorInvalidValue :
		runtime_copy(to, bytes, from, bytes, bytes, 1,
			     cudaMemcpyDefault, what, at);
	w = async ? stream_begin(s) :
		    stream_begin_alone(1u << device | 1u << other |
				       1u << devices.current);
	if (!error) {
		stream_race_begin(w, at, what);
		stream_race_rows(to, bytes, bytes, 1, RACE_WRITES);
		stream_race_rows(from, bytes, bytes, 1, RACE_READS);
		stream_race_end();
		work_transfer(w, s, at, what, (uint32_t)other,
			      (uint32_t)device, bytes, to, 0);
		if (device != other)
			runtime_peer_copy((uint32_t)device, (uint32_t)other,
					  at);
	}
	return runtime_done(error, what, file, line);
}
