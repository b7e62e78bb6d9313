/*
 * pen: whatever was on the screen, what it writes makes the screen what the
 * canvas says, on a terminal that can do everything and on one that can do
 * little; and it writes little.
 */
#include "viz/pen.h"

#include <stdlib.h>

#include "base/lang.h"
#include "base/text.h"
#include "tap.h"

#define W 37
#define H 11
#define PICTURES 300

/* A cell as a terminal has it; text[0] 0: the other half of a wide one. */
struct seen { char text[5]; int fg, bg; uint8_t attr; };

/* A terminal of W x H that knows just the sequences below. */
static struct screen {
	struct seen cell[H][W];
	struct seen now;	/* how it writes */
	int x, y, scrolled, unknown;
	bool in_colour, scrolls;
} screen;

static const char *fill_in(const char *sequence, int a, int b)
{
	static char text[32];

	/* "<name>": one of the sequences that have numbers. */
	snprintf(text, sizeof(text), "\033%c%d;%d.", sequence[0], a, b);
	return text;
}

static char *sequence(char name)
{
	return xasprintf("\033%c0;0.", name);
}

static struct seen erased(void)
{
	struct seen s = { " ", -1, -1, 0 };

	if (screen.in_colour)
		s.bg = screen.now.bg;
	return s;
}

static void erase(int from, int to)
{
	for (int x = from; x < MIN(to, W); x++)
		screen.cell[screen.y][x] = erased();
}

static void obey(char name, int a, int b)
{
	struct seen *now = &screen.now;

	switch (name) {
	case 'c':
		for (screen.y = 0; screen.y < H; screen.y++)
			erase(0, W);
		screen.x = screen.y = 0;
		break;
	case 'p': *now = (struct seen){ "", -1, -1, 0 }; break;
	case 'b': now->attr |= ATTR_BOLD; break;
	case 'u': now->attr |= ATTR_UNDERLINE; break;
	case 'r': now->attr |= ATTR_REVERSE; break;
	case 'o': now->fg = now->bg = -1; break;
	case 'e': erase(screen.x, W); break;
	case 'x': erase(screen.x, screen.x + a); break;
	case 'm': screen.y = a; screen.x = b; break;
	case 'F': now->fg = a; break;
	case 'B': now->bg = a; break;
	default: screen.unknown++;
	}
}

static void show(const char *bytes, size_t n)
{
	uint32_t ch;
	int width;

	/* A terminal may stay at the last column or not. */
	if (screen.x >= W || screen.y >= H || screen.x < 0 || screen.y < 0) {
		screen.unknown++;
		return;
	}
	text_decode(bytes, n, &ch);
	width = text_char_width(ch);
	for (int i = 0; i < width && screen.x < W; i++) {
		struct seen *cell = &screen.cell[screen.y][screen.x++];

		*cell = screen.now;
		memcpy(cell->text, bytes, i ? 0 : n);
		cell->text[i ? 0 : n] = 0;
	}
	screen.scrolled += screen.scrolls && screen.x == W &&
			   screen.y == H - 1;
}

static void receive(struct str *out)
{
	const char *s = out->data, *end = s + out->len;
	uint32_t ch;

	while (s && s < end) {
		size_t n = text_decode(s, (size_t)(end - s), &ch);
		int a, b, used = 0;
		char name;

		if (*s != '\033') {
			show(s, n);
			s += n;
		} else if (sscanf(s + 1, "%c%d;%d.%n", &name, &a, &b,
				  &used) == 3 && used) {
			obey(name, a, b);
			s += 1 + used;
		} else {
			screen.unknown++;
			s++;
		}
	}
	str_clear(out);
}

/* Whether the cell of the screen is as the canvas has it. */
static bool as_drawn(const struct pen *p, const struct canvas *c,
		     const struct theme *theme, int x, int y)
{
	const struct cell *want = canvas_at(c, x, y);
	const struct seen *got = &screen.cell[y][x];
	struct theme_look look = theme_look(theme, want, p->colours);
	char text[5] = "";

	if (!want->ch)
		return true;
	text[text_encode(want->ch, text)] = 0;
	if (p->colours)
		look.attr &= (uint8_t)~p->terminal.no_colour;
	if (strcmp(got->text, text) || got->bg != look.bg)
		return false;
	if (want->ch == ' ' && !(look.attr & (ATTR_UNDERLINE | ATTR_REVERSE)))
		return !(got->attr & (ATTR_UNDERLINE | ATTR_REVERSE));
	return got->fg == look.fg && got->attr == look.attr;
}

static int wrong_cells(const struct pen *p, const struct canvas *c,
		       const struct theme *theme)
{
	bool corner = p->terminal.scrolls;	/* is left as it is */
	int wrong = 0;

	for (int y = 0; y < H; y++)
		for (int x = 0; x < W - (corner && y == H - 1 ? 2 : 0); x++)
			wrong += !as_drawn(p, c, theme, x, y);
	return wrong;
}

static struct ink any_ink(void)
{
	return (struct ink){ rand() % ROLE_COUNT,
			     rand() % 3 ? 0 : rand() % ROLE_COUNT,
			     rand() % 3 ? 0 : rand() % 8 };
}

/* Changes a few things, as pictures do. */
static void change(struct canvas *c)
{
	static const char *const words[] = {
		"step", "\xe7\x9f\xa9\xe9\x98\xb5 C", "a  b      c", "\xce\xb1",
		"----------------------------------",
	};

	for (int n = rand() % 5; n >= 0; n--) {
		struct rect r = { rand() % W, rand() % H, rand() % W,
				  rand() % 3 };

		if (rand() % 2)
			canvas_fill(c, r, ' ', any_ink());
		else
			canvas_text(c, r.x, r.y, -1,
				    words[rand() % LENGTH(words)], any_ink());
	}
	if (rand() % 20 == 0)
		canvas_clear(c);
}

static void test_screen(const char *what, bool able, const char *theme_name,
			int colours)
{
	const struct theme *theme = theme_find(theme_name);
	struct pen p = { .terminal = {
		.clear = sequence('c'), .plain = sequence('p'),
		.bold = sequence('b'), .underline = sequence('u'),
		.reverse = sequence('r'), .own_colours = sequence('o'),
		.erase_end = sequence('e'),
		.move = xstrdup("m"), .foreground = xstrdup("F"),
		.background = xstrdup("B"), .erase = able ? xstrdup("x") :
							   NULL,
		.fill_in = fill_in, .erases_in_colour = able,
		.scrolls = !able, .moves_plain = !able,
		.no_colour = able ? 0 : ATTR_UNDERLINE },
		.colours = colours };
	struct canvas c;
	int wrong = 0, again = 0;

	screen = (struct screen){ .in_colour = able, .scrolls = !able };
	canvas_init(&c, W, H);
	for (int i = 0; i < PICTURES; i++) {
		change(&c);
		if (rand() % 50 == 0) {
			memset(screen.cell, 'x', sizeof(screen.cell));
			p.drawn = false;
		}
		pen_draw(&p, &c, theme);
		receive(&p.out);
		wrong += wrong_cells(&p, &c, theme);
		pen_draw(&p, &c, theme);
		again += p.out.len > 0;
		receive(&p.out);
	}
	tap_is(wrong, 0, "%s: every cell is as it was drawn", what);
	tap_is(screen.unknown + screen.scrolled, 0,
	       "%s: nothing that it would not understand, or would scroll at",
	       what);
	tap_is(again, 0, "%s: what is there is not sent again", what);
	canvas_done(&c);
	pen_done(&p);
}

/* Sequences as xterm has them, to count bytes. */
static const char *xterm(const char *sequence, int a, int b)
{
	static char text[32];

	snprintf(text, sizeof(text), sequence, a, b);
	return text;
}

static void test_bytes(void)
{
	const struct theme *theme = theme_find("dark");
	struct pen p = { .terminal = {
		.clear = xstrdup("\033[H\033[2J"), .plain = xstrdup("\033[m"),
		.erase_end = xstrdup("\033[K"),
		.move = xstrdup("\033[%d;%dH"),
		.foreground = xstrdup("\033[38;5;%dm"),
		.background = xstrdup("\033[48;5;%dm"),
		.erase = xstrdup("\033[%dX"), .fill_in = xterm,
		.erases_in_colour = true }, .colours = 256 };
	struct canvas c;

	canvas_init(&c, 200, 60);
	pen_draw(&p, &c, theme);
	tap_ok(p.out.len < 60 * 25, "an empty screen of 200 x 60: %zu bytes",
	       p.out.len);
	str_clear(&p.out);
	canvas_text(&c, 100, 30, -1, "12", INK(ROLE_TEXT));
	pen_draw(&p, &c, theme);
	tap_ok(p.out.len < 40, "two characters: %zu bytes", p.out.len);
	str_clear(&p.out);
	canvas_text(&c, 100, 30, -1, "3", INK(ROLE_TEXT));
	canvas_text(&c, 104, 30, -1, "4", INK(ROLE_TEXT));
	pen_draw(&p, &c, theme);
	tap_ok(p.out.len < 45, "two with a gap between: %zu bytes",
	       p.out.len);
	str_clear(&p.out);
	canvas_fill(&c, (struct rect){ 20, 10, 100, 1 }, ' ',
		    INK_ON(ROLE_TEXT, ROLE_BAR));
	pen_draw(&p, &c, theme);
	tap_ok(p.out.len < 40, "a bar of a hundred columns: %zu bytes",
	       p.out.len);
	canvas_done(&c);
	pen_done(&p);
}

int main(void)
{
	lang_init("en");
	srand(1);
	test_screen("with all abilities", true, "dark", 256);
	test_screen("light", true, "light", 16);
	test_screen("with few", false, "dark", 8);
	test_screen("without colour", false, "mono", 0);
	test_bytes();
	return tap_done();
}
