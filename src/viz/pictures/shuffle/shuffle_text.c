#include "viz/pictures/shuffle/shuffle_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/expr.h"

#define NESTED 8	/* names that stand for names */

/* ---- words ---- */

static bool is_sign(const struct shuffle_text *t, size_t i, int sign)
{
	return i < t->end && t->w[i].kind == sign;
}

/* Tells whether the word i, which may be past the end, is this one. */
static bool is_word_at(const struct shuffle_text *t, size_t i,
		       const char *text)
{
	return i < t->end && cpp_is(&t->w[i], text);
}

size_t shuffle_close(const struct shuffle_text *t, size_t i)
{
	int depth = 0;

	for (; i < t->end; i++) {
		int kind = t->w[i].kind;

		depth += kind == '(' || kind == '[' || kind == '{';
		depth -= kind == ')' || kind == ']' || kind == '}';
		if (depth <= 0)
			return i;
	}
	return t->end;
}

size_t shuffle_statement_end(const struct shuffle_text *t, size_t i)
{
	while (i < t->end && !is_sign(t, i, ';') && !is_sign(t, i, '{'))
		i = is_sign(t, i, '(') || is_sign(t, i, '[') ?
		    shuffle_close(t, i) + 1 : i + 1;
	return is_sign(t, i, '{') ? shuffle_close(t, i) : MIN(i, t->end);
}

/* Returns the first word of the statement that the word i is in. */
static size_t find_statement_start(const struct shuffle_text *t, size_t i)
{
	while (i > t->first) {
		const struct cpp_word *w = &t->w[i - 1];

		if (strchr(";{}", w->kind) || w->kind == CPP_DIRECTIVE ||
		    (w->kind == ')' && t->w[i].kind == CPP_WORD) ||
		    cpp_is(w, "else"))
			break;
		i--;
	}
	return i;
}

uint32_t shuffle_line(const struct shuffle_text *t, size_t i)
{
	uint32_t line = 1;

	for (const char *p = t->sc->info->text; p < t->w[i].at; p++)
		line += *p == '\n';
	return line;
}

static void copy_word_name(char name[SHUFFLE_NAME], const struct cpp_word *w)
{
	snprintf(name, SHUFFLE_NAME, "%.*s",
		 (int)MIN(w->length, SHUFFLE_NAME - 1), w->at);
}

/* ---- numbers ---- */

/* A lane's names: those of the launch, the loop's variable, and what the text
 * says of others. */
struct lane_names {
	const struct shuffle_text *t;
	size_t at;		/* where the names are used */
	uint32_t lane;
	const char *loop;	/* NULL: no loop */
	int64_t value;		/* of its variable */
	int depth;
};

static bool evaluate_words(const struct lane_names *n, size_t from, size_t to,
			   struct value *v);

static bool find_dim_member(const struct lane_names *n, const char *name,
			    struct value *v)
{
	const struct scene *sc = n->t->sc;
	uint32_t thread = sc->warp.warp * WARP_LANES + n->lane;
	const struct { const char *name; struct trace_dim dim; } all[] = {
		{ "threadIdx.", dim_of(sc->info->block, thread) },
		{ "blockIdx.", dim_of(sc->info->grid, sc->warp.block) },
		{ "blockDim.", sc->info->block },
		{ "gridDim.", sc->info->grid },
	};

	for (size_t i = 0; i < LENGTH(all); i++) {
		size_t length = strlen(all[i].name);
		char axis = strncmp(name, all[i].name, length) ? 0 :
			    name[length];

		if (axis < 'x' || axis > 'z')
			continue;
		*v = value_int(axis == 'x' ? all[i].dim.x : axis == 'y' ?
			       all[i].dim.y : all[i].dim.z);
		return true;
	}
	return false;
}

/* Gets a number that the launch or a constant gives a name. */
static bool find_launch_number(const struct scene *sc, const char *name,
			       struct value *v)
{
	const char *text = NULL;
	long number;

	if (!strcmp(name, "warpSize")) {
		*v = value_int(WARP_LANES);
		return true;
	}
	if (!strcmp(name, "INFINITY")) {
		*v = value_real((double)INFINITY);
		return true;
	}
	for (size_t i = 0; i < sc->info->argument_count; i++)
		if (!strcmp(sc->info->arguments[i].name, name))
			text = sc->info->arguments[i].value;
	for (size_t i = 0; i < sc->source->constant_count; i++)
		if (!strcmp(sc->source->constants[i].name, name))
			text = sc->source->constants[i].value;
	if (!text || !parse_int(text, INT32_MIN, INT32_MAX, &number))
		return false;
	*v = value_int(number);
	return true;
}

/* Gets what the text last assigns to a name before it is used. */
static bool find_assigned(const struct lane_names *n, const char *name,
			  struct value *v)
{
	const struct shuffle_text *t = n->t;
	struct lane_names inner = *n;

	inner.depth++;
	for (size_t i = n->at; i-- > t->first + 1;) {
		if (!is_word_at(t, i, name) || !is_sign(t, i + 1, '=') ||
		    is_sign(t, i + 2, '='))
			continue;
		inner.at = i;
		return inner.depth < NESTED &&
		       evaluate_words(&inner, i + 2,
				      shuffle_statement_end(t, i + 2), v);
	}
	return false;
}

static int evaluate_name(void *ctx, const char *name, struct value *out,
			 struct error *e)
{
	const struct lane_names *n = ctx;

	if (n->loop && !strcmp(name, n->loop)) {
		*out = value_int(n->value);
		return 0;
	}
	if (find_dim_member(n, name, out) ||
	    find_assigned(n, name, out) ||
	    find_launch_number(n->t->sc, name, out))
		return 0;
	return error_set(e, EXIT_INPUT, "%s has no value", name);
}

/* Adds a number without the letters that tell its type. */
static void add_bare_number(struct str *out, const struct cpp_word *w)
{
	size_t n = w->length;
	bool hex = n > 1 && (w->at[1] == 'x' || w->at[1] == 'X');

	while (n > 1 && strchr(hex ? "uUlL" : "uUlLfF", w->at[n - 1]))
		n--;
	str_addn(out, w->at, n);
}

static bool evaluate_words(const struct lane_names *n, size_t from, size_t to,
			   struct value *v)
{
	struct expr_env env = { .name = evaluate_name, .ctx = (void *)n };
	struct str text = {0};
	bool done;

	for (size_t i = from; i < to && i < n->t->end; i++) {
		const struct cpp_word *w = &n->t->w[i];
		/* a > = b stays a >= b */
		bool apart = i + 1 < to && w->kind == CPP_WORD &&
			     n->t->w[i + 1].kind == CPP_WORD;

		if (w->kind == CPP_NUMBER)
			add_bare_number(&text, w);
		else
			str_addn(&text, w->at, w->length);
		str_add(&text, apart ? " " : "");
	}
	done = from < to && text.data && !expr_value(text.data, &env, v, NULL) &&
	       (v->kind == VALUE_INT || v->kind == VALUE_REAL);
	str_done(&text);
	return done;
}

bool shuffle_number(const struct shuffle_text *t, size_t from, size_t to,
		    uint32_t lane, double *v)
{
	struct lane_names n = { .t = t, .at = from, .lane = lane };
	struct value value;

	if (!evaluate_words(&n, from, to, &value))
		return false;
	*v = value.kind == VALUE_INT ? (double)value.i : value.r;
	return true;
}

/* ---- which lanes ---- */

/* Adds a condition: lanes for which it is not `wanted` are out. */
static bool apply_condition(const struct shuffle_text *t, size_t from,
			    size_t to, bool wanted, uint32_t *lanes)
{
	for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
		double v;

		if (!(*lanes >> lane & 1))
			continue;
		if (!shuffle_number(t, from, to, lane, &v))
			return false;
		if ((v != 0) != wanted)
			*lanes &= ~(1u << lane);
	}
	return true;
}

bool shuffle_lanes_at(const struct shuffle_text *t, size_t at, uint32_t *lanes)
{
	const struct trace_info *info = t->sc->info;
	uint32_t threads = info->block.x * info->block.y * info->block.z;
	uint32_t left = threads - MIN(threads, t->sc->warp.warp * WARP_LANES);

	*lanes = left >= WARP_LANES ? UINT32_MAX : (1u << left) - 1;
	for (size_t i = t->first; i < at; i++) {
		size_t close, end;
		bool leaves;

		if (is_word_at(t, i, "else") &&
		    shuffle_statement_end(t, i + 1) > at)
			return false;
		if (!is_word_at(t, i, "if") || !is_sign(t, i + 1, '('))
			continue;
		close = shuffle_close(t, i + 1);
		end = shuffle_statement_end(t, close + 1);
		leaves = end < at && (is_word_at(t, close + 1, "return") ||
			 (is_sign(t, close + 1, '{') &&
			  is_word_at(t, end - 2, "return")));
		if (at <= close || (end < at && !leaves))
			continue;
		if (!apply_condition(t, i + 2, close, !leaves, lanes))
			return false;
	}
	return true;
}

/* ---- a loop ---- */

/* A `for` around a shuffle; `head`: the word after its parenthesis. */
struct shuffle_loop { size_t head, test, next, close; };

/* Finds the innermost loop around the word at; `outer`: another is around it.
 * Returns false where none is. */
static bool find_loop_around(const struct shuffle_text *t, size_t at,
			     struct shuffle_loop *l, bool *outer)
{
	bool found = false;

	*outer = false;
	*l = (struct shuffle_loop){ .head = 0 };
	for (size_t i = t->first; i < at; i++) {
		size_t close;

		if (is_word_at(t, i, "do"))
			*outer |= shuffle_statement_end(t, i + 1) > at;
		if ((!is_word_at(t, i, "for") && !is_word_at(t, i, "while")) ||
		    !is_sign(t, i + 1, '('))
			continue;
		close = shuffle_close(t, i + 1);
		if (close >= at || shuffle_statement_end(t, close + 1) < at)
			continue;
		*outer |= found;
		found = is_word_at(t, i, "for");
		*outer |= !found;
		l->head = i + 2;
		l->test = shuffle_statement_end(t, l->head) + 1;
		l->next = shuffle_statement_end(t, l->test) + 1;
		l->close = close;
	}
	return found;
}

/* Computes the loop variable's next value. */
static bool advance_loop(const struct lane_names *n,
			 const struct shuffle_loop *l, int64_t *value)
{
	const struct shuffle_text *t = n->t;
	size_t i = l->next + is_word_at(t, l->next, n->loop);
	int sign = t->w[i].kind;
	struct value by;

	if (is_sign(t, i + 1, sign) && (sign == '+' || sign == '-')) {
		*value += sign == '+' ? 1 : -1;
		return true;
	}
	while (i < l->close && !is_sign(t, i, '='))
		i++;
	if (!evaluate_words(n, i + 1, l->close, &by) || by.kind != VALUE_INT)
		return false;
	if (sign == '=')
		*value = by.i;
	else if (sign == '/' && by.i)
		*value /= by.i;
	else if (sign == '*')
		*value *= by.i;
	else if (sign == '>' && by.i >= 0 && by.i < 32)
		*value >>= by.i;
	else if (sign == '<' && by.i >= 0 && by.i < 32)
		*value <<= by.i;
	else if (sign == '+' || sign == '-')
		*value += sign == '+' ? by.i : -by.i;
	else
		return false;
	return true;
}

/* Lists the values of the loop's variable. Returns how many; -1: they are not
 * understood. */
static int list_loop(const struct shuffle_text *t, const struct shuffle_loop *l,
		     struct shuffle_fold *f, int64_t values[SHUFFLE_STEPS])
{
	struct lane_names n = { .t = t, .at = l->head, .loop = f->loop };
	size_t at = l->head;
	struct value v;
	int count = 0;

	while (at < l->test && !is_sign(t, at, '='))
		at++;
	if (at >= l->test || at == l->head)
		return -1;
	copy_word_name(f->loop, &t->w[at - 1]);
	if (!evaluate_words(&n, at + 1, l->test - 1, &v) ||
	    v.kind != VALUE_INT)
		return -1;
	n.value = v.i;
	while (evaluate_words(&n, l->test, l->next - 1, &v)) {
		if (!value_true(&v))
			return count;
		if (count == SHUFFLE_STEPS)
			return -1;
		values[count++] = n.value;
		if (!advance_loop(&n, l, &n.value))
			return -1;
	}
	return -1;
}

/* ---- a shuffle ---- */

/* A call's words: where it begins and ends, and its arguments. */
struct shuffle_call { size_t at, close, from[5]; int count; };

static bool read_call(const struct shuffle_text *t, size_t at,
		      struct shuffle_call *k)
{
	if (!is_sign(t, at + 1, '('))
		return false;
	*k = (struct shuffle_call){ .at = at,
				    .close = shuffle_close(t, at + 1) };
	k->from[k->count++] = at + 2;
	for (size_t i = at + 2; i < k->close && k->count < 5; i++) {
		if (is_sign(t, i, '(') || is_sign(t, i, '['))
			i = shuffle_close(t, i);
		if (is_sign(t, i, ','))
			k->from[k->count++] = i + 1;
	}
	k->from[k->count] = k->close + 1;
	return k->count == 3 || k->count == 4;
}

/* Returns the lane that this one reads from (PTX ISA, shfl.sync). */
static uint32_t find_shuffle_source(enum shuffle_how how, int64_t by,
				    uint32_t width, uint32_t lane)
{
	uint32_t first = lane & ~(width - 1), at = lane & (width - 1);

	if (how == HOW_UP)
		return at < by ? lane : lane - (uint32_t)by;
	if (how == HOW_DOWN)
		return at + by >= width ? lane : lane + (uint32_t)by;
	if (how == HOW_XOR)
		return (lane ^ by) >= first + width ? lane :
		       (lane ^ (uint32_t)by) % WARP_LANES;
	return first + ((uint32_t)by & (width - 1));
}

/* Adds a step: whom each lane reads from. */
static bool add_shuffle_step(const struct shuffle_text *t,
			     const struct shuffle_call *k,
			     struct shuffle_fold *f, int64_t value)
{
	struct shuffle_step *s = &f->step[f->count];

	if (f->count == SHUFFLE_STEPS)
		return false;
	s->uses = UINT32_MAX;
	for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
		struct lane_names n = { .t = t, .at = k->at, .lane = lane,
					.loop = f->loop[0] ? f->loop : NULL,
					.value = value };
		struct value by, width = value_int(WARP_LANES);

		if (!evaluate_words(&n, k->from[2], k->from[3] - 1, &by) ||
		    by.kind != VALUE_INT || by.i < 0 ||
		    (k->count == 4 &&
		     !evaluate_words(&n, k->from[3], k->close, &width)) ||
		    width.i < 1 || width.i > WARP_LANES ||
		    (width.i & (width.i - 1)))
			return false;
		if (f->how != HOW_INDEX && by.i >= WARP_LANES)
			return false;
		s->by = by.i;
		s->from[lane] = (uint8_t)find_shuffle_source(f->how, by.i,
						     (uint32_t)width.i, lane);
	}
	f->count++;
	return true;
}

/* Returns what a function of two values does. */
static enum shuffle_use find_function_use(const struct cpp_word *w)
{
	static const struct { const char *name; enum shuffle_use use; }
	all[] = {
		{ "fmaxf", USE_MAX }, { "fmax", USE_MAX }, { "max", USE_MAX },
		{ "fminf", USE_MIN }, { "fmin", USE_MIN }, { "min", USE_MIN },
	};

	for (size_t i = 0; i < LENGTH(all); i++)
		if (cpp_is(w, all[i].name))
			return all[i].use;
	return USE_OTHER;
}

/* Finds the condition and the sum of `if (CONDITION) v += got;`, the statement
 * after a scan's shuffle. */
static bool read_scan(const struct shuffle_text *t, size_t i,
		      struct shuffle_fold *f, size_t *from, size_t *to)
{
	*from = *to = i;
	if (is_word_at(t, i, "if") && is_sign(t, i + 1, '(')) {
		*from = i + 2;
		*to = shuffle_close(t, i + 1);
		i = *to + 1;
	}
	return is_word_at(t, i, f->value) && is_sign(t, i + 1, '+') &&
	       is_sign(t, i + 2, '=') && is_word_at(t, i + 3, f->result) &&
	       is_sign(t, i + 4, ';');
}

/* Finds out what the statement does with what the call gives. */
static void read_use(const struct shuffle_text *t, const struct shuffle_call *k,
		     struct shuffle_fold *f)
{
	size_t start = find_statement_start(t, k->at), eq = start, right;
	const struct cpp_word *w = t->w;

	f->use = USE_OTHER;
	while (eq < k->at && !is_sign(t, eq, '='))
		eq++;
	if (eq >= k->at || eq < start + 1 || k->from[2] != k->from[1] + 2)
		return;
	right = eq + 1;
	if (is_sign(t, eq - 1, '+') && right == k->at &&
	    is_sign(t, k->close + 1, ';') && is_word_at(t, eq - 2, f->value))
		f->use = USE_ADD;
	else if (w[eq - 1].kind != CPP_WORD)
		return;
	else if (right == k->at && is_sign(t, k->close + 1, ';'))
		f->use = USE_COPY;
	else if (is_word_at(t, right, f->value) && is_sign(t, right + 1, '+') &&
		 right + 2 == k->at && is_word_at(t, eq - 1, f->value))
		f->use = USE_ADD;
	else if (is_sign(t, right + 1, '(') && is_word_at(t, eq - 1, f->value) &&
		 shuffle_close(t, right + 1) == k->close + 1 &&
		 is_word_at(t, right + 2, f->value) && right + 4 == k->at)
		f->use = find_function_use(&w[right]);
	if (f->use == USE_COPY)
		copy_word_name(f->result, &w[eq - 1]);
}

static enum shuffle_how find_how(const struct cpp_word *w, bool *is)
{
	static const char *const names[] = { "__shfl_sync", "__shfl_up_sync",
					     "__shfl_down_sync",
					     "__shfl_xor_sync" };

	*is = true;
	for (int i = 0; i < (int)LENGTH(names); i++)
		if (cpp_is(w, names[i]))
			return (enum shuffle_how)i;
	*is = false;
	return HOW_INDEX;
}

/* Lets a scan's lanes add only where its condition holds. */
static void apply_scan(const struct shuffle_text *t,
		       const struct shuffle_call *k, struct shuffle_fold *f,
		       const int64_t values[])
{
	size_t from, to;

	if (f->use != USE_COPY || !strcmp(f->result, f->value) ||
	    !read_scan(t, k->close + 2, f, &from, &to))
		return;
	f->use = USE_ADD;
	strcpy(f->result, f->value);
	for (int i = 0; from < to && i < f->count; i++)
		for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
			struct lane_names n = { t, k->at, lane, f->loop,
						values[i], 0 };
			struct value v;

			if (!evaluate_words(&n, from, to, &v))
				f->use = USE_OTHER;
			else if (!value_true(&v))
				f->step[i].uses &= ~(1u << lane);
		}
}

/* Reads the shuffle at a word, with all turns of its loop. */
static bool read_shuffle(const struct shuffle_text *t, size_t at,
			 struct shuffle_fold *f)
{
	int64_t values[SHUFFLE_STEPS] = { 0 };
	struct shuffle_call k;
	struct shuffle_loop l = {0};
	int count = 1;
	bool is, looped;

	*f = (struct shuffle_fold){ .how = find_how(&t->w[at], &is) };
	if (!is || !read_call(t, at, &k) ||
	    t->w[k.from[1]].kind != CPP_WORD)
		return false;
	copy_word_name(f->value, &t->w[k.from[1]]);
	strcpy(f->result, f->value);
	f->begin = f->end = at;
	f->line = f->last_line = shuffle_line(t, at);
	looped = find_loop_around(t, at, &l, &f->in_loop);
	if (looped)
		count = list_loop(t, &l, f, values);
	if (count < 0) {	/* it may be an outer one */
		f->loop[0] = 0;
		f->in_loop = true;
		count = 1;
	}
	for (int i = 0; i < count; i++)
		if (!add_shuffle_step(t, &k, f, values[i]))
			return false;
	f->known = t->whole && shuffle_lanes_at(t, at, &f->lanes);
	if (!f->known)
		f->lanes = UINT32_MAX;
	read_use(t, &k, f);
	apply_scan(t, &k, f, values);
	return f->count > 0;
}

/* Adds a shuffle that goes on with what the last one gave, such as the second of
 * five lines. */
static bool join_folds(struct shuffle_fold *to, const struct shuffle_fold *f)
{
	if (strcmp(to->result, f->value) || to->how != f->how ||
	    to->use != f->use || to->loop[0] || f->loop[0] || f->in_loop ||
	    to->count + f->count > SHUFFLE_STEPS)
		return false;
	for (int i = 0; i < f->count; i++)
		to->step[to->count++] = f->step[i];
	strcpy(to->result, f->result);
	to->end = f->end;
	to->last_line = f->last_line;
	return true;
}

int shuffle_text_folds(const struct shuffle_text *t,
		       struct shuffle_fold folds[SHUFFLE_FOLDS])
{
	struct shuffle_fold f;
	int n = 0;

	for (size_t i = t->first; i < t->end && n < SHUFFLE_FOLDS; i++) {
		if (t->w[i].kind != CPP_WORD || !read_shuffle(t, i, &f))
			continue;
		if (!n || !join_folds(&folds[n - 1], &f))
			folds[n++] = f;
	}
	return n;
}

/* ---- the kernel ---- */

static bool has_shuffles(const struct shuffle_text *t)
{
	bool is = false;

	for (size_t i = t->first; i < t->end && !is; i++)
		if (t->w[i].kind == CPP_WORD)
			find_how(&t->w[i], &is);
	return is;
}

void shuffle_text_begin(struct shuffle_text *t, const struct scene *sc)
{
	const struct trace_info *info = sc->info;
	size_t count;

	*t = (struct shuffle_text){ .sc = sc };
	t->w = cpp_code(info->text, strlen(info->text), true, &count);
	t->end = count;
	for (size_t i = 0; i < count && !t->whole; i++) {
		size_t close;

		if (!is_word_at(t, i, info->kernel) || !is_sign(t, i + 1, '('))
			continue;
		close = shuffle_close(t, i + 1);
		if (!is_sign(t, close + 1, '{'))
			continue;
		t->first = close + 1;
		t->end = shuffle_close(t, close + 1);
		t->whole = true;
	}
	if (t->whole && has_shuffles(t))
		return;
	t->first = 0;	/* they may be in a function that it calls */
	t->end = count;
	t->whole = false;
}

void shuffle_text_done(struct shuffle_text *t)
{
	free(t->w);
	*t = (struct shuffle_text){ .sc = NULL };
}
