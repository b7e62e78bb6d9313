/*
 * Any bytes are a trace as text. What is taken for one becomes a trace that
 * can be read; its text gives the same trace again.
 */
#define REPLAY_CORPUS "text"
#include "replay.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "trace/trace.h"

static int parse(const char *text, size_t len, struct error *e)
{
	int fd = memfd_create("trace", MFD_CLOEXEC);

	if (fd < 0)
		abort();
	if (trace_parse(text, len, fd, e) == 0)
		return fd;
	if (e->status != EXIT_INPUT)
		abort();
	close(fd);
	return -1;
}

static char *dump(int fd, size_t *len)
{
	struct error e;
	struct trace *t = trace_open_fd(dup(fd), "trace", &e);
	char *text = NULL;
	FILE *out = open_memstream(&text, len);

	if (!t || trace_dump(t, out, &e) < 0)
		abort();
	fclose(out);
	trace_close(t);
	return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t len, again_len;
	char *text, *again;
	struct error e;
	int fd = parse((const char *)data, size, &e), back;

	if (fd < 0)
		return 0;
	text = dump(fd, &len);
	back = parse(text, len, &e);
	if (back < 0)
		abort();
	again = dump(back, &again_len);
	if (len != again_len || memcmp(text, again, len) != 0)
		abort();
	free(text);
	free(again);
	close(fd);
	close(back);
	return 0;
}
