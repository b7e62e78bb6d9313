# The installed program as a wheel, and as a tarball that runs from any place.
EXTRA_DIST += %D%/README.md %D%/gemmviz/__init__.py %D%/gemmviz/__main__.py \
	%D%/hatch_build.py %D%/make_tarball.sh %D%/make_wheel.sh \
	%D%/pyproject.toml %D%/requirements.txt

wheel: all wheel/tools/ready
	rm -rf wheel/installed $(PACKAGE)-$(VERSION)-*.whl
	$(MAKE) -s install DESTDIR='$(abs_builddir)/wheel/installed' >/dev/null
	sh $(srcdir)/%D%/make_wheel.sh $(srcdir) $(VERSION) '$(prefix)'
	@ls -l $(PACKAGE)-$(VERSION)-*.whl
tarball: wheel
	sh $(srcdir)/%D%/make_tarball.sh $(VERSION)
	@ls -l $(PACKAGE)-$(VERSION)-linux-*.tar.gz
wheel-check: tarball
	srcdir=$(abs_top_srcdir) sh $(srcdir)/tests/run $(srcdir)/tests/wheel.sh
wheel/tools/ready: %D%/requirements.txt
	rm -rf wheel/tools
	python3 -m venv wheel/tools
	wheel/tools/bin/pip -q --disable-pip-version-check install \
		--no-deps -r $(srcdir)/%D%/requirements.txt
	touch $@
clean-local: clean-wheel
clean-wheel:
	rm -rf wheel $(PACKAGE)-$(VERSION)-*.whl $(PACKAGE)-$(VERSION)-linux-*.tar.gz
.PHONY: wheel tarball wheel-check clean-wheel
