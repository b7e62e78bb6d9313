/* mode_topic: the keys while the map asks for the topic of a drill. */
#include "app/mode.h"

#include <time.h>

#include "base/lang.h"

static bool on(const struct reader *r)
{
	return r->show.over == &overlay_topics;
}

/* Opens a drill of a topic; NULL: of all. */
static void open_topic(struct reader *r, const struct drill_topic *topic)
{
	enum list_kind kind = r->list.kind;
	int chosen = r->list.chosen;

	reader_open_drill(r, topic, 1, (uint64_t)time(NULL));
	reader_came_from(r, kind, chosen);
}

static void act_all(struct reader *r, int arg)
{
	(void)arg;
	open_topic(r, NULL);
}

/* Opens the topic of a digit; any other key closes the page. */
static bool rest(struct reader *r, uint32_t key)
{
	if (key >= '1' && key < '1' + drill_topic_count)
		open_topic(r, drill_topics[key - '1']);
	else
		act_uncover(r, 0);
	return true;
}

static const struct action actions[] = {
	{ .keys = { K_ENTER, '0', 'd' }, .key = "enter",
	  .word = N_("all topics"), .run = act_all },
	{ .key = "1-9", .word = N_("choose") },
	{ .keys = { K_ESCAPE }, .key = "esc", .word = N_("close"),
	  .run = act_uncover },
};

const struct mode mode_topic = {
	.on = on,
	.over = true,
	.actions = actions,
	.action_count = LENGTH(actions),
	.rest = rest,
};
