/*
 * fill: fills the shelf of a site (shelf.h): records what the lessons and the
 * list of kernels record, each into FOLDER/HASH.gvt, and prints the list of
 * them. What LIST, an older list, has already is not recorded again.
 *
 *   web/fill FOLDER [LIST]
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/session.h"
#include "base/lang.h"
#include "kernels/kernels.h"
#include "kernels/programs.h"
#include "web/shelf.h"

#define SECONDS 300
#define TRACE_MOST (1u << 26)
#define RECORDING_BYTES_MOST 1000000	/* that a page fetches at once */

struct shelf_fill {
	const char *folder;
	char *before;		/* the older list, or "" */
	const char *what;	/* asks for it: a lesson or a kernel */
	struct str list;
};

/* Copies the line of the key from one list to the other. Returns false if there
 * is none. */
static bool copy_line(struct shelf_fill *f, const char *from, const char *key)
{
	const char *line = strstr(from, key);

	if (!line)
		return false;
	str_addn(&f->list, line, strcspn(line, "\n"));
	str_addc(&f->list, '\n');
	return true;
}

/* Reads so many bytes from a descriptor, 0: all that it has. Returns NULL with
 * e. */
static char *read_bytes(int fd, int64_t bytes_most, size_t *len,
			struct error *e)
{
	off_t end = bytes_most ? bytes_most : lseek(fd, 0, SEEK_END);
	char *bytes = xmalloc((size_t)MAX(end, 1));

	*len = (size_t)end;
	if (end > 0 && end <= TRACE_MOST && pread(fd, bytes, *len, 0) == end)
		return bytes;
	free(bytes);
	error_set(e, EXIT_RUNNER, "a trace cannot be read");
	return NULL;
}

/* Puts a trace, the first of a descriptor's, on the shelf, under its hash.
 * Returns -1 with e. */
static int put_on_shelf(struct shelf_fill *f, const char *key, int fd,
			int64_t bytes_most, struct error *e)
{
	size_t len;
	char *bytes = read_bytes(fd, bytes_most, &len, e), *name, *path;
	struct file_out out;
	int status;

	if (!bytes)
		return -1;
	if (len > RECORDING_BYTES_MOST) {
		free(bytes);
		return error_set(e, EXIT_INPUT, "%s: a recording takes %zu "
				 "bytes, at most %d: see spaces= and values= "
				 "in lesson.h, and kernel_shown()", f->what,
				 len, RECORDING_BYTES_MOST);
	}
	name = xasprintf("%016llx.gvt",
			 (unsigned long long)hash_bytes(bytes, len));
	path = xasprintf("%s/%s", f->folder, name);
	status = file_out_open(&out, path, true, e);
	if (!status && write_all(out.fd, bytes, len))
		status = error_set(e, EXIT_OUTPUT, "%s: %m", path);
	if (!status)
		status = file_out_commit(&out, e);
	file_out_abandon(&out);
	str_addf(&f->list, "%s %s %zu\n", key, name, len);
	free(path);
	free(name);
	free(bytes);
	return status;
}

/* Records the job, unless the shelf has it. Returns -1 with e. */
static int record_job(struct shelf_fill *f, const struct job *job, struct error *e)
{
	char key[JOB_KEY];
	struct runner_event ev;
	struct runner *r;
	int64_t bytes = 0;	/* of a program's first trace */
	long id;
	int status = -1;

	job_key(job, key);
	if ((f->list.data && strstr(f->list.data, key)) ||
	    copy_line(f, f->before, key))
		return 0;
	r = runner_start(NULL, e);
	if (!r)
		return -1;
	id = runner_send(r, job);
	do {
		if (runner_wait(r, id, SECONDS, &ev)) {
			*e = ev.error;
			break;
		}
		if (ev.kind == RUNNER_TRACE) {
			status = put_on_shelf(f, key, ev.fd, bytes, e);
			close(ev.fd);
			break;
		}
		bytes = MAX(bytes, runner_program_bytes(&ev));
		runner_refused(&ev, e);
		status = !strcmp(runner_event_type(&ev), "error") ? -1 : 1;
		runner_event_done(&ev);
	} while (status == 1);
	runner_free(r);
	return status;
}

static int fill_lesson(struct shelf_fill *f, const char *name, struct error *e)
{
	struct lesson *l = lesson_load(name, "en", e);
	int status = l ? 0 : -1;

	f->what = name;
	for (size_t i = 0; !status && i < l->record_count; i++) {
		struct job job;

		status = session_record_job(&job, &l->records[i], e) ||
			 record_job(f, &job, e);
		job_done(&job);
	}
	lesson_free(l);
	return status;
}

static int fill_kernel(struct shelf_fill *f, const char *name, struct error *e)
{
	struct job job;
	int status;

	f->what = name;
	status = session_job(&job, name, e) || record_job(f, &job, e);
	job_done(&job);
	return status;
}

static int fill_shelf(struct shelf_fill *f, struct error *e)
{
	const char *const *lessons = lesson_names();

	for (size_t i = 0; lessons[i]; i++)
		if (fill_lesson(f, lessons[i], e))
			return -1;
	for (size_t i = 0; i < kernel_count; i++)
		if (fill_kernel(f, kernels[i].name, e))
			return -1;
	return 0;
}

int main(int argc, char **argv)
{
	struct shelf_fill f = { .folder = argc > 1 ? argv[1] : "." };
	struct error e;
	size_t len;

	lang_init("en");
	f.before = argc > 2 ? file_read(argv[2], 1 << 20, &len, NULL) : NULL;
	if (!f.before)
		f.before = xstrdup("");
	if (fill_shelf(&f, &e)) {
		fprintf(stderr, "fill: %s\n", e.text);
		return e.status;
	}
	fputs(f.list.data, stdout);
	str_done(&f.list);
	free(f.before);
	return fflush(stdout) ? EXIT_OUTPUT : EXIT_DONE;
}
