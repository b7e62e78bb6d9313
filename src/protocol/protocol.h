/*
 * protocol: the messages between the interface and a recorder; both ends
 * include this header.
 *
 * A recorder is a child process (gemmviz-emu, gemmviz-gpu, or `--runner`'s
 * command, which may start one on another machine). Its standard input and
 * output carry newline-delimited JSON objects, each of at most
 * PROTOCOL_LINE_MAX bytes; its standard error is kept as the reason when it
 * dies. Every message has a "type". What the interface sends is a job (job.h):
 * a job has an "id", which its answers repeat. > marks what the interface
 * sends, < what the recorder answers.
 *
 *   a recorder's first message:
 *   < {"type":"hello","protocol":1,"program":"gemmviz-emu",
 *      "version":"0.9.0","on":"cpu"}
 *
 *   > {"type":"record","id":1,"kernel":"tiled","m":64,"n":64,"k":64,
 *      "defines":{"TILE":"16"},...}
 *      or, in place of "kernel", a reader's file:
 *      "source":{"file":"x.cu","text":"...","entry":"f",
 *                "headers":{"inc/a.h":"..."},"folders":["inc"]},  see headers.h
 *      The tables of job_fields.c have all members, with their ranges;
 *      gemmviz-protocol(7) is made of them.
 *   < {"type":"progress","id":1,"events":N,"blocks":B,"of":G}   any number
 *   < {"type":"output","id":1,"text":"..."}  of a program, any number
 *   < {"type":"program","id":1,...}       of a program, once; see below
 *   < {"type":"trace","id":1,"bytes":N}  and then N raw bytes of .gvt
 *   or {"type":"error","id":1,"status":2,"message":"..."}
 *
 *   A source with a main() is run as a program, and its launches are recorded,
 *   with "program":{...} in place of "block" and "grid". Messages
 *   "output" bring the lines that it writes while it runs; together they are
 *   the beginning of "output" in the message "program", which says what it did:
 *   "how":"exit"|"signal"|"seconds"|"unplayed"|"deadlock"|"waiting",
 *   "status":S (or the signal),
 *   "seconds":1.5,"at":{"file":F,"line":L}|null,"what":"...","output":"...",
 *   "output_bytes":N,"launch_count":N,"launches":[{"number":1,"device":0,
 *   "kernel":"k","file":F,"line":L,"grid":[..],"block":[..],"shared":N,
 *   "how":"recorded"|"run"|"refused","error":"cudaError..."}],
 *   "problems":[{"kind":"leak"|"times"|"cut"|"discarded"|"texture"|"unchecked"|
 *   "status"|"host-access"|"direction-to"|"direction-from"|"too-large"|"freed"|"free-twice"|
 *   "unallocated"|"unfreed"|"free-other"|"set-host"|"early-read"|"early-write"|
 *   "not-ready"|"streams"|"devices"|"unwritten"|"no-memory"|
 *   "staged"|"stream-device"|"event-device"|"peer-device"|"nccl-mismatch"|
 *   "nccl-alone"|"nccl-missing"|"nccl-init"|"nccl-comm"|"nccl-open"|
 *   "nccl-stream"|"nccl-host"|"nccl-overlap"|"other-device"|
 *   "launch-limit" (its name: "threads"|"bounds"|"shared"|"blockDim.x"|...),
 *   "at":..,"other":..,
 *   "word":"..","name":"..","bytes":N,"room":N,"count":N}],
 *   "traces":[{"launch":1,"bytes":N}]; of a program that is told of several
 *   devices also the order of its work (trace/device_work.h; a device null: the host)
 *   "works":[{"kind":"launch","what":"k","file":F,"line":L,"stream":S,"turn":T,
 *   "device":0,"size":[M,N,K]|null},{"kind":"transfer"|"access",...,"from":0,
 *   "to":1,"bytes":N,"name":"B","group":G}],"works_left_out":N, and what it comes
 *   to: "devices":[{"device":0,"launches":N,"flops":F,"other_launches":N}],
 *   "links":[{"from":0,"to":1,"bytes":N,"transfers":N}]
 *   The trace that follows is all of these, one behind the other; without any,
 *   an error follows.
 *
 *   With "fail":N in "program" its Nth allocation, copy or launch fails.
 *   "program" has "failing":{"calls":N, of which there were,"what":
 *   "cudaMalloc","reason":"out of memory","at":..}.
 *
 *   With "mute":true in "program" its launches succeed and do nothing: what it
 *   prints all the same does not come from kernels. With "unread":true an array
 *   that a kernel stores to and nothing reads is a problem of that name.
 *
 *   With "judge":{"function":"launch","calls":[[{"name":"A","elem":"f32",
 *   "bytes":N,"hex":"..."},{"name":"C","elem":"f32","bytes":N},{"name":"M",
 *   "value":64}],...]} in "program" no main() is called, but this function, with
 *   each list of arguments in turn: a number, or an array of device memory, which
 *   has these contents or has never been written. All launches of the first call
 *   are recorded, and those of others in which something is found. If the text
 *   also has a function "reference", on arrays of double in host memory, it is
 *   called before. "program" then has "judged":[{"seconds":0.2,
 *   "launches":N, made until its end,"outputs":[{"hex":"...", its contents after
 *   the call,"unwritten":"...", a bit for each 4 bytes, as hex, that nothing has
 *   written,"reference":"hex"|null}]}], for each call that came back, and the
 *   problems "host-copy" (data went through the host) and "host-memory".
 *
 *   With "images":true in "program" nothing is recorded, and what follows is no
 *   trace, but what the launches work on: the first of each kernel with its grid
 *   and block. "program" then has "images":[{"launch":1,"count":N, of which
 *   there are,"kernel":"k<16>","text": the file that it stands in,"file":F,
 *   "line":L,"grid":[..],"block":[..],"shared":N,"cluster":[..]|null,
 *   "cooperative":false,"textures":false,"addresses": a pointer to a variable,
 *   "parameters":[{"name":"A","whole":false,"bytes":"hex"}],
 *   "variables":[{"name": as the linker has it,"bytes":N}],
 *   "arrays":[{"bytes":N,"type":"f32","changed":true}],
 *   "pointers":[[0 (a parameter)|1 (an array)|2 (a variable),its index,
 *   offset,array,offset]],"begin":B,"end":E}]
 *   From byte B on stand the contents of the variables and of the arrays before
 *   the launch, then of the arrays that it changed after it.
 *
 *   > {"type":"locals","id":2,"block":B,"thread":T,"first":F,"count":N}
 *      asks for the scalar locals of linear thread T of linear block B, in the
 *      launch recorded last, just before each of its accesses number
 *      F..F+N-1 (its own accesses, including barriers, in program order)
 *   < {"type":"locals","id":2,"first":F,"names":["row","k",...],
 *      "rows":[[5,null,...],...]}   null: the variable is not in scope
 *
 * gemmviz-gpu's hello has "on":"gpu"; it also knows these jobs:
 *
 *   > {"type":"record",...,"optimized":true}      the code of nvcc -O3
 *
 *   > {"type":"time","id":3,
 *      "entrants":[{"kernel":"tiled","defines":{"TILE":"32"}},
 *                  {"source":{...},"block":...,"grid":...},
 *                  {"rival":"cublas-fp32"|"cublas-tf32"|"cublas-fp16"|
 *                   "cublas-bf16"|"cublaslt-fp32"|"cublaslt-fp16"},
 *                  ...],
 *      "sizes":[[M,N,K],...],                64 to 16384 each
 *      "repeat":15,                          samples of each case and size,
 *      "seconds":1.0,                        or so long, whichever comes first
 *      "patience":20.0,                      s; a slower launch hangs
 *      "seed":1,
 *      "tuned":[[...],...]}                  tables, see tuned.h; optional
 *   The answers, each with the "id", sent as things happen:
 *   < {"type":"queue","place":P}            P runs are ahead; 0: the run begins
 *   < {"type":"machine", ...}               see timing.h, once
 *   < {"type":"entrant","entrant":E,"size":S,"state":"checking"|"ready"|
 *      "timed"|"skipped"|"failed","text":"why", ...}  see timing.h
 *   < {"type":"sample","entrant":E,"size":S,"seconds":0.00123}
 *   < {"type":"gauge","clock_mhz":1980,"watts":350.2,"celsius":45} or null
 *   < {"type":"timed"}                      the end
 *
 *   > {"type":"pause","id":4,"paused":true}  the run stops taking samples
 *   > {"type":"cancel","id":5}               the run ends with the samples so
 *      far, with "timed". Neither job is answered, except by an error.
 *
 *   > {"type":"counters","id":6, as "record", or with a "rival",
 *      "optimized":false}
 *   < {"type":"counters","id":6,"counters":{"dram_bytes":N,...}}  see
 *      gpu/race/counters.h; null: that counter is not available. An error says why
 *      no counter is available
 *
 *   > {"type":"calibrate","id":7,
 *      "patterns":[{"space":"shared"|"global"|"ldmatrix","op":"ld"|"st",
 *                   "size":8,"trans":true,"addresses":[32 of bytes or null]},
 *                  ...],                   other members are not looked at
 *      "ways":[{"warps":16,"chained":false},...]}   in which each is measured
 *   < {"type":"progress","id":7,"events":0,"blocks":STEP,"of":STEPS}
 *   < {"type":"calibration","id":7,"machine":{...},          see timing.h
 *      "limits":{"threads":2048,"blocks":32,...},            of an SM
 *      "clock":{"one_sm_mhz":M,"one_sm_mhz_samples":[...],"all_sms_mhz":...},
 *      "launch":{"queued_seconds":..,"waited_seconds":..},
 *      "fetched":[{"offset":8,"cycles":C},...],   of a load from a line that is
 *                                  not in L1, and of a second one behind it
 *      "levels":[{"name":"l2","bytes":N,"of":"gpu"|"sm","cycles":C,"ns":T,
 *                 "bytes_per_second":R,"bulk_bytes_per_second":R},...],
 *      "l1_cycles":[[BYTES,C],...],          of a chain through so many bytes
 *      "patterns":[{"warps":16,"chained":false,"window":131072,
 *                   "cycles":[C,...],"low":[...],"high":[...]}]}
 *   Each figure is a median; its samples stand beside it, as "cycles_samples".
 *   A way's cycles are of one access by one warp, in the order of the patterns;
 *   addresses of shared memory are taken modulo its window.
 *
 *   > {"type":"launches","id":8, as "record" of a program,
 *      "repeat":15,"sample_seconds":1.0}   samples of each launch, or so long
 *      The recorder on the CPU beside gemmviz-gpu runs the program.
 *   < {"type":"progress",...}              blocks: launches that are timed
 *   < {"type":"launches","id":8,"machine":{...},
 *      "program":{...},                    as above, without traces
 *      "launches":[{as an image, without what it is made of,
 *        "samples":[seconds,...],"registers":R,"shared_bytes":S,
 *        "clock_mhz":M,
 *        "elements":N,"differ":N,          of what it has changed, and of these
 *        "error":E,                        what is not as on the CPU; of reals
 *                                          the relative error
 *        "product":null|{"m":M,"n":N,"k":K,"a_by_columns":false,
 *          "b_by_columns":false,"baseline":"cublas-fp32","error":E,
 *          "samples":[...]}}               of cuBLAS, which does the same
 *        or {...,"why":"..."}]}            why it is not timed
 *
 * The interface holds answers to what it asked, and gives up a recorder of
 * another version, one that sends too much and one that does not come to an end
 * (question.h).
 *
 * A recorder exits when its input is closed, and may safely be killed at any
 * moment. An unknown type or member is answered by an error that names it.
 */
#ifndef PROTOCOL_PROTOCOL_H
#define PROTOCOL_PROTOCOL_H

#define PROTOCOL_VERSION 1
#define PROTOCOL_LINE_MAX (16u << 20)
#define PROTOCOL_TRACE_MAX (1ull << 36)

#endif
