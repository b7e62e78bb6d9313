/*
 * gemmviz_warp: what lanes of a warp, or threads of a block, learn of each
 * other besides shuffles and votes: __reduce_*_sync(), __match_*_sync(),
 * __syncthreads_count() and the like. Included by cuda_words.h.
 */
#ifndef GEMMVIZ_WARP_H
#define GEMMVIZ_WARP_H

extern "C" {
/* Each lane's number to all lanes of the mask; returns which these are. */
unsigned int gemmviz_gather(const char *word, unsigned int mask,
			    unsigned long long mine, unsigned long long *all,
			    void *here);
/* A barrier; returns for how many threads the value is not 0. */
int gemmviz_syncthreads_count(int value, int *threads, void *here);
/* A number that grows with each call. */
long long gemmviz_clock(void);
}

#define GEMMVIZ_REDUCE(name, type, result) \
	GEMMVIZ_QUIET type name(unsigned int mask, type mine) \
	{ \
		unsigned long long all[32]; \
		unsigned int among = gemmviz_gather( \
			#name, mask, (unsigned int)mine, all, GEMMVIZ_HERE); \
		type a = mine; \
		bool any = false; \
		for (int l = 0; l < 32; l++) { \
			type b = (type)all[l]; \
			if (!(among >> l & 1)) \
				continue; \
			a = any ? (type)(result) : b; \
			any = true; \
		} \
		return a; \
	}
#define GEMMVIZ_REDUCES(type) \
	GEMMVIZ_REDUCE(__reduce_add_sync, type, \
		       (unsigned int)a + (unsigned int)b) \
	GEMMVIZ_REDUCE(__reduce_min_sync, type, a < b ? a : b) \
	GEMMVIZ_REDUCE(__reduce_max_sync, type, a > b ? a : b)
GEMMVIZ_REDUCES(int)
GEMMVIZ_REDUCES(unsigned int)
GEMMVIZ_REDUCE(__reduce_and_sync, unsigned int, a & b)
GEMMVIZ_REDUCE(__reduce_or_sync, unsigned int, a | b)
GEMMVIZ_REDUCE(__reduce_xor_sync, unsigned int, a ^ b)
#undef GEMMVIZ_REDUCES
#undef GEMMVIZ_REDUCE

/* Values are the same where their bits are. */
template <class T> GEMMVIZ_QUIET unsigned int
gemmviz_match(const char *word, unsigned int mask, T mine, unsigned int *among,
	      void *here)
{
	static_assert(sizeof(T) == 4 || sizeof(T) == 8,
		      "matches are of values of 4 or 8 bytes");
	unsigned long long all[32], bits = 0;
	unsigned int same = 0;

	memcpy(&bits, &mine, sizeof(mine));
	*among = gemmviz_gather(word, mask, bits, all, here);
	for (int l = 0; l < 32; l++)
		same |= (unsigned int)((*among >> l & 1) && all[l] == bits) << l;
	return same;
}
template <class T>
GEMMVIZ_QUIET unsigned int __match_any_sync(unsigned int mask, T mine)
{
	unsigned int among;

	return gemmviz_match("__match_any_sync", mask, mine, &among,
			     GEMMVIZ_HERE);
}
template <class T> GEMMVIZ_QUIET unsigned int
__match_all_sync(unsigned int mask, T mine, int *all)
{
	unsigned int among;
	unsigned int same = gemmviz_match("__match_all_sync", mask, mine,
					  &among, GEMMVIZ_HERE);

	gemmviz_store(all, sizeof(*all), GEMMVIZ_HERE);
	*all = same == among;
	return *all ? same : 0;
}

#define GEMMVIZ_COUNT(name, result) \
	GEMMVIZ_QUIET int name(int predicate) \
	{ \
		int threads; \
		int count = gemmviz_syncthreads_count(predicate, &threads, \
						      GEMMVIZ_HERE); \
		return result; \
	}
GEMMVIZ_COUNT(__syncthreads_count, count)
GEMMVIZ_COUNT(__syncthreads_and, count == threads)
GEMMVIZ_COUNT(__syncthreads_or, count > 0)
#undef GEMMVIZ_COUNT

/* There is no time here. */
GEMMVIZ_QUIET long long clock64(void) { return gemmviz_clock(); }

/* The n-th bit that is set, from `base` on; PTX ISA, fns. */
GEMMVIZ_QUIET unsigned int __fns(unsigned int mask, unsigned int base, int n)
{
	int count = abs(n), by = n < 0 ? -1 : 1;

	if (n == 0)
		return base < 32 && mask >> base & 1 ? base : 0xffffffff;
	for (int at = (int)base; at >= 0 && at < 32; at += by)
		if (mask >> at & 1 && --count == 0)
			return (unsigned int)at;
	return 0xffffffff;
}

/* What __cvta_generic_to_shared() gave, as an address. */
extern "C" void *gemmviz_shared_generic(unsigned int address);
GEMMVIZ_QUIET void *__cvta_shared_to_generic(size_t address)
{ return gemmviz_shared_generic((unsigned int)address); }

#endif
