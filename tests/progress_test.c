/* What is kept of the course, and what becomes of a file that is not sound. */
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/lang.h"
#include "app/progress.h"
#include "app/reader.h"
#include "tap.h"

static char folder[] = "/tmp/progress.XXXXXX";
static char *path;

static void write_text(const char *text)
{
	struct error e;

	if (file_write(path, text, &e))
		fatal("%s", e.text);
}

static void kept(void)
{
	struct progress p;
	struct progress_lesson l;
	struct error e;

	tap_is(progress_open(&p, &e), 0, "nothing was done yet");
	tap_is(progress_of(&p, "tiling").step, 0, "... of any lesson");
	tap_is(progress_step(&p, "tiling", 3, &e), 0, "a step is kept");
	tap_is(progress_step(&p, "tiling", 2, &e), 0, "... not an earlier one");
	tap_is(progress_answer(&p, "tiling", 4, 6, true, &e) |
	       progress_answer(&p, "tiling", 0, 6, false, &e), 0,
	       "answers are kept");
	tap_is(progress_answer(&p, "tiling", 4, 6, false, &e), 0,
	       "a question that is asked again");
	progress_done(&p);
	tap_is(progress_open(&p, &e), 0, "read again");
	l = progress_of(&p, "tiling");
	tap_ok(l.step == 3 && !strcmp(l.answers, "w---r-"),
	       "... all is there");
	tap_is(progress_forget(&p, &e), 0, "forgotten");
	progress_done(&p);
	progress_open(&p, &e);
	tap_is(p.count, 0, "... for good");
	progress_done(&p);
}

/* Two programs of one reader's. */
static void together(void)
{
	struct progress a, b;
	struct progress_lesson l;
	struct error e;

	progress_open(&a, &e);
	progress_open(&b, &e);
	progress_answer(&a, "tiling", 0, 3, true, &e);
	progress_answer(&b, "tiling", 2, 3, false, &e);
	progress_step(&b, "banks", 4, &e);
	progress_step(&a, "tiling", 2, &e);
	progress_done(&a);
	progress_done(&b);
	progress_open(&a, &e);
	l = progress_of(&a, "tiling");
	tap_ok(l.step == 2 && !strcmp(l.answers, "r-w") &&
	       progress_of(&a, "banks").step == 4,
	       "two programs lose nothing of each other's");
	progress_forget(&a, &e);
	progress_done(&a);
}

static void damaged(void)
{
	static const char *const texts[] = {
		"", "{", "[]", "{\"version\": 2, \"lessons\": {}}",
		"{\"version\": 1, \"lessons\": []}",
		"{\"version\": 1, \"lessons\": {\"a\": {\"step\": -1, "
		"\"answers\": \"\"}}}",
		"{\"version\": 1, \"lessons\": {\"a\": {\"step\": 1, "
		"\"answers\": \"rx\"}}}",
		"{\"version\": 1, \"lessons\": {\"a\": 7}}",
		"{\"version\": 1, \"lessons\": {\"a\": {\"step\": 1}}}",
		"{\"version\": 1, \"lessons\": {\"a\": {\"answers\": \"r\"}}}",
	};
	char *aside = xasprintf("%s.damaged", path);

	for (size_t i = 0; i < LENGTH(texts); i++) {
		struct progress p;
		struct error e;
		char *text;
		size_t n;

		write_text(texts[i]);
		tap_ok(progress_open(&p, &e) < 0 && strstr(e.text, aside),
		       "%s: %s", texts[i], e.text);
		text = file_read(aside, 1000, &n, &e);
		tap_ok(text && !strcmp(text, texts[i]) && access(path, F_OK),
		       "... is put aside, whole");
		tap_ok(!p.count && !progress_step(&p, "b", 1, &e),
		       "... and a new one begins");
		free(text);
		progress_done(&p);
		unlink(path);
		unlink(aside);
	}
	free(aside);
}

static void nowhere(void)
{
	struct progress p;
	struct error e;

	setenv("XDG_STATE_HOME", "/dev/null", 1);
	tap_is(progress_open(&p, &e), 0, "a folder that cannot be");
	tap_ok(progress_step(&p, "a", 1, &e) < 0 &&
	       e.status == EXIT_OUTPUT, "... is said: %s", e.text);
	tap_is(progress_of(&p, "a").step, 1, "... and the step counts");
	progress_done(&p);
	setenv("GEMMVIZ_PROGRESS", "off", 1);
	tap_ok(!progress_open(&p, &e) && !p.path &&
	       !progress_step(&p, "a", 1, &e), "off: nothing is kept");
	progress_done(&p);
}

/* The map of the course goes on where it was left. */
static void map(void)
{
	const struct reader_options o = { .lang = "en" };
	const char *const *names = lesson_names();
	struct lesson *first = lesson_load(names[0], "en", NULL);
	struct reader r;
	struct error e;

	reader_init(&r, &o);
	progress_step(&r.progress, names[0], (int)first->step_count, &e);
	progress_step(&r.progress, names[1], 3, &e);
	lesson_free(first);
	reader_open_list(&r, LIST_COURSE);
	tap_is(r.list.chosen, 1, "the first lesson that is not done is chosen");
	tap_is(reader_open_entry(&r, &e), 0, "it is opened");
	tap_is(r.show.lesson.step, 2, "... at the last step that was reached");
	reader_open_list(&r, LIST_COURSE);
	r.list.chosen = 0;
	tap_is(reader_open_entry(&r, &e), 0, "one that is done is opened");
	tap_is(r.show.lesson.step, 0, "... at its first step");
	progress_forget(&r.progress, &e);
	reader_done(&r);
}

int main(void)
{
	lang_init("en");
	if (!mkdtemp(folder))
		fatal("mkdtemp: %m");
	unsetenv("GEMMVIZ_PROGRESS");
	setenv("XDG_STATE_HOME", folder, 1);
	path = xasprintf("%s/gemmviz/progress.json", folder);
	kept();
	together();
	damaged();
	map();
	nowhere();
	unlink(path);
	*strrchr(path, '/') = 0;
	rmdir(path);
	rmdir(folder);
	free(path);
	return tap_done();
}
