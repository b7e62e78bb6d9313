/*
 * library_types: the types of elements that CUDA's libraries know.
 */
#ifndef GEMMVIZ_LIBRARY_TYPES_H
#define GEMMVIZ_LIBRARY_TYPES_H
/* The guard of CUDA's own header, whose name programs ask for. */
#define __LIBRARY_TYPES_H__

enum cudaDataType_t {
	CUDA_R_32F, CUDA_R_64F, CUDA_R_16F, CUDA_R_8I, CUDA_C_32F, CUDA_C_64F,
	CUDA_C_16F, CUDA_C_8I, CUDA_R_8U, CUDA_C_8U, CUDA_R_32I, CUDA_C_32I,
	CUDA_R_32U, CUDA_C_32U, CUDA_R_16BF, CUDA_C_16BF, CUDA_R_16I = 20,
	CUDA_R_64I = 24, CUDA_R_8F_E4M3 = 28, CUDA_R_8F_E5M2 = 29
};
typedef enum cudaDataType_t cudaDataType;
enum libraryPropertyType_t { MAJOR_VERSION, MINOR_VERSION, PATCH_LEVEL };
typedef enum libraryPropertyType_t libraryPropertyType;

#endif
