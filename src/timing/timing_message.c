/* Turns a runner's messages into a benchmark, strictly. */
#include "timing/timing_json.h"

#include <string.h>

#include "base/lang.h"
#include "timing/timing_members.h"
#include "timing/timing_parts.h"

static int take_queue(struct timing *t, const json_t *m, struct error *e)
{
	double place = NA;

	if (member_number(m, "place", 0, &place, e))
		return -1;
	if (place == NA || place > 1e6)
		return members_wrong(e, _("expected a number in \"%s\""),
				     "place");
	t->place = place > 0 ? (int)place : -1;
	return 0;
}

static int take_case(struct timing *t, const json_t *m, struct error *e)
{
	struct timing_result *r;
	size_t size, case_at;

	if (members_pair(t, m, &size, &case_at, e))
		return -1;
	r = timing_result_at(t, size, case_at);
	if (member_text(m, "text_hash", &t->cases[case_at].text_hash, e) ||
	    member_number(m, "intensity", 0,
			&t->cases[case_at].intensity[size], e))
		return -1;
	/* What has failed stays so: it may be our judgement. */
	if (r->state == TIMING_FAILED)
		return 0;
	return members_state(r, m, "text", e);
}

static int take_sample(struct timing *t, const json_t *m, struct error *e)
{
	struct timing_result *r;
	size_t size, case_at;
	json_t *one;
	int status;

	if (members_pair(t, m, &size, &case_at, e))
		return -1;
	r = timing_result_at(t, size, case_at);
	if (r->state == TIMING_FAILED)
		return 0;
	if (r->state != TIMING_READY)
		return members_wrong(e, _("a sample of %s, which is %s"),
			     t->cases[case_at].label,
			     timing_state_names[r->state]);
	one = json_pack("[O]", json_object_get(m, "seconds"));
	status = one ? member_samples(r, one, e) :
		       members_wrong(e, _("an invalid launch time"));
	json_decref(one);
	if (!status)
		timing_sampled(t, size * t->case_count + case_at);
	return status;
}

static int take_gauge(struct timing *t, const json_t *m, struct error *e)
{
	t->now_mhz = t->watts = t->celsius = NA;
	if (member_number(m, "clock_mhz", 0, &t->now_mhz, e) ||
	    member_number(m, "watts", 0, &t->watts, e))
		return -1;
	return member_number(m, "celsius", -100, &t->celsius, e);
}

static int take_timed(struct timing *t, const json_t *m, struct error *e)
{
	(void)m;
	(void)e;
	t->done = true;
	return 0;
}

bool timing_take(struct timing *t, const json_t *message, int *rc,
		 struct error *e)
{
	static const struct {
		const char *type;
		int (*take)(struct timing *t, const json_t *m,
			    struct error *e);
	} types[] = {
		{ "queue", take_queue }, { "machine", members_machine },
		{ "entrant", take_case }, { "sample", take_sample },
		{ "gauge", take_gauge }, { "timed", take_timed },
	};
	const char *type = json_string_value(json_object_get(message,
							     "type"));

	for (size_t i = 0; type && i < LENGTH(types); i++) {
		if (strcmp(type, types[i].type))
			continue;
		*rc = types[i].take(t, message, e);
		return true;
	}
	return false;
}
