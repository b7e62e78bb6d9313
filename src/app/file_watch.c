/* file_watch: see file_watch.h. It watches folders, not files: an editor may
 * replace a file by another. */
#include "app/file_watch.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "base/text.h"
#include "protocol/headers.h"

/* Milliseconds without another change until a file counts as saved: editors
 * write, rename and remove. */
#define QUIET_MS 60

/* Adds a folder to the watch; adding it again has no effect. */
static int watch_folder(const struct file_watch *w, const char *folder)
{
	return inotify_add_watch(w->fd, folder, IN_CLOSE_WRITE | IN_MOVED_TO |
				 IN_ONLYDIR);
}

int file_watch_open(struct file_watch *w, const char *file, struct error *e)
{
	size_t n = (size_t)(file_base(file) - file);
	char *folder = n ? xstrndup(file, n) : xstrdup(".");
	int status = 0;

	*w = (struct file_watch) { .fd = inotify_init1(IN_CLOEXEC |
						       IN_NONBLOCK) };
	job_define(&w->files, file_base(file), "");
	if (w->fd < 0 || watch_folder(w, folder) < 0)
		status = error_set(e, EXIT_INPUT, "cannot watch %s: %m",
				   text_show(folder));
	free(folder);
	return status;
}

void file_watch_more(struct file_watch *w, const char *file,
		     const struct job_kernel *k)
{
	int n = (int)(file_base(file) - file);

	for (size_t i = 0; i < k->headers.count; i++) {
		char *folder = headers_folder(k->headers.list[i].name);
		char *path = xasprintf("%.*s./%s", n, file, folder);

		watch_folder(w, path);
		job_define(&w->files, file_base(k->headers.list[i].name), "");
		free(path);
		free(folder);
	}
}

void file_watch_close(struct file_watch *w)
{
	if (w->fd >= 0)
		close(w->fd);
	job_defines_done(&w->files);
	w->fd = -1;
}

/* Returns whether the file is one of those watched, or a header that may be
 * new. */
static bool is_watched(const struct file_watch *w, const char *name)
{
	const char *dot = strrchr(name, '.');

	return job_defined(&w->files, name) ||
	       (dot && (!strcmp(dot, ".h") || !strcmp(dot, ".cuh") ||
			!strcmp(dot, ".hpp")));
}

/* Takes what has happened; whether it matters. */
static bool changes_take(const struct file_watch *w)
{
	_Alignas(struct inotify_event) char buf[4096];
	bool any = false;
	ssize_t n;

	while ((n = read(w->fd, buf, sizeof(buf))) > 0)
		for (char *p = buf; p < buf + n; ) {
			struct inotify_event *ev = (void *)p;

			any |= ev->len && is_watched(w, ev->name);
			any |= (ev->mask & IN_Q_OVERFLOW) != 0;
			p += sizeof(*ev) + ev->len;
		}
	return any;
}

bool file_watch_saved(const struct file_watch *w)
{
	struct pollfd p = { .fd = w->fd, .events = POLLIN };
	bool saved = changes_take(w);

	while (saved && poll(&p, 1, QUIET_MS) > 0)
		changes_take(w);
	return saved;
}
