/* The key that saves what is on the screen. */
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/lang.h"
#include "app/reader.h"
#include "tap.h"

static void press(struct reader *r, uint32_t key)
{
	struct event ev = { .key = key };

	reader_settle(r, 120, 36);
	reader_event(r, &ev);
	reader_settle(r, 120, 36);
}

/* The characters on the screen. */
static char *screen(struct reader *r)
{
	struct canvas c;
	struct str text = {0};

	canvas_init(&c, 120, 36);
	frame_draw(&c, reader_settle(r, 120, 36));
	canvas_print(&c, false, &text);
	canvas_done(&c);
	return str_take(&text);
}

static bool is_file(const char *name, const char *want)
{
	struct error e;
	size_t len;
	char *text = file_read(name, 1 << 22, &len, &e);
	bool same = text && !strcmp(text, want);

	free(text);
	return same;
}

static bool begins(const char *name, const char *want)
{
	struct error e;
	size_t len;
	char *text = file_read(name, 1 << 22, &len, &e);
	bool good = text && !strncmp(text, want, strlen(want));

	free(text);
	return good;
}

static void write_file(const char *name)
{
	struct error e;

	if (file_write(name, "mine", &e))
		fatal("%s", e.text);
}

#define QUESTIONS 32
/* Of any question, before its answer is known and after it. */
static void test_drill(struct reader *r)
{
	int saved = 0;

	for (size_t t = 0; t < drill_topic_count; t++)
		for (int n = 0; n < QUESTIONS; n++) {
			reader_open_drill(r, drill_topics[t],
					  n % DRILL_LEVELS + 1, (uint64_t)n);
			press(r, 'P');
			press(r, 'a');
			press(r, 'P');
			saved += begins("gemmviz-1.svg", "<svg ") &&
				 begins("gemmviz-2.svg", "<svg ");
			remove("gemmviz-1.svg");
			remove("gemmviz-1.txt");
			remove("gemmviz-2.svg");
			remove("gemmviz-2.txt");
		}
	tap_is(saved, QUESTIONS * (int)drill_topic_count, "questions of a drill");
	reader_close_drill(r);
}

int main(void)
{
	struct reader_options o = { .lang = "en" };
	char folder[] = "/tmp/gemmviz-save-XXXXXX";
	struct reader r;
	struct error e;
	char *want;

	lang_init("en");
	if (!mkdtemp(folder) || chdir(folder))
		fatal("mkdtemp: %m");
	reader_init(&r, &o);
	if (reader_open_lesson(&r, "coalescing", &e))
		fatal("%s", e.text);
	want = screen(&r);
	press(&r, 'P');
	tap_str(r.show.message, "Saved as gemmviz-1.svg and gemmviz-1.txt in "
		"the current folder.", "P says where");
	tap_ok(is_file("gemmviz-1.txt", want), "the text is the screen's");
	tap_ok(begins("gemmviz-1.svg", "<svg "), "the picture is SVG");
	write_file("gemmviz-2.txt");
	press(&r, 'P');
	tap_ok(r.show.message && strstr(r.show.message, "gemmviz-3.svg"),
	       "a number that is taken is left out");
	tap_ok(is_file("gemmviz-2.txt", "mine") &&
	       access("gemmviz-2.svg", F_OK), "nothing is written over");
	if (chdir("/proc/self"))
		fatal("/proc/self: %m");
	press(&r, 'P');
	tap_ok(r.show.message && r.show.message_bad, "a folder that takes "
	       "none: %s", r.show.message ? r.show.message : "nothing is said");
	if (chdir(folder))
		fatal("%s: %m", folder);
	remove("gemmviz-1.svg");
	remove("gemmviz-1.txt");
	remove("gemmviz-2.txt");
	remove("gemmviz-3.svg");
	remove("gemmviz-3.txt");
	test_drill(&r);
	tap_ok(!rmdir(folder), "no temporary file is left");
	free(want);
	reader_done(&r);
	return tap_done();
}
