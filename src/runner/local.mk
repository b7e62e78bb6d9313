# The protocol: its messages, jobs, and the interface's end of it.

noinst_LIBRARIES += librunner.a
librunner_a_SOURCES = %D%/answer.c %D%/answer.h %D%/headers.c %D%/headers.h \
	%D%/job.c %D%/job.h \
	%D%/job_message.c %D%/job_read.c %D%/locals.c %D%/locals.h \
	%D%/protocol.h %D%/runner.c \
	%D%/runner.h
