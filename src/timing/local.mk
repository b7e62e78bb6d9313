# Measured kernels: benchmarks, figures, tuning.
EXTRA_DIST += %D%/README.md

noinst_LIBRARIES += libtiming.a
libtiming_a_SOURCES = %D%/across.c %D%/across.h %D%/baseline.c %D%/baseline.h \
	%D%/benchmark.c %D%/benchmark.h \
	%D%/benchmark_merge.c %D%/calibration.c %D%/calibration.h \
	%D%/calibration_rules.c %D%/calibrated.c %D%/calibrated.h %D%/compiled.c %D%/compiled.h %D%/ladder.c %D%/ladder.h \
	%D%/benchmark_plan.c %D%/benchmark_shelf.c %D%/kernel_resources.c \
	%D%/kernel_resources.h %D%/measured.c %D%/measured.h %D%/streams.c %D%/streams.h \
	%D%/timing.c %D%/timing.h \
	%D%/timing_figures.c %D%/timing_file.c %D%/timing_json.h \
	%D%/timing_members.c %D%/timing_members.h %D%/timing_message.c \
	%D%/timing_parts.h %D%/timing_play.c %D%/tune.c %D%/tune.h \
	%D%/tuned.c %D%/tuned.h
