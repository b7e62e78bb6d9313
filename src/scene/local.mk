# What is on stage.
EXTRA_DIST += %D%/README.md

noinst_LIBRARIES += libscene.a
libscene_a_SOURCES = %D%/beat.c %D%/beat.h %D%/benchmark_reason.c \
	%D%/benchmark_scene.c %D%/benchmark_scene.h %D%/cursor.c %D%/rungs.c \
	%D%/rungs.h %D%/rung_counts.c %D%/rung_counts.h %D%/scene.c %D%/scene.h %D%/scene_advice.c \
	%D%/scene_advice.h %D%/scene_boxes.c %D%/scene_bulk.c \
	%D%/scene_carriers.c %D%/scene_carriers.h %D%/scene_costs.c \
	%D%/scene_defect.c %D%/scene_defect.h %D%/scene_devices.c \
	%D%/scene_devices.h %D%/scene_fragment.c %D%/scene_fragments.c \
	%D%/scene_fragments.h %D%/scene_barrier.c %D%/scene_barrier.h \
	%D%/scene_home.c %D%/scene_input.c %D%/scene_machine.c %D%/scene_machine.h %D%/scene_marks.c \
	%D%/scene_numbers.c %D%/scene_order.c %D%/scene_order.h %D%/scene_outer.c %D%/scene_outer.h \
	%D%/scene_owners.c %D%/scene_pipeline.c %D%/scene_pipeline.h \
	%D%/scene_pipeline_walk.c %D%/scene_pipeline_walk.h \
	%D%/scene_registers.c %D%/scene_road.c %D%/scene_road.h \
	%D%/scene_road_walk.c %D%/scene_road_walk.h %D%/scene_sectors.c \
	%D%/scene_sectors.h %D%/source.c %D%/source.h %D%/stage.h \
	%D%/turns.h %D%/view_list.h
