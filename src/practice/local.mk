# Practice: rungs, and the judge of what learners write.
EXTRA_DIST += %D%/README.md

noinst_LIBRARIES += libpractice.a
libpractice_a_SOURCES = %D%/cost.c %D%/cost.h %D%/judge.c %D%/judge.h \
	%D%/judge_answer.c %D%/judge_cost.c \
	%D%/judge_input.c %D%/judge_input.h %D%/judge_job.c \
	%D%/judge_pattern.c %D%/judge_pattern.h %D%/judge_parts.h %D%/judge_program.c \
	%D%/judge_stages.c \
	%D%/judge_pool.c %D%/judge_pool.h %D%/rung_verify.c %D%/rung_verify.h \
	%D%/learner_file.c %D%/learner_file.h %D%/rung.c %D%/rung.h %D%/rung_directives.c %D%/rung_parse.h \
	%D%/rung_signature.c %D%/rung_track.c %D%/stage.c %D%/stage.h
