#include "lesson/lesson_parse.h"

#include <ctype.h>
#include <md4c.h>
#include <stdlib.h>
#include <string.h>

#include "base/lang.h"

/* ---- failing ---- */

int parse_fail(struct parser *p, const char *fmt, ...)
{
	char what[400];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), _(fmt), ap);
	va_end(ap);
	return error_set(p->error, EXIT_INPUT, "%s:%d: %s",
			 text_show(p->lesson->path), p->line, what);
}

int parse_fail_name(struct parser *p, const char *wanted, const char *got,
		    const char *const *names, size_t count)
{
	const char *near = nearest_name(got, names, count);

	if (near)
		return parse_fail(p, _("expected %s, got '%s'; did you mean "
				       "'%s'?"), wanted, text_show(got), near);
	return parse_fail(p, _("expected %s, got '%s'"), wanted,
			  text_show(got));
}

int parse_check_expr(struct parser *p, const char *expr)
{
	struct error e;

	if (!*expr)
		return parse_fail(p, _("expected an expression"));
	if (lesson_expr_check(expr, &e) < 0)
		return parse_fail(p, "%s", e.text);
	return 0;
}

int parse_check_words(struct parser *p, const char *words)
{
	struct error e;

	if (lesson_words_check(words, &e) < 0)
		return parse_fail(p, "%s", e.text);
	return 0;
}

/* ---- add to what is parsed ---- */

void *parse_append(void *array, size_t *count, size_t size)
{
	void **p = array;

	*p = xrealloc(*p, *count + 1, size);
	memset((char *)*p + *count * size, 0, size);
	return (char *)*p + (*count)++ * size;
}

struct lesson_step *parse_step(struct parser *p)
{
	struct lesson *l = p->lesson;

	return l->step_count ? &l->steps[l->step_count - 1] : NULL;
}

struct lesson_question *parse_question(struct parser *p)
{
	struct lesson_step *s = parse_step(p);

	return p->question ? &s->questions[s->question_count - 1] : NULL;
}

/* ---- read the words of a line ---- */

char *parse_word(char **line)
{
	char *word = *line + strspn(*line, " ");
	char *end = word + strcspn(word, " ");

	*line = *end ? end + 1 : end;
	*end = '\0';
	return *word ? word : NULL;
}

bool parse_is_name(const char *s)
{
	if (!isalpha((unsigned char)*s) && *s != '_')
		return false;
	return s[strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTU"
			"VWXYZ0123456789_")] == '\0';
}

/* ---- prose ---- */

static struct lesson_paragraph *new_paragraph(struct parser *p,
					      enum paragraph_kind kind)
{
	struct lesson_step *s = parse_step(p);
	struct lesson_paragraph *para =
		parse_append(&s->prose, &s->prose_count, sizeof(*para));

	para->kind = kind;
	return para;
}

static struct lesson_paragraph *paragraph_of(struct parser *p)
{
	struct lesson_step *s = parse_step(p);

	return &s->prose[s->prose_count - 1];
}

/* Returns whether the script is written without spaces, as Chinese is. */
static bool is_spaceless(uint32_t cp)
{
	return cp >= 0x2e80;
}

/* Returns whether the line break before `text` becomes a space. */
static bool needs_space(const struct parser *p, const char *text, size_t n)
{
	uint32_t next;

	if (!p->last || !n)
		return false;
	text_decode(text, n, &next);
	return !is_spaceless(p->last) || !is_spaceless(next);
}

static void remember_last(struct parser *p, const char *text, size_t n)
{
	size_t start = n;

	while (start && ((unsigned char)text[--start] & 0xc0) == 0x80)
		;
	if (n)
		text_decode(text + start, n - start, &p->last);
}

/* Adds the collected span to its paragraph. */
static void end_span(struct parser *p)
{
	struct lesson_paragraph *para;
	struct lesson_span *span;

	if (!p->words.len)
		return;
	para = paragraph_of(p);
	span = parse_append(&para->spans, &para->span_count, sizeof(*span));
	span->style = p->words_style;
	span->text = str_take(&p->words);
}

/* Adds text in the current style to the last paragraph. */
static void add_styled_text(struct parser *p, const char *text, size_t n)
{
	struct lesson_paragraph *para = paragraph_of(p);

	if (!para->line)
		para->line = p->line;
	if (p->soft_break && needs_space(p, text, n))
		str_addc(&p->words, ' ');
	p->soft_break = false;
	if (p->words_style != p->style)
		end_span(p);
	p->words_style = p->style;
	str_addn(&p->words, text, n);
	remember_last(p, text, n);
}

static int end_paragraph(struct parser *p)
{
	const struct lesson_paragraph *para;

	end_span(p);
	p->last = 0;
	para = paragraph_of(p);
	for (size_t i = 0; i < para->span_count; i++)
		if (parse_check_words(p, para->spans[i].text) < 0)
			return -1;
	return 0;
}

/* ---- headings ---- */

static int end_heading(struct parser *p, unsigned level)
{
	struct lesson *l = p->lesson;
	char **title = level == 1 ? &l->title : NULL;

	p->heading = false;
	if (level > 2)
		return parse_fail(p, _("expected a heading of level 1 or 2"));
	if (level == 1 && (l->title || l->step_count))
		return parse_fail(p, _("expected one level-1 heading, first"));
	if (level == 2 && !l->title)
		return parse_fail(p, _("expected a level-1 heading first"));
	if (lesson_question_end(p) < 0)
		return -1;
	if (!p->words.len)
		return parse_fail(p, _("expected words in a heading"));
	if (!title) {
		struct lesson_step *s = parse_append(&l->steps, &l->step_count,
						     sizeof(*s));

		s->line = p->line;
		title = &s->title;
	}
	*title = str_take(&p->words);
	return 0;
}

/* ---- called by md4c ---- */

/* Finds the line of `text`, a pointer into the lesson that md4c passed. */
static void find_text_line(struct parser *p, const char *text)
{
	if (text < p->text || text >= p->text + p->len)
		return;
	if (text < p->seen) {
		p->seen = p->text;
		p->line = 1;
	}
	for (; p->seen < text; p->seen++)
		p->line += *p->seen == '\n';
}

static int enter_code(struct parser *p, const MD_BLOCK_CODE_DETAIL *d)
{
	p->directives = d->lang.size == 7 &&
			!memcmp(d->lang.text, "gemmviz", 7);
	find_text_line(p, d->info.text);
	if (p->directives)
		return 0;
	if (parse_step(p))
		new_paragraph(p, PARAGRAPH_CODE);
	else
		p->unsupported = true;
	return 0;
}

static int enter_list(struct parser *p, int number)
{
	p->unsupported = p->list_depth++ > 0;
	p->number = number;
	return 0;
}

static void enter_item(struct parser *p)
{
	struct lesson_paragraph *para;

	if (!parse_step(p))
		return;
	para = new_paragraph(p, PARAGRAPH_ITEM);
	para->number = p->number;
	if (p->number)
		p->number++;
	p->item = true;
}

static int enter_paragraph(struct parser *p)
{
	if (parse_step(p) && !p->item)
		new_paragraph(p, PARAGRAPH_TEXT);
	p->item = false;
	return 0;
}

static int enter_block(MD_BLOCKTYPE type, void *detail, void *ud)
{
	struct parser *p = ud;

	/* An item's words may be followed by a block in the same item. */
	if (p->words.len && end_paragraph(p) < 0)
		return -1;
	p->soft_break = false;
	switch (type) {
	case MD_BLOCK_DOC:
		return 0;
	case MD_BLOCK_H:
		p->heading = true;
		p->unsupported = p->list_depth > 0;
		str_clear(&p->words);
		return 0;
	case MD_BLOCK_P:
		return enter_paragraph(p);
	case MD_BLOCK_UL:
		return enter_list(p, 0);
	case MD_BLOCK_OL:
		return enter_list(p, MIN(((MD_BLOCK_OL_DETAIL *)detail)->start,
					 1000));
	case MD_BLOCK_LI:
		enter_item(p);
		return 0;
	case MD_BLOCK_CODE:
		return enter_code(p, detail);
	default:
		p->unsupported = true;
		return 0;
	}
}

static int fail_unsupported(struct parser *p)
{
	if (!p->lesson->title)
		return parse_fail(p, _("expected a level-1 heading first"));
	if (!parse_step(p))
		return parse_fail(p, _("expected a level-2 heading before "
				       "prose"));
	return parse_fail(p, _("expected a paragraph, a list without lists in "
			       "it, or a block of code"));
}

static int leave_code(struct parser *p)
{
	int status;

	if (!p->directives)
		return end_paragraph(p);
	p->directives = false;
	status = p->words.len ? lesson_directive(p, p->words.data) : 0;
	str_clear(&p->words);
	return status;
}

static int leave_block(MD_BLOCKTYPE type, void *detail, void *ud)
{
	struct parser *p = ud;

	if (p->unsupported)
		return fail_unsupported(p);
	switch (type) {
	case MD_BLOCK_H:
		return end_heading(p, ((MD_BLOCK_H_DETAIL *)detail)->level);
	case MD_BLOCK_CODE:
		return leave_code(p);
	case MD_BLOCK_UL:
	case MD_BLOCK_OL:
		p->list_depth--;
		return 0;
	case MD_BLOCK_LI:
		p->item = false;
		/* fall through */
	case MD_BLOCK_P:
		return parse_step(p) ? end_paragraph(p) : fail_unsupported(p);
	default:
		return 0;
	}
}

static unsigned get_span_style(MD_SPANTYPE type)
{
	return type == MD_SPAN_EM ? SPAN_EMPHASIS :
	       type == MD_SPAN_STRONG ? SPAN_STRONG :
	       type == MD_SPAN_CODE ? SPAN_CODE : 0;
}

static int fail_span(struct parser *p)
{
	return parse_fail(p, _("expected plain words, *emphasis*, **strong "
			       "emphasis** or `code`"));
}

static int enter_span(MD_SPANTYPE type, void *detail, void *ud)
{
	struct parser *p = ud;

	(void)detail;
	p->unsupported_span = p->unsupported_span || !get_span_style(type);
	p->style |= get_span_style(type);
	return 0;
}

static int leave_span(MD_SPANTYPE type, void *detail, void *ud)
{
	struct parser *p = ud;

	(void)detail;
	p->style &= ~get_span_style(type);
	return p->unsupported_span ? fail_span(p) : 0;
}

/* md4c gives a line of code and its newline one behind the other. */
static int directive_text(struct parser *p, const char *text, size_t n)
{
	int status;

	if (n != 1 || *text != '\n') {
		str_addn(&p->words, text, n);
		return 0;
	}
	status = p->words.len ? lesson_directive(p, p->words.data) : 0;
	str_clear(&p->words);
	return status;
}

static int take_text(MD_TEXTTYPE type, const char *text, MD_SIZE n, void *ud)
{
	struct parser *p = ud;

	find_text_line(p, text);
	if (p->unsupported)
		return fail_unsupported(p);
	if (p->unsupported_span)
		return fail_span(p);
	if (p->directives)
		return directive_text(p, text, n);
	if (type == MD_TEXT_ENTITY)
		return parse_fail(p, _("expected the character itself, got "
				       "'%.*s'"), (int)MIN(n, 20), text);
	if (type == MD_TEXT_SOFTBR || type == MD_TEXT_BR) {
		p->soft_break = true;
		return 0;
	}
	if (p->heading) {
		str_addn(&p->words, text, n);
		return 0;
	}
	if (!parse_step(p))
		return fail_unsupported(p);
	add_styled_text(p, text, n);
	return 0;
}

/* ---- check and parse a whole lesson ---- */

static int check_complete(struct parser *p)
{
	const struct lesson *l = p->lesson;

	if (lesson_question_end(p) < 0)
		return -1;
	if (!l->title)
		return parse_fail(p, _("expected a level-1 heading"));
	if (!l->step_count)
		return parse_fail(p, _("expected a step (a level-2 heading)"));
	if (!l->record_count && !p->words_alone)
		return parse_fail(p, _("expected a 'record'"));
	for (size_t i = 0; i + 1 < l->step_count; i++) {
		if (!l->steps[i].learned)
			continue;
		p->line = l->steps[i].learned_line;
		return parse_fail(p, _("expected 'learned' in the last step"));
	}
	return 0;
}

static int parse_markdown(struct parser *p)
{
	const MD_PARSER callbacks = {
		.flags = MD_FLAG_NOHTML | MD_FLAG_NOINDENTEDCODEBLOCKS,
		.enter_block = enter_block, .leave_block = leave_block,
		.enter_span = enter_span, .leave_span = leave_span,
		.text = take_text,
	};

	p->seen = p->text;
	p->line = 1;
	error_set(p->error, EXIT_INPUT, "%s: %s", text_show(p->lesson->path),
		  _("the Markdown reader failed"));
	if (md_parse(p->text, p->len, &callbacks, p))
		return -1;
	return check_complete(p);
}

static struct lesson *new_lesson(const char *path)
{
	struct lesson *l = xcalloc(1, sizeof(*l));
	char *folder;
	size_t n;

	l->path = xstrdup(path);
	l->lang = xstrdup(lesson_path_lang(path, &folder));
	free(folder);
	l->name = xstrdup(file_base(path));
	n = strlen(l->name);
	if (n > 3 && !strcmp(l->name + n - 3, ".md"))
		l->name[n - 3] = '\0';
	l->place = NA;
	return l;
}

static struct lesson *parse_text(const char *path, const char *text, size_t len,
				 bool words_alone, struct error *e)
{
	struct error ignored;
	struct parser p = { .error = e ? e : &ignored,
			    .words_alone = words_alone };
	int status;

	if (len > LESSON_MAX_BYTES) {
		error_set(e, EXIT_INPUT, _("%s: expected at most %u bytes"),
			  text_show(path), LESSON_MAX_BYTES);
		return NULL;
	}
	p.lesson = new_lesson(path);
	p.text = text_clean(text, len, TEXT_LINES);
	p.len = strlen(p.text);
	status = parse_markdown(&p);
	str_done(&p.words);
	free(p.text);
	if (status == 0)
		return p.lesson;
	lesson_free(p.lesson);
	return NULL;
}

struct lesson *lesson_parse(const char *path, const char *text, size_t len,
			    struct error *e)
{
	return parse_text(path, text, len, false, e);
}

struct lesson *lesson_parse_words(const char *path, const char *text,
				  size_t len, struct error *e)
{
	return parse_text(path, text, len, true, e);
}
