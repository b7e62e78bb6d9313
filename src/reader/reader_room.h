/* reader_room: a class on its teacher's screen. */
#ifndef READER_READER_ROOM_H
#define READER_READER_ROOM_H

#include "reader/reader.h"

struct reader_room {
	bool names;
	struct class_room room, coming;	/* on the screen; being heard */
	struct class_poll poll;
	char question[128];
	struct show_class show;
};

void reader_room_names(struct reader *r);

#endif
