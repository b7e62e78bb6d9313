# gemmviz-emu: the recorder on the CPU, a process of its own.
EXTRA_DIST += %D%/README.md

pkglibexec_PROGRAMS += gemmviz-emu
gemmviz_emu_SOURCES = src/base/memory.c %D%/arithmetic.c %D%/atomics.c \
	%D%/bind.c %D%/budget.c %D%/call_answer.c %D%/call_answer.h \
	%D%/call_record.c %D%/call_record.h %D%/control.c \
	%D%/crash.c %D%/emu.h %D%/emu_findings.c %D%/emu_findings.h \
	%D%/emu_program.c %D%/hang_check.c %D%/hang_check.h %D%/launch_stub.c \
	%D%/launch_stub.h %D%/fibre.c %D%/fibre.h %D%/uninit.c %D%/uninit.h \
	%D%/address_owner.c %D%/address_owner.h %D%/hooks.c %D%/hooks.h %D%/kernel_heap.c \
	%D%/launch.c %D%/launch.h %D%/load_order.c %D%/load_order.h \
	%D%/locals.c %D%/memory.c %D%/memory.h %D%/output.c %D%/output.h \
	%D%/parallel_record.c %D%/parallel_record.h %D%/place_name.c %D%/place_name.h \
	%D%/race_check.c %D%/recording.h %D%/parked_blocks.c %D%/parked_blocks.h \
	%D%/resolve.c %D%/resolve.h %D%/resolve_calls.c %D%/scheduler.c \
	%D%/scheduler.h %D%/struct_copy.c %D%/thread.c %D%/unit.c %D%/unit.h \
	%D%/vector_clock.c %D%/vector_clock.h %D%/builtin_access.c
gemmviz_emu_CPPFLAGS = $(AM_CPPFLAGS) -Isrc/cuda-headers -I$(srcdir)/src/cuda-headers -DMODULE_FLAGS='"$(MODULE_FLAGS)"' \
	-DMODULE_LIBS='"$(MODULE_LIBS)"' -DHOST_FLAGS='"$(HOST_FLAGS)"' \
	-DPROGRAM_FLAGS='"$(PROGRAM_FLAGS)"' \
	-DPROGRAM_LIBS='"$(PROGRAM_LIBS)"'
gemmviz_emu_LDFLAGS = -Wl,--dynamic-list=$(srcdir)/%D%/exported.list
EXTRA_gemmviz_emu_DEPENDENCIES = %D%/exported.list
EXTRA_DIST += %D%/exported.list
gemmviz_emu_LDADD = $(RECORD_LIBS) $(SECCOMP_LIBS) $(MD_LIBS) -ldl
nodist_gemmviz_emu_SOURCES = src/cuda-headers/headers_hash.h

# For the recorder, which compiles other values, and readers' kernels, with
# the same flags.
modulesdir = $(pkglibdir)/modules
modules_DATA = $(BUILDS:%=modules/%.so)
CLEANFILES += $(modules_DATA)
MODULE = $(AM_V_GEN)$(KERNEL_CXX) -wrapper ./gemmviz-as $(MODULE_FLAGS) \
	-I$(srcdir)/src/cuda-headers -include modules/cuda_words.h
MODULE_DEPS = $(CUDA_TEXTS) Makefile gemmviz-as$(EXEEXT) modules/cuda_words.h.gch/kernel
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
	echo '#include "$(abs_top_srcdir)/src/cuda-headers/cuda_words.h"' >$@
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
	-fsanitize=thread -fsanitize-coverage=trace-pc \
	-fsanitize=float-cast-overflow -fno-extern-tls-init \
	-fno-use-cxa-atexit -fno-gnu-unique \
	--param=tsan-distinguish-volatile=1 \
	-fno-plt -w -nostdlib -Wl,-z,now $(WRAPS) $(UNHARDENED)
# A program is compiled for its host, and like a kernel for the recorder.
HOST_FLAGS = -x c++ -std=c++17 -O1 -g -fPIC -shared -fno-extern-tls-init \
	-fno-gnu-unique -fno-strict-aliasing -fwrapv -fno-plt -w -nostdlib \
	-Wl,-z,now $(WRAPS) $(UNHARDENED)
# Which has these flags in it.
%D%/module/gemmviz_emu-compile.$(OBJEXT) %D%/module/gemmviz_emu-compile_store.$(OBJEXT): \
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

# The read-only store of compiled kernels holds what lessons record beyond these.
noinst_DATA += modules/filled
EXTRA_DIST += %D%/module/fill_store.sh
modules/filled: %D%/module/fill_store.sh gemmviz-emu$(EXEEXT) $(MODULE_DEPS) \
		$(modules_DATA) $(WORDS_READY) $(nobase_dist_pkgdata_DATA) \
		$(dist_kernels_DATA) | gemmviz$(EXEEXT)
	$(AM_V_GEN)sh $(srcdir)/%D%/module/fill_store.sh $(srcdir) && touch $@
install-data-local: install-stored
install-stored: modules/filled
	$(MKDIR_P) '$(DESTDIR)$(modulesdir)/kernels'
	for object in modules/kernels/*; do \
		test ! -f "$$object" || $(INSTALL_DATA) "$$object" \
			'$(DESTDIR)$(modulesdir)/kernels' || exit; \
	done
uninstall-local: uninstall-stored
uninstall-stored:
	rm -rf '$(DESTDIR)$(modulesdir)/kernels'
clean-local: clean-stored
clean-stored:
	rm -rf modules/cache modules/kernels modules/filled
.PHONY: install-stored uninstall-stored clean-stored
