/* event: what a terminal reports: keys, characters and the mouse. */
#ifndef VIZ_EVENT_H
#define VIZ_EVENT_H

#include <stdint.h>

enum key {
	/* Below 0x110000: the character typed. */
	KEY_BASE = 0x110000,
	K_NONE = KEY_BASE, K_UP, K_DOWN, K_LEFT, K_RIGHT, K_HOME, K_END,
	K_PAGE_UP, K_PAGE_DOWN, K_TAB, K_BACK_TAB, K_ENTER, K_ESCAPE,
	K_BACKSPACE, K_DELETE, K_F1, K_RESIZE, K_MOUSE, K_EOF
};

enum mouse_kind { MOUSE_PRESS, MOUSE_RELEASE, MOUSE_DRAG, MOUSE_WHEEL_UP,
		  MOUSE_WHEEL_DOWN };
struct event {
	uint32_t key;		/* character or enum key */
	enum mouse_kind mouse;
	int x, y;		/* the mouse's position, in cells */
};

#endif
