/*
 * shadow_test: atomics beside other accesses, where the order in which threads
 * ran is not known.
 */
#include "record/shadow.h"
#include "tap.h"

static struct shadow cell;
static struct shadow_history history;

/* By access: that of a thread whose atomic's result is used is access 1. */
static const bool results_used[] = { false, true };

static enum shadow_found access_as(uint32_t thread, bool store, bool atomic,
				   bool used, bool any_order)
{
	struct shadow_order order = { .interval = 2, .block = 1,
				      .exchange = atomic, .result_used = used,
				      .results_used =
					      any_order ? results_used : NULL };
	struct shadow_access me = { 2, shadow_access_who(thread, used) |
					    (atomic ? SHADOW_ATOMIC : 0) };
	struct shadow_access with;

	if (!atomic)
		return store ? shadow_write(&cell, &history, &me, &order,
					    &with) :
			       shadow_read(&cell, &history, &me, &order, &with);
	if (shadow_read(&cell, &history, &me, &order, &with) == SHADOW_RACE)
		return SHADOW_RACE;
	return shadow_write(&cell, &history, &me, &order, &with);
}

static void begin(void)
{
	cell = (struct shadow){ .write = { 1, shadow_access_who(0, 1) } };
	history = (struct shadow_history){ .plain = { 0, 0 } };
}

/* All count by atomics, and the thread whose number was the last clears the
 * counter: that thread may be any. */
static void test_last(bool any_order, enum shadow_found want)
{
	begin();
	access_as(3, true, true, true, any_order);
	tap_is(access_as(3, true, false, false, any_order), SHADOW_FINE,
	       "behind its own atomic");
	tap_is(access_as(4, true, true, true, any_order), want,
	       "an atomic of another thread, %s",
	       any_order ? "which may have been before" : "which is later");
	tap_is(access_as(5, true, true, true, any_order), want,
	       "and of a third");
}

/* One thread's atomic waits for those of the others, who do not look. */
static void test_waits(void)
{
	begin();
	access_as(3, true, true, true, true);
	access_as(3, true, false, false, true);
	tap_is(access_as(3, true, false, false, true), SHADOW_FINE,
	       "two stores behind its own atomic");
	tap_is(access_as(4, true, true, false, true), SHADOW_FINE,
	       "an atomic whose result is not used may have been before, too");
}

int main(void)
{
	test_last(true, SHADOW_FINE);
	test_last(false, SHADOW_RACE);
	test_waits();
	begin();
	access_as(3, true, false, false, true);
	tap_is(access_as(4, true, true, true, true), SHADOW_RACE,
	       "a store that follows no atomic of its thread is a race");
	begin();
	access_as(3, true, true, false, true);
	access_as(3, true, false, false, true);
	tap_is(access_as(4, true, true, false, true), SHADOW_RACE,
	       "so is one behind an atomic whose result is not used");
	begin();
	access_as(3, true, true, false, true);
	access_as(3, true, false, false, true);
	tap_is(access_as(4, true, true, true, true), SHADOW_RACE,
	       "whoever else uses theirs");
	return tap_done();
}
