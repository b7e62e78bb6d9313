/*
 * cooperative_groups/scan: what the ranks of a group up to each one's have
 * together.
 */
#ifndef COOPERATIVE_GROUPS_SCAN_H
#define COOPERATIVE_GROUPS_SCAN_H

#include "../cooperative_groups.h"

namespace cooperative_groups {

/* From the rank that is so many below; one's own where there is none. */
template <unsigned int Size, class Parent, class T>
GEMMVIZ_QUIET T gemmviz_below(const thread_block_tile<Size, Parent> &tile,
			      const char *word, T mine, unsigned int by)
{
	T theirs;

	gemmviz_shuffle(word, tile.gemmviz_mask(), 1, by, Size, &mine, &theirs,
			sizeof(T), GEMMVIZ_HERE);
	return theirs;
}
template <class T>
GEMMVIZ_QUIET T gemmviz_below(const coalesced_group &group, const char *word,
			      T mine, unsigned int by)
{
	unsigned int rank = group.thread_rank();

	return group.gemmviz_from(word, mine, rank < by ? rank : rank - by,
				  GEMMVIZ_HERE);
}

template <class Group, class T, class Operation>
GEMMVIZ_QUIET T inclusive_scan(const Group &group, T mine, const Operation &of)
{
	for (unsigned int by = 1; by < group.size(); by *= 2) {
		T theirs = gemmviz_below(group, "inclusive_scan", mine, by);

		if (group.thread_rank() >= by)
			mine = of(theirs, mine);
	}
	return mine;
}
template <class Group, class T>
GEMMVIZ_QUIET T inclusive_scan(const Group &group, T mine)
{ return inclusive_scan(group, mine, plus<T>()); }

/* Rank 0 has T(). */
template <class Group, class T, class Operation>
GEMMVIZ_QUIET T exclusive_scan(const Group &group, T mine, const Operation &of)
{
	T up_to = gemmviz_below(group, "exclusive_scan",
				inclusive_scan(group, mine, of), 1);

	return group.thread_rank() ? up_to : T();
}
template <class Group, class T>
GEMMVIZ_QUIET T exclusive_scan(const Group &group, T mine)
{ return exclusive_scan(group, mine, plus<T>()); }

}

#endif
