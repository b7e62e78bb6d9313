# Lessons: parsed and evaluated.
EXTRA_DIST += %D%/README.md

noinst_LIBRARIES += liblesson.a
liblesson_a_SOURCES = %D%/glossary.c %D%/glossary.h %D%/lesson.h %D%/lesson_check.c %D%/lesson_devices.c \
	%D%/lesson_directives.c %D%/lesson_eval.c \
	%D%/lesson_functions.c %D%/lesson_functions.h %D%/lesson_launch.c \
	%D%/lesson_load.c %D%/lesson_model.c %D%/lesson_parse.c \
	%D%/lesson_parse.h %D%/lesson_query.h %D%/lesson_question.c \
	%D%/lesson_record.c %D%/lesson_request.c %D%/lesson_scan.c
