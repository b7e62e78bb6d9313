# The kernels, their table, and what A and B hold.

noinst_LIBRARIES += libkernels.a
libkernels_a_SOURCES = %D%/input.c %D%/input.h %D%/kernel.c %D%/kernels.c \
	%D%/kernels.h %D%/problem.c %D%/problem.h %D%/problem_gemm.c \
	%D%/problem_softmax.c %D%/problem_transpose.c \
	%D%/problem_unknown.c %D%/shape.c %D%/shape.h

# Their texts.
kernelsdir = $(pkgdatadir)/kernels
dist_kernels_DATA = %D%/naive.cu %D%/naive_swapped.cu \
	%D%/tiled.cu %D%/padded.cu %D%/tiled_bt.cu \
	%D%/tiled_bt_pad.cu %D%/register_tiled.cu \
	%D%/register_tiled_fast.cu %D%/float4.cu \
	%D%/double_buffered.cu \
	%D%/float4_at.cu %D%/bug_first_barrier.cu \
	%D%/bug_second_barrier.cu %D%/bug_edge.cu \
	%D%/wmma.cu %D%/mma.cu \
	%D%/mma_multistage.cu %D%/warptile.cu \
	%D%/sgemm_pipelined.cu %D%/sgemm.cu \
	%D%/wgmma_basic.cu %D%/tma_pipeline.cu \
	%D%/hgemm.cu %D%/bug_wmma_pad.cu \
	%D%/bug_one_warp.cu %D%/ptx.h

# The kernels that are built beforehand: with the default values of their
# parameters, and with others, which stand in the name of a build. The table in
# kernels.c has the same values.
BUILDS = naive naive_swapped tiled tiled-TILE.8 tiled-TILE.32 padded \
	tiled_bt tiled_bt_pad register_tiled register_tiled_fast \
	double_buffered double_buffered-TILE.32 float4 float4_at wmma mma \
	mma_multistage mma_multistage-STAGES.3 mma_multistage-STAGES.2 \
	mma_multistage-EXPONENT.8 \
	warptile sgemm_pipelined sgemm wgmma_basic tma_pipeline \
	tma_pipeline-EXPONENT.8 hgemm hgemm-EXPONENT.8 \
	bug_first_barrier bug_second_barrier bug_edge bug_wmma_pad bug_one_warp
# Those that not every architecture has, under its lowest, or its only one.
KERNELS_80 = double_buffered mma mma_multistage sgemm_pipelined sgemm
KERNELS_90a = wgmma_basic tma_pipeline hgemm
BUILD_WORDS = $(subst -, ,$*)
BUILD_KERNEL = $(firstword $(BUILD_WORDS))
BUILD_TEXTS = %D%/$(BUILD_KERNEL).cu $(if $(shell \
	grep '<ptx\.h>' $(srcdir)/%D%/$(BUILD_KERNEL).cu),%D%/ptx.h)
BUILD_DEFINE = $(patsubst %,-D%,$(subst .,=,$(wordlist 2,9,$(BUILD_WORDS))))
.SECONDEXPANSION:
