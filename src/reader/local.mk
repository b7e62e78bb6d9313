# Somebody reading: keys in, show out.

noinst_LIBRARIES += libreader.a
libreader_a_SOURCES = %D%/reader.c %D%/reader.h %D%/reader_benchmark.c \
	%D%/reader_lesson.c %D%/session.c %D%/session.h %D%/ui.c %D%/ui.h
