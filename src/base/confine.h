/*
 * confine: takes rights away from this process, for good: Landlock
 * (landlock(7)) takes files, network and signals, seccomp(2) system calls.
 *
 * The recorder's process is confined by a list of the system calls that it
 * needs (emu/module/filter.h); this file serves it, and the compiler.
 */
#ifndef BASE_CONFINE_H
#define BASE_CONFINE_H

#include "base/base.h"

/* Describes what is in force, for people: "Landlock 7, seccomp". NULL with e
 * (EXIT_REFUSED), which says why, when this system cannot confine a process.
 * The text is static. */
const char *confine_words(struct error *e);

/* A folder that a confined process may use, with everything below it. */
enum confine_right { CONFINE_READ, CONFINE_RUN, CONFINE_WRITE };
struct confine_folder { const char *path; enum confine_right right; };
/* Restricts this process, and those that it starts, to read, start or write
 * only files of these folders (those that do not exist are left out), and to
 * reach neither network nor, where Landlock supports it, other processes. -1
 * with errno. */
int confine_files(const struct confine_folder *folders, size_t count);

/* Returns the bytes of memory that one process may take: `most`, or less where
 * `ulimit -m` (RLIMIT_RSS, which Linux itself does not enforce) is lower. */
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
