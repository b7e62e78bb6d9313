/*
 * program_judge: calls a function of a program in place of its main(), with
 * arrays of device memory, and keeps what these hold afterwards, so that
 * another process can compare it (protocol.h, "judge").
 */
#ifndef CUDART_PROGRAM_JUDGE_H
#define CUDART_PROGRAM_JUDGE_H

#include "cudart/program.h"

/* Returns whether the program's job asks for this. */
bool judge_is_on(void);
/* Finds the function, and "reference" if the text has it, once the program is
 * loaded. -1 with e (EXIT_INPUT): there is none that takes the arguments. */
int judge_prepare(struct error *e);
/* Makes all calls; stops after one that spoils the device. Returns the status
 * with which the program ends. */
int judge_run(void);
/* Returns whether a call is made, and whether it is the first, whose costs are
 * counted. */
bool judge_is_calling(void);
bool judge_counts(void);
/* Reports a copy within a call whose data come from the host, into an array of
 * the call, or go to the host; and one that carries data of an array of the call
 * into another, which is a kernel's work. */
void judge_copy(const void *to, const void *from, enum cudaMemcpyKind kind,
		const char *what, struct place at);
/* Reports a function of a library that computes within a call. */
void judge_library(const char *what, struct place at);
/* Reports an allocation within a call that the host can use. */
void judge_host_memory(const char *what, struct place at);
/* Returns the list "judged" of the program's summary. */
json_t *judge_list(void);

#endif
