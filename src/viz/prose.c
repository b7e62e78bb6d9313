/* prose: wraps text into lines. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "viz/frame_model.h"
#include "base/text.h"

/* Where the next character goes, counted from the start of the text. */
struct prose_pen {
	struct canvas *c;
	struct rect r;
	int skip;		/* rows above the rectangle's first */
	int x, y;		/* columns and rows from the start */
	int indent;
};

/* Tells whether a character must not begin a line in Chinese. */
static bool must_not_begin(uint32_t cp)
{
	return cp == 0x3001 || cp == 0x3002 || cp == 0xff0c || cp == 0xff1a ||
	       cp == 0xff1b || cp == 0xff1f || cp == 0xff01 || cp == 0xff09 ||
	       cp == 0x300d || cp == 0x201d;
}

/* Tells whether a character must not end a line in Chinese. */
static bool must_not_end(uint32_t cp)
{
	return cp == 0xff08 || cp == 0x300c || cp == 0x201c;
}

/* Tells whether a line may break between two characters: on either side of a
 * wide one, besides at spaces. */
static bool may_break_between(uint32_t before, uint32_t behind)
{
	return (text_char_width(before) == 2 || text_char_width(behind) == 2) &&
	       !must_not_end(before) && !must_not_begin(behind);
}

/* Tells whether s begins with the space between a number, which ends with
 * `before`, and its measure word: in Chinese the two stay on one line. */
static bool binds_measure(uint32_t before, const char *s)
{
	uint32_t cp;

	if (before < '0' || before > '9' || *s != ' ')
		return false;
	text_decode(s + 1, strlen(s + 1), &cp);
	return cp >= 0x4e00 && cp <= 0x9fff;
}

static void start_line(struct prose_pen *p)
{
	p->x = p->indent;
	p->y++;
}

/*
 * Returns the bytes of the next unbreakable piece of s, and sets its columns.
 * If s ends with it, the columns include what follows without a break in the
 * text `behind` (or NULL).
 */
static size_t next_unbreakable(const char *s, const char *behind, int *columns)
{
	size_t n = 0, len = strlen(s);
	uint32_t cp, before = 0;
	int more;

	*columns = 0;
	while (s[n] && s[n] != '\n') {
		size_t k = text_decode(s + n, len - n, &cp);

		if (cp == ' ' && !binds_measure(before, s + n))
			break;
		if (n && before != ' ' && may_break_between(before, cp))
			return n;
		*columns += text_char_width(cp);
		n += k;
		before = cp;
	}
	if (s[n] || !behind || !*behind)
		return n;
	text_decode(behind, strlen(behind), &cp);
	if (binds_measure(before, behind))
		*columns += 3;
	else if (!may_break_between(before, cp)) {
		next_unbreakable(behind, NULL, &more);
		*columns += more;
	}
	return n;
}

static void write_piece(struct prose_pen *p, const char *s, size_t n,
			struct ink ink)
{
	for (size_t i = 0; i < n;) {
		uint32_t cp;
		size_t k = text_decode(s + i, n - i, &cp);
		int w = text_char_width(cp), row = p->y - p->skip;

		if (p->x + w > p->r.w)	/* a word longer than a line */
			start_line(p), row++;
		if (row >= 0 && row < p->r.h && p->c)
			canvas_put(p->c, p->r.x + p->x, p->r.y + row, cp, ink);
		p->x += w;
		i += k;
	}
}

static void write_words(struct prose_pen *p, const char *s, const char *behind,
			struct ink ink)
{
	while (*s) {
		int columns;
		size_t n;

		if (*s == '\n') {
			start_line(p);
			s++;
			continue;
		}
		if (*s == ' ') {
			if (p->x > p->indent)
				write_piece(p, " ", p->x < p->r.w, ink);
			s++;
			continue;
		}
		n = next_unbreakable(s, behind, &columns);
		if (p->x > p->indent && p->x + columns > p->r.w)
			start_line(p);
		write_piece(p, s, n, ink);
		s += n;
	}
}

static int rows_written(const struct prose_pen *p)
{
	return p->y + (p->x > p->indent);
}

/* Tells whether a text certainly has one row: a byte takes at most a column. */
static bool is_one_row(const char *text, int w)
{
	size_t n = strlen(text);

	return n && n <= (size_t)w && *text != ' ' && !strchr(text, '\n');
}

int prose_text(struct canvas *c, struct rect r, int skip, const char *text,
	       struct ink ink)
{
	struct prose_pen p = { .c = c, .r = r, .skip = skip };

	if (r.w < 1)
		return 0;
	if (!c && is_one_row(text, r.w))
		return 1;
	write_words(&p, text, NULL, ink);
	return rows_written(&p);
}

/* Returns the bytes of the part of text that ends before the last clause of its
 * first n bytes; 0: there is one clause. Sets *stop to what ends a sentence
 * there. */
static size_t drop_clause(const char *text, size_t n, const char **stop)
{
	uint32_t cp, behind;
	size_t end = 0;

	for (size_t i = 0, k; i + 1 < n; i += k) {
		k = text_decode(text + i, n - i, &cp);
		text_decode(text + i + k, n - i - k, &behind);
		if (cp == 0xff0c || cp == 0xff1a || cp == 0xff1b ||
		    cp == 0x3002 || (behind <= ' ' && cp < 0x80 &&
				     strchr(",:;.", (int)cp))) {
			end = i;
			*stop = cp < 0x80 ? "." : "\xe3\x80\x82";
		}
	}
	return end;
}

/* Tells whether a text ends in a full stop. One that does not, such as a label,
 * gets none when it is cut. */
static bool is_sentence(const char *text)
{
	size_t n = strlen(text);

	while (n && text[n - 1] == '\n')
		n--;
	return (n && text[n - 1] == '.') ||
	       (n > 2 && !strncmp(text + n - 3, "\xe3\x80\x82", 3));
}

size_t sentence_bytes(const char *text)
{
	const char *stop = strstr(text, ". "), *full = strstr(text, "。");

	if (full && (!stop || full < stop))
		return (size_t)(full - text) + strlen("。");
	return stop ? (size_t)(stop - text) + 1 : strlen(text);
}

void prose_fit(struct canvas *c, struct rect r, const char *text,
	       struct ink ink)
{
	size_t n = strlen(text);
	char *part = xasprintf("%s", text);
	const char *stop = "";
	bool sentence = is_sentence(text);

	while (n && prose_text(NULL, r, 0, part, ink) > r.h) {
		free(part);
		n = drop_clause(text, n, &stop);
		part = xasprintf("%.*s%s", (int)n, text, sentence ? stop : "");
	}
	/* One that leaves most of the room free tells too little. */
	if (n && (n == strlen(text) || 2 * text_width(part) >= r.w * r.h))
		prose_text(c, r, 0, part, ink);
	else if (prose_text(c, r, 0, text, ink) > r.h && r.h > 0)
		canvas_put(c, r.x + r.w - 1, r.y + r.h - 1, 0x2026,
			   INK(ROLE_ACCENT));
	free(part);
}

static struct ink span_ink(const struct lesson_span *s)
{
	if (s->style & SPAN_CODE)
		return INK(ROLE_CODE_WORD);
	if (s->style & SPAN_STRONG)
		return INK_BOLD(ROLE_STRONG);
	if (s->style & SPAN_EMPHASIS)
		return (struct ink){ .fg = ROLE_TEXT, .attr = ATTR_UNDERLINE };
	return INK(ROLE_TEXT);
}

static void write_paragraph(struct prose_pen *p,
			    const struct lesson_paragraph *q)
{
	char number[16];

	p->indent = 0;
	p->x = 0;
	if (q->kind == PARAGRAPH_ITEM) {
		if (q->number)
			snprintf(number, sizeof(number), "%d. ", q->number);
		write_words(p, q->number ? number : "\xe2\x80\xa2 ", NULL,
			    INK(ROLE_ACCENT));
		p->indent = p->x;
	} else if (q->kind == PARAGRAPH_CODE) {
		p->indent = p->x = 2;
	}
	for (size_t i = 0; i < q->span_count; i++)
		write_words(p, q->spans[i].text,
			    i + 1 < q->span_count ? q->spans[i + 1].text : NULL,
			    q->kind == PARAGRAPH_CODE ? INK(ROLE_CODE_WORD) :
							span_ink(&q->spans[i]));
	/* Code brings its own last newline. */
	if (p->x > p->indent || q->kind != PARAGRAPH_CODE)
		start_line(p);
}

int prose_draw(struct canvas *c, struct rect r, int skip,
	       const struct lesson_paragraph *q, size_t count)
{
	struct prose_pen p = { .c = c, .r = r, .skip = skip };

	if (r.w < 1)
		return 0;
	for (size_t i = 0; i < count; i++) {
		/* Items stand together, paragraphs apart. */
		if (i && !(q[i].kind == PARAGRAPH_ITEM &&
			   q[i - 1].kind == PARAGRAPH_ITEM))
			p.y++;
		write_paragraph(&p, &q[i]);
	}
	return p.y;
}

void request_words(char *buf, size_t size, const struct scene *sc)
{
	const char *name = sc->array->name;

	if (sc->site->matrix || !op_is_access(sc->site->op))
		snprintf(buf, size, "%s %s", trace_site_word(sc->site), name);
	else
		snprintf(buf, size, sc->site->op == OP_ST ? _("store %s") :
			 _("load %s"), name);
}

bool owner_words(char *buf, size_t size, const struct scene *sc)
{
	bool stored = sc->stored_by >= 0;
	uint32_t by = (uint32_t)(stored ? sc->stored_by : sc->coming_by);
	struct trace_dim t = dim_of(sc->info->block, by);

	if (!stored && sc->coming_by < 0)
		return false;
	snprintf(buf, size, stored ?
		 _("%s was stored by thread (%u,%u), warp %u lane %u") :
		 _("%s is stored in this phase by thread (%u,%u), warp %u lane "
		   "%u"),
		 sc->element, t.x, t.y, by / WARP_LANES, by % WARP_LANES);
	return true;
}

void number_fit(char *buf, size_t size, double v, int width)
{
	if (isnan(v)) {
		snprintf(buf, size, "NaN");
		return;
	}
	snprintf(buf, size, "%.6g", v);
	for (int digits = 5; (int)strlen(buf) > width && digits > 0; digits--)
		snprintf(buf, size, "%.*g", digits, v);
	if ((int)strlen(buf) > width)
		snprintf(buf, size, "%.*s", MAX(width, 1), "#####");
}
