/* doctor: checks what gemmviz needs of this machine. A check is a line of text,
 * with advice where something does not work, and a JSON object. */
#ifndef CLI_DOCTOR_H
#define CLI_DOCTOR_H

#include <stdbool.h>

enum doctor_state {
	DOCTOR_WORKS,
	DOCTOR_ABSENT,		/* it is not here, and need not be */
	DOCTOR_FAILS,		/* it is needed, or was asked for */
};

struct doctor_check {
	const char *name;	/* N_() */
	enum doctor_state state;
	char *text;		/* what it is, or what is wrong; heap */
	const char *advice;	/* N_(): what to do; or NULL */
};

/* Checks the NVIDIA driver, its GPUs, and whether it lets ordinary users read
 * the hardware's counters, from the files below `proc` (/proc/driver except in
 * tests). */
void doctor_driver(const char *proc, struct doctor_check *driver,
		   struct doctor_check *gpu, struct doctor_check *counters);

/* Checks for the tools that compile and read machine code. */
struct doctor_check doctor_machine(void);

#endif
