/*
 * export_test: what files hold of frames that are made here: sizes, colours,
 * times, markers, and words that are no markup.
 */
#include <config.h>

#include <jansson.h>
#include <stdlib.h>
#ifdef HAVE_GIF
#include <gif_lib.h>
#endif

#include "base/lang.h"
#include "export/export.h"
#include "export/font.h"
#include "export/glyph.h"
#include "export/paint.h"
#include "tap.h"

#define W 6
#define H 2

/* ---- making ---- */

static struct export x;
static struct canvas canvas;

static bool begin(const char *format, const char *title)
{
	struct error e;

	x = (struct export){ .format = export_find(format), .w = W, .h = H,
			     .theme = theme_find("dark"), .title = title,
			     .lang = "en", .name = "a b" };
	canvas_init(&canvas, W, H);
	if (!x.format->missing && export_begin(&x, &e) == 0)
		return true;
	tap_skip(format, x.format->missing ? x.format->missing : e.text);
	canvas_done(&canvas);
	return false;
}

static void add(struct export_frame f)
{
	static const struct frame_model none;

	f.canvas = &canvas;
	f.show = f.show ? f.show : &none;
	f.drawn = f.show;
	export_frame(&x, &f);
}

static const char *made(void)
{
	export_end(&x);
	return x.out.data;
}

static void done(void)
{
	export_done(&x);
	canvas_done(&canvas);
}

static bool has(const char *text, const char *part)
{
	return strstr(text, part) != NULL;
}

static int count(const char *text, const char *part)
{
	int n = 0;

	for (; (text = strstr(text, part)); text += strlen(part))
		n++;
	return n;
}

static void text(int col, int row, const char *words)
{
	canvas_text(&canvas, col, row, -1, words, INK(ROLE_TEXT));
}

static void ground(int col, int row, int w, int h)
{
	canvas_fill(&canvas, (struct rect){ col, row, w, h }, ' ',
		    INK_ON(ROLE_TEXT, ROLE_HUE1));
}

/* ---- SVG ---- */

static void test_still(void)
{
	int colour = paint_cell(theme_find("dark"),
				&(struct cell){ .ch = ' ', .bg = ROLE_HUE1 }).bg;
	char rule[64], *svg;

	if (!begin("svg", "<&\">"))
		return;
	ground(2, 0, 1, 1);
	ground(2, 1, 2, 1);
	ground(5, 0, 1, 2);
	text(0, 1, "<");
	canvas_put(&canvas, 0, 0, 0x2582, INK(ROLE_TEXT));
	add((struct export_frame){ .seconds = 1 });
	svg = (char *)(uintptr_t)made();
	tap_ok(has(svg, "width=\"64\" height=\"48\" viewBox=\"-8 -8 64 48\""),
	       "svg: cells of 8 x 16, and a margin of 8 on each side");
	tap_ok(has(svg, "x=\"-8\" y=\"-8\" width=\"64\" height=\"48\"/>"),
	       "svg: the ground is as large");
	tap_ok(has(svg, "<title>&lt;&amp;&quot;&gt;</title>"),
	       "svg: a title is no markup");
	tap_ok(has(svg, "<text y=\"28\"><tspan x=\"0\"") &&
	       has(svg, ">&lt;</tspan>"),
	       "svg: a character stands on its row's baseline");
	snprintf(rule, sizeof(rule), ".c%d{fill:#%06x}", colour,
		 theme_rgb(colour));
	tap_ok(has(svg, rule), "svg: a colour is the theme's");
	tap_ok(has(svg, "M40 0h8v32h-8z"),
	       "svg: what is as wide below is one rectangle");
	tap_ok(has(svg, "M16 0h8v16h-8z") && has(svg, "M16 16h16v16h-16z"),
	       "svg: what is wider below is another");
	tap_ok(has(svg, "M0 12h8v4h-8z"), "svg: a low block is at the bottom");
	done();
}

static void test_film(void)
{
	const char *svg;

	if (!begin("svg", "t"))
		return;
	text(0, 0, "a");
	text(1, 1, "b");
	add((struct export_frame){ .seconds = 0.5 });
	text(1, 1, "c");
	add((struct export_frame){ .seconds = 1.5 });
	svg = made();
	tap_is(count(svg, "<g"), 3, "svg: a group for each time of life");
	tap_is(count(svg, ">a<") + count(svg, ">b<") + count(svg, ">c<"), 3,
	       "svg: and each character in one of them");
	tap_ok(has(svg, "<g class=\"a k500\" style=\"--t:0\">"),
	       "svg: what goes after half a second");
	tap_ok(has(svg, "<g class=\"a k1500 z\" style=\"--t:500\">"),
	       "svg: what comes then, and is there at the end");
	tap_ok(has(svg, "<g><text y=\"12\"><tspan x=\"0\"") ||
	       has(svg, "<g><path"), "svg: what is always there");
	tap_ok(has(svg, "animation-duration:2000ms") &&
	       has(svg, "@keyframes k500{0%{visibility:visible}24.99995%,"),
	       "svg: all of it takes two seconds, half a second is a quarter");
	done();
}

/* ---- asciicast ---- */

static void test_cast(void)
{
	const char *cast;

	if (!begin("cast", "t"))
		return;
	text(0, 0, "a");
	add((struct export_frame){ .seconds = 0.5, .chapter = "One" });
	text(1, 1, "b");
	add((struct export_frame){ .seconds = 0.75 });
	text(5, 1, "c");
	add((struct export_frame){ .seconds = 1, .chapter = "Two" });
	cast = made();
	tap_ok(has(cast, "\"width\":6,\"height\":2"), "cast: its size");
	tap_ok(has(cast, "\n[0.0,\"m\",\"One\"]\n[0.0,\"o\","),
	       "cast: the first step has a marker, before its picture");
	tap_ok(has(cast, "\n[0.5,\"o\",\"\\u001B[2;2H"),
	       "cast: what changes is sent when its frame comes");
	tap_ok(has(cast, "\n[1.25,\"m\",\"Two\"]\n[1.25,\"o\","),
	       "cast: the second step's marker");
	tap_ok(has(cast, "\n[2.25,\"o\","), "cast: the last frame stays");
	tap_is(count(cast, "\n["), 6, "cast: and nothing besides");
	done();
}

/* ---- Markdown ---- */

static const struct export_choice choices[] = {
	{ (char *)"4 * 4", (char *)"No.", false },
	{ (char *)"8", (char *)"So [it] is.", true },
};

static void test_handout(void)
{
	struct frame_model lesson = { .lesson = { .title = "L", .step_title = "S",
					   .question = "How <many>?" } };
	const char *md;

	if (!begin("md", "a*b_c"))
		return;
	text(0, 0, "a");
	add((struct export_frame){ .seconds = 1, .show = &lesson,
				   .chapter = "One", .choices = choices,
				   .choice_count = 2 });
	add((struct export_frame){ .seconds = 1, .show = &lesson });
	text(0, 0, "b");
	add((struct export_frame){ .seconds = 1, .show = &lesson,
				   .chapter = "Two" });
	md = made();
	tap_ok(!strncmp(md, "# a\\*b\\_c\n", 10), "md: a title is no markup");
	tap_ok(has(md, "## 1. One\n") && has(md, "## 2. Two\n"),
	       "md: steps have their numbers");
	tap_ok(has(md, "**Question 1.** How \\<many\\>?\n\n* a) 4 \\* 4\n* b) 8\n"),
	       "md: a question and its choices");
	tap_ok(has(md, "## Answers\n\n**Question 1: b) 8.** So \\[it\\] is.\n"),
	       "md: its answer is behind all questions");
	tap_ok(has(md, "![One](a%20b-01.svg)") && has(md, "![Two](a%20b-03.svg)"),
	       "md: a picture's name is a link");
	tap_is(x.beside_count, 3, "md: a picture for each step and answer");
	tap_str(x.beside[0].name, "a b-01.svg", "md: which is named so");
	done();
}

/* What was learned is one sentence, with its number once. */
static void learned_is(const char *number, const char *words,
		       const char *sentence)
{
	struct frame_model lesson = { .lesson = { .title = "L",
						  .learned = number,
						  .learned_words = words } };

	if (!begin("md", "k"))
		return;
	text(0, 0, "a");
	add((struct export_frame){ .seconds = 1, .show = &lesson,
				   .chapter = "End" });
	tap_ok(has(made(), sentence), "md: learned: %s", words);
	done();
}

static void test_learned(void)
{
	learned_is("1.6", "times as fast", "\n**1.6** times as fast\n");
	learned_is("1.6", "not 11.6 nor 1.62",
		   "\n**1.6** not 11.6 nor 1.62\n");
	learned_is("16", "by a factor of 16.", "\nby a factor of 16.\n");
}

/* One that is like the last one is not written again. */
static void test_same_picture(void)
{
	if (!begin("md", "k"))
		return;
	text(0, 0, "a");
	add((struct export_frame){ .seconds = 1 });
	add((struct export_frame){ .seconds = 1 });
	tap_is(x.beside_count, 1, "md: what looks the same is one picture");
	tap_is(count(made(), "![k](a%20b-01.svg)"), 2, "md: shown twice");
	done();
}

/* ---- HTML ---- */

static json_t *film_of(const char *html)
{
	static const char head[] = "id=\"film\">";
	const char *from = strstr(html, head);
	const char *to = from ? strstr(from, "</script>") : NULL;

	from = to ? from + strlen(head) : html;
	return json_loadb(from, to ? (size_t)(to - from) : 0, 0, NULL);
}

/* What a frame changes, as "from:text" of each run. */
static char *changes(const json_t *film, size_t frame)
{
	json_t *d = json_object_get(json_array_get(
		json_object_get(film, "frames"), frame), "d");
	struct str out = {0};

	str_add(&out, "");
	for (size_t i = 0; i + 2 < json_array_size(d); i += 3)
		str_addf(&out, "%d:%s ", (int)json_integer_value(
			 json_array_get(d, i)), json_string_value(
			 json_array_get(d, i + 2)));
	return str_take(&out);
}

static json_t *frame_has(const json_t *film, size_t frame, const char *what)
{
	return json_object_get(json_array_get(json_object_get(film, "frames"),
					      frame), what);
}

static void is_change(const json_t *film, size_t frame, const char *want,
		      const char *what)
{
	char *got = changes(film, frame);

	tap_str(got, want, "html: %s", what);
	free(got);
}

static void test_page(void)
{
	struct frame_model lesson = { .lesson = { .title = "L", .question = "?" } };
	json_t *film, *asked;
	const char *html;

	if (!begin("html", "</title><script>"))
		return;
	text(0, 0, "a");
	add((struct export_frame){ .seconds = 0.5, .show = &lesson,
				   .chapter = "</script>" });
	text(1, 1, "b");
	add((struct export_frame){ .seconds = 0.25, .show = &lesson,
				   .choices = choices, .choice_count = 2 });
	add((struct export_frame){ .seconds = 1, .show = &lesson,
				   .chapter = "Two" });
	html = made();
	tap_is(count(html, "<script"), 2, "html: words are no scripts");
	tap_is(count(html, "</script>"), 2, "html: and end none");
	film = film_of(html);
	tap_is(json_array_size(json_object_get(film, "frames")), 3,
	       "html: frames");
	is_change(film, 0, "0:a ", "the first one has all there is");
	is_change(film, 1, "7:b ", "the next one what is new");
	is_change(film, 2, "0:a 7:b ", "a step's first all of it again");
	tap_ok(json_real_value(frame_has(film, 0, "s")) == 0.5 &&
	       json_real_value(frame_has(film, 1, "s")) == 0.25,
	       "html: how long each stays");
	tap_str(json_string_value(frame_has(film, 2, "c")), "Two",
		"html: a step's title");
	asked = json_array_get(json_object_get(film, "questions"), 0);
	tap_is(json_integer_value(frame_has(film, 1, "q")), 0,
	       "html: the question is open in its frame");
	tap_ok(!frame_has(film, 0, "q") && !frame_has(film, 2, "q"),
	       "html: and in no other");
	tap_is(json_integer_value(json_object_get(asked, "right")), 1,
	       "html: which answer is right");
	tap_is(count(html, "type=\"button\" data-choice="), 2, "html: a button for each");
	json_decref(film);
	done();
}

/* ---- GIF ---- */

#ifdef HAVE_GIF
static int take(GifFileType *gif, GifByteType *to, int n)
{
	struct str *from = gif->UserData;
	int got = MIN(n, (int)from->len);

	memcpy(to, from->data, (size_t)got);
	from->data += got;
	from->len -= (size_t)got;
	return got;
}

static GifFileType *read_gif(void)
{
	static struct str rest;
	int wrong;
	GifFileType *gif;

	rest = x.out;
	gif = DGifOpen(&rest, take, &wrong);
	if (!gif || DGifSlurp(gif) != GIF_OK)
		fatal("this is no GIF");
	return gif;
}

static int delay(GifFileType *gif, int frame)
{
	GraphicsControlBlock control;

	DGifSavedExtensionToGCB(gif, frame, &control);
	return control.DelayTime;
}

/* Pixels of the ink of a cell of the first frame, from column `from` of it to
 * before `to`. */
static int ink(const GifFileType *gif, int col, int row, int from, int to)
{
	const GifByteType *bits = gif->SavedImages[0].RasterBits;
	int n = 0;

	for (int y = 0; y < GLYPH_H; y++)
		for (int i = from; i < to; i++)
			n += bits[(row * GLYPH_H + y) * W * GLYPH_W +
				  col * GLYPH_W + i] != gif->SBackGroundColor;
	return n;
}

static void test_gif(void)
{
	const GifImageDesc *d;
	GifFileType *gif;
	int all = 0, wrong;

	if (!begin("gif", "t"))
		return;
	text(0, 0, "L");
	canvas_put(&canvas, 2, 1, 0x2591, INK(ROLE_TEXT));
	for (int i = 0; i < 5; i++) {
		char digit[2] = { (char)('0' + i), 0 };

		text(5, 1, digit);
		add((struct export_frame){ .seconds = 0.104 });
	}
	made();
	gif = read_gif();
	tap_ok(gif->SWidth == W * 8 && gif->SHeight == H * 16,
	       "gif: cells of 8 x 16");
	tap_is(gif->ImageCount, 5, "gif: a frame for each change");
	d = &gif->SavedImages[1].ImageDesc;
	tap_ok(d->Left == 40 && d->Top == 16 && d->Width == 8 &&
	       d->Height == 16, "gif: which holds the cells that changed");
	for (int i = 0; i < gif->ImageCount; i++)
		all += delay(gif, i);
	tap_is(all, 52, "gif: rounded times do not add up to another one");
	tap_ok(ink(gif, 0, 0, 0, 4) > ink(gif, 0, 0, 4, 8),
	       "gif: an L has its stroke at the left");
	tap_is(ink(gif, 2, 1, 0, 8), 32, "gif: a light shade is a quarter");
	DGifCloseFile(gif, &wrong);
	done();
}
#endif

int main(void)
{
	lang_init("en");
	test_still();
	test_film();
	test_cast();
	test_handout();
	test_learned();
	test_same_picture();
	test_page();
#ifdef HAVE_GIF
	test_gif();
#endif
	return tap_done();
}
