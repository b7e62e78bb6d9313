/*
 * assembler: what g++ starts in place of its parts (-wrapper): the assembler
 * gets a text whose arithmetic is a GPU's. It becomes the part that it is
 * given, as g++ names it: "assembler as --64 -o x.o x.s".
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/base.h"
#include "emu/module/asm_fuse.h"
#include "emu/module/asm_lines.h"
#include "emu/module/asm_machine.h"

#define TEXT_MOST ((size_t)1 << 30) /* bytes */

/* Tests whether the part of g++ is its assembler. */
static bool is_assembler(const char *path)
{
	const char *name = file_base(path);
	size_t n = strlen(name);

	return n >= 2 && !strcmp(name + n - 2, "as") &&
	       (n == 2 || name[n - 3] == '-');
}

/* Writes the text in place of the file's. */
static int write_text(const char *path, const char *text, size_t length)
{
	FILE *f = fopen(path, "w");
	bool done = f && fwrite(text, 1, length, f) == length;

	return f && fclose(f) == 0 && done ? 0 : -1;
}

/* Gives the file a GPU's arithmetic. */
static void change_file(const char *path)
{
	struct error e = { .text = "" };
	size_t length, n;
	char *text = file_read(path, TEXT_MOST, &length, &e), *changed;
	struct asm_lines lines;

	if (!text || length == 0)
		return; /* as says what is wrong */
	asm_lines_split(&lines, text, length);
	asm_machine(&lines);
	asm_fuse(&lines);
	changed = asm_lines_join(&lines, &n);
	if (write_text(path, changed, n) < 0) {
		perror(path);
		exit(1);
	}
	free(changed);
	asm_lines_done(&lines);
	free(text);
}

int main(int argc, char **argv)
{
	const char *path = argc > 2 ? argv[argc - 1] : "";
	size_t n = strlen(path);

	if (argc < 2)
		return 2;
#ifdef __x86_64__
	if (is_assembler(argv[1]) && n > 2 && !strcmp(path + n - 2, ".s"))
		change_file(path);
#else
	(void)n;
	(void)change_file;
	(void)is_assembler;
#endif
	execvp(argv[1], argv + 1);
	/* As the compiler says it where it starts this by itself. */
	fprintf(stderr, "cannot execute '%s': %s\n", argv[1], strerror(errno));
	return 127;
}
