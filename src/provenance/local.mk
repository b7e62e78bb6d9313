# What made an element.
EXTRA_DIST += %D%/README.md

noinst_LIBRARIES += libprovenance.a
libprovenance_a_SOURCES = %D%/dataflow.c %D%/dataflow.h \
	%D%/dataflow_bulk.c %D%/dataflow_state.h %D%/provenance.c \
	%D%/provenance.h %D%/provenance_out.c \
	%D%/products.c %D%/products.h %D%/schedule.c %D%/schedule.h \
	%D%/value_flow.c %D%/value_flow.h
