/*
 * cuda_pipeline_primitives: asynchronous copies to shared memory.
 */
#ifndef CUDA_PIPELINE_PRIMITIVES_H
#define CUDA_PIPELINE_PRIMITIVES_H

extern "C" {
void gemmviz_copy_async(void *to, const void *from, size_t bytes, size_t zeros,
			void *here);
void gemmviz_copy_commit(void);
void gemmviz_copy_wait(size_t but, void *here);
}

/* The last `zeros` bytes are not read but filled with zeros. */
GEMMVIZ_QUIET void __pipeline_memcpy_async(void *to, const void *from,
					   size_t bytes, size_t zeros = 0)
{ gemmviz_copy_async(to, from, bytes, zeros, GEMMVIZ_HERE); }
GEMMVIZ_QUIET void __pipeline_commit(void) { gemmviz_copy_commit(); }
GEMMVIZ_QUIET void __pipeline_wait_prior(size_t but)
{ gemmviz_copy_wait(but, GEMMVIZ_HERE); }

#endif
