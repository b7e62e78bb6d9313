/* Options of commands that open a screen. */
#include "cli/screen_options.h"

#include <stdlib.h>
#include <string.h>

#include "base/lang.h"
#include "base/text.h"
#include "cli/config.h"

const struct option_def screen_options[] = {
	{ "theme", OPT_THEME, "THEME", N_("colour theme: dark, light or mono") },
	{ "plain", OPT_PLAIN, NULL,
	  N_("print text instead of opening a screen") },
	{ "presenter", OPT_PRESENTER, NULL,
	  N_("draw large pictures, for a projector") },
	{ "motion", OPT_MOTION, "on|off",
	  N_("show what a step moves, or its end at once") },
	{ "ascii", OPT_ASCII, NULL, N_("use ASCII characters only") },
	{ "no-mouse", OPT_NO_MOUSE, NULL,
	  N_("leave the mouse to the terminal") },
	{0}
};

static int motion_option(struct screen *s, const char *name,
			 const char *value, struct error *e)
{
	if (strcmp(value, "on") && strcmp(value, "off"))
		return error_set(e, EXIT_USAGE, "%s takes on or off, not '%s'",
				 name, text_show(value));
	s->reader.still = !strcmp(value, "off");
	return 0;
}

int screen_option(struct screen *s, int option, const char *value,
		  struct error *e)
{
	switch (option) {
	case OPT_LESSON:
		s->lesson = value;
		break;
	case OPT_THEME:
		s->ui.term.theme = theme_find(value);
		if (!s->ui.term.theme)
			return error_set(e, EXIT_USAGE, "no theme '%s' (dark, "
					 "light or mono)",
					 text_show(value));
		break;
	case OPT_PLAIN:
		s->plain = true;
		break;
	case OPT_PRESENTER:
		s->reader.presenter = true;
		break;
	case OPT_MOTION:
		return motion_option(s, "--motion", value, e);
	case OPT_AUTO:
		s->by_itself = true;
		break;
	case OPT_NOTES:
		s->notes = true;
		break;
	case OPT_CLASS:
		s->class = value;
		break;
	case OPT_CLASS_FOLDER:
		s->class_folder = value;
		break;
	case OPT_LEAD:
		s->lead = value;
		break;
	case OPT_FOLLOW:
		s->follow = value;
		break;
	case OPT_ASCII:
		s->ui.term.ascii = true;
		break;
	case OPT_NO_MOUSE:
		s->ui.term.no_mouse = true;
		break;
	}
	return 0;
}

bool screen_option_is(int id)
{
	return id >= OPT_LESSON && id < OPT_SCREEN_END;
}

int screen_defaults(struct screen *s, struct error *e)
{
	const char *value = getenv("GEMMVIZ_MOTION");
	const struct config *c = config();

	s->ui.term.theme = c->theme;
	s->reader.still = c->still;
	s->reader.keys = c->keys;
	s->reader.key_count = c->key_count;
	return value && *value ?
	       motion_option(s, "GEMMVIZ_MOTION", value, e) : 0;
}

int screen_refuse_input(const char *command)
{
	return command_usage(command, "%s", _("the screen's keys come from the "
					      "standard input; give a file, or "
					      "--plain"));
}
