/*
 * load_order: see load_order.h.
 *
 * What g++ does one after the other in a basic block stands so in its code. A
 * group is loads that stand there with nothing between them that must stay
 * where it is. Events of a group that are not in order are sorted in each
 * thread; so that lanes meet as before, the instructions' positions are, too.
 */
#include "emu/load_order.h"

#include <stdlib.h>
#include <string.h>

#include "emu/load_text.h"
#include "emu/recording.h"

#define GROUP_MOST 256		/* instructions; the rest stays as it is */
#define ARGUMENTS_MOST 64

/* What is known of an event. */
struct ordered {
	uint32_t group;		/* 0: it stays where it is */
	uint32_t rank;
	uint32_t words;
};

/* An instruction of a group. */
struct load {
	const struct slot *slot;	/* the first of its chain */
	size_t at;			/* in the text */
	uint32_t rank;
};

/* Events of a group behind each other, as they were recorded, and for each place
 * which of them it gets. */
struct run {
	size_t count, words;
	size_t capacity, word_capacity;
	uint32_t *id;
	uint32_t *from;
	uint32_t *word;		/* likewise of the words of their values */
};

static struct {
	struct load_text text;
	bool read;		/* the text */
	struct ordered *of;	/* by event */
	size_t count, capacity;
	uint32_t groups;	/* that are not in order yet: from 1 on */
	struct run *runs;	/* of each, the last */
	size_t run_capacity;
	uint32_t *was;
	size_t was_capacity;
	struct warp_step *steps;
	size_t step_capacity;
} order;

void load_order_reset(void)
{
	if (order.read)
		load_text_done(&order.text);
	order.read = false;
	order.count = order.groups = 0;
}

/* Where the load stands in the text; not of one in a header, which has the line
 * of its caller. */
static bool text_at(const struct slot *s, size_t *at)
{
	const struct debug_line *l =
		debug_line_at(rec.debug, s->pc + rec.text - rec.load - 1);

	if (!l || !l->ours)
		return false;
	if (!order.read)
		load_text_init(&order.text, rec.source);
	order.read = true;
	return load_text_at(&order.text, s->line, s->raw_column, at);
}

/* ---- loads that are done again ---- */

/* Whether an element, a member or what a pointer leads to is named there, and
 * no macro, of which there may be more than one load. */
static bool is_one_load(const char *text, size_t at)
{
	size_t name = at;

	while (name > 0 && cpp_word_char(text[name - 1]))
		name--;
	return text[at] == ']' || text[at] == '*' ||
	       (cpp_word_char(text[at]) && name > 0 &&
		(text[name - 1] == '.' || text[name - 1] == '>'));
}

static bool is_in(const struct debug_function *f, uint32_t pc)
{
	uint64_t at = pc + rec.text - rec.load - 1;

	return at >= f->low && at < f->high;
}

bool load_order_again(const struct slot *s)
{
	const struct debug_function *f;
	size_t at;

	if (!s->may_move || !rec.source || !text_at(s, &at) ||
	    !order.text.updated[at] || !is_one_load(order.text.text, at))
		return false;
	f = debug_function_at(rec.debug, s->pc + rec.text - rec.load - 1);
	for (size_t i = 0; f && i < rec.slot_count; i++) {
		const struct slot *o = rec.slot[i];

		if (o->may_move && o->pc < s->pc && o->line == s->line &&
		    o->raw_column == s->raw_column && is_in(f, o->pc))
			return true;
	}
	return false;
}

/* ---- groups ---- */

static int by_pc(const void *a, const void *b)
{
	const struct load *x = a, *y = b;

	return x->slot->pc < y->slot->pc ? -1 : x->slot->pc > y->slot->pc;
}

static int by_rank(const void *a, const void *b)
{
	const struct load *x = a, *y = b;

	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	return by_pc(a, b);
}

static bool is_movable(const struct slot *s, const struct slot *before)
{
	bool copy = before && before->op == OP_ST && before->line == s->line &&
		    before->raw_column == s->raw_column;

	return s->may_move && !copy;
}

/* Gives the loads that g++ says are the call's the ranks of its arguments, which
 * it does from the right; false: which ones these are is not known. */
static bool call_rank(struct load *l, size_t n, size_t at)
{
	struct load_argument a[ARGUMENTS_MOST];
	size_t count = load_text_arguments(&order.text, at, a, LENGTH(a));
	size_t wanted = 0, elements = 0, all = 0;

	for (size_t i = 0; i < n; i++) {
		wanted += l[i].at == at;
		for (size_t k = 0; k < count; k++)
			if (a[k].last == order.text.text + l[i].at)
				a[k].may = a[k].is_element = false;
	}
	for (size_t k = 0; k < count; k++) {
		elements += a[k].is_element;
		all += a[k].may;
	}
	if (wanted != elements && wanted != all)
		return false;
	for (size_t i = 0, k = count; i < n; i++) {
		if (l[i].at != at)
			continue;
		do
			k--;
		while (!(wanted == elements ? a[k].is_element : a[k].may));
		l[i].rank = a[k].rank;
		l[i].at = SIZE_MAX;
	}
	return true;
}

static bool loads_rank(struct load *l, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (!text_at(l[i].slot, &l[i].at))
			return false;
		l[i].rank = order.text.rank[l[i].at];
	}
	for (size_t i = 0; i < n; i++)
		if (l[i].at != SIZE_MAX &&
		    order.text.text[l[i].at] == '(' && n > 1 &&
		    !call_rank(l, n, l[i].at))
			return false;
	return true;
}

/* The instructions of a group take each other's positions. */
static void group_make(struct load *l, size_t n)
{
	uint32_t pc[GROUP_MOST];
	bool sorted = true;

	if (n < 2 || !loads_rank(l, n))
		return;
	for (size_t i = 0; i < n; i++) {
		pc[i] = l[i].slot->pc;
		sorted = sorted && (i == 0 || l[i - 1].rank <= l[i].rank);
	}
	if (sorted)
		return;
	order.groups++;
	qsort(l, n, sizeof(*l), by_rank);
	for (size_t i = 0; i < n; i++)
		for (const struct slot *s = l[i].slot; s; s = s->next) {
			if (s->silent)
				continue;
			order.of[s->id].group = order.groups;
			order.of[s->id].rank = (uint32_t)i;
			rec.points[s->id].order = pc[i];
		}
}

/* All instructions, in order. */
static struct load *instructions(size_t *count)
{
	struct load *l = xcalloc(rec.slot_count + 1, sizeof(*l));
	size_t n = 0;

	for (size_t i = 0; i < rec.slot_count; i++) {
		const struct slot *s = rec.slot[i];

		if (rec.slots[s->pc] == s)
			l[n++].slot = s;
	}
	qsort(l, n, sizeof(*l), by_pc);
	*count = n;
	return l;
}

static void groups_make(void)
{
	size_t count, from = 0;
	struct load *l = instructions(&count);

	for (size_t i = 0; i <= count; i++) {
		bool more = i < count && i - from < GROUP_MOST &&
			    is_movable(l[i].slot, i ? l[i - 1].slot : NULL);

		if (more)
			continue;
		group_make(l + from, i - from);
		from = i < count && i - from < GROUP_MOST ? i + 1 : i;
	}
	free(l);
}

/* Their groups' ranks are others now. */
static void runs_forget(void)
{
	size_t had = order.run_capacity;

	grow(&order.runs, &order.run_capacity, order.groups + 1,
	     sizeof(*order.runs));
	for (size_t i = had; i < order.run_capacity; i++)
		order.runs[i] = (struct run){ 0 };
	for (size_t i = 0; i < had; i++)
		order.runs[i].count = 0;
}

bool load_order_know(void)
{
	if (!rec.source || order.count == rec.point_count)
		return rec.source;
	grow(&order.of, &order.capacity, rec.point_count, sizeof(*order.of));
	for (size_t i = 0; i < rec.point_count; i++) {
		const struct slot *s = rec.point_slot[i];

		order.of[i] = (struct ordered){ .words = s ? s->words : 0 };
		if (s && s->op == OP_LD)
			rec.points[i].order = s->pc;
	}
	order.count = rec.point_count;
	order.groups = 0;
	groups_make();
	runs_forget();
	return true;
}

/* ---- a thread ---- */

/* Insertion: what is in order, mostly or all, stays where it is. */
static void run_sort(struct run *r)
{
	for (size_t i = 0; i < r->count; i++) {
		size_t to = i;

		for (; to > 0 && order.of[r->id[r->from[to - 1]]].rank >
				     order.of[r->id[i]].rank; to--)
			r->from[to] = r->from[to - 1];
		r->from[to] = (uint32_t)i;
	}
}

/* The same of the words of their values, as `from` has the events. */
static void run_words(struct run *r)
{
	uint32_t *begin = xcalloc(r->count, sizeof(*begin));
	uint32_t n = 0;

	for (size_t i = 0; i < r->count; i++) {
		begin[i] = n;
		n += order.of[r->id[i]].words;
	}
	grow(&r->word, &r->word_capacity, n, sizeof(*r->word));
	r->words = n;
	n = 0;
	for (size_t i = 0; i < r->count; i++) {
		uint32_t from = r->from[i];

		for (uint32_t k = 0; k < order.of[r->id[from]].words; k++)
			r->word[n++] = begin[from] + k;
	}
	free(begin);
}

/* The run of these events; most often they are the group's last ones. */
static const struct run *run_of(uint32_t group, const uint32_t *id,
				size_t count)
{
	struct run *r = &order.runs[group];
	size_t same;

	if (r->count == count && !memcmp(r->id, id, count * sizeof(*id)))
		return r;
	same = r->capacity;
	grow(&r->id, &same, count, sizeof(*r->id));
	grow(&r->from, &r->capacity, count, sizeof(*r->from));
	memcpy(r->id, id, count * sizeof(*id));
	r->count = count;
	run_sort(r);
	run_words(r);
	return r;
}

static void gather(uint32_t *to, const uint32_t *from, size_t n)
{
	uint32_t *was = order.was;

	memcpy(was, to, n * sizeof(*to));
	for (size_t i = 0; i < n; i++)
		to[i] = was[from[i]];
}

/* Events of a group, from t->id[first] on, whose values begin at `word`: how
 * many words these have. */
static size_t run_move(struct thread *t, size_t first, size_t count,
		       size_t word)
{
	const struct run *r = run_of(order.of[t->id[first]].group,
				     t->id + first, count);

	grow(&order.was, &order.was_capacity, MAX(count, r->words),
	     sizeof(*order.was));
	gather(t->id + first, r->from, count);
	gather(t->offset + first, r->from, count);
	if (rec.values)
		gather(t->value + word, r->word, r->words);
	return r->words;
}

void load_order_thread(struct thread *t)
{
	const struct ordered *of = order.of;
	const uint32_t *id = t->id;
	size_t count = order.groups ? t->count : 0, word = 0, first;

	for (size_t i = 0; i < count;) {
		uint32_t group = of[id[i]].group;

		if (!group) {
			word += of[id[i++]].words;
			continue;
		}
		first = i;
		while (i < count && of[id[i]].group == group)
			i++;
		word += run_move(t, first, i - first, word);
	}
}

/* Those of a group from t->id[first] on; what comes behind them. */
static size_t run_steps(const struct thread *t, size_t first, uint32_t *word,
			struct warp_step *to)
{
	uint32_t group = order.of[t->id[first]].group;
	size_t end = first;
	const struct run *r;

	while (end < t->count && order.of[t->id[end]].group == group)
		end++;
	r = run_of(group, t->id + first, end - first);
	for (size_t i = 0, n = 0; i < r->count; i++) {
		uint32_t from = r->from[i];

		to[i] = (struct warp_step) {
			(uint32_t)first + from,
			*word + (r->words ? r->word[n] : 0),
		};
		n += order.of[r->id[from]].words;
	}
	*word += (uint32_t)r->words;
	return end;
}

const struct warp_step *load_order_steps(const struct thread *t, size_t *count)
{
	uint32_t word = 0;
	size_t n = 0;

	grow(&order.steps, &order.step_capacity, t->count,
	     sizeof(*order.steps));
	for (size_t i = 0; i < t->count;) {
		uint32_t id = t->id[i];

		if (order.of[id].group) {
			size_t end = run_steps(t, i, &word, order.steps + n);

			n += end - i;
			i = end;
			continue;
		}
		if (rec.points[id].kind == WARP_ACCESS)
			order.steps[n++] = (struct warp_step) { (uint32_t)i,
								word };
		word += order.of[id].words;
		i++;
	}
	*count = n;
	return order.steps;
}
