# Frames as files.

noinst_LIBRARIES += libexport.a
libexport_a_SOURCES = %D%/ansi.c %D%/ansi.h %D%/export.c %D%/export.h \
	%D%/export_ansi.c %D%/export_cast.c %D%/export_md.c %D%/export_svg.c \
	%D%/export_txt.c %D%/glyph.c %D%/glyph.h %D%/paint.c %D%/paint.h \
	%D%/svg.c %D%/svg.h
