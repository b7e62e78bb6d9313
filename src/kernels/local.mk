# The kernels, their table, and what A and B hold.
EXTRA_DIST += %D%/README.md

noinst_LIBRARIES += libkernels.a
libkernels_a_SOURCES = %D%/choice.c %D%/choice.h \
	%D%/choice_hgemm.c %D%/choice_sgemm.c %D%/input.c %D%/input.h %D%/kernel.c %D%/kernels.c \
	%D%/kernels.h %D%/problem.c %D%/problem.h %D%/problem_gemm.c \
	%D%/problem_softmax.c %D%/problem_transpose.c \
	%D%/problem_unknown.c %D%/programs.c %D%/programs.h %D%/shape.c %D%/shape.h

# The kernels that are built beforehand: "tiled-TILE.32" behind the lowest
# architecture that has it, or its only one. The table in kernels.c says which.
BUILDS_OF_ARCH := $(shell $(AWK) -f $(srcdir)/%D%/builds.awk \
	$(srcdir)/%D%/kernels.c)
BUILDS = $(notdir $(BUILDS_OF_ARCH))
KERNELS_80 = $(notdir $(filter 80/%,$(BUILDS_OF_ARCH)))
KERNELS_90a = $(notdir $(filter 90a/%,$(BUILDS_OF_ARCH)))
EXTRA_DIST += %D%/builds.awk
print-builds:
	@echo $(BUILDS_OF_ARCH)
.PHONY: print-builds

# Their texts.
kernelsdir = $(pkgdatadir)/kernels
dist_kernels_DATA = $(sort $(foreach build,$(BUILDS), \
	%D%/$(firstword $(subst -, ,$(build))).cu)) %D%/ptx.h \
	%D%/across_gpus.cu

BUILD_WORDS = $(subst -, ,$*)
BUILD_KERNEL = $(firstword $(BUILD_WORDS))
BUILD_TEXTS = %D%/$(BUILD_KERNEL).cu $(if $(shell \
	grep '<ptx\.h>' $(srcdir)/%D%/$(BUILD_KERNEL).cu),%D%/ptx.h)
BUILD_DEFINE = $(patsubst %,-D%,$(subst .,=,$(wordlist 2,9,$(BUILD_WORDS))))
.SECONDEXPANSION:
