# The terminal: the only user of curses.
EXTRA_DIST += %D%/README.md

libviz_a_SOURCES += %D%/guard.c %D%/guard.h %D%/term.c %D%/term.h
