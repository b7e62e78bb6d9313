/*
 * The interface in a storm: at random its terminal is made of another size,
 * which may be 1x1 or far too large, keys are pressed and the mouse is used.
 * However it ends, it does so with status 0, and leaves the terminal as it was.
 *
 * As a test it takes a few thousand steps; STORM_STEPS=10000 and STORM_SEED=N
 * take more, and others.
 */
#include <config.h>

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pty.h"
#include "tap.h"

#define GEMMVIZ ABS_BUILDDIR "/gemmviz"
#define STEPS 1500
/* What is kept of the output: the modes at first, and what follows. */
#define KEPT_BYTES (1u << 20)

static const char *const commands[][6] = {
	{ GEMMVIZ },
	{ GEMMVIZ, "view", "sgemm" },
	{ GEMMVIZ, "view", "tiled_bt", "tiled_bt_pad" },
	{ GEMMVIZ, "--lesson", "tiling" },
	{ GEMMVIZ, "--lesson", "coalescing", "--presenter" },
	{ GEMMVIZ, "drill", "sectors" },
	{ GEMMVIZ, "race", "--from", ABS_SRCDIR "/tests/race.json" },
	{ GEMMVIZ, "view", "hgemm", "--lang", "zh" },
};

/* What is pressed; not what ends, stops or saves. */
static const char *const keys[] = {
	"l", "h", "j", "k", "n", "N", "p", "g", "G", "v", "b", "w", "W", "e",
	"t", "r", "i", "m", "o", "x", "z", "1", "2", "3", "4", "5", "+", "-",
	"?", "/", "\t", "\n", " ", "\033", "\033OA", "\033OB", "\033OC",
	"\033OD", "\033[5~", "\033[6~", "\033[H", "\033[F", "\033[<0;10;5M",
	"\033[<65;200;99M", "\033[<0;65535;65535M", "\033[200~x\033[201~",
	"\xe7\x9f\xa9", "\xff",
};

static uint64_t seed = 1, drawn;

static uint64_t dice(uint64_t sides)
{
	return random_at(seed, drawn++) % sides;
}

static void resize(struct pty *p)
{
	switch (dice(8)) {
	case 0:
		pty_resize(p, (int)dice(6), (int)dice(4));
		break;
	case 1:
		pty_resize(p, 1 + (int)dice(1000), 1 + (int)dice(400));
		break;
	case 2:
		pty_resize(p, dice(2) ? 65535 : 1, dice(2) ? 65535 : 1);
		break;
	default:
		pty_resize(p, 20 + (int)dice(160), 5 + (int)dice(60));
	}
}

/* Until the program sends nothing more, or for a short while. */
static void drain(struct pty *p, size_t from)
{
	size_t before;

	int ms = dice(12) ? 2 : 40;

	for (int i = 0; i < 10; i++) {
		before = p->out.len;
		pty_read(p, ms);
		if (p->out.len == before)
			break;
	}
	if (p->out.len > from + KEPT_BYTES) {
		p->out.len = from;
		p->out.data[from] = '\0';
	}
}

/* How it ended: NULL, or what is wrong. */
static const char *ending(struct pty *p)
{
	static char words[64];
	struct pty_report r;

	if (!pty_wait(p, &r))
		return "it does not end";
	pty_read(p, 20);
	if (WIFSIGNALED(r.status) || WEXITSTATUS(r.status)) {
		snprintf(words, sizeof(words), "status %#x",
			 (unsigned)r.status);
		return words;
	}
	return pty_not_restored(p);
}

static void storm(const char *const *argv, long steps)
{
	static const char *const env[] = { "GEMMVIZ_MOTION=on", NULL };
	const char *wrong = NULL;
	struct pty p;
	size_t begun;
	long step = 0;

	pty_start(&p, argv, env, 80, 24);
	pty_wait_for(&p, 0, "\033[?1006h");
	begun = p.out.len;
	for (; step < steps && kill(p.job, 0) == 0; step++) {
		if (dice(3))
			resize(&p);
		if (dice(3))
			pty_send(&p, keys[dice(LENGTH(keys))]);
		drain(&p, begun);
	}
	/* Some key may have ended it, which is well; if not, whatever is open,
	 * Escape and q lead out. */
	pty_resize(&p, 80, 24);
	for (int i = 0; i < 12 && kill(p.job, 0) == 0; i++) {
		pty_send(&p, i % 2 ? "q" : "\033");
		pty_read(&p, 100);
	}
	wrong = ending(&p);
	tap_ok(!wrong, "%s %s: %ld steps%s%s", argv[1] ? argv[1] : "gemmviz",
	       argv[1] ? argv[2] : "", step, wrong ? ": " : "",
	       wrong ? wrong : "");
	pty_done(&p);
}

static long number(const char *name, long otherwise)
{
	const char *text = getenv(name);
	long v;

	return text && parse_int(text, 0, 1 << 30, &v) ? v : otherwise;
}

int main(void)
{
	char folder[] = "/tmp/gemmviz-storm-XXXXXX";
	long steps = number("STORM_STEPS", STEPS);

	seed = (uint64_t)number("STORM_SEED", 1);
	if (!mkdtemp(folder) || chdir(folder))
		fatal("%s", folder);
	for (size_t i = 0; i < LENGTH(commands); i++)
		storm(commands[i], steps / (long)LENGTH(commands));
	tap_ok(rmdir(folder) == 0, "nothing was written");
	return tap_done();
}
