# Questions from the model.
EXTRA_DIST += %D%/README.md

noinst_LIBRARIES += libdrill.a
libdrill_a_SOURCES = %D%/drill.c %D%/drill.h %D%/drill_access.c \
	%D%/drill_access.h %D%/drill_barriers.c %D%/drill_fragments.c \
	%D%/drill_occupancy.c %D%/drill_sectors.c %D%/drill_topic.h \
	%D%/drill_trace.c %D%/drill_wavefronts.c %D%/kernel_loop.c \
	%D%/kernel_loop.h
