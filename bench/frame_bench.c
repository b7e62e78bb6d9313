/*
 * frame_bench: what a frame of each picture takes at 200x60, on the largest
 * trace (hgemm, 1024x1024x512) and on float4's, half way through a step, in
 * time of the processor, in which others' load does not count.
 *
 * usage: frame_bench GEMMVIZ
 */
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/lang.h"
#include "app/reader.h"

#define FRAMES 40

static double computed(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void say(const char *kernel, const char *what, double *ms, int n)
{
	qsort(ms, (size_t)n, sizeof(*ms), double_order);
	printf("%s-%s-median %.2f ms, aim 2\n", kernel, what, ms[n / 2]);
	printf("%s-%s-worst %.2f ms of %d\n", kernel, what, ms[n - 1], n);
}

/* The scene and its frame at requests spread over the warps. */
static void measure(struct reader *r, const char *kernel)
{
	struct trace *t = reader_recording(r)->trace;
	size_t warps = trace_warp_count(t);
	double scene[FRAMES], frame[FRAMES];
	struct canvas c;
	int n = 0;

	canvas_init(&c, 200, 60);
	for (int i = 0; i < FRAMES; i++) {
		struct cursor *p = reader_cursor(r);
		double begun = computed();

		p->warp = (size_t)i * 7919 % warps;
		p->request = (uint32_t)((uint64_t)trace_warp(t, p->warp)
				->requests * (uint64_t)i / FRAMES);
		reader_update(r, 200, 60);
		if (!r->show.scene->site || (r->show.held &&
		    view_picture(&r->show) != r->show.held))
			continue;
		scene[n] = (computed() - begun) * 1e3;
		r->show.t = 0.5;
		begun = computed();
		frame_draw(&c, reader_show(r));
		frame[n++] = (computed() - begun) * 1e3;
	}
	canvas_done(&c);
	if (!n)
		return;
	say(kernel, "frame", frame, n);
	say(kernel, "scene", scene, n);
}

static void bench(const char *gemmviz, const char *kernel, const char *size)
{
	struct reader_options o = { .lang = "en" };
	char path[] = "/tmp/frame_bench.XXXXXX";
	char *command, *name;
	struct reader r;
	struct trace *t;
	struct error e;
	int fd = mkstemp(path);

	close(fd);
	command = xasprintf("%s record %s %s --force -o %s >/dev/null",
			    gemmviz, kernel, size, path);
	t = system(command) ? NULL : trace_open(path, &e);
	if (!t)
		fatal("no trace of %s", kernel);
	unlink(path);
	free(command);
	reader_init(&r, &o);
	reader_open_trace(&r, t);
	for (size_t i = 0; views[i]; i++) {
		if (views[i]->pane != PANE_PICTURE)
			continue;
		r.show.held = views[i];
		name = xasprintf("%s-%s", kernel, views[i]->name);
		measure(&r, name);
		free(name);
	}
	reader_done(&r);
}

int main(int argc, char **argv)
{
	if (argc != 2) {
		fprintf(stderr, "usage: frame_bench GEMMVIZ\n");
		return EXIT_USAGE;
	}
	lang_init("en");
	bench(argv[1], "hgemm", "-m 1024 -n 1024 -k 512");
	bench(argv[1], "float4", "");
	return EXIT_DONE;
}
