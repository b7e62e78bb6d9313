/*
 * gemmviz_nccl: NCCL's types, with its numbers, and what nccl.h asks the recorder
 * for, in C and in C++ (NCCL 2.28, nccl.h).
 */
#ifndef GEMMVIZ_NCCL_H
#define GEMMVIZ_NCCL_H

#include "gemmviz_runtime_types.h"

/* X(name, number, words) */
#define GEMMVIZ_NCCL_RESULTS(X) \
	X(Success, 0, "no error") \
	X(UnhandledCudaError, 1, \
	  "unhandled cuda error (run with NCCL_DEBUG=INFO for details)") \
	X(SystemError, 2, \
	  "unhandled system error (run with NCCL_DEBUG=INFO for details)") \
	X(InternalError, 3, "internal error - please report this issue to " \
	  "the NCCL developers") \
	X(InvalidArgument, 4, \
	  "invalid argument (run with NCCL_DEBUG=WARN for details)") \
	X(InvalidUsage, 5, \
	  "invalid usage (run with NCCL_DEBUG=WARN for details)") \
	X(RemoteError, 6, \
	  "remote process exited or there was a network error") \
	X(InProgress, 7, "NCCL operation in progress")
#define GEMMVIZ_NCCL_RESULT(name, number, words) nccl##name = number,
typedef enum {
	GEMMVIZ_NCCL_RESULTS(GEMMVIZ_NCCL_RESULT)
	ncclNumResults
} ncclResult_t;
#undef GEMMVIZ_NCCL_RESULT

typedef enum { ncclInt8, ncclUint8, ncclInt32, ncclUint32, ncclInt64,
	       ncclUint64, ncclFloat16, ncclFloat32, ncclFloat64, ncclBfloat16,
	       ncclFloat8e4m3, ncclFloat8e5m2, ncclNumTypes,
	       ncclChar = ncclInt8, ncclInt = ncclInt32,
	       ncclHalf = ncclFloat16, ncclFloat = ncclFloat32,
	       ncclDouble = ncclFloat64 } ncclDataType_t;
typedef enum { ncclSum, ncclProd, ncclMax, ncclMin, ncclAvg, ncclNumOps,
	       ncclMaxRedOp = 0x7fffffff } ncclRedOp_t;
typedef enum { ncclScalarDevice, ncclScalarHostImmediate }
	ncclScalarResidence_t;
typedef struct ncclComm *ncclComm_t;
#define NCCL_UNIQUE_ID_BYTES 128
typedef struct { char internal[NCCL_UNIQUE_ID_BYTES]; } ncclUniqueId;
#define NCCL_SPLIT_NOCOLOR -1

/* X(function, its name) */
#define GEMMVIZ_NCCL_CALLS(X) \
	X(ALL_REDUCE, "ncclAllReduce") X(BROADCAST, "ncclBroadcast") \
	X(REDUCE, "ncclReduce") X(ALL_GATHER, "ncclAllGather") \
	X(REDUCE_SCATTER, "ncclReduceScatter") \
	X(ALL_TO_ALL, "ncclAlltoAll") X(GATHER, "ncclGather") \
	X(SCATTER, "ncclScatter") X(SEND, "ncclSend") X(RECV, "ncclRecv")
#define GEMMVIZ_NCCL_CALL(name, words) GEMMVIZ_NCCL_##name,
enum gemmviz_nccl_call {
	GEMMVIZ_NCCL_CALLS(GEMMVIZ_NCCL_CALL)
	GEMMVIZ_NCCL_CALL_COUNT
};
#undef GEMMVIZ_NCCL_CALL

/* A call of one rank: `count` elements as the function counts them, and the
 * root, or the peer; -1: there is none. */
struct gemmviz_nccl {
	enum gemmviz_nccl_call call;
	const void *send;
	void *recv;
	size_t count;
	int type, op, peer;
	ncclComm_t comm;
	cudaStream_t stream;
};

#ifdef __cplusplus
extern "C" {
#endif
/* Each returns an ncclResult_t. */
int gemmviz_nccl_call(const struct gemmviz_nccl *c, const char *file,
		      int line);
int gemmviz_nccl_group(int end, const char *file, int line);
int gemmviz_nccl_init_all(ncclComm_t *to, int count, const int *devices,
			  const char *file, int line);
int gemmviz_nccl_id(ncclUniqueId *to);
int gemmviz_nccl_init(ncclComm_t *to, int count, const ncclUniqueId *id,
		      int rank, const char *file, int line);
int gemmviz_nccl_split(ncclComm_t comm, int color, int key, ncclComm_t *to,
		       const char *file, int line);
int gemmviz_nccl_end(ncclComm_t comm, const char *name, const char *file,
		     int line);
/* 'n'umber of ranks, 'd'evice, 'r'ank. */
int gemmviz_nccl_ask(ncclComm_t comm, char what, int *to, const char *file,
		     int line);
int gemmviz_nccl_op(ncclRedOp_t *op, const void *scalar, int type, int now,
		    ncclComm_t comm);
const char *gemmviz_nccl_words(int result);
#ifdef __cplusplus
}
#endif

#endif
