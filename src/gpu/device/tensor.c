/*
 * tensor: makes a matrix's tensor map for TMA. See tensor.h; the conditions are
 * those of cuTensorMapEncodeTiled in the CUDA driver API.
 */
#include "base/text.h"
#include "gpu/device/tensor.h"

#define PITCH_BYTES 16
#define BOX_MOST 256

static int tensor_type(const struct debug_var *v, CUtensorMapDataType *to,
		       struct error *e)
{
	switch (v->type.elem) {
	case ELEM_F16:
		*to = CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
		return 0;
	case ELEM_BF16:
		*to = CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
		return 0;
	case ELEM_F32:
		*to = CU_TENSOR_MAP_DATA_TYPE_FLOAT32;
		return 0;
	default:
		return error_set(e, EXIT_USAGE, "%s is a tensor map of an "
				 "unsupported type (supported: float, half, "
				 "__nv_bfloat16)", text_show(v->name));
	}
}

static int swizzle_of(const struct debug_var *v, CUtensorMapSwizzle *to,
		      struct error *e)
{
	switch (v->type.swizzle) {
	case 0:
		*to = CU_TENSOR_MAP_SWIZZLE_NONE;
		return 0;
	case 32:
		*to = CU_TENSOR_MAP_SWIZZLE_32B;
		return 0;
	case 64:
		*to = CU_TENSOR_MAP_SWIZZLE_64B;
		return 0;
	case 128:
		*to = CU_TENSOR_MAP_SWIZZLE_128B;
		return 0;
	default:
		return error_set(e, EXIT_USAGE, "%s is swizzled by %u bytes, "
				 "but only 0, 32, 64 and 128 are supported",
				 text_show(v->name), v->type.swizzle);
	}
}

static int box_check(const struct debug_var *v, struct error *e)
{
	const struct debug_type *t = &v->type;
	uint64_t bytes = t->dims[1] * t->elem_bytes;

	if (!t->dims[0] || !t->dims[1])
		return error_set(e, EXIT_USAGE, "the box of %s is unknown: an "
				 "extern \"C\" kernel must give it in numbers",
				 text_show(v->name));
	if (t->dims[0] > BOX_MOST || t->dims[1] > BOX_MOST)
		return error_set(e, EXIT_USAGE, "the box of %s has more than "
				 "%d rows or columns", text_show(v->name),
				 BOX_MOST);
	if (bytes % PITCH_BYTES)
		return error_set(e, EXIT_USAGE, "the rows of %s's box are not "
				 "multiples of %d bytes", text_show(v->name),
				 PITCH_BYTES);
	if (t->swizzle && bytes > t->swizzle)
		return error_set(e, EXIT_USAGE, "the rows of %s's box are "
				 "longer than the %u bytes that are swizzled",
				 text_show(v->name), t->swizzle);
	return 0;
}

int tensor_map(CUtensorMap *to, const struct debug_var *v, CUdeviceptr at,
	       int rows, int columns, struct error *e)
{
	const struct debug_type *t = &v->type;
	const cuuint64_t size[] = { (cuuint64_t)columns, (cuuint64_t)rows };
	const cuuint64_t pitch[] = { size[0] * t->elem_bytes };
	const cuuint32_t box[] = { (cuuint32_t)t->dims[1],
				   (cuuint32_t)t->dims[0] };
	const cuuint32_t step[] = { 1, 1 };
	CUtensorMapDataType type = CU_TENSOR_MAP_DATA_TYPE_FLOAT32;
	CUtensorMapSwizzle swizzle = CU_TENSOR_MAP_SWIZZLE_NONE;

	if (tensor_type(v, &type, e) < 0 || swizzle_of(v, &swizzle, e) < 0 ||
	    box_check(v, e) < 0)
		return -1;
	if (pitch[0] % PITCH_BYTES)
		return error_set(e, EXIT_USAGE, "TMA needs rows of a multiple "
				 "of %d bytes, but %s has %d columns of %u "
				 "bytes",
				 PITCH_BYTES, text_show(v->name), columns,
				 t->elem_bytes);
	if (CUDA_TRY_NEWER(e, TensorMapEncodeTiled, to, type, LENGTH(size),
			   (void *)(uintptr_t)at, size, pitch, box, step,
			   CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle,
			   CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
			   CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) < 0) {
		e->status = EXIT_USAGE;
		return -1;
	}
	return 0;
}
