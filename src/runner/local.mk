# The interface's end of the protocol.
EXTRA_DIST += %D%/README.md

noinst_LIBRARIES += librunner.a
librunner_a_SOURCES = %D%/answer.c %D%/answer.h %D%/audit.c %D%/audit.h \
	%D%/pending.c %D%/pending.h %D%/question.c %D%/question.h \
	%D%/runner.c %D%/runner.h
