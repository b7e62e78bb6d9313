#!/bin/sh
# embedded.sh KERNELS FOLDER NAME...: writes the C that puts what nvcc made of
# each kernel into the program. KERNELS is the folder of their text, FOLDER
# where nvcc's output is; NAME is "tiled-TILE.32".
kernels=$1
folder=$2
shift 2

# file SYMBOL PATH: a file's bytes, and a NUL behind them.
file() {
	printf '__asm__(".section .rodata\\n.balign 16\\n.globl %s\\n"\n' "$1"
	printf '\t"%s:\\n.incbin \\"%s\\"\\n.byte 0\\n.previous\\n");\n' \
		"$1" "$2"
	printf 'extern const char %s[];\n' "$1"
}

# symbol NAME: NAME as part of a C identifier.
symbol() {
	echo "embedded_$1" | tr -c 'A-Za-z0-9_\n' _
}

echo '/* Made by embedded.sh. */'
echo '#include "gpu/device/embedded.h"'
file embedded_check_fatbin "$folder/check.fatbin"
file embedded_calibrate_fatbin "$folder/calibrate.fatbin"
file embedded_record_ptx "$folder/record.ptx"
for name; do
	s=$(symbol "$name")
	text=$kernels/${name%%-*}.cu
	file "${s}_text" "$text"
	file "${s}_fatbin" "$folder/$name.fatbin"
	file "${s}_debug" "$folder/$name.debug.ptx"
	file "${s}_optimized" "$folder/$name.optimized.ptx"
done
echo 'const struct embedded embedded_table[] = {'
for name; do
	s=$(symbol "$name")
	bytes=$(($(wc -c <"$kernels/${name%%-*}.cu")))
	printf '\t{ "%s", %s_text, %s, %s_fatbin, %s_debug, %s_optimized },\n' \
		"$name" "$s" "$bytes" "$s" "$s" "$s"
done
echo '};'
echo 'const size_t embedded_count = sizeof(embedded_table) / sizeof(*embedded_table);'
