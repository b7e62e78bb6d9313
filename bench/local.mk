# The benchmarks.
#
# A benchmark is a program (or script) that prints lines `name value unit`;
# bench/run repeats each and prints medians. Nothing is written.

BENCHES =
EXTRA_PROGRAMS = $(BENCHES)
CLEANFILES += $(BENCHES)
BENCHES += bench/record_bench
bench_record_bench_SOURCES = bench/record_bench.c
bench_record_bench_LDADD = $(RUNNER_LIBS)
BENCHES += bench/trace_bench
bench_trace_bench_SOURCES = bench/trace_bench.c
bench_trace_bench_LDADD = $(TRACE_LIBS)
BENCHES += bench/machine_bench
bench_machine_bench_SOURCES = bench/machine_bench.c
bench_machine_bench_LDADD = $(MACHINE_LIBS)
BENCHES += bench/screen_bench
bench_screen_bench_SOURCES = bench/screen_bench.c
BENCHES += bench/frame_bench
bench_frame_bench_SOURCES = bench/frame_bench.c
bench_frame_bench_LDADD = $(APP_LIBS)
EXTRA_DIST += bench/run bench/export_sizes.sh bench/readers.py bench/record_cost.sh

# What was measured on GPUs, and the means to repeat it.
EXTRA_DIST += bench/gpu_data.sh bench/every_size.sh data/README.md data/SUMMIT.md \
	data/fragments-h200.jsonl \
	data/asm-h200.jsonl \
	data/counters/h200-2026-11-21.jsonl \
	data/counters/h200-2026-11-23.jsonl \
	data/counters/h100-2026-11-24.jsonl \
	data/counters/h100-2026-11-26.jsonl data/regimes-h100.json \
	bench/patterns.cu \
	bench/patterns.py bench/access_hardware.sh bench/fragments.cu \
	bench/fragments_hardware.sh bench/asm_values.cu bench/asm_values.sh \
	bench/streams.cu bench/regimes.cu \
	bench/streams_hardware.sh bench/across.cu bench/across_hardware.sh \
	bench/ladder_data.sh bench/compiled_data.sh \
	bench/machine_hardware.cu bench/machine_hardware.sh

bench: all $(BENCHES)
	@$(AM_TESTS_ENVIRONMENT) $(SHELL) $(srcdir)/bench/run $(BENCHES)
benches: $(BENCHES)
.PHONY: bench benches
EXTRA_DIST += bench/web_frames.sh bench/web_speed.js
