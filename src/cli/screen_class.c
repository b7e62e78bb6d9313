/* screen_class: see screen_class.h. */
#include "cli/screen_class.h"

#include <stdio.h>

#include "base/text.h"

static int check_class_name(const char *name, struct error *e)
{
	return !name || class_name_valid(name) ? 0 :
	       error_set(e, EXIT_USAGE, "'%s' cannot name a class: letters, "
			 "digits, - and _", text_show(name));
}

int screen_class_join(const struct screen *s, struct reader *r,
		      struct class_member *m, struct class_task *t,
		      struct class_link *l, struct error *e)
{
	const char *folder = s->class_folder ? s->class_folder :
					       class_folder();

	*t = (struct class_task){ .folder = folder, .lead = s->lead,
				  .follow = s->follow };
	if (check_class_name(s->lead, e) || check_class_name(s->follow, e) ||
	    (s->class && class_join(m, folder, s->class, e)))
		return -1;
	t->member = r->member = s->class ? m : NULL;
	r->lead = t->lead;
	r->follow = r->following = t->follow;
	if (!t->member && !t->lead && !t->follow)
		return 0;
	r->link = l;
	return class_link_open(l, t, e);
}

void screen_class_leave(struct class_member *m, struct class_task *t,
			struct class_link *l)
{
	struct error e;

	if (t->member) {
		if (class_link_finish(l, &e))
			fprintf(stderr, "gemmviz: %s\n", e.text);
		class_leave(m);
	}
	class_link_close(l);
}
