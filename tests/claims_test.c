/*
 * What lessons/CLAIMS.md says of the documents: each row's commands are run,
 * its expectations hold, and every number of its verdict is one of them.
 *
 * A row is a level-3 heading (an id, then a title), the claim, which starts
 * with the heading it is from in *emphasis*, the verdict, a paragraph that
 * starts with **True**, **False** or **True only when ...**, and one block of
 * the language `gemmviz-claim`:
 *
 *   run gemmviz report KERNEL ...   [# ALIAS]   at least one command
 *   stand ...                       as in lessons; in the first recording
 *   expect EXPR                     at least one; each must hold
 *
 * EXPR is the lessons' language (lesson_functions.c). Its functions ask the
 * recordings of the `report` commands by their kernel's name, or ALIAS, and
 * the newest recorded race. Names are members of what the first command
 * prints with --json, or ALIAS.MEMBER; `status` is its exit status. A member
 * of an array is that member of each element: sites.sectors. Two functions
 * more: count(PATH[, VALUE]), the elements of an array, or those that are
 * VALUE; at(PATH, I), one of them.
 *
 * `gemmviz race` is not run: where there is a GPU it would time. The kernels
 * that its expectations name must be those of the command.
 */
#include <ctype.h>
#include <jansson.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/lang.h"
#include "lesson/lesson_functions.h"
#include "tap.h"
#include "base/text.h"

#define ROWS 60
#define LINES 16

/* ---- commands ---- */

struct run {
	char *command;
	json_t *json;		/* NULL: it printed none */
	struct trace *trace;	/* NULL: no recording */
	int status;
};

static struct run **runs;
static size_t run_count, run_capacity;

static bool is_command(const char *line, const char *name)
{
	char *start = xasprintf("gemmviz %s ", name);
	bool is = !strncmp(line, start, strlen(start));

	free(start);
	return is;
}

/* What the program prints; its status. Its complaints are not shown. */
static int output_of(const char *arguments, struct str *out)
{
	char *line = xasprintf("'%s/gemmviz' %s 2>/dev/null",
			       getenv("builddir"), arguments);
	FILE *pipe = popen(line, "r");
	char buf[4096];
	size_t n;
	int status;

	free(line);
	while (pipe && (n = fread(buf, 1, sizeof(buf), pipe)) > 0)
		str_addn(out, buf, n);
	status = pipe ? pclose(pipe) : -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static struct trace *record(const char *arguments)
{
	char *file = xasprintf("%s/tests/claims.gvt", getenv("builddir"));
	char *line = xasprintf("record %s -o '%s'", arguments, file);
	struct str out = { 0 };
	struct trace *t = NULL;
	struct error e;

	output_of(line, &out);
	if (access(file, R_OK) == 0) {
		t = trace_open(file, &e);
		unlink(file);
	}
	str_done(&out);
	free(line);
	free(file);
	return t;
}

static const struct run *run_of(const char *command)
{
	struct str out = { 0 };
	struct run *r;
	char *line;

	for (size_t i = 0; i < run_count; i++)
		if (!strcmp(runs[i]->command, command))
			return runs[i];
	grow(&runs, &run_capacity, run_count + 1, sizeof(*runs));
	r = runs[run_count++] = xcalloc(1, sizeof(*r));
	r->command = xstrdup(command);
	if (is_command(command, "race"))
		return r;
	line = xasprintf("%s --json", command + strlen("gemmviz "));
	r->status = output_of(line, &out);
	if (out.data)
		r->json = json_loads(out.data, 0, NULL);
	if (is_command(command, "report") && r->json)
		r->trace = record(command + strlen("gemmviz report "));
	str_done(&out);
	free(line);
	return r;
}

static void runs_done(void)
{
	for (size_t i = 0; i < run_count; i++) {
		free(runs[i]->command);
		json_decref(runs[i]->json);
		if (runs[i]->trace)
			trace_close(runs[i]->trace);
		free(runs[i]);
	}
	free(runs);
}

/* ---- rows ---- */

struct row {
	int line;
	char *id;
	struct str claim, verdict;
	char *commands[LINES], *aliases[LINES], *expects[LINES], *stand;
	size_t runs, expects_count, blocks;
	char *wrong;		/* a line that is none of the format's */
};

static void row_done(struct row *r)
{
	free(r->id);
	str_done(&r->claim);
	str_done(&r->verdict);
	for (size_t i = 0; i < r->runs; i++) {
		free(r->commands[i]);
		free(r->aliases[i]);
	}
	for (size_t i = 0; i < r->expects_count; i++)
		free(r->expects[i]);
	free(r->stand);
	free(r->wrong);
}

/* "gemmviz report tiled -m 8   # small": the command, and small or tiled. */
static void add_run(struct row *r, const char *line)
{
	const char *mark = strstr(line, " # ");
	size_t n = mark ? (size_t)(mark - line) : strlen(line);
	const char *name = line;

	while (n && line[n - 1] == ' ')
		n--;
	for (int i = 0; i < 2; i++)
		name += strcspn(name, " ") + (strchr(name, ' ') != NULL);
	r->commands[r->runs] = xstrndup(line, n);
	r->aliases[r->runs++] = mark ? xstrdup(mark + 3) :
				xstrndup(name, strcspn(name, " "));
}

static void add_check(struct row *r, const char *line)
{
	if (!strncmp(line, "run gemmviz ", 12) && r->runs < LINES)
		add_run(r, line + 4);
	else if (!strncmp(line, "stand ", 6) && !r->stand)
		r->stand = xstrdup(line);
	else if (!strncmp(line, "expect ", 7) && r->expects_count < LINES)
		r->expects[r->expects_count++] = xstrdup(line + 7);
	else if (!r->wrong)
		r->wrong = xstrdup(line);
}

static void add_prose(struct row *r, const char *line)
{
	struct str *to = r->verdict.len || !strncmp(line, "**", 2) ?
			 &r->verdict : &r->claim;

	str_add(to, line);
	str_addc(to, '\n');
}

/* ---- expectations ---- */

struct context {
	const struct row *row;
	const struct run *runs[LINES];
	struct lesson *lesson;		/* NULL: nothing is recorded */
	struct lesson_traces traces;
	size_t asked;
};

static json_t *member(json_t *from, const char *name)
{
	json_t *each, *found, *all;
	size_t i;

	if (!json_is_array(from))
		return json_incref(json_object_get(from, name));
	all = json_array();
	json_array_foreach(from, i, each) {
		found = json_object_get(each, name);
		json_array_append(all, found ? found : json_null());
	}
	return all;
}

/* Whose answer a path is in, which then starts behind ALIAS. */
static const struct run *run_named(const struct context *c, const char **path)
{
	size_t n = strcspn(*path, ".");

	for (size_t i = 0; i < c->row->runs && (*path)[n]; i++) {
		if (strncmp(c->row->aliases[i], *path, n) ||
		    c->row->aliases[i][n])
			continue;
		*path += n + 1;
		return c->runs[i];
	}
	return c->runs[0];
}

static json_t *find(const struct context *c, const char *path)
{
	json_t *at = json_incref(run_named(c, &path)->json), *next;
	char *name;

	while (at && *path) {
		size_t n = strcspn(path, ".");

		name = xstrndup(path, n);
		next = member(at, name);
		free(name);
		json_decref(at);
		at = next;
		path += n + (path[n] == '.');
	}
	return at;
}

static int value_of(json_t *j, struct value *out, struct error *e)
{
	int status = 0;

	if (json_is_integer(j))
		*out = value_int(json_integer_value(j));
	else if (json_is_real(j))
		*out = value_real(json_real_value(j));
	else if (json_is_boolean(j))
		*out = value_int(json_is_true(j));
	else if (json_is_string(j))
		*out = value_text(json_string_value(j));
	else if (json_is_null(j))
		*out = (struct value){ .kind = VALUE_NONE };
	else
		status = error_set(e, EXIT_INPUT, "no such member");
	json_decref(j);
	return status;
}

static int ask(struct context *c, const char *expr, struct value *out,
	       struct error *e)
{
	if (!c->lesson)
		return error_set(e, EXIT_INPUT, "no name '%s'", expr);
	return lesson_eval(&c->traces, 0, expr, out, e);
}

static int on_name(void *ctx, const char *name, struct value *out,
		   struct error *e)
{
	struct context *c = ctx;
	const char *path = name;
	const struct run *run = run_named(c, &path);

	c->asked++;
	if (!strcmp(path, "status")) {
		*out = value_int(run->status);
		return 0;
	}
	if (value_of(find(c, name), out, e) == 0)
		return 0;
	return ask(c, name, out, e);
}

static bool is_value(json_t *j, const struct value *v)
{
	if (v->kind == VALUE_TEXT)
		return json_is_string(j) &&
		       !strcmp(json_string_value(j), v->text);
	return json_is_integer(j) && v->kind == VALUE_INT &&
	       json_integer_value(j) == v->i;
}

static int count(struct context *c, const struct value *args, size_t n,
		 struct value *out, struct error *e)
{
	json_t *array = find(c, args->text), *each;
	int64_t sum = 0;
	size_t i;

	if (!json_is_array(array)) {
		json_decref(array);
		return error_set(e, EXIT_INPUT, "no array '%s'", args->text);
	}
	json_array_foreach(array, i, each)
		sum += n < 2 || is_value(each, &args[1]);
	json_decref(array);
	*out = value_int(sum);
	return 0;
}

static int at(struct context *c, const struct value *args, struct value *out,
	      struct error *e)
{
	json_t *array = find(c, args->text);
	json_t *found = json_incref(json_array_get(array,
						   (size_t)args[1].i));

	json_decref(array);
	return value_of(found, out, e);
}

/* The call as a lesson's text: its functions know the recordings. */
static int ask_call(struct context *c, const char *name,
		    const struct value *args, size_t count, struct value *out,
		    struct error *e)
{
	struct str text = { 0 };
	char buf[80];
	int status;

	str_addf(&text, "%s(", name);
	for (size_t i = 0; i < count; i++) {
		if (args[i].kind == VALUE_REAL)
			snprintf(buf, sizeof(buf), "%.17e", args[i].r);
		else
			value_print(&args[i], buf, sizeof(buf));
		str_addf(&text, args[i].kind == VALUE_TEXT ? "%s\"%s\"" :
			 "%s%s", i ? ", " : "", buf);
	}
	str_addc(&text, ')');
	status = ask(c, text.data, out, e);
	str_done(&text);
	return status;
}

static bool is_raced(const struct context *c, const char *kernel)
{
	for (size_t i = 0; i < c->row->runs; i++)
		if (is_command(c->row->commands[i], "race") &&
		    strstr(c->row->commands[i], kernel))
			return true;
	return false;
}

static int on_call(void *ctx, const char *name, const struct value *args,
		   size_t n, struct value *out, struct error *e)
{
	struct context *c = ctx;
	struct standing nowhere = { 0 };
	bool races = !strncmp(name, "race_", 5);
	int function;

	c->asked += strcmp(name, "round") != 0;
	if (!strcmp(name, "count") && n >= 1)
		return count(c, args, n, out, e);
	if (!strcmp(name, "at") && n == 2)
		return at(c, args, out, e);
	function = lesson_function_find(name, e);
	if (function < 0)
		return -1;
	for (size_t i = 0; races && i < n; i++)
		if (args[i].kind == VALUE_TEXT && !is_raced(c, args[i].text))
			return error_set(e, EXIT_INPUT, "'%s' is not in the "
					 "command", args[i].text);
	if (races || !strcmp(name, "round"))
		return lesson_function_call(function, &nowhere, args, n, out,
					    e);
	return ask_call(c, name, args, n, out, e);
}

/* A lesson of one step, with a record for each recording. */
static int context_init(struct context *c, const struct row *r,
			struct error *e)
{
	const struct trace_info *info;
	struct str text = { 0 };
	size_t recorded = 0;

	*c = (struct context){ .row = r };
	str_add(&text, "# Claim\n\n```gemmviz\n");
	for (size_t i = 0; i < r->runs; i++) {
		c->runs[i] = run_of(r->commands[i]);
		if (!c->runs[i]->trace || recorded == LESSON_MAX_RECORDS)
			continue;
		c->traces.trace[recorded++] = c->runs[i]->trace;
		info = trace_info(c->runs[i]->trace);
		str_addf(&text, "record %s m=%u n=%u k=%u as %s\n",
			 info->kernel, info->m, info->n, info->k,
			 r->aliases[i]);
	}
	str_addf(&text, "```\n\n## Step\n\n```gemmviz\n%s\n```\n",
		 r->stand ? r->stand : "");
	if (recorded)
		c->lesson = lesson_parse("claim", text.data, text.len, e);
	c->traces.lesson = c->lesson;
	str_done(&text);
	return recorded && !c->lesson ? -1 : 0;
}

static void context_done(struct context *c)
{
	lesson_traces_forget(&c->traces);
	if (c->lesson)
		lesson_free(c->lesson);
}

/* ---- what a row must be ---- */

/* Calls `each` for the numbers that stand in a text; those within words, as
 * in float4, are none. 16x8 is two. */
static bool numbers(const char *s, bool (*each)(double v, void *ctx),
		    void *ctx)
{
	char *end;

	while (*s) {
		if (isdigit((unsigned char)*s)) {
			if (!each(strtod(s, &end), ctx))
				return false;
			s = end;
			s += *s == 'x' && isdigit((unsigned char)s[1]);
		} else if (isalpha((unsigned char)*s) || *s == '_') {
			while (isalnum((unsigned char)*s) || *s == '_')
				s++;
		} else {
			s++;
		}
	}
	return true;
}

static bool differs(double v, void *wanted)
{
	return v != *(double *)wanted;
}

/* The number stands in an expectation or a command. */
static bool is_checked(double v, void *ctx)
{
	const struct row *r = ctx;
	bool there = r->stand && !numbers(r->stand, differs, &v);

	for (size_t i = 0; i < r->runs; i++)
		there = there || !numbers(r->commands[i], differs, &v);
	for (size_t i = 0; i < r->expects_count; i++)
		there = there || !numbers(r->expects[i], differs, &v);
	if (!there)
		printf("#   nothing checks the verdict's %g\n", v);
	return there;
}

static bool is_verdict(const char *s)
{
	return s && (!strncmp(s, "**True.**", 9) ||
		     !strncmp(s, "**False.**", 10) ||
		     (!strncmp(s, "**True only when ", 17) &&
		      strstr(s, ".**")));
}

static const char *incomplete(const struct row *r)
{
	if (!r->claim.data || r->claim.data[strspn(r->claim.data, "\n")] != '*')
		return "it names no heading";
	if (!is_verdict(r->verdict.data))
		return "it has no verdict";
	if (r->blocks != 1 || !r->runs || !r->expects_count)
		return "it has no check";
	if (r->wrong)
		return r->wrong;
	return NULL;
}

/* What the left side of a comparison is. */
static void say_left(const char *expr, const struct expr_env *env)
{
	char *left = xstrndup(expr, strcspn(expr, "=<>!"));
	char buf[80];
	struct value v;
	struct error e;

	if (expr_value(left, env, &v, &e) == 0) {
		value_print(&v, buf, sizeof(buf));
		printf("#   %sis %s\n", left, buf);
	}
	free(left);
}

static bool holds(struct context *c, const char *expr)
{
	const struct expr_env env = { on_name, on_call, c };
	struct error e = { .text = "it does not hold" };
	struct value v;
	bool good;

	c->asked = 0;
	good = expr_value(expr, &env, &v, &e) == 0 && value_true(&v);
	if (good && !c->asked)
		error_set(&e, EXIT_INPUT, "it asks nothing");
	if (!good || !c->asked)
		printf("#   expect %s: %s\n", expr, e.text);
	if (!good)
		say_left(expr, &env);
	return good && c->asked;
}

/* Each command answered, or the row says with which status it did not. */
static bool answered(const struct context *c)
{
	const struct row *r = c->row;
	bool all = true, status = false;

	for (size_t i = 0; i < r->expects_count; i++)
		status = status || strstr(r->expects[i], "status");
	for (size_t i = 0; i < r->runs && !status; i++) {
		if (c->runs[i]->json || is_command(r->commands[i], "race"))
			continue;
		printf("#   no answer: %s\n", r->commands[i]);
		all = false;
	}
	return all;
}

static bool check(const struct row *r)
{
	const char *why = incomplete(r);
	struct context c;
	struct error e;
	bool good;

	if (why) {
		printf("#   %s\n", why);
		return false;
	}
	if (context_init(&c, r, &e) < 0) {
		printf("#   %s\n", e.text);
		return false;
	}
	good = numbers(r->verdict.data, is_checked, (void *)r) && answered(&c);
	for (size_t i = 0; i < r->expects_count; i++)
		good = holds(&c, r->expects[i]) && good;
	context_done(&c);
	return good;
}

/* ---- the document ---- */

struct document {
	struct row *rows;
	size_t count, capacity;
	bool inside;		/* of a row's block */
	bool rest;		/* behind the rows */
};

static struct row *new_row(struct document *d, const char *heading, int line)
{
	grow(&d->rows, &d->capacity, d->count + 1, sizeof(*d->rows));
	d->rows[d->count] = (struct row){
		.line = line, .id = xstrndup(heading, strcspn(heading, " ")) };
	return &d->rows[d->count++];
}

static void read_line(struct document *d, const char *s, int line)
{
	struct row *r = d->count ? &d->rows[d->count - 1] : NULL;

	if (d->inside) {
		d->inside = strcmp(s, "```") != 0;
		if (d->inside)
			add_check(r, s);
	} else if (!strncmp(s, "### ", 4)) {
		new_row(d, s + 4, line);
		d->rest = false;
	} else if (*s == '#') {
		d->rest = true;
	} else if (r && !d->rest && !strcmp(s, "```gemmviz-claim")) {
		d->inside = true;
		r->blocks++;
	} else if (r && !d->rest && (*s || r->claim.len)) {
		add_prose(r, s);
	}
}

static struct document read_document(const char *text)
{
	struct document d = { .rest = true };
	char *line;
	size_t n;

	for (int i = 1; *text; i++) {
		n = strcspn(text, "\n");
		line = xstrndup(text, n);
		read_line(&d, line, i);
		free(line);
		text += n + (text[n] == '\n');
	}
	return d;
}

static void document_done(struct document *d)
{
	for (size_t i = 0; i < d->count; i++)
		row_done(&d->rows[i]);
	free(d->rows);
}

static bool unique(const struct document *d, size_t row)
{
	for (size_t i = 0; i < row; i++)
		if (!strcmp(d->rows[i].id, d->rows[row].id))
			return false;
	return true;
}

static size_t verdicts(const struct document *d, const char *start)
{
	size_t n = 0;

	for (size_t i = 0; i < d->count; i++)
		n += d->rows[i].verdict.data &&
		     !strncmp(d->rows[i].verdict.data, start, strlen(start));
	return n;
}

static void check_sum(const struct document *d, const char *text)
{
	char *sum = xasprintf("Of %zu claims %zu are true, %zu are false,\n",
			      d->count, verdicts(d, "**True.**"),
			      verdicts(d, "**False.**"));

	if (!tap_ok(strstr(text, sum), "it says how many are true"))
		printf("#   %s", sum);
	free(sum);
}

static void check_document(void)
{
	char *path = xasprintf("%s/lessons/CLAIMS.md", getenv("srcdir"));
	struct error e = { .text = "" };
	size_t len;
	char *text = file_read(path, 1 << 20, &len, &e);
	struct document d = read_document(text ? text : "");

	if (!text)
		printf("#   %s\n", e.text);
	for (size_t i = 0; i < d.count; i++)
		tap_ok(unique(&d, i) && check(&d.rows[i]),
		       "lessons/CLAIMS.md:%d: %s", d.rows[i].line,
		       d.rows[i].id);
	tap_ok(d.count >= ROWS, "lessons/CLAIMS.md has %d rows or more", ROWS);
	check_sum(&d, text ? text : "");
	document_done(&d);
	free(text);
	free(path);
}

/* ---- that this test finds what is wrong ---- */

static void check_sample(bool good, const char *verdict, const char *block,
			 const char *what)
{
	char *text = xasprintf("### a-01 A title\n\n*1.1 Heading*: a claim.\n\n"
			       "%s\n\n%s", verdict, block);
	struct document d = read_document(text);

	tap_ok(d.count == 1 && check(&d.rows[0]) == good, "%s %s",
	       good ? "taken:" : "refused:", what);
	document_done(&d);
	free(text);
}

#define BLOCK(lines) "```gemmviz-claim\n" lines "```\n"
#define COPY "run gemmviz access global 4 --index lane\n"

static void check_samples(void)
{
	check_sample(true, "**True.** 4 sectors.",
		     BLOCK(COPY "expect sectors == 4\n"), "a good row");
	check_sample(true, "**True only when so.** It is float4's.",
		     BLOCK("run gemmviz report naive -m 8 -n 8 -k 8\n"
			   "expect count(sites.array, \"A\") == 1 && "
			   "at(sites.requests, 0) == total_requests(A)\n"),
		     "... that asks a recording and its report");
	check_sample(false, "**True.** 4 sectors.", "",
		     "a row without a check");
	check_sample(false, "**True.** 4 sectors.", BLOCK(COPY),
		     "... without an expectation");
	check_sample(false, "**True.** 4 sectors.",
		     BLOCK(COPY "run gemmviz report nave\n"
			   "expect sectors == 4\n"),
		     "a command that fails");
	check_sample(false, "**True.** Few sectors.",
		     BLOCK(COPY "expect sectors == 5\n"),
		     "an expectation that does not hold");
	check_sample(false, "**True.** 5 sectors.",
		     BLOCK(COPY "expect sectors == 4\n"),
		     "a number that nothing checks");
	check_sample(false, "**True.** 4 sectors.", BLOCK(COPY "expect 4 == 4\n"),
		     "an expectation that asks nothing");
	check_sample(false, "**Perhaps.** 4 sectors.",
		     BLOCK(COPY "expect sectors == 4\n"), "another verdict");
	check_sample(false, "**True.** 4 sectors.",
		     BLOCK(COPY "expects sectors == 4\nexpect sectors == 4\n"),
		     "another directive");
	check_sample(false, "**True.** Fast.",
		     BLOCK("run gemmviz race naive --size 1024\n"
			   "expect race_tflops(\"tiled\", 1024) > 1\n"),
		     "a time that the command does not show");
}

int main(void)
{
	lang_init("en");
	check_samples();
	check_document();
	runs_done();
	return tap_done();
}
