/*
 * headers: see headers.h.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cpp_words.h"
#include "base/text.h"
#include "runner/headers.h"

/* ---- names ---- */

/* The parts of a path, without those that cancel out. */
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

struct finding {
	struct job_kernel *k;
	struct job_defines real;	/* what files are called, by name sent */
	char *base;		/* the folder of the kernel's file, absolute */
	const char *folder;	/* of the text that is read, from the base */
	size_t bytes;
};

/* A message is UTF-8, a file's name any bytes: "%BE%D8" for what is not. */
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

static const char *name_real(const struct finding *f, const char *sent)
{
	const char *name = job_defined(&f->real, sent);

	return name ? name : sent;
}

/* One that CUDA has, too, is CUDA's. */
static bool is_cudas(const char *name)
{
	char *path = xasprintf("%s/%s", paths()->cuda, name);
	bool is = access(path, R_OK) == 0;

	free(path);
	return is;
}

static bool is_below(const char *path, const char *folder)
{
	size_t n = strlen(folder);

	return !strncmp(path, folder, n) && path[n] == '/';
}

/*
 * Whether the name is the file's own, or leads by links to one below the
 * kernel's folder or one of -I: a link that came with a stranger's file does
 * not say what of ours is read.
 */
static bool is_ours(const struct finding *f, const char *own,
		    const char *whole)
{
	char *real = realpath(whole, NULL), *linear = NULL;
	bool ours = real && is_below(real, f->base);

	for (size_t i = 0; real && !ours && i < f->real.count; i++) {
		char *folder = xasprintf("%s/%s", f->base,
					 f->real.list[i].value);
		char *at = realpath(folder, NULL);

		ours = at && is_below(real, at);
		free(at);
		free(folder);
	}
	if (real && !ours)
		linear = headers_relative(f->base, real);
	ours = ours || (linear && !strcmp(linear, own));
	free(linear);
	free(real);
	return ours;
}

/* A header's text, whatever it is. */
static char *utf8(const char *text)
{
	bool other;
	char *decoded = text_decoded(text, &other);

	return decoded ? decoded : text_utf8(text);
}

/* Takes the header `name` of this folder, both from the base; false: it is not
 * there. */
static bool header_take(struct finding *f, const char *folder,
			const char *name)
{
	char *path = xasprintf("%s/%s", *folder ? folder : ".", name);
	char *own = headers_name(path), *sent = name_sent(own);
	char *whole, *text, *clean;
	struct error e;
	size_t length;
	bool taken = false;

	whole = xasprintf("%s/%s", f->base, own);
	if (job_defined(&f->k->headers, sent)) {
		taken = true;
	} else if (headers_up(own) >= 0 &&
		   f->k->headers.count < HEADERS_COUNT_MAX &&
		   is_ours(f, own, whole)) {
		text = file_read(whole, HEADER_TEXT_MAX, &length, &e);
		clean = text && strlen(text) == length ? utf8(text) : NULL;
		taken = clean && f->bytes + strlen(clean) < HEADERS_TEXT_MAX;
		if (taken) {
			f->bytes += strlen(clean);
			job_define(&f->k->headers, sent, clean);
			job_define(&f->real, sent, own);
		}
		free(clean);
		free(text);
	}
	free(whole);
	free(sent);
	free(own);
	free(path);
	return taken;
}

/* What a directive includes, or names for one that does: "#define USER
 * <user.h>"; heap. NULL: it does not. */
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

static void include_find(void *ctx, const char *name, bool quoted)
{
	struct finding *f = ctx;
	bool found = false;

	if (is_cudas(name) || *name == '/')
		return;
	if (quoted)
		found = header_take(f, f->folder, name);
	for (size_t i = 0; i < f->k->folders.count && !found; i++)
		found = header_take(f, name_real(f,
					f->k->folders.list[i].name), name);
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

/* Folders as the reader named them become names; CUDA's own is none. */
static void folders_make(struct finding *f)
{
	struct job_defines given = f->k->folders;

	f->k->folders = (struct job_defines){ .count = 0 };
	for (size_t i = 0; i < given.count; i++) {
		char *whole = realpath(given.list[i].name, NULL);
		char *cuda = whole ? xasprintf("%s/cuda_runtime.h", whole) :
				     NULL;
		char *name = whole ? headers_relative(f->base, whole) : NULL;
		char *sent = name ? name_sent(name) : NULL;

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

/* The program's other files come along as headers do; from now on their names
 * are from the base. */
static void files_take(struct finding *f)
{
	struct job_program *p = &f->k->program;
	struct job_defines given = p->files;

	free(p->folder);
	p->folder = xstrdup(f->base);
	p->files = (struct job_defines){ .count = 0 };
	for (size_t i = 0; i < given.count; i++) {
		char *whole = realpath(given.list[i].name, NULL);
		char *name = whole ? headers_relative(f->base, whole) : NULL;

		if (name && header_take(f, "", name))
			job_define(&p->files, name, "");
		free(name);
		free(whole);
	}
	job_defines_done(&given);
}

void headers_find(struct job_kernel *k, const char *path)
{
	const char *slash = strrchr(path, '/');
	char *folder = slash ? xstrndup(path, (size_t)(slash - path) + 1) :
			       xstrdup(".");
	struct finding f = { .k = k, .base = realpath(folder, NULL) };

	free(folder);
	job_defines_done(&k->headers);
	if (!f.base)
		return;
	folders_make(&f);
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
	free(f.base);
}

/* ---- messages ---- */

void headers_members(json_t *source, const struct job_kernel *k)
{
	json_t *list;

	if (k->headers.count)
		json_object_set_new(source, "headers",
				    job_defines_members(&k->headers));
	if (!k->folders.count)
		return;
	list = json_array();
	for (size_t i = 0; i < k->folders.count; i++)
		json_array_append_new(list,
				      json_string(k->folders.list[i].name));
	json_object_set_new(source, "folders", list);
}

static int wrong(const char *key, struct error *e)
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
		return wrong("folders", e);
	for (size_t i = 0; i < json_array_size(v); i++) {
		if (!is_name(json_array_get(v, i)))
			return wrong("folders", e);
		job_define(&k->folders,
			   json_string_value(json_array_get(v, i)), "");
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
	if (!json_is_object(v) || json_object_size(v) > HEADERS_COUNT_MAX)
		return wrong(key, e);
	json_object_foreach((json_t *)v, name, text) {
		size_t n = json_string_length(text);

		bytes += n;
		if (!*name || strlen(name) >= 256 || headers_up(name) < 0 ||
		    !json_is_string(text) || n > HEADER_TEXT_MAX ||
		    strlen(json_string_value(text)) != n ||
		    bytes > HEADERS_TEXT_MAX)
			return wrong(key, e);
		job_define(&k->headers, name, json_string_value(text));
	}
	return 0;
}
