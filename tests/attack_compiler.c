/*
 * Plays a compiler that attacks: compiler_sandbox.sh puts it into PATH as g++. The
 * first line of the text that it is to compile is "// ATTACK FOLDER", or "// crash
 * NUMBER". It prints
 * what came of the attack as an error of the text. All that it does is bounded,
 * and harms nothing but files in FOLDER.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

extern char **environ;
static char folder[512];

/* Returns a path in FOLDER; static. */
static const char *in_folder(const char *name)
{
	static char path[1024];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return path;
}

static void say(const char *what)
{
	printf(".gemmviz.cu:1:1: error: %s\n", what);
	fflush(stdout);
}

static void say_result(long rc)
{
	say(rc >= 0 ? "done" : strerror(errno));
}

/* Changes what a file is, in each way there is. */
static void attack_mode(void)
{
	const char *path = in_folder("secret");
	struct timespec now[2] = { { 1, 0 }, { 1, 0 } };
	int rc = chmod(path, 0644);

	rc |= chown(path, 1, 1) | utimensat(AT_FDCWD, path, now, 0);
	rc |= setxattr(path, "user.gemmviz", "x", 1, 0);
	say(rc ? "failed" : "without effect");
}

static void attack_setuid(void)
{
	say_result(open("kernel.so", O_WRONLY | O_CREAT, 04755));
}

static void attack_read(void)
{
	say_result(open(in_folder("secret"), O_RDONLY));
}

static void attack_write(void)
{
	say_result(open(in_folder("made"), O_WRONLY | O_CREAT, 0600));
}

static void attack_exec(void)
{
	execl("/bin/sh", "sh", "-c", "true", (char *)NULL);
	say_result(-1);
}

static void attack_terminal(void)
{
	say_result(open("/dev/tty", O_RDWR));
}

static void attack_session(void)
{
	say_result(setsid());
}

static void attack_clock(void)
{
	struct timeval now;

	gettimeofday(&now, NULL);
	say_result(settimeofday(&now, NULL));
}

static void attack_fifo(void)
{
	say_result(mkfifo("kernel.so", 0600));
}

static void attack_link(void)
{
	say_result(symlink(in_folder("secret"), "kernel.so"));
}

static void attack_folder(void)
{
	say_result(mkdir("kernel.so", 0700));
}

/* Leaves a process that ignores what it may. */
static void attack_outlive(void)
{
	if (fork() == 0) {
		for (int s = 1; s < NSIG; s++)
			signal(s, SIG_IGN);
		for (time_t end = time(NULL) + 20; time(NULL) < end;)
			;
		_exit(0);
	}
	say("left one");
}

static void attack_bomb(void)
{
	for (int i = 0; i < 40; i++)
		if (fork() == 0)
			_exit(0);
	say("started 40");
}

/* Says what it was started with. */
static void attack_inherit(void)
{
	char said[1024] = "has";

	for (char **e = environ; *e; e++)
		snprintf(said + strlen(said), sizeof(said) - strlen(said),
			 " %.*s", (int)strcspn(*e, "="), *e);
	for (int fd = 3; fd < 256; fd++)
		if (fcntl(fd, F_GETFD) >= 0)
			snprintf(said + strlen(said),
				 sizeof(said) - strlen(said), " %d", fd);
	say(said);
}

static void attack_spin(void)
{
	for (time_t end = time(NULL) + 20; time(NULL) < end;)
		;
}

/* Prints that it has crashed, in its own words or in its driver's. */
static void attack_crash(void)
{
	static const char *const words[] = {
		".gemmviz.cu:1:7: internal compiler error: in gimplify, at a.cc:7",
		".gemmviz.cu: internal compiler error: Segmentation fault",
		("g++: internal compiler error: Segmentation fault signal "
		 "terminated program cc1plus"),
	};

	puts(words[atoi(folder) % 3]);
}

static const struct {
	const char *name;
	void (*run)(void);
} attacks[] = {
	{ "mode", attack_mode }, { "setuid", attack_setuid },
	{ "read", attack_read }, { "write", attack_write },
	{ "exec", attack_exec }, { "terminal", attack_terminal },
	{ "session", attack_session }, { "clock", attack_clock },
	{ "fifo", attack_fifo }, { "link", attack_link },
	{ "folder", attack_folder }, { "outlive", attack_outlive },
	{ "bomb", attack_bomb }, { "inherit", attack_inherit },
	{ "spin", attack_spin }, { "crash", attack_crash },
};

int main(void)
{
	char name[64], line[1024] = "";
	int fd = open(".gemmviz.cu", O_RDONLY);

	if (fd < 0 || read(fd, line, sizeof(line) - 1) < 0 ||
	    sscanf(line, "// %63s %511s", name, folder) != 2)
		return 2;
	close(fd);
	for (size_t i = 0; i < sizeof(attacks) / sizeof(*attacks); i++)
		if (!strcmp(attacks[i].name, name))
			attacks[i].run();
	return 1;
}
