/*
 * HTML: one self-contained page: a player of the frames, and next to it the
 * lesson's words and questions as text. player.js and player.css are embedded
 * in it.
 */
#include "export/html_frames.h"

#include <stdlib.h>
#include <string.h>

#include "base/lang.h"

extern const char player_css[], player_js[];	/* made of those files */

struct page {
	struct html_frames frames;
	struct str articles;
	bool article;		/* one is open */
	/* {"right": choice, "texts": [...], "replies": [...]} */
	json_t *questions;
	int steps;
};

/* ---- words ---- */

static void add_html_text(struct str *out, const char *text)
{
	export_escape(out, text, strlen(text));
}

static void add_html_span(struct str *out, const struct lesson_span *s)
{
	const char *tag = s->style & SPAN_CODE ? "code" :
			  s->style & SPAN_STRONG ? "strong" :
			  s->style & SPAN_EMPHASIS ? "em" : NULL;

	if (tag)
		str_addf(out, "<%s>", tag);
	add_html_text(out, s->text);
	if (tag)
		str_addf(out, "</%s>", tag);
}

/* Adds a paragraph. An item of a list begins with its number or bullet, as on
 * the screen. */
static void add_html_paragraph(struct str *out,
			       const struct lesson_paragraph *p)
{
	const char *tag = p->kind == PARAGRAPH_CODE ? "pre" : "p";

	str_addf(out, p->kind == PARAGRAPH_ITEM ? "<p class=\"item\">" : "<%s>",
		 tag);
	if (p->kind == PARAGRAPH_ITEM && p->number)
		str_addf(out, "%d. ", p->number);
	else if (p->kind == PARAGRAPH_ITEM)
		str_add(out, "• ");
	for (size_t i = 0; i < p->span_count; i++)
		if (p->kind == PARAGRAPH_CODE)
			add_html_text(out, p->spans[i].text);
		else
			add_html_span(out, &p->spans[i]);
	str_addf(out, "</%s>\n", tag);
}

static void close_article(struct page *k)
{
	if (k->article)
		str_add(&k->articles, "</article>\n");
	k->article = false;
}

static void open_article(struct page *k, const struct export_frame *f)
{
	const struct show_lesson *l = &f->show->lesson;

	close_article(k);
	k->article = true;
	str_add(&k->articles, "<article>\n<h2>");
	if (!l->learned)
		str_addf(&k->articles, "%d. ", ++k->steps);
	add_html_text(&k->articles, f->chapter);
	str_add(&k->articles, "</h2>\n");
	if (l->learned) {
		str_add(&k->articles, "<p>");
		if (*learned_opening(l)) {
			str_add(&k->articles, "<strong>");
			add_html_text(&k->articles, l->learned);
			str_add(&k->articles, "</strong> ");
		}
		add_html_text(&k->articles, l->learned_words);
		str_add(&k->articles, "</p>\n");
	}
	for (size_t i = 0; i < l->prose_count && !l->learned; i++)
		add_html_paragraph(&k->articles, &l->prose[i]);
}

static void add_choices(struct str *out, const struct export_frame *f)
{
	str_add(out, "<p class=\"choices\">");
	for (int i = 0; i < f->choice_count; i++) {
		str_addf(out, "<button type=\"button\" data-choice=\"%d\">"
			 "<kbd>%c</kbd> ", i, 'a' + i);
		add_html_text(out, f->choices[i].text);
		str_add(out, "</button>\n");
	}
	str_add(out, "</p>\n");
}

/* Adds the field in which an answer can be typed, as on the screen. */
static void add_typed(struct str *out)
{
	str_addf(out, "<form class=\"typed\"><label>%s <input type=\"text\" "
		 "inputmode=\"decimal\" autocomplete=\"off\" size=\"6\">"
		 "</label>\n<button>%s</button>\n", _("or type it:"),
		 _("Check"));
	str_addf(out, "<button type=\"button\" class=\"reveal\">%s</button>"
		 "</form>\n", _("Show the answer"));
}

/* Adds a question with its choices. Returns its number, from 0. */
static int add_html_question(struct page *k, const struct export_frame *f)
{
	json_t *texts = json_array(), *replies = json_array();
	int right = 0;

	str_add(&k->articles, "<fieldset>\n<legend>");
	add_html_text(&k->articles, f->show->lesson.question);
	str_add(&k->articles, "</legend>\n");
	add_choices(&k->articles, f);
	add_typed(&k->articles);
	str_add(&k->articles, "<p class=\"reply\" role=\"status\"></p>\n"
		"</fieldset>\n");
	for (int i = 0; i < f->choice_count; i++) {
		json_array_append_new(texts, json_string(f->choices[i].text));
		json_array_append_new(replies,
				      json_string(f->choices[i].reply));
		right = f->choices[i].right ? i : right;
	}
	json_array_append_new(k->questions,
			      json_pack("{s:i, s:o, s:o}", "right", right,
					"texts", texts, "replies", replies));
	return (int)json_array_size(k->questions) - 1;
}

/* ---- the page ---- */

static int begin(struct export *x, struct error *e)
{
	struct page *k = xcalloc(1, sizeof(*k));

	(void)e;
	html_frames_init(&k->frames, x->w, x->h);
	k->questions = json_array();
	x->own = k;
	return 0;
}

static void frame(struct export *x, const struct export_frame *f)
{
	struct page *k = x->own;
	bool lesson = f->show->lesson.title;

	if (f->chapter && lesson)
		open_article(k, f);
	html_frames_add(&k->frames, f,
			lesson && f->choice_count ? add_html_question(k, f) :
						    -1);
}

/* Colours of the page itself, by the role that has them on the screen. */
static const struct { const char *name; uint8_t role; bool paint; } own[] = {
	{ "ground", ROLE_NONE, true }, { "text", ROLE_TEXT, false },
	{ "dim", ROLE_DIM, false }, { "strong", ROLE_STRONG, false },
	{ "accent", ROLE_ACCENT, false }, { "border", ROLE_BORDER, false },
	{ "good", ROLE_GOOD, false }, { "bad", ROLE_BAD, false },
	{ "bar", ROLE_BAR, true }, { "key", ROLE_KEY, true },
	{ "code", ROLE_CODE_WORD, false },
};

static void add_theme(struct str *out, struct html_frames *k, bool dark)
{
	str_addf(out, "color-scheme:%s;", dark ? "dark" : "light");
	for (size_t i = 0; i < LENGTH(own); i++) {
		size_t c = html_colour(k, own[i].role, own[i].paint);

		str_addf(out, "--%s:var(--c%zu);", own[i].name, c);
	}
	for (size_t i = 0; i < k->colour_count; i++)
		str_addf(out, "--c%zu:#%06x;", i,
			 theme_rgb(dark ? k->colours[i].dark :
					  k->colours[i].light));
	str_add(out, "}");
}

/* Adds the style sheet. The colour scheme is the one that the browser prefers
 * until the reader presses the page's button. */
static void add_style(struct str *out, struct html_frames *k)
{
	str_add(out, ":root{");
	add_theme(out, k, false);
	str_add(out, "\n@media screen and (prefers-color-scheme:dark){"
		":root:not([data-theme=light]){");
	add_theme(out, k, true);
	str_add(out, "}\n@media screen{:root[data-theme=dark]{");
	add_theme(out, k, true);
	str_add(out, "}\n");
	for (size_t i = 0; i < k->colour_count; i++)
		str_addf(out, ".c%zu{fill:var(--c%zu)}", i, i);
	str_addc(out, '\n');
	str_add(out, player_css);
}

static void add_button(struct str *out, const char *id, const char *sign,
		       const char *label)
{
	str_addf(out, "<button type=\"button\" id=\"%s\" title=\"", id);
	add_html_text(out, label);
	str_add(out, "\" aria-label=\"");
	add_html_text(out, label);
	str_addf(out, "\">%s</button>\n", sign);
}

/* What player.js has keys for. */
static const struct { const char *keys, *meaning; } keys[] = {
	{ "space", N_("play, pause") },
	{ "enter", N_("on to where the picture rests") },
	{ "← →", N_("there at once, and back") },
	{ "page ↑ ↓", N_("the step before, the next step") },
	{ "a-d 0-9", N_("answer") },
	{ "!", N_("show the answer") },
	{ "l L", N_("the cells of the next lane, of the one before") },
	{ "t", N_("dark or light") },
};

static void add_keys(struct str *out)
{
	str_addf(out, "<details id=\"keys\"><summary>%s</summary>\n<dl>\n",
		 _("Keys"));
	for (size_t i = 0; i < LENGTH(keys); i++)
		str_addf(out, "<div><dt><kbd>%s</kbd></dt><dd>%s</dd></div>\n",
			 keys[i].keys, _(keys[i].meaning));
	str_add(out, "</dl></details>\n");
}

static void add_player(struct str *out, const struct export *x)
{
	str_addf(out, "<figure>\n<div id=\"stage\" tabindex=\"0\" role="
		 "\"img\" aria-label=\"%s\" aria-describedby=\"said\">"
		 "<svg id=\"screen\" viewBox=\"0 0 %d %d\" xml:space="
		 "\"preserve\"></svg></div>\n", _("The screen"), x->w * 8,
		 x->h * 16);
	str_addf(out, "<div id=\"controls\" role=\"group\" aria-label=\"%s\">"
		 "\n", _("Player"));
	add_button(out, "before", "⏮", _("Step before"));
	add_button(out, "back", "◀", _("Back"));
	add_button(out, "play", "▶", _("Play"));
	add_button(out, "on", "▶|", _("Forward"));
	add_button(out, "next", "⏭", _("Next step"));
	str_addf(out, "<input type=\"range\" id=\"scrub\" min=\"0\" value=\"0\""
		 " aria-label=\"%s\">\n<output id=\"place\"></output>\n</div>\n",
		 _("Position"));
	str_add(out, "<figcaption id=\"said\" aria-live=\"polite\">"
		"</figcaption>\n<p id=\"lit\" role=\"status\"></p>\n");
	add_keys(out);
	str_add(out, "</figure>\n");
}

/* Returns the player's messages, translated. */
static json_t *player_labels(void)
{
	return json_pack("{s:s, s:s, s:s, s:s, s:s, s:s}", "play", _("Play"),
			 "pause", _("Pause"), "lane", _("lane"), "lanes",
			 _("lanes"), "step", _("step"), "wrong",
			 _("Not quite. Look again, or press ! to see the "
			   "answer."));
}

/* Adds JSON as the text of a script element: '<' is escaped, so that no text
 * can end the element. */
static void add_script_json(struct str *out, json_t *j)
{
	char *text = json_dumps(j, JSON_COMPACT | JSON_REAL_PRECISION(9));

	for (const char *p = text; *p; p++)
		if (*p == '<')
			str_add(out, "\\u003c");
		else
			str_addc(out, *p);
	free(text);
	json_decref(j);
}

static void add_head(struct str *out, const struct export *x, struct page *k)
{
	str_addf(out, "<!DOCTYPE html>\n<html lang=\"%s\">\n<head>\n"
		 "<meta charset=\"utf-8\">\n"
		 "<meta name=\"viewport\" content=\"width=device-width\">\n"
		 "<meta http-equiv=\"Content-Security-Policy\" content=\""
		 "default-src 'none'; style-src 'unsafe-inline'; script-src "
		 "'unsafe-inline'\">\n<title>", x->lang);
	add_html_text(out, x->title);
	str_add(out, "</title>\n<style>\n");
	add_style(out, &k->frames);
	str_add(out, "</style>\n</head>\n");
}

static void end(struct export *x)
{
	struct page *k = x->own;
	struct str *out = &x->out;
	json_t *film = html_frames_json(&k->frames);

	close_article(k);
	json_object_set_new(film, "questions", k->questions);
	json_object_set_new(film, "say", player_labels());
	add_head(out, x, k);
	str_addf(out, "<body%s>\n<header><h1>",
		 k->articles.len ? "" : " class=\"alone\"");
	add_html_text(out, x->title);
	str_add(out, "</h1>\n");
	add_button(out, "theme", "◐", _("Dark or light"));
	str_add(out, "</header>\n<main>\n<div id=\"words\">\n");
	str_add(out, k->articles.data ? k->articles.data : "");
	str_add(out, "</div>\n");
	add_player(out, x);
	str_add(out, "</main>\n<script type=\"application/json\" id=\"film\">");
	add_script_json(out, film);
	str_addf(out, "</script>\n<script>\n%s</script>\n</body>\n</html>\n",
		 player_js);
	html_frames_done(&k->frames);
	str_done(&k->articles);
	free(k);
}

const struct exporter exporter_html = {
	.name = "html", .suffix = ".html",
	.help = N_("one web page with a player, the text and the questions; "
		   "works offline"),
	.moves = true, .bare = true,
	.begin = begin, .frame = frame, .end = end,
};
