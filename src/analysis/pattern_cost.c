/* pattern_cost: the cost of a request as a sentence, and further sentences on
 * it. See pattern_words.h. */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/lang.h"
#include "analysis/pattern_words.h"

/* ---- what it costs ---- */

/* Returns the bytes used in each sector, 0 if that varies; sets *total to the
 * sum. */
static int sector_use(const struct access *a, int *total)
{
	struct access_sector s[2 * WARP_LANES];
	size_t count = access_sectors(a, s);
	int use = 0;

	*total = 0;
	for (size_t i = 0; i < count; i++) {
		int bytes = __builtin_popcount(s[i].bytes);

		use = i && use != bytes ? 0 : bytes;
		*total += bytes;
	}
	return use;
}

static void say_sectors(struct str *out, const struct access_cost *cost,
			int use, int total)
{
	struct sentence_part bytes = words_bytes(total);
	struct sentence_part in = words_sectors(cost->sectors);
	struct sentence_part ideal = words_number(cost->ideal_sectors);

	if (use == SECTOR_BYTES)
		str_addf(out, _("%1$s in %2$s, nothing wasted"), bytes.text,
			 in.text);
	else if (cost->sectors == cost->ideal_sectors)
		str_addf(out, _("%1$s in %2$s, the fewest possible"),
			 bytes.text, in.text);
	else if (use)
		str_addf(out, _("%1$s in %2$s where %3$s would do, each used "
				"for only %4$s of its 32 bytes"), bytes.text,
			 in.text, ideal.text, words_number(use).text);
	else
		str_addf(out, _("%1$s in %2$s where %3$s would do"),
			 bytes.text, in.text, ideal.text);
}

/* A store by many lanes to few addresses. */
static void say_overwritten(struct str *out, int count,
			    struct sentence_part cost)
{
	str_addf(out, ngettext("%1$s, %2$s, and only one lane's value is kept",
			       "%1$s, %2$s, and at each address only one "
			       "lane's value is kept", (unsigned long)count),
		 words_addresses(count).text, cost.text);
}

static void say_global_cost(struct str *out, const struct access *a,
			    const struct access_cost *cost,
			    const struct pattern *p)
{
	int total, use = sector_use(a, &total);

	if (p->lanes == 1)
		str_addf(out, _("%1$s in %2$s"), words_bytes(total).text,
			 words_sectors(cost->sectors).text);
	else if (p->kind != PATTERN_BROADCAST)
		say_sectors(out, cost, use, total);
	else if (a->op == OP_LD)
		str_addf(out, _("%1$s, %2$s, a broadcast"),
			 words_addresses(p->addresses).text,
			 words_sectors(cost->sectors).text);
	else
		say_overwritten(out, p->addresses,
				words_sectors(cost->sectors));
}

/* Returns whether some lanes of a wavefront access the same word. */
static bool shares_words(const struct access *a)
{
	struct access_word w[4 * WARP_LANES];
	int passes;
	size_t count = access_words(a, w, &passes);

	for (size_t i = 0; i < count; i++)
		if (w[i].lanes & (w[i].lanes - 1))
			return true;
	return false;
}

static const char *no_conflict_text(bool shared, bool several)
{
	if (several)
		return shared ? _("%1$s, in each of them all lanes in "
				  "different banks or the same word") :
				_("%1$s, in each of them all lanes in "
				  "different banks");
	return shared ? _("all in different banks or the same word, %1$s") :
			_("all in different banks, %1$s");
}

static void say_shared_cost(struct str *out, const struct access *a,
			    const struct access_cost *cost,
			    const struct pattern *p)
{
	struct sentence_part fronts = words_wavefronts(cost->wavefronts);

	if (cost->wavefronts > cost->ideal_wavefronts)
		str_addf(out, _("%1$s where %2$s would do"), fronts.text,
			 words_number(cost->ideal_wavefronts).text);
	else if (p->lanes == 1)
		str_add(out, fronts.text);
	else if (p->kind != PATTERN_BROADCAST)
		str_addf(out, no_conflict_text(shares_words(a),
					       cost->wavefronts > 1),
			 fronts.text);
	else if (a->op == OP_LD)
		str_addf(out, _("%1$s, a broadcast, %2$s"),
			 words_addresses(p->addresses).text, fronts.text);
	else
		say_overwritten(out, p->addresses, fronts);
}

static void say_cost(struct str *out, const struct access *a,
		     const struct access_cost *cost, const struct pattern *p)
{
	if (a->space == ACCESS_GLOBAL)
		say_global_cost(out, a, cost, p);
	else
		say_shared_cost(out, a, cost, p);
}

/* ---- what else there is to know ---- */

/* The first pass with the worst bank, and how many banks are as bad. */
struct crowd { uint8_t pass, bank; int banks; uint32_t lanes; };

static struct crowd worst_banks(const struct access *a, int max_way,
				int *passes)
{
	struct access_word w[4 * WARP_LANES];
	size_t count = access_words(a, w, passes);
	struct crowd c = { 0 };
	int way = 0;

	for (size_t i = 0; i < count; i++) {
		way = i && w[i].pass == w[i - 1].pass &&
		      w[i].bank == w[i - 1].bank ? way + 1 : 1;
		if (way < max_way || (c.banks && w[i].pass != c.pass))
			continue;
		if (!c.banks++) {
			c.pass = w[i].pass;
			c.bank = w[i].bank;
		}
	}
	for (size_t i = 0; i < count; i++)
		if (w[i].pass == c.pass)
			c.lanes |= w[i].lanes;
	return c;
}

static void say_conflict(struct str *out, const struct access *a, int way)
{
	bool store = a->op == OP_ST;
	int passes;
	struct crowd c = worst_banks(a, way, &passes);
	struct sentence_part words = words_number(way),
			     banks = words_number(c.banks);
	struct sentence_part lanes = words_lanes(c.lanes);

	if (passes == 1 && c.banks == 1)
		str_addf(out, store ?
			 _("bank %1$d must take %2$s different words in "
			   "turn.") :
			 _("bank %1$d must deliver %2$s different words in "
			   "turn."), c.bank, words.text);
	else if (passes == 1)
		str_addf(out, store ?
			 _("%1$s banks, including bank %2$d, must each take "
			   "%3$s different words in turn.") :
			 _("%1$s banks, including bank %2$d, must each "
			   "deliver %3$s different words in turn."),
			 banks.text, c.bank, words.text);
	else if (c.banks == 1)
		str_addf(out, store ?
			 _("for lanes %1$s, bank %2$d must take %3$s "
			   "different words in turn.") :
			 _("for lanes %1$s, bank %2$d must deliver %3$s "
			   "different words in turn."),
			 lanes.text, c.bank, words.text);
	else
		str_addf(out, store ?
			 _("for lanes %1$s, %2$s banks, including bank %3$d, "
			   "must each take %4$s different words in turn.") :
			 _("for lanes %1$s, %2$s banks, including bank %3$d, "
			   "must each deliver %4$s different words in turn."),
			 lanes.text, banks.text, c.bank, words.text);
}

/* Returns the lanes that have a thread, if the block is a single warp. */
static uint32_t get_block_lanes(const struct trace_info *info)
{
	uint64_t threads = (uint64_t)info->block.x * info->block.y *
			   info->block.z;

	return threads && threads < WARP_LANES ? lanes_mask(0, (int)threads) :
						 UINT32_MAX;
}

static void say_idle(struct str *out, uint32_t idle)
{
	str_addf(out, ngettext("lane %1$s is inactive.", "lanes %1$s are "
							 "inactive.",
			       (unsigned long)__builtin_popcount(idle)),
		 words_lanes(idle).text);
}

static void say_vector(struct str *out, const struct lane_offsets *l)
{
	str_addf(out, is_store(l) ?
		 _("each lane writes %1$s at once.") :
		 _("each lane reads %1$s at once."),
		 words_elements(l->site->bytes / l->array->elem_bytes).text);
}

static void say_matrices(struct str *out, const struct lane_offsets *l)
{
	str_add(out, is_store(l) ?
		_("every 8 lanes give the row addresses of an 8x8 matrix, "
		  "which all 32 lanes supply.") :
		_("every 8 lanes give the row addresses of an 8x8 matrix, "
		  "which all 32 lanes receive."));
}

/* Adds a sentence to the others, and clears it. */
static void append_sentence(struct str *out, struct str *one, int *count)
{
	if (!one->len)
		return;
	if (!strcmp(lang_name(), "en"))
		one->data[0] = (char)toupper((unsigned char)one->data[0]);
	str_add(out, out->len ? lang_joint() : "");
	str_add(out, one->data);
	str_clear(one);
	++*count;
}

/* Writes the first sentence. *cost has no wavefronts if the request has no
 * cost. */
static void main_sentence(struct str *out, const struct lane_offsets *l,
			  const struct pattern *p, const struct access *a,
			  struct access_cost *cost)
{
	struct str what = { 0 }, price = { 0 };
	struct access_cost none = { .wavefronts = NA,
				    .ideal_wavefronts = NA };

	*cost = none;
	pattern_say_what(&what, l, p);
	if (!a)
		str_addf(out, _("%1$s."), what.data);
	else if (access_cost(a, cost, NULL) < 0)
		str_addf(out, _("%1$s: not a multiple of %2$s, an error on a "
				"GPU."), what.data,
			 words_bytes(a->bytes).text);
	else {
		say_cost(&price, a, cost, p);
		str_addf(out, _("%1$s: %2$s."), what.data, price.data);
	}
	str_done(&what);
	str_done(&price);
}

static void say_passes(struct str *out, int passes)
{
	if (passes == 1)
		str_add(out, _("constant memory serves all lanes in one pass: "
			       "they read the same word."));
	else
		str_addf(out, _("constant memory takes %1$d passes, one for "
				"each different word."), passes);
}

/* Adds whose shared memory, in the cluster, a request accesses. */
static void say_remote(struct str *out, const struct lane_offsets *l)
{
	unsigned long n = (unsigned long)l->count;

	str_addf(out, l->site->op == OP_ST ?
		 ngettext("what it stores goes to the shared memory of block "
			  "%d of the cluster.",
			  "what they store goes to the shared memory of block "
			  "%d of the cluster.", n) :
		 ngettext("what it loads comes from the shared memory of block "
			  "%d of the cluster.",
			  "what they load comes from the shared memory of "
			  "block %d of the cluster.", n),
		 __builtin_ctz(l->site->tile.blocks));
}

static void access_sentences(struct str *out, const struct lane_offsets *l,
			     const struct pattern *p, const struct access *a,
			     uint32_t idle)
{
	struct str one = { 0 };
	struct access_cost cost;
	int count = 0;

	main_sentence(&one, l, p, a, &cost);
	append_sentence(out, &one, &count);
	if (l->site->tile.blocks)
		say_remote(&one, l);
	append_sentence(out, &one, &count);
	if (cost.wavefronts > cost.ideal_wavefronts)
		say_conflict(&one, a, cost.max_way);
	else if (l->array->space == SPACE_REGISTER && l->distinct > 1)
		str_add(&one, _("registers cannot be indexed, so an array used "
				"like this moves to slower local memory."));
	else if (l->array->space == SPACE_CONSTANT)
		say_passes(&one, access_constant_passes(l->array, l->r));
	append_sentence(out, &one, &count);
	if (idle)
		say_idle(&one, idle);
	append_sentence(out, &one, &count);
	if (l->site->matrix)
		say_matrices(&one, l);
	else if (count < 3 && l->count > 1 &&
		 l->site->bytes > l->array->elem_bytes)
		say_vector(&one, l);
	append_sentence(out, &one, &count);
	str_done(&one);
}

char *pattern_sentence(const struct trace_info *info,
		       const struct trace_request *r)
{
	uint32_t idle = get_block_lanes(info) & ~r->mask;
	struct str out = { 0 }, one = { 0 };
	struct pattern p;
	struct access a;
	struct lane_offsets l;
	int count = 0;

	find_lane_offsets(info, r, &l);
	lanes_find(&l, &p);
	if (p.kind == PATTERN_NONE) {
		if (r->site < info->site_count)
			pattern_sync_text(&one, info, r);
		append_sentence(&out, &one, &count);
	} else {
		access_sentences(&out, &l, &p,
				 access_of(info, r, &a) ? &a : NULL, idle);
	}
	str_done(&one);
	return str_take(&out);
}
