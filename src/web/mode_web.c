/* mode_web: see mode_web.h. */
#include "web/mode_web.h"

#include "app/reader_practice.h"
#include "base/lang.h"
#include "web/page.h"

static void act_calculate(struct reader *r, int arg)
{
	(void)r, (void)arg;
	page_calculate();
}

static void act_pick_file(struct reader *r, int arg)
{
	(void)r, (void)arg;
	page_choose_file();
}

int web_open_practice(struct reader *r, const char *rung, struct error *e)
{
	struct practice_start start = { .folder = NULL };

	if (rung_track_load(&start.track, NULL, r->options.lang, e) == 0 &&
	    rung)
		start.open = rung_track_find(&start.track, rung, e);
	if (!start.track.count || (rung && !start.open)) {
		rung_track_done(&start.track);
		return -1;
	}
	start.folder = xstrdup("gemmviz-practice");
	start.unjudged = _("A browser compiles nothing. Install gemmviz on your "
			   "computer (pipx install gemmviz-*.whl, or ./start in "
			   "its source); this command makes the file and judges "
			   "it each time you save:");
	reader_open_practice(r, &start);
	return 0;
}

static void act_practice(struct reader *r, int arg)
{
	struct error e;

	(void)arg;
	if (web_open_practice(r, NULL, &e))
		reader_say(r, true, "%s", e.text);
}

static bool in_list(const struct reader *r)
{
	return r->show.list && !r->benchmark;
}

static const struct action actions[] = {
	{ .keys = { 'p' }, .key = "p", .word = N_("practice"),
	  .help = N_("kernels to write yourself, step by step"),
	  .run = act_practice, .has = in_list },
	{ .keys = { '=' }, .key = "=", .word = N_("calculators"),
	  .help = N_("calculators: access, occupancy, table, fragment"),
	  .run = act_calculate, .has = in_list },
	/* In place of the list's, which asks for a path. */
	{ .keys = { 'o' }, .run = act_pick_file, .has = in_list },
};

const struct mode mode_web = {
	.actions = actions,
	.action_count = LENGTH(actions),
};
