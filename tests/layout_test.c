/* Where things stand: within the screen, apart from each other, in place. */
#include "base/lang.h"
#include "tap.h"
#include "viz/show.h"

static struct trace_array array = { .name = (char *)"A", .elem_bytes = 4,
				    .rank = 2, .dims = { 1, 1 } };

static bool inside(struct rect in, struct rect out)
{
	return in.w >= 0 && in.h >= 0 && in.x >= out.x && in.y >= out.y &&
	       in.x + in.w <= out.x + out.w && in.y + in.h <= out.y + out.h;
}

static bool apart(struct rect a, struct rect b)
{
	return !a.w || !a.h || !b.w || !b.h || a.x + a.w <= b.x ||
	       b.x + b.w <= a.x || a.y + a.h <= b.y || b.y + b.h <= a.y;
}

static void stage(struct scene *sc, uint32_t m, uint32_t n, uint32_t k)
{
	memset(sc, 0, sizeof(*sc));
	sc->array_count = 3;
	sc->b = 1;
	sc->c = 2;
	sc->arrays[0] = (struct stage_array){ &array, .rows = m, .cols = k };
	sc->arrays[1] = (struct stage_array){ &array, .rows = k, .cols = n };
	sc->arrays[2] = (struct stage_array){ &array, .rows = m, .cols = n };
}

/* NULL, or what is wrong with the layout. */
static const char *wrong(const struct layout *l, const struct show *s, int w,
			 int h)
{
	struct rect screen = { 0, 0, w, h };
	const struct rect panes[] = { l->header, l->source, l->lesson,
				      l->panel, l->second, l->timeline,
				      l->keys, l->a, l->b, l->c };
	const struct scene *sc = s->scene;

	for (size_t i = 0; i < LENGTH(panes); i++) {
		if (panes[i].w && !inside(panes[i], screen))
			return "something is off the screen";
		for (size_t k = 0; k < i; k++)
			if (!apart(panes[i], panes[k]))
				return "two things lie on each other";
	}
	if (!l->c.w)
		return NULL;
	if (l->a.y != l->c.y || l->b.x != l->c.x ||
	    l->a.x + l->a.w >= l->c.x || l->b.y + l->b.h >= l->c.y)
		return "A is not left of C, or B not above it";
	if (!s->zoom &&
	    (l->a.w < picture_width(&sc->arrays[0], l->scale, l->cells) ||
	     l->c.w < picture_width(&sc->arrays[2], l->scale, l->cells) ||
	     l->b.h < picture_height(&sc->arrays[1], l->scale, l->cells) ||
	     l->c.h < picture_height(&sc->arrays[2], l->scale, l->cells)))
		return "a picture is cut";
	return NULL;
}

static void sweep(uint32_t m, uint32_t n, uint32_t k, bool zoom, bool lesson)
{
	struct scene sc;
	struct show s = { .scene = &sc, .zoom = zoom };
	int count = 0, failed = 0;

	stage(&sc, m, n, k);
	s.lesson.title = lesson ? "L" : NULL;
	for (int w = 1; w <= 260; w += w < 130 ? 1 : 7)
		for (int h = 1; h <= 100; h++)
			for (int p = 0; p < PANE_COUNT; p++) {
				struct layout l;
				const char *why;

				s.pane = (enum pane)p;
				layout_make(&l, w, h, &s);
				why = wrong(&l, &s, w, h);
				count++;
				if (why && !failed++)
					printf("# %dx%d pane %d: %s\n", w, h,
					       p, why);
			}
	tap_ok(!failed, "%ux%ux%u%s%s: %d layouts", m, n, k,
	       zoom ? " zoomed" : "", lesson ? " in a lesson" : "", count);
}

static void kinds(void)
{
	struct scene sc;
	struct show s = { .scene = &sc, .lesson.title = "L" };
	struct layout l;

	stage(&sc, 32, 32, 32);
	layout_make(&l, 39, 24, &s);
	tap_is(l.kind, LAYOUT_TOO_SMALL, "39 columns are too few");
	layout_make(&l, 80, 11, &s);
	tap_is(l.kind, LAYOUT_TOO_SMALL, "11 rows are too few");
	layout_make(&l, 40, 12, &s);
	tap_is(l.kind, LAYOUT_SINGLE, "40x12 has one pane");
	layout_make(&l, 80, 24, &s);
	tap_is(l.kind, LAYOUT_HALVES, "80x24 has two halves");
	tap_ok(l.source.w && l.lesson.w && l.c.w,
	       "80x24 has source, words and picture");
	layout_make(&l, 120, 36, &s);
	tap_is(l.kind, LAYOUT_FULL, "120x36 has everything");
	tap_is(l.scale, 1, "120x36 shows 32x32x32 element by element");
	tap_ok(l.panel.w >= 34, "120x36 has a panel of 34 columns");
	array.name = (char *)"weights";
	layout_make(&l, 120, 36, &s);
	tap_ok(l.b.y > l.stage.y, "a long name has a row of its own");
	array.name = (char *)"A";
}

/* No line begins with a stop or ends with a bracket that opens, whatever
 * the width and wherever the styles change. */
static void prose(void)
{
	struct lesson_span spans[] = {
		{ (char *)"Columns of ", SPAN_PLAIN },
		{ (char *)"Bs", SPAN_CODE }, { (char *)". Who? ", SPAN_PLAIN },
		{ (char *)"float4", SPAN_CODE },
		{ (char *)"；整个小块（存储体）有 ", SPAN_PLAIN },
		{ (char *)"三十二", SPAN_STRONG },
		{ (char *)"。", SPAN_PLAIN },
	};
	struct lesson_paragraph p = { .spans = spans,
				      .span_count = LENGTH(spans) };
	int wrong = 0;

	for (int w = 10; w < 70; w++) {
		struct canvas c;
		int rows;

		canvas_init(&c, w, 20);
		rows = prose_draw(&c, (struct rect){ 0, 0, w, 20 }, 0, &p, 1);
		for (int y = 0; y < rows; y++) {
			uint32_t first = canvas_at(&c, 0, y)->ch, last = 0;

			for (int x = 0; x < w; x++)
				if (canvas_at(&c, x, y)->ch > ' ')
					last = canvas_at(&c, x, y)->ch;
			wrong += first == '.' || first == 0xff1b ||
				 first == 0x3002 || first == 0xff09 ||
				 last == 0xff08;
		}
		canvas_done(&c);
	}
	tap_is(wrong, 0, "stops and brackets stay with their words");
}

/* What the panels show at a step of this kind, as "banks shared". */
static const char *panels(struct show *s, struct scene *sc, enum op op,
			  int array)
{
	static struct trace_site site;
	static char names[40];
	const struct view *p[2];

	site.op = op;
	sc->site = &site;
	sc->array = array < 0 ? NULL : sc->arrays[array].array;
	view_panels(s, p);
	snprintf(names, sizeof(names), "%s %s", p[0]->name,
		 p[1] ? p[1]->name : "-");
	return names;
}

static void views_by_step(void)
{
	static struct trace_array shared = { .space = SPACE_SHARED };
	static struct trace_array own = { .space = SPACE_REGISTER };
	struct scene sc;
	struct show s = { .scene = &sc };

	stage(&sc, 32, 32, 32);
	tap_str(panels(&s, &sc, OP_LD, 0), "request grid", "global memory");
	sc.arrays[sc.array_count++].array = &shared;
	sc.arrays[sc.array_count++].array = &own;
	tap_str(panels(&s, &sc, OP_LD, 0), "request shared",
		"global memory, with tiles");
	tap_str(panels(&s, &sc, OP_LD, 3), "banks shared", "shared memory");
	tap_str(panels(&s, &sc, OP_TMA_LD, 3), "shared grid", "in bulk");
	tap_str(panels(&s, &sc, OP_MBAR_WAIT, 3), "request shared",
		"an mbarrier");
	tap_str(panels(&s, &sc, OP_ST, 4), "registers shared", "registers");
	tap_str(panels(&s, &sc, OP_BARRIER, -1), "request shared",
		"a barrier");
	s.panel = view_find("grid");
	tap_str(panels(&s, &sc, OP_LD, 3), "grid banks",
		"beside a view that was chosen, what the step is about");
	s.panel = view_find("shared");
	tap_str(panels(&s, &sc, OP_LD, 3), "shared banks",
		"... whichever that is");
}

/* By its names, where a step begins. */
static void views_by_name(void)
{
	char *both[] = { (char *)"matrices", (char *)"shared" };
	char *first[] = { (char *)"banks" };
	struct view_stop at = view_begin(both, 2);

	tap_ok(at.pane == PANE_STAGE && at.panel == view_find("shared"),
	       "matrices, then the panel's");
	at = view_begin(first, 1);
	tap_ok(at.pane == PANE_PANEL && !at.panel,
	       "the panel, and what follows the step");
	at = view_begin(NULL, 0);
	tap_ok(at.pane == PANE_STAGE && !at.panel, "nothing: the matrices");
	for (size_t i = 0; views[i]; i++)
		tap_ok(view_find(views[i]->name) == views[i] &&
		       *views[i]->title && *views[i]->help &&
		       views[i]->draw && (views[i]->pane != PANE_PANEL ||
					  views[i]->rank),
		       "%s is whole", views[i]->name);
}

int main(void)
{
	lang_init("en");
	views_by_step();
	views_by_name();
	kinds();
	prose();
	sweep(32, 32, 32, false, true);
	sweep(32, 32, 32, true, true);
	sweep(64, 64, 16, false, true);
	sweep(16384, 1, 16384, false, false);
	sweep(1, 1, 1, false, false);
	sweep(1, 16384, 3, true, false);
	return tap_done();
}
