#include "app/motion.h"

#include "app/reader.h"

static void begin_motion(struct reader *r, uint32_t to, double seconds)
{
	motion_end(r);
	r->motion.from = reader_cursor(r)->request;
	r->motion.to = to;
	r->motion.at = 0;
	r->motion.seconds = seconds;
	r->motion.on = true;
	if (r->motion.off || seconds <= 0)
		motion_end(r);
	else if (to == r->motion.from)
		r->show.t = 0;
}

void motion_step(struct reader *r, double seconds)
{
	begin_motion(r, reader_cursor(r)->request, seconds);
}

void motion_sweep(struct reader *r, uint32_t to, double seconds)
{
	begin_motion(r, to, seconds);
}

bool motion_beat(struct reader *r, long beats, double seconds)
{
	struct cursor *p = reader_cursor(r);
	const struct view *v = view_picture(&r->show);
	uint32_t to;

	if (v->step) {
		if (!v->step(r->show.scene, p, (int)beats))
			return false;
		if (beats > 0 && seconds > 0)
			motion_step(r, seconds);
		return true;
	}
	to = stage_beat(reader_recording(r)->stage, p, r->beat, beats);
	if (to == p->request)
		return false;
	if (r->beat == BEAT_REQUEST || r->beat == BEAT_ROW) {
		p->request = to;
		if (beats > 0 && seconds > 0)
			motion_step(r, seconds);
	} else {
		motion_sweep(r, to, seconds);
	}
	return true;
}

void motion_end(struct reader *r)
{
	if (r->motion.on && r->motion.from != r->motion.to)
		reader_cursor(r)->request = r->motion.to;
	r->motion.on = false;
	r->show.t = 1;
}

void motion_tick(struct reader *r, double seconds)
{
	struct motion *m = &r->motion;
	double part;

	m->at += seconds;
	part = m->at / m->seconds;
	if (part >= 1)
		motion_end(r);
	else if (m->from == m->to)
		r->show.t = part;
	else
		reader_cursor(r)->request = (uint32_t)(m->from + part *
			((double)m->to - (double)m->from));
}
