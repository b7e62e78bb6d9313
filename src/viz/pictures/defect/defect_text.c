/* defect_text: draws what threads did, how often it happened, and the fix. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "viz/defect_words.h"
#include "viz/pictures/defect/defect_panels.h"

/* ---- two threads ---- */

/* Draws a thread with what it does, and below it the line. */
static void draw_deed(struct canvas *c, struct rect r,
		     const struct frame_model *s, const struct defect_actor *a)
{
	const struct source *source = s->scene->source;
	char who[64], deed[64];
	int x = r.x, used;

	defect_thread(who, sizeof(who), s->scene, a);
	defect_deed(deed, sizeof(deed), &s->scene->defect, a, !s->quiet);
	x += canvas_text(c, x, r.y, r.w, who,
			 a == &s->scene->defect.access ?
				 INK_BOLD(ROLE_STRONG) : INK(ROLE_TEXT)) + 1;
	canvas_text(c, x, r.y, r.x + r.w - x, deed, INK_BOLD(ROLE_BAD));
	if (!a->line || a->line > source->count)
		return;
	used = canvas_textf(c, r.x, r.y + 1, r.w,
			    (struct ink){ ROLE_ON_HUE, ROLE_ACCENT,
					  ATTR_BOLD }, " %" PRIu32 " ",
			    a->line) + 1;
	canvas_text(c, r.x + used, r.y + 1, r.w - used,
		    source->lines[a->line - 1].text +
			    strspn(source->lines[a->line - 1].text, " "),
		    INK(ROLE_TEXT));
}

/* Draws both threads in the order of events, and what is between them. */
void defect_draw_deeds(struct canvas *c, struct rect r,
		       const struct frame_model *s)
{
	const struct defect *d = &s->scene->defect;
	bool orders = d->finding->cause == CAUSE_UNORDERED ||
		      d->finding->cause == CAUSE_UNWRITTEN;
	int y = r.y;

	for (int i = 0; i < 2; i++) {
		bool other = d->other_first == !i;
		const struct defect_actor *a = other ? &d->other : &d->access;
		struct rect at = { r.x, y, r.w, 2 };

		if (!a->known)
			continue;
		if (y > r.y && orders && r.h >= 5) {
			if (!s->quiet)
				canvas_text(c, r.x + 1, y, r.w,
					    _("no barrier between them"),
					    INK(ROLE_BAD));
			at.y = ++y;
		}
		/* The other's rows are kept free while a question is open. */
		if (!other || !s->quiet)
			draw_deed(c, at, s, a);
		y += a->line ? 2 : 1;
	}
}

/* ---- how much ---- */

/* Writes what a finding's occurrences are. */
static void finding_words(char *buf, size_t size,
			  const struct defect_count *n)
{
	const struct trace_finding *f = n->finding;
	const char *name = n->array ? n->array->name : "";

	if (f->kind == FINDING_RESULT)
		snprintf(buf, size, _("of %s's %llu sums are wrong"), name,
			 (unsigned long long)n->of);
	else if (f->kind == FINDING_OUT_OF_BOUNDS && n->array)
		snprintf(buf, size, f->access.op == OP_ST ?
			 _("stores outside %s, line %u") :
			 _("reads outside %s, line %u"), name,
			 f->access.line);
	else if (f->kind == FINDING_READ_BEFORE_WRITE && n->array)
		snprintf(buf, size, _("reads of %s too early, line %u"), name,
			 f->access.line);
	else if (f->kind == FINDING_RACE && n->array && f->other.line)
		snprintf(buf, size, _("races on %s, lines %u, %u"), name,
			 f->access.line, f->other.line);
	else if (f->kind == FINDING_BARRIER)
		snprintf(buf, size, _("times not all came, line %u"),
			 f->access.line);
	else
		snprintf(buf, size, _("times in line %u: %s"), f->access.line,
			 defect_words(f));
}

static void write_count_words(char *buf, size_t size, const struct defect_count *n)
{
	if (n->kind == COUNT_FINDING)
		finding_words(buf, size, n);
	else if (n->kind == COUNT_NEXT_ROW)
		snprintf(buf, size, _("reads got %s's next row: silent"),
			 n->array->name);
	else
		snprintf(buf, size, _("of %s's %llu sums never stored"),
			 n->array->name, (unsigned long long)n->of);
}

/* Draws a bar of the scale that all share: red what is wrong, grey what could
 * be. */
static void draw_scaled_bar(struct canvas *c, int x, int y, int w,
			   const struct defect_facts *f,
			   const struct defect_count *n)
{
	if (n->of)
		kit_bar(c, x, y, w, (double)n->of / (double)f->most, ROLE_OWN,
			ROLE_NONE);
	kit_bar(c, x, y, n->of ? (int)((double)w * (double)n->of /
				       (double)f->most) : w,
		(double)n->n / (double)(n->of ? n->of : f->most), ROLE_BAD,
		n->of ? ROLE_OWN : ROLE_NONE);
}

void defect_draw_counts(struct canvas *c, struct rect r,
			const struct frame_model *s)
{
	const struct defect_facts *f = s->scene->facts;
	struct trace_dim g = s->scene->info->grid;
	uint32_t blocks = g.x * g.y * g.z;
	int shown = MIN((int)f->count_count, (r.h - 1) / 2), digits = 1;
	int each = r.h > 3 * shown ? 3 : 2, x;
	char text[96];

	for (uint64_t n = f->most; n >= 10; n /= 10)
		digits++;
	snprintf(text, sizeof(text), ngettext("In %u block",
					      "In all %u blocks",
					      blocks), blocks);
	x = r.x + canvas_text(c, r.x, r.y, r.w, text, INK_BOLD(ROLE_STRONG)) +
	    2;
	snprintf(text, sizeof(text), _("a whole bar: %llu"),
		 (unsigned long long)f->most);
	kit_whole(c, x, r.y, r.x + r.w - x, text, INK(ROLE_DIM));
	for (int i = 0; i < shown; i++) {
		int y = r.y + 1 + i * each;

		canvas_textf(c, r.x, y, digits, INK_BOLD(ROLE_BAD),
			     "%*" PRIu64, digits, f->counts[i].n);
		write_count_words(text, sizeof(text), &f->counts[i]);
		canvas_text(c, r.x + digits + 1, y, r.w - digits - 1, text,
			    INK(ROLE_TEXT));
		draw_scaled_bar(c, r.x, y + 1, r.w, f, &f->counts[i]);
	}
}

/* ---- the fix ---- */

int defect_fix_rows(const struct scene *sc)
{
	const struct defect_fix *f = defect_fix(sc->info->kernel);
	int rows = 0;

	while (f && rows < DEFECT_CHANGES && f->changes[rows].sign)
		rows++;
	return f ? rows + 3 : 0;
}

void defect_draw_fix(struct canvas *c, struct rect r,
		     const struct frame_model *s)
{
	const struct defect_fix *f = defect_fix(s->scene->info->kernel);
	int y = r.y + 1;

	if (!f || s->quiet)
		return;
	canvas_textf(c, r.x, r.y, r.w, INK_BOLD(ROLE_STRONG),
		     _("What the fix changes (%s)"), f->repaired);
	for (int i = 0; i < DEFECT_CHANGES && f->changes[i].sign; i++) {
		const struct defect_change *k = &f->changes[i];
		enum role role = k->sign == '-' ? ROLE_BAD : ROLE_GOOD;

		if (k->line)
			canvas_textf(c, r.x, y, 3, INK(ROLE_DIM), "%2u",
				     k->line);
		canvas_textf(c, r.x + 3, y++, r.w - 3, INK(role), "%c %s",
			     k->sign, k->text);
	}
	prose_fit(c, (struct rect){ r.x, y, r.w, r.y + r.h - y },
		  _("So repaired, nothing is found, and C is right."),
		  INK(ROLE_DIM));
}
