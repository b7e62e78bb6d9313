/*
 * cluster_store: st.shared::cluster, a thread's store to the shared memory of a
 * block of its cluster. A barrier of the cluster makes it visible.
 */
#include <string.h>

#include "emu/hopper/cluster_shared.h"
#include "emu/emu_findings.h"
#include "emu/recording.h"

#define BYTES 16

void gemmviz_cluster_store(void *to, uint32_t rank, const void *v, void *here);
void gemmviz_cluster_store(void *to, uint32_t rank, const void *v, void *here)
{
	struct thread *t = rec.thread;
	const struct access_site *s;

	if (!t) {
		memcpy(to, v, BYTES);
		return;
	}
	thread_at(t, here);
	if (rank >= rec.cluster)
		emu_finding_stops(CAUSE_CLUSTER_STORE);
	s = thread_access_remote(here, to, BYTES, v, rank);
	if (!s->array || s->array->info.space != SPACE_SHARED)
		emu_finding_stops(CAUSE_CLUSTER_STORE);
	cluster_shared_check(t, s, rank, (uintptr_t)to - s->lo, BYTES);
	memcpy(array_at(s->array, rank, (uintptr_t)to), v, BYTES);
}
