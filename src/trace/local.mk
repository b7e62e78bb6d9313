# The .gvt file, and lanes merged into warp requests.
EXTRA_DIST += %D%/README.md

noinst_LIBRARIES += libtrace.a
libtrace_a_SOURCES = %D%/finding.c %D%/finding.h %D%/trace.h \
	%D%/trace_bytes.c %D%/trace_bytes.h %D%/trace_file.h \
	%D%/trace_format.h %D%/trace_kinds.c %D%/trace_names.c %D%/trace_open.c \
	%D%/trace_parse.c %D%/trace_parse.h %D%/trace_parse_tables.c \
	%D%/trace_parse_words.c %D%/trace_predictor.h %D%/trace_read.c \
	%D%/trace_tables.c %D%/trace_text.c %D%/trace_unpack.c \
	%D%/trace_write.c %D%/trace_write_tables.c \
	%D%/trace_write_values.c %D%/trace_write_warp.c %D%/trace_writer.h %D%/warp.c %D%/warp.h %D%/device_work.c %D%/device_work.h
