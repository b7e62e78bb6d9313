# Measured kernels: benchmarks, figures, tuning.

noinst_LIBRARIES += libtiming.a
libtiming_a_SOURCES = %D%/benchmark.c %D%/benchmark.h %D%/kernel_resources.c \
	%D%/kernel_resources.h %D%/timing.c %D%/timing.h %D%/tune.c \
	%D%/tune.h %D%/tuned.c %D%/tuned.h
