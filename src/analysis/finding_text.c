/*
 * finding_text: a sentence for each cause, with names in braces where the
 * finding's members go. Another language puts them where it likes.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/finding_text.h"
#include "base/lang.h"
#include "base/text.h"
#include "hardware/fragment.h"
#include "trace/trace_format.h"

static const char *const sentences[CAUSE_COUNT] = {
	[CAUSE_OUTSIDE_ARRAY] = N_("{thread} {does} {elements}; {array} has "
		"{extent}{; line}"),
	[CAUSE_NULL_POINTER] = N_("{thread} {does} through a null pointer"
		"{; line}"),
	[CAUSE_NO_ARRAY] = N_("{thread} {does} at an address that is in no "
		"array{; line}"),
	[CAUSE_UNWRITTEN] = N_("{thread} {does} {elements}, which nothing in "
		"the block has written{; line}"),
	[CAUSE_UNWRITTEN_REGISTER] = N_("{thread} {does} {elements}, which it "
		"has never written{; line}"),
	[CAUSE_READ_EARLY] = N_("{thread} reads {element}{ in line}, while the "
		"asynchronous copy that {other} started{ in other line} may "
		"still write it"),
	[CAUSE_SUMS_UNWRITTEN] = N_("{thread} lets wgmma accumulate onto sums "
		"that it has never written{; line}"),
	[CAUSE_WGMMA_EARLY] = N_("{thread} {does} {accumulators}, which a "
		"wgmma may still write: wgmma_wait_group() must come "
		"first{; line}"),
	[CAUSE_UNORDERED] = N_("{other} {other does} {element}{ in other line} "
		"and {thread} {does} it{ in line}, with no barrier between "
		"them"),
	[CAUSE_UNORDERED_BLOCKS] = N_("{other} {other does} {element}"
		"{ in other line} and {thread} {does} it{ in line}: nothing "
		"orders the two blocks"),
	[CAUSE_WRITTEN_EARLY] = N_("{thread} writes {element}{ in line}, while "
		"what {other} started{ in other line} may still read it"),
	[CAUSE_WRITTEN_TWICE] = N_("{thread} writes {element}{ in line}, while "
		"the asynchronous copy that {other} started{ in other line} "
		"may still write it"),
	[CAUSE_READ_UNFENCED] = N_("{thread} reads {element}{ in line} by TMA "
		"or wgmma, which might not see what {other} "
		"stored{ in other line}: there is no fence_proxy_async() after "
		"it"),
	[CAUSE_WRITTEN_UNFENCED] = N_("{thread} writes {element}{ in line} by "
		"TMA, which might not come after what {other} "
		"stored{ in other line}: there is no fence_proxy_async() after "
		"it"),
	[CAUSE_MBARRIER_UNORDERED] = N_("{thread} uses {mbarrier}, which "
		"{other} may not have initialized yet{ in other line}: nothing "
		"orders the two{; line}"),
	[CAUSE_MBARRIER_UNFENCED] = N_("{thread} uses {mbarrier}, and might "
		"not see that {other} has initialized it{ in other line}: "
		"there is no fence_mbarrier_init() after it{; line}"),
	[CAUSE_BOX_OUTLIVES] = N_("{thread} starts a TMA load that signals "
		"{mbarrier}, but the block ends{ in other line} without "
		"waiting for it{; line}"),
	[CAUSE_ARRIVAL_OUTLIVES] = N_("{thread} arrives at {mbarrier}, but the "
		"block may have ended by then{ in other line}: nothing makes "
		"it wait{; line}"),
	[CAUSE_TMA_STORE_UNREAD] = N_("{thread} ends before its TMA store has "
		"been read from shared memory, which then is another block's"
		"{; line}"),
	[CAUSE_WGMMA_UNFENCED] = N_("{thread} calls wgmma, which might not see "
		"what registers hold: wgmma_fence() must come before the "
		"first{; line}"),
	[CAUSE_WGMMA_UNFINISHED] = N_("{thread} ends before its wgmma is done: "
		"wgmma_commit_group() and wgmma_wait_group() must come "
		"first{; line}"),
	[CAUSE_BARRIER_ENDED] = N_("only {waiting} of {threads} threads of "
		"block {block} reach the barrier{ in line}: {other} has ended"
		"{, last in other line}"),
	[CAUSE_BARRIER_ELSEWHERE] = N_("only {waiting} of {threads} threads of "
		"block {block} reach the barrier{ in line}: {other} waits "
		"elsewhere{, last in other line}"),
	[CAUSE_LANES_MISSING] = N_("{thread} waits at {word}{ in line}; lanes "
		"of its warp that never arrive: {missing}, such as "
		"{other}{, which waits at other word}{ in other line}"),
	[CAUSE_LANES_FEW] = N_("{thread} calls {word}, which needs all 32 "
		"lanes of a warp: only {lanes} do{; line}"),
	[CAUSE_MASK_WITHOUT_SELF] = N_("{thread} calls {word} with the mask "
		"{mask}, which leaves out its own lane{; line}"),
	[CAUSE_SHUFFLE_FROM_NONE] = N_("{thread} reads by {word} from lane "
		"{lane}, which takes no part in it{; line}"),
	[CAUSE_NAMED_BARRIER] = N_("{thread} waits at barrier {barrier} for "
		"{threads} threads, of which {missing} never arrive{; line}"),
	[CAUSE_WGMMA_MISSING] = N_("{thread} waits at wgmma for {threads} "
		"threads, of which {missing} never arrive{; line}"),
	[CAUSE_WGMMA_OPERANDS] = N_("{thread} calls wgmma with operands that "
		"differ from those of {other} in its warpgroup{; line}"),
	[CAUSE_CLUSTER_MISSING] = N_("{thread} waits for all threads of its "
		"cluster, of which some never arrive{; line}"),
	[CAUSE_MBARRIER_WAIT] = N_("{thread} waits for phase {phase} of "
		"{mbarrier}, which never completes: {arrived} of {arrivals} "
		"arrivals, {bytes_arrived} of {bytes_expected} bytes{; line}"),
	[CAUSE_SPIN] = N_("{thread} spins on {element}{ in line}, which "
		"nothing can change: on the CPU, blocks run one at a time"),
	[CAUSE_ENDLESS_STEPS] = N_("step limit of {limit} reached: an endless "
		"loop, or raise --max-events; {thread} was running{ in line}"),
	[CAUSE_ENDLESS_SECONDS] = N_("time limit of {seconds} s reached: an "
		"endless loop, or raise --seconds; {thread} was running"
		"{ in line}"),
	[CAUSE_ENDLESS_IDLE] = N_("{thread} has run an empty loop for a second"
		"{ in line}: an endless loop"),
	[CAUSE_ENDLESS_EVENTS] = N_("event limit of {limit} reached, mostly by "
		"{thread}: an endless loop, or raise --max-events; it was "
		"running{ in line}"),
	[CAUSE_ENDLESS_MEMORY] = N_("{events} events fill the memory there is "
		"for one block, most of them of {thread}: an endless loop, or "
		"too large a block; it was running{ in line}"),
	[CAUSE_ENDLESS_THREAD] = N_("event limit reached: an endless loop, or "
		"raise --max-events; {thread} was running{ in line}"),
	[CAUSE_CAP_EVENTS] = N_("recording stopped at the limit of {limit} "
		"events: {complete} of {blocks} blocks are complete; of the "
		"{threads} threads of block {block}, {ended} had ended; "
		"thread {index} was running{ in line}"),
	[CAUSE_CAP_MEMORY] = N_("recording stopped at {events} events, all "
		"that one block has memory for: {complete} of {blocks} blocks "
		"are complete; of the {threads} threads of block {block}, "
		"{ended} had ended; thread {index} was running{ in line}"),
	[CAUSE_CAP_BLOCKS] = N_("recording stopped at the limit of {limit} "
		"events: {complete} of {blocks} blocks are complete"),
	[CAUSE_MISALIGNED] = N_("{thread} {does} {bytes} bytes at once at "
		"{element}, which is not aligned to {bytes} bytes: a GPU "
		"stops here{; line}"),
	[CAUSE_STACK_OVERFLOW] = N_("{thread} overflows its stack, as in "
		"endless recursion{; line}"),
	[CAUSE_DIVISION_BY_ZERO] = N_("{thread} divides by zero{; line}"),
	[CAUSE_INVALID_MEMORY] = N_("{thread}: invalid memory access{; line}"),
	[CAUSE_ILLEGAL_INSTRUCTION] = N_("{thread}: illegal instruction"
		"{; line}"),
	[CAUSE_TRAP] = N_("{thread} calls __trap(): a GPU stops here{; line}"),
	[CAUSE_ASSERT] = N_("{thread} fails in assert({word}): a GPU stops here"
		"{; line}"),
	[CAUSE_WMMA_PITCH] = N_("{thread} breaks a rule: wmma needs a leading "
		"dimension that is a multiple of {pitch} bytes{; line}"),
	[CAUSE_WMMA_ALIGN] = N_("{thread} breaks a rule: wmma needs an address "
		"that is a multiple of {align} bytes{; line}"),
	[CAUSE_LDMATRIX_SPACE] = N_("{thread} breaks a rule: ldmatrix reads "
		"shared memory only{; line}"),
	[CAUSE_STMATRIX_SPACE] = N_("{thread} breaks a rule: stmatrix writes "
		"shared memory only{; line}"),
	[CAUSE_COPY_FROM_SPACE] = N_("{thread} copies asynchronously from "
		"memory that is not global: a GPU stops here{; line}"),
	[CAUSE_COPY_TO_SPACE] = N_("{thread} copies asynchronously to memory "
		"that is not shared: a GPU stops here{; line}"),
	[CAUSE_COPY_BYTES] = N_("{thread} copies asynchronously a size other "
		"than 4, 8 or 16 bytes: a GPU stops here{; line}"),
	[CAUSE_COPY_ZEROS] = N_("{thread} fills an asynchronous copy with more "
		"zeros than it has bytes: a GPU stops here{; line}"),
	[CAUSE_TMA_SPACE] = N_("{thread} gives TMA, as its shared memory side, "
		"an address outside shared memory: a GPU stops here{; line}"),
	[CAUSE_TMA_ALIGN] = N_("{thread} gives TMA a shared memory address "
		"that is not aligned to 128 bytes: a GPU stops here{; line}"),
	[CAUSE_TMA_MULTICAST] = N_("{thread} multicasts by TMA to blocks "
		"outside its cluster: a GPU stops here{; line}"),
	[CAUSE_WGMMA_SPACE] = N_("{thread} breaks a rule: an operand of wgmma "
		"must be in shared memory{; line}"),
	[CAUSE_WGMMA_START] = N_("{thread} breaks a rule: an operand of wgmma "
		"begins in the first of 8 rows, at a multiple of 16 bytes"
		"{; line}"),
	[CAUSE_WGMMA_GROUP] = N_("{thread} breaks a rule: wgmma is for whole "
		"warpgroups of 128 threads{; line}"),
	[CAUSE_NAMED_BARRIER_NUMBER] = N_("{thread} breaks a rule: barriers "
		"have numbers from 1 to 15{; line}"),
	[CAUSE_NAMED_BARRIER_WARPS] = N_("{thread} breaks a rule: a barrier is "
		"for whole warps of the block{; line}"),
	[CAUSE_NAMED_BARRIER_COUNT] = N_("{thread} breaks a rule: all threads "
		"that come to a barrier must name the same number of threads"
		"{; line}"),
	[CAUSE_CLUSTER_ARRIVE] = N_("{thread} breaks a rule: cluster_wait() "
		"comes between one cluster_arrive() and the next{; line}"),
	[CAUSE_CLUSTER_WAIT] = N_("{thread} breaks a rule: cluster_arrive() "
		"comes before cluster_wait(){; line}"),
	[CAUSE_MBARRIER_RANK] = N_("{thread} uses {mbarrier} of a block that "
		"its cluster does not have{; line}"),
	[CAUSE_MBARRIER_ENDED] = N_("{thread} uses {mbarrier}, but that block "
		"has ended and has not initialized one there{; line}"),
	[CAUSE_MBARRIER_NONE] = N_("{thread} uses {mbarrier}, which nobody has "
		"initialized{; line}"),
	[CAUSE_MBARRIER_NO_ARRIVALS] = N_("{thread} initializes {mbarrier} "
		"with an arrival count of zero{; line}"),
	[CAUSE_MBARRIER_OVERRUN] = N_("{thread} uses {mbarrier}, at which more "
		"threads arrive in a phase than it was initialized for"
		"{; line}"),
	[CAUSE_WRONG_ELEMENT] = N_("{result} is {got}, but must be {expected}; "
		"{wrong} of {all} elements of {array} are wrong{ if}"),
	[CAUSE_NO_NUMBER] = N_("{result} was never written or is NaN, but must "
		"be {expected}; {wrong} of {all} elements of {array} are "
		"wrong{ if}"),
	[CAUSE_UNORDERED_LANES] = N_("{other} {other does} {element}"
		"{ in other line} and {thread} {does} it{ in line}, with no "
		"__syncwarp() between them: lanes of a warp need not run in "
		"step, and {pairs} pairs of lines from {first_line} to "
		"{last_line} race like this"),
};

/* A finding while it is told. */
struct telling {
	const struct trace_info *info;
	const struct trace_finding *f;
	struct str *out;
};

/* fmt has one %1$s. */
static void add_in(struct str *out, const char *fmt, const char *what)
{
	char *text = xasprintf(fmt, what);

	str_add(out, text);
	free(text);
}

/* ---- who and where ---- */

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

/* Which block it is of, only where that is another one. */
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

static void add_line(const struct telling *t, const char *fmt, uint32_t line)
{
	char number[16];

	snprintf(number, sizeof(number), "%" PRIu32, line);
	if (line)
		add_in(t->out, fmt, number);
}

static void tell_in_line(const struct telling *t)
{
	add_line(t, _(" in line %1$s"), t->f->access.line);
}

static void tell_in_other_line(const struct telling *t)
{
	add_line(t, _(" in line %1$s"), t->f->other.line);
}

static void tell_last_line(const struct telling *t)
{
	add_line(t, _(", last in line %1$s"), t->f->other.line);
}

static void tell_at_line(const struct telling *t)
{
	add_line(t, _("; line %1$s"), t->f->access.line);
}

static void tell_word(const struct telling *t)
{
	if (t->f->word)
		str_add(t->out, text_show(t->f->word));
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
static const struct trace_array *array_of(const struct telling *t)
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

/* A global array is a pointer to the kernel, and has one subscript. */
static struct trace_array as_indexed(const struct trace_array *a)
{
	struct trace_array flat = *a;

	if (a->space == SPACE_GLOBAL) {
		flat.rank = 1;
		flat.dims[0] = trace_array_bytes(a) / a->elem_bytes;
	}
	return flat;
}

/* "As[1][300]", or "As[1][300..303]" of more bytes than an element has. */
static void add_element(const struct telling *t, const struct trace_array *a,
			uint32_t bytes)
{
	int64_t index[TRACE_MAX_RANK];

	finding_element(a, t->f->offset, index);
	str_add(t->out, text_show(a->name));
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
	const struct trace_array a = as_indexed(array_of(t));

	add_element(t, &a, 1);
}

static void tell_elements(const struct telling *t)
{
	const struct trace_array a = as_indexed(array_of(t));

	add_element(t, &a, t->f->access.bytes);
}

/* By row and column. */
static void tell_result(const struct telling *t)
{
	add_element(t, array_of(t), 1);
}

static void tell_array(const struct telling *t)
{
	str_add(t->out, text_show(array_of(t)->name));
}

static void tell_extent(const struct telling *t)
{
	const struct trace_array a = as_indexed(array_of(t));
	struct str dims = { 0 };
	uint64_t all = trace_array_bytes(&a) / a.elem_bytes;

	for (uint32_t d = 0; d < a.rank; d++)
		str_addf(&dims, "%s%" PRIu64, d ? "x" : "", a.dims[d]);
	add_in(t->out, ngettext("%1$s element", "%1$s elements",
				(unsigned long)all), dims.data);
	str_done(&dims);
}

static void tell_accumulators(const struct telling *t)
{
	if (array_of(t))
		tell_array(t);
	else
		str_add(t->out, _("accumulators"));
}

/* "full[1]", or where in a structure. */
static void add_mbarrier(const struct telling *t, struct str *to)
{
	const struct trace_array *a = array_of(t);

	str_add(to, text_show(a->name));
	if (a->elem == ELEM_RAW)
		str_addf(to, _(" at byte %1$lld"), (long long)t->f->offset);
	else if (trace_array_bytes(a) > sizeof(uint64_t))
		str_addf(to, "[%" PRId64 "]", t->f->offset / a->elem_bytes);
}

static void tell_mbarrier(const struct telling *t)
{
	struct str name = { 0 };

	if (!array_of(t)) {
		str_add(t->out, _("an mbarrier that is in no array"));
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

/* Of a reader's kernel. */
static void tell_if(const struct telling *t)
{
	char *text;

	if (!t->f->word || !*t->f->word)
		return;
	text = xasprintf(_(", if %1$s is to be %2$s"),
			 text_show(array_of(t)->name),
			 text_show(_(t->f->word)));
	str_add(t->out, text);
	free(text);
}

/* ---- the sentence ---- */

static const struct {
	const char *name;
	void (*tell)(const struct telling *t);
} names[] = {
	{ "thread", tell_thread }, { "other", tell_other },
	{ "index", tell_index }, { "block", tell_block },
	{ " in line", tell_in_line }, { " in other line", tell_in_other_line },
	{ ", last in other line", tell_last_line }, { "; line", tell_at_line },
	{ "word", tell_word },
	{ ", which waits at other word", tell_other_word },
	{ "does", tell_does }, { "other does", tell_other_does },
	{ "element", tell_element }, { "elements", tell_elements },
	{ "result", tell_result }, { "array", tell_array },
	{ "extent", tell_extent }, { "accumulators", tell_accumulators },
	{ "mbarrier", tell_mbarrier }, { "bytes", tell_bytes },
	{ "seconds", tell_seconds }, { "mask", tell_mask },
	{ "pitch", tell_pitch }, { "align", tell_align },
	{ "expected", tell_expected }, { "got", tell_got }, { " if", tell_if },
};

/* What stands in braces: one of the names, else a number of the cause's. */
static bool tell(const struct telling *t, const char *name, size_t length)
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

static void fill(const struct telling *t, const char *sentence)
{
	while (*sentence) {
		size_t n = strcspn(sentence, "{");
		const char *name = sentence + n + 1;

		str_addf(t->out, "%.*s", (int)n, sentence);
		sentence += n;
		if (!*sentence)
			break;
		n = strcspn(name, "}");
		if (!tell(t, name, n))
			fatal("a finding has no %.*s", (int)n, name);
		sentence = name + n + 1;
	}
}

char *finding_text(const struct trace_info *info, const struct trace_finding *f)
{
	struct str s = { 0 };
	const struct telling t = { info, f, &s };

	if (f->cause == CAUSE_TOLD)
		return text_clean(f->text, strlen(f->text), 0);
	fill(&t, _(sentences[f->cause]));
	if (f->count > 1) {
		char *more = xasprintf(_(" (and %1$llu more like it)"),
				       (unsigned long long)(f->count - 1));

		str_add(&s, more);
		free(more);
	}
	return str_take(&s);
}
