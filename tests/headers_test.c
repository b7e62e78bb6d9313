/*
 * headers_test: names of headers, which come from a file's folder or from a
 * stranger's message, and the bounds of what such a message holds.
 */
#include <stdlib.h>
#include <string.h>

#include "protocol/headers.h"
#include "tap.h"

static void check_name(const char *path, const char *want)
{
	char *name = headers_name(path);

	tap_str(name, want, "the name of %s", path);
	free(name);
}

static void test_name(void)
{
	check_name("a.h", "a.h");
	check_name("./a.h", "a.h");
	check_name("a//b/./c.h", "a/b/c.h");
	check_name("a/../b.h", "b.h");
	check_name("a/../../b.h", "../b.h");
	check_name("../../b.h", "../../b.h");
	check_name("a/b/../../..", "..");
	check_name("..a/b.h", "..a/b.h");
	check_name("", "");
}

/* Returns "../" this many times, then "a.h"; heap. */
static char *name_above(int up)
{
	struct str s = { 0 };

	for (int i = 0; i < up; i++)
		str_add(&s, "../");
	str_add(&s, "a.h");
	return str_take(&s);
}

static void test_up(void)
{
	for (int up = 0; up <= HEADERS_UP_MAX + 1; up++) {
		char *name = name_above(up);

		tap_is(headers_up(name), up <= HEADERS_UP_MAX ? up : -1,
		       "%d folders up", up);
		free(name);
	}
	tap_is(headers_up(".."), 1, "a folder above");
	tap_is(headers_up("a/../b.h"), -1, "up in the middle");
	tap_is(headers_up("../a/../../b.h"), -1, "... and again");
	tap_is(headers_up("./a.h"), -1, "not in its shortest form");
	tap_is(headers_up("a//b.h"), -1, "with an empty part");
	tap_is(headers_up("/etc/passwd"), -1, "absolute");
	tap_is(headers_up("a/"), -1, "a folder's slash");
	tap_is(headers_up("..a/b.h"), 0, "a name that begins with two dots");
}

static void check_relative(const char *from, const char *to, const char *want)
{
	char *name = headers_relative(from, to);

	tap_str(name, want, "%s from %s", to, from);
	free(name);
}

static void test_relative(void)
{
	check_relative("/a/b", "/a/b/c.h", "c.h");
	check_relative("/a/b", "/a/bc/d.h", "../bc/d.h");
	check_relative("/a/b", "/x/y.h", "../../x/y.h");
	check_relative("/a/b", "/a", "..");
	check_relative("/a/b", "/a/b", "");
	check_relative("/", "/x", "x");
}

/* Checks whether a message's member is read; takes it. */
static void check_read(const char *key, json_t *member, bool good,
		       const char *what)
{
	struct job_kernel k = { 0 };
	struct error e = { 0 };
	int status = headers_read(&k, key, member, &e);

	tap_ok(good ? status == 0 : status < 0 && e.status == EXIT_USAGE,
	       "%s: %s", what, good ? "read" : "refused");
	job_defines_done(&k.headers);
	job_defines_done(&k.folders);
	json_decref(member);
}

/* Returns a text of so many bytes; heap. */
static char *text_of_length(size_t n)
{
	char *text = xmalloc(n + 1);

	memset(text, 'a', n);
	text[n] = '\0';
	return text;
}

/* Checks one header of this name with a text of so many bytes. */
static void check_header(const char *name, size_t bytes, bool good,
			 const char *what)
{
	char *text = text_of_length(bytes);

	check_read("headers", json_pack("{ss}", name, text), good, what);
	free(text);
}

static void test_bytes(void)
{
	char *text = text_of_length(HEADER_TEXT_MAX), *name;
	const size_t whole = HEADERS_TEXT_MAX / HEADER_TEXT_MAX;

	check_header("a.h", HEADER_TEXT_MAX, true, "the longest text");
	check_header("a.h", HEADER_TEXT_MAX + 1, false, "one that is longer");
	for (size_t count = whole; count <= whole + 1; count++) {
		json_t *all = json_object();

		for (size_t i = 0; i < count; i++) {
			name = xasprintf("%zu.h", i);
			json_object_set_new(all, name, json_string(text));
			free(name);
		}
		check_read("headers", all, count == whole, "many long texts");
	}
	free(text);
}

static void test_counts(void)
{
	for (int more = 0; more < 2; more++) {
		json_t *all = json_object(), *folders = json_array();

		for (int i = 0; i < HEADERS_COUNT_MAX + more; i++) {
			char *name = xasprintf("%d", i);

			json_object_set_new(all, name, json_string(""));
			json_array_append_new(folders, json_string(name));
			free(name);
		}
		check_read("headers", all, !more, "many headers");
		check_read("folders", folders, !more, "many folders");
	}
}

static void test_read(void)
{
	char *longest = text_of_length(255), *longer = text_of_length(256);
	char *above = name_above(HEADERS_UP_MAX + 1);

	check_header("inc/a.h", 3, true, "a header");
	check_header(longest, 3, true, "the longest name");
	check_header(longer, 3, false, "a longer name");
	check_header(above, 3, false, "a name too far up");
	check_header("/etc/a.h", 3, false, "an absolute name");
	check_header("a/../b.h", 3, false, "a name that turns back");
	check_header("", 3, false, "no name");
	check_read("headers", json_pack("{si}", "a.h", 1), false, "no text");
	check_read("headers", json_pack("{ss%}", "a.h", "a\0b", (size_t)3),
		   false, "a text with a zero byte");
	check_read("headers", json_pack("[]"), false, "a list");
	check_read("folders", json_pack("[ss]", "inc", longest), true,
		   "folders");
	check_read("folders", json_pack("[s]", longer), false,
		   "a folder's longer name");
	check_read("folders", json_pack("[s]", above), false,
		   "a folder too far up");
	check_read("folders", json_pack("[s%]", "a\0b", (size_t)3), false,
		   "a folder with a zero byte");
	check_read("folders", json_pack("[i]", 1), false, "a number");
	check_read("folders", json_pack("{}"), false, "no list of folders");
	free(longest);
	free(longer);
	free(above);
}

int main(void)
{
	test_name();
	test_up();
	test_relative();
	test_bytes();
	test_counts();
	test_read();
	return tap_done();
}
