# What is taught: all lessons in all languages, and CLAIMS.md: what is claimed of
# matrix multiplication, and what is true of it. The rungs of practice, and ours
# of each; right and wrong kernels of others are for the tests alone.

nobase_dist_pkgdata_DATA = $(patsubst $(srcdir)/%,%, \
	$(wildcard $(srcdir)/lessons/*.md $(srcdir)/lessons/*/*.md \
			$(srcdir)/lessons/practice/zh/*.md \
			$(srcdir)/lessons/practice/*/solution.cu \
			$(srcdir)/lessons/*.cu))

EXTRA_DIST += $(patsubst $(srcdir)/%,%, \
	$(wildcard $(srcdir)/lessons/practice/*/right_*.cu \
			$(srcdir)/lessons/practice/*/wrong_*.cu \
			$(srcdir)/lessons/practice/*/cheat_*.cu))
