/*
 * wmma: fragments of nvcuda::wmma (CUDA C++ Programming Guide, "Warp Matrix
 * Functions"). A lane loads or stores elements that are neighbours in memory in
 * one access.
 */
#include <string.h>

#include "base/lang.h"
#include "emu/warp/arch_check.h"
#include "emu/warp/warp_matrix.h"

/* As cuda/mma.h declares it: type is that of the elements. */
struct gemmviz_fragment {
	int m, n, k;
	char operand;
	const char *type;
};

#define KINDS 64		/* more than there are */

static const struct warp_matrix *
find_fragment_tile(const struct gemmviz_fragment *f)
{
	static struct {
		int m, n, k;
		const struct warp_matrix *tile;
	} known[KINDS];
	static size_t count;
	char shape[40];

	for (size_t i = 0; i < count; i++)
		if (known[i].m == f->m && known[i].n == f->n &&
		    known[i].k == f->k &&
		    known[i].tile->f.operand == f->operand &&
		    !strcmp(known[i].tile->f.type, f->type))
			return known[i].tile;
	if (count == KINDS)
		fatal("more kinds of fragments than there are");
	snprintf(shape, sizeof(shape), "m%dn%dk%d", f->m, f->n, f->k);
	known[count].m = f->m;
	known[count].n = f->n;
	known[count].k = f->k;
	known[count].tile = warp_matrix_wmma(shape, f->operand, f->type);
	return known[count++].tile;
}

/* Refuses fragments of a type that the architecture lacks. */
static void check_fragment_type(const struct gemmviz_fragment *f, void *here)
{
	char instruction[40], name[40];

	snprintf(instruction, sizeof(instruction), "wmma.load.%s.x", f->type);
	snprintf(name, sizeof(name), _("wmma of %s"), f->type);
	arch_check(instruction, name, here);
}

/* ---- memory ---- */

/* Ends the thread where the guide's rules are broken; but of bytes a GPU loads
 * what is aligned to half as much. */
static void rules_check(const void *p, uint32_t pitch, size_t bytes)
{
	bool apart = pitch * bytes % FRAGMENT_PITCH == 0;

	if (apart && (uintptr_t)p % FRAGMENT_ALIGN == 0)
		return;
	if (apart && bytes == 1 && (uintptr_t)p % (FRAGMENT_ALIGN / 2) == 0) {
		emu_finding_cause(rec.thread, CAUSE_BYTES_ALIGN);
		return;
	}
	emu_finding_fragment(rec.thread, !apart);
	thread_stop();
}

/* Returns where the running lane's element is from the first one of the matrix,
 * in bytes. */
static size_t locate_lane_element(const struct warp_matrix *t, uint32_t element,
				  bool columns, uint32_t pitch)
{
	struct warp_matrix_place at =
		t->at[rec.thread->number % WARP_LANES][element];

	return t->bytes * (columns ? (size_t)at.col * pitch + at.row :
				     (size_t)at.row * pitch + at.col);
}

void gemmviz_wmma_fill(const struct gemmviz_fragment *f, void *x,
		       const void *value, void *here);
void gemmviz_wmma_fill(const struct gemmviz_fragment *f, void *x,
		       const void *value, void *here)
{
	const struct warp_matrix *t;

	if (!rec.thread)
		return;
	t = find_fragment_tile(f);
	for (int e = 0; e < t->f.elements; e++)
		memcpy((char *)x + e * (int)t->bytes, value, t->bytes);
	warp_matrix_registers(t, x, OP_ST, here);
}

void gemmviz_wmma_load(const struct gemmviz_fragment *f, int columns, void *x,
		       const void *from, uint32_t pitch, void *here);
void gemmviz_wmma_load(const struct gemmviz_fragment *f, int columns, void *x,
		       const void *from, uint32_t pitch, void *here)
{
	const struct warp_matrix *t;
	uint32_t run, elements;

	if (!rec.thread)
		return;
	check_fragment_type(f, here);
	warp_sync_later("wmma::load_matrix_sync", here);
	t = find_fragment_tile(f);
	rules_check(from, pitch, t->bytes);
	run = (uint32_t)fragment_run(&t->f, columns ? 'c' : 'r');
	elements = (uint32_t)(t->f.elements / t->f.copies);
	for (uint32_t e = 0; e < elements; e += run) {
		const char *at = (const char *)from +
				 locate_lane_element(t, e, columns, pitch);

		thread_access(here, at, run * t->bytes, OP_LD, NULL);
		for (uint32_t to = e; to < (uint32_t)t->f.elements;
		     to += elements) {
			char *place = (char *)x + to * t->bytes;

			thread_access(here, place, run * t->bytes, OP_ST, at);
			memcpy(place, at, run * t->bytes);
		}
	}
}

void gemmviz_wmma_store(const struct gemmviz_fragment *f, int columns,
			const void *x, void *to, uint32_t pitch, void *here);
void gemmviz_wmma_store(const struct gemmviz_fragment *f, int columns,
			const void *x, void *to, uint32_t pitch, void *here)
{
	const struct warp_matrix *t;
	uint32_t run;

	if (!rec.thread)
		return;
	warp_sync_later("wmma::store_matrix_sync", here);
	t = find_fragment_tile(f);
	rules_check(to, pitch, t->bytes);
	run = (uint32_t)fragment_run(&t->f, columns ? 'c' : 'r');
	for (uint32_t e = 0; e < (uint32_t)t->f.elements; e += run) {
		char *at =
			(char *)to + locate_lane_element(t, e, columns, pitch);
		const char *data = (const char *)x + e * t->bytes;

		thread_access(here, data, run * t->bytes, OP_LD, NULL);
		thread_access(here, at, run * t->bytes, OP_ST, data);
		memcpy(at, data, run * t->bytes);
	}
}

/* ---- the product ---- */

void gemmviz_wmma_mma(const struct gemmviz_fragment of[TILES],
		      void *const x[TILES], int saturate, void *here);
void gemmviz_wmma_mma(const struct gemmviz_fragment of[TILES],
		      void *const x[TILES], int saturate, void *here)
{
	struct multiply p = { .saturate = saturate };

	if (!rec.thread)
		return;
	for (int i = 0; i < TILES; i++) {
		p.of[i] = find_fragment_tile(&of[i]);
		p.x[i] = x[i];
	}
	warp_matrix_multiply(&p, "wmma::mma_sync", here);
}
