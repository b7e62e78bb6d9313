/* view_watch: a FILE.cu that is viewed, and recorded again whenever it is
 * saved, while the reader keeps reading the existing recording. */
#ifndef CLI_VIEW_WATCH_H
#define CLI_VIEW_WATCH_H

#include "analysis/report.h"
#include "app/file_watch.h"
#include "cli/launch_options.h"
#include "app/ui.h"

struct view_watch {
	struct ui_watch ui;
	struct file_watch files;
	const char *file;
	const struct launch_given *given;
	struct session again;	/* the recording under way; count 0: none is */
	int said;		/* its seconds */
};

/* Opens a watch on the file with these options, and on what else the kernel
 * consists of. Returns -1 with e if it cannot be watched. */
int view_watch_open(struct view_watch *w, const char *file,
		    const struct launch_given *given,
		    const struct job_kernel *k, struct error *e);
void view_watch_close(struct view_watch *w);

#endif
