/*
 * doctor: what of this machine gemmviz needs, and whether it works. A check is
 * a line for people, with what to do where something does not work, and an
 * object for programs.
 */
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

/* The NVIDIA driver, its GPUs, and whether it lets ordinary users read the
 * hardware's counters, from the files below `proc`, which is /proc/driver but
 * in tests. */
void doctor_driver(const char *proc, struct doctor_check *driver,
		   struct doctor_check *gpu, struct doctor_check *counters);

#endif
