/* view_pipeline: what the files of this picture share. */
#ifndef VIZ_PICTURES_PIPELINE_VIEW_PIPELINE_H
#define VIZ_PICTURES_PIPELINE_VIEW_PIPELINE_H

#include "viz/frame_model.h"

/* The lanes of the picture, from the top. */
enum lane_kind { LANE_COPIES, LANE_EMPTY_GATES, LANE_STAGE, LANE_FULL_GATES,
		 LANE_ROLE };
struct pipeline_lane {
	enum lane_kind kind;
	uint32_t index;
	struct rect r;
};

#define MAX_LANES (PIPELINE_ROLES + 20)

struct pipeline_plan {
	const struct pipeline *p;
	struct pipeline_lane lanes[MAX_LANES];
	int count;
	struct rect label, axis;	/* axis: where steps are drawn */
	int step;			/* columns of a step */
	double first, now;		/* steps */
	bool legend;
};

struct look { enum role now, later; uint32_t sign; };
struct look pipeline_look(enum pipeline_state state);
const char *pipeline_state_word(enum pipeline_state state);
/* Returns the column of a step, or of a point in it. */
int pipeline_column(const struct pipeline_plan *l, double at);
/* Tells whether any part of the steps `from` to `to` is within the axis. */
bool pipeline_visible(const struct pipeline_plan *l, double from, double to);
/* Tells whether a role is idle in a step: it neither computes nor stores sums,
 * and its last turn is still to come. */
bool pipeline_idle(const struct pipeline_role *role, uint32_t step);
/* Returns the column of the barrier with which a step begins; -1: none is drawn
 * there. */
int pipeline_barrier(const struct pipeline_plan *l, uint32_t step);
/* Draws what stands around the lanes: headline, axis, legend, text. */
void pipeline_around(struct canvas *c, const struct pipeline_plan *l,
		     struct rect r, const struct frame_model *s);
/* Draws in the row r the measured speed of this kernel, bright, and of those
 * around it; the unit stands in the label's columns. */
void pipeline_measured(struct canvas *c, struct rect label, struct rect r,
		       const struct frame_model *s);

/* Adds what the stages hold at a point of a step: "In use: tile 8. Ready: 9." */
void pipeline_words(struct str *out, const struct pipeline *p, double at);
/* Adds whether computing stops, or that races leave the order open. Returns
 * true if it never stops once it has begun, but to store sums while the next
 * tiles come. */
bool pipeline_headline(struct str *out, const struct pipeline *p);
/* Adds how many tiles of C a block computes, and who shares tiles with it. */
void pipeline_facts(struct str *out, const struct pipeline *p);
/* Adds what the picture shows, in sentences, as struct view wants it. */
void pipeline_sentences(struct str *out, const struct frame_model *s);

#endif
