/* The help: what keys do, and what the signs on the screen mean. */
#include "viz/frame_model.h"
#include "base/text.h"

#define NAMES 15	/* columns of keys, views and samples */

#define ON(role) { "   ", INK_ON(ROLE_ON_HUE, role) }

/* A sample as drawn elsewhere, in pieces, and its meaning. */
static const struct help_sign {
	struct { const char *text; struct ink ink; } sample[4];
	const char *words;
} signs[] = {
	{ { ON(ROLE_HUE0), ON(ROLE_HUE1), ON(ROLE_HUE2), ON(ROLE_HUE3) },
	  N_("which eight of a warp's lanes: 0-7, 8-15, 16-23, 24-31") },
	{ { { "01234567", INK_ON(ROLE_ON_HUE, ROLE_HUE1) } },
	  N_("which lane of its eight: lane % 8") },
	{ { { "7", { ROLE_ON_HUE, ROLE_HUE0, ATTR_BOLD | ATTR_UNDERLINE } },
	    { "  ", INK(ROLE_TEXT) },
	    ON(ROLE_CURSOR) },
	  N_("the lane in focus (l L), and what it accesses now") },
	{ { { "*", INK_ON(ROLE_ON_HUE, ROLE_HUE2) },
	    { "  ", INK(ROLE_TEXT) },
	    { "-", INK_ON(ROLE_FAINT, ROLE_FIELD) } },
	  N_("several lanes access it; an inactive lane") },
	{ { ON(ROLE_TRAIL0), ON(ROLE_FADE0), ON(ROLE_SEEN) },
	  N_("accessed by earlier requests, fading") },
	{ { ON(ROLE_TILE), ON(ROLE_OWN) },
	  N_("the block's part in this phase, and the thread's part of it") },
	{ { { "\xc2\xb7", INK(ROLE_FAINT) } },
	  N_("nothing: an idle bank, a register without a value yet") },
	{ { { "\xe2\x96\x92", INK_ON(ROLE_HUE0, ROLE_TILE) } },
	  N_("a mark of several elements, of which some are lit") },
	{ { ON(ROLE_WASTE) }, N_("moved, and paid for, but not asked for") },
	{ { { "[0-7][8-15]", INK(ROLE_FAINT) } },
	  N_("the rows and columns in view, if not all of them are") },
	{ { { N_("request"), INK_BOLD(ROLE_TEXT) } },
	  N_("one instruction of a warp, its 32 lanes together; a step") },
	{ { { N_("sector"), INK_BOLD(ROLE_TEXT) } },
	  N_("32 bytes of global memory, always moved together") },
	{ { { N_("wavefront"), INK_BOLD(ROLE_TEXT) } },
	  N_("one pass of shared memory: at most one word from each bank") },
	{ { { N_("phase"), INK_BOLD(ROLE_TEXT) } },
	  N_("what lies between two barriers") },
	{ { { "\xe2\x94\xbc", INK(ROLE_DIM) } },
	  N_("a barrier, in the timeline") },
	{ { { "||", INK(ROLE_DIM) },
	    { "  ", INK(ROLE_TEXT) },
	    { "|>", INK(ROLE_ACCENT) },
	    { "  /s", INK(ROLE_DIM) } },
	  N_("paused; playing, so many requests per second") },
	{ { { "\xe2\x9c\x93", INK_BOLD(ROLE_GOOD) },
	    { "  ", INK(ROLE_TEXT) },
	    { "\xe2\x9c\x97", INK(ROLE_BAD) } },
	  N_("the right answer; a wrong one that you tried") },
	{ { { "\xe2\x96\xb2 \xe2\x96\xbc", INK(ROLE_ACCENT) },
	    { "  \xe2\x80\xa6", INK(ROLE_TEXT) } },
	  N_("more above, below; cut off here") },
};

static const struct help_sign benchmark_signs[] = {
	{ { ON(ROLE_HUE1), ON(ROLE_HUE0), ON(ROLE_HUE3) },
	  N_("a kernel, the chosen one, cuBLAS") },
	{ { { "a b", INK(ROLE_TEXT) } },
	  N_("the kernel's letter, here and in the roofline") },
	{ { { "a", INK_ON(ROLE_ON_HUE, ROLE_HUE1) },
	    { "  ", INK(ROLE_TEXT) },
	    { "a", INK_BOLD(ROLE_HUE1) } },
	  N_("DRAM traffic counted in this race; in an earlier one") },
	{ { { "\xe2\x94\x8a", INK(ROLE_HUE3) } },
	  N_("cuBLAS fp32, the library's kernel for the same task") },
	{ { { "\xe2\x94\x9c\xe2\x94\x80\xe2\x94\xa4", INK_BOLD(ROLE_STRONG) } },
	  N_("from the slowest tenth of the samples to the fastest") },
	{ { { "\xc2\xb1"
	      "1 %",
	      INK(ROLE_DIM) } },
	  N_("half of that, relative to the median") },
	{ { { "\xe2\x96\xb6", INK_ON(ROLE_ON_HUE, ROLE_HUE3) } },
	  N_("beyond the scale, which ends at the GPU's peak in fp32") },
	{ { { "\xe2\xa1\xa0\xe2\xa0\x8a\xe2\xa0\x89\xe2\xa0\x89",
	      INK(ROLE_DIM) } },
	  N_("the roofline: the limit set by DRAM, then by arithmetic") },
	{ { { "\xe2\x96\xb2 \xe2\x96\xbc", INK(ROLE_ACCENT) },
	    { "  \xe2\x80\xa6", INK(ROLE_TEXT) } },
	  N_("more above, below; cut off here") },
};

/* Tells whether row y and all after it are out of sight. */
static bool is_out_of_sight(const struct canvas *c, struct rect r, int y)
{
	return c && y >= r.h;
}

/* Draws the keys from row y of r on, as far as r goes. Returns the row after
 * the last; c NULL: only counts all rows. So do the functions below. */
static int draw_keys(struct canvas *c, struct rect r, int y,
		     const struct frame_model *s)
{
	for (size_t i = 0; i < s->help_count && !is_out_of_sight(c, r, y);
	     i++) {
		struct rect in = { r.x + NAMES, r.y + y, r.w - NAMES,
				   r.h };

		if (c)
			canvas_text(c, r.x, in.y, NAMES - 1,
				    s->help_keys[i].key,
				    INK_BOLD(ROLE_ACCENT));
		y += prose_text(c, in, 0, _(s->help_keys[i].word),
				INK(ROLE_TEXT));
	}
	return y;
}

static void draw_sample(struct canvas *c, int x, int y,
			const struct help_sign *s)
{
	for (size_t k = 0; k < LENGTH(s->sample) && s->sample[k].text; k++) {
		const char *text = _(s->sample[k].text);
		int width = text_width(text);

		/* A coloured blank: it becomes a sign where there are no
		 * colours. */
		if (*text == ' ' && s->sample[k].ink.bg)
			canvas_fill(c, (struct rect){ x, y, width, 1 }, ' ',
				    s->sample[k].ink);
		else
			canvas_text(c, x, y, NAMES - 1, text,
				    s->sample[k].ink);
		x += width;
	}
}

static int draw_help_signs(struct canvas *c, struct rect r, int y,
			   const struct frame_model *s)
{
	const struct help_sign *list = s->benchmark ? benchmark_signs : signs;
	size_t n = s->benchmark ? LENGTH(benchmark_signs) : LENGTH(signs);

	for (size_t i = 0; i < n && !is_out_of_sight(c, r, y); i++) {
		struct rect in = { r.x + NAMES, r.y + y, r.w - NAMES,
				   r.h };

		if (c)
			draw_sample(c, r.x, in.y, &list[i]);
		y += prose_text(c, in, 0, _(list[i].words), INK(ROLE_TEXT));
	}
	return y;
}

static int draw_views(struct canvas *c, struct rect r, int y)
{
	for (size_t i = 0; views[i] && !is_out_of_sight(c, r, y); i++) {
		struct rect in = { r.x + NAMES, r.y + y, r.w - NAMES,
				   r.h };
		int name = prose_text(c, (struct rect){ r.x, in.y, NAMES - 1,
							r.h }, 0,
				      _(views[i]->title), INK_BOLD(ROLE_TEXT));
		int words = prose_text(c, in, 0, _(views[i]->help),
				       INK(ROLE_TEXT));

		y += MAX(name, words);
	}
	return y;
}

/* Draws what is on the screen: a step's views, and what the signs mean. */
static int draw_screen(struct canvas *c, struct rect r, int y,
		       const struct frame_model *s)
{
	if (!s->benchmark)
		y = draw_views(c, r, y) + 1;
	return draw_help_signs(c, r, y, s);
}

/* Draws keys and screen one above the other or, if that does not fit and r is
 * wide enough, side by side. */
static int draw(struct canvas *c, struct rect r, int skip,
		const struct frame_model *s)
{
	struct rect half = { r.x, r.y, r.w / 2 - 1, r.h };
	int rows = draw_screen(NULL, r, draw_keys(NULL, r, 0, s) + 1, s);
	int left, right;

	if (r.w < 100 || rows <= r.h) {
		if (c)
			draw_screen(c, r, draw_keys(c, r, -skip, s) + 1, s);
		return rows;
	}
	left = draw_keys(c, half, -skip, s);
	half.x += half.w + 2;
	right = draw_screen(c, half, -skip, s);
	return MAX(left, right) + skip;
}

const struct overlay overlay_help = {
	.title = N_("keys and symbols"),
	.keys = N_("? or Esc closes"),
	.keys_scroll = N_("↑ ↓ scroll, ? or Esc closes"),
	.draw = draw,
};
