# What is on stage.

noinst_LIBRARIES += libscene.a
libscene_a_SOURCES = %D%/beat.c %D%/beat.h %D%/benchmark_reason.c \
	 %D%/benchmark_scene.c %D%/benchmark_scene.h \
	%D%/cursor.c %D%/scene.c %D%/scene.h \
	%D%/scene_boxes.c %D%/scene_bulk.c %D%/scene_banks.c %D%/scene_banks.h \
	%D%/scene_costs.c %D%/scene_devices.c %D%/scene_devices.h %D%/scene_defect.c \
	%D%/scene_defect.h %D%/scene_fragment.c \
	%D%/scene_marks.c %D%/scene_numbers.c %D%/scene_occupancy.c %D%/scene_occupancy.h %D%/scene_owners.c \
	%D%/scene_registers.c %D%/source.c %D%/source.h %D%/stage.h %D%/turns.h \
	%D%/view_list.h
libscene_a_SOURCES += %D%/scene_advice.c %D%/scene_advice.h %D%/scene_gate.c %D%/scene_gate.h %D%/scene_home.c \
	%D%/scene_input.c \
	%D%/scene_sectors.c %D%/scene_sectors.h
libscene_a_SOURCES += %D%/scene_carriers.c %D%/scene_carriers.h \
	%D%/scene_outer.c %D%/scene_outer.h %D%/scene_tiles.c %D%/scene_tiles.h \
	%D%/scene_tiles_book.h %D%/scene_tiles_reads.c \
	%D%/scene_tiles_ring.c \
	%D%/tiles_carry.c %D%/tiles_carry.h

libscene_a_SOURCES += %D%/scene_fragments.c %D%/scene_fragments.h \
	%D%/scene_opening.c %D%/scene_opening.h %D%/scene_order.c \
	%D%/scene_order.h %D%/scene_pipeline.c \
	%D%/scene_pipeline.h %D%/scene_pipeline_walk.c \
	%D%/scene_pipeline_walk.h %D%/scene_road.c %D%/scene_road.h \
	%D%/scene_road_walk.c %D%/scene_road_walk.h
libscene_a_SOURCES += %D%/rungs.c %D%/rungs.h %D%/scene_bill.c %D%/scene_bill.h \
	%D%/scene_memory.c %D%/scene_memory.h %D%/scene_scaling.c \
	%D%/scene_scaling.h
