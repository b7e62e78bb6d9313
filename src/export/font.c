#include "export/font.h"

#include <ft2build.h>
#include FT_FREETYPE_H
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BASELINE 12		/* rows from a cell's top to it, usually */
#define FONTS 8

struct font {
	FT_Library library;
	FT_Face faces[FONTS];
	int count;
	FT_Face bold;		/* NULL: there is none */
};

/* The paths of Debian, Fedora and Arch. */
static const char *const usual[] = {
	"/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf",
	"/usr/share/fonts/dejavu-sans-mono-fonts/DejaVuSansMono.ttf",
	"/usr/share/fonts/TTF/DejaVuSansMono.ttf",
	"/usr/share/fonts/opentype/unifont/unifont.otf",
	"/usr/share/fonts/unifont/unifont.otf",
	"/usr/share/fonts/Unifont/Unifont.otf",
};

/* Sets the largest size at which a character is no wider than a cell. Returns
 * false if none is. */
static bool set_face_size(FT_Face face)
{
	for (unsigned size = GLYPH_H; size >= GLYPH_H / 2; size--)
		if (!FT_Set_Pixel_Sizes(face, 0, size) &&
		    !FT_Load_Char(face, 'M', FT_LOAD_TARGET_MONO) &&
		    face->glyph->advance.x <= GLYPH_W * 64)
			return true;
	return false;
}

static FT_Face open_face(struct font *f, const char *path)
{
	struct stat st;
	FT_Face face;

	/* FreeType would wait for somebody to write to a FIFO. */
	if (stat(path, &st) < 0 || !S_ISREG(st.st_mode) ||
	    FT_New_Face(f->library, path, 0, &face))
		return NULL;
	if (set_face_size(face))
		return face;
	FT_Done_Face(face);
	return NULL;
}

/* Opens the bold font of "NAME.ttf", which is "NAME-Bold.ttf" in the same
 * folder; NULL if there is none. */
static FT_Face open_bold(struct font *f, const char *path)
{
	const char *dot = strrchr(path, '.');
	char *bold = dot ? xasprintf("%.*s-Bold%s", (int)(dot - path), path,
				     dot) : xstrdup("");
	FT_Face face = open_face(f, bold);

	free(bold);
	return face;
}

static void add_font(struct font *f, const char *path)
{
	FT_Face face = f->count < FONTS ? open_face(f, path) : NULL;

	if (!face)
		return;
	if (!f->count)
		f->bold = open_bold(f, path);
	f->faces[f->count++] = face;
}

static void add_named(struct font *f, const char *names)
{
	char *copy = xstrdup(names), *save = NULL;

	for (char *path = strtok_r(copy, ":", &save); path;
	     path = strtok_r(NULL, ":", &save))
		add_font(f, path);
	free(copy);
}

struct font *font_open(struct error *e)
{
	const char *names = getenv("GEMMVIZ_FONT");
	struct font *f = xcalloc(1, sizeof(*f));

	if (FT_Init_FreeType(&f->library))
		fatal("FreeType does not start");
	if (names && *names)
		add_named(f, names);
	else
		for (size_t i = 0; i < LENGTH(usual); i++)
			add_font(f, usual[i]);
	if (f->count)
		return f;
	font_close(f);
	error_set(e, EXIT_INPUT, "no font to draw with: install DejaVu Sans "
		  "Mono (Debian: fonts-dejavu-core), or name a monospaced "
		  "font's file in GEMMVIZ_FONT");
	return NULL;
}

void font_close(struct font *f)
{
	for (int i = 0; i < f->count; i++)
		FT_Done_Face(f->faces[i]);
	if (f->bold)
		FT_Done_Face(f->bold);
	FT_Done_FreeType(f->library);
	free(f);
}

/* Finds and loads the character in the first font that has it; NULL: none
 * has. */
static FT_GlyphSlot find_glyph(struct font *f, uint32_t ch, bool bold)
{
	for (int i = 0; i < f->count; i++) {
		FT_Face face = !i && bold && f->bold ? f->bold : f->faces[i];
		FT_UInt index = FT_Get_Char_Index(face, ch);

		if (index && !FT_Load_Glyph(face, index, FT_LOAD_RENDER |
					    FT_LOAD_TARGET_MONO))
			return face->glyph;
	}
	return NULL;
}

static void draw_missing(int width, uint8_t *pixels)
{
	for (int y = 3; y < BASELINE; y++)
		for (int x = 1; x < width - 1; x++)
			pixels[y * width + x] = y == 3 || y == BASELINE - 1 ||
						x == 1 || x == width - 2;
}

/* Returns the row of the baseline, from the cell's top. A font that is no
 * higher than a cell begins at its top. */
static int face_baseline(FT_Face face)
{
	const FT_Size_Metrics *m = &face->size->metrics;

	return m->ascender - m->descender <= GLYPH_H * 64 ?
	       (int)(m->ascender / 64) : BASELINE;
}

void font_draw(struct font *f, uint32_t ch, bool bold, int columns,
	       uint8_t *pixels)
{
	int width = GLYPH_W * columns;
	FT_GlyphSlot glyph = find_glyph(f, ch, bold);
	const FT_Bitmap *b;
	int baseline;

	memset(pixels, 0, (size_t)width * GLYPH_H);
	if (!glyph) {
		draw_missing(width, pixels);
		return;
	}
	b = &glyph->bitmap;
	baseline = face_baseline(glyph->face);
	for (int row = 0; row < (int)b->rows; row++)
		for (int col = 0; col < (int)b->width; col++) {
			int x = glyph->bitmap_left + col;
			int y = baseline - glyph->bitmap_top + row;
			int bit = b->buffer[row * b->pitch + col / 8] >>
				  (7 - col % 8) & 1;

			if (x >= 0 && x < width && y >= 0 && y < GLYPH_H)
				pixels[y * width + x] |= bit;
		}
}
