/* lesson_directives: the directives of a step: what it shows, asks and
 * expects. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/lang.h"
#include "lesson/lesson_parse.h"
#include "scene/beat.h"
#include "scene/view_list.h"
#include "timing/benchmark.h"

/* The words that `show` takes. */
static const char *const view_names[] = {
#define NAME(name) #name,
	VIEW_LIST(NAME)
#undef NAME
};

static int do_part(struct parser *p, char *rest)
{
	struct lesson *l = p->lesson;

	if (l->part || l->step_count || !*rest)
		return parse_fail(p, _("expected one 'part' with its name, "
				       "before the first step"));
	l->part = xstrdup(rest);
	return 0;
}

static int do_place(struct parser *p, char *rest)
{
	struct lesson *l = p->lesson;
	char *word = parse_word(&rest), *end;

	if (l->place != NA || l->step_count)
		return parse_fail(p, _("expected one 'place', before the "
				       "first step"));
	l->place = word ? strtod(word, &end) : NA;
	if (!word || *end || parse_word(&rest) || !isfinite(l->place) ||
	    l->place < 0)
		return parse_fail(p, _("expected a number after 'place', such "
				       "as 2 or 2.5"));
	return 0;
}

static int do_use(struct parser *p, char *rest)
{
	struct lesson_step *s = parse_step(p);
	char *alias = parse_word(&rest);

	if (!alias || parse_word(&rest))
		return parse_fail(p, _("expected one alias after 'use'"));
	if (lesson_record_find(p->lesson, alias) < 0)
		return parse_fail(p, _("expected the alias of a record, got "
				       "'%s'"), text_show(alias));
	if (s->use)
		return parse_fail(p, _("expected one 'use' in a step"));
	s->use = xstrdup(alias);
	return 0;
}

static int do_beside(struct parser *p, char *rest)
{
	struct lesson_step *s = parse_step(p);
	char *alias = parse_word(&rest);

	if (!alias || parse_word(&rest))
		return parse_fail(p, _("expected one alias after 'beside'"));
	if (lesson_record_find(p->lesson, alias) < 0)
		return parse_fail(p, _("expected the alias of a record, got "
				       "'%s'"), text_show(alias));
	if (s->beside)
		return parse_fail(p, _("expected one 'beside' in a step"));
	s->beside = xstrdup(alias);
	return 0;
}

static int do_beat(struct parser *p, char *rest)
{
	struct lesson_step *s = parse_step(p);
	const char *names[BEAT_COUNT];
	char *word = parse_word(&rest);

	for (int i = 0; i < BEAT_COUNT; i++)
		names[i] = beat_name((enum beat)i);
	if (!word || parse_word(&rest) || s->beat)
		return parse_fail(p, _("expected one size of beat"));
	if (beat_from(word) < 0)
		return parse_fail_name(p, _("a size of beat"), word, names,
				       LENGTH(names));
	s->beat = xstrdup(word);
	return 0;
}

static int do_zoom(struct parser *p, char *rest)
{
	static const char *const levels[] = { "grid", "block", "warp",
					      "thread" };
	struct lesson_step *s = parse_step(p);
	char *word = parse_word(&rest);

	if (!word || parse_word(&rest) || s->turns.zoom)
		return parse_fail(p, _("expected one level of zoom"));
	for (size_t i = 0; i < LENGTH(levels); i++)
		if (!strcmp(word, levels[i]))
			s->turns.zoom = (int)i + 1;
	if (!s->turns.zoom)
		return parse_fail_name(p, _("a level of zoom"), word, levels,
				       LENGTH(levels));
	return 0;
}

static int do_turn(struct parser *p, char *rest)
{
	struct turns *t = &parse_step(p)->turns;
	char *word = parse_word(&rest), *steps = parse_word(&rest);
#define NAME(name) #name,
	static const char *const names[] = { TURN_LIST(NAME) };
#undef NAME
#define MEMBER(name) &t->name,
	int *const members[] = { TURN_LIST(MEMBER) };
#undef MEMBER
	bool back = steps && *steps == '-';
	long n;

	if (!word || !steps || parse_word(&rest) ||
	    !parse_int(steps + back, 1, 99, &n))
		return parse_fail(p, _("expected what to turn, and how many "
				       "steps, such as: turn pitch 2"));
	for (size_t i = 0; i < LENGTH(names); i++)
		if (!strcmp(word, names[i])) {
			*members[i] = (int)(back ? -n : n);
			return 0;
		}
	return parse_fail_name(p, _("something to turn"), word, names,
			       LENGTH(names));
}

static int stand_number(struct parser *p, const char *name, const char *value,
			long highest, uint32_t *out)
{
	long v;

	if (!parse_int(value, 0, highest, &v))
		return parse_fail(p, _("expected %s of 0 to %ld, got '%s'"),
				  name, highest, text_show(value));
	*out = v;
	return 0;
}

static int stand_block(struct parser *p, struct lesson_stand *s, char *value)
{
	char *comma = strchr(value, ',');

	if (!comma)
		return parse_fail(p, _("expected block=X,Y"));
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
	return parse_fail(p, _("expected op=ld, op=st or op=barrier, got '%s'"),
			  text_show(value));
}

static int stand_array(struct parser *p, struct lesson_stand *s,
		       const char *value)
{
	if (!parse_is_name(value))
		return parse_fail(p, _("expected an array's name, got '%s'"),
				  text_show(value));
	s->array = xstrdup(value);
	return 0;
}

static const char *const stand_names[] = {
	"block", "warp", "lane", "array", "op", "nth", "phase", "turn",
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
	case 6:
		return stand_number(p, name, value, 1000000000, &s->phase);
	default:
		return stand_number(p, name, value, 1000000000, &s->turn);
	}
}

static int do_stand(struct parser *p, char *rest)
{
	struct lesson_step *step = parse_step(p);
	unsigned given = 0;
	char *word, *value;
	size_t which;

	if (step->has_stand)
		return parse_fail(p, _("expected one 'stand' in a step"));
	step->has_stand = true;
	step->stand.op = -1;
	while ((word = parse_word(&rest))) {
		value = strchr(word, '=');
		if (!value)
			return parse_fail(p, _("expected NAME=VALUE, got '%s'"),
					  text_show(word));
		*value++ = '\0';
		for (which = 0; which < LENGTH(stand_names); which++)
			if (!strcmp(word, stand_names[which]))
				break;
		if (which == LENGTH(stand_names))
			return parse_fail_name(p, _("a position"), word,
					       stand_names,
					       LENGTH(stand_names));
		if (given & 1u << which)
			return parse_fail(p, _("expected %s only once"), word);
		given |= 1u << which;
		if (stand_option(p, &step->stand, which, value) < 0)
			return -1;
	}
	return given ? 0 : parse_fail(p, _("expected a position after "
					   "'stand'"));
}

static int do_show(struct parser *p, char *rest)
{
	struct lesson_step *s = parse_step(p);
	size_t before = s->show_count, i;
	char *word, **show;

	while ((word = parse_word(&rest))) {
		for (i = 0; i < LENGTH(view_names); i++)
			if (!strcmp(view_name(word), view_names[i]))
				break;
		if (i == LENGTH(view_names))
			return parse_fail_name(p, _("a view"), word, view_names,
					       LENGTH(view_names));
		if (s->show_count == 2)
			return parse_fail(p, _("expected at most two views: "
					       "where a small screen begins, "
					       "and what the panel shows"));
		show = parse_append(&s->shows, &s->show_count, sizeof(*show));
		*show = xstrdup(view_names[i]);
	}
	return s->show_count > before ? 0 :
	       parse_fail(p, _("expected a view after 'show'"));
}

/* Splits off an expression in front of words: it ends at the first space
 * outside brackets and quotes. */
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

/* Takes words that the reader sees, which must not be empty; their expressions
 * are checked. */
static int take_words(struct parser *p, const char *rest, char **out)
{
	rest += strspn(rest, " ");
	if (!*rest)
		return parse_fail(p, _("expected words"));
	if (parse_check_words(p, rest) < 0)
		return -1;
	*out = xstrdup(rest);
	return 0;
}

/* Takes an expression and the words after it, which may not begin with one of
 * these operators. */
static int take_expr_words(struct parser *p, char *rest, const char *operators,
			   char **out, char **words)
{
	char *expr = next_expr(&rest);

	if (parse_check_expr(p, expr) < 0)
		return -1;
	*out = xstrdup(expr);
	if (strchr(operators, rest[strspn(rest, " ")]) && *rest)
		return parse_fail(p, _("expected words after '%s'; an "
				       "expression with spaces must be in "
				       "parentheses"), text_show(expr));
	return take_words(p, rest, words);
}

int lesson_question_end(struct parser *p)
{
	struct lesson_question *q = parse_question(p);

	p->question = false;
	if (q && !q->answer) {
		p->line = q->line;
		return parse_fail(p, _("expected an 'answer' to this "
				       "question"));
	}
	return 0;
}

static int do_ask(struct parser *p, char *rest)
{
	struct lesson_step *s = parse_step(p);
	struct lesson_question *q;

	if (lesson_question_end(p) < 0)
		return -1;
	q = parse_append(&s->questions, &s->question_count, sizeof(*q));
	q->line = p->line;
	p->question = true;
	return take_words(p, rest, &q->words);
}

static int do_answer(struct parser *p, char *rest)
{
	struct lesson_question *q = parse_question(p);

	rest += strspn(rest, " ");
	if (!q || q->answer)
		return parse_fail(p, _("expected one 'answer' after an 'ask'"));
	if (parse_check_expr(p, rest) < 0)
		return -1;
	q->answer = xstrdup(rest);
	q->answer_line = p->line;
	return 0;
}

static int do_right(struct parser *p, char *rest)
{
	struct lesson_question *q = parse_question(p);

	if (!q || q->right)
		return parse_fail(p, _("expected one 'right' after an 'ask'"));
	q->right_line = p->line;
	return take_words(p, rest, &q->right);
}

static int do_wrong(struct parser *p, char *rest)
{
	struct lesson_question *q = parse_question(p);
	struct lesson_wrong *w;

	if (!q)
		return parse_fail(p, _("expected 'wrong' after an 'ask'"));
	w = parse_append(&q->wrongs, &q->wrong_count, sizeof(*w));
	w->line = p->line;
	return take_expr_words(p, rest, "*/%+-<>=!&|^?:,", &w->expr,
			       &w->words);
}

/* "2..31" */
static int take_range(struct parser *p, struct lesson_draw *d, char *text)
{
	char *dots = strstr(text, "..");
	long low, high;

	if (!dots)
		return parse_fail(p, _("expected LOW..HIGH or numbers with "
				       "commas between them, got '%s'"),
				  text_show(text));
	*dots = '\0';
	if (!parse_int(text, INT32_MIN, INT32_MAX, &low) ||
	    !parse_int(dots + 2, INT32_MIN, INT32_MAX, &high) || low >= high)
		return parse_fail(p, _("expected LOW..HIGH, two integers, the "
				       "lower one first"));
	d->low = low;
	d->high = high;
	return 0;
}

/* "8, 16, 32" */
static int take_numbers(struct parser *p, struct lesson_draw *d, char *text)
{
	char *save, *word;
	int64_t *value;
	long v;

	for (word = strtok_r(text, ", ", &save); word;
	     word = strtok_r(NULL, ", ", &save)) {
		if (!parse_int(word, INT32_MIN, INT32_MAX, &v))
			return parse_fail(p, _("expected an integer, got "
					       "'%s'"), text_show(word));
		value = parse_append(&d->values, &d->value_count,
				     sizeof(*value));
		*value = v;
	}
	return d->value_count > 1 ? 0 :
	       parse_fail(p, _("expected two numbers or more"));
}

/* Parses `draw`. The name `lane` is taken: the model's functions use it. */
static int do_draw(struct parser *p, char *rest)
{
	struct lesson_question *q = parse_question(p);
	char *name = parse_word(&rest);
	struct lesson_draw *d;

	if (!q)
		return parse_fail(p, _("expected 'draw' after an 'ask'"));
	if (!name || !parse_is_name(name) || !strcmp(name, "lane"))
		return parse_fail(p, _("expected a name after 'draw', other "
				       "than 'lane'"));
	for (size_t i = 0; i < q->draw_count; i++)
		if (!strcmp(q->draws[i].name, name))
			return parse_fail(p, _("expected %s only once"), name);
	if (q->draw_count == LESSON_MAX_DRAWS)
		return parse_fail(p, _("expected at most %d draws"),
				  LESSON_MAX_DRAWS);
	d = parse_append(&q->draws, &q->draw_count, sizeof(*d));
	d->name = xstrdup(name);
	rest += strspn(rest, " ");
	return strchr(rest, ',') ? take_numbers(p, d, rest) :
				   take_range(p, d, rest);
}

static int do_note(struct parser *p, char *rest)
{
	struct lesson_step *s = parse_step(p);
	struct lesson_note *n = parse_append(&s->notes, &s->note_count,
					     sizeof(*n));

	n->line = p->line;
	return take_words(p, rest, &n->words);
}

static int do_learned(struct parser *p, char *rest)
{
	struct lesson_step *s = parse_step(p);

	if (s->learned)
		return parse_fail(p, _("expected one 'learned'"));
	s->learned_line = p->line;
	/* "97 % of the peak" */
	return take_expr_words(p, rest, "*/+-<>=!&|^?:,", &s->learned,
			       &s->learned_words);
}

static int do_expect(struct parser *p, char *rest)
{
	struct lesson_step *s = parse_step(p);
	struct lesson_expect *x;

	rest += strspn(rest, " ");
	if (parse_check_expr(p, rest) < 0)
		return -1;
	x = parse_append(&s->expects, &s->expect_count, sizeof(*x));
	x->expr = xstrdup(rest);
	x->line = p->line;
	return 0;
}

static int do_race(struct parser *p, char *rest)
{
	struct lesson_step *s = parse_step(p);
	bool sizes = false;
	struct error e;
	char *word;

	if (s->race)
		return parse_fail(p, _("expected one 'race' in a step"));
	s->race = xmalloc(sizeof(*s->race));
	benchmark_plan_init(s->race);
	while ((word = parse_word(&rest))) {
		if (!strcmp(word, "size"))
			sizes = true;
		else if (sizes ? benchmark_add_size(s->race, word, &e) :
				 benchmark_add(s->race, word, &e))
			return parse_fail(p, "%s", e.text);
	}
	return s->race->kernels ? 0 :
	       parse_fail(p, _("expected a kernel after 'race'"));
}

/* The first that needs a step. */
#define FIRST_OF_STEP 3

static const struct directive {
	const char *name;
	int (*run)(struct parser *p, char *rest);
} directives[] = {
	{ "place", do_place },
	{ "part", do_part },
	{ "record", lesson_record_directive },
	{ "use", do_use },
	{ "stand", do_stand },
	{ "show", do_show },
	{ "beside", do_beside },
	{ "beat", do_beat },
	{ "zoom", do_zoom },
	{ "turn", do_turn },
	{ "ask", do_ask },
	{ "answer", do_answer },
	{ "wrong", do_wrong },
	{ "right", do_right },
	{ "draw", do_draw },
	{ "race", do_race },
	{ "expect", do_expect },
	{ "note", do_note },
	{ "learned", do_learned },
};

int lesson_directive(struct parser *p, char *line)
{
	const char *names[LENGTH(directives)];
	char *word = parse_word(&line);
	size_t i;

	if (!word)
		return 0;
	for (i = 0; i < LENGTH(directives); i++) {
		names[i] = directives[i].name;
		if (!strcmp(word, names[i]))
			break;
	}
	if (i == LENGTH(directives))
		return parse_fail_name(p, _("a directive"), word, names, i);
	if (!p->lesson->step_count && i >= FIRST_OF_STEP)
		return parse_fail(p, _("expected a step (a level-2 heading) "
				       "before '%s'"), word);
	return directives[i].run(p, line);
}
