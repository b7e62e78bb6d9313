/* Questions from the model: of each topic 1000 seeds. The right answer is what
 * the model says when it is asked once more, or what counting gives. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/lang.h"
#include "drill/drill.h"
#include "drill/kernel_loop.h"
#include "tap.h"

#define SEEDS 1000
#define QUIZ 150	/* a learner's evening */
#define LEAST_DISTINCT 25	/* of these */

static const char *right_text(const struct drill_question *q)
{
	return q->choices[q->right].text;
}

/* Counts the aligned pieces of so many bytes that a request touches, byte by
 * byte. */
static int count_pieces(const struct access *a, uint32_t bytes)
{
	static bool seen[1 << 16];
	int n = 0;

	memset(seen, 0, sizeof(seen));
	for (int lane = 0; lane < WARP_LANES; lane++)
		for (uint32_t b = 0; a->mask >> lane & 1 && b < a->bytes; b++)
			seen[(a->address[lane] + b) / bytes] = true;
	for (size_t i = 0; i < LENGTH(seen); i++)
		n += seen[i];
	return n;
}

/* Of 4-byte accesses, whose lanes are served together. */
static int count_wavefronts(const struct access *a)
{
	int most = 0;

	for (uint64_t bank = 0; bank < 32; bank++) {
		uint64_t words[32];
		int n = 0;

		for (int lane = 0; lane < WARP_LANES; lane++) {
			uint64_t word = a->address[lane] / 4;
			bool new = word % 32 == bank;

			for (int i = 0; i < n; i++)
				new &= words[i] != word;
			if (new)
				words[n++] = word;
		}
		most = MAX(most, n);
	}
	return most;
}

/* The lanes that the reply names are those that want something in its bank;
 * nothing to look at is right, too. */
static bool bank_right(const struct drill_question *q)
{
	char said[256], want[256] = "", *at = want;
	uint64_t bank;

	if (sscanf(q->choices[q->right].why,
		   "A wavefront serves one word of each bank. Bank %" SCNu64
		   " is asked for the most different words: %*d, by lanes "
		   "%255[^.]", &bank, said) != 2)
		return true;
	for (int lane = 0; lane < WARP_LANES; lane++)
		if (q->access.address[lane] / 4 % 32 == bank)
			at += sprintf(at, "%s%d", *want ? ", " : "", lane);
	return !strcmp(said, want) || (!strcmp(said, "0–31") &&
				       strstr(want, "30, 31"));
}

/* Returns the number that a wrong answer's reply explains, counted anew, or -1
 * if the reply is none of these. */
static int explained_number(const struct access *a, const char *why)
{
	int lanes, bytes, want = __builtin_popcount(a->mask);
	unsigned long long first, last, low = UINT64_MAX, high = 0;

	for (int lane = 0; lane < WARP_LANES; lane++)
		if (a->mask >> lane & 1) {
			low = MIN(low, a->address[lane]);
			high = MAX(high, a->address[lane] + a->bytes - 1);
		}
	if (sscanf(why, "%d lanes times %d bytes, divided by 32", &lanes,
		   &bytes) == 2)
		return lanes == want && bytes == (int)a->bytes ?
		       (lanes * bytes + 31) / 32 : -2;
	if (!strncmp(why, "That is one for each lane", 25))
		return want;
	if (sscanf(why, "That counts all sectors from byte %llu to byte %llu",
		   &first, &last) == 2)
		return first == low && last == high ?
		       (int)(high / 32 - low / 32) + 1 : -2;
	if (sscanf(why, "That counts pieces of %d bytes", &bytes) == 1)
		return count_pieces(a, (uint32_t)bytes);
	if (!strncmp(why, "That counts all four sectors of each line", 41))
		return 4 * count_pieces(a, 128);
	if (!strncmp(why, "That is the number of lines", 27))
		return count_pieces(a, 128);
	return -1;
}

/* Checks that each wrong answer is the number that its reply explains. */
static bool replies_right(const struct drill_question *q)
{
	for (int i = 0; i < q->choice_count; i++) {
		int want = explained_number(&q->access, q->choices[i].why);

		if (i != q->right && want != -1 &&
		    want != atoi(q->choices[i].text))
			return false;
	}
	return true;
}

static bool access_right(const struct drill_question *q)
{
	struct access_cost cost;
	int n = atoi(right_text(q));

	if (access_cost(&q->access, &cost, NULL))
		return false;
	if (q->access.space == ACCESS_GLOBAL)
		return n == cost.sectors && n == count_pieces(&q->access, 32) &&
		       replies_right(q);
	return n == cost.wavefronts && bank_right(q) &&
	       (q->access.bytes != 4 || n == count_wavefronts(&q->access));
}

static bool fragment_right(const struct drill_question *q)
{
	struct fragment_place p = q->place;
	char text[64];

	if (q->by_place) {
		fragment_holder(&q->fragment, &p);
		snprintf(text, sizeof(text), "lane %d", p.lane);
	} else {
		fragment_element(&q->fragment, &p);
		snprintf(text, sizeof(text), "%c(%d, %d)",
			 q->fragment.operand, p.row, p.col);
	}
	return !strcmp(text, right_text(q));
}

/* No other answer names a lane that holds it, too. */
static bool one_holder(const struct drill_question *q)
{
	bool one = true;

	for (int i = 0; q->by_place && i < q->choice_count; i++)
		for (int e = 0; i != q->right && e < q->fragment.elements;
		     e++) {
			struct fragment_place p = { .element = e };

			p.lane = atoi(q->choices[i].text + 5);
			fragment_element(&q->fragment, &p);
			one &= p.row != q->place.row || p.col != q->place.col;
		}
	return one;
}

static bool occupancy_right(const struct drill_question *q)
{
	static const char *const words[] = {
		[OCCUPANCY_BLOCKS] = "block slots",
		[OCCUPANCY_WARPS] = "warp slots",
		[OCCUPANCY_REGISTERS] = "registers",
		[OCCUPANCY_SHARED] = "shared memory",
	};
	struct occupancy_arch arch;
	struct occupancy o;

	if (occupancy_arch_get(&arch, q->arch.name, 0, NULL))
		return false;
	occupancy_of(&arch, &q->launch, &o);
	if (!q->limiter)
		return atoi(right_text(q)) == o.active_blocks;
	for (int i = 0; i < OCCUPANCY_RESOURCES; i++)
		if (o.limits[i] != (words[i] &&
				    !strcmp(words[i], right_text(q))))
			return false;
	return true;
}

/* Threads between two barriers run as they like: two accesses are a race when
 * as many barriers are before each of them. */
static bool races(const struct drill_loop *l)
{
	struct { int buffer, whose, block, warp; bool store; } seen[64];
	int n = 0, block = 0, warp = 0;

	for (int turn = 0; turn < 8; turn++)
		for (int i = 0; i < l->count; i++) {
			block += l->body[i].act == DRILL_SYNCTHREADS;
			warp += l->body[i].act >= DRILL_SYNCTHREADS;
			if (l->body[i].act > DRILL_LOAD)
				continue;
			seen[n].buffer = (turn + l->body[i].ahead) % l->buffers;
			seen[n].whose = l->body[i].whose;
			seen[n].store = l->body[i].act == DRILL_STORE;
			seen[n].block = block;
			seen[n++].warp = warp;
		}
	for (int i = 0; i < n; i++)
		for (int k = 0; k < n; k++)
			if (seen[i].store && !seen[k].store &&
			    seen[i].buffer == seen[k].buffer &&
			    seen[i].block == seen[k].block &&
			    (seen[k].whose == DRILL_BLOCK ||
			     (seen[k].whose == DRILL_WARP &&
			      seen[i].warp == seen[k].warp)))
				return true;
	return false;
}

/* The right answer leaves no race; a wrong one leaves one, or waits more. */
static bool loops_right(const struct drill_question *q)
{
	for (int i = 0; i < q->choice_count; i++) {
		const struct drill_loop *l = &q->loops[i];
		const struct drill_loop *right = &q->loops[q->right];
		bool whole = l->count > right->count;

		for (int k = 0; k < l->count; k++)
			whole |= l->count == right->count &&
				 l->body[k].act == DRILL_SYNCTHREADS &&
				 right->body[k].act == DRILL_SYNCWARP;
		if (i == q->right ? races(l) : !races(l) && !whole)
			return false;
	}
	return true;
}

/* Returns the barrier that a loop of one store and one load needs, from its
 * text: each thread's store and load are executed, and the readers of an
 * element compared with its writer. */
static const char *least_wait(const char *code)
{
	enum { THREADS = 128 };
	int store = 0, load = 0, writer[THREADS];
	const char *second = strstr(code, "sum +=");
	bool other_lane = false, other_warp = false;

	if (strstr(code, "tile[k]"))
		return "__syncthreads()";
	sscanf(strstr(code, "tile["), "tile[threadIdx.x ^ %d", &store);
	sscanf(strstr(second, "tile["), "tile[threadIdx.x ^ %d", &load);
	for (int i = 0; i < THREADS; i++)
		writer[i ^ store] = i;
	for (int i = 0; i < THREADS; i++) {
		other_lane |= writer[i ^ load] != i;
		other_warp |= writer[i ^ load] / 32 != i / 32;
	}
	return other_warp ? "__syncthreads()" : other_lane ? "__syncwarp()" :
							     "nothing";
}

static bool code_right(const struct drill_question *q)
{
	int arrived = 0;

	if (!strcmp(q->topic->name, "barriers") && q->level == 2 &&
	    strcmp(right_text(q), least_wait(q->code)) != 0)
		return false;
	if (!q->committed)
		return loops_right(q);
	for (int left = q->committed; left > q->pending; left--)
		arrived++;
	return atoi(right_text(q)) == arrived;
}

static bool is_right(const struct drill_question *q)
{
	switch (q->about) {
	case DRILL_ACCESS:
		return access_right(q);
	case DRILL_FRAGMENT:
		return fragment_right(q) && one_holder(q);
	case DRILL_OCCUPANCY:
		return occupancy_right(q);
	default:
		return code_right(q);
	}
}

static bool same(const struct drill_question *a, const struct drill_question *b)
{
	bool same = !strcmp(a->words, b->words) && a->right == b->right &&
		    a->choice_count == b->choice_count &&
		    !strcmp(a->code ? a->code : "", b->code ? b->code : "");

	for (int i = 0; same && i < a->choice_count; i++)
		same = !strcmp(a->choices[i].text, b->choices[i].text) &&
		       !strcmp(a->choices[i].why, b->choices[i].why);
	return same;
}

/* Three or four answers, all different, each with a reply of its own. */
static bool answers_differ(const struct drill_question *q)
{
	if (q->choice_count < 3 ||
	    q->choice_count > DRILL_CHOICES || q->right >= q->choice_count)
		return false;
	for (int i = 0; i < q->choice_count; i++) {
		if (!q->choices[i].text[0] || !*q->choices[i].why)
			return false;
		for (int k = 0; k < i; k++)
			if (!strcmp(q->choices[i].text, q->choices[k].text) ||
			    !strcmp(q->choices[i].why, q->choices[k].why))
				return false;
	}
	return true;
}

/* Returns how many of a quiz's questions differ in text, code or answer. */
static int count_distinct(const struct drill_topic *t, int level)
{
	char *seen[QUIZ];
	int n = 0;

	for (uint32_t i = 0; i < QUIZ; i++) {
		struct drill_question q;
		bool is_new = true;

		drill_make(&q, t, level, drill_seed(1, i));
		seen[n] = xasprintf("%s\n%s\n%s", q.words,
				    q.code ? q.code : "", right_text(&q));
		for (int k = 0; k < n && is_new; k++)
			is_new = strcmp(seen[k], seen[n]) != 0;
		if (is_new)
			n++;
		else
			free(seen[n]);
		drill_done(&q);
	}
	for (int i = 0; i < n; i++)
		free(seen[i]);
	return n;
}

/* The place of the right answer among the choices, which are sorted, must not
 * give it away: over all levels it is the last, and the first, often enough. */
static void test_ranks(const struct drill_topic *t)
{
	int first = 0, last = 0, all = DRILL_LEVELS * SEEDS;

	for (int i = 0; i < all; i++) {
		struct drill_question q;

		drill_make(&q, t, 1 + i % DRILL_LEVELS, (uint64_t)i);
		first += !q.right;
		last += q.right == q.choice_count - 1;
		drill_done(&q);
	}
	if (!tap_ok(last > all / 8 && last < all / 2,
		    "%s: the last choice is right in 1 of 2 to 8", t->name))
		printf("# %d of %d\n", last, all);
	if (!tap_ok(first > all / 8 && first < all / 2, "... the first, too"))
		printf("# %d of %d\n", first, all);
}

/* Two learners with seeds side by side get different quizzes. */
static void test_seeds(void)
{
	int shared = 0;

	for (uint32_t i = 0; i < QUIZ; i++)
		for (uint32_t k = 0; k < QUIZ; k++)
			shared += drill_seed(1, i) == drill_seed(2, k) ||
				  drill_seed(0, i) == drill_seed(7, k) ||
				  (i != k && drill_seed(1, i) ==
					     drill_seed(1, k));
	tap_is(shared, 0, "quizzes of different seeds share no question");
}

static void test_topic(const struct drill_topic *t, int level)
{
	int wrong = 0, alike = 0, other = 0, kinds[DRILL_CHOICES] = {0};

	for (uint64_t seed = 0; seed < SEEDS; seed++) {
		struct drill_question q, again;

		drill_make(&q, t, level, seed);
		drill_make(&again, t, level, seed);
		if (!is_right(&q) && !wrong++)
			printf("# seed %d: %s\n%s\n%s\n", (int)seed, q.words,
			     q.code ? q.code : "", right_text(&q));
		alike += !answers_differ(&q);
		other += !same(&q, &again);
		kinds[q.right]++;
		drill_done(&q);
		drill_done(&again);
	}
	tap_ok(!wrong, "%s, level %d: the answers are the model's", t->name,
	   level);
	tap_ok(!alike, "... three or four, which differ, as do their replies");
	tap_ok(!other, "... the same for the same seed");
	tap_ok(kinds[0] < SEEDS * 4 / 5 && kinds[1] < SEEDS * 4 / 5 &&
	   kinds[2] < SEEDS * 4 / 5, "... and not always in one place");
	other = count_distinct(t, level);
	if (!tap_ok(other >= LEAST_DISTINCT, "... many different ones"))
		printf("# %d of %d\n", other, QUIZ);
}

static void test_traces(void)
{
	int bad = 0;

	for (uint64_t seed = 0; seed < 200; seed++) {
		struct drill_question q;
		struct trace_request r;
		struct access a;
		struct trace *t;
		struct error e;

		drill_make(&q, drill_topics[seed % 2], 1 + (int)seed / 2 % 4,
			   seed);
		t = drill_trace(&q, &e);
		if (!t) {
			printf("# %s\n", e.text);
			bad++;
		} else {
			struct access_cost cost;

			bad += trace_get(t, 0, 0, &r, &e) ||
			       !access_of(trace_info(t), &r, &a) ||
			       access_cost(&a, &cost, &e) ||
			       atoi(right_text(&q)) != (seed % 2 ?
					cost.wavefronts : cost.sectors);
			trace_close(t);
		}
		drill_done(&q);
	}
	tap_ok(!bad, "a request's trace costs what the answer says");
}

static void test_kernel_loops(void)
{
	static const struct { const char *name; bool barrier[2]; } is[] = {
		{ "tiled", { true, true } },
		{ "bug_first_barrier", { false, true } },
		{ "bug_second_barrier", { true, false } },
	};
	struct kernel_loop l;

	for (size_t i = 0; i < LENGTH(is); i++) {
		if (!tap_ok(kernel_loop_read(&l, kernel_find(is[i].name)),
			    "%s has a loop to ask of", is[i].name))
			continue;
		tap_ok(strstr(l.lines[l.store].text, "Bs[ty][tx] =") &&
		       strstr(l.lines[l.load].text, "sum +=") &&
		       !l.barrier[0] == !is[i].barrier[0] &&
		       !l.barrier[1] == !is[i].barrier[1],
		       "... with these barriers");
		tap_ok(!strncmp(l.lines[0].text, "for (int t", 10),
		       "... as far to the left as it goes");
		kernel_loop_done(&l);
	}
	tap_ok(!kernel_loop_read(&l, kernel_find("naive")) &&
	       !kernel_loop_read(&l, kernel_find("double_buffered")),
	       "others have none");
}

/* A loop as those of the table begin, with this body. */
static bool loop_of(struct kernel_loop *l, const char *body)
{
	struct paths *p = (struct paths *)(uintptr_t)paths();
	char *were = p->kernels;
	char dir[] = "drill_test.XXXXXX", *file, *text;
	struct error e;
	bool found;

	if (!mkdtemp(dir))
		fatal("no folder");
	file = xasprintf("%s/own.cu", dir);
	text = xasprintf("    __shared__ float As[4];\n"
			 "    for (int t = 0; t < n; t++) {\n%s    }\n", body);
	if (file_write(file, text, &e))
		fatal("%s", e.text);
	p->kernels = dir;
	found = kernel_loop_read(l, &(struct kernel){ .name = "own" });
	p->kernels = were;
	unlink(file);
	rmdir(dir);
	free(text);
	free(file);
	return found;
}

static void test_own_loops(void)
{
	struct kernel_loop l;

	if (tap_ok(loop_of(&l, "        As[x] = A[t];\n"
			       "        int As = 3;\n"
			       "        __syncthreads();\n"
			       "        sum += As[y];\n"
			       "        __syncthreads();\n"),
		   "a loop of a text"))
		tap_ok(l.count == 4 && l.lines[1].number == 3 &&
		       l.lines[2].number == 6 && l.barrier[0] == 5 &&
		       l.barrier[1] == 7,
		       "its lines are those with an element of the array");
	kernel_loop_done(&l);
	tap_ok(!loop_of(&l, "        As[x] = A[t];\n"
			    "        __syncthreads();\n"
			    "        __syncthreads();\n"
			    "        sum += As[y];\n"
			    "        __syncthreads();\n"),
	       "one with two barriers at once is of another kind");
}

static void test_score(void)
{
	struct drill_score s = { .level = 1 };

	for (int i = 0; i < DRILL_UP; i++)
		drill_score(&s, true);
	tap_ok(s.level == 2 && !s.streak, "right answers in a row lead up");
	drill_score(&s, false);
	drill_score(&s, true);
	drill_score(&s, false);
	tap_ok(s.level == 2, "a wrong one now and then changes nothing");
	drill_score(&s, false);
	tap_ok(s.level == 1, "wrong ones in a row lead down");
	drill_score(&s, false);
	drill_score(&s, false);
	tap_ok(s.level == 1 && s.asked == 9 && s.right == 4,
	   "but not below the first level");
	for (int i = 0; i < 40; i++)
		drill_score(&s, true);
	tap_ok(s.level == DRILL_LEVELS, "nor above the last");
}

int main(void)
{
	lang_init("en");
	for (size_t i = 0; i < drill_topic_count; i++) {
		for (int level = 1; level <= DRILL_LEVELS; level++)
			test_topic(drill_topics[i], level);
		test_ranks(drill_topics[i]);
	}
	test_seeds();
	test_traces();
	test_kernel_loops();
	test_own_loops();
	test_score();
	tap_ok(drill_topic_find("sectors") && !drill_topic_find("sector"),
	   "topics are found by their names");
	tap_ok(drill_seed(7, 0) != drill_seed(7, 1) &&
	   drill_seed(7, 1) == drill_seed(7, 1),
	   "a quiz has seeds of its own");
	return tap_done();
}
