#include "runner/pending.h"

#include <stdlib.h>

#include "runner/answer.h"

#define QUEUE_SECONDS 3600.0

struct pending *pending_add(struct pendings *p, long id, const char *type)
{
	grow(&p->list, &p->capacity, p->count + 1, sizeof(*p->list));
	p->list[p->count] =
		(struct pending){ .id = id, .type = xstrdup(type) };
	return &p->list[p->count++];
}

struct pending *pending_find(const struct pendings *p, const json_t *message)
{
	const json_t *id = json_object_get(message, "id");

	for (size_t i = 0; json_is_integer(id) && i < p->count; i++)
		if (p->list[i].id == json_integer_value(id))
			return &p->list[i];
	return NULL;
}

void pending_settle(struct pendings *p, struct pending *settled)
{
	free(settled->type);
	question_free(settled->question);
	*settled = p->list[--p->count];
}

void pendings_done(struct pendings *p)
{
	while (p->count)
		pending_settle(p, p->list);
	free(p->list);
}

void pending_begin(struct pending *p)
{
	p->since = seconds_now();
	if (p->question)
		p->until = p->since + question_seconds(p->question);
}

void pending_wait(struct pending *p, const json_t *progress)
{
	double now = seconds_now();

	if (p->until && answer_whole(progress, "of", 0, 0) == 0 &&
	    now < p->since + QUEUE_SECONDS)
		p->until = now + question_seconds(p->question);
}

double pendings_late(const struct pendings *p)
{
	double now = seconds_now();

	for (size_t i = 0; i < p->count; i++)
		if (p->list[i].until && now > p->list[i].until)
			return now - p->list[i].since;
	return 0;
}
