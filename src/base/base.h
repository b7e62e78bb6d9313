/*
 * base: what every layer uses: failures, memory, growing text, files.
 *
 * There are three kinds of failure. An impossible state, or lack of memory:
 * fatal(), which restores the terminal and exits with EXIT_BUG. Bad input from
 * the user, or bad data in a file or message: the function returns -1 (or NULL)
 * and fills in a struct error, one line for the user, without a newline. A
 * value that is not available: NA, never 0.
 */
#ifndef BASE_BASE_H
#define BASE_BASE_H

#include <dirent.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* The program's exit statuses; 128 + n is death by signal n. */
enum exit_status {
	EXIT_DONE = 0,
	EXIT_CHECK = 1,		/* a check failed (a finding, an expectation) */
	EXIT_USAGE = 2,
	EXIT_INPUT = 3,		/* a file is unreadable or malformed */
	EXIT_TERMINAL = 4,	/* no usable terminal */
	EXIT_RUNNER = 5,	/* the recorder failed or was lost */
	EXIT_GPU = 6,		/* no GPU */
	EXIT_OUTPUT = 7,	/* output could not be written */
	EXIT_REFUSED = 8,	/* a file tried what it may not do */
	EXIT_BUG = 70,
};

/* "Not available" for counts; prints as n/a and becomes null in JSON. */
#define NA (-1)

#define LENGTH(a) (sizeof(a) / sizeof((a)[0]))
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
/* A function that is compiled for machines with wider vectors as well; which one
 * runs must make no difference to what it computes. */
#if defined(__x86_64__) && defined(__gnu_linux__)
#define WIDE_VECTORS \
	__attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define WIDE_VECTORS
#endif
#define PRINTF(f, a) __attribute__((format(printf, f, a)))

/* A message of one line for the user; status is the exit status that it leads
 * to. */
struct error {
	enum exit_status status;
	char text[600];
};

/* Sets the message (formatted in the language in use, cut to fit) and returns
 * -1. e may be NULL. */
int error_set(struct error *e, enum exit_status status, const char *fmt, ...)
	PRINTF(3, 4);

/* Called once by fatal() before it prints, to restore the terminal. */
extern void (*fatal_restore)(void);
_Noreturn void fatal(const char *fmt, ...) PRINTF(1, 2);

/* Allocate as malloc() and its relatives do; end the program with fatal() when
 * memory runs out. */
void *xmalloc(size_t size);
void *xcalloc(size_t count, size_t size);
void *xrealloc(void *p, size_t count, size_t size);
char *xstrdup(const char *s);
char *xstrndup(const char *s, size_t n);
char *xasprintf(const char *fmt, ...) PRINTF(1, 2);
/* Open a folder's entries, as opendir() and fdopendir() do: NULL with errno, but
 * fatal() when memory runs out. */
DIR *xopendir(const char *path);
DIR *xfdopendir(int fd);

/* Grows the heap array *p of elements of `size` bytes so that it holds at least
 * `need` elements, and updates *capacity. New elements are not cleared. */
void grow(void *p, size_t *capacity, size_t need, size_t size);

/* Text that grows. data, once allocated, is always NUL-terminated; {0} is an
 * empty text. */
struct str {
	char *data;
	size_t len, capacity;
};

void str_add(struct str *s, const char *text);
void str_addn(struct str *s, const char *text, size_t n);
void str_addc(struct str *s, char c);
void str_addf(struct str *s, const char *fmt, ...) PRINTF(2, 3);
void str_clear(struct str *s);
/* Returns the text (never NULL), which the caller then owns, and leaves the str
 * empty. */
char *str_take(struct str *s);
void str_done(struct str *s);

/*
 * Reads a whole regular file of at most `limit` bytes; the result has a NUL
 * after its *len bytes. Otherwise NULL with EXIT_INPUT and a message that names
 * the path.
 */
char *file_read(const char *path, size_t limit, size_t *len, struct error *e);
/* Reads the standard input to its end, in the same way, at the first call; later
 * calls return a copy of what was read. Messages call it `name`. */
char *file_read_input(const char *name, size_t limit, size_t *len,
		      struct error *e);
/* Opens a file in the open folder or below it to read it: no symbolic link, ".."
 * or "/" leads out (EXDEV). Returns a descriptor, or -1 with errno. */
int file_open_below(int folder, const char *name);
/* Reads the file NAME of a folder, which is "" or ends with a slash, like
 * file_read(); a file that is not below the folder is an error
 * (EXIT_REFUSED). */
char *file_read_below(const char *folder, const char *name, size_t limit,
		      size_t *len, struct error *e);
/*
 * Finds a regular file and sets *real to its path without symbolic links, heap.
 * Returns a descriptor (O_PATH) that stands for the file, or -1. The path is
 * that of the descriptor, so that nobody can change a link between the check of
 * the path and file_read_place(). Until then nothing is opened.
 */
int file_place(const char *path, char **real);
/* Reads the file of such a descriptor, as file_read() does. */
char *file_read_place(int place, const char *path, size_t limit, size_t *len,
		      struct error *e);
/* Returns whether the path is below the folder; both are absolute and without
 * links. */
bool file_is_below(const char *path, const char *folder);
/* Reads like file_read() a text that somebody has written, on whatever system: without the
 * mark that some editors put first, and with lines that end in "\n". */
char *file_read_text(const char *path, size_t limit, size_t *len,
		     struct error *e);

/* What follows the last '/' of a path; all of it where there is none. */
const char *file_base(const char *path);

/*
 * An output file that appears whole or not at all: it is written beside its
 * final place, synced, and renamed. Without force an existing file is an error
 * (EXIT_USAGE), as is a path of "". Write errors have EXIT_OUTPUT. The path "-" is standard output;
 * a device or a pipe is written in place. A file that is not committed is
 * abandoned.
 */
struct file_out {
	int fd;
	char *path, *temporary;
	bool force;
};
int file_out_open(struct file_out *f, const char *path, bool force,
		  struct error *e);
int file_out_commit(struct file_out *f, struct error *e);
void file_out_abandon(struct file_out *f);
/* Writes text to such a file. */
int file_out_text(const char *path, const char *text, bool force,
		  struct error *e);
/* Writes the file like file_out_text() with force, and makes the folders above
 * it that are missing. */
int file_write(const char *path, const char *text, struct error *e);

/* Calls write() until all bytes are written; otherwise -1 with errno. */
int write_all(int fd, const void *data, size_t n);

/* Opens /dev/null for each of the three standard descriptors that is closed, so
 * that no file that is opened later is taken for one of them. Writing to a
 * standard output that was closed still fails (EBADF). */
void standard_streams(void);
/* Opens an unlinked temporary file; -1 on failure. */
int temporary_file(struct error *e);
/* Checks that the file system of this temporary file has room for `bytes`; -1
 * with e (EXIT_OUTPUT) if not. */
int temporary_room(int fd, uint64_t bytes, struct error *e);

/* Finds the name most similar to `word` among `count` names; NULL when none is
 * similar enough. */
const char *nearest_name(const char *word, const char *const *names,
			 size_t count);
/* Returns the names as "a, b, c"; heap. */
char *join_names(const char *const *names, size_t count);

/* Parses a decimal integer in lowest..highest; false for anything else (a sign,
 * a space, letters after it, overflow). */
bool parse_int(const char *text, long lowest, long highest, long *value);

/* Compares two doubles, neither of them NaN, for qsort(): ascending. */
int double_order(const void *a, const void *b);

/* Returns the seconds since an arbitrary moment, on a monotonic clock. */
double seconds_now(void);

/* Returns the 64-bit FNV-1a hash of n bytes. */
uint64_t hash_bytes(const void *data, size_t n);
/* Returns the nth number of the splitmix64 stream with this seed. */
uint64_t random_at(uint64_t seed, uint64_t n);

/*
 * Where the program's files are: in the build and source tree when the
 * executable runs from its build tree, else under its installation prefix
 * (found relative to the executable, so that a moved tree works).
 */
struct paths {
	char *lessons;		/* lessons/NAME.md, lessons/LANG/NAME.md */
	char *kernels;		/* source text of the kernels, NAME.cu */
	char *modules;		/* kernels built for the CPU recorder */
	char *cuda;		/* folder of CUDA's headers for the host */
	char *locale;		/* gettext catalogues */
	char *data;		/* recorded measurements */
	char *terminfo;		/* of terminals that the system does not know;
				   only a wheel has it */
	char *emu;		/* the gemmviz-emu executable */
	char *assembler;	/* gemmviz-as, which g++ starts */
	char *web;		/* the program for a page, not made everywhere */
	char *gpu;		/* gemmviz-gpu, not built everywhere */
	char *machine;		/* gemmviz-machine, which compiles */
};
const struct paths *paths(void);

#endif
