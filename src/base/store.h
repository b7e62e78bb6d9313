/*
 * store: files that can be made again, kept in the user's cache folder.
 *
 * A store is one flat folder, $XDG_CACHE_HOME/gemmviz/NAME (by default
 * ~/.cache/gemmviz/NAME). It is used only if the caller owns it and nobody else
 * may enter it. Each file is named by its key and appears whole or not at all,
 * so that several processes may use a store at once. A store that is full loses
 * the files that were used longest ago.
 */
#ifndef BASE_STORE_H
#define BASE_STORE_H

#include "base/base.h"

/* The store of compiled kernels: its name and the most bytes that it takes. */
#define STORE_KERNELS "kernels"
#define STORE_KERNELS_BYTES (500ull << 20)

struct store {
	int folder;	/* a descriptor, -1: not open */
	uint64_t most;	/* bytes of all files together */
};

/* Returns the path of the store `name` as people should read it (heap), or NULL
 * with e if the environment names no cache folder. */
char *store_path(const char *name, struct error *e);
/*
 * Opens the store `name`. If it does not exist, it is made if `make` is set.
 * Returns -1 with e if there is no store, or if it must not be used: somebody
 * else owns it or may enter it, or it is not a folder.
 */
int store_open(struct store *s, const char *name, uint64_t most, bool make,
	       struct error *e);
void store_close(struct store *s);

/* Opens the file of a key for reading and marks it as used now. Returns -1 if
 * the store has no such file, or one that somebody else could have written. */
int store_find(const struct store *s, const char *key);
/*
 * Stores `bytes` of `data` under a key, and removes the oldest files so that no
 * more than `most` bytes are left. Returns -1 with errno if the file was not
 * stored; nothing is left over then. A key that is there already keeps its file.
 */
int store_put(const struct store *s, const char *key, const void *data,
	      size_t bytes);
/* Removes the file of a key, if there is one. */
void store_drop(const struct store *s, const char *key);

struct store_size {
	size_t files;
	uint64_t bytes;
};
/* Returns how much is in the store. */
struct store_size store_measure(const struct store *s);

#endif
