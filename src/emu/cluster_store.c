/*
 * cluster_store: st.shared::cluster, a thread's store to the shared memory of a
 * block of its cluster. What is there is seen behind a barrier of the cluster.
 */
#include <string.h>

#include "emu/async_proxy.h"
#include "emu/emu_findings.h"
#include "emu/recording.h"
#include "emu/vector_clock.h"

#define BYTES 16

void gemmviz_cluster_store(void *to, uint32_t rank, const void *v, void *here);
void gemmviz_cluster_store(void *to, uint32_t rank, const void *v, void *here)
{
	struct thread *t = rec.thread;
	struct async_access x;
	struct async_proxy a;
	const struct slot *s;

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

	/* There, it is as if somebody else had done it. */
	a = async_proxy_begin();
	x = async_proxy_access(&a, s, rank);
	async_proxy_writes(&x, (uintptr_t)to - s->lo, BYTES);
	memcpy(array_at(s->array, rank, (uintptr_t)to), v, BYTES);
	vector_clock_acquire_actor(t, rank, a.number, a.epoch);
	async_proxy_end(&a);
}
