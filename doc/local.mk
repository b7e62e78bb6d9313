# Manual pages and what shells complete, made of the commands' tables.

COMMAND_NAMES := $(shell tr ' \t' '\n\n' <$(srcdir)/src/cli/commands.h | \
	sed -n 's/^X(\([a-z]*\))$$/\1/p')

# What a page says besides: doc/man/COMMAND.man.
MADE_MANS = man/gemmviz.1 $(COMMAND_NAMES:%=man/gemmviz-%.1)
man1_MANS = $(MADE_MANS)
CLEANFILES += $(MADE_MANS)
dist_man1_MANS = %D%/gemmviz-course.1
if HAVE_NVCC
man1_MANS += %D%/gemmviz-gpu.1
endif
MAN_PROSE = $(wildcard $(srcdir)/%D%/man/$(1).man)
man/gemmviz.1: $(srcdir)/%D%/man/gemmviz.man gemmviz-document$(EXEEXT)
	$(AM_V_GEN)$(MKDIR_P) man && \
		./gemmviz-document man gemmviz $< >$@.new && mv $@.new $@
MADE_MAN7 = man/gemmviz-protocol.7
man7_MANS = $(MADE_MAN7)
CLEANFILES += $(MADE_MAN7)
man/gemmviz-protocol.7: $(srcdir)/%D%/man/protocol.7.man gemmviz-document$(EXEEXT)
	$(AM_V_GEN)$(MKDIR_P) man && \
		./gemmviz-document protocol $< >$@.new && mv $@.new $@
man/gemmviz-%.1: $$(call MAN_PROSE,$$*) gemmviz-document$(EXEEXT)
	$(AM_V_GEN)$(MKDIR_P) man && ./gemmviz-document man $* \
		$(call MAN_PROSE,$*) >$@.new && mv $@.new $@

# The pages in Chinese, from the same tables and the catalogue.
if HAVE_MSGFMT
ZH_MANS = $(patsubst $(srcdir)/%D%/man/zh/%.man,man/zh_CN/%.1,$(wildcard \
	$(srcdir)/%D%/man/zh/*.man))
all-local: $(ZH_MANS)
CLEANFILES += $(ZH_MANS)
man/zh_CN/%.1: $(srcdir)/%D%/man/zh/%.man gemmviz-document$(EXEEXT) \
		locale/zh/LC_MESSAGES/gemmviz.mo
	$(AM_V_GEN)$(MKDIR_P) $(@D) && ./gemmviz-document --lang zh man $* \
		$< >$@.new && mv $@.new $@

# A page is gemmviz.1 or gemmviz-COMMAND.1, as in English.
ZH_MAN_DIR = $(DESTDIR)$(mandir)/zh_CN/man1
install-data-hook:
	@$(MKDIR_P) "$(ZH_MAN_DIR)" && for page in $(ZH_MANS); do \
		name=$$(basename $$page) && case $$name in \
		gemmviz.1) ;; *) name=gemmviz-$$name ;; esac && \
		$(INSTALL_DATA) $$page "$(ZH_MAN_DIR)/$$name" || exit; \
	done
uninstall-hook:
	@for page in $(ZH_MANS); do \
		name=$$(basename $$page) && case $$name in \
		gemmviz.1) ;; *) name=gemmviz-$$name ;; esac && \
		rm -f "$(ZH_MAN_DIR)/$$name"; done
endif

# The tables, and what reads them.
bashcompletiondir = $(datadir)/bash-completion/completions
zshcompletiondir = $(datadir)/zsh/site-functions
fishcompletiondir = $(datadir)/fish/vendor_completions.d
nodist_bashcompletion_DATA = complete/gemmviz
nodist_zshcompletion_DATA = complete/_gemmviz
nodist_fishcompletion_DATA = complete/gemmviz.fish
CLEANFILES += $(nodist_bashcompletion_DATA) $(nodist_zshcompletion_DATA) \
	$(nodist_fishcompletion_DATA)
COMPLETE = $(AM_V_GEN)$(MKDIR_P) complete && { ./gemmviz-document \
	$(1) && cat $(srcdir)/%D%/complete.$(1); } >$@.new && mv $@.new $@
complete/gemmviz: %D%/complete.bash gemmviz-document$(EXEEXT)
	$(call COMPLETE,bash)
complete/_gemmviz: %D%/complete.zsh gemmviz-document$(EXEEXT)
	$(call COMPLETE,zsh)
complete/gemmviz.fish: %D%/complete.fish gemmviz-document$(EXEEXT)
	$(call COMPLETE,fish)

EXTRA_DIST += %D%/decisions
EXTRA_DIST += %D%/release.md %D%/ci.md %D%/gpu.md %D%/gemmviz-gpu.1 %D%/man %D%/complete.bash %D%/complete.zsh %D%/complete.fish

# Rungs of practice as a teacher may write them.
EXTRA_DIST += $(patsubst $(srcdir)/%,%, \
	$(wildcard $(srcdir)/doc/practice/*.md $(srcdir)/doc/practice/*/*.md \
			$(srcdir)/doc/practice/*/*.cu))
