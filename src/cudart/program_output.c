/*
 * program_output: see program_output.h.
 */
#include "cudart/program_output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/confine.h"
#include "base/resource.h"
#include "base/text.h"

/* Bytes that a program may write, and how many of them are passed on. */
#define OUTPUT_MOST (64 << 20)
#define OUTPUT_TOLD (1 << 20)

int program_output_new(struct error *e)
{
	int file = memfd_create("output", MFD_ALLOW_SEALING | MFD_CLOEXEC);

	if (file >= 0 &&
	    ftruncate(file, (off_t)confine_file(OUTPUT_MOST)) == 0 &&
	    fcntl(file, F_ADD_SEALS, F_SEAL_GROW | F_SEAL_SHRINK) == 0)
		return file;
	error_resource(e, errno, EXIT_RUNNER, "no room for the program's "
		       "output");
	if (file >= 0)
		close(file);
	return -1;
}

void program_output_begin(int file)
{
	fflush(NULL);
	dup2(file, 1);
	dup2(file, 2);
	setvbuf(stdout, NULL, _IOLBF, 4096);
}

/* Reads the bytes from..until, as far as they are passed on. */
static char *read_output(int file, off_t from, off_t until, size_t *bytes)
{
	size_t most = (size_t)(MIN(until, OUTPUT_TOLD) - from);
	char *text = xcalloc(1, most + 1);
	ssize_t n = pread(file, text, most, from);

	*bytes = n > 0 ? (size_t)n : 0;
	for (size_t i = 0; i < *bytes; i++)
		if (!text[i])
			text[i] = ' ';
	return text;
}

static char *clean_text(char *text)
{
	char *clean = text_utf8(text);

	free(text);
	return clean;
}

/* Both processes write and read at the one offset that this file has. */
static off_t output_bytes(int file)
{
	return MAX(0, lseek(file, 0, SEEK_CUR));
}

char *program_output_lines(int file, off_t *told)
{
	off_t until = output_bytes(file);
	char *text, *end;
	size_t n;

	if (MIN(until, OUTPUT_TOLD) <= *told)
		return NULL;
	text = read_output(file, *told, until, &n);
	end = memrchr(text, '\n', n);
	if (!end) {
		free(text);
		return NULL;
	}
	end[1] = '\0';
	*told += end + 1 - text;
	return clean_text(text);
}

void program_output_end(int file, json_t *summary)
{
	off_t bytes;
	char *text;
	size_t n;

	fflush(stdout);
	bytes = output_bytes(file);
	text = clean_text(read_output(file, 0, bytes, &n));
	json_object_set_new(summary, "output", json_string(text));
	json_object_set_new(summary, "output_bytes",
			    json_integer((json_int_t)bytes));
	free(text);
}
