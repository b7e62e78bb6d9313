# What both recorders share.
EXTRA_DIST += %D%/README.md

noinst_LIBRARIES += librecord.a
librecord_a_SOURCES = %D%/result_check.c %D%/result_check.h \
	%D%/applied_function.c %D%/applied_function.h %D%/leading.c %D%/leading.h %D%/arguments.c \
	%D%/arguments.h %D%/arguments_tell.c %D%/inferred_sizes.c %D%/inferred_sizes.h \
	%D%/size_choice.c %D%/size_choice.h \
	%D%/atomic_result.c %D%/atomic_result.h \
	%D%/calls.c %D%/calls.h %D%/contents.c %D%/contents.h %D%/debug.c %D%/debug.h \
	%D%/debug_pointers.c %D%/debug_types.c %D%/debug_types.h %D%/findings.c %D%/findings.h \
	%D%/gpu_scope_order.c %D%/gpu_scope_order.h %D%/kernel_text.c %D%/kernel_text.h \
	%D%/plan.c %D%/plan.h \
	%D%/user_hints.c %D%/user_hints.h %D%/serve.c %D%/serve.h %D%/shadow.h %D%/strip_host.c \
	%D%/strip_host.h %D%/user_defines.c %D%/user_defines.h
