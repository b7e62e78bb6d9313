/* reader_lesson: a reader's lesson: its steps, words and questions. */
#include <stdlib.h>
#include <string.h>

#include "app/reader.h"
#include "base/lang.h"

void reader_say(struct reader *r, bool bad, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(r->message, sizeof(r->message), fmt, ap);
	va_end(ap);
	r->show.message = r->message;
	r->show.message_bad = bad;
	r->compiling_said = false;
}

static const struct lesson_step *step_of(const struct reader *r)
{
	return r->lesson ? &r->lesson->steps[r->step] : NULL;
}

static const struct lesson_question *question_of(const struct reader *r)
{
	const struct lesson_step *s = step_of(r);

	return s && r->question < s->question_count ?
	       &s->questions[r->question] : NULL;
}

/* Returns whether a question is open; not if the recording failed, for then its
 * answer cannot be found. */
bool reader_asking(const struct reader *r)
{
	return question_of(r) && !r->show.lesson.answered &&
	       !r->session.recordings[r->recording].error.text[0];
}

bool reader_asks_more(const struct reader *r)
{
	return r->question + 1 < step_of(r)->question_count &&
	       !r->done[r->step];
}

static const char *right_words(const struct lesson_question *q)
{
	return q->right ? q->right : _("Right.");
}

/* Fills words with their numbers, or with dots while there is no trace; the
 * caller frees them. */
static char *fill_words(struct reader *r, const char *words)
{
	struct error e;
	char *filled = NULL;

	if (r->session.recordings[r->recording].trace)
		filled = lesson_words(&r->traces, r->step, words, &e);
	if (!filled) {	/* a number to come is three dots */
		struct str s = {0};

		for (; *words; words++) {
			if (*words == '{' && strchr(words, '}')) {
				words = strchr(words, '}');
				str_add(&s, "\xe2\x80\xa6");
			} else {
				str_addc(&s, *words);
			}
		}
		filled = str_take(&s);
	}
	return filled;
}

static void forget_words(struct reader *r)
{
	for (size_t i = 0; r->prose && i < r->show.lesson.prose_count; i++) {
		for (size_t k = 0; k < r->prose[i].span_count; k++)
			free(r->prose[i].spans[k].text);
		free(r->prose[i].spans);
	}
	free(r->prose);
	r->prose = NULL;
	free(r->question_words);
	r->question_words = NULL;
	for (int i = 0; i < SHOW_CHOICES; i++) {
		free(r->choices[i]);
		r->choices[i] = NULL;
	}
	r->show.lesson.prose = NULL;
	r->show.lesson.prose_count = 0;
	r->show.lesson.question = NULL;
	r->show.lesson.choice_count = 0;
}

static void fill_prose(struct reader *r, const struct lesson_step *s)
{
	r->prose = xcalloc(s->prose_count + 1, sizeof(*r->prose));
	for (size_t i = 0; i < s->prose_count; i++) {
		const struct lesson_paragraph *p = &s->prose[i];

		r->prose[i] = *p;
		r->prose[i].spans = xcalloc(p->span_count + 1,
					    sizeof(*p->spans));
		for (size_t k = 0; k < p->span_count; k++) {
			r->prose[i].spans[k] = p->spans[k];
			r->prose[i].spans[k].text =
				fill_words(r, p->spans[k].text);
		}
	}
	r->show.lesson.prose = r->prose;
	r->show.lesson.prose_count = s->prose_count;
}

static uint64_t tried_bit(int wrong)
{
	return wrong >= 0 && wrong < 64 ? UINT64_C(1) << wrong : 0;
}

static void mark_tried(struct reader *r, int count)
{
	for (int i = 0; i < count; i++)
		r->show.lesson.tried[i] = r->tried &
					  tried_bit(r->choice_wrong[i]);
}

static void fill_choices(struct reader *r, const struct lesson_question *q)
{
	struct lesson_choice found[LESSON_CHOICES];
	struct error e;
	int n = (int)lesson_choices(&r->traces, r->step, q, found, &e);

	for (int i = 0; i < n; i++) {
		r->choices[i] = xstrdup(found[i].text);
		r->choice_wrong[i] = found[i].wrong;
		r->show.lesson.choices[i] = r->choices[i];
	}
	mark_tried(r, n);
	r->show.lesson.choice_count = n;
}

static void forget_texts(struct reader *r)
{
	for (size_t i = 0; i < r->show.lesson.text_count; i++) {
		struct show_text *t = &r->texts[i];

		free(t->question);
		for (int k = 0; k < t->choice_count; k++)
			free(t->choices[k]);
		for (int k = 0; k < t->reply_count; k++)
			free(t->replies[k]);
	}
	free(r->texts);
	r->texts = NULL;
	r->show.lesson.texts = NULL;
	r->show.lesson.text_count = 0;
}

/* Fills in a question with what was drawn for it, and all replies to it. */
static void fill_text(struct reader *r, const struct lesson_question *q,
		      struct show_text *t)
{
	struct lesson_choice found[LESSON_CHOICES];
	struct error e;

	t->question = fill_words(r, q->words);
	t->choice_count = (int)lesson_choices(&r->traces, r->step, q, found,
					      &e);
	for (int i = 0; i < t->choice_count; i++)
		t->choices[i] = xstrdup(found[i].text);
	t->replies[t->reply_count++] = fill_words(r, right_words(q));
	for (int i = 0; i < t->choice_count; i++)
		if (found[i].wrong >= 0)
			t->replies[t->reply_count++] = fill_words(
				r, q->wrongs[found[i].wrong].words);
}

/* Fills in all questions of the step: the open one as it is, others as they will
 * be or were. */
static void fill_texts(struct reader *r)
{
	const struct lesson_step *s = step_of(r);

	r->texts = xcalloc(s->question_count + 1, sizeof(*r->texts));
	for (size_t i = 0; i < s->question_count &&
			   reader_recording(r)->trace; i++) {
		lesson_draw(&r->traces, &s->questions[i],
			    random_at(r->options.seed,
				      r->asked + i - r->question));
		fill_text(r, &s->questions[i], &r->texts[i]);
		r->show.lesson.text_count = i + 1;
	}
	r->show.lesson.texts = r->texts;
}

static void fill_question(struct reader *r)
{
	const struct lesson_question *q = question_of(r);

	lesson_draw(&r->traces, q, random_at(r->options.seed, r->asked));
	if (!q)
		return;
	r->question_words = fill_words(r, q->words);
	r->show.lesson.question = r->question_words;
	if (reader_recording(r)->trace)
		fill_choices(r, q);
	for (int i = 0; r->show.lesson.answered &&
			i < r->show.lesson.choice_count; i++)
		if (r->choice_wrong[i] < 0)
			r->show.lesson.chosen = i;
}

void reader_words(struct reader *r)
{
	const struct lesson_step *s = step_of(r);
	struct show_lesson *l = &r->show.lesson;

	forget_words(r);
	forget_texts(r);
	if (!s)
		return;
	for (size_t i = 0; i < r->session.count; i++)
		r->traces.trace[i] = r->session.recordings[i].trace;
	l->title = r->lesson->title;
	l->step = (int)r->step;
	l->steps = (int)r->lesson->step_count;
	l->step_title = s->title;
	lesson_draw(&r->traces, NULL, 0);
	fill_prose(r, s);
	fill_texts(r);
	fill_question(r);
}

static void set_reply(struct reader *r, bool good, const char *words)
{
	free(r->reply);
	r->reply = words ? fill_words(r, words) : NULL;
	r->show.lesson.reply = r->reply;
	r->show.lesson.reply_good = good;
}

static void reset_question(struct reader *r, bool answered)
{
	r->typed[0] = 0;
	r->show.lesson.typed = r->typed;
	r->tried = 0;
	r->asked++;
	r->show.lesson.chosen = -1;
	r->show.lesson.answered = answered;
	r->show.lesson.scroll = 0;
	set_reply(r, true, NULL);
}

void reader_ask_next(struct reader *r)
{
	r->question++;
	reset_question(r, false);
	reader_words(r);
	reader_take_asked(r);
}

bool reader_draws(const struct reader *r)
{
	const struct lesson_question *q = question_of(r);

	return q && q->draw_count && r->show.lesson.answered;
}

void reader_ask_again(struct reader *r)
{
	reset_question(r, false);
	reader_words(r);
	reader_take_asked(r);
}

/* Reports that progress could not be written; the lesson goes on. */
static void report_unkept(struct reader *r, int status, const struct error *e)
{
	if (status)
		reader_say(r, true, "%s", e->text);
}

void reader_reach(struct reader *r, size_t steps)
{
	struct error e;

	report_unkept(
		r, progress_step(&r->progress, r->lesson->name, (int)steps, &e),
		&e);
}

void reader_forget_learned(struct reader *r)
{
	free(r->learned);
	free(r->learned_words);
	free(r->learned_rung);
	r->learned = r->learned_words = r->learned_rung = NULL;
	r->show.lesson.learned_rung = NULL;
	r->show.lesson.learned = r->show.lesson.learned_words = NULL;
}

bool reader_learned(struct reader *r)
{
	const struct lesson_step *s = step_of(r);
	char *number;

	if (!s || !s->learned || r->learned || !reader_recording(r)->trace)
		return false;
	number = xasprintf("{%s}", s->learned);
	r->learned = fill_words(r, number);
	r->learned_words = fill_words(r, s->learned_words);
	r->show.lesson.learned = r->learned;
	r->show.lesson.learned_words = r->learned_words;
	r->learned_rung = reader_offer_rung(r);
	r->show.lesson.learned_rung = r->learned_rung;
	free(number);
	reader_reach(r, r->lesson->step_count);
	return true;
}

/* The step's stand; where there is no trace yet, it is taken later. */
static void take_stand(struct reader *r, const struct lesson_step *s)
{
	struct cursor *p = &r->cursor[r->recording];
	struct trace *t = reader_recording(r)->trace;
	struct error e;

	r->stood = t != NULL;
	if (!t || !s->has_stand)
		return;
	p->focus = FOCUS_LANE;
	p->lane = s->stand.lane % WARP_LANES;
	p->turn = s->stand.turn;
	if (lesson_stand_find(t, &s->stand, &p->warp, &p->request, &e))
		reader_say(r, true, "%s", e.text);
}

/* Shows the views that a step begins with; the words, if the screen is
 * small. */
static void take_shows(struct reader *r, const struct lesson_step *s)
{
	struct view_stop begin = view_begin(s->shows, s->show_count);

	r->show.pane = r->h && (r->h < 18 || r->w < 60) ? PANE_LESSON :
							 begin.pane;
	r->show.held = begin.held;
	r->show.source_scroll = 0;
	r->show.turns = s->turns;
}

void reader_go_step(struct reader *r, size_t step)
{
	const struct lesson_step *s;

	if (!r->lesson || step >= r->lesson->step_count)
		return;
	reader_forget_learned(r);
	r->step = step;
	s = step_of(r);
	r->recording = lesson_step_record(r->lesson, step);
	r->question = 0;
	if (r->done[step] && s->question_count)
		r->question = s->question_count - 1;
	r->show.playing = false;
	reset_question(r, r->done[step] || !s->question_count);
	reader_words(r);
	r->beside = s->beside ? lesson_record_find(r->lesson, s->beside) : -1;
	r->beat = s->beat ? (enum beat)beat_from(s->beat) : BEAT_REQUEST;
	take_stand(r, s);
	take_shows(r, s);
	reader_take_asked(r);
	reader_class_at(r);
}

/* Records how the open question was answered. */
static void keep_answer(struct reader *r, bool right)
{
	size_t at = r->question, all = 0;
	struct error e;

	for (size_t i = 0; i < r->lesson->step_count; i++) {
		at += i < r->step ? r->lesson->steps[i].question_count : 0;
		all += r->lesson->steps[i].question_count;
	}
	report_unkept(r,
		      progress_answer(&r->progress, r->lesson->name, at, all,
				      right, &e),
		      &e);
}

static void answered_right(struct reader *r, const struct lesson_question *q,
			   bool alone)
{
	keep_answer(r, alone && !r->tried);
	r->show.lesson.answered = true;
	if (r->question + 1 == step_of(r)->question_count)
		r->done[r->step] = true;
	set_reply(r, true, right_words(q));
	for (int i = 0; i < r->show.lesson.choice_count; i++)
		if (r->choice_wrong[i] < 0)
			r->show.lesson.chosen = i;
}

/* Shows the pane with the reply, if only one pane fits. */
static void show_reply(struct reader *r)
{
	struct screen_layout l;

	layout_make(&l, r->w, r->h, &r->show);
	if (l.kind == LAYOUT_SINGLE)
		r->show.pane = PANE_LESSON;
}

bool reader_choose(struct reader *r, int choice)
{
	const struct lesson_question *q = question_of(r);

	if (!reader_asking(r) || choice >= r->show.lesson.choice_count)
		return false;
	r->typed[0] = 0;
	show_reply(r);
	reader_class_answer(r, r->choices[choice],
			    r->choice_wrong[choice] < 0);
	r->show.lesson.chosen = choice;
	if (r->choice_wrong[choice] < 0) {
		answered_right(r, q, true);
		return true;
	}
	r->tried |= tried_bit(r->choice_wrong[choice]);
	mark_tried(r, r->show.lesson.choice_count);
	set_reply(r, false, q->wrongs[r->choice_wrong[choice]].words);
	return true;
}

/* Returns whether the typed text is the answer, as a number or as a word. */
static bool matches_answer(const char *typed, const struct value *want)
{
	char text[VALUE_TEXT_BYTES], *end;
	double number = strtod(typed, &end);

	value_print(want, text, sizeof(text));
	if (!strcmp(typed, text))
		return true;
	return !*end && ((want->kind == VALUE_INT && number == want->i) ||
			 (want->kind == VALUE_REAL && number == want->r));
}

char *reader_reply(struct reader *r, int choice, bool *right)
{
	const struct lesson_question *q = question_of(r);
	int wrong = r->choice_wrong[choice];

	*right = wrong < 0;
	return fill_words(r,
			  wrong >= 0 ? q->wrongs[wrong].words : right_words(q));
}

bool reader_submit(struct reader *r)
{
	const struct lesson_question *q = question_of(r);
	struct value want;

	if (!reader_asking(r) || !r->typed[0] ||
	    lesson_eval(&r->traces, r->step, q->answer, &want, NULL))
		return false;
	if (matches_answer(r->typed, &want)) {
		reader_class_answer(r, r->typed, true);
		answered_right(r, q, true);
	} else {
		for (int i = 0; i < r->show.lesson.choice_count; i++)
			if (!strcmp(r->typed, r->choices[i]))
				return reader_choose(r, i);
		reader_class_answer(r, r->typed, false);
		set_reply(r, false, _("Not quite. Look again, or press ! to "
				      "see the answer."));
	}
	r->typed[0] = 0;
	return true;
}

bool reader_reveal(struct reader *r)
{
	const struct lesson_question *q = question_of(r);

	if (!reader_asking(r) || !reader_recording(r)->trace)
		return false;
	reader_class_answer(r, "", false);
	answered_right(r, q, false);
	return true;
}
