/*
 * A request told in words: one clause says who touches what, one what it
 * costs, and a sentence each what else there is to know. Every clause is a
 * message of its own, so that another language can order it as it likes.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/lang.h"
#include "analysis/pattern_lanes.h"

/* ---- words ---- */

/* A part of a sentence, short and passed around by value. */
struct words { char text[160]; };

/* In English, numbers up to twelve are written as words. */
static struct words number(int64_t n)
{
	static const char *const small[] = {
		N_("zero"), N_("one"), N_("two"), N_("three"), N_("four"),
		N_("five"), N_("six"), N_("seven"), N_("eight"), N_("nine"),
		N_("ten"), N_("eleven"), N_("twelve"),
	};
	struct words w;

	if (n >= 0 && n < (int64_t)LENGTH(small))
		snprintf(w.text, sizeof(w.text), "%s", _(small[n]));
	else
		snprintf(w.text, sizeof(w.text), "%" PRId64, n);
	return w;
}

/* fmt, from ngettext, has one %1$s. */
static struct words counted(const char *fmt, int64_t n)
{
	struct words w;

	snprintf(w.text, sizeof(w.text), fmt, number(n).text);
	return w;
}

static struct words addresses(int n)
{
	return counted(ngettext("%1$s address", "%1$s addresses",
				(unsigned long)n), n);
}

static struct words sectors(int n)
{
	return counted(ngettext("%1$s sector", "%1$s sectors",
				(unsigned long)n), n);
}

static struct words wavefronts(int n)
{
	return counted(ngettext("%1$s wavefront", "%1$s wavefronts",
				(unsigned long)n), n);
}

static struct words byte_count(int64_t n)
{
	return counted(ngettext("%1$s byte", "%1$s bytes",
				(unsigned long)llabs(n)), n);
}

static struct words element_count(int64_t n)
{
	return counted(ngettext("%1$s element", "%1$s elements",
				(unsigned long)llabs(n)), n);
}

/* "64 elements (256 bytes)" */
static struct words step(const struct lanes *l, int64_t bytes)
{
	struct words w;
	int64_t n = bytes / l->array->elem_bytes;

	if (bytes % l->array->elem_bytes)
		return byte_count(bytes);
	snprintf(w.text, sizeof(w.text),
		 ngettext("%1$s element (%2$s bytes)",
			  "%1$s elements (%2$s bytes)",
			  (unsigned long)llabs(n)),
		 number(n).text, number(bytes).text);
	return w;
}

static uint32_t lanes_mask(int first, int count)
{
	uint32_t all = count >= 32 ? UINT32_MAX : (UINT32_C(1) << count) - 1;

	return all << first;
}

void pattern_lanes(uint32_t mask, char *buf, size_t size)
{
	int runs = 0, total = __builtin_popcount(mask & ~(mask << 1));
	int highest = mask ? 31 - __builtin_clz(mask) : 0;
	size_t n = 0;

	buf[0] = '\0';
	while (mask && n < size) {
		int from = __builtin_ctz(mask);
		int count = ~(mask >> from) ?
			    __builtin_ctz(~(mask >> from)) : 32;

		count = MIN(count, 32 - from);
		mask &= ~lanes_mask(from, count);
		if (total > 4 && runs == 3) {
			snprintf(buf + n, size - n, ", ..., %d", highest);
			return;
		}
		n += (size_t)snprintf(buf + n, size - n, count > 1 ?
				      "%s%d-%d" : "%s%d", runs ? ", " : "",
				      from, from + count - 1);
		runs++;
	}
}

static struct words lanes_text(uint32_t mask)
{
	struct words w;

	pattern_lanes(mask, w.text, sizeof(w.text));
	return w;
}

static uint32_t run_mask(const struct lanes *l, int from, int count)
{
	uint32_t mask = 0;

	for (int i = from; i < from + count && i < l->count; i++)
		mask |= UINT32_C(1) << l->lane[i];
	return mask;
}

/* The element that holds a byte; the whole vector with `bytes` > 1. */
static struct words element(const struct lanes *l, uint64_t offset,
			    uint32_t bytes)
{
	struct words w;

	array_element(l->array, offset, bytes, w.text, sizeof(w.text));
	return w;
}

/* What the request's lowest and highest bytes are in. */
static struct words low_end(const struct lanes *l)
{
	return element(l, l->sorted[0], 1);
}

static struct words high_end(const struct lanes *l)
{
	return element(l, l->sorted[l->distinct - 1] + l->site->bytes - 1, 1);
}

/* ---- who touches what ---- */

static bool is_store(const struct lanes *l)
{
	return l->site->op == OP_ST;
}

/* A row of the array in bytes, 0 when it has no rows. */
static int64_t pitch(const struct lanes *l)
{
	uint64_t bytes;

	if (l->array->rank < 2 ||
	    __builtin_mul_overflow(l->array->dims[l->array->rank - 1],
				   l->array->elem_bytes, &bytes))
		return 0;
	return bytes > INT64_MAX ? 0 : (int64_t)bytes;
}

/* Lanes that all touch the same thing. */
static void say_same(struct str *out, const struct lanes *l, uint32_t mask,
		     uint64_t offset)
{
	unsigned long n = (unsigned long)__builtin_popcount(mask);

	str_addf(out, is_store(l) ?
		 ngettext("lane %1$s writes %2$s", "lanes %1$s write %2$s", n) :
		 ngettext("lane %1$s reads %2$s", "lanes %1$s read %2$s", n),
		 lanes_text(mask).text,
		 element(l, offset, l->site->bytes).text);
}

/* Two or three addresses are told one by one. */
static void say_runs(struct str *out, const struct lanes *l)
{
	int from = 0;

	for (int i = 1; i <= l->count; i++) {
		if (i < l->count && l->at[i] == l->at[from])
			continue;
		if (from)
			str_add(out, _(", "));
		say_same(out, l, run_mask(l, from, i - from), l->at[from]);
		from = i;
	}
}

static void say_broadcast(struct str *out, const struct lanes *l,
			  const struct pattern *p)
{
	if (p->groups <= 3 && p->groups == p->addresses) {
		say_runs(out, l);
		return;
	}
	str_addf(out, is_store(l) ?
		 _("lanes %1$s write %2$s places from %3$s to %4$s, each for "
		   "up to %5$s neighbouring lanes") :
		 _("lanes %1$s read %2$s places from %3$s to %4$s, each for "
		   "up to %5$s neighbouring lanes"),
		 lanes_text(l->r->mask).text, number(p->addresses).text,
		 low_end(l).text, high_end(l).text, number(p->group).text);
}

static void say_contiguous(struct str *out, const struct lanes *l)
{
	str_addf(out, is_store(l) ?
		 _("lanes %1$s write %2$s to %3$s, one after the other") :
		 _("lanes %1$s read %2$s to %3$s, one after the other"),
		 lanes_text(l->r->mask).text, low_end(l).text,
		 high_end(l).text);
}

static const char *strided_text(bool store, bool column)
{
	if (column)
		return store ?
		       _("lanes %1$s write %2$s to %3$s, down a column, in "
			 "steps of %4$s") :
		       _("lanes %1$s read %2$s to %3$s, down a column, in "
			 "steps of %4$s");
	return store ? _("lanes %1$s write %2$s to %3$s, in steps of %4$s") :
		       _("lanes %1$s read %2$s to %3$s, in steps of %4$s");
}

static void say_strided(struct str *out, const struct lanes *l,
			const struct pattern *p)
{
	uint32_t width = l->site->bytes;

	str_addf(out, strided_text(is_store(l), p->inner == pitch(l)),
		 lanes_text(l->r->mask).text,
		 element(l, l->at[0], width).text,
		 element(l, l->at[l->count - 1], width).text,
		 step(l, p->inner).text);
}

static void say_permuted(struct str *out, const struct lanes *l,
			 const struct pattern *p)
{
	bool back = p->inner < 0;
	const char *fmt = back ?
		_("lanes %1$s read %2$s to %3$s, one after the other, "
		  "backwards") :
		_("lanes %1$s read %2$s to %3$s, each once but not in order");

	if (is_store(l))
		fmt = back ?
		_("lanes %1$s write %2$s to %3$s, one after the other, "
		  "backwards") :
		_("lanes %1$s write %2$s to %3$s, each once but not in order");
	str_addf(out, fmt, lanes_text(l->r->mask).text,
		 back ? high_end(l).text : low_end(l).text,
		 back ? low_end(l).text : high_end(l).text);
}

/* Each run is the same. */
static void say_repeated(struct str *out, const struct lanes *l,
			 const struct pattern *p)
{
	uint32_t width = l->site->bytes;
	struct words again = number(p->group);

	if (p->inner == width)
		str_addf(out, is_store(l) ?
			 _("lanes %1$s write %2$s to %3$s, and the same again "
			   "every %4$s lanes") :
			 _("lanes %1$s read %2$s to %3$s, and the same again "
			   "every %4$s lanes"), lanes_text(l->r->mask).text,
			 low_end(l).text, high_end(l).text, again.text);
	else
		str_addf(out, is_store(l) ?
			 _("lanes %1$s write %2$s to %3$s in steps of %4$s, "
			   "and the same again every %5$s lanes") :
			 _("lanes %1$s read %2$s to %3$s in steps of %4$s, "
			   "and the same again every %5$s lanes"),
			 lanes_text(l->r->mask).text,
			 element(l, l->at[0], width).text,
			 element(l, l->at[p->group - 1], width).text,
			 step(l, p->inner).text, again.text);
}

/* Whole rows below each other, or whole columns beside each other. */
static bool is_tile(const struct lanes *l, const struct pattern *p,
		    int64_t *rows, int64_t *columns)
{
	int64_t width = l->site->bytes, elem = l->array->elem_bytes;
	int64_t row = pitch(l);

	if (!row || l->count % p->group || width % elem)
		return false;
	if (p->inner == width && p->outer == row) {
		*rows = p->groups;
		*columns = p->group * width / elem;
	} else if (p->inner == row && p->outer == width) {
		*rows = p->group;
		*columns = p->groups * width / elem;
	} else {
		return false;
	}
	return (int64_t)(l->sorted[0] % (uint64_t)row) + *columns * elem <= row;
}

static const char *tile_text(bool store, bool by_columns)
{
	if (by_columns)
		return store ?
		       _("lanes %1$s write a block of %2$s rows x %3$s columns "
			 "from %4$s to %5$s, column by column") :
		       _("lanes %1$s read a block of %2$s rows x %3$s columns "
			 "from %4$s to %5$s, column by column");
	return store ? _("lanes %1$s write a block of %2$s rows x %3$s "
			 "columns, from %4$s to %5$s") :
		       _("lanes %1$s read a block of %2$s rows x %3$s "
			 "columns, from %4$s to %5$s");
}

/* A run of neighbours is told by its length, another by its step too. */
static void say_runs_apart(struct str *out, const struct lanes *l,
			   const struct pattern *p)
{
	int64_t elem = l->array->elem_bytes;
	int64_t run = p->group * (int64_t)l->site->bytes;
	struct words first = element(l, l->at[0], 1);

	if (p->inner == l->site->bytes)
		str_addf(out, is_store(l) ?
			 _("lanes %1$s write %2$s runs of %3$s from %4$s on, "
			   "%5$s apart") :
			 _("lanes %1$s read %2$s runs of %3$s from %4$s on, "
			   "%5$s apart"), lanes_text(l->r->mask).text,
			 number(p->groups).text, run % elem ?
			 byte_count(run).text : element_count(run / elem).text,
			 first.text, step(l, p->outer).text);
	else
		str_addf(out, is_store(l) ?
			 _("lanes %1$s write from %2$s on in steps of %3$s, "
			   "%4$s lanes a run, the runs %5$s apart") :
			 _("lanes %1$s read from %2$s on in steps of %3$s, "
			   "%4$s lanes a run, the runs %5$s apart"),
			 lanes_text(l->r->mask).text, first.text,
			 step(l, p->inner).text, number(p->group).text,
			 step(l, p->outer).text);
}

static void say_block(struct str *out, const struct lanes *l,
		      const struct pattern *p)
{
	int64_t rows, columns;

	if (p->outer == 0)
		say_repeated(out, l, p);
	else if (is_tile(l, p, &rows, &columns))
		str_addf(out, tile_text(is_store(l),
					p->inner != l->site->bytes),
			 lanes_text(l->r->mask).text, number(rows).text,
			 number(columns).text, low_end(l).text,
			 high_end(l).text);
	else
		say_runs_apart(out, l, p);
}

static void say_irregular(struct str *out, const struct lanes *l)
{
	str_addf(out, is_store(l) ?
		 _("lanes %1$s write %2$s different places between %3$s and "
		   "%4$s, in no simple order") :
		 _("lanes %1$s read %2$s different places between %3$s and "
		   "%4$s, in no simple order"), lanes_text(l->r->mask).text,
		 number(l->distinct).text, low_end(l).text, high_end(l).text);
}

/* Each lane has an array of its own. */
static void say_registers(struct str *out, const struct lanes *l)
{
	unsigned long n = (unsigned long)l->count;

	if (l->distinct == 1)
		str_addf(out, is_store(l) ?
			 ngettext("lane %1$s writes %2$s in its own registers",
				  "lanes %1$s write %2$s, each in its own "
				  "registers", n) :
			 ngettext("lane %1$s reads %2$s in its own registers",
				  "lanes %1$s read %2$s, each in its own "
				  "registers", n), lanes_text(l->r->mask).text,
			 element(l, l->at[0], l->site->bytes).text);
	else
		str_addf(out, is_store(l) ?
			 _("lanes %1$s write different elements, %2$s to %3$s, "
			   "each in its own registers") :
			 _("lanes %1$s read different elements, %2$s to %3$s, "
			   "each in its own registers"),
			 lanes_text(l->r->mask).text, low_end(l).text,
			 high_end(l).text);
}

static void say_what(struct str *out, const struct lanes *l,
		     const struct pattern *p)
{
	if (l->array->space == SPACE_REGISTER)
		say_registers(out, l);
	else if (p->lanes == 1)
		say_same(out, l, l->r->mask, l->at[0]);
	else if (p->kind == PATTERN_BROADCAST)
		say_broadcast(out, l, p);
	else if (p->kind == PATTERN_CONTIGUOUS)
		say_contiguous(out, l);
	else if (p->kind == PATTERN_STRIDED)
		say_strided(out, l, p);
	else if (p->kind == PATTERN_PERMUTED)
		say_permuted(out, l, p);
	else if (p->kind == PATTERN_BLOCK)
		say_block(out, l, p);
	else
		say_irregular(out, l);
}

char *pattern_clause(const struct trace_info *info,
		     const struct trace_request *r)
{
	struct str out = { 0 };
	struct pattern p;
	struct lanes l;

	lanes_of(info, r, &l);
	lanes_find(&l, &p);
	if (p.kind != PATTERN_NONE)
		say_what(&out, &l, &p);
	return str_take(&out);
}

/* ---- what it costs ---- */

/* Bytes used in each sector, 0 when that varies; *total in all. */
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
	struct words bytes = byte_count(total), in = sectors(cost->sectors);
	struct words ideal = number(cost->ideal_sectors);

	if (use == SECTOR_BYTES)
		str_addf(out, _("%1$s in %2$s, nothing wasted"), bytes.text,
			 in.text);
	else if (cost->sectors == cost->ideal_sectors)
		str_addf(out, _("%1$s in %2$s, the fewest possible"),
			 bytes.text, in.text);
	else if (use)
		str_addf(out, _("%1$s in %2$s where %3$s would do, each used "
				"for only %4$s of its 32 bytes"), bytes.text,
			 in.text, ideal.text, number(use).text);
	else
		str_addf(out, _("%1$s in %2$s where %3$s would do"),
			 bytes.text, in.text, ideal.text);
}

/* A store by many lanes to few addresses. */
static void say_overwritten(struct str *out, int count, struct words cost)
{
	str_addf(out, ngettext("%1$s, %2$s, and only one lane's value stays",
			       "%1$s, %2$s, and at each address only one "
			       "lane's value stays", (unsigned long)count),
		 addresses(count).text, cost.text);
}

static void say_global_cost(struct str *out, const struct access *a,
			    const struct access_cost *cost,
			    const struct pattern *p)
{
	int total, use = sector_use(a, &total);

	if (p->lanes == 1)
		str_addf(out, _("%1$s in %2$s"), byte_count(total).text,
			 sectors(cost->sectors).text);
	else if (p->kind != PATTERN_BROADCAST)
		say_sectors(out, cost, use, total);
	else if (a->op == OP_LD)
		str_addf(out, _("%1$s, %2$s, a broadcast"),
			 addresses(p->addresses).text,
			 sectors(cost->sectors).text);
	else
		say_overwritten(out, p->addresses, sectors(cost->sectors));
}

/* Some lanes of a wavefront want the same word. */
static bool shares_words(const struct access *a)
{
	struct access_word w[4 * WARP_LANES];
	int phases;
	size_t count = access_words(a, w, &phases);

	for (size_t i = 0; i < count; i++)
		if (w[i].lanes & (w[i].lanes - 1))
			return true;
	return false;
}

static const char *no_conflict_text(bool shared, bool several)
{
	if (several)
		return shared ? _("%1$s, in each all in different banks or the "
				  "same word") :
				_("%1$s, in each all in different banks");
	return shared ? _("all in different banks or the same word, %1$s") :
			_("all in different banks, %1$s");
}

static void say_shared_cost(struct str *out, const struct access *a,
			    const struct access_cost *cost,
			    const struct pattern *p)
{
	struct words fronts = wavefronts(cost->wavefronts);

	if (cost->wavefronts > cost->ideal_wavefronts)
		str_addf(out, _("%1$s where %2$s would do"), fronts.text,
			 number(cost->ideal_wavefronts).text);
	else if (p->lanes == 1)
		str_add(out, fronts.text);
	else if (p->kind != PATTERN_BROADCAST)
		str_addf(out, no_conflict_text(shares_words(a),
					       cost->wavefronts > 1),
			 fronts.text);
	else if (a->op == OP_LD)
		str_addf(out, _("%1$s, a broadcast, %2$s"),
			 addresses(p->addresses).text, fronts.text);
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

/* The first phase with the worst bank, and how many banks are as bad. */
struct crowd { uint8_t phase, bank; int banks; uint32_t lanes; };

static struct crowd worst_banks(const struct access *a, int max_way,
				int *phases)
{
	struct access_word w[4 * WARP_LANES];
	size_t count = access_words(a, w, phases);
	struct crowd c = { 0 };
	int way = 0;

	for (size_t i = 0; i < count; i++) {
		way = i && w[i].phase == w[i - 1].phase &&
		      w[i].bank == w[i - 1].bank ? way + 1 : 1;
		if (way < max_way || (c.banks && w[i].phase != c.phase))
			continue;
		if (!c.banks++) {
			c.phase = w[i].phase;
			c.bank = w[i].bank;
		}
	}
	for (size_t i = 0; i < count; i++)
		if (w[i].phase == c.phase)
			c.lanes |= w[i].lanes;
	return c;
}

static void say_conflict(struct str *out, const struct access *a, int way)
{
	int phases;
	struct crowd c = worst_banks(a, way, &phases);
	struct words words = number(way), banks = number(c.banks);
	struct words lanes = lanes_text(c.lanes);

	if (phases == 1 && c.banks == 1)
		str_addf(out, _("bank %1$d must give %2$s different words, one "
				"after the other."), c.bank, words.text);
	else if (phases == 1)
		str_addf(out, _("%1$s banks, bank %2$d among them, must each "
				"give %3$s different words, one after the "
				"other."), banks.text, c.bank, words.text);
	else if (c.banks == 1)
		str_addf(out, _("for lanes %1$s, bank %2$d must give %3$s "
				"different words, one after the other."),
			 lanes.text, c.bank, words.text);
	else
		str_addf(out, _("for lanes %1$s, %2$s banks, bank %3$d among "
				"them, must each give %4$s different words, "
				"one after the other."), lanes.text,
			 banks.text, c.bank, words.text);
}

/* Lanes that have a thread, as far as a block of one warp tells. */
static uint32_t lanes_of_block(const struct trace_info *info)
{
	uint64_t threads = (uint64_t)info->block.x * info->block.y *
			   info->block.z;

	return threads && threads < WARP_LANES ? lanes_mask(0, (int)threads) :
						 UINT32_MAX;
}

static void say_idle(struct str *out, uint32_t idle)
{
	str_addf(out, ngettext("lane %1$s sits out.", "lanes %1$s sit out.",
			       (unsigned long)__builtin_popcount(idle)),
		 lanes_text(idle).text);
}

static void say_vector(struct str *out, const struct lanes *l)
{
	str_addf(out, is_store(l) ?
		 _("each lane writes %1$s at once.") :
		 _("each lane reads %1$s at once."),
		 element_count(l->site->bytes / l->array->elem_bytes).text);
}

static void say_matrices(struct str *out, const struct lanes *l)
{
	str_add(out, is_store(l) ?
		_("each 8 lanes name the rows of an 8x8 matrix, which all 32 "
		  "lanes give.") :
		_("each 8 lanes name the rows of an 8x8 matrix, which all 32 "
		  "lanes get."));
}

/* Puts one sentence behind the others. */
static void add_sentence(struct str *out, struct str *one, int *count)
{
	if (!one->len)
		return;
	if (!strcmp(lang_name(), "en"))
		one->data[0] = (char)toupper((unsigned char)one->data[0]);
	if (out->len) {
		char *before = str_take(out);

		/* One sentence behind another. */
		str_addf(out, _("%1$s %2$s"), before, one->data);
		free(before);
	} else {
		str_add(out, one->data);
	}
	str_clear(one);
	++*count;
}

/* The first sentence; *cost gets no wavefronts when there is none. */
static void main_sentence(struct str *out, const struct lanes *l,
			  const struct pattern *p, const struct access *a,
			  struct access_cost *cost)
{
	struct str what = { 0 }, price = { 0 };
	struct access_cost none = { .wavefronts = NA,
				    .ideal_wavefronts = NA };

	*cost = none;
	say_what(&what, l, p);
	if (!a)
		str_addf(out, _("%1$s."), what.data);
	else if (access_cost(a, cost, NULL) < 0)
		str_addf(out, _("%1$s: not a multiple of %2$s, which a GPU "
				"refuses."), what.data,
			 byte_count(a->bytes).text);
	else {
		say_cost(&price, a, cost, p);
		str_addf(out, _("%1$s: %2$s."), what.data, price.data);
	}
	str_done(&what);
	str_done(&price);
}

static void access_sentences(struct str *out, const struct lanes *l,
			     const struct pattern *p, const struct access *a,
			     uint32_t idle)
{
	struct str one = { 0 };
	struct access_cost cost;
	int count = 0;

	main_sentence(&one, l, p, a, &cost);
	add_sentence(out, &one, &count);
	if (cost.wavefronts > cost.ideal_wavefronts)
		say_conflict(&one, a, cost.max_way);
	else if (l->array->space == SPACE_REGISTER && l->distinct > 1)
		str_add(&one, _("registers have no index, so an array used "
				"like this moves to slower local memory."));
	add_sentence(out, &one, &count);
	if (idle)
		say_idle(&one, idle);
	add_sentence(out, &one, &count);
	if (l->site->matrix)
		say_matrices(&one, l);
	else if (count < 3 && l->count > 1 &&
		 l->site->bytes > l->array->elem_bytes)
		say_vector(&one, l);
	add_sentence(out, &one, &count);
	str_done(&one);
}

char *pattern_sentence(const struct trace_info *info,
		       const struct trace_request *r)
{
	uint32_t idle = lanes_of_block(info) & ~r->mask;
	struct str out = { 0 }, one = { 0 };
	struct pattern p;
	struct access a;
	struct lanes l;
	int count = 0;

	lanes_of(info, r, &l);
	lanes_find(&l, &p);
	if (p.kind == PATTERN_NONE) {
		if (r->site < info->site_count)
			pattern_deed(&one, info, r);
		add_sentence(&out, &one, &count);
	} else {
		access_sentences(&out, &l, &p,
				 access_of(info, r, &a) ? &a : NULL, idle);
	}
	str_done(&one);
	return str_take(&out);
}
