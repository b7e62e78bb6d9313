/*
 * gemmviz_texture: arrays, textures and surfaces of a program: see texture.h of
 * the recorder.
 */
#ifndef GEMMVIZ_TEXTURE_H
#define GEMMVIZ_TEXTURE_H

extern "C" {
cudaError_t gemmviz_array(cudaArray_t *, const struct cudaChannelFormatDesc *,
			  struct cudaExtent, unsigned int flags, const char *,
			  int);
cudaError_t cudaFreeArray(cudaArray_t, GEMMVIZ_AT);
cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc *,
			     struct cudaExtent *, unsigned int *, cudaArray_t,
			     GEMMVIZ_AT);
cudaError_t gemmviz_array_copy(cudaArray_t to, size_t x, size_t y,
			       const void *from, size_t pitch, size_t width,
			       size_t height, enum cudaMemcpyKind,
			       cudaStream_t, int async, const char *,
			       const char *, int);
cudaError_t gemmviz_array_copy_from(void *to, size_t pitch, cudaArray_t from,
				    size_t x, size_t y, size_t width,
				    size_t height, enum cudaMemcpyKind,
				    cudaStream_t, int async, const char *,
				    const char *, int);
cudaError_t cudaCreateTextureObject(cudaTextureObject_t *,
				    const struct cudaResourceDesc *,
				    const struct cudaTextureDesc *,
				    const struct cudaResourceViewDesc *,
				    GEMMVIZ_AT);
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t, GEMMVIZ_AT);
cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *,
					     cudaTextureObject_t, GEMMVIZ_AT);
cudaError_t cudaGetTextureObjectTextureDesc(struct cudaTextureDesc *,
					    cudaTextureObject_t, GEMMVIZ_AT);
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *,
				    const struct cudaResourceDesc *,
				    GEMMVIZ_AT);
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t, GEMMVIZ_AT);
void gemmviz_texture(cudaTextureObject_t, enum gemmviz_texture_how,
		     int dimensions, const float at[3], int layer,
		     unsigned int to[4], void *here);
/* Where it is; NULL: nowhere. */
void *gemmviz_surface(cudaSurfaceObject_t, int dimensions, int x, int y,
		      int z, size_t bytes, enum cudaSurfaceBoundaryMode,
		      void *here);
}

/* ---- formats ---- */

template <class T> struct gemmviz_channel {
	typedef decltype(T::x) type;
	enum { count = sizeof(T) / sizeof(type) };
};
#define GEMMVIZ_CHANNEL(T) \
	template <> struct gemmviz_channel<T> \
	{ typedef T type; enum { count = 1 }; };
GEMMVIZ_CHANNEL(char)
GEMMVIZ_CHANNEL(signed char)
GEMMVIZ_CHANNEL(unsigned char)
GEMMVIZ_CHANNEL(short)
GEMMVIZ_CHANNEL(unsigned short)
GEMMVIZ_CHANNEL(int)
GEMMVIZ_CHANNEL(unsigned int)
GEMMVIZ_CHANNEL(long)
GEMMVIZ_CHANNEL(unsigned long)
GEMMVIZ_CHANNEL(float)
#undef GEMMVIZ_CHANNEL

GEMMVIZ_HOST struct cudaChannelFormatDesc
cudaCreateChannelDesc(int x, int y, int z, int w,
		      enum cudaChannelFormatKind f)
{ struct cudaChannelFormatDesc d = { x, y, z, w, f }; return d; }
template <class T> GEMMVIZ_HOST struct cudaChannelFormatDesc
cudaCreateChannelDesc(void)
{
	typedef typename gemmviz_channel<T>::type type;
	int bits = 8 * sizeof(type), n = gemmviz_channel<T>::count;

	return cudaCreateChannelDesc(
		bits, n > 1 ? bits : 0, n > 2 ? bits : 0, n > 3 ? bits : 0,
		(type)0.5 ? cudaChannelFormatKindFloat :
		(type)-1 < (type)0 ? cudaChannelFormatKindSigned :
		cudaChannelFormatKindUnsigned);
}

/* ---- arrays ---- */

GEMMVIZ_HOST cudaError_t cudaMallocArray(
	cudaArray_t *to, const struct cudaChannelFormatDesc *format,
	size_t width, size_t height = 0, unsigned int flags = 0, GEMMVIZ_AT)
{
	return gemmviz_array(to, format, make_cudaExtent(width, height, 0),
			     flags, GEMMVIZ_LINE);
}
GEMMVIZ_HOST cudaError_t cudaMalloc3DArray(
	cudaArray_t *to, const struct cudaChannelFormatDesc *format,
	struct cudaExtent extent, unsigned int flags = 0, GEMMVIZ_AT)
{ return gemmviz_array(to, format, extent, flags, GEMMVIZ_LINE); }
GEMMVIZ_HOST cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *to,
					    cudaArray_const_t a, GEMMVIZ_AT)
{
	return cudaArrayGetInfo(to, nullptr, nullptr, (cudaArray_t)a,
				GEMMVIZ_LINE);
}
GEMMVIZ_HOST cudaError_t cudaMemcpy2DToArray(
	cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch,
	size_t width, size_t height, enum cudaMemcpyKind kind, GEMMVIZ_AT)
{
	return gemmviz_array_copy(to, x, y, from, pitch, width, height, kind,
				  0, 0, "cudaMemcpy2DToArray", GEMMVIZ_LINE);
}
GEMMVIZ_HOST cudaError_t cudaMemcpy2DToArrayAsync(
	cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch,
	size_t width, size_t height, enum cudaMemcpyKind kind,
	cudaStream_t s = 0, GEMMVIZ_AT)
{
	return gemmviz_array_copy(to, x, y, from, pitch, width, height, kind,
				  s, 1, "cudaMemcpy2DToArrayAsync",
				  GEMMVIZ_LINE);
}
GEMMVIZ_HOST cudaError_t cudaMemcpy2DFromArray(
	void *to, size_t pitch, cudaArray_const_t from, size_t x, size_t y,
	size_t width, size_t height, enum cudaMemcpyKind kind, GEMMVIZ_AT)
{
	return gemmviz_array_copy_from(to, pitch, (cudaArray_t)from, x, y,
				       width, height, kind, 0, 0,
				       "cudaMemcpy2DFromArray", GEMMVIZ_LINE);
}
/* Of whole rows, one behind the other (height 0). */
GEMMVIZ_HOST cudaError_t cudaMemcpyToArray(
	cudaArray_t to, size_t x, size_t y, const void *from, size_t bytes,
	enum cudaMemcpyKind kind, GEMMVIZ_AT)
{
	return gemmviz_array_copy(to, x, y, from, 0, bytes, 0, kind, 0, 0,
				  "cudaMemcpyToArray", GEMMVIZ_LINE);
}
GEMMVIZ_HOST cudaError_t cudaMemcpyFromArray(
	void *to, cudaArray_const_t from, size_t x, size_t y, size_t bytes,
	enum cudaMemcpyKind kind, GEMMVIZ_AT)
{
	return gemmviz_array_copy_from(to, 0, (cudaArray_t)from, x, y, bytes,
				       0, kind, 0, 0, "cudaMemcpyFromArray",
				       GEMMVIZ_LINE);
}

/* ---- reads of textures ---- */

template <class T> GEMMVIZ_BARE inline T
gemmviz_texel(cudaTextureObject_t t, enum gemmviz_texture_how how,
	      int dimensions, float x, float y, float z, int layer, void *here)
{
	typedef typename gemmviz_channel<T>::type type;
	float at[3] = { x, y, z };
	unsigned int word[4];
	type channel[gemmviz_channel<T>::count];
	T result;

	gemmviz_texture(t, how, dimensions, at, layer, word, here);
	for (int i = 0; i < gemmviz_channel<T>::count; i++) {
		if ((type)0.5)
			memcpy((void *)&channel[i], &word[i], sizeof(type));
		else
			channel[i] = (type)word[i];
	}
	memcpy((void *)&result, channel, sizeof(result));
	return result;
}
/* Both forms that each has. */
#define GEMMVIZ_TEXTURE(name, parameters, ...) \
	template <class T> GEMMVIZ_BARE inline T \
	name(cudaTextureObject_t t GEMMVIZ_LIST parameters) \
	{ return gemmviz_texel<T>(t, __VA_ARGS__, GEMMVIZ_HERE); } \
	template <class T> GEMMVIZ_BARE inline void \
	name(T *to, cudaTextureObject_t t GEMMVIZ_LIST parameters) \
	{ *to = gemmviz_texel<T>(t, __VA_ARGS__, GEMMVIZ_HERE); }
#define GEMMVIZ_LIST(...) , __VA_ARGS__
GEMMVIZ_TEXTURE(tex1Dfetch, (int x), GEMMVIZ_FETCH, 1, x, 0, 0, x)
GEMMVIZ_TEXTURE(tex1D, (float x), GEMMVIZ_PLAIN, 1, x, 0, 0, 0)
GEMMVIZ_TEXTURE(tex2D, (float x, float y), GEMMVIZ_PLAIN, 2, x, y, 0, 0)
GEMMVIZ_TEXTURE(tex3D, (float x, float y, float z), GEMMVIZ_PLAIN, 3, x, y, z,
		0)
GEMMVIZ_TEXTURE(tex1DLayered, (float x, int layer), GEMMVIZ_LAYERED, 1, x, 0, 0,
		layer)
GEMMVIZ_TEXTURE(tex2DLayered, (float x, float y, int layer), GEMMVIZ_LAYERED,
		2, x, y, 0, layer)
GEMMVIZ_TEXTURE(texCubemap, (float x, float y, float z), GEMMVIZ_CUBE, 3, x, y,
		z, 0)
GEMMVIZ_TEXTURE(texCubemapLayered, (float x, float y, float z, int layer),
		GEMMVIZ_CUBE, 3, x, y, z, layer)
/* There are no levels: mipmapped arrays are not played. */
GEMMVIZ_TEXTURE(tex1DLod, (float x, float), GEMMVIZ_PLAIN, 1, x, 0, 0, 0)
GEMMVIZ_TEXTURE(tex2DLod, (float x, float y, float), GEMMVIZ_PLAIN, 2, x, y, 0,
		0)
GEMMVIZ_TEXTURE(tex3DLod, (float x, float y, float z, float), GEMMVIZ_PLAIN, 3,
		x, y, z, 0)
#undef GEMMVIZ_TEXTURE

/* ---- surfaces: x is in bytes ---- */

#define GEMMVIZ_SURFACE(name, parameters, ...) \
	template <class T> GEMMVIZ_BARE inline T \
	name##read(cudaSurfaceObject_t s GEMMVIZ_LIST parameters, \
		   enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) \
	{ \
		void *p = gemmviz_surface(s, __VA_ARGS__, sizeof(T), mode, \
					  GEMMVIZ_HERE); \
		T result; \
\
		memset((void *)&result, 0, sizeof(T)); \
		if (p) { \
			gemmviz_load(p, sizeof(T), GEMMVIZ_HERE); \
			memcpy((void *)&result, p, sizeof(T)); \
		} \
		return result; \
	} \
	template <class T> GEMMVIZ_BARE inline void \
	name##read(T *to, cudaSurfaceObject_t s GEMMVIZ_LIST parameters, \
		   enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) \
	{ \
		void *p = gemmviz_surface(s, __VA_ARGS__, sizeof(T), mode, \
					  GEMMVIZ_HERE); \
\
		memset((void *)to, 0, sizeof(T)); \
		if (p) { \
			gemmviz_load(p, sizeof(T), GEMMVIZ_HERE); \
			memcpy((void *)to, p, sizeof(T)); \
		} \
	} \
	template <class T> GEMMVIZ_BARE inline void \
	name##write(T v, cudaSurfaceObject_t s GEMMVIZ_LIST parameters, \
		    enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) \
	{ \
		void *p = gemmviz_surface(s, __VA_ARGS__, sizeof(T), mode, \
					  GEMMVIZ_HERE); \
\
		if (p) { \
			gemmviz_store(p, sizeof(T), GEMMVIZ_HERE); \
			memcpy(p, (const void *)&v, sizeof(T)); \
		} \
	}
GEMMVIZ_SURFACE(surf1D, (int x), 1, x, 0, 0)
GEMMVIZ_SURFACE(surf2D, (int x, int y), 2, x, y, 0)
GEMMVIZ_SURFACE(surf3D, (int x, int y, int z), 3, x, y, z)
GEMMVIZ_SURFACE(surf1DLayered, (int x, int layer), 1, x, 0, layer)
GEMMVIZ_SURFACE(surf2DLayered, (int x, int y, int layer), 2, x, y, layer)
GEMMVIZ_SURFACE(surfCubemap, (int x, int y, int face), 2, x, y, face)
#undef GEMMVIZ_SURFACE
#undef GEMMVIZ_LIST

#endif
