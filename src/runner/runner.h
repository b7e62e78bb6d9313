/*
 * runner: the interface's end of the protocol with a recorder.
 *
 * A recorder is a child process (gemmviz-emu, gemmviz-gpu, or `--runner`'s
 * command, which may start one on another machine). Its standard input and
 * output carry newline-delimited JSON objects, each of at most
 * RUNNER_LINE_MAX bytes; its standard error is kept as the reason when it
 * dies. Every message has "type"; requests have "id", answers repeat it.
 *
 *   recorder's first: {"type":"hello","protocol":1,"program":"gemmviz-emu",
 *                      "version":"0.1.0","on":"cpu"}
 *
 *   > {"type":"record","id":1,
 *      "kernel":"tiled"                      a kernel of the table, or
 *      "source":{"file":"x.cu","text":"...","entry":"f"},
 *      "m":64,"n":64,"k":64,"defines":{"TILE":"16"},
 *      "block":[16,16,1],"grid":[4,4,1],     optional; needed with source
 *      "shared_bytes":N,                     of a source's extern __shared__
 *      "problem":"transpose",                what a source computes, optional
 *      "blocks":[[0,0,0],...],"warps":[0,1], optional filters
 *      "spaces":["global","shared","register"],
 *      "values":true,"max_events":N,"seconds":S,
 *      "order":"forward"|"reverse"|"shuffle","seed":1}
 *   < {"type":"progress","id":1,"events":N,"blocks":B,"of":G}   any number
 *   < {"type":"trace","id":1,"bytes":N}  and then N raw bytes of .gvt
 *   or {"type":"error","id":1,"status":2,"message":"..."}
 *
 *   > {"type":"locals","id":2,"block":B,"thread":T,"first":F,"count":N}
 *      of the launch recorded last: what the scalar locals of linear thread
 *      T of linear block B held just before each of its accesses number
 *      F..F+N-1 (its own accesses, barriers counted too, in its own order)
 *   < {"type":"locals","id":2,"first":F,"names":["row","k",...],
 *      "rows":[[5,null,...],...]}   null: not in scope
 *
 * gemmviz-gpu's hello has "on":"gpu"; it knows these too:
 *
 *   > {"type":"record",...,"optimized":true}      what nvcc -O3 makes of it
 *
 *   > {"type":"time","id":3,
 *      "entrants":[{"kernel":"tiled","defines":{"TILE":"32"}},
 *                  {"source":{...},"block":...,"grid":...},
 *                  {"rival":"cublas-fp32"|"cublas-tf32"|"cublas-fp16"|
 *                   "cublas-bf16"},...],
 *      "sizes":[[M,N,K],...],                64 to 16384 each
 *      "repeat":15,                          samples, at the least
 *      "seconds":1.0,                        and for so long, whichever is less
 *      "patience":20.0,                      s; a launch that takes longer hangs
 *      "seed":1,
 *      "tuned":[[...],...]}                  tables: see tuned.h; optional
 *   Answers, each with the "id", as they happen:
 *   < {"type":"queue","place":P}            P runs are before ours; 0: it begins
 *   < {"type":"machine", ...}               see timing.h, once
 *   < {"type":"entrant","entrant":E,"size":S,"state":"checking"|"ready"|
 *      "timed"|"skipped"|"failed","text":"why", ...}  see timing.h
 *   < {"type":"sample","entrant":E,"size":S,"seconds":0.00123}
 *   < {"type":"gauge","clock_mhz":1980,"watts":350.2,"celsius":45}  or null
 *   < {"type":"timed"}                      the end
 *
 *   > {"type":"pause","id":4,"paused":true}  of the run under way: samples stop
 *   > {"type":"cancel","id":5}               it ends with what there is: "timed"
 *      neither is answered, but by an error
 *
 *   > {"type":"counters","id":6, as "record", "optimized":false}
 *   < {"type":"counters","id":6,"counters":{"dram_bytes":N,...}}  see
 *      gpu/counters.h; null: this one cannot be. An error says why none can
 *
 * Closing the recorder's input ends it. An unknown type or member is an
 * error that names it. Killing it at any moment is safe.
 */
#ifndef RUNNER_RUNNER_H
#define RUNNER_RUNNER_H

#include <jansson.h>
#include <sys/types.h>

#include "base/base.h"
#include "trace/trace.h"

#define RUNNER_PROTOCOL 1
#define RUNNER_LINE_MAX (16u << 20)
#define RUNNER_TRACE_MAX (1ull << 36)

struct runner;

/* Starts argv (NULL-terminated); NULL argv: gemmviz-emu beside us. */
struct runner *runner_start(char *const *argv, struct error *e);
/* From now on one that does not work on the "cpu" or the "gpu", as `on` has
 * it, is lost at its hello. NULL: either will do. */
void runner_want(struct runner *r, const char *on);
void runner_free(struct runner *r);	/* kills it if it lives */

/* For poll(): the descriptor to read, and to write while wanted, else -1.
 * Both change from step to step. */
int runner_read_fd(const struct runner *r);
int runner_write_fd(const struct runner *r);
const char *runner_name(const struct runner *r);
/* "cpu" or "gpu", as its hello says; NULL: none was heard yet. */
const char *runner_on(const struct runner *r);
/* What it said last on its standard error, clean; heap or NULL. */
char *runner_words(const struct runner *r);
/* Grows whenever it says anything. */
uint64_t runner_signs(const struct runner *r);
/* Seconds of silence after which it is given up: GEMMVIZ_PATIENCE of the
 * environment (runner_start() fails when that is no number), or these. */
double runner_patience(double otherwise);
/* That it has been silent for so long. */
void runner_silent(const struct runner *r, double seconds, struct error *e);

/* Queues a request (the reference is taken); "id" is set and returned. */
long runner_send(struct runner *r, json_t *request);

enum runner_event_kind {
	RUNNER_NOTHING,		/* wait for more */
	RUNNER_MESSAGE,		/* message holds it; the caller decrefs */
	RUNNER_TRACE,		/* fd: a temporary file that holds it; taken */
	RUNNER_LOST,		/* error says what happened; free it */
};
struct runner_event {
	enum runner_event_kind kind;
	long id;
	json_t *message;
	int fd;
	struct error error;
};
/*
 * Does what can be done without blocking: sends, reads, and returns the next
 * event. A peer that talks nonsense is lost, and stays so. The hello is not
 * handed on. `message` is checked for its members; it may be an "error",
 * whose text is clean. Whether silence has lasted too long is the caller's
 * to say.
 */
void runner_step(struct runner *r, struct runner_event *out);
/* The trace that arrived in fd, which is taken, read whole, since others may
 * have written between its bytes; NULL with e (EXIT_RUNNER): it is none. */
struct trace *runner_trace(const struct runner *r, int fd, struct error *e);
/* Waits for the answer to id (trace or final message), at most `seconds`
 * without a sign of life. For the commands without a screen. */
int runner_wait(struct runner *r, long id, double seconds,
		struct runner_event *out);

#endif
