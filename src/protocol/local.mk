# The protocol: its messages and jobs, for both ends.
EXTRA_DIST += %D%/README.md

noinst_LIBRARIES += libprotocol.a
libprotocol_a_SOURCES = %D%/headers.c %D%/headers.h %D%/hello.c %D%/hello.h \
	%D%/job.c %D%/job.h %D%/job_field.c %D%/job_field.h \
	%D%/job_fields.c %D%/job_key.c %D%/job_message.c %D%/job_program.c %D%/job_read.c \
	%D%/embedded_source.c %D%/embedded_source.h \
	%D%/locals.c %D%/locals.h %D%/protocol.h %D%/missing_files.c %D%/missing_files.h \
	%D%/python_strings.c %D%/python_strings.h \
	%D%/shown_launch.c %D%/shown_launch.h %D%/shown_value.c \
	%D%/shown_value.h
