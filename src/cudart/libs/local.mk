# CUDA's libraries.
EXTRA_DIST += %D%/README.md

gemmviz_emu_SOURCES += %D%/blas.c %D%/blas.h %D%/blas_element.c \
	%D%/blas_element.h %D%/fft.c %D%/fft.h %D%/nccl.c %D%/nccl.h \
	%D%/nccl_do.c %D%/nccl_post.c %D%/runtime_blas.c %D%/runtime_fft.c \
	%D%/runtime_library.c %D%/runtime_random.c %D%/runtime_thrust.c
