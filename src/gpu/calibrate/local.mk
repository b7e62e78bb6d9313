# What one GPU measures of itself.
EXTRA_DIST += %D%/README.md

if HAVE_NVCC
gemmviz_gpu_SOURCES += %D%/calibrate.c %D%/calibrate.h \
	%D%/calibrate_levels.c %D%/calibrate_machine.c \
	%D%/calibrate_parts.h %D%/calibrate_patterns.c
endif
