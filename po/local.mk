# Translations: LL.po is of the language LL. make update-po takes up new strings:
# those marked, and the formats of the functions in po/keywords, which translate
# them.
PO = $(wildcard $(srcdir)/po/*.po)
EXTRA_DIST += $(PO:$(srcdir)/%=%) po/keywords po/compile.sh
if HAVE_MSGFMT
MO = $(PO:$(srcdir)/po/%.po=%/LC_MESSAGES/gemmviz.mo)
all-local: $(MO:%=locale/%)
CLEANFILES += $(MO:%=locale/%)
endif
locale/%/LC_MESSAGES/gemmviz.mo: po/%.po po/compile.sh
	$(AM_V_GEN)$(MKDIR_P) $(@D) && \
		MSGFMT=$(MSGFMT) sh $(srcdir)/po/compile.sh $< $@ $(CC)

install-data-local:
	@for mo in $(MO); do \
		$(MKDIR_P) "$(DESTDIR)$(localedir)/$${mo%/*}" && \
		$(INSTALL_DATA) locale/$$mo "$(DESTDIR)$(localedir)/$$mo" || \
			exit; \
	done
uninstall-local:
	@for mo in $(MO); do rm -f "$(DESTDIR)$(localedir)/$$mo"; done

update-po:
	cd $(srcdir) && xgettext $$(cat po/keywords) --from-code=UTF-8 \
		--no-location --sort-output -o po/gemmviz.pot \
		$$(find src -name '*.[ch]' ! -path 'src/cuda-headers/*' | \
			LC_ALL=C sort)
	cd $(srcdir) && for po in po/*.po; do \
		msgmerge --quiet --update --backup=none --no-wrap \
			--no-fuzzy-matching $$po po/gemmviz.pot || exit; \
	done && rm po/gemmviz.pot
.PHONY: update-po
