/* defect_words: a defect's threads and what they do, in words. */
#include "viz/defect_words.h"

#include <stdio.h>

#include "base/text.h"
#include "viz/kit.h"
#include "viz/frame_model.h"

const char *defect_words(const struct trace_finding *f)
{
	static const char *const words[FINDING_COUNT] = {
		[FINDING_OUT_OF_BOUNDS] = N_("outside its array"),
		[FINDING_READ_BEFORE_WRITE] = N_("read before it is stored"),
		[FINDING_RACE] = N_("a race"),
		[FINDING_BARRIER] = N_("not all come"),
		[FINDING_ENDLESS] = N_("without end"),
		[FINDING_CAP] = N_("cut short"),
		[FINDING_CRASH] = N_("the thread stops"),
		[FINDING_RESULT] = N_("a wrong result"),
	};

	return _(words[f->kind]);
}

/* Writes what an access does: "reads NaN", "stores -6, too late". */
static void access_deed_words(char *buf, size_t size,
			      const struct defect_actor *a, bool late)
{
	char value[32] = "";

	if (a->has_value)
		number_fit(value, sizeof(value), a->value, 8);
	if (!a->has_value)
		snprintf(buf, size, "%s", a->op == OP_LD ? _("reads") :
							   _("stores"));
	else if (a->op == OP_LD)
		snprintf(buf, size, late ? _("reads %s, too early") :
			 _("reads %s"), value);
	else
		snprintf(buf, size, late ? _("stores %s, too late") :
			 _("stores %s"), value);
}

/* Writes what an actor does. */
void defect_deed(char *buf, size_t size, const struct defect *d,
		 const struct defect_actor *a, bool judged)
{
	bool other = a == &d->other;
	const char *words = NULL;

	if (d->finding->kind == FINDING_BARRIER)
		words = !other ? _("waits") :
			d->finding->cause == CAUSE_BARRIER_ENDED ?
			_("has ended") : _("does not come");
	else if (d->finding->kind == FINDING_ENDLESS)
		words = _("runs on");
	else if (d->finding->kind == FINDING_CRASH)
		words = other ? _("was here") : _("stops");
	else if (!d->array)
		words = _("is here");
	if (words)
		snprintf(buf, size, "%s", words);
	else
		access_deed_words(buf, size, a,
				  judged && d->other.known &&
					  d->finding->cause == CAUSE_UNWRITTEN);
}

void defect_thread(char *buf, size_t size, const struct scene *sc,
			 const struct defect_actor *a)
{
	snprintf(buf, size, _("thread %s"),
		 finding_index_text(a->thread, &sc->info->block));
}
