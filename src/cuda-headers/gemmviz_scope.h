/* Of which threads something is: cuda::barrier, cuda::pipeline. */
#ifndef GEMMVIZ_SCOPE_H
#define GEMMVIZ_SCOPE_H

#include <chrono>	/* as CUDA's headers do */

#include "cuda_pipeline_primitives.h"

namespace cuda {

enum thread_scope { thread_scope_system, thread_scope_device,
		    thread_scope_block, thread_scope_thread };

template <size_t Alignment> struct aligned_size_t {
	size_t value;

	GEMMVIZ_BARE explicit aligned_size_t(size_t bytes) : value(bytes) {}
	GEMMVIZ_BARE operator size_t() const { return value; }
};

/* In the pieces that the instructions have, of 4, 8 and 16 bytes. */
template <class Bytes> GEMMVIZ_QUIET void
gemmviz_pieces(void *to, const void *from, const Bytes &count, void *here)
{
	size_t bytes = count;
	size_t low = ((size_t)to | (size_t)from | bytes) % 16;
	size_t piece = low ? low & -low : 16;

	for (size_t at = 0; at < bytes; at += piece)
		gemmviz_copy_async((char *)to + at, (const char *)from + at,
				   piece, 0, here);
}
/* Each thread of the group copies its share. */
template <class Group, class Bytes> GEMMVIZ_QUIET void
gemmviz_share(const Group &group, void *to, const void *from,
	      const Bytes &count, void *here)
{
	size_t bytes = count, at = group.thread_rank();
	size_t piece = ((size_t)to | (size_t)from | bytes) % 16 ? 4 : 16;

	for (; at < bytes / piece; at += group.size())
		gemmviz_copy_async((char *)to + at * piece,
				   (const char *)from + at * piece, piece, 0,
				   here);
}

}

#endif
