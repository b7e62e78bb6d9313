/* compile_store: see compile_store.h. */
#include <config.h>

#include "emu/module/compile_store.h"

#include <errno.h>
#include <fcntl.h>
#include <sha2.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <headers_hash.h>

#include "base/store.h"

/* ---- keys ---- */

/* Adds a text and its length to a hash, so that no two lists of texts give the
 * same bytes. NULL differs from "". */
static void hash_text(SHA2_CTX *c, const char *text)
{
	uint64_t n = text ? strlen(text) : UINT64_MAX;

	SHA256Update(c, (const void *)&n, sizeof(n));
	if (text)
		SHA256Update(c, (const void *)text, n);
}

static void hash_defines(SHA2_CTX *c, const struct trace_define *list,
			 size_t count)
{
	uint64_t n = count;

	SHA256Update(c, (const void *)&n, sizeof(n));
	for (size_t i = 0; i < count; i++) {
		hash_text(c, list[i].name);
		hash_text(c, list[i].value);
	}
}

/* Hashes the parts of a job that only programs have. */
static void hash_program(SHA2_CTX *c, const struct compile_job *job)
{
	const struct job_program *p = job->program;

	hash_text(c, job->name);
	hash_text(c, p->standard);
	hash_defines(c, p->files.list, p->files.count);
	hash_text(c, PROGRAM_FLAGS);
	hash_text(c, PROGRAM_LIBS);
}

/* Returns the name of the job's object in the read-only store; heap. */
static char *make_key(const struct compile_job *job)
{
	SHA2_CTX c;
	int how = (int)job->how;
	uint64_t n = job->length;
	char *key = xmalloc(SHA256_DIGEST_STRING_LENGTH);

	SHA256Init(&c);
	hash_text(&c, HEADERS_HASH);
	SHA256Update(&c, (const void *)&how, sizeof(how));
	SHA256Update(&c, (const void *)&job->arch, sizeof(job->arch));
	hash_text(&c, how == COMPILE_HOST ? HOST_FLAGS : MODULE_FLAGS);
	hash_text(&c, MODULE_LIBS);
	SHA256Update(&c, (const void *)&n, sizeof(n));
	SHA256Update(&c, (const void *)job->text, n);
	hash_defines(&c, job->defines, job->define_count);
	hash_defines(&c, job->headers->list, job->headers->count);
	hash_defines(&c, job->folders->list, job->folders->count);
	hash_defines(&c, job->outside->list, job->outside->count);
	if (how != COMPILE_KERNEL)
		hash_program(&c, job);
	SHA256End(&c, key);
	return key;
}

/* Hashes a file's inode, size and times, not its contents: a file that replaces
 * it has another inode or other times. */
static void hash_file(SHA2_CTX *c, const char *path)
{
	struct stat st;
	int64_t is[6] = { 0 };

	if (stat(path, &st) == 0) {
		const int64_t found[] = {
			(int64_t)st.st_ino, st.st_size, st.st_mtim.tv_sec,
			st.st_mtim.tv_nsec, st.st_ctim.tv_sec,
			st.st_ctim.tv_nsec,
		};
		memcpy(is, found, sizeof(is));
	}
	hash_text(c, path);
	SHA256Update(c, (const void *)is, sizeof(is));
}

/* Finds the compiler in PATH and hashes it. */
static void hash_compiler(SHA2_CTX *c)
{
	char *folders = xstrdup(getenv("PATH") ? getenv("PATH") : "");
	char *name = xstrndup(KERNEL_CXX, strcspn(KERNEL_CXX, " "));
	char *rest, *path, *real = NULL;

	hash_text(c, KERNEL_CXX);
	if (strchr(name, '/'))
		real = realpath(name, NULL);
	for (char *f = strtok_r(folders, ":", &rest);
	     f && !real && !strchr(name, '/');
	     f = strtok_r(NULL, ":", &rest)) {
		path = xasprintf("%s/%s", f, name);
		if (access(path, X_OK) == 0)
			real = realpath(path, NULL);
		free(path);
	}
	hash_file(c, real ? real : name);
	free(real);
	free(name);
	free(folders);
}

/* Returns a hash of the compiler and of the state of the system's packages;
 * heap. Installing, updating or removing a package changes the times of one of
 * these files. */
static char *make_system_key(void)
{
	static const char *const packages[] = {
		"/var/lib/dpkg/status", "/usr/lib/sysimage/rpm",
		"/var/lib/rpm", "/var/lib/pacman/local", "/lib/apk/db",
		"/usr/include", "/usr/include/x86_64-linux-gnu",
		"/usr/include/aarch64-linux-gnu", "/usr/local/include",
	};
	SHA2_CTX c;
	char *key = xmalloc(SHA256_DIGEST_STRING_LENGTH);

	SHA256Init(&c);
	hash_compiler(&c);
	for (size_t i = 0; i < LENGTH(packages); i++)
		hash_file(&c, packages[i]);
	SHA256End(&c, key);
	key[16] = '\0';
	return key;
}

/* Returns the name of the job's object in the user's store; heap. */
static char *make_user_key(const struct compile_job *job)
{
	char *key = make_key(job), *system = make_system_key();
	char *both = xasprintf("%s-%s", key, system);

	free(key);
	free(system);
	return both;
}

/* ---- files ---- */

/* The end of a stored file: the object is first, then names and values of the
 * headers that were left out, each with its NUL, then this. */
struct store_end {
	char magic[8];
	uint64_t object_bytes, left_out_bytes;
	uint8_t digest[SHA256_DIGEST_LENGTH];	/* of all before it */
};
static const char store_magic[8] = "gvstore1";

static void sum_bytes_before(const char *data, size_t bytes,
			     uint8_t digest[SHA256_DIGEST_LENGTH])
{
	SHA2_CTX c;

	SHA256Init(&c);
	SHA256Update(&c, (const void *)data, bytes);
	SHA256Final(digest, &c);
}

/* Copies the end of a file to `end`; false if the file is damaged. */
static bool read_store_end(const char *data, size_t bytes,
			   struct store_end *end)
{
	uint8_t digest[SHA256_DIGEST_LENGTH];
	size_t before = bytes - sizeof(*end);

	if (bytes < sizeof(*end))
		return false;
	memcpy(end, data + before, sizeof(*end));
	if (memcmp(end->magic, store_magic, sizeof(store_magic)) != 0 ||
	    end->object_bytes > before ||
	    end->left_out_bytes != before - end->object_bytes ||
	    (end->left_out_bytes && data[before - 1]))
		return false;
	sum_bytes_before(data, before + offsetof(struct store_end, digest),
			 digest);
	return memcmp(digest, end->digest, sizeof(digest)) == 0;
}

static void read_left_out(const char *s, const char *end,
			  struct job_defines *left_out)
{
	while (s < end) {
		const char *value = s + strlen(s) + 1;

		if (value >= end)
			return;
		job_define(left_out, s, value);
		s = value + strlen(value) + 1;
	}
}

/* Returns a descriptor of a copy of the object, which no later change of the
 * stored file reaches. */
static int copy_object(const char *data, size_t bytes)
{
	int fd = memfd_create("object", MFD_CLOEXEC);

	if (fd >= 0 && write_all(fd, data, bytes) < 0) {
		close(fd);
		fd = -1;
	}
	return fd;
}

/* Reads all of a file; NULL if that is not possible. Heap. */
static char *read_object_file(int fd, size_t *bytes)
{
	struct stat st;
	char *data;

	if (fstat(fd, &st) < 0 || st.st_size <= 0 ||
	    (uint64_t)st.st_size > STORE_KERNELS_BYTES)
		return NULL;
	*bytes = (size_t)st.st_size;
	data = xmalloc(*bytes);
	if (pread(fd, data, *bytes, 0) == st.st_size)
		return data;
	free(data);
	return NULL;
}

/* Reads a stored file and closes it; returns the object's descriptor, or -1. */
static int open_object(int fd, struct job_defines *left_out)
{
	size_t bytes = 0;
	char *data = read_object_file(fd, &bytes);
	struct store_end end;
	int object = -1;

	close(fd);
	if (data && read_store_end(data, bytes, &end)) {
		object = copy_object(data, end.object_bytes);
		read_left_out(data + end.object_bytes,
			      data + bytes - sizeof(end), left_out);
	}
	free(data);
	return object;
}

/* ---- both stores ---- */

static int find_shipped(const struct compile_job *job,
			struct job_defines *left_out)
{
	char *key = make_key(job);
	char *path = xasprintf("%s/kernels/%s", paths()->modules, key);
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	free(path);
	free(key);
	return fd < 0 ? -1 : open_object(fd, left_out);
}

static int find_own(const struct compile_job *job,
		    struct job_defines *left_out)
{
	struct store s;
	struct error e;
	int fd, object = -1;
	char *key;

	if (store_open(&s, STORE_KERNELS, STORE_KERNELS_BYTES, false, &e) < 0)
		return -1;
	key = make_user_key(job);
	fd = store_find(&s, key);
	if (fd >= 0)
		object = open_object(fd, left_out);
	if (fd >= 0 && object < 0)
		store_drop(&s, key);
	free(key);
	store_close(&s);
	return object;
}

/* Returns whether a job's object may be stored or come from a store: it does
 * not depend on the time of its compilation. */
static bool may_be_stored(const struct compile_job *job)
{
	return !job->unconfined && !job->no_store &&
	       !strstr(job->text, "__DATE__") &&
	       !strstr(job->text, "__TIME");
}

int compile_store_find(const struct compile_job *job,
		       struct job_defines *left_out)
{
	int object;

	if (!may_be_stored(job))
		return -1;
	object = find_shipped(job, left_out);
	return object >= 0 ? object : find_own(job, left_out);
}

/* Returns the bytes of a stored file. */
static struct str pack_object(const char *object, size_t bytes,
			      const struct job_defines *left_out)
{
	struct store_end end = { .object_bytes = bytes };
	struct str s = { 0 };

	str_addn(&s, object, bytes);
	for (size_t i = 0; i < left_out->count; i++) {
		const struct trace_define *d = &left_out->list[i];

		str_addn(&s, d->name, strlen(d->name) + 1);
		str_addn(&s, d->value, strlen(d->value) + 1);
	}
	end.left_out_bytes = s.len - bytes;
	memcpy(end.magic, store_magic, sizeof(store_magic));
	str_addn(&s, (const char *)&end, offsetof(struct store_end, digest));
	sum_bytes_before(s.data, s.len, end.digest);
	str_addn(&s, (const char *)end.digest, sizeof(end.digest));
	return s;
}

void compile_store_put(const struct compile_job *job, int object,
		       const struct job_defines *left_out)
{
	size_t bytes = 0;
	struct store s;
	struct error e;
	struct str file;
	char *data, *key;

	if (!may_be_stored(job) ||
	    store_open(&s, STORE_KERNELS, STORE_KERNELS_BYTES, true, &e) < 0)
		return;
	data = read_object_file(object, &bytes);
	if (data) {
		file = pack_object(data, bytes, left_out);
		key = make_user_key(job);
		store_put(&s, key, file.data, file.len);
		free(key);
		str_done(&file);
		free(data);
	}
	store_close(&s);
}
