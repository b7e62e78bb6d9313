# The driver, NVRTC and a kernel's launch.
EXTRA_DIST += %D%/README.md

if HAVE_NVCC
gemmviz_gpu_SOURCES += %D%/cuda.c %D%/cuda.h \
	%D%/device.c %D%/device.h %D%/embedded.c %D%/embedded.h \
	%D%/launch.c %D%/launch.h %D%/matrices.c \
	%D%/matrices.h %D%/queue.c %D%/queue.h %D%/signature.c \
	%D%/signature.h %D%/tensor.c %D%/tensor.h
endif
