/* web_golden: makes frames_test's recorders, as a page's, repeat no launch: the
 * frames are without variables. */
#include "runner/runner.h"

bool __wrap_runner_repeats(void);
bool __wrap_runner_repeats(void)
{
	return false;
}
