# CUDA's headers as the recorder's compiler reads them.
EXTRA_DIST += %D%/README.md
cudadir = $(pkgdatadir)/cuda
CUDA_TEXTS = %D%/builtin_types.h %D%/common_functions.h \
	%D%/cooperative_groups.h %D%/chrono %D%/cublas.h \
	%D%/cublasLt.h %D%/cublas_v2.h \
	%D%/cuda.h %D%/cuComplex.h %D%/cufft.h \
	%D%/cufftXt.h %D%/library_types.h %D%/gemmviz_fft.h \
	%D%/gemmviz_pool.h %D%/gemmviz_pool_types.h \
	%D%/cuda_bf16.h \
	%D%/cuda_device_runtime_api.h %D%/cuda_fp16.h %D%/cuda_fp8.h \
	%D%/cuda_pipeline.h %D%/cuda_pipeline_primitives.h \
	%D%/cuda_profiler_api.h %D%/cuda_runtime.h \
	%D%/cuda_runtime_api.h %D%/cuda_words.h %D%/curand.h \
	%D%/curand_kernel.h %D%/device_atomic_functions.h \
	%D%/device_double_functions.h %D%/device_functions.h \
	%D%/device_launch_parameters.h %D%/device_types.h \
	%D%/driver_types.h %D%/gemmviz_gemm.h \
	%D%/gemmviz_graph.h %D%/gemmviz_real16.h \
	%D%/gemmviz_nccl.h %D%/gemmviz_numbers.h \
	%D%/gemmviz_reals.h %D%/gemmviz_warp.h \
	%D%/gemmviz_runtime.h \
	%D%/gemmviz_runtime_types.h %D%/host_defines.h \
	%D%/math_constants.h %D%/math_functions.h %D%/mma.h \
	%D%/nccl.h \
	%D%/nvToolsExt.h %D%/nvToolsExtCuda.h %D%/nvToolsExtCudaRt.h \
	%D%/ptx.h %D%/sm_20_atomic_functions.h \
	%D%/sm_30_intrinsics.h %D%/sm_61_intrinsics.h \
	%D%/sm_60_atomic_functions.h \
	%D%/surface_types.h %D%/texture_fetch_functions.h \
	%D%/texture_types.h %D%/vector_functions.h \
	%D%/vector_functions.hpp %D%/vector_types.h \
	%D%/gemmviz_atomic.h \
	%D%/gemmviz_blas.h %D%/gemmviz_cublas.h \
	%D%/gemmviz_cub.h %D%/gemmviz_cub_device.h \
	%D%/gemmviz_scope.h %D%/gemmviz_std.h %D%/gemmviz_texture.h \
	%D%/gemmviz_texture_types.h %D%/gemmviz_thrust.h \
	%D%/gemmviz_thrust_algorithms.h \
	%D%/gemmviz_thrust_iterators.h %D%/gemmviz_thrust_numbers.h \
	%D%/gemmviz_thrust_order.h
dist_cuda_DATA = $(CUDA_TEXTS) %D%/program.ld
cudagroupsdir = $(cudadir)/cooperative_groups
dist_cudagroups_DATA = %D%/cooperative_groups/memcpy_async.h \
	%D%/cooperative_groups/reduce.h %D%/cooperative_groups/scan.h
cudacrtdir = $(cudadir)/crt
dist_cudacrt_DATA = %D%/crt/device_functions.h %D%/crt/host_defines.h %D%/crt/math_functions.h
cudanvtxdir = $(cudadir)/nvtx3
dist_cudanvtx_DATA = %D%/nvtx3/nvToolsExt.h %D%/nvtx3/nvToolsExtCuda.h \
	%D%/nvtx3/nvToolsExtCudaRt.h %D%/nvtx3/nvtx3.hpp
cudacudadir = $(cudadir)/cuda
dist_cudacuda_DATA = %D%/cuda/atomic %D%/cuda/barrier %D%/cuda/pipeline
cudaopenmpdir = $(cudadir)/openmp
dist_cudaopenmp_DATA = %D%/openmp/libgomp.spec
cudacubdir = $(cudadir)/cub
dist_cudacub_DATA = %D%/cub/cub.cuh
cudacubblockdir = $(cudacubdir)/block
dist_cudacubblock_DATA = %D%/cub/block/block_reduce.cuh \
	%D%/cub/block/block_scan.cuh
cudacubwarpdir = $(cudacubdir)/warp
dist_cudacubwarp_DATA = %D%/cub/warp/warp_reduce.cuh \
	%D%/cub/warp/warp_scan.cuh
cudacubdevicedir = $(cudacubdir)/device
dist_cudacubdevice_DATA = %D%/cub/device/device_radix_sort.cuh \
	%D%/cub/device/device_reduce.cuh \
	%D%/cub/device/device_scan.cuh \
	%D%/cub/device/device_select.cuh
cudastddir = $(cudacudadir)/std
dist_cudastd_DATA = %D%/cuda/std/algorithm %D%/cuda/std/array %D%/cuda/std/atomic \
	%D%/cuda/std/bit \
	%D%/cuda/std/cassert %D%/cuda/std/cfloat \
	%D%/cuda/std/climits %D%/cuda/std/cmath \
	%D%/cuda/std/complex %D%/cuda/std/cstddef \
	%D%/cuda/std/cstdint %D%/cuda/std/cstdlib \
	%D%/cuda/std/cstring %D%/cuda/std/functional \
	%D%/cuda/std/initializer_list %D%/cuda/std/iterator \
	%D%/cuda/std/limits %D%/cuda/std/numeric \
	%D%/cuda/std/optional %D%/cuda/std/ratio \
	%D%/cuda/std/tuple %D%/cuda/std/type_traits \
	%D%/cuda/std/utility %D%/cuda/std/variant
# Of thrust, one for each header that a program may include.
cudathrustdir = $(cudadir)/thrust
dist_cudathrust_DATA = %D%/thrust/adjacent_difference.h %D%/thrust/advance.h \
	%D%/thrust/binary_search.h %D%/thrust/copy.h \
	%D%/thrust/count.h %D%/thrust/device_delete.h \
	%D%/thrust/device_free.h %D%/thrust/device_malloc.h \
	%D%/thrust/device_new.h %D%/thrust/device_ptr.h \
	%D%/thrust/device_reference.h %D%/thrust/device_vector.h \
	%D%/thrust/distance.h %D%/thrust/equal.h \
	%D%/thrust/execution_policy.h %D%/thrust/extrema.h \
	%D%/thrust/fill.h %D%/thrust/find.h %D%/thrust/for_each.h \
	%D%/thrust/functional.h %D%/thrust/gather.h \
	%D%/thrust/generate.h %D%/thrust/host_vector.h \
	%D%/thrust/inner_product.h %D%/thrust/logical.h \
	%D%/thrust/memory.h %D%/thrust/merge.h %D%/thrust/pair.h \
	%D%/thrust/partition.h %D%/thrust/random.h \
	%D%/thrust/reduce.h %D%/thrust/remove.h \
	%D%/thrust/replace.h %D%/thrust/reverse.h \
	%D%/thrust/scan.h %D%/thrust/scatter.h \
	%D%/thrust/sequence.h %D%/thrust/sort.h %D%/thrust/swap.h \
	%D%/thrust/system_error.h %D%/thrust/tabulate.h \
	%D%/thrust/transform.h %D%/thrust/transform_reduce.h \
	%D%/thrust/transform_scan.h %D%/thrust/tuple.h \
	%D%/thrust/unique.h %D%/thrust/universal_vector.h \
	%D%/thrust/zip_function.h
cudathrustiteratordir = $(cudathrustdir)/iterator
dist_cudathrustiterator_DATA = %D%/thrust/iterator/constant_iterator.h \
	%D%/thrust/iterator/counting_iterator.h \
	%D%/thrust/iterator/discard_iterator.h \
	%D%/thrust/iterator/iterator_traits.h \
	%D%/thrust/iterator/permutation_iterator.h \
	%D%/thrust/iterator/reverse_iterator.h \
	%D%/thrust/iterator/transform_iterator.h \
	%D%/thrust/iterator/zip_iterator.h
cudathrustdetaildir = $(cudathrustdir)/detail
dist_cudathrustdetail_DATA = %D%/thrust/detail/type_traits.h
cudathrustrandomdir = $(cudathrustdir)/random
dist_cudathrustrandom_DATA = %D%/thrust/random/linear_congruential_engine.h \
	%D%/thrust/random/uniform_int_distribution.h \
	%D%/thrust/random/uniform_real_distribution.h
cudathrustsystemdir = $(cudathrustdir)/system/cuda
dist_cudathrustsystem_DATA = %D%/thrust/system/cuda/execution_policy.h

# What a stored object was compiled with, of ours: see compile_store.h.
ASSEMBLER_TEXTS = src/emu/module/asm_fuse.c \
	src/emu/module/asm_fuse_write.c src/emu/module/asm_lines.c \
	src/emu/module/asm_machine.c src/emu/module/asm_operand.c
%D%/headers_hash.h: $(dist_cuda_DATA) $(dist_cudagroups_DATA) \
		$(dist_cudacrt_DATA) $(dist_cudanvtx_DATA) \
		$(dist_cudacuda_DATA) $(dist_cudaopenmp_DATA) \
		$(dist_cudacub_DATA) $(dist_cudacubblock_DATA) \
		$(dist_cudacubwarp_DATA) $(dist_cudacubdevice_DATA) \
		$(dist_cudastd_DATA) $(dist_cudathrust_DATA) \
		$(dist_cudathrustiterator_DATA) $(dist_cudathrustdetail_DATA) \
		$(dist_cudathrustrandom_DATA) $(dist_cudathrustsystem_DATA) \
		$(ASSEMBLER_TEXTS)
	$(AM_V_GEN)$(MKDIR_P) $(@D) && \
	echo "#define HEADERS_HASH \"$$(cat $^ | sha256sum | cut -c1-64)\"" >$@
BUILT_SOURCES += %D%/headers_hash.h
CLEANFILES += %D%/headers_hash.h
