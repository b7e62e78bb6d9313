/* text_trace OUT: the trace that the text on standard input is,
 * whatever lies it tells. */
#include <fcntl.h>
#include <unistd.h>

#include "base/base.h"
#include "trace/trace.h"

int main(int argc, char **argv)
{
	struct str text = { 0 };
	struct error e;
	char part[4096];
	ssize_t n;
	int fd;

	if (argc != 2)
		fatal("usage: text_trace OUT <TEXT");
	while ((n = read(0, part, sizeof(part))) > 0)
		str_addn(&text, part, (size_t)n);
	fd = open(argv[1], O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (fd < 0)
		fatal("%s: %m", argv[1]);
	if (trace_parse(text.data ? text.data : "", text.len, fd, &e) < 0)
		fatal("%s", e.text);
	str_done(&text);
	return close(fd);
}
