/*
 * theme: text can be read, and what must be told apart can be, by eyes that
 * see all colours and by eyes that don't.
 *
 * Distance is CIE 1976 (L*a*b*, D65). Colour blindness is simulated as in
 * Machado, Oliveira and Fernandes (2009), severity 1.
 */
#include "viz/theme.h"

#include <math.h>

#include "contrast.h"
#include "tap.h"

enum eyes { ALL, PROTAN, DEUTAN, EYES };
static const char *const eye_names[] = { "all colours", "protanopia",
					 "deuteranopia" };
static const double seen[EYES][3][3] = {
	{ { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } },
	{ { 0.152286, 1.052583, -0.204868 },
	  { 0.114503, 0.786281, 0.099216 },
	  { -0.003882, -0.048116, 1.051998 } },
	{ { 0.367322, 0.860646, -0.227968 },
	  { 0.280085, 0.672501, 0.047413 },
	  { -0.011820, 0.042940, 0.968881 } },
};

static double curve(double t)
{
	return t > 0.008856 ? cbrt(t) : 7.787 * t + 16.0 / 116;
}

static void lab(int colour, enum eyes eyes, double out[3])
{
	double l[3], v[3], x, y, z;

	linear(colour, l);
	for (int i = 0; i < 3; i++) {
		const double *m = seen[eyes][i];

		v[i] = m[0] * l[0] + m[1] * l[1] + m[2] * l[2];
		v[i] = MIN(MAX(v[i], 0), 1);
	}
	x = curve((0.4124 * v[0] + 0.3576 * v[1] + 0.1805 * v[2]) / 0.95047);
	y = curve(0.2126 * v[0] + 0.7152 * v[1] + 0.0722 * v[2]);
	z = curve((0.0193 * v[0] + 0.1192 * v[1] + 0.9505 * v[2]) / 1.08883);
	out[0] = 116 * y - 16;
	out[1] = 500 * (x - y);
	out[2] = 200 * (y - z);
}

static double distance(int a, int b, enum eyes eyes)
{
	double p[3], q[3];

	lab(a, eyes, p);
	lab(b, eyes, q);
	return sqrt((p[0] - q[0]) * (p[0] - q[0]) +
		    (p[1] - q[1]) * (p[1] - q[1]) +
		    (p[2] - q[2]) * (p[2] - q[2]));
}

/* The backgrounds that each text role stands on. END closes a list. */
#define END ROLE_COUNT
static const struct { enum role text, on[20]; } written[] = {
	{ ROLE_TEXT, { ROLE_NONE, ROLE_BAR, ROLE_KEY, ROLE_LINE, ROLE_SELECT,
		       END } },
	{ ROLE_STRONG, { ROLE_NONE, ROLE_BAR, ROLE_KEY, ROLE_LINE,
			 ROLE_SELECT, ROLE_FIELD, ROLE_TILE, ROLE_OWN,
			 ROLE_SEEN, ROLE_WASTE,
			 ROLE_FADE0, ROLE_FADE1, ROLE_FADE2, ROLE_FADE3,
			 END } },
	{ ROLE_TITLE, { ROLE_NONE, ROLE_BAR, END } },
	{ ROLE_DIM, { ROLE_NONE, ROLE_BAR, ROLE_LINE, ROLE_SELECT, END } },
	{ ROLE_FAINT, { ROLE_NONE, END } },
	{ ROLE_ACCENT, { ROLE_NONE, ROLE_BAR, ROLE_LINE, ROLE_SELECT, END } },
	{ ROLE_GOOD, { ROLE_NONE, ROLE_BAR, END } },
	{ ROLE_BAD, { ROLE_NONE, ROLE_BAR, ROLE_LINE, END } },
	{ ROLE_WARN, { ROLE_NONE, ROLE_BAR, ROLE_LINE, END } },
	{ ROLE_CODE_WORD, { ROLE_NONE, ROLE_LINE, END } },
	{ ROLE_CODE_COMMENT, { ROLE_NONE, ROLE_LINE, END } },
	{ ROLE_CODE_NUMBER, { ROLE_NONE, ROLE_LINE, END } },
	{ ROLE_HUE0, { ROLE_NONE, ROLE_LINE, END } },
	{ ROLE_HUE1, { ROLE_NONE, ROLE_LINE, END } },
	{ ROLE_HUE2, { ROLE_NONE, ROLE_LINE, END } },
	{ ROLE_HUE3, { ROLE_NONE, ROLE_LINE, END } },
	{ ROLE_ON_HUE, { ROLE_HUE0, ROLE_HUE1, ROLE_HUE2, ROLE_HUE3,
			 ROLE_TRAIL0, ROLE_TRAIL1, ROLE_TRAIL2, ROLE_TRAIL3,
			 ROLE_CURSOR, ROLE_GOOD, ROLE_BAD,
			 ROLE_WARN, ROLE_ACCENT, END } },
	{ ROLE_ON_HUE, { ROLE_CHUNK0, ROLE_CHUNK0 + 1, ROLE_CHUNK0 + 2,
			 ROLE_CHUNK0 + 3, ROLE_CHUNK0 + 4, ROLE_CHUNK0 + 5,
			 ROLE_CHUNK0 + 6, ROLE_CHUNK7, END } },
	{ ROLE_WASTE, { ROLE_WASTE, END } },
};

static void test_contrast(const struct theme *t)
{
	for (size_t i = 0; i < LENGTH(written); i++) {
		for (const enum role *on = written[i].on; *on != END; on++) {
			double c = contrast(
				t->role[written[i].text].text256,
				t->role[*on].paint256);

			tap_ok(c >= 4.5, "%s: '%c' on '%c': %.1f to 1",
			       t->name, role_letter(written[i].text),
			       role_letter(*on), c);
		}
	}
	tap_ok(contrast(t->role[ROLE_BORDER].text256,
			t->role[ROLE_NONE].paint256) >= 2,
	       "%s: a border can be seen", t->name);
}

/* Whatever stands on a fill reads there. */
static void test_fills(const struct theme *t)
{
	double least = INFINITY;

	for (int text = ROLE_TEXT; text < ROLE_COUNT; text++)
		for (int fill = ROLE_TEXT; fill < ROLE_COUNT; fill++) {
			struct cell cell = { '8', (uint8_t)text, (uint8_t)fill,
					     0 };
			struct theme_look look = theme_look(t, &cell, 256);

			least = MIN(least, contrast(look.fg, look.bg));
		}
	tap_ok(least >= 4.5, "%s: text on fills: at least %.1f to 1", t->name,
	       least);
}

static double apart(const struct theme *t, enum role a, enum role b,
		    enum eyes eyes)
{
	return distance(t->role[a].paint256, t->role[b].paint256, eyes);
}

/* Everything that a matrix may show is apart from everything else. */
static void test_matrix(const struct theme *t, enum eyes eyes, double least)
{
	enum role a = ROLE_NONE, b = ROLE_NONE;
	double nearest = INFINITY;

	for (int i = ROLE_FIELD; i <= ROLE_FADE3; i++) {
		for (int j = ROLE_NONE; j < i; j++) {
			double d = apart(t, i, j, eyes);

			if ((j == ROLE_NONE || j >= ROLE_FIELD) &&
			    d < nearest) {
				nearest = d;
				a = i;
				b = j;
			}
		}
	}
	tap_ok(nearest >= least, "%s, %s: nearest are '%c' and '%c', %.1f",
	       t->name, eye_names[eyes], role_letter(a), role_letter(b),
	       nearest);
}

/* b is nearer to the screen's own background than a. */
static bool fades(const struct theme *t, enum role a, enum role b)
{
	int none = t->role[ROLE_NONE].paint256;

	return contrast(t->role[b].paint256, none) <
	       contrast(t->role[a].paint256, none);
}

/* Now and trail stay apart from what is under them, and go in order. */
static void test_motion(const struct theme *t, enum eyes eyes)
{
	double nearest = INFINITY;
	bool ordered = true;

	for (int h = 0; h < 4; h++) {
		enum role hue = ROLE_HUE0 + h, trail = ROLE_TRAIL0 + h,
			  fade = ROLE_FADE0 + h;

		nearest = MIN(nearest, apart(t, hue, trail, eyes));
		nearest = MIN(nearest, apart(t, hue, ROLE_FIELD, eyes));
		nearest = MIN(nearest, apart(t, hue, ROLE_TILE, eyes) * 2.5);
		nearest = MIN(nearest, apart(t, trail, ROLE_FIELD, eyes));
		ordered &= fades(t, hue, trail) && fades(t, trail, fade);
	}
	tap_ok(nearest >= 12, "%s, %s: what moves stands out, %.1f", t->name,
	       eye_names[eyes], nearest);
	tap_ok(ordered, "%s: a trail fades", t->name);
}

/* 16 colours: what stands for other lanes never looks the same. */
static void test_few(const struct theme *t)
{
	bool apart = true;

	for (int i = ROLE_HUE0; i <= ROLE_FADE3; i++)
		for (int j = ROLE_FIELD; j < i; j++)
			if (j < ROLE_HUE0 ||
			    (i - ROLE_HUE0) % 4 != (j - ROLE_HUE0) % 4)
				apart &= t->role[i].paint16 !=
					 t->role[j].paint16;
	tap_ok(apart, "%s, 16 colours: hues and trails are apart", t->name);
}

static void test_hues(const struct theme *t, enum eyes eyes)
{
	double nearest = INFINITY;

	for (int i = 0; i < 4; i++)
		for (int j = 0; j < i; j++)
			nearest = MIN(nearest, apart(t, ROLE_HUE0 + i,
						     ROLE_HUE0 + j, eyes));
	tap_ok(nearest >= 12, "%s, %s: hues are %.1f apart", t->name,
	       eye_names[eyes], nearest);
}

/* The eight chunks of a row have a hue each. */
static void test_chunks(const struct theme *t)
{
	double nearest = INFINITY;

	for (int i = ROLE_CHUNK0; i <= ROLE_CHUNK7; i++)
		for (int j = ROLE_CHUNK0; j < i; j++)
			nearest = MIN(nearest,
				      apart(t, (enum role)i, (enum role)j, ALL));
	tap_ok(nearest >= 9, "%s: chunks are %.1f apart", t->name, nearest);
}

/* Good and bad are no lane's colour. */
static void test_verdicts(const struct theme *t, enum eyes eyes)
{
	double nearest = apart(t, ROLE_GOOD, ROLE_BAD, eyes);

	for (int i = 0; i < 4; i++) {
		nearest = MIN(nearest, apart(t, ROLE_GOOD, ROLE_HUE0 + i,
					     eyes));
		nearest = MIN(nearest, apart(t, ROLE_BAD, ROLE_HUE0 + i,
					     eyes));
	}
	tap_ok(nearest >= 9, "%s, %s: good and bad are %.1f from hues", t->name,
	       eye_names[eyes], nearest);
}

static void test_looks(void)
{
	const struct theme *dark = theme_find("dark");
	const struct theme *light = theme_find("light");
	const struct theme *mono = theme_find("mono");
	struct cell text = { 'x', ROLE_HUE1, ROLE_NONE, ATTR_UNDERLINE };
	struct cell block = { 0x2580, ROLE_HUE1, ROLE_HUE2, 0 };
	struct theme_look look;

	look = theme_look(dark, &text, 256);
	tap_ok(look.fg == 74 && look.bg == 233 &&
	       look.attr == ATTR_UNDERLINE, "256 colours");
	look = theme_look(light, &text, 256);
	tap_ok(look.fg == 24, "light: a hue is written darker");
	look = theme_look(light, &block, 256);
	tap_ok(look.fg == 74 && look.bg == 36, "... and painted as it is");
	look = theme_look(dark, &block, 16);
	tap_ok(look.fg == 14 && look.bg == 10 && !look.attr, "16 colours");
	look = theme_look(dark, &(struct cell){ 'x', ROLE_ACCENT, 0, 0 }, 8);
	tap_ok(look.fg == 3 && look.bg == 0 && look.attr == ATTR_BOLD,
	       "8 colours: a bright one is bold");
	look = theme_look(dark, &(struct cell){ 0x2588, ROLE_ACCENT, 0, 0 },
			  8);
	tap_ok(look.fg == 3 && !look.attr, "... but not where it paints");
	look = theme_look(dark, &(struct cell){ '0', ROLE_FIELD, ROLE_HUE0,
						0 }, 8);
	tap_ok(look.fg == 0 && look.bg == 3 && !look.attr,
	       "8 colours: a hue is a colour");
	look = theme_look(dark, &(struct cell){ '0', ROLE_HUE0, ROLE_HUE0,
						ATTR_SIGN | ATTR_REVERSE }, 8);
	tap_ok(look.fg == 0 && look.bg == 3 && !look.attr,
	       "... and its sign is on it");
	look = theme_look(dark, &(struct cell){ 'A', ROLE_TRAIL0, ROLE_NONE,
						ATTR_SIGN }, 8);
	tap_ok(look.fg == 3 && look.bg == 0, "... a trail's sign is in it");
	look = theme_look(dark, &(struct cell){ ':', ROLE_TILE, ROLE_FIELD,
						ATTR_SIGN }, 8);
	tap_ok(look.fg == 7 && look.bg == 0, "... a tile is its sign");
	look = theme_look(dark, &text, 0);
	tap_ok(look.fg == THEME_DEFAULT && look.bg == THEME_DEFAULT &&
	       look.attr == ATTR_UNDERLINE, "no colours");
	look = theme_look(mono, &block, 256);
	tap_ok(look.fg == THEME_DEFAULT && look.attr & ATTR_REVERSE,
	       "mono: no colour on any terminal");
	look = theme_look(mono, &text, 256);
	tap_ok(!(look.attr & ATTR_REVERSE),
	       "... and text in a hue does not look as if it stood on one");
}

int main(void)
{
	const char *const *names = theme_names();

	tap_ok(!theme_find("no such theme"), "an unknown name");
	for (; *names; names++) {
		const struct theme *t = theme_find(*names);

		tap_ok(t && !strcmp(t->name, *names), "%s is there", *names);
		if (!t || t->mono)
			continue;
		test_contrast(t);
		test_fills(t);
		test_few(t);
		test_chunks(t);
		test_matrix(t, ALL, 9);
		test_matrix(t, PROTAN, 4);
		test_matrix(t, DEUTAN, 4);
		for (enum eyes e = ALL; e < EYES; e++) {
			test_motion(t, e);
			test_hues(t, e);
			test_verdicts(t, e);
		}
	}
	test_looks();
	return tap_done();
}
