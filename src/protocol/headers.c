/*
 * headers: see headers.h.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/lang.h"
#include "base/cpp_words.h"
#include "base/text.h"
#include "kernels/kernels.h"
#include "protocol/headers.h"
#include "protocol/missing_files.h"

/* ---- names ---- */

/* Splits a path into its parts, without those that cancel out. */
static size_t parts_make(char *path, char **parts, size_t most)
{
	size_t n = 0;

	for (char *save, *p = strtok_r(path, "/", &save); p;
	     p = strtok_r(NULL, "/", &save)) {
		if (!strcmp(p, "."))
			continue;
		if (!strcmp(p, "..") && n && strcmp(parts[n - 1], "..") != 0)
			n--;
		else if (n < most)
			parts[n++] = p;
	}
	return n;
}

#define PARTS_MAX 64

char *headers_name(const char *path)
{
	char *copy = xstrdup(path), *parts[PARTS_MAX];
	size_t n = parts_make(copy, parts, PARTS_MAX);
	struct str s = { 0 };

	for (size_t i = 0; i < n; i++)
		str_addf(&s, "%s%s", i ? "/" : "", parts[i]);
	str_add(&s, "");
	free(copy);
	return str_take(&s);
}

int headers_up(const char *name)
{
	char *clean = headers_name(name);
	const char *s = clean;
	int up = 0;

	for (; !strncmp(s, "..", 2) && (s[2] == '/' || !s[2]); s += 2 + !!s[2])
		up++;
	if (strcmp(clean, name) != 0 || up > HEADERS_UP_MAX)
		up = -1;
	free(clean);
	return up;
}

char *headers_relative(const char *from, const char *to)
{
	char *a = xstrdup(from), *b = xstrdup(to);
	char *x[PARTS_MAX], *y[PARTS_MAX];
	size_t n = parts_make(a, x, PARTS_MAX), m = parts_make(b, y, PARTS_MAX);
	size_t same = 0;
	struct str s = { 0 };

	while (same < n && same < m && !strcmp(x[same], y[same]))
		same++;
	for (size_t i = same; i < n; i++)
		str_addf(&s, "%s..", s.len ? "/" : "");
	for (size_t i = same; i < m; i++)
		str_addf(&s, "%s%s", s.len ? "/" : "", y[i]);
	str_add(&s, "");
	free(a);
	free(b);
	return str_take(&s);
}

/* ---- finding ---- */

struct header_search {
	struct job_kernel *k;
	struct job_defines real;	/* what files are called, by name sent */
	/* Folders from which files may come: the kernel's own, those of the
	 * program's other files, those of -I; absolute, without links. */
	struct job_defines allowed;
	char *base;		/* the folder of the kernel's file, absolute */
	const char *folder;	/* of the text that is read, from the base */
	size_t bytes;
};

/* Encodes a file's name, which may be any bytes, as UTF-8 for a message:
 * invalid bytes become "%BE%D8". Heap. */
static char *name_sent(const char *name)
{
	struct str s = { 0 };
	size_t left = strlen(name);
	uint32_t cp;

	str_add(&s, "");
	for (size_t n; left; name += n, left -= n) {
		n = text_decode(name, left, &cp);
		if (n == 1 && (unsigned char)*name >= 0x80)
			str_addf(&s, "%%%02X", (unsigned char)*name);
		else
			str_addn(&s, name, n);
	}
	return str_take(&s);
}

static const char *name_real(const struct header_search *f, const char *sent)
{
	const char *name = job_defined(&f->real, sent);

	return name ? name : sent;
}

/* Returns whether CUDA has a header of this name, which is then CUDA's. */
static bool is_cudas(const char *name)
{
	char *path = xasprintf("%s/%s", paths()->cuda, name);
	bool is = *name != '/' && !strstr(name, "..") &&
		  access(path, R_OK) == 0;

	free(path);
	return is;
}

/* Returns whether a file, by its path without links, may be taken. */
static bool may_take_header(const struct header_search *f, const char *real)
{
	for (size_t i = 0; i < f->allowed.count; i++)
		if (file_is_below(real, f->allowed.list[i].name))
			return true;
	return false;
}

/* Adds a header that a limit excludes to those outside, with the reason, so that
 * the compiler's message can say it. Frees the reason. */
static void note_limit(struct header_search *f, const char *name, char *reason)
{
	char *why = xasprintf(HEADERS_LARGE "%s", reason);

	job_define(&f->k->outside, name, why);
	free(why);
	free(reason);
}

/* Adds a header to those outside if it has more bytes than are read. */
static void note_large(struct header_search *f, const char *name, int fd)
{
	struct stat st;

	if (fstat(fd, &st) < 0 || st.st_size <= (off_t)HEADER_TEXT_MAX)
		return;
	note_limit(f, name,
		   xasprintf(_("has %lld bytes, of which at most %u are "
			       "read"),
			     (long long)st.st_size, HEADER_TEXT_MAX));
}

/* Reads a header that may be taken. NULL: it is not there, or too large, or,
 * which is noted, it is outside; `name` is how it is included, or NULL. */
static char *read_allowed_header(struct header_search *f, const char *own,
				 const char *name)
{
	char *whole = xasprintf("%s/%s", f->base, own);
	char *real, *text = NULL, *folder;
	int fd = file_place(whole, &real);
	struct error e;
	size_t length;

	if (fd >= 0 && may_take_header(f, real))
		text = file_read_place(fd, whole, HEADER_TEXT_MAX, &length, &e);
	if (fd >= 0 && !text && may_take_header(f, real) && name)
		note_large(f, name, fd);
	if (real && !may_take_header(f, real) && name) {
		folder = seek_allowing(f->base, headers_up(own), real);
		job_define(&f->k->outside, name, folder);
		free(folder);
	}
	if (text && strlen(text) != length) {
		free(text);
		text = NULL;
	}
	if (fd >= 0)
		close(fd);
	free(whole);
	free(real);
	return text;
}

/* Returns a header's text as UTF-8, whatever its encoding; heap. */
static char *header_utf8(const char *text)
{
	bool other;
	char *decoded = text_decoded(text, &other);

	return decoded ? decoded : text_utf8(text);
}

/* Takes the header `name` of this folder, both from the base; false: it is not
 * there. `included` is its name in the include, or NULL. */
static bool header_take(struct header_search *f, const char *folder,
			const char *name, const char *included)
{
	char *path = xasprintf("%s/%s", *folder ? folder : ".", name);
	char *own = headers_name(path), *sent = name_sent(own);
	char *text, *clean;
	bool taken = false;

	if (job_defined(&f->k->headers, sent)) {
		taken = true;
	} else if (headers_up(own) >= 0 &&
		   f->k->headers.count < HEADERS_COUNT_MAX) {
		text = read_allowed_header(f, own, included);
		clean = text ? header_utf8(text) : NULL;
		taken = clean && f->bytes + strlen(clean) < HEADERS_TEXT_MAX;
		if (clean && !taken && included)
			note_limit(f, included,
				   xasprintf(_("is one too many: "
					       "all headers together may have "
					       "%u bytes"),
					     HEADERS_TEXT_MAX));
		if (taken) {
			f->bytes += strlen(clean);
			job_define(&f->k->headers, sent, clean);
			job_define(&f->real, sent, own);
		}
		free(clean);
		free(text);
	}
	free(sent);
	free(own);
	free(path);
	return taken;
}

/* Returns the name that a directive includes, or that it defines for an
 * #include: "#define USER <user.h>"; heap. NULL when it does neither. */
static char *include_name(const struct cpp_word *directive, bool *quoted)
{
	struct cpp_text t = { directive->at + 1,
			      directive->at + directive->length, false, true };
	struct cpp_word w = cpp_next_code(&t);
	const char *at, *end = NULL;

	if (cpp_is(&w, "define"))
		cpp_next_code(&t);
	else if (!cpp_is(&w, "include"))
		return NULL;
	at = t.at + strspn(t.at, " \t");
	*quoted = *at == '"';
	if (*quoted || *at == '<')
		end = strpbrk(at + 1, *quoted ? "\"\n" : ">\n");
	return end && *end != '\n' ?
	       xstrndup(at + 1, (size_t)(end - at - 1)) : NULL;
}

void headers_includes(const char *text,
		      void (*each)(void *ctx, const char *name, bool quoted),
		      void *ctx)
{
	size_t count;
	struct cpp_word *w = cpp_code(text, strlen(text), true, &count);

	for (size_t i = 0; i < count; i++) {
		bool quoted;
		char *name = w[i].kind == CPP_DIRECTIVE ?
			     include_name(&w[i], &quoted) : NULL;

		if (name)
			each(ctx, name, quoted);
		free(name);
	}
	free(w);
}

/* Adds a file that is included by its whole name to those that are outside;
 * which of the system's files a text may have, the compiler knows. */
static void note_absolute(struct header_search *f, const char *name)
{
	char *real, *folder;
	int place = file_place(name, &real);

	if (place < 0)
		return;
	folder = seek_allowing(f->base, 0, real);
	job_define(&f->k->outside, name, folder);
	close(place);
	free(folder);
	free(real);
}

static void include_find(void *ctx, const char *name, bool quoted)
{
	struct header_search *f = ctx;
	bool found = false;

	if (is_cudas(name))
		return;
	if (*name == '/') {
		note_absolute(f, name);
		return;
	}
	if (quoted)
		found = header_take(f, f->folder, name, name);
	for (size_t i = 0; i < f->k->folders.count && !found; i++)
		found = header_take(f, name_real(f,
					f->k->folders.list[i].name), name,
				    name);
}

char *headers_folder(const char *name)
{
	const char *end = strrchr(name, '/');

	return xstrndup(name, end ? (size_t)(end - name) : 0);
}

static const char *text_in(const struct job_kernel *k, const char *folder,
			   const char *name)
{
	char *path = xasprintf("%s/%s", *folder ? folder : ".", name);
	char *own = headers_name(path);
	const char *text = job_defined(&k->headers, own);

	free(own);
	free(path);
	return text;
}

const char *headers_text(const struct job_kernel *k, const char *folder,
			 const char *name, bool quoted)
{
	const char *text = quoted ? text_in(k, folder, name) : NULL;

	for (size_t i = 0; i < k->folders.count && !text; i++)
		text = text_in(k, k->folders.list[i].name, name);
	return text;
}

/* Converts the folders of -I to names relative to the base. Skips CUDA's own
 * folder. */
static void name_folders(struct header_search *f)
{
	struct job_defines given = f->k->folders;

	f->k->folders = (struct job_defines){ .count = 0 };
	for (size_t i = 0; i < given.count; i++) {
		char *whole = realpath(given.list[i].name, NULL);
		char *cuda = whole ? xasprintf("%s/cuda_runtime.h", whole) :
				     NULL;
		char *name = whole ? headers_relative(f->base, whole) : NULL;
		char *sent = name ? name_sent(name) : NULL;

		if (whole)
			job_define(&f->allowed, whole, "");
		if (name && headers_up(name) >= 0 && access(cuda, R_OK) != 0) {
			job_define(&f->k->folders, sent, "");
			job_define(&f->real, sent, name);
		}
		free(sent);
		free(name);
		free(cuda);
		free(whole);
	}
	job_defines_done(&given);
}

/* Takes one of the program's other files. Its folder is a file's own, too, if
 * the reader named the file. */
static void take_program_file(struct header_search *f,
			      const struct trace_define *given)
{
	char *whole = realpath(given->name, NULL);
	char *name = whole ? headers_relative(f->base, whole) : NULL;
	char *sent = name ? name_sent(name) : NULL;

	if (name && strcmp(given->value, HEADERS_FOUND) != 0) {
		char *folder = headers_folder(whole);

		job_define(&f->allowed, *folder ? folder : "/", "");
		free(folder);
	}
	if (name && header_take(f, "", name, NULL))
		job_define(&f->k->program.files, sent, given->value);
	free(sent);
	free(name);
	free(whole);
}

/* Adds the program's other files to the headers, under names relative to the
 * base. */
static void files_take(struct header_search *f)
{
	struct job_program *p = &f->k->program;
	struct job_defines given = p->files;

	free(p->folder);
	p->folder = xstrdup(f->base);
	p->files = (struct job_defines){ .count = 0 };
	for (size_t i = 0; i < given.count; i++)
		take_program_file(f, &given.list[i]);
	job_defines_done(&given);
}

void headers_find(struct job_kernel *k, const char *path)
{
	const char *slash = strrchr(path, '/');
	char *folder = slash ? xstrndup(path, (size_t)(slash - path) + 1) :
			       xstrdup(".");
	struct header_search f = { .k = k, .base = realpath(folder, NULL) };

	free(folder);
	job_defines_done(&k->headers);
	job_defines_done(&k->outside);
	if (!f.base)
		return;
	/* The standard input has no folder of its own. */
	if (!kernel_is_input(path))
		job_define(&f.allowed, f.base, "");
	name_folders(&f);
	files_take(&f);
	f.folder = "";
	headers_includes(k->text, include_find, &f);
	/* The list grows while it is read. */
	for (size_t i = 0; i < k->headers.count; i++) {
		char *folder = headers_folder(
			name_real(&f, k->headers.list[i].name));
		char *text = xstrdup(k->headers.list[i].value);

		f.folder = folder;
		headers_includes(text, include_find, &f);
		free(text);
		free(folder);
	}
	job_defines_done(&f.real);
	job_defines_done(&f.allowed);
	free(f.base);
}

/* ---- messages ---- */

void headers_members(json_t *source, const struct job_kernel *k)
{
	json_t *list;

	if (k->headers.count)
		json_object_set_new(source, "headers",
				    job_defines_members(&k->headers));
	if (k->outside.count)
		json_object_set_new(source, "outside",
				    job_defines_members(&k->outside));
	if (!k->folders.count)
		return;
	list = json_array();
	for (size_t i = 0; i < k->folders.count; i++)
		json_array_append_new(list,
				      json_string(k->folders.list[i].name));
	json_object_set_new(source, "folders", list);
}

static int fail_names(const char *key, struct error *e)
{
	return error_set(e, EXIT_USAGE, "bad request: \"%s\" must be names "
			 "from the kernel's folder, and not too much", key);
}

static bool is_name(const json_t *name)
{
	const char *s = json_string_value(name);

	return s && strlen(s) == json_string_length(name) &&
	       strlen(s) < 256 && headers_up(s) >= 0;
}

static int folders_read(struct job_kernel *k, const json_t *v, struct error *e)
{
	if (!json_is_array(v) || json_array_size(v) > HEADERS_COUNT_MAX)
		return fail_names("folders", e);
	for (size_t i = 0; i < json_array_size(v); i++) {
		if (!is_name(json_array_get(v, i)))
			return fail_names("folders", e);
		job_define(&k->folders,
			   json_string_value(json_array_get(v, i)), "");
	}
	return 0;
}

/* Reads the names of files that are outside, and what would allow them. */
static int read_outside(struct job_kernel *k, const json_t *v, struct error *e)
{
	const char *name;
	json_t *folder;

	if (!json_is_object(v) || json_object_size(v) > HEADERS_COUNT_MAX)
		return fail_names("outside", e);
	json_object_foreach((json_t *)v, name, folder) {
		if (!json_is_string(folder))
			return fail_names("outside", e);
		job_define(&k->outside, name, json_string_value(folder));
	}
	return 0;
}

int headers_read(struct job_kernel *k, const char *key, const json_t *v,
		 struct error *e)
{
	size_t bytes = 0;
	const char *name;
	json_t *text;

	if (!strcmp(key, "folders"))
		return folders_read(k, v, e);
	if (!strcmp(key, "outside"))
		return read_outside(k, v, e);
	if (!json_is_object(v) || json_object_size(v) > HEADERS_COUNT_MAX)
		return fail_names(key, e);
	json_object_foreach((json_t *)v, name, text) {
		size_t n = json_string_length(text);

		bytes += n;
		if (!*name || strlen(name) >= 256 || headers_up(name) < 0 ||
		    !json_is_string(text) || n > HEADER_TEXT_MAX ||
		    strlen(json_string_value(text)) != n ||
		    bytes > HEADERS_TEXT_MAX)
			return fail_names(key, e);
		job_define(&k->headers, name, json_string_value(text));
	}
	return 0;
}
