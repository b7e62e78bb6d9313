/*
 * mutant_test: what the parts of the ladder's last rungs are there for. Each
 * launch is of a kernel's text without one of them, or with one that is wrong,
 * and must have just the kind of finding that the part prevents; the text
 * itself has none.
 */
#include <stdlib.h>
#include <string.h>

#ifdef HAVE_CONFIG_H
#include "config.h"
#endif
#include "emu_ask.h"
#include "kernels/kernels.h"
#include "report.h"

struct mutant {
	const char *what;
	const char *from, *to;		/* in the text */
	const char *kind, *words;	/* of a finding */
};

struct subject {
	const char *kernel, *defines;	/* "SLABS=1 STAGES=2" */
	int m, n, k;
	uint32_t blocks;		/* that it has; 0: as the table says */
	const struct mutant *mutants;
	size_t count;
};

static const struct mutant warptile[] = {
	{ "rows of A that begin in the same banks", "#define PAD 8",
	  "#define PAD 0", "bank-conflict", "Storing to As" },
};

static const struct mutant sgemm_pipelined[] = {
	{ "no wait for the copies", "__pipeline_wait_prior(0);", "",
	  "read-before-write", "while the asynchronous copy that " },
	{ "no barrier between two tiles",
	  "__syncthreads();\n                use = 1 - use;",
	  "use = 1 - use;", "race", "As[" },
};

static const struct mutant sgemm[] = {
	{ "no barrier between two tiles", "__pipeline_wait_prior(0);\n"
	  "                __syncthreads();", "__pipeline_wait_prior(0);",
	  "race", "shared[" },
	{ "no wait for the copies of the step", "__pipeline_wait_prior(0);\n"
	  "                __syncthreads();", "__syncthreads();",
	  "read-before-write", "while the asynchronous copy that " },
	{ "a tile stored behind the barrier",
	  "if (k > MEET - 4 && k <= MEET)", "if (k > MEET && k <= MEET + 4)",
	  "race", "shared[" },
	{ "a tile that is not waited for", "        take_over(p);",
	  "        ;", "race", "nothing puts blocks in order" },
	{ "a tile that others need not see", "    __threadfence();\n"
	  "    __syncthreads();\n    if", "    __syncthreads();\n    if",
	  "race", "nothing puts blocks in order" },
	{ "a tile that one thread alone waits for",
	  "            ;\n    __syncthreads();\n", "            ;\n",
	  "race", "nothing puts blocks in order" },
};

static const struct mutant wgmma_basic[] = {
	{ "no barrier behind the init", "    }\n    __syncthreads();\n\n    for",
	  "    }\n\n    for", "race", "thread 1 of block 0 uses the mbarrier "
	  "full, which thread 0 may not have initialized yet in line 39" },
	{ "tiles that threads wrote", "    for (int k = 0; k < K",
	  "    As[t / 64][t % 64] = half();\n    __syncthreads();\n"
	  "    for (int k = 0; k < K", "race", "by TMA, which need not come "
	  "after what thread 0 stored in line 44: there is no "
	  "fence_proxy_async() after it" },
	{ "no wait for the boxes", "mbarrier_wait_parity(&full, parity);", "",
	  "read-before-write", "while the asynchronous copy that " },
	{ "no wait for the products", "wgmma_wait_group<0>();", "",
	  "race", "may still read it" },
};

static const struct mutant tma_pipeline[] = {
	{ "a consumer that does not wait",
	  "mbarrier_wait_parity(&s.full[stage], parity);", "",
	  "read-before-write", "while the asynchronous copy that " },
	{ "a consumer that gives nothing back",
	  "mbarrier_arrive(&s.empty[before]);", "before = 0;",
	  "barrier", "the mbarrier shared.empty[0], which never ends: 0 of 2 "
	  "arrivals" },
	{ "a consumer that gives back what it still reads",
	  "            wgmma_wait_group<1>();\n", "",
	  "race", "may still read it" },
	{ "a producer that does not wait",
	  "mbarrier_wait_parity(&s.empty[stage], parity);", "",
	  "race", "while the asynchronous copy that " },
	{ "a producer that waits for the wrong phase",
	  "unsigned parity = 1;", "unsigned parity = 0;",
	  "barrier", "the mbarrier shared.empty[0], which never ends" },
	{ "mbarriers that others need not see", "    __syncthreads();\n", "",
	  "race", "thread 128 of block 0 uses the mbarrier shared.full[0], "
	  "which thread 0 may not have initialized yet" },
	{ "a stage too many", "stage = (stage + 1) % STAGES;\n            par",
	  "stage = (stage + 1) % (STAGES + 1);\n            par",
	  "out-of-bounds", "shared has 196672 elements" },
	{ "bytes that nobody waits for", "(BM + BN) * BK * sizeof(real)",
	  "BM * BK * sizeof(real)", "read-before-write",
	  "while the asynchronous copy that " },
	{ "bytes that nobody brings", "(BM + BN) * BK * sizeof(real)",
	  "(BM + BN + 1) * BK * sizeof(real)", "barrier",
	  "the mbarrier shared.full[0], which never ends: 1 of 1 arrivals" },
};

static const struct mutant hgemm[] = {
	{ "a block that ends before the other",
	  "    cluster_arrive();\n    cluster_wait();\n}", "}",
	  "race", "but the block may have ended by then in line " },
	{ "a block that ends at once", "    if (group == 0) {",
	  "    if (cluster_ctarank() == 1) return;\n    if (group == 0) {",
	  "race", "has TMA bring a box to the mbarrier shared.full[0] of "
	  "block 1, but the block ends in line 227 and has not waited for it" },
	{ "a block that ends before it is needed", "    int group = threadIdx",
	  "    if (cluster_ctarank() == 1) return;\n    int group = threadIdx",
	  "crash", "of block 1, which has ended and has initialized none" },
	{ "a multicast to a block that is not there", "(1 << CLUSTER) - 1",
	  "(2 << CLUSTER) - 1", "crash",
	  "has a multicast go to blocks that its cluster has not" },
	{ "mbarriers that the other block may not have",
	  "    cluster_arrive();\n    cluster_wait();\n\n",
	  "    __syncthreads();\n", "race", "may not have initialized yet" },
	{ "stages that this block alone gives back", "if (t < CLUSTER)",
	  "if (t == (int)cluster_ctarank())", "barrier",
	  "which never ends: 2 of 4 arrivals" },
	{ "stages that this block alone waits for", "CONSUMERS * CLUSTER",
	  "CONSUMERS", "race", "may still read it" },
	{ "parts that come before the last have left",
	  "cp_async_bulk_wait_group_read<1>();", ";", "race",
	  "may still read it" },
	{ "parts that the warps need not see free",
	  "cp_async_bulk_wait_group_read<1>();\n                "
	  "bar_sync(1 + me, 128);",
	  "cp_async_bulk_wait_group_read<1>();", "race",
	  "may still read it" },
	{ "parts that TMA need not see",
	  "                fence_proxy_async();\n", "", "race",
	  "there is no fence_proxy_async() after it" },
	{ "parts that leave before they are whole",
	  "fence_proxy_async();\n                bar_sync(1 + me, 128);",
	  "fence_proxy_async();", "race", "with no barrier between them" },
	{ "parts that have not left at the end",
	  "        cp_async_bulk_wait_group_read<0>();", "        ;", "race",
	  "ends before its TMA store has been read" },
};

#define MUTANTS(of) (of), LENGTH(of)

static const struct subject subjects[] = {
	{ "warptile", "", 64, 128, 32, 0, MUTANTS(warptile) },
	{ "sgemm_pipelined", "", 64, 128, 48, 0, MUTANTS(sgemm_pipelined) },
	/* Three tiles, one of which two blocks share. */
	{ "sgemm", "BM=64 BN=128 BK=16 BLOCKS=4", 130, 68, 224, 2,
	  MUTANTS(sgemm) },
	{ "wgmma_basic", "", 64, 128, 128, 0, MUTANTS(wgmma_basic) },
	/* More steps than stages. */
	{ "tma_pipeline", "", 256, 128, 384, 0, MUTANTS(tma_pipeline) },
	/* A cluster that computes tiles twice. */
	{ "hgemm", "SLABS=1 BN=128 STAGES=2 CLUSTER=2", 256, 256, 256, 2,
	  MUTANTS(hgemm) },
};

/* ---- the text ---- */

static char *text_of(const char *kernel)
{
	const char *top = getenv("srcdir");
	char *path = xasprintf("%s/src/kernels/%s.cu", top ? top : ABS_SRCDIR,
			       kernel);
	struct error e = { 0 };
	size_t length;
	char *text = file_read(path, 1 << 20, &length, &e);

	if (!text)
		printf("# %s\n", e.text);
	free(path);
	return text ? text : xstrdup("");
}

/* With `to` wherever it has `from`; NULL: nowhere. */
static char *replaced(const char *text, const char *from, const char *to)
{
	struct str s = { 0 };
	const char *at = strstr(text, from);

	if (!at)
		return NULL;
	for (; at; at = strstr(text, from)) {
		str_addf(&s, "%.*s%s", (int)(at - text), text, to);
		text = at + strlen(from);
	}
	str_add(&s, text);
	return str_take(&s);
}

/* ---- its launch ---- */

static const char *define_of(const void *defines, const char *name)
{
	return json_string_value(json_object_get(defines, name));
}

static json_t *dims(struct trace_dim d)
{
	return json_pack("[iii]", d.x, d.y, d.z);
}

/* The table's launch of this text. */
static json_t *launch(const struct subject *s, const char *text)
{
	const struct kernel *k = kernel_find(s->kernel);
	json_t *defines = defines_of(s->defines);
	int p[KERNEL_PARAMS];
	struct trace_dim grid;
	json_t *o = text_request("mutant.cu", text, k->entry, "");

	kernel_values(k, p, define_of, defines);
	grid = k->grid(p, s->m, s->n, s->k);
	if (s->blocks)
		grid.x = s->blocks;
	with(o, "block", dims(k->block(p)));
	with(o, "grid", dims(grid));
	if (k->shared)
		with(o, "shared_bytes", json_integer(k->shared(p)));
	with(o, "m", json_integer(s->m));
	with(o, "n", json_integer(s->n));
	with(o, "k", json_integer(s->k));
	return with(o, "defines", defines);
}

/* ---- what is found ---- */

/* A line each: the recorder's, then the model's. `faults` are the former, of
 * which one is that nothing was recorded. */
static char *found(const struct subject *s, const char *text, size_t *faults)
{
	struct reply r = ask(launch(s, text));
	struct report report;
	struct str found = { 0 };
	struct error e;

	str_add(&found, r.error);
	*faults = 1;
	if (r.trace && report_build(r.trace, &report, &e) == 0) {
		*faults = trace_info(r.trace)->finding_count;
		for (size_t i = 0; i < report.finding_count; i++)
			str_addf(&found, "%s: %s\n", report.findings[i].kind,
				 report.findings[i].text);
		report_done(&report);
	}
	reply_done(&r);
	return str_take(&found);
}

static bool has(const char *found, const char *kind, const char *words)
{
	size_t length;

	for (; *found; found += length + (found[length] == '\n')) {
		const char *at = strstr(found, words);

		length = strcspn(found, "\n");
		if (!strncmp(found, kind, strlen(kind)) && at &&
		    at < found + length)
			return true;
	}
	return false;
}

static void try_mutant(const struct subject *s, const struct mutant *m,
		       const char *text)
{
	char *changed = replaced(text, m->from, m->to);
	size_t faults;
	char *got = changed ? found(s, changed, &faults) :
			      xstrdup("the text has no such part");

	if (!tap_ok(has(got, m->kind, m->words), "%s, %s: %s, ...%s...",
		    s->kernel, m->what, m->kind, m->words))
		printf("# %s\n", got);
	free(got);
	free(changed);
}

/* A text that names no cluster is launched without one. */
static char *with_cluster(char *text, const struct subject *s)
{
	char *own;

	if (!kernel_find(s->kernel)->cluster)
		return text;
	own = replaced(text, "__global__ void", "__global__ void "
		       "__cluster_dims__(CLUSTER, 1, 1)");
	free(text);
	return own;
}

static void try_subject(const struct subject *s)
{
	char *text = with_cluster(text_of(s->kernel), s);
	size_t faults;
	char *got = found(s, text, &faults);

	if (!tap_ok(faults == 0, "%s itself has no fault", s->kernel))
		printf("# %s\n", got);
	free(got);
	for (size_t i = 0; i < s->count; i++)
		try_mutant(s, &s->mutants[i], text);
	free(text);
}

int main(void)
{
	for (size_t i = 0; i < LENGTH(subjects); i++)
		try_subject(&subjects[i]);
	if (runner)
		runner_free(runner);
	return tap_done();
}
