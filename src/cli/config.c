#include "cli/config.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/lang.h"
#include "base/text.h"
#include "cli/launch_options.h"

#define CONFIG_MOST (64u << 10)

/* ---- set values ---- */

/* Sets the theme. Returns -1 with e. */
static int set_theme(struct config *c, const char *value, struct error *e)
{
	const struct theme *t = theme_find(value);

	if (!t)
		return error_set(e, EXIT_INPUT, "no theme '%s' (dark, light or "
				 "mono)", text_show(value));
	c->theme = t;
	return 0;
}

static int set_language(struct config *c, const char *value, struct error *e)
{
	if (!lang_known(value))
		return error_set(e, EXIT_INPUT, "no language '%s' (available: "
				 "%s)", text_show(value), lang_list());
	free(c->lang);
	c->lang = xstrdup(value);
	return 0;
}

static int set_motion(struct config *c, const char *value, struct error *e)
{
	bool still = !strcmp(value, "off");

	if (!still && strcmp(value, "on") != 0)
		return error_set(e, EXIT_INPUT, "motion is on or off, not '%s'",
				 text_show(value));
	c->still = still;
	return 0;
}

static int set_runner(struct config *c, const char *value, struct error *e)
{
	char **runner = launch_runner(value, e);

	if (!runner)
		return -1;
	launch_runner_free(c->runner);
	c->runner = runner;
	return 0;
}

static int set_gpu(struct config *c, const char *value, struct error *e)
{
	(void)e;
	free(c->gpu);
	c->gpu = xstrdup(value);
	return 0;
}

static int set_cuda(struct config *c, const char *value, struct error *e)
{
	(void)e;
	free(c->cuda);
	c->cuda = xstrdup(value);
	return 0;
}

static const struct setting {
	const char *name;
	int (*set)(struct config *c, const char *value, struct error *e);
} settings[] = {
	{ "theme", set_theme }, { "language", set_language },
	{ "motion", set_motion }, { "runner", set_runner }, { "gpu", set_gpu },
	{ "cuda", set_cuda },
};

static int no_key(const char *name, struct error *e)
{
	return error_set(e, EXIT_INPUT, "no key '%s': give a character, or one "
			 "of %s", text_show(name), keys_names());
}

static int set_key(struct config *c, const char *from, const char *to,
		   struct error *e)
{
	struct key_pair p = { keys_named(from), keys_named(to) };

	if (p.from == K_NONE)
		return no_key(from, e);
	if (p.to == K_NONE)
		return no_key(to, e);
	grow(&c->keys, &c->key_capacity, c->key_count + 1, sizeof(*c->keys));
	c->keys[c->key_count++] = p;
	return 0;
}

/* ---- the file ---- */

static int set(struct config *c, const char *name, const char *value,
	       struct error *e)
{
	const char *names[LENGTH(settings)], *near;

	for (size_t i = 0; i < LENGTH(settings); i++) {
		names[i] = settings[i].name;
		if (!strcmp(name, names[i]))
			return settings[i].set(c, value, e);
	}
	near = nearest_name(name, names, LENGTH(names));
	return error_set(e, EXIT_INPUT,
			 near ? N_("no setting '%s'; did you mean %s?") :
				N_("no setting '%s'%s"),
			 text_show(name), near ? near : "");
}

/* Takes a word up to one of the characters in `end`, and moves *p behind it.
 * The caller frees it. */
static char *take_config_word(const char **p, const char *end)
{
	size_t n;

	*p += strspn(*p, " \t");
	n = strcspn(*p, end);
	*p += n;
	return xstrndup(*p - n, n);
}

/* Takes a line without trailing blanks; the caller frees *name, the name that
 * it sets. Returns -1 with e. */
static int take_config_line(struct config *c, const char *p, char **name,
			    struct error *e)
{
	char *key = NULL;
	int rc;

	*name = take_config_word(&p, " \t=");
	if (!strcmp(*name, "key"))
		key = take_config_word(&p, " \t");
	p += strspn(p, " \t");
	if (*p++ != '=')
		rc = error_set(e, EXIT_INPUT, "expected NAME = VALUE");
	else if (!*(p += strspn(p, " \t")))
		rc = error_set(e, EXIT_INPUT, "%s has no value",
			       text_show(*name));
	else
		rc = key ? set_key(c, key, p, e) : set(c, *name, p, e);
	free(key);
	return rc;
}

static void ignore_line(struct config *c, unsigned number,
			const struct error *why)
{
	grow(&c->ignored, &c->ignored_capacity, c->ignored_count + 1,
	     sizeof(*c->ignored));
	error_set(&c->ignored[c->ignored_count++], EXIT_INPUT, "%s:%u: %s",
		  text_show(c->path), number, why->text);
}

static void take_lines(struct config *c, char *text)
{
	unsigned number = 1;

	for (char *line = text, *next; line; line = next, number++) {
		struct error why;
		char *name;
		size_t n;
		int rc;

		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		line += strspn(line, " \t");
		for (n = strlen(line); n && strchr(" \t", line[n - 1]); n--)
			line[n - 1] = '\0';
		if (!*line || *line == '#')
			continue;
		rc = take_config_line(c, line, &name, &why);
		if (!rc && !(c->set.data && strstr(c->set.data, name)))
			str_addf(&c->set, "%s%s", c->set.len ? ", " : "", name);
		free(name);
		if (rc)
			ignore_line(c, number, &why);
	}
}

static int read_config_file(struct config *c, struct error *e)
{
	size_t n;
	char *text = file_read_text(c->path, CONFIG_MOST, &n, e);
	bool is = text && strlen(text) == n && text_is_utf8(text);

	if (is)
		take_lines(c, text);
	else if (text)
		error_set(e, EXIT_INPUT, "%s is not text", text_show(c->path));
	free(text);
	return is ? 0 : -1;
}

static char *find_config_path(void)
{
	const char *folder = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");

	if (folder && *folder == '/')
		return xasprintf("%s/gemmviz/config", folder);
	return home && *home ? xasprintf("%s/.config/gemmviz/config", home) :
			       NULL;
}

const struct config *config(void)
{
	static struct config c;
	static bool asked;
	struct error e;

	if (asked)
		return &c;
	asked = true;
	c.path = find_config_path();
	c.there = c.path && !access(c.path, F_OK);
	if (!c.there || !read_config_file(&c, &e))
		return &c;
	c.bad = true;
	c.error = e;
	return &c;
}
