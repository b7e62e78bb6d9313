# Somebody reading: keys in, show out.
EXTRA_DIST += %D%/README.md

noinst_LIBRARIES += libapp.a
libapp_a_SOURCES = %D%/auto.c %D%/auto.h %D%/class.h %D%/class_event.c \
	%D%/class_folder.c %D%/class_folder.h %D%/class_link.c \
	%D%/class_link.h %D%/class_member.c %D%/class_practice.c %D%/lesson_rungs.c \
	%D%/class_question.c %D%/class_reading.c \
	%D%/class_reading.h %D%/class_room.c %D%/film.c %D%/film.h \
	%D%/home.c %D%/mode.c %D%/mode.h %D%/mode_answer.c \
	%D%/mode_benchmark.c %D%/mode_common.c %D%/mode_drill.c \
	%D%/mode_file.c %D%/mode_goto.c %D%/mode_learned.c %D%/mode_list.c \
	%D%/mode_overlay.c %D%/mode_picture.c %D%/mode_practice.c \
	%D%/practice_diff.c %D%/practice_diff.h %D%/practice_hints.c \
	%D%/practice_keys.c %D%/practice_words.c \
	%D%/reader_practice.c %D%/reader_practice.h \
	%D%/file_watch.c %D%/file_watch.h %D%/mode_room.c \
	%D%/mode_search.c %D%/mode_step.c %D%/mode_topic.c %D%/motion.c %D%/motion.h %D%/progress.c \
	%D%/progress.h %D%/reader.c %D%/reader.h %D%/reader_asked.c \
	%D%/reader_benchmark.c \
	%D%/reader_benchmark.h %D%/reader_class.c %D%/reader_drill.c \
	%D%/reader_drill.h %D%/reader_follow.c %D%/reader_lesson.c \
	%D%/reader_room.c %D%/reader_room.h %D%/save.c %D%/scene_opening.c \
	%D%/scene_opening.h %D%/session.c %D%/session.h %D%/ui.c %D%/ui.h
