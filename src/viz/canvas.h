/*
 * canvas: a picture in character cells, drawn without a terminal.
 *
 * A cell has one character (of width 1, or of width 2 with a continuation cell
 * after it), a foreground role, a background role, and attributes. Cells have
 * roles, not colours: the theme gives each role its look. All drawing is
 * clipped to the canvas and to the current clip rectangle, and never leaves
 * half of a wide character. Text that does not fit ends in an ellipsis.
 */
#ifndef VIZ_CANVAS_H
#define VIZ_CANVAS_H

#include <stdint.h>

#include "base/base.h"

enum role {
	ROLE_NONE,		/* background: the screen's own */
	ROLE_TEXT, ROLE_DIM, ROLE_FAINT, ROLE_STRONG, ROLE_ACCENT,
	ROLE_BORDER, ROLE_TITLE,
	ROLE_BAR,		/* background of header and footer */
	ROLE_KEY,		/* background of a key in the footer */
	ROLE_LINE,		/* background of the current source line */
	ROLE_SELECT,		/* background of a chosen list entry */
	ROLE_GOOD, ROLE_BAD, ROLE_WARN,
	ROLE_CODE_WORD, ROLE_CODE_COMMENT, ROLE_CODE_NUMBER,
	ROLE_FIELD,		/* background of an element not accessed */
	ROLE_TILE,	/* background of an element in the block's tile */
	ROLE_OWN,		/* background of one in the thread's own tile */
	ROLE_SEEN,		/* background of one seen before: trail's end */
	ROLE_CURSOR,		/* the focused lane's element */
	/* Hue of lanes by lane / 8: now, and the trail behind it, fading. */
	ROLE_HUE0, ROLE_HUE1, ROLE_HUE2, ROLE_HUE3,
	ROLE_TRAIL0, ROLE_TRAIL1, ROLE_TRAIL2, ROLE_TRAIL3,
	ROLE_FADE0, ROLE_FADE1, ROLE_FADE2, ROLE_FADE3,
	ROLE_ON_HUE,		/* text on a fill */
	ROLE_WASTE,		/* moved or waited for, and not used */
	ROLE_CHUNK0,		/* the eight 16-byte chunks of a row, */
	ROLE_CHUNK7 = ROLE_CHUNK0 + 7,	/* each with its digit */
	/* What connects things, under them: in the hue of a lane, in none, and
	 * that of the focus. See raster.h. */
	ROLE_RIBBON0, ROLE_RIBBON1, ROLE_RIBBON2, ROLE_RIBBON3,
	ROLE_RIBBON, ROLE_RIBBON_FOCUS,
	ROLE_BEFORE,		/* a bar: as it was, or has been used */
	ROLE_NOW,		/* a bar: as it is, or was measured */
	ROLE_COUNT
};
#define ROLE_HUE(lane) ((enum role)(ROLE_HUE0 + (lane) / 8 % 4))

/* sign: the character stands for the background. upper, lower: the background
 * is the role of that half, the foreground that of the other. See
 * canvas_pixel(). */
enum attr { ATTR_BOLD = 1, ATTR_UNDERLINE = 2, ATTR_REVERSE = 4,
	    ATTR_SIGN = 8, ATTR_UPPER = 16, ATTR_LOWER = 32,
	    ATTR_SHOWN = ATTR_BOLD | ATTR_UNDERLINE | ATTR_REVERSE };

struct cell {
	uint32_t ch;		/* code point; 0: after a wide character */
	uint8_t fg, bg, attr;
};

struct rect { int x, y, w, h; };

bool rect_has(struct rect r, int x, int y);

struct canvas {
	int w, h;
	struct rect clip;
	bool ascii;		/* ASCII only: others are replaced when drawn */
	bool mono;		/* no colours: roles become glyphs, see below */
	uint64_t named;		/* a bit for each role that a legend names */
	struct cell *cells;	/* row-major */
};

void canvas_init(struct canvas *c, int w, int h);
void canvas_done(struct canvas *c);
void canvas_resize(struct canvas *c, int w, int h);
/* Clears the whole canvas and resets the clip to all of it. */
void canvas_clear(struct canvas *c);
/* Clears the part of r inside the clip, with its backgrounds, for something to
 * be drawn on top. */
void canvas_erase(struct canvas *c, struct rect r);
/* Sets the clip to the part of r inside the canvas; returns the old one. */
struct rect canvas_clip(struct canvas *c, struct rect r);
const struct cell *canvas_at(const struct canvas *c, int x, int y);

/* How text is drawn: roles and attributes packed for short calls. */
struct ink { uint8_t fg, bg, attr; };
#define INK(f) ((struct ink){ .fg = (f) })
#define INK_BOLD(f) ((struct ink){ .fg = (f), .attr = ATTR_BOLD })
#define INK_ON(f, b) ((struct ink){ .fg = (f), .bg = (b) })

/*
 * Writes one character. ink.bg ROLE_NONE keeps the background, of a block
 * character the colour that fills more than half of the cell. A wide character
 * that does not fit in the clip becomes a space; so does the rest of one that
 * is partly overwritten. Characters of width 0 are not drawn: a cell holds one
 * character. With ascii, others are replaced by the ASCII character that looks
 * most like them, or by '?'.
 */
void canvas_put(struct canvas *c, int x, int y, uint32_t ch, struct ink ink);
/* Sets a cell, its background included, to characters of width 1. */
void canvas_set(struct canvas *c, int x, int y, struct cell cell);
/* Draws text in at most w columns (w < 0: up to the clip's edge), with an
 * ellipsis if cut. Unclean text is cleaned. Returns the columns used. */
int canvas_text(struct canvas *c, int x, int y, int w, const char *s,
		struct ink ink);
int canvas_textf(struct canvas *c, int x, int y, int w, struct ink ink,
		 const char *fmt, ...) PRINTF(6, 7);
/* Writes text like canvas_text(), but right-aligned in the w columns from x on.
 * Returns the column at which it starts. */
int canvas_right(struct canvas *c, int x, int y, int w, const char *s,
		 struct ink ink);
void canvas_fill(struct canvas *c, struct rect r, uint32_t ch,
		 struct ink ink);
/* Draws a thin frame with title at the left and note at the right of its top
 * edge (either may be NULL); a note that has no room is left out. Returns the
 * inside. */
struct rect canvas_frame(struct canvas *c, struct rect r, const char *title,
			 const char *note, bool focus);
/*
 * Sets one half of a cell (y2 counts half rows) to a colour role. In colour
 * the cell is a half block, upper half in fg and lower half in bg (an upper half
 * of ROLE_NONE under a lower half is drawn the other way round). With ascii,
 * which has none, all of it has the colour of the half that counts, see below.
 *
 * Without colour (mono) the cell's fg and bg are the halves' roles all the
 * same, and its character says what they are:
 *
 *	@	the cursor		,	seen before
 *	0 1 2 3	lanes of a hue, now	:	the block's tile
 *	A B C D	their trail		.	field
 *	a b c d	their trail, fading	(blank)	nothing
 *	+	the thread's own tile	x	waste
 *	-	a bar: before		/	a bar: now
 *
 * If the halves differ, the one that stands first in this order counts:
 * cursor, now, trail, fading, own, waste, seen, tile, field; underlined when it is
 * the lower one. Two different hues, both now, upper one over lower one:
 *
 *	E 0/1	F 0/2	G 0/3		H 1/0	I 1/2	J 1/3
 *	K 2/0	L 2/1	M 2/3		N 3/0	O 3/1	P 3/2
 *
 * A space that canvas_put() or canvas_fill() draws on such a background becomes
 * its character, too; on ROLE_GOOD '=', ROLE_BAD '#', ROLE_WARN '%' and
 * ROLE_ACCENT '*', so that bars can be told apart. Text keeps such characters at
 * a distance, so that none is read as part of a number: a column, and of hues
 * and the cursor, which are reversed as well, all of them.
 */
void canvas_pixel(struct canvas *c, int x, int y2, enum role role);
/* Tells whether a cell shows a sign, as canvas_put() draws it, or two halves of
 * one role. */
bool canvas_is_sign(const struct cell *cell);
/* Returns a bit for each role that is the colour of a cell in r, or of a part
 * of one; text does not count. */
uint64_t canvas_roles(const struct canvas *c, struct rect r);
/* Removes, without colour, the signs of hues and trails that adjoin text in
 * their row. Call when all is drawn. */
void canvas_part_signs(struct canvas *c);

/* Prints the picture as text, without trailing spaces; each line ends in a
 * newline. With roles, two more pictures follow, "-- fg" and "-- bg", with one
 * letter per cell, so that tests can check colours; role_letter() returns each
 * role's letter. */
char role_letter(enum role role);
void canvas_print(const struct canvas *c, bool roles, struct str *out);

#endif
