/*
 * Files appear whole or not at all, numbers and names are taken strictly, and
 * the language is the one that was asked for, where it can be shown.
 */
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/encode.h"
#include "base/base.h"
#include "base/confine.h"
#include "base/lang.h"
#include "tap.h"

static char folder[] = "/tmp/base_test-XXXXXX";

/* The linker puts this in between: a disk that fails late. */
static bool disk_fails;
int __real_fsync(int fd);
int __wrap_fsync(int fd);

int __wrap_fsync(int fd)
{
	errno = EIO;
	return disk_fails ? -1 : __real_fsync(fd);
}

/* A kernel that has no openat2(). */
static bool kernel_old;
long __real_syscall(long number, ...);
long __wrap_syscall(long number, long a, long b, long c, long d, long e, long f);

long __wrap_syscall(long number, long a, long b, long c, long d, long e, long f)
{
	errno = ENOSYS;
	return kernel_old && number == SYS_openat2 ? -1 :
	       __real_syscall(number, a, b, c, d, e, f);
}

/* In the folder; a ring of four. */
static const char *in_folder(const char *name)
{
	static char path[4][200];
	static int next;

	next = (next + 1) % 4;
	snprintf(path[next], sizeof(path[next]), "%s/%s", folder, name);
	return path[next];
}

static void put(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	fputs(text, f);
	fclose(f);
}

static void holds(const char *path, const char *want, const char *what)
{
	struct error e;
	size_t len;
	char *got = file_read(path, 1000, &len, &e);

	tap_str(got, want, "%s", what);
	free(got);
}

static int entries(void)
{
	char *command = xasprintf("ls -A %s | wc -l", folder);
	FILE *f = popen(command, "r");
	int n = -1;

	if (fscanf(f, "%d", &n) != 1)
		n = -1;
	pclose(f);
	free(command);
	return n;
}

static void test_error(void)
{
	struct error e = { 0 };

	tap_is(error_set(&e, EXIT_INPUT, "%s %d", "line", 3), -1, "is -1");
	tap_str(e.text, "line 3", "formatted");
	tap_is(e.status, EXIT_INPUT, "with its status");
	tap_is(error_set(NULL, EXIT_INPUT, "x"), -1, "nobody may ask");
	error_set(&e, EXIT_INPUT, "%0700d", 1);
	tap_is(strlen(e.text), sizeof(e.text) - 1, "cut to fit");
}

static void restored(void)
{
	(void)!write(STDERR_FILENO, "restored\n", 9);
}

static void test_fatal(void)
{
	char got[200] = "";
	int ends[2], status;
	ssize_t n, all = 0;
	pid_t pid;

	if (pipe(ends) < 0 || (pid = fork()) < 0)
		return;
	if (pid == 0) {
		dup2(ends[1], STDERR_FILENO);
		fatal_restore = restored;
		fatal("no %s", "way");
	}
	close(ends[1]);
	while ((n = read(ends[0], got + all, sizeof(got) - 1 - all)) > 0)
		all += n;
	waitpid(pid, &status, 0);
	tap_ok(WIFEXITED(status) && WEXITSTATUS(status) == EXIT_BUG,
	       "fatal ends with 70");
	tap_str(got, "restored\ngemmviz: no way\n",
		"the terminal first, then the words");
	close(ends[0]);
}

static void test_str(void)
{
	struct str s = { 0 };
	char *text;

	text = str_take(&s);
	tap_str(text, "", "an empty one gives an empty text");
	free(text);
	for (int i = 0; i < 1000; i++)
		str_addf(&s, "%d,", i);
	tap_is(s.len, 3890, "grows");
	tap_is(strlen(s.data), 3890, "terminated");
	str_clear(&s);
	str_add(&s, "a");
	str_addc(&s, 'b');
	str_addn(&s, "cde", 2);
	tap_str(s.data, "abcd", "and holds what was added");
	str_done(&s);
}

static void unreadable(const char *path, size_t limit, const char *want)
{
	struct error e = { 0 };
	size_t len;
	char *got = file_read(path, limit, &len, &e);

	tap_ok(!got && e.status == EXIT_INPUT && strstr(e.text, want) &&
	       strstr(e.text, path), "%s", e.text);
	free(got);
}

static bool is_readable(const char *path, size_t limit)
{
	struct error e;
	size_t len;
	char *got = file_read(path, limit, &len, &e);

	free(got);
	return got;
}

static void test_base(void)
{
	tap_str(file_base("a.cu"), "a.cu", "a path without a folder");
	tap_str(file_base("/x/y.z/a.cu"), "a.cu", "the name in a folder");
	tap_str(file_base("x/"), "", "a folder's path has no name behind it");
}

static void test_read(void)
{
	put(in_folder("f"), "12345");
	holds(in_folder("f"), "12345", "a file is read");
	unreadable(in_folder("f"), 4, "larger than 4 bytes");
	tap_ok(is_readable(in_folder("f"), 5), "one as large as the limit is");
	unreadable(folder, 100, "is a directory");
	unreadable(in_folder("none"), 100, "No such file");
	mkfifo(in_folder("fifo"), 0600);
	unreadable(in_folder("fifo"), 100, "not a regular file");
	unreadable("/dev/zero", 100, "not a regular file");
	unlink(in_folder("fifo"));
	unlink(in_folder("f"));
}

static void test_out(void)
{
	struct file_out f;
	struct error e = { 0 };
	struct stat st;

	umask(027);
	tap_is(file_out_open(&f, in_folder("o"), false, &e), 0, "opened");
	tap_is(fcntl(f.fd, F_GETFD), FD_CLOEXEC, "... and closed by exec()");
	write_all(f.fd, "new", 3);
	tap_ok(access(in_folder("o"), F_OK) < 0, "nothing there before");
	tap_is(file_out_commit(&f, &e), 0, "committed %s", e.text);
	holds(in_folder("o"), "new", "then it is there");
	stat(in_folder("o"), &st);
	tap_is(st.st_mode & 0777, 0640, "as the umask says");
	tap_ok(file_out_open(&f, in_folder("o"), false, &e) < 0 &&
	       e.status == EXIT_USAGE, "not again: %s", e.text);
	tap_is(file_out_open(&f, in_folder("o"), true, &e), 0, "but by force");
	write_all(f.fd, "newer", 5);
	holds(in_folder("o"), "new", "old until the end");
	file_out_abandon(&f);
	holds(in_folder("o"), "new", "and for good when abandoned");
	tap_is(symlink("o", in_folder("link")), 0, "a link to it");
	file_out_open(&f, in_folder("link"), true, &e);
	write_all(f.fd, "linked", 6);
	file_out_commit(&f, &e);
	holds(in_folder("o"), "linked", "through a link");
	lstat(in_folder("link"), &st);
	tap_ok(S_ISLNK(st.st_mode), "which stays one");
	tap_is(entries(), 2, "no temporary files are left");
	unlink(in_folder("link"));
	unlink(in_folder("o"));
}

/* Checks the bytes that file_read_text() makes of a file's. */
static void check_text(const char *bytes, const char *want, const char *what)
{
	struct error e;
	size_t len = 0;
	char *got;

	put(in_folder("f"), bytes);
	got = file_read_text(in_folder("f"), 100, &len, &e);
	tap_str(got, want, "%s", what);
	tap_is(len, strlen(want), "... and its length");
	free(got);
	unlink(in_folder("f"));
}

static void test_read_text(void)
{
	check_text("\xef\xbb\xbf" "a\r\nb\r\n", "a\nb\n",
		   "a text without its mark and returns");
	check_text("a\rb\n\r", "a\rb\n", "a return within a line stays");
	check_text("a\xef\xbb\xbf", "a\xef\xbb\xbf", "so does a later mark");
}

static void test_write(void)
{
	struct error e = { 0 };
	char *path = xasprintf("%s/a/b/c", folder);

	tap_is(file_write(path, "text", &e), 0, "folders are made");
	holds(path, "text", "... for a file in them");
	tap_ok(file_write("/dev/null/a/b", "text", &e) < 0 &&
	       e.status == EXIT_OUTPUT && strstr(e.text, "cannot make") &&
	       strstr(e.text, "/dev/null/a"), "not there: %s", e.text);
	unlink(path);
	free(path);
	rmdir(in_folder("a/b"));
	rmdir(in_folder("a"));
}

/* Exits with the number of descriptors from 0 to 3 that are /dev/null. */
static _Noreturn void count_streams(void)
{
	struct stat null, st;
	int count = 0;

	for (int fd = 0; fd <= 3; fd++)
		close(fd);
	standard_streams();
	stat("/dev/null", &null);
	for (int fd = 0; fd <= 3; fd++)
		count += fstat(fd, &st) == 0 && st.st_rdev == null.st_rdev;
	_exit(count);
}

static void test_streams(void)
{
	int status = 0;
	pid_t pid = fork();

	if (pid == 0)
		count_streams();
	waitpid(pid, &status, 0);
	tap_is(WEXITSTATUS(status), 3, "closed standard streams are opened");
}

static void test_room(void)
{
	struct error e = { 0 };
	int fd = temporary_file(&e);

	tap_is(temporary_room(fd, 1, &e), 0, "there is room for a byte");
	tap_ok(temporary_room(fd, 1ull << 60, &e) < 0 &&
	       e.status == EXIT_OUTPUT &&
	       strstr(e.text, "1125899906842624 kB"), "none for all: %s", e.text);
	close(fd);
}

static void test_out_errors(void)
{
	struct file_out f;
	struct error e = { 0 };

	tap_ok(file_out_open(&f, in_folder("no/such"), false, &e) < 0 &&
	       e.status == EXIT_OUTPUT, "%s", e.text);
	tap_ok(file_out_open(&f, folder, true, &e) < 0 &&
	       e.status == EXIT_OUTPUT, "%s", e.text);
	tap_is(file_out_open(&f, "/dev/full", false, &e), 0,
	       "a device is written in place");
	tap_is(fcntl(f.fd, F_GETFD), FD_CLOEXEC, "... and closed by exec()");
	tap_ok(write_all(f.fd, "x", 1) < 0 && errno == ENOSPC, "when it can");
	file_out_abandon(&f);
	tap_ok(access("/dev/full", F_OK) == 0, "and stays");
	disk_fails = true;
	file_out_open(&f, in_folder("o"), false, &e);
	write_all(f.fd, "lost", 4);
	tap_ok(file_out_commit(&f, &e) < 0 && e.status == EXIT_OUTPUT &&
	       strstr(e.text, strerror(EIO)), "a disk that fails: %s", e.text);
	tap_is(entries(), 0, "... leaves nothing that looks whole");
	disk_fails = false;
	tap_ok(file_out_open(&f, "", false, &e) < 0 && e.status == EXIT_USAGE,
	       "%s", e.text);
	/* Somebody else makes the file meanwhile. */
	file_out_open(&f, in_folder("o"), false, &e);
	put(in_folder("o"), "theirs");
	tap_ok(file_out_commit(&f, &e) < 0 && e.status == EXIT_OUTPUT,
	       "made meanwhile: %s", e.text);
	holds(in_folder("o"), "theirs", "not overwritten");
	tap_is(entries(), 1, "and no temporary file is left");
	unlink(in_folder("o"));
}

/* Checks that a temporary file is its owner's alone, whatever the umask, and
 * that it cannot get a name later. */
static void check_temporary(const char *where)
{
	struct error e = { 0 };
	struct stat st = { 0 };
	char *path;
	int fd;

	umask(0);
	fd = temporary_file(&e);
	umask(027);
	tap_ok(fd >= 0 && fstat(fd, &st) == 0 && st.st_nlink == 0,
	       "%s: a temporary file has no name", where);
	tap_is(st.st_mode & 07777, 0600, "... is its owner's alone");
	tap_is(fcntl(fd, F_GETFD), FD_CLOEXEC, "... is closed by exec()");
	tap_is(fcntl(fd, F_GETFL) & O_ACCMODE, O_RDWR, "... is read, too");
	path = xasprintf("/proc/self/fd/%d", fd);
	tap_ok(linkat(AT_FDCWD, path, AT_FDCWD, in_folder("named"),
		      AT_SYMLINK_FOLLOW) < 0, "... and gets none later");
	free(path);
	close(fd);
}

static void test_temporary(void)
{
	struct error e;

	setenv("TMPDIR", folder, 1);
	check_temporary("TMPDIR");
	tap_is(entries(), 0, "nothing is left in it");
	unsetenv("TMPDIR");
	check_temporary("/tmp");
	setenv("TMPDIR", "/no/such", 1);
	tap_ok(temporary_file(&e) < 0 && strstr(e.text, "/no/such"), "%s",
	       e.text);
	unsetenv("TMPDIR");
}

static void test_numbers(void)
{
	static const char *const wrong[] = {
		"", " 1", "1 ", "+1", "-1", "1x", "0x1", "1.0", "101",
		"99999999999999999999", "4",
	};
	long v = 77;

	tap_ok(parse_int("5", 5, 100, &v) && v == 5, "lowest");
	tap_ok(parse_int("100", 5, 100, &v) && v == 100, "highest");
	for (size_t i = 0; i < LENGTH(wrong); i++)
		tap_ok(!parse_int(wrong[i], 5, 100, &v), "not '%s'", wrong[i]);
	tap_is(v, 100, "which leaves the value alone");
	tap_ok(hash_bytes("", 0) == 0xcbf29ce484222325u &&
	       hash_bytes("foobar", 6) == 0x85944171f73967e8u, "FNV-1a");
}

static void test_names(void)
{
	static const char *const names[] = {
		"naive", "naive_swapped", "tiled", "float4", "coalescing",
	};
	static const struct { const char *word, *near; } cases[] = {
		{ "niave", "naive" }, { "tield", "tiled" },
		{ "flaot4", "float4" }, { "coal", "coalescing" },
		{ "coalesing", "coalescing" }, { "naive_swap", "naive_swapped" },
		{ "xyz", NULL }, { "", NULL }, { "t", NULL },
	};

	for (size_t i = 0; i < LENGTH(cases); i++)
		tap_str(nearest_name(cases[i].word, names, LENGTH(names)),
			cases[i].near, "'%s'", cases[i].word);
}

/* In a child with these variables and no others of their kind. */
static void language(const char *variables, const char *wanted,
		     const char *name, bool utf8, const char *words)
{
	static const char *const all[] = {
		"GEMMVIZ_LANG", "LANGUAGE", "LC_ALL", "LC_MESSAGES",
		"LC_CTYPE", "LANG",
	};
	static char copy[200];
	char *rest = copy, *word;
	int status;
	pid_t pid;

	snprintf(copy, sizeof(copy), "%s", variables);
	pid = fork();
	if (pid == 0) {
		bool right;

		for (size_t i = 0; i < LENGTH(all); i++)
			unsetenv(all[i]);
		while ((word = strsep(&rest, " ")))
			if (*word)
				putenv(word);
		lang_init(wanted);
		right = !strcmp(lang_name(), name) && lang_utf8() == utf8 &&
			!strcmp(setlocale(LC_NUMERIC, NULL), "C") &&
			!strcmp(getenv("LANGUAGE"), name) &&
			(words ? lang_notice() && strstr(lang_notice(), words)
			       : !lang_notice());
		_exit(!right);
	}
	waitpid(pid, &status, 0);
	tap_ok(status == 0, "%s%s%s: %s", wanted ? wanted : "",
	       wanted ? " asked, " : "", variables, name);
}

static void test_lang(void)
{
	language("", NULL, "en", true, NULL);
	language("LANG=C.UTF-8", NULL, "en", true, NULL);
	language("LANG=zh_CN.UTF-8", NULL, "zh", true, NULL);
	language("LANG=zh_TW", NULL, "zh", true, NULL);
	language("LC_ALL=zh_CN.UTF-8 LANG=en_US.UTF-8", NULL, "zh", true, NULL);
	language("LANGUAGE=zh LANG=C.UTF-8", NULL, "zh", true, NULL);
	language("LANGUAGE=fr:zh_CN:en LANG=C.UTF-8", NULL, "zh", true, NULL);
	language("LANGUAGE=fr LANG=zh_CN.UTF-8", NULL, "en", true, NULL);
	language("GEMMVIZ_LANG=zh LANGUAGE=en", NULL, "zh", true, NULL);
	language("GEMMVIZ_LANG=zh LC_MESSAGES=C", NULL, "zh", true, NULL);
	language("GEMMVIZ_LANG=zh", "en", "en", true, NULL);
	language("LANG=en_US.UTF-8", "zh", "zh", true, NULL);
	language("LANG=zh_CN.UTF-8", "tlh", "zh", true, "tlh");
	language("GEMMVIZ_LANG=xx", NULL, "en", true, "no language 'xx'");
	language("LANG=C", "zh", "zh", true, NULL);
	language("LC_ALL=C", NULL, "en", false, "not UTF-8");
	language("LC_ALL=POSIX", "zh", "en", false, "not UTF-8");
	language("LANG=de_DE.ISO-8859-1", "zh", "en", false, "not UTF-8");
	tap_ok(!strcmp(lang_code(0), "en") && !strcmp(lang_code(1), "zh") &&
	       !lang_code(2), "the list of languages ends");
	tap_ok(lang_known("zh_CN.UTF-8") && lang_known("en") &&
	       lang_known("zh@x") && !lang_known("zho") && !lang_known("fr") &&
	       !lang_known(""), "codes that are known");
}

static uint64_t limit_of(int what)
{
	struct rlimit l;

	getrlimit(what, &l);
	return l.rlim_cur == l.rlim_max ? l.rlim_max : 0;
}

/* What a process may use, in one that is limited. */
static void test_limits(void)
{
	const struct confine_limits limits = {
		.memory = 1ull << 40, .file_bytes = 12345, .cpu_seconds = 77,
		.files = 99 };
	const char *what = "memory, files, time and cores are limited";
	int status;
	pid_t pid;

	if (getenv("TEST_UNDER")) {
		tap_skip(what, "valgrind keeps limits of its own");
		return;
	}
	pid = fork();
	if (pid == 0) {
		confine_limit(&limits);
		_exit(limit_of(RLIMIT_AS) != limits.memory ||
		      limit_of(RLIMIT_FSIZE) != limits.file_bytes ||
		      limit_of(RLIMIT_CPU) != limits.cpu_seconds ||
		      limit_of(RLIMIT_NOFILE) != limits.files ||
		      limit_of(RLIMIT_CORE) != 0);
	}
	tap_ok(waitpid(pid, &status, 0) == pid && status == 0, "%s", what);
	pid = fork();
	if (pid == 0) {
		setrlimit(RLIMIT_RSS, &(struct rlimit){ 4096, 4096 });
		_exit(confine_memory(4095) != 4095 ||
		      confine_memory(1ull << 40) != 4096);
	}
	tap_ok(waitpid(pid, &status, 0) == pid && status == 0,
	       "memory by ulimit -m, too");
}

/* Returns a listening socket with a name in no folder, and its address. */
static int listen_abstract(struct sockaddr_un *address)
{
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	*address = (struct sockaddr_un){ .sun_family = AF_UNIX };
	snprintf(address->sun_path + 1, sizeof(address->sun_path) - 1,
		 "base_test-%ld", (long)getpid());
	if (fd < 0 || bind(fd, (struct sockaddr *)address,
			   sizeof(*address)) < 0 || listen(fd, 1) < 0)
		fatal("cannot listen");
	return fd;
}

/* Exits with a bit set for each thing that a confined process could do, though
 * it may not: 1 signal its parent, 2 connect to its socket, 4 read a file,
 * 8 write one, 16 list a folder, 32 execute a file that it may read, 64 connect
 * by TCP; 128 if a descriptor was left open. */
static _Noreturn void try_confined(const struct confine_folder *folders,
				   size_t count,
				   const struct sockaddr_un *address)
{
	const struct sockaddr_in discard = {
		.sin_family = AF_INET, .sin_port = htons(9),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	int able = 0, fd = socket(AF_UNIX, SOCK_STREAM, 0), free_fd = dup(fd);

	close(free_fd);
	for (int i = free_fd; i < free_fd + 8; i++)
		close(i);	/* what the test was started with */
	if (confine_files(folders, count) < 0)
		_exit(77);
	for (int i = free_fd; i < free_fd + 8; i++)
		if (fcntl(i, F_GETFD) >= 0)
			able |= 128;
	if (kill(getppid(), 0) == 0)
		able |= 1;
	if (connect(fd, (const struct sockaddr *)address,
		    sizeof(*address)) == 0)
		able |= 2;
	if (open("/etc/passwd", O_RDONLY) >= 0)
		able |= 4;
	if (open(in_folder("w"), O_WRONLY) >= 0)
		able |= 8;
	if (open("/etc", O_RDONLY | O_DIRECTORY) >= 0)
		able |= 16;
	fd = socket(AF_INET, SOCK_STREAM, 0);
	connect(fd, (const struct sockaddr *)&discard, sizeof(discard));
	if (errno != EACCES)
		able |= 64;
	execl("/usr/bin/env", "env", "true", (char *)NULL);
	if (errno != EACCES)
		able |= 32;
	_exit(able);
}

/* Returns try_confined()'s bits, or -1. */
static int tried_confined(const struct confine_folder *folders, size_t count)
{
	struct sockaddr_un address;
	int status = -1, fd = listen_abstract(&address);
	pid_t pid = fork();

	if (pid == 0)
		try_confined(folders, count, &address);
	waitpid(pid, &status, 0);
	close(fd);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* What a confined process reaches: nothing but what its folders allow, and,
 * since Landlock 6, no process and no socket outside. */
static void test_confined(void)
{
	struct error e;
	const char *words = confine_words(&e);
	const struct confine_folder mine[] = {
		{ "/etc", CONFINE_READ }, { folder, CONFINE_WRITE },
		{ "/usr", CONFINE_READ },
	};
	int landlock = 0, able;

	if (!words || getenv("TEST_UNDER")) {
		tap_skip("what a confined process reaches",
			 words ? "valgrind knows no Landlock" : e.text);
		return;
	}
	sscanf(words, "Landlock %d", &landlock);
	put(in_folder("w"), "");
	able = tried_confined(NULL, 0);
	if (landlock >= 4)
		tap_is(able & 64, 0, "no port is reached");
	else
		tap_skip("ports", "Landlock before 4");
	tap_is(able & 60, 0, "without a folder no file is reached");
	if (landlock >= 6)
		tap_is(able & 3, 0, "no process and no socket outside, either");
	else
		tap_skip("processes and sockets", "Landlock before 6");
	able = tried_confined(mine, LENGTH(mine));
	tap_is(able & 128, 0, "no descriptor is left open");
	tap_is(able & 60, 4 | 8 | 16, "folders to read and to write are; no "
	       "file in them is executed");
	unlink(in_folder("w"));
}

/* Reads names in FOLDER/top/, and outside of it. */
static void test_below(void)
{
	static const struct { const char *name; enum exit_status status; } of[] = {
		{ "in", EXIT_DONE }, { "./in", EXIT_DONE },
		{ "deep/../in", EXIT_DONE }, { "to-in", EXIT_DONE },
		{ "deep/up-to-in", EXIT_DONE }, { "out", EXIT_REFUSED },
		{ "../outside", EXIT_REFUSED }, { "up/outside", EXIT_REFUSED },
		{ "deep/../../outside", EXIT_REFUSED },
		{ "/etc/passwd", EXIT_REFUSED }, { "root", EXIT_REFUSED },
		{ "none", EXIT_INPUT }, { "deep", EXIT_INPUT },
		{ "fifo", EXIT_INPUT },
	};
	char *top = xasprintf("%s/top/", folder);
	char *clean = xasprintf("rm -r %s/top %s/outside", folder, folder);
	size_t len;

	mkdir(in_folder("top"), 0700);
	mkdir(in_folder("top/deep"), 0700);
	mkfifo(in_folder("top/fifo"), 0600);
	put(in_folder("top/in"), "text");
	put(in_folder("outside"), "secret");
	if (symlink("in", in_folder("top/to-in")) ||
	    symlink("../in", in_folder("top/deep/up-to-in")) ||
	    symlink("../outside", in_folder("top/out")) ||
	    symlink("..", in_folder("top/up")) ||
	    symlink("/etc/passwd", in_folder("top/root")))
		fatal("symlink: %m");
	for (size_t i = 0; i < 2 * LENGTH(of); i++) {
		const char *name = of[i / 2].name;
		struct error e = { .status = EXIT_DONE };
		char *text;

		kernel_old = i % 2;
		text = file_read_below(top, name, 100, &len, &e);
		tap_ok(e.status == of[i / 2].status && !text == !!e.status &&
		       (!text || !strcmp(text, "text")), "below: %s%s", name,
		       kernel_old ? ", without openat2()" : "");
		free(text);
	}
	tap_ok(!system(clean), "cleaned up");
	free(clean);
	free(top);
}

/* RFC 4648's examples, and digits that are none. */
static void test_encode(void)
{
	static const char *const words[] = { "", "", "f", "Zg==", "fo",
					     "Zm8=", "foo", "Zm9v", "foob",
					     "Zm9vYg==" };
	unsigned char bytes[3] = { 0 };
	struct str s = { 0 };

	for (size_t i = 0; i < LENGTH(words); i += 2) {
		str_clear(&s);
		str_add_base64(&s, words[i], strlen(words[i]));
		tap_str(s.data ? s.data : "", words[i + 1], "base64");
	}
	str_clear(&s);
	str_add_hex(&s, "\x00\x9a\xff", 3);
	tap_str(s.data, "009aff", "hexadecimal digits");
	tap_ok(hex_decode(s.data, bytes, 3) &&
	       !memcmp(bytes, "\x00\x9a\xff", 3), "... and back");
	tap_ok(!hex_decode("0g", bytes, 1) && !hex_decode("G0", bytes, 1) &&
	       !hex_decode("0", bytes, 1) && !hex_decode("FF", bytes, 1),
	       "what is no digit is refused");
	str_done(&s);
}

int main(void)
{
	setlocale(LC_CTYPE, "C.UTF-8");
	if (!mkdtemp(folder))
		fatal("mkdtemp");
	test_error();
	test_fatal();
	test_str();
	test_base();
	test_read();
	test_read_text();
	test_write();
	test_streams();
	test_room();
	test_below();
	test_out();
	test_out_errors();
	test_temporary();
	test_limits();
	test_confined();
	test_numbers();
	test_names();
	test_lang();
	rmdir(folder);
	test_encode();
	return tap_done();
}
