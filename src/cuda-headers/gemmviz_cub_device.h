/*
 * gemmviz_cub_device: what CUB does for a whole device, on the host, as thrust's
 * algorithms are; the temporary memory that it asks for is a formality.
 */
#ifndef GEMMVIZ_CUB_DEVICE_H
#define GEMMVIZ_CUB_DEVICE_H
#ifdef GEMMVIZ_PROGRAM

#include "gemmviz_thrust.h"

namespace cub {

#define GEMMVIZ_ASKS \
	if (!memory) { \
		bytes = 256; \
		return cudaSuccess; \
	}

struct DeviceReduce {
	template <class I, class O, class F, class T>
	static cudaError_t Reduce(void *memory, size_t &bytes, I in, O out,
				  int n, F f, T first, cudaStream_t = 0)
	{
		GEMMVIZ_ASKS
		T sum = thrust::reduce(in, in + n, first, f);

		thrust::fill_n(out, 1, sum);
		return cudaSuccess;
	}
	template <class I, class O>
	static cudaError_t Sum(void *memory, size_t &bytes, I in, O out, int n,
			       cudaStream_t s = 0)
	{
		typedef typename std::iterator_traits<I>::value_type T;

		return Reduce(memory, bytes, in, out, n, cub::Sum(), T(), s);
	}
	template <class I, class O>
	static cudaError_t Min(void *memory, size_t &bytes, I in, O out, int n,
			       cudaStream_t s = 0)
	{
		typedef typename std::iterator_traits<I>::value_type T;

		return Reduce(memory, bytes, in, out, n, cub::Min(),
			      std::numeric_limits<T>::max(), s);
	}
	template <class I, class O>
	static cudaError_t Max(void *memory, size_t &bytes, I in, O out, int n,
			       cudaStream_t s = 0)
	{
		typedef typename std::iterator_traits<I>::value_type T;

		return Reduce(memory, bytes, in, out, n, cub::Max(),
			      std::numeric_limits<T>::lowest(), s);
	}
};

struct DeviceScan {
	template <class I, class O>
	static cudaError_t ExclusiveSum(void *memory, size_t &bytes, I in,
					O out, int n, cudaStream_t = 0)
	{
		GEMMVIZ_ASKS
		thrust::exclusive_scan(in, in + n, out);
		return cudaSuccess;
	}
	template <class I, class O>
	static cudaError_t InclusiveSum(void *memory, size_t &bytes, I in,
					O out, int n, cudaStream_t = 0)
	{
		GEMMVIZ_ASKS
		thrust::inclusive_scan(in, in + n, out);
		return cudaSuccess;
	}
};

struct DeviceSelect {
	template <class I, class O, class N, class F>
	static cudaError_t If(void *memory, size_t &bytes, I in, O out,
			      N selected, int n, F f, cudaStream_t = 0)
	{
		GEMMVIZ_ASKS
		thrust::fill_n(selected, 1,
			       thrust::copy_if(in, in + n, out, f) - out);
		return cudaSuccess;
	}
	template <class I, class S, class O, class N>
	static cudaError_t Flagged(void *memory, size_t &bytes, I in, S flags,
				   O out, N selected, int n, cudaStream_t = 0)
	{
		typedef typename std::iterator_traits<S>::value_type T;

		GEMMVIZ_ASKS
		thrust::fill_n(selected, 1, thrust::copy_if(
			in, in + n, flags, out,
			[](const T &v) { return (bool)v; }) - out);
		return cudaSuccess;
	}
};

/* By all bits of the keys. */
struct DeviceRadixSort {
	template <class K>
	static cudaError_t SortKeys(void *memory, size_t &bytes, const K *in,
				    K *out, int n)
	{ return gemmviz_sort(memory, bytes, in, out, n, std::less<>()); }
	template <class K>
	static cudaError_t SortKeysDescending(void *memory, size_t &bytes,
					      const K *in, K *out, int n)
	{ return gemmviz_sort(memory, bytes, in, out, n, std::greater<>()); }
	template <class K, class V>
	static cudaError_t SortPairs(void *memory, size_t &bytes, const K *in,
				     K *out, const V *values, V *to, int n)
	{
		return gemmviz_sort(memory, bytes, in, out, values, to, n,
				    std::less<>());
	}
	template <class K, class V>
	static cudaError_t SortPairsDescending(void *memory, size_t &bytes,
					       const K *in, K *out,
					       const V *values, V *to, int n)
	{
		return gemmviz_sort(memory, bytes, in, out, values, to, n,
				    std::greater<>());
	}
private:
	template <class K, class F>
	static cudaError_t gemmviz_sort(void *memory, size_t &bytes,
					const K *in, K *out, int n, F before)
	{
		GEMMVIZ_ASKS
		thrust::copy(in, in + n, out);
		thrust::sort(out, out + n, before);
		return cudaSuccess;
	}
	template <class K, class V, class F>
	static cudaError_t gemmviz_sort(void *memory, size_t &bytes,
					const K *in, K *out, const V *values,
					V *to, int n, F before)
	{
		GEMMVIZ_ASKS
		thrust::copy(in, in + n, out);
		thrust::copy(values, values + n, to);
		thrust::sort_by_key(out, out + n, to, before);
		return cudaSuccess;
	}
};
#undef GEMMVIZ_ASKS

}

#endif
#endif
