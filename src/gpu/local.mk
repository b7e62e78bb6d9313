# With nvcc: gemmviz-gpu, which holds what nvcc makes of the kernels.
EXTRA_DIST += %D%/README.md
if HAVE_NVCC
bin_PROGRAMS += gemmviz-gpu
gemmviz_gpu_SOURCES = src/base/memory.c %D%/gpu.c %D%/recorder.c \
	%D%/recorder.h %D%/supervise_benchmark.c %D%/supervise_record.c \
	%D%/supervisor.c %D%/supervisor.h
nodist_gemmviz_gpu_SOURCES = gpu/embedded_kernels.c
gemmviz_gpu_CPPFLAGS = $(AM_CPPFLAGS) $(CUDA_CPPFLAGS)
gemmviz_gpu_LDADD = libtiming.a librunner.a libptx.a libtoolkit.a $(RECORD_LIBS) -ldl -lstdc++

GPU_EMBEDDED = $(BUILDS:%=gpu/%.fatbin) $(BUILDS:%=gpu/%.debug.ptx) \
	$(BUILDS:%=gpu/%.optimized.ptx) gpu/check.fatbin gpu/calibrate.fatbin gpu/record.ptx
CLEANFILES += gpu/embedded_kernels.c $(GPU_EMBEDDED)
GPU_NVCC = $(AM_V_GEN)$(MKDIR_P) gpu && $(NVCC) -I$(srcdir)/src/kernels
GPU_FATBIN = $(GPU_NVCC) -O3 -fatbin -no-compress \
	$(if $(filter $(BUILD_KERNEL),$(KERNELS_90a)),$(NVCC_CODE_90a),$(if \
	$(filter $(BUILD_KERNEL),$(KERNELS_80)),$(NVCC_CODE_80),$(NVCC_CODE)))
GPU_PTX = -ptx -arch=compute_$(if $(filter $(BUILD_KERNEL),$(KERNELS_90a)),90a,$(if \
	$(filter $(BUILD_KERNEL),$(KERNELS_80)),$(NVCC_LOWEST_80),$(NVCC_LOWEST)))
# A build folder says nothing to those who debug a kernel.
GPU_PLAIN = sed -i 's,^\([[:space:]]*\.file[[:space:]].*"\).*/,\1,' $@
gpu/check.fatbin: %D%/check.cu Makefile
	$(GPU_FATBIN) -o $@ $<
# What it measures does not depend on which of a family it is compiled for, and
# is not all there before sm_75.
CALIBRATE_CODE = $(shell printf '%s\n' '$(NVCC_CODE)' | \
	sed 's/-gencode arch=compute_[0-9a]*,code=sm_\(70\|8[1-9]\|90a\)//g')
gpu/calibrate.fatbin: %D%/calibrate/calibrate.cu Makefile
	$(GPU_NVCC) -O3 -fatbin -Xfatbin -compress-all $(CALIBRATE_CODE) \
		-std=c++17 -o $@ $<
gpu/record.ptx: %D%/ptx/record.cu %D%/ptx/record.h Makefile
	$(GPU_NVCC) -O3 -rdc=true $(GPU_PTX) -o $@ $<
gpu/%.fatbin: $$(BUILD_TEXTS) Makefile
	$(GPU_FATBIN) $(BUILD_DEFINE) -o $@ $<
gpu/%.debug.ptx: $$(BUILD_TEXTS) Makefile
	$(GPU_NVCC) -G $(GPU_PTX) $(BUILD_DEFINE) -o $@ $< && $(GPU_PLAIN)
gpu/%.optimized.ptx: $$(BUILD_TEXTS) Makefile
	$(GPU_NVCC) -O3 -lineinfo $(GPU_PTX) $(BUILD_DEFINE) -o $@ $< && \
		$(GPU_PLAIN)
gpu/embedded_kernels.c: %D%/device/embedded.sh $(GPU_EMBEDDED)
	$(AM_V_GEN)$(SHELL) $(srcdir)/%D%/device/embedded.sh \
		$(srcdir)/src/kernels gpu $(BUILDS) >$@
endif
EXTRA_DIST += %D%/calibrate/calibrate.cu %D%/check.cu %D%/device/embedded.sh
