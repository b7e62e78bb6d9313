/*
 * arch_check: see arch_check.h.
 */
#include "base/lang.h"
#include "emu/warp/arch_check.h"

#include "base/text.h"
#include "emu/unit.h"

/* What the architecture lacks; NULL: nothing was refused. */
static struct {
	const struct arch_feature *feature;
	char name[80];
	uint32_t line;
} refused;

static void launch_begin(void)
{
	refused.feature = NULL;
}

void arch_refuse(const char *instruction, const char *name, void *here)
{
	const struct arch_feature *f = arch_lacks(rec.arch, instruction);

	if (!f || !rec.thread)
		return;
	thread_at(rec.thread, here);
	refused.feature = f;
	refused.line = rec.thread->at->line;
	snprintf(refused.name, sizeof(refused.name), "%s", name);
	rec.stop = true;
	thread_stop();
}

static int set_lack_error(const char *place, const struct arch_feature *f,
			  const char *name, struct error *e)
{
	return error_set(
		e, EXIT_INPUT,
		f->only ?
			N_("%s: sm_%u lacks %s (only sm_%ua has that)") :
			N_("%s: sm_%u lacks %s (the first with that is sm_%u)"),
		place, rec.arch, name, f->since);
}

static int launch_check(const char *file, struct error *e)
{
	const struct arch_feature *clusters =
		rec.arch && rec.cluster > 1 ?
			arch_lacks(rec.arch, "barrier.cluster.wait") : NULL;
	char *place;

	if (clusters)
		return set_lack_error(text_show(file), clusters,
				   "clusters", e);
	if (!refused.feature)
		return 0;
	place = xasprintf("%s:%u", text_show(file), refused.line);
	set_lack_error(place, refused.feature, text_show(refused.name), e);
	free(place);
	return -1;
}

const struct emu_unit arch_check_unit = {
	.launch_begin = launch_begin,
	.launch_check = launch_check,
};
