#include "cli/occupancy_options.h"

#include "base/lang.h"
#include "base/text.h"

const struct option_def occupancy_option_defs[] = {
	{ "arch", OPT_ARCH, "sm_90", N_("architecture, from sm_20 to sm_121") },
	{ "registers", OPT_REGISTERS, "R",
	  N_("registers per thread (default: not limited)") },
	{ "config", OPT_CONFIG, "16|48",
	  N_("shared memory per SM in KiB, sm_20 only") },
	{0}
};

static int parse_count_option(const char *name, const char *value, long lowest,
			      long highest, long *n, struct error *e)
{
	if (parse_int(value, lowest, highest, n))
		return 0;
	return error_set(e, EXIT_USAGE, "--%s needs a whole number from %ld to "
			 "%ld, not '%s'", name, lowest, highest,
			 text_show(value));
}

static int take_option(void *own, int option, const char *value,
		       struct error *e)
{
	struct occupancy_wish *w = own;

	switch (option) {
	case OPT_ARCH:
		w->arch = value;
		return 0;
	case OPT_THREADS:
		return parse_count_option("threads", value, 1,
					  OCCUPANCY_MOST_THREADS, &w->threads,
					  e);
	case OPT_REGISTERS:
		return parse_count_option("registers", value, 1,
					  OCCUPANCY_MOST_REGISTERS,
					  &w->registers, e);
	case OPT_SHARED:
		return parse_count_option("shared", value, 0,
					  OCCUPANCY_MOST_SHARED, &w->shared, e);
	case OPT_CONFIG:
		return parse_count_option("config", value, 1, 1024, &w->config,
					  e);
	case 'D':
		str_addf(&w->defines, ",%s", value);
		return 0;
	}
	w->dynamic |= option == OPT_DYNAMIC;
	w->json |= option == OPTION_JSON;
	return 0;
}

int occupancy_options(struct occupancy_wish *w, const struct command *c,
		      int argc, char **argv)
{
	return command_options(c, argc, argv, take_option, w);
}

int occupancy_options_arch(const struct occupancy_wish *w,
			   struct occupancy_arch *arch,
			   const struct calibrated **by, struct error *e)
{
	const struct calibrated *own = calibrated_last();
	const char *name = w->arch || !own ? w->arch : own->arch.name;

	*by = NULL;
	if (occupancy_arch_get(arch, name, MAX(w->config, 0), e) < 0)
		return -1;
	if (w->config == NA)
		*by = calibrated_arch(arch);
	return 0;
}

const char *occupancy_resource_words(int r)
{
	static const char *const words[] = {
		[OCCUPANCY_BLOCKS] = N_("blocks"),
		[OCCUPANCY_WARPS] = N_("warps"),
		[OCCUPANCY_THREADS] = N_("threads"),
		[OCCUPANCY_REGISTERS] = N_("registers"),
		[OCCUPANCY_SHARED] = N_("shared memory"),
	};

	return _(words[r]);
}

char *occupancy_number(int n)
{
	return n == NA ? xstrdup(_("n/a")) : xasprintf("%d", n);
}

bool occupancy_told(const struct occupancy *o, int r)
{
	return o->limits[r] &&
	       !(r == OCCUPANCY_WARPS && o->limits[OCCUPANCY_THREADS]);
}

char *occupancy_limiters(const struct occupancy *o)
{
	struct str s = { 0 };

	for (int r = 0; r < OCCUPANCY_RESOURCES; r++)
		if (occupancy_told(o, r))
			str_addf(&s, "%s%s", s.len ? _(", ") : "",
				 occupancy_resource_words(r));
	return str_take(&s);
}

json_t *occupancy_count_json(int n)
{
	return n == NA ? json_null() : json_integer(n);
}

void occupancy_add_result(json_t *to, const struct occupancy *o)
{
	json_t *limiters = json_array();

	for (int r = 0; r < OCCUPANCY_RESOURCES; r++)
		if (o->limits[r])
			json_array_append_new(limiters, json_string(
				occupancy_resource_name(r)));
	json_object_set_new(to, "active_blocks",
			    json_integer(o->active_blocks));
	json_object_set_new(to, "active_warps", json_integer(o->active_warps));
	json_object_set_new(to, "occupancy", json_real(o->occupancy));
	json_object_set_new(to, "limiters", limiters);
}
