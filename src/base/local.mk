# Failures, memory, files, safe text, language, expressions, child processes.
EXTRA_DIST += %D%/README.md

noinst_LIBRARIES += libbase.a
libbase_a_SOURCES = %D%/base.c %D%/base.h %D%/catalogue.c %D%/catalogue.h %D%/child.c %D%/child.h %D%/confine.c %D%/confine.h \
	%D%/columns.c %D%/columns.h %D%/encode.c %D%/encode.h %D%/cpp_launch.c %D%/cpp_launch.h \
	%D%/cpp_words.c %D%/cpp_words.h \
	%D%/expr.c %D%/expr.h %D%/expr_code.h %D%/expr_eval.c %D%/file.c %D%/lang.c \
	%D%/lang.h %D%/map.c %D%/map.h %D%/paths.c %D%/stack_switch.h %D%/store.c %D%/store.h \
	%D%/resource.c %D%/resource.h %D%/text.c %D%/text.h \
	%D%/value.c %D%/value.h
