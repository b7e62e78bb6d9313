/*
 * compile_said: what the compiler says of a reader's text, as an error that
 * the reader can follow. For compile.c.
 */
#ifndef EMU_COMPILE_SAID_H
#define EMU_COMPILE_SAID_H

#include "emu/compile.h"

/* What the text is called here: no header of the reader's. */
#define OWN_NAME ".gemmviz.cu"
/* Seconds of processor time for one run of the compiler. */
#define COMPILE_FILE (256ull << 20)
#define COMPILE_SECONDS 60
/* Bytes of addresses that it may take. */
#define COMPILE_MEMORY (4ull << 30)
/* The exit status of one that was ended by a signal: by its limit of time, or
 * by another one. */
#define STATUS_LATE 124
#define STATUS_CRASH 122
/* ... and of one that tried what it may not do, which a line of its messages
 * names after these words. */
#define STATUS_REFUSED 121
#define TRIED "gemmviz refused: "
/* Of headers that were left out the reader learns by these words. */
#define LEFT_OUT "gemmviz left out: "
#define LEFT_OUT_WHY "gemmviz because: "

/* A message's place, and what stands behind it; false: it is no message. */
bool said_message(const char *line, char file[256], unsigned *number,
		  const char **rest);
/* Headers that were left out, with the line of the text that includes them, 0,
 * or "!" and their error. Returns what was said behind them. */
char *said_left_out(char *said, struct job_defines *left_out);
/* How the compiler ended: its exit status, or one of these: 125 where the system
 * call that failed set errno to `problem`. */
struct compile_end { int status, problem; };
/* Sets e to the reason why a text was not compiled, from how the compiler ended
 * and what it printed, which is changed. */
void said_failed(const struct compile_job *job, struct compile_end end,
		 char *said, const struct job_defines *left_out,
		 struct error *e);

#endif
