# What is taught.

lessonsdir = $(pkgdatadir)/lessons
dist_lessons_DATA = %D%/indexing.md %D%/coalescing.md \
	%D%/tiling.md %D%/float4.md %D%/outer-product.md
lessonszhdir = $(lessonsdir)/zh
dist_lessonszh_DATA = %D%/zh/indexing.md %D%/zh/coalescing.md \
	%D%/zh/tiling.md %D%/zh/float4.md \
	%D%/zh/outer-product.md

# What is claimed of matrix multiplication, and what is true of it.
dist_lessons_DATA += %D%/CLAIMS.md
