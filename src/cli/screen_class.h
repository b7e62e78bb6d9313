/* screen_class: joins the class that a screen's options name. */
#ifndef CLI_SCREEN_CLASS_H
#define CLI_SCREEN_CLASS_H

#include "cli/screen_options.h"

/* Joins, leads or follows a class, if an option says so. Returns -1 with e. */
int screen_class_join(const struct screen *s, struct reader *r,
		      struct class_member *m, struct class_task *t,
		      struct class_link *l, struct error *e);
/* Sends the member's last answers to the class, if it can be reached, and
 * closes the link. */
void screen_class_leave(struct class_member *m, struct class_task *t,
			struct class_link *l);

#endif
