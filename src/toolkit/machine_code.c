/* machine_code: see machine_code.h. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/encode.h"
#include "base/text.h"
#include "record/plan.h"
#include "toolkit/compile.h"
#include "toolkit/cubin.h"
#include "toolkit/disassemble.h"
#include "toolkit/link.h"
#include "toolkit/machine_code.h"
#include "toolkit/machine_confine.h"
#include "toolkit/nvrtc.h"
#include "toolkit/tools.h"

/* Bytes of a cubin that is read. */
#define CUBIN_MOST (8u << 20)

/* What is made of a job, one after the other. */
struct making {
	struct job *job;
	char *nvdisasm, *folder;
	struct plan plan;
	struct compiled compiled;
	struct cubin cubin;
	char *text, *compiler;
};

static void making_done(struct making *m)
{
	free(m->nvdisasm);
	free(m->text);
	free(m->compiler);
	compiled_done(&m->compiled);
	cubin_done(&m->cubin);
	plan_done(&m->plan);
	free(m->folder);
}

/* ---- the code ---- */

static int compile_kernel(struct making *m, struct error *e)
{
	struct plan *p = &m->plan;
	uint32_t arch = job_arch(&p->job.kernel);
	const char *entry = p->kernel ? p->kernel->entry :
					p->job.kernel.entry;

	if (!entry)
		return error_set(e, EXIT_USAGE, "the kernel has no name");
	return nvrtc_compile(&m->compiled, COMPILE_TIMED, &p->job.kernel,
			     p->text, entry, (int)arch / 10, (int)arch % 10,
			     e);
}

/* Takes a cubin's hexadecimal digits, or a PTX text, which is linked. */
static int take_given(struct making *m, struct error *e)
{
	const char *code = m->job->code;
	size_t n = strlen(code) / 2;

	if (strspn(code, "0123456789abcdef") != 2 * n || n > CUBIN_MOST)
		return link_ptx(&m->compiled, code,
				job_arch(&m->job->kernel), e);
	m->compiled.code = xmalloc(n + 1);
	m->compiled.length = n;
	hex_decode(code, m->compiled.code, n);	/* digits: see above */
	m->compiled.code[n] = '\0';
	return 0;
}

static int make_code(struct making *m, struct error *e)
{
	const struct machine_rights rights = {
		.nvdisasm = m->nvdisasm, .folder = m->folder,
		.memory = m->job->memory << 20,
	};
	char *text;

	if (!m->job->unconfined && machine_confine(&rights, e) < 0)
		return -1;
	if ((m->job->code ? take_given(m, e) : compile_kernel(m, e)) < 0 ||
	    cubin_read(&m->cubin, m->compiled.code, m->compiled.length,
		       m->job->code ? m->job->code_entry : m->compiled.entry,
		       e) < 0)
		return -1;
	text = disassemble_cubin(m->nvdisasm, m->folder, m->compiled.code,
				 m->compiled.length, e);
	/* A damaged name need not be UTF-8, which the protocol asks for. */
	m->text = text ? text_utf8(text) : NULL;
	free(text);
	return m->text ? 0 : -1;
}

/* ---- the answer ---- */

/* Returns a number before or behind words of what ptxas said of the kernel; NA:
 * it did not say it. */
static long said_number(const struct making *m, const char *before,
			const char *behind)
{
	const char *log = m->compiled.log;
	const char *of = log && m->cubin.entry ?
			 strstr(log, m->cubin.entry) : NULL;
	const char *at = of ? strstr(of, before ? before : behind) : NULL;

	if (!at)
		return NA;
	if (before)
		return strtol(at + strlen(before), NULL, 10);
	while (at > of && at[-1] == ' ')
		at--;
	while (at > of && at[-1] >= '0' && at[-1] <= '9')
		at--;
	return strtol(at, NULL, 10);
}

static json_t *said_json(long n)
{
	return n < 0 ? json_null() : json_integer(n);
}

static json_t *hex_json(const uint8_t *data, uint32_t n)
{
	char *hex = hex_encode(data, n);
	json_t *o = json_string(hex);

	free(hex);
	return o;
}

static json_t *parameters_json(const struct cubin *c)
{
	json_t *list = json_array();

	for (uint32_t i = 0; i < c->parameter_count; i++)
		json_array_append_new(list, json_pack(
			"[ii]", (int)c->parameters[i].offset,
			(int)c->parameters[i].size));
	return list;
}

static json_t *answer_json(const struct making *m)
{
	const struct cubin *c = &m->cubin;
	char *version = disassemble_version(m->nvdisasm);
	char *entry = text_utf8(c->entry);
	long registers = said_number(m, "Used ", NULL);
	json_t *banks = json_object(), *o;
	char name[8];

	for (uint32_t i = 0; i < CUBIN_BANKS; i++) {
		snprintf(name, sizeof(name), "%u", i);
		if (c->banks[i].data)
			json_object_set_new(banks, name, hex_json(
				c->banks[i].data, c->banks[i].bytes));
	}
	o = json_pack("{ss* si ss so so so si si so so ss*}",
		      "compiler", m->compiler, "arch", (int)c->arch,
		      "entry", entry, "registers",
		      said_json(registers >= 0 ? registers :
						      c->registers),
		      "spill_stores", said_json(said_number(
			      m, NULL, "bytes spill stores")),
		      "spill_loads", said_json(said_number(
			      m, NULL, "bytes spill loads")),
		      "stack", c->stack, "shared", (int)c->shared,
		      "parameters", parameters_json(c), "banks", banks,
		      "nvdisasm", version);
	json_object_set_new(o, "parameter_bytes",
			    json_integer(c->parameter_bytes));
	json_object_set_new(o, "text", json_string(m->text));
	free(version);
	free(entry);
	return o;
}

static int begin_making(struct making *m, struct error *e)
{
	int major = 0, minor = 0;

	/* NVRTC's folder is one of nvdisasm's places. */
	if (nvrtc_open(e) < 0 && !m->job->code)
		return -1;
	m->nvdisasm = tools_nvdisasm();
	if (!m->nvdisasm)
		return error_set(e, EXIT_RUNNER, "nvdisasm, which reads "
				 "machine code, is not installed");
	if (!m->job->code) {
		nvrtc.Version(&major, &minor);
		m->compiler = xasprintf("NVRTC %d.%d", major, minor);
		return plan_make(&m->plan, m->job, plan_text_file, e);
	}
	return link_open(m->job->code, &m->compiler, e);
}

json_t *machine_code_make(struct job *job, const char *folder, struct error *e)
{
	struct making m = { .job = job, .folder = xstrdup(folder),
			    .cubin = { .registers = NA } };
	json_t *o = NULL;

	if (begin_making(&m, e) == 0) {
		/* The plan has taken the job over. */
		if (!job->code)
			m.job = &m.plan.job;
		if (make_code(&m, e) == 0)
			o = answer_json(&m);
	}
	making_done(&m);
	return o;
}

json_t *machine_tools(void)
{
	struct error e;
	int major = 0, minor = 0, rc = nvrtc_open(&e);
	char *nvdisasm = tools_nvdisasm();
	char *version = nvdisasm ? disassemble_version(nvdisasm) : NULL;
	char *compiler = NULL;
	json_t *o;

	if (rc == 0) {
		nvrtc.Version(&major, &minor);
		compiler = xasprintf("NVRTC %d.%d", major, minor);
	}
	o = json_pack("{ss? ss? ss? ss? ss?}", "compiler", compiler, "folder",
		      nvrtc_folder(), "nvdisasm", nvdisasm, "version", version,
		      "missing", rc < 0 ? e.text : NULL);
	free(compiler);
	free(version);
	free(nvdisasm);
	return o;
}
