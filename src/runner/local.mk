# The protocol: its messages, jobs, and the interface's end of it.

noinst_LIBRARIES += librunner.a
librunner_a_SOURCES = %D%/answer.c %D%/answer.h %D%/audit.c %D%/audit.h %D%/headers.c %D%/headers.h \
	%D%/hello.c %D%/hello.h \
	%D%/job.c %D%/job.h %D%/job_field.c %D%/job_field.h %D%/job_fields.c \
	%D%/job_message.c %D%/job_program.c %D%/job_read.c %D%/locals.c %D%/locals.h \
	%D%/pending.c %D%/pending.h %D%/protocol.h %D%/question.c %D%/question.h %D%/runner.c \
	%D%/runner.h %D%/seek.c %D%/seek.h \
	%D%/shown_launch.c %D%/shown_launch.h %D%/shown_value.c %D%/shown_value.h
