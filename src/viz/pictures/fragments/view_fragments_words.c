/* Writes the legends of the picture of fragments. */
#include <stdio.h>

#include "base/text.h"
#include "viz/kit.h"
#include "viz/pictures/fragments/view_fragments.h"

/* Returns the number of elements that each lane has of an operand. */
static int elements_each(const struct fragments_operand *o)
{
	return o->layout.elements / o->layout.copies;
}

void fragments_headline(struct canvas *c, struct rect r, const struct frame_model *s)
{
	const struct fragments *f = s->scene->fragments;
	char words[160];

	if (s->quiet)
		return;
	snprintf(
		words, sizeof(words),
		_("A, B and C are spread over 32 lanes: each holds %d elements "
		  "of A, %d of B and %d of C in its own registers."),
		elements_each(&f->a), elements_each(&f->b),
		elements_each(&f->d));
	prose_fit(c, r, words, INK_BOLD(ROLE_STRONG));
}

/* Writes what the numbers are; without a headline also how many elements each
 * lane has. */
static void holder_words(char *buf, size_t size, const struct frame_model *s,
			 bool headed)
{
	const struct fragments *f = s->scene->fragments;

	if (headed || s->lesson.question)
		snprintf(buf, size, "%s", _("the lane that holds the element"));
	else
		snprintf(buf, size,
			 _("the lane that holds the element: each of "
			   "32 has %d of A, %d of B, %d of C"),
			 elements_each(&f->a), elements_each(&f->b),
			 elements_each(&f->d));
}

void fragments_legend(struct canvas *c, struct rect r, const struct frame_model *s,
		      bool headed, bool named)
{
	uint32_t lane = s->scene->cursor.lane, next = (lane + 4) % WARP_LANES;
	const struct ink own = { ROLE_ON_HUE, ROLE_HUE(lane), ATTR_BOLD };
	int x = r.x, end = r.x + r.w;
	char other[8], words[120];

	snprintf(other, sizeof(other), " %u ", next);
	x += canvas_text(c, x, r.y, end - x, other,
			 INK_ON(ROLE_HUE(next), ROLE_FIELD)) + 1;
	holder_words(words, sizeof(words), s, headed);
	x += canvas_text(c, x, r.y, end - x, words, INK(ROLE_DIM)) + 3;
	snprintf(words, sizeof(words), _("held by lane %u, in its register"),
		 lane);
	if (!named || x + 5 + text_width(words) > end)
		return;
	x += canvas_text(c, x, r.y, end - x, " a0 ", own) + 1;
	canvas_text(c, x, r.y, end - x, words, INK(ROLE_DIM));
}

void fragments_sentences(struct str *out, const struct frame_model *s)
{
	const struct fragments *f = s->scene->fragments;
	char away[128];

	if (!f)
		return;
	if (f->away) {
		fragments_away(away, sizeof(away), f);
		str_addf(out, "%s%s", away, lang_joint());
	}
	if (f->kind == FRAGMENTS_MATRIX) {
		str_add(out, _("A lane names a row; a number is the lane that "
			       "gets the element."));
		if (!s->quiet && f->wavefronts >= 0)
			str_addf(out, ngettext(" %d wavefront.",
					       " %d wavefronts.",
					       (unsigned)f->wavefronts),
				 f->wavefronts);
		if (!s->quiet && f->plain_wavefronts > f->wavefronts)
			str_addf(out, _(" Without the swizzle it would be "
					"%d."), f->plain_wavefronts);
		return;
	}
	str_addf(out, f->kind == FRAGMENTS_WGMMA ?
		 _("Four warps multiply %d \xc3\x97 %d by %d \xc3\x97 %d: "
		   "%d products.") :
		 _("The warp multiplies %d \xc3\x97 %d by %d \xc3\x97 %d: "
		   "%d products."), f->m, f->k, f->k, f->n,
		 f->m * f->n * f->k);
}
