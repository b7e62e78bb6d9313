/*
 * nccl: NCCL's functions, as far as the recorder plays them: collectives and
 * messages between the devices of one process. Each learns the line that calls
 * it. What only says how fast something is to be done does nothing.
 */
#ifndef NCCL_H_
#define NCCL_H_

#include <limits.h>

#include "gemmviz_nccl.h"
#include "gemmviz_runtime.h"

#define NCCL_MAJOR 2
#define NCCL_MINOR 28
#define NCCL_PATCH 9
#define NCCL_SUFFIX ""
#define NCCL_VERSION_CODE 22809
#define NCCL_VERSION(x, y, z) \
	(((x) <= 2 && (y) <= 8) ? (x) * 1000 + (y) * 100 + (z) : \
				  (x) * 10000 + (y) * 100 + (z))
#define NCCL_COMM_NULL NULL
#define NCCL_CONFIG_UNDEF_INT INT_MIN
#define NCCL_CONFIG_UNDEF_PTR NULL

struct ncclConfig_t {
	size_t size;
	unsigned int magic, version;
	int blocking, cgaClusterSize, minCTAs, maxCTAs;
	const char *netName;
	int splitShare, trafficClass;
	const char *commName;
	int collnetEnable, CTAPolicy, shrinkShare, nvlsCTAs;
};
#define NCCL_CONFIG_INITIALIZER \
	{ sizeof(ncclConfig_t), 0xcafebeef, NCCL_VERSION_CODE, INT_MIN, \
	  INT_MIN, INT_MIN, INT_MIN, NULL, INT_MIN, INT_MIN, NULL, INT_MIN, \
	  INT_MIN, INT_MIN, INT_MIN }

#define GEMMVIZ_NCCL(...) GEMMVIZ_HOST ncclResult_t __VA_ARGS__

/* ---- communicators ---- */

GEMMVIZ_NCCL(ncclGetVersion(int *v))
{ *v = NCCL_VERSION_CODE; return ncclSuccess; }
GEMMVIZ_NCCL(ncclGetUniqueId(ncclUniqueId *id))
{ return (ncclResult_t)gemmviz_nccl_id(id); }
GEMMVIZ_NCCL(ncclCommInitAll(ncclComm_t *to, int count, const int *devices,
			     GEMMVIZ_AT))
{
	return (ncclResult_t)gemmviz_nccl_init_all(to, count, devices,
						   GEMMVIZ_LINE);
}
GEMMVIZ_NCCL(ncclCommInitRank(ncclComm_t *to, int count, ncclUniqueId id,
			      int rank, GEMMVIZ_AT))
{
	return (ncclResult_t)gemmviz_nccl_init(to, count, &id, rank,
					       GEMMVIZ_LINE);
}
GEMMVIZ_NCCL(ncclCommInitRankConfig(ncclComm_t *to, int count, ncclUniqueId id,
				    int rank, ncclConfig_t *, GEMMVIZ_AT))
{
	return (ncclResult_t)gemmviz_nccl_init(to, count, &id, rank,
					       GEMMVIZ_LINE);
}
GEMMVIZ_NCCL(ncclCommSplit(ncclComm_t comm, int color, int key, ncclComm_t *to,
			   ncclConfig_t *, GEMMVIZ_AT))
{
	return (ncclResult_t)gemmviz_nccl_split(comm, color, key, to,
						GEMMVIZ_LINE);
}
#define GEMMVIZ_NCCL_END(name) \
	GEMMVIZ_NCCL(name(ncclComm_t comm, GEMMVIZ_AT)) \
	{ \
		return (ncclResult_t)gemmviz_nccl_end(comm, #name, \
						      GEMMVIZ_LINE); \
	}
GEMMVIZ_NCCL_END(ncclCommFinalize)
GEMMVIZ_NCCL_END(ncclCommDestroy)
GEMMVIZ_NCCL_END(ncclCommAbort)
#undef GEMMVIZ_NCCL_END
GEMMVIZ_NCCL(ncclCommCount(const ncclComm_t comm, int *to, GEMMVIZ_AT))
{ return (ncclResult_t)gemmviz_nccl_ask(comm, 'n', to, GEMMVIZ_LINE); }
GEMMVIZ_NCCL(ncclCommCuDevice(const ncclComm_t comm, int *to, GEMMVIZ_AT))
{ return (ncclResult_t)gemmviz_nccl_ask(comm, 'd', to, GEMMVIZ_LINE); }
GEMMVIZ_NCCL(ncclCommUserRank(const ncclComm_t comm, int *to, GEMMVIZ_AT))
{ return (ncclResult_t)gemmviz_nccl_ask(comm, 'r', to, GEMMVIZ_LINE); }
GEMMVIZ_NCCL(ncclCommGetAsyncError(ncclComm_t comm, ncclResult_t *to,
				   GEMMVIZ_AT))
{
	int rank;

	*to = ncclSuccess;
	return (ncclResult_t)gemmviz_nccl_ask(comm, 'r', &rank, GEMMVIZ_LINE);
}
GEMMVIZ_NCCL(ncclCommRegister(const ncclComm_t, void *, size_t, void **to))
{ *to = NULL; return ncclSuccess; }
GEMMVIZ_NCCL(ncclCommDeregister(const ncclComm_t, void *))
{ return ncclSuccess; }
GEMMVIZ_HOST const char *ncclGetErrorString(ncclResult_t result)
{ return gemmviz_nccl_words(result); }
GEMMVIZ_HOST const char *ncclGetLastError(ncclComm_t)
{ return ""; }
GEMMVIZ_NCCL(ncclMemAlloc(void **to, size_t bytes, GEMMVIZ_AT))
{
	return gemmviz_malloc(to, bytes, GEMMVIZ_DEVICE, GEMMVIZ_LINE) ?
	       ncclUnhandledCudaError : ncclSuccess;
}
GEMMVIZ_NCCL(ncclMemFree(void *p, GEMMVIZ_AT))
{
	return cudaFree(p, GEMMVIZ_LINE) ? ncclUnhandledCudaError :
					   ncclSuccess;
}

/* ---- groups, and what ranks tell each other ---- */

GEMMVIZ_NCCL(ncclGroupStart(GEMMVIZ_AT))
{ return (ncclResult_t)gemmviz_nccl_group(0, GEMMVIZ_LINE); }
GEMMVIZ_NCCL(ncclGroupEnd(GEMMVIZ_AT))
{ return (ncclResult_t)gemmviz_nccl_group(1, GEMMVIZ_LINE); }

GEMMVIZ_NCCL(ncclRedOpCreatePreMulSum(ncclRedOp_t *op, void *scalar,
				      ncclDataType_t type,
				      ncclScalarResidence_t where,
				      ncclComm_t comm))
{
	return (ncclResult_t)gemmviz_nccl_op(op, scalar, type,
					     where == ncclScalarHostImmediate,
					     comm);
}
GEMMVIZ_NCCL(ncclRedOpDestroy(ncclRedOp_t, ncclComm_t))
{ return ncclSuccess; }

#define GEMMVIZ_NCCL_CALL(name, number, send, recv, op, peer, ...) \
	GEMMVIZ_NCCL(name(__VA_ARGS__, size_t count, ncclDataType_t type \
			  GEMMVIZ_NCCL_MORE, ncclComm_t comm, \
			  cudaStream_t stream, GEMMVIZ_AT)) \
	{ \
		gemmviz_nccl c = { GEMMVIZ_NCCL_##number, send, recv, count, \
				   type, op, peer, comm, stream }; \
		return (ncclResult_t)gemmviz_nccl_call(&c, GEMMVIZ_LINE); \
	}
#define GEMMVIZ_NCCL_MORE
GEMMVIZ_NCCL_CALL(ncclAllGather, ALL_GATHER, from, to, ncclSum, -1,
		  const void *from, void *to)
GEMMVIZ_NCCL_CALL(ncclAlltoAll, ALL_TO_ALL, from, to, ncclSum, -1,
		  const void *from, void *to)
#undef GEMMVIZ_NCCL_MORE
#define GEMMVIZ_NCCL_MORE , ncclRedOp_t op
GEMMVIZ_NCCL_CALL(ncclAllReduce, ALL_REDUCE, from, to, op, -1,
		  const void *from, void *to)
GEMMVIZ_NCCL_CALL(ncclReduceScatter, REDUCE_SCATTER, from, to, op, -1,
		  const void *from, void *to)
#undef GEMMVIZ_NCCL_MORE
#define GEMMVIZ_NCCL_MORE , ncclRedOp_t op, int root
GEMMVIZ_NCCL_CALL(ncclReduce, REDUCE, from, to, op, root,
		  const void *from, void *to)
#undef GEMMVIZ_NCCL_MORE
#define GEMMVIZ_NCCL_MORE , int peer
GEMMVIZ_NCCL_CALL(ncclBroadcast, BROADCAST, from, to, ncclSum, peer,
		  const void *from, void *to)
GEMMVIZ_NCCL_CALL(ncclBcast, BROADCAST, at, at, ncclSum, peer, void *at)
GEMMVIZ_NCCL_CALL(ncclGather, GATHER, from, to, ncclSum, peer,
		  const void *from, void *to)
GEMMVIZ_NCCL_CALL(ncclScatter, SCATTER, from, to, ncclSum, peer,
		  const void *from, void *to)
GEMMVIZ_NCCL_CALL(ncclSend, SEND, from, NULL, ncclSum, peer, const void *from)
GEMMVIZ_NCCL_CALL(ncclRecv, RECV, NULL, to, ncclSum, peer, void *to)
#undef GEMMVIZ_NCCL_MORE
#undef GEMMVIZ_NCCL_CALL
#undef GEMMVIZ_NCCL

#endif
