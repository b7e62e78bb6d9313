/* A request in words: one clause says which lanes access what, one what that
 * costs, and further facts have a sentence each. Every clause is a message of
 * its own, so that a translation can order it freely. */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/lang.h"
#include "analysis/pattern_words.h"

/* Returns the bytes of a row of the array, 0 if it has no rows. */
static int64_t get_row_pitch(const struct lane_offsets *l)
{
	uint64_t bytes;

	if (l->array->rank < 2 ||
	    __builtin_mul_overflow(l->array->dims[l->array->rank - 1],
				   l->array->elem_bytes, &bytes))
		return 0;
	return bytes > INT64_MAX ? 0 : (int64_t)bytes;
}

/* Adds lanes that all access the same elements. */
static void say_same(struct str *out, const struct lane_offsets *l,
		     uint32_t mask, uint64_t offset)
{
	unsigned long n = (unsigned long)__builtin_popcount(mask);

	str_addf(out, is_store(l) ?
		 ngettext("lane %1$s writes %2$s", "lanes %1$s write %2$s", n) :
		 ngettext("lane %1$s reads %2$s", "lanes %1$s read %2$s", n),
		 words_lanes(mask).text,
		 words_element(l, offset, l->site->bytes).text);
}

/* Adds two or three addresses one by one. */
static void say_runs(struct str *out, const struct lane_offsets *l)
{
	int from = 0;

	for (int i = 1; i <= l->count; i++) {
		if (i < l->count && l->at[i] == l->at[from])
			continue;
		if (from)
			str_add(out, _(", "));
		say_same(out, l, lanes_run(l, from, i - from), l->at[from]);
		from = i;
	}
}

static void say_broadcast(struct str *out, const struct lane_offsets *l,
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
		 words_lanes(l->r->mask).text, words_number(p->addresses).text,
		 words_low_end(l).text, words_high_end(l).text,
		 words_number(p->group).text);
}

static void say_contiguous(struct str *out, const struct lane_offsets *l)
{
	str_addf(out, is_store(l) ?
		 _("lanes %1$s write %2$s to %3$s in order") :
		 _("lanes %1$s read %2$s to %3$s in order"),
		 words_lanes(l->r->mask).text, words_low_end(l).text,
		 words_high_end(l).text);
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

static void say_strided(struct str *out, const struct lane_offsets *l,
			const struct pattern *p)
{
	uint32_t width = l->site->bytes;

	str_addf(out, strided_text(is_store(l), p->inner == get_row_pitch(l)),
		 words_lanes(l->r->mask).text,
		 words_element(l, l->at[0], width).text,
		 words_element(l, l->at[l->count - 1], width).text,
		 words_step(l, p->inner).text);
}

static void say_permuted(struct str *out, const struct lane_offsets *l,
			 const struct pattern *p)
{
	bool back = p->inner < 0;
	const char *fmt = back ?
		_("lanes %1$s read %2$s to %3$s in reverse order") :
		_("lanes %1$s read %2$s to %3$s, each once but not in order");

	if (is_store(l))
		fmt = back ?
		_("lanes %1$s write %2$s to %3$s in reverse order") :
		_("lanes %1$s write %2$s to %3$s, each once but not in order");
	str_addf(out, fmt, words_lanes(l->r->mask).text,
		 back ? words_high_end(l).text : words_low_end(l).text,
		 back ? words_low_end(l).text : words_high_end(l).text);
}

/* Each run is the same. */
static void say_repeated(struct str *out, const struct lane_offsets *l,
			 const struct pattern *p)
{
	uint32_t width = l->site->bytes;
	struct sentence_part again = words_number(p->group);

	if (p->inner == width)
		str_addf(out, is_store(l) ?
			 _("lanes %1$s write %2$s to %3$s, and the same again "
			   "every %4$s lanes") :
			 _("lanes %1$s read %2$s to %3$s, and the same again "
			   "every %4$s lanes"), words_lanes(l->r->mask).text,
			 words_low_end(l).text, words_high_end(l).text,
			 again.text);
	else
		str_addf(out, is_store(l) ?
			 _("lanes %1$s write %2$s to %3$s in steps of %4$s, "
			   "and the same again every %5$s lanes") :
			 _("lanes %1$s read %2$s to %3$s in steps of %4$s, "
			   "and the same again every %5$s lanes"),
			 words_lanes(l->r->mask).text,
			 words_element(l, l->at[0], width).text,
			 words_element(l, l->at[p->group - 1], width).text,
			 words_step(l, p->inner).text, again.text);
}

/* Returns whether the lanes access whole rows below each other, or whole
 * columns next to each other; sets the tile's size. */
static bool is_row_tile(const struct lane_offsets *l, const struct pattern *p,
			int64_t *rows, int64_t *columns)
{
	int64_t width = l->site->bytes, elem = l->array->elem_bytes;
	int64_t row = get_row_pitch(l);

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
static void say_runs_apart(struct str *out, const struct lane_offsets *l,
			   const struct pattern *p)
{
	int64_t elem = l->array->elem_bytes;
	int64_t run = p->group * (int64_t)l->site->bytes;
	struct sentence_part first = words_element(l, l->at[0], 1);

	if (p->inner == l->site->bytes)
		str_addf(out, is_store(l) ?
			 _("lanes %1$s write %2$s runs of %3$s from %4$s on, "
			   "%5$s apart") :
			 _("lanes %1$s read %2$s runs of %3$s from %4$s on, "
			   "%5$s apart"), words_lanes(l->r->mask).text,
			 words_number(p->groups).text, run % elem ?
			 words_bytes(run).text :
			 words_elements(run / elem).text,
			 first.text, words_step(l, p->outer).text);
	else
		str_addf(out, is_store(l) ?
			 _("lanes %1$s write from %2$s on in steps of %3$s, "
			   "%4$s lanes a run, the runs %5$s apart") :
			 _("lanes %1$s read from %2$s on in steps of %3$s, "
			   "%4$s lanes a run, the runs %5$s apart"),
			 words_lanes(l->r->mask).text, first.text,
			 words_step(l, p->inner).text,
			 words_number(p->group).text,
			 words_step(l, p->outer).text);
}

static void say_block(struct str *out, const struct lane_offsets *l,
		      const struct pattern *p)
{
	int64_t rows, columns;

	if (p->outer == 0)
		say_repeated(out, l, p);
	else if (is_row_tile(l, p, &rows, &columns))
		str_addf(out, tile_text(is_store(l),
					p->inner != l->site->bytes),
			 words_lanes(l->r->mask).text, words_number(rows).text,
			 words_number(columns).text, words_low_end(l).text,
			 words_high_end(l).text);
	else
		say_runs_apart(out, l, p);
}

static void say_irregular(struct str *out, const struct lane_offsets *l)
{
	str_addf(out, is_store(l) ?
		 _("lanes %1$s write %2$s different places between %3$s and "
		   "%4$s, in no simple order") :
		 _("lanes %1$s read %2$s different places between %3$s and "
		   "%4$s, in no simple order"), words_lanes(l->r->mask).text,
		 words_number(l->distinct).text, words_low_end(l).text,
		 words_high_end(l).text);
}

/* Adds what lanes access in register arrays, of which each lane has its own. */
static void say_registers(struct str *out, const struct lane_offsets *l)
{
	unsigned long n = (unsigned long)l->count;

	if (l->distinct == 1)
		str_addf(out, is_store(l) ?
			 ngettext("lane %1$s writes %2$s in its own registers",
				  "lanes %1$s write %2$s, each in its own "
				  "registers", n) :
			 ngettext("lane %1$s reads %2$s in its own registers",
				  "lanes %1$s read %2$s, each in its own "
				  "registers", n), words_lanes(l->r->mask).text,
			 words_element(l, l->at[0], l->site->bytes).text);
	else
		str_addf(out, is_store(l) ?
			 _("lanes %1$s write different elements, %2$s to %3$s, "
			   "each in its own registers") :
			 _("lanes %1$s read different elements, %2$s to %3$s, "
			   "each in its own registers"),
			 words_lanes(l->r->mask).text, words_low_end(l).text,
			 words_high_end(l).text);
}

void pattern_say_what(struct str *out, const struct lane_offsets *l,
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
	struct lane_offsets l;

	find_lane_offsets(info, r, &l);
	lanes_find(&l, &p);
	if (p.kind != PATTERN_NONE)
		pattern_say_what(&out, &l, &p);
	return str_take(&out);
}
