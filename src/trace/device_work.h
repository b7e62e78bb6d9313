/*
 * device_work: what a program gave several devices to do, in the order in which it
 * asked for it. A trace of one of its launches holds all of it.
 */
#ifndef TRACE_DEVICE_WORK_H
#define TRACE_DEVICE_WORK_H

#include "base/base.h"

#define DEVICES_MOST 16
/* Among devices: the host; memory that moves by itself counts as its. */
#define WORK_HOST UINT32_MAX

/*
 * launch	a kernel, a library's product or a fill runs on a device
 * transfer	bytes go from one memory to another, or to another place in it
 * access	a kernel uses another device's memory: the bytes there that it
 *		reads, or writes, each counted once
 */
enum work_kind { WORK_LAUNCH, WORK_TRANSFER, WORK_ACCESS, WORK_KINDS };
const char *work_kind_name(enum work_kind k);	/* "launch", ... */
int work_kind_from(const char *word);		/* or -1 */

struct trace_work {
	enum work_kind kind;
	uint32_t device;	/* a launch's; where a transfer goes to */
	uint32_t from;		/* where a transfer comes from */
	/* In which of its device's streams: 0, the default one, or by number
	 * as the program made them. */
	uint32_t stream;
	/* One more than the turn of the last work that it waits for; the first
	 * is 1. What has one turn may be done at once. */
	uint32_t turn;
	/* The transfers of one collective, or of one call that is several, have
	 * one number, from 1 on; 0: a transfer by itself. */
	uint32_t group;
	uint32_t line;		/* of the call; 0: not known */
	uint32_t m, n, k;	/* of a product of matrices; else 0 */
	uint64_t bytes;		/* of a transfer */
	char *what;		/* the kernel; the call: "ncclBroadcast" */
	/* What a transfer fills, as the host calls it; "": it has no name. */
	char *name;
};

/* Checks a piece of work of a trace with `devices` devices. Returns NULL, or
 * words that complete "expected ...". */
const char *trace_work_wrong(const struct trace_work *w, uint32_t devices);
void trace_work_done(struct trace_work *w);
/* Tests whether a transfer comes from the host, or goes there. */
bool trace_work_at_host(const struct trace_work *w);
/* Returns the floating-point operations of a launch; 0 when not known. */
double trace_work_flops(const struct trace_work *w);

#endif
