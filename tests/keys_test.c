/* keys: bytes become events, however they are cut. */
#include "base/base.h"
#include "viz/keys.h"

#include <string.h>

#include "base/lang.h"
#include "tap.h"

/* Events as words, so that a test is one line. */
static void drain(struct keys *k, bool late, struct str *out)
{
	struct event ev;

	while (keys_next(k, late, &ev)) {
		if (ev.key == K_MOUSE)
			str_addf(out, "m%d@%d,%d ", ev.mouse, ev.x, ev.y);
		else if (ev.key >= KEY_BASE)
			str_addf(out, "k%d ", ev.key - KEY_BASE);
		else
			str_addf(out, "%x ", ev.key);
	}
}

static void feed(struct keys *k, const char *bytes, size_t n)
{
	size_t room;
	void *to = keys_room(k, &room);

	memcpy(to, bytes, MIN(n, room));
	keys_got(k, MIN(n, room));
}

/* The same events whether all comes at once or a byte at a time. */
static void gives(const char *bytes, const char *want)
{
	struct keys once = { 0 }, slow = { 0 };
	struct str a = { 0 }, b = { 0 };

	keys_learn(&once, "\033[[A", K_F1);
	keys_learn(&slow, "\033[[A", K_F1);
	keys_learn(&once, "\033~x", K_END);
	keys_learn(&slow, "\033~x", K_END);
	feed(&once, bytes, strlen(bytes));
	drain(&once, false, &a);
	drain(&once, true, &a);
	for (size_t i = 0; i < strlen(bytes); i++) {
		feed(&slow, bytes + i, 1);
		drain(&slow, false, &b);
	}
	drain(&slow, true, &b);
	tap_str(a.data ? a.data : "", want, "%s", want);
	tap_str(b.data ? b.data : "", want, "... a byte at a time");
	str_done(&a);
	str_done(&b);
}

static void test_undecided(void)
{
	struct keys k = { 0 };
	struct event ev;

	feed(&k, "\033", 1);
	tap_ok(!keys_next(&k, false, &ev) && keys_undecided(&k),
	       "an Escape may be the start of something");
	tap_ok(keys_next(&k, true, &ev) && ev.key == K_ESCAPE &&
	       !keys_undecided(&k), "or not, when nothing follows");
	feed(&k, "\xe7\x9f", 2);
	tap_ok(!keys_next(&k, true, &ev) && !keys_undecided(&k),
	       "half a character waits for the rest, without a clock");
}

/* No bytes get it stuck: there is always room, and the end is reached. */
static void test_noise(void)
{
	struct keys k = { 0 };
	struct str out = { 0 };
	uint32_t random = 1;
	bool stuck = false;
	size_t room;

	for (int i = 0; i < 200000; i++) {
		char byte;

		random = random * 1664525 + 1013904223;
		byte = random >> 30 ? "\033[<M;1O\x9b"[random >> 24 & 7]
				    : (char)(random >> 16);
		feed(&k, &byte, 1);
		drain(&k, false, &out);
		keys_room(&k, &room);
		stuck |= room < 128;
	}
	tap_ok(!stuck, "noise never fills the buffer");
	str_done(&out);
}

static void test_names(void)
{
	tap_ok(keys_named("left") == K_LEFT && keys_named("f1") == K_F1,
	       "keys by their names");
	tap_ok(keys_named("space") == ' ' && keys_named("=") == '=' &&
	   keys_named("\xc3\xa9") == 0xe9, "characters");
	tap_ok(keys_named("") == K_NONE && keys_named("xx") == K_NONE &&
	   keys_named(" ") == K_NONE && keys_named("\xc3") == K_NONE &&
	   keys_named("\t") == K_NONE, "what names no key");
}

int main(void)
{
	lang_init(NULL);
	gives("ab", "61 62 ");
	gives("\r\n\t\177\b", "k11 k11 k9 k13 k13 ");
	gives("\xc3\xa9\xe7\x9f\xa9\xf0\x9f\x98\x80", "e9 77e9 1f600 ");
	gives("\033[A\033OB\033[1;5C\033[D", "k1 k2 k4 k3 ");
	gives("\033[H\033OF\033[1~\033[4~\033[5~\033[6;2~\033[3~",
	      "k5 k6 k5 k6 k7 k8 k14 ");
	gives("\033[Z\033OM\033OP\033[11~", "k10 k11 k15 k15 ");
	gives("\033[[A\033~x", "k15 k6 ");
	gives("\033", "k12 ");
	gives("\033\033[A", "k12 k1 ");
	gives("\033q", "k12 71 ");
	gives("\033[A\033", "k1 k12 ");
	gives("\033O", "k12 4f ");
	gives("\033[<0;11;5M\033[<32;12;5M\033[<0;12;5m",
	      "m0@10,4 m2@11,4 m1@11,4 ");
	gives("\033[<64;1;1M\033[<65;1;1M\033[<80;1;1M",
	      "m3@0,0 m4@0,0 m3@0,0 ");
	gives("\033[<2;1;1M\033[<35;1;1M\033[<66;1;1Mz", "7a ");
	gives("\033[<99999999999;0;0M\033[<1Mz", "7a ");
	gives("\033[M !!\033[M#!!z", "m0@0,0 m1@0,0 7a ");
	gives("\033[200~z\033[?1;2cz\033[27;5;9~z", "7a 7a 7a ");
	gives("\033[1\003z", "3 7a ");
	gives("\xff\xfe\x80z\xc3z\xe7\x9fz\xc2\x85z", "7a 7a 7a 7a ");
	test_undecided();
	test_noise();
	test_names();
	return tap_done();
}
