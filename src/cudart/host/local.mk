# The threads of a program's host.
EXTRA_DIST += %D%/README.md

gemmviz_emu_SOURCES += %D%/host_atomics.c %D%/host_lock.c %D%/host_omp.c \
	%D%/host_pthread.c %D%/host_team.c %D%/host_team.h %D%/host_wrap.h
