/*
 * confine: what a process may do is taken away from it, for good: Landlock
 * (landlock(7)) takes files, network and signals, seccomp(2) system calls.
 *
 * The recorder's process is confined by a list of the system calls that it
 * needs (emu/filter.h); what is here serves it, and the compiler.
 */
#ifndef BASE_CONFINE_H
#define BASE_CONFINE_H

#include "base/base.h"

/* What is in force, as words for people: "Landlock 7, seccomp"; NULL with e
 * (EXIT_REFUSED): this system cannot confine a process, and why. Static. */
const char *confine_words(struct error *e);

/* A folder that a confined process may use, with everything below it. */
enum confine_right { CONFINE_READ, CONFINE_RUN, CONFINE_WRITE };
struct confine_folder { const char *path; enum confine_right right; };
/*
 * From now on this process, and those that it starts, read, start or write only
 * files of these folders (those that do not exist are left out), and reach
 * neither network nor, where Landlock knows how, other processes. -1 with
 * errno.
 */
int confine_files(const struct confine_folder *folders, size_t count);

/* The bytes of memory that one may take: at most that many, and no more than
 * `ulimit -m` (RLIMIT_RSS, which Linux itself does not hold anything to) says. */
uint64_t confine_memory(uint64_t most);
/* Returns the bytes that a file may grow to: `most`, or less where `ulimit -f`
 * is in force. */
uint64_t confine_file(uint64_t most);
/* Returns the bytes of addresses that a process may take: `most`, or less where
 * `ulimit -v` or `ulimit -d` is in force. */
uint64_t confine_addresses(uint64_t most);
/* Returns the seconds of processor time that a process may take: `most`, or less
 * where `ulimit -t` is in force. */
uint64_t confine_seconds(uint64_t most);
/* Limits of what a process may use; 0: none of that. */
struct confine_limits { uint64_t memory, file_bytes, cpu_seconds, files; };
void confine_limit(const struct confine_limits *l);

#endif
