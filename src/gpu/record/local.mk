# Recording on the GPU.
EXTRA_DIST += %D%/README.md

if HAVE_NVCC
gemmviz_gpu_SOURCES += %D%/dwarf.c %D%/dwarf.h %D%/recording.c \
	%D%/recording.h %D%/recording_blocks.c %D%/recording_code.c \
	%D%/recording_memory.c %D%/recording_parts.h %D%/recording_run.c \
	%D%/replay.c %D%/replay.h %D%/replay_events.c %D%/replay_parts.h \
	%D%/replay_places.c %D%/replay_races.c
endif
