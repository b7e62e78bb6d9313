/* plain_tensor: pipelines and fragments as sentences. */
#ifndef VIZ_PLAIN_TENSOR_H
#define VIZ_PLAIN_TENSOR_H

#include "viz/show.h"

/* What the stages hold at a point of a step: "In use: tile 8. Ready: 9." */
void pipeline_words(struct str *out, const struct pipeline *p, double at);
/* Whether computing stops; true: it never does once it has begun, but to bring
 * out sums while the next tiles come. */
bool pipeline_headline(struct str *out, const struct pipeline *p);
/* How many tiles of C a block computes, and who shares tiles with it. */
void pipeline_facts(struct str *out, const struct pipeline *p);
/* What the picture of the scene says, if it is one of these; else nothing. */
void plain_tensor(struct str *out, const struct show *s);

#endif
