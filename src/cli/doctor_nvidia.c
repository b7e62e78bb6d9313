/* doctor_nvidia: what NVIDIA's driver says of itself, without any of its
 * libraries. See doctor.h. */
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/base.h"
#include "base/lang.h"
#include "base/text.h"
#include "cli/doctor.h"

/* What follows `label` in its line of a file, without blanks before it; heap,
 * NULL: there is none. Such files have no size, so that file_read() will not
 * do. */
static char *value_in(const char *path, const char *label)
{
	FILE *f = fopen(path, "re");
	char line[1024], *value = NULL;

	while (f && !value && fgets(line, sizeof(line), f)) {
		char *at = strstr(line, label);

		if (!at)
			continue;
		at += strlen(label);
		at += strspn(at, ": \t");
		value = xstrndup(at, strcspn(at, "\n"));
	}
	if (f)
		fclose(f);
	return value;
}

static void find_gpus(const char *proc, struct doctor_check *c)
{
	char *pattern = xasprintf("%s/nvidia/gpus/*/information", proc);
	struct str names = { 0 };
	glob_t g;

	if (glob(pattern, 0, NULL, &g) == 0)
		for (size_t i = 0; i < g.gl_pathc; i++) {
			char *model = value_in(g.gl_pathv[i], "Model");

			str_addf(&names, "%s%s", i ? ", " : "",
				 model ? text_show(model) : "?");
			free(model);
		}
	globfree(&g);
	free(pattern);
	if (names.len) {
		c->state = DOCTOR_WORKS;
		c->text = str_take(&names);
	} else {
		c->text = xstrdup(_("no GPU is visible"));
		c->advice = N_("Start a container with access to the GPU "
			       "(--gpus all).");
	}
}

static bool has_ncu(void)
{
	const char *path = getenv("PATH");
	bool has = access("/usr/local/cuda/bin/ncu", X_OK) == 0;

	for (; path && *path && !has; path += *path == ':') {
		size_t n = strcspn(path, ":");
		char *ncu = xasprintf("%.*s/ncu", (int)n, path);

		has = access(ncu, X_OK) == 0;
		free(ncu);
		path += n;
	}
	return has;
}

static void find_permission(const char *proc, struct doctor_check *c)
{
	char *path = xasprintf("%s/nvidia/params", proc);
	char *admin = value_in(path, "RmProfilingAdminOnly");

	if (admin && strcmp(admin, "0") != 0 && geteuid() != 0) {
		c->text = xstrdup(_("the driver allows them only for root"));
		c->advice = N_("Put 'options nvidia "
			       "NVreg_RestrictProfilingToAdminUsers=0' into a "
			       "file in /etc/modprobe.d and restart.");
	} else if (!has_ncu()) {
		c->text = xstrdup(_("Nsight Compute (ncu) was not found"));
		c->advice = N_("Install it, or put its folder into PATH.");
	} else {
		c->state = DOCTOR_WORKS;
		c->text = xstrdup(_("available through Nsight Compute (ncu)"));
	}
	free(admin);
	free(path);
}

void doctor_driver(const char *proc, struct doctor_check *driver,
		   struct doctor_check *gpu, struct doctor_check *counters)
{
	char *path = xasprintf("%s/nvidia/version", proc);
	char *version = value_in(path, "NVRM version");

	*driver = (struct doctor_check){ N_("driver"), DOCTOR_ABSENT, NULL,
					 NULL };
	*gpu = (struct doctor_check){ N_("GPU"), DOCTOR_ABSENT, NULL, NULL };
	*counters = (struct doctor_check){ N_("counters"), DOCTOR_ABSENT, NULL,
					   NULL };
	free(path);
	if (!version) {
		driver->text = xstrdup(_("no NVIDIA driver is loaded"));
		driver->advice = N_("Kernels are recorded on the CPU. Times "
				    "are those recorded earlier, or measured "
				    "through --runner.");
		gpu->text = xstrdup(_("none"));
		counters->text = xstrdup(_("none"));
		return;
	}
	driver->state = DOCTOR_WORKS;
	driver->text = xstrdup(text_show(version));
	free(version);
	find_gpus(proc, gpu);
	if (gpu->state == DOCTOR_WORKS)
		find_permission(proc, counters);
	else
		counters->text = xstrdup(_("none"));
}
