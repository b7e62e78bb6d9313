/*
 * GIF, through giflib: in the colours of the theme alone, without
 * anti-aliasing, so that it stays small. A frame is the rectangle around the
 * cells that have changed; the unchanged cells in it are transparent.
 */
#include <config.h>

#include "base/lang.h"
#include "export/export.h"

#ifdef HAVE_GIF
#include <gif_lib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "export/font.h"
#include "export/glyph.h"
#include "export/paint.h"

struct gif_film {
	GifFileType *gif;
	struct font *font;
	struct canvas next;	/* a frame that is to be written, ... */
	struct canvas shown;	/* ... on this one */
	bool any;		/* there is a next one */
	double at;		/* when it comes */
	uint8_t *pixels;	/* of the whole picture */
	uint8_t index[256];	/* of a colour in the file's palette */
	int kept;		/* index of what is left out */
};

/* ---- the file ---- */

static int write_bytes(GifFileType *gif, const GifByteType *data, int n)
{
	struct export *x = gif->UserData;

	str_addn(&x->out, (const char *)data, (size_t)n);
	return n;
}

static void check_gif(int status)
{
	if (status == GIF_ERROR)
		fatal("giflib cannot write");
}

/* Makes a palette of the theme's colours, at most 63, and sets k->kept to the
 * index that is transparent. */
static ColorMapObject *make_palette(struct gif_film *k, const struct theme *t)
{
	GifColorType colours[64] = { { 0, 0, 0 } };
	bool used[256] = { false };
	int n = 0;

	paint_colours(t, used);
	for (int i = 0; i < 256; i++) {
		uint32_t rgb = theme_rgb(i);

		if (!used[i])
			continue;
		if (n == LENGTH(colours) - 1)
			fatal("too many colours in a theme");
		k->index[i] = (uint8_t)n;
		colours[n++] = (GifColorType){ rgb >> 16, rgb >> 8, rgb };
	}
	k->kept = n;
	return GifMakeMapObject(LENGTH(colours), colours);
}

/* Adds the extension that makes viewers repeat the film. */
static void put_loop(GifFileType *gif)
{
	static const unsigned char loop[3] = { 1, 0, 0 };

	check_gif(EGifPutExtensionLeader(gif, APPLICATION_EXT_FUNC_CODE));
	check_gif(EGifPutExtensionBlock(gif, 11, "NETSCAPE2.0"));
	check_gif(EGifPutExtensionBlock(gif, 3, loop));
	check_gif(EGifPutExtensionTrailer(gif));
}

static int begin(struct export *x, struct error *e)
{
	struct gif_film *k = xcalloc(1, sizeof(*k));
	ColorMapObject *map;
	int wrong;

	k->font = font_open(e);
	if (!k->font) {
		free(k);
		return -1;
	}
	x->own = k;
	canvas_init(&k->next, x->w, x->h);
	canvas_init(&k->shown, x->w, x->h);
	k->pixels = xcalloc((size_t)x->w * GLYPH_W, (size_t)x->h * GLYPH_H);
	map = make_palette(k, x->theme);
	k->gif = EGifOpen(x, write_bytes, &wrong);
	if (!map || !k->gif)
		fatal("giflib does not start");
	EGifSetGifVersion(k->gif, true);
	check_gif(EGifPutScreenDesc(k->gif, x->w * GLYPH_W, x->h * GLYPH_H, 8,
				    k->index[paint_ground(x->theme)], map));
	GifFreeMapObject(map);
	put_loop(k->gif);
	return 0;
}

/* ---- pixels ---- */

/* Tells whether a pixel of a shade is ink: `quarters` of each 2 x 2 pixels
 * are. */
static bool is_shade_ink(int quarters, int x, int y)
{
	static const uint8_t order[2][2] = { { 0, 2 }, { 3, 1 } };

	return order[y % 2][x % 2] < quarters;
}

/* Draws a box, block or braille character, whose shape glyph.h defines, into
 * the pixels of one cell. */
static void draw_glyph_parts(uint32_t ch, uint8_t *ink)
{
	struct glyph_part part[GLYPH_PARTS];
	int quarters;
	size_t n = glyph_parts(ch, part, &quarters);

	memset(ink, 0, GLYPH_W * GLYPH_H);
	for (size_t i = 0; i < n; i++)
		for (int y = part[i].y; y < part[i].y + part[i].h; y++)
			for (int x = part[i].x; x < part[i].x + part[i].w; x++)
				ink[y * GLYPH_W + x] =
					quarters == GLYPH_LINES ||
					is_shade_ink(quarters, x, y);
}

/* Draws a cell's pixels; with a wide character also those of the next cell. */
static void draw_cell_pixels(struct export *x, int col, int row)
{
	struct gif_film *k = x->own;
	const struct cell *cell = canvas_at(&k->next, col, row);
	struct paint p = paint_cell(x->theme, cell);
	int columns = text_char_width(cell->ch) == 2 ? 2 : 1;
	int width = columns * GLYPH_W, stride = x->w * GLYPH_W;
	uint8_t ink[2 * GLYPH_W * GLYPH_H];

	if (glyph_drawn(cell->ch))
		draw_glyph_parts(cell->ch, ink);
	else if (cell->ch == ' ')
		memset(ink, 0, sizeof(ink));
	else
		font_draw(k->font, cell->ch, p.attr & ATTR_BOLD, columns, ink);
	if (p.attr & ATTR_UNDERLINE)
		memset(ink + 14 * width, 1, (size_t)width);
	for (int y = 0; y < GLYPH_H; y++)
		for (int i = 0; i < width; i++)
			k->pixels[(row * GLYPH_H + y) * stride +
				  col * GLYPH_W + i] =
				k->index[ink[y * width + i] ? p.fg : p.bg];
}

static void leave_cell(struct export *x, int col, int row)
{
	struct gif_film *k = x->own;

	for (int y = 0; y < GLYPH_H; y++)
		memset(k->pixels + (row * GLYPH_H + y) * x->w * GLYPH_W +
		       col * GLYPH_W, k->kept, GLYPH_W);
}

/* ---- frames ---- */

/* Tells whether a cell must be drawn; a wide character is drawn as a whole. */
static bool must_draw_cell(const struct gif_film *k, int x, int y, bool first)
{
	const struct canvas *a = &k->next, *b = &k->shown;

	return first || !paint_same(canvas_at(a, x, y), canvas_at(b, x, y)) ||
	       (x + 1 < a->w && !canvas_at(a, x + 1, y)->ch &&
		!paint_same(canvas_at(a, x + 1, y), canvas_at(b, x + 1, y)));
}

/* Draws the cells that have changed. Returns the rectangle around them, in
 * cells; it is at least one cell. */
static struct rect draw_changes(struct export *x, bool first)
{
	struct gif_film *k = x->own;
	int x0 = x->w, y0 = x->h, x1 = 0, y1 = 0;

	for (int y = 0; y < x->h; y++)
		for (int col = 0; col < x->w; col++) {
			bool wide = canvas_at(&k->next, col + 1, y)->ch == 0 &&
				    col + 1 < x->w;

			if (!must_draw_cell(k, col, y, first)) {
				leave_cell(x, col, y);
				continue;
			}
			draw_cell_pixels(x, col, y);
			x0 = MIN(x0, col);
			y0 = MIN(y0, y);
			col += wide;
			x1 = MAX(x1, col + 1);
			y1 = y + 1;
		}
	return x1 > x0 ? (struct rect){ x0, y0, x1 - x0, y1 - y0 } :
			 (struct rect){ 0, 0, 1, 1 };
}

static long to_hundredths(double seconds)
{
	return lround(seconds * 100);
}

static void put_control(struct gif_film *k, long delay)
{
	GraphicsControlBlock control = {
		.DisposalMode = DISPOSE_DO_NOT,
		.DelayTime = (int)MIN(delay, 65535),
		.TransparentColor = k->kept,
	};
	GifByteType bytes[4];

	EGifGCBToExtension(&control, bytes);
	check_gif(EGifPutExtension(k->gif, GRAPHICS_EXT_FUNC_CODE,
				   sizeof(bytes), bytes));
}

/* Writes the waiting frame, which is shown until the time `to`. */
static void put_frame(struct export *x, double to)
{
	struct gif_film *k = x->own;
	bool first = k->at <= 0;
	struct rect r = draw_changes(x, first);
	int stride = x->w * GLYPH_W;

	put_control(k, to_hundredths(to) - to_hundredths(k->at));
	check_gif(EGifPutImageDesc(k->gif, r.x * GLYPH_W, r.y * GLYPH_H,
				   r.w * GLYPH_W, r.h * GLYPH_H, false, NULL));
	for (int y = r.y * GLYPH_H; y < (r.y + r.h) * GLYPH_H; y++)
		check_gif(EGifPutLine(k->gif,
				      k->pixels + y * stride + r.x * GLYPH_W,
				      r.w * GLYPH_W));
	memcpy(k->shown.cells, k->next.cells,
	       (size_t)x->w * x->h * sizeof(*k->next.cells));
}

static bool looks_same(const struct canvas *a, const struct canvas *b)
{
	for (int i = 0; i < a->w * a->h; i++)
		if (!paint_same(&a->cells[i], &b->cells[i]))
			return false;
	return true;
}

/* Keeps the frame until the next one comes. A frame that looks like the one
 * before prolongs it. A frame of 1/100 s, which browsers show for 1/10 s, is
 * replaced by the next. */
static void frame(struct export *x, const struct export_frame *f)
{
	struct gif_film *k = x->own;
	bool brief = k->any && to_hundredths(f->at) - to_hundredths(k->at) < 2;

	if (k->any && looks_same(f->canvas, &k->next))
		return;
	if (k->any && !brief)
		put_frame(x, f->at);
	memcpy(k->next.cells, f->canvas->cells,
	       (size_t)x->w * x->h * sizeof(*k->next.cells));
	if (!brief)
		k->at = f->at;
	k->any = true;
}

static void end(struct export *x)
{
	struct gif_film *k = x->own;
	int wrong;

	if (k->any)
		put_frame(x, x->seconds);
	check_gif(EGifCloseFile(k->gif, &wrong));
	font_close(k->font);
	canvas_done(&k->next);
	canvas_done(&k->shown);
	free(k->pixels);
	free(k);
}
#endif

const struct exporter exporter_gif = {
	.name = "gif", .suffix = ".gif",
	.help = N_("an animation, for programs that do not show SVG"),
	.moves = true, .still = true,
#ifdef HAVE_GIF
	.begin = begin, .frame = frame, .end = end,
#else
	.missing = N_("this gemmviz was built without GIF: it needs giflib and "
		      "FreeType (Debian: libgif-dev libfreetype-dev)"),
#endif
};
