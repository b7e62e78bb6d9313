# Canvas, theme, layout, views, and the only user of curses.

noinst_LIBRARIES += libviz.a
libviz_a_SOURCES = %D%/canvas.c %D%/canvas.h %D%/canvas_print.c %D%/canvas_signs.c %D%/event.h %D%/field.c %D%/field.h %D%/guard.c \
	%D%/guard.h %D%/keys.c %D%/keys.h %D%/kit.c %D%/kit.h %D%/layout.c %D%/pair.c %D%/pen.c %D%/pen.h %D%/picture.c %D%/plain.c \
	%D%/plain_benchmark.c %D%/prose.c %D%/show.h %D%/term.c %D%/term.h \
	%D%/overlay.c %D%/overlay.h %D%/vessel.c %D%/vessel.h %D%/view_bars.c %D%/view_bars_large.c \
	%D%/theme.c %D%/theme.h %D%/view.c %D%/view.h %D%/view_advice.c %D%/view_banks.c \
	%D%/towers.c %D%/towers.h %D%/defect.h %D%/defect_words.c %D%/defect_words.h %D%/defect_array.c %D%/view_defect.c %D%/view_occupancy.c \
	%D%/view_benchmark.c %D%/view_benchmark.h %D%/view_frame.c %D%/view_grid.c \
	%D%/view_glossary.c %D%/view_help.c %D%/view_home.c %D%/view_learned.c %D%/view_lesson.c %D%/view_matrices.c %D%/view_registers.c \
	%D%/view_gate.c %D%/roofline_labels.c %D%/view_roofline.c %D%/view_source.c
libviz_a_SOURCES += %D%/view_sectors.c %D%/view_sectors.h %D%/sectors_meter.c \
	%D%/sectors_names.c
libviz_a_SOURCES += %D%/tile_layout.c \
	%D%/tile_layout.h %D%/tile_marks.c %D%/tile_marks.h %D%/tile_place.c \
	%D%/carriers_plan.c %D%/carriers_plan.h %D%/view_carriers.c %D%/view_outer.c %D%/view_tiles.c \
	%D%/view_tiles_flow.c %D%/view_tiles_gate.c %D%/view_tiles_ring.c \
	%D%/view_tiles_words.c

# What tensor cores do, and how tiles come to them.
libviz_a_SOURCES += %D%/view_pipeline_words.c \
	%D%/view_fragments.c %D%/view_fragments.h %D%/view_fragments_lane.c %D%/view_fragments_words.c \
	%D%/view_devices.c %D%/view_devices.h %D%/view_devices_lanes.c %D%/view_order.c %D%/view_pipeline.c %D%/view_pipeline.h \
	%D%/view_pipeline_around.c \
	%D%/view_pipeline_measured.c \
	%D%/view_road.c %D%/view_road.h %D%/view_road_tile.c \
	%D%/view_road_words.c
libviz_a_SOURCES += %D%/view_bill.c %D%/view_memory.c %D%/view_scaling.c

# Drills.
libviz_a_SOURCES += %D%/view_class.c %D%/view_drill.c %D%/view_drill_parts.c \
	%D%/view_drill_parts.h
