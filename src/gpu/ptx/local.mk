# PTX in, PTX with recording code out.
EXTRA_DIST += %D%/README.md

noinst_LIBRARIES += libptx.a
libptx_a_SOURCES = %D%/ptx.c %D%/ptx.h %D%/ptx_access.c %D%/ptx_access.h \
	%D%/ptx_call.c %D%/ptx_copy.c %D%/ptx_debug.c %D%/ptx_declare.c \
	%D%/ptx_flow.c %D%/ptx_flow.h %D%/ptx_job.h %D%/ptx_plain.c \
	%D%/ptx_site.c %D%/ptx_text.c %D%/ptx_text.h %D%/ptx_value.c \
	%D%/ptx_whole.c %D%/ptx_wmma.c %D%/record.h
EXTRA_DIST += %D%/record.cu
