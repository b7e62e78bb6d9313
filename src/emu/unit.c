/*
 * unit: calls the units. See unit.h.
 */
#include "emu/unit.h"

#define EMU_UNIT_ENTRY(name) &name##_unit,
static const struct emu_unit *const units[] = {
	EMU_UNITS(EMU_UNIT_ENTRY)
};

#define TELL(moment, ...) \
	do { \
		for (size_t i = 0; i < LENGTH(units); i++) \
			if (units[i]->moment) \
				units[i]->moment(__VA_ARGS__); \
	} while (0)

void units_launch_begin(void)
{
	TELL(launch_begin);
}

int units_launch_check(const char *file, struct error *e)
{
	for (size_t i = 0; i < LENGTH(units); i++)
		if (units[i]->launch_check &&
		    units[i]->launch_check(file, e) < 0)
			return -1;
	return 0;
}

void units_cluster_begin(void)
{
	TELL(cluster_begin);
}

void units_block_begin(struct block *b)
{
	TELL(block_begin, b);
}

void units_block_suspend(void **kept)
{
	for (size_t i = 0; i < LENGTH(units); i++)
		kept[i] = units[i]->block_suspend ?
			  units[i]->block_suspend() : NULL;
}

void units_block_resume(void *const *kept)
{
	for (size_t i = 0; i < LENGTH(units); i++)
		if (units[i]->block_resume)
			units[i]->block_resume(kept[i]);
}

void units_thread_begin(struct thread *t)
{
	TELL(thread_begin, t);
}

void units_thread_end(struct thread *t)
{
	TELL(thread_end, t);
}

void units_thread_free(struct thread *t)
{
	TELL(thread_free, t);
}

void units_before_access(const struct thread *t, const struct access_site *s,
			 uintptr_t address, uint64_t bytes)
{
	TELL(before_access, t, s, address, bytes);
}

void units_remote_access(struct thread *t, const struct access_site *s, uint64_t off,
			 uint64_t bytes)
{
	TELL(remote_access, t, s, off, bytes);
}

void units_interval_end(void)
{
	TELL(interval_end);
}

bool units_unblock(bool failed)
{
	bool any = false;

	for (size_t i = 0; i < LENGTH(units); i++)
		if (units[i]->unblock)
			any = units[i]->unblock(failed) || any;
	return any;
}

void units_stuck(void)
{
	TELL(stuck);
}

void units_publish(const uint32_t *clock)
{
	TELL(publish, clock);
}
