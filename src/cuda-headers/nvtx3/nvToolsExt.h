/* NVTX: what a program marks for a profiler, which there is none of here. */
#ifndef GEMMVIZ_NVTX_H
#define GEMMVIZ_NVTX_H

#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

#define NVTX_VERSION 3
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE sizeof(nvtxEventAttributes_t)
#define NVTX_SUCCESS 0
#define NVTX_NO_PUSH_POP_TRACKING (-2)

typedef uint64_t nvtxRangeId_t;
typedef struct nvtxDomainRegistration_st *nvtxDomainHandle_t;
typedef struct nvtxStringRegistration_st *nvtxStringHandle_t;
typedef struct nvtxResourceHandle *nvtxResourceHandle_t;

typedef enum { NVTX_COLOR_UNKNOWN, NVTX_COLOR_ARGB } nvtxColorType_t;
typedef enum {
	NVTX_MESSAGE_UNKNOWN, NVTX_MESSAGE_TYPE_ASCII,
	NVTX_MESSAGE_TYPE_UNICODE, NVTX_MESSAGE_TYPE_REGISTERED
} nvtxMessageType_t;
typedef enum {
	NVTX_PAYLOAD_UNKNOWN, NVTX_PAYLOAD_TYPE_UNSIGNED_INT64,
	NVTX_PAYLOAD_TYPE_INT64, NVTX_PAYLOAD_TYPE_DOUBLE,
	NVTX_PAYLOAD_TYPE_UNSIGNED_INT32, NVTX_PAYLOAD_TYPE_INT32,
	NVTX_PAYLOAD_TYPE_FLOAT
} nvtxPayloadType_t;

typedef union {
	const char *ascii;
	const wchar_t *unicode;
	nvtxStringHandle_t registered;
} nvtxMessageValue_t;
typedef struct {
	uint16_t version, size;
	uint32_t category;
	int32_t colorType;
	uint32_t color;
	int32_t payloadType, reserved0;
	union {
		uint64_t ullValue;
		int64_t llValue;
		double dValue;
		uint32_t uiValue;
		int32_t iValue;
		float fValue;
	} payload;
	int32_t messageType;
	nvtxMessageValue_t message;
} nvtxEventAttributes_t;

/* A function for texts of both kinds of characters; what it returns. */
#define GEMMVIZ_NVTX(type, name, value, ...) \
	static inline type name##A(__VA_ARGS__ const char *) { return value; } \
	static inline type name##W(__VA_ARGS__ const wchar_t *) \
	{ \
		return value; \
	}
#define GEMMVIZ_NVTX_EX(type, name, value) \
	static inline type name(const nvtxEventAttributes_t *) \
	{ \
		return value; \
	}
#define GEMMVIZ_NVTX_DOMAIN(type, name, value) \
	static inline type name(nvtxDomainHandle_t, \
				const nvtxEventAttributes_t *) \
	{ \
		return value; \
	}

GEMMVIZ_NVTX(void, nvtxMark, (void)0, )
GEMMVIZ_NVTX(int, nvtxRangePush, 0, )
GEMMVIZ_NVTX(nvtxRangeId_t, nvtxRangeStart, 1, )
GEMMVIZ_NVTX(nvtxDomainHandle_t, nvtxDomainCreate, NULL, )
GEMMVIZ_NVTX(nvtxStringHandle_t, nvtxDomainRegisterString, NULL,
	     nvtxDomainHandle_t, )
GEMMVIZ_NVTX(void, nvtxNameOsThread, (void)0, uint32_t, )
GEMMVIZ_NVTX(void, nvtxNameCategory, (void)0, uint32_t, )
GEMMVIZ_NVTX(void, nvtxDomainNameCategory, (void)0,
	     nvtxDomainHandle_t, uint32_t, )
GEMMVIZ_NVTX(void, nvtxNameCudaDevice, (void)0, int, )
GEMMVIZ_NVTX(void, nvtxNameCudaStream, (void)0, void *, )
GEMMVIZ_NVTX(void, nvtxNameCudaEvent, (void)0, void *, )
GEMMVIZ_NVTX_EX(void, nvtxMarkEx, (void)0)
GEMMVIZ_NVTX_EX(int, nvtxRangePushEx, 0)
GEMMVIZ_NVTX_EX(nvtxRangeId_t, nvtxRangeStartEx, 1)
GEMMVIZ_NVTX_DOMAIN(void, nvtxDomainMarkEx, (void)0)
GEMMVIZ_NVTX_DOMAIN(int, nvtxDomainRangePushEx, 0)
GEMMVIZ_NVTX_DOMAIN(nvtxRangeId_t, nvtxDomainRangeStartEx, 1)
static inline int nvtxRangePop(void) { return 0; }
static inline int nvtxDomainRangePop(nvtxDomainHandle_t) { return 0; }
static inline void nvtxRangeEnd(nvtxRangeId_t) { }
static inline void nvtxDomainRangeEnd(nvtxDomainHandle_t, nvtxRangeId_t) { }
static inline void nvtxDomainDestroy(nvtxDomainHandle_t) { }
static inline void nvtxInitialize(const void *) { }

#ifdef UNICODE
#define nvtxMark nvtxMarkW
#define nvtxRangePush nvtxRangePushW
#define nvtxRangeStart nvtxRangeStartW
#define nvtxDomainCreate nvtxDomainCreateW
#define nvtxDomainRegisterString nvtxDomainRegisterStringW
#else
#define nvtxMark nvtxMarkA
#define nvtxRangePush nvtxRangePushA
#define nvtxRangeStart nvtxRangeStartA
#define nvtxDomainCreate nvtxDomainCreateA
#define nvtxDomainRegisterString nvtxDomainRegisterStringA
#endif

#undef GEMMVIZ_NVTX
#undef GEMMVIZ_NVTX_EX
#undef GEMMVIZ_NVTX_DOMAIN

#endif
