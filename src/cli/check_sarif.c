/*
 * check_sarif: SARIF 2.1.0 (OASIS), as code scanners read it.
 */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cli/check.h"

#define SCHEMA "https://json.schemastore.org/sarif-2.1.0.json"

/* Returns a path as a URI reference (RFC 3986). */
static json_t *make_uri(const char *path)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
				    "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789-._~/";
	struct str s = { 0 };
	json_t *j;

	for (; *path; path++)
		if (strchr(plain, *path))
			str_addc(&s, *path);
		else
			str_addf(&s, "%%%02X", (unsigned char)*path);
	j = json_string(s.data ? s.data : "");
	str_done(&s);
	return j;
}

/* Returns the index of a rule, and adds the rule if it is new. */
static size_t add_sarif_rule(json_t *rules, const char *name)
{
	size_t i;
	json_t *rule;

	json_array_foreach(rules, i, rule)
		if (!strcmp(json_string_value(json_object_get(rule, "id")),
			    name))
			return i;
	json_array_append_new(rules, json_pack("{s:s, s:{s:s}}", "id", name,
					       "shortDescription", "text",
					       name));
	return json_array_size(rules) - 1;
}

/* Returns a place in a cell of a notebook, which has lines of its own; NULL if
 * it is none. */
static json_t *make_cell_location(const struct check_issue *i)
{
	static const char suffix[] = ".ipynb:";
	const char *end = strstr(i->file, suffix);
	char *path, *name;
	json_t *place;

	if (!end)
		return NULL;
	path = xstrndup(i->file, (size_t)(end - i->file) + strlen(suffix) - 1);
	name = i->line ? xasprintf("%s:%u", end + strlen(suffix), i->line) :
			 xstrdup(end + strlen(suffix));
	place = json_pack("{s:{s:{s:o}}, s:[{s:s}]}", "physicalLocation",
			  "artifactLocation", "uri", make_uri(path),
			  "logicalLocations", "name", name);
	free(path);
	free(name);
	return place;
}

static json_t *make_location(const struct check_issue *i)
{
	json_t *cell = make_cell_location(i), *place;

	if (cell)
		return cell;
	place = json_pack("{s:{s:o}}", "artifactLocation", "uri",
			  make_uri(i->file));
	if (i->line)
		json_object_set_new(place, "region",
				    json_pack("{s:I}", "startLine",
					      (json_int_t)i->line));
	if (i->line && i->column)
		json_object_set_new(json_object_get(place, "region"),
				    "startColumn",
				    json_integer((json_int_t)i->column));
	return json_pack("{s:o}", "physicalLocation", place);
}

static json_t *make_result(json_t *rules, const struct check_issue *i)
{
	json_t *r = json_pack("{s:s, s:I, s:s, s:{s:s}, s:[o]}",
			      "ruleId", i->rule, "ruleIndex",
			      (json_int_t)add_sarif_rule(rules, i->rule),
			      "level", check_level_name(i->level),
			      "message", "text", i->text,
			      "locations", make_location(i));

	if (i->accepted)
		json_object_set_new(r, "suppressions",
				    json_pack("[{s:s, s:s}]", "kind",
					      "external", "justification",
					      i->accepted));
	return r;
}

json_t *check_sarif(const struct check *c)
{
	json_t *rules = json_array(), *results = json_array();
	bool complete = true;

	for (size_t i = 0; i < c->issue_count; i++) {
		json_array_append_new(results,
				      make_result(rules, &c->issues[i]));
		complete = complete && !c->issues[i].unrecorded;
	}
	return json_pack("{s:s, s:s, s:[{s:{s:{s:s, s:s, s:o}}, s:[{s:b}], "
			 "s:s, s:o}]}", "$schema", SCHEMA, "version", "2.1.0",
			 "runs", "tool", "driver", "name", "gemmviz",
			 "version", PACKAGE_VERSION, "rules", rules,
			 "invocations", "executionSuccessful", complete,
			 "columnKind", "unicodeCodePoints",
			 "results", results);
}
