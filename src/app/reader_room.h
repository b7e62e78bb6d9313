/* reader_room: a class on its teacher's screen. */
#ifndef APP_READER_ROOM_H
#define APP_READER_ROOM_H

#include "app/reader.h"

struct reader_room {
	bool names;
	struct class_rungs rungs;	/* which show points to */
	struct class_room room, coming;	/* on the screen; being heard */
	struct class_poll poll;
	char question[128], *words;	/* heap */
	struct lesson *lesson;	/* of the question */
	struct show_class show;
};

void reader_room_names(struct reader *r);

#endif
