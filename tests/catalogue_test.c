/* catalogue: translations are found, and no damaged file does harm. */
#include "base/catalogue.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/base.h"
#include "tap.h"

/* "", "a", "one" with its plural, "z"; z's translation is empty. */
static const char texts[4][12] = { "", "a", "one\0many", "z" };
static const char translations[4][12] = { "x: y\n", "A", "eins\0zwei", "" };
static const uint32_t lengths[4] = { 0, 1, 8, 1 };
static const uint32_t translated[4] = { 5, 1, 9, 0 };

static void add_number(struct str *s, uint32_t v, bool swapped)
{
	if (swapped)
		v = __builtin_bswap32(v);
	str_addn(s, (const char *)&v, sizeof(v));
}

/* A catalogue as msgfmt writes it: texts from 92 on, 12 bytes each. */
static struct str make(bool swapped)
{
	struct str s = {0};
	const uint32_t head[7] = { 0x950412de, 0, 4, 28, 60, 0, 92 };

	for (size_t i = 0; i < LENGTH(head); i++)
		add_number(&s, head[i], swapped);
	for (uint32_t i = 0; i < 8; i++) {
		add_number(&s, i < 4 ? lengths[i] : translated[i - 4],
			   swapped);
		add_number(&s, 92 + 12 * i, swapped);
	}
	str_addn(&s, texts[0], sizeof(texts));
	str_addn(&s, translations[0], sizeof(translations));
	return s;
}

static void save(const char *path, const char *data, size_t n)
{
	FILE *f = fopen(path, "wb");

	if (!f || fwrite(data, 1, n, f) != n || fclose(f))
		fatal("%s: %m", path);
}

static void test_found(const char *path, bool swapped)
{
	struct str s = make(swapped);
	struct catalogue c;

	save(path, s.data, s.len);
	catalogue_open(&c, path);
	tap_str(catalogue_find(&c, "a", 0), "A", "a text");
	tap_str(catalogue_find(&c, "one", 0), "eins", "one of a plural");
	tap_str(catalogue_find(&c, "one", 1), "zwei", "... and many");
	tap_ok(!catalogue_find(&c, "one", 2) && !catalogue_find(&c, "a", 1) &&
	       !catalogue_find(&c, "one", 1000), "forms that there are not");
	tap_ok(!catalogue_find(&c, "z", 0), "what is not translated");
	tap_ok(!catalogue_find(&c, "b", 0) && !catalogue_find(&c, "zz", 0) &&
	       !catalogue_find(&c, "", 0), "what is not there");
	catalogue_close(&c);
	str_done(&s);
}

/* Asks for everything; what comes must be readable. */
static size_t asked(const char *path)
{
	static const char *const words[] = { "", "a", "one", "z", "q" };
	struct catalogue c;
	size_t n = 0;

	catalogue_open(&c, path);
	for (size_t i = 0; i < LENGTH(words); i++)
		for (unsigned form = 0; form < 3; form++) {
			const char *found = catalogue_find(&c, words[i], form);

			n += found ? strlen(found) : 0;
		}
	catalogue_close(&c);
	return n;
}

static void test_damaged(const char *path)
{
	struct str s = make(false);
	size_t whole, less = 0;

	save(path, s.data, s.len);
	whole = asked(path);
	for (size_t n = 0; n < s.len; n++) {
		save(path, s.data, n);
		less += asked(path) == 0;
	}
	tap_ok(whole == 9, "all of it is %zu bytes", whole);
	tap_ok(less >= s.len - 12, "cut short, it translates nothing");
	less = 0;
	for (size_t i = 0; i < 92; i++)
		for (int bit = 0; bit < 8; bit++) {
			s.data[i] ^= (char)(1 << bit);
			save(path, s.data, s.len);
			less += asked(path) < 2 * s.len;
			s.data[i] ^= (char)(1 << bit);
		}
	tap_ok(less == 92 * 8, "each bit of its tables, flipped");
	unlink(path);
	tap_ok(!asked(path), "a file that is not there");
	str_done(&s);
}

int main(void)
{
	char path[] = "/tmp/catalogue.XXXXXX";

	close(mkstemp(path));
	test_found(path, false);
	test_found(path, true);
	test_damaged(path);
	return tap_done();
}
