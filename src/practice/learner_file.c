/* learner_file: see learner_file.h. */
#include "practice/learner_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/lang.h"
#include "base/text.h"

#define KEPT_MOST 9999

/* Makes the folder of a path; -1 with e. */
static int make_learner_folder(const char *path, struct error *e)
{
	char *folder = xstrndup(path, (size_t)(file_base(path) - path));
	int rc = 0;

	if (*folder && mkdir(folder, 0777) < 0 && errno != EEXIST)
		rc = error_set(e, EXIT_INPUT, _("cannot make the folder %s: "
						"%s"), text_show(folder),
			       strerror(errno));
	free(folder);
	return rc;
}

/* Writes the skeleton to a file that does not exist. Returns 1; 0 if it does
 * exist; -1 with e. */
static int write_new(const struct rung *r, const char *path, struct error *e)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	int rc;

	if (fd < 0 && errno == EEXIST)
		return 0;
	if (fd < 0)
		return error_set(e, EXIT_INPUT, _("cannot write %s: %s"),
				 text_show(path), strerror(errno));
	rc = write_all(fd, r->skeleton, strlen(r->skeleton));
	if (close(fd) < 0 || rc < 0) {
		error_set(e, EXIT_INPUT, _("cannot write %s: %s"),
			  text_show(path), strerror(errno));
		unlink(path);	/* this file was made here */
		return -1;
	}
	return 1;
}

int learner_file_make(const struct rung *r, const char *path,
		      struct error *e)
{
	if (access(path, F_OK) == 0)
		return 0;
	return make_learner_folder(path, e) < 0 ? -1 : write_new(r, path, e);
}

int learner_file_reset(const struct rung *r, const char *path, char **kept,
		       struct error *e)
{
	*kept = NULL;
	for (int i = 1; i <= KEPT_MOST; i++) {
		free(*kept);
		*kept = xasprintf("%s.%d", path, i);
		/* A link fails where a rename would write over. */
		if (link(path, *kept) == 0)
			break;
		if (errno != EEXIST || i == KEPT_MOST)
			return error_set(e, EXIT_INPUT, _("cannot keep %s: "
							  "%s"),
					 text_show(path), strerror(errno));
	}
	if (unlink(path) < 0)
		return error_set(e, EXIT_INPUT, _("cannot keep %s: %s"),
				 text_show(path), strerror(errno));
	return write_new(r, path, e) < 0 ? -1 : 0;
}
