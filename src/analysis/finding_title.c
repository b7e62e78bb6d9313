/*
 * finding_title: the kinds of findings by the names that people read. See
 * finding_text.h.
 */
#include <string.h>

#include "analysis/finding_text.h"
#include "base/base.h"
#include "base/lang.h"

/* A kind, and its name in a sentence of its own, because the word alone means
 * other things elsewhere. */
static const struct { const char *kind, *title; } titles[] = {
	{ "out-of-bounds", N_("finding: out-of-bounds") },
	{ "read-before-write", N_("finding: read-before-write") },
	{ "race", N_("finding: race") },
	{ "barrier", N_("finding: barrier") },
	{ "endless", N_("finding: endless") },
	{ "cap", N_("finding: cap") },
	{ "crash", N_("finding: crash") },
	{ "wrong-result", N_("finding: wrong-result") },
	{ "note", N_("finding: note") },
	{ "bank-conflict", N_("finding: bank-conflict") },
	{ "uncoalesced", N_("finding: uncoalesced") },
	{ "serialized", N_("finding: serialized") },
	{ "divergent", N_("finding: divergent") },
	{ "misaligned", N_("finding: misaligned") },
};

const char *finding_title(const char *kind)
{
	for (size_t i = 0; i < LENGTH(titles); i++)
		if (!strcmp(titles[i].kind, kind) &&
		    _(titles[i].title) != titles[i].title)
			return _(titles[i].title);
	return NULL;
}

char *finding_heading(const char *kind)
{
	const char *title = finding_title(kind);

	return title ? xasprintf(_("%1$s (%2$s)"), title, kind) :
		       xstrdup(kind);
}
