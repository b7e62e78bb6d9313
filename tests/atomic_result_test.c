/*
 * atomic_result_test: which atomics of a text are looked at.
 */
#include "record/atomic_result.h"
#include "tap.h"

static const char text[] =
	"__global__ void k(int *a)\n"		/* 1 */
	"{\n"
	"	atomicAdd(a, 1);\n"		/* 3 */
	"	int x = atomicAdd(a, 1);\n"
	"	if (x == 2)\n"			/* 5 */
	"		atomicAdd(a, f(x, (1)));\n"
	"	if (atomicAdd(a, 1) == 2) x++;\n" /* 7 */
	"	else atomicInc(a, 1);\n"
	"	atomicAdd(a, 1); x = atomicSub(a, 1);\n" /* 9 */
	"	return atomicAdd(a, 1);\n"
	"	for (;;) atomicAdd(a, 1);\n"	/* 11 */
	"	x = (int)atomicAdd(a, 1);\n"
	"	// = \n"			/* 13 */
	"	atomicAdd(a, 1);\n"
	"	x =\n"				/* 15 */
	"		atomicAdd(a, 1);\n"
	"}\n";

int main(void)
{
	static const bool used[17] = { [4] = true,  [7] = true,  [9] = true,
				     [10] = true, [12] = true, [16] = true };
	static const int lines[] = { 3, 4, 6, 7, 8, 9, 10, 11, 12, 14, 16 };

	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++)
		tap_ok(atomic_result_used(text, (uint32_t)lines[i]) ==
			       used[lines[i]],
		       "line %d: its result is %s", lines[i],
		       used[lines[i]] ? "used" : "not used");
	tap_ok(atomic_result_used(text, 5), "a line without: not known");
	tap_ok(atomic_result_used(text, 99), "behind the text: not known");
	return tap_done();
}
