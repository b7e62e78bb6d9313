/*
 * A map gives each key one number, in the order in which keys come, and keeps
 * a copy of it.
 */
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "tap.h"

static void test_empty(void)
{
	struct map m = { 0 };

	tap_is((long long)m.count, 0, "an empty map has no keys");
	tap_is(map_find(&m, "a", 1), MAP_NONE, "and finds none");
	map_done(&m);
	map_done(&m);
	tap_ok(!m.keys && !m.slots, "done twice is done");
}

static void test_strings(void)
{
	struct map m = { 0 };
	char text[] = "alphabet";

	tap_is(map_add(&m, text, 5), 0, "the first key is 0");
	tap_is(map_add(&m, text, 8), 1, "a longer one is another");
	tap_is(map_add(&m, "", 0), 2, "the empty one is a key, too");
	tap_is(map_add(&m, NULL, 0), 2, "wherever it is");
	tap_is(map_add(&m, "al\0ph", 5), 3, "a zero byte is a byte");
	memset(text, 'x', sizeof(text));
	tap_is(map_add(&m, "alpha", 5), 0, "an old key keeps its number");
	tap_is((long long)m.count, 4, "and is counted once");
	tap_str(map_key(&m, 0), "alpha", "the copy ends in a zero byte");
	tap_str(map_key(&m, 1), "alphabet", "and is the map's own");
	tap_str(map_key(&m, 2), "", "an empty copy, too");
	tap_is(map_find(&m, "alp", 3), MAP_NONE, "a part of a key is none");
	tap_is(map_find(&m, "", 0), 2, "the empty key is found");
	map_done(&m);
}

/* So many that all grows, of all lengths, with others between. */
#define MANY 20000

static size_t key_make(uint64_t key[40], uint64_t i)
{
	memset(key, 0, 40 * sizeof(*key));
	key[0] = i * 64;
	return sizeof(*key) + (size_t)(i % 300);
}

static void test_many(void)
{
	struct map m = { 0 };
	const void *first = NULL;
	long wrong = 0, unaligned = 0;
	uint64_t key[40];

	for (uint64_t i = 0; i < MANY; i++) {
		size_t n = key_make(key, i);

		wrong += map_find(&m, key, n) != MAP_NONE;
		wrong += map_add(&m, key, n) != i;
		if (i == 0)
			first = map_key(&m, 0);
	}
	tap_is(wrong, 0, "%d keys get the numbers 0, 1, 2, ...", MANY);
	tap_ok(map_key(&m, 0) == first, "the first copy stays where it is");
	for (uint64_t i = 0; i < MANY; i++) {
		size_t n = key_make(key, i);

		wrong += map_find(&m, key, n) != i;
		wrong += memcmp(map_key(&m, i), key, n) != 0;
		unaligned += (uintptr_t)map_key(&m, i) %
				     _Alignof(max_align_t) != 0;
	}
	tap_is(wrong, 0, "each is found again");
	tap_is(unaligned, 0, "and its copy is aligned");
	tap_is((long long)m.count, MANY, "none is twice");
	map_done(&m);
}

static void test_large(void)
{
	struct map m = { 0 };
	size_t n = 3u << 20;
	char *key = xcalloc(n, 1);

	key[n - 1] = 1;
	tap_is(map_add(&m, key, n), 0, "a key of 3 MB");
	tap_is(map_add(&m, "a", 1), 1, "a small one behind it");
	tap_is(map_add(&m, key, n), 0, "is found");
	key[0] = 1;
	tap_is(map_find(&m, key, n), MAP_NONE, "another of its length is not");
	free(key);
	map_done(&m);
}

int main(void)
{
	test_empty();
	test_strings();
	test_many();
	test_large();
	return tap_done();
}
