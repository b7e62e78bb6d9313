# The tests.
#
# A test is a program tests/NAME or a script tests/NAME.sh; both print TAP.
# tests/run starts it, in the build tree, with srcdir and builddir (absolute)
# in its environment. `make check` judges, `make prove` prints what people
# read.

TEST_EXTENSIONS = .sh
AM_TESTS_ENVIRONMENT = srcdir='$(abs_top_srcdir)'; export srcdir; \
	builddir='$(abs_top_builddir)'; export builddir;
TEST_RUN = $(SHELL) $(srcdir)/tests/run
LOG_DRIVER = env AM_TAP_AWK='$(AWK)' $(SHELL) \
	$(top_srcdir)/build-aux/tap-driver.sh
SH_LOG_DRIVER = $(LOG_DRIVER)
LOG_COMPILER = $(TEST_RUN)
SH_LOG_COMPILER = $(TEST_RUN)
EXTRA_DIST += tests/run tests/limit.pl tests/contrast.h tests/recorded.h tests/tap.h tests/tap.sh $(filter %.sh,$(TESTS))

check_DATA =
# Behind `all`, which is a make of its own: with -j both would make the same.
tests: all
	@$(MAKE) $(AM_MAKEFLAGS) tests-all
tests-all: $(filter-out $(LEFT_OUT),$(check_PROGRAMS)) $(check_SCRIPTS) $(check_DATA)
.PHONY: tests-all

# base to terminal, a layer after the other.
check_PROGRAMS += tests/base_test tests/map_test tests/cpp_words_test \
	tests/text_test tests/trace_test
TESTS += tests/base_test tests/map_test tests/cpp_words_test tests/text_test \
	tests/trace_test
tests_base_test_SOURCES = tests/base_test.c
tests_base_test_LDADD = $(BASE_LIBS)
tests_base_test_LDFLAGS = -Wl,--wrap=fsync,--wrap=syscall
tests_map_test_SOURCES = tests/map_test.c
tests_map_test_LDADD = $(BASE_LIBS)
tests_cpp_words_test_SOURCES = tests/cpp_words_test.c
tests_cpp_words_test_LDADD = $(BASE_LIBS)
tests_text_test_SOURCES = tests/text_test.c
tests_text_test_LDADD = $(BASE_LIBS)
tests_trace_test_SOURCES = tests/trace_test.c tests/trace_gen.h \
	tests/fuzz/forge.h
tests_trace_test_LDADD = $(TRACE_LIBS)
check_PROGRAMS += tests/catalogue_test
TESTS += tests/catalogue_test
tests_catalogue_test_SOURCES = tests/catalogue_test.c
tests_catalogue_test_LDADD = $(BASE_LIBS)
check_PROGRAMS += tests/expr_test tests/access_test tests/pattern_test \
	tests/report_test
TESTS += tests/expr_test tests/access_test tests/pattern_test \
	tests/report_test
TESTS += tests/access.sh tests/occupancy.sh
tests_expr_test_SOURCES = tests/expr_test.c
tests_expr_test_LDADD = $(BASE_LIBS)
tests_access_test_SOURCES = tests/access_test.c
tests_access_test_LDADD = $(HARDWARE_LIBS)
check_PROGRAMS += tests/access_data
TESTS += tests/access_data
tests_access_data_SOURCES = tests/access_data.c
tests_access_data_LDADD = $(HARDWARE_LIBS) $(JANSSON_LIBS)
check_PROGRAMS += tests/calibration_test
TESTS += tests/calibration_test
tests_calibration_test_SOURCES = tests/calibration_test.c
tests_calibration_test_LDADD = $(TIMING_LIBS)
check_PROGRAMS += tests/fragment_test tests/fragment_data
TESTS += tests/fragment_test tests/fragment_data tests/fragment.sh
tests_fragment_test_SOURCES = tests/fragment_test.c
tests_fragment_test_LDADD = $(HARDWARE_LIBS)
tests_fragment_data_SOURCES = tests/fragment_data.c
tests_fragment_data_LDADD = $(HARDWARE_LIBS) $(JANSSON_LIBS)
check_PROGRAMS += tests/scene_pipeline_test
TESTS += tests/scene_pipeline_test
tests_scene_pipeline_test_SOURCES = tests/scene_pipeline_test.c tests/emu_ask.h
tests_scene_pipeline_test_LDADD = $(APP_LIBS)
check_PROGRAMS += tests/carry_test
TESTS += tests/carry_test
tests_carry_test_SOURCES = tests/carry_test.c tests/emu_ask.h
tests_carry_test_LDADD = $(VIZ_LIBS)
check_PROGRAMS += tests/road_test
TESTS += tests/road_test
tests_road_test_SOURCES = tests/road_test.c tests/emu_ask.h
tests_road_test_LDADD = $(SCENE_LIBS)
check_PROGRAMS += tests/arch_test
TESTS += tests/arch_test
tests_arch_test_SOURCES = tests/arch_test.c
tests_arch_test_LDADD = $(HARDWARE_LIBS)
# CUDA's own occupancy calculator is asked where the toolkit is.
check_PROGRAMS += tests/machine_test
TESTS += tests/machine_test tests/machine.sh
tests_machine_test_SOURCES = tests/machine_test.c tests/machine_counts.h
tests_machine_test_LDADD = $(MACHINE_LIBS) libkernels.a $(HARDWARE_LIBS)
check_PROGRAMS += tests/machine_hardware_test
TESTS += tests/machine_hardware_test
tests_machine_hardware_test_SOURCES = tests/machine_hardware_test.c \
	tests/machine_counts.h
tests_machine_hardware_test_LDADD = $(MACHINE_LIBS) $(HARDWARE_LIBS) $(JANSSON_LIBS)
EXTRA_DIST += tests/machine
check_PROGRAMS += tests/compiled_test
TESTS += tests/compiled_test
tests_compiled_test_SOURCES = tests/compiled_test.c tests/compiled.h \
	tests/stage.h tests/recorded.h
tests_compiled_test_LDADD = $(APP_LIBS)
check_PROGRAMS += tests/tools_test
TESTS += tests/tools_test
tests_tools_test_SOURCES = tests/tools_test.c
tests_tools_test_LDADD = libtoolkit.a $(RECORD_LIBS) -ldl
# Makes cubins with NVRTC, if it is here.
check_PROGRAMS += tests/make_cubin tests/hostile_tool tests/find_nvdisasm
TESTS += tests/machine_faults.sh
tests_find_nvdisasm_SOURCES = tests/find_nvdisasm.c
tests_find_nvdisasm_LDADD = libtoolkit.a $(RECORD_LIBS) -ldl
TESTS += tests/machine_code.sh
tests_hostile_tool_SOURCES = tests/hostile_tool.c
tests_make_cubin_SOURCES = tests/make_cubin.c
tests_make_cubin_LDADD = libtoolkit.a $(RECORD_LIBS) -ldl
check_PROGRAMS += tests/occupancy_test
TESTS += tests/occupancy_test
tests_occupancy_test_SOURCES = tests/occupancy_test.c
tests_occupancy_test_CPPFLAGS = $(AM_CPPFLAGS) $(CUDA_CPPFLAGS)
tests_occupancy_test_LDADD = $(HARDWARE_LIBS) $(JANSSON_LIBS)
EXTRA_DIST += tests/occupancy.jsonl
tests_pattern_test_SOURCES = tests/pattern_test.c
tests_pattern_test_LDADD = $(ANALYSIS_LIBS)
check_PROGRAMS += tests/provenance_test
TESTS += tests/provenance_test tests/provenance.sh
tests_provenance_test_SOURCES = tests/provenance_test.c
tests_provenance_test_LDADD = $(PROVENANCE_LIBS)
check_PROGRAMS += tests/verdict_test
TESTS += tests/verdict_test tests/verdict.sh
tests_verdict_test_SOURCES = tests/verdict_test.c
tests_verdict_test_LDADD = $(ANALYSIS_LIBS)
check_PROGRAMS += tests/finding_test
TESTS += tests/finding_test
tests_finding_test_SOURCES = tests/finding_test.c tests/trace_gen.h
tests_finding_test_LDADD = $(ANALYSIS_LIBS)
EXTRA_DIST += tests/old_findings.gvt
tests_report_test_SOURCES = tests/report_test.c
tests_report_test_LDADD = $(ANALYSIS_LIBS)
check_PROGRAMS += tests/reader_test
TESTS += tests/reader_test
tests_reader_test_SOURCES = tests/reader_test.c
tests_reader_test_LDADD = $(APP_LIBS)
check_PROGRAMS += tests/rungs_test
TESTS += tests/rungs_test
tests_rungs_test_SOURCES = tests/rungs_test.c
tests_rungs_test_LDADD = $(VIZ_LIBS)
check_PROGRAMS += tests/scene_test
TESTS += tests/scene_test
check_PROGRAMS += tests/banks_test
TESTS += tests/banks_test
tests_banks_test_SOURCES = tests/banks_test.c
tests_banks_test_LDADD = $(VIZ_LIBS)
check_PROGRAMS += tests/sm_test
TESTS += tests/sm_test
tests_sm_test_SOURCES = tests/sm_test.c
tests_sm_test_LDADD = $(VIZ_LIBS)
check_PROGRAMS += tests/defect_test
TESTS += tests/defect_test
tests_defect_test_SOURCES = tests/defect_test.c
tests_defect_test_LDADD = $(APP_LIBS)
tests_scene_test_SOURCES = tests/scene_test.c
tests_scene_test_LDADD = $(SCENE_LIBS)
check_PROGRAMS += tests/memory_test
TESTS += tests/memory_test
tests_memory_test_SOURCES = tests/memory_test.c
tests_memory_test_LDADD = $(VIZ_LIBS)
check_PROGRAMS += tests/beat_test tests/cover_test tests/progress_test tests/source_test tests/layout_test tests/frames_test
TESTS += tests/cli.sh tests/hostile.sh tests/lies.sh tests/hostile_files.sh tests/hostile_kernels.sh tests/memory_limit.sh tests/resources.sh tests/beat_test tests/cover_test tests/progress_test tests/source_test tests/layout_test tests/frames_test \
	tests/frames.sh tests/export.sh tests/export_html.sh tests/export_gif.sh
check_PROGRAMS += tests/audit_test
TESTS += tests/audit_test
tests_audit_test_SOURCES = tests/audit_test.c tests/emu_ask.h
tests_audit_test_LDADD = $(RUNNER_LIBS)
check_PROGRAMS += tests/export_test
TESTS += tests/export_test
tests_export_test_SOURCES = tests/export_test.c
tests_export_test_LDADD = $(EXPORT_LIBS)
check_PROGRAMS += tests/defect_view_test
TESTS += tests/defect_view_test
tests_defect_view_test_SOURCES = tests/defect_view_test.c tests/stage.h tests/recorded.h
tests_defect_view_test_LDADD = $(APP_LIBS)

check_PROGRAMS += tests/road_view_test
TESTS += tests/road_view_test
tests_road_view_test_SOURCES = tests/road_view_test.c tests/stage.h tests/recorded.h
tests_road_view_test_LDADD = $(APP_LIBS)

check_PROGRAMS += tests/shuffle_test
TESTS += tests/shuffle_test
tests_shuffle_test_SOURCES = tests/shuffle_test.c tests/stage.h tests/recorded.h
tests_shuffle_test_LDADD = $(APP_LIBS)

check_PROGRAMS += tests/cost_view_test
TESTS += tests/cost_view_test
tests_cost_view_test_SOURCES = tests/cost_view_test.c tests/stage.h tests/recorded.h
tests_cost_view_test_LDADD = $(APP_LIBS)
check_PROGRAMS += tests/order_view_test
TESTS += tests/order_view_test
tests_order_view_test_SOURCES = tests/order_view_test.c tests/stage.h tests/recorded.h
tests_order_view_test_LDADD = $(APP_LIBS)

check_PROGRAMS += tests/stage_test
TESTS += tests/stage_test
tests_stage_test_SOURCES = tests/stage_test.c tests/stage.h tests/recorded.h
tests_stage_test_LDADD = $(APP_LIBS)
check_PROGRAMS += tests/steps_test
TESTS += tests/steps_test
tests_steps_test_SOURCES = tests/steps_test.c
tests_steps_test_LDADD = $(APP_LIBS)

check_PROGRAMS += tests/faster_test
TESTS += tests/faster_test
tests_faster_test_SOURCES = tests/faster_test.c
tests_faster_test_LDADD = $(APP_LIBS) -lm

check_PROGRAMS += tests/lesson_stage_test
TESTS += tests/lesson_stage_test
tests_lesson_stage_test_SOURCES = tests/lesson_stage_test.c tests/stage.h
tests_lesson_stage_test_LDADD = $(APP_LIBS)
check_PROGRAMS += tests/pictures_test
TESTS += tests/pictures_test
tests_pictures_test_SOURCES = tests/pictures_test.c tests/stage.h
tests_pictures_test_LDADD = $(APP_LIBS)
check_PROGRAMS += tests/film_pages
TESTS += tests/film.sh
tests_film_pages_SOURCES = tests/film_pages.c
tests_film_pages_LDADD = $(APP_LIBS)
check_PROGRAMS += tests/save_test
TESTS += tests/save_test
tests_save_test_SOURCES = tests/save_test.c
tests_save_test_LDADD = $(APP_LIBS)
tests_source_test_SOURCES = tests/source_test.c
tests_source_test_LDADD = $(SCENE_LIBS)
tests_layout_test_SOURCES = tests/layout_test.c
tests_layout_test_LDADD = $(VIZ_LIBS)
tests_cover_test_SOURCES = tests/cover_test.c
tests_cover_test_LDADD = $(APP_LIBS)
tests_progress_test_SOURCES = tests/progress_test.c
tests_progress_test_LDADD = $(APP_LIBS)
tests_beat_test_SOURCES = tests/beat_test.c
tests_beat_test_LDADD = $(SCENE_LIBS)
tests_frames_test_SOURCES = tests/frames_test.c tests/compiled.h
tests_frames_test_LDADD = $(APP_LIBS)
EXTRA_DIST += tests/frames.list tests/golden tests/hostile tests/programs \
	tests/judged tests/judged_gpu.sh
check_PROGRAMS += tests/drill_test
TESTS += tests/drill_test tests/drill.sh
tests_drill_test_SOURCES = tests/drill_test.c
tests_drill_test_LDADD = $(DRILL_LIBS)
check_PROGRAMS += tests/class_test
TESTS += tests/class_test tests/class.sh
tests_class_test_SOURCES = tests/class_test.c
tests_class_test_LDADD = $(APP_LIBS)
tests_class_test_LDFLAGS = -Wl,--wrap=mkdirat,--wrap=fchmod
check_PROGRAMS += tests/warp_test
TESTS += tests/warp_test
tests_warp_test_SOURCES = tests/warp_test.c
tests_warp_test_LDADD = $(TRACE_LIBS)

# Recording code in PTX; needs no GPU, and says what it skips without nvcc.
check_PROGRAMS += tests/ptx_test
TESTS += tests/ptx_test
tests_ptx_test_SOURCES = tests/ptx_test.c
tests_ptx_test_LDADD = libptx.a $(HARDWARE_LIBS)

# What a recording on the GPU makes of its events.
check_PROGRAMS += tests/replay_test
TESTS += tests/replay_test
tests_replay_test_SOURCES = tests/replay_test.c src/gpu/record/replay.c \
	src/gpu/record/replay.h src/gpu/record/replay_events.c src/gpu/record/replay_parts.h \
	src/gpu/record/replay_places.c src/gpu/record/replay_races.c src/gpu/record/dwarf.c src/gpu/record/dwarf.h
tests_replay_test_LDADD = libptx.a $(RECORD_LIBS)

# The recorder on the CPU.
check_PROGRAMS += tests/emu_test
TESTS += tests/emu_test tests/emu_kill.sh tests/emu_after.sh tests/parts.sh tests/wrong_result.sh \
	tests/problem.sh tests/advice.sh tests/check.sh tests/diff.sh tests/arguments.sh tests/shown_launch.sh tests/sizes.sh tests/constants.sh \
	tests/headers.sh tests/names.sh tests/program.sh tests/later.sh tests/fresh.sh tests/foreign_faults.sh tests/judged.sh tests/host_race.sh tests/by_value.sh tests/machine.sh tests/machine_code.sh tests/machine_faults.sh tests/cluster_shared.sh tests/bytes.sh \
	tests/addresses.sh tests/load_order.sh tests/streams.sh tests/slow.sh tests/meet.sh tests/devices.sh tests/nccl.sh tests/across.sh tests/libcudacxx.sh tests/graphs.sh
tests_emu_test_SOURCES = tests/emu_test.c tests/emu_ask.h
tests_emu_test_LDADD = $(SCENE_LIBS)
check_PROGRAMS += tests/own_test
TESTS += tests/own_test
tests_own_test_SOURCES = tests/own_test.c tests/emu_ask.h
tests_own_test_LDADD = $(RECORD_LIBS) $(RUNNER_LIBS)
# PTX in readers' kernels.
check_PROGRAMS += tests/asm_test tests/asm_data
TESTS += tests/asm_test tests/asm_data
tests_asm_test_SOURCES = tests/asm_test.c tests/emu_ask.h
tests_asm_test_LDADD = $(RECORD_LIBS) $(RUNNER_LIBS)
tests_asm_data_SOURCES = tests/asm_data.c src/emu/warp/asm_alu.c \
	src/emu/warp/asm_alu.def src/emu/warp/asm_alu.h
tests_asm_data_LDADD = $(RECORD_LIBS)
check_PROGRAMS += tests/emu_warp_test
TESTS += tests/emu_warp_test
tests_emu_warp_test_SOURCES = tests/emu_warp_test.c tests/emu_ask.h
tests_emu_warp_test_LDADD = $(SCENE_LIBS)
check_PROGRAMS += tests/fft_test
TESTS += tests/fft_test
tests_fft_test_SOURCES = tests/fft_test.c src/cudart/libs/fft.c src/cudart/libs/fft.h
tests_fft_test_LDADD = $(BASE_LIBS) -lm
check_PROGRAMS += tests/compile_folder_test tests/attack_compiler
TESTS += tests/compile_folder_test tests/compiler_sandbox.sh
tests_compile_folder_test_SOURCES = tests/compile_folder_test.c \
	src/emu/module/compile_folder.c src/emu/module/compile_folder.h
tests_compile_folder_test_LDADD = $(BASE_LIBS)
check_PROGRAMS += tests/filter_test
TESTS += tests/filter_test
tests_filter_test_SOURCES = tests/filter_test.c src/emu/module/filter.c \
	src/emu/module/filter.h src/record/calls.c src/record/calls.h
tests_filter_test_LDADD = $(BASE_LIBS) $(SECCOMP_LIBS)
check_PROGRAMS += tests/applied_function_test tests/atomic_result_test \
	tests/user_defines_test \
	tests/shadow_test
TESTS += tests/applied_function_test tests/atomic_result_test \
	tests/user_defines_test tests/shadow_test
tests_shadow_test_SOURCES = tests/shadow_test.c
tests_shadow_test_LDADD = $(RECORD_LIBS)
tests_user_defines_test_SOURCES = tests/user_defines_test.c
tests_user_defines_test_LDADD = $(RECORD_LIBS)
tests_applied_function_test_SOURCES = tests/applied_function_test.c
tests_applied_function_test_LDADD = $(RECORD_LIBS)
tests_atomic_result_test_SOURCES = tests/atomic_result_test.c
tests_atomic_result_test_LDADD = $(RECORD_LIBS)
check_PROGRAMS += tests/emu_order_test
TESTS += tests/emu_order_test
tests_emu_order_test_SOURCES = tests/emu_order_test.c tests/emu_ask.h
tests_emu_order_test_LDADD = $(SCENE_LIBS)
check_PROGRAMS += tests/emu_hopper_test
TESTS += tests/emu_hopper_test
tests_emu_hopper_test_SOURCES = tests/emu_hopper_test.c tests/emu_ask.h
tests_emu_hopper_test_LDADD = $(RECORD_LIBS) $(RUNNER_LIBS)

# Each kernel: its answer, the counts that make its idea, its bugs.
check_PROGRAMS += tests/kernels_test
TESTS += tests/kernels_test
tests_kernels_test_SOURCES = tests/kernels_test.c
tests_kernels_test_LDADD = $(KERNELS_LIBS)
check_PROGRAMS += tests/ladder_test
TESTS += tests/ladder_test
tests_ladder_test_SOURCES = tests/ladder_test.c tests/emu_ask.h
tests_ladder_test_LDADD = $(RUNNER_LIBS)

# Its last rungs: who does what when, and what the parts are there for.
check_PROGRAMS += tests/pipeline_test
TESTS += tests/pipeline_test
tests_pipeline_test_SOURCES = tests/pipeline_test.c tests/emu_ask.h
tests_pipeline_test_LDADD = $(RUNNER_LIBS)
check_PROGRAMS += tests/mutant_test
TESTS += tests/mutant_test
tests_mutant_test_SOURCES = tests/mutant_test.c tests/emu_ask.h
tests_mutant_test_LDADD = $(RUNNER_LIBS)

# The two recorders, and the model, held to each other and to the hardware:
# these skip without a GPU.
check_PROGRAMS += tests/agree
TESTS += tests/gpu_record.sh tests/gpu_counters.sh tests/gpu_sanitizer.sh
TESTS += tests/counters_data.sh tests/ladder_data.sh tests/across_data.sh
tests_agree_SOURCES = tests/agree.c
tests_agree_LDADD = $(TRACE_LIBS)
EXTRA_DIST += tests/kernels

# The runner on the GPU, and what stands in for one.
TESTS += tests/gpu_build.sh tests/gpu_time.sh tests/gpu_shapes.sh \
	tests/gpu_fake.sh tests/gpu_calibrate.sh tests/calibrate.sh
check_PROGRAMS += tests/benchmark_order_test
TESTS += tests/benchmark_order_test
tests_benchmark_order_test_SOURCES = tests/benchmark_order_test.c \
	src/gpu/race/benchmark_order.c src/gpu/race/benchmark_order.h
tests_benchmark_order_test_LDADD = $(BASE_LIBS)
check_PROGRAMS += tests/queue_test tests/signature_test
TESTS += tests/queue_test tests/signature_test
tests_signature_test_SOURCES = tests/signature_test.c src/gpu/device/signature.h \
	src/gpu/device/signature.c
tests_signature_test_LDADD = $(RECORD_LIBS) -lstdc++
tests_queue_test_SOURCES = tests/queue_test.c src/gpu/device/queue.h src/gpu/device/queue.c
tests_queue_test_LDADD = $(BASE_LIBS)
EXTRA_DIST += tests/gpu_lib.sh tests/table.sh tests/fake_cuda.c \
	tests/fake_calibrate.c tests/fake_calibrate.h tests/fake_lt.c
if HAVE_NVCC
FAKE_CUDA = tests/fake/libcuda.so.1 tests/fake/libcublas.so.13 \
	tests/fake/libcublasLt.so.13
check_DATA += $(FAKE_CUDA)
CLEANFILES += $(FAKE_CUDA)
FAKE_CUDA_TEXTS = tests/fake_cuda.c tests/fake_calibrate.c tests/fake_lt.c \
	src/hardware/access.c
tests/fake/libcuda.so.1: $(FAKE_CUDA_TEXTS) tests/fake_calibrate.h
	$(AM_V_CC)$(MKDIR_P) tests/fake && $(CC) -std=gnu11 -O2 -Wall \
		-Wextra $(WERROR) -shared -fPIC -ffunction-sections \
		-Wl,--gc-sections -I$(srcdir)/src $(CUDA_CPPFLAGS) -o $@ \
		$(FAKE_CUDA_TEXTS:%=$(srcdir)/%) -lm
tests/fake/libcublas.so.13 tests/fake/libcublasLt.so.13: \
		tests/fake/libcuda.so.1
	$(AM_V_GEN)ln -sf libcuda.so.1 $@
endif

check_PROGRAMS += tests/runner_test tests/session_test tests/lesson_test \
	tests/lessons_test tests/lesson_order_test
TESTS += tests/runner_test tests/session_test tests/lesson_test \
	tests/lessons_test tests/lesson_order_test tests/lesson_file.sh
check_PROGRAMS += tests/store_test
TESTS += tests/store_test tests/store.sh tests/no_compiler.sh tests/wheel.sh
tests_store_test_SOURCES = tests/store_test.c
tests_store_test_LDADD = $(BASE_LIBS)
check_PROGRAMS += tests/answer_test tests/headers_test
TESTS += tests/answer_test tests/headers_test
tests_answer_test_SOURCES = tests/answer_test.c
tests_answer_test_LDADD = $(RUNNER_LIBS)
check_PROGRAMS += tests/python_strings_test
TESTS += tests/python_strings_test tests/python.sh tests/manners.sh
tests_python_strings_test_SOURCES = tests/python_strings_test.c
tests_python_strings_test_LDADD = $(PROTOCOL_LIBS)
tests_headers_test_SOURCES = tests/headers_test.c
tests_headers_test_LDADD = $(RUNNER_LIBS)
check_PROGRAMS += tests/job_test
TESTS += tests/job_test
tests_job_test_SOURCES = tests/job_test.c
tests_job_test_LDADD = $(RUNNER_LIBS)
tests_runner_test_SOURCES = tests/runner_test.c
tests_runner_test_LDADD = $(RUNNER_LIBS)
tests_session_test_SOURCES = tests/session_test.c
tests_session_test_LDADD = $(APP_LIBS)
tests_lesson_test_SOURCES = tests/lesson_test.c
tests_lesson_test_LDADD = $(LESSON_LIBS)
tests_lessons_test_SOURCES = tests/lessons_test.c
tests_lessons_test_LDADD = $(APP_LIBS)
tests_lesson_order_test_SOURCES = tests/lesson_order_test.c
tests_lesson_order_test_LDADD = $(LESSON_LIBS)

# Practice: rungs, what the judge says, and the whole of it.
check_PROGRAMS += tests/rung_test tests/judge_pattern_test
TESTS += tests/rung_test tests/judge_pattern_test tests/practice.sh
tests_rung_test_SOURCES = tests/rung_test.c
tests_rung_test_LDADD = $(PRACTICE_LIBS)
tests_judge_pattern_test_SOURCES = tests/judge_pattern_test.c
tests_judge_pattern_test_LDADD = $(PRACTICE_LIBS)

# What the documents say, and where it is taught; the terms.
TESTS += tests/coverage.sh
check_PROGRAMS += tests/glossary_test
TESTS += tests/glossary_test
tests_glossary_test_SOURCES = tests/glossary_test.c
tests_glossary_test_LDADD = $(LESSON_LIBS)

# Its claims.
check_PROGRAMS += tests/claims_test
TESTS += tests/claims_test
tests_claims_test_SOURCES = tests/claims_test.c
tests_claims_test_LDADD = $(LESSON_LIBS)

# Races, against a runner that times nothing.
check_PROGRAMS += tests/fake_gpu tests/timing_test tests/race_test \
	tests/across_test tests/choice_test tests/tuned_test
TESTS += tests/across_test tests/timing_test tests/race_test tests/choice_test tests/tuned_test \
	tests/race.sh
# ... and over connections of all kinds.
TESTS += tests/remote.sh tests/ends.sh
EXTRA_DIST += tests/complete.zsh tests/fake_ssh.pl tests/browser.pl tests/film.pl tests/screen.pl tests/sarif.pl
tests_fake_gpu_SOURCES = tests/fake_gpu.c
tests_fake_gpu_LDADD = $(HARDWARE_LIBS) $(JANSSON_LIBS)
tests_timing_test_SOURCES = tests/timing_test.c
tests_timing_test_LDADD = $(TIMING_LIBS)
tests_choice_test_SOURCES = tests/choice_test.c
tests_choice_test_LDADD = $(TIMING_LIBS)
tests_across_test_SOURCES = tests/across_test.c
tests_across_test_LDADD = $(TIMING_LIBS)
tests_tuned_test_SOURCES = tests/tuned_test.c
tests_tuned_test_LDADD = $(TIMING_LIBS)
tests_race_test_SOURCES = tests/race_test.c
tests_race_test_LDADD = $(APP_LIBS)
EXTRA_DIST += tests/race.json

# Fuzz targets; as tests they run their corpora. `make fuzz` builds them with
# clang: fuzz/trace -max_total_time=600 FOLDER.
FUZZ_TESTS = tests/fuzz/lesson_fuzz tests/fuzz/protocol_fuzz \
	tests/fuzz/trace_fuzz tests/fuzz/text_fuzz tests/fuzz/job_fuzz \
	tests/fuzz/ptx_fuzz tests/fuzz/words_fuzz
check_PROGRAMS += $(FUZZ_TESTS)
TESTS += $(FUZZ_TESTS)
tests_fuzz_lesson_fuzz_SOURCES = tests/fuzz/lesson_fuzz.c tests/fuzz/replay.h
tests_fuzz_lesson_fuzz_LDADD = $(LESSON_LIBS)
tests_fuzz_protocol_fuzz_SOURCES = tests/fuzz/protocol_fuzz.c
tests_fuzz_protocol_fuzz_LDADD = $(RUNNER_LIBS)
tests_fuzz_trace_fuzz_SOURCES = tests/fuzz/trace_fuzz.c tests/fuzz/forge.h
tests_fuzz_trace_fuzz_LDADD = $(TRACE_LIBS)
tests_fuzz_words_fuzz_SOURCES = tests/fuzz/words_fuzz.c
tests_fuzz_words_fuzz_LDADD = $(RECORD_LIBS)
tests_fuzz_ptx_fuzz_SOURCES = tests/fuzz/ptx_fuzz.c
tests_fuzz_ptx_fuzz_LDADD = libptx.a $(HARDWARE_LIBS)
tests_fuzz_text_fuzz_SOURCES = tests/fuzz/text_fuzz.c
tests_fuzz_text_fuzz_LDADD = $(TRACE_LIBS)
tests_fuzz_job_fuzz_SOURCES = tests/fuzz/job_fuzz.c
tests_fuzz_job_fuzz_LDADD = $(RECORD_LIBS)
EXTRA_DIST += tests/fuzz/corpus tests/fuzz/nightly.sh

FUZZ_CC = clang
# Comparisons are not traced but in strings: that took half of the time.
FUZZ_COVERAGE = -fsanitize=fuzzer-no-link -fno-sanitize-coverage=trace-cmp
FUZZ_COMPILE = $(FUZZ_CC) -g -O2 -DFUZZER -fsanitize=address,undefined \
	-fno-sanitize-recover=undefined $(DEFS) $(DEFAULT_INCLUDES) \
	$(AM_CPPFLAGS) $(filter-out $(SANITIZE),$(AM_CFLAGS))
FUZZ_LAYERS = $(foreach layer,base trace hardware kernels analysis provenance \
	runner timing record scene lesson ptx,$(lib$(layer)_a_SOURCES))
FUZZERS = $(FUZZ_TESTS:tests/fuzz/%_fuzz=fuzz/%)
fuzz: $(FUZZERS)
fuzz/libraries.a: $(filter %.c,$(FUZZ_LAYERS))
	@$(MKDIR_P) fuzz/objects
	@rm -f $@
	$(AM_V_GEN)for file in $^; do \
		object=fuzz/objects/`echo $$file | tr / _`.o; \
		$(FUZZ_COMPILE) $(FUZZ_COVERAGE) -c -o $$object \
			$$file && $(AR) rc $@ $$object || exit; \
	done
fuzz/%: tests/fuzz/%_fuzz.c fuzz/libraries.a
	$(AM_V_CCLD)$(FUZZ_COMPILE) -fsanitize=fuzzer -o $@ $^ $(ZSTD_LIBS) \
		$(JANSSON_LIBS) $(MD4C_LIBS) $(FUZZ_WRAP)
# A trace in memory: no file is made for each.
fuzz/trace: FUZZ_WRAP = -Wl,--wrap=pread -Wl,--wrap=fstat -Wl,--wrap=close \
	-Wl,--wrap=ZSTD_createDCtx -Wl,--wrap=ZSTD_freeDCtx
clean-local:
	rm -rf fuzz cache nightly
.PHONY: fuzz

# The picture and the terminal. term_demo is what the terminal's tests drive.
check_PROGRAMS += tests/canvas_test tests/kit_test tests/raster_test tests/pen_test tests/theme_test tests/keys_test \
	tests/term_demo tests/term_signals tests/term_types tests/term_life
TESTS += tests/canvas_test tests/kit_test tests/raster_test tests/pen_test tests/theme_test tests/keys_test \
	tests/term_signals tests/term_types tests/term_life \
	tests/term_tmux.sh tests/term_gemmviz.sh
PTY_SOURCES = tests/pty.h tests/pty.c
tests_canvas_test_SOURCES = tests/canvas_test.c
tests_canvas_test_LDADD = libviz.a $(BASE_LIBS)
tests_kit_test_SOURCES = tests/kit_test.c
tests_kit_test_LDADD = libviz.a $(BASE_LIBS) -lm
tests_raster_test_SOURCES = tests/raster_test.c
tests_raster_test_LDADD = libviz.a $(BASE_LIBS) -lm
tests_theme_test_SOURCES = tests/theme_test.c
tests_theme_test_LDADD = libviz.a $(BASE_LIBS) -lm
check_PROGRAMS += tests/colours_test
TESTS += tests/colours_test
tests_colours_test_SOURCES = tests/colours_test.c tests/contrast.h
tests_colours_test_LDADD = libviz.a $(BASE_LIBS) -lm
tests_pen_test_SOURCES = tests/pen_test.c
tests_pen_test_LDADD = libviz.a $(BASE_LIBS) -lm
tests_keys_test_SOURCES = tests/keys_test.c
tests_keys_test_LDADD = libviz.a $(BASE_LIBS)
tests_term_signals_SOURCES = tests/term_signals.c $(PTY_SOURCES)
tests_term_signals_LDADD = $(BASE_LIBS)
tests_term_types_SOURCES = tests/term_types.c $(PTY_SOURCES)
tests_term_types_LDADD = $(BASE_LIBS)
check_PROGRAMS += tests/ui_test
TESTS += tests/ui_test
tests_ui_test_SOURCES = tests/ui_test.c $(PTY_SOURCES)
tests_ui_test_LDADD = $(APP_LIBS) $(CURSES_LIBS)
tests_ui_test_LDFLAGS = -Wl,--wrap=stage_scene -Wl,--wrap=term_draw
check_PROGRAMS += tests/honest_test tests/numbers_test \
	tests/fragments_picture_test tests/matrices_test \
	tests/nested_test
TESTS += tests/honest_test tests/numbers_test tests/fragments_picture_test \
	tests/matrices_test tests/nested_test
tests_nested_test_SOURCES = tests/nested_test.c
tests_nested_test_LDADD = $(APP_LIBS)
tests_matrices_test_SOURCES = tests/matrices_test.c
tests_matrices_test_LDADD = $(APP_LIBS)
tests_fragments_picture_test_SOURCES = tests/fragments_picture_test.c
tests_fragments_picture_test_LDADD = $(APP_LIBS)
tests_numbers_test_SOURCES = tests/numbers_test.c
tests_numbers_test_LDADD = $(APP_LIBS)
tests_honest_test_SOURCES = tests/honest_test.c
tests_honest_test_LDADD = $(APP_LIBS)
check_PROGRAMS += tests/legend_test
TESTS += tests/legend_test
tests_legend_test_SOURCES = tests/legend_test.c
tests_legend_test_LDADD = $(APP_LIBS)
check_PROGRAMS += tests/modes_test
TESTS += tests/modes_test
tests_modes_test_SOURCES = tests/modes_test.c
tests_modes_test_LDADD = $(APP_LIBS)
check_PROGRAMS += tests/motion_test
TESTS += tests/motion_test
tests_motion_test_SOURCES = tests/motion_test.c $(PTY_SOURCES)
tests_motion_test_LDADD = $(APP_LIBS) $(CURSES_LIBS)
tests_motion_test_LDFLAGS = -Wl,--wrap=term_draw -Wl,--wrap=reader_event
check_PROGRAMS += tests/view_wait_test
TESTS += tests/view_wait_test
tests_view_wait_test_SOURCES = tests/view_wait_test.c $(PTY_SOURCES)
tests_view_wait_test_LDADD = $(BASE_LIBS)
check_PROGRAMS += tests/storm
TESTS += tests/storm
tests_storm_SOURCES = tests/storm.c $(PTY_SOURCES)
tests_storm_LDADD = $(BASE_LIBS)
# What scripts look at a screen with.
check_PROGRAMS += tests/pty_screen tests/text_trace
tests_text_trace_SOURCES = tests/text_trace.c
tests_text_trace_LDADD = $(TRACE_LIBS)
tests_pty_screen_SOURCES = tests/pty_screen.c $(PTY_SOURCES)
tests_pty_screen_LDADD = $(BASE_LIBS)
tests_term_life_SOURCES = tests/term_life.c $(PTY_SOURCES)
tests_term_life_LDADD = $(BASE_LIBS)
tests_term_demo_SOURCES = tests/term_demo.c
tests_term_demo_LDADD = libviz.a $(BASE_LIBS) $(CURSES_LIBS) -lm

# Memory that runs out, in each command; a sample, and the whole of it.
check_PROGRAMS += tests/out_of_memory
TESTS += tests/out_of_memory
tests_out_of_memory_SOURCES = tests/out_of_memory.c $(PTY_SOURCES)
tests_out_of_memory_LDADD = $(BASE_LIBS)
check_DATA += tests/fail_malloc.so
CLEANFILES += tests/fail_malloc.so
EXTRA_DIST += tests/fail_malloc.c
tests/fail_malloc.so: tests/fail_malloc.c
	$(AM_V_CC)$(MKDIR_P) tests && $(CC) -std=gnu11 -O1 -fno-builtin \
		-D_GNU_SOURCE -Wall -Wextra $(WERROR) -shared -fPIC -o $@ $< \
		-ldl
out-of-memory: all tests
	@$(AM_TESTS_ENVIRONMENT) OUT_OF_MEMORY_SECONDS=0 TEST_SECONDS=14400 \
		$(TEST_RUN) tests/out_of_memory
.PHONY: out-of-memory

check_PROGRAMS += tests/tiles_test
TESTS += tests/tiles_test
tests_tiles_test_SOURCES = tests/tiles_test.c
tests_tiles_test_LDADD = $(VIZ_LIBS)

# The files of many people.
TESTS += tests/course.sh

# What works on a machine.
check_PROGRAMS += tests/doctor_test
TESTS += tests/doctor_test tests/doctor.sh
tests_doctor_test_SOURCES = tests/doctor_test.c src/cli/doctor_nvidia.c \
	src/cli/doctor.h
tests_doctor_test_LDADD = $(BASE_LIBS)

# The site, of two lessons.
check_PROGRAMS += site/page
TESTS += tests/site.sh

# Setting up: what users and packagers do.
TESTS += tests/harness.sh tests/house.sh tests/po.sh tests/chinese.sh tests/man.sh tests/complete.sh tests/config.sh tests/start.sh tests/readme.sh tests/pages.sh tests/configure.sh tests/install.sh tests/dist.sh tests/words.sh
EXTRA_DIST += tests/words tests/words.limits tests/sentences tests/sentences.plain

# The slowest tests begin first, so that two processors end together.
SLOW_FIRST = tests/program.sh tests/mutant_test tests/film.sh \
	tests/provenance.sh tests/nccl.sh tests/ladder_test \
	tests/hostile_files.sh tests/cover_test tests/hostile_kernels.sh \
	tests/ptx_test tests/reader_test tests/counters_data.sh \
	tests/parts.sh tests/own_test tests/libcudacxx.sh \
	tests/out_of_memory tests/ladder_data.sh tests/export_html.sh
# ONLY: the tests that are wanted; LEFT_OUT: those that are not.
ONLY = $(TESTS)
WANTED = $(filter-out $(LEFT_OUT),$(ONLY))
prove: all tests
	@$(AM_TESTS_ENVIRONMENT) \
	$(PROVE) $(PROVEFLAGS) --exec '$(TEST_RUN)' \
		$(patsubst tests/%.sh,$(srcdir)/tests/%.sh, \
		$(foreach t,$(SLOW_FIRST),$(filter $t,$(WANTED))) \
		$(filter-out $(SLOW_FIRST),$(WANTED)))
PROVEFLAGS = -j2 --timer

# What takes too long for every change: the unit tests under valgrind, all tests
# with sanitizers, failing allocations, planted bugs and fuzzing. Hours.
nightly: valgrind out-of-memory mutants wheel-check
	TEST_ALL=1 $(MAKE) prove
	JUDGED=all srcdir=$(srcdir) sh $(srcdir)/tests/run $(srcdir)/tests/judged.sh
	MACHINE_CODE=all srcdir=$(srcdir) sh $(srcdir)/tests/run $(srcdir)/tests/machine_code.sh
	PRACTICE=all srcdir=$(srcdir) sh $(srcdir)/tests/run $(srcdir)/tests/practice.sh
	mkdir -p nightly && cd nightly && \
	$(abs_top_srcdir)/configure -q --enable-sanitizers --without-cuda \
		CC=clang CFLAGS='-g -O1 -ftrivial-auto-var-init=pattern' && \
	$(MAKE) all && $(MAKE) tests && \
	sh $(abs_top_srcdir)/tests/sanitized.sh all
	bash $(srcdir)/tests/fuzz/nightly.sh
	srcdir=$(abs_top_srcdir) builddir=$(abs_top_builddir) bash $(srcdir)/tests/web_drive.sh
.PHONY: nightly
EXTRA_DIST += tests/sanitized.sh

# The unit tests under valgrind, which is slow; those that drive a program
# through a terminal would show nothing of it, and asm_data holds roundings that
# valgrind does not emulate; three draw or record many kernels, as others do;
# filters of system calls would be its own.
valgrind: all tests
	@$(AM_TESTS_ENVIRONMENT) TEST_SECONDS=1200 \
	TEST_UNDER='$(VALGRIND) -q --leak-check=full --error-exitcode=99' \
	$(PROVE) $(PROVEFLAGS) --exec '$(TEST_RUN)' \
		$(filter-out %.sh tests/term_% tests/asm_data \
		tests/view_wait_test tests/storm \
		tests/cover_test tests/beat_test tests/stage_test \
		tests/filter_test \
		$(LEFT_OUT),$(TESTS))
# Bugs that one of the tests beside them must find; see tests/mutants.sh.
EXTRA_DIST += tests/mutants.sh tests/mutants.list
mutants:
	@nice bash $(srcdir)/tests/mutants.sh $(MUTANT)
.PHONY: tests prove valgrind mutants

print-tests:
	@echo $(TESTS)
.PHONY: print-tests

# The program in a page; skipped where `make web` was not run.
check_PROGRAMS += tests/web_golden
tests_web_golden_SOURCES = tests/frames_test.c tests/web_golden.c
tests_web_golden_LDADD = $(APP_LIBS)
tests_web_golden_LDFLAGS = -Wl,--wrap=runner_repeats
TESTS += tests/web_frames.sh tests/web.sh tests/web_bad.sh
EXTRA_DIST += tests/page.sh tests/web_drive.sh tests/web_drive.js tests/serve.pl tests/web_frames.js
