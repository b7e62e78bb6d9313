/*
 * resolve_calls: the frames of a thread's functions. See resolve.h.
 */
#include <string.h>

#include "emu/recording.h"
#include "emu/resolve.h"

static const struct call_path *enter_call_path(const struct call_path *in,
					       uint32_t order)
{
	struct call_path *parent = (struct call_path *)in;
	struct call_path **list = parent ? &parent->child : &rec.paths;
	struct call_path *p;

	for (p = *list; p; p = p->sibling)
		if (p->order == order)
			return p;
	p = xcalloc(1, sizeof(*p));
	p->parent = parent;
	p->order = order;
	p->sibling = *list;
	*list = p;
	return p;
}

/* Fills a frame's variables with what they hold until they are written. */
static void frame_fill(const struct frame *f)
{
	for (size_t i = 0; f->function && i < f->function->var_count; i++) {
		const struct debug_var *v = &f->function->vars[i];

		if (v->home == DEBUG_FRAME && !v->parameter)
			memset((char *)f->cfa + v->at, REGISTER_PATTERN,
			       v->type.bytes);
	}
}

bool resolve_enter(struct thread *t, uintptr_t pc, uintptr_t call, uintptr_t fp)
{
	const struct debug_function *f =
		debug_function_at(rec.debug, pc - rec.load - 1);
	struct struct_copy *c = &t->copy;
	struct frame *to;

	if (f && f->copies && t->depth > 0) {
		if (c->calls++ == 0) {
			c->call = (uint32_t)(call - rec.text);
			c->align = f->copies;
		}
		return false;
	}
	grow(&t->frames, &t->frame_capacity, t->depth + 1,
	     sizeof(*t->frames));
	to = &t->frames[t->depth];
	to->function = f;
	to->cfa = fp + (uintptr_t)(f ? f->cfa : 0);
	to->call = c->calls ? c->call : (uint32_t)(call - rec.text);
	to->path = t->path;
	to->copy = *c;
	*c = (struct struct_copy){ 0 };
	frame_fill(to);
	if (t->depth++ > 0)
		t->path = enter_call_path(t->path, to->call);
	return true;
}

bool resolve_leave(struct thread *t)
{
	if (t->copy.calls) {
		t->copy.calls--;
		return false;
	}
	t->depth--;
	t->path = t->frames[t->depth].path;
	t->copy = t->frames[t->depth].copy;
	return true;
}
