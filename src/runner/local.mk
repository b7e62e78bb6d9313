# The interface's end of the protocol.

noinst_LIBRARIES += librunner.a
librunner_a_SOURCES = %D%/runner.c %D%/runner.h
