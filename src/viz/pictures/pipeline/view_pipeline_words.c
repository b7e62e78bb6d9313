/* view_pipeline_words: pipelines as sentences. */
#include "viz/pictures/pipeline/view_pipeline.h"

void pipeline_words(struct str *out, const struct pipeline *p, double at)
{
	/* For one tile or stage, and for several. */
	static const char *const words[][2] = {
		[PIPELINE_IN_USE] = { N_("In use: tile %s."),
				      N_("In use: tiles %s.") },
		[PIPELINE_READY] = { N_("Ready: %s."), N_("Ready: %s.") },
		[PIPELINE_IN_FLIGHT] = { N_("In flight: %s."),
					 N_("In flight: %s.") },
		[PIPELINE_EMPTY] = { N_("Empty: stage %s."),
				     N_("Empty: stages %s.") },
	};

	for (int state = PIPELINE_IN_USE; state >= PIPELINE_EMPTY; state--) {
		struct str list = {0};
		int count = 0;

		for (uint32_t i = 0; i < p->stages; i++) {
			uint32_t tile;

			if ((int)pipeline_stage(p, i, at, &tile) == state)
				str_addf(&list, "%s%u", count++ ? ", " : "",
					 state == PIPELINE_EMPTY ? i : tile);
		}
		if (list.len) {
			str_add(out, out->len ? lang_joint() : "");
			str_addf(out, _(words[state][count > 1]), list.data);
		}
		str_done(&list);
	}
}

/* Tells whether sums leave after the last product. */
static bool has_tail(const struct pipeline *p)
{
	bool tail = false;

	for (uint32_t i = 0; i < p->role_count; i++)
		for (uint32_t s = p->ends + 1; s < p->steps; s++)
			tail |= p->roles[i].turns[s].does & PIPELINE_STORES;
	return tail;
}

bool pipeline_headline(struct str *out, const struct pipeline *p)
{
	uint32_t all = p->ends - p->begins + 1, gaps = all - p->computes;

	if (p->races) {
		str_addf(out, ngettext("%u race: this order is one of several, "
				       "and nothing enforces it.",
				       "%u races: this order is one of several, "
				       "and nothing enforces it.", p->races),
			 p->races);
		return false;
	}
	if (gaps && gaps == p->leaves) {
		str_addf(out, ngettext("Idle for %u step at first; then it "
				       "computes, or sums leave while "
				       "tiles come.",
				       "Idle for %u steps at first; then it "
				       "computes, or sums leave while "
				       "tiles come.", p->begins), p->begins);
		return true;
	}
	if (gaps)	/* with those before the first product */
		str_addf(out, _("In %u of %u steps nobody computes, up to the last "
				"product."),
			 gaps + p->begins, all + p->begins);
	else if (p->begins && has_tail(p))
		str_addf(out, ngettext("Idle for %u step at first, and at the "
				       "end, while the sums leave.",
				       "Idle for %u steps at first, and at the "
				       "end, while the sums leave.",
				       p->begins),
			 p->begins);
	else if (p->begins)
		str_addf(out, ngettext("Idle for %u step, then never again.",
				       "Idle for %u steps, then never again.",
				       p->begins),
			 p->begins);
	else
		str_add(out, _("Computing never stops."));
	return !gaps;
}

void pipeline_facts(struct str *out, const struct pipeline *p)
{
	if (p->laps > 1)
		str_addf(out, _("The block stays for %u tiles of C."),
			 p->laps);
	else
		str_add(out, _("The block computes one tile of C."));
	if (p->cluster > 1)
		str_addf(out, _(" The %u blocks of a cluster share what they "
				"bring."), p->cluster);
}

void pipeline_sentences(struct str *out, const struct frame_model *s)
{
	const struct pipeline *p = s->scene->pipeline;
	const struct pipeline_now *now = &s->scene->pipeline_now;

	str_addf(out, _("This is step %u of %u in the order of events."),
		 now->step + 1, p->steps);
	pipeline_words(out, p, now->step + now->part);
	if (s->quiet || !p->computes)
		return;
	str_add(out, lang_joint());
	pipeline_headline(out, p);
	if (p->apart) {
		str_add(out, lang_joint());
		pipeline_facts(out, p);
	}
}
