# The site: the lessons as players and the documents as pages, in build/public;
# with the program itself, after `make web`.
site_page_SOURCES = %D%/page.c
site_page_LDADD = $(BASE_LIBS) $(MD4C_LIBS)
EXTRA_DIST += %D%/build.sh %D%/check.pl %D%/index.md %D%/index.zh.md %D%/site.css

# Fails on a link that leads nowhere, and on anything from elsewhere.
site: all %D%/page
	SITE_PROGRAM=$(wildcard web/one.html) $(srcdir)/%D%/build.sh public
	@test ! -e web/one.html || $(WEB_BUILD) public
	perl $(srcdir)/%D%/check.pl public
clean-local: clean-site
clean-site:
	rm -rf public
.PHONY: site clean-site
