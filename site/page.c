/*
 * page: a Markdown file as the body of a page of the site, from standard input
 * to standard output. Headings get the ids that links to them use, links to
 * Markdown files lead to their pages, wide tables scroll by themselves, and a
 * long page lists its parts.
 */
#include <md4c.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"

#define MOST_BYTES (1 << 24)
#define LISTED_PARTS 4		/* a page of fewer has no list of them */

struct page {
	struct str out, heading, words, parts;
	int part_count, level;		/* of the open heading, or 0 */
	size_t title_end;		/* in out: behind the first heading */
	struct str *ids;		/* all so far */
	size_t id_count, id_capacity;
	int image;			/* depth: words are its alternative */
	bool soft_break;		/* before the next text */
};

/* Where text goes now. */
static struct str *out(struct page *p)
{
	return p->level ? &p->heading : &p->out;
}

static void add_escaped(struct str *to, const char *text, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (text[i] == '&')
			str_add(to, "&amp;");
		else if (text[i] == '<')
			str_add(to, "&lt;");
		else if (text[i] == '>')
			str_add(to, "&gt;");
		else if (text[i] == '"')
			str_add(to, "&quot;");
		else
			str_addc(to, text[i]);
}

/* Whether a text begins in a Chinese character, or ends in one. */
static bool chinese(const char *text)
{
	return (unsigned char)*text >= 0xe3 && (unsigned char)*text < 0xf0;
}

static bool chinese_end(const struct str *s)
{
	return s->len >= 3 && chinese(s->data + s->len - 3);
}

/* Lines of Chinese are joined without a space. */
static void break_softly(struct page *p, const char *next)
{
	if (p->soft_break && !(chinese_end(out(p)) && chinese(next)))
		str_addc(out(p), '\n');
	p->soft_break = false;
}

/* ---- headings ---- */

static bool id_taken(const struct page *p, const char *id)
{
	for (size_t i = 0; i < p->id_count; i++)
		if (!strcmp(p->ids[i].data, id))
			return true;
	return false;
}

/* The id of a heading of these words: small letters, digits, hyphens; a number
 * behind one that is there already. */
static const char *new_id(struct page *p, const char *words)
{
	struct str id = {0};
	size_t plain;

	for (const char *w = words; *w; w++)
		if (*w == ' ' || *w == '-')
			str_addc(&id, '-');
		else if (*w >= 'A' && *w <= 'Z')
			str_addc(&id, (char)(*w - 'A' + 'a'));
		else if ((*w >= 'a' && *w <= 'z') || (*w >= '0' && *w <= '9') ||
			 *w == '_' || (unsigned char)*w >= 0x80)
			str_addc(&id, *w);
	str_add(&id, "");
	plain = id.len;
	for (int i = 1; id_taken(p, id.data); i++) {
		id.len = plain;
		str_addf(&id, "-%d", i);
	}
	grow(&p->ids, &p->id_capacity, p->id_count + 1, sizeof(*p->ids));
	p->ids[p->id_count] = id;
	return p->ids[p->id_count++].data;
}

static void end_heading(struct page *p)
{
	const char *id = new_id(p, p->words.data ? p->words.data : "");
	const char *inner = p->heading.data ? p->heading.data : "";

	str_addf(&p->out, "<h%d id=\"%s\">%s</h%d>\n", p->level, id, inner,
		 p->level);
	if (p->level == 1 && !p->title_end)
		p->title_end = p->out.len;
	if (p->level == 2) {
		p->part_count++;
		str_addf(&p->parts, "<li><a href=\"#%s\">", id);
		add_escaped(&p->parts, p->words.data, p->words.len);
		str_add(&p->parts, "</a></li>\n");
	}
	p->level = 0;
	str_clear(&p->heading);
	str_clear(&p->words);
}

/* ---- what md4c calls ---- */

static const char *const block_tags[] = {
	[MD_BLOCK_QUOTE] = "blockquote", [MD_BLOCK_UL] = "ul",
	[MD_BLOCK_LI] = "li", [MD_BLOCK_P] = "p", [MD_BLOCK_THEAD] = "thead",
	[MD_BLOCK_TBODY] = "tbody", [MD_BLOCK_TR] = "tr",
	[MD_BLOCK_TD] = "td", [MD_BLOCK_OL] = "ol",
};

static int enter_block(MD_BLOCKTYPE type, void *detail, void *ud)
{
	struct page *p = ud;

	switch (type) {
	case MD_BLOCK_H:
		p->level = (int)((MD_BLOCK_H_DETAIL *)detail)->level;
		break;
	case MD_BLOCK_HR:
		str_add(&p->out, "<hr>\n");
		break;
	case MD_BLOCK_CODE:
		str_add(&p->out, "<pre tabindex=\"0\"><code>");
		break;
	case MD_BLOCK_TABLE:
		str_add(&p->out, "<div class=\"wide\" tabindex=\"0\"><table>\n");
		break;
	case MD_BLOCK_TH:
		str_add(&p->out, "<th scope=\"col\">");
		break;
	default:
		if (type < LENGTH(block_tags) && block_tags[type])
			str_addf(&p->out, "<%s>", block_tags[type]);
	}
	return 0;
}

static int leave_block(MD_BLOCKTYPE type, void *detail, void *ud)
{
	struct page *p = ud;

	(void)detail;
	switch (type) {
	case MD_BLOCK_H:
		end_heading(p);
		break;
	case MD_BLOCK_CODE:
		str_add(&p->out, "</code></pre>\n");
		break;
	case MD_BLOCK_TABLE:
		str_add(&p->out, "</table></div>\n");
		break;
	case MD_BLOCK_TH:
		str_add(&p->out, "</th>");
		break;
	default:
		if (type < LENGTH(block_tags) && block_tags[type])
			str_addf(&p->out, "</%s>\n", block_tags[type]);
	}
	return 0;
}

/* A link within the site leads to the page that is made of the file. */
static void add_target(struct page *p, const MD_ATTRIBUTE *a)
{
	char *target = xstrndup(a->text, a->size);
	size_t file = strcspn(target, "#");
	const char *anchor = target + file;
	bool ours = !strstr(target, "://");

	if (ours && file > 3 && !memcmp(target + file - 3, ".md", 3)) {
		add_escaped(out(p), target, file - 3);
		str_add(out(p), ".html");
	} else {
		add_escaped(out(p), target, file);
		if (ours && file && target[file - 1] == '/')
			str_add(out(p), "README.html");
	}
	add_escaped(out(p), anchor, strlen(anchor));
	free(target);
}

static const char *span_tag(MD_SPANTYPE type)
{
	return type == MD_SPAN_EM ? "em" : type == MD_SPAN_STRONG ? "strong" :
	       type == MD_SPAN_CODE ? "code" : NULL;
}

static int enter_span(MD_SPANTYPE type, void *detail, void *ud)
{
	struct page *p = ud;

	break_softly(p, "");
	if (type == MD_SPAN_IMG) {
		str_add(out(p), "<img src=\"");
		add_target(p, &((MD_SPAN_IMG_DETAIL *)detail)->src);
		str_add(out(p), "\" alt=\"");
		p->image++;
	} else if (p->image) {
		return 0;
	} else if (type == MD_SPAN_A) {
		str_add(out(p), "<a href=\"");
		add_target(p, &((MD_SPAN_A_DETAIL *)detail)->href);
		str_add(out(p), "\">");
	} else if (span_tag(type)) {
		str_addf(out(p), "<%s>", span_tag(type));
	}
	return 0;
}

static int leave_span(MD_SPANTYPE type, void *detail, void *ud)
{
	struct page *p = ud;

	(void)detail;
	if (type == MD_SPAN_IMG) {
		str_add(out(p), "\">");
		p->image--;
	} else if (p->image) {
		return 0;
	} else if (type == MD_SPAN_A) {
		str_add(out(p), "</a>");
	} else if (span_tag(type)) {
		str_addf(out(p), "</%s>", span_tag(type));
	}
	return 0;
}

static int take_text(MD_TEXTTYPE type, const char *text, MD_SIZE n, void *ud)
{
	struct page *p = ud;

	if (type == MD_TEXT_SOFTBR || (type == MD_TEXT_BR && p->image)) {
		p->soft_break = true;
		return 0;
	}
	break_softly(p, type == MD_TEXT_BR ? "" : text);
	if (type == MD_TEXT_BR) {
		str_add(out(p), "<br>\n");
	} else if (type == MD_TEXT_ENTITY) {
		str_addn(out(p), text, n);
	} else {
		add_escaped(out(p), text, n);
		if (p->level)
			str_addn(&p->words, text, n);
	}
	return 0;
}

/* ---- the page ---- */

static void print_page(const struct page *p)
{
	fwrite(p->out.data, 1, p->title_end, stdout);
	if (p->part_count >= LISTED_PARTS)
		printf("<nav class=\"parts\"><ul>\n%s</ul></nav>\n",
		       p->parts.data);
	fwrite(p->out.data + p->title_end, 1, p->out.len - p->title_end,
	       stdout);
}

static void page_done(struct page *p)
{
	for (size_t i = 0; i < p->id_count; i++)
		str_done(&p->ids[i]);
	free(p->ids);
	str_done(&p->out);
	str_done(&p->heading);
	str_done(&p->words);
	str_done(&p->parts);
}

int main(void)
{
	const MD_PARSER callbacks = {
		.flags = MD_FLAG_NOHTML | MD_FLAG_TABLES,
		.enter_block = enter_block, .leave_block = leave_block,
		.enter_span = enter_span, .leave_span = leave_span,
		.text = take_text,
	};
	char *text = xmalloc(MOST_BYTES);
	size_t n = fread(text, 1, MOST_BYTES, stdin);
	struct page p = {0};
	int status = n == MOST_BYTES ? -1 :
		     md_parse(text, (MD_SIZE)n, &callbacks, &p);

	str_add(&p.out, "");
	if (!status)
		print_page(&p);
	page_done(&p);
	free(text);
	if (!status && !ferror(stdin) && !fflush(stdout) && !ferror(stdout))
		return EXIT_DONE;
	fputs("page: cannot read the Markdown, or write the page\n", stderr);
	return EXIT_INPUT;
}
