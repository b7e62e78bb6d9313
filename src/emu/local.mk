# gemmviz-emu: the recorder on the CPU, a process of its own.

pkglibexec_PROGRAMS += gemmviz-emu
gemmviz_emu_SOURCES = src/base/memory.c %D%/asm.c %D%/asm_text.h %D%/asm_alu.c %D%/asm_alu.def \
	%D%/asm_alu.h %D%/asm_do.c %D%/asm_statement.h %D%/asm_text.c %D%/asm_warp.c %D%/host_atomics.c \
	%D%/async_proxy.c %D%/async_proxy.h %D%/atomics.c %D%/bind.c \
	%D%/budget.c %D%/call_record.c %D%/call_record.h %D%/cluster_shared.c %D%/cluster_shared.h %D%/cluster_store.c %D%/compile.c %D%/compile.h %D%/compile_folder.c %D%/compile_folder.h \
	%D%/compile_sandbox.c %D%/compile_sandbox.h %D%/compile_said.c \
	%D%/compile_said.h %D%/compile_store.c %D%/compile_store.h %D%/control.c \
	%D%/cp_async.c %D%/crash.c %D%/emu.c %D%/emu.h %D%/emu_findings.c \
	%D%/emu_findings.h %D%/emu_program.c %D%/endless.c %D%/endless.h %D%/device_memory.c \
	%D%/device_memory.h %D%/device_heap.c %D%/device_heap.h \
	%D%/device_fresh.c %D%/device_fresh.h %D%/device_variables.c %D%/devices.c %D%/devices.h \
	%D%/entry.c %D%/entry.h %D%/program.c %D%/program.h \
	%D%/program_call.c %D%/program_call.h %D%/program_fault.c %D%/program_image.c \
	%D%/program_image.h %D%/program_launch.c %D%/program_load.c \
	%D%/program_output.c %D%/program_output.h \
	%D%/program_product.c %D%/program_text.c %D%/program_text.h \
	%D%/program_variables.c \
	%D%/program_work.c %D%/program_work.h \
	%D%/runtime.c %D%/runtime.h %D%/runtime_blas.c %D%/blas.c %D%/blas.h \
	%D%/blas_element.c %D%/blas_element.h \
	%D%/runtime_fft.c %D%/fft.c %D%/fft.h %D%/runtime_library.c \
	%D%/runtime_pool.c %D%/runtime_random.c %D%/runtime_device.c \
	%D%/runtime_array.c %D%/runtime_capture.c \
	%D%/runtime_graph.c %D%/runtime_graph.h %D%/graph_memory.c \
	%D%/graph_condition.c %D%/runtime_memory.c \
	%D%/runtime_peer.c %D%/runtime_stream.c %D%/runtime_thrust.c \
	%D%/symbols.c %D%/symbols.h %D%/fibre.c %D%/fibre.h %D%/fresh.c \
	%D%/fresh.h %D%/stack_switch.h %D%/filter.c %D%/filter.h \
	%D%/home.c %D%/home.h %D%/hooks.c %D%/hooks.h \
	%D%/host_thread.c %D%/host_thread.h %D%/host_wrap.h \
	%D%/host_pthread.c %D%/host_lock.c \
	%D%/host_team.c %D%/host_team.h %D%/host_omp.c %D%/host_race.c \
	%D%/host_race.h %D%/launch.c %D%/launch.h %D%/launch_aside.c \
	%D%/launch_aside.h %D%/kernel_heap.c %D%/locals.c %D%/mbarrier.c \
	%D%/mbarrier.h \
	%D%/memory.c %D%/memory.h %D%/mma.c %D%/module.c %D%/module.h \
	%D%/nccl.c %D%/nccl.h %D%/nccl_do.c %D%/nccl_post.c \
	%D%/named_barrier.c %D%/named_barrier.h %D%/output.c %D%/output.h %D%/parts.c %D%/parts.h \
	%D%/place_name.c \
	%D%/load_order.c %D%/load_order.h %D%/load_text.c \
	%D%/load_text.h %D%/place_name.h %D%/race_check.c %D%/recording.h \
	%D%/resident.c %D%/resident.h %D%/resolve.c %D%/resolve_calls.c %D%/resolve.h \
	%D%/scheduler.c \
	%D%/scheduler.h %D%/stream_order.c %D%/stream_order.h \
	%D%/stream_race.c %D%/stream_race.h \
	%D%/struct_copy.c %D%/texture.c %D%/texture.h %D%/thread.c %D%/tma.c \
	%D%/unit.c %D%/unit.h \
	%D%/vector_clock.c %D%/vector_clock.h %D%/warp_matrix.c \
	%D%/warp_matrix.h %D%/warp_sync.c %D%/warp_sync.h %D%/warp_words.c %D%/wgmma.c \
	%D%/wmma.c %D%/word_access.c %D%/worker.c %D%/worker.h \
	%D%/worker_main.c %D%/worker_memory.c %D%/worker_memory.h
gemmviz_emu_CPPFLAGS = $(AM_CPPFLAGS) -I%D% -I$(srcdir)/%D%/cuda -DMODULE_FLAGS='"$(MODULE_FLAGS)"' \
	-DMODULE_LIBS='"$(MODULE_LIBS)"' -DHOST_FLAGS='"$(HOST_FLAGS)"' \
	-DPROGRAM_FLAGS='"$(PROGRAM_FLAGS)"' \
	-DPROGRAM_LIBS='"$(PROGRAM_LIBS)"'
gemmviz_emu_LDFLAGS = -Wl,--dynamic-list=$(srcdir)/%D%/exported.list
EXTRA_gemmviz_emu_DEPENDENCIES = %D%/exported.list
EXTRA_DIST += %D%/exported.list
gemmviz_emu_LDADD = $(RECORD_LIBS) $(SECCOMP_LIBS) $(MD_LIBS) -ldl
nodist_gemmviz_emu_SOURCES = %D%/headers_hash.h

# CUDA's headers as the recorder's compiler reads them.
cudadir = $(pkgdatadir)/cuda
CUDA_TEXTS = %D%/cuda/builtin_types.h %D%/cuda/common_functions.h \
	%D%/cuda/cooperative_groups.h %D%/cuda/chrono %D%/cuda/cublas.h \
	%D%/cuda/cublasLt.h %D%/cuda/cublas_v2.h \
	%D%/cuda/cuda.h %D%/cuda/cuComplex.h %D%/cuda/cufft.h \
	%D%/cuda/cufftXt.h %D%/cuda/library_types.h %D%/cuda/gemmviz_fft.h \
	%D%/cuda/gemmviz_pool.h %D%/cuda/gemmviz_pool_types.h \
	%D%/cuda/cuda_bf16.h \
	%D%/cuda/cuda_device_runtime_api.h %D%/cuda/cuda_fp16.h %D%/cuda/cuda_fp8.h \
	%D%/cuda/cuda_pipeline.h %D%/cuda/cuda_pipeline_primitives.h \
	%D%/cuda/cuda_profiler_api.h %D%/cuda/cuda_runtime.h \
	%D%/cuda/cuda_runtime_api.h %D%/cuda/cuda_words.h %D%/cuda/curand.h \
	%D%/cuda/curand_kernel.h %D%/cuda/device_atomic_functions.h \
	%D%/cuda/device_double_functions.h %D%/cuda/device_functions.h \
	%D%/cuda/device_launch_parameters.h %D%/cuda/device_types.h \
	%D%/cuda/driver_types.h %D%/cuda/gemmviz_gemm.h \
	%D%/cuda/gemmviz_graph.h %D%/cuda/gemmviz_real16.h \
	%D%/cuda/gemmviz_nccl.h %D%/cuda/gemmviz_numbers.h \
	%D%/cuda/gemmviz_reals.h %D%/cuda/gemmviz_warp.h \
	%D%/cuda/gemmviz_runtime.h \
	%D%/cuda/gemmviz_runtime_types.h %D%/cuda/host_defines.h \
	%D%/cuda/math_constants.h %D%/cuda/math_functions.h %D%/cuda/mma.h \
	%D%/cuda/nccl.h \
	%D%/cuda/nvToolsExt.h %D%/cuda/nvToolsExtCuda.h %D%/cuda/nvToolsExtCudaRt.h \
	%D%/cuda/ptx.h %D%/cuda/sm_20_atomic_functions.h \
	%D%/cuda/sm_30_intrinsics.h %D%/cuda/sm_61_intrinsics.h \
	%D%/cuda/sm_60_atomic_functions.h \
	%D%/cuda/surface_types.h %D%/cuda/texture_fetch_functions.h \
	%D%/cuda/texture_types.h %D%/cuda/vector_functions.h \
	%D%/cuda/vector_functions.hpp %D%/cuda/vector_types.h \
	%D%/cuda/gemmviz_atomic.h \
	%D%/cuda/gemmviz_blas.h %D%/cuda/gemmviz_cublas.h \
	%D%/cuda/gemmviz_cub.h %D%/cuda/gemmviz_cub_device.h \
	%D%/cuda/gemmviz_scope.h %D%/cuda/gemmviz_std.h %D%/cuda/gemmviz_texture.h \
	%D%/cuda/gemmviz_texture_types.h %D%/cuda/gemmviz_thrust.h \
	%D%/cuda/gemmviz_thrust_algorithms.h \
	%D%/cuda/gemmviz_thrust_iterators.h %D%/cuda/gemmviz_thrust_numbers.h \
	%D%/cuda/gemmviz_thrust_order.h
dist_cuda_DATA = $(CUDA_TEXTS) %D%/cuda/program.ld
cudagroupsdir = $(cudadir)/cooperative_groups
dist_cudagroups_DATA = %D%/cuda/cooperative_groups/memcpy_async.h \
	%D%/cuda/cooperative_groups/reduce.h %D%/cuda/cooperative_groups/scan.h
cudacrtdir = $(cudadir)/crt
dist_cudacrt_DATA = %D%/cuda/crt/device_functions.h %D%/cuda/crt/host_defines.h %D%/cuda/crt/math_functions.h
cudanvtxdir = $(cudadir)/nvtx3
dist_cudanvtx_DATA = %D%/cuda/nvtx3/nvToolsExt.h %D%/cuda/nvtx3/nvToolsExtCuda.h \
	%D%/cuda/nvtx3/nvToolsExtCudaRt.h %D%/cuda/nvtx3/nvtx3.hpp
cudacudadir = $(cudadir)/cuda
dist_cudacuda_DATA = %D%/cuda/cuda/atomic %D%/cuda/cuda/barrier %D%/cuda/cuda/pipeline
cudaopenmpdir = $(cudadir)/openmp
dist_cudaopenmp_DATA = %D%/cuda/openmp/libgomp.spec
cudacubdir = $(cudadir)/cub
dist_cudacub_DATA = %D%/cuda/cub/cub.cuh
cudacubblockdir = $(cudacubdir)/block
dist_cudacubblock_DATA = %D%/cuda/cub/block/block_reduce.cuh \
	%D%/cuda/cub/block/block_scan.cuh
cudacubwarpdir = $(cudacubdir)/warp
dist_cudacubwarp_DATA = %D%/cuda/cub/warp/warp_reduce.cuh \
	%D%/cuda/cub/warp/warp_scan.cuh
cudacubdevicedir = $(cudacubdir)/device
dist_cudacubdevice_DATA = %D%/cuda/cub/device/device_radix_sort.cuh \
	%D%/cuda/cub/device/device_reduce.cuh \
	%D%/cuda/cub/device/device_scan.cuh \
	%D%/cuda/cub/device/device_select.cuh
cudastddir = $(cudacudadir)/std
dist_cudastd_DATA = %D%/cuda/cuda/std/algorithm %D%/cuda/cuda/std/array %D%/cuda/cuda/std/atomic \
	%D%/cuda/cuda/std/bit \
	%D%/cuda/cuda/std/cassert %D%/cuda/cuda/std/cfloat \
	%D%/cuda/cuda/std/climits %D%/cuda/cuda/std/cmath \
	%D%/cuda/cuda/std/complex %D%/cuda/cuda/std/cstddef \
	%D%/cuda/cuda/std/cstdint %D%/cuda/cuda/std/cstdlib \
	%D%/cuda/cuda/std/cstring %D%/cuda/cuda/std/functional \
	%D%/cuda/cuda/std/initializer_list %D%/cuda/cuda/std/iterator \
	%D%/cuda/cuda/std/limits %D%/cuda/cuda/std/numeric \
	%D%/cuda/cuda/std/optional %D%/cuda/cuda/std/ratio \
	%D%/cuda/cuda/std/tuple %D%/cuda/cuda/std/type_traits \
	%D%/cuda/cuda/std/utility %D%/cuda/cuda/std/variant
# Of thrust, one for each header that a program may include.
cudathrustdir = $(cudadir)/thrust
dist_cudathrust_DATA = %D%/cuda/thrust/adjacent_difference.h %D%/cuda/thrust/advance.h \
	%D%/cuda/thrust/binary_search.h %D%/cuda/thrust/copy.h \
	%D%/cuda/thrust/count.h %D%/cuda/thrust/device_delete.h \
	%D%/cuda/thrust/device_free.h %D%/cuda/thrust/device_malloc.h \
	%D%/cuda/thrust/device_new.h %D%/cuda/thrust/device_ptr.h \
	%D%/cuda/thrust/device_reference.h %D%/cuda/thrust/device_vector.h \
	%D%/cuda/thrust/distance.h %D%/cuda/thrust/equal.h \
	%D%/cuda/thrust/execution_policy.h %D%/cuda/thrust/extrema.h \
	%D%/cuda/thrust/fill.h %D%/cuda/thrust/find.h %D%/cuda/thrust/for_each.h \
	%D%/cuda/thrust/functional.h %D%/cuda/thrust/gather.h \
	%D%/cuda/thrust/generate.h %D%/cuda/thrust/host_vector.h \
	%D%/cuda/thrust/inner_product.h %D%/cuda/thrust/logical.h \
	%D%/cuda/thrust/memory.h %D%/cuda/thrust/merge.h %D%/cuda/thrust/pair.h \
	%D%/cuda/thrust/partition.h %D%/cuda/thrust/random.h \
	%D%/cuda/thrust/reduce.h %D%/cuda/thrust/remove.h \
	%D%/cuda/thrust/replace.h %D%/cuda/thrust/reverse.h \
	%D%/cuda/thrust/scan.h %D%/cuda/thrust/scatter.h \
	%D%/cuda/thrust/sequence.h %D%/cuda/thrust/sort.h %D%/cuda/thrust/swap.h \
	%D%/cuda/thrust/system_error.h %D%/cuda/thrust/tabulate.h \
	%D%/cuda/thrust/transform.h %D%/cuda/thrust/transform_reduce.h \
	%D%/cuda/thrust/transform_scan.h %D%/cuda/thrust/tuple.h \
	%D%/cuda/thrust/unique.h %D%/cuda/thrust/universal_vector.h \
	%D%/cuda/thrust/zip_function.h
cudathrustiteratordir = $(cudathrustdir)/iterator
dist_cudathrustiterator_DATA = %D%/cuda/thrust/iterator/constant_iterator.h \
	%D%/cuda/thrust/iterator/counting_iterator.h \
	%D%/cuda/thrust/iterator/discard_iterator.h \
	%D%/cuda/thrust/iterator/iterator_traits.h \
	%D%/cuda/thrust/iterator/permutation_iterator.h \
	%D%/cuda/thrust/iterator/reverse_iterator.h \
	%D%/cuda/thrust/iterator/transform_iterator.h \
	%D%/cuda/thrust/iterator/zip_iterator.h
cudathrustdetaildir = $(cudathrustdir)/detail
dist_cudathrustdetail_DATA = %D%/cuda/thrust/detail/type_traits.h
cudathrustrandomdir = $(cudathrustdir)/random
dist_cudathrustrandom_DATA = %D%/cuda/thrust/random/linear_congruential_engine.h \
	%D%/cuda/thrust/random/uniform_int_distribution.h \
	%D%/cuda/thrust/random/uniform_real_distribution.h
cudathrustsystemdir = $(cudathrustdir)/system/cuda
dist_cudathrustsystem_DATA = %D%/cuda/thrust/system/cuda/execution_policy.h

# What a stored object was compiled with, of ours: see compile_store.h.
%D%/headers_hash.h: $(dist_cuda_DATA) $(dist_cudagroups_DATA) \
		$(dist_cudacrt_DATA) $(dist_cudanvtx_DATA) \
		$(dist_cudacuda_DATA) $(dist_cudaopenmp_DATA) \
		$(dist_cudacub_DATA) $(dist_cudacubblock_DATA) \
		$(dist_cudacubwarp_DATA) $(dist_cudacubdevice_DATA) \
		$(dist_cudastd_DATA) $(dist_cudathrust_DATA) \
		$(dist_cudathrustiterator_DATA) $(dist_cudathrustdetail_DATA) \
		$(dist_cudathrustrandom_DATA) $(dist_cudathrustsystem_DATA)
	$(AM_V_GEN)$(MKDIR_P) $(@D) && \
	echo "#define HEADERS_HASH \"$$(cat $^ | sha256sum | cut -c1-64)\"" >$@
BUILT_SOURCES += %D%/headers_hash.h
CLEANFILES += %D%/headers_hash.h

# For the recorder, which compiles other values, and readers' kernels, with
# the same flags.
modulesdir = $(pkglibdir)/modules
modules_DATA = $(BUILDS:%=modules/%.so)
CLEANFILES += $(modules_DATA)
MODULE = $(AM_V_GEN)$(KERNEL_CXX) $(MODULE_FLAGS) \
	-I$(srcdir)/%D%/cuda -include modules/cuda_words.h
MODULE_DEPS = $(CUDA_TEXTS) Makefile modules/cuda_words.h.gch/kernel
# What all texts begin with, compiled beforehand, for that is most of a small one's
# time: of the folder's files g++ takes the one that was compiled with the same
# options, if any, else the text. They have 60 MB and are for this very g++: none
# is installed.
WORDS_READY = modules/cuda_words.h.gch/kernel \
	modules/cuda_words.h.gch/recorder modules/cuda_words.h.gch/host
noinst_DATA += $(WORDS_READY)
CLEANFILES += $(WORDS_READY) modules/cuda_words.h
modules/cuda_words.h: Makefile
	$(AM_V_GEN)$(MKDIR_P) modules/cuda_words.h.gch && \
	echo '#include "$(abs_top_srcdir)/%D%/cuda/cuda_words.h"' >$@
WORDS = $(AM_V_GEN)$(KERNEL_CXX) $(WORDS_FLAGS) -x c++-header -c \
	-o modules/$(@F).part modules/cuda_words.h && mv modules/$(@F).part $@
modules/cuda_words.h.gch/kernel: WORDS_FLAGS = $(MODULE_FLAGS)
modules/cuda_words.h.gch/recorder: WORDS_FLAGS = $(MODULE_FLAGS) $(PROGRAM_WORDS)
modules/cuda_words.h.gch/host: WORDS_FLAGS = $(HOST_FLAGS) $(PROGRAM_WORDS)
PROGRAM_WORDS = $(PROGRAM_FLAGS) -DGEMMVIZ_ARCH=900
$(WORDS_READY): modules/cuda_words.h $(CUDA_TEXTS)
	$(WORDS)
MODULE_LIBS = -Wl,--as-needed -lstdc++ -lm -lgcc -lc
# What a distribution's g++ hardens by itself would stand in a kernel's way: at
# its entry, behind its arrays.
UNHARDENED = -fcf-protection=none -fno-stack-protector \
	-fno-stack-clash-protection -U_FORTIFY_SOURCE
# What a kernel calls of the C and C++ libraries: warp_words.c, kernel_heap.c.
KERNEL_WORDS = __tls_get_addr clock malloc free _Znwm _Znam _ZdlPv _ZdlPvm \
	_ZdaPv _ZdaPvm
WRAPS = $(KERNEL_WORDS:%=-Wl,--wrap=%)
# -fno-elide-constructors: structures are copied by functions, whose accesses the
# compiler tells of, as it does not where it passes and returns them itself.
MODULE_FLAGS = -x c++ -std=c++17 -O0 -g -fPIC -shared -fno-exceptions \
	-fno-elide-constructors \
	-fsanitize=thread -fsanitize-coverage=trace-pc -fno-extern-tls-init \
	-fno-use-cxa-atexit -fno-gnu-unique \
	--param=tsan-distinguish-volatile=1 \
	-fno-plt -w -nostdlib -Wl,-z,now $(WRAPS) $(UNHARDENED)
# A program is compiled for its host, and like a kernel for the recorder.
HOST_FLAGS = -x c++ -std=c++17 -O1 -g -fPIC -shared -fno-extern-tls-init \
	-fno-gnu-unique -fno-strict-aliasing -fwrapv -fno-plt -w -nostdlib \
	-Wl,-z,now $(WRAPS) $(UNHARDENED)
# Which has these flags in it.
%D%/gemmviz_emu-compile.$(OBJEXT) %D%/gemmviz_emu-compile_store.$(OBJEXT): \
	Makefile
# What of the C library deals with threads, which host_thread.h plays; but for
# pthread_create(), for libgcc.a has a __wrap_ of that which would come first: it
# is found by its own name.
THREAD_WORDS = pthread_join pthread_detach pthread_exit pthread_self \
	pthread_cancel pthread_kill pthread_setname_np pthread_setaffinity_np \
	pthread_setschedparam pthread_key_create pthread_key_delete \
	pthread_getspecific pthread_setspecific pthread_mutex_lock \
	pthread_mutex_trylock pthread_mutex_timedlock pthread_mutex_clocklock \
	pthread_mutex_unlock pthread_spin_lock pthread_spin_trylock \
	pthread_spin_unlock pthread_rwlock_rdlock pthread_rwlock_tryrdlock \
	pthread_rwlock_wrlock pthread_rwlock_trywrlock pthread_rwlock_unlock \
	pthread_cond_wait pthread_cond_timedwait pthread_cond_clockwait \
	pthread_cond_signal pthread_cond_broadcast pthread_barrier_init \
	pthread_barrier_destroy pthread_barrier_wait sem_init sem_destroy \
	sem_post sem_wait sem_trywait sem_timedwait sem_getvalue syscall \
	sched_yield nanosleep clock_nanosleep usleep sleep __cxa_thread_atexit \
	_ZNSt28__atomic_futex_unsigned_base19_M_futex_wait_untilEPjjbNSt6chrono8durationIlSt5ratioILl1ELl1EEEENS2_IlS3_ILl1ELl1000000000EEEE \
	_ZNSt28__atomic_futex_unsigned_base26_M_futex_wait_until_steadyEPjjbNSt6chrono8durationIlSt5ratioILl1ELl1EEEENS2_IlS3_ILl1ELl1000000000EEEE
PROGRAM_FLAGS = -fexceptions -fuse-cxa-atexit -DGEMMVIZ_PROGRAM=1
PROGRAM_LIBS = -Wl,--as-needed -Wl,--wrap=exit,--wrap=_exit,--wrap=_Exit \
	-Wl,--wrap=quick_exit,--wrap=abort,--wrap=__cxa_atexit \
	-Wl,--wrap=atexit,--wrap=read,--wrap=write,--wrap=fread \
	-Wl,--wrap=fwrite $(THREAD_WORDS:%=-Wl,--wrap=%) -lstdc++ -lm -lgcc_s -lgcc -lc
modules/%.so: src/kernels/$$(BUILD_KERNEL).cu $(MODULE_DEPS)
	$(MODULE) $(BUILD_DEFINE) -o $@ $< $(MODULE_LIBS)
