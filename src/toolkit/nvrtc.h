/*
 * nvrtc: NVIDIA's compiler as a library, opened while running, so that the
 * program needs neither it nor its header to be built. nvrtc.F is nvrtcF, which
 * may be called once nvrtc_open() has returned 0.
 */
#ifndef TOOLKIT_NVRTC_H
#define TOOLKIT_NVRTC_H

#include "base/base.h"

/* These never changed. */
typedef struct nvrtc_program *nvrtcProgram;
typedef int nvrtcResult;
#define NVRTC_SUCCESS 0

#define NVRTC_FUNCTIONS(F) \
	F(GetErrorString, const char *, (nvrtcResult)) \
	F(Version, nvrtcResult, (int *, int *)) \
	F(GetNumSupportedArchs, nvrtcResult, (int *)) \
	F(GetSupportedArchs, nvrtcResult, (int *)) \
	F(CreateProgram, nvrtcResult, (nvrtcProgram *, const char *, \
				       const char *, int, const char *const *, \
				       const char *const *)) \
	F(DestroyProgram, nvrtcResult, (nvrtcProgram *)) \
	F(CompileProgram, nvrtcResult, (nvrtcProgram, int, \
					const char *const *)) \
	F(GetPTXSize, nvrtcResult, (nvrtcProgram, size_t *)) \
	F(GetPTX, nvrtcResult, (nvrtcProgram, char *)) \
	F(GetCUBINSize, nvrtcResult, (nvrtcProgram, size_t *)) \
	F(GetCUBIN, nvrtcResult, (nvrtcProgram, char *)) \
	F(GetProgramLogSize, nvrtcResult, (nvrtcProgram, size_t *)) \
	F(GetProgramLog, nvrtcResult, (nvrtcProgram, char *)) \
	F(AddNameExpression, nvrtcResult, (nvrtcProgram, const char *)) \
	F(GetLoweredName, nvrtcResult, (nvrtcProgram, const char *, \
					const char **))

#define NVRTC_MEMBER(name, type, arguments) type (*name) arguments;
struct nvrtc { NVRTC_FUNCTIONS(NVRTC_MEMBER) };
extern struct nvrtc nvrtc;

/* Opens the library once and remembers how that went. -1 with e (EXIT_RUNNER),
 * which says what is missing. */
int nvrtc_open(struct error *e);
/* Returns the folder from which NVRTC was loaded; NULL when not known. */
const char *nvrtc_folder(void);

#endif
