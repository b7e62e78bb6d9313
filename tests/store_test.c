/*
 * A store keeps what was put into it, loses what was used longest ago, and is
 * not used where somebody else could have written into it.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/store.h"
#include "tap.h"

static char home[] = "/tmp/store_test-XXXXXX";

/* Returns a path below the cache folder; static. */
static const char *cache_path(const char *name)
{
	static char path[256];

	snprintf(path, sizeof(path), "%s/cache%s%s", home, *name ? "/" : "",
		 name);
	return path;
}

static bool open_store(struct store *s, uint64_t most, bool make)
{
	struct error e;

	return store_open(s, "things", most, make, &e) == 0;
}

/* Returns what a key's file holds (static), or NULL. */
static const char *read_key(const struct store *s, const char *key)
{
	static char data[256];
	int fd = store_find(s, key);
	ssize_t n = fd < 0 ? -1 : read(fd, data, sizeof(data) - 1);

	if (fd >= 0)
		close(fd);
	if (n < 0)
		return NULL;
	data[n] = '\0';
	return data;
}

static bool holds(const struct store *s, const char *key, const char *data)
{
	const char *is = read_key(s, key);

	return is && !strcmp(is, data);
}

static void test_files(void)
{
	static const char large[101];
	struct store s;
	struct stat st;

	tap_ok(!open_store(&s, 100, false), "no store is made unasked");
	tap_ok(open_store(&s, 100, true), "a store is made");
	tap_ok(stat(cache_path("gemmviz/things"), &st) == 0 &&
	   (st.st_mode & 07777) == 0700, "... for its owner alone");
	tap_ok(store_find(&s, "a") < 0, "a key that it does not have");
	tap_ok(store_put(&s, "a", "first", 5) == 0 && holds(&s, "a", "first"),
	   "what was put into it is there");
	tap_ok(fstatat(s.folder, "a", &st, 0) == 0 &&
	   (st.st_mode & 07777) == 0600, "... for its owner alone");
	tap_ok(store_put(&s, "a", "other", 5) == 0 && holds(&s, "a", "first"),
	   "a key keeps its file");
	tap_ok(store_measure(&s).files == 1 && store_measure(&s).bytes == 5,
	   "it is measured");
	tap_ok(store_put(&s, "b", large, sizeof(large)) < 0 &&
	   errno == EFBIG, "a file that is larger than the store is not kept");
	store_drop(&s, "a");
	tap_ok(!read_key(&s, "a") && store_measure(&s).files == 0,
	   "a dropped key is gone");
	store_close(&s);
}

/* Sets the time at which a key was used last. */
static void set_use(const struct store *s, const char *key, time_t seconds)
{
	const struct timespec times[] = { { seconds, 0 }, { seconds, 0 } };

	if (utimensat(s->folder, key, times, 0) < 0)
		tap_ok(false, "utimensat()");
}

static void test_room(void)
{
	struct store s;

	open_store(&s, 12, true);
	store_put(&s, "a", "aaaa", 4);
	store_put(&s, "b", "bbbb", 4);
	store_put(&s, "c", "cccc", 4);
	set_use(&s, "a", 100);
	set_use(&s, "b", 200);
	set_use(&s, "c", 300);
	tap_ok(holds(&s, "a", "aaaa"), "the oldest file is used");
	store_put(&s, "d", "dddd", 4);
	tap_ok(!read_key(&s, "b"), "the file that was used longest ago is removed");
	tap_ok(holds(&s, "a", "aaaa") && holds(&s, "c", "cccc") &&
	   holds(&s, "d", "dddd"), "... and no other");
	tap_ok(store_measure(&s).bytes == 12, "no more than its bytes are left");
	store_close(&s);
}

/* Has eight processes put and find the same keys. */
static void test_writers(void)
{
	int bad = 0, status;
	struct store s;

	open_store(&s, 1 << 20, true);
	for (int p = 0; p < 8; p++)
		if (fork() == 0) {
			for (int i = 0; i < 200; i++) {
				char key[16], data[16];

				snprintf(key, sizeof(key), "key%d", i % 20);
				snprintf(data, sizeof(data), "data%d", i % 20);
				store_put(&s, key, data, strlen(data));
				if (!holds(&s, key, data))
					_exit(1);
			}
			_exit(0);
		}
	while (wait(&status) > 0)
		bad += status != 0;
	tap_ok(bad == 0, "eight writers: each file is whole");
	tap_ok(store_measure(&s).files >= 20, "... and each is there");
	store_close(&s);
}

static void test_strangers(void)
{
	static const struct { const char *what; mode_t mode; } modes[] = {
		{ "a file that others can write", 0622 },
		{ "a file that the group can write", 0660 },
	};
	struct store s;

	open_store(&s, 1 << 20, true);
	store_put(&s, "mode", "data", 4);
	for (size_t i = 0; i < LENGTH(modes); i++) {
		(void)!fchmodat(s.folder, "mode", modes[i].mode, 0);
		tap_ok(!read_key(&s, "mode"), "%s is not used", modes[i].what);
	}
	(void)!fchmodat(s.folder, "mode", 0600, 0);
	(void)!linkat(s.folder, "mode", s.folder, "second", 0);
	tap_ok(!read_key(&s, "mode"), "a file of two names is not used");
	(void)!symlinkat("/etc/passwd", s.folder, "link");
	tap_ok(!read_key(&s, "link"), "a link is not followed");
	mkfifoat(s.folder, "fifo", 0600);
	tap_ok(!read_key(&s, "fifo"), "a FIFO is not waited for");
	mkdirat(s.folder, "folder", 0700);
	tap_ok(!read_key(&s, "folder"), "a folder is no file");
	if (geteuid() == 0) {
		store_put(&s, "owner", "data", 4);
		(void)!fchownat(s.folder, "owner", 65534, 65534, 0);
		tap_ok(!read_key(&s, "owner"), "somebody else's file is not used");
	} else {
		tap_skip("somebody else's file is not used", "not root");
	}
	store_close(&s);
}

static void test_folders(void)
{
	char other[256];
	struct store s;

	chmod(cache_path("gemmviz/things"), 0755);
	tap_ok(!open_store(&s, 100, true), "a folder that others may enter");
	chmod(cache_path("gemmviz/things"), 0700);
	chmod(cache_path("gemmviz"), 0750);
	tap_ok(!open_store(&s, 100, true), "... or the group, one above it");
	chmod(cache_path("gemmviz"), 0700);
	tap_ok(open_store(&s, 100, true), "nobody may: it is used again");
	store_close(&s);
	snprintf(other, sizeof(other), "%s/elsewhere", home);
	rename(cache_path("gemmviz/things"), other);
	(void)!symlink(other, cache_path("gemmviz/things"));
	tap_ok(!open_store(&s, 100, true), "a link in the folder's place");
	unlink(cache_path("gemmviz/things"));
	close(open(cache_path("gemmviz/things"), O_CREAT | O_WRONLY, 0600));
	tap_ok(!open_store(&s, 100, true), "a file in the folder's place");
	unlink(cache_path("gemmviz/things"));
	if (geteuid() == 0) {
		(void)!chown(cache_path(""), 65534, 65534);
		tap_ok(!open_store(&s, 100, true), "somebody else's cache folder");
		tap_ok(access(cache_path("gemmviz/things"), F_OK) < 0,
		   "... in which nothing is made");
	} else {
		tap_skip("somebody else's cache folder", "not root");
	}
	unsetenv("XDG_CACHE_HOME");
	unsetenv("HOME");
	tap_ok(!open_store(&s, 100, true), "an environment without a folder");
}

int main(void)
{
	char command[256];

	if (!mkdtemp(home))
		return 1;
	setenv("XDG_CACHE_HOME", cache_path(""), 1);
	test_files();
	test_room();
	test_writers();
	test_strangers();
	test_folders();
	snprintf(command, sizeof(command), "rm -rf %s", home);
	(void)!system(command);
	return tap_done();
}
