/* report_code: see report_code.h. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "analysis/report_machine.h"
#include "base/columns.h"
#include "base/encode.h"
#include "base/lang.h"
#include "base/text.h"
#include "cli/launch_machine.h"
#include "cli/report_code.h"
#include "cli/triton_folder.h"

#define FILE_MOST (8u << 20)
/* Bytes of an array whose size is not given. */
#define ARRAY_USUAL (1u << 20)

/* A kernel's code and its launch. */
struct code_file {
	char *path;		/* of the cubin or the PTX; heap */
	char *entry;		/* or NULL; heap */
	struct trace_dim grid, block;
	uint32_t shared;
	bool has_block;
};

static bool is_folder(const char *path)
{
	struct stat s;

	return stat(path, &s) == 0 && S_ISDIR(s.st_mode);
}

bool report_code_is(const char *path)
{
	return text_ends(path, ".cubin") || text_ends(path, ".ptx") ||
	       is_folder(path);
}

/* Takes what Triton's cache says of the kernel. */
static int read_triton(struct code_file *f, const char *folder,
		       const char *entry, struct error *e)
{
	struct triton_kernel k;

	if (triton_folder_read(&k, folder, entry, e) < 0)
		return -1;
	f->path = k.path;
	f->entry = k.name;
	f->shared = k.shared;
	f->block = (struct trace_dim){ WARP_LANES * MAX(1u, k.warps), 1, 1 };
	f->has_block = k.warps > 0;
	return 0;
}

/* ---- the code ---- */

/* Sends the file to gemmviz-machine; its code, or -1 with e. */
static int read_code(const struct launch_options *l,
		     const struct code_file *f, struct machine_code *c,
		     struct error *e)
{
	size_t length;
	char *data = file_read(f->path, FILE_MOST, &length, e);
	struct error why;
	struct job job;
	json_t *answer;
	int rc = -1;

	if (!data)
		return -1;
	job_launch(&job, JOB_MACHINE, NULL, 1, 1, 1, NULL, 0);
	job.code = text_ends(f->path, ".ptx") ? text_utf8(data) :
						 hex_encode(data, length);
	job.code_entry = f->entry ? xstrdup(f->entry) : NULL;
	machine_limits(&job, l);
	job.kernel.arch = job_arch(&l->job.kernel);
	free(data);
	answer = machine_request(&job, &why);
	job_done(&job);
	if (answer)
		rc = machine_code_read(c, answer, &why);
	json_decref(answer);
	return rc == 0 ? 0 : error_set(e, why.status, "%s: %s",
				       text_show(f->path), why.text);
}

/* ---- the launch ---- */

/* Reads --arg N=VALUE and --array N=BYTES; what is not given is an array if it
 * has 8 bytes, else 0. */
static int read_arguments(const struct launch_options *l,
			  const struct machine_code *c,
			  struct machine_argument *to, struct error *e)
{
	for (uint32_t i = 0; i < c->parameter_count; i++) {
		char name[16];
		const char *value, *size;
		char *end = NULL;

		snprintf(name, sizeof(name), "%u", i);
		value = job_defined(&l->job.args, name);
		size = job_defined(&l->job.arrays, name);
		to[i] = (struct machine_argument){ .bytes = ARRAY_USUAL };
		to[i].is_array = !value && (size || c->parameters[i].size ==
						    8);
		if (size)
			to[i].bytes = strtoull(size, &end, 0);
		else if (value && strchr(value, '.')) {
			float x = strtof(value, &end);

			memcpy(&to[i].value, &x, sizeof(x));
		} else if (value) {
			to[i].value = (uint64_t)strtoll(value, &end, 0);
		}
		if (end && *end)
			return error_set(e, EXIT_USAGE, _("parameter %u: "
							  "expected a number"),
					 i);
	}
	for (size_t i = 0; i < l->job.args.count; i++) {
		long n;

		if (!parse_int(l->job.args.list[i].name, 0,
			       (long)c->parameter_count - 1, &n))
			return error_set(e, EXIT_USAGE, c->parameter_count ?
				N_("--arg %s: the kernel has %d parameters, "
				   "from 0 on") :
				N_("--arg %s: the kernel has no parameters"),
				text_show(l->job.args.list[i].name),
				(int)c->parameter_count);
	}
	return 0;
}

/* ---- what is printed ---- */

static void head_row(struct columns *t)
{
	char **row = columns_row(t);

	row[0] = xstrdup(_("line"));
	row[1] = xstrdup(_("address"));
	row[2] = xstrdup(_("op"));
	row[3] = xstrdup(_("bytes"));
	row[4] = xstrdup(_("requests"));
	row[5] = xstrdup(_("cost"));
	row[6] = xstrdup(_("ideal"));
}

/* Adds an access: its cost is in sectors of global memory or in wavefronts. */
static void access_row(struct columns *t, const struct machine_launch *m,
		       const struct machine_access *a)
{
	const struct sass_instruction *i = &m->code.sass->code[a->instruction];
	const struct sass_place *p = m->code.sass->places + i->place;
	bool shared = a->space == RUN_SHARED;
	char **row = columns_row(t);

	row[0] = i->place_count ?
		 xasprintf("%s:%u", text_show(p[i->place_count - 1].file),
			   p[i->place_count - 1].line) : xstrdup(_("n/a"));
	row[1] = xasprintf("0x%04x", i->address);
	row[2] = sass_name(i);
	row[3] = xasprintf("%u", a->bytes);
	row[4] = xasprintf("%" PRIu64, a->count.requests);
	if (a->space == RUN_LOCAL) {
		row[5] = xstrdup("");
		row[6] = xstrdup("");
		return;
	}
	row[5] = xasprintf("%" PRIu64, shared ? a->count.wavefronts :
						a->count.sectors);
	row[6] = xasprintf("%" PRIu64, shared ? a->count.ideal_wavefronts :
						a->count.ideal_sectors);
}

static void print_accesses(const struct machine_launch *m, enum run_space space,
			   const char *title)
{
	struct columns t = { .left = 1 | 1 << 1 | 1 << 2 };

	head_row(&t);
	for (size_t i = 0; i < m->access_count; i++)
		if (m->accesses[i].space == space)
			access_row(&t, m, &m->accesses[i]);
	if (t.count > 1) {
		printf("\n%s\n", title);
		columns_print(&t, stdout);
	}
	columns_done(&t);
}

static void print_code(const struct code_file *f, const struct machine_launch *m)
{
	const struct machine_code *c = &m->code;
	struct trace_info none = { .file = "" };
	struct report r = { .info = &none, .machine = m };

	printf(_("%1$s, grid %2$u x %3$u x %4$u, block %5$u x %6$u x %7$u\n"),
	       text_show(c->sass->entry), f->grid.x, f->grid.y, f->grid.z,
	       f->block.x, f->block.y, f->block.z);
	print_accesses(m, RUN_GLOBAL, _("Global memory (cost in sectors)"));
	print_accesses(m, RUN_SHARED, _("Shared memory (cost in "
					"wavefronts)"));
	print_accesses(m, RUN_LOCAL, _("Local memory"));
	report_machine_print(&r, stdout);
	if (!c->sass->place_count)
		puts(_("  It has no lines (compile with -lineinfo)."));
}

static json_t *code_file_json(const struct code_file *f,
			      const struct machine_launch *m)
{
	struct trace_info none = { .file = "" };
	struct report r = { .info = &none, .machine = m };

	return json_pack("{s:s, s:[I,I,I], s:[I,I,I], s:o, s:o}", "kernel",
			 m->code.sass->entry, "grid", (json_int_t)f->grid.x,
			 (json_int_t)f->grid.y, (json_int_t)f->grid.z, "block",
			 (json_int_t)f->block.x, (json_int_t)f->block.y,
			 (json_int_t)f->block.z, "accesses",
			 report_accesses_json(&r), "machine",
			 report_machine_json(&r));
}

static int report_launch_of(const struct launch_options *l,
			    struct code_file *f, bool json, struct error *e)
{
	struct machine_argument arguments[MACHINE_PARAMETERS];
	struct machine_code code;
	struct machine_launch m;
	int rc = read_code(l, f, &code, e);

	if (rc < 0)
		return -1;
	if (read_arguments(l, &code, arguments, e) < 0) {
		machine_code_done(&code);
		return -1;
	}
	machine_alone(&m, &code, f->grid, f->block, f->shared, arguments);
	if (json)
		command_json(code_file_json(f, &m), stdout);
	else
		print_code(f, &m);
	machine_done(&m);
	return 0;
}

int report_code(const struct launch_options *l, const char *path, bool json)
{
	const struct job_kernel *k = &l->job.kernel;
	struct code_file f = { .grid = { 1, 1, 1 }, .block = { 1, 1, 1 },
			       .shared = k->shared_bytes };
	struct error e;
	int rc = 0;

	if (is_folder(path))
		rc = read_triton(&f, path, l->entry, &e);
	else {
		f.path = xstrdup(path);
		f.entry = l->entry ? xstrdup(l->entry) : NULL;
	}
	if (k->has_grid)
		f.grid = k->grid;
	if (k->has_block)
		f.block = k->block;
	if (rc == 0 && !k->has_block && !f.has_block)
		rc = error_set(&e, EXIT_USAGE, _("%s needs a block, such as "
						 "--block 256"),
			       text_show(path));
	if (rc == 0)
		rc = report_launch_of(l, &f, json, &e);
	free(f.path);
	free(f.entry);
	return rc < 0 ? command_failed(&e) : command_flush(EXIT_DONE);
}
