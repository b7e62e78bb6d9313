# The terminal: the only user of curses.

libviz_a_SOURCES += %D%/guard.c %D%/guard.h %D%/term.c %D%/term.h
