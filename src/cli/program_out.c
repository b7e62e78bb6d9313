/*
 * program_out: see program_out.h.
 */
#include "cli/program_out.h"

#include <stdlib.h>
#include <string.h>

#include "base/lang.h"
#include "base/text.h"
#include "cli/program_devices.h"

/* Lines in the list of launches; so many are listed each by itself; and so many
 * kinds are told apart, of which those that are recorded or failed are listed,
 * too. */
#define LAUNCHES_SHOWN 40
#define LAUNCHES_APART 12
#define LAUNCHES_KINDS 1000

static const char *get_member_text(const json_t *o, const char *member)
{
	const char *s = json_string_value(json_object_get(o, member));

	return s ? s : "";
}

static long long get_member_integer(const json_t *o, const char *member)
{
	return json_integer_value(json_object_get(o, member));
}

/* Returns a place such as "x.cu:12", or "" if it is not known; the caller frees
 * it. */
static char *format_place(const json_t *o, const char *member)
{
	const json_t *at = json_object_get(o, member);

	return json_is_object(at) ?
	       xasprintf("%s:%lld", text_show(get_member_text(at, "file")),
			 get_member_integer(at, "line")) : xstrdup("");
}

/* ---- what is wrong ---- */

/* X(kind of the protocol, whether it is a fault) */
static const struct {
	const char *kind;
	bool fault;
} kinds[] = {
	{ "leak", false }, { "times", false }, { "cut", false },
	{ "discarded", false }, { "texture", false }, { "unwritten", false },
	{ "no-memory", false }, { "launch-limit", false },
	{ "unchecked", true },
	{ "status", true }, { "host-access", true }, { "direction-to", true },
	{ "direction-from", true }, { "too-large", true },
	{ "symbol", true }, { "freed", true },
	{ "free-twice", true }, { "free-other", true }, { "set-host", true },
	{ "unallocated", true }, { "unfreed", true },
	{ "early-read", true }, { "early-write", true },
	{ "streams", true }, { "devices", false }, { "staged", false },
	{ "stream-device", true }, { "event-device", true },
	{ "peer-device", true }, { "not-ready", true },
	{ "part-written", true }, { "part-rows", true },
	{ "part-elements", true }, { "overwritten", true },
};

bool program_is_fault(const json_t *p)
{
	for (size_t i = 0; i < LENGTH(kinds); i++)
		if (!strcmp(kinds[i].kind, get_member_text(p, "kind")))
			return kinds[i].fault;
	return true;
}

/* Describes an array of which kernels leave a part out; NULL: the problem is
 * another one. */
static char *describe_part(const json_t *p, const char *kind, const char *name)
{
	long long first = get_member_integer(p, "bytes"),
		  last = get_member_integer(p, "room");

	if (!strcmp(kind, "part-elements"))
		return xasprintf(_("no kernel writes the elements of %1$s from "
				   "%2$lld to %3$lld, and it is copied to the "
				   "host: one thread writes one element, and "
				   "there are %2$lld threads"),
				 name, first, last);
	if (!strcmp(kind, "part-rows"))
		return xasprintf(_("no kernel writes rows %1$lld..%4$lld of "
				   "%2$s, in rows of %3$s elements, which is "
				   "copied to the host"), first, name,
				 text_show(get_member_text(p, "word")), last);
	if (strcmp(kind, "part-written") != 0)
		return NULL;
	return first == last ?
	       xasprintf(_("no kernel writes column %1$lld of %2$s, in rows of "
			   "%3$s elements, which is copied to the host"),
			 first, name, text_show(get_member_text(p, "word"))) :
	       xasprintf(_("no kernel writes columns %1$lld..%4$lld of %2$s, in "
			   "rows of %3$s elements, which is copied to the "
			   "host"), first, name,
			 text_show(get_member_text(p, "word")), last);
}

/* Describes memory, such as "d_A (4096 bytes, allocated at x.cu:8)"; the caller
 * frees it. */
static char *describe_memory(const json_t *p)
{
	char *at = format_place(p, "other");
	const char *name = get_member_text(p, "name");
	char *words = xasprintf(*at ? _("%s (%lld bytes, allocated at %s)") :
				      _("%s (%lld bytes)"),
				*name ? text_show(name) : _("memory"),
				get_member_integer(p, "room"), at);

	free(at);
	return words;
}

static char *describe_host_access(const json_t *p)
{
	char *memory = describe_memory(p);
	bool writes = !strcmp(get_member_text(p, "word"), "write");
	char *words = xasprintf(writes ?
		_("the host writes to the device's memory %s; only kernels "
		  "and cudaMemcpy may") :
		_("the host reads the device's memory %s; only kernels and "
		  "cudaMemcpy may"), memory);

	free(memory);
	return words;
}

/* Describes a copy of what nobody wrote, or over what nobody has read. */
static char *describe_contents(const json_t *p, bool unwritten)
{
	char *memory = describe_memory(p);
	char *words = xasprintf(unwritten ?
		_("%1$s copies %3$lld bytes of %2$s that were never written") :
		_("%1$s overwrites %2$s: nothing has read what kernels stored "
		  "there; is its direction right?"),
				text_show(get_member_text(p, "word")), memory,
				get_member_integer(p, "bytes"));

	free(memory);
	return words;
}

static char *large_words(const json_t *p)
{
	char *memory = describe_memory(p);
	char *words = xasprintf(_("%s reaches byte %lld of %s"),
				text_show(get_member_text(p, "word")),
				get_member_integer(p, "bytes"), memory);

	free(memory);
	return words;
}

/* Work that the host has not waited for. */
static char *early_words(const json_t *p)
{
	char *at = format_place(p, "other");
	const char *name = get_member_text(p, "name");
	bool writes = !strcmp(get_member_text(p, "kind"), "early-write");
	char *words = xasprintf(writes ?
		_("the host writes to %s, which %s (%s) may still use: it must "
		  "wait first, for example with cudaDeviceSynchronize()") :
		_("the host reads %s, which %s (%s) may not have written yet: "
		  "it must wait first, for example with "
		  "cudaDeviceSynchronize()"),
		*name ? text_show(name) : _("memory"),
		text_show(get_member_text(p, "word")), at);

	free(at);
	return words;
}

/* Describes work in two streams that nothing orders; the caller frees it. */
static char *streams_words(const json_t *p)
{
	char *at = format_place(p, "other");
	const char *name = get_member_text(p, "name");
	char *words = xasprintf(
		_("this uses %s, and so does %s (%s) in another stream; at "
		  "least one of them writes it, and nothing orders them: order "
		  "them, for example with cudaStreamWaitEvent()"),
		*name ? text_show(name) : _("memory"),
		text_show(get_member_text(p, "word")), at);

	free(at);
	return words;
}

static char *freed_words(const json_t *p, const char *format)
{
	char *at = format_place(p, "other");
	const char *name = get_member_text(p, "name");
	char *words = xasprintf(format, text_show(get_member_text(p, "word")),
				*name ? text_show(name) : _("memory"), at);

	free(at);
	return words;
}

/* Describes the use of memory that does not exist at that time; NULL: the
 * problem is another. The caller frees it. */
static char *describe_gone_memory(const json_t *p)
{
	const char *kind = get_member_text(p, "kind");

	if (!strcmp(kind, "freed"))
		return freed_words(p, _("%s uses %s, which was freed at %s"));
	if (!strcmp(kind, "free-twice"))
		return freed_words(p, _("%s: %s was already freed at %s"));
	if (!strcmp(kind, "unallocated"))
		return freed_words(p, _("%s uses %s, which its graph (%s) has "
					"not allocated yet: launch the graph "
					"first"));
	if (!strcmp(kind, "unfreed"))
		return freed_words(p, _("%s: %s, which the graph allocates at "
					"%s, was not freed after its last "
					"launch"));
	return NULL;
}

/* Describes a side of a copy that its direction does not allow. */
static char *describe_direction(const json_t *p)
{
	bool to = !strcmp(get_member_text(p, "kind"), "direction-to");
	bool device = get_member_integer(p, "room") > 0;
	const char *side = to && device ?
		_("the destination is device memory") :
		to ? _("the destination is host memory") :
		device ? _("the source is device memory") :
		_("the source is host memory");

	return xasprintf("%s: %s", text_show(get_member_text(p, "word")), side);
}

/* Describes a difference from a GPU due to recording on the CPU; NULL: the
 * problem is another. The caller frees it. */
static char *describe_recorder_limit(const json_t *p)
{
	const char *kind = get_member_text(p, "kind");

	if (!strcmp(kind, "cut"))
		return xstrdup(_("the launch took too long on the CPU and was "
				 "stopped: use a smaller size, or raise "
				 "--seconds"));
	if (!strcmp(kind, "discarded"))
		return xstrdup(_("all writes to the file that is opened here "
				 "are discarded: --allow-write FOLDER keeps "
				 "them"));
	if (!strcmp(kind, "times"))
		return xstrdup(_("no times are measured on the CPU: "
				 "cudaEventElapsedTime() gives NaN"));
	if (!strcmp(kind, "no-memory"))
		return xasprintf(_("%s runs out of memory: the device has %lld "
				   "MB here, three quarters of --memory"),
				 text_show(get_member_text(p, "word")),
				 get_member_integer(p, "bytes"));
	return NULL;
}

/* Describes the limit that a launch has passed; NULL: the problem is another.
 * The caller frees it. */
static char *describe_program_limit(const json_t *p)
{
	const char *word = text_show(get_member_text(p, "word"));
	const char *which = get_member_text(p, "name");
	long long asked = get_member_integer(p, "bytes");
	long long most = get_member_integer(p, "room");

	if (strcmp(get_member_text(p, "kind"), "launch-limit"))
		return NULL;
	if (!strcmp(which, "threads"))
		return xasprintf(_("%s is not launched: its block has %lld "
				   "threads, and may have %lld"),
				 word, asked, most);
	if (!strcmp(which, "bounds"))
		return xasprintf(_("%s is not launched: its block has %lld "
				   "threads, and __launch_bounds__ allows "
				   "%lld"), word, asked, most);
	if (!strcmp(which, "shared"))
		return xasprintf(_("%s is not launched: it asks for %lld bytes "
				   "of dynamic shared memory, and without "
				   "cudaFuncSetAttribute() has at most %lld"),
				 word, asked, most);
	return xasprintf(_("%s is not launched: %s is %lld, and may be 1 to "
			   "%lld"), word, text_show(which), asked, most);
}

/* Describes data that a function which is judged takes through the host; NULL:
 * the problem is another. The caller frees it. */
static char *describe_host_detour(const char *kind, const char *word,
				  const char *name)
{
	if (!strcmp(kind, "host-copy"))
		return xasprintf(_("%1$s takes %2$s through the host: a kernel "
				   "must compute it"), word, name);
	if (!strcmp(kind, "host-memory"))
		return xasprintf(_("%s gives memory that the host can use: "
				   "kernels must compute everything"), word);
	if (!strcmp(kind, "unread"))
		return xasprintf(_("a kernel writes %s, and nobody copies it "
				   "to the host"), name);
	if (!strcmp(kind, "carried"))
		return xasprintf(_("%1$s carries %2$s into the result: a kernel "
				   "must do that"), word, name);
	if (!strcmp(kind, "library"))
		return xasprintf(_("%s computes in place of a kernel of "
				   "yours"), word);
	if (!strcmp(kind, "host-variable"))
		return xstrdup(!strcmp(word, "write") ?
			_("the host writes to a variable of the device: only "
			  "kernels and cudaMemcpyToSymbol may") :
			_("the host reads a variable of the device: only "
			  "kernels and cudaMemcpyFromSymbol may"));
	return NULL;
}

char *program_problem_words(const json_t *p)
{
	const char *kind = get_member_text(p, "kind");
	const char *word = text_show(get_member_text(p, "word"));
	const char *name = get_member_text(p, "name");
	char *words = program_devices_words(p);

	name = *name ? text_show(name) : _("memory");
	words = words ? words : describe_gone_memory(p);
	words = words ? words : describe_recorder_limit(p);
	words = words ? words : describe_program_limit(p);
	words = words ? words : describe_part(p, kind, name);
	words = words ? words : describe_host_detour(kind, word, name);
	if (words)
		return words;
	if (!strcmp(kind, "leak"))
		return xasprintf(_("%s (%lld bytes) is never freed"), name,
				 get_member_integer(p, "bytes"));
	if (!strcmp(kind, "texture"))
		return xstrdup(_("reads of this array are counted as if its "
				 "rows were contiguous: the order on a GPU is "
				 "not public"));
	if (!strcmp(kind, "not-ready"))
		return xstrdup(_("cudaEventElapsedTime() is called before the "
				 "program has waited for the events: on a GPU "
				 "it returns cudaErrorNotReady; call "
				 "cudaEventSynchronize() first"));
	if (!strcmp(kind, "unchecked"))
		return xasprintf(_("%s failed (%s), and the program never "
				   "checks for the error"), word, name);
	if (!strcmp(kind, "status"))
		return xasprintf(_("%s fails: it returns status %lld"), word,
				 get_member_integer(p, "bytes"));
	if (!strcmp(kind, "host-access"))
		return describe_host_access(p);
	if (!strncmp(kind, "early", 5))
		return early_words(p);
	if (!strcmp(kind, "streams"))
		return streams_words(p);
	if (!strncmp(kind, "direction", 9))
		return describe_direction(p);
	if (!strcmp(kind, "too-large"))
		return large_words(p);
	if (!strcmp(kind, "symbol"))
		return xasprintf(_("%s reaches byte %lld of a symbol of %lld "
				   "bytes"), word,
				 get_member_integer(p, "bytes"),
				 get_member_integer(p, "room"));
	if (!strcmp(kind, "unwritten") || !strcmp(kind, "overwritten"))
		return describe_contents(p, *kind == 'u');
	if (!strcmp(kind, "free-other"))
		return xasprintf(_("%s gets a pointer that the matching "
				   "function did not return"),
				 word);
	if (!strcmp(kind, "set-host"))
		return xasprintf(_("%s gets a pointer to host memory"), word);
	return xstrdup(text_show(kind));
}

static void problems_print(const json_t *summary, FILE *out)
{
	const json_t *list = json_object_get(summary, "problems");
	size_t count = json_array_size(list);

	if (count)
		fprintf(out, "\n%s\n", _("in the host code:"));
	for (size_t i = 0; i < count; i++) {
		const json_t *p = json_array_get(list, i);
		char *at = format_place(p, "at"),
		     *words = program_problem_words(p);

		fprintf(out, "  %s: %s", at, words);
		if (get_member_integer(p, "count") > 1)
			fprintf(out, _(" (%lld times)"),
				get_member_integer(p, "count"));
		putc('\n', out);
		free(words);
		free(at);
	}
}

/* ---- launches ---- */

void program_dims_add(struct str *s, const json_t *d)
{
	long long v[3] = { 1, 1, 1 };

	for (size_t i = 0; i < 3; i++)
		v[i] = json_integer_value(json_array_get(d, i));
	str_addf(s, "%lld", v[0]);
	if (v[1] != 1 || v[2] != 1)
		str_addf(s, "x%lld", v[1]);
	if (v[2] != 1)
		str_addf(s, "x%lld", v[2]);
}

/* Describes a launch, such as "x.cu:12  add  <<<4, 256>>>", with its device if
 * there are several; the caller frees it. */
static char *describe_launch(const json_t *l, bool several)
{
	struct str s = { 0 };

	if (several)
		str_addf(&s, _("device %lld  "),
			 get_member_integer(l, "device"));
	str_addf(&s, "%s:%lld  ", text_show(get_member_text(l, "file")),
		 get_member_integer(l, "line"));
	str_addf(&s, "%s  <<<", text_show(get_member_text(l, "kernel")));
	program_dims_add(&s, json_object_get(l, "grid"));
	str_add(&s, ", ");
	program_dims_add(&s, json_object_get(l, "block"));
	if (get_member_integer(l, "shared"))
		str_addf(&s, ", %lld", get_member_integer(l, "shared"));
	str_add(&s, ">>>");
	return str_take(&s);
}

/* Launches that look the same, of a program that makes many. */
struct launches {
	char *words;
	const char *error;
	long long first, last, recorded;	/* recorded: the first that is */
	size_t count, recorded_count;
};

static bool same_launches(const struct launches *o, const char *words,
			  const char *error)
{
	return !strcmp(o->words, words) && !strcmp(o->error, error);
}

static bool is_recorded(const json_t *l)
{
	return !strcmp(get_member_text(l, "how"), "recorded");
}

static void launches_add(struct launches *o, const json_t *l)
{
	o->last = get_member_integer(l, "number");
	o->count++;
	if (is_recorded(l) && !o->recorded_count++)
		o->recorded = o->last;
}

static void print_launches(const struct launches *o, FILE *out)
{
	fprintf(out, "  %3lld  %s", o->first, o->words);
	if (o->count > 1)
		fprintf(out, _("  %zu times (the last: %lld)"), o->count,
			o->last);
	if (o->recorded_count > 1)
		fprintf(out, _("  %zu recorded (the first: %lld)"),
			o->recorded_count, o->recorded);
	else if (o->recorded_count && o->recorded != o->first)
		fprintf(out, _("  recorded: %lld"), o->recorded);
	else if (o->recorded_count)
		fprintf(out, "  %s", _("recorded"));
	if (*o->error)
		fprintf(out, "  %s", text_show(o->error));
	putc('\n', out);
}

/* Fills a table of a program's launches: each, or, if there are many, those
 * that look the same together. Returns how many entries there are. */
static size_t group_launches(const json_t *list, bool several,
			     struct launches *of)
{
	size_t all = json_array_size(list), count = 0;

	for (size_t i = 0; i < all; i++) {
		const json_t *l = json_array_get(list, i);
		const char *error = get_member_text(l, "error");
		char *words = describe_launch(l, several);
		size_t k = all > LAUNCHES_APART ? 0 : count;

		while (k < count && !same_launches(&of[k], words, error))
			k++;
		if (k == LAUNCHES_KINDS || k < count)
			free(words);
		if (k == LAUNCHES_KINDS)
			continue;
		if (k == count)
			of[count++] = (struct launches) {
				.words = words, .error = error,
				.first = get_member_integer(l, "number"),
			};
		launches_add(&of[k], l);
	}
	return count;
}

static void launches_list(const json_t *summary, FILE *out)
{
	const json_t *list = json_object_get(summary, "launches");
	struct launches of[LAUNCHES_KINDS];
	size_t count = group_launches(list, program_has_devices(summary), of);
	size_t left = (size_t)get_member_integer(summary, "launch_count");

	if (count)
		fprintf(out, "\n%s\n", json_array_size(list) > LAUNCHES_APART ?
			_("launches (--launch N records another):") :
			_("launches:"));
	for (size_t i = 0; i < count; i++) {
		if (i < LAUNCHES_SHOWN || of[i].recorded_count ||
		    *of[i].error) {
			print_launches(&of[i], out);
			left -= of[i].count;
		}
		free(of[i].words);
	}
	if (left)
		fprintf(out, _("  ... and %zu more\n"), left);
}

/* Returns whether the reason why a program was stopped stops its kernel recorded
 * alone, too. */
static bool is_met_in_kernel(const char *what)
{
	return strstr(what, "PTX") || strstr(what, _(" lacks ")) ||
	       strstr(what, _("static shared memory"));
}

/* ---- print how it ended ---- */

/* Describes how the program ended; see program_out.h. */
char *program_end_words(const json_t *summary)
{
	const char *how = get_member_text(summary, "how");
	int status = (int)get_member_integer(summary, "status");

	if (!strcmp(how, "exit"))
		return xasprintf(_("the program ended with status %d"),
				 status);
	if (!strcmp(how, "signal"))
		return xasprintf(_("the program was ended by signal %d (%s)"),
				 status, strsignal(status));
	if (!strcmp(how, "seconds"))
		return xstrdup(_("the program took too long and was stopped "
				 "(--seconds raises the limit)"));
	if (!strcmp(how, "deadlock"))
		return xstrdup(_("the program was stopped: its host threads "
				 "wait for each other"));
	if (!strcmp(how, "waiting"))
		return xstrdup(_("the program was stopped: it would wait "
				 "forever"));
	if (is_met_in_kernel(get_member_text(summary, "what")))
		return xasprintf(_("the program was stopped: %s"),
				 text_show(get_member_text(summary, "what")));
	return xasprintf(_("the program was stopped: %s (--kernel-only records "
			   "a kernel without the program)"),
			 text_show(get_member_text(summary, "what")));
}

void program_output_print(const char *text, const char *file, bool first,
			  FILE *out)
{
	if (first)
		fprintf(out, _("the output of %s:\n"), text_show(file));
	while (*text) {
		size_t n = strcspn(text, "\n");
		char *clean = text_clean(text, n, 0);

		fprintf(out, "| %s\n", clean);
		free(clean);
		text += n + (text[n] == '\n');
	}
}

static void output_print(const json_t *summary, const char *file, size_t shown,
			 FILE *out)
{
	const char *text = get_member_text(summary, "output");
	size_t told = strlen(text);
	long long left =
		get_member_integer(summary, "output_bytes") - (long long)told;

	if (told > shown)
		program_output_print(text + shown, file_base(file), !shown, out);
	if (left > 1024)
		fprintf(out, _("  ... and %lld bytes more\n"), left);
}

void program_print(const json_t *summary, const char *file, size_t shown,
		   FILE *out)
{
	char *words = program_end_words(summary),
	     *at = format_place(summary, "at");

	output_print(summary, file, shown, out);
	if (*get_member_text(summary, "output"))
		putc('\n', out);
	fprintf(out, "%s: %s\n", *at ? at : text_show(file), words);
	free(words);
	free(at);
	launches_list(summary, out);
	program_devices_print(summary, out);
	problems_print(summary, out);
}

bool program_ended(const json_t *summary)
{
	return !strcmp(get_member_text(summary, "how"), "exit");
}

bool program_launches_nothing(const json_t *summary)
{
	return program_ended(summary) &&
	       get_member_integer(summary, "status") == 0 &&
	       get_member_integer(summary, "launch_count") == 0;
}

bool program_succeeded(const json_t *summary)
{
	return program_ended(summary) && !get_member_integer(summary, "status");
}

/* Returns whether an entry of the summary's list has this text as its member. */
static bool has_entry(const json_t *summary, const char *list,
		      const char *member, const char *text)
{
	const json_t *of = json_object_get(summary, list);

	for (size_t i = 0; i < json_array_size(of); i++)
		if (!strcmp(get_member_text(json_array_get(of, i), member),
			    text))
			return true;
	return false;
}

bool program_was_cut(const json_t *summary)
{
	return has_entry(summary, "problems", "kind", "cut") ||
	       has_entry(summary, "launches", "error",
			 "cudaErrorLaunchTimeout") ||
	       !strcmp(get_member_text(summary, "how"), "seconds");
}

int program_status(const json_t *summary)
{
	const json_t *list = json_object_get(summary, "problems");

	for (size_t i = 0; i < json_array_size(list); i++)
		if (program_is_fault(json_array_get(list, i)))
			return EXIT_CHECK;
	return program_ended(summary) ? EXIT_DONE : EXIT_CHECK;
}
