/* drill_access: requests for questions. */
#ifndef DRILL_DRILL_ACCESS_H
#define DRILL_DRILL_ACCESS_H

#include "drill/drill_topic.h"

/* Returns the type's name: "half", "float", "float2", "float4". */
const char *drill_type(uint32_t bytes);
/* Fills in the request that q's index makes, of `lanes` lanes from lane 0 on,
 * and what it costs. The index is below 1 << 20 for each lane. */
void drill_request(struct drill_question *q, enum access_space space,
		   enum op op, uint32_t bytes, int lanes,
		   struct access_cost *cost);
/* Writes "lanes 0, 8, 16 and 24" as "0, 8, 16, 24". */
void drill_lanes(char *buf, size_t size, uint32_t lanes);

#endif
