/* reader_room: a class on its teacher's screen, which is looked at anew every
 * other second. */
#ifndef READER_READER_ROOM_H
#define READER_READER_ROOM_H

#include "reader/reader.h"

struct reader_room {
	const char *folder, *name;
	bool names;
	double looked;			/* when the files were read */
	struct class_room room;
	struct class_poll poll;
	char question[128];
	struct show_class show;
};

void reader_room_names(struct reader *r);

#endif
