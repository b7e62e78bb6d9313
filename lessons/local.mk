# What is taught: all lessons in all languages, and CLAIMS.md: what is claimed of
# matrix multiplication, and what is true of it.

nobase_dist_pkgdata_DATA = $(patsubst $(srcdir)/%,%, \
	$(wildcard $(srcdir)/lessons/*.md $(srcdir)/lessons/*/*.md \
			$(srcdir)/lessons/*.cu \
			$(srcdir)/lessons/practice/zh/*.md \
			$(srcdir)/lessons/practice/*/*.cu))
