# The program in a browser: static files, in build/public. `make web` needs
# emscripten; nothing else does.
EXTRA_DIST += %D%/README.md %D%/build.sh %D%/calculate.h %D%/mode_web.h %D%/index.html %D%/libraries.sh \
	%D%/library.js %D%/object.sh %D%/linked.sh %D%/offline.js %D%/one.pl %D%/page.css %D%/page.h \
	%D%/page.js %D%/shelf.h %D%/term_web.h %D%/web.mk $(WEB_FILES)

WEB_LAYERS = $(libbase_a_SOURCES) $(libtrace_a_SOURCES) \
	$(libhardware_a_SOURCES) $(libmachine_a_SOURCES) $(libkernels_a_SOURCES) \
	$(libanalysis_a_SOURCES) $(libprovenance_a_SOURCES) \
	$(libprotocol_a_SOURCES) $(librunner_a_SOURCES) \
	$(libtiming_a_SOURCES) $(libdrill_a_SOURCES) $(libscene_a_SOURCES) \
	$(liblesson_a_SOURCES) $(libpractice_a_SOURCES) $(libviz_a_SOURCES) \
	$(libexport_a_SOURCES) \
	$(libapp_a_SOURCES) $(WEB_COMMANDS)
# The calculators.
WEB_COMMANDS = $(addprefix src/cli/,cmd_access.c cmd_fragment.c \
	cmd_occupancy.c cmd_table.c command.c fragment_out.c fragment_tile.c \
	occupancy_options.c)
WEB_FILES = %D%/calculate.c %D%/mode_web.c %D%/runner_web.c %D%/shelf.c %D%/system_web.c %D%/term_web.c %D%/web.c \
	%D%/zstd_web.c

WEB_MAKE = $(MAKE) --no-print-directory -f $(srcdir)/%D%/web.mk \
	srcdir='$(srcdir)' EMCC='$(EMCC)' SOURCES='$(WEB_LAYERS)' \
	WEB_FILES='$(WEB_FILES)'

# The program alone; and its tests, for node.
web-program: config.h
	$(AM_V_at)$(WEB_MAKE) all
web-tests: config.h
	$(AM_V_at)$(WEB_MAKE) tests
.PHONY: web-program web-tests

# The program and all that it fetches, for a page; in build/public.
WEB_MEASURED = $(dist_races_DATA) $(dist_tuned_DATA) \
	$(filter-out %/access-h200.jsonl,$(dist_measured_DATA))
web/shelf.txt: web-fill gemmviz-emu
	$(AM_V_GEN)$(MKDIR_P) web/shelf && ./web-fill web/shelf >$@.new && \
		mv $@.new $@
web:
	@test -n '$(EMCC)' || { echo 'make web needs emscripten' \
		'(Debian: apt-get install emscripten), then ../configure' >&2; \
		exit 1; }
	$(AM_V_at)$(MAKE) $(AM_MAKEFLAGS) all
	$(AM_V_at)$(MAKE) $(AM_MAKEFLAGS) web-program web/shelf.txt
	$(AM_V_at)$(WEB_BUILD) public
WEB_BUILD = EMCC='$(EMCC)' WEB_MEASURED='$(WEB_MEASURED)' $(srcdir)/%D%/build.sh
.PHONY: web

# Installed where it was made.
install-data-local: install-web
install-web:
	@test ! -e web/one.html || { \
		$(MKDIR_P) "$(DESTDIR)$(pkgdatadir)/web" && \
		$(INSTALL_DATA) web/one.html "$(DESTDIR)$(pkgdatadir)/web"; }
uninstall-local: uninstall-web
uninstall-web:
	@rm -rf "$(DESTDIR)$(pkgdatadir)/web"
clean-local: clean-web
clean-web:
	rm -rf web
.PHONY: install-web uninstall-web clean-web

# Records what the site's shelf holds.
check_PROGRAMS += web-fill
web_fill_SOURCES = %D%/fill.c
web_fill_LDADD = $(APP_LIBS)
