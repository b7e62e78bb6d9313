/* A class's files: thirty people at once, damaged lines, a folder that is
 * away, a disk that is full. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "reader/class.h"
#include "tap.h"

#define PEOPLE 30
#define ANSWERS 20

static char dir[] = "/tmp/gemmviz-class-XXXXXX";

static void append(const char *path, const char *text)
{
	FILE *f = fopen(path, "a");

	if (!f || fputs(text, f) < 0 || fclose(f))
		fatal("%s: %m", path);
}

/* Each person has a state folder of their own. */
static void be(int person)
{
	char *state = xasprintf("%s/state-%d", dir, person);

	setenv("XDG_STATE_HOME", state, 1);
	free(state);
}

static int answer(struct class_member *m, int step, const char *text,
		  struct error *e)
{
	struct class_event ev = { .lesson = "tiling", .step = step, .steps = 8,
				  .question = 1, .answered = true,
				  .right = !strcmp(text, "4") };

	snprintf(ev.answer, sizeof(ev.answer), "%s", text);
	return class_note(m, &ev, e) || class_send(m, e) ? -1 : 0;
}

static void test_names(void)
{
	tap_ok(class_name_valid("monday-2_B"), "a name");
	tap_ok(!class_name_valid("a/b") && !class_name_valid("..") &&
	       !class_name_valid("a.b") && !class_name_valid("") &&
	       !class_name_valid("a b") && !class_name_valid("\xc3\xa9"),
	       "no slashes, dots, or nothing");
}

static void test_lines(void)
{
	struct class_event ev = { .who = "calm-otter-1", .lesson = "tiling",
				  .answer = "\"4\"\n", .n = 3, .step = 2,
				  .steps = 8, .question = 1, .answered = true,
				  .right = true }, got;
	static const char *const bad[] = {
		"", "{", "[]", "{\"v\":1}", "{\"v\":2,\"who\":\"a\",\"n\":1,"
		"\"lesson\":\"b\",\"step\":1,\"steps\":1}",
		"{\"v\":1,\"who\":\"../a\",\"n\":1,\"lesson\":\"b\",\"step\":1,"
		"\"steps\":1}",
		"{\"v\":1,\"who\":\"a\",\"n\":1,\"lesson\":\"b\",\"step\":1,"
		"\"steps\":1,\"answer\":4}",
		"{\"v\":1,\"who\":\"a\",\"n\":0,\"lesson\":\"b\",\"step\":1,"
		"\"steps\":1}",
	};
	char *line = class_event_line(&ev);

	tap_ok(class_event_read(line, strlen(line) - 1, &got) &&
	       !memcmp(got.who, ev.who, sizeof(ev.who)) &&
	       !strcmp(got.answer, ev.answer) && got.n == 3 && got.right,
	       "an event is what its line says");
	tap_ok(strchr(line, '\n')[1] == 0, "... which is one line");
	free(line);
	for (size_t i = 0; i < LENGTH(bad); i++)
		tap_ok(!class_event_read(bad[i], strlen(bad[i]), &got),
		       "no event: %s", bad[i]);
}

/* One of thirty, in two programs at once. */
static void take_part(int person)
{
	struct class_member m;
	struct error e;

	be(person);
	if (class_join(&m, dir, "full", &e))
		_exit(1);
	for (int i = 0; i < ANSWERS; i++)
		if (answer(&m, i + 1, person % 3 ? "4" : "16", &e))
			_exit(1);
	_exit(0);
}

static void test_thirty(void)
{
	struct class_room room;
	struct class_poll poll;
	struct error e;
	int bad = 0, status;

	tap_ok(!class_start(dir, "full", &e), "a class begins");
	tap_ok(class_start(dir, "full", &e) && e.status == EXIT_USAGE,
	       "... once");
	for (int i = 0; i < PEOPLE; i++)
		if (!fork())
			take_part(i);
	while (wait(&status) > 0)
		bad += status != 0;
	tap_ok(!bad, "thirty people answer at once");
	tap_ok(!class_read(&room, dir, "full", &e) && !room.damaged &&
	       room.person_count == PEOPLE &&
	       room.event_count == PEOPLE * ANSWERS,
	       "... and nothing is lost or mixed");
	tap_is(class_at(&room, "tiling", ANSWERS), PEOPLE, "where they are");
	class_poll(&room, &poll);
	tap_ok(poll.step == ANSWERS && poll.answer_count == 2 &&
	       poll.answers[0].count + poll.answers[1].count == PEOPLE,
	       "what they answer to the latest question");
	for (int i = 0; i < 2; i++)
		tap_is(poll.answers[i].count,
		       poll.answers[i].right ? PEOPLE * 2 / 3 : PEOPLE / 3,
		       "... how often %s", poll.answers[i].text);
	class_room_done(&room);
}

static void test_twice(void)
{
	struct class_member a, b;
	struct class_room room;
	struct error e;

	be(100);
	class_start(dir, "twice", &e);
	class_join(&a, dir, "twice", &e);
	answer(&a, 1, "16", &e);
	class_join(&b, dir, "twice", &e);
	answer(&b, 1, "4", &e);
	answer(&a, 2, "4", &e);
	class_read(&room, dir, "twice", &e);
	tap_ok(room.person_count == 1 && room.event_count == 3,
	       "two programs of one person are one person");
	class_room_done(&room);
	class_leave(&a);
	class_leave(&b);
}

static void test_away(void)
{
	char *there = xasprintf("%s/away", dir), *aside = xasprintf("%s/aside",
								    dir);
	struct class_member m;
	struct class_room room;
	struct error e;

	be(101);
	class_start(dir, "away", &e);
	class_join(&m, dir, "away", &e);
	tap_ok(!answer(&m, 1, "4", &e), "an answer");
	rename(there, aside);
	tap_ok(answer(&m, 2, "16", &e),
	       "the folder goes away: a word is said");
	rename(aside, there);
	tap_ok(!answer(&m, 2, "4", &e), "... it comes back");
	class_read(&room, dir, "away", &e);
	tap_ok(room.event_count == 3 && !room.damaged, "... nothing is lost");
	class_room_done(&room);
	unlink(m.file);
	tap_ok(!class_send(&m, &e), "a file that was taken away");
	class_read(&room, dir, "away", &e);
	tap_is(room.event_count, 3, "... is made again");
	class_room_done(&room);
	class_leave(&m);
	free(there);
	free(aside);
}

/* A limit on what a file may hold stands for the disk that is full in the
 * middle of a line: the class's file is made longer than the log, then cut. */
static void test_full(void)
{
	struct class_member m;
	struct class_room room;
	struct rlimit limit;
	struct stat s;
	struct error e;
	pid_t child;
	int status;

	be(102);
	class_start(dir, "disk", &e);
	class_join(&m, dir, "disk", &e);
	answer(&m, 1, "4", &e);
	stat(m.file, &s);
	child = fork();
	if (!child) {
		signal(SIGXFSZ, SIG_IGN);
		getrlimit(RLIMIT_FSIZE, &limit);
		limit.rlim_cur = (rlim_t)s.st_size + 20;
		setrlimit(RLIMIT_FSIZE, &limit);
		_exit(answer(&m, 2, "16", &e) ? 0 : 1);
	}
	waitpid(child, &status, 0);
	tap_ok(!status, "a full disk is said");
	tap_ok(!answer(&m, 2, "4", &e), "... there is room again");
	class_read(&room, dir, "disk", &e);
	tap_ok(!room.damaged && room.event_count == 2 &&
	       room.events[1].right, "... and no line is broken");
	class_room_done(&room);
	/* The class's disk alone: half a line arrives there. */
	if (truncate(m.file, s.st_size + 9))
		fatal("%s: %m", m.file);
	class_read(&room, dir, "disk", &e);
	tap_ok(!room.damaged && room.event_count == 1,
	       "a line that is being written is left for later");
	class_room_done(&room);
	class_send(&m, &e);
	class_read(&room, dir, "disk", &e);
	tap_is(room.event_count, 2, "... and completed");
	class_room_done(&room);
	class_leave(&m);
}

static void test_damaged(void)
{
	char *path = xasprintf("%s/twice/x.jsonl", dir);
	struct class_room room;
	struct error e;

	append(path, "what is this\n");
	append(path, "{\"v\":1,\"who\":\"x\",\"n\":1,\"lesson\":\"tiling\","
	       "\"step\":2,\"steps\":8}\n\0");
	append(path, "{\"v\":1,\"who\":\"y\",\"n\":2,\"lesson\":\"tiling\","
	       "\"step\":3,\"steps\":8}\n");
	class_read(&room, dir, "twice", &e);
	tap_is(room.damaged, 2, "damaged lines, and those of others, are counted");
	tap_ok(room.person_count == 2 && room.event_count == 4,
	       "... and all else is read");
	class_room_done(&room);
	tap_ok(class_read(&room, dir, "nobody", &e) && e.status == EXIT_INPUT,
	       "a class that there is not");
	free(path);
}

static void test_collect(void)
{
	struct class_event ev = { .who = "far-away-1", .lesson = "tiling",
				  .step = 1, .steps = 8, .n = 1 };
	struct class_room room;
	struct error e;

	class_start(dir, "far", &e);
	for (int twice = 0; twice < 2; twice++)
		for (ev.n = 1; ev.n <= 3; ev.n++)
			class_collect(dir, "far", &ev, &e);
	class_read(&room, dir, "far", &e);
	tap_is(room.event_count, 3, "what is collected twice is there once");
	class_room_done(&room);
}

int main(void)
{
	char *clean;

	if (!mkdtemp(dir))
		fatal("%s: %m", dir);
	test_names();
	test_lines();
	test_thirty();
	test_twice();
	test_away();
	test_full();
	test_damaged();
	test_collect();
	clean = xasprintf("rm -rf '%s'", dir);
	tap_ok(!system(clean), "cleaned up");
	free(clean);
	return tap_done();
}
