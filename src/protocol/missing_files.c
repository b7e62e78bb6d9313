/*
 * missing_files: see missing_files.h.
 */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cpp_words.h"
#include "base/text.h"
#include "protocol/headers.h"
#include "protocol/job.h"
#include "protocol/missing_files.h"

/* How many folders are looked at, how far below one, and above the base; and
 * how many sources, of how many bytes. */
#define SEEK_FOLDERS 2000
#define SEEK_DEPTH 4
#define SEEK_UP 3
#define SEEK_SOURCES 500
#define SOURCE_BYTES (1u << 20)

struct seek_folders {
	struct seek_folder { char *path; int depth; } *list;
	size_t count, capacity;
};

/* What is looked for: the path of it in a folder, which is heap, or NULL. */
struct seek {
	char *(*in)(struct seek *s, const char *folder);
	const char *name;
	size_t read;		/* sources */
	bool more;		/* another would do, too */
};

static void add_seek_folder(struct seek_folders *f, char *path, int depth)
{
	grow(&f->list, &f->capacity, f->count + 1, sizeof(*f->list));
	f->list[f->count++] = (struct seek_folder) { path, depth };
}

/* Adds a folder's folders, without hidden ones and links. */
static void folders_below(struct seek_folders *f, const char *path, int depth)
{
	DIR *d = xopendir(path);
	struct dirent *e;

	while (d && (e = readdir(d)) && f->count < SEEK_FOLDERS)
		if (e->d_type == DT_DIR && *e->d_name != '.')
			add_seek_folder(f, xasprintf("%s/%s", path, e->d_name),
					depth + 1);
	if (d)
		closedir(d);
}

/* Takes what was found: the first. */
static void seek_take(struct seek *s, char **found, char *path)
{
	if (!*found) {
		*found = path;
	} else if (path) {
		s->more = true;
		free(path);
	}
}

/* Finds the nearest match at or below `top`. */
static char *seek_below(struct seek *s, const char *top)
{
	struct seek_folders f = { .count = 0 };
	char *found = NULL;

	add_seek_folder(&f, xstrdup(top), 0);
	for (size_t i = 0; i < f.count && !s->more; i++) {
		struct seek_folder at = f.list[i];

		seek_take(s, &found, s->in(s, at.path));
		if (at.depth < SEEK_DEPTH)
			folders_below(&f, at.path, at.depth);
	}
	for (size_t i = 0; i < f.count; i++)
		free(f.list[i].path);
	free(f.list);
	return found;
}

/* Tests for a folder that can be a project's: not directly below the root, and
 * not the user's home. */
static bool is_project(const char *path)
{
	const char *home = getenv("HOME"), *slash = strrchr(path, '/');

	return slash && slash > path && (!home || strcmp(path, home) != 0);
}

/* Replaces the path by one relative to the current folder if that is
 * shorter. */
static char *shorten_path(char *path)
{
	char *here = path ? realpath(".", NULL) : NULL, *words;

	if (!here)
		return path;
	words = strcmp(here, path) ? headers_relative(here, path) :
				     xstrdup(".");
	free(here);
	if (*words && strlen(words) < strlen(path)) {
		free(path);
		return words;
	}
	free(words);
	return path;
}

static char *seek_around(struct seek *s, const char *base, int most)
{
	char *top = xstrdup(base), *found = NULL;

	for (int up = 0; up <= most && !found && is_project(top); up++) {
		found = seek_below(s, top);
		*strrchr(top, '/') = '\0';
	}
	free(top);
	return shorten_path(found);
}

/* ---- headers ---- */

static char *header_in(struct seek *s, const char *folder)
{
	char *path = xasprintf("%s/%s", folder, s->name);
	bool there = access(path, R_OK) == 0;

	free(path);
	return there ? xstrdup(folder) : NULL;
}

/* Returns what the file's own folder has, or, for the reader to name, what is
 * around it. */
static char *seek_own_first(struct seek *s, const char *base, int up,
			    bool *own)
{
	char *found = s->in(s, base);

	*own = found && !s->more;
	return found ? shorten_path(found) : seek_around(s, base, up);
}

char *seek_header(const char *base, const char *name, bool *own)
{
	struct seek s = { .in = header_in, .name = name };

	*own = false;
	if (*name == '/' || strstr(name, ".."))
		return NULL;
	return seek_own_first(&s, base, SEEK_UP, own);
}

char *seek_allowing(const char *base, int up, const char *real)
{
	char *folder = xstrdup(base), *word;

	for (int i = 0; i < up && strrchr(folder, '/'); i++)
		*strrchr(folder, '/') = '\0';
	if (up <= 0 || !is_project(folder) || !file_is_below(real, folder)) {
		free(folder);
		folder = headers_folder(real);
	}
	if (!*folder) {
		free(folder);
		folder = xstrdup("/");
	}
	folder = shorten_path(folder);
	word = text_shell_word(folder);
	free(folder);
	return word;
}

/* ---- sources ---- */

bool seek_is_source(const char *name)
{
	static const char *const ends[] = { ".cu", ".cpp", ".cc", ".cxx",
					    ".c" };
	const char *end = strrchr(name, '.');

	for (size_t i = 0; end && i < LENGTH(ends); i++)
		if (!strcmp(end, ends[i]))
			return true;
	return false;
}

/* "name(...) {", or with a word like const before the brace. */
static bool defines_function(const char *text, size_t length, const char *name)
{
	struct cpp_text t = { text, text + length, true, false };
	struct cpp_word w;

	for (w = cpp_next_code(&t); w.kind; w = cpp_next_code(&t)) {
		struct cpp_text rest = t;
		struct cpp_word b = cpp_next_code(&rest);
		int depth = 0;

		if (!cpp_is(&w, name) || b.kind != '(')
			continue;
		do {
			depth += (b.kind == '(') - (b.kind == ')');
			b = cpp_next_code(&rest);
		} while (b.kind && depth > 0);
		if (b.kind == CPP_WORD)
			b = cpp_next_code(&rest);
		if (b.kind == '{')
			return true;
	}
	return false;
}

/* Returns whether a source in the folder defines the function. Links are no
 * sources: what they lead to may be anywhere. */
static bool source_has(const char *folder, const char *file, const char *name)
{
	char *path = xasprintf("%s/%s", folder, file), *real, *text = NULL;
	int fd = file_place(path, &real);
	struct error e = { 0 };
	size_t length;
	bool has;

	if (fd >= 0 && !strcmp(real, path))
		text = file_read_place(fd, path, SOURCE_BYTES, &length, &e);
	if (fd >= 0)
		close(fd);
	free(real);
	free(path);
	has = text && defines_function(text, length, name) &&
	      (!strcmp(name, "main") || !job_program_main(text));
	free(text);
	return has;
}

static char *source_in(struct seek *s, const char *folder)
{
	DIR *d = xopendir(folder);
	char *found = NULL, *path;
	struct dirent *e;

	while (d && !s->more && s->read < SEEK_SOURCES && (e = readdir(d))) {
		if (!seek_is_source(e->d_name) || *e->d_name == '@')
			continue;
		s->read++;
		if (!source_has(folder, e->d_name, s->name))
			continue;
		path = xasprintf("%s/%s", folder, e->d_name);
		seek_take(s, &found, path);
	}
	if (d)
		closedir(d);
	return found;
}

char *seek_source(const char *base, const char *name, bool *own)
{
	struct seek s = { .in = source_in, .name = name };

	return seek_own_first(&s, base, 1, own);
}
