/*
 * Colours: in no cell of the golden frames does what is drawn have the colour
 * that it is drawn on, in any theme, with 8, 16, 256 or all colours; and
 * without colours what has another colour has another sign, which numbers
 * nearby do not remove, nor what shares its cell.
 */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "base/lang.h"
#include "base/text.h"
#include "contrast.h"
#include "tap.h"

#define ROWS 100
#define GLYPHS 0x3000		/* all that frames draw are below */

/* Whether a frame has such a cell: by what is drawn, in which role, on
 * which. */
static bool seen[GLYPHS][ROLE_COUNT][ROLE_COUNT];
static size_t frames;

static enum role role_of(char letter)
{
	for (int i = 0; i < ROLE_COUNT; i++)
		if (role_letter((enum role)i) == letter)
			return (enum role)i;
	fatal("no role has the letter %c", letter);
}

/* Returns the letter at x of a line that may end before; '.' there. */
static char letter_at(const char *line, size_t x)
{
	size_t n = line ? strcspn(line, "\n") : 0;

	return x < n ? line[x] : role_letter(ROLE_NONE);
}

/* Splits a part of a frame into its lines. */
static size_t split_lines(char *text, const char *end, char *line[ROWS])
{
	size_t n = 0;

	while (n < ROWS && text < end) {
		line[n++] = text;
		text += strcspn(text, "\n") + 1;
	}
	return n;
}

/* Draws a cell as a canvas without pixels has it. */
static void put_without_pixels(struct canvas *c, int x, int y, uint32_t ch,
			       enum role fg, enum role bg)
{
	if (ch == 0x2580 || ch == 0x2584) {
		canvas_pixel(c, x, 2 * y + (ch == 0x2584), fg);
		canvas_pixel(c, x, 2 * y + (ch == 0x2580), bg);
	} else {
		canvas_put(c, x, y, ch, INK_ON((uint8_t)fg, (uint8_t)bg));
	}
}

static void add_row(struct canvas *c, int y, const char *text, const char *fg,
		    const char *bg)
{
	size_t left = strcspn(text, "\n");

	for (size_t x = 0; left; x++) {
		enum role ink = role_of(letter_at(fg, x));
		enum role on = role_of(letter_at(bg, x));
		uint32_t ch;
		size_t n = text_decode(text, left, &ch);

		text += n;
		left -= n;
		if (ch < GLYPHS)
			seen[ch][ink][on] = true;
		put_without_pixels(c, (int)x, y, ch, ink, on);
	}
}

static bool is_number(const struct cell *cell)
{
	return cell->ch > ' ' && cell->ch < 0x2500 && !canvas_is_sign(cell);
}

/* Returns how many painted cells have neither a sign nor, up to three columns
 * away, text. */
static size_t count_blank(const struct canvas *c)
{
	size_t blank = 0;

	for (int y = 0; y < c->h; y++)
		for (int x = 0; x < c->w; x++) {
			const struct cell *cell = canvas_at(c, x, y);
			bool near = false;

			for (int i = x - 3; i <= x + 3; i++)
				near |= is_number(canvas_at(c, i, y));
			blank += cell->ch == ' ' && !near &&
				 cell->bg >= ROLE_TRAIL0 &&
				 cell->bg <= ROLE_FADE3;
		}
	return blank;
}

static void add_frame(const char *path)
{
	char *row[ROWS] = {0}, *fg[ROWS] = {0}, *bg[ROWS] = {0};
	struct error e;
	size_t len, n;
	struct canvas c;
	char *text = file_read(path, 1 << 22, &len, &e);
	char *first = text ? strstr(text, "-- fg\n") : NULL;
	char *second = first ? strstr(first, "-- bg\n") : NULL;

	if (!second)
		fatal("%s is no frame", path);
	n = split_lines(text, first, row);
	split_lines(first + 6, second, fg);
	split_lines(second + 6, text + len, bg);
	canvas_init(&c, 256, ROWS);
	c.mono = true;
	for (size_t y = 0; y < n; y++)
		add_row(&c, (int)y, row[y], fg[y], bg[y]);
	canvas_part_signs(&c);
	if (count_blank(&c))
		tap_ok(false, "%s: %zu cells of a trail are blank", path,
		       count_blank(&c));
	canvas_done(&c);
	frames++;
	free(text);
}

static void add_frames(void)
{
	const char *src = getenv("srcdir");
	char *folder = xasprintf("%s/tests/golden", src ? src : ".");
	DIR *d = opendir(folder);
	struct dirent *entry;

	if (!d)
		fatal("%s: %m", folder);
	while ((entry = readdir(d))) {
		char *path = xasprintf("%s/%s", folder, entry->d_name);

		/* Signs in place of fills, of eight colours, have letters like
		 * texts. */
		if (strstr(entry->d_name, ".txt") &&
		    !strstr(entry->d_name, "-eight-"))
			add_frame(path);
		free(path);
	}
	closedir(d);
	free(folder);
}

/* Returns such a cell. */
static struct cell draw_without_pixels(uint32_t ch, enum role fg, enum role bg)
{
	struct canvas c;
	struct cell cell;

	canvas_init(&c, 1, 1);
	c.mono = true;
	put_without_pixels(&c, 0, 0, ch, fg, bg);
	cell = *canvas_at(&c, 0, 0);
	canvas_done(&c);
	return cell;
}

/* Returns whether what the cell shows can be seen. */
static bool can_be_seen(const struct theme *t, const struct cell *cell,
			int colours)
{
	struct theme_look look = theme_look(t, cell, colours);
	bool text = cell->ch < 0x2500 || cell->ch > 0x28ff ||
		    (cell->ch > 0x259f && cell->ch < 0x2800);

	if (cell->ch <= ' ' ||
	    (cell->fg == cell->bg && !text && cell->ch >= 0x2580))
		return true;	/* a fill */
	if (look.fg == THEME_DEFAULT || look.bg == THEME_DEFAULT)
		return look.fg == look.bg;
	if (theme_rgb(look.fg) == theme_rgb(look.bg))
		return false;
	return !text || contrast(look.fg, look.bg) >= 3;
}

/* Returns how many cells cannot be seen, and says which. */
static size_t count_unseen(const struct theme *t, int colours)
{
	size_t unseen = 0;

	for (uint32_t ch = 0; ch < GLYPHS; ch++)
		for (int fg = 0; fg < ROLE_COUNT; fg++)
			for (int bg = 0; bg < ROLE_COUNT; bg++) {
				struct cell cell = { ch, (uint8_t)fg,
						     (uint8_t)bg, 0 };

				if (!seen[ch][fg][bg])
					continue;
				if (colours < 16)
					cell = draw_without_pixels(ch, fg, bg);
				if (can_be_seen(t, &cell, colours))
					continue;
				if (!unseen++)
					printf("# U+%04x in '%c' on '%c'\n",
					       ch, role_letter(fg),
					       role_letter(bg));
			}
	return unseen;
}

/* What a matrix or a bar paints in two roles looks different. */
static void test_signs(const struct theme *t, int colours)
{
	static const enum role bars[] = { ROLE_GOOD, ROLE_BAD, ROLE_WARN,
					  ROLE_ACCENT, ROLE_WASTE };
	enum role painted[ROLE_COUNT];
	size_t n = 0;

	for (size_t i = 0; i < LENGTH(bars); i++)
		painted[n++] = bars[i];
	for (int i = ROLE_FIELD; i <= ROLE_FADE3; i++)
		painted[n++] = (enum role)i;
	for (int i = ROLE_CHUNK0; i <= ROLE_CHUNK7; i++)
		painted[n++] = (enum role)i;
	painted[n++] = ROLE_BEFORE;
	painted[n++] = ROLE_NOW;
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < i; k++) {
			struct cell a = draw_without_pixels(' ', ROLE_TEXT,
							    painted[i]);
			struct cell b = draw_without_pixels(' ', ROLE_TEXT,
							    painted[k]);

			if (a.ch == b.ch)
				tap_ok(false, "'%c' and '%c' have one sign",
				       role_letter(painted[i]),
				       role_letter(painted[k]));
			if (!can_be_seen(t, &a, colours))
				tap_ok(false, "'%c' has no sign",
				       role_letter(painted[i]));
		}
	tap_ok(true, "%s, %d colours: each role has its sign", t->name,
	       colours);
}

/* What is wrong is seen in whichever half of a cell it is. */
static void test_wrong_half(const struct theme *t)
{
	for (int i = ROLE_FIELD; i <= ROLE_CHUNK7; i++)
		for (uint32_t half = 0x2580; half <= 0x2584; half += 4) {
			struct cell cell = draw_without_pixels(half, ROLE_BAD,
							       (enum role)i);
			struct theme_look look = theme_look(t, &cell, 8);

			if (i != ROLE_CURSOR &&
			    !(i >= ROLE_HUE0 && i <= ROLE_HUE3) &&
			    (cell.ch != '#' || look.bg != 1))
				tap_ok(false, "'%c' hides a wrong element",
				       role_letter((enum role)i));
		}
	tap_ok(true, "%s: a wrong element has its sign", t->name);
}

int main(void)
{
	/* Direct colours are those of 256, in red, green and blue. */
	static const int depths[] = { 8, 16, 256, 1 << 24 };
	const char *const *names = theme_names();

	/* Without a locale a canvas takes no character but ASCII. */
	lang_init("en");
	add_frames();
	tap_ok(frames > 100, "%zu golden frames", frames);
	for (; *names; names++) {
		const struct theme *t = theme_find(*names);

		for (size_t i = 0; i < LENGTH(depths); i++)
			tap_is((long)count_unseen(t, depths[i]), 0,
			       "%s, %d colours: all can be seen", *names,
			       depths[i]);
		if (!t->mono)
			test_wrong_half(t);
		test_signs(t, 8);
		test_signs(t, 1);
	}
	return tap_done();
}
