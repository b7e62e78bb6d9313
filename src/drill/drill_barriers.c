/* drill_barriers: questions on which barrier is needed, and what a wait waits
 * for. */
#include <stdlib.h>
#include <string.h>

#include "base/lang.h"
#include "drill/drill_topic.h"
#include "drill/kernel_loop.h"

#define TURNS 4		/* of a loop: enough for two buffers to come round */
/* One question in this number is not about a kernel; most kernels have no
 * suitable loop, and then another question is drawn. */
#define KERNELS 5

/* ---- check that each conflicting pair has a barrier between ---- */

static bool waits_between(const struct drill_loop *l, int from, int to,
			  bool same_warp)
{
	for (int i = from + 1; i < to; i++) {
		enum drill_act act = l->body[i % l->count].act;

		if (act == DRILL_SYNCTHREADS ||
		    (act == DRILL_SYNCWARP && same_warp))
			return true;
	}
	return false;
}

/* Returns whether acts i and k, numbered through all iterations, conflict in
 * two threads without a barrier between them. */
static bool has_conflict(const struct drill_loop *l, int i, int k)
{
	int a = i % l->count, b = k % l->count;
	bool store = l->body[a].act == DRILL_STORE;
	bool same_warp;

	if (l->body[a].act > DRILL_LOAD || l->body[b].act > DRILL_LOAD ||
	    store == (l->body[b].act == DRILL_STORE))
		return false;
	if ((i / l->count + l->body[a].ahead) % l->buffers !=
	    (k / l->count + l->body[b].ahead) % l->buffers)
		return false;
	same_warp = l->body[store ? b : a].whose == DRILL_WARP;
	return l->body[store ? b : a].whose != DRILL_OWN &&
	       !waits_between(l, i, k, same_warp);
}

bool drill_race(const struct drill_loop *l, struct drill_race *race)
{
	for (int i = 0; i < TURNS * l->count; i++)
		for (int k = i + 1; k < TURNS * l->count; k++) {
			bool store = l->body[i % l->count].act == DRILL_STORE;

			if (!has_conflict(l, i, k))
				continue;
			*race = (struct drill_race){
				.store = (store ? i : k) % l->count,
				.load = (store ? k : i) % l->count,
				.store_turn = (store ? i : k) / l->count,
				.load_turn = (store ? k : i) / l->count };
			return true;
		}
	return false;
}

/* ---- loops ---- */

/* Returns the loop with an act inserted before position `at`. */
static struct drill_loop insert_act(struct drill_loop l, int at,
				    enum drill_act act)
{
	for (int i = l.count; i > at; i--)
		l.body[i] = l.body[i - 1];
	l.body[at].act = act;
	l.count++;
	return l;
}

/* Writes the index of the element that a thread stores or loads. */
static void write_barrier_index(char *buf, size_t size, int mask)
{
	if (mask)
		snprintf(buf, size, "threadIdx.x ^ %d", mask);
	else
		snprintf(buf, size, "threadIdx.x");
}

static void write_act(struct str *s, const struct drill_loop *l, int i)
{
	bool all = l->body[i].whose == DRILL_BLOCK && !l->body[i].mask;
	char buffer[32] = "", index[32];

	write_barrier_index(index, sizeof(index), l->body[i].mask);
	if (l->buffers > 1 && l->body[i].ahead)
		snprintf(buffer, sizeof(buffer), "[(t + %d) %% %d]",
			 l->body[i].ahead, l->buffers);
	else if (l->buffers > 1)
		snprintf(buffer, sizeof(buffer), "[t %% %d]", l->buffers);
	if (l->body[i].act == DRILL_STORE)
		str_addf(s, "    tile%s[%s] = next;\n", buffer, index);
	else if (l->body[i].act == DRILL_LOAD)
		str_addf(s, "    %ssum += tile%s[%s];\n", all ?
			 "for (int k = 0; k < blockDim.x; k++) " : "", buffer,
			 all ? "k" : index);
	else
		str_addf(s, "    %s;\n", l->body[i].act == DRILL_SYNCTHREADS ?
			 "__syncthreads()" : "__syncwarp()");
}

static bool is_wait_act(const struct drill_loop *l, int i)
{
	return i < l->count && l->body[i].act > DRILL_LOAD;
}

/* Writes the loop as code, with the line numbers of `shown`; additional lines
 * have a '+'. */
static char *write_loop(const struct drill_loop *l,
			const struct drill_loop *shown)
{
	struct str s = {0};
	int line = 2;

	str_add(&s, "1  for (int t = 0; t < n; t++) {\n");
	for (int i = 0; i < l->count; i++) {
		if (is_wait_act(l, i) && !is_wait_act(shown, line - 2))
			str_add(&s, "+");
		else
			str_addf(&s, "%d", line++);
		write_act(&s, l, i);
	}
	str_addf(&s, "%d  }", line);
	return str_take(&s);
}

/* The loop as it is shown, and the places where a barrier may be put; a
 * kernel's, or NULL. */
struct asked {
	struct drill_loop shown;
	int places[2];
	const struct kernel_loop *kernel;
};

/* Returns whether there is a barrier after the stores (or after the loads) of a
 * loop that stores and then loads. */
static bool has_wait_after(const struct drill_loop *l, bool loads)
{
	return loads ? l->body[l->count - 1].act == DRILL_SYNCTHREADS :
		       l->body[1].act == DRILL_SYNCTHREADS;
}

/* Writes the loop as write_loop() does, with the kernel's lines and their
 * numbers. */
static char *write_kernel(const struct asked *a, const struct drill_loop *l)
{
	const struct kernel_loop *k = a->kernel;
	struct str s = {0};

	for (int i = 0; i < k->count; i++) {
		str_addf(&s, "%s%-3d %s", i ? "\n" : "", k->lines[i].number,
			 k->lines[i].text);
		if ((i != k->store && i != k->load) ||
		    !has_wait_after(l, i == k->load))
			continue;
		if (has_wait_after(&a->shown, i == k->load))
			str_addf(&s, "\n%-3d ", k->barrier[i == k->load]);
		else
			str_add(&s, "\n+   ");
		str_add(&s, "    __syncthreads();");
	}
	return str_take(&s);
}

static char *write_asked(const struct asked *a, const struct drill_loop *l)
{
	return a->kernel ? write_kernel(a, l) : write_loop(l, &a->shown);
}

/* Returns the line of the store or load at this position of a loop with other
 * barriers. */
static int find_act_line(const struct asked *a, const struct drill_loop *l,
			 int at)
{
	int nth = 0, i = 0;

	if (a->kernel)
		return a->kernel->lines[l->body[at].act == DRILL_STORE ?
					a->kernel->store :
					a->kernel->load].number;
	for (int k = 0; k < at; k++)
		nth += l->body[k].act <= DRILL_LOAD;
	while (a->shown.body[i].act > DRILL_LOAD || nth--)
		i++;
	return i + 2;
}

static void race_words(char *buf, size_t size, const struct asked *a,
		       const struct drill_loop *l, const struct drill_race *r)
{
	bool stale = r->store_turn < r->load_turn ||
		     (r->store_turn == r->load_turn && r->store < r->load);

	snprintf(buf, size, stale ?
		 _("A value that a thread stores in turn %d (line %d) may not "
		   "be there yet when another thread loads it in turn %d (line "
		   "%d): neither waits for the other.") :
		 _("Nothing makes a thread's store in turn %d (line %d) wait "
		   "for other threads' loads in turn %d (line %d): it may "
		   "overwrite what they still need."), r->store_turn,
		 find_act_line(a, l, r->store), r->load_turn,
		 find_act_line(a, l, r->load));
}

/* ---- where is a barrier missing? ---- */

enum { FIX_NONE, FIX_FIRST, FIX_SECOND, FIX_BOTH, FIXES };

static const char *fix_text(char *buf, size_t size, const struct asked *a,
			    int fix)
{
	switch (fix) {
	case FIX_NONE:
		return _("nowhere");
	case FIX_BOTH:
		return _("in both places");
	default:
		snprintf(buf, size, _("after line %d"), !a->kernel ?
			 a->places[fix - 1] + 1 :
			 a->kernel->lines[fix == FIX_FIRST ? a->kernel->store :
					  a->kernel->load].number);
		return buf;
	}
}

static struct drill_loop add_barriers(const struct asked *a, int fix)
{
	struct drill_loop l = a->shown;

	if (fix & FIX_SECOND)
		l = insert_act(l, a->places[1], DRILL_SYNCTHREADS);
	if (fix & FIX_FIRST)
		l = insert_act(l, a->places[0], DRILL_SYNCTHREADS);
	return l;
}

/* Returns the fewest barriers that leave no race; -1: there are several
 * solutions, or none. */
static int find_needed_fix(const struct asked *a)
{
	bool sound[FIXES];

	for (int fix = 0; fix < FIXES; fix++) {
		struct drill_loop l = add_barriers(a, fix);
		struct drill_race race;

		sound[fix] = !drill_race(&l, &race);
	}
	if (sound[FIX_NONE])
		return FIX_NONE;
	if (sound[FIX_FIRST] || sound[FIX_SECOND])
		return sound[FIX_FIRST] && sound[FIX_SECOND] ? -1 :
		       sound[FIX_FIRST] ? FIX_FIRST : FIX_SECOND;
	return sound[FIX_BOTH] ? FIX_BOTH : -1;
}

static void add_right_fix(struct drill_question *q, const struct asked *a,
			  int right)
{
	struct drill_race race;
	char place[64], why[400];
	const char *text = fix_text(place, sizeof(place), a, right);

	q->loops[q->choice_count] = add_barriers(a, right);
	if (!drill_race(&a->shown, &race)) {
		drill_right(q, text, _("Between each store and each load of "
				       "the same element by another thread "
				       "there is a barrier, or there is no "
				       "such pair."));
		return;
	}
	race_words(why, sizeof(why), a, &a->shown, &race);
	drill_right(q, text, _("%s With a barrier %s, no race is left."), why,
		    text);
}

static void add_wrong_fix(struct drill_question *q, const struct asked *a,
			  int fix, int right)
{
	struct drill_loop l = add_barriers(a, fix);
	struct drill_race race;
	char place[64], enough[64], why[400];
	const char *text = fix_text(place, sizeof(place), a, fix);

	q->loops[q->choice_count] = l;
	if (drill_race(&l, &race)) {
		race_words(why, sizeof(why), a, &l, &race);
		if (fix)
			drill_wrong(q, text, _("With a barrier %s, a race is "
					       "left. %s"), text, why);
		else
			drill_wrong(q, text, "%s", why);
	} else if (right) {
		drill_wrong(q, text, _("No race is left, but one barrier, %s, "
				       "is enough: the other makes threads "
				       "wait for nothing."),
			    fix_text(enough, sizeof(enough), a, right));
	} else if (fix == FIX_BOTH) {
		drill_wrong(q, text, _("No race is left, but there is none "
				       "without these two barriers, either: "
				       "they make threads wait for nothing."));
	} else {
		drill_wrong(q, text, _("No race is left, but there is none "
				       "without a barrier %s, either: it makes "
				       "threads wait for nothing."), text);
	}
}

static void ask_where(struct drill_question *q, const struct asked *a,
		      int right)
{
	q->code = write_asked(a, &a->shown);
	q->words = xstrdup(a->kernel ?
		_("This is a kernel's loop over tiles; only lines that touch "
		  "shared memory, repeat such lines or wait are shown. Where "
		  "is a __syncthreads() missing?") : a->shown.body[0].ahead ?
		_("All 128 threads of the block run this loop; tile[0] was "
		  "filled before it. Where is a __syncthreads() missing?") :
		_("All 128 threads of the block run this loop. Where is a "
		  "__syncthreads() missing?"));
	if (right) {
		struct drill_loop l = add_barriers(a, right);

		q->mended = write_asked(a, &l);
	}
	add_right_fix(q, a, right);
	for (int fix = 0; fix < FIXES; fix++)
		if (fix != right)
			add_wrong_fix(q, a, fix, right);
}

/* Makes a question on a loop that stores to and loads from some buffers, with
 * the barriers in `there`: bit 0 after the store, bit 1 after the load. Returns
 * false if it has no single answer. */
static bool ask_barriers(struct drill_question *q, struct asked *a,
			 uint32_t there)
{
	int right;

	a->shown.count = 2;
	a->shown.body[0].act = DRILL_STORE;
	a->shown.body[1].act = DRILL_LOAD;
	a->shown.body[1].whose = DRILL_BLOCK;
	if (there & 2)
		a->shown = insert_act(a->shown, 2, DRILL_SYNCTHREADS);
	if (there & 1)
		a->shown = insert_act(a->shown, 1, DRILL_SYNCTHREADS);
	a->places[0] = 1 + (there & 1);
	a->places[1] = a->shown.count;
	right = find_needed_fix(a);
	if (right < 0)
		return false;
	ask_where(q, a, right);
	return true;
}

/* Makes a question on one buffer, or on several, with some of its barriers. */
static bool ask_loop(struct drill_question *q, struct drill_random *r)
{
	static const int masks[] = { 0, 32, 64, 96 };
	struct asked a = { .shown.buffers = q->level < 3 ? 1 :
					    drill_from(r, 2, 3) };
	bool ahead = a.shown.buffers > 1 && drill_below(r, 2);

	a.shown.body[0].ahead = ahead;
	a.shown.body[1].mask = drill_of(r, masks);
	return ask_barriers(q, &a, drill_below(r, 4));
}

/* Makes a question on a kernel of the ladder or of the museum, with some of its
 * barriers. */
static bool ask_kernel(struct drill_question *q, struct drill_random *r)
{
	struct kernel_loop loop;
	struct asked a = { .shown.buffers = 1, .kernel = &loop };
	const struct kernel *k = &kernels[drill_below(r, (uint32_t)
						      kernel_count)];
	uint32_t there = drill_below(r, 4);
	bool asked;

	if (!kernel_loop_read(&loop, k))
		return false;
	there &= (loop.barrier[0] ? 1u : 0) | (loop.barrier[1] ? 2u : 0);
	asked = ask_barriers(q, &a, there);
	kernel_loop_done(&loop);
	return asked;
}

/* ---- which barrier is enough? ---- */

enum { WAIT_NONE, WAIT_WARP, WAIT_BLOCK, WAITS };
static const char *const waits[WAITS] = { N_("nothing"), "__syncwarp()",
					  "__syncthreads()" };

static struct drill_loop make_waiting_loop(const struct drill_loop *l, int wait)
{
	static const enum drill_act acts[] = { 0, DRILL_SYNCWARP,
					       DRILL_SYNCTHREADS };

	return wait ? insert_act(insert_act(*l, 2, acts[wait]), 1, acts[wait]) :
		      *l;
}

/* Draws a loop of one store and one load. The masks of their indices differ by
 * the distance between the thread that stores an element and the one that loads
 * it. */
static void draw_least_loop(struct drill_loop *l, struct drill_random *r)
{
	static const int warp[] = { 1, 2, 4, 8, 16 }, block[] = { 32, 64 };
	static const int stores[] = { 0, 0, 0, 1, 2, 4, 8, 16, 32, 64 };
	enum drill_whose whose = drill_below(r, 3);
	int mask = drill_of(r, stores);

	*l = (struct drill_loop){ .buffers = 1, .count = 2 };
	l->body[0].act = DRILL_STORE;
	l->body[0].mask = mask;
	l->body[1].act = DRILL_LOAD;
	l->body[1].whose = whose;
	if (whose == DRILL_OWN)
		l->body[1].mask = mask;
	else if (whose == DRILL_WARP)
		l->body[1].mask = mask ^ drill_of(r, warp);
	else if (drill_below(r, 4))
		l->body[1].mask = mask ^ drill_of(r, block);
}

static void add_right_wait(struct drill_question *q, int right, int distance)
{
	if (right == WAIT_NONE)
		drill_right(q, _(waits[right]),
			    _("Each thread loads only what it stored itself."));
	else if (right == WAIT_WARP)
		drill_right(q, _(waits[right]),
			    _("Each element was stored by thread "
			      "threadIdx.x ^ %d, a lane of the same warp: its "
			      "lanes must wait for each other, and no others."),
			    distance);
	else if (distance)
		drill_right(q, _(waits[right]),
			    _("Each element was stored by thread "
			      "threadIdx.x ^ %d, which is in another warp."),
			    distance);
	else
		drill_right(q, _(waits[right]),
			    _("Each thread loads the elements of all others, "
			      "in whatever warp they are."));
}

/* Adds a wrong answer: the loop with it has this race, or none (NULL). */
static void add_wrong_wait(struct drill_question *q, const struct asked *a,
			   int wait, int right, const struct drill_race *race)
{
	char why[400];

	if (wait == WAIT_NONE) {
		race_words(why, sizeof(why), a, &a->shown, race);
		drill_wrong(q, _(waits[wait]), "%s", why);
	} else if (race) {
		drill_wrong(q, _(waits[wait]),
			    _("__syncwarp() makes the lanes of one warp wait "
			      "for each other. Here a thread loads what "
			      "another warp stored."));
	} else if (wait == WAIT_WARP) {
		drill_wrong(q, _(waits[wait]),
			    _("It is enough, but no lane loads what another "
			      "lane stored: none needs to wait."));
	} else if (right == WAIT_NONE) {
		drill_wrong(q, _(waits[wait]),
			    _("It is enough, but no thread loads what another "
			      "thread stored: all warps of the block would "
			      "wait without a reason."));
	} else {
		drill_wrong(q, _(waits[wait]),
			    _("It is enough, but no warp loads what another "
			      "warp stored: they would wait for each other "
			      "without a reason."));
	}
}

static void ask_least(struct drill_question *q, struct drill_random *r)
{
	struct asked a = {0};
	struct drill_race race;
	struct drill_loop loop;
	int right = 0, load;

	draw_least_loop(&a.shown, r);
	load = a.shown.body[1].mask;
	loop = a.shown;
	while (drill_race(&loop, &race))
		loop = make_waiting_loop(&a.shown, ++right);
	q->code = write_loop(&a.shown, &a.shown);
	if (right)
		q->mended = write_loop(&loop, &a.shown);
	q->words = xstrdup(_("All 128 threads of the block run this loop. What "
			     "is the least that must follow lines 2 and 3?"));
	q->loops[0] = loop;
	add_right_wait(q, right, load ? load ^ a.shown.body[0].mask : 0);
	for (int i = 0; i < WAITS; i++) {
		struct drill_loop l = make_waiting_loop(&a.shown, i);
		bool races = drill_race(&l, &race);

		q->loops[q->choice_count] = l;
		if (i != right)
			add_wrong_wait(q, &a, i, right, races ? &race : NULL);
	}
}

/* ---- copies in groups ---- */

static void write_copies(struct drill_question *q, int each)
{
	struct str s = {0};

	for (int i = 0; i < q->committed; i++) {
		for (int k = 0; k < each; k++)
			str_addf(&s, "cp.async(tile %d, part %d);  ", i, k);
		str_add(&s, "cp.async.commit_group;\n");
	}
	str_addf(&s, "cp.async.wait_group %d;", q->pending);
	q->code = str_take(&s);
}

/* Makes a question on wait_group N, which returns when at most N of the
 * thread's latest groups are pending (PTX ISA, cp.async.wait_group). */
static void ask_groups(struct drill_question *q, struct drill_random *r)
{
	int sure, each = drill_from(r, 1, 2);

	q->committed = drill_from(r, 2, 5);
	q->pending = drill_from(r, 0, q->committed);
	sure = MAX(0, q->committed - q->pending);
	write_copies(q, each);
	q->words = xstrdup(_("How many of the tiles are sure to have arrived "
			     "after the last line?"));
	drill_right(q, drill_number(sure),
		    _("%d groups were committed, and at most the latest %d of "
		      "them may still be on their way. The number of older "
		      "groups, which have arrived for sure, is %d."),
		      q->committed, q->pending,
		    sure);
	drill_wrong(q, drill_number(q->pending),
		    _("wait_group N does not wait for N groups: it waits until "
		      "at most N are left."));
	drill_wrong(q, drill_number(q->committed),
		    _("It waits for all of them only with 0."));
	drill_wrong(q, drill_number(MAX(0, q->committed * each - q->pending)),
		    _("It counts groups, not copies."));
	drill_wrong(q, drill_number(0), _("Groups arrive in the order in which "
		    "they were committed, and the wait is for the oldest."));
	if (drill_wants_more(q))
		drill_wrong(q, drill_number(1),
			    _("It is not one group at a time."));
}

static bool draw(struct drill_question *q, struct drill_random *r)
{
	q->about = DRILL_CODE;
	if (q->level == 2)
		ask_least(q, r);
	else if (q->level == 4)
		ask_groups(q, r);
	else if (q->level == 1 && drill_below(r, KERNELS))
		return ask_kernel(q, r);
	else
		return ask_loop(q, r);
	return true;
}

const struct drill_topic drill_barriers = {
	.name = "barriers",
	.title = N_("Barriers and waits"),
	.levels = {
		N_("one buffer: where is a barrier missing?"),
		N_("which barrier is enough?"),
		N_("two or three buffers"),
		N_("copies that are waited for in groups"),
	},
	.draw = draw,
};
