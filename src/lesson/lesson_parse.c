#include "lesson/lesson.h"

#include <ctype.h>
#include <md4c.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kernels/kernels.h"
#include "base/lang.h"
#include "timing/benchmark.h"
#include "base/text.h"

#define LESSON_MAX_BYTES (1u << 18)
#define MAX_SIZE 4096

/* What `show` may name. */
static const char *const view_names[] = {
	"source", "lesson", "matrices", "request", "sectors", "banks",
	"shared", "registers", "grid", "timeline", "phases",
};

static const char *const teaching_order[] = {
	"indexing", "coalescing", "tiling", "float4", "outer-product", NULL,
};

struct parser {
	char *text;			/* clean, with its newlines */
	size_t len;
	const char *file;
	struct lesson *lesson;
	struct error *error;

	/* Where the last text was: md4c hands out pointers into it. */
	const char *seen;
	int line;

	bool directives;		/* in a block of them */
	bool heading;
	int list_depth, number;		/* of the list; 0: not ordered */
	bool item;			/* the next paragraph is an item */
	bool unsupported;		/* in a block that we don't take */
	bool unsupported_span;
	bool question;			/* the step's last one may go on */
	unsigned style;
	bool soft_break;		/* before the next text */
	uint32_t last;			/* character of the paragraph, or 0 */
	struct str words;		/* a heading's, a span's, a directive */
	unsigned words_style;
};

/* ---- failing ---- */

PRINTF(2, 3)
static int fail(struct parser *p, const char *fmt, ...)
{
	char what[400];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	return error_set(p->error, EXIT_INPUT, "%s:%d: %s", p->file, p->line,
			 what);
}

/* "expected a view, got 'bnks'; did you mean 'banks'?" */
static int fail_name(struct parser *p, const char *wanted, const char *got,
		     const char *const *names, size_t count)
{
	const char *near = nearest_name(got, names, count);

	if (near)
		return fail(p, _("expected %s, got '%s'; did you mean '%s'?"),
			    wanted, text_show(got), near);
	return fail(p, _("expected %s, got '%s'"), wanted, text_show(got));
}

static int check_expr(struct parser *p, const char *expr)
{
	struct error e;

	if (!*expr)
		return fail(p, _("expected an expression"));
	return lesson_expr_check(expr, &e) < 0 ? fail(p, "%s", e.text) : 0;
}

static int check_words(struct parser *p, const char *words)
{
	struct error e;

	return lesson_words_check(words, &e) < 0 ? fail(p, "%s", e.text) : 0;
}

/* ---- growing what is parsed ---- */

/* Appends a zeroed element to an array whose capacity is its count. */
static void *append(void *array, size_t *count, size_t size)
{
	void **p = array;

	*p = xrealloc(*p, *count + 1, size);
	memset((char *)*p + *count * size, 0, size);
	return (char *)*p + (*count)++ * size;
}

static struct lesson_step *step_of(struct parser *p)
{
	struct lesson *l = p->lesson;

	return l->step_count ? &l->steps[l->step_count - 1] : NULL;
}

static struct lesson_question *question_of(struct parser *p)
{
	struct lesson_step *s = step_of(p);

	return p->question ? &s->questions[s->question_count - 1] : NULL;
}

/* ---- directives ---- */

/* The next word of a line, cut off in place; NULL at its end. */
static char *next_word(char **line)
{
	char *word = *line + strspn(*line, " ");
	char *end = word + strcspn(word, " ");

	*line = *end ? end + 1 : end;
	*end = '\0';
	return *word ? word : NULL;
}

/* An expression in front of words: to the first space outside of brackets
 * and quotes. */
static char *next_expr(char **line)
{
	char *start = *line + strspn(*line, " "), *c;
	bool quoted = false;
	int depth = 0;

	for (c = start; *c; c++) {
		if (*c == '"')
			quoted = !quoted;
		else if (!quoted && strchr("([", *c))
			depth++;
		else if (!quoted && strchr(")]", *c))
			depth--;
		else if (!quoted && depth <= 0 && *c == ' ')
			break;
	}
	*line = *c ? c + 1 : c;
	*c = '\0';
	return start;
}

static bool is_name(const char *s)
{
	if (!isalpha((unsigned char)*s) && *s != '_')
		return false;
	return s[strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTU"
			"VWXYZ0123456789_")] == '\0';
}

static long find_record(const struct lesson *l, const char *alias)
{
	for (size_t i = 0; i < l->record_count; i++)
		if (!strcmp(l->records[i].alias, alias))
			return i;
	return -1;
}

static int unknown_kernel(struct parser *p, const char *name)
{
	const char **names = xcalloc(kernel_count, sizeof(*names));

	for (size_t i = 0; i < kernel_count; i++)
		names[i] = kernels[i].name;
	fail_name(p, _("a kernel"), name, names, kernel_count);
	free(names);
	return -1;
}

static int add_define(struct parser *p, struct lesson_record *r,
		      const char *name, const char *value)
{
	const struct kernel_param *param =
		kernel_param(kernel_find(r->kernel), name);
	struct trace_define *d;
	long v;

	if (!param)
		return fail(p, _("expected m, n, k or a parameter of %s, got "
				 "'%s'"), r->kernel, text_show(name));
	if (!parse_int(value, param->lowest, param->highest, &v))
		return fail(p, _("expected %s of %d to %d, got '%s'"), name,
			    param->lowest, param->highest, text_show(value));
	for (size_t i = 0; i < r->define_count; i++)
		if (!strcmp(r->defines[i].name, name))
			return fail(p, _("expected %s only once"), name);
	d = append(&r->defines, &r->define_count, sizeof(*d));
	d->name = xstrdup(name);
	d->value = xstrdup(value);
	return 0;
}

static int set_size(struct parser *p, int *size, const char *name,
		    const char *value)
{
	long v;

	if (!parse_int(value, 1, MAX_SIZE, &v))
		return fail(p, _("expected %s of 1 to %d, got '%s'"), name,
			    MAX_SIZE, text_show(value));
	*size = v;
	return 0;
}

static int record_option(struct parser *p, struct lesson_record *r,
			 char *option)
{
	char *value = strchr(option, '=');

	if (!value)
		return fail(p, _("expected NAME=VALUE, got '%s'"),
			    text_show(option));
	*value++ = '\0';
	if (!strcmp(option, "m"))
		return set_size(p, &r->m, option, value);
	if (!strcmp(option, "n"))
		return set_size(p, &r->n, option, value);
	if (!strcmp(option, "k"))
		return set_size(p, &r->k, option, value);
	return add_define(p, r, option, value);
}

/* The launcher's own conditions hold here, too. */
static int check_record(struct parser *p, const struct lesson_record *r)
{
	const struct kernel *kernel = kernel_find(r->kernel);
	int values[KERNEL_PARAMS];
	const char *why;

	kernel_defaults(kernel, values);
	for (size_t i = 0; i < r->define_count; i++)
		values[kernel_param(kernel, r->defines[i].name) -
		       kernel->params] = atoi(r->defines[i].value);
	why = kernel->refuses ?
		kernel->refuses(values, r->m, r->n, r->k) : NULL;
	return why ? fail(p, _("%s cannot take this size: %s"), r->kernel,
			  _(why)) : 0;
}

static int take_alias(struct parser *p, struct lesson_record *r, char *rest)
{
	char *alias = next_word(&rest);

	if (!alias || !is_name(alias) || next_word(&rest))
		return fail(p, _("expected one name behind 'as'"));
	free(r->alias);
	r->alias = xstrdup(alias);
	return 0;
}

static int record_words(struct parser *p, struct lesson_record *r, char *rest)
{
	char *word;

	while ((word = next_word(&rest))) {
		if (!strcmp(word, "as"))
			return take_alias(p, r, rest);
		if (record_option(p, r, word) < 0)
			return -1;
	}
	return 0;
}

static int do_record(struct parser *p, char *rest)
{
	struct lesson *l = p->lesson;
	struct lesson_record *r = &l->records[l->record_count];
	char *name = next_word(&rest);

	if (!name)
		return fail(p, _("expected a kernel behind 'record'"));
	if (!kernel_find(name))
		return unknown_kernel(p, name);
	if (l->record_count == LESSON_MAX_RECORDS)
		return fail(p, _("expected at most %d records"),
			    LESSON_MAX_RECORDS);
	*r = (struct lesson_record){ .kernel = xstrdup(name),
				     .alias = xstrdup(name), .line = p->line,
				     .m = 32, .n = 32, .k = 32 };
	/* Counted at once, so that it is freed in any case; looked up by its
	 * alias only when that is final. */
	l->record_count++;
	if (record_words(p, r, rest) < 0)
		return -1;
	if (find_record(l, r->alias) != (long)l->record_count - 1)
		return fail(p, _("expected another alias than '%s', which is "
				 "taken"), r->alias);
	return check_record(p, r);
}

static int do_use(struct parser *p, char *rest)
{
	struct lesson_step *s = step_of(p);
	char *alias = next_word(&rest);

	if (!alias || next_word(&rest))
		return fail(p, _("expected one alias behind 'use'"));
	if (find_record(p->lesson, alias) < 0)
		return fail(p, _("expected the alias of a record, got '%s'"),
			    text_show(alias));
	if (s->use)
		return fail(p, _("expected one 'use' in a step"));
	s->use = xstrdup(alias);
	return 0;
}

static int stand_number(struct parser *p, const char *name, const char *value,
			long highest, uint32_t *out)
{
	long v;

	if (!parse_int(value, 0, highest, &v))
		return fail(p, _("expected %s of 0 to %ld, got '%s'"), name,
			    highest, text_show(value));
	*out = v;
	return 0;
}

static int stand_block(struct parser *p, struct lesson_stand *s, char *value)
{
	char *comma = strchr(value, ',');

	if (!comma)
		return fail(p, _("expected block=X,Y"));
	*comma = '\0';
	if (stand_number(p, "block", value, 65535, &s->block_x) < 0)
		return -1;
	return stand_number(p, "block", comma + 1, 65535, &s->block_y);
}

static int stand_op(struct parser *p, struct lesson_stand *s,
		    const char *value)
{
	s->op = op_from(value);
	if (s->op >= 0)
		return 0;
	return fail(p, _("expected op=ld, op=st or op=barrier, got '%s'"),
		    text_show(value));
}

static int stand_array(struct parser *p, struct lesson_stand *s,
		       const char *value)
{
	if (!is_name(value))
		return fail(p, _("expected an array's name, got '%s'"),
			    text_show(value));
	s->array = xstrdup(value);
	return 0;
}

static const char *const stand_names[] = {
	"block", "warp", "lane", "array", "op", "nth", "phase",
};

static int stand_option(struct parser *p, struct lesson_stand *s,
			size_t which, char *value)
{
	const char *name = stand_names[which];

	switch (which) {
	case 0:
		return stand_block(p, s, value);
	case 1:
		return stand_number(p, name, value, 31, &s->warp);
	case 2:
		return stand_number(p, name, value, 31, &s->lane);
	case 3:
		return stand_array(p, s, value);
	case 4:
		return stand_op(p, s, value);
	case 5:
		return stand_number(p, name, value, 1000000000, &s->nth);
	default:
		return stand_number(p, name, value, 1000000000, &s->phase);
	}
}

static int do_stand(struct parser *p, char *rest)
{
	struct lesson_step *step = step_of(p);
	unsigned given = 0;
	char *word, *value;
	size_t which;

	if (step->has_stand)
		return fail(p, _("expected one 'stand' in a step"));
	step->has_stand = true;
	step->stand.op = -1;
	while ((word = next_word(&rest))) {
		value = strchr(word, '=');
		if (!value)
			return fail(p, _("expected NAME=VALUE, got '%s'"),
				    text_show(word));
		*value++ = '\0';
		for (which = 0; which < LENGTH(stand_names); which++)
			if (!strcmp(word, stand_names[which]))
				break;
		if (which == LENGTH(stand_names))
			return fail_name(p, _("a place to stand"), word,
					 stand_names, LENGTH(stand_names));
		if (given & 1u << which)
			return fail(p, _("expected %s only once"), word);
		given |= 1u << which;
		if (stand_option(p, &step->stand, which, value) < 0)
			return -1;
	}
	return given ? 0 : fail(p, _("expected a place behind 'stand'"));
}

static int do_show(struct parser *p, char *rest)
{
	struct lesson_step *s = step_of(p);
	size_t before = s->show_count, i;
	char *word, **show;

	while ((word = next_word(&rest))) {
		for (i = 0; i < LENGTH(view_names); i++)
			if (!strcmp(word, view_names[i]))
				break;
		if (i == LENGTH(view_names))
			return fail_name(p, _("a view"), word, view_names,
					 LENGTH(view_names));
		show = append(&s->shows, &s->show_count, sizeof(*show));
		*show = xstrdup(word);
	}
	return s->show_count > before ? 0 :
	       fail(p, _("expected a view behind 'show'"));
}

/* Words that are somebody's to read: there are some, and they are right. */
static int take_words(struct parser *p, const char *rest, char **out)
{
	rest += strspn(rest, " ");
	if (!*rest)
		return fail(p, _("expected words"));
	if (check_words(p, rest) < 0)
		return -1;
	*out = xstrdup(rest);
	return 0;
}

/* A question that has ended must have an answer. */
static int end_question(struct parser *p)
{
	struct lesson_question *q = question_of(p);

	p->question = false;
	if (q && !q->answer) {
		p->line = q->line;
		return fail(p, _("expected an 'answer' to this question"));
	}
	return 0;
}

static int do_ask(struct parser *p, char *rest)
{
	struct lesson_step *s = step_of(p);
	struct lesson_question *q;

	if (end_question(p) < 0)
		return -1;
	q = append(&s->questions, &s->question_count, sizeof(*q));
	q->line = p->line;
	p->question = true;
	return take_words(p, rest, &q->words);
}

static int do_answer(struct parser *p, char *rest)
{
	struct lesson_question *q = question_of(p);

	rest += strspn(rest, " ");
	if (!q || q->answer)
		return fail(p, _("expected one 'answer' behind an 'ask'"));
	if (check_expr(p, rest) < 0)
		return -1;
	q->answer = xstrdup(rest);
	return 0;
}

static int do_right(struct parser *p, char *rest)
{
	struct lesson_question *q = question_of(p);

	if (!q || q->right)
		return fail(p, _("expected one 'right' behind an 'ask'"));
	return take_words(p, rest, &q->right);
}

static int do_wrong(struct parser *p, char *rest)
{
	struct lesson_question *q = question_of(p);
	struct lesson_wrong *w;
	char *expr;

	if (!q)
		return fail(p, _("expected 'wrong' behind an 'ask'"));
	expr = next_expr(&rest);
	if (check_expr(p, expr) < 0)
		return -1;
	w = append(&q->wrongs, &q->wrong_count, sizeof(*w));
	w->expr = xstrdup(expr);
	if (strchr("*/%+-<>=!&|^?:,", rest[strspn(rest, " ")]) && *rest)
		return fail(p, _("expected words behind '%s'; an expression "
				 "with spaces needs brackets around it"),
			    text_show(expr));
	return take_words(p, rest, &w->words);
}

static int do_expect(struct parser *p, char *rest)
{
	struct lesson_step *s = step_of(p);
	struct lesson_expect *x;

	rest += strspn(rest, " ");
	if (check_expr(p, rest) < 0)
		return -1;
	x = append(&s->expects, &s->expect_count, sizeof(*x));
	x->expr = xstrdup(rest);
	x->line = p->line;
	return 0;
}

static int do_race(struct parser *p, char *rest)
{
	struct lesson_step *s = step_of(p);
	bool sizes = false;
	struct error e;
	char *word;

	if (s->race)
		return fail(p, _("expected one 'race' in a step"));
	s->race = xmalloc(sizeof(*s->race));
	benchmark_plan_init(s->race);
	while ((word = next_word(&rest))) {
		if (!strcmp(word, "size"))
			sizes = true;
		else if (sizes ? benchmark_add_size(s->race, word, &e) :
				 benchmark_add(s->race, word, &e))
			return fail(p, "%s", e.text);
	}
	return s->race->kernels ? 0 :
	       fail(p, _("expected a kernel behind 'race'"));
}

static const struct directive {
	const char *name;
	int (*run)(struct parser *p, char *rest);
} directives[] = {
	{ "record", do_record },
	{ "use", do_use },
	{ "stand", do_stand },
	{ "show", do_show },
	{ "ask", do_ask },
	{ "answer", do_answer },
	{ "wrong", do_wrong },
	{ "right", do_right },
	{ "race", do_race },
	{ "expect", do_expect },
};

static int run_directive(struct parser *p, char *line)
{
	const char *names[LENGTH(directives)];
	char *word = next_word(&line);
	size_t i;

	if (!word)
		return 0;
	for (i = 0; i < LENGTH(directives); i++) {
		names[i] = directives[i].name;
		if (!strcmp(word, names[i]))
			break;
	}
	if (i == LENGTH(directives))
		return fail_name(p, _("a directive"), word, names, i);
	if (!p->lesson->step_count && strcmp(word, "record"))
		return fail(p, _("expected a step (a level-2 heading) before "
				 "'%s'"), word);
	return directives[i].run(p, line);
}

/* ---- prose ---- */

static struct lesson_paragraph *new_paragraph(struct parser *p,
					      enum paragraph_kind kind)
{
	struct lesson_step *s = step_of(p);
	struct lesson_paragraph *para =
		append(&s->prose, &s->prose_count, sizeof(*para));

	para->kind = kind;
	return para;
}

static struct lesson_paragraph *paragraph_of(struct parser *p)
{
	struct lesson_step *s = step_of(p);

	return &s->prose[s->prose_count - 1];
}

/* Chinese and its neighbours are written without spaces. */
static bool spaceless(uint32_t cp)
{
	return cp >= 0x2e80;
}

/* The newline before `text` is a space there. */
static bool needs_space(const struct parser *p, const char *text, size_t n)
{
	uint32_t next;

	if (!p->last || !n)
		return false;
	text_decode(text, n, &next);
	return !spaceless(p->last) || !spaceless(next);
}

static void remember_last(struct parser *p, const char *text, size_t n)
{
	size_t start = n;

	while (start && ((unsigned char)text[--start] & 0xc0) == 0x80)
		;
	if (n)
		text_decode(text + start, n - start, &p->last);
}

/* The span that was collected goes to its paragraph. */
static void end_span(struct parser *p)
{
	struct lesson_paragraph *para;
	struct lesson_span *span;

	if (!p->words.len)
		return;
	para = paragraph_of(p);
	span = append(&para->spans, &para->span_count, sizeof(*span));
	span->style = p->words_style;
	span->text = str_take(&p->words);
}

/* Adds text in the current style to the last paragraph. */
static void add_text(struct parser *p, const char *text, size_t n)
{
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
		if (check_words(p, para->spans[i].text) < 0)
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
		return fail(p, _("expected a heading of level 1 or 2"));
	if (level == 1 && (l->title || l->step_count))
		return fail(p, _("expected one level-1 heading, first"));
	if (level == 2 && !l->title)
		return fail(p, _("expected a level-1 heading first"));
	if (end_question(p) < 0)
		return -1;
	if (!p->words.len)
		return fail(p, _("expected words in a heading"));
	if (!title)
		title = &((struct lesson_step *)
			  append(&l->steps, &l->step_count,
				 sizeof(*l->steps)))->title;
	*title = str_take(&p->words);
	return 0;
}

/* ---- what md4c calls ---- */

static void locate(struct parser *p, const char *text)
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
	locate(p, d->info.text);
	if (p->directives)
		return 0;
	if (step_of(p))
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

	if (!step_of(p))
		return;
	para = new_paragraph(p, PARAGRAPH_ITEM);
	para->number = p->number;
	if (p->number)
		p->number++;
	p->item = true;
}

static int enter_paragraph(struct parser *p)
{
	if (step_of(p) && !p->item)
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
		return fail(p, _("expected a level-1 heading first"));
	if (!step_of(p))
		return fail(p, _("expected a level-2 heading before prose"));
	return fail(p, _("expected a paragraph, a list without lists in it, "
			 "or a block of code"));
}

static int leave_code(struct parser *p)
{
	int status;

	if (!p->directives)
		return end_paragraph(p);
	p->directives = false;
	status = p->words.len ? run_directive(p, p->words.data) : 0;
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
		return step_of(p) ? end_paragraph(p) : fail_unsupported(p);
	default:
		return 0;
	}
}

static unsigned style_of(MD_SPANTYPE type)
{
	return type == MD_SPAN_EM ? SPAN_EMPHASIS :
	       type == MD_SPAN_STRONG ? SPAN_STRONG :
	       type == MD_SPAN_CODE ? SPAN_CODE : 0;
}

static int fail_span(struct parser *p)
{
	return fail(p, _("expected plain words, *emphasis*, **strong "
			 "emphasis** or `code`"));
}

static int enter_span(MD_SPANTYPE type, void *detail, void *ud)
{
	struct parser *p = ud;

	(void)detail;
	p->unsupported_span = p->unsupported_span || !style_of(type);
	p->style |= style_of(type);
	return 0;
}

static int leave_span(MD_SPANTYPE type, void *detail, void *ud)
{
	struct parser *p = ud;

	(void)detail;
	p->style &= ~style_of(type);
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
	status = p->words.len ? run_directive(p, p->words.data) : 0;
	str_clear(&p->words);
	return status;
}

static int take_text(MD_TEXTTYPE type, const char *text, MD_SIZE n, void *ud)
{
	struct parser *p = ud;

	locate(p, text);
	if (p->unsupported)
		return fail_unsupported(p);
	if (p->unsupported_span)
		return fail_span(p);
	if (p->directives)
		return directive_text(p, text, n);
	if (type == MD_TEXT_ENTITY)
		return fail(p, _("expected the character itself, got '%.*s'"),
			    (int)MIN(n, 20), text);
	if (type == MD_TEXT_SOFTBR || type == MD_TEXT_BR) {
		p->soft_break = true;
		return 0;
	}
	if (p->heading) {
		str_addn(&p->words, text, n);
		return 0;
	}
	if (!step_of(p))
		return fail_unsupported(p);
	add_text(p, text, n);
	return 0;
}

/* ---- a whole lesson ---- */

static int check_lesson(struct parser *p)
{
	const struct lesson *l = p->lesson;

	if (end_question(p) < 0)
		return -1;
	if (!l->title)
		return fail(p, _("expected a level-1 heading"));
	if (!l->step_count)
		return fail(p, _("expected a step (a level-2 heading)"));
	if (!l->record_count)
		return fail(p, _("expected a 'record'"));
	return 0;
}

static int parse(struct parser *p)
{
	const MD_PARSER callbacks = {
		.flags = MD_FLAG_NOHTML | MD_FLAG_NOINDENTEDCODEBLOCKS,
		.enter_block = enter_block, .leave_block = leave_block,
		.enter_span = enter_span, .leave_span = leave_span,
		.text = take_text,
	};

	p->seen = p->text;
	p->line = 1;
	error_set(p->error, EXIT_INPUT, "%s: %s", p->file,
		  _("the Markdown reader failed"));
	if (md_parse(p->text, p->len, &callbacks, p))
		return -1;
	return check_lesson(p);
}

static struct lesson *new_lesson(const char *name)
{
	const char *slash = strchr(name, '/');
	struct lesson *l = xcalloc(1, sizeof(*l));

	l->lang = slash ? xstrndup(name, slash - name) : xstrdup("en");
	l->name = xstrdup(slash ? slash + 1 : name);
	return l;
}

struct lesson *lesson_parse(const char *name, const char *text, size_t len,
			    struct error *e)
{
	char *file = xasprintf("lessons/%s.md", text_show(name));
	struct error ignored;
	struct parser p = { .file = file, .error = e ? e : &ignored };
	int status;

	if (len > LESSON_MAX_BYTES) {
		error_set(e, EXIT_INPUT, _("%s: expected at most %u bytes"),
			  file, LESSON_MAX_BYTES);
		free(file);
		return NULL;
	}
	p.lesson = new_lesson(name);
	p.text = text_clean(text, len, TEXT_LINES);
	p.len = strlen(p.text);
	status = parse(&p);
	str_done(&p.words);
	free(p.text);
	free(file);
	if (status == 0)
		return p.lesson;
	lesson_free(p.lesson);
	return NULL;
}

const char *const *lesson_names(void)
{
	return teaching_order;
}

static int check_name(const char *name, struct error *e)
{
	const size_t count = LENGTH(teaching_order) - 1;
	const char *near;

	for (size_t i = 0; i < count; i++)
		if (!strcmp(name, teaching_order[i]))
			return 0;
	near = nearest_name(name, teaching_order, count);
	if (near)
		return error_set(e, EXIT_USAGE, _("no lesson '%s'; did you "
						  "mean '%s'?"),
				 text_show(name), near);
	return error_set(e, EXIT_USAGE, _("no lesson '%s'"), text_show(name));
}

struct lesson *lesson_load(const char *name, const char *lang, struct error *e)
{
	char *qualified, *path, *text;
	struct lesson *l = NULL;
	size_t len;

	if (check_name(name, e) < 0)
		return NULL;
	qualified = !strcmp(lang, "en") ? xstrdup(name) :
		    xasprintf("%s/%s", lang, name);
	path = xasprintf("%s/%s.md", paths()->lessons, qualified);
	if (strcmp(lang, "en") && access(path, F_OK) < 0) {
		l = lesson_load(name, "en", e);
	} else {
		text = file_read(path, LESSON_MAX_BYTES, &len, e);
		if (text)
			l = lesson_parse(qualified, text, len, e);
		free(text);
	}
	free(qualified);
	free(path);
	return l;
}

/* ---- freeing ---- */

static void free_record(struct lesson_record *r)
{
	for (size_t i = 0; i < r->define_count; i++) {
		free(r->defines[i].name);
		free(r->defines[i].value);
	}
	free(r->defines);
	free(r->kernel);
	free(r->alias);
}

static void free_question(struct lesson_question *q)
{
	for (size_t i = 0; i < q->wrong_count; i++) {
		free(q->wrongs[i].expr);
		free(q->wrongs[i].words);
	}
	free(q->wrongs);
	free(q->words);
	free(q->answer);
	free(q->right);
}

static void free_paragraph(struct lesson_paragraph *para)
{
	for (size_t i = 0; i < para->span_count; i++)
		free(para->spans[i].text);
	free(para->spans);
}

static void free_step(struct lesson_step *s)
{
	for (size_t i = 0; i < s->prose_count; i++)
		free_paragraph(&s->prose[i]);
	for (size_t i = 0; i < s->show_count; i++)
		free(s->shows[i]);
	for (size_t i = 0; i < s->question_count; i++)
		free_question(&s->questions[i]);
	for (size_t i = 0; i < s->expect_count; i++)
		free(s->expects[i].expr);
	free(s->prose);
	free(s->shows);
	free(s->questions);
	free(s->expects);
	if (s->race)
		benchmark_plan_done(s->race);
	free(s->race);
	free(s->stand.array);
	free(s->title);
	free(s->use);
}

void lesson_free(struct lesson *l)
{
	if (!l)
		return;
	for (size_t i = 0; i < l->record_count; i++)
		free_record(&l->records[i]);
	for (size_t i = 0; i < l->step_count; i++)
		free_step(&l->steps[i]);
	free(l->steps);
	free(l->name);
	free(l->title);
	free(l->lang);
	free(l);
}
