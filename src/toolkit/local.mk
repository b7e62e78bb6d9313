# NVIDIA's tools, found while running; and gemmviz-machine, which uses them.
EXTRA_DIST += %D%/README.md

noinst_LIBRARIES += libtoolkit.a
libtoolkit_a_SOURCES = %D%/compile.c %D%/compile.h %D%/cubin.c %D%/cubin.h \
	%D%/disassemble.c %D%/disassemble.h %D%/link.c %D%/link.h \
	%D%/nvrtc.c %D%/nvrtc.h %D%/tools.c %D%/tools.h
nodist_libtoolkit_a_SOURCES = %D%/ptx_header.c
CLEANFILES += %D%/ptx_header.c
# kernels/ptx.h, which kernels include, as a text in the program.
%D%/ptx_header.c: src/kernels/ptx.h Makefile
	$(AM_V_GEN)$(MKDIR_P) $(@D) && printf '%s\n' \
		'#include "toolkit/compile.h"' \
		'__asm__(".section .rodata\n.globl toolkit_ptx_header\n"' \
		'"toolkit_ptx_header:\n.incbin \"$(srcdir)/src/kernels/ptx.h\"\n"' \
		'".byte 0\n.previous\n");' >$@

pkglibexec_PROGRAMS += gemmviz-machine
gemmviz_machine_SOURCES = src/base/memory.c %D%/machine.c \
	%D%/machine_code.c %D%/machine_code.h \
	%D%/machine_confine.c %D%/machine_confine.h
gemmviz_machine_LDADD = libtoolkit.a $(RECORD_LIBS) $(SECCOMP_LIBS) -ldl
