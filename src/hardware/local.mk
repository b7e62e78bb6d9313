# The machine as pure functions.
EXTRA_DIST += %D%/README.md

noinst_LIBRARIES += libhardware.a
libhardware_a_SOURCES = %D%/access.c %D%/access.h %D%/arch.c %D%/arch.h \
	%D%/fragment.c %D%/fragment.h %D%/fragment_name.c %D%/occupancy.c %D%/occupancy.h
