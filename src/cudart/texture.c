/*
 * texture: see texture.h.
 */
#include "cudart/texture.h"

#include <math.h>
#include <string.h>

#include "cudart/program.h"

#define FAR 1000000000.0	/* beyond any texture */

/* What is read of a texel: words of 32 bits, or numbers to be mixed. */
struct texel {
	uint32_t word[4];
	double number[4];
};

/* Where one coordinate leads: the texel, and the weight of the one after it. */
struct where {
	int at;
	double part;
};

/* Stops the program at the launch: gemmviz does not support this. */
static _Noreturn void refuse_texture(const char *what)
{
	program_unplayed(program.config.at, what);
}

/* ---- one texel ---- */

/* Returns the texel at a coordinate; -1: outside, where the border is. */
static int index_in(int at, int size, enum cudaTextureAddressMode mode,
		    bool normalized)
{
	if (mode == cudaAddressModeBorder)
		return at < 0 || at >= size ? -1 : at;
	if (normalized && mode == cudaAddressModeWrap)
		return (at % size + size) % size;
	if (normalized && mode == cudaAddressModeMirror) {
		at = (at % (2 * size) + 2 * size) % (2 * size);
		return at < size ? at : 2 * size - 1 - at;
	}
	return at < 0 ? 0 : at >= size ? size - 1 : at;
}

static float decode_half(uint16_t h)
{
	int exponent = h >> 10 & 31, mantissa = h & 1023;
	float v = exponent == 31 ? mantissa ? NAN : INFINITY :
		  exponent ? ldexpf((float)(1024 + mantissa), exponent - 25) :
		  ldexpf((float)mantissa, -24);

	return h >> 15 ? -v : v;
}

/* Returns an integer as a part of the largest: from -1 or 0 to 1 (guide,
 * cudaReadModeNormalizedFloat). */
static double as_part(int64_t v, int bits, bool is_signed)
{
	double most = (double)((1ll << (is_signed ? bits - 1 : bits)) - 1);

	return MAX((double)v / most, -1.0);
}

static void number_put(struct texel *to, int i, float v)
{
	to->number[i] = v;
	memcpy(&to->word[i], &v, sizeof(v));
}

static void channel_read(const struct texture *t, const unsigned char *p,
			 int i, struct texel *to)
{
	bool is_signed = t->format.f == cudaChannelFormatKindSigned;
	int bits = t->format.x;
	uint32_t raw = 0;
	int64_t v;

	memcpy(&raw, p + i * bits / 8, (size_t)bits / 8);
	v = is_signed ? (int64_t)((int32_t)(raw << (32 - bits)) >>
				  (32 - bits)) : (int64_t)raw;
	to->word[i] = (uint32_t)v;
	if (t->format.f == cudaChannelFormatKindFloat) {
		float f = decode_half((uint16_t)raw);

		if (bits == 32)
			memcpy(&f, &raw, sizeof(f));
		number_put(to, i, f);
	} else if (t->normalized) {
		number_put(to, i, (float)as_part(v, bits, is_signed));
	}
}

static uint32_t count_channels(const struct texture *t)
{
	return 1 + (t->format.y != 0) + 2u * (t->format.w != 0);
}

static uint32_t texel_bytes(const struct texture *t)
{
	return count_channels(t) * (uint32_t)t->format.x / 8;
}

/* Reads the border's colour, which is a float, or a number of the texture's
 * type. */
static void border_read(const struct texture *t, struct texel *to)
{
	bool is_float = t->normalized ||
			t->format.f == cudaChannelFormatKindFloat;

	for (uint32_t i = 0; i < count_channels(t); i++) {
		number_put(to, (int)i, t->how.borderColor[i]);
		if (!is_float)
			to->word[i] = (uint32_t)(int64_t)
				t->how.borderColor[i];
	}
}

/* Reads the texel at x, y, and z or layer, of which any may be -1. */
static void texel_read(const struct texture *t, int x, int y, int z, void *here,
		       struct texel *to)
{
	const unsigned char *p;

	*to = (struct texel) { .word = { 0, 0, 0, 0 } };
	/* As hardware has it where a channel is not there. */
	if (t->normalized || t->format.f == cudaChannelFormatKindFloat)
		number_put(to, 3, 1);
	else
		to->word[3] = 1;
	if (x < 0 || y < 0 || z < 0) {
		border_read(t, to);
		return;
	}
	p = (const unsigned char *)t->memory + (size_t)x * texel_bytes(t) +
	    t->pitch * ((size_t)y + (size_t)t->size[1] * (size_t)z);
	gemmviz_load(p, texel_bytes(t), here);
	for (uint32_t i = 0; i < count_channels(t); i++)
		channel_read(t, p, (int)i, to);
}

/* ---- coordinates ---- */

static double clamp_coordinate(double x)
{
	return x == x ? MAX(MIN(x, FAR), -FAR) : 0;
}

static struct where where(const struct texture *t, float x, int dimension)
{
	struct where w = { 0, 0 };
	int size = t->size[dimension];
	double at;

	if (t->how.normalizedCoords) {
		if (t->how.addressMode[dimension] == cudaAddressModeWrap)
			x -= floorf(x);
		x *= (float)size;
	}
	at = clamp_coordinate(x);
	if (t->how.filterMode == cudaFilterModeLinear) {
		double fixed = floor((at - 0.5) * 256 + 0.5);

		w.at = (int)floor(fixed / 256);
		w.part = fixed / 256 - w.at;
	} else {
		w.at = (int)floor(at);
	}
	return w;
}

static int find_texel(const struct texture *t, const struct where *w, int next,
		      int dimension)
{
	return index_in(w->at + next, t->size[dimension],
			t->how.addressMode[dimension],
			t->how.normalizedCoords != 0);
}

/* ---- filter ---- */

static void mix_texels(const struct texture *t, const struct where w[2], int z,
		       void *here, struct texel *to)
{
	double a = w[0].part, b = w[1].part;
	double both = floor(a * b * 256 + 0.5) / 256;
	const double weight[4] = { 1 - a - b + both, a - both, b - both, both };
	double sum[4] = { 0, 0, 0, 0 };
	struct texel one;

	for (int i = 0; i < 4; i++) {
		if (weight[i] == 0)
			continue;
		texel_read(t, find_texel(t, &w[0], i & 1, 0),
			   find_texel(t, &w[1], i >> 1, 1), z, here, &one);
		for (int c = 0; c < 4; c++)
			sum[c] += weight[i] * one.number[c];
	}
	for (int c = 0; c < 4; c++)
		number_put(to, c, (float)sum[c]);
}

/* Reads from a plane; z: the layer, or -1 outside. */
static void plane_read(const struct texture *t, const struct where w[2], int z,
		       void *here, struct texel *to)
{
	if (t->how.filterMode == cudaFilterModeLinear)
		mix_texels(t, w, z, here, to);
	else
		texel_read(t, find_texel(t, &w[0], 0, 0),
			   find_texel(t, &w[1], 0, 1), z, here, to);
}

static void plain_read(const struct texture *t, int dimensions,
		       const float at[3], void *here, struct texel *to)
{
	struct where w[3] = { { 0, 0 } };

	for (int i = 0; i < dimensions; i++)
		w[i] = where(t, at[i], i);
	/* A row lies within a plane of one row. */
	if (dimensions == 1 && t->how.addressMode[1] == cudaAddressModeBorder)
		w[1] = where(t, 0, 1);
	if (w[2].part != 0)
		refuse_texture(
			"linear filtering between planes (tex3D)");
	plane_read(t, w, dimensions == 3 ? find_texel(t, &w[2], 0, 2) : 0, here,
		   to);
}

static int layer_of(const struct texture *t, int layer)
{
	return MAX(0, MIN(layer, t->size[2] - 1));
}

static void layer_read(const struct texture *t, int dimensions,
		       const float at[3], int layer, void *here,
		       struct texel *to)
{
	struct where w[2] = { { 0, 0 } };

	for (int i = 0; i < dimensions; i++)
		w[i] = where(t, at[i], i);
	plane_read(t, w, layer_of(t, layer), here, to);
}

/* Finds the face of a direction, and where on it (guide, "Cubemap
 * Textures"). */
static int face_of(const float at[3], float to[2])
{
	float x = at[0], y = at[1], z = at[2];
	float ax = fabsf(x), ay = fabsf(y), az = fabsf(z), m, s, t;
	int face;

	if (ax >= ay && ax >= az) {
		face = x >= 0 ? 0 : 1;
		m = ax;
		s = x >= 0 ? -z : z;
		t = -y;
	} else if (ay >= az) {
		face = y >= 0 ? 2 : 3;
		m = ay;
		s = x;
		t = y >= 0 ? z : -z;
	} else {
		face = z >= 0 ? 4 : 5;
		m = az;
		s = z >= 0 ? x : -x;
		t = -y;
	}
	to[0] = (s / m + 1) / 2;
	to[1] = (t / m + 1) / 2;
	return face;
}

static void cube_read(const struct texture *t, const float at[3], int layer,
		      void *here, struct texel *to)
{
	struct texture face = *t;
	struct where w[2];
	float on[2];
	int z = face_of(at, on) + 6 * layer;

	face.how.normalizedCoords = 1;
	for (int i = 0; i < 2; i++) {
		face.how.addressMode[i] = cudaAddressModeClamp;
		w[i] = where(&face, on[i], i);
		if (w[i].part != 0 &&
		    (w[i].at < 0 || w[i].at + 1 >= t->size[i]))
			refuse_texture(
				"linear filtering across a cubemap's edge");
	}
	plane_read(&face, w, layer_of(t, z), here, to);
}

/* Reads a texel of linear memory; what is outside of it is 0, whatever the
 * mode. */
static void fetch_texel(const struct texture *t, int at, void *here,
			struct texel *to)
{
	if (at >= 0 && at < t->size[0])
		texel_read(t, at, 0, 0, here, to);
	else
		*to = (struct texel) { .word = { 0, 0, 0, 0 } };
}

void gemmviz_texture(cudaTextureObject_t handle, enum gemmviz_texture_how how,
		     int dimensions, const float at[3], int layer,
		     unsigned int to[4], void *here);
void gemmviz_texture(cudaTextureObject_t handle, enum gemmviz_texture_how how,
		     int dimensions, const float at[3], int layer,
		     unsigned int to[4], void *here)
{
	const struct texture *t = texture_at(handle);
	struct texel texel;

	if (!t || t->surface)
		program_stop(program.config.at, "the kernel reads a texture "
			     "that was not created or was destroyed");
	if (how == GEMMVIZ_FETCH)
		fetch_texel(t, layer, here, &texel);
	else if (how == GEMMVIZ_LAYERED)
		layer_read(t, dimensions, at, layer, here, &texel);
	else if (how == GEMMVIZ_CUBE)
		cube_read(t, at, layer, here, &texel);
	else
		plain_read(t, dimensions, at, here, &texel);
	memcpy(to, texel.word, sizeof(texel.word));
}

/* ---- surfaces ---- */

void *gemmviz_surface(cudaSurfaceObject_t handle, int dimensions, int x, int y,
		      int z, size_t bytes, enum cudaSurfaceBoundaryMode mode,
		      void *here);
void *gemmviz_surface(cudaSurfaceObject_t handle, int dimensions, int x, int y,
		      int z, size_t bytes, enum cudaSurfaceBoundaryMode mode,
		      void *here)
{
	const struct texture *t = texture_at(handle);
	int at[3] = { x, y, z };
	bool outside = false;

	(void)dimensions;
	if (!t || !t->surface)
		program_stop(program.config.at, "the kernel uses a surface "
			     "that was not created or was destroyed");
	if ((uint32_t)bytes != texel_bytes(t) || x % (int)bytes)
		program_stop(program.config.at, "the kernel uses a surface "
			     "with another element type than its own");
	at[0] /= (int)bytes;
	for (int i = 0; i < 3; i++) {
		int in = MAX(0, MIN(at[i], t->size[i] - 1));

		outside |= in != at[i];
		at[i] = in;
	}
	if (outside && mode == cudaBoundaryModeTrap)
		gemmviz_trap(here);
	if (outside && mode != cudaBoundaryModeClamp)
		return NULL;
	return (char *)t->memory + (size_t)at[0] * bytes + t->pitch *
	       ((size_t)at[1] + (size_t)t->size[1] * (size_t)at[2]);
}
