# The program for a page, run by `make web` in the build folder (local.mk), so
# that the ordinary build need not read it. The same C files as natively are
# compiled, but for the few that src/web/ has instead.
#
#   EMCC		emscripten's compiler
#   SOURCES	the files of the layers from base to app
#   WEB_CACHE	keeps objects by their content
WEB_CACHE ?= web/cache
comma := ,
here := $(srcdir)/src/web

# What needs a kernel, other processes or a terminal.
instead := src/base/confine.c src/base/child.c src/runner/runner.c \
	src/term/term.c src/term/guard.c src/export/export_gif.c \
	src/export/font.c
ours := $(filter %.c,$(SOURCES))
ours := $(filter-out $(instead),$(ours)) $(WEB_FILES)

lib := web/lib
jansson := dump error hashtable hashtable_seed load memory pack_unpack \
	strbuffer strconv utf value version
zstd := $(addprefix common/,debug entropy_common error_private fse_decompress \
	pool threading xxhash zstd_common) \
	$(addprefix decompress/,huf_decompress zstd_ddict zstd_decompress \
	zstd_decompress_block)
theirs := $(jansson:%=jansson/src/%.c) md4c/src/md4c.c \
	$(zstd:%=zstd/lib/%.c)

# emcc is a script that takes longer to start than its compiler to compile.
clang := $(shell em-config LLVM_ROOT)/clang
target := $(shell $(EMCC) --cflags)
# -Oz takes 3 % less and opens a recording half as fast.
optimize := -Os
flags := $(target) $(optimize) -std=gnu11 -D_GNU_SOURCE -DHAVE_CONFIG_H \
	-Iweb/include -I$(lib)/jansson/src -I$(lib)/md4c/src -I$(lib)/zstd/lib
our_flags := -std=c11 -Wall -Wextra -Werror -I$(srcdir)/src -I$(srcdir)/tests \
	-DABS_SRCDIR='"/absent"' -DABS_BUILDDIR='"/absent"' \
	-DBINDIR='"/gemmviz"' -DPKGDATADIR='"/gemmviz"' \
	-DPKGLIBDIR='"/gemmviz"' -DPKGLIBEXECDIR='"/gemmviz/exec"' \
	-DLOCALEDIR='"/gemmviz/locale"'
their_flags := -w -DZSTD_DISABLE_ASM \
	-DZSTD_LEGACY_SUPPORT=0 -DXXH_NAMESPACE=ZSTD_

our_objects := $(ours:%.c=web/obj/%.o)
their_objects := $(theirs:%.c=web/obj/lib/%.o)
objects := $(our_objects) $(their_objects)

# For the program in the page, and for the tests in node.
link = -sMODULARIZE -sEXPORT_NAME=gemmvizProgram -sENVIRONMENT=web,node \
	-sSTRICT -sALLOW_MEMORY_GROWTH -sINITIAL_MEMORY=33554432 \
	-sTOTAL_STACK=1048576 -sFORCE_FILESYSTEM -sDYNAMIC_EXECUTION=0 \
	-sINCOMING_MODULE_JS_API=wasmBinary,noInitialRun,print,printErr,onAbort,fetched,shown,copied,calculate,choose \
	-sEXPORTED_RUNTIME_METHODS=FS,UTF8ToString,ccall$(if $(filter %_test.js,$@),$(comma)callMain) \
	-sEXPORTED_FUNCTIONS=_malloc,_free$(main)
web/frames_test.js: main = ,_main
web/gemmviz.js: main = $(empty) --no-entry

all: web/gemmviz.js
tests: web/frames_test.js

web/gemmviz.js web/frames_test.js: web/gemmviz.a $(here)/library.js \
		$(here)/web.mk
	@echo '  EMCC     $@'
	@NODE_PATH=/usr/share/nodejs NODE_OPTIONS=--no-experimental-fetch \
	$(here)/linked.sh $(WEB_CACHE) $@ $(EMCC) \
		$(if $(filter %_test.js,$@),-O1,$(optimize)) $(link) \
		--js-library $(here)/library.js $(filter %_test.o,$^) \
		-Wl,--whole-archive $(WEB_FILES:%.c=web/obj/%.o) \
		-Wl,--no-whole-archive web/gemmviz.a
web/frames_test.js: web/obj/tests/frames_test.o

web/gemmviz.a: $(objects)
	@rm -f $@; emar rcsD $@ $(objects)

test_objects := web/obj/tests/frames_test.o
$(our_objects) $(test_objects): web/obj/%.o: $(srcdir)/%.c web/include/config.h
	@echo '  WEB      $*.c'
	@$(here)/object.sh $(WEB_CACHE) $@ $< $(clang) $(flags) $(our_flags)
$(their_objects): web/obj/lib/%.o: $(lib)/%.c web/include/config.h
	@$(here)/object.sh $(WEB_CACHE) $@ $< $(clang) $(flags) $(their_flags)
$(theirs:%=$(lib)/%): $(lib)/jansson.done ;
$(lib)/jansson.done: $(here)/libraries.sh
	@echo '  APT      $(lib)'
	@$(here)/libraries.sh $(lib)

# What configure found out of this machine is not true of a browser.
web/include/config.h: config.h $(lib)/jansson.done
	@mkdir -p $(@D)
	@cp $(lib)/jansson/android/jansson_config.h $(@D)
	@for name in HAVE_STDINT_H=1 HAVE_UNISTD_H=1 HAVE_SYS_TIME_H=1 \
		HAVE_SYS_TYPES_H=1 HAVE_GETTIMEOFDAY=1 \
		INITIAL_HASHTABLE_ORDER=3; do \
		echo "#define $$name" | tr = ' '; \
	done >$(@D)/jansson_private_config.h
	@grep -E 'PACKAGE|VERSION|KERNEL_CXX|HAVE_MSGFMT' config.h >$@

-include $(objects:.o=.d) $(test_objects:.o=.d)
