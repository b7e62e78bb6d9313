# Timing on the GPU.
EXTRA_DIST += %D%/README.md

if HAVE_NVCC
gemmviz_gpu_SOURCES += %D%/benchmark_case.c %D%/benchmark_case.h \
	%D%/benchmark_check.c %D%/benchmark_library.c \
	%D%/benchmark_library.h %D%/benchmark_messages.c \
	%D%/benchmark_module.c %D%/benchmark_module.h %D%/benchmark_order.c \
	%D%/benchmark_order.h %D%/benchmark_parts.h %D%/benchmark_request.c \
	%D%/benchmark_request.h %D%/benchmark_samples.c \
	%D%/benchmark_trial.c %D%/benchmark_worker.c %D%/benchmark_worker.h \
	%D%/counters.c %D%/counters.h %D%/snapshot.c %D%/snapshot.h \
	%D%/snapshot_product.c %D%/snapshot_product.h %D%/snapshot_time.c \
	%D%/snapshot_time.h %D%/launches.c %D%/launches.h
endif
