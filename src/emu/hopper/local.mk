# What compute capability 9.0 adds.
EXTRA_DIST += %D%/README.md

gemmviz_emu_SOURCES += %D%/async_proxy.c %D%/async_proxy.h \
	%D%/cluster_shared.c %D%/cluster_shared.h %D%/cluster_store.c \
	%D%/mbarrier.c %D%/mbarrier.h %D%/named_barrier.c \
	%D%/named_barrier.h %D%/tma.c %D%/wgmma.c
