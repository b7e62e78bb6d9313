#include "timing/benchmark.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kernels/kernels.h"
#include "base/lang.h"
#include "base/text.h"
#include "timing/tuned.h"

#define LOWEST_SIZE 64
#define HIGHEST_SIZE 16384
/* A float64 reference on the CPU takes its time; nothing else is silent. */
#define SILENCE 300
/* A recording of any length plays for about so long, but no faster than the
 * bars can be followed. */
#define PLAY_SECONDS 15
#define PACE_HIGHEST 60
/* What one step looks at: a runner that never stops holds nobody up. */
#define STEP_MESSAGES 1000

static const char *const rivals[] = { "cublas-fp32", "cublas-tf32",
				      "cublas-fp16", "cublas-bf16" };

/* ---- what is to run ---- */

void benchmark_plan_init(struct benchmark_plan *p)
{
	*p = (struct benchmark_plan){
		.request =
			json_pack("{ss s[] s[] si sf sf si}", "type", "time",
				  "entrants", "sizes", "repeat", 15, "seconds",
				  1.0, "patience", 20.0, "seed", 1)
	};
}

void benchmark_plan_done(struct benchmark_plan *p)
{
	json_decref(p->request);
	p->request = NULL;
}

struct benchmark_plan benchmark_plan_copy(const struct benchmark_plan *p)
{
	struct benchmark_plan c = *p;

	c.request = json_deep_copy(p->request);
	return c;
}

/* A kernel that is named twice runs once. */
static void append_new(struct benchmark_plan *p, const char *list, json_t *what)
{
	json_t *all = json_object_get(p->request, list), *v;
	size_t i;

	json_array_foreach(all, i, v)
		if (json_equal(v, what)) {
			json_decref(what);
			return;
		}
	json_array_append_new(all, what);
}

static bool is_rival(const char *word)
{
	for (size_t i = 0; i < LENGTH(rivals); i++)
		if (!strcmp(word, rivals[i]))
			return true;
	return false;
}

static int unknown(const char *word, struct error *e)
{
	const char **names = xcalloc(kernel_count + LENGTH(rivals),
				     sizeof(*names)), *near;

	for (size_t i = 0; i < kernel_count + LENGTH(rivals); i++)
		names[i] = i < kernel_count ? kernels[i].name :
					      rivals[i - kernel_count];
	near = nearest_name(word, names, kernel_count + LENGTH(rivals));
	free(names);
	if (near)
		return error_set(e, EXIT_USAGE, _("no kernel '%s'; did you "
						  "mean %s?"),
				 text_show(word), near);
	return error_set(e, EXIT_USAGE, _("no kernel '%s'; gemmviz list names "
					  "them"), text_show(word));
}

static int add_define(const struct kernel *k, json_t *defines, char *word,
		      struct error *e)
{
	char *value = strchr(word, '=');
	const struct kernel_param *param;
	long v;

	if (!value)
		return error_set(e, EXIT_USAGE, _("expected NAME=VALUE, got "
						  "'%s'"), text_show(word));
	*value++ = 0;
	param = kernel_param(k, word);
	if (!param)
		return error_set(e, EXIT_USAGE, _("%s has no parameter '%s'"),
				 k->name, text_show(word));
	if (!parse_int(value, param->lowest, param->highest, &v))
		return error_set(e, EXIT_USAGE, _("expected %s of %d to %d, "
						  "got '%s'"), param->name,
				 param->lowest, param->highest,
				 text_show(value));
	json_object_set_new(defines, param->name, json_string(value));
	return 0;
}

static void add_kernel(struct benchmark_plan *p, const struct kernel *k,
		       json_t *defines)
{
	append_new(p, "entrants", json_pack("{ss so}", "kernel", k->name,
					    "defines", defines));
}

static int full(const struct benchmark_plan *p, struct error *e)
{
	if (json_array_size(json_object_get(p->request, "entrants")) <
	    TIMING_MAX_CASES - LENGTH(rivals))
		return 0;
	return error_set(e, EXIT_USAGE, _("too many kernels for one race"));
}

int benchmark_add(struct benchmark_plan *p, const char *word, struct error *e)
{
	char *name = xstrdup(word), *save, *at = strchr(name, ':');
	json_t *defines = json_object();
	const struct kernel *k;
	int status = full(p, e);

	if (at)
		*at++ = 0;
	k = kernel_find(name);
	p->kernels = true;
	if (!status && !k && !(is_rival(name) && !at))
		status = unknown(name, e);
	if (!status && k && k->museum)
		status = error_set(e, EXIT_USAGE, _("%s is in the museum of "
				   "bugs and is not raced: %s"), name,
				   _(k->museum));
	for (at = at ? strtok_r(at, ",", &save) : NULL; !status && at;
	     at = strtok_r(NULL, ",", &save))
		status = add_define(k, defines, at, e);
	if (!status && k)
		add_kernel(p, k, json_incref(defines));
	else if (!status)
		append_new(p, "entrants", json_pack("{ss}", "rival", name));
	json_decref(defines);
	free(name);
	return status;
}

int benchmark_add_case(struct benchmark_plan *p, json_t *what, struct error *e)
{
	int status = full(p, e);

	p->kernels = true;
	if (status)
		json_decref(what);
	else
		append_new(p, "entrants", what);
	return status;
}

int benchmark_add_size(struct benchmark_plan *p, const char *word,
		       struct error *e)
{
	long d[3];
	char *copy = xstrdup(word), *part = copy;
	int n = 0;

	while (part && n < 3) {
		char *next = strchr(part, 'x');

		if (next)
			*next++ = 0;
		if (!parse_int(part, LOWEST_SIZE, HIGHEST_SIZE, &d[n]))
			break;
		n++;
		part = next;
	}
	free(copy);
	if (part || n == 2)
		return error_set(e, EXIT_USAGE, _("expected a size N or MxNxK "
						  "of %d to %d, got '%s'"),
				 LOWEST_SIZE, HIGHEST_SIZE, text_show(word));
	if (json_array_size(json_object_get(p->request, "sizes")) ==
	    TIMING_MAX_SIZES)
		return error_set(e, EXIT_USAGE, _("at most %d sizes"),
				 TIMING_MAX_SIZES);
	p->sizes = true;
	append_new(p, "sizes", json_pack("[iii]", (int)d[0],
					 (int)d[n > 1 ? 1 : 0],
					 (int)d[n > 1 ? 2 : 0]));
	return 0;
}

/* The next larger value of a parameter that is built, or 0. */
static int next_value(const struct kernel_param *p, int value)
{
	int next = 0;

	for (size_t i = 0; i < LENGTH(p->values) && p->values[i]; i++)
		if (p->values[i] > value && (!next || p->values[i] < next))
			next = p->values[i];
	return next;
}

/* What a tile's size does is part of the matter: all that are built race. */
static void add_table(struct benchmark_plan *p)
{
	for (size_t i = 0; i < kernel_count; i++) {
		const struct kernel_param *tile = kernel_param(&kernels[i],
							       "TILE");
		int value = tile ? next_value(tile, 0) : 0;

		if (kernels[i].museum)
			continue;
		if (!tile)
			add_kernel(p, &kernels[i], json_object());
		for (; value; value = next_value(tile, value)) {
			char text[16];

			snprintf(text, sizeof(text), "%d", value);
			add_kernel(p, &kernels[i],
				   json_pack("{ss}", "TILE", text));
		}
	}
}

/* All of them, or those to which what was named is held. */
static void add_rivals(struct benchmark_plan *p)
{
	json_t *entrants = json_object_get(p->request, "entrants"), *v;
	bool held[LENGTH(rivals)] = { false };
	size_t i;

	json_array_foreach(entrants, i, v)
		for (size_t r = 0; r < LENGTH(rivals); r++)
			held[r] |= !strcmp(timing_rival(v), rivals[r]);
	for (i = 0; i < LENGTH(rivals); i++)
		if (held[i] || !p->kernels)
			append_new(p, "entrants",
				   json_pack("{ss}", "rival", rivals[i]));
}

void benchmark_plan_complete(struct benchmark_plan *p)
{
	static const int sizes[] = { 1024, 2048, 4096 };

	if (!p->kernels)
		add_table(p);
	add_rivals(p);
	for (size_t i = 0; !p->sizes && i < LENGTH(sizes); i++)
		append_new(p, "sizes", json_pack("[iii]", sizes[i], sizes[i],
						 sizes[i]));
}

/* ---- recordings ---- */

static bool same_entrant(const json_t *a, const json_t *b)
{
	const char *name = json_string_value(json_object_get(a, "kernel"));
	const char *other = json_string_value(json_object_get(b, "kernel"));
	int x[KERNEL_PARAMS], y[KERNEL_PARAMS];
	const struct kernel *k;

	if (!name || !other)
		return json_equal(a, b);
	k = kernel_find(name);
	if (strcmp(name, other) || !k)
		return false;
	kernel_values(k, x, timing_defined, json_object_get(a, "defines"));
	kernel_values(k, y, timing_defined, json_object_get(b, "defines"));
	return !memcmp(x, y, kernel_params(k) * sizeof(*x));
}

long benchmark_case(const struct timing *t, const json_t *what)
{
	for (size_t i = 0; i < t->entrant_count; i++)
		if (same_entrant(t->entrants[i].what, what))
			return (long)i;
	return -1;
}

static bool same_size(const struct timing_size *s, const json_t *size)
{
	return json_integer_value(json_array_get(size, 0)) == s->m &&
	       json_integer_value(json_array_get(size, 1)) == s->n &&
	       json_integer_value(json_array_get(size, 2)) == s->k;
}

/* Marks the entrants that the plan names; false when one is not there. */
static bool mark_entrants(const struct timing *t,
			  const struct benchmark_plan *p, bool *on)
{
	json_t *v;
	long found;
	size_t i;

	for (i = 0; i < t->entrant_count; i++)
		on[i] = !p->kernels;
	if (!p->kernels)
		return true;
	json_array_foreach(json_object_get(p->request, "entrants"), i, v) {
		found = benchmark_case(t, v);
		if (found < 0)
			return false;
		on[found] = true;
		found = timing_held(t, v);
		if (found >= 0)
			on[found] = true;
	}
	return true;
}

static bool mark_sizes(const struct timing *t, const struct benchmark_plan *p,
		       bool *on)
{
	bool any = !p->sizes;
	json_t *v;
	size_t i;

	for (size_t s = 0; s < t->size_count; s++) {
		on[s] = !p->sizes;
		json_array_foreach(json_object_get(p->request, "sizes"), i, v)
			on[s] |= same_size(&t->sizes[s], v);
		any |= on[s];
	}
	return any;
}

static struct timing *fit(const struct timing *t,
			  const struct benchmark_plan *p)
{
	bool entrants[TIMING_MAX_CASES], sizes[TIMING_MAX_SIZES];

	if (!mark_entrants(t, p, entrants) || !mark_sizes(t, p, sizes))
		return NULL;
	return timing_select(t, entrants, sizes);
}

struct timing *benchmark_fit(struct timing *t, const struct benchmark_plan *p,
			     struct error *e)
{
	struct timing *part = fit(t, p);

	if (!part)
		error_set(e, EXIT_INPUT, _("%s has not all of these kernels, "
					   "or none of these sizes"),
			  text_show(t->from));
	timing_free(t);
	return part;
}

static int is_json(const struct dirent *d)
{
	size_t n = strlen(d->d_name);

	return n > 5 && !strcmp(d->d_name + n - 5, ".json");
}

static int newest_first(const void *a, const void *b)
{
	const struct timing *x = *(struct timing *const *)a;
	const struct timing *y = *(struct timing *const *)b;
	int order = strcmp(y->date, x->date);

	return order ? order : strcmp(y->from, x->from);
}

struct benchmark_shelf benchmark_shelf_read(const char *folder, struct error *e)
{
	struct benchmark_shelf s = {0};
	struct dirent **files;
	int n = scandir(folder, &files, is_json, alphasort);

	if (n < 0)
		return s;
	s.races = xcalloc((size_t)n + 1, sizeof(*s.races));
	for (int i = 0; i < n; i++) {
		char *path = xasprintf("%s/%s", folder, files[i]->d_name);

		s.races[s.count] = timing_read(path, e);
		s.count += s.races[s.count] != NULL;
		free(path);
		free(files[i]);
	}
	free(files);
	qsort(s.races, s.count, sizeof(*s.races), newest_first);
	return s;
}

void benchmark_shelf_done(struct benchmark_shelf *s)
{
	for (size_t i = 0; i < s->count; i++)
		timing_free(s->races[i]);
	free(s->races);
	*s = (struct benchmark_shelf){0};
}

struct timing *benchmark_find(const char *folder, const struct benchmark_plan *p,
			 struct error *e)
{
	struct timing *found = NULL;
	struct benchmark_shelf s;

	error_set(e, EXIT_GPU, _("no recorded race has these kernels and "
				 "sizes"));
	s = benchmark_shelf_read(folder, e);
	for (size_t i = 0; !found && i < s.count; i++)
		found = fit(s.races[i], p);
	benchmark_shelf_done(&s);
	return found;
}

static bool same_text(const char *a, const char *b)
{
	return a && b && !strcmp(a, b);
}

/* What one race has of another's entrant and size. */
static double intensity_of(const struct timing *t, const struct timing_case *n,
			   const struct timing_size *size)
{
	for (size_t i = 0; i < t->entrant_count; i++) {
		const struct timing_case *o = &t->entrants[i];

		if (!same_text(o->text_hash, n->text_hash) ||
		    !same_entrant(o->what, n->what))
			continue;
		for (size_t s = 0; s < t->size_count; s++)
			if (t->sizes[s].m == size->m &&
			    t->sizes[s].n == size->n &&
			    t->sizes[s].k == size->k)
				return o->intensity[s];
	}
	return NA;
}

double benchmark_shelf_intensity(const struct benchmark_shelf *s,
				 const struct timing *t, size_t size,
				 size_t entrant, const char **date)
{
	double found = NA;

	for (size_t i = 0; found == NA && i < s->count; i++) {
		if (!same_text(s->races[i]->machine.gpu, t->machine.gpu))
			continue;
		found = intensity_of(s->races[i], &t->entrants[entrant],
				     &t->sizes[size]);
		*date = s->races[i]->date;
	}
	return found;
}

bool benchmark_text_changed(const struct timing_case *n)
{
	const char *kernel = json_string_value(json_object_get(n->what,
							       "kernel"));
	char *path, *text, hash[17];
	size_t len;

	if (!kernel || !n->text_hash || !kernel_find(kernel))
		return false;
	path = xasprintf("%s/%s.cu", paths()->kernels, kernel);
	text = file_read(path, 1 << 20, &len, NULL);
	free(path);
	if (!text)
		return false;
	snprintf(hash, sizeof(hash), "%016llx",
		 (unsigned long long)hash_bytes(text, len));
	free(text);
	return strcmp(hash, n->text_hash) != 0;
}

/* ---- a run ---- */

static void no_gpu(struct error *e, const char *why)
{
	error_set(e, EXIT_GPU, _("%s; --runner 'ssh HOST gemmviz-gpu' takes "
				 "another machine's GPU, gemmviz race shows "
				 "what was recorded"), why);
}

static struct runner *start_runner(char *const *argv, struct error *e)
{
	char *const ours[] = { paths()->gpu, NULL };

	if (argv)
		return runner_start(argv, e);
	if (!access(paths()->gpu, X_OK))
		return runner_start(ours, e);
	no_gpu(e, _("gemmviz-gpu is not built here"));
	return NULL;
}

/* The request with what is known of the kernels' best parameters. */
static json_t *request_tuned(const json_t *request, struct error *e)
{
	json_t *tables = tuned_read(e), *whole, *table;
	size_t i, entries = 0;

	if (!tables)
		return NULL;
	json_array_foreach(tables, i, table)
		entries += json_array_size(table);
	whole = json_deep_copy(request);
	if (entries)
		json_object_set(whole, "tuned", tables);
	json_decref(tables);
	return whole;
}

struct benchmark *benchmark_start(const json_t *request, char *const *argv,
				  struct error *e)
{
	json_t *whole = request_tuned(request, e);
	struct runner *runner = whole ? start_runner(argv, e) : NULL;
	struct benchmark *r;

	if (!runner) {
		json_decref(whole);
		return NULL;
	}
	r = xcalloc(1, sizeof(*r));
	r->runner = runner;
	r->silence = runner_patience(SILENCE);
	r->repeat = (size_t)json_integer_value(json_object_get(request,
							       "repeat"));
	r->timing = timing_new(request);
	runner_send(runner, whole);
	r->heard = seconds_now();
	return r;
}

struct benchmark *benchmark_play(struct timing *whole)
{
	struct benchmark *r = xcalloc(1, sizeof(*r));

	r->whole = whole;
	r->timing = timing_replay(whole);
	r->pace = MIN(PACE_HIGHEST,
		      (double)whole->order_count / PLAY_SECONDS);
	return r;
}

void benchmark_free(struct benchmark *r)
{
	if (!r)
		return;
	runner_free(r->runner);
	timing_free(r->timing);
	timing_free(r->whole);
	free(r);
}

bool benchmark_over(const struct benchmark *r)
{
	return r->whole ? r->timing->done : !r->runner;
}

bool benchmark_counting(const struct benchmark *r)
{
	return r->runner && r->counters && r->timing->done;
}

size_t benchmark_fds(const struct benchmark *r, struct pollfd *fds)
{
	if (!r->runner)
		return 0;
	fds[0] = (struct pollfd){ .fd = runner_read_fd(r->runner),
				  .events = POLLIN };
	fds[1] = (struct pollfd){ .fd = runner_write_fd(r->runner),
				  .events = POLLOUT };
	return 2;
}

/* Seconds of silence that are left; negative: none is too long. */
static double silence_left(const struct benchmark *r)
{
	if (!r->runner || r->paused || r->timing->place >= 0)
		return -1;
	return MAX(0, r->heard + r->silence - seconds_now());
}

int benchmark_patience(const struct benchmark *r)
{
	double left = silence_left(r);

	if (r->more)
		return 0;
	return left < 0 ? -1 : (int)(left * 1000) + 1;
}

static void end(struct benchmark *r, const struct error *e)
{
	if (e)
		r->error = *e;
	runner_free(r->runner);
	r->runner = NULL;
	r->more = false;
}

/* Without a runner; what was timed stands, whatever becomes of counting. */
static void lost(struct benchmark *r, const struct error *e)
{
	bool counting = benchmark_counting(r);

	if (counting)
		r->counters_error = *e;
	end(r, counting ? NULL : e);
}

static void take_error(struct benchmark *r, const json_t *m)
{
	json_int_t status = json_integer_value(json_object_get(m, "status"));
	const char *why = json_string_value(json_object_get(m, "message"));
	struct error e;

	if (status == EXIT_GPU)
		no_gpu(&e, why);
	else
		error_set(&e, status > 0 && status < 256 ?
			  (enum exit_status)status : EXIT_RUNNER, "%s", why);
	end(r, &e);
}

/* ---- DRAM traffic ---- */

static json_t *counters_request(const struct timing *t, size_t result)
{
	const struct timing_case *n = &t->entrants[result % t->entrant_count];
	const struct timing_size *s = &t->sizes[result / t->entrant_count];
	json_t *m = json_deep_copy(n->what);

	if (t->results[result].defines)
		json_object_set(m, "defines", t->results[result].defines);
	json_object_update_new(m, json_pack("{ss si si si sb}", "type",
					    "counters", "m", s->m, "n", s->n,
					    "k", s->k, "optimized", true));
	return m;
}

/* The next kernel that was timed, or the end. */
static void next_counters(struct benchmark *r)
{
	const struct timing *t = r->timing;

	r->counters_id = 0;
	while (!r->paused && r->counted < t->size_count * t->entrant_count) {
		size_t at = r->counted++;

		if (t->results[at].state != TIMING_TIMED ||
		    t->entrants[at % t->entrant_count].rival)
			continue;
		r->counters_id = runner_send(r->runner,
					     counters_request(t, at));
		return;
	}
	if (!r->paused)
		end(r, NULL);
}

/* One that cannot be counted is enough: the next one could not either. */
static void take_counters(struct benchmark *r, const json_t *m)
{
	const struct timing *t = r->timing;
	const char *why = json_string_value(json_object_get(m, "message"));
	double bytes = json_number_value(json_object_get(json_object_get(m,
					 "counters"), "dram_bytes"));
	size_t at = r->counted - 1, size = at / t->entrant_count;
	const struct timing_size *s = &t->sizes[size];

	if (why) {
		error_set(&r->counters_error, EXIT_RUNNER, "%s", why);
		end(r, NULL);
		return;
	}
	if (bytes > 0)
		t->entrants[at % t->entrant_count].intensity[size] =
			problem_gemm.flops(s->m, s->n, s->k) / bytes;
	next_counters(r);
}

static void take_message(struct benchmark *r, const json_t *m)
{
	const char *type = json_string_value(json_object_get(m, "type"));
	struct error what, e;
	int status = 0;

	if (benchmark_counting(r)) {
		if (json_integer_value(json_object_get(m, "id")) ==
		    r->counters_id)
			take_counters(r, m);
	} else if (!strcmp(type, "error")) {
		take_error(r, m);
	} else if (timing_take(r->timing, m, &status, &what) && status) {
		error_set(&e, EXIT_RUNNER, _("%s does not keep to the "
					     "protocol: %s"),
			  runner_name(r->runner), what.text);
		end(r, &e);
	} else if (r->timing->done && r->counters) {
		next_counters(r);
	} else if (r->timing->done) {
		end(r, NULL);
	}
}

void benchmark_pause(struct benchmark *r, bool paused)
{
	r->paused = paused;
	r->heard = seconds_now();
	if (benchmark_counting(r) && !paused && !r->counters_id)
		next_counters(r);
	else if (r->runner && !benchmark_counting(r))
		runner_send(r->runner, json_pack("{ss sb}", "type", "pause",
						 "paused", paused));
}

void benchmark_cancel(struct benchmark *r)
{
	if (benchmark_counting(r))
		end(r, NULL);
	r->counters = false;
	if (r->runner)
		runner_send(r->runner, json_pack("{ss}", "type", "cancel"));
}

bool benchmark_step(struct benchmark *r)
{
	uint64_t signs = r->runner ? runner_signs(r->runner) : 0;
	struct runner_event ev;
	struct error e;
	bool any = false;

	r->more = r->runner != NULL;
	for (int i = 0; r->runner && i < STEP_MESSAGES; i++) {
		runner_step(r->runner, &ev);
		r->more = ev.kind != RUNNER_NOTHING;
		if (!r->more)
			break;
		any = true;
		r->heard = seconds_now();
		if (ev.kind == RUNNER_LOST)
			lost(r, &ev.error);
		else
			take_message(r, ev.message);
		json_decref(ev.message);
	}
	any |= r->runner && runner_signs(r->runner) != signs;
	if (!r->runner || silence_left(r) != 0)
		return any;
	runner_silent(r->runner, r->silence, &e);
	lost(r, &e);
	return true;
}

bool benchmark_tick(struct benchmark *r, double seconds)
{
	size_t before = r->timing->order_count;

	if (!r->whole || r->paused)
		return false;
	r->credit += seconds * r->pace;
	while (r->credit >= 1 && timing_replay_next(r->timing, r->whole))
		r->credit--;
	return r->timing->order_count != before;
}
