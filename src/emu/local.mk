# gemmviz-emu: the recorder on the CPU, a process of its own.

pkglibexec_PROGRAMS += gemmviz-emu
gemmviz_emu_SOURCES = src/base/memory.c %D%/asm.c %D%/asm.h %D%/asm_alu.c %D%/asm_alu.def \
	%D%/asm_alu.h %D%/asm_do.c %D%/asm_statement.h %D%/asm_text.c \
	%D%/async_proxy.c %D%/async_proxy.h %D%/atomics.c %D%/bind.c \
	%D%/budget.c %D%/compile.c %D%/compile.h %D%/compile_said.c %D%/compile_said.h %D%/control.c \
	%D%/cp_async.c %D%/crash.c %D%/emu.c %D%/emu_findings.c \
	%D%/emu_findings.h %D%/fibre.c %D%/fibre.h %D%/filter.c %D%/filter.h %D%/hooks.c %D%/hooks.h \
	%D%/launch.c %D%/launch.h %D%/locals.c %D%/mbarrier.c %D%/mbarrier.h \
	%D%/memory.c %D%/memory.h %D%/mma.c %D%/module.c %D%/module.h \
	%D%/named_barrier.c %D%/named_barrier.h %D%/place_name.c \
	%D%/place_name.h %D%/race_check.c %D%/recording.h %D%/resolve.c %D%/resolve.h %D%/scheduler.c \
	%D%/scheduler.h %D%/thread.c %D%/tma.c %D%/unit.c %D%/unit.h \
	%D%/vector_clock.c %D%/vector_clock.h %D%/warp_matrix.c \
	%D%/warp_matrix.h %D%/warp_sync.c %D%/warp_sync.h %D%/wgmma.c \
	%D%/wmma.c %D%/word_access.c %D%/worker.c %D%/worker.h \
	%D%/worker_main.c
gemmviz_emu_CPPFLAGS = $(AM_CPPFLAGS) -DMODULE_FLAGS='"$(MODULE_FLAGS)"' \
	-DMODULE_LIBS='"$(MODULE_LIBS)"'
gemmviz_emu_LDFLAGS = -Wl,--dynamic-list=$(srcdir)/%D%/exported.list
EXTRA_gemmviz_emu_DEPENDENCIES = %D%/exported.list
EXTRA_DIST += %D%/exported.list
gemmviz_emu_LDADD = $(RECORD_LIBS) $(SECCOMP_LIBS) -ldl

# CUDA's headers as the recorder's compiler reads them.
cudadir = $(pkgdatadir)/cuda
CUDA_TEXTS = %D%/cuda/cuda_words.h %D%/cuda/cuda_runtime.h \
	%D%/cuda/cuda_fp16.h %D%/cuda/cuda_bf16.h \
	%D%/cuda/cooperative_groups.h \
	%D%/cuda/cuda_pipeline.h %D%/cuda/mma.h \
	%D%/cuda/cuda_pipeline_primitives.h \
	%D%/cuda/gemmviz_real16.h %D%/cuda/gemmviz_reals.h \
	%D%/cuda/ptx.h
dist_cuda_DATA = $(CUDA_TEXTS)
cudagroupsdir = $(cudadir)/cooperative_groups
dist_cudagroups_DATA = %D%/cuda/cooperative_groups/reduce.h \
	%D%/cuda/cooperative_groups/memcpy_async.h
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
MODULE_LIBS = -Wl,--as-needed -lstdc++ -lm -lc
MODULE_FLAGS = -x c++ -std=c++17 -O0 -g -fPIC -shared -fno-exceptions \
	-fsanitize=thread -fsanitize-coverage=trace-pc -fno-extern-tls-init \
	-fno-use-cxa-atexit -fno-gnu-unique \
	--param=tsan-distinguish-volatile=1 \
	-fno-plt -w -nostdlib -Wl,-z,now -Wl,--wrap=__tls_get_addr
modules/%.so: src/kernels/$$(BUILD_KERNEL).cu $(MODULE_DEPS)
	$(MODULE) $(BUILD_DEFINE) -o $@ $< $(MODULE_LIBS)
