/*
 * module: loads a shared object, and finds a kernel in it. See module.h.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <link.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/lang.h"
#include "base/resource.h"
#include "base/text.h"
#include "emu/module/compile.h"
#include "emu/module/compile_store.h"
#include "emu/module/module.h"
#include "emu/module/symbols.h"

/* ---- loading ---- */

/* Finds the object's code segment and thread-local variables, as addresses in
 * memory; for dl_iterate_phdr(). */
static int text_find(struct dl_phdr_info *i, size_t size, void *ctx)
{
	struct module *m = ctx;

	(void)size;
	if (i->dlpi_addr != m->load)
		return 0;
	m->tls = i->dlpi_tls_modid;
	for (size_t p = 0; p < i->dlpi_phnum; p++) {
		const ElfW(Phdr) *h = &i->dlpi_phdr[p];

		if (h->p_type == PT_LOAD)
			m->bytes = MAX(m->bytes, h->p_vaddr + h->p_memsz);
		if (h->p_type == PT_TLS) {
			m->tls_bytes = h->p_memsz;
			m->tls_was = (void *)(i->dlpi_addr + h->p_vaddr);
			m->tls_was_bytes = h->p_filesz;
		}
		if (h->p_type != PT_LOAD || !(h->p_flags & PF_X))
			continue;
		m->text = i->dlpi_addr + h->p_vaddr;
		m->text_bytes = h->p_memsz;
	}
	return 1;
}

/* Returns dlerror() without the path that it begins with, which says nothing to
 * the user. */
static const char *load_error(void)
{
	const char *why = dlerror();
	const char *colon = why ? strstr(why, ": ") : NULL;

	return text_show(colon ? colon + 2 : why ? why : _("unknown error"));
}

/* Finds the name in a symbol, which C++ may have mangled: the last one of names
 * that are one within the other. */
static const char *find_plain_name(const char *symbol, int *length)
{
	const char *name = symbol;
	bool within;
	int n;

	*length = (int)strcspn(symbol, " ,");
	if (strncmp(symbol, "_Z", 2))
		return name;
	n = (int)strspn(symbol, "_ZNKVrO");
	within = memchr(symbol, 'N', (size_t)n);
	symbol += n;
	/* What follows a name that is within none is a parameter's type. */
	for (int bytes; sscanf(symbol, "%d%n", &bytes, &n) == 1;
	     symbol = within ? name + *length : "") {
		name = symbol + n;
		*length = (int)strnlen(name, (size_t)MAX(bytes, 0));
	}
	return name;
}

/* Sets the error for a symbol that no file of a program defines: its name as C++
 * has it, and its place. */
static void error_undefined(const char *name, const struct compile_job *job,
			    const char *symbol, struct error *e)
{
	int length = 0;
	const char *file;
	uint32_t line;

	symbol = find_plain_name(symbol, &length);
	if (job && job->find_word &&
	    job->find_word(symbol, (size_t)length, &file, &line))
		error_set(e, EXIT_INPUT, "%s:%u: %.*s is not defined in the "
			  "program's files, and gemmviz does not support it on "
			  "the CPU",
			  text_show(file), line, length, symbol);
	else
		error_set(e, EXIT_INPUT, "%s: %.*s is not defined in the "
			  "program's files, and gemmviz does not support it on "
			  "the CPU",
			  text_show(name), length, symbol);
}

static void error_load(const char *name, const struct compile_job *job,
		       const char *why, struct error *e)
{
	static const char undefined[] = "undefined symbol: ";
	const char *symbol = strstr(why, undefined);

	if (symbol)
		error_undefined(name, job, symbol + strlen(undefined), e);
	else if (strstr(why, strerror(EMFILE)) ||
		 strstr(why, "Error 24"))
		error_resource(e, EMFILE, EXIT_RUNNER, "%s cannot be loaded",
			       text_show(name));
	else if (strstr(why, strerror(ENOMEM)) ||
		 strstr(why, "failed to map segment"))
		error_resource(e, ENOMEM, EXIT_RUNNER, "%s cannot be loaded",
			       text_show(name));
	else
		error_set(e, EXIT_INPUT, "%s cannot be run here: %s",
			  text_show(name), why);
}

/*
 * Makes the symbols of undefined thread_local variables weak, which stand for
 * shared memory whose size the launch gives: so the module is loaded without
 * them. __wrap___tls_get_addr() then sees a variable of no module.
 */
static void symbols_weaken(Elf *elf)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	GElf_Sym symbol;

	while ((section = elf_nextscn(elf, section))) {
		Elf_Data *data = elf_getdata(section, NULL);

		if (!gelf_getshdr(section, &header) ||
		    header.sh_type != SHT_DYNSYM)
			continue;
		for (int i = 0; gelf_getsym(data, i, &symbol); i++) {
			if (symbol.st_shndx != SHN_UNDEF ||
			    GELF_ST_TYPE(symbol.st_info) != STT_TLS)
				continue;
			symbol.st_info = GELF_ST_INFO(STB_WEAK, STT_TLS);
			gelf_update_sym(data, i, &symbol);
			elf_flagdata(data, ELF_C_SET, ELF_F_DIRTY);
		}
	}
}

/*
 * Takes the constructors away from the loader and leaves them to
 * module_construct(): the loader's list of them gets no length, nor the list of
 * destructors. False: there are resolvers, or functions of DT_INIT or DT_FINI,
 * which it would call in any case.
 */
static bool constructors_take(struct module *m, Elf *elf)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	GElf_Sym symbol;
	GElf_Dyn entry;

	while ((section = elf_nextscn(elf, section))) {
		Elf_Data *data = elf_getdata(section, NULL);

		if (!gelf_getshdr(section, &header))
			continue;
		for (int i = 0; (header.sh_type == SHT_DYNSYM ||
				 header.sh_type == SHT_SYMTAB) &&
		     gelf_getsym(data, i, &symbol); i++)
			if (GELF_ST_TYPE(symbol.st_info) == STT_GNU_IFUNC)
				return false;
		for (int i = 0; header.sh_type == SHT_DYNAMIC &&
		     gelf_getdyn(data, i, &entry); i++) {
			if (entry.d_tag == DT_INIT_ARRAY)
				m->init = entry.d_un.d_ptr;
			if (entry.d_tag == DT_INIT || entry.d_tag == DT_FINI)
				return false;
			if (entry.d_tag != DT_INIT_ARRAYSZ &&
			    entry.d_tag != DT_FINI_ARRAYSZ)
				continue;
			if (entry.d_tag == DT_INIT_ARRAYSZ)
				m->init_count = entry.d_un.d_val /
						sizeof(uintptr_t);
			entry.d_un.d_val = 0;
			gelf_update_dyn(data, i, &entry);
			elf_flagdata(data, ELF_C_SET, ELF_F_DIRTY);
		}
	}
	return true;
}

/* Copies a file into memory; returns the copy's descriptor, or -1 with errno. */
static int file_copy(int fd)
{
	struct stat st;
	char *raw;
	int copy = -1;

	if (fstat(fd, &st) < 0)
		return -1;
	raw = xmalloc((size_t)st.st_size + 1);
	errno = EIO;
	if (pread(fd, raw, (size_t)st.st_size, 0) == st.st_size)
		copy = memfd_create("kernel", MFD_CLOEXEC);
	if (copy >= 0 && write_all(copy, raw, (size_t)st.st_size) < 0) {
		int problem = errno;

		close(copy);
		copy = -1;
		errno = problem;
	}
	free(raw);
	return copy;
}

/* Changes a copy so that undefined thread_local symbols are weak and the loader
 * calls none of its code. False: it is no module, or has code that the loader
 * would call. */
static bool copy_change(struct module *m, int copy)
{
	bool good;
	Elf *elf;

	elf_version(EV_CURRENT);
	elf = elf_begin(copy, ELF_C_RDWR, NULL);
	if (elf)
		elf_flagelf(elf, ELF_C_SET, ELF_F_LAYOUT);
	good = elf && constructors_take(m, elf);
	if (good)
		symbols_weaken(elf);
	good = good && elf_update(elf, ELF_C_WRITE) >= 0;
	elf_end(elf);
	return good;
}

/* Returns the descriptor of a changed copy; -1 with e. */
static int module_copy(struct module *m, int fd, const char *name,
		       struct error *e)
{
	int copy = file_copy(fd);

	if (copy < 0)
		return error_resource(e, errno, EXIT_RUNNER, "%s cannot be "
				      "loaded", text_show(name));
	if (copy_change(m, copy))
		return copy;
	close(copy);
	return error_set(e, EXIT_REFUSED, "%s: refused: it has code that runs "
			 "while it is loaded", text_show(name));
}

/* Loads the copy, whose descriptor it closes. -1 with e. */
static int module_dlopen(struct module *m, int copy, const char *name,
			 const struct compile_job *job, struct error *e)
{
	/* The loader takes one path for one module: each number is used once. */
	static int last = STDERR_FILENO;
	int unique = fcntl(copy, F_DUPFD_CLOEXEC, last + 1), problem = errno;
	char path[64];

	close(copy);
	if (unique < 0)
		return error_resource(e, problem == EINVAL ? EMFILE : problem,
				      EXIT_RUNNER, "%s cannot be loaded",
				      text_show(name));
	last = unique;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", unique);
	m->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	problem = m->handle || access(path, F_OK) == 0 ? 0 : ENOENT;
	close(unique);
	if (m->handle)
		return 0;
	if (problem)
		return error_set(e, EXIT_RUNNER, "%s cannot be loaded: /proc "
				 "is not mounted", text_show(name));
	error_load(name, job, load_error(), e);
	return -1;
}

uint32_t cluster_along_x(const struct debug_function *entry,
			 const struct trace_dim *d, struct error *e)
{
	if (d->x > 0 && d->y == 1 && d->z == 1)
		return d->x;
	error_set(e, EXIT_USAGE, "%s has clusters of %ux%ux%u: the CPU records "
		  "only clusters along x",
		  text_show(entry->name), d->x, d->y, d->z);
	return 0;
}

uint32_t module_cluster(const struct debug_function *entry, struct error *e)
{
	if (entry->alignment < KERNEL_ALIGNMENT)
		return 1;
	for (uint32_t x = 1; x <= CLUSTER_MOST; x++)
		if (entry->alignment == KERNEL_ALIGNMENT / 2 << x)
			return x;
	error_set(e, EXIT_USAGE, "%s has clusters that are not along x, or "
		  "have more than %d blocks: gemmviz records up to %d, which "
		  "every GPU supports", text_show(entry->name), CLUSTER_MOST,
		  CLUSTER_MOST);
	return 0;
}

/* Bytes that a module's variables may take; the recorder keeps a copy of
 * them. */
#define VARIABLES_MOST (1ull << 30)

static int variables_check(const struct module *m, const char *name,
			   struct error *e)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < m->debug->var_count; i++)
		if (m->debug->vars[i].home == DEBUG_DATA)
			bytes += m->debug->vars[i].type.bytes;
	if (bytes <= VARIABLES_MOST)
		return 0;
	return error_set(e, EXIT_REFUSED, "%s: its variables need %llu MB; the "
			 "limit is %llu MB", text_show(name),
			 (unsigned long long)(bytes >> 20),
			 (unsigned long long)(VARIABLES_MOST >> 20));
}

static void data_keep(struct module *m)
{
	for (size_t i = 0; i < m->debug->var_count; i++) {
		const struct debug_var *v = &m->debug->vars[i];
		struct module_data *d;

		if (v->home != DEBUG_DATA || v->type.bytes == 0)
			continue;
		grow(&m->data, &m->data_capacity, m->data_count + 1,
		     sizeof(*m->data));
		d = &m->data[m->data_count++];
		d->at = (void *)(m->load + (uintptr_t)v->at);
		d->bytes = v->type.bytes;
		d->was = xmalloc(d->bytes);
		memcpy(d->was, d->at, d->bytes);
	}
}

void module_renew(struct module *m)
{
	for (size_t i = 0; i < m->data_count; i++) {
		const struct module_data *d = &m->data[i];

		/* Constants cannot be written, and are as they were. */
		if (memcmp(d->at, d->was, d->bytes) != 0)
			memcpy(d->at, d->was, d->bytes);
	}
}

static void module_free(struct module *m)
{
	if (!m)
		return;
	debug_free(m->debug);
	for (size_t i = 0; i < m->data_count; i++)
		free(m->data[i].was);
	free(m->data);
	job_defines_done(&m->left_out);
	if (m->handle)
		dlclose(m->handle);
	free(m);
}

/* Loads a compiled module; `job`: it was compiled by; NULL: it was built in
 * advance. NULL with e. */
static struct module *module_load(int fd, const char *name,
				  const struct compile_job *job,
				  struct error *e)
{
	struct module *m = xcalloc(1, sizeof(*m));
	struct link_map *map;
	int code = module_copy(m, fd, name, e);

	if (code < 0 || module_dlopen(m, code, name, job, e) < 0) {
		module_free(m);
		return NULL;
	}
	dlinfo(m->handle, RTLD_DI_LINKMAP, &map);
	m->load = map->l_addr;
	dl_iterate_phdr(text_find, m);
	m->debug = debug_open(fd, e);
	if (!m->debug || variables_check(m, name, e) < 0) {
		module_free(m);
		return NULL;
	}
	return m;
}

void module_initialize(struct module *m)
{
	void (*const *init)(void) = (void (*const *)(void))(m->load + m->init);

	for (size_t i = 0; i < m->init_count; i++)
		init[i]();
}

void module_construct(struct module *m)
{
	module_initialize(m);
	data_keep(m);
}

struct module *module_open(const char *path, struct error *e)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct module *m;

	if (fd < 0) {
		error_set(e, EXIT_RUNNER, "%s: %s", text_show(path),
			  strerror(errno));
		return NULL;
	}
	m = module_load(fd, path, NULL, e);
	close(fd);
	return m;
}

/* Returns the object of a job, from a store or from the compiler. */
static int compile_or_find(const struct compile_job *job,
			   struct job_defines *left_out, struct error *e)
{
	int fd = compile_store_find(job, left_out);

	if (fd >= 0)
		return fd;
	fd = compile_text(job, left_out, e);
	if (fd >= 0)
		compile_store_put(job, fd, left_out);
	return fd;
}

pid_t module_compile_ahead(const struct compile_job *job)
{
	struct job_defines left_out = { .count = 0 };
	struct error e;
	pid_t pid;
	int fd;

	if (job->no_store || job->unconfined)
		return 0;
	fd = compile_store_find(job, &left_out);
	job_defines_done(&left_out);
	if (fd >= 0) {
		close(fd);
		return 0;
	}
	pid = fork();
	if (pid != 0)
		return MAX(pid, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	fd = compile_or_find(job, &left_out, &e);
	_exit(fd < 0);
}

void module_compile_await(pid_t pid)
{
	while (pid && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
}

struct module *module_compile(const struct compile_job *job,
			      module_ready *ready, const void *ctx,
			      struct error *e)
{
	struct job_defines left_out = { .count = 0 };
	int fd = compile_or_find(job, &left_out, e);
	struct module *m = fd < 0 || (ready && ready(ctx, e) < 0) ? NULL :
			   module_load(fd, job->name, job, e);

	if (m && job->symbols)
		symbols_read(job->symbols, fd);
	if (fd >= 0)
		close(fd);
	if (m)
		m->left_out = left_out;
	else
		job_defines_done(&left_out);
	return m;
}

/* ---- the kernel in it ---- */

#define INSTANCE "gemmviz_instance"

char *module_instance(const char *entry)
{
	return xasprintf("\n#line 1 \"entry\"\n__attribute__((used)) "
			 "static auto *const " INSTANCE " = &%s;\n", entry);
}

static const struct debug_function *instance_find(const struct module *m)
{
	for (size_t i = 0; i < m->debug->var_count; i++) {
		const struct debug_var *v = &m->debug->vars[i];
		uintptr_t at;

		if (v->home != DEBUG_DATA || strcmp(v->name, INSTANCE) != 0)
			continue;
		memcpy(&at, (void *)(m->load + (uintptr_t)v->at), sizeof(at));
		return debug_function_at(m->debug, at - m->load);
	}
	return NULL;
}

/* Checks the name of a function without its template arguments: "mm<float, 16>"
 * is "mm". */
static bool has_plain_name(const struct debug_function *f, const char *name)
{
	size_t n = strlen(name);

	return !strncmp(f->name, name, n) &&
	       (f->name[n] == '\0' || f->name[n] == '<');
}

/* Returns whether a function may be the kernel. Where the text's kernels are
 * not known, every function that other files can call may be. */
static bool may_be_kernel(const struct debug_function *f,
			  const struct strip_host_text *text, const char *entry)
{
	if (f->returns || f->member)
		return false;
	if (entry)
		return has_plain_name(f, entry);
	if (text->kernel_count == 0)
		return f->external;
	for (size_t i = 0; i < text->kernel_count; i++)
		if (has_plain_name(f, text->kernels[i].name))
			return true;
	return false;
}

/* Returns whether the module has the kernel, or would have it if it were asked
 * for, as a template. */
static bool is_there(const struct module *m, const struct strip_host_kernel *k)
{
	bool there = k->template;

	for (size_t i = 0; i < m->debug->function_count && !there; i++)
		there = has_plain_name(&m->debug->functions[i], k->name);
	return there;
}

static void several_said(const struct module *m,
			 const struct strip_host_text *text, struct error *e)
{
	struct str names = { 0 };

	for (size_t i = 0; i < text->kernel_count; i++)
		if (is_there(m, &text->kernels[i]))
			str_addf(&names, "%s%s", names.len ? ", " : ": ",
				 text->kernels[i].name);
	error_set(e, EXIT_USAGE, "the file has several kernels: choose one "
		  "with --entry%s", text_show(names.data ? names.data :
						   ""));
	free(names.data);
}

const struct debug_function *module_entry(const struct module *m,
					  const struct strip_host_text *text,
					  const char *entry, struct error *e)
{
	const struct debug_function *found = NULL;
	size_t count = 0;

	if (entry && strchr(entry, '<'))
		return instance_find(m);
	for (size_t i = 0; i < m->debug->function_count; i++) {
		if (!may_be_kernel(&m->debug->functions[i], text, entry))
			continue;
		found = &m->debug->functions[i];
		count++;
	}
	if (count == 0)
		strip_host_no_kernel(text, entry, e);
	else if (count > 1)
		several_said(m, text, e);
	return count == 1 ? found : NULL;
}
