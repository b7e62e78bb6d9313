/*
 * The folder of a compilation: whatever the compiler left there, nothing else is
 * read or written, and nothing is left.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "emu/module/compile_folder.h"
#include "tap.h"

static struct compile_folder f;

/* Returns a path in the folder: one of two that are kept. */
static const char *at(const char *name)
{
	static char paths[2][512];
	static int next;
	char *path = paths[next++ % 2];

	snprintf(path, sizeof(paths[0]), "%s/%s", f.path, name);
	return path;
}

static bool opens(const char *name, uint64_t most)
{
	int fd = compile_folder_open(&f, name, most);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

static void make_file(const char *path)
{
	close(open(path, O_WRONLY | O_CREAT, 0600));
}

/* Makes folders in each other; the last has a file. */
static void make_deep(int depth)
{
	int in = open(f.path, O_RDONLY | O_DIRECTORY), next;

	for (int i = 0; i < depth; i++) {
		(void)!mkdirat(in, "deep", 0700);
		next = openat(in, "deep", O_RDONLY | O_DIRECTORY);
		close(in);
		in = next;
	}
	close(openat(in, "file", O_WRONLY | O_CREAT, 0600));
	close(in);
}

static bool is_empty(void)
{
	return compile_folder_empty(&f) == 0 && rmdir(f.path) == 0 &&
	       mkdir(f.path, 0700) == 0 && (close(f.fd), (f.fd = open(
		f.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)) >= 0);
}

static void test_write(void)
{
	struct stat st;

	tap_ok(compile_folder_write(&f, "a/b/c.h", "text") == 0,
	       "a file is written, and the folders above it");
	tap_ok(stat(at("a/b/c.h"), &st) == 0 && st.st_size == 4 &&
	       (st.st_mode & 0777) == 0600, "... for its owner alone");
	tap_ok(compile_folder_write(&f, "a/b/c.h", "other") < 0,
	       "a file that is there is not written");
	(void)!symlink("/tmp", at("link"));
	tap_ok(compile_folder_write(&f, "link/gemmviz-none", "text") < 0,
	       "no link to a folder is followed");
	(void)!symlink("elsewhere", at("to"));
	tap_ok(compile_folder_write(&f, "to", "text") < 0 &&
	       access(at("elsewhere"), F_OK) < 0, "nor one to a file");
	tap_ok(is_empty(), "all of it is removed");
}

static void test_open(void)
{
	make_file(at("kernel.so"));
	(void)!truncate(at("kernel.so"), 100);
	tap_ok(opens("kernel.so", 100), "a file is opened");
	tap_ok(!opens("kernel.so", 99), "not one that is too large");
	(void)!link(at("kernel.so"), at("second"));
	tap_ok(!opens("kernel.so", 100), "nor one of two names");
	unlink(at("second"));
	unlink(at("kernel.so"));
	tap_ok(!opens("kernel.so", 100), "nor one that is not there");
	(void)!symlink("/etc/passwd", at("kernel.so"));
	tap_ok(!opens("kernel.so", 1 << 20), "nor a link");
	unlink(at("kernel.so"));
	(void)!mkfifo(at("kernel.so"), 0600);
	tap_ok(!opens("kernel.so", 100), "nor a FIFO, which is not waited for");
	unlink(at("kernel.so"));
	(void)!mkdir(at("kernel.so"), 0700);
	tap_ok(!opens("kernel.so", 1 << 20), "nor a folder");
	tap_ok(is_empty(), "all of it is removed");
}

static void test_empty(void)
{
	char name[300];

	make_deep(3000);
	tap_ok(is_empty(), "3000 folders in each other are removed");
	for (int i = 0; i < 3000; i++) {
		snprintf(name, sizeof(name), "%d\n%0200d", i, 0);
		make_file(at(name));
	}
	tap_ok(is_empty(), "3000 files with a newline in their names");
	(void)!mkdir(at("locked"), 0700);
	(void)!mkdir(at("locked/in"), 0700);
	make_file(at("locked/in/file"));
	(void)!chmod(at("locked/in"), 0);
	(void)!chmod(at("locked"), 0);
	tap_ok(is_empty(), "folders that nobody may enter");
	(void)!mkfifo(at("fifo"), 0);
	(void)!symlink("/etc", at("etc"));
	(void)!symlink("nowhere", at("none"));
	tap_ok(is_empty() && access("/etc/passwd", F_OK) == 0,
	       "links, and not what they lead to");
	make_deep(2);
	(void)!rename(at("deep/deep"), at(".gemmviz-moved-0"));
	tap_ok(is_empty(), "a folder with a name of ours");
}

int main(void)
{
	if (compile_folder_make(&f) < 0)
		return 1;
	test_write();
	test_open();
	test_empty();
	compile_folder_remove(&f);
	tap_ok(access(f.path, F_OK) < 0, "the folder itself is removed");
	return tap_done();
}
