/*
 * host_omp: the functions of <omp.h>, for a program's host. See host_team.c.
 */
#include "cudart/host/host_team.h"

/* g++'s omp_lock_t has four bytes, its omp_nest_lock_t sixteen. */
struct nested {
	const struct host_thread *owner;
	int count;
};

/* Declared here, since the compiler that builds this may have no <omp.h>. */
int omp_get_num_threads(void);
int omp_get_thread_num(void);
int omp_get_max_threads(void);
void omp_set_num_threads(int n);
int omp_get_num_procs(void);
int omp_get_thread_limit(void);
int omp_in_parallel(void);
int omp_get_level(void);
int omp_get_active_level(void);
int omp_get_team_size(int level);
int omp_get_ancestor_thread_num(int level);
void omp_set_dynamic(int on);
int omp_get_dynamic(void);
void omp_set_max_active_levels(int n);
int omp_get_max_active_levels(void);
void omp_set_nested(int on);
int omp_get_nested(void);
void omp_set_schedule(int how, int chunk);
void omp_get_schedule(int *how, int *chunk);
double omp_get_wtime(void);
double omp_get_wtick(void);
int omp_get_num_devices(void);
int omp_get_default_device(void);
void omp_set_default_device(int device);
int omp_get_initial_device(void);
int omp_is_initial_device(void);
int omp_get_num_teams(void);
int omp_get_team_num(void);
int omp_get_cancellation(void);
int omp_get_proc_bind(void);
void omp_init_lock(struct critical *l);
void omp_destroy_lock(struct critical *l);
void omp_set_lock(struct critical *l);
void omp_unset_lock(struct critical *l);
int omp_test_lock(struct critical *l);
void omp_init_nest_lock(struct nested *l);
void omp_destroy_nest_lock(struct nested *l);
int omp_test_nest_lock(struct nested *l);
void omp_set_nest_lock(struct nested *l);
void omp_unset_nest_lock(struct nested *l);

/* Finds the team of this nesting level that the thread is in; NULL: none. */
static const struct team *level_find(int level)
{
	const struct team *t = host_now->team;

	while (t && (int)t->level > level)
		t = t->outer;
	return t && (int)t->level == level ? t : NULL;
}

int omp_get_num_threads(void)
{
	return host_now->team ? (int)host_now->team->count : 1;
}

int omp_get_thread_num(void)
{
	return (int)host_now->number;
}

int omp_get_max_threads(void)
{
	return (int)host_omp.threads;
}

void omp_set_num_threads(int n)
{
	host_omp.threads = n > 0 ? (uint32_t)n : 1;
}

int omp_get_num_procs(void)
{
	return HOST_PROCESSORS;
}

int omp_get_thread_limit(void)
{
	return HOST_TEAM_MOST;
}

int omp_in_parallel(void)
{
	return host_now->team && host_now->team->active > 0;
}

int omp_get_level(void)
{
	return host_now->team ? (int)host_now->team->level : 0;
}

int omp_get_active_level(void)
{
	return host_now->team ? (int)host_now->team->active : 0;
}

int omp_get_team_size(int level)
{
	const struct team *t = level_find(level);

	return t ? (int)t->count : level == 0 ? 1 : -1;
}

/* Returns the number of the thread's ancestor at a level: in a nested team, of
 * the outer team's thread that created it. -1: no such level. */
int omp_get_ancestor_thread_num(int level)
{
	const struct team *t = host_now->team;
	uint32_t number = host_now->number;

	for (; t && (int)t->level > level; t = t->outer)
		number = t->outer_number;
	return t && (int)t->level == level ? (int)number :
	       level == 0 ? 0 : -1;
}

void omp_set_dynamic(int on)
{
	host_omp.dynamic = on;
}

int omp_get_dynamic(void)
{
	return host_omp.dynamic;
}

void omp_set_max_active_levels(int n)
{
	host_omp.levels = n > 0 ? (uint32_t)n : 0;
}

int omp_get_max_active_levels(void)
{
	return (int)host_omp.levels;
}

void omp_set_nested(int on)
{
	host_omp.levels = on ? UINT32_MAX >> 1 : 1;
}

int omp_get_nested(void)
{
	return host_omp.levels > 1;
}

void omp_set_schedule(int how, int chunk)
{
	host_omp.schedule = how;
	host_omp.chunk = chunk > 0 ? chunk : 0;
}

void omp_get_schedule(int *how, int *chunk)
{
	*how = host_omp.schedule;
	*chunk = host_omp.chunk;
}

double omp_get_wtime(void)
{
	return seconds_now();
}

double omp_get_wtick(void)
{
	return 1e-9;
}

/* Returns 0: OpenMP itself has no devices. */
int omp_get_num_devices(void)
{
	return 0;
}

int omp_get_default_device(void)
{
	return 0;
}

void omp_set_default_device(int device)
{
	(void)device;
}

int omp_get_initial_device(void)
{
	return 0;
}

int omp_is_initial_device(void)
{
	return 1;
}

int omp_get_num_teams(void)
{
	return 1;
}

int omp_get_team_num(void)
{
	return 0;
}

int omp_get_cancellation(void)
{
	return 0;
}

int omp_get_proc_bind(void)
{
	return 0;
}

/* ---- locks ---- */

void omp_init_lock(struct critical *l)
{
	l->taken = false;
}

void omp_destroy_lock(struct critical *l)
{
	(void)l;
}

void omp_set_lock(struct critical *l)
{
	host_critical_enter(l);
}

void omp_unset_lock(struct critical *l)
{
	l->taken = false;
}

int omp_test_lock(struct critical *l)
{
	if (l->taken)
		return 0;
	l->taken = true;
	return 1;
}

void omp_init_nest_lock(struct nested *l)
{
	*l = (struct nested) { NULL, 0 };
}

void omp_destroy_nest_lock(struct nested *l)
{
	(void)l;
}

int omp_test_nest_lock(struct nested *l)
{
	if (l->owner && l->owner != host_now)
		return 0;
	l->owner = host_now;
	return ++l->count;
}

static bool is_free(const void *nested)
{
	return !((const struct nested *)nested)->owner;
}

void omp_set_nest_lock(struct nested *l)
{
	while (!omp_test_nest_lock(l))
		host_wait(is_free, l);
}

void omp_unset_nest_lock(struct nested *l)
{
	if (--l->count == 0)
		l->owner = NULL;
}
