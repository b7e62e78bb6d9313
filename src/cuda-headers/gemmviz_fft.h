/*
 * gemmviz_fft: a plan of cuFFT's, between cufft.h and runtime_fft.c.
 */
#ifndef GEMMVIZ_FFT_H
#define GEMMVIZ_FFT_H

/* How elements lie in memory, as cufftPlanMany() has it: element (i, j, k) of
 * transform b is at b dist + ((i embed[1] + j) embed[2] + k) stride. */
struct gemmviz_fft_side {
	int given;		/* 0: one behind the other */
	long long embed[3], stride, dist;
};

struct gemmviz_fft {
	int type;		/* cufftType */
	int rank;
	long long n[3];		/* those that are not there come first, and are 1 */
	long long batch;
	struct gemmviz_fft_side in, out;
};

#endif
