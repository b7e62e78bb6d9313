# The .gvt file, and lanes merged into warp requests.

noinst_LIBRARIES += libtrace.a
libtrace_a_SOURCES = %D%/finding.c %D%/finding.h %D%/trace.h \
	%D%/trace_format.h %D%/trace_names.c \
	%D%/trace_parse.c %D%/trace_read.c %D%/trace_text.c \
	%D%/trace_write.c %D%/warp.c %D%/warp.h
