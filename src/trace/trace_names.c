/*
 * trace_names: the words for a trace's enums, the ownership of a trace_info,
 * the checks of its members, and what its numbers mean.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/lang.h"
#include "trace/finding.h"
#include "trace/trace_format.h"

static const char *const spaces[SPACE_COUNT] = {
	[SPACE_GLOBAL] = "global", [SPACE_SHARED] = "shared",
	[SPACE_REGISTER] = "register", [SPACE_CONSTANT] = "constant",
};
static const char *const ops[] = {
	[OP_LD] = "ld", [OP_ST] = "st", [OP_BARRIER] = "barrier",
	[OP_SYNC] = "sync", [OP_MBAR_ARRIVE] = "mbar-arrive",
	[OP_MBAR_WAIT] = "mbar-wait", [OP_TMA_LD] = "tma-ld",
	[OP_TMA_ST] = "tma-st", [OP_WGMMA] = "wgmma",
	[GVT_MATRIX + OP_LD] = "ldmatrix", [GVT_MATRIX + OP_ST] = "stmatrix",
};
static const char *const elems[ELEM_COUNT] = {
	[ELEM_RAW] = "raw", [ELEM_F32] = "f32", [ELEM_F64] = "f64",
	[ELEM_F16] = "f16", [ELEM_BF16] = "bf16", [ELEM_I8] = "i8",
	[ELEM_U8] = "u8", [ELEM_I16] = "i16", [ELEM_U16] = "u16",
	[ELEM_I32] = "i32", [ELEM_U32] = "u32", [ELEM_I64] = "i64",
	[ELEM_U64] = "u64",
};
static const char *const decisions[DECIDED_COUNT] = {
	[DECIDED_GIVEN] = "given", [DECIDED_PROBLEM] = "problem",
	[DECIDED_NAME] = "name", [DECIDED_POSITION] = "position",
	[DECIDED_ASSUMED] = "assumed", [DECIDED_GROWN] = "grown",
	[DECIDED_PROGRAM] = "program", [DECIDED_LAUNCH] = "launch",
};

const char *trace_define(const void *info, const char *name)
{
	const struct trace_info *i = info;

	for (size_t d = 0; d < i->define_count; d++)
		if (!strcmp(i->defines[d].name, name))
			return i->defines[d].value;
	return NULL;
}

static int name_index(const char *const *names, size_t count, const char *word)
{
	for (size_t i = 0; i < count; i++)
		if (names[i] && strcmp(names[i], word) == 0)
			return (int)i;
	return -1;
}

const char *space_name(enum space s)
{
	return spaces[s];
}

const char *op_name(enum op o)
{
	return ops[o];
}

const char *elem_name(enum elem e)
{
	return elems[e];
}

const char *decided_name(enum decided d)
{
	return decisions[d];
}

int decided_from(const char *word)
{
	return name_index(decisions, DECIDED_COUNT, word);
}

int space_from(const char *word)
{
	return name_index(spaces, LENGTH(spaces), word);
}

uint32_t spaces_from(const char *list)
{
	char *copy = xstrdup(list), *rest = copy, *word;
	uint32_t spaces = 0;
	bool good = true;

	while (good && (word = strsep(&rest, ","))) {
		int space = space_from(word);

		good = space >= 0;
		spaces |= good ? 1u << space : 0;
	}
	free(copy);
	return good ? spaces : 0;
}

int op_from(const char *word)
{
	return name_index(ops, OP_COUNT, word);
}

int elem_from(const char *word)
{
	return name_index(elems, LENGTH(elems), word);
}

uint32_t trace_value_words(const struct trace_site *site)
{
	return op_is_bulk(site->op) ? 0 : (site->bytes + 3) / 4;
}

void trace_info_done(struct trace_info *info)
{
	for (size_t i = 0; i < info->define_count; i++) {
		free(info->defines[i].name);
		free(info->defines[i].value);
	}
	for (size_t i = 0; i < info->argument_count; i++) {
		free(info->arguments[i].name);
		free(info->arguments[i].type);
		free(info->arguments[i].value);
	}
	for (size_t i = 0; i < info->array_count; i++)
		free(info->arrays[i].name);
	for (size_t i = 0; i < info->finding_count; i++)
		trace_finding_done(&info->findings[i]);
	for (size_t i = 0; i < info->work_count; i++)
		trace_work_done(&info->works[i]);
	free(info->works);
	free(info->defines);
	free(info->arguments);
	free(info->arrays);
	free(info->sites);
	free(info->findings);
	free(info->kernel);
	free(info->problem);
	free(info->check);
	free(info->file);
	free(info->text);
	free(info->on);
	free(info->device);
	*info = (struct trace_info){ 0 };
}

/* ---- what must be so ---- */

/* Checks the devices and the work of a trace. Returns NULL, or words that
 * complete "expected ...". */
const char *trace_works_wrong(const struct trace_info *info)
{
	const char *wrong = NULL;

	if (info->devices > DEVICES_MOST ||
	    (!info->devices && info->work_count))
		return _("at most 16 devices");
	for (size_t i = 0; !wrong && i < info->work_count; i++)
		wrong = trace_work_wrong(&info->works[i], info->devices);
	if (!wrong && info->own &&
	    (info->own > info->work_count ||
	     info->works[info->own - 1].kind != WORK_LAUNCH))
		wrong = _("a launch as the trace's own");
	return wrong;
}

uint32_t elem_size(enum elem e)
{
	static const uint8_t sizes[ELEM_COUNT] = {
		[ELEM_F32] = 4, [ELEM_F64] = 8, [ELEM_F16] = 2,
		[ELEM_BF16] = 2, [ELEM_I8] = 1, [ELEM_U8] = 1,
		[ELEM_I16] = 2, [ELEM_U16] = 2, [ELEM_I32] = 4,
		[ELEM_U32] = 4, [ELEM_I64] = 8, [ELEM_U64] = 8,
	};

	return sizes[e];
}

bool elem_is_real(enum elem e)
{
	return e == ELEM_F16 || e == ELEM_BF16 || e == ELEM_F32 ||
	       e == ELEM_F64;
}

const char *trace_array_wrong(const struct trace_array *a)
{
	uint64_t bytes = a->elem_bytes;

	if ((unsigned)a->space >= SPACE_COUNT)
		return _("a known space");
	if ((unsigned)a->elem >= ELEM_COUNT)
		return _("a known element type");
	if (a->elem_bytes == 0 ||
	    (elem_size(a->elem) && elem_size(a->elem) != a->elem_bytes))
		return _("an element size that fits the type");
	if (a->rank < 1 || a->rank > TRACE_MAX_RANK)
		return _("1 to 4 dimensions");
	for (uint32_t i = 0; i < a->rank; i++)
		if (a->dims[i] == 0 ||
		    __builtin_mul_overflow(bytes, a->dims[i], &bytes) ||
		    bytes > TRACE_MAX_ARRAY_BYTES)
			return _("dimensions of an array of 1 to 2^56 bytes");
	if (a->base > UINT64_MAX - bytes)
		return _("an array below the end of the address space");
	return NULL;
}

const char *trace_argument_wrong(const struct trace_argument *a,
				 size_t array_count)
{
	if ((unsigned)a->decided >= DECIDED_COUNT ||
	    (unsigned)a->filled >= DECIDED_COUNT)
		return _("an argument that somebody decided");
	if (a->array != TRACE_NO_ARRAY && a->array >= array_count)
		return _("arguments that are arrays of the table");
	if (a->size && a->size != 'm' && a->size != 'n' && a->size != 'k')
		return _("the size m, n or k");
	return NULL;
}

uint64_t trace_array_bytes(const struct trace_array *a)
{
	uint64_t bytes = a->elem_bytes;

	for (uint32_t i = 0; i < a->rank; i++)
		bytes *= a->dims[i];
	return bytes;
}

static const char *tile_wrong(const struct trace_tile *t)
{
	uint64_t elements = (uint64_t)t->parts * t->rows;

	if (t->rows && (elements == 0 || t->columns == 0 ||
			elements > TRACE_MAX_TILE / t->columns))
		return _("a tile of 1 to 2^20 elements");
	if (t->rows && (t->bytes == 0 || t->bytes > 16))
		return _("a tile of elements of 1 to 16 bytes");
	if (t->swizzle > 128 || t->swizzle % 32 || t->swizzle == 96)
		return _("a tile swizzled by 0, 32, 64 or 128 bytes");
	return NULL;
}

static bool is_remote(const struct trace_site *s)
{
	struct trace_tile t;

	if ((s->op != OP_ST && s->op != OP_LD) || s->matrix || !s->tile.blocks)
		return false;
	t = trace_tile_remote(s->bytes,
			      (uint32_t)__builtin_ctz(s->tile.blocks));
	return !memcmp(&t, &s->tile, sizeof(t));
}

const char *trace_site_wrong(const struct trace_site *s, size_t array_count)
{
	if ((unsigned)s->op >= OP_COUNT)
		return _("a known operation");
	if (s->matrix && s->bytes != MATRIX_ROW_BYTES)
		return _("matrices with rows of 16 bytes");
	if (s->tile.rows && !op_is_bulk(s->op) && !is_remote(s))
		return _("a tile of what is moved in bulk, or of one element "
			 "of one block");
	if (!op_has_array(s->op)) {
		if (s->array != TRACE_NO_ARRAY || s->bytes != 0)
			return _("a barrier without array and bytes");
		return NULL;
	}
	if (s->array >= array_count)
		return _("an array of the table");
	if (op_is_bulk(s->op))
		return s->bytes ? tile_wrong(&s->tile) : _("some bytes");
	if (s->op != OP_LD && s->op != OP_ST && s->bytes != 8)
		return _("an mbarrier of 8 bytes");
	if (s->bytes == 0 || s->bytes > 16 || (s->bytes & (s->bytes - 1)))
		return _("1, 2, 4, 8 or 16 bytes a lane");
	return NULL;
}

uint32_t trace_site_code(const struct trace_site *s)
{
	return s->op + (s->matrix ? GVT_MATRIX : 0);
}

void trace_site_decode(struct trace_site *s, uint32_t code)
{
	s->matrix = code == GVT_MATRIX + OP_LD || code == GVT_MATRIX + OP_ST;
	s->op = code - (s->matrix ? GVT_MATRIX : 0);
}

int trace_site_code_from(const char *word)
{
	return name_index(ops, LENGTH(ops), word);
}

const char *trace_site_word(const struct trace_site *s)
{
	return ops[trace_site_code(s)];
}

bool trace_site_same(const struct trace_site *a, const struct trace_site *b)
{
	return a->line == b->line && a->column == b->column &&
	       a->op == b->op && a->matrix == b->matrix &&
	       a->array == b->array && a->bytes == b->bytes &&
	       !memcmp(&a->tile, &b->tile, sizeof(a->tile));
}

uint64_t trace_blocks(const struct trace_info *info)
{
	return (uint64_t)info->grid.x * info->grid.y * info->grid.z;
}

bool trace_has_size(const struct trace_info *info)
{
	bool any = !info->argument_count ||
		   (info->problem && strcmp(info->problem, "unknown"));

	for (size_t i = 0; i < info->argument_count; i++)
		any = any || info->arguments[i].size;
	return any && info->m && info->n && info->k;
}

/* Multiplies three factors of 32 bits, without overflow, and tests whether the
 * product is from 1 to `limit`. */
static bool dim_within(struct trace_dim d, uint64_t limit)
{
	uint64_t xy = (uint64_t)d.x * d.y;

	return xy && d.z && xy <= limit && xy * d.z <= limit;
}

const char *trace_launch_wrong(const struct trace_info *info)
{
	if (!dim_within(info->grid, UINT32_MAX))
		return _("a grid of 1 to 2^32 - 1 blocks");
	if (!dim_within(info->block, TRACE_MAX_THREADS))
		return _("a block of 1 to 1024 threads");
	if (info->spaces >> SPACE_COUNT)
		return _("known spaces");
	return NULL;
}

uint32_t trace_warp_lanes(const struct trace_info *info, uint32_t warp)
{
	uint64_t threads = (uint64_t)info->block.x * info->block.y *
			   info->block.z;
	uint64_t first = (uint64_t)warp * WARP_LANES;

	if (first >= threads)
		return 0;
	if (threads - first >= WARP_LANES)
		return UINT32_MAX;
	return (1u << (threads - first)) - 1;
}

uint32_t trace_site_reach(const struct trace_info *info,
			  const struct trace_site *s)
{
	const struct trace_array *a = &info->arrays[s->array];

	if (!op_is_bulk(s->op))
		return s->bytes;
	return a->elem == ELEM_RAW ? 1 : a->elem_bytes;
}

uint32_t trace_tile_elements(const struct trace_site *s)
{
	const struct trace_tile *t = &s->tile;

	return t->rows ? t->parts * t->rows * t->columns : 1;
}

/* Applies a TMA swizzle of `swizzle` bytes to an address; see PTX ISA, "Tensor
 * swizzling modes". */
static uint64_t swizzle_address(uint64_t address, uint32_t swizzle)
{
	return swizzle ? address ^ (address >> 7 & (swizzle / 16 - 1)) * 16 :
			 address;
}

bool trace_tile_at(const struct trace_info *info, const struct trace_site *s,
		   uint64_t offset, uint32_t nth, uint64_t *at)
{
	const struct trace_array *a = &info->arrays[s->array];
	const struct trace_tile *t = &s->tile;
	uint64_t across = a->dims[a->rank - 1] * a->elem_bytes;
	uint32_t row, column;

	*at = offset;
	if (!t->rows)
		return true;
	row = nth / t->columns;
	column = nth % t->columns * t->bytes;
	*at += column + (uint64_t)(row / t->rows) * t->next +
	       (uint64_t)(row % t->rows) * t->pitch;
	if (a->space == SPACE_GLOBAL &&
	    offset % across + column + t->bytes > across)
		return false;
	*at = swizzle_address(a->base + *at, t->swizzle) - a->base;
	return *at < trace_array_bytes(a) &&
	       t->bytes <= trace_array_bytes(a) - *at;
}

void trace_tile_begin(struct trace_tile_walk *w, const struct trace_info *info,
		      const struct trace_site *s, uint64_t offset)
{
	const struct trace_array *a = &info->arrays[s->array];
	uint64_t across = a->dims[a->rank - 1] * a->elem_bytes;

	*w = (struct trace_tile_walk){
		.nth = UINT32_MAX, .tile = &s->tile, .first = offset,
		.line = offset, .base = a->base, .size = trace_array_bytes(a),
		.left = a->space == SPACE_GLOBAL ? across - offset % across :
						   UINT64_MAX,
		.column = UINT32_MAX, .elements = trace_tile_elements(s),
	};
}

bool trace_tile_next(struct trace_tile_walk *w)
{
	const struct trace_tile *t = w->tile;

	while (++w->nth < w->elements) {
		uint32_t byte;

		w->at = w->first;
		if (!t->rows)
			return true;
		if (++w->column == t->columns) {
			w->column = 0;
			w->row++;
			w->line = w->first +
				  (uint64_t)(w->row / t->rows) * t->next +
				  (uint64_t)(w->row % t->rows) * t->pitch;
		}
		byte = w->column * t->bytes;
		w->at = swizzle_address(w->base + w->line + byte, t->swizzle) -
			w->base;
		if ((uint64_t)byte + t->bytes <= w->left && w->at < w->size &&
		    t->bytes <= w->size - w->at)
			return true;
	}
	return false;
}

bool trace_tile_match(const struct trace_tile *box,
		      const struct trace_tile *matrix, uint32_t nth,
		      uint32_t *at)
{
	uint32_t row = nth / box->columns - (box->rows - matrix->rows);
	uint32_t col = nth % box->columns - (box->columns - matrix->columns);

	*at = row * matrix->columns + col;
	return row < matrix->rows && col < matrix->columns;
}

struct site_plan trace_site_plan(const struct trace_info *info, uint32_t site)
{
	const struct trace_site *s = &info->sites[site];
	struct site_plan p = { .op = s->op };
	const struct trace_array *a;
	uint32_t reach;

	if (!op_has_array(s->op))
		return p;
	a = &info->arrays[s->array];
	reach = trace_site_reach(info, s);
	p.too_wide = trace_array_bytes(a) < reach;
	p.limit = trace_array_bytes(a) - reach;
	p.words = trace_value_words(s);
	p.bits = s->bytes >= 4 ? UINT32_MAX : (1u << 8 * s->bytes) - 1;
	p.seed = (s->array * 2654435761u >> 18) & -(uint32_t)WARP_LANES;
	p.shift = s->bytes >= 4 ? 2 : s->bytes >> 1;
	p.registers = a->space == SPACE_REGISTER;
	p.floats = a->elem == ELEM_F32 && s->op == OP_ST && s->bytes == 4;
	return p;
}

struct trace_dim dim_of(struct trace_dim size, uint32_t linear)
{
	return (struct trace_dim){
		linear % size.x,
		linear / size.x % size.y,
		linear / size.x / size.y,
	};
}

/* Converts IEEE half to float. The bits of exponent and fraction move to where
 * a float has them; multiplying by 2^112 corrects the exponent bias, also of
 * subnormal halves. */
static float half_to_float(uint16_t h)
{
	union { uint32_t u; float f; } w = { (h & 0x7fffu) << 13 };

	w.f *= 0x1p112f;
	if ((h & 0x7c00) == 0x7c00)
		w.f = h & 0x3ff ? NAN : INFINITY;
	return h & 0x8000 ? -w.f : w.f;
}

bool element_value(enum elem kind, const uint32_t *words, uint32_t byte,
		   double *v)
{
	union { uint64_t u; int64_t i; double d; } w64;
	union { uint32_t u; int32_t i; float f; } w;
	uint32_t at = byte / 4, shift = byte % 4 * 8;

	w.u = words[at] >> shift;
	w64.u = byte % 8 ? 0 : words[at];
	switch (kind) {
	case ELEM_F64:
	case ELEM_I64:
	case ELEM_U64:
		w64.u |= (uint64_t)words[at + 1] << 32;
		*v = kind == ELEM_F64 ? w64.d :
		     kind == ELEM_I64 ? (double)w64.i : (double)w64.u;
		return true;
	case ELEM_F32: *v = w.f; return true;
	case ELEM_I32: *v = w.i; return true;
	case ELEM_U32: *v = w.u; return true;
	case ELEM_F16:
		*v = half_to_float((uint16_t)w.u);
		return true;
	case ELEM_BF16: w.u = (w.u & 0xffff) << 16; *v = w.f; return true;
	case ELEM_I16: *v = (int16_t)w.u; return true;
	case ELEM_U16: *v = (uint16_t)w.u; return true;
	case ELEM_I8: *v = (int8_t)w.u; return true;
	case ELEM_U8: *v = (uint8_t)w.u; return true;
	default: return false;
	}
}
