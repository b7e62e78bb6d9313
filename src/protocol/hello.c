#include <config.h>

#include "protocol/hello.h"

#include <string.h>

#include "base/lang.h"
#include "base/text.h"
#include "protocol/protocol.h"

static const char *hello_text(const json_t *hello, const char *member)
{
	const char *text = json_string_value(json_object_get(hello, member));

	return text ? text_show(text) : "?";
}

static int fail_hello(const char *name, const char *what, struct error *e)
{
	return error_set(e, EXIT_RUNNER, _("%s violates the protocol: %s"),
			 name, what);
}

static int place_read(const json_t *hello, const char *name, const char *want,
		      const char **on, struct error *e)
{
	const char *said = json_string_value(json_object_get(hello, "on"));

	if (said && !strcmp(said, "cpu"))
		*on = "cpu";
	else if (said && !strcmp(said, "gpu"))
		*on = "gpu";
	else
		return fail_hello(name,
				  _("its hello has neither \"cpu\" nor "
				    "\"gpu\" in \"on\""),
				  e);
	if (!want || !strcmp(want, *on))
		return 0;
	return error_set(e, EXIT_RUNNER, "%s: %s", name, **on == 'c' ?
			 _("it runs on the CPU, but the GPU was requested") :
			 _("it runs on the GPU, but the CPU was requested"));
}

int hello_read(const json_t *hello, const char *name, const char *want,
	       const char **on, struct error *e)
{
	const json_t *v = json_object_get(hello, "protocol");
	const char *version = json_string_value(json_object_get(hello,
								"version"));

	if (!json_is_integer(v))
		return fail_hello(name, _("its hello has no protocol number"),
				  e);
	if (json_integer_value(v) != PROTOCOL_VERSION)
		return error_set(e, EXIT_RUNNER,
				 _("%s: %s %s speaks protocol %lld, gemmviz %s "
				   "speaks protocol %d; both must be the same "
				   "version"),
				 name, hello_text(hello, "program"),
				 hello_text(hello, "version"),
				 (long long)json_integer_value(v),
				 PACKAGE_VERSION, PROTOCOL_VERSION);
	if (!version || strcmp(version, PACKAGE_VERSION))
		return error_set(e, EXIT_RUNNER,
				 _("%s: %s has version %s, gemmviz has version "
				   "%s; both must be the same"),
				 name, hello_text(hello, "program"),
				 hello_text(hello, "version"), PACKAGE_VERSION);
	return place_read(hello, name, want, on, e);
}
