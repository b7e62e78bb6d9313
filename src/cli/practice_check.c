/* practice_check: `gemmviz practice check` and `verify`: judge files without a
 * screen. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/lang.h"
#include "base/text.h"
#include "cli/practice.h"
#include "practice/rung_verify.h"

/* ---- check ---- */

static json_t *judged_sizes_json(const struct judge_task *t)
{
	const struct judgement *j = &t->out;
	json_t *list = json_array();

	for (size_t i = 0; i < j->size_count; i++) {
		const struct judged_size *s = &j->sizes[i];
		const struct problem_sizes *size = &t->rung->sizes[i];
		json_t *findings = json_array();

		if (s->why)
			json_array_append_new(findings, json_pack(
				"{ss* ss so}", "kind", s->word, "text", s->why,
				"line", s->line ? json_integer(s->line) :
						  json_null()));
		json_array_append_new(list, json_pack(
			"{si si si so ss so}", "m", size->m, "n", size->n, "k",
			size->k, "seconds", s->seconds < 0 ? json_null() :
			json_real(s->seconds), "verdict",
			verdict_word(s->verdict), "findings", findings));
	}
	return list;
}

static json_t *costs_json(const struct judgement *j,
			  const struct judgement *ours)
{
	json_t *list = json_array();

	for (size_t i = 0; i < j->limit_count; i++) {
		const struct judged_cost *c = &j->limits[i];

		if (c->cost == COST_COUNT)
			json_array_append_new(list, json_pack(
				"{ss sb}", "name", c->limit->expr, "ok",
				c->good));
		else
			json_array_append_new(list, json_pack(
				"{ss sI sI so* sb}", "name",
				cost_word(c->cost), "value",
				(json_int_t)c->value, "limit",
				(json_int_t)c->limit->most, "ours",
				ours->counted ?
				json_integer(ours->costs[c->cost]) : NULL,
				"ok", c->good));
	}
	return list;
}

static json_t *place_json(double place)
{
	return place < 0 ? json_null() :
	       place == (json_int_t)place ? json_integer((json_int_t)place) :
					    json_real(place);
}

static json_t *judgement_json(const struct judge_task *t,
			      const struct judgement *ours)
{
	const struct judgement *j = &t->out;
	char hash[24];

	snprintf(hash, sizeof(hash), "%016llx",
		 (unsigned long long)j->text_hash);
	return json_pack("{so ss ss ss ss* ss* so sf so so ss sI}", "rung",
			 place_json(t->rung->place),
			 "name", t->rung->name, "file", t->path, "result",
			 judge_result_name(j->result), "stage",
			 j->result == JUDGED_FAIL ?
				 judge_stage_name(j->stage) : NULL,
			 "message", j->message, "line", j->line ?
			 json_integer(j->line) : json_null(), "seconds",
			 j->seconds, "sizes", judged_sizes_json(t), "costs",
			 costs_json(j, ours), "text_hash", hash, "seed",
			 (json_int_t)j->seed);
}

/* Says which command makes a file that is missing. */
static void name_remedy(const struct practice_wish *w, struct judge_task *t)
{
	char *command = practice_command(w, "", t->rung);

	free(t->out.message);
	t->out.message = xasprintf(_("there is no %1$s; %2$s makes it"),
				   text_show(t->path), command);
	free(command);
}

static void print_judgement(void *ctx, struct judge_task *t)
{
	const struct practice_wish *w = ctx;
	const struct judgement *j = &t->out;
	const char *message;
	char place[32] = "", *at = NULL;

	if (j->result == JUDGED_MISSING)
		name_remedy(w, t);
	message = j->message;
	if (w->json)
		return;
	if (t->rung->place >= 0)
		snprintf(place, sizeof(place), "%g", t->rung->place);
	printf("%3s %-12s %s", place, t->rung->name,
	       judge_result_name(j->result));
	if (j->result == JUDGED_FAIL)
		printf(" (%s)", judge_stage_name(j->stage));
	if (j->line)
		at = xasprintf(" %s:%u: ", text_show(file_base(t->path)),
			       j->line);
	/* A compiler's message begins with its place. */
	if (at && message && !strncmp(message, at + 1, strlen(at + 1)))
		message += strlen(at + 1);
	if (at)
		printf("%.*s", (int)strlen(at) - 2, at);
	if (j->at < j->size_count)
		printf(" %s", j->sizes[j->at].text);
	if (message)
		printf(": %s", message);
	printf("  %.1f s\n", j->seconds);
	free(at);
	fflush(stdout);
}

/* Returns the status of a grader's check: the most serious of the rungs'. */
static int check_status(const struct judge_task *tasks, size_t count,
			bool named)
{
	static const int order[] = { EXIT_DONE, EXIT_CHECK, EXIT_INPUT,
				     EXIT_RUNNER, EXIT_REFUSED };
	size_t worst = 0;

	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < LENGTH(order); k++) {
			bool missing = tasks[i].out.result == JUDGED_MISSING;
			int status = missing && !named ? EXIT_CHECK :
							 tasks[i].out.status;

			if (order[k] == status)
				worst = MAX(worst, k);
		}
	return order[worst];
}

static void add_xml_words(struct str *s, const char *words)
{
	for (; *words; words++) {
		const char *as = *words == '&' ? "&amp;" :
				 *words == '<' ? "&lt;" :
				 *words == '>' ? "&gt;" :
				 *words == '"' ? "&quot;" : NULL;

		if (as)
			str_add(s, as);
		else
			str_addc(s, *words);
	}
}

/* Writes the judgements as JUnit's XML; -1 with e. */
static int write_junit(const struct practice_wish *w,
		       const struct judge_task *tasks, size_t count,
		       size_t passed, struct error *e)
{
	struct str s = { 0 };
	int rc;

	str_addf(&s, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		 "<testsuites>\n  <testsuite name=\"gemmviz practice\" "
		 "tests=\"%zu\" failures=\"%zu\">\n", count, count - passed);
	for (size_t i = 0; i < count; i++) {
		const struct judgement *j = &tasks[i].out;

		str_addf(&s, "    <testcase classname=\"practice\" "
			 "name=\"%s\" time=\"%.3f\"", tasks[i].rung->name,
			 j->seconds);
		if (j->result == JUDGED_PASS) {
			str_add(&s, "/>\n");
			continue;
		}
		str_addf(&s, ">\n      <failure type=\"%s\" message=\"",
			 j->result == JUDGED_FAIL ?
			 judge_stage_name(j->stage) :
			 judge_result_name(j->result));
		add_xml_words(&s, j->message ? j->message : "");
		str_add(&s, "\"/>\n    </testcase>\n");
	}
	str_add(&s, "  </testsuite>\n</testsuites>\n");
	rc = file_out_text(w->junit, s.data, w->force, e);
	str_done(&s);
	return rc;
}

/* Returns the rungs as JSON, with what our solutions cost. NULL with e. */
static json_t *list_judgements(const struct judge_task *tasks, size_t count,
			       struct error *e)
{
	struct judge_task *ours = xcalloc(count + 1, sizeof(*ours));
	json_t *list = json_array();
	size_t n = 0;
	int rc;

	for (size_t i = 0; i < count; i++)
		if (tasks[i].out.limit_count && tasks[i].rung->solution) {
			ours[n] = (struct judge_task) {
				.rung = tasks[i].rung,
				.path = tasks[i].rung->solution,
				.options = tasks[i].options,
			};
			ours[n++].options.costs_only = true;
		}
	rc = judge_all(ours, n, NULL, NULL, e);
	for (size_t i = 0, k = 0; i < count && rc >= 0; i++) {
		static const struct judgement none = { .counted = false };
		bool has = k < n && ours[k].rung == tasks[i].rung;

		json_array_append_new(list, judgement_json(
			&tasks[i], has ? &ours[k++].out : &none));
	}
	for (size_t i = 0; i < n; i++)
		judgement_done(&ours[i].out);
	free(ours);
	if (rc >= 0)
		return list;
	json_decref(list);
	return NULL;
}

static int report_check(const struct practice_wish *w,
			const struct judge_task *tasks, size_t count,
			bool named)
{
	json_t *list;
	size_t passed = 0;
	struct error e;

	for (size_t i = 0; i < count; i++)
		passed += tasks[i].out.result == JUDGED_PASS;
	list = w->json ? list_judgements(tasks, count, &e) : NULL;
	if (w->json && !list)
		return command_failed(&e);
	if (w->json)
		command_json(json_pack("{si so sI sI}", "v", 1, "rungs", list,
				       "passed", (json_int_t)passed, "of",
				       (json_int_t)count), stdout);
	else
		printf(_("%1$zu of %2$zu passed (--seed %3$llu)\n"), passed,
		       count, (unsigned long long)w->seed);
	if (w->junit && write_junit(w, tasks, count, passed, &e) < 0)
		return command_failed(&e);
	return command_flush(check_status(tasks, count, named));
}

int practice_check(const struct practice_wish *w, const char *what)
{
	bool named = what && strcmp(what, "all") != 0;
	bool path = named && practice_is_path(what);
	struct judge_task *tasks = NULL;
	struct rung *only = NULL;
	struct rung_track t;
	size_t count = 0;
	struct error e;
	int status;

	if (practice_load(&t, path ? what : NULL, &e) < 0) {
		rung_track_done(&t);
		return command_failed(&e);
	}
	if (named && !path) {
		only = rung_track_find(&t, what, &e);
		if (!only) {
			rung_track_done(&t);
			return command_failed(&e);
		}
	}
	tasks = xcalloc(t.count + 1, sizeof(*tasks));
	for (size_t i = 0; i < t.count; i++)
		if (!only || only == t.rungs[i])
			tasks[count++] = (struct judge_task) {
				.rung = t.rungs[i],
				.path = practice_path(w, t.rungs[i]),
				.options = practice_judge_options(w),
			};
	status = judge_all(tasks, count, print_judgement, (void *)w, &e) < 0 ?
		 command_failed(&e) : report_check(w, tasks, count, named);
	for (size_t i = 0; i < count; i++) {
		judgement_done(&tasks[i].out);
		free(tasks[i].path);
	}
	free(tasks);
	rung_track_done(&t);
	return status;
}

/* ---- verify ---- */

static void print_promise(void *ctx, const struct rung *r, int line,
			  const char *what, const char *why)
{
	(void)ctx;
	printf("%s:%d: %s: %s%s%s\n", text_show(r->path), line,
	       why ? _("failed") : _("ok"), what, why ? ": " : "",
	       why ? why : "");
	fflush(stdout);
}

/* Checks that each translation of the rung has the same directives; returns how
 * many do not, or -1 with e. */
static int verify_languages(const struct rung *r, struct error *e)
{
	int broken = 0;

	for (size_t i = 0; lang_code(i); i++) {
		char *path = xasprintf("%s%s/%s.md", r->folder,
				       lang_code(i), r->stem);
		struct rung *other;

		if (access(path, F_OK) == 0 && strcmp(path, r->path) != 0) {
			other = rung_load(path, "", e);
			if (!other)
				broken = -1;
			else
				broken += rung_verify_same(r, other,
							   print_promise,
							   NULL);
			rung_free(other);
		}
		free(path);
		if (broken < 0)
			break;
	}
	return broken;
}

int practice_verify(const struct practice_wish *w, const char *what)
{
	struct judge_options o = practice_judge_options(w);
	int broken = 0, rc = 0;
	struct rung_track t;
	struct error e;

	rc = practice_load(&t, what, &e);
	for (size_t i = 0; i < t.count && rc >= 0; i++) {
		if (what && !practice_is_path(what) &&
		    rung_track_find(&t, what, &e) != t.rungs[i])
			continue;
		rc = rung_verify(t.rungs[i], &o, print_promise, NULL, &e);
		broken += MAX(rc, 0);
		if (rc >= 0)
			rc = verify_languages(t.rungs[i], &e);
		broken += MAX(rc, 0);
	}
	rung_track_done(&t);
	if (rc < 0)
		return command_failed(&e);
	printf(_("promises that are not kept: %d\n"), broken);
	return command_flush(broken ? EXIT_CHECK : EXIT_DONE);
}
