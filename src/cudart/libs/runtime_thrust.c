/*
 * runtime_thrust: thrust's algorithms, which the host runs on the device's
 * memory; those that a kernel runs are code like the rest of it. See runtime.h.
 */
#include "cudart/devices.h"
#include "cudart/program_judge.h"
#include "cudart/runtime.h"

static uint32_t thrust_depth;

int gemmviz_thrust_begin(void);
int gemmviz_thrust_begin(void)
{
	if (program.launching)
		return 0;
	if (program.sticky)
		return program.sticky;
	if (thrust_depth++)
		return 0;
	program.busy = true;
	judge_library("thrust", program_here((uintptr_t)
					     __builtin_frame_address(0)));
	graph_refuse((struct place) { .file = NULL },
		     "thrust calls while a stream is captured");
	stream_finish_device(devices.current);
	device_open_all();
	emu_index_alone();
	return 0;
}

void gemmviz_thrust_end(void);
void gemmviz_thrust_end(void)
{
	if (program.launching || --thrust_depth > 0)
		return;
	program.busy = false;
	device_close();
}

void gemmviz_thrust_aside(void);
void gemmviz_thrust_aside(void)
{
	if (program.launching)
		program_unplayed(program.config.at, "thrust's sorting and "
				 "removing functions in a kernel");
}
