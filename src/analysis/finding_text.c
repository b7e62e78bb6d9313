/* finding_text: fills a cause's sentence with the values of the finding's
 * members. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/finding_sentences.h"
#include "analysis/finding_text.h"
#include "base/lang.h"
#include "base/text.h"
#include "hardware/fragment.h"
#include "trace/trace_format.h"

/* A finding whose sentence is being written. */
struct telling {
	const struct trace_info *info;
	const struct trace_finding *f;
	struct str *out;
};

/* Adds a text in a format with one %1$s. */
static void add_in(struct str *out, const char *fmt, const char *what)
{
	char *text = xasprintf(fmt, what);

	str_add(out, text);
	free(text);
}

/* ---- threads and blocks ---- */

/* Returns the index of the block in the grid, as text. */
static const char *block_text(const struct telling *t,
			      const struct finding_access *a)
{
	return finding_index_text(a->block, &t->info->grid);
}

static const char *thread_index(const struct telling *t,
				const struct finding_access *a)
{
	return finding_index_text(a->thread, &t->info->block);
}

static void add_thread(const struct telling *t, const struct finding_access *a)
{
	char *text = xasprintf(_("thread %1$s of block %2$s"),
			       thread_index(t, a), block_text(t, a));

	str_add(t->out, text);
	free(text);
}

static void tell_thread(const struct telling *t)
{
	add_thread(t, &t->f->access);
}

/* Adds the other thread, with its block if that is another one. */
static void tell_other(const struct telling *t)
{
	if (t->f->other.block != t->f->access.block)
		add_thread(t, &t->f->other);
	else
		add_in(t->out, _("thread %1$s"),
		       thread_index(t, &t->f->other));
}

static void tell_index(const struct telling *t)
{
	str_add(t->out, thread_index(t, &t->f->access));
}

static void tell_block(const struct telling *t)
{
	str_add(t->out, block_text(t, &t->f->access));
}

static void add_line_number(const struct telling *t, const char *fmt,
			    uint32_t line)
{
	char number[16];

	snprintf(number, sizeof(number), "%" PRIu32, line);
	if (line)
		add_in(t->out, fmt, number);
}

static void tell_in_line(const struct telling *t)
{
	add_line_number(t, _(" in line %1$s"), t->f->access.line);
}

static void tell_host_line(const struct telling *t)
{
	add_line_number(t, _(" in line %1$s"), (uint32_t)t->f->number[0]);
}

static void tell_in_other_line(const struct telling *t)
{
	add_line_number(t, _(" in line %1$s"), t->f->other.line);
}

static void tell_last_line(const struct telling *t)
{
	add_line_number(t, _(", last in line %1$s"), t->f->other.line);
}

static void tell_at_line(const struct telling *t)
{
	add_line_number(t, _("; line %1$s"), t->f->access.line);
}

static void tell_word(const struct telling *t)
{
	if (t->f->word)
		str_add(t->out, text_show(t->f->word));
}

static void tell_why(const struct telling *t)
{
	if (t->f->other_word)
		str_add(t->out, text_show(t->f->other_word));
}

static void tell_other_word(const struct telling *t)
{
	if (t->f->other_word && *t->f->other_word)
		add_in(t->out, _(", which waits at %1$s"),
		       text_show(t->f->other_word));
}

static void add_verb(const struct telling *t, enum op op)
{
	str_add(t->out, op == OP_LD ? _("reads") : _("writes"));
}

static void tell_does(const struct telling *t)
{
	add_verb(t, t->f->access.op);
}

static void tell_other_does(const struct telling *t)
{
	add_verb(t, t->f->other.op);
}

/* ---- what ---- */

/* NULL: none. */
static const struct trace_array *get_finding_array(const struct telling *t)
{
	return t->f->array == TRACE_NO_ARRAY ? NULL :
	       &t->info->arrays[t->f->array];
}

void finding_element(const struct trace_array *a, int64_t offset,
		     int64_t index[TRACE_MAX_RANK])
{
	int64_t i = offset / a->elem_bytes;

	if (offset % a->elem_bytes < 0)
		i--;
	for (uint32_t d = a->rank; d-- > 1;) {
		int64_t n = (int64_t)a->dims[d];

		index[d] = ((i % n) + n) % n;
		i = (i - index[d]) / n;
	}
	index[0] = i;
}

/* Returns the array as the kernel indexes it: a global one is a pointer, and
 * has one subscript. */
static struct trace_array as_indexed(const struct trace_array *a)
{
	struct trace_array flat = *a;

	if (a->space == SPACE_GLOBAL) {
		flat.rank = 1;
		flat.dims[0] = trace_array_bytes(a) / a->elem_bytes;
	}
	return flat;
}

/* Returns the elements before the one that the kernel's pointer of the array's
 * name points to; 0 if several pointers lead into the array. */
static int64_t get_elements_before(const struct telling *t,
				   const struct trace_array *a)
{
	const struct trace_argument *found = NULL;

	for (size_t i = 0; i < t->info->argument_count; i++) {
		const struct trace_argument *p = &t->info->arguments[i];

		if (p->array != t->f->array)
			continue;
		if (found)
			return 0;
		found = p;
	}
	return found && a->space == SPACE_GLOBAL &&
	       !strcmp(found->name, a->name) ? (int64_t)found->before : 0;
}

/* Adds the element: "As[1][300]", or "As[1][300..303]" if the access is wider
 * than an element. */
static void add_finding_element(const struct telling *t,
				const struct trace_array *a, uint32_t bytes)
{
	int64_t index[TRACE_MAX_RANK];

	finding_element(a, t->f->offset, index);
	if (a->rank == 1)
		index[0] -= get_elements_before(t, a);
	str_add(t->out, text_show(a->name));
	/* A variable that is no array. */
	if (a->space == SPACE_REGISTER && a->rank == 1 && a->dims[0] == 1)
		return;
	for (uint32_t d = 0; d < a->rank; d++) {
		str_addf(t->out, "[%" PRId64, index[d]);
		if (d + 1 == a->rank && bytes > a->elem_bytes)
			str_addf(t->out, "..%" PRId64, index[d] - 1 +
				 bytes / a->elem_bytes);
		str_addc(t->out, ']');
	}
}

static void tell_element(const struct telling *t)
{
	const struct trace_array a = as_indexed(get_finding_array(t));

	add_finding_element(t, &a, 1);
}

static void tell_elements(const struct telling *t)
{
	const struct trace_array a = as_indexed(get_finding_array(t));

	add_finding_element(t, &a, t->f->access.bytes);
}

/* Adds the wrong element of the result, by row and column. */
static void tell_result(const struct telling *t)
{
	add_finding_element(t, get_finding_array(t), 1);
}

static void tell_array(const struct telling *t)
{
	str_add(t->out, text_show(get_finding_array(t)->name));
}

static void tell_extent(const struct telling *t)
{
	struct trace_array a = as_indexed(get_finding_array(t));
	struct str dims = { 0 };
	uint64_t before = (uint64_t)get_elements_before(t, &a), all;
	char *from;

	if (a.rank == 1 && before <= a.dims[0])
		a.dims[0] -= before;
	all = trace_array_bytes(&a) / a.elem_bytes;
	for (uint32_t d = 0; d < a.rank; d++)
		str_addf(&dims, "%s%" PRIu64, d ? "x" : "", a.dims[d]);
	add_in(t->out, ngettext("%1$s element", "%1$s elements",
				(unsigned long)all), dims.data);
	str_done(&dims);
	if (!before)
		return;
	from = xasprintf("%" PRIu64, before);
	add_in(t->out, _(", from element %1$s of its allocation on"), from);
	free(from);
}

static void tell_accumulators(const struct telling *t)
{
	if (get_finding_array(t))
		tell_array(t);
	else
		str_add(t->out, _("accumulators"));
}

/* Adds the mbarrier's name: "full[1]", or its byte in a structure. */
static void add_mbarrier(const struct telling *t, struct str *to)
{
	const struct trace_array *a = get_finding_array(t);

	str_add(to, text_show(a->name));
	if (a->elem == ELEM_RAW)
		str_addf(to, _(" at byte %1$lld"), (long long)t->f->offset);
	else if (trace_array_bytes(a) > sizeof(uint64_t))
		str_addf(to, "[%" PRId64 "]", t->f->offset / a->elem_bytes);
}

static void tell_mbarrier(const struct telling *t)
{
	struct str name = { 0 };

	if (!get_finding_array(t)) {
		str_add(t->out, _("an mbarrier outside all arrays"));
		return;
	}
	add_mbarrier(t, &name);
	add_in(t->out, _("the mbarrier %1$s"), name.data);
	str_done(&name);
	if (finding_cause(t->f->cause)->has & FINDING_OTHER &&
	    t->f->other.block != t->f->access.block)
		add_in(t->out, _(" of block %1$s"),
		       block_text(t, &t->f->other));
}

/* ---- how many ---- */

static void tell_bytes(const struct telling *t)
{
	str_addf(t->out, "%" PRIu32, t->f->access.bytes);
}

static void tell_seconds(const struct telling *t)
{
	str_addf(t->out, "%g", (double)t->f->number[0] / 1000);
}

static void tell_mask(const struct telling *t)
{
	str_addf(t->out, "0x%08" PRIx64, t->f->number[0]);
}

static void tell_pitch(const struct telling *t)
{
	str_addf(t->out, "%d", FRAGMENT_PITCH);
}

static void tell_align(const struct telling *t)
{
	str_addf(t->out, "%d", FRAGMENT_ALIGN);
}

static void tell_expected(const struct telling *t)
{
	str_addf(t->out, "%.17g", t->f->expected);
}

static void tell_got(const struct telling *t)
{
	str_addf(t->out, "%.9g", t->f->got);
}

/* Adds a range of rows or columns: "rows 0..15", "column 7". */
static void add_line_range(const struct telling *t, const char *one,
		      const char *many, uint64_t first, uint64_t last)
{
	char *text = xasprintf(first == last ? one : many,
			       (unsigned long long)first,
			       (unsigned long long)last);

	str_add(t->out, text);
	free(text);
}

/* Adds the part of an output that nothing has written, by rows and columns. */
static void tell_region(const struct telling *t)
{
	const struct trace_array *a = get_finding_array(t);
	const uint64_t *n = t->f->number;
	uint64_t columns = a->rank > 1 ? a->dims[1] : 1;
	bool rows = n[0] || n[1] + 1 < a->dims[0];
	bool part = n[2] || n[3] + 1 < columns;

	if (!rows && !part)
		str_add(t->out, _("any element"));
	if (rows)
		add_line_range(t, _("row %llu"), _("rows %llu..%llu"), n[0], n[1]);
	if (rows && part)
		str_add(t->out, _(", "));
	if (part)
		add_line_range(t, _("column %llu"), _("columns %llu..%llu"), n[2],
			  n[3]);
}

/* Adds what an array was expected to be, in a kernel of the reader's. */
static void tell_if(const struct telling *t)
{
	char *text;

	if (!t->f->word || !*t->f->word)
		return;
	text = xasprintf(_(", if %1$s is to be %2$s"),
			 text_show(get_finding_array(t)->name),
			 text_show(_(t->f->word)));
	str_add(t->out, text);
	free(text);
}

/* Adds a hint if an array of integers, which may be indices, has assumed
 * values. */
static void tell_if_assumed(const struct telling *t)
{
	for (size_t i = 0; i < t->info->argument_count; i++) {
		const struct trace_argument *a = &t->info->arguments[i];
		enum elem elem = a->array == TRACE_NO_ARRAY ? ELEM_RAW :
				 t->info->arrays[a->array].elem;

		if (a->filled != DECIDED_ASSUMED || elem < ELEM_I8 ||
		    a->low == a->high)
			continue;
		add_in(t->out, _(" (the values of %1$s are assumed; --values "
				 "sets them)"), text_show(a->name));
		return;
	}
}

/* ---- the sentence ---- */

static const struct {
	const char *name;
	void (*tell)(const struct telling *t);
} names[] = {
	{ "thread", tell_thread }, { "other", tell_other },
	{ "index", tell_index }, { "block", tell_block },
	{ " in host's line", tell_host_line },
	{ " in line", tell_in_line }, { " in other line", tell_in_other_line },
	{ ", last in other line", tell_last_line }, { "; line", tell_at_line },
	{ "word", tell_word }, { "why", tell_why },
	{ ", which waits at other word", tell_other_word },
	{ "does", tell_does }, { "other does", tell_other_does },
	{ "element", tell_element }, { "elements", tell_elements },
	{ "result", tell_result }, { "array", tell_array },
	{ "region", tell_region }, { "extent", tell_extent },
	{ "accumulators", tell_accumulators },
	{ "mbarrier", tell_mbarrier }, { "bytes", tell_bytes },
	{ "seconds", tell_seconds }, { "mask", tell_mask },
	{ "pitch", tell_pitch }, { "align", tell_align },
	{ "expected", tell_expected }, { "got", tell_got }, { " if", tell_if },
	{ " if assumed", tell_if_assumed },
};

/* Replaces a name in braces: one of the table's, else a number of the cause.
 * Returns false if there is neither. */
static bool add_named_member(const struct telling *t, const char *name,
			     size_t length)
{
	const struct finding_cause_info *c = finding_cause(t->f->cause);

	for (size_t i = 0; i < LENGTH(names); i++)
		if (!strncmp(names[i].name, name, length) &&
		    !names[i].name[length]) {
			names[i].tell(t);
			return true;
		}
	for (size_t i = 0; i < finding_numbers(t->f->cause); i++)
		if (!strncmp(c->number[i], name, length) &&
		    !c->number[i][length]) {
			str_addf(t->out, "%" PRIu64, t->f->number[i]);
			return true;
		}
	return false;
}

static void fill_sentence(const struct telling *t, const char *sentence)
{
	while (*sentence) {
		size_t n = strcspn(sentence, "{");
		const char *name = sentence + n + 1;

		str_addf(t->out, "%.*s", (int)n, sentence);
		sentence += n;
		if (!*sentence)
			break;
		n = strcspn(name, "}");
		if (!add_named_member(t, name, n))
			fatal("a finding has no %.*s", (int)n, name);
		sentence = name + n + 1;
	}
}

/* Returns the sentence of a cause; another one for an array that no line
 * allocates. */
static const char *choose_sentence(const struct trace_finding *f)
{
	const struct finding_cause_info *c = finding_cause(f->cause);

	for (size_t i = 0; i < finding_numbers(f->cause); i++)
		if (!strcmp(c->number[i], "made") && !f->number[i] &&
		    (f->cause == CAUSE_NEVER_WRITTEN ||
		     f->cause == CAUSE_NEVER_SET))
			return _("{thread} reads {element}{ in line}, which "
				 "nothing has written: it does not begin "
				 "as 0");
	return _(finding_sentences[f->cause]);
}

char *finding_text(const struct trace_info *info, const struct trace_finding *f)
{
	struct str s = { 0 };
	const struct telling t = { info, f, &s };

	if (f->cause == CAUSE_TOLD)
		return text_clean(f->text, strlen(f->text), 0);
	fill_sentence(&t, choose_sentence(f));
	if (f->count > 1) {
		char *more = xasprintf(_(" (and %1$llu more like it)"),
				       (unsigned long long)(f->count - 1));

		str_add(&s, more);
		free(more);
	}
	return str_take(&s);
}
