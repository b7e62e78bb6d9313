# Machine code as plain data, and an interpreter of it.
EXTRA_DIST += %D%/README.md

noinst_LIBRARIES += libmachine.a
libmachine_a_SOURCES = %D%/machine.c %D%/machine.h \
	%D%/machine_alone.c %D%/machine_cover.c %D%/machine_image.c %D%/machine_parts.h %D%/machine_steps.c \
	%D%/run.c %D%/run.h %D%/run_access.c \
	%D%/run_atomic.c %D%/run_bits.c %D%/run_convert.c %D%/run_float.c \
	%D%/run_half.c %D%/run_integer.c %D%/run_lanes.c %D%/run_memory.c \
	%D%/run_operand.c %D%/run_parts.h %D%/run_read.c %D%/run_table.c \
	%D%/run_tensor.c %D%/run_warps.c %D%/sass.h %D%/sass_operand.c \
	%D%/sass_parse.c
