/* turns: what keys or a lesson change in pictures. */
#ifndef SCENE_TURNS_H
#define SCENE_TURNS_H

/* Steps of a picture's keys; 0: as recorded. */
#define TURN_LIST(X) \
	X(pitch) \
	X(swizzle) \
	X(tile) \
	X(registers) \
	X(arch) \
	X(rung) \
	X(wave) \
	X(group) \
	X(shuffle) \
	X(chunk)

struct benchmark_plan;

struct turns {
	/* The kernels of the step's race; NULL: it has none. */
	const struct benchmark_plan *field;
	/* A launch that is shown in place of the recorded one; threads 0: none
	 * is. */
	struct { int threads, registers, shared; } launch;
	/* Two kernels whose costs are shown in place of the recorded one's, as
	 * races name them: now and before ("": the library's). "": none are. */
	char race[2][64];
	int zoom;	/* 1 to 3: grid, block, warp; 0: all of them */
#define MEMBER(name) int name;
	TURN_LIST(MEMBER)
#undef MEMBER
};

#endif
