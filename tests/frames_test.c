/*
 * Golden frames: each screen of frames.list at three sizes, drawn from
 * fresh recordings without a terminal. With UPDATE_GOLDEN set the files are
 * written instead of compared: look at them before they are committed.
 * sanitized: nightly
 */
#include <stdlib.h>

#include "base/lang.h"
#include "app/reader.h"
#include "compiled.h"
#include "recorded.h"
#include "tap.h"

static const struct { const char *name; uint32_t key; } names[] = {
	{ "Up", K_UP }, { "Down", K_DOWN }, { "Left", K_LEFT },
	{ "Right", K_RIGHT }, { "Home", K_HOME }, { "End", K_END },
	{ "Tab", K_TAB }, { "BTab", K_BACK_TAB }, { "Enter", K_ENTER },
	{ "Escape", K_ESCAPE }, { "BSpace", K_BACKSPACE },
	{ "Space", ' ' },
};

static uint32_t key_of(const char *word)
{
	for (size_t i = 0; i < LENGTH(names); i++)
		if (!strcmp(names[i].name, word))
			return names[i].key;
	return (unsigned char)word[0];
}

static char *draw(struct reader *r, int w, int h, bool mono)
{
	struct canvas c;
	struct str text = {0};

	canvas_init(&c, w, h);
	c.mono = mono;
	frame_draw(&c, reader_settle(r, w, h));
	canvas_print(&c, true, &text);
	canvas_done(&c);
	return str_take(&text);
}

static void compare(const char *frame, const char *path)
{
	struct error e;
	size_t len;
	char *golden;

	if (getenv("UPDATE_GOLDEN")) {
		struct file_out f;

		if (file_out_open(&f, path, true, &e) ||
		    write_all(f.fd, frame, strlen(frame)) ||
		    file_out_commit(&f, &e))
			fatal("%s: %s", path, e.text);
		tap_skip(path, "written, not compared");
		return;
	}
	golden = file_read(path, 1 << 22, &len, &e);
	if (!tap_ok(golden && !strcmp(golden, frame), "%s", path)) {
		printf("# the frame is now:\n");
		for (const char *p = frame; *p;) {
			size_t n = strcspn(p, "\n");

			printf("# %.*s\n", (int)n, p);
			p += n + (p[n] == '\n');
		}
	}
	free(golden);
}

/* A recorded race, a file beside us. */
static void open_race(struct reader *r, const char *name)
{
	const char *src = getenv("srcdir");
	char *path = xasprintf("%s/tests/%s", src ? src : ".", name);
	struct benchmark_plan all;
	struct error e;

	benchmark_plan_init(&all);
	if (reader_open_benchmark(r, &all, path, &e))
		fatal("%s", e.text);
	benchmark_plan_done(&all);
	free(path);
}

/* What was recorded: many frames are of the same. */
static struct kernel_file {
	char *kernel, *path;
} *kernel_files;
static size_t kernel_file_count, kernel_file_capacity;

static const char *kernel_file_of(const char *kernel)
{
	struct kernel_file *n;
	char *what;

	for (size_t i = 0; i < kernel_file_count; i++)
		if (!strcmp(kernel_files[i].kernel, kernel))
			return kernel_files[i].path;
	grow(&kernel_files, &kernel_file_capacity, kernel_file_count + 1,
	     sizeof(*kernel_files));
	n = &kernel_files[kernel_file_count++];
	what = xstrdup(kernel);
	for (char *p = what; *p; p++)
		*p = *p == ',' ? ' ' : *p;
	*n = (struct kernel_file) { xstrdup(kernel), recorded_file(what) };
	free(what);
	if (!n->path)
		fatal("no trace of %s", kernel);
	return n->path;
}

static void kernel_files_done(void)
{
	for (size_t i = 0; i < kernel_file_count; i++) {
		unlink(kernel_files[i].path);
		free(kernel_files[i].kernel);
		free(kernel_files[i].path);
	}
	free(kernel_files);
}

/* KERNEL,OPTION,...: recorded by the program, at the size that it chooses. */
static void open_kernel(struct reader *r, const char *kernel)
{
	struct error e;
	struct trace *t = trace_open(kernel_file_of(kernel), &e);

	if (!t)
		fatal("no trace of %s: %s", kernel, e.text);
	reader_open_trace(r, t);
}

/* TOPIC:LEVEL */
static void open_drill(struct reader *r, const char *what)
{
	char *topic = xstrndup(what, strcspn(what, ":"));

	reader_open_drill(r, drill_topic_find(topic),
			  atoi(strchr(what, ':') + 1), 7);
	free(topic);
}

static void open_what(struct reader *r, const char *lesson)
{
	struct error e;

	if (*lesson == '~')
		open_kernel(r, lesson + 1);
	else if (*lesson == '@' || *lesson == '!')
		open_race(r, lesson + 1);
	else if (*lesson == '%')
		open_kernel(r, lesson + 1);
	else if (*lesson == '?')
		open_drill(r, lesson + 1);
	else if (!strcmp(lesson, "-"))
		reader_open_list(r, LIST_COURSE);
	else if (reader_open_lesson(r, lesson, &e))
		fatal("%s: %s", lesson, e.text);
}

/* The last of the times that the keys set; -1: the step's own. */
static double press_all(struct reader *r, const char *all, int w, int h)
{
	char *keys = xstrdup(all);
	char *save, *word;
	double t = -1;

	for (word = strtok_r(keys, " \t", &save); word;
	     word = strtok_r(NULL, " \t", &save)) {
		struct event ev = { .key = key_of(word) };

		if (*word == '@') {
			t = strtod(word + 1, NULL);
			continue;
		}
		reader_settle(r, w, h);
		reader_event(r, &ev);
	}
	free(keys);
	return t;
}

/* The keys are pressed at the first size, and then it becomes another: what is
 * seen is what a reader sees that had this size all the time. */
static void run(const char *name, const char *lesson, const char *keys,
		const int (*sizes)[2], size_t count)
{
	struct reader_options o = { .lang = "en",
				    .presenter = *lesson == '!' };
	char *kernel = xstrndup(lesson + 1, strcspn(lesson + 1, ","));
	const char *src = getenv("srcdir"), *end = strstr(name, "-eight");
	bool eight = end && !end[6];
	struct reader r;
	double t;

	if (*lesson == '~') {
		o.compile = compiled_copy;
		o.compile_ctx = kernel;
	}
	reader_init(&r, &o);
	open_what(&r, lesson);
	reader_settle(&r, sizes[0][0], sizes[0][1]);
	t = press_all(&r, keys, sizes[0][0], sizes[0][1]);
	for (size_t i = 0; i < count; i++) {
		int w = sizes[i][0], h = sizes[i][1];
		char *path = xasprintf("%s/tests/golden/%s-%dx%d.txt",
				       src ? src : ".", name, w, h);
		char *frame;

		reader_settle(&r, w, h);
		if (t >= 0)
			r.show.t = t;
		frame = draw(&r, w, h, eight);
		compare(frame, path);
		free(frame);
		free(path);
	}
	reader_done(&r);
	free(kernel);
}

/* frames_test [WORD]: only the frames whose name has the word in it. */
int main(int argc, char **argv)
{
	static const int sizes[][2] = { { 80, 24 }, { 120, 36 },
					{ 200, 60 } };
	const char *src = getenv("srcdir");
	char *path, *line, *save, *text;
	struct error e;
	size_t len;

	lang_init("en");
	path = xasprintf("%s/tests/frames.list", src ? src : ".");
	text = file_read(path, 1 << 20, &len, &e);
	if (!text)
		fatal("%s", e.text);
	for (line = strtok_r(text, "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save)) {
		char name[64], lesson[64];
		int at = 0;

		if (*line == '#' ||
		    sscanf(line, "%63s %63s %n", name, lesson, &at) < 2 ||
		    (argc > 1 && !strstr(name, argv[1])))
			continue;
		/* A page is what fits on the screen. */
		if (strstr(line + at, "Space"))
			for (size_t i = 0; i < LENGTH(sizes); i++)
				run(name, lesson, line + at, &sizes[i], 1);
		else
			run(name, lesson, line + at, sizes, LENGTH(sizes));
	}
	free(text);
	free(path);
	kernel_files_done();
	return tap_done();
}
