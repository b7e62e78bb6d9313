/* doctor_machine: the tools that machine code is read with. See doctor.h. */
#include "base/lang.h"
#include "base/text.h"
#include "cli/doctor.h"
#include "cli/launch_machine.h"

static const char *text_of(const json_t *o, const char *name)
{
	return json_string_value(json_object_get(o, name));
}

struct doctor_check doctor_machine(void)
{
	struct doctor_check c = { N_("machine code"), DOCTOR_ABSENT, NULL,
				  NULL };
	struct error e;
	struct job job;
	json_t *o;
	const char *compiler, *nvdisasm;

	job_init(&job, JOB_TOOLS);
	o = machine_request(&job, &e);
	job_done(&job);
	if (!o) {
		c.state = DOCTOR_FAILS;
		c.text = xstrdup(text_show(e.text));
		return c;
	}
	compiler = text_of(o, "compiler");
	nvdisasm = text_of(o, "nvdisasm");
	if (compiler && nvdisasm) {
		c.state = DOCTOR_WORKS;
		c.text = xasprintf(_("%1$s in %2$s, nvdisasm %3$s"),
				   text_show(compiler),
				   text_show(text_of(o, "folder") ?
					     text_of(o, "folder") : "?"),
				   text_show(text_of(o, "version") ?
					     text_of(o, "version") : "?"));
	} else {
		c.text = compiler ? xstrdup(_("nvdisasm was not found")) :
				    xstrdup(_("NVRTC was not found"));
		c.advice = N_("For report --machine: pip install "
			      "nvidia-cuda-nvrtc nvidia-cuda-nvdisasm.");
	}
	json_decref(o);
	return c;
}
