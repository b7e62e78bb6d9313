/*
 * compile: compiles a kernel's text to a shared object with the host's C++
 * compiler.
 */
#ifndef EMU_MODULE_COMPILE_H
#define EMU_MODULE_COMPILE_H

#include "base/base.h"
#include "protocol/job.h"

/* A kernel; or a program, compiled for the host or for the recorder. */
enum compile_how { COMPILE_KERNEL, COMPILE_HOST, COMPILE_RECORDER };

struct symbols;

struct compile_job {
	enum compile_how how;
	const struct job_program *program;
	struct symbols *symbols;	/* filled in by module_compile() */
	/* Finds the program's file and line in which a word first stands, for
	 * messages; false: in none. NULL: a kernel, which has no such files. */
	bool (*find_word)(const char *word, size_t length, const char **file,
			  uint32_t *line);
	uint32_t arch;		/* 90: sm_90 */
	const char *name;	/* the file's, for messages */
	const char *text;
	size_t length;
	const struct trace_define *defines;
	size_t define_count;
	/* See protocol/headers.h. */
	const struct job_defines *headers, *folders, *outside;
	bool unconfined;	/* the compiler may do what the user may */
	bool no_store;		/* compile anew, and store nothing */
};

/*
 * Compiles a text and returns an open descriptor of the object. -1 with e;
 * EXIT_INPUT: the compiler's first error, with its line. Headers that are
 * missing or have errors are left out and added to left_out: with the line that
 * includes them (0: unknown), or "!" and their first error. All temporary files
 * are removed when it returns, and also if this process is killed meanwhile.
 */
int compile_text(const struct compile_job *job, struct job_defines *left_out,
		 struct error *e);

#endif
