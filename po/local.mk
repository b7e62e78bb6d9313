# Translations. make update-po takes up new strings.
EXTRA_DIST += %D%/zh.po
if HAVE_MSGFMT
localezhdir = $(localedir)/zh/LC_MESSAGES
localezh_DATA = locale/zh/LC_MESSAGES/gemmviz.mo
CLEANFILES += $(localezh_DATA)
endif
locale/%/LC_MESSAGES/gemmviz.mo: po/%.po
	$(AM_V_GEN)$(MKDIR_P) $(@D) && $(MSGFMT) --check-format -o $@ $<

update-po:
	cd $(srcdir) && xgettext --keyword=_ --keyword=N_ --from-code=UTF-8 \
		--no-location --sort-output -o po/gemmviz.pot \
		$$(find src -name '*.c' | LC_ALL=C sort)
	cd $(srcdir) && msgmerge --quiet --update --backup=none --no-wrap \
		--no-fuzzy-matching po/zh.po po/gemmviz.pot && \
		rm po/gemmviz.pot
.PHONY: update-po
