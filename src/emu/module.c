/*
 * module: compiling and loading. See module.h.
 *
 * A helper process does the compiling, in a temporary folder that it removes
 * itself, and passes back an open descriptor: so nothing is left behind
 * whatever happens to this process.
 */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <link.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef HAVE_CONFIG_H
#include "config.h"
#endif
#include "base/text.h"
#include "emu/module.h"

#define COMPILE_SECONDS 60
#define ERRORS_MAX 65536
/* Headers of the host's libraries that a text may include. */
#define HEADERS_MAX 32

/* ---- loading ---- */

/* The code segment of the object, as addresses in memory. */
static int text_find(struct dl_phdr_info *i, size_t size, void *ctx)
{
	struct module *m = ctx;

	(void)size;
	if (i->dlpi_addr != m->load)
		return 0;
	for (size_t p = 0; p < i->dlpi_phnum; p++) {
		const ElfW(Phdr) *h = &i->dlpi_phdr[p];

		if (h->p_type != PT_LOAD || !(h->p_flags & PF_X))
			continue;
		m->text = i->dlpi_addr + h->p_vaddr;
		m->text_bytes = h->p_memsz;
	}
	return 1;
}

/* dlerror() begins with a path that says nothing to the user. */
static const char *load_error(void)
{
	const char *why = dlerror();
	const char *colon = why ? strstr(why, ": ") : NULL;

	return text_show(colon ? colon + 2 : why ? why : "unknown error");
}

/*
 * Shared memory whose size the launch gives is a thread_local variable that
 * nothing defines. Its symbol is made weak, so that the module is loaded
 * without it; __wrap___tls_get_addr() then sees a variable of no module.
 * True when there was one.
 */
static bool symbols_weaken(Elf *elf)
{
	Elf_Scn *section = NULL;
	bool any = false;
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
			any = true;
		}
	}
	return any;
}

/* A copy of the module in which they are weak, or the module itself. */
static int module_weakened(int fd)
{
	char *raw = NULL;
	int copy = -1;
	struct stat st;
	Elf *elf;

	if (fstat(fd, &st) < 0)
		return fd;
	raw = xmalloc((size_t)st.st_size + 1);
	if (pread(fd, raw, (size_t)st.st_size, 0) == st.st_size)
		copy = memfd_create("kernel", MFD_CLOEXEC);
	if (copy >= 0 && write_all(copy, raw, (size_t)st.st_size) == 0) {
		elf_version(EV_CURRENT);
		elf = elf_begin(copy, ELF_C_RDWR, NULL);
		if (elf)
			elf_flagelf(elf, ELF_C_SET, ELF_F_LAYOUT);
		if (elf && symbols_weaken(elf) &&
		    elf_update(elf, ELF_C_WRITE) >= 0)
			fd = copy;
		elf_end(elf);
	}
	if (copy >= 0 && fd != copy)
		close(copy);
	free(raw);
	return fd;
}

/* Sections named by __cluster_dims__(): see words/cuda_words.h. */
static void clusters_find(struct module *m, int fd)
{
	static const char prefix[] = "gemmviz_cluster_";
	Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	size_t names;

	if (!elf || elf_getshdrstrndx(elf, &names) < 0) {
		elf_end(elf);
		return;
	}
	while ((section = elf_nextscn(elf, section))) {
		struct module_cluster *c;
		const char *name;

		if (!gelf_getshdr(section, &header))
			continue;
		name = elf_strptr(elf, names, header.sh_name);
		if (!name || strncmp(name, prefix, strlen(prefix)) != 0)
			continue;
		grow(&m->clusters, &m->cluster_capacity, m->cluster_count + 1,
		     sizeof(*m->clusters));
		c = &m->clusters[m->cluster_count++];
		c->low = header.sh_addr;
		c->high = header.sh_addr + header.sh_size;
		snprintf(c->dims, sizeof(c->dims), "%s",
			 name + strlen(prefix));
	}
	elf_end(elf);
}

uint32_t module_cluster(const struct module *m,
			const struct debug_function *entry, struct error *e)
{
	for (size_t i = 0; i < m->cluster_count; i++) {
		const struct module_cluster *c = &m->clusters[i];
		unsigned x, y, z;
		char end;

		if (entry->low < c->low || entry->low >= c->high)
			continue;
		if (sscanf(c->dims, "%u_%u_%u%c", &x, &y, &z, &end) == 3 &&
		    x > 0 && y == 1 && z == 1)
			return x;
		error_set(e, EXIT_USAGE, "%s has clusters of %s: the CPU "
			  "records those along x, of a number of blocks",
			  text_show(entry->name), text_show(c->dims));
		return 0;
	}
	return 1;
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

static struct module *module_load(int fd, const char *name, struct error *e)
{
	struct module *m = xcalloc(1, sizeof(*m));
	struct link_map *map;
	int code = module_weakened(fd);
	char path[64];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", code);
	m->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (code != fd)
		close(code);
	if (!m->handle) {
		error_set(e, EXIT_INPUT, "%s cannot be run here: %s",
			  text_show(name), load_error());
		module_free(m);
		return NULL;
	}
	dlinfo(m->handle, RTLD_DI_LINKMAP, &map);
	m->load = map->l_addr;
	dl_iterate_phdr(text_find, m);
	clusters_find(m, fd);
	m->debug = debug_open(fd, e);
	if (!m->debug) {
		module_free(m);
		return NULL;
	}
	data_keep(m);
	return m;
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
	m = module_load(fd, path, e);
	close(fd);
	return m;
}

void module_free(struct module *m)
{
	if (!m)
		return;
	debug_free(m->debug);
	for (size_t i = 0; i < m->data_count; i++)
		free(m->data[i].was);
	free(m->data);
	free(m->clusters);
	if (m->handle)
		dlclose(m->handle);
	free(m);
}

/* ---- the helper that compiles ---- */

struct compile {
	char *text;
	size_t length;
	const struct trace_define *defines;
	size_t define_count;
	char dir[256];
};

/* Splits a list of words into argv[n..]; returns the new n. */
static size_t words_split(char **argv, size_t n, size_t most, char *words)
{
	for (char *w = strtok(words, " "); w && n < most;
	     w = strtok(NULL, " "))
		argv[n++] = w;
	return n;
}

static _Noreturn void compile_exec(const struct compile *c)
{
	char *argv[64 + 64];
	size_t n = 0;
	struct rlimit cpu = { COMPILE_SECONDS, COMPILE_SECONDS };

	n = words_split(argv, n, 16, xstrdup(KERNEL_CXX));
	n = words_split(argv, n, 48, xstrdup(MODULE_FLAGS));
	argv[n++] = xstrdup("-fdiagnostics-color=never");
	argv[n++] = xasprintf("-I%s", paths()->cuda);
	argv[n++] = xstrdup("-include");
	argv[n++] = xasprintf("%s/cuda_words.h", paths()->cuda);
	for (size_t i = 0; i < c->define_count && n < 112; i++)
		argv[n++] = xasprintf("-D%s=%s", c->defines[i].name,
				      c->defines[i].value);
	argv[n++] = xstrdup("-o");
	argv[n++] = xstrdup("kernel.so");
	argv[n++] = xstrdup("kernel.cu");
	n = words_split(argv, n, LENGTH(argv) - 1, xstrdup(MODULE_LIBS));
	argv[n] = NULL;
	setrlimit(RLIMIT_CPU, &cpu);
	setenv("TMPDIR", c->dir, 1);
	setenv("LC_ALL", "C", 1);
	if (chdir(c->dir) == 0)
		execvp(argv[0], argv);
	_exit(errno == ENOENT ? 127 : 126);
}

static int text_write(const struct compile *c)
{
	char *path = xasprintf("%s/kernel.cu", c->dir);
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	int rc = fd < 0 ? -1 : write_all(fd, c->text, c->length);

	if (fd >= 0)
		close(fd);
	free(path);
	return rc;
}

static void folder_remove(const char *dir)
{
	DIR *d = opendir(dir);
	struct dirent *f;

	while (d && (f = readdir(d)))
		if (strcmp(f->d_name, ".") && strcmp(f->d_name, ".."))
			unlinkat(dirfd(d), f->d_name, 0);
	if (d)
		closedir(d);
	rmdir(dir);
}

/* Runs the compiler with its messages on `errors`; its exit status. */
static int compile_once(const struct compile *c, int errors)
{
	pid_t pid;
	int status;

	if (text_write(c) < 0)
		return 125;
	pid = fork();
	if (pid == 0) {
		signal(SIGTERM, SIG_DFL);
		signal(SIGINT, SIG_DFL);
		signal(SIGHUP, SIG_DFL);
		dup2(errors, 1);
		dup2(errors, 2);
		compile_exec(c);
	}
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return 125;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 124;
}

static char *errors_read(int fd)
{
	char *said = xcalloc(1, ERRORS_MAX + 1);
	size_t n = 0;
	ssize_t got;

	while (n < ERRORS_MAX &&
	       (got = pread(fd, said + n, ERRORS_MAX - n, (off_t)n)) > 0)
		n += (size_t)got;
	for (size_t i = 0; i < n; i++)
		if (said[i] == '\0')
			said[i] = '?';
	return said;
}

/* "kernel.cu:3:10: fatal error: wb.h: No such file or directory": the line,
 * and where the header's name stands; else 0. */
static unsigned header_missing(const char *said, int *name, int *end)
{
	unsigned line = 0;

	*end = 0;
	sscanf(said, "kernel.cu:%u:%*u: fatal error: %n%*[^:\n]"
	       ": No such file or directory%n", &line, name, end);
	*end -= *end ? (int)strlen(": No such file or directory") : 0;
	return *end ? line : 0;
}

static void line_blank(char *text, unsigned line)
{
	while (text && line-- > 1) {
		text = strchr(text, '\n');
		text += text != NULL;
	}
	for (; text && *text && *text != '\n'; text++)
		*text = ' ';
}

/* Blanks the include that the last message complains of; false when it is of
 * something else. */
static bool header_drop(struct compile *c, int errors)
{
	char *said = errors_read(errors), *last = said, *l;
	int name, end;
	unsigned line;

	for (l = said; (l = strstr(l, "kernel.cu:")); l++)
		if ((l == said || l[-1] == '\n') &&
		    header_missing(l, &name, &end))
			last = l;
	line = header_missing(last, &name, &end);
	l = strstr(last + 1, "\nkernel.cu:");
	free(said);
	if (l || !line)
		return false;
	line_blank(c->text, line);
	return true;
}

/*
 * What the host's functions need, which are blank, may not be here: a header
 * that is not there is left out. If the kernel needs it, the compiler says
 * what it lacks.
 */
static int compile_run(struct compile *c, int errors)
{
	int status = compile_once(c, errors);

	for (int i = 0; i < HEADERS_MAX && status == 1 &&
			header_drop(c, errors); i++)
		status = compile_once(c, errors);
	return status;
}

/* One byte of status, with the module's descriptor when it is 0. */
static void answer_send(int to, unsigned char status, int fd)
{
	char control[CMSG_SPACE(sizeof(int))] = { 0 };
	struct iovec io = { &status, 1 };
	struct msghdr m = { .msg_iov = &io, .msg_iovlen = 1 };

	if (fd >= 0) {
		struct cmsghdr *c;

		m.msg_control = control;
		m.msg_controllen = sizeof(control);
		c = CMSG_FIRSTHDR(&m);
		c->cmsg_level = SOL_SOCKET;
		c->cmsg_type = SCM_RIGHTS;
		c->cmsg_len = CMSG_LEN(sizeof(int));
		memcpy(CMSG_DATA(c), &fd, sizeof(int));
	}
	sendmsg(to, &m, MSG_NOSIGNAL);
}

static _Noreturn void helper_main(struct compile *c, int to, int errors)
{
	const char *tmp = getenv("TMPDIR");
	int status = 125, fd = -1;

	signal(SIGTERM, SIG_IGN);
	signal(SIGINT, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	snprintf(c->dir, sizeof(c->dir), "%s/gemmviz-XXXXXX",
		 tmp && *tmp ? tmp : "/tmp");
	if (mkdtemp(c->dir)) {
		char *path = xasprintf("%s/kernel.so", c->dir);

		status = compile_run(c, errors);
		if (status == 0)
			fd = open(path, O_RDONLY | O_CLOEXEC);
		folder_remove(c->dir);
	}
	answer_send(to, (unsigned char)status, fd);
	_exit(0);
}

/* The helper's status, 125 when it was lost; *fd is the module, or -1. */
static int answer_receive(int from, int *fd)
{
	char control[CMSG_SPACE(sizeof(int))];
	unsigned char status = 125;
	struct iovec io = { &status, 1 };
	struct msghdr m = { .msg_iov = &io, .msg_iovlen = 1,
			    .msg_control = control,
			    .msg_controllen = sizeof(control) };
	struct cmsghdr *c;

	*fd = -1;
	while (recvmsg(from, &m, MSG_CMSG_CLOEXEC) < 0)
		if (errno != EINTR)
			return 125;
	c = CMSG_FIRSTHDR(&m);
	if (c && c->cmsg_type == SCM_RIGHTS)
		memcpy(fd, CMSG_DATA(c), sizeof(int));
	return status;
}

static int compile(struct compile *c, int errors, int *fd)
{
	int pair[2], status;
	pid_t pid;

	*fd = -1;
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
		return 125;
	pid = fork();
	if (pid == 0) {
		close(pair[0]);
		helper_main(c, pair[1], errors);
	}
	close(pair[1]);
	status = pid < 0 ? 125 : answer_receive(pair[0], fd);
	close(pair[0]);
	if (pid > 0)
		while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
			;
	return status;
}

/* ---- what the compiler said ---- */

/*
 * "kernel.cu:12:5: error: expected ..." becomes "x.cu:12: expected ...". What
 * the linker says has no line; its first line with a reason is taken. Of
 * headers that were left out, the first is named with it.
 */
static void compile_said(const char *name, char *said, struct error *e)
{
	static const char undefined[] = "undefined reference to ";
	const char *reason = NULL, *header = NULL;
	unsigned line = 0, header_line = 0;
	struct str lacks = { 0 };

	for (char *l = strtok(said, "\n"); l; l = strtok(NULL, "\n")) {
		char *error = strstr(l, "error: ");
		char *symbol = strstr(l, undefined);
		int at, end;
		unsigned missing = header_missing(l, &at, &end);

		if (missing && !header) {
			header_line = missing;
			header = l + at;
			l[end] = '\0';
		}
		if (missing || (!error && !symbol))
			continue;
		reason = symbol ? symbol : error + strlen("error: ");
		if (sscanf(l, "kernel.cu:%u:", &line) != 1)
			line = 0;
		break;
	}
	if (header && reason)
		str_addf(&lacks, " (%s, which line %u includes, is not here)",
			 text_show(header), header_line);
	if (header && !reason) {
		line = header_line;
		reason = "a header is not here";
	}
	if (line)
		error_set(e, EXIT_INPUT, "%s:%u: %s%s", text_show(name), line,
			  text_show(reason), lacks.data ? lacks.data : "");
	else
		error_set(e, EXIT_INPUT, "%s does not compile: %s%s",
			  text_show(name), reason ? text_show(reason) :
			  "the compiler gave no reason",
			  lacks.data ? lacks.data : "");
	free(lacks.data);
}

static void compile_failed(const char *name, int status, int errors,
			   struct error *e)
{
	char *said;

	switch (status) {
	case 127:
		error_set(e, EXIT_RUNNER, "%s is not installed: without it "
			  "only the kernels built beforehand can be recorded",
			  KERNEL_CXX);
		return;
	case 124:
		error_set(e, EXIT_INPUT, "compiling %s took more than %d "
			  "seconds", text_show(name), COMPILE_SECONDS);
		return;
	case 125:
	case 126:
		error_set(e, EXIT_RUNNER, "%s cannot be compiled: no "
			  "temporary folder, or %s cannot be started",
			  text_show(name), KERNEL_CXX);
		return;
	default:
		said = errors_read(errors);
		compile_said(name, said, e);
		free(said);
	}
}

struct module *module_compile(const char *name, const char *text,
			      size_t length,
			      const struct trace_define *defines,
			      size_t define_count, struct error *e)
{
	struct compile c = { .text = xstrndup(text, length), .length = length,
			     .defines = defines,
			     .define_count = define_count };
	struct module *m = NULL;
	int errors = temporary_file(e), fd, status;

	if (errors < 0) {
		free(c.text);
		return NULL;
	}
	status = compile(&c, errors, &fd);
	if (fd >= 0)
		m = module_load(fd, name, e);
	else
		compile_failed(name, status, errors, e);
	if (fd >= 0)
		close(fd);
	close(errors);
	free(c.text);
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

/* "mm" of a function "mm<float, 16>". */
static bool is_called(const struct debug_function *f, const char *name)
{
	size_t n = strlen(name);

	return !strncmp(f->name, name, n) &&
	       (f->name[n] == '\0' || f->name[n] == '<');
}

/* Without a text whose kernels are known, all that may be one. */
static bool may_be_kernel(const struct debug_function *f,
			  const struct strip_host_text *own, const char *entry)
{
	if (f->returns || f->member)
		return false;
	if (entry)
		return is_called(f, entry);
	if (own->kernel_count == 0)
		return f->external;
	for (size_t i = 0; i < own->kernel_count; i++)
		if (is_called(f, own->kernels[i].name))
			return true;
	return false;
}

/* Whether the compiler saw it, or would if it were asked for. */
static bool is_there(const struct module *m, const struct strip_host_kernel *k)
{
	bool there = k->template;

	for (size_t i = 0; i < m->debug->function_count && !there; i++)
		there = is_called(&m->debug->functions[i], k->name);
	return there;
}

static void several_said(const struct module *m,
			 const struct strip_host_text *own, struct error *e)
{
	struct str names = { 0 };

	for (size_t i = 0; i < own->kernel_count; i++)
		if (is_there(m, &own->kernels[i]))
			str_addf(&names, "%s%s", names.len ? ", " : ": ",
				 own->kernels[i].name);
	error_set(e, EXIT_USAGE, "the text has more than one kernel: --entry "
		  "names one of them%s", text_show(names.data ? names.data :
						   ""));
	free(names.data);
}

const struct debug_function *module_entry(const struct module *m,
					  const struct strip_host_text *own,
					  const char *entry, struct error *e)
{
	const struct debug_function *found = NULL;
	size_t count = 0;

	if (entry && strchr(entry, '<'))
		return instance_find(m);
	for (size_t i = 0; i < m->debug->function_count; i++) {
		if (!may_be_kernel(&m->debug->functions[i], own, entry))
			continue;
		found = &m->debug->functions[i];
		count++;
	}
	if (count == 0)
		strip_host_no_kernel(own, entry, e);
	else if (count > 1)
		several_said(m, own, e);
	return count == 1 ? found : NULL;
}
