# What was measured on GPUs.

# Races as they were recorded; played where there is no GPU.
racesdir = $(pkgdatadir)/data/races
dist_races_DATA = %D%/races/h200-2026-11-21.json \
	%D%/races/h200-2026-11-22-sgemm.json \
	%D%/races/h200-2026-11-22-hgemm.json \
	%D%/races/h200-2026-11-22-whole-float.json \
	%D%/races/h200-2026-11-22-whole-tensor.json \
	%D%/races/h200-2026-11-22-stages.json \
	%D%/races/h200-2026-11-23-sgemm.json \
	%D%/races/h200-2026-11-23-hgemm.json \
	%D%/races/h200-2026-11-30-sgemm.json \
	%D%/races/h200-2026-11-30-hgemm.json \
	%D%/races/h200-2026-11-23-whole-sgemm.json \
	%D%/races/h200-2026-11-23-whole-tensor.json \
	%D%/races/h100-2026-11-24-float.json \
	%D%/races/h100-2026-11-24-tensor.json \
	%D%/races/h100-2026-11-24-counters.json \
	%D%/races/h100-2026-11-26-tensor.json
EXTRA_DIST += %D%/machine-h200.jsonl %D%/sizes/h200-2026-11-23-sgemm.json \
	%D%/sizes/h200-2026-11-30-sgemm-17.json \
	%D%/sizes/h200-2026-11-30-sgemm-29.json \
	%D%/sizes/h200-2026-11-30-hgemm-17.json \
	%D%/sizes/h200-2026-11-30-hgemm-29.json \
	%D%/sizes/h200-2026-11-30-counters.csv \
	%D%/sizes/h200-2026-11-23-hgemm.json \
	%D%/sizes/h100-2026-11-24-sgemm.json \
	%D%/sizes/h100-2026-11-24-hgemm.json \
	%D%/sizes/h100-2026-11-25-counters.csv \
	%D%/sizes/h100-2026-11-26-hgemm.json \
	%D%/sizes/h100-2026-11-26-hgemm-101.json \
	%D%/sizes/h100-2026-11-26-hgemm-before.json \
	%D%/sizes/h100-2026-11-26-hgemm-turned-7.json \
	%D%/sizes/h100-2026-11-26-hgemm-turned-17.json \
	%D%/sizes/h100-2026-11-26-hgemm-turned-29.json \
	%D%/sizes/h100-2026-11-26-hgemm-turned-101.json \
	%D%/sizes/h100-2026-11-27-hgemm-7.json \
	%D%/sizes/h100-2026-11-27-hgemm-17.json \
	%D%/sizes/h100-2026-11-27-hgemm-29.json \
	%D%/sizes/h100-2026-11-27-hgemm-43.json \
	%D%/sizes/h100-2026-11-27-hgemm-101.json \
	%D%/sizes/h100-2026-11-27-sgemm-7.json \
	%D%/sizes/h100-2026-11-27-sgemm-17.json \
	%D%/sizes/h100-2026-11-27-sgemm-23.json \
	%D%/sizes/h100-2026-11-27-sgemm-29.json \
	%D%/sizes/h100-2026-11-27-sgemm-101.json \
	%D%/sizes/h100-2026-11-27-hgemm-tried-101.json \
	%D%/sizes/h100-2026-11-27-hgemm-tried-17.json \
	%D%/sizes/h100-2026-11-27-hgemm-tried-23.json \
	%D%/sizes/h100-2026-11-27-hgemm-tried-61.json \
	%D%/sizes/h100-2026-11-27-sgemm-tried-61.json \
	%D%/sizes/h100-2026-11-28-hgemm-early-101.json \
	%D%/sizes/h100-2026-11-28-hgemm-early-23.json \
	%D%/sizes/h100-2026-11-28-hgemm-early-43.json \
	%D%/sizes/h100-2026-11-28-hgemm-early-61.json \
	%D%/sizes/h100-2026-11-28-hgemm-upright-101.json \
	%D%/sizes/h100-2026-11-28-hgemm-upright-23.json \
	%D%/sizes/h100-2026-11-28-hgemm-upright-43.json \
	%D%/sizes/h100-2026-11-28-hgemm-of12-311.json \
	%D%/sizes/h100-2026-11-28-hgemm-of12-577.json \
	%D%/sizes/h100-2026-11-28-hgemm-of24-311.json \
	%D%/sizes/h100-2026-11-28-hgemm-of24-577.json \
	%D%/sizes/h100-2026-11-28-hgemm-release-101.json \
	%D%/sizes/h100-2026-11-28-hgemm-release-23.json \
	%D%/sizes/h100-2026-11-28-hgemm-release-43.json \
	%D%/sizes/h100-2026-11-28-hgemm-release-61.json \
	%D%/sizes/h100-2026-11-28-hgemm-release-311.json \
	%D%/sizes/h100-2026-11-28-hgemm-release-577.json \
	%D%/sizes/h100-2026-11-28-hgemm-upright-61.json \
	%D%/sizes/h100-2026-11-28-sgemm-311.json \
	%D%/sizes/h100-2026-11-28-sgemm-577.json \
	%D%/sizes/h100-2026-11-28-sgemm-early-61.json \
	%D%/sizes/h200-2026-11-28-hgemm-release-101.json \
	%D%/sizes/h200-2026-11-28-hgemm-release-23.json \
	%D%/sizes/h200-2026-11-28-hgemm-release-43.json \
	%D%/sizes/h200-2026-11-28-hgemm-release-61.json \
	%D%/sizes/h200-2026-11-28-hgemm-release-311.json \
	%D%/sizes/h200-2026-11-28-hgemm-release-577.json \
	%D%/sizes/h200-2026-11-28-sgemm-311.json \
	%D%/sizes/h200-2026-11-28-hgemm-upright-101.json \
	%D%/sizes/h200-2026-11-28-hgemm-upright-23.json \
	%D%/sizes/h200-2026-11-28-hgemm-upright-43.json \
	%D%/sizes/h200-2026-11-28-hgemm-upright-61.json \
	%D%/sizes/h200-2026-11-27-counters.csv \
	%D%/sizes/h200-2026-11-27-hgemm-early-101.json \
	%D%/sizes/h200-2026-11-27-hgemm-early-23.json \
	%D%/sizes/h200-2026-11-27-hgemm-early-43.json \
	%D%/sizes/h200-2026-11-27-hgemm-early-61.json \
	%D%/sizes/h200-2026-11-27-hgemm-tried-101.json \
	%D%/sizes/h200-2026-11-27-hgemm-tried-17.json \
	%D%/sizes/h200-2026-11-27-hgemm-tried-23.json \
	%D%/sizes/h200-2026-11-27-hgemm-tried-43.json \
	%D%/sizes/h200-2026-11-27-hgemm-tried-61.json \
	%D%/sizes/h200-2026-11-27-sgemm-tried-101.json \
	%D%/sizes/h200-2026-11-27-sgemm-tried-17.json \
	%D%/sizes/h200-2026-11-27-sgemm-tried-61.json \
	%D%/sizes/h200-2026-11-27-hgemm-17.json \
	%D%/sizes/h200-2026-11-27-hgemm-23.json \
	%D%/sizes/h200-2026-11-27-hgemm-43.json \
	%D%/sizes/h200-2026-11-27-hgemm-101.json \
	%D%/sizes/h200-2026-11-27-hgemm-before-23.json \
	%D%/sizes/h200-2026-11-27-hgemm-before-43.json \
	%D%/sizes/h200-2026-11-27-hgemm-before-101.json

# Parameters that were the fastest, by GPU and size.
tuneddir = $(pkgdatadir)/data/tuned
dist_tuned_DATA = %D%/tuned/h200.json

# What access patterns cost, and what the levels of a GPU's memory and several
# streams and GPUs give, and what the model says of the ladder.
measureddir = $(pkgdatadir)/data
dist_measured_DATA = %D%/access-h200.jsonl %D%/memory-h200.json %D%/memory-h100.json \
	%D%/across-h100.json %D%/across-h200.json %D%/ladder.jsonl %D%/compiled.jsonl %D%/streams-h200.json
EXTRA_DIST += %D%/calibration-h200.json %D%/calibration-h100.json \
	%D%/READERS.md %D%/readers.tsv %D%/verdicts.tsv
