/*
 * embedded: the code that nvcc compiled from the kernels when the program was
 * built, stored in the program with the text of each.
 */
#ifndef GPU_DEVICE_EMBEDDED_H
#define GPU_DEVICE_EMBEDDED_H

#include "record/plan.h"

struct embedded {
	const char *name;		/* "tiled-TILE.32", as plan_build() */
	const char *text;		/* src/kernels/tiled.cu */
	size_t text_length;
	const char *fatbin;		/* -O3, for each architecture */
	const char *ptx_debug;		/* -G, NUL-terminated */
	const char *ptx_optimized;	/* -O3 -lineinfo */
};

/* Finds the code of a plan's kernel; NULL when there is none, or it is of
 * another text. */
const struct embedded *embedded_find(const struct plan *p);

/* Returns a kernel's text, as it was compiled; a plan_text (plan.h). */
char *embedded_text(const struct kernel *k, size_t *length, struct error *e);

/* The PTX of record.cu; the machine code of check.cu and of calibrate.cu. */
extern const char embedded_record_ptx[];
extern const char embedded_check_fatbin[], embedded_calibrate_fatbin[];

/* The table, which embedded.sh generates. */
extern const struct embedded embedded_table[];
extern const size_t embedded_count;

#endif
