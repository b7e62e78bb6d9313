/* lesson_question: the numbers drawn for a question, and its choices. */
#include <stdlib.h>
#include <string.h>

#include "base/lang.h"
#include "lesson/lesson.h"

void lesson_draw(struct lesson_traces *traces,
		 const struct lesson_question *q, uint64_t seed)
{
	traces->drawn = (struct lesson_drawn){ .question = q };
	for (size_t i = 0; q && i < q->draw_count; i++) {
		const struct lesson_draw *d = &q->draws[i];
		uint64_t at = random_at(seed, i);

		traces->drawn.value[i] = d->values ?
			d->values[at % d->value_count] :
			d->low + (int64_t)(at % (uint64_t)(d->high - d->low +
							   1));
	}
}

bool lesson_find_model(struct lesson_traces *traces, size_t step,
		       const struct lesson_question *q,
		       struct lesson_model *out)
{
	struct value v;
	int status;

	*out = (struct lesson_model){ .accesses = 0 };
	traces->model = out;
	status = lesson_eval(traces, step, q->answer, &v, NULL);
	traces->model = NULL;
	return !status && v.kind != VALUE_NONE;
}

static int by_value(const void *a, const void *b)
{
	const struct value *x = &((const struct lesson_choice *)a)->value;
	const struct value *y = &((const struct lesson_choice *)b)->value;
	double p = x->kind == VALUE_REAL ? x->r : (double)x->i;
	double q = y->kind == VALUE_REAL ? y->r : (double)y->i;

	if (x->kind == VALUE_TEXT || y->kind == VALUE_TEXT)
		return strcmp(x->text, y->text);
	return (p > q) - (p < q);
}

static int fill_choice(struct lesson_traces *traces, size_t step,
		       const char *expr, struct lesson_choice *out,
		       struct error *e)
{
	if (lesson_eval(traces, step, expr, &out->value, e) < 0)
		return -1;
	value_print(&out->value, out->text, sizeof(out->text));
	return out->value.kind == VALUE_NONE ?
	       error_set(e, EXIT_CHECK, _("%s has no value"), expr) : 0;
}

/* Returns whether the last choice has the same text as an earlier one. */
static bool is_repeated_choice(const struct lesson_choice *choices,
			       size_t count)
{
	for (size_t i = 0; i + 1 < count; i++)
		if (!strcmp(choices[i].text, choices[count - 1].text))
			return true;
	return false;
}

/* Returns a number that depends on the question's answer and on what was drawn
 * for it, and is the same in all languages. */
static uint64_t hash_question(const struct lesson_traces *traces,
			      const struct lesson_question *q)
{
	const struct lesson_drawn *d = &traces->drawn;
	uint64_t hash = hash_bytes(q->answer, strlen(q->answer));

	for (size_t i = 0; d->question == q && i < q->draw_count; i++)
		hash = random_at(hash, (uint64_t)d->value[i]);
	return random_at(hash, 0);
}

static void rotate_choices(struct lesson_choice *choices, size_t n,
			   uint64_t by)
{
	struct lesson_choice sorted[LESSON_CHOICES];

	memcpy(sorted, choices, n * sizeof(*choices));
	for (size_t i = 0; i < n; i++)
		choices[i] = sorted[(i + by) % n];
}

size_t lesson_choices(struct lesson_traces *traces, size_t step,
		      const struct lesson_question *q,
		      struct lesson_choice out[LESSON_CHOICES],
		      struct error *e)
{
	size_t n = 0;

	if (fill_choice(traces, step, q->answer, &out[n], e) < 0)
		return 0;
	out[n++].wrong = -1;
	for (size_t i = 0; i < q->wrong_count && n < LESSON_CHOICES; i++) {
		if (fill_choice(traces, step, q->wrongs[i].expr, &out[n],
				e) < 0)
			return 0;
		out[n].wrong = (int)i;
		n += !is_repeated_choice(out, n + 1);
	}
	qsort(out, n, sizeof(*out), by_value);
	rotate_choices(out, n, hash_question(traces, q) % n);
	return n;
}
