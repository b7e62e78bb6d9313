# The pictures: each with its part of the stage and its words, in a folder.
EXTRA_DIST += %D%/README.md

libviz_a_SOURCES += %D%/banks/scene_banks.c %D%/banks/scene_banks.h \
	%D%/banks/bank_tile.c %D%/banks/bank_tile.h %D%/banks/view_banks.c

libviz_a_SOURCES += %D%/barrier/view_barrier.c

libviz_a_SOURCES += %D%/carriers/carriers_plan.c \
	%D%/carriers/carriers_plan.h %D%/carriers/view_carriers.c

libviz_a_SOURCES += %D%/cost/rung_cost.c %D%/cost/rung_cost.h \
	%D%/cost/view_cost.c

libviz_a_SOURCES += %D%/defect/defect_facts.c \
	%D%/defect/defect_facts.h %D%/defect/defect_fix.c \
	%D%/defect/defect_panels.c %D%/defect/defect_panels.h \
	%D%/defect/defect_text.c %D%/defect/view_defect.c

libviz_a_SOURCES += %D%/devices/view_devices.c %D%/devices/view_devices.h \
	%D%/devices/view_devices_lanes.c

libviz_a_SOURCES += %D%/faster/scene_faster.c %D%/faster/scene_faster.h \
	%D%/faster/view_faster.c

libviz_a_SOURCES += %D%/fragments/fragments_board.c \
	%D%/fragments/fragments_board.h %D%/fragments/fragments_list.c \
	%D%/fragments/fragments_other.c %D%/fragments/fragments_rows.c \
	%D%/fragments/view_fragments.c %D%/fragments/view_fragments.h \
	%D%/fragments/view_fragments_words.c

libviz_a_SOURCES += %D%/grid/view_grid.c

libviz_a_SOURCES += %D%/machine/view_machine.c

libviz_a_SOURCES += %D%/matrices/matrices_corner.c \
	%D%/matrices/matrices_whole.c %D%/matrices/matrices_window.c \
	%D%/matrices/matrices_window.h %D%/matrices/scene_matrices.c \
	%D%/matrices/scene_matrices.h %D%/matrices/view_matrices.c

libviz_a_SOURCES += %D%/memory/scene_memory.c %D%/memory/scene_memory.h \
	%D%/memory/view_memory.c

libviz_a_SOURCES += %D%/nested/nested_board.c %D%/nested/nested_lane.c \
	%D%/nested/nested_plan.c %D%/nested/nested_plan.h \
	%D%/nested/scene_nested.c %D%/nested/scene_nested.h \
	%D%/nested/view_nested.c

libviz_a_SOURCES += %D%/occupancy/scene_occupancy.c \
	%D%/occupancy/scene_occupancy.h %D%/occupancy/view_occupancy.c

libviz_a_SOURCES += %D%/order/order_board.c %D%/order/order_board.h \
	%D%/order/view_order.c

libviz_a_SOURCES += %D%/pipeline/view_pipeline.c \
	%D%/pipeline/view_pipeline.h %D%/pipeline/view_pipeline_around.c \
	%D%/pipeline/view_pipeline_measured.c \
	%D%/pipeline/view_pipeline_words.c

libviz_a_SOURCES += %D%/registers/view_registers.c

libviz_a_SOURCES += %D%/road/road_chunks.c %D%/road/road_lanes.c \
	%D%/road/road_matrix.c %D%/road/view_road.c \
	%D%/road/view_road.h %D%/road/view_road_words.c

libviz_a_SOURCES += %D%/scaling/scene_scaling.c %D%/scaling/scene_scaling.h \
	%D%/scaling/view_scaling.c

libviz_a_SOURCES += %D%/sectors/sectors_axis.c \
	%D%/sectors/sectors_axis.h %D%/sectors/sectors_meter.c \
	%D%/sectors/scene_sector_lines.c %D%/sectors/scene_sector_lines.h \
	%D%/sectors/view_sectors.c %D%/sectors/view_sectors.h

libviz_a_SOURCES += %D%/shuffle/scene_shuffle.c \
	%D%/shuffle/scene_shuffle.h %D%/shuffle/shuffle_text.c \
	%D%/shuffle/shuffle_text.h %D%/shuffle/view_shuffle.c

libviz_a_SOURCES += %D%/tiles/scene_tiles.c %D%/tiles/scene_tiles.h \
	%D%/tiles/scene_tiles_book.h %D%/tiles/scene_tiles_reads.c \
	%D%/tiles/scene_tiles_ring.c %D%/tiles/tile_layout.c \
	%D%/tiles/tile_layout.h %D%/tiles/tile_marks.c \
	%D%/tiles/tile_marks.h %D%/tiles/tile_place.c \
	%D%/tiles/tiles_carry.c %D%/tiles/tiles_carry.h \
	%D%/tiles/view_tiles.c %D%/tiles/view_tiles_flow.c \
	%D%/tiles/view_tiles_barrier.c %D%/tiles/view_tiles_ring.c \
	%D%/tiles/view_tiles_words.c
