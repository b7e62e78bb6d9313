/*
 * Literals of Python are found as Python's grammar has them, whatever the bytes
 * are; their values keep the lines; what only Python knows is refused by line.
 */
#include <stdlib.h>
#include <string.h>

#include "protocol/embedded_source.h"
#include "protocol/python_strings.h"
#include "tap.h"

/* Compares texts, in which a newline is shown as |. */
static void same_text(char *got, const char *want)
{
	char *shown = xstrdup(want);

	for (char *c = got; *c; c++)
		*c = *c == '\n' ? '|' : *c;
	for (char *c = shown; *c; c++)
		*c = *c == '\n' ? '|' : *c;
	tap_str(got, shown, "%s", shown);
	free(shown);
	free(got);
}

/* Describes the literals of a text: line, flags, contents as written. */
static char *describe_strings(const char *text)
{
	struct python_strings all;
	struct str s = { 0 };

	str_add(&s, "");
	python_strings_read(&all, text, strlen(text));
	for (size_t i = 0; i < all.count; i++) {
		const struct python_string *p = &all.list[i];

		str_addf(&s, "%s%u%s%s%s%s%s%s:%.*s", i ? " " : "", p->line,
			 p->raw ? "r" : "", p->bytes ? "b" : "",
			 p->formatted ? "f" : "", p->joined ? "+" : "",
			 p->changed ? "%" : "", p->open ? "!" : "",
			 (int)(p->to - p->from), text + p->from);
	}
	python_strings_done(&all);
	return str_take(&s);
}

static void reads(const char *text, const char *want)
{
	same_text(describe_strings(text), want);
}

static void test_literals(void)
{
	reads("", "");
	reads("x = 'a' # 'b'\n\"c\"", "1:a 2:c");
	reads("'''a\n'b''', \"\"\"c\"\"\"", "1:a\n'b 2:c");
	reads("r'a\\'b' , Rb\"c\\\\\"", "1r:a\\'b 1rb:c\\\\");
	reads("u'a', bar'b', br''", "1:a 1:b 1rb:");
	reads("''\n\"\"\"\"x\"\"\"", "1: 2:\"x");
	reads("'a\\\nb'\n'c'", "1:a\\\nb 3:c");
	/* as of IPython's !echo don't */
	reads("!echo don't\n'a'", "2:a");
	reads("'''a\n", "1!:a\n");
}

static void test_formatted(void)
{
	reads("f'{a[\"b\"]}c'", "1f:{a[\"b\"]}c");
	reads("f'{a['b']}c', 'd'", "1f:{a['b']}c 1:d");
	reads("f'{{' 'x'", "1f+:{{ 1+:x");
	reads("f'{x:{w}}}' , ''", "1f:{x:{w}}} 1:");
	reads("f'{x:\"^9}', 'a'", "1f:{x:\"^9} 1:a");
	reads("f'{f\"{f'{1}'}\"}', 'a'", "1f:{f\"{f'{1}'}\"} 1:a");
	/* no field: the quotes end it all the same */
	reads("f'{', 'a'", "1f:{ 1:a");
	reads("rf'''{'''\n'a'", "1rf:{ 2:a");
}

static void test_joined(void)
{
	reads("('a' 'b')", "1+:a 1+:b");
	reads("('a'\n # c\n'b')", "1+:a 3+:b");
	reads("'a'\n'b'", "1:a 2:b");
	reads("'a' \\\n'b'", "1+:a 2+:b");
	reads("'a', 'b'", "1:a 1:b");
	reads("x + 'a'; y += 'b'; 'c' + z", "1+:a 1+:b 1+:c");
	reads("'a' % 3, 'b'.format(c), 'd'.strip()", "1%:a 1%:b 1:d");
	reads("x.format('a')", "1:a");
}

/* Takes the first literal; a reason why not stands behind "no: ". */
static char *take_first(const char *text)
{
	struct python_strings all;
	struct error e;
	char *value, *got;

	python_strings_read(&all, text, strlen(text));
	value = python_string_value(text, &all.list[0], "f.py", &e);
	got = value ? python_string_place(text, &all.list[0], value) :
		      xasprintf("no: %.*s", 7, e.text);
	free(value);
	python_strings_done(&all);
	return got;
}

static void takes(const char *text, const char *want)
{
	same_text(take_first(text), want);
}

static void test_values(void)
{
	takes("\n\tx='a'", "\n\t   a");
	takes("'''a\nb'''", "   a\nb");
	takes("r'a\\n'", "  a\\n");
	takes("'\\\\n\\t\\x41\\102\\u4e2d\\'\\q'", " \\n\tAB\u4e2d'\\q");
	takes("b'\\u0041\\x41'", "  \\u0041A");
	/* a line that Python joins is joined in CUDA, too */
	takes("'#define A \\\n1'", " #define A \\\n1");
	takes("'''#define A \\\\\n1'''", "   #define A \\\n1");
}

static void test_newlines(void)
{
	takes("'a;\\n b;\\n'", " a;  b;");
	takes("'''a;\\n\nb'''", "   a;\nb");
	takes("'a;\\n\\\nb;'", " a;\nb;");
	takes("'/*\\n*/'", " /* */");
	takes("'''\n// a\\n b'''", "no: f.py:2:");
	takes("'''\n\n#define A\\nint b;'''", "no: f.py:3:");
	takes("'int a;\\n#define B'", "no: f.py:1:");
	takes("'''\nprintf(\"%d\\n\", 1);'''", "no: f.py:2:");
	takes("'''\nprintf(\"%d\\\\n\", 1);'''", "   \nprintf(\"%d\\n\", 1);");
	takes("'''\n\n\\N{DASH}'''", "no: f.py:3:");
	takes("'\\0'", "no: f.py:1:");
	takes("'\\ud800'", "no: f.py:1:");
	takes("'\\x4'", "no: f.py:1:");
	takes("f'a'", "no: f.py:1:");
	takes("\n'a' 'b'", "no: f.py:2:");
	takes("'''a", "no: f.py:1:");
}

/* ---- the text that is chosen ---- */

static void chooses(const char *file, const char *text, const char *entry,
		    const char *want)
{
	struct embedded_source s;
	struct error e;
	char *got;

	if (embedded_source_find(&s, file, text, entry, &e))
		got = xasprintf("%d %s", e.status, e.text);
	else
		got = xasprintf("%s %s %s", s.file,
				s.entry ? s.entry : "-", s.text);
	same_text(got, want);
	embedded_source_done(&s);
}

#define K(name) "'__global__ void " name "(int a) {}'"

static void test_choice(void)
{
	chooses("f.py", "", NULL, "2 f.py has no CUDA kernel in its strings");
	chooses("f.py", "x = 'a __global__ function (there)'", NULL,
		"2 f.py has no CUDA kernel in its strings");
	chooses("f.py", "x = '__global__ void __launch_bounds__(8) k() {}'",
		NULL, "f.py -      __global__ void __launch_bounds__(8) k() {}");
	chooses("f.py", K("a") "\n" K("b"), NULL,
		"2 f.py has several kernels; choose one with --entry: a@1, b@2");
	chooses("f.py", K("a") "\n" K("b"), "b",
		"f.py b \n __global__ void b(int a) {}");
	chooses("f.py", K("a") "\n" K("a"), "a",
		"2 f.py has several kernels; choose one with --entry: a@1, a@2");
	chooses("f.py", K("a") "\n" K("a"), "a@2",
		"f.py a \n __global__ void a(int a) {}");
	chooses("f.py", K("a") "\nf" K("b"), NULL,
		"f.py -  __global__ void a(int a) {}");
	chooses("f.py", K("a") "\nf" K("b"), "b", "2 f.py:2: this string "
		"cannot be read: Python fills in its fields when it runs");
	chooses("f.py", K("a"), "n::a<1>", "f.py n::a<1>  __global__ void "
		"a(int a) {}");
	chooses("f.py", K("a"), "b",
		"2 f.py has no kernel b in its strings");
}

#define CELL(source) "{\"cell_type\":\"code\",\"source\":" source "}"
#define CELLS(list) "{\"cells\":[" list "]}"

static void test_notebooks(void)
{
	chooses("f.ipynb", "[", NULL,
		"3 f.ipynb:1: not JSON: ']' expected near end of file");
	chooses("f.ipynb", "{\"cells\":1}", NULL,
		"3 f.ipynb: not a notebook of format 4");
	chooses("f.ipynb", CELLS("1,null,{},{\"cell_type\":1}"), NULL,
		"2 f.ipynb has no CUDA kernel in its strings");
	chooses("f.ipynb", CELLS("{}," CELL("[\"\\n\",1,\"x=" K("a") "\"]")),
		NULL, "f.ipynb:cell 2 - \n   __global__ void a(int a) {}");
	chooses("f.ipynb", CELLS(CELL("\"" K("a") "\"") "," CELL("\"" K("a")
		"\"")), "a", "2 f.ipynb has several kernels; choose one with "
		"--entry: a@1, a@2");
	chooses("f.ipynb", CELLS(CELL("\"" K("a") "\"") "," CELL("\"" K("a")
		"\"")), "a@2", "f.ipynb:cell 2 a  __global__ void a(int a) {}");
	chooses("f.ipynb", CELLS(CELL("\"%%cu\\n__global__ void k() {}\"")),
		"@1", "f.ipynb:cell 1 - \n__global__ void k() {}");
	chooses("f.ipynb", CELLS(CELL("\"%%writefile a.cu \\n__global__ void "
		"k() {}\"")), NULL, "f.ipynb:cell 1 - \n__global__ void k() {}");
	chooses("f.ipynb", CELLS(CELL("\"%%writefile a.txt\\n__global__ void "
		"k() {}\"")), NULL, "2 f.ipynb has no CUDA kernel in its strings");
}

/* Reads a megabyte of the same words: none takes long, else the test's limit
 * ends it. */
static void test_long(void)
{
	static const char *const words[] = {
		"f\"\"\"{\"\"\"", "f\"{f'{", "f'{\"\"\"", "__global__ a(",
		"'__global__ void k(){}'\n", "'__global__ a(){}' ", "((((", "\\",
	};

	for (size_t i = 0; i < LENGTH(words); i++) {
		struct str s = { 0 };
		struct embedded_source found;
		struct error e;

		str_add(&s, i % 2 ? "'''" : "");
		while (s.len < 1 << 20)
			str_add(&s, words[i]);
		tap_ok(embedded_source_find(&found, "f.py", s.data, NULL, &e) <
		       0, "a megabyte of the same words, %zu", i);
		embedded_source_done(&found);
		str_done(&s);
	}
}

int main(void)
{
	test_literals();
	test_formatted();
	test_joined();
	test_values();
	test_newlines();
	test_choice();
	test_notebooks();
	test_long();
	return tap_done();
}
