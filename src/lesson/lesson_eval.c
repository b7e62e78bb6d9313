#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/lang.h"
#include "lesson/lesson_functions.h"
#include "base/text.h"
#include "scene/scene_devices.h"

/* A cache of results from the traces: reports, and values by step. */
struct lesson_cache {
	struct report report[LESSON_MAX_RECORDS];
	bool has_report[LESSON_MAX_RECORDS];
	struct standing stood;	/* where expressions last stood ... */
	size_t stood_step;	/* ... in this step; traces NULL: nowhere */
	struct known { size_t step; char *expr; struct value value; } *known;
	size_t known_count, known_capacity;
};

static struct lesson_cache *cache_of(struct lesson_traces *traces)
{
	if (!traces->cache)
		traces->cache = xcalloc(1, sizeof(*traces->cache));
	return traces->cache;
}

void lesson_traces_forget(struct lesson_traces *traces)
{
	struct lesson_cache *c = traces->cache;

	if (!c)
		return;
	for (size_t i = 0; i < LESSON_MAX_RECORDS; i++)
		if (c->has_report[i])
			report_done(&c->report[i]);
	for (size_t i = 0; i < c->known_count; i++)
		free(c->known[i].expr);
	free(c->known);
	free(c);
	traces->cache = NULL;
}

const struct report *lesson_report(struct standing *s, struct error *e)
{
	struct lesson_cache *c = cache_of(s->traces);

	if (!c->has_report[s->record]) {
		if (report_build(s->trace, &c->report[s->record], e) < 0)
			return NULL;
		c->has_report[s->record] = true;
	}
	return &c->report[s->record];
}

/* ---- find a step's request ---- */

size_t lesson_step_record(const struct lesson *l, size_t step)
{
	for (size_t i = step + 1; i-- > 0;)
		if (l->steps[i].use)
			return MAX(lesson_record_find(l, l->steps[i].use), 0);
	return 0;
}

struct trace_dim lesson_dim(struct trace_dim size, uint32_t linear)
{
	return (struct trace_dim){ linear % size.x, linear / size.x % size.y,
				   linear / size.x / size.y };
}

static int no_such_place(const char *what, uint32_t n, struct error *e)
{
	return error_set(e, EXIT_INPUT, _("the trace has no %s %u"), what, n);
}

static int stand_warp(struct trace *t, const struct lesson_stand *s,
		      size_t *warp, struct error *e)
{
	const struct trace_info *info = trace_info(t);
	long found;

	if (s->block_x >= info->grid.x || s->block_y >= info->grid.y)
		return error_set(e, EXIT_INPUT,
				 _("the grid has no block %u,%u"), s->block_x,
				 s->block_y);
	found = trace_find_warp(t, s->block_x + info->grid.x * s->block_y,
				s->warp);
	*warp = MAX(found, 0);
	return found < 0 ? no_such_place(_("warp"), s->warp, e) : 0;
}

static bool stands_at(const struct trace_info *info, uint32_t site,
		      const struct lesson_stand *s)
{
	const struct trace_site *st = &info->sites[site];

	if (s->op >= 0 && (int)st->op != s->op)
		return false;
	return !s->array || (st->array != TRACE_NO_ARRAY &&
			     !strcmp(info->arrays[st->array].name, s->array));
}

int lesson_stand_find(struct trace *t, const struct lesson_stand *s,
		      size_t *warp, uint32_t *request, struct error *e)
{
	const struct trace_warp *w;
	uint32_t site, left = s->nth;

	if (stand_warp(t, s, warp, e) < 0)
		return -1;
	w = trace_warp(t, *warp);
	if (s->phase >= w->phases)
		return no_such_place(_("phase"), s->phase, e);
	if (s->turn > devices_turns(trace_info(t)))
		return no_such_place(_("turn"), s->turn, e);
	for (uint32_t i = trace_phase_start(t, *warp, s->phase);
	     i < w->requests; i++) {
		if (trace_get_site(t, *warp, i, &site, e) < 0)
			return -1;
		if (stands_at(trace_info(t), site, s) && !left--) {
			*request = i;
			return 0;
		}
	}
	return error_set(e, EXIT_INPUT, _("the trace has no such request"));
}

/* Returns the step's stand; without one, the first request of the trace. */
static struct lesson_stand get_step_stand(const struct lesson_step *s)
{
	return s->has_stand ? s->stand : (struct lesson_stand){ .op = -1 };
}

/* Finds the position of a step in a record's trace. In another record than the
 * step's own the request may have no counterpart; then it is the first of the
 * same warp. */
static int find_standing(struct lesson_traces *traces, size_t step,
			 size_t record, struct standing *s, struct error *e)
{
	const struct lesson *l = traces->lesson;
	struct lesson_stand stand = get_step_stand(&l->steps[step]);
	struct trace *t = traces->trace[record];

	if (!t)
		return error_set(e, EXIT_INPUT, _("%s has not been recorded "
						  "yet"),
				 l->records[record].alias);
	*s = (struct standing){ .trace = t, .info = trace_info(t),
				.traces = traces, .record = record,
				.lane = stand.lane };
	if (lesson_stand_find(t, &stand, &s->warp, &s->request, e) < 0) {
		if (record == lesson_step_record(l, step) ||
		    stand_warp(t, &stand, &s->warp, e) < 0)
			return -1;
		s->request = 0;
	}
	s->phase = trace_phase_of(t, s->warp, s->request);
	s->turn = devices_turn(s->info, stand.turn);
	return 0;
}

static int standing_in(struct lesson_traces *traces, size_t step,
		       size_t record, struct standing *s, struct error *e)
{
	struct lesson_cache *c = cache_of(traces);

	if (!c->stood.traces || c->stood_step != step ||
	    c->stood.record != record) {
		if (find_standing(traces, step, record, s, e) < 0)
			return -1;
		c->stood = *s;
		c->stood_step = step;
	}
	*s = c->stood;
	return 0;
}

/* ---- names and calls ---- */

struct context {
	struct lesson_traces *traces;
	size_t step;
	struct standing own;
};

static bool launch_name(const struct standing *s, const char *name, int64_t *v)
{
	const struct trace_info *info = s->info;
	const struct trace_warp *w = trace_warp(s->trace, s->warp);
	struct trace_dim block = lesson_dim(info->grid, w->block);
	struct trace_dim thread = lesson_dim(info->block,
					     w->warp * WARP_LANES + s->lane);
	const struct { const char *name; uint32_t value; } names[] = {
		{ "M", info->m }, { "N", info->n }, { "K", info->k },
		{ "block_x", info->block.x }, { "block_y", info->block.y },
		{ "grid_x", info->grid.x }, { "grid_y", info->grid.y },
		{ "bx", block.x }, { "by", block.y },
		{ "tx", thread.x }, { "ty", thread.y },
		{ "warp", w->warp }, { "lane", s->lane },
		{ "phase", s->phase },
	};

	for (size_t i = 0; i < LENGTH(names); i++) {
		if (!strcmp(names[i].name, name)) {
			*v = names[i].value;
			return true;
		}
	}
	return false;
}

static bool drawn_name(const struct lesson_drawn *d, const char *name, int64_t *v)
{
	for (size_t i = 0; d->question && i < d->question->draw_count; i++) {
		if (strcmp(d->question->draws[i].name, name))
			continue;
		*v = d->value[i];
		return true;
	}
	return false;
}

static bool cost_name(const struct lesson_traces *t, const char *name,
		      int64_t *v)
{
	for (size_t i = 0; i < t->cost_count; i++)
		if (!strcmp(t->costs[i].name, name)) {
			*v = t->costs[i].value;
			return true;
		}
	return false;
}

int lesson_name(const struct standing *s, const char *name, struct value *out,
		struct error *e)
{
	const struct trace_info *info = s->info;
	int64_t v;
	long n;

	if (drawn_name(&s->traces->drawn, name, &v) ||
	    cost_name(s->traces, name, &v) || launch_name(s, name, &v)) {
		*out = value_int(v);
		return 0;
	}
	for (size_t i = 0; i < info->define_count; i++) {
		if (strcmp(info->defines[i].name, name))
			continue;
		*out = parse_int(info->defines[i].value, INT32_MIN, INT32_MAX,
				 &n) ? value_int(n) :
		       value_text(info->defines[i].value);
		return 0;
	}
	return error_set(e, EXIT_INPUT, _("no name '%s'"), text_show(name));
}

static int on_name(void *ctx, const char *name, struct value *out,
		   struct error *e)
{
	const struct context *c = ctx;

	return lesson_name(&c->own, name, out, e);
}

static int on_call(void *ctx, const char *name, const struct value *args,
		   size_t count, struct value *out, struct error *e)
{
	struct context *c = ctx;
	struct standing other;
	int function = lesson_function_find(name, e);
	long record = -1;

	if (function < 0)
		return -1;
	if (count && args->kind == VALUE_TEXT &&
	    lesson_function_traced(function))
		record = lesson_record_find(c->traces->lesson, args->text);
	if (record < 0)
		return lesson_function_call(function, &c->own, args, count,
					    out, e);
	if (standing_in(c->traces, c->step, record, &other, e) < 0)
		return -1;
	return lesson_function_call(function, &other, args + 1, count - 1,
				    out, e);
}

/* Returns whether the expression names a drawn number, so that its value may
 * change with the next draw. */
static bool names_draw(const struct lesson_drawn *d, const char *expr)
{
	for (size_t i = 0; d->question && i < d->question->draw_count; i++)
		if (strstr(expr, d->question->draws[i].name))
			return true;
	return false;
}

static const struct known *find_known(const struct lesson_cache *c,
				      size_t step, const char *expr)
{
	for (size_t i = 0; i < c->known_count; i++)
		if (c->known[i].step == step && !strcmp(c->known[i].expr, expr))
			return &c->known[i];
	return NULL;
}

int lesson_eval(struct lesson_traces *traces, size_t step, const char *expr,
		struct value *out, struct error *e)
{
	struct context ctx = { .traces = traces, .step = step };
	const struct expr_env env = { on_name, on_call, &ctx };
	struct lesson_cache *c = cache_of(traces);
	const struct known *known = find_known(c, step, expr);
	bool drawn = names_draw(&traces->drawn, expr);

	if (known && !drawn && !traces->model) {
		*out = known->value;
		return 0;
	}
	if (standing_in(traces, step, lesson_step_record(traces->lesson, step),
			&ctx.own, e) < 0 ||
	    expr_value(expr, &env, out, e) < 0)
		return -1;
	if (drawn || traces->model)
		return 0;
	grow(&c->known, &c->known_capacity, c->known_count + 1,
	     sizeof(*c->known));
	c->known[c->known_count++] =
		(struct known){ step, xstrdup(expr), *out };
	return 0;
}

/* ---- words ---- */

/* The end of the expression that starts here: its brace, or NULL. */
static const char *closing_brace(const char *s)
{
	bool quoted = false;

	for (; *s; s++) {
		if (*s == '"')
			quoted = !quoted;
		else if (*s == '}' && !quoted)
			return s;
	}
	return NULL;
}

/* Takes the next piece of words: plain text goes to `plain`. Returns the
 * expression after it (the caller frees it), or NULL at the end; moves s behind
 * both. */
static char *next_piece(const char **s, struct str *plain, struct error *e)
{
	const char *end;
	char *expr;

	e->text[0] = '\0';
	for (; **s && (**s != '{' || (*s)[1] == '{'); ++*s) {
		str_addc(plain, **s);
		*s += **s == '{';
	}
	if (!**s)
		return NULL;
	end = closing_brace(*s + 1);
	if (!end) {
		error_set(e, EXIT_INPUT, _("expected a '}' after '%s'"),
			  text_show(*s));
		return NULL;
	}
	expr = xstrndup(*s + 1, end - *s - 1);
	*s = end + 1;
	return expr;
}

int lesson_words_check(const char *words, struct error *e)
{
	struct str plain = { 0 };
	int status = 0;
	struct error mine;
	char *expr;

	e = e ? e : &mine;
	while (status == 0 && (expr = next_piece(&words, &plain, e))) {
		status = lesson_expr_check(expr, e);
		free(expr);
	}
	str_done(&plain);
	return status < 0 || e->text[0] ? -1 : 0;
}

char *lesson_words(struct lesson_traces *traces, size_t step,
		   const char *words, struct error *e)
{
	struct str all = { 0 };
	struct error mine;
	struct value v;
	char buf[80], *expr;
	int status = 0;

	e = e ? e : &mine;
	while (status == 0 && (expr = next_piece(&words, &all, e))) {
		status = lesson_eval(traces, step, expr, &v, e);
		free(expr);
		if (status == 0) {
			value_print(&v, buf, sizeof(buf));
			str_add(&all, v.kind == VALUE_NONE ? _("n/a") : buf);
		}
	}
	if (status == 0 && !e->text[0])
		return str_take(&all);
	str_done(&all);
	return NULL;
}

/* ---- check without a trace ---- */

static bool name_char(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '.';
}

/* Every name that is called must be one of the table's. */
static int check_calls(const char *expr, struct error *e)
{
	char name[64];
	size_t n;

	for (; *expr; expr += n ? n : 1) {
		n = 0;
		if (*expr == '"') {
			n = strcspn(expr + 1, "\"") + 1;
			n += expr[n] == '"';
			continue;
		}
		while (name_char(expr[n]))
			n++;
		if (!n || expr[n + strspn(expr + n, " ")] != '(')
			continue;
		snprintf(name, sizeof(name), "%.*s", (int)MIN(n, 63), expr);
		if (lesson_function_find(name, e) < 0)
			return -1;
	}
	return 0;
}

int lesson_expr_check(const char *expr, struct error *e)
{
	struct expr *x = expr_parse(expr, e);

	if (!x)
		return -1;
	expr_free(x);
	return check_calls(expr, e);
}
