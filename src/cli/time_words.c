/* time_words: see time_words.h. */
#include "cli/time_words.h"

#include "base/lang.h"

/* Returns a time in words; its sign depends on the locale. The caller frees
 * it. */
char *time_words(double seconds)
{
	if (seconds < 1e-3)
		return xasprintf(lang_utf8() ? "%.2f \xc2\xb5s" : "%.2f us",
				 seconds * 1e6);
	return xasprintf("%.3f ms", seconds * 1e3);
}

char *time_spread_words(const struct timing_figures *f)
{
	return xasprintf(lang_utf8() ? "\xc2\xb1%.1f %%" : "%.1f %%",
			 (f->high - f->low) / f->median * 50);
}
