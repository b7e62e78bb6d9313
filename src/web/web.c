/*
 * web: the program in a page: starts it, gives it keys, and says where it is.
 * The page calls these functions (page.h), web_turn() after each of them.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "app/reader_practice.h"
#include "app/ui.h"
#include "base/lang.h"
#include "base/text.h"
#include "export/glyph.h"
#include "kernels/kernels.h"
#include "web/mode_web.h"
#include "web/page.h"
#include "web/term_web.h"

/* Where a link leads. */
struct web_place { char lesson[64], kernel[64], view[24]; int step, lane; };

static struct web {
	struct ui ui;
	struct reader reader;
	/* Not reached yet: the lesson's recording is still to come. */
	struct web_place wanted;
	bool on_way;
} web;

/* The argument list that makes the reader ask the shelf for recordings. */
static char shelf_word[] = "shelf";
static char *const shelf_runner[] = { shelf_word, NULL };

static void choose_theme(const char *name)
{
	const struct theme *t = theme_find(name);

	if (t)
		web.reader.theme = t;
}

/* Starts on a screen of w x h cells: the map of the course, once its files are
 * there. */
KEEP void web_start(const char *lang, const char *theme, int w, int h,
		    double seed)
{
	struct reader *r = &web.reader;
	struct term_options o = { .theme = theme_find(theme) };
	struct error e;
	bool damaged;

	mkdir("/shelf", 0777);
	lang_init(lang);
	reader_init(r, &(struct reader_options){
		.lang = lang_name(), .runner = shelf_runner,
		.frame = 1.0 / 70,	/* each of a screen's 60 a second */
		.seed = (uint64_t)seed, .also = &mode_web });
	choose_theme(theme);
	web.ui.term = term_open(&o, &e);
	term_resize(web.ui.term, w, h);
	damaged = reader_keep_progress(r, &e);
	reader_open_list(r, LIST_COURSE);
	ui_begin(&web.ui, web.ui.term, r);
	if (damaged)
		reader_say(r, true, "%s", e.text);
	ui_draw(&web.ui);
}

/* ---- where the reader is ---- */

static void say_no_place(const char *what)
{
	reader_say(&web.reader, true, _("This page has no %s, to which its "
					"link leads."), text_show(what));
}

/* Sets what of a place needs the recording. Returns whether it was there. */
static bool stand_at(const struct web_place *to)
{
	struct reader *r = &web.reader;
	const struct view *v = view_find(to->view);

	if (!reader_recording(r)->stage)
		return false;
	if (to->lane >= 0 && to->lane < WARP_LANES)
		reader_cursor(r)->lane = (uint32_t)to->lane;
	if (v && v->pane == PANE_PICTURE)
		r->show.held = v;
	else if (to->view[0])
		say_no_place(to->view);
	return true;
}

/* Goes on to where a link leads, once the recording is there. */
static void reach_place(void)
{
	struct reader *r = &web.reader;

	if (!web.on_way)
		return;
	if (web.wanted.lesson[0] && (!r->lesson ||
				     strcmp(r->lesson->name,
					    web.wanted.lesson))) {
		web.on_way = false;	/* the reader went elsewhere */
		return;
	}
	if (!stand_at(&web.wanted))
		return;
	web.on_way = false;
	web.ui.dirty = true;
	reader_update(r, r->w, r->h);
}

static bool known_lesson(const char *name)
{
	const char *const *names = lesson_names();

	for (size_t i = 0; names[i]; i++)
		if (!strcmp(names[i], name))
			return true;
	return false;
}

static void go_to_lesson(const struct web_place *to)
{
	struct reader *r = &web.reader;
	struct error e;

	if (!known_lesson(to->lesson)) {
		say_no_place(to->lesson);
		return;
	}
	if (!r->lesson || strcmp(r->lesson->name, to->lesson)) {
		if (reader_open_lesson(r, to->lesson, &e)) {
			reader_say(r, true, "%s", e.text);
			return;
		}
		reader_came_from(r, LIST_COURSE, 0);
	}
	if (to->step > 0 && (size_t)to->step <= r->lesson->step_count)
		reader_go_step(r, (size_t)to->step - 1);
	web.on_way = true;
}

static void go_to_kernel(const struct web_place *to)
{
	struct reader *r = &web.reader;
	const struct kernel *k = kernel_find(to->kernel);
	struct error e;

	if (!k)
		say_no_place(to->kernel);
	else if (reader_open_file(r, k->name, &e))
		reader_say(r, true, "%s", e.text);
	else
		reader_came_from(r, k->bug ? LIST_BUGS : LIST_KERNELS, 0);
	web.on_way = k != NULL;
}

/* Copies the value of a name in "a=1&b=2". Returns false if it is not there. */
static bool find_value(const char *all, const char *name, char *to,
		       size_t size)
{
	size_t n = strlen(name);

	for (const char *p = all; *p; p += strcspn(p, "&"), p += *p == '&') {
		if (strncmp(p, name, n) || p[n] != '=')
			continue;
		snprintf(to, size, "%.*s", (int)strcspn(p + n + 1, "&"),
			 p + n + 1);
		return true;
	}
	return false;
}

static void go_to_practice(const char *rung)
{
	struct error e;

	if (web_open_practice(&web.reader, strcmp(rung, "map") ? rung : NULL,
			      &e))
		reader_say(&web.reader, true, "%s", e.text);
}

static int number_in_link(const char *all, const char *name)
{
	char text[16];
	long n;

	return find_value(all, name, text, sizeof(text)) &&
	       parse_int(text, 0, INT32_MAX, &n) ? (int)n : -1;
}

/* Goes where a link's fragment says, "lesson=banks&step=3&lane=7&view=banks" or
 * "kernel=tiled", "practice=coalesced" or "practice=map". */
KEEP void web_go(const char *fragment)
{
	struct web_place to = { .step = number_in_link(fragment, "step"),
				.lane = number_in_link(fragment, "lane") };

	find_value(fragment, "view", to.view, sizeof(to.view));
	web.wanted = to;
	if (find_value(fragment, "lesson", to.lesson, sizeof(to.lesson))) {
		web.wanted = to;
		go_to_lesson(&to);
	} else if (find_value(fragment, "kernel", to.kernel,
			      sizeof(to.kernel))) {
		go_to_kernel(&to);
	} else if (find_value(fragment, "practice", to.lesson,
			      sizeof(to.lesson))) {
		go_to_practice(to.lesson);
	} else if (*fragment && !find_value(fragment, "lang", to.lesson,
					    sizeof(to.lesson))) {
		say_no_place(fragment);
	}
	web.ui.dirty = true;
	reader_update(&web.reader, web.reader.w, web.reader.h);
}

/* Returns the fragment of where the reader is; "": at the map. */
KEEP const char *web_here(void)
{
	static char here[256];
	struct reader *r = &web.reader;
	const struct recording *rec = reader_recording(r);
	int n = 0;

	here[0] = '\0';
	if (r->show.practice) {
		snprintf(here, sizeof(here), "practice=%s", r->practice->rung ?
			 r->practice->rung->name : "map");
		return here;
	}
	if (r->lesson && known_lesson(r->lesson->name))
		n = snprintf(here, sizeof(here), "lesson=%s&step=%zu",
			     r->lesson->name, r->step + 1);
	else if (!r->lesson && !r->show.list && rec->work.name &&
		 kernel_find(rec->work.name))
		n = snprintf(here, sizeof(here), "kernel=%s", rec->work.name);
	if (n && reader_cursor(r)->lane)
		n += snprintf(here + n, sizeof(here) - (size_t)n, "&lane=%u",
			      reader_cursor(r)->lane);
	if (n && r->show.held)
		snprintf(here + n, sizeof(here) - (size_t)n, "&view=%s",
			 r->show.held->name);
	return here;
}

/* ---- what the page gives ---- */

/* Presses a key, by its character or by a name of keys_names(). */
KEEP void web_key(const char *name)
{
	uint32_t key = keys_named(name);

	term_post(web.ui.term, &(struct event){ .key = key });
}

/* Tells what the mouse does (enum mouse_kind), at a cell. */
KEEP void web_mouse(int kind, int x, int y)
{
	term_post(web.ui.term,
		  &(struct event){ .key = K_MOUSE, .x = x, .y = y,
				   .mouse = (enum mouse_kind)kind });
}

KEEP void web_resize(int w, int h)
{
	term_resize(web.ui.term, w, h);
}

KEEP void web_theme(const char *name)
{
	choose_theme(name);
	term_theme(web.ui.term, web.reader.theme);
	web.ui.dirty = true;
}

/* Shows a line in place of the keys. */
KEEP void web_say(const char *words)
{
	reader_say(&web.reader, true, "%s", text_show(words));
	web.ui.dirty = true;
	reader_update(&web.reader, web.reader.w, web.reader.h);
}

/* Opens a recording that is at this path. */
KEEP void web_open(const char *path)
{
	struct reader *r = &web.reader;
	struct error e;
	struct trace *t = trace_open(path, &e);

	if (!t || trace_check(t, &e)) {
		trace_close(t);
		web_say(e.text);
		return;
	}
	reader_open_trace(r, t);
	reader_came_from(r, LIST_COURSE, 0);
	web.ui.dirty = true;
	reader_update(r, r->w, r->h);
}

/* Leads to the map where a terminal's program would end. */
static void stay_in_page(void)
{
	struct reader *r = &web.reader;

	if (!r->quit)
		return;
	r->quit = r->must_record = false;
	if (!r->show.list)
		reader_open_list(r, LIST_COURSE);
	if (r->failed.text[0])
		reader_say(r, true, "%s", r->failed.text);
	else if (!r->practice)
		reader_say(r, false, "%s", _("To leave, close the page."));
	reader_end_practice(r);
	r->failed.text[0] = '\0';
	reader_update(r, r->w, r->h);
}

/* Takes what the page gave, and moves time on. Returns the milliseconds until
 * it wants to be called again although nothing happens; -1: never. */
KEEP int web_turn(void)
{
	ui_turn(&web.ui);
	stay_in_page();
	reach_place();
	ui_draw(&web.ui);
	return ui_patience(&web.ui);
}

/* Adds a text that is freed; NULL: none. */
static void add_owned(struct str *all, char *text)
{
	str_add(all, text ? text : "");
	free(text);
}

/* Adds what a practice shows: the task and what to do, or the chosen rung. */
static void add_practice_words(struct str *all, const struct show_practice *p)
{
	if (!p->open)
		str_addf(all, "%s: %s\n", p->rungs[p->chosen].name,
			 p->rungs[p->chosen].title);
	for (size_t i = 0; p->open && i < p->task_count; i++) {
		for (size_t k = 0; k < p->task[i].span_count; k++)
			str_add(all, p->task[i].spans[k].text);
		str_addc(all, '\n');
	}
	for (size_t i = 0; p->open && i < p->stage_count; i++)
		str_addf(all, "%s\n", p->stages[i].words);
}

/* Returns the frame as sentences, as --plain prints them. */
KEEP const char *web_words(void)
{
	static char *words;
	const struct frame_model *s = &web.reader.show;
	const struct show_entry *e = s->list && s->list->count ?
			&s->list->entries[s->list->chosen] : NULL;
	struct str all = { 0 };

	free(words);
	if (s->practice)
		add_practice_words(&all, s->practice);
	else if (e && !s->benchmark && !s->over)
		str_addf(&all, "%s: %s. %s\n", e->name, e->title, e->about);
	else
		add_owned(&all, frame_words(s));
	if (s->lesson.question)
		add_owned(&all, question_words(s));
	words = str_take(&all);
	return words;
}

/* Returns how many rectangles a character is drawn as, and fills them in; 0:
 * the font draws it. quarters is that of glyph_parts(). */
KEEP int web_glyph(uint32_t ch, struct glyph_part *parts, int *quarters)
{
	return (int)glyph_parts(ch, parts, quarters);
}
