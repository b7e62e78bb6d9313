/* Draws what frames every screen: the header, the timeline, the keys. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "viz/defect_words.h"
#include "viz/frame_model.h"

static void draw_progress(struct canvas *c, int *x, struct rect r,
			  const struct show_lesson *l)
{
	for (int i = 0; r.w >= 70 && i < l->steps && *x < r.x + r.w; i++)
		*x += canvas_text(c, *x, r.y, 1, i <= l->step ?
				  "\xe2\x97\x8f" : "\xe2\x97\x8b",
				  INK_ON(ROLE_DIM, ROLE_BAR));
	*x += r.w >= 70 ? 2 : 0;
	*x += canvas_textf(c, *x, r.y, r.x + r.w - *x,
			   INK_ON(ROLE_DIM, ROLE_BAR), _("%d of %d"),
			   l->step + 1, l->steps);
}

/* Writes "tiled 32x32x32, block 16x16   block (0,0)   warp 0   lane 7   on the
 * CPU", as many parts as fit in `room` columns. */
static void launch_line(const struct scene *sc, int room, char *buf,
			size_t size)
{
	const struct trace_info *i = sc->info;
	bool sized = trace_has_size(i);
	struct str parts[5] = {{0}}, block = {0};
	size_t used = 0;
	int width = 0;

	str_addf(&block, "%u×%u", i->block.x, i->block.y);
	if (i->block.z > 1)
		str_addf(&block, "×%u", i->block.z);
	if (sized)
		str_addf(&parts[0], _("%s %u×%u×%u, block %s"), i->kernel,
			 i->m, i->n, i->k, block.data);
	if (!sized || text_width(parts[0].data) > room) {
		str_clear(&parts[0]);
		str_addf(&parts[0], _("%s, block %s"), i->kernel, block.data);
	}
	str_done(&block);
	str_addf(&parts[1], _("block (%u,%u)"), sc->block.x, sc->block.y);
	str_addf(&parts[2], _("warp %u"), sc->warp.warp);
	str_addf(&parts[3], _("lane %u"), sc->cursor.lane);
	str_add(&parts[4], !strcmp(i->on, "cpu") ? _("on the CPU") :
						   _("on the GPU"));
	buf[0] = 0;
	for (size_t p = 0; p < LENGTH(parts); p++) {
		int w = text_width(parts[p].data) + (p ? 3 : 0);

		if (width + w <= room) {
			used += (size_t)snprintf(buf + used, size - used,
						 "%s%s", p ? "   " : "",
						 parts[p].data);
			used = MIN(used, size - 1);
			width += w;
		}
		str_done(&parts[p]);
	}
}

void view_header(struct canvas *c, struct rect r, const struct frame_model *s)
{
	char launch[256];
	int x = r.x + 1;

	canvas_fill(c, r, ' ', INK_ON(ROLE_TEXT, ROLE_BAR));
	x += canvas_text(c, x, r.y, r.w - x, "gemmviz",
			 (struct ink){ ROLE_ACCENT, ROLE_BAR, ATTR_BOLD }) + 2;
	if (s->lesson.title) {
		/* "Coalescing: what a warp reads together", or its start. */
		const char *colon = strstr(s->lesson.title, _(": "));
		size_t n = r.w < 130 && colon ?
			   (size_t)(colon - s->lesson.title) :
			   strlen(s->lesson.title);
		char *title = xstrndup(s->lesson.title, n);

		x += canvas_text(c, x, r.y, r.w - x, title,
				 (struct ink){ ROLE_STRONG, ROLE_BAR,
					       ATTR_BOLD }) + 2;
		free(title);
		draw_progress(c, &x, r, &s->lesson);
	}
	if (!s->scene || s->scene->error.text[0])
		return;
	launch_line(s->scene, r.x + r.w - x - 4, launch, sizeof(launch));
	canvas_right(c, x, r.y, r.x + r.w - x - 1, launch,
		     INK_ON(ROLE_TEXT, ROLE_BAR));
}

/* Returns the track of the timeline. */
static struct rect timeline_track(struct rect r)
{
	int left = r.w >= 100 ? 32 : r.w >= 60 ? 28 : 18;
	int right = r.w >= 60 ? 10 : 2;

	return (struct rect){ r.x + left, r.y, r.w - left - right, 1 };
}

static int track_at(const struct rect *t, uint32_t request, uint32_t requests)
{
	if (requests < 2)
		return t->x;
	return t->x + (int)((uint64_t)request * (uint64_t)(t->w - 1) /
			    (requests - 1));
}

void view_timeline(struct canvas *c, struct rect r, const struct frame_model *s)
{
	const struct scene *sc = s->scene;
	struct rect t = timeline_track(r);
	int at, x = r.x + 1;
	char phase[64], step[64];

	if (!sc || !sc->site || t.w < 4)
		return;
	snprintf(phase, sizeof(phase), _("phase %u/%u"), sc->phase + 1,
		 sc->phases);
	snprintf(step, sizeof(step), _("step %u/%u"), sc->cursor.request + 1,
		 sc->warp.requests);
	/* If both do not fit, as with a long kernel, the step alone. */
	if (r.w >= 60 &&
	    x + text_width(phase) + 2 + text_width(step) <= t.x)
		x += canvas_text(c, x, r.y, t.x - x, phase,
				 INK(ROLE_TEXT)) + 2;
	canvas_text(c, x, r.y, t.x - x, step, INK(ROLE_TEXT));
	at = track_at(&t, sc->cursor.request, sc->warp.requests);
	for (int i = t.x; i < t.x + t.w; i++)
		canvas_put(c, i, r.y, i < at ? 0x2501 : 0x2500,
			   INK(i < at ? ROLE_ACCENT : ROLE_BORDER));
	/* The barriers; too many to tell apart are left out. */
	for (uint32_t p = 1; p < sc->phases &&
	     sc->phases < MIN((uint32_t)t.w / 2,
			      LENGTH(sc->phase_starts)); p++)
		canvas_put(c, track_at(&t, sc->phase_starts[p],
				       sc->warp.requests), r.y, 0x253c,
			   INK(ROLE_DIM));
	/* The findings. */
	for (size_t i = 0; i < sc->defect_count; i++)
		canvas_put(c, track_at(&t, sc->defects[i].request,
				       sc->warp.requests), r.y, 0x2503,
			   INK_BOLD(ROLE_BAD));
	canvas_put(c, at, r.y, 0x25cf,
		   INK_BOLD(sc->finding ? ROLE_BAD : ROLE_STRONG));
	if (r.w >= 60)
		canvas_textf(c, t.x + t.w + 1, r.y, 9,
			     INK(s->playing ? ROLE_ACCENT : ROLE_DIM),
			     "%s %g/s", s->playing ? "|>" : "||",
			     s->speed);
}

static int key_width(const struct show_key *k)
{
	return text_width(k->key) + 1 + text_width(_(k->word)) + 2;
}

/* Finds where key i of the footer stands; false: it does not fit. The last two,
 * help and quit, always do. */
static bool find_key_column(const struct frame_model *s, struct rect r, size_t i,
			    int *x)
{
	int rest = 0, need = 0;

	for (size_t k = 0; k < s->key_count; k++)
		if (k + 2 >= s->key_count)
			rest += key_width(&s->keys[k]);
	*x = r.x + 1;
	for (size_t k = 0; k <= i; k++) {
		bool room;

		need = key_width(&s->keys[k]);
		if (k + 2 >= s->key_count)
			rest -= need;
		room = *x + need + rest <= r.x + r.w + 2;
		if (k == i)
			return room;
		*x += room ? need : 0;
	}
	return false;
}

void view_keys(struct canvas *c, struct rect r, const struct frame_model *s)
{
	int x = r.x + 1;

	if (s->goto_text) {
		canvas_textf(c, x, r.y, r.w - 1, INK(ROLE_STRONG),
			     _("go to step: %s_"), s->goto_text);
		return;
	}
	if (s->file_text) {
		canvas_textf(c, x, r.y, r.w - 1, INK(ROLE_STRONG),
			     _("open a .cu, .gvt or .md file: %s_"),
			     s->file_text);
		return;
	}
	if (s->search_text) {
		canvas_textf(c, x, r.y, r.w - 1, INK(ROLE_STRONG), "/%s_  %s",
			     s->search_text, s->search_found);
		return;
	}
	if (s->message) {
		canvas_text(c, x, r.y, r.w - 1, s->message,
			    INK(s->message_bad ? ROLE_BAD : ROLE_TEXT));
		return;
	}
	for (size_t i = 0; i < s->key_count; i++) {
		if (!find_key_column(s, r, i, &x))
			continue;
		x += canvas_text(c, x, r.y, r.w, s->keys[i].key,
				 INK_ON(ROLE_STRONG, ROLE_KEY)) + 1;
		canvas_text(c, x, r.y, r.w, _(s->keys[i].word),
			    INK(ROLE_DIM));
	}
}

/* Returns the key that a click on column `at` of the footer presses, or 0. */
static uint32_t key_at(const struct frame_model *s, struct rect r, int at)
{
	int x;

	if (s->goto_text || s->file_text || s->search_text || s->message)
		return 0;
	for (size_t i = 0; i < s->key_count; i++) {
		const struct show_key *k = &s->keys[i];

		if (find_key_column(s, r, i, &x) && at >= x &&
		    at < x + key_width(k) - 2)
			return k->press[k->press[1] && at - x >
					text_width(k->key) / 2];
	}
	return 0;
}

/* ---- frames ---- */

static void draw_too_small(struct canvas *c)
{
	prose_text(c, (struct rect){ 0, 0, c->w, c->h }, 0,
		   _("This terminal is too small: it needs at least 40 x 12, "
		     "or better 80 x 24."),
		   INK(ROLE_TEXT));
}

/* Writes the finding in a sentence; if it does not fit, its kind, element and
 * lines. */
static void write_finding(struct canvas *c, struct rect r,
			  const struct defect *d)
{
	struct ink ink = INK_BOLD(ROLE_BAD);
	char words[280];

	if (prose_text(NULL, r, 0, d->sentence, ink) > r.h && d->element[0] &&
	    d->access.line && d->other.line) {
		snprintf(words, sizeof(words), _("%s: %s, lines %u and %u"),
			 defect_words(d->finding), d->element,
			 d->access.line, d->other.line);
		canvas_text(c, r.x, r.y, r.w, text_capital(words), ink);
	} else {
		prose_fit(c, r, d->sentence, ink);
	}
}

/* Writes what the threads do to an element, in their order, if the picture
 * shows the defect; else the finding. */
static void write_deeds(struct canvas *c, struct rect r, const struct frame_model *s)
{
	const struct defect *d = &s->scene->defect;
	const struct defect_actor *first = d->other_first ? &d->other :
							    &d->access;
	const struct defect_actor *then = d->other_first ? &d->access :
							   &d->other;
	char who[2][64], deed[2][64], words[280];

	if (view_picture(s) != view_find("defect") || !d->access.known ||
	    !d->other.known) {
		write_finding(c, r, d);
		return;
	}
	defect_thread(who[0], sizeof(who[0]), s->scene, first);
	defect_deed(deed[0], sizeof(deed[0]), d, first, true);
	defect_thread(who[1], sizeof(who[1]), s->scene, then);
	defect_deed(deed[1], sizeof(deed[1]), d, then, true);
	snprintf(words, sizeof(words), _("%s: first %s %s, then %s %s"),
		 d->element[0] ? d->element : defect_words(d->finding),
		 who[0], deed[0], who[1], deed[1]);
	prose_fit(c, r, d->element[0] ? words : text_capital(words),
		  INK_BOLD(ROLE_BAD));
}

/* Writes as many whole sentences as fit, of the first at least its clauses. */
static void write_sentences(struct canvas *c, struct rect r, char *text,
			    struct ink ink)
{
	size_t end = sentence_bytes(text), next = end;

	while (text[next]) {
		char after;

		next += sentence_bytes(text + next);
		after = text[next];
		text[next] = 0;
		if (prose_text(NULL, r, 0, text, ink) <= r.h)
			end = next;
		text[next] = after;
		if (end < next)
			break;
	}
	text[end] = 0;
	prose_fit(c, r, text, ink);
}

/* Writes what the picture shows, in its own words; of a picture of the request,
 * and of one without words, what the request does. */
static void write_picture_words(struct canvas *c, struct rect r,
				const struct frame_model *s, struct ink ink)
{
	const struct view *v = view_picture(s);
	struct str words = {0};

	if (v->words && !v->of_request)
		v->words(&words, s);
	if (words.len)
		write_sentences(c, r, words.data, ink);
	else if (s->scene->sentence)
		prose_fit(c, r, s->scene->sentence, ink);
	str_done(&words);
}

/* Writes what the picture shows, or how two recordings differ in it; nothing
 * that an open question asks for. */
static void draw_caption(struct canvas *c, struct rect r, const struct frame_model *s)
{
	char words[256];
	struct ink ink = s->presenter ? INK_BOLD(ROLE_STRONG) :
					INK(ROLE_TEXT);

	r.x++;
	r.w -= 2;
	if (s->quiet && s->lesson.other_numbers) {
		prose_fit(c, r, _("The question has numbers of its own; the "
				  "picture is not drawn for them."),
			  INK(ROLE_DIM));
	} else if (pair_words(words, sizeof(words), s)) {
		prose_fit(c, r, words, INK_BOLD(ROLE_STRONG));
	} else if (s->scene && s->scene->finding && s->scene->defect.sentence &&
		   !s->quiet) {
		write_deeds(c, r, s);
	} else if (s->scene && s->scene->site && !s->quiet) {
		write_picture_words(c, r, s, ink);
	}
}

static void draw_verdict(struct canvas *c, struct rect r,
			 const struct scene *sc)
{
	prose_fit(c, (struct rect){ r.x + 1, r.y, r.w - 2, 1 }, sc->verdict,
		  sc->is_wrong ? INK_BOLD(ROLE_BAD) : INK(ROLE_TEXT));
}

static void draw_step(struct canvas *c, const struct screen_layout *l,
		      const struct frame_model *s)
{
	struct rect old;

	view_header(c, l->header, s);
	if (l->verdict.w)
		draw_verdict(c, l->verdict, s->scene);
	view_keys(c, l->keys, s);
	if (s->over)	/* over all else */
		return;
	if (l->picture.w) {
		old = canvas_clip(c, l->picture);
		pair_draw(c, l->picture, s);
		canvas_clip(c, old);
		if (l->caption.h)
			draw_caption(c, l->caption, s);
	}
	if (l->source.w)
		pair_source(c, l->source, s);
	if (l->lesson.w)
		view_find("lesson")->draw(c, l->lesson, s);
	view_timeline(c, l->timeline, s);
}

void frame_draw(struct canvas *c, const struct frame_model *s)
{
	struct screen_layout l;

	canvas_clear(c);
	layout_make(&l, c->w, c->h, s);
	if (l.kind == LAYOUT_TOO_SMALL) {
		draw_too_small(c);
		return;
	}
	if (s->benchmark)
		view_benchmark(c, s);
	else if (s->list)
		view_list(c, s);
	else if (s->lesson.learned)
		view_learned(c, s);
	else if (s->drill)
		view_drill(c, s);
	else if (s->class)
		view_class(c, s);
	else if (s->practice)
		view_practice(c, s);
	else
		draw_step(c, &l, s);
	if (s->over)
		overlay_draw(c, s);
	canvas_part_signs(c);
}

/* ---- the mouse ---- */

static void find_hit(const struct screen_layout *l, const struct frame_model *s, int w,
		     int h, int x, int y, struct hit *hit)
{
	struct rect t;

	*hit = (struct hit){0};
	if (l->kind == LAYOUT_TOO_SMALL)
		return;
	hit->press = y == h - 1 ? key_at(s, l->keys, x) : 0;
	if (hit->press) {
		hit->kind = HIT_KEY;
		return;
	}
	if (s->list) {
		hit->kind = HIT_LIST;
		hit->index = list_hit(s->list, w, h, x, y);
		return;
	}
	if (s->lesson.learned)
		return;
	if (s->class || s->benchmark)
		return;
	if (s->practice) {
		hit->index = practice_hit(s->practice, w, h, x, y);
		hit->kind = hit->index < 0 ? HIT_NOTHING : HIT_LIST;
		return;
	}
	if (s->drill) {
		hit->index = drill_hit(s, w, h, x, y);
		hit->kind = hit->index < 0 ? HIT_NOTHING : HIT_CHOICE;
		return;
	}
	t = timeline_track(l->timeline);
	if (s->scene && s->scene->site && rect_has(t, x, y)) {
		hit->kind = HIT_TIMELINE;
		hit->part = t.w > 1 ? (double)(x - t.x) / (t.w - 1) : 0;
	} else if (rect_has(l->lesson, x, y)) {
		hit->index = lesson_choice_at(s, l->lesson, h, x, y);
		hit->kind = hit->index < 0 ? HIT_LESSON : HIT_CHOICE;
	} else if (rect_has(l->source, x, y)) {
		hit->kind = HIT_SOURCE;
	} else if (rect_has(l->picture, x, y)) {
		hit->kind = HIT_PANEL;
		if (s->scene && s->scene->site && !s->beside &&
		    view_picture(s)->hit)
			view_picture(s)->hit(s, l->picture, x, y, hit);
	}
}

void frame_hit(const struct frame_model *s, int w, int h, int x, int y,
	       struct hit *hit)
{
	struct screen_layout l;

	layout_make(&l, w, h, s);
	find_hit(&l, s, w, h, x, y, hit);
}

void frame_hits(const struct frame_model *s, int w, int h, struct hit *hits)
{
	struct screen_layout l;

	layout_make(&l, w, h, s);
	for (int i = 0; i < w * h; i++)
		find_hit(&l, s, w, h, i % w, i / w, &hits[i]);
}
