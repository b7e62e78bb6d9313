/*
 * gemmviz_texture_types: arrays, textures and surfaces, in the C that programs
 * and the recorder share. Names and numbers are CUDA's (driver_types.h,
 * texture_types.h, surface_types.h).
 */
#ifndef GEMMVIZ_TEXTURE_TYPES_H
#define GEMMVIZ_TEXTURE_TYPES_H

enum cudaChannelFormatKind { cudaChannelFormatKindSigned,
			     cudaChannelFormatKindUnsigned,
			     cudaChannelFormatKindFloat,
			     cudaChannelFormatKindNone };
struct cudaChannelFormatDesc {
	int x, y, z, w;		/* bits */
	enum cudaChannelFormatKind f;
};
typedef const struct cudaArray *cudaArray_const_t;
typedef struct cudaMipmappedArray *cudaMipmappedArray_t;
typedef unsigned long long cudaTextureObject_t, cudaSurfaceObject_t;

#define cudaArrayDefault 0
#define cudaArrayLayered 1
#define cudaArraySurfaceLoadStore 2
#define cudaArrayCubemap 4
#define cudaArrayTextureGather 8

enum cudaResourceType { cudaResourceTypeArray, cudaResourceTypeMipmappedArray,
			cudaResourceTypeLinear, cudaResourceTypePitch2D };
struct cudaResourceDesc {
	enum cudaResourceType resType;
	union {
		struct { cudaArray_t array; } array;
		struct { cudaMipmappedArray_t mipmap; } mipmap;
		struct {
			void *devPtr;
			struct cudaChannelFormatDesc desc;
			size_t sizeInBytes;
		} linear;
		struct {
			void *devPtr;
			struct cudaChannelFormatDesc desc;
			size_t width, height, pitchInBytes;
		} pitch2D;
	} res;
};
struct cudaResourceViewDesc { int gemmviz_nothing; };

enum cudaTextureAddressMode { cudaAddressModeWrap, cudaAddressModeClamp,
			      cudaAddressModeMirror, cudaAddressModeBorder };
enum cudaTextureFilterMode { cudaFilterModePoint, cudaFilterModeLinear };
enum cudaTextureReadMode { cudaReadModeElementType,
			   cudaReadModeNormalizedFloat };
struct cudaTextureDesc {
	enum cudaTextureAddressMode addressMode[3];
	enum cudaTextureFilterMode filterMode;
	enum cudaTextureReadMode readMode;
	int sRGB;
	float borderColor[4];
	int normalizedCoords;
	unsigned int maxAnisotropy;
	enum cudaTextureFilterMode mipmapFilterMode;
	float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
	int disableTrilinearOptimization, seamlessCubemap;
};
enum cudaSurfaceBoundaryMode { cudaBoundaryModeZero, cudaBoundaryModeClamp,
			       cudaBoundaryModeTrap };

/* What is read: how many coordinates it has, and of what. */
enum gemmviz_texture_how { GEMMVIZ_PLAIN, GEMMVIZ_FETCH, GEMMVIZ_LAYERED,
			   GEMMVIZ_CUBE };

#endif
