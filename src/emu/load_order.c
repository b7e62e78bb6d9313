/*
 * load_order: see load_order.h.
 *
 * Within a basic block g++ emits instructions in the order in which it does
 * them. A group is a run of loads there with nothing between them that must
 * stay where it is. Events of a group that are not in order are sorted in each
 * thread. So are the instructions' positions, so that lanes meet as before.
 */
#include "emu/load_order.h"

#include <stdlib.h>
#include <string.h>

#include "emu/module/load_text.h"
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
	const struct access_site *slot;	/* the first of its chain */
	size_t at;			/* in the text */
	uint32_t rank;
};

/* Consecutive events of a group, as they were recorded, and for each place
 * which of them it gets. */
struct load_run {
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
	struct load_run *runs;	/* of each, the last */
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

/* Finds where a load is in the text; false for a load in a header, which has
 * the line of its caller. */
static bool locate_load(const struct access_site *s, size_t *at)
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

/* Returns whether the text names an element, a member or a pointer's target
 * there, and not a macro, in which there may be several loads. */
static bool is_one_load(const char *text, size_t at)
{
	size_t name = at;

	while (name > 0 && cpp_word_char(text[name - 1]))
		name--;
	return text[at] == ']' || text[at] == '*' ||
	       (cpp_word_char(text[at]) && name > 0 &&
		(text[name - 1] == '.' || text[name - 1] == '>'));
}

static bool contains_pc(const struct debug_function *f, uint32_t pc)
{
	uint64_t at = pc + rec.text - rec.load - 1;

	return at >= f->low && at < f->high;
}

bool load_order_again(const struct access_site *s)
{
	const struct debug_function *f;
	size_t at;

	if (!s->may_move || !rec.source || !locate_load(s, &at) ||
	    !order.text.updated[at] || !is_one_load(order.text.text, at))
		return false;
	f = debug_function_at(rec.debug, s->pc + rec.text - rec.load - 1);
	for (size_t i = 0; f && i < rec.slot_count; i++) {
		const struct access_site *o = rec.slot[i];

		if (o->may_move && o->array == s->array && o->pc < s->pc &&
		    o->line == s->line &&
		    o->raw_column == s->raw_column && contains_pc(f, o->pc))
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

static bool is_movable(const struct access_site *s, const struct access_site *before)
{
	bool copy = before && before->op == OP_ST && before->line == s->line &&
		    before->raw_column == s->raw_column;

	return s->may_move && !copy;
}

/* Gives the loads that g++ places at the call the ranks of its arguments, which
 * it does from the right. False: which arguments these are is not known. */
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
		if (!locate_load(l[i].slot, &l[i].at))
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

/* Sorts the instructions of a group by rank, and gives them each other's
 * positions. */
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
		for (const struct access_site *s = l[i].slot; s; s = s->next) {
			if (s->silent)
				continue;
			order.of[s->id].group = order.groups;
			order.of[s->id].rank = (uint32_t)i;
			rec.points[s->id].order = pc[i];
		}
}

/* Lists the first slot of every instruction, by address. The caller frees
 * it. */
static struct load *list_first_slots(size_t *count)
{
	struct load *l = xcalloc(rec.slot_count + 1, sizeof(*l));
	size_t n = 0;

	for (size_t i = 0; i < rec.slot_count; i++) {
		const struct access_site *s = rec.slot[i];

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
	struct load *l = list_first_slots(&count);

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

/* Clears the runs that are kept: the ranks of their groups have changed. */
static void runs_forget(void)
{
	size_t had = order.run_capacity;

	grow(&order.runs, &order.run_capacity, order.groups + 1,
	     sizeof(*order.runs));
	for (size_t i = had; i < order.run_capacity; i++)
		order.runs[i] = (struct load_run){ 0 };
	for (size_t i = 0; i < had; i++)
		order.runs[i].count = 0;
}

bool load_order_know(void)
{
	if (!rec.source || order.count == rec.point_count)
		return rec.source;
	grow(&order.of, &order.capacity, rec.point_count, sizeof(*order.of));
	for (size_t i = 0; i < rec.point_count; i++) {
		const struct access_site *s = rec.point_slot[i];

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

/* Sorts a run by insertion: most of it, or all, is in order already. */
static void run_sort(struct load_run *r)
{
	for (size_t i = 0; i < r->count; i++) {
		size_t to = i;

		for (; to > 0 && order.of[r->id[r->from[to - 1]]].rank >
				     order.of[r->id[i]].rank; to--)
			r->from[to] = r->from[to - 1];
		r->from[to] = (uint32_t)i;
	}
}

/* Places the words of the events' values in the order that `from` gives the
 * events. */
static void run_words(struct load_run *r)
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

/* Finds the run of these events; most often it is the group's last one. */
static const struct load_run *find_run(uint32_t group, const uint32_t *id,
				       size_t count)
{
	struct load_run *r = &order.runs[group];
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

static void permute_words(uint32_t *to, const uint32_t *from, size_t n)
{
	uint32_t *was = order.was;

	memcpy(was, to, n * sizeof(*to));
	for (size_t i = 0; i < n; i++)
		to[i] = was[from[i]];
}

/* Puts `count` events of a group, from t->id[first] on, in order; their values
 * begin at `word`. Returns how many words these have. */
static size_t run_move(struct thread *t, size_t first, size_t count,
		       size_t word)
{
	const struct load_run *r =
		find_run(order.of[t->id[first]].group, t->id + first, count);

	grow(&order.was, &order.was_capacity, MAX(count, r->words),
	     sizeof(*order.was));
	permute_words(t->id + first, r->from, count);
	permute_words(t->offset + first, r->from, count);
	if (rec.values)
		permute_words(t->value + word, r->word, r->words);
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

/* Writes the steps of a group's events from t->id[first] on, and moves *word
 * past their values. Returns the index of the event that follows. */
static size_t write_group_steps(const struct thread *t, size_t first,
				uint32_t *word, struct warp_step *to)
{
	uint32_t group = order.of[t->id[first]].group;
	size_t end = first;
	const struct load_run *r;

	while (end < t->count && order.of[t->id[end]].group == group)
		end++;
	r = find_run(group, t->id + first, end - first);
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
			size_t end =
				write_group_steps(t, i, &word, order.steps + n);

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
