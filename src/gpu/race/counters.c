/*
 * counters: see counters.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/text.h"
#include "gpu/race/benchmark_case.h"
#include "gpu/race/counters.h"
#include "gpu/record/recording.h"

#define OUTPUT_MOST (1u << 20)
#define JOB_BYTES_MOST (1u << 22)

/* Percent of what the unit could do in the time. */
#define BUSY(metric) metric ".avg.pct_of_peak_sustained_elapsed"

static const struct hardware_counter {
	const char *name, *metric;
	double scale;		/* to the unit that the name says */
} counters[] = {
	{ "global_load_requests",
	  "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", 1 },
	{ "global_load_sectors",
	  "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", 1 },
	{ "global_store_requests",
	  "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", 1 },
	{ "global_store_sectors",
	  "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", 1 },
	{ "shared_load_instructions",
	  "smsp__sass_inst_executed_op_shared_ld.sum", 1 },
	{ "shared_load_wavefronts",
	  "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", 1 },
	{ "shared_store_instructions",
	  "smsp__sass_inst_executed_op_shared_st.sum", 1 },
	{ "shared_store_wavefronts",
	  "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum", 1 },
	{ "l1_wavefronts", "l1tex__data_pipe_lsu_wavefronts.sum", 1 },
	{ "l2_read_bytes", "l1tex__m_xbar2l1tex_read_bytes.sum", 1 },
	{ "l2_write_bytes", "l1tex__m_l1tex2xbar_write_bytes.sum", 1 },
	{ "dram_bytes", "dram__bytes.sum", 1 },
	{ "issue_busy", BUSY("sm__issue_active"), 0.01 },
	{ "fma_busy", BUSY("sm__pipe_fma_cycles_active"), 0.01 },
	{ "tensor_busy", BUSY("sm__pipe_tensor_cycles_active"), 0.01 },
	{ "l1_busy", BUSY("l1tex__data_pipe_lsu_wavefronts"), 0.01 },
	{ "l2_busy", BUSY("lts__t_sectors"), 0.01 },
	{ "dram_busy", BUSY("dram__bytes"), 0.01 },
	{ "seconds", "gpu__time_duration.sum", 1e-9 },
};

/* ---- running ncu ---- */

static const char *ncu_find(void)
{
	static char found[512];
	static const char *const patterns[] = {
		"/usr/local/cuda/bin/ncu",
		"/opt/nvidia/nsight-compute/*/ncu",
	};
	const char *path = getenv("PATH");
	glob_t g;

	for (const char *p = path; p && *p; p += strcspn(p, ":"),
	     p += *p == ':') {
		snprintf(found, sizeof(found), "%.*s/ncu",
			 (int)strcspn(p, ":"), p);
		if (access(found, X_OK) == 0)
			return found;
	}
	for (size_t i = 0; i < LENGTH(patterns); i++) {
		bool any = glob(patterns[i], 0, NULL, &g) == 0;

		if (any)
			snprintf(found, sizeof(found), "%s",
				 g.gl_pathv[g.gl_pathc - 1]);
		globfree(&g);
		if (any)
			return found;
	}
	return NULL;
}

static _Noreturn void ncu_exec(const char *ncu, const char *job, int out)
{
	struct str metrics = { 0 };
	char self[] = "/proc/self/exe", real[4096];
	ssize_t n = readlink(self, real, sizeof(real) - 1);
	char *argv[] = {
		(char *)ncu, "--csv", "--page", "raw", "--print-units",
		"base", "--clock-control", "none", "--profile-from-start",
		"off", "--metrics", NULL, real, "--launch", (char *)job, NULL,
	};

	real[n > 0 ? n : 0] = '\0';
	for (size_t i = 0; i < LENGTH(counters); i++)
		str_addf(&metrics, "%s%s", i ? "," : "", counters[i].metric);
	argv[11] = metrics.data;
	dup2(out, 1);
	dup2(out, 2);
	setpgid(0, 0);
	setenv("LC_ALL", "C", 1);	/* 16384, in no language's way */
	signal(SIGPIPE, SIG_DFL);	/* ignored in the recorder */
	execv(ncu, argv);
	_exit(127);
}

/* Reads all output of ncu; kills it when the time is over. */
static int read_ncu_output(int fd, pid_t pid, double seconds, struct str *out,
			   struct error *e)
{
	int left = (int)(seconds * 1000);

	for (;;) {
		struct pollfd p = { .fd = fd, .events = POLLIN };
		char buffer[4096];
		ssize_t n;

		if (poll(&p, 1, left) == 0 || out->len > OUTPUT_MOST) {
			kill(-pid, SIGKILL);
			return error_set(e, EXIT_RUNNER, "ncu did not end "
					 "within %g seconds", seconds);
		}
		n = read(fd, buffer, sizeof(buffer));
		if (n == 0)
			return 0;
		if (n > 0)
			str_addn(out, buffer, (size_t)n);
		else if (errno != EINTR)
			return error_set(e, EXIT_RUNNER, "ncu: %m");
	}
}

static int ncu_run(const char *job, double seconds, struct str *out,
		   struct error *e)
{
	const char *ncu = ncu_find();
	int pipes[2], rc, status;
	pid_t pid;

	if (!ncu)
		return error_set(e, EXIT_RUNNER, "Nsight Compute (ncu), which "
				 "reads the counters, is not on the GPU's "
				 "machine");
	if (pipe2(pipes, O_CLOEXEC) < 0)
		return error_set(e, EXIT_RUNNER, "ncu: %m");
	pid = fork();
	if (pid == 0)
		ncu_exec(ncu, job, pipes[1]);
	close(pipes[1]);
	rc = pid < 0 ? error_set(e, EXIT_RUNNER, "ncu: %m") :
		       read_ncu_output(pipes[0], pid, seconds, out, e);
	close(pipes[0]);
	if (pid > 0)
		waitpid(pid, &status, 0);
	return rc;
}

/* ---- reading what it says ---- */

/* Returns the next field of a line of CSV, "..." or bare; NULL at its end. */
static char *field_next(char **at)
{
	char *s = *at, *end;

	if (*s == '\0')
		return NULL;
	if (*s == '"') {
		end = strchr(++s, '"');
		if (!end)
			end = s + strlen(s);
		*at = end + (*end == '"');
		*at += **at == ',';
		*end = '\0';
		return s;
	}
	end = s + strcspn(s, ",");
	*at = end + (*end == ',');
	*end = '\0';
	return s;
}

/* Returns the number of the column with this name, or -1. */
static int column_find(const char *header, const char *name)
{
	char *copy = xstrdup(header), *at = copy, *field;
	int found = -1;

	for (int i = 0; found < 0 && (field = field_next(&at)); i++)
		if (!strcmp(field, name))
			found = i;
	free(copy);
	return found;
}

static bool column_read(const char *row, int column, double *to)
{
	char *copy = xstrdup(row), *at = copy, *field, *end;
	bool ok = false;

	for (int i = 0; (field = field_next(&at)); i++) {
		if (i != column)
			continue;
		*to = strtod(field, &end);
		ok = end > field && !*end;
		break;
	}
	free(copy);
	return ok;
}

/* Sets the error to the reason in ncu's output why there are no counters.
 * Returns -1. */
static int fail_without_counters(const char *output, struct error *e)
{
	const char *at = strstr(output, "==ERROR== ");
	char *line;

	if (strstr(output, "ERR_NVGPUCTRPERM"))
		return error_set(e, EXIT_RUNNER, "this user may not read the "
				 "GPU's counters (ERR_NVGPUCTRPERM); NVIDIA "
				 "says at developer.nvidia.com/"
				 "ERR_NVGPUCTRPERM how to allow it");
	if (!at)
		at = strstr(output, "gemmviz-gpu: ");
	if (!at)
		at = output;
	line = xstrndup(at, strcspn(at, "\n"));
	error_set(e, EXIT_RUNNER, "ncu gave no counters: %.300s",
		  text_show(line));
	free(line);
	return -1;
}

/* Returns the next line of the rest, cut off at its end; NULL when there is
 * none. */
static char *line_next(char **at)
{
	char *line = *at, *end;

	if (!line || !*line)
		return NULL;
	end = strchr(line, '\n');
	if (end)
		*end = '\0';
	*at = end ? end + 1 : NULL;
	return line;
}

/* Sums a metric over the launches; a percentage is averaged, weighted by their
 * time. Returns JSON's null when a launch lacks it. */
static json_t *launches_sum(const char *header, char *const *rows, size_t count,
			    const struct hardware_counter *c)
{
	bool busy = strstr(c->metric, ".pct_");
	int column = column_find(header, c->metric);
	int clock = column_find(header, "gpu__time_duration.sum");
	double sum = 0, time = 0;

	for (size_t i = 0; i < count; i++) {
		double v, weight = 1;

		if (column < 0 || !column_read(rows[i], column, &v) ||
		    (busy && (clock < 0 ||
			      !column_read(rows[i], clock, &weight))))
			return json_null();
		sum += v * weight;
		time += weight;
	}
	return json_real((busy ? sum / time : sum) * c->scale);
}

#define LAUNCHES_MOST 16

static json_t *counters_parse(const struct str *out, struct error *e)
{
	char *at = out->data ? strstr(out->data, "\"ID\",") : NULL;
	char *header, *rows[LAUNCHES_MOST];
	size_t count = 0;
	json_t *o;

	/* Names, units, and a launch a line. */
	header = line_next(&at);
	line_next(&at);
	while (count < LAUNCHES_MOST && (rows[count] = line_next(&at)) &&
	       rows[count][0] == '"')
		count++;
	if (!count) {
		fail_without_counters(out->data ? out->data : "", e);
		return NULL;
	}
	o = json_object();
	for (size_t i = 0; i < LENGTH(counters); i++)
		json_object_set_new(o, counters[i].name,
				    launches_sum(header, rows, count,
						 &counters[i]));
	return o;
}

json_t *counters_read(const struct job *job, struct error *e)
{
	char path[] = "/tmp/gemmviz-counters-XXXXXX";
	struct str out = { 0 };
	json_t *o = NULL, *message;
	int fd = mkstemp(path), rc;

	if (fd < 0) {
		error_set(e, EXIT_RUNNER, "a temporary file: %m");
		return NULL;
	}
	message = job_message(job);
	json_object_set_new(message, "id", json_integer(job->id));
	rc = json_dumpfd(message, fd, JSON_COMPACT);
	json_decref(message);
	close(fd);
	if (rc < 0)
		error_set(e, EXIT_RUNNER, "a temporary file: %m");
	else if (ncu_run(path, job->seconds, &out, e) == 0)
		o = counters_parse(&out, e);
	unlink(path);
	str_done(&out);
	return o;
}

/* ---- what ncu watches ---- */

/* Reads the job of a launch from the file that ncu's child gets. */
static int launch_read(const char *path, struct job *job, struct error *e)
{
	size_t n;
	char *line = file_read(path, JOB_BYTES_MOST, &n, e);
	int rc = line ? job_parse(job, line, n, e) : -1;

	free(line);
	return rc;
}

/* Launches cuBLAS under the profiler, which is off while the inputs are
 * made. */
static int profile_cublas(const struct job *job, const struct device *d,
			  struct error *e)
{
	json_t *what = job_kernel_members(&job->kernel);
	struct matrices x = {0};
	struct benchmark_case t;
	int rc = -1;

	benchmark_case_init(&t, what, NULL);
	if (benchmark_case_prepare(&t, d, &job->size, e) == 0 &&
	    matrices_make(&x, &job->size, 1u << t.in | 1u << t.out, job->seed,
			  e) == 0 &&
	    CUDA_TRY(e, ProfilerStart) == 0 &&
	    benchmark_case_launch(&t, &x, e) == 0)
		rc = CUDA_TRY(e, CtxSynchronize);
	matrices_done(&x);
	benchmark_case_done(&t);
	json_decref(what);
	return rc;
}

static int profile_launch(struct job *job, const struct device *d,
			  struct error *e)
{
	if (job->kernel.baseline)
		return profile_cublas(job, d, e);
	return CUDA_TRY(e, ProfilerStart) < 0 ? -1 :
						recording_plain(job, d, e);
}

int counters_launch(const char *path)
{
	struct job job = { 0 };
	struct device d = { 0 };
	struct error e;
	int rc = -1;

	if (launch_read(path, &job, &e) == 0 && device_open(&d, &e) == 0 &&
	    device_begin(&d, &e) == 0)
		rc = profile_launch(&job, &d, &e);
	job_done(&job);
	if (rc < 0)
		fprintf(stderr, "gemmviz-gpu: %s\n", e.text);
	return rc < 0 ? (int)e.status : EXIT_DONE;
}
