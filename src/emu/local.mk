# gemmviz-emu: the recorder on the CPU, a process of its own.

pkglibexec_PROGRAMS += gemmviz-emu
gemmviz_emu_SOURCES = src/base/memory.c %D%/asm.c %D%/asm.h %D%/asm_alu.c %D%/asm_alu.def \
	%D%/asm_alu.h %D%/asm_do.c %D%/asm_statement.h %D%/asm_text.c %D%/host_atomics.c \
	%D%/async_proxy.c %D%/async_proxy.h %D%/atomics.c %D%/bind.c \
	%D%/budget.c %D%/compile.c %D%/compile.h %D%/compile_said.c %D%/compile_said.h %D%/control.c \
	%D%/cp_async.c %D%/crash.c %D%/emu.c %D%/emu_findings.c \
	%D%/emu_findings.h %D%/device_memory.c %D%/device_memory.h \
	%D%/entry.c %D%/entry.h %D%/program.c %D%/program.h \
	%D%/program_call.c %D%/program_call.h %D%/program_launch.c %D%/program_load.c \
	%D%/program_output.c %D%/program_output.h \
	%D%/program_text.c %D%/program_text.h %D%/program_variables.c \
	%D%/runtime.c %D%/runtime.h %D%/runtime_blas.c %D%/runtime_random.c %D%/runtime_device.c \
	%D%/runtime_graph.c %D%/runtime_memory.c %D%/runtime_stream.c %D%/symbols.c %D%/symbols.h \
	%D%/fibre.c %D%/fibre.h %D%/filter.c %D%/filter.h %D%/hooks.c %D%/hooks.h \
	%D%/host_race.c %D%/host_race.h %D%/launch.c %D%/launch.h %D%/locals.c %D%/mbarrier.c %D%/mbarrier.h \
	%D%/memory.c %D%/memory.h %D%/mma.c %D%/module.c %D%/module.h \
	%D%/named_barrier.c %D%/named_barrier.h %D%/place_name.c \
	%D%/place_name.h %D%/race_check.c %D%/recording.h %D%/resolve.c %D%/resolve.h %D%/scheduler.c \
	%D%/scheduler.h %D%/stream_order.c %D%/stream_order.h %D%/struct_copy.c %D%/thread.c %D%/tma.c %D%/unit.c %D%/unit.h \
	%D%/vector_clock.c %D%/vector_clock.h %D%/warp_matrix.c \
	%D%/warp_matrix.h %D%/warp_sync.c %D%/warp_sync.h %D%/warp_words.c %D%/wgmma.c \
	%D%/wmma.c %D%/word_access.c %D%/worker.c %D%/worker.h \
	%D%/worker_main.c
gemmviz_emu_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/%D%/cuda -DMODULE_FLAGS='"$(MODULE_FLAGS)"' \
	-DMODULE_LIBS='"$(MODULE_LIBS)"' -DHOST_FLAGS='"$(HOST_FLAGS)"' \
	-DPROGRAM_FLAGS='"$(PROGRAM_FLAGS)"' \
	-DPROGRAM_LIBS='"$(PROGRAM_LIBS)"'
gemmviz_emu_LDFLAGS = -Wl,--dynamic-list=$(srcdir)/%D%/exported.list
EXTRA_gemmviz_emu_DEPENDENCIES = %D%/exported.list
EXTRA_DIST += %D%/exported.list
gemmviz_emu_LDADD = $(RECORD_LIBS) $(SECCOMP_LIBS) -ldl

# CUDA's headers as the recorder's compiler reads them.
cudadir = $(pkgdatadir)/cuda
CUDA_TEXTS = %D%/cuda/builtin_types.h %D%/cuda/common_functions.h \
	%D%/cuda/cooperative_groups.h %D%/cuda/cublas.h %D%/cuda/cublas_v2.h \
	%D%/cuda/cuda.h %D%/cuda/cuda_bf16.h \
	%D%/cuda/cuda_device_runtime_api.h %D%/cuda/cuda_fp16.h \
	%D%/cuda/cuda_pipeline.h %D%/cuda/cuda_pipeline_primitives.h \
	%D%/cuda/cuda_profiler_api.h %D%/cuda/cuda_runtime.h \
	%D%/cuda/cuda_runtime_api.h %D%/cuda/cuda_words.h %D%/cuda/curand.h \
	%D%/cuda/curand_kernel.h %D%/cuda/device_atomic_functions.h \
	%D%/cuda/device_double_functions.h %D%/cuda/device_functions.h \
	%D%/cuda/device_launch_parameters.h %D%/cuda/device_types.h \
	%D%/cuda/driver_types.h %D%/cuda/gemmviz_gemm.h \
	%D%/cuda/gemmviz_graph.h %D%/cuda/gemmviz_real16.h \
	%D%/cuda/gemmviz_numbers.h %D%/cuda/gemmviz_reals.h %D%/cuda/gemmviz_warp.h %D%/cuda/gemmviz_runtime.h \
	%D%/cuda/gemmviz_runtime_types.h %D%/cuda/host_defines.h \
	%D%/cuda/math_constants.h %D%/cuda/math_functions.h %D%/cuda/mma.h \
	%D%/cuda/ptx.h %D%/cuda/sm_20_atomic_functions.h \
	%D%/cuda/sm_30_intrinsics.h %D%/cuda/sm_60_atomic_functions.h \
	%D%/cuda/surface_types.h %D%/cuda/texture_fetch_functions.h \
	%D%/cuda/texture_types.h %D%/cuda/vector_functions.h \
	%D%/cuda/vector_functions.hpp %D%/cuda/vector_types.h
dist_cuda_DATA = $(CUDA_TEXTS)
cudagroupsdir = $(cudadir)/cooperative_groups
dist_cudagroups_DATA = %D%/cuda/cooperative_groups/reduce.h \
	%D%/cuda/cooperative_groups/memcpy_async.h
cudacrtdir = $(cudadir)/crt
dist_cudacrt_DATA = %D%/cuda/crt/device_functions.h %D%/cuda/crt/host_defines.h %D%/cuda/crt/math_functions.h
cudacudadir = $(cudadir)/cuda
dist_cudacuda_DATA = %D%/cuda/cuda/pipeline

# For the recorder, which compiles other values, and readers' kernels, with
# the same flags.
modulesdir = $(pkglibdir)/modules
modules_DATA = $(BUILDS:%=modules/%.so)
CLEANFILES += $(modules_DATA)
MODULE = $(AM_V_GEN)$(MKDIR_P) modules && $(KERNEL_CXX) $(MODULE_FLAGS) \
	-I$(srcdir)/%D%/cuda -include $(srcdir)/%D%/cuda/cuda_words.h
MODULE_DEPS = $(CUDA_TEXTS) Makefile
MODULE_LIBS = -Wl,--as-needed -lstdc++ -lm -lgcc -lc
# What a distribution's g++ hardens by itself would stand in a kernel's way: at
# its entry, behind its arrays.
UNHARDENED = -fcf-protection=none -fno-stack-protector \
	-fno-stack-clash-protection -U_FORTIFY_SOURCE
# -fno-elide-constructors: structures are copied by functions, whose accesses the
# compiler tells of, as it does not where it passes and returns them itself.
MODULE_FLAGS = -x c++ -std=c++17 -O0 -g -fPIC -shared -fno-exceptions \
	-fno-elide-constructors \
	-fsanitize=thread -fsanitize-coverage=trace-pc -fno-extern-tls-init \
	-fno-use-cxa-atexit -fno-gnu-unique \
	--param=tsan-distinguish-volatile=1 \
	-fno-plt -w -nostdlib -Wl,-z,now -Wl,--wrap=__tls_get_addr \
	$(UNHARDENED)
# A program is compiled for its host, and like a kernel for the recorder.
HOST_FLAGS = -x c++ -std=c++17 -O1 -g -fPIC -shared -fno-extern-tls-init \
	-fno-gnu-unique -fno-strict-aliasing -fwrapv -fno-plt -w -nostdlib \
	-Wl,-z,now -Wl,--wrap=__tls_get_addr $(UNHARDENED)
# Which has these flags in it.
%D%/gemmviz_emu-compile.$(OBJEXT): Makefile
PROGRAM_FLAGS = -fexceptions -fuse-cxa-atexit -DGEMMVIZ_PROGRAM=1
PROGRAM_LIBS = -Wl,--as-needed -Wl,--wrap=exit,--wrap=_exit,--wrap=_Exit \
	-Wl,--wrap=quick_exit,--wrap=abort,--wrap=__cxa_atexit \
	-Wl,--wrap=atexit,--wrap=read,--wrap=write,--wrap=fread \
	-Wl,--wrap=fwrite -lstdc++ -lm -lgcc_s -lgcc -lc
modules/%.so: src/kernels/$$(BUILD_KERNEL).cu $(MODULE_DEPS)
	$(MODULE) $(BUILD_DEFINE) -o $@ $< $(MODULE_LIBS)
