/*
 * inferred_sizes: see inferred_sizes.h.
 */
#include <unistd.h>

#include "record/inferred_sizes.h"
#include "trace/trace_format.h"

void inferred_apply(struct inferred_sizes *s, struct argument *arguments, int count)
{
	s->arguments = arguments;
	s->count = count;
	for (int i = 0; i < count; i++) {
		if (!s->arrays[i].elements)
			continue;
		arguments[i].decided = DECIDED_GROWN;
		arguments[i].dims[0] = s->arrays[i].elements;
		arguments[i].dims[1] = 0;
		arguments[i].before = s->arrays[i].before;
	}
}

/* Makes the note at the first access outside. Offsets count from the
 * pointer. */
static void note_make(struct inferred_array *a, const struct trace_finding *f,
		      uint64_t elements, uint32_t bytes)
{
	if (a->note.count)
		return;
	a->note = (struct trace_finding) {
		.cause = f->offset < 0 ? CAUSE_BEFORE_ASSUMED :
					 CAUSE_BEYOND_ASSUMED,
		.access = f->access, .offset = f->offset, .count = 1,
		.number = { f->offset < 0 ?
			    (uint64_t)-f->offset / bytes : elements },
	};
}

bool inferred_outside(struct inferred_sizes *s, uint32_t parameter,
		     const struct trace_array *array, struct trace_finding *f)
{
	uint64_t bytes = array->elem_bytes, need, more = 0;
	uint64_t elements = trace_array_bytes(array) / bytes;
	struct inferred_array *a;

	f->cause = CAUSE_OUTSIDE_ARRAY;
	if (s->open && parameter < (uint32_t)s->count &&
	    s->arguments[parameter].decided == DECIDED_PROBLEM) {
		s->larger = s->again = true;
		return false;
	}
	if (parameter >= (uint32_t)s->count ||
	    s->arguments[parameter].decided < DECIDED_ASSUMED ||
	    s->arguments[parameter].var->type.kind != DEBUG_POINTER)
		return true;
	f->cause = CAUSE_OUTSIDE_ASSUMED;
	a = &s->arrays[parameter];
	if (f->offset < 0) {
		more = ((uint64_t)-f->offset + bytes - 1) / bytes;
		need = elements + more;
	} else {
		need = ((uint64_t)f->offset + MAX(f->access.bytes, 1u) +
			bytes - 1) / bytes;
	}
	if (f->offset < -(int64_t)(elements * bytes) ||
	    need > ASSUMED_MOST / bytes)
		return true;
	note_make(a, f, elements, (uint32_t)bytes);
	need = MIN(MAX(need, 2 * elements), ASSUMED_MOST / bytes);
	a->elements = MAX(a->elements, need);
	a->before = MAX(a->before, s->arguments[parameter].before + more);
	s->again = true;
	return false;
}

int trace_rewind(int fd, off_t from, struct error *e)
{
	if (ftruncate(fd, from) == 0 && lseek(fd, from, SEEK_SET) == from)
		return 0;
	return error_set(e, EXIT_OUTPUT, "the trace cannot be written again: "
			 "%m");
}

int inferred_again(struct inferred_sizes *s, int fd, off_t from,
		   struct error *e)
{
	if (!s->again)
		return 0;
	s->again = false;
	return trace_rewind(fd, from, e) < 0 ? -1 : 1;
}

void inferred_note(const struct inferred_sizes *s, struct findings *f,
		  const struct trace_info *info)
{
	for (int i = 0; i < s->count; i++) {
		const struct trace_argument *a = &info->arguments[i];
		struct trace_finding note = s->arrays[i].note;

		if (!note.count)
			continue;
		note.offset += (int64_t)(a->before *
					 info->arrays[a->array].elem_bytes);
		finding_add(f, &note, &info->arrays[a->array]);
	}
}
