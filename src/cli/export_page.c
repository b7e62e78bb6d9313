#include "cli/export_page.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/encode.h"
#include "base/lang.h"
#include "base/text.h"

#define TEMPLATE_MOST (1u << 24)
#define TRACE_MOST (1u << 28)
/* Where the recordings go in the page that `make web` makes. */
#define MARK "<!-- recordings -->\n"

/* Adds a trace's bytes as a part of the page. Returns -1 with e. */
static int add_trace_bytes(struct str *out, const struct trace *t,
			   struct error *e)
{
	off_t end = lseek(trace_fd(t), 0, SEEK_END);
	unsigned char *bytes;
	bool good;

	if (end <= 0 || end > TRACE_MOST)
		return error_set(e, EXIT_INPUT,
				 _("a page holds a recording of at most %u "
				   "MB"), TRACE_MOST >> 20);
	bytes = xmalloc((size_t)end);
	good = pread(trace_fd(t), bytes, (size_t)end, 0) == end;
	if (good)
		str_add_base64(out, bytes, (size_t)end);
	free(bytes);
	return good ? 0 : error_set(e, EXIT_INPUT, "the trace cannot be read");
}

/* Adds what a lesson records, under the keys by which the page asks. */
static int add_lesson_traces(struct str *out, struct reader *r,
			     struct error *e)
{
	int status = 0;

	for (size_t i = 0; i < r->lesson->record_count && !status; i++) {
		const struct trace *t = r->session.recordings[i].trace;
		struct job job;
		char key[JOB_KEY];

		status = session_record_job(&job, &r->lesson->records[i], e);
		if (!status) {
			job_key(&job, key);
			str_addf(out, "<script type=\"text/plain\" "
				 "data-key=\"%s\" data-file=\"shelf/%s.gvt\">",
				 key, key);
			status = add_trace_bytes(out, t, e);
			str_add(out, "</script>\n");
		}
		job_done(&job);
	}
	str_addf(out, "<script type=\"text/plain\" "
		 "data-go=\"lesson=%s\"></script>\n", r->lesson->name);
	return status;
}

static int add_own_trace(struct str *out, struct reader *r, struct error *e)
{
	int status;

	str_add(out, "<script type=\"text/plain\" data-open=\"recording.gvt\" "
		"data-file=\"recording.gvt\">");
	status = add_trace_bytes(out, r->session.recordings[0].trace, e);
	str_add(out, "</script>\n");
	return status;
}

/* Waits for what is recorded. Returns -1 with e if it fails, or is not of the
 * course, whose lessons the page has. */
static int wait_for_traces(struct reader *r, struct error *e)
{
	const char *const *names = lesson_names();
	const struct error *failed;
	bool ours = !r->lesson;

	for (size_t i = 0; names[i] && !ours; i++)
		ours = !strcmp(names[i], r->lesson->name);
	if (!ours)
		return error_set(e, EXIT_USAGE,
				 _("a page has the lessons of the course, and "
				   "%s is none"), text_show(r->lesson->name));
	session_wait(&r->session);
	reader_poll(r);
	failed = session_error(&r->session);
	if (failed)
		*e = *failed;
	return failed ? -1 : 0;
}

int export_page(struct reader *r, struct export *x, struct error *e)
{
	char *path = xasprintf("%s/one.html", paths()->web), *page, *mark;
	size_t len;
	int status;

	page = access(path, R_OK) ? NULL :
	       file_read(path, TEMPLATE_MOST, &len, NULL);
	free(path);
	mark = page ? strstr(page, MARK) : NULL;
	if (!mark) {
		free(page);
		return error_set(e, EXIT_OUTPUT,
				 _("the program for a page is not installed "
				   "here (`make web` makes it, with "
				   "emscripten)"));
	}
	status = wait_for_traces(r, e);
	if (!status) {
		str_addn(&x->out, page, (size_t)(mark - page));
		status = r->lesson ? add_lesson_traces(&x->out, r, e) :
				     add_own_trace(&x->out, r, e);
		str_add(&x->out, mark + strlen(MARK));
	}
	free(page);
	return status;
}
