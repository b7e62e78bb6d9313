# The program, and what is made of its tables when it is built.
EXTRA_DIST += %D%/README.md

noinst_LIBRARIES += libcli.a
libcli_a_SOURCES = %D%/benchmark_options.c %D%/benchmark_options.h \
	%D%/check.h %D%/check_junit.c %D%/check_launch.c \
	%D%/check_launch.h %D%/check_rules.c %D%/check_rules.h %D%/check_sarif.c \
	%D%/cmd_access.c %D%/cmd_calibrate.c %D%/cmd_check.c %D%/cmd_diff.c %D%/cmd_watch.c \
	%D%/cmd_class.c %D%/cmd_drill.c %D%/cmd_export.c %D%/cmd_fragment.c %D%/cmd_glossary.c %D%/cmd_help.c %D%/cmd_lesson.c %D%/cmd_list.c \
	%D%/cmd_occupancy.c %D%/cmd_provenance.c %D%/cmd_record.c %D%/cmd_run.c %D%/program_options.c \
	%D%/program_devices.c %D%/program_devices.h %D%/program_options.h %D%/program_out.c %D%/program_out.h %D%/program_verdict.c %D%/program_verdict.h \
	%D%/cmd_table.c %D%/cmd_view.c %D%/view_watch.c %D%/view_watch.h %D%/cmd_time.c %D%/command.c %D%/command.h \
	%D%/commands.c %D%/commands.h %D%/config.c %D%/config.h %D%/fragment_out.c %D%/fragment_out.h \
	%D%/fragment_tile.c %D%/launch_advice.c %D%/launch_given.c %D%/launch_options.c %D%/launch_options.h %D%/launch_record.c %D%/launch_runner.c \
	%D%/launch_machine.c %D%/launch_machine.h %D%/launch_suggest.c %D%/report_code.c %D%/report_code.h \
	%D%/diff_machine.c %D%/diff_machine.h %D%/triton_folder.c %D%/triton_folder.h \
	%D%/export_page.c %D%/export_page.h %D%/recorded.c %D%/recorded.h %D%/occupancy_options.c %D%/occupancy_options.h \
	%D%/cmd_practice.c %D%/practice.c %D%/practice.h %D%/practice_check.c %D%/practice_open.c %D%/practice_reset.c \
	%D%/screen_class.c %D%/screen_class.h %D%/screen_options.c %D%/screen_options.h %D%/screen_run.c %D%/screen_run.h %D%/time_program.c %D%/time_program.h %D%/time_table.c %D%/time_table.h %D%/time_words.c %D%/time_words.h %D%/version.c %D%/version.h
libcli_a_SOURCES += %D%/cmd_doctor.c %D%/doctor.h %D%/doctor_nvidia.c %D%/doctor_machine.c
CLI_LIBS = libcli.a $(APP_LIBS) $(CURSES_LIBS)

bin_PROGRAMS += gemmviz
gemmviz_SOURCES = src/base/memory.c %D%/main.c
gemmviz_LDADD = $(CLI_LIBS)

noinst_PROGRAMS = gemmviz-document
gemmviz_document_SOURCES = src/base/memory.c %D%/document.c %D%/document.h \
	%D%/document_man.c %D%/document_protocol.c %D%/document_shell.c %D%/document_words.c
gemmviz_document_LDADD = $(CLI_LIBS)
