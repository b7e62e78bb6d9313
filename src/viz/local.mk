# Canvas, theme, layout, screens and the table of views.
EXTRA_DIST += %D%/README.md

noinst_LIBRARIES += libviz.a
libviz_a_SOURCES = %D%/canvas.c %D%/canvas.h %D%/canvas_print.c \
	%D%/canvas_signs.c %D%/defect_words.c %D%/defect_words.h %D%/event.h \
	%D%/field.c %D%/field.h %D%/keys.c %D%/keys.h %D%/kit.c %D%/kit.h \
	%D%/layout.c %D%/legend.c %D%/legend.h %D%/overlay.c %D%/overlay.h %D%/pair.c %D%/pen.c \
	%D%/pen.h %D%/picture.c %D%/plain.c %D%/plain_benchmark.c \
	%D%/prose.c %D%/raster.c %D%/raster.h %D%/roofline_labels.c %D%/frame_model.h %D%/theme.c %D%/theme.h \
	%D%/sm_resource.c %D%/sm_resource.h %D%/view.c %D%/view.h %D%/view_advice.c \
	%D%/view_bars.c %D%/view_bars_large.c %D%/view_benchmark.c \
	%D%/view_benchmark.h %D%/view_class.c %D%/view_drill.c \
	%D%/view_drill_parts.c %D%/show_practice.h %D%/view_practice.c \
	%D%/view_drill_parts.h %D%/view_frame.c \
	%D%/view_glossary.c %D%/view_help.c %D%/view_home.c \
	%D%/view_learned.c %D%/view_lesson.c %D%/view_roofline.c \
	%D%/view_source.c %D%/view_topics.c
