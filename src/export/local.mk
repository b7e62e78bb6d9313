# Frames as files.
EXTRA_DIST += %D%/README.md

noinst_LIBRARIES += libexport.a
libexport_a_SOURCES = %D%/ansi.c %D%/ansi.h %D%/export.c %D%/export.h \
	%D%/export_ansi.c %D%/export_cast.c %D%/export_md.c %D%/export_svg.c \
	%D%/export_html.c %D%/export_page.c %D%/export_txt.c %D%/glyph.c %D%/glyph.h %D%/html_frames.c %D%/html_frames.h \
	%D%/paint.c %D%/paint.h \
	%D%/svg.c %D%/svg.h

libexport_a_SOURCES += %D%/export_gif.c
if HAVE_GIF
libexport_a_SOURCES += %D%/font.c %D%/font.h
endif

# The page's own parts, as strings.
nodist_libexport_a_SOURCES = %D%/player.c
EXTRA_DIST += %D%/player.css %D%/player.js
CLEANFILES += %D%/player.c
%D%/player.c: %D%/player.css %D%/player.js
	$(AM_V_GEN)$(MKDIR_P) %D% && for part in css js; do \
		echo "const char player_$$part[] =" && \
		sed 's/[\\"]/\\&/g; s/.*/"&\\n"/' \
			$(srcdir)/%D%/player.$$part && echo ';' || exit; \
	done >$@.new && mv $@.new $@
