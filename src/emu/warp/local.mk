# What the lanes of a warp do together.
EXTRA_DIST += %D%/README.md

gemmviz_emu_SOURCES += %D%/arch_check.c %D%/arch_check.h \
	%D%/asm.c %D%/asm_alu.c %D%/asm_alu.def %D%/asm_alu.h \
	%D%/asm_do.c %D%/asm_statement.h %D%/asm_warp.c %D%/cp_async.c \
	%D%/mma.c %D%/warp_matrix.c %D%/warp_matrix.h %D%/warp_sync.c \
	%D%/warp_sync.h %D%/warp_words.c %D%/wmma.c
