/* Where things stand: within the screen, apart from each other, in place. */
#include "base/lang.h"
#include "tap.h"
#include "viz/frame_model.h"

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
	static struct trace_info info;

	memset(sc, 0, sizeof(*sc));
	sc->info = &info;
	sc->array_count = 3;
	sc->b = 1;
	sc->c = 2;
	sc->arrays[0] = (struct stage_array){ &array, .rows = m, .cols = k };
	sc->arrays[1] = (struct stage_array){ &array, .rows = k, .cols = n };
	sc->arrays[2] = (struct stage_array){ &array, .rows = m, .cols = n };
}

/* NULL, or what is wrong with the layout. */
static const char *wrong(const struct screen_layout *l, const struct frame_model *s,
			 int w, int h)
{
	struct rect screen = { 0, 0, w, h };
	const struct rect panes[] = { l->header, l->source, l->picture,
				      l->caption, l->lesson, l->timeline,
				      l->keys };

	if (l->kind == LAYOUT_TOO_SMALL)
		return NULL;
	for (size_t i = 0; i < LENGTH(panes); i++) {
		if (panes[i].w && !inside(panes[i], screen))
			return "something is off the screen";
		for (size_t k = 0; k < i; k++)
			if (!apart(panes[i], panes[k]))
				return "two things lie on each other";
	}
	if (s->pane == PANE_PICTURE &&
	    (l->picture.w < 36 || l->picture.h < 6 || l->caption.h < 1))
		return "the picture has no room";
	if (l->kind != LAYOUT_SINGLE &&
	    10 * l->picture.w * l->picture.h < 3 * w * h)
		return "the picture has less than three tenths of the screen";
	return NULL;
}

static void sweep(bool lesson, bool presenter, const char *view)
{
	struct scene sc;
	struct trace_site site = { .op = OP_LD };
	struct frame_model s = { .scene = &sc, .presenter = presenter,
			  .held = view_find(view) };
	int count = 0, failed = 0;

	stage(&sc, 32, 32, 32);
	sc.site = &site;
	sc.array = sc.arrays[0].array;
	if (lesson)
		s.lesson = (struct show_lesson){
			.title = "L", .question = "How many?",
			.choices = { "1", "2", "3", "4" }, .choice_count = 4,
			.typed = "",
		};
	for (int w = 1; w <= 300; w += w < 130 ? 1 : 7)
		for (int h = 1; h <= 100; h++)
			for (int p = 0; p < PANE_COUNT; p++) {
				struct screen_layout l;
				const char *why;

				s.pane = (enum pane)p;
				layout_make(&l, w, h, &s);
				why = wrong(&l, &s, w, h);
				count++;
				if (why && !failed++)
					printf("# %dx%d pane %d: %s\n", w, h,
					       p, why);
			}
	tap_ok(!failed, "%s%s%s: %d layouts", view,
	       lesson ? " in a lesson" : "", presenter ? " on a projector" : "",
	       count);
}

static void kinds(void)
{
	struct scene sc;
	struct frame_model s = { .scene = &sc, .lesson.title = "L",
			  .lesson.question = "?", .lesson.typed = "" };
	struct screen_layout l;

	stage(&sc, 32, 32, 32);
	layout_make(&l, 39, 24, &s);
	tap_is(l.kind, LAYOUT_TOO_SMALL, "39 columns are too few");
	layout_make(&l, 80, 11, &s);
	tap_is(l.kind, LAYOUT_TOO_SMALL, "11 rows are too few");
	layout_make(&l, 40, 12, &s);
	tap_is(l.kind, LAYOUT_SINGLE, "40x12 has one pane");
	layout_make(&l, 80, 24, &s);
	tap_ok(l.kind == LAYOUT_STRIPS && l.source.w && l.lesson.w &&
	       l.picture.w, "80x24 has source, words and picture");
	layout_make(&l, 120, 36, &s);
	tap_is(l.kind, LAYOUT_BESIDE, "120x36 has them beside the picture");
	s.presenter = true;
	layout_make(&l, 200, 60, &s);
	tap_ok(l.kind == LAYOUT_STRIPS && l.picture.h > 40,
	       "a projector has the picture");
	tap_is(l.source.h, 5, "... and a few lines of source");
	layout_make(&l, 120, 36, &s);
	tap_is(l.source.h, 2, "... fewer where there is less room");
	s.presenter = false;
	s.pane = PANE_SOURCE;
	layout_make(&l, 120, 36, &s);
	tap_ok(l.source.w == 120 && !l.picture.w, "the source alone");
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

/* Returns how many lines of the text end in a digit, at all widths. */
static int digit_ends(const struct lesson_span *spans, size_t count)
{
	struct lesson_paragraph p = { .spans = (struct lesson_span *)spans,
				      .span_count = count };
	int n = 0;

	for (int w = 10; w < 70; w++) {
		struct canvas c;
		int rows;

		canvas_init(&c, w, 20);
		rows = prose_draw(&c, (struct rect){ 0, 0, w, 20 }, 0, &p, 1);
		for (int y = 0; y + 1 < rows; y++) {
			uint32_t last = 0;

			for (int x = 0; x < w; x++)
				if (canvas_at(&c, x, y)->ch > ' ')
					last = canvas_at(&c, x, y)->ch;
			n += last >= '0' && last <= '9';
		}
		canvas_done(&c);
	}
	return n;
}

/* In Chinese a number and its measure word are on one line, also where the
 * style changes between them; in English a line may end in a number. */
static void measure_words(void)
{
	const struct lesson_span chinese[] = {
		{ (char *)"一个线程束有 32 个通道，读 128 字节，即 ", SPAN_PLAIN },
		{ (char *)"4", SPAN_STRONG },
		{ (char *)" 个扇区；线程块有 1024 个线程。", SPAN_PLAIN },
	};
	const struct lesson_span english[] = {
		{ (char *)"A warp has 32 lanes, which read 128 bytes, or 4 "
			  "sectors.", SPAN_PLAIN },
	};

	tap_is(digit_ends(chinese, LENGTH(chinese)), 0,
	       "a number and its measure word stay on one line");
	tap_ok(digit_ends(english, LENGTH(english)) > 0,
	       "... in Chinese alone");
}

/* The picture of a step of this kind. */
static const char *picture(struct frame_model *s, struct scene *sc, enum op op,
			   int array)
{
	static struct trace_site site;

	site.op = op;
	sc->site = &site;
	sc->array = array < 0 ? NULL : sc->arrays[array].array;
	return view_picture(s)->name;
}

static void views_by_step(void)
{
	static struct trace_array shared = { .space = SPACE_SHARED };
	static struct trace_array own = { .space = SPACE_REGISTER };
	struct scene sc;
	struct frame_model s = { .scene = &sc };

	stage(&sc, 32, 32, 32);
	sc.sector_count = 4;
	tap_str(picture(&s, &sc, OP_LD, 0), "sectors", "global memory");
	sc.sector_count = 0;
	sc.arrays[sc.array_count++].array = &shared;
	sc.arrays[sc.array_count++].array = &own;
	tap_str(picture(&s, &sc, OP_LD, 3), "banks", "shared memory");
	tap_str(picture(&s, &sc, OP_TMA_LD, 3), "tiles", "in bulk");
	tap_str(picture(&s, &sc, OP_MBAR_WAIT, 3), "barrier", "an mbarrier");
	tap_str(picture(&s, &sc, OP_ST, 4), "registers", "registers");
	tap_str(picture(&s, &sc, OP_BARRIER, -1), "tiles", "a barrier");
	s.held = view_find("grid");
	tap_str(picture(&s, &sc, OP_LD, 3), "grid", "one that is held");
	s.held = view_find("registers");
	sc.array_count = 3;
	tap_str(picture(&s, &sc, OP_LD, 0), "matrices",
		"... while it can be shown");
}

/* Tab goes through all that can be shown, once each. */
static void tab_goes_round(void)
{
	struct scene sc;
	struct trace_site site = { .op = OP_LD };
	struct frame_model s = { .scene = &sc, .lesson.title = "L" };
	int seen = 0, can = 0;

	stage(&sc, 32, 32, 32);
	sc.site = &site;
	sc.array = sc.arrays[0].array;
	for (size_t i = 0; views[i]; i++)
		can += !views[i]->available || views[i]->available(&s);
	do {
		struct view_stop stop = view_turn(&s, 1);

		s.pane = stop.pane;
		s.held = stop.held;
		seen++;
	} while (seen < 99 && (s.pane != PANE_PICTURE || s.held));
	tap_is(seen, can, "tab comes round after all of them");
	for (int i = 0; i < can; i++) {
		struct view_stop stop = view_turn(&s, -1);

		s.pane = stop.pane;
		s.held = stop.held;
	}
	tap_ok(s.pane == PANE_PICTURE && !s.held, "... and back");
}

/* By its names, where a step begins. */
static void views_by_name(void)
{
	char *source[] = { (char *)"source", (char *)"tiles" };
	char *banks[] = { (char *)"banks" };
	struct view_stop at = view_begin(source, 2);

	tap_ok(at.pane == PANE_SOURCE && at.held == view_find("tiles"),
	       "the source, then a picture");
	at = view_begin(banks, 1);
	tap_ok(at.pane == PANE_PICTURE && at.held == view_find("banks"),
	       "a picture");
	at = view_begin(NULL, 0);
	tap_ok(at.pane == PANE_PICTURE && !at.held, "nothing: by the step");
	for (size_t i = 0; views[i]; i++)
		tap_ok(view_find(views[i]->name) == views[i] &&
		       *views[i]->title && *views[i]->help &&
		       views[i]->draw && (views[i]->pane != PANE_PICTURE ||
					  views[i]->rank) &&
		       !views[i]->key_count == !views[i]->keys,
		       "%s is whole", views[i]->name);
}

/* ---- the map of the course ---- */

#define LESSONS 24

static void map_of(struct show_list *l, int parts)
{
	static const int firsts[] = { 0, 9, 18, LESSONS };

	*l = (struct show_list){ .count = LESSONS, .part_count = parts };
	for (int i = 0; i < LESSONS; i++)
		l->entries[i] = (struct show_entry){
			.name = "x", .about = "", .answers = "" };
	for (int i = 0; i < parts; i++)
		l->parts[i] = (struct show_part){
			"part", firsts[i], firsts[i + 1] - firsts[i], NA, NA };
}

/* How many cells of the screen belong to the entry. */
static int cells_of(const struct show_list *l, int w, int h, int at)
{
	int n = 0;

	for (int y = 0; y < h; y++)
		for (int x = 0; x < w; x++)
			n += list_hit(l, w, h, x, y) == at;
	return n;
}

static void check_map(int w, int h)
{
	struct show_list l;
	bool all = true, back = true;

	map_of(&l, 3);
	for (int i = 0; i < LESSONS; i++)
		all = all && cells_of(&l, w, h, i);
	tap_ok(all, "%dx%d: each lesson of three parts can be clicked", w, h);
	for (l.chosen = 0; l.chosen < 6; l.chosen++)
		back = back && list_beside(&l, w, h, 1) == 9 + l.chosen &&
		       list_beside(&l, w, h, 2) == 18 + l.chosen;
	l.chosen = 8;
	back = back && list_beside(&l, w, h, 2) == LESSONS - 1 &&
	       list_beside(&l, w, h, -1) == 8;
	tap_ok(back, "%dx%d: the lesson at the right is the next part's", w, h);
}

/* On a small screen the chosen one's page is shown. */
static void check_pages(int w, int h)
{
	struct show_list l;
	bool all = true;

	for (int parts = 0; parts <= 3; parts += 3) {
		map_of(&l, parts);
		for (l.chosen = 0; l.chosen < LESSONS; l.chosen++)
			all = all && cells_of(&l, w, h, l.chosen);
	}
	tap_ok(all, "%dx%d: the chosen lesson is on the screen", w, h);
}

int main(void)
{
	lang_init("en");
	views_by_step();
	tab_goes_round();
	views_by_name();
	kinds();
	prose();
	measure_words();
	for (size_t i = 0; views[i]; i++) {
		if (views[i]->pane != PANE_PICTURE)
			continue;
		sweep(true, false, views[i]->name);
		sweep(false, false, views[i]->name);
		sweep(true, true, views[i]->name);
	}
	check_map(80, 24);
	check_map(120, 36);
	check_map(200, 60);
	check_pages(60, 20);
	check_pages(40, 12);
	return tap_done();
}
