/* diff_machine: see diff_machine.h. */
#include "cli/diff_machine.h"

#include <inttypes.h>
#include <stddef.h>

#include "analysis/report_machine.h"
#include "base/columns.h"
#include "base/lang.h"
#include "base/text.h"
#include "cli/launch_machine.h"

static const struct {
	const char *name;
	size_t at;	/* in struct machine_totals */
} totals[] = {
#define TOTAL(name, member) { name, offsetof(struct machine_totals, member) }
	TOTAL(N_("global load requests"), global_load_requests),
	TOTAL(N_("global load sectors"), global_load_sectors),
	TOTAL(N_("global store requests"), global_store_requests),
	TOTAL(N_("global store sectors"), global_store_sectors),
	TOTAL(N_("shared load instructions"), shared_load_requests),
	TOTAL(N_("shared load wavefronts"), shared_load_wavefronts),
	TOTAL(N_("shared store instructions"), shared_store_requests),
	TOTAL(N_("shared store wavefronts"), shared_store_wavefronts),
};

int diff_machine_make(struct machine_launch m[2], struct recorded *before,
		      struct recorded *after, struct error *e)
{
	if (!before->trace || !after->trace || before->launch.program ||
	    after->launch.program)
		return error_set(e, EXIT_USAGE, _("--machine compares two "
						  "kernels, not programs"));
	if (launch_machine(&before->launch, before->trace, &m[0], e) < 0)
		return -1;
	if (launch_machine(&after->launch, after->trace, &m[1], e) == 0)
		return 0;
	machine_done(&m[0]);
	return -1;
}

/* Returns a number as text; negative: it is not known. */
static char *machine_number_text(int64_t n)
{
	return n < 0 ? xstrdup(_("n/a")) : xasprintf("%" PRId64, n);
}

static void add_machine_numbers(struct columns *t, const char *name, int64_t before,
			int64_t after)
{
	char **row = columns_row(t);

	row[0] = xstrdup(name);
	row[1] = machine_number_text(before);
	row[2] = machine_number_text(after);
}

/* Returns a total of a launch; NA: it is not known. */
static int64_t machine_total_of(const struct machine_launch *m, size_t at)
{
	return m->held == MACHINE_NO ? NA :
	       *(const int64_t *)(const void *)((const char *)&m->totals + at);
}

void diff_machine_print(const struct machine_launch m[2], FILE *out)
{
	struct columns t = { .left = 1 };
	char **row = columns_row(&t);

	fprintf(out, "\n%s\n", _("Machine code"));
	row[0] = xstrdup("");
	for (int i = 0; i < 2; i++)
		row[i + 1] = xasprintf("%s, sm_%u", m[i].code.compiler ?
				       text_show(m[i].code.compiler) : "",
				       m[i].code.arch);
	add_machine_numbers(&t, _("registers a thread"), m[0].code.registers,
		    m[1].code.registers);
	add_machine_numbers(&t, _("bytes of spill stores"), m[0].code.spill_stores,
		    m[1].code.spill_stores);
	add_machine_numbers(&t, _("instructions in the code"), m[0].code.sass->count,
		    m[1].code.sass->count);
	for (size_t i = 0; i < LENGTH(totals); i++)
		add_machine_numbers(&t, _(totals[i].name), machine_total_of(&m[0], totals[i].at),
			    machine_total_of(&m[1], totals[i].at));
	columns_print(&t, out);
	columns_done(&t);
	if (MIN(m[0].code.arch, m[1].code.arch) < 90)
		fputs(_("  The cost of an access is that of sm_90.\n"), out);
	for (int i = 0; i < 2; i++)
		if (m[i].held == MACHINE_NO)
			fprintf(out, _("  Accesses of %1$s for sm_%2$u are not "
				       "known: %3$s.\n"), i ? _("the second") :
				_("the first"), m[i].code.arch, m[i].why);
}

json_t *diff_machine_json(const struct machine_launch m[2],
			  const struct recorded *before,
			  const struct recorded *after)
{
	struct report a = before->reports[0], b = after->reports[0];

	a.machine = &m[0];
	b.machine = &m[1];
	return json_pack("{so so}", "before", report_machine_json(&a), "after",
			 report_machine_json(&b));
}
