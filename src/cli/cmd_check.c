/* gemmviz check: checks kernels against limits, for continuous integration. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/finding_text.h"
#include "base/lang.h"
#include "base/text.h"
#include "cli/check_launch.h"
#include "cli/commands.h"
#include "cli/program_options.h"
#include "cli/program_verdict.h"

enum { OPT_SECTORS = OPTION_OWN, OPT_WAVEFRONTS, OPT_WAY, OPT_REGISTERS,
       OPT_SPILLS, OPT_COMPILED, OPT_RULES, OPT_SARIF, OPT_JUNIT, OPT_REQUIRE };

struct check_arguments {
	struct launch_given launch;	/* options, to be given to each */
	/* With a program's file, more of its files and its arguments. */
	char **program;
	int program_count;
	struct check_limits limits;
	const char *rules, *sarif, *junit;
	bool force, json, require_verdict;
};

const char *check_level_name(enum check_level l)
{
	static const char *const names[] = { "error", "warning", "note" };

	return names[l];
}

size_t check_count(const struct check *c, enum check_level level,
		   size_t launch)
{
	size_t n = 0;

	for (size_t i = 0; i < c->issue_count; i++)
		n += c->issues[i].level == level && !c->issues[i].accepted &&
		     (launch == SIZE_MAX || c->issues[i].launch == launch);
	return n;
}

bool check_fails(const struct check_issue *i)
{
	if (i->accepted || i->level == CHECK_NOTE)
		return false;
	return i->level == CHECK_ERROR || !(i->unjudged || i->by_default);
}

size_t check_accepted(const struct check *c)
{
	size_t n = 0;

	for (size_t i = 0; i < c->issue_count; i++)
		n += c->issues[i].accepted != NULL;
	return n;
}

static void check_done(struct check *c)
{
	for (size_t i = 0; i < c->issue_count; i++) {
		free(c->issues[i].rule);
		free(c->issues[i].file);
		free(c->issues[i].text);
		free(c->issues[i].accepted);
	}
	for (size_t i = 0; i < c->launch_count; i++) {
		free(c->launches[i].file);
		free(c->launches[i].name);
		verdict_done(&c->launches[i].verdict);
	}
	free(c->issues);
	free(c->launches);
}

/* ---- options ---- */

static int take_option(void *own, int id, const char *value,
		       struct error *e)
{
	struct check_arguments *a = own;
	static const char *const limits[] = {
		"max-sectors-ratio", "max-wavefronts-ratio", "max-way",
		"max-registers", "max-spills", "max-compiled-ratio",
	};
	struct launch_options trial;
	int status;

	if (id >= OPT_SECTORS && id <= OPT_COMPILED)
		return check_limit_set(&a->limits, limits[id - OPT_SECTORS],
				       value, e);
	if (id == OPT_REQUIRE) {
		a->require_verdict = true;
		return 0;
	}
	if (id == OPTION_FORCE || id == OPTION_JSON) {
		*(id == OPTION_FORCE ? &a->force : &a->json) = true;
		return 0;
	}
	if (id == OPT_RULES || id == OPT_SARIF || id == OPT_JUNIT) {
		*(id == OPT_RULES ? &a->rules :
		  id == OPT_SARIF ? &a->sarif : &a->junit) = value;
		return 0;
	}
	launch_given_add(&a->launch, id, value);
	launch_options_init(&trial);
	status = launch_option(&trial, id, value, e);
	launch_options_done(&trial);
	return status;
}

static int read_check_arguments(struct check_arguments *a,
				const struct command *c, int argc, char **argv)
{
	int status = command_options(c, argc, argv, take_option, a);

	if (status < 0 && argc == optind)
		return command_usage(c->name, "no file: give one or more");
	return status;
}

/* ---- launches ---- */

/* Prepares a launch as the file's rules and the command line say. Returns -1
 * with e. */
static int launch_init(const struct check_arguments *a,
		       const struct check_rules *rules, const char *file,
		       struct launch_options *l, struct error *e)
{
	const char *sizes = rules ? check_rules_sizes(rules, file) : NULL;

	launch_options_init(l);
	if (sizes)
		launch_option(l, LAUNCH_SIZES, sizes, NULL);
	if (launch_given_apply(&a->launch, l, e))
		return -1;
	return a->program ?
	       program_arguments(l, a->program_count, a->program, e) : 0;
}

/* Finds the option that a word names, and the value that it contains, or
 * NULL. */
static const struct option_def *find_rule_option(const struct option_def *d,
						 const char *word,
						 const char **value)
{
	size_t n = strcspn(word, "=");

	for (; d->help; d++) {
		char letter[3] = { '-', (char)(d->id < OPTION_JSON ?
					       d->id : 0), 0 };

		if (d->name && !strncmp(word, "--", 2) &&
		    strlen(d->name) == n - 2 &&
		    !strncmp(word + 2, d->name, n - 2)) {
			*value = word[n] ? word + n + 1 : NULL;
			return d;
		}
		if (letter[1] && !strncmp(word, letter, 2)) {
			*value = word[2] ? word + 2 : NULL;
			return d;
		}
	}
	return NULL;
}

/* Returns whether an option is for the command line only: a file of rules comes
 * with the kernels, possibly from strangers, so it must not start programs,
 * give rights, or take more of the machine. */
static bool is_command_line_only(const struct option_def *d)
{
	return d->id == LAUNCH_RUNNER || d->id == LAUNCH_UNCONFINED ||
	       d->id == LAUNCH_WRITE || d->id == LAUNCH_ON;
}

static bool takes_more(const struct job *now, const struct job *before)
{
	return now->seconds > before->seconds ||
	       now->timeout > before->timeout ||
	       now->memory > before->memory ||
	       now->max_events > before->max_events;
}

/* Returns the folder of -I if it is below that of the rules, with links
 * resolved; else NULL. The caller frees it. */
static char *resolve_rule_folder(const struct check_rules *r, const char *value)
{
	char *path = xasprintf("%.*s./", (int)(file_base(r->path) - r->path),
			       r->path);
	char *top = realpath(path, NULL), *folder;
	size_t n = top ? strlen(top) : 0;

	free(path);
	path = xasprintf("%s/%s", top ? top : "", value);
	folder = top && *value != '/' ? realpath(path, NULL) : NULL;
	if (folder && (strncmp(folder, top, n) ||
		       (folder[n] && folder[n] != '/'))) {
		free(folder);
		folder = NULL;
	}
	free(path);
	free(top);
	return folder;
}

static int rule_apply(struct launch_options *l, const struct check_rules *r,
		      const struct option_def *d, const char *value,
		      struct error *e)
{
	const struct job before = l->job;
	char *folder;
	int status;

	if (!d->name && d->id == 'I') {
		folder = resolve_rule_folder(r, value);
		if (!folder)
			return error_set(e, EXIT_INPUT, "-I %s is not a folder "
					 "below that of the rules",
					 text_show(value));
		status = launch_option(l, d->id, folder, e);
		free(folder);
		return status;
	}
	status = launch_option(l, d->id, value, e);
	if (!status && takes_more(&l->job, &before))
		return error_set(e, EXIT_INPUT, "the rules cannot raise --%s; "
				 "only the command line can", d->name);
	return status;
}

/* Applies words[*at], and moves *at behind it and its value. */
static int rule_option(struct launch_options *l, const struct check_rules *r,
		       char **words, size_t *at, struct error *e)
{
	const char *word = words[(*at)++], *value = NULL;
	const struct option_def *d =
		find_rule_option(launch_option_defs, word, &value);

	if (!d)
		d = find_rule_option(program_option_defs, word, &value);
	if (!d)
		return error_set(e, EXIT_INPUT, "'%s' is not an option of a "
				 "launch",
				 text_show(word));
	if (is_command_line_only(d))
		return error_set(e, EXIT_INPUT, "--%s is accepted only on the "
				 "command line",
				 d->name);
	if (d->argument && !value)
		value = words[*at] ? words[(*at)++] : NULL;
	if ((d->argument != NULL) != (value != NULL))
		return error_set(e, EXIT_INPUT,
				 d->argument ? N_("%s needs a value") :
					       N_("%s takes no value"),
				 text_show(word));
	return rule_apply(l, r, d, value, e);
}

static int rule_options(struct launch_options *l, const struct check_rules *r,
			const struct check_line *line, struct error *e)
{
	struct error why;

	size_t at = 0;

	while (line->words[at] && strcmp(line->words[at], "--"))
		if (rule_option(l, r, line->words, &at, &why))
			return error_set(e, EXIT_INPUT, "%s:%u: %s",
					 text_show(r->path), line->line,
					 why.text);
	while (line->words[at] && line->words[++at])
		job_program_argument(&l->job.kernel.program, line->words[at]);
	return 0;
}

static char *join_launch_words(const struct check_line *line)
{
	struct str s = { 0 };

	for (size_t i = 0; line->words[i]; i++)
		str_addf(&s, "%s%s", i ? " " : "", line->words[i]);
	return str_take(&s);
}

/* Checks a file as the command line launches it, or as its rules do. Returns an
 * exit status. */
static int check_one_file(struct check *c, const struct check_arguments *a,
			  struct check_rules *rules, const char *file)
{
	const char *base = file_base(file);
	struct check_limits none = { 0 };
	struct check_limits limits = check_limits_over(
		rules ? check_rules_limits(rules, base) : none, a->limits);
	const struct check_line *line;
	struct launch_options l;
	int status = EXIT_DONE;
	struct error e;

	if (!rules || !check_rules_launch(rules, base, 0)) {
		if (launch_init(a, rules, base, &l, &e)) {
			launch_options_done(&l);
			return command_failed(&e);
		}
		return check_launch(c, &l, file, base, rules, &limits);
	}
	for (size_t n = 0; (line = check_rules_launch(rules, base, n)); n++) {
		char *name = join_launch_words(line);
		int was = EXIT_DONE;

		if (launch_init(a, rules, base, &l, &e) ||
		    rule_options(&l, rules, line, &e)) {
			launch_options_done(&l);
			was = command_failed(&e);
		} else {
			was = check_launch(c, &l, file, name, rules, &limits);
		}
		status = status ? status : was;
		free(name);
	}
	return status;
}

/* ---- output ---- */

/* Prints an issue. The word of its level is the same in every language: editors
 * read it. */
static void print_issue(const struct check_issue *i)
{
	const char *title = finding_title(i->rule);

	fputs(i->file, stdout);
	if (i->line)
		printf(":%u", i->line);
	if (i->line && i->column)
		printf(":%u", i->column);
	printf(": %s: ", check_level_name(i->level));
	if (title)
		printf(_("%s: "), title);
	printf("%s [%s]\n", i->text, i->rule);
}

static json_t *issue_json(const struct check_issue *i)
{
	return json_pack("{s:s, s:o, s:o, s:s, s:s, s:s, s:s?}",
			 "file", i->file,
			 "line", i->line ? json_integer(i->line) :
					   json_null(),
			 "column", i->column ? json_integer(i->column) :
					       json_null(),
			 "level", check_level_name(i->level),
			 "rule", i->rule, "text", i->text,
			 "accepted", i->accepted);
}

/* Returns the verdict on a launch as an element of the list of issues. */
static json_t *launch_verdict_json(const struct check_launch *l)
{
	return verdict_json_add(json_pack("{s:s, s:s, s:n, s:n, s:s, s:s}",
					  "file", l->file, "launch", l->name,
					  "line", "column", "level", "verdict",
					  "text", l->verdict.why),
				&l->verdict);
}

/* Prints the verdict on all launches. */
static void print_check_verdict(const struct check *c)
{
	struct verdict_part *parts = xcalloc(c->launch_count + 1,
					     sizeof(*parts));
	struct verdict v;
	char *text;

	for (size_t i = 0; i < c->launch_count; i++)
		parts[i] = (struct verdict_part){
			c->launches[i].verdict, c->launches[i].file };
	v = verdict_join(parts, c->launch_count);
	text = verdict_text(&v);
	puts(text);
	free(text);
	verdict_done(&v);
	free(parts);
}

static void print_issues(const struct check *c, bool json)
{
	json_t *list = json_array();

	for (size_t i = 0; i < c->issue_count; i++)
		if (json)
			json_array_append_new(list,
					      issue_json(&c->issues[i]));
		else if (!c->issues[i].accepted)
			print_issue(&c->issues[i]);
	for (size_t i = 0; i < c->launch_count && json; i++)
		json_array_append_new(list,
				      launch_verdict_json(&c->launches[i]));
	if (json)
		command_json_lines(list);
	else
		json_decref(list);
	if (!json)
		printf(_("launches: %1$zu, errors: %2$zu, warnings: %3$zu, "
			 "accepted: %4$zu\n"), c->launch_count,
		       check_count(c, CHECK_ERROR, SIZE_MAX),
		       check_count(c, CHECK_WARNING, SIZE_MAX),
		       check_accepted(c));
	if (!json)
		print_check_verdict(c);
}

static int write_check_files(const struct check *c,
			     const struct check_arguments *a, struct error *e)
{
	json_t *sarif = check_sarif(c);
	char *dumped = json_dumps(sarif, JSON_INDENT(1));
	char *junit = check_junit(c);
	int status = 0;

	if (a->sarif)
		status = file_out_text(a->sarif, dumped, a->force, e);
	if (a->junit && !status)
		status = file_out_text(a->junit, junit, a->force, e);
	json_decref(sarif);
	free(dumped);
	free(junit);
	return status;
}

/* ---- all of it ---- */

/* Rules of the folders of the files, each read once. */
struct rule_folders {
	struct check_rules *rules;
	size_t count, capacity;
};

/* Finds the rules for a file: those of --rules, or of its folder; *out is NULL
 * if there are none. Returns -1 with e. */
static int find_file_rules(struct rule_folders *f,
			   const struct check_arguments *a, const char *file,
			   struct check_rules **out, struct error *e)
{
	char *path = a->rules ? xstrdup(a->rules) :
		     xasprintf("%.*s" CHECK_RULES_FILE,
			       (int)(file_base(file) - file), file);
	int status = 0;

	*out = NULL;
	for (size_t i = 0; i < f->count && !*out; i++)
		if (!strcmp(f->rules[i].path, path))
			*out = &f->rules[i];
	if (!*out && (a->rules || !access(path, F_OK))) {
		grow(&f->rules, &f->capacity, f->count + 1,
		     sizeof(*f->rules));
		status = check_rules_read(&f->rules[f->count], path, e);
		if (!status)
			*out = &f->rules[f->count++];
	}
	free(path);
	return status;
}

/* Adds a note for each rule that accepts a finding that no longer exists. */
static void note_unused(struct check *c, const struct rule_folders *f)
{
	for (size_t r = 0; r < f->count; r++)
		for (size_t i = 0; i < f->rules[r].line_count; i++) {
			const struct check_line *l = &f->rules[r].lines[i];

			if (!l->kind || l->used)
				continue;
			check_add(c, CHECK_NOTE, "accepts-nothing",
				  f->rules[r].path, l->line,
				  xasprintf(_("this line accepts %1$s, which "
					      "is no longer found here: you "
					      "can delete it"),
					    text_show(l->kind)));
		}
}

static int check_all_files(struct check *c, const struct check_arguments *a,
			   int count, char **files)
{
	struct rule_folders f = { NULL, 0, 0 };
	int status = EXIT_DONE;
	struct error e;

	for (int i = 0; i < count; i++) {
		struct check_rules *rules;
		int was = find_file_rules(&f, a, files[i], &rules, &e) ?
				  command_failed(&e) :
				  check_one_file(c, a, rules, files[i]);

		status = status ? status : was;
	}
	note_unused(c, &f);
	print_issues(c, a->json);
	if (write_check_files(c, a, &e))
		status = command_failed(&e);
	for (size_t i = 0; i < f.count; i++)
		check_rules_done(&f.rules[i]);
	free(f.rules);
	for (size_t i = 0; i < c->issue_count && !status; i++)
		if (check_fails(&c->issues[i]))
			status = EXIT_CHECK;
	return command_flush(status);
}

static int run(const struct command *c, int argc, char **argv)
{
	struct check_arguments a = {0};
	struct check check = {0};
	int status = read_check_arguments(&a, c, argc, argv);

	check.require_verdict = a.require_verdict;
	if (status < 0)
		status = check_all_files(&check, &a, argc - optind,
					 argv + optind);
	check_done(&check);
	launch_given_done(&a.launch);
	return status;
}

int check_program(const struct launch_given *given, int count, char **words)
{
	const struct check_arguments a = {
		.launch = *given, .program = words, .program_count = count,
	};
	struct check check = {0};
	int status = check_all_files(&check, &a, 1, words);

	check_done(&check);
	return status;
}

static const struct option_def check_options[] = {
	{ "max-sectors-ratio", OPT_SECTORS, "R",
	  N_("limit: sectors that an access moves for each sector that it "
	     "needs") },
	{ "max-wavefronts-ratio", OPT_WAVEFRONTS, "R",
	  N_("limit: wavefronts that an access takes for each wavefront that "
	     "it needs") },
	{ "max-way", OPT_WAY, "W",
	  N_("limit: different words of one bank that a wavefront asks for") },
	{ "max-registers", OPT_REGISTERS, "N",
	  N_("limit: registers of a thread, as compiled (report --machine)") },
	{ "max-spills", OPT_SPILLS, "BYTES",
	  N_("limit: bytes that the compiled code spills") },
	{ "max-compiled-ratio", OPT_COMPILED, "R",
	  N_("limit: wavefronts that an access takes as compiled, for each "
	     "that it needs") },
	{ "rules", OPT_RULES, "FILE",
	  N_("file of limits, sizes, launches and accepted findings (default: "
	     ".gemmviz-check in the folder of each file)") },
	{ "sarif", OPT_SARIF, "FILE", N_("write the findings as SARIF") },
	{ "require-verdict", OPT_REQUIRE, NULL,
	  N_("also fail launches whose result is not judged") },
	{ "junit", OPT_JUNIT, "FILE", N_("write the launches as JUnit XML") },
	{0}
};

const struct command command_check = {
	.name = "check",
	.arguments = "KERNEL|FILE.cu|F.gvt... [OPTIONS]",
	.summary = N_("check kernels against limits, for continuous "
		      "integration"),
	.about = N_("Records kernels, without a GPU, and prints findings, "
		    "exceeded limits and advice, one per line as compilers do. "
		    "If no size is given, a second one is tried, which is no "
		    "multiple of a tile. "
		    "The last line is the verdict: right, wrong or not judged, "
		    "and why. Exits with 1 if there is a finding, a wrong "
		    "result or an exceeded limit that is not accepted."),
	.examples = "my.cu --block 16x16 --grid 4x4 --max-way 2\n"
		    "src/*.cu --max-sectors-ratio 1.5 --sarif check.sarif",
	.options = { check_options, option_json, option_force,
		     launch_option_defs, program_option_defs },
	.recording = "D block grid",
	.run = run,
};
