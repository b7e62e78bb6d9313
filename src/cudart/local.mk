# The CUDA runtime, as a program that is run on the CPU sees it.
EXTRA_DIST += %D%/README.md

gemmviz_emu_SOURCES += %D%/device_uninit.c %D%/device_uninit.h \
	%D%/device_heap.c %D%/device_heap.h %D%/device_memory.c \
	%D%/device_memory.h %D%/device_variables.c %D%/devices.c \
	%D%/devices.h %D%/graph_condition.c %D%/graph_memory.c \
	%D%/host_race.c %D%/host_race.h %D%/host_thread.c %D%/host_thread.h \
	%D%/pending_launch.c %D%/pending_launch.h %D%/launch_limits.c \
	%D%/launch_limits.h %D%/part_written.c %D%/part_written.h \
	%D%/program.c %D%/program.h \
	%D%/program_call.c %D%/program_call.h %D%/program_failing.c %D%/program_failing.h \
	%D%/program_fault.c \
	%D%/program_image.c %D%/program_image.h %D%/program_judge.c \
	%D%/program_judge.h %D%/program_launch.c \
	%D%/program_load.c %D%/program_output.c %D%/program_output.h \
	%D%/program_product.c %D%/program_text.c %D%/program_text.h \
	%D%/program_variables.c %D%/program_work.c %D%/program_work.h \
	%D%/runtime.c %D%/runtime.h %D%/runtime_array.c \
	%D%/runtime_capture.c %D%/runtime_device.c %D%/runtime_graph.c \
	%D%/runtime_graph.h %D%/runtime_host_memory.c %D%/runtime_memory.c %D%/runtime_peer.c \
	%D%/runtime_pool.c %D%/runtime_stream.c %D%/stream_order.c \
	%D%/stream_order.h %D%/stream_race.c %D%/stream_race.h \
	%D%/texture.c %D%/texture.h
