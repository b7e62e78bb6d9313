# What was measured on GPUs.

# Races as they were recorded; played where there is no GPU.
racesdir = $(pkgdatadir)/data/races
dist_races_DATA = %D%/races/h200-2026-11-21.json \
	%D%/races/h200-2026-11-22-sgemm.json \
	%D%/races/h200-2026-11-22-hgemm.json

# Parameters that were the fastest, by GPU and size.
tuneddir = $(pkgdatadir)/data/tuned
dist_tuned_DATA = %D%/tuned/h200.json
