/* drill_wavefronts: questions on how many wavefronts a request to shared memory
 * takes. */
#include <string.h>

#include "base/lang.h"
#include "drill/drill_access.h"

/* The code, as it is written and as one index. */
struct form { char row[48], col[48]; int stride; };

static void form_line(struct form *f, struct drill_random *r)
{
	static const int strides[] = { 1, 2, 3, 4, 5, 6, 8, 12, 16, 17, 24, 32,
				       33, 64 };

	f->stride = drill_below(r, 2) ? drill_of(r, strides) :
					drill_from(r, 2, 40);
	if (!drill_below(r, 8))
		snprintf(f->col, sizeof(f->col), "%d", drill_from(r, 0, 63));
	else if (f->stride == 1)
		snprintf(f->col, sizeof(f->col), "lane");
	else
		snprintf(f->col, sizeof(f->col), "lane * %d", f->stride);
}

static void form_rows(struct form *f, struct drill_random *r)
{
	int at = drill_from(r, 0, 7), group = 4 << drill_below(r, 3);

	switch (drill_below(r, 4)) {
	case 0:
		snprintf(f->row, sizeof(f->row), "lane");
		snprintf(f->col, sizeof(f->col), "%d", at);
		break;
	case 1:
		snprintf(f->row, sizeof(f->row), "lane / %d", group);
		snprintf(f->col, sizeof(f->col), "%d", at);
		break;
	case 2:
		snprintf(f->row, sizeof(f->row), "lane / %d", group);
		snprintf(f->col, sizeof(f->col), "lane %% %d", group);
		break;
	default:
		snprintf(f->row, sizeof(f->row), "lane %% %d", group);
		snprintf(f->col, sizeof(f->col), "lane / %d", group);
	}
}

static void form_wide(struct form *f, struct drill_random *r)
{
	int at = drill_from(r, 1, 7);

	f->stride = drill_from(r, 1, 8);
	if (f->stride == 1)
		snprintf(f->col, sizeof(f->col), "lane + %d", at);
	else if (drill_below(r, 3))
		snprintf(f->col, sizeof(f->col), "lane * %d + %d", f->stride,
			 at);
	else
		snprintf(f->col, sizeof(f->col), "lane / %d",
			 1 << drill_from(r, 1, 4));
	f->stride = strchr(f->col, '/') ? 0 : f->stride;
}

static void form_swizzled(struct form *f, struct drill_random *r)
{
	int group = 2 << drill_below(r, 3);

	snprintf(f->row, sizeof(f->row), drill_below(r, 2) ?
		 "lane / %d" : "lane %% %d", group);
	if (drill_below(r, 2))
		snprintf(f->col, sizeof(f->col), "lane %% %d ^ lane / %d %% %d",
			 group, group, group);
	else
		snprintf(f->col, sizeof(f->col), "lane %% %d",
			 2 << drill_below(r, 3));
}

/* Counts the most lanes that access one bank, the most different words in one
 * bank if all lanes were served at once, and the banks that are accessed. */
static void count_worst_bank(const struct access *a, int *lanes, int *words,
			     int *banks)
{
	struct access_word w[4 * WARP_LANES];
	int passes, by_lanes[BANKS] = {0}, by_words[BANKS] = {0};
	size_t n = access_words(a, w, &passes);

	*lanes = *words = *banks = 0;
	for (size_t i = 0; i < n; i++) {
		bool before = false;

		for (size_t k = 0; k < i; k++)
			before |= w[k].word == w[i].word;
		*banks += !by_lanes[w[i].bank];
		by_lanes[w[i].bank] += __builtin_popcount(w[i].lanes);
		by_words[w[i].bank] += !before;
		*lanes = MAX(*lanes, by_lanes[w[i].bank]);
		*words = MAX(*words, by_words[w[i].bank]);
	}
}

/* Adds the right answer, with the bank that decides, its lanes, and the number
 * of words in each pass. */
static void add_right_wavefronts(struct drill_question *q,
				 const struct access_cost *cost)
{
	struct access_word w[4 * WARP_LANES];
	int passes, worst[8] = {0}, count[8][BANKS] = {{0}}, bank = 0;
	size_t n = access_words(&q->access, w, &passes);
	uint32_t by = 0;
	char lanes[160], words[64] = "";

	for (size_t i = 0; i < n; i++) {
		int c = ++count[w[i].pass][w[i].bank];

		worst[w[i].pass] = MAX(worst[w[i].pass], c);
	}
	while (count[0][bank] < worst[0])
		bank++;
	for (size_t i = 0; i < n; i++)
		if (!w[i].pass && w[i].bank == bank)
			by |= w[i].lanes;
	if (by == UINT32_MAX)
		snprintf(lanes, sizeof(lanes), "0\xe2\x80\x93" "31");
	else
		drill_lanes(lanes, sizeof(lanes), by);
	for (int p = 0; p < passes; p++)
		snprintf(words + strlen(words), sizeof(words) - strlen(words),
			 "%s%d", p ? " + " : "", worst[p]);
	if (passes == 1 && worst[0] == 1)
		drill_right(q, drill_number(cost->wavefronts),
			    _("A wavefront serves one word of each bank. No "
			      "bank is asked for two different words; lanes "
			      "that want the same one share it."));
	else if (passes == 1)
		drill_right(q, drill_number(cost->wavefronts),
			    _("A wavefront serves one word of each bank. Bank "
			      "%d is asked for the most different words: %d, "
			      "by lanes %s."), bank, worst[0], lanes);
	else
		drill_right(q, drill_number(cost->wavefronts),
			    _("Accesses of %u bytes are served in passes. "
			      "Adding the numbers of different words in the "
			      "worst bank of each pass, %s, gives %d."),
			    q->access.bytes, words, cost->wavefronts);
}

static void add_wrong_wavefronts(struct drill_question *q,
				 const struct access_cost *cost, int stride)
{
	int lanes, words, banks;

	count_worst_bank(&q->access, &lanes, &words, &banks);
	if (lanes > words)
		drill_wrong(q, drill_number(lanes), _("That is the number of "
						      "lanes that share a "
						      "bank. Lanes that want "
						      "the same word are "
						      "served together."));
	drill_wrong(q, drill_number(words), _("That would be so if all lanes "
		    "were served in one pass. Accesses of %u bytes are not."),
		    q->access.bytes);
	drill_wrong(q, drill_number(cost->ideal_wavefronts),
		    _("That would be so without conflicts. Here some bank is "
		      "asked for several words at once."));
	if (stride)
		drill_wrong(q, drill_number(stride),
			    _("The stride is %d, but it is what it has in "
			      "common with the 32 banks that counts."), stride);
	drill_wrong(q, drill_number(banks), _("That is the number of banks "
		    "that are accessed. What counts is how many different "
		    "words one of them is asked for."));
	drill_wrong(q, drill_number((cost->wavefronts + 1) / 2),
		    _("That would be so if a bank served two words in a "
		      "wavefront. It serves one, of 4 bytes."));
	drill_wrong(q, drill_number(1), _("Shared memory serves a whole warp at "
		    "once only if no bank is asked for two different words."));
	drill_wrong(q, drill_number(WARP_LANES), _("One after the other they go "
		    "only if all 32 want different words of one bank."));
	if (drill_wants_more(q))
		drill_wrong(q, drill_number(2 * cost->wavefronts),
			    _("That is twice the right number: the banks work "
			      "in parallel, and the worst one decides."));
}

static void write_code(struct drill_question *q, const struct form *f,
		       enum op op, uint32_t bytes)
{
	const char *type = drill_type(bytes);
	struct str code = {0};
	char place[120];

	if (q->pitch) {
		snprintf(q->index, sizeof(q->index), "(%s) * %d + (%s)", f->row,
			 q->pitch, f->col);
		snprintf(place, sizeof(place), "As[%s][%s]", f->row, f->col);
	} else {
		snprintf(q->index, sizeof(q->index), "%s", f->col);
		snprintf(place, sizeof(place), "As[%s]", f->col);
	}
	if (q->pitch)
		str_addf(&code, "__shared__ %s As[%d][%d];\n", type, q->rows,
			 q->pitch);
	if (op == OP_ST)
		str_addf(&code, "%s = v;", place);
	else
		str_addf(&code, "%s v = %s;", type, place);
	q->code = str_take(&code);
}

static bool draw(struct drill_question *q, struct drill_random *r)
{
	static void (*const forms[DRILL_LEVELS])(struct form *,
						 struct drill_random *) = {
		form_line, form_rows, form_wide, form_swizzled,
	};
	static const int pitches[] = { 16, 17, 20, 24, 32, 33, 36, 40, 48,
				       64, 65 };
	static const int narrow[] = { 8, 9, 10, 12, 16, 17 };
	static const uint32_t wide[] = { 2, 8, 16 };
	uint32_t bytes = q->level > 2 ? drill_of(r, wide) : 4;
	enum op op = q->level == 4 && drill_below(r, 2) ? OP_ST : OP_LD;
	struct form f = { .row = "" };
	struct access_cost cost;

	forms[q->level - 1](&f, r);
	if (f.row[0]) {
		q->pitch = q->level == 4 ? drill_of(r, narrow) :
					   drill_of(r, pitches);
		q->rows = WARP_LANES;
	}
	write_code(q, &f, op, bytes);
	drill_request(q, ACCESS_SHARED, op, bytes, WARP_LANES, &cost);
	q->words = xstrdup(_("How many wavefronts does a warp's request "
			     "take?"));
	add_right_wavefronts(q, &cost);
	add_wrong_wavefronts(q, &cost, f.stride);
	return true;
}

const struct drill_topic drill_wavefronts = {
	.name = "wavefronts",
	.title = N_("Banks of shared memory"),
	.levels = {
		N_("floats in a line, at some stride"),
		N_("rows and columns of a tile, padded or not"),
		N_("half, float2 and float4"),
		N_("stores, and what a swizzle does"),
	},
	.draw = draw,
};
