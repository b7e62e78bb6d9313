# Of a trace: patterns, their sentences, the report.

noinst_LIBRARIES += libanalysis.a
libanalysis_a_SOURCES = %D%/finding_json.c %D%/finding_json.h \
	%D%/finding_sentences.c \
	%D%/finding_sentences.h %D%/finding_text.c %D%/finding_text.h %D%/pattern.c %D%/pattern.h \
	%D%/pattern_cost.c %D%/pattern_lanes.h %D%/pattern_sync.c \
	%D%/pattern_text.c %D%/pattern_words.c %D%/pattern_words.h \
	%D%/report.c %D%/report_arguments.c %D%/report.h %D%/report_count.h %D%/report_findings.c \
	%D%/report_out.c %D%/report_parts.h
