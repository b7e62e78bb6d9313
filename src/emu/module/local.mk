# A text becomes machine code, and is loaded.
EXTRA_DIST += %D%/README.md

# What g++ starts in place of its assembler.
pkglibexec_PROGRAMS += gemmviz-as
gemmviz_as_SOURCES = src/base/memory.c %D%/assembler.c %D%/asm_fuse.c \
	%D%/asm_fuse.h %D%/asm_fuse_parts.h %D%/asm_fuse_write.c %D%/asm_lines.c %D%/asm_lines.h %D%/asm_machine.c \
	%D%/asm_machine.h %D%/asm_operand.c %D%/asm_operand.h
# A sanitizer's runtime calls what the compiler's sandbox does not allow.
if SANITIZED
gemmviz_as_SOURCES += $(libbase_a_SOURCES)
gemmviz_as_CFLAGS = $(AM_CFLAGS) -fno-sanitize=all
else
gemmviz_as_LDADD = $(BASE_LIBS)
endif

gemmviz_emu_SOURCES += %D%/asm_text.c %D%/asm_text.h %D%/compile.c \
	%D%/compile.h %D%/compile_folder.c %D%/compile_folder.h \
	%D%/compile_said.c %D%/compile_said.h %D%/compile_sandbox.c \
	%D%/compile_sandbox.h %D%/compile_store.c %D%/compile_store.h \
	%D%/filter.c %D%/filter.h %D%/load_text.c %D%/load_text.h \
	%D%/module.c %D%/module.h %D%/scalar_text.c \
	%D%/scalar_text.h %D%/symbols.c %D%/symbols.h
