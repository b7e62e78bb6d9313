/*
 * compile_said: turns the compiler's messages about a user's text into an error
 * that the user can act on. For compile.c.
 */
#ifndef EMU_MODULE_COMPILE_SAID_H
#define EMU_MODULE_COMPILE_SAID_H

#include "emu/module/compile.h"

/* The text's name while it is compiled, which no header of the user's has. */
#define OWN_NAME ".gemmviz.cu"
/* The largest file that the compiler may write, in bytes. */
#define COMPILE_FILE (256ull << 20)
/* Seconds of processor time for one run of the compiler. */
#define COMPILE_SECONDS 60
/* Bytes of address space that it may use. */
#define COMPILE_MEMORY (4ull << 30)
/* Exit statuses of a compiler that was ended by a signal: by its time limit, or
 * by another signal. */
#define STATUS_LATE 124
#define STATUS_CRASH 122
/* The exit status of one that made a forbidden system call, which a line of its
 * messages names after TRIED. */
#define STATUS_REFUSED 121
#define TRIED "gemmviz refused: "
/* Lines in the messages that begin with these words name a header that was left
 * out, and the reason. */
#define LEFT_OUT "gemmviz left out: "
#define LEFT_OUT_WHY "gemmviz because: "

/* Parses a compiler message "file:line:column: rest". Sets the file's name, the
 * line and what follows; returns false if it is no message. */
bool said_message(const char *line, char file[256], unsigned *number,
		  const char **rest);
/* Adds to left_out the headers that the LEFT_OUT lines in the messages name,
 * each with the line of the text that includes it, 0, or "!" and its error.
 * Returns the messages after these lines. */
char *said_left_out(char *said, struct job_defines *left_out);
/* Sets e: there is no compiler of this name. */
void said_no_compiler(const char *name, struct error *e);
/* How the compiler ended: its exit status, or a status of ours. 125: a system
 * call failed with the errno `problem`. */
struct compile_end { int status, problem; };
/* Sets e to the reason why a text was not compiled, from how the compiler ended
 * and what it printed, which is changed. */
void said_failed(const struct compile_job *job, struct compile_end end,
		 char *said, const struct job_defines *left_out,
		 struct error *e);

#endif
