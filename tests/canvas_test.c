/* canvas: clipping, wide characters, cutting, pixels, ASCII and no colour. */
#include "viz/canvas.h"

#include <stdlib.h>
#include <string.h>

#include "base/lang.h"
#include "tap.h"

static const struct ink ink = { .fg = ROLE_TEXT };

/* What canvas_print() gives, rows joined by '/'. */
static const char *shown(const struct canvas *c, bool roles)
{
	static struct str out;

	str_clear(&out);
	canvas_print(c, roles, &out);
	for (size_t i = 0; i < out.len; i++)
		if (out.data[i] == '\n')
			out.data[i] = '/';
	return out.data ? out.data : "";
}

/* No half of a wide character stands anywhere. */
static bool whole(const struct canvas *c)
{
	for (int y = 0; y < c->h; y++) {
		for (int x = 0; x < c->w; x++) {
			uint32_t ch = canvas_at(c, x, y)->ch;
			uint32_t next = x + 1 < c->w
						? canvas_at(c, x + 1, y)->ch
						: 1;
			bool wide = ch == 0x77e9 || ch == 0x9635;

			if (wide != (next == 0) || (ch == 0 && x == 0))
				return false;
		}
	}
	return true;
}

static void test_text(void)
{
	struct canvas c;

	canvas_init(&c, 8, 1);
	tap_is(canvas_text(&c, 0, 0, -1, "abc", ink), 3, "columns used");
	tap_str(shown(&c, false), "abc/", "a text");
	canvas_clear(&c);
	tap_is(canvas_text(&c, 0, 0, -1, "abcdefghij", ink), 8, "cut");
	tap_str(shown(&c, false), "abcdefg…/", "at the edge");
	canvas_clear(&c);
	tap_is(canvas_text(&c, 0, 0, 3, "abcdefghij", ink), 3, "cut to w");
	tap_str(shown(&c, false), "ab…/", "to w");
	canvas_clear(&c);
	tap_is(canvas_text(&c, 0, 0, 3, "abc", ink), 3, "just fits");
	tap_str(shown(&c, false), "abc/", "no sign without need");
	canvas_clear(&c);
	tap_is(canvas_text(&c, 0, 0, 4, "矩阵矩", ink), 3, "cut, wide");
	tap_str(shown(&c, false), "矩…/", "before a character that is split");
	canvas_clear(&c);
	tap_is(canvas_text(&c, 0, 0, 1, "矩", ink), 1, "no room");
	tap_str(shown(&c, false), "…/", "for even one");
	canvas_clear(&c);
	tap_is(canvas_text(&c, 0, 0, 0, "abc", ink), 0, "no column");
	tap_is(canvas_text(&c, 9, 0, -1, "abc", ink), 0, "behind the edge");
	tap_is(canvas_text(&c, 0, 5, -1, "abc", ink), 3, "below the canvas");
	tap_str(shown(&c, false), "/", "nothing drawn");
	canvas_text(&c, -2, 0, -1, "abcdef", ink);
	tap_str(shown(&c, false), "cdef/", "from before the edge");
	canvas_clear(&c);
	canvas_text(&c, -1, 0, -1, "矩阵", ink);
	tap_str(shown(&c, false), " 阵/", "half a character is a space");
	tap_ok(whole(&c), "... whole");
	canvas_clear(&c);
	tap_is(canvas_right(&c, 2, 0, 6, "abc", ink), 5, "right");
	tap_str(shown(&c, false), "     abc/", "ends at the edge");
	canvas_clear(&c);
	tap_is(canvas_right(&c, 2, 0, 3, "矩阵", ink), 2, "right, cut");
	tap_str(shown(&c, false), "  矩…/", "fills its room");
	canvas_clear(&c);
	canvas_textf(&c, 0, 0, -1, ink, "%d %s", 42, "x");
	tap_str(shown(&c, false), "42 x/", "formatted");
	tap_is(canvas_textf(&c, 0, 0, -1, ink, "%0500d", 1), 8,
	       "formatted, long");
	canvas_done(&c);
}

static void test_unclean(void)
{
	struct canvas c;

	canvas_init(&c, 20, 1);
	canvas_text(&c, 0, 0, -1, "a\033[31mb\tc\302\233\377", ink);
	tap_str(shown(&c, false), "a␛[31mb c��/", "controls become signs");
	canvas_clear(&c);
	canvas_put(&c, 0, 0, 0x1b, ink);
	canvas_put(&c, 1, 0, 0x202e, ink);
	canvas_put(&c, 2, 0, 0xd800, ink);
	canvas_put(&c, 3, 0, 0, ink);
	canvas_put(&c, 4, 0, 0x7f, ink);
	canvas_put(&c, 5, 0, 0xffffffff, ink);
	tap_str(shown(&c, false), "␛��␀␡�/", "a character, too");
	canvas_clear(&c);
	c.ascii = true;
	canvas_text(&c, 0, 0, -1, "a\033b\302\233\377矩e\314\201", ink);
	tap_str(shown(&c, false), "a?b????e/", "in ASCII '?'");
	canvas_done(&c);
}

/* Every way to draw over wide characters, in a clip at every place. */
static void test_wide(void)
{
	bool all_whole = true, clipped = true;
	struct canvas c;

	canvas_init(&c, 9, 2);
	for (int left = 0; left <= 9; left++) {
		for (int w = 0; w <= 9 - left; w++) {
			for (int x = -2; x <= 9; x++) {
				canvas_clear(&c);
				canvas_text(&c, x & 1, 0, -1, "矩阵矩阵",
					    ink);
				canvas_clip(&c, (struct rect){ left, 0, w,
							       1 });
				canvas_text(&c, x, 0, -1, "矩阵", ink);
				all_whole &= whole(&c);
				canvas_put(&c, x + 1, 0, 'x', ink);
				all_whole &= whole(&c);
				canvas_pixel(&c, x, 0, ROLE_HUE0);
				all_whole &= whole(&c);
				canvas_erase(&c, (struct rect){ x, 0, 3, 2 });
				all_whole &= whole(&c);
				canvas_fill(&c, (struct rect){ x, 0, 3, 2 },
					    0x77e9, ink);
				all_whole &= whole(&c);
				for (int i = 0; i < 9; i++)
					clipped &= canvas_at(&c, i, 1)->ch ==
						   ' ';
			}
		}
	}
	tap_ok(all_whole, "no half of a wide character, whatever is drawn");
	tap_ok(clipped, "nothing outside the clip");
	canvas_done(&c);
}

static void test_clip(void)
{
	struct rect old, huge = { -5, -5, 2147483647, 2147483647 };
	struct canvas c;

	canvas_init(&c, 6, 3);
	old = canvas_clip(&c, (struct rect){ 1, 1, 3, 1 });
	tap_ok(old.x == 0 && old.y == 0 && old.w == 6 && old.h == 3,
	       "the old clip is the whole");
	canvas_fill(&c, huge, '#', ink);
	tap_str(shown(&c, false), "/ ###//", "a fill is clipped");
	canvas_text(&c, 0, 1, -1, "abcdef", ink);
	tap_str(shown(&c, false), "/ bc…//", "a text is cut at the clip");
	canvas_clip(&c, huge);
	tap_ok(c.clip.x == 0 && c.clip.w == 6 && c.clip.h == 3,
	       "a clip never leaves the canvas");
	canvas_clip(&c, (struct rect){ 4, 0, -3, 2 });
	canvas_fill(&c, huge, '!', ink);
	tap_str(shown(&c, false), "/ bc…//", "a negative clip is empty");
	canvas_put(&c, 2147483647, -2147483647 - 1, 'x', ink);
	canvas_pixel(&c, -1, -1, ROLE_HUE0);
	tap_ok(canvas_at(&c, -1, 0)->ch == ' ' &&
	       canvas_at(&c, 0, 99)->ch == ' ' &&
	       canvas_at(&c, 0, c.h) == canvas_at(&c, 0, -1) &&
	       canvas_at(&c, c.w, 0) == canvas_at(&c, 0, -1),
	       "outside is blank");
	canvas_resize(&c, 2, 1);
	tap_str(shown(&c, false), "/", "a new size is blank");
	canvas_fill(&c, huge, 'x', ink);
	tap_str(shown(&c, false), "xx/", "and all of it is the clip");
	canvas_resize(&c, 0, -4);
	canvas_fill(&c, huge, 'x', ink);
	tap_str(shown(&c, false), "", "no size at all");
	canvas_done(&c);
}

static void test_background(void)
{
	struct canvas c;

	canvas_init(&c, 4, 1);
	canvas_fill(&c, (struct rect){ 0, 0, 3, 1 }, ' ',
		    INK_ON(0, ROLE_BAR));
	canvas_text(&c, 0, 0, -1, "ab", ink);
	tap_str(shown(&c, true), "ab/-- fg/tt/-- bg/BBB/",
		"text keeps the background that is there");
	canvas_erase(&c, (struct rect){ 1, 0, 9, 1 });
	tap_str(shown(&c, true), "a/-- fg/t/-- bg/B/", "until it is erased");
	canvas_done(&c);
}

static void frame(struct canvas *c, int w, int h, const char *title,
		  const char *note, const char *want)
{
	struct rect in;

	canvas_clear(c);
	in = canvas_frame(c, (struct rect){ 1, 0, w, h }, title, note, false);
	tap_str(shown(c, false), want, "frame %dx%d '%s' '%s'", w, h,
		title ? title : "", note ? note : "");
	if (w >= 2 && h >= 2)
		tap_ok(in.x == 2 && in.y == 1 && in.w == w - 2 &&
		       in.h == h - 2, "... inside");
	else
		tap_ok(in.w == 0 && in.h == 0, "... has no inside");
}

static void test_frame(void)
{
	struct canvas c;

	canvas_init(&c, 20, 3);
	frame(&c, 18, 3, "title", "note",
	      " ┌─ title ─ note ─┐/ │                │/"
	      " └────────────────┘/");
	frame(&c, 18, 2, NULL, "note",
	      " ┌───────── note ─┐/ └────────────────┘//");
	frame(&c, 18, 2, "a title that is long", "note",
	      " ┌─ a title tha… ─┐/ └────────────────┘//");
	frame(&c, 18, 2, "title", "a long note",
	      " ┌─ title ────────┐/ └────────────────┘//");
	frame(&c, 18, 2, "矩阵", NULL,
	      " ┌─ 矩阵 ─────────┐/ └────────────────┘//");
	frame(&c, 4, 2, "title", "note", " ┌──┐/ └──┘//");
	frame(&c, 2, 2, "title", NULL, " ┌┐/ └┘//");
	frame(&c, 1, 3, "title", NULL, "///");
	canvas_clear(&c);
	canvas_frame(&c, (struct rect){ 0, 0, 4, 2 }, NULL, NULL, true);
	tap_str(shown(&c, true), "┌──┐/└──┘//-- fg/aaaa/aaaa//-- bg////",
		"the focus has the accent");
	c.ascii = true;
	frame(&c, 12, 2, "t", "n", " +- t -- n -+/ +----------+//");
	canvas_done(&c);
}

static void test_pixels(void)
{
	struct canvas c;

	canvas_init(&c, 6, 1);
	canvas_pixel(&c, 0, 0, ROLE_HUE0);
	canvas_pixel(&c, 1, 1, ROLE_HUE1);
	canvas_pixel(&c, 2, 0, ROLE_TILE);
	canvas_pixel(&c, 2, 1, ROLE_TILE);
	canvas_pixel(&c, 3, 0, ROLE_HUE0);
	canvas_pixel(&c, 3, 1, ROLE_HUE2);
	tap_str(shown(&c, true), "▀▄ ▀/-- fg/01.0/-- bg/..=2/", "pixels");
	canvas_pixel(&c, 3, 0, ROLE_HUE2);
	canvas_pixel(&c, 1, 0, ROLE_FIELD);
	tap_str(shown(&c, true), "▀▀/-- fg/0-/-- bg/.1=2/",
		"each half is set by itself");
	canvas_clear(&c);
	c.ascii = true;
	canvas_pixel(&c, 0, 0, ROLE_HUE0);
	canvas_pixel(&c, 0, 1, ROLE_HUE1);
	canvas_pixel(&c, 1, 1, ROLE_HUE1);
	canvas_pixel(&c, 1, 0, ROLE_HUE0);
	canvas_pixel(&c, 2, 1, ROLE_HUE3);
	tap_str(shown(&c, true), "/-- fg//-- bg/003/",
		"in ASCII a cell is as the half that counts");
	canvas_pixel(&c, 0, 1, ROLE_FIELD);
	canvas_pixel(&c, 2, 0, ROLE_CURSOR);
	tap_str(shown(&c, true), "/-- fg//-- bg/00@/",
		"... and knows the other one");
	canvas_pixel(&c, 0, 0, ROLE_NONE);
	tap_str(shown(&c, true), "/-- fg//-- bg/-0@/", "... when it changes");
	canvas_done(&c);
}

/* Every pair of halves, set in both orders, is a cell of its own. */
static void test_mono(void)
{
	static const enum role roles[] = {
		ROLE_NONE, ROLE_FIELD, ROLE_TILE, ROLE_SEEN, ROLE_OWN,
		ROLE_CURSOR, ROLE_HUE0, ROLE_HUE1, ROLE_HUE2, ROLE_HUE3,
		ROLE_TRAIL0, ROLE_TRAIL1, ROLE_TRAIL2, ROLE_TRAIL3,
		ROLE_FADE0, ROLE_FADE1, ROLE_FADE2, ROLE_FADE3,
	};
	bool order = true, unlike = true, kept = true;
	struct canvas c;

	canvas_init(&c, 4, 1);
	c.mono = true;
	for (size_t i = 0; i < LENGTH(roles); i++) {
		for (size_t j = 0; j < LENGTH(roles); j++) {
			const struct cell *a = canvas_at(&c, 0, 0), *b = a + 1;

			canvas_clear(&c);
			canvas_pixel(&c, 0, 0, roles[i]);
			canvas_pixel(&c, 0, 1, roles[j]);
			canvas_pixel(&c, 1, 1, roles[j]);
			canvas_pixel(&c, 1, 0, roles[i]);
			order &= a->ch == b->ch && a->attr == b->attr;
			kept &= a->fg == roles[i] && a->bg == roles[j];
			canvas_pixel(&c, 2, 0, roles[i]);
			canvas_pixel(&c, 2, 1, roles[i]);
			canvas_pixel(&c, 3, 0, roles[j]);
			canvas_pixel(&c, 3, 1, roles[j]);
			unlike &= (i == j) == (b[1].ch == b[2].ch);
		}
	}
	tap_ok(order, "the order of drawing is no matter");
	tap_ok(kept, "a cell knows its two roles");
	tap_ok(unlike, "every role has a character of its own");
	canvas_clear(&c);
	canvas_pixel(&c, 0, 0, ROLE_HUE0);
	canvas_pixel(&c, 0, 1, ROLE_HUE2);
	canvas_pixel(&c, 1, 0, ROLE_FIELD);
	canvas_pixel(&c, 1, 1, ROLE_HUE3);
	canvas_pixel(&c, 2, 0, ROLE_TRAIL1);
	canvas_pixel(&c, 2, 1, ROLE_TILE);
	canvas_put(&c, 3, 0, ' ', INK_ON(ROLE_TEXT, ROLE_TILE));
	tap_str(shown(&c, false), "F3B:/", "hues are digits, pairs letters");
	tap_ok(!(canvas_at(&c, 2, 0)->attr & ATTR_SHOWN) &&
	       (canvas_at(&c, 1, 0)->attr & ATTR_SHOWN) == ATTR_UNDERLINE,
	       "the lower half is underlined");
	canvas_text(&c, 0, 0, -1, "a b", ink);
	tap_str(shown(&c, false), "a b/", "text keeps its spaces");
	canvas_clear(&c);
	canvas_fill(&c, (struct rect){ 0, 0, 4, 1 }, ' ',
		    INK_ON(ROLE_TEXT, ROLE_HUE1));
	canvas_text(&c, 3, 0, 1, "5", INK_ON(ROLE_TEXT, ROLE_HUE1));
	tap_str(shown(&c, false), "   5/", "a hue's signs are no digits of "
		"a number on it");
	canvas_clear(&c);
	canvas_fill(&c, (struct rect){ 0, 0, 4, 1 }, ' ',
		    INK_ON(ROLE_TEXT, ROLE_TILE));
	canvas_text(&c, 3, 0, 1, "5", INK_ON(ROLE_TEXT, ROLE_TILE));
	tap_str(shown(&c, false), ":: 5/", "others keep a column away");
	canvas_clear(&c);
	for (int y2 = 0; y2 < 2; y2++)
		for (int x = 0; x < 4; x++)
			canvas_pixel(&c, x, y2, ROLE_HUE1);
	canvas_text(&c, 2, 0, 1, "5", INK(ROLE_TEXT));
	tap_str(shown(&c, false), "  5/", "... nor are pixels");
	canvas_done(&c);
}

/* Numbers in neighbouring cells, each painted and then written. */
static void test_parted(void)
{
	struct canvas c;

	canvas_init(&c, 8, 2);
	c.mono = true;
	for (int x = 0; x < 8; x += 4) {
		canvas_fill(&c, (struct rect){ x, 0, 4, 2 }, ' ',
			    INK_ON(ROLE_TEXT, x ? ROLE_FADE1 : ROLE_HUE1));
		canvas_text(&c, x + 2, 0, 1, "5", INK(ROLE_TEXT));
	}
	canvas_part_signs(&c);
	tap_str(shown(&c, false), "  5   5/1111bbbb/",
		"no signs between numbers on hues");
	canvas_fill(&c, (struct rect){ 0, 1, 8, 1 }, ' ',
		    INK_ON(ROLE_TEXT, ROLE_TILE));
	canvas_fill(&c, (struct rect){ 0, 0, 8, 1 }, ' ',
		    INK_ON(ROLE_TEXT, ROLE_FADE1));
	canvas_text(&c, 6, 0, 1, "5", INK(ROLE_TEXT));
	canvas_part_signs(&c);
	tap_str(shown(&c, false), "bbbbb 5/::::::::/",
		"a trail that no other row shows keeps them");
	canvas_clear(&c);
	for (int x = 0; x < 8; x++)
		for (int y = 0; y < 4; y++)
			canvas_pixel(&c, x, y, x || y ? ROLE_HUE0 :
							ROLE_CURSOR);
	canvas_part_signs(&c);
	tap_str(shown(&c, false), "@0000000/00000000/",
		"halves that differ are no text among signs");
	canvas_clear(&c);
	canvas_text(&c, 2, 0, 1, "5", INK_ON(ROLE_TEXT, ROLE_FIELD));
	canvas_fill(&c, (struct rect){ 0, 0, 2, 1 }, ' ',
		    INK_ON(ROLE_TEXT, ROLE_FIELD));
	canvas_fill(&c, (struct rect){ 3, 0, 5, 1 }, ' ',
		    INK_ON(ROLE_TEXT, ROLE_FIELD));
	canvas_part_signs(&c);
	tap_str(shown(&c, false), ". 5 ....//",
		"what is drawn after a number keeps away as well");
	canvas_done(&c);
}

/* Every glyph that a view may use has an ASCII one of the same width. */
static void test_ascii(void)
{
	static const char glyphs[] =
		"─│┌┐└┘├┤┬┴┼━┃═║╭╮╯╰▀▄█▌▐░▒▓▁▂▃▅▆▇●○◆•·×→←↑↓▶◀▲▼…–—’“”≤≥−÷µ"
		"²³¹⁰⁴₀₉≈✓✗■□";
	static const char plain[] =
		"-|++++++++" "+" "-|=|++++\"_#[].:%___###*o**.x><^v><^v~--'\"\"<>"
		"-/u" "23104" "09~+x#o";
	struct canvas c;

	canvas_init(&c, 90, 1);
	c.ascii = true;
	canvas_text(&c, 0, 0, -1, glyphs, ink);
	shown(&c, false);
	tap_ok(!strchr(shown(&c, false), '?'), "no glyph is lost");
	tap_ok(!strncmp(shown(&c, false), plain, strlen(plain)),
	       "each has its like");
	canvas_clear(&c);
	canvas_put(&c, 0, 0, 0x2800, ink);
	canvas_put(&c, 1, 0, 0x28ff, ink);
	canvas_put(&c, 2, 0, 0x2192, ink);
	canvas_text(&c, 3, 0, 4, "abcdef", ink);
	tap_str(shown(&c, false), " #>abc~/", "braille, arrows, a cut");
	canvas_clear(&c);
	canvas_text(&c, 0, 0, -1, "4096³, m²", ink);
	tap_str(shown(&c, false), "4096^3, m2/", "a power of a number");
	canvas_clear(&c);
	canvas_text(&c, 0, 0, -1, "← → ↑ ↓ ⋮", ink);
	tap_str(shown(&c, false), "<-> ^ v :/", "arrow keys are no < and >");
	canvas_done(&c);
}

int main(void)
{
	lang_init(NULL);
	test_text();
	test_unclean();
	test_wide();
	test_clip();
	test_background();
	test_frame();
	test_pixels();
	test_mono();
	test_parted();
	test_ascii();
	return tap_done();
}
