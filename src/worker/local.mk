# The process that records: one for the protocol, one for each kernel.
EXTRA_DIST += %D%/README.md

gemmviz_emu_SOURCES += %D%/emu.c %D%/worker.c %D%/worker.h %D%/worker_main.c \
	%D%/worker_memory.c %D%/worker_memory.h
