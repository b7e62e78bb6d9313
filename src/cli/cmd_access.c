/* gemmviz access: the cost of one warp's access, as text or JSON. */
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "hardware/access.h"
#include "cli/commands.h"
#include "base/expr.h"
#include "base/lang.h"
#include "analysis/pattern.h"
#include "base/text.h"

/* Longer lines on standard input are refused. */
#define LINE_LIMIT (1u << 20)

static const char *const spaces[] = {
	[ACCESS_GLOBAL] = "global", [ACCESS_SHARED] = "shared",
	[ACCESS_LDMATRIX] = "ldmatrix", [ACCESS_CONSTANT] = "constant",
};

static int parse_space(const char *word, enum access_space *space,
		       struct error *e)
{
	const char *near;

	for (size_t i = 0; i < LENGTH(spaces); i++)
		if (!strcmp(word, spaces[i])) {
			*space = (enum access_space)i;
			return 0;
		}
	near = nearest_name(word, spaces, LENGTH(spaces));
	if (near)
		return error_set(e, EXIT_USAGE, "no space '%s'; did you mean "
				 "%s?", text_show(word), near);
	return error_set(e, EXIT_USAGE, "no space '%s' (global, shared, "
			 "ldmatrix or constant)", text_show(word));
}

/* ldmatrix takes the row addresses of one, two or four matrices. */
static int check_ldmatrix(const struct access *a, struct error *e)
{
	if (a->op != OP_LD)
		return error_set(e, EXIT_USAGE, "ldmatrix only loads");
	if (a->mask != 0xff && a->mask != 0xffff && a->mask != UINT32_MAX)
		return error_set(e, EXIT_USAGE, "ldmatrix takes addresses from "
				 "lanes 0-7, 0-15 or 0-31 only");
	return 0;
}

static int compute_cost(const struct access *a, struct access_cost *cost,
			struct error *e)
{
	if (a->space == ACCESS_LDMATRIX && check_ldmatrix(a, e) < 0)
		return -1;
	if (a->space == ACCESS_CONSTANT && a->op != OP_LD)
		return error_set(e, EXIT_USAGE, "a kernel cannot store to "
				 "constant memory");
	return access_cost(a, cost, e);
}

static json_t *json_count(int n)
{
	return n == NA ? json_null() : json_integer(n);
}

static void print_access_json(const struct access_cost *cost)
{
	json_t *o = json_pack(
		"{s:o, s:o, s:o, s:o, s:o, s:o}",
		"requests", json_count(cost->requests),
		"sectors", json_count(cost->sectors),
		"lines", json_count(cost->lines),
		"wavefronts", json_count(cost->wavefronts),
		"ideal_wavefronts", json_count(cost->ideal_wavefronts),
		"max_way", json_count(cost->max_way));

	if (cost->passes != NA)
		json_object_set_new(o, "passes", json_count(cost->passes));
	command_json(o, stdout);
}

/* ---- read one JSON object per line ---- */

/* Reads the "size" member. Returns -1 with e. */
static int parse_size_member(const json_t *size, struct access *a,
			     struct error *e)
{
	if (!size && a->space == ACCESS_LDMATRIX)
		a->bytes = 16;
	else if (!size)
		return error_set(e, EXIT_INPUT, "\"size\" is missing");
	else if (!json_is_integer(size) || json_integer_value(size) < 1 ||
		 json_integer_value(size) > 16)
		return error_set(e, EXIT_INPUT,
				 "\"size\" must be 1, 2, 4, 8 or 16");
	else
		a->bytes = (uint32_t)json_integer_value(size);
	return 0;
}

static int addresses_from(const json_t *list, struct access *a,
			  struct error *e)
{
	if (!json_is_array(list) || json_array_size(list) != WARP_LANES)
		return error_set(e, EXIT_INPUT, "\"addresses\" must be a list "
				 "of %d", WARP_LANES);
	for (size_t lane = 0; lane < WARP_LANES; lane++) {
		const json_t *v = json_array_get(list, lane);

		if (json_is_null(v))
			continue;
		if (!json_is_integer(v) || json_integer_value(v) < 0)
			return error_set(e, EXIT_INPUT, "lane %zu: an address "
					 "must be null or a whole number from "
					 "0 up",
					 lane);
		a->mask |= UINT32_C(1) << lane;
		a->address[lane] = (uint64_t)json_integer_value(v);
	}
	return 0;
}

static int parse_op(const json_t *op, struct access *a, struct error *e)
{
	const char *word = json_string_value(op);

	if (op && (!word || (strcmp(word, "ld") && strcmp(word, "st"))))
		return error_set(e, EXIT_INPUT,
				 "\"op\" must be \"ld\" or \"st\"");
	a->op = word && !strcmp(word, "st") ? OP_ST : OP_LD;
	return 0;
}

static int check_members(json_t *object, struct error *e)
{
	static const char *const known[] = { "space", "op", "size",
					     "addresses" };
	const char *key;
	json_t *value;

	json_object_foreach(object, key, value) {
		size_t i = 0;

		while (i < LENGTH(known) && strcmp(key, known[i]))
			i++;
		if (i == LENGTH(known))
			return error_set(e, EXIT_INPUT, "unknown member '%s'",
					 text_show(key));
	}
	return 0;
}

static int parse_access(json_t *object, struct access *a, struct error *e)
{
	const char *space = json_string_value(json_object_get(object,
							      "space"));

	*a = (struct access){ 0 };
	if (!json_is_object(object))
		return error_set(e, EXIT_INPUT, "not a JSON object");
	if (check_members(object, e) < 0)
		return -1;
	if (!space)
		return error_set(e, EXIT_INPUT, "\"space\" must be \"global\", "
				 "\"shared\", \"ldmatrix\" or "
				 "\"constant\"");
	if (parse_space(space, &a->space, e) < 0 ||
	    parse_op(json_object_get(object, "op"), a, e) < 0 ||
	    parse_size_member(json_object_get(object, "size"), a, e) < 0)
		return -1;
	return addresses_from(json_object_get(object, "addresses"), a, e);
}

static int answer_object(const char *line, size_t n, struct error *e)
{
	struct access a;
	struct access_cost cost;
	json_error_t why;
	json_t *object = json_loadb(line, n, JSON_REJECT_DUPLICATES |
				    JSON_DECODE_ANY, &why);
	int status;

	if (!object)
		return error_set(e, EXIT_INPUT, "not JSON: %s",
				 text_show(why.text));
	status = parse_access(object, &a, e);
	json_decref(object);
	if (status < 0 || compute_cost(&a, &cost, e) < 0)
		return -1;
	print_access_json(&cost);
	return 0;
}

static void print_error(const struct error *e)
{
	char *text = text_utf8(e->text);

	command_json(json_pack("{s:s}", "error", text), stdout);
	free(text);
}

/* Reads the next line without its newline. Returns false at the end. A longer
 * line than LINE_LIMIT is skipped; *n is then LINE_LIMIT + 1. */
static bool read_input_line(char *buf, size_t *n)
{
	int c;

	*n = 0;
	while ((c = getc(stdin)) != EOF && c != '\n')
		if (*n <= LINE_LIMIT)
			buf[(*n)++] = (char)c;
	return c != EOF || *n;
}

static int answer_lines(void)
{
	char *line = xmalloc(LINE_LIMIT + 1);
	size_t n;
	int status = EXIT_DONE;

	while (status == EXIT_DONE && read_input_line(line, &n)) {
		struct error e;

		if (n > LINE_LIMIT)
			error_set(&e, EXIT_INPUT, "a line is longer than %u "
				  "bytes", LINE_LIMIT);
		if (n > LINE_LIMIT || answer_object(line, n, &e) < 0)
			print_error(&e);
		/* Someone may be waiting for this answer. */
		status = command_flush(EXIT_DONE);
	}
	free(line);
	if (status == EXIT_DONE && ferror(stdin)) {
		struct error e;

		error_set(&e, EXIT_INPUT, "cannot read standard input: %m");
		return command_failed(&e);
	}
	return status;
}

/* ---- the calculator ---- */

struct wish {
	const char *space, *bytes, *text;
	bool store, json, index;
};

static int name_lane(void *ctx, const char *name, struct value *out,
		     struct error *e)
{
	if (strcmp(name, "lane"))
		return error_set(e, EXIT_USAGE, "unknown name '%s' (the only "
				 "variable is lane)", text_show(name));
	*out = value_int(*(int *)ctx);
	return 0;
}

/* Computes the address that the expression has for a lane; -1 in *address: the
 * lane is inactive. Returns -1 with e. */
static int lane_address(const struct expr *x, int lane, int64_t unit,
			int64_t *address, struct error *e)
{
	const struct expr_env env = { .name = name_lane, .ctx = &lane };
	struct value v;

	if (expr_eval(x, &env, &v, e) < 0)
		return -1;
	*address = -1;
	if (v.kind == VALUE_NONE)
		return 0;
	if (v.kind != VALUE_INT)
		return error_set(e, EXIT_USAGE, "lane %d: an address must be a "
				 "whole number", lane);
	if (v.i < 0)
		return error_set(e, EXIT_USAGE, "lane %d: %" PRId64 " is below "
				 "0", lane, v.i);
	if (__builtin_mul_overflow(v.i, unit, address))
		return error_set(e, EXIT_USAGE, "lane %d: the address does not "
				 "fit in 64 bits", lane);
	return 0;
}

static int fill_addresses(struct access *a, const struct wish *w,
			  struct error *e)
{
	struct expr *x = expr_parse(w->text, e);
	int status = x ? 0 : -1;

	for (int lane = 0; lane < WARP_LANES && status == 0; lane++) {
		int64_t address;

		status = lane_address(x, lane, w->index ? a->bytes : 1,
				      &address, e);
		if (status < 0 || address < 0)
			continue;
		a->mask |= UINT32_C(1) << lane;
		a->address[lane] = (uint64_t)address;
	}
	expr_free(x);
	return status;
}

static int access_wished(const struct wish *w, struct access *a,
			 struct error *e)
{
	long bytes;

	*a = (struct access){ .op = w->store ? OP_ST : OP_LD };
	if (parse_space(w->space, &a->space, e) < 0)
		return -1;
	if (!parse_int(w->bytes, 1, 16, &bytes))
		return error_set(e, EXIT_USAGE, "BYTES must be 1, 2, 4, 8 or "
				 "16, not '%s'",
				 text_show(w->bytes));
	a->bytes = (uint32_t)bytes;
	return fill_addresses(a, w, e);
}

/* ---- for people ---- */

#define ROWS_SHOWN 8

/* Prints a heading over numbers of this many columns. Returns the columns that
 * it takes, at least as many. */
static int print_heading_over(const char *text, int columns)
{
	int width = text_width(text);

	printf("  %*s%s", MAX(columns - width, 0), "", text);
	return MAX(columns, width);
}

static void print_more(size_t rest)
{
	if (rest)
		printf(ngettext("  and %1$zu more\n", "  and %1$zu more\n",
				(unsigned long)rest), rest);
}

static void print_access_head(const struct access *a)
{
	char lanes[80];

	pattern_lanes(a->mask, lanes, sizeof(lanes));
	if (a->mask)
		printf(_("%1$s %2$s, %3$d bytes per lane, lanes %4$s\n"),
		       spaces[a->space], op_name(a->op), (int)a->bytes, lanes);
	else
		printf(_("%1$s %2$s, %3$d bytes per lane, no active lane\n"),
		       spaces[a->space], op_name(a->op), (int)a->bytes);
}

static void print_global(const struct access *a,
			 const struct access_cost *cost)
{
	struct access_sector s[2 * WARP_LANES];
	size_t count = access_sectors(a, s);
	char lanes[80];
	int at, used;

	printf(_("  requests  %1$d\n"
		 "  sectors   %2$d (ideal: %3$d)\n"
		 "  lines     %4$d\n"), cost->requests, cost->sectors,
	       cost->ideal_sectors, cost->lines);
	if (!count)
		return;
	putchar('\n');
	at = print_heading_over(
		_("sector at byte"),
		snprintf(NULL, 0, "%" PRIu64, s[count - 1].address));
	used = print_heading_over(_("bytes used"), 10);
	printf("  %s\n", _("lanes"));
	for (size_t i = 0; i < MIN(count, ROWS_SHOWN); i++) {
		pattern_lanes(s[i].lanes, lanes, sizeof(lanes));
		printf("  %*" PRIu64 "  %*d  %s\n", at, s[i].address, used,
		       __builtin_popcount(s[i].bytes), lanes);
	}
	print_more(count - MIN(count, ROWS_SHOWN));
}

/* Prints which lanes access each of a bank's words, such as "0-3 | 4-7 |
 * 8-11". */
static void print_rivals(const struct access_word *w, size_t count)
{
	int columns = 0;

	for (size_t i = 0; i < count; i++) {
		char lanes[80];

		pattern_lanes(w[i].lanes, lanes, sizeof(lanes));
		if (columns + strlen(lanes) > 50) {
			printf(" | ...");
			break;
		}
		columns += printf("%s%s", i ? " | " : "", lanes);
	}
	putchar('\n');
}

/* Counts the first words that are in the same pass and bank. */
static size_t count_same_bank(const struct access_word *w, size_t count)
{
	size_t n = 1;

	while (n < count && w[n].pass == w[0].pass &&
	       w[n].bank == w[0].bank)
		n++;
	return n;
}

/* Returns whether the next bank of the same pass has the same lanes for its
 * words. */
static bool has_same_rivals(const struct access_word *w, size_t count, size_t n)
{
	if (count < 2 * n || count_same_bank(w + n, count - n) != n ||
	    w[n].pass != w[0].pass || w[n].bank != w[0].bank + 1)
		return false;
	for (size_t i = 0; i < n; i++)
		if (w[n + i].lanes != w[i].lanes)
			return false;
	return true;
}

struct bank_columns { int pass, bank, words; };

static struct bank_columns bank_headings(void)
{
	struct bank_columns c;

	putchar('\n');
	c.pass = print_heading_over(_("pass"), 5);
	c.bank = print_heading_over(_("bank"), 5);
	c.words = print_heading_over(_("words"), 5);
	printf("  %s\n", _("lanes that access each of them"));
	return c;
}

/* Prints a line for each run of adjacent banks with the same conflicts. */
static void print_banks(const struct access *a)
{
	struct access_word w[4 * WARP_LANES];
	struct bank_columns c = { 0 };
	int passes;
	size_t count = access_words(a, w, &passes), rows = 0;

	for (size_t i = 0, n; i < count; i += n) {
		char bank[24];
		int first = w[i].bank;

		n = count_same_bank(w + i, count - i);
		if (n < 2)
			continue;
		while (has_same_rivals(w + i, count - i, n))
			i += n;
		if (!rows++)
			c = bank_headings();
		if (rows > ROWS_SHOWN)
			continue;
		snprintf(bank, sizeof(bank), first == w[i].bank ? "%d" :
			 "%d-%d", first, w[i].bank);
		printf("  %*d  %*s  %*zu  ", c.pass, w[i].pass, c.bank, bank,
		       c.words, n);
		print_rivals(w + i, n);
	}
	print_more(rows - MIN(rows, ROWS_SHOWN));
	if (count && !rows)
		printf("%s\n", _("  no bank has to deliver more than one "
				 "word"));
}

static void print_shared(const struct access *a,
			 const struct access_cost *cost)
{
	printf(_("  requests    %1$d\n"
		 "  wavefronts  %2$d (ideal: %3$d)\n"
		 "  worst bank  %4$d-way\n"), cost->requests,
	       cost->wavefronts, cost->ideal_wavefronts, cost->max_way);
	print_banks(a);
}

static void print_access_text(const struct access *a,
			      const struct access_cost *cost)
{
	print_access_head(a);
	if (a->space == ACCESS_GLOBAL)
		print_global(a, cost);
	else if (a->space == ACCESS_CONSTANT)
		printf(_("  requests  %1$d\n"
			 "  passes    %2$d (ideal: 1; one for each different "
			 "word)\n"), cost->requests, cost->passes);
	else
		print_shared(a, cost);
}

static int run_calculation(const struct wish *w)
{
	struct access a;
	struct access_cost cost;
	struct error e;

	if (access_wished(w, &a, &e) < 0 || compute_cost(&a, &cost, &e) < 0) {
		e.status = EXIT_USAGE;
		return command_failed(&e);
	}
	if (w->json)
		print_access_json(&cost);
	else
		print_access_text(&a, &cost);
	return command_flush(EXIT_DONE);
}

/* ---- the command ---- */

enum { OPT_STORE = OPTION_OWN, OPT_INDEX, OPT_STDIN };

static int run(const struct command *c, int argc, char **argv)
{
	struct wish w = { 0 };
	bool lines = false;
	struct options o;
	int id;

	options_init(&o, c, argc, argv);
	while ((id = options_next(&o)) >= 0) {
		w.store |= id == OPT_STORE;
		w.json |= id == OPTION_JSON;
		w.index |= id == OPT_INDEX;
		lines |= id == OPT_STDIN;
	}
	if (id == OPTIONS_STOP)
		return o.status;
	if (lines)
		return optind < argc || w.store || w.index ?
		       command_usage("access", "--stdin takes no other "
				     "arguments") : answer_lines();
	if (argc - optind != 3)
		return command_usage("access", "give a space, BYTES and "
				     "an expression of lane");
	w.space = argv[optind];
	w.bytes = argv[optind + 1];
	w.text = argv[optind + 2];
	return run_calculation(&w);
}

static const struct option_def options[] = {
	{ "index", OPT_INDEX, NULL,
	  N_("EXPR is an index of BYTES-byte elements, not an address") },
	{ "store", OPT_STORE, NULL, N_("the access is a store, not a load") },
	{ "stdin", OPT_STDIN, NULL,
	  N_("answer JSON objects from standard input, one per line") },
	{0}
};

const struct command command_access = {
	.name = "access",
	.arguments = "[OPTIONS] global|shared|ldmatrix|constant BYTES "
		     "'EXPR of lane'\n--stdin",
	.summary = N_("show what one access by a warp costs"),
	.about = N_("Each lane accesses BYTES bytes (1, 2, 4, 8 or 16) at the "
		    "byte address EXPR; a lane whose EXPR is none takes no "
		    "part. With --stdin, each line of input is an object such as "
		    "{\"space\":\"shared\",\"op\":\"ld\","
		    "\"size\":4,\"addresses\":[0,4,null,...]}."),
	.examples = "global 4 --index 'lane * 64'\n"
		    "shared 16 'lane < 8 ? lane * 128 : none'",
	.options = { options, option_json },
	.run = run,
};
