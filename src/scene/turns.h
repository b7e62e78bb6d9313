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
	X(rung)

struct turns {
	int zoom;	/* 1 to 4: grid to thread; 0: all of them */
#define MEMBER(name) int name;
	TURN_LIST(MEMBER)
#undef MEMBER
};

#endif
