/*
 * term_demo: the least program that uses the terminal, for tests to drive.
 *
 *	term_demo [--ascii] [--mono] [--theme=NAME] [--anew] [MODE]
 *
 * It draws a picture that fills the screen and says what events came; with
 * the key d it draws all the time, with --anew all of it. MODE says how it ends
 * after the first picture: exit, fatal, segv, overflow (of the stack), abort,
 * child (as with exit, after one has died).
 */
#include "term/term.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/lang.h"

struct demo {
	struct term *term;
	struct canvas canvas;
	const char *mode;
	bool busy, anew;
	int frame;
	struct str said;
};

static void draw(struct demo *d)
{
	struct canvas *c = &d->canvas;
	struct rect in;
	int w, h;

	term_size(d->term, &w, &h);
	if (c->w != w || c->h != h)
		canvas_resize(c, w, h);
	c->ascii = term_ascii(d->term);
	c->mono = !term_colour(d->term);
	canvas_clear(c);
	in = canvas_frame(c, (struct rect){ 0, 0, w, h }, "demo", "note",
			  false);
	for (int i = 0; i < 16; i++) {
		canvas_pixel(c, in.x + i, 2 * in.y, ROLE_HUE(i * 2));
		canvas_pixel(c, in.x + i, 2 * in.y + 1, ROLE_FIELD);
	}
	canvas_textf(c, in.x, in.y + 1, in.w, INK(ROLE_TEXT),
		     "size %dx%d", w, h);
	canvas_text(c, in.x, in.y + 2, in.w, "矩阵 αβγ × →", INK(ROLE_STRONG));
	if (term_notice(d->term))
		canvas_text(c, in.x, in.y + 3, in.w, term_notice(d->term),
			    INK(ROLE_WARN));
	canvas_text(c, in.x, in.y + 4, in.w, d->said.data ? d->said.data : "",
		    INK(ROLE_ACCENT));
	if (d->busy)
		canvas_textf(c, in.x, in.y + 5, in.w, INK(ROLE_DIM),
			     "frame %d", d->frame++);
	canvas_right(c, in.x, in.y + in.h - 1, in.w, "corner",
		     INK(ROLE_TEXT));
	if (d->anew)
		term_redraw(d->term);
	term_draw(d->term, c);
}

/* Recurses until the stack is used up; `deep` never is 0. */
static int overflow(volatile int deep)
{
	volatile char here[4096];

	here[0] = (char)deep;
	return deep ? overflow(deep) + here[0] : 0;
}

static void child_dies(void)
{
	pid_t pid = fork();

	if (pid == 0)
		abort();
	waitpid(pid, NULL, 0);
}

static void end(const struct demo *d)
{
	const char *m = d->mode;
	/* Doubly volatile, so that no compiler knows what it is. */
	volatile int *volatile nowhere = (volatile int *)64;

	if (!strcmp(m, "child"))
		child_dies();
	if (!strcmp(m, "child") || !strcmp(m, "exit"))
		exit(9);
	if (!strcmp(m, "fatal"))
		fatal("demo of a fatal failure");
	if (!strcmp(m, "segv"))
		*nowhere = 0;
	if (!strcmp(m, "overflow"))
		exit(overflow(1));
	if (!strcmp(m, "abort"))
		abort();
}

/* False at the end. */
static bool handle(struct demo *d, const struct event *ev)
{
	/* A new size says itself. */
	if (ev->key == K_RESIZE)
		return true;
	str_clear(&d->said);
	if (ev->key == K_MOUSE)
		str_addf(&d->said, "mouse:%d@%d,%d", ev->mouse, ev->x,
			 ev->y);
	else if (ev->key >= KEY_BASE)
		str_addf(&d->said, "key:%d", ev->key - KEY_BASE);
	else
		str_addf(&d->said, "key:U+%04X", ev->key);
	if (ev->key == 26 || ev->key == 'z')
		term_suspend(d->term);
	if (ev->key == 'd')
		d->busy = !d->busy;
	if (ev->key == 12)
		term_redraw(d->term);
	return ev->key != 'q' && ev->key != K_EOF;
}

static void loop(struct demo *d)
{
	struct pollfd p = { .fd = term_fd(d->term), .events = POLLIN };
	bool go = true;

	while (go) {
		struct event ev;

		draw(d);
		end(d);
		if (poll(&p, 1, d->busy ? 2 : -1) < 0)
			continue;
		while (go && term_event(d->term, &ev))
			go = handle(d, &ev);
	}
}

int main(int argc, char **argv)
{
	struct demo d = { .mode = "" };
	struct term_options o = { 0 };
	struct error e;

	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--ascii"))
			o.ascii = true;
		else if (!strcmp(argv[i], "--mono"))
			o.mono = true;
		else if (!strncmp(argv[i], "--theme=", 8))
			o.theme = theme_find(argv[i] + 8);
		else if (!strcmp(argv[i], "--anew"))
			d.anew = true;
		else
			d.mode = argv[i];
	}
	lang_init(NULL);
	d.term = term_open(&o, &e);
	if (!d.term) {
		fprintf(stderr, "term_demo: %s\n", e.text);
		return (int)e.status;
	}
	loop(&d);
	term_close(d.term);
	canvas_done(&d.canvas);
	str_done(&d.said);
	return EXIT_DONE;
}
