# What is on stage.

noinst_LIBRARIES += libscene.a
libscene_a_SOURCES = %D%/benchmark_scene.c %D%/benchmark_scene.h \
	%D%/cursor.c %D%/scene.c %D%/scene.h %D%/scene_fragment.c \
	%D%/source.c %D%/source.h
