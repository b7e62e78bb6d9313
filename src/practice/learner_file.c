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

/* Writes a text to a file that does not exist. Returns 1; 0 if it does exist; -1
 * with e. */
static int write_new(const char *text, const char *path, struct error *e)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	int rc;

	if (fd < 0 && errno == EEXIST)
		return 0;
	if (fd < 0)
		return error_set(e, EXIT_INPUT, _("cannot write %s: %s"),
				 text_show(path), strerror(errno));
	rc = write_all(fd, text, strlen(text));
	if (close(fd) < 0 || rc < 0) {
		error_set(e, EXIT_INPUT, _("cannot write %s: %s"),
			  text_show(path), strerror(errno));
		unlink(path);	/* this file was made here */
		return -1;
	}
	return 1;
}

/* Adds the skeleton's comment that tells what is to be done, without its
 * indentation. */
static void add_todo(struct str *to, const char *skeleton)
{
	const char *line = strstr(skeleton, "// TODO");

	while (line && !strncmp(line, "//", 2)) {
		size_t n = strcspn(line, "\n");

		str_addf(to, "%.*s\n", (int)n, line);
		line += n;
		line += strspn(line, "\n ");
	}
}

char *learner_file_path(const char *folder, const struct rung *r)
{
	return xasprintf("%s/%s.cu", folder, r->stem);
}

int learner_file_make(const struct rung *r, const char *path,
		      const char *earlier, struct error *e)
{
	struct str text = { 0 };
	int made;

	if (access(path, F_OK) == 0)
		return 0;
	if (make_learner_folder(path, e) < 0)
		return -1;
	if (earlier)
		add_todo(&text, r->skeleton);
	str_add(&text, earlier ? earlier : r->skeleton);
	made = write_new(text.data, path, e);
	str_done(&text);
	return made;
}

int learner_file_keep(const char *path, char **kept, struct error *e)
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
	return 0;
}
