/*
 * check_junit: JUnit's XML, as continuous integration reads it. There is no
 * standard; these elements and attributes are those that all readers know.
 */
#include "cli/check.h"

static void add_xml(struct str *s, const char *text)
{
	for (; *text; text++)
		switch (*text) {
		case '&':
			str_add(s, "&amp;");
			break;
		case '<':
			str_add(s, "&lt;");
			break;
		case '>':
			str_add(s, "&gt;");
			break;
		case '"':
			str_add(s, "&quot;");
			break;
		default:
			/* XML has no other control characters. */
			if ((unsigned char)*text >= ' ' || *text == '\n')
				str_addc(s, *text);
			else
				str_addc(s, '?');
		}
}

static void add_attribute(struct str *s, const char *name, const char *value)
{
	str_addf(s, " %s=\"", name);
	add_xml(s, value);
	str_addc(s, '"');
}

static void add_issue_line(struct str *s, const struct check_issue *i)
{
	add_xml(s, i->file);
	if (i->line)
		str_addf(s, ":%u", i->line);
	str_add(s, ": ");
	add_xml(s, i->text);
}

static void add_issue(struct str *s, const struct check_issue *i)
{
	const char *element = i->unrecorded ? "error" : "failure";

	if (!check_fails(i)) {
		str_add(s, "      <skipped");
		add_attribute(s, "message", i->text);
		str_add(s, "/>\n");
		return;
	}
	str_addf(s, "      <%s", element);
	add_attribute(s, "type", i->rule);
	add_attribute(s, "message", i->text);
	str_addc(s, '>');
	add_issue_line(s, i);
	str_addf(s, "</%s>\n", element);
}

/* Adds the issues that fail nothing, advice and accepted ones, as a test case's
 * output. */
static void add_system_out(struct str *s, const struct check *c, size_t launch)
{
	bool any = false;

	for (size_t n = 0; n < c->issue_count; n++) {
		const struct check_issue *i = &c->issues[n];

		if (i->launch != launch ||
		    (i->level != CHECK_NOTE && !i->accepted))
			continue;
		str_add(s, any ? "" : "      <system-out>");
		any = true;
		add_issue_line(s, i);
		if (i->accepted) {
			str_add(s, " (");
			add_xml(s, i->accepted);
			str_addc(s, ')');
		}
		str_addc(s, '\n');
	}
	str_add(s, any ? "</system-out>\n" : "");
}

static void add_case(struct str *s, const struct check *c, size_t launch)
{
	str_add(s, "    <testcase");
	add_attribute(s, "classname", c->launches[launch].file);
	add_attribute(s, "name", c->launches[launch].name);
	str_add(s, ">\n");
	for (size_t n = 0; n < c->issue_count; n++) {
		const struct check_issue *i = &c->issues[n];

		if (i->launch == launch && !i->accepted &&
		    i->level != CHECK_NOTE)
			add_issue(s, i);
	}
	add_system_out(s, c, launch);
	str_add(s, "    </testcase>\n");
}

char *check_junit(const struct check *c)
{
	struct str s = { 0 };
	size_t failures = 0, errors = 0;

	for (size_t l = 0; l < c->launch_count; l++) {
		bool lost = false, failed = false;

		for (size_t n = 0; n < c->issue_count; n++) {
			const struct check_issue *i = &c->issues[n];

			if (i->launch != l || i->accepted)
				continue;
			lost |= i->unrecorded;
			failed |= check_fails(i);
		}
		errors += lost;
		failures += failed && !lost;
	}
	str_add(&s, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		    "<testsuites>\n");
	str_addf(&s, "  <testsuite name=\"gemmviz check\" tests=\"%zu\" "
		     "failures=\"%zu\" errors=\"%zu\">\n", c->launch_count,
		 failures, errors);
	for (size_t l = 0; l < c->launch_count; l++)
		add_case(&s, c, l);
	str_add(&s, "  </testsuite>\n</testsuites>\n");
	return str_take(&s);
}
