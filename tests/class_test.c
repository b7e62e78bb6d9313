/* A class's files: thirty people at once, damaged lines, a folder that is
 * away, a disk that is full. */
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/class_reading.h"
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

/* Returns the path of the member's file in the class; heap. */
static char *file_of(const struct class_member *m)
{
	return xasprintf("%s/%s/%s.jsonl", m->folder, m->name, m->who);
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
		"{\"v\":1,\"who\":\"a\",\"n\":1,\"lesson\":\"b\",\"step\":1,"
		"\"steps\":1,\"question\":1,\"answer\":\"4\",\"right\":true,"
		"\"tries\":-1}",
		"{\"v\":1,\"who\":\"a\",\"n\":0,\"lesson\":\"b\",\"step\":1,"
		"\"steps\":1}",
	};
	char *line = class_event_line(&ev);

	tap_ok(class_event_read(line, strlen(line) - 1, &got) &&
	       !memcmp(got.who, ev.who, sizeof(ev.who)) &&
	       !strcmp(got.answer, ev.answer) && got.n == 3 && got.right,
	       "an event is what its line says");
	tap_ok(strchr(line, '\n')[1] == 0, "... which is one line");
	tap_ok(!strstr(line, "tries"), "... without tries of a question");
	free(line);
	ev.tries = 4;
	ev.hints = 2;
	line = class_event_line(&ev);
	tap_ok(class_event_read(line, strlen(line) - 1, &got) &&
	       got.tries == 4 && got.hints == 2,
	       "a verdict's has tries and hints");
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
	char *file;
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
	file = file_of(&m);
	unlink(file);
	free(file);
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
	char *file;
	struct error e;
	pid_t child;
	int status;

	be(102);
	class_start(dir, "disk", &e);
	class_join(&m, dir, "disk", &e);
	answer(&m, 1, "4", &e);
	file = file_of(&m);
	stat(file, &s);
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
	if (truncate(file, s.st_size + 9))
		fatal("%s: %m", file);
	free(file);
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

/* ---- hostile folders ---- */

/* What somebody else does just after a folder was made: exchanges its name for
 * that of `other`. */
static const char *other;
/* The mode of the folder before it was opened to everybody. */
static mode_t mode_before;

int __real_mkdirat(int at, const char *name, mode_t mode);
int __wrap_mkdirat(int at, const char *name, mode_t mode);
int __wrap_mkdirat(int at, const char *name, mode_t mode)
{
	int status = __real_mkdirat(at, name, mode);

	if (!status && other && !strchr(name, '/') &&
	    renameat2(AT_FDCWD, other, at, name, RENAME_EXCHANGE))
		fatal("%s: %m", other);
	return status;
}

int __real_fchmod(int fd, mode_t mode);
int __wrap_fchmod(int fd, mode_t mode);
int __wrap_fchmod(int fd, mode_t mode)
{
	struct stat st;

	if (!fstat(fd, &st))
		mode_before = st.st_mode & 0777;
	return __real_fchmod(fd, mode);
}

static mode_t mode_of(const char *path)
{
	struct stat st;

	return stat(path, &st) ? 0 : st.st_mode & 07777;
}

/* A class is started, and `made` takes the place of its folder meanwhile. */
static void test_exchange(const char *name, const char *made,
			  const char *target)
{
	struct error e;
	char *path = xasprintf("%s/%s", dir, name);
	int status;

	chmod(target, 0750);
	other = made;
	status = class_start(dir, name, &e);
	other = NULL;
	tap_ok(status && mode_of(path) == 0750,
	       "%s: refused, and its mode stays", name);
	free(path);
}

static void test_start(void)
{
	char *target = xasprintf("%s/target", dir);
	char *link = xasprintf("%s/link", dir);
	char *exchanged = xasprintf("%s/a-link", dir);
	char *inside = xasprintf("%s/target/secret", dir);
	char *path = xasprintf("%s/open/one", dir);
	char *folder = xasprintf("%s/open", dir);
	struct error e;
	mode_t mask = umask(0);

	tap_ok(!class_start(folder, "one", &e) && mode_of(folder) == 01777 &&
	       mode_of(path) == 01777, "a folder for everybody, with its bit");
	tap_is(mode_before, 0700, "... which nobody could enter before");
	umask(mask);
	if (mkdir(target, 0750) || symlink(target, link))
		fatal("%s: %m", target);
	append(inside, "secret");
	test_exchange("a-link", link, target);
	tap_ok(class_start(exchanged, "x", &e) && e.status == EXIT_REFUSED,
	       "a link in place of the folder of classes");
	test_exchange("a-full-folder", target, target);
	if (geteuid() == 0) {
		char *foreign = xasprintf("%s/foreign", dir), *path_in;

		if (mkdir(foreign, 0755) || chown(foreign, 65534, -1))
			fatal("%s: %m", foreign);
		tap_ok(class_start(foreign, "x", &e) &&
		       e.status == EXIT_REFUSED && (strstr(e.text, "nobody") ||
						    strstr(e.text, "65534")),
		       "a folder of somebody else: %s", e.text);
		path_in = xasprintf("%s/inside/", foreign);
		tap_ok(class_start(path_in, "x", &e) &&
		       e.status == EXIT_REFUSED && !mode_of(path_in),
		       "... in which none is made, either");
		free(path_in);
		test_exchange("a-foreign-folder", foreign, foreign);
		free(foreign);
	} else {
		tap_skip("a folder of somebody else", "needs root");
	}
	free(target);
	free(link);
	free(exchanged);
	free(inside);
	free(path);
	free(folder);
}

/* Shapes of a member's file that the class neither follows nor waits for. */
static void test_shapes(void)
{
	static const char *const shapes[] = {
		"link", "dangling", "fifo", "folder", "hardlink", "socket",
	};
	char *secret = xasprintf("%s/own-file", dir);
	struct class_event ev = { .lesson = "tiling", .step = 1, .steps = 8,
				  .n = 1 };
	struct class_room room;
	struct error e;
	struct stat st;

	class_start(dir, "shapes", &e);
	append(secret, "");
	for (size_t i = 0; i < LENGTH(shapes); i++) {
		char *path = xasprintf("%s/shapes/%s.jsonl", dir, shapes[i]);
		int failed = i == 0 ? symlink(secret, path) :
			     i == 1 ? symlink("/nowhere/at/all", path) :
			     i == 2 ? mkfifo(path, 0666) :
			     i == 3 ? mkdir(path, 0777) :
			     i == 4 ? link(secret, path) :
			     mknod(path, S_IFSOCK | 0666, 0);

		if (failed)
			fatal("%s: %m", path);
		free(path);
		snprintf(ev.who, sizeof(ev.who), "%s", shapes[i]);
		tap_ok(class_collect(dir, "shapes", &ev, &e),
		       "%s: nothing is written", shapes[i]);
	}
	tap_ok(!stat(secret, &st) && !st.st_size, "... where it leads");
	tap_ok(!class_read(&room, dir, "shapes", &e) && !room.event_count,
	       "nothing is read of them");
	tap_is(room.damaged, LENGTH(shapes) - 1, "... and all are counted");
	class_room_done(&room);
	free(secret);
}

/* The teacher's place is not read or written through a link, either. */
static void test_place(void)
{
	char *path = xasprintf("%s/shapes/place.json", dir);
	char *secret = xasprintf("%s/place", dir);
	struct class_place p = { .lesson = "tiling", .step = 2, .question = 1 };
	struct class_place got;
	struct error e;

	tap_is(class_place_read(dir, "shapes", &got, &e), 0, "no place");
	tap_ok(!class_place_write(dir, "shapes", &p, &e) &&
	       class_place_read(dir, "shapes", &got, &e) == 1 &&
	       class_place_same(&p, &got), "a place");
	rename(path, secret);
	if (symlink(secret, path))
		fatal("%s: %m", path);
	tap_is(class_place_read(dir, "shapes", &got, &e), -1, "a link");
	p.step = 3;
	tap_ok(!class_place_write(dir, "shapes", &p, &e) &&
	       class_place_read(dir, "shapes", &got, &e) == 1 && got.step == 3,
	       "... is replaced");
	rename(secret, path);
	tap_ok(class_place_read(dir, "shapes", &got, &e) == 1 && got.step == 2,
	       "... and what it led to stays");
	unlink(path);
	mkfifo(path, 0666);
	tap_is(class_place_read(dir, "shapes", &got, &e), -1,
	       "a FIFO is not waited for");
	free(path);
	free(secret);
}

/* A look of no time reads nothing, and the next ones read on; one person's many
 * files are behind everybody's first. */
static void test_many(void)
{
	struct class_event ev = { .lesson = "tiling", .step = 1, .steps = 8,
				  .n = 1 };
	struct class_reading reading = { .files = NULL };
	struct class_room room;
	struct error e;
	char *path = xasprintf("%s/many/zoe.jsonl", dir);

	class_start(dir, "many", &e);
	for (int i = 0; i < 400; i++) {
		snprintf(ev.who, sizeof(ev.who), "flood-%d", i);
		class_collect(dir, "many", &ev, &e);
	}
	snprintf(ev.who, sizeof(ev.who), "zoe");
	class_collect(dir, "many", &ev, &e);
	tap_ok(!class_reading_look(&reading, dir, "many", 0, &e) &&
	       reading.unread == 401, "no time: all files are still unread");
	tap_ok(!class_reading_look(&reading, dir, "many", 60, &e) &&
	       !reading.unread, "... and are read later");
	class_reading_room(&reading, &room);
	tap_is(room.person_count, 401, "... all of them");
	class_room_done(&room);
	ev.n = 2;
	class_collect(dir, "many", &ev, &e);
	class_reading_look(&reading, dir, "many", 0, &e);
	tap_is(reading.unread, 1, "a file that has grown is read again");
	class_reading_room(&reading, &room);
	tap_is(room.event_count, 401, "... and shown as it was until then");
	class_room_done(&room);
	if (geteuid() == 0 && !chown(path, 65534, -1)) {
		class_reading_look(&reading, dir, "many", 60, &e);
		class_reading_room(&reading, &room);
		tap_ok(!strcmp(room.people[1].who, "zoe"),
		       "owners take turns");
		class_room_done(&room);
	} else {
		tap_skip("owners take turns", "needs root");
	}
	class_reading_done(&reading);
	free(path);
}

/* Files that are too large are read in part, within the limits. */
static void test_large(void)
{
	char *path = xasprintf("%s/large/big.jsonl", dir);
	char *lines = xasprintf("%s/large/lines.jsonl", dir);
	struct class_event ev = { .who = "big", .lesson = "tiling", .step = 7,
				  .steps = 8, .n = 1 };
	char *line = class_event_line(&ev);
	struct class_room room;
	struct error e;
	double begin;
	FILE *f;

	class_start(dir, "large", &e);
	append(path, "\n");
	append(lines, "\n");
	if (truncate(path, 100 << 20))
		fatal("%s: %m", path);
	append(path, "\n");
	append(path, line);
	f = fopen(lines, "a");
	for (int i = 0; f && i < 1 << 20; i++)
		putc('\n', f);
	if (!f || fclose(f))
		fatal("%s: %m", lines);
	begin = seconds_now();
	tap_ok(!class_read(&room, dir, "large", &e) && room.event_count == 1 &&
	       room.events[0].step == 7, "of a large file its end is read");
	tap_ok(room.damaged > 1000 && room.damaged < 1100,
	       "... and damaged lines are counted up to a limit");
	tap_ok(seconds_now() - begin < 5, "... at once");
	class_room_done(&room);
	free(path);
	free(lines);
	free(line);
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
	test_start();
	test_shapes();
	test_place();
	test_many();
	test_large();
	clean = xasprintf("rm -rf '%s'", dir);
	tap_ok(!system(clean), "cleaned up");
	free(clean);
	return tap_done();
}
