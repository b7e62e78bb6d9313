/*
 * Markdown: a handout of the lesson's words with a picture of each step. The
 * answers follow after all questions, each with the picture that shows it.
 */
#include <stdlib.h>
#include <string.h>

#include "base/lang.h"
#include "export/export.h"
#include "export/svg.h"

struct handout {
	struct str answers;
	int pictures, steps, questions;
	bool asked;		/* the answer of what was asked is to come */
};

/* Adds text with Markdown's special characters escaped. */
static void add_md_text(struct str *out, const char *text)
{
	for (const char *p = text; *p; p++) {
		if (strchr("\\`*_[]<>#|~$&", *p))
			str_addc(out, '\\');
		str_addc(out, *p);
	}
}

/* Adds a code span. It is enclosed in one backtick more than any run of
 * backticks in the text. */
static void add_code(struct str *out, const char *text)
{
	int most = 0, n = 0;

	for (const char *p = text; *p; p++) {
		n = *p == '`' ? n + 1 : 0;
		most = MAX(most, n);
	}
	for (n = 0; n <= most; n++)
		str_addc(out, '`');
	str_addf(out, most ? " %s " : "%s", text);
	for (n = 0; n <= most; n++)
		str_addc(out, '`');
}

static void add_md_span(struct str *out, const struct lesson_span *s)
{
	const char *mark = s->style & SPAN_STRONG ? "**" :
			   s->style & SPAN_EMPHASIS ? "*" : "";

	str_add(out, mark);
	if (s->style & SPAN_CODE)
		add_code(out, s->text);
	else
		add_md_text(out, s->text);
	str_add(out, mark);
}

/* Adds lines of code, each indented by four spaces. */
static void add_lines(struct str *out, const char *text)
{
	while (*text) {
		size_t n = strcspn(text, "\n");

		str_add(out, "    ");
		str_addn(out, text, n);
		str_addc(out, '\n');
		text += n + (text[n] == '\n');
	}
}

static void add_md_paragraph(struct str *out, const struct lesson_paragraph *p)
{
	if (p->kind == PARAGRAPH_ITEM && p->number)
		str_addf(out, "%d. ", p->number);
	else if (p->kind == PARAGRAPH_ITEM)
		str_add(out, "* ");
	for (size_t i = 0; i < p->span_count; i++)
		if (p->kind == PARAGRAPH_CODE)
			add_lines(out, p->spans[i].text);
		else
			add_md_span(out, &p->spans[i]);
	str_add(out, p->kind == PARAGRAPH_CODE ? "\n" : "\n\n");
}

/* Returns the name of the file with the frame's picture. A frame that looks
 * like the last picture shares its file. */
static const char *picture_file(struct export *x, const struct export_frame *f,
				const char *title)
{
	struct handout *k = x->own;
	struct str svg = {0}, *to;

	svg_begin(&svg, x->w, x->h, x->theme, title, f->words, "");
	svg_cells(&svg, f->canvas, NULL, x->theme);
	svg_end(&svg);
	if (k->pictures &&
	    !strcmp(svg.data, x->beside[k->pictures - 1].data.data)) {
		str_done(&svg);
	} else {
		k->pictures++;
		to = export_beside(x, xasprintf("%s-%02d.svg", x->name,
						k->pictures));
		*to = svg;
	}
	return x->beside[k->pictures - 1].name;
}

/* Adds a reference to the frame's picture to `out`; the picture is a file of
 * its own. */
static void add_picture_link(struct export *x, struct str *out,
			     const struct export_frame *f, const char *title)
{
	str_add(out, "![");
	add_md_text(out, title);
	str_add(out, "](");
	for (const char *p = picture_file(x, f, title); *p; p++)
		if (strchr(" ()<>\\%", *p))
			str_addf(out, "%%%02x", (unsigned char)*p);
		else
			str_addc(out, *p);
	str_add(out, ")\n\n");
}

/* Adds the sentence that says what the request does, for exports without a
 * lesson. */
static void add_request_sentence(struct str *out, const struct frame_model *s)
{
	if (!scene_shown(s->scene))
		return;
	if (s->scene->site)
		str_addf(out, "## %s %u\n\n", _("step"),
			 s->scene->cursor.request + 1);
	if (s->scene->sentence) {
		add_md_text(out, s->scene->sentence);
		str_add(out, "\n\n");
	}
}

static void add_md_question(struct export *x, const struct export_frame *f)
{
	struct handout *k = x->own;

	str_addf(&x->out, "**%s %d.** ", _("Question"), ++k->questions);
	add_md_text(&x->out, f->show->lesson.question);
	str_add(&x->out, "\n\n");
	for (int i = 0; i < f->choice_count; i++) {
		str_addf(&x->out, "* %c) ", 'a' + i);
		add_md_text(&x->out, f->choices[i].text);
		str_addc(&x->out, '\n');
	}
	str_addc(&x->out, '\n');
	for (int i = 0; i < f->choice_count; i++) {
		if (!f->choices[i].right)
			continue;
		str_addf(&k->answers, "**%s %d: %c) ", _("Question"),
			 k->questions, 'a' + i);
		add_md_text(&k->answers, f->choices[i].text);
		str_add(&k->answers, ".** ");
		add_md_text(&k->answers, f->choices[i].reply);
		str_add(&k->answers, "\n\n");
	}
}

static void add_step(struct export *x, const struct export_frame *f)
{
	const struct show_lesson *l = &f->show->lesson;
	struct handout *k = x->own;

	str_addf(&x->out, "## %d. ", ++k->steps);
	add_md_text(&x->out, f->chapter);
	str_add(&x->out, "\n\n");
	for (size_t i = 0; i < l->prose_count; i++)
		add_md_paragraph(&x->out, &l->prose[i]);
	add_picture_link(x, &x->out, f, f->chapter);
}

static int begin(struct export *x, struct error *e)
{
	(void)e;
	x->own = xcalloc(1, sizeof(struct handout));
	str_add(&x->out, "# ");
	add_md_text(&x->out, x->title);
	str_add(&x->out, "\n\n");
	return 0;
}

static void frame(struct export *x, const struct export_frame *f)
{
	const struct show_lesson *l = &f->show->lesson;
	struct handout *k = x->own;

	if (!l->title) {
		add_request_sentence(&x->out, f->show);
		add_picture_link(x, &x->out, f, x->title);
	} else if (l->learned) {
		str_addf(&x->out, "## %s\n\n", f->chapter);
		if (*learned_opening(l)) {
			str_add(&x->out, "**");
			add_md_text(&x->out, l->learned);
			str_add(&x->out, "** ");
		}
		add_md_text(&x->out, l->learned_words);
		str_add(&x->out, "\n\n");
	} else if (f->chapter) {
		add_step(x, f);
	}
	if (f->show->benchmark)
		add_picture_link(x, &x->out, f, _("race"));
	else if (f->choice_count)
		add_md_question(x, f);
	else if (k->asked)
		add_picture_link(x, &k->answers, f, l->step_title);
	k->asked = f->choice_count > 0;
}

static void end(struct export *x)
{
	struct handout *k = x->own;

	if (k->answers.len)
		str_addf(&x->out, "## %s\n\n%s", _("Answers"),
			 k->answers.data);
	/* one newline at the end */
	while (x->out.len > 1 && x->out.data[x->out.len - 2] == '\n')
		x->out.data[--x->out.len] = 0;
	str_done(&k->answers);
	free(k);
}

const struct exporter exporter_md = {
	.name = "md", .suffix = ".md",
	.help = N_("a handout in Markdown, with its pictures (SVG) in files "
		   "next to it"),
	.bare = true, .beside = true,
	.begin = begin, .frame = frame, .end = end,
};
