/* report_machine: see report_machine.h. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/report_machine.h"
#include "analysis/report_parts.h"
#include "base/lang.h"
#include "base/text.h"

/* A row and the trace that it is of. */
struct row_of {
	const struct report_site *row;
	const struct trace_info *info;
};

/* Tests for a site of the row: its place, array and op. */
static bool is_row(const void *ctx, const struct trace_site *s)
{
	const struct row_of *of = ctx;
	const struct report_site *row = of->row;
	const struct trace_array *a;

	if (s->line != row->line || s->column != row->column ||
	    s->op != row->op || s->array == TRACE_NO_ARRAY)
		return false;
	a = &of->info->arrays[s->array];
	return a->space == row->space &&
	       !strncmp(text_show(a->name), row->array,
			strlen(row->array) > 60 ? 50 : sizeof(row->array));
}

struct machine_sum report_machine_sum(const struct report *r,
				      const struct report_site *s)
{
	const struct row_of of = { s, r->info };
	struct machine_sum none = { 0 };

	if (!r->machine || r->machine->held == MACHINE_NO ||
	    !op_is_access(s->op) ||
	    (s->space != SPACE_GLOBAL && s->space != SPACE_SHARED))
		return none;
	return machine_sum(r->machine, r->info, is_row, &of);
}

bool report_machine_differs(const struct report_site *s,
			    const struct machine_sum *sum)
{
	if (!sum->name)
		return false;
	if ((uint64_t)s->requests != sum->count.requests ||
	    s->bytes != sum->bytes)
		return true;
	return s->space == SPACE_SHARED ?
	       (uint64_t)s->wavefronts != sum->count.wavefronts :
	       (uint64_t)s->sectors != sum->count.sectors;
}

/* ---- for people ---- */

/* Returns the threads of the recorded blocks. */
static double recorded_threads(const struct report *r)
{
	const struct trace_dim *b = &r->info->block;

	return (double)r->blocks.count * b->x * b->y * b->z;
}

/* Finds the row of which merging changed most: first its wavefronts, then its
 * requests. */
static const struct report_site *find_changed(const struct report *r,
					      struct machine_sum *sum)
{
	const struct report_site *found = NULL;
	int64_t most = 0;

	for (size_t i = 0; i < r->site_count; i++) {
		const struct report_site *s = &r->sites[i];
		struct machine_sum of = report_machine_sum(r, s);
		int64_t saved = s->requests - (int64_t)of.count.requests;

		if (s->space == SPACE_SHARED)
			saved += WARP_LANES * (s->wavefronts -
					       (int64_t)of.count.wavefronts);
		if (of.name && saved > most) {
			free(sum->name);
			*sum = of;
			most = saved;
			found = s;
		} else {
			free(of.name);
		}
	}
	return found;
}

/* Adds what became of wavefronts. */
static void add_wavefronts(struct str *s, const struct report_site *row,
			   const struct machine_sum *sum)
{
	uint64_t w = sum->count.wavefronts, ideal = sum->count.ideal_wavefronts;

	if (row->space != SPACE_SHARED) {
		str_add(s, ".");
		return;
	}
	if ((uint64_t)row->wavefronts == w)
		str_add(s, _("; it takes the same number of wavefronts"));
	else
		str_addf(s, _(", %1$lld wavefronts became %2$llu"),
			 (long long)row->wavefronts, (unsigned long long)w);
	if (ideal && w > ideal)
		str_addf(s, _("; lanes still collide: %.3g times the "
			      "wavefronts that are needed"),
			 (double)w / (double)ideal);
	str_add(s, ".");
}

static void print_change(const struct report *r, FILE *out)
{
	struct machine_sum sum = { 0 };
	const struct report_site *row = find_changed(r, &sum);
	double threads = recorded_threads(r);
	struct str s = { 0 };
	int64_t lanes = 0;

	if (!row || threads <= 0) {
		report_wrapped(_("  The compiler merged no accesses."), 4,
			       out);
		free(sum.name);
		return;
	}
	/* A request of the source has as many lanes as one of the machine, to
	 * the rounding of what is predicated. */
	lanes = sum.count.requests ? (int64_t)(sum.count.lanes /
					       sum.count.requests) : 0;
	str_addf(&s, _("  Line %1$u: for %2$.3g accesses of a thread to %3$s, "
		       "of %4$u bytes each, the machine makes %5$.3g of %6$u "
		       "bytes: %7$lld requests became %8$llu"),
		 row->line, (double)(row->requests * lanes) / threads,
		 row->array, row->bytes, (double)sum.count.lanes / threads,
		 sum.bytes, (long long)row->requests,
		 (unsigned long long)sum.count.requests);
	add_wavefronts(&s, row, &sum);
	report_wrapped(s.data, 4, out);
	str_done(&s);
	free(sum.name);
}

/* Prints the compiler, registers and spills. */
static void print_needs(const struct machine_launch *m, FILE *out)
{
	const struct machine_code *c = &m->code;
	struct str s = { 0 };

	if (c->compiler)
		str_addf(&s, _("  Compiled by %1$s for sm_%2$u: "),
			 text_show(c->compiler), c->arch);
	else
		str_addf(&s, _("  Code for sm_%u: "), c->arch);
	if (c->registers >= 0)
		str_addf(&s, ngettext("%d register a thread", "%d registers a "
				      "thread", (unsigned long)c->registers),
			 c->registers);
	else
		str_add(&s, _("registers are not known"));
	if (c->spill_stores > 0 || c->spill_loads > 0)
		str_addf(&s, _(", %1$d bytes of spill stores and %2$d of spill "
			       "loads"), MAX(0, c->spill_stores),
			 MAX(0, c->spill_loads));
	else if (m->spill_accesses)
		str_addf(&s, _(", %u instructions that spill"),
			 m->spill_accesses);
	else if (c->spill_stores == 0)
		str_add(&s, _(", nothing spilled"));
	str_addf(&s, _(", %u bytes of shared memory."), c->shared);
	report_wrapped(s.data, 4, out);
	str_done(&s);
}

static void print_held(const struct machine_launch *m, FILE *out)
{
	struct str s = { 0 };

	str_add(&s, "  ");
	if (m->held == MACHINE_ANSWER)
		str_add(&s, _("Running this code gives the recording's "
			      "values."));
	else if (m->held == MACHINE_ADDRESSES)
		str_add(&s, _("Running this code reads and stores the bytes "
			      "that the recording does; its values were not "
			      "compared."));
	else if (m->held == MACHINE_ALONE)
		str_add(&s, _("All arrays held zeros; no result was "
			      "compared."));
	else
		str_addf(&s, _("Its accesses are not known: %s."), m->why);
	report_wrapped(s.data, 4, out);
	str_done(&s);
}

void report_machine_print(const struct report *r, FILE *out)
{
	if (!r->machine && !r->machine_missing)
		return;
	fprintf(out, "\n%s\n", _("Machine code"));
	if (!r->machine) {
		char *line = xasprintf(
			_("  Counts are those of the source; the compiler may "
			  "merge neighbouring accesses. pip install "
			  "nvidia-cuda-nvrtc nvidia-cuda-nvdisasm shows it "
			  "(%s)."), r->machine_missing);

		report_wrapped(line, 4, out);
		free(line);
		return;
	}
	print_needs(r->machine, out);
	if (r->machine->held == MACHINE_ADDRESSES ||
	    r->machine->held == MACHINE_ANSWER)
		print_change(r, out);
	print_held(r->machine, out);
	if (r->machine->held != MACHINE_NO && r->machine->code.arch < 90)
		report_wrapped(_("  The code is this architecture's; the cost "
				 "of an access is that of sm_90."), 4, out);
}

/* ---- JSON ---- */

static json_t *known_or_null(int n)
{
	return n < 0 ? json_null() : json_integer(n);
}

static json_t *machine_access_json(const struct report *r,
			   const struct machine_access *a)
{
	const struct sass_instruction *i =
		&r->machine->code.sass->code[a->instruction];
	bool shared = a->space == RUN_SHARED;
	uint32_t line = sass_line(r->machine->code.sass, i,
				  r->info->file ? r->info->file : "");
	char *name = sass_name(i);
	json_t *sites = json_array();
	json_t *o;

	for (uint32_t n = 0; n < a->site_count; n++)
		json_array_append_new(sites, json_pack("[I,I]",
			(json_int_t)r->info->sites[a->sites[n]].line,
			(json_int_t)r->info->sites[a->sites[n]].column));
	o = json_pack("{s:I, s:o, s:s, s:s, s:s, s:I, s:I, s:I, s:o, s:o, s:o, "
		      "s:I, s:o}", "address", (json_int_t)i->address, "line",
		      line ? json_integer(line) : json_null(), "opcode",
		      name, "space", shared ? "shared" : a->space == RUN_LOCAL ?
		      "local" : "global", "op", op_name(a->op), "bytes",
		      (json_int_t)a->bytes, "executed",
		      (json_int_t)r->machine->executed[a->instruction],
		      "requests", (json_int_t)a->count.requests,
		      "sectors", a->space == RUN_GLOBAL ?
		      json_integer((json_int_t)a->count.sectors) : json_null(),
		      "wavefronts", shared ?
		      json_integer((json_int_t)a->count.wavefronts) :
		      json_null(), "ideal", a->space == RUN_LOCAL ? json_null() :
		      json_integer((json_int_t)(shared ?
						a->count.ideal_wavefronts :
						a->count.ideal_sectors)),
		      "unasked_bytes", (json_int_t)a->unasked, "sites", sites);
	free(name);
	return o;
}

json_t *report_compiled_json(const struct report *r,
			     const struct report_site *s)
{
	const struct row_of of = { s, r->info };
	json_t *list;

	if (r->machine->held == MACHINE_NO)
		return json_null();
	list = json_array();
	for (size_t i = 0; i < r->machine->access_count; i++) {
		const struct machine_access *a = &r->machine->accesses[i];
		bool is = false;

		for (uint32_t n = 0; n < a->site_count && !is; n++)
			is = is_row(&of, &r->info->sites[a->sites[n]]);
		if (is)
			json_array_append_new(list, machine_access_json(r, a));
	}
	return list;
}

json_t *report_accesses_json(const struct report *r)
{
	json_t *list = json_array();

	for (size_t i = 0; i < r->machine->access_count; i++)
		json_array_append_new(list, machine_access_json(
			r, &r->machine->accesses[i]));
	return list;
}

static json_t *code_json(const struct machine_launch *m, const char *file)
{
	json_t *list = json_array();

	for (uint32_t n = 0; n < m->code.sass->count; n++) {
		const struct sass_instruction *i = &m->code.sass->code[n];
		uint32_t line = sass_line(m->code.sass, i, file);

		json_array_append_new(list, json_pack("{s:I, s:s, s:o, s:o}",
			"address", (json_int_t)i->address, "text", i->text,
			"line", line ? json_integer(line) : json_null(),
			"executed", m->executed ?
			json_integer((json_int_t)m->executed[n]) :
			json_null()));
	}
	return list;
}

static json_t *machine_totals_json(const struct machine_totals *t)
{
	return json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I}",
			 "global_load_requests",
			 (json_int_t)t->global_load_requests,
			 "global_load_sectors",
			 (json_int_t)t->global_load_sectors,
			 "global_store_requests",
			 (json_int_t)t->global_store_requests,
			 "global_store_sectors",
			 (json_int_t)t->global_store_sectors,
			 "shared_load_requests",
			 (json_int_t)t->shared_load_requests,
			 "shared_load_wavefronts",
			 (json_int_t)t->shared_load_wavefronts,
			 "shared_store_requests",
			 (json_int_t)t->shared_store_requests,
			 "shared_store_wavefronts",
			 (json_int_t)t->shared_store_wavefronts);
}

json_t *report_machine_json(const struct report *r)
{
	static const char *const held[] = { "no", "addresses", "answer",
					    "alone" };
	const struct machine_launch *m = r->machine;
	const struct machine_code *c = &m->code;
	char arch[16];

	snprintf(arch, sizeof(arch), "sm_%u", c->arch);
	return json_pack("{s:s?, s:s, s:o, s:o, s:o, s:I, s:I, s:s, s:s?, s:I, "
			 "s:o, s:o}", "compiler", c->compiler, "arch", arch,
			 "registers", known_or_null(c->registers),
			 "spill_stores", known_or_null(c->spill_stores),
			 "spill_loads", known_or_null(c->spill_loads),
			 "local_bytes", (json_int_t)c->stack,
			 "shared_bytes", (json_int_t)c->shared,
			 "held", held[m->held], "why", m->why,
			 "warp_instructions", (json_int_t)m->steps, "totals",
			 m->held == MACHINE_NO ? json_null() :
			 machine_totals_json(&m->totals), "code",
			 code_json(m, r->info->file ? r->info->file : ""));
}
