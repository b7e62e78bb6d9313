/*
 * device: the GPU. See device.h.
 */
#include <string.h>
#include <unistd.h>

#include "base/lang.h"
#include "gpu/device/device.h"

static int uuid_read(struct device *d, struct error *e)
{
	CUuuid id;
	char *to = d->uuid;

	if (CUDA_TRY(e, DeviceGetUuid, &id, d->device) < 0)
		return -1;
	to += sprintf(to, "GPU-");
	for (size_t i = 0; i < sizeof(id.bytes); i++)
		to += sprintf(to, "%s%02x",
			      i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "",
			      (unsigned char)id.bytes[i]);
	return 0;
}

int device_open(struct device *d, struct error *e)
{
	memset(d, 0, sizeof(*d));
	if (cuda_open(e) < 0)
		return -1;
	if (CUDA_TRY(e, DeviceGet, &d->device, 0) < 0 ||
	    CUDA_TRY(e, DeviceGetName, d->name, sizeof(d->name),
		     d->device) < 0 || uuid_read(d, e) < 0) {
		e->status = EXIT_GPU;
		return -1;
	}
	d->major = device_attribute(d,
			CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
	d->minor = device_attribute(d,
			CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
	return 0;
}

int device_begin(struct device *d, struct error *e)
{
	if (d->context)
		return 0;
	if (CUDA_TRY(e, DevicePrimaryCtxRetain, &d->context, d->device) == 0 &&
	    CUDA_TRY(e, CtxSetCurrent, d->context) == 0)
		return 0;
	d->context = NULL;
	return -1;
}

int device_suits(const struct device *d, const struct kernel *k,
		 struct error *e)
{
	int arch = d->major * 10 + d->minor;

	if (!k || (k->arch_only ? arch == k->arch : arch >= k->arch))
		return 0;
	return error_set(
		e, EXIT_USAGE, "%s needs sm_%d%s, this GPU is sm_%d", k->name,
		k->arch,
		k->arch_only ? _("a and nothing else") : _(" or newer"), arch);
}

int device_attribute(const struct device *d, CUdevice_attribute a)
{
	int v;

	return cuda.DeviceGetAttribute(&v, a, d->device) == CUDA_SUCCESS ? v :
									   NA;
}

double device_bandwidth(const struct device *d)
{
	double khz = device_attribute(d, CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE);
	int bits = device_attribute(d,
		CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH);

	return khz > 0 && bits > 0 ? khz * 1e-6 * 2 * bits / 8 : NA;
}

/* ---- what it is ---- */

static json_t *json_or_null(double v)
{
	return v < 0 ? json_null() : json_real(v);
}

static json_t *attribute_json(const struct device *d, CUdevice_attribute a)
{
	int v = device_attribute(d, a);

	return v < 0 ? json_null() : json_integer(v);
}

/* Returns a clock in MHz; the driver reports kHz. */
static json_t *clock_mhz(const struct device *d, CUdevice_attribute a)
{
	int khz = device_attribute(d, a);

	return json_or_null(khz > 0 ? khz / 1000.0 : NA);
}

/* Multiply-adds of fp32 a clock and SM: CUDA C++ Programming Guide,
 * throughput of native arithmetic instructions. */
static json_t *fp32_lanes(const struct device *d)
{
	switch (d->major * 10 + d->minor) {
	case 70: case 72: case 75: case 80:
		return json_integer(64);
	case 86: case 87: case 89: case 90: case 100: case 103: case 120:
		return json_integer(128);
	default:
		return json_null();
	}
}

static json_t *driver_version(void)
{
	char text[NVML_TEXT] = "";

	if (nvml_open(NULL) < 0 ||
	    nvml.SystemGetDriverVersion(text, sizeof(text)) != 0)
		return json_null();
	return json_string(text);
}

/* Returns the driver's CUDA version as text; the driver's 13000 gives
 * "13.0". */
static json_t *cuda_version(void)
{
	int v;

	if (cuda.DriverGetVersion(&v) != CUDA_SUCCESS)
		return json_null();
	return json_sprintf("%d.%d", v / 1000, v % 1000 / 10);
}

static json_t *blas_version(void)
{
	static const libraryPropertyType parts[] = { MAJOR_VERSION,
						     MINOR_VERSION,
						     PATCH_LEVEL };
	int v[LENGTH(parts)];

	if (blas_open(NULL) < 0)
		return json_null();
	for (size_t i = 0; i < LENGTH(parts); i++)
		if (blas.GetProperty(parts[i], &v[i]) !=
		    CUBLAS_STATUS_SUCCESS)
			return json_null();
	return json_sprintf("%d.%d.%d", v[0], v[1], v[2]);
}

static json_t *strip_host_name(void)
{
	char name[256] = "";

	if (gethostname(name, sizeof(name) - 1) < 0)
		return json_null();
	return json_string(name);
}

static json_t *device_memory_json(const struct device *d)
{
	size_t bytes;

	if (cuda.DeviceTotalMem(&bytes, d->device) != CUDA_SUCCESS)
		return json_null();
	return json_integer((json_int_t)bytes);
}

json_t *device_machine(const struct device *d)
{
	return json_pack(
		"{ss ss so so so so so so so so so so so so}", "gpu", d->name,
		"uuid", d->uuid, "compute",
		json_sprintf("%d.%d", d->major, d->minor), "driver",
		driver_version(), "cuda", cuda_version(), "cublas",
		blas_version(), "sms",
		attribute_json(d, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT),
		"memory_bytes", device_memory_json(d), "l2_bytes",
		attribute_json(d, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE),
		"clock_mhz", clock_mhz(d, CU_DEVICE_ATTRIBUTE_CLOCK_RATE),
		"memory_clock_mhz",
		clock_mhz(d, CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE), "bus_bits",
		attribute_json(d, CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH),
		"fp32_lanes", fp32_lanes(d), "host", strip_host_name());
}

/* ---- how it is ---- */

/* Returns the device's NVML handle; NULL without NVML. */
static nvml_device nvml_handle(const struct device *d)
{
	static nvml_device handle;
	static bool tried;

	if (!tried) {
		tried = true;
		if (nvml_open(NULL) < 0 ||
		    nvml.DeviceGetHandleByUUID(d->uuid, &handle) != 0)
			handle = NULL;
	}
	return handle;
}

double device_clock(const struct device *d)
{
	nvml_device handle = nvml_handle(d);
	unsigned mhz;

	if (!handle || nvml.DeviceGetClockInfo(handle, NVML_CLOCK_SM, &mhz))
		return NA;
	return mhz;
}

json_t *device_gauge(const struct device *d)
{
	nvml_device handle = nvml_handle(d);
	double mhz = device_clock(d);
	unsigned power, celsius;

	if (!handle)
		return json_pack("{sn sn sn}", "clock_mhz", "watts",
				 "celsius");
	return json_pack("{so so so}", "clock_mhz",
		mhz == NA ? json_null() : json_real(mhz), "watts",
		nvml.DeviceGetPowerUsage(handle, &power) ?
		json_null() : json_real(power / 1000.0), "celsius",
		nvml.DeviceGetTemperature(handle, NVML_TEMPERATURE_GPU,
					  &celsius) ?
		json_null() : json_real(celsius));
}
