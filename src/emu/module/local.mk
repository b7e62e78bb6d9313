# A text becomes machine code, and is loaded.
EXTRA_DIST += %D%/README.md

gemmviz_emu_SOURCES += %D%/asm_text.c %D%/asm_text.h %D%/compile.c \
	%D%/compile.h %D%/compile_folder.c %D%/compile_folder.h \
	%D%/compile_said.c %D%/compile_said.h %D%/compile_sandbox.c \
	%D%/compile_sandbox.h %D%/compile_store.c %D%/compile_store.h \
	%D%/filter.c %D%/filter.h %D%/load_text.c %D%/load_text.h \
	%D%/module.c %D%/module.h %D%/symbols.c %D%/symbols.h
