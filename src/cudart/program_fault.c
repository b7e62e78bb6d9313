/*
 * program_fault: faults of a program, and remarks, that its kernels do not
 * show: see program.h.
 */
#include <string.h>

#include "cudart/program.h"

#define FAULTS_MOST 1000

static struct program_fault *list;
static size_t count, capacity;

static bool match_places(struct place a, struct place b)
{
	return a.line == b.line &&
	       (a.file == b.file || (a.file && b.file &&
				     !strcmp(a.file, b.file)));
}

struct program_fault program_fault(const char *kind, struct place at,
				   const char *word)
{
	struct program_fault p = { .kind = kind, .at = at };

	snprintf(p.word, sizeof(p.word), "%s", word);
	return p;
}

void program_fault_about(struct program_fault *p, const struct allocation *a)
{
	p->other = a->made;
	program_name(a, p->name, sizeof(p->name));
}

void program_problem(struct program_fault p)
{
	for (size_t i = 0; i < count; i++) {
		struct program_fault *o = &list[i];

		if (!strcmp(o->kind, p.kind) && match_places(o->at, p.at) &&
		    !strcmp(o->name, p.name) &&
		    (o->bytes == p.bytes || strcmp(p.kind, "leak") != 0)) {
			o->count++;
			return;
		}
	}
	if (count == FAULTS_MOST)
		return;
	p.count = 1;
	grow(&list, &capacity, count + 1, sizeof(p));
	list[count++] = p;
}

json_t *program_place_json(struct place at)
{
	return at.file ? json_pack("{ss sI}", "file", at.file, "line",
				   (json_int_t)at.line) : json_null();
}

json_t *program_dims_json(const struct trace_dim *d)
{
	return json_pack("[III]", (json_int_t)d->x, (json_int_t)d->y,
			 (json_int_t)d->z);
}

json_t *program_faults_json(void)
{
	json_t *all = json_array();

	for (size_t i = 0; i < count; i++) {
		const struct program_fault *p = &list[i];

		json_array_append_new(all, json_pack(
			"{ss so so ss ss sI sI sI}", "kind", p->kind,
			"at", program_place_json(p->at), "other",
			program_place_json(p->other), "word", p->word, "name",
			p->name, "bytes", (json_int_t)p->bytes, "room",
			(json_int_t)p->room, "count", (json_int_t)p->count));
	}
	return all;
}
