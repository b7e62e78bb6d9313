# Of a trace: patterns, their sentences, the report.
EXTRA_DIST += %D%/README.md

noinst_LIBRARIES += libanalysis.a
libanalysis_a_SOURCES = %D%/advice.c %D%/advice.h %D%/advice_barrier.c \
	%D%/advice_exchange.c %D%/advice_finder.h %D%/advice_json.c %D%/advice_json.h %D%/advice_layout.c \
	%D%/advice_occupancy.c %D%/advice_race.c %D%/advice_run.c \
	%D%/advice_run.h %D%/advice_share.c %D%/advice_source.c \
	%D%/advice_source.h %D%/advice_text.c %D%/advice_vector.c \
	%D%/cost_memo.c %D%/cost_memo.h \
	%D%/finding_json.c %D%/finding_json.h \
	%D%/finding_sentences.c \
	%D%/finding_sentences.h %D%/finding_text.c %D%/finding_text.h %D%/finding_title.c %D%/pattern.c %D%/pattern.h \
	%D%/pattern_cost.c %D%/pattern_lanes.h %D%/pattern_sync.c \
	%D%/pattern_text.c %D%/pattern_words.c %D%/pattern_words.h \
	%D%/report.c %D%/report_arguments.c %D%/report_diff.c %D%/report_diff.h %D%/report.h %D%/report_count.h %D%/report_findings.c \
	%D%/finding_groups.c %D%/finding_groups.h %D%/report_list.c %D%/report_list.h %D%/report_machine.c %D%/report_machine.h %D%/source_loop.c %D%/source_loop.h %D%/report_out.c %D%/report_parts.h %D%/verdict.c %D%/verdict.h
