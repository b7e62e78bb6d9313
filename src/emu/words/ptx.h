/*
 * ptx: the functions of src/kernels/ptx.h for the host. What they do to
 * memory, and to the registers of the kernel's that they are given, is
 * recorded in the line that they return to.
 */
#ifndef PTX_H
#define PTX_H

#include "cuda_bf16.h"
#include "cuda_fp16.h"

extern "C" {
unsigned int gemmviz_shared_address(const void *p);
void gemmviz_ldmatrix(int trans, unsigned int *r, const void *row, void *here);
void gemmviz_stmatrix(void *row, const unsigned int *r, void *here);
void gemmviz_mma(float *d, const unsigned int *a, const unsigned int *b,
		 const float *values_a, const float *values_b, void *here);
}

GEMMVIZ_QUIET unsigned int shared_address(const void *p)
{ return gemmviz_shared_address(p); }

GEMMVIZ_QUIET void ldmatrix_x4(unsigned int (&r)[4], const void *row)
{ gemmviz_ldmatrix(0, r, row, GEMMVIZ_HERE); }
GEMMVIZ_QUIET void ldmatrix_x4_trans(unsigned int (&r)[4], const void *row)
{ gemmviz_ldmatrix(1, r, row, GEMMVIZ_HERE); }
GEMMVIZ_QUIET void stmatrix_x4(void *row, const unsigned int (&r)[4])
{ gemmviz_stmatrix(row, r, GEMMVIZ_HERE); }

/* Two halves, or two bfloat16, of each register. */
GEMMVIZ_QUIET void gemmviz_unpack(float *to, const unsigned int *r, int count,
				  int fraction, int bias)
{
	for (int i = 0; i < 2 * count; ++i)
		to[i] = (float)gemmviz_of_real16(
			(unsigned short)(r[i / 2] >> i % 2 * 16), fraction,
			bias);
}

#define GEMMVIZ_MMA(type, fraction, bias) \
	GEMMVIZ_QUIET void mma_m16n8k16(float (&d)[4], \
					const unsigned int (&a)[4], \
					const unsigned int *b, const type &) \
	{ \
		float values_a[8], values_b[4]; \
		gemmviz_unpack(values_a, a, 4, fraction, bias); \
		gemmviz_unpack(values_b, b, 2, fraction, bias); \
		gemmviz_mma(d, a, b, values_a, values_b, GEMMVIZ_HERE); \
	}
GEMMVIZ_MMA(__half, 10, 15)
GEMMVIZ_MMA(__nv_bfloat16, 7, 127)
#undef GEMMVIZ_MMA

#endif
